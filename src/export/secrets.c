/* See secrets.h. */
#include "config.h"
#include "export/secrets.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/embedded.h"
#include "base/mem.h"
#include "base/pattern.h"
#include "base/utf8.h"

#define WINDOW     (96u << 10) /* bytes that are looked through at once, */
#define OVERLAP    (16u << 10) /* ... and what two of them share */
#define HINTS      12
#define NESTED     3       /* strings in strings that are decoded */
#define PATIENCE   1000000 /* microseconds for what runs long in one window */
#define RANDOM     3.0     /* bits for each character of a value that looks random */
#define VALUE_MOST 200     /* bytes of such a value */
#define NAME_LEAST 4       /* letters of a user's name that is hidden by itself */

struct secret_rule {
	struct buf name;
	struct pattern *pattern;
	struct buf hints[HINTS];
	size_t hint_count;
	bool random; /* a match must look random */
};

/* ---- rules ---- */

static struct secret_rule *add_rule(
	struct secrets *s, struct str name, struct str pattern, struct err *err)
{
	struct pattern *p = pattern_new_search(pattern, 0, err);
	struct secret_rule *r;

	if (!p)
		return NULL;
	r = MEM_ADD(s->rules, s->rule_count, s->rule_cap);
	*r = (struct secret_rule){.pattern = p, .random = str_equal(name, STR("secret"))};
	buf_str(&r->name, name);
	return r;
}

static bool add_built_in(struct secrets *s, struct err *err)
{
	struct jv rules = jv_member(jv_parse((struct str){(const char *)embedded_secrets.bytes,
					    embedded_secrets.n}),
		"rules");
	struct jv rule, hint;

	for (struct jwalk w = jwalk_of(rules); jwalk_next(&w, NULL, &rule);) {
		AUTO_BUF name = BUF_INIT, pattern = BUF_INIT;
		struct secret_rule *r;

		jv_text(jv_member(rule, "name"), &name);
		jv_text(jv_member(rule, "pattern"), &pattern);
		r = add_rule(s, buf_view(&name), buf_view(&pattern), err);
		if (!r)
			return false;
		for (struct jwalk h = jwalk_of(jv_member(rule, "hints"));
			r->hint_count < HINTS && jwalk_next(&h, NULL, &hint);)
			jv_text(hint, &r->hints[r->hint_count++]);
	}
	return true;
}

struct secrets *secrets_new(const char *const *patterns, size_t count, struct err *err)
{
	struct secrets *s = mem_zalloc(1, sizeof(*s));
	bool ok = add_built_in(s, err);

	for (size_t i = 0; ok && i < count; i++)
		ok = add_rule(s, STR("own"), str_of(patterns[i]), err);
	if (ok)
		return s;
	secrets_free(s);
	return NULL;
}

void secrets_free(struct secrets *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->rule_count; i++) {
		pattern_free(s->rules[i].pattern);
		buf_done(&s->rules[i].name);
		for (size_t h = 0; h < s->rules[i].hint_count; h++)
			buf_done(&s->rules[i].hints[h]);
	}
	for (size_t i = 0; i < s->count; i++)
		buf_done(&s->items[i].stand_in);
	mem_free(s->rules);
	mem_free(s->items);
	intern_done(&s->texts);
	buf_done(&s->ascii);
	mem_free(s);
}

/* ---- what was found ---- */

static bool is_place(struct secret_place a, struct secret_place b)
{
	return a.file == b.file && a.chain == b.chain && a.step == b.step;
}

static void number(struct secrets *s, struct secret *x)
{
	size_t before = 1;

	for (size_t i = 0; i + 1 < s->count; i++)
		before += str_equal(s->items[i].kind, x->kind);
	buf_printf(&x->stand_in, "[%.*s-%zu]", (int)x->kind.n, x->kind.p, before);
}

static void add(struct secrets *s, struct str kind, struct str text, bool word)
{
	uint32_t i = intern_add(&s->texts, text);
	struct secret *x;

	if (i == s->count) {
		x = MEM_ADD(s->items, s->count, s->cap);
		*x = (struct secret){.text = intern_get(&s->texts, i),
			.kind = kind,
			.word = word,
			.first = s->at};
		number(s, x);
	}
	x = &s->items[i];
	x->steps += !x->steps || !is_place(x->last, s->at);
	x->last = s->at;
}

/* Bits for each character. */
static double entropy(struct str text)
{
	size_t counts[256] = {0};
	double bits = 0;

	for (size_t i = 0; i < text.n; i++)
		counts[(unsigned char)text.p[i]]++;
	for (size_t i = 0; i < 256; i++)
		if (counts[i]) {
			double share = (double)counts[i] / (double)text.n;

			bits -= share * log2(share);
		}
	return bits;
}

/* Letters and digits without words: no path, no name, no sentence. */
static bool looks_random(struct str text)
{
	size_t letters = 0, digits = 0, slashes = 0;

	for (size_t i = 0; i < text.n; i++) {
		letters += str_is_plain(text.p[i]) && !str_is_digit(text.p[i]);
		digits += str_is_digit(text.p[i]);
		slashes += text.p[i] == '/' || text.p[i] == '.';
	}
	return text.n >= 10 && text.n <= VALUE_MOST && letters >= 3 && digits >= 2 &&
	       slashes <= text.n / 8 && entropy(text) >= RANDOM;
}

/* ---- homes ---- */

/* Names that many machines have: hidden in paths, not by themselves. */
static bool is_usual_name(struct str name)
{
	static const char *const usual[] = {"root", "user", "users", "admin", "ubuntu",
		"debian", "runner", "home", "node", "vscode", "codespace", "workspace",
		"default", "public", "shared", "guest", "test", "build", "jenkins", "docker",
		"data", "work", "code", "agent", "sandbox", "linuxbrew"};

	for (size_t i = 0; i < sizeof(usual) / sizeof(*usual); i++)
		if (name.n == strlen(usual[i]) && !strncasecmp(name.p, usual[i], name.n))
			return true;
	return name.n < NAME_LEAST;
}

static bool is_of_name(char c)
{
	return str_is_plain(c) || (c && strchr("._-", c)) || (unsigned char)c >= 0x80;
}

/* "/home/mara", "/Users/mara", "C:\Users\mara": the folder, and the name. */
static void scan_homes(struct secrets *s, struct str text)
{
	static const struct str heads[] = {{"/home/", 6}, {"/Users/", 7}, {"\\Users\\", 7}};

	for (size_t h = 0; h < sizeof(heads) / sizeof(*heads); h++) {
		const char *at = text.p;

		while ((at = memmem(at, (size_t)(text.p + text.n - at), heads[h].p,
				heads[h].n))) {
			const char *name = at + heads[h].n, *end = name;

			while (end < text.p + text.n && is_of_name(*end))
				end++;
			if (end > name + 1) {
				struct str user = {name, (size_t)(end - name)};

				if (at > text.p + 1 && *at == '\\' && at[-1] == ':')
					at -= 2;
				add(s, STR("home"), (struct str){at, (size_t)(end - at)}, false);
				if (!is_usual_name(user))
					add(s, STR("user"), user, true);
			}
			at = end;
		}
	}
}

/* ---- texts ---- */

static bool has_hint(const struct secret_rule *r, struct str text)
{
	for (size_t i = 0; i < r->hint_count; i++)
		if (memmem(text.p, text.n, r->hints[i].data, r->hints[i].len))
			return true;
	return !r->hint_count;
}

static void scan_rule(struct secrets *s, const struct secret_rule *r, struct str text,
	struct str subject, size_t end)
{
	struct pattern_span span;
	uint64_t patience = PATIENCE;
	size_t from = 0;

	while (from < end && pattern_find(r->pattern, subject, from, end, 0, &patience,
				     &span) == PATTERN_YES) {
		struct str found = {text.p + span.from, span.to - span.from};

		if (!r->random || looks_random(found))
			add(s, buf_view(&r->name), found, false);
		from = span.to > from ? span.to : from + 1;
	}
}

/* Rules see ASCII alone, byte for byte: what else there is stands for itself. */
static void scan_window(struct secrets *s, struct str text, size_t end)
{
	buf_clear(&s->ascii);
	buf_str(&s->ascii, text);
	for (size_t i = 0; i < text.n; i++)
		if ((unsigned char)s->ascii.data[i] >= 0x80)
			s->ascii.data[i] = '\001';
	for (size_t i = 0; i < s->rule_count; i++)
		if (has_hint(&s->rules[i], text))
			scan_rule(s, &s->rules[i], text, buf_view(&s->ascii), end);
}

static void scan_plain(struct secrets *s, struct str text)
{
	for (size_t at = 0; at < text.n; at += WINDOW) {
		size_t n = text.n - at < WINDOW + OVERLAP ? text.n - at : WINDOW + OVERLAP;

		scan_window(s, (struct str){text.p + at, n}, n < WINDOW ? n : WINDOW);
	}
	scan_homes(s, text);
}

/* What backslashes stand for, as in a string of JSON or of a program. */
static void unescape(struct str text, struct buf *out)
{
	for (size_t i = 0; i < text.n; i++) {
		char c = text.p[i];
		unsigned code = 0;
		size_t digits = 0;

		if (c != '\\' || i + 1 == text.n) {
			buf_byte(out, c);
			continue;
		}
		c = text.p[++i];
		while (c == 'u' && digits < 4 && i + 1 + digits < text.n) {
			const char *at = strchr("0123456789abcdef", text.p[i + 1 + digits] | 0x20);

			if (!at || !text.p[i + 1 + digits])
				break;
			code = code * 16 + (unsigned)(at - "0123456789abcdef");
			digits++;
		}
		if (digits == 4 && code) {
			buf_utf8(out, code);
			i += 4;
		} else {
			buf_byte(out, c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c);
		}
	}
}

void secrets_scan(struct secrets *s, struct str text)
{
	AUTO_BUF inner = BUF_INIT;

	scan_plain(s, text);
	for (int i = 0; i < NESTED && text.n && memchr(text.p, '\\', text.n); i++) {
		struct buf next = BUF_INIT;

		unescape(text, &next);
		buf_done(&inner);
		inner = next;
		text = buf_view(&inner);
		scan_plain(s, text);
	}
}

/* ---- values ---- */

/* Whether a member's name says that its value is secret. */
static bool names_secret(struct str name)
{
	static const char *const words[] = {"api_key", "apikey", "api-key", "secret", "password",
		"passwd", "passphrase", "access_key", "accesskey", "private_key", "auth_token",
		"access_token", "refresh_token", "id_token", "bearer", "credential",
		"authorization", "x-api-key"};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		for (size_t at = 0, n = strlen(words[i]); at + n <= name.n; at++)
			if (!strncasecmp(name.p + at, words[i], n))
				return true;
	return name.n == 5 && !strncasecmp(name.p, "token", 5);
}

void secrets_scan_value(struct secrets *s, struct jv value)
{
	struct jv key = JV_NONE, item;
	AUTO_BUF text = BUF_INIT;

	if (value.kind == J_STRING) {
		jv_text(value, &text);
		secrets_scan(s, buf_view(&text));
		return;
	}
	if (value.kind != J_OBJECT && value.kind != J_ARRAY)
		return;
	for (struct jwalk w = jwalk_of(value); jwalk_next(&w, &key, &item);) {
		AUTO_BUF name = BUF_INIT, said = BUF_INIT;

		if (value.kind == J_OBJECT) {
			jv_text(key, &name);
			secrets_scan(s, buf_view(&name));
		}
		if (item.kind == J_STRING && item.n <= 2 * VALUE_MOST &&
			names_secret(buf_view(&name))) {
			jv_text(item, &said);
			if (looks_random(buf_view(&said)))
				add(s, STR("secret"), buf_view(&said), false);
		}
		secrets_scan_value(s, item);
	}
}
