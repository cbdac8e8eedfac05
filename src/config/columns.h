/*
 * The columns of the list of steps by the names that the configuration gives them:
 * COLUMN(NAME, "name", "sentence").  How they are written is view/columns' matter.
 */
#ifndef CATENA_CONFIG_COLUMNS_H
#define CATENA_CONFIG_COLUMNS_H

#define COLUMNS(COLUMN)                                                                  \
	COLUMN(NUMBER, "number", "the step's number in its chain")                       \
	COLUMN(MARK, "mark", "a sign for errors and damage")                             \
	COLUMN(NAME, "name", "the step's name in the tree of steps")                     \
	COLUMN(LABEL, "label", "the label that you gave it")                             \
	COLUMN(MODEL, "model", "the model that answered")                                \
	COLUMN(TOKENS, "tokens", "tokens of input and output")                           \
	COLUMN(INPUT, "input", "tokens of input")                                        \
	COLUMN(CACHE, "cache", "tokens of input from a cache")                           \
	COLUMN(OUTPUT, "output", "tokens of output")                                     \
	COLUMN(COST, "cost", "the cost of the step")                                     \
	COLUMN(TIME, "time", "the duration of the step")                                 \
	COLUMN(START, "start", "the time of day of its start, in UTC")                   \
	COLUMN(EVENT, "event", "the kind of event")                                      \
	COLUMN(SIZE, "size", "its size in the file, in bytes")                           \
	COLUMN(BAR, "bar", "its time, cost or tokens as a bar, if bar is on")

enum column {
#define COLUMN(id, name, about) COLUMN_##id,
	COLUMNS(COLUMN)
#undef COLUMN
		COLUMN_COUNT
};

extern const char *const column_names[]; /* up to NULL */

#endif
