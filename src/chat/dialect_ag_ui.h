/* The events of the AG-UI protocol, beside the dialect "ag-ui". */
#ifndef CATENA_CHAT_DIALECT_AG_UI_H
#define CATENA_CHAT_DIALECT_AG_UI_H

#include "base/str.h"

#include <stdbool.h>

/* Whether this is the type of an event: TEXT_MESSAGE_CONTENT, … */
bool ag_ui_is_type(struct str type);

#endif
