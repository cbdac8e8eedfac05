/*
 * The list of steps: rows of a tree with the figures of each, for any width.  Rows are
 * places of the model's order, with a row for each chain when there are several.
 */
#ifndef CATENA_VIEW_STEPS_H
#define CATENA_VIEW_STEPS_H

#include "format/open.h"
#include "text/line.h"

struct steps_row {
	bool is_chain;
	uint32_t chain;
	size_t position; /* in model.order; of a chain's row its first step's */
};

struct steps_view {
	struct model *model;
	uint32_t *rows; /* positions, or CHAIN_ROW | chain, that are not folded away */
	size_t count, cap;
	uint8_t *closed; /* by step: its children are folded away */
	size_t closed_count;
	uint8_t *closed_chains; /* by chain: its steps are */
	size_t closed_chain_count;
	size_t built_for; /* model.order_count when the rows were built */
	size_t built_chains;
	uint32_t generation, arrangement; /* the model's, when the rows were built */
	bool stale;
	bool nested;      /* some step names a parent: names are indented */
	bool named;       /* some step has a name; else the message stands in its place */
	unsigned known;   /* columns that have a figure in some step; the others are left
			     out */
	size_t known_for; /* ... among so many steps */
	size_t expected;  /* steps there will be, as far as can be told; numbers have room
			     for them */
};

void steps_begin(struct steps_view *v, struct model *m);
void steps_done(struct steps_view *v);

/* Brings the rows up to date with the model; cheap when nothing changed. */
void steps_update(struct steps_view *v);
struct steps_row steps_at(const struct steps_view *v, size_t row);
/* The row of a step, or of the parent or chain it is folded into. */
size_t steps_find(const struct steps_view *v, uint32_t step);
/* Folds or unfolds the children of the step, or the steps of the chain, in a row; false:
 * none. */
bool steps_toggle(struct steps_view *v, size_t row);
bool steps_has_children(const struct steps_view *v, size_t row);
bool steps_is_closed(const struct steps_view *v, size_t row);
/* The row of the parent, of a root its chain's, or the row itself. */
size_t steps_parent(const struct steps_view *v, size_t row);

/* The titles of the columns, and one row, each `width` cells at most, as the only line of
 * `out`. */
void steps_titles(const struct steps_view *v, struct lines *out, uint32_t width);
/* `preview`: the last user message, where there is room for it; `current`: the cursor is
 * here. */
void steps_line(const struct steps_view *v, size_t row, struct lines *out, uint32_t width,
	struct str preview, bool current);
/* Cells with which names of usual length and all columns that have something fit. */
uint32_t steps_best_width(const struct steps_view *v);
/* Cells that are left for a preview at that width; 0: none. */
uint32_t steps_preview_width(const struct steps_view *v, uint32_t width);

#endif
