/*
 * See doc_hits.h.  Laid-out lines are put together again to the texts they came from;
 * segments remember where each piece of such a text stands.  The program's own words,
 * punctuation that the views put around values, and the quotes of keys belong to no text.
 */
#include "config.h"
#include "view/doc_hits.h"

#include <stdlib.h>

#include "base/sort.h"
#include "text/safe.h"
#include "view/conversation.h"
#include "view/tree.h"

#define TAG      0xE0000u /* tag characters stand above their ASCII by so much */
#define PICTURES 0x2400u  /* symbols for control characters, in their order */

/* `n` bytes of the text stand at [from, to) of the lines' text. */
struct segment {
	size_t at, n;
	size_t line;
	uint32_t from, to;
};

struct flow {
	const struct lines *lines;
	struct highlights *marks;
	struct query_run run;
	struct buf text;
	struct segment *segments;
	size_t count, cap;
};

void highlights_done(struct highlights *m)
{
	mem_free(m->items);
	*m = (struct highlights){0};
}

/* ---- from a hit to its marks ---- */

static uint64_t segment_end(const void *items, size_t i)
{
	const struct segment *item = (const struct segment *)items + i;

	return item->at + item->n;
}

static bool take_hit(void *ctx, uint64_t from, uint64_t to)
{
	struct flow *f = ctx;
	struct highlights *m = f->marks;
	size_t before = m->count;
	/* the first segment that ends after the beginning of the hit */
	size_t i = sorted_below(f->segments, f->count, from + 1, segment_end);

	for (; i < f->count && f->segments[i].at < to; i++) {
		const struct segment *s = &f->segments[i];
		bool whole = s->to - s->from != s->n; /* a stand-in has no parts */
		uint32_t skip = from > s->at && !whole ? (uint32_t)(from - s->at) : 0;
		uint32_t end = to < s->at + s->n && !whole ? (uint32_t)(to - s->at)
							   : s->to - s->from;

		*MEM_ADD(m->items, m->count, m->cap) = (struct highlight){
			s->line, s->from + skip, s->from + end, m->hits};
	}
	m->hits += m->count > before; /* not one of blanks that were dropped */
	return true;
}

/* The text is complete: what follows is another. */
static void end_text(struct flow *f)
{
	if (f->text.len)
		query_text(&f->run, buf_view(&f->text));
	buf_clear(&f->text);
	f->count = 0;
}

/* ---- from lines to texts ---- */

static void add_segment(struct flow *f, size_t line, uint32_t from, uint32_t to, size_t n)
{
	*MEM_ADD(f->segments, f->count, f->cap) =
		(struct segment){f->text.len - n, n, line, from, to};
}

/* What text/safe made of a character beyond ASCII: <202E>, <9B>, <tag:words>.  Returns
 * how many bytes of the mark that was, 0: it is none of them. */
static size_t undo_brackets(struct str mark, struct buf *out)
{
	const char *end = mark.n ? memchr(mark.p, '>', mark.n) : NULL;
	unsigned code = 0;

	if (!end || mark.p[0] != '<' || end - mark.p < 2)
		return 0;
	if (str_starts(mark, STR("<tag:"))) {
		for (const char *p = mark.p + 5; p < end; p++)
			buf_utf8(out, TAG + (unsigned char)*p);
		return (size_t)(end - mark.p) + 1;
	}
	for (const char *p = mark.p + 1; p < end; p++) {
		static const char digits[] = "0123456789ABCDEF";
		const char *digit = *p ? strchr(digits, *p) : NULL;

		if (!digit || code > 0x10FFFF)
			return 0;
		code = code * 16 + (unsigned)(digit - digits);
	}
	buf_utf8(out, code);
	return (size_t)(end - mark.p) + 1;
}

/* One character of a mark, as it was in the text; returns the bytes it took of the mark.
 */
static size_t undo_mark(struct str mark, struct buf *out)
{
	size_t n = undo_brackets(mark, out);
	unsigned code;
	bool valid;

	if (n)
		return n;
	if (mark.n > 1 && mark.p[0] == '^') {
		buf_byte(out, (char)(mark.p[1] ^ 0x40));
		return 2;
	}
	n = utf8_decode(mark.p, mark.n, &code, &valid);
	if (code >= PICTURES && code < PICTURES + 0x20)
		buf_byte(out, (char)(code - PICTURES));
	else if (code == PICTURES + 0x21)
		buf_byte(out, 0x7F);
	else if (code == 0xFFFD || code == '?')
		buf_byte(out, (char)0xFF); /* what is no text matches `.` alone */
	else
		buf_add(out, mark.p, n);
	return n;
}

static void add_span(struct flow *f, size_t line, const struct span *s, uint32_t skip)
{
	struct str text = str_skip(lines_text(f->lines, s), skip);
	uint32_t start = s->start + skip;
	bool key = s->role == ROLE_KEY, marks = s->role == ROLE_MARK;

	if (!text.n)
		return;
	if (s->role == ROLE_PUNCT || s->own || key)
		end_text(f);
	if (s->role == ROLE_PUNCT || s->own)
		return;
	if (key && text.p[0] == '"') { /* it stands as it is written, with its quotes */
		start++;
		text = (struct str){text.p + 1, text.n - 1};
		if (text.n && text.p[text.n - 1] == '"')
			text.n--;
	}
	for (uint32_t n; marks && text.n; start += n, text = str_skip(text, n)) {
		size_t before = f->text.len;

		n = (uint32_t)undo_mark(text, &f->text);
		add_segment(f, line, start, start + n, f->text.len - before);
	}
	if (text.n) {
		buf_str(&f->text, text);
		add_segment(f, line, start, start + (uint32_t)text.n, text.n);
	}
	if (key)
		end_text(f);
}

void highlights_find(struct highlights *m, const struct lines *ls, const struct query *q,
	uint64_t *time_left)
{
	struct flow f = {.lines = ls, .marks = m};

	m->count = m->hits = 0;
	query_begin(&f.run, q);
	f.run.each = take_hit;
	f.run.ctx = &f;
	f.run.time_left = *time_left;
	for (size_t i = 0; i < ls->count; i++) {
		const struct line *l = &ls->lines[i];
		uint32_t prefix = l->prefix;

		for (uint32_t n = 0; n < l->count; n++) {
			const struct span *s = &ls->spans[l->first + n];
			uint32_t skip = prefix < s->len ? prefix : s->len;

			prefix -= skip;
			add_span(&f, i, s, skip);
		}
		if (l->goes_on)
			buf_fill(&f.text, ' ', l->dropped);
		else
			buf_byte(&f.text, '\n');
	}
	end_text(&f);
	*time_left = f.run.time_left;
	query_done(&f.run);
	buf_done(&f.text);
	mem_free(f.segments);
}

/* ---- showing them ---- */

void highlights_find_in(
	struct highlights *m, struct doc *d, size_t block, const struct query *q)
{
	uint64_t time_left = MARKS_TIME_LIMIT;

	highlights_find(m, doc_layout(d, block), q, &time_left);
}

uint32_t highlights_line_of(const struct highlights *m, size_t hit)
{
	size_t low = SORTED_BELOW(m->items, m->count, hit, hit);

	return hit < m->hits ? (uint32_t)m->items[low].line : 0;
}

size_t highlights_from(const struct highlights *m, uint32_t line)
{
	size_t hit = 0;

	while (hit < m->hits && highlights_line_of(m, hit) < line)
		hit++;
	return hit;
}

bool highlights_show(const struct highlights *m, const struct lines *ls, size_t line,
	size_t found, struct lines *out)
{
	size_t at = SORTED_BELOW(m->items, m->count, line, line);
	const struct line *l = &ls->lines[line];
	struct safe_cluster c;

	if (at == m->count || m->items[at].line != line)
		return false;
	lines_clear(out);
	lines_begin(out);
	for (uint32_t i = 0; i < l->count; i++) {
		const struct span *s = &ls->spans[l->first + i];
		struct str text = lines_text(ls, s);

		/* each character in its own role, or in that of the mark it is in */
		for (uint32_t n = 0; n < s->len; n += (uint32_t)c.taken) {
			uint32_t from = s->start + n;
			const struct highlight *k = &m->items[at];
			enum role role = s->role;

			safe_next(text.p + n, text.n - n, &c);
			while (at + 1 < m->count && m->items[at].to <= from &&
				m->items[at + 1].line == line)
				k = &m->items[++at];
			if (from + c.taken > k->from && from < k->to)
				role = k->hit == found ? ROLE_FOUND : ROLE_HIT;
			lines_put(out, role, (struct str){text.p + n, c.taken}, c.width);
		}
	}
	return true;
}

/* ---- which blocks count ---- */

static size_t outermost(const struct doc *d, size_t block)
{
	size_t parent;

	while ((parent = doc_parent(d, block)) != SIZE_MAX)
		block = parent;
	return block;
}

/* Words about parts are no part: not even a tool's name in them. */
static bool is_said(const struct doc *d, size_t block)
{
	return !d->blocks[block].head && d->blocks[block].part != DOC_NOTE;
}

bool scoped_query_shows(const struct scoped_query *s, struct doc *d, size_t block)
{
	const struct side_reading *side = d->context;
	enum speaker speaker = SPEAKER_TOOL; /* SPEAKER_OTHER is the first of them */
	size_t head;
	unsigned part; /* of the fold that holds it; prose knows nothing of itself */

	switch (s->kind) {
	case WITHIN_ANY:
		return is_said(d, block);
	case WITHIN_NAME:
		return false;
	case WITHIN_KEY:
		for (; tree_is_node(d, block); block = doc_parent(d, block)) {
			struct jv key = d->blocks[block].key;

			if (key.kind == J_STRING && jv_is(key, buf_view(&s->key)))
				return true;
		}
		return false;
	case WITHIN_SIDE:
		return side && is_said(d, block) &&
		       (side->reading->opened->shared || side->input == (s->what != 0)) &&
		       (tree_is_node(d, block) || doc_head(d, block) != SIZE_MAX);
	case WITHIN_ERROR: /* the words above a side, and the value below them */
		if (doc_head(d, block) != SIZE_MAX)
			return false;
		if (!tree_is_node(d, block))
			return d->blocks[block].role == ROLE_ERROR;
		while (!d->blocks[block].root)
			block = doc_parent(d, block);
		return jv_is(d->blocks[block].key, STR("error"));
	case WITHIN_SPEAKER:
	case WITHIN_PART:
		break;
	}
	head = doc_head(d, block);
	part = d->blocks[outermost(d, block)].part;
	if (head == SIZE_MAX || !is_said(d, block))
		return false;
	while (speaker != SPEAKER_OTHER &&
		message_speaker_role(speaker) != d->blocks[head].role)
		speaker--;
	return scoped_query_takes(
		s, speaker, part ? (enum part_kind)(part - 1) : PART_TEXT);
}

/* Above the messages: the line, the tools, parameters; or the value of a side. */
static bool enters_above(const struct hit_count *c, const struct doc *d, size_t block)
{
	const struct step_content *o = c->opened;
	size_t outer = outermost(d, block);
	const struct block *b = &d->blocks[outer];
	bool tools = b->value.p && b->value.p == o->facts.v[FACT_TOOLS].p;

	if (tools && outer == block && c->facts[FACTS_LINE])
		return true;
	if (tools)
		return c->facts[FACTS_TOOLS];
	if (!tree_is_node(d, outer)) /* notes are ours, but for the step's error */
		return b->role == ROLE_DIM     ? c->facts[FACTS_LINE]
		       : b->role == ROLE_ERROR ? b->data != NULL
					       : b->role != ROLE_WARNING;
	while (!b->root && outer)
		b = &d->blocks[--outer];
	if (b->key.kind == J_NONE || jv_is(b->key, STR("error")) ||
		b->value.p == o->facts.value.p)
		return true;
	return c->facts[FACTS_PARAMETERS];
}

/* Whether hits in a block count, on a side: not what is repeated.  Linear in the blocks
 * back to its message, in a tree in the messages. */
static bool enters(const struct hit_walk *s)
{
	const struct side_reading *side = s->doc->context;
	const struct hit_count *c = s->known;
	size_t head, first, count;

	if (!c || s->rest || !side || s->scope->all)
		return true;
	head = doc_head(s->doc, s->block);
	if (head == SIZE_MAX && s->scope->kind == WITHIN_ANY &&
		!enters_above(c, s->doc, s->block))
		return false;
	if (head != SIZE_MAX && new_messages_is_gone(s->doc, head))
		return false;
	if (head == SIZE_MAX || !new_messages_run(s->doc, head, &first, &count))
		first = conversation_message(side->side, s->doc, s->block);
	return !hit_count_is_repeated(c, side->input, first);
}

/* Within bytes that a side shows. */
static bool is_shown(const struct hit_count *c, const struct doc *d, size_t block)
{
	for (; block != SIZE_MAX; block = doc_parent(d, block))
		for (size_t i = 0; i < c->range_count; i++) {
			const char *p = d->blocks[block].value.p;

			if (p >= c->ranges[i].from && p < c->ranges[i].to)
				return true;
		}
	return false;
}

/* Whether hits of a text count that a block shows or stands for. */
static bool takes(const struct hit_walk *s, struct str text)
{
	const struct hit_count *c = s->known;

	if (!c || s->scope->kind != WITHIN_ANY)
		return true;
	if (s->rest)
		return hit_count_takes_rest(
			c, map_hash(text), is_shown(c, s->doc, s->block));
	/* in a tree of all that there is */
	return !tree_is_node(s->doc, s->block) ||
	       doc_head(s->doc, s->block) != SIZE_MAX || hit_count_of(c, map_hash(text));
}

/* Whether the lines of a block count; that of an opened container says its key. */
static bool counts(const struct hit_walk *s)
{
	const struct block *b = &s->doc->blocks[s->block];
	AUTO_BUF key = BUF_INIT;

	if (!s->scope)
		return true;
	if (s->known && s->scope->kind == WITHIN_ANY && tree_is_node(s->doc, s->block) &&
		b->open && b->key.kind == J_STRING) {
		jv_decode(b->key, &key);
		if (!takes(s, buf_view(&key)))
			return false;
	}
	return scoped_query_shows(s->scope, s->doc, s->block);
}

/* ---- a walk ---- */

/* Going back, what a block opens into is gone through before it. */

static bool take_text(void *ctx, const struct texts_found *found)
{
	return takes(ctx, found->text);
}

void hit_walk_init(struct hit_walk *s, const struct query *q)
{
	*s = (struct hit_walk){.query = q, .texts = texts_new(q, take_text, s)};
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

static void enter_block(struct hit_walk *s, size_t block)
{
	s->block = block;
	s->looked = false;
}

void hit_walk_from_edge(struct hit_walk *s, struct doc *d)
{
	size_t event = d->count;

	s->doc = d;
	for (size_t at = d->count; at-- > 0 && event == d->count;)
		event = is_event(s, at) ? at : event;
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

static void leave_block(struct hit_walk *s)
{
	bool last = s->back && s->in_event && is_event(s, s->block);

	s->bounded = false;
	enter_block(s, last ? SIZE_MAX : s->back ? s->block - 1 : s->block + 1);
}

/* ---- does a block hold it? ---- */

/* How many hits the first of what the block shows or stands for has: its text, its value,
 * its key, what was answered to its calls. */
static uint64_t count_block(struct hit_walk *s)
{
	const struct block *b = &s->doc->blocks[s->block];
	bool rest = tree_is_rest(s->doc, s->block);
	struct jv answer;
	uint64_t hits;

	hits = texts_count(
		s->texts, rest ? TEXTS_JSON : TEXTS_RAW, b->text, MARKS_TIME_LIMIT);
	if (!hits && !stop_asked() && b->value.p && !rest)
		hits = texts_count(
			s->texts, TEXTS_JSON, jv_raw(b->value), MARKS_TIME_LIMIT);
	if (!hits && !stop_asked() && b->key.kind == J_STRING)
		hits = texts_count(
			s->texts, TEXTS_JSON, jv_raw(b->key), MARKS_TIME_LIMIT);
	for (unsigned i = 0; !hits && !stop_asked() && b->head &&
			     conversation_answer(s->doc, s->block, i, &answer);
		i++)
		hits = texts_count(
			s->texts, TEXTS_JSON, jv_raw(answer), MARKS_TIME_LIMIT);
	return hits;
}

/* Finds out whether the block holds any; false: a key waits. */
static bool find_out(struct hit_walk *s)
{
	const struct block *b = &s->doc->blocks[s->block];
	bool rest = tree_is_rest(s->doc, s->block), of_rest;
	uint64_t hits;

	s->rest_known = s->rest_known && b->level >= s->rest_level;
	of_rest = s->rest_known && b->level == s->rest_level;
	s->looked = true;
	if (rest && (b->expanded || of_rest)) {
		s->holds = !b->expanded && (s->back || s->rest_left);
		return true;
	}
	/* of neither text nor value: it shows what others hold; not a head, which says
	 * for what messages it stands */
	s->holds = !b->head && !b->text.n && !b->value.p;
	if (s->holds)
		return true;
	stop_begin();
	hits = count_block(s);
	s->looked = !stop_end();
	s->holds = hits > 0;
	if (!s->looked || !hits)
		return s->looked;
	if (rest) {
		s->rest_known = true;
		s->rest_level = b->level;
		s->rest_left = hits;
	} else if (of_rest) {
		s->rest_left -= hits < s->rest_left ? hits : s->rest_left;
	}
	return true;
}

/* ---- looking at it ---- */

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

/* Looks for the hit in the lines of a block that contains one; true when it is there. */
static bool show_hit(struct hit_walk *s)
{
	struct doc *d = s->doc;
	size_t before = d->count, note = s->block;

	/* not in the fold of a note: a result that another step has */
	while (note != SIZE_MAX && d->blocks[note].part != DOC_NOTE)
		note = doc_parent(d, note);
	if (note != SIZE_MAX || !enters(s)) {
		leave_block(s);
		return false;
	}
	doc_layout(d, s->block);
	if (!s->back || !s->bounded) { /* what hides a hit in it is opened */
		doc_open(d, s->block);
		if (s->back && d->count > before) {
			enter_block(s, s->block + (d->count - before));
			return false;
		}
	}
	if (counts(s)) {
		highlights_find_in(&s->marks, d, s->block, s->query);
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

	/* SIZE_MAX, before the first block, is no block either */
	while (s->block < s->doc->count &&
		(s->in_event || s->back || !is_event(s, s->block))) {
		if (!s->looked && !find_out(s))
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

uint64_t hit_walk_count(struct hit_walk *s, size_t from)
{
	const size_t block = s->block;
	uint64_t hits = 0;

	for (s->block = from; s->block < block; s->block++) {
		if (!counts(s) || !enters(s))
			continue;
		highlights_find_in(&s->marks, s->doc, s->block, s->query);
		hits += s->marks.hits;
	}
	s->block = block;
	return hits;
}
