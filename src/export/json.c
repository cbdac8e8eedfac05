/*
 * Chains as JSON: every step opened.  Values of the file leave as they stand in it
 * (json_write_raw); nothing is decoded twice.
 */
#include "config.h"
#include "export/write.h"

#include <math.h>

#include "base/mem.h"
#include "chat/parts.h"
#include "format/open.h"
#include "json/json.h"
#include "view/facts.h"

static void key(struct buf *out, const char *name)
{
	buf_printf(out, ",\"%s\":", name);
}

static void raw(struct buf *out, struct jv v)
{
	json_write_raw(out, (struct str){v.p, v.n});
}

/* A fact that is a text: strings as they stand, numbers as their text, null when empty.
 */
static void write_text_fact(struct buf *out, const char *name, struct jv v)
{
	key(out, name);
	if (v.kind == J_NUMBER)
		json_write_string(out, (struct str){v.p, v.n});
	else if (v.kind == J_STRING && !jv_empty(v))
		raw(out, v);
	else
		buf_text(out, "null");
}

/* A fact that is a number, digit for digit. */
static void write_number(struct buf *out, struct jv v)
{
	struct buf text = BUF_INIT;

	if (isnan(fact_number(v))) {
		buf_text(out, "null");
		return;
	}
	jv_text(v, &text);
	buf_str(out, str_trim(buf_view(&text)));
	buf_done(&text);
}

static void write_number_fact(struct buf *out, const char *name, struct jv v)
{
	key(out, name);
	write_number(out, v);
}

static void write_latency(struct buf *out, struct jv v)
{
	key(out, "latency_s");
	if (!isnan(fact_number(v)))
		write_number(out, v);
	else
		json_write_number(out, fact_seconds(v));
}

static void write_timestamp(struct buf *out, struct jv v)
{
	key(out, "timestamp");
	if ((v.kind == J_STRING && !jv_empty(v)) || v.kind == J_NUMBER)
		raw(out, v);
	else
		buf_text(out, "null");
}

/* The message of an error value: a string, an object's `message`, else its JSON. */
static void write_error_message(struct buf *out, struct jv v)
{
	struct buf text = BUF_INIT;
	struct jv inner = jv_member(v, "message");

	if (inner.kind == J_NONE)
		inner = jv_member(jv_member(v, "error"), "message");
	if (inner.kind == J_STRING)
		v = inner;
	if (jv_null(v)) {
		buf_text(out, "null");
		return;
	}
	jv_text(v, &text);
	json_write_string(out, buf_view(&text));
	buf_done(&text);
}

static void write_problem(
	struct buf *out, struct model *m, uint32_t step, const struct opened *o)
{
	struct err err = {.offset = ERR_NOWHERE};
	struct buf text = BUF_INIT;

	step_problem(m, step, o, &err);
	mem_free(err.source);
	err.source = NULL;
	buf_text(&text, "unreadable: ");
	err_format(&err, &text);
	json_write_string(out, buf_view(&text));
	buf_done(&text);
	err_done(&err);
}

static void write_error(
	struct buf *out, struct model *m, uint32_t step, const struct opened *o)
{
	uint32_t flags = model_flags(m, step);

	key(out, "error");
	if (!(flags & (STEP_ERROR | STEP_BROKEN))) {
		buf_text(out, "null");
		return;
	}
	buf_text(out, "{\"message\":");
	if (flags & STEP_BROKEN)
		write_problem(out, m, step, o);
	else
		write_error_message(out, o->facts.v[FACT_ERROR]);
	key(out, "status");
	write_number(out, o->facts.v[FACT_STATUS]);
	buf_byte(out, '}');
}

static void write_parts(struct buf *out, struct jv message)
{
	struct arena arena = {0};
	struct parts parts = {0};

	parts_read(&parts, message, &arena);
	parts_write(out, &parts);
	parts_done(&parts);
	arena_done(&arena);
}

/* The members of an object, but for a `role` that is none. */
static void write_members(struct buf *out, struct jv object)
{
	struct jwalk w;
	struct jv name, value;
	bool first = true;

	jwalk_begin(&w, object);
	while (jwalk_next(&w, &name, &value)) {
		if (name.kind != J_STRING || jv_is(name, STR("role")))
			continue;
		if (!first)
			buf_byte(out, ',');
		first = false;
		raw(out, name);
		buf_byte(out, ':');
		raw(out, value);
	}
}

/* A message as it stands, with its role where the side gave it. */
static void write_message(struct buf *out, struct jv message, enum prefer prefer)
{
	struct arena arena = {0};
	bool given;
	struct str role = message_role(message, prefer, &given, &arena);

	if (message.kind != J_OBJECT || given) {
		raw(out, message);
	} else {
		buf_byte(out, '{');
		write_members(out, message);
		buf_text(
			out, out->data[out->len - 1] == '{' ? "\"role\":" : ",\"role\":");
		json_write_string(out, role);
		buf_byte(out, '}');
	}
	arena_done(&arena);
}

static void write_chat(struct buf *out, const struct side *s)
{
	key(out, "messages");
	for (size_t i = 0; i < s->chat.count; i++) {
		buf_byte(out, i ? ',' : '[');
		write_message(out, s->chat.items[i], s->prefer);
	}
	buf_byte(out, ']');
	key(out, "parts");
	for (size_t i = 0; i < s->chat.count; i++) {
		buf_byte(out, i ? ',' : '[');
		write_parts(out, s->chat.items[i]);
	}
	buf_byte(out, ']');
}

static void write_side(struct buf *out, const char *name, const struct side *s)
{
	key(out, name);
	buf_printf(out, "{\"view\":\"%s\"", side_view_name(s->view));
	if (s->view == SIDE_CHAT)
		write_chat(out, s);
	if (s->view == SIDE_TEXT) {
		key(out, "text");
		json_write_string(out, s->text);
	}
	if (s->view == SIDE_JSON) {
		key(out, "value");
		raw(out, s->value);
	}
	buf_byte(out, '}');
}

static bool has_scheme(struct str address)
{
	return str_starts(address, STR("http://")) ||
	       str_starts(address, STR("https://"));
}

static void write_image(struct buf *out, const struct part *p, bool *first)
{
	struct buf address = BUF_INIT;

	buf_text(out, *first ? "{\"source\":" : ",{\"source\":");
	*first = false;
	if (p->remote) {
		jv_text(p->body, &address);
		buf_text(out, has_scheme(buf_view(&address)) ? "\"url\",\"url\":"
							     : "\"file\",\"url\":");
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
	buf_done(&address);
}

static void write_part_images(struct buf *out, struct parts *parts, bool *first)
{
	for (size_t i = 0; i < parts->count; i++)
		if (parts->items[i].kind == PART_IMAGE)
			write_image(out, &parts->items[i], first);
	parts_done(parts);
}

static void write_side_images(struct buf *out, const struct side *s, bool *first)
{
	struct arena arena = {0};
	struct parts parts = {0};

	parts_read_images(&parts, s->images, &arena);
	write_part_images(out, &parts, first);
	for (size_t i = 0; s->view == SIDE_CHAT && i < s->chat.count; i++) {
		parts_read(&parts, s->chat.items[i], &arena);
		write_part_images(out, &parts, first);
	}
	arena_done(&arena);
}

static void write_images(struct buf *out, const struct opened *o)
{
	bool first = true;

	key(out, "images");
	buf_byte(out, '[');
	write_side_images(out, &o->input, &first);
	if (!o->shared)
		write_side_images(out, &o->output, &first);
	buf_byte(out, ']');
}

static void write_schema(struct buf *out, struct jv v)
{
	key(out, "prompt_schema");
	if (jv_null(v))
		buf_text(out, "null");
	else
		raw(out, v);
}

static void write_step(struct export *e, const struct chain *c, size_t position)
{
	struct model *m = e->model;
	struct buf *out = &e->out;
	uint32_t step = model_at(m, position), parent = model_step(m, step).parent;
	struct opened *o = opened_new(m, step);
	const struct jv *v = o->facts.v;

	(void)c;
	if (e->steps)
		buf_byte(out, ',');
	buf_printf(out, "{\"index\":%u", e->places[step]);
	write_text_fact(out, "id", v[FACT_ID]);
	key(out, "parent");
	if (parent == NO_STEP)
		buf_text(out, "null");
	else
		buf_printf(out, "%u", e->places[parent]);
	buf_printf(out, ",\"depth\":%u", model_depth(m, position));
	write_text_fact(out, "event", v[FACT_EVENT]);
	write_text_fact(out, "name", v[FACT_NAME]);
	write_text_fact(out, "model", v[FACT_MODEL]);
	write_timestamp(out, v[FACT_TIMESTAMP]);
	write_number_fact(out, "input_tokens", v[FACT_INPUT_TOKENS]);
	write_number_fact(out, "output_tokens", v[FACT_OUTPUT_TOKENS]);
	write_number_fact(out, "cost_usd", v[FACT_COST]);
	write_latency(out, v[FACT_LATENCY]);
	write_error(out, m, step, o);
	write_side(out, "input", &o->input);
	write_side(out, "output", &o->output);
	if (o->shared)
		buf_text(out, ",\"shared\":true");
	write_schema(out, v[FACT_PROMPT_SCHEMA]);
	write_images(out, o);
	buf_byte(out, '}');
	opened_free(o);
}

static void begin_chain(struct export *e, const struct chain *c)
{
	struct model *m = e->model;
	struct buf *out = &e->out;

	if (e->chains)
		buf_byte(out, ',');
	buf_text(out, "{\"trace_id\":");
	json_write_string(out, model_text(m, c->trace));
	buf_printf(out, ",\"generated\":%s,\"name\":", c->generated ? "true" : "false");
	if (c->name == NO_TEXT)
		buf_text(out, "null");
	else
		json_write_string(out, model_text(m, c->name));
	key(out, "totals");
	facts_write_totals(out, &c->totals);
	key(out, "steps");
	buf_byte(out, '[');
	for (size_t i = 0; i < c->count; i++)
		e->places[model_at(m, c->first + i)] = (uint32_t)i;
}

static void end_chain(struct export *e, const struct chain *c)
{
	(void)c;
	buf_text(&e->out, "]}");
}

static void begin_model(struct export *e)
{
	e->places = mem_zalloc(e->model->count, sizeof(*e->places));
	buf_text(&e->out, "{\"format\":");
	json_write_string(&e->out, str_of(e->model->format));
	buf_text(&e->out, ",\"chains\":[");
}

static void end_model(struct export *e)
{
	buf_text(&e->out, "]}\n");
}

const struct export_format export_json = {
	.name = "json",
	.ending = ".json",
	.begin_model = begin_model,
	.begin_chain = begin_chain,
	.step = write_step,
	.end_chain = end_chain,
	.end_model = end_model,
};
