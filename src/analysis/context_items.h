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

struct context_items {
	/* private */
	const struct opened *opened;
	bool answers;
	int stage;
	size_t message, part, media;
	bool open; /* `parts` are of this message */
	enum context_kind speaker;
	struct parts parts, inner; /* `inner`: of a result */
	struct part text;          /* that item.part_of is */
	struct arena arena;        /* of this message */
	struct jv *leaves;
	size_t leaf_count, leaf_cap;
	struct idmap *seen; /* or NULL */
};

/* Borrows the opened step.  `answers`: its output comes after its input. */
void context_items_begin(struct context_items *it, const struct opened *o, bool answers);
/* Leaves out messages that were read before, byte for byte, and notes the others. */
void context_items_skip(struct context_items *it, struct idmap *seen);
void context_items_done(struct context_items *it);
/*
 * TASK_DONE: the next item, valid until the next call.  TASK_MORE: it is on its way, call
 * again; about 256 KB of a message are read in between, or all definitions.  TASK_IDLE:
 * there are no more.
 */
enum task_state context_items_next(struct context_items *it, struct context_item *item);

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
