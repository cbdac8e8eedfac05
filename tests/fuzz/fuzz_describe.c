/*
 * Formats as data: a description in YAML, a line "---8<---", and a file that is read with
 * it (import/known, describe, described, turns, say).  The file is in a person's folder
 * of formats: strangers write both.
 *
 * 1. A description is taken, or is refused with an error that is printable and, where it
 *    names a member, has its line.
 * 2. With one that is taken, the file loads, by recognition and when the format is
 * forced; its steps lie in the file and can be opened.
 * 3. What recognition explains is printable.
 */
#include "fuzz.h"

#include "import/describe.h"

static bool make_own(struct matcher *m, struct jv *matches, size_t count,
	struct arena *arena, struct err *err);

/* Its formats are forgotten after each input, which the program never does; and only
 * those of the input are recognized, so that no others need to be compiled. */
#define matcher_make make_own
#include "import/known.c"
#undef matcher_make

#include "import/load.h"
#include "import/open.h"
#include "text/safe.h"

static bool make_own(struct matcher *m, struct jv *matches, size_t count,
	struct arena *arena, struct err *err)
{
	for (size_t i = all.own; i < count; i++)
		matches[i] = jv_parse(STR("[{\"no\":\"array\"}]"));
	return matcher_make(m, matches, count, arena, err);
}

/* The formats that are built in, as they were read once. */
static struct known_format *built_in;
static size_t built_in_count;
/* Not static: a compiler drops what is never read, and its memory would look lost. */
extern struct arena built_in_arena;
struct arena built_in_arena;

static void begin(void)
{
	if (!built_in) {
		read_built_in();
		known_events(); /* which are kept */
		known_stream_events();
		built_in = all.items;
		built_in_count = all.count;
		built_in_arena = all.arena;
	}
	memset(&all, 0, sizeof(all));
	all.items = mem_array(built_in_count, sizeof(*built_in));
	memcpy(all.items, built_in, built_in_count * sizeof(*built_in));
	all.count = all.cap = built_in_count;
	all.built_in = true;
}

static void forget_matcher(struct matcher *m)
{
	trie_done(&m->trie);
	mem_free(m->formats);
	mem_free(m->tests);
	mem_free(m->first);
}

static void forget(void)
{
	for (size_t i = 0; i < all.count; i++)
		if (all.items[i].description &&
			(i < all.own || !built_in[i - all.own].description))
			trie_done(&all.items[i].description->trie);
	forget_matcher(&all.made);
	forget_matcher(&all.last);
	mem_free(all.items);
	arena_done(&all.arena);
}

static void expect_said(struct err *err)
{
	struct buf raw = BUF_INIT, line = BUF_INIT;

	EXPECT(err->text && *err->text, "refused, and no word");
	err_format(err, &raw);
	safe_line(&line, buf_view(&raw));
	fuzz_expect_printable(buf_view(&line), 0, "an error");
	buf_done(&raw);
	buf_done(&line);
}

static void load_with(struct str text, const struct format *forced)
{
	struct err err = {0};
	struct trace *trace = trace_of_source(source_open_text("test", text));
	struct load *load = load_begin(trace, forced);
	uint64_t size;

	load_all(load, &err);
	size = inputs_size(trace->inputs);
	for (uint32_t i = 0; i < trace->count; i++) {
		struct step s = trace_step(trace, i);

		EXPECT(s.offset <= size && s.length <= size - s.offset,
			"step %u: %zu+%zu of %zu", i, (size_t)s.offset, (size_t)s.length,
			(size_t)size);
		if (i < 8)
			step_content_free(step_content_new(trace, i));
	}
	err_done(&err);
	load_free(load);
	trace_free(trace);
}

static void explain(struct str text)
{
	struct buf out = BUF_INIT, shown = BUF_INIT;

	known_explain(jv_parse(text), &out);
	safe_lines(&shown, buf_view(&out));
	fuzz_expect_printable(buf_view(&shown), FUZZ_LINES, "what --explain says");
	buf_done(&out);
	buf_done(&shown);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz f = fuzz_of(data, size);
	struct str description = fuzz_document(&f);
	struct err err = {.offset = ERR_NOWHERE};

	begin();
	if (known_read(fuzz_file(0, description), &err)) {
		load_with(f.rest, NULL);
		load_with(f.rest, &known_at(0)->format);
		explain(f.rest);
	} else {
		expect_said(&err);
	}
	err_done(&err);
	forget();
	return 0;
}
