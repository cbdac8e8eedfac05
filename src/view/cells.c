/* Cells of a row: see cells.h. */
#include "config.h"
#include "view/cells.h"

#include "text/glyph.h"
#include "text/safe.h"

void cells_put(
	struct lines *out, enum role role, struct str safe, uint32_t width, bool right)
{
	AUTO_BUF cut = BUF_INIT;
	uint32_t used;

	safe_fit(&cut, safe, width);
	used = safe_width(buf_view(&cut));
	if (used > width) /* not even the mark of the cut fits */
		used = width;
	if (right)
		lines_printf(out, ROLE_TEXT, "%*s", (int)(width - used), "");
	lines_put(out, role, buf_view(&cut), used);
	if (!right)
		lines_printf(out, ROLE_TEXT, "%*s", (int)(width - used), "");
}

uint32_t cells_put_cut(struct lines *out, enum role role, struct str raw, uint32_t width)
{
	uint32_t mark = glyph_cells(GLYPH_ELLIPSIS),
		 before = out->lines[out->count - 1].width;
	size_t n = raw.n, to = raw.n;

	if (!raw.n)
		return 0;
	if (safe_width(raw) > width && !safe_folders(raw, width, &n, &to))
		n = safe_beginning(raw, width > mark ? width - mark : 0);
	lines_put_raw(out, role, (struct str){raw.p, n});
	if (n < raw.n && width > mark)
		glyph_put(out, ROLE_DIM, GLYPH_ELLIPSIS);
	lines_put_raw(out, role, (struct str){raw.p + to, raw.n - to});
	return out->lines[out->count - 1].width - before;
}

void cells_put_beginning(
	struct lines *out, enum role role, struct str raw, uint32_t width)
{
	uint32_t used = cells_put_cut(out, role, raw, width);

	lines_printf(out, ROLE_TEXT, "%*s", used < width ? (int)(width - used) : 0, "");
}
