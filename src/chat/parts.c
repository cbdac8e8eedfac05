/*
 * The pieces of a message (see parts.h): their list, the walk through a message and its
 * items (see reader.h), the definitions of tools, and the documented JSON.  What an
 * object is, is asked of items.c and image.c, in the order of "Content parts" in
 * doc/formats.md; what goes beyond that order is marked foreign.
 */
#include "config.h"
#include "chat/parts.h"

#include <stdarg.h>

#include "base/mem.h"
#include "base/stop.h"
#include "chat/extract.h"
#include "chat/image.h"
#include "chat/reader.h"
#include "chat/side.h"
#include "json/check.h"
#include "json/json.h"

/* ---- the list ---- */

const struct part *parts_at(const struct parts *parts, size_t i, struct part *text)
{
	const struct part_slot *slot = &parts->slots[i];

	if (slot->whole)
		return &parts->whole[slot->whole - 1];
	*text = (struct part){.kind = PART_TEXT, .raw = slot->text, .body = slot->text};
	return text;
}

bool part_walk_next(struct part_walk *w, const struct part **part)
{
	if (w->next >= w->parts->count)
		return false;
	*part = parts_at(w->parts, w->next++, &w->text);
	return true;
}

void parts_add(struct parts *parts, const struct part *part)
{
	struct part_slot *slot = MEM_ADD(parts->slots, parts->count, parts->cap);
	bool bare = part->kind == PART_TEXT && part->raw.p == part->body.p &&
		    part->raw.n == part->body.n && !part->foreign && !part->also_text;

	*slot = (struct part_slot){.text = part->raw};
	if (bare)
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

/* ---- objects as nodes, and questions to them ---- */

static const char *const names[] = {
#define X(id, name) name,
	ITEM_FIELDS(X)
#undef X
};

_Static_assert(FIELD_COUNT <= 64, "jv_members takes no more");

static void reader_done(struct item_reader *r) /* its parts stay */
{
	idmap_done(&r->calls);
	idmap_done(&r->outcomes);
}

bool parts_read_member(struct jv key)
{
	return JV_KEY_AMONG(key, names);
}

void node_read(struct item_node *n, struct jv object)
{
	n->object = object;
	jv_members(object, names, n->v, FIELD_COUNT);
}

struct jv node_first(const struct item_node *n, bool (*test)(struct jv), ...)
{
	struct jv found = JV_NONE;
	va_list fields;
	int field;

	va_start(fields, test);
	while (found.kind == J_NONE && (field = va_arg(fields, int)) != FIELD_COUNT)
		if (test(n->v[field]))
			found = n->v[field];
	va_end(fields);
	return found;
}

bool node_is_type(const struct item_node *n, struct str type)
{
	return jv_is(n->v[TYPE], type);
}

bool node_type_ends(const struct item_node *n, struct str tail)
{
	struct str type = jv_plain(n->v[TYPE]);

	return type.n > tail.n && str_ends(type, tail);
}

bool is_text(struct jv v)
{
	return v.kind == J_STRING && !jv_empty(v);
}

bool is_object(struct jv v)
{
	return v.kind == J_OBJECT && !jv_empty(v);
}

bool is_id(struct jv v)
{
	return (v.kind == J_STRING || v.kind == J_NUMBER) && !jv_empty(v);
}

bool is_filled(struct jv v)
{
	return !jv_empty(v);
}

bool is_there(struct jv v)
{
	return !jv_null(v);
}

void reader_add(struct item_reader *r, struct part part)
{
	part.foreign = part.foreign || r->foreign;
	parts_add(r->parts, &part);
}

void reader_add_body(
	struct item_reader *r, enum part_kind kind, struct jv raw, struct jv body)
{
	reader_add(r, (struct part){.kind = kind, .raw = raw, .body = body});
}

void reader_add_text(struct item_reader *r, struct jv string)
{
	struct part picture;

	if (!is_text(string))
		return;
	/* a text that is nothing but the data of an image is shown as that */
	if (str_starts(jv_raw(string), STR("\"data:image/")) &&
		!memchr(string.p, ' ', string.n) &&
		part_image(&picture, string, r->arena) && picture.bytes) {
		picture.also_text = true;
		reader_add(r, picture);
		return;
	}
	reader_add_body(r, r->thinking ? PART_REASONING : PART_TEXT, string, string);
}

void reader_add_json(struct item_reader *r, struct jv value)
{
	reader_add_body(r, PART_JSON, value, JV_NONE);
}

/* ---- items ---- */

struct parts parts_read_images(struct jv images, struct arena *arena)
{
	struct parts parts = {0};
	struct item_reader r = {.parts = &parts, .arena = arena};

	JV_EACH(value, images) {
		struct part part = {.kind = PART_JSON, .raw = value};

		if (!part_image(&part, value, arena))
			media_read(&part, value, arena);
		reader_add(&r, part);
	}
	return parts;
}

static bool read_media(struct item_reader *r, const struct item_node *n)
{
	struct part part;

	if (!media_read(&part, n->object, r->arena))
		return false;
	reader_add(r, part);
	return true;
}

/* The text of an item, and whether it has any, be it empty. */
static bool read_item_text(struct item_reader *r, const struct item_node *n)
{
	bool typed = node_is_type(n, STR("text")), before = r->foreign;
	struct jv value = jv_member(n->v[TEXT], "value");

	if (thought_read_marked(r, n))
		return true;
	if (typed && is_text(value)) { /* OpenAI's Assistants: {"text": {"value": "…"}} */
		r->foreign = true;
		reader_add_text(r, value);
		r->foreign = before;
		return true;
	}
	reader_add_text(r, n->v[TEXT]);
	if (typed)
		reader_add_text(r, n->v[CONTENT]);
	return n->v[TEXT].kind == J_STRING || (typed && n->v[CONTENT].kind == J_STRING);
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
	/* a call, a result, or both; a call is no result only for having a tool_call_id
	 */
	tool = call_read(r, &n) || vendor_read_call(r, &n);
	if (result_looks(&n) || (!tool && is_id(n.v[TOOL_CALL_ID]))) {
		result_read(r, &n);
		tool = true;
	}
	tool = tool || vendor_read_result(r, &n);
	known = tool || known || thought || thought_read_beside(r, &n) ||
		refusal_read(r, &n);
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

/* ---- definitions of tools ----
 *
 * {name, description}, or that nested under a key.  Beyond the document: Bedrock's
 * toolSpec, OpenAI's custom tools, Gemini's lists of declarations, the definitions by
 * name of a dictionary, and hosted tools that have a type and no name.
 */

static bool read_definition(
	struct item_reader *r, struct jv entry, const struct item_node *n, bool foreign)
{
	struct part tool = {.kind = PART_TOOL, .raw = entry, .foreign = foreign};

	if (!is_text(n->v[NAME]))
		return false;
	tool.name = n->v[NAME];
	tool.body = node_first(n, is_text, DESCRIPTION, FIELD_COUNT);
	reader_add(r, tool);
	return true;
}

static void read_declarations(struct item_reader *r, struct jv list)
{
	struct item_node n;

	JV_PAIRS(key, entry, list) {
		node_read(&n, entry);
		if (!is_text(n.v[NAME]) && is_object(entry))
			n.v[NAME] = key;
		if (!read_definition(r, entry, &n, true) && !jv_null(entry))
			reader_add_json(r, entry);
	}
}

/* What vendors wrap a definition in, beside what the document knows. */
static struct jv foreign_wrap(struct jv entry)
{
	JV_MEMBERS(v, entry, tool_spec, custom, json_schema);
	for (size_t i = 0; i < 3; i++)
		if (is_object(v.all[i]))
			return v.all[i];
	return entry;
}

static void read_entry(struct item_reader *r, struct jv entry)
{
	struct jv declarations;
	struct item_node n;

	node_read(&n, entry);
	if (!is_text(n.v[NAME]))
		node_read(&n, node_first(&n, is_object, FUNCTION, TOOL, DEFINITION,
				      FIELD_COUNT));
	if (read_definition(r, entry, &n, false))
		return;
	declarations = jv_member(entry, "function_declarations");
	if (declarations.kind == J_ARRAY) {
		read_declarations(r, declarations);
		return;
	}
	node_read(&n, foreign_wrap(entry));
	if (!is_text(n.v[NAME]) && !node_is_type(&n, STR("function")))
		n.v[NAME] = n.v[TYPE];
	if (!read_definition(r, entry, &n, true) && !jv_null(entry))
		reader_add_json(r, entry);
}

/* The definitions under `tools`. */
static void read_tools(struct item_reader *r, struct jv tools)
{
	struct item_node n;

	if (tools.kind == J_OBJECT) {
		node_read(&n, tools);
		if (!read_definition(r, tools, &n, true))
			read_declarations(r, tools);
		return;
	}
	JV_EACH(entry, tools)
		read_entry(r, entry);
}

/* ---- tools by themselves ---- */

struct parts parts_read_tools(struct jv tools, struct arena *arena)
{
	struct parts parts = {0};
	AUTO(reader_done) struct item_reader r = {.parts = &parts, .arena = arena};
	struct jv list = side_open_string(tools, arena);

	JV_MEMBERS(v, list, tools, functions, function_declarations);
	if (v.tools.kind == J_ARRAY || v.functions.kind == J_ARRAY) {
		list = v.tools.kind == J_ARRAY ? v.tools : v.functions;
	} else if (v.function_declarations.kind == J_ARRAY) {
		read_entry(&r, list);
		return parts;
	}
	if (list.kind == J_OBJECT)
		read_tools(&r, list);
	JV_ITEMS(entry, list) {
		/* OpenInference writes the definition into a string within the entry */
		struct jv tool = jv_member(entry, "tool");
		struct jv text =
			jv_member(tool.kind == J_OBJECT ? tool : entry, "json_schema");
		struct jv inner =
			side_open_string(text.kind == J_STRING ? text : entry, arena);

		/* JSON in a string, or the name alone */
		if (inner.kind == J_STRING && is_text(inner))
			reader_add(&r, (struct part){.kind = PART_TOOL,
					       .raw = inner,
					       .name = inner,
					       .foreign = true});
		else
			read_entry(&r, inner);
	}
	return parts;
}

/* ---- their schemas ---- */

/* The object in which a definition's members stand. */
static struct jv definition_of(struct jv entry)
{
	struct item_node n;
	struct jv wrap;

	node_read(&n, entry);
	if (is_text(n.v[NAME]))
		return entry;
	wrap = node_first(&n, is_object, FUNCTION, TOOL, DEFINITION, FIELD_COUNT);
	return wrap.kind == J_OBJECT ? wrap : foreign_wrap(entry);
}

struct jv part_schema(const struct part *tool)
{
	struct jv inner;

	if (tool->raw.kind != J_OBJECT)
		return JV_NONE;
	JV_MEMBERS(v, definition_of(tool->raw), input_schema, parameters,
		parameters_json_schema, args_schema, schema);
	for (size_t i = 0; i < 5; i++) {
		if (v.all[i].kind != J_OBJECT && !is_text(v.all[i]))
			continue;
		inner = jv_member(v.all[i], "json"); /* Bedrock wraps it once more */
		return inner.kind == J_OBJECT ? inner : v.all[i];
	}
	return JV_NONE;
}

struct jv part_definition(const struct part *tool)
{
	if (tool->raw.kind != J_OBJECT || part_schema(tool).kind != J_NONE)
		return JV_NONE;
	JV_PAIRS(key, value, definition_of(tool->raw))
		if (!jv_null(value) && !jv_key_is(key, STR("name")) &&
			!jv_key_is(key, STR("description")) &&
			!jv_key_is(key, STR("type")))
			return tool->raw;
	return JV_NONE;
}

/* ---- blocks in a string ---- */

/* The text after white space, which the string may have written as escapes. */
static struct str skip_blanks(struct str s)
{
	s = str_trim(s);
	while (s.n > 2 && s.p[0] == '\\' && memchr("nrt", s.p[1], 3))
		s = str_trim(str_skip(s, 2));
	return s;
}

/* The array that a text is, when it is JSON and holds nothing but blocks of known types.
 */
static bool open_blocks(struct item_reader *r, struct jv string, struct jv *array)
{
	static const char *const types[] = {"text", "input_text", "output_text",
		"thinking", "redacted_thinking", "reasoning", "tool_use", "tool_result",
		"tool_call", "tool-call", "tool-result", "function", "image", "image_url",
		"input_image", "file", "input_file", "document", "audio", "input_audio"};
	struct str text;

	if (string.kind != J_STRING)
		return false;
	/* spares other texts the decoding: it must begin as `[{`, or be `[]` */
	text = skip_blanks((struct str){string.p + 1, string.n - (string.cut ? 1 : 2)});
	if (text.n < 2 || text.p[0] != '[')
		return false;
	text = skip_blanks(str_skip(text, 1));
	if (!text.n || (text.p[0] != '{' && text.p[0] != ']'))
		return false;
	text = jv_keep(string, r->arena);
	if (!json_is_whole(text, NULL))
		return false;
	*array = jv_whole(text);
	JV_EACH(item, *array)
		if (!JV_AMONG(jv_member(item, "type"), types))
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

/* What stands beside the content of a message. */
static void read_beside(struct item_reader *r, const struct item_node *n, bool result)
{
	struct jv message = n->v[MESSAGE];

	read_content(r, n->v[PARTS]);
	if (message.kind == J_OBJECT)
		read_inner(r, message, false);
	/* content where the document does not look for parts, shown when there is none
	 * before it */
	if (!result && jv_null(n->v[CONTENT]) && jv_null(n->v[TEXT])) {
		r->foreign = true;
		if (message.kind != J_OBJECT && !jv_null(message))
			read_content(r, message);
		else if (jv_null(message) && n->v[DELTA].kind == J_OBJECT)
			read_inner(r, n->v[DELTA], true);
		else if (jv_null(message))
			read_content(r, n->v[RESPONSE]);
		r->foreign = false;
	}
	refusal_read(r, n);
	vendor_read_beside(r, n);
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

static void read_message(struct item_reader *r, const struct item_node *n)
{
	struct part call;
	bool calls = call_find(&call, n), result;
	enum item_field said = FIELD_COUNT; /* what had the thoughts */

	/* before its parts: thoughts, and a text that is none of them; what is no string
	 * there is no text, but is shown */
	r->thinking = thought_looks(n);
	if (r->thinking) {
		said = thought_read(r, n);
	} else {
		thought_read_beside(r, n);
		r->foreign = n->v[TEXT].kind != J_STRING;
		if (is_filled(n->v[TEXT]))
			read_content(r, n->v[TEXT]);
		r->foreign = false;
	}
	result = read_message_result(r, n, calls || vendor_looks_like_call(n));
	if (!result && said != CONTENT)
		read_words(r, n->v[CONTENT]);
	read_beside(r, n, result);
	calls_read(r, n);
	if (calls)
		call_read(r, n);
	if (r->parts->count == 0)
		read_lone(r, n);
	read_tools(r, n->v[TOOLS]);
}

struct parts parts_read(struct jv value, struct arena *arena)
{
	struct parts parts = {0};
	AUTO(reader_done) struct item_reader r = {.parts = &parts, .arena = arena};
	struct item_node n;

	if (value.kind == J_STRING) {
		reader_add_text(&r, value);
	} else if (value.kind == J_OBJECT) {
		node_read(&n, value);
		read_message(&r, &n);
	}
	return parts;
}

struct parts parts_read_content(struct jv content, struct arena *arena)
{
	struct parts parts = {0};
	AUTO(reader_done) struct item_reader r = {.parts = &parts, .arena = arena};

	read_content(&r, content);
	return parts;
}

/* ---- the documented JSON ----
 *
 * Values leave as they stand in the text, by json_write_raw; only a call's arguments are
 * looked into.
 */

static void write_string(struct buf *out, struct jv string)
{
	AUTO_BUF text = BUF_INIT;

	jv_text(string, &text);
	json_write_string(out, buf_view(&text));
}

/* An object: itself, what a string holds, or what is neither under a name of its own. */
static void write_arguments(struct buf *out, struct jv body)
{
	AUTO_BUF text = BUF_INIT, spaced = BUF_INIT;
	struct json_report report;

	if (body.kind == J_NONE) {
		buf_text(out, "{}");
	} else if (body.kind == J_OBJECT) {
		json_write_raw(out, jv_raw(body));
	} else if (body.kind != J_STRING) {
		json_write_raw(&text, jv_raw(body));
		json_space(&spaced, buf_view(&text));
		buf_text(out, "{\"value\":");
		json_write_string(out, buf_view(&spaced));
		buf_byte(out, '}');
	} else {
		jv_decode(body, &text);
		json_check(buf_view(&text), &report);
		if (report.verdict == VERDICT_STRICT) {
			json_write_raw(out, buf_view(&text));
			return;
		}
		buf_text(out, "{\"raw_arguments\":");
		json_write_string(out, buf_view(&text));
		buf_byte(out, '}');
	}
}

static void write_id(struct buf *out, struct jv id)
{
	if (id.kind == J_NONE)
		buf_text(out, "null");
	else
		write_string(out, id);
}

static void write_part(struct buf *out, enum part_kind kind, const struct part *part)
{
	switch (kind) {
	case PART_CALL:
		buf_text(out, "{\"name\":");
		write_string(out, part->name);
		buf_text(out, ",\"input\":");
		write_arguments(out, part->foreign_body ? JV_NONE : part->body);
		buf_text(out, ",\"id\":");
		write_id(out, part->id);
		break;
	case PART_RESULT:
		buf_text(out, "{\"id\":");
		write_id(out, part->id);
		buf_text(out, ",\"content\":");
		if (part->body.kind == J_NONE || part->foreign_body)
			buf_text(out, "\"\"");
		else if (part->body.kind == J_STRING)
			write_string(out, part->body);
		else
			json_write_raw(out, jv_raw(part->body));
		break;
	case PART_TOOL:
		buf_text(out, "{\"name\":");
		write_string(out, part->name);
		buf_text(out, ",\"description\":");
		write_string(out, part->body);
		break;
	default:
		write_string(out, part->body);
		return;
	}
	buf_byte(out, '}');
}

void parts_write(struct buf *out, const struct parts *parts, bool foreign)
{
	static const struct {
		const char *key;
		enum part_kind kind;
	} lists[] = {
		{"text", PART_TEXT},
		{"tool_use", PART_CALL},
		{"tool_result", PART_RESULT},
		{"tools", PART_TOOL},
	};

	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		const char *comma = "";

		buf_printf(out, "%s\"%s\":[", i ? "]," : "{", lists[i].key);
		PARTS_EACH(p, parts) {
			struct part part = *p;
			bool text = part.also_text && !foreign;

			if ((part.foreign && !foreign) ||
				lists[i].kind != (text ? PART_TEXT : part.kind))
				continue;
			part.foreign_body &= !foreign;
			buf_text(out, comma);
			write_part(out, lists[i].kind, &part);
			comma = ",";
		}
	}
	buf_text(out, "]}");
}
