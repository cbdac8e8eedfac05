/*
 * What a tool's result may hold payloads in: an object with a member `payload`, which is
 * {"type", "data"}; such an object as JSON in a string; or a list of either or of items
 * with a text.
 */
#ifndef CATENA_PAYLOAD_CONTENT_H
#define CATENA_PAYLOAD_CONTENT_H

#include "base/arena.h"
#include "json/cursor.h"

struct content_walk {
	struct jv at;    /* a piece of the content, where it stands */
	struct jv value; /* `at`, its string opened (in the arena) */
	/* private */
	struct jv content;
	struct jwalk items;
	struct arena *arena;
	bool ended;
};

void content_begin(struct content_walk *w, struct jv content, struct arena *arena);
bool content_next(struct content_walk *w);

/* The member `payload` of such a value when it has a type and data, else J_NONE. */
struct jv content_payload(struct jv value);

#endif
