/* What the names of the models in a list have in common. */
#ifndef CATENA_VIEW_LIST_NAMES_H
#define CATENA_VIEW_LIST_NAMES_H

#include "trace/trace.h"
#include "view/columns.h"

#define LIST_MODELS 32 /* different ones that are told apart */

struct list_names {
	uint32_t models[LIST_MODELS]; /* interned, in the order in which they came */
	size_t model_count;
	bool modelless; /* a step has no model */
	struct model_widths widths;
};

/* Looks at one more step's model.  All zero bits: none was looked at. */
void list_names_add(struct list_names *l, const struct trace *trace, uint32_t model);
/*
 * A model's name for so many cells: in full, else without its date, what all names share,
 * its first word.  It may still be wider.
 */
struct str list_names_short(const struct list_names *l, struct str name, uint32_t width);
/* The model of all steps; NO_TEXT: there are several, or some without. */
uint32_t list_names_model(const struct list_names *l);

#endif
