/*
 * Differences of texts as blocks: see text_diff.h.  The first block has no lines: when it
 * expands, it compares the texts and inserts blocks of some 16 KB of pieces, and folds.
 * Of an unchanged stretch CONTEXT lines are shown beside each change.
 */
#include "config.h"
#include "view/text_diff.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "diff/edit.h"
#include "text/glyph.h"
#include "text/safe.h"
#include "text/wrap.h"
#include "view/cells.h"
#include "view/facts.h"

#define CONTEXT       3            /* lines beside a change, */
#define CONTEXT_BYTES 400          /* ... and no more bytes than these */
#define FOLD_LEAST    5            /* lines worth a fold, */
#define FOLD_BYTES    1200         /* ... or bytes */
#define CHUNK         (16u * 1024) /* of pieces in one block */

struct block *addition_block(const struct addition *to, const struct block_ops *ops)
{
	struct block *b = doc_add(to->d, ops);

	b->indent = to->indent;
	b->level = to->level;
	b->role = ROLE_TEXT;
	return b;
}

struct compared_texts { /* of the block that compares */
	struct str was, is;
};

struct pieces { /* of a block of text, in the document's arena */
	struct text_delta_piece *items;
	size_t count;
};

static enum role kind_role(enum text_delta_kind kind)
{
	static const enum role roles[] = {
		[DELTA_SAME] = ROLE_TEXT,
		[DELTA_GONE] = ROLE_DELETED,
		[DELTA_CAME] = ROLE_ADDED,
	};

	return roles[kind];
}

bool text_diff_signs(const struct doc *d)
{
	return d->signs || (d->print && !d->colored) || safe_ascii();
}

struct str text_diff_sign(enum role role, bool closing)
{
	if (role == ROLE_DELETED)
		return closing ? STR("-]") : STR("[-");
	return closing ? STR("+}") : STR("{+");
}

void text_diff_put_fold(struct lines *out, bool open)
{
	if (!safe_ascii()) /* there + and - say what came and went */
		lines_put_fold(out, ROLE_DIM, open);
}

/* ---- a block of pieces ---- */

/* Blanks alone that went or came are made visible. */
static void put_blanks(struct wrap *w, enum role role, struct str text)
{
	for (size_t i = 0; i < text.n; i++) {
		if (text.p[i] == '\n')
			wrap_add(w, role, glyph(GLYPH_SHOWN_NEWLINE));
		else if (text.p[i] == '\t')
			wrap_add(w, role, glyph(GLYPH_SHOWN_TAB));
		else if (text.p[i] == ' ')
			wrap_add(w, role, glyph(GLYPH_SHOWN_BLANK));
		else
			wrap_add(w, role, (struct str){text.p + i, 1});
		if (text.p[i] == '\n' && role == ROLE_ADDED)
			wrap_break(w);
	}
}

static void put_line(struct wrap *w, enum role role, struct str line, bool signs)
{
	if (signs && line.n)
		wrap_add(w, role, text_diff_sign(role, false));
	wrap_add(w, role, line);
	if (signs && line.n)
		wrap_add(w, role, text_diff_sign(role, true));
}

/* What went or came, each line of it in signs of its own. */
static void put_changed(struct wrap *w, enum role role, struct str text, bool signs)
{
	while (text.n && !lines_full(w->out)) {
		const char *end = memchr(text.p, '\n', text.n);
		size_t n = end ? (size_t)(end - text.p) : text.n;
		bool cr = end && n && text.p[n - 1] == '\r'; /* of the line's end */

		put_line(w, role, (struct str){text.p, n - cr}, signs);
		if (end)
			wrap_break(w);
		text.p += n + (end != NULL);
		text.n -= n + (end != NULL);
	}
}

static void put_piece(struct wrap *w, const struct text_delta_piece *piece, bool signs)
{
	enum role role = kind_role(piece->kind);

	if (piece->kind == DELTA_SAME) {
		wrap_add(w, role, piece->text);
	} else if (str_trim(piece->text).n) {
		put_changed(w, role, piece->text, signs);
	} else {
		if (signs)
			wrap_add(w, role, text_diff_sign(role, false));
		put_blanks(w, role, piece->text);
		if (signs)
			wrap_add(w, role, text_diff_sign(role, true));
	}
}

static void layout_pieces(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	const struct pieces *pieces = b->data;
	struct str pad = cells_indent(b->indent, width);
	struct wrap w;

	wrap_begin(&w, out, width);
	w.hang = true;
	wrap_indent(&w, pad, pad, ROLE_TEXT);
	for (size_t i = 0; i < pieces->count && !lines_full(out); i++)
		put_piece(&w, &pieces->items[i], text_diff_signs(d));
	wrap_end(&w);
}

/* In signs, whatever the screen shows. */
static void copy_pieces(const struct doc *d, const struct block *b, struct buf *out)
{
	const struct pieces *pieces = b->data;

	for (size_t i = 0; i < pieces->count; i++) {
		const struct text_delta_piece *piece = &pieces->items[i];
		enum role role = kind_role(piece->kind);

		if (piece->kind != DELTA_SAME)
			buf_str(out, text_diff_sign(role, false));
		buf_str(out, piece->text);
		if (piece->kind != DELTA_SAME)
			buf_str(out, text_diff_sign(role, true));
	}
}

static const struct block_ops pieces_ops = {.layout = layout_pieces, .copy = copy_pieces};

/* ---- cutting them into blocks ---- */

struct piece_cutter {
	const struct addition *to;
	struct text_delta_piece *items; /* of the block that is being filled */
	size_t count, cap;
	size_t bytes;
};

static void flush(struct piece_cutter *c)
{
	struct arena *arena = &c->to->d->arena;
	struct pieces *pieces;

	if (!c->count)
		return;
	pieces = arena_alloc(arena, sizeof(*pieces));
	pieces->items = arena_alloc(arena, c->count * sizeof(*pieces->items));
	pieces->count = c->count;
	memcpy(pieces->items, c->items, c->count * sizeof(*pieces->items));
	addition_block(c->to, &pieces_ops)->data = pieces;
	c->count = c->bytes = 0;
}

/* How much of a text goes to this block: to the end of a line, if it has one in reach. */
static size_t cut(struct str text, size_t most)
{
	size_t n = text.n <= most ? text.n : most;

	while (n > most / 2 && n < text.n && text.p[n - 1] != '\n')
		n--;
	if (n == text.n || text.p[n - 1] == '\n')
		return n;
	n = utf8_cut(text.p, text.n, most);
	return n ? n : most;
}

static void put(struct piece_cutter *c, enum text_delta_kind kind, struct str text)
{
	while (text.n) {
		size_t n = cut(text, CHUNK);

		*MEM_ADD(c->items, c->count, c->cap) =
			(struct text_delta_piece){kind, {text.p, n}};
		c->bytes += n;
		text.p += n;
		text.n -= n;
		/* a block ends where a line does: what follows begins one */
		if (text.n || (c->bytes >= CHUNK && text.p[-1] == '\n') ||
			c->count >= CHUNK / 8)
			flush(c);
	}
}

void text_diff_add_whole(const struct addition *to, struct str text, enum role role)
{
	struct piece_cutter c = {.to = to};

	put(&c,
		role == ROLE_DELETED ? DELTA_GONE
		: role == ROLE_ADDED ? DELTA_CAME
				     : DELTA_SAME,
		text);
	flush(&c);
	mem_free(c.items);
}

/* ---- what stayed ---- */

static void layout_fold(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	struct str pad = cells_indent(b->indent, width);
	AUTO_BUF size = BUF_INIT;

	lines_begin(out);
	lines_put(out, ROLE_TEXT, pad, (uint32_t)pad.n);
	if (!d->print)
		text_diff_put_fold(out, b->open);
	if (b->index)
		buf_printf(&size, "%llu line%s", (unsigned long long)b->index,
			b->index == 1 ? "" : "s");
	else
		facts_bytes(&size, b->text.n);
	lines_printf(out, ROLE_DIM, "... %s unchanged", size.data);
}

static bool unfold(struct doc *d, size_t at)
{
	const struct block *b = &d->blocks[at];

	text_diff_add_whole(
		&(struct addition){d, b->indent, b->level + 1}, b->text, ROLE_TEXT);
	return true;
}

static const struct block_ops fold_ops = {
	.layout = layout_fold, .toggle = doc_turn_fold, .unfold = unfold};

static size_t count_lines(struct str text)
{
	size_t count = 0;
	const char *p = text.p, *end = text.p + text.n;

	while (p < end && (p = memchr(p, '\n', (size_t)(end - p)))) {
		count++;
		p++;
	}
	return count;
}

/* The first lines of what stayed, beside the change before it. */
static size_t head_context(struct str text)
{
	size_t n = 0;
	int lines =
		text.p[0] == '\n' ? CONTEXT + 1 : CONTEXT; /* it ends the changed one */

	for (int i = 0; i < lines; i++) {
		const char *end = memchr(text.p + n, '\n', text.n - n);

		if (!end || (size_t)(end + 1 - text.p) > CONTEXT_BYTES)
			break;
		n = (size_t)(end + 1 - text.p);
	}
	/* a long line: what of it stands beside the change */
	return n ? n : utf8_cut(text.p, text.n, CONTEXT_BYTES);
}

/* The last lines of what stayed, before the change after it. */
static size_t tail_context(struct str text)
{
	size_t n = 0;

	for (int i = 0; i <= CONTEXT; i++) {
		size_t line = n;

		while (line < text.n && text.p[text.n - line - 1] != '\n')
			line++;
		if (line > CONTEXT_BYTES)
			break;
		n = line;
		if (i == CONTEXT || n == text.n)
			return n;
		n++; /* the end of the line before */
	}
	if (n)
		return n - 1;
	n = CONTEXT_BYTES;
	while (n > CONTEXT_BYTES - UTF8_MAX && n < text.n &&
		((unsigned char)text.p[text.n - n] & 0xC0) == 0x80)
		n--;
	return n;
}

/* What stayed between two changes, or before the first, or after the last. */
static void put_same(struct piece_cutter *c, struct str text, bool first, bool last)
{
	size_t head = first ? 0 : head_context(text);
	struct str rest = {text.p + head, text.n - head};
	size_t tail = last || !rest.n ? 0 : tail_context(rest), lines;
	struct str hidden = {rest.p, rest.n > tail ? rest.n - tail : 0};
	struct block *fold;

	lines = count_lines(hidden);
	if (hidden.n < FOLD_BYTES && lines < FOLD_LEAST) {
		put(c, DELTA_SAME, text);
		return;
	}
	put(c, DELTA_SAME, (struct str){text.p, head});
	flush(c);
	fold = addition_block(c->to, &fold_ops);
	fold->text = hidden;
	fold->index = lines;
	fold->role = ROLE_DIM;
	put(c, DELTA_SAME, (struct str){rest.p + hidden.n, rest.n - hidden.n});
}

/* ---- the block that compares ---- */

static void layout_note(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	wrap_text(out, b->text, width, cells_indent(b->indent, width), b->role);
}

static const struct block_ops note_ops = {.layout = layout_note};

void text_diff_add_note(const struct addition *to, const char *words)
{
	struct block *b = addition_block(to, &note_ops);

	b->text = str_of(words);
	b->role = ROLE_DIM;
}

static void expand_texts(struct doc *d, size_t at)
{
	const struct compared_texts *texts = d->blocks[at].data;
	struct addition to = {d, d->blocks[at].indent, d->blocks[at].level};
	struct piece_cutter c = {.to = &to};
	AUTO(text_delta_done) struct text_delta delta;

	text_delta_read(&delta, texts->was, texts->is);
	if (delta.too_long)
		text_diff_add_note(&to, "too long to be compared: shown as a whole");
	else if (delta.rough)
		text_diff_add_note(&to,
			"very different: some of what stayed may be shown as changed");
	for (size_t i = 0; i < delta.count; i++) {
		const struct text_delta_piece *piece = &delta.pieces[i];

		if (piece->kind == DELTA_SAME)
			put_same(&c, piece->text, i == 0, i + 1 == delta.count);
		else
			put(&c, piece->kind, piece->text);
	}
	flush(&c);
	mem_free(c.items);
}

static const struct block_ops texts_ops = {
	.layout = doc_layout_nothing, .expand = expand_texts};

void text_diff_add(const struct addition *to, struct str was, struct str is)
{
	struct compared_texts *texts = arena_alloc(&to->d->arena, sizeof(*texts));

	*texts = (struct compared_texts){was, is};
	addition_block(to, &texts_ops)->data = texts;
}
