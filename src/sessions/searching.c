/* Which sessions a search goes through, and what it found in them. */
#include "config.h"
#include "sessions/list.h"

#include "base/effort.h"
#include "base/mem.h"
#include "sessions/filter.h"

static void session_forget_found(struct session *x)
{
	mem_free((char *)x->found.line.p);
	x->found = (struct session_hits){0};
}

void sessions_search(struct sessions *s, struct str words, bool narrower)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};

	effort(EFFORT_STEPS, s->count);
	for (size_t i = 0; i < s->count; i++) {
		struct session *x = s->items[i];

		x->file.searched = narrower && x->file.searched && !x->found.hits;
		session_forget_found(x);
	}
	filter_free(s->fits);
	s->searching = words.n > 0;
	s->fits = words.n ? filter_new(&filter_sessions, words, &err) : NULL;
	s->search_next[0] = s->search_next[1] = 0;
	sessions_order_anew(s);
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

	return session_compare_figures(x, y, true);
}

static void order_search(struct sessions *s)
{
	AUTO(sort_done) struct sort sort = {0};

	MEM_ROOM(s->to_search, s->to_search_cap, s->count + 1);
	s->to_search_count = s->count;
	s->search_next[0] = s->search_next[1] = 0;
	for (size_t i = 0; i < s->count; i++)
		s->to_search[i] = (uint32_t)i;
	sort_begin(&sort, s->to_search, s->count, sizeof(*s->to_search));
	while (sort_run(&sort, sizeof(*s->to_search), compare_age, s, UINT64_MAX) !=
		TASK_DONE)
		continue;
}

static bool is_unsearched(const struct sessions *s, const struct session *x, bool whole)
{
	return !x->members && !x->file.searched && (whole || !x->found.hits) &&
	       session_is_candidate(s, x);
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
