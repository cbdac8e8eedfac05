/*
 * Sessions whose files give them no name are called by what a person asked for first, as
 * the list of sessions calls them.  That is read from the beginning of their files, once
 * all is read.
 */
#ifndef CATENA_UI_CONTROL_TITLES_H
#define CATENA_UI_CONTROL_TITLES_H

#include "ui/core/app.h"

extern const struct controller_ops titles_controller;

#endif
