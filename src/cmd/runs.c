/*
 * `catena runs`: runs of the same tasks (analysis/runs): how they ended, pass@k and
 * pass^k, and the calls at which they part.
 */
#include "config.h"
#include "cmd/cmd.h"

#include <inttypes.h>
#include <math.h>

#include "analysis/runs.h"
#include "base/mem.h"
#include "json/json.h"
#include "view/facts.h"
#include "view/run_rows.h"

#define NAME_CELLS 70 /* of tasks and calls */
#define DEEPEST    12 /* forks below one another that are written */

struct runs_command {
	struct runs runs;
	char **paths; /* of the traces, by number */
	size_t count, cap;
	struct buf out;
};

static int add_file(struct cmd_file *f, const struct options *o, void *ctx)
{
	struct runs_command *c = ctx;
	const char *path = inputs_name(f->trace->inputs);

	runs_run(&c->runs, f->trace, UINT64_MAX);
	*(char **)MEM_ADD(c->paths, c->count, c->cap) = mem_dup(path, strlen(path));
	return STATUS_DONE;
}

static const char *const outcomes[] = {
	[RUN_UNKNOWN] = "unknown", [RUN_FAILED] = "failed", [RUN_PASSED] = "passed"};

/* ---- JSON ---- */

static void write_forks(const struct runs *r, size_t fork, struct buf *out, size_t deep)
{
	const struct run_fork *f = &r->forks[fork];

	buf_printf(out, "{\"after\":%zu,\"branches\":[", f->after);
	for (size_t i = f->first; i < f->first + f->count; i++) {
		const struct run_branch *b = &r->branches[i];

		buf_text(out, i > f->first ? ",{\"call\":" : "{\"call\":");
		if (b->call == MAP_NONE)
			buf_text(out, "null");
		else
			json_write_string(out, intern_get(&r->names, b->call));
		buf_printf(out, ",\"runs\":%zu,\"passed\":%zu,\"failed\":%zu,\"run\":%zu,"
			       "\"step\":%" PRIu32,
			b->runs, b->passed, b->failed, b->run + 1, b->number);
		buf_text(out, ",\"fork\":");
		if (b->fork != NO_FORK && deep < DEEPEST)
			write_forks(r, b->fork, out, deep + 1);
		else
			buf_text(out, "null");
		buf_byte(out, '}');
	}
	buf_text(out, "]}");
}

static void write_runs(struct runs_command *c, size_t task)
{
	struct buf *out = &c->out;
	bool any = false;

	for (size_t i = 0; i < c->runs.count; i++) {
		const struct task_run *x = &c->runs.items[i];

		if (x->task != task)
			continue;
		buf_printf(out, "%s{\"run\":%zu,\"path\":", any ? "," : "", i + 1);
		any = true;
		json_write_string(out, str_of(c->paths[x->trace]));
		buf_printf(out, ",\"chain\":%zu,\"step\":%zu,\"outcome\":\"%s\"", x->chain,
			x->number, outcomes[x->outcome]);
		facts_write_figure(out, "score", x->score);
		buf_printf(out, ",\"calls\":%zu", x->calls);
		facts_write_figure(out, "tokens", x->tokens);
		facts_write_figure(out, "cost_usd", x->cost);
		facts_write_figure(out, "latency_s", x->latency);
		buf_byte(out, '}');
	}
}

static void write_task(struct runs_command *c, size_t task)
{
	const struct run_task *t = &c->runs.tasks[task];
	struct buf *out = &c->out;

	buf_text(out, task ? ",\n{\"task\":" : "\n{\"task\":");
	json_write_string(out, t->name);
	buf_printf(out, ",\"runs\":%zu,\"passed\":%zu,\"failed\":%zu,\"stem\":%zu", t->runs,
		t->passed, t->failed, t->stem);
	facts_write_figure(out, "median_calls", t->calls);
	facts_write_figure(out, "median_tokens", t->tokens);
	facts_write_figure(out, "median_cost_usd", t->cost);
	facts_write_figure(out, "median_latency_s", t->latency);
	buf_text(out, ",\"fork\":");
	if (t->fork == NO_FORK)
		buf_text(out, "null");
	else
		write_forks(&c->runs, t->fork, out, 0);
	buf_text(out, ",\"each\":[");
	write_runs(c, task);
	buf_text(out, "]}");
}

static void write_shares(struct runs_command *c, const char *key,
	double (*share)(const struct runs *r, size_t k))
{
	buf_printf(&c->out, ",\"%s\":[", key);
	for (size_t k = 1; k <= RUN_SHARES && k <= runs_most(&c->runs); k++) {
		buf_text(&c->out, k > 1 ? "," : "");
		json_write_number(&c->out, share(&c->runs, k));
	}
	buf_byte(&c->out, ']');
}

int cmd_runs(const struct options *o)
{
	struct runs_command c = {0};
	int status = cmd_each_input(o, add_file, &c);
	size_t most;

	runs_compare(&c.runs);
	most = o->limit && o->limit < c.runs.task_count ? o->limit : c.runs.task_count;
	if (o->json)
		buf_printf(&c.out, "{\"runs\":%zu,\"tasks\":[", c.runs.count);
	for (size_t i = 0; i < most; i++) {
		struct run_rows rows = {0};

		if (o->json)
			write_task(&c, i);
		else
			run_rows_add(&rows, &c.runs, i, false);
		for (size_t k = 0; k < rows.count; k++) {
			run_row_put(&c.runs, &rows.items[k], NAME_CELLS, &c.out);
			buf_byte(&c.out, '\n');
		}
		mem_free(rows.items);
		cmd_write_long(&c.out);
	}
	if (o->json) {
		buf_text(&c.out, "\n]");
		write_shares(&c, "pass_at", runs_pass_any);
		write_shares(&c, "pass_all", runs_pass_all);
		buf_printf(&c.out, ",\"left_out\":%zu}\n", c.runs.task_count - most);
	} else {
		buf_printf(&c.out, "\n%zu run%s of %zu task%s\n", c.runs.count,
			c.runs.count == 1 ? "" : "s", c.runs.task_count,
			c.runs.task_count == 1 ? "" : "s");
		run_shares_put(&c.runs, "\n", &c.out);
		buf_text(&c.out, runs_most(&c.runs) ? "\n" : "");
	}
	cmd_write(&c.out);
	for (size_t i = 0; i < c.count; i++)
		mem_free(c.paths[i]);
	mem_free(c.paths);
	runs_done(&c.runs);
	buf_done(&c.out);
	return status;
}
