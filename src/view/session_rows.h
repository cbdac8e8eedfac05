/*
 * Sessions as rows of a table, for any width: whether one is being written, when it was,
 * what wrote it, what it is about, where, and its figures.  Columns that have nothing to
 * say, or no room, are left out.
 */
#ifndef CATENA_VIEW_SESSION_ROWS_H
#define CATENA_VIEW_SESSION_ROWS_H

#include "sessions/preview.h"
#include "sessions/sessions.h"
#include "text/line.h"
#include "text/wrap.h"
#include "view/report.h"

enum session_column {
	SESSION_WHEN,
	SESSION_TOOL,
	SESSION_TITLE,
	SESSION_FOLDER,
	SESSION_STEPS,
	SESSION_TOKENS,
	SESSION_COST,
	SESSION_ERRORS,
	SESSION_COLUMNS
};

/* The columns without those of figures, one bit each. */
#define SESSION_NAMES ((1u << SESSION_STEPS) - 1)

struct session_layout {
	uint32_t width[SESSION_COLUMNS]; /* cells; 0: left out */
};

/* Which columns some row has something for, one bit each.  Linear in the rows. */
unsigned session_rows_known(const struct sessions *s);
struct session_layout session_rows_lay_out(unsigned known, uint32_t width);

/* As the only line of `out`.  `now` and times are in seconds since 1970, shown in local
 * time. */
void session_rows_titles(const struct session_layout *l, enum sort_column sorted,
	bool down, struct lines *out);
void session_rows_line(const struct session_layout *l, const struct session *s,
	double now, struct lines *out);

/* All rows as text, with their files at the end where `width` is WRAP_NEVER. */
void session_rows_print(
	struct report *r, const struct sessions *s, uint32_t width, double now);

/* Appends what goes on in a session, in about `most` cells of safe text: "running pytest
 * -q 12s", "thinking 3s", "waiting for you", "done"; nothing when that is not known.
 * `ticks`: it says another time a second later. */
void session_put_state(
	const struct session *s, double now, uint32_t most, struct buf *out, bool *ticks);

/* "14:05" today, "yesterday", "Thu 14:05" in the last days, "Nov 12", "2025-11-12". */
void session_when(double at, double now, struct buf *out);

/*
 * A session in a few rows of facts: what was asked, what was done and how it ended, what
 * it took.  Of a session in the list, and of a trace that is open.
 */
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
