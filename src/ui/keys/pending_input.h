/*
 * What waits until a long step is opened, or until it is known what is new in it, so that
 * nothing blocks and nothing that was typed is lost or goes elsewhere: a command that
 * acts in its documents with all keys after it, and the message that is gone to.
 */
#ifndef CATENA_UI_KEYS_PENDING_INPUT_H
#define CATENA_UI_KEYS_PENDING_INPUT_H

#include "ui/keys/command.h"

#define PENDING_MOST 4096 /* keys; those typed after them are lost */

struct pending_input {          /* all zero bits: nothing */
	struct invocation call; /* COMMAND_NONE: none; its argument is in the buffer */
	struct buf argument;
	uint32_t *keys;
	size_t count, cap;
	bool going; /* to that message */
	bool input;
	size_t message;
};

void pending_input_call(struct pending_input *h, const struct invocation *call);
/* A key after a command that waits; false: none does. */
bool pending_input_key(struct pending_input *h, uint32_t key);
void pending_input_clear(struct pending_input *h); /* keeps the memory */
void pending_input_done(struct pending_input *h);

#endif
