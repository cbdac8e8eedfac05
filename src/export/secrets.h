/*
 * What is not to leave the machine: tokens by their public shapes (data/secrets.json),
 * values whose name says that they are secret and that look random, e-mail addresses,
 * home folders and the names of their users, and what a person's own patterns find.
 *
 * Texts are looked through as they mean, not as they are written: strings of JSON are
 * decoded, and what is escaped in them is looked at once more, colors of terminals taken
 * out and percents decoded.  Each secret has one stand-in, such as "[github-token-1]",
 * wherever it stands; so has each line of one of many lines, as those of a key may stand
 * in a difference or beside numbers.
 */
#ifndef CATENA_EXPORT_SECRETS_H
#define CATENA_EXPORT_SECRETS_H

#include "base/err.h"
#include "base/map.h"
#include "base/mem.h"
#include "export/export.h"
#include "json/cursor.h"
#include "trace/trace.h"

/* Where something was found. */
struct secret_place {
	uint32_t file;      /* number of the caller's */
	size_t chain, step; /* from 1 */
};

struct secret {
	struct str text; /* decoded */
	struct str kind; /* "github-token" */
	struct buf stand_in;
	size_t number; /* in it: of its kind */
	size_t whole;  /* the secret whose stand-in a line of it has, too; else itself */
	size_t known;  /* bytes at its beginning that all of its kind have */
	bool word;     /* only where no letter or digit is beside it: a user's name */
	uint64_t hidden;             /* in what was written: counted by export/redact */
	struct secret_place *places; /* that have it, in order */
	size_t place_count, place_cap;
};

struct secrets {
	struct secret *items;
	size_t count, cap;
	struct secret_place at; /* set it before a text is looked through */
	uint64_t given_up;      /* places where a pattern ran too long: what is there is
				   unknown */
	/* private */
	struct secret_rule *rules;
	size_t rule_count, rule_cap;
	struct intern texts;
	struct arena arena; /* of the rules */
	struct buf clean;
	uint64_t added;            /* how often something was found */
	struct dedup_set harmless; /* hashes of texts in which nothing was found */
};

/* With the built-in rules; the patterns are Perl's.  NULL with err: one of them is no
 * pattern. */
struct secrets *secrets_new(const char *const *patterns, size_t count, struct err *err);
void secrets_free(struct secrets *s);

/* Looks through a text.  Linear, for each rule that the text has a hint of, when it is
 * not remembered as one with nothing to hide.  It may be stopped (base/work), and called
 * again. */
void secrets_scan(struct secrets *s, struct str text);

/*
 * Looking through a trace before it is exported: each step as it is written in the file,
 * and as an export shows it, where pieces of a stream are joined; names of files and
 * titles of chains.  In slices, as an export.
 */
struct looking;

/* Both are borrowed; the arrangement must not change meanwhile.  `file` is the number for
 * the places of secrets. */
struct looking *looking_new(struct secrets *s, struct trace *trace, uint32_t file);
/* Until a deadline of base/work, or to the end (UINT64_MAX).  Linear in the trace. */
enum task_state looking_run(struct looking *l, uint64_t deadline);
unsigned looking_percent(const struct looking *l);
void looking_free(struct looking *l); /* NULL is fine */

/* Appends "15 places hidden, by 3 stand-ins". */
void secrets_summary(const struct secrets *s, struct buf *out);
/* How many stand-ins were put. */
size_t secrets_put(const struct secrets *s);

/* Whether a byte is written with a percent at a place: "%40". */
bool percent_read(struct str text, size_t at, unsigned *byte);

/* ---- redact.c ----
 *
 * What an export writes, with stand-ins in place of secrets: the last thing before its
 * bytes leave, so that nothing passes by it.  A secret is recognized however a format
 * writes it: with escapes of JSON, once or in a string in a string, with entities and
 * elements of HTML, backslashes of Markdown, percents, with orders to a terminal within
 * it, or broken into lines; and where a title was cut, its beginning or end.
 */

struct redactor;

/* The secrets are borrowed, and `hidden` is counted in them; none may be added. */
struct redactor *redactor_new(struct secrets *s, const struct export_format *format,
	export_write_fn *write, void *ctx);
/* Writes what is decided by now; the rest waits for more.  It decides on 8 KB at a time,
 * in some milliseconds. */
void redactor_write(struct redactor *r, struct str bytes);
/* After all was given: writes some more of the rest; false: nothing is left. */
bool redactor_rest(struct redactor *r);
/* Writes the rest, and frees it. */
void redactor_end(struct redactor *r);
void redactor_free(struct redactor *r); /* what is held is lost; NULL is fine */

#endif
