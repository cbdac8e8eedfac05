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

#include <math.h>

#include "base/clock.h"
#include "base/effort.h"
#include "base/mem.h"
#include "import/action.h"
#include "import/failure.h"
#include "query/filter_program.h"
#include "query/hits.h"
#include "query/search.h"
#include "trace/labels.h"

#define PIECE 64 /* steps judged between two looks at the clock */

/* A term's verdicts about interned texts, by their number. */
struct filter_memo {
	unsigned char *of; /* 0: unknown, else 1 + enum filter_verdict */
	size_t count;
};

struct judging {
	struct trace *trace;
	const struct filter *filter;
	struct filter_memo memos[FILTER_TERMS];
	struct search *searches[FILTER_TERMS]; /* by term, or NULL */
	size_t order[FILTER_TERMS]; /* the terms with a search, in the order they run */
	size_t search_count;
	size_t begun;                      /* searches that have begun */
	struct texts *texts[FILTER_TERMS]; /* by term, or NULL: to search one side */
	bool arranged;                     /* some term has COST_ARRANGED */
	bool failing; /* some term asks for failures, which `failures` finds */
	struct failure_walk failures;
	uint32_t failure_count; /* of the trace, when it was read */
	bool costly;            /* the step that is being judged was read from the file */
	/* of all texts: many of them may be tested between two looks at the clock */
	struct filter_patience patience;
	unsigned char *passes; /* one bit for each step */
	size_t byte_count;
	uint64_t last_end; /* where the step ends that was judged last */
	uint32_t generation, arrangement, sums; /* of the trace, when they were read */
	struct judged state;
};

static enum filter_verdict verdict(bool yes)
{
	return yes ? FILTER_YES : FILTER_NO;
}

static bool test(struct judging *j, const struct filter_term *t, struct str text)
{
	return filter_test_text(t, text, &j->patience);
}

/* ---- facts of the trace ---- */

static bool test_interned(struct judging *j, size_t term, uint32_t text)
{
	struct filter_memo *memo = &j->memos[term];
	size_t before = memo->count;
	const struct filter_term *t = &j->filter->terms[term];

	if (text == NO_TEXT)
		return test(j, t, STR(""));
	if (text >= memo->count) {
		memo->of = mem_grow(memo->of, &memo->count, text + (size_t)1, 1);
		memset(memo->of + before, 0, memo->count - before);
	}
	if (!memo->of[text])
		memo->of[text] = 1 + test(j, t, trace_text(j->trace, text));
	return memo->of[text] == 2;
}

/* A figure as the list shows it; NaN: the step does not have it. */
static double figure(const struct judging *j, enum filter_id field, const struct step *s,
	uint32_t step)
{
	const struct trace *trace = j->trace;
	size_t position = trace_position(trace, step);
	bool placed = position < trace->order_count && s->chain != NO_CHAIN;
	struct totals t = totals_own(s);

	if (placed && trace->rollup_count)
		t = trace_step_totals(trace, position);
	switch (field) {
	case FILTER_COST:
		return t.cost;
	case FILTER_TOKENS:
		return totals_tokens(&t);
	case FILTER_CACHE:
		return t.cache_read;
	case FILTER_FRESH:
		return totals_fresh(&t);
	case FILTER_IN:
		return t.input_tokens;
	case FILTER_OUT:
		return t.output_tokens;
	case FILTER_LATENCY:
		return t.latency;
	case FILTER_BYTES:
		return (double)s->length;
	case FILTER_POSITION:
		return placed ? (double)(position - trace->chains[s->chain].first + 1)
			      : NAN;
	default:
		return placed ? (double)trace_depth(trace, position) : NAN;
	}
}

/* A term's verdict from the facts that the trace has; UNKNOWN: it needs more. */
static enum filter_verdict judge_fact(struct judging *j, size_t term,
	const struct step *s, uint32_t step, bool arranged)
{
	const struct filter_term *t = &j->filter->terms[term];
	enum filter_cost cost = filter_fields[t->field].cost;
	const struct chain *c = s->chain == NO_CHAIN ? NULL : &j->trace->chains[s->chain];

	if (t->field == FILTER_FILE)
		return test(j, t, str_of(inputs_name_at(j->trace->inputs, s->offset)))
			       ? FILTER_YES
			       : FILTER_UNKNOWN;
	if (cost != COST_FACT && (cost != COST_ARRANGED || !arranged))
		return FILTER_UNKNOWN;
	switch (t->field) {
	case FILTER_MODEL:
		return verdict(test_interned(j, term, s->model));
	case FILTER_EVENT:
		return verdict(test_interned(j, term, s->event));
	case FILTER_TRACE:
		return verdict(test_interned(j, term, c ? c->trace_id : s->trace_id));
	case FILTER_CHAIN:
		return verdict(test(j, t,
			c ? trace_chain_title(j->trace, c)
			  : trace_text(j->trace, s->chain_name)));
	case FILTER_ERROR:
		return verdict(s->flags & STEP_FAILED);
	case FILTER_ORPHAN:
		return verdict(s->flags & STEP_ORPHAN);
	default:
		return verdict(filter_test_number(t, figure(j, t->field, s, step)));
	}
}

/* A term's verdict from the step's name or label, for which something is read. */
static enum filter_verdict judge_name(struct judging *j, size_t term, uint32_t step)
{
	const struct filter_term *t = &j->filter->terms[term];
	struct step s = trace_step(j->trace, step);
	AUTO_BUF name = BUF_INIT;
	const struct label *l;
	bool yes;

	j->costly = true;
	if (t->field == FILTER_LABEL) {
		l = labels_of(j->trace, &s);
		if (t->test == TEST_EMPTY)
			return verdict(!l);
		return verdict(l && test(j, t, buf_view(&l->text)));
	}
	step_title(j->trace, step, &name);
	yes = test(j, t, buf_view(&name));
	/* a step without a name that tells it from others is called by what it did */
	return yes || (s.name_at && trace_names_tell(j->trace)) ? verdict(yes)
								: FILTER_UNKNOWN;
}

/* ---- texts of an opened step ---- */

/* A term that is tried on several texts: it holds if one passes its test, or for
 * TEST_EMPTY if there is no text. */
struct text_trial {
	struct judging *judging;
	const struct filter_term *term;
	struct opened *opened;
	bool any, yes;
};

static void try_text(struct text_trial *a, struct str text)
{
	a->any = true;
	if (a->term->test != TEST_EMPTY && !a->yes)
		a->yes = test(a->judging, a->term, text);
}

static void try_roles(struct text_trial *a, const struct side *s)
{
	if (s->view == SIDE_TEXT && s->text.n)
		try_text(a, side_role(s->prefer));
	for (size_t i = 0; s->view == SIDE_CHAT && i < s->chat.count && !a->yes; i++)
		if (s->chat.items[i].kind == J_OBJECT)
			try_text(a, message_role(s->chat.items[i], s->prefer, NULL,
					    &a->opened->arena));
}

static void try_name(struct text_trial *a, const struct part *p)
{
	if (p->name.kind == J_STRING)
		try_text(a, jv_keep(p->name, &a->opened->arena));
}

/* What its row shows of a call: paths and commands. */
static void try_argument(struct text_trial *a, const struct part *call)
{
	const struct str folders[] = {opened_folder(a->opened), STR("")};
	AUTO_BUF text = BUF_INIT;

	for (size_t i = 0; i < 2; i++) {
		buf_clear(&text);
		brief_argument(call->body, folders[i], &text, SIZE_MAX);
		try_text(a, buf_view(&text));
	}
}

/* The parts of a kind in the messages of a side. */
static void try_parts(struct text_trial *a, const struct side *s, enum part_kind kind,
	void (*try)(struct text_trial *a, const struct part *p))
{
	for (size_t i = 0; s->view == SIDE_CHAT && i < s->chat.count && !a->yes; i++) {
		AUTO(parts_done)
		struct parts parts = parts_read(s->chat.items[i], &a->opened->arena);

		PARTS_EACH(part, &parts)
			if (part->kind == kind)
				try(a, part);
	}
}

static void try_definitions(struct text_trial *a, struct jv tools)
{
	AUTO(parts_done) struct parts parts = parts_read_tools(tools, &a->opened->arena);

	PARTS_EACH(p, &parts)
		if (p->kind == PART_TOOL)
			try_name(a, p);
}

/* The tools that a step offers: in its facts, in its event and in messages. */
static void try_offered(struct text_trial *a, const struct opened *o)
{
	struct jv event = o->facts.value;

	try_definitions(a, o->facts.v[FACT_TOOLS]);
	if (event.kind == J_OBJECT) {
		try_definitions(a, jv_member(event, "tools"));
		try_definitions(a, jv_member(jv_member(event, "tool_config"), "tools"));
	}
	try_parts(a, &o->input, PART_TOOL, try_name);
	try_parts(a, &o->output, PART_TOOL, try_name);
}

/* ---- the sides of an opened step ---- */

static bool search(struct judging *j, size_t term, struct str text, enum texts_kind kind)
{
	if (!j->texts[term])
		j->texts[term] = texts_new(j->filter->terms[term].query);
	return texts_count(j->texts[term], kind, text, HITS_PATIENCE) > 0;
}

/* Whether a side holds the text, or for TEST_EMPTY whether it is empty. */
static bool test_side(struct judging *j, size_t term, const struct opened *o, bool input)
{
	const struct side *s = input || o->shared ? &o->input : &o->output;
	bool found = false;

	if (j->filter->terms[term].test == TEST_EMPTY)
		return s->view == SIDE_EMPTY;
	if (s->view == SIDE_TEXT)
		found = search(j, term, s->text, TEXTS_RAW);
	else if (s->view == SIDE_JSON)
		found = search(j, term, jv_raw(s->value), TEXTS_JSON);
	for (size_t i = 0; s->view == SIDE_CHAT && i < s->chat.count && !found; i++)
		found = search(j, term, jv_raw(s->chat.items[i]), TEXTS_JSON);
	return found || (!input && search(j, term, jv_raw(o->response), TEXTS_JSON));
}

static void try_fact(struct text_trial *a, struct jv v)
{
	AUTO_BUF text = BUF_INIT;

	if (!jv_null(v))
		jv_text(v, &text);
	if (text.len)
		try_text(a, buf_view(&text));
}

/* A term's verdict from the opened step; for a flag `o` may be NULL. */
static enum filter_verdict judge_opened(
	struct judging *j, size_t term, struct opened *o, uint32_t step)
{
	const struct filter_term *t = &j->filter->terms[term];
	struct text_trial a = {j, t, o, false, false};
	AUTO(action_done) struct step_action action = {0};

	switch (t->field) {
	case FILTER_STEP_ID:
		/* all ids by which other steps may refer to this one */
		try_fact(&a, o->facts.v[FACT_ID]);
		try_fact(&a, o->facts.v[FACT_SPAN]);
		try_fact(&a, o->facts.v[FACT_GENERATION]);
		break;
	case FILTER_PROVIDER:
		try_fact(&a, o->facts.v[FACT_PROVIDER]);
		break;
	case FILTER_INPUT:
	case FILTER_OUTPUT:
		return verdict(test_side(j, term, o, t->field == FILTER_INPUT));
	case FILTER_ROLE:
		if (!(trace_flags(j->trace, step) & STEP_BROKEN)) {
			try_roles(&a, &o->input);
			try_roles(&a, &o->output);
		}
		break;
	case FILTER_NAME:
		action_read(&action, o);
		try_text(&a, buf_view(&action.text));
		break;
	case FILTER_FILE:
		try_parts(
			&a, o->shared ? &o->input : &o->output, PART_CALL, try_argument);
		break;
	case FILTER_TOOL:
		try_parts(&a, o->shared ? &o->input : &o->output, PART_CALL, try_name);
		break;
	case FILTER_OFFERED:
		try_offered(&a, o);
		break;
	case FILTER_BROKEN:
		return verdict(trace_flags(j->trace, step) & STEP_BROKEN);
	case FILTER_MENDED:
		return verdict(trace_flags(j->trace, step) & STEP_REPAIRED);
	default:
		return verdict(trace_flags(j->trace, step) & STEP_CUT);
	}
	return verdict(t->test == TEST_EMPTY ? !a.any : a.yes);
}

/* ---- one step ---- */

/* What a term's search says of a step that it has reached. */
static enum filter_verdict searched(const struct judging *j, size_t term, uint32_t step)
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
static enum filter_verdict judge_closed(struct judging *j, uint32_t step, size_t searches,
	bool arranged, enum filter_verdict of[FILTER_TERMS])
{
	struct step s = trace_step(j->trace, step);
	enum filter_verdict verdict;

	for (size_t i = 0; i < j->filter->count; i++)
		of[i] = judge_fact(j, i, &s, step, arranged);
	verdict = filter_decide(j->filter, of);
	for (size_t i = 0; i < j->filter->count && verdict == FILTER_UNKNOWN; i++) {
		if (filter_fields[j->filter->terms[i].field].cost != COST_NAME)
			continue;
		of[i] = judge_name(j, i, step);
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
static enum filter_verdict judge_text(
	struct judging *j, uint32_t step, enum filter_verdict of[FILTER_TERMS])
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
			of[i] = judge_opened(j, i, NULL, step);
	return filter_decide(j->filter, of);
}

/* UNKNOWN: its opening was stopped. */
static enum filter_verdict judge(struct judging *j, uint32_t step)
{
	enum filter_verdict of[FILTER_TERMS];
	enum filter_verdict verdict = judge_closed(j, step, j->search_count, true, of);
	struct opened *o;

	if (verdict == FILTER_UNKNOWN)
		verdict = judge_text(j, step, of);
	if (verdict != FILTER_UNKNOWN)
		return verdict;
	j->costly = true;
	o = opened_try(j->trace, step, false);
	for (size_t i = 0; o && i < j->filter->count && verdict == FILTER_UNKNOWN; i++) {
		if (of[i] != FILTER_UNKNOWN)
			continue;
		of[i] = judge_opened(j, i, o, step);
		verdict = filter_decide(j->filter, of);
	}
	opened_free(o);
	return verdict;
}

/* ---- searches ---- */

/* A search_wanted_fn.  Terms that a new arrangement may change count as unknown. */
static bool is_wanted(void *ctx, uint32_t step)
{
	struct judging *j = ctx;
	enum filter_verdict of[FILTER_TERMS];

	return judge_closed(j, step, j->begun - 1, false, of) == FILTER_UNKNOWN;
}

/* Makes the search of a term that has a text to look for: any step for which the term
 * holds has it. */
static void add_search(struct judging *j, size_t term, bool own)
{
	const struct filter_term *t = &j->filter->terms[term];
	enum filter_cost cost = filter_fields[t->field].cost;

	if (cost != (own ? COST_SEARCH : COST_OPEN) || !t->query)
		return;
	/* a message without a role has that of its side, which no search can find */
	if (t->field == FILTER_ROLE && (test(j, t, side_role(PREFER_INPUT)) ||
					       test(j, t, side_role(PREFER_OUTPUT))))
		return;
	j->order[j->search_count++] = term;
	j->searches[term] = search_new(j->trace, t->query);
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

static bool is_moved(const struct judging *j)
{
	return j->arranged &&
	       (j->arrangement != j->trace->arrangement || j->sums != j->trace->sums);
}

static bool has_last_grown(const struct judging *j)
{
	return j->state.steps && j->last_end &&
	       end_of(j, j->state.steps - 1) != j->last_end;
}

static void follow_trace(struct judging *j)
{
	const struct trace *trace = j->trace;

	if (j->generation != trace->generation || trace->count < j->state.steps) {
		j->generation = trace->generation;
		memset(j->passes, 0, j->byte_count);
		j->state.passed = 0;
		j->state.changes++;
		judge_again(j, 0);
	} else if (has_last_grown(j)) {
		judge_again(j, j->state.steps - 1);
	}
	if (j->failing && j->failure_count != trace->failures) {
		j->failure_count = trace->failures;
		judge_again(j, 0);
	}
	if (!is_moved(j))
		return;
	j->arrangement = trace->arrangement;
	j->sums = trace->sums;
	forget_memos(j);
	judge_again(j, 0);
}

/* The last step may not be complete. */
static size_t end_of_steps(const struct judging *j, bool settled)
{
	return j->trace->count - (j->trace->count && !settled);
}

/* ---- slices ---- */

struct judging *judging_new(struct trace *trace, const struct filter *f)
{
	struct judging *j = mem_zalloc(1, sizeof(*j));

	j->trace = trace;
	j->filter = f;
	j->generation = trace->generation;
	j->patience.left = FILTER_PATIENCE;
	j->byte_count = trace->count / 8 + 1;
	j->passes = mem_zalloc(j->byte_count, 1);
	for (size_t i = 0; i < f->count; i++) {
		j->arranged |= filter_fields[f->terms[i].field].cost == COST_ARRANGED;
		j->failing |= f->terms[i].field == FILTER_ERROR;
	}
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
	mem_free(j->passes);
	mem_free(j);
}

/* Judges steps up to `end`; false when time is up before. */
static bool judge_on(struct judging *j, size_t end, uint64_t deadline)
{
	for (unsigned passed = 1; j->state.steps < end; passed++) {
		size_t step = j->state.steps;
		enum filter_verdict verdict;

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

bool judging_is_idle(const struct judging *j, bool settled)
{
	const struct trace *trace = j->trace;
	const size_t end = end_of_steps(j, settled);

	if (j->failing && (j->failure_count != trace->failures ||
				  !failure_walk_is_over(&j->failures, trace, end)))
		return false;
	for (size_t i = 0; i < j->search_count; i++)
		if (!search_is_idle(j->searches[j->order[i]], settled))
			return false;
	return j->generation == trace->generation && j->state.steps >= end &&
	       j->state.steps <= trace->count && !has_last_grown(j) && !is_moved(j);
}

enum task_state judging_run(struct judging *j, uint64_t deadline, bool settled)
{
	size_t end = end_of_steps(j, settled);
	bool more = false;

	if (j->failing &&
		failure_walk_run(&j->failures, j->trace, end, deadline) == TASK_MORE)
		return TASK_MORE;
	follow_trace(j);
	for (size_t i = 0; i < j->search_count && !more; i++) {
		j->begun = i + 1;
		more = search_run(j->searches[j->order[i]], deadline, settled) ==
		       TASK_MORE;
	}
	if (searched_steps(j) < end)
		end = searched_steps(j);
	if (j->state.steps > end) /* a step that was judged has grown since */
		judge_again(j, end);
	more |= !judge_on(j, end, deadline);
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

	state.gave_up += j->patience.gave_up;
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
