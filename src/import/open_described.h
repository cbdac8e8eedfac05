/* The facts of events, and steps of described formats, opened.  Private to import/. */
#ifndef CATENA_IMPORT_OPEN_DESCRIBED_H
#define CATENA_IMPORT_OPEN_DESCRIBED_H

#include "import/open.h"

/* A number as JSON, in the arena. */
struct jv number_value(double number, struct arena *arena);

struct position_plan;

/* The facts of an event; `columns`: of a row, or NULL for the usual ones. */
void event_facts(
	struct opened *o, struct jv event, bool row, const struct position_plan *columns);

/* Fills facts and sides of a step whose text is read; `value`: of a step that is one. */
void open_described(
	struct opened *o, struct trace *trace, uint32_t step, struct jv value);

#endif
