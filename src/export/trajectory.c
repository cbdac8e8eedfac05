/*
 * Chains as trajectories, in which each message stands once: ATIF, the Agent Trajectory
 * Interchange Format of Harbor (https://harborframework.com/docs/trajectory-format), a
 * line for each chain, and STS, the Session Trace Simple Format of Hugging Face
 * (https://huggingface.co/docs/hub/session-traces-format), a line for each message.
 *
 * In ATIF the results of an agent's calls stand in its step, so a step stays open until
 * something else follows.
 */
#include "config.h"
#include "export/write.h"

#include <math.h>
#include <time.h>

#include "chat/parts.h"
#include "chat/side.h"
#include "import/open.h"
#include "json/json.h"

enum { CLOSED, STEP_OPEN, RESULTS_OPEN }; /* export.now.open */

/* ---- what both write ---- */

/* A value as a text: JSON in a string, where it is no text. */
static void put_as_text(struct buf *out, const char *name, struct jv value)
{
	AUTO_BUF text = BUF_INIT;

	if (value.kind == J_STRING) {
		json_put_raw(out, name, value);
		return;
	}
	if (value.kind != J_NONE)
		json_write_raw(&text, jv_raw(value));
	json_put_text(out, name, buf_view(&text));
}

/* All parts of a kind, joined. */
static void put_joined(
	struct buf *out, const char *name, const struct parts *parts, enum part_kind kind)
{
	AUTO_BUF text = BUF_INIT;
	const char *between = "";

	PARTS_EACH(p, parts) {
		if (p->kind != kind && !(kind == PART_TEXT && p->kind == PART_REFUSAL))
			continue;
		buf_text(&text, between);
		jv_text(p->body, &text);
		between = "\n\n";
	}
	json_put_text(out, name, buf_view(&text));
}

/* Whether a message says or calls something, and is no result alone. */
static bool says(const struct parts *parts)
{
	return export_count_parts(parts, PART_TEXT) ||
	       export_count_parts(parts, PART_CALL) ||
	       export_count_parts(parts, PART_REASONING) ||
	       export_count_parts(parts, PART_REFUSAL);
}

/* The calls of a message, if it has any, each as one of the formats has it. */
static void put_calls(struct buf *out, const char *name, const struct parts *parts,
	void (*put)(struct buf *out, const struct part *call))
{
	if (!export_count_parts(parts, PART_CALL))
		return;
	json_open(out, name, '[');
	PARTS_EACH(p, parts)
		if (p->kind == PART_CALL)
			put(out, p);
	buf_byte(out, ']');
}

/* ,"timestamp":"2026-01-02T10:00:00.000Z" */
static void put_time(struct buf *out, double seconds)
{
	bool known = seconds >= 0 && seconds < 4e9;
	time_t whole = known ? (time_t)floor(seconds) : 0;
	char text[40];
	struct tm tm;

	if (!known || !gmtime_r(&whole, &tm) ||
		!strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &tm))
		return;
	buf_printf(out, ",\"timestamp\":\"%s.%03uZ\"", text,
		(unsigned)((seconds - floor(seconds)) * 1000));
}

typedef void put_message_fn(struct export *e, const struct export_step *s,
	const struct parts *parts, enum speaker who, bool input);

static void write_sides(struct export *e, struct export_step *s, put_message_fn *put)
{
	for (int side = 0; side < (s->opened->shared ? 1 : 2); side++)
		for (struct export_message m = {0};
			export_message_next(e, s, !side, &m);) {
			AUTO(parts_done) struct parts parts = export_message_parts(&m);

			put(e, s, &parts, role_speaker(export_message_role(&m)), !side);
		}
}

/* ---- ATIF ---- */

static void close_step(struct export *e)
{
	if (e->now.open == RESULTS_OPEN)
		buf_text(&e->out, "]}");
	if (e->now.open != CLOSED)
		buf_byte(&e->out, '}');
	e->now.open = CLOSED;
}

static void put_results(struct export *e, const struct parts *parts)
{
	PARTS_EACH(p, parts) {
		if (p->kind != PART_RESULT)
			continue;
		/* what comes before it may be written out */
		buf_text(&e->out, e->now.open == RESULTS_OPEN
					  ? ",{"
					  : ",\"observation\":{\"results\":[{");
		e->now.open = RESULTS_OPEN;
		json_put_raw(&e->out, "source_call_id", export_link(p));
		put_as_text(&e->out, "content", p->body);
		buf_byte(&e->out, '}');
	}
}

static void put_atif_call(struct buf *out, const struct part *call)
{
	AUTO_ARENA arena = {0};

	json_open(out, NULL, '{');
	json_put_raw(out, "tool_call_id", export_link(call));
	json_put_raw(out, "function_name", call->name);
	json_put_raw(out, "arguments", side_open_string(call->body, &arena));
	buf_byte(out, '}');
}

/* The figures that are known. */
static void put_figures(struct buf *out, const char *key, const char *const names[],
	const double figures[], size_t count)
{
	json_open(out, key, '{');
	for (size_t i = 0; i < count; i++)
		if (!isnan(figures[i]))
			json_put_number(out, names[i], figures[i]);
	buf_byte(out, '}');
}

/* What the step adds to the totals, with its first answer. */
static void put_metrics(struct export *e, const struct export_step *s)
{
	static const char *const names[] = {
		"prompt_tokens", "completion_tokens", "cached_tokens", "cost_usd"};
	struct totals own = trace_step_counted(e->trace, s->position);
	double figures[] = {
		own.input_tokens, own.output_tokens, own.cache_read, own.cost};
	bool known = false;

	if (e->now.measured == s->step + 1)
		return;
	e->now.measured = s->step + 1;
	for (size_t i = 0; i < 4; i++)
		known |= !isnan(figures[i]);
	if (known)
		put_figures(&e->out, "metrics", names, figures, 4);
}

static void put_atif(struct export *e, const struct export_step *s,
	const struct parts *parts, enum speaker who, bool input)
{
	bool agent = who == SPEAKER_ASSISTANT || export_count_parts(parts, PART_CALL);
	struct step step = trace_step(e->trace, s->step);
	struct buf *out = &e->out;

	if (export_count_parts(parts, PART_RESULT) && !says(parts) &&
		e->now.open != CLOSED) {
		put_results(e, parts);
		return;
	}
	close_step(e);
	buf_text(out, e->now.said ? ",{" : "{"); /* those before may be written out */
	json_put_count(out, "step_id", ++e->now.said);
	put_time(out, agent && !input ? step_over_at(&step) : step.timestamp);
	json_put_text(out, "source",
		agent                   ? STR("agent")
		: who == SPEAKER_SYSTEM ? STR("system")
					: STR("user"));
	if (agent && step.model != NO_TEXT)
		json_put_text(out, "model_name", trace_text(e->trace, step.model));
	put_joined(out, "message", parts, PART_TEXT);
	if (export_count_parts(parts, PART_REASONING))
		put_joined(out, "reasoning_content", parts, PART_REASONING);
	put_calls(out, "tool_calls", parts, put_atif_call);
	if (agent && !input)
		put_metrics(e, s);
	e->now.open = STEP_OPEN;
	put_results(e, parts);
}

static void write_atif(struct export *e, struct export_step *s)
{
	struct totals own = trace_step_counted(e->trace, s->position);
	struct parts none = {0};

	write_sides(e, s, put_atif);
	/* figures of a step that answers nothing */
	if (e->now.measured != s->step + 1 && (own.input_tokens > 0 || own.cost > 0))
		put_atif(e, s, &none, SPEAKER_ASSISTANT, false);
}

static void begin_atif(struct export *e, const struct chain *c)
{
	struct buf *out = &e->out;

	e->now.said = e->now.measured = 0;
	e->now.open = CLOSED;
	buf_byte(out, '{');
	json_put_text(out, "schema_version", STR("ATIF-v1.6"));
	json_put_text(out, "session_id", trace_text(e->trace, c->trace_id));
	json_open(out, "agent", '{');
	json_put_text(out, "name", trace_chain_title(e->trace, c));
	json_put_text(out, "version", STR(PACKAGE_VERSION));
	buf_byte(out, '}');
	json_open(out, "steps", '[');
}

static void end_atif(struct export *e, const struct chain *c)
{
	static const char *const names[] = {
		"total_prompt_tokens", "total_completion_tokens", "total_cost_usd"};
	double figures[] = {
		c->totals.input_tokens, c->totals.output_tokens, c->totals.cost};

	close_step(e);
	buf_byte(&e->out, ']');
	put_figures(&e->out, "final_metrics", names, figures, 3);
	buf_text(&e->out, "}\n");
}

const struct export_format export_atif = {
	.name = "atif",
	.ending = ".atif.json",
	.once = true,
	.write_step = write_atif,
	.begin_chain = begin_atif,
	.end_chain = end_atif,
};

/* ---- STS ---- */

static void begin_line(struct buf *out, const char *role)
{
	buf_printf(out, "{\"type\":\"message\",\"message\":{\"role\":\"%s\"", role);
}

static void end_line(struct buf *out, double time, struct str model)
{
	if (isfinite(time) && time > 0)
		buf_printf(out, ",\"timestamp\":%.0f", floor(time * 1000));
	if (model.n)
		json_put_text(out, "model", model);
	buf_text(out, "}}\n");
}

static void put_sts_call(struct buf *out, const struct part *call)
{
	json_open(out, NULL, '{');
	json_put_raw(out, "id", export_link(call));
	json_open(out, "function", '{');
	json_put_raw(out, "name", call->name);
	put_as_text(out, "arguments", call->body);
	buf_text(out, "}}");
}

static void put_sts(struct export *e, const struct export_step *s,
	const struct parts *parts, enum speaker who, bool input)
{
	struct step step = trace_step(e->trace, s->step);
	bool agent = who == SPEAKER_ASSISTANT;
	double time = agent && !input ? step_over_at(&step) : step.timestamp;
	struct buf *out = &e->out;

	PARTS_EACH(p, parts) {
		if (p->kind != PART_RESULT)
			continue;
		begin_line(out, "tool");
		put_as_text(out, "content", p->body);
		put_as_text(out, "toolCallId", export_link(p));
		end_line(out, time, STR(""));
	}
	if (!says(parts))
		return;
	begin_line(out, agent ? "assistant" : who == SPEAKER_SYSTEM ? "system" : "user");
	put_joined(out, "content", parts, PART_TEXT);
	if (export_count_parts(parts, PART_REASONING))
		put_joined(out, "reasoningContent", parts, PART_REASONING);
	put_calls(out, "toolCalls", parts, put_sts_call);
	end_line(out, time, agent ? trace_text(e->trace, step.model) : STR(""));
}

static void write_sts(struct export *e, struct export_step *s)
{
	write_sides(e, s, put_sts);
}

static void begin_sts(struct export *e, const struct chain *c)
{
	struct buf *out = &e->out;

	buf_byte(out, '{');
	json_put_text(out, "type", STR("session"));
	json_put_text(out, "harness", str_of(trace_chain_format(e->trace, c)));
	json_put_text(out, "id", trace_text(e->trace, c->trace_id));
	json_put_text(out, "name", trace_chain_title(e->trace, c));
	buf_text(out, "}\n");
}

const struct export_format export_sts = {
	.name = "sts",
	.ending = ".sts.jsonl",
	.once = true,
	.write_step = write_sts,
	.begin_chain = begin_sts,
};
