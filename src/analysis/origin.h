/*
 * Where words were first said: the earliest place in a trace where the heaviest run of
 * them stands that stands anywhere before a place.
 *
 * Steps are gone through in the order of the chain.  A step that has others below it is
 * sent its input before them, and answers after them.  Then comes the step of the place,
 * up to its message.  If there is nothing telling in the chain, the other chains are gone
 * through, but for steps that are later by their time.  Where all words stand together
 * the search ends.
 *
 * Every step is opened; a message that was looked through before, byte for byte, is
 * passed over.  Kept are 16 bytes for each different message.
 */
#ifndef CATENA_ANALYSIS_ORIGIN_H
#define CATENA_ANALYSIS_ORIGIN_H

#include "analysis/context.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/work.h"

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
struct wording_look {                  /* all zero bits but for: */
	const struct wording *wording; /* borrowed */
	struct wording_run best;
	/* private: for each word, the run that ends with it */
	uint32_t length[WORDING_MOST];
	uint64_t seen[WORDING_MOST]; /* the number of the word of the text */
	uint64_t number;
};

/* Looks through a text, to its end or until the work is to stop (base/work).  `best` is
 * replaced by what weighs more alone: of equal runs the first stays. */
void wording_look(struct wording_look *l, struct str text);

/* ---- the first place of a text ---- */

struct origin {
	struct wording wording;
	struct wording_look look; /* its `best` is what was found */
	struct step_part here;    /* from where it was asked, */
	struct step_part found;
	enum context_kind kind; /* what was found */
	struct buf name;        /* of its tool, or its call in few words; unsafe text */
	bool elsewhere;         /* in another chain */
	/* private */
	struct trace *trace;
	struct buf text;
	struct origin_event *events; /* in the order of time */
	size_t count, cap, next;
	size_t own; /* events of the place's chain, which are the first */
	struct idmap seen;
	struct context_names names;
};

/* Copies the text.  The place's step is arranged; the trace must not change meanwhile. */
struct origin *origin_new(
	struct trace *trace, const struct step_part *here, struct str text);
void origin_free(struct origin *o);
/* Works until the deadline of base/work. */
enum task_state origin_run(struct origin *o, uint64_t deadline);
unsigned origin_percent(const struct origin *o);
/* Whether something was found that tells something, before the place. */
bool origin_is_found(const struct origin *o);

#endif
