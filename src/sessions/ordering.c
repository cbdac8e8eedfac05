/* The rows: which sessions pass, in which order, and what stands below others; and which
 * a search goes through, and what it found in them. */
#include "config.h"
#include "sessions/list.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "base/sort.h"
#include "base/work.h"

#define REORDER      200000 /* microseconds between two orders while files are read */
#define SESSION_WORK 1024   /* bytes that cost as much as filtering a session */

const char *const sort_names[SORT_COLUMNS] = {[SORT_FILE] = "file",
	[SORT_NAME] = "name",
	[SORT_MODEL] = "model",
	[SORT_COST] = "cost",
	[SORT_TIME] = "time",
	[SORT_TOKENS] = "tokens",
	[SORT_CACHE] = "cache",
	[SORT_SIZE] = "size"};

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

/* What is not known comes last, in either direction. */
static int compare_figures(double a, double b, bool down)
{
	if (isnan(a) || isnan(b))
		return isnan(a) - isnan(b);
	return down ? (a < b) - (a > b) : (a > b) - (a < b);
}

static int compare_rows(const void *a, const void *b, const void *sessions)
{
	const struct sessions *s = sessions;
	const struct session *x = s->items[*(const uint32_t *)a],
			     *y = s->items[*(const uint32_t *)b];
	struct str one, other;
	int order;

	if (s->column == SORT_NAME || s->column == SORT_MODEL) {
		one = s->column == SORT_MODEL ? x->tool : session_name(x);
		other = s->column == SORT_MODEL ? y->tool : session_name(y);
		order = one.n && other.n ? strcasecmp(one.p, other.p) : !one.n - !other.n;
		order = s->down && one.n && other.n ? -order : order;
	} else {
		order = compare_figures(
			figure_of(x, s->column), figure_of(y, s->column), s->down);
	}
	if (!order)
		order = compare_figures(x->at, y->at, true);
	return order ? order : strcmp(x->path, y->path);
}

/* Whether it could have a row, as far as the filter goes. */
static bool is_candidate(const struct sessions *s, const struct session *x)
{
	return !x->unreadable && !x->part &&
	       (!s->filter || session_passes(x, s->filter, s->making.now));
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
	count_work(WORK_STEPS, s->count);
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

/* Groups in the order of their first sessions. */
static void take_groups(struct sessions *s)
{
	AUTO(intern_done) struct intern folders = {0};
	AUTO_FREE uint32_t *of = mem_array(s->passing_count, sizeof(*of));
	struct session *g;

	for (size_t i = 0; i < s->passing_count; i++) {
		const struct session *x = s->items[s->passing[i]];
		size_t known = folders.count;

		of[i] = intern_add(&folders, x->folder);
		if (of[i] == known) {
			g = session_new(x->folder);
			g->title = session_keep_text(
				x->folder.n ? x->folder : STR("no folder"));
			g->folder = session_keep_text(x->folder);
			g->glanced = true;
			g->folded = *folded_of(s, x->folder);
			*MEM_ADD(s->groups, s->group_count, s->group_cap) = g;
		}
		g = s->groups[of[i]];
		g->members++;
		g->at = isnan(g->at) || x->at > g->at ? x->at : g->at;
		g->written = x->written > g->written ? x->written : g->written;
		g->size += x->size;
		g->read |= x->read;
		if (!x->read)
			continue;
		totals_add(&g->totals, &x->totals);
		usage_sum_add(&g->spent, &x->spent);
	}
	for (size_t n = 0; n < s->group_count; n++) {
		push_row(s, s->groups[n], 0);
		for (size_t i = 0; i < s->passing_count && !s->groups[n]->folded; i++)
			if (of[i] == n)
				add_row(s, s->items[s->passing[i]], 1);
	}
}

bool sessions_order_on(struct sessions *s)
{
	struct ordering *o = &s->making;
	uint32_t *rows = mem_array(s->count, sizeof(*rows));
	size_t count = 0;

	o->now = (double)time(NULL);
	stop_begin();
	/* those that pass the filter; then they are sorted */
	for (size_t i = 0; i < s->count && !stop_wanted(SESSION_WORK); i++) {
		const struct session *x = s->items[i];

		count_work(WORK_STEPS, 1);
		if (is_candidate(s, x) &&
			(!s->searching || x->found.hits ||
				(s->fits && session_passes(x, s->fits, o->now))))
			rows[count++] = (uint32_t)i;
	}
	sort_items(rows, count, sizeof(*rows), compare_rows, s, &(size_t){0});
	if (stop_end()) {
		mem_free(rows);
		return false;
	}
	mem_free(s->passing);
	s->passing = rows;
	s->passing_count = count;
	sessions_drop_groups(s);
	if (s->grouped)
		take_groups(s);
	for (size_t i = 0; !s->grouped && i < s->passing_count; i++)
		add_row(s, s->items[s->passing[i]], 0);
	o->stale = false;
	o->at = clock_us();
	s->orders++;
	s->changes++;
	return true;
}

bool sessions_want_order(const struct sessions *s, bool busy)
{
	const struct ordering *o = &s->making;

	return o->stale && (!busy || clock_us() - o->at > REORDER);
}

/* Another order is wanted now. */
static void order_anew(struct sessions *s)
{
	s->making.stale = true;
	s->making.at = 0;
}

void sessions_group(struct sessions *s, bool on)
{
	s->grouped = on;
	order_anew(s);
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
	order_anew(s);
	return true;
}

void sessions_fold_all(struct sessions *s)
{
	bool fold = false;

	for (size_t i = 0; i < s->group_count; i++)
		fold |= !s->groups[i]->folded;
	for (size_t i = 0; i < s->group_count; i++)
		*folded_of(s, s->groups[i]->folder) = fold;
	order_anew(s);
}

void sessions_sort(struct sessions *s, enum sort_column column, bool down)
{
	s->column = column;
	s->down = down;
	order_anew(s);
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
	buf_set(&s->words, text);
	s->search_again = true;
	order_anew(s);
	return true;
}

struct str sessions_filtered(const struct sessions *s)
{
	return buf_view(&s->words);
}

/* ---- searching ---- */

static void session_forget_found(struct session *x)
{
	mem_free((char *)x->found.line.p);
	x->found = (struct session_hits){0};
}

void sessions_search(struct sessions *s, struct str words, bool narrower)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};

	count_work(WORK_STEPS, s->count);
	for (size_t i = 0; i < s->count; i++) {
		struct session *x = s->items[i];

		x->file.searched = narrower && x->file.searched && !x->found.hits;
		session_forget_found(x);
	}
	filter_free(s->fits);
	s->searching = words.n > 0;
	s->fits = words.n ? filter_new(&filter_sessions, words, &err) : NULL;
	s->search_next[0] = s->search_next[1] = 0;
	order_anew(s);
}

bool sessions_searching(const struct sessions *s)
{
	return s->searching;
}

static int compare_age(const void *a, const void *b, const void *sessions)
{
	const struct sessions *s = sessions;
	double x = s->items[*(const uint32_t *)a]->at,
	       y = s->items[*(const uint32_t *)b]->at;

	return compare_figures(x, y, true);
}

static bool is_unsearched(const struct sessions *s, const struct session *x, bool whole)
{
	return !x->members && !x->file.searched && (whole || !x->found.hits) &&
	       is_candidate(s, x);
}

static struct session *next_unsearched(struct sessions *s, bool whole)
{
	size_t *next = &s->search_next[whole];

	for (; *next < s->count; ++*next) {
		count_work(WORK_STEPS, 1);
		if (is_unsearched(s, s->items[s->to_search[*next]], whole))
			return s->items[s->to_search[*next]];
	}
	return NULL;
}

const struct session *sessions_unsearched(struct sessions *s, bool *whole)
{
	struct session *x;

	if (!s->searching || s->walk)
		return NULL;
	if (s->to_search_count != s->count) {
		MEM_ROOM(s->to_search, s->to_search_cap, s->count + 1);
		s->to_search_count = s->count;
		s->search_next[0] = s->search_next[1] = 0;
		for (size_t i = 0; i < s->count; i++)
			s->to_search[i] = (uint32_t)i;
		sort_items(s->to_search, s->count, sizeof(*s->to_search), compare_age, s,
			&(size_t){0});
	}
	x = next_unsearched(s, false);
	*whole = !x;
	for (size_t i = s->first; !x && i < s->first + s->page && i < s->row_count; i++)
		x = is_unsearched(s, s->rows[i], true) ? s->rows[i] : NULL;
	if (!x)
		x = next_unsearched(s, true);
	if (!x && s->search_again) {
		s->search_again = false;
		s->search_next[0] = s->search_next[1] = 0;
		return sessions_unsearched(s, whole);
	}
	s->search_key = x ? x->file.key : 0;
	return x;
}

void sessions_found(struct sessions *s, const struct session_hits *found, bool whole)
{
	struct session *x = sessions_known(s, s->search_key);

	if (!x)
		return;
	x->file.searched = whole;
	s->making.stale |= !x->found.hits != !found->hits;
	s->changes += x->found.hits != found->hits;
	session_forget_found(x);
	x->found = *found;
	x->found.line = session_keep_text(found->line);
}

size_t sessions_searched(const struct sessions *s, size_t *all)
{
	*all = s->to_search_count;
	return s->search_next[0];
}
