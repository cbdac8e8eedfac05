/*
 * The loader (import/load): any bytes are a trace.
 *
 * 1. Loading ends, and everything that is known of the file is the same whether it is
 *    read whole or comes through a pipe in pieces of any size.
 * 2. Steps lie in the file; each has one position; chains have all positions, in order.
 * 3. Each step can be opened; what its sides refer to is printable once it went through
 *    text/safe; an opening that is stopped leaves nothing, and finds the same later.
 */
#include "fuzz.h"

#include <fcntl.h>
#include <inttypes.h>
#include <unistd.h>

#include "base/work.h"
#include "import/load.h"
#include "import/open.h"
#include "text/safe.h"

#define OPENED_MOST 12 /* steps that are opened */

struct loaded {
	struct trace *trace;
	struct load *load;
};

static void unload(struct loaded *x)
{
	load_free(x->load);
	trace_free(x->trace);
}

/* Of packed bytes nothing may be there that can be unpacked, which is known at once or when
 * more of them was read: then they are a text. */
static struct loaded load_whole(struct str text)
{
	struct err err = {0};
	struct source *source = source_open(fuzz_file(0, text), &err);
	struct loaded x;

	for (bool packed = source != NULL;; packed = false) {
		if (!packed)
			source = source_open_text("test", text);
		err_done(&err);
		x.trace = trace_of_source(source);
		x.load = load_begin(x.trace, NULL);
		if (load_all(x.load, &err) != TASK_FAILED || !packed)
			break;
		unload(&x);
	}
	err_done(&err);
	return x;
}

/* False: the pipe cannot be read, as packed bytes that are damaged. */
static bool load_pieces(struct fuzz *f, struct str text, struct loaded *x)
{
	/* few pieces, as each costs as much as a file; now and then tiny ones */
	bool tiny = fuzz_chance(f, 32) == 0;
	size_t most = tiny ? 3 : 1 + text.n / 16 + fuzz_chance(f, 1 + text.n / 2), at = 0;
	struct err err = {0};
	struct source *source;
	bool good = true;
	char path[64];
	int ends[2];

	EXPECT(pipe(ends) == 0, "no pipe");
	snprintf(path, sizeof(path), "/proc/self/fd/%d", ends[0]);
	source = source_open(path, &err);
	EXPECT(source, "no pipe: %s", err.text);
	close(ends[0]);
	x->trace = trace_of_source(source);
	x->load = load_begin(x->trace, NULL);
	while (good) {
		enum task_state status = load_run(x->load, 0, SIZE_MAX);
		size_t n = 1 + fuzz_chance(f, most);

		if (status == TASK_DONE || status == TASK_FAILED)
			break;
		if (status == TASK_MORE)
			continue;
		n = n < text.n - at ? n : text.n - at;
		if (at < text.n)
			EXPECT(write(ends[1], text.p + at, n) == (ssize_t)n, "a pipe");
		else if (ends[1] >= 0)
			ends[1] = close(ends[1]) - 1;
		at += n;
		good = load_pump(x->load, &err);
	}
	if (ends[1] >= 0)
		close(ends[1]);
	err_done(&err);
	return good;
}

static void put_all(const struct loaded *x, struct buf *out)
{
	struct trace *trace = x->trace;
	size_t count;
	const struct load_note *notes = load_notes(x->load, &count);
	struct err err = {0};

	buf_printf(out, "%s", trace->format ? trace->format : "-");
	for (size_t c = 0; c < trace->chain_count; c++) {
		buf_printf(out, "\nchain %zu+%zu %d ", trace->chains[c].first,
			trace->chains[c].count, trace->chains[c].generated);
		buf_str(out, trace_text(trace, trace->chains[c].trace_id));
	}
	for (uint32_t i = 0; i < trace->count; i++) {
		struct step s = trace_step(trace, i);

		buf_printf(out,
			"\n%" PRIu64 "+%" PRIu64 " %.17g %.17g %.17g %.17g %.17g %" PRIx64
			" %" PRIu32 " %" PRIu32 " %" PRIx32 " at %zu ",
			s.offset, s.length, s.timestamp, s.input_tokens, s.output_tokens,
			s.cost, s.latency, s.parent_key, s.parent, s.name_len, s.flags,
			trace_position(trace, i));
		step_title(trace, i, out);
	}
	for (size_t i = 0; i < count; i++)
		buf_printf(out, "\nnote %" PRIu64 " %s", notes[i].offset, notes[i].text);
	buf_printf(out, "\n%" PRIu64 " %" PRIu64 " %.17g %.17g %.17g\n",
		trace->totals.steps, trace->totals.errors, trace->totals.input_tokens,
		trace->totals.output_tokens, trace->totals.cost);
	if (load_unreadable(x->load, &err))
		buf_printf(out, "unreadable: %s\n", err.text);
	err_done(&err);
}

static void expect_sound(const struct loaded *x)
{
	struct trace *trace = x->trace;
	uint64_t size = inputs_size(trace->inputs);
	size_t in_chains = 0;

	EXPECT(trace->format, "no format");
	EXPECT(trace->order_count == trace->count, "%zu positions for %zu steps",
		trace->order_count, trace->count);
	for (size_t c = 0; c < trace->chain_count; c++) {
		EXPECT(trace->chains[c].first == in_chains, "chain %zu", c);
		EXPECT(trace->chains[c].scope < trace->scope_count, "chain %zu", c);
		in_chains += trace->chains[c].count;
	}
	EXPECT(in_chains == trace->count, "%zu in chains", in_chains);
	for (uint32_t i = 0; i < trace->count; i++) {
		struct step s = trace_step(trace, i);

		EXPECT(s.offset <= size && s.length <= size - s.offset,
			"step %u: %zu+%zu of %zu", i, (size_t)s.offset, (size_t)s.length,
			(size_t)size);
		EXPECT(trace_at(trace, trace_position(trace, i)) == i, "step %u", i);
	}
}

/* ---- opening ---- */

static void put_side(const struct side *side, struct buf *out)
{
	buf_printf(out, "%s %u %zu", side_view_name(side->view), side->opened,
		side->chat.count);
	if (side->view == SIDE_TEXT)
		buf_str(out, side->text);
	if (side->view == SIDE_JSON)
		buf_str(out, jv_raw(side->value));
	for (size_t i = 0; i < side->chat.count; i++)
		buf_str(out, jv_raw(side->chat.items[i]));
}

static void put_opened(const struct step_content *o, struct buf *out)
{
	put_side(&o->input, out);
	buf_byte(out, '\n');
	put_side(&o->output, out);
	buf_printf(out, "\n%d %d %d", o->bare, o->shared, o->report.verdict);
}

static bool always(void)
{
	return true;
}

static void open_step(struct trace *trace, uint32_t step)
{
	struct step_content *o = step_content_new(trace, step);
	struct buf a = BUF_INIT, b = BUF_INIT, shown = BUF_INIT;
	struct err err = {.offset = ERR_NOWHERE};

	put_opened(o, &a);
	safe_lines(&shown, buf_view(&a));
	fuzz_expect_printable(buf_view(&shown), FUZZ_LINES, "a step");
	if (step_problem(trace, step, o, &err)) {
		buf_clear(&shown);
		err_format(&err, &b);
		safe_line(&shown, buf_view(&b));
		fuzz_expect_printable(buf_view(&shown), 0, "a problem");
		buf_clear(&b);
	}
	step_content_free(o);
	stop_ask(always);
	o = step_content_try(trace, step, true);
	stop_ask(NULL);
	step_content_free(o); /* short ones are not stopped */
	o = step_content_try(trace, step, true);
	put_opened(o, &b);
	fuzz_expect_equal(buf_view(&a), buf_view(&b), "a step opened again");
	step_content_free(o);
	err_done(&err);
	buf_done(&a);
	buf_done(&b);
	buf_done(&shown);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz f = fuzz_of(data, size);
	struct str text = f.rest;
	struct buf a = BUF_INIT, b = BUF_INIT;
	struct loaded whole = load_whole(text), pieces;

	put_all(&whole, &a);
	expect_sound(&whole);
	for (uint32_t i = 0; i < whole.trace->count && i < OPENED_MOST; i++)
		open_step(whole.trace, i);
	if (load_pieces(&f, text, &pieces)) {
		put_all(&pieces, &b);
		fuzz_expect_equal(buf_view(&a), buf_view(&b), "a file in pieces");
		expect_sound(&pieces);
	}
	unload(&whole);
	unload(&pieces);
	buf_done(&a);
	buf_done(&b);
	return 0;
}
