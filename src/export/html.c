/*
 * Chains as one HTML file: the waterfall as SVG, then the blocks of the screen, with
 * folds as <details> and the roles of spans as classes.  It has no script and loads
 * nothing from the network; a policy in its head tells the browser to enforce that.
 *
 * The only data of a trace in an attribute is that of images, which is copied character
 * by character as far as it is base64.  Only raster types are shown, recognized by their
 * bytes: an SVG is a document of its own.  Everything else is text that passed text/safe
 * and is escaped.
 */
#include "config.h"
#include "export/write.h"

#include "base/mem.h"
#include "chat/image.h"
#include "import/action.h"
#include "import/open.h"
#include "text/safe.h"
#include "text/wrap.h"
#include "view/conversation.h"
#include "view/facts.h"
#include "view/new_messages.h"
#include "view/pieces.h"

#define FOLD_OPEN 2000 /* bytes of a fold that is open at first */

static const char head[] =
	"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	"img-src data:; style-src 'unsafe-inline'\">\n"
	"<meta name=\"referrer\" content=\"no-referrer\">\n";

static const char style[] =
	"<style>\n"
	":root{color-scheme:light dark;--back:#fff;--text:#1f2328;--dim:#66707b;"
	"--line:#d8dee4;--user:#0a6b2d;--assistant:#0550ae;--system:#6e40c9;"
	"--tool:#8a4600;--bad:#b3151b;--good:#116329;--warn:#7d5300;--code:#f3f5f7}\n"
	"@media(prefers-color-scheme:dark){:root{--back:#0d1117;--text:#e1e7ed;"
	"--dim:#929ba5;--line:#30363d;--user:#6fdd8b;--assistant:#79b8ff;"
	"--system:#c8a6ff;--tool:#f0b072;--bad:#ff8079;--good:#6fdd8b;--warn:#e3b341;"
	"--code:#171c23}}\n"
	"body{margin:2em auto;max-width:110ch;padding:0 2ch;overflow-wrap:anywhere;"
	"background:var(--back);"
	"color:var(--text);font:14px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,"
	"\"DejaVu Sans Mono\",monospace}\n"
	"h1{font-size:1.4em;margin:1.5em 0 0}\nh1+p{margin:0 0 1em;color:var(--dim)}\n"
	"h3{font-size:1em;margin:1em 0 .3em;color:var(--dim);font-weight:normal;"
	"border-bottom:1px solid var(--line)}\n"
	"details.step{border:1px solid var(--line);border-radius:6px;margin:.6em 0;"
	"padding:0 2ch}\n"
	"details.step>summary{font-weight:bold;padding:.5em 0;margin:0 -1ch}\n"
	"details.step>summary small{font-weight:normal;color:var(--dim);font-size:1em}\n"
	"details.step[open]{padding-bottom:1em}\n"
	"details.message{margin:.5em 0}\nsummary{cursor:pointer}\n"
	"p{margin:0;min-height:1.5em;white-space:pre-wrap}\n"
	"summary>span{white-space:pre-wrap}\n"
	"img{display:block;max-width:min(100%,640px);max-height:480px;"
	"border:1px solid var(--line);margin:.3em 2ch}\n"
	".dim,.border,.punctuation,.time{color:var(--dim)}\n"
	".error,.deleted{color:var(--bad)}\n.warning,.mark{color:var(--warn)}\n"
	".mark{border:1px solid var(--line)}\n.user{color:var(--user)}\n"
	".assistant{color:var(--assistant)}\n.system{color:var(--system)}\n"
	".tool,.number,.literal{color:var(--tool)}\n.added{color:var(--good)}\n"
	".changed{color:var(--warn)}\n.user,.assistant,.system,.other,.title,.heading,"
	".strong{font-weight:bold}\n.emphasis,.quote{font-style:italic}\n"
	".struck{text-decoration:line-through}\n.code{background:var(--code)}\n"
	".link{color:var(--assistant)}\n.key{color:var(--assistant)}\n"
	"details.step:target{border-color:var(--assistant)}\n"
	"figure{margin:1em 0 1.5em}\nfigcaption{color:var(--dim);white-space:pre-wrap}\n"
	".chart{display:block;font-size:12px}\n"
	".chart svg[aria-hidden]{overflow:visible}\n.chart text{fill:var(--text)}\n"
	".chart a{text-decoration:none}\n.chart text.tick{fill:var(--dim)}\n"
	".chart line.tick{stroke:var(--line)}\n.row{fill:transparent}\n"
	".chart a:hover .row,.chart a:focus .row{fill:var(--code)}\n"
	".bar{fill:var(--assistant);stroke:var(--assistant)}\n"
	".bar.outer{fill:var(--line);stroke:var(--dim)}\n"
	".chart .bar.bad{fill:var(--bad);stroke:var(--bad)}\n"
	".chart text.bad{fill:var(--bad)}\n"
	".string{color:var(--user)}\n.comment{color:var(--dim);font-style:italic}\n"
	".keyword{color:var(--system)}\n.added-words,.added-line{color:var(--good)}\n"
	".deleted-words,.deleted-line{color:var(--bad)}\n.added-words,.deleted-words{"
	"background:var(--code);text-decoration:underline}\n.chip{border:1px "
	"solid;border-radius:4px}\n"
	"</style>\n";

/* ---- text ---- */

void html_put_escaped(struct buf *out, struct str text)
{
	static const struct str names[] = {['"'] = {"&quot;", 6},
		['&'] = {"&amp;", 5},
		['\''] = {"&#39;", 5},
		['<'] = {"&lt;", 4},
		['>'] = {"&gt;", 4}};
	size_t from = 0;

	for (size_t i = 0; i < text.n; i++) {
		unsigned char c = (unsigned char)text.p[i];

		if (c > '>' || !names[c].n)
			continue;
		buf_add(out, text.p + from, i - from);
		buf_str(out, names[c]);
		from = i + 1;
	}
	if (from < text.n)
		buf_add(out, text.p + from, text.n - from);
}

/* Text of a trace, on one line. */
static void html_put_safe(struct buf *out, struct str raw)
{
	struct buf safe = BUF_INIT;

	safe_line(&safe, raw);
	html_put_escaped(out, buf_view(&safe));
	buf_done(&safe);
}

/* Changes the open <span> to another role, whose name is its class. */
static void put_role(struct buf *out, enum role *now, enum role role)
{
	if (role == *now)
		return;
	if (*now != ROLE_TEXT)
		buf_text(out, "</span>");
	if (role != ROLE_TEXT)
		buf_printf(out, "<span class=\"%s\">", role_name(role));
	*now = role;
}

/* A line without its first blanks and without the glyph of a fold: the browser has its
 * own. */
static void put_line(struct buf *out, const struct lines *ls, size_t line, uint32_t skip)
{
	const struct line *l = &ls->lines[line];
	enum role now = ROLE_TEXT;

	for (uint32_t i = l->first; i < l->first + l->count; i++) {
		struct str text = lines_text(ls, &ls->spans[i]);

		for (; skip && text.n && *text.p == ' '; skip--, text.p++)
			text.n--;
		if (!text.n || ls->spans[i].fold)
			continue;
		skip = 0;
		put_role(out, &now, ls->spans[i].role);
		html_put_escaped(out, text);
	}
	put_role(out, &now, ROLE_TEXT);
}

/* ---- blocks ---- */

#define DEEPEST 48 /* folds in folds: browsers nest some 500 elements */

struct html_step {
	struct export *e;
	uint32_t folds[DEEPEST]; /* levels of the blocks with open folds */
	size_t fold_count;
};

static void close_folds(struct html_step *p, uint32_t level)
{
	for (; p->fold_count && p->folds[p->fold_count - 1] >= level; p->fold_count--)
		buf_text(&p->e->out, "</details>\n");
}

static void put_lines(struct html_step *p, const struct block *b, const struct lines *ls)
{
	struct buf *out = &p->e->out;

	for (size_t i = 0; i < ls->count; i++) {
		if (b->indent)
			buf_printf(out, "<p style=\"padding-left:%uch\">", b->indent);
		else
			buf_text(out, "<p>");
		put_line(out, ls, i, b->indent);
		buf_text(out, "</p>\n");
		export_flush(p->e);
	}
}

static void put_fold(struct html_step *p, const struct block *b, const struct lines *ls)
{
	struct buf *out = &p->e->out;
	bool open =
		b->head || (b->value.n + b->text.n <= FOLD_OPEN && !piece_is_aside(b));
	size_t first = b->head && ls->count > 1; /* skips a blank line */

	buf_printf(out, "<details%s%s>\n<summary", b->head ? " class=\"message\"" : "",
		open ? " open" : "");
	if (b->indent)
		buf_printf(out, " style=\"padding-left:%uch\"", b->indent);
	buf_text(out, "><span>");
	for (size_t i = first; i < ls->count; i++) {
		if (i > first)
			buf_text(out, "<br>\n");
		put_line(out, ls, i, b->indent);
	}
	buf_text(out, "</span></summary>\n");
	p->folds[p->fold_count++] = b->head ? 0 : b->level;
}

/* Copies the characters of base64 and no others, padded to groups of four. */
static void put_base64(struct html_step *p, struct str base64)
{
	struct buf *out = &p->e->out;
	size_t count = 0;

	for (size_t i = 0; i < base64.n && base64.p[i] != '='; i++) {
		char c = base64.p[i];

		c = c == '-' ? '+' : c == '_' ? '/' : c;
		if ((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
			(c >= 'a' && c <= 'z') || c == '+' || c == '/') {
			buf_byte(out, c);
			count++;
		}
		export_flush(p->e);
	}
	buf_fill(out, '=', (4 - count % 4) % 4);
}

static void put_image(struct html_step *p, const struct part *part)
{
	struct buf text = BUF_INIT;
	struct image_data data;

	if (part->kind == PART_IMAGE && !part->remote && part->body.kind == J_STRING &&
		image_data_find(&data, jv_str(part->body, &text)) && data.media.n) {
		buf_printf(&p->e->out, "<img alt=\"\" src=\"data:%.*s;base64,",
			(int)data.media.n, data.media.p);
		put_base64(p, data.base64);
		buf_text(&p->e->out, "\">\n");
	}
	buf_done(&text);
}

/* Writes a block with its fold open; its children are the blocks that follow. */
static void put_block(struct html_step *p, struct doc *d, size_t i)
{
	const struct lines *ls;
	const struct block *b;
	bool folds;

	if (!new_messages_is_fold(&d->blocks[i])) /* what the step before showed */
		doc_open(d, i);
	ls = doc_layout(d, i);
	b = &d->blocks[i];
	close_folds(p, b->head ? 0 : b->level);
	folds = i + 1 < d->count && !new_messages_is_fold(b) &&
		(b->head || d->blocks[i + 1].level > b->level);
	if (folds && ls->count && p->fold_count < DEEPEST)
		put_fold(p, b, ls);
	else
		put_lines(p, b, ls);
	if (piece_media(b))
		put_image(p, piece_media(b));
}

static void put_side(struct export *e, const struct export_step *s, bool input)
{
	struct html_step page = {.e = e};
	struct export_blocks b;

	export_blocks_begin(&b, e, s, input, WRAP_NEVER);
	while (export_blocks_next(&b)) {
		if (!b.block)
			close_folds(&page, 0);
		put_block(&page, &b.one, b.block);
	}
	close_folds(&page, 0);
}

/* ---- the frame ---- */

static void put_title(struct export *e, const struct export_step *s)
{
	struct buf raw = BUF_INIT, figures = BUF_INIT;
	struct str model = export_call(e, s, &raw);

	buf_printf(&e->out, "%zu ", s->number);
	html_put_safe(&e->out, buf_view(&raw));
	buf_text(&e->out, " <small>");
	html_put_safe(&e->out, model);
	export_figures(e, s, &figures);
	html_put_escaped(&e->out, buf_view(&figures));
	buf_text(&e->out, "</small>");
	buf_done(&raw);
	buf_done(&figures);
}

void html_put_anchor(struct export *e, size_t number)
{
	buf_printf(&e->out, "t%zu-c%zu-s%zu", e->traces, e->chain + 1, number);
}

static void write_step(struct export *e, struct export_step *s)
{
	uint32_t depth = trace_depth(e->trace, s->position);
	const char *both = export_both(s->opened);

	export_know_tools(e, s);
	buf_printf(&e->out, "<details class=\"step\" style=\"margin-left:%uch\"%s id=\"",
		2 * (depth < 10 ? depth : 10), !e->steps ? " open" : "");
	html_put_anchor(e, s->number);
	buf_text(&e->out, "\">\n<summary>");
	put_title(e, s);
	buf_printf(&e->out, "</summary>\n<h3>%s</h3>\n", both ? both : "input");
	put_side(e, s, true);
	if (!both && !(trace_flags(e->trace, s->step) & STEP_BROKEN)) {
		buf_text(&e->out, "<h3>output</h3>\n");
		put_side(e, s, false);
	}
	buf_text(&e->out, "</details>\n");
}

static void begin_trace(struct export *e)
{
	if (e->traces > 1)
		return;
	buf_text(&e->out, head);
	buf_text(&e->out, "<title>");
	html_put_safe(&e->out, str_of(inputs_name(e->trace->inputs)));
	buf_text(&e->out, "</title>\n");
	buf_text(&e->out, style);
	buf_text(&e->out, "</head>\n<body>\n");
}

static void begin_chain(struct export *e, const struct chain *c)
{
	struct buf raw = BUF_INIT, figures = BUF_INIT;

	export_heading(e, c, &raw);
	buf_text(&e->out, "<h1>");
	html_put_safe(&e->out, buf_view(&raw));
	facts_totals_text(&figures, &c->totals);
	buf_text(&e->out, "</h1>\n<p>");
	html_put_escaped(&e->out, buf_view(&figures));
	buf_printf(&e->out, "  %s</p>\n", trace_chain_format(e->trace, c));
	buf_done(&raw);
	buf_done(&figures);
}

static void end(struct export *e)
{
	if (e->traces)
		buf_text(&e->out, "</body>\n</html>\n");
}

const struct export_format export_html = {
	.name = "html",
	.ending = ".html",
	.other = ".htm",
	.pairs = true,
	.write_step = write_step,
	.begin_trace = begin_trace,
	.begin_chain = begin_chain,
	.draw_chain = html_draw_chart,
	.end = end,
};
