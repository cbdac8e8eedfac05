/* Words that somebody types to find a session: each must be in what is shown of it. */
#ifndef CATENA_SESSIONS_FITTING_H
#define CATENA_SESSIONS_FITTING_H

#include "base/pattern.h"

struct session;

#define FITTING_MOST 16 /* words; those after them do not count */

struct fitting { /* all zero bits: every session fits */
	struct fitting_word {
		struct pattern *pattern;
		bool without; /* "-word": it must not be there */
	} words[FITTING_MOST];
	size_t count;
};

/* In place of the words before. */
void fitting_begin(struct fitting *f, struct str words);
void fitting_done(struct fitting *f);
/* Whether all words are in its title, tool, folder or path.  Linear in them. */
bool fitting_has(const struct fitting *f, const struct session *s);

#endif
