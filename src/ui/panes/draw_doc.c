/* See panes.h. */
#include "config.h"
#include "ui/panes/panes.h"

#include "term/term.h"
#include "text/glyph.h"
#include "ui/control/find.h"

#define COUNTED    20000 /* blocks whose rows are counted */
#define USUAL_MOST 8     /* rows that are expected of a block that nobody saw */
#define KEEP       400   /* blocks around the cursor whose layout is kept */

/* Rows of the first `count` blocks: of those that are laid out; of the others as many as
 * those have on average, up to a limit. */
static double rows_before(const struct doc *d, size_t count, double usual)
{
	double rows = 0;

	for (size_t i = 0; i < count; i++)
		rows += d->blocks[i].lines ? (double)d->blocks[i].lines->count : usual;
	return rows;
}

/* How far the last row that is shown lies in the document; of very many blocks counted by
 * them. */
static unsigned percent_at(struct pane *p, struct place last, bool more)
{
	struct doc *d = pane_doc(p);
	double shown = (double)last.block + 1, all = (double)d->count, usual;
	unsigned percent;

	if (d->count <= COUNTED) {
		usual = d->laid ? rows_before(d, d->count, 0) / (double)d->laid : 1;
		usual = usual < USUAL_MOST ? usual : USUAL_MOST;
		shown = rows_before(d, last.block, usual) + last.row + 1;
		all = rows_before(d, d->count, usual);
	}
	percent = all > 0 ? (unsigned)(100 * shown / all) : 100;

	if (!more)
		return pane_top(p)->block || pane_top(p)->row ? 100 : 0;
	return percent < 1 ? 1 : percent > 99 ? 99 : percent;
}

void draw_doc(struct app *app, struct pane *p, bool cursor)
{
	unsigned row = p->area.row, end = row + p->area.rows, width = doc_pane_fit(p);
	bool more = true;
	struct place at, last;

	p->widest = 0;
	find_begin_draw(app);
	if (!pane_doc(p)->count)
		more = false;
	else
		doc_pane_keep_in_view(p);
	at = last = *pane_top(p);
	for (; row < end && more; row++) {
		size_t line;
		const struct lines *ls = doc_line(pane_doc(p), at, &line);
		bool here = at.block == pane_cursor(p)->block &&
			    at.row == pane_cursor(p)->row;

		ls = find_marked(app, p, at.block, ls, &line);
		here &= cursor;
		term_draw_text(row, p->area.column, 1, here ? ROLE_TITLE : ROLE_TEXT,
			here ? glyph(GLYPH_CURSOR_EDGE) : STR(" "));
		if (ls->lines[line].width > p->widest)
			p->widest = ls->lines[line].width;
		term_draw_line(row, p->area.column + 1, width, p->shift, ls, line,
			ROLE_TEXT, ROLE_TEXT);
		last = at;
		more = doc_down(pane_doc(p), &at, 1);
	}
	p->percent = pane_doc(p)->count ? percent_at(p, last, more) : 0;
	for (; row < end; row++)
		term_draw_text(row, p->area.column, p->area.columns, ROLE_TEXT, STR(""));
	doc_trim(pane_doc(p), at.block, KEEP);
}
