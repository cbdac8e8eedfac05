/* The viewer: see app.c. */
#ifndef CATENA_APP_APP_H
#define CATENA_APP_APP_H

#include "format/format.h"
#include "payload/registry.h"

/* What a person asked for on the command line; must outlive the viewer. */
struct script;

struct app_wish {
	const char *const *paths; /* files, folders, "-": standard input */
	size_t count;
	const struct format *from; /* or NULL */
	bool follow;               /* files that grow */
	size_t cache; /* bytes for steps that were shown before: see view/visit.h */
	bool no_color;
	struct script *script; /* what to do without a terminal (app/script.h), or NULL */
};

/*
 * Shows the inputs until the person leaves.  Returns the exit status; errors were
 * printed.  Without a usable terminal it says so: status 2.
 */
int app_run(const struct app_wish *wish, const struct registry *registry);

#endif
