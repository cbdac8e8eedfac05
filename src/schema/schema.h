/*
 * JSON Schema, draft-07, on decoded values: all that the official test suite requires of
 * draft 7 except remote references, the meta-schema and `format` (an annotation here).
 * Both a schema and the values it checks may be hostile: patterns run in PCRE2 with
 * limits, and the work of a check is bounded.
 *
 * https://json-schema.org/draft-07/json-schema-validation
 */
#ifndef CATENA_SCHEMA_SCHEMA_H
#define CATENA_SCHEMA_SCHEMA_H

#include "json/json.h"

struct schema;

struct schema_finding {
	struct str pointer; /* of the value in the document: a JSON pointer (RFC 6901) */
	struct str path;  /* that pointer as people write it: operations[0].column.type */
	const char *rule; /* the keyword that does not hold: "required", "enum", … */
	const json_t *value; /* the value it does not hold for; borrowed */
	struct str message;  /* one sentence, with the value shortened; unsafe text */
};

/*
 * Findings come in document order, and are valid during the call only.  Both paths are
 * empty for the document itself.  The rule is "schema" when the whole schema is false,
 * and "limits" when the check was given up.  Return false to end the check.
 */
typedef bool schema_each_fn(const struct schema_finding *finding, void *ctx);

/*
 * Compiles a schema and keeps a reference to it: it must not change any more.  NULL when
 * it is no valid schema; then err, unless NULL, names the path in the schema and what is
 * wrong: an unknown type, a pattern that does not compile, a $ref that leads nowhere, to
 * another document or in circles.
 */
struct schema *schema_new(const json_t *schema, struct err *err);
void schema_free(struct schema *s);
size_t schema_size(const struct schema *s); /* bytes, about; without the value */

/*
 * Whether the value is valid; false also when the check was given up.  `each` may be
 * NULL: the first mistake ends the check then.  Bounded: seconds at most, whatever the
 * schema.
 */
bool schema_check(
	const struct schema *s, const json_t *value, schema_each_fn *each, void *ctx);

#endif
