/* The table of fields: see filter.h.  Parser, completion, help and the manual read it. */
#include "config.h"
#include "query/filter.h"

#include "base/suggest.h"

const struct filter_field filter_fields[FILTER_FIELDS] = {
	[FILTER_NAME] = {"name", NULL, FILTER_TEXT, UNIT_NONE, COST_NAME,
		"the step's name in the list: its name, else what it did, its model or event"},
	[FILTER_MODEL] = {"model", NULL, FILTER_TEXT, UNIT_NONE, COST_FACT,
		"the model that answered"},
	[FILTER_EVENT] = {"event", "kind", FILTER_TEXT, UNIT_NONE, COST_FACT,
		"the kind of step: generation, span, embedding"},
	[FILTER_STEP_ID] = {"id", NULL, FILTER_TEXT, UNIT_NONE, COST_OPEN,
		"the step's own id"},
	[FILTER_TRACE] = {"trace", NULL, FILTER_TEXT, UNIT_NONE, COST_ARRANGED,
		"the id of the trace it belongs to"},
	[FILTER_CHAIN] = {"chain", NULL, FILTER_TEXT, UNIT_NONE, COST_ARRANGED,
		"the name of its chain"},
	[FILTER_PROVIDER] = {"provider", NULL, FILTER_TEXT, UNIT_NONE, COST_OPEN,
		"who runs the model"},
	[FILTER_FILE] = {"file", NULL, FILTER_PATH, UNIT_NONE, COST_OPEN,
		"the path of its file; a path or command in its calls"},
	[FILTER_TOOL] = {"tool", NULL, FILTER_TEXT, UNIT_NONE, COST_OPEN,
		"a tool that the step calls: in its output, or in its conversation where "
		"both sides are one"},
	[FILTER_OFFERED] = {"offered", NULL, FILTER_TEXT, UNIT_NONE, COST_OPEN,
		"a tool that is offered to its model"},
	[FILTER_ROLE] = {"role", NULL, FILTER_TEXT, UNIT_NONE, COST_OPEN,
		"the role of a message on either side; a plain text is the user's or "
		"the assistant's"},
	[FILTER_ANYWHERE] = {"text", NULL, FILTER_WHOLE, UNIT_NONE, COST_SEARCH,
		"any text of the step, as the search finds it"},
	[FILTER_INPUT] = {"input", "in.text", FILTER_WHOLE, UNIT_NONE, COST_OPEN,
		"the text of its input"},
	[FILTER_OUTPUT] = {"output", "out.text", FILTER_WHOLE, UNIT_NONE, COST_OPEN,
		"the text of its output"},
	[FILTER_COST] = {"cost", NULL, FILTER_NUMBER, UNIT_DOLLARS, COST_ARRANGED,
		"US dollars: cost>0.01"},
	[FILTER_TOKENS] = {"tokens", NULL, FILTER_NUMBER, UNIT_COUNT, COST_ARRANGED,
		"tokens of both sides: tokens>10k"},
	[FILTER_IN] = {"in", NULL, FILTER_NUMBER, UNIT_COUNT, COST_ARRANGED,
		"tokens of the input"},
	[FILTER_OUT] = {"out", NULL, FILTER_NUMBER, UNIT_COUNT, COST_ARRANGED,
		"tokens of the output"},
	[FILTER_CACHE] = {"cache", NULL, FILTER_NUMBER, UNIT_COUNT, COST_ARRANGED,
		"tokens of the input that came from a cache"},
	[FILTER_FRESH] = {"fresh", NULL, FILTER_NUMBER, UNIT_COUNT, COST_ARRANGED,
		"tokens of the input that did not: fresh>10k"},
	[FILTER_LATENCY] = {"latency", "time", FILTER_NUMBER, UNIT_SECONDS, COST_ARRANGED,
		"how long it took: latency>2s, time:1s..5s"},
	[FILTER_BYTES] = {"bytes", "size", FILTER_NUMBER, UNIT_BYTES, COST_FACT,
		"its size in the file: bytes>64KB"},
	[FILTER_POSITION] = {"number", "step", FILTER_NUMBER, UNIT_COUNT, COST_ARRANGED,
		"its number in its chain: number:1..20"},
	[FILTER_DEPTH] = {"depth", NULL, FILTER_NUMBER, UNIT_COUNT, COST_ARRANGED,
		"how deep it is nested: depth=0 are the roots"},
	[FILTER_ERROR] = {"error", "failed", FILTER_FLAG, UNIT_NONE, COST_FACT,
		"the trace says that it failed"},
	[FILTER_BROKEN] = {"broken", NULL, FILTER_FLAG, UNIT_NONE, COST_OPEN,
		"its text is not valid JSON"},
	[FILTER_MENDED] = {"mended", NULL, FILTER_FLAG, UNIT_NONE, COST_OPEN,
		"its JSON was repaired"},
	[FILTER_OPEN] = {"open", "cut", FILTER_FLAG, UNIT_NONE, COST_OPEN,
		"it is cut off: the file ends inside it"},
	[FILTER_ORPHAN] = {"orphan", NULL, FILTER_FLAG, UNIT_NONE, COST_ARRANGED,
		"its parent is not in the file"},
};

static bool is_called(const struct filter_field *f, struct str name)
{
	return str_equal(str_of(f->name), name) ||
	       (f->also && str_equal(str_of(f->also), name));
}

const struct filter_table filter_steps = {.fields = filter_fields,
	.count = FILTER_FIELDS,
	.anywhere = FILTER_ANYWHERE,
	.common = "name, model, tool, role, text, cost, tokens, error"};

unsigned filter_field_named(const struct filter_table *table, struct str name)
{
	unsigned i = 0;

	while (i < table->count && !is_called(&table->fields[i], name))
		i++;
	return i;
}

unsigned filter_field_like(const struct filter_table *table, struct str name)
{
	struct suggest near;

	suggest_begin(&near, name);
	for (unsigned i = 0; i < table->count; i++) {
		suggest_try(&near, str_of(table->fields[i].name));
		if (table->fields[i].also)
			suggest_try(&near, str_of(table->fields[i].also));
	}
	return near.best.p ? filter_field_named(table, near.best) : table->count;
}

void filter_put_value(struct str text, struct buf *out)
{
	size_t plain = 0;

	while (plain < text.n && text.p[plain] && !strchr(" \t\n\r()|\"/", text.p[plain]))
		plain++;
	if (text.n && plain == text.n) {
		buf_str(out, text);
		return;
	}
	buf_byte(out, '"');
	for (size_t i = 0; i < text.n; i++) {
		if (text.p[i] == '"' || text.p[i] == '\\')
			buf_byte(out, '\\');
		buf_byte(out, text.p[i]);
	}
	buf_byte(out, '"');
}
