/*
 * Payloads of any type (see proposal.h): a title, the scalars as facts, the list of
 * objects as a table, everything else as JSON.
 */
#include "config.h"
#include "view/payload.h"

#include "text/glyph.h"
#include "text/safe.h"
#include "text/wrap.h"
#include "view/cells.h"
#include "view/facts.h"
#include "view/pieces.h"
#include "view/table.h"
#include "view/tree.h"

#define PIXELS       8    /* of a panel's width in a cell */
#define PANEL_LEAST  20   /* cells that a panel is given at least */
#define MEMBERS_MOST 50   /* of an object that is shown as facts */
#define FACT_MOST    4096 /* bytes of a value that is one */

/* ---- common to all payloads ---- */

/* Whether the terminal has a picture for it: no cluster of it would be a stand-in. */
static bool shows_icon(struct str icon)
{
	struct safe_cluster c;

	for (size_t at = 0; at < icon.n; at += c.taken) {
		safe_next(icon.p + at, icon.n - at, &c);
		if (c.kind != SAFE_PLAIN)
			return false;
	}
	return icon.n && !safe_ascii();
}

void payload_put_title(
	struct lines *out, struct str type, const struct payload_type *defined)
{
	if (defined && shows_icon(defined->icon)) {
		lines_put_raw(out, ROLE_TITLE, defined->icon);
		lines_put(out, ROLE_TEXT, STR(" "), 1);
	}
	if (defined && defined->title.n) {
		lines_put_raw(out, ROLE_TITLE, defined->title);
		lines_put(out, ROLE_TEXT, STR("  "), 2);
		lines_put_raw(out, ROLE_DIM, type);
	} else {
		lines_put_raw(out, ROLE_TITLE, type.n ? type : STR("payload"));
	}
}

uint32_t payload_limit(const struct payload_type *defined, uint32_t indent)
{
	unsigned cells = defined ? defined->panel_width / PIXELS : 0;

	if (!cells)
		return 0;
	return indent + (cells > PANEL_LEAST ? cells : PANEL_LEAST);
}

static void layout_title(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	lines_begin(out);
	cells_blank(out, (uint32_t)cells_indent(b->indent, width).n);
	payload_put_title(out, b->text, *(const struct payload_type **)b->data);
}

static const struct block_ops title_ops = {
	.layout = layout_title, .copy = doc_copy_value};

/* ---- the whole as JSON ---- */

static void layout_json(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	AUTO_BUF size = BUF_INIT;

	facts_bytes(&size, b->value.n);
	lines_begin(out);
	cells_blank(out, (uint32_t)cells_indent(b->indent, width).n);
	lines_put_fold(out, ROLE_DIM, b->open);
	lines_printf(out, ROLE_DIM, "json, %s", size.data);
}

static bool unfold_json(struct doc *d, size_t at)
{
	const struct block *b = &d->blocks[at];

	tree_insert(d, at + 1, (struct jv)JV_NONE, b->value, b->indent + BODY);
	return true;
}

static const struct block_ops json_ops = {
	.layout = layout_json, .toggle = doc_turn_fold, .unfold = unfold_json};

size_t payload_insert_json(struct doc *d, size_t at, struct jv value)
{
	struct block *b = doc_insert(d, at, &json_ops);

	b->value = value;
	b->indent = 2 * BODY;
	b->level = 1;
	return 1;
}

size_t payload_insert_tree(struct doc *d, size_t at, struct jv value)
{
	return tree_insert(d, at, (struct jv)JV_NONE, value, 2 * BODY);
}

/* ---- facts ---- */

/* key: value */
static void layout_fact(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	struct str pad = cells_indent(b->indent, width);
	AUTO_BUF text = BUF_INIT;
	bool quiet = b->value.kind == J_NULL || b->value.kind == J_BAD;
	struct wrap w;

	wrap_begin(&w, out, width);
	wrap_indent(&w, pad, pad, ROLE_TEXT);
	jv_text(b->key, &text);
	wrap_add(&w, ROLE_KEY, buf_view(&text));
	wrap_add(&w, ROLE_PUNCT, STR(": "));
	buf_clear(&text);
	jv_text(b->value, &text);
	wrap_add(&w, quiet ? ROLE_DIM : ROLE_TEXT, buf_view(&text));
	wrap_end(&w);
}

static const struct block_ops fact_ops = {.layout = layout_fact};

static bool is_fact(struct jv key, struct jv value)
{
	return key.kind == J_STRING && value.n <= FACT_MOST && key.n <= FACT_MOST &&
	       value.kind != J_OBJECT && value.kind != J_ARRAY;
}

/* A list under its key. */
static size_t insert_list(
	struct doc *d, size_t at, struct jv key, struct jv list, uint32_t limit)
{
	struct buf text = BUF_INIT;
	struct str label;

	jv_text(key, &text);
	buf_printf(&text, ": %zu", jv_count(list, SIZE_MAX));
	label = arena_keep(&d->arena, &text);
	piece_text(d, at, &piece_line, label, ROLE_KEY, 2 * BODY);
	return 1 + table_insert_objects(d, at + 1, list, 2 * BODY, limit);
}

/* Facts first, then the first list of objects, then what is neither. */
static size_t insert_members(struct doc *d, size_t at, struct jv data, uint32_t limit)
{
	struct jv list_key = JV_NONE, list = JV_NONE;
	size_t count = 0;

	JV_PAIRS(key, value, data) {
		if (is_fact(key, value)) {
			struct block *b = doc_insert(d, at + count++, &fact_ops);

			b->key = key;
			b->value = value;
			b->indent = 2 * BODY;
			b->level = 1;
		}
		if (!list.n && key.kind == J_STRING && table_is_objects(value)) {
			list_key = key;
			list = value;
		}
	}
	if (list.n)
		count += insert_list(d, at + count, list_key, list, limit);
	JV_PAIRS(key, value, data)
		if (!is_fact(key, value) && value.p != list.p)
			count += tree_insert(d, at + count, key, value, 2 * BODY);
	return count;
}

size_t payload_insert_title(
	struct doc *d, size_t at, struct str type, const struct payload_type *defined)
{
	struct block *b = doc_insert(d, at, &title_ops);
	const struct payload_type **kept = arena_alloc(&d->arena, sizeof(*kept));

	*kept = defined;
	b->text = type;
	b->data = kept;
	b->indent = BODY;
	b->level = 1;
	return 1;
}

size_t payload_insert(struct doc *d, size_t at, struct str type,
	const struct payload_type *defined, struct jv data, const struct known_ids *known)
{
	uint32_t limit = payload_limit(defined, 2 * BODY);
	size_t count;

	if (proposal_is(type, data))
		return proposal_insert(d, at, type, defined, data, known);
	count = payload_insert_title(d, at, type, defined);
	d->blocks[at].value = data;
	if (data.kind == J_OBJECT && jv_count(data, MEMBERS_MOST + 1) <= MEMBERS_MOST)
		count += insert_members(d, at + count, data, limit);
	else if (table_is_objects(data))
		count += table_insert_objects(d, at + count, data, 2 * BODY, limit);
	else if (data.n)
		return count + payload_insert_tree(d, at + count, data);
	if (!d->print && data.n)
		count += payload_insert_json(d, at + count, data);
	return count;
}
