/*
 * The keywords of draft-07 and what each checks: see schema_node.h.  The order is that of
 * checking: what a value is, then what is in it, then the schemas that apply in place.
 */
#include "config.h"

#include "base/map.h"
#include "schema/schema_node.h"

#define NUL_SYMBOL 0x2400 /* how json_read keeps a NUL in a key */

/* How many characters, items or members the value has, and what one and many of them are
 * called. */
static size_t count_in(struct schema_run *r, const json_t *value, const char *names[2])
{
	struct str text = schema_text(value);
	size_t count = 0;

	if (!json_is_string(value)) {
		bool array = json_is_array(value);

		names[0] = array ? "item" : "property";
		names[1] = array ? "items" : "properties";
		return array ? json_array_size(value) : json_object_size(value);
	}
	names[0] = "character";
	names[1] = "characters";
	run_add_work(r, text.n / 64);
	for (size_t i = 0; i < text.n; i++)
		count += ((unsigned char)text.p[i] & 0xC0) != 0x80;
	return count;
}

/* "has 3 items, expected at least 5" */
static void check_count(struct schema_run *r, const struct claim *c, bool most)
{
	const char *rule = c->rule->keyword->name, *at = most ? "most" : "least", *names[2];
	size_t count = count_in(r, c->value, names), bound = c->rule->count;

	if (most ? count <= bound : count >= bound)
		return;
	if (!count)
		run_mistake(r, rule, c->value, "is empty, expected at %s %z", at, bound);
	else if (json_is_string(c->value))
		run_mistake(r, rule, c->value, "%v has %z %s, expected at %s %z", c->value,
			count, names[count > 1], at, bound);
	else
		run_mistake(r, rule, c->value, "has %z %s, expected at %s %z", count,
			names[count > 1], at, bound);
}

static void check_most(struct schema_run *r, const struct claim *c)
{
	check_count(r, c, true);
}

static void check_least(struct schema_run *r, const struct claim *c)
{
	check_count(r, c, false);
}

static bool has_member(struct schema_run *r, const json_t *object, const json_t *name)
{
	struct str text = schema_text(name);
	AUTO_BUF key = BUF_INIT;

	run_add_work(r, 1 + text.n / 64);
	if (!memchr(text.p, 0, text.n))
		return json_object_get(object, text.p);
	for (size_t i = 0; i < text.n; i++)
		if (text.p[i])
			buf_byte(&key, text.p[i]);
		else
			buf_utf8(&key, NUL_SYMBOL);
	return json_object_get(object, key.data);
}

/* Any kind of value */

static void check_enum(struct schema_run *r, const struct claim *c)
{
	for (size_t i = 0; i < json_array_size(c->rule->value) && !r->stop; i++)
		if (run_same(r, json_array_get(c->rule->value, i), c->value))
			return;
	run_mistake(r, "enum", c->value, "%v is none of %l", c->value, c->rule->value);
}

static void check_const(struct schema_run *r, const struct claim *c)
{
	if (!run_same(r, c->rule->value, c->value))
		run_mistake(
			r, "const", c->value, "%v is not %v", c->value, c->rule->value);
}

/* Numbers */

static void check_multiple(struct schema_run *r, const struct claim *c)
{
	run_add_work(r, json_string_length(c->value) / 64);
	if (!json_multiple(c->value, c->rule->value))
		run_mistake(r, "multipleOf", c->value, "%v is not a multiple of %v",
			c->value, c->rule->value);
}

static void check_bound(struct schema_run *r, const struct claim *c)
{
	static const struct {
		const char *rule;
		int sign;      /* of a comparison that is a mistake, */
		bool or_equal; /* and perhaps of equal ones */
		const char *words;
	} rows[] = {
		{"maximum", 1, false, "greater"},
		{"exclusiveMaximum", 1, true, "not less"},
		{"minimum", -1, false, "less"},
		{"exclusiveMinimum", -1, true, "not greater"},
	};
	const char *rule = c->rule->keyword->name;
	size_t i = 0;
	int order;

	/* huge numbers are kept as text */
	run_add_work(r,
		(json_string_length(c->value) + json_string_length(c->rule->value)) / 64);
	order = json_number_compare(c->value, c->rule->value);
	while (strcmp(rows[i].rule, rule) != 0)
		i++;
	if (order * rows[i].sign > 0 || (!order && rows[i].or_equal))
		run_mistake(r, rule, c->value, "%v is %s than %v", c->value, rows[i].words,
			c->rule->value);
}

/* Strings */

static void check_pattern(struct schema_run *r, const struct claim *c)
{
	struct str text = schema_text(c->value);

	if (run_match(r, "pattern", c->rule->pattern, text, c->value) == PATTERN_NO)
		run_mistake(r, "pattern", c->value, "%v does not match %p", c->value,
			schema_text(c->rule->value));
}

/* Arrays */

/* Finds an item that equals an earlier one; false when there is none. */
static bool find_equal(
	struct schema_run *r, const json_t *array, size_t *first, size_t *second)
{
	AUTO(idmap_done) struct idmap seen = {0};
	bool found = false;

	for (size_t i = 0; i < json_array_size(array) && !found && !r->stop; i++) {
		const json_t *item = json_array_get(array, i);
		uint64_t work = 1, hash = json_hash(item, &work);
		uint32_t other = idmap_find(&seen, hash);

		run_add_work(r, work);
		found = other != MAP_NONE &&
			run_same(r, json_array_get(array, other), item);
		*first = other;
		*second = i;
		idmap_add(&seen, hash, (uint32_t)i);
	}
	return found;
}

static void check_unique(struct schema_run *r, const struct claim *c)
{
	size_t first, second;

	if (json_is_true(c->rule->value) && find_equal(r, c->value, &first, &second))
		run_mistake(r, "uniqueItems", c->value, "items %z and %z are equal: %v",
			first, second, json_array_get(c->value, second));
}

static void check_contains(struct schema_run *r, const struct claim *c)
{
	bool found = false;

	for (size_t i = 0; i < json_array_size(c->value) && !found && !r->stop; i++) {
		run_enter(r, NULL, i);
		found = run_holds(r, c->rule->value, json_array_get(c->value, i));
		r->part_count--;
	}
	if (!found)
		run_mistake(r, "contains", c->value,
			"none of the items is one that must be there");
}

/* Objects */

/* `by`: the property that requires the others, or NULL. */
static void require(struct schema_run *r, const char *rule, const json_t *names,
	const json_t *value, const char *by)
{
	size_t i;
	json_t *name;

	json_array_foreach(names, i, name) {
		if (run_over(r))
			return;
		if (has_member(r, value, name))
			continue;
		if (by)
			run_mistake(r, rule, value,
				"property %v is missing; %t requires it", name,
				str_of(by));
		else
			run_mistake(
				r, rule, value, "required property %v is missing", name);
	}
}

static void check_required(struct schema_run *r, const struct claim *c)
{
	require(r, "required", c->rule->value, c->value, NULL);
}

static void check_property_names(struct schema_run *r, const struct claim *c)
{
	AUTO_BUF first = BUF_INIT;
	const char *key;
	json_t *inner, *name;

	json_object_foreach((json_t *)c->value, key, inner) {
		bool holds;

		if (run_over(r))
			return;
		run_add_work(r, strlen(key) / 64);
		name = json_string_nocheck(key);
		holds = run_holds(r, c->rule->value, name);
		if (!holds && r->state.mode != RUN_TEST)
			run_count(r, c->rule->value, name, &first);
		json_decref(name);
		if (!holds)
			run_mistake(r, "propertyNames", c->value, "property name %t: %s",
				str_of(key), first.len ? first.data : "");
	}
}

static void check_dependencies(struct schema_run *r, const struct claim *c)
{
	const char *key;
	json_t *inner;

	json_object_foreach((json_t *)c->rule->value, key, inner) {
		run_add_work(r, 1 + strlen(key) / 64);
		if (run_over(r))
			return;
		if (!json_object_get(c->value, key))
			continue;
		if (json_is_array(inner))
			require(r, "dependencies", inner, c->value, key);
		else
			run_apply(r, "dependencies", inner, c->value);
	}
}

/* Schemas that apply to the value itself */

static void check_all_of(struct schema_run *r, const struct claim *c)
{
	size_t i;
	json_t *schema;

	json_array_foreach(c->rule->value, i, schema)
		run_apply(r, "allOf", schema, c->value);
}

static void check_any_of(struct schema_run *r, const struct claim *c)
{
	size_t i;
	json_t *schema;

	if (choice_apply(r, c))
		return;
	json_array_foreach(c->rule->value, i, schema) {
		if (r->stop || run_holds(r, schema, c->value))
			return;
	}
	choice_report(r, c);
}

static void check_one_of(struct schema_run *r, const struct claim *c)
{
	size_t forms[2], count = 0, i;
	json_t *schema;

	if (choice_apply(r, c))
		return;
	json_array_foreach(c->rule->value, i, schema) {
		if (r->stop || count == 2)
			break;
		if (run_holds(r, schema, c->value))
			forms[count++] = i + 1;
	}
	if (!count && !r->stop)
		choice_report(r, c);
	if (count == 2)
		run_mistake(r, "oneOf", c->value,
			"fits the forms %z and %z, must fit only one", forms[0],
			forms[1]);
}

static void check_not(struct schema_run *r, const struct claim *c)
{
	if (run_holds(r, c->rule->value, c->value))
		run_mistake(
			r, "not", c->value, "%v is what the schema rules out", c->value);
}

static void check_if(struct schema_run *r, const struct claim *c)
{
	bool holds = run_holds(r, c->rule->value, c->value);
	const char *branch = holds ? "then" : "else";

	if (!r->stop)
		run_apply(r, branch, json_object_get(c->node->value, branch), c->value);
}

const struct keyword schema_keywords[] = {
	{"type", WANT_TYPES, 0, false, NULL},
	{"enum", WANT_LIST, KIND_ANY, false, check_enum},
	{"const", WANT_ANYTHING, KIND_ANY, false, check_const},

	{"multipleOf", WANT_DIVISOR, KIND_NUMBER, false, check_multiple},
	{"maximum", WANT_NUMBER, KIND_NUMBER, false, check_bound},
	{"exclusiveMaximum", WANT_NUMBER, KIND_NUMBER, false, check_bound},
	{"minimum", WANT_NUMBER, KIND_NUMBER, false, check_bound},
	{"exclusiveMinimum", WANT_NUMBER, KIND_NUMBER, false, check_bound},

	{"maxLength", WANT_COUNT, KIND_STRING, false, check_most},
	{"minLength", WANT_COUNT, KIND_STRING, false, check_least},
	{"pattern", WANT_PATTERN, KIND_STRING, false, check_pattern},

	{"maxItems", WANT_COUNT, KIND_ARRAY, false, check_most},
	{"minItems", WANT_COUNT, KIND_ARRAY, false, check_least},
	{"uniqueItems", WANT_BOOLEAN, KIND_ARRAY, false, check_unique},
	{"contains", WANT_SCHEMA, KIND_ARRAY, false, check_contains},
	{"items", WANT_ITEMS, 0, false, NULL},
	{"additionalItems", WANT_SCHEMA, 0, false, NULL},

	{"maxProperties", WANT_COUNT, KIND_OBJECT, false, check_most},
	{"minProperties", WANT_COUNT, KIND_OBJECT, false, check_least},
	{"required", WANT_NAMES, KIND_OBJECT, false, check_required},
	{"propertyNames", WANT_SCHEMA, KIND_OBJECT, false, check_property_names},
	{"properties", WANT_MEMBERS, 0, false, NULL},
	{"patternProperties", WANT_PATTERNS, 0, false, NULL},
	{"additionalProperties", WANT_SCHEMA, 0, false, NULL},
	{"dependencies", WANT_DEPENDENCIES, KIND_OBJECT, true, check_dependencies},

	{"allOf", WANT_SCHEMAS, KIND_ANY, true, check_all_of},
	{"anyOf", WANT_SCHEMAS, KIND_ANY, true, check_any_of},
	{"oneOf", WANT_SCHEMAS, KIND_ANY, true, check_one_of},
	{"not", WANT_SCHEMA, KIND_ANY, true, check_not},
	{"if", WANT_SCHEMA, KIND_ANY, true, check_if},
	{"then", WANT_SCHEMA, 0, true, NULL}, /* by check_if */
	{"else", WANT_SCHEMA, 0, true, NULL},
	{"definitions", WANT_MEMBERS, 0, false, NULL},
	{NULL, WANT_ANYTHING, 0, false, NULL},
};
