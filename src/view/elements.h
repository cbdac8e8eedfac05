/*
 * The elements of an assistant's text other than prose, as blocks: payloads by their
 * type, suggestions as chips, unused elements and warnings; and payloads in tool results.
 * The document's context is a struct side_reading, or NULL: then there are no payload
 * types. Each function inserts at `at` and returns how many blocks that made.
 */
#ifndef CATENA_VIEW_ELEMENTS_H
#define CATENA_VIEW_ELEMENTS_H

#include "chat/response.h"
#include "payload/known.h"
#include "payload/registry.h"
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

/* ---- payloads ---- */

/* A payload of any type: a proposal (view/proposal.h) where proposal_is says so, else its
 * title, its facts, its list as a table, and the rest as JSON.  `defined` is NULL for a
 * type that is not registered.  `known` may be NULL; it, the type and the data's text
 * outlive the document. */
size_t payload_insert(struct doc *d, size_t at, struct str type,
	const struct payload_type *defined, struct jv data,
	const struct known_ids *known);

/* What it has in common with proposals. */

/* Icon, title and name of a type, on the line that was begun last. */
void payload_put_title(
	struct lines *out, struct str type, const struct payload_type *defined);
/* Inserts such a title as a block of its own; returns 1. */
size_t payload_insert_title(
	struct doc *d, size_t at, struct str type, const struct payload_type *defined);

/* "▸ json, 1.2 KB": a fold with the whole as a tree. */
size_t payload_insert_json(struct doc *d, size_t at, struct jv value);

size_t payload_insert_tree(struct doc *d, size_t at, struct jv value);

/* The width of a type's panel in cells, with the indent; 0: the type has no width. */
uint32_t payload_limit(const struct payload_type *defined, uint32_t indent);

#endif
