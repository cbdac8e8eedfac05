/*
 * Walking through a document from hit to hit, a slice of work at a time.  Blocks are laid
 * out, and folds opened, only where what they stand for holds the query: its bytes are
 * passed over by the sieve, a part at a time, so a document of 100 MB is never laid out
 * as a whole.
 */
#ifndef CATENA_VIEW_SEEK_H
#define CATENA_VIEW_SEEK_H

#include "json/texts.h"
#include "view/doc.h"
#include "view/marks.h"

#define SEEK_ALL SIZE_MAX

struct seek {
	struct doc *doc;
	const struct query *query;
	struct texts *texts;
	bool back;
	/* what is not gone into: these bytes of the step, shown elsewhere */
	struct str skip[4];
	size_t skip_count;
	/* the whole step as a tree stands below the rest; a walk is through one of both
	 */
	struct jv event; /* J_NONE: there is none */
	bool in_event;
	/* whether the lines of a block count, or NULL: all do */
	bool (*counts)(const void *ctx, const struct doc *d, size_t block);
	const void *counts_ctx;
	/* the hit, when one was found */
	size_t block;
	size_t hit; /* of marks */
	struct marks marks;
	/* private */
	size_t after; /* of the first block the hit behind which, or before which, it goes
			 on, */
	uint32_t row; /* or, SEEK_ALL, the row from which, or before which, it does */
	bool bounded; /* it is still in that block */
	unsigned part;
	size_t fed;
	uint64_t hits; /* in the parts of the block so far */
	bool feeding, judged;
	/* of a container whose children come a thousand at a time: the hits in those that
	 * are still to come, so that no rest is read twice */
	bool rest_known;
	uint32_t rest_level;
	uint64_t rest_left;
};

enum seek_status { SEEK_MORE, SEEK_FOUND, SEEK_OVER };

void seek_init(struct seek *s, const struct query *q);
void seek_done(struct seek *s);

/* Sets out at a document's beginning, or, to go back, at its end (of the event or of the
 * rest). */
void seek_from_edge(struct seek *s, struct doc *d);
/* ... or at a place: behind (before) its hit number `after`, or, SEEK_ALL, at its row
 * (before its row). */
void seek_from_place(struct seek *s, struct doc *d, struct place at, size_t after);

/* The document must not change between two slices. */
enum seek_status seek_slice(struct seek *s, uint64_t deadline);

/* Forgets a text that is half counted. */
void seek_stop(struct seek *s);

/*
 * How often the query is in a text, in slices: *fed and *hits are 0 at first.  False:
 * more is to be done.
 */
bool seek_count(struct seek *s, struct str text, enum texts_kind kind, size_t *fed,
	uint64_t *hits, uint64_t deadline);

#endif
