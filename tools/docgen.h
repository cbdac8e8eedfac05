/* The parts that tools/docgen writes from the table of options: see docgen.c. */
#ifndef CATENA_TOOLS_DOCGEN_H
#define CATENA_TOOLS_DOCGEN_H

#include "base/buf.h"

void docgen_names(struct buf *out); /* every command and option, a line each */
void docgen_bash(struct buf *out);  /* completion for that shell */
void docgen_zsh(struct buf *out);
void docgen_fish(struct buf *out);

#endif
