/*
 * What the parts of a context take: bytes as they are, or tokens.  A trace says how many
 * tokens went in, not for what: they are split by the bytes, an image by what it weighs
 * (analysis/context_items.h).
 *
 * Session logs leave out what the program sends each time: the system prompt, definitions
 * of tools.  Over the steps of a thread the recorded bytes grow and this does not, so it
 * is what a line through both figures has at no bytes.
 */
#ifndef CATENA_ANALYSIS_CONTEXT_SHARES_H
#define CATENA_ANALYSIS_CONTEXT_SHARES_H

#include "analysis/context_items.h"

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

#endif
