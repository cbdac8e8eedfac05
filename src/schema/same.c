/*
 * Equality and meaning of jansson's values: see schema_node.h.  Each is a walk with a
 * stack of its own.
 */
#include "config.h"
#include "schema/schema_node.h"

#include "base/mem.h"
#include "json/number.h"

struct equal_pair {
	json_t *a, *b;
};

struct equal_pairs {
	struct equal_pair *items;
	size_t count, cap;
};

static void push(struct equal_pairs *stack, json_t *a, json_t *b)
{
	*MEM_ADD(stack->items, stack->count, stack->cap) = (struct equal_pair){a, b};
}

/* Compares two values; their children go to the stack. */
static bool same_here(struct equal_pairs *stack, json_t *a, json_t *b, uint64_t *work)
{
	const char *key;
	json_t *value;
	size_t i;

	++*work;
	if (json_numeric(a) && json_numeric(b)) {
		/* huge numbers are kept as text */
		*work += (json_string_length(a) + json_string_length(b)) / 64;
		return json_number_compare(a, b) == 0;
	}
	if (json_numeric(a) || json_numeric(b) || json_typeof(a) != json_typeof(b) ||
		json_object_size(a) != json_object_size(b) ||
		json_array_size(a) != json_array_size(b))
		return false;
	json_object_foreach(a, key, value) {
		json_t *other = json_object_get(b, key);

		if (!other)
			return false;
		push(stack, value, other);
	}
	json_array_foreach(a, i, value)
		push(stack, value, json_array_get(b, i));
	if (!json_is_string(a))
		return true;
	if (json_string_length(a) == json_string_length(b))
		*work += json_string_length(a) / 64;
	return str_equal(schema_text(a), schema_text(b));
}

bool json_same(const json_t *a, const json_t *b, uint64_t *work)
{
	struct equal_pairs stack = {0}; /* jansson iterates over non-const objects */
	bool same = same_here(&stack, (json_t *)a, (json_t *)b, work);

	while (same && stack.count) {
		struct equal_pair pair = stack.items[--stack.count];

		same = same_here(&stack, pair.a, pair.b, work);
	}
	mem_free(stack.items);
	return same;
}

/* ---- meaning ---- */

struct hash_visit {
	json_t *value;
	struct meaning path; /* from the root to it */
};

struct hash_walk {
	struct hash_visit *visits; /* still to come */
	size_t count, cap;
};

static void walk_to(struct hash_walk *w, json_t *value, struct meaning path)
{
	*MEM_ADD(w->visits, w->count, w->cap) = (struct hash_visit){value, path};
}

/* Of a value without its children. */
static struct meaning meaning_here(const json_t *value, enum jkind *kind)
{
	static const enum jkind kinds[] = {
		[JSON_OBJECT] = J_OBJECT,
		[JSON_ARRAY] = J_ARRAY,
		[JSON_STRING] = J_STRING,
		[JSON_INTEGER] = J_NUMBER,
		[JSON_REAL] = J_NUMBER,
		[JSON_TRUE] = J_TRUE,
		[JSON_FALSE] = J_FALSE,
		[JSON_NULL] = J_NULL,
	};

	*kind = json_numeric(value) ? J_NUMBER : kinds[json_typeof(value)];
	if (*kind == J_NUMBER)
		return json_number_meaning(value);
	return *kind == J_STRING ? meaning_of_text(schema_text(value))
				 : meaning_of_number(0);
}

struct meaning json_meaning(const json_t *value, uint64_t *work)
{
	struct hash_walk w = {0};
	struct meaning sum = {{0, 0}};
	const char *key;
	json_t *inner;
	size_t i;

	walk_to(&w, (json_t *)value, meaning_of_number(0));
	while (w.count) {
		struct hash_visit at = w.visits[--w.count];
		enum jkind kind;
		struct meaning here = meaning_here(at.value, &kind);

		*work += 1 + json_string_length(at.value) / 64;
		meaning_add(&sum, at.path, kind, here);
		json_object_foreach(at.value, key, inner) {
			*work += strlen(key) / 64;
			walk_to(&w, inner,
				meaning_then(at.path, meaning_of_text(str_of(key))));
		}
		json_array_foreach(at.value, i, inner)
			walk_to(&w, inner, meaning_then(at.path, meaning_of_number(i)));
	}
	mem_free(w.visits);
	return sum;
}
