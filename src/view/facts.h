/* How figures are written: for the list, for print, and as JSON. */
#ifndef CATENA_VIEW_FACTS_H
#define CATENA_VIEW_FACTS_H

#include "analysis/ledger.h"
#include "analysis/usage.h"
#include "chat/parts.h"
#include "view/cells.h"

uint32_t facts_digits(size_t n); /* decimal ones */

/* 1,234,567: digits in groups, so that two of them can be compared at a glance. */
void facts_grouped(struct buf *out, double n);

/* Each appends nothing for NaN. */
void facts_tokens(struct buf *out, double n);  /* 999, 12.3k, 4.5M */
void facts_cost(struct buf *out, double usd);  /* $0.000072, $0.025, $1.20 */
void facts_latency(struct buf *out, double s); /* 850ms, 2.3s, 4m05s, 1h02m */
/* For a column: all with the same number of decimals; $0, and <$.0001 for what is less
 * than they can say.  The decimals of a column are the most that a value of it wants: two
 * from a dollar on, else at most four, or one digit that is not 0. */
unsigned facts_cost_decimals(double usd);
void facts_cost_fixed(struct buf *out, double usd, unsigned decimals);
void facts_bytes(struct buf *out, uint64_t n); /* 182 KB */
/* What an image or file is, never the data itself: "image/png 640×480, 182 KB NAME", with
 * `times` between width and height; NULL: without the size of the picture and the name. */
void facts_media(struct buf *out, const struct part *p, const char *times);
/* 250→350, 14.2k▒→118: the sign says how much of the input came from a cache.  An unknown
 * value is left out; nothing when none is known, or both are 0. */
void facts_flow(struct buf *out, const struct totals *t);
/* Whether the cost is known and says something: 0 without any tokens does not. */
bool facts_says_cost(const struct totals *t);

/* For a column of `most` cells: with fewer digits where all do not fit, and nothing where
 * those do not either.  A figure is never cut. */
void facts_tokens_in(struct buf *out, double n, uint32_t most);
void facts_flow_in(struct buf *out, const struct totals *t, uint32_t most);
void facts_cost_in(struct buf *out, double usd, unsigned decimals, uint32_t most);
void facts_latency_in(struct buf *out, double s, uint32_t most);

void facts_moment(struct buf *out, double seconds); /* 2025-07-19 10:00:03, UTC; nothing
						      outside the years 1 to 9999 */
/* 2025-07-19 10:00:03  4m05s; without a length of 0 */
void facts_period(struct buf *out, struct period p);

enum {
	TOTALS_STEPS = 1,
	TOTALS_FLOW = 2,
	TOTALS_COST = 4,
	TOTALS_TIME = 8,
	TOTALS_ERRORS = 16,
	TOTALS_ALL = 31
};
/* "2 steps  250→350 tok  $0.025  4.1s  1 error": those of its parts that are asked for
 * and known; two blanks stand before each but the steps. */
void facts_totals_text(struct buf *out, const struct totals *t, unsigned parts);

/* "  $0.025", with a sign before an estimate; nothing where no cost is known */
void facts_spent(struct buf *out, const struct usage_sum *spent);

/* A member: a number without what adding has left of a fraction; null for NaN. */
void facts_put_figure(struct buf *out, const char *key, double value);
/* "totals":{"steps","input_tokens","cache_read_tokens","cache_write_tokens",
 * "output_tokens","cost_usd","latency_s","errors"}; unknown: null. */
void facts_put_totals(struct buf *out, const struct totals *t);

/* ---- breaks of the cache ledger and its sums, as unsafe text of one line ---- */

/* "idle: 14.2k not read, +$0.04"; nothing where there is no break. */
void facts_break(
	const struct trace *trace, const struct ledger_row *row, struct buf *out);
/* "45.0k read, 2745 written, 9045 fresh; 2 breaks, 1 idle, 1 unknown: 14.2k not read,
 * about
 * +$0.04" */
void facts_ledger(const struct ledger_sums *s, struct buf *out);

#endif
