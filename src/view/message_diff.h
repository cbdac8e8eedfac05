/*
 * The difference of two messages as blocks: the parts (chat/parts) of one are matched
 * with those of the other, texts compared by words, arguments and results as JSON; and
 * that of two JSON values as rows: "~ temperature: [-0.7-]{+0.2+}".  Objects and arrays
 * give a row for each place that differs, long texts their difference below.
 */
#ifndef CATENA_VIEW_MESSAGE_DIFF_H
#define CATENA_VIEW_MESSAGE_DIFF_H

#include "diff/messages.h"
#include "view/text_diff.h"

/* Add blocks to the end; messages must outlive the document. */
void message_diff_add(struct doc *d, const struct compared_message *was,
	const struct compared_message *is);
/* A whole message, in ROLE_DELETED, ROLE_ADDED, or ROLE_TEXT when it stayed. */
void message_diff_add_whole(struct doc *d, const struct compared_message *message,
	enum role role, uint32_t level);
/* Appends the beginning of a message, as one line of unsafe text. */
void message_diff_brief(struct buf *out, const struct compared_message *message);

/* Adds rows.  `label` (unsafe text) names the value, or is empty; J_NONE: it was
 * added, or removed.  All must live as long as the document.  The first row is a
 * difference (value_diff_is_row). */
void value_diff_add(struct addition to, struct str label, struct jv was, struct jv is);
bool value_diff_is_row(const struct doc *d, size_t at);

#endif
