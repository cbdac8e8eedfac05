/*
 * Where the context goes: for each step of a chain, how much of what the model was sent
 * is system prompt, definitions of tools, what was said, calls, results.
 *
 * - A step that records its request is sent its input, with the definitions.
 * - A turn of a session log (Claude Code, Codex) records only what is new.  It is sent
 *   all that the steps before it in its thread said and were said, and its own input; a
 *   compaction (a rule with `resets` of its format) begins anew.  Threads are told apart
 *   by the fact `thread`.  What the program sends and does not log is estimated
 *  .  Thoughts of earlier turns count as they are logged.
 *   What replaced a history counts only so far as it is shown.
 * - A request that names the response before it instead of repeating it is known by its
 *   own input alone; its tokens are right.
 *
 * Sizes are bytes of decoded text, of other JSON as it is written.  Tokens are those that
 * the step itself says, never a sum of steps below it.
 *
 * Each step is opened, in slices; those that are looked at come first where they can be
 * known alone.  Kept are about 60 bytes for each step, and 28 for each different item of
 * steps that record their request, to know where it came in.
 */
#ifndef CATENA_ANALYSIS_CONTEXT_H
#define CATENA_ANALYSIS_CONTEXT_H

#include "analysis/context_items.h"
#include "base/map.h"
#include "base/task.h"
#include "trace/trace.h"

/* ---- the shares of what a step was sent ---- */

/*
 * What the parts of a context take: bytes as they are, or tokens.  A trace says how many
 * tokens went in, not for what: they are split by the bytes, an image by what it weighs
 * (analysis/context_items.h).
 *
 * Session logs leave out what the program sends each time: the system prompt, definitions
 * of tools.  Over the steps of a thread the recorded bytes grow and this does not, so it
 * is what a line through both figures has at no bytes.
 */

struct context_sizes {
	uint64_t bytes[CONTEXT_RECORDED];
	uint64_t media_weight; /* bytes that count for tokens, in place of those of MEDIA
				*/
};

void context_sizes_add(struct context_sizes *sum, const struct context_sizes *more);
uint64_t context_sizes_bytes(const struct context_sizes *s);
uint64_t context_sizes_weight(const struct context_sizes *s);

/* Splits tokens, of which so many are not recorded; where nothing is, all are not.  Of
 * NaN the bytes themselves. */
void context_split(const struct context_sizes *s, double tokens, double unrecorded,
	double out[CONTEXT_KINDS]);

/* The line through weights and tokens of the steps of a thread. */
struct context_fit { /* all zero bits: of no step */
	double n, x, y, xx, xy;
	double least; /* tokens of a step */
	double apart; /* the least by which tokens exceed what the bytes can be */
	bool defined; /* definitions are recorded: so is all */
};

void context_fit_add(struct context_fit *f, double weight, double tokens);
/* Tokens of each step that are not recorded, from 0 to the least of a step. */
double context_fit_unrecorded(const struct context_fit *f);
/* The tokens of a step that does not say them; NaN: no other step does. */
double context_fit_guess(const struct context_fit *f, double weight);

/*
 * Divides `cells` among parts, by their shares, to whole cells that add up: the largest
 * remainders are rounded up.
 */
void context_cells(
	const double part[CONTEXT_KINDS], uint32_t cells, uint32_t out[CONTEXT_KINDS]);

/* ---- the steps ---- */

#define NO_ROW UINT32_MAX

/* A step, by its place in the chain. */
struct context_row {
	uint32_t bytes[CONTEXT_RECORDED], media_weight; /* at most 4 GB */
	uint32_t step;
	uint32_t thread;      /* number in `threads` */
	uint32_t before;      /* row of the step before in its thread, or NO_ROW */
	float tokens; /* NaN: unknown */
	bool known;   /* it was opened */
	bool turn;
	bool resets; /* what was before in its thread is not sent */
};

/* Steps with one history, or of one agent: their figures compare. */
struct context_thread {
	struct context_sizes said; /* of turns: all so far */
	uint32_t last;             /* row, or NO_ROW */
	struct context_fit fit;
};

struct context {
	struct trace *trace;
	uint32_t chain;
	struct context_row *rows;
	size_t count, cap; /* of the chain's steps; `count` are there */
	size_t at; /* rows before this one are known, and linked to those before */
	struct context_thread *threads;
	size_t thread_count, thread_cap;
	bool says_tokens; /* some step does */
	double most_bytes, most_tokens;
	bool has[CONTEXT_RECORDED]; /* some step has it */
	/* private */
	struct idmap thread_ids;
	struct idmap items; /* hash of an item → its place in `firsts` */
	uint32_t *firsts;   /* row where it came in first, so far */
	size_t first_count, first_cap;
	double guessed_weight; /* the most of a step that says no tokens */
	struct context_fit all;
	size_t from, end;                /* rows that are looked at */
	uint32_t generation, arrangement;
	struct context_thread undo; /* of the last row's thread, before it */
	bool undoable;
	uint64_t last_length; /* of its step, when it was read */
};

/* Shows nothing yet.  Borrows the trace, which is arranged and has its totals. */
void context_begin(struct context *c, struct trace *trace, uint32_t chain);
void context_done(struct context *c);
/* To be called when the trace may have grown; what is known of its steps stays.  False:
 * the chain's steps are others, begin again. */
bool context_update(struct context *c);
/* Rows [from, end) are wanted first. */
void context_look(struct context *c, size_t from, size_t end);
/* Works until the deadline of base/clock; a key stops the work on a long step. */
enum task_state context_run(struct context *c, uint64_t deadline);
bool context_is_ready(const struct context *c);

/* What a row shows. */
struct context_parts {
	double part[CONTEXT_KINDS];
	double total; /* of all parts */
	bool tokens;  /* ... not bytes */
	bool guessed; /* the total is estimated: the step does not say its tokens */
};

/* False while the row is not known.  In tokens if those are wanted and some step of the
 * chain says them. */
bool context_row_parts(
	const struct context *c, size_t row, bool tokens, struct context_parts *out);
/* By how much the total is more than that of the step before in the thread; NaN: there is
 * none, or it is not known. */
double context_row_growth(const struct context *c, size_t row, bool tokens);
/* The most of a row so far. */
double context_most(const struct context *c, bool tokens);
/* The row where an item came in first, of a step that records its request; NO_ROW: not
 * known, or not yet. */
uint32_t context_first_row(const struct context *c, uint64_t hash);

/* The bytes of an item, and a hash that is equal for items that say the same; it stays
 * within the process.  Where the work is to stop (base/stop.h) it ends early. */
struct context_measure {
	uint64_t bytes, hash;
};
struct context_measure context_measure(const struct context_item *item);

/*
 * The largest items of what one step was sent.  Of a turn of a session log they stand in
 * the steps before it, too: those are opened again.
 */

#define CONTEXT_LARGEST 500 /* items that are kept */

struct context_big {
	enum context_kind kind;
	bool input; /* where it stands: the side of the step of a row, */
	uint32_t row;
	size_t message, part; /* and there, as context_item has them */
	uint64_t bytes, weight, hash;
	struct str name; /* of the tool, or its call in few words; unsafe text */
	struct str line; /* how it begins, without line ends; unsafe text */
};

struct context_largest {
	struct context_big *items; /* the largest first */
	size_t count;
	size_t others; /* items that are not kept, and what they take: */
	uint64_t other_bytes, other_weight;
	size_t row;    /* of which all this is */
	bool by_bytes; /* sizes are bytes; else what counts for tokens */
	/* private */
	struct context *context;
	uint32_t *rows; /* that are read, the last first */
	size_t left, row_cap;
	struct context_names names;
	struct arena texts;
};

/* Borrows the context; the row is known in it. */
struct context_largest *context_largest_new(struct context *c, size_t row, bool by_bytes);
void context_largest_free(struct context_largest *l);
/* Works until the deadline; what is there in between is the largest so far. */
enum task_state context_largest_run(struct context_largest *l, uint64_t deadline);

#endif
