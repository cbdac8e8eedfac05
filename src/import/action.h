/*
 * What a step did, in a few words, for its row in the list: the tools it called with the
 * argument that says most ("edit_file src/a.c"), else the first words of its answer, else
 * what it was asked.  Of a session log's turn the results stand in the next one, so each
 * step also tells what its input says of calls made before.
 */
#ifndef CATENA_IMPORT_ACTION_H
#define CATENA_IMPORT_ACTION_H

#include "chat/brief.h"
#include "import/open.h"

#define ACTION_RESULTS 4

struct step_action {
	struct buf text; /* unsafe text, of one line */
	bool calls;      /* it called tools */
	uint64_t call;   /* hash of its first call's id; 0: it has none */
	bool open;       /* it called, or was asked, and has no result or answer itself */
	bool judged;     /* the result of that call stands in this step: */
	struct outcome outcome;
	struct {
		uint64_t call;
		struct outcome outcome;
	} results[ACTION_RESULTS]; /* of calls, that its input begins or ends with */
	size_t result_count;
};

/* Fills it again, keeping the text's memory.  Linear in the step's messages. */
void action_read(struct step_action *a, const struct step_content *o);
void action_done(struct step_action *a);
/* How the action's call ended: by itself, or by the step after it (may be NULL).  False:
 * not known. */
bool action_outcome(const struct step_action *a, const struct step_action *next,
	struct outcome *outcome);

/* Appends what a step is called where it is one of several: its own name if that tells it
 * from others (trace_names_tell), else what it did, else its model or event; unsafe text
 * of one line.  `o` is the step opened, or NULL: then it is opened, unless it is long
 * (OPENED_AT_ONCE). */
void step_call(struct trace *trace, uint32_t step, const struct step_content *o,
	struct buf *out);

#endif
