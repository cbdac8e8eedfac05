/* See runs.h. */
#include "config.h"
#include "analysis/runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/sort.h"
#include "base/work.h"
#include "chat/brief.h"
#include "chat/side.h"
#include "import/open.h"

#define CALL_MOST 160 /* bytes of a call that tell it from others */
#define TASK_MOST 160 /* bytes of a task's name */

void runs_done(struct runs *r)
{
	mem_free(r->items);
	mem_free(r->tasks);
	mem_free(r->forks);
	mem_free(r->branches);
	mem_free(r->calls);
	mem_free(r->scored);
	intern_done(&r->names);
	intern_done(&r->task_names);
	*r = (struct runs){0};
}

/* ---- scores ---- */

/* A score is a number (1 passes), a truth, a word, or an object or list with one in it, of
 * which the first counts. */
static enum run_outcome read_score(struct jv value, double *score)
{
	static const char *const names[] = {"value", "score", "reward", "pass", "success"};
	static const char *const good[] = {
		"c", "pass", "passed", "true", "correct", "success", "yes", "resolved"};
	static const char *const bad[] = {"i", "p", "n", "fail", "failed", "false",
		"incorrect", "failure", "no", "unresolved", "error"};
	AUTO_BUF text = BUF_INIT;
	enum run_outcome o;
	struct jv member;

	if (value.kind == J_TRUE || value.kind == J_FALSE)
		return value.kind == J_TRUE ? RUN_PASSED : RUN_FAILED;
	if (value.kind == J_NUMBER) {
		jv_text(value, &text);
		*score = strtod(text.data, NULL);
		return *score >= 1 ? RUN_PASSED : RUN_FAILED;
	}
	if (value.kind == J_STRING) {
		struct str word;

		jv_text(value, &text);
		word = str_trim(buf_view(&text));
		return STR_AMONG_ALIKE(word, good)  ? RUN_PASSED
		       : STR_AMONG_ALIKE(word, bad) ? RUN_FAILED
						    : RUN_UNKNOWN;
	}
	for (size_t i = 0; value.kind == J_OBJECT && i < sizeof(names) / sizeof(*names); i++)
		if ((member = jv_member(value, names[i])).kind != J_NONE &&
			(o = read_score(member, score)) != RUN_UNKNOWN)
			return o;
	JV_EACH(item, value)
		if ((item.kind == J_OBJECT || value.kind == J_ARRAY ||
			    item.kind == J_NUMBER || item.kind == J_STRING) &&
			(o = read_score(item, score)) != RUN_UNKNOWN)
			return o;
	return RUN_UNKNOWN;
}

/* ---- one step ---- */

static void add_calls(
	struct runs *r, uint32_t step, size_t number, struct step_content *o)
{
	const struct pairs *p = step_content_pairs(o);

	for (size_t i = 0; i < p->count; i++) {
		AUTO_BUF name = BUF_INIT;

		if (!p->ends[i].call)
			continue;
		brief_call(p->ends[i].what, STR(""), &name, CALL_MOST);
		brief_squeeze(&name, CALL_MOST);
		*MEM_ADD(r->calls, r->call_count, r->call_cap) =
			(struct run_call){.name = intern_add(&r->names, buf_view(&name)),
				.step = step,
				.number = (uint32_t)number,
				.given = p->ends[i].input && !o->shared};
	}
}

struct scored_run {
	size_t position;
	enum run_outcome outcome;
	double score;
};

/* The runs that have a score stay in order, each once, with its last score. */
static void add_score(
	struct runs *r, const struct trace *trace, size_t position, struct jv value)
{
	struct step s = trace_step(trace, trace_at(trace, position));
	struct scored_run x = {.position = position, .score = NAN};
	size_t k = r->scored_count;

	x.outcome = read_score(value, &x.score);
	if (x.outcome == RUN_UNKNOWN)
		return;
	/* a step that only tells the score is of what it stands in */
	if (trace_subtree_end(trace, position) == position + 1 &&
		!(s.flags & STEP_CALL) && s.parent != NO_STEP)
		x.position = trace_position(trace, s.parent);
	while (k > 0 && r->scored[k - 1].position > x.position)
		k--;
	if (k > 0 && r->scored[k - 1].position == x.position) {
		r->scored[k - 1] = x;
		return;
	}
	MEM_ADD(r->scored, r->scored_count, r->scored_cap);
	memmove(r->scored + k + 1, r->scored + k,
		(r->scored_count - 1 - k) * sizeof(*r->scored));
	r->scored[k] = x;
}

/* ---- one run ---- */

static void add_run(struct runs *r, struct trace *trace, size_t from, size_t end,
	struct str task, enum run_outcome outcome, double score)
{
	uint32_t step = trace_at(trace, from), chain = trace_step(trace, step).chain;
	struct task_run x = {.task = intern_add(&r->task_names, task),
		.trace = r->traces,
		.chain = (size_t)chain + 1,
		.number = trace_number_at(trace, from),
		.step = step,
		.outcome = outcome,
		.score = score,
		.first_call = r->calls_kept};
	struct totals sum = totals_unknown;

	for (size_t i = from; i < end; i++) {
		struct totals own = trace_step_counted(trace, i);

		totals_add(&sum, &own);
	}
	x.tokens = totals_tokens(&sum);
	x.cost = sum.cost;
	x.latency = sum.latency;
	/* its calls go to those of the runs before it; a run of one step has also what
	 * its input says */
	for (; r->calls_read < r->call_count; r->calls_read++) {
		struct run_call call = r->calls[r->calls_read];
		size_t position = trace_position(trace, call.step);

		if (position >= end)
			break;
		if (position < from || (call.given && end > from + 1))
			continue;
		r->calls[r->calls_kept++] = call;
		x.calls++;
	}
	if (x.task == r->task_count)
		*MEM_ADD(r->tasks, r->task_count, r->task_cap) = (struct run_task){
			.name = intern_get(&r->task_names, (uint32_t)x.task),
			.fork = NO_FORK};
	r->tasks[x.task].runs++;
	r->tasks[x.task].passed += outcome == RUN_PASSED;
	r->tasks[x.task].failed += outcome == RUN_FAILED;
	*MEM_ADD(r->items, r->count, r->cap) = x;
}

/* ---- the runs of a trace ---- */

/* "CHAIN NAME": a sample is told by its evaluation and its own name, or its id. */
static void put_task(struct trace *trace, size_t position, struct buf *out)
{
	uint32_t step = trace_at(trace, position);
	const struct chain *c = &trace->chains[trace_step(trace, step).chain];
	AUTO_BUF name = BUF_INIT;

	if (trace_step(trace, step).name_at) {
		step_title(trace, step, &name);
	} else {
		struct step_content *o = step_content_new(trace, step);

		jv_text(o->facts.v[FACT_ID], &name);
		step_content_free(o);
	}
	if (c->name != NO_TEXT && !str_equal(trace_text(trace, c->name), buf_view(&name))) {
		buf_str(out, trace_text(trace, c->name));
		buf_byte(out, ' ');
	}
	buf_str(out, buf_view(&name));
	brief_squeeze(out, TASK_MOST);
}

/* The first words that a person said in a chain. */
static void put_request(struct trace *trace, const struct chain *c, struct buf *out)
{
	struct step_content *o = step_content_new(trace, trace_at(trace, c->first));
	const struct side *s = &o->input;
	AUTO_ARENA arena = {0};
	bool given;

	for (size_t i = 0; s->view == SIDE_CHAT && i < s->chat.count && !out->len; i++)
		if (role_speaker(message_role(s->chat.items[i], PREFER_INPUT, &given, &arena)) ==
			SPEAKER_USER)
			brief_said(jv_member(s->chat.items[i], "content"), out, TASK_MOST);
	if (s->view == SIDE_TEXT)
		buf_str(out, s->text);
	brief_squeeze(out, TASK_MOST);
	if (!out->len)
		buf_str(out, trace_chain_title(trace, c));
	step_content_free(o);
}

enum task_state runs_run(struct runs *r, struct trace *trace, uint64_t deadline)
{
	size_t most;

	while (r->looked < trace->order_count) {
		uint32_t step = trace_at(trace, r->looked);
		struct step_content *o = step_content_try(trace, step, true);

		if (!o)
			return TASK_MORE;
		add_calls(r, step, trace_number_at(trace, r->looked), o);
		add_score(r, trace, r->looked, o->facts.v[FACT_SCORES]);
		step_content_free(o);
		r->looked++;
		if (clock_passed(deadline))
			return TASK_MORE;
	}
	most = r->scored_count ? r->scored_count : trace->chain_count;
	while (r->added < most) {
		AUTO_BUF task = BUF_INIT;

		if (r->scored_count) {
			const struct scored_run *x = &r->scored[r->added];
			size_t end = trace_subtree_end(trace, x->position);

			/* one whose score is of runs below is none */
			if (r->added + 1 == r->scored_count || x[1].position >= end) {
				put_task(trace, x->position, &task);
				add_run(r, trace, x->position, end, buf_view(&task),
					x->outcome, x->score);
			}
		} else if (trace->chains[r->added].count) {
			const struct chain *c = &trace->chains[r->added];

			put_request(trace, c, &task);
			add_run(r, trace, c->first, c->first + c->count, buf_view(&task),
				RUN_UNKNOWN, NAN);
		}
		r->added++;
		if (r->added < most && clock_passed(deadline))
			return TASK_MORE;
	}
	r->call_count = r->calls_read = r->calls_kept;
	r->scored_count = r->looked = r->added = 0;
	r->traces++;
	return TASK_DONE;
}

/* ---- what they have in common ---- */

static int by_calls(const void *x, const void *y, const void *context)
{
	const struct runs *r = context;
	const struct task_run *a = &r->items[*(const size_t *)x],
			      *b = &r->items[*(const size_t *)y];

	if (a->task != b->task)
		return a->task < b->task ? -1 : 1;
	for (size_t i = 0; i < a->calls && i < b->calls; i++) {
		uint32_t c = r->calls[a->first_call + i].name,
			 d = r->calls[b->first_call + i].name;

		if (c != d)
			return c < d ? -1 : 1;
	}
	return (a->calls > b->calls) - (a->calls < b->calls);
}

static int by_size(const void *x, const void *y)
{
	const struct run_branch *a = x, *b = y;

	if (a->runs != b->runs)
		return a->runs > b->runs ? -1 : 1;
	return a->run < b->run ? -1 : 1;
}

static uint32_t call_at(const struct runs *r, size_t run, size_t at)
{
	const struct task_run *x = &r->items[run];

	return at < x->calls ? r->calls[x->first_call + at].name : MAP_NONE;
}

/* The calls that sorted runs have in common from `at` on. */
static size_t common(const struct runs *r, const size_t *order, size_t count, size_t at)
{
	while (call_at(r, order[0], at) != MAP_NONE &&
		call_at(r, order[0], at) == call_at(r, order[count - 1], at))
		at++;
	return at;
}

/* Runs that are still one group, and where the fork that they meet is to be noted. */
struct open_group {
	size_t from, count, at;
	size_t branch; /* whose fork it is; NO_FORK: the task's */
};

struct open_groups {
	struct open_group *items;
	size_t count, cap;
};

/* The fork of a group; its branches with several runs are groups of their own. */
static void add_fork(struct runs *r, const size_t *order, struct open_group g,
	size_t task, struct open_groups *groups)
{
	size_t at = common(r, order + g.from, g.count, g.at), from,
	       end = g.from + g.count;
	struct run_fork fork = {.after = at, .first = r->branch_count};
	struct run_branch *b = NULL;

	if (call_at(r, order[g.from], at) == call_at(r, order[end - 1], at))
		return; /* all end here */
	for (from = g.from; from < end; from++) {
		const struct task_run *x = &r->items[order[from]];
		const struct run_call *call;

		if (!b || call_at(r, order[from], at) != b->call) {
			b = MEM_ADD(r->branches, r->branch_count, r->branch_cap);
			*b = (struct run_branch){.call = call_at(r, order[from], at),
				.fork = NO_FORK,
				.run = order[from],
				.from = from};
			fork.count++;
		}
		b->runs++;
		b->passed += x->outcome == RUN_PASSED;
		b->failed += x->outcome == RUN_FAILED;
		if (order[from] > b->run)
			continue;
		b->run = order[from];
		call = b->call == MAP_NONE ? NULL : &r->calls[x->first_call + at];
		b->step = call ? call->step : x->step;
		b->number = call ? call->number : (uint32_t)x->number;
	}
	qsort(r->branches + fork.first, fork.count, sizeof(*r->branches), by_size);
	if (g.branch == NO_FORK)
		r->tasks[task].fork = r->fork_count;
	else
		r->branches[g.branch].fork = r->fork_count;
	*MEM_ADD(r->forks, r->fork_count, r->fork_cap) = fork;
	for (size_t i = fork.first; i < r->branch_count; i++) {
		const struct run_branch *x = &r->branches[i];

		if (x->runs > 1)
			*MEM_ADD(groups->items, groups->count, groups->cap) =
				(struct open_group){x->from, x->runs, at, i};
	}
}

static int by_figure(const void *x, const void *y)
{
	double a = *(const double *)x, b = *(const double *)y;

	return a < b ? -1 : a > b;
}

/* Of a figure of some runs, the member at an offset; SIZE_MAX: of how many calls they
 * have.  NaN: none has it. */
static double median_of(
	const struct runs *r, const size_t *order, size_t count, size_t member)
{
	AUTO_FREE double *figures = mem_alloc((count + 1) * sizeof(*figures));
	size_t n = 0;

	for (size_t i = 0; i < count; i++) {
		const struct task_run *x = &r->items[order[i]];
		double figure = member == SIZE_MAX
					? (double)x->calls
					: *(const double *)(const void *)((const char *)x + member);

		if (!isnan(figure))
			figures[n++] = figure;
	}
	if (!n)
		return NAN;
	qsort(figures, n, sizeof(*figures), by_figure);
	return n % 2 ? figures[n / 2] : (figures[n / 2 - 1] + figures[n / 2]) / 2;
}

void runs_compare(struct runs *r)
{
	AUTO_FREE size_t *order = mem_alloc((r->count + 1) * sizeof(*order));
	struct open_groups groups = {0};
	size_t end;

	for (size_t i = 0; i < r->count; i++)
		order[i] = i;
	sort_items(order, r->count, sizeof(*order), by_calls, r, &(size_t){0});
	for (size_t from = 0; from < r->count; from = end) {
		size_t task = r->items[order[from]].task, *of = order + from, count;
		struct run_task *t = &r->tasks[task];

		for (end = from + 1; end < r->count && r->items[order[end]].task == task;)
			end++;
		count = end - from;
		t->stem = common(r, of, count, 0);
		t->tokens = median_of(r, of, count, offsetof(struct task_run, tokens));
		t->cost = median_of(r, of, count, offsetof(struct task_run, cost));
		t->latency = median_of(r, of, count, offsetof(struct task_run, latency));
		t->calls = median_of(r, of, count, SIZE_MAX);
		groups.count = 0;
		if (count > 1)
			*MEM_ADD(groups.items, groups.count, groups.cap) =
				(struct open_group){0, count, 0, NO_FORK};
		for (size_t i = 0; i < groups.count; i++)
			add_fork(r, of, groups.items[i], task, &groups);
	}
	mem_free(groups.items);
}

/* ---- pass@k and pass^k ---- */

/* The share of the sets of k of n that are within m of them: C(m, k) / C(n, k). */
static double share(size_t m, size_t n, size_t k)
{
	double s = 1;

	if (m < k)
		return 0;
	for (size_t i = 0; i < k; i++)
		s *= (double)(m - i) / (double)(n - i);
	return s;
}

double runs_pass(const struct runs *r, size_t k, bool all)
{
	double sum = 0;
	size_t count = 0;

	for (size_t i = 0; i < r->task_count; i++) {
		const struct run_task *t = &r->tasks[i];
		size_t known = t->passed + t->failed;

		if (known < k || !k)
			continue;
		sum += all ? share(t->passed, known, k) : 1 - share(t->failed, known, k);
		count++;
	}
	return count ? sum / (double)count : NAN;
}

size_t runs_most(const struct runs *r)
{
	size_t most = 0;

	for (size_t i = 0; i < r->task_count; i++) {
		size_t known = r->tasks[i].passed + r->tasks[i].failed;

		most = known > most ? known : most;
	}
	return most;
}
