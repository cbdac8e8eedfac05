/*
 * Jumps for which steps are opened.  A step whose bytes do not hold the name or id that
 * is looked for is not: where that can be told, since a text may also stand escaped.
 */
#include "config.h"
#include "ui/control/jump_open.h"

#include "ui/core/doc_pane.h"
#include "ui/core/screen.h"
#include "ui/core/step_view.h"

#define SEARCH_MOST (4u << 20) /* bytes of a step that is searched at once */

/* ---- opening ---- */

/* A text of these characters stands as it is in JSON, however deep, unless it is spelled
 * with \u where nothing asks for that. */
static bool stands_plain(struct str text)
{
	for (size_t i = 0; i < text.n; i++)
		if (text.p[i] <= ' ' || text.p[i] > '~' || strchr("\"\\/<>&'", text.p[i]))
			return false;
	return text.n > 0;
}

static bool may_hold(struct app *app, const struct jump *j, uint32_t step)
{
	struct str name = buf_view(&j->name), text;
	struct arena arena = {0};
	bool holds = true;

	if (!stands_plain(name) ||
		trace_flags(app->trace, step) & (STEP_SSE | STEP_LINES))
		return true; /* events say it in parts */
	text = step_text(app->trace, step, &arena);
	holds = memmem(text.p, text.n, name.p, name.n) ||
		memmem(text.p, text.n, "\\u00", 4);
	arena_done(&arena);
	return holds;
}

static enum jump_answer judge_opened(struct app *app, struct jump *j, size_t place,
	bool (*holds)(struct jump *j, const struct opened *o))
{
	uint32_t step = trace_at(app->trace, place);
	struct opened *o;
	bool yes;

	if (trace_step(app->trace, step).length <= SEARCH_MOST && !may_hold(app, j, step))
		return JUMP_NO;
	o = opened_try(app->trace, step, false);
	if (!o)
		return JUMP_MORE;
	yes = holds(j, o);
	opened_free(o);
	return yes ? JUMP_YES : JUMP_NO;
}

/* ---- parts ---- */

static bool is_text(struct jv v, const struct buf *text)
{
	struct buf own = BUF_INIT;
	bool same;

	jv_text(v, &own);
	same = own.len && str_equal(buf_view(&own), buf_view(text));
	buf_done(&own);
	return same;
}

/* A call of that name, or the call or result with that id. */
static bool fits(const struct jump *j, const struct part *p, bool by_name)
{
	if (p->kind != (j->call ? PART_CALL : PART_RESULT))
		return false;
	return is_text(by_name ? p->name : p->link, &j->name);
}

static bool side_holds(struct jump *j, const struct side *s, bool by_name)
{
	bool found = false;

	for (size_t i = 0; s->view == SIDE_CHAT && i < s->chat.count && !found; i++) {
		struct arena arena = {0};
		struct parts parts = {0};

		parts_read(&parts, s->chat.items[i], &arena);
		for (size_t k = 0; k < parts.count && !found; k++)
			found = fits(j, PART_AT(&parts, k), by_name);
		parts_done(&parts);
		arena_done(&arena);
	}
	return found;
}

/* The end of that kind in the step that is shown, or NO_PAIR. */
static size_t find_end(struct app *app, struct jump *j, bool by_name)
{
	const struct pairs *pairs = reading_pairs(app->step.reading);

	for (size_t i = 0; i < pairs->count; i++)
		if ((!by_name || !pairs->ends[i].input || app->step.opened->shared) &&
			fits(j, pairs->ends[i].what, by_name))
			return i;
	return NO_PAIR;
}

void jump_go_end(struct app *app, size_t end)
{
	const struct pair_end *e = &reading_pairs(app->step.reading)->ends[end];
	bool input = e->input, keys = screen_focus_below(app) != PANE_STEPS;
	enum pane_id id = input ? PANE_INPUT : PANE_OUTPUT;

	step_view_go(app, app->step.index, input, e->message);
	if (app->step.index == NO_STEP || !app->step.opened)
		return;
	doc_pane_fit(&app->screen.panes[id]);
	conversation_go_end(input ? &app->step.opened->input : &app->step.opened->output,
		pane_doc(&app->screen.panes[id]), end);
	if (!keys)
		screen_give_keys(app, PANE_STEPS);
}

/* ---- steps that call a tool ---- */

static size_t end_under_cursor(struct app *app)
{
	if (screen_focus_below(app) == PANE_STEPS || !app->step.opened)
		return NO_PAIR;
	return conversation_end(pane_doc(&app->screen.panes[screen_focus_below(app)]),
		pane_doc(&app->screen.panes[screen_focus_below(app)])->places[0].block);
}

/* The last call that this step makes. */
static size_t last_call(const struct app *app, const struct pairs *pairs)
{
	for (size_t i = pairs->count; i-- > 0;)
		if (pairs->ends[i].call &&
			(!pairs->ends[i].input || app->step.opened->shared))
			return i;
	return NO_PAIR;
}

bool jump_begin_call(struct app *app, struct jump *j)
{
	const struct pairs *pairs =
		app->step.opened ? reading_pairs(app->step.reading) : NULL;
	size_t end = pairs ? end_under_cursor(app) : NO_PAIR;

	if (end != NO_PAIR && !pairs->ends[end].call)
		end = pairs->ends[end].other;
	if (pairs && end == NO_PAIR)
		end = last_call(app, pairs);
	buf_clear(&j->name);
	if (end != NO_PAIR)
		jv_text(pairs->ends[end].what->name, &j->name);
	j->call = true;
	if (!j->name.len)
		buf_text(&app->said, "no tool is called here");
	return j->name.len > 0;
}

static bool calls_tool(struct jump *j, const struct opened *o)
{
	return side_holds(j, o->shared ? &o->input : &o->output, true);
}

enum jump_answer jump_judge_call(
	struct app *app, struct jump *j, size_t place, uint64_t deadline)
{
	return judge_opened(app, j, place, calls_tool);
}

/* ---- messages of a speaker ---- */

static bool speaks(const struct jump *j, const struct side *s, size_t message)
{
	struct arena arena = {0};
	bool given, same;

	same = str_equal(message_role(s->chat.items[message], s->prefer, &given, &arena),
		buf_view(&j->name));
	arena_done(&arena);
	return same;
}

/* The next of their messages on a side after, or before, one; SIZE_MAX: from the edge,
 * and: there is none. */
static size_t next_message(const struct jump *j, const struct side *s, size_t from)
{
	size_t count = s->view == SIDE_CHAT ? s->chat.count : 0;
	size_t at = from == SIZE_MAX && j->back ? count : from;

	while (j->back ? at-- > 0 : ++at < count)
		if (s->chat.items[at].kind == J_OBJECT && speaks(j, s, at))
			return at;
	return SIZE_MAX;
}

/* From a place in a step on, through its other side; SIZE_MAX: from its edge. */
static bool find_message(struct jump *j, const struct opened *o, bool input, size_t from)
{
	const struct side *sides[] = {&o->output, &o->input};

	j->input = input;
	j->message = next_message(j, sides[input], from);
	if (j->message == SIZE_MAX && input == !j->back && !o->shared) {
		j->input = !input;
		j->message = next_message(j, sides[!input], SIZE_MAX);
	}
	return j->message != SIZE_MAX;
}

static bool has_speaker(struct jump *j, const struct opened *o)
{
	return find_message(j, o, o->shared || !j->back, SIZE_MAX);
}

enum jump_answer jump_judge_speaker(
	struct app *app, struct jump *j, size_t place, uint64_t deadline)
{
	return judge_opened(app, j, place, has_speaker);
}

/* What this step has of them is gone to at once. */
bool jump_begin_speaker(struct app *app, struct jump *j)
{
	struct pane *p = &app->screen.panes[screen_focus_below(app)];
	const struct opened *o = app->step.opened;
	const struct side *s = !o ? NULL : p->input ? &o->input : &o->output;
	size_t at = s ? conversation_message(s, pane_doc(p), pane_doc(p)->places[0].block)
		      : SIZE_MAX;
	struct arena arena = {0};
	bool given;

	buf_clear(&j->name);
	if (at == SIZE_MAX || s->view != SIDE_CHAT || at >= s->chat.count) {
		buf_text(&app->said, "no message here");
		return false;
	}
	buf_str(&j->name, message_role(s->chat.items[at], s->prefer, &given, &arena));
	arena_done(&arena);
	j->input = p->input;
	for (j->message = at; find_message(j, o, j->input, j->message); j->more--)
		if (!j->more) {
			jump_arrive_message(app, j);
			return false;
		}
	j->more -= j->more > 0;
	return true;
}

void jump_arrive_message(struct app *app, struct jump *j)
{
	size_t end;

	step_view_finish(app);
	step_view_settle(app);
	if (!app->step.opened || !j->name.len)
		return;
	if (j->call) {
		end = find_end(app, j, true);
		if (end != NO_PAIR)
			jump_go_end(app, end);
	} else if (j->message != SIZE_MAX) {
		step_view_go(app, app->step.index, j->input, j->message);
	}
}

/* ---- a call and its result ---- */

static bool holds_end(struct jump *j, const struct opened *o)
{
	const struct side *first = j->call ? &o->output : &o->input,
			  *second = j->call ? &o->input : &o->output;

	return side_holds(j, first, false) || side_holds(j, second, false);
}

enum jump_answer jump_judge_partner(
	struct app *app, struct jump *j, size_t place, uint64_t deadline)
{
	return judge_opened(app, j, place, holds_end);
}

bool jump_begin_partner(struct app *app, struct jump *j)
{
	const struct pairs *pairs =
		app->step.opened ? reading_pairs(app->step.reading) : NULL;
	size_t end = pairs ? end_under_cursor(app) : NO_PAIR;

	if (pairs && end == NO_PAIR && screen_focus_below(app) == PANE_STEPS)
		end = last_call(app, pairs);
	buf_clear(&j->name);
	if (end == NO_PAIR) {
		buf_text(&app->said, "no call and no result here");
		return false;
	}
	if (pairs->ends[end].other != NO_PAIR) {
		jump_go_end(app, pairs->ends[end].other);
		return false;
	}
	jv_text(pairs->ends[end].what->link, &j->name);
	j->call = !pairs->ends[end].call;
	j->back = j->call;
	j->more = 0;
	if (!j->name.len)
		buf_text(
			&app->said, "it has no id by which the other end could be known");
	return j->name.len > 0;
}

void jump_arrive_partner(struct app *app, struct jump *j)
{
	size_t end;

	step_view_finish(app);
	step_view_settle(app);
	end = app->step.opened ? find_end(app, j, false) : NO_PAIR;
	if (end != NO_PAIR)
		jump_go_end(app, end);
}
