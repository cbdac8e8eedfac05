/* `:label pass why`: a label for the step, and a note (trace/labels.h). */
#include "config.h"
#include "ui/control/controllers.h"
#include "ui/core/prompt.h"
#include "trace/labels.h"
#include "import/action.h"
#include "text/safe.h"

static uint32_t step_here(const struct app *app)
{
	return app->screen.overlay == PANE_TRANSCRIPT ? transcript_step(app)
						      : step_at_cursor(app);
}

/* "pass it found the bug": the first word is the label; "none" takes it away. */
static bool put(struct app *app, struct str words)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	uint32_t step = step_here(app);
	struct str text = str_trim(words), note;
	AUTO_BUF name = BUF_INIT;
	struct step s;
	size_t n = 0;

	if (step == NO_STEP || !text.n)
		return true;
	while (n < text.n && text.p[n] != ' ')
		n++;
	note = str_trim(str_skip(text, n));
	text.n = n;
	if (str_equal(text, STR("none")))
		text.n = 0;
	s = trace_step(app->trace, step);
	step_call(app->trace, step, NULL, &name);
	if (!labels_put(app->trace, &s, text, note, buf_view(&name), &err)) {
		err_format(&err, &app->said);
		return true;
	}
	if (text.n) {
		buf_text(&app->said, "labelled ");
		buf_str(&app->said, text);
	} else {
		buf_text(&app->said, "the label is taken away");
	}
	app->steps.known |= 1u << COLUMN_LABEL;
	app->screen.dirty = true;
	return true;
}

unsigned run_label(struct app *app, const struct invocation *call)
{
	static const struct prompt_kind kind = {
		.label = "label, and a note (none: takes it away): ", .done = put};
	const struct label *before;
	AUTO_BUF text = BUF_INIT;
	struct step s;

	if (step_here(app) == NO_STEP)
		return REACT_NOTHING;
	if (call->argument.n) {
		put(app, call->argument);
		return REACT_DRAW;
	}
	s = trace_step(app->trace, step_here(app));
	before = labels_of(app->trace, &s);
	if (before) {
		buf_str(&text, buf_view(&before->text));
		if (before->note.len)
			buf_byte(&text, ' ');
		buf_str(&text, buf_view(&before->note));
	}
	prompt_ask(app, &app->prompt, &kind, buf_view(&text), NULL);
	return REACT_DRAW;
}
