/*
 * What models cost, and how much fits into their context: a table in the form of
 * LiteLLM's model_prices_and_context_window.json, in US dollars per token.  The one that
 * is built in is data/prices.json; tools/prices makes it.
 *
 * A model is found by its name, by that without the way it is reached ("bedrock/us.x",
 * "anthropic/x", "x-v1:0", "X.1" for "x-1"), and then by that without a date at its end.
 * What is not found has no price, and never one of 0.
 */
#ifndef CATENA_ANALYSIS_PRICES_H
#define CATENA_ANALYSIS_PRICES_H

#include "base/err.h"
#include "base/str.h"

/* Of one request; NaN or 0: none. */
struct priced_tokens {
	double fresh; /* input that no cache gave or took */
	double cache_read;
	double cache_write; /* for some minutes */
	double cache_hour;  /* for an hour */
	double output;      /* with reasoning */
};

struct prices;

/* The table that takes the place of the built-in one, for the whole program: as prices_new
 * with it says.  The text is borrowed.  False with err: it is none. */
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

#endif
