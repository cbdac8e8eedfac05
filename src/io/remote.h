/*
 * Files on other machines, "host:path", read through the person's own ssh.  Only what she
 * named on the command line is: no name in a file or a configuration starts a program.
 *
 * No shell of this machine is involved; that of the other one gets the path as one quoted
 * word ("~/" at its beginning stays the home folder).
 */
#ifndef CATENA_IO_REMOTE_H
#define CATENA_IO_REMOTE_H

#include "base/err.h"

struct remote;

/* Whether an operand has the form [user@]host:path, and no file here is called so. */
bool remote_is_named(const char *operand);
/* The operand may be read from now on; `follow`: with what is added to it later. */
void remote_allow(const char *operand, bool follow);
bool remote_is_allowed(const char *path);

/* Starts ssh, and waits for the first bytes, or the end: it may ask for a password.  The
 * stream is the caller's to close.  NULL with err: ssh cannot be started. */
struct remote *remote_open(const char *path, int *stream, struct err *err);
/* Once the stream has ended: false with err where ssh or the other machine's command
 * failed, with its words. */
bool remote_ended_well(struct remote *r, struct err *err);
void remote_close(struct remote *r); /* ends ssh, if it still runs */

#endif
