/*
 * Chains as OTLP-JSON: spans with the attributes of OpenTelemetry's conventions for
 * generative AI (https://opentelemetry.io/docs/specs/semconv/gen-ai/), messages as JSON
 * in gen_ai.input.messages and gen_ai.output.messages.  A step is a span; a chain is a
 * trace. Ids that are none of OpenTelemetry's are hashed.
 */
#include "config.h"
#include "export/write.h"

#include <inttypes.h>
#include <math.h>

#include "base/map.h"
#include "chat/parts.h"
#include "chat/side.h"
#include "import/action.h"
#include "import/open.h"
#include "json/json.h"

/* ---- ids and times ---- */

static void put_trace_id(struct buf *out, const struct export *e, const struct chain *c)
{
	struct str id = trace_text(e->trace, c->trace_id);
	uint64_t hash = fnv_add(FNV_BEGIN, id);
	bool hex = id.n == 32;

	for (size_t i = 0; i < id.n && hex; i++)
		hex = str_is_digit(id.p[i]) || (id.p[i] >= 'a' && id.p[i] <= 'f');
	if (hex)
		buf_str(out, id);
	else
		buf_printf(out, "%016" PRIx64 "%016zx", hash, e->chain + 1);
}

/* Steps count: a step has one id in the document. */
static void put_span_id(struct buf *out, const struct export *e, uint32_t step)
{
	buf_printf(out, "%08zx%08" PRIx32, e->traces, step + 1);
}

static void put_moment(struct buf *out, const char *key, double seconds)
{
	double whole = floor(seconds);

	if (isfinite(seconds) && seconds >= 0 && seconds < 1e10)
		buf_printf(out, ",\"%s\":\"%.0f%09.0f\"", key, whole,
			fmin(999999999, round((seconds - whole) * 1e9)));
}

/* ---- attributes ---- */

static void begin_attribute(struct buf *out, const char *key, const char *type)
{
	json_open(out, NULL, '{');
	json_put_text(out, "key", str_of(key));
	json_open(out, "value", '{');
	json_key(out, type);
}

static void put_text(struct buf *out, const char *key, struct str text)
{
	if (!text.n)
		return;
	begin_attribute(out, key, "stringValue");
	json_write_string(out, text);
	buf_text(out, "}}");
}

static void put_fact(struct buf *out, const char *key, struct jv value)
{
	AUTO_BUF text = BUF_INIT;

	if (jv_null(value))
		return;
	jv_text(value, &text);
	put_text(out, key, buf_view(&text));
}

static void put_count(struct buf *out, const char *key, double n)
{
	if (isnan(n) || n < 0 || n > 1e15)
		return;
	begin_attribute(out, key, "intValue");
	buf_printf(out, "\"%.0f\"}}", n);
}

static void put_number(struct buf *out, const char *key, double n)
{
	if (!isfinite(n))
		return;
	begin_attribute(out, key, "doubleValue");
	json_write_number(out, n);
	buf_text(out, "}}");
}

/* ---- messages ---- */

/* Arguments and results are JSON as it is; a text is a string. */
static void put_part(struct buf *out, const struct part *p)
{
	bool call = p->kind == PART_CALL;

	json_item(out);
	if (p->kind == PART_TOOL || p->kind == PART_JSON) {
		json_write_raw(out, jv_raw(p->raw));
		return;
	}
	buf_byte(out, '{');
	if (call || p->kind == PART_RESULT) {
		json_put_text(
			out, "type", call ? STR("tool_call") : STR("tool_call_response"));
		json_put_raw(out, "id", export_link(p));
		if (p->name.kind != J_NONE)
			json_put_raw(out, "name", p->name);
		json_put_raw(out, call ? "arguments" : "response", p->body);
		if (p->error)
			json_put_flag(out, "is_error", true);
	} else if (p->kind == PART_IMAGE || p->kind == PART_FILE) {
		json_put_text(out, "type", p->remote ? STR("uri") : STR("blob"));
		json_put_text(out, "modality",
			p->kind == PART_IMAGE ? STR("image") : STR("file"));
		if (p->media.n)
			json_put_text(out, "mime_type", p->media);
		json_put_raw(out, p->remote ? "uri" : "content", p->body);
	} else {
		json_put_text(out, "type",
			p->kind == PART_REASONING ? STR("reasoning") : STR("text"));
		json_put_raw(out, "content", p->body);
	}
	buf_byte(out, '}');
}

static void put_side(
	struct buf *out, struct export *e, const struct export_step *s, bool input)
{
	const struct side *side = export_step_side(s, input);
	AUTO_BUF messages = BUF_INIT;

	buf_byte(&messages, '[');
	for (struct export_message m = {0}; export_message_next(e, s, input, &m);) {
		AUTO(parts_done) struct parts parts = export_message_parts(&m);

		json_open(&messages, NULL, '{');
		json_put_text(&messages, "role", export_message_role(&m));
		json_open(&messages, "parts", '[');
		for (size_t i = 0; i < parts.count; i++)
			put_part(&messages, PART_AT(&parts, i));
		buf_text(&messages, "]}");
	}
	buf_byte(&messages, ']');
	if (side->view == SIDE_JSON)
		put_text(out, input ? "input.value" : "output.value", jv_raw(side->value));
	else if (messages.len > 2)
		put_text(out, input ? "gen_ai.input.messages" : "gen_ai.output.messages",
			buf_view(&messages));
}

/* ---- spans ---- */

/* The list of attributes; apart, as messages may be written out while it is made. */
static void put_attributes(
	struct buf *out, struct export *e, const struct export_step *s)
{
	struct step step = trace_step(e->trace, s->step);
	const struct jv *v = s->opened->facts.v;
	bool parent = trace_subtree_end(e->trace, s->position) > s->position + 1;

	buf_byte(out, '[');
	if (step.model != NO_TEXT)
		put_text(out, "gen_ai.operation.name", STR("chat"));
	else if (parent)
		put_text(out, "gen_ai.operation.name", STR("invoke_agent"));
	put_fact(out, "gen_ai.provider.name", v[FACT_PROVIDER]);
	put_text(out, "gen_ai.request.model", trace_text(e->trace, step.model));
	put_fact(out, "gen_ai.conversation.id", v[FACT_SESSION]);
	put_number(out, "gen_ai.request.temperature", fact_number(v[FACT_TEMPERATURE]));
	put_count(out, "gen_ai.request.max_tokens", fact_number(v[FACT_MAX_TOKENS]));
	put_count(out, "gen_ai.usage.input_tokens", step.input_tokens);
	put_count(out, "gen_ai.usage.output_tokens", step.output_tokens);
	put_count(out, "gen_ai.usage.cache_read.input_tokens", step.cache_read);
	put_count(out, "gen_ai.usage.cache_creation.input_tokens", step.cache_write);
	put_number(out, "gen_ai.usage.cost", step.cost);
	put_side(out, e, s, true);
	if (!s->opened->shared)
		put_side(out, e, s, false);
	buf_byte(out, ']');
}

static void put_status(struct export *e, const struct export_step *s)
{
	AUTO_ARENA arena = {0};
	struct error_said said = fact_error(s->opened->facts.v[FACT_ERROR], &arena);
	AUTO_BUF words = BUF_INIT;

	if (!(trace_flags(e->trace, s->step) & STEP_ERROR))
		return;
	if (said.message.kind != J_NONE)
		jv_text(said.message, &words);
	json_open(&e->out, "status", '{');
	json_put_count(&e->out, "code", 2);
	if (words.len)
		json_put_text(&e->out, "message", buf_view(&words));
	buf_byte(&e->out, '}');
}

static void write_step(struct export *e, struct export_step *s)
{
	struct step step = trace_step(e->trace, s->step);
	double begin = step.timestamp, end = NAN;
	struct buf *out = &e->out;
	AUTO_BUF name = BUF_INIT, attributes = BUF_INIT;

	buf_text(out, e->steps ? ",\n{\"traceId\":\"" : "\n{\"traceId\":\"");
	put_trace_id(out, e, &e->trace->chains[e->chain]);
	buf_text(out, "\",\"spanId\":\"");
	put_span_id(out, e, s->step);
	buf_byte(out, '"');
	if (step.parent != NO_STEP) {
		buf_text(out, ",\"parentSpanId\":\"");
		put_span_id(out, e, step.parent);
		buf_byte(out, '"');
	}
	step_call(e->trace, s->step, s->opened, &name);
	json_put_text(out, "name", buf_view(&name));
	json_put_count(out, "kind", 1);
	if (step.latency >= 0) {
		end = step.flags & STEP_TIMED ? begin + step.latency : begin;
		begin = step.flags & STEP_TIMED ? begin : begin - step.latency;
	}
	put_moment(out, "startTimeUnixNano", begin);
	put_moment(out, "endTimeUnixNano", end);
	put_attributes(&attributes, e, s);
	buf_text(out, ",\"attributes\":"); /* what comes before may be written out */
	buf_str(out, buf_view(&attributes));
	put_status(e, s);
	buf_byte(out, '}');
}

/* ---- the frame ---- */

static void begin(struct export *e)
{
	buf_text(&e->out, "{\"resourceSpans\":[");
}

static void begin_chain(struct export *e, const struct chain *c)
{
	struct buf *out = &e->out;

	buf_text(out, e->traces > 1 || e->chains ? ",\n" : "\n");
	buf_text(out, "{\"resource\":{\"attributes\":[");
	put_text(out, "service.name", STR("catena"));
	put_text(out, "catena.format", str_of(trace_chain_format(e->trace, c)));
	put_text(out, "catena.chain", trace_chain_title(e->trace, c));
	buf_text(out, "]},\"scopeSpans\":[{\"scope\":{\"name\":\"catena\",\"version\":"
		      "\"" PACKAGE_VERSION "\"},\"spans\":[");
}

static void end_chain(struct export *e, const struct chain *c)
{
	buf_text(&e->out, "\n]}]}");
}

static void end(struct export *e)
{
	buf_text(&e->out, "\n]}\n");
}

const struct export_format export_otlp = {
	.name = "otlp",
	.ending = ".otlp.json",
	.write_step = write_step,
	.begin = begin,
	.begin_chain = begin_chain,
	.end_chain = end_chain,
	.end = end,
};
