/* What a break of the cache ledger (analysis/ledger) and its sums are called, as unsafe
 * text of one line. */
#ifndef CATENA_VIEW_LEDGER_WORDS_H
#define CATENA_VIEW_LEDGER_WORDS_H

#include "analysis/ledger.h"

/* "idle: 14.2k not read, +$0.04"; nothing where there is no break. */
void ledger_words_break(
	const struct trace *trace, const struct ledger_row *row, struct buf *out);
/* "45.0k read, 2745 written, 9045 fresh; 2 breaks, 1 idle, 1 unknown: 14.2k not read,
 * about
 * +$0.04" */
void ledger_words_sums(const struct ledger_sums *s, struct buf *out);

#endif
