/*
 * Where sessions are: the places that the descriptions of formats name, and folders that
 * a person names.
 */
#ifndef CATENA_SESSIONS_PLACES_H
#define CATENA_SESSIONS_PLACES_H

#include "base/arena.h"
#include "base/buf.h"

#include <stdbool.h>

struct session_place {
	const char *path; /* a full path with wildcards; of a folder as it was given */
	const char *real; /* of a folder: its full path without links, or `path` */
	struct str tool;  /* the program that writes there; empty: any */
	bool folder;      /* all traces in it and below */
	bool database;    /* what is there may be one: it holds sessions */
};

struct places { /* all zero bits: none */
	struct session_place *items;
	size_t count, cap;
	const char **parts; /* patterns of files that belong to another one */
	size_t part_count, part_cap;
	/* private */
	struct arena arena;
};

void places_done(struct places *p);
/* Those of all formats, as far as there is a home folder.  Linear in the formats. */
void places_add_known(struct places *p);
/* A folder with all below it.  What is no folder has nothing in it. */
void places_add_folder(struct places *p, const char *path);
/* The patterns of parts alone. */
void places_add_parts(struct places *p);
/* Whether a file, by its full path, belongs to another one.  Linear in the patterns. */
bool places_is_part(const struct places *p, const char *path);
/* Appends the folder in which all of a place is, without a wildcard. */
void places_root(const struct session_place *place, struct buf *out);

#endif
