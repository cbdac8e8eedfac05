/* The list of steps: see steps.h. */
#include "config.h"
#include "view/steps.h"

#include <inttypes.h>
#include <math.h>

#include "text/safe.h"
#include "view/cells.h"
#include "view/facts.h"

enum column { COLUMN_MODEL, COLUMN_TOKENS, COLUMN_COST, COLUMN_TIME, COLUMN_COUNT };

/* What there is to show in some step. */
enum { COLUMN_NESTED = COLUMN_COUNT, COLUMN_NAMED, COLUMN_ALL };

static unsigned columns_of(const struct step *s)
{
	unsigned known = 0;

	known |= (unsigned)(s->parent_key != 0) << COLUMN_NESTED;
	known |= (unsigned)(s->name_at != 0) << COLUMN_NAMED;
	known |= (unsigned)(s->model != NO_TEXT) << COLUMN_MODEL;
	known |= (unsigned)!(isnan(s->input_tokens) && isnan(s->output_tokens))
		 << COLUMN_TOKENS;
	known |= (unsigned)!isnan(s->cost) << COLUMN_COST;
	known |= (unsigned)!isnan(s->latency) << COLUMN_TIME;
	return known;
}

void steps_look_at_columns(struct steps_view *v)
{
	for (; v->known_for < v->model->count; v->known_for++) {
		struct step s;

		if (v->known + 1 == 1u << COLUMN_ALL) {
			v->known_for = v->model->count;
			return;
		}
		s = model_step(v->model, v->known_for);
		v->known |= columns_of(&s);
	}
}

static bool has_column(const struct steps_view *v, unsigned column)
{
	return v->known >> column & 1;
}

/* ---- columns ---- */

struct columns_layout {
	uint32_t number; /* cells of the number */
	uint32_t name;
	uint32_t width[COLUMN_COUNT];
	uint32_t bar;
	uint32_t preview;
};

static const struct {
	const char *title;
	uint32_t width;
	enum role role;
} columns[COLUMN_COUNT] = {
	[COLUMN_MODEL] = {"model", 10, ROLE_MODEL},
	[COLUMN_TOKENS] = {"tokens", 10, ROLE_TOKENS},
	[COLUMN_COST] = {"cost", 7, ROLE_COST},
	[COLUMN_TIME] = {"time", 6, ROLE_TIME},
};

#define NAME_LEAST 12
#define NAME_MORE  20 /* ... where names are indented or messages stand for them */
#define NAME_BEST  30
#define BAR_LEAST  8
#define BAR_BEST   24

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

/* The bar was asked for: it comes before the columns, and grows with what a name does not
 * need. */
static uint32_t bar_least(const struct steps_view *v, uint32_t left)
{
	return v->bar != MEASURE_OFF && left > NAME_LEAST + BAR_LEAST ? BAR_LEAST : 0;
}

static void widen_bar(struct columns_layout *l)
{
	uint32_t more = l->bar && l->name > NAME_BEST ? l->name - NAME_BEST : 0;

	if (more > BAR_BEST - BAR_LEAST)
		more = BAR_BEST - BAR_LEAST;
	l->bar += more;
	l->name -= more;
}

/* Columns come in the order of their worth, as long as the name keeps its room. */
static struct columns_layout lay_columns(const struct steps_view *v, uint32_t width)
{
	static const enum column worth[] = {
		COLUMN_TIME, COLUMN_TOKENS, COLUMN_MODEL, COLUMN_COST};
	struct columns_layout l = {.number = number_width(v)};
	uint32_t fixed = l.number + 2, left = width > fixed ? width - fixed : 0;
	bool more = has_column(v, COLUMN_NESTED) || !has_column(v, COLUMN_NAMED);
	uint32_t least = more ? NAME_MORE : NAME_LEAST;

	l.bar = bar_least(v, left);
	left -= l.bar ? l.bar + 1 : 0;
	for (size_t i = 0; i < COLUMN_COUNT; i++) {
		uint32_t w = columns[worth[i]].width;

		if (!has_column(v, worth[i]))
			continue;
		if (left < least + w + 1)
			break;
		l.width[worth[i]] = w;
		left -= w + 1;
	}
	l.name = left;
	widen_bar(&l);
	if (has_column(v, COLUMN_NAMED) && l.name > NAME_BEST + 20) {
		l.preview = l.name - NAME_BEST - 1;
		l.name = NAME_BEST;
	}
	return l;
}

uint32_t steps_best_width(const struct steps_view *v)
{
	uint32_t width = number_width(v) + 2 + NAME_BEST;

	for (size_t i = 0; i < COLUMN_COUNT; i++)
		if (has_column(v, (unsigned)i))
			width += columns[i].width + 1;
	return width + steps_bar_width(v);
}

uint32_t steps_bar_width(const struct steps_view *v)
{
	return v->bar == MEASURE_OFF ? 0 : BAR_BEST + 1;
}

uint32_t steps_preview_width(const struct steps_view *v, uint32_t width)
{
	return lay_columns(v, width).preview;
}

static void put_gap(struct lines *out)
{
	lines_put(out, ROLE_TEXT, STR(" "), 1);
}

static const char *const bar_titles[MEASURE_COUNT] = {"", "when", "cost", "tokens"};

void steps_titles(const struct steps_view *v, struct lines *out, uint32_t width)
{
	struct columns_layout l = lay_columns(v, width);

	lines_clear(out);
	lines_begin(out);
	lines_printf(out, ROLE_TITLE, " %*s ", (int)l.number, "#");
	cells_put(out, ROLE_TITLE,
		steps_has_many_chains(v) ? STR("chain, step") : STR("step"), l.name,
		false);
	for (size_t i = 0; i < COLUMN_COUNT; i++)
		if (l.width[i]) {
			put_gap(out);
			cells_put(out, ROLE_TITLE, str_of(columns[i].title), l.width[i],
				i != COLUMN_MODEL);
		}
	if (l.bar) {
		put_gap(out);
		cells_put(out, ROLE_TITLE, str_of(bar_titles[v->bar]), l.bar, false);
	}
	if (l.preview) {
		put_gap(out);
		cells_put(out, ROLE_TITLE,
			steps_has_many_chains(v) ? STR("start, or last user message")
						 : STR("last user message"),
			l.preview, false);
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

static void put_figures(struct lines *out, struct str model, const struct totals *t,
	const struct columns_layout *l)
{
	struct buf text = BUF_INIT;

	for (size_t i = 0; i < COLUMN_COUNT; i++) {
		if (!l->width[i])
			continue;
		buf_clear(&text);
		if (i == COLUMN_MODEL)
			buf_str(&text, model);
		if (i == COLUMN_TOKENS &&
			!(isnan(t->input_tokens) && isnan(t->output_tokens))) {
			facts_tokens(&text, t->input_tokens);
			buf_text(&text, safe_ascii() ? ">" : "\xE2\x86\x92");
			facts_tokens(&text, t->output_tokens);
		}
		if (i == COLUMN_COST)
			facts_cost(&text, t->cost);
		if (i == COLUMN_TIME)
			facts_latency(&text, t->latency);
		put_gap(out);
		cells_put(out, columns[i].role, buf_view(&text), l->width[i],
			i != COLUMN_MODEL);
	}
	buf_done(&text);
}

/* ---- chains ---- */

/* Of a few chains: the title, and all totals on the right. */
static void chain_summary(
	const struct steps_view *v, size_t row, struct lines *out, uint32_t width)
{
	const struct model *m = v->model;
	const struct chain *c = &m->chains[steps_at(v, row).chain];
	struct str name = model_chain_title(m, c);
	struct buf totals = BUF_INIT;
	uint32_t wide, room = width > 3 ? width - 3 : 0, need = safe_width(name);
	bool roomy;

	facts_totals_text(&totals, &c->totals);
	wide = safe_width(buf_view(&totals)) + 2;
	roomy = room >= wide + (need < NAME_LEAST ? need : NAME_LEAST);
	cells_put(out, ROLE_HEADING, name, roomy ? room - wide : room, false);
	if (roomy) {
		lines_printf(out, ROLE_TEXT, "  ");
		lines_put(out, ROLE_DIM, buf_view(&totals), wide - 2);
	}
	buf_done(&totals);
}

static void put_bar(struct lines *out, enum role role, enum bar_style style,
	struct bar bar, uint32_t cells)
{
	if (!cells)
		return;
	put_gap(out);
	bar_put(out, role, style, bar, 0, cells);
}

static enum role bar_role(enum measure by, bool error)
{
	static const enum role roles[MEASURE_COUNT] = {
		ROLE_TEXT, ROLE_TIME, ROLE_COST, ROLE_TOKENS};

	return error ? ROLE_ERROR : roles[by];
}

/* What stands behind the title of a chain: as much of it as leaves the title room. */
static void chain_words(
	struct buf *out, const struct totals *t, bool steps, uint32_t room)
{
	if (steps)
		facts_steps(out, t->steps);
	if (t->errors)
		facts_errors(out, t->errors);
	if (out->len <= room)
		return;
	buf_clear(out);
	if (t->errors)
		buf_printf(out, "%" PRIu64 "!", t->errors);
	if (out->len > room)
		buf_clear(out);
}

/* Title and errors; steps too where no column has room for them. */
static void put_chain_title(struct lines *out, const struct model *m,
	const struct chain *c, bool steps, uint32_t width)
{
	struct buf words = BUF_INIT;
	uint32_t wide;

	chain_words(&words, &c->totals, steps,
		width > NAME_LEAST + 1 ? width - NAME_LEAST - 1 : 0);
	wide = words.len ? (uint32_t)words.len + 1 : 0;
	cells_put_beginning(out, ROLE_HEADING, model_chain_title(m, c), width - wide);
	if (wide)
		lines_printf(
			out, c->totals.errors ? ROLE_ERROR : ROLE_DIM, " %s", words.data);
	buf_done(&words);
}

/* Of many chains: their totals in the columns of the steps. */
static void chain_columns(
	const struct steps_view *v, size_t row, struct lines *out, uint32_t width)
{
	const struct model *m = v->model;
	struct columns_layout l = lay_columns(v, width);
	uint32_t chain = steps_at(v, row).chain, left = l.number + 1 + l.name;
	const struct chain *c = &m->chains[chain];
	struct buf words = BUF_INIT;

	put_chain_title(out, m, c, !l.width[COLUMN_MODEL], left > 2 ? left - 2 : 0);
	if (l.width[COLUMN_MODEL])
		facts_steps(&words, c->totals.steps);
	put_figures(out, buf_view(&words), &c->totals, &l);
	put_bar(out, bar_role(v->bar, c->totals.errors), BAR_SOLID,
		scale_chain_bar(&v->scale, m, chain, v->bar, l.bar), l.bar);
	buf_clear(&words);
	if (l.preview) {
		facts_period(&words, scale_chain_period(&v->scale, chain));
		put_gap(out);
		cells_put_beginning(out, ROLE_DIM, buf_view(&words), l.preview);
	}
	buf_done(&words);
}

static void chain_line(const struct steps_view *v, size_t row, struct lines *out,
	uint32_t width, bool current)
{
	const struct chain *c = &v->model->chains[steps_at(v, row).chain];

	put_cursor(out, current);
	lines_put(out, ROLE_HEADING,
		c->count ? fold_mark(steps_is_closed(v, row)) : STR("  "), 2);
	if (steps_has_many_chains(v) || v->bar != MEASURE_OFF ||
		steps_preview_width(v, width))
		chain_columns(v, row, out, width);
	else
		chain_summary(v, row, out, width);
}

/* ---- steps ---- */

/* What stands in front of a name: the tree, and what is wrong. */
static void put_tree(
	const struct steps_view *v, size_t row, const struct step *s, struct buf *name)
{
	uint32_t depth = model_depth(v->model, steps_at(v, row).position);
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

void steps_line(const struct steps_view *v, size_t row, struct lines *out, uint32_t width,
	struct str preview, bool current)
{
	struct columns_layout l = lay_columns(v, width);
	struct steps_row r = steps_at(v, row);
	struct model *m = v->model;
	struct buf name = BUF_INIT;
	struct step s;
	struct totals t;

	lines_clear(out);
	lines_begin(out);
	if (r.is_chain) {
		chain_line(v, row, out, width, current);
		return;
	}
	s = model_step(m, model_at(m, r.position));
	t = model_step_totals(m, r.position);
	put_cursor(out, current);
	lines_printf(out, ROLE_DIM, "%*zu", (int)l.number,
		r.position - m->chains[r.chain].first + 1);
	lines_printf(out, name_role(&s), "%c", sign(&s));
	put_tree(v, row, &s, &name);
	put_tag(m, &s, &name);
	if (!s.name_at && preview.n && !l.preview && !(s.flags & STEP_BROKEN))
		buf_str(&name, preview);
	else
		step_title(m, model_at(m, r.position), &name);
	cells_put_beginning(out, name_role(&s), buf_view(&name), l.name);
	put_figures(out, model_text(m, s.model), &t, &l);
	put_bar(out, bar_role(v->bar, s.flags & STEP_ERROR),
		scale_is_parent(&v->scale, r.position) ? BAR_LINE : BAR_SOLID,
		scale_step_bar(&v->scale, m, r.position, v->bar, l.bar), l.bar);
	if (l.preview) {
		put_gap(out);
		cells_put_beginning(out, ROLE_DIM, preview, l.preview);
	}
	buf_done(&name);
}
