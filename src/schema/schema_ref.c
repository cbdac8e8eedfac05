/*
 * $id and $ref: see schema_node.h, and section 8 of draft-07's core document.
 *
 * All names are interned: the address of a document without its fragment, and
 * ADDRESS#NAME for a name given by "$id": "#NAME".  A pointer starts at the schema that
 * has the address and may lead to any value in it, also to one that no keyword makes a
 * schema.
 */
#include "config.h"
#include "schema/schema_node.h"

#include "base/mem.h"

struct uri_parts { /* with their delimiters; empty when absent */
	struct str scheme, authority, path, query;
};

/* The bytes of s before the first of `stops`. */
static size_t until(struct str s, const char *stops)
{
	size_t n = 0;

	while (n < s.n && !(s.p[n] && strchr(stops, s.p[n])))
		n++;
	return n;
}

static struct str cut(struct str *s, size_t n)
{
	struct str head = {s->p, n};

	s->p += n;
	s->n -= n;
	return head;
}

static struct str uri_document(struct str uri)
{
	return (struct str){uri.p, until(uri, "#")};
}

static struct str uri_fragment(struct str uri)
{
	size_t n = until(uri, "#");

	if (n == uri.n)
		return (struct str){NULL, 0};
	return str_skip(uri, n + 1);
}

static struct uri_parts split(struct str uri)
{
	struct uri_parts parts = {0};
	struct str rest = uri_document(uri);
	size_t n = until(rest, ":/?");

	if (n && n < rest.n && rest.p[n] == ':')
		parts.scheme = cut(&rest, n + 1);
	if (str_starts(rest, STR("//"))) {
		struct str rest_of_authority = {rest.p + 2, rest.n - 2};

		parts.authority = cut(&rest, 2 + until(rest_of_authority, "/?"));
	}
	parts.path = cut(&rest, until(rest, "?"));
	parts.query = rest;
	return parts;
}

/* Appends a path without "." and ".." segments (RFC 3986 section 5.2.4). */
static void put_path(struct buf *out, struct str path)
{
	size_t from = out->len;

	while (path.n) {
		bool slash = path.p[0] == '/';
		struct str inner = {path.p + slash, path.n - slash};
		struct str segment = {inner.p, until(inner, "/")};
		bool last = segment.n == inner.n, dots = str_equal(segment, STR(".."));

		cut(&path, slash + segment.n);
		if (dots) { /* drop the last segment and its slash */
			while (out->len > from && out->data[out->len - 1] != '/')
				out->len--;
			out->len -= out->len > from;
		}
		if (!dots && !str_equal(segment, STR("."))) {
			buf_text(out, slash ? "/" : "");
			buf_str(out, segment);
		} else if (last) {
			buf_byte(out, '/');
		}
	}
}

/* The path of a reference, seen from the base's (RFC 3986 section 5.2.3). */
static void put_merged(struct buf *out, const struct uri_parts *base, struct str path)
{
	AUTO_BUF merged = BUF_INIT;
	size_t n = base->path.n;

	while (n && base->path.p[n - 1] != '/')
		n--;
	if (base->authority.n && !base->path.n)
		buf_byte(&merged, '/');
	buf_add(&merged, base->path.p, n);
	buf_str(&merged, path);
	put_path(out, buf_view(&merged));
}

void uri_resolve(struct buf *out, struct str base, struct str reference)
{
	struct uri_parts from = split(base), to = split(reference);

	if (!base.n || to.scheme.n) {
		buf_str(out, uri_document(reference));
		return;
	}
	buf_str(out, from.scheme);
	buf_str(out, to.authority.n ? to.authority : from.authority);
	if (to.authority.n || str_starts(to.path, STR("/")))
		put_path(out, to.path);
	else if (to.path.n)
		put_merged(out, &from, to.path);
	else
		buf_str(out, from.path);
	if (to.authority.n || to.path.n || to.query.n)
		buf_str(out, to.query);
	else
		buf_str(out, from.query);
}

static int digit(char c)
{
	const char *digits = "0123456789abcdef0123456789ABCDEF";
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? (int)((at - digits) % 16) : -1;
}

static void uri_decode(struct buf *out, struct str text)
{
	for (size_t i = 0; i < text.n; i++) {
		int high = i + 2 < text.n && text.p[i] == '%' ? digit(text.p[i + 1]) : -1;
		int low = high >= 0 ? digit(text.p[i + 2]) : -1;

		if (low >= 0)
			i += 2;
		buf_byte(out, low >= 0 ? (char)(16 * high + low) : text.p[i]);
	}
}

#define ADDRESS_LONGEST 4096 /* bytes */
#define NAME_BYTES                                                                       \
	33554432  /* limit: short names relative to a long address take many             \
		   */
#define ROUNDS 16 /* of resolving: a reference may bring names that others need */

/* The node with a name, or SCHEMA_NODE_NONE. */
static uint32_t find_named(const struct schema *s, struct str name)
{
	uint32_t number = intern_find(&s->names, name);

	return number == MAP_NONE ? SCHEMA_NODE_NONE : idmap_find(&s->named, number);
}

/* Names */

static uint32_t add_name(
	struct compiler *c, const struct schema_place *at, struct str name, uint32_t node)
{
	struct schema *s = c->schema;
	uint32_t number = intern_add(&s->names, name);

	idmap_add(&s->named, number, node);
	c->name_bytes += name.n;
	if (c->name_bytes > NAME_BYTES)
		compile_fail(c, at, "too much memory for addresses");
	return number;
}

/* The address that a reference in a node means; false when it is too long. */
static bool address_of(const struct schema *s, const struct schema_node *node,
	struct str text, struct buf *out)
{
	struct str base = intern_get(&s->names, node->base);

	if (!uri_document(text).n)
		buf_str(out, base);
	else
		uri_resolve(out, base, text);
	return text.n <= ADDRESS_LONGEST && out->len <= ADDRESS_LONGEST;
}

void refs_name(struct compiler *c, uint32_t i)
{
	struct schema_node *node = &c->schema->nodes[i];
	const json_t *id = json_object_get(node->value, "$id");
	struct schema_place at = compile_place(i, "$id");
	AUTO_BUF name = BUF_INIT, fragment = BUF_INIT;

	if (!id)
		return;
	if (schema_kinds(id) != KIND_STRING) {
		compile_fail_value(c, &at, "a string", id);
		return;
	}
	if (!address_of(c->schema, node, schema_text(id), &name))
		compile_fail(c, &at, "longer than an address may be");
	else if (uri_document(schema_text(id)).n)
		node->base = add_name(c, &at, buf_view(&name), i);
	uri_decode(&fragment, uri_fragment(schema_text(id)));
	if (fragment.len && !c->failed) {
		buf_byte(&name, '#');
		buf_str(&name, buf_view(&fragment));
		add_name(c, &at, buf_view(&name), i);
	}
}

/* References */

void refs_note(struct compiler *c, uint32_t i)
{
	const json_t *ref = json_object_get(c->schema->nodes[i].value, "$ref");
	struct schema_place at = compile_place(i, "$ref");

	if (schema_kinds(ref) != KIND_STRING)
		compile_fail_value(c, &at, "a string", ref);
	else if (json_string_length(ref) > ADDRESS_LONGEST)
		compile_fail(c, &at, "longer than an address may be");
	*MEM_ADD(c->refs, c->ref_count, c->ref_cap) = i;
}

static const json_t *item_at(const json_t *array, struct str digits)
{
	size_t index = 0;

	if (!digits.n || digits.n > 9 || (digits.n > 1 && digits.p[0] == '0'))
		return NULL;
	for (size_t i = 0; i < digits.n; i++) {
		if (digits.p[i] < '0' || digits.p[i] > '9')
			return NULL;
		index = 10 * index + (size_t)(digits.p[i] - '0');
	}
	return json_array_get(array, index);
}

/* One step along a pointer, whose ~0 and ~1 are decoded into `key`. */
static const json_t *step_into(const json_t *value, struct str token, struct buf *key)
{
	buf_clear(key);
	buf_reserve(key, token.n);
	key->data[0] = '\0';
	for (size_t i = 0; i < token.n; i++) {
		bool escape = token.p[i] == '~' && i + 1 < token.n &&
			      (token.p[i + 1] == '0' || token.p[i + 1] == '1');

		i += escape;
		if (escape)
			buf_byte(key, token.p[i] == '0' ? '~' : '/');
		else
			buf_byte(key, token.p[i]);
	}
	if (memchr(key->data, '\0', key->len))
		return NULL; /* jansson's keys have none */
	if (json_is_array(value))
		return item_at(value, buf_view(key));
	return json_object_get(value, key->data);
}

/* Follows a pointer from a node; *base becomes that of the innermost schema passed. */
static const json_t *follow(
	const struct schema *s, uint32_t from, struct str pointer, uint32_t *base)
{
	const json_t *value = s->nodes[from].value;
	AUTO_BUF key = BUF_INIT;
	size_t at = 0;

	*base = s->nodes[from].base;
	while (value && at < pointer.n) {
		size_t end = at + 1; /* after the slash */
		uint32_t node;

		while (end < pointer.n && pointer.p[end] != '/')
			end++;
		value = step_into(
			value, (struct str){pointer.p + at + 1, end - at - 1}, &key);
		node = value ? schema_node(s, value) : SCHEMA_NODE_NONE;
		if (node != SCHEMA_NODE_NONE)
			*base = s->nodes[node].base;
		at = end;
	}
	return value;
}

static void find_by_pointer(struct compiler *c, uint32_t i, uint32_t owner,
	const char *text, struct str pointer)
{
	struct schema_place at = compile_place(i, "$ref");
	struct schema_place there = {.parent = SCHEMA_NODE_NONE, .pointer = text};
	uint32_t base;
	const json_t *value = follow(c->schema, owner, pointer, &base);

	if (!value) {
		compile_fail(c, &at, "%s leads nowhere", text);
	} else if (json_is_object(value)) {
		compile_add(c, &there, value, base);
		c->schema->nodes[i].ref = value;
		compile_nodes(c);
	} else if (json_is_boolean(value)) {
		c->schema->nodes[i].ref = value;
	} else {
		compile_fail_value(c, &at, "a schema where it leads", value);
	}
}

/* False when no schema has the name so far. */
static bool resolve(struct compiler *c, uint32_t i)
{
	const json_t *ref = json_object_get(c->schema->nodes[i].value, "$ref");
	AUTO_BUF address = BUF_INIT, fragment = BUF_INIT;
	uint32_t owner = SCHEMA_NODE_NONE;
	bool known = false;

	uri_decode(&fragment, uri_fragment(schema_text(ref)));
	if (address_of(c->schema, &c->schema->nodes[i], schema_text(ref), &address))
		owner = find_named(c->schema, buf_view(&address));
	if (owner != SCHEMA_NODE_NONE && fragment.len && fragment.data[0] == '/') {
		find_by_pointer(c, i, owner, json_string_value(ref), buf_view(&fragment));
		known = true;
	} else if (owner != SCHEMA_NODE_NONE) {
		if (fragment.len)
			buf_byte(&address, '#');
		buf_str(&address, buf_view(&fragment));
		owner = find_named(c->schema, buf_view(&address));
		known = owner != SCHEMA_NODE_NONE;
		if (known)
			c->schema->nodes[i].ref = c->schema->nodes[owner].value;
	}
	return known;
}

static void fail_unknown(struct compiler *c, uint32_t i)
{
	const json_t *ref = json_object_get(c->schema->nodes[i].value, "$ref");
	struct schema_place at = compile_place(i, "$ref");
	AUTO_BUF address = BUF_INIT;

	address_of(c->schema, &c->schema->nodes[i], schema_text(ref), &address);
	compile_fail(c, &at,
		find_named(c->schema, buf_view(&address)) == SCHEMA_NODE_NONE
			? "%s is another document, and nothing is fetched"
			: "%s leads nowhere",
		json_string_value(ref));
}

void refs_resolve(struct compiler *c)
{
	for (int round = 0; round < ROUNDS && c->ref_count && !c->failed; round++) {
		size_t kept = 0;

		/* the list may grow meanwhile */
		for (size_t i = 0; i < c->ref_count && !c->failed; i++) {
			uint32_t node = c->refs[i];

			if (!resolve(c, node))
				c->refs[kept++] = node;
		}
		c->ref_count = kept;
	}
	if (c->ref_count && !c->failed)
		fail_unknown(c, c->refs[0]);
}

/* Loops in the graph of the schemas that apply to one value */

enum color { UNSEEN, OPEN, DONE };

struct reference_visit {
	uint32_t node;
	uint32_t rules;        /* begun, of the node's */
	struct subschemas sub; /* of the latest */
	bool referred;
};

struct visits {
	struct reference_visit *stack;
	size_t count, cap;
	unsigned char *colors; /* by node */
};

static void visit(struct visits *v, uint32_t node)
{
	*MEM_ADD(v->stack, v->count, v->cap) = (struct reference_visit){.node = node};
	v->colors[node] = OPEN;
}

/* The next schema that applies to the value too, NULL when there is no more. */
static const json_t *next_in_place(const struct schema *s, struct reference_visit *v)
{
	const struct schema_node *node = &s->nodes[v->node];
	const json_t *next;

	if (node->ref) {
		next = v->referred ? NULL : node->ref;
		v->referred = true;
		return next;
	}
	while (!(next = subschemas_next(&v->sub)) && v->rules < node->rule_count) {
		const struct keyword_rule *rule =
			&s->rules[node->first_rule + v->rules++];

		if (rule->keyword->in_place)
			subschemas_init(&v->sub, rule->keyword->want, rule->value);
	}
	return next;
}

/* Some open node on every loop has a $ref: names the innermost. */
static void fail_loop(struct compiler *c, const struct visits *v)
{
	size_t i = v->count - 1;
	struct schema_place at;

	while (i && !c->schema->nodes[v->stack[i].node].ref)
		i--;
	at = compile_place(v->stack[i].node, "$ref");
	compile_fail(
		c, &at, "comes back to itself for the same value, so it would never end");
}

void refs_refuse_loops(struct compiler *c)
{
	size_t count = c->schema->node_count;
	struct visits v = {.colors = mem_zalloc(count, 1)};

	for (size_t i = 0; i < count && !c->failed; i++) {
		if (v.colors[i] == UNSEEN)
			visit(&v, (uint32_t)i);
		while (v.count && !c->failed) {
			const json_t *next =
				next_in_place(c->schema, &v.stack[v.count - 1]);
			uint32_t node =
				next ? schema_node(c->schema, next) : SCHEMA_NODE_NONE;

			if (!next)
				v.colors[v.stack[--v.count].node] = DONE;
			else if (node != SCHEMA_NODE_NONE && v.colors[node] == OPEN)
				fail_loop(c, &v);
			else if (node != SCHEMA_NODE_NONE && v.colors[node] == UNSEEN)
				visit(&v, node);
		}
	}
	mem_free(v.stack);
	mem_free(v.colors);
}
