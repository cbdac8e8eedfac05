/*
 * The preview of the session under the cursor of the list (view/session_card), beside
 * the list or below it where there is room.  It is read when the cursor has come to rest;
 * the last ones are kept.  Above the panes of an open session it is the card of that.
 */
#ifndef CATENA_UI_CONTROL_SESSION_PREVIEW_H
#define CATENA_UI_CONTROL_SESSION_PREVIEW_H

#include "ui/core/app.h"

extern const struct controller_ops session_preview_controller;
extern const struct pane_ops pane_preview_ops;

#endif
