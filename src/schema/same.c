/*
 * Equality and hashes of values: see same.h.  Each is a walk with a stack of its
 * own.  A hash is the sum over all values of what hashes a value together with the way to
 * it, so that the order of members does not count.
 */
#include "config.h"
#include "schema/same.h"

#include "base/map.h"
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
	stack->items = mem_grow(
		stack->items, &stack->cap, stack->count + 1, sizeof(*stack->items));
	stack->items[stack->count++] = (struct equal_pair){a, b};
}

static struct str text_of(const json_t *string)
{
	return (struct str){json_string_value(string), json_string_length(string)};
}

static bool same_members(struct equal_pairs *stack, json_t *a, json_t *b)
{
	const char *key;
	json_t *value;

	if (json_object_size(a) != json_object_size(b))
		return false;
	json_object_foreach(a, key, value) {
		json_t *other = json_object_get(b, key);

		if (!other)
			return false;
		push(stack, value, other);
	}
	return true;
}

static bool same_items(struct equal_pairs *stack, const json_t *a, const json_t *b)
{
	size_t n = json_array_size(a);

	if (json_array_size(b) != n)
		return false;
	while (n--)
		push(stack, json_array_get(a, n), json_array_get(b, n));
	return true;
}

static bool same_strings(struct str a, struct str b, uint64_t *work)
{
	*work += a.n == b.n ? a.n / 64 : 0;
	return str_equal(a, b);
}

static bool same_numbers(const json_t *a, const json_t *b, uint64_t *work)
{
	if (!json_numeric(a) || !json_numeric(b))
		return false;
	*work += (json_string_length(a) + json_string_length(b)) / 64; /* of huge ones */
	return json_number_compare(a, b) == 0;
}

/* Compares two values but for what is in them, which goes to the stack. */
static bool same_here(struct equal_pairs *stack, json_t *a, json_t *b, uint64_t *work)
{
	++*work;
	if (json_numeric(a) || json_numeric(b))
		return same_numbers(a, b, work);
	if (json_typeof(a) != json_typeof(b))
		return false;
	if (json_is_object(a))
		return same_members(stack, a, b);
	if (json_is_array(a))
		return same_items(stack, a, b);
	return !json_is_string(a) || same_strings(text_of(a), text_of(b), work);
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

/* Hashes */

struct hash_visit {
	json_t *value;
	uint64_t way; /* from the root to it, as a hash */
};

struct hash_walk {
	struct hash_visit *visits; /* still to go */
	size_t count, cap;
};

static uint64_t hash_two(uint64_t a, uint64_t b)
{
	uint64_t both[2] = {a, b};

	return map_hash((struct str){(const char *)both, sizeof(both)});
}

static void walk_to(struct hash_walk *w, json_t *value, uint64_t way)
{
	w->visits = mem_grow(w->visits, &w->cap, w->count + 1, sizeof(*w->visits));
	w->visits[w->count++] = (struct hash_visit){value, way};
}

static void walk_members(
	struct hash_walk *w, json_t *object, uint64_t way, uint64_t *work)
{
	const char *key;
	json_t *value;

	json_object_foreach(object, key, value) {
		struct str name = str_of(key);

		*work += name.n / 64;
		walk_to(w, value, hash_two(way, map_hash(name)));
	}
}

static void walk_items(struct hash_walk *w, const json_t *array, uint64_t way)
{
	for (size_t i = 0; i < json_array_size(array); i++)
		walk_to(w, json_array_get(array, i), hash_two(way, i));
}

static uint64_t hash_here(const json_t *value, uint64_t *work)
{
	if (json_is_string(value))
		*work += json_string_length(value) / 64;
	if (json_numeric(value))
		return hash_two(JSON_REAL, json_number_hash(value));
	if (json_is_string(value))
		return hash_two(JSON_STRING, map_hash(text_of(value)));
	return hash_two(JSON_NULL, json_typeof(value));
}

uint64_t json_hash(const json_t *value, uint64_t *work)
{
	struct hash_walk w = {0};
	uint64_t hash = 0;

	walk_to(&w, (json_t *)value, 0);
	while (w.count) {
		struct hash_visit at = w.visits[--w.count];

		++*work;
		hash += hash_two(at.way, hash_here(at.value, work));
		if (json_is_object(at.value))
			walk_members(&w, at.value, at.way, work);
		else if (json_is_array(at.value))
			walk_items(&w, at.value, at.way);
	}
	mem_free(w.visits);
	return hash;
}
