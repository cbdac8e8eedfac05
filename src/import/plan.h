/* How the rows of one array are read: what stands at each position. */
#ifndef CATENA_IMPORT_PLAN_H
#define CATENA_IMPORT_PLAN_H

#include "import/known.h"

struct position_plan *columns_new(void);
void columns_free(struct position_plan *c);
/* By the name of a column: "uuid", "$ai_model", "properties.$ai_model"; "*" is the event
 * itself. */
void columns_add(struct position_plan *c, struct str name);

/* The node of a position, at which a value, or a whole object of them (or that as JSON in
 * a string) stands; NULL: as the description of events has its columns. */
uint16_t columns_node(const struct position_plan *c, uint64_t position);
/* Fewer positions than this make a row that cannot be read. */
size_t columns_needed(const struct position_plan *c);

#endif
