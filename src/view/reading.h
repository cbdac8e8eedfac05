/*
 * What is needed to draw the messages of an opened step: which result belongs to which
 * call, the payload types of its page, known rows and columns.  Each is computed when it
 * is first asked for.  And what its request contains beside the messages.
 */
#ifndef CATENA_VIEW_READING_H
#define CATENA_VIEW_READING_H

#include "chat/pairs.h"
#include "chat/parts.h"
#include "diff/earlier.h"
#include "import/open.h"
#include "payload/payload.h"
#include "text/line.h"

struct reading;

/* The context of a side's document. */
struct side_reading {
	struct reading *reading;
	const struct side *side;
	bool input;
};

struct reading {
	struct step_content *opened;     /* borrowed */
	const struct registry *registry; /* borrowed */
	struct side_reading input, output;
	struct response_type *types; /* that texts of this step may contain */
	size_t type_count;
	/* The lines of an image of that width in cells, or NULL: there are none, or not
	 * yet.  NULL: no images. */
	const struct lines *(*picture)(
		void *context, const struct part *p, uint32_t width);
	void *picture_context;
	struct earlier
		*earlier; /* owned: the messages of the step before; NULL: not read */
	bool new_only;    /* fold those of the step before, where known */
	size_t tools_of;  /* in print: the number of an earlier step that was written with
			     these offered tools; 0: no such step */
	/* Owned: the step after it, which may have the results of its calls, where they
	 * are to be shown; or NULL.  Seconds until it, if there is one call; NaN:
	 * unknown. */
	struct step_content *next;
	double pause;
	/* While a transcript is made: readings of steps before it, the nearest first,
	 * whose calls its results may belong to; borrowed. */
	struct reading *const *before;
	size_t before_count;
	bool told; /* of a tool's step: a line names its result, whose call stands above
		    */
	/* private */
	struct known_ids *known;
};

/* Borrows both, which must outlive it.  No registry: no payload types. */
struct reading *reading_new(struct step_content *o, const struct registry *r);
void reading_free(struct reading *r);
size_t reading_bytes(const struct reading *r); /* memory in all */

const struct pairs *reading_pairs(struct reading *r);

/* The call in a step before that has the id of a result, or of a call, of this one; or
 * NULL.  *near: no other call, and nothing that was said, stands between.  Linear in
 * the calls of these steps. */
const struct pair_end *reading_call_before(
	const struct reading *r, const struct pair_end *end, bool *near);

/* What the step of its call itself has as the result of that call, or NULL: some logs
 * write a result beside its call and once more before the next answer. */
const struct part *reading_result_before(
	const struct reading *r, const struct part *result);

/* The result of a call in the next step, or NULL.  Linear in that step's parts. */
const struct part *reading_result_after(struct reading *r, const struct part *call);
/* How many calls that this step makes have no result in it. */
size_t reading_waiting(struct reading *r);

/* The call and the result of a step that does nothing but run a tool.  Linear in its
 * parts when it is asked first. */
bool reading_is_tool(
	struct reading *r, const struct part **call, const struct part **result);

const struct known_ids *reading_known(struct reading *r);

/* What is new of a side's messages; NULL when all are shown, or nothing came before. */
const struct history *reading_history(const struct reading *r, bool input);
/* How a message of a side is shown. */
enum message_change reading_change(const struct reading *r, bool input, size_t message);

/*
 * ---- the facts of a request ----
 *
 * Provider, parameters, offered tools: for the head of a step's input and for print.
 */

/* Borrows the opened step and the arena.  Cost: linear in the tools and parameters. */
struct request_facts {
	const struct step_content *opened;
	struct parts
		tools; /* TOOL, or JSON for what is none: to be shown after the line, */
	struct jv parameters; /* opened: an object; another value; or J_NONE */
	size_t tools_of; /* ... unless an earlier printed step of that number shows them;
			    0: no such step */
};

void request_facts_read(struct request_facts *a, struct reading *r, struct arena *arena);
void request_facts_done(struct request_facts *a);

/* "provider openai, temperature 0.5, 2 tools offered": unsafe text, possibly
 * empty. */
void request_facts_line(const struct request_facts *a, struct buf *words);
/* The facts on that line. */
typedef void request_facts_word_fn(void *ctx, struct str name, struct jv value);
void request_facts_each_word(
	const struct request_facts *a, request_facts_word_fn *each, void *ctx);
/* The parameters that are too long for the line: a walk over them all gives the next. */
bool request_facts_next(const struct request_facts *a, struct jwalk *walk, struct jv *key,
	struct jv *value);

/* Appends the line, the tools in a fold, and the long parameters to a document. */
struct doc;
void request_facts_add(struct doc *d, struct reading *r);

#endif
