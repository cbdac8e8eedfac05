/*
 * The current theme: roles to attributes, for the colors that the terminal has.
 * Everything is plain until theme_set.  Every distinction also has a second sign (bold,
 * reverse, underline or a letter in the text), so that nothing is lost without color:
 * that the built-in themes of data/catena.yaml keep this is tested.
 */
#ifndef CATENA_TERM_THEME_H
#define CATENA_TERM_THEME_H

#include "text/style.h"

/* Keeps a copy.  What is drawn already changes with term_recolor. */
void theme_set(const struct theme *theme);

/*
 * The style of a role for a terminal of that many colors (0, 8, 16, 256 or more), its
 * colors the nearest that such a terminal has.
 */
struct style theme_style(enum role role, int colors);

/* A color of role_paint on a terminal of that many colors. */
int theme_paint(int color, int colors);

/*
 * The style of a span on a row with the style `over`.  Reverse on reverse is plain, so
 * that a mark is seen there too; on a reversed row text is never dim.
 */
struct style theme_laid_over(struct style span, struct style over);

#endif
