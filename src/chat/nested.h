/*
 * JSON in a string, opened in slices: decoded and judged some bytes at a time, each layer
 * of up to three.  side_open_string (chat/side.h) says what is opened and does it at
 * once.
 */
#ifndef CATENA_CHAT_NESTED_H
#define CATENA_CHAT_NESTED_H

#include "base/arena.h"
#include "base/task.h"
#include "json/check.h"
#include "json/cursor.h"
#include "json/extents.h"

struct nested {
	struct jv value;  /* as it was given; what is opened stands in it */
	struct jv inner;  /* how far it is opened */
	struct str outer; /* its text, decoded, if that had to be done; else .p NULL */
	unsigned layers;  /* opened so far */
	unsigned opened;  /* in all, once it is over; 0: it holds no container */
	bool over;
	bool noting; /* where the large values of the JSON end is worth knowing */
	/* private */
	struct arena *arena; /* for what is decoded */
	struct buf text;     /* of the layer that is being decoded */
	size_t at;           /* how far it is */
	struct str decoded;  /* of the layer that is judged */
	struct json_judge *judge;
	struct json_report report;
	struct extents *extents;
};

/* Borrows the value's text and the arena. */
void nested_begin(struct nested *n, struct jv value, bool noting, struct arena *arena);
void nested_done(struct nested *n); /* at any time */
/* About so many bytes more. */
enum task_state nested_run(struct nested *n, size_t bytes);
/* The container, or the value as it was given; once it is over. */
struct jv nested_value(const struct nested *n);
/* Where its large values end: for who walks the value; free it when that is over.  Or
 * NULL. */
struct extents *nested_take_extents(struct nested *n);

#endif
