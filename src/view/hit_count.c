/* See hit_count.h. */
#include "config.h"
#include "view/hit_count.h"

#include "base/err.h"
#include "base/mem.h"
#include "base/work.h"
#include "diff/earlier.h"
#include "view/reading.h"
#include "view/tree.h"

#define TIME_LIMIT 50000      /* microseconds for places of one text that run long */
#define SAID_MOST  (1u << 20) /* texts and facts that are remembered */
#define KEEP_MOST  (1u << 20) /* bytes of a step that is kept for the next */
#define DATA_LEAST 200        /* bytes of a text that may be an image */

/* ---- what is searched for ---- */

const struct scoped_word scoped_words[] = {{"user", WITHIN_SPEAKER, SPEAKER_USER},
	{"assistant", WITHIN_SPEAKER, SPEAKER_ASSISTANT},
	{"system", WITHIN_SPEAKER, SPEAKER_SYSTEM},
	{"tool", WITHIN_SPEAKER, SPEAKER_TOOL}, {"text", WITHIN_PART, PART_TEXT},
	{"call", WITHIN_PART, PART_CALL}, {"result", WITHIN_PART, PART_RESULT},
	{"reasoning", WITHIN_PART, PART_REASONING}, {"input", WITHIN_SIDE, true},
	{"output", WITHIN_SIDE, false}, {"name", WITHIN_NAME, 0},
	{"error", WITHIN_ERROR, 0}, {"all", WITHIN_ANY, 0}, /* beside another one, too */
	{NULL, WITHIN_ANY, 0}};

void scoped_query_forget(struct scoped_query *s)
{
	idmap_done(&s->said);
	step_content_free(s->last);
	s->last = NULL;
}

void scoped_query_done(struct scoped_query *s)
{
	scoped_query_forget(s);
	query_free(s->query);
	buf_done(&s->key);
	*s = (struct scoped_query){0};
}

/* Reads a word of where to look; false with err: it is none. */
static bool read_word(struct scoped_query *s, struct str word, struct err *err)
{
	const struct scoped_word *w = scoped_words;
	AUTO_BUF text = BUF_INIT;
	struct suggest near;

	if (word.n > 1 && word.p[0] == '.') {
		s->kind = WITHIN_KEY;
		buf_set(&s->key, str_skip(word, 1));
		return true;
	}
	while (w->name && !str_equal(str_of(w->name), word))
		w++;
	if (w->name && w->kind == WITHIN_ANY)
		s->all = true;
	else if (w->name) {
		s->kind = w->kind;
		s->what = w->what;
	}
	if (w->name)
		return true;
	suggest_begin(&near, word);
	buf_printf(&text, "no place is called \"%.*s\"", (int)(word.n < 32 ? word.n : 32),
		word.p);
	for (w = scoped_words; w->name; w++)
		suggest_try(&near, str_of(w->name));
	suggest_put(&near, &text);
	for (w = scoped_words; w->name; w++)
		buf_printf(&text, "%s%s", w == scoped_words ? ": " : ", ", w->name);
	err_set(err, "%.*s, .KEY of JSON", (int)text.len, text.data);
	return false;
}

bool scoped_query_read(
	struct scoped_query *s, struct str typed, unsigned flags, struct err *err)
{
	struct str rest = typed;

	*s = (struct scoped_query){0};
	while (str_take(&rest, STR("in:"))) {
		const char *blank = rest.n ? memchr(rest.p, ' ', rest.n) : NULL;
		size_t end = blank ? (size_t)(blank - rest.p) : rest.n;

		if (!end || end + 1 >= rest.n) {
			err_at(err, typed.n, "a pattern is missing after it");
			scoped_query_done(s);
			return false;
		}
		if (!read_word(s, (struct str){rest.p, end}, err)) {
			err->offset = (uint64_t)(rest.p - typed.p);
			scoped_query_done(s);
			return false;
		}
		rest = str_skip(rest, end + 1);
	}
	if (str_starts(rest, STR(" in:"))) /* meant as it stands */
		rest = str_skip(rest, 1);
	s->query = query_new(rest, flags, err);
	if (s->query)
		return true;
	if (err->offset != ERR_NOWHERE)
		err->offset += (uint64_t)(rest.p - typed.p);
	scoped_query_done(s);
	return false;
}

bool scoped_query_takes(
	const struct scoped_query *s, enum speaker speaker, enum part_kind part)
{
	if (s->kind == WITHIN_ANY || s->kind == WITHIN_SIDE)
		return true;
	if (part == PART_REFUSAL)
		part = PART_TEXT;
	if (s->kind == WITHIN_SPEAKER)
		return (part == PART_RESULT ? SPEAKER_TOOL : speaker) == s->what;
	return s->kind == WITHIN_PART && part == s->what;
}

bool scoped_query_accept(void *scope, struct trace *trace, uint32_t step, uint64_t *hits)
{
	struct hit_count c;

	if (!hit_count_try(&c, scope, trace, step, NULL, *hits))
		return false;
	*hits = c.hits;
	hit_count_end(&c);
	return true;
}

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
	idmap_add(&t->index, key, (uint32_t)t->count);
	*MEM_ADD(t->items, t->count, t->cap) = (struct hit_tally_item){key, hits};
}

/* 0: none. */
static uint64_t hit_tally_of(const struct hit_tally *t, uint64_t key)
{
	const struct hit_tally_item *item = find_tally(t, key);

	return item ? item->hits : 0;
}

/* ---- what steps before it say ---- */

static uint64_t said_by(uint64_t key, uint32_t step)
{
	return key ^ (step + 1) * 0x9E3779B97F4A7C15u;
}

static void remember(struct hit_count *c, uint64_t key)
{
	if (c->scope->said.count < SAID_MOST)
		idmap_add(&c->scope->said, said_by(key, c->step), 0);
}

/* The steps are counted in their own order: of a later one nothing is known yet. */
static bool is_new(const struct hit_count *c, uint64_t key)
{
	const struct idmap *said = &c->scope->said;

	for (size_t i = 0; i < 2 && !c->scope->all; i++)
		if (c->before[i] < c->step &&
			idmap_find(said, said_by(key, c->before[i])) != MAP_NONE)
			return false;
	return true;
}

static const struct step_content *look_back(void *ctx, uint32_t step)
{
	const struct scoped_query *scope = ctx;

	return scope->last && scope->last_step == step ? scope->last : NULL;
}

/* ---- texts ---- */

static bool lies_in(const struct hit_count *c, struct jv v)
{
	struct jv step = c->opened->facts.value;

	return !c->joined && v.p && step.p && v.p >= step.p && v.p < step.p + step.n;
}

static bool take_text(void *ctx, const struct texts_found *found)
{
	struct hit_count *c = ctx;
	uint64_t key = map_hash(found->text);
	AUTO_BUF words = BUF_INIT;

	c->any += found->hits;
	if (!c->into) {
		/* data is shown as a few words */
		if (found->text.n < DATA_LEAST || !tree_put_data(&words, found->text))
			hit_tally_add(&c->all, key, found->hits);
		return false;
	}
	if (c->once && (hit_tally_of(&c->shown, key) || hit_tally_of(&c->decoded, key)))
		return false;
	hit_tally_add(c->into, key, found->hits);
	if (c->counts)
		hit_tally_add(&c->counted, key, found->hits);
	return c->counts;
}

static void count_text(struct hit_count *c, struct hit_tally *shown, enum texts_kind kind,
	struct str text)
{
	c->into = shown;
	c->hits += texts_count(c->texts, kind, text, TIME_LIMIT);
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
	return c->scope->kind == WITHIN_ANY || c->scope->kind == WITHIN_SIDE;
}

static void count_message(struct hit_count *c, const struct side *s,
	struct hit_tally *shown, struct jv message)
{
	AUTO_ARENA arena = {0};
	AUTO(parts_done) struct parts parts = {0};
	enum speaker speaker;

	if (message.kind != J_OBJECT) {
		if (takes_whole(c))
			count_value(c, shown, message);
		return;
	}
	speaker = message_speaker(message, s->prefer);
	parts = parts_read(message, &arena);
	PARTS_EACH(p, &parts)
		if (scoped_query_takes(c->scope, speaker, p->kind))
			count_part(c, shown, p);
}

bool hit_count_is_repeated(const struct hit_count *c, bool input, size_t message)
{
	const struct history *h;

	if (!c->earlier)
		return false;
	h = input ? &c->earlier->input : &c->earlier->output;
	/* an input of one message is no history: many may ask the same */
	return h->count > 1 && message < h->count &&
	       h->now[message].change == CHANGE_SHOWN;
}

static void count_side(struct hit_count *c, bool input)
{
	const struct step_content *o = c->opened;
	const struct side *s = input ? &o->input : &o->output;
	struct jv raw = o->facts.v[input ? FACT_INPUT : FACT_OUTPUT];
	size_t items = s->view == SIDE_CHAT ? s->chat.count : s->view != SIDE_EMPTY;

	if (o->shared ? !input : c->scope->kind == WITHIN_SIDE && c->scope->what != input)
		return;
	for (size_t i = 0; i < items && !stop_asked(); i++) {
		struct jv v = s->view == SIDE_CHAT ? s->chat.items[i] : s->value;
		/* in a string of the step it stands in the step's bytes, too */
		struct hit_tally *shown =
			s->opened && lies_in(c, raw) ? &c->shown : tally_of(c, v);

		*MEM_ADD(c->starts[input], c->start_count[input], c->start_cap[input]) =
			c->hits;
		c->counts = !hit_count_is_repeated(c, input, i);
		if (s->view == SIDE_CHAT)
			count_message(c, s, shown, v);
		else if (s->view == SIDE_JSON && takes_whole(c))
			count_value(c, shown, v);
		else if (s->view == SIDE_TEXT &&
			 scoped_query_takes(
				 c->scope, role_speaker(side_role(s->prefer)), PART_TEXT))
			count_text(c, tally_of(c, raw), TEXTS_RAW, s->text);
	}
	if (stop_asked())
		return;
	/* the response beside the messages counts as part of the last one, which it may
	 * say once more */
	c->counts = c->once = true;
	if (o->response.kind != J_NONE && input == o->shared &&
		scoped_query_takes(c->scope, SPEAKER_ASSISTANT, PART_TEXT))
		count_value(c, tally_of(c, o->response), o->response);
	c->once = false;
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

/* As the output shows it. */
static void count_error(struct hit_count *c)
{
	struct jv v = c->opened->facts.v[FACT_ERROR];
	AUTO_ARENA arena = {0};
	struct error_said said = fact_error(v, &arena);

	c->counts = true;
	count_value(c, tally_of(c, v), said.message);
	count_value(c, tally_of(c, v), said.rest);
	count_value(c, tally_of(c, v), c->opened->facts.v[FACT_STATUS]);
}

static void count_facts(struct hit_count *c, struct trace *trace)
{
	struct reading reading = {.opened = (struct step_content *)c->opened};
	struct jv tools = c->opened->facts.v[FACT_TOOLS];
	AUTO_ARENA arena = {0};
	AUTO(request_facts_done) struct request_facts a;
	uint64_t before;

	request_facts_read(&a, &reading, &arena);
	request_facts_each_word(&a, count_word, c);
	before = c->hits;
	if (a.tools.count)
		c->counts = is_new_fact(c, tools);
	PARTS_EACH(p, &a.tools)
		count_part(c, tally_of(c, tools), p);
	c->facts[FACTS_TOOLS] = c->hits > before;
	if (a.parameters.kind == J_OBJECT) {
		struct jwalk w = jwalk_of(a.parameters);
		struct jv key, value;

		c->counts = is_new_fact(c, c->opened->facts.v[FACT_PARAMETERS]);
		while (request_facts_next(&a, &w, &key, &value)) {
			count_fact(c, key, FACTS_PARAMETERS);
			count_fact(c, value, FACTS_PARAMETERS);
		}
	}
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

/* How often a text stands in the step beside what is shown of it. */
static uint64_t surplus(const struct hit_count *c, uint64_t key)
{
	uint64_t all = hit_tally_of(&c->all, key), shown = hit_tally_of(&c->shown, key);

	return all > shown && !hit_tally_of(&c->decoded, key) ? all - shown : 0;
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

	if (!path_has(hit->path, buf_view(&c->scope->key)))
		return;
	hit_tally_add(&c->counted, hit->key, 1);
	c->hits++;
}

/* ---- all of it ---- */

/* A step that was opened, and of which nothing but its bytes is needed. */
static void count_opened(struct hit_count *c, struct trace *trace, uint64_t found)
{
	bool any = c->scope->kind == WITHIN_ANY, sides_alone;
	const struct step_content *o = c->opened;

	if (any)
		count_facts(c, trace);
	if (!o->bare ||
		o->facts.value.kind != J_NONE) { /* else it is in the raw view alone */
		count_side(c, true);
		count_side(c, false);
	}
	add_side_range(c, &o->input, true);
	if (!o->shared)
		add_side_range(c, &o->output, false);
	add_range(c, o->facts.v[FACT_TOOLS], o->facts.v[FACT_TOOLS]);
	add_range(c, o->facts.v[FACT_ERROR], o->facts.v[FACT_ERROR]);
	if (!any)
		return;
	/* the rest of the step */
	sides_alone = c->joined && c->hits;
	c->into = NULL;
	texts_count(c->texts, TEXTS_JSON, jv_raw(o->facts.value), TIME_LIMIT);
	if (stop_asked())
		return;
	for (size_t i = 0; !sides_alone && i < c->all.count; i++) {
		uint64_t key = c->all.items[i].key, more = surplus(c, key);

		if (more && is_new(c, key)) {
			c->rest += more;
			hit_tally_add(&c->counted, key, more);
		}
		if (more)
			remember(c, key);
	}
	c->hits =
		c->any ? c->hits + c->rest : found; /* they stand in the raw text alone */
}

/* Counts; false: a key waits. */
static bool count(struct hit_count *c, struct trace *trace, uint64_t found)
{
	enum query_scope kind = c->scope->kind;
	size_t position = trace_position(trace, c->step);
	AUTO_BUF name = BUF_INIT;

	if (kind != WITHIN_NAME && !c->opened)
		c->opened = c->own = step_content_try(trace, c->step, false);
	if (kind != WITHIN_NAME && !c->opened)
		return false;
	if (kind < WITHIN_NAME && !c->scope->all && position < trace->order_count) {
		/* the steps before it */
		if (position && trace_chain_at(trace, position) ==
					trace_chain_at(trace, position - 1))
			c->before[0] = trace_at(trace, position - 1);
		c->earlier = earlier_try(
			trace, position, c->opened, false, look_back, c->scope);
		if (!c->earlier)
			return false;
		c->before[1] = c->earlier->step;
	}
	stop_begin();
	c->counts = true;
	if (kind == WITHIN_NAME) {
		step_title(trace, c->step, &name);
		count_text(c, &c->shown, TEXTS_RAW, buf_view(&name));
	} else if (kind == WITHIN_KEY) {
		hits_each(trace, c->step, c->opened, c->scope->query, take_hit, c);
	} else if (kind == WITHIN_ERROR) {
		count_error(c);
	} else {
		count_opened(c, trace, found);
	}
	return !stop_end();
}

bool hit_count_try(struct hit_count *c, struct scoped_query *s, struct trace *trace,
	uint32_t step, const struct step_content *opened, uint64_t found)
{
	*c = (struct hit_count){.scope = s,
		.step = step,
		.opened = opened,
		.texts = texts_new(s->query, take_text, c),
		.before = {NO_STEP, NO_STEP},
		.joined = trace_flags(trace, step) & (STEP_SSE | STEP_LINES)};
	if (count(c, trace, found))
		return true;
	hit_count_end(c);
	return false;
}

void hit_count_end(struct hit_count *c)
{
	struct scoped_query *s = c->scope;

	if (c->own && c->own->text.n <= KEEP_MOST) {
		step_content_free(s->last);
		s->last = c->own;
		s->last_step = c->step;
	} else {
		step_content_free(c->own);
	}
	texts_free(c->texts);
	earlier_free(c->earlier);
	hit_tally_done(&c->shown);
	hit_tally_done(&c->decoded);
	hit_tally_done(&c->counted);
	hit_tally_done(&c->all);
	mem_free(c->starts[0]);
	mem_free(c->starts[1]);
	*c = (struct hit_count){0};
}

/* ---- once it is done ---- */

bool hit_count_takes_rest(const struct hit_count *c, uint64_t key, bool shown)
{
	return surplus(c, key) && is_new(c, key) &&
	       (!shown || !hit_tally_of(&c->shown, key));
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
	struct hit_tally_item *left = find_tally(&hits->left, h->key);

	if (!left || left->hits <= hit_count_of(hits->count, h->key))
		hits->each(hits->ctx, h);
	if (left)
		left->hits--;
}

void hit_count_each(
	const struct hit_count *c, struct trace *trace, hits_fn *each, void *ctx)
{
	struct counted_hits hits = {.count = c, .each = each, .ctx = ctx};
	struct step_content *own = c->opened ? NULL : step_content_new(trace, c->step);
	const struct step_content *o = own ? own : c->opened;

	if (c->counted.count)
		hits_each(trace, c->step, o, c->scope->query, tally_hit, &hits);
	hits_each(trace, c->step, o, c->scope->query, tell_hit, &hits);
	hit_tally_done(&hits.left);
	step_content_free(own);
}
