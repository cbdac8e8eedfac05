/*
 * The command line: one table gives parsing, --help and the manual page.  Options stand
 * anywhere; "--" ends them; "-" is standard input.
 */
#ifndef CATENA_CMD_OPTIONS_H
#define CATENA_CMD_OPTIONS_H

#include "base/err.h"
#include "chat/extract.h"
#include "format/format.h"

struct options {
	const struct format *from; /* --from; NULL: detect */
	enum prefer prefer;        /* --prefer */
	bool json, totals, no_color, help, version;
	unsigned width;    /* --width; 0: the terminal's */
	struct str format; /* --format of export */
	const struct command *command;
	const char **files; /* into argv; owned array */
	size_t file_count, file_cap;
};

/* False with err on wrong usage. */
bool options_parse(struct options *o, int argc, char **argv, struct err *err);
void options_done(struct options *o);

void options_help(struct buf *out, const struct command *command); /* NULL: the program */

#endif
