/* The text of a YAML file for schema/yaml, read with the care that a person's files need.
 */
#ifndef CATENA_SCHEMA_YAML_FILE_H
#define CATENA_SCHEMA_YAML_FILE_H

#include "base/err.h"

enum yaml_file {
	YAML_ANY = 0,
	YAML_PIPE = 1, /* a named pipe will do: somebody said so */
	YAML_OWN = 2,  /* not another's file, nor one that everybody may write to */
};

/*
 * Into an empty buffer, at most a byte more than YAML_SIZE, so that yaml_read sees that
 * it is too much.
 * False with err, its source set to the path.  `how`: flags of enum yaml_file.
 */
bool yaml_file_read(const char *path, unsigned how, struct buf *text, struct err *err);

/* Nothing is there, which a person's file may well be; a broken link is something. */
bool yaml_file_is_absent(const char *path);

#endif
