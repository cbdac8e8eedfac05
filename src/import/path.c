/* Paths to values: see path.h. */
#include "config.h"
#include "import/path.h"

#include <ctype.h>

#include "base/buf.h"
#include "base/mem.h"
#include "chat/side.h"
#include "dialect/attributes.h"
#include "dialect/chunk.h"
#include "io/unpack.h"
#include "json/json.h"

/* ---- from text ---- */

struct path_text {
	struct str rest;
	struct arena *arena;
	struct path_step steps[PATH_STEPS];
	size_t count;
};

static struct str take(struct path_text *t, size_t n)
{
	struct str head = {t->rest.p, n};

	t->rest.p += n;
	t->rest.n -= n;
	return head;
}

static size_t until(struct str text, const char *ends)
{
	size_t n = 0;

	while (n < text.n && !strchr(ends, text.p[n]))
		n++;
	return n;
}

/* What is between brackets. */
static bool parse_bracket(struct path_text *t, struct path_step *step)
{
	struct str inside;
	size_t n, equal;

	take(t, 1);
	n = until(t->rest, "]");
	if (n == t->rest.n)
		return false;
	inside = take(t, n);
	take(t, 1);
	equal = until(inside, "=");
	if (str_equal(inside, STR("*"))) {
		step->kind = PATH_EACH;
	} else if (str_equal(inside, STR("0")) || str_equal(inside, STR("-1"))) {
		step->kind = PATH_INDEX;
		step->index = inside.n == 1 ? 0 : -1;
	} else if (equal && equal < inside.n) {
		step->kind = PATH_WHERE;
		step->key = arena_dup(t->arena, (struct str){inside.p, equal}).p;
		step->text = arena_dup(t->arena, str_skip(inside, equal + 1)).p;
	} else {
		return false;
	}
	return true;
}

static bool parse_key(struct path_text *t, struct path_step *step)
{
	bool quoted = t->rest.p[0] == '"';
	struct str key;

	if (t->rest.p[0] == '@') {
		take(t, 1);
		step->kind = PATH_ATTRIBUTE;
	}
	if (t->rest.n && t->rest.p[0] == '"') {
		take(t, 1);
		key = take(t, until(t->rest, "\""));
		if (!t->rest.n)
			return false;
		take(t, 1);
	} else if (step->kind == PATH_ATTRIBUTE) {
		key = take(t, t->rest.n);
	} else {
		key = take(t, until(t->rest, ".["));
	}
	step->key = arena_dup(t->arena, key).p;
	if (str_equal(key, STR("*")) && step->kind == PATH_KEY)
		step->kind = PATH_MEMBERS;
	if (str_equal(key, STR("~")) && step->kind == PATH_KEY)
		step->kind = PATH_NAMES;
	if (step->kind == PATH_KEY && !quoted && key.n > 1 && *key.p == '*') {
		step->kind = PATH_ENDING;
		step->key++;
	}
	return key.n > 0 || step->kind == PATH_ATTRIBUTE;
}

bool path_parse(struct path *path, struct str text, struct arena *arena)
{
	struct path_text t = {.rest = text, .arena = arena};

	*path = (struct path){0};
	if (!text.n)
		return false;
	if (str_equal(text, STR(".")))
		return true;
	while (t.rest.n) {
		struct path_step *step = &t.steps[t.count];

		if (t.count++ == PATH_STEPS)
			return false;
		*step = (struct path_step){.kind = PATH_KEY};
		if (t.rest.p[0] == '[') {
			if (!parse_bracket(&t, step))
				return false;
			continue;
		}
		if (t.count > 1 && t.rest.p[0] != '.')
			return false;
		if (t.count > 1)
			take(&t, 1);
		if (!t.rest.n || !parse_key(&t, step))
			return false;
	}
	path->count = t.count;
	path->steps = arena_alloc(arena, t.count * sizeof(*t.steps));
	memcpy(path->steps, t.steps, t.count * sizeof(*t.steps));
	return true;
}

/* ---- attributes ---- */

struct jv attribute_value(struct jv value, struct arena *arena)
{
	return attributes_unquoted(attributes_plain(value, arena), arena);
}

static struct jv attribute_in(struct jv carrier, const char *name, struct arena *arena)
{
	struct jv found;

	if (carrier.kind == J_STRING)
		carrier = side_open_string(carrier, arena);
	if (!*name || (carrier.kind != J_ARRAY && carrier.kind != J_OBJECT))
		return carrier;
	if (carrier.kind == J_ARRAY) /* of equal names the last */
		attributes_get(carrier, &name, &found, 1, arena);
	else
		found = attributes_at(carrier, name);
	return attributes_unquoted(found, arena);
}

/* ---- keys by their end ---- */

static bool joins_words(char c)
{
	return !isalnum((unsigned char)c);
}

bool path_key_ends(struct str key, struct str words)
{
	while (words.n) {
		char c = words.p[words.n - 1];

		if (joins_words(c)) {
			words.n--;
		} else if (key.n && joins_words(key.p[key.n - 1])) {
			key.n--;
		} else if (key.n && tolower((unsigned char)key.p[key.n - 1]) ==
						    tolower((unsigned char)c)) {
			words.n--;
			key.n--;
		} else {
			return false;
		}
	}
	return !key.n || joins_words(key.p[key.n - 1]) || isupper((unsigned char)key.p[key.n]);
}

/* ---- reading ---- */

static bool walk_from(const struct path *path, size_t at, struct jv value,
	const struct path_reading *r);

/* Whether a key ends before `end` that is the name, or its end from a dot on. */
static bool ends_key(struct str text, size_t end, struct str name)
{
	size_t n = 0;

	while (n < name.n && n < end && text.p[end - n - 1] == name.p[name.n - n - 1])
		n++;
	return n < end && text.p[end - n - 1] == '"' &&
	       (n == name.n || name.p[name.n - n - 1] == '.');
}

/*
 * Whether an attribute may be there at all, by the text of what carries it: most of those
 * that are asked for are not.  A key in a string of JSON ends with a backslash, and the
 * key of a flat list with a dot.
 */
static bool may_have_attribute(struct jv value, struct str name)
{
	struct str text = {value.p, value.n}, last = name;
	const char *p = text.p;

	if (!name.n || !text.p)
		return true;
	while (memchr(last.p, '.', last.n)) {
		size_t n =
			(size_t)((const char *)memchr(last.p, '.', last.n) - last.p) + 1;

		last = str_skip(last, n);
	}
	while (last.n && (p = memmem(p, (size_t)(text.p + text.n - p), last.p, last.n))) {
		size_t end = (size_t)(p - text.p) + last.n;

		if (end < text.n && strchr("\"\\.", text.p[end]) && text.p[end] &&
			ends_key(text, end, name))
			return true;
		p++;
	}
	return !last.n;
}

static bool walk_attribute(const struct path *path, size_t at, struct jv value,
	const struct path_reading *r)
{
	const char *name = path->steps[at].key;
	const struct paths *c = r->carriers;
	struct arena *arena = r->arena;
	bool within = at + 1 < path->count;
	size_t carriers = at == 0 && c ? c->count : 0;
	struct jv found = JV_NONE;

	if (!may_have_attribute(value, str_of(name)))
		return true;
	if (at > 0)
		found = attribute_in(value, name, arena);
	for (size_t i = 0; i < carriers && found.kind == J_NONE; i++)
		found = attribute_in(
			path_first(&c->items[i], value, NULL, arena), name, arena);
	/* attributes whose names begin with this one ("a.0.b" for "a"), as one value */
	if (within && at > 0 && found.kind == J_NONE)
		found = attributes_below(value, name, arena);
	for (size_t i = 0; within && i < carriers && found.kind == J_NONE; i++)
		found = attributes_below(
			path_first(&c->items[i], value, NULL, arena), name, arena);
	return found.kind == J_NONE || walk_from(path, at + 1, found, r);
}

static bool walk_from(const struct path *path, size_t at, struct jv value,
	const struct path_reading *r)
{
	const struct path_step *step;
	struct jv last = JV_NONE;
	bool members;

	if (at == path->count)
		return r->found(r->ctx, value);
	step = &path->steps[at];
	value = unwrap(value, r->arena);
	if (step->kind == PATH_ATTRIBUTE)
		return walk_attribute(path, at, value, r);
	if (step->kind == PATH_KEY) {
		value = value.kind == J_OBJECT ? jv_member(value, step->key) : JV_NONE;
		return value.kind == J_NONE || walk_from(path, at + 1, value, r);
	}
	members = step->kind == PATH_MEMBERS || step->kind == PATH_ENDING ||
		  step->kind == PATH_NAMES;
	if (value.kind != (members ? J_OBJECT : J_ARRAY))
		return true;
	JV_PAIRS(key, item, value) {
		if (step->kind == PATH_WHERE &&
			!jv_is(jv_member(item, step->key), str_of(step->text)))
			continue;
		if (step->kind == PATH_INDEX && step->index < 0) {
			last = item;
			continue;
		}
		if (step->kind == PATH_ENDING &&
			!path_key_ends(jv_plain(key), str_of(step->key)))
			continue;
		if (step->kind == PATH_MEMBERS && r->member)
			*r->member = key;
		if (!walk_from(path, at + 1, step->kind == PATH_NAMES ? key : item, r))
			return false;
		if (step->kind == PATH_INDEX)
			return true;
	}
	return last.kind == J_NONE || walk_from(path, at + 1, last, r);
}

bool path_each(const struct path *path, struct jv value, const struct path_reading *r)
{
	return value.kind == J_NONE || walk_from(path, 0, value, r);
}

static bool take_first(void *ctx, struct jv value)
{
	struct jv *first = ctx;

	if (jv_null(value))
		return true;
	*first = value;
	return false;
}

struct jv path_first(const struct path *path, struct jv value,
	const struct paths *carriers, struct arena *arena)
{
	struct jv first = JV_NONE;
	struct path_reading r = {carriers, arena, take_first, &first, NULL};

	path_each(path, value, &r);
	return first;
}

/* ---- what a string of a recording holds ---- */

#define UNPACKED_MOST (64u * 1024 * 1024)

/* ---- bytes ---- */

static int hex_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool decode_hex(struct str text, struct buf *out)
{
	for (size_t i = 0; i + 1 < text.n; i += 2) {
		int high = hex_value(text.p[i]), low = hex_value(text.p[i + 1]);

		if (high < 0 || low < 0)
			return false;
		buf_byte(out, (char)(high << 4 | low));
	}
	return text.n % 2 == 0;
}

/* ---- event streams of AWS ---- */

static size_t number_at(struct str bytes, size_t at)
{
	size_t n = 0;

	for (size_t i = 0; i < 4; i++)
		n = n << 8 | (unsigned char)bytes.p[at + i];
	return n;
}

static bool read_frames(struct str bytes, struct buf *out)
{
	size_t at = 0;

	while (bytes.n - at >= 16) {
		size_t total = number_at(bytes, at), headers = number_at(bytes, at + 4);
		AUTO_BUF event = BUF_INIT, text = BUF_INIT;
		struct str payload;
		struct jv value, packed;

		if (total < 16 || total > bytes.n - at || headers > total - 16)
			break;
		payload = (struct str){bytes.p + at + 12 + headers, total - headers - 16};
		at += total;
		/* the event of InvokeModel stands as base64 in `bytes` */
		value = jv_parse(payload);
		packed = jv_member(value, "bytes");
		if (packed.kind == J_STRING &&
			base64_get(jv_str(packed, &text), &event) &&
			jv_parse(buf_view(&event)).kind == J_OBJECT)
			payload = buf_view(&event);
		else if (value.kind != J_OBJECT || value.cut)
			continue;
		buf_text(out, out->len ? "," : "[");
		json_write_raw(out, payload);
	}
	if (out->len)
		buf_byte(out, ']');
	return out->len > 0 && at == bytes.n;
}

/* ---- strings ---- */

/* By the first bytes of what is known: gzip, `{"`, `[{`, `data:`, `event:`, a short
 * frame.
 */
static bool may_be_base64(struct str text)
{
	static const char *const heads[] = {"H4sI", "eyJ", "W3s", "ewog", "ZGF0Y",
		"ZXZlbnQ6", "AAAA", "AAAB", "AAAC"};

	for (size_t i = 0; i < sizeof(heads) / sizeof(*heads); i++)
		if (str_starts(text, str_of(heads[i])))
			return true;
	return false;
}

static struct jv unpacked(struct jv value, struct arena *arena)
{
	AUTO_BUF packed = BUF_INIT, text = BUF_INIT, frames = BUF_INIT;
	const struct codec *codec = NULL;
	struct jwalk w = jwalk_of(value);
	bool one = value.kind == J_STRING, good = true, hex = false;
	struct str bytes;

	/* the bytes that the string holds, or strings that are its pieces: all are
	 * written as the first one is */
	for (bool first = true; good && (one ? first : jwalk_next(&w, NULL, &value));
		first = false) {
		struct str s;

		buf_clear(&text);
		s = value.kind == J_STRING ? jv_str(value, &text) : (struct str){0};
		hex |= first && str_starts(s, STR("1f8b08"));
		good = s.p &&
		       (hex ? decode_hex(s, &packed)
			    : (!first || may_be_base64(s)) && base64_get(s, &packed));
	}
	if (!good || !packed.len)
		return JV_NONE;
	bytes = buf_view(&packed);
	buf_clear(&text);
	if (codec_recognize(bytes, &codec) == LIKE_SURELY) {
		codec_unpack(codec, bytes, UNPACKED_MOST, &text);
		bytes = buf_view(&text);
	}
	if (!bytes.n)
		return JV_NONE;
	if (!bytes.p[0] && read_frames(bytes, &frames))
		return json_kept(&frames, arena);
	/* the string of JSON that it may have been before it was packed */
	value = side_open_string(json_quoted(bytes, arena), arena);
	return value.kind == J_STRING ? streamed_events(value, arena) : value;
}

struct jv unwrap(struct jv value, struct arena *arena)
{
	struct jv inner;

	if (value.kind == J_STRING) {
		inner = side_open_string(value, arena);
		if (inner.kind == J_STRING) {
			/* events; most strings need not be decoded for that */
			inner = value.n > 2 && memchr("deir:{\\", value.p[1], 7)
					? streamed_events(value, arena)
					: JV_NONE;
		}
		if (inner.kind == J_NONE)
			inner = unpacked(value, arena);
		value = inner.kind == J_NONE ? value : inner;
	}
	if (jv_first(value).kind == J_STRING) { /* pieces of a text */
		inner = unpacked(value, arena);
		value = inner.kind == J_NONE ? value : inner;
	}
	return value;
}

/* ---- paths in one tree of keys ---- */

static inline uint32_t read_word(const char *p)
{
	uint32_t word;

	memcpy(&word, p, sizeof(word));
	return word;
}

static inline size_t edge_hash(uint16_t from, bool attribute, struct str key)
{
	uint64_t word = 0, h;

	if (key.n >= 8)
		memcpy(&word, key.p + key.n - 8, 8);
	else if (key.n >= 4)
		word = (uint64_t)read_word(key.p) << 32 | read_word(key.p + key.n - 4);
	else
		for (size_t i = 0; i < key.n; i++)
			word = word << 8 | (unsigned char)key.p[i];
	h = word * 2 + attribute + ((uint64_t)from << 40) + ((uint64_t)key.n << 32);
	h *= 0x9E3779B97F4A7C15u;
	return (size_t)(h >> 32);
}

static inline uint16_t find_edge(
	const struct trie *t, uint16_t from, bool attribute, struct str key)
{
	size_t i = edge_hash(from, attribute, key);

	for (;; i++) {
		uint16_t number = t->edge_slots[i & t->edge_mask];
		const struct trie_edge *e;

		if (!number)
			return NODE_NONE;
		e = &t->edges[number - 1];
		if (e->from == from && e->attribute == attribute &&
			str_equal(e->key, key))
			return e->to;
	}
}

/* A key with escapes.  It has a function of its own, as look_up must stay small: nearly no
 * key has any. */
static uint16_t find_decoded(
	const struct trie *t, uint16_t from, bool attribute, struct str raw)
{
	AUTO_BUF quoted = BUF_INIT, key = BUF_INIT;

	buf_byte(&quoted, '"');
	buf_str(&quoted, raw);
	buf_byte(&quoted, '"');
	jv_decode(jv_of(buf_view(&quoted), J_STRING), &key);
	return find_edge(t, from, attribute, buf_view(&key));
}

static inline uint16_t look_up(
	const struct trie *t, uint16_t from, bool attribute, struct str raw)
{
	uint16_t to = find_edge(t, from, attribute, raw);

	if (to == NODE_NONE && raw.n && memchr(raw.p, '\\', raw.n))
		return find_decoded(t, from, attribute, raw);
	return to;
}

uint16_t trie_member(const struct trie *t, uint16_t node, struct str key)
{
	uint16_t to = look_up(t, node, false, key);
	size_t longest = 0;

	if (to == NODE_NONE && t->nodes[node].carrier)
		to = look_up(t, node, true, key);
	if (to != NODE_NONE)
		return to;
	to = t->nodes[node].any;
	/* the longest ending that the key has */
	for (uint16_t e = t->nodes[node].endings; e; e = t->edges[e - 1].next) {
		const struct trie_edge *edge = &t->edges[e - 1];

		if ((!longest || edge->key.n > longest) &&
			path_key_ends(key, edge->key)) {
			longest = edge->key.n;
			to = edge->to;
		}
	}
	return to;
}

uint16_t trie_attribute(const struct trie *t, uint16_t node, struct str name)
{
	uint16_t to = look_up(t, node, true, name);

	return to == NODE_NONE ? look_up(t, node, false, name) : to;
}

static void enter_edge(struct trie *t, size_t e)
{
	const struct trie_edge *edge = &t->edges[e];
	size_t i = edge_hash(edge->from, edge->attribute, edge->key);

	while (t->edge_slots[i & t->edge_mask])
		i++;
	t->edge_slots[i & t->edge_mask] = (uint16_t)(e + 1);
}

/* Room for twice the edges. */
static void rehash(struct trie *t)
{
	size_t slots = 64;

	while (slots < t->edge_count * 4)
		slots *= 2;
	mem_free(t->edge_slots);
	t->edge_slots = mem_zalloc(slots, sizeof(*t->edge_slots));
	t->edge_mask = slots - 1;
	for (size_t e = 0; e < t->edge_count; e++)
		enter_edge(t, e);
}

static uint16_t add_node(struct trie *t)
{
	MEM_ROOM(t->nodes, t->node_cap, t->node_count + 1);
	t->nodes[t->node_count] =
		(struct trie_node){.each = NODE_NONE, .any = NODE_NONE, .leaf = -1};
	return (uint16_t)t->node_count++;
}

static void add_edge(
	struct trie *t, uint16_t from, bool attribute, struct str key, uint16_t to)
{
	*MEM_ADD(t->edges, t->edge_count, t->edge_cap) =
		(struct trie_edge){from, to, attribute, key, 0};
	if (t->edge_count * 2 > t->edge_mask)
		rehash(t);
	else
		enter_edge(t, t->edge_count - 1);
	t->nodes[from].inner = true;
}

/* The camelCase twin of a key with underscores, or an empty text. */
static struct str twin_of(struct trie *t, struct str key)
{
	char *twin = arena_alloc(t->arena, key.n + 1);
	size_t n = 0;

	for (size_t i = 0; i < key.n; i++) {
		bool hump = i && key.p[i] == '_' && i + 1 < key.n &&
			    islower((unsigned char)key.p[i + 1]);

		twin[n++] = hump ? (char)toupper((unsigned char)key.p[++i]) : key.p[i];
	}
	return (struct str){twin, n == key.n ? 0 : n};
}

/* Twins have one node, whichever of them was first. */
static uint16_t key_node(struct trie *t, uint16_t from, bool attribute, const char *key)
{
	struct str name = str_of(key), twin;
	uint16_t to = find_edge(t, from, attribute, name);

	if (to != NODE_NONE)
		return to;
	twin = attribute ? (struct str){NULL, 0} : twin_of(t, name);
	if (twin.n)
		to = find_edge(t, from, false, twin);
	if (to != NODE_NONE) {
		add_edge(t, from, false, name, to);
		return to;
	}
	to = add_node(t);
	add_edge(t, from, attribute, name, to);
	if (twin.n)
		add_edge(t, from, false, twin, to);
	return to;
}

/* Endings are in a list of their node; the table of edges never finds them. */
static uint16_t ending_node(struct trie *t, uint16_t from, const char *key)
{
	uint16_t e = t->nodes[from].endings, to;

	for (; e; e = t->edges[e - 1].next)
		if (str_equal(t->edges[e - 1].key, str_of(key)))
			return t->edges[e - 1].to;
	to = add_node(t);
	*MEM_ADD(t->edges, t->edge_count, t->edge_cap) = (struct trie_edge){
		NODE_NONE, to, false, str_of(key), t->nodes[from].endings};
	t->nodes[from].endings = (uint16_t)t->edge_count;
	t->nodes[from].inner = true;
	return to;
}

uint16_t trie_node_of(struct trie *t, uint16_t from, const struct path *p, size_t end)
{
	for (size_t i = 0; i < end; i++) {
		const struct path_step *s = &p->steps[i];
		bool members = s->kind == PATH_MEMBERS;
		uint16_t to;

		if (s->kind == PATH_WHERE || s->kind == PATH_ATTRIBUTE ||
			s->kind == PATH_NAMES || (s->kind == PATH_INDEX && s->index == 0))
			return NODE_NONE;
		if (s->kind == PATH_KEY) {
			from = key_node(t, from, false, s->key);
			continue;
		}
		if (s->kind == PATH_ENDING) {
			from = ending_node(t, from, s->key);
			continue;
		}
		to = members ? t->nodes[from].any : t->nodes[from].each;
		if (to == NODE_NONE) {
			to = add_node(t);
			*(members ? &t->nodes[from].any : &t->nodes[from].each) = to;
		}
		t->nodes[from].inner = true;
		from = to;
	}
	return from;
}

static int node_leaf(struct trie *t, uint16_t node)
{
	if (t->nodes[node].leaf < 0 && t->leaf_count == t->leaf_most)
		t->full = true;
	else if (t->nodes[node].leaf < 0)
		t->nodes[node].leaf = (int16_t)t->leaf_count++;
	return t->nodes[node].leaf;
}

/*
 * The leaf of an attribute: by its full name, and by the objects that its dots make.
 * Both are one leaf, and so is `leaf`, of another place for attributes, unless it is -1.
 */
static int attribute_leaf(
	struct trie *t, uint16_t from, const struct path *p, size_t at, int leaf)
{
	const char *name = p->steps[at].key;
	uint16_t flat, nested = from;
	char *dot, *part;

	t->nodes[from].carrier = true;
	flat = key_node(t, from, true, name);
	/* the nodes that a dotted name makes where attributes are nested objects */
	for (part = (char *)arena_dup(t->arena, str_of(name)).p; part;
		part = dot ? dot + 1 : NULL) {
		dot = strchr(part, '.');
		if (dot)
			*dot = '\0';
		nested = key_node(t, nested, false, part);
	}
	if (at + 1 < p->count) { /* what stands within an attribute's value */
		struct path rest = {p->steps + at + 1, p->count - at - 1};

		flat = trie_node_of(t, flat, &rest, rest.count);
		nested = trie_node_of(t, nested, &rest, rest.count);
	}
	if (flat == NODE_NONE || nested == NODE_NONE)
		return -1;
	if (leaf >= 0 && t->nodes[flat].leaf < 0)
		t->nodes[flat].leaf = (int16_t)leaf;
	leaf = node_leaf(t, flat);
	if (t->nodes[nested].leaf < 0)
		t->nodes[nested].leaf = (int16_t)leaf;
	return leaf;
}

int trie_leaf(struct trie *t, uint16_t from, const struct path *p,
	const struct paths *carriers)
{
	uint16_t node;
	int leaf = -1;

	for (size_t i = 0; i < p->count; i++) {
		if (p->steps[i].kind != PATH_ATTRIBUTE)
			continue;
		if (i > 0)
			return attribute_leaf(t, trie_node_of(t, from, p, i), p, i, -1);
		/* one slot, wherever attributes may stand */
		for (size_t c = 0; carriers && c < carriers->count; c++) {
			const struct path *carrier = &carriers->items[c];
			uint16_t at = trie_node_of(t, from, carrier, carrier->count);

			if (at != NODE_NONE)
				leaf = attribute_leaf(t, at, p, i, leaf);
		}
		return leaf;
	}
	node = trie_node_of(t, from, p, p->count);
	if (node == NODE_NONE)
		return -1;
	return node_leaf(t, node);
}

void trie_carry_steps(struct trie *t, uint16_t node, bool members, bool children)
{
	*(members ? &t->nodes[node].any : &t->nodes[node].each) = t->step;
	t->nodes[node].inner = true;
	t->nodes[node].children = children;
}

void trie_begin(struct trie *t, struct arena *arena, bool apart, size_t leaf_most)
{
	*t = (struct trie){.arena = arena, .leaf_most = leaf_most};
	add_node(t);
	t->step = apart ? add_node(t) : TRIE_ROOT;
	rehash(t);
}

void trie_done(struct trie *t)
{
	mem_free(t->nodes);
	mem_free(t->edges);
	mem_free(t->edge_slots);
	*t = (struct trie){0};
}

/* ---- a value ---- */

#define TRIE_DEEPEST 40

static void read_node(
	const struct trie_reading *r, uint16_t node, struct jv value, unsigned depth)
{
	const struct trie *t = r->trie;
	const struct trie_node *n = &t->nodes[node];
	bool pairs;

	if (n->leaf >= 0)
		r->put(r->ctx, n->leaf, value);
	if (!n->inner || depth == TRIE_DEEPEST)
		return;
	value = unwrap(value, r->arena);
	if (value.kind != J_OBJECT && value.kind != J_ARRAY)
		return;
	pairs = value.kind == J_ARRAY && n->carrier; /* a list of attributes */
	JV_PAIRS(key, item, value) {
		AUTO_BUF name = BUF_INIT;
		struct jv inner = item, named;
		uint16_t to = n->each;

		if (pairs) {
			if (!attributes_pair(item, &named, &inner))
				continue;
			to = trie_attribute(t, node, jv_str(named, &name));
		} else if (value.kind == J_OBJECT) {
			to = key.kind == J_STRING && key.n >= 2
				     ? trie_member(t, node,
					       (struct str){key.p + 1, key.n - 2})
				     : NODE_NONE;
		}
		if (to == NODE_NONE || (to == t->step && !pairs))
			continue;
		if (pairs || (n->carrier && item.kind == J_STRING))
			inner = attribute_value(inner, r->arena);
		read_node(r, to, inner, depth + 1);
	}
}

void trie_read(const struct trie_reading *r, uint16_t node, struct jv value)
{
	read_node(r, node, value, 0);
}
