/* Character references: see entity.h. */
#include "config.h"
#include "text/entity.h"

#include <stdlib.h>

#include "base/utf8.h"

#define ENTITY_MAX 64

static const struct entity {
	const char *name;
	unsigned code;
} entities[] = {{"amp", 0x26}, {"lt", 0x3C}, {"gt", 0x3E}, {"quot", 0x22}, {"apos", 0x27},
	{"nbsp", 0xA0}, {"copy", 0xA9}, {"reg", 0xAE}, {"trade", 0x2122},
	{"hellip", 0x2026}, {"mdash", 0x2014}, {"ndash", 0x2013}, {"lsquo", 0x2018},
	{"rsquo", 0x2019}, {"ldquo", 0x201C}, {"rdquo", 0x201D}, {"laquo", 0xAB},
	{"raquo", 0xBB}, {"bull", 0x2022}, {"middot", 0xB7}, {"times", 0xD7},
	{"divide", 0xF7}, {"plusmn", 0xB1}, {"deg", 0xB0}, {"micro", 0xB5},
	{"para", 0xB6}, {"sect", 0xA7}, {"larr", 0x2190}, {"uarr", 0x2191},
	{"rarr", 0x2192}, {"darr", 0x2193}, {"harr", 0x2194}, {"rArr", 0x21D2},
	{"le", 0x2264}, {"ge", 0x2265}, {"ne", 0x2260}, {"asymp", 0x2248},
	{"infin", 0x221E}, {"minus", 0x2212}, {"sum", 0x2211}, {"radic", 0x221A},
	{"euro", 0x20AC}, {"pound", 0xA3}, {"yen", 0xA5}, {"cent", 0xA2},
	{"frac12", 0xBD}, {"frac14", 0xBC}, {"frac34", 0xBE}, {"check", 0x2713},
	{"lbrace", 0x7B}, {"rbrace", 0x7D}, {"lbrack", 0x5B}, {"rbrack", 0x5D},
	{"lpar", 0x28}, {"rpar", 0x29}, {"ast", 0x2A}, {"num", 0x23}, {"lowbar", 0x5F},
	{"grave", 0x60}, {"vert", 0x7C}, {"bsol", 0x5C}, {"dollar", 0x24},
	{"percnt", 0x25}, {"colon", 0x3A}};

static unsigned numbered(struct str digits)
{
	bool hex = digits.n && (digits.p[0] | 0x20) == 'x';
	char text[ENTITY_MAX];
	unsigned long code;

	if (digits.n >= sizeof(text))
		return 0;
	memcpy(text, digits.p, digits.n);
	text[digits.n] = '\0';
	code = strtoul(text + hex, NULL, hex ? 16 : 10);
	return code > 0x10FFFF ? UTF8_REPLACEMENT : (unsigned)code;
}

void entity_add(struct buf *out, struct str text)
{
	struct str name = {text.p + 1, text.n > 2 ? text.n - 2 : 0};
	unsigned code = 0;

	if (name.n && name.p[0] == '#')
		code = numbered((struct str){name.p + 1, name.n - 1});
	for (size_t i = 0; !code && i < sizeof(entities) / sizeof(*entities); i++)
		if (str_equal(str_of(entities[i].name), name))
			code = entities[i].code;
	if (code <= ' ')
		buf_str(out, text);
	else
		buf_utf8(out, code);
}
