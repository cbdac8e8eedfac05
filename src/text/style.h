/*
 * What the roles of text/line.h look like: made by the configuration, drawn by the
 * terminal.  A theme has three tables: a choice of many colors is unclear in few
 * colors, and without colors attributes must replace them.
 */
#ifndef CATENA_TEXT_STYLE_H
#define CATENA_TEXT_STYLE_H

#include "text/color.h"
#include "text/line.h"

#define STYLE_ATTRIBUTES(X)                                                              \
	X(BOLD, "bold")                                                                  \
	X(DIM, "dim")                                                                    \
	X(UNDERLINE, "underline")                                                        \
	X(REVERSE, "reverse")                                                            \
	X(ITALIC, "italic")

enum style_bit {
#define STYLE_BIT(name, text) STYLE_BIT_##name,
	STYLE_ATTRIBUTES(STYLE_BIT)
#undef STYLE_BIT
		STYLE_BITS
};

enum style_attribute {
#define STYLE_ATTRIBUTE(name, text) STYLE_##name = 1 << STYLE_BIT_##name,
	STYLE_ATTRIBUTES(STYLE_ATTRIBUTE)
#undef STYLE_ATTRIBUTE
};

struct style {
	int fg, bg;          /* of text/color.h */
	unsigned attributes; /* of enum style_attribute */
};

/* For terminals of 256 colors and more, of 8 to 255, and of fewer. */
enum theme_depth { THEME_MANY, THEME_FEW, THEME_NONE, THEME_DEPTHS };

struct theme {
	struct style styles[THEME_DEPTHS][ROLE_COUNT];
};

#endif
