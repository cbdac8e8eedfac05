/*
 * What steps did, in the list: what is read ahead of time is what opening the step itself
 * gives, for inputs of many shapes; a page that was read ahead opens nothing.
 */
#include "config.h"

#include <criterion/criterion.h>

#include "base/mem.h"
#include "base/work.h"
#include "import/action.h"
#include "ui/control/controllers.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define STEPS        700 /* more than there are places */
#define PREVIEWS     512 /* those places: control/previews.c */
#define ROWS         38

/* Values of $ai_input, N in them the step's number; or a whole line. */
static const char *const shapes[] = {
	"[{'role':'user','content':'question N'}]",
	"[{'role':'user','content':'first N'},{'role':'assistant','content':'a'},"
	"{'role':'user','content':'last N'},{'role':'tool','content':'t N'}]",
	"'plain text N'",
	"'[{\\'role\\':\\'user\\',\\'content\\':\\'in a string N\\'}]'",
	"[{'role':'human','content':[{'type':'image_url'},{'type':'text','text':'part "
	"N'}]}]",
	"[{'role':'user','content':'early N'},{'role':'user','content':''}]",
	"[{'role':'assistant','content':'nobody asked N'}]",
	"{'topic':'N','list':[1,2,3]}",
	"null",
	"[]",
	"[{'role':'user','content':'  white \\n\\t\\n space \\u00e9 \\ud83d\\ude00 N  "
	"'}]",
	"[{'role':'user','parts':[{'text':'google N'}]}]",
};

static void add_step(struct buf *out, size_t number)
{
	buf_printf(out,
		"{\"event\":\"$ai_generation\",\"properties\":{\"$ai_trace_id\":\"t\","
		"\"$ai_span_name\":\"step %zu\",\"$ai_input\":",
		number);
	if (number % 50 == 49) {
		buf_text(out, "[broken}\n");
		return;
	}
	for (const char *p = shapes[number % COUNT(shapes)]; *p; p++)
		if (*p == 'N')
			buf_printf(out, "%zu", number);
		else
			buf_byte(out, *p == '\'' ? '"' : *p);
	buf_printf(out, ",\"$ai_output_choices\":%s}}\n",
		number % 3 ? "[]" : "[{\"role\":\"assistant\",\"content\":\"x\"}]");
}

static struct app *open_trace(struct buf *text)
{
	struct app *app = mem_zalloc(1, sizeof(*app));

	for (size_t i = 0; i < STEPS; i++)
		add_step(text, i);
	app->trace = trace_of_source(source_open_text("trace", buf_view(text)));
	app->input.load = load_begin(app->trace, NULL);
	while (app->input.status != TASK_DONE)
		app->input.status =
			load_run(app->input.load, clock_deadline(1000000), SIZE_MAX);
	app->step.index = NO_STEP;
	app->state.of[CONTROLLER_PREVIEWS] = mem_zalloc(1, previews_controller.state);
	steps_begin(&app->steps, app->trace);
	steps_update(&app->steps);
	app->screen.panes[PANE_STEPS].area = (struct rect){.columns = 160, .rows = ROWS};
	return app;
}

static void close_trace(struct app *app, struct buf *text)
{
	previews_controller.end(app);
	mem_free(app->state.of[CONTROLLER_PREVIEWS]);
	steps_done(&app->steps);
	load_free(app->input.load);
	trace_free(app->trace);
	mem_free(app);
	buf_done(text);
}

static void expect_preview(struct app *app, size_t row, uint64_t deadline)
{
	uint32_t step = trace_at(app->trace, steps_at(&app->steps, row).position);
	struct step_content *o = step_content_new(app->trace, step);
	struct str got = previews_row(app, row, deadline).text;
	struct step_action want = {0};

	action_read(&want, o);
	cr_expect(str_equal(got, buf_view(&want.text)), "row %zu: '%.*s' for '%.*s'", row,
		(int)got.n, got.p, (int)want.text.len, want.text.data);
	action_done(&want);
	step_content_free(o);
}

static void read_ahead(struct app *app, size_t top)
{
	app->screen.panes[PANE_STEPS].top = top;
	previews_begin(app);
	for (int turns = 0;
		previews_controller.run(app, clock_deadline(1000000)) != TASK_IDLE;
		turns++)
		cr_assert_lt(turns, 10 * ROWS);
}

Test(previews, a_page_ahead_is_what_opening_gives)
{
	struct buf text = BUF_INIT;
	struct app *app = open_trace(&text);

	cr_assert_gt(app->steps.count, PREVIEWS);
	for (size_t top = 0; top < app->steps.count; top += ROWS) {
		read_ahead(app, top);
		for (size_t row = top < ROWS ? 0 : top - ROWS;
			row < top + 2 * ROWS && row < app->steps.count; row++)
			expect_preview(app, row, 0);
	}
	close_trace(app, &text);
}

/* What writes to a pipe is silent for now: rows say what is known all the same. */
Test(previews, a_pipe_that_waits_is_read_ahead)
{
	struct buf text = BUF_INIT;
	struct app *app = open_trace(&text);

	app->input.status = TASK_IDLE;
	read_ahead(app, 0);
	for (size_t row = 0; row < 2 * ROWS; row++)
		expect_preview(app, row, 0);
	close_trace(app, &text);
}

Test(previews, without_time_there_is_none)
{
	struct buf text = BUF_INIT;
	struct app *app = open_trace(&text);

	previews_begin(app);
	cr_expect_eq(previews_row(app, 0, 0).text.n, 0);
	expect_preview(app, 0, UINT64_MAX);
	read_ahead(app, 0);
	expect_preview(app, ROWS, 0);
	previews_controller.on[EVENT_FORGET](app);
	cr_expect_eq(previews_row(app, ROWS, 0).text.n, 0);
	cr_expect_neq(previews_controller.run(app, 0), TASK_IDLE);
	close_trace(app, &text);
}

/* All at the places of others: it comes to an end, and nothing is mistaken. */
Test(previews, steps_that_share_a_place)
{
	struct buf text = BUF_INIT;
	struct app *app = open_trace(&text);
	struct trace *trace = app->trace;

	trace->order =
		mem_resize(trace->order, trace->order_count, sizeof(*trace->order));
	for (size_t i = 0; i < trace->order_count; i++)
		trace->order[i] = (uint32_t)(i % 2 * PREVIEWS);
	read_ahead(app, ROWS);
	for (size_t row = 0; row < 3 * ROWS; row++)
		expect_preview(app, row, UINT64_MAX);
	close_trace(app, &text);
}
