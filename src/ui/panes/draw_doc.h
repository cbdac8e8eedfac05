/* Drawing a pane that shows a document: its rows, with the hits of a search marked. */
#ifndef CATENA_UI_PANES_DRAW_DOC_H
#define CATENA_UI_PANES_DRAW_DOC_H

#include "ui/core/app.h"

/* `cursor`: whether the cursor's mark is seen. */
void draw_doc(struct app *app, struct pane *p, bool cursor);

#endif
