/*
 * Finding the files and databases of sessions, again and again, and reading them.  A file
 * is known by its device and number, so one that is found twice is one session.
 */
#include "config.h"
#include "sessions/list.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/work.h"
#include "io/database.h"
#include "sessions/state_file.h"

#define LOOK_AGAIN 2000 /* milliseconds between two looks for files, at least */
#define COST       30   /* a look takes at most this part of the time, one in ... */

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

struct session *sessions_known(const struct sessions *s, uint64_t key)
{
	uint32_t i = idmap_find(&s->by_key, key);

	return i == MAP_NONE ? NULL : s->items[i];
}

/* When it counts as of: written, however often it was looked at since. */
static void set_date(struct sessions *s, struct session *x)
{
	s->making.stale |= x->written != x->at;
	x->at = x->written;
}

/* What was found, perhaps again; NULL: there are too many. */
static struct session *add(struct sessions *s, uint64_t key, const char *path)
{
	struct session *x = sessions_known(s, key);

	if (!x && s->count == SESSIONS_MOST)
		return NULL;
	if (!x) {
		x = session_new(str_of(path));
		x->file.key = key;
		x->folded = true;
		idmap_add(&s->by_key, key, (uint32_t)s->count);
		*MEM_ADD(s->items, s->count, s->cap) = x;
		s->making.stale = true;
	}
	x->file.seen = true;
	return x;
}

/* What was found, perhaps again; NULL: there are too many. */
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
	struct sessions *s, struct session *x, const struct session_folder *place)
{
	x->file.found = true;
	x->named = place->folder && !x->file.in_database;
	if (!x->tool.n)
		x->tool = place->tool;
	set_date(s, x);
}

void sessions_forget_opened(struct sessions *s)
{
	for (size_t i = 0; i < s->opened_count; i++)
		mem_free(s->opened[i]);
	s->opened_count = 0;
}

void sessions_leave_database(struct sessions *s)
{
	database_close(s->listed);
	s->listed = NULL;
	mem_free(s->databases[--s->database_count].path);
}

/* A session in a database; how large it is comes out when it is read. */
static void add_from_database(struct sessions *s, const struct found_database *d,
	const struct database_session *in)
{
	AUTO_BUF text = BUF_INIT;
	struct session *x;
	uint64_t key;

	buf_printf(&text, "%" PRIx64 "/", key_of(&d->st));
	buf_str(&text, in->id);
	key = map_hash(buf_view(&text));
	buf_clear(&text);
	buf_printf(&text, "%s/", d->path);
	buf_str(&text, in->id);
	x = add(s, key, text.data);
	if (!x)
		return;
	x->file.in_database = true;
	x->file.undated = isnan(in->written);
	x->written = isnan(in->written) ? moment_of(&d->st) : in->written;
	take_place(s, x, d->place);
}

static void found(void *sessions, const char *path, const struct session_folder *place,
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

/* The full path of a trace that was opened before, as its state has it
 * (ui/control/session_state); of one that was of several files, none. */
static void remember(void *sessions, const json_t *state)
{
	struct sessions *s = sessions;
	const json_t *paths = json_object_get(state, "paths");
	const char *path = json_string_value(json_array_get(paths, 0));

	if (json_array_size(paths) == 1 && path && *path == '/')
		*MEM_ADD(s->opened, s->opened_count, s->opened_cap) =
			mem_dup(path, strlen(path));
}

void sessions_remember(struct sessions *s)
{
	sessions_forget_opened(s);
	if (s->options.remembered)
		state_each(remember, s);
}

static void look_at_opened(struct sessions *s, const char *path)
{
	static const struct session_folder database = {.folder = true, .database = true};
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
	set_date(s, x);
}

static void note_problem(struct sessions *s, const struct err *err)
{
	if (!s->problems++)
		err_copy(&s->problem, err);
}

static void failed(void *sessions, const char *path, int problem)
{
	struct sessions *s = sessions;
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};

	if (s->looked)
		return;
	err_source(&err, path);
	err_set(&err, "cannot be opened: %s", strerror(problem));
	note_problem(s, &err);
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
	const struct session *parent =
		x->file.parent ? sessions_known(s, x->file.parent) : NULL;

	return !x->file.seen && !(parent && parent->file.seen);
}

/* Forgets what was not found again. */
static void drop_gone(struct sessions *s)
{
	size_t kept = 0;

	count_work(WORK_STEPS, s->count);
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
	s->row_count = s->passing_count = 0; /* they are of others */
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
		bool more;

		if (!s->listed)
			s->listed = database_open(d->path, (struct str){0}, &err);
		more = s->listed && database_next(s->listed, &session, &err);
		if (more)
			add_from_database(s, d, &session);
		more |= s->listed && database_is_busy(s->listed);
		if (err.text)
			keep_listed(s, d);
		if (err.text && !d->place->folder && !s->looked) {
			err_source(&err, d->path);
			note_problem(s, &err);
		}
		err_done(&err);
		if (!more)
			sessions_leave_database(s);
		if (clock_passed(deadline))
			break;
	}
	return !s->database_count;
}

bool sessions_find_more(struct sessions *s, uint64_t deadline)
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

/* ---- reading: from the cache, else their files, those on the screen first ---- */

static bool is_read(const struct session *x)
{
	return (x->read || x->unreadable) && x->file.size == x->size &&
	       x->file.written == x->written;
}

/* The rows on the screen, then any. */
struct session *sessions_next_unread(struct sessions *s)
{
	for (size_t i = s->first; i < s->first + s->page && i < s->row_count; i++)
		if (!s->rows[i]->members && !is_read(s->rows[i]))
			return s->rows[i];
	for (; s->next < s->count; s->next++) {
		count_work(WORK_STEPS, 1);
		if (!s->items[s->next]->part && !is_read(s->items[s->next]))
			return s->items[s->next];
	}
	return NULL;
}

const struct session *sessions_answered(struct sessions *s)
{
	const struct session *x = s->answered ? sessions_known(s, s->answered) : NULL;

	s->answered = 0;
	return x;
}

struct str sessions_prices_date(const struct sessions *s)
{
	return prices_date(s->options.prices ? s->options.prices : s->prices);
}

static void take_names(struct session *x, const struct summary *found)
{
	session_forget_text(x);
	x->format = found->format;
	if (!x->tool.n) /* where it is says more */
		x->tool = found->tool;
	x->id = session_keep_text(buf_view(&found->id));
	x->title = session_keep_text(buf_view(&found->title));
	x->folder = session_keep_text(buf_view(&found->folder));
	x->doing = session_keep_text(buf_view(&found->doing));
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
		x = shown ? add_file(s, parts->data + at, &st)
			  : sessions_known(s, key_of(&st));
		if (!x)
			continue;
		s->making.stale |= !x->part;
		x->part = true;
		if (!shown)
			continue;
		set_date(s, x);
		x->tool = parent->tool;
		x->file.parent = parent->file.key;
		parent->parts++;
	}
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
	usage_done(&x->usage);
	x->usage = found->usage;
	found->usage = (struct usage){0};
	if (x->usage.cap > x->usage.count && x->usage.count) {
		x->usage.cap = x->usage.count;
		x->usage.items =
			mem_resize(x->usage.items, x->usage.cap, sizeof(*x->usage.items));
	}
	x->spent = usage_nothing;
	for (size_t i = 0; i < x->usage.count; i++)
		usage_count(&x->spent, &x->usage.items[i]);
	x->context = found->context;
	x->window = found->window;
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
		   (x->file.in_database ? cache_key_of_session(
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
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	struct session *x = NULL;

	for (size_t i = s->first; i < s->first + s->page && i < s->row_count && !x; i++)
		if (!s->rows[i]->members && !s->rows[i]->glanced && !s->rows[i]->read &&
			!s->rows[i]->unreadable)
			x = s->rows[i];
	s->glancing = x != NULL;
	if (!x)
		x = sessions_next_unread(s);
	if (!x)
		return false;
	if (recall(s, x))
		return true;
	if (!s->glancing && !s->options.prices && !s->prices)
		s->prices = prices_new(STR(""), &err);
	s->reading = summing_up_new(x->path, s->options.from,
		s->glancing         ? NULL
		: s->options.prices ? s->options.prices
				    : s->prices);
	s->reading_key = x->file.key;
	if (!s->glancing) {
		x->file.size = x->size;
		x->file.written = x->written;
	}
	return true;
}

bool sessions_read_on(struct sessions *s, uint64_t deadline)
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
	x = sessions_known(s, s->reading_key);
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
