/*
 * What the bodies of providers say of themselves: model, tokens, cost, why it stopped, an
 * error.  Where a format says that a value is such a body, these are its facts, whichever
 * provider wrote it.  Private to import/.
 */
#ifndef CATENA_IMPORT_BODIES_H
#define CATENA_IMPORT_BODIES_H

#include "import/fields.h"

struct body_fact {
	enum fact fact;
	const char
		*place; /* a path in the body, and perhaps a unit; or NULL at the end */
};

/* In order of preference.  In an array of the events of a stream they are those of its
 * items; the last that has one counts. */
extern const struct body_fact request_facts[], response_facts[];

#endif
