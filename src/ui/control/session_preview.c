/* See session_preview.h. */
#include "config.h"
#include "ui/control/session_preview.h"

#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "term/term.h"
#include "text/safe.h"
#include "ui/control/board.h"
#include "view/session_preview.h"

#define KEPT 16
#define REST 60000 /* microseconds that the cursor rests before its session is read */

struct session_previews {
	struct kept_preview {
		char *path; /* NULL: none */
		uint64_t size;
		double written;
		struct session_preview *preview;
		uint64_t used;
	} kept[KEPT];
	struct kept_preview *current; /* of the session under the cursor, or NULL */
	uint64_t uses;
	uint64_t came; /* microseconds: when the cursor came to its session */
};

static struct session_previews *previews_of(const struct app *app)
{
	return controller_state(app, CONTROLLER_SESSION_PREVIEW);
}

static void drop(struct kept_preview *k)
{
	preview_free(k->preview);
	mem_free(k->path);
	*k = (struct kept_preview){0};
}

static void end(struct app *app)
{
	for (size_t i = 0; i < KEPT; i++)
		drop(&previews_of(app)->kept[i]);
}

/* The session's place, which may be empty: that of the one that was not used longest. */
static struct kept_preview *place_of(struct session_previews *v, const struct session *x)
{
	struct kept_preview *oldest = &v->kept[0];

	for (size_t i = 0; i < KEPT; i++) {
		struct kept_preview *k = &v->kept[i];

		if (k->path && strcmp(k->path, x->path) == 0)
			return k;
		if (k->used < oldest->used)
			oldest = k;
	}
	drop(oldest);
	oldest->path = mem_dup(x->path, strlen(x->path));
	return oldest;
}

/* The preview of the session under the cursor; one that has grown is read again. */
static struct kept_preview *settle(struct app *app)
{
	struct session_previews *v = previews_of(app);
	const struct session *x = board_at_cursor(app);
	struct kept_preview *k = x ? place_of(v, x) : NULL;

	if (k != v->current)
		v->came = clock_us();
	v->current = k;
	if (!k)
		return NULL;
	k->used = ++v->uses;
	if (k->preview && (k->size != x->size || k->written != x->written)) {
		preview_free(k->preview);
		k->preview = NULL;
	}
	k->size = x->size;
	k->written = x->written;
	return k;
}

static bool is_shown(const struct app *app)
{
	return board_is_on(app) && app->screen.layout.pane[PANE_PREVIEW].rows;
}

/* Keys come first: a step that is opened is stopped by them, too (base/stop.h). */
static enum task_state run(struct app *app, uint64_t deadline)
{
	struct kept_preview *k = is_shown(app) ? settle(app) : NULL;
	bool before;

	if (!k || (k->preview && k->preview->whole))
		return TASK_IDLE;
	if (clock_us() - previews_of(app)->came < REST)
		return TASK_MORE;
	if (!k->preview)
		k->preview = preview_new(k->path, app->options.sessions->from);
	before = k->preview->read;
	if (preview_run(k->preview, deadline) == TASK_DONE || before != k->preview->read)
		app->screen.dirty = true;
	return k->preview->whole ? TASK_IDLE : TASK_MORE;
}

static void title(const struct app *app, const struct pane *p, struct buf *out)
{
	const struct session *x = board_at_cursor(app);

	if (x && (x->read || x->glanced))
		safe_line(out, session_name(x));
}

static void draw(struct app *app, struct pane *p)
{
	const struct session *x = board_at_cursor(app);
	struct kept_preview *k = settle(app);
	struct lines *lines = &app->screen.line;
	unsigned width = p->area.columns > 2 ? p->area.columns - 2 : p->area.columns;

	if (!x)
		return;
	session_preview_lay_out(x, k->preview, width, p->area.rows, lines);
	for (size_t i = 0; i < lines->count; i++)
		term_draw_line(p->area.row + (unsigned)i, p->area.column + 1, width, 0,
			lines, i, ROLE_TEXT, ROLE_TEXT);
}

const struct pane_ops pane_preview_ops = {.title = title, .draw = draw};

const struct controller_ops session_preview_controller = {
	.state = sizeof(struct session_previews),
	.end = end,
	.run = run,
	.level = LEVEL_WORK,
};
