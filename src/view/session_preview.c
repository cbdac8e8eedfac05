/* See session_preview.h. */
#include "config.h"
#include "view/session_preview.h"

#include <math.h>

#include "base/home.h"
#include "chat/brief.h"
#include "text/glyph.h"
#include "text/wrap.h"
#include "view/facts.h"

#define LABEL 7 /* cells of "asked  " */
#define OWN_LINES 6 /* rows of a text that keeps its own lines */
#define NEEDS 5 /* rows besides those of what was asked and said */

static void put(struct lines *out, const char *label, enum role role, struct str text,
	uint32_t width, size_t rows)
{
	struct buf first = BUF_INIT;
	size_t end = out->count + rows;
	struct wrap w;

	if (!text.n || !rows)
		return;
	buf_printf(&first, "%-*s", LABEL, label);
	out->limit = end + 1;
	wrap_begin(&w, out, width > 1 ? width - 1 : 1);
	wrap_indent(&w, buf_view(&first), STR("       "), ROLE_DIM);
	wrap_add(&w, role, str_trim(text));
	wrap_end(&w);
	if (out->count > end) {
		lines_truncate(out, end);
		lines_put(out, ROLE_DIM, glyph(GLYPH_ELLIPSIS), 1);
	}
	buf_done(&first);
}

/* In few rows the text's own lines are not kept. */
static void put_text(struct lines *out, const char *label, struct str text,
	uint32_t width, size_t rows)
{
	struct buf flowing = BUF_INIT;

	buf_str(&flowing, text);
	if (rows < OWN_LINES)
		brief_squeeze(&flowing, PREVIEW_TEXT);
	put(out, label, ROLE_TEXT, buf_view(&flowing), width, rows);
	buf_done(&flowing);
}

/* "Claude Code  claude-sonnet-4-5  ~/notes" */
static void put_origin(const struct session *s, struct lines *out)
{
	struct str tool = s->tool.n ? s->tool : str_of(s->format ? s->format : "");
	struct str model = usage_main_model(&s->usage);
	struct buf folder = BUF_INIT;

	lines_begin(out);
	lines_put_raw(out, ROLE_MODEL, tool);
	if (model.n) {
		lines_put(out, ROLE_TEXT, STR("  "), 2);
		lines_put_raw(out, ROLE_TEXT, model);
	}
	if (s->usage.models.count > 2 || (s->usage.models.count == 2 && !model.n))
		lines_printf(out, ROLE_DIM, " and others");
	home_shorten(s->folder, &folder);
	if (folder.len) {
		lines_put(out, ROLE_TEXT, STR("  "), 2);
		lines_put_raw(out, ROLE_DIM, buf_view(&folder));
	}
	buf_done(&folder);
}

/* "9 steps  56.8k▓→945 tok  ≈$0.067  12.3k of 200k context, 6 %  1 error" */
static void put_figures(const struct session *s, struct lines *out)
{
	struct totals t = s->totals;
	struct buf text = BUF_INIT;

	if (!s->read)
		return;
	lines_begin(out);
	t.cost = NAN;
	facts_steps(&text, t.steps);
	facts_flow_and_cost(&text, &t);
	facts_spent(&text, &s->spent);
	if (s->context > 0) {
		buf_text(&text, "  context ");
		facts_tokens(&text, s->context);
	}
	if (s->context > 0 && s->window > 0) {
		buf_text(&text, " of ");
		facts_tokens_in(&text, s->window, 4);
		buf_printf(&text, ", %.0f %%", 100 * s->context / s->window);
	}
	lines_put_raw(out, ROLE_TEXT, buf_view(&text));
	buf_clear(&text);
	if (t.errors)
		facts_errors(&text, t.errors);
	lines_put_raw(out, ROLE_ERROR, buf_view(&text));
	buf_done(&text);
}

static void put_files(const struct session_preview *p, uint32_t width, struct lines *out)
{
	size_t shown = 0;
	struct buf text = BUF_INIT;

	for (; shown < p->file_count && text.len < width; shown++) {
		const struct preview_file *f = &p->files[shown];
		const char *slash = memrchr(f->path.p, '/', f->path.n);
		struct str name = slash ? (struct str){slash + 1,
						  f->path.n - (size_t)(slash + 1 - f->path.p)}
					: f->path;

		buf_text(&text, shown ? ", " : "");
		buf_str(&text, name);
		if (f->added || f->removed)
			buf_printf(&text, " +%zu -%zu", f->added, f->removed);
	}
	if (shown < p->file_count)
		buf_printf(&text, ", and %zu more", p->file_count - shown);
	if (p->read_files)
		buf_printf(&text, "%s%zu only read", text.len ? ", " : "", p->read_files);
	put(out, "files", ROLE_TEXT, buf_view(&text), width, 1);
	buf_done(&text);
}

static void put_tests(const struct session_preview *p, uint32_t width, struct lines *out)
{
	struct buf text = BUF_INIT;

	buf_str(&text, buf_view(&p->tests));
	if (text.len && p->judged)
		buf_text(&text, p->failed ? ": failed" : ": passed");
	put(out, "tests", p->failed ? ROLE_ERROR : ROLE_TEXT, buf_view(&text), width, 1);
	buf_done(&text);
}

void session_preview_lay_out(const struct session *s, const struct session_preview *p,
	uint32_t width, size_t rows, struct lines *out)
{
	size_t texts, asked;

	lines_clear(out);
	put_origin(s, out);
	put_figures(s, out);
	texts = rows > NEEDS ? rows - NEEDS : 1;
	asked = texts > 1 ? texts / 2 : 1;
	if (!p || !p->read) {
		put(out, "", ROLE_DIM, STR("reading"), width, 1);
	} else {
		size_t before = out->count;

		put_text(out, "asked", buf_view(&p->asked), width, asked);
		put_text(out, "said", buf_view(&p->said), width,
			texts > out->count - before ? texts - (out->count - before) : 1);
		put(out, "did", ROLE_TEXT, buf_view(&p->did), width, 1);
		put_tests(p, width, out);
		put_files(p, width, out);
	}
	out->limit = 0;
	lines_truncate(out, rows);
}
