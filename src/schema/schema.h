/*
 * JSON Schema, draft-07, on decoded values: everything the official test suite requires
 * of draft 7 but remote references, the meta-schema and `format` (an annotation here).
 * Patterns run in PCRE2 with limits: a schema, and the text it is put to, may be hostile.
 *
 * https://json-schema.org/draft-07/json-schema-validation
 */
#ifndef CATENA_SCHEMA_SCHEMA_H
#define CATENA_SCHEMA_SCHEMA_H

#include "json/json.h"

struct schema;

struct schema_finding {
	struct str pointer;  /* of the value in the document: a JSON pointer (RFC 6901) */
	struct str path;     /* the same as people write it: operations[0].column.type */
	const char *rule;    /* the keyword that does not hold: "required", "enum", … */
	const json_t *value; /* the value it does not hold for; borrowed */
	struct str message;  /* one sentence, with the value in short; unsafe text */
};

/*
 * Findings come in document order; all of it is valid during the call only.  Both paths
 * are empty for the document itself.  The rule is "schema" when the whole schema is
 * false, and "limits" when the schema is so hard to check that nobody can tell.  False:
 * enough.
 */
typedef bool schema_each_fn(const struct schema_finding *finding, void *ctx);

/*
 * Compiles a schema; keeps a reference to it, and it must not change any more.  NULL when
 * it is none: err (or NULL) names the path in the schema and what is wrong: a type that
 * is unknown, a pattern that does not compile, a $ref that leads nowhere, to another
 * document or in circles.
 */
struct schema *schema_new(const json_t *schema, struct err *err);
void schema_free(struct schema *s);
size_t schema_size(const struct schema *s); /* bytes, about; without the value */

/* Whether the value is valid.  `each` may be NULL: the first mistake is enough then. */
bool schema_check(
	const struct schema *s, const json_t *value, schema_each_fn *each, void *ctx);

#endif
