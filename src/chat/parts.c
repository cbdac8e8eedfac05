/*
 * The pieces of a message (see parts.h): the walk through a message and its items.  What
 * an object is, is asked of calls.c, results.c, tools.c, thoughts.c, media.c and
 * vendors.c, in the order of "Content parts" in doc/formats.md; what goes beyond that
 * order is marked foreign.
 */
#include "config.h"
#include "chat/parts.h"

#include "base/mem.h"
#include "base/stop.h"
#include "chat/extract.h"
#include "chat/media.h"
#include "chat/reader.h"
#include "json/check.h"

const struct part *parts_at(const struct parts *parts, size_t i, struct part *text)
{
	const struct part_slot *slot = &parts->slots[i];

	if (slot->whole)
		return &parts->whole[slot->whole - 1];
	*text = (struct part){.kind = PART_TEXT, .raw = slot->text, .body = slot->text};
	return text;
}

static bool is_bare_text(const struct part *p)
{
	return p->kind == PART_TEXT && p->raw.p == p->body.p && p->raw.n == p->body.n &&
	       !p->foreign && !p->also_text;
}

void parts_add(struct parts *parts, const struct part *part)
{
	struct part_slot *slot;

	slot = MEM_ADD(parts->slots, parts->count, parts->cap);
	*slot = (struct part_slot){.text = part->raw};
	if (is_bare_text(part))
		return;
	*MEM_ADD(parts->whole, parts->whole_count, parts->whole_cap) = *part;
	slot->whole = parts->whole_count;
}

struct parts parts_dup(const struct parts *parts)
{
	struct parts copy = *parts;

	copy.cap = copy.count;
	copy.slots = mem_dup(copy.slots, copy.count * sizeof(*copy.slots));
	copy.whole_cap = copy.whole_count;
	copy.whole = mem_dup(copy.whole, copy.whole_count * sizeof(*copy.whole));
	return copy;
}

size_t parts_bytes(const struct parts *parts)
{
	return parts->cap * sizeof(*parts->slots) +
	       parts->whole_cap * sizeof(*parts->whole);
}

void parts_give(const struct parts *parts, struct arena *arena)
{
	arena_take(arena, (char *)parts->slots, parts->cap * sizeof(*parts->slots));
	arena_take(arena, (char *)parts->whole, parts->whole_cap * sizeof(*parts->whole));
}

void parts_done(struct parts *parts)
{
	mem_free(parts->slots);
	mem_free(parts->whole);
	*parts = (struct parts){0};
}

void parts_read_images(struct parts *parts, struct jv images, struct arena *arena)
{
	struct item_reader r = {.parts = parts, .arena = arena};

	JV_EACH(value, images) {
		struct part part = {.kind = PART_JSON, .raw = value};

		if (!part_image(&part, value, arena))
			media_read(&part, value, arena);
		reader_add(&r, part);
	}
}

/* ---- items ---- */

static bool read_media(struct item_reader *r, const struct item_node *n)
{
	struct part part;

	if (!media_read(&part, n->object, r->arena))
		return false;
	reader_add(r, part);
	return true;
}

/* OpenAI's Assistants: {"type": "text", "text": {"value": "…"}} */
static bool read_value_text(struct item_reader *r, const struct item_node *n)
{
	struct jv value = jv_member(n->v[TEXT], "value");
	bool before = r->foreign;

	if (!node_is_type(n, STR("text")) || !is_text(value))
		return false;
	r->foreign = true;
	reader_add_text(r, value);
	r->foreign = before;
	return true;
}

/* The text of an item, and whether it has any, be it empty. */
static bool read_item_text(struct item_reader *r, const struct item_node *n)
{
	if (thought_read_marked(r, n) || read_value_text(r, n))
		return true;
	reader_add_text(r, n->v[TEXT]);
	if (!node_is_type(n, STR("text")))
		return n->v[TEXT].kind == J_STRING;
	reader_add_text(r, n->v[CONTENT]);
	return n->v[TEXT].kind == J_STRING || n->v[CONTENT].kind == J_STRING;
}

/* A call, a result, or both; a call is no result only for having a tool_call_id. */
static bool read_tools_of(struct item_reader *r, const struct item_node *n)
{
	bool call = call_read(r, n) || vendor_read_call(r, n);

	if (result_looks(n) || (!call && is_id(n->v[TOOL_CALL_ID]))) {
		result_read(r, n);
		return true;
	}
	return call || vendor_read_result(r, n);
}

static void read_object(struct item_reader *r, struct jv object)
{
	bool thought, known, tool;
	struct item_node n;

	node_read(&n, object);
	thought = thought_looks(&n);
	if (thought)
		thought_read(r, &n);
	known = !thought && read_item_text(r, &n);
	tool = read_tools_of(r, &n);
	known = tool || known || thought;
	known = known || thought_read_beside(r, &n) || refusal_read(r, &n);
	if (!thought && !tool && !node_is_type(&n, STR("text")))
		known = read_media(r, &n) || known;
	if (!known && !vendor_read_block(r, object))
		reader_add_json(r, object);
}

static void read_item(struct item_reader *r, struct jv item)
{
	if (item.kind == J_STRING)
		reader_add_text(r, item);
	else if (item.kind == J_OBJECT)
		read_object(r, item);
	else if (!jv_null(item))
		reader_add_json(r, item);
}

static void read_items(struct item_reader *r, struct jv array)
{
	struct jv item;

	for (struct jwalk w = jwalk_of(array);
		jwalk_next(&w, NULL, &item) && !stop_wanted(item.n);)
		read_item(r, item);
}

/* What stands under `content`.  The document knows strings and arrays there. */
static void read_content(struct item_reader *r, struct jv content)
{
	bool before = r->foreign;

	if (content.kind == J_ARRAY) {
		read_items(r, content);
		return;
	}
	if (content.kind == J_OBJECT && jv_empty(content))
		return;
	r->foreign = before || content.kind != J_STRING;
	read_item(r, content);
	r->foreign = before;
}

/* ---- blocks in a string ---- */

static bool is_block(struct jv item)
{
	static const char *const types[] = {"text", "input_text", "output_text",
		"thinking", "redacted_thinking", "reasoning", "tool_use", "tool_result",
		"tool_call", "tool-call", "tool-result", "function", "image", "image_url",
		"input_image", "file", "input_file", "document", "audio", "input_audio"};

	return JV_AMONG(jv_member(item, "type"), types);
}

/* Behind white space, which the string may have written as escapes. */
static struct str skip_blanks(struct str s)
{
	s = str_trim(s);
	while (s.n > 2 && s.p[0] == '\\' && memchr("nrt", s.p[1], 3))
		s = str_trim(str_skip(s, 2));
	return s;
}

/* Spares other texts the decoding: whether the string begins as `[{` or is `[]`. */
static bool may_hold_blocks(struct jv string)
{
	struct str s =
		skip_blanks((struct str){string.p + 1, string.n - (string.cut ? 1 : 2)});

	if (s.n < 2 || s.p[0] != '[')
		return false;
	s = skip_blanks(str_skip(s, 1));
	return s.n && (s.p[0] == '{' || s.p[0] == ']');
}

/* The array that a text is, when it is JSON and holds nothing but blocks of known types.
 */
static bool open_blocks(struct item_reader *r, struct jv string, struct jv *array)
{
	struct str text;

	if (string.kind != J_STRING || !may_hold_blocks(string))
		return false;
	text = jv_keep(string, r->arena);
	if (!json_is_whole(text, NULL))
		return false;
	*array = jv_whole(text);
	JV_EACH(item, *array)
		if (!is_block(item))
			return false;
	return array->kind == J_ARRAY;
}

/*
 * The content of a message.  Some that log it write its blocks as JSON into a string:
 * they are read as the blocks they are, and a list of none is shown as that.
 */
static void read_words(struct item_reader *r, struct jv content)
{
	struct jv blocks;

	if (!open_blocks(r, content, &blocks))
		read_content(r, content);
	else if (jv_empty(blocks))
		reader_add_json(r, blocks);
	else
		read_items(r, blocks);
}

/* ---- messages ---- */

/* A message inside a message: the document knows its content; its other parts are shown.
 */
static void read_inner(struct item_reader *r, struct jv message, bool foreign)
{
	bool before = r->foreign;
	struct item_node n;

	node_read(&n, message);
	r->foreign = before || foreign;
	thought_read_beside(r, &n);
	read_words(r, n.v[CONTENT]);
	calls_read(r, &n);
	r->foreign = true;
	reader_add_text(r, n.v[TEXT]);
	refusal_read(r, &n);
	r->foreign = before;
}

/* Content where the document does not look for parts, shown when there is none before it.
 */
static void read_elsewhere(struct item_reader *r, const struct item_node *n)
{
	if (!jv_null(n->v[CONTENT]) || !jv_null(n->v[TEXT]))
		return;
	r->foreign = true;
	if (n->v[MESSAGE].kind != J_OBJECT && !jv_null(n->v[MESSAGE]))
		read_content(r, n->v[MESSAGE]);
	else if (jv_null(n->v[MESSAGE]) && n->v[DELTA].kind == J_OBJECT)
		read_inner(r, n->v[DELTA], true);
	else if (jv_null(n->v[MESSAGE]))
		read_content(r, n->v[RESPONSE]);
	r->foreign = false;
}

/*
 * A result: its own content is shown as that and not again.  A tool's message may
 * also be a list of results, each with an id of its own, and is then none itself.
 */
static bool read_message_result(
	struct item_reader *r, const struct item_node *n, bool call)
{
	struct jv blocks;
	bool function =
		!call && result_of_function(n) && !open_blocks(r, n->v[CONTENT], &blocks);

	if (!result_looks(n) && !function && (call || !is_id(n->v[TOOL_CALL_ID])))
		return false;
	if (jv_is(n->v[ROLE], STR("tool")) && result_id(n).kind == J_NONE &&
		(results_in(n->v[CONTENT]) || results_in(n->v[PARTS])))
		return false;
	return result_read(r, n);
}

/*
 * What the message says before its parts: thoughts, and a text that is none of them. What
 * is no string there is no text, but is shown.
 */
static enum item_field read_front(struct item_reader *r, const struct item_node *n)
{
	if (thought_looks(n))
		return thought_read(r, n);
	thought_read_beside(r, n);
	r->foreign = n->v[TEXT].kind != J_STRING;
	if (is_filled(n->v[TEXT]))
		read_content(r, n->v[TEXT]);
	r->foreign = false;
	return FIELD_COUNT;
}

/* A block that stands alone, as if it were an item; what is no message either is JSON. */
static void read_lone(struct item_reader *r, const struct item_node *n)
{
	if (vendor_read_call(r, n) || vendor_read_result(r, n) || read_media(r, n))
		return;
	if (is_object(n->object) && !chat_is_message(n->object) &&
		node_first(n, is_there, TEXT, CONTENT, MESSAGE, PARTS, DELTA, RESPONSE,
			TOOLS, TOOL_CALLS, FIELD_COUNT)
				.kind == J_NONE)
		reader_add_json(r, n->object);
}

/* What stands beside the content of a message. */
static void read_beside(struct item_reader *r, const struct item_node *n, bool result)
{
	read_content(r, n->v[PARTS]);
	if (n->v[MESSAGE].kind == J_OBJECT)
		read_inner(r, n->v[MESSAGE], false);
	if (!result)
		read_elsewhere(r, n);
	refusal_read(r, n);
	vendor_read_beside(r, n);
}

static void read_message(struct item_reader *r, const struct item_node *n)
{
	struct part call;
	bool calls = call_find(&call, n), result;
	enum item_field said = read_front(r, n);

	r->thinking = thought_looks(n);
	result = read_message_result(r, n, calls || vendor_looks_like_call(n));
	if (!result && said != CONTENT)
		read_words(r, n->v[CONTENT]);
	read_beside(r, n, result);
	calls_read(r, n);
	if (calls)
		call_read(r, n);
	if (r->parts->count == 0)
		read_lone(r, n);
	tools_read(r, n->v[TOOLS]);
}

void parts_read(struct parts *parts, struct jv value, struct arena *arena)
{
	AUTO(reader_done) struct item_reader r = {.parts = parts, .arena = arena};
	struct item_node n;

	*parts = (struct parts){0};
	if (value.kind == J_STRING) {
		reader_add_text(&r, value);
	} else if (value.kind == J_OBJECT) {
		node_read(&n, value);
		read_message(&r, &n);
	}
}

void parts_read_content(struct parts *parts, struct jv content, struct arena *arena)
{
	AUTO(reader_done) struct item_reader r = {.parts = parts, .arena = arena};

	*parts = (struct parts){0};
	read_content(&r, content);
}
