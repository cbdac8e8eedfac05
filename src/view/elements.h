/*
 * The elements of an assistant's text other than prose, as blocks: payloads by their
 * type, suggestions as chips, unused elements and warnings; and payloads in tool results.
 * The document's context is a struct side_reading, or NULL: then there are no payload
 * types. Each function inserts at `at` and returns how many blocks that made.
 */
#ifndef CATENA_VIEW_ELEMENTS_H
#define CATENA_VIEW_ELEMENTS_H

#include "chat/response.h"
#include "view/doc.h"

/* Reads a text for elements; false, with nothing to release, when it is prose alone. */
bool elements_read(const struct doc *d, struct str text, struct response *r);

/* Inserts the text, which must live as long as the document, with its elements in place.
 */
size_t elements_insert(
	struct doc *d, size_t at, struct str text, const struct response *r);

/* Inserts the fields of a response that are not in a text: custom_payload,
 * suggested_values, suggested_actions. */
size_t elements_insert_response(struct doc *d, size_t at, struct jv response);

/* Whether a tool's result contains {"payload": {"type", "data"}}, and its blocks; 0 when
 * it has no payload. */
bool elements_is_tool_payload(struct doc *d, struct jv content);
size_t elements_insert_tool_payload(struct doc *d, size_t at, struct jv content);

#endif
