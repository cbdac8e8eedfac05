/* See ledger.h. */
#include "config.h"
#include "analysis/ledger.h"

#include <math.h>
#include <string.h>

#include "analysis/usage.h"
#include "base/mem.h"
#include "base/work.h"

#define LOOKED_BACK 200 /* requests */
#define LIFE      300  /* seconds that an entry lives, */
#define LIFE_LONG 3600 /* ... or one that was written for an hour */

const char *const ledger_cause_names[LEDGER_CAUSES] = {[LEDGER_KEPT] = "kept",
	[LEDGER_RECORDED] = "recorded",
	[LEDGER_MODEL] = "model switched",
	[LEDGER_IDLE] = "idle",
	[LEDGER_COMPACTION] = "compaction",
	[LEDGER_TOOLS] = "tools changed",
	[LEDGER_SYSTEM] = "system changed",
	[LEDGER_MESSAGE] = "message changed",
	[LEDGER_UNKNOWN] = "unknown"};

void ledger_done(struct ledger *l)
{
	mem_free(l->rows);
	arena_done(&l->texts);
	*l = (struct ledger){0};
}

void ledger_next(struct ledger *l)
{
	l->count = l->at = 0;
	arena_done(&l->texts);
}

/* ---- what is recorded ---- */

/* The value of "cache_miss_reason" in the text of a step: a string, or an object with a
 * type.  Empty: there is none. */
static struct str recorded_reason(struct ledger *l, struct trace *trace, uint32_t step)
{
	static const struct str key = {"\"cache_miss_reason\"", 19};
	AUTO_ARENA arena = {0};
	struct str text = step_text(trace, step, &arena);
	const char *at = text.n ? memmem(text.p, text.n, key.p, key.n) : NULL;
	AUTO_BUF reason = BUF_INIT;
	struct jv value;

	if (!at)
		return STR("");
	text = str_trim(str_skip(text, (size_t)(at - text.p) + key.n));
	if (!str_take(&text, STR(":")))
		return STR("");
	value = jv_parse(text);
	if (value.kind == J_OBJECT)
		value = jv_member(value, "type");
	if (value.kind == J_STRING)
		jv_text(value, &reason);
	if (!reason.len || str_equal(buf_view(&reason), STR("none")))
		return STR("");
	return arena_dup(&l->texts, buf_view(&reason));
}

/* Whether a request, as it is recorded, asks for entries of an hour: "ttl": "1h", in a text
 * within JSON with backslashes. */
static bool asks_for_hour(struct trace *trace, uint32_t step)
{
	static const struct str key = {"ttl", 3};
	AUTO_ARENA arena = {0};
	struct str text = step_text(trace, step, &arena);
	const char *at;

	while (text.n && (at = memmem(text.p, text.n, key.p, key.n))) {
		text = str_skip(text, (size_t)(at - text.p) + key.n);
		while (text.n && memchr("\\\": ", text.p[0], 4))
			text = str_skip(text, 1);
		if (str_starts(text, STR("1h")))
			return true;
	}
	return false;
}

/* ---- what changed in a request ---- */

/* The items of a request, in the order in which a model reads them. */
struct request_items {
	uint64_t tools, system;
	struct request_item {
		uint64_t hash;
		size_t message;
	} *items;
	size_t count, cap;
};

static bool take_item(void *ctx, const struct context_item *item)
{
	struct request_items *r = ctx;
	uint64_t hash = context_measure(item).hash ^ (uint64_t)item->kind << 56;

	if (!item->input)
		return true;
	if (item->kind == CONTEXT_TOOLS)
		r->tools = r->tools * 31 + hash;
	else if (item->kind == CONTEXT_SYSTEM)
		r->system = r->system * 31 + hash;
	else
		*MEM_ADD(r->items, r->count, r->cap) =
			(struct request_item){hash, item->message};
	return true;
}

static void read_request(struct request_items *r, struct trace *trace, uint32_t step)
{
	struct step_content *o = step_content_new(trace, step);

	context_items_each(o, false, NULL, take_item, r);
	step_content_free(o);
}

/* Of turns that record definitions only these are compared. */
static void compare_requests(struct ledger_row *row, struct trace *trace, bool turns)
{
	struct request_items was = {0}, is = {0};
	size_t same = 0;

	read_request(&was, trace, row->was);
	read_request(&is, trace, row->step);
	while (same < was.count && same < is.count &&
		was.items[same].hash == is.items[same].hash)
		same++;
	if (was.tools != is.tools) {
		row->cause = LEDGER_TOOLS;
	} else if (turns) {
		row->cause = LEDGER_UNKNOWN;
	} else if (was.system != is.system) {
		row->cause = LEDGER_SYSTEM;
	} else if (same < was.count) {
		row->cause = LEDGER_MESSAGE;
		row->message = (same < is.count ? is.items[same].message
						: was.items[same].message) +
			       1;
	}
	mem_free(was.items);
	mem_free(is.items);
}

/* A request as Claude Code records it beside the turn that it led to: the first `keep`
 * messages of the request `base`, and others after them. */
struct sent_record {
	struct str id, base, shape; /* as they are written; the shape: of tools and system */
	double keep;
	size_t count; /* messages of it, if `keep` is a number */
};

/* The last one of a turn; it lives as long as the arena. */
static bool read_record(
	struct trace *trace, uint32_t step, struct arena *arena, struct sent_record *out)
{
	struct str rest = step_text(trace, step, arena), line,
		   word = STR("\"api-request\"");
	bool found = false;
	double keep;

	while (str_next_line(&rest, &line)) {
		if (!memmem(line.p, line.n, word.p, word.n))
			continue;
		JV_MEMBERS(v, jv_parse(line), type, id, base, keep, tail, shape_hash);
		if (!jv_is(v.type, STR("api-request")) || v.id.kind != J_STRING ||
			v.shape_hash.kind != J_STRING || !jv_number(v.keep, &keep) ||
			!(keep >= 0 && keep < UINT32_MAX))
			continue;
		*out = (struct sent_record){.id = jv_raw(v.id),
			.base = jv_raw(v.base),
			.shape = jv_raw(v.shape_hash),
			.keep = keep,
			.count = (size_t)keep + jv_count(v.tail, UINT32_MAX)};
		found = true;
	}
	return found;
}

/* The tools are the same, where both turns define some (`was` is not NO_STEP). */
static void compare_records(struct ledger_row *row, struct trace *trace)
{
	AUTO_ARENA arena = {0};
	struct sent_record is, before, defined;

	if (!read_record(trace, row->step, &arena, &is) ||
		!read_record(trace, row->before, &arena, &before))
		return;
	if (!str_equal(is.shape, before.shape)) {
		if (row->was != NO_STEP && read_record(trace, row->was, &arena, &defined) &&
			str_equal(defined.shape, before.shape))
			row->cause = LEDGER_SYSTEM;
	} else if (str_equal(is.base, before.id) && is.keep < (double)before.count) {
		row->cause = LEDGER_MESSAGE;
		row->message = (size_t)is.keep + 1;
		row->was = NO_STEP;
	}
}

static bool defines_tools(const struct context *c, uint32_t row)
{
	const struct context_row *r = &c->rows[row];
	uint32_t before = r->before == NO_ROW || r->resets
				  ? 0
				  : c->rows[r->before].sizes.bytes[CONTEXT_TOOLS];

	return r->sizes.bytes[CONTEXT_TOOLS] > before; /* of turns these are sums */
}

/* ---- rows ---- */

/* Whether the entries that a request could read live an hour: the last one in the thread
 * that wrote some says so, as what is read lives on. */
static bool lives_long(const struct context *c, size_t at)
{
	struct step s = trace_step(c->trace, c->rows[at].step);
	uint32_t row;

	if (s.cache_hour > 0)
		return true;
	for (row = c->rows[at].before; row != NO_ROW; row = c->rows[row].before) {
		s = trace_step(c->trace, c->rows[row].step);
		if (s.cache_write > 0)
			return s.cache_hour > 0;
	}
	return false;
}

static void find_cause(struct ledger *l, const struct context *c, size_t at,
	struct ledger_row *row)
{
	struct step s = trace_step(c->trace, row->step),
		    before = trace_step(c->trace, row->before);
	bool turns = c->rows[at].turn;
	uint32_t was = c->rows[at].before;

	row->reason = recorded_reason(l, c->trace, row->step);
	if (row->reason.n)
		row->cause = LEDGER_RECORDED;
	else if (s.model != before.model)
		row->cause = LEDGER_MODEL;
	else if (row->idle > LIFE_LONG ||
		 (row->idle > LIFE && !lives_long(c, at) &&
			 (s.flags & STEP_TURN || !asks_for_hour(c->trace, row->before))))
		row->cause = LEDGER_IDLE;
	else
		row->cause = c->rows[at].resets ? LEDGER_COMPACTION : LEDGER_UNKNOWN;
	if (row->cause != LEDGER_UNKNOWN)
		return;
	row->was = row->before;
	if (turns) { /* the last one that defines tools, as this one does */
		if (!defines_tools(c, (uint32_t)at))
			was = NO_ROW;
		while (was != NO_ROW && !defines_tools(c, was))
			was = c->rows[was].before;
		row->was = was == NO_ROW ? NO_STEP : c->rows[was].step;
	}
	if (row->was != NO_STEP)
		compare_requests(row, c->trace, turns);
	if (turns && row->cause == LEDGER_UNKNOWN)
		compare_records(row, c->trace);
}

/* Whether the step is a request that says what it read; its figures. */
static bool read_figures(
	const struct trace *trace, uint32_t step, struct priced_tokens *tokens)
{
	struct totals own = trace_step_counted(trace, trace_position(trace, step));
	struct step s = trace_step(trace, step);

	if (!(own.input_tokens > 0) || isnan(s.cache_read))
		return false;
	*tokens = usage_split(&own, s.cache_hour);
	return true;
}

/* What a request left to be read. */
static double prefix_of(const struct trace *trace, uint32_t step, struct prices *p)
{
	struct step s = trace_step(trace, step);
	struct str model = trace_text(trace, s.model);
	struct priced_tokens t, one_written = {.cache_write = 1},
				one_fresh = {.fresh = 1};
	double written;

	if (!read_figures(trace, step, &t))
		return NAN;
	written = t.cache_write + t.cache_hour;
	/* a model's cache takes what it was not told to if writing has no price of its
	 * own */
	if (isnan(s.cache_write) ||
		(!(written > 0) && prices_cost(p, model, &one_written) ==
					   prices_cost(p, model, &one_fresh)))
		written = t.fresh;
	return t.cache_read + written;
}

/*
 * The last request before in the thread, or NO_STEP.  One that begins a thread may go on
 * with a conversation, under another system prompt: with that of the request right before
 * it that is no other's child, if both begin with one message after the system prompt.
 */
static uint32_t request_before(const struct context *c, size_t at)
{
	struct step s = trace_step(c->trace, c->rows[at].step);
	uint32_t row = c->rows[at].before;
	struct priced_tokens t;

	while (row != NO_ROW && !read_figures(c->trace, c->rows[row].step, &t))
		row = c->rows[row].before;
	if (row != NO_ROW)
		return c->rows[row].step;
	for (size_t i = at; i-- > 0 && at - i < LOOKED_BACK && !(s.flags & STEP_TURN);) {
		struct request_items was = {0}, is = {0};
		uint32_t step = c->rows[i].step;
		bool alike;

		if (trace_step(c->trace, step).parent != s.parent ||
			!read_figures(c->trace, step, &t))
			continue;
		read_request(&was, c->trace, step);
		read_request(&is, c->trace, c->rows[at].step);
		alike = was.count && is.count && was.items[0].hash == is.items[0].hash;
		mem_free(was.items);
		mem_free(is.items);
		return alike ? step : NO_STEP;
	}
	return NO_STEP;
}

/* False: the step is no request that has a row. */
static bool make_row(struct ledger *l, const struct context *c, struct prices *p,
	struct ledger_row *row)
{
	uint32_t step = c->rows[l->at].step;
	struct step s = trace_step(c->trace, step), before;
	struct priced_tokens t, now = {0}, cached = {0};
	struct str model;

	if (!read_figures(c->trace, step, &t) ||
		(l->passes && !l->passes(l->ctx, c->trace, step)))
		return false;
	*row = (struct ledger_row){.step = step,
		.position = trace_position(c->trace, step),
		.before = request_before(c, l->at),
		.read = t.cache_read,
		.written = t.cache_write + t.cache_hour,
		.fresh = t.fresh,
		.prefix = NAN,
		.idle = NAN};
	if (row->before != NO_STEP) {
		before = trace_step(c->trace, row->before);
		row->prefix = prefix_of(c->trace, row->before, p);
		/* a turn begins with what came before it: only its end tells when it was
		 * sent */
		row->idle = (s.flags & STEP_TURN ? step_over_at(&s) : s.timestamp) -
			    step_over_at(&before);
	}
	if (!(row->prefix >= LEDGER_LEAST && row->read < LEDGER_SHARE * row->prefix))
		return true;
	find_cause(l, c, l->at, row);
	row->lost = fmin(row->prefix, row->read + row->written + row->fresh) - row->read;
	/* what was lost was sent fresh, or written once more */
	model = trace_text(c->trace, s.model);
	cached.cache_read = row->lost;
	if (row->written < row->lost / 2)
		now.fresh = row->lost;
	else if (s.cache_hour > 0)
		now.cache_hour = row->lost;
	else
		now.cache_write = row->lost;
	row->cost = prices_cost(p, model, &now) - prices_cost(p, model, &cached);
	return true;
}

enum task_state ledger_run(
	struct ledger *l, const struct context *c, struct prices *p, uint64_t deadline)
{
	struct ledger_sums *s = &l->sums;

	while (l->at < c->count) {
		struct ledger_row row;
		bool has_row;

		stop_begin();
		has_row = make_row(l, c, p, &row);
		if (stop_end())
			return TASK_MORE;
		if (has_row) {
			s->requests++;
			s->breaks[row.cause]++;
			s->read += row.read;
			s->written += row.written;
			s->fresh += row.fresh;
			s->lost += row.lost;
			if (row.cause != LEDGER_KEPT && isnan(row.cost))
				s->unpriced = true;
			else if (row.cause != LEDGER_KEPT)
				s->cost += row.cost;
			*MEM_ADD(l->rows, l->count, l->cap) = row;
		}
		if (++l->at < c->count && clock_passed(deadline))
			return TASK_MORE;
	}
	return TASK_DONE;
}

void ledger_put_cause(
	const struct trace *trace, const struct ledger_row *row, struct buf *out)
{
	switch (row->cause) {
	case LEDGER_KEPT:
		break;
	case LEDGER_RECORDED:
		buf_str(out, row->reason);
		break;
	case LEDGER_MODEL:
		buf_text(out, "model switched from ");
		buf_str(out, trace_text(trace, trace_step(trace, row->before).model));
		break;
	case LEDGER_MESSAGE:
		buf_printf(out, "message %zu changed", row->message);
		break;
	default:
		buf_text(out, ledger_cause_names[row->cause]);
	}
}
