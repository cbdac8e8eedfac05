/*
 * Payloads and the other elements of a text (see elements.h).  A payload is a title, the
 * scalars as facts, the list of objects as a table, everything else as JSON.  A chip is a
 * block, so that a cursor can stand on it and copy it.
 */
#include "config.h"
#include "view/elements.h"

#include "chat/side.h"
#include "json/json.h"
#include "payload/payload.h"
#include "text/safe.h"
#include "text/wrap.h"
#include "view/cells.h"
#include "view/facts.h"
#include "view/pieces.h"
#include "view/reading.h"
#include "view/table.h"
#include "view/tree.h"

#define PIXELS       8    /* of a panel's width in a cell */
#define PANEL_LEAST  20   /* cells that a panel is given at least */
#define MEMBERS_MOST 50   /* of an object that is shown as facts */
#define FACT_MOST    4096 /* bytes of a value that is one */
#define FIRST_ITEMS  8    /* of a result that are asked for a payload */

/* ---- common to all payloads ---- */

void payload_put_title(
	struct lines *out, struct str type, const struct payload_type *defined)
{
	struct str icon = defined ? defined->icon : STR("");
	bool shown = icon.n && !safe_ascii();
	struct safe_cluster c;

	/* if the terminal has a picture for it: no cluster of it would be a stand-in */
	for (size_t at = 0; shown && at < icon.n; at += c.taken) {
		safe_next(icon.p + at, icon.n - at, &c);
		shown = c.kind == SAFE_PLAIN;
	}
	if (shown) {
		lines_put_raw(out, ROLE_TITLE, icon);
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
	cells_begin(out, b->indent, width);
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
	cells_begin(out, b->indent, width);
	lines_put_fold(out, ROLE_DIM, b->open);
	lines_printf(out, ROLE_DIM, "json, %s", size.data);
}

static bool unfold_json(struct doc *d, size_t at)
{
	const struct block *b = &d->blocks[at];

	tree_add(d, JV_NONE, b->value, b->indent + BODY);
	return true;
}

static const struct block_ops json_ops = {
	.layout = layout_json, .toggle = doc_turn_fold, .unfold = unfold_json};

void payload_add_json(struct doc *d, struct jv value)
{
	piece_text(d, &json_ops, STR(""), ROLE_TEXT, 2 * BODY)->value = value;
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

/* Facts first, then the first list of objects, then what is neither. */
static void add_members(struct doc *d, struct jv data, uint32_t limit)
{
	struct jv list_key = JV_NONE, list = JV_NONE;
	struct buf label = BUF_INIT;

	JV_PAIRS(key, value, data) {
		if (is_fact(key, value)) {
			struct block *b =
				piece_text(d, &fact_ops, STR(""), ROLE_TEXT, 2 * BODY);

			b->key = key;
			b->value = value;
		}
		if (!list.n && key.kind == J_STRING && table_is_objects(value)) {
			list_key = key;
			list = value;
		}
	}
	if (list.n) {
		jv_text(list_key, &label);
		buf_printf(&label, ": %zu", jv_count(list, SIZE_MAX));
		piece_text(d, &piece_line, arena_keep(&d->arena, &label), ROLE_KEY,
			2 * BODY);
		table_add_objects(d, list, 2 * BODY, limit);
	}
	JV_PAIRS(key, value, data)
		if (!is_fact(key, value) && value.p != list.p)
			tree_add(d, key, value, 2 * BODY);
}

void payload_add_title(struct doc *d, struct str type, const struct payload_type *defined,
	struct jv data)
{
	struct block *b = piece_text(d, &title_ops, type, ROLE_TEXT, BODY);

	b->value = data;
	b->data = (void *)defined;
}

void payload_add(struct doc *d, struct str type, const struct payload_type *defined,
	struct jv data, const struct known_ids *known)
{
	uint32_t limit = payload_limit(defined, 2 * BODY);

	if (proposal_is(type, data)) {
		proposal_add(d, type, defined, data, known);
		return;
	}
	payload_add_title(d, type, defined, data);
	if (data.kind == J_OBJECT && jv_count(data, MEMBERS_MOST + 1) <= MEMBERS_MOST) {
		add_members(d, data, limit);
	} else if (table_is_objects(data)) {
		table_add_objects(d, data, 2 * BODY, limit);
	} else if (data.n) {
		tree_add(d, JV_NONE, data, 2 * BODY);
		return;
	}
	if (!d->print && data.n)
		payload_add_json(d, data);
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

static void add_blank(struct doc *d)
{
	piece_text(d, &piece_line, STR(""), ROLE_TEXT, 0);
}

/* `member`: what of an item is sent or done, and copied. */
static void add_chips(
	struct doc *d, const char *label, struct jv items, const char *member)
{
	add_blank(d);
	piece_text(d, &piece_line, str_of(label), ROLE_DIM, BODY);
	JV_EACH(item, items) {
		struct jv what = jv_member(item, member);
		struct buf text = BUF_INIT;

		jv_text(jv_null(what) ? item : what, &text);
		piece_text(d, &chip_ops, arena_keep(&d->arena, &text), ROLE_TEXT, 0)
			->value = item;
	}
}

/* ---- payloads ---- */

static void add_payload(struct doc *d, struct str type, struct jv data)
{
	struct reading *r = reading_of(d);
	const struct payload_type *defined =
		r && r->registry ? registry_type(r->registry, type) : NULL;

	add_blank(d);
	payload_add(d, type, defined, data,
		r && proposal_is(type, data) ? reading_known(r) : NULL);
}

/* {"type", "data"}; anything else as it stands. */
static void add_wrapped(struct doc *d, struct jv payload)
{
	struct jv type = jv_member(payload, "type"), data = jv_member(payload, "data");

	if (type.kind != J_STRING || data.kind == J_NONE)
		tree_add(d, JV_NONE, payload, BODY);
	else
		add_payload(d, jv_keep(type, &d->arena), data);
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

bool elements_add_tool_payload(struct doc *d, struct jv content)
{
	struct jv value = side_open_string(content, &d->arena);
	struct jv payload = content_payload(value), text;

	if (payload.kind == J_NONE)
		return false;
	text = jv_member(value, "text");
	if (text.kind == J_STRING)
		piece_prose(d, jv_keep(text, &d->arena), ROLE_TOOL, 2 * BODY);
	/* more than its text stays reachable as JSON */
	if (jv_count(value, 3) > 1 + (size_t)(text.kind == J_STRING))
		tree_add(d, JV_NONE, value, 2 * BODY);
	add_wrapped(d, payload);
	return true;
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

static void add_between(struct doc *d, struct str text, size_t from, size_t to)
{
	struct str piece = str_trim((struct str){text.p + from, to - from});

	if (!piece.n)
		return;
	if (from) /* after an element */
		add_blank(d);
	piece_prose(d, piece, ROLE_ASSISTANT, BODY);
}

void elements_add(struct doc *d, struct str text, const struct response *response)
{
	static const char payloads[] =
		": a response has one payload, the first of its type";
	const struct reading *r = reading_of(d);
	struct buf words = BUF_INIT;
	size_t from = 0;

	for (size_t i = 0; i < response->count; i++) {
		const struct element *e = &response->elements[i];

		add_between(d, text, from, e->at);
		from = e->end;
		if (!e->used) {
			buf_text(&words, "unused ");
			buf_str(&words, marker_of(r, e->kind, e->type));
			buf_text(&words, e->kind == ELEMENT_PAYLOAD
						 ? payloads
						 : ": only the first counts");
			piece_words(d, ROLE_WARNING, &words);
			tree_add(d, JV_NONE, e->value, BODY);
		} else if (e->kind == ELEMENT_VALUES) {
			add_chips(d, "suggested values", e->value, "value");
		} else if (e->kind == ELEMENT_ACTIONS) {
			add_chips(d, "suggested actions", e->value, "action");
		} else {
			add_payload(d, r->types[e->type].name, e->value);
		}
	}
	add_between(d, text, from, text.n);
	for (size_t i = 0; i < response->warning_count; i++) {
		const struct response_warning *w = &response->warnings[i];

		buf_text(&words, "! ");
		buf_str(&words, marker_of(r, w->kind, w->type));
		buf_printf(&words, ": %s", w->text);
		piece_words(d, ROLE_WARNING, &words);
	}
}

/* Whether a tool gave the payload, which is then shown below the tool's call.  Values may
 * differ in white space. */
static bool is_from_tool(struct doc *d, struct jv payload)
{
	struct reading *r = reading_of(d);
	const struct pairs *pairs = r ? reading_pairs(r) : NULL;
	AUTO_BUF wanted = BUF_INIT, given = BUF_INIT;
	struct content_walk w;

	json_write_raw(&wanted, jv_raw(payload));
	for (size_t i = 0; pairs && i < pairs->count; i++) {
		const struct pair_end *end = &pairs->ends[i];

		if (end->call || end->input)
			continue;
		content_begin(&w, end->what->body, &d->arena);
		while (content_next(&w)) {
			struct jv value = content_payload(w.value);

			buf_clear(&given);
			json_write_raw(&given, jv_raw(value));
			if (value.kind != J_NONE &&
				str_equal(buf_view(&given), buf_view(&wanted)))
				return true;
		}
	}
	return false;
}

void elements_add_response(struct doc *d, struct jv response)
{
	JV_MEMBERS(v, response, custom_payload, suggested_values, suggested_actions);

	if (!jv_empty(v.custom_payload) && !is_from_tool(d, v.custom_payload))
		add_wrapped(d, v.custom_payload);
	if (!jv_empty(v.suggested_values))
		add_chips(d, "suggested values", v.suggested_values, "value");
	if (!jv_empty(v.suggested_actions))
		add_chips(d, "suggested actions", v.suggested_actions, "action");
}
