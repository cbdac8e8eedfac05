/* The list of steps: see steps.h. */
#include "config.h"
#include "view/steps.h"

#include <inttypes.h>

#include "text/safe.h"
#include "view/cells.h"
#include "view/facts.h"

/* ---- columns ---- */

#define FOLDED_MOST 512 /* steps whose figures are added up for a row */
#define NAME_LEAST  12  /* of a chain, beside its totals */

void steps_titles(const struct steps_view *v, struct lines *out, uint32_t width)
{
	static const char *const bars[MEASURE_COUNT] = {"", "when", "cost", "tokens"};
	struct columns_layout l = columns_lay_out(v, width);
	AUTO_BUF text = BUF_INIT;

	lines_clear(out);
	cells_blank(out, 1); /* the cursor */
	for (size_t i = 0; i < l.count; i++) {
		enum column column = l.cells[i].column;
		const struct column_row *row = &column_rows[column];

		buf_clear(&text);
		if (column == COLUMN_BAR)
			buf_text(&text, bars[v->bar]);
		else if (column == COLUMN_NAME && steps_has_many_chains(v))
			buf_text(&text, "chain, step");
		else
			buf_text(&text, row->title);
		if (v->sorted.steps && v->sorted.column == column)
			buf_printf(&text, " %s",
				glyph(v->sorted.down ? GLYPH_DOWN : GLYPH_UP).p);
		cells_blank(out, l.cells[i].gap);
		cells_put(out, ROLE_TITLE, buf_view(&text), l.cells[i].width, row->figure);
	}
}

/* ---- chains ---- */

/* Title, when it was, and errors; steps too where no column has room for them.  There are
 * as many words after the title as leave it room. */
static void put_chain_title(struct lines *out, const struct steps_view *v,
	const struct chain *c, bool steps, uint32_t width)
{
	struct period period =
		scale_chain_period(&v->scale, (uint32_t)(c - v->trace->chains));
	struct str title = trace_chain_title(v->trace, c);
	AUTO_BUF words = BUF_INIT, when = BUF_INIT;
	uint32_t need = safe_width(title),
		 room = width > NAME_LEAST + 1 ? width - NAME_LEAST - 1 : 0;
	bool dated;

	facts_totals_text(&words, &c->totals, TOTALS_ERRORS | (steps ? TOTALS_STEPS : 0));
	if (words.len > room) {
		buf_clear(&words);
		if (c->totals.errors)
			buf_printf(&words, "%" PRIu64 "!", c->totals.errors);
		if (words.len > room)
			buf_clear(&words);
	}
	room = width - (words.len ? (uint32_t)words.len + 1 : 0);
	facts_period(&when, period);
	dated = when.len && need + 2 + safe_width(buf_view(&when)) <= room;
	cells_put_beginning(out, ROLE_HEADING, title, dated ? need : room);
	if (dated) {
		lines_put(out, ROLE_TEXT, STR("  "), 2);
		cells_put_beginning(out, ROLE_DIM, buf_view(&when), room - need - 2);
	}
	if (words.len)
		lines_printf(
			out, c->totals.errors ? ROLE_ERROR : ROLE_DIM, " %s", words.data);
}

/* A chain's totals in the columns of the steps; the title takes the name's column and all
 * before it. */
static void chain_columns(const struct steps_view *v, uint32_t chain, struct lines *out,
	const struct columns_layout *l)
{
	const struct trace *trace = v->trace;
	const struct totals *t = &trace->chains[chain].totals;
	struct period p = scale_chain_period(&v->scale, chain);
	struct step s = step_unknown;
	uint32_t title = 0;
	AUTO_BUF text = BUF_INIT;
	size_t i = 0;

	s.timestamp = p.start;
	while (i < l->count && (!i || l->cells[i - 1].column != COLUMN_NAME)) {
		title += l->cells[i].gap + l->cells[i].width;
		i++;
	}
	put_chain_title(out, v, &trace->chains[chain], !columns_width(l, COLUMN_MODEL),
		title > 2 ? title - 2 : 0);
	for (; i < l->count; i++) {
		enum column column = l->cells[i].column;
		const struct column_row *row = &column_rows[column];
		uint32_t width = l->cells[i].width;

		cells_blank(out, l->cells[i].gap);
		if (column == COLUMN_BAR) {
			bar_put(out, t->errors ? ROLE_ERROR : measure_roles[v->bar],
				BAR_SOLID,
				scale_chain_bar(&v->scale, trace, chain, v->bar, width),
				0, width);
			continue;
		}
		buf_clear(&text);
		if (column == COLUMN_MODEL)
			facts_totals_text(&text, t, TOTALS_STEPS);
		else if (column != COLUMN_SIZE)
			columns_put(column, trace, &s, t, width, &text);
		cells_put(out, row->role, buf_view(&text), width, row->figure);
	}
}

/* The row of a chain: in the columns of the steps; few chains say all there is in words,
 * the title and all totals on the right, unless there is more to show. */
static void chain_line(const struct steps_view *v, size_t row, uint32_t chain,
	const struct columns_layout *l, struct lines *out, uint32_t width)
{
	const struct chain *c = &v->trace->chains[chain];
	struct str name = trace_chain_title(v->trace, c);
	AUTO_BUF totals = BUF_INIT;
	uint32_t wide, room = width > 3 ? width - 3 : 0, need = safe_width(name);

	if (c->count)
		lines_put_fold(out, ROLE_HEADING, !steps_is_closed(v, row));
	else
		lines_put(out, ROLE_HEADING, STR("  "), 2);
	if ((steps_has_many_chains(v) || v->bar != MEASURE_OFF) &&
		columns_width(l, COLUMN_NAME)) {
		chain_columns(v, chain, out, l);
		return;
	}
	facts_totals_text(&totals, &c->totals, TOTALS_ALL);
	wide = safe_width(buf_view(&totals)) + 2;
	if (room < wide + (need < NAME_LEAST ? need : NAME_LEAST)) {
		cells_put(out, ROLE_HEADING, name, room, false);
		return;
	}
	cells_put(out, ROLE_HEADING, name, room - wide, false);
	lines_printf(out, ROLE_TEXT, "  ");
	lines_put(out, ROLE_DIM, buf_view(&totals), wide - 2);
}

/* ---- steps ---- */

/* The kind of a step that is no generation: span, trace, embedding, … */
static void put_tag(const struct trace *trace, const struct step *s, struct buf *name)
{
	struct str event = trace_text(trace, s->event);

	(void)str_take(&event, STR("$"));
	if (!str_take(&event, STR("ai_")) || str_equal(event, STR("generation")))
		return;
	buf_str(name, event);
	buf_text(name, ": ");
}

static enum role name_role(const struct step *s)
{
	if (s->flags & (STEP_FAILED | STEP_BROKEN))
		return ROLE_ERROR;
	if (s->flags &
		(STEP_CUT | STEP_REPAIRED | STEP_ORPHAN | STEP_CYCLE | STEP_STRANGER))
		return ROLE_WARNING;
	return ROLE_TEXT;
}

/* A row while it is written. */
struct step_row {
	const struct steps_view *view;
	size_t number; /* of the row */
	struct steps_row at;
	struct step step;
	struct totals totals;
	const struct row_action *action;
	bool current;
};

/* Whether a name only counts: "turn 7", "step-12". */
static bool is_counting(struct str name)
{
	size_t n = name.n;

	while (n && name.p[n - 1] >= '0' && name.p[n - 1] <= '9')
		n--;
	return n && n < name.n && memchr(" -_#:", name.p[n - 1], 5);
}

/* Words of the action in what a name has left; then how the call ended, where it failed:
 * " ✗", or " → exit 1"; or that it has not. */
static void put_action(
	struct lines *out, const struct step_row *r, enum role role, uint32_t width)
{
	const struct row_action *a = r->action;
	AUTO_BUF end = BUF_INIT;
	uint32_t used, wide;

	if (a->text.n && a->waiting)
		buf_printf(&end, "%swaiting", glyph(GLYPH_BECOMES).p);
	if (a->text.n && a->failed && a->exit > 0)
		buf_printf(&end, "%sexit %d", glyph(GLYPH_BECOMES).p, a->exit);
	else if (a->text.n && a->failed)
		buf_printf(&end, " %s", glyph(GLYPH_FAILED).p);
	wide = safe_width(buf_view(&end));
	if (wide + NAME_LEAST > width)
		wide = 0;
	used = cells_put_cut(out, role, a->text, width - wide);
	if (wide)
		lines_put(out, a->failed ? ROLE_ERROR : ROLE_DIM, buf_view(&end), wide);
	cells_blank(out, width - used - wide);
}

/* Whether what it did stands in place of its name, which tells nothing. */
static bool is_named_by_action(const struct step_row *r)
{
	return r->action->text.n && !(r->step.flags & STEP_BROKEN) &&
	       (!r->step.name_at || !trace_names_tell(r->view->trace));
}

/* The indent and fold, as far as they fit; then what the step is called, or did. */
static void put_words(struct lines *out, const struct step_row *r, uint32_t width)
{
	const struct steps_view *v = r->view;
	struct trace *trace = v->trace;
	enum role role = name_role(&r->step);
	uint32_t depth = v->filtered.sorted ? 0 : trace_depth(trace, r->at.position);
	uint32_t shown = depth < 8 ? depth : 8, need;
	AUTO_BUF indent = BUF_INIT, name = BUF_INIT;
	bool counts;

	buf_fill(&indent, ' ', 2 * (size_t)shown);
	if (depth > shown)
		buf_printf(&indent, "%u:", depth);
	need = indent.len < width ? (uint32_t)indent.len : width;
	lines_put(out, role, (struct str){indent.data, need}, need);
	width -= need;
	if (width >= 2 && steps_has_children(v, r->number)) {
		lines_put_fold(out, role, !steps_is_closed(v, r->number));
		width -= 2;
	}
	if (r->step.flags & (STEP_ORPHAN | STEP_CYCLE))
		buf_text(&name, "? ");
	put_tag(trace, &r->step, &name);
	if (!is_named_by_action(r))
		step_title(trace, trace_at(trace, r->at.position), &name);
	need = safe_width(buf_view(&name));
	if (is_named_by_action(r) && need < width) {
		cells_put_beginning(out, role, buf_view(&name), need);
		put_action(out, r, role, width - need);
	} else if (r->action->text.n && need + 2 + NAME_LEAST <= width) {
		counts = is_counting(buf_view(&name)) && role == ROLE_TEXT;
		cells_put_beginning(out, counts ? ROLE_DIM : role, buf_view(&name), need);
		lines_put(out, ROLE_TEXT, STR("  "), 2);
		put_action(out, r, counts ? ROLE_TEXT : ROLE_DIM, width - need - 2);
	} else {
		cells_put_beginning(out, role, buf_view(&name), width);
	}
}

/* The name, and what a sub-agent did that is folded away: "+2 steps 12.6k▓→211"; of many
 * steps only how many.  Spans show what is below them as their own. */
static void put_name(struct lines *out, const struct step_row *r, uint32_t width)
{
	const struct trace *trace = r->view->trace;
	size_t from = r->at.position + 1, end = steps_fold_end(r->view, r->number);
	struct totals sum = totals_unknown;
	AUTO_BUF folded = BUF_INIT;
	uint32_t wide;

	if (end > from && r->step.flags & STEP_TURN) {
		buf_printf(&folded, "  +%zu step%s ", end - from, plural(end - from));
		for (size_t i = from; i < end && end - from <= FOLDED_MOST; i++) {
			struct totals own = trace_step_counted(trace, i);

			totals_add(&sum, &own);
		}
		facts_flow(&folded, &sum);
	}
	wide = safe_width(buf_view(&folded));
	if (wide + NAME_LEAST > width)
		wide = 0;
	put_words(out, r, width - wide);
	if (wide)
		lines_put(out, ROLE_DIM, buf_view(&folded), wide);
}

/* The model is named where it changes, and in the row of the cursor. */
static void put_model_name(struct lines *out, const struct step_row *r, uint32_t width)
{
	const struct trace *trace = r->view->trace;
	struct str name = trace_text(trace, r->step.model);
	struct steps_row above = {.is_chain = true};

	if (r->number)
		above = steps_at(r->view, r->number - 1);
	if (!r->current && !above.is_chain &&
		trace_step(trace, trace_at(trace, above.position)).model == r->step.model)
		name = STR("");
	cells_put(out, ROLE_MODEL, list_names_short(&r->view->names, name, width), width,
		false);
}

static void put_column(
	struct lines *out, const struct step_row *r, enum column column, uint32_t width)
{
	const struct steps_view *v = r->view;
	const struct column_row *row = &column_rows[column];
	bool large = columns_is_large(&v->ranks, column, &r->step, &r->totals);
	uint32_t flags = r->step.flags;
	AUTO_BUF text = BUF_INIT;

	switch (column) {
	case COLUMN_NUMBER:
		lines_printf(out, ROLE_DIM, "%*zu", (int)width,
			r->at.position - v->trace->chains[r->at.chain].first + 1);
		break;
	case COLUMN_MARK:
		lines_printf(out, name_role(&r->step), "%c",
			flags & STEP_BROKEN     ? 'x'
			: flags & STEP_FAILED   ? '!'
			: flags & STEP_CUT      ? '/'
			: flags & STEP_REPAIRED ? '~'
						: ' ');
		break;
	case COLUMN_NAME:
		put_name(out, r, width);
		break;
	case COLUMN_MODEL:
		put_model_name(out, r, width);
		break;
	case COLUMN_BAR:
		bar_put(out, flags & STEP_FAILED ? ROLE_ERROR : measure_roles[v->bar],
			scale_is_parent(&v->scale, r->at.position) ? BAR_LINE : BAR_SOLID,
			scale_step_bar(
				&v->scale, v->trace, r->at.position, v->bar, width),
			0, width);
		break;
	default:
		columns_put(column, v->trace, &r->step, &r->totals, width, &text);
		cells_put(out, large ? row->role : ROLE_DIM, buf_view(&text), width,
			row->figure);
	}
}

void steps_line(const struct steps_view *v, size_t row, struct lines *out, uint32_t width,
	const struct row_action *action, bool current)
{
	struct columns_layout l = columns_lay_out(v, width);
	struct trace *trace = v->trace;
	static const struct row_action unknown = {.exit = -1};
	struct step_row r = {v, row, steps_at(v, row),
		.action = action ? action : &unknown, .current = current};

	lines_clear(out);
	lines_put(out, current ? ROLE_TITLE : ROLE_TEXT,
		current ? glyph(GLYPH_CURSOR) : STR(" "), 1);
	if (r.at.is_chain) {
		chain_line(v, row, r.at.chain, &l, out, width);
		return;
	}
	r.step = trace_step(trace, trace_at(trace, r.at.position));
	r.totals = trace_step_totals(trace, r.at.position);
	for (size_t i = 0; i < l.count; i++) {
		cells_blank(out, l.cells[i].gap);
		put_column(out, &r, l.cells[i].column, l.cells[i].width);
	}
	if (steps_shows(v, trace_at(trace, r.at.position)))
		return;
	for (size_t i = 1; i < out->span_count; i++) /* a parent of steps that pass */
		out->spans[i].role = ROLE_DIM;
}
