/*
 * Where the context goes: for each step of a chain, how much of what the model was sent
 * is system prompt, definitions of tools, what was said, calls, results.
 *
 * - A step that records its request is sent its input, with the definitions.
 * - A turn of a session log (Claude Code, Codex) records only what is new.  It is sent
 *   all that the steps before it in its thread said and were said, and its own input; a
 *   compaction (a rule with `resets` of its format) begins anew.  Threads are told apart
 *   by the fact `thread`.  What the program sends and does not log is estimated.
 *   Thoughts of earlier turns count as they are logged.  What replaced a history counts
 *   only so far as it is shown.
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

#include "base/map.h"
#include "base/work.h"
#include "chat/parts.h"
#include "import/open.h"
#include "trace/trace.h"

/*
 * What a step was sent and what it answered, item by item: definitions of tools, texts,
 * calls, results, thoughts, images.  An item is what a person would name: "the result of
 * read_file"; an image in a result is an item of its own.
 */
enum context_kind {
	CONTEXT_SYSTEM,
	CONTEXT_TOOLS, /* definitions of tools */
	CONTEXT_USER,
	CONTEXT_ASSISTANT,
	CONTEXT_CALLS,
	CONTEXT_RESULTS,
	CONTEXT_REASONING,
	CONTEXT_MEDIA, /* images and files */
	CONTEXT_OTHER, /* other speakers; a side that is no conversation */
	CONTEXT_RECORDED,
	CONTEXT_UNRECORDED = CONTEXT_RECORDED, /* sent, but not in the file */
	CONTEXT_KINDS
};

extern const char *const context_kind_names[CONTEXT_KINDS];

struct context_item {
	enum context_kind kind;
	bool input;     /* the side that has it; definitions go in */
	size_t message; /* its number there; SIZE_MAX: a definition, or no conversation */
	size_t part;    /* number in its message, or among the definitions */
	struct jv name; /* TOOLS, CALLS, RESULTS: the tool, or J_NONE */
	struct jv link; /* CALLS, RESULTS: the id that they share, or J_NONE */
	/* What it says, as written in the step: strings, and other JSON. */
	const struct jv *leaves;
	size_t leaf_count;
	struct str text; /* in place of leaves: decoded */
	/* It, of a conversation and of definitions; or NULL. */
	const struct part *part_of;
	/* MEDIA: bytes of text that take as many tokens, about; else 0. */
	uint64_t weight;
};

/* False: no more items are wanted.  The item is valid during the call. */
typedef bool context_visit(void *ctx, const struct context_item *item);

/*
 * Goes over the items of an opened step, in the order in which a model reads them.
 * `answers`: its output comes after its input.  `seen`, where it is not NULL: messages
 * that it has, byte for byte, are left out, and the others are noted once they were gone
 * over.  Linear in the step; where the work is to stop (base/work.h) it ends early.
 */
void context_items_each(const struct step_content *o, bool answers, struct idmap *seen,
	context_visit *visit, void *ctx);

/* What tools are called, as their items come: a call by its name and the argument that
 * says most, a result as its call. */
struct context_names {      /* all zero bits: none */
	struct idmap calls; /* hash of a link → number in `names` */
	struct intern names;
};

/* "read_file src/a.c" of a call or result, the name of a definition, or empty; unsafe
 * text that lives as long as the names. */
struct str context_name(struct context_names *n, const struct context_item *item);
void context_names_done(struct context_names *n);

/* ---- the shares of what a step was sent ---- */

/*
 * What the parts of a context take: bytes as they are, or tokens.  A trace says how many
 * tokens went in, not for what: they are split by the bytes, an image by what it weighs.
 *
 * Session logs leave out what the program sends each time: the system prompt, definitions
 * of tools.  Over the steps of a thread the recorded bytes grow and this does not, so it
 * is what a line through both figures has at no bytes.
 */

struct context_sizes { /* at most 4 GB each */
	uint32_t bytes[CONTEXT_RECORDED];
	uint32_t media_weight; /* counts for tokens, in place of the bytes of MEDIA */
};

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
	struct context_sizes sizes;
	uint32_t step;
	uint32_t thread; /* number in `threads` */
	uint32_t before; /* row of the step before in its thread, or NO_ROW */
	float tokens;    /* NaN: unknown */
	bool known;      /* it was opened */
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
	size_t from, end; /* rows that are looked at */
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
/* Works until the deadline of base/work; a key stops the work on a long step. */
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
 * within the process.  Where the work is to stop (base/work.h) it ends early. */
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
