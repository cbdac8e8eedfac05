/* Commands that belong to no other subject: panes, views, the program itself. */
#include "config.h"

#include <inttypes.h>

#include "base/err.h"
#include "base/work.h"
#include "import/action.h"
#include "term/term.h"
#include "trace/labels.h"
#include "ui/control/controllers.h"
#include "view/facts.h"
#include "view/tree.h"

/* ---- panes ---- */

/* Of those that lie side by side, [first, end); to the left and to the right not round
 * the ends. */
unsigned run_other_pane(struct app *app, const struct invocation *call)
{
	int first = screen_has_list(app) ? PANE_STEPS : PANE_INPUT,
	    end = step_view_shows_once(app) ? PANE_OUTPUT : PANE_OUTPUT + 1;
	bool back =
		call->command == COMMAND_PREVIOUS_PANE || call->command == COMMAND_LEFT;
	int to = (int)screen_focus_below(app) + (back ? -1 : 1);

	if (call->command == COMMAND_NEXT_PANE || call->command == COMMAND_PREVIOUS_PANE)
		to = to < first ? end - 1 : to >= end ? first : to;
	if (to >= first && to < end)
		screen_give_keys(app, (enum pane_id)to);
	return REACT_DRAW;
}

unsigned run_zoom(struct app *app, const struct invocation *call)
{
	app->screen.zoomed = !app->screen.zoomed;
	return REACT_DRAW;
}

/* Shows the pane whose command it is, or takes it away.  What stands beside a side shows
 * more of it than the chat does. */
unsigned run_pane(struct app *app, const struct invocation *call)
{
	struct screen *s = &app->screen;
	enum pane_id id = 0;

	while (id < PANE_COUNT && s->panes[id].ops->toggle != call->command)
		id++;
	if (id == PANE_COUNT)
		return REACT_NOTHING;
	if (pane_rows[id].area != AREA_BESIDE)
		return s->overlay != id && s->panes[id].ops->open &&
				       !s->panes[id].ops->open(app)
			       ? REACT_NOTHING
			       : screen_toggle(app, id);
	if (!app->step.opened)
		return app_say(app, "no step is open");
	if (s->beside != id &&
		(s->zoomed ? screen_focus_below(app) != s->side
			   : layout_is_small(s->layout.rows, s->layout.columns)))
		return app_say(app, "no room here: zoom the input or output first");
	s->beside = s->beside == id ? PANE_NONE : id;
	if (s->beside != PANE_NONE)
		step_view_set_mode(app, s->side, MODE_CHAT);
	return REACT_DRAW;
}

/* The next choice that the layout has, or the one of that name. */
unsigned run_layout(struct app *app, const struct invocation *call)
{
	const struct setting *row = setting_find(STR("layout"));
	struct str name = call->argument;
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};

	if (!name.n)
		name = str_of(row->choices[app->settings.layout + 1]
				      ? row->choices[app->settings.layout + 1]
				      : row->choices[0]);
	if (setting_set(&app->settings, row, name, &err)) {
		notify(app, EVENT_SETTINGS);
		buf_printf(&app->said, "layout: %s", row->choices[app->settings.layout]);
	} else {
		buf_text(&app->said, err.text);
	}
	return REACT_DRAW;
}

/* Back one level; false: there is none. */
static bool leave(struct app *app)
{
	struct screen *s = &app->screen;

	if (s->overlay != PANE_NONE)
		screen_uncover(app);
	else if (s->zoomed)
		s->zoomed = false;
	else if (screen_focus_below(app) != PANE_STEPS && screen_has_list(app))
		screen_give_keys(app, PANE_STEPS);
	else
		return false;
	return true;
}

unsigned run_cancel(struct app *app, const struct invocation *call)
{
	if (jump_cancel(app) || origin_cancel(app))
		return REACT_DRAW;
	if (app->screen.overlay != PANE_NONE)
		leave(app);
	else if (!job_cancel(app) && !find_cancel(app) && !leave(app) &&
		 !input_stop(app) && !list_filter_leave(app) && app->options.from_list)
		return REACT_QUIT; /* back to the list of sessions */
	return REACT_DRAW;
}

/* To the report that led here, if one did. */
unsigned run_leave_level(struct app *app, const struct invocation *call)
{
	struct screen *s = &app->screen;

	if (s->overlay == PANE_NONE && s->left != PANE_NONE) {
		s->overlay = s->left;
		s->left = PANE_NONE;
		return REACT_DRAW;
	}
	return leave(app) ? REACT_DRAW : run_back(app, call);
}

/* To the side of the step; the other one, where it has nothing to show. */
unsigned run_enter_here(struct app *app, const struct invocation *call)
{
	enum pane_id id = app->screen.side;

	if (screen_focus_below(app) != PANE_STEPS)
		return app_say(app, "nothing to open here");
	if (pane_is_blank(&app->screen.panes[id]))
		id = id == PANE_INPUT && !step_view_is_shared(app) ? PANE_OUTPUT
								   : PANE_INPUT;
	screen_give_keys(app, id);
	return REACT_DRAW;
}

/* ---- views ---- */

/* The view of that name, or the next, of the side that has the keys; of both on the list,
 * or where they are one.  Chat, tree, raw; without the tree where it is what the first
 * view shows. */
unsigned run_view(struct app *app, const struct invocation *call)
{
	const struct step_content *o = app->step.opened;
	enum pane_id focus = screen_focus_below(app);
	bool both = focus == PANE_STEPS || step_view_shows_once(app);
	bool input = both || focus == PANE_INPUT, output = both || focus == PANE_OUTPUT;
	bool once = o && o->bare && o->input.view == SIDE_JSON;
	bool tree = o && (!input || o->input.view == SIDE_JSON) &&
		    (!output || once || o->output.view == SIDE_JSON);
	struct pane *p = &app->screen.panes[input ? PANE_INPUT : PANE_OUTPUT];
	enum side_mode mode = (p->mode + 1) % MODE_COUNT;
	int named = 0;

	if (tree && mode == MODE_TREE)
		mode = MODE_RAW;
	if (call->argument.n) {
		while (named < MODE_COUNT &&
			!str_equal(str_of(argument_view.words[named]), call->argument))
			named++;
		if (named == MODE_COUNT)
			return app_say(app, "views are chat, tree and raw");
		mode = (enum side_mode)named;
	}
	if (input)
		step_view_set_mode(app, PANE_INPUT, mode);
	if (output)
		step_view_set_mode(app, PANE_OUTPUT, mode);
	return REACT_DRAW;
}

/* ---- steps ---- */

/* Steps are numbered in their chain, as the list shows them. */
static unsigned go_to_number(struct app *app, size_t number)
{
	uint32_t chain = step_row_at_cursor(app).chain,
		 step = trace_numbered(app->trace, chain, number);

	if (step != NO_STEP)
		step_view_go(app, step, false, SIZE_MAX);
	else
		buf_printf(&app->said, "this chain has steps 1 to %zu",
			app->trace->chains[chain].count);
	return REACT_DRAW;
}

unsigned run_step(struct app *app, const struct invocation *call)
{
	size_t number = call->count;

	for (size_t i = 0; i < call->argument.n; i++) {
		char c = call->argument.p[i];

		if (c < '0' || c > '9' || number > SIZE_MAX / 16)
			return app_say(app, "a step is named by its number");
		number = number * 10 + (size_t)(c - '0');
	}
	return app->steps.count ? go_to_number(app, number) : REACT_NOTHING;
}

/* The first or last row are the panes'; a number is a step's. */
unsigned run_edge(struct app *app, const struct invocation *call)
{
	return call->count && app->screen.overlay == PANE_NONE && app->steps.count
		       ? go_to_number(app, call->count)
		       : REACT_NOTHING;
}

/* ---- where the cursor is: `=` ---- */

/* "ai_generation, 2.1 KB at byte 4711 of b.jsonl; .messages[0]; 1.2 KB" */
unsigned run_information(struct app *app, const struct invocation *call)
{
	const struct trace *trace = app->trace;
	uint32_t index = step_at_cursor(app);
	enum pane_id focus = screen_focus(app);
	struct doc *d = pane_doc(screen_focused(app));
	size_t at = d->places[0].block;
	struct buf *out = &app->said;
	AUTO_BUF path = BUF_INIT;
	struct str event;
	struct step s;

	if (index == NO_STEP)
		return app_say(app, "no step here");
	s = trace_step(trace, index);
	event = trace_text(trace, s.event);
	buf_str(out, event);
	buf_text(out, event.n ? ", " : "");
	facts_bytes(out, s.length);
	buf_printf(out, " at byte %" PRIu64, inputs_offset(s.offset));
	if (inputs_wholes(trace->inputs) > 1)
		buf_printf(out, " of %s", inputs_name_at(trace->inputs, s.offset));
	if ((focus != PANE_INPUT && focus != PANE_OUTPUT) || at >= d->count)
		return REACT_DRAW;
	tree_path(d, at, &path);
	if (path.len)
		buf_printf(out, "; %.*s", (int)path.len, path.data);
	if (d->blocks[at].value.n) {
		buf_text(out, "; ");
		facts_bytes(out, d->blocks[at].value.n);
	}
	return REACT_DRAW;
}

/* ---- the program ---- */

unsigned run_redraw(struct app *app, const struct invocation *call)
{
	term_repaint();
	return REACT_DRAW;
}

unsigned run_suspend(struct app *app, const struct invocation *call)
{
	if (!term_is_present())
		return app_say(app, "there is no terminal to go back to");
	term_suspend();
	return REACT_DRAW;
}

unsigned run_quit(struct app *app, const struct invocation *call)
{
	return leave(app) ? REACT_DRAW : REACT_QUIT;
}

unsigned run_exit(struct app *app, const struct invocation *call)
{
	app->screen.ending = true;
	return REACT_QUIT;
}

#define EVERYTHING   1000000 /* levels */
#define OPEN_AT_ONCE 30000   /* microseconds spent on opening what is there already */
#define WHOLE        3       /* the level that shows messages whole */

/* ---- messages ---- */

/* What was gone to is shown from its beginning: it is there to be read. */
unsigned run_message(struct app *app, const struct invocation *call)
{
	struct pane *p = screen_moving_pane(app);
	bool back = call->command == COMMAND_PREVIOUS_MESSAGE;

	doc_pane_fit(p);
	if (doc_next_part(
		    pane_doc(p), pane_cursor(p), back, call->count ? call->count : 1))
		*pane_top(p) = *pane_cursor(p);
	else
		buf_text(&app->said, back ? "nothing before this" : "nothing after this");
	return REACT_DRAW;
}

/* ---- steps ---- */

unsigned run_other_step(struct app *app, const struct invocation *call)
{
	bool back = call->command == COMMAND_PREVIOUS_STEP;
	size_t *row = &app->screen.panes[PANE_STEPS].cursor, before = *row;
	unsigned times = call->count ? call->count : 1;

	/* rows that are steps' */
	for (size_t i = *row; times && (back ? i-- > 0 : ++i < app->steps.count);)
		if (!steps_at(&app->steps, i).is_chain) {
			*row = i;
			times--;
		}
	if (*row == before)
		buf_text(&app->said,
			back ? "this is the first step" : "this is the last step");
	return REACT_DRAW;
}

/* ---- scrolling ---- */

unsigned run_scroll(struct app *app, const struct invocation *call)
{
	bool up = call->command == COMMAND_SCROLL_UP;
	unsigned times = call->count ? call->count : 1;
	struct pane *p = screen_focused(app);

	if (p == &app->screen.panes[PANE_STEPS])
		list_pane_scroll(app, p, times, up);
	else
		doc_pane_scroll(p, times, up);
	return REACT_DRAW;
}

/* ---- sideways ---- */

unsigned run_sideways(struct app *app, const struct invocation *call)
{
	struct pane *p = screen_moving_pane(app);
	bool right = call->command == COMMAND_SCROLL_RIGHT;

	if (!p->unwrapped)
		buf_text(&app->said, "lines are wrapped: nothing stands beyond the edge");
	else if (!doc_pane_shift(p, right, call->count ? call->count : 1))
		buf_text(&app->said, right ? "nothing stands beyond the edge"
					   : "this is the first column");
	return REACT_DRAW;
}

unsigned run_wrap(struct app *app, const struct invocation *call)
{
	app->settings.wrap = !app->settings.wrap;
	notify(app, EVENT_SETTINGS);
	return app_say(app, app->settings.wrap ? "long lines are wrapped"
					       : "long lines are cut at the edge");
}

/* ---- folding all ---- */

/* A tree is made again: its nodes open, as far as they shall, when they are looked at. */
static void fold_tree(struct app *app, struct pane *p, uint32_t levels)
{
	struct doc *d = pane_doc(p);
	size_t at = pane_cursor(p)->block;
	struct jv node = JV_NONE;

	/* the node under the cursor, or what holds it, that the level leaves to be seen
	 */
	while (tree_is_node(d, at) && d->blocks[at].level > levels + 1)
		at = doc_parent(d, at);
	if (tree_is_node(d, at))
		node = d->blocks[at].value;
	d->levels = levels;
	step_view_rebuild_side(app, p->input ? PANE_INPUT : PANE_OUTPUT);
	at = node.kind == J_NONE ? SIZE_MAX : tree_find(d, node);
	if (at != SIZE_MAX)
		*pane_cursor(p) = *pane_top(p) = (struct place){at, 0};
}

/* What is there opens at once, from the cursor on; what is yet to be laid out opens then.
 */
static void fold_messages(struct app *app, struct pane *p, uint32_t level)
{
	struct doc *d = pane_doc(p);
	size_t head = doc_head(d, pane_cursor(p)->block);
	uint64_t deadline = clock_deadline(OPEN_AT_ONCE);

	doc_limit(d, level == 1 ? 0 : level == 2 ? DOC_FOLD : DOC_ALL);
	d->levels = level > WHOLE ? level - WHOLE : 0;
	for (size_t i = head == SIZE_MAX ? 0 : head; d->levels && i < d->count; i++) {
		if (d->blocks[i].level && d->blocks[i].level <= d->levels)
			doc_open(d, i);
		if (clock_passed(deadline)) {
			buf_text(&app->said,
				"much of it was folded: what is further down stays so");
			break;
		}
	}
	if (head != SIZE_MAX && !doc_rows(d, pane_cursor(p)->block))
		*pane_cursor(p) = (struct place){head, doc_rows(d, head) - 1};
}

unsigned run_fold_to(struct app *app, const struct invocation *call)
{
	struct pane *p = screen_moving_pane(app);
	struct doc *d = pane_doc(p);
	struct str word = call->argument;
	uint32_t level = str_equal(word, STR("closed")) ? 1
			 : str_equal(word, STR("open")) ? EVERYTHING
			 : word.n == 1 && str_is_digit(*word.p)
				 ? (uint32_t)(*word.p - '0')
				 : 0;

	doc_pane_fit(p);
	p->shown.fit[p->mode] = PANE_FOLDED;
	if (!level)
		buf_text(&app->said, "levels are closed, open, and 1 to 9");
	else if (!call_applies(app, call))
		buf_text(&app->said, "nothing to fold here");
	else if (doc_head(d, d->count - 1) != SIZE_MAX)
		fold_messages(app, p, level);
	else
		fold_tree(app, p, level);
	return REACT_DRAW;
}

/* ---- completing a setting ---- */

/* Names, then values; of a list, and where any value may stand, the one it has: to be
 * changed. */
void set_complete(struct app *app, struct str typed, struct choices *out)
{
	struct str name = str_before(typed, " =");
	const struct setting *row = setting_find(name);
	const char *value;
	struct buf *item;
	size_t i = 0;

	if (row && name.n < typed.n) {
		for (; row->type != SETTING_LIST &&
			(value = config_value(app->options.config, row, i));
			i++)
			buf_printf(choices_add(out, STR("")), "%s %s", row->name, value);
		if (i)
			return;
		item = choices_add(out, str_of(row->name));
		buf_byte(item, ' ');
		setting_put(&app->settings, row, item);
		return;
	}
	for (row = setting_rows; row->name; row++)
		buf_byte(choices_add(out, str_of(row->name)), ' ');
	choices_add(out, STR("all"));
}

/* ---- changing it ---- */

static void put(struct app *app, const struct setting *row, struct str value)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};

	if (config_set(app->options.config, &app->settings, row, value, &err))
		notify(app, EVENT_SETTINGS);
	else
		buf_printf(&app->said, "%s: %s", row->name, err.text);
}

/* A flag of the name without its first or last characters; NULL: there is none. */
static const struct setting *flag_of(struct str name)
{
	const struct setting *row = setting_find(name);

	return row && row->type == SETTING_FLAG ? row : NULL;
}

static bool put_flag(struct app *app, struct str name)
{
	const struct setting *off = NULL, *turn = NULL;
	AUTO_BUF now = BUF_INIT;

	if (str_starts(name, STR("no")))
		off = flag_of((struct str){name.p + 2, name.n - 2});
	if (name.n && name.p[name.n - 1] == '!')
		turn = flag_of((struct str){name.p, name.n - 1});
	if (turn) {
		setting_put(&app->settings, turn, &now);
		put(app, turn,
			str_equal(buf_view(&now), STR("on")) ? STR("off") : STR("on"));
	} else if (off) {
		put(app, off, STR("off"));
	}
	return off || turn;
}

unsigned run_set(struct app *app, const struct invocation *call)
{
	struct str name = str_before(call->argument, " ="), value;
	const struct setting *row = setting_find(name);
	struct suggest near;

	value = str_skip(call->argument, name.n);
	if (value.n)
		value = str_trim(str_skip(value, 1));
	if (!name.n || str_equal(name, STR("all")))
		return help_show_options(app);
	if (row && value.n) {
		put(app, row, value);
	} else if (row) {
		buf_printf(&app->said, "%s: ", row->name);
		setting_put(&app->settings, row, &app->said);
		buf_printf(&app->said, "  (%s)", row->about);
	} else if (!put_flag(app, name)) {
		suggest_begin(&near, name);
		for (row = setting_rows; row->name; row++)
			suggest_try(&near, str_of(row->name));
		buf_printf(
			&app->said, "there is no option \"%.*s\"", (int)name.n, name.p);
		suggest_put(&near, &app->said);
	}
	return REACT_DRAW;
}

/* ---- labels ---- */

static uint32_t step_here(const struct app *app)
{
	return app->screen.overlay == PANE_TRANSCRIPT ? transcript_step(app)
						      : step_at_cursor(app);
}

/* "pass it found the bug": the first word is the label; "none" takes it away. */
static bool put_label(struct app *app, struct str words)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	uint32_t step = step_here(app);
	struct str whole = str_trim(words), text = str_before(whole, " "), note;
	AUTO_BUF name = BUF_INIT;
	struct step s;

	if (step == NO_STEP || !whole.n)
		return true;
	note = str_trim(str_skip(whole, text.n));
	if (str_equal(text, STR("none")))
		text.n = 0;
	s = trace_step(app->trace, step);
	step_call(app->trace, step, NULL, &name);
	if (!labels_put(app->trace, &s, text, note, buf_view(&name), &err)) {
		err_format(&err, &app->said);
		return true;
	}
	if (text.n) {
		buf_text(&app->said, "labelled ");
		buf_str(&app->said, text);
	} else {
		buf_text(&app->said, "the label is taken away");
	}
	app->steps.known |= 1u << COLUMN_LABEL;
	app->screen.dirty = true;
	return true;
}

unsigned run_label(struct app *app, const struct invocation *call)
{
	static const struct prompt_kind kind = {.done = put_label};
	const struct label *before;
	AUTO_BUF text = BUF_INIT;
	struct step s;

	if (step_here(app) == NO_STEP)
		return REACT_NOTHING;
	if (call->argument.n) {
		put_label(app, call->argument);
		return REACT_DRAW;
	}
	s = trace_step(app->trace, step_here(app));
	before = labels_of(app->trace, &s);
	if (before) {
		buf_str(&text, before->text);
		if (before->note.n)
			buf_byte(&text, ' ');
		buf_str(&text, before->note);
	}
	prompt_ask(
		app, &kind, "label, and a note (none: takes it away): ", buf_view(&text));
	return REACT_DRAW;
}
