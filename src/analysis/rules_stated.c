/*
 * Totals that the object around a chain's steps states: {"total_cost": 1.2, "events":
 * […]}.  The trace does not keep them.  They are before or after the array of steps, so a
 * few kilobytes on either side are read again.
 *
 * They are compared only if the chain has all steps of that object and no others, since
 * else they are totals of something else.
 */
#include "config.h"
#include "analysis/rules.h"

#include <math.h>

#include "import/fields.h"

#define AROUND (16u * 1024) /* bytes that are read before, and after, the steps */

static const struct stated {
	enum figure figure;
	const char *key;
	const char *inner; /* the total is this member of the object at `key`; or NULL */
} stated[] = {
	{FIGURE_INPUT, "total_tokens_input", NULL},
	{FIGURE_INPUT, "total_input_tokens", NULL},
	{FIGURE_INPUT, "input_tokens", NULL},
	{FIGURE_INPUT, "total_tokens", "input"},
	{FIGURE_OUTPUT, "total_tokens_output", NULL},
	{FIGURE_OUTPUT, "total_output_tokens", NULL},
	{FIGURE_OUTPUT, "output_tokens", NULL},
	{FIGURE_OUTPUT, "total_tokens", "output"},
	{FIGURE_COST, "total_cost_usd", NULL},
	{FIGURE_COST, "total_cost", NULL},
};

/* Whether the chain has all steps of its object, and no others. */
static bool is_whole(const struct trace *trace, const struct totals_walk *w)
{
	uint32_t scope = w->chain->scope;

	if (w->mixed || w->last - w->first + 1 != w->chain->count)
		return false;
	return (w->first == 0 || trace_step(trace, w->first - 1).scope != scope) &&
	       (w->last + 1 == trace->count ||
		       trace_step(trace, w->last + 1).scope != scope);
}

static void read_bytes(struct trace *trace, uint64_t at, uint64_t n, struct buf *out)
{
	size_t most = n < AROUND ? (size_t)n : AROUND;

	buf_reserve(out, most);
	out->len += inputs_read(trace->inputs, at, out->data + out->len, most);
}

static size_t skip_space(const struct buf *text, size_t at)
{
	while (at < text->len && text->data[at] && strchr(" \t\r\n", text->data[at]))
		at++;
	return at;
}

/* The members after the array of steps, as an object: "]" and "," come before them. */
static struct jv read_tail(struct trace *trace, uint64_t at, struct buf *text)
{
	size_t bracket, comma;

	read_bytes(trace, at, AROUND, text);
	bracket = skip_space(text, 0);
	comma = skip_space(text, bracket + 1);
	if (comma >= text->len || text->data[bracket] != ']' || text->data[comma] != ',')
		return JV_NONE;
	text->data[comma] = '{';
	return jv_parse((struct str){text->data + comma, text->len - comma});
}

static void report(struct check *c, const struct chain *chain, const struct stated *s,
	double value, const struct figure_sum *sum)
{
	struct buf path = BUF_INIT, message = BUF_INIT;

	buf_text(&path, s->key);
	if (s->inner)
		buf_printf(&path, ".%s", s->inner);
	figure_message(&message, s->figure, value, sum->sum, "the steps");
	check_add(c,
		(struct finding){
			.rule = &rules[RULE_TOTALS_DIFFER],
			.severity = rules[RULE_TOTALS_DIFFER].severity,
			.step = NO_STEP,
			.chain = (uint32_t)(chain - c->trace->chains),
			.position = chain->first,
			.message_at = SIZE_MAX,
		},
		&path, &message);
}

/* Whether a value ends with the bytes that were read: the rest of it may be missing. */
static bool is_cut(struct jv object, struct jv value)
{
	return value.n && value.p + value.n == object.p + object.n;
}

static void compare(struct check *c, const struct chain *chain, struct jv object,
	const struct figure_sum sums[FIGURE_COUNT])
{
	bool known[FIGURE_COUNT] = {false};

	for (size_t i = 0; i < sizeof(stated) / sizeof(*stated); i++) {
		const struct stated *s = &stated[i];
		struct jv v = jv_member(object, s->key);
		double value;

		if (s->inner)
			v = jv_member(v, s->inner);
		value = fact_number(v);
		if (isnan(value) || is_cut(object, v) || known[s->figure])
			continue;
		known[s->figure] = true;
		if (figure_differs(value, &sums[s->figure]))
			report(c, chain, s, value, &sums[s->figure]);
	}
}

void rules_stated(struct check *c, const struct totals_walk *w,
	const struct figure_sum sums[FIGURE_COUNT])
{
	struct trace *trace = c->trace;
	AUTO_BUF head = BUF_INIT, tail = BUF_INIT;
	uint64_t at = trace->scopes[w->chain->scope].offset, first;
	struct step last;

	if (!trace->scopes[w->chain->scope].chain || !is_whole(trace, w))
		return;
	first = trace_step(trace, w->first).offset;
	last = trace_step(trace, w->last);
	if (first <= at)
		return;
	read_bytes(trace, at, first - at, &head);
	compare(c, w->chain, jv_parse(buf_view(&head)), sums);
	compare(c, w->chain, read_tail(trace, last.offset + last.length, &tail), sums);
}
