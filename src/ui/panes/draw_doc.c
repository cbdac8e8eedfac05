/* See draw_doc.h. */
#include "config.h"
#include "ui/panes/draw_doc.h"

#include "term/term.h"
#include "text/glyph.h"
#include "ui/control/find.h"
#include "ui/core/doc_pane.h"

#define KEEP 400 /* blocks around the cursor whose layout is kept */

static void draw_marker(const struct pane *p, unsigned row, bool cursor)
{
	struct str mark = STR(" ");

	if (cursor)
		mark = glyph(GLYPH_CURSOR_EDGE);
	term_draw_text(row, p->area.column, 1, cursor ? ROLE_TITLE : ROLE_TEXT, mark);
}

/* How far the last row that is shown lies in the document, counted by blocks. */
static unsigned percent_at(struct pane *p, struct place last, bool more)
{
	struct doc *d = pane_doc(p);
	uint32_t rows = doc_rows(d, last.block);
	double blocks = (double)last.block + (rows ? (last.row + 1.0) / rows : 1);
	unsigned percent = (unsigned)(100 * blocks / (double)d->count);

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
		draw_marker(p, row, cursor && here);
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
