/*
 * The files that fit a pattern.  Many patterns ask for files of the same folders: the
 * names in a folder are read once, and again when it has changed.
 */
#ifndef CATENA_IO_LISTING_H
#define CATENA_IO_LISTING_H

typedef void listing_fn(void *ctx, const char *path);

/*
 * Calls `take` for each path that fits a pattern of glob(7), in the order of their names.
 * Cost: that of the names that end like the pattern after its last wildcard, and once for
 * a folder that of all its names.
 */
void listing_match(const char *pattern, listing_fn *take, void *ctx);

#endif
