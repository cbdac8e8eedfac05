/* See hit_walk.h.  Going back, what a block opens into is gone through before it. */
#include "config.h"
#include "view/hit_walk.h"

#include "base/clock.h"
#include "base/stop.h"
#include "view/conversation.h"
#include "view/tree.h"

void hit_walk_init(struct hit_walk *s, const struct query *q)
{
	*s = (struct hit_walk){.query = q, .texts = texts_new(q)};
}

void hit_walk_done(struct hit_walk *s)
{
	texts_free(s->texts);
	highlights_done(&s->marks);
	*s = (struct hit_walk){0};
}

/* ---- where the walk is ---- */

static bool is_event(const struct hit_walk *s, size_t at)
{
	const struct block *b = &s->doc->blocks[at];

	return s->event.kind != J_NONE && b->root && b->key.kind == J_STRING &&
	       b->value.p == s->event.p;
}

static size_t find_event(const struct hit_walk *s)
{
	size_t at = s->doc->count;

	while (at-- > 0)
		if (is_event(s, at))
			return at;
	return s->doc->count;
}

static void enter_block(struct hit_walk *s, size_t block)
{
	s->block = block;
	s->judged = false;
}

void hit_walk_from_edge(struct hit_walk *s, struct doc *d)
{
	size_t event;

	s->doc = d;
	event = find_event(s);
	s->bounded = s->rest_known = false;
	if (s->back)
		enter_block(s, (s->in_event ? d->count : event) - 1);
	else
		enter_block(s, s->in_event ? event : 0);
}

void hit_walk_from_place(struct hit_walk *s, struct doc *d, struct place at, size_t after)
{
	s->doc = d;
	s->after = after;
	s->row = at.row;
	s->bounded = true;
	s->rest_known = false;
	enter_block(s, at.block);
}

/* SIZE_MAX, before the first block, is no block either. */
static bool is_over(const struct hit_walk *s)
{
	if (s->block >= s->doc->count)
		return true;
	return !s->in_event && !s->back && is_event(s, s->block);
}

static void leave_block(struct hit_walk *s)
{
	bool last = s->back && s->in_event && is_event(s, s->block);

	s->bounded = false;
	enter_block(s, last ? SIZE_MAX : s->back ? s->block - 1 : s->block + 1);
}

/* ---- does a block hold it? ---- */

static bool take_text(void *ctx, const struct texts_found *found)
{
	struct hit_walk *s = ctx;

	return s->takes(s->ctx, s->doc, s->block, found->text);
}

/* What a block shows or stands for, part by part; false: there is no such part. */
static bool part_of(
	struct hit_walk *s, unsigned part, struct str *text, enum texts_kind *kind)
{
	const struct block *b = &s->doc->blocks[s->block];
	struct jv answer;

	*text = (struct str){0};
	*kind = TEXTS_JSON;
	if (part == 0) {
		*text = b->text;
		*kind = tree_is_rest(s->doc, s->block) ? TEXTS_JSON : TEXTS_RAW;
	} else if (part == 1) {
		if (b->value.p && !tree_is_rest(s->doc, s->block))
			*text = jv_raw(b->value);
	} else if (part == 2) {
		if (b->key.kind == J_STRING)
			*text = jv_raw(b->key);
	} else {
		if (!b->head || !conversation_answer(s->doc, s->block, part - 3, &answer))
			return false;
		*text = jv_raw(answer);
	}
	return true;
}

/* A block of neither text nor value is looked at: it shows what others hold; not a head,
 * which says for what messages it stands. */
static bool says_nothing(const struct block *b)
{
	return !b->head && !b->text.n && !b->value.p;
}

/* How many hits the first part of the block that has any holds. */
static uint64_t count_block(struct hit_walk *s)
{
	enum texts_kind kind;
	struct str text;
	uint64_t hits = 0;

	texts_each(s->texts, s->takes ? take_text : NULL, s);
	for (unsigned i = 0; !hits && !stop_asked() && part_of(s, i, &text, &kind); i++)
		hits = texts_count(s->texts, kind, text, MARKS_PATIENCE);
	return hits;
}

/* The rest of a container that is known without reading it. */
static bool rest_is_known(const struct hit_walk *s, const struct block *b)
{
	return tree_is_rest(s->doc, s->block) &&
	       (b->expanded || (s->rest_known && b->level == s->rest_level));
}

/* The block was read. */
static void count_rest(struct hit_walk *s, const struct block *b, uint64_t hits)
{
	if (tree_is_rest(s->doc, s->block)) {
		s->rest_known = hits > 0;
		s->rest_level = b->level;
		s->rest_left = hits;
	} else if (s->rest_known && b->level == s->rest_level) {
		s->rest_left -= hits < s->rest_left ? hits : s->rest_left;
	}
}

/* Finds out whether the block holds any; false: a key waits. */
static bool judge(struct hit_walk *s)
{
	const struct block *b = &s->doc->blocks[s->block];
	uint64_t hits;

	s->rest_known = s->rest_known && b->level >= s->rest_level;
	if (rest_is_known(s, b)) {
		s->holds = !b->expanded && (s->back || s->rest_left);
	} else if (says_nothing(b)) {
		s->holds = true;
	} else {
		stop_begin();
		hits = count_block(s);
		if (stop_end())
			return false;
		s->holds = hits > 0;
		if (hits)
			count_rest(s, b, hits);
	}
	return s->judged = true;
}

/* ---- looking at it ---- */

/* Opens what hides a hit in the block; true when that inserted blocks after it. */
static bool open_block(struct hit_walk *s)
{
	struct doc *d = s->doc;
	size_t before = d->count;

	doc_layout(d, s->block);
	if (!(s->back && s->bounded))
		doc_open(d, s->block);
	return d->count > before;
}

/* The hit to go to among those of a block's own lines, or HIT_WALK_ROW. */
static size_t choose(const struct hit_walk *s)
{
	const struct highlights *m = &s->marks;
	size_t hit;

	if (!s->bounded)
		return !m->hits ? HIT_WALK_ROW : s->back ? m->hits - 1 : 0;
	if (s->after != HIT_WALK_ROW)
		hit = s->back ? s->after : s->after + 1;
	else
		hit = highlights_from(m, s->row);
	if (s->back)
		return hit && hit <= m->hits ? hit - 1 : HIT_WALK_ROW;
	return hit < m->hits ? hit : HIT_WALK_ROW;
}

/* Whether a block is a note, or in the fold of one: a result that another step has. */
static bool is_of_note(const struct doc *d, size_t block)
{
	for (; block != SIZE_MAX; block = doc_parent(d, block))
		if (d->blocks[block].part == DOC_NOTE)
			return true;
	return false;
}

/* Looks for the hit in the lines of a block that contains one; true when it is there. */
static bool show_hit(struct hit_walk *s)
{
	size_t before = s->doc->count, block = s->block;

	if (is_of_note(s->doc, block) ||
		(s->enters && !s->enters(s->ctx, s->doc, block))) {
		leave_block(s);
		return false;
	}
	if (open_block(s) && s->back && !s->bounded) {
		enter_block(s, block + (s->doc->count - before));
		return false;
	}
	if (!s->counts || s->counts(s->ctx, s->doc, block)) {
		highlights_find_in(&s->marks, s->doc, block, s->query);
		s->hit = choose(s);
		if (s->hit != HIT_WALK_ROW)
			return true;
	}
	leave_block(s);
	return false;
}

enum task_state hit_walk_run(struct hit_walk *s, uint64_t deadline)
{
	unsigned passed = 0;

	while (!is_over(s)) {
		if (!s->judged && !judge(s))
			return TASK_MORE;
		if (!s->holds)
			leave_block(s);
		else if (show_hit(s))
			return TASK_DONE;
		if (passed++ % 64 == 0 && clock_passed(deadline))
			return TASK_MORE;
	}
	return TASK_FAILED;
}
