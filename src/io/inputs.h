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

#include "io/window.h"

#define INPUTS_SHIFT 44 /* 16 TiB a source, a million sources */
#define INPUTS_MOST  ((size_t)1 << (64 - INPUTS_SHIFT))

struct inputs;

struct inputs *inputs_new(void);
void inputs_free(struct inputs *in);

/* A file, a folder with all below it, or "-"; to be opened later. */
void inputs_add(struct inputs *in, const char *path);
/* A source that is open; takes it. */
void inputs_take(struct inputs *in, struct source *s);
/* Standard input of others is that of these as well, when it is a stream: what came of it
 * cannot be read again.  Call it before anything is opened. */
void inputs_share(struct inputs *in, const struct inputs *of);
/* Whether regular files are followed, as far as there are descriptors: those that are
 * open, and those to come. */
void inputs_follow(struct inputs *in, bool on);
bool inputs_are_followed(const struct inputs *in);

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
/* The number of the first of the sources that were one file one after the other: they
 * hold one log. */
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

/* Followed files: takes what they have grown by.  What became of the worst of them; the
 * successors of those that were replaced are new sources. */
enum source_change inputs_look(struct inputs *in, struct err *err);

/* All of it, in bytes that are at hand, and those before an address. */
uint64_t inputs_size(const struct inputs *in);
uint64_t inputs_before(const struct inputs *in, uint64_t address);

size_t inputs_read(struct inputs *in, uint64_t address, void *out, size_t n);
/* As window_move; the window knows offsets in the source of the address. */
void inputs_window(struct inputs *in, uint64_t address, struct window *w);
/* Where the source of an address ends: the address behind its last byte at hand. */
uint64_t inputs_end(const struct inputs *in, uint64_t address);

/* As source_failed: of the first that did. */
bool inputs_failed(const struct inputs *in, struct err *err);
/* Sets the name, offset, line and column of an error whose offset is an address. */
void inputs_locate(struct inputs *in, struct err *err);
/* For a title: the name as it was given, or how many there are. */
const char *inputs_name(const struct inputs *in);
/* The name of the source of an address. */
const char *inputs_name_at(const struct inputs *in, uint64_t address);

/* What was wrong with compressed input, which files could not be opened, what was left
 * out; set in err, with its place. */
size_t inputs_note_count(const struct inputs *in);
void inputs_note(const struct inputs *in, size_t i, struct err *err);
/* Adds such a note: a source that could not be opened, for instance. */
void inputs_add_note(struct inputs *in, const struct err *err);

#endif
