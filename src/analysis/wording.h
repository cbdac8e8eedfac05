/*
 * The words of a text, and the longest run of them that stands in another text, whatever
 * is between them: blanks, line ends, signs, marks of Markdown, escapes of JSON at any
 * depth.  So a line on the screen is found in the bytes that it came from, and in others
 * that say the same.
 *
 * A word is a row of letters and digits, with the `_` in it, and the point in a number;
 * a comma before three digits is left out.  A sign of a script without blanks is a word.
 * Upper and lower case of ASCII are the same.  A word weighs what it tells: numbers of
 * three digits, words with digits or `_`, and those with a capital that begin no sentence
 * the most, words of up to three letters the least.
 */
#ifndef CATENA_ANALYSIS_WORDING_H
#define CATENA_ANALYSIS_WORDING_H

#include "base/buf.h"
#include "base/map.h"

#define WORDING_MOST 256 /* words of a text that are looked for */

struct wording_word {
	uint64_t hash;
	size_t from, to; /* bytes of the text */
	unsigned weight;
	uint32_t before; /* another place of the word before it, or MAP_NONE */
};

struct wording {
	struct str text; /* borrowed */
	struct wording_word words[WORDING_MOST];
	uint32_t count;
	struct idmap places; /* of words: the last */
};

void wording_begin(struct wording *w, struct str text);
void wording_done(struct wording *w);

/* Some words in a row. */
struct wording_run {
	uint32_t first, count; /* no words: none was found */
	unsigned weight;
};

/* Whether a run says enough to be known by: all of the text; four words, or fewer that
 * are heavy together, if they are an eighth of it; or one that tells something. */
bool wording_is_telling(const struct wording *w, const struct wording_run *run);
/* From the first to the last of its words, as they stand. */
struct str wording_text(const struct wording *w, const struct wording_run *run);
/* Appends a regular expression that finds the run as a text shows it: at most so many
 * bytes, of its first words. */
void wording_pattern(const struct wording *w, const struct wording_run *run, size_t most,
	struct buf *out);

/* Looks through texts for the heaviest run. */
struct wording_look {
	const struct wording *wording; /* borrowed */
	struct wording_run best;
	/* private: for each word, the run that ends with it */
	uint32_t length[WORDING_MOST];
	uint64_t seen[WORDING_MOST]; /* the number of the word of the text */
	uint64_t number;
};

void wording_look_begin(struct wording_look *l, const struct wording *w);
/* Looks through a text, to its end or until the work is to stop (base/stop).  `best` is
 * replaced by what weighs more alone: of equal runs the first stays. */
void wording_look(struct wording_look *l, struct str text);

#endif
