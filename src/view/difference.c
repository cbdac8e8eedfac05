/*
 * Differences as blocks: see difference.h.  The block of two texts has no lines: when it
 * expands, it compares the texts and inserts blocks of some 16 KB of pieces, and folds.
 * Of an unchanged stretch CONTEXT lines are shown beside each change.
 */
#include "config.h"
#include "view/difference.h"

#include "chat/identity.h"
#include "chat/parts.h"
#include "chat/side.h"
#include "diff/sequence.h"
#include "json/json.h"
#include "text/safe.h"
#include "text/wrap.h"
#include "view/cells.h"
#include "view/facts.h"
#include "view/pieces.h"

#define CONTEXT       3            /* lines beside a change, */
#define CONTEXT_BYTES 400          /* ... and no more bytes than these */
#define FOLD_LEAST    5            /* lines worth a fold, */
#define FOLD_BYTES    1200         /* ... or bytes */
#define CHUNK         (16u * 1024) /* of pieces in one block */

#define INDENT 2
#define BRIEF  160 /* bytes that a line of a message is made of */

#define PLACES     200          /* shown of one value */
#define ROW_MOST   ((size_t)60) /* bytes of a text that stands on the row of its name */
#define VALUE_MOST 1000         /* bytes shown of a value that came or went as a whole */

static struct block *add_block(const struct addition *to, const struct block_ops *ops)
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

struct piece {
	enum role role; /* ROLE_DELETED, ROLE_ADDED, or ROLE_TEXT */
	struct str text;
};

struct pieces { /* of a block of text, in the document's arena */
	struct piece *items;
	size_t count;
};

/* Whether deleted and added text is in signs. */
static bool in_signs(const struct doc *d)
{
	return d->signs || (d->print && !d->colored) || safe_ascii();
}

/* [- -] {+ +} */
static struct str sign_around(enum role role, bool closing)
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

static void put_signed(struct wrap *w, enum role role, struct str text, bool signs)
{
	if (signs)
		wrap_add(w, role, sign_around(role, false));
	wrap_add(w, role, text);
	if (signs)
		wrap_add(w, role, sign_around(role, true));
}

/* Each line of what went or came, in signs of its own. */
static void put_lines(struct wrap *w, enum role role, struct str text, bool signs)
{
	struct str line;

	while (!lines_full(w->out) && str_next_line(&text, &line)) {
		put_signed(w, role, line, signs && line.n);
		if (text.p[-1] == '\n')
			wrap_break(w);
	}
}

/* Blanks alone that went or came are made visible. */
static void put_blanks(struct wrap *w, enum role role, struct str text, bool signs)
{
	if (signs)
		wrap_add(w, role, sign_around(role, false));
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
	if (signs)
		wrap_add(w, role, sign_around(role, true));
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
	for (size_t i = 0; i < pieces->count && !lines_full(out); i++) {
		struct str text = pieces->items[i].text;
		enum role role = pieces->items[i].role;

		if (role == ROLE_TEXT)
			wrap_add(&w, role, text);
		else if (str_trim(text).n)
			put_lines(&w, role, text, in_signs(d));
		else
			put_blanks(&w, role, text, in_signs(d));
	}
	wrap_end(&w);
}

/* In signs, whatever the screen shows. */
static void copy_signed(struct buf *out, enum role role, struct str text)
{
	buf_str(out, sign_around(role, false));
	buf_str(out, text);
	buf_str(out, sign_around(role, true));
}

static void copy_pieces(const struct doc *d, const struct block *b, struct buf *out)
{
	const struct pieces *pieces = b->data;

	for (size_t i = 0; i < pieces->count; i++) {
		const struct piece *piece = &pieces->items[i];

		if (piece->role == ROLE_TEXT)
			buf_str(out, piece->text);
		else
			copy_signed(out, piece->role, piece->text);
	}
}

static const struct block_ops pieces_ops = {.layout = layout_pieces, .copy = copy_pieces};

/* ---- cutting them into blocks ---- */

struct piece_cutter {
	const struct addition *to;
	struct piece *items; /* of the block that is being filled */
	size_t count, cap;
	size_t bytes;
};

static void flush(struct piece_cutter *c)
{
	struct arena *arena = &c->to->d->arena;
	struct pieces pieces = {.count = c->count};

	if (!c->count)
		return;
	pieces.items = arena_copy(arena, c->items, c->count * sizeof(*c->items));
	add_block(c->to, &pieces_ops)->data = arena_copy(arena, &pieces, sizeof(pieces));
	c->count = c->bytes = 0;
}

static void put(struct piece_cutter *c, enum role role, struct str text)
{
	while (text.n) {
		size_t n = piece_length(text, CHUNK);

		*MEM_ADD(c->items, c->count, c->cap) = (struct piece){role, {text.p, n}};
		c->bytes += n;
		text.p += n;
		text.n -= n;
		/* a block ends where a line does: what follows begins one */
		if (text.n || (c->bytes >= CHUNK && text.p[-1] == '\n') ||
			c->count >= CHUNK / 8)
			flush(c);
	}
}

/* Adds a text that was deleted or added as a whole, with signs where they are wanted; or
 * one that stayed (ROLE_TEXT). */
static void add_whole(const struct addition *to, struct str text, enum role role)
{
	struct piece_cutter c = {.to = to};

	put(&c, role, text);
	flush(&c);
	mem_free(c.items);
}

/* ---- what stayed ---- */

void text_diff_layout_fold(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	AUTO_BUF size = BUF_INIT;

	cells_begin(out, b->indent, width);
	if (!d->print)
		text_diff_put_fold(out, b->open);
	if (b->index)
		buf_printf(&size, "%llu line%s", (unsigned long long)b->index,
			plural(b->index));
	else
		facts_bytes(&size, b->text.n);
	lines_printf(out, ROLE_DIM, "... %s unchanged", size.data);
}

static bool unfold(struct doc *d, size_t at)
{
	const struct block *b = &d->blocks[at];

	add_whole(&(struct addition){d, b->indent, b->level + 1}, b->text, ROLE_TEXT);
	return true;
}

static const struct block_ops fold_ops = {
	.layout = text_diff_layout_fold, .toggle = doc_turn_fold, .unfold = unfold};

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
	size_t tail = last || !rest.n ? 0 : tail_context(rest), lines = 0;
	struct str hidden = {rest.p, rest.n > tail ? rest.n - tail : 0};
	struct block *fold;

	for (size_t i = 0; i < hidden.n; i++)
		lines += hidden.p[i] == '\n';
	if (hidden.n < FOLD_BYTES && lines < FOLD_LEAST) {
		put(c, ROLE_TEXT, text);
		return;
	}
	put(c, ROLE_TEXT, (struct str){text.p, head});
	flush(c);
	fold = add_block(c->to, &fold_ops);
	fold->text = hidden;
	fold->index = lines;
	fold->role = ROLE_DIM;
	put(c, ROLE_TEXT, (struct str){rest.p + hidden.n, rest.n - hidden.n});
}

/* ---- the block that compares ---- */

void text_diff_add_note(const struct addition *to, const char *words)
{
	struct block *b = add_block(to, &piece_line);

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
			put(&c, piece->kind == DELTA_GONE ? ROLE_DELETED : ROLE_ADDED,
				piece->text);
	}
	flush(&c);
	mem_free(c.items);
}

static const struct block_ops texts_ops = {.expand = expand_texts};

void text_diff_add(const struct addition *to, struct str was, struct str is)
{
	struct compared_texts texts = {was, is};

	add_block(to, &texts_ops)->data =
		arena_copy(&to->d->arena, &texts, sizeof(texts));
}

/* ---- values ---- */

struct delta_row {          /* in the document's arena */
	struct str was, is; /* unsafe text; .p NULL: not there */
	bool below;         /* the values stand in blocks below */
};

/* Each of both values in signs, or an arrow between them. */
static void layout_row(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	const struct delta_row *row = b->data;
	struct str was = row->was, is = row->is;
	bool both = was.p && is.p, signs = in_signs(d);
	struct wrap w;

	wrap_begin(&w, out, width);
	wrap_indent(&w, cells_indent(b->indent, width),
		cells_indent(b->indent + 2, width), ROLE_TEXT);
	wrap_add(&w,
		both   ? ROLE_CHANGED
		: is.p ? ROLE_ADDED
		       : ROLE_DELETED,
		both   ? STR("~ ")
		: is.p ? STR("+ ")
		       : STR("- "));
	wrap_add(&w, ROLE_KEY, b->text);
	if (b->text.n && !row->below)
		wrap_add(&w, ROLE_PUNCT, STR(": "));
	if (was.p && !row->below)
		put_signed(&w, ROLE_DELETED, was, signs);
	if (both && !signs && !row->below)
		wrap_add(&w, ROLE_DIM, glyph(GLYPH_BECOMES));
	if (is.p && !row->below)
		put_signed(&w, ROLE_ADDED, is, signs);
	wrap_end(&w);
}

static void copy_row(const struct doc *d, const struct block *b, struct buf *out)
{
	const struct delta_row *row = b->data;

	buf_str(out, b->text);
	buf_text(out, ": ");
	if (row->was.p)
		copy_signed(out, ROLE_DELETED, row->was);
	if (row->is.p)
		copy_signed(out, ROLE_ADDED, row->is);
}

static const struct block_ops row_ops = {.layout = layout_row, .copy = copy_row};

bool value_diff_is_row(const struct doc *d, size_t at)
{
	return d->blocks[at].ops == &row_ops;
}

/* What a row shows of a value: texts as they read, all else as JSON on a line. */
static struct str shown(struct doc *d, struct jv v, bool text)
{
	struct buf out = BUF_INIT;

	if (v.kind == J_NONE)
		return (struct str){NULL, 0};
	buf_text(&out, "");
	if (v.kind == J_STRING && text)
		jv_text(v, &out);
	else if (v.n > VALUE_MOST)
		json_write_raw(&out, (struct str){v.p, utf8_cut(v.p, v.n, VALUE_MOST)});
	else
		json_write_raw(&out, jv_raw(v));
	if (v.n > VALUE_MOST) {
		buf_text(&out, " ... ");
		facts_bytes(&out, v.n);
	}
	return arena_keep(&d->arena, &out);
}

static void add_row(const struct addition *to, struct str label, struct delta_row values)
{
	struct block *b = add_block(to, &row_ops);

	b->data = arena_copy(&to->d->arena, &values, sizeof(values));
	b->text = label;
}

/* What cannot be taken apart any more: two texts on the row where both are short, else
 * below it. */
static void add_leaf(struct addition to, struct str label, struct jv was, struct jv is)
{
	bool texts = was.kind == is.kind || was.kind == J_NONE || is.kind == J_NONE;
	bool came = was.kind == J_NONE;
	struct arena *arena = &to.d->arena;
	struct str none = {NULL, 0}, some = STR("");
	struct jv only = came ? is : was;
	struct delta_row row;

	if ((came || is.kind == J_NONE) && only.kind == J_STRING && only.n > VALUE_MOST) {
		/* a long text that came, or went */
		row = (struct delta_row){came ? none : some, came ? some : none, true};
		add_row(&to, label, row);
		to.indent += 2;
		add_whole(&to, jv_keep(only, arena), came ? ROLE_ADDED : ROLE_DELETED);
	} else if (was.kind == J_STRING && is.kind == J_STRING) {
		row = (struct delta_row){jv_keep(was, arena), jv_keep(is, arena), false};
		row.below = row.was.n > ROW_MOST || row.is.n > ROW_MOST ||
			    memchr(row.was.p, '\n', row.was.n) ||
			    memchr(row.is.p, '\n', row.is.n);
		if (!row.below || label.n)
			add_row(&to, label, row);
		to.indent += label.n ? 2 : 0;
		if (row.below)
			text_diff_add(&to, row.was, row.is);
	} else {
		row.was = shown(to.d, was, texts);
		row.is = shown(to.d, is, texts);
		row.below = false;
		add_row(&to, label, row);
	}
}

void value_diff_add(struct addition to, struct str label, struct jv was, struct jv is)
{
	AUTO(value_delta_done) struct value_delta delta = {0};
	struct arena *arena = &to.d->arena;

	was = side_open_string(was, arena);
	is = side_open_string(is, arena);
	if (was.kind != is.kind || (was.kind != J_OBJECT && was.kind != J_ARRAY)) {
		add_leaf(to, label, was, is);
		return;
	}
	value_delta_read(&delta, was, is, PLACES);
	if (label.n) {
		add_row(&to, label, (struct delta_row){STR(""), STR(""), true});
		to.indent += 2;
	}
	for (size_t i = 0; i < delta.count; i++)
		add_leaf(to, arena_dup(arena, value_delta_path(&delta, i)),
			delta.places[i].was, delta.places[i].is);
	if (delta.more)
		text_diff_add_note(&to, "... and more that differs");
}

/* ---- parts as text ---- */

/* JSON on one line, a string as it reads. */
static void put_value(struct buf *out, struct jv v, struct arena *arena)
{
	v = side_open_string(v, arena);
	if (v.kind == J_STRING)
		jv_text(v, out);
	else if (v.n)
		json_write_raw(out, jv_raw(v));
}

/* A list of texts and nothing else is a text: its parts, or none. */
static void read_texts(struct parts *texts, struct jv content, struct arena *arena)
{
	*texts = (struct parts){0};
	if (content.kind == J_ARRAY)
		*texts = parts_read_content(content, arena);
	PARTS_EACH(p, texts)
		if (p->kind != PART_TEXT)
			texts->count = 0;
}

static void put_part(struct buf *out, const struct part *p, struct arena *arena)
{
	AUTO(parts_done) struct parts texts = {0};

	switch (p->kind) {
	case PART_TEXT:
		jv_text(p->body, out);
		return;
	case PART_REASONING:
		buf_text(out, "reasoning: ");
		jv_text(p->body, out);
		return;
	case PART_REFUSAL:
		buf_text(out, "refusal: ");
		jv_text(p->body, out);
		return;
	case PART_CALL:
		jv_text(p->name, out);
		buf_byte(out, '(');
		put_value(out, p->body, arena);
		buf_byte(out, ')');
		return;
	case PART_RESULT:
		buf_text(out, p->error ? "result, an error: " : "result: ");
		read_texts(&texts, p->body, arena);
		if (!texts.count)
			put_value(out, p->body, arena);
		for (size_t i = 0; i < texts.count; i++) {
			if (i)
				buf_byte(out, '\n');
			jv_text(PART_AT(&texts, i)->body, out);
		}
		return;
	case PART_TOOL:
		buf_text(out, "offers ");
		jv_text(p->name, out);
		return;
	case PART_IMAGE:
	case PART_FILE:
		buf_byte(out, '[');
		facts_media(out, p, NULL);
		buf_byte(out, ']');
		return;
	case PART_JSON:
		put_value(out, p->raw, arena);
	}
}

static struct str part_text(struct doc *d, const struct part *p)
{
	struct buf out = BUF_INIT;

	if (p->kind == PART_TEXT)
		return jv_keep(p->body, &d->arena);
	put_part(&out, p, &d->arena);
	return arena_keep(&d->arena, &out);
}

/* The parts of a message; the whole value as the only part when it has no parts. */
static void read_parts(
	struct parts *parts, const struct compared_message *s, struct arena *arena)
{
	*parts = parts_read(s->value, arena);
	if (parts->count)
		return;
	parts_add(parts, &(struct part){.kind = PART_JSON, .raw = s->value});
}

void message_diff_brief(struct buf *out, const struct compared_message *said)
{
	AUTO_ARENA arena = {0};
	AUTO(parts_done) struct parts parts;

	read_parts(&parts, said, &arena);
	for (size_t i = 0; i < parts.count && out->len < BRIEF; i++) {
		if (i)
			buf_text(out, "  ");
		if (PART_AT(&parts, i)->raw.n < 64 * BRIEF)
			put_part(out, PART_AT(&parts, i), &arena);
		else if (PART_AT(&parts, i)->body.kind == J_STRING)
			jv_decode_some(
				PART_AT(&parts, i)->body, &(size_t){0}, BRIEF, out);
		else
			jv_text(PART_AT(&parts, i)->name, out);
	}
	out->len = utf8_cut(out->data ? out->data : "", out->len, 2 * BRIEF);
}

/* ---- blocks ---- */

void message_diff_add_whole(struct doc *d, const struct compared_message *said,
	enum role role, uint32_t level)
{
	struct addition to = {d, INDENT, level};
	AUTO(parts_done) struct parts parts;

	read_parts(&parts, said, &d->arena);
	PARTS_EACH(p, &parts)
		add_whole(&to, part_text(to.d, p), role);
}

/* Whether a value has places: it is no text, nor a list of texts. */
static bool is_container(struct jv v, struct arena *arena)
{
	AUTO(parts_done) struct parts texts;

	v = side_open_string(v, arena);
	read_texts(&texts, v, arena);
	return !texts.count && (v.kind == J_OBJECT || v.kind == J_ARRAY);
}

/* One part that took the place of another of its kind. */
static void add_changed(struct addition to, const struct part *was, const struct part *is)
{
	struct arena *arena = &to.d->arena;
	bool alike = jv_hash(was->name) == jv_hash(is->name);
	struct buf label = BUF_INIT;

	if (is->kind == PART_JSON) {
		value_diff_add(to, STR(""), was->raw, is->raw);
	} else if (is->kind == PART_CALL && !alike) {
		add_whole(&to, part_text(to.d, was), ROLE_DELETED);
		add_whole(&to, part_text(to.d, is), ROLE_ADDED);
	} else if ((is->kind == PART_CALL || is->kind == PART_RESULT) && alike &&
		   was->error == is->error && is_container(was->body, arena) &&
		   is_container(is->body, arena)) {
		/* what is JSON on both sides differs in places, not in words */
		if (is->kind == PART_CALL)
			jv_text(is->name, &label);
		buf_text(&label, is->kind == PART_CALL ? "()" : "result");
		add_whole(&to, arena_keep(arena, &label), ROLE_TEXT);
		to.indent += INDENT;
		value_diff_add(to, STR(""), was->body, is->body);
	} else {
		text_diff_add(&to, part_text(to.d, was), part_text(to.d, is));
	}
}

static uint64_t *part_hashes(const struct parts *parts)
{
	uint64_t *hashes = mem_array(parts->count, sizeof(*hashes));

	for (size_t i = 0; i < parts->count; i++)
		hashes[i] = identity_of_part(PART_AT(parts, i)).half[0];
	return hashes;
}

/* Those that stayed: folded where they are long. */
static void add_stayed(
	const struct addition *to, const struct parts *parts, size_t from, size_t end)
{
	for (size_t i = from; i < end; i++) {
		struct str text = part_text(to->d, PART_AT(parts, i));

		text_diff_add(to, text, text);
	}
}

void message_diff_add(struct doc *d, const struct compared_message *was,
	const struct compared_message *is)
{
	struct addition to = {d, INDENT, 1};
	AUTO(parts_done) struct parts a, b;
	AUTO(sequence_diff_done) struct sequence_diff changes;
	AUTO_FREE uint64_t *a_hashes = NULL, *b_hashes = NULL;
	uint64_t work = DIFF_WORK;
	size_t j = 0;

	read_parts(&a, was, &d->arena);
	read_parts(&b, is, &d->arena);
	a_hashes = part_hashes(&a);
	b_hashes = part_hashes(&b);
	sequence_diff_sequences(&changes, a_hashes, a.count, b_hashes, b.count, &work);
	for (size_t i = 0; i < changes.count; i++) {
		const struct sequence_diff_change *c = &changes.changes[i];
		size_t gone = c->a, gone_end = c->a + c->a_count, end = c->b + c->b_count;

		add_stayed(&to, &b, j, c->b);
		/* parts that gave way to others: in pairs as long as they are of a kind
		 */
		for (j = c->b; gone < gone_end || j < end;) {
			const struct part *p = gone < gone_end ? PART_AT(&a, gone) : NULL;
			const struct part *q = j < end ? PART_AT(&b, j) : NULL;
			bool pair = p && q && p->kind == q->kind;

			if (pair)
				add_changed(to, p, q);
			else if (p)
				add_whole(&to, part_text(d, p), ROLE_DELETED);
			else
				add_whole(&to, part_text(d, q), ROLE_ADDED);
			gone += p != NULL;
			j += pair || !p;
		}
	}
	add_stayed(&to, &b, j, b.count);
}
