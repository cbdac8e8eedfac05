/* See hit_count.h. */
#include "config.h"
#include "view/hit_count.h"

#include "base/mem.h"
#include "base/stop.h"
#include "view/conversation.h"
#include "view/new_messages.h"
#include "view/request_facts.h"
#include "view/tree.h"

#define PATIENCE   50000      /* microseconds for places of one text that run long */
#define SAID_MOST  (1u << 20) /* texts and facts that are remembered */
#define KEEP_MOST  (1u << 20) /* bytes of a step that is kept for the next */
#define DATA_LEAST 200        /* bytes of a text that may be an image */

enum { FACTS_LINE, FACTS_TOOLS, FACTS_PARAMETERS };

/* ---- hits by text ---- */

static void hit_tally_done(struct hit_tally *t)
{
	idmap_done(&t->index);
	mem_free(t->items);
	*t = (struct hit_tally){0};
}

static struct hit_tally_item *find_tally(const struct hit_tally *t, uint64_t key)
{
	uint32_t at = t->count ? idmap_find(&t->index, key) : MAP_NONE;

	return at == MAP_NONE ? NULL : &t->items[at];
}

static void hit_tally_add(struct hit_tally *t, uint64_t key, uint64_t hits)
{
	struct hit_tally_item *item = find_tally(t, key);

	if (item) {
		item->hits += hits;
		return;
	}
	t->items = mem_grow(t->items, &t->cap, t->count + 1, sizeof(*t->items));
	t->items[t->count] = (struct hit_tally_item){key, hits};
	idmap_add(&t->index, key, (uint32_t)t->count++);
}

/* 0: none. */
static uint64_t hit_tally_of(const struct hit_tally *t, uint64_t key)
{
	const struct hit_tally_item *item = find_tally(t, key);

	return item ? item->hits : 0;
}

/* Takes one hit of that key away, and says how many there were. */
static uint64_t hit_tally_take(struct hit_tally *t, uint64_t key)
{
	struct hit_tally_item *item = find_tally(t, key);

	return item && item->hits ? item->hits-- : 0;
}

/* ---- what steps before it say ---- */

void hit_past_done(struct hit_past *p)
{
	idmap_done(&p->said);
	opened_free(p->opened);
	*p = (struct hit_past){.step = NO_STEP};
}

static uint64_t said_by(uint64_t key, uint32_t step)
{
	return key ^ (step + 1) * 0x9E3779B97F4A7C15u;
}

static void remember(struct hit_count *c, uint64_t key)
{
	if (c->past && c->past->said.count < SAID_MOST)
		idmap_add(&c->past->said, said_by(key, c->step), 0);
}

/* The steps are counted in their own order: of a later one nothing is known yet. */
static bool is_new(const struct hit_count *c, uint64_t key)
{
	if (c->within->all || !c->past)
		return true;
	for (size_t i = 0; i < 2; i++)
		if (c->before[i] < c->step &&
			idmap_find(&c->past->said, said_by(key, c->before[i])) !=
				MAP_NONE)
			return false;
	return true;
}

static const struct opened *look_back(void *ctx, uint32_t step)
{
	const struct hit_past *past = ctx;

	return past->opened && past->step == step ? past->opened : NULL;
}

/* ---- texts ---- */

/* Data is shown as a few words. */
static bool is_data(struct str text)
{
	struct buf words = BUF_INIT;
	bool is = text.n >= DATA_LEAST && tree_put_data(&words, text);

	buf_done(&words);
	return is;
}

static bool lies_in(const struct hit_count *c, struct jv v)
{
	struct jv step = c->opened->facts.value;

	return !c->joined && v.p && step.p && v.p >= step.p && v.p < step.p + step.n;
}

/* A text with hits that is shown, or, at last, one of all that the step has. */
struct text_taking {
	struct hit_count *count;
	struct hit_tally *shown; /* NULL: it is of the rest */
};

static bool take_text(void *ctx, const struct texts_found *found)
{
	const struct text_taking *t = ctx;
	struct hit_count *c = t->count;
	uint64_t key = map_hash(found->text);

	c->any += found->hits;
	if (!t->shown) {
		if (!is_data(found->text))
			hit_tally_add(&c->all, key, found->hits);
		return false;
	}
	if (c->once && (hit_tally_of(&c->shown, key) || hit_tally_of(&c->decoded, key)))
		return false;
	hit_tally_add(t->shown, key, found->hits);
	if (c->counts)
		hit_tally_add(&c->counted, key, found->hits);
	return c->counts;
}

static void count_text(struct hit_count *c, struct hit_tally *shown, enum texts_kind kind,
	struct str text)
{
	struct text_taking taking = {c, shown};

	texts_each(c->texts, take_text, &taking);
	c->hits += texts_count(c->texts, kind, text, PATIENCE);
}

static void count_value(struct hit_count *c, struct hit_tally *shown, struct jv v)
{
	count_text(c, shown, TEXTS_JSON, jv_raw(v));
}

static struct hit_tally *tally_of(struct hit_count *c, struct jv v)
{
	return lies_in(c, v) ? &c->shown : &c->decoded;
}

/* ---- messages ---- */

static void count_part(struct hit_count *c, struct hit_tally *shown, const struct part *p)
{
	switch (p->kind) {
	case PART_IMAGE: /* its data is not shown */
	case PART_FILE:
		return;
	case PART_JSON:
		count_value(c, shown, p->raw);
		return;
	case PART_CALL:
	case PART_RESULT:
		count_value(c, shown, p->name);
		break;
	case PART_TOOL:
		count_value(c, shown, p->name);
		count_value(c, shown, part_schema(p));
		count_value(c, shown, part_definition(p));
		break;
	case PART_TEXT:
	case PART_REASONING:
	case PART_REFUSAL:
		break;
	}
	count_value(c, shown, p->body);
}

static bool takes_whole(const struct hit_count *c)
{
	return c->within->kind == WITHIN_ANY || c->within->kind == WITHIN_SIDE;
}

static void count_message(struct hit_count *c, const struct side *s,
	struct hit_tally *shown, struct jv message)
{
	struct arena arena = {0};
	struct parts parts = {0};
	enum speaker speaker;

	if (message.kind != J_OBJECT) {
		if (takes_whole(c))
			count_value(c, shown, message);
		return;
	}
	speaker = message_speaker(message, s->prefer);
	parts_read(&parts, message, &arena);
	for (size_t i = 0; i < parts.count; i++)
		if (scoped_hits_takes(c->within, speaker, PART_AT(&parts, i)->kind))
			count_part(c, shown, PART_AT(&parts, i));
	parts_done(&parts);
	arena_done(&arena);
}

static const struct history *history_of(const struct hit_count *c, bool input)
{
	return !c->earlier ? NULL : input ? &c->earlier->input : &c->earlier->output;
}

/* An input of one message is no history: many may ask the same. */
static bool is_repeated(const struct hit_count *c, bool input, size_t message)
{
	const struct history *h = history_of(c, input);

	return h && h->count > 1 && message < h->count &&
	       h->now[message].fate == FATE_SHOWN;
}

/* The response beside the messages counts as part of the last message. */
static void count_response(struct hit_count *c, bool input)
{
	const struct opened *o = c->opened;

	c->counts = c->once = true; /* it may say the message once more */
	if (o->response.kind != J_NONE && input == o->shared &&
		scoped_hits_takes(c->within, SPEAKER_ASSISTANT, PART_TEXT))
		count_value(c, tally_of(c, o->response), o->response);
	c->once = false;
}

static void begin_message(struct hit_count *c, bool input)
{
	uint64_t **starts = &c->starts[input];

	*starts = mem_grow(*starts, &c->start_cap[input], c->start_count[input] + 1,
		sizeof(**starts));
	(*starts)[c->start_count[input]++] = c->hits;
}

/* Text of a side that stands in the step's bytes, if in a string there. */
static struct hit_tally *tally_of_side(
	struct hit_count *c, const struct side *s, bool input, struct jv v)
{
	struct jv raw = c->opened->facts.v[input ? FACT_INPUT : FACT_OUTPUT];

	return lies_in(c, v) || (s->opened && lies_in(c, raw)) ? &c->shown : &c->decoded;
}

/* The next item of a side; false: it has no more. */
static bool count_item(struct hit_count *c, bool input, size_t item)
{
	const struct side *s = input ? &c->opened->input : &c->opened->output;
	size_t items = s->view == SIDE_CHAT ? s->chat.count : s->view != SIDE_EMPTY;
	struct jv raw = c->opened->facts.v[input ? FACT_INPUT : FACT_OUTPUT];

	if (item == items)
		count_response(c, input);
	if (item >= items)
		return false;
	begin_message(c, input);
	c->counts = !is_repeated(c, input, item);
	if (s->view == SIDE_CHAT)
		count_message(c, s, tally_of_side(c, s, input, s->chat.items[item]),
			s->chat.items[item]);
	else if (s->view == SIDE_JSON && takes_whole(c))
		count_value(c, tally_of_side(c, s, input, s->value), s->value);
	else if (s->view == SIDE_TEXT &&
		 scoped_hits_takes(
			 c->within, role_speaker(side_role(s->prefer)), PART_TEXT))
		count_text(c, tally_of(c, raw), TEXTS_RAW, s->text);
	return true;
}

static bool is_wanted(const struct hit_count *c, bool input)
{
	if (c->opened->shared)
		return input;
	return c->within->kind != WITHIN_SIDE || c->within->what == input;
}

static void count_side(struct hit_count *c, bool input)
{
	if (!is_wanted(c, input))
		return;
	for (size_t item = 0; !stop_asked() && count_item(c, input, item);)
		item++;
}

/* ---- what stands above the sides ---- */

/* Whether a fact is not what a step before says of itself. */
static bool is_new_fact(struct hit_count *c, struct jv v)
{
	uint64_t key = map_hash(jv_raw(v));
	bool new = is_new(c, key);

	remember(c, key);
	return new;
}

static void count_fact(struct hit_count *c, struct jv v, unsigned which)
{
	uint64_t before = c->hits;

	count_value(c, tally_of(c, v), v);
	c->facts[which] |= c->hits > before;
}

static void count_word(void *ctx, struct str name, struct jv v)
{
	struct hit_count *c = ctx;

	c->counts = is_new_fact(c, v);
	count_fact(c, v, FACTS_LINE);
}

static void count_tools(struct hit_count *c, const struct request_facts *a)
{
	struct jv v = c->opened->facts.v[FACT_TOOLS];
	uint64_t before = c->hits;

	if (!a->tools.count)
		return;
	c->counts = is_new_fact(c, v);
	for (size_t i = 0; i < a->tools.count; i++)
		count_part(c, tally_of(c, v), PART_AT(&a->tools, i));
	c->facts[FACTS_TOOLS] = c->hits > before;
}

static void count_parameters(struct hit_count *c, const struct request_facts *a)
{
	struct jv key, value;
	struct jwalk w;

	if (a->parameters.kind != J_OBJECT)
		return;
	c->counts = is_new_fact(c, c->opened->facts.v[FACT_PARAMETERS]);
	request_facts_walk(a, &w);
	while (request_facts_next(a, &w, &key, &value)) {
		count_fact(c, key, FACTS_PARAMETERS);
		count_fact(c, value, FACTS_PARAMETERS);
	}
}

/* As the output shows it. */
static void count_error(struct hit_count *c)
{
	struct jv v = c->opened->facts.v[FACT_ERROR];
	struct arena arena = {0};
	struct error_said said = fact_error(v, &arena);

	c->counts = true;
	count_value(c, tally_of(c, v), said.message);
	count_value(c, tally_of(c, v), said.rest);
	count_value(c, tally_of(c, v), c->opened->facts.v[FACT_STATUS]);
	arena_done(&arena);
}

static void count_facts(struct hit_count *c, struct trace *trace)
{
	struct reading reading = {.opened = (struct opened *)c->opened};
	struct arena arena = {0};
	struct request_facts a;

	request_facts_read(&a, &reading, &arena);
	request_facts_each_word(&a, count_word, c);
	count_tools(c, &a);
	count_parameters(c, &a);
	request_facts_done(&a);
	arena_done(&arena);
	if (trace_flags(trace, c->step) & STEP_ERROR)
		count_error(c);
}

/* ---- the rest ---- */

static void add_range(struct hit_count *c, struct jv first, struct jv last)
{
	if (lies_in(c, first) && last.p >= first.p)
		c->ranges[c->range_count++] =
			(struct hit_range){first.p, last.p + last.n};
}

/* Where in the step's bytes stands what a side shows. */
static void add_side_range(struct hit_count *c, const struct side *s, bool input)
{
	struct jv raw = c->opened->facts.v[input ? FACT_INPUT : FACT_OUTPUT];

	if (s->view == SIDE_CHAT && s->chat.count && !s->opened)
		add_range(c, s->chat.items[0], s->chat.items[s->chat.count - 1]);
	else if (s->view != SIDE_EMPTY)
		add_range(c, raw, raw);
}

static void add_ranges(struct hit_count *c)
{
	const struct opened *o = c->opened;

	add_side_range(c, &o->input, true);
	if (!o->shared)
		add_side_range(c, &o->output, false);
	add_range(c, o->facts.v[FACT_TOOLS], o->facts.v[FACT_TOOLS]);
	add_range(c, o->facts.v[FACT_ERROR], o->facts.v[FACT_ERROR]);
}

/* How often a text stands in the step beside what is shown of it. */
static uint64_t surplus(const struct hit_count *c, uint64_t key)
{
	uint64_t all = hit_tally_of(&c->all, key), shown = hit_tally_of(&c->shown, key);

	return all > shown && !hit_tally_of(&c->decoded, key) ? all - shown : 0;
}

static void end_rest(struct hit_count *c)
{
	bool sides_alone = c->joined && c->hits;

	for (size_t i = 0; !sides_alone && i < c->all.count; i++) {
		uint64_t key = c->all.items[i].key, more = surplus(c, key);

		if (more && is_new(c, key)) {
			c->rest += more;
			hit_tally_add(&c->counted, key, more);
		}
		if (more)
			remember(c, key);
	}
	c->hits += c->rest;
	if (!c->any) /* they stand in the raw text alone */
		c->hits = c->found;
}

static void count_rest(struct hit_count *c)
{
	struct text_taking taking = {c, NULL};
	struct jv step = c->opened->facts.value;

	texts_each(c->texts, take_text, &taking);
	texts_count(c->texts, TEXTS_JSON, jv_raw(step), PATIENCE);
	if (!stop_asked())
		end_rest(c);
}

/* ---- names and keys ---- */

/* "input[2].content": the key as it is or, in brackets, as JSON. */
static bool path_has(struct str path, struct str key)
{
	for (size_t i = 0; i < path.n;) {
		bool bracket = path.p[i] == '[';
		size_t from = i + (bracket || path.p[i] == '.'), end = from;

		if (bracket && from < path.n && path.p[from] == '"') {
			struct jv v =
				jv_parse((struct str){path.p + from, path.n - from});

			if (jv_is(v, key))
				return true;
			i = from + v.n + 1;
			continue;
		}
		while (end < path.n && path.p[end] != '.' && path.p[end] != '[')
			end++;
		if (!bracket && str_equal((struct str){path.p + from, end - from}, key))
			return true;
		i = end > i ? end : i + 1;
	}
	return false;
}

static void take_hit(void *ctx, const struct hit *hit)
{
	struct hit_count *c = ctx;

	if (!path_has(hit->path, buf_view(&c->within->key)))
		return;
	hit_tally_add(&c->counted, hit->key, 1);
	c->hits++;
}

static void count_name(struct hit_count *c, struct trace *trace)
{
	struct buf name = BUF_INIT;

	c->counts = true;
	step_title(trace, c->step, &name);
	count_text(c, &c->shown, TEXTS_RAW, buf_view(&name));
	buf_done(&name);
}

/* ---- all of it ---- */

void hit_count_begin(struct hit_count *c, const struct scoped_hits *w,
	const struct query *q, struct hit_past *past, uint32_t step,
	const struct opened *opened, uint64_t found)
{
	*c = (struct hit_count){.within = w,
		.query = q,
		.past = past,
		.step = step,
		.opened = opened,
		.found = found,
		.texts = texts_new(q),
		.before = {NO_STEP, NO_STEP}};
}

void hit_count_end(struct hit_count *c)
{
	texts_free(c->texts);
	earlier_free(c->earlier);
	opened_free(c->own);
	hit_tally_done(&c->shown);
	hit_tally_done(&c->decoded);
	hit_tally_done(&c->counted);
	hit_tally_done(&c->all);
	mem_free(c->starts[0]);
	mem_free(c->starts[1]);
	*c = (struct hit_count){0};
}

static bool open_step(struct hit_count *c, struct trace *trace)
{
	c->joined = trace_flags(trace, c->step) & (STEP_SSE | STEP_LINES);
	if (!c->opened)
		c->opened = c->own = opened_try(trace, c->step, false);
	return c->opened;
}

static void find_before(struct hit_count *c, const struct trace *trace, size_t position)
{
	if (position &&
		trace_chain_at(trace, position) == trace_chain_at(trace, position - 1))
		c->before[0] = trace_at(trace, position - 1);
}

static bool find_earlier(struct hit_count *c, struct trace *trace)
{
	size_t position = trace_position(trace, c->step);

	if (c->within->all || position >= trace->order_count)
		return true;
	find_before(c, trace, position);
	c->earlier = earlier_try(
		trace, position, c->opened, false, c->past ? look_back : NULL, c->past);
	if (!c->earlier)
		return false;
	c->before[1] = c->earlier->step;
	return true;
}

void hit_count_keep(struct hit_count *c)
{
	if (!c->past || !c->own || c->own->text.n > KEEP_MOST)
		return;
	opened_free(c->past->opened);
	c->past->opened = c->own;
	c->past->step = c->step;
	c->own = NULL;
}

/* What is in no view but the raw one counts as it was found. */
static bool is_raw(const struct hit_count *c)
{
	return c->opened->bare && c->opened->facts.value.kind == J_NONE;
}

/* Once the step is open. */
static void count_opened(struct hit_count *c, struct trace *trace)
{
	enum scoped_hits_kind kind = c->within->kind;

	if (kind == WITHIN_ERROR) {
		count_error(c);
		return;
	}
	if (kind == WITHIN_ANY)
		count_facts(c, trace);
	if (!is_raw(c)) {
		count_side(c, true);
		count_side(c, false);
	}
	add_ranges(c);
	if (kind == WITHIN_ANY)
		count_rest(c);
}

/* The step, and what came before it. */
static bool find_what_is_needed(struct hit_count *c, struct trace *trace)
{
	switch (c->within->kind) {
	case WITHIN_NAME:
		return true;
	case WITHIN_KEY:
	case WITHIN_ERROR:
		return open_step(c, trace);
	default:
		return open_step(c, trace) && find_earlier(c, trace);
	}
}

bool hit_count_try(struct hit_count *c, struct trace *trace)
{
	bool whole = find_what_is_needed(c, trace);

	if (whole) {
		stop_begin();
		if (c->within->kind == WITHIN_NAME)
			count_name(c, trace);
		else if (c->within->kind == WITHIN_KEY)
			hits_each(trace, c->step, c->opened, c->query, take_hit, c);
		else
			count_opened(c, trace);
		whole = !stop_end();
	}
	if (!whole)
		hit_count_end(c);
	return whole;
}

/* ---- once it is done ---- */

static size_t outermost(const struct doc *d, size_t block)
{
	size_t parent;

	while ((parent = doc_parent(d, block)) != SIZE_MAX)
		block = parent;
	return block;
}

/* Above the messages: the line, the tools, parameters; or the value of a side. */
static bool enters_above(const struct hit_count *c, const struct doc *d, size_t block)
{
	const struct opened *o = c->opened;
	size_t outer = outermost(d, block);
	const struct block *b = &d->blocks[outer];
	bool tools = b->value.p && b->value.p == o->facts.v[FACT_TOOLS].p;

	if (tools && outer == block && c->facts[FACTS_LINE])
		return true;
	if (tools)
		return c->facts[FACTS_TOOLS];
	if (!tree_is_node(d, outer)) /* notes are ours, but for the step's error */
		return b->role == ROLE_DIM     ? c->facts[FACTS_LINE]
		       : b->role == ROLE_ERROR ? b->data != NULL
					       : b->role != ROLE_WARNING;
	while (!b->root && outer)
		b = &d->blocks[--outer];
	if (b->key.kind == J_NONE || jv_is(b->key, STR("error")) ||
		b->value.p == o->facts.value.p)
		return true;
	return c->facts[FACTS_PARAMETERS];
}

bool hit_count_enters(const struct hit_count *c, struct doc *d, size_t block)
{
	const struct side_reading *side = d->context;
	size_t head = doc_head(d, block), first, count;

	if (!side || c->within->all)
		return true;
	if (head == SIZE_MAX && c->within->kind == WITHIN_ANY &&
		!enters_above(c, d, block))
		return false;
	if (head != SIZE_MAX && new_messages_is_gone(d, head))
		return false;
	if (head != SIZE_MAX && new_messages_run(d, head, &first, &count))
		return !is_repeated(c, side->input, first);
	return !is_repeated(c, side->input, conversation_message(side->side, d, block));
}

/* Within bytes that a side shows. */
static bool in_ranges(const struct hit_count *c, const struct doc *d, size_t block)
{
	for (; block != SIZE_MAX; block = doc_parent(d, block))
		for (size_t i = 0; i < c->range_count; i++) {
			const char *p = d->blocks[block].value.p;

			if (p >= c->ranges[i].from && p < c->ranges[i].to)
				return true;
		}
	return false;
}

bool hit_count_takes_rest(
	const struct hit_count *c, const struct doc *d, size_t block, struct str text)
{
	uint64_t key = map_hash(text);

	if (!surplus(c, key) || !is_new(c, key))
		return false;
	return !hit_tally_of(&c->shown, key) || !in_ranges(c, d, block);
}

uint64_t hit_count_before(const struct hit_count *c, bool input, size_t message)
{
	if (!c->start_count[input])
		return 0;
	if (message >= c->start_count[input])
		message = c->start_count[input] - 1;
	return c->starts[input][message];
}

uint64_t hit_count_of(const struct hit_count *c, uint64_t key)
{
	return hit_tally_of(&c->counted, key);
}

/* ---- which hits ---- */

struct counted_hits {
	const struct hit_count *count;
	struct hit_tally left; /* of the step's bytes, by text: hits not looked at yet */
	hits_fn *each;
	void *ctx;
};

static void tally_hit(void *ctx, const struct hit *h)
{
	struct counted_hits *hits = ctx;

	hit_tally_add(&hits->left, h->key, 1);
}

/* Where a text stands several times, its last places are those that are new. */
static void tell_hit(void *ctx, const struct hit *h)
{
	struct counted_hits *hits = ctx;
	uint64_t left = hit_tally_take(&hits->left, h->key);

	if (!hits->left.count || left <= hit_count_of(hits->count, h->key))
		hits->each(hits->ctx, h);
}

void hit_count_each(
	const struct hit_count *c, struct trace *trace, hits_fn *each, void *ctx)
{
	struct counted_hits hits = {.count = c, .each = each, .ctx = ctx};
	struct opened *own = c->opened ? NULL : opened_new(trace, c->step);
	const struct opened *o = own ? own : c->opened;

	if (c->counted.count)
		hits_each(trace, c->step, o, c->query, tally_hit, &hits);
	hits_each(trace, c->step, o, c->query, tell_hit, &hits);
	hit_tally_done(&hits.left);
	opened_free(own);
}
