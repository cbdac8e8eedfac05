/* A session in a few rows: what it took, what was asked, said, done, changed and tested. */
#ifndef CATENA_VIEW_SESSION_PREVIEW_H
#define CATENA_VIEW_SESSION_PREVIEW_H

#include "sessions/preview.h"
#include "sessions/sessions.h"
#include "text/line.h"

/* In place of what the lines had: at most so many.  `p` is NULL while nothing is read. */
void session_preview_lay_out(const struct session *s, const struct session_preview *p,
	uint32_t width, size_t rows, struct lines *out);

#endif
