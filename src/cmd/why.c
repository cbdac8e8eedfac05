/*
 * `catena why FILE[:LINE]`: which step of which session wrote the lines of a file.  The
 * edits of all sessions that name the file are replayed (analysis/authors); where git
 * knows the file, an edit after a line's commit is not what wrote it.
 */
#include "config.h"
#include "cmd/cmd.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/authors.h"
#include "analysis/touched.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/spawn.h"
#include "diff/edit.h"
#include "import/open.h"
#include "json/json.h"
#include "query/query.h"
#include "sessions/summary.h"
#include "text/safe.h"
#include "view/facts.h"

#define TITLE_CELLS  60
#define REQUEST_CELLS 72
#define LINE_CELLS   72
#define REQUEST_MOST  200 /* bytes */
#define BLAME_MOST   (64u << 20)
#define COMMIT_SHORT 8

struct why_edit {
	char *session;   /* the path of its file */
	struct buf title, tool, asked;
	const char *format;
	size_t step;     /* from 1, in its chain */
	size_t position; /* in the order of its file */
	double time;
	bool used; /* a line comes from it */
};

struct blamed {
	struct buf commit; /* of each line COMMIT_SHORT characters */
	double *times;     /* of each line; 0: not known */
	size_t count, cap;
};

struct why {
	const char *path, *full; /* as it was named, and without links */
	size_t line;             /* the one that is asked about; 0: all */
	struct buf text;
	struct str *lines;
	size_t count, cap;
	struct author *authors;
	struct authors *replay;
	struct why_edit *edits;
	size_t edit_count, edit_cap;
	struct blamed blamed;
};

/* ---- edits of the file ---- */

/*
 * Whether a session means the file: by its full path, or, where a machine or container
 * has its projects elsewhere, by its path from the folder of the project on, that folder
 * included.
 */
static bool is_file(const struct why *w, struct str path, struct str folder)
{
	AUTO_BUF full = BUF_INIT;
	struct str project;

	if (!str_starts(path, STR("/")) && folder.n) {
		buf_str(&full, folder);
		buf_byte(&full, '/');
	}
	buf_str(&full, path);
	if (str_equal(buf_view(&full), str_of(w->full)))
		return true;
	project = str_file_name(folder);
	if (project.n < 2 || *folder.p != '/' || full.len <= folder.n ||
		!str_starts(buf_view(&full), folder))
		return false;
	return str_ends(str_of(w->full),
		str_skip(buf_view(&full), folder.n - project.n - 1));
}

static void add_edit(struct why *w, struct cmd_file *f, const struct chain *c,
	struct touched *t, uint32_t touch)
{
	const struct touched_call *call = &t->calls[t->touches[touch].call];
	struct step s = trace_step(f->trace, call->step);
	/* a turn of a log begins with what came before it; its call is made at its end */
	double time = step_over_at(&s);
	/* no other touched the file before, as one that reads does before it replaces
	 * what is there: the call may have made it */
	bool creates = t->files[t->touches[touch].file].first == touch;
	const char *path = inputs_name(f->trace->inputs);
	AUTO_ARENA texts = {0};
	struct why_edit *e;
	struct touch read;

	if (call->failed || t->touches[touch].kind == TOUCH_READ ||
		!touched_read(t, touch, &read, &texts))
		return;
	authors_add(w->replay, &read, time, creates, (uint32_t)w->edit_count);
	e = MEM_ADD(w->edits, w->edit_count, w->edit_cap);
	*e = (struct why_edit){.session = mem_dup(path, strlen(path)),
		.format = trace_chain_format(f->trace, c),
		.step = touched_view_step(t, call),
		.position = call->position,
		.time = time};
	buf_str(&e->title, trace_chain_title(f->trace, c));
	buf_str(&e->tool, call->tool);
}

static int add_session(struct cmd_file *f, const struct options *o, void *ctx)
{
	struct why *w = ctx;

	for (size_t i = 0; i < f->trace->chain_count; i++) {
		const struct chain *c = &f->trace->chains[i];
		struct step_content *first =
			step_content_new(f->trace, trace_at(f->trace, c->first));
		struct touched *t = touched_new(f->trace, i);

		touched_run(t, UINT64_MAX);
		for (size_t k = 0; k < t->file_count; k++) {
			uint32_t touch = t->files[k].first;

			if (!is_file(w, t->files[k].path, step_content_folder(first)))
				continue;
			for (; touch != NO_TOUCH; touch = t->touches[touch].next)
				add_edit(w, f, c, t, touch);
		}
		touched_free(t);
		step_content_free(first);
	}
	return STATUS_DONE;
}

/* ---- what was asked, of the edits that lines come from ---- */

static int ask(struct cmd_file *f, const struct options *o, void *ctx)
{
	struct why *w = ctx;
	const char *path = inputs_name(f->trace->inputs);

	for (size_t i = 0; i < w->edit_count; i++) {
		struct why_edit *e = &w->edits[i];

		if (e->used && !e->asked.len && !strcmp(e->session, path) &&
			e->position < f->trace->order_count)
			prompt_before(f->trace, e->position, REQUEST_MOST, &e->asked);
	}
	return STATUS_DONE;
}

/* ---- git ---- */

/* "HASH old new [count]", "committer-time N", and TAB with the line: as it was committed
 * last. */
static void read_blame(struct blamed *b, struct str output, struct buf *committed)
{
	struct str line, commit = {"", 0};
	double time = 0;

	while (str_next_line(&output, &line)) {
		if (line.n > 40 && line.p[40] == ' ') {
			commit = (struct str){line.p, COMMIT_SHORT};
		} else if (str_take(&line, STR("committer-time "))) {
			time = strtod(line.p, NULL);
		} else if (line.n && *line.p == '\t' && commit.n) {
			*(double *)MEM_ADD(b->times, b->count, b->cap) = time;
			buf_str(&b->commit, commit);
			buf_str(committed, str_skip(line, 1));
			buf_byte(committed, '\n');
		}
	}
}

/* What is known of committed lines as what is known of those that the file has now. */
static void take_blame(struct why *w, const struct blamed *was, struct str committed)
{
	AUTO(edit_done) struct edit_rows rows = {0};
	struct blamed *is = &w->blamed;
	size_t old = 0;

	edit_add_texts(&rows, committed, buf_view(&w->text), 1);
	for (size_t i = 0; i < rows.count && is->count < w->count; i++) {
		bool same = rows.items[i].kind == EDIT_SAME && old < was->count;

		if (rows.items[i].kind != EDIT_GONE) {
			*(double *)MEM_ADD(is->times, is->count, is->cap) =
				same ? was->times[old] : 0;
			buf_add(&is->commit,
				same ? was->commit.data + old * COMMIT_SHORT : "        ",
				COMMIT_SHORT);
		}
		old += rows.items[i].kind != EDIT_CAME;
	}
}

static void blamed_done(struct blamed *b)
{
	mem_free(b->times);
	buf_done(&b->commit);
}

/*
 * Nothing where git is missing, or does not know the file.  Of a
 * repository that somebody else has made nothing is run, and nothing fetched: the last
 * commit is looked at, not the file, which would go through the filters of its settings.
 */
static void blame(struct why *w)
{
	AUTO_BUF folder = BUF_INIT, output = BUF_INIT, committed = BUF_INIT;
	AUTO(blamed_done) struct blamed was = {0};
	struct str name = str_file_name(str_of(w->full));
	const char *argv[] = {"git", "-C", NULL, "-c", "core.fsmonitor=false", "-c",
		"protocol.allow=never", "blame", "--line-porcelain", "--no-textconv",
		"HEAD", "--", name.p, NULL};
	struct spawn git = {
		.argv = argv, .streams = {SPAWN_NULL, SPAWN_PIPE, SPAWN_NULL}};
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	char piece[1 << 14];
	ssize_t n;
	pid_t pid;

	buf_add(&folder, w->full, (size_t)(name.p - w->full));
	buf_byte(&folder, '\0');
	argv[2] = folder.data;
	if (!spawn_start(&git, &pid, &err))
		return;
	while ((n = read(git.ends[1], piece, sizeof(piece))) > 0 &&
		output.len < BLAME_MOST)
		buf_add(&output, piece, (size_t)n);
	close(git.ends[1]);
	if (spawn_wait(pid, UINT64_MAX) != 0)
		return;
	read_blame(&was, buf_view(&output), &committed);
	take_blame(w, &was, buf_view(&committed));
}

/* ---- what is written ---- */

/* Lines [first, end) have one author, and one commit. */
struct why_group {
	size_t first, end;
	struct author author;
	const struct why_edit *edit; /* NULL: none */
	struct str commit;
};

static struct str commit_of(const struct why *w, size_t line)
{
	const char *at;

	if (line >= w->blamed.count)
		return STR("");
	at = w->blamed.commit.data + line * COMMIT_SHORT;
	return *at == ' ' ? STR("") : (struct str){at, COMMIT_SHORT};
}

static const char *const sure[] = {
	[AUTHOR_NONE] = "nobody",
	[AUTHOR_WHOLE] = "whole", [AUTHOR_LINE] = "line", [AUTHOR_EXACT] = "exact"};

static void put_group(struct buf *out, const struct why *w, const struct why_group *g)
{
	json_put_count(out, "first", g->first + 1);
	json_put_count(out, "last", g->end);
	json_put_text(out, "confidence", str_of(sure[g->author.how]));
	if (g->edit) {
		json_put_text(out, "session", str_of(g->edit->session));
		json_put_text(out, "title", buf_view(&g->edit->title));
		json_put_text(out, "format", str_of(g->edit->format));
		json_put_count(out, "step", g->edit->step);
		json_put_text(out, "call", buf_view(&g->edit->tool));
		cmd_put_moment(out, "time", g->edit->time);
		json_put_text(out, "asked", buf_view(&g->edit->asked));
		json_put_count(out, "others", g->author.others);
	}
	if (g->commit.n)
		json_put_text(out, "commit", g->commit);
	json_put_text(out, "text", w->lines[g->first]);
}

static void put_fitting(struct buf *out, const char *before, struct str raw,
	uint32_t cells, const char *after)
{
	buf_text(out, before);
	safe_fit(out, raw, cells);
	buf_text(out, after);
}

/* "TITLE  step 9 Edit  2026-11-02 10:21:00  exact", what was asked, and where it is. */
static void print_edit(struct buf *out, const struct why_group *g)
{
	const struct why_edit *e = g->edit;
	AUTO_BUF path = BUF_INIT;

	put_fitting(out, "", buf_view(&e->title), TITLE_CELLS, "");
	buf_printf(out, "  step %zu ", e->step);
	put_fitting(out, "", buf_view(&e->tool), TITLE_CELLS, "  ");
	facts_moment(out, e->time);
	buf_text(out, g->author.how == AUTHOR_EXACT   ? "  exact"
		      : g->author.how == AUTHOR_WHOLE ? "  with the whole file"
						      : "  this line alone");
	if (g->author.others)
		buf_printf(out, ", as %" PRIu32 " other%s", g->author.others,
			plural(g->author.others));
	buf_byte(out, '\n');
	if (e->asked.len)
		put_fitting(out, "            asked \"", buf_view(&e->asked),
			REQUEST_CELLS, "\"\n");
	home_shorten(str_of(e->session), &path);
	buf_text(out, "            ");
	safe_line(out, buf_view(&path));
	if (g->commit.n)
		buf_printf(out, "  commit %.*s", COMMIT_SHORT, g->commit.p);
	buf_byte(out, '\n');
}

static void print_group(
	struct buf *out, const struct why *w, const struct why_group *g)
{
	bool several = g->end - g->first > 1;
	AUTO_BUF numbers = BUF_INIT;
	size_t telling = g->first;

	buf_printf(&numbers, several ? "%zu-%zu" : "%zu", g->first + 1, g->end);
	buf_printf(out, "%10s  ", numbers.data);
	if (g->edit)
		print_edit(out, g);
	else if (g->commit.n)
		buf_printf(out, "nobody known  commit %.*s\n", COMMIT_SHORT, g->commit.p);
	else
		buf_text(out, "nobody known\n");
	while (telling + 1 < g->end && !str_trim(w->lines[telling]).n)
		telling++;
	put_fitting(out, "            | ", w->lines[telling], LINE_CELLS,
		several ? "\n            | ..." : "");
}

static void put_head(struct report *r, const struct why *w)
{
	size_t lines = 0, sessions = 0;
	struct buf *out = &r->out;

	for (size_t i = 0; i < w->count; i++)
		lines += w->authors[i].edit != NO_EDIT;
	for (size_t i = 0; i < w->edit_count; i++) {
		bool first = w->edits[i].used;

		for (size_t k = 0; k < i && first; k++)
			first = !w->edits[k].used ||
				strcmp(w->edits[k].session, w->edits[i].session) != 0;
		sessions += first;
	}
	if (r->json) {
		buf_byte(out, '{');
		json_put_text(out, "file", str_of(w->path));
		json_put_count(out, "lines", w->count);
		json_put_count(out, "known", lines);
		json_put_count(out, "sessions", sessions);
		json_put_count(out, "edits", w->edit_count);
		json_open(out, "groups", '[');
		return;
	}
	safe_line(out, str_of(w->path));
	buf_printf(out, "  %zu line%s, %zu by %zu session%s, %zu by nobody known\n",
		w->count, plural(w->count), lines, sessions, plural(sessions),
		w->count - lines);
}

static void put_answer(const struct why *w, const struct options *o)
{
	size_t from = w->line ? w->line - 1 : 0, end = w->line ? w->line : w->count;
	struct report r = report_of(o);

	put_head(&r, w);
	while (from < end) {
		struct author a = w->authors[from];
		struct why_group g = {.first = from, .end = from + 1, .author = a};

		g.edit = a.edit == NO_EDIT ? NULL : &w->edits[a.edit];
		g.commit = commit_of(w, from);
		while (g.end < end && w->authors[g.end].edit == a.edit &&
			str_equal(commit_of(w, g.end), g.commit)) {
			if (w->authors[g.end].how > g.author.how)
				g.author = w->authors[g.end];
			g.end++;
		}
		from = g.end;
		if (!report_row(&r))
			continue;
		(r.json ? put_group : print_group)(&r.out, w, &g);
		report_row_end(&r);
	}
	buf_text(&r.out, r.json ? "\n]}\n" : "");
	(void)report_end(&r, STATUS_DONE, "group of lines");
}

/* ---- the command ---- */

static int answer(struct why *w, const struct options *o)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	struct query *name = query_new(str_file_name(str_of(w->full)), QUERY_EXACT, &err);
	size_t from = w->line ? w->line - 1 : 0, end = w->line ? w->line : w->count;
	struct options folders = *o, one = *o;
	int status;

	if (!name)
		return cmd_fail("%s: %s", w->path, err.text);
	folders.files.items++; /* borrowed, like the rest */
	folders.files.count--;
	status = cmd_each_session(&folders, name, add_session, w);
	query_free(name);
	if (status == STATUS_ERROR && !w->edit_count)
		return status;
	blame(w);
	authors_replay(w->replay);
	authors_of(w->replay, w->lines,
		w->blamed.count == w->count ? w->blamed.times : NULL, w->count,
		w->authors);
	for (size_t i = from; i < end; i++)
		if (w->authors[i].edit != NO_EDIT)
			w->edits[w->authors[i].edit].used = true;
	for (size_t i = 0; i < w->edit_count; i++) {
		const char *path = w->edits[i].session;

		if (!w->edits[i].used || w->edits[i].asked.len)
			continue;
		one.files = (struct operands){.items = &path, .count = 1};
		cmd_each(&one, ask, w);
	}
	put_answer(w, o);
	return STATUS_DONE;
}

static void why_done(struct why *w)
{
	for (size_t i = 0; i < w->edit_count; i++) {
		mem_free(w->edits[i].session);
		buf_done(&w->edits[i].title);
		buf_done(&w->edits[i].tool);
		buf_done(&w->edits[i].asked);
	}
	mem_free(w->edits);
	mem_free(w->lines);
	mem_free(w->authors);
	blamed_done(&w->blamed);
	authors_free(w->replay);
	buf_done(&w->text);
}

int cmd_why(const struct options *o)
{
	AUTO(operand_done) struct operand file = {0};
	AUTO(why_done) struct why w = {0};
	struct str rest, line;
	char full[PATH_MAX];

	if (!o->files.count)
		return cmd_fail("no file; see catena why --help");
	operand_read(&file, o->files.items[0]);
	if (!realpath(file.path, full))
		return cmd_fail("%s: there is no such file", file.path);
	w.path = file.path;
	w.full = full;
	w.line = file.step;
	w.replay = authors_new();
	if (!cmd_read_file(w.full, &w.text))
		return STATUS_ERROR;
	rest = buf_view(&w.text);
	while (str_next_line(&rest, &line))
		*(struct str *)MEM_ADD(w.lines, w.count, w.cap) = line;
	if (w.line > w.count)
		return cmd_fail(
			"%s: has no line %zu: it has %zu", w.path, w.line, w.count);
	w.authors = mem_zalloc(w.count + 1, sizeof(*w.authors));
	return answer(&w, o);
}
