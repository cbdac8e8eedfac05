/*
 * `catena files`: the files that the tool calls of each chain touch, as the viewer shows
 * them, or as JSON: an object for each touch, in order; or as a patch.  Steps count
 * from 1.
 */
#include "config.h"
#include "cmd/cmd.h"

#include <unistd.h>

#include "analysis/touched.h"
#include "diff/edit.h"
#include "import/open.h"
#include "json/json.h"
#include "text/safe.h"
#include "view/doc.h"

/* ---- writing a patch for git apply and its like ---- */

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
	size_t old = first - 1, new = old, at = 0;

	for (size_t i = 0; i < rows->count; i++) {
		size_t from = i - at > CONTEXT ? i - CONTEXT : at, last = i, to;

		if (rows->items[i].kind == EDIT_SAME)
			continue;
		for (; i < rows->count; i++)
			if (rows->items[i].kind != EDIT_SAME)
				last = i + 1;
			else if (i - last > 2 * CONTEXT)
				break;
		to = rows->count - last > CONTEXT ? last + CONTEXT : rows->count;
		old += from - at;
		new += from - at;
		put_hunk(out, rows->items + from, to - from, old, new);
		for (at = from; at < to; at++) {
			old += rows->items[at].kind != EDIT_CAME;
			new += rows->items[at].kind != EDIT_GONE;
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
	AUTO(edit_done) struct edit_rows rows = {0};
	struct buf next = BUF_INIT;
	AUTO_BUF a = BUF_INIT, b = BUF_INIT;
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
	buf_printf(
		out, "# %s %.*s", touch_kind_names[x->kind], (int)f->path.n, f->path.p);
	if (x->command.n && !memchr(x->command.p, '\n', x->command.n)) {
		buf_text(out, ": ");
		buf_str(out, x->command);
	}
	buf_byte(out, '\n');
}

static void put_edit(struct buf *out, struct patched_file *f, const struct touch *x)
{
	AUTO(edit_done) struct edit_rows rows = {0};
	AUTO_BUF next = BUF_INIT;

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
	AUTO_BUF next = BUF_INIT;
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
			buf_set(&f->content, x->was);
			f->known = f->there = true;
		}
		if (f->known)
			put_content(out, f, STR(""), false);
		else
			put_remark(out, f, x);
		break;
	case TOUCH_RENAME:
		to = x->to;
		str_take(&to, folder);
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

/*
 * Appends the changes of each file in their order; those of failed calls are left out.
 * Paths begin in `folder`, where they are in it.  Where a call wrote the whole file,
 * later edits have their lines and what is around them; of other files only what the
 * calls say is known: git apply finds the place by the lines, with --unidiff-zero.  What
 * cannot be said as a patch (a command, a deletion of unknown content) is a line
 * beginning with "#". Linear in the texts, and for each edit in what is known of its
 * file.
 */
static void patch_write(struct buf *out, struct touched *t, struct str folder)
{
	for (size_t i = 0; i < t->file_count; i++) {
		struct patched_file f = {.path = t->files[i].path};

		str_take(&f.path, folder);
		while (f.path.n && f.path.p[0] == '/')
			f.path = str_skip(f.path, 1);
		for (uint32_t k = t->files[i].first; k != NO_TOUCH;
			k = t->touches[k].next) {
			AUTO_ARENA texts = {0};
			struct touch x;

			if (!t->calls[t->touches[k].call].failed &&
				touched_read(t, k, &x, &texts))
				put_touch(out, &f, &x, folder);
		}
		buf_done(&f.content);
	}
}

#define TITLE_CELLS 60

struct files_run {
	struct report report; /* of JSON objects, or chains */
	size_t written;       /* chains that were printed, or patches */
};

/* ---- JSON ---- */

static void put_change(struct buf *out, const struct trace *trace, const struct chain *c,
	struct touched *t, size_t i)
{
	const struct file_touch *x = &t->touches[i];
	const struct touched_call *call = &t->calls[x->call];
	struct arena texts = {0};
	struct touch read;

	json_put_text(out, "file", t->files[x->file].path);
	json_put_text(out, "kind", str_of(touch_kind_names[x->kind]));
	if ((x->kind == TOUCH_RENAME || x->kind == TOUCH_PATCH) &&
		touched_read(t, i, &read, &texts) && read.to.n)
		json_put_text(out, "to", read.to);
	arena_done(&texts); /* its path may not be kept */
	json_put_text(out, "trace_id", trace_text(trace, c->trace_id));
	json_put_count(out, "step", touched_view_step(t, call));
	json_put_count(out, "added", x->added);
	json_put_count(out, "removed", x->removed);
	json_put_text(out, "call", call->tool);
	json_put_flag(out, "failed", call->failed);
	cmd_put_moment(out, "time", trace_step(trace, call->step).timestamp);
}

/* ---- text ---- */

/* "TITLE  6 changed  +120 -31  9 only read  in /home/x/", then the files */
static void print_chain(struct files_run *run, const struct trace *trace,
	const struct chain *c, struct touched *t, const struct options *o)
{
	AUTO(doc_done) struct doc d = {.print = true, .colored = cmd_colors(o)};
	AUTO(touched_view_done) struct touched_view v = {0};
	struct buf *out = &run->report.out;

	if (!t->count || !report_row(&run->report))
		return;
	if (run->written++)
		buf_byte(out, '\n');
	doc_width(&d, cmd_print_width(o));
	touched_view_build(&d, &v, t, trace, 0);
	safe_fit(out, trace_chain_title(trace, c), TITLE_CELLS);
	buf_text(out, "  ");
	touched_view_summary(out, &v, t);
	buf_byte(out, '\n');
	cmd_print_doc(out, &d);
}

/* ---- a patch ---- */

/* As it is; on a terminal only its safe characters.  Paths begin in the working directory
 * of the chain's first step. */
static void print_patch(struct files_run *run, struct trace *trace, struct touched *t)
{
	AUTO_BUF patch = BUF_INIT, folder = BUF_INIT;
	struct str rest, line;

	if (t->changed) {
		struct step_content *o =
			step_content_new(trace, trace_at(trace, t->first));

		jv_text(o->facts.v[FACT_CWD], &folder);
		if (folder.len && folder.data[folder.len - 1] != '/')
			buf_byte(&folder, '/');
		step_content_free(o);
		patch_write(&patch, t, buf_view(&folder));
	}
	run->written += patch.len > 0;
	rest = buf_view(&patch);
	while (isatty(STDOUT_FILENO) && str_next_line(&rest, &line)) {
		safe_line(&run->report.out, line);
		buf_byte(&run->report.out, '\n');
	}
	buf_str(&run->report.out, rest);
	cmd_write(&run->report.out);
}

static int add_files(struct cmd_file *f, const struct options *o, void *ctx)
{
	struct files_run *run = ctx;

	for (size_t i = 0; i < f->trace->chain_count; i++) {
		const struct chain *c = &f->trace->chains[i];
		struct touched *t = touched_new(f->trace, i);

		touched_run(t, UINT64_MAX);
		if (o->patch)
			print_patch(run, f->trace, t);
		else if (!o->json)
			print_chain(run, f->trace, c, t, o);
		for (size_t k = 0; o->json && !o->patch && k < t->count; k++) {
			if (!report_row(&run->report))
				continue;
			put_change(&run->report.out, f->trace, c, t, k);
			report_row_end(&run->report);
		}
		touched_free(t);
	}
	return STATUS_DONE;
}

int cmd_files(const struct options *o)
{
	struct files_run run = {.report = report_of(o)};
	struct buf *out = &run.report.out;
	int status;

	run.report.first = "";
	if (o->json && !o->patch)
		buf_byte(out, '[');
	status = cmd_each(o, add_files, &run);
	if (o->json && !o->patch)
		buf_text(out, "]\n");
	else if (!o->patch && !run.written && status != STATUS_ERROR)
		buf_text(out, "no tool call touches a file\n");
	return report_end(&run.report, status, o->json ? "change" : "trace");
}
