/* How the rows of one array are read: names of columns to fields of the map. */
#ifndef CATENA_IMPORT_PLAN_H
#define CATENA_IMPORT_PLAN_H

#include "import/fields.h"

struct position_plan {
	int16_t *fields; /* by position: a field, -1, or - 1 - enum position_object */
	size_t count, cap;
};

struct position_plan *columns_new(void);
void columns_free(struct position_plan *c);
void columns_add(struct position_plan *c, struct str name);

/* The field of a position; NULL means the 13 positions of the format's document. */
int columns_field(const struct position_plan *c, uint64_t position);
/* What a position holds: a fact, or an object of them (or that object as JSON in a
 * string). */
enum position_object { CELL_FACT, CELL_EVENT, CELL_PROPERTIES };
enum position_object columns_cell(const struct position_plan *c, uint64_t position);
/* Fewer positions than this make a row that cannot be read. */
size_t columns_needed(const struct position_plan *c);

#endif
