/* Reads a YAML file for schema/yaml, as carefully as configuration files need.
 */
#ifndef CATENA_SCHEMA_YAML_FILE_H
#define CATENA_SCHEMA_YAML_FILE_H

#include "base/err.h"

enum yaml_file {
	YAML_ANY = 0,
	YAML_PIPE = 1, /* a named pipe is read too: a person named it */
	YAML_OWN = 2,  /* refused: files of another user, and files that everybody may
			  write to */
};

/*
 * Reads into an empty buffer at most YAML_SIZE bytes and one more, so that yaml_read sees
 * that it is too much.  `how`: flags of enum yaml_file.  False with err, its source set
 * to the path.
 */
bool yaml_file_read(const char *path, unsigned how, struct buf *text, struct err *err);

/* Whether nothing has this path, not even a broken link: a missing file is no error. */
bool yaml_file_is_absent(const char *path);

#endif
