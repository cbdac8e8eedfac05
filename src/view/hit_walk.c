/* See hit_walk.h.  Going back, what a block opens into is gone through before it. */
#include "config.h"
#include "view/hit_walk.h"

#include "base/clock.h"
#include "view/conversation.h"
#include "view/tree.h"

#define PART (256u * 1024)

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
	s->part = 0;
	s->fed = 0;
	s->hits = 0;
	s->feeding = s->judged = false;
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

static bool take_text(void *ctx, struct str text, uint64_t hits)
{
	struct hit_walk *s = ctx;

	return s->takes(s->ctx, s->doc, s->block, text);
}

static bool feed(struct hit_walk *s, struct str text, enum texts_kind kind, size_t *fed)
{
	struct str part = {text.p + *fed, text.n - *fed < PART ? text.n - *fed : PART};

	if (!s->feeding) {
		texts_each(s->texts, s->takes ? take_text : NULL, s);
		texts_begin(s->texts, kind, MARKS_PATIENCE);
	}
	s->feeding = true;
	texts_feed(s->texts, part);
	*fed += part.n;
	return *fed == text.n;
}

void hit_walk_stop(struct hit_walk *s)
{
	s->feeding = false;
}

/* How often the query is in a text, in slices: *fed and *hits are 0 at first. */
static enum task_state count_run(struct hit_walk *s, struct str text,
	enum texts_kind kind, size_t *fed, uint64_t *hits, uint64_t deadline)
{
	bool gave_up;

	while (text.n && !feed(s, text, kind, fed))
		if (clock_passed(deadline))
			return TASK_MORE;
	if (text.n)
		*hits = texts_end(s->texts, &gave_up);
	s->feeding = false;
	return TASK_DONE;
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
			*text = (struct str){b->value.p, b->value.n};
	} else if (part == 2) {
		if (b->key.kind == J_STRING)
			*text = (struct str){b->key.p, b->key.n};
	} else {
		if (!b->head || !conversation_answer(s->doc, s->block, part - 3, &answer))
			return false;
		*text = (struct str){answer.p, answer.n};
	}
	return true;
}

/* A block of neither text nor value is looked at: it shows what others hold; not a head,
 * which says for what messages it stands. */
static bool says_nothing(const struct block *b)
{
	return !b->head && !b->text.n && !b->value.p;
}

/* The rest of a container, when that is known without reading it. */
static bool rest_is_known(struct hit_walk *s, const struct block *b)
{
	s->rest_known = s->rest_known && b->level >= s->rest_level;
	if (!tree_is_rest(s->doc, s->block))
		return false;
	if (b->expanded)
		s->hits = 0;
	else if (s->rest_known && b->level == s->rest_level)
		s->hits = s->back ? 1 : s->rest_left;
	else
		return false;
	return true;
}

/* The block was read. */
static void count_rest(struct hit_walk *s, const struct block *b)
{
	if (tree_is_rest(s->doc, s->block)) {
		s->rest_known = s->hits > 0;
		s->rest_level = b->level;
		s->rest_left = s->hits;
	} else if (s->rest_known && b->level == s->rest_level) {
		s->rest_left -= s->hits < s->rest_left ? s->hits : s->rest_left;
	}
}

/* One part of the judgement; false: more is to be done. */
static bool judge(struct hit_walk *s, uint64_t deadline)
{
	const struct block *b = &s->doc->blocks[s->block];
	enum texts_kind kind;
	struct str text;
	uint64_t hits = 0;

	if (!s->part && !s->fed && rest_is_known(s, b)) {
		s->judged = true;
	} else if (says_nothing(b)) {
		s->hits = 1;
		s->judged = true;
	} else if (!part_of(s, s->part, &text, &kind)) {
		s->judged = true;
	} else if (count_run(s, text, kind, &s->fed, &hits, deadline) == TASK_DONE) {
		if (hits && kind == TEXTS_RAW && s->takes && !take_text(s, text, hits))
			hits = 0;
		s->hits += hits;
		s->judged = s->hits > 0;
		s->part++;
		s->fed = 0;
		if (s->judged)
			count_rest(s, b);
	}
	return s->judged;
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
	size_t hit = 0;

	if (!s->bounded)
		return !m->hits ? HIT_WALK_ROW : s->back ? m->hits - 1 : 0;
	if (s->after != HIT_WALK_ROW)
		hit = s->back ? s->after : s->after + 1;
	else
		while (hit < m->hits && highlights_line_of(m, hit) < s->row)
			hit++;
	if (s->back)
		return hit && hit <= m->hits ? hit - 1 : HIT_WALK_ROW;
	return hit < m->hits ? hit : HIT_WALK_ROW;
}

/* Looks for the hit in the lines of a block that contains one; true when it is there. */
static bool show_hit(struct hit_walk *s)
{
	size_t before = s->doc->count, block = s->block;
	uint64_t patience = MARKS_PATIENCE;

	if (s->enters && !s->enters(s->ctx, s->doc, block)) {
		leave_block(s);
		return false;
	}
	if (open_block(s) && s->back && !s->bounded) {
		enter_block(s, block + (s->doc->count - before));
		return false;
	}
	if (!s->counts || s->counts(s->ctx, s->doc, block)) {
		highlights_find(
			&s->marks, doc_layout(s->doc, block), s->query, &patience);
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
		if (!s->judged && !judge(s, deadline))
			;
		else if (!s->hits)
			leave_block(s);
		else if (show_hit(s))
			return TASK_DONE;
		if (passed++ % 64 == 0 && clock_passed(deadline))
			return TASK_MORE;
	}
	return TASK_FAILED;
}
