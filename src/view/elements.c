/*
 * Payloads and the other elements of a text (see elements.h).  A payload is a title, the
 * scalars as facts, the list of objects as a table, everything else as JSON.  A chip is a
 * block, so that a cursor can stand on it and copy it.
 */
#include "config.h"
#include "view/elements.h"

#include "chat/side.h"
#include "json/json.h"
#include "payload/content.h"
#include "text/glyph.h"
#include "text/safe.h"
#include "text/wrap.h"
#include "view/cells.h"
#include "view/facts.h"
#include "view/pieces.h"
#include "view/proposal.h"
#include "view/reading.h"
#include "view/table.h"
#include "view/tree.h"

#define PIXELS       8    /* of a panel's width in a cell */
#define PANEL_LEAST  20   /* cells that a panel is given at least */
#define MEMBERS_MOST 50   /* of an object that is shown as facts */
#define FACT_MOST    4096 /* bytes of a value that is one */
#define FIRST_ITEMS  8    /* of a result that are asked for a payload */

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
	payload_put_title(out, b->text, b->data);
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
	struct buf label = BUF_INIT;

	jv_text(key, &label);
	buf_printf(&label, ": %zu", jv_count(list, SIZE_MAX));
	piece_text(d, at, &piece_line, arena_keep(&d->arena, &label), ROLE_KEY, 2 * BODY);
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

	b->text = type;
	b->data = (void *)defined;
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

static struct reading *reading_of(const struct doc *d)
{
	const struct side_reading *side = d->context;

	return side ? side->reading : NULL;
}

/* ---- chips ---- */

/* [label]  what it sends or does */
static void layout_chip(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	struct jv label = jv_member(b->value, "label");
	struct jv handler = jv_member(b->value, "handler");
	AUTO_BUF words = BUF_INIT;
	struct wrap w;

	buf_byte(&words, '[');
	jv_text(jv_null(label) ? b->value : label, &words);
	buf_byte(&words, ']');
	wrap_begin(&w, out, width);
	wrap_indent(&w, STR("  "), STR("      "), ROLE_TEXT);
	wrap_add(&w, ROLE_CHIP, buf_view(&words));
	wrap_add(&w, ROLE_DIM, STR("  "));
	wrap_add(&w, ROLE_DIM, b->text);
	buf_clear(&words);
	if (!jv_null(handler) && !jv_is(handler, STR("client"))) {
		buf_text(&words, "  by ");
		jv_text(handler, &words);
		wrap_add(&w, ROLE_WARNING, buf_view(&words));
	}
	wrap_end(&w);
}

static const struct block_ops chip_ops = {.layout = layout_chip};

static size_t insert_label(struct doc *d, size_t at, enum role role, const char *text)
{
	return piece_text(d, at, &piece_line, str_of(text), role, BODY);
}

static size_t insert_blank(struct doc *d, size_t at)
{
	return piece_text(d, at, &piece_line, STR(""), ROLE_TEXT, 0);
}

/* `member`: what of an item is sent or done, and copied. */
static size_t insert_chips(
	struct doc *d, size_t at, const char *label, struct jv items, const char *member)
{
	size_t count = insert_blank(d, at);

	count += insert_label(d, at + count, ROLE_DIM, label);
	JV_EACH(item, items) {
		struct jv what = jv_member(item, member);
		AUTO_BUF text = BUF_INIT;
		struct block *b;

		jv_text(jv_null(what) ? item : what, &text);
		b = doc_insert(d, at + count++, &chip_ops);
		b->value = item;
		b->text = arena_dup(&d->arena, buf_view(&text));
		b->level = 1;
	}
	return count;
}

/* ---- payloads ---- */

static size_t insert_payload(struct doc *d, size_t at, struct str type, struct jv data)
{
	struct reading *r = reading_of(d);
	const struct payload_type *defined =
		r && r->registry ? registry_type(r->registry, type) : NULL;
	bool proposal = proposal_is(type, data);
	size_t count = insert_blank(d, at);

	return count + payload_insert(d, at + count, type, defined, data,
			       r && proposal ? reading_known(r) : NULL);
}

/* {"type", "data"}; anything else as it stands. */
static size_t insert_wrapped(struct doc *d, size_t at, struct jv payload)
{
	struct jv type = jv_member(payload, "type"), data = jv_member(payload, "data");

	if (type.kind != J_STRING || data.kind == J_NONE)
		return tree_insert(d, at, (struct jv)JV_NONE, payload, BODY);
	return insert_payload(d, at, jv_keep(type, &d->arena), data);
}

/* What else the result says; more than its text stays reachable as JSON. */
static size_t insert_beside_payload(struct doc *d, size_t at, struct jv content)
{
	struct jv text = jv_member(content, "text");
	size_t count = 0;

	if (text.kind == J_STRING)
		count = piece_prose(d, at, jv_keep(text, &d->arena), ROLE_TOOL, 2 * BODY);
	if (jv_count(content, 3) > 1 + (size_t)(text.kind == J_STRING))
		count +=
			tree_insert(d, at + count, (struct jv)JV_NONE, content, 2 * BODY);
	return count;
}

/* A list is looked at as far as its first items. */
bool elements_is_tool_payload(struct doc *d, struct jv content)
{
	struct content_walk w;

	content_begin(&w, content, &d->arena);
	for (int i = 0; i < FIRST_ITEMS && content_next(&w); i++)
		if (content_payload(w.value).kind != J_NONE)
			return true;
	return false;
}

size_t elements_insert_tool_payload(struct doc *d, size_t at, struct jv content)
{
	struct jv value = side_open_string(content, &d->arena);
	struct jv payload = content_payload(value);
	size_t count;

	if (payload.kind == J_NONE)
		return 0;
	count = insert_beside_payload(d, at, value);
	return count + insert_wrapped(d, at + count, payload);
}

/* ---- elements of a text ---- */

static struct str marker_of(const struct reading *r, enum element_kind kind, size_t type)
{
	if (kind == ELEMENT_VALUES)
		return STR("SUGGESTED_VALUES");
	if (kind == ELEMENT_ACTIONS)
		return STR("SUGGESTED_ACTIONS");
	return r->types[type].marker;
}

bool elements_read(const struct doc *d, struct str text, struct response *response)
{
	const struct reading *r = reading_of(d);

	*response = (struct response){0};
	if (!r)
		return false;
	response_read(response, text, r->types, r->type_count);
	if (response->count || response->warning_count)
		return true;
	response_done(response);
	return false;
}

static size_t insert_unused(
	struct doc *d, size_t at, const struct reading *r, const struct element *e)
{
	struct buf words = BUF_INIT;
	size_t count;

	buf_text(&words, "unused ");
	buf_str(&words, marker_of(r, e->kind, e->type));
	buf_text(&words, e->kind == ELEMENT_PAYLOAD
				 ? ": a response has one payload, the first of its type"
				 : ": only the first counts");
	count = piece_words(d, at, ROLE_WARNING, &words);
	return count + tree_insert(d, at + count, (struct jv)JV_NONE, e->value, BODY);
}

static size_t insert_element(
	struct doc *d, size_t at, const struct reading *r, const struct element *e)
{
	if (!e->used)
		return insert_unused(d, at, r, e);
	if (e->kind == ELEMENT_VALUES)
		return insert_chips(d, at, "suggested values", e->value, "value");
	if (e->kind == ELEMENT_ACTIONS)
		return insert_chips(d, at, "suggested actions", e->value, "action");
	return insert_payload(d, at, r->types[e->type].name, e->value);
}

static size_t insert_warning(struct doc *d, size_t at, const struct reading *r,
	const struct response_warning *warning)
{
	struct buf words = BUF_INIT;

	buf_text(&words, "! ");
	buf_str(&words, marker_of(r, warning->kind, warning->type));
	buf_printf(&words, ": %s", warning->text);
	return piece_words(d, at, ROLE_WARNING, &words);
}

static size_t insert_between(
	struct doc *d, size_t at, struct str text, size_t from, size_t to)
{
	struct str piece = str_trim((struct str){text.p + from, to - from});
	size_t count = 0;

	if (!piece.n)
		return 0;
	if (from) /* after an element */
		count = insert_blank(d, at);
	return count + piece_prose(d, at + count, piece, ROLE_ASSISTANT, BODY);
}

size_t elements_insert(
	struct doc *d, size_t at, struct str text, const struct response *response)
{
	const struct reading *r = reading_of(d);
	size_t count = 0, from = 0;

	for (size_t i = 0; i < response->count; i++) {
		const struct element *e = &response->elements[i];

		count += insert_between(d, at + count, text, from, e->at);
		count += insert_element(d, at + count, r, e);
		from = e->end;
	}
	count += insert_between(d, at + count, text, from, text.n);
	for (size_t i = 0; i < response->warning_count; i++)
		count += insert_warning(d, at + count, r, &response->warnings[i]);
	return count;
}

/* Whether two values differ in white space alone. */
static bool is_same(struct jv a, struct jv b)
{
	AUTO_BUF one = BUF_INIT, other = BUF_INIT;
	bool same;

	json_write_raw(&one, jv_raw(a));
	json_write_raw(&other, jv_raw(b));
	same = str_equal(buf_view(&one), buf_view(&other));
	return same;
}

static bool holds_same(struct doc *d, struct jv content, struct jv payload)
{
	struct content_walk w;

	content_begin(&w, content, &d->arena);
	while (content_next(&w)) {
		struct jv given = content_payload(w.value);

		if (given.kind != J_NONE && is_same(given, payload))
			return true;
	}
	return false;
}

/* Whether a tool gave the payload, which is then shown below the tool's call. */
static bool is_from_tool(struct doc *d, struct jv payload)
{
	struct reading *r = reading_of(d);
	const struct pairs *pairs = r ? reading_pairs(r) : NULL;

	for (size_t i = 0; pairs && i < pairs->count; i++) {
		const struct pair_end *end = &pairs->ends[i];

		if (!end->call && !end->input && holds_same(d, end->what->body, payload))
			return true;
	}
	return false;
}

size_t elements_insert_response(struct doc *d, size_t at, struct jv response)
{
	struct jv payload = jv_member(response, "custom_payload");
	struct jv values = jv_member(response, "suggested_values");
	struct jv actions = jv_member(response, "suggested_actions");
	size_t count = 0;

	if (!jv_empty(payload) && !is_from_tool(d, payload))
		count += insert_wrapped(d, at + count, payload);
	if (!jv_empty(values))
		count += insert_chips(d, at + count, "suggested values", values, "value");
	if (!jv_empty(actions))
		count += insert_chips(
			d, at + count, "suggested actions", actions, "action");
	return count;
}
