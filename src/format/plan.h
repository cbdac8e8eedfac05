/* How the rows of one array are read: names of columns to fields of the map. */
#ifndef CATENA_FORMAT_PLAN_H
#define CATENA_FORMAT_PLAN_H

#include "format/fields.h"

struct columns {
	int16_t *fields; /* by position: a field, -1, or - 1 - enum cell */
	size_t count, cap;
};

struct columns *columns_new(void);
void columns_free(struct columns *c);
void columns_add(struct columns *c, struct str name);

/* The field of a position; NULL stands for the 13 positions of the format's document. */
int columns_field(const struct columns *c, uint64_t position);
/* What a position holds: a fact, or an object of them (or that object as JSON in a
 * string). */
enum cell { CELL_FACT, CELL_EVENT, CELL_PROPERTIES };
enum cell columns_cell(const struct columns *c, uint64_t position);
/* Fewer positions than this make a row that cannot be read. */
size_t columns_needed(const struct columns *c);

#endif
