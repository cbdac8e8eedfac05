/* Blocks, their layout on demand, and moving among their rows: see doc.h. */
#include "config.h"
#include "view/doc.h"

#include "base/work.h"
#include "text/safe.h"

void doc_release(struct doc *d, size_t block)
{
	struct block *b = &d->blocks[block];

	if (!b->lines)
		return;
	lines_done(b->lines);
	mem_free(b->lines);
	b->lines = NULL;
	d->laid--;
}

/* Blocks from `at` on move or change: what is known of their heads is no longer true. */
static void forget_heads(struct doc *d, size_t at)
{
	if (at <= d->known_first)
		d->known_first = d->known_end = 0;
	else if (at < d->known_end)
		d->known_end = at;
}

/* ---- sections ---- */

void doc_enter(struct doc *d, struct doc_section *section)
{
	struct doc_section *from = d->section ? d->section : &d->own;
	struct doc_section *to = section ? section : &d->own;

	if (from == to)
		return;
	from->context = d->context;
	from->arena = d->arena;
	d->context = to->context;
	d->arena = to->arena;
	d->section = section;
}

void doc_splice(struct doc *d, size_t at, struct doc *from, struct doc_section *section)
{
	size_t n = from->count;

	doc_enter(d, NULL);
	section->context = from->context;
	section->arena = from->arena;
	from->arena = (struct arena){0};
	if (n) {
		doc_insert_many(d, at, from->blocks[0].ops, n);
		memcpy(&d->blocks[at], from->blocks, n * sizeof(*from->blocks));
	}
	for (size_t i = at; i < at + n; i++) {
		d->blocks[i].section = section;
		d->laid += d->blocks[i].lines != NULL;
	}
	from->count = from->laid = 0;
	doc_clear(from);
}

void doc_clear(struct doc *d)
{
	doc_enter(d, NULL);
	for (size_t i = 0; i < d->count; i++)
		doc_release(d, i);
	forget_heads(d, 0);
	d->count = 0;
	memset(d->places, 0, sizeof(d->places));
	arena_done(&d->arena);
}

void doc_done(struct doc *d)
{
	doc_clear(d);
	mem_free(d->blocks);
	*d = (struct doc){0};
}

size_t doc_bytes(const struct doc *d)
{
	size_t bytes = d->cap * sizeof(*d->blocks) + d->arena.bytes;

	for (size_t i = 0; i < d->count && d->laid; i++) {
		const struct lines *ls = d->blocks[i].lines;

		if (ls)
			bytes += sizeof(*ls) + ls->text.cap +
				 ls->span_cap * sizeof(*ls->spans) +
				 ls->cap * sizeof(*ls->lines);
	}
	return bytes;
}

struct block *doc_insert_many(
	struct doc *d, size_t at, const struct block_ops *ops, size_t n)
{
	struct block *b;

	d->blocks = mem_grow(d->blocks, &d->cap, d->count + n, sizeof(*d->blocks));
	count_work(WORK_BLOCKS, d->count - at + n);
	b = &d->blocks[at];
	memmove(b + n, b, (d->count - at) * sizeof(*b));
	for (size_t i = 0; i < DOC_PLACES && d->count; i++)
		if (d->places[i].block >= at)
			d->places[i].block += n;
	for (size_t i = 0; i < n; i++)
		b[i] = (struct block){
			.ops = ops, .limit = DOC_ALL, .section = d->section};
	d->count += n;
	forget_heads(d, at);
	return b;
}

struct block *doc_add(struct doc *d, const struct block_ops *ops)
{
	return doc_insert_many(d, d->count, ops, 1);
}

void doc_copy(struct doc *d, const struct doc *from, size_t block)
{
	struct block *b = doc_add(d, from->blocks[block].ops);

	*b = from->blocks[block];
	b->lines = NULL;
	b->lines_width = 0;
	d->context = from->context;
}

void doc_remove(struct doc *d, size_t first, size_t count)
{
	for (size_t i = first; i < first + count; i++)
		doc_release(d, i);
	forget_heads(d, first);
	count_work(WORK_BLOCKS, d->count - first);
	memmove(d->blocks + first, d->blocks + first + count,
		(d->count - first - count) * sizeof(*d->blocks));
	d->count -= count;
	for (size_t i = 0; i < DOC_PLACES; i++) {
		struct place *p = &d->places[i];

		if (p->block >= first + count)
			p->block -= count;
		else if (p->block >= first)
			*p = (struct place){first ? first - 1 : 0, 0};
	}
}

size_t doc_fold_end(const struct doc *d, size_t at)
{
	size_t end = at + 1;

	while (end < d->count && !d->blocks[end].head &&
		d->blocks[end].level > d->blocks[at].level)
		end++;
	count_work(WORK_BLOCKS, end - at);
	return end;
}

/* ---- opening ---- */

/* Blocks that are moved away while others are inserted before them one by one, each of
 * which would move them all. */
struct moved_blocks {
	struct block *blocks;
	size_t count;
};

static struct moved_blocks set_aside(struct doc *d, size_t from)
{
	struct moved_blocks a = {.count = d->count - from};

	if (!a.count)
		return a;
	count_work(WORK_BLOCKS, a.count);
	a.blocks = mem_dup(d->blocks + from, a.count * sizeof(*a.blocks));
	d->count = from;
	return a;
}

static void put_back(struct doc *d, struct moved_blocks a)
{
	if (!a.count)
		return;
	d->blocks = mem_grow(d->blocks, &d->cap, d->count + a.count, sizeof(*d->blocks));
	count_work(WORK_BLOCKS, a.count);
	memcpy(d->blocks + d->count, a.blocks, a.count * sizeof(*a.blocks));
	d->count += a.count;
	mem_free(a.blocks);
}

bool doc_turn_fold(struct doc *d, size_t at)
{
	uint32_t least = UINT32_MAX, level = d->blocks[at].level;
	struct moved_blocks rest;
	bool holds;

	if (d->blocks[at].open) {
		doc_remove(d, at + 1, doc_fold_end(d, at) - at - 1);
		d->blocks[at].open = false;
		return true;
	}
	rest = set_aside(d, at + 1);
	holds = d->blocks[at].ops->unfold(d, at);
	d->blocks[at].open = holds;
	for (size_t i = at + 1; i < d->count; i++)
		least = d->blocks[i].level < least ? d->blocks[i].level : least;
	for (size_t i = at + 1; i < d->count && least <= level; i++)
		d->blocks[i].level += level + 1 - least;
	put_back(d, rest);
	return holds;
}

static void expand(struct doc *d, size_t at)
{
	const struct block_ops *ops = d->blocks[at].ops;
	struct moved_blocks rest;

	d->blocks[at].expanded = true;
	doc_enter(d, d->blocks[at].section);
	if (ops->opens && ops->opens(d, &d->blocks[at]))
		doc_turn_fold(d, at);
	if (!ops->expand)
		return;
	rest = set_aside(d, at + 1);
	ops->expand(d, at);
	put_back(d, rest);
}

static bool has_fold(const struct doc *d, size_t at)
{
	const struct block_ops *ops = d->blocks[at].ops;

	return ops->toggle && (!ops->toggles || ops->toggles(d, at));
}

/* A fold reaches, whatever it opens or closes, no further than the next piece of its
 * message, or, where it holds messages, their fence. */
static bool toggle_fold(struct doc *d, size_t at)
{
	bool head = d->blocks[at].head, done;
	struct moved_blocks rest;
	size_t end = at + 1;

	if (!has_fold(d, at))
		return false;
	doc_enter(d, d->blocks[at].section);
	while (end < d->count &&
		(head ? d->blocks[end].ops != &doc_fence_ops
		      : !d->blocks[end].head && d->blocks[end].level > 1))
		end++;
	count_work(WORK_BLOCKS, end - at);
	rest = set_aside(d, end);
	done = d->blocks[at].ops->toggle(d, at);
	put_back(d, rest);
	return done;
}

/* ---- layout ---- */

#define BAR_CELLS 2

/* Puts bars before all lines. */
static void put_lines(
	struct lines *out, const struct lines *from, uint32_t depth, enum role edge)
{
	for (size_t i = 0; i < from->count; i++) {
		const struct line *line = &from->lines[i];
		size_t before;
		struct line *made;

		lines_begin(out);
		before = out->text.len;
		for (uint32_t k = 0; k < depth; k++) {
			glyph_put_own(out, ROLE_BORDER, GLYPH_VLINE);
			lines_put_own(out, ROLE_BORDER, STR(" "), 1);
		}
		if (edge != ROLE_TEXT)
			glyph_put_own(out, edge, GLYPH_PROMPT);
		made = &out->lines[out->count - 1];
		made->prefix = line->prefix + (uint32_t)(out->text.len - before);
		made->dropped = line->dropped;
		made->goes_on = line->goes_on;
		for (uint32_t k = 0; k < line->count; k++) {
			struct span span = from->spans[line->first + k];

			if (edge != ROLE_TEXT && span.role == ROLE_TEXT)
				span.role = ROLE_STRONG; /* it stands out */
			lines_put_span(out, from, &span);
		}
	}
	out->bidi = from->bidi;
}

/* The rows of a block in a section: narrower, behind its bars. */
static void lay_out_within(struct doc *d, size_t at)
{
	struct block *b = &d->blocks[at];
	size_t head = b->head ? SIZE_MAX : doc_head(d, at);
	enum role edge = head == SIZE_MAX ? ROLE_TEXT : d->blocks[head].edge;
	uint32_t indent = b->indent;
	uint32_t depth = b->section->depth, cells = BAR_CELLS * depth, width = d->width;
	AUTO(lines_done) struct lines plain = {.limit = b->lines->limit};

	if (!depth && edge == ROLE_TEXT) {
		b->ops->layout(d, b, b->lines, width);
		return;
	}
	if (width && cells > width / 2) {
		depth = width / 2 / BAR_CELLS;
		cells = BAR_CELLS * depth;
	}
	if (edge != ROLE_TEXT) { /* it stands where the first cells of the indent do */
		cells += BAR_CELLS;
		b->indent -= indent < BAR_CELLS ? indent : BAR_CELLS;
	}
	b->ops->layout(d, b, &plain, !width ? 0 : width > cells ? width - cells : 1);
	b->indent = indent;
	put_lines(b->lines, &plain, depth, edge);
}

/* At least the first `most` lines of a block, of which the last may be cut short. */
static const struct lines *lay_out(struct doc *d, size_t at, uint32_t most)
{
	struct block *b = &d->blocks[at];

	count_work(WORK_BLOCKS, 1);
	if (!b->expanded) {
		expand(d, at);
		b = &d->blocks[at];
	}
	/* a layout that was cut short may have so many rows all the same */
	if (b->lines && b->lines_width == d->width &&
		(!lines_full(b->lines) || (most != DOC_ALL && b->lines->limit >= most)))
		return b->lines;
	if (!b->lines) {
		b->lines = mem_zalloc(1, sizeof(*b->lines));
		d->laid++;
	}
	lines_clear(b->lines);
	b->lines->limit = most == DOC_ALL ? 0 : most;
	b->lines_width = d->width;
	doc_enter(d, b->section);
	if (b->section && b->ops->layout)
		lay_out_within(d, at);
	else if (b->ops->layout)
		b->ops->layout(d, b, b->lines, d->width);
	return b->lines;
}

const struct block_ops doc_fence_ops = {0};

const struct lines *doc_layout(struct doc *d, size_t block)
{
	return lay_out(d, block, DOC_ALL);
}

void doc_width(struct doc *d, uint32_t width)
{
	uint64_t before[DOC_PLACES] = {0};

	if (width == d->width)
		return;
	for (size_t i = 0; i < DOC_PLACES; i++)
		if (d->places[i].block < d->count && d->places[i].row)
			before[i] = lay_out(d, d->places[i].block, DOC_ALL)->count;
	d->width = width;
	for (size_t i = 0; i < DOC_PLACES; i++) {
		struct place *p = &d->places[i];

		if (before[i])
			p->row =
				(uint32_t)(p->row * lay_out(d, p->block, DOC_ALL)->count /
					   before[i]);
	}
}

size_t doc_head(struct doc *d, size_t block)
{
	size_t i = block + 1;
	bool known = false;

	while (i && !(known = i > d->known_first && i <= d->known_end) &&
		!d->blocks[i - 1].head)
		i--;
	count_work(WORK_BLOCKS, block + 2 - i);
	if (!known) {
		d->known_head = i ? i - 1 : SIZE_MAX;
		d->known_first = i ? i - 1 : 0;
		d->known_end = block + 1;
	} else if (d->known_end <= block) {
		d->known_end = block + 1;
	}
	return d->known_head;
}

/* Lines to lay out where `left` are seen: one more may be shown in place of "more". */
static uint32_t rows_wanted(uint32_t left)
{
	return left < DOC_ALL - 2 ? left + 2 : DOC_ALL;
}

/* The part of a block that the fold of its message shows: its own rows, then possibly the
 * row that says that there is more. */
struct visible {
	uint32_t rows;
	bool more;
	bool hidden; /* the fold hides all of it, and what follows in its message */
};

/* A block that the fold hides is not laid out: it may expand to a hundred thousand. */
static struct visible visible_part(struct doc *d, size_t at)
{
	size_t head = d->blocks[at].head ? SIZE_MAX : doc_head(d, at);
	uint32_t left = head == SIZE_MAX ? DOC_ALL : d->blocks[head].limit, rows;
	bool last;

	/* the rows that the fold leaves for this block */
	for (size_t i = head + 1; i < at && left && left != DOC_ALL; i++) {
		rows = (uint32_t)lay_out(d, i, rows_wanted(left))->count;
		left = rows < left ? left - rows : 0;
	}
	if (!left)
		return (struct visible){.hidden = true};
	rows = (uint32_t)lay_out(d, at, rows_wanted(left))->count;
	last = at + 1 == d->count || d->blocks[at + 1].head ||
	       d->blocks[at + 1].ops == &doc_fence_ops;
	/* a line that says "more" would take as much room as a last row */
	if (rows < left || (last && rows - left <= 1))
		return (struct visible){.rows = rows};
	return (struct visible){.rows = left, .more = true};
}

uint32_t doc_rows(struct doc *d, size_t block)
{
	struct visible s = visible_part(d, block);

	return s.rows + s.more;
}

const struct lines *doc_line(struct doc *d, struct place p, size_t *line)
{
	static struct lines plain, full;
	struct lines *more = safe_ascii() ? &plain : &full;

	*line = 0;
	if (p.row < visible_part(d, p.block).rows) {
		*line = p.row;
		return d->blocks[p.block].lines;
	}
	if (!more->count) { /* says that a message is longer than its fold shows */
		lines_begin(more);
		lines_put(more, ROLE_DIM, STR("  "), 2);
		glyph_put(more, ROLE_DIM, GLYPH_ELLIPSIS);
		lines_put(more, ROLE_DIM, STR(" more: space opens it"), 21);
	}
	return more;
}

/* ---- moving ---- */

bool doc_before(struct place a, struct place b)
{
	return a.block < b.block || (a.block == b.block && a.row < b.row);
}

bool doc_down(struct doc *d, struct place *p, uint64_t n)
{
	struct place at = *p;
	struct visible s = {0};
	uint32_t rows = 0;

	if (at.block < d->count) {
		s = visible_part(d, at.block);
		rows = s.rows + s.more;
	}
	while (n) {
		if (at.row + 1 < rows) {
			uint64_t step = rows - 1 - at.row < n ? rows - 1 - at.row : n;

			at.row += (uint32_t)step;
			n -= step;
			*p = at;
			continue;
		}
		do {
			/* after a fold the rest of the message is skipped */
			while (++at.block < d->count && (s.hidden || s.more) &&
				!d->blocks[at.block].head)
				;
			if (at.block >= d->count)
				return false;
			s = visible_part(d, at.block);
			rows = s.rows + s.more;
		} while (!rows);
		at.row = 0;
		n--;
		*p = at;
	}
	return true;
}

/* The visible rows of the block before *at.  Laying it out may insert blocks after it;
 * then *at becomes the last of them. */
static uint32_t rows_before(struct doc *d, size_t *at)
{
	size_t before = d->count;
	struct visible s = visible_part(d, --*at);
	uint32_t rows = s.rows + s.more;

	if (s.hidden) { /* as all blocks back to the first hidden one of the message */
		size_t i = doc_head(d, *at) + 1;

		while (i < *at && !visible_part(d, i).hidden)
			i++;
		*at = i;
		return 0;
	}
	while (d->count != before) {
		*at += d->count - before;
		before = d->count;
		rows = doc_rows(d, *at);
	}
	return rows;
}

bool doc_up(struct doc *d, struct place *p, uint64_t n)
{
	while (n) {
		size_t at = p->block;
		uint32_t rows = 0;

		if (p->row) {
			uint64_t step = p->row < n ? p->row : n;

			p->row -= (uint32_t)step;
			n -= step;
			continue;
		}
		while (at && !rows)
			rows = rows_before(d, &at);
		if (!rows)
			return false;
		*p = (struct place){at, rows - 1};
		n--;
	}
	return true;
}

void doc_settle(struct doc *d, struct place *p)
{
	struct place at = *p;
	uint32_t rows;

	if (!d->count) {
		*p = (struct place){0, 0};
		return;
	}
	if (at.block >= d->count)
		at = (struct place){d->count - 1, 0};
	rows = doc_rows(d, at.block);
	if (rows) {
		*p = (struct place){at.block, at.row < rows ? at.row : rows - 1};
		return;
	}
	at.row = 0;
	*p = at;
	if (!doc_down(d, p, 1)) {
		*p = at;
		doc_up(d, p, 1);
	}
}

struct place doc_end(struct doc *d)
{
	struct place p = {0, 0};

	if (!d->count)
		return p;
	/* laying out the last block may insert more after it */
	do {
		p.block = d->count - 1;
		p.row = doc_rows(d, p.block);
	} while (p.block + 1 != d->count);
	if (p.row)
		p.row--;
	else
		doc_up(d, &p, 1);
	return p;
}

/* ---- folds ---- */

/* The fold of the block itself; not where its message's fold says that there is more. */
static bool toggle_block(struct doc *d, struct place *p)
{
	struct block *b = &d->blocks[p->block];
	size_t head = doc_head(d, p->block), at = p->block;

	if (!b->ops->toggle || p->row >= visible_part(d, at).rows || !toggle_fold(d, at))
		return false;
	if (at < d->count) /* it may have folded away what it stood in */
		doc_release(d, at);
	if (head != SIZE_MAX)
		d->blocks[head].limit = DOC_ALL;
	p->row = 0;
	if (p->block >= d->count)
		p->block = d->count - 1;
	return true;
}

/* The limit of a message goes from the first rows to all rows to the speaker alone, and
 * again; a short message skips the second. */
bool doc_toggle(struct doc *d, struct place *p)
{
	bool cut = false;
	uint32_t limit;
	size_t head;

	if (p->block >= d->count)
		return false;
	if (toggle_block(d, p))
		return true;
	head = doc_head(d, p->block);
	if (head == SIZE_MAX)
		return false;
	limit = d->blocks[head].limit;
	for (size_t i = head + 1;
		limit && limit != DOC_ALL && i < d->count && !d->blocks[i].head && !cut;
		i++)
		cut = visible_part(d, i).more;
	doc_limit_message(d, head, !limit ? DOC_FOLD : cut ? DOC_ALL : 0);
	if (!doc_rows(d, p->block))
		*p = (struct place){head, 0};
	doc_settle(d, p);
	return true;
}

bool doc_folds(struct doc *d, const struct place *p)
{
	return p->block < d->count &&
	       (has_fold(d, p->block) || doc_head(d, p->block) != SIZE_MAX);
}

bool doc_is_closed_fold(struct doc *d, const struct place *p)
{
	const struct block *b = p->block < d->count ? &d->blocks[p->block] : NULL;

	if (!b)
		return false;
	if (p->row >= visible_part(d, p->block).rows)
		return true;
	if (b->head)
		return b->limit == 0;
	return has_fold(d, p->block) && (b->ops->acts || !b->open);
}

bool doc_press(struct doc *d, struct place *p)
{
	const struct lines *ls;
	size_t line;

	if (p->block >= d->count)
		return false;
	if (p->row >= visible_part(d, p->block).rows)
		return doc_toggle(d, p);
	if (!d->blocks[p->block].head)
		return d->blocks[p->block].ops->toggle && doc_toggle(d, p);
	/* where nothing stands in the row, it parts what is above it from what is below
	 */
	ls = doc_line(d, *p, &line);
	return line < ls->count && ls->lines[line].width && doc_toggle(d, p);
}

bool doc_fold(struct doc *d, struct place *p, bool open)
{
	return p->block < d->count && d->blocks[p->block].open != open &&
	       toggle_block(d, p);
}

bool doc_open(struct doc *d, size_t at)
{
	const struct block *b = &d->blocks[at];

	if (b->open || !b->ops->toggle || b->ops->acts || !toggle_fold(d, at))
		return false;
	doc_release(d, at);
	return true;
}

void doc_unfold(struct doc *d, size_t at)
{
	size_t head = doc_head(d, at);

	if (head != SIZE_MAX && head != at)
		doc_limit_message(d, head, DOC_ALL);
}

void doc_limit_message(struct doc *d, size_t head, uint32_t rows)
{
	if (d->blocks[head].limit != rows)
		doc_release(d, head);
	d->blocks[head].limit = rows;
}

void doc_limit(struct doc *d, uint32_t rows)
{
	for (size_t i = 0; i < d->count; i++)
		if (d->blocks[i].head)
			doc_limit_message(d, i, rows);
}

static bool begins_part(const struct block *b, bool heads, uint32_t level)
{
	if (heads)
		return b->head;
	return b->role == ROLE_HEADING ||
	       (b->level && b->level <= level && b->ops->layout);
}

bool doc_next_part(struct doc *d, struct place *p, bool back, uint64_t n)
{
	bool heads = false, moved = false;
	size_t at = p->block;

	if (at >= d->count)
		return false;
	for (size_t i = 0; i < d->count && !heads; i++)
		heads = d->blocks[i].head;
	/* back: first to where this one begins */
	if (back && n && !heads && p->row &&
		begins_part(&d->blocks[at], heads, d->blocks[at].level)) {
		moved = true;
		n--;
	}
	/* lays out no block on the way, because each may expand to many */
	for (size_t i = at; n && (back ? i-- > 0 : ++i < d->count);)
		if (begins_part(&d->blocks[i], heads, d->blocks[at].level)) {
			at = i;
			moved = true;
			n--;
		}
	if (!moved)
		return false;
	*p = (struct place){at, 0};
	if (heads && doc_rows(d, at)) /* not on its blank row */
		p->row = doc_rows(d, at) - 1;
	return true;
}

size_t doc_parent(const struct doc *d, size_t at)
{
	uint32_t level = at < d->count ? d->blocks[at].level : 0;

	for (size_t i = at; level > 1 && i-- > 0 && !d->blocks[i].head;)
		if (d->blocks[i].ops->toggle && d->blocks[i].level < level)
			return i;
	return SIZE_MAX;
}

void doc_trim(struct doc *d, size_t around, size_t keep)
{
	if (d->laid <= 4 * keep)
		return;
	for (size_t i = 0; i < d->count; i++)
		if (i + keep < around || i > around + keep)
			doc_release(d, i);
}

void doc_copy_value(const struct doc *d, const struct block *b, struct buf *out)
{
	if (b->value.kind == J_STRING)
		jv_text(b->value, out);
	else if (b->value.n)
		buf_add(out, b->value.p, b->value.n);
	else
		buf_str(out, b->text);
}

void doc_copy_text(const struct doc *d, size_t block, struct buf *out)
{
	const struct block *b = &d->blocks[block];
	struct doc as = *d;

	if (b->section && b->section != d->section)
		as.context = b->section->context;
	if (b->ops->copy)
		b->ops->copy(&as, b, out);
	else if (b->text.n)
		buf_str(out, b->text);
	else
		doc_copy_value(d, b, out);
}
