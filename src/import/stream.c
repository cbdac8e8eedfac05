/* Events and what they mean: see stream.h. */
#include "config.h"
#include "import/stream.h"

#include "base/mem.h"
#include "dialect/chunk.h"
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
	struct jv body, choice = jv_member(chunk, "choices");
	struct str only = chunk_bedrock(chunk, &body);

	if (str_equal(only, STR("messageStop")) || str_equal(only, STR("metadata")))
		return true;

	if (choice.kind == J_NONE)
		choice = jv_member(chunk, "candidates");
	return !jv_null(jv_member(jv_first(choice), "finish_reason"));
}

/* The `type` of an object without looking at later members: most events begin with it. */
static struct str first_type(struct jv object)
{
	JV_PAIRS(key, value, object)
		if (value.kind == J_STRING && jv_is(key, STR("type")))
			return jv_plain(value);
	return (struct str){0};
}

/* Pieces of OpenAI's and Gemini's; an error that comes in between; Bedrock's, which are
 * named by their only key.  Azure begins with what its filter found, and no id yet. */
static void mark_untyped(struct stream_mark *m, struct jv value)
{
	JV_MEMBERS(v, value, object, id, choices, prompt_filter_results, candidates,
		response_id, error);
	if (v.choices.kind == J_ARRAY || v.candidates.kind == J_ARRAY) {
		bool head =
			v.prompt_filter_results.kind == J_ARRAY && jv_empty(v.choices);

		m->kind = head ? STREAM_BEGIN : STREAM_CHUNK;
		m->id = v.choices.kind == J_ARRAY ? v.id : v.response_id;
		m->type = jv_plain(v.object);
	} else if (v.error.kind == J_OBJECT) {
		m->kind = STREAM_ERROR;
		m->type = STR("error");
	} else if (chunk_kind(value) == CHUNK_OLLAMA) {
		m->kind = jv_member(value, "done").kind == J_TRUE ? STREAM_END
								  : STREAM_CHUNK;
		m->type = m->kind == STREAM_END ? STR("done") : STR("");
	} else {
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
					   m.kind == STREAM_FAILED)) {
		struct jv of = jv_member(value, "message");

		if (of.kind != J_OBJECT)
			of = jv_member(value, "response");
		m.id = jv_member(of.kind == J_OBJECT ? of : value, "id");
	}
	return m;
}

/* ---- objects by themselves ---- */

enum stream_likeness stream_likeness(struct jv object)
{
	enum stream_kind kind = kind_of(first_type(object));

	if (!is_chat(kind))
		return STREAM_UNLIKE;
	JV_MEMBERS(v, object, message, payload);
	if (kind == STREAM_STATUS || kind == STREAM_ERROR)
		return v.message.kind == J_STRING ? STREAM_LIKELY : STREAM_UNLIKE;
	if (kind == STREAM_CANCELLED)
		return STREAM_LIKELY;
	if (kind == STREAM_COMPLETE)
		return v.payload.kind == J_OBJECT ? STREAM_SURELY : STREAM_LIKELY;
	return STREAM_SURELY;
}

/* ---- facts ---- */

size_t stream_telling(const struct stream *s, size_t events[3])
{
	size_t last[2], n = 0, first = 0, count = 0;

	for (size_t i = s->count; i-- > 0 && n < 2;)
		if (stream_says(&s->items[i].mark) && !(n && s->items[last[0]].mark.chat))
			last[n++] = i;
	while (first < s->count && !stream_says(&s->items[first].mark))
		first++;
	if (n && first < last[n - 1])
		events[count++] = first;
	while (n--)
		events[count++] = last[n];
	return count;
}

struct jv stream_error(const struct stream_event *e)
{
	struct jv error = jv_member(e->value, "error");

	if (e->mark.kind != STREAM_ERROR && e->mark.kind != STREAM_FAILED)
		return JV_NONE;
	if (e->mark.kind == STREAM_FAILED)
		error = jv_member(jv_member(e->value, "response"), "error");
	return error.kind == J_OBJECT ? error : e->value;
}

/* ---- reading ---- */

/* Whether data is JSON; of what begins like an object but is none, something is wrong. */
static bool check_event(
	struct json_report *sum, struct str text, const struct sse_event *e)
{
	struct json_report r;
	struct str data = str_trim(e->data);
	bool borrowed = e->data.p >= text.p && e->data.p < text.p + text.n;

	json_check_keys(e->data, NULL, &r);
	if (r.verdict == VERDICT_BROKEN && !(data.n && data.p[0] == '{'))
		return false;
	if (r.verdict > sum->verdict) {
		sum->verdict = r.verdict;
		/* where data that was gathered from several lines goes wrong is known by
		 * its event only */
		sum->offset = r.offset +
			      (borrowed ? (uint64_t)(e->data.p - text.p) : e->start);
		sum->text = r.text;
	}
	sum->surrogates += r.surrogates;
	sum->bad_utf8 += r.bad_utf8;
	sum->controls += r.controls;
	sum->nonfinite += r.nonfinite;
	sum->bom |= r.bom;
	if (!sum->duplicates)
		memcpy(sum->twice, r.twice, sizeof(r.twice));
	sum->duplicates += r.duplicates;
	return r.verdict != VERDICT_BROKEN;
}

/* An object that goes wrong inside is kept as far as it can be read; what is no JSON is a
 * string.  Without an arena events are only checked. */
static void read_event(void *ctx, const struct sse_event *e)
{
	struct stream *s = ctx;
	bool json = check_event(&s->report, s->text, e);
	bool borrowed = e->data.p >= s->text.p && e->data.p < s->text.p + s->text.n;
	struct str data = e->data, trimmed;
	struct buf mended = BUF_INIT;
	struct stream_event *item;

	if (!s->arena)
		return;
	if (!borrowed)
		data = arena_dup(s->arena, data);
	trimmed = str_trim(data);
	item = MEM_ADD(s->items, s->count, s->cap);
	*item = (struct stream_event){.name = STR("message")};
	if (!str_equal(e->type, item->name))
		item->name = arena_dup(s->arena, e->type);
	if (json) {
		item->value = jv_parse(data);
	} else if (trimmed.n && trimmed.p[0] == '{') {
		json_write_raw(&mended, trimmed);
		item->value = json_kept(&mended, s->arena);
	} else {
		item->value = json_quoted(data, s->arena);
	}
	item->mark = stream_mark(item->name, data, item->value);
}

static void feed_all(struct str text, bool lines, sse_event_fn *each, void *ctx)
{
	struct str rest = text, line = {0};
	struct sse sse;

	str_next_line(&rest, &line);
	sse_begin(&sse, each, ctx, 0);
	sse.lines = lines;
	sse.stamped = !lines && sse_stamp(line) > 0;
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

void stream_check(struct str text, bool lines, struct json_report *report)
{
	struct stream s = {.text = text};

	feed_all(text, lines, read_event, &s);
	*report = s.report;
}

/* ---- the tree ---- */

struct jv stream_tree(const struct stream *s, struct arena *arena)
{
	struct buf out = BUF_INIT;

	buf_reserve(&out, s->text.n + 2);
	for (size_t i = 0; i < s->count; i++) {
		const struct stream_event *e = &s->items[i];
		/* one that does not name itself is written with its name beside its data */
		bool plain = e->mark.typed || str_equal(e->name, STR("message"));

		buf_byte(&out, i ? ',' : '[');
		if (!plain) {
			buf_text(&out, "{\"event\":");
			json_write_string(&out, e->name);
			buf_text(&out, ",\"data\":");
		}
		buf_add(&out, e->value.p, e->value.n);
		buf_text(&out, plain ? "" : "}");
	}
	buf_text(&out, s->count ? "]" : "[]");
	return json_kept(&out, arena);
}
