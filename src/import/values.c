/* What is no chain of events: lines of values, conversations, and any other JSON. */
#include "config.h"
#include "import/format.h"

/* Its values are judged one by one; the file is this when it has more than one. */
const struct format format_json_lines = {
	.name = "json-lines",
	.recognized_by = "several values, each beginning on a line of its own",
	.steps = "each value, by the other formats",
};

static bool recognize_chat(const struct shape *s)
{
	return (s->kind == J_OBJECT || s->kind == J_ARRAY) && s->has_chat(s->ctx);
}

const struct format format_chat_value = {
	.name = "chat-value",
	.recognized_by = "a value in which the chat extractor finds messages",
	.steps = "the value, on both sides",
	.recognize = recognize_chat,
	.carrier = carrier_value,
};

const struct format format_json = {
	.name = "json",
	.recognized_by = "any other JSON",
	.steps = "the value, as a tree",
	.carrier = carrier_value,
};
