/*
 * See controllers.h.  What was remembered is asked for at every turn, as anything that
 * comes from outside: what does not fit is passed over.
 */
#include "config.h"
#include "ui/control/controllers.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/work.h"
#include "io/database.h"
#include "sessions/state_file.h"

#define HEAD       4096 /* bytes of a file by which it is known again */
#define FILES_MOST 16
#define FOLDS_MOST 200
#define TEXTS_MOST 50     /* of each prompt, the last ones */
#define TEXT_MOST  1000   /* bytes of each */
#define TIME_LIMIT 500000 /* microseconds that keys wait for the place */

struct session_state {
	bool on;
	uint64_t name;        /* of the file: sessions/state_file.h */
	json_t *files;        /* what they looked like at the beginning */
	json_t *paths;        /* where they are, in full */
	json_t *marks;        /* as they were read */
	json_t *folds;        /* of the list, to be closed when all is read; or NULL */
	json_t *sides;        /* of the step that is gone to; or NULL */
	struct bookmark here; /* to be gone to as soon as the step is there */
	size_t above;         /* rows of the list that are shown above it */
	bool going;
	bool showing; /* the sides of its step, when it is open as it will be */
	bool zoomed;
	enum pane_id side;
};

/* ---- the files ---- */

/* Of so many bytes at the beginning; false: there are fewer. */
static bool hash_head(const char *path, size_t bytes, char hash[17])
{
	char head[HEAD];

	if (file_read_head(path, head, bytes) != bytes)
		return false;
	snprintf(hash, 17, "%016" PRIx64, fnv_add(FNV_BEGIN, (struct str){head, bytes}));
	return true;
}

static json_t *describe(const char *path)
{
	struct stat st;
	char hash[17];
	size_t bytes;

	/* the pages of a database change; what is no file is known by its name alone */
	if (database_is(path) || stat(path, &st) != 0 || !S_ISREG(st.st_mode))
		return json_object();
	bytes = st.st_size < HEAD ? (size_t)st.st_size : HEAD;
	if (!hash_head(path, bytes, hash))
		return json_object();
	return json_pack("{sI sI ss}", "size", (json_int_t)st.st_size, "bytes",
		(json_int_t)bytes, "head", hash);
}

/* Whether a file is the one described, or that one grown. */
static bool is_same(const char *path, const json_t *file)
{
	size_t bytes = (size_t)bookmark_read_number(file, "bytes", HEAD, 0);
	const char *head = json_string_value(json_object_get(file, "head"));
	struct stat st;
	char hash[17];

	if (!head)
		return json_is_object(file) && !json_object_size(file); /* a folder */
	return stat(path, &st) == 0 && S_ISREG(st.st_mode) &&
	       hash_head(path, bytes, hash) && strcmp(hash, head) == 0 &&
	       bookmark_read_number(file, "size", INT64_MAX, INT64_MAX) <=
		       (uint64_t)st.st_size;
}

/* The full path of a file, a folder, or a session in a database; NULL: of none. */
static char *real_path(const char *path)
{
	struct buf file = BUF_INIT, session = BUF_INIT, full = BUF_INIT;
	char *real = strcmp(path, "-") == 0 ? NULL : realpath(path, NULL);
	struct stat st;

	if (real && stat(real, &st) == 0 &&
		(S_ISREG(st.st_mode) || S_ISDIR(st.st_mode))) {
		buf_text(&full, real);
	} else if (!real && database_split(path, &file, &session)) {
		real = realpath(file.data, NULL);
		if (real)
			buf_printf(&full, "%s/%s", real, session.data);
	}
	free(real);
	buf_done(&file);
	buf_done(&session);
	return full.len ? buf_take(&full) : NULL;
}

/* False: one of them is a pipe, or not there. */
static bool name_files(struct app *app)
{
	struct session_state *p = app->state.session;

	p->name = FNV_BEGIN;
	p->paths = json_array();
	for (size_t i = 0; i < app->options.count; i++) {
		const char *path = app->options.paths[i];
		char *real = real_path(path);

		if (!real)
			return false;
		/* with the NUL */
		p->name = fnv_add(p->name, (struct str){real, strlen(real) + 1});
		if (i < FILES_MOST) /* no name is written that is not UTF-8 */
			json_array_append_new(p->paths, json_string(real));
		mem_free(real);
	}
	p->files = json_array();
	for (size_t i = 0; i < app->options.count && i < FILES_MOST; i++)
		json_array_append_new(p->files, describe(app->options.paths[i]));
	return true;
}

/* ---- what was typed ---- */

static json_t *write_texts(const struct choices *h)
{
	json_t *texts = json_array();
	size_t first = h->count > TEXTS_MOST ? h->count - TEXTS_MOST : 0;

	for (size_t i = first; i < h->count; i++)
		if (h->items[i].len <= TEXT_MOST)
			json_array_append_new(texts,
				json_stringn(h->items[i].len ? h->items[i].data : "",
					h->items[i].len));
	return texts;
}

static void read_texts(const json_t *texts, struct choices *h)
{
	for (size_t i = 0; i < json_array_size(texts) && i < TEXTS_MOST; i++) {
		const json_t *text = json_array_get(texts, i);
		size_t n = json_string_length(text);

		if (n && n <= TEXT_MOST)
			prompt_history_add(h, (struct str){json_string_value(text), n});
	}
}

/* ---- marks ---- */

static json_t *write_marks(const struct bookmarks *j)
{
	json_t *marks = json_object();

	for (size_t i = 0; i < MARKS; i++) {
		char letter[2] = {bookmarks_letter(i), '\0'};

		if (j->marks[i].known)
			json_object_set_new(marks, letter, bookmark_write(&j->marks[i]));
	}
	return marks;
}

/* Of files with another content bytes mean nothing. */
static void read_where(const json_t *value, bool same, struct bookmark *w)
{
	bookmark_read(value, w);
	if (same)
		return;
	w->address = UINT64_MAX;
	w->message = SIZE_MAX;
	w->below = (struct place){0, 0};
}

/* ---- folds of the list ---- */

static void write_fold(json_t *folds, const struct app *app, uint32_t step, bool is_chain)
{
	struct bookmark w;

	if (json_array_size(folds) >= FOLDS_MOST || step >= app->trace->arranged)
		return;
	bookmark_of(app, step, &w);
	w.is_chain = is_chain;
	json_array_append_new(folds, bookmark_write(&w));
}

static void keep_folds(struct app *app)
{
	const struct folds *steps = &app->steps.closed,
			   *chains = &app->steps.turned_chains;
	const struct trace *trace = app->trace;
	json_t *folds;

	if (app->state.session->folds)
		return;
	app->state.session->folds = folds = json_array();
	for (size_t i = 0; i < chains->count; i++) {
		uint32_t chain = chains->items[i].index;

		if (chain < trace->chain_count && trace->chains[chain].count)
			write_fold(folds, app,
				trace_at(trace, trace->chains[chain].first), true);
	}
	for (size_t i = 0; i < steps->count; i++)
		write_fold(folds, app, steps->items[i].index, false);
}

/* ---- the sides of a step ---- */

/* Messages that are shown as a whole, or not at all: pairs of number and either. */
static json_t *write_messages(const struct doc *d)
{
	json_t *messages = json_array();

	for (size_t i = 0; i < d->count && json_array_size(messages) < FOLDS_MOST; i++) {
		const struct block *b = &d->blocks[i];

		if (b->head && (b->limit == DOC_ALL || b->limit == 0))
			json_array_append_new(messages,
				json_pack("[Ib]", (json_int_t)b->index, b->limit != 0));
	}
	return messages;
}

static json_t *write_sides(struct app *app)
{
	json_t *sides = json_array();

	for (enum pane_id id = PANE_INPUT; id <= PANE_OUTPUT; id++) {
		struct pane *p = &app->screen.panes[id];
		json_t *o = json_object();
		struct place below;
		size_t message;

		json_array_append_new(sides, o);
		json_object_set_new(o, "view", json_string(argument_view.words[p->mode]));
		if (!app->step.opened || !p->shown.built[p->mode])
			continue;
		bookmark_take_side(app, p, &message, &below);
		if (message != SIZE_MAX)
			json_object_set_new(
				o, "message", json_integer((json_int_t)message));
		bookmark_write_place(o, &below);
		json_object_set_new(o, "above", json_integer(bookmark_rows_above(p)));
		if (p->shown.fit[p->mode] == PANE_FOLDED)
			json_object_set_new(o, "messages", write_messages(pane_doc(p)));
	}
	return sides;
}

static void show_side(struct app *app, const json_t *o, struct pane *p)
{
	const json_t *messages = json_object_get(o, "messages");
	struct doc *d = pane_doc(p);

	if (!json_is_object(o) || !app->step.opened)
		return;
	for (size_t k = 0; k < json_array_size(messages) && k < FOLDS_MOST; k++) {
		const json_t *pair = json_array_get(messages, k),
			     *number = json_array_get(pair, 0);
		size_t i = 0;

		while (i < d->count && !(d->blocks[i].head && json_is_integer(number) &&
					       (json_int_t)d->blocks[i].index ==
						       json_integer_value(number)))
			i++;
		if (i < d->count)
			doc_limit_message(d, i,
				json_is_true(json_array_get(pair, 1)) ? DOC_ALL : 0);
	}
	if (messages)
		p->shown.fit[p->mode] = PANE_FOLDED;
	bookmark_go_side(app, p,
		(size_t)bookmark_read_number(o, "message", UINT32_MAX, SIZE_MAX),
		bookmark_read_place(o));
	bookmark_show_above(p, bookmark_read_number(o, "above", UINT16_MAX, 0));
}

/* ---- going there ---- */

static void show_sides(struct app *app)
{
	json_t *sides;

	if (!app->state.session->showing || app->step.opening || app->step.comparing)
		return;
	app->state.session->showing = false;
	sides = json_incref(app->state.session->sides); /* settling may keep others */
	for (enum pane_id id = PANE_INPUT; id <= PANE_OUTPUT; id++) {
		const json_t *o = json_array_get(sides, id - PANE_INPUT);

		if (json_is_object(o) && app->step.opened)
			step_view_set_mode(
				app, id, bookmark_read_mode(json_object_get(o, "view")));
	}
	step_view_settle(app); /* unfolded, as it was before somebody folded it */
	for (enum pane_id id = PANE_INPUT; id <= PANE_OUTPUT; id++)
		show_side(app, json_array_get(sides, id - PANE_INPUT),
			&app->screen.panes[id]);
	json_decref(sides);
}

static void go(struct app *app)
{
	struct session_state *p = app->state.session;
	struct pane *list = &app->screen.panes[PANE_STEPS];
	enum pane_id focus = p->here.focus;

	p->going = false;
	p->here.focus = PANE_STEPS; /* the sides come by themselves */
	if (!bookmark_go(app, &p->here))
		return;
	list_pane_show_above(list, p->above);
	app->screen.side = p->side;
	screen_give_keys(app, focus);
	app->screen.zoomed = p->zoomed;
	step_view_settle(app);
	p->showing = true;
	show_sides(app);
	app->screen.dirty = true;
}

/* Goes where the person was the day before, and folds what was folded, as soon as that is
 * known. */
static void go_on(struct app *app)
{
	struct session_state *p = app->state.session;
	const struct trace *trace = app->trace;
	struct pane *list = &app->screen.panes[PANE_STEPS];
	struct bookmark w;
	size_t above;
	uint32_t step, fold;

	/* once what stands at that byte, or all, is read, and the filter says whether it
	 * is shown: looking for it costs */
	if (p->going && !list_filter_is_running(app) &&
		(input_is_settled(app) ||
			(trace->arranged &&
				trace_step(trace, trace->arranged - 1).offset >=
					p->here.address)))
		go(app);
	if (!p->folds || !input_is_settled(app))
		return;
	/* the cursor stays on its step, or on what it is folded into */
	above = list_pane_above(list);
	step = step_at_cursor(app);
	for (size_t i = 0; i < json_array_size(p->folds) && i < FOLDS_MOST; i++) {
		bookmark_read(json_array_get(p->folds, i), &w);
		fold = bookmark_step(app, &w);
		if (fold != NO_STEP) /* a chain is the other way round than all are */
			steps_fold(&app->steps, fold, w.is_chain);
		steps_update(&app->steps);
	}
	json_decref(p->folds);
	p->folds = NULL;
	if (step != NO_STEP && step_at_cursor(app) != step)
		list->cursor = steps_find(&app->steps, step);
	list_pane_show_above(list, above);
	app->screen.dirty = true;
}

/* ---- while the trace is read again, or the step laid out again ---- */

/* The sides of the step will be made again: what show_sides shows once it is open is as
 * they are now. */
static void keep_place(struct app *app)
{
	struct kept_place *kept = &app->input.kept;
	struct session_state *p = app->state.session;

	if (kept->wanted) /* it has not been reached yet */
		return;
	kept->step = step_at_cursor(app);
	kept->chain = app->steps.count && step_row_at_cursor(app).is_chain;
	kept->wanted = kept->step != NO_STEP;
	kept->since = clock_us();
	if (p->going || p->showing) /* those are still to come */
		return;
	json_decref(p->sides);
	p->sides = write_sides(app);
}

/* Once the step is there; what is gone by then leaves the cursor at the end. */
static void restore_place(struct app *app)
{
	struct kept_place *kept = &app->input.kept;
	const struct trace *trace = app->trace;

	if (!kept->wanted || (!input_is_settled(app) && kept->step >= trace->arranged))
		return;
	if (list_filter_is_at_work(app))
		return; /* what a side unfolds depends on the rows of the list */
	kept->wanted = false;
	app->screen.dirty = true;
	if (kept->step >= trace->arranged) {
		app->screen.panes[PANE_STEPS].cursor =
			app->steps.count ? app->steps.count - 1 : 0;
		return;
	}
	app->screen.panes[PANE_STEPS].cursor =
		kept->chain ? steps_chain_row(
				      &app->steps, trace_step(trace, kept->step).chain)
			    : steps_reveal(&app->steps, kept->step);
	step_view_settle(app);
	app->state.session->showing |= !app->state.session->going;
	show_sides(app);
}

static void lay_out_again(struct app *app)
{
	if (!app->trace)
		return;
	keep_place(app);
	step_view_close(app);
	step_cache_clear(&app->step.cache);
	restore_place(app);
}

bool session_state_is_near(const struct app *app)
{
	const struct kept_place *kept = &app->input.kept;

	return kept->wanted &&
	       (app->input.status == TASK_MORE || input_is_settled(app)) &&
	       clock_us() - kept->since < TIME_LIMIT;
}

void session_state_stay(struct app *app)
{
	app->state.session->going = app->state.session->showing = false;
	if (input_is_settled(app))
		app->input.kept.wanted = false;
}

static void more_read(struct app *app)
{
	const struct trace *trace = app->trace;

	/* the step that is open has grown: it is opened again */
	if (app->step.opened && app->step.index < trace->count &&
		trace_step(trace, app->step.index).length != app->step.length) {
		keep_place(app);
		step_view_close(app);
		restore_place(app);
	}
	restore_place(app);
	go_on(app);
}

/* The filter may have said by now whether the step is shown. */
static enum task_state run(struct app *app, uint64_t deadline)
{
	restore_place(app);
	go_on(app);
	return TASK_IDLE;
}

/* ---- from beginning to end ---- */

static void read_all(struct app *app, const json_t *o)
{
	struct session_state *p = app->state.session;
	const json_t *files = json_object_get(o, "files");
	bool same = true;
	const json_t *output = json_object_get(o, "on_output");

	for (size_t i = 0; i < app->options.count && i < FILES_MOST; i++)
		same &= is_same(app->options.paths[i], json_array_get(files, i));
	read_texts(
		json_object_get(o, "searched"), &app->prompt.histories[HISTORY_SEARCHES]);
	read_texts(json_object_get(o, "typed"), &app->prompt.histories[HISTORY_COMMANDS]);
	for (size_t i = 0; i < MARKS; i++) {
		char letter[2] = {bookmarks_letter(i), '\0'};

		read_where(json_object_get(json_object_get(o, "marks"), letter), same,
			&app->state.bookmarks->marks[i]);
	}
	p->marks = write_marks(app->state.bookmarks);
	read_where(json_object_get(o, "here"), same, &p->here);
	p->going = p->here.known;
	p->above = (size_t)bookmark_read_number(o, "above", UINT16_MAX, 0);
	p->zoomed = json_is_true(json_object_get(o, "zoomed"));
	p->side = json_is_true(output) ? PANE_OUTPUT : PANE_INPUT;
	if (same && json_is_array(json_object_get(o, "folds")))
		p->folds = json_incref(json_object_get(o, "folds"));
	if (p->folds && json_is_boolean(json_object_get(o, "chains_closed"))) {
		steps_fold_chains(
			&app->steps, json_is_true(json_object_get(o, "chains_closed")));
		charts_keep_chains(app);
	}
	if (same)
		p->sides = json_incref(json_object_get(o, "sides"));
}

void session_state_begin(struct app *app)
{
	struct session_state *p = app->state.session;
	json_t *remembered;

	p->on = app->settings.places && !app->options.no_state && !app->options.script &&
		name_files(app);
	if (!p->on)
		return;
	remembered = state_read(p->name);
	if (remembered)
		read_all(app, remembered);
	json_decref(remembered);
	go_on(app);
}

/* ---- another viewer of the file ---- */

/* What it typed comes before what was typed here. */
static void merge_texts(json_t *all, const json_t *before, const char *key)
{
	struct choices h = {0};

	read_texts(json_object_get(before, key), &h);
	read_texts(json_object_get(all, key), &h);
	json_object_set_new(all, key, write_texts(&h));
	choices_done(&h);
}

/* A mark that was not changed here is as it is there. */
static void merge_marks(json_t *marks, const json_t *before, const json_t *begun)
{
	for (size_t i = 0; i < MARKS; i++) {
		char letter[2] = {bookmarks_letter(i), '\0'};
		json_t *mine = json_object_get(marks, letter),
		       *was = json_object_get(begun, letter),
		       *theirs = json_object_get(before, letter);

		if (mine != was && !json_equal(mine, was)) /* either may be NULL */
			continue;
		if (theirs)
			json_object_set(marks, letter, theirs);
		else
			json_object_del(marks, letter);
	}
}

/* All that is remembered, with what another viewer of the file has saved meanwhile. */
static json_t *merged(void *context, const json_t *before)
{
	struct app *app = context;
	struct session_state *p = app->state.session;
	struct bookmark here = p->here;
	json_t *all;

	if (!p->going) /* else it has not been come to */
		bookmark_take(app, &here);
	keep_folds(app);
	all = json_pack("{sO so sI sb sb so sO sb so so so}", "files", p->files, "here",
		bookmark_write(&here), "above",
		(json_int_t)list_pane_above(&app->screen.panes[PANE_STEPS]), "zoomed",
		app->screen.zoomed, "on_output", app->screen.side == PANE_OUTPUT, "sides",
		write_sides(app), "folds", p->folds, "chains_closed",
		app->steps.chains_closed, "marks", write_marks(app->state.bookmarks),
		"searched", write_texts(&app->prompt.histories[HISTORY_SEARCHES]),
		"typed", write_texts(&app->prompt.histories[HISTORY_COMMANDS]));
	if (json_array_size(p->paths) == app->options.count)
		json_object_set(all, "paths", p->paths);
	if (before) {
		merge_marks(json_object_get(all, "marks"),
			json_object_get(before, "marks"), p->marks);
		merge_texts(all, before, "searched");
		merge_texts(all, before, "typed");
	}
	return all;
}

bool session_state_write(struct app *app, struct err *err)
{
	struct session_state *p = app->state.session;

	return !p->on || !app->settings.places || !app->steps.count ||
	       state_change(p->name, merged, app, err);
}

static void end(struct app *app)
{
	struct session_state *p = app->state.session;

	json_decref(p->files);
	json_decref(p->paths);
	json_decref(p->marks);
	json_decref(p->folds);
	json_decref(p->sides);
}

static void keep(struct app *app)
{
	keep_folds(app);
	keep_place(app);
}

const struct controller_ops session_controller = {
	.state = sizeof(struct session_state),
	.end = end,
	.run = run,
	.level = LEVEL_WORK,
	.on[EVENT_READ] = more_read,
	.on[EVENT_SHOWN] = show_sides,
	.on[EVENT_KEEP] = keep,
	.on[EVENT_CHARACTERS] = lay_out_again,
};
