/*
 * The walk of a step (see rules.h): first the rules for its text, then for its messages.
 * A message that an earlier step had is not checked again.  The rules for calls together
 * with their results are in rules_pairs.c.
 */
#include "config.h"
#include "analysis/rules.h"

#include "base/mem.h"

/* ---- the step's text ---- */

static void add_problem(struct step_visit *v, enum rule_id rule)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	AUTO_BUF words = BUF_INIT;

	if (step_problem(v->check->trace, v->step, v->opened, &err)) {
		mem_free(err.source); /* every finding is printed with the file's name */
		err.source = NULL;
		err_format(&err, &words);
		visit_add(v, rule, (struct finding_place){0}, "%s", words.data);
	}
}

/* What the step's error says. */
static void add_failure(struct step_visit *v)
{
	struct error_said said = fact_error(v->opened->facts.v[FACT_ERROR], &v->arena);
	AUTO_BUF words = BUF_INIT;

	jv_text(said.message, &words);
	visit_add(v, RULE_STEP_FAILED, (struct finding_place){0}, "%s",
		words.len ? visit_quote(v, buf_view(&words)) : "the step failed");
}

static void check_text(struct step_visit *v)
{
	uint32_t flags = trace_flags(v->check->trace, v->step);
	const struct json_report *r = &v->opened->report;
	bool twice = r->verdict == VERDICT_TOLERATED && r->duplicates;

	if (flags & STEP_ERROR)
		add_failure(v);

	if (flags & STEP_BROKEN)
		add_problem(v, RULE_STEP_UNREADABLE);
	else if (flags & (STEP_CUT | STEP_REPAIRED))
		add_problem(v, twice ? RULE_DUPLICATE_KEY : RULE_STEP_REPAIRED);
}

/* ---- messages ---- */

static void check_tools(struct step_visit *v, bool input)
{
	const struct pairs *p = v->pairs;

	for (size_t i = pairs_of_message(p, input, v->message); i < p->count; i++) {
		const struct pair_end *end = &p->ends[i];

		if (end->input != input || end->message != v->message)
			return;
		if (end->call)
			rules_call(v, end->what);
		else
			rules_result(v, end->what,
				end->other == NO_PAIR ? NULL : p->ends[end->other].what);
	}
}

static void check_message(struct step_visit *v, struct jv message)
{
	check_tools(v, v->side == &v->opened->input);
	if (message_speaker(message, v->side->prefer) == SPEAKER_ASSISTANT)
		rules_message_text(v, message);
}

/* Checks the next message of a side, or its one text. */
static size_t check_side(struct step_visit *v, const struct side *side)
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
	if (m.kind == J_OBJECT && !visit_seen(v, SEEN_MESSAGE, map_hash(jv_raw(m))))
		check_message(v, m);
	return m.n + 1;
}

static size_t check_rest(struct step_visit *v, const struct side *side)
{
	rules_envelope(v, v->opened->response);
	rules_gap(v);
	return 0;
}

/* ---- the walk ---- */

/* The phases of the walk, each of one side.  Each call works on one item and returns its
 * cost in bytes; 0: there is none left. */
static const struct {
	size_t (*next)(struct step_visit *v, const struct side *side);
	bool output;
} phases[] = {
	{check_side, false},
	{check_side, true},
	{rules_remember_next, false},
	{rules_turns_next, false},
	{rules_ends_next, false},
	{rules_order_next, false},
	{rules_turns_next, true},
	{rules_ends_next, true},
	{rules_order_next, true},
	{check_rest, false},
};

#define PHASES (sizeof(phases) / sizeof(*phases))

void rules_begin(struct step_visit *v)
{
	v->message = SIZE_MAX;
	v->pairs = opened_pairs(v->opened);
	check_text(v);
	if (trace_flags(v->check->trace, v->step) & STEP_BROKEN)
		v->phase = PHASES;
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
	offered_done(&v->offered);
	turns_free(v->turns);
	arena_done(&v->arena);
}
