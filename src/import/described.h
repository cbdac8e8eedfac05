/*
 * Reading what a described format describes: which description a value has, and where in
 * its trie the scan is.  Private to import/; part of struct loader.
 */
#ifndef CATENA_IMPORT_DESCRIBED_H
#define CATENA_IMPORT_DESCRIBED_H

#include "base/map.h"
#include "import/known.h"
#include "json/scan.h"

/* A message that items are about: its side, and the step that it began in. */
struct about {
	enum turn turn;
	size_t step;
};

/* The figures of a step that may be stated as sums, or grow from step to step. */
enum { FIGURES = 6 };

struct step;
struct figures {
	double *of[FIGURES];
};

struct figures figures_of(struct step *s);
/* The figures that are known of another step take the place of its own; its latency, too. */
void figures_take(struct step *s, struct step *other);

/* The step of a session log that is still growing: see turns.c. */
struct turning {
	bool open; /* there is one: */
	size_t step;
	uint32_t scope, trace; /* of that step */
	bool answered;         /* it has some of the response, */
	uint64_t key;       /* which is this one, by what joins its lines; 0: not known */
	uint64_t before;    /* the key of the step before */
	uint64_t thread;    /* of which it is; 0: the main one */
	uint64_t main_step; /* id of the last step of the main thread */
	struct idmap threads; /* by key: */
	uint64_t *starters;   /* ids of the steps that started them */
	size_t starter_count, starter_cap;
	bool stated;        /* the log says how long it took */
	bool said, alone;   /* some item of it is not skipped; one has the step alone */
	double sums[FIGURES], all[FIGURES]; /* since sums were stated; of the log */
	size_t list;        /* that the step is of */
	bool named;
	uint32_t name_trace; /* whose name was given last, */
	int name_place;      /* and by which of the places of names */
	bool model_known;
	uint32_t model;         /* interned; that was named last */
	struct idmap about_ids; /* by key: */
	struct about *about;
	size_t about_count, about_cap;
};

/* Records by what names them, of a format that merges them. */
struct merging {
	struct idmap by_key;
	struct merged_record *records;
	size_t count, cap;
};

struct described {
	const struct description *active;  /* of the value that is being read, or NULL, */
	bool probed;                       /* which its head has decided, */
	unsigned base;                     /* and its depth: that of a box's, else 0 */
	uint64_t inner;                    /* where the box in a box begins */
	const struct description *settled; /* of all lines to come */
	const struct description *last;    /* of the line before, */
	unsigned alike, unknown;           /* and of how many; lines of no description */
	uint32_t scope;                    /* of the lines of `scope_of` */
	const struct description *scope_of;
	uint16_t nodes[SCAN_DEPTH + 2]; /* of the trie, by depth */
	struct buf attribute;           /* the key of a pair, */
	struct scan_item value;         /* and its value */
	struct turning turn;
	size_t lists;           /* of steps, so far */
	size_t items;           /* steps, or items of steps, in the value so far */
	struct merging merging; /* records of which more may come */
	double cumulative[FIGURES]; /* so far, where they grow */
};

#endif
