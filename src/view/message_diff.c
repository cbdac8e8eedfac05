/* Messages part by part, and values row by row: see message_diff.h. */
#include "config.h"
#include "view/message_diff.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "chat/identity.h"
#include "chat/parts.h"
#include "chat/side.h"
#include "diff/sequence.h"
#include "diff/value_delta.h"
#include "json/json.h"
#include "text/glyph.h"
#include "text/wrap.h"
#include "view/cells.h"
#include "view/facts.h"

#define INDENT 2
#define BRIEF  160 /* bytes that a line of a message is made of */

#define PLACES     200          /* shown of one value */
#define ROW_MOST   ((size_t)60) /* bytes of a text that stands on the row of its name */
#define VALUE_MOST 1000         /* bytes shown of a value that came or went as a whole */

/* ---- values ---- */

struct delta_row {          /* in the document's arena */
	struct str was, is; /* unsafe text; .p NULL: not there */
	bool below;         /* the values stand in blocks below */
};

/* The sign of what was changed, added or removed, and its role. */
static struct str sign_of(bool was, bool is, enum role *role)
{
	*role = was && is ? ROLE_CHANGED : (is ? ROLE_ADDED : ROLE_DELETED);
	return was && is ? STR("~ ") : (is ? STR("+ ") : STR("- "));
}

static void add_value(
	struct wrap *w, const struct doc *d, enum role role, struct str text)
{
	bool signs = text_diff_signs(d);

	if (!text.p)
		return;
	if (signs)
		wrap_add(w, role, text_diff_sign(role, false));
	wrap_add(w, role, text);
	if (signs)
		wrap_add(w, role, text_diff_sign(role, true));
}

static void layout_row(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	const struct delta_row *row = b->data;
	struct str pad = cells_indent(b->indent, width),
		   deep = cells_indent(b->indent + 2, width);
	struct wrap w;
	enum role role;
	struct str sign = sign_of(row->was.p, row->is.p, &role);

	wrap_begin(&w, out, width);
	wrap_indent(&w, pad, deep, ROLE_TEXT);
	wrap_add(&w, role, sign);
	wrap_add(&w, ROLE_KEY, b->text);
	if (b->text.n && !row->below)
		wrap_add(&w, ROLE_PUNCT, STR(": "));
	if (!row->below) {
		add_value(&w, d, ROLE_DELETED, row->was);
		if (row->was.p && row->is.p && !text_diff_signs(d))
			wrap_add(&w, ROLE_DIM, glyph(GLYPH_BECOMES));
		add_value(&w, d, ROLE_ADDED, row->is);
	}
	wrap_end(&w);
}

static void copy_row(const struct doc *d, const struct block *b, struct buf *out)
{
	const struct delta_row *row = b->data;

	buf_str(out, b->text);
	buf_text(out, ": ");
	if (row->was.p) {
		buf_text(out, "[-");
		buf_str(out, row->was);
		buf_text(out, "-]");
	}
	if (row->is.p) {
		buf_text(out, "{+");
		buf_str(out, row->is);
		buf_text(out, "+}");
	}
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
	struct delta_row *row = arena_alloc(&to->d->arena, sizeof(*row));
	struct block *b = addition_block(to, &row_ops);

	*row = values;
	b->data = row;
	b->text = label;
}

static bool is_short(struct str text)
{
	return text.n <= ROW_MOST && !memchr(text.p, '\n', text.n);
}

/* Two texts: on the row where both are short, else below it. */
static void add_texts(struct addition to, struct str label, struct jv was, struct jv is)
{
	struct arena *arena = &to.d->arena;
	struct delta_row row = {jv_keep(was, arena), jv_keep(is, arena), false};

	row.below = !is_short(row.was) || !is_short(row.is);
	if (!row.below || label.n)
		add_row(&to, label, row);
	to.indent += label.n ? 2 : 0;
	if (row.below)
		text_diff_add(&to, row.was, row.is);
}

/* A long text that came, or went. */
static bool is_long(struct jv text, struct jv other)
{
	return text.kind == J_STRING && other.kind == J_NONE && text.n > VALUE_MOST;
}

/* What cannot be taken apart any more. */
static void add_leaf(struct addition to, struct str label, struct jv was, struct jv is)
{
	bool texts = was.kind == is.kind || was.kind == J_NONE || is.kind == J_NONE;
	bool came = was.kind == J_NONE;

	if (is_long(was, is) || is_long(is, was)) {
		struct str none = {NULL, 0}, some = STR("");

		add_row(&to, label,
			(struct delta_row){came ? none : some, came ? some : none, true});
		to.indent += 2;
		text_diff_add_whole(&to, jv_keep(came ? is : was, &to.d->arena),
			came ? ROLE_ADDED : ROLE_DELETED);
	} else if (was.kind == J_STRING && is.kind == J_STRING) {
		add_texts(to, label, was, is);
	} else {
		add_row(&to, label,
			(struct delta_row){
				shown(to.d, was, texts), shown(to.d, is, texts), false});
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

static void put_media(struct buf *out, const struct part *p)
{
	buf_byte(out, '[');
	if (p->media.n)
		buf_str(out, p->media);
	else
		buf_text(out, p->kind == PART_IMAGE ? "image" : "file");
	if (p->bytes) {
		buf_text(out, ", ");
		facts_bytes(out, p->bytes);
	}
	if (p->remote) {
		buf_byte(out, ' ');
		jv_text(p->body, out);
	}
	buf_byte(out, ']');
}

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
		parts_read_content(texts, content, arena);
	for (size_t i = 0; i < texts->count; i++)
		if (PART_AT(texts, i)->kind != PART_TEXT)
			texts->count = 0;
}

static void put_result(struct buf *out, struct jv content, struct arena *arena)
{
	AUTO(parts_done) struct parts texts;

	read_texts(&texts, content, arena);
	if (!texts.count)
		put_value(out, content, arena);
	for (size_t i = 0; i < texts.count; i++) {
		if (i)
			buf_byte(out, '\n');
		jv_text(PART_AT(&texts, i)->body, out);
	}
}

static void put_part(struct buf *out, const struct part *p, struct arena *arena)
{
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
		put_result(out, p->body, arena);
		return;
	case PART_TOOL:
		buf_text(out, "offers ");
		jv_text(p->name, out);
		return;
	case PART_IMAGE:
	case PART_FILE:
		put_media(out, p);
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
	parts_read(parts, s->value, arena);
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
			jv_decode_run(PART_AT(&parts, i)->body, &(size_t){0}, BRIEF, out);
		else
			jv_text(PART_AT(&parts, i)->name, out);
	}
	out->len = utf8_cut(out->data ? out->data : "", out->len, 2 * BRIEF);
}

/* ---- blocks ---- */

static void add_whole_part(
	const struct addition *to, const struct part *p, enum role role)
{
	text_diff_add_whole(to, part_text(to->d, p), role);
}

void message_diff_add_whole(struct doc *d, const struct compared_message *said,
	enum role role, uint32_t level)
{
	struct addition to = {d, INDENT, level};
	AUTO(parts_done) struct parts parts;

	read_parts(&parts, said, &d->arena);
	for (size_t i = 0; i < parts.count; i++)
		add_whole_part(&to, PART_AT(&parts, i), role);
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
		add_whole_part(&to, was, ROLE_DELETED);
		add_whole_part(&to, is, ROLE_ADDED);
	} else if ((is->kind == PART_CALL || is->kind == PART_RESULT) && alike &&
		   was->error == is->error && is_container(was->body, arena) &&
		   is_container(is->body, arena)) {
		/* what is JSON on both sides differs in places, not in words */
		if (is->kind == PART_CALL)
			jv_text(is->name, &label);
		buf_text(&label, is->kind == PART_CALL ? "()" : "result");
		text_diff_add_whole(&to, arena_keep(arena, &label), ROLE_TEXT);
		to.indent += INDENT;
		value_diff_add(to, STR(""), was->body, is->body);
	} else {
		text_diff_add(&to, part_text(to.d, was), part_text(to.d, is));
	}
}

struct part_list {
	struct parts parts;
	uint64_t *hashes;
};

static void list_read(
	struct part_list *l, const struct compared_message *s, struct arena *arena)
{
	read_parts(&l->parts, s, arena);
	l->hashes = mem_array(l->parts.count, sizeof(*l->hashes));
	for (size_t i = 0; i < l->parts.count; i++)
		l->hashes[i] = identity_of_part(PART_AT(&l->parts, i)).half[0];
}

static void list_done(struct part_list *l)
{
	parts_done(&l->parts);
	mem_free(l->hashes);
}

/* Parts that gave way to others: in pairs as long as they are of a kind. */
static void add_change(const struct addition *to, const struct part_list *was,
	const struct part_list *is, const struct sequence_diff_change *c)
{
	size_t i = 0, j = 0;

	while (i < c->a_count || j < c->b_count) {
		const struct part *a =
			i < c->a_count ? PART_AT(&was->parts, c->a + i) : NULL;
		const struct part *b =
			j < c->b_count ? PART_AT(&is->parts, c->b + j) : NULL;

		if (a && b && a->kind == b->kind)
			add_changed(*to, a, b);
		else if (a)
			add_whole_part(to, a, ROLE_DELETED);
		else if (b)
			add_whole_part(to, b, ROLE_ADDED);
		i += a != NULL;
		j += b && (!a || a->kind == b->kind);
	}
}

/* Those that stayed: folded where they are long. */
static void add_stayed(
	const struct addition *to, const struct part_list *l, size_t from, size_t end)
{
	for (size_t i = from; i < end; i++) {
		struct str text = part_text(to->d, PART_AT(&l->parts, i));

		text_diff_add(to, text, text);
	}
}

void message_diff_add(struct doc *d, const struct compared_message *was,
	const struct compared_message *is)
{
	struct addition to = {d, INDENT, 1};
	AUTO(list_done) struct part_list a, b;
	AUTO(sequence_diff_done) struct sequence_diff changes;
	uint64_t work = DIFF_WORK;
	size_t j = 0;

	list_read(&a, was, &d->arena);
	list_read(&b, is, &d->arena);
	sequence_diff_sequences(
		&changes, a.hashes, a.parts.count, b.hashes, b.parts.count, &work);
	for (size_t i = 0; i < changes.count; i++) {
		const struct sequence_diff_change *c = &changes.changes[i];

		add_stayed(&to, &b, j, c->b);
		add_change(&to, &a, &b, c);
		j = c->b + c->b_count;
	}
	add_stayed(&to, &b, j, b.parts.count);
}
