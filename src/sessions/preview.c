/* Previews of sessions: see summary.h. */
#include "config.h"
#include "sessions/summary.h"

#include "analysis/touched.h"
#include "base/mem.h"
#include "base/work.h"
#include "chat/side.h"
#include "import/action.h"
#include "import/load.h"
#include "import/open.h"

#define BEGINNING 12          /* steps that are opened for the first request, */
#define END       12          /* and for the last words */
#define STEP_MOST (16u << 20) /* bytes of one of them */

struct previewing {
	struct trace *trace;
	struct load *load; /* NULL: the trace is another's */
	bool loaded;
	size_t from_start, from_end; /* steps that were looked through from either end */
	struct touched *touched;     /* of the chain `chain`, or NULL */
	size_t chain;
	size_t tested;           /* positions that were looked through for tests */
	struct step_action last; /* the last run of tests: of the step before */
	bool running, tested_once;
};

struct session_preview *preview_new(const char *path, const struct format *forced)
{
	struct session_preview *p = mem_zalloc(1, sizeof(*p));
	struct inputs *inputs = inputs_new();

	inputs_add(inputs, path);
	p->reading = mem_zalloc(1, sizeof(*p->reading));
	p->reading->trace = trace_new(inputs);
	p->reading->load = load_begin(p->reading->trace, forced);
	return p;
}

bool preview_is_session(const struct trace *trace)
{
	return trace->chain_count == 1 && trace->order_count > 1 &&
	       trace->order_count <= PREVIEW_STEPS &&
	       trace_flags(trace, trace_at(trace, 0)) & STEP_TURN;
}

struct session_preview *preview_of(struct trace *trace)
{
	struct session_preview *p = mem_zalloc(1, sizeof(*p));

	p->reading = mem_zalloc(1, sizeof(*p->reading));
	p->reading->trace = trace;
	p->reading->loaded = true;
	return p;
}

static void stop_reading(struct session_preview *p)
{
	struct previewing *r = p->reading;

	if (!r)
		return;
	touched_free(r->touched);
	action_done(&r->last);
	if (r->load) {
		load_free(r->load);
		trace_free(r->trace);
	}
	mem_free(r);
	p->reading = NULL;
}

void preview_free(struct session_preview *p)
{
	if (!p)
		return;
	stop_reading(p);
	for (size_t i = 0; i < p->file_count; i++)
		mem_free((char *)p->files[i].path.p);
	mem_free(p->files);
	buf_done(&p->asked);
	buf_done(&p->said);
	buf_done(&p->did);
	buf_done(&p->tests);
	buf_done(&p->folder);
	buf_done(&p->branch);
	mem_free(p);
}

/* Opens steps one by one, but for those that are too large, until one has what is looked
 * for; counted back from the end of the trace where `back`.  False: that was stopped, or
 * the time is up. */
static bool read_steps(struct session_preview *p, size_t *next, size_t end, bool back,
	bool (*look)(struct session_preview *p, const struct step_content *o),
	uint64_t deadline)
{
	struct trace *t = p->reading->trace;

	end = end < t->order_count ? end : t->order_count;
	while (*next < end) {
		uint32_t step = trace_at(t, back ? t->order_count - 1 - *next : *next);

		if (trace_step(t, step).length <= STEP_MOST) {
			struct step_content *o = step_content_try(t, step, false);

			if (!o)
				return false;
			if (look(p, o))
				*next = end - 1;
			step_content_free(o);
		}
		++*next;
		if (clock_passed(deadline))
			return false;
	}
	return true;
}

/* ---- the beginning and the end ---- */

/* The last texts of the model in its last message. */
static void take_said(struct session_preview *p, const struct step_content *o)
{
	const struct side *s = o->shared ? &o->input : &o->output;

	if (s->view == SIDE_TEXT)
		buf_add(&p->said, s->text.p,
			s->text.n < PREVIEW_TEXT ? s->text.n : PREVIEW_TEXT);
	for (size_t i = s->view == SIDE_CHAT ? s->chat.count : 0;
		i-- > 0 && !p->said.len;)
		if (message_speaker(s->chat.items[i], s->prefer) == SPEAKER_ASSISTANT) {
			AUTO_ARENA arena = {0};
			AUTO(parts_done)
			struct parts parts = parts_read(s->chat.items[i], &arena);

			PARTS_EACH(part, &parts)
				if (part->kind == PART_TEXT)
					brief_said(part->body, &p->said, PREVIEW_TEXT);
		}
}

/* The step with the last words; what was done in it or after it is the last deed. */
static bool look_at_end(struct session_preview *p, const struct step_content *o)
{
	AUTO(action_done) struct step_action a = {0};

	take_said(p, o);
	if (!p->did.len)
		action_read(&a, o);
	if (a.call) {
		buf_str(&p->did, buf_view(&a.text));
		p->open = a.open;
	}
	return p->said.len;
}

static bool look_at_beginning(struct session_preview *p, const struct step_content *o)
{
	prompt_first(o, PREVIEW_TEXT, &p->asked);
	if (!p->folder.len && o->facts.v[FACT_CWD].kind == J_STRING)
		jv_text(o->facts.v[FACT_CWD], &p->folder);
	if (!p->branch.len && o->facts.v[FACT_BRANCH].kind == J_STRING)
		jv_text(o->facts.v[FACT_BRANCH], &p->branch);
	return p->asked.len;
}

/* ---- all of it ---- */

/* The context of the steps that no sub-agent made, at points evenly apart. */
static void read_growth(struct session_preview *p)
{
	const struct trace *t = p->reading->trace;
	double tokens, *all = mem_zalloc(t->order_count + 1, sizeof(*all));
	size_t count = 0, points;

	for (size_t i = 0; i < t->order_count; i++) {
		bool deeper = i && trace_depth(t, i) > trace_depth(t, i - 1);

		p->agents += deeper && trace_flags(t, trace_at(t, i - 1)) & STEP_TURN;
		tokens = trace_step_counted(t, i).input_tokens;
		if (tokens > 0 && !trace_depth(t, i))
			all[count++] = tokens;
	}
	points = count < PREVIEW_POINTS ? count : PREVIEW_POINTS;
	for (size_t i = 0; i < points; i++)
		p->growth[i] = all[points > 1 ? i * (count - 1) / (points - 1) : 0];
	p->growth_count = points;
	mem_free(all);
}

static bool read_files(struct session_preview *p, uint64_t deadline)
{
	struct previewing *r = p->reading;

	for (; r->chain < r->trace->chain_count; r->chain++) {
		if (!r->touched) {
			r->touched = touched_new(r->trace, r->chain);
			r->touched->keep = 0;
		}
		if (touched_run(r->touched, deadline) != TASK_DONE)
			return false;
		touched_sum(r->touched);
		for (size_t i = 0; i < r->touched->file_count; i++) {
			const struct touched_file *f = &r->touched->files[i];

			p->read_files += !f->changes && f->reads;
			if (!f->changes)
				continue;
			*MEM_ADD(p->files, p->file_count, p->file_cap) =
				(struct preview_file){
					{mem_dup(f->path.p, f->path.n), f->path.n},
					f->added, f->removed};
		}
		touched_free(r->touched);
		r->touched = NULL;
	}
	return true;
}

/* Commands that run tests, as a person types them. */
static bool runs_tests(struct str did)
{
	static const char *const runs[] = {"pytest", "npm test", "npm run test",
		"pnpm test", "yarn test", "bun test", "cargo test", "go test",
		"make check", "make test", "ctest", "jest", "vitest", "rspec", "phpunit",
		"mvn test", "gradle test", "gradlew test", "dotnet test", "swift test",
		"mix test", "tox", "unittest"};

	for (size_t i = 0; i < sizeof(runs) / sizeof(*runs); i++)
		if (memmem(did.p, did.n, runs[i], strlen(runs[i])))
			return true;
	return false;
}

static void note_tests(struct session_preview *p, struct outcome outcome)
{
	p->judged = true;
	p->failed = outcome.failed;
	if (!p->reading->tested_once)
		p->failed_first = outcome.failed;
	p->reading->tested_once = true;
}

/* The result of a call may stand in the step after it. */
static bool look_for_tests(struct session_preview *p, const struct step_content *o)
{
	struct previewing *r = p->reading;
	struct step_action a = {0};
	struct outcome outcome;

	action_read(&a, o);
	if (r->running && !p->judged && action_outcome(&r->last, &a, &outcome))
		note_tests(p, outcome);
	r->running = a.call && runs_tests(buf_view(&a.text));
	if (!r->running) {
		action_done(&a);
		return false;
	}
	buf_set(&p->tests, buf_view(&a.text));
	p->judged = p->failed = false;
	if (action_outcome(&a, NULL, &outcome))
		note_tests(p, outcome);
	action_done(&r->last);
	r->last = a;
	return false;
}

enum task_state preview_run(struct session_preview *p, uint64_t deadline)
{
	struct previewing *r = p->reading;

	if (!r)
		return TASK_DONE;
	if (!r->loaded && load_unpacked(r->load, deadline, SIZE_MAX) == TASK_MORE)
		return TASK_MORE;
	r->loaded = true;
	if (!p->read &&
		(!read_steps(p, &r->from_start, BEGINNING, false, look_at_beginning,
			 deadline) ||
			!read_steps(p, &r->from_end, END, true, look_at_end, deadline)))
		return TASK_MORE;
	if (!p->read && r->trace->order_count <= PREVIEW_STEPS)
		read_growth(p);
	p->read = true;
	if (!read_files(p, deadline) ||
		!read_steps(p, &r->tested, SIZE_MAX, false, look_for_tests, deadline))
		return TASK_MORE;
	p->whole = true;
	stop_reading(p);
	return TASK_DONE;
}
