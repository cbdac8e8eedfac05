/*
 * The terminal a person would look at, as libvterm emulates it: bytes of the program in,
 * cells out. It answers no query: what it would send back is thrown away, except the
 * bytes of a key asked for with vt_key.
 */
#ifndef CATENA_SCREENS_VT_H
#define CATENA_SCREENS_VT_H

#include "base/buf.h"
#include "term/term.h"
#include "ui/core/layout.h"

struct vt;

bool vt_possible(void); /* there is such an emulator */
struct vt *vt_new(unsigned columns, unsigned rows);
void vt_free(struct vt *vt); /* NULL is allowed */

void vt_feed(struct vt *vt, struct str bytes);
void vt_resize(struct vt *vt, unsigned columns, unsigned rows);

/* Appends the bytes this terminal sends for a key or the mouse, in the modes it is in
 * now. */
void vt_key(struct vt *vt, const struct term_event *event, struct buf *out);

struct vt_modes {
	bool alternate; /* the alternate screen is shown */
	bool cursor_visible;
	bool mouse; /* its reports were asked for */
};
struct vt_modes vt_modes(const struct vt *vt);
bool vt_shows(const struct vt *vt, struct rect area, struct str text); /* in one row */

/*
 * Appends a part of the screen as text, the format of the golden files (README.md): what
 * looks the same prints the same, whichever way the program took to draw it.
 */
void vt_print(const struct vt *vt, struct rect area, struct buf *out);

/* How many cells look different from the last time this was asked; at first, from blank
 * ones. */
size_t vt_changes(struct vt *vt);

#endif
