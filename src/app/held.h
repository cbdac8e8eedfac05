/*
 * What waits until a long step is opened, or until it is known what is new in it, so that
 * nothing blocks and nothing that was typed is lost or goes elsewhere: a command that acts in its documents with all keys behind it, and the
 * message somebody goes to.
 */
#ifndef CATENA_APP_HELD_H
#define CATENA_APP_HELD_H

#include "app/command.h"

#define HELD_MOST 4096 /* keys; those typed behind them are lost */

struct held { /* all zero bits: nothing */
	struct call call; /* COMMAND_NONE: none; its argument is in the buffer */
	struct buf argument;
	uint32_t *keys;
	size_t count, cap;
	bool going; /* to that message */
	bool input;
	size_t message;
};

void held_call(struct held *h, const struct call *call);
/* A key behind a command that is held; false: none is. */
bool held_key(struct held *h, uint32_t key);
void held_clear(struct held *h); /* keeps the memory */
void held_done(struct held *h);

#endif
