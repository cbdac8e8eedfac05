/*
 * Finds which of several schemas (anyOf, oneOf) is meant: a person wants to read what is
 * wrong with that one, not that none fits.
 *
 * The forms that `type` rules out are not meant.  Of the others, a property that two or
 * more forms fix to different values (by const, or an enum of one) decides: the forms
 * that fix another value than the value's own are not meant.  No form that is ruled out
 * can hold; so a single form that is left is applied as if it were alone.  When several
 * are left and none holds, the one with the fewest mistakes is named, with the first of
 * them.
 */
#include "config.h"

#include "base/mem.h"
#include "schema/schema_node.h"

#define CLOSE_TRIED 16 /* forms whose mistakes are counted */

struct forms {
	const json_t *list;   /* the keyword's value */
	const json_t **items; /* those that may be meant */
	size_t *numbers;      /* their places in the list */
	size_t count;
	size_t typed;   /* how many there were by `type` alone */
	bool any;       /* one of the list is `true` */
	unsigned types; /* that any of the list allows */
};

static void find_forms(struct schema_run *r, const struct claim *c, struct forms *f)
{
	size_t count = json_array_size(c->rule->value);
	unsigned kinds = schema_kinds(c->value);

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
}

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

/* The tags of all forms, each once; owned by the caller. */
static json_t *all_tags(struct schema_run *r, const struct forms *f, const char *key)
{
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
	return tags;
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

/* "action" is "frob", expected one of "add", "remove" */
static void report_tag(struct schema_run *r, const struct claim *c, const struct forms *f,
	const char *key)
{
	const char *rule = c->rule->keyword->name;
	const json_t *value = json_object_get(c->value, key);
	json_t *tags = all_tags(r, f, key);

	if (value)
		run_mistake(r, rule, c->value, "%t is %v, expected one of %l", str_of(key),
			value, tags);
	else
		run_mistake(r, rule, c->value, "%t is missing, expected one of %l",
			str_of(key), tags);
	json_decref(tags);
}

/* The form with the fewest mistakes; `first` gets the message of the first one. */
static size_t find_closest(struct schema_run *r, const struct claim *c,
	const struct forms *f, struct buf *first)
{
	size_t closest = 0, least = SIZE_MAX;
	struct buf other = BUF_INIT, swap;

	for (size_t i = 0; i < f->count && i < CLOSE_TRIED && !r->stop; i++) {
		size_t mistakes = run_count(r, f->items[i], c->value, &other);

		if (mistakes >= least)
			continue;
		least = mistakes;
		closest = i;
		swap = *first;
		*first = other;
		other = swap;
	}
	buf_done(&other);
	return closest;
}

static void report_closest(
	struct schema_run *r, const struct claim *c, const struct forms *f)
{
	AUTO_BUF first = BUF_INIT;
	size_t closest = find_closest(r, c, f, &first);

	run_mistake(r, c->rule->keyword->name, c->value,
		"fits none of %z forms; closest is form %z%s%s", json_array_size(f->list),
		f->numbers[closest] + 1, first.len ? ": " : "",
		first.len ? first.data : "");
}

/* Finds the forms that may be meant: of those with a tag those whose tag is the value's,
 * and those without one.  The result is the property that decides, or NULL. */
static const char *find_candidates(
	struct schema_run *r, const struct claim *c, struct forms *f)
{
	const char *key = NULL;
	const json_t *value;
	size_t kept = 0;

	find_forms(r, c, f);
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

bool choice_apply(struct schema_run *r, const struct claim *c)
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

void choice_report(struct schema_run *r, const struct claim *c)
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
