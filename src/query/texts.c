/*
 * The walk through the layers: see texts.h.  A layer is JSON text: what is searched, or
 * the decoded text of a string on the layer above.  Structure does not matter here, so a
 * layer needs no stack: it is either between values or inside a string or another token.
 */
#include "config.h"
#include "query/texts.h"

#include "base/mem.h"
#include "base/stop.h"
#include "json/block.h"
#include "json/check.h"
#include "json/cursor.h"

#define LOOK_EACH (64u * 1024) /* bytes between two looks at whether to stop */

struct texts {
	const struct sieve *sieve;
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

static bool is_json(struct str text)
{
	struct json_report report;

	json_check(text, &report);
	return report.verdict != VERDICT_BROKEN;
}

/* Whether a text is a container, or a string that holds one, within TEXTS_LAYERS. */
static bool holds_json(struct texts *t, unsigned layer, struct str text)
{
	for (; layer < TEXTS_LAYERS; layer++) {
		struct buf *decoded = &t->inner[layer % 2];

		text = str_trim(text);
		if (is_enclosed(text, '{', '}') || is_enclosed(text, '[', ']'))
			return is_json(text);
		if (!is_enclosed(text, '"', '"') || !is_json(text))
			return false;
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

/* The closing quote at or after p, or `end`. */
static const char *find_quote(const char *p, const char *end)
{
	uint64_t carry = 0;

	for (; end - p >= BLOCK; p += BLOCK) {
		struct byte_block b = block_load(p);
		uint64_t escaped = block_escaped(block_eq(&b, '\\'), &carry);
		uint64_t quotes = block_eq(&b, '"') & ~escaped;

		if (quotes)
			return p + block_first(quotes);
	}
	for (; p < end; p++) {
		if (carry)
			carry = 0;
		else if (*p == '\\')
			carry = 1;
		else if (*p == '"')
			break;
	}
	return p;
}

static bool is_between(char c)
{
	return str_is_space(c) || c == ',' || c == ':' || c == '{' || c == '}' ||
	       c == '[' || c == ']';
}

static const char *token_end(const char *p, const char *end)
{
	while (p < end && *p != '"' && !is_between(*p))
		p++;
	return p;
}

/* Searches the string at p if it has a candidate; returns its end. */
static const char *read_string(struct texts *t, unsigned layer, struct sieve_cursor *c,
	const char *p, const char *end)
{
	const char *quote = find_quote(p + 1, end);
	bool cut = quote == end;
	struct jv string = {p, (size_t)(quote + !cut - p), J_STRING, cut, NULL};

	if (sieve_next(c, (size_t)(p + 1 - c->bytes.p)) < (size_t)(quote - c->bytes.p))
		search_text(t, layer, jv_str(string, &t->decoded[layer]));
	return p + string.n;
}

static const char *read_token(struct texts *t, unsigned layer, struct sieve_cursor *c,
	const char *p, const char *end)
{
	const char *q = token_end(p, end);

	if (sieve_next(c, (size_t)(p - c->bytes.p)) < (size_t)(q - c->bytes.p))
		search_whole(t, layer, (struct str){p, (size_t)(q - p)});
	return q;
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
	struct sieve_cursor c;

	t->places[layer].whole = text;
	if (!text.n)
		return;
	end = p + text.n;
	sieve_begin(&c, t->sieve, text);
	while (p < end) {
		size_t at = (size_t)(p - text.p), clear = sieve_next(&c, at) - at;
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
		if (next > p)
			p = next;
		else if (is_between(*p))
			p++;
		else if (*p == '"')
			p = read_string(t, layer, &c, p, end);
		else
			p = read_token(t, layer, &c, p, end);
	}
}

static void walk_lines(struct texts *t, struct str text)
{
	while (text.n && !stop_asked()) {
		const char *feed = memchr(text.p, '\n', text.n);
		size_t n = feed ? (size_t)(feed - text.p) : text.n;
		struct str line = {text.p, n};
		struct sieve_cursor c;

		sieve_begin(&c, t->sieve, line);
		t->places[0] = (struct texts_place){text, text.p};
		if (sieve_next(&c, 0) < n)
			search_text(t, 0, line_value(line));
		stop_wanted(n);
		n += feed != NULL;
		text = str_skip(text, n);
	}
}

/* ---- the interface ---- */

struct texts *texts_new(const struct query *q)
{
	struct texts *t = mem_zalloc(1, sizeof(*t));

	t->sieve = query_sieve(q);
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

void texts_each(struct texts *t, texts_each_fn *each, void *ctx)
{
	t->each = each;
	t->each_ctx = ctx;
}

uint64_t texts_count(
	struct texts *t, enum texts_kind kind, struct str bytes, uint64_t patience)
{
	t->kind = kind;
	query_restart(&t->run, patience);
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
