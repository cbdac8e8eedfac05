/*
 * YAML as JSON values: for the configuration and the payload types.  Read from the events
 * of libyaml, never expanded: anchors, aliases, tags, a second document, a duplicate key,
 * more than YAML_SIZE bytes or YAML_DEPTH levels are errors.  Plain scalars are null,
 * booleans and numbers by YAML's core schema
 * (https://yaml.org/spec/1.2.2/#103-core-schema), else strings; a number that JSON cannot
 * write (.inf, .nan) is an error.  Keys are texts as they are written.  Linear; at most a
 * few milliseconds for a full file.
 */
#ifndef CATENA_SCHEMA_YAML_H
#define CATENA_SCHEMA_YAML_H

#include "base/map.h"
#include "json/json.h"

#define YAML_SIZE  (64u * 1024)
#define YAML_DEPTH 16 /* containers within each other; deeper: JSON in a block */

struct yaml {         /* all zero bits: empty */
	json_t *root; /* owned; NULL for an empty document */
	/* private */
	struct intern values;    /* "3/name": the member or item of value 3 */
	struct yaml_mark *marks; /* by number: where each value stands */
	size_t mark_cap;
};

/*
 * False: err has offset, line and column, its text begins with the path of keys
 * ("payload_types.report.schema: ..."), and `y` is empty.
 */
bool yaml_read(struct yaml *y, struct str text, struct err *err);
void yaml_done(struct yaml *y);

/*
 * Line and column (in bytes, from 1) of the value at a JSON pointer (RFC 6901): of its
 * key where it has one.  A value that does not exist has the place of its nearest
 * ancestor.  Linear in the pointer.
 */
void yaml_place(
	const struct yaml *y, struct str pointer, uint64_t *line, uint64_t *column);

/*
 * Turns a place within the text of the string at `pointer` into the place in the file:
 * exact in a literal block ("|"), the beginning of the string in any other.
 */
void yaml_place_within(
	const struct yaml *y, struct str pointer, uint64_t *line, uint64_t *column);

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
