/* Opens the candidates one after another and keeps the best: see earlier.h. */
#include "config.h"
#include "diff/earlier.h"

#include "base/mem.h"
#include "base/sort.h"
#include "base/work.h"

/* ---- which steps are worth opening ---- */

/*
 * One walk back over the arrangement.  Positions are in pre-order, so the
 * lowest depth on the way says how a step is related: none lower than the step's own,
 * and both have one parent.
 */

#define FAR   65536 /* positions that are passed over */
#define LOOKS 1024  /* ... and steps among them that are looked at */

/* Of each kind no more are opened than it may help. */
enum kin { SIBLING_LIKE, SIBLING, COUSIN_LIKE, COUSIN, OTHER, KINS };

static const unsigned most_of[KINS] = {
	[SIBLING_LIKE] = 5, [SIBLING] = 2, [COUSIN_LIKE] = 2, [COUSIN] = 1, [OTHER] = 1};

size_t thread_candidates(
	const struct trace *trace, size_t position, uint32_t steps[THREAD_MOST])
{
	const uint32_t same = STEP_REQUEST | STEP_RESPONSE;
	uint32_t found[KINS][THREAD_MOST], depth, lowest, own;
	unsigned counts[KINS] = {0}, looks = 0;
	size_t count = 0, first;
	struct step now;

	if (position >= trace->order_count ||
		trace_chain_at(trace, position) >= trace->chain_count)
		return 0;
	first = trace->chains[trace_chain_at(trace, position)].first;
	if (position - first > FAR)
		first = position - FAR;
	now = trace_step(trace, trace_at(trace, position));
	lowest = own = trace_depth(trace, position);
	for (size_t i = position; i-- > first && looks < LOOKS &&
				  counts[SIBLING_LIKE] < most_of[SIBLING_LIKE];) {
		struct step before;
		enum kin kin;
		bool like;

		depth = trace_depth(trace, i);
		lowest = depth < lowest ? depth : lowest;
		/* deeper ones are of a branch that ran in between */
		if (depth != own && counts[OTHER] == most_of[OTHER])
			continue;
		looks++;
		before = trace_step(trace, trace_at(trace, i));
		like = now.model == before.model;
		if (depth != own)
			kin = OTHER;
		else if (lowest >= own)
			kin = like ? SIBLING_LIKE : SIBLING;
		else
			kin = like ? COUSIN_LIKE : COUSIN;
		/* whether both may have been sent the same history */
		if (now.event == before.event &&
			(now.flags & same) == (before.flags & same) &&
			!(before.flags & (STEP_BROKEN | STEP_STRANGER)) &&
			before.length && counts[kin] < most_of[kin])
			found[kin][counts[kin]++] = trace_at(trace, i);
	}
	for (int kin = 0; kin < KINS; kin++)
		for (unsigned i = 0; i < counts[kin] && count < THREAD_MOST; i++)
			steps[count++] = found[kin][i];
	return count;
}

#define UNASKED_MOST (2 * EARLIER_MOST) /* bytes of all candidates together */

/* ---- the output of a step, compared with its input ---- */

/* An output that is shorter than the input by more than two system messages cannot repeat
 * it, and is not compared. */
static void compare_output(
	struct history *h, const struct step_content *o, struct message_list *sent)
{
	AUTO(message_list_done) struct message_list answer = {0};
	size_t n = 0;

	message_list_add(&answer, &o->output);
	if (answer.count + 2 < sent->count)
		return;
	/* only what is shown counts */
	messages_compare(h, sent, &answer, false, SIZE_MAX);
	while (n < h->count && h->now[n].change == CHANGE_SHOWN &&
		(!n || h->now[n].was == h->now[n - 1].was + 1))
		n++;
	if (n && h->now[n - 1].was + 1 != sent->count)
		n = 0;
	n -= n && n == h->count && o->response.kind != J_NONE; /* the last has it below */
	for (size_t i = n; i < h->count; i++)
		h->now[i] = (struct history_now){0};
	h->shown = n;
	h->changed = h->gone_count = 0;
}

/* ---- the best ---- */

static struct earlier_message keep(
	struct earlier *e, const struct compared_message *t, size_t now)
{
	struct earlier_message kept = {now, *t};

	kept.message.value.p = arena_dup(&e->arena, jv_raw(t->value)).p;
	return kept;
}

static void clear_input(struct earlier *e)
{
	history_done(&e->input);
	mem_free(e->gone);
	mem_free(e->changed);
	arena_done(&e->arena);
	e->gone = e->changed = NULL;
	e->step = NO_STEP;
}

/* ---- one candidate after another ---- */

static bool has_too_many(const struct step_content *o)
{
	return o->input.chat.count > EARLIER_MESSAGES ||
	       o->output.chat.count > EARLIER_MESSAGES;
}

/* Compares a candidate with the messages that were sent, and keeps it if it is the best.
 * True: it is enough. */
static bool compare_candidate(struct earlier *best, struct message_list *sent,
	uint32_t step, const struct step_content *o)
{
	AUTO(message_list_done) struct message_list t = {0}, output = {0};
	AUTO(history_done) struct history h = {0};
	bool enough, another, better;
	size_t changed = 0, least = best->input.shown ? best->input.shown : 1;

	/* all messages: its input, and its output without what repeats the input */
	message_list_add(&t, &o->input);
	if (!o->shared) {
		compare_output(&h, o, &t);
		message_list_add(&output, &o->output);
		for (size_t i = h.shown; i < output.count; i++)
			message_list_add_value(
				&t, output.items[i].value, output.items[i].side);
		history_done(&h);
	}
	messages_compare(&h, &t, sent, false, least);
	/* it lost no message, and is no short step apart from the thread */
	enough = h.shown >= least && !h.gone_count && !h.changed &&
		 2 * h.shown >= sent->count;
	/* it has another agent's system message */
	another = h.gone_count && h.gone[0].was == 0 && h.now[0].change == CHANGE_NEW &&
		  message_list_is_led(&t) && message_list_is_led(sent);
	better = h.shown > best->input.shown ||
		 (h.shown == least &&
			 h.gone_count + h.changed <
				 best->input.gone_count + best->input.changed);
	if (!better || another)
		return enough;
	clear_input(best);
	best->step = step;
	/* what is shown is copied, so that the step can be closed: it may be large */
	best->gone = mem_array(h.gone_count, sizeof(*best->gone));
	best->changed = mem_array(h.changed, sizeof(*best->changed));
	for (size_t i = 0; i < h.gone_count; i++)
		best->gone[i] = keep(best, &t.items[h.gone[i].was], h.gone[i].at);
	for (size_t i = 0; i < h.count; i++)
		if (h.now[i].change == CHANGE_EDITED)
			best->changed[changed++] = keep(best, &t.items[h.now[i].was], i);
	best->input = h;
	h = (struct history){0};
	return enough;
}

struct earlier *earlier_find(struct trace *trace, size_t position,
	const struct step_content *now, bool large, earlier_look_fn *look, void *ctx)
{
	uint64_t length = trace_step(trace, trace_at(trace, position)).length,
		 left = large ? UINT64_MAX : UNASKED_MOST;
	struct earlier *e = mem_zalloc(1, sizeof(*e));
	AUTO(message_list_done) struct message_list sent = {0};
	uint32_t candidates[THREAD_MOST];
	size_t count = 0;
	bool enough = false;

	e->step = NO_STEP;
	e->skipped = !large && (length > EARLIER_MOST || has_too_many(now));
	if (e->skipped || now->run)
		return e;
	if (now->input.view == SIDE_CHAT) {
		message_list_add(&sent, &now->input);
		count = thread_candidates(trace, position, candidates);
	}
	if (sent.count && !now->shared && now->output.view == SIDE_CHAT)
		compare_output(&e->output, now, &sent);
	for (size_t i = 0; i < count && !enough && !stop_asked(); i++) {
		uint32_t step = candidates[i];
		const struct step_content *open = look ? look(ctx, step) : NULL;
		struct step_content *own = NULL;

		length = trace_step(trace, step).length;
		if ((!large && length > EARLIER_MOST) || (!open && length > left)) {
			e->skipped = true;
			continue;
		}
		if (!open) {
			left -= length;
			open = own = step_content_new(trace, step);
		}
		if (!large && has_too_many(open))
			e->skipped = true;
		else if (!stop_asked())
			enough = compare_candidate(e, &sent, step, open);
		step_content_free(own);
	}
	return e;
}

struct earlier *earlier_try(struct trace *trace, size_t position,
	const struct step_content *now, bool large, earlier_look_fn *look, void *ctx)
{
	struct earlier *e;

	stop_begin();
	e = earlier_find(trace, position, now, large, look, ctx);
	if (!stop_end())
		return e;
	earlier_free(e);
	return NULL;
}

void earlier_free(struct earlier *e)
{
	if (!e)
		return;
	clear_input(e);
	history_done(&e->output);
	mem_free(e);
}

size_t earlier_bytes(const struct earlier *e)
{
	const struct history *h = &e->input;

	return sizeof(*e) + (h->count + e->output.count) * sizeof(*h->now) +
	       h->gone_cap * sizeof(*h->gone) +
	       (h->gone_count + h->changed) * sizeof(*e->gone) + e->arena.bytes;
}

const struct earlier_message *earlier_changed(const struct earlier *e, size_t now)
{
	size_t i = SORTED_BELOW(e->changed, e->input.changed, now, now);

	return i < e->input.changed && e->changed[i].now == now ? &e->changed[i] : NULL;
}
