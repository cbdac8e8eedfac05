/*
 * The keywords of draft-07 and what each checks: see schema_node.h.  The order is that of
 * checking: what a value is, then what is in it, then the schemas that apply in place.
 */
#include "config.h"

#include "base/map.h"
#include "schema/schema_node.h"

#define NUL_SYMBOL 0x2400 /* how json_read keeps a NUL in a key */

/* "VALUE words KEYWORD'S VALUE" */
static void report_comparison(
	struct schema_run *r, const struct claim *c, const char *words)
{
	struct buf *message = run_mistake(r, c->rule->keyword->name, c->value);

	if (!message)
		return;
	message_add_value(message, c->value);
	buf_text(message, words);
	message_add_value(message, c->rule->value);
	run_report(r);
}

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
	const char *names[2];
	size_t count = count_in(r, c->value, names), bound = c->rule->count;
	struct buf *message;

	if (most ? count <= bound : count >= bound)
		return;
	message = run_mistake(r, c->rule->keyword->name, c->value);
	if (!message)
		return;
	if (json_is_string(c->value) && count) {
		message_add_value(message, c->value);
		buf_byte(message, ' ');
	}
	if (count)
		buf_printf(message, "has %zu %s", count, names[count > 1]);
	else
		buf_text(message, "is empty");
	buf_printf(message, ", expected at %s %zu", most ? "most" : "least", bound);
	run_report(r);
}

static void check_most(struct schema_run *r, const struct claim *c)
{
	check_count(r, c, true);
}

static void check_least(struct schema_run *r, const struct claim *c)
{
	check_count(r, c, false);
}

/* Compares the value with that of the keyword. */
static int compare(struct schema_run *r, const struct claim *c)
{
	/* huge numbers are kept as text */
	run_add_work(r,
		(json_string_length(c->value) + json_string_length(c->rule->value)) / 64);
	return json_number_compare(c->value, c->rule->value);
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
	struct buf *message;

	for (size_t i = 0; i < json_array_size(c->rule->value) && !r->stop; i++)
		if (run_same(r, json_array_get(c->rule->value, i), c->value))
			return;
	message = run_mistake(r, "enum", c->value);
	if (!message)
		return;
	message_add_value(message, c->value);
	buf_text(message, " is none of ");
	message_add_values(message, c->rule->value);
	run_report(r);
}

static void check_const(struct schema_run *r, const struct claim *c)
{
	if (!run_same(r, c->rule->value, c->value))
		report_comparison(r, c, " is not ");
}

/* Numbers */

static void check_multiple(struct schema_run *r, const struct claim *c)
{
	run_add_work(r, json_string_length(c->value) / 64);
	if (!json_multiple(c->value, c->rule->value))
		report_comparison(r, c, " is not a multiple of ");
}

static void check_maximum(struct schema_run *r, const struct claim *c)
{
	if (compare(r, c) > 0)
		report_comparison(r, c, " is greater than ");
}

static void check_exclusive_maximum(struct schema_run *r, const struct claim *c)
{
	if (compare(r, c) >= 0)
		report_comparison(r, c, " is not less than ");
}

static void check_minimum(struct schema_run *r, const struct claim *c)
{
	if (compare(r, c) < 0)
		report_comparison(r, c, " is less than ");
}

static void check_exclusive_minimum(struct schema_run *r, const struct claim *c)
{
	if (compare(r, c) <= 0)
		report_comparison(r, c, " is not greater than ");
}

/* Strings */

static void check_pattern(struct schema_run *r, const struct claim *c)
{
	struct buf *message;

	if (run_match(r, "pattern", c->rule->pattern, schema_text(c->value), c->value) !=
		PATTERN_NO)
		return;
	message = run_mistake(r, "pattern", c->value);
	if (!message)
		return;
	message_add_value(message, c->value);
	buf_text(message, " does not match ");
	message_add_pattern(message, schema_text(c->rule->value));
	run_report(r);
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
	struct buf *message;

	if (!json_is_true(c->rule->value) || !find_equal(r, c->value, &first, &second))
		return;
	message = run_mistake(r, "uniqueItems", c->value);
	if (!message)
		return;
	buf_printf(message, "items %zu and %zu are equal: ", first, second);
	message_add_value(message, json_array_get(c->value, second));
	run_report(r);
}

static void check_contains(struct schema_run *r, const struct claim *c)
{
	struct buf *message;
	bool found = false;

	for (size_t i = 0; i < json_array_size(c->value) && !found && !r->stop; i++) {
		run_enter(r, NULL, i);
		found = run_holds(r, c->rule->value, json_array_get(c->value, i));
		run_leave(r);
	}
	message = found ? NULL : run_mistake(r, "contains", c->value);
	if (!message)
		return;
	buf_text(message, "none of the items is one that must be there");
	run_report(r);
}

/* Objects */

/* `by`: the property that requires the others, or NULL. */
static void require(struct schema_run *r, const char *rule, const json_t *names,
	const json_t *value, const char *by)
{
	size_t i;
	json_t *name;

	json_array_foreach(names, i, name) {
		struct buf *message = NULL;

		if (run_over(r))
			return;
		if (!has_member(r, value, name))
			message = run_mistake(r, rule, value);
		if (!message)
			continue;
		buf_text(message, by ? "property " : "required property ");
		message_add_value(message, name);
		buf_text(message, " is missing");
		if (by) {
			buf_text(message, "; ");
			message_add_text(message, str_of(by));
			buf_text(message, " requires it");
		}
		run_report(r);
	}
}

static void check_required(struct schema_run *r, const struct claim *c)
{
	require(r, "required", c->rule->value, c->value, NULL);
}

static void check_name(
	struct schema_run *r, const struct claim *c, const char *key, const json_t *name)
{
	struct buf first = BUF_INIT, *message;

	if (run_holds(r, c->rule->value, name))
		return;
	if (r->state.mode != RUN_TEST)
		run_count(r, c->rule->value, name, &first);
	message = run_mistake(r, "propertyNames", c->value);
	if (message) {
		buf_text(message, "property name ");
		message_add_text(message, str_of(key));
		buf_text(message, ": ");
		buf_str(message, buf_view(&first));
		run_report(r);
	}
	buf_done(&first);
}

static void check_property_names(struct schema_run *r, const struct claim *c)
{
	const char *key;
	json_t *inner, *name;

	json_object_foreach((json_t *)c->value, key, inner) {
		if (run_over(r))
			return;
		run_add_work(r, strlen(key) / 64);
		name = json_string_nocheck(key);
		check_name(r, c, key, name);
		json_decref(name);
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
	struct buf *message;
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
	message = count == 2 ? run_mistake(r, "oneOf", c->value) : NULL;
	if (!message)
		return;
	buf_printf(message, "fits the forms %zu and %zu, must fit only one", forms[0],
		forms[1]);
	run_report(r);
}

static void check_not(struct schema_run *r, const struct claim *c)
{
	struct buf *message = NULL;

	if (run_holds(r, c->rule->value, c->value))
		message = run_mistake(r, "not", c->value);
	if (!message)
		return;
	message_add_value(message, c->value);
	buf_text(message, " is what the schema rules out");
	run_report(r);
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
	{"maximum", WANT_NUMBER, KIND_NUMBER, false, check_maximum},
	{"exclusiveMaximum", WANT_NUMBER, KIND_NUMBER, false, check_exclusive_maximum},
	{"minimum", WANT_NUMBER, KIND_NUMBER, false, check_minimum},
	{"exclusiveMinimum", WANT_NUMBER, KIND_NUMBER, false, check_exclusive_minimum},

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
