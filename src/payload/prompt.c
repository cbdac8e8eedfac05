/*
 * What a system prompt says about payloads: the sections Capabilities and Format Rules of
 * the "LLM Response Output Schema" document, put together from the registry.
 */
#include "config.h"
#include "payload/registry.h"

#include "base/mem.h"

/* A text of its own paragraph, without white space at its ends. */
static void add_paragraph(struct buf *out, struct str text)
{
	text = str_trim(text);
	if (!text.n)
		return;
	if (out->len)
		buf_text(out, "\n");
	buf_str(out, text);
	buf_byte(out, '\n');
}

static bool is_among(const struct payload_type *const *types, size_t count,
	const struct payload_type *type)
{
	for (size_t i = 0; i < count; i++)
		if (types[i] == type)
			return true;
	return false;
}

void registry_instructions(const struct registry *r,
	const struct payload_type *const *types, size_t count, struct buf *out)
{
	for (size_t i = 0; i < r->type_count; i++)
		if (is_among(types, count, &r->types[i]))
			add_paragraph(out, r->types[i].instructions);
}

static bool is_returned(const struct registry *r, const struct str *tools, size_t count,
	const struct payload_type *type)
{
	for (size_t i = 0; i < count; i++) {
		const struct tool_config *tool = registry_tool(r, tools[i]);

		if (tool && str_equal(tool->payload_type, type->name))
			return true;
	}
	return false;
}

static void add_responses(const struct registry *r, struct str page,
	const struct str *tools, size_t tool_count, struct buf *out)
{
	const struct payload_type **types =
		mem_zalloc(r->type_count + 1, sizeof(const struct payload_type *));
	const struct page *on = registry_page(r, page);
	struct buf text = BUF_INIT;
	size_t count = 0;

	for (size_t i = 0; i < r->type_count; i++) {
		const struct payload_type *t = &r->types[i];
		bool written = t->source == PAYLOAD_LLM &&
			       (!page.n || (on && registry_on_page(r, on, t)));

		if (written || is_returned(r, tools, tool_count, t))
			types[count++] = t;
	}
	registry_instructions(r, types, count, &text);
	if (text.len) {
		add_paragraph(out, STR("## STRUCTURED RESPONSES"));
		add_paragraph(out, buf_view(&text));
	}
	buf_done(&text);
	mem_free(types);
}

static void add_item(struct buf *out, struct str name, struct str about)
{
	buf_text(out, "- ");
	buf_str(out, name);
	if (about.n)
		buf_text(out, ": ");
	buf_str(out, str_trim(about));
	buf_byte(out, '\n');
}

/* Whether a name stands among those before it. */
static bool is_repeated(const struct str *names, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (str_equal(names[i], names[at]))
			return true;
	return false;
}

static void add_tools(
	const struct registry *r, const struct str *tools, size_t count, struct buf *out)
{
	struct buf list = BUF_INIT;

	for (size_t i = 0; i < count; i++) {
		const struct tool_config *tool = registry_tool(r, tools[i]);

		if (tool && !is_repeated(tools, i))
			add_item(&list, tool->name, tool->description);
	}
	if (list.len) {
		add_paragraph(out, STR("## TOOLS"));
		add_paragraph(out, buf_view(&list));
	}
	buf_done(&list);
}

static void add_actions(const struct registry *r, struct str page, struct buf *out)
{
	struct buf list = BUF_INIT;

	for (size_t i = 0; i < r->action_count; i++)
		add_item(&list, r->actions[i].name, r->actions[i].description);
	for (size_t i = 0; i < r->page_count; i++) {
		const struct page *p = &r->pages[i];

		for (size_t k = 0; k < p->action_count; k++)
			if (!page.n || str_equal(page, p->name))
				add_item(&list, p->actions[k].name,
					p->actions[k].description);
	}
	if (list.len) {
		add_paragraph(out, STR("## CLIENT ACTIONS"));
		add_paragraph(out, buf_view(&list));
	}
	buf_done(&list);
}

void registry_prompt(const struct registry *r, struct str page, const struct str *tools,
	size_t tool_count, struct buf *out)
{
	struct buf text = BUF_INIT;

	add_paragraph(&text, STR("# Capabilities"));
	add_tools(r, tools, tool_count, &text);
	add_responses(r, page, tools, tool_count, &text);
	add_actions(r, page, &text);
	add_paragraph(&text, STR("# Format Rules"));
	for (size_t i = 0; i < 2; i++)
		add_paragraph(&text, r->suggestions[i].instructions);
	buf_str(out, buf_view(&text));
	buf_done(&text);
}
