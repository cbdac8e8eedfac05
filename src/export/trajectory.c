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
#include "chat/role.h"
#include "import/open.h"
#include "json/json.h"

enum { CLOSED, STEP_OPEN, RESULTS_OPEN }; /* export.now.open */

/* ---- what both write ---- */

static void put_value(struct buf *out, struct jv value)
{
	if (value.kind == J_NONE)
		buf_text(out, "null");
	else
		json_write_raw(out, jv_raw(value));
}

/* A value as a text: JSON in a string, where it is no text. */
static void put_as_text(struct buf *out, struct jv value)
{
	AUTO_BUF text = BUF_INIT;

	if (value.kind == J_NONE) {
		buf_text(out, "\"\"");
	} else if (value.kind == J_STRING) {
		put_value(out, value);
	} else {
		json_write_raw(&text, jv_raw(value));
		json_write_string(out, buf_view(&text));
	}
}

/* All parts of a kind, joined; false: there is none. */
static bool put_joined(struct buf *out, const struct parts *parts, enum part_kind kind)
{
	AUTO_BUF text = BUF_INIT;
	bool any = false;

	for (size_t i = 0; i < parts->count; i++) {
		const struct part *p = PART_AT(parts, i);

		if (p->kind != kind && !(kind == PART_TEXT && p->kind == PART_REFUSAL))
			continue;
		if (any)
			buf_text(&text, "\n\n");
		jv_text(p->body, &text);
		any = true;
	}
	json_write_string(out, buf_view(&text));
	return any;
}

static bool has(const struct parts *parts, enum part_kind kind)
{
	for (size_t i = 0; i < parts->count; i++)
		if (PART_AT(parts, i)->kind == kind)
			return true;
	return false;
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

/* When the step answered. */
static double end_of(const struct step *s)
{
	return s->flags & STEP_TIMED && s->latency > 0 ? s->timestamp + s->latency
						       : s->timestamp;
}

typedef void put_message_fn(struct export *e, const struct export_step *s,
	const struct parts *parts, enum speaker who, bool input);

static void put_side(
	struct export *e, struct export_step *s, bool input, put_message_fn *put)
{
	const struct side *side = input ? &s->opened->input : &s->opened->output;

	if (side->view == SIDE_TEXT) {
		AUTO(parts_done) struct parts parts = {0};
		struct buf text = BUF_INIT;
		struct part p = {.kind = PART_TEXT};

		json_write_string(&text, side->text);
		p.body = jv_parse(arena_keep(&s->arena, &text));
		parts_add(&parts, &p);
		put(e, s, &parts, input ? SPEAKER_USER : SPEAKER_ASSISTANT, input);
	}
	for (size_t i = 0; side->view == SIDE_CHAT && i < side->chat.count; i++) {
		AUTO_ARENA arena = {0};
		AUTO(parts_done) struct parts parts = {0};
		struct str role = message_role(side->chat.items[i], side->prefer, NULL, &arena);

		if (export_leaves_out(s, input, i))
			continue;
		parts_read(&parts, side->chat.items[i], &arena);
		put(e, s, &parts, role_speaker(role), input);
		export_flush(e);
	}
}

static void write_sides(struct export *e, struct export_step *s, put_message_fn *put)
{
	put_side(e, s, true, put);
	if (!s->opened->shared)
		put_side(e, s, false, put);
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
	for (size_t i = 0; i < parts->count; i++) {
		const struct part *p = PART_AT(parts, i);

		if (p->kind != PART_RESULT)
			continue;
		buf_text(&e->out, e->now.open == RESULTS_OPEN ? "," : ",\"observation\":{\"results\":[");
		e->now.open = RESULTS_OPEN;
		buf_text(&e->out, "{\"source_call_id\":");
		put_value(&e->out, p->link.kind == J_NONE ? p->id : p->link);
		buf_text(&e->out, ",\"content\":");
		put_as_text(&e->out, p->body);
		buf_byte(&e->out, '}');
	}
}

static void put_calls(struct buf *out, const struct parts *parts)
{
	bool any = false;

	for (size_t i = 0; i < parts->count; i++) {
		const struct part *p = PART_AT(parts, i);
		AUTO_ARENA arena = {0};

		if (p->kind != PART_CALL)
			continue;
		buf_text(out, any ? ",{\"tool_call_id\":" : ",\"tool_calls\":[{\"tool_call_id\":");
		put_value(out, p->link.kind == J_NONE ? p->id : p->link);
		buf_text(out, ",\"function_name\":");
		put_value(out, p->name);
		buf_text(out, ",\"arguments\":");
		put_value(out, side_open_string(p->body, &arena));
		buf_byte(out, '}');
		any = true;
	}
	buf_text(out, any ? "]" : "");
}

static void put_metric(struct buf *out, const char *name, double figure, bool *any)
{
	if (isnan(figure))
		return;
	buf_printf(out, "%s\"%s\":", *any ? "," : ",\"metrics\":{", name);
	json_write_number(out, figure);
	*any = true;
}

/* What the step adds to the totals, with its first answer. */
static void put_metrics(struct export *e, const struct export_step *s)
{
	struct totals own = trace_step_counted(e->trace, s->position);
	struct buf *out = &e->out;
	bool any = false;

	if (e->now.measured == s->step + 1)
		return;
	e->now.measured = s->step + 1;

	put_metric(out, "prompt_tokens", own.input_tokens, &any);
	put_metric(out, "completion_tokens", own.output_tokens, &any);
	put_metric(out, "cached_tokens", own.cache_read, &any);
	put_metric(out, "cost_usd", own.cost, &any);
	buf_text(out, any ? "}" : "");
}

static void put_atif(struct export *e, const struct export_step *s,
	const struct parts *parts, enum speaker who, bool input)
{
	bool agent = who == SPEAKER_ASSISTANT || has(parts, PART_CALL);
	struct step step = trace_step(e->trace, s->step);
	struct buf *out = &e->out;
	bool said = has(parts, PART_TEXT) || has(parts, PART_CALL) ||
		    has(parts, PART_REASONING) || has(parts, PART_REFUSAL);

	if (has(parts, PART_RESULT) && !said && e->now.open != CLOSED) {
		put_results(e, parts);
		return;
	}
	close_step(e);
	buf_printf(out, "%s{\"step_id\":%zu", e->now.said ? "," : "", e->now.said + 1);
	e->now.said++;
	put_time(out, agent && !input ? end_of(&step) : step.timestamp);
	buf_printf(out, ",\"source\":\"%s\"", agent ? "agent"
			: who == SPEAKER_SYSTEM	    ? "system"
						    : "user");
	if (agent && step.model != NO_TEXT)
		json_write_text(out, "model_name", trace_text(e->trace, step.model));
	buf_text(out, ",\"message\":");
	put_joined(out, parts, PART_TEXT);
	if (has(parts, PART_REASONING)) {
		buf_text(out, ",\"reasoning_content\":");
		put_joined(out, parts, PART_REASONING);
	}
	put_calls(out, parts);
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
	struct str id = trace_text(e->trace, c->trace_id);

	e->now.said = e->now.measured = 0;
	e->now.open = CLOSED;
	buf_text(&e->out, "{\"schema_version\":\"ATIF-v1.6\",\"session_id\":");
	json_write_string(&e->out, id);
	buf_text(&e->out, ",\"agent\":{\"name\":");
	json_write_string(&e->out, trace_chain_title(e->trace, c));
	buf_text(&e->out, ",\"version\":\"" PACKAGE_VERSION "\"},\"steps\":[");
}

static void end_atif(struct export *e, const struct chain *c)
{
	bool any = false;

	close_step(e);
	buf_text(&e->out, "],\"final_metrics\":{");
	for (int i = 0; i < 3; i++) {
		static const char *const names[] = {
			"total_prompt_tokens", "total_completion_tokens", "total_cost_usd"};
		double figures[] = {
			c->totals.input_tokens, c->totals.output_tokens, c->totals.cost};

		if (isnan(figures[i]))
			continue;
		buf_printf(&e->out, "%s\"%s\":", any ? "," : "", names[i]);
		json_write_number(&e->out, figures[i]);
		any = true;
	}
	buf_text(&e->out, "}}\n");
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

static void begin_line(struct export *e, const char *role)
{
	buf_printf(&e->out, "{\"type\":\"message\",\"message\":{\"role\":\"%s\",\"content\":",
		role);
}

static void end_line(struct export *e, double time, struct str model)
{
	if (isfinite(time) && time > 0)
		buf_printf(&e->out, ",\"timestamp\":%.0f", floor(time * 1000));
	if (model.n)
		json_write_text(&e->out, "model", model);
	buf_text(&e->out, "}}\n");
}

static void put_sts_calls(struct buf *out, const struct parts *parts)
{
	bool any = false;

	for (size_t i = 0; i < parts->count; i++) {
		const struct part *p = PART_AT(parts, i);

		if (p->kind != PART_CALL)
			continue;
		buf_text(out, any ? ",{\"id\":" : ",\"toolCalls\":[{\"id\":");
		put_value(out, p->link.kind == J_NONE ? p->id : p->link);
		buf_text(out, ",\"function\":{\"name\":");
		put_value(out, p->name);
		buf_text(out, ",\"arguments\":");
		put_as_text(out, p->body);
		buf_text(out, "}}");
		any = true;
	}
	buf_text(out, any ? "]" : "");
}

static void put_sts(struct export *e, const struct export_step *s,
	const struct parts *parts, enum speaker who, bool input)
{
	struct step step = trace_step(e->trace, s->step);
	bool agent = who == SPEAKER_ASSISTANT;
	double time = agent && !input ? end_of(&step) : step.timestamp;

	for (size_t i = 0; i < parts->count; i++) {
		const struct part *p = PART_AT(parts, i);

		if (p->kind != PART_RESULT)
			continue;
		begin_line(e, "tool");
		put_as_text(&e->out, p->body);
		buf_text(&e->out, ",\"toolCallId\":");
		put_as_text(&e->out, p->link.kind == J_NONE ? p->id : p->link);
		end_line(e, time, STR(""));
	}
	if (!has(parts, PART_TEXT) && !has(parts, PART_CALL) && !has(parts, PART_REASONING) &&
		!has(parts, PART_REFUSAL))
		return;
	begin_line(e, agent ? "assistant" : who == SPEAKER_SYSTEM ? "system" : "user");
	put_joined(&e->out, parts, PART_TEXT);
	if (has(parts, PART_REASONING)) {
		buf_text(&e->out, ",\"reasoningContent\":");
		put_joined(&e->out, parts, PART_REASONING);
	}
	put_sts_calls(&e->out, parts);
	end_line(e, time, agent ? trace_text(e->trace, step.model) : STR(""));
}

static void write_sts(struct export *e, struct export_step *s)
{
	write_sides(e, s, put_sts);
}

static void begin_sts(struct export *e, const struct chain *c)
{
	buf_text(&e->out, "{\"type\":\"session\",\"harness\":");
	json_write_string(&e->out, str_of(trace_chain_format(e->trace, c)));
	json_write_text(&e->out, "id", trace_text(e->trace, c->trace_id));
	json_write_text(&e->out, "name", trace_chain_title(e->trace, c));
	buf_text(&e->out, "}\n");
}

const struct export_format export_sts = {
	.name = "sts",
	.ending = ".sts.jsonl",
	.once = true,
	.write_step = write_sts,
	.begin_chain = begin_sts,
};
