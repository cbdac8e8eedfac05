/*
 * A document: what a pane shows below its title, as a list of blocks that lay themselves
 * out into lines when they are looked at.  A conversation of ten thousand messages costs
 * what is on the screen: a message is a single block until its lines are asked for, then
 * it inserts its pieces after itself; a folded JSON container does so when it is opened.
 *
 * A place is a block and a row within it.  Laying out a block may insert others after it;
 * the document's own places (a pane keeps its cursor and its top row there) move with
 * their blocks, all others are valid only until the next call that is not const.
 */
#ifndef CATENA_VIEW_DOC_H
#define CATENA_VIEW_DOC_H

#include "base/mem.h"
#include "json/cursor.h"
#include "text/line.h"

struct doc;
struct block;

/*
 * What blocks of a document belong to, where not all belong to one thing: in a transcript
 * a side of a step.  While the operations of a block are called, the document has the
 * context and the arena of its section.  Owned by who made it, together with its arena.
 */
struct doc_section {
	void *context;
	struct arena arena;
	uint32_t depth; /* vertical bars before its rows: it stands in something else */
};

struct block_ops {
	/* Fills `out` with at least one line (none: the block is not seen).  NULL: of
	 * blocks that only expand, which have no lines. */
	void (*layout)(
		struct doc *d, const struct block *b, struct lines *out, uint32_t width);
	/* Adds blocks after the one at `at`, which is the last one meanwhile; called
	 * once, before its first layout.  May be NULL. */
	void (*expand)(struct doc *d, size_t at);
	/* Whether its fold is opened before its first layout; NULL: it is not. */
	bool (*opens)(const struct doc *d, const struct block *b);
	/* Opens or closes the fold of the block, mostly doc_turn_fold; false when it has
	 * none.  May be NULL.  A head opens into whole messages, which end with a fence.
	 */
	bool (*toggle)(struct doc *d, size_t at);
	/* For doc_turn_fold: adds what the fold holds, and the block is the last one
	 * meanwhile; false: it turns out to hold nothing. */
	bool (*unfold)(struct doc *d, size_t at);
	/* Whether `toggle` does something; NULL: always. */
	bool (*toggles)(const struct doc *d, size_t at);
	bool acts; /* toggling does more than open a fold */
	/* Appends what copying it gives; NULL: its text, else its value as it stands. */
	void (*copy)(const struct doc *d, const struct block *b, struct buf *out);
};

struct block {
	const struct block_ops *ops;
	struct jv value; /* what it shows, as written in the file */
	struct jv key;   /* of a JSON node: its key, or J_NONE */
	struct str text; /* decoded text, in the document's arena or the step's */
	void *data;      /* for its ops, in the document's arena, or NULL */
	enum role role;
	struct doc_section *section; /* NULL: the document's own context and arena */
	uint32_t indent;             /* cells before its lines */
	uint32_t level;              /* what it opens has a higher one */
	uint32_t pair;  /* 1 + the end of a pair it shows or names (reading); or 0 */
	uint64_t index; /* of a node in its array, of a message in its conversation */
	uint32_t limit; /* of a message: rows shown of what follows it, or DOC_ALL */
	bool head;      /* a message begins here */
	bool gap;       /* brief: of a head, a blank row stands above it */
	enum role edge; /* of a head: a bar in this role stands before the rows of its
			   message; ROLE_TEXT: none */
	bool root;      /* a JSON tree begins here */
	bool open;      /* its fold is open */
	bool expanded;
	struct lines *lines; /* laid out for lines_width, or NULL */
	uint32_t lines_width;
	unsigned char part; /* 1 + the enum part_kind it was made for, DOC_NOTE, or 0 */
};

#define DOC_NOTE 255 /* a note of the program about a part */
#define DOC_ALL  UINT32_MAX
#define DOC_FOLD 20 /* rows of a message that are shown before it is opened */

struct place {
	size_t block;
	uint32_t row;
};

#define DOC_PLACES 3

struct doc {
	struct place
		places[DOC_PLACES]; /* adjusted when blocks are inserted or removed */
	struct block *blocks;
	size_t count, cap;
	struct arena arena; /* texts decoded for its blocks */
	uint32_t width; /* cells, as of the last doc_width; 0: lines are not wrapped */
	bool print;     /* for print: folds are open */
	bool brief;   /* a transcript: calls in a line, results in a few, also in print */
	bool signs;   /* there are no colors: signs say what they would */
	bool colored; /* printed with colors */
	bool sorted_keys; /* members of objects are sorted by key, a thousand at a time */
	uint32_t levels;  /* folds of this level or less open when they are first laid
			     out; 0: only small ones do */
	void *context;    /* shared by its blocks, or that of a section; borrowed */
	/* private */
	struct doc_section *section; /* that has lent its context and arena; or NULL */
	struct doc_section own;      /* the document's own, meanwhile */
	size_t laid;                 /* blocks that have lines */
	size_t known_head;           /* the head of the blocks [known_first, known_end) */
	size_t known_first, known_end;
};

void doc_done(struct doc *d);
void doc_clear(struct doc *d);
/* Memory of its blocks, their lines and its arena; linear in the blocks. */
size_t doc_bytes(const struct doc *d);

/* Builders.  The new block's address is valid until the next insertion.  An insertion
 * moves all blocks after it. */
struct block *doc_add(struct doc *d, const struct block_ops *ops);
/* Inserts `n` blocks and moves those after them once; returns the first. */
struct block *doc_insert_many(
	struct doc *d, size_t at, const struct block_ops *ops, size_t n);
void doc_remove(struct doc *d, size_t first, size_t count);
/* The end of what a fold holds: of all blocks of a higher level than its own, up to the
 * next head. */
size_t doc_fold_end(const struct doc *d, size_t at);
/* Opens or closes a fold: what `unfold` adds is raised to the levels above its own. */
bool doc_turn_fold(struct doc *d, size_t at);
/* Appends a copy of another document's block, not laid out; it borrows what the original
 * borrows, and the document gets the other's context. */
void doc_copy(struct doc *d, const struct doc *from, size_t block);

/* Moves all blocks of a document before the one at `at`, into a section, which takes its
 * context and its arena.  The section outlives the blocks. */
void doc_splice(struct doc *d, size_t at, struct doc *from, struct doc_section *section);
/* Lends the document the context and the arena of a section; NULL: gives it back its own.
 * It must be called before a section is read or freed. */
void doc_enter(struct doc *d, struct doc_section *section);

/*
 * Sets the width in cells.  A new one discards layouts, not folds; the document's places
 * stay at the same part of their block.
 */
void doc_width(struct doc *d, uint32_t width);

/* All lines of a block, whatever is folded; valid until the document changes. */
const struct lines *doc_layout(struct doc *d, size_t block);
/* Discards a block's lines; they are laid out again when they are needed. */
void doc_release(struct doc *d, size_t block);

/* A block without lines that ends the messages in a fold. */
extern const struct block_ops doc_fence_ops;

/* Visible rows of a block, 0 when its message's fold hides it. */
uint32_t doc_rows(struct doc *d, size_t block);
/* The line at a place; the place must be one of doc_rows. */
const struct lines *doc_line(struct doc *d, struct place p, size_t *line);

/* Moves a place n visible rows down (or up); false when it stops at the end. */
bool doc_down(struct doc *d, struct place *p, uint64_t n);
bool doc_up(struct doc *d, struct place *p, uint64_t n);
/* Moves a place to the next visible one, or to the last before it when there is none. */
void doc_settle(struct doc *d, struct place *p);
struct place doc_end(struct doc *d); /* the last row */
bool doc_before(struct place a, struct place b);

/* The head at or before a block; SIZE_MAX when there is none.  Linear in the blocks back
 * to it, except when the block before was asked for last. */
size_t doc_head(struct doc *d, size_t block);
/* Opens or closes the block at a place, or the message it belongs to; the place moves to
 * a visible row. */
bool doc_toggle(struct doc *d, struct place *p);
/* Whether doc_toggle does something at a place. */
bool doc_folds(struct doc *d, const struct place *p);
/* Whether the row at a place has a closed fold, acts when it is pressed, or says that
 * there is more. */
bool doc_is_closed_fold(struct doc *d, const struct place *p);
/* Opens or closes the fold of the block at a place, a message by its first row and by the
 * row that says that there is more; false: the place is in the midst of a text. */
bool doc_press(struct doc *d, struct place *p);
/* Opens, or closes, the fold of the block itself; false when nothing changes. */
bool doc_fold(struct doc *d, struct place *p, bool open);
/* Opens the fold of a block, even one that its message's fold hides; false when it is
 * open, has no fold, or `acts`. */
bool doc_open(struct doc *d, size_t at);
/* Shows the whole message that a block belongs to. */
void doc_unfold(struct doc *d, size_t at);
/* Sets the limit of the message that begins at a block. */
void doc_limit_message(struct doc *d, size_t head, uint32_t rows);
/* Sets the limit of all messages: DOC_FOLD, DOC_ALL, or 0 for their speakers alone. */
void doc_limit(struct doc *d, uint32_t rows);
/* Moves a place n times to the next part, or to the one before: a message; in a document
 * without messages a heading, or a node no deeper than that at the place.  False: there
 * is no other.  Linear in the blocks. */
bool doc_next_part(struct doc *d, struct place *p, bool back, uint64_t n);
/* The block whose fold contains the one at `at`, or SIZE_MAX. */
size_t doc_parent(const struct doc *d, size_t at);

/* What copying a block gives: bytes of the file, as they are. */
void doc_copy_text(const struct doc *d, size_t block, struct buf *out);
/* For `copy` of blocks whose text only names the value: the value, or the text of a block
 * without one. */
void doc_copy_value(const struct doc *d, const struct block *b, struct buf *out);

/* Releases layouts farther than `keep` blocks from `around`. */
void doc_trim(struct doc *d, size_t around, size_t keep);

#endif
