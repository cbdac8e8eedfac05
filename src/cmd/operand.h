/*
 * Operands that may name a step: a file, FILE:STEP or FILE:CHAIN.STEP, both counted from
 * 1 as the list of steps does.  A file that has the whole operand as its name is taken
 * for that.
 */
#ifndef CATENA_CMD_OPERAND_H
#define CATENA_CMD_OPERAND_H

#include "cmd/cmd.h"

struct operand {
	char *path;            /* owned */
	size_t chain, step;    /* from 1; step 0: the whole file */
	struct cmd_file *file; /* borrowed; set by the caller */
};

void operand_read(struct operand *o, const char *text); /* for operand_done */
void operand_done(struct operand *o);
/* "7" or "2.7" up to the end of the text. */
bool operand_read_step(const char *text, size_t *chain, size_t *step);
/* The position of the step that an operand with its file names; SIZE_MAX: there is none,
 * and the error was printed. */
size_t operand_position(const struct operand *o);

#endif
