/* Opens the candidates one after another and keeps the best: see earlier.h. */
#include "config.h"
#include "diff/earlier.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/sort.h"
#include "diff/transcript.h"

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

struct found {
	uint32_t steps[KINS][THREAD_MOST];
	unsigned counts[KINS];
};

/* Whether both may have been sent the same history. */
static bool is_alike(const struct step *a, const struct step *b)
{
	const uint32_t same = STEP_REQUEST | STEP_RESPONSE;

	return a->event == b->event && (a->flags & same) == (b->flags & same) &&
	       !(b->flags & (STEP_BROKEN | STEP_STRANGER)) && b->length;
}

static enum kin kin_of(uint32_t depth, uint32_t other, uint32_t lowest, bool like)
{
	if (other != depth)
		return OTHER;
	if (lowest >= depth)
		return like ? SIBLING_LIKE : SIBLING;
	return like ? COUSIN_LIKE : COUSIN;
}

/* Deeper ones are of a branch that ran in between: only their depth is looked at. */
static void walk_back(const struct trace *trace, size_t position, struct found *f)
{
	size_t first = trace->chains[trace_chain_at(trace, position)].first;
	size_t end = position - first > FAR ? position - FAR : first;
	struct step now = trace_step(trace, trace_at(trace, position));
	uint32_t depth = trace_depth(trace, position), lowest = depth;
	unsigned looks = 0;

	for (size_t i = position; i-- > end && looks < LOOKS;) {
		uint32_t at = trace_depth(trace, i);
		struct step before;
		enum kin kin;

		if (at < lowest)
			lowest = at;
		if (at != depth && f->counts[OTHER] == most_of[OTHER])
			continue;
		looks++;
		before = trace_step(trace, trace_at(trace, i));
		kin = kin_of(depth, at, lowest, now.model == before.model);
		if (is_alike(&now, &before) && f->counts[kin] < most_of[kin])
			f->steps[kin][f->counts[kin]++] = trace_at(trace, i);
		if (f->counts[SIBLING_LIKE] == most_of[SIBLING_LIKE])
			return;
	}
}

size_t thread_candidates(
	const struct trace *trace, size_t position, uint32_t steps[THREAD_MOST])
{
	struct found f = {.counts = {0}};
	size_t count = 0;

	if (position >= trace->order_count ||
		trace_chain_at(trace, position) >= trace->chain_count)
		return 0;
	walk_back(trace, position, &f);
	for (int kin = 0; kin < KINS; kin++)
		for (unsigned i = 0; i < f.counts[kin] && count < THREAD_MOST; i++)
			steps[count++] = f.steps[kin][i];
	return count;
}

#define SLICE        (256u * 1024)      /* bytes between two looks at the clock */
#define UNASKED_MOST (2 * EARLIER_MOST) /* bytes of all candidates together */

struct earlier_search {
	struct trace *trace;
	uint32_t candidates[THREAD_MOST];
	size_t count, next;
	bool large;     /* steps of any size are compared */
	uint64_t bytes; /* that may still be opened */
	earlier_look_fn *look;
	void *ctx;
	struct transcript sent; /* the input's messages */
	struct earlier *best;
	/* the candidate that is being compared */
	struct opening *opening;
	struct opened *opened; /* opened for the search, or NULL */
	bool comparing;        /* `comparison` has begun */
	struct transcript_diff comparison;
	struct transcript transcript; /* of the candidate */
	struct history history;
};

/* ---- the output of a step, compared with its input ---- */

/* With how many messages the output repeats the input. */
static size_t repeated(const struct history *h, size_t sent)
{
	size_t n = 0;

	while (n < h->count && h->now[n].fate == FATE_SHOWN &&
		(!n || h->now[n].was == h->now[n - 1].was + 1))
		n++;
	return n && h->now[n - 1].was + 1 == sent ? n : 0;
}

/* An output that is shorter than the input by more than two system messages cannot repeat
 * it, and is not compared. */
static void compare_output(
	struct history *h, const struct opened *o, struct transcript *sent)
{
	struct transcript answer = {0};
	size_t n;

	transcript_add(&answer, &o->output);
	if (answer.count + 2 < sent->count) {
		transcript_done(&answer);
		return;
	}
	transcript_compare(h, sent, &answer);
	transcript_done(&answer);
	n = repeated(h, sent->count);
	n -= n && n == h->count && o->response.kind != J_NONE; /* the last has it below */
	for (size_t i = n; i < h->count; i++)
		h->now[i] = (struct history_now){FATE_NEW, 0};
	h->shown = n;
	h->changed = h->gone_count = 0;
}

/* All messages of a step: its input, and its output without what repeats the input. */
static void read_transcript(struct transcript *t, const struct opened *o)
{
	struct history h = {0};
	struct transcript sent = {0};

	transcript_add(t, &o->input);
	if (o->shared)
		return;
	transcript_add(&sent, &o->input);
	compare_output(&h, o, &sent);
	transcript_add(t, &o->output);
	transcript_cut(t, sent.count, h.shown);
	history_done(&h);
	transcript_done(&sent);
}

/* ---- the best ---- */

static struct earlier_message keep(
	struct earlier *e, const struct transcript_message *t, size_t now)
{
	struct earlier_message kept = {now, {t->value, t->side}};

	kept.message.value.p =
		arena_dup(&e->arena, (struct str){t->value.p, t->value.n}).p;
	return kept;
}

/* Copies the messages that are shown, so that the step can be closed: it may be large. */
static void keep_messages(struct earlier *e, const struct transcript *t)
{
	const struct history *h = &e->input;
	size_t n = 0;

	e->gone = mem_array(h->gone_count, sizeof(*e->gone));
	e->changed = mem_array(h->changed, sizeof(*e->changed));
	for (size_t i = 0; i < h->gone_count; i++)
		e->gone[i] = keep(e, &t->items[h->gone[i].was], h->gone[i].at);
	for (size_t i = 0; i < h->count; i++)
		if (h->now[i].fate == FATE_CHANGED)
			e->changed[n++] = keep(e, &t->items[h->now[i].was], i);
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

static void leave_candidate(struct earlier_search *f)
{
	transcript_diff_end(&f->comparison);
	transcript_done(&f->transcript);
	history_done(&f->history);
	opening_free(f->opening);
	opened_free(f->opened);
	f->comparing = false;
	f->opening = NULL;
	f->opened = NULL;
}

static bool is_better(const struct history *a, const struct history *b)
{
	if (a->shown != b->shown)
		return a->shown > b->shown;
	return a->shown && a->gone_count + a->changed < b->gone_count + b->changed;
}

/* Whether the candidate has another agent's system message. */
static bool is_of_another(const struct earlier_search *f, const struct history *h)
{
	return h->gone_count && h->gone[0].was == 0 && h->now[0].fate == FATE_NEW &&
	       transcript_is_led(&f->transcript) && transcript_is_led(&f->sent);
}

static void judge_candidate(struct earlier_search *f)
{
	const struct history *h = &f->history;
	/* it lost no message, and is no short step apart from the thread */
	bool enough = h->shown && !h->gone_count && !h->changed &&
		      2 * h->shown >= f->sent.count;

	if (is_better(h, &f->best->input) && !is_of_another(f, h)) {
		clear_input(f->best);
		f->best->step = f->candidates[f->next];
		f->best->input = f->history;
		f->history = (struct history){0};
		keep_messages(f->best, &f->transcript);
	}
	leave_candidate(f);
	f->next = enough ? f->count : f->next + 1;
}

static bool has_too_many(const struct earlier_search *f, const struct opened *o)
{
	return !f->large && (o->input.chat.count > EARLIER_MESSAGES ||
				    o->output.chat.count > EARLIER_MESSAGES);
}

static bool is_too_long(const struct earlier_search *f, uint64_t length)
{
	return !f->large && length > EARLIER_MOST;
}

static void skip_candidate(struct earlier_search *f)
{
	leave_candidate(f);
	f->best->skipped = true;
	f->next++;
}

static void begin_comparison(struct earlier_search *f, const struct opened *o)
{
	if (has_too_many(f, o)) {
		skip_candidate(f);
		return;
	}
	read_transcript(&f->transcript, o);
	transcript_diff_begin(&f->comparison, &f->history, &f->transcript, &f->sent);
	f->comparing = true;
}

/* A step that was open is compared in one piece: it may be closed before the next slice.
 */
static void compare_open(struct earlier_search *f, const struct opened *o)
{
	begin_comparison(f, o);
	if (!f->comparing)
		return;
	transcript_diff_run(&f->comparison, SIZE_MAX);
	judge_candidate(f);
}

static void begin_candidate(struct earlier_search *f)
{
	uint32_t step = f->candidates[f->next];
	uint64_t length = trace_step(f->trace, step).length;
	const struct opened *open = f->look ? f->look(f->ctx, step) : NULL;

	if (is_too_long(f, length))
		skip_candidate(f);
	else if (open)
		compare_open(f, open);
	else if (length > f->bytes)
		skip_candidate(f);
	else {
		f->bytes -= length;
		f->opening = opening_new(f->trace, step, false);
	}
}

static void finding_slice(struct earlier_search *f, uint64_t deadline)
{
	if (f->comparing) {
		if (transcript_diff_run(&f->comparison, SLICE) == TASK_DONE)
			judge_candidate(f);
	} else if (!f->opening) {
		begin_candidate(f);
	} else if (opening_run(f->opening, f->trace, deadline) == TASK_DONE) {
		f->opened = opened_take(f->opening, f->trace);
		f->opening = NULL;
		begin_comparison(f, f->opened);
	}
}

struct earlier_search *finding_new(struct trace *trace, size_t position,
	const struct opened *now, bool large, earlier_look_fn *look, void *ctx)
{
	struct earlier_search *f = mem_zalloc(1, sizeof(*f));

	f->trace = trace;
	f->look = look;
	f->ctx = ctx;
	f->bytes = large ? UINT64_MAX : UNASKED_MOST;
	f->best = mem_zalloc(1, sizeof(*f->best));
	f->best->step = NO_STEP;
	f->large = large;
	f->best->skipped =
		is_too_long(f, trace_step(trace, trace_at(trace, position)).length) ||
		has_too_many(f, now);
	if (f->best->skipped || now->run)
		return f;
	if (now->input.view == SIDE_CHAT) {
		transcript_add(&f->sent, &now->input);
		f->count = thread_candidates(trace, position, f->candidates);
	}
	if (f->sent.count && !now->shared && now->output.view == SIDE_CHAT)
		compare_output(&f->best->output, now, &f->sent);
	return f;
}

enum task_state finding_run(struct earlier_search *f, uint64_t deadline)
{
	while (f->next < f->count) {
		finding_slice(f, deadline);
		if (clock_passed(deadline))
			break;
	}
	return f->next >= f->count ? TASK_DONE : TASK_MORE;
}

struct earlier *finding_take(struct earlier_search *f)
{
	struct earlier *e = f->best;

	finding_run(f, UINT64_MAX);
	f->best = NULL;
	finding_free(f);
	return e;
}

void finding_free(struct earlier_search *f)
{
	if (!f)
		return;
	leave_candidate(f);
	transcript_done(&f->sent);
	earlier_free(f->best);
	mem_free(f);
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

static uint64_t message_number(const void *items, size_t i)
{
	const struct earlier_message *messages = items;

	return messages[i].now;
}

const struct earlier_message *earlier_changed(const struct earlier *e, size_t now)
{
	size_t i = sorted_below(e->changed, e->input.changed, now, message_number);

	return i < e->input.changed && e->changed[i].now == now ? &e->changed[i] : NULL;
}
