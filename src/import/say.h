/*
 * What a described step says: the pieces of its description, read from its value, as
 * messages (dialect/talk.h).  Private to import/.
 */
#ifndef CATENA_IMPORT_SAY_H
#define CATENA_IMPORT_SAY_H

#include "chat/side.h"
#include "import/describe.h"

/*
 * Adds to the talk what the pieces find in the value.  `side`: whose role is spoken
 * where none is given.  A value that nothing can read as messages is a block of JSON.
 * Cost: linear in the value for each piece.
 */
void say(struct talk *talk, const struct description *d, const struct said_pieces *said,
	struct jv value, enum prefer side);

/*
 * A side of a step that is one value.  Where a single piece gives one value that no
 * dialect knows, the side is what side_read makes of it.
 */
void say_side(struct side *side, struct talk *talk, const struct description *d,
	const struct said_pieces *said, struct jv value, enum prefer prefer,
	struct arena *arena);

#endif
