/* Usage: see session_rows.h. */
#include "config.h"
#include "view/session_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "base/mem.h"
#include "text/safe.h"
#include "text/wrap.h"
#include "view/cells.h"
#include "view/facts.h"

#define BAR_CELLS   16
#define GAP         2
#define LABEL_CELLS 44 /* of a row's label, at most, */
#define LABEL_LEAST 16 /* ... and where there is little room */
#define RANKS       6  /* of columns that go where not all fit */
#define NAMED_MOST  6  /* models without a price that are named */

const struct usage_group usage_groups[USAGE_GROUPS] = {
	[USAGE_DAYS] = {"daily", "day", "date"},
	[USAGE_WEEKS] = {"weekly", "week", "date"},
	[USAGE_MONTHS] = {"monthly", "month", "date"},
	[USAGE_SESSIONS] = {"session", "session", "session"},
	[USAGE_MODELS] = {"model", "model", "model"},
	[USAGE_PROJECTS] = {"project", "project", "folder"},
	[USAGE_TOOLS] = {"tool", "tool", "tool"},
};

static const struct {
	const char *title;
	uint32_t cells;
	unsigned rank; /* where not all fit, those with the highest go first */
	enum role role;
} columns[USAGE_COLUMNS] = {
	[USAGE_COUNT] = {"sessions", 8, 3, ROLE_TEXT},
	[USAGE_REQUESTS] = {"requests", 8, 4, ROLE_TEXT},
	[USAGE_FRESH] = {"fresh", 7, 0, ROLE_TOKENS},
	[USAGE_CACHE_READ] = {"cache read", 10, 1, ROLE_TOKENS},
	[USAGE_CACHE_WRITE] = {"cache write", 11, 2, ROLE_TOKENS},
	[USAGE_OUTPUT] = {"output", 7, 0, ROLE_TOKENS},
	[USAGE_ERRORS] = {"errors", 6, 5, ROLE_ERROR},
	[USAGE_COST] = {"cost", 9, 0, ROLE_COST},
	[USAGE_BAR] = {"", BAR_CELLS, RANKS, ROLE_TEXT},
};

/* ---- which requests ---- */

/* When a session ran that does not say so step by step. */
static double moment_of(const struct session *s)
{
	return isnan(s->start) ? s->written : s->start;
}

/* The oldest first, of two that begin at one time the shorter: a fork begins as a copy.
 */
static int by_age(const void *a, const void *b)
{
	const struct session *x = *(const struct session *const *)a,
			     *y = *(const struct session *const *)b;
	double p = moment_of(x), q = moment_of(y);

	if (p == q) {
		p = (double)x->size;
		q = (double)y->size;
	}
	return p != q ? (p < q ? -1 : 1) : strcmp(x->path, y->path);
}

/* What later sessions repeat is of the oldest. */
static void take_sessions(struct usage_report *r, const struct sessions *s)
{
	size_t count = sessions_passing(s);

	r->sources = mem_array(count, sizeof(const struct session *));
	for (size_t i = 0; i < count; i++)
		r->sources[i] = sessions_passing_at(s, i);
	if (count)
		qsort(r->sources, count, sizeof(const struct session *), by_age);
	for (size_t i = 0; i < count; i++) {
		const struct usage *u = &r->sources[i]->usage;

		for (size_t k = 0; k < u->count; k++) {
			struct usage_item item = u->items[k];

			item.source = (uint32_t)i;
			item.model = intern_add(
				&r->usage.models, intern_get(&u->models, item.model));
			if (isnan(item.at))
				item.at = moment_of(r->sources[i]);
			*MEM_ADD(r->usage.items, r->usage.count, r->usage.cap) = item;
		}
	}
	usage_settle(&r->usage);
}

/* ---- groups ---- */

/* The day of a moment, its week's Monday or its month, in the person's time zone. */
static void put_date(enum usage_by by, double at, struct buf *out)
{
	struct tm tm;
	char text[40];

	if (!usage_calendar(at, &tm))
		return;
	if (by == USAGE_WEEKS) {
		tm.tm_mday -= (tm.tm_wday + 6) % 7;
		tm.tm_hour = 12;
		tm.tm_isdst = -1;
		(void)mktime(&tm);
	}
	(void)strftime(
		text, sizeof(text), by == USAGE_MONTHS ? "%Y-%m" : "%Y-%m-%d", &tm);
	buf_text(out, text);
}

static void add_to(struct usage_row *row, const struct usage_item *i)
{
	row->sessions += row->source != i->source;
	row->source = i->source;
	usage_count(&row->sum, i);
}

/* The row of an item; what tells nothing of itself has one of its own. */
static struct usage_row *row_of(struct usage_report *r, const struct usage_item *i)
{
	const struct session *s = r->sources[i->source];
	AUTO_BUF key = BUF_INIT;
	uint32_t at;
	bool known;

	switch (r->by) {
	case USAGE_SESSIONS:
		buf_text(&key, s->path);
		break;
	case USAGE_MODELS:
		buf_str(&key, intern_get(&r->usage.models, i->model));
		break;
	case USAGE_PROJECTS:
		buf_str(&key, s->folder);
		break;
	case USAGE_TOOLS:
		buf_str(&key, s->tool.n ? s->tool : str_of(s->format));
		break;
	default:
		put_date(r->by, i->at, &key);
		break;
	}
	known = key.len > 0;
	if (!known)
		buf_printf(&key, "no %s", usage_groups[r->by].missing);
	at = intern_add(&r->labels, buf_view(&key));
	if (at == r->count) {
		*MEM_ADD(r->rows, r->count, r->cap) =
			(struct usage_row){.label = intern_get(&r->labels, at),
				.session = r->by == USAGE_SESSIONS ? s : NULL,
				.known = known,
				.source = UINT32_MAX,
				.sum = usage_nothing};
	}
	return &r->rows[at];
}

static int by_label(const void *a, const void *b)
{
	const struct usage_row *x = a, *y = b;

	return str_compare(x->label, y->label);
}

/* The most expensive first, then what took most tokens. */
static int by_cost(const void *a, const void *b)
{
	const struct usage_row *x = a, *y = b;
	double p = isnan(x->sum.cost) ? 0 : x->sum.cost,
	       q = isnan(y->sum.cost) ? 0 : y->sum.cost;

	if (p == q) {
		p = usage_tokens(&x->sum.tokens);
		q = usage_tokens(&y->sum.tokens);
	}
	return p != q ? (p > q ? -1 : 1) : by_label(a, b);
}

void usage_report_make(struct usage_report *r, const struct sessions *s)
{
	bool any_time = isnan(r->since) && isnan(r->until);

	usage_report_done(r);
	r->all = (struct usage_row){
		.label = STR("all"), .source = UINT32_MAX, .sum = usage_nothing};
	take_sessions(r, s);
	for (size_t n = 0; n < r->usage.count; n++) {
		const struct usage_item *i = &r->usage.items[n];

		/* an item that says no time counts where none is asked for */
		if (i->repeated || i->at < r->since || i->at >= r->until ||
			(isnan(i->at) && !any_time))
			continue;
		if (!(usage_tokens(&i->tokens) > 0 || i->cost > 0 || i->failed))
			continue;
		add_to(row_of(r, i), i);
		add_to(&r->all, i);
		if (isnan(i->cost) && usage_tokens(&i->tokens) > 0)
			(void)intern_add(
				&r->unpriced, intern_get(&r->usage.models, i->model));
	}
	if (r->count)
		qsort(r->rows, r->count, sizeof(*r->rows),
			r->by <= USAGE_MONTHS ? by_label : by_cost);
}

void usage_report_done(struct usage_report *r)
{
	usage_done(&r->usage);
	mem_free(r->sources);
	intern_done(&r->labels);
	intern_done(&r->unpriced);
	mem_free(r->rows);
	*r = (struct usage_report){.by = r->by, .since = r->since, .until = r->until};
}

/* ---- the table ---- */

/* What bars are of: cost, or tokens where none is known. */
static double bar_value(const struct usage_report *r, const struct usage_row *row)
{
	return isnan(r->all.sum.cost) ? usage_tokens(&row->sum.tokens) : row->sum.cost;
}

static void put_label(
	const struct usage_report *r, const struct usage_row *row, struct buf *out)
{
	if (row->session)
		buf_str(out, session_name(row->session));
	else if (r->by == USAGE_PROJECTS)
		home_shorten(row->label, out);
	else
		buf_str(out, row->label);
}

static uint32_t columns_width(const struct usage_layout *l)
{
	uint32_t width = 0;

	for (int i = 0; i < USAGE_COLUMNS; i++)
		width += l->shown[i] ? GAP + columns[i].cells : 0;
	return width;
}

struct usage_layout usage_table_lay_out(const struct usage_report *r, uint32_t width)
{
	struct usage_layout l = {.label = safe_width(str_of(usage_groups[r->by].key))};
	AUTO_BUF text = BUF_INIT;
	uint32_t least, cells;

	for (size_t i = 0; i < r->count; i++) {
		buf_clear(&text);
		put_label(r, &r->rows[i], &text);
		cells = safe_width(buf_view(&text));
		l.label = cells > l.label ? cells : l.label;
		l.most = fmax(l.most, bar_value(r, &r->rows[i]));
	}
	l.label = l.label < LABEL_CELLS ? l.label : LABEL_CELLS;
	least = l.label < LABEL_LEAST ? l.label : LABEL_LEAST;
	for (int i = 0; i < USAGE_COLUMNS; i++)
		l.shown[i] = i != USAGE_BAR || r->by <= USAGE_MONTHS;
	for (unsigned rank = RANKS;
		rank && width != WRAP_NEVER && least + columns_width(&l) > width; rank--)
		for (int i = 0; i < USAGE_COLUMNS; i++)
			l.shown[i] &= columns[i].rank != rank;
	if (width != WRAP_NEVER && l.label + columns_width(&l) > width)
		l.label = width > least + columns_width(&l) ? width - columns_width(&l)
							    : least;
	return l;
}

void usage_table_titles(
	const struct usage_report *r, const struct usage_layout *l, struct lines *out)
{
	lines_clear(out);
	cells_put(out, ROLE_TITLE, str_of(usage_groups[r->by].key), l->label, false);
	for (int i = 0; i < USAGE_BAR; i++)
		if (l->shown[i])
			cells_put(out, ROLE_TITLE, str_of(columns[i].title),
				GAP + columns[i].cells, true);
}

void usage_table_row(const struct usage_report *r, const struct usage_row *row,
	const struct usage_layout *l, struct lines *out)
{
	const struct usage_sum *sum = &row->sum;
	const double figures[USAGE_BAR] = {[USAGE_COUNT] = (double)row->sessions,
		[USAGE_REQUESTS] = (double)sum->requests,
		[USAGE_FRESH] = sum->tokens.fresh,
		[USAGE_CACHE_READ] = sum->tokens.cache_read,
		[USAGE_CACHE_WRITE] = sum->tokens.cache_write + sum->tokens.cache_hour,
		[USAGE_OUTPUT] = sum->tokens.output,
		[USAGE_ERRORS] = (double)sum->errors};
	AUTO_BUF text = BUF_INIT;

	lines_clear(out);
	lines_begin(out);
	put_label(r, row, &text);
	cells_put_beginning(out, ROLE_TEXT, buf_view(&text), l->label);
	for (enum usage_column i = 0; i < USAGE_BAR; i++) {
		if (!l->shown[i])
			continue;
		buf_clear(&text);
		if (i == USAGE_COST && sum->estimated)
			buf_str(&text, glyph(GLYPH_ABOUT));
		if (i == USAGE_COST && !isnan(sum->cost))
			facts_cost_fixed(&text, sum->cost, r->all.sum.cost < 1 ? 4 : 2);
		if (figures[i] > 0)
			facts_tokens(&text, figures[i]);
		cells_put(out, columns[i].role, buf_view(&text), GAP + columns[i].cells,
			true);
	}
	if (l->shown[USAGE_BAR] && row != &r->all) {
		buf_clear(&text);
		bar_text(&text, BAR_SOLID,
			bar_of_share(bar_value(r, row), l->most, BAR_CELLS), 0);
		cells_blank(out, GAP);
		cells_put(out, ROLE_COST, buf_view(&text), BAR_CELLS, false);
	}
}

void usage_table_notes(const struct usage_report *r, struct str date, struct buf *out)
{
	bool estimated = r->all.sum.estimated;

	if (estimated) {
		buf_printf(out, "%s: estimated by the prices of ", glyph(GLYPH_ABOUT).p);
		safe_line(out, date.n ? date : STR("the given table"));
		buf_byte(out, '\n');
	}
	if (!r->unpriced.count)
		return;
	buf_text(out, estimated ? "without a price, and not in the cost: "
				: "without a price: ");
	for (size_t i = 0; i < r->unpriced.count && i < NAMED_MOST; i++) {
		struct str model = intern_get(&r->unpriced, (uint32_t)i);

		buf_text(out, i ? ", " : "");
		safe_fit(out, model.n ? model : STR("requests that name no model"),
			LABEL_CELLS);
	}
	if (r->unpriced.count > NAMED_MOST)
		buf_printf(out, ", and %zu more", r->unpriced.count - NAMED_MOST);
	buf_byte(out, '\n');
}
