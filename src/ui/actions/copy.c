/* What can be taken out of the viewer: to the clipboard, and to a file. */
#include "config.h"

#include <stdlib.h>

#include "base/outfile.h"
#include "base/utf8.h"
#include "chat/image_data.h"
#include "term/clipboard.h"
#include "text/width.h"
#include "view/proposal.h"
#include "ui/actions/clipping.h"
#include "ui/actions/curl.h"
#include "ui/actions/paths.h"
#include "ui/actions/typed_path.h"
#include "ui/control/board.h"
#include "ui/control/target.h"
#include "ui/core/doc_pane.h"
#include "ui/core/screen.h"
#include "ui/keys/run.h"

/* ---- to the clipboard ---- */

static void copy_unit(struct app *app, enum unit unit)
{
	struct buf text = BUF_INIT;
	const char *ending, *why;

	if (board_is_on(app)) /* of a session its path, whatever is asked for */
		unit = UNIT_CURSOR;
	if (unit == UNIT_PATH || unit == UNIT_JQ)
		copy_path(app, unit);
	else if (unit == UNIT_CURL)
		copy_curl(app);
	else if (target_take(app, unit, &text, &ending, &why))
		clip(app, buf_view(&text));
	else
		buf_text(&app->said, why);
	buf_done(&text);
}

unsigned run_copy(struct app *app, const struct invocation *call)
{
	enum unit unit = call->argument.n ? unit_named(call->argument) : UNIT_CURSOR;

	if (unit == UNITS_END) {
		buf_text(&app->said, "what can be copied:");
		for (int i = 0; i < UNITS_END; i++)
			buf_printf(&app->said, " %s", unit_names[i]);
	} else {
		copy_unit(app, unit);
	}
	return REACT_DRAW;
}

/* ---- to a file ---- */

/* The proposal under the cursor, else the one that the keys for proposals would take. */
static bool proposal_json(struct app *app, struct buf *json)
{
	struct doc *d = pane_doc(&app->screen.panes[screen_focus(app)]);
	size_t found = proposal_find(d, d->places[0].block);

	return found != SIZE_MAX && proposal_at(d, found, json);
}

/* The bytes of an image, as far as base64 goes. */
static bool media_bytes(struct app *app, struct buf *out, const char **ending)
{
	const struct part *part = target_media(app);
	struct buf text = BUF_INIT;
	struct base64 state = {0};
	struct image_data data;
	bool found = part && !part->remote && part->body.kind == J_STRING &&
		     image_data_find(&data, jv_str(part->body, &text));

	if (found) {
		base64_decode(&state, data.base64, SIZE_MAX, out);
		*ending = data.media.n ? data.ending : ".bin";
	}
	buf_done(&text);
	return found;
}

/* What is saved here: a proposal's chosen operations, an image, else what is copied. */
static bool what_to_save(
	struct app *app, struct buf *out, const char **stem, const char **ending)
{
	const char *why;

	*stem = "proposal";
	*ending = ".json";
	if (proposal_json(app, out))
		return true;
	*stem = "image";
	if (media_bytes(app, out, ending))
		return true;
	*stem = "value";
	if (target_take(app, UNIT_CURSOR, out, ending, &why))
		return true;
	buf_text(&app->said, "nothing to save here");
	return false;
}

/* Asked again: the document may have changed while the name was typed. */
static bool save_to(struct app *app, struct str typed)
{
	struct buf what = BUF_INIT, path = BUF_INIT;
	struct err err = {.offset = ERR_NOWHERE};
	const char *stem, *ending;
	bool done = true, replace = typed_path(typed, &path);

	app->screen.dirty = true;
	if (!path.len)
		buf_text(&app->said, "no name, nothing written");
	else if (what_to_save(app, &what, &stem, &ending))
		done = outfile_save(path.data, buf_view(&what), replace, &err);
	if (!done) {
		typed_path_refused(path.data, replace, &err);
		prompt_refuse(&app->prompt, ERR_NOWHERE, err.text);
	} else if (what.len)
		buf_printf(&app->said, "%zu bytes written to %s", what.len, path.data);
	buf_done(&what);
	buf_done(&path);
	err_done(&err);
	return done;
}

static unsigned ask_for_name(struct app *app)
{
	static const struct prompt_kind
		proposal = {.label = "write the marked operations to: ", .done = save_to},
		value = {.label = "write it to: ", .done = save_to};
	struct buf what = BUF_INIT, name = BUF_INIT;
	const char *stem, *ending;

	if (what_to_save(app, &what, &stem, &ending)) {
		buf_printf(&name, "%s%s", stem, ending);
		prompt_ask(app, &app->prompt, *stem == 'p' ? &proposal : &value,
			buf_view(&name), NULL);
	}
	buf_done(&what);
	buf_done(&name);
	return REACT_DRAW;
}

unsigned run_save(struct app *app, const struct invocation *call)
{
	if (!call->argument.n)
		return ask_for_name(app);
	if (!save_to(app, call->argument)) {
		buf_str(&app->said, call->argument);
		buf_text(&app->said, ": ");
		prompt_say(&app->prompt, &app->said);
	}
	return REACT_DRAW;
}
