/*
 * Patches: the unified form of diff and git, the form of "*** Begin Patch", and blocks
 * of <<<<<<< SEARCH.  A file's hunks are a piece of the patch's own text; only contents
 * of whole files are put together anew.
 */
#include "config.h"
#include "analysis/touch_forms.h"

#include "base/buf.h"

/* The text between two places of one text. */
static struct str between(const char *from, const char *to)
{
	return (struct str){from, (size_t)(to - from)};
}

/* The lines of a hunk that have a sign, without it. */
static struct str lines_of(struct touch_reader *r, struct str hunks, char sign)
{
	struct buf text = BUF_INIT;
	struct str line;

	while (str_next_line(&hunks, &line))
		if (line.n && line.p[0] == sign) {
			buf_str(&text, str_skip(line, 1));
			buf_byte(&text, '\n');
		}
	return arena_keep(r->arena, &text);
}

/* ---- *** Begin Patch ---- */

/* The lines up to the next one that begins something else. */
static struct str lines_until(
	struct str *rest, bool (*begins)(struct str line, struct str rest))
{
	const char *from = rest->p, *to = rest->p;
	struct str line;

	while (rest->n) {
		struct str before = *rest;

		str_next_line(rest, &line);
		if (begins(line, *rest)) {
			*rest = before;
			break;
		}
		to = rest->p;
	}
	return between(from, to);
}

/* "*** End of File" belongs to a hunk, but tells nothing. */
static bool begins_section(struct str line, struct str rest)
{
	return str_starts(line, STR("*** "));
}

static bool read_starred(struct touch_reader *r, struct str text)
{
	bool any = false;
	struct str line;

	while (str_next_line(&text, &line)) {
		struct touch t = {.kind = TOUCH_PATCH};

		if (str_starts(line, STR("*** Begin Patch"))) {
			any = true;
			continue;
		}
		if (any && str_starts(line, STR("*** End Patch")))
			break;
		if (str_take(&line, STR("*** Add File: "))) {
			t.kind = TOUCH_CREATE;
			t.is = lines_of(r, lines_until(&text, begins_section), '+');
		} else if (str_take(&line, STR("*** Update File: "))) {
			struct str move = {"", 0}, after = text;

			if (str_next_line(&after, &move) &&
				str_take(&move, STR("*** Move to: "))) {
				t.to = str_trim(move);
				text = after;
			}
			t.is = lines_until(&text, begins_section);
			if (t.to.n && !t.is.n)
				t.kind = TOUCH_RENAME;
		} else if (str_take(&line, STR("*** Delete File: "))) {
			t.kind = TOUCH_DELETE;
		} else {
			continue;
		}
		t.path = line;
		touch_add(r, t);
		any = true;
	}
	return any;
}

/* ---- the unified form ---- */

/* The path of a line "--- a/name<TAB>date"; empty for /dev/null. */
static struct str header_path(struct str line)
{
	struct str path = str_skip(line, 4);
	const char *tab = memchr(path.p, '\t', path.n);

	path = str_trim(tab ? between(path.p, tab) : path);
	if (path.n > 1 && path.p[0] == '"' && path.p[path.n - 1] == '"')
		path = (struct str){path.p + 1, path.n - 2};
	return str_equal(path, STR("/dev/null")) ? STR("") : path;
}

static bool begins_file(struct str line, struct str rest)
{
	struct str next;

	if (str_starts(line, STR("diff --git ")) || str_starts(line, STR("Index: ")))
		return true;
	return str_starts(line, STR("--- ")) && str_next_line(&rest, &next) &&
	       str_starts(next, STR("+++ "));
}

static void add_unified(
	struct touch_reader *r, struct str old, struct str new, struct str lines)
{
	bool git = (!old.n || str_starts(old, STR("a/"))) &&
		   (!new.n || str_starts(new, STR("b/")));
	struct touch t = {.kind = TOUCH_PATCH};

	old = git && old.n ? str_skip(old, 2) : old;
	new = git &&new.n ? str_skip(new, 2) : new;
	t.path = old.n ? old : new;
	if (!old.n) {
		t.kind = TOUCH_CREATE;
		t.is = lines_of(r, lines, '+');
	} else if (!new.n) {
		t.kind = TOUCH_DELETE;
		t.was = lines_of(r, lines, '-');
	} else {
		t.is = lines;
		if (!str_equal(old, new) &&
			!str_ends(old, STR(".orig"))) /* as diff names what it has kept */
			t.to = new;
	}
	touch_add(r, t);
}

/* Whether hunks follow the lines about a file that gets another name. */
static bool hunks_follow(struct str rest)
{
	struct str line = {"", 0};

	while (str_next_line(&rest, &line) && str_starts(line, STR("index ")))
		;
	return str_starts(line, STR("--- ")) && begins_file(line, rest);
}

static bool read_unified(struct touch_reader *r, struct str text)
{
	struct str line, from = {"", 0}, next;
	bool any = false;

	while (str_next_line(&text, &line)) {
		if (str_starts(line, STR("rename from "))) {
			from = str_skip(line, 12);
		} else if (str_starts(line, STR("rename to ")) && from.n) {
			any = true;
			if (!hunks_follow(text))
				touch_add(r, (struct touch){.kind = TOUCH_RENAME,
						     .path = from,
						     .to = str_skip(line, 10)});
		} else if (str_starts(line, STR("--- ")) && begins_file(line, text)) {
			any = true;
			str_next_line(&text, &next);
			add_unified(r, header_path(line), header_path(next),
				lines_until(&text, begins_file));
		}
	}
	return any;
}

/* ---- blocks to search and replace ---- */

static const char *const begins_search[] = {"SEARCH", "ORIGINAL", "SEARCH>", "HEAD"};
static const char *const ends_replace[] = {"REPLACE", "UPDATED", "REPLACE>"};
static const char *const divides[] = {""};

/* Five or more of one sign, then a word. */
static bool is_mark(struct str line, char sign, const char *const words[], size_t count)
{
	size_t n = 0;

	line = str_trim(line);
	while (n < line.n && line.p[n] == sign)
		n++;
	return n >= 5 && str_is_among(str_trim(str_skip(line, n)), words, count);
}

/* The lines ":start_line:10" and "-------" that one tool has before the old text. */
static void skip_preface(struct str *rest, uint64_t *number)
{
	struct str line = {0}, after = *rest;

	while (str_next_line(&after, &line) && line.n && line.p[0] == ':') {
		if (str_starts(line, STR(":start_line:")))
			for (size_t i = 12; i < line.n; i++)
				if (str_is_digit(line.p[i]) && *number < UINT64_MAX / 20)
					*number = *number * 10 +
						  (uint64_t)(line.p[i] - '0');
		*rest = after;
	}
	if (*number && line.n >= 5 && line.p[0] == '-' &&
		str_trim(line).n == strspn(str_trim(line).p, "-"))
		*rest = after;
}

static bool read_block(struct touch_reader *r, struct str *rest, struct str path)
{
	const char *was, *is = NULL, *end = NULL;
	uint64_t number = 0;
	struct str line, old;

	skip_preface(rest, &number);
	was = rest->p;
	for (;;) {
		const char *at = rest->p;

		if (!str_next_line(rest, &line))
			return false;
		if (!is && is_mark(line, '=', divides, 1)) {
			old = between(was, at);
			is = rest->p;
		} else if (is && (is_mark(line, '>', ends_replace, 3) ||
					 is_mark(line, '+', ends_replace, 3))) {
			end = at;
			break;
		}
	}
	touch_add(r, (struct touch){.kind = old.n ? TOUCH_EDIT : TOUCH_CREATE,
			     .path = path,
			     .was = old,
			     .is = between(is, end),
			     .line = number});
	return true;
}

static bool read_blocks(struct touch_reader *r, struct str text, struct str path)
{
	struct str line, named = path;
	bool any = false;

	while (str_next_line(&text, &line)) {
		struct str name = str_trim(line);
		bool fence = str_starts(name, STR("```"));

		/* what a fence or a list stands before and after the name of a file */
		while (name.n && strchr("#*`: ", name.p[0]))
			name = str_skip(name, 1);
		while (name.n && strchr("*`: ", name.p[name.n - 1]))
			name.n--;
		if (is_mark(line, '<', begins_search, 4) ||
			is_mark(line, '-', begins_search, 3))
			any |= read_block(r, &text, path.n ? path : named);
		else if (name.n && !fence)
			named = name;
	}
	return any;
}

/* ---- all ---- */

bool touch_read_patch(struct touch_reader *r, struct str text, struct str path)
{
	struct str rest = text, line;

	if (read_starred(r, text) || read_unified(r, text))
		return true;
	if (read_blocks(r, text, path))
		return true;
	while (path.n && str_next_line(&rest, &line))
		if (str_starts(line, STR("@@"))) { /* hunks alone */
			touch_add(r,
				(struct touch){
					.kind = TOUCH_PATCH, .path = path, .is = text});
			return true;
		}
	return false;
}
