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
	return end->other == NO_PAIR ? NULL : &v->pairs.ends[end->other];
}

static void look_at_tools(struct step_visit *v, bool input)
{
	const struct pairs *p = &v->pairs;

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

static void look_at_chat(struct step_visit *v)
{
	const struct chat *chat = &v->side->chat;

	for (size_t i = 0; i < chat->count; i++) {
		struct jv m = chat->items[i];

		v->message = i;
		if (m.kind == J_OBJECT &&
			!visit_seen(v, SEEN_MESSAGE, map_hash((struct str){m.p, m.n})))
			look_at_message(v, m);
	}
	v->message = SIZE_MAX;
}

static void look_at_side(struct step_visit *v, const struct side *side)
{
	v->side = side;
	v->paths = (struct path_finder){0};
	if (side->view == SIDE_CHAT)
		look_at_chat(v);
	else if (side->view == SIDE_TEXT && side->prefer == PREFER_OUTPUT)
		rules_text(v, side->text);
	v->side = NULL;
}

void rules_step(struct step_visit *v)
{
	const struct opened *o = v->opened;

	look_at_text(v);
	if (trace_flags(v->check->trace, v->step) & STEP_BROKEN)
		return;
	pairs_read(&v->pairs, &o->input, &o->output, o->shared);
	look_at_side(v, &o->input);
	if (!o->shared)
		look_at_side(v, &o->output);
	rules_pairs(v);
	rules_envelope(v, o->response);
	rules_gap(v);
}
