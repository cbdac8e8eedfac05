/* Rows for values that differ: see value_diff.h. */
#include "config.h"
#include "view/value_diff.h"

#include "base/utf8.h"
#include "chat/side.h"
#include "diff/value_delta.h"
#include "json/json.h"
#include "text/glyph.h"
#include "text/wrap.h"
#include "view/cells.h"
#include "view/facts.h"
#include "view/text_diff.h"

#define PLACES     200          /* shown of one value */
#define ROW_MOST   ((size_t)60) /* bytes of a text that stands on the row of its name */
#define VALUE_MOST 1000         /* bytes shown of a value that came or went as a whole */

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

static struct delta_row *insert_row(struct doc *d, size_t at, struct str label,
	struct delta_row values, uint32_t indent, uint32_t level)
{
	struct block *b = doc_insert(d, at, &row_ops);
	struct delta_row *row = arena_alloc(&d->arena, sizeof(*row));

	*row = values;
	b->data = row;
	b->text = label;
	b->indent = indent;
	b->level = level;
	b->role = ROLE_TEXT;
	return row;
}

static bool is_short(struct str text)
{
	return text.n <= ROW_MOST && !memchr(text.p, '\n', text.n);
}

/* Two texts: on the row where both are short, else below it. */
static size_t insert_texts(struct doc *d, size_t at, struct str label, struct jv was,
	struct jv is, uint32_t indent, uint32_t level)
{
	struct delta_row row = {jv_keep(was, &d->arena), jv_keep(is, &d->arena), false};

	row.below = !is_short(row.was) || !is_short(row.is);
	if (row.below && !label.n)
		return text_diff_insert(d, at, row.was, row.is, indent, level);
	insert_row(d, at, label, row, indent, level);
	if (!row.below)
		return 1;
	return 1 + text_diff_insert(d, at + 1, row.was, row.is, indent + 2, level);
}

/* A long text that came, or went. */
static bool is_long(struct jv text, struct jv other)
{
	return text.kind == J_STRING && other.kind == J_NONE && text.n > VALUE_MOST;
}

static size_t insert_long(struct doc *d, size_t at, struct str label, struct jv was,
	struct jv is, uint32_t indent, uint32_t level)
{
	bool came = was.kind == J_NONE;
	struct str none = {NULL, 0}, some = STR("");
	struct str text = jv_keep(came ? is : was, &d->arena);

	insert_row(d, at, label,
		(struct delta_row){came ? none : some, came ? some : none, true}, indent,
		level);
	return 1 + text_diff_insert_whole(d, at + 1, text,
			   came ? ROLE_ADDED : ROLE_DELETED, indent + 2, level);
}

/* What cannot be taken apart any more. */
static size_t insert_leaf(struct doc *d, size_t at, struct str label, struct jv was,
	struct jv is, uint32_t indent, uint32_t level)
{
	bool texts = was.kind == is.kind || was.kind == J_NONE || is.kind == J_NONE;

	if (is_long(was, is) || is_long(is, was))
		return insert_long(d, at, label, was, is, indent, level);
	if (was.kind == J_STRING && is.kind == J_STRING)
		return insert_texts(d, at, label, was, is, indent, level);
	insert_row(d, at, label,
		(struct delta_row){shown(d, was, texts), shown(d, is, texts), false},
		indent, level);
	return 1;
}

static size_t insert_places(struct doc *d, size_t at, const struct value_delta *delta,
	uint32_t indent, uint32_t level)
{
	size_t count = 0;

	for (size_t i = 0; i < delta->count; i++) {
		const struct value_delta_place *p = &delta->places[i];
		struct str path = arena_dup(&d->arena, value_delta_path(delta, i));

		count += insert_leaf(d, at + count, path, p->was, p->is, indent, level);
	}
	if (delta->more)
		count += text_diff_insert_note(
			d, at + count, "... and more that differs", indent, level);
	return count;
}

size_t value_diff_insert(struct doc *d, size_t at, struct str label, struct jv was,
	struct jv is, uint32_t indent, uint32_t level)
{
	struct value_delta delta;
	size_t count = 0;

	was = side_open_string(was, &d->arena);
	is = side_open_string(is, &d->arena);
	if (was.kind != is.kind || (was.kind != J_OBJECT && was.kind != J_ARRAY))
		return insert_leaf(d, at, label, was, is, indent, level);
	value_delta_read(&delta, was, is, PLACES);
	if (label.n) {
		insert_row(d, at, label, (struct delta_row){STR(""), STR(""), true},
			indent, level);
		count++;
		indent += 2;
	}
	count += insert_places(d, at + count, &delta, indent, level);
	value_delta_done(&delta);
	return count;
}
