/*
 * Sessions as rows of a table, for any width: whether one is being written, when it was,
 * what wrote it, what it is about, where, and its figures.  Columns that have nothing to
 * say, or no room, are left out.
 */
#ifndef CATENA_VIEW_SESSION_ROWS_H
#define CATENA_VIEW_SESSION_ROWS_H

#include "sessions/summary.h"
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
 * True: it says another time a second later. */
bool session_put_state(
	const struct session *s, double now, uint32_t most, struct buf *out);

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

/*
 * ---- usage ----
 *
 * What sessions took and cost (analysis/usage), by day, week, month, session, model,
 * project or tool, as a table.  What stands in several sessions counts once.
 */

enum usage_by {
	USAGE_DAYS,
	USAGE_WEEKS,
	USAGE_MONTHS,
	USAGE_SESSIONS,
	USAGE_MODELS,
	USAGE_PROJECTS,
	USAGE_TOOLS,
	USAGE_GROUPS
};

extern const struct usage_group {
	const char *word, *key; /* of a command: "daily"; of JSON and the table: "day" */
	const char *missing;    /* "no date" is a row of its own */
} usage_groups[USAGE_GROUPS];

enum usage_column {
	USAGE_COUNT,
	USAGE_REQUESTS,
	USAGE_FRESH,
	USAGE_CACHE_READ,
	USAGE_CACHE_WRITE,
	USAGE_OUTPUT,
	USAGE_ERRORS,
	USAGE_COST,
	USAGE_BAR,
	USAGE_COLUMNS
};

struct usage_row {
	struct str label;              /* unsafe text; of a session its path */
	const struct session *session; /* by session; or NULL */
	uint64_t sessions;
	bool known; /* what its items have in common; else they say nothing of it */
	struct usage_sum sum;
	uint32_t source; /* private: the last one that was added */
};

/* Days and months come in order, other rows by cost. */
struct usage_report {
	enum usage_by by;    /* set these three before it is made */
	double since, until; /* seconds since 1970; NaN: no limit */
	struct usage_row *rows, all;
	size_t count, cap;
	struct intern unpriced; /* models without a price; "": none is named */
	/* private */
	struct usage usage;
	const struct session **sources; /* by age */
	struct intern labels;
};

/* Of the sessions that pass the filter of the list, which must stay as long as the
 * report; in place of what there was.  Sorts all requests. */
void usage_report_make(struct usage_report *r, const struct sessions *s);
void usage_report_done(struct usage_report *r);

struct usage_layout {
	uint32_t label; /* cells */
	bool shown[USAGE_COLUMNS];
	double most; /* of what bars are of */
};

/* Columns that have no room are left out; WRAP_NEVER: all have. */
struct usage_layout usage_table_lay_out(const struct usage_report *r, uint32_t width);
/* As the only line of `out`. */
void usage_table_titles(
	const struct usage_report *r, const struct usage_layout *l, struct lines *out);
void usage_table_row(const struct usage_report *r, const struct usage_row *row,
	const struct usage_layout *l, struct lines *out);
/* What the figures rest on: up to two lines of safe text.  `date` is of the prices;
 * empty: a person gave them. */
void usage_table_notes(const struct usage_report *r, struct str date, struct buf *out);

#endif
