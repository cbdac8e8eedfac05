/*
 * What is read together: steps, the chains they belong to, their tree
 * and totals.  Steps are a few bytes each (trace/step.h); their bodies stay in the file.
 * Everything refers to steps, chains and scopes by index; indices of steps never
 * change meaning while the trace only grows.
 *
 * Steps are added in file order.  trace_arrange_run then groups them into chains, of
 * which none spans two origins (inputs_origin), nests them and puts them in pre-order;
 * until it is called again the arrangement stands as it was (new steps of a plain list
 * are appended at once).  It works in slices, and the arrangement before stays whole
 * until the new one is.
 */
#ifndef CATENA_TRACE_TRACE_H
#define CATENA_TRACE_TRACE_H

#include "base/map.h"
#include "base/work.h"
#include "io/inputs.h"
#include "trace/step.h"

/*
 * Steps with several records: later records that say more of a step whose first one came
 * before.  What is known is kept by where the first record begins, so that nothing here
 * changes when steps are forgotten and read again.  For trace/ and import/ alone.
 */
struct file_range {
	uint64_t offset, length;
};

struct further { /* all zero bits: none */
	struct further_range *ranges;
	size_t count, cap;
	struct idmap first; /* range by the offset of the first record */
};

/* The record at `of` goes on in a range; one that is known already is kept once.
 * Cost: O(1); for a record that is read again linear in those of its step. */
void further_add(struct further *f, uint64_t of, struct file_range range);
/* How many more ranges the record at `of` has. */
size_t further_count(const struct further *f, uint64_t of);
/* Those, in the order in which they were added; room for further_count. */
void further_get(const struct further *f, uint64_t of, struct file_range *out);

/*
 * Texts that a step has beside its content and that are named in it: where each is in the
 * file. Kept for one step at a time; of the steps that have none the last few are known,
 * so that they are not read again for each step in them.  import/open.c fills it.
 */
#define ATTACHED_BARE 16

struct attached {    /* all zero bits: of no step */
	uint64_t of; /* where the step begins, */
	uint64_t length;
	struct idmap by_name; /* number of the range by the key of its name */
	struct file_range *ranges;
	size_t count, cap;
	struct file_range bare[ATTACHED_BARE]; /* steps without texts, last asked first */
};

/* Where steps were found together: a file of lines, an events array, a row object. */
struct scope {
	uint32_t trace_id;       /* interned that wins over the steps' own, or NO_TEXT */
	uint32_t name;           /* interned chain_name, or NO_TEXT */
	uint32_t asked; /* interned: what a person asked for first; NO_TEXT: not known */
	uint32_t first_trace_id; /* the first id among its steps, or NO_TEXT */
	uint32_t shared; /* interned JSON: what it states for all its steps; or NO_TEXT */
	bool chain;              /* it is a chain even without a step */
	uint64_t offset;         /* of the value: an address */
	const void *plan;        /* how its steps are read: owned by the load */
	const void *description; /* of a described format: import/describe.h; or NULL */
	const char *format;      /* of its source, static; NULL while unknown */
};

/* Figures by number: the first ones a step may state for those below it. */
enum total_figure {
	TOTAL_INPUT,
	TOTAL_OUTPUT,
	TOTAL_COST,
	TOTAL_STATED,
	TOTAL_FIGURES = TOTAL_STATED + 3
};

struct totals {
	uint64_t steps, errors;
	/* NaN: no step knows; what the cache gave and took is a part of the input */
	union {
		struct {
			double input_tokens, output_tokens, cost, latency, cache_read,
				cache_write;
		};
		double figures[TOTAL_FIGURES];
	};
};

struct chain {
	uint32_t trace_id; /* interned */
	bool generated;    /* the id was made up from the file's bytes */
	uint32_t name;     /* interned, or NO_TEXT */
	uint32_t scope;
	size_t first; /* its steps have the positions [first, first + count) */
	size_t count;
	struct totals totals;
};

/* What is known of the steps' own names. */
struct step_names {
	struct buf first; /* of the first step that has one, as it is written */
	size_t looked, compared;
	bool differ;
	uint32_t generation; /* of the trace */
};

struct trace {
	struct inputs *inputs; /* owned */
	const char *format;    /* name of the format, static; NULL while unknown */
	size_t count;          /* of steps, in file order */
	struct scope *scopes;
	size_t scope_count, scope_cap;
	struct chain *chains;
	size_t chain_count, chain_cap;
	size_t order_count;   /* steps that have a position: see trace_at */
	struct intern texts;  /* trace ids, chain names, models, events */
	struct totals totals; /* of all chains */
	uint32_t generation;  /* raised when steps are forgotten: indices mean others */
	uint32_t arrangement; /* raised when a new order is made */
	uint32_t sums;        /* raised when the totals are */
	uint32_t failures;    /* raised when a step is found to have failed */
	struct idmap agents;      /* steps that start sub-agents, by the key of those */
	struct attached attached; /* texts that steps name: of the step asked last */
	struct further further;   /* what more there is of steps, elsewhere in the file */
	struct step_names names;       /* see trace_names_tell */
	/* private */
	struct store store;  /* the steps; of the last one what was settled */
	struct step last;    /* the last one, which may still be written */
	bool unsettled;      /* `last` may differ from what the store has of it */
	uint32_t *order;     /* steps by position; NULL: in file order */
	uint32_t *positions; /* of steps; NULL: their own numbers */
	uint32_t *depths;    /* by position; NULL: none is nested */
	uint32_t *parents;   /* by step, or ROOT_…; NULL: none has one */
	uint32_t *chain_of;  /* chain + 1 by kind of step; NULL: all are of chain 0 */
	size_t chain_of_count;
	struct rollup *rollups; /* of steps that show their children's figures, the last
				   first */
	size_t rollup_count;
	size_t arranged,
		arranged_scopes; /* steps and scopes that the arrangement knows */
	bool plain;              /* so far one chain, no parents, in time order */
	double latest;           /* timestamp of the last step of a plain list */
	uint32_t last_name; /* chain_name of the last step of a plain list that has one */
	struct arranging *arranging; /* what is in the making, or NULL */
	struct summing *summing;
};

struct trace *trace_new(struct inputs *inputs);       /* takes them */
struct trace *trace_of_source(struct source *source); /* of one; takes it */
void trace_free(struct trace *trace);

/* A step with nothing known; valid until trace_append, or the next is added. */
struct step *trace_add(
	struct trace *trace, uint32_t scope, uint64_t offset, uint64_t length);
/* The last step once more, to be changed, valid as long; there is one. */
struct step *trace_last(struct trace *trace);
/* The key of an id: a hash, never 0.  It differs from run to run, unless a secret is set
 * before the first; false: there is another one. */
uint64_t trace_key(struct str id);
bool trace_set_secret(const uint64_t secret[2]);
/* An id by which other steps may call the last step their parent; three are kept. */
void trace_add_id(struct trace *trace, uint64_t key);
/* A scope with nothing known, of the value at an address; its index. */
uint32_t trace_add_scope(struct trace *trace, uint64_t offset);
/*
 * Forgets the steps and scopes from these indices on; the generation goes up.  The
 * arrangement stands if it knew none of them; else it is gone until trace_arrange_run is
 * called.
 */
void trace_truncate(struct trace *trace, size_t steps, size_t scopes);

/* A copy of a step, below `count`, with its place among the others.  O(1). */
struct step trace_step(const struct trace *trace, size_t step);
/* Where it ends in the source. */
uint64_t trace_step_end(const struct trace *trace, size_t step);
/* Of that only the flags that are kept. */
uint32_t trace_flags(const struct trace *trace, size_t step);
/* Changes what is known of a step; what is arranged is not looked at. */
void trace_put(struct trace *trace, size_t step, const struct step *what);
/* Raises flags of a step; those that are not kept are ignored.  A step that has failed
 * by them is added to the errors of the totals.  O(1). */
void trace_flag(struct trace *trace, size_t step, uint32_t flags);

/* Whether the steps' own names tell them apart; they do not where many steps have one and
 * the same.  Reads names from the file until two differ, 200 at most, once. */
bool trace_names_tell(struct trace *trace);

/* Call when an earlier step was given a parent: the list is plain no more. */
void trace_renest(struct trace *trace);
/* Call after a step is complete: puts it at the end of a plain list. */
void trace_append(struct trace *trace);
/* Whether trace_arrange_run has something to do.  O(1). */
bool trace_unarranged(const struct trace *trace);
/* A new arrangement of all steps; works until the deadline of base/work.  Steps that are
 * added in between begin it again.  Cost in all: linear in the steps, and n log n in
 * siblings that are not in order of time. */
enum task_state trace_arrange_run(struct trace *trace, uint64_t deadline);

/* The step at a position of the arrangement, below order_count. */
static inline uint32_t trace_at(const struct trace *trace, size_t position)
{
	return trace->order ? trace->order[position] : (uint32_t)position;
}

/* How deep the step at a position is nested: 0 for a root. */
static inline uint32_t trace_depth(const struct trace *trace, size_t position)
{
	return trace->depths ? trace->depths[position] : 0;
}

/* Whether the step at a position has steps below it. */
static inline bool trace_has_below(const struct trace *trace, size_t position)
{
	return position + 1 < trace->order_count &&
	       trace_depth(trace, position + 1) > trace_depth(trace, position);
}

/* The position of a step, or order_count when it has none yet.  O(1). */
size_t trace_position(const struct trace *trace, uint32_t step);
/* The position of the parent of what stands at a position; of a root its own.  O(1). */
size_t trace_parent_position(const struct trace *trace, size_t position);

extern const struct totals totals_unknown; /* no step, nothing known */
void totals_add(struct totals *sum, const struct totals *t);
/* Tokens of both sides; NaN: of neither known. */
double totals_tokens(const struct totals *t);
/* Input tokens that did not come from a cache; NaN: the input is not known. */
double totals_fresh(const struct totals *t);
/* What a step says of itself. */
struct totals totals_own(const struct step *s);
/* Whether a figure is a sum but for rounding: tokens are whole, costs have decimals. */
bool totals_agree(double figure, double sum);

/* The sum of what is below a step. */
struct below {
	struct totals sum;
	bool repeats; /* a step right below it says the tokens that it says */
};

extern const struct below below_nothing;

/* What a step's figures mean among the others. */
struct counted {
	struct totals own;   /* what it adds itself; NaN: what is below it says that */
	struct totals whole; /* that, and what is below it */
	struct totals shown; /* what the list shows for it; steps and errors its own */
};

/* The rule of totals, in totals.c: which figures of a step with these flags count. */
struct counted totals_count(
	const struct totals *own, uint32_t flags, const struct below *below);
/* A child goes to what is below `above`, which may be NULL when the caller does not need
 * `repeats`. */
void below_add(struct below *below, const struct totals *above, const struct totals *own,
	const struct totals *whole);

/*
 * Sums by the rule, until the deadline; the sums of chains come one after another,
 * trace->totals and what is known of single steps at the end.
 */
enum task_state trace_totals_run(struct trace *trace, uint64_t deadline);
/*
 * The figures that the list shows for a step: its own, or, once trace_totals_run was
 * called, those of what is below it where they speak for it.  `steps` and `errors` are
 * its own.
 */
struct totals trace_step_totals(const struct trace *trace, size_t position);
/* What a step itself adds to its chain's tokens and cost, once trace_totals_run was
 * called; the rest is its own. */
struct totals trace_step_counted(const struct trace *trace, size_t position);

/* Of what is in the making by slices: percent done. */
unsigned trace_progress(const struct trace *trace);

/* An interned text, empty for NO_TEXT; valid as long as the trace. */
struct str trace_text(const struct trace *trace, uint32_t text);
/* Whether a step is the run of a tool: its kind says so ("tool", "TOOL", "execute_tool",
 * "ai.toolCall", "function"). */
bool trace_runs_tool(const struct trace *trace, const struct step *s);
/* What a chain is called: its name, else its trace id; the one of a file that has neither
 * is called by the file's name, valid as long as the inputs. */
struct str trace_chain_title(const struct trace *trace, const struct chain *c);
/* The name of the format of a chain's source; NULL while unknown. */
const char *trace_chain_format(const struct trace *trace, const struct chain *c);
/* The position of the first step after the subtree at `position`.  It walks over that
 * subtree: not for loops. */
size_t trace_subtree_end(const struct trace *trace, size_t position);
/* The chain in which a position is.  O(1). */
uint32_t trace_chain_at(const struct trace *trace, size_t position);
/* The number of the step at a position in its chain, from 1.  O(1). */
/* The step of a number in a chain, from 1; NO_STEP: there is no such step. */
static inline uint32_t trace_numbered(
	const struct trace *trace, size_t chain, size_t number)
{
	if (chain >= trace->chain_count || !number || number > trace->chains[chain].count)
		return NO_STEP;
	return trace_at(trace, trace->chains[chain].first + number - 1);
}

static inline size_t trace_number_at(const struct trace *trace, size_t position)
{
	return position - trace->chains[trace_chain_at(trace, position)].first + 1;
}

/* ---- operands ----
 *
 * Operands that may name a step: a file, FILE:STEP or FILE:CHAIN.STEP, both counted from
 * 1 as the list of steps does.  A file that has the whole operand as its name is taken
 * for that.
 */

struct operand {
	char *path;            /* owned */
	size_t chain, step;    /* from 1; step 0: the whole file */
	struct cmd_file *file; /* borrowed; set by the caller */
};

/* The text ends with a NUL; for operand_done. */
void operand_read(struct operand *o, const char *text);
void operand_done(struct operand *o);
/* Reads "7" or "2.7"; false: it is neither.  Without a chain that is 0. */
bool operand_read_step(const char *text, size_t *chain, size_t *step);

/*
 * ---- private to trace/ ----
 *
 * Grouping, nesting and order (arrange.c), and sums (totals.c), in slices: the work of
 * trace_arrange_run and trace_totals_run.
 */

/* In place of a parent: why there is none. */
#define ROOT_ORPHAN (UINT32_MAX - 1)
#define ROOT_CYCLE  (UINT32_MAX - 2)
#define LEAST_ROOT  ROOT_CYCLE

#define TRACE_PIECE 512 /* steps between two looks at the clock */

/* Packs the last step into the store, as it is now. */
void trace_settle(struct trace *trace);
/* Releases what the arrangement knows of steps; the chains stay. */
void trace_drop_arrangement(struct trace *trace);

/* Makes chain 0 for the first step of a plain list. */
void arrange_first_chain(struct trace *trace);
/* Forgets the arrangement, the sums, in the making. */
void arrange_stop(struct trace *trace);
void totals_stop(struct trace *trace);
/* How far they are, in whatever unit. */
void arrange_progress(const struct trace *trace, size_t *done, size_t *all);
void totals_progress(const struct trace *trace, size_t *done, size_t *all);

#endif
