/*
 * The walk through the layers of a text, and the paths to its hits: see hits.h.
 *
 * A layer is JSON text: what is searched, or the decoded text of a string on the layer
 * above.  Structure does not matter for the search, so a layer needs no stack: it is
 * either between values or inside a string or another token.  The path to a text is found
 * on the way from the one before: through the containers around it, and, where a string
 * holds JSON, on through those in the string.
 */
#include "config.h"
#include "query/hits.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/work.h"
#include "import/stream.h"
#include "json/block.h"
#include "json/check.h"
#include "json/cursor.h"
#include "json/route.h"
#include "text/line.h"

#define LOOK_EACH (64u * 1024) /* bytes between two looks at whether to stop */
#define LEVELS    200          /* of containers; a path leads no deeper */

struct texts {
	const struct prefilter *prefilter;
	struct query_run run;
	enum texts_kind kind;
	texts_each_fn *each; /* NULL: all texts count */
	void *each_ctx;
	struct texts_place places[TEXTS_LAYERS + 1];
	struct buf decoded[TEXTS_LAYERS + 1]; /* the string at that place */
	struct buf inner[2];                  /* decoded strings, for holds_json */
};

/* Recursion is bounded by TEXTS_LAYERS. */
static void walk(struct texts *t, unsigned layer, struct str text);

/* ---- does it hold JSON? ---- */

static bool is_enclosed(struct str text, char first, char last)
{
	return text.n > 1 && text.p[0] == first && text.p[text.n - 1] == last;
}

/* Whether a text is a container, or a string that holds one, within TEXTS_LAYERS. */
static bool holds_json(struct texts *t, unsigned layer, struct str text)
{
	for (; layer < TEXTS_LAYERS; layer++) {
		struct buf *decoded = &t->inner[layer % 2];
		struct json_report report;
		bool container;

		text = str_trim(text);
		container = is_enclosed(text, '{', '}') || is_enclosed(text, '[', ']');
		if (!container && !is_enclosed(text, '"', '"'))
			return false;
		json_check(text, &report);
		if (container || report.verdict == VERDICT_BROKEN)
			return report.verdict != VERDICT_BROKEN;
		buf_clear(decoded);
		jv_decode(jv_parse(text), decoded);
		text = buf_view(decoded);
	}
	return false;
}

/* ---- values ---- */

static void search_whole(struct texts *t, unsigned layer, struct str text)
{
	uint64_t before = t->run.hits;
	struct texts_found found = {
		.text = text, .places = t->places, .layer = layer, .kind = t->kind};

	query_text(&t->run, text);
	found.hits = t->run.hits - before;
	if (found.hits && t->each && !t->each(t->each_ctx, &found))
		t->run.hits = before;
}

/* Searches the text of a string or line on a layer, or the JSON in it. */
static void search_text(struct texts *t, unsigned layer, struct str text)
{
	if (holds_json(t, layer, text))
		walk(t, layer + 1, text);
	else
		search_whole(t, layer, text);
}

/* The value after the name of an SSE field (`data: ...`), or the whole line. */
static struct str line_value(struct str line)
{
	const char *colon = memchr(line.p, ':', line.n < 16 ? line.n : 16);

	if (!colon || memchr("{[\"", line.n ? line.p[0] : ' ', 3))
		return line;
	line.n -= (size_t)(colon + 1 - line.p);
	line.p = colon + 1;
	if (line.n && *line.p == ' ') {
		line.p++;
		line.n--;
	}
	return line;
}

/* ---- the bytes of a layer ---- */

static bool is_between(char c)
{
	return str_is_space(c) || c == ',' || c == ':' || c == '{' || c == '}' ||
	       c == '[' || c == ']';
}

/* Searches the string at p if it has a candidate; returns its end. */
static const char *read_string(struct texts *t, unsigned layer,
	struct prefilter_cursor *c, const char *p, const char *end)
{
	struct jv string = jv_parse((struct str){p, (size_t)(end - p)});

	if (prefilter_next(c, (size_t)(p + 1 - c->bytes.p)) <
		(size_t)(p - c->bytes.p) + string.n - !string.cut)
		search_text(t, layer, jv_str(string, &t->decoded[layer]));
	return p + string.n;
}

/*
 * Skips values without candidates: returns where the value begins that may go on after
 * `end`, or a place near the end.  A backslash that is in no string is no JSON: there the
 * skipping stops.
 */
static const char *skip_values(const char *start, const char *end)
{
	struct block_strings state = {0};
	const char *p = start, *open = NULL;
	bool inside = false;

	for (; end - p >= BLOCK; p += BLOCK) {
		struct byte_block b = block_load(p);
		uint64_t within, quotes = block_quotes(&b, &state, &within);

		if (block_eq(&b, '\\') & ~within)
			break;
		inside = state.inside;
		if (quotes && inside)
			open = p + 63 - __builtin_clzll(quotes);
	}
	if (inside)
		return open;
	while (p > start && p[-1] != '"' && !is_between(p[-1]))
		p--; /* to where the token begins */
	return p;
}

static void walk(struct texts *t, unsigned layer, struct str text)
{
	const char *p = text.p, *end, *told = p;
	struct prefilter_cursor c;

	t->places[layer].whole = text;
	if (!text.n)
		return;
	end = p + text.n;
	prefilter_begin(&c, t->prefilter, text);
	while (p < end) {
		size_t at = (size_t)(p - text.p), clear = prefilter_next(&c, at) - at;
		const char *next = p;

		if (clear == text.n - at)
			return;
		if ((size_t)(p - told) >= LOOK_EACH) {
			if (stop_wanted((size_t)(p - told)))
				return;
			told = p;
		}
		if (clear > 4 * BLOCK)
			next = skip_values(p, p + clear);
		t->places[layer].at = p;
		if (next > p) {
			p = next;
		} else if (is_between(*p)) {
			p++;
		} else if (*p == '"') {
			p = read_string(t, layer, &c, p, end);
		} else {
			while (next < end && *next != '"' && !is_between(*next))
				next++;
			if (clear < (size_t)(next - p))
				search_whole(
					t, layer, (struct str){p, (size_t)(next - p)});
			p = next;
		}
	}
}

static void walk_lines(struct texts *t, struct str text)
{
	while (text.n && !stop_asked()) {
		const char *feed = memchr(text.p, '\n', text.n);
		size_t n = feed ? (size_t)(feed - text.p) : text.n;
		struct str line = {text.p, n};
		struct prefilter_cursor c;

		prefilter_begin(&c, t->prefilter, line);
		t->places[0] = (struct texts_place){text, text.p};
		if (prefilter_next(&c, 0) < n)
			search_text(t, 0, line_value(line));
		stop_wanted(n);
		n += feed != NULL;
		text = str_skip(text, n);
	}
}

/* ---- searching ---- */

struct texts *texts_new(const struct query *q, texts_each_fn *each, void *ctx)
{
	struct texts *t = mem_zalloc(1, sizeof(*t));

	t->prefilter = query_prefilter(q);
	t->each = each;
	t->each_ctx = ctx;
	query_begin(&t->run, q);
	return t;
}

void texts_free(struct texts *t)
{
	if (!t)
		return;
	for (size_t i = 0; i <= TEXTS_LAYERS; i++)
		buf_done(&t->decoded[i]);
	buf_done(&t->inner[0]);
	buf_done(&t->inner[1]);
	query_done(&t->run);
	mem_free(t);
}

uint64_t texts_count(
	struct texts *t, enum texts_kind kind, struct str bytes, uint64_t time_left)
{
	t->kind = kind;
	query_restart(&t->run, time_left);
	if (kind == TEXTS_JSON)
		walk(t, 0, bytes);
	else if (kind == TEXTS_LINES)
		walk_lines(t, bytes);
	else
		search_whole(t, 0, bytes);
	return t->run.hits;
}

bool texts_gave_up(const struct texts *t)
{
	return t->run.gave_up;
}

/* ---- how many in a step ---- */

uint64_t hits_count(struct texts *t, struct trace *trace, uint32_t step, struct str text)
{
	uint32_t flags = trace_flags(trace, step);
	bool stream = flags & (STEP_SSE | STEP_LINES), bare = flags & STEP_BARE;
	uint64_t hits = 0;

	if (flags & STEP_BROKEN || (stream && bare)) {
		hits = texts_count(t, TEXTS_RAW, text, HITS_TIME_LIMIT);
	} else if (stream && text.n <= HITS_JOINED) {
		AUTO_ARENA arena = {0};
		AUTO_BUF json = BUF_INIT;
		struct assembled said;
		struct stream events;

		stream_read(&events, text, flags & STEP_LINES, &arena);
		assemble(&said, &events, &arena);
		buf_str(&json, jv_raw(said.messages));
		buf_byte(&json, '\n');
		buf_str(&json, jv_raw(said.response));
		hits = texts_count(t, TEXTS_JSON, buf_view(&json), HITS_TIME_LIMIT);
		stream_done(&events);
	}
	if (hits)
		return hits;
	if (flags & STEP_SSE || (stream && !bare && !(flags & STEP_BROKEN)))
		return texts_count(t, TEXTS_LINES, text, HITS_TIME_LIMIT);
	return texts_count(t, TEXTS_JSON, text, HITS_TIME_LIMIT);
}

/* ---- paths ---- */

struct hit_level {
	struct jwalk walk;
	struct jv value;    /* of the container, as far as it was walked */
	size_t above, path; /* lengths: the container's path, the value's */
};

/* The way through the containers of a text (struct texts_place), level by level. */
struct hit_layer {
	const char *at; /* where it led last */
	struct hit_level *levels;
	size_t depth, cap;
};

struct hit_search {
	const struct query *query;
	const struct step_content *opened;
	hits_fn *each;
	void *ctx;
	struct hit_layer layers[TEXTS_LAYERS + 1];
	struct buf path; /* from the root of the step */
	struct buf own;  /* from the side */
	struct hit hit;
};

static struct hit_level *enter(struct hit_search *h, struct hit_layer *l)
{
	struct hit_level *v = MEM_ADD(l->levels, l->depth, l->cap);

	*v = (struct hit_level){.above = h->path.len, .path = h->path.len};
	return v;
}

/* Leads on to the value or key at a place of a text; true: it is a key. */
static bool lead(
	struct hit_search *h, struct hit_layer *l, const struct texts_place *place)
{
	struct hit_level *v;
	struct jv key;

	if (!l->depth)
		enter(h, l)->walk = jwalk_of_run(place->whole, NULL);
	while (l->depth > 1 && place->at >= l->levels[l->depth - 1].walk.end)
		l->depth--;
	for (;;) {
		v = &l->levels[l->depth - 1];
		h->path.len = v->path;
		if (v->value.n && place->at < v->value.p + v->value.n) {
			if (place->at <= v->value.p || l->depth == LEVELS ||
				(v->value.kind != J_OBJECT && v->value.kind != J_ARRAY))
				return place->at < v->value.p;
			v = enter(h, l);
			v->walk = jwalk_of(v[-1].value);
		} else if (!jwalk_next(&v->walk, &key, &v->value)) {
			return false;
		} else if (l->depth > 1) {
			h->path.len = v->above;
			path_add_member(&h->path, key, v->walk.index);
			v->path = h->path.len;
		}
	}
}

/* The path to a side is its name alone, however deep in the step it is. */
static struct str own_path(struct hit_search *h)
{
	const struct jv *v = h->opened->facts.v;
	const struct hit_layer *l = &h->layers[0];

	for (size_t i = h->opened->bare ? 0 : l->depth; i-- > 0;) {
		const char *p = l->levels[i].value.p;
		size_t path = l->levels[i].path;

		if (!p || l->at < p || (p != v[FACT_INPUT].p && p != v[FACT_OUTPUT].p))
			continue;
		buf_clear(&h->own);
		buf_text(&h->own, p == v[FACT_INPUT].p ? "input" : "output");
		buf_add(&h->own, h->path.data + path, h->path.len - path);
		return buf_view(&h->own);
	}
	return buf_view(&h->path);
}

static bool take(void *ctx, uint64_t from, uint64_t to)
{
	struct hit_search *h = ctx;

	h->hit.from = from;
	h->hit.to = to;
	h->each(h->ctx, &h->hit);
	return true;
}

static bool take_text(void *ctx, const struct texts_found *found)
{
	struct hit_search *h = ctx;

	h->hit = (struct hit){.text = found->text, .key = map_hash(found->text)};
	h->path.len = 0;
	for (size_t i = 0; i <= found->layer && found->kind != TEXTS_RAW; i++) {
		struct hit_layer *l = &h->layers[i];

		if (i < TEXTS_LAYERS && l->at != found->places[i].at)
			l[1].depth = 0; /* it was in another string */
		l->at = found->places[i].at;
		if (found->kind == TEXTS_JSON || i)
			h->hit.in_key = lead(h, l, &found->places[i]);
	}
	h->hit.path = own_path(h);
	query_each(h->query, found->text, take, h);
	return true;
}

void hits_each(struct trace *trace, uint32_t step, const struct step_content *opened,
	const struct query *q, hits_fn *each, void *ctx)
{
	struct hit_search h = {.query = q, .opened = opened, .each = each, .ctx = ctx};
	struct texts *t = texts_new(q, take_text, &h);

	hits_count(t, trace, step, opened->text);
	texts_free(t);
	for (size_t i = 0; i <= TEXTS_LAYERS; i++)
		mem_free(h.layers[i].levels);
	buf_done(&h.path);
	buf_done(&h.own);
}

/* ---- excerpts ---- */

static bool continues(struct str text, size_t at)
{
	return at < text.n && ((unsigned char)text.p[at] & 0xC0) == 0x80;
}

struct hit_place hit_excerpt(
	const struct hit *h, size_t before, size_t after, struct buf *out)
{
	struct str more = glyph(GLYPH_ELLIPSIS);
	size_t from = h->from > before ? (size_t)h->from - before : 0;
	size_t hit = (size_t)(h->to - h->from > HIT_SHOWN ? h->from + HIT_SHOWN : h->to);
	size_t to = hit + after < h->text.n ? hit + after : h->text.n;
	struct hit_place place = {out->len, out->len};
	bool blank;

	while (from < h->from && continues(h->text, from))
		from++;
	while (continues(h->text, hit))
		hit++;
	while (continues(h->text, to))
		to++;
	if (from)
		buf_str(out, more);
	for (size_t i = from; i < to; i++) {
		if (i == h->from)
			place.from = out->len;
		blank = str_is_space(h->text.p[i]);
		if (!blank || i == from || out->data[out->len - 1] != ' ')
			buf_byte(out, blank ? ' ' : h->text.p[i]);
		if (i < hit)
			place.to = out->len;
	}
	if (to < h->text.n)
		buf_str(out, more);
	return place;
}
