/*
 * The order of calls, results and roles on each side of a step (see rules.h).  Providers
 * refuse a call without a result, a result without a call, a result after a message of
 * another speaker, and a system message in the middle.
 *
 * The rules are lenient where traces differ from requests.  The input of a step may be
 * only what is new, so a result may belong to any earlier call of the chain.  Tools that
 * a provider runs itself have their results in other forms.  And a call at the end, with
 * only the assistant's messages after it, may still get its result.
 */
#include "config.h"
#include "analysis/rules.h"

#include "base/mem.h"
#include "base/work.h"

#define END_COST 256 /* of a call or result, in bytes of messages: see base/work.h */

static const struct check_rule
	rule_call_without_result = {"call-without-result", SEVERITY_WARNING,
		"the conversation went on without an answer to a call"},
	rule_result_without_call = {"result-without-call", SEVERITY_WARNING,
		"a tool result to which the trace has no call"};

const struct check_rule *const pair_rules[] = {
	&rule_call_without_result, &rule_result_without_call, NULL};

static const struct check_rule rule_role_order = {"role-order", SEVERITY_WARNING,
	"messages in an order that model providers refuse"};

const struct check_rule *const order_rules[] = {&rule_role_order, NULL};

/* ---- ids ---- */

static bool has_link(const struct part *p)
{
	return p->link.kind != J_NONE;
}

/* Whether a mistake was not reported yet. */
static bool is_first(struct checked_step *v, const struct check_rule *rule, uint64_t key)
{
	return !checked_seen(
		v, SEEN_FINDING, dedup_set_mix(key, map_hash(str_of(rule->name))));
}

/* ... of a call or result: it is identified by the call's id, or else by its message. */
static bool is_new(
	struct checked_step *v, const struct check_rule *rule, const struct pair_end *end)
{
	struct jv message = v->side->chat.items[end->message];
	uint64_t key = has_link(end->what)
			       ? jv_hash(end->what->link)
			       : dedup_set_mix(map_hash(jv_raw(message)), end->part);

	return is_first(v, rule, key);
}

/* "\"search\", id \"call_1\"" */
static const char *describe(struct checked_step *v, const struct part *p)
{
	AUTO_BUF text = BUF_INIT;

	if (p->name.kind == J_STRING)
		buf_text(&text, checked_quote_value(v, p->name));
	if (has_link(p))
		buf_printf(&text, "%sid %s", text.len ? ", " : "",
			checked_quote_value(v, p->link));
	if (!text.len)
		buf_text(&text, "without name and id");
	return arena_dup(&v->arena, buf_view(&text)).p;
}

/* ---- who speaks when ---- */

/* Who speaks in the messages of a side, and where its results are. */
struct turns {
	bool *results;    /* by message: it has a result, or a tool is its speaker */
	size_t *break_at; /* by message: the last message up to it of a user or system
			     without a result, counted from 1; 0: none */
	size_t *unnamed;  /* by message: the first from it on with a result that names
			     no call and has none; SIZE_MAX: none */
	size_t other_end; /* the last message that is no assistant's, counted from 1 */
};

/* A message without a speaker counts as the assistant's. */
static void mark_speakers(struct checked_step *v, struct turns *t)
{
	size_t count = v->side->chat.count, last = 0, next = SIZE_MAX;

	for (size_t i = 0; i < count; i++) {
		struct jv message = v->side->chat.items[i];
		bool given;
		struct str role =
			message_role(message, v->side->prefer, &given, &v->arena);
		enum speaker speaker = given && message.kind == J_OBJECT
					       ? role_speaker(role)
					       : SPEAKER_ASSISTANT;

		/* an old role, `function` or `ipython`: the message itself is a result */
		if (speaker == SPEAKER_TOOL && !t->results[i]) {
			t->results[i] = true;
			t->unnamed[i] = i;
		}
		if (speaker != SPEAKER_ASSISTANT && !t->results[i])
			last = i + 1;
		if (speaker != SPEAKER_ASSISTANT || t->results[i])
			t->other_end = i + 1;
		t->break_at[i] = last;
		if (stop_wanted(message.n))
			return;
	}
	for (size_t i = count; i-- > 0; t->unnamed[i] = next)
		next = t->unnamed[i] != SIZE_MAX ? i : next;
}

static struct turns read_turns(struct checked_step *v)
{
	size_t count = v->side->chat.count;
	struct turns t = {.results = mem_zalloc(count, sizeof(*t.results)),
		.break_at = mem_zalloc(count, sizeof(*t.break_at)),
		.unnamed = mem_zalloc(count, sizeof(*t.unnamed))};

	for (size_t i = 0; i < count; i++)
		t.unnamed[i] = SIZE_MAX;
	for (size_t i = 0; i < v->pairs->count; i++) {
		const struct pair_end *end = &v->pairs->ends[i];

		if (end->call || end->input != (v->side == &v->opened->input))
			continue;
		t.results[end->message] = true;
		if (end->other == NO_PAIR && !has_link(end->what))
			t.unnamed[end->message] = end->message;
	}
	mark_speakers(v, &t);
	return t;
}

static void turns_done(struct turns *t)
{
	mem_free(t->results);
	mem_free(t->break_at);
	mem_free(t->unnamed);
}

/* ---- the rules ---- */

/* Whether the step is one turn of a run of values: the next step has its results. */
static bool is_turn(const struct checked_step *v)
{
	return trace_flags(v->check->trace, v->step) & STEP_TURN;
}

static void check_call(struct checked_step *v, const struct turns *t, size_t at)
{
	const struct pair_end *end = &v->pairs->ends[at];
	struct jv raw = end->what->raw;
	size_t later = t->unnamed[end->message]; /* a result that names no call */

	if (end->other != NO_PAIR || is_turn(v) || t->other_end <= end->message + 1)
		return;
	/* it was recorded together with its result, or the later one may belong to it */
	if (!jv_null(jv_member(raw, "output")) || !jv_null(jv_member(raw, "result")) ||
		(later != SIZE_MAX && t->break_at[later] <= end->message + 1))
		return;
	if (pairs_open_call(v->pairs, at) || !is_new(v, &rule_call_without_result, end))
		return;
	finding_add(v, &rule_call_without_result, (struct finding_place){.at = raw},
		"the conversation goes on without a result of the call %s",
		describe(v, end->what));
}

/* Checks the place of a result whose call is in this conversation. */
static void check_place(struct checked_step *v, const struct turns *t,
	const struct pair_end *result, const struct pair_end *call)
{
	size_t from = call->message, to = result->message;
	size_t other = to ? t->break_at[to - 1] : 0;
	bool early = from > to;

	if (call->input != result->input || (!early && other <= from + 1) ||
		!is_new(v, &rule_role_order, result))
		return;
	if (early)
		finding_add(v, &rule_role_order,
			(struct finding_place){.at = result->what->raw},
			"the result %s comes before its call, which is in message %zu",
			describe(v, result->what), from);
	else
		finding_add(v, &rule_role_order,
			(struct finding_place){.at = result->what->raw},
			"message %zu is between the result %s and its call in "
			"message %zu",
			other - 1, describe(v, result->what), from);
}

static void check_result(struct checked_step *v, const struct turns *t, size_t at)
{
	const struct pair_end *end = &v->pairs->ends[at];
	const struct part *result = end->what;
	bool called; /* a step before this one, or this one, has its call */

	if (end->other != NO_PAIR) {
		check_place(v, t, end, &v->pairs->ends[end->other]);
		return;
	}
	called = has_link(result) ? checked_knows(v, SEEN_CALL_ID, jv_hash(result->link))
				  : v->check->any_call || v->any_call;
	if (is_turn(v) || called || !is_new(v, &rule_result_without_call, end))
		return;
	finding_add(v, &rule_result_without_call,
		(struct finding_place){.at = result->raw}, "no call before the result %s",
		describe(v, result));
}

/* Reports system messages after another speaker's; a developer's may be anywhere. */
static void check_system(struct checked_step *v)
{
	const struct chat *chat = &v->side->chat;
	bool spoken = false; /* some message so far is not the system's */

	for (size_t i = 0; i < chat->count && !stop_wanted(chat->items[i].n); i++) {
		struct jv m = chat->items[i];
		struct str role;

		if (m.kind != J_OBJECT)
			continue;
		v->message = i;
		role = message_role(m, v->side->prefer, NULL, &v->arena);
		if (spoken && str_equal(role, STR("system")) &&
			is_first(v, &rule_role_order, map_hash(jv_raw(m))))
			finding_add(v, &rule_role_order, (struct finding_place){0},
				"a system message in the middle of the conversation");
		spoken |= role_speaker(role) != SPEAKER_SYSTEM;
	}
}

void rules_pairs(struct checked_step *v)
{
	const struct step_content *o = v->opened;
	const struct pairs *p = v->pairs;

	for (size_t i = 0; i < p->count; i++) {
		const struct pair_end *end = &p->ends[i];

		v->any_call |= end->call;
		if (end->call && has_link(end->what))
			checked_seen(v, SEEN_CALL_ID, jv_hash(end->what->link));
	}
	for (int side = 0; side < (o->shared ? 1 : 2); side++) {
		AUTO(turns_done) struct turns t = {0};

		v->side = side ? &o->output : &o->input;
		if (v->side->view != SIDE_CHAT)
			continue;
		t = read_turns(v);
		v->paths = (struct path_finder){0};
		for (size_t i = 0; i < p->count && !stop_wanted(END_COST); i++) {
			v->message = p->ends[i].message;
			if (p->ends[i].input == !side && p->ends[i].call)
				check_call(v, &t, i);
			else if (p->ends[i].input == !side)
				check_result(v, &t, i);
		}
		check_system(v);
	}
	v->side = NULL;
	v->message = SIZE_MAX;
}
