/* What the formats of an export share, and nobody else needs: see export.h. */
#ifndef CATENA_EXPORT_WRITE_H
#define CATENA_EXPORT_WRITE_H

#include "export/export.h"
#include "view/visit.h"

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
	uint32_t *places;   /* JSON: the index in its chain of every step */
	struct shelf shelf; /* text: the last steps, which the next ones go on from */
	/* of the last step of the chain that offered tools: their text, its number */
	struct buf tools;
	size_t tools_of;
};

struct export_format {
	const char *name;
	const char *ending; /* of files, with the dot */
	const char *other;  /* the same; or NULL */
	/* Each may be NULL. */
	void (*begin)(struct export *e);
	void (*begin_model)(struct export *e);
	void (*begin_chain)(struct export *e, const struct chain *c);
	void (*step)(struct export *e, const struct chain *c, size_t position);
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

/* Of a step that is being written, by its number: tools that a step before it in the
 * chain was written with are not written again. */
void export_know_tools(struct export *e, struct reading *r, size_t number);

/* What the formats for people write of a chain and a step: unsafe titles, safe figures.
 */
void export_chain_title(const struct export *e, const struct chain *c, struct buf *raw);
/* The title behind the file's name, where several are written. */
void export_heading(const struct export *e, const struct chain *c, struct buf *raw);
/* "150→200 tok  $0.015  2.3s  ERROR", each behind two blanks. */
void export_figures(struct export *e, size_t position, struct buf *safe);

#endif
