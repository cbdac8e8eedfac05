/* The test of one step by one term of a filter: see filter_program.h. */
#include "config.h"
#include "query/filter_program.h"

#include <math.h>

#include "base/mem.h"
#include "import/action.h"
#include "trace/labels.h"

static enum verdict_of_filter verdict(bool yes)
{
	return yes ? FILTER_YES : FILTER_NO;
}

/* ---- tests ---- */

static bool take_first(void *ctx, uint64_t from, uint64_t to)
{
	return false;
}

/* All texts share one patience: many of them may be tested between two looks at the
 * clock. */
static bool holds(const struct filter_term *t, struct str text, uint64_t *patience,
	size_t *gave_up)
{
	struct query_run run;
	bool found;

	query_begin(&run, t->query);
	run.each = take_first;
	run.patience = *patience;
	query_text(&run, text);
	*patience = run.patience;
	*gave_up += run.gave_up;
	found = run.hits > 0;
	query_done(&run);
	return found;
}

static bool test(const struct filter_term *t, struct str text, uint64_t *patience,
	size_t *gave_up)
{
	switch (t->test) {
	case TEST_HOLDS:
		return holds(t, text, patience, gave_up);
	case TEST_IS:
		return str_equal(text, buf_view(&t->text));
	default:
		return !text.n;
	}
}

static bool filter_term_text(struct judging *j, const struct filter_term *t, struct str text)
{
	return test(t, text, &j->patience, &j->gave_up);
}

bool filter_term_plain(const struct filter_term *t, struct str text)
{
	uint64_t patience = FILTER_PATIENCE;
	size_t gave_up = 0;

	return test(t, text, &patience, &gave_up);
}

bool filter_term_number(const struct filter_term *t, double n)
{
	if (isnan(n))
		return false;
	if (t->test == TEST_OTHER)
		return n != t->low;
	return (t->above ? n > t->low : n >= t->low) &&
	       (t->below ? n < t->high : n <= t->high);
}

bool filter_term_searches(struct judging *j, const struct filter_term *t)
{
	enum filter_cost cost = filter_fields[t->field].cost;

	if ((cost != COST_SEARCH && cost != COST_OPEN) || !t->query)
		return false;
	/* a message without a role has that of its side, which no search can find */
	return t->field != FILTER_ROLE ||
	       (!filter_term_text(j, t, side_role(PREFER_INPUT)) &&
		       !filter_term_text(j, t, side_role(PREFER_OUTPUT)));
}

/* ---- facts of the trace ---- */

static bool test_interned(struct judging *j, size_t term, uint32_t text)
{
	struct filter_memo *memo = &j->memos[term];
	size_t before = memo->count;
	const struct filter_term *t = &j->filter->terms[term];

	if (text == NO_TEXT)
		return filter_term_text(j, t, STR(""));
	if (text >= memo->count) {
		memo->of = mem_grow(memo->of, &memo->count, text + (size_t)1, 1);
		memset(memo->of + before, 0, memo->count - before);
	}
	if (!memo->of[text])
		memo->of[text] = 1 + filter_term_text(j, t, trace_text(j->trace, text));
	return memo->of[text] == 2;
}

/* The position of a step, or order_count while it has none. */
static size_t position_of(const struct judging *j, uint32_t step)
{
	const struct trace *trace = j->trace;

	if (step >= trace->arranged || (trace->order && step >= j->position_count))
		return trace->order_count;
	return trace->order ? j->positions[step] : step;
}

/* A figure as the list shows it; NaN: the step does not have it. */
static double figure(const struct judging *j, enum filter_id field, const struct step *s,
	uint32_t step)
{
	const struct trace *trace = j->trace;
	size_t position = position_of(j, step);
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

static bool test_chain(
	struct judging *j, size_t term, const struct step *s, enum filter_id field)
{
	const struct trace *trace = j->trace;
	const struct chain *c = s->chain == NO_CHAIN ? NULL : &trace->chains[s->chain];

	if (field == FILTER_TRACE)
		return test_interned(j, term, c ? c->trace_id : s->trace_id);
	return filter_term_text(j, &j->filter->terms[term],
		c ? trace_chain_title(trace, c) : trace_text(trace, s->chain_name));
}

enum verdict_of_filter filter_fact(struct judging *j, size_t term, const struct step *s,
	uint32_t step, bool arranged)
{
	const struct filter_term *t = &j->filter->terms[term];
	enum filter_cost cost = filter_fields[t->field].cost;

	if (t->field == FILTER_FILE)
		return filter_term_text(
			       j, t, str_of(inputs_name_at(j->trace->inputs, s->offset)))
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
	case FILTER_CHAIN:
		return verdict(test_chain(j, term, s, t->field));
	case FILTER_ERROR:
		return verdict(s->flags & STEP_FAILED);
	case FILTER_ORPHAN:
		return verdict(s->flags & STEP_ORPHAN);
	default:
		return verdict(filter_term_number(t, figure(j, t->field, s, step)));
	}
}

static enum verdict_of_filter has_label(struct judging *j, size_t term, uint32_t step)
{
	const struct filter_term *t = &j->filter->terms[term];
	struct step s = trace_step(j->trace, step);
	const struct label *l = labels_of(j->trace, &s);

	j->costly = true;
	if (t->test == TEST_EMPTY)
		return verdict(!l);
	return verdict(l && filter_term_text(j, t, buf_view(&l->text)));
}

enum verdict_of_filter filter_name(struct judging *j, size_t term, uint32_t step)
{
	struct buf name = BUF_INIT;
	bool yes;

	if (j->filter->terms[term].field == FILTER_LABEL)
		return has_label(j, term, step);
	step_title(j->trace, step, &name);
	yes = filter_term_text(j, &j->filter->terms[term], buf_view(&name));
	j->costly = true;
	buf_done(&name);
	/* a step without a name that tells it from others is called by what it did */
	return yes || (trace_step(j->trace, step).name_at && trace_names_tell(j->trace))
		       ? verdict(yes)
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
		a->yes = filter_term_text(a->judging, a->term, text);
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
		AUTO(parts_done) struct parts parts = {0};

		parts_read(&parts, s->chat.items[i], &a->opened->arena);
		for (size_t n = 0; n < parts.count; n++)
			if (PART_AT(&parts, n)->kind == kind)
				try(a, PART_AT(&parts, n));
	}
}

static void try_action(struct text_trial *a)
{
	AUTO(action_done) struct step_action action = {0};

	action_read(&action, a->opened);
	try_text(a, buf_view(&action.text));
}

static void try_definitions(struct text_trial *a, struct jv tools)
{
	AUTO(parts_done) struct parts parts = {0};

	parts_read_tools(&parts, tools, &a->opened->arena);
	for (size_t i = 0; i < parts.count; i++)
		if (PART_AT(&parts, i)->kind == PART_TOOL)
			try_name(a, PART_AT(&parts, i));
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

static bool search_side(struct judging *j, size_t term, const struct side *s)
{
	bool found = false;

	if (s->view == SIDE_TEXT)
		return search(j, term, s->text, TEXTS_RAW);
	if (s->view == SIDE_JSON)
		return search(j, term, jv_raw(s->value), TEXTS_JSON);
	for (size_t i = 0; s->view == SIDE_CHAT && i < s->chat.count && !found; i++)
		found = search(j, term, jv_raw(s->chat.items[i]), TEXTS_JSON);
	return found;
}

/* Whether a side holds the text, or for TEST_EMPTY whether it is empty. */
static bool test_side(struct judging *j, size_t term, const struct opened *o, bool input)
{
	const struct side *s = input || o->shared ? &o->input : &o->output;

	if (j->filter->terms[term].test == TEST_EMPTY)
		return s->view == SIDE_EMPTY;
	return search_side(j, term, s) ||
	       (!input && search(j, term, jv_raw(o->response), TEXTS_JSON));
}

static void try_fact(struct text_trial *a, struct jv v)
{
	AUTO_BUF text = BUF_INIT;

	if (!jv_null(v))
		jv_text(v, &text);
	if (text.len)
		try_text(a, buf_view(&text));
}

enum verdict_of_filter filter_opened(
	struct judging *j, size_t term, struct opened *o, uint32_t step)
{
	const struct filter_term *t = &j->filter->terms[term];
	struct text_trial a = {j, t, o, false, false};

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
		try_action(&a);
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
