/*
 * The elements of an assistant's text other than prose, as blocks: payloads by their
 * type, suggestions as chips, unused elements and warnings; and payloads in tool results.
 * The document's context is a struct side_reading, or NULL: then there are no payload
 * types.  Each function adds to the end of the document.  Proposals are payloads that one
 * can choose from: they have a file of their own (proposal.c).
 */
#ifndef CATENA_VIEW_ELEMENTS_H
#define CATENA_VIEW_ELEMENTS_H

#include "chat/response.h"
#include "payload/payload.h"
#include "view/doc.h"

/* Reads a text for elements; false, with nothing to release, when it is prose alone. */
bool elements_read(const struct doc *d, struct str text, struct response *r);

/* Adds the text, which must live as long as the document, with its elements in place. */
void elements_add(struct doc *d, struct str text, const struct response *r);

/* Adds the fields of a response that are not in a text: custom_payload, suggested_values,
 * suggested_actions. */
void elements_add_response(struct doc *d, struct jv response);

/* Whether a tool's result contains {"payload": {"type", "data"}}; and adds it if it does.
 */
bool elements_is_tool_payload(struct doc *d, struct jv content);
bool elements_add_tool_payload(struct doc *d, struct jv content);

/* ---- payloads ---- */

/* A payload of any type: a proposal (below) where proposal_is says so, else its
 * title, its facts, its list as a table, and the rest as JSON.  `defined` is NULL for a
 * type that is not registered.  `known` may be NULL; it, the type and the data's text
 * outlive the document. */
void payload_add(struct doc *d, struct str type, const struct payload_type *defined,
	struct jv data, const struct known_ids *known);

/* What it has in common with proposals: icon, title and name of a type, on the line that
 * was begun last, and as a block of its own. */
void payload_put_title(
	struct lines *out, struct str type, const struct payload_type *defined);
void payload_add_title(struct doc *d, struct str type, const struct payload_type *defined,
	struct jv data);
/* "▸ json, 1.2 KB": a fold with the whole as a tree. */
void payload_add_json(struct doc *d, struct jv value);
/* The width of a type's panel in cells, with the indent; 0: the type has no width. */
uint32_t payload_limit(const struct payload_type *defined, uint32_t indent);

/* ---- proposals ---- */

/*
 * As tables with check marks, a preview and what can be written (payload/payload.h).  The
 * first block of a proposal is its title, and all others have a higher level: to put one
 * into a fold, raise the levels of all its blocks alike.
 */

/* As payload_add. */
void proposal_add(struct doc *d, struct str type, const struct payload_type *defined,
	struct jv data, const struct known_ids *known);

/* Whether the block at `at` belongs to a proposal. */
bool proposal_holds(const struct doc *d, size_t at);

/* Appends the JSON of the chosen operations of the proposal that a block belongs to
 * (proposal_write); false, and nothing, when it belongs to none. */
bool proposal_at(const struct doc *d, size_t at, struct buf *json);

/* The title of the first proposal at or after `from`, else of the last one before it;
 * SIZE_MAX when none is shown. */
size_t proposal_find(const struct doc *d, size_t from);

/* Opens, or closes, the preview of the table that the chosen operations would give; the
 * place moves to it.  False when the place is not in a proposal. */
bool proposal_apply(struct doc *d, struct place *p);

/* Folds a proposal into one line, or unfolds it; the place goes to its title. */
bool proposal_dismiss(struct doc *d, struct place *p);

#endif
