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

#define SLICE (256u << 10) /* bytes of messages between two looks at the clock */

/* The step that is read. */
struct harvest_step {
	struct harvest *harvest;
	struct trace *trace;
	struct opened *opened;
	struct survey_payload place; /* without type and summary; of the message that is
					read next */
	struct arena arena;
	struct parts parts; /* of a message */
	struct buf text;    /* of a message */
	struct call_walk walk;
	struct record_times times; /* of a run */
};

void harvest_begin(struct harvest *h, struct survey *s, const struct registry *r)
{
	*h = (struct harvest){.survey = s, .registry = r};
	registry_markers(r, STR(""), &h->types, &h->type_count);
}

void harvest_next_chain(struct harvest *h)
{
	calls_next_chain(&h->calls);
	idmap_done(&h->seen);
	failures_done(&h->failures);
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

static void add_payload(struct harvest_step *x, struct str type, struct jv data)
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
	p->summary = arena_keep(&h->texts, &summary);
}

/* {"type", "data"} */
static void add_wrapped(struct harvest_step *x, struct jv payload)
{
	struct jv type = jv_member(payload, "type"), data = jv_member(payload, "data");

	if (type.kind == J_STRING && data.kind != J_NONE)
		add_payload(x, jv_keep(type, &x->arena), data);
}

static void add_marked(struct harvest_step *x, struct str text)
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

/* ---- messages ---- */

static void read_part(
	struct harvest_step *x, const struct call_place *at, const struct part *part)
{
	struct calls *calls = &x->harvest->calls;
	struct content_walk w;

	if (part->kind == PART_CALL)
		calls_time(calls, calls_add(calls, at, part, &x->arena), part, &x->times,
			x->opened);
	if (part->kind != PART_RESULT)
		return;
	calls_result(calls, at, part, &x->arena);
	calls_time(calls, calls_answered(calls, part, &x->arena), part, &x->times,
		x->opened);
	content_begin(&w, part->body, &x->arena);
	while (content_next(&w))
		add_wrapped(x, content_payload(w.value));
}

/* Elements are read from the texts of a message joined without a separator. */
static void read_texts(struct harvest_step *x)
{
	buf_clear(&x->text);
	for (size_t i = 0; i < x->parts.count; i++)
		if (PART_AT(&x->parts, i)->kind == PART_TEXT)
			jv_text(PART_AT(&x->parts, i)->body, &x->text);
	if (x->text.len)
		add_marked(x, buf_view(&x->text));
}

static void read_message(struct harvest_step *x, const struct side *side, size_t i)
{
	struct jv message = side->chat.items[i];
	struct call_place at;
	struct str role;
	bool given;

	parts_read(&x->parts, message, &x->arena);
	at = calls_place(&x->walk, x->place.input, i, &x->parts);
	for (; at.part < x->parts.count; at.part++)
		read_part(x, &at, PART_AT(&x->parts, at.part));
	role = message_role(message, side->prefer, &given, &x->arena);
	if (role_speaker(role) == SPEAKER_ASSISTANT)
		read_texts(x);
	parts_done(&x->parts);
}

/* ---- a step ---- */

/* Most steps of a trace are on one page. */
static void set_page(struct harvest *h, struct str page)
{
	if (str_equal(page, buf_view(&h->page)))
		return;
	buf_clear(&h->page);
	buf_str(&h->page, page);
	mem_free(h->types);
	registry_markers(h->registry, page, &h->types, &h->type_count);
}

static void read_end(struct harvest_step *x)
{
	const struct opened *o = x->opened;

	x->place.message = SIZE_MAX;
	if (o->output.view == SIDE_TEXT)
		add_marked(x, o->output.text);
	add_wrapped(x, jv_member(o->response, "custom_payload"));
}

/* Messages of about so many bytes more. */
static enum task_state read_sides(struct harvest_step *x, size_t bytes)
{
	const struct opened *o = x->opened;
	size_t done = 0;

	while (done < bytes) {
		const struct side *side = x->place.input ? &o->input : &o->output;
		size_t i = x->place.message;

		if (side->view == SIDE_CHAT && i < side->chat.count) {
			read_message(x, side, i);
			done += side->chat.items[i].n + 1;
			x->place.message++;
		} else if (x->place.input && !o->shared) {
			x->place.input = false;
			x->place.message = 0;
		} else {
			x->place.input = false;
			read_end(x);
			return TASK_DONE;
		}
	}
	return TASK_MORE;
}

void harvest_begin_step(
	struct harvest *h, struct trace *trace, size_t position, size_t chain)
{
	struct harvest_step *x = mem_zalloc(1, sizeof(*x));

	x->harvest = h;
	x->trace = trace;
	x->place = (struct survey_payload){.position = position,
		.chain = chain,
		.step = position - trace->chains[trace_chain_at(trace, position)].first,
		.input = true};
	calls_step(&h->calls, trace, (uint32_t)position);
	h->step = x;
}

static void end_step(struct harvest *h)
{
	struct harvest_step *x = h->step;

	if (!x)
		return;
	opened_free(x->opened);
	arena_done(&x->arena);
	buf_done(&x->text);
	record_times_done(&x->times);
	mem_free(x);
	h->step = NULL;
}

static void take_failure(struct harvest_step *x, const struct failure *f)
{
	struct survey *s = x->harvest->survey;
	size_t position = trace_position(x->trace, f->step);

	if (f->first)
		survey_step_failed(s, position);
	notable_failed(&s->notable, x->trace, position, x->place.chain, f);
}

static void take_opened(struct harvest_step *x)
{
	struct harvest *h = x->harvest;
	uint32_t step = trace_at(x->trace, x->place.position);

	record_times_read(&x->times, x->trace, step, x->opened);
	x->walk = (struct call_walk){x->trace, (uint32_t)x->place.position, x->opened, 0};
	notable_opened(&h->survey->notable, x->trace, x->place.position, x->place.chain,
		x->opened);
	failures_judge(&h->failures, x->trace, step, x->opened);
	for (size_t i = 0; i < h->failures.count; i++)
		take_failure(x, &h->failures.found[i]);
	set_page(h, x->opened->page);
}

enum task_state harvest_run(struct harvest *h)
{
	struct harvest_step *x = h->step;
	uint32_t step = trace_at(x->trace, x->place.position);

	if (!x->opened) {
		x->opened = opened_try(x->trace, step, true);
		if (!x->opened)
			return TASK_MORE;
		take_opened(x);
	}
	if (!(trace_flags(x->trace, step) & STEP_BROKEN) &&
		read_sides(x, SLICE) == TASK_MORE)
		return TASK_MORE;
	end_step(h);
	return TASK_DONE;
}

void harvest_done(struct harvest *h)
{
	end_step(h);
	buf_done(&h->page);
	mem_free(h->types);
	calls_done(&h->calls);
	idmap_done(&h->seen);
	failures_done(&h->failures);
	arena_done(&h->texts);
}
