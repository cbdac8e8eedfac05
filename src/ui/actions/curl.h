/* Copying the step as a request that can be sent again: "y c". */
#ifndef CATENA_UI_ACTIONS_CURL_H
#define CATENA_UI_ACTIONS_CURL_H

#include "ui/core/app.h"

/* Puts it on the clipboard when it is made, and says what it could not say. */
void copy_curl(struct app *app);

#endif
