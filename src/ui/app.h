/* The viewer: see app.c. */
#ifndef CATENA_UI_APP_H
#define CATENA_UI_APP_H

#include "config/configuration.h"
#include "import/format.h"
#include "payload/registry.h"

struct script;

/* What a person asked for on the command line; must outlive the viewer. */
struct app_options {
	const char *const *paths; /* files, folders, "-": standard input */
	size_t count;
	const struct format *from; /* or NULL */
	bool follow;               /* files that grow */
	bool no_color;
	bool no_state;         /* remember nothing, and know nothing from before */
	struct script *script; /* what to do without a terminal (ui/script.h), or NULL */
	struct str filter;     /* that the list begins with, or empty */
};

/*
 * What cannot be used of the configuration is added to its warnings.
 *
 * Shows the inputs until the person leaves.  Returns the exit status; errors were
 * printed.  Without a usable terminal it says so: status 2.
 */
int app_run(const struct app_options *wish, struct config *config,
	const struct registry *registry);

#endif
