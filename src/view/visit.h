/*
 * A step that is shown: opened, with its reading, and its documents with their folds,
 * places and laid-out lines.  A shelf caches the visits to steps that are no longer
 * shown, so that going back to one costs nothing and restores its state.
 *
 * The shelf has a budget in bytes.  A visit counts with all that it owns: the step's
 * text, what was decoded from it, the documents' blocks and lines; the
 * allocator's overhead is not counted, and neither is the step that is shown, which is
 * not on the shelf.  The shelf never exceeds its budget: the visit that was put there
 * longest ago goes first, and one that is larger than the budget is not kept at all.
 */
#ifndef CATENA_VIEW_VISIT_H
#define CATENA_VIEW_VISIT_H

#include "view/conversation.h"
#include "view/doc.h"
#include "view/reading.h"

#define SHELF_BUDGET ((size_t)8 << 20) /* bytes, unless the configuration sets it */

struct visit_side {
	struct doc docs[MODE_COUNT]; /* by mode; places[0] is the cursor, places[1] the
					top row */
	bool built[MODE_COUNT];
	unsigned fit[MODE_COUNT]; /* rows that it was unfolded to fit, or UINT_MAX */
	bool blank[MODE_COUNT];   /* it says only that there is nothing to show */
	size_t message;           /* of the cursor before the raw view, or SIZE_MAX */
};

struct visit {
	uint32_t step;
	struct step seen; /* the step's record when it was opened */
	struct opened *opened;
	struct reading *reading;
	struct visit_side input, output;
	size_t bytes; /* in all, when it was put on the shelf */
};

/* Takes over an opened step; no document is built.  Borrows the registry. */
struct visit *visit_new(const struct trace *trace, uint32_t step, struct opened *opened,
	const struct registry *registry);
void visit_free(struct visit *v);
size_t visit_bytes(const struct visit *v);

struct shelf { /* all zero bits but for the budget: empty */
	size_t budget;
	size_t bytes;         /* of all that is on it */
	struct visit **items; /* the one put there longest ago first */
	size_t count, cap;
};

/* Takes over a visit. */
void shelf_put(struct shelf *s, struct visit *v);
/* Gives back the visit to a step; NULL when it is not there or the step has changed. */
struct visit *shelf_take(struct shelf *s, const struct trace *trace, uint32_t step);
/* As shelf_take, but the visit stays on the shelf; valid until the next call of
 * shelf_put. */
const struct visit *shelf_peek(
	const struct shelf *s, const struct trace *trace, uint32_t step);
/* Frees all visits: their trace changes, or the program ends. */
void shelf_clear(struct shelf *s);

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
