/*
 * Reading bytes of a file by their place, and writing whole files (outfile.c); where the
 * user's folders are.
 */
#ifndef CATENA_BASE_FILE_H
#define CATENA_BASE_FILE_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

/* Reads bytes of a file from a place on; fewer than `n` at its end, where errno is 0, or
 * when it cannot be read, which errno tells. */
size_t file_read_at(int fd, void *to, size_t n, uint64_t at);
/* ... from the beginning of a file by its name; one that cannot be opened gives none. */
size_t file_read_head(const char *path, void *to, size_t n);

/*
 * A file that is written whole or not at all.  Its bytes go to a new file beside it, of
 * mode 0600, which takes the name when everything is on the disk; until then, and after
 * any failure, a file that has the name already stays as it was.  Nothing is ever written
 * through a link, nor over anything that is no regular file; over a regular file only
 * when asked. When it takes the name it has the mode of the file it replaces, or that of
 * any new file (umask).  Want of memory ends the program, but leaves no unfinished file.
 */
struct outfile { /* all zero bits: closed */
	char *path, *temporary;
	int fd;
	int problem; /* errno of the first write that failed, or 0 */
	bool replace;
	bool private;   /* keeps mode 0600; the caller may set it after outfile_open */
	uint64_t bytes; /* written so far */
};

/*
 * False with err when the name is taken (and `replace` is not set, or it is no regular
 * file) or its folder cannot be written to.  Then nothing is open.
 */
bool outfile_open(struct outfile *f, const char *path, bool replace, struct err *err);
/* Whether a regular file has the name, which only `replace` takes. */
bool outfile_is_taken(const char *path);
/* False when it cannot be written; outfile_commit then fails and says why. */
bool outfile_write(struct outfile *f, struct str bytes);
/* Gives the file its name.  False with err: it is removed.  It is closed either way. */
bool outfile_commit(struct outfile *f, struct err *err);
void outfile_abandon(struct outfile *f); /* removes it; does nothing when closed */

/* Removes the files in the making, for a program that ends now; async-signal-safe. */
void outfile_remove_unfinished(void);

/* Opens, writes and commits a file with one text. */
bool outfile_save(const char *path, struct str text, bool replace, struct err *err);
/* As outfile_save, but the file keeps mode 0600. */
bool outfile_save_private(
	const char *path, struct str text, bool replace, struct err *err);

/* Writes all bytes to a descriptor, and waits when it is set not to block.  False: errno
 * says why. */
bool outfile_write_all(int fd, struct str bytes);

/*
 * Writes a text to a file for another program to read: in $XDG_RUNTIME_DIR, $TMPDIR or
 * /tmp, with an unpredictable name that ends in `ending` (".json"), and mode 0600.  Its
 * path, for mem_free, or NULL with err.
 */
char *tempfile_write(struct str text, const char *ending, struct err *err);

/* ---- the user's folders, by the XDG base directory specification ---- */

/* Appends "$XDG_CONFIG_HOME/catena"; false when there is none: no HOME, or a relative
 * one. */
bool home_config(struct buf *out);
/*
 * The full paths of the YAML files in a folder of it, by their names; each and the list
 * are the caller's.  None where there is no such folder; err, unset before, says why one
 * cannot be read.
 */
char **home_config_files(const char *folder, size_t *count, struct err *err);
/* Appends "$XDG_STATE_HOME/catena", or returns false as home_config does.  Folders that
 * are missing are made, with mode 0700. */
bool home_state(struct buf *out);

/*
 * The path of a place that begins with "/", with "~/" (the person's home folder), or with
 * "${NAME:-OTHERWISE}" (the folder of that environment variable where it is set to a full
 * path, else what follows, which is a place in its turn).  What comes after that is
 * appended as it is, wildcards among it.  False: it begins otherwise, or there is no home
 * folder.
 */
bool home_expand(struct str place, struct buf *out);
/* Whether it begins in one of these ways. */
bool home_is_place(struct str place);
/* Appends a path with "~" in place of the home folder. */
void home_shorten(struct str path, struct buf *out);

#endif
