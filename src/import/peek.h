/* A look at the first items of an array before the scan goes into it. */
#ifndef CATENA_IMPORT_PEEK_H
#define CATENA_IMPORT_PEEK_H

#include "import/format.h"
#include "io/source.h"

#define PEEK_MOST (16u * 1024 * 1024)

struct peek {
	struct source *source;
	bool lines;   /* a file of lines: the next value's line is not read */
	bool starved; /* set when the answer depends on bytes of a stream that are still
			 to come */
};

/*
 * What the first three items of the array at `at` are.  `conversations`: tell
 * conversations from events.  Reads as little as it needs: 4 KB where that decides, at
 * most PEEK_MOST.
 */
enum item_kind peek_items(struct peek *p, uint64_t at, bool conversations);

/* Whether the array at `at` begins like a row: anything, a string, a time or null. */
bool peek_row(struct peek *p, uint64_t at);

/* Whether the line at `at` (to its line feed) is one JSON object or array by itself. */
bool peek_line_is_value(struct peek *p, uint64_t at);

#endif
