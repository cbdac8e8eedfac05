/* See chain_bars.h. */
#include "config.h"
#include "view/chain_bars.h"

#include <math.h>

#include "base/work.h"
#include "import/open.h"
#include "text/safe.h"
#include "view/cells.h"
#include "view/facts.h"

#define PIECE      512   /* steps between two looks at the clock */
#define SHORTEST   0.001 /* seconds that are shown at least */
#define NAME_LEAST 10    /* cells of a name, */
#define NAME_MOST  36    /* at most, and not more than a third of the row */
#define BARS_LEAST 6     /* cells; where there are fewer there are names alone */
#define INSIDE     2     /* cells of a bar at least on both sides of a label in it */

/* ---- the chain and its steps ---- */

static const struct chain *chain_of(const struct waterfall *w)
{
	return &w->trace->chains[w->chain];
}

size_t waterfall_first(const struct waterfall *w)
{
	return chain_of(w)->first;
}

size_t waterfall_end(const struct waterfall *w)
{
	return chain_of(w)->first + chain_of(w)->count;
}

static void reset_longest(struct waterfall *w, enum measure by)
{
	w->longest = (struct top_n){0};
	w->compared = 0;
	w->longest_of = by;
}

void waterfall_begin(struct waterfall *w, struct trace *trace, const struct scale *scale,
	size_t position)
{
	*w = (struct waterfall){
		.trace = trace,
		.scale = scale,
		.chain = trace_chain_at(trace, position),
		.wanted = MEASURE_TIME,
		.longest_of = MEASURE_TIME,
		.generation = trace->generation,
		.arrangement = trace->arrangement,
	};
	waterfall_go(w, position);
}

void waterfall_go(struct waterfall *w, size_t position)
{
	size_t end = waterfall_end(w);

	if (position < waterfall_first(w))
		position = waterfall_first(w);
	w->position = position < end ? position : end - 1;
	w->step = trace_at(w->trace, w->position);
	w->at_end = w->position + 1 == end;
}

bool waterfall_update(struct waterfall *w, bool stay_at_end)
{
	const struct trace *trace = w->trace;

	if (!trace || w->generation != trace->generation || w->step >= trace->arranged)
		return false;
	if (w->arrangement != trace->arrangement) {
		w->chain = trace_step(trace, w->step).chain;
		w->position = trace_position(trace, w->step);
		w->arrangement = trace->arrangement;
		reset_longest(w, w->wanted);
	}
	waterfall_go(w, w->at_end && stay_at_end ? waterfall_end(w) - 1 : w->position);
	return true;
}

static bool has_measure(const struct waterfall *w, enum measure by)
{
	const struct chain_scale *c =
		w->chain < w->scale->chain_count ? &w->scale->chains[w->chain] : NULL;

	if (!c)
		return by == MEASURE_TIME; /* not known yet */
	if (by == MEASURE_TIME)
		return period_is_known(scale_chain_period(w->scale, w->chain));
	return by == MEASURE_COST ? c->cost > 0 : c->tokens > 0;
}

/* What the bars show: what is wanted, else what is known of the steps. */
static enum measure measure_of(const struct waterfall *w)
{
	if (has_measure(w, w->wanted))
		return w->wanted;
	for (enum measure by = MEASURE_TIME; by < MEASURE_COUNT; by++)
		if (has_measure(w, by))
			return by;
	return w->wanted;
}

/* The value that a bar's length shows; for a parent with its children. */
static double value_of(const struct waterfall *w, size_t position, enum measure by)
{
	struct totals t;

	if (by == MEASURE_TIME)
		return period_length(scale_step_period(w->scale, w->trace, position));
	t = trace_step_totals(w->trace, position);
	return measure_of_totals(&t, by);
}

bool waterfall_is_ready(const struct waterfall *w)
{
	if (!w->trace || w->arrangement != w->trace->arrangement)
		return true; /* until it is brought up to date */
	return w->longest_of == measure_of(w) && w->compared == chain_of(w)->count;
}

enum task_state waterfall_run(struct waterfall *w, uint64_t deadline)
{
	size_t first = waterfall_first(w);
	enum measure by = measure_of(w);

	if (w->longest_of != by || w->compared > chain_of(w)->count)
		reset_longest(w, by);
	while (w->compared < chain_of(w)->count) {
		size_t position = first + w->compared++;
		double value = scale_is_parent(w->scale, position)
				       ? NAN
				       : value_of(w, position, by);

		if (value > 0)
			top_n_add(&w->longest, value, position);
		if (w->compared % PIECE == 0 && clock_passed(deadline))
			return TASK_MORE;
	}
	return TASK_DONE;
}

/* ---- what is shown ---- */

static struct period all_time(const struct waterfall *w)
{
	struct period p = scale_chain_period(w->scale, w->chain);

	if (period_is_known(p) && period_length(p) < SHORTEST)
		p.end = p.start + SHORTEST;
	return p;
}

static struct period shown_time(const struct waterfall *w)
{
	return w->zoomed ? w->part : all_time(w);
}

/* A length of time from somewhere, moved into that of the chain. */
static void show_part(struct waterfall *w, double start, double length)
{
	struct period all = all_time(w);

	w->zoomed = length < period_length(all);
	if (start + length > all.end)
		start = all.end - length;
	if (start < all.start)
		start = all.start;
	w->part = (struct period){start, start + length};
}

bool waterfall_zoom(struct waterfall *w, bool in)
{
	struct period shown = shown_time(w), at;
	double length = period_length(shown), middle = shown.start + length / 2, new;

	if (measure_of(w) != MEASURE_TIME || !(length > 0) || isinf(length))
		return false;
	new = in ? length / 2 : length * 2;
	if (new < SHORTEST || (!in && !w->zoomed))
		return false;
	at = scale_step_period(w->scale, w->trace, w->position);
	if (at.start >= shown.start && at.start <= shown.end)
		middle = at.start;
	/* what is in the middle stays where it is on the screen */
	show_part(w, middle - (middle - shown.start) * new / length, new);
	return true;
}

bool waterfall_scroll(struct waterfall *w, double parts)
{
	struct period shown = shown_time(w);
	double length = period_length(shown);

	if (measure_of(w) != MEASURE_TIME || !w->zoomed)
		return false;
	show_part(w, shown.start + parts * length, length);
	return w->part.start != shown.start;
}

/* ---- rows ---- */

struct row_layout {
	uint32_t number, name, bars;
};

static struct row_layout lay_row(const struct waterfall *w, uint32_t width)
{
	struct row_layout l = {.number = facts_digits(chain_of(w)->count)};
	uint32_t left = width > l.number + 2 ? width - l.number - 2 : 0;

	l.name = width / 3 < NAME_LEAST ? NAME_LEAST : width / 3;
	l.name = l.name > NAME_MOST ? NAME_MOST : l.name;
	if (left < l.name + 1 + BARS_LEAST)
		l.name = left;
	else
		l.bars = left - l.name - 1;
	return l;
}

void waterfall_axis(const struct waterfall *w, struct lines *out, uint32_t width)
{
	struct row_layout l = lay_row(w, width);
	uint32_t before = width < l.number + 2 + l.name ? width : l.number + 2 + l.name;
	enum measure by = measure_of(w);
	AUTO_BUF most = BUF_INIT;

	lines_clear(out);
	lines_begin(out);
	cells_blank(out, before);
	if (!l.bars)
		return;
	lines_printf(out, ROLE_TEXT, " ");
	if (by == MEASURE_TIME) {
		axis_put(out, shown_time(w), all_time(w).start, l.bars);
		return;
	}
	/* from nothing to the most, where there are no ticks to count by */
	if (w->chain < w->scale->chain_count && by == MEASURE_COST)
		facts_cost(&most, w->scale->chains[w->chain].cost);
	if (w->chain < w->scale->chain_count && by == MEASURE_TOKENS)
		facts_tokens(&most, w->scale->chains[w->chain].tokens);
	lines_put_own(out, ROLE_DIM, STR("0"), 1);
	cells_put(out, ROLE_DIM, buf_view(&most), l.bars - 1, true);
}

/* ---- bars ---- */

static const char *const pause_names[] = {"idle", "tools", "person"};

/* What a row shows: the step and, after it, what the time up to the next turn went into.
 */
struct row_bars {
	struct bar step, pause;
	enum role role, pause_role;
	enum bar_style style, pause_style;
};

/* The time between a turn and the next one beside it. */
static struct period pause_time(const struct waterfall *w, size_t position)
{
	struct period p, next;

	if (position + 1 >= waterfall_end(w) ||
		trace_depth(w->trace, position + 1) != trace_depth(w->trace, position) ||
		!(trace_flags(w->trace, trace_at(w->trace, position)) &
			trace_flags(w->trace, trace_at(w->trace, position + 1)) &
			STEP_TURN))
		return period_unknown;
	p = scale_step_period(w->scale, w->trace, position);
	next = scale_step_period(w->scale, w->trace, position + 1);
	if (!(next.start - p.end >= SHORTEST))
		return period_unknown;
	return (struct period){p.end, next.start};
}

/* Both bars, in the cells [first, end). */
static void put_both(
	struct lines *out, const struct row_bars *b, uint32_t first, uint32_t end)
{
	uint32_t middle = bar_end(b->step);

	middle = b->pause.to == b->pause.from || middle > end ? end
		 : middle < first                             ? first
							      : middle;
	bar_put(out, b->role, b->style, b->step, first, middle);
	bar_put(out, b->pause_role, b->pause_style, b->pause, middle, end);
}

/* The bars with their label after them, or before them, or in the step's where that
 * leaves it no room outside; or without it. */
static void put_row_bars(struct lines *out, const struct row_bars *b, struct str label,
	bool strong, uint32_t cells)
{
	uint32_t first = bar_first(b->step), wide = safe_width(label) + 1,
		 end = bar_end(b->pause.to > b->pause.from ? b->pause : b->step);
	uint32_t inside = first + INSIDE, after = inside + wide + 1;
	enum role words = strong ? ROLE_STRONG : ROLE_DIM;

	if (end + wide > cells && first >= wide) {
		cells_put(out, words, label, first - 1, true);
		put_both(out, b, first - 1, cells);
	} else if (end + wide <= cells && label.n) {
		put_both(out, b, 0, end);
		lines_printf(out, ROLE_TEXT, " ");
		cells_put(out, words, label, cells - end - 1, false);
	} else if (label.n && after + INSIDE <= end) {
		put_both(out, b, 0, inside);
		lines_printf(out, ROLE_TEXT, " ");
		cells_put(out, words, label, wide, false);
		put_both(out, b, after, cells);
	} else {
		put_both(out, b, 0, cells);
	}
}

static struct row_bars bars_of(const struct waterfall *w, size_t position,
	const struct step *s, enum pause_kind pause, uint32_t cells)
{
	enum measure by = measure_of(w);
	struct row_bars b = {.role = measure_roles[by],
		.style = scale_is_parent(w->scale, position) ? BAR_LINE : BAR_SOLID,
		.pause_role = pause == PAUSE_TOOLS ? ROLE_TOOL : ROLE_DIM,
		.pause_style = pause == PAUSE_TOOLS ? BAR_TOOL : BAR_WAIT};

	if (by == MEASURE_TIME && b.style == BAR_SOLID && trace_runs_tool(w->trace, s)) {
		b.style = BAR_TOOL;
		b.role = ROLE_TOOL;
	} else if (by == MEASURE_TIME && b.style == BAR_SOLID &&
		   (s->model != NO_TEXT || s->flags & (STEP_CALL | STEP_TURN))) {
		b.role = ROLE_ASSISTANT; /* a model's */
	}
	if (s->flags & STEP_FAILED)
		b.role = ROLE_ERROR;
	if (by != MEASURE_TIME) {
		b.step = scale_step_bar(w->scale, w->trace, position, by, cells);
		return b;
	}
	b.step = bar_of_period(
		scale_step_period(w->scale, w->trace, position), shown_time(w), cells);
	if (b.step.to)
		b.pause = bar_of_period(pause_time(w, position), shown_time(w), cells);
	return b;
}

static void put_bars(const struct waterfall *w, size_t position, const struct step *s,
	enum pause_kind pause, struct lines *out, uint32_t cells)
{
	enum measure by = measure_of(w);
	struct period p = scale_step_period(w->scale, w->trace, position),
		      shown = shown_time(w), rest = period_unknown;
	AUTO_BUF label = BUF_INIT;
	struct row_bars b;
	double value;
	bool longest;

	if (by == MEASURE_TIME && (p.end < shown.start || p.start > shown.end)) {
		bool earlier = p.end < shown.start;

		cells_put(out, ROLE_DIM, glyph(earlier ? GLYPH_EARLIER : GLYPH_LATER),
			cells, !earlier);
		return;
	}
	b = bars_of(w, position, s, pause, cells);
	/* one of the few longest, and not much shorter than the first of them */
	value = value_of(w, position, by);
	longest = top_n_has(&w->longest, position) &&
		  2 * value >= w->longest.items[0].value;
	if (b.step.to) {
		if (longest)
			buf_str(&label, glyph(GLYPH_LONGEST));
		if (by == MEASURE_COST)
			facts_cost(&label, value);
		else if (by == MEASURE_TOKENS)
			facts_tokens(&label, value);
		else
			facts_latency(&label,
				scale_is_parent(w->scale, position) ? value : s->latency);
		if (by == MEASURE_TIME)
			rest = pause_time(w, position);
	}
	if (period_is_known(rest)) {
		buf_printf(&label, "%s%s ", label.len ? ", " : "", pause_names[pause]);
		facts_latency(&label, period_length(rest));
	}
	put_row_bars(out, &b, buf_view(&label), longest, cells);
}

void waterfall_line(const struct waterfall *w, size_t position, struct str did,
	enum pause_kind pause, struct lines *out, uint32_t width)
{
	struct row_layout l = lay_row(w, width);
	struct step s = trace_step(w->trace, trace_at(w->trace, position));
	uint32_t depth = trace_depth(w->trace, position);
	bool current = position == w->position;
	AUTO_BUF name = BUF_INIT;

	lines_clear(out);
	lines_put_own(out, ROLE_TITLE, current ? glyph(GLYPH_CURSOR) : STR(" "), 1);
	lines_printf(
		out, ROLE_DIM, "%*zu", (int)l.number, position - waterfall_first(w) + 1);
	lines_printf(out, ROLE_ERROR, "%c", s.flags & STEP_FAILED ? '!' : ' ');
	buf_fill(&name, ' ', 2 * (size_t)(depth < 8 ? depth : 8));
	if (depth > 8)
		buf_printf(&name, "%u:", depth);
	if (did.n)
		buf_str(&name, did);
	else
		step_title(w->trace, trace_at(w->trace, position), &name);
	cells_put_beginning(out, s.flags & STEP_FAILED ? ROLE_ERROR : ROLE_TEXT,
		buf_view(&name), l.name);
	if (!l.bars)
		return;
	lines_printf(out, ROLE_TEXT, " ");
	put_bars(w, position, &s, pause, out, l.bars);
}

/* ---- words ---- */

void waterfall_status(const struct waterfall *w, enum pause_kind pause, struct buf *out)
{
	struct period p = scale_step_period(w->scale, w->trace, w->position),
		      rest = pause_time(w, w->position);
	double gap;

	buf_printf(out, "%zu/%zu  ", w->position - waterfall_first(w) + 1,
		chain_of(w)->count);
	if (!period_is_known(p)) {
		buf_text(out, "does not say when it was");
		return;
	}
	buf_text(out, "at ");
	facts_latency(out, p.start - all_time(w).start);
	if (p.end > p.start) {
		buf_text(out, " for ");
		facts_latency(out, period_length(p));
	}
	if (period_is_known(rest)) {
		buf_printf(out, ", then %s ", pause_names[pause]);
		facts_latency(out, period_length(rest));
		return;
	}
	/* how long nothing was done before the step, or the one before it still was; not
	 * of a first child */
	if (w->position == waterfall_first(w) ||
		trace_depth(w->trace, w->position - 1) <
			trace_depth(w->trace, w->position))
		return;
	gap = p.start - scale_step_period(w->scale, w->trace, w->position - 1).end;
	if (!(fabs(gap) >= SHORTEST))
		return;
	buf_text(out, gap < 0 ? ", overlaps " : ", idle before ");
	facts_latency(out, fabs(gap));
}

void waterfall_title(const struct waterfall *w, struct buf *out)
{
	static const char *const notes[] = {
		[MEASURE_TIME] = "no step of this chain says when it was",
		[MEASURE_COST] = "no step of this chain says what it cost",
		[MEASURE_TOKENS] = "no step of this chain says its tokens",
	};
	struct period all = scale_chain_period(w->scale, w->chain);
	const struct bar legend = {2 * BAR_CELL, 3 * BAR_CELL}; /* after two blanks */

	if (!has_measure(w, w->wanted)) /* why it shows another */
		buf_printf(out, "%s  ", notes[w->wanted]);
	if (w->trace->chain_count > 1) {
		safe_fit(out, trace_chain_title(w->trace, chain_of(w)), NAME_MOST);
		buf_text(out, "  ");
	}
	facts_period(out, all);
	if (measure_of(w) != MEASURE_TIME)
		return;
	if (w->zoomed) {
		buf_text(out, "  shown: ");
		facts_latency(out, w->part.start - all.start);
		buf_text(out, " to ");
		facts_latency(out, w->part.end - all.start);
	}
	bar_text(out, BAR_SOLID, legend, 0);
	buf_text(out, " model");
	bar_text(out, BAR_TOOL, legend, 0);
	buf_text(out, " tools");
	bar_text(out, BAR_WAIT, legend, 0);
	buf_text(out, " person");
}
