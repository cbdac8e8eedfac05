/*
 * Who speaks, by the names that vendors give to the four parts of a conversation.
 */
#ifndef CATENA_CHAT_ROLE_H
#define CATENA_CHAT_ROLE_H

#include "base/str.h"

enum speaker {
	SPEAKER_OTHER,
	SPEAKER_USER,
	SPEAKER_ASSISTANT,
	SPEAKER_SYSTEM,
	SPEAKER_TOOL,
};

enum speaker role_speaker(struct str role);

#endif
