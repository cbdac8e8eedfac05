/*
 * Where could a text stand in raw JSON?  A sieve looks at raw bytes at the speed of
 * memory and names candidates; whoever asks decodes what is there and looks again.  It
 * may name too many places, never too few.
 *
 * Why none is lost: in raw JSON, however many strings lie in one another, a character is
 * either written as itself or its spelling begins with a backslash.  A few have short
 * escapes (quote, backslash, slash, control characters): no needle is made of them. Every
 * other one, if not written as itself, is at some layer \uXXXX: then the raw bytes hold a
 * backslash, `u` and either the character's own four digits or those of a backslash, a
 * `u` or a hexadecimal digit that an outer layer escaped in its turn.  So a needle is a
 * run of plain characters of the text, in all their cases, and a candidate is the run
 * written plainly, or the first escape in it, told by its digits and by what stands
 * beside it.
 */
#ifndef CATENA_QUERY_SIEVE_H
#define CATENA_QUERY_SIEVE_H

#include "base/str.h"

#define SIEVE_NEEDLES 8

struct sieve;

/*
 * For texts (UTF-8) of which at least one must be there; up to SIEVE_NEEDLES.  A text of
 * which no needle can be made, or no text at all, makes a sieve that keeps nothing back.
 */
struct sieve *sieve_new(const struct str texts[], size_t count, bool caseless);
void sieve_free(struct sieve *s);

bool sieve_open(const struct sieve *s); /* it keeps nothing back */
/* How many bytes before and behind a place decide about it, at most. */
size_t sieve_reach(const struct sieve *s);

/* A look through one stretch of bytes, from its start to its end. */
struct sieve_cursor {
	const struct sieve *sieve;
	struct str bytes;
	size_t next[2 * SIEVE_NEEDLES];
};

void sieve_begin(struct sieve_cursor *c, const struct sieve *s, struct str bytes);
/*
 * The first candidate at `from` or behind, which must not go back; bytes.n: there is
 * none. Of what the ends of the stretch cut, a needle written plainly is none, an escape
 * is one.
 */
size_t sieve_next(struct sieve_cursor *c, size_t from);

#endif
