/*
 * Chains as JSON, with every step opened.  Values of the file are written as they are
 * (json_write_raw); nothing is decoded twice.
 */
#include "config.h"
#include "export/write.h"

#include <math.h>

#include "base/mem.h"
#include "base/work.h"
#include "chat/parts.h"
#include "import/open.h"
#include "json/json.h"
#include "view/facts.h"

/* A fact that is a text: a string as it is, a number as its text, null if it is empty. */
static void write_text_fact(struct buf *out, const char *name, struct jv v)
{
	if (v.kind == J_NUMBER)
		json_put_text(out, name, jv_raw(v));
	else
		json_put_raw(out, name, v.kind == J_STRING && !jv_empty(v) ? v : JV_NONE);
}

/* A fact that is a number, digit for digit. */
static void write_number(struct buf *out, const char *name, struct jv v)
{
	AUTO_BUF text = BUF_INIT;

	json_key(out, name);
	if (isnan(fact_number(v)))
		buf_text(&text, "null");
	else
		jv_text(v, &text);
	buf_str(out, str_trim(buf_view(&text)));
}

static void write_error(struct export *e, const struct export_step *s)
{
	bool broken = trace_flags(e->trace, s->step) & STEP_BROKEN;
	const struct jv *v = s->opened->facts.v;
	struct buf *out = &e->out;
	AUTO_ARENA arena = {0};
	struct error_said said = fact_error(v[FACT_ERROR], &arena);
	struct jv words = said.message.kind == J_NONE ? v[FACT_ERROR] : said.message;
	AUTO_BUF text = BUF_INIT;

	if (!broken && !(trace_flags(e->trace, s->step) & STEP_ERROR)) {
		json_put_null(out, "error");
		return;
	}
	json_open(out, "error", '{');
	if (broken) {
		buf_text(&text, "unreadable: ");
		export_problem(e, s, &text);
	} else { /* the text of an error, or the JSON of one that is a container */
		jv_text(words, &text);
	}
	if (!broken && jv_null(words))
		json_put_null(out, "message");
	else
		json_put_text(out, "message", buf_view(&text));
	write_number(out, "status", broken ? JV_NONE : v[FACT_STATUS]);
	if (!broken && said.message.kind != J_NONE && said.rest.kind != J_NONE)
		json_put_raw(out, "value", said.rest);
	buf_byte(out, '}');
}

/* A message as it is, with the role of its side if it has none. */
static void write_message(struct buf *out, struct jv message, enum prefer prefer)
{
	AUTO_ARENA arena = {0};
	bool given;
	struct str role = message_role(message, prefer, &given, &arena);

	if (message.kind != J_OBJECT || given) {
		json_write_raw(out, jv_raw(message));
		return;
	}
	buf_byte(out, '{');
	JV_PAIRS(name, value, message) {
		if (name.kind != J_STRING || jv_is(name, STR("role")))
			continue;
		json_item(out);
		json_write_raw(out, jv_raw(name));
		buf_byte(out, ':');
		json_write_raw(out, jv_raw(value));
	}
	json_put_text(out, "role", role);
	buf_byte(out, '}');
}

/* The messages of a side, or what they have in them. */
static void write_list(
	struct export *e, const struct export_step *s, bool input, bool as_parts)
{
	struct buf *out = &e->out;
	const char *between = "";

	json_open(out, as_parts ? "parts" : "messages", '[');
	for (struct export_message m = {0}; export_message_next(e, s, input, &m);) {
		buf_text(out, between);
		between = ",";
		if (as_parts) {
			AUTO(parts_done) struct parts parts = export_message_parts(&m);

			parts_write(out, &parts, true);
		} else {
			write_message(out, m.raw, m.side->prefer);
		}
	}
	buf_byte(out, ']');
}

static void write_side(struct export *e, const struct export_step *s, bool input)
{
	const struct side *side = export_step_side(s, input);
	struct buf *out = &e->out;

	json_open(out, input ? "input" : "output", '{');
	json_put_text(out, "view", str_of(side_view_name(side->view)));
	if (side->view == SIDE_TEXT) {
		json_put_text(out, "text", side->text);
	} else if (side->view == SIDE_JSON) {
		json_put_raw(out, "value", side->value);
	} else if (side->view == SIDE_CHAT) {
		if (s->reading->new_only)
			json_put_count(out, "unchanged", export_left_out(s, input));
		write_list(e, s, input, false);
		write_list(e, s, input, true);
	}
	buf_byte(out, '}');
}

static void write_part_images(struct export *e, struct parts *parts, bool *first)
{
	struct buf *out = &e->out;

	PARTS_EACH(p, parts) {
		AUTO_BUF address = BUF_INIT;
		bool web;

		if (p->kind != PART_IMAGE)
			continue;
		buf_text(out, *first ? "{" : ",{"); /* those before may be written out */
		*first = false;
		if (p->remote) {
			jv_text(p->body, &address);
			web = str_starts(buf_view(&address), STR("http://")) ||
			      str_starts(buf_view(&address), STR("https://"));
			json_put_text(out, "source", web ? STR("url") : STR("file"));
			json_put_text(out, "url", buf_view(&address));
		} else {
			json_put_text(out, "source", STR("data"));
			json_put_known(out, "type", p->media);
			json_put_count(out, "bytes", p->bytes);
		}
		buf_byte(out, '}');
	}
	parts_done(parts);
	export_flush(e);
}

/* Those of the list of a side, then those of its messages. */
static void write_side_images(struct export *e, const struct side *s, bool *first)
{
	struct arena arena = {0};
	struct parts parts = {0};

	parts = parts_read_images(s->images, &arena);
	write_part_images(e, &parts, first);
	for (size_t i = 0; s->view == SIDE_CHAT && i < s->chat.count; i++) {
		parts = parts_read(s->chat.items[i], &arena);
		write_part_images(e, &parts, first);
		arena_done(&arena);
		if (stop_wanted(s->chat.items[i].n))
			break;
	}
	arena_done(&arena);
}

/* ---- what else a step says, where it does ---- */

/* Tools of all providers in one form; an entry that is no definition as it is. */
static void write_tools(struct buf *out, struct jv offered)
{
	AUTO_ARENA arena = {0};
	AUTO(parts_done) struct parts tools = parts_read_tools(offered, &arena);

	if (tools.count)
		json_open(out, "tools", '[');
	for (size_t i = 0; i < tools.count; i++) {
		const struct part *tool = PART_AT(&tools, i);
		struct jv definition = part_definition(tool);

		json_item(out);
		if (tool->kind != PART_TOOL) {
			json_write_raw(out, jv_raw(tool->raw));
			continue;
		}
		buf_byte(out, '{');
		json_put_raw(out, "name", tool->name);
		json_put_raw(out, "description",
			tool->body.kind == J_STRING ? tool->body : JV_NONE);
		json_put_raw(out, "schema", side_open_string(part_schema(tool), &arena));
		if (definition.kind != J_NONE)
			json_put_raw(
				out, "definition", side_open_string(definition, &arena));
		buf_byte(out, '}');
	}
	if (tools.count)
		buf_byte(out, ']');
}

static void write_asked(struct buf *out, const struct step_content *o)
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

	/* a number if it can be read as one, any other setting as it is */
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct jv v = o->facts.v[rows[i].fact];

		if (!jv_null(v) && rows[i].number && !isnan(fact_number(v)))
			write_number(out, rows[i].name, v);
		else if (!jv_null(v))
			json_put_raw(out, rows[i].name, v);
	}
	if (!jv_empty(o->facts.v[FACT_PARAMETERS]))
		json_put_raw(out, "parameters",
			side_open_string(o->facts.v[FACT_PARAMETERS], &arena));
	if (o->page.n)
		json_put_text(out, "page", o->page);
	if (o->context.kind != J_NONE)
		json_put_raw(out, "context", o->context);
	write_tools(out, o->facts.v[FACT_TOOLS]);
}

static void write_response(struct buf *out, const struct step_content *o)
{
	static const char *const names[] = {
		"custom_payload", "suggested_values", "suggested_actions"};
	struct jv v[3];

	jv_members(o->response, names, v, 3);
	for (size_t i = 0; i < 3; i++)
		if (!jv_empty(v[i]))
			json_put_raw(out, names[i], v[i]);
}

static void write_step(struct export *e, struct export_step *s)
{
	struct trace *trace = e->trace;
	const struct step_content *o = s->opened;
	struct buf *out = &e->out;
	uint32_t parent = trace_step(trace, s->step).parent;
	const struct jv *v = o->facts.v;
	struct jv time = v[FACT_TIMESTAMP];
	bool first_image = true;

	buf_text(out, e->steps ? ",{" : "{"); /* those before may be written out */
	json_put_count(out, "step", s->number);
	write_text_fact(out, "id", v[FACT_ID]);
	json_put_number(out, "parent",
		parent == NO_STEP
			? NAN
			: (double)trace_number_at(trace, trace_position(trace, parent)));
	json_put_count(out, "depth", trace_depth(trace, s->position));
	write_text_fact(out, "event", v[FACT_EVENT]);
	write_text_fact(out, "name", v[FACT_NAME]);
	write_text_fact(out, "model", v[FACT_MODEL]);
	json_put_raw(out, "timestamp",
		time.kind == J_NUMBER || (time.kind == J_STRING && !jv_empty(time))
			? time
			: JV_NONE);
	write_number(out, "input_tokens", v[FACT_INPUT_TOKENS]);
	write_number(out, "output_tokens", v[FACT_OUTPUT_TOKENS]);
	write_number(out, "cost_usd", v[FACT_COST]);
	if (!isnan(fact_number(v[FACT_LATENCY])))
		write_number(out, "latency_s", v[FACT_LATENCY]);
	else
		json_put_seconds(out, "latency_s", fact_seconds(v[FACT_LATENCY]));
	write_error(e, s);
	write_side(e, s, true);
	write_side(e, s, false);
	if (o->shared)
		json_put_flag(out, "shared", true);
	json_put_raw(out, "prompt_schema", v[FACT_PROMPT_SCHEMA]);
	json_open(out, "images", '[');
	write_side_images(e, &o->input, &first_image);
	if (!o->shared)
		write_side_images(e, &o->output, &first_image);
	buf_byte(out, ']');
	write_asked(out, o);
	write_response(out, o);
	if (step_content_is_empty(o) && o->facts.value.kind != J_NONE)
		json_put_raw(out, "value", o->facts.value);
	buf_byte(out, '}');
}

static void begin_chain(struct export *e, const struct chain *c)
{
	struct trace *trace = e->trace;
	struct buf *out = &e->out;

	buf_text(out, e->chains ? ",{" : "{");
	json_put_text(out, "trace_id", trace_text(trace, c->trace_id));
	json_put_flag(out, "generated", c->generated);
	if (c->name == NO_TEXT)
		json_put_null(out, "name");
	else
		json_put_text(out, "name", trace_text(trace, c->name));
	facts_put_totals(out, &c->totals);
	json_open(out, "steps", '[');
}

static void end_chain(struct export *e, const struct chain *c)
{
	buf_text(&e->out, "]}");
}

static void begin_trace(struct export *e)
{
	buf_byte(&e->out, '{');
	json_put_text(&e->out, "format", str_of(e->trace->format));
	json_open(&e->out, "chains", '[');
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
