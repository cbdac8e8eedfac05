/* The walk through a trace, piece by piece, for all formats: see export.h. */
#include "config.h"
#include "export/write.h"

#include <strings.h>

#include "base/mem.h"
#include "base/work.h"
#include "import/action.h"
#include "json/json.h"
#include "view/facts.h"
#include "view/scroll.h"

static const struct export_format *const ways[] = {
	&export_otlp, &export_atif, &export_sts, &export_json, &export_markdown, &export_text, &export_html,
	&export_tables};

#define FORMATS (sizeof(ways) / sizeof(*ways))

const char *export_format_name(size_t i)
{
	return i < FORMATS ? ways[i]->name : NULL;
}

const char *export_ending(const struct export_format *format)
{
	return format->ending;
}

const struct export_format *export_format_named(struct str name)
{
	for (size_t i = 0; i < FORMATS; i++)
		if (str_equal(name, str_of(ways[i]->name)) ||
			(ways[i]->ending &&
				str_equal(name, str_of(ways[i]->ending + 1))))
			return ways[i];
	return NULL;
}

static bool ends_with(struct str path, const char *ending)
{
	struct str tail = str_of(ending);

	return tail.n && path.n > tail.n &&
	       strncasecmp(path.p + path.n - tail.n, tail.p, tail.n) == 0;
}

const struct export_format *export_format_of_file(struct str path)
{
	for (size_t i = 0; i < FORMATS; i++)
		if (ends_with(path, ways[i]->ending) ||
			ends_with(path, ways[i]->other))
			return ways[i];
	return NULL;
}

/* Piece by piece; false: not all of it before the deadline. */
static bool write_all(struct export *e, uint64_t deadline)
{
	while (e->written < e->out.len) {
		size_t n = e->out.len - e->written;

		n = n < EXPORT_FLUSH ? n : EXPORT_FLUSH;
		count_work(WORK_WRITTEN, n);
		e->options.write(
			e->options.ctx, (struct str){e->out.data + e->written, n});
		e->written += n;
		if (clock_passed(deadline))
			return false;
	}
	buf_clear(&e->out);
	e->written = 0;
	return true;
}

static bool write_many(struct export *e, uint64_t deadline)
{
	return e->out.len <= EXPORT_FLUSH || write_all(e, deadline);
}

void export_flush(struct export *e)
{
	if (!e->held)
		write_many(e, UINT64_MAX);
}

struct export *export_begin(const struct export_options *options)
{
	struct export *e = mem_zalloc(1, sizeof(*e));

	e->options = *options;
	e->cache.budget = STEP_CACHE_BUDGET;
	if (options->format->begin)
		options->format->begin(e);
	return e;
}

void export_end(struct export *e)
{
	if (e->options.format->end)
		e->options.format->end(e);
	write_all(e, UINT64_MAX);
	export_free(e);
}

void export_free(struct export *e)
{
	if (!e)
		return;
	scale_done(&e->scale);
	preview_free(e->session);
	failure_walk_done(&e->failures);
	step_cache_clear(&e->cache);
	tables_free(e->tables);
	buf_done(&e->tools);
	buf_done(&e->out);
	mem_free(e);
}

void export_trace(struct export *e, struct trace *trace, struct export_part part)
{
	bool all = part.chain == EXPORT_ALL;

	e->trace = trace;
	e->part = part;
	e->traces++;
	e->begun = e->in_chain = false;
	e->chains = 0;
	e->first_chain = e->chain = all ? 0 : part.chain;
	e->chain_end = all ? trace->chain_count : part.chain + 1;
	failure_walk_done(&e->failures);
}

bool export_writes(const struct export *e, size_t position)
{
	return !e->part.passing ||
	       filter_run_passes(e->part.passing, trace_at(e->trace, position));
}

size_t export_count(const struct export *e, const struct chain *c)
{
	size_t count = 0;

	if (!e->part.passing)
		return c->count;
	for (size_t i = 0; i < c->count; i++)
		count += export_writes(e, c->first + i);
	return count;
}

/* A piece is written while a key may stop it; then it is forgotten, and written again. */
static size_t begin_piece(struct export *e, uint64_t deadline)
{
	e->held = deadline != UINT64_MAX;
	e->before = e->now;
	stop_begin();
	return e->out.len;
}

/* False: it was stopped. */
static bool end_piece(struct export *e, size_t before)
{
	bool stopped = stop_end();

	if (stopped) {
		e->out.len = before;
		e->now = e->before;
	}
	e->held = false;
	return !stopped;
}

static bool begin_chain(struct export *e, uint64_t deadline)
{
	const struct export_format *format = e->options.format;
	const struct chain *c = &e->trace->chains[e->chain];
	bool all = e->part.position == EXPORT_ALL;
	size_t before = begin_piece(e, deadline);

	if (format->begin_chain)
		format->begin_chain(e, c);
	if (all && format->draw_chain)
		format->draw_chain(e, c);
	if (!end_piece(e, before))
		return false;
	e->steps = 0;
	e->tools_of = 0;
	e->step = all ? c->first : e->part.position;
	e->step_end = all ? c->first + c->count : e->part.position + 1;
	e->in_chain = true;
	e->chains++;
	return true;
}

static const struct step_content *look_in_cache(void *ctx, uint32_t step)
{
	const struct export *e = ctx;
	const struct viewed_step *v = step_cache_peek(&e->cache, e->trace, step);

	return v ? v->opened : NULL;
}

/* False: it was stopped. */
static bool write_step(struct export *e, uint64_t deadline)
{
	struct export_step s = {.position = e->step,
		.number = e->step - e->trace->chains[e->chain].first + 1,
		.step = trace_at(e->trace, e->step)};
	bool whole, once = e->options.new_only || e->options.format->once;
	struct earlier *found;
	size_t before;

	if (e->options.begins_step) {
		write_all(e, UINT64_MAX);
		if (!e->options.begins_step(e->options.ctx, e->chain + 1, s.number))
			return false;
	}
	s.opened = step_content_try(e->trace, s.step, e->options.format->pairs);
	if (!s.opened)
		return false;
	s.viewed = viewed_step_new(e->trace, s.step, s.opened, e->options.registry);
	s.reading = s.viewed->reading;
	before = begin_piece(e, deadline);
	if (once) {
		/* without the messages that the step before showed, if it is written */
		found = earlier_find(
			e->trace, s.position, s.opened, true, look_in_cache, e);
		s.reading->new_only = true;
		if (found->step != NO_STEP &&
			!export_writes(e, trace_position(e->trace, found->step)))
			earlier_free(found);
		else
			s.reading->earlier = found;
	}
	e->options.format->write_step(e, &s);
	whole = end_piece(e, before);
	arena_done(&s.arena);
	if (whole && once)
		step_cache_put(&e->cache, s.viewed); /* the next one may continue it */
	else
		viewed_step_free(s.viewed);
	e->steps += whole;
	return whole;
}

/* All failures are known before the first row is written: the result of a call may stand
 * in a later step.  False: not before the deadline. */
static bool begin_trace(struct export *e, uint64_t deadline)
{
	const struct export_format *format = e->options.format;
	bool all = e->part.position == EXPORT_ALL;

	if (all && failure_walk_run(&e->failures, e->trace, e->trace->count, deadline) ==
			   TASK_MORE)
		return false;
	/* what a format that draws says of a chain besides its steps */
	if (all && format->draw_chain) {
		if (scale_run(&e->scale, e->trace, deadline) == TASK_MORE)
			return false;
		if (!e->session && preview_is_session(e->trace) &&
			inputs_size(e->trace->inputs) <= PREVIEW_MOST)
			e->session = preview_of(e->trace);
		if (e->session && preview_run(e->session, deadline) != TASK_DONE)
			return false;
	}
	if (format->begin_trace)
		format->begin_trace(e);
	e->begun = true;
	return true;
}

enum task_state export_run(struct export *e, uint64_t deadline)
{
	const struct export_format *format = e->options.format;

	if ((!e->begun && !begin_trace(e, deadline)) || !write_many(e, deadline))
		return TASK_MORE;
	for (; e->chain < e->chain_end; e->chain++) {
		if (e->part.passing && !export_count(e, &e->trace->chains[e->chain]))
			continue;
		if (!e->in_chain && !begin_chain(e, deadline))
			return TASK_MORE;
		while (e->step < e->step_end) {
			if (export_writes(e, e->step) && !write_step(e, deadline))
				return TASK_MORE;
			e->step++;
			if (!write_many(e, deadline) || clock_passed(deadline))
				return TASK_MORE;
		}
		if (format->end_chain)
			format->end_chain(e, &e->trace->chains[e->chain]);
		e->in_chain = false;
	}
	if (format->end_trace)
		format->end_trace(e);
	write_all(e, UINT64_MAX);
	scale_done(&e->scale);
	preview_free(e->session);
	e->session = NULL;
	step_cache_clear(&e->cache);
	return TASK_DONE;
}

unsigned export_percent(const struct export *e)
{
	const struct chain *first = &e->trace->chains[e->first_chain];
	const struct chain *last = &e->trace->chains[e->chain_end - 1];
	size_t all, done = e->step - first->first;

	if (!e->in_chain && e->chain == e->first_chain)
		return 0;
	all = last->first + last->count - first->first;
	return all ? (unsigned)(done * 100 / all) : 100;
}

const char *export_both(const struct step_content *o)
{
	const struct side *in = &o->input, *out = &o->output;
	bool text = o->bare && in->view == SIDE_TEXT && out->view == SIDE_TEXT &&
		    in->value.p && in->value.p == out->value.p;

	return o->shared ? "conversation" : text ? "text" : NULL;
}

void export_know_tools(struct export *e, struct export_step *s)
{
	struct jv tools = s->opened->facts.v[FACT_TOOLS];
	struct str text = {tools.p, tools.n};

	s->reading->tools_of = 0;
	if (jv_empty(tools))
		return;
	if (e->tools_of && str_equal(buf_view(&e->tools), text)) {
		s->reading->tools_of = e->tools_of;
		return;
	}
	buf_set(&e->tools, text);
	e->tools_of = s->number;
}

/* ---- what is new ---- */

static bool leaves_out(const struct export_step *s, bool input, size_t message)
{
	return s->reading->new_only &&
	       reading_change(s->reading, input, message) == CHANGE_SHOWN;
}

size_t export_left_out(const struct export_step *s, bool input)
{
	const struct side *side = export_step_side(s, input);
	size_t count = 0;

	for (size_t i = 0; side->view == SIDE_CHAT && i < side->chat.count; i++)
		count += leaves_out(s, input, i);
	return count;
}

bool export_message_next(struct export *e, const struct export_step *s, bool input,
	struct export_message *m)
{
	const struct side *side = m->side = export_step_side(s, input);
	bool text = side->view == SIDE_TEXT;
	size_t count = side->view == SIDE_CHAT ? side->chat.count : text;

	arena_done(&m->arena);
	if (m->raw.n)
		export_flush(e);
	m->unchanged = 0;
	if (m->raw.n && stop_wanted(m->raw.n))
		return false;
	for (; !text && m->next < count && leaves_out(s, input, m->next); m->next++)
		m->unchanged++;
	if (m->next == count)
		return false;
	m->raw = text ? json_quoted(side->text, &m->arena) : side->chat.items[m->next];
	m->next++;
	return true;
}

struct parts export_message_parts(struct export_message *m)
{
	struct part text = {.kind = PART_TEXT, .raw = m->raw, .body = m->raw};
	struct parts parts = {0};

	if (m->side->view == SIDE_TEXT)
		parts_add(&parts, &text);
	else
		parts = parts_read(m->raw, &m->arena);
	return parts;
}

size_t export_count_parts(const struct parts *parts, enum part_kind kind)
{
	size_t count = 0;

	PARTS_EACH(p, parts)
		count += p->kind == kind;
	return count;
}

struct str export_message_role(struct export_message *m)
{
	return message_role(m->raw, m->side->prefer, NULL, &m->arena);
}

/* ---- blocks ---- */

#define WRITTEN_MOST 1000 /* blocks that are kept after they were written */

size_t export_drop_written(struct doc *d, size_t block)
{
	if (block <= WRITTEN_MOST || block < d->count / 2)
		return block;
	doc_remove(d, 1, block - 1);
	return 1;
}

void export_blocks_begin(struct export_blocks *b, struct export *e,
	const struct export_step *s, bool input, unsigned width)
{
	*b = (struct export_blocks){.block = SIZE_MAX};
	b->side.print = b->one.print = true;
	doc_width(&b->side, width);
	doc_width(&b->one, width);
	conversation_build(&b->side, e->trace, s->step, s->reading, input, MODE_CHAT);
}

bool export_blocks_next(struct export_blocks *b)
{
	bool stopped = false;

	if (b->block < b->one.count) {
		const struct block *written = &b->one.blocks[b->block];

		stopped = stop_wanted(written->value.n + written->text.n);
		doc_release(&b->one, b->block);
		b->block = export_drop_written(&b->one, b->block + 1);
	}
	while (!stopped && b->block >= b->one.count && b->message < b->side.count) {
		doc_clear(&b->one);
		doc_copy(&b->one, &b->side, b->message++);
		b->block = 0;
	}
	if (!stopped && b->block < b->one.count)
		return true;
	doc_done(&b->side);
	doc_done(&b->one);
	return false;
}

/* ---- a step as a transcript shows it ---- */

void export_new_build(const struct export *e, const struct export_step *s,
	struct doc *input, struct doc *output)
{
	struct scroll_step step = {.trace = e->trace,
		.position = s->position,
		.reading = s->reading,
		.top = !e->steps};
	size_t first = e->trace->chains[e->chain].first;

	input->print = output->print = true;
	/* the steps right before it that are still in the cache */
	for (size_t i = 1; i <= SCROLL_BEFORE && i <= s->position - first; i++) {
		const struct viewed_step *v = step_cache_peek(
			&e->cache, e->trace, trace_at(e->trace, s->position - i));

		if (v)
			step.before[step.before_count++] = v->reading;
		step.follows |= v && i == 1;
	}
	scroll_step_build(&step, input, output);
}

void export_new_write(struct export *e, struct doc *d, uint32_t depth,
	void (*put)(void *ctx, struct doc *message), void *ctx)
{
	AUTO(doc_done) struct doc one = {.print = true, .brief = true};
	size_t at = 0;

	doc_width(&one, e->options.width);
	while (at < d->count && !stop_wanted(d->blocks[at].value.n)) {
		struct doc_section section = {.depth = depth};

		do {
			doc_copy(&one, d, at++);
			one.blocks[one.count - 1].section = &section;
		} while (at < d->count && !d->blocks[at].head);
		section.context = d->context;
		put(ctx, &one);
		doc_clear(&one);
		arena_done(&section.arena);
	}
	doc_done(d);
}

/* ---- titles and figures ---- */

void export_chain_title(const struct export *e, const struct chain *c, struct buf *raw)
{
	const struct trace *trace = e->trace;

	if (inputs_wholes(trace->inputs) > 1 && (c->name != NO_TEXT || !c->generated)) {
		buf_text(raw,
			inputs_name_at(trace->inputs, trace->scopes[c->scope].offset));
		buf_text(raw, ": ");
	}
	buf_str(raw, trace_chain_title(trace, c));
	if (c->name != NO_TEXT && !c->generated) {
		buf_text(raw, "  (");
		buf_str(raw, trace_text(trace, c->trace_id));
		buf_byte(raw, ')');
	}
}

void export_heading(const struct export *e, const struct chain *c, struct buf *raw)
{
	if (e->options.several) {
		buf_text(raw, inputs_name(e->trace->inputs));
		buf_text(raw, ": ");
	}
	export_chain_title(e, c, raw);
}

struct str export_call(struct export *e, const struct export_step *s, struct buf *raw)
{
	struct str model = trace_text(e->trace, trace_step(e->trace, s->step).model);

	step_call(e->trace, s->step, s->opened, raw);
	return str_equal(model, buf_view(raw)) ? (struct str){0} : model;
}

void export_figures(struct export *e, const struct export_step *s, struct buf *safe)
{
	uint32_t flags = trace_flags(e->trace, s->step);
	struct totals t = trace_step_totals(e->trace, s->position);

	facts_totals_text(safe, &t, TOTALS_FLOW | TOTALS_COST | TOTALS_TIME);
	if (flags & STEP_FAILED)
		buf_text(safe, "  ERROR");
	if (flags & STEP_BROKEN)
		buf_text(safe, "  UNREADABLE");
	if (flags & STEP_CUT)
		buf_text(safe, "  CUT");
}

bool export_problem(struct export *e, const struct export_step *s, struct buf *raw)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	bool is = step_problem(e->trace, s->step, s->opened, &err);

	mem_free(err.source);
	err.source = NULL;
	if (is)
		err_format(&err, raw);
	return is;
}
