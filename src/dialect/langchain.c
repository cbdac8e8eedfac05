/*
 * LangChain and LangGraph: messages in three spellings (langchain_message.h), lists of
 * them and lists of lists, the inputs and outputs of runs, generations, and streams of
 * pieces.
 */
#include "config.h"
#include "dialect/dialect.h"

#include "dialect/body.h"
#include "dialect/langchain_message.h"

#define DEEPEST 5 /* wrappers and lists around messages */

/*
 * A value is read twice by the same walk: first to know whether it is LangChain's, then
 * to add what it says.
 */
struct langchain_reading {
	struct talk *talk; /* NULL: nothing is added */
	struct langchain_pieces pieces;
	enum prefer side;
	bool sure;    /* something is LangChain's by its form */
	bool foreign; /* something is no message */
	bool said;
	unsigned depth;
};

static void read_value(struct langchain_reading *r, struct jv value);

/* ---- messages and lists ---- */

static void flush(struct langchain_reading *r)
{
	if (r->talk && (r->pieces.joining.count || r->pieces.ids.count))
		langchain_join(&r->pieces, r->talk);
}

/* `listed`: it may be one of several pieces. */
static bool read_message(struct langchain_reading *r, struct jv value, bool listed)
{
	struct langchain_message m;

	if (!langchain_message(&m, value))
		return false;
	r->said = true;
	r->sure = r->sure || m.sure;
	if (!r->talk)
		return true;
	if (m.chunk && listed) {
		langchain_piece(&r->pieces, &m);
		return true;
	}
	flush(r);
	langchain_add(r->talk, &m);
	return true;
}

/* What LangGraph puts beside a piece: the names of its graphs, the facts of its run. */
static bool is_beside(struct jv item)
{
	return item.kind == J_STRING || jv_member(item, "langgraph_node").kind != J_NONE;
}

static void read_list(struct langchain_reading *r, struct jv list)
{
	JV_EACH(item, list) {
		if (read_message(r, item, true))
			continue;
		if (item.kind == J_ARRAY && r->depth < DEEPEST) {
			r->depth++;
			read_list(r, item);
			r->depth--;
		} else if (!is_beside(item)) {
			r->foreign = true;
		}
	}
}

/* ---- generations ---- */

/* {"message": …, "text": …}: the text says again what the message does. */
static bool read_generation(struct langchain_reading *r, struct jv value)
{
	JV_MEMBERS(v, langchain_class(value).p ? jv_member(value, "kwargs") : value,
		message, text);
	if (read_message(r, v.message, false))
		return true;
	if (v.text.kind != J_STRING)
		return false;
	r->said = r->sure = true;
	if (r->talk) {
		talk_begin(r->talk, JV_NONE, "assistant");
		talk_text(r->talk, v.text);
		talk_end(r->talk);
	}
	return true;
}

static void read_generations(struct langchain_reading *r, struct jv list)
{
	struct jv key, item, generation;

	for (struct jwalk w = jwalk_of(list); jwalk_next(&w, &key, &item);) {
		if (item.kind != J_ARRAY) {
			r->foreign = !read_generation(r, item) || r->foreign;
			continue;
		}
		for (struct jwalk inner = jwalk_of(item);
			jwalk_next(&inner, &key, &generation);)
			r->foreign = !read_generation(r, generation) || r->foreign;
	}
}

/* Prompts of models that do not chat. */
static void read_prompts(struct langchain_reading *r, struct jv list)
{
	JV_EACH(text, list) {
		r->foreign = r->foreign || text.kind != J_STRING;
		r->said = r->sure = true;
		if (!r->talk || text.kind != J_STRING)
			continue;
		talk_begin(r->talk, JV_NONE, "user");
		talk_text(r->talk, text);
		talk_end(r->talk);
	}
}

/* ---- what wraps them ---- */

JV_RECORD(langchain_wrap, inputs, input, outputs, output, messages, generations, prompts,
	values, channel_values, kwargs);

/* ChatPromptValue, ChatResult and others that have messages among their arguments. */
static bool read_constructor(
	struct langchain_reading *r, struct jv value, struct jv kwargs)
{
	if (!langchain_class(value).p || kwargs.kind != J_OBJECT)
		return false;
	if (!read_generation(r, value))
		read_value(r, kwargs);
	return true;
}

/* Of a run that has both, the side that is wanted. */
static void read_sides(struct langchain_reading *r, const struct langchain_wrap *v)
{
	if (r->side != PREFER_OUTPUT) {
		read_value(r, v->inputs);
		read_value(r, v->input);
	}
	if (r->side != PREFER_INPUT) {
		read_value(r, v->outputs);
		read_value(r, v->output);
	}
}

static void read_object(struct langchain_reading *r, struct jv value)
{
	struct langchain_wrap v;

	JV_READ(value, langchain_wrap, &v);
	if (read_constructor(r, value, v.kwargs))
		return;
	if (v.messages.kind == J_ARRAY)
		read_list(r, v.messages);
	else if (v.generations.kind == J_ARRAY)
		read_generations(r, v.generations);
	else if (v.prompts.kind == J_ARRAY)
		read_prompts(r, v.prompts);
	else if (v.values.kind == J_OBJECT || v.channel_values.kind == J_OBJECT)
		read_value(r, v.values.kind == J_OBJECT ? v.values : v.channel_values);
	else
		read_sides(r, &v);
}

static void read_value(struct langchain_reading *r, struct jv value)
{
	if (r->depth >= DEEPEST || read_message(r, value, false))
		return;
	r->depth++;
	if (value.kind == J_ARRAY)
		read_list(r, value);
	else if (value.kind == J_OBJECT)
		read_object(r, value);
	r->depth--;
}

static bool langchain_read(struct talk *t, struct jv value, enum prefer side)
{
	struct langchain_reading test = {.side = side},
				 reading = {.talk = t, .side = side};

	read_value(&test, value);
	if (!test.said || test.foreign || (!test.sure && !t->named))
		return false;
	read_value(&reading, value);
	flush(&reading);
	return true;
}

const struct dialect dialect_langchain = {"langchain", langchain_read};
