/*
 * What the loader wants to know of a key of an event, in one look-up.  The rows of a
 * trace repeat their keys, so that what was found out about one is remembered by its
 * bytes; what is not remembered is worked out again.  Private to import/.
 */
#ifndef CATENA_IMPORT_KEYS_H
#define CATENA_IMPORT_KEYS_H

#include "import/fields.h"
#include "import/format.h"

/* What a key says about the value in which it stands. */
enum key_sign {
	SIGN_EVENT = 1 << 0, /* id, properties, … */
	SIGN_INPUT = 1 << 1, /* user_prompt, assistant_response */
	SIGN_AI = 1 << 2,    /* $ai_… */
	SIGN_CHAIN_NAME = 1 << 3,
	/* of a chat's request or response */
	SIGN_MESSAGE = 1 << 4,
	SIGN_CONTEXT = 1 << 5,
	SIGN_HISTORY = 1 << 6,
	SIGN_ELEMENTS = 1 << 7,
	/* of a stream's event: see chunk_is_sign */
	SIGN_TYPE = 1 << 8,
	SIGN_OBJECT = 1 << 9,
	SIGN_CHUNK_ARRAY = 1 << 10, /* where it names an array */
	SIGN_CHUNK_OBJECT = 1 << 11,
	SIGN_CHUNK_BOOL = 1 << 12,
};

struct key_meaning {
	int16_t field[IN_METADATA + 1]; /* a field, or -1 */
	uint16_t signs;                 /* of enum key_sign */
	uint8_t carrier;                /* of enum carrier */
};

#define KEYS_PLACES 128 /* a power of two */
#define KEY_LENGTH  40  /* a longer one is not remembered */

struct key_cache {
	struct key_known {
		uint8_t n; /* 0: nothing is remembered here */
		char bytes[KEY_LENGTH];
		struct key_meaning meaning;
	} known[KEYS_PLACES][2];
};

/* `raw`: the bytes between its quotes, with their escapes. */
struct key_meaning keys_look_up(struct key_cache *keys, struct str raw);

#endif
