/* The colors of code: see wrap.h. */
#include "config.h"
#include "text/wrap.h"

#include "base/work.h"
#include "base/embedded.h"

/* ---- languages ---- */

/* Of data/languages.txt, which describes them. */
enum {
	NAMES,
	FILES,
	COMMENTS,
	BLOCK,
	QUOTES,
	WIDE,
	TRIPLE,
	INSIDE,
	KEYWORDS,
	ANY_CASE,
	KEYS,
	TAGS,
	LINES,
	MEMBERS
};

struct language {
	struct str v[MEMBERS];  /* parts of a copy of that text, each between a blank and
				   a NUL; .p NULL: it has none */
	struct str open, close; /* the two of BLOCK */
};

static struct {
	struct language *items;
	size_t count, cap;
} languages;

/* Takes the next word of a list; false: there is none. */
static bool next_word(struct str *list, struct str *word)
{
	size_t n = 0;

	while (list->n && str_is_space(*list->p))
		*list = str_skip(*list, 1);
	while (n < list->n && !str_is_space(list->p[n]))
		n++;
	*word = (struct str){list->p, n};
	*list = str_skip(*list, n);
	return n > 0;
}

static void read_languages(void)
{
	static const char *const names[MEMBERS] = {"language", "files", "comments",
		"block", "quotes", "wide", "triple", "inside", "keywords", "any-case",
		"keys", "tags", "lines"};
	char *text = mem_dup(embedded_languages.bytes, embedded_languages.n);
	struct str rest = {text, embedded_languages.n}, line, *value = NULL;

	while (str_next_line(&rest, &line)) {
		size_t n = 0, member = 0;

		text = (char *)line.p;
		text[line.n] = '\0';
		if (!line.n || *line.p == '#')
			continue;
		if (value && *line.p == ' ') { /* it goes on with the line before */
			text[-1] = ' ';
			value->n = (size_t)(line.p + line.n - value->p);
			continue;
		}
		while (n < line.n && line.p[n] != ' ')
			n++;
		while (member + 1 < MEMBERS &&
			!str_equal((struct str){line.p, n}, str_of(names[member])))
			member++;
		if (member == NAMES)
			*MEM_ADD(languages.items, languages.count, languages.cap) =
				(struct language){0};
		value = &languages.items[languages.count - 1].v[member];
		*value = line = str_skip(line, n + (n < line.n));
		if (member == BLOCK) {
			(void)next_word(
				&line, &languages.items[languages.count - 1].open);
			(void)next_word(
				&line, &languages.items[languages.count - 1].close);
		}
	}
}

#define WORD_MOST 32 /* bytes of a keyword, or of the name of a language */

/* ---- which language ---- */

/* Whether a list has a word. */
static bool has_word(struct str list, struct str word, bool any_case)
{
	char key[WORD_MOST + 2] = " ";
	const char *at;

	if (!list.n || !word.n || word.n > WORD_MOST)
		return false;
	for (size_t i = 0; i < word.n; i++) {
		key[i + 1] = any_case ? str_small(word.p[i]) : word.p[i];
		if (!word.p[i] || str_is_space(word.p[i]))
			return false;
	}
	for (at = list.p - 1; (at = strstr(at, key)); at++)
		if (!at[word.n + 1] || at[word.n + 1] == ' ')
			return true;
	return false;
}

static bool has_sign(struct str signs, char c)
{
	return signs.n && memchr(signs.p, c, signs.n);
}

/* The language that has a word among its names or files; NULL: none does. */
static const struct language *find(int member, struct str word)
{
	if (!languages.count)
		read_languages();
	for (size_t i = 0; i < languages.count; i++)
		if (has_word(languages.items[i].v[member], word, true))
			return &languages.items[i];
	return NULL;
}

const struct language *language_named(struct str word)
{
	size_t n = 0;

	while (n < word.n && !strchr(" \t,{:", word.p[n]))
		n++;
	return find(NAMES, (struct str){word.p, n});
}

const struct language *language_of_file(struct str path)
{
	size_t name = path.n, dot;
	const struct language *found;

	while (name && path.p[name - 1] != '/' && path.p[name - 1] != '\\')
		name--;
	path = str_skip(path, name);
	found = find(FILES, path);
	for (dot = path.n; dot && path.p[dot - 1] != '.';)
		dot--;
	return found || dot <= 1 ? found : language_named(str_skip(path, dot));
}

/* ---- a line ---- */

static bool is_letter(const struct language *l, char c)
{
	return (str_small(c) >= 'a' && str_small(c) <= 'z') || str_is_digit(c) ||
	       c == '_' || (c & 0x80) || has_sign(l->v[INSIDE], c);
}

/* The sign of a list with which the text begins; empty: none. */
static struct str sign_of(struct str list, struct str text)
{
	struct str sign;

	while (next_word(&list, &sign) && !str_starts(text, sign))
		continue;
	return sign;
}

/* The bytes up to the end of what `until` ends; all of them, and *ends is false, where
 * the line does not have it.  A backslash takes the sign after it along, but in comments.
 */
static size_t length_until(struct str text, struct str until, bool escapes, bool *ends)
{
	size_t i = 0;

	for (*ends = false; i < text.n && !*ends; i++) {
		*ends = str_starts(str_skip(text, i), until);
		i += escapes && text.p[i] == '\\';
	}
	count_work(WORK_WALK, i);
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
	struct str quote = {text.p, 1}, signs = l->v[QUOTES];

	if (!has_sign(signs, *text.p))
		return 0;
	/* the sign lives as long as the table, not as long as the line */
	quote.p = memchr(signs.p, *text.p, signs.n);
	if (l->v[TRIPLE].p && text.n > 2 && text.p[1] == *text.p &&
		text.p[2] == *text.p) {
		quote = *text.p == '"' ? STR("\"\"\"") : STR("'''");
		return enter(c, text, quote, quote, ROLE_STRING, true);
	}
	return enter(c, text, quote, quote, ROLE_STRING, has_sign(l->v[WIDE], *text.p));
}

/* Whether the sign of a mapping follows a key. */
static bool is_key(const struct language *l, struct str rest)
{
	size_t n = 0;

	while (n < rest.n && n < 8 && rest.p[n] == ' ')
		n++;
	return n < rest.n && has_sign(l->v[KEYS], rest.p[n]);
}

/* What begins at a place: so many bytes, and its role. */
static size_t take_token(struct code *c, struct str line, size_t at, enum role *role)
{
	const struct language *l = c->language;
	struct str rest = {line.p + at, line.n - at}, word;
	bool letter = is_letter(l, *rest.p); /* no sign of a comment begins with one */
	bool number = str_is_digit(*rest.p);
	size_t n;

	if (l->open.n && str_starts(rest, l->open)) {
		*role = ROLE_COMMENT;
		return enter(c, rest, l->open, l->close, ROLE_COMMENT, true);
	}
	if (!letter && (!at || !is_letter(l, line.p[at - 1])) &&
		sign_of(l->v[COMMENTS], rest).n &&
		(*rest.p != '#' || !at || str_is_space(line.p[at - 1]))) {
		*role = ROLE_COMMENT;
		return rest.n;
	}
	n = take_string(c, rest);
	if (n) {
		*role = is_key(l, str_skip(rest, n)) ? ROLE_KEY : ROLE_STRING;
		return n;
	}
	if (!letter)
		return 1;
	while (n < rest.n && (is_letter(l, rest.p[n]) || (number && rest.p[n] == '.')))
		n++;
	word = (struct str){rest.p, n};
	if (number)
		*role = ROLE_NUMBER;
	else if (has_word(l->v[KEYWORDS], word, l->v[ANY_CASE].p))
		*role = ROLE_KEYWORD;
	else if (l->v[TAGS].p && at &&
		 (line.p[at - 1] == '<' ||
			 (at > 1 && line.p[at - 1] == '/' && line.p[at - 2] == '<')))
		*role = ROLE_KEYWORD;
	else if (is_key(l, str_skip(rest, n)))
		*role = ROLE_KEY;
	return n;
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
	struct str lines = c->language ? c->language->v[LINES] : STR(""), sign, name;
	size_t at = 0, from = 0;
	enum role role = plain;
	bool ends, whole = !c->language;

	/* lines that begin with some sign have one role */
	while (!whole && line.n && next_word(&lines, &sign) && next_word(&lines, &name)) {
		whole = line.p[0] == *sign.p;
		for (int i = 0; whole && i < ROLE_COUNT; i++)
			if (str_equal(str_of(role_name((enum role)i)), name))
				role = (enum role)i;
	}
	if (whole) {
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
