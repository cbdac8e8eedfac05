/*
 * Where words were first said: the earliest place in a trace where the heaviest run of
 * them stands that stands anywhere before a place (analysis/wording.h).
 *
 * Steps are gone through in the order of the chain.  A step that has others below it is
 * sent its input before them, and answers after them.  Then comes the step of the place,
 * up to its message.  If there is nothing telling in the chain, the other chains are gone
 * through, but for steps that are later by their time.  Where all words stand together
 * the search ends.
 *
 * Every step is opened; a message that was looked through before, byte for byte, is
 * passed over.  Kept are 16 bytes for each different message.
 */
#ifndef CATENA_ANALYSIS_ORIGIN_H
#define CATENA_ANALYSIS_ORIGIN_H

#include "analysis/context_items.h"
#include "analysis/wording.h"
#include "base/task.h"

struct origin {
	struct wording wording;
	struct wording_look look; /* its `best` is what was found */
	struct step_part here;    /* from where it was asked, */
	struct step_part found;
	enum context_kind kind; /* what was found */
	struct buf name;        /* of its tool, or its call in few words; unsafe text */
	bool elsewhere;         /* in another chain */
	/* private */
	struct trace *trace;
	struct buf text;
	struct origin_event *events; /* in the order of time */
	size_t count, cap, next;
	size_t own; /* events of the place's chain, which are the first */
	struct idmap seen;
	struct context_names names;
};

/* Copies the text.  The place's step is arranged; the trace must not change meanwhile. */
struct origin *origin_new(
	struct trace *trace, const struct step_part *here, struct str text);
void origin_free(struct origin *o);
/* Works until the deadline of base/clock. */
enum task_state origin_run(struct origin *o, uint64_t deadline);
unsigned origin_percent(const struct origin *o);
/* Whether something was found that tells something, before the place. */
bool origin_is_found(const struct origin *o);

#endif
