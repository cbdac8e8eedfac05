/*
 * The walk of a step (see rules.h): what is wrong with its text, then its messages.  A
 * message that stood in a step before is not looked at again; what needs its neighbours,
 * calls and results, is in rules_pairs.c.
 */
#include "config.h"
#include "analysis/rules.h"

#include "base/mem.h"

/* ---- the step's text ---- */

static void add_problem(struct step_visit *v, enum rule_id rule)
{
	struct err err = {.offset = ERR_NOWHERE};
	struct buf words = BUF_INIT;

	if (step_problem(v->check->trace, v->step, v->opened, &err)) {
		mem_free(err.source); /* every finding is printed with it */
		err.source = NULL;
		err_format(&err, &words);
		visit_add(v, rule, (struct finding_place){0}, "%s", words.data);
	}
	buf_done(&words);
	err_done(&err);
}

static void look_at_text(struct step_visit *v)
{
	uint32_t flags = trace_flags(v->check->trace, v->step);

	if (flags & STEP_BROKEN)
		add_problem(v, RULE_STEP_UNREADABLE);
	else if (flags & (STEP_CUT | STEP_REPAIRED))
		add_problem(v, RULE_STEP_REPAIRED);
}

/* ---- messages ---- */

static const struct pair_end *partner(
	const struct step_visit *v, const struct pair_end *end)
{
	return end->other == NO_PAIR ? NULL : &v->pairs->ends[end->other];
}

static void look_at_tools(struct step_visit *v, bool input)
{
	const struct pairs *p = v->pairs;

	for (size_t i = pairs_of_message(p, input, v->message); i < p->count; i++) {
		const struct pair_end *end = &p->ends[i], *other = partner(v, end);

		if (end->input != input || end->message != v->message)
			return;
		if (end->call)
			rules_call(v, &end->what);
		else
			rules_result(v, &end->what, other ? &other->what : NULL);
	}
}

static void look_at_message(struct step_visit *v, struct jv message)
{
	bool given;
	struct str role = message_role(message, v->side->prefer, &given, &v->arena);

	look_at_tools(v, v->side == &v->opened->input);
	if (role_speaker(role) == SPEAKER_ASSISTANT)
		rules_message_text(v, message);
}

/* The next message of a side, or the text that it is. */
static size_t look_at_side(struct step_visit *v, const struct side *side)
{
	const struct chat *chat = &side->chat;
	size_t i = v->next++;
	struct jv m;

	v->side = side;
	if (!i)
		v->paths = (struct path_finder){0};
	if (!i && side->view == SIDE_TEXT && side->prefer == PREFER_OUTPUT) {
		rules_text(v, side->text);
		return side->text.n + 1;
	}
	if (side->view != SIDE_CHAT || i == chat->count) {
		v->side = NULL;
		v->message = SIZE_MAX;
		return 0;
	}
	m = chat->items[i];
	v->message = i;
	if (m.kind == J_OBJECT &&
		!visit_seen(v, SEEN_MESSAGE, map_hash((struct str){m.p, m.n})))
		look_at_message(v, m);
	return m.n + 1;
}

static size_t look_beside(struct step_visit *v, const struct side *side)
{
	(void)side;
	rules_envelope(v, v->opened->response);
	rules_gap(v);
	return 0;
}

/* ---- the walk ---- */

/* What is looked at one after another, of which side.  Each says what it cost; 0: there
 * is no more. */
static const struct {
	size_t (*next)(struct step_visit *v, const struct side *side);
	bool output;
} phases[] = {
	{look_at_side, false},
	{look_at_side, true},
	{rules_remember_next, false},
	{rules_turns_next, false},
	{rules_ends_next, false},
	{rules_order_next, false},
	{rules_turns_next, true},
	{rules_ends_next, true},
	{rules_order_next, true},
	{look_beside, false},
};

#define PHASES (sizeof(phases) / sizeof(*phases))

void rules_begin(struct step_visit *v)
{
	const struct opened *o = v->opened;

	v->message = SIZE_MAX;
	v->pairs = o->paired ? &o->pairs : &v->own_pairs;
	look_at_text(v);
	if (trace_flags(v->check->trace, v->step) & STEP_BROKEN)
		v->phase = PHASES;
	else if (!o->paired)
		pairs_read(&v->own_pairs, &o->input, &o->output, o->shared);
}

enum task_state rules_run(struct step_visit *v, size_t bytes)
{
	const struct opened *o = v->opened;
	size_t done = 0;

	while (v->phase < PHASES && done < bytes) {
		bool output = phases[v->phase].output;
		size_t cost = 0;

		if (!output || !o->shared)
			cost = phases[v->phase].next(v, output ? &o->output : &o->input);
		done += cost;
		if (cost)
			continue;
		v->phase++;
		v->next = 0;
	}
	return v->phase < PHASES ? TASK_MORE : TASK_DONE;
}

void rules_end(struct step_visit *v)
{
	pairs_done(&v->own_pairs);
	offered_done(&v->offered);
	turns_free(v->turns);
	arena_done(&v->arena);
}
