/*
 * Parts as the documented JSON (see parts_write).  Values leave as they stand in
 * the text, by json_write_raw; only a call's arguments are looked into.
 */
#include "config.h"
#include "chat/parts.h"

#include "json/check.h"
#include "json/json.h"

static void write_string(struct buf *out, struct jv string)
{
	AUTO_BUF text = BUF_INIT;

	jv_text(string, &text);
	json_write_string(out, buf_view(&text));
}

static void write_raw(struct buf *out, struct jv value)
{
	json_write_raw(out, jv_raw(value));
}

/* JSON on one line, with a space after each comma and colon that is not in a string. */
static void space_out(struct buf *out, struct str json)
{
	bool inside = false;

	for (size_t i = 0; i < json.n; i++) {
		char c = json.p[i];

		buf_byte(out, c);
		if (inside && c == '\\' && i + 1 < json.n)
			buf_byte(out, json.p[++i]);
		else if (c == '"')
			inside = !inside;
		else if (!inside && (c == ',' || c == ':'))
			buf_byte(out, ' ');
	}
}

static void write_value_arguments(struct buf *out, struct jv body)
{
	AUTO_BUF json = BUF_INIT, spaced = BUF_INIT;

	write_raw(&json, body);
	space_out(&spaced, buf_view(&json));
	buf_text(out, "{\"value\":");
	json_write_string(out, buf_view(&spaced));
	buf_byte(out, '}');
}

static void write_string_arguments(struct buf *out, struct jv body)
{
	struct json_report report;
	AUTO_BUF text = BUF_INIT;

	jv_decode(body, &text);
	json_check(buf_view(&text), &report);
	if (report.verdict == VERDICT_STRICT) {
		json_write_raw(out, buf_view(&text));
	} else {
		buf_text(out, "{\"raw_arguments\":");
		json_write_string(out, buf_view(&text));
		buf_byte(out, '}');
	}
}

static void write_arguments(struct buf *out, const struct part *call)
{
	if (call->body.kind == J_NONE || call->foreign_body)
		buf_text(out, "{}");
	else if (call->body.kind == J_OBJECT)
		write_raw(out, call->body);
	else if (call->body.kind == J_STRING)
		write_string_arguments(out, call->body);
	else
		write_value_arguments(out, call->body);
}

static void write_id(struct buf *out, struct jv id)
{
	if (id.kind == J_NONE)
		buf_text(out, "null");
	else
		write_string(out, id);
}

static void write_text(struct buf *out, const struct part *part)
{
	write_string(out, part->body);
}

static void write_call(struct buf *out, const struct part *call)
{
	buf_text(out, "{\"name\":");
	write_string(out, call->name);
	buf_text(out, ",\"input\":");
	write_arguments(out, call);
	buf_text(out, ",\"id\":");
	write_id(out, call->id);
	buf_byte(out, '}');
}

static void write_result(struct buf *out, const struct part *result)
{
	buf_text(out, "{\"id\":");
	write_id(out, result->id);
	buf_text(out, ",\"content\":");
	if (result->body.kind == J_NONE || result->foreign_body)
		buf_text(out, "\"\"");
	else if (result->body.kind == J_STRING)
		write_string(out, result->body);
	else
		write_raw(out, result->body);
	buf_byte(out, '}');
}

static void write_tool(struct buf *out, const struct part *tool)
{
	buf_text(out, "{\"name\":");
	write_string(out, tool->name);
	buf_text(out, ",\"description\":");
	write_string(out, tool->body);
	buf_byte(out, '}');
}

static bool is_listed(const struct part *part, enum part_kind kind, bool foreign)
{
	if (foreign)
		return kind == part->kind;
	return !part->foreign && kind == (part->also_text ? PART_TEXT : part->kind);
}

void parts_write(struct buf *out, const struct parts *parts, bool foreign)
{
	static const struct list {
		const char *head;
		enum part_kind kind;
		void (*write)(struct buf *out, const struct part *part);
	} lists[] = {
		{"{\"text\":[", PART_TEXT, write_text},
		{"],\"tool_use\":[", PART_CALL, write_call},
		{"],\"tool_result\":[", PART_RESULT, write_result},
		{"],\"tools\":[", PART_TOOL, write_tool},
	};

	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		const char *comma = "";

		buf_text(out, lists[i].head);
		for (size_t k = 0; k < parts->count; k++) {
			struct part part = *PART_AT(parts, k);

			if (!is_listed(&part, lists[i].kind, foreign))
				continue;
			part.foreign_body &= !foreign;
			buf_text(out, comma);
			lists[i].write(out, &part);
			comma = ",";
		}
	}
	buf_text(out, "]}");
}
