/* What the scan found in a value becomes facts of a step or of a chain: see loader.h.
 */
#include "config.h"
#include "import/loader.h"

#include <math.h>

#include "base/arena.h"
#include "base/mem.h"
#include "json/json.h"

void candidate_begin(
	struct candidate *c, const struct scan_item *item, const struct trace *trace)
{
	slots_clear(&c->slots);
	c->shape = (struct shape){.kind = item->kind};
	c->start = item->start;
	c->end = c->positions = 0;
	c->row = c->may_carry = c->run = c->child = c->holds_steps = false;
	c->carrier = CARRIER_VALUE;
	c->columns = c->found_columns = NULL;
	c->description = NULL;
	c->first_step = trace->count;
	c->first_scope = trace->scope_count;
}

static void put_found(void *ctx, int leaf, struct jv value)
{
	struct candidate *c = ctx;

	if (c->description->summed[leaf])
		slots_add(&c->slots, leaf, value);
	else
		slots_put(&c->slots, leaf, value, UINT64_MAX, value.n);
}

void candidate_read(struct candidate *c, uint16_t node, struct jv value)
{
	AUTO_ARENA arena = {0};
	struct trie_reading r = {&c->description->trie, &arena, put_found, c};

	trie_read(&r, node, value);
}

#define FACT_LONGEST 65536 /* a longer text is no name and no id */

struct lift {
	const struct candidate *c;
	struct trace *trace;
	struct buf scratch, text;
};

static void lift_done(struct lift *l)
{
	buf_done(&l->scratch);
	buf_done(&l->text);
}

/* The value of a slot; the bytes of a long one are kept until the next. */
static struct jv slot_value(struct lift *l, const struct slot *s)
{
	if (s->len <= SLOT_TEXT)
		return slot_view(s);
	buf_clear(&l->scratch);
	buf_reserve(&l->scratch, (size_t)s->len);
	l->scratch.len = source_read(
		l->c->source, s->at, l->scratch.data, (size_t)s->len);
	return jv_parse(buf_view(&l->scratch));
}

/* The slot of a leaf, or NULL. */
static const struct slot *leaf_slot(const struct candidate *c, int leaf)
{
	const struct slot *s = leaf < 0 ? NULL : &c->slots.by_field[leaf];

	return s && s->round == c->slots.round ? s : NULL;
}

struct jv candidate_leaf(void *ctx, int leaf)
{
	const struct candidate *c = ctx;
	const struct slot *s = leaf_slot(c, leaf);

	if (!s)
		return JV_NONE;
	return s->len <= SLOT_TEXT ? slot_view(s)
				   : (struct jv){.kind = s->kind, .cut = true};
}

static const struct fact_places *places_of(const struct candidate *c, enum fact fact)
{
	return c->run ? &c->description->run[fact] : &c->description->facts[fact];
}

int candidate_place(const struct candidate *c, const struct fact_places *p)
{
	return p->count ? place_that_counts(
				  p, c->description->events, candidate_leaf, (void *)c)
			: -1;
}

/* The slot of the place that counts, or NULL.  Most facts stand in one place. */
static const struct slot *place_slot(
	const struct candidate *c, const struct fact_places *p)
{
	bool one = p->count == 1 && !p->items[0].when.count;
	int place = one ? 0 : candidate_place(c, p);
	const struct slot *s = place < 0 ? NULL : leaf_slot(c, p->items[place].leaf);

	return s && s->kind == J_NULL && !c->description->events ? NULL : s;
}

/* What is there, if it is no longer than names and ids are. */
static struct jv place_value(struct lift *l, const struct fact_places *p)
{
	const struct slot *s = place_slot(l->c, p);

	return s && s->len <= FACT_LONGEST ? slot_value(l, s) : JV_NONE;
}

static struct jv lift_value(struct lift *l, enum fact fact)
{
	return place_value(l, places_of(l->c, fact));
}

/* A figure; NaN: nothing says it. */
static double lift_number(struct lift *l, enum fact fact)
{
	const struct fact_places *p = places_of(l->c, fact);
	double sum = NAN;

	if (!p->sum)
		return p->count ? fact_number(place_value(l, p)) : NAN;
	for (size_t i = 0; i < p->count; i++) {
		const struct slot *s = leaf_slot(l->c, p->items[i].leaf);
		if (s && s->len <= FACT_LONGEST)
			sum = sum_of_known(sum, fact_number(slot_value(l, s)));
	}
	return sum;
}

/* The text of a value; false when it is empty. */
static bool text_of(struct lift *l, struct jv v, struct str *text)
{
	if (jv_empty(v) && v.kind != J_NUMBER)
		return false;
	*text = v.kind == J_STRING ? jv_str(v, &l->text) : jv_raw(v);
	return true;
}

static uint32_t interned(struct lift *l, struct jv v)
{
	struct str text;

	return text_of(l, v, &text) ? intern_add(&l->trace->texts, text) : NO_TEXT;
}

static uint32_t lift_interned(struct lift *l, enum fact fact)
{
	return interned(l, lift_value(l, fact));
}

static uint64_t lift_parent(struct lift *l)
{
	struct jv value = lift_value(l, FACT_PARENT);
	struct str id;
	size_t n = 0;

	if (value.kind == J_OBJECT || value.kind == J_ARRAY || !text_of(l, value, &id))
		return 0;
	/* some write a parent that there is not as zeros, or as a word */
	while (n < id.n && (id.p[n] == '0' || (n == 1 && id.p[n] == 'x')))
		n++;
	if (!l->c->description->events && (n == id.n || str_equal(id, STR("undefined")) ||
						  str_equal(id, STR("null"))))
		return 0;
	return trace_key(id);
}

static bool is_error(struct lift *l)
{
	const struct slot *error = place_slot(l->c, places_of(l->c, FACT_ERROR));
	struct jv flag;

	if (l->c->description->failed.count && !l->c->run)
		return groups_hold(
			&l->c->description->failed, candidate_leaf, (void *)l->c);

	flag = lift_value(l, FACT_IS_ERROR);
	return (!jv_empty(flag) && !jv_is(flag, STR("false"))) ||
	       (error && !slot_empty(error) && error->kind != J_NULL);
}

/* What a format says of the kind of a step. */
static uint32_t kind_flags(const struct lift *l)
{
	const struct description *d = l->c->description;
	struct candidate *c = (struct candidate *)l->c;
	enum time_unit unit;
	struct jv kind;

	if (c->run)
		return STEP_CONTAINER;
	kind = places_value(&d->kind_at, candidate_leaf, c, &unit);
	if (groups_hold(&d->call_when, candidate_leaf, c))
		return STEP_CALL;
	if (groups_hold(&d->container_when, candidate_leaf, c))
		return STEP_CONTAINER;
	if (text_is_one_of(kind, &d->calls))
		return STEP_CALL;
	if (text_is_one_of(kind, &d->traces))
		return STEP_CONTAINER | STEP_TRACE;
	return text_is_one_of(kind, &d->containers) ? STEP_CONTAINER : 0;
}

/*
 * What is stated, unless start and end say something quite different: some exports state
 * milliseconds where others state seconds.
 */
static double lift_latency(struct lift *l, double start)
{
	const struct fact_places *p = places_of(l->c, FACT_LATENCY);
	int place = candidate_place(l->c, p);
	double stated = NAN, measured;

	if (place >= 0)
		stated = unit_seconds_of(
			place_value(l, p), (enum time_unit)p->items[place].unit);

	if (!places_of(l->c, FACT_END)->count)
		return stated;
	measured = described_time(lift_value(l, FACT_END)) - start;
	if (isnan(measured) || measured < 0)
		return stated;
	return fabs(stated - measured) <= fmax(1, measured / 10) ? stated : measured;
}

/* The facts of which figures and texts of a step are, by their numbers. */
#define FACT(id, word, name, member) FACT_##id,
static const enum fact figure_facts[STEP_FIGURES] = {
	STEP_FACTS(FACT_NOT, FACT, FACT_NOT, FACT_NOT)
	STEP_FACTS(FACT_NOT, FACT_NOT, FACT, FACT_NOT)
};
static const enum fact text_facts[STEP_TEXTS] = {
	STEP_FACTS(FACT_NOT, FACT_NOT, FACT_NOT, FACT)};
#undef FACT

/* The figures that are stated, of a step whose time is known; of tokens what the one
 * definition makes of them, and of a cost what its parts add up to where it is not
 * stated. */
static void lift_figures(struct lift *l, struct step *s)
{
	static const enum fact parts[] = {FACT_FRESH_TOKENS, FACT_CACHED_TOKENS,
		FACT_ANSWER_TOKENS, FACT_REASONING_TOKENS, FACT_TOTAL_TOKENS,
		FACT_INPUT_COST, FACT_OUTPUT_COST};
	double stated[FACT_COUNT];
	struct token_figures t;

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		stated[parts[i]] = lift_number(l, parts[i]);
	for (size_t i = 0; i < STEP_FIGURES; i++) {
		enum fact fact = figure_facts[i];

		stated[fact] = fact == FACT_LATENCY ? lift_latency(l, s->timestamp)
						    : lift_number(l, fact);
		s->figures[i] = stated[fact];
	}
	t = token_figures(stated);
	s->input_tokens = t.input;
	s->cache_read = t.cache_read;
	s->cache_write = t.cache_write;
	s->output_tokens = t.output;
	if (isnan(s->cost))
		s->cost = sum_of_known(stated[FACT_INPUT_COST], stated[FACT_OUTPUT_COST]);
}

void candidate_lift(
	const struct candidate *c, struct trace *trace, uint64_t start, struct step *s)
{
	AUTO(lift_done) struct lift l = {.c = c, .trace = trace};
	const struct slot *name = place_slot(c, places_of(c, FACT_NAME));

	s->timestamp = described_time(lift_value(&l, FACT_TIMESTAMP));
	lift_figures(&l, s);
	if (isnan(s->timestamp)) /* NaN where one is not known */
		s->timestamp = described_time(lift_value(&l, FACT_END)) - s->latency;
	for (size_t i = 0; i < STEP_TEXTS; i++)
		s->texts[i] = lift_interned(&l, text_facts[i]);
	s->flags |= kind_flags(&l);
	if (!c->description->events && !isnan(s->timestamp))
		s->flags |= STEP_TIMED;
	if (is_error(&l))
		s->flags |= STEP_ERROR;
	s->parent_key = lift_parent(&l);
	if (name && !slot_empty(name) && name->at - start <= UINT32_MAX) {
		s->name_at = (uint32_t)(name->at - start);
		s->name_len =
			name->len > FACT_LONGEST ? FACT_LONGEST : (uint32_t)name->len;
	}
}

void figures_take(struct step *s, const struct step *said)
{
	for (size_t i = 0; i < STEP_FIGURES; i++)
		if (!isnan(said->figures[i]))
			s->figures[i] = said->figures[i];
}

void texts_take(struct step *s, const struct step *said)
{
	for (size_t i = 0; i < STEP_TEXTS; i++)
		if (said->texts[i] != NO_TEXT)
			s->texts[i] = said->texts[i];
}

double candidate_end(const struct candidate *c, struct trace *trace)
{
	AUTO(lift_done) struct lift l = {.c = c, .trace = trace};

	return described_time(lift_value(&l, FACT_END));
}

void candidate_facts(const struct candidate *c, struct trace *trace)
{
	static const enum fact ids[] = {FACT_SPAN, FACT_GENERATION, FACT_ID};
	struct step *s = trace_last(trace);
	AUTO(lift_done) struct lift l = {.c = c, .trace = trace};
	struct scope *scope = &trace->scopes[s->scope];
	struct str id;

	candidate_lift(c, trace, c->start, s);
	for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++)
		if (text_of(&l, lift_value(&l, ids[i]), &id))
			trace_add_id(trace, trace_key(id));
	if (scope->first_trace_id == NO_TEXT)
		scope->first_trace_id = s->trace_id;
}

/* That of a place, if it is no container and not 0. */
static struct jv plain_value(struct lift *l, const struct fact_places *places)
{
	struct jv v = place_value(l, places);

	return jv_empty(v) || v.kind == J_OBJECT || v.kind == J_ARRAY ? JV_NONE : v;
}

uint32_t candidate_text(
	const struct candidate *c, struct trace *trace, const struct fact_places *places)
{
	AUTO(lift_done) struct lift l = {.c = c, .trace = trace};

	return interned(&l, plain_value(&l, places));
}

uint32_t candidate_shared(const struct candidate *c, struct trace *trace,
	const struct fact_places places[SHARED_FACTS])
{
	AUTO(lift_done) struct lift l = {.c = c, .trace = trace};
	uint32_t number = NO_TEXT;
	AUTO_BUF list = BUF_INIT;
	bool known = false;

	for (size_t i = 0; i < SHARED_FACTS; i++) {
		struct jv v = place_value(&l, &places[i]);

		buf_byte(&list, i ? ',' : '[');
		known |= !jv_empty(v);
		if (jv_empty(v))
			buf_text(&list, "null");
		else
			json_write_raw(&list, jv_raw(v));
	}
	buf_byte(&list, ']');
	if (known)
		number = intern_add(&trace->texts, buf_view(&list));
	return number;
}

uint64_t candidate_key_of(const struct candidate *c, const struct fact_places *places)
{
	AUTO(lift_done) struct lift l = {.c = c};
	struct str text;

	return text_of(&l, plain_value(&l, places), &text) ? trace_key(text) : 0;
}

void candidate_conversation(const struct candidate *c, struct trace *trace)
{
	struct step *s = trace_last(trace);
	AUTO(lift_done) struct lift l = {.c = c, .trace = trace};
	struct scope *scope = &trace->scopes[s->scope];

	if (s->trace_id == NO_TEXT)
		s->trace_id = lift_interned(&l, FACT_CONVERSATION);
	if (scope->first_trace_id == NO_TEXT)
		scope->first_trace_id = s->trace_id;
}

void candidate_scope(const struct candidate *c, struct trace *trace, bool names_trace)
{
	struct scope *scope = &trace->scopes[c->scope];
	AUTO(lift_done) struct lift l = {.c = c, .trace = trace};

	if (c->shape.kind == J_OBJECT) {
		scope->trace_id = lift_interned(&l, FACT_TRACE);
		if (scope->trace_id == NO_TEXT && names_trace)
			scope->trace_id = lift_interned(&l, FACT_ID);
		scope->name = lift_interned(&l, FACT_CHAIN_NAME);
	}
}
