/* Values and paths as text: see schema_node.h. */
#include "config.h"
#include "schema/schema_node.h"

#include "base/utf8.h"

#define TEXT_SHOWN    40 /* characters of a string */
#define PATTERN_SHOWN 60
#define DIGITS_SHOWN  40
#define NODES_SHOWN   8 /* values in a container that is shown as it is */
#define BYTES_SHOWN   60
#define VALUES_SHOWN  8 /* of a list */

/* Paths */

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

void message_add_pointer(struct buf *out, const struct path_part *parts, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (parts[i].key)
			json_write_segment(out, parts[i].key);
		else
			buf_printf(out, "/%zu", parts[i].index);
	}
}

/* Values */

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

void message_add_text(struct buf *out, struct str text)
{
	size_t n = shown(text, TEXT_SHOWN);

	json_write_string(out, (struct str){text.p, n});
	if (n == text.n)
		return;
	out->len--; /* the quote goes after the dots */
	buf_text(out, "…\"");
}

void message_add_pattern(struct buf *out, struct str text)
{
	size_t n = shown(text, PATTERN_SHOWN);

	buf_add(out, text.p, n);
	buf_text(out, n < text.n ? "…" : "");
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
		message_add_text(out, schema_text(value));
	} else if (is_short(value, &nodes, &bytes)) {
		json_write(out, value, JSON_SPACED);
	} else {
		buf_text(out, json_is_array(value) ? "[…]" : "{…}");
	}
}

void message_add_values(struct buf *out, const json_t *array)
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

void message_add_kinds(struct buf *out, unsigned kinds)
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

void message_add_is(struct buf *out, const json_t *value)
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
