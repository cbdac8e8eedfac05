/* `=`: where in the file the step is, what it takes, and the way to the cursor's value.
 */
#include "config.h"

#include <inttypes.h>

#include "text/safe.h"
#include "ui/core/doc_pane.h"
#include "ui/core/screen.h"
#include "ui/core/step_view.h"
#include "ui/keys/run.h"
#include "view/facts.h"
#include "view/tree.h"

/* "ai_generation, 2.1 KB at byte 4711 of b.jsonl" */
static void put_step(const struct app *app, uint32_t index, struct buf *out)
{
	const struct trace *trace = app->trace;
	struct step s = trace_step(trace, index);
	struct str event = trace_text(trace, s.event);

	buf_str(out, event);
	buf_text(out, event.n ? ", " : "");
	facts_bytes(out, s.length);
	buf_printf(out, " at byte %" PRIu64, inputs_offset(s.offset));
	if (inputs_wholes(trace->inputs) > 1)
		buf_printf(out, " of %s", inputs_name_at(trace->inputs, s.offset));
}

static void put_value(struct pane *p, struct buf *out)
{
	struct doc *d = pane_doc(p);
	size_t at = pane_cursor(p)->block;
	struct buf path = BUF_INIT;

	if (at >= d->count)
		return;
	tree_path(d, at, &path);
	if (path.len)
		buf_printf(out, "; %.*s", (int)path.len, path.data);
	if (d->blocks[at].value.n) {
		buf_text(out, "; ");
		facts_bytes(out, d->blocks[at].value.n);
	}
	buf_done(&path);
}

unsigned run_information(struct app *app, const struct invocation *call)
{
	uint32_t step = step_at_cursor(app);
	enum pane_id focus = screen_focus(app);

	if (step == NO_STEP) {
		buf_text(&app->said, "no step here");
		return REACT_DRAW;
	}
	put_step(app, step, &app->said);
	if (focus == PANE_INPUT || focus == PANE_OUTPUT)
		put_value(screen_focused(app), &app->said);
	return REACT_DRAW;
}
