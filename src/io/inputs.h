/*
 * All sources that are read together: the files of a command line, those in its folders,
 * the members of archives, and what a followed file was replaced by.  A source is opened
 * when its turn comes, so the first screen does not wait for the last of ten thousand.
 *
 * One number names a byte of any of them: an address is the source's number and the
 * offset in it.  The addresses of the first source are its offsets.
 */
#ifndef CATENA_IO_INPUTS_H
#define CATENA_IO_INPUTS_H

#include "base/buf.h"
#include "io/source.h"

#define INPUTS_SHIFT 44 /* 16 TiB a source, a million sources */
#define INPUTS_MOST  ((size_t)1 << (64 - INPUTS_SHIFT))

struct inputs;

struct inputs *inputs_new(void);
void inputs_free(struct inputs *in);

/* Adds a file, a folder with all below it, or "-"; it is opened later. */
void inputs_add(struct inputs *in, const char *path);
/* Adds an open source, and takes ownership of it. */
void inputs_take(struct inputs *in, struct source *s);
/* When standard input of `of` is a stream, "-" uses the same source here: its bytes
 * cannot be read again.  Call it before anything is opened. */
void inputs_share(struct inputs *in, const struct inputs *of);
/* Files of folders of which this is true are passed over without a word. */
void inputs_leave_out(struct inputs *in, bool (*is)(const char *path));
/* Whether regular files are followed, as far as there are descriptors: those that are
 * open, and those to come. */
void inputs_follow(struct inputs *in, bool on);
bool inputs_are_followed(const struct inputs *in);
/* Whether all that was named is one file or stream, no folder and no archive. */
bool inputs_are_one(const struct inputs *in);

/*
 * Adds a file that is a part of a source, such as the writer of a sub-agent: it is opened
 * next, and what it holds is of the origin of that source.  A file that is a source
 * already becomes the part; one that is to come in a folder is not read twice.  `key` is
 * kept for inputs_part.
 */
void inputs_add_part(struct inputs *in, const char *path, size_t of, uint64_t key);
/* Of which source the source of an address is a part, and by what key; false: of none. */
bool inputs_part(const struct inputs *in, uint64_t address, size_t *of, uint64_t *key);
/* Sources that are no part of another one. */
size_t inputs_wholes(const struct inputs *in);

/* Whether a file that begins so may be a trace, perhaps packed: else one that stands in a
 * folder is left out. */
bool inputs_look_like_a_trace(struct str head);

size_t inputs_count(const struct inputs *in); /* sources so far */
struct source *inputs_source(const struct inputs *in, size_t i);
static inline uint64_t inputs_address(size_t i)
{
	return (uint64_t)i << INPUTS_SHIFT;
}
static inline size_t inputs_number(uint64_t address)
{
	return (size_t)(address >> INPUTS_SHIFT);
}
static inline uint64_t inputs_offset(uint64_t address)
{
	return address & (((uint64_t)1 << INPUTS_SHIFT) - 1);
}
/* The number of the first of the sources that had one name, one after the other: together
 * they hold one log. */
size_t inputs_origin(const struct inputs *in, uint64_t address);

enum inputs_status {
	INPUTS_NEW,  /* there is one source more */
	INPUTS_WAIT, /* an archive may bring one: pump the last source, or wait for it */
	INPUTS_END,  /* none will come, unless a followed file is replaced */
	INPUTS_FAILED, /* the next could not be opened: err says why; call again */
};
/* Opens the next source.  Call it when what is there is read, or is waited for. */
enum inputs_status inputs_next(struct inputs *in, struct err *err);
/* The archive whose next member is awaited, or NULL. */
struct source *inputs_awaited(const struct inputs *in);

/* Takes what followed files have grown by; at most 1,024 files a call, in turns.
 * SOURCE_REWRITTEN when one of them was rewritten, else SOURCE_SAME.  The successor of a
 * file that was replaced is a new source. */
enum source_change inputs_look(struct inputs *in, struct err *err);

/* The bytes at hand of all sources, and those before an address.  Linear in the sources.
 */
uint64_t inputs_size(const struct inputs *in);
uint64_t inputs_before(const struct inputs *in, uint64_t address);

size_t inputs_read(struct inputs *in, uint64_t address, void *out, size_t n);
/* As window_move; the window knows offsets in the source of the address. */
void inputs_window(struct inputs *in, uint64_t address, struct window *w);
/* The end of the source of an address: the address after its last byte at hand. */
uint64_t inputs_end(const struct inputs *in, uint64_t address);

/* As source_failed, of the first source that failed.  Linear in the sources. */
bool inputs_failed(const struct inputs *in, struct err *err);
/* Sets the name, offset, line and column of an error whose offset is an address. */
void inputs_locate(struct inputs *in, struct err *err);
/* For a title: the name as it was given, or how many there are. */
const char *inputs_name(const struct inputs *in);
/* The name of the source of an address. */
const char *inputs_name_at(const struct inputs *in, uint64_t address);
/* That name, as it would be had all archives been unpacked where they stand, and without
 * ".": "logs/a.json" of "./logs/a.json" and of "logs/all.zip/a.json".  Linear in the
 * archives. */
void inputs_own_path(const struct inputs *in, uint64_t address, struct buf *out);

/* Notes: what was wrong with compressed input, which files could not be opened, what was
 * left out.  inputs_note sets err to one, with its place.  Linear in the sources. */
size_t inputs_note_count(const struct inputs *in);
void inputs_note(const struct inputs *in, size_t i, struct err *err);
/* Adds a note, for instance that a source could not be opened. */
void inputs_add_note(struct inputs *in, const struct err *err);

/* ---- folder.c: the files of a folder and its subfolders, and those that fit a pattern
 * ---- */

#define FOLDER_DEPTH 32 /* of folders in one another; deeper ones are passed over */

struct folder_files {
	char **paths; /* owned */
	size_t count, cap;
	bool more; /* there are more than 100,000 */
};

bool folder_is(const char *path); /* a folder, or a link to one */

/*
 * All regular files that are not empty, sorted by name; those of a subfolder come where
 * its name belongs.  Memory is linear in their number.
 * Hidden ones (".x") and folders that are links are passed over.  False with err when
 * the folder itself cannot be read; one in it that cannot is passed over.
 */
bool folder_list(const char *path, struct folder_files *out, struct err *err);
void folder_files_done(struct folder_files *f);

typedef void listing_fn(void *ctx, const char *path);

/*
 * Many patterns ask for files of the same folders: the names in a folder are read once,
 * and again when it has changed.  Calls `take` for each path that fits a pattern of
 * glob(7), in the order of their names. Cost: that of the names that end like the pattern
 * after its last wildcard, and once for a folder that of all its names.
 */
void listing_match(const char *pattern, listing_fn *take, void *ctx);

#endif
