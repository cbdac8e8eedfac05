/* See ledger_words.h. */
#include "config.h"
#include "view/ledger_words.h"

#include <inttypes.h>
#include <math.h>

#include "view/facts.h"

void ledger_words_break(
	const struct trace *trace, const struct ledger_row *row, struct buf *out)
{
	if (row->cause == LEDGER_KEPT)
		return;
	ledger_put_cause(trace, row, out);
	buf_text(out, ": ");
	facts_tokens(out, row->lost);
	buf_text(out, " not read");
	if (!isnan(row->cost)) {
		buf_text(out, ", +");
		facts_cost(out, row->cost);
	}
}

void ledger_words_sums(const struct ledger_sums *s, struct buf *out)
{
	facts_tokens(out, s->read);
	buf_text(out, " read, ");
	facts_tokens(out, s->written);
	buf_text(out, " written, ");
	facts_tokens(out, s->fresh);
	buf_printf(out, " fresh; %" PRIu64 " break%s", ledger_breaks(s),
		ledger_breaks(s) == 1 ? "" : "s");
	for (int i = LEDGER_KEPT + 1; i < LEDGER_CAUSES; i++)
		if (s->breaks[i])
			buf_printf(out, ", %" PRIu64 " %s", s->breaks[i],
				ledger_cause_names[i]);
	if (!ledger_breaks(s))
		return;
	buf_text(out, ": ");
	facts_tokens(out, s->lost);
	buf_text(out, " not read");
	if (s->cost > 0) {
		buf_text(out, ", about +");
		facts_cost(out, s->cost);
	}
	buf_text(out, s->unpriced ? " and what models without a price cost" : "");
}
