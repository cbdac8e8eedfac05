/* Going to a part of a message of a step: a call, a result, a definition of a tool. */
#ifndef CATENA_UI_CORE_STEP_PART_H
#define CATENA_UI_CORE_STEP_PART_H

#include "ui/core/app.h"

struct step_part {
	uint32_t step;
	bool input;
	size_t message; /* SIZE_MAX: no message: the definitions of tools, or the side */
	size_t part;    /* of the message, as parts_read gives them */
};

/* Takes the list, the side and its cursor there; leaves what lies over the panes.  In a
 * step that is so long that it is not open yet it goes to the message.  False: the
 * list does not show the step, which is said. */
bool step_part_go(struct app *app, const struct step_part *to);

#endif
