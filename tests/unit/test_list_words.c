/* What the list says of a step, where the panes go: tables of small cases. */
#include "config.h"

#include <criterion/criterion.h>

#include "chat/brief.h"
#include "ui/core/layout.h"
#include "view/steps.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- calls in a few words ---- */

Test(brief, the_argument_that_says_most)
{
	static const struct {
		const char *json, *says;
	} cases[] = {
		{"{\"description\":\"List files\",\"command\":\"ls  -l\\n src\"}",
			"ls -l src"},
		{"{\"file_path\":\"a.c\",\"old_string\":\"x\"}", "a.c"},
		{"{\"path\":\".\",\"pattern\":\"TODO\"}", "TODO"},
		{"{\"command\":[\"bash\",\"-lc\",\"make check\"]}", "make check"},
		{"\"{\\\"query\\\":\\\"tides\\\"}\"", "tides"},
		{"{\"depth\":2,\"flag\":true}", "2"},
		{"{\"city\":\"Umeå\"}", "Umeå"},
		{"{\"path\":\"/srv/harbour/src/a.c\"}", "src/a.c"},
		{"{\"path\":\"/srv/harbours/a.c\"}", "/srv/harbours/a.c"},
		{"{\"path\":\"/srv/harbour\"}", "/srv/harbour"},
		{"{\"input\":\"*** Begin Patch\\n*** Update File: b.c\\n@@\"}", "b.c"},
		{"{}", ""},
		{"null", ""},
		{"\"plain words\"", "plain words"},
		{"{\"command\":\"\",\"path\":\"b\"}", "b"},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct buf out = BUF_INIT;

		brief_argument(
			jv_parse(str_of(cases[i].json)), STR("/srv/harbour"), &out, 100);
		cr_expect(str_equal(buf_view(&out), str_of(cases[i].says)), "%s: %.*s",
			cases[i].json, (int)out.len, out.data);
		buf_done(&out);
	}
}

Test(brief, how_a_call_ended)
{
	static const struct {
		const char *body;
		bool error, failed;
		int exit;
	} cases[] = {
		{"\"fine\"", false, false, -1},
		{"\"fine\"", true, true, -1},
		{"\"Exit code 2\\nno such file\"", true, true, 2},
		{"\"{\\\"output\\\":\\\"\\\",\\\"metadata\\\":{\\\"exit_code\\\":0}}\"",
			false, false, 0},
		{"{\"exitCode\":137}", false, true, 137},
		{"\"Process exited with code 1\"", false, true, 1},
		{"\"the exit code is unknown\"", false, false, -1},
		{"\"exit 3\"", false, false, -1},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct part result = {.kind = PART_RESULT,
			.body = jv_parse(str_of(cases[i].body)),
			.error = cases[i].error};
		struct outcome v = brief_outcome(&result);

		cr_expect_eq(v.failed, cases[i].failed, "%s", cases[i].body);
		cr_expect_eq(v.exit, cases[i].exit, "%s: %d", cases[i].body, v.exit);
	}
}

/* ---- models ---- */

Test(list_names, models_are_shortened_where_they_say_least)
{
	static const struct {
		const char *name;
		uint32_t shared, width;
		const char *short_name;
	} cases[] = {
		{"gpt-4o-mini", 0, 11, "gpt-4o-mini"},
		{"gpt-4o-2024-08-06", 0, 10, "gpt-4o"},
		{"claude-haiku-4-5-20251001", 0, 10, "haiku-4-5"},
		{"claude-haiku-4-5-20251001", 7, 10, "haiku-4-5"},
		{"claude-3-5-sonnet@20240620", 0, 17, "claude-3-5-sonnet"},
		/* the dates tell them apart */
		{"gpt-4o-2024-08-06", 12, 10, "08-06"},
		{"o1", 0, 1, "o1"},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct list_names names = {.shared = cases[i].shared};
		struct str got =
			list_names_short(&names, str_of(cases[i].name), cases[i].width);

		cr_expect(str_equal(got, str_of(cases[i].short_name)), "%s at %u: %.*s",
			cases[i].name, cases[i].width, (int)got.n, got.p);
	}
}

/* ---- the panes ---- */

/* Each pane as "column,row columnsxrows", "-" where it is not shown. */
static void put_pane(const struct layout *l, enum pane_id id, struct buf *out)
{
	struct rect r = l->pane[id];

	if (r.rows)
		buf_printf(out, "%u,%u %ux%u; ", r.column, r.row, r.columns, r.rows);
	else
		buf_text(out, "-; ");
}

Test(layout, by_size_and_need)
{
	static const struct {
		struct layout_request request;
		const char *panes; /* list, input, output */
	} cases[] = {
		/* one above the other, as many rows as each needs */
		{{.columns = 80, .rows = 24, .need = {99, 99}, .list_rows = 3},
			"0,1 80x4; 0,5 80x9; 0,14 80x9; "},
		{{.columns = 80, .rows = 24, .need = {2, 99}, .list_rows = 3},
			"0,1 80x4; 0,5 80x3; 0,8 80x15; "},
		{{.columns = 80, .rows = 24, .need = {99, 2}, .list_rows = 3},
			"0,1 80x4; 0,5 80x15; 0,20 80x3; "},
		/* the list has a third at most */
		{{.columns = 80, .rows = 24, .need = {99, 99}, .list_rows = 500},
			"0,1 80x7; 0,8 80x7; 0,15 80x8; "},
		/* beside each other from 100 columns on */
		{{.columns = 120, .rows = 40, .list_rows = 2},
			"0,1 120x3; 0,4 59x35; 60,4 60x35; "},
		{{.columns = 120, .rows = 40, .list_rows = 2, .blank = {true, false}},
			"0,1 120x3; 0,4 16x35; 17,4 103x35; "},
		/* the list beside them from 160 on, or where it is wanted */
		{{.columns = 160, .rows = 40, .list_rows = 2, .list = 60},
			"0,1 60x38; 61,1 49x38; 111,1 49x38; "},
		{{.columns = 120,
			 .rows = 40,
			 .list_rows = 2,
			 .list = 60,
			 .choice = LAYOUT_SIDE},
			"0,1 54x38; 55,1 32x38; 88,1 32x38; "},
		{{.columns = 200, .rows = 40, .list_rows = 2, .choice = LAYOUT_TOP},
			"0,1 200x3; 0,4 99x35; 100,4 100x35; "},
		/* one step needs no list, one conversation one pane */
		{{.columns = 200, .rows = 40, .list_rows = 1, .list = 60},
			"-; 0,1 99x38; 100,1 100x38; "},
		{{.columns = 80, .rows = 24, .list_rows = 3, .shared = true},
			"0,1 80x4; 0,5 80x18; -; "},
		/* small: one side at a time */
		{{.columns = 50, .rows = 15, .list_rows = 9, .side = PANE_OUTPUT},
			"0,1 50x4; -; 0,5 50x9; "},
		{{.columns = 50,
			 .rows = 10,
			 .list_rows = 9,
			 .focus = PANE_INPUT,
			 .side = PANE_INPUT},
			"-; 0,1 50x8; -; "},
		{{.columns = 1, .rows = 1, .list_rows = 9}, "0,0 1x1; -; -; "},
		{{.columns = 120,
			 .rows = 40,
			 .list_rows = 9,
			 .zoomed = true,
			 .focus = PANE_OUTPUT},
			"-; -; 0,1 120x38; "},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct layout_request request = cases[i].request;
		struct buf got = BUF_INIT;
		struct layout l;

		if (!request.side)
			request.side = PANE_INPUT;
		layout_compute(&l, &request);
		for (int id = PANE_STEPS; id <= PANE_OUTPUT; id++)
			put_pane(&l, (enum pane_id)id, &got);
		cr_expect_str_eq(got.data, cases[i].panes, "case %zu: %s", i, got.data);
		buf_done(&got);
	}
}
