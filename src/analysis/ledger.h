/*
 * The cache ledger: what each request of a chain read from the cache of its provider,
 * wrote to it and sent fresh, and why a prefix that the request before had was not read.
 *
 * A request is a step with tokens of its own (trace_step_counted) that says what it read.
 * It is compared with the request before in its thread (analysis/context.h).  The prefix
 * is what that one read and wrote; all its input where the file does not say what was written, or
 * where it wrote nothing and its model has no price for writing, since the cache of such a
 * model takes all.
 * A break is a request that reads less than LEDGER_SHARE of a prefix of LEDGER_LEAST
 * tokens or more: smaller ones are not cached by the usual providers.
 *
 * Its cause is the first of enum ledger_cause that holds; what none explains is unknown
 * and not guessed.  What changed in a request is known only where both requests are
 * recorded as they were sent; of a turn of a log, where the log records beside it what a
 * request has of the one before, and definitions of tools and the system prompt again when
 * they change.
 *
 * Requests are looked at in slices.
 */
#ifndef CATENA_ANALYSIS_LEDGER_H
#define CATENA_ANALYSIS_LEDGER_H

#include "analysis/context.h"
#include "analysis/usage.h"

#define LEDGER_SHARE 0.7
#define LEDGER_LEAST 1024

enum ledger_cause {
	LEDGER_KEPT,       /* no break */
	LEDGER_RECORDED,   /* the trace names the reason: cache_miss_reason */
	LEDGER_MODEL,      /* another model */
	LEDGER_IDLE,       /* more time passed than an entry lives: 5 minutes, or an hour where
			      entries of an hour were written, or asked for in a request
			      that is recorded */
	LEDGER_COMPACTION, /* what was before is not sent any more */
	LEDGER_TOOLS,      /* other definitions of tools */
	LEDGER_SYSTEM,     /* another system prompt */
	LEDGER_MESSAGE,    /* a message before the end is another: see `message` */
	LEDGER_UNKNOWN,
	LEDGER_CAUSES
};

extern const char *const ledger_cause_names[LEDGER_CAUSES]; /* "model switched" */

struct ledger_row {
	size_t position; /* of the step in the order */
	uint32_t step, before; /* before: the step it is compared with, or NO_STEP */
	double read, written, fresh; /* tokens of its input, 0: none */
	double prefix; /* tokens that could be read; NaN: none before */
	double idle;   /* s since the request before ended, until this was sent; of a turn of a
			  log, until it ended; NaN: not known */
	enum ledger_cause cause;
	struct str reason; /* RECORDED: as it stands there; unsafe text */
	uint32_t was;      /* TOOLS, SYSTEM, MESSAGE: the step it differs from; NO_STEP: no
			      step has it whole */
	size_t message;    /* MESSAGE: the first that differs, from 1 */
	double lost;       /* tokens of the prefix that were not read; 0 without a break */
	double cost;       /* USD that they cost more than read from the cache; NaN: the model
			      has no price */
};

struct ledger_sums {
	uint64_t requests, breaks[LEDGER_CAUSES];
	double read, written, fresh, lost, cost;
	bool unpriced; /* some break has no price */
};

struct ledger { /* all zero bits: none */
	struct ledger_row *rows; /* in the order of the trace */
	size_t count, cap;
	size_t at; /* rows of the context before this one were looked at */
	struct ledger_sums sums; /* of all rows so far; over chains and traces */
	/* Set it first: requests that have a row; NULL: all. */
	bool (*passes)(void *ctx, const struct trace *trace, uint32_t step);
	void *ctx;
	struct arena texts;
};

void ledger_done(struct ledger *l);
/* Begins another chain or trace: the rows are dropped, the sums stay. */
void ledger_next(struct ledger *l);
/* Adds the requests of a chain whose context is ready (context_is_ready), until the
 * deadline of base/work; a key stops the work on a long step.  Cost: linear in its steps;
 * of a break the step is read, and two steps are opened where nothing else explains it. */
enum task_state ledger_run(
	struct ledger *l, const struct context *c, struct prices *p, uint64_t deadline);
/* Appends "message 4 changed", "idle 12m" and the like: what a row says of its break, as
 * unsafe text; nothing where there is none. */
void ledger_put_cause(const struct trace *trace, const struct ledger_row *row,
	struct buf *out);

#endif
