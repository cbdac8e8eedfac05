/* See clipping.h. */
#include "config.h"
#include "ui/actions/clipping.h"

#include "base/utf8.h"
#include "term/clipboard.h"
#include "text/width.h"

/* A paste of these does more than show them. */
static bool does_more(enum char_class class, unsigned code)
{
	return (class == CHAR_CONTROL && code != '\n' && code != '\t') ||
	       class == CHAR_C1 || class == CHAR_BIDI;
}

static bool has_controls(struct str text)
{
	for (size_t i = 0; i < text.n;) {
		unsigned code;
		bool valid;

		i += utf8_decode(text.p + i, text.n - i, &code, &valid);
		if (does_more(char_class(code), code))
			return true;
	}
	return false;
}

void clip(struct app *app, struct str text)
{
	clipboard_copy(text, &app->said);
	if (has_controls(text))
		buf_text(&app->said, "; it holds control characters");
}
