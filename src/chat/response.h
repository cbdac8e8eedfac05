/*
 * The structured elements in an assistant's text, as the "LLM Response Output Schema"
 * document has them: suggested values, suggested actions and one payload, each a marker
 * and a balanced, strict JSON value after it.
 *
 * A marker is \*{0,2}NAME\*{0,2}\s*:\*{0,2}, case-sensitive: plain, bold or italic, the
 * colon inside or after them.  One pass over the untouched text, left to right.  What
 * stands inside a block is no marker.  A marker without a value of its kind stays text,
 * with a warning, and the search goes on after its name.
 *
 * Where the document is silent:
 * - The pattern has no word boundary: MY_SCHEMA_PROPOSAL: {} is a block after "MY_".
 * - Of known names the leftmost counts, at one place the longest that has a value, of
 *   equal ones the first.  So a name inside the name of a marker is none.
 * - White space is what Unicode calls so.
 * - Strict is what json_check calls STRICT: raw control characters, bytes that are not
 *   UTF-8 and lone surrogates spoil a value as NaN does.
 *
 * Linear in the text, whatever stands there.  A value is judged up to the byte that
 * decides, and no byte is judged for more than two markers: a marker inside JSON is
 * inside a string, because what stands before a colon elsewhere is a quote; and what it
 * reads as strings is the structure of the outer value, where no third marker can stand.
 * Therefore a name that ends in a quote is never found.
 */
#ifndef CATENA_CHAT_RESPONSE_H
#define CATENA_CHAT_RESPONSE_H

#include "base/buf.h"
#include "json/cursor.h"

/* A payload that may be marked in a text. */
struct response_type {
	struct str name;   /* "schema_proposal" */
	struct str marker; /* "SCHEMA_PROPOSAL", without a colon; blank: never found */
};

enum element_kind { ELEMENT_VALUES, ELEMENT_ACTIONS, ELEMENT_PAYLOAD };

struct element {
	enum element_kind kind;
	size_t type;     /* PAYLOAD: index in the list of types; else 0 */
	size_t at, end;  /* [at, end) of the text: marker and value */
	struct jv value; /* in the text: an array, of a PAYLOAD an object */
	bool used;       /* the one of its kind: cut out of the message */
};

struct response_warning {
	size_t at, end; /* of the marker in the text */
	enum element_kind kind;
	size_t type;       /* as in struct element */
	struct str marker; /* its name as it stands in the text */
	const char *text;  /* static: "a marker without a JSON array behind it", … */
	const char *fault; /* static: what spoils the value; NULL: none begins there */
	size_t fault_at;   /* where in the text */
};

struct response {
	struct element *elements; /* in text order, the unused ones too */
	size_t count, cap;
	struct response_warning *warnings; /* in text order */
	size_t warning_count, warning_cap;
};

/*
 * `types` in order of registration: the first that has a block is the payload.  Values
 * and names borrow the text; the types are not needed afterwards.
 */
void response_read(struct response *r, struct str text, const struct response_type *types,
	size_t type_count);
void response_done(struct response *r);

/* The used element of a kind, or NULL. */
const struct element *response_used(const struct response *r, enum element_kind kind);

/* Appends what is left of the text without the used elements, trimmed. */
void response_message(const struct response *r, struct str text, struct buf *out);

#endif
