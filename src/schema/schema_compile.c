/*
 * Compiling: see schema_node.h.
 *
 * Nodes are a queue: compiling one checks its keywords and adds the nodes of the schemas
 * in them, so depth costs nothing.  References are resolved when all schemas in keywords
 * are known; schemas that they find elsewhere join the queue.
 */
#include "config.h"
#include "schema/schema_node.h"

#include "base/mem.h"

/* The schemas in a keyword's value, one after the other. */
struct subschemas {
	enum keyword_want want;
	json_t *value;
	void *member;          /* next, of an object */
	size_t index;          /* next, of an array */
	struct path_part part; /* to the latest, unless `whole` */
	bool whole;
};

struct compiler {
	struct schema *schema;
	struct err *err; /* may be NULL */
	bool failed;
	size_t compiled;      /* nodes before this one are */
	size_t pattern_bytes; /* memory that the patterns take */
	size_t name_bytes;    /* and the names */
	uint32_t *refs;       /* nodes whose $ref is not resolved yet */
	size_t ref_count, ref_cap;
};

#define PATTERN_BYTES 33554432 /* limit: a few bytes of a hostile pattern take many */

/* Errors */

/* Ends the compiling with an error about a place, by its path from the root or from the
 * target of a $ref pointer; the first one counts. */
static void compile_fail(struct compiler *c, const struct schema_path *at,
	const char *fmt, ...) PRINTF_LIKE(3, 4);
static void compile_fail(
	struct compiler *c, const struct schema_path *at, const char *fmt, ...)
{
	AUTO_FREE const struct path_part **parts = NULL; /* from the place to the root */
	AUTO_BUF text = BUF_INIT;
	size_t count = 0, cap = 0;
	va_list ap;

	if (c->failed || !c->err) {
		c->failed = true;
		return;
	}
	c->failed = true;
	for (;; at = &c->schema->nodes[at->parent].at) {
		for (size_t i = at->count; i-- > 0;)
			*MEM_ADD(parts, count, cap) = &at->parts[i];
		if (at->parent == SCHEMA_NODE_NONE)
			break;
	}
	if (at->pointer)
		buf_text(&text, at->pointer);
	while (count)
		message_add_path(&text, parts[--count], 1);
	if (text.len)
		buf_text(&text, ": ");
	va_start(ap, fmt);
	buf_vprintf(&text, fmt, ap);
	va_end(ap);
	err_set(c->err, "%s", text.data);
}

static void compile_fail_value(struct compiler *c, const struct schema_path *at,
	const char *expected, const json_t *found)
{
	AUTO_BUF text = BUF_INIT;

	message_add_value(&text, found);
	compile_fail(c, at, "expected %s, found %s", expected, text.data);
}

static struct schema_path compile_place(uint32_t node, const char *keyword)
{
	return (struct schema_path){.parent = node, .count = 1, .parts = {{keyword, 0}}};
}

/* What a keyword's value must be */

static bool all_strings(const json_t *array)
{
	size_t i;
	json_t *item;

	json_array_foreach(array, i, item) {
		if (schema_kinds(item) != KIND_STRING)
			return false;
	}
	return json_is_array(array);
}

static bool good_dependencies(const json_t *object)
{
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)object, key, value) {
		if (json_is_array(value) && !all_strings(value))
			return false;
	}
	return json_is_object(object);
}

/* A whole number from 0 on; one that no size_t holds is as good as the largest. */
static bool read_count(const json_t *value, size_t *count)
{
	const double too_many = 9007199254740992.0; /* 2^53 */
	struct str digits = json_number_text(value);
	double real = json_real_value(value);

	if (!json_numeric(value) || !json_integral(value))
		return false;
	*count = SIZE_MAX;
	if (json_is_integer(value))
		*count = (size_t)json_integer_value(value);
	else if (json_is_real(value) && real < too_many)
		*count = (size_t)(real < 0 ? 0 : real);
	return json_integer_value(value) >= 0 && real >= 0 &&
	       !(digits.n && *digits.p == '-');
}

/* The kinds of `type`, or 0 when it is not valid. */
static unsigned read_types(const json_t *value)
{
	unsigned kinds = schema_kind_named(value), one;
	size_t i;
	json_t *item;

	json_array_foreach(value, i, item) {
		one = schema_kind_named(item);
		if (!one)
			return 0;
		kinds |= one;
	}
	return kinds & KIND_NUMBER ? kinds | KIND_INTEGER : kinds;
}

static bool is_valid(enum keyword_want want, const json_t *value)
{
	size_t count;

	switch (want) {
	case WANT_BOOLEAN:
		return json_is_boolean(value);
	case WANT_NUMBER:
		return json_numeric(value);
	case WANT_DIVISOR:
		return json_numeric(value) && json_divisor(value);
	case WANT_COUNT:
		return read_count(value, &count);
	case WANT_LIST:
		return json_is_array(value);
	case WANT_NAMES:
		return all_strings(value);
	case WANT_TYPES:
		return read_types(value);
	case WANT_PATTERN:
		return schema_kinds(value) == KIND_STRING;
	case WANT_SCHEMAS:
		return json_array_size(value) > 0;
	case WANT_MEMBERS:
	case WANT_PATTERNS:
		return json_is_object(value);
	case WANT_DEPENDENCIES:
		return good_dependencies(value);
	default: /* add_subschemas checks schemas */
		return true;
	}
}

static const char *const expected[] = {
	[WANT_BOOLEAN] = "true or false",
	[WANT_NUMBER] = "a number",
	[WANT_DIVISOR] = "a number above 0, of at most 18 digits",
	[WANT_COUNT] = "a whole number from 0 on",
	[WANT_LIST] = "an array",
	[WANT_NAMES] = "an array of strings",
	[WANT_TYPES] = ("null, boolean, integer, number, string, array or object, or an "
			"array of them"),
	[WANT_PATTERN] = "a string",
	[WANT_SCHEMA] = "a schema",
	[WANT_SCHEMAS] = "an array of schemas, not empty",
	[WANT_ITEMS] = "a schema or an array of them",
	[WANT_MEMBERS] = "an object of schemas",
	[WANT_PATTERNS] = "an object of schemas",
	[WANT_DEPENDENCIES] = "an object of schemas and arrays of strings",
};

/* The schemas in it */

static void subschemas_init(
	struct subschemas *sub, enum keyword_want want, const json_t *value)
{
	bool schema =
		want == WANT_SCHEMA || (want == WANT_ITEMS && !json_is_array(value));

	*sub = (struct subschemas){
		.want = want, .value = (json_t *)value, .whole = schema};
	if (want >= WANT_MEMBERS)
		sub->member = json_object_iter(sub->value);
}

/* NULL: no more. */
static const json_t *subschemas_next(struct subschemas *sub)
{
	json_t *value = NULL;

	if (sub->want < WANT_SCHEMA)
		return NULL;
	if (sub->whole)
		return sub->index++ ? NULL : sub->value;
	if (sub->want < WANT_MEMBERS) {
		sub->part.index = sub->index;
		return json_array_get(sub->value, sub->index++);
	}
	while (sub->member && !value) {
		sub->part.key = json_object_iter_key(sub->member);
		value = json_object_iter_value(sub->member);
		sub->member = json_object_iter_next(sub->value, sub->member);
		if (sub->want == WANT_DEPENDENCIES && json_is_array(value))
			value = NULL;
	}
	return value;
}

/* Patterns */

static struct pattern *read_pattern(
	struct compiler *c, const struct schema_path *at, struct str text)
{
	AUTO(err_done) struct err err = {0};
	struct pattern *p = pattern_new(text, &err);

	if (p)
		c->pattern_bytes += pattern_size(p);
	else
		compile_fail(c, at, "no pattern: %s, at byte %zu", err.text,
			(size_t)err.offset);
	if (c->pattern_bytes > PATTERN_BYTES)
		compile_fail(c, at, "too much memory for patterns");
	return p;
}

static void read_patterns(struct compiler *c, uint32_t i, const json_t *value)
{
	struct schema *s = c->schema;
	struct schema_path at = compile_place(i, "patternProperties");
	const char *key;
	json_t *inner;

	s->nodes[i].first_pattern = (uint32_t)s->pattern_count;
	json_object_foreach((json_t *)value, key, inner) {
		if (c->failed)
			return;
		at.count = 2;
		at.parts[1].key = key;
		*MEM_ADD(s->patterns, s->pattern_count, s->pattern_cap) =
			(struct pattern_schema){read_pattern(c, &at, str_of(key)), inner};
		s->nodes[i].pattern_count++;
	}
}

/* Addresses: $id and $ref, see section 8 of draft-07's core document.
 *
 * All names are interned: the address of a document without its fragment, and
 * ADDRESS#NAME for a name given by "$id": "#NAME".  A pointer starts at the schema that
 * has the address and may lead to any value in it, also to one that no keyword makes a
 * schema. */

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

void uri_resolve(struct buf *out, struct str base, struct str reference)
{
	struct uri_parts from = split(base), to = split(reference);
	AUTO_BUF merged = BUF_INIT;
	size_t n = from.path.n;

	if (!base.n || to.scheme.n) {
		buf_str(out, uri_document(reference));
		return;
	}
	buf_str(out, from.scheme);
	buf_str(out, to.authority.n ? to.authority : from.authority);
	if (to.authority.n || str_starts(to.path, STR("/"))) {
		put_path(out, to.path);
	} else if (to.path.n) { /* as seen from the base's (section 5.2.3) */
		while (n && from.path.p[n - 1] != '/')
			n--;
		if (from.authority.n && !from.path.n)
			buf_byte(&merged, '/');
		buf_add(&merged, from.path.p, n);
		buf_str(&merged, to.path);
		put_path(out, buf_view(&merged));
	} else {
		buf_str(out, from.path);
	}
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

static uint32_t add_name(
	struct compiler *c, const struct schema_path *at, struct str name, uint32_t node)
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

/* $id: the address of a node, and the names by which it is found. */
static void refs_name(struct compiler *c, uint32_t i)
{
	struct schema_node *node = &c->schema->nodes[i];
	const json_t *id = json_object_get(node->value, "$id");
	struct schema_path at = compile_place(i, "$id");
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

/* Nodes */

/* Makes the node of an object that is a schema, unless there is one. */
static void compile_add(struct compiler *c, const struct schema_path *at,
	const json_t *value, uint32_t base)
{
	struct schema *s = c->schema;

	if (schema_node(s, value) != SCHEMA_NODE_NONE)
		return;
	if (s->node_count == SCHEMA_NODE_NONE - 1) {
		compile_fail(c, at, "too many schemas");
		return;
	}
	idmap_add(&s->by_address, (uint64_t)(uintptr_t)value, (uint32_t)s->node_count);
	*MEM_ADD(s->nodes, s->node_count, s->node_cap) = (struct schema_node){
		.value = value, .at = *at, .base = base, .types = KIND_ANY};
}

static void add_subschemas(struct compiler *c, uint32_t i, const char *keyword,
	enum keyword_want want, const json_t *value)
{
	struct schema_path at = compile_place(i, keyword);
	struct subschemas sub;
	const json_t *schema;

	subschemas_init(&sub, want, value);
	while ((schema = subschemas_next(&sub)) != NULL) {
		at.count = sub.whole ? 1 : 2;
		at.parts[1] = sub.part;
		if (json_is_object(schema))
			compile_add(c, &at, schema, c->schema->nodes[i].base);
		else if (!json_is_boolean(schema))
			compile_fail_value(
				c, &at, "a schema (an object, true or false)", schema);
	}
}

static void compile_keyword(struct compiler *c, uint32_t i, const struct keyword *keyword,
	const json_t *value)
{
	struct schema_path at = compile_place(i, keyword->name);
	struct keyword_rule rule = {.keyword = keyword, .value = value};
	struct schema *s = c->schema;

	if (!is_valid(keyword->want, value)) {
		compile_fail_value(c, &at, expected[keyword->want], value);
		return;
	}
	if (keyword->want == WANT_TYPES)
		s->nodes[i].types = read_types(value);
	if (keyword->want == WANT_PATTERNS)
		read_patterns(c, i, value);
	add_subschemas(c, i, keyword->name, keyword->want, value);
	if (!keyword->check && !keyword->in_place)
		return;
	if (keyword->want == WANT_COUNT)
		read_count(value, &rule.count);
	if (keyword->want == WANT_PATTERN)
		rule.pattern = read_pattern(c, &at, schema_text(value));
	*MEM_ADD(s->rules, s->rule_count, s->rule_cap) = rule;
	s->nodes[i].rule_count++;
}

static void compile_node(struct compiler *c, uint32_t i)
{
	struct schema_node *node = &c->schema->nodes[i];
	const json_t *value = node->value, *ref = json_object_get(value, "$ref");
	struct schema_path at = compile_place(i, "$ref");

	if (ref) {
		/* keywords beside a $ref do not count, but it often leads to these */
		const json_t *definitions = json_object_get(value, "definitions");

		if (schema_kinds(ref) != KIND_STRING)
			compile_fail_value(c, &at, "a string", ref);
		else if (json_string_length(ref) > ADDRESS_LONGEST)
			compile_fail(c, &at, "longer than an address may be");
		*MEM_ADD(c->refs, c->ref_count, c->ref_cap) = i;
		if (json_is_object(definitions))
			add_subschemas(c, i, "definitions", WANT_MEMBERS, definitions);
		return;
	}
	node->first_rule = (uint32_t)c->schema->rule_count;
	node->properties = json_object_get(value, "properties");
	node->additional_properties = json_object_get(value, "additionalProperties");
	node->items = json_object_get(value, "items");
	if (json_is_array(node->items))
		node->additional_items = json_object_get(value, "additionalItems");
	refs_name(c, i);
	for (const struct keyword *k = schema_keywords; k->name && !c->failed; k++) {
		const json_t *inner = json_object_get(value, k->name);

		if (inner)
			compile_keyword(c, i, k, inner);
	}
}

/* Compiles all nodes that were added. */
static void compile_nodes(struct compiler *c)
{
	while (c->compiled < c->schema->node_count && !c->failed)
		compile_node(c, (uint32_t)c->compiled++);
}

/* References */

/* One step along a pointer, whose ~0 and ~1 are decoded into `key`. */
static const json_t *step_into(const json_t *value, struct str token, struct buf *key)
{
	size_t index = 0;

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
	if (!json_is_array(value))
		return json_object_get(value, key->data);
	if (!key->len || key->len > 9 || (key->len > 1 && key->data[0] == '0'))
		return NULL;
	for (size_t i = 0; i < key->len; i++) {
		if (!str_is_digit(key->data[i]))
			return NULL;
		index = 10 * index + (size_t)(key->data[i] - '0');
	}
	return json_array_get(value, index);
}

/* Follows a pointer from the schema that has the address. */
static void find_by_pointer(struct compiler *c, uint32_t i, uint32_t owner,
	const char *text, struct str pointer)
{
	struct schema_path at = compile_place(i, "$ref");
	struct schema_path there = {.parent = SCHEMA_NODE_NONE, .pointer = text};
	const struct schema *s = c->schema;
	const json_t *value = s->nodes[owner].value;
	uint32_t base = s->nodes[owner].base; /* of the innermost schema that is passed */
	AUTO_BUF key = BUF_INIT;

	while (value && pointer.n) {
		struct str token = str_skip(pointer, 1); /* after the slash */
		uint32_t node;

		token.n = until(token, "/");
		value = step_into(value, token, &key);
		node = value ? schema_node(s, value) : SCHEMA_NODE_NONE;
		if (node != SCHEMA_NODE_NONE)
			base = s->nodes[node].base;
		pointer = str_skip(pointer, token.n + 1);
	}
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

static void refs_resolve(struct compiler *c)
{
	AUTO_BUF address = BUF_INIT;
	struct schema_path at;
	const json_t *ref;
	bool known;

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
	if (!c->ref_count || c->failed)
		return;
	at = compile_place(c->refs[0], "$ref");
	ref = json_object_get(c->schema->nodes[c->refs[0]].value, "$ref");
	address_of(c->schema, &c->schema->nodes[c->refs[0]], schema_text(ref), &address);
	known = find_named(c->schema, buf_view(&address)) != SCHEMA_NODE_NONE;
	compile_fail(c, &at,
		known ? "%s leads nowhere"
		      : "%s is another document, and nothing is fetched",
		json_string_value(ref));
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
	struct schema_path at;

	while (i && !c->schema->nodes[v->stack[i].node].ref)
		i--;
	at = compile_place(v->stack[i].node, "$ref");
	compile_fail(
		c, &at, "comes back to itself for the same value, so it would never end");
}

/* Refuses references that come back to themselves for one value: they would never end. */
static void refs_refuse_loops(struct compiler *c)
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

struct schema *schema_new(const json_t *value, struct err *err)
{
	const struct schema_path root = {.parent = SCHEMA_NODE_NONE};
	struct schema *s = mem_zalloc(1, sizeof(*s));
	struct compiler c = {.schema = s, .err = err};

	s->root = json_incref((json_t *)value);
	if (json_is_object(value)) {
		idmap_add(&s->named, intern_add(&s->names, STR("")), 0);
		compile_add(&c, &root, value, 0);
		compile_nodes(&c);
		refs_resolve(&c);
		if (!c.failed)
			refs_refuse_loops(&c);
	} else if (!json_is_boolean(value)) {
		compile_fail_value(
			&c, &root, "a schema (an object, true or false)", value);
	}
	s->bytes = c.pattern_bytes + c.name_bytes;
	mem_free(c.refs);
	if (!c.failed)
		return s;
	schema_free(s);
	return NULL;
}

void schema_free(struct schema *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->rule_count; i++)
		pattern_free(s->rules[i].pattern);
	for (size_t i = 0; i < s->pattern_count; i++)
		pattern_free(s->patterns[i].pattern);
	mem_free(s->nodes);
	mem_free(s->rules);
	mem_free(s->patterns);
	idmap_done(&s->by_address);
	idmap_done(&s->named);
	intern_done(&s->names);
	json_decref(s->root);
	mem_free(s);
}

size_t schema_size(const struct schema *s)
{
	return sizeof(*s) + s->bytes + s->node_cap * sizeof(*s->nodes) +
	       s->rule_cap * sizeof(*s->rules);
}

/* Shared by the files of a schema */

uint32_t schema_node(const struct schema *s, const json_t *value)
{
	return idmap_find(&s->by_address, (uint64_t)(uintptr_t)value);
}

unsigned schema_kinds(const json_t *value)
{
	if (json_numeric(value))
		return json_integral(value) ? KIND_INTEGER | KIND_NUMBER : KIND_NUMBER;
	switch (json_typeof(value)) {
	case JSON_OBJECT:
		return KIND_OBJECT;
	case JSON_ARRAY:
		return KIND_ARRAY;
	case JSON_STRING:
		return KIND_STRING;
	case JSON_NULL:
		return KIND_NULL;
	default:
		return KIND_BOOLEAN;
	}
}
