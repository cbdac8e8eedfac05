/* See session_card.h. */
#include "config.h"
#include "view/session_card.h"

#include <inttypes.h>
#include <math.h>

#include "base/home.h"
#include "chat/brief.h"
#include "text/glyph.h"
#include "text/safe.h"
#include "text/wrap.h"
#include "view/facts.h"

#define LABEL     7 /* cells of "asked  " */
#define OWN_LINES 6 /* rows of a text that keeps its own lines */
#define NEEDS     6 /* rows besides those of what was asked and said */

static void put(struct lines *out, const char *label, enum role role, struct str text,
	uint32_t width, size_t rows)
{
	AUTO_BUF first = BUF_INIT;
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
}

/* In few rows the text's own lines are not kept. */
static void put_text(struct lines *out, const char *label, struct str text,
	uint32_t width, size_t rows)
{
	AUTO_BUF flowing = BUF_INIT;

	buf_str(&flowing, text);
	if (rows < OWN_LINES)
		brief_squeeze(&flowing, PREVIEW_TEXT);
	put(out, label, ROLE_TEXT, buf_view(&flowing), width, rows);
}

struct session_card session_card_of(
	const struct session *s, const struct session_preview *read)
{
	struct session_card c = {
		.tool = s->tool.n ? s->tool : str_of(s->format ? s->format : ""),
		.model = usage_main_model(&s->usage),
		.folder = s->folder,
		.totals = s->totals,
		.spent = s->spent,
		.window = s->window,
		.read = read};

	c.models =
		s->usage.models.count > 2 || (s->usage.models.count == 2 && !c.model.n);
	if (!s->read)
		c.totals.steps = 0;
	return c;
}

/* ---- rows ---- */

static void put_between(struct buf *out, struct str raw)
{
	if (raw.n && out->len)
		buf_str(out, glyph(GLYPH_SEPARATOR));
	safe_line(out, raw);
}

void session_card_origin(const struct session_card *c, struct buf *safe)
{
	AUTO_BUF folder = BUF_INIT;

	home_shorten(c->folder, &folder);
	put_between(safe, c->tool);
	put_between(safe, c->model);
	if (c->models)
		buf_text(safe, c->model.n ? " and others" : "several models");
	put_between(safe, buf_view(&folder));
	if (c->read)
		put_between(safe, buf_view(&c->read->branch));
}

static void put_origin(const struct session_card *c, struct lines *out)
{
	AUTO_BUF words = BUF_INIT;

	session_card_origin(c, &words);
	lines_begin(out);
	lines_put(out, ROLE_DIM, buf_view(&words), safe_width(buf_view(&words)));
}

/* "4 files +17 -4" */
static void put_changes(const struct session_preview *p, struct buf *out)
{
	size_t added = 0, removed = 0;

	for (size_t i = 0; i < p->file_count; i++) {
		added += p->files[i].added;
		removed += p->files[i].removed;
	}
	if (p->file_count)
		buf_printf(out, "%s%zu file%s +%zu -%zu", glyph(GLYPH_SEPARATOR).p,
			p->file_count, p->file_count == 1 ? "" : "s", added, removed);
}

/* " · tests ✗→✓" */
static void put_verdict(const struct session_preview *p, struct buf *out)
{
	buf_printf(out, "%stests ", glyph(GLYPH_SEPARATOR).p);
	if (p->failed_first && !p->failed) {
		buf_str(out, glyph(GLYPH_FAILED));
		buf_str(out, str_trim(glyph(GLYPH_BECOMES)));
	}
	buf_str(out, glyph(p->failed ? GLYPH_FAILED : GLYPH_PASSED));
}

/* "16 steps · 1 sub-agent · 4 files +17 -4 · tests ✗→✓ · 1 error" */
static void put_done(const struct session_card *c, struct lines *out, uint32_t width)
{
	const struct session_preview *p = c->read;
	AUTO_BUF text = BUF_INIT;

	if (!c->totals.steps)
		return;
	facts_steps(&text, c->totals.steps);
	if (p && p->agents)
		buf_printf(&text, "%s%zu sub-agent%s", glyph(GLYPH_SEPARATOR).p,
			p->agents, p->agents == 1 ? "" : "s");
	if (p)
		put_changes(p, &text);
	if (p && p->judged)
		put_verdict(p, &text);
	if (c->totals.errors)
		buf_printf(&text, "%s%" PRIu64 " error%s", glyph(GLYPH_SEPARATOR).p,
			c->totals.errors, c->totals.errors == 1 ? "" : "s");
	put(out, "did", ROLE_TEXT, buf_view(&text), width, 1);
}

/* "▂▃▃▄▄▅": between the most and a little below the least. */
static void put_growth(const struct session_preview *p, struct buf *out)
{
	static const char *const heights[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
	double most = 0, least = INFINITY;

	for (size_t i = 0; i < p->growth_count; i++) {
		most = fmax(most, p->growth[i]);
		least = fmin(least, p->growth[i]);
	}
	least *= 0.9;
	for (size_t i = 0; i < p->growth_count; i++) {
		double height = (p->growth[i] - least) / (most - least) * 7.99;

		buf_text(out, heights[height > 0 && height < 8 ? (size_t)height : 0]);
	}
}

#define ROOMY 90 /* cells of a row that says where the context began */

/* " · context 14.0k ▂▃▃▄▄▅ 18.2k, 9 % of 200k"; in a narrow row the share alone. */
static void put_context(const struct session_card *c, struct buf *out, bool roomy)
{
	const struct session_preview *p = c->read;
	size_t n = p ? p->growth_count : 0;

	if (!n)
		return;
	buf_printf(out, "%scontext ", out->len ? glyph(GLYPH_SEPARATOR).p : "");
	if (n > 1 && roomy) {
		facts_tokens(out, p->growth[0]);
		buf_text(out, safe_ascii() ? " to " : " ");
	}
	if (n > 1 && !safe_ascii()) {
		put_growth(p, out);
		buf_byte(out, ' ');
	}
	if (roomy || !(c->window > 0)) {
		facts_tokens(out, p->growth[n - 1]);
		buf_text(out, c->window > 0 ? ", " : "");
	}
	if (c->window > 0) {
		buf_printf(out, "%.0f %% of ", 100 * p->growth[n - 1] / c->window);
		facts_tokens_in(out, c->window, 4);
	}
}

/* "204k▒→2125 tok  ≈$0.31 · context … · 2m04s" */
static void put_spent(const struct session_card *c, struct lines *out, uint32_t width)
{
	struct totals t = c->totals;
	AUTO_BUF text = BUF_INIT;

	if (!t.steps)
		return;
	if (c->spent.cost > 0)
		t.cost = NAN;
	facts_flow_and_cost(&text, &t);
	facts_spent(&text, &c->spent);
	put_context(c, &text, width >= ROOMY);
	if (!isnan(t.latency)) {
		buf_text(&text, text.len ? glyph(GLYPH_SEPARATOR).p : "");
		facts_latency(&text, t.latency);
	}
	put(out, "spent", ROLE_TEXT, buf_view(&text), width, 1);
}

/* The names of changed files, as many as there is room for. */
static void put_files(const struct session_preview *p, uint32_t width, struct lines *out)
{
	size_t shown = 0;
	AUTO_BUF text = BUF_INIT;

	for (; shown < p->file_count && text.len < width; shown++) {
		const struct preview_file *f = &p->files[shown];
		const char *slash = memrchr(f->path.p, '/', f->path.n);
		struct str name =
			slash ? (struct str){slash + 1,
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
}

static void put_tests(const struct session_preview *p, uint32_t width, struct lines *out)
{
	AUTO_BUF text = BUF_INIT;

	buf_str(&text, buf_view(&p->tests));
	if (text.len && p->judged)
		buf_text(&text, p->failed ? ": failed" : ": passed");
	put(out, "tests", p->failed ? ROLE_ERROR : ROLE_TEXT, buf_view(&text), width, 1);
}

/* The texts have the rows that the rest does not need; what is least comes last. */
void session_card_lay_out(
	const struct session_card *c, uint32_t width, size_t rows, struct lines *out)
{
	const struct session_preview *p = c->read;
	size_t texts = rows > NEEDS + 1 ? rows - NEEDS : 2, first;

	lines_clear(out);
	if (!c->titled)
		put_origin(c, out);
	first = out->count;
	if (p && p->read)
		put_text(out, "asked", buf_view(&p->asked), width, texts / 2);
	texts -= out->count - first;
	put_done(c, out, width);
	if (p && p->read) {
		put_text(out, "ended", buf_view(&p->said), width, texts);
		put(out, p->open ? "runs" : "then", ROLE_TEXT, buf_view(&p->did), width,
			1);
	}
	put_spent(c, out, width);
	if (p && p->read) {
		put_files(p, width, out);
		put_tests(p, width, out);
	} else {
		put(out, "", ROLE_DIM, STR("reading"), width, 1);
	}
	out->limit = 0;
	lines_truncate(out, rows);
}
