/*
 * The pieces of a message (see parts.h): their list, the definitions of tools, and the
 * documented JSON.  Messages and their items are read by items.c.
 */
#include "config.h"
#include "chat/parts.h"

#include "base/mem.h"
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

/* ---- definitions of tools ----
 *
 * {name, description}, or that nested under a key.  Beyond the document: Bedrock's
 * toolSpec, OpenAI's custom tools, Gemini's lists of declarations, the definitions by
 * name of a dictionary, and hosted tools that have a type and no name.
 */

JV_RECORD(tool_fields, name, description, type, function, tool, definition);

static bool add_definition(
	struct parts *parts, struct jv entry, const struct tool_fields *v, bool foreign)
{
	struct part tool = {
		.kind = PART_TOOL, .raw = entry, .name = v->name, .foreign = foreign};

	if (!jv_is_text(v->name))
		return false;
	if (jv_is_text(v->description))
		tool.body = v->description;
	parts_add(parts, &tool);
	return true;
}

/* ... or what is none as JSON. */
static void add_foreign(struct parts *parts, struct jv entry, const struct tool_fields *v)
{
	if (!add_definition(parts, entry, v, true) && !jv_null(entry))
		parts_add(parts, &(struct part){.kind = PART_JSON, .raw = entry});
}

static void add_declarations(struct parts *parts, struct jv list)
{
	struct tool_fields v;

	JV_PAIRS(key, entry, list) {
		JV_READ(entry, tool_fields, &v);
		if (!jv_is_text(v.name) && jv_has_members(entry))
			v.name = key;
		add_foreign(parts, entry, &v);
	}
}

/* What vendors wrap a definition in, beside what the document knows. */
static struct jv foreign_wrap(struct jv entry)
{
	struct jv wrapped;

	JV_MEMBERS(v, entry, tool_spec, custom, json_schema);
	wrapped = JV_PICK(v.all, jv_has_members);
	return wrapped.kind == J_NONE ? entry : wrapped;
}

static void add_entry(struct parts *parts, struct jv entry)
{
	struct jv declarations;
	struct tool_fields v;

	JV_READ(entry, tool_fields, &v);
	if (!jv_is_text(v.name))
		JV_READ(jv_pick(&v.function, 3, jv_has_members), tool_fields, &v);
	if (add_definition(parts, entry, &v, false))
		return;
	declarations = jv_member(entry, "function_declarations");
	if (declarations.kind == J_ARRAY) {
		add_declarations(parts, declarations);
		return;
	}
	JV_READ(foreign_wrap(entry), tool_fields, &v);
	if (!jv_is_text(v.name) && !jv_is(v.type, STR("function")))
		v.name = v.type;
	add_foreign(parts, entry, &v);
}

void parts_add_tools(struct parts *parts, struct jv tools)
{
	struct tool_fields v;

	if (tools.kind == J_OBJECT) {
		JV_READ(tools, tool_fields, &v);
		if (!add_definition(parts, tools, &v, true))
			add_declarations(parts, tools);
	}
	JV_ITEMS(entry, tools)
		add_entry(parts, entry);
}

/* ---- tools by themselves ---- */

struct parts parts_read_tools(struct jv tools, struct arena *arena)
{
	struct parts parts = {0};
	struct jv list = side_open_string(tools, arena);

	JV_MEMBERS(v, list, tools, functions, function_declarations);
	if (v.tools.kind == J_ARRAY || v.functions.kind == J_ARRAY) {
		list = v.tools.kind == J_ARRAY ? v.tools : v.functions;
	} else if (v.function_declarations.kind == J_ARRAY) {
		add_entry(&parts, list);
		return parts;
	}
	if (list.kind == J_OBJECT)
		parts_add_tools(&parts, list);
	JV_ITEMS(entry, list) {
		/* OpenInference writes the definition into a string within the entry */
		struct jv tool = jv_member(entry, "tool");
		struct jv text =
			jv_member(tool.kind == J_OBJECT ? tool : entry, "json_schema");
		struct jv inner =
			side_open_string(text.kind == J_STRING ? text : entry, arena);

		/* JSON in a string, or the name alone */
		if (jv_is_text(inner))
			parts_add(&parts, &(struct part){.kind = PART_TOOL,
						  .raw = inner,
						  .name = inner,
						  .foreign = true});
		else
			add_entry(&parts, inner);
	}
	return parts;
}

/* ---- their schemas ---- */

/* The object in which a definition's members stand. */
static struct jv definition_of(struct jv entry)
{
	struct tool_fields v;
	struct jv wrap;

	JV_READ(entry, tool_fields, &v);
	if (jv_is_text(v.name))
		return entry;
	wrap = jv_pick(&v.function, 3, jv_has_members);
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
		if (v.all[i].kind != J_OBJECT && !jv_is_text(v.all[i]))
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
		json_spread(&spaced, buf_view(&text), JSON_SPACED);
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

	buf_byte(out, '{');
	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		json_open(out, lists[i].key, '[');
		PARTS_EACH(p, parts) {
			struct part part = *p;
			bool text = part.also_text && !foreign;

			if ((part.foreign && !foreign) ||
				lists[i].kind != (text ? PART_TEXT : part.kind))
				continue;
			part.foreign_body &= !foreign;
			json_item(out);
			write_part(out, lists[i].kind, &part);
		}
		buf_byte(out, ']');
	}
	buf_byte(out, '}');
}
