/* The table of dialects, and the door to them: see dialect.h. */
#include "config.h"
#include "chat/dialect.h"

#include "chat/side.h"
#include "chat/streamed.h"

/* Of those that could take a value for theirs the more specific stands first. */
const struct dialect *const dialects[] = {
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
	unsigned opened;

	if (value.kind != J_STRING)
		return value;
	value = side_open_string(value, &opened, t->arena);
	if (value.kind != J_STRING)
		return value;
	events = streamed_events(value, t->arena);
	return events.kind == J_NONE ? value : events;
}

bool dialect_read(
	struct talk *t, const struct dialect *dialect, struct jv value, enum prefer side)
{
	value = open_string(t, value);
	if (dialect)
		return dialect->read(t, value, side);
	for (size_t i = 0; dialects[i]; i++)
		if (dialects[i]->read(t, value, side))
			return true;
	return false;
}
