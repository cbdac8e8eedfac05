/* See authors.h. */
#include "config.h"
#include "analysis/authors.h"

#include <math.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/mem.h"
#include "diff/edit.h"

#define TELLING 3 /* letters and digits of a line that says something by itself */
#define LOOKED  1000 /* edits that have one line, such as "}" */
#define NEAR    60 /* seconds: clocks and commits differ */

struct edit_line {
	uint64_t hash; /* 0: what stands here is not known */
	enum edit_kind kind;
};

struct line_edit {
	double time;
	uint32_t number;
	bool whole; /* the file has these lines and no others, */
	bool created; /* ... and was not there before, as far as its session knows */
	size_t first, count;
};

/* A line that is in the file, as far as the edits say. */
struct live_line {
	uint64_t hash, before, after; /* before, after: its neighbors; 0: not known */
	uint32_t edit;                /* in `edits` */
	uint32_t next;                /* of this hash, or NO_EDIT */
	bool alive, kept;
};

struct authors {
	struct edit_line *lines;
	size_t line_count, line_cap;
	struct line_edit *edits;
	size_t edit_count, edit_cap;
	struct live_line *live;
	size_t live_count, live_cap;
	struct idmap first; /* of a hash: which of `heads` */
	uint32_t *heads;    /* the last live line that was added */
	size_t head_count, head_cap;
};

struct authors *authors_new(void)
{
	return mem_zalloc(1, sizeof(struct authors));
}

void authors_free(struct authors *a)
{
	if (!a)
		return;
	mem_free(a->lines);
	mem_free(a->edits);
	mem_free(a->live);
	mem_free(a->heads);
	idmap_done(&a->first);
	mem_free(a);
}

static uint64_t hash_of(struct str line)
{
	while (line.n && (str_is_space(line.p[line.n - 1])))
		line.n--;
	return map_hash(line) | 1;
}

/* ---- edits ---- */

void authors_add(struct authors *a, const struct touch *touch, double time,
	bool created, uint32_t edit)
{
	AUTO(edit_done) struct edit_rows rows = {0};
	size_t first = a->line_count;

	switch (touch->kind) {
	case TOUCH_EDIT:
		edit_add_texts(&rows, touch->was, touch->is, 0);
		break;
	case TOUCH_PATCH:
		edit_add_patch(&rows, touch->is, true);
		break;
	case TOUCH_CREATE:
		if (touch->command.n && !touch->is.n)
			return; /* of what a shell wrote nothing is known */
		/* fallthrough */
	case TOUCH_INSERT:
		edit_add_lines(&rows, EDIT_CAME, touch->is, 0);
		break;
	case TOUCH_DELETE:
		break;
	default:
		return;
	}
	for (size_t i = 0; i < rows.count; i++) {
		const struct edit_row *row = &rows.items[i];
		bool known = row->kind <= EDIT_CAME &&
			     !(touch->sketch && touch_is_gap(row->text));

		*MEM_ADD(a->lines, a->line_count, a->line_cap) = (struct edit_line){
			known ? hash_of(row->text) : 0, known ? row->kind : EDIT_PLAIN};
	}
	*MEM_ADD(a->edits, a->edit_count, a->edit_cap) = (struct line_edit){.time = time,
		.number = edit,
		.whole = touch->kind == TOUCH_CREATE || touch->kind == TOUCH_DELETE,
		.created = created,
		.first = first,
		.count = a->line_count - first};
}

/* ---- the replay ---- */

/* The newest line of this hash that is alive, or NULL; *head: which of `heads` it is of.
 */
static struct live_line *newest(struct authors *a, uint64_t hash, uint32_t *head)
{
	*head = idmap_find(&a->first, hash);
	if (*head == MAP_NONE) {
		*head = (uint32_t)a->head_count;
		*MEM_ADD(a->heads, a->head_count, a->head_cap) = NO_EDIT;
		idmap_add(&a->first, hash, *head);
	}
	while (a->heads[*head] != NO_EDIT && !a->live[a->heads[*head]].alive)
		a->heads[*head] = a->live[a->heads[*head]].next;
	return a->heads[*head] == NO_EDIT ? NULL : &a->live[a->heads[*head]];
}

/* The hash of the line in the new text before or after one; 0: it is not known. */
static uint64_t neighbor(
	const struct authors *a, const struct line_edit *e, size_t i, bool before)
{
	while (before ? i-- > e->first : ++i < e->first + e->count)
		if (a->lines[i].kind != EDIT_GONE)
			return a->lines[i].hash;
	return 0;
}

static void replay_edit(struct authors *a, uint32_t edit)
{
	const struct line_edit *e = &a->edits[edit];

	for (size_t i = e->first; i < e->first + e->count; i++) {
		struct edit_line line = a->lines[i];
		struct live_line *live;
		uint64_t before, after;
		uint32_t head;

		if (!line.hash)
			continue;
		live = newest(a, line.hash, &head);
		if (line.kind == EDIT_GONE) {
			if (live)
				live->alive = false;
			continue;
		}
		before = neighbor(a, e, i, true);
		after = neighbor(a, e, i, false);
		if (live && (line.kind == EDIT_SAME || e->whole)) {
			live->before = before ? before : live->before;
			live->after = after ? after : live->after;
			live->kept = e->whole;
		} else if (line.kind == EDIT_CAME) {
			*MEM_ADD(a->live, a->live_count, a->live_cap) =
				(struct live_line){line.hash, before, after, edit,
					a->heads[head], true, e->whole};
			a->heads[head] = (uint32_t)a->live_count - 1;
		}
	}
	for (size_t i = 0; e->whole && i < a->live_count; i++) {
		a->live[i].alive &= a->live[i].kept;
		a->live[i].kept = false;
	}
}

static int by_time(const void *x, const void *y)
{
	const struct line_edit *a = x, *b = y;
	double s = isnan(a->time) ? 0 : a->time, t = isnan(b->time) ? 0 : b->time;

	if (s != t)
		return s < t ? -1 : 1;
	return a->first < b->first ? -1 : a->first > b->first;
}

void authors_replay(struct authors *a)
{
	if (a->edit_count)
		qsort(a->edits, a->edit_count, sizeof(*a->edits), by_time);
	for (size_t i = 0; i < a->edit_count; i++)
		replay_edit(a, (uint32_t)i);
}

/* ---- lines ---- */

void authors_of(struct authors *a, const struct str *lines, const double *until,
	size_t count, struct author *out)
{
	uint64_t before = 0, hash = count ? hash_of(lines[0]) : 0, after;

	for (size_t i = 0; i < count; i++, before = hash, hash = after) {
		uint32_t at = idmap_find(&a->first, hash);
		int most = -1, looked = 0;
		size_t letters = 0;

		after = i + 1 < count ? hash_of(lines[i + 1]) : 0;
		out[i] = (struct author){AUTHOR_NONE, NO_EDIT, 0};
		for (size_t k = 0; k < lines[i].n && letters < TELLING; k++)
			letters += str_is_plain(lines[i].p[k]) ||
				   (unsigned char)lines[i].p[k] >= 0x80;
		for (uint32_t k = at == MAP_NONE ? NO_EDIT : a->heads[at];
			k != NO_EDIT && looked++ < LOOKED; k = a->live[k].next) {
			const struct live_line *live = &a->live[k];
			const struct line_edit *e = &a->edits[live->edit];
			int score = (live->before && live->before == before) +
				    (live->after && live->after == after);
			/* a whole file that is not the first to be known may have lines
			 * of others */
			bool unsure = e->whole && !(e->created && !live->edit);

			if (!live->alive || (!score && letters < TELLING) ||
				(until && until[i] > 0 && e->time > until[i] + NEAR))
				continue;
			if (score > most) {
				out[i] = (struct author){unsure  ? AUTHOR_WHOLE
							 : score ? AUTHOR_EXACT
								 : AUTHOR_LINE,
					e->number, 0};
				most = score;
			} else if (score == most && e->number != out[i].edit) {
				out[i].others++;
			}
		}
	}
}
