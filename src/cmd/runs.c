/*
 * `catena runs`: runs of the same tasks (analysis/runs): how they ended, pass@k and
 * pass^k, and the calls at which they part.
 */
#include "config.h"
#include "cmd/cmd.h"

#include "analysis/runs.h"
#include "base/mem.h"
#include "json/json.h"
#include "view/facts.h"
#include "view/report.h"

#define NAME_CELLS 70 /* of tasks and calls */
#define DEEPEST    12 /* forks below one another that are written */

struct runs_command {
	struct runs runs;
	char **paths; /* of the traces, by number */
	size_t count, cap;
};

static int add_file(struct cmd_file *f, const struct options *o, void *ctx)
{
	struct runs_command *c = ctx;
	const char *path = inputs_name(f->trace->inputs);

	runs_run(&c->runs, f->trace, UINT64_MAX);
	*(char **)MEM_ADD(c->paths, c->count, c->cap) = mem_dup(path, strlen(path));
	return STATUS_DONE;
}

/* ---- JSON ---- */

static void put_fork(struct buf *out, const struct runs *r, size_t fork, size_t deep)
{
	const struct run_fork *f;

	if (fork == NO_FORK || deep > DEEPEST) {
		json_put_null(out, "fork");
		return;
	}
	f = &r->forks[fork];
	json_open(out, "fork", '{');
	json_put_count(out, "after", f->after);
	json_open(out, "branches", '[');
	for (size_t i = f->first; i < f->first + f->count; i++) {
		const struct run_branch *b = &r->branches[i];

		json_open(out, NULL, '{');
		if (b->call == MAP_NONE)
			json_put_null(out, "call");
		else
			json_put_text(out, "call", intern_get(&r->names, b->call));
		json_put_count(out, "runs", b->runs);
		json_put_count(out, "passed", b->passed);
		json_put_count(out, "failed", b->failed);
		json_put_count(out, "run", b->run + 1);
		json_put_count(out, "step", b->number);
		put_fork(out, r, b->fork, deep + 1);
		buf_byte(out, '}');
	}
	buf_text(out, "]}");
}

static void put_task(struct buf *out, const struct runs_command *c, size_t task)
{
	static const char *const outcomes[] = {[RUN_UNKNOWN] = "unknown",
		[RUN_FAILED] = "failed",
		[RUN_PASSED] = "passed"};
	const struct run_task *t = &c->runs.tasks[task];

	json_put_text(out, "task", t->name);
	json_put_count(out, "runs", t->runs);
	json_put_count(out, "passed", t->passed);
	json_put_count(out, "failed", t->failed);
	json_put_count(out, "stem", t->stem);
	facts_put_figure(out, "median_calls", t->calls);
	facts_put_figure(out, "median_tokens", t->tokens);
	facts_put_figure(out, "median_cost_usd", t->cost);
	facts_put_figure(out, "median_latency_s", t->latency);
	put_fork(out, &c->runs, t->fork, 0);
	json_open(out, "each", '[');
	for (size_t i = 0; i < c->runs.count; i++) {
		const struct task_run *x = &c->runs.items[i];

		if (x->task != task)
			continue;
		json_open(out, NULL, '{');
		json_put_count(out, "run", i + 1);
		json_put_text(out, "path", str_of(c->paths[x->trace]));
		json_put_count(out, "chain", x->chain);
		json_put_count(out, "step", x->number);
		json_put_text(out, "outcome", str_of(outcomes[x->outcome]));
		facts_put_figure(out, "score", x->score);
		json_put_count(out, "calls", x->calls);
		facts_put_figure(out, "tokens", x->tokens);
		facts_put_figure(out, "cost_usd", x->cost);
		facts_put_figure(out, "latency_s", x->latency);
		buf_byte(out, '}');
	}
	buf_byte(out, ']');
}

static void put_shares(struct buf *out, const struct runs *r, const char *key, bool all)
{
	json_open(out, key, '[');
	for (size_t k = 1; k <= RUN_SHARES && k <= runs_most(r); k++) {
		json_item(out);
		json_write_number(out, runs_pass(r, k, all));
	}
	buf_byte(out, ']');
}

/* ---- text ---- */

static void print_task(struct buf *out, const struct runs_command *c, size_t task)
{
	struct run_rows rows = {0};

	run_rows_add(&rows, &c->runs, task, false);
	for (size_t i = 0; i < rows.count; i++) {
		buf_text(out, i ? "\n" : "");
		run_row_put(&c->runs, &rows.items[i], NAME_CELLS, out);
	}
	mem_free(rows.items);
}

int cmd_runs(const struct options *o)
{
	struct runs_command c = {0};
	struct report r = report_of(o);
	const struct runs *runs = &c.runs;
	int status = cmd_each_input(o, add_file, &c);

	runs_compare(&c.runs);
	if (o->json)
		buf_printf(&r.out, "{\"runs\":%zu,\"tasks\":[", runs->count);
	for (size_t i = 0; i < runs->task_count; i++) {
		if (!report_row(&r))
			continue;
		(o->json ? put_task : print_task)(&r.out, &c, i);
		report_row_end(&r);
	}
	if (o->json) {
		buf_text(&r.out, "\n]");
		put_shares(&r.out, runs, "pass_at", false);
		put_shares(&r.out, runs, "pass_all", true);
		json_put_count(&r.out, "left_out", r.left_out);
		buf_text(&r.out, "}\n");
	} else {
		buf_printf(&r.out, "\n%zu run%s of %zu task%s\n", runs->count,
			plural(runs->count), runs->task_count, plural(runs->task_count));
		run_shares_put(runs, "\n", &r.out);
		buf_text(&r.out, runs_most(runs) ? "\n" : "");
	}
	for (size_t i = 0; i < c.count; i++)
		mem_free(c.paths[i]);
	mem_free(c.paths);
	runs_done(&c.runs);
	return report_end(&r, status, NULL);
}
