/*
 * The tool calls of one chain, each counted once, however often the history repeats it.
 *
 * A call is identified by its id and its tool's name, in outputs and inputs; a call
 * without an id is counted where an output has it.  Messages with which an output repeats
 * the step's own input do not count as output.  A call belongs to the first step whose
 * output has it; if a step and a step below it both have it, to the one below.  A call
 * that only inputs have is counted, but belongs to no step.
 *
 * A result that failed (chat/brief.h) counts against the last call before it with its id; without
 * an id, against the tool it names, or else against the last call.
 */
#ifndef CATENA_ANALYSIS_CALLS_H
#define CATENA_ANALYSIS_CALLS_H

#include "chat/parts.h"
#include "import/open.h"

#define NO_POSITION UINT32_MAX
#define NO_CALL     UINT32_MAX

struct call {
	uint32_t tool;     /* number in `tools` */
	uint32_t position; /* in the order, of the step it belongs to, or NO_POSITION */
	bool failed;
	double from, to; /* when it was made and answered, in s since 1970: calls_time;
			    or NaN */
};

/* The counts of a tool so far. */
struct tool_count {
	uint64_t calls, errors;
	uint32_t first; /* position of the step where it was first called */
};

struct calls {                     /* all zero bits: none */
	struct intern tools;       /* names, with a number each */
	struct tool_count *counts; /* by number; of all chains */
	size_t count_cap;
	struct call *items; /* of this chain, in order of appearance */
	size_t count, cap;
	uint32_t *path; /* positions of the step and those above it, by depth */
	/* private */
	struct idmap known; /* identity of a call → its item */
	struct idmap ids;   /* id → place in `latest` */
	uint32_t *latest;   /* the last item with the id */
	size_t latest_cap;
	struct idmap results; /* results without an id that were counted */
	size_t path_cap;
};

/* The place of a part in the trace. */
struct call_place {
	const struct trace *trace;
	uint32_t position; /* of the step in the order */
	bool output;       /* the part is new output of this step */
	uint64_t message;  /* hash of the message's text */
	size_t part;       /* number of the part in its message */
};

/*
 * The messages of an opened step, input first; where both sides are one, once:
 *
 *	struct call_walk w = {.trace = trace, .position = position, .opened = o};
 *	while (call_walk_next(&w)) …
 *
 * A message is valid until the next one.
 */
struct call_walk {
	const struct trace *trace;
	uint32_t position; /* of the step in the order */
	const struct step_content *opened;
	/* the message: */
	const struct side *side;
	bool input;
	size_t message; /* its number on that side */
	struct jv value;
	struct parts parts;
	struct call_place at; /* of its first part */
	struct arena arena;
	/* private */
	size_t next;
	size_t bytes;  /* of messages since the clock was looked at */
	size_t echoes; /* messages with which the output repeats the input, so far */
};

bool call_walk_next(struct call_walk *w);
/* Whether the deadline has passed; looks at the clock each 256 KB of messages. */
bool call_walk_late(struct call_walk *w, uint64_t deadline);
void call_walk_done(struct call_walk *w); /* before the last message */

void calls_done(struct calls *c);
void calls_next_chain(struct calls *c); /* drops the items and keeps the tools */
/* Begins a step: call it before the step's parts, in the order of the trace. */
void calls_step(struct calls *c, const struct trace *trace, uint32_t position);
/* Adds a part that is a call, or one that is a result.  Both cost O(1) on average.  Of a
 * call the number of its item, or NO_CALL when it is not counted.  Of a result the number
 * of the tool against which it is counted now, or NO_CALL. */
uint32_t calls_add(struct calls *c, const struct call_place *at, const struct part *call,
	struct arena *arena);
uint32_t calls_result(struct calls *c, const struct call_place *at,
	const struct part *result, struct arena *arena);
/* The item of the call that a result with an id answers, or NO_CALL. */
uint32_t calls_answered(
	const struct calls *c, const struct part *result, struct arena *arena);
/* Notes when a call was made, or its result (the part) came, where the records of a
 * session log say that; `item` may be NO_CALL.  Cost: as of record_time. */
void calls_time(struct calls *c, uint32_t item, const struct part *part,
	struct record_times *times, const struct step_content *o);
/* From the call to its result; NaN: not known, or one record has both. */
double call_seconds(const struct call *call);

#endif
