/*
 * The thumbnails of the images that are looked at (term/thumbnail), when the setting
 * `images` asks for them: made one after the other beside everything else, kept for the
 * next time.
 */
#ifndef CATENA_UI_PICTURES_H
#define CATENA_UI_PICTURES_H

#include "chat/parts.h"
#include "text/line.h"

struct app;

/* For struct reading: `app` is the application.  Asks for one that is not there. */
const struct lines *pictures_get(void *app, const struct part *p, uint32_t width);

/* Goes on with the one that is made; documents that show it are laid out anew. */
void pictures_slice(struct app *app);
bool pictures_are_made(const struct app *app); /* some are still awaited */
/* Lays out the images of the step that is shown anew. */
void pictures_renew(struct app *app);
void pictures_free(struct app *app);

#endif
