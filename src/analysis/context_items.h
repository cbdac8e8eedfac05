/*
 * What a step was sent and what it answered, item by item: definitions of tools, texts,
 * calls, results, thoughts, images.  An item is what a person would name: "the result of
 * read_file"; an image in a result is an item of its own.
 */
#ifndef CATENA_ANALYSIS_CONTEXT_ITEMS_H
#define CATENA_ANALYSIS_CONTEXT_ITEMS_H

#include "base/map.h"
#include "chat/parts.h"
#include "import/open.h"

enum context_kind {
	CONTEXT_SYSTEM,
	CONTEXT_TOOLS, /* definitions of tools */
	CONTEXT_USER,
	CONTEXT_ASSISTANT,
	CONTEXT_CALLS,
	CONTEXT_RESULTS,
	CONTEXT_REASONING,
	CONTEXT_MEDIA, /* images and files */
	CONTEXT_OTHER, /* other speakers; a side that is no conversation */
	CONTEXT_RECORDED,
	CONTEXT_UNRECORDED = CONTEXT_RECORDED, /* sent, but not in the file */
	CONTEXT_KINDS
};

extern const char *const context_kind_names[CONTEXT_KINDS];

struct context_item {
	enum context_kind kind;
	bool input;     /* the side that has it; definitions go in */
	size_t message; /* its number there; SIZE_MAX: a definition, or no conversation */
	size_t part;    /* number in its message, or among the definitions */
	struct jv name; /* TOOLS, CALLS, RESULTS: the tool, or J_NONE */
	struct jv link; /* CALLS, RESULTS: the id that they share, or J_NONE */
	/* What it says, as written in the step: strings, and other JSON. */
	const struct jv *leaves;
	size_t leaf_count;
	struct str text; /* in place of leaves: decoded */
	const struct part
		*part_of; /* it, of a conversation and of definitions; or NULL */
	uint64_t
		weight; /* MEDIA: bytes of text that take as many tokens, about; else 0 */
};

/* False: no more items are wanted.  The item is valid during the call. */
typedef bool context_visit(void *ctx, const struct context_item *item);

/*
 * Goes over the items of an opened step, in the order in which a model reads them.
 * `answers`: its output comes after its input.  `seen`, where it is not NULL: messages
 * that it has, byte for byte, are left out, and the others are noted once they were gone
 * over.  Linear in the step; where the work is to stop (base/stop.h) it ends early.
 */
void context_items_each(const struct step_content *o, bool answers, struct idmap *seen,
	context_visit *visit, void *ctx);

/* What tools are called, as their items come: a call by its name and the argument that
 * says most, a result as its call. */
struct context_names {      /* all zero bits: none */
	struct idmap calls; /* hash of a link → number in `names` */
	struct intern names;
};

/* "read_file src/a.c" of a call or result, the name of a definition, or empty; unsafe
 * text that lives as long as the names. */
struct str context_name(struct context_names *n, const struct context_item *item);
void context_names_done(struct context_names *n);

#endif
