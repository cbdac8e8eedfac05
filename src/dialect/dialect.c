/* The table of dialects and how one is chosen: see dialect.h. */
#include "config.h"
#include "dialect/dialect.h"

#include "chat/side.h"
#include "dialect/body.h"

/*
 * Of those that could take a value for theirs the more specific stands first.  Anthropic
 * and OpenAI take any list of messages with a role and a content: they come after all
 * whose messages have signs of their own.
 */
const struct dialect *const dialects[] = {
	/* These bear signs of their own, beside which their messages look like OpenAI's.
	 */
	&dialect_agui,
	&dialect_langchain,
	&dialect_vercel,
	&dialect_genai,
	&dialect_responses,
	&dialect_gemini,
	&dialect_bedrock,
	&dialect_anthropic,
	&dialect_openai,
	/* No other dialect has attributes of spans. */
	&dialect_openinference,
	&dialect_openllmetry,
	NULL,
};

const struct dialect *dialect_named(struct str name)
{
	for (size_t i = 0; dialects[i]; i++)
		if (str_equal(name, str_of(dialects[i]->name)))
			return dialects[i];
	return NULL;
}

/* What a string holds: JSON, or the events of a stream. */
static struct jv open_string(struct talk *t, struct jv value)
{
	struct jv events;

	if (value.kind != J_STRING)
		return value;
	value = side_open_string(value, t->arena);
	if (value.kind != J_STRING)
		return value;
	events = streamed_events(value, t->arena);
	return events.kind == J_NONE ? value : events;
}

/* A list of {"text": …} is a list of parts only where the dialect is known. */
static bool is_vague(struct jv value)
{
	if (value.kind != J_ARRAY)
		return false;
	JV_EACH(item, value)
		if (block_customs(item) != (BLOCK_GEMINI | BLOCK_BEDROCK))
			return false;
	return true;
}

static bool read_as(
	struct talk *t, const struct dialect *dialect, struct jv value, enum prefer side)
{
	t->start = t->count;
	if (!dialect->read(t, value, side))
		return false;
	t->by = dialect;
	return true;
}

bool dialect_read(
	struct talk *t, const struct dialect *dialect, struct jv value, enum prefer side)
{
	value = open_string(t, value);
	t->named = dialect != NULL;
	if (dialect)
		return read_as(t, dialect, value, side);
	if (is_vague(value))
		return false;
	for (size_t i = 0; dialects[i]; i++)
		if (read_as(t, dialects[i], value, side))
			return true;
	return false;
}
