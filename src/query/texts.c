/*
 * The walk through the layers: see texts.h.  A layer is JSON text that comes in parts:
 * the step itself, or the decoded text of a string on the layer above.  Structure does
 * not matter here, so a layer needs no stack: it is either between values or inside a
 * string or another token.
 *
 * A value within one part is searched in place; one that goes on in the next part is
 * gathered.  One that grows longer than TEXTS_WHOLE becomes a stream: its first bytes
 * decide whether it holds JSON, and from then on each part is decoded and passed to the
 * layer below or to the query at once.
 */
#include "config.h"
#include "query/texts.h"

#include "base/mem.h"
#include "base/stop.h"
#include "base/utf8.h"
#include "json/block.h"
#include "json/check.h"
#include "json/cursor.h"

#define COUNT_PART (256u * 1024) /* bytes between two looks at whether to stop */

enum value_kind {
	NOTHING, /* between values */
	STRING,  /* `raw` begins with its quote */
	TOKEN,   /* a number, a literal or junk */
	LINE,
	RAW,
};

struct text_layer {
	enum value_kind kind; /* of the value that is not at its end */
	bool stream;          /* that value is too long to be gathered */
	bool opened;          /* that stream holds JSON */
	struct buf raw;       /* the gathered bytes; of a stream those not decoded yet */
	struct buf text;      /* decoded: a string, or this part of a stream */
};

struct texts {
	const struct sieve *sieve;
	struct query_run run;
	enum texts_kind kind;
	texts_each_fn *each; /* NULL: all texts count */
	void *each_ctx;
	struct text_layer layers[TEXTS_LAYERS + 1];
	struct buf inner[2]; /* decoded strings, for holds_json */
};

/* Recursion is bounded by TEXTS_LAYERS. */
static void walk(struct texts *t, unsigned layer, struct str part);
static void walk_end(struct texts *t, unsigned layer);

/* ---- does it hold JSON? ---- */

static bool is_enclosed(struct str text, char first, char last)
{
	return text.n > 1 && text.p[0] == first && text.p[text.n - 1] == last;
}

static bool is_json(struct str text, bool whole)
{
	struct json_report report;

	json_check(text, &report);
	return report.verdict != VERDICT_BROKEN || (!whole && report.truncated);
}

/* Whether a text is a container, or a string that holds one, within TEXTS_LAYERS. */
static bool holds_json(struct texts *t, unsigned layer, struct str text)
{
	for (; layer < TEXTS_LAYERS; layer++) {
		struct buf *decoded = &t->inner[layer % 2];

		text = str_trim(text);
		if (is_enclosed(text, '{', '}') || is_enclosed(text, '[', ']'))
			return is_json(text, true);
		if (!is_enclosed(text, '"', '"') || !is_json(text, true))
			return false;
		buf_clear(decoded);
		jv_decode(jv_parse(text), decoded);
		text = buf_view(decoded);
	}
	return false;
}

/* Whether a text holds JSON, judged by the beginning of it. */
static bool begins_json(unsigned layer, struct str text)
{
	while (text.n && str_is_space(*text.p)) {
		text.p++;
		text.n--;
	}
	return layer < TEXTS_LAYERS && text.n && (*text.p == '{' || *text.p == '[') &&
	       is_json(text, false);
}

/* ---- whole values ---- */

static void search_whole(struct texts *t, struct str text)
{
	uint64_t before = t->run.hits;

	query_text(&t->run, text);
	if (t->run.hits > before && t->each &&
		!t->each(t->each_ctx, text, t->run.hits - before))
		t->run.hits = before;
}

/* Searches the text of a string or line on a layer, or the JSON in it. */
static void search_text(struct texts *t, unsigned layer, struct str text)
{
	if (!holds_json(t, layer, text)) {
		search_whole(t, text);
		return;
	}
	walk(t, layer + 1, text);
	walk_end(t, layer + 1);
}

static void search_string(struct texts *t, unsigned layer, struct jv string)
{
	search_text(t, layer, jv_str(string, &t->layers[layer].text));
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

static bool may_hold(const struct texts *t, struct str raw)
{
	struct sieve_cursor c;

	sieve_begin(&c, t->sieve, raw);
	return sieve_next(&c, 0) < raw.n;
}

/* Searches a gathered value; `cut`: it is a string without its closing quote. */
static void search_gathered(struct texts *t, unsigned layer, bool cut)
{
	struct text_layer *l = &t->layers[layer];
	struct str raw = buf_view(&l->raw);

	if (!may_hold(t, raw))
		return;
	if (l->kind == STRING)
		search_string(t, layer, (struct jv){raw.p, raw.n, J_STRING, cut, NULL});
	else if (l->kind == LINE)
		search_text(t, layer, line_value(raw));
	else
		search_whole(t, raw);
}

/* ---- long values ---- */

/* Decodes l->raw up to an incomplete escape or character, as jv_decode does, and keeps
 * the rest. */
static void decode_whole(struct text_layer *l)
{
	const char *p = l->raw.data, *end = p + l->raw.len;
	struct json_piece piece;

	for (; p < end; p += piece.n) {
		json_piece_next(p, end, &piece);
		if (piece.kind == PIECE_END)
			break;
		if (piece.kind == PIECE_BAD)
			piece.n = p[1] == 'u' ? 2 : 1;
		if (piece.kind == PIECE_BAD || piece.kind == PIECE_SURROGATE)
			buf_utf8(&l->text, UTF8_REPLACEMENT);
		else if (piece.kind == PIECE_ESCAPE)
			buf_utf8(&l->text, piece.code);
		else
			buf_add(&l->text, p, piece.n);
	}
	l->raw.len = (size_t)(end - p);
	memmove(l->raw.data, p, l->raw.len);
}

/* Decodes the incomplete end of a cut string. */
static void decode_rest(struct text_layer *l)
{
	struct buf string = BUF_INIT;

	buf_byte(&string, '"');
	buf_str(&string, buf_view(&l->raw));
	jv_decode((struct jv){string.data, string.len, J_STRING, true, NULL}, &l->text);
	buf_done(&string);
	l->raw.len = 0;
}

/* Searches the decoded part of a stream. */
static void pass_on(struct texts *t, unsigned layer)
{
	struct text_layer *l = &t->layers[layer];
	struct str text = buf_view(l->kind == STRING ? &l->text : &l->raw);

	if (l->opened)
		walk(t, layer + 1, text);
	else
		query_part(&t->run, text);
	l->text.len = 0;
	if (l->kind != STRING)
		l->raw.len = 0;
}

/* The value has become too long to be gathered. */
static void become_stream(struct texts *t, unsigned layer)
{
	struct text_layer *l = &t->layers[layer];
	struct str text;

	l->stream = true;
	l->text.len = 0;
	if (l->kind == STRING) {
		memmove(l->raw.data, l->raw.data + 1, --l->raw.len); /* the quote */
		decode_whole(l);
	} else if (l->kind == LINE) {
		size_t head = l->raw.len - line_value(buf_view(&l->raw)).n;

		l->raw.len -= head;
		memmove(l->raw.data, l->raw.data + head, l->raw.len);
	}
	text = buf_view(l->kind == STRING ? &l->text : &l->raw);
	l->opened = l->kind != TOKEN && l->kind != RAW && begins_json(layer, text);
	pass_on(t, layer);
}

/* ---- values that go on in the next part ---- */

static void begin_value(struct text_layer *l, enum value_kind kind)
{
	l->kind = kind;
	l->stream = l->opened = false;
	l->raw.len = 0;
}

static void grow_value(struct texts *t, unsigned layer, struct str more)
{
	struct text_layer *l = &t->layers[layer];

	buf_str(&l->raw, more);
	if (l->stream) {
		if (l->kind == STRING)
			decode_whole(l);
		pass_on(t, layer);
	} else if (l->raw.len > TEXTS_WHOLE || l->kind == RAW) {
		become_stream(t, layer);
	}
}

static void end_value(struct texts *t, unsigned layer, bool cut)
{
	struct text_layer *l = &t->layers[layer];

	if (l->stream) {
		if (l->kind == STRING)
			decode_rest(l);
		pass_on(t, layer);
		if (l->opened)
			walk_end(t, layer + 1);
		else
			query_end(&t->run);
	} else if (l->raw.len) {
		search_gathered(t, layer, cut);
	}
	l->kind = NOTHING;
}

/* ---- the bytes of a layer ---- */

/* The closing quote at or after p, or `end`; *carry: the byte before p escapes. */
static const char *find_quote(const char *p, const char *end, uint64_t *carry)
{
	for (; end - p >= BLOCK; p += BLOCK) {
		struct byte_block b = block_load(p);
		uint64_t escaped = block_escaped(block_eq(&b, '\\'), carry);
		uint64_t quotes = block_eq(&b, '"') & ~escaped;

		if (quotes)
			return p + block_first(quotes);
	}
	for (; p < end; p++) {
		if (*carry)
			*carry = 0;
		else if (*p == '\\')
			*carry = 1;
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

/* Whether an odd number of backslashes is at the end. */
static bool ends_escaping(struct str raw)
{
	size_t n = 0;

	while (n < raw.n && raw.p[raw.n - 1 - n] == '\\')
		n++;
	return n % 2;
}

/* Reads the next bytes of a string from an earlier part; returns where it stopped. */
static const char *continue_string(
	struct texts *t, unsigned layer, const char *p, const char *end)
{
	struct text_layer *l = &t->layers[layer];
	uint64_t carry = ends_escaping(buf_view(&l->raw));
	const char *quote = find_quote(p, end, &carry);

	if (quote == end) {
		grow_value(t, layer, (struct str){p, (size_t)(end - p)});
		return end;
	}
	if (l->stream) {
		grow_value(t, layer, (struct str){p, (size_t)(quote - p)});
	} else {
		buf_add(&l->raw, p, (size_t)(quote + 1 - p));
	}
	end_value(t, layer, false);
	return quote + 1;
}

static const char *continue_token(
	struct texts *t, unsigned layer, const char *p, const char *end)
{
	const char *q = token_end(p, end);

	grow_value(t, layer, (struct str){p, (size_t)(q - p)});
	if (q < end)
		end_value(t, layer, false);
	return q;
}

/* Reads a string that begins at p: searched if it ends in this part and has a candidate.
 */
static const char *read_string(struct texts *t, unsigned layer, struct sieve_cursor *c,
	const char *p, const char *end)
{
	uint64_t carry = 0;
	const char *quote = find_quote(p + 1, end, &carry);
	size_t from = (size_t)(p + 1 - c->bytes.p);

	if (quote == end) {
		begin_value(&t->layers[layer], STRING);
		grow_value(t, layer, (struct str){p, (size_t)(end - p)});
		return end;
	}
	if (sieve_next(c, from) < (size_t)(quote - c->bytes.p))
		search_string(t, layer,
			jv_of((struct str){p, (size_t)(quote + 1 - p)}, J_STRING));
	return quote + 1;
}

static const char *read_token(struct texts *t, unsigned layer, struct sieve_cursor *c,
	const char *p, const char *end)
{
	const char *q = token_end(p, end);

	if (q == end) {
		begin_value(&t->layers[layer], TOKEN);
		grow_value(t, layer, (struct str){p, (size_t)(end - p)});
		return end;
	}
	if (sieve_next(c, (size_t)(p - c->bytes.p)) < (size_t)(q - c->bytes.p))
		search_whole(t, (struct str){p, (size_t)(q - p)});
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

static void walk(struct texts *t, unsigned layer, struct str part)
{
	struct text_layer *l = &t->layers[layer];
	const char *p = part.p, *end = p + part.n;
	struct sieve_cursor c;

	if (p < end && l->kind == STRING)
		p = continue_string(t, layer, p, end);
	else if (p < end && l->kind == TOKEN)
		p = continue_token(t, layer, p, end);
	if (p == end)
		return;
	sieve_begin(&c, t->sieve, (struct str){p, (size_t)(end - p)});
	while (p < end) {
		bool idle = end - p > 4 * BLOCK &&
			    sieve_next(&c, (size_t)(p - c.bytes.p)) == c.bytes.n;
		const char *next = idle ? skip_values(p, end) : p;

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

static void walk_end(struct texts *t, unsigned layer)
{
	if (t->layers[layer].kind != NOTHING)
		end_value(t, layer, true);
}

static void walk_lines(struct texts *t, struct str part)
{
	const char *p = part.p, *end = p + part.n;

	while (p < end) {
		const char *feed = memchr(p, '\n', (size_t)(end - p));
		const char *q = feed ? feed : end;

		if (t->layers[0].kind == NOTHING)
			begin_value(&t->layers[0], LINE);
		grow_value(t, 0, (struct str){p, (size_t)(q - p)});
		if (feed)
			end_value(t, 0, false);
		p = feed ? feed + 1 : end;
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
	for (size_t i = 0; i <= TEXTS_LAYERS; i++) {
		buf_done(&t->layers[i].raw);
		buf_done(&t->layers[i].text);
	}
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

void texts_begin(struct texts *t, enum texts_kind kind, uint64_t patience)
{
	t->kind = kind;
	query_restart(&t->run, patience);
	for (size_t i = 0; i <= TEXTS_LAYERS; i++)
		t->layers[i].kind = NOTHING;
	if (kind == TEXTS_RAW)
		begin_value(&t->layers[0], RAW);
}

void texts_feed(struct texts *t, struct str bytes)
{
	if (t->kind == TEXTS_JSON)
		walk(t, 0, bytes);
	else if (t->kind == TEXTS_LINES)
		walk_lines(t, bytes);
	else
		grow_value(t, 0, bytes);
}

uint64_t texts_end(struct texts *t, bool *gave_up)
{
	walk_end(t, 0);
	*gave_up = t->run.gave_up;
	return t->run.hits;
}

uint64_t texts_count(
	struct texts *t, enum texts_kind kind, struct str bytes, uint64_t patience)
{
	bool gave_up;

	texts_begin(t, kind, patience);
	for (size_t at = 0, n; at < bytes.n && !stop_asked(); at += n) {
		n = bytes.n - at < COUNT_PART ? bytes.n - at : COUNT_PART;
		texts_feed(t, (struct str){bytes.p + at, n});
		stop_wanted(n);
	}
	return texts_end(t, &gave_up);
}
