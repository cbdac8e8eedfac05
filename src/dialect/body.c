/* See body.h. */
#include "config.h"
#include "dialect/body.h"

#include "chat/role.h"
#include "dialect/chunk.h"
#include "json/check.h"
#include "json/copy.h"

/* ---- messages ---- */

/* A type, where there is one, may not be that of something else; the role of an answer to
 * a call may be any name; what is said may be null beside calls. */
bool body_is_message(struct jv message)
{
	bool says;

	if (message.kind != J_OBJECT)
		return false;
	JV_MEMBERS(v, message, role, type, tool_call_id, content, reasoning_content,
		reasoning, tool_plan, refusal, tool_calls, function_call, audio);
	if (v.type.kind == J_STRING && !jv_is(v.type, STR("message")) &&
		!jv_is(v.type, STR("text")))
		return false;
	says = v.content.kind == J_STRING || v.content.kind == J_ARRAY ||
	       v.content.kind == J_OBJECT || v.content.kind == J_NULL ||
	       v.reasoning_content.kind == J_STRING || v.reasoning.kind == J_STRING ||
	       v.tool_plan.kind == J_STRING || v.refusal.kind == J_STRING ||
	       v.tool_calls.kind == J_ARRAY || v.function_call.kind == J_OBJECT ||
	       v.audio.kind == J_OBJECT;
	return says && v.role.kind == J_STRING &&
	       (role_speaker(jv_plain(v.role)) != SPEAKER_OTHER ||
		       !jv_empty(v.tool_call_id));
}

bool body_is_message_of(struct jv message, unsigned custom, unsigned other)
{
	if (!body_is_message(message))
		return false;
	JV_ITEMS(block, jv_member(message, "content"))
		if ((block_customs(block) & (custom | other)) == custom)
			return true;
	return false;
}

void body_add_message(struct talk *t, struct jv message, const char *otherwise)
{
	if (message.kind != J_OBJECT)
		body_say(t, otherwise, message);
	else if (jv_member(message, "role").kind == J_STRING)
		talk_add_raw(t, message);
	else
		talk_add_said_by(t, otherwise, message);
}

const char *side_speaker(enum prefer side)
{
	return side == PREFER_OUTPUT ? "assistant" : "user";
}

void body_add_messages(struct talk *t, struct jv array, enum prefer side)
{
	JV_EACH(message, array)
		if (!jv_null(message))
			body_add_message(t, message, side_speaker(side));
}

void body_say(struct talk *t, const char *role, struct jv content)
{
	if (jv_empty(content))
		return;
	talk_begin(t, JV_NONE, role);
	talk_content(t, content);
	talk_end(t);
}

/* ---- lists ---- */

static unsigned inner_customs(struct jv message)
{
	unsigned customs = 0;

	JV_ITEMS(block, jv_member(message, "content"))
		customs |= block_customs(block);
	return customs;
}

void census_take(struct census *c, struct jv array)
{
	struct jv item;

	*c = (struct census){0};
	if (array.kind != J_ARRAY)
		return;
	for (struct jwalk w = jwalk_of(array);
		c->items < CENSUS_MOST && jwalk_next(&w, NULL, &item);)
		if (!jv_null(item)) {
			unsigned customs = block_customs(item);

			if (body_is_message(item)) {
				c->first = c->first || c->items == 0;
				c->messages++;
				c->inner |= inner_customs(item);
			} else if (customs) {
				c->blocks++;
				c->customs =
					c->blocks == 1 ? customs : c->customs | customs;
				c->calls += block_is_call(item);
			} else {
				c->calls += block_is_call(item);
			}
			c->items++;
		}
}

bool census_is_messages(const struct census *c)
{
	return c->first && c->messages * 2 >= c->items;
}

bool body_are_messages(struct jv array)
{
	struct census c;

	census_take(&c, array);
	return census_is_messages(&c);
}

bool body_read_messages(struct talk *t, struct jv array, enum prefer side)
{
	if (!body_are_messages(array))
		return false;
	body_add_messages(t, array, side);
	return true;
}

bool body_read_message(struct talk *t, struct jv message, enum prefer side)
{
	if (!body_is_message(message))
		return false;
	body_add_message(t, message, side_speaker(side));
	return true;
}

bool body_say_blocks(struct talk *t, struct jv value, unsigned custom, enum prefer side)
{
	struct census c;

	census_take(&c, value);
	if (value.kind == J_OBJECT)
		c = (struct census){1, .blocks = 1, .customs = block_customs(value)};
	if (!c.items || c.blocks != c.items || !(c.customs & custom))
		return false;
	body_say(t, side_speaker(side), value);
	return true;
}

/* ---- bodies ---- */

static bool is_among(struct jv key, const char *const names[])
{
	for (; *names; names++)
		if (jv_key_is(key, str_of(*names)))
			return true;
	return false;
}

static void add_members(
	struct parameters *s, struct jv object, const char *const names[], bool these)
{
	if (object.kind != J_OBJECT)
		return;
	JV_PAIRS(key, value, object) {
		if (jv_null(value) || key.kind != J_STRING || key.cut || value.cut ||
			is_among(key, names) != these)
			continue;
		buf_byte(&s->out, s->out.len ? ',' : '{');
		buf_add(&s->out, key.p, key.n);
		buf_byte(&s->out, ':');
		buf_add(&s->out, value.p, value.n);
	}
}

void parameters_add(struct parameters *s, struct jv object, const char *const names[])
{
	add_members(s, object, names, true);
}

void parameters_add_others(
	struct parameters *s, struct jv object, const char *const names[])
{
	add_members(s, object, names, false);
}

void parameters_of_request(
	struct parameters *s, struct jv body, const char *const names[])
{
	static const char *const known[] = {"temperature", "top_p", "top_k", "max_tokens",
		"max_completion_tokens", "max_output_tokens", "stop", "stop_sequences",
		"seed", "frequency_penalty", "presence_penalty", "tool_choice",
		"response_format", "reasoning_effort", "thinking", "parallel_tool_calls",
		"n", "logprobs", "service_tier", NULL};

	if (jv_member(body, "model").kind == J_STRING)
		add_members(s, body, names, false);
	else
		add_members(s, body, known, true);
}

void parameters_end(struct parameters *s, struct talk *t)
{
	if (!s->out.len)
		return;
	buf_byte(&s->out, '}');
	t->parameters = json_kept(&s->out, t->arena);
}

void parameters_say_others(
	struct talk *t, const struct jv *objects, size_t count, const char *const names[])
{
	struct parameters s = {{0}};

	for (size_t i = 0; i < count; i++)
		parameters_add_others(&s, objects[i], names);
	parameters_end(&s, t);
}

/* An object that says what went wrong. */
static bool is_error(struct jv error)
{
	JV_MEMBERS(v, error, message, type, code);
	return v.message.kind == J_STRING ||
	       (v.type.kind == J_STRING &&
		       (v.code.kind == J_STRING || v.code.kind == J_NUMBER));
}

bool body_is_error(struct talk *t, struct jv body)
{
	static const char *const beside[] = {"error", "type", "request_id", "event_id",
		"sequence_number", "status", "status_code", "code", "timestamp", "path",
		NULL};
	struct jv error = jv_member(body, "error"), key, value;

	if (body.kind != J_OBJECT)
		return false;
	if (!is_error(error) &&
		(error.kind != J_STRING || jv_empty(error) || jv_count(body, 2) != 1))
		return false;
	for (struct jwalk w = jwalk_of(body); jwalk_next(&w, &key, &value);)
		if (!is_among(key, beside))
			return false;
	t->error = error;
	return true;
}

void body_add_error(struct talk *t, struct jv body)
{
	struct jv error = jv_member(body, "error");

	if (error.kind == J_STRING || error.kind == J_OBJECT)
		if (!jv_empty(error))
			t->error = error;
}

/* ---- streams ---- */

/* An event as it was recorded with its name, which it has inside too. */
static struct jv unwrap_event(struct talk *t, struct jv item)
{
	struct str text;

	JV_MEMBERS(v, item, event, data, type);
	if (v.type.kind != J_NONE || v.data.kind == J_NONE || jv_count(item, 5) > 4)
		return item;
	if (v.data.kind == J_OBJECT)
		return v.data;
	if (v.data.kind != J_STRING)
		return item;
	text = jv_keep(v.data, t->arena);
	return text.n && text.p[0] == '{' ? jv_parse(text) : item;
}

static struct str type_of(struct jv event)
{
	return jv_plain(jv_member(event, "type"));
}

/* Signs of life, which may come first. */
static bool says_nothing(struct jv event)
{
	struct str type = type_of(event);

	return str_equal(type, STR("ping")) || str_equal(type, STR("keepalive")) ||
	       jv_empty(event);
}

static void add_event(struct talk *t, struct joining *j, struct jv event)
{
	struct jv body;

	chunks_add(j, type_of(event), event);
	if (chunk_is_exception(event)) {
		chunk_bedrock(event, &body);
		t->error = body;
	} else if (str_equal(type_of(event), STR("error")) &&
		   jv_member(event, "error").kind == J_NONE) {
		t->error = event;
	}
	body_add_error(t, event);
	body_add_error(t, jv_member(event, "response"));
}

/* Whether the first event that says anything is one. */
static bool begins_with(struct talk *t, struct jv array, bool (*is_event)(struct jv))
{
	JV_EACH(item, array) {
		item = unwrap_event(t, item);
		if (item.kind == J_OBJECT && !says_nothing(item))
			return is_event(item);
		if (item.kind != J_OBJECT && !jv_null(item))
			return false;
	}
	return false;
}

bool body_join(struct talk *t, struct jv value, bool (*is_event)(struct jv event))
{
	struct joining j = {0};

	if (value.kind == J_OBJECT) {
		if (!is_event(value))
			return false;
		add_event(t, &j, value);
	} else if (value.kind != J_ARRAY || !begins_with(t, value, is_event)) {
		return false;
	}
	JV_ITEMS(item, value)
		add_event(t, &j, unwrap_event(t, item));
	joint_say(&j, t);
	return true;
}

/* ---- blocks that several dialects write alike ---- */

struct jv content_open(struct jv content, struct arena *arena)
{
	struct jv inner = side_open_string(content, arena), item;

	if (content.kind != J_STRING || inner.kind != J_ARRAY || jv_empty(inner))
		return content;
	for (struct jwalk w = jwalk_of(inner); jwalk_next(&w, NULL, &item);)
		if (jv_member(item, "type").kind != J_STRING &&
			!(block_customs(item) & BLOCK_BEDROCK))
			return content;
	return inner;
}

struct jv content_string(struct str inside, struct arena *arena)
{
	size_t n = inside.n + 2;
	char *text = arena_alloc(arena, n);

	text[0] = text[n - 1] = '"';
	if (inside.n)
		memcpy(text + 1, inside.p, inside.n);
	return jv_of((struct str){text, n}, J_STRING);
}

bool content_only(struct jv object, const char *const names[], size_t count)
{
	JV_PAIRS(key, value, object) {
		size_t i = 0;

		while (i < count && !jv_key_is(key, str_of(names[i])))
			i++;
		if (i == count)
			return false;
	}
	return object.kind == J_OBJECT;
}

/* ---- streams as text: of server-sent events only the data counts, since vendors repeat
 * there what the name says ---- */

struct stream_cutter {
	struct buf out;  /* the array */
	struct buf data; /* of the event that is read */
	size_t count;
};

/* The next line without its end, which is LF, CR or both; false after the last. */
static bool next_line(struct str *text, struct str *line)
{
	const char *p = text->p, *end = p + text->n;

	if (text->n == 0)
		return false;
	while (p < end && *p != '\n' && *p != '\r')
		p++;
	*line = (struct str){text->p, (size_t)(p - text->p)};
	if (p < end)
		p += p + 1 < end && p[0] == '\r' && p[1] == '\n' ? 2 : 1;
	*text = (struct str){p, (size_t)(end - p)};
	return true;
}

static void add_value(struct stream_cutter *c, struct str json)
{
	buf_byte(&c->out, c->count++ ? ',' : '[');
	buf_str(&c->out, json);
}

/* Marks of an end that are no JSON are left out. */
static void end_event(struct stream_cutter *c)
{
	struct str data = str_trim(buf_view(&c->data));

	if (data.n && data.p[0] == '{' && json_is_whole(data, NULL))
		add_value(c, data);
	buf_clear(&c->data);
}

static bool looks_like_events(struct str text)
{
	static const char *const heads[] = {"data:", "event:", "id:", "retry:", ":"};

	for (size_t i = 0; i < sizeof(heads) / sizeof(*heads); i++)
		if (str_starts(text, str_of(heads[i])))
			return true;
	return false;
}

static void cut_events(struct stream_cutter *c, struct str text)
{
	struct str line;

	while (next_line(&text, &line)) {
		if (line.n == 0) {
			end_event(c);
			continue;
		}
		if (!str_starts(line, STR("data:")))
			continue;
		if (c->data.len)
			buf_byte(&c->data, '\n');
		buf_str(&c->data, str_skip(line, 5));
	}
	end_event(c);
}

/* All of the lines must be objects: a text that merely begins like one is none. */
static void cut_lines(struct stream_cutter *c, struct str text)
{
	struct str line;

	while (next_line(&text, &line)) {
		line = str_trim(line);
		if (line.n == 0)
			continue;
		if (line.p[0] != '{' || !json_is_whole(line, NULL)) {
			c->count = 0;
			return;
		}
		add_value(c, line);
	}
}

struct jv streamed_events(struct jv string, struct arena *arena)
{
	struct stream_cutter c = {{0}, {0}, 0};
	AUTO_BUF decoded = BUF_INIT;
	struct jv events = JV_NONE;
	struct str text = str_trim(jv_str(string, &decoded));

	if (looks_like_events(text))
		cut_events(&c, text);
	else if (text.n && text.p[0] == '{')
		cut_lines(&c, text);
	if (c.count) {
		buf_byte(&c.out, ']');
		events = json_kept(&c.out, arena);
	}
	buf_done(&c.out);
	buf_done(&c.data);
	return events;
}
