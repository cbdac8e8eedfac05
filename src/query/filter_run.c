/*
 * Filtering all steps: see filter.h.  A step's terms are decided one by one,
 * the cheap ones first: facts, the name, the bytes that a search looks through, the
 * opened step.  After each the filter's program is evaluated with what is known so far,
 * "unknown" included; a step that is decided costs nothing more.
 *
 * What was found in the bytes of a step is remembered: when the steps are arranged anew,
 * or more failures are known, all steps are decided again.
 */
#include "config.h"
#include "query/filter.h"

#include <math.h>

#include "base/mem.h"
#include "base/work.h"
#include "import/action.h"
#include "import/describe.h"
#include "import/failure.h"
#include "query/hits.h"
#include "query/search.h"
#include "trace/labels.h"

#define PIECE 64 /* steps decided between two looks at the clock */

/* What a term says of interned texts, or of steps, by their number. */
struct filter_memo {
	unsigned char *of; /* 0: unknown */
	size_t count;
};

/* ... of the bytes of a step */
enum { FOUND_KNOWN = 1, FOUND_HITS = 2, FOUND_GAVE_UP = 4 };

struct filter_run {
	struct trace *trace;
	const struct filter *filter;
	struct filter_memo memos[FILTER_TERMS];    /* of interned texts */
	struct step_finder *finders[FILTER_TERMS]; /* by term, or NULL */
	struct filter_memo found[FILTER_TERMS];    /* by finders, of steps */
	struct texts *texts[FILTER_TERMS]; /* by term, or NULL: to search one side */
	bool arranged;                     /* some term has COST_ARRANGED */
	bool failing; /* some term asks for failures, which `failures` finds */
	struct failure_walk failures;
	uint32_t failure_count; /* of the trace, when it was read */
	/* the step that is being decided */
	struct step step;
	struct step_content *opened; /* NULL: not yet */
	uint64_t deadline;
	bool costly;  /* it was read from the file */
	bool stopped; /* it is decided again: the deadline passed, or a key waits */
	/* of all texts: many of them may be tested between two looks at the clock */
	struct filter_budget time_left;
	size_t gave_up;            /* in so many bytes of steps a search did */
	struct filter_memo passes; /* steps do */
	size_t known;              /* those below this number were looked at; */
	uint64_t known_end;        /* the last of them ends there */
	uint32_t generation, arrangement, sums; /* of the trace, when they were read */
	struct filter_progress state;
};

static enum filter_result result_of(bool yes)
{
	return yes ? FILTER_YES : FILTER_NO;
}

static bool test(struct filter_run *j, const struct filter_term *t, struct str text)
{
	return filter_test_text(t, text, &j->time_left);
}

/* ---- facts of the trace ---- */

static unsigned char *memo_at(struct filter_memo *memo, size_t at)
{
	size_t before = memo->count;

	if (at >= memo->count) {
		memo->of = mem_grow(memo->of, &memo->count, at + 1, 1);
		memset(memo->of + before, 0, memo->count - before);
	}
	return &memo->of[at];
}

static bool test_interned(struct filter_run *j, size_t term, uint32_t text)
{
	const struct filter_term *t = &j->filter->terms[term];
	unsigned char *memo;

	if (text == NO_TEXT)
		return test(j, t, STR(""));
	memo = memo_at(&j->memos[term], text);
	if (!*memo)
		*memo = 1 + test(j, t, trace_text(j->trace, text));
	return *memo == 2;
}

/* A figure as the list shows it; NaN: the step does not have it. */
static double figure(const struct filter_run *j, enum filter_id field,
	const struct step *s, uint32_t step)
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

/* A term's result from the facts that the trace has; UNKNOWN: it needs more. */
static enum filter_result decide_fact(struct filter_run *j, size_t term, uint32_t step)
{
	const struct filter_term *t = &j->filter->terms[term];
	const struct step *s = &j->step;
	const struct chain *c = s->chain == NO_CHAIN ? NULL : &j->trace->chains[s->chain];

	if (t->field == FILTER_FILE &&
		test(j, t, str_of(inputs_name_at(j->trace->inputs, s->offset))))
		return FILTER_YES;
	if (filter_fields[t->field].cost > COST_ARRANGED)
		return FILTER_UNKNOWN;
	switch (t->field) {
	case FILTER_MODEL:
		return result_of(test_interned(j, term, s->model));
	case FILTER_EVENT:
		return result_of(test_interned(j, term, s->event));
	case FILTER_TRACE:
		return result_of(test_interned(j, term, c ? c->trace_id : s->trace_id));
	case FILTER_CHAIN:
		return result_of(test(j, t,
			c ? trace_chain_title(j->trace, c)
			  : trace_text(j->trace, s->chain_name)));
	case FILTER_ERROR:
		return result_of(s->flags & STEP_FAILED);
	case FILTER_ORPHAN:
		return result_of(s->flags & STEP_ORPHAN);
	default:
		return result_of(filter_test_number(t, figure(j, t->field, s, step)));
	}
}

/* A term's result from the step's name or label, for which something is read. */
static enum filter_result decide_name(struct filter_run *j, size_t term, uint32_t step)
{
	const struct filter_term *t = &j->filter->terms[term];
	AUTO_BUF name = BUF_INIT;
	const struct label *l;
	bool yes;

	j->costly = true;
	if (t->field == FILTER_LABEL) {
		l = labels_of(j->trace, &j->step);
		if (t->test == TEST_EMPTY)
			return result_of(!l);
		return result_of(l && test(j, t, l->text));
	}
	step_title(j->trace, step, &name);
	yes = test(j, t, buf_view(&name));
	/* a step without a name that tells it from others is called by what it did */
	return yes || (j->step.name_at && trace_names_tell(j->trace)) ? result_of(yes)
								      : FILTER_UNKNOWN;
}

/* Whether a term holds for a tool whose name no search finds in the bytes of the step:
 * its format makes the name up. */
static bool is_made_up(struct filter_run *j, const struct filter_term *t)
{
	const struct description *d = j->trace->scopes[j->step.scope].description;
	const struct made_name *name = d ? d->made_names : NULL;

	while (name && !test(j, t, name->text))
		name = name->next;
	return name;
}

/* What the bytes say of a term with a text to look for: any step for which it holds has
 * it. */
static enum filter_result judge_bytes(struct filter_run *j, size_t term, uint32_t step)
{
	const struct filter_term *t = &j->filter->terms[term];
	bool own = filter_fields[t->field].cost == COST_SEARCH;
	unsigned char *memo;
	struct found found;

	if (!j->finders[term] || (t->field == FILTER_TOOL && is_made_up(j, t)))
		return FILTER_UNKNOWN;
	memo = memo_at(&j->found[term], step);
	if (!*memo) {
		j->stopped = step_finder_run(j->finders[term], step, j->deadline,
				     &found) == TASK_MORE;
		j->costly |= found.read;
		if (j->stopped)
			return FILTER_UNKNOWN;
		*memo = (unsigned char)(FOUND_KNOWN | (found.hits ? FOUND_HITS : 0) |
					(found.gave_up ? FOUND_GAVE_UP : 0));
		j->gave_up += found.gave_up;
	}
	if (*memo & FOUND_HITS)
		return own ? FILTER_YES : FILTER_UNKNOWN;
	return *memo & FOUND_GAVE_UP && !own ? FILTER_UNKNOWN : FILTER_NO;
}

/* ---- texts of an opened step ---- */

/* A term that is tried on several texts: it holds if one passes its test, or for
 * TEST_EMPTY if there is no text. */
struct text_trial {
	struct filter_run *filter_run;
	const struct filter_term *term;
	struct step_content *opened;
	bool any, yes;
};

static void try_text(struct text_trial *a, struct str text)
{
	a->any = true;
	if (a->term->test != TEST_EMPTY && !a->yes)
		a->yes = test(a->filter_run, a->term, text);
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
	const struct str folders[] = {step_content_folder(a->opened), STR("")};
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
static void try_offered(struct text_trial *a, const struct step_content *o)
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

static bool search(
	struct filter_run *j, size_t term, struct str text, enum texts_kind kind)
{
	if (!j->texts[term])
		j->texts[term] = texts_new(j->filter->terms[term].query, NULL, NULL);
	return texts_count(j->texts[term], kind, text, HITS_TIME_LIMIT) > 0;
}

/* Whether a side holds the text, or for TEST_EMPTY whether it is empty. */
static bool test_side(
	struct filter_run *j, size_t term, const struct step_content *o, bool input)
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

/* A flag of the step's JSON, which is known once that was checked. */
static enum filter_result judge_flag(struct filter_run *j, size_t term, uint32_t step)
{
	enum filter_id field = j->filter->terms[term].field;

	if (filter_fields[field].kind != FILTER_FLAG)
		return FILTER_UNKNOWN;
	if (!(trace_flags(j->trace, step) & STEP_CHECKED)) {
		if (j->step.length > OPENED_AT_ONCE)
			return FILTER_UNKNOWN; /* opening it decides it, and can be
						  stopped */
		j->costly = true;
		step_check(j->trace, step);
	}
	return result_of(trace_flags(j->trace, step) &
			 (field == FILTER_BROKEN          ? STEP_BROKEN
				 : field == FILTER_MENDED ? STEP_REPAIRED
							  : STEP_CUT));
}

static enum filter_result judge_opened(struct filter_run *j, size_t term, uint32_t step)
{
	const struct filter_term *t = &j->filter->terms[term];
	struct text_trial a = {.filter_run = j, .term = t};
	AUTO(action_done) struct step_action action = {0};
	struct step_content *o;

	j->costly = true;
	if (!j->opened)
		j->opened = step_content_try(j->trace, step, false);
	a.opened = o = j->opened;
	j->stopped = !o;
	if (!o)
		return FILTER_UNKNOWN;
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
		return result_of(test_side(j, term, o, t->field == FILTER_INPUT));
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
	default: /* opening it has checked it */
		return judge_flag(j, term, step);
	}
	return result_of(t->test == TEST_EMPTY ? !a.any : a.yes);
}

/* ---- one step ---- */

/* The ways to decide a term, by what its field costs. */
static const struct {
	enum filter_cost least, most;
	enum filter_result (*decide)(struct filter_run *j, size_t term, uint32_t step);
} ways[] = {
	{COST_FACT, COST_OPEN, decide_fact},
	{COST_NAME, COST_NAME, decide_name},
	{COST_SEARCH, COST_SEARCH, judge_bytes},
	{COST_OPEN, COST_OPEN, judge_bytes},
	{COST_OPEN, COST_OPEN, judge_flag},
	{COST_NAME, COST_OPEN, judge_opened},
};

/* UNKNOWN: it was stopped. */
static enum filter_result decide(struct filter_run *j, uint32_t step)
{
	enum filter_result of[FILTER_TERMS], decided = FILTER_UNKNOWN;
	const size_t terms = j->filter->count;

	for (size_t i = 0; i < terms; i++)
		of[i] = FILTER_UNKNOWN;
	j->step = trace_step(j->trace, step);
	j->costly = j->stopped = false;
	for (size_t n = 0; n < terms * (sizeof(ways) / sizeof(*ways)); n++) {
		size_t way = n / terms, i = n % terms;
		enum filter_cost cost = filter_fields[j->filter->terms[i].field].cost;

		if (of[i] != FILTER_UNKNOWN || cost < ways[way].least ||
			cost > ways[way].most)
			continue;
		of[i] = ways[way].decide(j, i, step);
		if (of[i] != FILTER_UNKNOWN)
			decided = filter_decide(j->filter, of);
		if (decided != FILTER_UNKNOWN || j->stopped)
			break;
	}
	step_content_free(j->opened);
	j->opened = NULL;
	return decided;
}

/* ---- keeping up with the trace ---- */

static void forget_memos(struct filter_memo *memos, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		mem_free(memos[i].of);
		memos[i] = (struct filter_memo){0};
	}
}

static bool is_moved(const struct filter_run *j)
{
	return j->arranged &&
	       (j->arrangement != j->trace->arrangement || j->sums != j->trace->sums);
}

static bool has_last_grown(const struct filter_run *j)
{
	return j->known && trace_step_end(j->trace, j->known - 1) != j->known_end;
}

static void follow_trace(struct filter_run *j)
{
	const struct trace *trace = j->trace;

	if (j->generation != trace->generation || trace->count < j->known) {
		j->generation = trace->generation;
		forget_memos(&j->passes, 1);
		j->state.passed = 0;
		j->state.changes++;
		j->known = 0;
		j->gave_up = 0;
		forget_memos(j->found, FILTER_TERMS);
		j->state.steps = 0;
	} else if (has_last_grown(j)) {
		/* what was found in the last step, and its result, may be others now */
		j->known--;
		j->known_end = j->known ? trace_step_end(j->trace, j->known - 1) : 0;
		if (j->state.steps > j->known)
			j->state.steps = j->known;
		for (size_t i = 0; i < j->filter->count; i++)
			if (j->known < j->found[i].count) {
				j->gave_up -= j->found[i].of[j->known] / FOUND_GAVE_UP;
				j->found[i].of[j->known] = 0;
			}
	}
	if (j->failing && j->failure_count != trace->failures) {
		j->failure_count = trace->failures;
		j->state.steps = 0; /* old results are valid until then */
	}
	if (!is_moved(j))
		return;
	j->arrangement = trace->arrangement;
	j->sums = trace->sums;
	forget_memos(j->memos, FILTER_TERMS);
	j->state.steps = 0;
}

/* The last step may not be complete. */
static size_t end_of_steps(const struct filter_run *j, bool settled)
{
	return j->trace->count - (j->trace->count && !settled);
}

/* ---- slices ---- */

static void add_finder(struct filter_run *j, size_t term)
{
	const struct filter_term *t = &j->filter->terms[term];

	if (filter_fields[t->field].cost < COST_SEARCH || !t->query)
		return;
	/* a message without a role has that of its side, which no search can find */
	if (t->field == FILTER_ROLE && (test(j, t, side_role(PREFER_INPUT)) ||
					       test(j, t, side_role(PREFER_OUTPUT))))
		return;
	/* so is Gemini's code, which some write as executableCode */
	if (t->field == FILTER_TOOL && test(j, t, STR("executable_code")) &&
		!test(j, t, STR("executableCode")))
		return;
	j->finders[term] = step_finder_new(j->trace, t->query);
}

struct filter_run *filter_run_new(struct trace *trace, const struct filter *f)
{
	struct filter_run *j = mem_zalloc(1, sizeof(*j));

	j->trace = trace;
	j->filter = f;
	j->generation = trace->generation;
	j->time_left.left = FILTER_TIME_LIMIT;
	for (size_t i = 0; i < f->count; i++) {
		j->arranged |= filter_fields[f->terms[i].field].cost == COST_ARRANGED;
		j->failing |= f->terms[i].field == FILTER_ERROR;
		add_finder(j, i);
	}
	j->arrangement = trace->arrangement;
	j->sums = trace->sums;
	return j;
}

void filter_run_free(struct filter_run *j)
{
	if (!j)
		return;
	failure_walk_done(&j->failures);
	forget_memos(j->memos, FILTER_TERMS);
	forget_memos(j->found, FILTER_TERMS);
	for (size_t i = 0; i < FILTER_TERMS; i++) {
		step_finder_free(j->finders[i]);
		texts_free(j->texts[i]);
	}
	forget_memos(&j->passes, 1);
	mem_free(j);
}

bool filter_run_is_idle(const struct filter_run *j, bool settled)
{
	const struct trace *trace = j->trace;
	const size_t end = end_of_steps(j, settled);

	if (j->failing && (j->failure_count != trace->failures ||
				  !failure_walk_is_over(&j->failures, trace, end)))
		return false;
	return j->generation == trace->generation && j->state.steps >= end &&
	       j->known <= trace->count && !has_last_grown(j) && !is_moved(j);
}

enum task_state filter_run_go(struct filter_run *j, uint64_t deadline, bool settled)
{
	size_t end = end_of_steps(j, settled);

	if (j->failing &&
		failure_walk_run(&j->failures, j->trace, end, deadline) == TASK_MORE)
		return TASK_MORE;
	follow_trace(j);
	j->deadline = deadline;
	for (unsigned passed = 1; j->state.steps < end; passed++) {
		size_t step = j->state.steps;
		enum filter_result result;
		unsigned char *passes;
		bool yes;

		count_work(WORK_STEPS, 1);
		if (step >= j->known) {
			j->known = step + 1;
			j->known_end = trace_step_end(j->trace, step);
		}
		result = decide(j, (uint32_t)step);
		if (result == FILTER_UNKNOWN)
			return TASK_MORE;
		yes = result == FILTER_YES;
		passes = memo_at(&j->passes, step);
		j->state.passed += yes;
		j->state.passed -= *passes;
		j->state.changes += *passes != yes;
		*passes = yes;
		j->state.steps++;
		if ((passed % PIECE == 0 || j->costly) && clock_passed(deadline) &&
			j->state.steps < end)
			return TASK_MORE;
	}
	return TASK_IDLE;
}

bool filter_run_passes(const struct filter_run *j, uint32_t step)
{
	return j->generation == j->trace->generation && step < j->passes.count &&
	       j->passes.of[step];
}

struct filter_progress filter_run_state(const struct filter_run *j)
{
	struct filter_progress state = j->state;
	size_t all = j->trace->count;

	state.gave_up += j->time_left.gave_up + j->gave_up;
	state.percent = state.steps < all ? (unsigned)(100 * state.steps / all) : 100;
	return state;
}
