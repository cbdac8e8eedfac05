/* Reading sessions: from the cache, else their files, those on the screen first. */
#include "config.h"
#include "sessions/list.h"

#include <string.h>
#include <unistd.h>

#include "base/effort.h"
#include "base/mem.h"

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
struct session *sessions_next_unread(struct sessions *s)
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
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};

	if (s->options.prices)
		return s->options.prices;
	if (!s->prices)
		s->prices = prices_new(STR(""), &err);
	return s->prices;
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

		if (stat(parts->data + at, &st) != 0 ||
			session_key_of(&st) == parent->file.key)
			continue;
		x = shown ? sessions_add_file(s, parts->data + at, &st)
			  : sessions_known(s, session_key_of(&st));
		if (!x)
			continue;
		s->making.stale |= !x->part;
		x->part = true;
		if (!shown)
			continue;
		sessions_date(s, x);
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
		x->usage.items =
			mem_resize(x->usage.items, x->usage.cap, sizeof(*x->usage.items));
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
	struct session *x = next_unseen(s);

	s->glancing = x != NULL;
	if (!x)
		x = sessions_next_unread(s);
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
		sessions_note_problem(s, &found.failed);
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
