/*
 * The sessions and traces of this machine, or of some folders, as a list that fills by
 * itself: first the files are found, then those that somebody looks at are read, then the
 * others.  All of it in slices; a later look finds what is new, has grown, or is gone.
 *
 * Rows are the sessions that pass the filter, in an order: the newest first, or by a
 * column.  A session that turns out to be no trace has no row.  Sub-agents that another
 * session shows stand below it when it is opened; and where sessions are grouped, those
 * of a folder below a row of its own, which has their sums.
 */
#ifndef CATENA_SESSIONS_SESSIONS_H
#define CATENA_SESSIONS_SESSIONS_H

#include "analysis/usage.h"
#include "query/filter.h"
#include "sessions/summary.h"

#define SESSIONS_MOST 100000 /* files */
#define SESSIONS_LIVE 120    /* seconds since it was written: it still is */

/* What a search through the texts of all sessions found in one. */
struct session_hits {
	uint64_t hits;
	bool more;        /* there may be more */
	size_t steps;     /* with hits */
	uint64_t address; /* of the newest step with hits: io/inputs.h */
	struct str line;  /* unsafe text around its first hit, on one line; or empty */
	size_t from, to;  /* bytes of it that are the hit */
};

struct session {
	char *path;     /* of a file, or FILE/ID: of a session in a database */
	double at;      /* when it was written last; NaN: not looked at yet */
	double written; /* seconds since 1970 */
	uint64_t size;
	struct str tool; /* the program that wrote it; empty: not known */
	bool glanced;    /* title, tool and folder are known as its beginning has them */
	bool read;       /* what follows is known */
	bool unreadable; /* it is no trace */
	bool part;       /* another session shows it below a call of its own */
	size_t parts;    /* how many sessions it shows so */
	size_t members;  /* of a group: its sessions; 0: it is none */
	bool folded;     /* what belongs below it, parts or members, has no rows */
	uint32_t depth;  /* of its row: 1 below a session or a group, 2 below both */
	bool named;      /* it is not where a program keeps its sessions */
	const char *format;
	struct session_hits found; /* of sessions_search; the line is its own */
	struct totals totals;
	struct usage usage;     /* what its requests took, in order; source 0 */
	struct usage_sum spent; /* all of it */
	double context, window; /* see sessions/summary.h */
	size_t chains;
	double start;      /* NaN: not known */
	struct str id;     /* of its first trace; empty: it has none */
	struct str title;  /* empty: it has none */
	struct str folder; /* working directory; empty: not known */
	enum session_phase state;
	struct str doing;     /* STATE_RUNNING: the call; or empty */
	double since;         /* see sessions/summary.h */
	struct session_file { /* private */
		uint64_t key, size;
		double written;  /* ... when it was read */
		uint64_t parent; /* key of the session that shows it, or 0 */
		bool seen, found, gone;
		bool searched;    /* since sessions_search */
		bool in_database; /* its path is FILE/ID, see io/database.h */
		bool undated;     /* ... which does not say when it was written */
	} file;
};

struct sessions;

struct sessions_options {
	const char *const *folders; /* only what is in them; none: this machine's */
	size_t count;
	const struct format *from; /* --from, or NULL */
	bool remembered;           /* also what was opened before */
	bool cached; /* what was read is kept for the next time; not with `from`, nor
			with prices of the person's own */
	struct prices *prices; /* borrowed; NULL: the built-in ones */
};

struct sessions *sessions_new(const struct sessions_options *o);
void sessions_free(struct sessions *s);

/* Works until the deadline of base/work.  TASK_IDLE: nothing is to be done until
 * sessions_look. */
enum task_state sessions_run(struct sessions *s, uint64_t deadline);
/* All files are found and have their rows, in order; what is in them may not be known. */
bool sessions_are_found(const struct sessions *s);
/* Begins to look for files again, unless it does already. */
void sessions_look(struct sessions *s);
/* Asks once more what was opened before: reads some hundred small files in one piece. */
void sessions_remember(struct sessions *s);
/* Milliseconds after which another look is worth its cost. */
unsigned sessions_pause(const struct sessions *s);
/* The rows on the screen: they are read first. */
void sessions_show(struct sessions *s, size_t first, size_t count);

/* When the prices were made with which costs are estimated; empty: not known. */
struct str sessions_prices_date(const struct sessions *s);

/* A session that has come to wait for the person since this was asked last; NULL: none.
 */
const struct session *sessions_answered(struct sessions *s);

/* ---- rows ---- */

size_t sessions_count(const struct sessions *s);
const struct session *sessions_at(const struct sessions *s, size_t row);
/* The sessions that pass the filter, whatever is folded, without groups and parts. */
size_t sessions_passing(const struct sessions *s);
const struct session *sessions_passing_at(const struct sessions *s, size_t i);
/* The row of a path; SIZE_MAX: it has none.  Linear. */
size_t sessions_find(const struct sessions *s, const char *path);
/* Raised when rows are other sessions, or what is known of one has changed. */
uint32_t sessions_changes(const struct sessions *s);
/* Raised when rows are other sessions. */
uint32_t sessions_orders(const struct sessions *s);

/*
 * Begins a search through their texts, which the caller does: only sessions with hits
 * have a row, and those that pass the words, if they are a filter.  Empty words end it. A
 * session that is written again is to be searched again.  `narrower`: what has no hit so
 * far has none.
 */
void sessions_search(struct sessions *s, struct str words, bool narrower);
bool sessions_searching(const struct sessions *s);
/* The next one to be searched, the newest first; NULL: none is left, for now.  First one
 * hit is looked for in all of them; then, *whole, all hits are counted, on the screen
 * first. */
const struct session *sessions_unsearched(struct sessions *s, bool *whole);
/* What was found in the one that was given last; `whole`: it was searched to its end. */
void sessions_found(struct sessions *s, const struct session_hits *found, bool whole);
/* How many of those that may have a row are searched for a hit, and how many there are.
 */
size_t sessions_searched(const struct sessions *s, size_t *all);

/* Whether sessions of a folder stand together; the group of the first one first. */
void sessions_group(struct sessions *s, bool on);
bool sessions_grouped(const struct sessions *s);
/* Folds what stands below a row, or unfolds it; false: nothing belongs there. */
bool sessions_fold(struct sessions *s, size_t row);
/* Folds all groups, or, where all are, unfolds them. */
void sessions_fold_all(struct sessions *s);

/* What sessions are sorted by; SORT_FILE, SORT_TIME and SORT_CACHE: by `at`; SORT_MODEL: by
 * tool. */
enum sort_column {
	SORT_FILE,
	SORT_NAME,
	SORT_MODEL,
	SORT_COST,
	SORT_TIME,
	SORT_TOKENS,
	SORT_CACHE,
	SORT_SIZE,
	SORT_COLUMNS
};

extern const char *const sort_names[SORT_COLUMNS];

void sessions_sort(struct sessions *s, enum sort_column column, bool down);
enum sort_column sessions_sorted(const struct sessions *s, bool *down);
/* Only sessions that pass have a row; a blank text: all.  False with
 * err: it is no filter, and nothing changes. */
bool sessions_filter(struct sessions *s, struct str text, struct err *err);
struct str sessions_filtered(const struct sessions *s);

/* ---- all of them ---- */

struct sessions_state {
	size_t all, read,
		failed;         /* sessions, but for parts; failed: that are no traces */
	bool looking;           /* files are being looked for */
	struct totals totals;   /* of those that are read and pass the filter, */
	struct usage_sum spent; /* ... and what all of their requests took */
	uint64_t hits;          /* of a search, in those that pass */
};
struct sessions_state sessions_state(const struct sessions *s);
/* How many files and folders could not be read, and the first of them: NULL when none. */
const struct err *sessions_problem(const struct sessions *s, size_t *count);
/* What a session is called, unsafe text: its title, else its file; a file that a person
 * named is called by that name, and one of several chains as well. */
struct str session_name(const struct session *s);
/* Appends what is to be said beside that: "12 chains", or the title; unsafe text. */
void session_more(const struct session *s, struct buf *out);
/* By which a file is known whatever it is called; 0: it is not there. */
uint64_t session_key(const char *path);
/* Whether it is written just now: `now` in seconds since 1970. */
bool session_is_live(const struct session *s, double now);
/* Appends a line for each program: its name and where its sessions would be; or the
 * folders that are listed.  For when there are none. */
void sessions_put_places(const struct sessions *s, struct buf *out);

/* ---- its fields for the filter language (query/filter.h) ---- */

extern const struct filter_table filter_sessions;

/* Appends the values of a text field, each on a line, as safe text; false: each session
 * has another, or it has none. */
bool session_put_values(const struct session *s, unsigned field, struct buf *out);
/* `now` in seconds since 1970.  Linear in the texts that are asked for. */
bool session_passes(const struct session *s, const struct filter *f, double now);

/* ---- going on with one ---- */

/*
 * Appends the command by which an agent goes on with a session, the `resume` of a format
 * (its name, or NULL) for a session: "cd 'FOLDER' && claude
 * --resume 'ID'"; without a folder only what stands after "&&".  `{trace}` in it is the
 * session's id, `{uuid}` the UUID at the end of its file's name, `{file}` its path.  Each
 * text of the session is one quoted word of a shell. False, with nothing appended: the
 * format has none, what it needs is not there, or a text has control characters, which a
 * terminal might obey when it is pasted.
 */
bool resume_put(const char *format, struct str id, struct str path, struct str folder,
	struct buf *out);

#endif
