/*
 * The comparison of two steps: their settings, their input and their output.  It is made
 * in slices; view/step_diff shows it, `catena diff --json` prints it.
 */
#ifndef CATENA_DIFF_STEPS_H
#define CATENA_DIFF_STEPS_H

#include "base/work.h"
#include "diff/messages.h"
#include "import/open.h"
#include "trace/trace.h"

/*
 * How the requests of two steps differ apart from their messages: in parameters, in the
 * tools offered, in the schema of the answer.  Facts have the names of the field map, so
 * that steps of two formats can be compared; other members of a step have their keys as
 * names.  Ids, times and figures do not count.
 */
enum setting_group { SETTING_PARAMETER, SETTING_TOOL, SETTING_SCHEMA, SETTING_GROUPS };

struct setting_change {
	enum setting_group group;
	struct str name;   /* unsafe text, in the arena: temperature, or a tool's name */
	struct jv was, is; /* J_NONE: the step does not have it */
};

struct settings_delta {               /* all zero bits: no change */
	struct setting_change *items; /* group by group */
	size_t count, cap;
};

/* One of the two steps; its texts are in the arena of the comparison. */
struct compared {
	struct step_content *opened; /* owned */
	struct totals figures;
	struct str file;  /* empty: both steps are in one file; unsafe text */
	struct str title; /* as in the list; unsafe text */
	size_t number;    /* in its chain, from 1 */
	bool error;
	struct message_list
		messages[2]; /* of input and output; a shared conversation is input */
};

struct comparison {
	struct compared was, is;
	struct history messages[2]; /* of input and output */
	struct settings_delta settings;
	struct arena arena;
};

/* What became of the messages of a side of one step in that of another.  Cost: see
 * messages_compare; where the work is to stop (base/work.h) nothing is filled. */
void comparison_read_messages(
	struct history *h, struct message_list *was, struct message_list *is);

/* Takes both opened steps; the traces are needed only during the call. */
struct comparison *comparison_new(struct trace *was, uint32_t was_step,
	struct step_content *was_opened, struct trace *is, uint32_t is_step,
	struct step_content *is_opened);
/* Fills `messages` and `settings`, once.  False: a key stopped it (base/work.h); it may
 * be run again. */
bool comparison_run(struct comparison *c);
void comparison_free(struct comparison *c); /* NULL is fine */

/* How many messages and settings differ; valid once the comparison was run.  O(1). */
size_t comparison_differences(const struct comparison *c);

#endif
