/* Steps of described formats, opened.  Private to import/. */
#ifndef CATENA_IMPORT_OPEN_DESCRIBED_H
#define CATENA_IMPORT_OPEN_DESCRIBED_H

#include "import/open.h"

/* Fills facts and sides of a step whose text is read; `value`: of a step that is one. */
/* A number as JSON, in the arena. */
struct jv number_value(double number, struct arena *arena);

void open_described(
	struct opened *o, struct trace *trace, uint32_t step, struct jv value);

#endif
