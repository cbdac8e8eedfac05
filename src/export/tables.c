/*
 * Chains as rows of tables: see export.h, and doc/tables.md for the columns.
 *
 * Calls, their results and failed steps are counted by the functions that count them for
 * `stats` (analysis/calls.h, import/failure.h), in the order in which they come there.
 *
 * A message of an input has a row unless a step before in the chain had it as often: in
 * its input, or as its answer.  An answer has a row unless its step was given it (a state
 * that goes in and comes out longer), or a step above it has the answer, too.  The turns
 * of a session log repeat nothing: all their messages have rows.
 */
#include "config.h"
#include "export/write.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "analysis/calls.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "chat/identity.h"
#include "chat/side.h"
#include "import/open.h"
#include "json/json.h"

#define PROMPT_BYTES 200       /* bytes of a step's prompt */
#define ABOVE       64         /* steps above one that may have its answer */
#define NS_MOST     9223372036 /* seconds: more do not fit 64 bits of nanoseconds */

enum table_kind { STEPS, MESSAGES, CALLS, RESULTS };

const char *const export_table_names[EXPORT_TABLES] = {
	[STEPS] = "steps",
	[MESSAGES] = "messages",
	[CALLS] = "calls",
	[RESULTS] = "results",
};

/* A message of the chain, however it is written. */
struct said {
	uint32_t step; /* that had it last, + 1 */
	uint32_t here; /* how often that step has it so far, */
	uint32_t most; /* and the most that one step had it */
};

struct tables {
	struct buf rows[EXPORT_TABLES]; /* where each table has a file of its own */
	struct calls calls;
	size_t entered;         /* steps up to this position are known to `calls` */
	struct idmap said_keys; /* a message's hashes → number in `said` */
	struct said *said;
	size_t said_count, said_cap;
	struct idmap above;   /* what steps say that have others below them */
	struct idmap results; /* results that have a row, */
	uint64_t result_rows; /* and how many rows that are */
	struct record_times times; /* of the step */
	uint64_t far_times;        /* of the trace: see export_far_times */
	uint64_t *chain_keys;      /* of each chain */
	struct buf place;          /* the first columns of all rows of the step */
	struct buf text, json;
};

/* ---- columns ---- */

/* A NUL becomes U+FFFD: PostgreSQL takes no text with one. */
static void write_text(struct buf *out, const char *name, struct str text)
{
	AUTO_BUF mended = BUF_INIT;

	if (text.n && memchr(text.p, '\0', text.n)) {
		for (size_t i = 0; i < text.n; i++)
			if (text.p[i])
				buf_byte(&mended, text.p[i]);
			else
				buf_utf8(&mended, 0xfffd);
		text = buf_view(&mended);
	}
	json_put_text(out, name, text);
}

static void write_known_text(struct buf *out, const char *name, struct str text)
{
	if (text.n)
		write_text(out, name, text);
	else
		json_put_null(out, name);
}

/* A count that a file may state with a fraction. */
static void write_whole(struct buf *out, const char *name, double value)
{
	json_put_number(out, name, round(value));
}

/* The text of a value, or null where there is none. */
static void write_value(struct tables *t, struct buf *out, const char *name, struct jv v)
{
	buf_clear(&t->text);
	if (!jv_empty(v))
		jv_text(v, &t->text);
	write_known_text(out, name, buf_view(&t->text));
}

/* "2026-03-01T10:00:00.250Z" */
static void write_time(
	struct tables *t, struct buf *out, const char *name, double seconds)
{
	double ms = round(seconds * 1000);
	time_t whole = 0;
	struct tm tm;

	t->far_times += fabs(seconds) > NS_MOST;
	json_key(out, name);
	if (fabs(ms) < 2e14)
		whole = (time_t)floor(ms / 1000);
	if (!(fabs(ms) < 2e14) || !gmtime_r(&whole, &tm)) {
		buf_text(out, "null");
		return;
	}
	buf_printf(out, "\"%04d-%02d-%02dT%02d:%02d:%02d.%03dZ\"", tm.tm_year + 1900,
		tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec,
		(int)(ms - (double)whole * 1000));
}

/* ---- rows ---- */

static struct buf *begin_row(struct export *e, enum table_kind table)
{
	struct tables *t = e->tables;
	struct buf *out = e->options.write_rows ? &t->rows[table] : &e->out;

	buf_byte(out, '{');
	if (!e->options.write_rows)
		json_put_text(out, "table", str_of(export_table_names[table]));
	json_item(out);
	buf_str(out, buf_view(&t->place));
	return out;
}

static void flush_rows(struct export *e, size_t most)
{
	struct tables *t = e->tables;

	for (size_t i = 0; i < EXPORT_TABLES; i++) {
		if (t->rows[i].len <= most)
			continue;
		e->options.write_rows(e->options.ctx, i, buf_view(&t->rows[i]));
		buf_clear(&t->rows[i]);
	}
}

static uint64_t add_number(uint64_t hash, uint64_t number)
{
	char text[24];
	int n = snprintf(text, sizeof(text), "%" PRIu64 ".", number);

	return fnv_add(hash, (struct str){text, (size_t)n});
}

/* A chain's part of the keys of its steps: its file by its own path, its number there,
 * and its id; ids need not be unique.  So a key is the same whether the file, its folder
 * or an archive was given. */
static void begin_trace(struct export *e)
{
	const struct trace *trace = e->trace;
	struct tables *t = e->tables;
	AUTO_FREE uint64_t *numbers =
		mem_zalloc(inputs_count(trace->inputs), sizeof(*numbers));
	AUTO_BUF path = BUF_INIT;

	t->far_times = 0;
	mem_free(t->chain_keys);
	t->chain_keys = mem_zalloc(trace->chain_count, sizeof(*t->chain_keys));
	for (size_t i = 0; i < trace->chain_count; i++) {
		const struct chain *c = &trace->chains[i];
		uint64_t address = trace->scopes[c->scope].offset, hash;

		buf_clear(&path);
		inputs_own_path(trace->inputs, address, &path);
		hash = fnv_add(FNV_BEGIN, (struct str){path.data, path.len + 1});
		hash = add_number(hash, numbers[inputs_number(address)]++);
		t->chain_keys[i] = fnv_add(hash, trace_text(trace, c->trace_id));
	}
}

/* A message; or the whole of a side, which is its message 0. */
static void write_message_place(struct buf *out, const struct call_walk *w)
{
	json_put_text(out, "side", w->input ? STR("input") : STR("output"));
	json_put_count(out, "message", w->message);
}

/* ---- steps ---- */

static void put_texts(const struct parts *parts, enum part_kind kind, struct buf *out)
{
	buf_clear(out);
	PARTS_EACH(p, parts) {
		if (p->kind != kind || p->body.kind == J_NONE)
			continue;
		if (out->len)
			buf_byte(out, '\n');
		jv_text(p->body, out);
	}
}

/* What the last message of the user says, if it has a text: looked for from the end.  Of
 * a step that cannot be read its bytes are the input: no words of a person. */
static void write_prompt(struct export *e, struct export_step *s, struct buf *out)
{
	bool broken = trace_flags(e->trace, s->step) & STEP_BROKEN;
	const struct side *side = &s->opened->input;
	struct tables *t = e->tables;

	buf_clear(&t->text);
	if (side->view == SIDE_TEXT && !broken)
		buf_str(&t->text, side->text);
	for (size_t i = side->view == SIDE_CHAT && !broken ? side->chat.count : 0;
		i-- && !t->text.len;) {
		struct jv message = side->chat.items[i];
		AUTO(parts_done) struct parts parts = {0};

		if (message_speaker(message, side->prefer) != SPEAKER_USER)
			continue;
		parts = parts_read(message, &s->arena);
		put_texts(&parts, PART_TEXT, &t->text);
	}
	t->text.len = utf8_cut(t->text.data, t->text.len, PROMPT_BYTES);
	write_known_text(out, "prompt", buf_view(&t->text));
}

static void write_error(struct export *e, struct export_step *s, struct buf *out)
{
	uint32_t flags = trace_flags(e->trace, s->step);
	const struct jv *v = s->opened->facts.v;
	struct tables *t = e->tables;

	write_whole(out, "status", fact_number(v[FACT_STATUS]));
	json_put_flag(out, "error", flags & STEP_FAILED);
	json_put_flag(out, "unreadable", flags & STEP_BROKEN);
	if (flags & STEP_BROKEN) {
		buf_clear(&t->text);
		export_problem(e, s, &t->text);
		write_known_text(out, "error_message", buf_view(&t->text));
	} else {
		struct jv error = flags & STEP_ERROR ? v[FACT_ERROR] : JV_NONE;
		struct error_said said = fact_error(error, &s->arena);

		write_value(t, out, "error_message",
			said.message.kind == J_NONE ? error : said.message);
	}
}

static size_t count_messages(const struct side *s)
{
	return s->view == SIDE_CHAT ? s->chat.count : s->view != SIDE_EMPTY;
}

static void write_figures(struct export *e, struct export_step *s, struct buf *out)
{
	struct totals counted = trace_step_counted(e->trace, s->position);
	struct step step = trace_step(e->trace, s->step);
	const struct jv *v = s->opened->facts.v;
	double latency = fact_seconds(v[FACT_LATENCY]);

	write_time(e->tables, out, "time", step.timestamp);
	json_put_seconds(out, "time_s", step.timestamp);
	json_put_seconds(out, "latency_s", isnan(latency) ? step.latency : latency);
	json_put_seconds(out, "first_token_s", fact_seconds(v[FACT_FIRST_TOKEN]));
	write_whole(out, "input_tokens", counted.input_tokens);
	write_whole(out, "output_tokens", counted.output_tokens);
	write_whole(out, "cache_read_tokens", counted.cache_read);
	write_whole(out, "cache_write_tokens", counted.cache_write);
	write_whole(out, "reasoning_tokens", fact_number(v[FACT_REASONING_TOKENS]));
	json_put_number(out, "cost_usd", counted.cost);
}

static void write_names(struct export *e, struct export_step *s, struct buf *out)
{
	const struct chain *c = &e->trace->chains[e->chain];
	struct step step = trace_step(e->trace, s->step);
	const struct jv *v = s->opened->facts.v;
	struct tables *t = e->tables;

	write_known_text(out, "chain_name", trace_text(e->trace, c->name));
	write_value(t, out, "id", v[FACT_ID]);
	json_put_number(out, "parent",
		step.parent == NO_STEP
			? NAN
			: (double)trace_number_at(
				  e->trace, trace_position(e->trace, step.parent)));
	json_put_count(out, "depth", trace_depth(e->trace, s->position));
	write_known_text(out, "kind",
		step.flags & STEP_TRACE       ? STR("trace")
		: step.flags & STEP_CALL      ? STR("generation")
		: step.flags & STEP_CONTAINER ? STR("container")
		: step.flags & STEP_REQUEST   ? STR("request")
		: step.flags & STEP_RESPONSE  ? STR("response")
					      : STR(""));
	write_known_text(out, "event", trace_text(e->trace, step.event));
	write_value(t, out, "name", v[FACT_NAME]);
	write_known_text(out, "model", trace_text(e->trace, step.model));
	write_value(t, out, "provider", v[FACT_PROVIDER]);
	write_value(t, out, "session", v[FACT_SESSION]);
	write_value(t, out, "thread", v[FACT_THREAD]);
	write_value(t, out, "stop_reason", v[FACT_STOP]);
}

static void write_step_row(struct export *e, struct export_step *s)
{
	bool broken = trace_flags(e->trace, s->step) & STEP_BROKEN;
	const struct chain *c = &e->trace->chains[e->chain];
	const struct step_content *o = s->opened;
	struct tables *t = e->tables;
	struct buf *out = &t->place;

	/* steps that are filtered out may be above others */
	for (; t->entered <= s->position; t->entered++)
		calls_step(&t->calls, e->trace, (uint32_t)t->entered);
	record_times_read(&t->times, e->trace, s->step, o);
	/* what all rows of a step begin with */
	buf_clear(out);
	buf_printf(out, "\"key\":\"%016" PRIx64 "\"",
		add_number(t->chain_keys[e->chain], s->number));
	write_text(out, "file",
		str_of(inputs_name_at(
			e->trace->inputs, e->trace->scopes[c->scope].offset)));
	write_text(out, "chain", trace_text(e->trace, c->trace_id));
	json_put_count(out, "step", s->number);
	out = begin_row(e, STEPS);
	write_names(e, s, out);
	write_figures(e, s, out);
	write_error(e, s, out);
	json_put_count(out, "input_messages", broken ? 0 : count_messages(&o->input));
	json_put_count(out, "output_messages",
		broken || o->shared ? 0 : count_messages(&o->output));
	write_prompt(e, s, out);
	json_put_count(out, "bytes", o->text.n);
	write_value(t, out, "branch", o->facts.v[FACT_BRANCH]);
	json_put_number(out, "temperature", fact_number(o->facts.v[FACT_TEMPERATURE]));
	/* what is told of the trace more often than of a step */
	write_known_text(out, "title", trace_chain_title(e->trace, c));
	write_value(t, out, "user_id", o->facts.v[FACT_USER]);
	write_value(t, out, "environment", o->facts.v[FACT_ENVIRONMENT]);
	write_value(t, out, "tags", o->facts.v[FACT_TAGS]);
	write_value(t, out, "metadata", o->facts.v[FACT_METADATA]);
	write_value(t, out, "scores", o->facts.v[FACT_SCORES]);
	buf_text(out, "}\n");
}

/* ---- which messages have rows ---- */

static uint64_t hash_two(uint64_t a, uint64_t b)
{
	uint64_t both[] = {a, b};

	return map_hash((struct str){(const char *)both, sizeof(both)});
}

/* The number of a message.  Its bytes are hashed; what they mean only where no message of
 * that side was written so. */
static uint32_t find_said(struct tables *t, struct jv message, enum prefer side)
{
	uint64_t raw = hash_two(map_hash(jv_raw(message)), side);
	uint32_t number = idmap_find(&t->said_keys, raw);
	struct meaning means, without;

	if (number != MAP_NONE)
		return number;
	means = identity_of(message, side);
	number = idmap_find(&t->said_keys, means.half[0]);
	if (number == MAP_NONE) {
		number = (uint32_t)t->said_count++;
		MEM_ROOM(t->said, t->said_cap, t->said_count);
		t->said[number] = (struct said){0};
		idmap_add(&t->said_keys, means.half[0], number);
		if (identity_of_said(message, side, &without))
			idmap_add(&t->said_keys, without.half[0], number);
	}
	idmap_add(&t->said_keys, raw, number);
	return number;
}

static struct said *look_at(
	struct tables *t, const struct export_step *s, uint32_t number)
{
	struct said *said = &t->said[number];

	if (said->step != s->step + 1) {
		said->step = s->step + 1;
		said->here = 0;
	}
	return said;
}

/* Notes that the step has the message once more; whether no step had it so often. */
static bool say(struct said *said)
{
	if (++said->here <= said->most)
		return false;
	said->most = said->here;
	return true;
}

/* Has a row unless a step above has it on that side; steps below this one look for it. */
static bool is_own(struct export *e, const struct export_step *s, uint64_t what)
{
	struct tables *t = e->tables;
	const struct trace *trace = e->trace;
	uint32_t depth = trace_depth(trace, s->position);
	bool own = true;

	for (uint32_t i = 1; i <= depth && i <= ABOVE && own; i++)
		own = idmap_find(&t->above, hash_two(what, t->calls.path[depth - i])) ==
		      MAP_NONE;
	if (trace_has_below(trace, s->position))
		idmap_add(&t->above, hash_two(what, s->position), 0);
	return own;
}

static bool is_new_message(
	struct export *e, const struct export_step *s, const struct call_walk *w)
{
	uint32_t number;
	struct said *said;

	if (s->opened->run)
		return true;
	if (!w->input && !w->at.output)
		return false;
	number = find_said(e->tables, w->value, w->side->prefer);
	said = look_at(e->tables, s, number);
	if (w->input)
		return say(said);
	if (w->side->chat.count > 1 && said->here)
		return false; /* it was given to the step */
	say(said);
	return is_own(e, s, hash_two(number, false));
}

/* ---- messages, calls and results ---- */

/* Of a side that is no conversation, the parts are none: it has a text, or it is JSON. */
static void write_row(
	struct export *e, const struct call_walk *w, struct str role, struct jv other)
{
	struct tables *t = e->tables;
	struct buf *out = begin_row(e, MESSAGES);

	write_message_place(out, w);
	write_known_text(out, "role", role);
	write_known_text(out, "text", buf_view(&t->text));
	json_put_count(out, "length", t->text.len);
	put_texts(&w->parts, PART_REASONING, &t->text);
	write_known_text(out, "reasoning", buf_view(&t->text));
	buf_clear(&t->json);
	if (other.kind != J_NONE)
		json_write_raw(&t->json, jv_raw(other));
	/* what is neither text nor thought, call, result or media, as a list */
	PARTS_EACH(p, &w->parts) {
		if (p->kind != PART_JSON && p->kind != PART_REFUSAL &&
			p->kind != PART_TOOL)
			continue;
		buf_byte(&t->json, t->json.len ? ',' : '[');
		json_write_raw(&t->json, jv_raw(p->raw));
	}
	if (w->parts.count && t->json.len)
		buf_byte(&t->json, ']');
	write_known_text(out, "json", buf_view(&t->json));
	json_put_count(out, "calls", export_count_parts(&w->parts, PART_CALL));
	json_put_count(out, "results", export_count_parts(&w->parts, PART_RESULT));
	json_put_count(out, "media",
		export_count_parts(&w->parts, PART_IMAGE) +
			export_count_parts(&w->parts, PART_FILE));
	buf_text(out, "}\n");
}

static void write_call(struct export *e, struct export_step *s,
	struct call_walk *w, const struct part *part)
{
	struct tables *t = e->tables;
	size_t before = t->calls.count;
	uint32_t item = calls_add(&t->calls, &w->at, part, &w->arena);
	struct jv arguments;
	struct buf *out;

	calls_time(&t->calls, item, part, &t->times, s->opened);
	if (t->calls.count == before)
		return;
	out = begin_row(e, CALLS);
	write_message_place(out, w);
	json_put_count(out, "call", (uint64_t)item + 1);
	write_value(t, out, "id", part->link);
	write_text(out, "tool", intern_get(&t->calls.tools, t->calls.items[item].tool));
	arguments = side_open_string(part->body, &w->arena);
	buf_clear(&t->json);
	if (arguments.kind != J_NONE)
		json_write_raw(&t->json, jv_raw(arguments));
	write_known_text(out, "arguments", buf_view(&t->json));
	buf_text(out, "}\n");
}

/* The text of what a tool gave: a string, a list of texts, or JSON. */
static void put_result(struct tables *t, struct jv body, struct arena *arena)
{
	AUTO(parts_done) struct parts inner = {0};

	buf_clear(&t->text);
	if (body.kind == J_ARRAY)
		inner = parts_read_content(body, arena);
	if (inner.count && export_count_parts(&inner, PART_TEXT) == inner.count)
		put_texts(&inner, PART_TEXT, &t->text);
	else if (body.kind == J_STRING)
		jv_text(body, &t->text);
	else if (body.kind != J_NONE)
		json_write_raw(&t->text, jv_raw(body));
}

static void write_result(struct export *e, struct export_step *s,
	struct call_walk *w, const struct part *part)
{
	struct tables *t = e->tables;
	uint32_t failed = calls_result(&t->calls, &w->at, part, &w->arena);
	uint32_t item = calls_answered(&t->calls, part, &w->arena), tool = failed;
	uint64_t hash = jv_empty(part->link) ? hash_two(w->at.message, w->at.part)
					     : hash_two(jv_hash(part->link), 0);
	size_t before = t->results.count;
	struct buf *out;

	calls_time(&t->calls, item, part, &t->times, s->opened);
	/* it has a row already; a later history may mark it as an error */
	idmap_add(&t->results, hash_two(hash, part->error), 0);
	if (t->results.count == before && failed == NO_CALL)
		return;
	out = begin_row(e, RESULTS);
	write_message_place(out, w);
	json_put_count(out, "result", ++t->result_rows);
	json_put_number(out, "call", item == NO_CALL ? NAN : (double)item + 1);
	write_value(t, out, "id", part->link);
	if (tool == NO_CALL && item != NO_CALL)
		tool = t->calls.items[item].tool;
	if (tool == NO_CALL)
		write_value(t, out, "tool", part->name);
	else
		write_text(out, "tool", intern_get(&t->calls.tools, tool));
	put_result(t, part->body, &w->arena);
	write_known_text(out, "text", buf_view(&t->text));
	json_put_count(out, "length", t->text.len);
	json_put_flag(out, "error", part->error);
	json_put_flag(out, "call_failed", failed != NO_CALL);
	json_put_seconds(out, "duration_s",
		item == NO_CALL ? NAN : call_seconds(&t->calls.items[item]));
	buf_text(out, "}\n");
}

/* A side that is no conversation. */
static void write_value_side(
	struct export *e, struct export_step *s, const struct side *side)
{
	struct call_walk all = {.side = side, .input = side->prefer == PREFER_INPUT};
	bool text = side->view == SIDE_TEXT, is_new = s->opened->run;
	struct tables *t = e->tables;

	if (side->view == SIDE_CHAT || side->view == SIDE_EMPTY)
		return;
	if (!is_new && side->value.kind == J_STRING) {
		uint32_t number = find_said(t, side->value, side->prefer);

		say(look_at(t, s, number));
		is_new = is_own(e, s, hash_two(number, all.input));
	} else if (!is_new) {
		is_new = is_own(e, s, hash_two(map_hash(jv_raw(side->value)), all.input));
	}
	if (!is_new)
		return;
	buf_clear(&t->text);
	if (text)
		buf_str(&t->text, side->text);
	write_row(e, &all, side_role(side->prefer), text ? JV_NONE : side->value);
}

static void write_step(struct export *e, struct export_step *s)
{
	const struct step_content *o = s->opened;
	struct tables *t = e->tables;
	struct call_walk w = {
		.trace = e->trace, .position = (uint32_t)s->position, .opened = o};
	bool broken = trace_flags(e->trace, s->step) & STEP_BROKEN;

	write_step_row(e, s);
	if (!broken)
		write_value_side(e, s, &o->input);
	while (!broken && call_walk_next(&w)) {
		if (is_new_message(e, s, &w)) {
			put_texts(&w.parts, PART_TEXT, &t->text);
			write_row(e, &w,
				message_role(w.value, w.side->prefer, NULL, &w.arena),
				JV_NONE);
		}
		for (; w.at.part < w.parts.count; w.at.part++) {
			const struct part *part = PART_AT(&w.parts, w.at.part);

			if (part->kind == PART_CALL)
				write_call(e, s, &w, part);
			else if (part->kind == PART_RESULT)
				write_result(e, s, &w, part);
		}
		flush_rows(e, EXPORT_FLUSH);
		export_flush(e);
	}
	if (!broken && !o->shared)
		write_value_side(e, s, &o->output);
	flush_rows(e, EXPORT_FLUSH);
}

/* ---- begin and end ---- */

static void begin(struct export *e)
{
	e->tables = mem_zalloc(1, sizeof(*e->tables));
	e->options.new_only = false; /* no row is there twice */
}

static void leave_chain(struct tables *t)
{
	calls_next_chain(&t->calls);
	idmap_done(&t->said_keys);
	idmap_done(&t->above);
	idmap_done(&t->results);
	t->said_count = 0;
	t->result_rows = 0;
}

static void begin_chain(struct export *e, const struct chain *c)
{
	leave_chain(e->tables);
	e->tables->entered = c->first;
}

static void end(struct export *e)
{
	flush_rows(e, 0);
}

uint64_t export_far_times(const struct export *e)
{
	return e->tables ? e->tables->far_times : 0;
}

void tables_free(struct tables *t)
{
	if (!t)
		return;
	leave_chain(t);
	calls_done(&t->calls);
	for (size_t i = 0; i < EXPORT_TABLES; i++)
		buf_done(&t->rows[i]);
	record_times_done(&t->times);
	mem_free(t->said);
	mem_free(t->chain_keys);
	buf_done(&t->place);
	buf_done(&t->text);
	buf_done(&t->json);
	mem_free(t);
}

const struct export_format export_tables = {
	.name = "tables",
	.pairs = true,
	.write_step = write_step,
	.begin = begin,
	.begin_trace = begin_trace,
	.begin_chain = begin_chain,
	.end = end,
};
