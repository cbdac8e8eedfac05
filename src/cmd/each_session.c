/*
 * Commands over many inputs: sessions of this machine or of folders, or files.
 *
 * Every session whose text may have a hit.  Which file belongs to which session is known
 * once all are loaded: so there are two ways through them, and only those with hits in
 * their bytes are gone through twice.
 */
#include "config.h"
#include "cmd/cmd.h"

#include <sys/stat.h>

#include "base/clock.h"
#include "base/map.h"
#include "base/mem.h"
#include "query/search.h"
#include "sessions/sessions.h"
#include "text/report.h"

#define LOOK  1000  /* microseconds of looking for files between two looks whether it is done */
#define SLICE 10000 /* microseconds of a search between two looks whether it has a hit */

struct sifting {
	const struct options *options;
	const struct query *query;
	struct idmap parts; /* keys of files that another session shows */
	bool *hit;          /* by row */
};

static void note_parts(struct sifting *s, const struct trace *trace, uint64_t own)
{
	const struct inputs *in = trace->inputs;
	uint64_t name, key;
	size_t of;

	for (size_t i = 0; i < inputs_count(in); i++) {
		if (!inputs_part(in, inputs_address(i), &of, &name))
			continue;
		key = session_key(inputs_name_at(in, inputs_address(i)));
		if (key && key != own && idmap_find(&s->parts, key) == MAP_NONE)
			idmap_add(&s->parts, key, 1);
	}
}

static bool has_hit(struct trace *trace, const struct query *q)
{
	struct search *search = search_new(trace, q);
	bool hit = false;

	while (search_run(search, clock_deadline(SLICE), true) == TASK_MORE &&
		!search_totals(search).hits)
		continue;
	hit = search_totals(search).hits || search_totals(search).gave_up;
	search_free(search);
	return hit;
}

/* What is no trace is passed over, as the list of sessions does. */
static bool sift(struct sifting *s, const struct session *x)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	struct inputs *inputs = inputs_new();
	struct trace *trace;
	struct load *load;
	bool hit = false, failed;

	inputs_add(inputs, x->path);
	trace = trace_new(inputs);
	load = load_begin(trace, s->options->from);
	failed = load_all(load, &err) != TASK_DONE || inputs_failed(inputs, &err);
	if (failed)
		report_note(&err);
	if (!failed && !load_unreadable(load, &err) && !load_is_words(load)) {
		note_parts(s, trace, session_key(x->path));
		hit = s->query ? has_hit(trace, s->query) : trace->count > 0;
	}
	load_free(load);
	trace_free(trace);
	return hit;
}

static int run_row(const struct sifting *s, const struct session *x, cmd_each_fn *each,
	void *ctx)
{
	const char *path = x->path;
	struct options one = *s->options;

	if (idmap_find(&s->parts, session_key(path)) != MAP_NONE)
		return STATUS_DONE;
	one.files = (struct operands){.items = &path, .count = 1};
	return cmd_each(&one, each, ctx);
}

int cmd_each_session(const struct options *o, const struct query *q, cmd_each_fn *each,
	void *ctx)
{
	struct sifting s = {.options = o, .query = q};
	int worst = cmd_check_folders(o->files.items, o->files.count);
	struct sessions *all;
	size_t count;

	if (worst != STATUS_DONE)
		return worst;
	all = cmd_open_sessions(o);
	while (!sessions_are_found(all))
		sessions_run(all, clock_deadline(LOOK));
	count = sessions_count(all);
	s.hit = mem_zalloc(count + 1, sizeof(*s.hit));
	for (size_t i = 0; i < count; i++)
		s.hit[i] = sift(&s, sessions_at(all, i));
	for (size_t i = 0; i < count; i++) {
		int status = s.hit[i] ? run_row(&s, sessions_at(all, i), each, ctx)
				      : STATUS_DONE;

		worst = status > worst ? status : worst;
	}
	cmd_report_sessions(all);
	mem_free(s.hit);
	idmap_done(&s.parts);
	sessions_free(all);
	return worst;
}

static bool is_folder(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool cmd_takes_sessions(const struct options *o)
{
	bool folders = true;

	for (size_t i = 0; i < o->files.count; i++)
		folders &= is_folder(o->files.items[i]);
	return o->sessions || folders;
}

int cmd_each_input(const struct options *o, cmd_each_fn *each, void *ctx)
{
	return cmd_takes_sessions(o) ? cmd_each_session(o, NULL, each, ctx)
				     : cmd_each(o, each, ctx);
}
