/* A comparison as one line of JSON: see diff.h. */
#include "config.h"
#include "cmd/diff.h"

#include "json/json.h"

static void write_value(struct buf *out, struct jv v)
{
	if (v.kind == J_NONE)
		buf_text(out, "null");
	else
		json_write_raw(out, (struct str){v.p, v.n});
}

static void write_step(struct buf *out, const struct compared *side)
{
	buf_byte(out, '{');
	if (side->file.n) {
		buf_text(out, "\"file\":");
		json_write_string(out, side->file);
		buf_byte(out, ',');
	}
	buf_printf(out, "\"step\":%zu,\"title\":", side->number);
	json_write_string(out, side->title);
	buf_text(out, ",\"input_tokens\":");
	json_write_number(out, side->figures.input_tokens);
	buf_text(out, ",\"output_tokens\":");
	json_write_number(out, side->figures.output_tokens);
	buf_text(out, ",\"cost_usd\":");
	json_write_number(out, side->figures.cost);
	buf_text(out, ",\"latency_s\":");
	json_write_seconds(out, side->figures.latency);
	buf_byte(out, '}');
}

static void write_settings(struct buf *out, const struct settings_delta *s)
{
	static const char *const groups[] = {
		[SETTING_PARAMETER] = "parameter",
		[SETTING_TOOL] = "tool",
		[SETTING_SCHEMA] = "schema",
	};

	for (size_t i = 0; i < s->count; i++) {
		const struct setting_change *c = &s->items[i];

		buf_printf(out, "%s{\"kind\":\"%s\",\"name\":", i ? "," : "",
			groups[c->group]);
		json_write_string(out, c->name);
		buf_text(out, ",\"was\":");
		write_value(out, c->was);
		buf_text(out, ",\"is\":");
		write_value(out, c->is);
		buf_byte(out, '}');
	}
}

static void write_message(struct buf *out, const char *name,
	const struct message_list *talk, size_t message)
{
	if (message == NO_MESSAGE)
		return;
	buf_printf(out, ",\"%s\":{\"message\":%zu,\"value\":", name, message + 1);
	write_value(out, talk->items[message].value);
	buf_byte(out, '}');
}

/* Writes the messages that differ. */
static void write_messages(
	struct buf *out, const struct comparison *c, int side, bool *any)
{
	static const char *const fates[] = {
		[MESSAGE_CHANGED] = "changed",
		[MESSAGE_MOVED] = "moved",
		[MESSAGE_REMOVED] = "removed",
		[MESSAGE_ADDED] = "added",
	};
	const struct message_pairs *p = &c->pairs[side];

	for (size_t i = 0; i < p->count; i++) {
		const struct message_pair *pair = &p->items[i];

		if (pair->fate == MESSAGE_SAME)
			continue;
		buf_printf(out, "%s{\"side\":\"%s\",\"fate\":\"%s\"", *any ? "," : "",
			side ? "output" : "input", fates[pair->fate]);
		write_message(out, "was", &c->was.messages[side], pair->was);
		write_message(out, "is", &c->is.messages[side], pair->is);
		buf_byte(out, '}');
		*any = true;
	}
}

void diff_write_json(struct buf *out, const struct comparison *c)
{
	bool any = false;

	buf_text(out, "{\"was\":");
	write_step(out, &c->was);
	buf_text(out, ",\"is\":");
	write_step(out, &c->is);
	buf_text(out, ",\"settings\":[");
	write_settings(out, &c->settings);
	buf_text(out, "],\"messages\":[");
	write_messages(out, c, 0, &any);
	write_messages(out, c, 1, &any);
	buf_text(out, "]}\n");
}

void diff_write_unmatched(struct buf *out, size_t number, struct str title, bool added)
{
	buf_printf(out,
		"{\"%s\":null,\"%s\":{\"step\":%zu,\"title\":", added ? "was" : "is",
		added ? "is" : "was", number);
	json_write_string(out, title);
	buf_text(out, "}}\n");
}
