/*
 * The JSON tree (see tree.h).  Opening a container puts a block a child behind it, a thousand at a
 * time; a block that is never seen stands for the rest and becomes it when it is reached.
 */
#include "config.h"
#include "view/tree.h"

#include <inttypes.h>

#include "base/map.h"
#include "chat/side.h"
#include "text/safe.h"
#include "text/wrap.h"
#include "view/facts.h"

#define STEP        2            /* cells a level is indented */
#define BATCH       1000         /* children put in at a time */
#define OPEN_LEVELS 3            /* levels that are opened at first */
#define OPEN_BYTES  4096         /* ... when they are no longer than this */
#define INDENT_MOST 60           /* cells; deeper levels stand below one another */
#define UNWRAPPED   (1u << 20)   /* a width for what has none */
#define TEXT_MOST   (64u * 1024) /* of one string; its whole is in the raw view */

static const struct block_ops node_ops, rest_ops;

static struct str raw_of(struct jv v)
{
	return (struct str){v.p, v.n};
}

static enum role kind_role(enum jkind kind)
{
	switch (kind) {
	case J_STRING:
		return ROLE_STRING;
	case J_NUMBER:
		return ROLE_NUMBER;
	case J_TRUE:
	case J_FALSE:
	case J_NULL:
		return ROLE_LITERAL;
	case J_BAD:
		return ROLE_ERROR;
	case J_NONE:
	case J_OBJECT:
	case J_ARRAY:
		break;
	}
	return ROLE_PUNCT;
}

static bool is_container(struct jv v)
{
	return v.kind == J_OBJECT || v.kind == J_ARRAY;
}

/* A string that looks like JSON; certain only when it is opened. */
static bool is_json_string(struct jv v)
{
	struct str s = raw_of(v);

	if (v.kind != J_STRING || v.cut || s.n < 4)
		return false;
	s = str_trim((struct str){s.p + 1, s.n - 2});
	return s.n >= 2 && ((s.p[0] == '{' && s.p[s.n - 1] == '}') ||
				   (s.p[0] == '[' && s.p[s.n - 1] == ']'));
}

/* ---- one line of a value ---- */

static uint32_t line_width(const struct lines *ls)
{
	return ls->lines[ls->count - 1].width;
}

/* As much of a raw text as fits on the line up to column `cells`; false when it was cut. */
static bool put_cut(struct lines *out, enum role role, struct str raw, uint32_t cells)
{
	uint32_t width = line_width(out);
	struct safe_cluster c;
	size_t n = 0;

	while (n < raw.n) {
		safe_next(raw.p + n, raw.n - n, &c);
		width += c.width ? c.width : 1;
		if (width > cells)
			break;
		n += c.taken;
	}
	lines_put_raw(out, role, (struct str){raw.p, n});
	return n == raw.n;
}

static void put_more(struct lines *out)
{
	if (safe_ascii())
		lines_put(out, ROLE_DIM, STR("..."), 3);
	else
		lines_put(out, ROLE_DIM, STR("\xE2\x80\xA6"), 1);
}

static bool put_scalar(struct lines *out, struct jv v, uint32_t cells)
{
	if (is_container(v)) {
		lines_put(out, ROLE_PUNCT, v.kind == J_OBJECT ? STR("{") : STR("["), 1);
		if (jv_count(v, 1))
			put_more(out);
		lines_put(out, ROLE_PUNCT, v.kind == J_OBJECT ? STR("}") : STR("]"), 1);
		return true;
	}
	if (put_cut(out, kind_role(v.kind), raw_of(v), cells))
		return true;
	put_more(out);
	return false;
}

void tree_preview(struct lines *out, struct jv value, uint32_t cells)
{
	struct jwalk w;
	struct jv key, child;
	uint32_t room = cells > 6 ? cells - 6 : 0; /* for what says that more follows */
	bool whole = true, first = true;

	if (!is_container(value)) {
		put_scalar(out, value, cells > 3 ? cells - 3 : 0);
		return;
	}
	lines_put(out, ROLE_PUNCT, value.kind == J_OBJECT ? STR("{") : STR("["), 1);
	jwalk_begin(&w, value);
	while (whole && jwalk_next(&w, &key, &child)) {
		if (!first)
			lines_put(out, ROLE_PUNCT, STR(", "), 2);
		first = false;
		if (line_width(out) >= room) {
			put_more(out);
			break;
		}
		if (key.n) {
			whole = put_cut(out, ROLE_KEY, raw_of(key), room);
			lines_put(out, ROLE_PUNCT, STR(": "), 2);
		}
		if (whole && line_width(out) < room)
			whole = put_scalar(out, child, room);
		else
			put_more(out);
	}
	lines_put(out, ROLE_PUNCT, value.kind == J_OBJECT ? STR("}") : STR("]"), 1);
}

/* ---- nodes ---- */

bool tree_is_node(const struct doc *d, size_t at)
{
	return at < d->count && d->blocks[at].ops == &node_ops;
}

bool tree_can_open(const struct doc *d, size_t at)
{
	const struct block *b = &d->blocks[at];

	if (!tree_is_node(d, at))
		return false;
	return (is_container(b->value) && jv_count(b->value, 1)) || is_json_string(b->value);
}

bool tree_is_open(const struct doc *d, size_t at)
{
	return tree_is_node(d, at) && d->blocks[at].open;
}

size_t tree_parent(const struct doc *d, size_t at)
{
	for (size_t i = at; i-- > 0 && !d->blocks[i].head;)
		if (tree_is_node(d, i) && d->blocks[i].level < d->blocks[at].level)
			return i;
	return SIZE_MAX;
}

static void put_marker(struct lines *out, const struct block *b, bool opens)
{
	if (!opens)
		lines_put(out, ROLE_TEXT, STR("  "), 2);
	else if (safe_ascii())
		lines_put(out, ROLE_DIM, b->open ? STR("- ") : STR("+ "), 2);
	else
		lines_put(out, ROLE_DIM, b->open ? STR("\xE2\x96\xBE ") : STR("\xE2\x96\xB8 "), 2);
}

/* The key as written, or the index in an array. */
static void put_label(struct lines *out, const struct block *b, uint32_t cells)
{
	if (b->key.kind == J_STRING) {
		if (!put_cut(out, b->role, raw_of(b->key), cells))
			put_more(out);
		if (b->role == ROLE_WARNING)
			lines_put(out, ROLE_WARNING, STR(" (again)"), 8);
		lines_put(out, ROLE_PUNCT, STR(": "), 2);
	} else if (b->index != UINT64_MAX) {
		lines_printf(out, ROLE_DIM, "%" PRIu64 ": ", b->index);
	}
}

static void put_open_container(struct lines *out, struct jv v)
{
	size_t n = jv_count(v, 10000);
	const char *what = v.kind == J_OBJECT ? "key" : "item";

	lines_put(out, ROLE_PUNCT, v.kind == J_OBJECT ? STR("{") : STR("["), 1);
	lines_printf(out, ROLE_DIM, " %zu%s %s%s", n, n == 10000 ? "+" : "", what,
		n == 1 ? "" : "s");
	if (v.cut)
		lines_printf(out, ROLE_WARNING, " cut");
}

/* A string over as many lines as it takes: real line feeds, behind its label. */
static void put_string(const struct doc *d, struct lines *out, const struct block *b,
	uint32_t width)
{
	struct buf text = BUF_INIT, pad = BUF_INIT;
	struct jv v = b->value;
	struct wrap w;
	uint32_t column = line_width(out), most = width / 2 < INDENT_MOST ? width / 2 : INDENT_MOST;
	uint32_t hang = b->indent + STEP < most ? b->indent + STEP : most;
	bool more = v.n > TEXT_MOST && !d->print;

	if (more) {
		v.n = TEXT_MOST;
		v.cut = true;
	}
	jv_decode(v, &text);
	if (column + safe_width(buf_view(&text)) + 2 <= width &&
		!(text.len && memchr(text.data, '\n', text.len))) {
		lines_put(out, ROLE_PUNCT, STR("\""), 1);
		lines_put_raw(out, ROLE_STRING, buf_view(&text));
		lines_put(out, ROLE_PUNCT, STR("\""), 1);
	} else {
		buf_fill(&pad, ' ', hang);
		wrap_begin(&w, out, width);
		wrap_indent(&w, buf_view(&pad), buf_view(&pad), ROLE_TEXT);
		wrap_add(&w, ROLE_PUNCT, STR("\""));
		wrap_add(&w, ROLE_STRING, buf_view(&text));
		if (!more)
			wrap_add(&w, ROLE_PUNCT, STR("\""));
		wrap_end(&w);
	}
	if (more) {
		buf_clear(&text);
		facts_bytes(&text, b->value.n - TEXT_MOST);
		lines_printf(out, ROLE_DIM, " %s more in the raw view", text.data);
	}
	if (b->value.cut)
		lines_printf(out, ROLE_WARNING, " cut");
	buf_done(&pad);
	buf_done(&text);
}

static void layout_node(struct doc *d, const struct block *b, struct lines *out, uint32_t cells)
{
	size_t at = (size_t)(b - d->blocks);
	bool opens = tree_can_open(d, at);
	uint32_t width = cells ? cells : UNWRAPPED;
	uint32_t most = width / 2 < INDENT_MOST ? width / 2 : INDENT_MOST;
	uint32_t indent = b->indent < most ? b->indent : most;
	struct buf pad = BUF_INIT;

	buf_fill(&pad, ' ', indent);
	lines_begin(out);
	lines_put(out, ROLE_TEXT, buf_view(&pad), indent);
	put_marker(out, b, opens);
	put_label(out, b, width > 12 ? width - 8 : width);
	if (b->open && is_container(b->value))
		put_open_container(out, b->value);
	else if (b->open)
		lines_printf(out, ROLE_DIM, "JSON in a string");
	else if (is_container(b->value) || opens)
		tree_preview(out, b->value, width);
	else if (b->value.kind == J_STRING)
		put_string(d, out, b, width);
	else if (!put_cut(out, kind_role(b->value.kind), raw_of(b->value), width))
		wrap_text(out, raw_of(b->value), width, buf_view(&pad), kind_role(b->value.kind));
	buf_done(&pad);
}

/* Marks the keys that an object has twice; the last of them is the one that counts. */
static enum role key_role(struct idmap *seen, struct jv key)
{
	uint64_t hash = map_hash(raw_of(key));
	bool again = key.kind == J_STRING && idmap_find(seen, hash) != MAP_NONE;

	idmap_add(seen, hash, 0);
	return again ? ROLE_WARNING : ROLE_KEY;
}

/* Puts up to BATCH children, from the walk's state on, at `at`; returns how many blocks that made. */
static size_t insert_children(struct doc *d, size_t at, struct jwalk *w, uint32_t indent,
	uint32_t level)
{
	struct idmap seen = {0};
	struct jv key, value;
	size_t n = 0;

	while (n < BATCH && jwalk_next(w, &key, &value)) {
		struct block *b = doc_insert(d, at + n++, &node_ops);

		b->key = w->object ? key : (struct jv)JV_NONE;
		b->value = value;
		b->index = w->object ? UINT64_MAX : w->index;
		b->indent = indent;
		b->level = level;
		b->role = key_role(&seen, key);
	}
	idmap_done(&seen);
	if (n == BATCH && w->p < w->end) {
		struct block *b = doc_insert(d, at + n++, &rest_ops);

		b->value = (struct jv){.kind = w->object ? J_OBJECT : J_ARRAY};
		b->text = (struct str){w->p, (size_t)(w->end - w->p)};
		b->index = w->index;
		b->indent = indent;
		b->level = level;
	}
	return n;
}

static void expand_rest(struct doc *d, size_t at)
{
	const struct block *b = &d->blocks[at];
	struct jwalk w = {.p = b->text.p,
		.end = b->text.p + b->text.n,
		.object = b->value.kind == J_OBJECT,
		.index = b->index,
		.started = true};

	insert_children(d, at + 1, &w, b->indent, b->level);
}

static void layout_rest(struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	(void)d;
	(void)b;
	(void)out;
	(void)width;
}

static const struct block_ops rest_ops = {.layout = layout_rest, .expand = expand_rest};

static size_t open_node(struct doc *d, size_t at)
{
	struct block *b = &d->blocks[at];
	struct jwalk w;
	struct jv inner = b->value;
	unsigned opened = 0;

	if (b->value.kind == J_STRING)
		inner = side_open_string(b->value, &opened, &d->arena);
	if (!is_container(inner))
		return 0;
	b->open = true;
	jwalk_begin(&w, inner);
	return insert_children(d, at + 1, &w, b->indent + STEP, b->level + 1);
}

static void close_node(struct doc *d, size_t at)
{
	size_t end = at + 1;

	while (end < d->count && !d->blocks[end].head &&
		d->blocks[end].level > d->blocks[at].level)
		end++;
	doc_remove(d, at + 1, end - at - 1);
	d->blocks[at].open = false;
}

static void toggle_node(struct doc *d, size_t at)
{
	if (d->blocks[at].open)
		close_node(d, at);
	else
		open_node(d, at);
}

static const struct block_ops node_ops = {.layout = layout_node, .toggle = toggle_node};

size_t tree_insert(struct doc *d, size_t at, struct jv key, struct jv value, uint32_t indent)
{
	struct block *b = doc_insert(d, at, &node_ops);
	size_t end = at + 1;

	b->key = key;
	b->value = value;
	b->index = UINT64_MAX;
	b->indent = indent;
	b->level = 1;
	b->role = ROLE_KEY;
	for (size_t i = at; i < end; i++) {
		b = &d->blocks[i];
		if (tree_is_node(d, i) && is_container(b->value) &&
			(d->print || (b->level <= OPEN_LEVELS &&
					     (i == at || b->value.n <= OPEN_BYTES))))
			end += open_node(d, i);
	}
	return end - at;
}

/* ---- paths ---- */

static bool is_word(struct str s)
{
	if (!s.n || (s.p[0] >= '0' && s.p[0] <= '9'))
		return false;
	for (size_t i = 0; i < s.n; i++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$",
			    s.p[i]) ||
			!s.p[i])
			return false;
	return true;
}

static void put_step(struct buf *out, const struct block *b)
{
	struct str plain = jv_plain(b->key);

	if (b->key.kind == J_STRING && plain.p && is_word(plain)) {
		if (out->len)
			buf_byte(out, '.');
		buf_str(out, plain);
	} else if (b->key.kind == J_STRING) {
		buf_byte(out, '[');
		buf_str(out, raw_of(b->key));
		buf_byte(out, ']');
	} else if (b->index != UINT64_MAX) {
		buf_printf(out, "[%" PRIu64 "]", b->index);
	}
}

void tree_path(const struct doc *d, size_t at, struct buf *out)
{
	uint32_t level = 0;

	/* from the outermost in: the last node of each level at or before this one */
	while (tree_is_node(d, at)) {
		size_t i = at;

		while (d->blocks[i].level > level + 1)
			i = tree_parent(d, i);
		put_step(out, &d->blocks[i]);
		if (i == at)
			break;
		level = d->blocks[i].level;
	}
}
