/*
 * Judging all steps by a filter: see filter.h.  A step's terms are decided in rounds:
 * facts, the name, one search after another through the whole trace, the opened step.
 * After each round the filter's program is evaluated with what is known so far, "unknown"
 * included; a step that is decided costs nothing more.
 *
 * Searches run one after another, each only over the steps that the earlier ones left
 * undecided.  Steps get their verdicts in order, as far as the last search has come.
 */
#include "config.h"
#include "query/filter.h"

#include "base/clock.h"
#include "base/effort.h"
#include "base/mem.h"
#include "query/filter_program.h"
#include "query/search.h"

#define PIECE 64 /* steps judged between two looks at the clock */

/* ---- the program ---- */

/* The program's verdict from those of its terms, in three-valued logic. */
static enum verdict_of_filter filter_decide(
	const struct filter *f, const enum verdict_of_filter of[FILTER_TERMS])
{
	enum verdict_of_filter stack[FILTER_TERMS + 1] = {FILTER_UNKNOWN};
	size_t n = 0; /* the parser sees to it that operators find their operands */

	for (size_t i = 0; i < f->length; i++) {
		unsigned char op = f->program[i];
		enum verdict_of_filter *a, b;
		enum verdict_of_filter strong = op == OP_AND ? FILTER_NO : FILTER_YES;

		if (op < FILTER_TERMS) {
			stack[n++] = of[op];
		} else if (op == OP_NOT) {
			a = &stack[n - 1];
			if (*a != FILTER_UNKNOWN)
				*a = *a == FILTER_YES ? FILTER_NO : FILTER_YES;
		} else {
			b = stack[--n];
			a = &stack[n - 1];
			if (*a == strong || b == strong)
				*a = strong;
			else if (b == FILTER_UNKNOWN)
				*a = b;
		}
	}
	return stack[0];
}

bool filter_holds(const struct filter *f, filter_value_fn *value, void *context)
{
	enum verdict_of_filter of[FILTER_TERMS];

	for (size_t i = 0; i < f->count; i++) {
		const struct filter_term *t = &f->terms[i];
		struct filter_value v = value(context, t->field);
		bool yes = false;

		switch (f->table->fields[t->field].kind) {
		case FILTER_TEXT:
		case FILTER_PATH:
		case FILTER_WHOLE:
			yes = filter_term_plain(t, v.text);
			break;
		case FILTER_NUMBER:
			yes = filter_term_number(t, v.number);
			break;
		case FILTER_FLAG:
			yes = v.flag;
			break;
		}
		of[i] = yes ? FILTER_YES : FILTER_NO;
	}
	return filter_decide(f, of) == FILTER_YES;
}

/* ---- one step ---- */

/* What a term's search says of a step that it has reached. */
static enum verdict_of_filter searched(
	const struct judging *j, size_t term, uint32_t step)
{
	const struct search *s = j->searches[term];
	bool own = filter_fields[j->filter->terms[term].field].cost == COST_SEARCH;

	if (!s)
		return FILTER_UNKNOWN;
	if (search_hits(s, step))
		return own ? FILTER_YES : FILTER_UNKNOWN;
	return search_gave_up(s, step) && !own ? FILTER_UNKNOWN : FILTER_NO;
}

/* The verdict from facts, names and the first `searches` searches. */
static enum verdict_of_filter judge_closed(struct judging *j, uint32_t step,
	size_t searches, bool arranged, enum verdict_of_filter of[FILTER_TERMS])
{
	struct step s = trace_step(j->trace, step);
	enum verdict_of_filter verdict;

	for (size_t i = 0; i < j->filter->count; i++)
		of[i] = filter_fact(j, i, &s, step, arranged);
	verdict = filter_decide(j->filter, of);
	for (size_t i = 0; i < j->filter->count && verdict == FILTER_UNKNOWN; i++) {
		if (filter_fields[j->filter->terms[i].field].cost != COST_NAME)
			continue;
		of[i] = filter_name(j, i, step);
		verdict = filter_decide(j->filter, of);
	}
	for (size_t i = 0; i < searches && verdict == FILTER_UNKNOWN; i++) {
		if (of[j->order[i]] != FILTER_UNKNOWN)
			continue;
		of[j->order[i]] = searched(j, j->order[i], step);
		verdict = filter_decide(j->filter, of);
	}
	return verdict;
}

static bool is_flag(const struct filter_term *t)
{
	return filter_fields[t->field].kind == FILTER_FLAG;
}

/* The verdict with flags of the step's JSON, which are known once it was checked. */
static enum verdict_of_filter judge_text(
	struct judging *j, uint32_t step, enum verdict_of_filter of[FILTER_TERMS])
{
	bool asked = false;

	for (size_t i = 0; i < j->filter->count; i++)
		asked |= of[i] == FILTER_UNKNOWN && is_flag(&j->filter->terms[i]);
	if (!asked)
		return FILTER_UNKNOWN;
	if (!(trace_flags(j->trace, step) & STEP_CHECKED)) {
		if (trace_step(j->trace, step).length > OPENED_AT_ONCE)
			return FILTER_UNKNOWN; /* opening it judges it, and can be
						  stopped */
		j->costly = true;
		step_check(j->trace, step);
	}
	for (size_t i = 0; i < j->filter->count; i++)
		if (is_flag(&j->filter->terms[i]))
			of[i] = filter_opened(j, i, NULL, step);
	return filter_decide(j->filter, of);
}

static enum verdict_of_filter judge_opened(struct judging *j, uint32_t step,
	struct opened *o, enum verdict_of_filter of[FILTER_TERMS])
{
	enum verdict_of_filter verdict = FILTER_UNKNOWN;

	for (size_t i = 0; i < j->filter->count && verdict == FILTER_UNKNOWN; i++) {
		if (of[i] != FILTER_UNKNOWN)
			continue;
		of[i] = filter_opened(j, i, o, step);
		verdict = filter_decide(j->filter, of);
	}
	opened_free(o);
	return verdict;
}

/* UNKNOWN: its opening was stopped. */
static enum verdict_of_filter judge(struct judging *j, uint32_t step)
{
	enum verdict_of_filter of[FILTER_TERMS];
	enum verdict_of_filter verdict = judge_closed(j, step, j->search_count, true, of);
	struct opened *o;

	if (verdict == FILTER_UNKNOWN)
		verdict = judge_text(j, step, of);
	if (verdict != FILTER_UNKNOWN)
		return verdict;
	j->costly = true;
	o = opened_try(j->trace, step, false);
	return o ? judge_opened(j, step, o, of) : FILTER_UNKNOWN;
}

/* ---- searches ---- */

/* A search_wanted_fn.  Terms that a new arrangement may change count as unknown. */
static bool is_wanted(void *ctx, uint32_t step)
{
	struct judging *j = ctx;
	enum verdict_of_filter of[FILTER_TERMS];

	return judge_closed(j, step, j->begun - 1, false, of) == FILTER_UNKNOWN;
}

static void add_search(struct judging *j, size_t term, bool own)
{
	if (own != (filter_fields[j->filter->terms[term].field].cost == COST_SEARCH) ||
		!filter_term_searches(j, &j->filter->terms[term]))
		return;
	j->order[j->search_count++] = term;
	j->searches[term] = search_new(j->trace, j->filter->terms[term].query);
	if (j->filter->count > 1)
		search_only(j->searches[term], is_wanted, j);
}

/* How many steps all searches have passed. */
static size_t searched_steps(const struct judging *j)
{
	size_t least = j->trace->count;

	for (size_t i = 0; i < j->search_count; i++) {
		struct search_totals t = search_totals(j->searches[j->order[i]]);

		least = t.searched < least ? t.searched : least;
	}
	return least;
}

/* Runs the searches; true when time is up before all have come to the end. */
static bool search_on(struct judging *j, uint64_t deadline, bool settled)
{
	for (size_t i = 0; i < j->search_count; i++) {
		j->begun = i + 1;
		if (search_run(j->searches[j->order[i]], deadline, settled) == TASK_MORE)
			return true;
	}
	return false;
}

/* ---- keeping up with the trace ---- */

static bool get_bit(const struct judging *j, size_t step)
{
	return step / 8 < j->byte_count && j->passes[step / 8] >> step % 8 & 1;
}

static void put_bit(struct judging *j, size_t step, bool on)
{
	size_t byte = step / 8;
	unsigned char bit = (unsigned char)(1 << step % 8);

	if (byte >= j->byte_count) {
		size_t cap = j->byte_count;

		j->passes = mem_grow(j->passes, &cap, byte + 1, 1);
		memset(j->passes + j->byte_count, 0, cap - j->byte_count);
		j->byte_count = cap;
	}
	j->state.passed -= get_bit(j, step);
	j->state.passed += on;
	if (get_bit(j, step) != on)
		j->state.changes++;
	j->passes[byte] =
		(unsigned char)(on ? j->passes[byte] | bit : j->passes[byte] & ~bit);
}

/* Steps from `step` on are to be judged; their old verdicts are valid until then. */
static void judge_again(struct judging *j, size_t step)
{
	j->state.steps = step;
	j->last_end = 0;
}

static void forget_memos(struct judging *j)
{
	for (size_t i = 0; i < FILTER_TERMS; i++) {
		mem_free(j->memos[i].of);
		j->memos[i] = (struct filter_memo){0};
	}
}

static uint64_t end_of(const struct judging *j, size_t step)
{
	struct step s = trace_step(j->trace, step);

	return s.offset + s.length;
}

/* Positions by step, for figures that the trace has by position.  Linear. */
static void find_positions(struct judging *j)
{
	const struct trace *trace = j->trace;

	j->position_count = trace->order ? trace->arranged : 0;
	mem_free(j->positions);
	j->positions = mem_array(j->position_count, sizeof(*j->positions));
	for (size_t i = 0; i < trace->order_count && j->position_count; i++)
		if (trace->order[i] < j->position_count)
			j->positions[trace->order[i]] = (uint32_t)i;
}

static void follow_trace(struct judging *j)
{
	const struct trace *trace = j->trace;
	bool moved = j->arrangement != trace->arrangement || j->sums != trace->sums;
	size_t steps = j->state.steps;

	if (j->generation != trace->generation || trace->count < steps) {
		j->generation = trace->generation;
		memset(j->passes, 0, j->byte_count);
		j->state.passed = 0;
		j->state.changes++;
		judge_again(j, 0);
	} else if (steps && end_of(j, steps - 1) != j->last_end && j->last_end) {
		judge_again(j, steps - 1);
	}
	if (j->failing && j->failure_count != trace->failures) {
		j->failure_count = trace->failures;
		judge_again(j, 0);
	}
	if (!moved || !j->arranged)
		return;
	j->arrangement = trace->arrangement;
	j->sums = trace->sums;
	forget_memos(j);
	find_positions(j);
	judge_again(j, 0);
}

/* ---- slices ---- */

struct judging *judging_new(struct trace *trace, const struct filter *f)
{
	struct judging *j = mem_zalloc(1, sizeof(*j));

	j->trace = trace;
	j->filter = f;
	j->generation = trace->generation;
	j->patience = FILTER_PATIENCE;
	j->byte_count = trace->count / 8 + 1;
	j->passes = mem_zalloc(j->byte_count, 1);
	for (size_t i = 0; i < f->count; i++) {
		j->arranged |= filter_fields[f->terms[i].field].cost == COST_ARRANGED;
		j->failing |= f->terms[i].field == FILTER_ERROR;
	}
	if (j->arranged)
		find_positions(j);
	j->arrangement = trace->arrangement;
	j->sums = trace->sums;
	for (size_t i = 0; i < f->count; i++)
		add_search(j, i, true);
	for (size_t i = 0; i < f->count; i++)
		add_search(j, i, false);
	return j;
}

void judging_free(struct judging *j)
{
	if (!j)
		return;
	failure_walk_done(&j->failures);
	forget_memos(j);
	for (size_t i = 0; i < FILTER_TERMS; i++) {
		search_free(j->searches[i]);
		texts_free(j->texts[i]);
	}
	mem_free(j->positions);
	mem_free(j->passes);
	mem_free(j);
}

/* Judges steps up to `end`; false when time is up before. */
static bool judge_on(struct judging *j, size_t end, uint64_t deadline)
{
	for (unsigned passed = 1; j->state.steps < end; passed++) {
		size_t step = j->state.steps;
		enum verdict_of_filter verdict;

		effort(EFFORT_STEPS, 1);
		j->costly = false;
		verdict = judge(j, (uint32_t)step);

		if (verdict == FILTER_UNKNOWN)
			return false;
		put_bit(j, step, verdict == FILTER_YES);
		j->last_end = end_of(j, step);
		j->state.steps++;
		if ((passed % PIECE == 0 || j->costly) && clock_passed(deadline))
			return j->state.steps == end;
	}
	return true;
}

static struct idle trace_now(const struct judging *j, bool settled)
{
	const struct trace *trace = j->trace;

	return (struct idle){.on = true,
		.settled = settled,
		.count = trace->count,
		.end = trace->count ? end_of(j, trace->count - 1) : 0,
		.generation = trace->generation,
		.arrangement = j->arranged ? trace->arrangement : 0,
		.sums = j->arranged ? trace->sums : 0,
		.failures = j->failing ? trace->failures : 0};
}

bool judging_is_idle(const struct judging *j, bool settled)
{
	struct idle now = trace_now(j, settled);

	return j->idle.on && j->idle.settled == now.settled &&
	       j->idle.count == now.count && j->idle.end == now.end &&
	       j->idle.generation == now.generation &&
	       j->idle.arrangement == now.arrangement && j->idle.sums == now.sums &&
	       j->idle.failures == now.failures;
}

enum task_state judging_run(struct judging *j, uint64_t deadline, bool settled)
{
	const size_t count = j->trace->count;
	size_t end = count - (count && !settled);
	bool more;

	if (j->failing &&
		failure_walk_run(&j->failures, j->trace, end, deadline) == TASK_MORE)
		return TASK_MORE;
	follow_trace(j);
	more = search_on(j, deadline, settled);
	if (searched_steps(j) < end)
		end = searched_steps(j);
	if (j->state.steps > end) /* a step that was judged has grown since */
		judge_again(j, end);
	more |= !judge_on(j, end, deadline);
	j->idle = trace_now(j, settled);
	j->idle.on = !more;
	return more ? TASK_MORE : TASK_IDLE;
}

bool judging_passes(const struct judging *j, uint32_t step)
{
	return j->generation == j->trace->generation && get_bit(j, step);
}

struct judged judging_state(const struct judging *j)
{
	struct judged state = j->state;
	const struct inputs *in = j->trace->inputs;
	uint64_t size = inputs_size(in);
	double done = j->trace->count ? (double)state.steps / (double)j->trace->count : 1;

	state.gave_up += j->gave_up;
	for (size_t i = 0; i < j->search_count && size; i++) {
		struct search_totals t = search_totals(j->searches[j->order[i]]);

		state.gave_up += t.gave_up;
		done += t.searched == j->trace->count
				? 1
				: (double)inputs_before(in, t.bytes) / (double)size;
	}
	done /= (double)(j->search_count + 1);
	state.percent = (unsigned)(100 * (done < 1 ? done : 1));
	return state;
}
