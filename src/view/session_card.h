/*
 * A session in a few rows of facts: what was asked, what was done and how it ended, what
 * it took.  Of a session in the list, and of a trace that is open.
 */
#ifndef CATENA_VIEW_SESSION_CARD_H
#define CATENA_VIEW_SESSION_CARD_H

#include "sessions/preview.h"
#include "sessions/sessions.h"
#include "text/line.h"

struct session_card {
	struct str tool, model, folder; /* unsafe text; empty: not known */
	bool models;                    /* there are others, too */
	bool titled;          /* all of that stands in a title, and has no row */
	struct totals totals; /* `steps` 0: not known */
	struct usage_sum spent;
	double window; /* tokens that fit into the model's context; NaN: not known */
	const struct session_preview *read; /* NULL: nothing is read yet */
};

/* It borrows both; the preview may be NULL. */
struct session_card session_card_of(
	const struct session *s, const struct session_preview *read);

/* In place of what the lines had: at most so many. */
void session_card_lay_out(
	const struct session_card *c, uint32_t width, size_t rows, struct lines *out);

/* "Claude Code · ~/tally · main": safe text, nothing where nothing is known. */
void session_card_origin(const struct session_card *c, struct buf *safe);

#endif
