/*
 * Documents of hostile traces: in the Markdown nothing but our own headings and our own
 * HTML is found by a Markdown parser, in the HTML no tag that we do not write.
 */
#include "config.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <locale.h>
#include <md4c.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "chat/parts.h"
#include "export/export.h"
#include "export/write.h"
#include "import/load.h"
#include "json/json.h"
#include "text/safe.h"

/* What would be markup, at every place where a text of a trace may stand. */
static const char *const evil[] = {
	"<script>alert(1)</script>",
	"\"><img src=x onerror=alert(1)>",
	"x\n# heading\n\nsetext\n===\n\n---\n",
	"1. one\n- two\n> three\n    four\n\tfive",
	"```\n# in\n```\n# out\n````\n# again\n~~~\n# and\n```",
	"`````js`x\n# heading",
	"| a | b |\n|---|---|\n| c | d |\n# h",
	"[x](javascript:alert(1)) ![y](http://z) <http://q> http://evil www.evil.com",
	"&lt;b&gt; &#60;b&#62; \\<b> \\\\<b> <!-- x --> <?php <![CDATA[ ]]>",
	"</details></summary><details>",
	"[ref]: http://evil 'x'\n\n[ref]",
	"a\r# b\r\n# c\v# d\f# e",
	"\xC2\x85# nel \xE2\x80\xA8# ls \xE2\x80\xAE rtl \x1B[31m\x01",
	"*a* _b_ **c** ~~d~~ $e$ `f` \\",
	"   # three\n    # four\n\xC2\xA0# nbsp",
	"```text\nnever closed <b>",
	" ~~~ x`y\n<b>\n~~~~ z\n# q\n~~~",
};

#define EVIL (sizeof(evil) / sizeof(*evil))

static void take(void *ctx, struct str bytes)
{
	buf_str(ctx, bytes);
}

/* A step with the text around its sides: what was asked, and what went wrong. */
static void write_event(struct buf *json, const char *text)
{
	struct buf t = BUF_INIT, object = BUF_INIT, twice = BUF_INIT;

	json_write_string(&t, str_of(text));
	buf_printf(&object, "{\"message\":%s,%s:1}", t.data, t.data);
	json_write_string(&twice, buf_view(&object));
	buf_printf(json,
		"[{\"event\":%s,\"properties\":{\"$ai_provider\":%s,"
		"\"$ai_model_parameters\":{%s:%s,\"x\":[%s]},",
		t.data, t.data, t.data, t.data, t.data);
	buf_printf(json,
		"\"$ai_tools\":[{\"name\":%s,\"description\":%s,"
		"\"input_schema\":{%s:%s}},%s,{\"type\":%s,\"m\":%s}],",
		t.data, t.data, t.data, t.data, t.data, t.data, t.data);
	buf_printf(json,
		"\"$ai_input\":[{\"role\":\"tool\",\"tool_call_id\":%s,"
		"\"content\":[{\"type\":\"text\",\"text\":%s},{\"k\":%s}]}],",
		t.data, t.data, t.data);
	buf_printf(json,
		"\"$ai_is_error\":true,\"$ai_http_status\":%s,\"$ai_error\":%s,"
		"\"$ai_parent_id\":%s}},",
		t.data, twice.data, t.data);
	buf_printf(
		json, "{\"event\":%s,\"properties\":{%s:%s}}]", t.data, t.data, t.data);
	buf_done(&t);
	buf_done(&object);
	buf_done(&twice);
}

/* A conversation with the text everywhere. */
static void write_trace(struct buf *json, const char *text)
{
	struct buf t = BUF_INIT, twice = BUF_INIT, args = BUF_INIT;

	json_write_string(&t, str_of(text));
	buf_printf(&args, "{%s:%s}", t.data, t.data);
	json_write_string(&twice, buf_view(&args));
	buf_printf(json, "{\"messages\":[{\"role\":%s,\"content\":%s},", t.data, t.data);
	buf_printf(json,
		"{\"role\":\"assistant\",\"content\":%s,\"tool_calls\":[{\"id\":%s,"
		"\"function\":{\"name\":%s,\"arguments\":%s}}]},",
		t.data, t.data, t.data, twice.data);
	buf_printf(json, "{\"role\":\"tool\",\"tool_call_id\":%s,\"content\":%s},",
		t.data, t.data);
	buf_printf(json,
		"{\"role\":\"user\",\"content\":[{\"type\":\"image_url\",\"image_url\":{"
		"\"url\":%s}},{\"type\":\"thinking\",\"thinking\":%s},{\"type\":%s},"
		"{\"type\":\"refusal\",\"refusal\":%s},{\"type\":\"text\",\"text\":"
		"\"DATA_PROPOSAL: {\\\"operations\\\":[{}]}\"}]}]}",
		t.data, t.data, t.data, t.data);
	buf_done(&t);
	buf_done(&twice);
	buf_done(&args);
}

static void export_text_of(const char *format, struct str json, struct buf *out)
{
	char name[] = "/tmp/catena-export.XXXXXX";
	struct inputs *inputs = inputs_new();
	struct export_options wish = {
		.format = export_format_named(str_of(format)), .write = take, .ctx = out};
	struct err err = {.offset = ERR_NOWHERE};
	struct trace *trace = trace_new(inputs);
	struct export *e;
	struct load *load;
	int fd = mkstemp(name);

	cr_assert_eq(write(fd, json.p, json.n), (ssize_t)json.n);
	close(fd);
	inputs_add(inputs, name);
	load = load_begin(trace, NULL);
	cr_assert_eq(load_all(load, &err), TASK_DONE);
	e = export_begin(&wish);
	export_trace(e, trace, (struct export_part){EXPORT_ALL, EXPORT_ALL, NULL});
	while (export_run(e, 1) ==
		TASK_MORE) /* a deadline that is over: piece by piece */
		cr_assert_leq(export_percent(e), 100);
	export_end(e);
	load_free(load);
	trace_free(trace);
	unlink(name);
}

/* ---- Markdown, as a parser sees it ---- */

struct seen {
	unsigned headings, html, links, images, lists, rules, quotes;
	unsigned far;   /* links that lead to what is neither the web nor mail */
	struct buf raw; /* HTML that the parser would let through */
};

static int on_block(MD_BLOCKTYPE type, void *detail, void *ctx)
{
	struct seen *s = ctx;

	(void)detail;
	s->headings += type == MD_BLOCK_H;
	s->lists += type == MD_BLOCK_OL || type == MD_BLOCK_UL;
	s->rules += type == MD_BLOCK_HR;
	s->quotes += type == MD_BLOCK_QUOTE;
	return 0;
}

static int on_end(MD_BLOCKTYPE type, void *detail, void *ctx)
{
	(void)type;
	(void)detail;
	(void)ctx;
	return 0;
}

static bool leads_far(const MD_SPAN_A_DETAIL *link)
{
	struct str address = {link->href.text, link->href.size};

	return memmem(address.p, address.n, "script:", 7) &&
	       !str_starts(address, STR("http")) && !str_starts(address, STR("mailto:"));
}

static int on_span(MD_SPANTYPE type, void *detail, void *ctx)
{
	struct seen *s = ctx;

	s->links += type == MD_SPAN_A;
	s->far += type == MD_SPAN_A && leads_far(detail);
	s->images += type == MD_SPAN_IMG;
	return 0;
}

static int on_span_end(MD_SPANTYPE type, void *detail, void *ctx)
{
	(void)type;
	(void)detail;
	(void)ctx;
	return 0;
}

static int on_text(MD_TEXTTYPE type, const MD_CHAR *text, MD_SIZE n, void *ctx)
{
	struct seen *s = ctx;

	if (type == MD_TEXT_HTML)
		buf_add(&s->raw, text, n);
	return 0;
}

static struct seen parse(struct str markdown)
{
	static const MD_PARSER parser = {0, MD_DIALECT_GITHUB, on_block, on_end, on_span,
		on_span_end, on_text, NULL, NULL};
	struct seen s = {0};

	cr_assert_eq(md_parse(markdown.p, (MD_SIZE)markdown.n, &parser, &s), 0);
	return s;
}

static void drop(struct buf *text, const char *what)
{
	char *at;

	while (text->len && (at = memmem(text->data, text->len, what, strlen(what)))) {
		memmove(at, at + strlen(what),
			(size_t)(text->data + text->len - at) - strlen(what) + 1);
		text->len -= strlen(what);
	}
}

/* Of the HTML in it nothing but folds; releases it. */
static void expect_own_html(struct seen *s, const char *text)
{
	drop(&s->raw, "<details>");
	drop(&s->raw, "<summary>reasoning</summary>");
	drop(&s->raw, "<summary>offered tools</summary>");
	drop(&s->raw, "</details>");
	drop(&s->raw, "\n");
	cr_expect_eq(s->raw.len, 0, "%s of %s", s->raw.data, text);
	buf_done(&s->raw);
}

/* Each evil text, written into a trace, comes out without HTML, headings, images and
 * links to scripts; if nobody `said` it, without any markup.  Of headings there are
 * seven. */
static void expect_no_markup(void (*write)(struct buf *json, const char *text), bool said)
{
	safe_init();
	for (size_t i = 0; i < EVIL; i++) {
		struct buf json = BUF_INIT, out = BUF_INIT;
		struct seen s;

		write(&json, evil[i]);
		export_text_of("markdown", buf_view(&json), &out);
		s = parse(buf_view(&out));
		cr_expect_eq(s.headings, 7, "%u headings of %s in\n%s", s.headings,
			evil[i], out.data);
		cr_expect_eq(
			s.images + s.far, 0, "links of %s in\n%s", evil[i], out.data);
		if (!said)
			cr_expect_eq(s.lists + s.rules + s.quotes + s.links, 0,
				"%s in\n%s", evil[i], out.data);
		expect_own_html(&s, evil[i]);
		buf_done(&json);
		buf_done(&out);
	}
}

Test(export, markdown_of_a_hostile_trace_has_no_markup_of_its_own)
{
	expect_no_markup(
		write_trace, true); /* chain, step, conversation, four speakers */
}

Test(export, markdown_of_a_hostile_event_has_no_markup_of_its_own)
{
	/* chain, step, input, speaker, output, step, event */
	expect_no_markup(write_event, false);
}

/* What is said keeps its place, whatever it is put together from. */
Test(export, markdown_of_a_message_stays_in_its_place)
{
	static const char *const atoms[] = {"`", "``", "```", "\n", "\n\n", "<img src=x>",
		"<b>", "</details>", "<!--", "# h", "- ", "> ", "1. ", "    ", "   ", " ",
		"|", "|---|---|\n", ":-\n", "a", "b c", "---", "===", "\n---\n",
		"\n===\n", "](javascript:x)", "](\njavascript:x)", "[a](java\\script:x)",
		"![i](http://t/x)", "[1]: http://e", "[x", "\\", "~~~", "&lt;", "&#60;b>",
		"$", "*", "**", "_", "<http://a>", "<javascript:x>", "\t", "```py\n",
		"[foo\nbar]: http://e\n", "\\<", "\\`", "!", "www.a.com", ">", "1) "};
	uint32_t chance = 2026;

	safe_init();
	for (int round = 0; round < 4000; round++) {
		struct buf text = BUF_INIT, out = BUF_INIT;
		struct seen s;

		for (int i = 0; i < 16; i++) {
			chance = chance * 1664525u + 1013904223u;
			buf_text(&text,
				atoms[(chance >> 8) % (sizeof(atoms) / sizeof(*atoms))]);
		}
		buf_text(&out, "# user\n\n");
		mark_own(&out, buf_view(&text));
		buf_text(&out, "# end\n");
		s = parse(buf_view(&out));
		cr_assert_eq(s.headings, 2, "%u headings in\n%s", s.headings, out.data);
		cr_assert_eq(s.images + s.far, 0, "links in\n%s", out.data);
		cr_assert_eq(s.raw.len, 0, "%s in\n%s", s.raw.data, out.data);
		buf_done(&s.raw);
		buf_done(&text);
		buf_done(&out);
	}
}

Test(export, own_markdown_is_kept)
{
	static const struct {
		const char *said, *written;
	} rows[] = {
		{"one\ntwo", "one  \ntwo\n\n"},
		{"# A *b* **c** #\ntext", "**A *b* c**\n\ntext\n\n"},
		{"a\n===\nb", "**a**\n\nb\n\n"},
		{"- a\n- `<b>` <b>", "- a\n- `<b>` &lt;b>\n\n"},
		{"1. x\n   ```sh\n   ls\n   ```", "1. x\n\n```sh\nls\n```\n\n"},
		{"[a](https://b) [c](d:e)", "[a](https://b) [c&#93;(d:e)\n\n"},
		{"| a |\n|---|\n| b |", "| a |\n|---|\n| b |\n\n"},
		{"![x](http://y)", "&#33;[x](http://y)\n\n"},
		{"  \n\n", NULL},
	};

	safe_init();
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct buf out = BUF_INIT;

		mark_own(&out, str_of(rows[i].said));
		cr_expect_str_eq(
			out.len ? out.data : "", rows[i].written ? rows[i].written : "");
		buf_done(&out);
	}
}

/* What a reader sees is what was said. */
Test(export, marked_text_reads_as_it_was)
{
	struct buf out = BUF_INIT;

	safe_init();
	mark_line(&out, STR("a*b_c d_e [x] 1. 2 - 3 snake_case <b> & `q` |"));
	cr_assert_str_eq(out.data, "a\\*b_c d_e \\[x\\] 1. 2 - 3 snake_case &lt;b> &amp; "
				   "\\`q\\` \\|");
	buf_clear(&out);
	mark_line(&out, STR("12) x"));
	cr_assert_str_eq(out.data, "12\\) x");
	buf_clear(&out);
	mark_fence(&out, STR("text"), STR("a\n```\nb"));
	cr_assert_str_eq(out.data, "````text\na\n```\nb\n````\n\n");
	buf_clear(&out);
	mark_text(&out, STR("```Mermaid\nx\n```\n~~~py a=b\ny\n~~~"));
	cr_assert_str_eq(out.data, "```text\nx\n```\n\n```py\ny\n```\n\n");
	buf_clear(&out);
	mark_text(&out, STR("one\ntwo\n\n\n  three"));
	cr_assert_str_eq(out.data, "one\\\ntwo\n\n&nbsp;&nbsp;three\n\n");
	buf_done(&out);
}

/* ---- HTML ---- */

static bool is_ours(struct str tag)
{
	static const char *const ours[] = {"!DOCTYPE html", "html", "head", "meta",
		"title", "style", "body", "h1", "p", "details", "summary", "span",
		"figure", "figcaption", "svg", "g", "a", "rect", "line", "text", "small",
		"nav", "label", "input", "div", "b", "i", "img alt=\"\" src=\"data:image/"};

	for (size_t i = 0; i < sizeof(ours) / sizeof(*ours); i++) {
		size_t n = strlen(ours[i]);

		if (str_starts(tag, str_of(ours[i])) &&
			(tag.n == n || tag.p[n] == ' ' || tag.p[n - 1] == '/'))
			return true;
	}
	return false;
}

/* No `<` but that of our tags, whose attributes have no quote but their own. */
static void check_tags(struct str html)
{
	const char *p = html.p, *end = html.p + html.n;
	int depth = 0;

	while ((p = memchr(p, '<', (size_t)(end - p)))) {
		const char *close = memchr(p, '>', (size_t)(end - p));
		struct str tag = {p + 1, close ? (size_t)(close - p - 1) : 0};

		cr_assert_not_null(close);
		if (str_starts(tag, STR("/"))) {
			tag = (struct str){tag.p + 1, tag.n - 1};
			depth -= str_starts(tag, STR("details"));
		} else {
			depth += str_starts(tag, STR("details"));
		}
		cr_assert_geq(depth, 0);
		cr_assert(is_ours(tag), "<%.*s>", (int)tag.n, tag.p);
		if (str_starts(tag, STR("a "))) /* within the page */
			cr_assert(str_starts(tag, STR("a href=#t")), "<%.*s>",
				(int)tag.n, tag.p);
		cr_assert(!memmem(tag.p, tag.n, " on", 3), "<%.*s>", (int)tag.n, tag.p);
		p = close;
	}
	cr_assert_eq(depth, 0);
}

Test(export, html_of_a_hostile_trace_has_no_tag_of_its_own)
{
	safe_init();
	for (size_t i = 0; i < EVIL; i++) {
		struct buf json = BUF_INIT, out = BUF_INIT;

		write_trace(&json, evil[i]);
		export_text_of("html", buf_view(&json), &out);
		check_tags(buf_view(&out));
		buf_clear(&out);
		buf_clear(&json);
		write_event(&json, evil[i]);
		export_text_of("html", buf_view(&json), &out);
		check_tags(buf_view(&out));
		cr_expect_null(memmem(out.data, out.len, "\x1B", 1));
		cr_expect_null(memmem(out.data, out.len, "\xE2\x80\xAE", 3));
		cr_expect_null(memmem(out.data, out.len, "http-equiv=\"refresh", 19));
		buf_done(&json);
		buf_done(&out);
	}
}

static bool html_shows(const char *url)
{
	struct buf json = BUF_INIT, out = BUF_INIT;
	bool shows;

	buf_text(&json, "{\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":"
			"\"image_url\",\"image_url\":{\"url\":");
	json_write_string(&json, str_of(url));
	buf_text(&json, "}}]}]}");
	export_text_of("html", buf_view(&json), &out);
	check_tags(buf_view(&out));
	shows = memmem(out.data, out.len, "<img", 4) != NULL;
	buf_done(&json);
	buf_done(&out);
	return shows;
}

/* By its bytes, whatever it is called. */
Test(export, html_shows_raster_images_alone)
{
	safe_init();
	cr_assert(html_shows("data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB"));
	cr_assert(html_shows("data:image/svg+xml;base64,/9j/4AAQSkZJRgABAQAAAQABAAD"));
	cr_assert(html_shows("data:image/png;base64,iVBORw0KGgo\"onerror=\"alert(1)"));
	cr_assert_not(
		html_shows("data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9ImFsZXJ0KDEp"));
	cr_assert_not(
		html_shows("data:image/png;base64,PHN2ZyBvbmxvYWQ9ImFsZXJ0KDEpIi8+"));
	cr_assert_not(html_shows("data:image/svg+xml,<svg onload=alert(1)>"));
	cr_assert_not(html_shows("https://example.com/a.png"));
	cr_assert_not(html_shows("javascript:alert(1)"));
}

/* ---- what all of them hold ---- */

/* Words that stand nowhere else, each in a place of its own. */
static const char whole[] =
	"[{\"event\":\"e\",\"properties\":{\"$ai_provider\":\"provider-1\","
	"\"$ai_temperature\":0.125,\"$ai_model_parameters\":{\"top_p\":0.375,"
	"\"stop\":[\"stop-1\"]},\"$ai_tools\":[{\"type\":\"function\",\"function\":{"
	"\"name\":\"tool-1\",\"description\":\"about-1\",\"parameters\":{\"properties\":"
	"{\"argument-1\":{}}}}},{\"toolSpec\":{\"name\":\"tool-2\",\"description\":"
	"\"about-2\",\"inputSchema\":{\"json\":{\"title\":\"schema-2\"}}}},"
	"{\"functionDeclarations\":[{\"name\":\"tool-3\",\"description\":\"about-3\"}]},"
	"{\"type\":\"tool-4\",\"max_uses\":4711}],\"$ai_input\":[{\"role\":\"assistant\","
	"\"content\":null,\"tool_calls\":[{\"id\":\"call-1\",\"function\":{\"name\":"
	"\"tool-1\",\"arguments\":\"{}\"}}]},{\"role\":\"tool\",\"tool_call_id\":"
	"\"call-1\",\"content\":[{\"type\":\"text\",\"text\":\"result-1\\nresult-2\"}]}],"
	"\"$ai_output_choices\":[{\"role\":\"assistant\",\"content\":null,\"refusal\":"
	"\"refused-1\"}],\"$ai_is_error\":true,\"$ai_http_status\":529,\"$ai_error\":"
	"{\"code\":\"code-1\",\"message\":\"failed-1\\nfailed-2\"}}},"
	"{\"event\":\"metric\",\"properties\":{\"value-1\":\"value-2\"}}]";

Test(export, every_format_holds_all)
{
	static const char *const words[] = {"provider-1", "0.125", "top_p", "0.375",
		"stop-1", "tool-1", "about-1", "argument-1", "tool-2", "about-2",
		"schema-2", "tool-3", "about-3", "tool-4", "4711", "result-1", "result-2",
		"refused-1", "529", "code-1", "failed-1", "failed-2", "value-1",
		"value-2"};
	static const char *const names[] = {"json", "markdown", "text", "html"};

	safe_init();
	for (size_t f = 0; f < 4; f++) {
		struct buf out = BUF_INIT;

		export_text_of(names[f], str_of(whole), &out);
		for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
			cr_expect(strstr(out.data, words[i]), "%s: no %s in\n%s",
				names[f], words[i], out.data);
		cr_expect(f == 0 || strstr(out.data, "\\nresult-2") == NULL, "%s",
			out.data);
		buf_done(&out);
	}
}

/* Of steps that follow one another with the same tools the first shows them. */
Test(export, tools_are_written_once_in_documents)
{
	static const char sample[] =
		"[{\"event\":\"e\",\"properties\":{\"$ai_tools\":[\"tool-1\"],\"$ai_"
		"input\":"
		"\"a\"}},{\"event\":\"e\",\"properties\":{\"$ai_tools\":[\"tool-1\"],"
		"\"$ai_input\":\"b\"}},{\"event\":\"e\",\"properties\":{\"$ai_tools\":"
		"[\"tool-2\"],\"$ai_input\":\"b\"}}]";
	static const char *const names[] = {"markdown", "text", "html"};

	safe_init();
	for (size_t f = 0; f < 3; f++) {
		struct buf out = BUF_INIT;
		char *first, *as;

		export_text_of(names[f], str_of(sample), &out);
		first = strstr(out.data, "tool-1");
		as = strstr(out.data, "1 tool offered as in step 1");
		cr_assert(first && as && as > first, "%s", out.data);
		cr_expect_null(strstr(first + 1, "tool-1"), "%s", out.data);
		cr_expect(strstr(as, "tool-2"), "%s", out.data);
		buf_done(&out);
	}
}

/* The browser has signs for folds of its own; those of a text are the text's. */
Test(export, a_text_keeps_the_signs_that_folds_have)
{
	static const char sample[] =
		"[{\"event\":\"e\",\"properties\":{\"$ai_input\":"
		"[{\"role\":\"user\",\"content\":\"\u25B8 one\\n\u25BE two\"},"
		"{\"role\":\"user\",\"content\":{\"a\":{\"\u25B8 key\":1}}}]}}]";
	struct buf out = BUF_INIT;

	setlocale(LC_ALL, "C.UTF-8");
	safe_init();
	export_text_of("html", STR(sample), &out);
	cr_expect(strstr(out.data, "\u25B8 one"), "%s", out.data);
	cr_expect(strstr(out.data, "\u25BE two"), "%s", out.data);
	cr_expect(strstr(out.data, "\u25B8 key"), "%s", out.data);
	cr_expect_null(strstr(out.data, "\u25BE <span class=\"key\""), "%s", out.data);
	buf_done(&out);
}

/* ---- what they stand on ---- */

Test(export, formats_are_known_by_name_and_by_file)
{
	cr_assert_str_eq(export_ending(export_format_of_file(STR("a.MD"))), ".md");
	cr_assert_str_eq(export_ending(export_format_of_file(STR("a.htm"))), ".html");
	cr_assert_str_eq(export_ending(export_format_of_file(STR("x/a.json"))), ".json");
	cr_assert_null(export_format_of_file(STR(".md")));
	cr_assert_null(export_format_of_file(STR("md")));
	cr_assert_eq(
		export_format_named(STR("md")), export_format_named(STR("markdown")));
	cr_assert_null(export_format_named(STR("pdf")));
}

Test(export, indented_json_has_the_same_tokens)
{
	struct buf out = BUF_INIT;

	json_spread(&out, STR("{\"a\":[1.50,{}],\"b\\\"{\":[],\"c\":{\"d\":\",:\"}}"),
		JSON_PRETTY);
	cr_assert_str_eq(out.data,
		"{\n  \"a\": [\n    1.50,\n    {}\n  ],\n  \"b\\\"{\": [],"
		"\n  \"c\": {\n    \"d\": \",:\"\n  }\n}");
	buf_clear(&out);
	json_spread(&out, STR("\"a,b\""), JSON_PRETTY);
	cr_assert_str_eq(out.data, "\"a,b\"");
	buf_done(&out);
}

Test(export, base64_in_slices_is_base64_at_once)
{
	struct str text = STR("AAEC\nAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIj-_8=");
	struct buf one = BUF_INIT, many = BUF_INIT;
	struct base64 a = {0}, b = {0};

	cr_assert(base64_decode(&a, text, SIZE_MAX, &one));
	while (!base64_decode(&b, text, 3, &many))
		;
	cr_assert_eq(one.len, 38);
	cr_assert_eq(many.len, one.len);
	cr_assert_eq(memcmp(one.data, many.data, one.len), 0);
	cr_assert_eq((unsigned char)one.data[36], 0xFB);
	for (int i = 0; i < 36; i++)
		cr_assert_eq(one.data[i], i);
	buf_done(&one);
	buf_done(&many);
}

Test(export, image_data_is_found_by_its_bytes)
{
	struct image_data data;

	cr_assert(image_data_find(
		&data, STR("data:text/plain;base64,R0lGODlhAQABAAAAACw=")));
	cr_assert_str_eq(data.ending, ".gif");
	cr_assert(image_data_find(&data, STR("UklGRiQAAABXRUJQVlA4")));
	cr_assert_str_eq(data.ending, ".webp");
	cr_assert_not(image_data_find(&data, STR("data:image/png,iVBORw0KGgo")));
	cr_assert_not(image_data_find(&data, STR("https://example.com/a.png")));
	cr_assert_not(image_data_find(&data, STR("")));
}

static size_t count_of(struct str text, const char *what)
{
	size_t count = 0;
	const char *at = text.p, *end = text.p + text.n;

	while ((at = memmem(at, (size_t)(end - at), what, strlen(what)))) {
		at += strlen(what);
		count++;
	}
	return count;
}

/* A page cannot have a row for each of very many steps. */
Test(export, html_draws_the_longest_steps)
{
	static const struct {
		size_t steps, bars;
	} rows[] = {{1, 0}, {2, 2}, {200, 200}, {600, 200}, {1500, 200}};

	safe_init();
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct buf json = BUF_INIT, out = BUF_INIT;

		for (size_t s = 0; s < rows[i].steps; s++)
			buf_printf(&json,
				"{\"event\":\"$ai_generation\",\"uuid\":\"u%zu\","
				"\"timestamp\":%zu,\"properties\":{\"$ai_trace_id\":"
				"\"t\","
				"\"$ai_latency\":%zu,\"$ai_input\":\"a\"}}\n",
				s, 1750000000 + 3 * s, 1 + s % 2);
		export_text_of("html", buf_view(&json), &out);
		cr_expect_eq(count_of(buf_view(&out), "<rect class=\"bar"), rows[i].bars,
			"of %zu steps %zu have bars", rows[i].steps,
			count_of(buf_view(&out), "<rect class=\"bar"));
		check_tags(buf_view(&out));
		buf_done(&json);
		buf_done(&out);
	}
}
