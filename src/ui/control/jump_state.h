/* What a jump consists of, for jump.c and jump_open.c alone. */
#ifndef CATENA_UI_CONTROL_JUMP_STATE_H
#define CATENA_UI_CONTROL_JUMP_STATE_H

#include "analysis/slow.h"
#include "ui/core/app.h"

struct jump;

enum jump_answer { JUMP_NO, JUMP_YES, JUMP_MORE /* ask again */ };

struct jump_kind {
	enum command next, previous;
	/* What is looked for, from where the cursor is.  False, with what is to be said
	 * of it: nothing, or it was gone to already. */
	bool (*begin)(struct app *app, struct jump *j);
	enum jump_answer (*judge)(
		struct app *app, struct jump *j, size_t place, uint64_t deadline);
	/* Within the step that was gone to, or NULL. */
	void (*arrive)(struct app *app, struct jump *j);
	const char *what; /* "error": no other error */
};

struct jump {
	const struct jump_kind *kind; /* NULL: none is on its way */
	bool back, wrapped;
	bool waits;           /* for more to be read */
	unsigned more;        /* after the next one */
	size_t origin, place; /* in model->order */
	size_t looked_at;     /* places so far */
	size_t found;         /* the last place that fits, or SIZE_MAX */
	uint32_t arrangement, generation;
	struct buf name;  /* of the tool, the speaker, the id that is looked for */
	uint32_t model;   /* interned */
	bool input, call; /* the side it was found on; a call is looked for */
	size_t message;   /* where in the step that was found, or SIZE_MAX */
	struct slow slow;
};

static inline struct jump *jump_of(const struct app *app)
{
	return controller_state(app, CONTROLLER_JUMP);
}

#endif
