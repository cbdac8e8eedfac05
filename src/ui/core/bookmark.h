/*
 * A place that outlives the trace: a step by what it is known by in its files, and what
 * the person looked at in it.  It is found again when the files were read again, have
 * grown, or are opened another day.  It holds nothing of the trace but numbers.
 */
#ifndef CATENA_UI_CORE_BOOKMARK_H
#define CATENA_UI_CORE_BOOKMARK_H

#include "json/json.h"
#include "ui/core/layout.h"
#include "view/conversation.h"

struct app;
struct pane;

struct bookmark { /* all zero bits: nowhere */
	bool known;
	uint64_t chain;      /* fnv of its id */
	size_t number;       /* of the step in it, from 1 */
	uint64_t address;    /* of the step: io/inputs.h */
	bool is_chain;       /* the chain's own row */
	uint32_t step;       /* the last time it was found; may be of another trace */
	enum pane_id focus;  /* list or side, */
	enum side_mode mode; /* of a side: its view, */
	size_t message;      /* the message under its cursor, SIZE_MAX: none, */
	struct place below;  /* ... counted from its head, or from the beginning: blocks,
				and  the row in the last one */
};

bool bookmark_equal(const struct bookmark *a, const struct bookmark *b);

/* Where the person is; nowhere while there are no steps. */
void bookmark_take(struct app *app, struct bookmark *w);
/* A step, as seen in the list. */
void bookmark_of(const struct app *app, uint32_t step, struct bookmark *w);
/* The step, or NO_STEP: it is not there (any more, or yet). */
uint32_t bookmark_step(const struct app *app, struct bookmark *w);
/* Goes there; false when the step is not there. */
bool bookmark_go(struct app *app, struct bookmark *w);

/* The message under the cursor of a side, and how far below its head that is; and back.
 */
void bookmark_take_side(
	struct app *app, struct pane *p, size_t *message, struct place *below);
void bookmark_go_side(
	struct app *app, struct pane *p, size_t message, struct place below);

/* Rows that a side shows above its cursor; and as many again, where there are some. */
unsigned bookmark_rows_above(struct pane *p);
void bookmark_show_above(struct pane *p, uint64_t rows);

/* A JSON object that the caller owns; and back: nowhere, when it is none. */
json_t *bookmark_write(const struct bookmark *w);
void bookmark_read(const json_t *value, struct bookmark *w);
/* An integer from 0 to `most` of an object; `otherwise` when there is none. */
uint64_t bookmark_read_number(
	const json_t *object, const char *key, uint64_t most, uint64_t otherwise);
void bookmark_write_place(json_t *object, const struct place *below);
struct place bookmark_read_place(const json_t *object);
enum side_mode bookmark_read_mode(const json_t *value);

#endif
