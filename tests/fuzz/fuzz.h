/*
 * What harnesses share.  A harness is one file with LLVMFuzzerTestOneInput, which
 * libFuzzer, AFL++ and replay.c call with any bytes; its head states the properties that
 * must hold for all of them.  It is deterministic, keeps nothing from call to call, and
 * frees all.
 *
 * A property that does not hold ends the program by abort(), with a line on standard
 * error that says which one.
 */
#ifndef CATENA_TESTS_FUZZ_H
#define CATENA_TESTS_FUZZ_H

#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"
#include "json/cursor.h"
#include "text/line.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define EXPECT(condition, ...)                                                           \
	do {                                                                             \
		if (!(condition))                                                        \
			fuzz_broken(__FILE__, __LINE__, #condition, __VA_ARGS__);        \
	} while (0)

_Noreturn void fuzz_broken(const char *file, int line, const char *condition,
	const char *fmt, ...) PRINTF_LIKE(4, 5);

/* Once for the process: the locale, the libraries, no files of the user.  Cheap when
 * called again. */
void fuzz_begin(void);

/* ---- the input ---- */

struct fuzz {
	struct str rest;
	uint64_t chance; /* numbers by chance that depend on the input alone */
};

struct fuzz fuzz_of(const uint8_t *data, size_t size); /* calls fuzz_begin */
/* The next byte; 0 when there is none. */
unsigned fuzz_byte(struct fuzz *f);
/* Up to a line feed, which is taken too, or the end. */
struct str fuzz_line(struct fuzz *f);
/* Up to a line "---8<---", which is taken too, or the end. */
struct str fuzz_document(struct fuzz *f);
/* 0 … n - 1, from the input's hash; n > 0. */
size_t fuzz_chance(struct fuzz *f, size_t n);

/* ---- files ---- */

/* The path of a file in memory that holds the bytes; valid until the next call with the
 * same number, 0 or 1. */
const char *fuzz_file(unsigned number, struct str bytes);

/* ---- output ---- */

/* What is printed goes to a buffer until fuzz_printed gives it: to be freed by free(). */
void fuzz_print(void);
struct str fuzz_printed(void);
/* Standard error of the same time; valid until the next fuzz_print. */
struct str fuzz_said(void);

/* ---- properties of text ---- */

enum { FUZZ_LINES = 1, FUZZ_ASCII = 2, FUZZ_OUTPUT = 4 };

/*
 * No character that moves the cursor, reorders or hides text: decided by Unicode's
 * categories, independently of text/width.  With FUZZ_LINES line feeds may be there;
 * FUZZ_OUTPUT asks only for what json_write promises: no controls, bidirectional,
 * zero-width and tag characters.
 */
void fuzz_expect_printable(struct str text, unsigned flags, const char *what);
/* Cells by wcwidth. */
size_t fuzz_cells(struct str text);
/* Every line is printable, as wide as it says, and fits. */
void fuzz_expect_lines(const struct lines *ls, uint32_t width, const char *what);
/* The text is valid JSON by RFC 8259. */
void fuzz_expect_json(struct str text, const char *what);
/* Whether the value lies within a text. */
bool fuzz_within(struct jv value, struct str text);
void fuzz_expect_equal(struct str a, struct str b, const char *what);

#endif
