/*
 * Checking a value by a schema, and what is said of mistakes: see schema_node.h.  The
 * keywords are in schema_rules.c.
 */
#include "config.h"

#include "base/mem.h"
#include "base/str.h"
#include "base/work.h"
#include "schema/schema_node.h"

#define DEPTH_MOST   (3 * JSON_DEPTH) /* sets of schemas within each other */
#define WORK_LEAST   20000000         /* always allowed: a fraction of a second */
#define WORK_A_VALUE 100     /* allowed for each value of a large document, on top */
#define PATTERN_MOST 3000000 /* microseconds in all patterns */
#define SET_SEARCHED 64

/* ---- values and paths as text ---- */

#define TEXT_SHOWN    40 /* characters of a string */
#define PATTERN_SHOWN 60
#define DIGITS_SHOWN  40
#define NODES_SHOWN   8 /* values in a container that is shown as it is */
#define BYTES_SHOWN   60
#define VALUES_SHOWN  8 /* of a list */

void message_add_path(struct buf *out, const struct path_part *parts, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!parts[i].key) {
			buf_printf(out, "[%zu]", parts[i].index);
		} else if (str_is_name(str_of(parts[i].key), '$')) {
			buf_text(out, out->len ? "." : "");
			buf_text(out, parts[i].key);
		} else {
			buf_byte(out, '[');
			json_write_string(out, str_of(parts[i].key));
			buf_byte(out, ']');
		}
	}
}

/* The bytes of the first characters of a text. */
static size_t shown(struct str text, size_t characters)
{
	size_t n = 0;
	unsigned code;
	bool valid;

	while (n < text.n && characters--)
		n += utf8_decode(text.p + n, text.n - n, &code, &valid);
	return n;
}

/* A text in quotes, shortened. */
static void add_text(struct buf *out, struct str text)
{
	size_t n = shown(text, TEXT_SHOWN);

	json_write_string(out, (struct str){text.p, n});
	if (n == text.n)
		return;
	out->len--; /* the quote goes after the dots */
	buf_text(out, "…\"");
}

/* Whether a value is short enough to be shown whole; subtracts it from what is left. */
static bool is_short(const json_t *value, size_t *nodes, size_t *bytes)
{
	size_t size = json_is_string(value) ? json_string_length(value) : 1;
	const char *key;
	json_t *inner;
	size_t i;

	if (!*nodes || size > *bytes)
		return false;
	--*nodes;
	*bytes -= size;
	json_array_foreach(value, i, inner) {
		if (!is_short(inner, nodes, bytes))
			return false;
	}
	json_object_foreach((json_t *)value, key, inner) {
		size_t n = strlen(key);

		if (n > *bytes || !is_short(inner, nodes, bytes))
			return false;
		*bytes -= n < *bytes ? n : *bytes;
	}
	return true;
}

void message_add_value(struct buf *out, const json_t *value)
{
	size_t nodes = NODES_SHOWN, bytes = BYTES_SHOWN;
	struct str digits = json_number_text(value);

	if (digits.p) {
		bool all = digits.n <= DIGITS_SHOWN;

		buf_add(out, digits.p, all ? digits.n : DIGITS_SHOWN);
		buf_text(out, all ? "" : "…");
	} else if (json_is_string(value)) {
		add_text(out, schema_text(value));
	} else if (is_short(value, &nodes, &bytes)) {
		json_write(out, value, JSON_SPACED);
	} else {
		buf_text(out, json_is_array(value) ? "[…]" : "{…}");
	}
}

/* The first few values of an array, with commas. */
static void add_values(struct buf *out, const json_t *array)
{
	size_t count = json_array_size(array);
	size_t shown = count <= VALUES_SHOWN ? count : VALUES_SHOWN - 1;

	for (size_t i = 0; i < shown; i++) {
		buf_text(out, i ? ", " : "");
		message_add_value(out, json_array_get(array, i));
	}
	if (shown < count)
		buf_printf(out, " and %zu more", count - shown);
}

static const struct {
	unsigned kind;
	const char *name, *article;
} kind_names[] = {
	{KIND_OBJECT, "object", "an object"},
	{KIND_ARRAY, "array", "an array"},
	{KIND_STRING, "string", "a string"},
	{KIND_INTEGER, "integer", "an integer"},
	{KIND_NUMBER, "number", "a number"},
	{KIND_BOOLEAN, "boolean", "a boolean"},
	{KIND_NULL, "null", "null"},
};
#define KIND_NAMES (sizeof(kind_names) / sizeof(kind_names[0]))

unsigned schema_kind_named(const json_t *name)
{
	for (size_t i = 0; json_is_string(name) && i < KIND_NAMES; i++)
		if (strcmp(kind_names[i].name, json_string_value(name)) == 0)
			return kind_names[i].kind;
	return 0;
}

/* "string or null" */
static void add_kinds(struct buf *out, unsigned kinds)
{
	const char *between = "";

	if (kinds & KIND_NUMBER) /* every integer is one */
		kinds &= ~(unsigned)KIND_INTEGER;
	for (size_t i = 0; i < KIND_NAMES; i++) {
		if (!(kinds & kind_names[i].kind))
			continue;
		kinds &= ~kind_names[i].kind;
		buf_text(out, between);
		buf_text(out, kind_names[i].name);
		between = kinds & (kinds - 1) ? ", " : " or ";
	}
}

/* "is an object", `"x" is a string`: with the value unless it is a container or null. */
static void add_is(struct buf *out, const json_t *value)
{
	unsigned kinds = schema_kinds(value);
	size_t i = 0;

	if (!(kinds & (KIND_OBJECT | KIND_ARRAY | KIND_NULL))) {
		message_add_value(out, value);
		buf_byte(out, ' ');
	}
	while (!(kinds & kind_names[i].kind))
		i++;
	buf_printf(out, "is %s", kind_names[i].article);
}

/* A message of mistake(): see there. */
static void add_message(struct buf *out, const char *fmt, va_list ap)
{
	struct str pattern;
	size_t n;

	for (; *fmt; fmt++) {
		if (*fmt != '%') {
			buf_byte(out, *fmt);
			continue;
		}
		switch (*++fmt) {
		case 'v':
			message_add_value(out, va_arg(ap, const json_t *));
			break;
		case 'i':
			add_is(out, va_arg(ap, const json_t *));
			break;
		case 'l':
			add_values(out, va_arg(ap, const json_t *));
			break;
		case 'p': /* without quotes and escapes */
			pattern = va_arg(ap, struct str);
			n = shown(pattern, PATTERN_SHOWN);
			buf_add(out, pattern.p, n);
			buf_text(out, n < pattern.n ? "…" : "");
			break;
		case 't':
			add_text(out, va_arg(ap, struct str));
			break;
		case 'k':
			add_kinds(out, va_arg(ap, unsigned));
			break;
		case 's':
			buf_text(out, va_arg(ap, const char *));
			break;
		case 'z':
			buf_printf(out, "%zu", va_arg(ap, size_t));
			break;
		}
	}
}

/* ---- findings ---- */

static void report(struct schema_run *r, size_t part_count)
{
	struct schema_finding finding = {.rule = r->rule, .value = r->at_fault};

	if (!r->each)
		return;
	buf_clear(&r->pointer);
	buf_clear(&r->path);
	for (size_t i = 0; i < part_count; i++)
		if (r->parts[i].key)
			json_write_segment(&r->pointer, r->parts[i].key);
		else
			buf_printf(&r->pointer, "/%zu", r->parts[i].index);
	message_add_path(&r->path, r->parts, part_count);
	finding.pointer = buf_view(&r->pointer);
	finding.path = buf_view(&r->path);
	finding.message = buf_view(&r->message);
	if (!r->each(&finding, r->ctx))
		r->stop = true;
}

void run_mistake(
	struct schema_run *r, const char *rule, const json_t *value, const char *fmt, ...)
{
	va_list ap;

	r->state.mistakes++;
	if (r->stop || r->state.mode == RUN_TEST ||
		(r->state.mode == RUN_COUNT && r->state.mistakes > 1))
		return;
	r->rule = rule;
	r->at_fault = value;
	buf_clear(&r->message);
	va_start(ap, fmt);
	add_message(&r->message, fmt, ap);
	va_end(ap);
	if (r->state.mode == RUN_REPORT) {
		report(r, r->part_count);
		run_add_work(r, r->part_count + r->path.len / 64);
		return;
	}
	if (r->part_count > r->state.part_base)
		message_add_path(&r->first, &r->parts[r->state.part_base],
			r->part_count - r->state.part_base);
	buf_text(&r->first, r->first.len ? ": " : "");
	buf_str(&r->first, buf_view(&r->message));
}

/* ---- limits ---- */

/* The number of values in a document; a long text counts as several. */
static uint64_t count_values(const json_t *value)
{
	uint64_t weight = 1 + json_string_length(value) / 64;
	const char *key;
	json_t *inner;
	size_t i;

	json_array_foreach(value, i, inner)
		weight += count_values(inner);
	json_object_foreach((json_t *)value, key, inner)
		weight += count_values(inner);
	return weight;
}

/* Reports, in every mode, that the check cannot be done within the limits. */
static void report_undecided(
	struct schema_run *r, const char *rule, const json_t *value, size_t part_count)
{
	r->undecided = true;
	r->state.mistakes++;
	r->rule = rule;
	r->at_fault = value;
	report(r, part_count);
}

static void give_up(
	struct schema_run *r, const char *why, const json_t *value, size_t part_count)
{
	if (r->stop)
		return;
	buf_clear(&r->message);
	buf_text(&r->message, why);
	report_undecided(r, "limits", value, part_count);
	r->stop = true;
}

void run_add_work(struct schema_run *r, uint64_t work)
{
	r->work += work;
	if (r->work <= r->allowed)
		return;
	if (r->allowed == WORK_LEAST)
		r->allowed += WORK_A_VALUE * count_values(r->root);
	if (r->work > r->allowed)
		give_up(r, "takes too much work to check", r->root, 0);
}

enum pattern_result run_match(struct schema_run *r, const char *rule,
	const struct pattern *p, struct str text, const json_t *value)
{
	uint64_t began = clock_us();
	enum pattern_result result = pattern_match(p, text);

	r->pattern_time += clock_us() - began;
	run_add_work(r, 1 + text.n / 64);
	if (r->pattern_time > PATTERN_MOST)
		give_up(r, "takes too long to match with patterns", r->root, 0);
	if (result != PATTERN_GAVE_UP)
		return result;
	if (r->stop || (r->undecided && r->state.mode != RUN_REPORT)) {
		r->state.mistakes++; /* once is enough in a nested run, which is repeated
				      */
		return result;
	}
	buf_clear(&r->message);
	add_text(&r->message, text);
	buf_text(&r->message, " takes too long to match with the pattern");
	report_undecided(r, rule, value, r->part_count);
	return result;
}

/* ---- the walk ---- */

void run_enter(struct schema_run *r, const char *key, size_t index)
{
	*MEM_ADD(r->parts, r->part_count, r->part_cap) = (struct path_part){key, index};
}

/* A schema that is reached on several paths is checked once.  Of a large set only the end
 * is searched. */
void run_apply(struct schema_run *r, const char *keyword, const json_t *schema,
	const json_t *value)
{
	const struct path_part *last =
		r->part_count > r->state.part_base ? &r->parts[r->part_count - 1] : NULL;
	size_t i = r->set_count, left = SET_SEARCHED;
	uint32_t node;

	run_add_work(r, 1);
	if (json_is_false(schema) && last && last->key)
		run_mistake(r, keyword, value, "property %t is not allowed",
			str_of(last->key));
	else if (json_is_false(schema) && last)
		run_mistake(r, keyword, value, "item %z is not allowed", last->index);
	else if (json_is_false(schema))
		run_mistake(r, keyword, value, "no value is allowed");
	if (!json_is_object(schema))
		return;
	node = schema_node(r->schema, schema);
	while (i > r->set_from && left--)
		if (r->set[--i] == node)
			return;
	*MEM_ADD(r->set, r->set_count, r->set_cap) = node;
}

static void apply_to_member(struct schema_run *r, const struct schema_node *node,
	const char *key, const json_t *value)
{
	const json_t *schema = json_object_get(node->properties, key);
	bool named = schema != NULL;

	if (schema)
		run_apply(r, "properties", schema, value);
	for (uint32_t i = 0; i < node->pattern_count && !run_over(r); i++) {
		const struct pattern_schema *p =
			&r->schema->patterns[node->first_pattern + i];
		enum pattern_result result =
			run_match(r, "patternProperties", p->pattern, str_of(key), value);

		if (result == PATTERN_YES)
			run_apply(r, "patternProperties", p->schema, value);
		named = named || result != PATTERN_NO;
	}
	if (!named && node->additional_properties)
		run_apply(r, "additionalProperties", node->additional_properties, value);
}

static void walk(struct schema_run *r, size_t from, const json_t *value);

/* Checks a member or an item by what the schemas in [from, to) of the set demand of it.
 */
static void walk_into(struct schema_run *r, size_t from, size_t to, const char *key,
	size_t index, const json_t *value)
{
	size_t work = 1 + (key ? strlen(key) / 64 : 0);
	const json_t *item;

	run_enter(r, key, index);
	for (size_t i = from; i < to && !run_over(r); i++) {
		const struct schema_node *node = &r->schema->nodes[r->set[i]];

		run_add_work(r, work);
		item = json_array_get(node->items, index);
		if (key)
			apply_to_member(r, node, key, value);
		else if (item || !json_is_array(node->items))
			run_apply(r, "items", item ? item : node->items, value);
		else
			run_apply(r, "additionalItems", node->additional_items, value);
	}
	if (r->set_count > to && !run_over(r))
		walk(r, to, value);
	r->set_count = to;
	r->part_count--;
}

/* Removes the schemas that demand nothing of members and items from the set. */
static void keep_relevant(struct schema_run *r, size_t from)
{
	size_t to = from;

	for (size_t i = from; i < r->set_count; i++) {
		const struct schema_node *node;

		if (r->set[i] == SCHEMA_NODE_NONE)
			continue;
		node = &r->schema->nodes[r->set[i]];
		if (node->properties || node->pattern_count ||
			node->additional_properties || node->items)
			r->set[to++] = r->set[i];
	}
	r->set_count = to;
}

/* Checks one schema of the set; after a wrong type nothing more of it is checked. */
static void check_node(
	struct schema_run *r, size_t at, const json_t *value, unsigned kinds)
{
	const struct schema_node *node = &r->schema->nodes[r->set[at]];

	run_add_work(r, 1 + node->rule_count);
	if (node->ref) {
		run_apply(r, "$ref", node->ref, value);
	} else if (!(node->types & kinds)) {
		run_mistake(r, "type", value, "%i, expected %k", value, node->types);
		r->set[at] = SCHEMA_NODE_NONE;
		return;
	}
	for (uint32_t i = 0; i < node->rule_count && !run_over(r); i++) {
		const struct keyword_rule *rule = &r->schema->rules[node->first_rule + i];
		const struct claim claim = {node, rule, value};

		if (rule->keyword->check && rule->keyword->kinds & kinds)
			rule->keyword->check(r, &claim);
	}
}

/* Checks a value by the schemas in the set from `from` on, and removes them. */
static void walk(struct schema_run *r, size_t from, const json_t *value)
{
	unsigned kinds = schema_kinds(value);
	size_t outer = r->set_from, to, i;
	const char *key;
	json_t *inner;

	r->set_from = from;
	if (kinds & KIND_NUMBER)
		run_add_work(r, json_string_length(value) / 64); /* a huge one */
	if (++r->depth > DEPTH_MOST)
		give_up(r, "is nested too deep to be checked", value, r->part_count);
	for (i = from; i < r->set_count && !run_over(r); i++)
		check_node(r, i, value, kinds);
	keep_relevant(r, from);
	to = r->set_from = r->set_count;
	json_object_foreach((json_t *)value, key, inner) {
		if (to == from || run_over(r))
			break;
		walk_into(r, from, to, key, 0, inner);
	}
	json_array_foreach(value, i, inner) {
		if (to == from || run_over(r))
			break;
		walk_into(r, from, to, NULL, i, inner);
	}
	r->set_count = from;
	r->set_from = outer;
	r->depth--;
}

/* ---- runs within a run ---- */

/* A run in another mode, with a set of its own; returns the number of mistakes. */
static size_t run_nested(struct schema_run *r, enum run_mode mode, const json_t *schema,
	const json_t *value)
{
	const struct run_state outer = r->state;
	size_t from = r->set_count, set_from = r->set_from, mistakes;

	r->state = (struct run_state){.mode = mode, .part_base = r->part_count};
	r->set_from = from;
	run_apply(r, "", schema, value);
	if (r->set_count > from && !run_over(r))
		walk(r, from, value);
	mistakes = r->state.mistakes;
	r->state = outer;
	r->set_from = set_from;
	r->set_count = from;
	return mistakes;
}

bool run_holds(struct schema_run *r, const json_t *schema, const json_t *value)
{
	return run_nested(r, RUN_TEST, schema, value) == 0 && !r->stop;
}

size_t run_count(struct schema_run *r, const json_t *schema, const json_t *value,
	struct buf *first)
{
	struct buf kept = r->first;
	size_t mistakes;

	r->first = *first;
	buf_clear(&r->first);
	mistakes = run_nested(r, RUN_COUNT, schema, value);
	*first = r->first;
	r->first = kept;
	return mistakes;
}

bool run_same(struct schema_run *r, const json_t *a, const json_t *b)
{
	uint64_t work = 0;
	bool equal = json_same(a, b, &work);

	run_add_work(r, work);
	return equal;
}

/* ---- the whole ---- */

bool schema_check(
	const struct schema *s, const json_t *value, schema_each_fn *each, void *ctx)
{
	struct schema_run r = {.schema = s,
		.root = value,
		.each = each,
		.ctx = ctx,
		.state.mode = each ? RUN_REPORT : RUN_TEST,
		.allowed = WORK_LEAST};

	run_apply(&r, "schema", s->root, value);
	if (r.set_count)
		walk(&r, 0, value);
	mem_free(r.parts);
	mem_free(r.set);
	buf_done(&r.first);
	buf_done(&r.pointer);
	buf_done(&r.path);
	buf_done(&r.message);
	return !r.state.mistakes && !r.undecided;
}
