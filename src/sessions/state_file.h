/*
 * Small JSON files that are remembered for the person: one for each trace she looked at,
 * in "places" below home_state.  No one else may read or write them; what is not a plain
 * file of hers, is too large or is no JSON is as if it were not there.
 */
#ifndef CATENA_SESSIONS_STATE_FILE_H
#define CATENA_SESSIONS_STATE_FILE_H

#include "base/err.h"
#include "json/json.h"

#include <stdint.h>
#include <sys/stat.h>

#define STATE_MOST  (1u << 20) /* bytes of a file */
#define STATE_FILES 500        /* the oldest goes when there are more */

/* An object the caller owns, or NULL. */
json_t *state_read(uint64_t name);
/* What is to be remembered after what is there now (NULL: nothing): an object that the
 * caller of the function owns. */
typedef json_t *state_change_fn(void *context, const json_t *before);
/*
 * What the function says takes the place of what there was, as a whole or not at all.  No
 * other viewer writes between, so nothing of it is lost that the function keeps.  False
 * with err: it could not be written.
 */
bool state_change(
	uint64_t name, state_change_fn *change, void *context, struct err *err);

/* Tells what all of them hold. */
typedef void state_fn(void *context, const json_t *value);
void state_each(state_fn *tell, void *context);

/* ---- other folders ---- */

/* A folder below home_state, made where there is none, as a descriptor; -1 with err: it
 * cannot be opened, or others can write there. */
int state_folder(const char *name, struct err *err);
/* Whether it is the person's, and no one else may write it. */
bool state_is_mine(const struct stat *st);
/* Puts a file of mode 0600 in the place of another, as a whole.  False: see errno. */
bool state_replace(int folder, const char *name, struct str text);

#endif
