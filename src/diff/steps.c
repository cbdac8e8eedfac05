/* Two steps compared, in slices: see steps.h. */
#include "config.h"
#include "diff/steps.h"

#include "base/clock.h"
#include "base/mem.h"
#include "import/action.h"

#define SLICE ((size_t)64 << 10) /* bytes between two looks at the clock */

static void fill(struct comparison *c, struct compared *side, struct trace *trace,
	uint32_t step, struct opened *o)
{
	size_t position = trace_position(trace, step);
	struct step s = trace_step(trace, step);
	struct buf title = BUF_INIT;

	side->opened = o;
	side->figures = totals_unknown;
	side->error = s.flags & STEP_ERROR;
	if (position < trace->order_count) {
		uint32_t chain = trace_chain_at(trace, position);

		side->figures = trace_step_totals(trace, position);
		side->number = position - trace->chains[chain].first + 1;
	}
	step_call(trace, step, o, &title);
	side->title = arena_dup(&c->arena, buf_view(&title));
	side->file =
		arena_dup(&c->arena, str_of(inputs_name_at(trace->inputs, s.offset)));
	buf_done(&title);
	message_list_add(&side->messages[0], &o->input);
	if (!o->shared)
		message_list_add(&side->messages[1], &o->output);
}

struct comparison *comparison_new(struct trace *was, uint32_t was_step,
	struct opened *was_opened, struct trace *is, uint32_t is_step,
	struct opened *is_opened)
{
	struct comparison *c = mem_zalloc(1, sizeof(*c));

	fill(c, &c->was, was, was_step, was_opened);
	fill(c, &c->is, is, is_step, is_opened);
	if (str_equal(c->was.file, c->is.file))
		c->was.file = c->is.file = STR("");
	c->alignment =
		alignment_new(&c->pairs[0], &c->was.messages[0], &c->is.messages[0]);
	return c;
}

static void compared_done(struct compared *side)
{
	message_list_done(&side->messages[0]);
	message_list_done(&side->messages[1]);
	opened_free(side->opened);
}

void comparison_free(struct comparison *c)
{
	if (!c)
		return;
	alignment_free(c->alignment);
	message_pairs_done(&c->pairs[0]);
	message_pairs_done(&c->pairs[1]);
	settings_delta_done(&c->settings);
	compared_done(&c->was);
	compared_done(&c->is);
	arena_done(&c->arena);
	mem_free(c);
}

/* One side is aligned: begins the other, or compares the settings. */
static void end_side(struct comparison *c)
{
	alignment_free(c->alignment);
	c->alignment = NULL;
	if (c->side++ == 0)
		c->alignment = alignment_new(
			&c->pairs[1], &c->was.messages[1], &c->is.messages[1]);
	if (c->alignment)
		return;
	settings_delta_read(&c->settings, c->was.opened, c->is.opened, &c->arena);
	c->done = true;
}

enum task_state comparison_run(struct comparison *c, uint64_t deadline)
{
	while (!c->done) {
		if (alignment_run(c->alignment, SLICE) == TASK_DONE)
			end_side(c);
		else if (clock_passed(deadline))
			return TASK_MORE;
	}
	return TASK_DONE;
}

static size_t changed(const struct message_pairs *p)
{
	return p->count - p->fates[MESSAGE_SAME];
}

size_t comparison_differences(const struct comparison *c)
{
	return changed(&c->pairs[0]) + changed(&c->pairs[1]) + c->settings.count;
}
