/* See patch.h. */
#include "config.h"
#include "cmd/patch.h"

#include "diff/edit.h"

#define CONTEXT 3
#define UNKNOWN 2 /* a line number: git apply takes 1 for the beginning of the file */

/* After the last line of a text that ends without a line feed. */
static const struct str no_end = {"\001\001", 2};

/* What is known of a file. */
struct patched_file {
	struct str path; /* as it is written */
	struct buf content;
	bool known, there;
};

static void put_name(struct buf *out, const char *sign, const char *side, struct str path)
{
	buf_text(out, sign);
	if (!path.n) {
		buf_text(out, "/dev/null\n");
		return;
	}
	buf_text(out, side);
	buf_str(out, path);
	buf_text(out, memchr(path.p, ' ', path.n) ? "\t\n" : "\n");
}

/* The lines about a file; a missing path: it is not there. */
static void put_head(struct buf *out, struct str path, bool was, bool is)
{
	buf_text(out, "diff --git a/");
	buf_str(out, path);
	buf_text(out, " b/");
	buf_str(out, path);
	buf_text(out, !was ? "\nnew file mode 100644\n"
		      : is ? "\n"
			   : "\ndeleted file mode 100644\n");
	put_name(out, "--- ", "a/", was ? path : STR(""));
	put_name(out, "+++ ", "b/", is ? path : STR(""));
}

static void put_row(struct buf *out, const struct edit_row *row)
{
	static const char signs[] = {
		[EDIT_SAME] = ' ', [EDIT_GONE] = '-', [EDIT_CAME] = '+'};
	struct str text = row->text;
	bool open = str_ends(text, no_end);

	text.n -= open ? no_end.n : 0;
	buf_byte(out, signs[row->kind]);
	buf_str(out, text);
	buf_text(out, open ? "\n\\ No newline at end of file\n" : "\n");
}

/* A hunk; `old` and `new`: the lines before it. */
static void put_hunk(struct buf *out, const struct edit_row *rows, size_t count,
	size_t old, size_t new)
{
	size_t olds = 0, news = 0;

	for (size_t i = 0; i < count; i++) {
		olds += rows[i].kind != EDIT_CAME;
		news += rows[i].kind != EDIT_GONE;
	}
	buf_printf(out, "@@ -%zu,%zu +%zu,%zu @@\n", old + (olds != 0), olds,
		new + (news != 0), news);
	for (size_t i = 0; i < count; i++)
		put_row(out, &rows[i]);
}

/* All changes among the rows, with some lines around each; the first is line `first`. */
static void put_hunks(struct buf *out, const struct edit_rows *rows, size_t first)
{
	size_t old = first - 1, new = old, from = 0, last = 0;
	bool open = false;

	for (size_t i = 0; i <= rows->count; i++) {
		bool changed = i < rows->count && rows->items[i].kind != EDIT_SAME;

		if (changed && !open)
			from = i - last > CONTEXT ? i - CONTEXT : last;
		if (open && !changed && (i == rows->count || i - last > 2 * CONTEXT)) {
			size_t to = i - last > CONTEXT ? last + CONTEXT : i;

			put_hunk(out, rows->items + from, to - from, old, new);
			for (; from < to; from++) {
				old += rows->items[from].kind != EDIT_CAME;
				new += rows->items[from].kind != EDIT_GONE;
			}
			last = to;
			open = false;
		}
		if (changed) {
			if (!open) {
				old += from - last;
				new += from - last;
			}
			open = true;
			last = i + 1;
		}
	}
}

/* The text, with a sign where its last line has no end. */
static struct str with_end(struct str text, struct buf *out)
{
	buf_str(out, text);
	if (text.n && text.p[text.n - 1] != '\n')
		buf_str(out, no_end);
	return buf_view(out);
}

/* The file becomes `is`. */
static void put_content(
	struct buf *out, struct patched_file *f, struct str is, bool there)
{
	struct edit_rows rows = {0};
	struct buf a = BUF_INIT, b = BUF_INIT, next = BUF_INIT;
	struct str was = with_end(buf_view(&f->content), &a), to = with_end(is, &b);

	edit_add_texts(&rows, was, to, 1);
	if (!str_equal(was, to) || there != f->there)
		put_head(out, f->path, f->there, there);
	put_hunks(out, &rows, 1);
	buf_str(&next, is);
	buf_done(&f->content);
	f->content = next;
	f->known = true;
	f->there = there;
	edit_done(&rows);
	buf_done(&a);
	buf_done(&b);
}

/* The content after an edit; false: it is not in it. */
static bool replace(const struct patched_file *f, const struct touch *x, struct buf *out)
{
	struct str rest = buf_view(&f->content);
	bool any = false;

	while (rest.n && x->was.n && (!any || x->all)) {
		const char *at = memmem(rest.p, rest.n, x->was.p, x->was.n);
		size_t n = at ? (size_t)(at - rest.p) : 0;

		if (!at)
			break;
		buf_add(out, rest.p, n);
		buf_str(out, x->is);
		rest = (struct str){at + x->was.n, rest.n - n - x->was.n};
		any = true;
	}
	buf_str(out, rest);
	return any;
}

static void put_remark(
	struct buf *out, const struct patched_file *f, const struct touch *x)
{
	buf_printf(out, "# %s %.*s", touch_kind_name(x->kind), (int)f->path.n, f->path.p);
	if (x->command.n && !memchr(x->command.p, '\n', x->command.n)) {
		buf_text(out, ": ");
		buf_str(out, x->command);
	}
	buf_byte(out, '\n');
}

static void put_edit(struct buf *out, struct patched_file *f, const struct touch *x)
{
	struct edit_rows rows = {0};
	struct buf next = BUF_INIT;

	if (f->known && replace(f, x, &next)) {
		put_content(out, f, buf_view(&next), true);
	} else if (x->sketch || !x->was.n) {
		put_remark(out, f, x);
	} else {
		edit_add_texts(&rows, x->was, x->is, x->line);
		put_head(out, f->path, true, true);
		put_hunk(out, rows.items, rows.count, (x->line ? x->line : UNKNOWN) - 1,
			(x->line ? x->line : UNKNOWN) - 1);
		f->known = false;
	}
	edit_done(&rows);
	buf_done(&next);
}

/* Hunks as they are; those without numbers get some. */
static void put_patch(struct buf *out, struct patched_file *f, const struct touch *x)
{
	struct edit_rows rows = {0};
	size_t from = 0;

	edit_add_patch(&rows, x->is, true);
	put_head(out, f->path, true, true);
	for (size_t i = 0, end; i < rows.count; i = end) {
		const struct edit_row *row = &rows.items[i];

		end = i + 1;
		if (row->kind > EDIT_CAME)
			continue;
		from = i;
		while (end < rows.count && rows.items[end].kind <= EDIT_CAME)
			end++;
		if (from && str_starts(rows.items[from - 1].text, STR("@@ -"))) {
			buf_str(out, rows.items[from - 1].text);
			buf_byte(out, '\n');
			for (; from < end; from++)
				put_row(out, &rows.items[from]);
		} else {
			put_hunk(out, rows.items + from, end - from, UNKNOWN - 1,
				UNKNOWN - 1);
		}
	}
	f->known = false;
	edit_done(&rows);
}

static void put_insert(struct buf *out, struct patched_file *f, const struct touch *x)
{
	struct buf next = BUF_INIT;
	struct str rest = buf_view(&f->content), line;
	uint64_t n = 0;

	if (!f->known) {
		put_remark(out, f, x);
		return;
	}
	while (n < x->line && str_next_line(&rest, &line))
		n++;
	buf_add(&next, f->content.data, f->content.len - rest.n);
	buf_str(&next, x->is);
	if (x->is.n && x->is.p[x->is.n - 1] != '\n')
		buf_byte(&next, '\n');
	buf_str(&next, rest);
	put_content(out, f, buf_view(&next), true);
	buf_done(&next);
}

static void put_touch(
	struct buf *out, struct patched_file *f, const struct touch *x, struct str folder)
{
	struct str to;

	switch (x->kind) {
	case TOUCH_CREATE:
		if (x->command.n && !x->is.n)
			put_remark(out, f, x);
		else
			put_content(out, f, x->is, true);
		break;
	case TOUCH_EDIT:
		put_edit(out, f, x);
		break;
	case TOUCH_PATCH:
		put_patch(out, f, x);
		break;
	case TOUCH_INSERT:
		put_insert(out, f, x);
		break;
	case TOUCH_DELETE:
		if (x->was.n) {
			buf_clear(&f->content);
			buf_str(&f->content, x->was);
			f->known = f->there = true;
		}
		if (f->known)
			put_content(out, f, STR(""), false);
		else
			put_remark(out, f, x);
		break;
	case TOUCH_RENAME:
		to = x->to;
		if (str_starts(to, folder))
			to = (struct str){to.p + folder.n, to.n - folder.n};
		buf_printf(out,
			"diff --git a/%.*s b/%.*s\nsimilarity index 100%%\n"
			"rename from %.*s\nrename to %.*s\n",
			(int)f->path.n, f->path.p, (int)to.n, to.p, (int)f->path.n,
			f->path.p, (int)to.n, to.p);
		break;
	case TOUCH_READ:
	case TOUCH_KINDS:
		break;
	}
}

void patch_write(struct buf *out, struct touched *t, struct str folder)
{
	for (size_t i = 0; i < t->file_count; i++) {
		struct patched_file f = {.path = t->files[i].path};

		if (str_starts(f.path, folder))
			f.path = (struct str){f.path.p + folder.n, f.path.n - folder.n};
		while (f.path.n && f.path.p[0] == '/')
			f.path = (struct str){f.path.p + 1, f.path.n - 1};
		for (uint32_t k = t->files[i].first; k != NO_TOUCH;
			k = t->touches[k].next) {
			struct arena texts = {0};
			struct touch x;

			if (!t->calls[t->touches[k].call].failed &&
				touched_read(t, k, &x, &texts))
				put_touch(out, &f, &x, folder);
			arena_done(&texts);
		}
		buf_done(&f.content);
	}
}
