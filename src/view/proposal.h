/*
 * Proposals as tables with check marks, a preview and what can be written (see
 * payload/proposal.h).
 *
 * The first block of a proposal is its title, and all others have a higher level: to put
 * one into a fold, raise the levels of all its blocks alike.
 */
#ifndef CATENA_VIEW_PROPOSAL_H
#define CATENA_VIEW_PROPOSAL_H

#include "payload/known.h"
#include "payload/proposal.h"
#include "payload/registry.h"
#include "view/doc.h"

/* As payload_add (view/elements.h). */
void proposal_add(struct doc *d, struct str type, const struct payload_type *defined,
	struct jv data, const struct known_ids *known);

/* ---- of a proposal that is shown ---- */

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
