/* What the formats of an export share: see export.h.  Private to export/. */
#ifndef CATENA_EXPORT_WRITE_H
#define CATENA_EXPORT_WRITE_H

#include "export/export.h"
#include "import/failure.h"
#include "view/scale.h"
#include "view/visit.h"

/* The blocks of a side's document, message by message: if a message inserted its blocks
 * into the whole document, all later blocks would move each time. */
struct export_blocks { /* all zero bits: not begun */
	bool begun;
	struct doc side, one; /* all blocks; those of the present message */
	size_t message;       /* the next block of `side` */
	size_t block;         /* the next block of `one` */
};

#define EXPORT_DEEPEST 48 /* folds in folds: browsers nest some 500 elements */

/* A step while it is written. */
struct export_step {
	uint32_t step;
	size_t position;         /* in the order */
	size_t number;           /* in its chain, from 1 */
	struct visit *visit;     /* once it is open */
	struct opened *opened;   /* owned by the visit */
	struct reading *reading; /* owned by the visit */
	struct arena arena;      /* until the step is written */
	size_t stage;            /* of the format's stages */
	size_t item;             /* the next item of that stage */
	struct export_blocks blocks;
	struct doc output; /* of a transcript, beside blocks.side, the input */
	uint32_t folds[EXPORT_DEEPEST]; /* HTML: levels of the blocks with open folds */
	size_t fold_count;
	bool first_image; /* JSON: no image is written yet */
	size_t listed;    /* JSON: items of the list that is being written */
};

#define EXPORT_BUCKETS 256 /* for lengths of steps */

/* The waterfall of a chain while it is drawn: see html.h. */
struct export_chart {
	enum { CHART_BEGIN, CHART_COUNT, CHART_ROWS } stage;
	uint32_t chain;
	size_t at;                      /* the next position */
	size_t lengths[EXPORT_BUCKETS]; /* how many steps are so long */
	size_t least;               /* of this bucket and later ones all have a row, */
	size_t spare;               /* and so many of the one before */
	size_t rows, left_out, row; /* steps with one and without; the next row */
};

struct tables;

struct export
{
	struct export_options options;
	struct buf out; /* bytes that are not written yet: see export_flush */
	struct trace *trace;
	struct export_part part;
	size_t traces;      /* begun so far */
	size_t chain, step; /* number of the next chain, position of the next step */
	size_t first_chain, chain_end, step_end;
	size_t chains, steps; /* written chains of the trace, steps of the chain */
	bool in_chain;
	struct export_step *writing; /* or NULL */
	uint64_t deadline;           /* of this slice */
	uint32_t *places;            /* JSON: the index in its chain of every step */
	struct shelf shelf;          /* the last steps, which later ones continue */
	struct buf tools;            /* the last text of offered tools in the chain */
	size_t tools_of;           /* the number of the step that offered them; 0: none */
	struct scale scale;        /* of a format that draws */
	struct export_chart chart; /* of the chain */
	bool drawing;              /* it is not done */
	struct failure_walk failures; /* of the trace */
	bool begun;                   /* the trace: its failures are known */
	struct tables *tables;     /* of that format, or NULL */
};

/* Writes the next piece of a step; counts s->item, which begins with 0. */
typedef enum task_state export_stage_fn(struct export *e, struct export_step *s);

struct export_format {
	const char *name;
	const char *ending;             /* of files, with the dot; NULL: see export.h */
	const char *other;              /* another ending, or NULL */
	bool pairs;                     /* calls and results are shown together */
	export_stage_fn *const *stages; /* of an opened step, up to NULL */
	/* Each may be NULL. */
	void (*begin)(struct export *e);
	void (*begin_trace)(struct export *e);
	void (*begin_chain)(struct export *e, const struct chain *c);
	/* draws a part of it after its beginning, where more than one step is written;
	 * false: there is no more to draw */
	bool (*draw_chain)(struct export *e, const struct chain *c);
	void (*end_chain)(struct export *e, const struct chain *c);
	void (*end_trace)(struct export *e);
	void (*end)(struct export *e);
};

extern const struct export_format export_json, export_markdown, export_text, export_html,
	export_tables;

void tables_free(struct tables *t); /* NULL is fine */

/* What text and transcripts share (export/text.c). */
void export_put_line(struct buf *out, const struct lines *ls, size_t line);
void export_text_begin_trace(struct export *e);
void export_text_begin_chain(struct export *e, const struct chain *c);
void export_text_end_trace(struct export *e);

/* How many steps of a chain will be written.  Linear in the chain if steps are filtered.
 */
size_t export_count(const struct export *e, const struct chain *c);

/* Whether the step at a position is written. */
bool export_writes(const struct export *e, size_t position);

#define EXPORT_FLUSH (1u << 16)

/* Writes the bytes out if they are many. */
void export_flush(struct export *e);

/* "conversation" or "text": both sides are one, which is written once; NULL: they differ.
 */
const char *export_both(const struct opened *o);

/* If an earlier step of the chain was written with equal tools, makes this one refer to
 * it. */
void export_know_tools(struct export *e, struct export_step *s);

/* The first stage of a format that can leave out the messages that the previous step
 * showed; only if that step is written, too. */
export_stage_fn export_find_earlier;
/* Its last stage: keeps the step, as the next one may continue it. */
export_stage_fn export_keep_step;
/* Whether a message of a side is left out. */
bool export_leaves_out(const struct export_step *s, bool input, size_t message);
/* How many of a side's messages are left out.  Linear in them. */
size_t export_left_out(const struct export_step *s, bool input);

/* Moves on to the next block of a side of a step; false: there is none left.  `width` is
 * in cells. */
bool export_blocks_next(struct export_blocks *b, struct export *e,
	const struct export_step *s, bool input, unsigned width);
/* Of a message of very many blocks, drops those between its head and `block`, which are
 * written; returns where the block is then. */
size_t export_drop_written(struct doc *d, size_t block);
void export_blocks_done(struct export_blocks *b); /* it is then not begun */

/* The title of a chain: unsafe text. */
void export_chain_title(const struct export *e, const struct chain *c, struct buf *raw);
/* The title of a chain, after the file's name if several are written: unsafe text. */
void export_heading(const struct export *e, const struct chain *c, struct buf *raw);
/* "  150→200 tok  $0.015  2.3s  ERROR" of a step: safe text. */
void export_figures(struct export *e, size_t position, struct buf *safe);

#endif
