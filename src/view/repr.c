/* See repr.h. */
#include "config.h"
#include "view/repr.h"

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '.';
}

/* What a value begins with: brackets, names of types and members, then a quote. */
static bool begins_value(struct str s)
{
	bool named = false;

	for (size_t i = 0; i < s.n;) {
		size_t word = i;

		while (word < s.n && is_word(s.p[word]))
			word++;
		if (word < s.n && (s.p[word] == '\'' || s.p[word] == '"'))
			return word <= i + 1; /* 'text', or b'bytes' */
		if (word > i && word < s.n && (s.p[word] == '(' || s.p[word] == '='))
			named = true;
		else if (word > i || !strchr("[({", s.p[i]))
			return named;
		i = word + 1;
	}
	return false;
}

/* What a letter after a backslash stands for; 0: nothing that is shown otherwise. */
static char escaped(char c)
{
	switch (c) {
	case 'n':
		return '\n';
	case 't':
		return '\t';
	case '\'':
	case '"':
	case '\\':
		return c;
	default:
		return 0;
	}
}

bool repr_write(struct buf *out, struct str text)
{
	char quote = 0;

	text = str_trim(text);
	if (memchr(text.p, '\n', text.n) || !memmem(text.p, text.n, "\\n", 2) ||
		!begins_value(text))
		return false;
	for (size_t i = 0; i < text.n; i++) {
		char c = text.p[i], stands;

		if (quote && c == '\\' && i + 1 < text.n) {
			stands = escaped(text.p[++i]);
			if (!stands)
				buf_byte(out, c);
			buf_byte(out, stands ? stands : text.p[i]);
			continue;
		}
		if (c == quote)
			quote = 0;
		else if (!quote && (c == '\'' || c == '"'))
			quote = c;
		buf_byte(out, c);
	}
	return true;
}
