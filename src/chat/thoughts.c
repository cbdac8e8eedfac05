/*
 * Reasoning and refusals, which the document's texts leave out (see reader.h): items of
 * a type, members beside the content, and thoughts whose text the vendor withholds.
 */
#include "config.h"
#include "chat/reader.h"

bool thought_looks(const struct item_node *n)
{
	static const char *const types[] = {"thinking", "reasoning", "redacted_thinking",
		"reasoning_text", "summary_text"};

	return JV_AMONG(n->v[TYPE], types);
}

static struct jv thought_text(struct jv item)
{
	if (item.kind == J_STRING)
		return item;
	JV_MEMBERS(v, item, text, thinking, summary, description);
	for (size_t i = 0; i < 4; i++)
		if (is_text(v.all[i]))
			return v.all[i];
	return JV_NONE;
}

/* A string, or the texts of an array of objects that have one. */
static bool add_thoughts(struct item_reader *r, struct jv raw, struct jv value)
{
	bool any = false;

	if (is_text(value)) {
		reader_add_body(r, PART_REASONING, raw, value);
		return true;
	}
	if (value.kind != J_ARRAY)
		return false;
	JV_EACH(item, value) {
		struct jv text = thought_text(item);

		if (!is_text(text))
			continue;
		reader_add_body(r, PART_REASONING, raw, text);
		any = true;
	}
	return any;
}

enum item_field thought_read(struct item_reader *r, const struct item_node *n)
{
	static const unsigned char places[] = {THINKING, TEXT, REASONING};
	bool summary, content;

	for (size_t i = 0; i < sizeof(places); i++)
		if (add_thoughts(r, n->object, n->v[places[i]]))
			return (enum item_field)places[i];
	summary = add_thoughts(r, n->object, n->v[SUMMARY]);
	content = add_thoughts(r, n->object, n->v[CONTENT]);
	if (!summary && !content)
		reader_add_body(r, PART_REASONING, n->object, JV_NONE);
	return content ? CONTENT : summary ? SUMMARY : FIELD_COUNT;
}

/* Bedrock nests it twice. */
static bool read_nested(struct item_reader *r, const struct item_node *n)
{
	struct item_node inner, innermost;
	struct jv text;

	if (!is_object(n->v[REASONING_CONTENT]))
		return false;
	node_read(&inner, n->v[REASONING_CONTENT]);
	node_read(&innermost, inner.v[REASONING_TEXT]);
	text = is_text(innermost.v[TEXT])
		       ? innermost.v[TEXT]
		       : node_first(&inner, is_text, REASONING_TEXT, TEXT, FIELD_COUNT);
	if (text.kind == J_NONE && !is_filled(inner.v[REDACTED]))
		return false;
	reader_add_body(r, PART_REASONING, n->object, text);
	return true;
}

/* What LangChain keeps beside the content of any vendor's message. */
static bool read_kwargs(struct item_reader *r, const struct item_node *n)
{
	struct item_node kwargs;

	if (!is_object(n->v[ADDITIONAL_KWARGS]))
		return false;
	node_read(&kwargs, n->v[ADDITIONAL_KWARGS]);
	kwargs.v[ADDITIONAL_KWARGS] = JV_NONE;
	return thought_read_beside(r, &kwargs);
}

bool thought_read_beside(struct item_reader *r, const struct item_node *n)
{
	struct jv text = node_first(n, is_text, REASONING_CONTENT, REASONING, THINKING,
		TOOL_PLAN, FIELD_COUNT);

	if (text.kind == J_NONE)
		return read_nested(r, n) ||
		       add_thoughts(r, n->object, n->v[REASONING_DETAILS]) ||
		       add_thoughts(r, n->object, n->v[THINKING_BLOCKS]) ||
		       add_thoughts(r, n->object, n->v[THOUGHTS]) ||
		       add_thoughts(
			       r, n->object, jv_member(n->v[REASONING], "summary")) ||
		       read_kwargs(r, n);
	reader_add_body(r, PART_REASONING, n->object, text);
	return true;
}

bool thought_read_marked(struct item_reader *r, const struct item_node *n)
{
	struct part thought = {.kind = PART_REASONING, .raw = n->object};

	if (n->v[THOUGHT].kind != J_TRUE || !is_text(n->v[TEXT]))
		return false;
	thought.body = n->v[TEXT];
	thought.also_text = true;
	reader_add(r, thought);
	return true;
}

bool refusal_read(struct item_reader *r, const struct item_node *n)
{
	if (!is_text(n->v[REFUSAL]))
		return false;
	reader_add_body(r, PART_REFUSAL, n->object, n->v[REFUSAL]);
	return true;
}
