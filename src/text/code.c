/* See code.h. */
#include "config.h"
#include "text/code.h"

#include "base/effort.h"
#include "text/languages.h"

#define WORD_MOST 32 /* bytes of a word that may be a keyword or the name of a language  \
		      */

/* ---- languages ---- */

static char small(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Whether a list of the table has a word. */
static bool has_word(const char *list, struct str word, bool any_case)
{
	char key[WORD_MOST + 3];

	if (!list || !word.n || word.n > WORD_MOST || memchr(word.p, ' ', word.n) ||
		memchr(word.p, '\0', word.n))
		return false;
	key[0] = key[word.n + 1] = ' ';
	key[word.n + 2] = '\0';
	for (size_t i = 0; i < word.n; i++)
		key[i + 1] = any_case ? small(word.p[i]) : word.p[i];
	return strstr(list, key) != NULL;
}

const struct language *language_named(struct str word)
{
	size_t n = 0;

	while (n < word.n && !strchr(" \t,{:", word.p[n]))
		n++;
	word.n = n;
	for (size_t i = 0; i < language_count; i++)
		if (has_word(languages[i].names, word, true))
			return &languages[i];
	return NULL;
}

const struct language *language_of_file(struct str path)
{
	size_t name = path.n, dot;

	while (name && path.p[name - 1] != '/' && path.p[name - 1] != '\\')
		name--;
	path = (struct str){path.p + name, path.n - name};
	for (size_t i = 0; i < language_count; i++)
		if (has_word(languages[i].files, path, true))
			return &languages[i];
	for (dot = path.n; dot && path.p[dot - 1] != '.';)
		dot--;
	return dot > 1 ? language_named((struct str){path.p + dot, path.n - dot}) : NULL;
}

/* ---- a line ---- */

static bool is_letter(const struct language *l, char c)
{
	return (small(c) >= 'a' && small(c) <= 'z') || str_is_digit(c) || c == '_' ||
	       (c & 0x80) || (c && l->inside && strchr(l->inside, c));
}

/* The sign of a list with which the text begins; empty: none. */
static struct str sign_of(const char *list, struct str text)
{
	while (list && *list++ && *list) {
		size_t n = strcspn(list, " ");

		if (str_starts(text, (struct str){list, n}))
			return (struct str){list, n};
		list += n;
	}
	return STR("");
}

/* The bytes up to the end of what `until` ends; all of them, and *ends is false, where
 * the line does not have it.  A backslash takes the sign after it along, but in comments.
 */
static size_t length_until(struct str text, struct str until, bool escapes, bool *ends)
{
	size_t i = 0;

	for (*ends = false; i < text.n && !*ends; i++) {
		*ends = str_starts((struct str){text.p + i, text.n - i}, until);
		i += escapes && text.p[i] == '\\';
	}
	effort(EFFORT_WALK, i);
	if (*ends)
		i += until.n - 1;
	return i < text.n ? i : text.n;
}

/* Enters a comment or string that `sign` begins and `until` ends; the bytes of it that
 * the line has.  `wide`: it may go on in the next line. */
static size_t enter(struct code *c, struct str text, struct str sign, struct str until,
	enum role role, bool wide)
{
	struct str rest = {text.p + sign.n, text.n - sign.n};
	bool ends;
	size_t n = length_until(rest, until, role == ROLE_STRING, &ends);

	c->until = ends || !wide ? STR("") : until;
	c->role = role;
	return sign.n + n;
}

static size_t take_string(struct code *c, struct str text)
{
	const struct language *l = c->language;
	struct str quote = {text.p, 1};

	if (!l->quotes || !*text.p || !strchr(l->quotes, *text.p))
		return 0;
	/* the sign lives as long as the table, not as long as the line */
	quote.p = strchr(l->quotes, *text.p);
	if (l->triple && text.n > 2 && text.p[1] == *text.p && text.p[2] == *text.p) {
		quote = *text.p == '"' ? STR("\"\"\"") : STR("'''");
		return enter(c, text, quote, quote, ROLE_STRING, true);
	}
	return enter(
		c, text, quote, quote, ROLE_STRING, l->wide && strchr(l->wide, *text.p));
}

/* Whether the sign of a mapping follows a key. */
static bool is_key(const struct language *l, struct str rest)
{
	size_t n = 0;

	while (l->keys && n < rest.n && n < 8 && rest.p[n] == ' ')
		n++;
	return l->keys && n < rest.n && rest.p[n] == l->keys;
}

static size_t take_word(
	const struct language *l, struct str line, size_t at, enum role *role)
{
	size_t n = at;
	bool number = str_is_digit(line.p[at]);

	while (n < line.n && (is_letter(l, line.p[n]) || (number && line.p[n] == '.')))
		n++;
	if (number)
		*role = ROLE_NUMBER;
	else if (has_word(l->keywords, (struct str){line.p + at, n - at}, l->any_case))
		*role = ROLE_KEYWORD;
	else if (l->tags && at &&
		 (line.p[at - 1] == '<' ||
			 (at > 1 && line.p[at - 1] == '/' && line.p[at - 2] == '<')))
		*role = ROLE_KEYWORD;
	else if (is_key(l, (struct str){line.p + n, line.n - n}))
		*role = ROLE_KEY;
	return n - at;
}

/* What begins at a place: so many bytes, and its role. */
static size_t take_token(struct code *c, struct str line, size_t at, enum role *role)
{
	const struct language *l = c->language;
	struct str rest = {line.p + at, line.n - at};
	bool fresh = !at || !is_letter(l, line.p[at - 1]);
	size_t n;

	if (l->open && str_starts(rest, str_of(l->open))) {
		*role = ROLE_COMMENT;
		return enter(
			c, rest, str_of(l->open), str_of(l->close), ROLE_COMMENT, true);
	}
	if (fresh && sign_of(l->comments, rest).n &&
		(*rest.p != '#' || !at || str_is_space(line.p[at - 1]))) {
		*role = ROLE_COMMENT;
		return rest.n;
	}
	n = take_string(c, rest);
	if (n) {
		*role = is_key(l, (struct str){rest.p + n, rest.n - n}) ? ROLE_KEY
									: ROLE_STRING;
		return n;
	}
	return is_letter(l, *rest.p) ? take_word(l, line, at, role) : 1;
}

/* Adds bytes of a line, those that are marked in the role of marks. */
static void put(struct wrap *w, struct code *c, enum role role, struct str line,
	size_t from, size_t to)
{
	while (from < to) {
		const struct code_mark *m = c->mark_count ? c->marks : NULL;
		bool marked = m && m->from <= from;
		size_t end = !m ? to : marked ? m->to : m->from;

		end = end < to ? end : to;
		wrap_add(w, marked ? c->mark_role : role,
			(struct str){line.p + from, end - from});
		if (marked && end == m->to) {
			c->marks++;
			c->mark_count--;
		}
		from = end;
	}
}

void code_add(struct wrap *w, struct code *c, enum role plain, struct str line)
{
	size_t at = 0, from = 0;
	enum role role = plain;
	bool ends, whole = false;

	/* lines that begin with some sign have one role */
	for (size_t i = 0; c->language && line.n && c->language->lines[i].sign; i++)
		if (line.p[0] == c->language->lines[i].sign) {
			role = c->language->lines[i].role;
			whole = true;
			break;
		}
	if (!c->language || whole) {
		put(w, c, role, line, 0, line.n);
		return;
	}
	if (c->until.n) {
		at = from = length_until(line, c->until, c->role == ROLE_STRING, &ends);
		put(w, c, c->role, line, 0, at);
		c->until = ends ? STR("") : c->until;
	}
	while (at < line.n && !lines_over(w->out)) {
		size_t n;

		role = plain;
		n = take_token(c, line, at, &role);
		if (role != plain) {
			put(w, c, plain, line, from, at);
			put(w, c, role, line, at, at + n);
			from = at + n;
		}
		at += n;
	}
	put(w, c, plain, line, from, line.n);
}

void code_add_text(struct wrap *w, struct code *c, enum role plain, struct str text)
{
	struct str line;

	while (!lines_full(w->out) && str_next_line(&text, &line)) {
		code_add(w, c, plain, line);
		wrap_break(w);
	}
}
