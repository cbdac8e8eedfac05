/* Messages on standard error: one line each, through text/safe. */
#ifndef CATENA_TEXT_REPORT_H
#define CATENA_TEXT_REPORT_H

#include "base/err.h"

void report_error(
	const struct err *e); /* "catena: NAME: byte 12 (line 2, column 3): …" */
void report_note(
	const struct err *e); /* "catena: note: …": what was mended, what is cut */

#endif
