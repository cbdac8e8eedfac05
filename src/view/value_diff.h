/*
 * The difference of two JSON values as rows of a document: "~ temperature:
 * [-0.7-]{+0.2+}".  Objects and arrays give a row for each place that differs, long texts
 * their difference below.
 */
#ifndef CATENA_VIEW_VALUE_DIFF_H
#define CATENA_VIEW_VALUE_DIFF_H

#include "view/doc.h"

/*
 * Inserts rows at `at`, and returns how many blocks that made.  `label` (unsafe text)
 * names the value, or is empty; J_NONE: it was added, or removed.  All must live as long
 * as the document.  The first row is a difference (value_diff_is_row).
 */
size_t value_diff_insert(struct doc *d, size_t at, struct str label, struct jv was,
	struct jv is, uint32_t indent, uint32_t level);

bool value_diff_is_row(const struct doc *d, size_t at);

#endif
