/* The viewer: see app.c. */
#ifndef CATENA_APP_APP_H
#define CATENA_APP_APP_H

#include "format/format.h"
#include "payload/registry.h"

/*
 * Shows one input ("-" is standard input) until the person leaves.  `cache`: bytes for
 * steps that were shown before (see view/visit.h).  Returns the exit status; errors were
 * printed.  Without a usable terminal it says so: status 2.
 */
int app_run(const char *path, const struct format *from, bool no_color, size_t cache,
	const struct registry *registry);

#endif
