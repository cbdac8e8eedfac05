/*
 * Where a search counts.  By itself it counts what is new in each step: not the messages
 * that the step before showed already, nor what else of it says the same as there
 * (view/hit_count).  These words may follow "in:", before the pattern:
 *
 *   all                     everything, also what is repeated
 *   user assistant system   their messages, without results of tools
 *   tool                    messages of tools, and results in any message
 *   text call result reasoning   pieces of messages; a call is its name and arguments
 *   input output            a side of a step (of one that is a single conversation: both)
 *   name error              of a step: its name in the list, its error
 *   .key                    a JSON key: that member and all below it, anywhere in the
 * step
 *
 * "in:all in:user timeout": of users, also where it is repeated.  Any other word is an
 * error.  To search for a pattern that begins with "in:", put a blank before it.
 *
 * Whether a block of a document is in the scope is decided by the rules that count, so
 * that the hits that are counted, marked and visited agree.
 */
#ifndef CATENA_VIEW_SCOPED_HITS_H
#define CATENA_VIEW_SCOPED_HITS_H

#include "base/err.h"
#include "chat/parts.h"
#include "chat/role.h"
#include "view/doc.h"
#include "view/reading.h"

enum scoped_hits_kind {
	WITHIN_ANY, /* everywhere */
	WITHIN_SPEAKER,
	WITHIN_PART,
	WITHIN_SIDE,
	WITHIN_NAME,
	WITHIN_ERROR,
	WITHIN_KEY,
};

struct scoped_hits { /* all zero bits: what is new, everywhere */
	enum scoped_hits_kind kind;
	bool all;       /* also what is repeated; always so of names, errors and keys */
	unsigned what;  /* enum speaker, enum part_kind, or whether it is the input */
	struct buf key; /* WITHIN_KEY */
};

/* Removes the prefixes from a pattern.  False with err when nothing follows them, or one
 * is not known. */
bool scoped_hits_read(struct scoped_hits *w, struct str *pattern, struct err *err);
void scoped_hits_done(struct scoped_hits *w);
/* The words that are not JSON keys; the last is NULL. */
extern const char *const scoped_hits_words[];

/* Whether a piece of a speaker's message counts: what a tool gave is the tool's. */
bool scoped_hits_takes(
	const struct scoped_hits *w, enum speaker speaker, enum part_kind part);

/* Whether a laid-out block, in the document of a side, is in the scope, be it repeated or
 * not.  Linear in the blocks back to its head. */
bool scoped_hits_shows(const struct scoped_hits *w, const struct doc *d, size_t block);

#endif
