/* See look.h. */
#include "config.h"
#include "export/look.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/stop.h"
#include "export/export.h"
#include "import/open.h"

struct looking {
	struct secrets *secrets;
	struct trace *trace;
	struct secret_place next; /* the step that is written to `step` */
	struct buf step;          /* as JSON */
	struct export *export;
	size_t chain; /* the next one whose title is looked at */
	bool written; /* all steps were */
};

static void keep(void *ctx, struct str bytes)
{
	buf_str(&((struct looking *)ctx)->step, bytes);
}

static void scan_values(struct secrets *s, struct str text)
{
	for (size_t at = 0; at < text.n;) {
		struct jv value = jv_next(text, &at);

		if (value.kind == J_NONE)
			break;
		secrets_scan_value(s, value);
	}
}

static void scan_step(struct looking *l)
{
	AUTO_ARENA arena = {0};
	struct secrets *s = l->secrets;
	struct str shown = buf_view(&l->step), raw;
	uint32_t step = trace_at(
		l->trace, l->trace->chains[l->next.chain - 1].first + l->next.step - 1);

	s->at = l->next;
	raw = step_text(l->trace, step, &arena);
	scan_values(s, raw);
	if (trace_flags(l->trace, step) & STEP_BROKEN)
		secrets_scan(s, raw);
	scan_values(s, shown.n && *shown.p == ',' ? str_skip(shown, 1) : shown);
}

/* The step before is whole.  False: it was not looked through, as a key waits. */
static bool look_at_step(void *ctx, size_t chain, size_t step)
{
	struct looking *l = ctx;

	stop_begin();
	if (l->next.step)
		scan_step(l);
	if (stop_end())
		return false;
	buf_clear(&l->step);
	l->next.chain = chain;
	l->next.step = step;
	return true;
}

static void scan_titles(struct looking *l)
{
	struct secrets *s = l->secrets;
	const struct chain *c = &l->trace->chains[l->chain++];

	s->at.chain = l->chain;
	secrets_scan(s, str_of(inputs_name_at(
				l->trace->inputs, l->trace->scopes[c->scope].offset)));
	secrets_scan(s, trace_chain_title(l->trace, c));
	secrets_scan(s, trace_text(l->trace, c->trace_id));
}

struct looking *looking_new(struct secrets *s, struct trace *trace, uint32_t file)
{
	struct looking *l = mem_zalloc(1, sizeof(*l));
	struct export_options options = {.format = export_format_named(STR("json")),
		.write = keep,
		.begins_step = look_at_step,
		.ctx = l};

	l->secrets = s;
	l->trace = trace;
	l->next.file = file;
	s->at = l->next;
	secrets_scan(s, str_of(inputs_name(trace->inputs)));
	l->export = export_begin(&options);
	export_trace(
		l->export, trace, (struct export_part){EXPORT_ALL, EXPORT_ALL, NULL});
	return l;
}

enum task_state looking_run(struct looking *l, uint64_t deadline)
{
	while (l->chain < l->trace->chain_count) {
		scan_titles(l);
		if (deadline != UINT64_MAX && clock_passed(deadline))
			return TASK_MORE;
	}
	if (!l->written && export_run(l->export, deadline) == TASK_MORE)
		return TASK_MORE;
	l->written = true;
	return look_at_step(l, 0, 0) ? TASK_DONE : TASK_MORE;
}

unsigned looking_percent(const struct looking *l)
{
	return l->written ? 100 : export_percent(l->export);
}

void looking_free(struct looking *l)
{
	if (!l)
		return;
	export_free(l->export);
	buf_done(&l->step);
	mem_free(l);
}
