/*
 * What requests took and cost, over many traces: a row for each step that has tokens, a
 * cost or an error of its own, by the rule of totals (totals_count).
 *
 * A cost that the trace states wins.  Where a step states what a whole run has cost
 * (Claude Code at its end, a span for all that is below it), that sum is shared out among
 * the steps it stands for.  Other steps are estimated by the table of prices; a step
 * whose model has no price there costs NaN.  A stated cost of 0 says nothing.
 */
#ifndef CATENA_ANALYSIS_USAGE_H
#define CATENA_ANALYSIS_USAGE_H

#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "trace/trace.h"

/*
 * What models cost, and how much fits into their context: a table in the form of
 * LiteLLM's model_prices_and_context_window.json, in US dollars per token.  The one that
 * is built in is data/prices.json; tools/prices makes it.
 *
 * A model is found by its name, by that without the way it is reached ("bedrock/us.x",
 * "anthropic/x", "x-v1:0", "X.1" for "x-1"), and then by that without a date at its end.
 * What is not found has no price, and never one of 0.
 */

#define PRICE_KINDS 5

/* Of one request, by name or by kind; NaN or 0: none. */
struct priced_tokens {
	union {
		struct {
			double fresh; /* input that no cache gave or took */
			double cache_read;
			double cache_write; /* for some minutes */
			double cache_hour;  /* for an hour */
			double output;      /* with reasoning */
		};
		double kinds[PRICE_KINDS];
	};
};

struct prices;

/* The table that takes the place of the built-in one, for the whole program: as
 * prices_new with it says.  The text is borrowed.  False with err: it is none. */
bool prices_use(struct str table, struct err *err);
/* That, or the built-in one. */
struct str prices_table(void);
/* The table is borrowed; an empty text is prices_table.  NULL with err: it is none. */
struct prices *prices_new(struct str table, struct err *err);
void prices_free(struct prices *p);
/* "2026-08-06", or empty; as long as the table.  NULL: of prices_table. */
struct str prices_date(const struct prices *p);

/* US dollars; NaN: the model has no price.  A price for requests above a size ("above
 * 200k tokens") is that of the whole request, if its input is larger.  The first time
 * that a model is asked for costs a walk through the table. */
double prices_cost(struct prices *p, struct str model, const struct priced_tokens *t);
/* Tokens of a model's context, or NaN; cost as above. */
double prices_window(struct prices *p, struct str model);

/* ---- what was used ---- */

struct usage_item {
	double at; /* seconds since 1970; NaN: neither it nor a step before it in its
		      chain says */
	struct priced_tokens tokens;
	double cost;      /* USD; NaN: not known */
	uint64_t request; /* trace_key; 0: not known */
	uint32_t model;   /* number in `models`; that of "" is of steps that name none */
	uint32_t source;  /* 0, or what the caller sets: see usage_settle */
	bool estimated;   /* its cost */
	bool failed;
	bool repeated; /* see usage_settle */
};

struct usage { /* all zero bits: nothing */
	struct usage_item *items;
	size_t count, cap;
	struct intern models;
};

/* Adds the steps of a trace that is loaded and has its totals. */
void usage_add(struct usage *u, struct prices *p, const struct trace *t);
/* Marks what stands in several sources, as of sessions that were resumed or forked, in
 * all of them but the one with the least number.  Once, at the end. */
void usage_settle(struct usage *u);
void usage_done(struct usage *u);

/* A step's own figures as a provider counts them; `hour`: the part of what was written to
 * the cache for an hour.  Figures that are not known are 0. */
struct priced_tokens usage_split(const struct totals *own, double hour);

/* All of them, of both sides. */
double usage_tokens(const struct priced_tokens *t);

/* Of many items; each counts with usage_count. */
struct usage_sum {
	uint64_t requests, errors;
	struct priced_tokens tokens;
	double cost;    /* NaN: nothing of it is known */
	bool estimated; /* a part of it */
	bool unpriced;  /* something in it has no price */
};
extern const struct usage_sum usage_nothing;
void usage_count(struct usage_sum *sum, const struct usage_item *i);
void usage_sum_add(struct usage_sum *sum, const struct usage_sum *more);
/* The model with the most tokens; "": none is named.  As long as `u`; linear. */
struct str usage_main_model(const struct usage *u);

/* The calendar at a moment, in the person's time zone; false: no calendar has it. */
struct tm;
bool usage_calendar(double at, struct tm *tm);

#endif
