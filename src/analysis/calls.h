/*
 * The tool calls of one chain, each counted once, however often the history repeats it.
 *
 * A call is known by its id and its tool's name, in outputs and inputs alike; without an
 * id it is counted where an output has it.  The messages with which an output repeats the
 * step's own input are none of the output's.  A call belongs to the first step whose
 * output has it; where a step and one below it say the same, to the one below.  A call
 * that is seen in inputs alone counts, but belongs to no step.
 *
 * A result marked as an error counts against the last call before it that has its id;
 * without one, against the tool it names, else against the last call.
 */
#ifndef CATENA_ANALYSIS_CALLS_H
#define CATENA_ANALYSIS_CALLS_H

#include "chat/parts.h"
#include "trace/trace.h"

#define NO_POSITION UINT32_MAX

struct call {
	uint32_t tool;     /* number in `tools` */
	uint32_t position; /* in the order, of the step it belongs to, or NO_POSITION */
	bool failed;
};

/* What is found out about a tool while steps are read. */
struct tool_count {
	uint64_t calls, errors;
	uint32_t first; /* position of the step where it was first called */
};

struct calls {                     /* all zero bits: none */
	struct intern tools;       /* names */
	struct tool_count *counts; /* by number; of all chains */
	size_t count_cap;
	struct call *items; /* of this chain, in the order they were met */
	size_t count, cap;
	/* private */
	struct idmap known; /* what tells a call → its item */
	struct idmap ids;   /* id → place in `latest` */
	uint32_t *latest;   /* the last item that has the id */
	size_t latest_cap;
	struct idmap results; /* without an id: seen */
	uint32_t *path;       /* positions of the step and those above it, by depth */
	size_t path_cap;
};

/* Where a part stands. */
struct call_place {
	const struct trace *trace;
	uint32_t position;
	bool output;      /* the model says it here */
	uint64_t message; /* hash of the message's text */
	size_t part;      /* which of the message's parts */
};

void calls_done(struct calls *c);
void calls_next_chain(struct calls *c); /* forgets the items, not the tools */
/* Before the parts of a step: steps come in the model's order. */
void calls_step(struct calls *c, const struct trace *trace, uint32_t position);
void calls_add(struct calls *c, const struct call_place *at, const struct part *call,
	struct arena *arena);
void calls_result(struct calls *c, const struct call_place *at, const struct part *result,
	struct arena *arena);

#endif
