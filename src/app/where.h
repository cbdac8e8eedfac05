/*
 * A place that outlives the model: a step by what it is known by in its files, and what
 * the person looked at in it.  It is found again when the files were read anew, have
 * grown, or are opened another day.  It holds nothing of the trace but numbers.
 */
#ifndef CATENA_APP_WHERE_H
#define CATENA_APP_WHERE_H

#include "app/layout.h"
#include "json/json.h"
#include "view/conversation.h"

struct app;
struct pane;

struct where { /* all zero bits: nowhere */
	bool known;
	uint64_t chain;      /* fnv of its id */
	size_t number;       /* of the step in it, from 1 */
	uint64_t address;    /* of the step: source/inputs.h */
	bool is_chain;       /* the chain's own row */
	uint32_t step;       /* the last time it was found; may be of another model */
	enum pane_id focus;  /* list or side, */
	enum side_mode mode; /* of a side: its view, */
	size_t message;      /* the message under its cursor, SIZE_MAX: none, */
	struct place below;  /* ... counted from its head, or from the beginning: blocks,
				and  the row in the last one */
};

bool where_equal(const struct where *a, const struct where *b);

/* Where the person is; nowhere while there are no steps. */
void where_take(struct app *app, struct where *w);
/* A step, as seen in the list. */
void where_of(const struct app *app, uint32_t step, struct where *w);
/* The step, or NO_STEP: it is not there (any more, or yet). */
uint32_t where_step(const struct app *app, struct where *w);
/* Goes there; false when the step is not there. */
bool where_go(struct app *app, struct where *w);

/* The message under the cursor of a side, and how far below its head that is; and back.
 */
void where_take_side(
	struct app *app, struct pane *p, size_t *message, struct place *below);
void where_go_side(struct app *app, struct pane *p, size_t message, struct place below);

/* Rows that a side shows above its cursor; and as many again, where there are some. */
unsigned where_rows_above(struct pane *p);
void where_show_above(struct pane *p, uint64_t rows);

/* A JSON object that the caller owns; and back: nowhere, when it is none. */
json_t *where_write(const struct where *w);
void where_read(const json_t *value, struct where *w);
/* An integer from 0 to `most` of an object; `otherwise` when there is none. */
uint64_t where_read_number(
	const json_t *object, const char *key, uint64_t most, uint64_t otherwise);
void where_write_place(json_t *object, const struct place *below);
struct place where_read_place(const json_t *object);
enum side_mode where_read_mode(const json_t *value);
const char *where_mode_name(enum side_mode mode);

#endif
