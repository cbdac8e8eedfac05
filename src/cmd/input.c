/* What commands read: files, loaded to their ends, sessions, texts, and operands that
 * name a step; see cmd.h. */
#include "config.h"
#include "cmd/cmd.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/work.h"
#include "import/open.h"
#include "io/inputs.h"
#include "query/search.h"
#include "sessions/sessions.h"
#include "text/safe.h"

#define NOTES_MOST 10   /* places of a file that are told */
#define LOOK       1000 /* microseconds of looking for files between two looks at it */

/* ---- files ---- */

/* A file of one value is unreadable when that value is, which the loader alone cannot
 * tell. */
static bool only_step_broken(struct trace *trace, struct err *err)
{
	struct step_content *o;
	bool broken;

	if (trace->count != 1 || trace_flags(trace, 0) & (STEP_SSE | STEP_LINES))
		return false;
	o = step_content_new(trace, 0);
	broken = (trace_flags(trace, 0) & STEP_BROKEN) && step_problem(trace, 0, o, err);
	step_content_free(o);
	return broken;
}

void cmd_entitle(struct trace *trace, size_t scope)
{
	struct summing_up *s = summing_up_untitled(trace, scope);

	if (!s)
		return;
	(void)summing_up_run(s, UINT64_MAX);
	(void)summing_up_entitle(s, trace, scope);
}

/* For cmd_close; false with err: it cannot be opened or read. */
static bool load_file(
	struct cmd_file *f, const char *path, const struct options *o, struct err *err)
{
	struct inputs *inputs = inputs_new();

	inputs_add(inputs, path);
	*f = (struct cmd_file){.trace = trace_new(inputs)};
	f->load = load_begin(f->trace, o->from);
	return load_all(f->load, err) == TASK_DONE && !inputs_failed(inputs, err);
}

bool cmd_open(struct cmd_file *f, const char *path, const struct options *o)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	bool ok = load_file(f, path, o, &err);
	struct inputs *inputs = f->trace->inputs;
	const struct load_note *notes;
	size_t count;

	f->unreadable = ok && (load_unreadable(f->load, &err) ||
				      only_step_broken(f->trace, &err));
	for (size_t i = 0, n = inputs_note_count(inputs); i < n; i++) {
		AUTO(err_done) struct err note = {.offset = ERR_NOWHERE};

		inputs_note(inputs, i, &note);
		report_note(&note);
	}
	/* what was wrong with the file as a whole, in some lines at most */
	notes = load_notes(f->load, &count);
	count = ok && !f->unreadable ? count : 0;
	for (size_t i = 0; i < count && i < NOTES_MOST; i++) {
		AUTO(err_done) struct err note = {.offset = ERR_NOWHERE};

		err_at(&note, notes[i].offset, "%s", notes[i].text);
		inputs_locate(inputs, &note);
		report_note(&note);
	}
	if (count > NOTES_MOST)
		cmd_note(inputs_name(inputs), "%zu more places are damaged",
			count - NOTES_MOST);
	if (!ok || f->unreadable)
		report_error(&err);
	if (ok && !f->unreadable && !o->titled_late)
		for (size_t i = 0; i < f->trace->scope_count; i++)
			cmd_entitle(f->trace, i);
	if (ok && load_is_foreign(f->load))
		ok = false;
	if (!ok)
		cmd_close(f);
	return ok;
}

void cmd_close(struct cmd_file *f)
{
	load_free(f->load);
	trace_free(f->trace);
	*f = (struct cmd_file){0};
}

struct filter_run *cmd_filter(const struct options *o, struct trace *trace)
{
	struct filter_run *j = o->filter ? filter_run_new(trace, o->filter) : NULL;
	size_t gave_up;

	if (!j)
		return NULL;
	filter_run_go(j, UINT64_MAX, true);
	gave_up = filter_run_state(j).gave_up;
	if (gave_up)
		cmd_note(inputs_name(trace->inputs),
			"the filter's expression runs too long in %zu place%s: there may "
			"be more steps",
			gave_up, plural(gave_up));
	return j;
}

/* Prints how many of the steps that were opened were mended or unreadable.  True: the
 * file ends inside a step; what was there is shown, and more is missing.  Linear in the
 * steps.
 */
static bool note_problems(const struct trace *trace)
{
	size_t repaired = 0, broken = 0, cut = 0;
	const char *name = inputs_name(trace->inputs);

	for (size_t i = 0; i < trace->count; i++) {
		uint32_t flags = trace_flags(trace, i);

		repaired += !!(flags & STEP_REPAIRED);
		broken += !!(flags & STEP_BROKEN);
		cut += !!(flags & STEP_CUT);
	}
	if (repaired && broken)
		cmd_note(name, "%zu of %zu steps repaired, %zu unreadable", repaired,
			trace->count, broken);
	else if (repaired)
		cmd_note(name, "%zu of %zu steps repaired", repaired, trace->count);
	else if (broken)
		cmd_note(name, "%zu of %zu steps unreadable", broken, trace->count);
	return cut > 0;
}

static int run_one(
	const char *path, const struct options *o, cmd_each_fn *each, void *ctx)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	struct cmd_file f;
	int status;

	if (!cmd_open(&f, path, o))
		return STATUS_ERROR;
	status = f.unreadable && !f.trace->count ? STATUS_ERROR : each(&f, o, ctx);
	if (f.unreadable) {
		status = STATUS_ERROR;
	} else if (inputs_failed(f.trace->inputs, &err)) {
		/* a file that failed or shrank since it was indexed spoils later steps */
		report_error(&err);
		status = STATUS_ERROR;
	} else if (note_problems(f.trace) && status == STATUS_DONE) {
		status = STATUS_FINDINGS;
	}
	cmd_close(&f);
	return status;
}

int cmd_each(const struct options *o, cmd_each_fn *each, void *ctx)
{
	int worst = STATUS_DONE;

	if (o->files.count == 0)
		return run_one("-", o, each, ctx);
	for (size_t i = 0; i < o->files.count; i++) {
		int status = run_one(o->files.items[i], o, each, ctx);

		if (status > worst)
			worst = status;
	}
	return worst;
}

struct str cmd_file_name(const struct trace *trace, uint32_t chain)
{
	const struct chain *c = chain == NO_CHAIN ? NULL : &trace->chains[chain];

	if (!c || inputs_wholes(trace->inputs) < 2)
		return str_of(inputs_name(trace->inputs));
	return str_of(inputs_name_at(trace->inputs, trace->scopes[c->scope].offset));
}

/* ---- sessions of this machine or of folders ---- */

void cmd_report_sessions(const struct sessions *s)
{
	size_t count;
	const struct err *first = sessions_problem(s, &count);

	if (first)
		report_note(first);
	if (count > 1)
		cmd_note(NULL, "%zu more files and folders could not be read", count - 1);
}

int cmd_check_folders(const char *const *paths, size_t count)
{
	int status = STATUS_DONE;

	for (size_t i = 0; i < count; i++) {
		if (access(paths[i], F_OK) == 0 && !folder_is(paths[i]))
			status = cmd_fail("%s: is not a folder; `catena %s` opens it",
				paths[i], paths[i]);
		else if (access(paths[i], R_OK | X_OK) != 0)
			status = cmd_fail(
				"%s: cannot be opened: %s", paths[i], strerror(errno));
	}
	return status;
}

struct sessions *cmd_open_sessions(const struct options *o)
{
	bool state = cmd_has_state(o);
	struct sessions_options wanted = {.folders = o->files.items,
		.count = o->files.count,
		.from = o->from,
		.cached = state && !o->from,
		.remembered = state && !o->files.count};

	return sessions_new(&wanted);
}

/* ---- going through them ----
 *
 * Every session whose text may have a hit.  Which file belongs to which session is known
 * once all are loaded: so there are two ways through them, and only those with hits in
 * their bytes are gone through twice.
 */

static bool has_hit(struct trace *trace, const struct query *q)
{
	struct search *search = search_new(trace, q);
	bool hit;

	search_first(search);
	while (search_run(search, UINT64_MAX, true) == TASK_MORE)
		continue;
	hit = search_totals(search).hits || search_totals(search).gave_up;
	search_free(search);
	return hit;
}

/* Whether a session may have a hit; files that it shows are added to `parts`.  What is no
 * trace is passed over, as the list of sessions does. */
static bool sift(const struct session *x, const struct options *o, const struct query *q,
	struct idmap *parts)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	struct cmd_file f;
	bool loaded = load_file(&f, x->path, o, &err), hit = false;
	struct inputs *inputs = f.trace->inputs;

	if (!loaded)
		report_note(&err);
	if (loaded && !load_unreadable(f.load, &err) && !load_is_words(f.load)) {
		uint64_t own = session_key(x->path);

		for (size_t i = 0; i < inputs_count(inputs); i++) {
			uint64_t name, key;
			size_t of;

			if (!inputs_part(inputs, inputs_address(i), &of, &name))
				continue;
			key = session_key(inputs_name_at(inputs, inputs_address(i)));
			if (key && key != own && idmap_find(parts, key) == MAP_NONE)
				idmap_add(parts, key, 1);
		}
		hit = q ? has_hit(f.trace, q) : f.trace->count > 0;
	}
	cmd_close(&f);
	return hit;
}

int cmd_each_session(
	const struct options *o, const struct query *q, cmd_each_fn *each, void *ctx)
{
	AUTO(idmap_done) struct idmap parts = {0}; /* files that another session shows */
	AUTO_FREE bool *hit = NULL;                /* by row */
	int worst = cmd_check_folders(o->files.items, o->files.count);
	struct sessions *all;
	size_t count;

	if (worst != STATUS_DONE)
		return worst;
	all = cmd_open_sessions(o);
	while (!sessions_are_found(all))
		sessions_run(all, clock_deadline(LOOK));
	count = sessions_count(all);
	hit = mem_zalloc(count + 1, sizeof(*hit));
	for (size_t i = 0; i < count; i++)
		hit[i] = sift(sessions_at(all, i), o, q, &parts);
	for (size_t i = 0; i < count; i++) {
		const char *path = sessions_at(all, i)->path;
		struct options one = *o;
		int status;

		if (!hit[i] || idmap_find(&parts, session_key(path)) != MAP_NONE)
			continue;
		one.files = (struct operands){.items = &path, .count = 1};
		status = cmd_each(&one, each, ctx);
		worst = status > worst ? status : worst;
	}
	cmd_report_sessions(all);
	sessions_free(all);
	return worst;
}

bool cmd_takes_sessions(const struct options *o)
{
	bool folders = true;

	for (size_t i = 0; i < o->files.count; i++)
		folders &= folder_is(o->files.items[i]);
	return o->sessions || folders;
}

int cmd_each_input(const struct options *o, cmd_each_fn *each, void *ctx)
{
	return cmd_takes_sessions(o) ? cmd_each_session(o, NULL, each, ctx)
				     : cmd_each(o, each, ctx);
}

/* ---- texts ---- */

const char *cmd_input_name(const char *path)
{
	return strcmp(path, "-") == 0 ? "standard input" : path;
}

bool cmd_read_file(const char *path, struct buf *text)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	struct source *s = source_open(path, &err);
	bool ok = s != NULL;

	while (ok && !source_complete(s))
		ok = source_wait(s, &err);
	if (ok) {
		size_t count;
		const struct source_note *notes;

		buf_reserve(text, (size_t)source_size(s));
		text->len = source_read(s, 0, text->data, (size_t)source_size(s));
		ok = !source_failed(s, &err);
		notes = source_notes(s, &count);
		for (size_t i = 0; i < count; i++) {
			AUTO(err_done) struct err e = {.offset = ERR_NOWHERE};

			err_at(&e, notes[i].offset, "%s", notes[i].text);
			source_locate(s, &e);
			report_note(&e);
		}
	}
	if (!ok)
		report_error(&err);
	source_free(s);
	return ok;
}

/* ---- operands ---- */

size_t operand_position(const struct operand *o)
{
	const struct trace *trace = o->file->trace;
	size_t chain = o->chain ? o->chain - 1 : 0;

	if (chain >= trace->chain_count) {
		cmd_fail("%s: there is no chain %zu: it has %zu", o->path, chain + 1,
			trace->chain_count);
		return SIZE_MAX;
	}
	if (o->step > trace->chains[chain].count) {
		cmd_fail("%s: there is no step %zu: the chain has %zu", o->path, o->step,
			trace->chains[chain].count);
		return SIZE_MAX;
	}
	return trace->chains[chain].first + o->step - 1;
}
