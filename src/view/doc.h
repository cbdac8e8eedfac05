/*
 * A document: what a pane shows below its title, as a list of blocks that lay themselves
 * out into lines when they are looked at.  A conversation of ten thousand messages costs
 * what is on the screen: a message is a single block until its lines are asked for, then
 * it puts its pieces behind itself; a folded JSON container does so when it is opened.
 *
 * A place is a block and a row within it.  Looking at a block may put others behind it;
 * the document's own places (a pane keeps its cursor and its top row there) move with
 * their blocks, all others are true only until the next call that is not const.
 */
#ifndef CATENA_VIEW_DOC_H
#define CATENA_VIEW_DOC_H

#include "base/arena.h"
#include "json/cursor.h"
#include "text/line.h"

struct doc;
struct block;

struct block_ops {
	/* Fills `out` with at least one line (none: the block is not seen). */
	void (*layout)(
		struct doc *d, const struct block *b, struct lines *out, uint32_t width);
	/* Puts blocks behind the one at `at` with doc_insert; once, before its first
	 * layout.  May be NULL. */
	void (*expand)(struct doc *d, size_t at);
	/* Whether `expand` has something to do; NULL: it has.  What follows a block is
	 * moved out of its way, so this is asked first. */
	bool (*expands)(const struct doc *d, const struct block *b);
	/* Opens or closes it; false when there is nothing to.  May be NULL.  What a head
	 * opens are messages: they end with a fence. */
	bool (*toggle)(struct doc *d, size_t at);
	bool acts; /* toggling does more than to show what it hides */
	/* Appends what copying it gives; NULL: its text, else its value as it stands. */
	void (*copy)(const struct doc *d, const struct block *b, struct buf *out);
};

struct block {
	const struct block_ops *ops;
	struct jv value; /* what it shows, as it stands in the text */
	struct jv key;   /* of a JSON node: its key, or J_NONE */
	struct str text; /* decoded text, in the document's arena or the step's */
	void *data;      /* what else its ops need, in the document's arena, or NULL */
	enum role role;
	uint32_t indent; /* cells before its lines */
	uint32_t level;  /* what it opens has a higher one */
	uint32_t pair;   /* 1 + the end of a pair it shows or names (reading); or 0 */
	uint64_t index;  /* of a node in its array, of a message in its conversation */
	uint32_t limit;  /* of a message: rows shown of what follows it, or DOC_ALL */
	bool head;       /* a message begins here */
	bool root;       /* a JSON tree begins here */
	bool open;       /* its fold is open */
	bool expanded;
	struct lines *lines; /* laid out for lines_width, or NULL */
	uint32_t lines_width;
	unsigned char part; /* 1 + the enum part_kind it was made for, DOC_NOTE, or 0 */
};

#define DOC_NOTE 255 /* the program's words about a part */
#define DOC_ALL  UINT32_MAX
#define DOC_FOLD 20 /* rows of a message that are shown before it is opened */

struct place {
	size_t block;
	uint32_t row;
};

#define DOC_PLACES 3

struct doc {
	struct place places[DOC_PLACES]; /* kept true whatever is put in or taken out */
	struct block *blocks;
	size_t count, cap;
	struct arena arena; /* texts decoded for its blocks */
	uint32_t width;  /* cells, as of the last doc_width; 0: lines are not wrapped */
	bool print;      /* for paper: folds are open */
	bool signs;      /* what colours say stands in signs as well: there are none */
	bool inked;      /* paper with colours */
	uint32_t levels; /* folds of this level or less open when they are first looked
			    at; 0: where they are small */
	void *context;   /* what its blocks share; who builds it keeps that alive */
	/* private */
	size_t laid;       /* blocks that hold their layout */
	size_t known_head; /* the head of the blocks [known_first, known_end) */
	size_t known_first, known_end;
};

void doc_done(struct doc *d);
void doc_clear(struct doc *d);
size_t doc_bytes(const struct doc *d); /* held by its blocks, their lines and its arena */

/* Builders.  The new block's address is valid until the next insertion. */
struct block *doc_add(struct doc *d, const struct block_ops *ops);
struct block *doc_insert(struct doc *d, size_t at, const struct block_ops *ops);
/* `n` at once, where each alone would move all that follow: the first of them. */
struct block *doc_insert_many(
	struct doc *d, size_t at, const struct block_ops *ops, size_t n);
void doc_remove(struct doc *d, size_t first, size_t count);
/* What a fold put behind its block, which lies a level below it, and below the trees
 * beside it. */
void doc_close_fold(struct doc *d, size_t at);
/* A copy of another document's block, not laid out, at the end; it borrows what that one
 * borrows, and the document takes over the other's context. */
void doc_copy(struct doc *d, const struct doc *from, size_t block);

/*
 * The width for all that follows; a new one forgets the layout, not the folds, and the
 * document's places stay at the same part of their block.
 */
void doc_width(struct doc *d, uint32_t width);

/* All lines of a block, whatever is folded; valid until the document changes. */
const struct lines *doc_layout(struct doc *d, size_t block);
/* Of blocks that only expand: no lines. */
void doc_layout_nothing(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width);
void doc_release(struct doc *d, size_t block); /* ... and their memory back */

/* Not seen: messages that a fold holds end in front of it.  The first behind a block. */
extern const struct block_ops doc_fence_ops;
size_t doc_fence(const struct doc *d, size_t block);

/* Rows of a block that are seen, 0 when it lies behind its message's fold. */
uint32_t doc_rows(struct doc *d, size_t block);
/* The line at a place; the place must be one of doc_rows. */
const struct lines *doc_line(struct doc *d, struct place p, size_t *line);

/* The place n rows on (or back); false at the end, where it stops.  */
bool doc_down(struct doc *d, struct place *p, uint64_t n);
bool doc_up(struct doc *d, struct place *p, uint64_t n);
/* The first place that is seen, from p on, or before it when there is none. */
void doc_settle(struct doc *d, struct place *p);
struct place doc_end(struct doc *d); /* the last row */
bool doc_before(struct place a, struct place b);

/* The head at or before a block; SIZE_MAX when there is none. */
size_t doc_head(struct doc *d, size_t block);
/* Opens or closes the block at a place, or the message it belongs to; the place stays on
 * what is seen. */
bool doc_toggle(struct doc *d, struct place *p);
/* Opens, or closes, the fold of the block itself; false when it is so already or has
 * none. */
bool doc_fold(struct doc *d, struct place *p, bool open);
/* Opens the fold of a block, whatever its message's fold hides; false when it has none,
 * or more than a fold. */
bool doc_open(struct doc *d, size_t at);
/* Shows the whole message that a block belongs to. */
void doc_unfold(struct doc *d, size_t at);
/* All messages: DOC_FOLD, DOC_ALL, or to their speakers, 0. */
void doc_limit(struct doc *d, uint32_t rows);
/* n times to the next place from which to read, or the one before: a message; where there
 * are none a heading, or a node no deeper than that under the place.  False: there is no
 * other. */
bool doc_next_part(struct doc *d, struct place *p, bool back, uint64_t n);
/* The block whose fold holds the one at `at`, or SIZE_MAX. */
size_t doc_parent(const struct doc *d, size_t at);

/* What copying a block gives: bytes of the file, as they are. */
void doc_copy_text(const struct doc *d, size_t block, struct buf *out);
/* For `copy` of blocks whose text only names the value: the value, without one the
 * text. */
void doc_copy_value(const struct doc *d, const struct block *b, struct buf *out);

/* Releases layouts farther than `keep` blocks from `around`. */
void doc_trim(struct doc *d, size_t around, size_t keep);

#endif
