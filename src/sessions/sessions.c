/*
 * See sessions.h.  Work comes in this order: finding files, putting them in order,
 * reading the rows on the screen, reading the others.  A file is known by its device and
 * number, so one that is found twice is one session.
 */
#include "config.h"
#include "sessions/sessions.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/effort.h"
#include "base/home.h"
#include "base/mem.h"
#include "base/sort.h"
#include "import/known.h"
#include "io/database.h"
#include "sessions/cache.h"
#include "sessions/filter.h"
#include "sessions/opened.h"
#include "sessions/summary.h"
#include "sessions/walk.h"

#define LOOK_AGAIN 2000   /* milliseconds between two looks for files, at least */
#define REORDER    200000 /* microseconds between two orders while files are read */
#define PIECE      64     /* sessions that are filtered between two looks at the clock */
#define DIGITS     12     /* in the name of a file that no person gave */
#define COST       30     /* a look takes at most this part of the time, one in ... */

struct sessions {
	struct sessions_options options;
	struct prices *prices; /* owned: the built-in ones, once something was read */
	struct places places;
	struct session **items;
	size_t count, cap;
	struct idmap by_key;
	struct walk *walk;      /* files are being looked for, or NULL */
	struct found_database { /* by it, whose sessions are listed after it */
		char *path;
		const struct session_place *place;
		struct stat st;
	} * databases;
	size_t database_count, database_cap;
	struct database *listed; /* the last of them, or NULL: it is not open yet */
	char **opened;           /* paths: before, elsewhere perhaps */
	size_t opened_count, opened_cap, opened_next;
	uint64_t walk_began, walk_took; /* microseconds */
	struct ordering {
		bool stale;     /* a new order is wanted, */
		bool going;     /* is being made */
		uint32_t *rows; /* indices of sessions */
		size_t count, cap;
		size_t next, end; /* sessions to be picked; those to come are not */
		bool picked;
		double now; /* seconds since 1970, when it was begun */
		struct sort sort;
		uint64_t at; /* when the last one was done */
	} making;
	struct session **rows;
	size_t row_count, row_cap;
	uint32_t *passing; /* indices of the sessions that pass, in order */
	size_t passing_count, passing_cap;
	struct session **groups; /* rows of their own */
	size_t group_count, group_cap;
	struct intern group_names;
	bool *group_folded; /* by number of its name */
	size_t group_folded_cap;
	bool grouped;
	enum sort_column column;
	bool down;
	struct buf words;
	struct filter *filter; /* of the words, or NULL */
	struct cache *cache;        /* of what was read, or NULL */
	struct cache_key cache_key; /* of the session that is being read, */
	bool keeps;                 /* if it goes to the cache */
	bool searching;
	struct filter *fits; /* what passes has a row without a hit; or NULL */
	uint32_t *to_search; /* indices, the newest first */
	size_t to_search_count, to_search_cap;
	size_t search_next[2]; /* of these, for one hit, and for all */
	uint64_t search_key;   /* of the session that is searched */
	bool search_again;     /* the filter may let others pass by now */
	struct summing_up *reading; /* of the session with this key, or NULL */
	uint64_t reading_key;
	bool glancing;      /* only its beginning is read */
	size_t next;        /* session to be looked at for reading */
	size_t first, page; /* rows on the screen */
	uint64_t answered; /* key of the session, or 0 */
	uint32_t changes, orders;
	struct err problem; /* the first */
	size_t problems;
	bool looked; /* once; what was wrong then is not said again */
};

static struct str keep_text(struct str text)
{
	return (struct str){mem_dup(text.p ? text.p : "", text.n), text.n};
}

static void forget_text(struct session *x)
{
	mem_free((char *)x->id.p);
	mem_free((char *)x->title.p);
	mem_free((char *)x->folder.p);
	mem_free((char *)x->doing.p);
	x->id = x->title = x->folder = x->doing = (struct str){0};
}

static void session_free(struct session *x)
{
	forget_text(x);
	usage_done(&x->usage);
	mem_free((char *)x->found.line.p);
	mem_free(x->path);
	mem_free(x);
}

struct sessions *sessions_new(const struct sessions_options *o)
{
	struct sessions *s = mem_zalloc(1, sizeof(*s));

	known_ask_databases();
	s->options = *o;
	s->cache = o->cached ? cache_open() : NULL;
	s->problem.offset = ERR_NOWHERE;
	s->column = SORT_FILE;
	s->down = true;
	if (o->count)
		places_add_parts(&s->places);
	else
		places_add_known(&s->places);
	for (size_t i = 0; i < o->count; i++)
		places_add_folder(&s->places, o->folders[i]);
	sessions_remember(s);
	sessions_look(s);
	return s;
}

static void forget_opened(struct sessions *s)
{
	for (size_t i = 0; i < s->opened_count; i++)
		mem_free(s->opened[i]);
	s->opened_count = 0;
}

static void drop_groups(struct sessions *s)
{
	while (s->group_count)
		session_free(s->groups[--s->group_count]);
	s->row_count = 0;
}

/* The last database is done with. */
static void leave_database(struct sessions *s)
{
	database_close(s->listed);
	s->listed = NULL;
	mem_free(s->databases[--s->database_count].path);
}

void sessions_free(struct sessions *s)
{
	if (!s)
		return;
	walk_free(s->walk);
	summing_up_free(s->reading);
	if (s->cache)
		cache_save(s->cache);
	for (size_t i = 0; i < s->count; i++)
		session_free(s->items[i]);
	while (s->database_count)
		leave_database(s);
	mem_free(s->databases);
	mem_free(s->items);
	idmap_done(&s->by_key);
	sort_done(&s->making.sort);
	mem_free(s->making.rows);
	mem_free(s->rows);
	mem_free(s->passing);
	drop_groups(s);
	mem_free(s->groups);
	intern_done(&s->group_names);
	mem_free(s->group_folded);
	buf_done(&s->words);
	filter_free(s->filter);
	filter_free(s->fits);
	mem_free(s->to_search);
	places_done(&s->places);
	forget_opened(s);
	mem_free(s->opened);
	prices_free(s->prices);
	cache_free(s->cache);
	err_done(&s->problem);
	mem_free(s);
}

/* ---- what one is called ---- */

static struct str file_name(const struct session *x)
{
	const char *slash = strrchr(x->path, '/');

	return str_of(slash ? slash + 1 : x->path);
}

/* Ids and times have many digits. */
static bool is_made_up(struct str name)
{
	size_t digits = 0;

	for (size_t i = 0; i < name.n; i++)
		digits += name.p[i] >= '0' && name.p[i] <= '9';
	return digits >= DIGITS;
}

static bool is_called_by_file(const struct session *x)
{
	return !x->title.n || x->chains > 1 || (x->named && !is_made_up(file_name(x)));
}

struct str session_name(const struct session *s)
{
	return is_called_by_file(s) ? file_name(s) : s->title;
}

void session_more(const struct session *s, struct buf *out)
{
	if (s->members)
		buf_printf(out, "%zu session%s", s->members, s->members == 1 ? "" : "s");
	else if (s->parts)
		buf_printf(out, "%zu agent%s", s->parts, s->parts == 1 ? "" : "s");
	else if (s->chains > 1)
		buf_printf(out, "%zu chains", s->chains);
	else if (is_called_by_file(s))
		buf_str(out, s->title);
}

/* ---- finding ---- */

static uint64_t key_of(const struct stat *st)
{
	uint64_t pair[2] = {(uint64_t)st->st_dev, (uint64_t)st->st_ino};

	return map_hash((struct str){(const char *)pair, sizeof(pair)});
}

uint64_t session_key(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 ? key_of(&st) : 0;
}

static double moment_of(const struct stat *st)
{
	return (double)st->st_mtim.tv_sec + (double)st->st_mtim.tv_nsec / 1e9;
}

static struct session *known(const struct sessions *s, uint64_t key)
{
	uint32_t i = idmap_find(&s->by_key, key);

	return i == MAP_NONE ? NULL : s->items[i];
}

/* When it counts as of: written, however often it was looked at since. */
static void date(struct sessions *s, struct session *x)
{
	s->making.stale |= x->written != x->at;
	x->at = x->written;
}

/* What was found, perhaps again; NULL: there are too many. */
static struct session *add(struct sessions *s, uint64_t key, const char *path)
{
	struct session *x = known(s, key);

	if (!x && s->count == SESSIONS_MOST)
		return NULL;
	if (!x) {
		x = mem_zalloc(1, sizeof(*x));
		x->file = (struct session_file){.key = key};
		x->path = mem_dup(path, strlen(path));
		x->start = x->at = x->context = x->window = NAN;
		x->totals = totals_unknown;
		x->spent = usage_nothing;
		x->folded = true;
		s->items = mem_grow(s->items, &s->cap, s->count + 1, sizeof(*s->items));
		idmap_add(&s->by_key, key, (uint32_t)s->count);
		s->items[s->count++] = x;
		s->making.stale = true;
	}
	x->file.seen = true;
	return x;
}

static struct session *add_file(
	struct sessions *s, const char *path, const struct stat *st)
{
	struct session *x = add(s, key_of(st), path);

	if (!x)
		return NULL;
	x->size = (uint64_t)st->st_size;
	x->written = moment_of(st);
	return x;
}

static void take_place(
	struct sessions *s, struct session *x, const struct session_place *place)
{
	x->file.found = true;
	x->named = place->folder && !x->file.in_database;
	if (!x->tool.n)
		x->tool = place->tool;
	date(s, x);
}

/* A session in a database; how large it is comes out when it is read. */
static void add_from_database(struct sessions *s, const struct found_database *d,
	const struct database_session *in)
{
	struct buf text = BUF_INIT;
	struct session *x;
	uint64_t key;

	buf_printf(&text, "%" PRIx64 "/", key_of(&d->st));
	buf_str(&text, in->id);
	key = map_hash(buf_view(&text));
	buf_clear(&text);
	buf_printf(&text, "%s/", d->path);
	buf_str(&text, in->id);
	x = add(s, key, text.data);
	buf_done(&text);
	if (!x)
		return;
	x->file.in_database = true;
	x->file.undated = isnan(in->written);
	x->written = isnan(in->written) ? moment_of(&d->st) : in->written;
	take_place(s, x, d->place);
}

static void found(void *sessions, const char *path, const struct session_place *place,
	const struct stat *st)
{
	struct sessions *s = sessions;
	struct session *x;

	if (place->instead && places_is_needless(place, path))
		return;
	if (place->database && database_is(path)) {
		*MEM_ADD(s->databases, s->database_count, s->database_cap) =
			(struct found_database){mem_dup(path, strlen(path)), place, *st};
		return;
	}
	x = add_file(s, path, st);
	if (x)
		take_place(s, x, place);
}

static void remember(void *sessions, const char *path)
{
	struct sessions *s = sessions;

	*MEM_ADD(s->opened, s->opened_count, s->opened_cap) = mem_dup(path, strlen(path));
}

void sessions_remember(struct sessions *s)
{
	forget_opened(s);
	if (s->options.remembered)
		opened_before(remember, s);
}

static void look_at_opened(struct sessions *s, const char *path)
{
	static const struct session_place database = {.folder = true, .database = true};
	struct session *x;
	struct stat st;

	if (stat(path, &st) != 0 || !S_ISREG(st.st_mode) || !st.st_size ||
		places_is_part(&s->places, path))
		return;
	if (database_is(path)) {
		found(s, path, &database, &st);
		return;
	}
	x = add_file(s, path, &st);
	if (!x)
		return;
	x->named |= !x->file.found;
	date(s, x);
}

static void note_problem(struct sessions *s, const struct err *err)
{
	if (!s->problems++)
		err_copy(&s->problem, err);
}

static void failed(void *sessions, const char *path, int problem)
{
	struct sessions *s = sessions;
	struct err err = {.offset = ERR_NOWHERE};

	if (s->looked)
		return;
	err_source(&err, path);
	err_set(&err, "cannot be opened: %s", strerror(problem));
	note_problem(s, &err);
	err_done(&err);
}

const struct err *sessions_problem(const struct sessions *s, size_t *count)
{
	*count = s->problems;
	return s->problems ? &s->problem : NULL;
}

void sessions_look(struct sessions *s)
{
	if (s->walk)
		return;
	for (size_t i = 0; i < s->count; i++)
		s->items[i]->file.seen = false;
	s->walk = walk_new(&s->places, found, failed, s);
	s->walk_began = clock_us();
	s->opened_next = 0;
}

/* Parts are found by the session that shows them. */
static bool is_gone(const struct sessions *s, const struct session *x)
{
	const struct session *parent = x->file.parent ? known(s, x->file.parent) : NULL;

	return !x->file.seen && !(parent && parent->file.seen);
}

/* Forgets what was not found again. */
static void drop_gone(struct sessions *s)
{
	size_t kept = 0;

	effort(EFFORT_STEPS, s->count);
	for (size_t i = 0; i < s->count; i++)
		kept += !is_gone(s, s->items[i]);
	if (kept == s->count)
		return;
	kept = 0;
	for (size_t i = 0; i < s->count; i++)
		s->items[i]->file.gone = is_gone(s, s->items[i]);
	idmap_done(&s->by_key);
	s->by_key = (struct idmap){0};
	for (size_t i = 0; i < s->count; i++) {
		struct session *x = s->items[i];

		if (x->file.gone) {
			session_free(x);
			continue;
		}
		idmap_add(&s->by_key, x->file.key, (uint32_t)kept);
		s->items[kept++] = x;
	}
	s->count = kept;
	s->to_search_count = 0;
	s->row_count = s->passing_count = s->making.count = 0; /* they are of others */
	s->making.going = false;
	s->making.stale = true;
}

/* A database that cannot be listed now: its sessions are not gone for that. */
static void keep_listed(struct sessions *s, const struct found_database *d)
{
	size_t n = strlen(d->path);

	for (size_t i = 0; i < s->count; i++)
		if (s->items[i]->file.in_database &&
			strncmp(s->items[i]->path, d->path, n) == 0 &&
			s->items[i]->path[n] == '/')
			s->items[i]->file.seen = true;
}

/* Lists those that were found; one that cannot be read keeps what was known of it.  In a
 * person's folder there are databases of other programs, too. */
static bool list_databases(struct sessions *s, uint64_t deadline)
{
	struct err err = {.offset = ERR_NOWHERE};

	while (s->database_count) {
		const struct found_database *d = &s->databases[s->database_count - 1];
		struct database_session session;
		enum task_state state = TASK_FAILED;

		if (!s->listed)
			s->listed = database_open(d->path, (struct str){0}, &err);
		if (s->listed)
			state = database_next(s->listed, &session, &err);
		if (state == TASK_MORE)
			add_from_database(s, d, &session);
		if (state == TASK_FAILED)
			keep_listed(s, d);
		if (state == TASK_FAILED && !d->place->folder && !s->looked) {
			err_source(&err, d->path);
			note_problem(s, &err);
		}
		err_done(&err);
		if (state == TASK_DONE || state == TASK_FAILED)
			leave_database(s);
		if (clock_passed(deadline))
			break;
	}
	return !s->database_count;
}

static bool find_more(struct sessions *s, uint64_t deadline)
{
	while (s->opened_next < s->opened_count) {
		look_at_opened(s, s->opened[s->opened_next++]);
		if (clock_passed(deadline))
			return false;
	}
	if (walk_run(s->walk, deadline) == TASK_MORE || !list_databases(s, deadline))
		return false;
	walk_free(s->walk);
	s->walk = NULL;
	s->looked = true;
	s->walk_took = clock_us() - s->walk_began;
	s->next = 0;
	s->making.at = 0; /* the order is of all before any of them is read */
	drop_gone(s);
	s->changes++;
	return true;
}

unsigned sessions_pause(const struct sessions *s)
{
	uint64_t fair = s->walk_took * COST / 1000;

	return fair > LOOK_AGAIN ? (unsigned)(fair < 600000 ? fair : 600000) : LOOK_AGAIN;
}

/* ---- the order ---- */

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
static int compare_figures(double a, double b, bool down)
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
		order = compare_figures(
			figure_of(x, s->column), figure_of(y, s->column), s->down);
	if (!order)
		order = compare_figures(x->at, y->at, true);
	return order ? order : strcmp(x->path, y->path);
}

static bool is_candidate(const struct sessions *s, const struct session *x)
{
	return !x->unreadable && !x->part &&
	       (!s->filter || session_passes(x, s->filter, s->making.now));
}

static bool is_shown(const struct sessions *s, const struct session *x)
{
	return is_candidate(s, x) &&
	       (!s->searching || x->found.hits ||
		       (s->fits && session_passes(x, s->fits, s->making.now)));
}

/* ---- rows below others ---- */

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

	s->group_folded = mem_grow(
		s->group_folded, &s->group_folded_cap, at + 1, sizeof(*s->group_folded));
	if (at == known)
		s->group_folded[at] = false;
	return &s->group_folded[at];
}

static struct session *new_group(struct sessions *s, struct str folder)
{
	struct session *g = mem_zalloc(1, sizeof(*g));

	g->path = mem_dup(folder.p ? folder.p : "", folder.n);
	g->title = keep_text(folder.n ? folder : STR("no folder"));
	g->folder = keep_text(folder);
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
	struct intern folders = {0};
	uint32_t *of = mem_array(s->passing_count, sizeof(*of));

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
	intern_done(&folders);
	mem_free(of);
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
	o->rows = mem_grow(o->rows, &o->cap, s->count + 1, sizeof(*o->rows));
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

	s->passing = mem_grow(
		s->passing, &s->passing_cap, o->count + 1, sizeof(*s->passing));
	memcpy(s->passing, o->rows, o->count * sizeof(*s->passing));
	s->passing_count = o->count;
	drop_groups(s);
	if (s->grouped)
		take_groups(s);
	for (size_t i = 0; !s->grouped && i < s->passing_count; i++)
		add_row(s, s->items[s->passing[i]], 0);
	o->going = false;
	o->at = clock_us();
	s->orders++;
	s->changes++;
}

static void order_on(struct sessions *s, uint64_t deadline)
{
	struct ordering *o = &s->making;

	if (!o->going)
		begin_order(s);
	if (pick(s, deadline) && sort_run(&o->sort, sizeof(*o->rows), compare_rows, s,
					 deadline) == TASK_DONE)
		take_order(s);
}

/* While files are read the order changes now and then, not with each of them. */
static bool wants_order(const struct sessions *s, bool busy)
{
	const struct ordering *o = &s->making;

	return o->going || (o->stale && (!busy || clock_us() - o->at > REORDER));
}

/* ---- reading ---- */

static bool is_read(const struct session *x)
{
	return (x->read || x->unreadable) && x->file.size == x->size &&
	       x->file.written == x->written;
}

/* The first row on the screen of which not even the beginning was read. */
static struct session *next_unseen(struct sessions *s)
{
	for (size_t i = s->first; i < s->first + s->page && i < s->row_count; i++) {
		struct session *x = s->rows[i];

		if (!x->members && !x->glanced && !x->read && !x->unreadable)
			return x;
	}
	return NULL;
}

/* The rows on the screen, then any. */
static struct session *next_unread(struct sessions *s)
{
	for (size_t i = s->first; i < s->first + s->page && i < s->row_count; i++)
		if (!s->rows[i]->members && !is_read(s->rows[i]))
			return s->rows[i];
	for (; s->next < s->count; s->next++) {
		effort(EFFORT_STEPS, 1);
		if (!s->items[s->next]->part && !is_read(s->items[s->next]))
			return s->items[s->next];
	}
	return NULL;
}

static struct prices *prices_of(struct sessions *s)
{
	struct err err = {.offset = ERR_NOWHERE};

	if (s->options.prices)
		return s->options.prices;
	if (!s->prices)
		s->prices = prices_new(STR(""), &err);
	err_done(&err);
	return s->prices;
}

const struct session *sessions_answered(struct sessions *s)
{
	const struct session *x = s->answered ? known(s, s->answered) : NULL;

	s->answered = 0;
	return x;
}

struct str sessions_prices_date(const struct sessions *s)
{
	const struct prices *p = s->options.prices ? s->options.prices : s->prices;

	return p ? prices_date(p) : STR("");
}

static void take_names(struct session *x, const struct summary *found)
{
	forget_text(x);
	x->format = found->format;
	if (found->tool.n)
		x->tool = found->tool;
	x->id = keep_text(buf_view(&found->id));
	x->title = keep_text(buf_view(&found->title));
	x->folder = keep_text(buf_view(&found->folder));
	x->doing = keep_text(buf_view(&found->doing));
}

/* Files that were read with a session are no sessions of their own. */
static void take_parts(
	struct sessions *s, struct session *parent, const struct buf *parts, bool shown)
{
	struct stat st;

	for (size_t at = 0; at < parts->len; at += strlen(parts->data + at) + 1) {
		struct session *x;

		if (stat(parts->data + at, &st) != 0 || key_of(&st) == parent->file.key)
			continue;
		x = shown ? add_file(s, parts->data + at, &st) : known(s, key_of(&st));
		if (!x)
			continue;
		s->making.stale |= !x->part;
		x->part = true;
		if (!shown)
			continue;
		date(s, x);
		x->tool = parent->tool;
		x->file.parent = parent->file.key;
		parent->parts++;
	}
}

static void take_usage(struct session *x, struct summary *found)
{
	usage_done(&x->usage);
	x->usage = found->usage;
	found->usage = (struct usage){0};
	if (x->usage.cap > x->usage.count && x->usage.count) {
		x->usage.cap = x->usage.count;
		x->usage.items = mem_resize(
			x->usage.items, x->usage.cap, sizeof(*x->usage.items));
	}
	x->spent = usage_nothing;
	for (size_t i = 0; i < x->usage.count; i++)
		usage_count(&x->spent, &x->usage.items[i]);
	x->context = found->context;
	x->window = found->window;
}

static void take_summary(struct sessions *s, struct session *x, struct summary *found)
{
	bool was_shown = !x->unreadable;

	s->search_again |= s->filter != NULL;
	if (x->read) { /* it has been written again, and is the newest now */
		x->file.searched = false;
		s->to_search_count = 0;
	}
	take_names(x, found);
	x->read = found->readable;
	x->unreadable = !found->readable;
	x->totals = found->totals;
	take_usage(x, found);
	if (x->file.in_database)
		x->size = x->file.size = found->size;
	x->chains = found->chains;
	x->start = found->start;
	if ((x->state == STATE_RUNNING || x->state == STATE_THINKING) &&
		found->state == STATE_WAITING)
		s->answered = x->file.key;
	x->state = found->state;
	x->since = found->since;
	x->parts = 0;
	take_parts(s, x, &found->parts, true);
	take_parts(s, x, &found->beside, false);
	s->making.stale |=
		was_shown == x->unreadable || s->column != SORT_FILE || s->words.len;
	s->changes++;
}

/* Whether the cache has it. */
static bool recall(struct sessions *s, struct session *x)
{
	struct summary found;

	s->keeps = s->cache && !x->file.undated &&
		   (x->file.in_database
				   ? cache_key_of_session(
					     x->path, x->written, &s->cache_key)
				   : cache_key_of_file(x->path, &s->cache_key));
	if (!s->keeps || !cache_find(s->cache, &s->cache_key, &found))
		return false;
	x->file.size = x->size;
	x->file.written = x->written;
	take_summary(s, x, &found);
	summary_done(&found);
	return true;
}

/* What all rows on the screen are called comes before the figures of any. */
static bool begin_reading(struct sessions *s)
{
	struct session *x = next_unseen(s);

	s->glancing = x != NULL;
	if (!x)
		x = next_unread(s);
	if (!x)
		return false;
	if (recall(s, x))
		return true;
	s->reading = summing_up_new(
		x->path, s->options.from, s->glancing ? NULL : prices_of(s));
	s->reading_key = x->file.key;
	if (!s->glancing) {
		x->file.size = x->size;
		x->file.written = x->written;
	}
	return true;
}

/* One file, or a part of it; false: all are read. */
static bool read_on(struct sessions *s, uint64_t deadline)
{
	struct session *x;
	struct summary found;

	if (!s->reading && !begin_reading(s)) {
		if (s->cache)
			cache_save(s->cache);
		return false;
	}
	if (!s->reading) /* it was in the cache */
		return true;
	if (summing_up_run(s->reading, deadline) == TASK_MORE)
		return true;
	x = known(s, s->reading_key);
	summing_up_take(s->reading, &found);
	s->reading = NULL;
	if (x && !s->glancing && found.failed.text &&
		(x->file.in_database || access(x->path, F_OK) == 0))
		note_problem(s, &found.failed);
	if (s->keeps && !s->glancing)
		cache_put(s->cache, &s->cache_key, &found);
	if (x && !s->glancing) {
		take_summary(s, x, &found);
	} else if (x) {
		x->glanced = true;
		if (found.readable)
			take_names(x, &found);
		s->changes++;
	}
	summary_done(&found);
	return true;
}

/* ---- the work ---- */

enum task_state sessions_run(struct sessions *s, uint64_t deadline)
{
	bool any = false;

	do {
		bool looking = s->walk && !find_more(s, deadline);

		if (wants_order(s, looking || s->reading || next_unread(s)))
			order_on(s, deadline);
		else if (!looking && !read_on(s, deadline) && !s->making.stale)
			return any ? TASK_DONE : TASK_IDLE;
		any = true;
	} while (!clock_passed(deadline));
	return TASK_MORE;
}

bool sessions_are_found(const struct sessions *s)
{
	return !s->walk && !s->making.going && !s->making.stale;
}

void sessions_show(struct sessions *s, size_t first, size_t count)
{
	s->first = first;
	s->page = count;
}

/* ---- rows ---- */

size_t sessions_count(const struct sessions *s)
{
	return s->row_count;
}

const struct session *sessions_at(const struct sessions *s, size_t row)
{
	return s->rows[row];
}

size_t sessions_passing(const struct sessions *s)
{
	return s->passing_count;
}

const struct session *sessions_passing_at(const struct sessions *s, size_t i)
{
	return s->items[s->passing[i]];
}

size_t sessions_find(const struct sessions *s, const char *path)
{
	for (size_t i = 0; i < s->row_count; i++)
		if (strcmp(s->rows[i]->path, path) == 0)
			return i;
	return SIZE_MAX;
}

uint32_t sessions_changes(const struct sessions *s)
{
	return s->changes;
}

uint32_t sessions_orders(const struct sessions *s)
{
	return s->orders;
}

static void order_anew(struct sessions *s)
{
	s->making.going = false;
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

/* ---- the search ---- */

static void forget_found(struct session *x)
{
	mem_free((char *)x->found.line.p);
	x->found = (struct session_hits){0};
}

void sessions_search(struct sessions *s, struct str words, bool narrower)
{
	struct err err = {.offset = ERR_NOWHERE};

	effort(EFFORT_STEPS, s->count);
	for (size_t i = 0; i < s->count; i++) {
		struct session *x = s->items[i];

		x->file.searched = narrower && x->file.searched && !x->found.hits;
		forget_found(x);
	}
	filter_free(s->fits);
	s->searching = words.n > 0;
	s->fits = words.n ? filter_new(&filter_sessions, words, &err) : NULL;
	s->search_next[0] = s->search_next[1] = 0;
	err_done(&err);
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

static void order_search(struct sessions *s)
{
	struct sort sort = {0};

	s->to_search = mem_grow(
		s->to_search, &s->to_search_cap, s->count + 1, sizeof(*s->to_search));
	s->to_search_count = s->count;
	s->search_next[0] = s->search_next[1] = 0;
	for (size_t i = 0; i < s->count; i++)
		s->to_search[i] = (uint32_t)i;
	sort_begin(&sort, s->to_search, s->count, sizeof(*s->to_search));
	while (sort_run(&sort, sizeof(*s->to_search), compare_age, s, UINT64_MAX) !=
		TASK_DONE)
		continue;
	sort_done(&sort);
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
		effort(EFFORT_STEPS, 1);
		if (is_unsearched(s, s->items[s->to_search[*next]], whole))
			return s->items[s->to_search[*next]];
	}
	return NULL;
}

static struct session *next_on_screen(const struct sessions *s)
{
	for (size_t i = s->first; i < s->first + s->page && i < s->row_count; i++)
		if (is_unsearched(s, s->rows[i], true))
			return s->rows[i];
	return NULL;
}

const struct session *sessions_unsearched(struct sessions *s, bool *whole)
{
	struct session *x;

	if (!s->searching || s->walk)
		return NULL;
	if (s->to_search_count != s->count)
		order_search(s);
	x = next_unsearched(s, false);
	*whole = !x;
	if (!x)
		x = next_on_screen(s);
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
	struct session *x = known(s, s->search_key);

	if (!x)
		return;
	x->file.searched = whole;
	s->making.stale |= !x->found.hits != !found->hits;
	s->changes += x->found.hits != found->hits;
	forget_found(x);
	x->found = *found;
	x->found.line = keep_text(found->line);
}

size_t sessions_searched(const struct sessions *s, size_t *all)
{
	*all = s->to_search_count;
	return s->search_next[0];
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
	order_anew(s);
	return true;
}

struct str sessions_filtered(const struct sessions *s)
{
	return buf_view(&s->words);
}

/* ---- all of them ---- */

struct sessions_state sessions_state(const struct sessions *s)
{
	struct sessions_state state = {
		.looking = s->walk != NULL,
		.totals = totals_unknown,
		.spent = usage_nothing};

	effort(EFFORT_STEPS, s->count + s->row_count);
	for (size_t i = 0; i < s->count; i++) {
		const struct session *x = s->items[i];

		state.all += !x->part;
		state.failed += !x->part && x->unreadable;
		state.read += !x->part && (x->read || x->unreadable);
	}
	for (size_t i = 0; i < s->passing_count; i++) {
		const struct session *x = sessions_passing_at(s, i);

		state.hits += x->found.hits;
		if (!x->read)
			continue;
		totals_add(&state.totals, &x->totals);
		usage_sum_add(&state.spent, &x->spent);
	}
	return state;
}

bool session_is_live(const struct session *s, double now)
{
	return now - s->written < SESSIONS_LIVE && s->written - now < SESSIONS_LIVE;
}

/* Whether an earlier place is of the same tool; its folder as well if `root` is given. */
static bool is_put(const struct sessions *s, size_t i, const struct buf *root)
{
	struct buf other = BUF_INIT;
	bool put = false;

	for (size_t k = 0; k < i && !put; k++) {
		const struct session_place *place = &s->places.items[k];

		if (!str_equal(place->tool, s->places.items[i].tool))
			continue;
		buf_clear(&other);
		places_root(place, &other);
		put = !root || str_equal(buf_view(&other), buf_view(root));
	}
	buf_done(&other);
	return put;
}

/* All folders of the tool of a place. */
static void put_tool(const struct sessions *s, size_t i, struct buf *out)
{
	struct str tool = s->places.items[i].tool;
	struct buf root = BUF_INIT;
	bool first = true;

	buf_printf(out, "%-13.*s", (int)tool.n, tool.n ? tool.p : "");
	for (size_t k = i; k < s->places.count; k++) {
		if (!str_equal(s->places.items[k].tool, tool) ||
			s->places.items[k].instead)
			continue;
		buf_clear(&root);
		places_root(&s->places.items[k], &root);
		if (is_put(s, k, &root))
			continue;
		buf_text(out, first ? " " : ", ");
		home_shorten(buf_view(&root), out);
		first = false;
	}
	buf_byte(out, '\n');
	buf_done(&root);
}

void sessions_put_places(const struct sessions *s, struct buf *out)
{
	for (size_t i = 0; i < s->places.count; i++)
		if (!is_put(s, i, NULL))
			put_tool(s, i, out);
}
