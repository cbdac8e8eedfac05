/* See harvest.h. */
#include "config.h"
#include "analysis/harvest.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "chat/response.h"
#include "chat/role.h"
#include "import/open.h"
#include "json/json.h"
#include "payload/content.h"

#define SUMMARY_MOST 1000 /* bytes that are kept of a summary */

/* The step that is read. */
struct sheaf {
	struct harvest *harvest;
	struct trace *trace;
	struct opened *opened;
	struct survey_payload place; /* without type and summary */
	struct arena arena;
	struct parts parts; /* of a message */
	struct buf text;    /* of a message */
	size_t echoes;      /* messages with which the output repeats the input */
};

void harvest_begin(struct harvest *h, struct survey *s, const struct registry *r)
{
	*h = (struct harvest){.survey = s, .registry = r};
	registry_markers(r, STR(""), &h->types, &h->type_count);
}

void harvest_done(struct harvest *h)
{
	buf_done(&h->page);
	mem_free(h->types);
	calls_done(&h->calls);
	idmap_done(&h->seen);
	arena_done(&h->texts);
}

void harvest_next_chain(struct harvest *h)
{
	calls_next_chain(&h->calls);
	idmap_done(&h->seen);
}

/* ---- payloads ---- */

/* Whether the chain shows a payload for the first time. */
static bool is_new(struct harvest *h, struct str type, struct jv data)
{
	size_t before = h->seen.count;
	struct buf key = BUF_INIT;

	buf_str(&key, type);
	buf_byte(&key, '\0');
	json_write_raw(&key, (struct str){data.p, data.n});
	idmap_add(&h->seen, map_hash(buf_view(&key)), 0);
	buf_done(&key);
	return h->seen.count > before;
}

static void add_payload(struct sheaf *x, struct str type, struct jv data)
{
	struct harvest *h = x->harvest;
	struct survey *s = h->survey;
	struct survey_payload *p;
	struct buf summary = BUF_INIT;

	if (!is_new(h, type, data))
		return;
	s->payloads = mem_grow(
		s->payloads, &s->payload_cap, s->payload_count + 1, sizeof(*s->payloads));
	p = &s->payloads[s->payload_count++];
	*p = x->place;
	registry_summary(h->registry, type, data, &summary);
	p->type = arena_dup(&h->texts, type);
	summary.len = utf8_cut(summary.data, summary.len, SUMMARY_MOST);
	p->summary = arena_dup(&h->texts, buf_view(&summary));
	buf_done(&summary);
}

/* {"type", "data"} */
static void add_wrapped(struct sheaf *x, struct jv payload)
{
	struct jv type = jv_member(payload, "type"), data = jv_member(payload, "data");

	if (type.kind == J_STRING && data.kind != J_NONE)
		add_payload(x, jv_keep(type, &x->arena), data);
}

static void add_marked(struct sheaf *x, struct str text)
{
	const struct harvest *h = x->harvest;
	const struct element *e;
	struct response r = {0};

	response_read(&r, text, h->types, h->type_count);
	e = response_used(&r, ELEMENT_PAYLOAD);
	if (e)
		add_payload(x, h->types[e->type].name, e->value);
	response_done(&r);
}

static void add_from_result(struct sheaf *x, struct jv content)
{
	struct content_walk w;

	content_begin(&w, content, &x->arena);
	while (content_next(&w))
		add_wrapped(x, content_payload(w.value));
}

/* ---- messages ---- */

/* What tells calls and results apart that have no id; most messages have neither. */
static uint64_t hash_of(struct jv message, const struct parts *parts)
{
	for (size_t i = 0; i < parts->count; i++)
		if (parts->items[i].kind == PART_CALL ||
			parts->items[i].kind == PART_RESULT)
			return map_hash((struct str){message.p, message.n});
	return 0;
}

/* How many messages both sides begin with: a state that goes in and comes out longer. */
static size_t count_echoes(const struct chat *input, const struct chat *output)
{
	size_t n = 0;

	while (n < input->count && n < output->count &&
		str_equal((struct str){input->items[n].p, input->items[n].n},
			(struct str){output->items[n].p, output->items[n].n}))
		n++;
	return n;
}

static bool is_assistant(struct jv message, enum prefer prefer, struct arena *arena)
{
	bool given;

	return role_speaker(message_role(message, prefer, &given, arena)) ==
	       SPEAKER_ASSISTANT;
}

static void read_part(
	struct sheaf *x, const struct call_place *at, const struct part *part)
{
	struct calls *calls = &x->harvest->calls;

	if (part->kind == PART_CALL)
		calls_add(calls, at, part, &x->arena);
	if (part->kind != PART_RESULT)
		return;
	calls_result(calls, at, part, &x->arena);
	add_from_result(x, part->body);
}

/* Elements are read from the texts of a message joined without a separator. */
static void read_texts(struct sheaf *x)
{
	buf_clear(&x->text);
	for (size_t i = 0; i < x->parts.count; i++)
		if (x->parts.items[i].kind == PART_TEXT)
			jv_text(x->parts.items[i].body, &x->text);
	if (x->text.len)
		add_marked(x, buf_view(&x->text));
}

static void read_message(struct sheaf *x, const struct side *side, bool output, size_t i)
{
	struct jv message = side->chat.items[i];
	struct call_place at = {.trace = x->trace,
		.position = (uint32_t)x->place.position,
		.output = output && (x->place.input || i >= x->echoes)};

	x->place.message = i;
	parts_read(&x->parts, message, &x->arena);
	at.message = hash_of(message, &x->parts);
	for (; at.part < x->parts.count; at.part++)
		read_part(x, &at, &x->parts.items[at.part]);
	if (is_assistant(message, side->prefer, &x->arena))
		read_texts(x);
	parts_done(&x->parts);
}

/* ---- a step ---- */

static void read_chat(struct sheaf *x, const struct side *side, bool output)
{
	for (size_t i = 0; side->view == SIDE_CHAT && i < side->chat.count; i++)
		read_message(x, side, output, i);
	x->place.message = SIZE_MAX;
}

/* Most steps of a trace are on one page. */
static void turn_page(struct harvest *h, struct str page)
{
	if (str_equal(page, buf_view(&h->page)))
		return;
	buf_clear(&h->page);
	buf_str(&h->page, page);
	mem_free(h->types);
	registry_markers(h->registry, page, &h->types, &h->type_count);
}

static void read_sides(struct sheaf *x)
{
	struct opened *o = x->opened;

	turn_page(x->harvest, o->page);
	x->place.input = true;
	read_chat(x, &o->input, o->shared);
	x->place.input = false;
	x->echoes = count_echoes(&o->input.chat, &o->output.chat);
	if (!o->shared)
		read_chat(x, &o->output, true);
	if (o->output.view == SIDE_TEXT)
		add_marked(x, o->output.text);
	add_wrapped(x, jv_member(o->response, "custom_payload"));
}

void harvest_step(struct harvest *h, struct trace *trace, size_t position, size_t chain)
{
	uint32_t step = trace_at(trace, position);
	struct sheaf x = {.harvest = h, .trace = trace};

	x.place = (struct survey_payload){.position = position,
		.chain = chain,
		.step = position - trace->chains[trace_chain_at(trace, position)].first};
	calls_step(&h->calls, trace, (uint32_t)position);
	x.opened = opened_new(trace, step);
	notable_opened(&h->survey->notable, trace, position, chain, x.opened);
	if (!(trace_flags(trace, step) & STEP_BROKEN))
		read_sides(&x);
	opened_free(x.opened);
	arena_done(&x.arena);
	buf_done(&x.text);
}
