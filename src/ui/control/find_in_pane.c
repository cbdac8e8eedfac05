/* The search in what lies over the panes: see find.c. */
#include "config.h"
#include "ui/control/controllers.h"

#include "base/mem.h"
#include "base/sort.h"
#include "base/work.h"
#include "ui/control/find_state.h"

static struct doc *doc_here(const struct app *app)
{
	struct pane *panes = (struct pane *)app->screen.panes;

	return pane_doc(&panes[app->state.find->here.pane]);
}

void find_here_done(struct app *app)
{
	struct find_here *h = &app->state.find->here;

	transcript_forget_hits(app); /* it may still be on its way to one */
	query_free(h->query);
	buf_done(&h->text);
	highlights_done(&h->marks);
	mem_free(h->hits);
	*h = (struct find_here){0};
}

bool find_here_can(const struct app *app)
{
	return app->screen.overlay != PANE_NONE && app->screen.overlay != PANE_PICKER;
}

bool find_here_is_on(const struct app *app)
{
	return app->state.find->here.query &&
	       app->screen.overlay == app->state.find->here.pane;
}

void find_here_begin(struct app *app, struct query *q, struct str text, bool back)
{
	struct find_here *h = &app->state.find->here;

	find_here_done(app);
	h->query = q;
	buf_str(&h->text, text);
	h->pane = app->screen.overlay;
	h->back = back;
	h->steps = back ? -1 : 1;
	h->at = SIZE_MAX;
	app->screen.dirty = true;
}

void find_here_keep(struct app *app, struct buf *text)
{
	struct doc *d = screen_doc(app, app->screen.overlay);

	if (find_here_is_on(app))
		buf_str(text, buf_view(&app->state.find->here.text));
	d->places[DOC_HIT] = d->places[0];
}

void find_here_return(struct app *app)
{
	enum pane_id id = app->screen.overlay;
	struct doc *d = id == PANE_NONE ? NULL : screen_doc(app, id);

	if (d && d->places[DOC_HIT].block < d->count)
		d->places[0] = d->places[DOC_HIT];
	app->state.find->here.steps = 0;
	app->screen.dirty = true;
}

void find_here_again(struct app *app, bool against, unsigned more)
{
	struct find_here *h = &app->state.find->here;

	h->note = NULL;
	h->steps += (h->back != against ? -1 : 1) * ((int64_t)more + 1);
}

static void begin_again(struct find_here *h)
{
	h->counted = h->all = 0;
	h->at = SIZE_MAX;
}

void find_here_renew(struct app *app)
{
	struct find_here *h = &app->state.find->here;

	app->state.find->hit.on = false;
	if (h->pane != app->screen.overlay)
		return;
	if (h->at < h->all)
		h->rank = h->at + 1;
	begin_again(h);
}

/* ---- a document that is read while it is searched ---- */

static bool reads_on(const struct find_here *h)
{
	return h->pane == PANE_TRANSCRIPT;
}

/* ---- counting ---- */

static bool is_counted(const struct app *app)
{
	const struct find_here *h = &app->state.find->here;

	return h->blocks == doc_here(app)->count && h->counted >= h->blocks;
}

bool find_here_is_busy(const struct app *app)
{
	const struct find_here *h = &app->state.find->here;

	if (reads_on(h))
		return find_here_is_on(app) && h->steps && transcript_is_ready(app);
	return find_here_is_on(app) &&
	       (!is_counted(app) || h->rank ||
		       (h->steps && (h->counted || !reports_are_busy(app))));
}

static void count_on(struct app *app, uint64_t deadline)
{
	struct find_here *h = &app->state.find->here;
	struct doc *d = doc_here(app);

	/* a report that is being made adds to the end; else a fold was used */
	if (h->blocks != d->count && (h->blocks > d->count || !reports_are_busy(app)))
		begin_again(h);
	while (h->counted < d->count) {
		size_t at = h->counted;
		bool was_laid = d->blocks[at].lines != NULL;

		highlights_find_in(&h->marks, d, at, h->query);
		if (!was_laid) /* it was made for this */
			doc_release(d, at);
		for (size_t i = 0; i < h->marks.hits; i++)
			*MEM_ADD(h->hits, h->all, h->cap) =
				(struct hit_here){(uint32_t)at, (uint32_t)i};
		h->counted++;
		if (clock_passed(deadline))
			break;
	}
	h->blocks = d->count;
}

/* ---- going ---- */

/* From the cursor on to the next hit, in either direction, round the ends. */
static size_t next_hit(struct app *app, bool back)
{
	struct find_here *h = &app->state.find->here;
	struct place at = doc_here(app)->places[0];
	size_t next;

	if (h->at < h->all && h->hits[h->at].block == at.block && h->row == at.row) {
		next = back ? h->at - 1 : h->at + 1;
	} else { /* the first that begins at the cursor's row, or after it */
		highlights_find_in(&h->marks, doc_here(app), at.block, h->query);
		next = SORTED_BELOW(h->hits, h->all, block, at.block) +
		       highlights_from(&h->marks, at.row) - back;
	}
	if (next < h->all)
		return next;
	h->note = back ? "on from the end" : "on from the start";
	return back ? h->all - 1 : 0;
}

/* Makes a hit the cursor's place. */
static void arrive(struct app *app, size_t at)
{
	struct find_here *h = &app->state.find->here;
	struct doc *d = doc_here(app);

	h->at = at;
	doc_unfold(d, h->hits[at].block);
	highlights_find_in(&h->marks, d, h->hits[at].block, h->query);
	h->row = highlights_line_of(&h->marks, h->hits[at].number);
	d->places[0] = (struct place){h->hits[at].block, h->row};
}

void find_here_run(struct app *app, uint64_t deadline)
{
	struct find_here *h = &app->state.find->here;
	bool back;
	uint64_t n;

	if (!find_here_is_busy(app))
		return;
	back = h->steps < 0;
	n = (uint64_t)(back ? -h->steps : h->steps);
	if (reads_on(h)) {
		h->steps = 0;
		transcript_seek_hit(app, h->query, back, n < 1000 ? (unsigned)n : 1000);
		app->screen.dirty = true;
		return;
	}
	count_on(app, deadline);
	if (!h->counted)
		h->steps = 0;
	app->screen.dirty = true;
	if (!is_counted(app))
		return;
	if (h->rank && h->all) /* to a hit by its number, or the last there is */
		arrive(app, (h->rank < h->all ? h->rank : h->all) - 1);
	h->rank = 0;
	if (!is_counted(app)) /* it was unfolded */
		return;
	for (n = h->all && n ? (n - 1) % h->all + 1 : 0; h->steps && n; n--)
		arrive(app, next_hit(app, back));
	h->steps = 0;
}

/* ---- what is seen of it ---- */

void find_here_put_status(struct app *app, struct buf *out)
{
	struct find_here *h = &app->state.find->here;

	if (reads_on(h)) {
		transcript_put_status(app, out);
		return;
	}
	if (!h->all)
		buf_text(out, is_counted(app) ? "no hits" : "no hits yet");
	else if (h->at < h->all)
		buf_printf(out, "%zu of %zu", h->at + 1, h->all);
	else
		buf_printf(out, "%zu hit%s", h->all, plural(h->all));
	if (h->note)
		buf_printf(out, "  %s", h->note);
}

size_t find_here_found(
	const struct app *app, struct pane *p, size_t block, const struct highlights *m)
{
	const struct find_here *h = &app->state.find->here;
	size_t found;

	if (!reads_on(h))
		return h->at < h->all && h->hits[h->at].block == block
			       ? h->hits[h->at].number
			       : SIZE_MAX;
	if (block != pane_cursor(p)->block)
		return SIZE_MAX;
	/* the first hit that begins in the cursor's row */
	found = highlights_from(m, pane_cursor(p)->row);
	return found < m->hits && highlights_line_of(m, found) == pane_cursor(p)->row
		       ? found
		       : SIZE_MAX;
}
