/*
 * Two steps compared: what they were asked with, what was said to them and what they
 * answered.  It is made in slices, and read by view/step_diff and `catena diff --json`.
 */
#ifndef CATENA_DIFF_STEPS_H
#define CATENA_DIFF_STEPS_H

#include "base/task.h"
#include "diff/messages.h"
#include "diff/settings_delta.h"
#include "import/open.h"
#include "trace/trace.h"

/* One of the two, in the arena of the comparison. */
struct compared {
	struct opened *opened; /* owned */
	struct totals figures;
	struct str file;  /* empty: both are of one file */
	struct str title; /* what the list calls it; unsafe text, as the file */
	size_t number;    /* in its chain, from 1 */
	bool error;
	struct message_list
		talks[2]; /* of input and output; a shared conversation is input */
};

struct comparison {
	struct compared was, is;
	struct message_pairs pairs[2]; /* of input and output */
	struct settings_delta settings;
	struct arena arena;
	bool done;
	/* private */
	struct alignment *talking;
	int side; /* that is being compared */
};

/* Takes both opened steps; the models are needed only meanwhile. */
struct comparison *comparison_new(struct trace *was, uint32_t was_step,
	struct opened *was_opened, struct trace *is, uint32_t is_step,
	struct opened *is_opened);
/* Works until the deadline of base/clock. */
enum task_state comparison_run(struct comparison *c, uint64_t deadline);
void comparison_free(struct comparison *c); /* NULL is fine */

/* How many messages, settings and answers differ; once it is done. */
size_t comparison_differences(const struct comparison *c);

#endif
