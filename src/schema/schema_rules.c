/*
 * The keywords of draft-07 and what each checks: see schema_node.h.  The order is that of
 * checking: what a value is, then what is in it, then the schemas that apply in place.
 */
#include "config.h"

#include "base/map.h"
#include "base/mem.h"
#include "schema/schema_node.h"

#define NUL_SYMBOL 0x2400 /* how json_read keeps a NUL in a key */

/* "has 3 items, expected at least 5" */
static void check_count(struct schema_run *r, const struct claim *c)
{
	const char *rule = c->rule->keyword->name;
	bool most = str_starts(str_of(rule), STR("max")), array = json_is_array(c->value);
	const char *at = most ? "most" : "least";
	const char *one = array ? "item" : "property", *many = array ? "items" : "properties";
	struct str text = schema_text(c->value);
	size_t bound = c->rule->count, count;

	count = array ? json_array_size(c->value) : json_object_size(c->value);
	if (json_is_string(c->value)) {
		one = "character";
		many = "characters";
		run_add_work(r, text.n / 64);
		for (size_t i = 0; i < text.n; i++)
			count += ((unsigned char)text.p[i] & 0xC0) != 0x80;
	}
	if (most ? count <= bound : count >= bound)
		return;
	if (!count)
		run_mistake(r, rule, c->value, "is empty, expected at %s %z", at, bound);
	else if (json_is_string(c->value))
		run_mistake(r, rule, c->value, "%v has %z %s, expected at %s %z", c->value,
			count, count > 1 ? many : one, at, bound);
	else
		run_mistake(r, rule, c->value, "has %z %s, expected at %s %z", count,
			count > 1 ? many : one, at, bound);
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

/* ---- which of several schemas is meant ----
 *
 * Of anyOf and oneOf a person wants to read what is wrong with the one that is meant, not
 * that none fits.
 *
 * The forms that `type` rules out are not meant.  Of the others, a property that two or
 * more forms fix to different values (by const, or an enum of one) decides: the forms
 * that fix another value than the value's own are not meant.  No form that is ruled out
 * can hold; so a single form that is left is applied as if it were alone.  When several
 * are left and none holds, the one with the fewest mistakes is named, with the first of
 * them.
 */

#define CLOSE_TRIED 16 /* forms whose mistakes are counted */

/* NULL for a schema that is no object. */
static const struct schema_node *run_node(
	const struct schema_run *r, const json_t *schema)
{
	uint32_t node = schema ? schema_node(r->schema, schema) : SCHEMA_NODE_NONE;

	return node == SCHEMA_NODE_NONE ? NULL : &r->schema->nodes[node];
}

/* Follows $ref to the end. */
static const json_t *run_reference(const struct schema_run *r, const json_t *schema)
{
	const struct schema_node *node;

	while ((node = run_node(r, schema)) != NULL && node->ref)
		schema = node->ref; /* schema_new refused what does not end */
	return schema;
}

struct forms {
	const json_t *list;   /* the keyword's value */
	const json_t **items; /* those that may be meant */
	size_t *numbers;      /* their places in the list */
	size_t count;
	size_t typed;   /* how many there were by `type` alone */
	bool any;       /* one of the list is `true` */
	unsigned types; /* that any of the list allows */
};

static void forms_done(struct forms *f)
{
	mem_free(f->items);
	mem_free(f->numbers);
}

/* The one value that a form allows for a property, or NULL. */
static const json_t *tag_of(
	const struct schema_run *r, const json_t *form, const char *key)
{
	const struct schema_node *node = run_node(r, form);
	const json_t *fixed, *list;

	if (node)
		node = run_node(
			r, run_reference(r, json_object_get(node->properties, key)));
	if (!node)
		return NULL;
	fixed = json_object_get(node->value, "const");
	list = json_object_get(node->value, "enum");
	return fixed || json_array_size(list) != 1 ? fixed : json_array_get(list, 0);
}

/* Whether forms fix the property to different values. */
static bool decides(struct schema_run *r, const struct forms *f, const char *key)
{
	const json_t *first = NULL;

	for (size_t i = 0; i < f->count && !r->stop; i++) {
		const json_t *tag = tag_of(r, f->items[i], key);

		run_add_work(r, 1);
		if (first && tag && !run_same(r, first, tag))
			return true;
		first = first ? first : tag;
	}
	return false;
}

/* The property that decides: of those that the first form with any fixes. */
static const char *find_tag(struct schema_run *r, const struct forms *f)
{
	const char *key;
	json_t *inner;

	for (size_t i = 0; i < f->count; i++) {
		const struct schema_node *node = run_node(r, f->items[i]);
		bool any = false;

		json_object_foreach((json_t *)node->properties, key, inner) {
			run_add_work(r, 1);
			if (r->stop)
				return NULL;
			if (!tag_of(r, f->items[i], key))
				continue;
			any = true;
			if (decides(r, f, key))
				return key;
		}
		if (any)
			return NULL;
	}
	return NULL;
}

/* Whether the value lacks the property that decides and the first form requires it. */
static bool lacks(struct schema_run *r, const struct claim *c, const struct forms *f,
	const char *key)
{
	const json_t *names =
		json_object_get(run_node(r, f->items[0])->value, "required");
	size_t i;
	json_t *name;

	if (!key || json_object_get(c->value, key))
		return false;
	json_array_foreach(names, i, name) {
		if (strcmp(json_string_value(name), key) == 0)
			return true;
	}
	return false;
}

/* Finds the forms that may be meant: of those that `type` allows, those whose tag is the
 * value's, and those without one.  The result is the property that decides, or NULL. */
static const char *find_candidates(
	struct schema_run *r, const struct claim *c, struct forms *f)
{
	size_t count = json_array_size(c->rule->value), kept = 0;
	unsigned kinds = schema_kinds(c->value);
	const char *key = NULL;
	const json_t *value;

	f->list = c->rule->value;
	f->items = mem_zalloc(count, sizeof(const json_t *));
	f->numbers = mem_zalloc(count, sizeof(size_t));
	run_add_work(r, count);
	for (size_t i = 0; i < count; i++) {
		const json_t *form = run_reference(r, json_array_get(f->list, i));
		const struct schema_node *node = run_node(r, form);

		f->any = f->any || json_is_true(form);
		if (!node)
			continue;
		f->types |= node->types;
		if (!(node->types & kinds))
			continue;
		f->numbers[f->count] = i;
		f->items[f->count++] = form;
	}
	f->typed = f->count;
	if (json_is_object(c->value) && f->count > 1)
		key = find_tag(r, f);
	value = key ? json_object_get(c->value, key) : NULL;
	for (size_t i = 0; i < f->count && value; i++) {
		const json_t *tag = tag_of(r, f->items[i], key);

		if (tag && !run_same(r, tag, value))
			continue;
		f->numbers[kept] = f->numbers[i];
		f->items[kept++] = f->items[i];
	}
	f->count = value ? kept : f->count;
	return key;
}

/* Applies the only schema that the value can be meant for.  False, and nothing applied,
 * when there are several, or none. */
static bool choice_apply(struct schema_run *r, const struct claim *c)
{
	AUTO(forms_done) struct forms f = {0};
	bool one;

	if (r->state.mode != RUN_REPORT)
		return false;
	find_candidates(r, c, &f);
	one = f.count == 1 && !f.any && !r->stop;
	if (one)
		run_apply(r, c->rule->keyword->name, f.items[0], c->value);
	return one;
}

/* "action" is "frob", expected one of "add", "remove": the tags of all forms, each once.
 */
static void report_tag(struct schema_run *r, const struct claim *c, const struct forms *f,
	const char *key)
{
	const char *rule = c->rule->keyword->name;
	const json_t *value = json_object_get(c->value, key);
	json_t *tags = json_array();

	for (size_t i = 0; i < json_array_size(f->list) && !r->stop; i++) {
		const json_t *tag =
			tag_of(r, run_reference(r, json_array_get(f->list, i)), key);
		size_t n = json_array_size(tags);

		while (tag && n && !run_same(r, json_array_get(tags, n - 1), tag))
			n--;
		if (tag && !n)
			json_array_append(tags, (json_t *)tag);
	}
	if (value)
		run_mistake(r, rule, c->value, "%t is %v, expected one of %l",
			str_of(key), value, tags);
	else
		run_mistake(r, rule, c->value, "%t is missing, expected one of %l",
			str_of(key), tags);
	json_decref(tags);
}

/* The form with the fewest mistakes, and the message of the first of them. */
static void report_closest(
	struct schema_run *r, const struct claim *c, const struct forms *f)
{
	AUTO_BUF first = BUF_INIT, other = BUF_INIT;
	size_t closest = 0, least = SIZE_MAX;

	for (size_t i = 0; i < f->count && i < CLOSE_TRIED && !r->stop; i++) {
		size_t mistakes = run_count(r, f->items[i], c->value, &other);
		struct buf swap = first;

		if (mistakes >= least)
			continue;
		least = mistakes;
		closest = i;
		first = other;
		other = swap;
	}
	run_mistake(r, c->rule->keyword->name, c->value,
		"fits none of %z forms; closest is form %z%s%s", json_array_size(f->list),
		f->numbers[closest] + 1, first.len ? ": " : "",
		first.len ? first.data : "");
}

/* Reports why the value fits none of them. */
static void choice_report(struct schema_run *r, const struct claim *c)
{
	AUTO(forms_done) struct forms f = {0};
	const char *rule = c->rule->keyword->name, *key;

	if (r->state.mode != RUN_REPORT) {
		run_mistake(r, rule, c->value, "");
		return;
	}
	key = find_candidates(r, c, &f);
	if (!f.typed && f.types)
		run_mistake(r, rule, c->value, "%i, expected %k", c->value, f.types);
	else if (!f.typed)
		run_mistake(r, rule, c->value, "no value is allowed");
	else if (!f.count || lacks(r, c, &f, key))
		report_tag(r, c, &f, key);
	else
		report_closest(r, c, &f);
}

/* ---- the keywords ---- */

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
		run_mistake(r, rule, c->value, "%v is %s than %v", c->value,
			rows[i].words, c->rule->value);
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

static void check_unique(struct schema_run *r, const struct claim *c)
{
	AUTO(idmap_done) struct idmap seen = {0};

	if (!json_is_true(c->rule->value))
		return;
	for (size_t i = 0; i < json_array_size(c->value) && !r->stop; i++) {
		const json_t *item = json_array_get(c->value, i);
		uint64_t work = 1, hash = json_hash(item, &work);
		uint32_t other = idmap_find(&seen, hash);

		run_add_work(r, work);
		if (other != MAP_NONE &&
			run_same(r, json_array_get(c->value, other), item)) {
			run_mistake(r, "uniqueItems", c->value,
				"items %z and %z are equal: %v", (size_t)other, i, item);
			return;
		}
		idmap_add(&seen, hash, (uint32_t)i);
	}
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

/* A dependency names the property that requires the others. */
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

	{"maxLength", WANT_COUNT, KIND_STRING, false, check_count},
	{"minLength", WANT_COUNT, KIND_STRING, false, check_count},
	{"pattern", WANT_PATTERN, KIND_STRING, false, check_pattern},

	{"maxItems", WANT_COUNT, KIND_ARRAY, false, check_count},
	{"minItems", WANT_COUNT, KIND_ARRAY, false, check_count},
	{"uniqueItems", WANT_BOOLEAN, KIND_ARRAY, false, check_unique},
	{"contains", WANT_SCHEMA, KIND_ARRAY, false, check_contains},
	{"items", WANT_ITEMS, 0, false, NULL},
	{"additionalItems", WANT_SCHEMA, 0, false, NULL},

	{"maxProperties", WANT_COUNT, KIND_OBJECT, false, check_count},
	{"minProperties", WANT_COUNT, KIND_OBJECT, false, check_count},
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
