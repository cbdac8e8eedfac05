/*
 * The files that a chain touches: what is told of them is equal whether their texts were
 * kept or their steps are opened again, and whatever the slices.
 */
#include "config.h"
#include <criterion/criterion.h>

#include "analysis/touched.h"
#include "loaded.h"

#define CALL(id, name, arguments)                                                        \
	"{'event':'$ai_generation','properties':{'$ai_trace_id':'t','$ai_output_"        \
	"choices':["                                                                     \
	"{'role':'assistant','tool_calls':[{'id':'" id "','function':{'name':'" name     \
	"','arguments':" arguments "}}]}]}}"

/* "kind path +added -removed: is" for each touch, or what it is not */
static void tell(struct touched *t, struct buf *out)
{
	for (size_t i = 0; i < t->count; i++) {
		const struct file_touch *f = &t->touches[i];
		struct arena texts = {0};
		struct touch x;

		cr_assert(touched_read(t, i, &x, &texts));
		buf_printf(out, "%s ", touch_kind_names[f->kind]);
		buf_str(out, t->files[f->file].path);
		buf_printf(out, " +%zu -%zu: ", f->added, f->removed);
		buf_str(out, x.is);
		buf_byte(out, '\n');
		arena_done(&texts);
	}
	buf_printf(out, "%zu of %zu changed, +%zu -%zu", t->changed, t->file_count,
		t->added, t->removed);
}

static void check(const char *trace, const char *expected)
{
	for (int i = 0; i < 4; i++) {
		struct loaded x = load_quoted(trace);
		struct touched *t = touched_new(x.trace, 0);
		struct buf out = BUF_INIT;

		if (i & 1)
			t->keep = 0;
		while (touched_run(t, i & 2 ? 0 : UINT64_MAX) != TASK_DONE)
			touched_sum(t);
		tell(t, &out);
		cr_expect_str_eq(out.data, expected, "%s", out.data);
		buf_done(&out);
		touched_free(t);
		unload(&x);
	}
}

Test(touched, kept_or_read_again)
{
	check("[" CALL("1", "edit", "{'path':'a','old_str':'x','new_str':'y'}") "," CALL(
		      "2", "write", "{'path':'b','content':'1\\n2'}") "," CALL("3",
		      "edit",
		      "{'path':'a','edits':[{'old':'p','new':'q'},"
		      "{'old':'r','new':''}]}") "]",
		"edit a +1 -1: y\ncreate b +2 -0: 1\n2\nedit a +1 -1: q\n"
		"edit a +0 -1: \n2 of 2 changed, +4 -3");
}

/* A path from the root and one from somewhere below are one file, where that is clear. */
Test(touched, two_names_of_a_file)
{
	check("[" CALL("1", "write", "{'path':'src/a','content':'1'}") "," CALL(
		      "2", "write", "{'path':'/w/src/a','content':'2'}") "," CALL("3",
		      "write", "{'path':'a','content':'3'}") "]",
		"create /w/src/a +1 -0: 1\ncreate /w/src/a +1 -0: 2\n"
		"create /w/src/a +1 -0: 3\n1 of 1 changed, +3 -0");
	check("[" CALL("1", "write", "{'path':'/w/x/a','content':'1'}") "," CALL(
		      "2", "write", "{'path':'/w/y/a','content':'2'}") "," CALL("3",
		      "write", "{'path':'a','content':'3'}") "]",
		"create /w/x/a +1 -0: 1\ncreate /w/y/a +1 -0: 2\n"
		"create a +1 -0: 3\n3 of 3 changed, +3 -0");
}

Test(touched, none)
{
	check("[" CALL("1", "ask", "{'city':'Basel'}") "]", "0 of 0 changed, +0 -0");
}
