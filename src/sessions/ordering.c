/* The rows: which sessions pass, in which order, and what stands below others. */
#include "config.h"
#include "sessions/list.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/effort.h"
#include "base/mem.h"
#include "sessions/filter.h"

#define REORDER 200000 /* microseconds between two orders while files are read */
#define PIECE   64     /* sessions that are filtered between two looks at the clock */

static double figure_of(const struct session *x, enum sort_column column)
{
	switch (column) {
	case SORT_COST:
		return x->spent.cost;
	case SORT_TOKENS:
		return totals_tokens(&x->totals);
	case SORT_SIZE:
		return (double)x->size;
	default:
		return x->at;
	}
}

static struct str text_of(const struct session *x, enum sort_column column)
{
	return column == SORT_MODEL ? x->tool : session_name(x);
}

/* What is not known comes last, in either direction. */
int session_compare_figures(double a, double b, bool down)
{
	if (isnan(a) || isnan(b))
		return isnan(a) - isnan(b);
	return down ? (a < b) - (a > b) : (a > b) - (a < b);
}

static int compare_texts(struct str a, struct str b, bool down)
{
	int order;

	if (!a.n || !b.n)
		return !a.n - !b.n;
	order = strcasecmp(a.p, b.p);
	return down ? -order : order;
}

static int compare_rows(const void *a, const void *b, const void *sessions)
{
	const struct sessions *s = sessions;
	const struct session *x = s->items[*(const uint32_t *)a],
			     *y = s->items[*(const uint32_t *)b];
	int order;

	if (s->column == SORT_NAME || s->column == SORT_MODEL)
		order = compare_texts(
			text_of(x, s->column), text_of(y, s->column), s->down);
	else
		order = session_compare_figures(
			figure_of(x, s->column), figure_of(y, s->column), s->down);
	if (!order)
		order = session_compare_figures(x->at, y->at, true);
	return order ? order : strcmp(x->path, y->path);
}

bool session_is_candidate(const struct sessions *s, const struct session *x)
{
	return !x->unreadable && !x->part &&
	       (!s->filter || session_passes(x, s->filter, s->making.now));
}

static bool is_shown(const struct sessions *s, const struct session *x)
{
	return session_is_candidate(s, x) &&
	       (!s->searching || x->found.hits ||
		       (s->fits && session_passes(x, s->fits, s->making.now)));
}

/* ---- rows below others ---- */

void sessions_drop_groups(struct sessions *s)
{
	while (s->group_count)
		session_free(s->groups[--s->group_count]);
	s->row_count = 0;
}

static void push_row(struct sessions *s, struct session *x, uint32_t depth)
{
	*MEM_ADD(s->rows, s->row_count, s->row_cap) = x;
	x->depth = depth;
}

/* A session, and its sub-agents where they are unfolded.  Linear in all sessions then. */
static void add_row(struct sessions *s, struct session *x, uint32_t depth)
{
	push_row(s, x, depth);
	if (x->folded || !x->parts)
		return;
	effort(EFFORT_STEPS, s->count);
	for (size_t i = 0; i < s->count; i++)
		if (s->items[i]->part && s->items[i]->file.parent == x->file.key &&
			!s->items[i]->unreadable)
			push_row(s, s->items[i], depth + 1);
}

static bool *folded_of(struct sessions *s, struct str name)
{
	size_t known = s->group_names.count;
	uint32_t at = intern_add(&s->group_names, name);

	MEM_ROOM(s->group_folded, s->group_folded_cap, at + 1);
	if (at == known)
		s->group_folded[at] = false;
	return &s->group_folded[at];
}

static struct session *new_group(struct sessions *s, struct str folder)
{
	struct session *g = mem_zalloc(1, sizeof(*g));

	g->path = mem_dup(folder.p ? folder.p : "", folder.n);
	g->title = session_keep_text(folder.n ? folder : STR("no folder"));
	g->folder = session_keep_text(folder);
	g->start = g->at = g->context = g->window = NAN;
	g->totals = totals_unknown;
	g->spent = usage_nothing;
	g->glanced = true;
	g->folded = *folded_of(s, folder);
	*MEM_ADD(s->groups, s->group_count, s->group_cap) = g;
	return g;
}

static void add_member(struct session *g, const struct session *x)
{
	g->members++;
	g->at = isnan(g->at) || x->at > g->at ? x->at : g->at;
	g->written = x->written > g->written ? x->written : g->written;
	g->size += x->size;
	g->read |= x->read;
	if (!x->read)
		return;
	totals_add(&g->totals, &x->totals);
	usage_sum_add(&g->spent, &x->spent);
}

/* Groups in the order of their first sessions. */
static void take_groups(struct sessions *s)
{
	AUTO(intern_done) struct intern folders = {0};
	AUTO_FREE uint32_t *of = mem_array(s->passing_count, sizeof(*of));

	for (size_t i = 0; i < s->passing_count; i++) {
		const struct session *x = s->items[s->passing[i]];
		size_t known = folders.count;

		of[i] = intern_add(&folders, x->folder);
		if (of[i] == known)
			new_group(s, x->folder);
		add_member(s->groups[of[i]], x);
	}
	for (size_t g = 0; g < s->group_count; g++) {
		push_row(s, s->groups[g], 0);
		for (size_t i = 0; i < s->passing_count && !s->groups[g]->folded; i++)
			if (of[i] == g)
				add_row(s, s->items[s->passing[i]], 1);
	}
}

static void begin_order(struct sessions *s)
{
	struct ordering *o = &s->making;

	o->stale = false;
	o->going = true;
	o->next = o->count = 0;
	o->end = s->count;
	o->picked = false;
	o->now = (double)time(NULL);
	MEM_ROOM(o->rows, o->cap, s->count + 1);
}

/* Those that pass the filter; then they are sorted. */
static bool pick(struct sessions *s, uint64_t deadline)
{
	struct ordering *o = &s->making;

	while (!o->picked && o->next < o->end) {
		effort(EFFORT_STEPS, 1);
		if (is_shown(s, s->items[o->next]))
			o->rows[o->count++] = (uint32_t)o->next;
		if (++o->next % PIECE == 0 && clock_passed(deadline))
			return false;
	}
	if (!o->picked)
		sort_begin(&o->sort, o->rows, o->count, sizeof(*o->rows));
	return o->picked = true;
}

static void take_order(struct sessions *s)
{
	struct ordering *o = &s->making;

	MEM_ROOM(s->passing, s->passing_cap, o->count + 1);
	memcpy(s->passing, o->rows, o->count * sizeof(*s->passing));
	s->passing_count = o->count;
	sessions_drop_groups(s);
	if (s->grouped)
		take_groups(s);
	for (size_t i = 0; !s->grouped && i < s->passing_count; i++)
		add_row(s, s->items[s->passing[i]], 0);
	o->going = false;
	o->at = clock_us();
	s->orders++;
	s->changes++;
}

void sessions_order_on(struct sessions *s, uint64_t deadline)
{
	struct ordering *o = &s->making;

	if (!o->going)
		begin_order(s);
	if (pick(s, deadline) && sort_run(&o->sort, sizeof(*o->rows), compare_rows, s,
					 deadline) == TASK_DONE)
		take_order(s);
}

/* While files are read the order changes now and then, not with each of them. */
bool sessions_want_order(const struct sessions *s, bool busy)
{
	const struct ordering *o = &s->making;

	return o->going || (o->stale && (!busy || clock_us() - o->at > REORDER));
}

void sessions_order_anew(struct sessions *s)
{
	s->making.going = false;
	s->making.stale = true;
	s->making.at = 0;
}

void sessions_group(struct sessions *s, bool on)
{
	s->grouped = on;
	sessions_order_anew(s);
}

bool sessions_grouped(const struct sessions *s)
{
	return s->grouped;
}

bool sessions_fold(struct sessions *s, size_t row)
{
	struct session *x = s->rows[row];

	if (!x->members && !x->parts)
		return false;
	x->folded = !x->folded;
	if (x->members)
		*folded_of(s, x->folder) = x->folded;
	sessions_order_anew(s);
	return true;
}

void sessions_fold_all(struct sessions *s)
{
	bool fold = false;

	for (size_t i = 0; i < s->group_count; i++)
		fold |= !s->groups[i]->folded;
	for (size_t i = 0; i < s->group_count; i++)
		*folded_of(s, s->groups[i]->folder) = fold;
	sessions_order_anew(s);
}

void sessions_sort(struct sessions *s, enum sort_column column, bool down)
{
	s->column = column;
	s->down = down;
	sessions_order_anew(s);
}

enum sort_column sessions_sorted(const struct sessions *s, bool *down)
{
	*down = s->down;
	return s->column;
}

bool sessions_filter(struct sessions *s, struct str text, struct err *err)
{
	struct filter *f = NULL;

	if (str_equal(text, buf_view(&s->words)))
		return true;
	if (str_trim(text).n && !(f = filter_new(&filter_sessions, text, err)))
		return false;
	filter_free(s->filter);
	s->filter = f;
	buf_clear(&s->words);
	buf_str(&s->words, text);
	s->search_again = true;
	sessions_order_anew(s);
	return true;
}

struct str sessions_filtered(const struct sessions *s)
{
	return buf_view(&s->words);
}
