/*
 * The thumbnails of the images that are looked at (term/thumbnail), when the setting
 * `images` asks for them: made one after the other beside everything else, kept for the
 * next time.
 */
#ifndef CATENA_UI_CONTROL_PICTURES_H
#define CATENA_UI_CONTROL_PICTURES_H

#include "ui/core/app.h"

extern const struct controller_ops pictures_controller;

/* Some are still awaited: their task must be run again in a few milliseconds. */
bool pictures_are_made(const struct app *app);

#endif
