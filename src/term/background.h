/*
 * Is the terminal dark or light?  Two ways to know: the variable COLORFGBG, which some
 * terminals set (rxvt, Konsole, iTerm2), and a question that xterm and most others answer
 * ("OSC 11", https://invisible-island.net/xterm/ctlseqs/ctlseqs.html).  After it goes a
 * question that every terminal answers (DA1, "device attributes"): when that answer comes
 * first, the other will not come.
 */
#ifndef CATENA_TERM_BACKGROUND_H
#define CATENA_TERM_BACKGROUND_H

#include "base/str.h"

#include <stdint.h>

enum background { BACKGROUND_UNKNOWN, BACKGROUND_DARK, BACKGROUND_LIGHT };

/* By COLORFGBG: "15;0", "0;15", "15;default;0"; NULL or anything else: unknown. */
enum background background_of_variable(const char *value);

/*
 * One answer at the head of what was typed, code points or TERM_ keys.  Returns how many
 * of them it takes, 0 when there is none; reply->partial when its end is still to come.
 */
enum background_answer { ANSWER_NONE, ANSWER_COLOR, ANSWER_ATTRIBUTES };
struct background_reply {
	enum background_answer kind;
	enum background background; /* ANSWER_COLOR; unknown when it cannot be read */
	bool partial;
};
unsigned background_reply(
	const uint32_t *keys, unsigned count, struct background_reply *reply);

#define BACKGROUND_QUESTION "\033]11;?\033\\\033[c"

#endif
