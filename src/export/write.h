/* What the formats of an export share: see export.h.  Private to export/. */
#ifndef CATENA_EXPORT_WRITE_H
#define CATENA_EXPORT_WRITE_H

#include "chat/parts.h"
#include "export/export.h"
#include "import/failure.h"
#include "sessions/summary.h"
#include "view/scale.h"
#include "view/step_cache.h"

/* A step while it is written. */
struct export_step {
	uint32_t step;
	size_t position;         /* in the order */
	size_t number;           /* in its chain, from 1 */
	struct viewed_step *viewed;  /* the opened step */
	struct step_content *opened; /* owned by the viewed step */
	struct reading *reading;     /* owned by the viewed step */
	struct arena arena;      /* until the step is written */
};

struct tables;

struct export
{
	struct export_options options;
	struct buf out; /* bytes that are not written out, but for the first ones: */
	size_t written; /* ... that many are */
	struct trace *trace;
	struct export_part part;
	size_t traces;      /* begun so far */
	size_t chain, step; /* number of the next chain, position of the next step */
	size_t first_chain, chain_end, step_end;
	size_t chains, steps; /* written chains of the trace, steps of the chain */
	struct export_progress {
		size_t said; /* messages of the chain, of a format that numbers them, */
		uint32_t measured; /* ... the step whose figures it wrote last, and 1, */
		unsigned open;     /* ... and what it has begun and not ended */
	} now, before; /* before: the piece that is written; back to it if it is stopped */
	bool in_chain;
	bool held;          /* nothing is written out: the piece may be written again */
	struct step_cache cache; /* the last steps, which later ones continue */
	struct buf tools;   /* the last text of offered tools in the chain */
	size_t tools_of;    /* the number of the step that offered them; 0: none */
	struct scale scale; /* of a format that draws */
	struct session_preview *session; /* ... of one session; or NULL */
	struct failure_walk failures; /* of the trace */
	bool begun;                   /* the trace: its failures are known */
	struct tables *tables;        /* of that format, or NULL */
};

struct export_format {
	const char *name;
	const char *ending; /* of files, with the dot; NULL: see export.h */
	const char *other;  /* another ending, or NULL */
	bool pairs;         /* calls and results are shown together */
	bool once; /* each message is written once, as with the option new_only */
	/* Writes an opened step.  It may be stopped (base/work), and called again for the
	 * same step as if it had not been: it tells how far it is. */
	void (*write_step)(struct export *e, struct export_step *s);
	/* Each may be NULL. */
	void (*begin)(struct export *e);
	void (*begin_trace)(struct export *e);
	void (*begin_chain)(struct export *e, const struct chain *c);
	/* after its beginning, where more than one step is written; may be stopped, too
	 */
	void (*draw_chain)(struct export *e, const struct chain *c);
	void (*end_chain)(struct export *e, const struct chain *c);
	void (*end_trace)(struct export *e);
	void (*end)(struct export *e);
};

extern const struct export_format export_json, export_markdown, export_text, export_html,
	export_tables, export_otlp, export_atif, export_sts;

void tables_free(struct tables *t); /* NULL is fine */

/* How many steps of a chain will be written.  Linear in the chain if steps are filtered.
 */
size_t export_count(const struct export *e, const struct chain *c);

/* Whether the step at a position is written. */
bool export_writes(const struct export *e, size_t position);

#define EXPORT_FLUSH (1u << 16)

/* Writes the bytes out if they are many, and may be. */
void export_flush(struct export *e);

/* "conversation" or "text": both sides are one, which is written once; NULL: they differ.
 */
const char *export_both(const struct step_content *o);

/* If an earlier step of the chain was written with equal tools, makes this one refer to
 * it. */
void export_know_tools(struct export *e, struct export_step *s);

static inline const struct side *export_step_side(const struct export_step *s, bool input)
{
	return input ? &s->opened->input : &s->opened->output;
}

/*
 * The messages of a side that are written, one after another; of a side that is a text,
 * that:
 *
 *	for (struct export_message m = {0}; export_message_next(e, s, input, &m);)
 *
 * What is decoded for a message lives until the next one.  Between two the bytes go out,
 * and where the work is to stop (base/work) the walk ends.
 */
struct export_message {
	const struct side *side;
	struct jv raw;
	size_t next;      /* number of the message after it */
	size_t unchanged; /* how many before it are left out; at the end, after the last */
	struct arena arena;
};
bool export_message_next(struct export *e, const struct export_step *s, bool input,
	struct export_message *m);
/* Its parts, for parts_done; and who speaks. */
struct parts export_message_parts(struct export_message *m);
struct str export_message_role(struct export_message *m);
/* How many of a kind there are. */
size_t export_count_parts(const struct parts *parts, enum part_kind kind);
/* By which id a result refers to its call. */
static inline struct jv export_link(const struct part *p)
{
	return p->link.kind == J_NONE ? p->id : p->link;
}
/* How many of a side's messages are left out.  Linear in them. */
size_t export_left_out(const struct export_step *s, bool input);

/*
 * The blocks of a side, message by message: if a message inserted its blocks into the
 * whole document, all later blocks would move each time.  One begins, and goes on until
 * there is none left, or the work is stopped.  `width` is in cells.
 */
struct export_blocks {
	struct doc side, one; /* all blocks; those of the present message */
	size_t message;       /* the next block of `side` */
	size_t block;         /* of `one` */
};
void export_blocks_begin(struct export_blocks *b, struct export *e,
	const struct export_step *s, bool input, unsigned width);
bool export_blocks_next(struct export_blocks *b); /* false: it is freed */
/* Of a message of very many blocks, drops those between its head and `block`, which are
 * written; returns where the block is then. */
size_t export_drop_written(struct doc *d, size_t block);

/*
 * What is new in a step, as a transcript shows it (view/scroll_step.h), for a format that
 * writes each message once.  It is built into two empty documents; a document is written
 * message by message, each in one of its own, which `put` writes: if a message opened
 * into its parts in the whole document, all later blocks would move.  `depth` is the
 * number of bars before its rows.  Writing frees the document.
 */
void export_new_build(const struct export *e, const struct export_step *s,
	struct doc *input, struct doc *output);
void export_new_write(struct export *e, struct doc *d, uint32_t depth,
	void (*put)(void *ctx, struct doc *message), void *ctx);

/* The title of a chain: unsafe text. */
void export_chain_title(const struct export *e, const struct chain *c, struct buf *raw);
/* The title of a chain, after the file's name if several are written: unsafe text. */
void export_heading(const struct export *e, const struct chain *c, struct buf *raw);
/* What a step is called: unsafe text.  The model that answered, where that is not what it
 * is called; else an empty text. */
struct str export_call(struct export *e, const struct export_step *s, struct buf *raw);
/* "  150→200 tok  $0.015  2.3s  ERROR" of a step: safe text. */
void export_figures(struct export *e, const struct export_step *s, struct buf *safe);

/* Appends what went wrong with a step, without its file's name: unsafe text.  False:
 * nothing did. */
bool export_problem(struct export *e, const struct export_step *s, struct buf *raw);

/* ---- mark.c ----
 *
 * Raw text as Markdown.  But for mark_own it shows exactly that text: nothing in it acts
 * as markup.  All of it passes text/safe first.
 */

/* Appends the text on one line, for a heading or the cell of a table. */
void mark_line(struct buf *out, struct str raw);

/* Appends the text as code within a line; nothing for a blank text. */
void mark_code(struct buf *out, struct str raw);

/* Appends paragraphs that keep their lines and blanks, and a blank line; fences of the
 * text are written as fences.  Nothing for a blank text. */
void mark_text(struct buf *out, struct str raw);

/*
 * Appends a text that is Markdown itself, so that it looks as its writer meant it: lists,
 * emphasis, tables, quotes, code and links.  It stays within its place: headings become
 * bold lines, fences are closed, HTML, entities, images, formulas and definitions of
 * links are shown as text, links lead to the web or to mail.  Lines stay lines.  A blank
 * line follows; nothing for a blank text.
 */
void mark_own(struct buf *out, struct str raw);

/* Appends the text in a fence with that language, and a blank line. */
void mark_fence(struct buf *out, struct str word, struct str raw);

#endif
