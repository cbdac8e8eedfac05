/* Texts as their writers wrote them: see markdown.h. */
#include "config.h"
#include "text/markdown.h"

#include "text/code.h"

#define FENCE_LEAST 3
#define LEVELS      6 /* of headings */

/* The fence that is open. */
struct fence {
	char with;
	size_t run; /* so many of it, or 0 */
	struct code code;
};

static size_t run_of(struct str words, char c)
{
	size_t n = 0;

	while (n < words.n && words.p[n] == c)
		n++;
	return n;
}

/* Whether the line opens or closes a fence. */
static bool take_fence(struct fence *f, struct str words)
{
	char with = words.n ? words.p[0] : ' ';
	size_t run = with == '`' || with == '~' ? run_of(words, with) : 0;

	if (run < FENCE_LEAST ||
		(f->run && (with != f->with || run < f->run || run < words.n)))
		return false;
	if (!f->run && with == '`' && memchr(words.p + run, '`', words.n - run))
		return false; /* code within a line */
	words = str_trim(str_skip(words, run));
	*f = f->run ? (struct fence){0}
		    : (struct fence){with, run, {.language = language_named(words)}};
	return true;
}

static enum role role_of(struct fence *f, struct str line)
{
	struct str words = str_trim(line);
	size_t level = run_of(words, '#');

	if (take_fence(f, words))
		return ROLE_DIM;
	if (f->run)
		return ROLE_CODE;
	if (level && level <= LEVELS && line.p[0] == '#' && level < words.n &&
		words.p[level] == ' ')
		return ROLE_HEADING;
	return words.n && words.p[0] == '>' ? ROLE_QUOTE : ROLE_TEXT;
}

/* A line of words; what stands between two backticks of it is code. */
static void add_words(struct wrap *w, enum role role, struct str line)
{
	const char *end = line.p + line.n, *open, *close;

	while (line.p < end) {
		open = memchr(line.p, '`', (size_t)(end - line.p));
		close = open ? memchr(open + 1, '`', (size_t)(end - open - 1)) : NULL;
		if (!close)
			break;
		wrap_add(w, role, (struct str){line.p, (size_t)(open - line.p)});
		wrap_add(w, ROLE_CODE, (struct str){open, (size_t)(close + 1 - open)});
		line.p = close + 1;
	}
	wrap_add(w, role, (struct str){line.p, (size_t)(end - line.p)});
}

/* Without the blank lines at both ends; a carriage return alone is visible. */
static struct str between_blank_lines(struct str text)
{
	size_t i = 0, begin = 0;

	while (text.n && strchr(" \t\n", text.p[text.n - 1]) && text.p[text.n - 1])
		text.n -= text.n > 1 && !memcmp(text.p + text.n - 2, "\r\n", 2) ? 2 : 1;
	for (; i < text.n; i++)
		if (text.p[i] == '\n')
			begin = i + 1;
		else if (text.p[i] != ' ' && text.p[i] != '\t' &&
			 (text.p[i] != '\r' || i + 1 == text.n || text.p[i + 1] != '\n'))
			break;
	return str_skip(text, begin);
}

void verbatim_lines(struct lines *out, struct str raw, uint32_t width, struct str indent)
{
	struct str text = between_blank_lines(raw), line;
	struct fence fence = {0};
	struct wrap w;

	wrap_begin(&w, out, width);
	w.hang = true;
	wrap_indent(&w, indent, indent, ROLE_TEXT);
	while (!lines_full(out) && str_next_line(&text, &line)) {
		enum role role = role_of(&fence, line);

		w.literal = role == ROLE_CODE;
		if (role == ROLE_CODE)
			code_add(&w, &fence.code, fence.code.language ? ROLE_TEXT : role,
				line);
		else if (role == ROLE_DIM)
			wrap_add(&w, role, line);
		else
			add_words(&w, role, line);
		wrap_break(&w);
	}
	wrap_end(&w);
}
