/*
 * YAML as JSON values: for the configuration and the payload types.  Read from libyaml's
 * events, never expanded: anchors, aliases, tags, a second document, a duplicate key,
 * more than YAML_SIZE bytes or YAML_DEPTH levels are errors.  Plain scalars are null,
 * booleans and numbers by YAML's core schema
 * (https://yaml.org/spec/1.2.2/#103-core-schema), else strings; a number that JSON cannot
 * write (.inf, .nan) is an error.  Keys are texts as they are written.
 */
#ifndef CATENA_SCHEMA_YAML_H
#define CATENA_SCHEMA_YAML_H

#include "json/json.h"

#define YAML_SIZE (64u * 1024)
#define YAML_DEPTH                                                                       \
	16 /* containers within each other; deeper values are JSON in a block            \
	    */

struct yaml {         /* all zero bits: empty */
	json_t *root; /* owned; NULL for an empty document */
	/* private: where each value stands, a parent before its children */
	struct yaml_mark *marks;
	size_t mark_count, mark_cap;
	struct buf keys;
};

/*
 * False: err has offset, line and column, and its text names the key it stands under:
 * "payload_types.report.schema: ..."; `y` is empty then.
 */
bool yaml_read(struct yaml *y, struct str text, struct err *err);
void yaml_done(struct yaml *y);

/*
 * Line and column (in bytes, from 1) of the value at a JSON pointer (RFC 6901): of its
 * key where it has one.  What is not there has the place of its nearest ancestor.
 */
void yaml_place(
	const struct yaml *y, struct str pointer, uint64_t *line, uint64_t *column);

/*
 * From a place within the text of the string at `pointer` to the place in the file: exact
 * in a literal block ("|"), where the string begins in any other.
 */
void yaml_place_within(
	const struct yaml *y, struct str pointer, uint64_t *line, uint64_t *column);

#endif
