/*
 * A step that is shown: opened, with its reading, and its documents with their folds,
 * places and laid-out lines.  The cache keeps viewed steps that are no longer
 * shown, so that going back to one costs nothing and restores its state.
 *
 * The cache has a budget in bytes.  A viewed step counts with all that it owns: the
 * step's text, what was decoded from it, the documents' blocks and lines; the allocator's
 * overhead is not counted, and neither is the step that is shown, which is not in the
 * cache.  The cache never exceeds its budget: the viewed step that was put there longest
 * ago goes first, and one that is larger than the budget is not kept at all.
 */
#ifndef CATENA_VIEW_STEP_CACHE_H
#define CATENA_VIEW_STEP_CACHE_H

#include "view/conversation.h"
#include "view/reading.h"

#define STEP_CACHE_BUDGET ((size_t)8 << 20) /* bytes, unless the configuration sets it   \
					     */

struct viewed_step_side {
	struct doc docs[MODE_COUNT]; /* by mode; places[0] is the cursor, places[1] the
					top row */
	bool built[MODE_COUNT];
	unsigned fit[MODE_COUNT]; /* rows that it was unfolded to fit, or UINT_MAX */
	bool blank[MODE_COUNT];   /* it says only that there is nothing to show */
	size_t message;           /* of the cursor before the raw view, or SIZE_MAX */
};

struct viewed_step {
	uint32_t step;
	struct step seen; /* the step's record when it was opened */
	struct step_content *opened;
	struct reading *reading;
	struct viewed_step_side input, output;
	size_t bytes; /* in all, when it was put in the cache */
};

/* Takes over an opened step; no document is built.  Borrows the registry. */
struct viewed_step *viewed_step_new(const struct trace *trace, uint32_t step,
	struct step_content *opened, const struct registry *registry);
void viewed_step_free(struct viewed_step *v);
size_t viewed_step_bytes(const struct viewed_step *v);

struct step_cache { /* all zero bits but for the budget: empty */
	size_t budget;
	size_t bytes;               /* of all that is on it */
	struct viewed_step **items; /* the one put there longest ago first */
	size_t count, cap;
};

/* Takes over a viewed step. */
void step_cache_put(struct step_cache *s, struct viewed_step *v);
/* Gives back the viewed step; NULL when it is not there or the step has changed. */
struct viewed_step *step_cache_take(
	struct step_cache *s, const struct trace *trace, uint32_t step);
/* As step_cache_take, but the viewed step stays in the cache; valid until the next call
 * of step_cache_put. */
const struct viewed_step *step_cache_peek(
	const struct step_cache *s, const struct trace *trace, uint32_t step);
/* Frees all viewed steps: their trace changes, or the program ends. */
void step_cache_clear(struct step_cache *s);

/* ---- unfolding what fits ---- */

/*
 * Unfolding what fits: no fold stands beside empty rows.  In the order of what people
 * read first: texts, calls with their arguments, results, reasoning, then nodes of trees,
 * from the outermost in.
 */

/*
 * Opens folds of a document (doc_width) as long as all of it has no more than `rows`; of
 * a text that is longer as much is shown as there is room for.  Where not even the folded
 * document fits, long messages of the system give way.  Folds that somebody opened stay
 * open.  Lays out what is in the first `rows` rows; the cost grows with their square.
 */
void fit_unfold(struct doc *d, unsigned rows);

/* Rows of a document, counted up to `most`. */
unsigned fit_rows(struct doc *d, unsigned most);

#endif
