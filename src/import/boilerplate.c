/* See boilerplate.h. */
#include "config.h"
#include "import/boilerplate.h"

#include "base/embedded.h"
#include "base/mem.h"
#include "json/cursor.h"

#define NAME_MOST 60 /* bytes between the brackets of an element */

/* Those of all formats, read once. */
static const struct file_texts *common(void)
{
	static struct file_texts all;
	static struct arena arena;
	struct str text = {
		(const char *)embedded_boilerplate.bytes, embedded_boilerplate.n};
	struct str *patterns;
	struct jv list;

	if (all.items)
		return &all;
	list = jv_member(jv_whole(text), "boilerplate");
	patterns = arena_alloc(&arena, jv_count(list, SIZE_MAX) * sizeof(*patterns));
	JV_EACH(pattern, list)
		patterns[all.count++] = jv_keep(pattern, &arena);
	all.items = patterns;
	return &all;
}

void boilerplate_begin(
	struct boilerplate_walk *w, struct str text, const struct file_texts *own)
{
	*w = (struct boilerplate_walk){.own = own, .rest = text};
}

static const char *find(struct str text, struct str what)
{
	return text.n && what.n ? memmem(text.p, text.n, what.p, what.n) : NULL;
}

/* What stands between the brackets that begin a text, or nothing. */
static struct str tag_name(struct str text)
{
	struct str head = str_skip(text, 1);
	const char *end;

	if (head.n > NAME_MOST)
		head.n = NAME_MOST;
	end = head.n ? memchr(head.p, '>', head.n) : NULL;
	head.n = end ? (size_t)(end - head.p) : 0;
	return find(head, STR("\n")) || find(head, STR("<")) ? STR("") : head;
}

/* The words that a pattern begins with, without the signs around them. */
static struct str words_of(struct str begin)
{
	while (begin.n && strchr("#[< ", *begin.p))
		begin = str_skip(begin, 1);
	while (begin.n && strchr(": ]>-_", begin.p[begin.n - 1]))
		begin.n--;
	return begin;
}

/* The bytes of a text that a pattern stands for, or 0; *by: their name. */
static size_t match(struct str text, struct str pattern, struct str *by)
{
	const char *star = memchr(pattern.p, '*', pattern.n), *end;
	struct str begin = {pattern.p, star ? (size_t)(star - pattern.p) : pattern.n};
	struct str last = star ? str_skip(pattern, begin.n + 1) : STR("");

	if (!str_starts(text, begin))
		return 0;
	*by = words_of((struct str){text.p, begin.n});
	if (!begin.n) {
		*by = words_of(last);
		return str_ends(text, last) ? text.n : 0;
	}
	if (!star)
		return text.n == begin.n ? text.n : 0;
	end = find(text, last);
	return end ? (size_t)(end - text.p) + last.n : text.n;
}

/* As match, for an element: to its end tag.  One that does not end is the whole rest of a
 * text that it begins, and else none. */
static size_t match_element(
	struct boilerplate_walk *w, struct str text, struct str pattern, bool first)
{
	struct str name = tag_name(text), begin = pattern;
	const char *blank = name.n ? memchr(name.p, ' ', name.n) : NULL;
	/* the end tag has the whole name, or it without the attributes */
	const size_t ends[] = {name.n, blank ? (size_t)(blank - name.p) : 0};

	if (begin.n && begin.p[begin.n - 1] == '*')
		begin.n--;
	if (!name.n || !str_starts(text, begin))
		return 0;
	for (size_t i = 0; i < 2 && ends[i]; i++) {
		AUTO_BUF tag = BUF_INIT;
		const char *end;

		buf_printf(&tag, "</%.*s>", (int)ends[i], name.p);
		end = find(text, buf_view(&tag));
		if (end)
			return (size_t)(end - text.p) + tag.len;
	}
	w->unended = true;
	return first ? text.n : 0;
}

/* The bytes that the harness wrote at the beginning of a text, or 0. */
static size_t match_any(
	struct boilerplate_walk *w, struct str text, bool first, struct str *by)
{
	const struct file_texts *lists[] = {common(), w->own};
	bool element = text.n && *text.p == '<';
	size_t n = 0;

	for (size_t k = 0; k < 2 && lists[k] && !w->unended; k++)
		for (size_t i = 0; i < lists[k]->count && !n && !w->unended; i++) {
			struct str pattern = lists[k]->items[i];

			if (element && *pattern.p == '<')
				n = match_element(w, text, pattern, first);
			else if (first && *pattern.p != '<')
				n = match(text, pattern, by);
			if (n && element && *pattern.p == '<')
				*by = tag_name(text);
		}
	return n;
}

static size_t blanks_at(struct str text, const char *which)
{
	size_t n = 0;

	while (n < text.n && text.p[n] && strchr(which, text.p[n]))
		n++;
	return n;
}

bool boilerplate_next(struct boilerplate_walk *w, struct str *piece, struct str *by)
{
	size_t blank = blanks_at(w->rest, " \t\r\n"), n, at = 0;
	struct str other;

	*by = STR("");
	if (!w->rest.n)
		return false;
	n = match_any(w, str_skip(w->rest, blank), true, by);
	if (n) {
		n += blank;
		n += blanks_at(str_skip(w->rest, n), " \t\r\n");
	} else {
		/* to where a line begins with something that the harness wrote */
		*by = STR("");
		n = w->rest.n;
		while (at < w->rest.n && !w->unended) {
			struct str line = str_skip(w->rest, at);
			const char *end = memchr(line.p, '\n', line.n);
			struct str words = str_skip(line, blanks_at(line, " \t"));

			if (words.n && *words.p == '<' &&
				match_any(w, words, false, &other)) {
				n = at;
				break;
			}
			if (!end)
				break;
			at += (size_t)(end - line.p) + 1;
		}
	}
	*piece = (struct str){w->rest.p, n};
	w->rest = str_skip(w->rest, n);
	return true;
}
