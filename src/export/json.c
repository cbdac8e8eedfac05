/*
 * Chains as JSON, with every step opened.  Values of the file are written as they are
 * (json_write_raw); nothing is decoded twice.
 */
#include "config.h"
#include "export/write.h"

#include <math.h>

#include "base/mem.h"
#include "base/stop.h"
#include "chat/parts.h"
#include "import/open.h"
#include "json/json.h"
#include "view/facts.h"

static void raw(struct buf *out, struct jv v)
{
	json_write_raw(out, jv_raw(v));
}

static void write_raw(struct buf *out, const char *name, struct jv v)
{
	json_write_key(out, name);
	raw(out, v);
}

/* A fact that is a text: a string as it is, a number as its text, null if it is empty. */
static void write_text_fact(struct buf *out, const char *name, struct jv v)
{
	json_write_key(out, name);
	if (v.kind == J_NUMBER)
		json_write_string(out, jv_raw(v));
	else if (v.kind == J_STRING && !jv_empty(v))
		raw(out, v);
	else
		buf_text(out, "null");
}

/* A fact that is a number, digit for digit. */
static void write_number(struct buf *out, struct jv v)
{
	AUTO_BUF text = BUF_INIT;

	if (isnan(fact_number(v))) {
		buf_text(out, "null");
		return;
	}
	jv_text(v, &text);
	buf_str(out, str_trim(buf_view(&text)));
}

static void write_number_fact(struct buf *out, const char *name, struct jv v)
{
	json_write_key(out, name);
	write_number(out, v);
}

static void write_latency(struct buf *out, struct jv v)
{
	json_write_key(out, "latency_s");
	if (!isnan(fact_number(v)))
		write_number(out, v);
	else
		json_write_seconds(out, fact_seconds(v));
}

static void write_timestamp(struct buf *out, struct jv v)
{
	json_write_key(out, "timestamp");
	if ((v.kind == J_STRING && !jv_empty(v)) || v.kind == J_NUMBER)
		raw(out, v);
	else
		buf_text(out, "null");
}

/* `message` is the text of an error, or the JSON of one that is a container. */
static void write_error_said(struct buf *out, struct jv error, struct jv status)
{
	AUTO_ARENA arena = {0};
	struct error_said said = fact_error(error, &arena);
	struct jv v = said.message.kind == J_NONE ? error : said.message;
	AUTO_BUF text = BUF_INIT;

	if (jv_null(v)) {
		buf_text(out, "null");
	} else {
		jv_text(v, &text);
		json_write_string(out, buf_view(&text));
	}
	json_write_key(out, "status");
	write_number(out, status);
	if (said.message.kind != J_NONE && said.rest.kind != J_NONE) {
		write_raw(out, "value", said.rest);
	}
}

static void write_error(struct export *e, const struct export_step *s)
{
	uint32_t flags = trace_flags(e->trace, s->step);
	const struct jv *v = s->opened->facts.v;
	struct buf *out = &e->out, text = BUF_INIT;

	json_write_key(out, "error");
	if (flags & STEP_BROKEN) {
		buf_text(&text, "unreadable: ");
		export_problem(e, s, &text);
		buf_text(out, "{\"message\":");
		json_write_string(out, buf_view(&text));
		buf_text(out, ",\"status\":null}");
	} else if (flags & STEP_ERROR) {
		buf_text(out, "{\"message\":");
		write_error_said(out, v[FACT_ERROR], v[FACT_STATUS]);
		buf_byte(out, '}');
	} else {
		buf_text(out, "null");
	}
	buf_done(&text);
}

/* A message as it is, with the role of its side if it has none. */
static void write_message(struct buf *out, struct jv message, enum prefer prefer)
{
	AUTO_ARENA arena = {0};
	bool given;
	struct str role = message_role(message, prefer, &given, &arena);

	if (message.kind != J_OBJECT || given) {
		raw(out, message);
		return;
	}
	buf_byte(out, '{');
	JV_PAIRS(name, value, message) {
		if (name.kind != J_STRING || jv_is(name, STR("role")))
			continue;
		raw(out, name);
		buf_byte(out, ':');
		raw(out, value);
		buf_byte(out, ',');
	}
	buf_text(out, "\"role\":");
	json_write_string(out, role);
	buf_byte(out, '}');
}

static void write_messages(struct export *e, const struct export_step *s, bool input)
{
	const struct side *side = input ? &s->opened->input : &s->opened->output;
	struct buf *out = &e->out;
	bool first = true;

	json_write_key(out, "messages");
	buf_byte(out, '[');
	for (size_t i = 0; i < side->chat.count; i++) {
		struct jv message = side->chat.items[i];

		if (export_leaves_out(s, input, i))
			continue;
		buf_text(out, first ? "" : ",");
		first = false;
		write_message(out, message, side->prefer);
		export_flush(e);
		if (stop_wanted(message.n))
			return;
	}
	buf_byte(out, ']');
}

static void write_parts(struct export *e, const struct export_step *s, bool input)
{
	const struct side *side = input ? &s->opened->input : &s->opened->output;
	struct buf *out = &e->out;
	bool first = true;

	json_write_key(out, "parts");
	buf_byte(out, '[');
	for (size_t i = 0; i < side->chat.count; i++) {
		struct jv message = side->chat.items[i];
		AUTO_ARENA arena = {0};
		AUTO(parts_done) struct parts parts = {0};

		if (export_leaves_out(s, input, i))
			continue;
		buf_text(out, first ? "" : ",");
		first = false;
		parts_read(&parts, message, &arena);
		parts_write(out, &parts, true);
		export_flush(e);
		if (stop_wanted(message.n))
			return;
	}
	buf_byte(out, ']');
}

static void write_side(struct export *e, const struct export_step *s, bool input)
{
	const struct side *side = input ? &s->opened->input : &s->opened->output;
	struct buf *out = &e->out;

	json_write_key(out, input ? "input" : "output");
	buf_printf(out, "{\"view\":\"%s\"", side_view_name(side->view));
	if (side->view == SIDE_TEXT) {
		json_write_text(out, "text", side->text);
	} else if (side->view == SIDE_JSON) {
		write_raw(out, "value", side->value);
	} else if (side->view == SIDE_CHAT) {
		if (s->reading->new_only) {
			json_write_key(out, "unchanged");
			buf_printf(out, "%zu", export_left_out(s, input));
		}
		write_messages(e, s, input);
		write_parts(e, s, input);
	}
	buf_byte(out, '}');
}

static void write_image(struct buf *out, const struct part *p, bool *first)
{
	AUTO_BUF address = BUF_INIT;
	bool web;

	buf_text(out, *first ? "{\"source\":" : ",{\"source\":");
	*first = false;
	if (p->remote) {
		jv_text(p->body, &address);
		web = str_starts(buf_view(&address), STR("http://")) ||
		      str_starts(buf_view(&address), STR("https://"));
		buf_text(out, web ? "\"url\",\"url\":" : "\"file\",\"url\":");
		json_write_string(out, buf_view(&address));
	} else {
		buf_text(out, "\"data\",\"type\":");
		if (p->media.n)
			json_write_string(out, p->media);
		else
			buf_text(out, "null");
		buf_printf(out, ",\"bytes\":%llu", (unsigned long long)p->bytes);
	}
	buf_byte(out, '}');
}

static void write_part_images(struct export *e, struct parts *parts, bool *first)
{
	for (size_t i = 0; i < parts->count; i++)
		if (PART_AT(parts, i)->kind == PART_IMAGE)
			write_image(&e->out, PART_AT(parts, i), first);
	parts_done(parts);
	export_flush(e);
}

/* Those of the list of a side, then those of its messages. */
static void write_side_images(struct export *e, const struct side *s, bool *first)
{
	struct arena arena = {0};
	struct parts parts = {0};

	parts_read_images(&parts, s->images, &arena);
	write_part_images(e, &parts, first);
	for (size_t i = 0; s->view == SIDE_CHAT && i < s->chat.count; i++) {
		parts_read(&parts, s->chat.items[i], &arena);
		write_part_images(e, &parts, first);
		arena_done(&arena);
		if (stop_wanted(s->chat.items[i].n))
			break;
	}
	arena_done(&arena);
}

/* ---- what else a step says, where it does ---- */

/* A setting that should be a number as a number if it can be read as one, any other as it
 * is. */
static void write_known(struct buf *out, const char *name, struct jv v, bool number)
{
	if (jv_null(v))
		return;
	json_write_key(out, name);
	if (!number || isnan(fact_number(v)))
		raw(out, v);
	else
		write_number(out, v);
}

/* JSON in a string is written as JSON. */
static void write_opened(
	struct buf *out, const char *name, struct jv v, struct arena *arena)
{
	write_raw(out, name, side_open_string(v, arena));
}

static void write_tool(struct buf *out, const struct part *tool, struct arena *arena)
{
	struct jv schema = part_schema(tool), definition = part_definition(tool);

	buf_text(out, "{\"name\":");
	raw(out, tool->name);
	json_write_key(out, "description");
	if (tool->body.kind == J_STRING)
		raw(out, tool->body);
	else
		buf_text(out, "null");
	if (schema.kind == J_NONE)
		buf_text(out, ",\"schema\":null");
	else
		write_opened(out, "schema", schema, arena);
	if (definition.kind != J_NONE)
		write_opened(out, "definition", definition, arena);
	buf_byte(out, '}');
}

/* Tools of all providers in one form; an entry that is no definition as it is. */
static void write_tools(struct buf *out, struct jv offered)
{
	AUTO_ARENA arena = {0};
	AUTO(parts_done) struct parts tools = {0};

	parts_read_tools(&tools, offered, &arena);
	if (tools.count)
		json_write_key(out, "tools");
	for (size_t i = 0; i < tools.count; i++) {
		buf_byte(out, i ? ',' : '[');
		if (PART_AT(&tools, i)->kind == PART_TOOL)
			write_tool(out, PART_AT(&tools, i), &arena);
		else
			raw(out, PART_AT(&tools, i)->raw);
	}
	if (tools.count)
		buf_byte(out, ']');
}

static void write_asked(struct buf *out, const struct opened *o)
{
	static const struct {
		enum fact fact;
		const char *name;
		bool number;
	} rows[] = {
		{FACT_SESSION, "session", false},
		{FACT_THREAD, "thread", false},
		{FACT_CWD, "working_directory", false},
		{FACT_BRANCH, "branch", false},
		{FACT_PROVIDER, "provider", false},
		{FACT_TEMPERATURE, "temperature", true},
		{FACT_MAX_TOKENS, "max_tokens", true},
		{FACT_CACHE_READ, "cache_read_tokens", true},
		{FACT_CACHE_WRITE, "cache_write_tokens", true},
		{FACT_REASONING_TOKENS, "reasoning_tokens", true},
		{FACT_FIRST_TOKEN, "time_to_first_token", true},
		{FACT_STOP, "stop_reason", false},
	};
	AUTO_ARENA arena = {0};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		write_known(out, rows[i].name, o->facts.v[rows[i].fact], rows[i].number);
	if (!jv_empty(o->facts.v[FACT_PARAMETERS]))
		write_opened(out, "parameters", o->facts.v[FACT_PARAMETERS], &arena);
	if (o->page.n) {
		json_write_text(out, "page", o->page);
	}
	if (o->context.kind != J_NONE) {
		write_raw(out, "context", o->context);
	}
	write_tools(out, o->facts.v[FACT_TOOLS]);
}

static void write_response(struct buf *out, const struct opened *o)
{
	static const char *const names[] = {
		"custom_payload", "suggested_values", "suggested_actions"};
	struct jv v[3];

	jv_members(o->response, names, v, 3);
	for (size_t i = 0; i < 3; i++)
		if (!jv_empty(v[i])) {
			write_raw(out, names[i], v[i]);
		}
}

static void write_step(struct export *e, struct export_step *s)
{
	struct trace *trace = e->trace;
	const struct opened *o = s->opened;
	struct buf *out = &e->out;
	uint32_t parent = trace_step(trace, s->step).parent;
	const struct jv *v = o->facts.v;
	bool first_image = true;

	if (e->steps)
		buf_byte(out, ',');
	buf_printf(out, "{\"step\":%u", e->places[s->step] + 1);
	write_text_fact(out, "id", v[FACT_ID]);
	json_write_key(out, "parent");
	if (parent == NO_STEP)
		buf_text(out, "null");
	else
		buf_printf(out, "%u", e->places[parent] + 1);
	buf_printf(out, ",\"depth\":%u", trace_depth(trace, s->position));
	write_text_fact(out, "event", v[FACT_EVENT]);
	write_text_fact(out, "name", v[FACT_NAME]);
	write_text_fact(out, "model", v[FACT_MODEL]);
	write_timestamp(out, v[FACT_TIMESTAMP]);
	write_number_fact(out, "input_tokens", v[FACT_INPUT_TOKENS]);
	write_number_fact(out, "output_tokens", v[FACT_OUTPUT_TOKENS]);
	write_number_fact(out, "cost_usd", v[FACT_COST]);
	write_latency(out, v[FACT_LATENCY]);
	write_error(e, s);
	write_side(e, s, true);
	write_side(e, s, false);
	if (o->shared)
		buf_text(out, ",\"shared\":true");
	json_write_key(out, "prompt_schema");
	if (jv_null(v[FACT_PROMPT_SCHEMA]))
		buf_text(out, "null");
	else
		raw(out, v[FACT_PROMPT_SCHEMA]);
	json_write_key(out, "images");
	buf_byte(out, '[');
	write_side_images(e, &o->input, &first_image);
	if (!o->shared)
		write_side_images(e, &o->output, &first_image);
	buf_byte(out, ']');
	write_asked(out, o);
	write_response(out, o);
	if (opened_is_empty(o) && o->facts.value.kind != J_NONE) {
		write_raw(out, "value", o->facts.value);
	}
	buf_byte(out, '}');
}

static void begin_chain(struct export *e, const struct chain *c)
{
	struct trace *trace = e->trace;
	struct buf *out = &e->out;

	if (e->chains)
		buf_byte(out, ',');
	buf_text(out, "{\"trace_id\":");
	json_write_string(out, trace_text(trace, c->trace_id));
	buf_printf(out, ",\"generated\":%s,\"name\":", c->generated ? "true" : "false");
	if (c->name == NO_TEXT)
		buf_text(out, "null");
	else
		json_write_string(out, trace_text(trace, c->name));
	json_write_key(out, "totals");
	facts_write_totals(out, &c->totals);
	json_write_key(out, "steps");
	buf_byte(out, '[');
	for (size_t i = 0; i < c->count; i++)
		e->places[trace_at(trace, c->first + i)] = (uint32_t)i;
}

static void end_chain(struct export *e, const struct chain *c)
{
	buf_text(&e->out, "]}");
}

static void begin_trace(struct export *e)
{
	e->places = mem_zalloc(e->trace->count, sizeof(*e->places));
	buf_text(&e->out, "{\"format\":");
	json_write_string(&e->out, str_of(e->trace->format));
	buf_text(&e->out, ",\"chains\":[");
}

static void end_trace(struct export *e)
{
	buf_text(&e->out, "]}\n");
}

const struct export_format export_json = {
	.name = "json",
	.ending = ".json",
	.write_step = write_step,
	.begin_trace = begin_trace,
	.begin_chain = begin_chain,
	.end_chain = end_chain,
	.end_trace = end_trace,
};
