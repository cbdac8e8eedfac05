/*
 * Traces and logs of OpenTelemetry in protobuf, written as OTLP-JSON: see unpack.h.  The
 * messages are those of opentelemetry/proto (trace/v1, logs/v1, common/v1) as far as they
 * are read; a request to export and the data of a file have one form.  Fields that are
 * not in the tables are passed over.
 */
#include "config.h"
#include "io/unpack.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/str.h"

#define DEEPEST  64 /* messages in messages */
#define TRACE_ID 16 /* bytes */

/* ---- the messages ---- */

enum field_type {
	STRING,
	HEX,     /* ids */
	BASE64,  /* other bytes */
	INTEGER, /* signed, as a string of digits */
	NUMBER,
	BOOL,
	FIXED64, /* as a string of digits */
	FIXED32,
	DOUBLE,
	MESSAGE,
	MESSAGES, /* any number of them */
};

struct field {
	unsigned number; /* 0 ends a table */
	enum field_type type;
	const char *name;
	const struct field *message;
};

static const struct field values[], key_values[];
static const struct field any[] = {{1, STRING, "stringValue", NULL},
	{2, BOOL, "boolValue", NULL}, {3, INTEGER, "intValue", NULL},
	{4, DOUBLE, "doubleValue", NULL}, {5, MESSAGE, "arrayValue", values},
	{6, MESSAGE, "kvlistValue", key_values}, {7, BASE64, "bytesValue", NULL},
	{0, STRING, NULL, NULL}};
static const struct field values[] = {
	{1, MESSAGES, "values", any}, {0, STRING, NULL, NULL}};
static const struct field key_value[] = {{1, STRING, "key", NULL},
	{2, MESSAGE, "value", any}, {0, STRING, NULL, NULL}};
static const struct field key_values[] = {
	{1, MESSAGES, "values", key_value}, {0, STRING, NULL, NULL}};
static const struct field resource[] = {{1, MESSAGES, "attributes", key_value},
	{2, NUMBER, "droppedAttributesCount", NULL}, {0, STRING, NULL, NULL}};
static const struct field scope[] = {{1, STRING, "name", NULL},
	{2, STRING, "version", NULL}, {3, MESSAGES, "attributes", key_value},
	{4, NUMBER, "droppedAttributesCount", NULL}, {0, STRING, NULL, NULL}};
static const struct field event[] = {{1, FIXED64, "timeUnixNano", NULL},
	{2, STRING, "name", NULL}, {3, MESSAGES, "attributes", key_value},
	{4, NUMBER, "droppedAttributesCount", NULL}, {0, STRING, NULL, NULL}};
static const struct field span_link[] = {{1, HEX, "traceId", NULL},
	{2, HEX, "spanId", NULL}, {3, STRING, "traceState", NULL},
	{4, MESSAGES, "attributes", key_value},
	{5, NUMBER, "droppedAttributesCount", NULL}, {6, FIXED32, "flags", NULL},
	{0, STRING, NULL, NULL}};
static const struct field status[] = {{2, STRING, "message", NULL},
	{3, NUMBER, "code", NULL}, {0, STRING, NULL, NULL}};
static const struct field span[] = {{1, HEX, "traceId", NULL}, {2, HEX, "spanId", NULL},
	{3, STRING, "traceState", NULL}, {4, HEX, "parentSpanId", NULL},
	{16, FIXED32, "flags", NULL}, {5, STRING, "name", NULL},
	{6, NUMBER, "kind", NULL}, {7, FIXED64, "startTimeUnixNano", NULL},
	{8, FIXED64, "endTimeUnixNano", NULL}, {9, MESSAGES, "attributes", key_value},
	{10, NUMBER, "droppedAttributesCount", NULL}, {11, MESSAGES, "events", event},
	{12, NUMBER, "droppedEventsCount", NULL}, {13, MESSAGES, "links", span_link},
	{14, NUMBER, "droppedLinksCount", NULL}, {15, MESSAGE, "status", status},
	{0, STRING, NULL, NULL}};
static const struct field log_record[] = {{1, FIXED64, "timeUnixNano", NULL},
	{11, FIXED64, "observedTimeUnixNano", NULL},
	{2, NUMBER, "severityNumber", NULL}, {3, STRING, "severityText", NULL},
	{12, STRING, "eventName", NULL}, {5, MESSAGE, "body", any},
	{6, MESSAGES, "attributes", key_value},
	{7, NUMBER, "droppedAttributesCount", NULL}, {8, FIXED32, "flags", NULL},
	{9, HEX, "traceId", NULL}, {10, HEX, "spanId", NULL}, {0, STRING, NULL, NULL}};
static const struct field scope_spans[] = {{1, MESSAGE, "scope", scope},
	{2, MESSAGES, "spans", span}, {3, STRING, "schemaUrl", NULL},
	{0, STRING, NULL, NULL}};
static const struct field scope_logs[] = {{1, MESSAGE, "scope", scope},
	{2, MESSAGES, "logRecords", log_record}, {3, STRING, "schemaUrl", NULL},
	{0, STRING, NULL, NULL}};
static const struct field resource_spans[] = {{1, MESSAGE, "resource", resource},
	{2, MESSAGES, "scopeSpans", scope_spans}, {3, STRING, "schemaUrl", NULL},
	{0, STRING, NULL, NULL}};
static const struct field resource_logs[] = {{1, MESSAGE, "resource", resource},
	{2, MESSAGES, "scopeLogs", scope_logs}, {3, STRING, "schemaUrl", NULL},
	{0, STRING, NULL, NULL}};
static const struct field traces[] = {
	{1, MESSAGES, "resourceSpans", resource_spans}, {0, STRING, NULL, NULL}};
static const struct field logs[] = {
	{1, MESSAGES, "resourceLogs", resource_logs}, {0, STRING, NULL, NULL}};

/* ---- the wire format: https://protobuf.dev/programming-guides/encoding/ ---- */

enum wire_type { VARINT, EIGHT, BYTES, FOUR = 5 };

struct wire_item { /* a field as it stands in a message */
	unsigned number;
	enum wire_type wire;
	uint64_t value;   /* VARINT, EIGHT, FOUR */
	struct str bytes; /* BYTES */
	bool cut;         /* ... which end early: its message is damaged */
};

static enum wire_type wire_of(enum field_type type)
{
	switch (type) {
	case INTEGER:
	case NUMBER:
	case BOOL:
		return VARINT;
	case FIXED64:
	case DOUBLE:
		return EIGHT;
	case FIXED32:
		return FOUR;
	default:
		return BYTES;
	}
}

static bool take_varint(struct str *rest, uint64_t *value)
{
	*value = 0;
	for (unsigned shift = 0; rest->n && shift < 64; shift += 7) {
		unsigned char byte = (unsigned char)*rest->p;

		*rest = str_skip(*rest, 1);
		*value |= (uint64_t)(byte & 0x7F) << shift;
		if (!(byte & 0x80))
			return true;
	}
	return false;
}

static bool take_fixed(struct str *rest, size_t n, uint64_t *value)
{
	*value = 0;
	if (rest->n < n)
		return false;
	for (size_t i = n; i-- > 0;)
		*value = *value << 8 | (unsigned char)rest->p[i];
	*rest = str_skip(*rest, n);
	return true;
}

/* False: nothing is left, or it is damaged: then `rest` begins where it is. */
static bool take_item(struct str *rest, struct wire_item *item)
{
	struct str at = *rest;
	uint64_t key, n;
	bool ok;

	*item = (struct wire_item){0};
	if (!take_varint(&at, &key) || key >> 3 == 0 || key >> 3 > 0x1FFFFFFF)
		return false;
	item->number = (unsigned)(key >> 3);
	item->wire = key & 7;
	switch (item->wire) {
	case VARINT:
		ok = take_varint(&at, &item->value);
		break;
	case EIGHT:
		ok = take_fixed(&at, 8, &item->value);
		break;
	case FOUR:
		ok = take_fixed(&at, 4, &item->value);
		break;
	case BYTES:
		ok = take_varint(&at, &n);
		item->cut = ok && n > at.n;
		n = item->cut ? at.n : n;
		item->bytes = (struct str){at.p, ok ? (size_t)n : 0};
		at = str_skip(at, item->bytes.n);
		break;
	default:
		ok = false;
	}
	if (ok)
		*rest = at;
	return ok;
}

/* ---- as JSON ---- */

struct proto_writer {
	struct buf *out;
	const char *damage; /* the first place where it is, or NULL */
};

static void write_message(struct proto_writer *w, const struct field *table,
	struct str bytes, unsigned depth);

static void write_value(struct proto_writer *w, const struct field *f,
	const struct wire_item *item, unsigned depth)
{
	double value;

	switch (f->type) {
	case STRING:
		buf_json(w->out, item->bytes);
		break;
	case HEX:
		buf_byte(w->out, '"');
		for (size_t i = 0; i < item->bytes.n; i++)
			buf_printf(w->out, "%02x", (unsigned char)item->bytes.p[i]);
		buf_byte(w->out, '"');
		break;
	case BASE64:
		buf_byte(w->out, '"');
		base64_put(w->out, item->bytes);
		buf_byte(w->out, '"');
		break;
	case INTEGER:
		buf_printf(w->out, "\"%" PRId64 "\"", (int64_t)item->value);
		break;
	case NUMBER:
	case FIXED32:
		buf_printf(w->out, "%" PRIu64, item->value);
		break;
	case BOOL:
		buf_text(w->out, item->value ? "true" : "false");
		break;
	case FIXED64:
		buf_printf(w->out, "\"%" PRIu64 "\"", item->value);
		break;
	case DOUBLE:
		memcpy(&value, &item->value, sizeof(value));
		if (isfinite(value))
			buf_printf(w->out, "%.17g", value);
		else
			buf_text(w->out, isnan(value) ? "\"NaN\""
					 : value > 0  ? "\"Infinity\""
						      : "\"-Infinity\"");
		break;
	case MESSAGE:
	case MESSAGES:
		write_message(w, f->message, item->bytes, depth + 1);
		break;
	}
}

static void note_damage(struct proto_writer *w, const char *at)
{
	if (!w->damage || at < w->damage)
		w->damage = at;
}

static void write_message(struct proto_writer *w, const struct field *table,
	struct str bytes, unsigned depth)
{
	bool more = false;

	buf_byte(w->out, '{');
	/* all items of a field: the last one of a single field counts */
	for (const struct field *f = table; f->number && depth < DEEPEST; f++) {
		bool many = f->type == MESSAGES, any_item = false;
		struct wire_item item, last = {0};
		struct str rest = bytes;

		while (take_item(&rest, &item)) {
			if (item.cut)
				note_damage(w, rest.p);
			if (item.number != f->number || item.wire != wire_of(f->type))
				continue;
			if (any_item ? many : more)
				buf_byte(w->out, ',');
			if (!any_item)
				buf_printf(
					w->out, many ? "\"%s\":[" : "\"%s\":", f->name);
			any_item = true;
			last = item;
			if (many)
				write_value(w, f, &item, depth);
		}
		if (rest.n)
			note_damage(w, rest.p);
		if (any_item && many)
			buf_byte(w->out, ']');
		else if (any_item)
			write_value(w, f, &last, depth);
		more |= any_item;
	}
	buf_byte(w->out, '}');
}

/* ---- what it is ---- */

/* Whether bytes are a message of a table as far as they are at hand: where `cut`, its end
 * may not be.  It is as soon as a sign of it is met. */
static bool fits(const struct field *table, struct str bytes, bool cut, unsigned depth,
	bool *sign)
{
	while (bytes.n && depth < DEEPEST && !*sign) {
		const struct field *f = table;
		struct wire_item item;
		bool whole = take_item(&bytes, &item) && !item.cut;

		if (!whole && (!cut || !item.number))
			return cut;
		while (f->number && f->number != item.number)
			f++;
		if (!f->number || item.wire != wire_of(f->type))
			return false;
		if (!whole && item.wire != BYTES)
			return true;
		if ((f->message &&
				!fits(f->message, item.bytes, item.cut, depth + 1, sign)) ||
			(f->type == STRING &&
				whole && utf8_valid_prefix(item.bytes.p, item.bytes.n) <
						 item.bytes.n))
			return false;
		if (!whole)
			return true;
		/* what only a span, or a record of a log, has in its place */
		*sign |= table == span ? item.number == 1 && item.bytes.n == TRACE_ID
				       : table == log_record && item.wire == EIGHT;
	}
	return true;
}

/* Messages follow each other, each after its length, or stand alone. */
enum framing { ALONE, AFTER_FOUR_BYTES, AFTER_VARINT, FRAMINGS };

/* Takes the next message; false: none is left, or it is not whole. */
static bool take_message(enum framing framing, struct str *rest, struct str *message)
{
	struct str at = *rest;
	uint64_t n = at.n;

	if (!at.n)
		return false;
	if (framing == AFTER_VARINT && !take_varint(&at, &n))
		return false;
	if (framing == AFTER_FOUR_BYTES) {
		if (at.n < 4)
			return false;
		n = (uint64_t)(unsigned char)at.p[0] << 24 |
		    (uint64_t)(unsigned char)at.p[1] << 16 |
		    (uint64_t)(unsigned char)at.p[2] << 8 | (unsigned char)at.p[3];
		at = str_skip(at, 4);
	}
	*message = (struct str){at.p, n < at.n ? (size_t)n : at.n};
	if (n > at.n)
		return false;
	*rest = (struct str){at.p + n, at.n - (size_t)n};
	return true;
}

/* The table of what the bytes are; NULL: of nothing, or, if `open`, too few to tell. */
static const struct field *kind_of(struct str head, enum framing *framing, bool *open)
{
	static const struct field *const kinds[] = {traces, logs};

	*open = false;
	for (*framing = ALONE; *framing < FRAMINGS; ++*framing)
		for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
			struct str rest = head, message = {head.p, 0};
			bool sign = false;

			(void)take_message(*framing, &rest, &message);
			if (!fits(kinds[i], message, true, 0, &sign))
				continue;
			if (sign)
				return kinds[i];
			*open |= message.n > 0;
		}
	return NULL;
}

enum likeness protobuf_recognize(struct str head)
{
	enum framing framing;
	bool open;

	if (kind_of(head, &framing, &open))
		return LIKE_SURELY;
	return open && head.n < RECORDED_HEAD ? LIKE_MAYBE : LIKE_NONE;
}

size_t protobuf_write(struct str bytes, struct buf *out)
{
	struct proto_writer w = {.out = out};
	struct str head = {bytes.p, bytes.n < RECORDED_HEAD ? bytes.n : RECORDED_HEAD};
	struct str rest = bytes, message = {bytes.p, 0};
	enum framing framing;
	bool open;
	const struct field *table = kind_of(head, &framing, &open);

	while (table && take_message(framing, &rest, &message)) {
		write_message(&w, table, message, 0);
		buf_byte(out, '\n');
		message.n = 0;
	}
	if (table && message.n) { /* the last one is cut off */
		write_message(&w, table, message, 0);
		buf_byte(out, '\n');
	}
	if (rest.n)
		note_damage(&w, rest.p);
	return w.damage ? (size_t)(w.damage - bytes.p) : SIZE_MAX;
}
