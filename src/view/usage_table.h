/*
 * What sessions took and cost (analysis/usage), by day, week, month, session, model,
 * project or tool, as a table.  What stands in several sessions counts once.
 */
#ifndef CATENA_VIEW_USAGE_TABLE_H
#define CATENA_VIEW_USAGE_TABLE_H

#include "sessions/sessions.h"
#include "text/line.h"

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
