/*
 * The JSON tree (see tree.h).  Opening a container inserts a block for each child, a
 * thousand at a time; a block without lines stands for the rest and expands to it when it
 * is reached.
 */
#include "config.h"
#include "view/tree.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/map.h"
#include "chat/parts.h"
#include "chat/side.h"
#include "json/route.h"
#include "text/safe.h"
#include "text/wrap.h"
#include "view/cells.h"
#include "view/facts.h"

#define PATH_MOST   4096 /* bytes of a value that is looked at as a path */
#define STEP        2    /* cells a level is indented */
#define BATCH       1000 /* children put in at a time */
#define OPEN_LEVELS 3    /* levels that are opened at first */
#define OPEN_BYTES  4096 /* ... when they are no longer than this */
/* Opening a level reads all below it, so no more levels than these open by themselves:
 * on paper deeper ones are as they stand in the file, on the screen they are folded. */
#define LEVELS_MOST 256
#define KEY_LEAST   8            /* cells of a key that is cut, */
#define CUT_LEAST   4            /* ... if that makes room for so many */
#define INDENT_MOST 60           /* cells; deeper levels stand below one another */
#define UNWRAPPED   (1u << 20)   /* a width for what has none */
#define TEXT_MOST   (64u * 1024) /* of one string; its whole is in the raw view */

static const struct block_ops node_ops, rest_ops;

static const enum role kind_roles[] = {
	[J_NONE] = ROLE_PUNCT,
	[J_OBJECT] = ROLE_PUNCT,
	[J_ARRAY] = ROLE_PUNCT,
	[J_STRING] = ROLE_STRING,
	[J_NUMBER] = ROLE_NUMBER,
	[J_TRUE] = ROLE_LITERAL,
	[J_FALSE] = ROLE_LITERAL,
	[J_NULL] = ROLE_LITERAL,
	[J_BAD] = ROLE_ERROR,
};

static bool is_container(struct jv v)
{
	return v.kind == J_OBJECT || v.kind == J_ARRAY;
}

bool tree_looks_like_json(struct str text)
{
	struct str s = str_trim(text);

	return s.n >= 2 && ((s.p[0] == '{' && s.p[s.n - 1] == '}') ||
				   (s.p[0] == '[' && s.p[s.n - 1] == ']'));
}

/* ---- data in a string ---- */

bool tree_put_data(struct buf *words, struct str text)
{
	AUTO_ARENA arena = {0};
	struct part image;

	if (!image_read_data(&image, text, &arena))
		return false;
	buf_byte(words, '[');
	buf_str(words, image.media.n ? image.media : STR("base64"));
	if (image.width)
		buf_printf(words, " %u%s%u", image.width, glyph(GLYPH_TIMES).p,
			image.height);
	buf_text(words, ", ");
	facts_bytes(words, image.bytes);
	buf_byte(words, ']');
	return true;
}

/* The words of tree_put_data for a value; empty when it is no data.  What does not begin
 * like data is not decoded. */
static struct buf data_words(struct jv v)
{
	struct buf words = BUF_INIT;
	AUTO_BUF decoded = BUF_INIT;
	bool data = v.kind == J_STRING && v.n > 64,
	     url = data && str_starts(jv_raw(v), STR("\"data:"));

	for (size_t i = 1; data && !url && i < 64; i++)
		data = v.p[i] != ' ' && v.p[i] != ':' && (unsigned char)v.p[i] <= 'z';
	if (data)
		tree_put_data(&words, jv_str(v, &decoded));
	return words;
}

/* ---- one line of a value ---- */

/* As much of a raw text as fits on the line up to column `cells`, a path without its
 * first folders; false when its end was cut. */
static bool put_cut(struct lines *out, enum role role, struct str raw, uint32_t cells)
{
	uint32_t room = cells > cells_used(out) ? cells - cells_used(out) : 0;
	size_t n = raw.n, to;

	if (raw.n < PATH_MOST && safe_width(raw) > room &&
		safe_folders(raw, room, &n, &to)) {
		lines_put_raw(out, role, (struct str){raw.p, n});
		glyph_put(out, ROLE_DIM, GLYPH_ELLIPSIS);
		lines_put_raw(out, role, (struct str){raw.p + to, raw.n - to});
		return true;
	}
	n = safe_beginning(raw, room);
	lines_put_raw(out, role, (struct str){raw.p, n});
	return n == raw.n;
}

/* The brace or bracket that a container begins or ends with. */
static void put_bracket(struct lines *out, struct jv v, bool end)
{
	static const char signs[][3] = {"[]", "{}"};

	lines_put(out, ROLE_PUNCT, (struct str){&signs[v.kind == J_OBJECT][end], 1}, 1);
}

/* A child within a preview: whole, or as much as fits up to column `cells`, and the mark
 * of a cut. */
static bool put_child(struct lines *out, struct jv v, uint32_t cells)
{
	AUTO_BUF data = data_words(v);
	bool whole;

	if (data.len) {
		whole = put_cut(out, ROLE_LINK, buf_view(&data), cells);
	} else if (!is_container(v)) {
		whole = put_cut(out, kind_roles[v.kind], jv_raw(v), cells);
	} else {
		bool filled = jv_count(v, 1) > 0;
		uint32_t width = 2 + (filled ? glyph_cells(GLYPH_ELLIPSIS) : 0);

		whole = cells_used(out) + width <= cells;
		if (whole) {
			put_bracket(out, v, false);
			if (filled)
				glyph_put(out, ROLE_DIM, GLYPH_ELLIPSIS);
			put_bracket(out, v, true);
		}
	}
	if (!whole)
		glyph_put(out, ROLE_DIM, GLYPH_ELLIPSIS);
	return whole;
}

void tree_preview(struct lines *out, struct jv value, uint32_t cells)
{
	uint32_t end = glyph_cells(GLYPH_ELLIPSIS);
	struct jwalk w = jwalk_of(value);
	struct jv key, child;
	bool whole = true;

	if (cells_used(out) + end > cells)
		return;
	if (!is_container(value)) {
		if (cells_used(out) + value.n <= cells)
			end = 0;
		put_child(out, value, cells - end);
		return;
	}
	if (cells_used(out) + 2 + end > cells) {
		glyph_put(out, ROLE_DIM, GLYPH_ELLIPSIS);
		return;
	}
	put_bracket(out, value, false);
	cells -= end + 1; /* the mark of a cut may follow, and the bracket */
	for (bool first = true; whole && jwalk_next(&w, &key, &child); first = false) {
		if (cells_used(out) + 2 + (key.n ? 4u : 1u) > cells) {
			glyph_put(out, ROLE_DIM, GLYPH_ELLIPSIS);
			break;
		}
		if (!first)
			lines_put(out, ROLE_PUNCT, STR(", "), 2);
		if (key.n && !put_cut(out, ROLE_KEY, jv_raw(key), cells - 2)) {
			glyph_put(out, ROLE_DIM, GLYPH_ELLIPSIS);
			break;
		}
		if (key.n)
			lines_put(out, ROLE_PUNCT, STR(": "), 2);
		whole = put_child(out, child, cells);
	}
	put_bracket(out, value, true);
}

/* ---- nodes ---- */

bool tree_is_node(const struct doc *d, size_t at)
{
	return at < d->count && d->blocks[at].ops == &node_ops;
}

static bool can_open(const struct doc *d, size_t at)
{
	const struct block *b = &d->blocks[at];

	if (!tree_is_node(d, at) || (d->print && b->level > LEVELS_MOST))
		return false;
	/* a string that looks like JSON: certain only when it is opened */
	if (b->value.kind == J_STRING)
		return !b->value.cut && b->value.n >= 4 &&
		       tree_looks_like_json((struct str){b->value.p + 1, b->value.n - 2});
	return is_container(b->value) && jv_count(b->value, 1);
}

size_t tree_root(const struct doc *d)
{
	size_t at = 0;

	while (at < d->count && !(tree_is_node(d, at) && d->blocks[at].root))
		at++;
	return at;
}

/* The key as written, or the index in an array; `need` cells come after it.  A key is
 * whole if the row has room for all, or if a cut would hardly make any. */
static void put_label(
	struct lines *out, const struct block *b, uint32_t width, uint32_t need)
{
	uint32_t end = cells_used(out), others = end + 2 + need, whole;
	uint32_t room = width > others + KEY_LEAST ? width - others : KEY_LEAST;

	if (b->key.kind == J_STRING) {
		whole = safe_width(jv_raw(b->key));
		end += whole < room + CUT_LEAST ? whole
						: room - glyph_cells(GLYPH_ELLIPSIS);
		if (!put_cut(out, b->role, jv_raw(b->key), end))
			glyph_put(out, ROLE_DIM, GLYPH_ELLIPSIS);
		if (b->role == ROLE_WARNING)
			lines_put(out, ROLE_WARNING, STR(" (again)"), 8);
		lines_put(out, ROLE_PUNCT, STR(": "), 2);
	} else if (b->index != UINT64_MAX) {
		lines_printf(out, ROLE_DIM, "%" PRIu64 ": ", b->index);
	}
}

/* A text below its label, over as many lines as it takes. */
static void put_below(struct lines *out, const struct block *b, uint32_t width,
	enum role role, struct str text, struct str quote, struct str end)
{
	uint32_t most = width / 2 < INDENT_MOST ? width / 2 : INDENT_MOST;
	AUTO_BUF pad = BUF_INIT;
	struct wrap w;

	buf_fill(&pad, ' ', b->indent + 2 * STEP < most ? b->indent + 2 * STEP : most);
	if (!b->key.n && b->index == UINT64_MAX) /* nothing but blanks stands above it */
		lines_truncate(out, out->count - 1);
	wrap_begin(&w, out, width);
	w.hang = true;
	wrap_indent(&w, buf_view(&pad), buf_view(&pad), ROLE_TEXT);
	wrap_add(&w, ROLE_PUNCT, quote);
	wrap_add(&w, role, text);
	wrap_add(&w, ROLE_PUNCT, end);
	wrap_end(&w);
}

/* After its label if it fits there, else below; a string with its line feeds. */
static void put_scalar(
	const struct doc *d, struct lines *out, const struct block *b, uint32_t width)
{
	AUTO_BUF data = data_words(b->value), text = BUF_INIT;
	struct jv v = b->value;
	struct str raw = data.len ? buf_view(&data) : jv_raw(v);
	enum role role = data.len ? ROLE_LINK : kind_roles[v.kind];
	bool string = v.kind == J_STRING && !data.len,
	     more = string && v.n > TEXT_MOST && !d->print;

	if (more) {
		v.n = TEXT_MOST;
		v.cut = true;
	}
	if (string)
		jv_decode(v, &text);
	if (!string && cells_used(out) + safe_width(raw) <= width) {
		lines_put_raw(out, role, raw);
	} else if (!string) {
		put_below(out, b, width, role, raw, STR(""), STR(""));
	} else if (cells_used(out) + safe_width(buf_view(&text)) + 2 <= width &&
		   !(text.len && memchr(text.data, '\n', text.len))) {
		lines_put(out, ROLE_PUNCT, STR("\""), 1);
		lines_put_raw(out, ROLE_STRING, buf_view(&text));
		lines_put(out, ROLE_PUNCT, STR("\""), 1);
	} else {
		put_below(out, b, width, ROLE_STRING, buf_view(&text), STR("\""),
			more ? STR("") : STR("\""));
	}
	if (more) {
		buf_clear(&text);
		facts_bytes(&text, b->value.n - TEXT_MOST);
		lines_printf(out, ROLE_DIM, " %s more in the raw view", text.data);
	}
	if (b->value.cut && (string || data.len))
		lines_printf(out, ROLE_WARNING, " cut");
}

static void layout_node(
	struct doc *d, const struct block *b, struct lines *out, uint32_t cells)
{
	size_t at = (size_t)(b - d->blocks);
	bool opens = can_open(d, at);
	uint32_t width = cells ? cells : UNWRAPPED;
	uint32_t most = width / 2 < INDENT_MOST ? width / 2 : INDENT_MOST;
	uint32_t indent = b->indent < most ? b->indent : most;
	bool preview = !b->open && !d->print && (is_container(b->value) || opens);
	AUTO_BUF pad = BUF_INIT;
	size_t n;

	buf_fill(&pad, ' ', indent);
	lines_begin(out);
	lines_put(out, ROLE_TEXT, buf_view(&pad), indent);
	if (opens && (b->open || !d->print))
		lines_put_fold(out, ROLE_DIM, b->open);
	else
		lines_put(out, ROLE_TEXT, STR("  "), 2);
	/* "{ 2 keys", "{...}"; a text that does not fit after the key goes below */
	put_label(out, b, width, b->open ? 8 : preview ? 5 : 0);
	if (b->open && is_container(b->value)) {
		n = jv_count(b->value, 10000);
		put_bracket(out, b->value, false);
		lines_printf(out, ROLE_DIM, " %zu%s %s%s", n, n == 10000 ? "+" : "",
			b->value.kind == J_OBJECT ? "key" : "item", plural(n));
		if (b->value.cut)
			lines_printf(out, ROLE_WARNING, " cut");
	} else if (b->open) {
		lines_printf(out, ROLE_DIM, "JSON in a string");
	} else if (preview) {
		tree_preview(out, b->value, width);
	} else {
		put_scalar(d, out, b, width);
	}
}

static void keep_walk(struct block *b, const struct jwalk *w)
{
	b->value = (struct jv){
		.kind = w->object ? J_OBJECT : J_ARRAY, .extents = w->extents};
	b->text = (struct str){w->p, (size_t)(w->end - w->p)};
	b->index = w->index;
}

struct jwalk tree_kept_walk(const struct block *b)
{
	return (struct jwalk){.p = b->text.p,
		.end = b->text.p + b->text.n,
		.object = b->value.kind == J_OBJECT,
		.index = b->index,
		.started = true,
		.extents = b->value.extents};
}

struct child {
	struct jv key, value;
	uint64_t index;
};

/* Keys as they are written; what is equal stays in the order of the file. */
static int compare_keys(const void *a, const void *b)
{
	const struct child *x = a, *y = b;
	size_t n = x->key.n < y->key.n ? x->key.n : y->key.n;
	int order = memcmp(x->key.p, y->key.p, n);

	if (!order)
		order = (x->key.n > y->key.n) - (x->key.n < y->key.n);
	return order ? order : (x->index > y->index) - (x->index < y->index);
}

void tree_insert(struct doc *d, size_t at, struct jwalk *w, const struct block *like,
	const struct block_ops *rest)
{
	struct child *children = mem_array(BATCH, sizeof(*children));
	AUTO(idmap_done) struct idmap seen = {0};
	struct block *b;
	uint64_t hash;
	size_t n = 0;
	bool more;

	for (; n < BATCH && jwalk_next(w, &children[n].key, &children[n].value); n++)
		children[n].index = w->index;
	more = n == BATCH && w->p < w->end;
	b = doc_insert_many(d, at, like->ops, n + more);
	if (w->object && d->sorted_keys)
		qsort(children, n, sizeof(*children), compare_keys);
	for (size_t i = 0; i < n + more; i++) {
		b[i].data = like->data;
		b[i].indent = like->indent;
		b[i].level = like->level;
	}
	for (size_t i = 0; i < n; i++) {
		b[i].key = w->object ? children[i].key : JV_NONE;
		b[i].value = children[i].value;
		b[i].index = w->object ? UINT64_MAX : children[i].index;
		b[i].role = like->role;
		if (!w->object)
			continue;
		/* a key that stands there twice: the last is the one that counts */
		hash = map_hash(jv_raw(b[i].key));
		if (b[i].key.kind == J_STRING && idmap_find(&seen, hash) != MAP_NONE)
			b[i].role = ROLE_WARNING;
		idmap_add(&seen, hash, 0);
	}
	if (more) {
		b[n].ops = rest;
		keep_walk(&b[n], w);
	}
	mem_free(children);
}

static void insert_children(
	struct doc *d, size_t at, struct jwalk *w, uint32_t indent, uint32_t level)
{
	struct block node = {
		.ops = &node_ops, .indent = indent, .level = level, .role = ROLE_KEY};

	tree_insert(d, at, w, &node, &rest_ops);
}

struct jv tree_decoded(const struct doc *d, size_t at, unsigned *strings)
{
	const struct block *b = &d->blocks[at];
	AUTO_ARENA arena = {0};

	*strings = 0;
	if (!tree_is_node(d, at) || b->value.kind != J_STRING || !b->data)
		return JV_NONE;
	*strings = side_read_string(b->value, false, &arena).opened;
	return *(const struct jv *)b->data;
}

static bool open_node(struct doc *d, size_t at)
{
	struct block *b = &d->blocks[at];
	struct jv inner = b->value;
	struct jwalk w;

	if (d->print && b->level > LEVELS_MOST)
		return false;
	/* what a string holds is decoded once, however often it is opened */
	if (b->value.kind == J_STRING && !b->data) {
		inner = side_open_string(b->value, &d->arena);
		b->data = arena_copy(&d->arena, &inner, sizeof(inner));
	}
	if (b->value.kind == J_STRING)
		inner = *(const struct jv *)b->data;
	if (!is_container(inner) || !jv_count(inner, 1))
		return false;
	b->open = true;
	w = jwalk_of(inner);
	insert_children(d, at + 1, &w, b->indent + STEP, b->level + 1);
	return true;
}

/* Where a level was asked for, a node opens when it is looked at. */
static bool opens_by_level(const struct doc *d, const struct block *b)
{
	return b->level <= d->levels && b->level <= LEVELS_MOST && !b->open &&
	       (b->value.kind != J_STRING || b->value.n <= TEXT_MOST) &&
	       can_open(d, (size_t)(b - d->blocks));
}

static const struct block_ops node_ops = {.layout = layout_node,
	.toggle = doc_turn_fold,
	.unfold = open_node,
	.toggles = can_open,
	.opens = opens_by_level};

/* Opens what is small among the nodes from `at` on, and what that brings. */
static void open_small(struct doc *d, size_t at, uint32_t level)
{
	for (; at < d->count; at++) {
		const struct block *b = &d->blocks[at];
		bool asked = !d->levels || b->level <= d->levels,
		     small = b->level < level + OPEN_LEVELS &&
			     (b->root || b->value.n <= OPEN_BYTES);

		if (tree_is_node(d, at) && is_container(b->value) &&
			(d->print || (asked && small)))
			open_node(d, at);
	}
}

static void expand_rest(struct doc *d, size_t at)
{
	const struct block *b = &d->blocks[at];
	struct jwalk w = tree_kept_walk(b);
	uint32_t level = b->level;

	insert_children(d, at + 1, &w, b->indent, level);
	if (d->print)
		open_small(d, at + 1, level);
}

static const struct block_ops rest_ops = {.expand = expand_rest};

void tree_add_closed(struct doc *d, struct jv key, struct jv value, uint32_t indent)
{
	struct block *b = doc_add(d, &node_ops);

	b->key = key;
	b->value = value;
	b->index = UINT64_MAX;
	b->indent = indent;
	b->level = 1;
	b->root = true;
	b->role = ROLE_KEY;
}

void tree_add(struct doc *d, struct jv key, struct jv value, uint32_t indent)
{
	size_t at = d->count;

	tree_add_closed(d, key, value, indent);
	open_small(d, at, 1);
}

void tree_add_children(
	struct doc *d, struct jv container, uint32_t indent, uint32_t level)
{
	struct jwalk w = jwalk_of(container);
	size_t at = d->count;

	insert_children(d, at, &w, indent, level);
	open_small(d, at, level);
}

/* ---- finding ---- */

bool tree_is_rest(const struct doc *d, size_t at)
{
	return at < d->count && d->blocks[at].ops == &rest_ops;
}

static bool holds(struct str text, struct jv value)
{
	return value.p >= text.p && value.p < text.p + text.n;
}

size_t tree_find(struct doc *d, struct jv value)
{
	for (size_t i = 0; i < d->count; i++) {
		const struct block *b = &d->blocks[i];

		if (b->ops == &rest_ops && holds(b->text, value))
			doc_layout(d, i); /* inserts its children after it */
		if (!tree_is_node(d, i))
			continue;
		if (b->value.p == value.p && b->value.kind == value.kind)
			return i;
		if (!b->open && is_container(b->value) &&
			holds(jv_raw(b->value), value)) {
			open_node(d, i);
			doc_release(d, i);
		}
	}
	return SIZE_MAX;
}

/* ---- paths ---- */

void tree_path(const struct doc *d, size_t at, struct buf *out)
{
	size_t *nodes = NULL, count = 0, cap = 0;

	for (size_t i = at; tree_is_node(d, i); i = doc_parent(d, i)) {
		*MEM_ADD(nodes, count, cap) = i;
		if (d->blocks[i].root)
			break;
	}
	while (count--) {
		const struct block *b = &d->blocks[nodes[count]];

		if (b->key.kind == J_STRING)
			path_add_member(out, b->key, 0);
		else if (b->index != UINT64_MAX)
			path_add_index(out, b->index);
	}
	mem_free(nodes);
}
