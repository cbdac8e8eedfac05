/* What the formats of an export share, and nobody else needs: see export.h. */
#ifndef CATENA_EXPORT_WRITE_H
#define CATENA_EXPORT_WRITE_H

#include "export/export.h"
#include "view/visit.h"

/* The blocks of a side's document, message by message: what a message puts after itself
 * would move all that follow. */
struct export_blocks { /* all zero bits: not begun */
	bool begun;
	struct doc side, one; /* the whole, and a message of it by itself */
	size_t message;       /* of the side's blocks, the next one */
	size_t block;         /* of `one`, the next one */
};

#define EXPORT_DEEPEST 48 /* folds in folds: browsers nest some 500 elements */

/* A step while it is written. */
struct export_step {
	uint32_t step;
	size_t position;         /* in the order */
	size_t number;           /* in its chain, from 1 */
	struct opening *opening; /* until it is open */
	struct visit *visit;     /* from then on */
	struct opened *opened;   /* of the visit, as is the next */
	struct reading *reading;
	struct arena arena; /* for as long as it is written */
	size_t stage, item; /* of the format, and what of it comes next */
	struct export_blocks blocks;
	struct earlier_search *finding; /* text: what the step before showed */
	uint32_t folds[EXPORT_DEEPEST]; /* HTML: levels of the blocks whose folds are
					   open */
	size_t fold_count;
	bool first_image; /* JSON: none is written yet */
};

struct export
{
	struct export_wish wish;
	struct buf out; /* what is not handed on yet: export_flush */
	struct trace *trace;
	struct export_part part;
	size_t models;      /* begun, this one too */
	size_t chain, step; /* next: number of the chain, position of the step */
	size_t first_chain, chain_end, step_end;
	size_t chains, steps; /* written: of the model, of the chain */
	bool in_chain;
	struct export_step *writing; /* or NULL */
	uint64_t deadline;           /* of this slice */
	uint32_t *places;            /* JSON: the index in its chain of every step */
	struct shelf shelf; /* text: the last steps, which the next ones go on from */
	/* of the last step of the chain that offered tools: their text, its number */
	struct buf tools;
	size_t tools_of;
};

/* Writes one more piece of a step; counts s->item, which is 0 at first. */
typedef enum task_state export_stage_fn(struct export *e, struct export_step *s);

struct export_format {
	const char *name;
	const char *ending;             /* of files, with the dot */
	const char *other;              /* the same; or NULL */
	bool pairs;                     /* calls and results are shown together */
	export_stage_fn *const *stages; /* of an opened step, up to NULL */
	/* Each may be NULL. */
	void (*begin)(struct export *e);
	void (*begin_model)(struct export *e);
	void (*begin_chain)(struct export *e, const struct chain *c);
	void (*end_chain)(struct export *e, const struct chain *c);
	void (*end_model)(struct export *e);
	void (*end)(struct export *e);
};

extern const struct export_format export_json, export_markdown, export_text, export_html;

/* How many steps of a chain are to be written. */
size_t export_count(const struct export *e, const struct chain *c);

/* Hands on what there is when it is much. */
void export_flush(struct export *e);

/* "conversation" or "text": both sides are that, which is written once; NULL: they are
 * two. */
const char *export_both(const struct opened *o);

/* Tools that a step before this one in the chain was written with are not written again.
 */
void export_know_tools(struct export *e, struct export_step *s);

/* Moves on to a block of the side of a step: false when there is none left.  Lines are so
 * many cells wide. */
bool export_blocks_next(struct export_blocks *b, struct export *e,
	const struct export_step *s, bool input, unsigned width);
void export_blocks_done(struct export_blocks *b); /* as not begun */

/* What the formats for people write of a chain and a step: unsafe titles, safe figures.
 */
void export_chain_title(const struct export *e, const struct chain *c, struct buf *raw);
/* The title behind the file's name, where several are written. */
void export_heading(const struct export *e, const struct chain *c, struct buf *raw);
/* "150→200 tok  $0.015  2.3s  ERROR", each behind two blanks. */
void export_figures(struct export *e, size_t position, struct buf *safe);

#endif
