/* Paths in one tree of keys: see path.h. */
#include "config.h"
#include "import/path.h"

#include <ctype.h>

#include "base/mem.h"
#include "dialect/attributes.h"

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
