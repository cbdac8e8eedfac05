/* What can be taken out of the viewer: to the clipboard, and proposals to a file. */
#include "config.h"
#include "app/pane.h"
#include "app/run.h"

#include "base/utf8.h"
#include "term/clipboard.h"
#include "text/width.h"
#include "view/proposal.h"

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

unsigned run_copy(struct app *app, const struct call *call)
{
	struct doc *d = pane_doc(&app->panes[app_focus(app)]);
	struct buf text = BUF_INIT;
	size_t at = d->places[0].block;

	(void)call;
	if (at < d->count)
		doc_copy_text(d, at, &text);
	if (!text.len) {
		buf_text(&app->said, "nothing to copy here");
	} else {
		clipboard_copy(buf_view(&text), &app->said);
		if (has_controls(buf_view(&text)))
			buf_text(&app->said, "; it holds control characters");
	}
	buf_done(&text);
	return REACT_DRAW;
}

/* The proposal under the cursor, else the one that the keys for proposals would take. */
static bool proposal_json(struct pane *p, struct buf *json)
{
	struct doc *d = pane_doc(p);
	size_t found = proposal_find(d, d->places[0].block);

	return found != SIZE_MAX && proposal_at(d, found, json);
}

/* Asked anew: the document may have changed while the name was typed. */
static bool save_to(struct app *app, struct str path)
{
	struct buf json = BUF_INIT, name = BUF_INIT;

	buf_str(&name, path);
	if (!name.len)
		buf_text(&app->said, "no name, nothing written");
	else if (!proposal_json(&app->panes[app_focus(app)], &json))
		buf_text(&app->said, "no proposal here");
	else
		clipboard_save(name.data, buf_view(&json), &app->said);
	app->dirty = true;
	buf_done(&json);
	buf_done(&name);
	return true;
}

static const struct prompt_kind save_prompt = {
	.label = "write the marked operations to: ", .done = save_to};

unsigned run_save(struct app *app, const struct call *call)
{
	struct doc *d = pane_doc(&app->panes[app_focus(app)]);

	(void)call;
	if (proposal_find(d, d->places[0].block) == SIZE_MAX)
		buf_text(&app->said, "no proposal here");
	else
		prompt_ask(&app->prompt, &save_prompt, STR("proposal.json"), NULL);
	return REACT_DRAW;
}
