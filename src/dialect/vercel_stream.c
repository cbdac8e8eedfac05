/*
 * The chunks of a stream of the AI SDK, joined: texts and thoughts by their ids, calls
 * with their inputs and outputs by the call's id.  Two generations of chunks are alike
 * but for the names: `delta`, `textDelta`; `inputTextDelta`, `argsTextDelta`.
 */
#include "config.h"
#include "dialect/vercel.h"

#include "base/mem.h"
#include "dialect/joint.h"
#include "json/copy.h"

enum vercel_stream_field {
	TYPE,
	ID,
	CALL_ID,
	TOOL_NAME,
	DELTA,
	TEXT_DELTA,
	TEXT,
	INPUT_DELTA,
	ARGS_DELTA,
	INPUT,
	ARGS,
	OUTPUT,
	RESULT,
	ERROR_TEXT,
	ERROR,
	FIELD_COUNT
};

static const char *const names[FIELD_COUNT] = {
	[TYPE] = "type",
	[ID] = "id",
	[CALL_ID] = "tool_call_id",
	[TOOL_NAME] = "tool_name",
	[DELTA] = "delta",
	[TEXT_DELTA] = "text_delta",
	[TEXT] = "text",
	[INPUT_DELTA] = "input_text_delta",
	[ARGS_DELTA] = "args_text_delta",
	[INPUT] = "input",
	[ARGS] = "args",
	[OUTPUT] = "output",
	[RESULT] = "result",
	[ERROR_TEXT] = "error_text",
	[ERROR] = "error",
};

/* What a chunk is, by its type. */
enum vercel_chunk {
	CHUNK_OTHER, /* kept as it stands */
	CHUNK_NONE,  /* says nothing */
	CHUNK_START, /* of a text or a thought with an id that may have been used */
	CHUNK_TEXT,
	CHUNK_THOUGHT,
	CHUNK_CALL,   /* begins, or goes on */
	CHUNK_RESULT, /* and may be that it failed */
	CHUNK_BOTH,   /* a call that could not be made */
	CHUNK_ERROR,
};

static const struct {
	const char *type;
	enum vercel_chunk chunk;
	bool sign; /* that the array is a stream of this SDK */
} chunks[] = {
	{"text-delta", CHUNK_TEXT, true},
	{"reasoning-delta", CHUNK_THOUGHT, true},
	{"tool-input-delta", CHUNK_CALL, true},
	{"tool-input-start", CHUNK_CALL, true},
	{"tool-input-available", CHUNK_CALL, true},
	{"tool-input-error", CHUNK_BOTH, true},
	{"tool-output-available", CHUNK_RESULT, true},
	{"tool-output-error", CHUNK_RESULT, true},
	{"tool-output-denied", CHUNK_RESULT, true},
	{"text-start", CHUNK_START, true},
	{"reasoning-start", CHUNK_START, true},
	{"start-step", CHUNK_NONE, false},
	{"step-start", CHUNK_NONE, false},
	{"text-end", CHUNK_NONE, false},
	{"reasoning-end", CHUNK_NONE, false},
	{"tool-input-end", CHUNK_NONE, false},
	{"start", CHUNK_NONE, false},
	{"finish-step", CHUNK_NONE, false},
	{"step-finish", CHUNK_NONE, false},
	{"finish", CHUNK_NONE, false},
	{"abort", CHUNK_NONE, false},
	{"message-metadata", CHUNK_NONE, false},
	{"stream-start", CHUNK_NONE, false},
	{"response-metadata", CHUNK_NONE, false},
	{"reasoning", CHUNK_THOUGHT, false},
	{"tool-call-streaming-start", CHUNK_CALL, true},
	{"tool-call-delta", CHUNK_CALL, true},
	{"tool-call", CHUNK_CALL, false},
	{"tool-result", CHUNK_RESULT, false},
	{"tool-error", CHUNK_RESULT, false},
	{"error", CHUNK_ERROR, false},
};

static enum vercel_chunk chunk_of(struct jv type, bool *sign)
{
	for (size_t i = 0; i < sizeof(chunks) / sizeof(*chunks); i++)
		if (jv_is(type, str_of(chunks[i].type))) {
			*sign = *sign || chunks[i].sign;
			return chunks[i].chunk;
		}
	return CHUNK_OTHER;
}

/* ---- joining ---- */

/* What is known by an id: a text's place among all, or a call. */
struct stream_entry {
	uint32_t place; /* from 1; 0: has none yet */
	struct jv name; /* of a call */
	size_t result;  /* its result, from 1; 0: none */
};

struct chunk_stream {
	struct joining joining;
	struct intern ids;
	struct stream_entry *known; /* by number of id */
	size_t count, cap;
	uint32_t places;
	enum vercel_chunk before;
	struct jv error;
};

static struct jv first_of(const struct jv v[FIELD_COUNT], const unsigned char order[])
{
	for (size_t i = 0; order[i] != FIELD_COUNT; i++)
		if (v[order[i]].kind != J_NONE)
			return v[order[i]];
	return JV_NONE;
}

/* Valid until the next.  Texts and calls do not share their ids. */
static struct stream_entry *known_by(struct chunk_stream *s, char kind, struct jv id)
{
	struct buf text = BUF_INIT;
	uint32_t number;

	buf_byte(&text, kind);
	jv_text(id, &text);
	number = intern_add(&s->ids, buf_view(&text));
	buf_done(&text);
	s->known = mem_grow(s->known, &s->cap, (size_t)number + 1, sizeof(*s->known));
	while (s->count <= number)
		s->known[s->count++] = (struct stream_entry){0};
	return &s->known[number];
}

static uint32_t place_of(struct chunk_stream *s, struct stream_entry *known)
{
	if (!known->place)
		known->place = ++s->places;
	return known->place;
}

/* Without an id a text ends where something else comes. */
static void add_text(struct chunk_stream *s, enum vercel_chunk chunk, const struct jv v[])
{
	static const unsigned char order[] = {DELTA, TEXT_DELTA, TEXT, FIELD_COUNT};
	struct stream_entry *known = known_by(s, chunk == CHUNK_TEXT ? 't' : 'r', v[ID]);

	if (v[ID].kind == J_NONE && s->before != chunk)
		known->place = 0;
	joint_append(&s->joining, chunk == CHUNK_TEXT ? JOINT_TEXT : JOINT_THINKING, 0,
		place_of(s, known), first_of(v, order));
}

static struct jv call_id(const struct jv v[])
{
	return v[CALL_ID].kind == J_NONE ? v[ID] : v[CALL_ID];
}

static void add_call(struct chunk_stream *s, const struct jv v[])
{
	static const unsigned char pieces[] = {
		INPUT_DELTA, ARGS_DELTA, DELTA, FIELD_COUNT};
	static const unsigned char whole[] = {INPUT, ARGS, FIELD_COUNT};
	struct stream_entry *known = known_by(s, 'c', call_id(v));
	struct joint *call = joint_keyed(&s->joining, JOINT_CALL, 0, place_of(s, known));
	struct jv input = first_of(v, whole);

	call->id = call_id(v);
	if (v[TOOL_NAME].kind == J_STRING)
		known->name = call->name = v[TOOL_NAME];
	if (input.kind != J_NONE)
		call->value = input;
	else
		json_copy_body(&call->body, first_of(v, pieces));
}

/* An output that is not the last of its call comes again, and more of it. */
static void add_result(struct chunk_stream *s, const struct jv v[])
{
	static const unsigned char good[] = {OUTPUT, RESULT, FIELD_COUNT};
	static const unsigned char bad[] = {ERROR_TEXT, ERROR, FIELD_COUNT};
	struct stream_entry *known = known_by(s, 'c', call_id(v));
	struct jv content = first_of(v, good), error = first_of(v, bad);
	struct joint *item;

	if (known->name.kind == J_NONE)
		known->name = v[TOOL_NAME];
	if (!known->result) {
		joint_add(&s->joining, JOINT_RESULT, 0);
		known->result = s->joining.count;
	}
	item = &s->joining.items[known->result - 1];
	item->id = call_id(v);
	item->name = known->name;
	item->value = content.kind == J_NONE ? error : content;
	item->failed = content.kind == J_NONE;
}

static void add_chunk(struct chunk_stream *s, struct jv chunk)
{
	static const unsigned char said[] = {ERROR_TEXT, ERROR, FIELD_COUNT};
	struct jv v[FIELD_COUNT];
	bool sign = false; /* not asked */
	enum vercel_chunk kind;

	jv_members(chunk, names, v, FIELD_COUNT);
	kind = chunk_of(v[TYPE], &sign);
	if (kind == CHUNK_TEXT || kind == CHUNK_THOUGHT)
		add_text(s, kind, v);
	else if (kind == CHUNK_START)
		known_by(s, jv_is(v[TYPE], STR("text-start")) ? 't' : 'r', v[ID])->place =
			0;
	if (kind == CHUNK_CALL || kind == CHUNK_BOTH)
		add_call(s, v);
	if (kind == CHUNK_RESULT || kind == CHUNK_BOTH)
		add_result(s, v);
	if (kind == CHUNK_OTHER)
		joint_add(&s->joining, JOINT_ITEM, 0)->value = chunk;
	else if (kind == CHUNK_ERROR)
		s->error = first_of(v, said);
	s->before = kind;
}

/* All are objects with a type, the first begins a stream, and one is of no other. */
static bool is_stream(struct jv list)
{
	bool sign = false;
	struct jv item;

	for (struct jwalk w = jwalk_of(list); !w.object && jwalk_next(&w, NULL, &item);) {
		struct jv type = jv_member(item, "type");

		if (jv_is(item, STR("[DONE]")) && w.index)
			continue;
		if (type.kind != J_STRING ||
			(chunk_of(type, &sign) == CHUNK_OTHER && w.index == 0))
			return false;
	}
	return sign;
}

bool vercel_stream_read(struct talk *t, struct jv list)
{
	struct chunk_stream s = {0};

	if (!is_stream(list))
		return false;
	JV_EACH(chunk, list)
		if (!jv_is(chunk, STR("[DONE]")))
			add_chunk(&s, chunk);
	joint_say(&s.joining, t);
	t->error = s.error;
	intern_done(&s.ids);
	mem_free(s.known);
	return true;
}
