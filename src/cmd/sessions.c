/*
 * `catena sessions`: the sessions and traces of this machine, or of folders, newest
 * first; and `catena usage`: what they took and cost, by day, week, month, session,
 * model, project or tool.  Both as a table or as JSON.
 */
#include "config.h"
#include "cmd/cmd.h"

#include <string.h>
#include <time.h>

#include "base/file.h"
#include "json/json.h"
#include "sessions/folders.h"
#include "sessions/sessions.h"
#include "text/safe.h"
#include "view/facts.h"
#include "view/session_rows.h"

static void put_session(struct buf *out, const struct session *s, double now)
{
	static const char *const states[] = {[STATE_UNKNOWN] = "",
		[STATE_RUNNING] = "running",
		[STATE_THINKING] = "thinking",
		[STATE_WAITING] = "waiting"};
	AUTO_BUF resume = BUF_INIT;

	(void)resume_put(s->format, s->id, str_of(s->path), s->folder, &resume);
	json_put_text(out, "path", str_of(s->path));
	json_put_known(out, "title", s->title);
	json_put_known(out, "tool", s->tool);
	json_put_known(out, "format", str_of(s->format));
	json_put_known(out, "folder", s->folder);
	json_put_known(out, "resume", buf_view(&resume));
	cmd_put_moment(out, "started", s->start);
	cmd_put_moment(out, "written", s->written);
	json_put_flag(out, "live", session_is_live(s, now));
	json_put_count(out, "bytes", s->size);
	json_put_count(out, "chains", s->chains);
	facts_put_totals(out, &s->totals);
	json_put_known(out, "state", str_of(states[s->state]));
	json_put_known(out, "doing", s->doing);
	facts_put_figure(out, "cost_usd", s->spent.cost);
	json_put_flag(out, "estimated", s->spent.estimated);
	json_put_known(out, "model", usage_main_model(&s->usage));
	facts_put_figure(out, "context_tokens", s->context);
	facts_put_figure(out, "context_window", s->window);
}

int cmd_sessions(const struct options *o)
{
	const struct operands *folders = &o->files;
	int status = cmd_check_folders(folders->items, folders->count);
	struct report r = report_of(o);
	double now;
	struct sessions *s;

	if (status != STATUS_DONE)
		return status;
	s = cmd_open_sessions(o);
	while (sessions_run(s, UINT64_MAX) == TASK_MORE)
		;
	now = (double)time(NULL);
	if (o->json) {
		buf_text(&r.out, "{\"sessions\":[");
		for (size_t i = 0; i < sessions_count(s); i++) {
			if (!report_row(&r))
				continue;
			put_session(&r.out, sessions_at(s, i), now);
			report_row_end(&r);
		}
		buf_printf(&r.out, "\n],\"left_out\":%zu}\n", r.left_out);
	} else if (sessions_count(s)) {
		session_rows_print(&r, s, cmd_print_width(o), now);
	} else { /* where it was looked for, and what to type */
		buf_printf(&r.out, "no %s were found in\n\n",
			o->files.count ? "traces" : "sessions");
		sessions_put_places(s, &r.out);
		buf_text(&r.out,
			"\n`catena FILE` opens a trace, `catena sessions DIR` lists "
			"those of a folder\n");
	}
	status = report_end(&r, STATUS_DONE, o->json ? NULL : "session");
	cmd_report_sessions(s);
	sessions_free(s);
	return status;
}

/* ---- what they took: JSON ---- */

static void put_sums(struct buf *out, const struct usage_row *row)
{
	const struct priced_tokens *t = &row->sum.tokens;

	json_put_count(out, "sessions", row->sessions);
	json_put_count(out, "requests", row->sum.requests);
	facts_put_figure(out, "input_tokens",
		t->fresh + t->cache_read + t->cache_write + t->cache_hour);
	facts_put_figure(out, "fresh_tokens", t->fresh);
	facts_put_figure(out, "cache_read_tokens", t->cache_read);
	facts_put_figure(out, "cache_write_tokens", t->cache_write + t->cache_hour);
	facts_put_figure(out, "output_tokens", t->output);
	json_put_count(out, "errors", row->sum.errors);
	facts_put_figure(out, "cost_usd", row->sum.cost);
	json_put_flag(out, "estimated", row->sum.estimated);
	json_put_flag(out, "complete", !row->sum.unpriced);
}

/* The first row that is shown: of days --limit leaves the latest, of others the dearest.
 */
static size_t first_shown(const struct usage_report *r, struct report *to)
{
	if (r->by <= USAGE_MONTHS && to->most && to->most < r->count)
		to->left_out = r->count - to->most;
	return to->left_out;
}

static void put_report(const struct usage_report *r, struct str date, struct report *to)
{
	struct buf *out = &to->out;

	buf_byte(out, '{');
	json_put_text(out, "by", str_of(usage_groups[r->by].key));
	json_put_text(out, "prices", date);
	json_open(out, "rows", '[');
	for (size_t i = first_shown(r, to); i < r->count; i++) {
		const struct session *s = r->rows[i].session;

		if (!report_row(to))
			continue;
		json_put_text(out, usage_groups[r->by].key,
			s ? session_name(s) : r->rows[i].label);
		if (s) {
			json_put_text(out, "path", str_of(s->path));
			json_put_text(out, "tool", s->tool);
			json_put_text(out, "folder", s->folder);
		}
		put_sums(out, &r->rows[i]);
		report_row_end(to);
	}
	buf_text(out, "\n]");
	json_open(out, "totals", '{');
	put_sums(out, &r->all);
	buf_byte(out, '}');
	json_open(out, "without_price", '[');
	for (size_t i = 0; i < r->unpriced.count; i++) {
		struct str model = intern_get(&r->unpriced, (uint32_t)i);

		json_item(out);
		if (model.n)
			json_write_string(out, model);
		else
			buf_text(out, "null");
	}
	buf_text(out, "]}\n");
}

/* ---- ... as a table ---- */

static void print_table(const struct usage_report *r, struct str date,
	const struct options *o, struct report *to)
{
	struct usage_layout l = usage_table_lay_out(r, cmd_print_width(o));
	AUTO(lines_done) struct lines line = {0};

	usage_table_titles(r, &l, &line);
	report_row_line(to, &line);
	for (size_t i = first_shown(r, to); i < r->count; i++) {
		if (!report_row(to))
			continue;
		usage_table_row(r, &r->rows[i], &l, &line);
		report_row_line(to, &line);
	}
	if (r->count > 1) {
		usage_table_row(r, &r->all, &l, &line);
		report_row_line(to, &line);
	}
	if (r->all.sum.estimated || r->unpriced.count)
		buf_byte(&to->out, '\n');
	usage_table_notes(r, date, &to->out);
}

int cmd_usage(const struct options *o)
{
	struct usage_report r = {.by = USAGE_DAYS};
	size_t words = 0; /* that are no folders: the one for the groups comes first */
	struct report to = report_of(o);
	AUTO_BUF table = BUF_INIT;
	struct sessions_options wanted = {
		.from = o->from, .cached = cmd_has_state(o) && !o->from && !o->prices};
	struct sessions *s;
	int status = STATUS_ERROR;

	for (int i = 0; i < USAGE_GROUPS && o->files.count && !words; i++)
		if (strcmp(o->files.items[0], usage_groups[i].word) == 0) {
			words = 1;
			r.by = (enum usage_by)i;
		}
	wanted.folders = words ? o->files.items + words : o->files.items;
	wanted.count = o->files.count - words;
	if (cmd_read_span(o, &r.since, &r.until) &&
		(wanted.prices = cmd_read_prices(o, &table)) &&
		cmd_check_folders(wanted.folders, wanted.count) == STATUS_DONE) {
		s = sessions_new(&wanted);
		while (sessions_run(s, UINT64_MAX) == TASK_MORE)
			;
		usage_report_make(&r, s);
		if (o->json) {
			put_report(&r, prices_date(wanted.prices), &to);
		} else if (r.count) {
			print_table(&r, prices_date(wanted.prices), o, &to);
		} else if (sessions_count(s)) {
			buf_text(&to.out, "no session used tokens in that time\n");
		} else {
			buf_text(&to.out, "no sessions were found in\n\n");
			sessions_put_places(s, &to.out);
		}
		status = report_end(&to, STATUS_DONE, "row");
		cmd_report_sessions(s);
		usage_report_done(&r);
		sessions_free(s);
	}
	prices_free(wanted.prices);
	return status;
}

/* ---- copies ---- */

static const char *const change_words[KEEP_CHANGES] = {
	[KEEP_SAME] = "unchanged",
	[KEEP_NEW] = "new",
	[KEEP_GROWN] = "grown",
	[KEEP_OTHER] = "rewritten",
	[KEEP_FAILED] = "failed",
};

struct keep_run {
	bool json;
	size_t sessions[KEEP_CHANGES], parts[KEEP_CHANGES];
	uint64_t bytes;   /* that were copied */
	struct buf files; /* JSON */
};

static void note_kept(void *run, const struct keep_file *file)
{
	struct keep_run *r = run;
	struct buf *out = &r->files;

	(file->part ? r->parts : r->sessions)[file->change]++;
	if (file->change == KEEP_FAILED)
		report_error(file->err);
	else if (file->change != KEEP_SAME)
		r->bytes += file->size;
	if (r->json && file->change != KEEP_SAME) {
		buf_text(out, out->len ? ",\n{" : "\n{");
		json_put_text(out, "path", str_of(file->path));
		json_put_text(out, "copy", str_of(file->copy ? file->copy : ""));
		json_put_text(out, "change", str_of(change_words[file->change]));
		json_put_flag(out, "part", file->part);
		json_put_count(out, "bytes", file->size);
		buf_byte(out, '}');
	}
}

static size_t sum(const size_t counts[KEEP_CHANGES])
{
	size_t all = 0;

	for (int i = 0; i < KEEP_CHANGES; i++)
		all += counts[i];
	return all;
}

static void put_kept(const struct keep_run *r, const char *to, bool dry)
{
	AUTO_BUF out = BUF_INIT;

	buf_byte(&out, '{');
	json_put_text(&out, "to", str_of(to));
	json_put_flag(&out, "dry_run", dry);
	for (int i = 0; i < KEEP_CHANGES; i++)
		json_put_count(&out, change_words[i], r->sessions[i]);
	json_put_count(&out, "parts", sum(r->parts));
	json_put_count(&out, "bytes", r->bytes);
	json_open(&out, "files", '[');
	buf_str(&out, buf_view(&r->files));
	buf_text(&out, "\n]}\n");
	cmd_write(&out);
}

/* "3 new, 1 grown, 8 unchanged sessions, and 5 files of sub-agents: 3 MB kept in ..." */
static void print_kept(const struct keep_run *r, const char *to, bool dry)
{
	size_t parts = sum(r->parts);
	const char *between = "";
	AUTO_BUF out = BUF_INIT;

	if (!sum(r->sessions)) {
		buf_text(&out, "no sessions of programs that delete theirs were found\n");
	} else {
		for (int i = KEEP_NEW; i <= KEEP_CHANGES; i++) {
			int change = i % KEEP_CHANGES; /* what is unchanged comes last */

			if (!r->sessions[change])
				continue;
			buf_printf(&out, "%s%zu %s", between, r->sessions[change],
				change_words[change]);
			between = ", ";
		}
		buf_text(&out, sum(r->sessions) == 1 ? " session" : " sessions");
		if (parts)
			buf_printf(&out, ", and %zu file%s of sub-agents", parts,
				plural(parts));
		buf_text(&out, r->bytes ? ": " : "\n");
		if (r->bytes) {
			facts_bytes(&out, r->bytes);
			buf_text(&out, dry ? " would be kept in " : " kept in ");
			home_shorten(str_of(to), &out);
			buf_byte(&out, '\n');
		}
	}
	cmd_write(&out);
}

int cmd_keep(const struct options *o)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	struct keep_run r = {.json = o->json};
	AUTO_BUF to = BUF_INIT;
	bool good;

	if (o->files.count)
		return cmd_fail("keep %s: takes no operand; --to DIR names a folder",
			o->files.items[0]);
	if (o->keep_to && !*o->keep_to)
		return cmd_fail("--to: name a folder");
	if (o->keep_to)
		buf_text(&to, o->keep_to);
	else if (!places_put_kept(&to))
		return cmd_fail(
			"there is no home folder (HOME); --to DIR names a folder");
	good = keep_all(to.data, o->dry_run, note_kept, &r, &err);
	if (!good)
		report_error(&err);
	else if (o->json)
		put_kept(&r, to.data, o->dry_run);
	else
		print_kept(&r, to.data, o->dry_run);
	buf_done(&r.files);
	return good && !r.sessions[KEEP_FAILED] && !r.parts[KEEP_FAILED] ? STATUS_DONE
									 : STATUS_ERROR;
}
