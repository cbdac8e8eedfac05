/*
 * Joining what other vendors stream: choices of OpenAI, blocks of Anthropic, items of the
 * Responses API, candidates of Gemini.  What belongs together has a key; each key is one
 * part of a message, in order of first appearance.
 */
#include "config.h"
#include "format/assemble.h"

#include "base/map.h"
#include "base/mem.h"
#include "format/messages.h"

enum part_of { TEXT, THINKING, REFUSAL, CALL, ITEM, GONE };

struct joint {
	enum part_of kind;
	uint32_t message;   /* which of several choices */
	struct jv id, name; /* CALL */
	struct jv value;    /* ITEM: as it stands; CALL: arguments that came whole */
	struct buf body;    /* the inside of a JSON string */
};

struct joining {
	struct joint *items;
	size_t count, cap;
	struct idmap keys;
	uint32_t messages; /* choices seen */
	uint32_t round;    /* raised with each message that begins */
};

/* ---- parts ---- */

static uint32_t number_of(struct jv object, const char *name)
{
	double d;

	return jv_number(jv_member(object, name), &d) && d >= 0 && d < 65536 ? (uint32_t)d
									     : 0;
}

static struct joint *add(struct joining *j, enum part_of kind, uint32_t message)
{
	j->items = mem_grow(j->items, &j->cap, j->count + 1, sizeof(*j->items));
	j->items[j->count] = (struct joint){.kind = kind, .message = message};
	if (message >= j->messages)
		j->messages = message + 1;
	return &j->items[j->count++];
}

/* The part with a key, perhaps new. */
static struct joint *keyed(
	struct joining *j, enum part_of kind, uint32_t message, uint32_t index)
{
	uint32_t place[4] = {kind, j->round, message, index};
	uint64_t key = map_hash((struct str){(const char *)place, sizeof(place)});
	uint32_t at = idmap_find(&j->keys, key);

	if (at != MAP_NONE)
		return &j->items[at];
	idmap_add(&j->keys, key, (uint32_t)j->count);
	return add(j, kind, message);
}

static void append(struct joining *j, enum part_of kind, uint32_t message, uint32_t index,
	struct jv text)
{
	if (text.kind == J_STRING && text.n > 2)
		messages_body(&keyed(j, kind, message, index)->body, text);
}

static void set_first(struct jv *v, struct jv found)
{
	if (v->kind == J_NONE && !jv_empty(found))
		*v = found;
}

/* ---- OpenAI ---- */

static void add_tool_calls(struct joining *j, uint32_t choice, struct jv calls)
{
	struct jwalk w;
	struct jv key, call;

	jwalk_begin(&w, calls);
	while (jwalk_next(&w, &key, &call)) {
		struct joint *part = keyed(j, CALL, choice, number_of(call, "index"));
		struct jv function = jv_member(call, "function");

		set_first(&part->id, jv_member(call, "id"));
		set_first(&part->name, jv_member(function, "name"));
		messages_body(&part->body, jv_member(function, "arguments"));
	}
}

static void add_choices(struct joining *j, struct jv choices)
{
	struct jwalk w;
	struct jv key, choice;

	jwalk_begin(&w, choices);
	while (jwalk_next(&w, &key, &choice)) {
		uint32_t n = number_of(choice, "index");
		struct jv delta = jv_member(choice, "delta");

		append(j, THINKING, n, 0, jv_member(delta, "reasoning_content"));
		append(j, THINKING, n, 0, jv_member(delta, "reasoning"));
		append(j, TEXT, n, 0, jv_member(delta, "content"));
		append(j, REFUSAL, n, 0, jv_member(delta, "refusal"));
		add_tool_calls(j, n, jv_member(delta, "tool_calls"));
	}
}

/* ---- Anthropic ---- */

static void begin_block(struct joining *j, struct jv event)
{
	struct jv block = jv_member(event, "content_block");
	struct jv type = jv_member(block, "type");
	uint32_t n = number_of(event, "index");
	struct jv input = jv_member(block, "input");
	struct joint *call;

	if (jv_is(type, STR("text"))) {
		append(j, TEXT, 0, n, jv_member(block, "text"));
	} else if (jv_is(type, STR("thinking"))) {
		append(j, THINKING, 0, n, jv_member(block, "thinking"));
	} else if (jv_is(type, STR("tool_use"))) {
		call = keyed(j, CALL, 0, n);
		call->id = jv_member(block, "id");
		call->name = jv_member(block, "name");
		if (!jv_empty(input))
			call->value = input;
	} else if (block.kind != J_NONE) {
		add(j, ITEM, 0)->value = block;
	}
}

static void add_block_delta(struct joining *j, struct jv event)
{
	struct jv delta = jv_member(event, "delta");
	uint32_t n = number_of(event, "index");

	append(j, TEXT, 0, n, jv_member(delta, "text"));
	append(j, THINKING, 0, n, jv_member(delta, "thinking"));
	append(j, CALL, 0, n, jv_member(delta, "partial_json"));
}

/* ---- the Responses API ---- */

static void forget(struct joining *j)
{
	for (size_t i = 0; i < j->count; i++)
		j->items[i].kind = GONE;
}

/* Of a message its content, of anything else itself. */
static void add_item(struct joining *j, struct jv item)
{
	struct jv content = jv_member(item, "content"), key;
	struct jwalk w;

	if (!jv_is(jv_member(item, "type"), STR("message"))) {
		add(j, ITEM, 0)->value = item;
		return;
	}
	jwalk_begin(&w, content);
	while (jwalk_next(&w, &key, &item))
		add(j, ITEM, 0)->value = item;
}

/* The whole response comes last: it stands for all that came in pieces. */
static void end_response(struct joining *j, struct jv event)
{
	struct jv output = jv_member(jv_member(event, "response"), "output"), key, item;
	struct jwalk w;

	if (output.kind != J_ARRAY || jv_empty(output))
		return;
	forget(j);
	jwalk_begin(&w, output);
	while (jwalk_next(&w, &key, &item))
		add_item(j, item);
}

static void add_response_event(struct joining *j, struct str type, struct jv event)
{
	uint32_t n = number_of(event, "output_index");

	if (str_equal(type, STR("response.output_text.delta"))) {
		append(j, TEXT, 0, n, jv_member(event, "delta"));
	} else if (str_equal(type, STR("response.output_item.done"))) {
		keyed(j, TEXT, 0, n)->kind = GONE;
		add_item(j, jv_member(event, "item"));
	} else if (stream_is_end(stream_mark(type, STR(""), event).kind)) {
		end_response(j, event);
	}
}

/* ---- Gemini ---- */

static void add_gemini_part(struct joining *j, uint32_t candidate, struct jv part)
{
	struct jv call = jv_member(part, "functionCall");
	bool thought = jv_member(part, "thought").kind == J_TRUE;

	if (jv_member(part, "text").kind == J_STRING) {
		append(j, thought ? THINKING : TEXT, candidate, 0,
			jv_member(part, "text"));
	} else if (call.kind == J_OBJECT) {
		struct joint *joint = add(j, CALL, candidate);

		joint->name = jv_member(call, "name");
		joint->id = jv_member(call, "id");
		joint->value = jv_member(call, "args");
	} else if (part.kind == J_OBJECT) {
		add(j, ITEM, candidate)->value = part;
	}
}

static void add_candidates(struct joining *j, struct jv candidates)
{
	struct jwalk w, parts;
	struct jv key, candidate, part;

	jwalk_begin(&w, candidates);
	while (jwalk_next(&w, &key, &candidate)) {
		jwalk_begin(&parts, jv_member(jv_member(candidate, "content"), "parts"));
		while (jwalk_next(&parts, &key, &part))
			add_gemini_part(j, number_of(candidate, "index"), part);
	}
}

/* ---- writing ---- */

static void write_string(struct buf *out, const char *name, struct str body)
{
	buf_printf(out, ",\"%s\":\"", name);
	buf_str(out, body);
	buf_byte(out, '"');
}

static void write_value(struct buf *out, const char *name, struct jv value)
{
	buf_printf(out, ",\"%s\":", name);
	messages_value(out, value);
}

/* Arguments in pieces stay a string: whoever reads it knows how to take one. */
static void write_call(struct buf *out, const struct joint *part)
{
	buf_text(out, "{\"type\":\"tool_use\"");
	if (part->id.kind != J_NONE)
		write_value(out, "id", part->id);
	if (part->name.kind != J_NONE)
		write_value(out, "name", part->name);
	if (part->value.kind != J_NONE)
		write_value(out, "input", part->value);
	else
		write_string(out, "input", buf_view(&part->body));
	buf_byte(out, '}');
}

static void write_part(struct buf *out, const struct joint *part)
{
	static const struct {
		const char *type, *name;
	} texts[] = {[TEXT] = {"text", "text"},
		[THINKING] = {"thinking", "thinking"},
		[REFUSAL] = {"refusal", "refusal"}};

	if (part->kind == CALL) {
		write_call(out, part);
	} else if (part->kind == ITEM) {
		messages_value(out, part->value);
	} else {
		buf_printf(out, "{\"type\":\"%s\"", texts[part->kind].type);
		write_string(out, texts[part->kind].name, buf_view(&part->body));
		buf_byte(out, '}');
	}
}

/* By message, each in order: a counting sort. */
static size_t *in_order(const struct joining *j)
{
	size_t *starts = mem_zalloc((size_t)j->messages + 1, sizeof(*starts));
	size_t *order = mem_zalloc(j->count, sizeof(*order));

	for (size_t i = 0; i < j->count; i++)
		starts[j->items[i].message + 1]++;
	for (size_t i = 0; i < j->messages; i++)
		starts[i + 1] += starts[i];
	for (size_t i = 0; i < j->count; i++)
		order[starts[j->items[i].message]++] = i;
	mem_free(starts);
	return order;
}

static struct jv write_messages(const struct joining *j, struct arena *arena)
{
	struct buf out = BUF_INIT;
	size_t *order = in_order(j), n, written = 0;
	uint32_t message = 0;

	for (size_t i = 0; i < j->count; i++) {
		const struct joint *part = &j->items[order[i]];

		if (part->kind == GONE)
			continue;
		if (!written++ || part->message != message)
			buf_text(&out, written == 1
					       ? "[{\"role\":\"assistant\",\"content\":["
					       : "]},{\"role\":\"assistant\","
						 "\"content\":[");
		else
			buf_byte(&out, ',');
		message = part->message;
		write_part(&out, part);
	}
	mem_free(order);
	if (!written)
		return JV_NONE;
	buf_text(&out, "]}]");
	n = out.len;
	return jv_parse((struct str){arena_take(arena, buf_take(&out), n + 1).p, n});
}

/* ---- all ---- */

static void add_event(struct joining *j, const struct stream_event *e)
{
	struct str type = e->mark.type;
	struct jv v = e->value;

	if (e->mark.kind == STREAM_CHUNK) {
		add_choices(j, jv_member(v, "choices"));
		add_candidates(j, jv_member(v, "candidates"));
	} else if (e->mark.kind == STREAM_BEGIN) {
		j->round++;
	} else if (str_equal(type, STR("content_block_start"))) {
		begin_block(j, v);
	} else if (str_equal(type, STR("content_block_delta"))) {
		add_block_delta(j, v);
	} else if (str_starts(type, STR("response."))) {
		add_response_event(j, type, v);
	}
}

struct jv chunks_join(const struct stream *s, struct arena *arena)
{
	struct joining j = {0};
	struct jv messages;

	for (size_t i = 0; i < s->count; i++)
		add_event(&j, &s->items[i]);
	messages = write_messages(&j, arena);
	for (size_t i = 0; i < j.count; i++)
		buf_done(&j.items[i].body);
	mem_free(j.items);
	idmap_done(&j.keys);
	return messages;
}
