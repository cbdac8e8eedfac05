/* Events and what they mean: see stream.h. */
#include "config.h"
#include "import/stream.h"

#include <math.h>

#include "base/mem.h"
#include "dialect/chunk.h"
#include "import/sse.h"
#include "json/json.h"

/* ---- kinds ---- */

static const struct {
	struct str type;
	enum stream_kind kind;
} kinds[] = {
	{{"text_delta", 10}, STREAM_TEXT},
	{{"status", 6}, STREAM_STATUS},
	{{"tool_start", 10}, STREAM_TOOL_START},
	{{"tool_progress", 13}, STREAM_TOOL_PROGRESS},
	{{"tool_complete", 13}, STREAM_TOOL_COMPLETE},
	{{"complete", 8}, STREAM_COMPLETE},
	{{"error", 5}, STREAM_ERROR},
	{{"cancelled", 9}, STREAM_CANCELLED},
	{{"message_start", 13}, STREAM_BEGIN},
	{{"message_stop", 12}, STREAM_END},
	{{"message-start", 13}, STREAM_BEGIN},
	{{"message-end", 11}, STREAM_END},
	{{"response.created", 16}, STREAM_BEGIN},
	{{"response.completed", 18}, STREAM_END},
	{{"response.incomplete", 19}, STREAM_END},
	{{"response.failed", 15}, STREAM_FAILED},
};

static enum stream_kind kind_of(struct str type)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (str_equal(kinds[i].type, type))
			return kinds[i].kind;
	return STREAM_OTHER;
}

static bool is_chat(enum stream_kind kind)
{
	return kind >= STREAM_STATUS && kind <= STREAM_CANCELLED;
}

bool stream_is_type(struct str type)
{
	return is_chat(kind_of(type));
}

bool stream_is_end(enum stream_kind kind)
{
	return kind == STREAM_COMPLETE || kind == STREAM_ERROR ||
	       kind == STREAM_CANCELLED || kind == STREAM_END || kind == STREAM_FAILED ||
	       kind == STREAM_DONE;
}

bool stream_has_end(const struct stream_mark *mark)
{
	return mark->kind != STREAM_OTHER && !stream_is_end(mark->kind);
}

bool stream_says(const struct stream_mark *mark)
{
	return mark->kind != STREAM_DONE && !str_equal(mark->type, STR("ping"));
}

bool stream_is_finish(struct jv chunk)
{
	struct jwalk w;
	struct jv key, body, choice = jv_member(chunk, "choices");
	struct str only = chunk_bedrock(chunk, &body);

	if (str_equal(only, STR("messageStop")) || str_equal(only, STR("metadata")))
		return true;

	if (choice.kind == J_NONE)
		choice = jv_member(chunk, "candidates");
	jwalk_begin(&w, choice);
	return jwalk_next(&w, &key, &choice) &&
	       !jv_null(jv_member(choice, "finish_reason"));
}

/* The `type` of an object without looking at later members: most events begin with it. */
static struct str first_type(struct jv object)
{
	struct jv key, value;

	for (struct jwalk w = jwalk_of(object); jwalk_next(&w, &key, &value);)
		if (value.kind == J_STRING && jv_is(key, STR("type")))
			return jv_plain(value);
	return (struct str){0};
}

/* Bedrock's are named by their only key. */
static void mark_bedrock(struct stream_mark *m, struct jv value)
{
	struct jv body;
	struct str only = chunk_bedrock(value, &body);

	if (chunk_is_exception(value))
		m->kind = STREAM_ERROR;
	else if (chunk_kind(value) == CHUNK_BEDROCK)
		m->kind = str_equal(only, STR("messageStart")) ? STREAM_BEGIN
							       : STREAM_CHUNK;
	else if (!stream_is_finish(value))
		return;
	m->typed = true;
	m->type = only;
}

/* Pieces of OpenAI's and Gemini's; an error that comes in between.  Azure begins with
 * what its filter found, and no id yet. */
static void mark_untyped(struct stream_mark *m, struct jv value)
{
	enum { OBJECT, ID, CHOICES, FILTER, CANDIDATES, RESPONSE_ID, ERROR, N };
	static const char *const names[N] = {"object", "id", "choices",
		"prompt_filter_results", "candidates", "response_id", "error"};
	struct jv v[N];

	jv_members(value, names, v, N);
	if (v[CHOICES].kind == J_ARRAY || v[CANDIDATES].kind == J_ARRAY) {
		bool head = v[FILTER].kind == J_ARRAY && jv_empty(v[CHOICES]);

		m->kind = head ? STREAM_BEGIN : STREAM_CHUNK;
		m->id = v[CHOICES].kind == J_ARRAY ? v[ID] : v[RESPONSE_ID];
		m->type = jv_plain(v[OBJECT]);
	} else if (v[ERROR].kind == J_OBJECT) {
		m->kind = STREAM_ERROR;
		m->type = STR("error");
	} else if (chunk_kind(value) == CHUNK_OLLAMA) {
		m->kind = jv_member(value, "done").kind == J_TRUE ? STREAM_END
								  : STREAM_CHUNK;
		m->type = m->kind == STREAM_END ? STR("done") : STR("");
	} else {
		mark_bedrock(m, value);
	}
}

static struct jv begun_id(struct jv value)
{
	struct jv message = jv_member(value, "message");

	if (message.kind != J_OBJECT)
		message = jv_member(value, "response");
	return jv_member(message.kind == J_OBJECT ? message : value, "id");
}

struct stream_mark stream_mark(struct str name, struct str data, struct jv value)
{
	struct stream_mark m = {.kind = STREAM_OTHER};
	bool named = !str_equal(name, STR("message"));

	if (str_equal(str_trim(data), STR("[DONE]"))) {
		m.kind = STREAM_DONE;
		return m;
	}
	m.type = first_type(value);
	m.kind = kind_of(m.type);
	m.chat = is_chat(m.kind);
	m.typed = m.type.p != NULL;
	if (m.kind == STREAM_OTHER && named && kind_of(name) != STREAM_OTHER) {
		m.kind = kind_of(name);
		m.type = name;
	} else if (!m.typed && value.kind == J_OBJECT) {
		mark_untyped(&m, value);
		m.typed = m.typed || m.kind != STREAM_OTHER;
	}
	if (!m.type.n && named)
		m.type = name;
	if (m.id.kind == J_NONE && (m.kind == STREAM_BEGIN || m.kind == STREAM_END ||
					   m.kind == STREAM_FAILED))
		m.id = begun_id(value);
	return m;
}

/* ---- objects by themselves ---- */

enum stream_likeness stream_likeness(struct jv object)
{
	enum { MESSAGE, PAYLOAD, N };
	static const char *const names[N] = {"message", "payload"};
	enum stream_kind kind = kind_of(first_type(object));
	struct jv v[N];

	if (!is_chat(kind))
		return STREAM_UNLIKE;
	jv_members(object, names, v, N);
	if (kind == STREAM_STATUS || kind == STREAM_ERROR)
		return v[MESSAGE].kind == J_STRING ? STREAM_LIKELY : STREAM_UNLIKE;
	if (kind == STREAM_CANCELLED)
		return STREAM_LIKELY;
	if (kind == STREAM_COMPLETE)
		return v[PAYLOAD].kind == J_OBJECT ? STREAM_SURELY : STREAM_LIKELY;
	return STREAM_SURELY;
}

/* ---- facts ---- */

#define HOLDERS 7

/* Where what a response says of itself may stand in one of its events. */
static size_t holders(struct jv value, struct jv out[HOLDERS])
{
	static const char *const names[HOLDERS - 1] = {
		"message", "response", "payload", "metadata", "delta", "x_groq"};
	struct jv v[HOLDERS - 1];
	size_t n = 0;

	out[n++] = value;
	jv_members(value, names, v, HOLDERS - 1);
	for (size_t i = 0; i < HOLDERS - 1; i++)
		if (v[i].kind == J_OBJECT)
			out[n++] = v[i];
	return n;
}

static void set_first(struct facts *f, enum fact fact, struct jv v)
{
	if (f->v[fact].kind == J_NONE && (v.kind == J_STRING || v.kind == J_NUMBER) &&
		(v.kind == J_NUMBER || !jv_empty(v)))
		f->v[fact] = v;
}

static void set_last(struct facts *f, enum fact fact, struct jv v)
{
	if (v.kind == J_NUMBER)
		f->v[fact] = v;
}

static void read_usage(struct facts *f, struct jv usage)
{
	static const struct {
		enum fact fact;
		const char *name;
	} figures[] = {
		{FACT_INPUT_TOKENS, "prompt_tokens"},
		{FACT_FRESH_TOKENS, "input_tokens"},
		{FACT_INPUT_TOKENS, "promptTokenCount"},
		{FACT_OUTPUT_TOKENS, "completion_tokens"},
		{FACT_OUTPUT_TOKENS, "output_tokens"},
		{FACT_ANSWER_TOKENS, "candidatesTokenCount"},
		{FACT_REASONING_TOKENS, "thoughtsTokenCount"},
		{FACT_REASONING_TOKENS, "reasoning_tokens"},
		{FACT_TOTAL_TOKENS, "total_tokens"},
		{FACT_TOTAL_TOKENS, "totalTokenCount"},
		{FACT_INPUT_TOKENS, "prompt_eval_count"},
		{FACT_OUTPUT_TOKENS, "eval_count"},
		{FACT_CACHE_READ, "cache_read_input_tokens"},
		{FACT_CACHED_TOKENS, "cached_tokens"},
		{FACT_CACHED_TOKENS, "cachedContentTokenCount"},
		{FACT_COST, "cost"},
		{FACT_CACHE_WRITE, "cache_creation_input_tokens"},
	};

	for (size_t i = 0; i < sizeof(figures) / sizeof(*figures); i++)
		set_last(f, figures[i].fact, jv_member(usage, figures[i].name));
}

/* Reads the objects within as well: Cohere has billed tokens apart, OpenAI those of the
 * cache. */
static void read_usage_whole(struct facts *f, struct jv usage)
{
	static const char *const inner[] = {"tokens", "prompt_tokens_details",
		"input_tokens_details", "completion_tokens_details",
		"output_tokens_details"};

	read_usage(f, usage);
	for (size_t i = 0; i < sizeof(inner) / sizeof(*inner); i++)
		read_usage(f, jv_member(usage, inner[i]));
}

static void read_holder(struct facts *f, struct jv v)
{
	static const struct {
		enum fact fact;
		const char *name;
	} places[] = {
		{FACT_TIMESTAMP, "timestamp"},
		{FACT_TIMESTAMP, "created_at"},
		{FACT_TIMESTAMP, "create_time"},
		{FACT_MODEL, "model"},
		{FACT_MODEL, "modelVersion"},
		{FACT_CONVERSATION, "conversation_id"},
	};
	enum { COUNT = sizeof(places) / sizeof(*places) };
	const char *names[COUNT + 2] = {[COUNT] = "usage", [COUNT + 1] = "usageMetadata"};
	struct jv found[COUNT + 2];

	for (size_t i = 0; i < COUNT; i++)
		names[i] = places[i].name;
	jv_members(v, names, found, COUNT + 2);
	for (size_t i = 0; i < COUNT; i++)
		set_first(f, places[i].fact, found[i]);
	read_usage_whole(f, found[COUNT]);
	read_usage(f, found[COUNT + 1]);
}

void stream_facts(struct facts *f, const struct stream_mark *mark, struct jv value)
{
	struct jv places[HOLDERS], error = jv_member(value, "error");
	size_t n = value.kind == J_OBJECT ? holders(value, places) : 0;

	for (size_t i = 0; i < n; i++)
		read_holder(f, places[i]);
	set_first(f, FACT_ID, mark->id);
	if (mark->kind == STREAM_END)
		read_usage(f, value);
	if (mark->kind == STREAM_CHUNK) {
		struct jv created = jv_member(value, "created");

		if (!jv_empty(created))
			set_first(f, FACT_TIMESTAMP, created);
	}
	if (mark->kind == STREAM_FAILED)
		error = jv_member(jv_member(value, "response"), "error");
	if (mark->kind == STREAM_ERROR || mark->kind == STREAM_FAILED)
		f->v[FACT_ERROR] = error.kind == J_OBJECT ? error : value;
}

double stream_latency(struct jv value)
{
	double ns, ms;

	if (jv_number(jv_member(value, "total_duration"), &ns))
		return ns / 1e9;
	value = jv_member(jv_member(value, "metadata"), "metrics");
	return jv_number(jv_member(value, "latency_ms"), &ms) ? ms / 1e3 : NAN;
}

/* The first event that says something and the last two; a chat stream says all in its
 * last. */
void stream_read_facts(struct facts *f, const struct stream *s)
{
	size_t last[2], n = 0, first = 0;

	for (size_t i = s->count; i-- > 0 && n < 2;)
		if (stream_says(&s->items[i].mark) && !(n && s->items[last[0]].mark.chat))
			last[n++] = i;
	while (first < s->count && !stream_says(&s->items[first].mark))
		first++;
	if (n && first < last[n - 1])
		stream_facts(f, &s->items[first].mark, s->items[first].value);
	while (n--)
		stream_facts(f, &s->items[last[n]].mark, s->items[last[n]].value);
}

/* ---- reading ---- */

static void worse(struct json_report *sum, const struct json_report *r, uint64_t offset)
{
	if (r->verdict > sum->verdict) {
		sum->verdict = r->verdict;
		sum->offset = offset + r->offset;
		sum->text = r->text;
	}
	sum->surrogates += r->surrogates;
	sum->bad_utf8 += r->bad_utf8;
	sum->controls += r->controls;
	sum->nonfinite += r->nonfinite;
	sum->bom |= r->bom;
	if (!sum->duplicates)
		memcpy(sum->twice, r->twice, sizeof(r->twice));
	sum->duplicates += r->duplicates;
}

/* Where data that was gathered from several lines goes wrong is known by its event only.
 */
static uint64_t place_of(struct str text, const struct sse_event *e)
{
	bool borrowed = e->data.p >= text.p && e->data.p < text.p + text.n;

	return borrowed ? (uint64_t)(e->data.p - text.p) : e->start;
}

/* Whether data is JSON; of what begins like an object but is none, something is wrong. */
static bool judge(struct json_report *sum, struct str text, const struct sse_event *e)
{
	struct json_report r;
	struct str data = str_trim(e->data);

	json_check_keys(e->data, NULL, &r);
	if (r.verdict != VERDICT_BROKEN || (data.n && data.p[0] == '{'))
		worse(sum, &r, place_of(text, e));
	return r.verdict != VERDICT_BROKEN;
}

static struct str keep_data(const struct stream *s, struct str data)
{
	if (data.p >= s->text.p && data.p < s->text.p + s->text.n)
		return data;
	return arena_dup(s->arena, data);
}

/* An object that goes wrong inside is kept as far as it can be read; what is no JSON is a
 * string. */
static struct jv mended(struct str data, struct arena *arena)
{
	struct buf text = BUF_INIT;
	struct str trimmed = str_trim(data);
	struct jv value;

	if (trimmed.n && trimmed.p[0] == '{')
		json_write_raw(&text, trimmed);
	else
		json_write_string(&text, data);
	value = jv_parse(arena_dup(arena, buf_view(&text)));
	buf_done(&text);
	return value;
}

static void read_event(void *ctx, const struct sse_event *e)
{
	struct stream *s = ctx;
	bool json = judge(&s->report, s->text, e);
	struct str data = keep_data(s, e->data);
	struct stream_event *item;

	s->items = mem_grow(s->items, &s->cap, s->count + 1, sizeof(*s->items));
	item = &s->items[s->count++];
	*item = (struct stream_event){.name = STR("message")};
	if (!str_equal(e->type, item->name))
		item->name = arena_dup(s->arena, e->type);
	item->value = json ? jv_parse(data) : mended(data, s->arena);
	item->mark = stream_mark(item->name, data, item->value);
}

static struct str first_line(struct str text)
{
	const char *end = text.n ? memchr(text.p, '\n', text.n) : NULL;

	return (struct str){text.p, end ? (size_t)(end - text.p) : text.n};
}

static void feed_all(struct str text, bool lines, sse_event_fn *each, void *ctx)
{
	struct sse sse;

	sse_begin(&sse, each, ctx, 0);
	sse.lines = lines;
	sse.stamped = !lines && sse_stamp(first_line(text)) > 0;
	sse_feed(&sse, text);
	sse_finish(&sse);
	sse_done(&sse);
}

void stream_read(struct stream *s, struct str text, bool lines, struct arena *arena)
{
	*s = (struct stream){.arena = arena, .text = text};
	feed_all(text, lines, read_event, s);
}

void stream_done(struct stream *s)
{
	mem_free(s->items);
	*s = (struct stream){0};
}

struct chunk_check {
	struct str text;
	struct json_report *report;
};

static void check_event(void *ctx, const struct sse_event *e)
{
	struct chunk_check *c = ctx;

	judge(c->report, c->text, e);
}

void stream_check(struct str text, bool lines, struct json_report *report)
{
	struct chunk_check c = {text, report};

	*report = (struct json_report){0};
	feed_all(text, lines, check_event, &c);
}

/* ---- the tree ---- */

/* An event that does not name itself is written with its name beside its data. */
static void put_event(struct buf *out, const struct stream_event *e)
{
	if (e->mark.typed || str_equal(e->name, STR("message"))) {
		buf_add(out, e->value.p, e->value.n);
		return;
	}
	buf_text(out, "{\"event\":");
	json_write_string(out, e->name);
	buf_text(out, ",\"data\":");
	buf_add(out, e->value.p, e->value.n);
	buf_byte(out, '}');
}

struct jv stream_tree(const struct stream *s, struct arena *arena)
{
	struct buf out = BUF_INIT;
	size_t n;

	buf_reserve(&out, s->text.n + 2);
	for (size_t i = 0; i < s->count; i++) {
		buf_byte(&out, i ? ',' : '[');
		put_event(&out, &s->items[i]);
	}
	buf_text(&out, s->count ? "]" : "[]");
	n = out.len;
	return jv_parse((struct str){arena_take(arena, buf_take(&out), n + 1).p, n});
}
