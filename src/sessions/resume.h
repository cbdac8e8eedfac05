/* The command by which an agent goes on with a session. */
#ifndef CATENA_SESSIONS_RESUME_H
#define CATENA_SESSIONS_RESUME_H

#include "base/buf.h"

/*
 * Appends the `resume` of a format (its name, or NULL) for a session: "cd 'FOLDER' && claude
 * --resume 'ID'"; without a folder only what stands behind "&&".  `{trace}` in it is the
 * session's id, `{uuid}` the UUID at the end of its file's name, `{file}` its path.  Each text of the session is one quoted word of a shell.
 * False, with nothing appended: the format has none, what it needs is not there, or a text has
 * control characters, which a terminal might obey when it is pasted.
 */
bool resume_put(const char *format, struct str id, struct str path, struct str folder,
	struct buf *out);

#endif
