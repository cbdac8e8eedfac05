/* The list of steps: see steps.h. */
#include "config.h"
#include "view/steps.h"

#include "text/safe.h"
#include "view/facts.h"

void steps_look_at_columns(struct steps_view *v)
{
	for (; v->known_for < v->model->count; v->known_for++) {
		struct step s;

		if (v->known + 1 == 1u << COLUMNS_BITS) {
			v->known_for = v->model->count;
			return;
		}
		s = model_step(v->model, v->known_for);
		v->known |= columns_of(&s);
	}
}

/* ---- columns ---- */

#define NAME_LEAST 12 /* of a chain, beside its totals */

static uint32_t digits(size_t n)
{
	uint32_t d = 1;

	for (; n >= 10; n /= 10)
		d++;
	return d;
}

static uint32_t number_width(const struct steps_view *v)
{
	return digits(v->expected > v->model->count ? v->expected : v->model->count);
}

static struct columns_layout lay_columns(const struct steps_view *v, uint32_t width)
{
	return columns_lay_out(&v->columns, v->known, number_width(v), width);
}

uint32_t steps_best_width(const struct steps_view *v)
{
	return columns_best_width(&v->columns, v->known, number_width(v));
}

uint32_t steps_preview_width(const struct steps_view *v, uint32_t width)
{
	struct columns_layout l = lay_columns(v, width);

	return columns_width(&l, COLUMN_MESSAGE);
}

uint32_t steps_bar_width(const struct steps_view *v, uint32_t width)
{
	struct columns_layout l = lay_columns(v, width);

	if (l.count < 2 || l.cells[l.count - 1].column != COLUMN_MESSAGE)
		return width;
	return width - l.cells[l.count - 1].width;
}

/* Safe text cut to a width, filled up on its right or left side. */
static void put_cell(
	struct lines *out, enum role role, struct str safe, uint32_t width, bool right)
{
	struct buf cut = BUF_INIT;
	uint32_t used;

	safe_fit(&cut, safe, width);
	used = safe_width(buf_view(&cut));
	if (used > width) /* not even the mark of the cut fits */
		used = width;
	if (right)
		lines_printf(out, ROLE_TEXT, "%*s", (int)(width - used), "");
	lines_put(out, role, buf_view(&cut), used);
	if (!right)
		lines_printf(out, ROLE_TEXT, "%*s", (int)(width - used), "");
	buf_done(&cut);
}

/* As put_cell, but of a text that is too long the beginning is shown: it tells most. */
static void put_beginning(
	struct lines *out, enum role role, struct str raw, uint32_t width)
{
	uint32_t mark = safe_ascii() ? 3 : 1, used = 0,
		 before = out->lines[out->count - 1].width;
	bool whole = safe_width(raw) <= width;
	uint32_t room = whole ? width : width > mark ? width - mark : 0;
	struct safe_cluster c;
	size_t n = 0;

	for (; n < raw.n; n += c.taken) {
		safe_next(raw.p + n, raw.n - n, &c);
		if (used + (c.width ? c.width : 1) > room)
			break;
		used += c.width ? c.width : 1;
	}
	lines_put_raw(out, role, (struct str){raw.p, n});
	if (!whole && width > mark)
		lines_put(out, ROLE_DIM, safe_ascii() ? STR("...") : STR("\xE2\x80\xA6"),
			mark);
	used = out->lines[out->count - 1].width - before;
	lines_printf(out, ROLE_TEXT, "%*s", used < width ? (int)(width - used) : 0, "");
}

static void put_gap(struct lines *out, uint32_t cells)
{
	if (cells)
		lines_put(out, ROLE_TEXT, STR(" "), 1);
}

/* With an arrow where the list is sorted by it. */
static enum sort_column sort_of(enum column column)
{
	static const enum sort_column sorts[COLUMN_COUNT] = {
		[COLUMN_NAME] = SORT_NAME,
		[COLUMN_MODEL] = SORT_MODEL,
		[COLUMN_TOKENS] = SORT_TOKENS,
		[COLUMN_COST] = SORT_COST,
		[COLUMN_TIME] = SORT_TIME,
		[COLUMN_SIZE] = SORT_SIZE,
	};

	return sorts[column]; /* else SORT_FILE, which needs no arrow */
}

static void put_title(
	const struct steps_view *v, struct lines *out, enum column column, uint32_t width)
{
	const struct column_row *row = &column_rows[column];
	enum sort_column sort = sort_of(column);
	struct buf text = BUF_INIT;

	buf_text(&text, row->title);
	if (sort != SORT_FILE && v->sorted.steps && v->sorted.column == sort)
		buf_printf(&text, " %s", sort_arrow(v->sorted.down));
	put_cell(out, ROLE_TITLE, buf_view(&text), width, row->right);
	buf_done(&text);
}

const char *sort_arrow(bool down)
{
	if (safe_ascii())
		return down ? "v" : "^";
	return down ? "\xE2\x86\x93" : "\xE2\x86\x91";
}

void steps_titles(const struct steps_view *v, struct lines *out, uint32_t width)
{
	struct columns_layout l = lay_columns(v, width);

	lines_clear(out);
	lines_begin(out);
	put_gap(out, 1); /* the cursor */
	for (size_t i = 0; i < l.count; i++) {
		put_gap(out, l.cells[i].gap);
		put_title(v, out, l.cells[i].column, l.cells[i].width);
	}
}

static void put_cursor(struct lines *out, bool current)
{
	if (!current)
		lines_put(out, ROLE_TEXT, STR(" "), 1);
	else if (safe_ascii())
		lines_put(out, ROLE_TITLE, STR(">"), 1);
	else
		lines_put(out, ROLE_TITLE, STR("\xE2\x96\xB8"), 1);
}

static struct str fold_mark(bool closed)
{
	if (safe_ascii())
		return closed ? STR("+ ") : STR("- ");
	return closed ? STR("\xE2\x96\xB8 ") : STR("\xE2\x96\xBE ");
}

static void chain_line(const struct steps_view *v, size_t row, struct lines *out,
	uint32_t width, bool current)
{
	const struct model *m = v->model;
	const struct chain *c = &m->chains[steps_at(v, row).chain];
	struct str name = model_chain_title(m, c);
	struct buf totals = BUF_INIT;
	uint32_t wide, room = width > 3 ? width - 3 : 0, need = safe_width(name);
	bool roomy;

	put_cursor(out, current);
	lines_put(out, ROLE_HEADING,
		c->count ? fold_mark(steps_is_closed(v, row)) : STR("  "), 2);
	facts_totals_text(&totals, &c->totals);
	wide = safe_width(buf_view(&totals)) + 2;
	roomy = room >= wide + (need < NAME_LEAST ? need : NAME_LEAST);
	put_cell(out, ROLE_HEADING, name, roomy ? room - wide : room, false);
	if (roomy) {
		lines_printf(out, ROLE_TEXT, "  ");
		lines_put(out, ROLE_DIM, buf_view(&totals), wide - 2);
	}
	buf_done(&totals);
}

/* What stands in front of a name: the tree, and what is wrong. */
static void put_tree(
	const struct steps_view *v, size_t row, const struct step *s, struct buf *name)
{
	uint32_t depth =
		v->picked.sorted ? 0 : model_depth(v->model, steps_at(v, row).position);
	uint32_t shown = depth < 8 ? depth : 8;

	buf_fill(name, ' ', 2 * (size_t)shown);
	if (depth > shown)
		buf_printf(name, "%u:", depth);
	if (steps_has_children(v, row))
		buf_str(name, fold_mark(steps_is_closed(v, row)));
	if (s->flags & (STEP_ORPHAN | STEP_CYCLE))
		buf_text(name, "? ");
}

/* The kind of a step that is no generation: span, trace, embedding, … */
static void put_tag(const struct model *m, const struct step *s, struct buf *name)
{
	struct str event = model_text(m, s->event);

	if (str_starts(event, STR("$")))
		event = (struct str){event.p + 1, event.n - 1};
	if (!str_starts(event, STR("ai_")) || str_equal(event, STR("ai_generation")))
		return;
	buf_add(name, event.p + 3, event.n - 3);
	buf_text(name, ": ");
}

static enum role name_role(const struct step *s)
{
	if (s->flags & (STEP_BROKEN | STEP_ERROR))
		return ROLE_ERROR;
	if (s->flags &
		(STEP_CUT | STEP_REPAIRED | STEP_ORPHAN | STEP_CYCLE | STEP_STRANGER))
		return ROLE_WARNING;
	return ROLE_TEXT;
}

static char sign(const struct step *s)
{
	if (s->flags & STEP_BROKEN)
		return 'x';
	if (s->flags & STEP_ERROR)
		return '!';
	if (s->flags & STEP_CUT)
		return '/';
	return s->flags & STEP_REPAIRED ? '~' : ' ';
}

/* A row while it is written. */
struct row {
	const struct steps_view *view;
	size_t number; /* of the row */
	struct steps_row at;
	struct step step;
	struct totals totals;
	struct str preview;
	bool previewed; /* it has a column of its own */
};

static void put_name(struct lines *out, const struct row *r, uint32_t width)
{
	struct model *m = r->view->model;
	struct buf name = BUF_INIT;

	put_tree(r->view, r->number, &r->step, &name);
	put_tag(m, &r->step, &name);
	if (!r->step.name_at && r->preview.n && !r->previewed &&
		!(r->step.flags & STEP_BROKEN))
		buf_str(&name, r->preview);
	else
		step_title(m, model_at(m, r->at.position), &name);
	put_beginning(out, name_role(&r->step), buf_view(&name), width);
	buf_done(&name);
}

static void put_figure(
	struct lines *out, const struct row *r, enum column column, uint32_t width)
{
	const struct column_row *row = &column_rows[column];
	struct buf text = BUF_INIT;

	row->put(r->view->model, &r->step, &r->totals, &text);
	put_cell(out, row->role, buf_view(&text), width, row->right);
	buf_done(&text);
}

static void put_column(
	struct lines *out, const struct row *r, enum column column, uint32_t width)
{
	const struct model *m = r->view->model;

	switch (column) {
	case COLUMN_NUMBER:
		lines_printf(out, ROLE_DIM, "%*zu", (int)width,
			r->at.position - m->chains[r->at.chain].first + 1);
		break;
	case COLUMN_MARK:
		lines_printf(out, name_role(&r->step), "%c", sign(&r->step));
		break;
	case COLUMN_NAME:
		put_name(out, r, width);
		break;
	case COLUMN_MESSAGE:
		put_beginning(out, ROLE_DIM, r->preview, width);
		break;
	default:
		put_figure(out, r, column, width);
	}
}

/* What passes is nested in it; it does not itself. */
static void put_dimly(struct lines *ls)
{
	for (size_t i = 1; i < ls->span_count; i++)
		ls->spans[i].role = ROLE_DIM;
}

void steps_line(const struct steps_view *v, size_t row, struct lines *out, uint32_t width,
	struct str preview, bool current)
{
	struct columns_layout l = lay_columns(v, width);
	struct model *m = v->model;
	struct row r = {v, row, steps_at(v, row), .preview = preview,
		.previewed = columns_width(&l, COLUMN_MESSAGE)};

	lines_clear(out);
	lines_begin(out);
	if (r.at.is_chain) {
		chain_line(v, row, out, width, current);
		return;
	}
	r.step = model_step(m, model_at(m, r.at.position));
	r.totals = model_step_totals(m, r.at.position);
	put_cursor(out, current);
	for (size_t i = 0; i < l.count; i++) {
		put_gap(out, l.cells[i].gap);
		put_column(out, &r, l.cells[i].column, l.cells[i].width);
	}
	if (!steps_shows(v, model_at(m, r.at.position)))
		put_dimly(out);
}
