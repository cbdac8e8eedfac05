/*
 * Chains as Markdown (CommonMark with GitHub's tables): headings for chains, steps and
 * speakers, messages as text, JSON in fences, proposals as tables.
 *
 * What a model says is Markdown of its own, which stays within its place (mark_own).  All
 * else of a trace, also what a person says, becomes no markup: it is escaped character by
 * character, or put in a fence that is longer than any run of backticks in it
 * (CommonMark 4.5).  Everything passes text/safe.
 */
#include "config.h"
#include "export/write.h"

#include "base/mem.h"
#include "chat/brief.h"
#include "chat/response.h"
#include "chat/side.h"
#include "import/open.h"
#include "json/json.h"
#include "payload/payload.h"
#include "view/conversation.h"
#include "view/difference.h"
#include "view/facts.h"
#include "view/reading.h"

/* What belongs to one step while it is written. */
struct markdown_step {
	struct export *e;
	struct reading *reading;
	struct arena *arena;
};

/* ---- values ---- */

static void put_json(struct export *e, struct jv value)
{
	AUTO_BUF line = BUF_INIT, pretty = BUF_INIT;

	json_write_raw(&line, jv_raw(value));
	json_spread(&pretty, buf_view(&line), JSON_PRETTY);
	mark_fence(&e->out, STR("json"), buf_view(&pretty));
	export_flush(e);
}

/* Things to do, as tasks; false: it is no list of them. */
static bool put_todo(struct markdown_step *p, struct jv value)
{
	struct jv list = todo_list(value);
	AUTO_BUF text = BUF_INIT;
	struct jwalk walk = jwalk_of(list);
	struct todo item;

	while (todo_next(&walk, &item)) {
		buf_clear(&text);
		jv_text(item.text, &text);
		buf_text(&p->e->out, item.state == TODO_DONE ? "- [x] " : "- [ ] ");
		mark_line(&p->e->out, buf_view(&text));
		buf_text(&p->e->out, item.state == TODO_NOW       ? " *(in progress)*\n"
				     : item.state == TODO_DROPPED ? " *(cancelled)*\n"
								  : "\n");
	}
	if (list.n)
		buf_byte(&p->e->out, '\n');
	return list.n > 0;
}

/* A value as JSON, also if it is JSON in a string; any other string as text. */
static void put_value(struct markdown_step *p, struct jv value)
{
	struct jv opened = side_open_string(value, p->arena);

	if (put_todo(p, opened))
		;
	else if (opened.kind != J_STRING)
		put_json(p->e, opened);
	else
		mark_fence(&p->e->out, STR("text"), jv_keep(opened, p->arena));
	export_flush(p->e);
}

/* The arguments of a call: what it edits as a difference, what a shell runs as code, the
 * others as JSON. */
static void put_arguments(struct markdown_step *p, const struct part *call)
{
	struct str name = jv_keep(call->name, p->arena);
	AUTO(touches_done) struct touches touches = {0};
	AUTO_BUF others = BUF_INIT, edits = BUF_INIT;
	struct jv arguments;
	bool shows, written = false;

	arguments = side_open_string(call->body, p->arena);
	touches_read(&touches, name, call->body, p->arena);
	shows = edit_shows(&touches);
	JV_FIELDS(key, v, arguments) {
		enum touch_member member = touch_member_of(key, v);

		if (member == TOUCH_COMMAND && v.kind == J_STRING) {
			mark_fence(&p->e->out, STR("sh"), jv_keep(v, p->arena));
			shows = false; /* its patch stands in it */
			written = true;
			continue;
		}
		if (member == TOUCH_TEXT && shows)
			continue;
		if (v.kind == J_ARRAY && put_todo(p, v)) {
			written = true;
			continue;
		}
		buf_text(&others, others.len ? "," : "{");
		buf_add(&others, key.p, key.n);
		buf_byte(&others, ':');
		buf_add(&others, v.p, v.n);
	}
	if (others.len)
		buf_byte(&others, '}');
	if (shows)
		edit_write(&edits, &touches);
	if (others.len)
		put_json(p->e, jv_parse(buf_view(&others)));
	else if (!written && !edits.len)
		put_value(p, call->body);
	if (edits.len)
		mark_fence(&p->e->out, STR("diff"), buf_view(&edits));
	export_flush(p->e);
}

/* **label** `name`, on one line. */
static void put_label(struct markdown_step *p, const char *label, struct jv name)
{
	AUTO_BUF text = BUF_INIT;

	buf_printf(&p->e->out, "**%s**", label);
	jv_text(name, &text);
	if (text.len) {
		buf_byte(&p->e->out, ' ');
		mark_code(&p->e->out, buf_view(&text));
	}
	buf_text(&p->e->out, "\n\n");
}

/* ---- proposals ---- */

static void put_cell(struct export *e, struct str raw)
{
	buf_byte(&e->out, ' ');
	mark_line(&e->out, raw);
	buf_text(&e->out, " |");
}

static void put_value_cell(struct export *e, struct jv value)
{
	AUTO_BUF text = BUF_INIT;

	jv_text(value, &text);
	put_cell(e, buf_view(&text));
}

/* The value of a row's column, by the column's name. */
static struct jv value_of(
	const struct proposal *p, const struct op *op, struct str column)
{
	struct jv found = JV_NONE;
	AUTO_BUF text = BUF_INIT;

	JV_PAIRS(key, value, op->values) {
		buf_clear(&text);
		if (str_equal(proposal_key(p, key, &text), column))
			found = value;
	}
	return found;
}

static void put_proposal(struct export *e, const struct proposal *p)
{
	static const char *const words[] = {[OP_ADD] = "add",
		[OP_UPDATE] = "change",
		[OP_DELETE] = "delete",
		[OP_REORDER] = "move",
		[OP_OTHER] = "?"};
	size_t columns = p->schema ? 1 : p->column_count;

	mark_text(&e->out, p->reasoning);
	buf_printf(&e->out, "| | %s |", p->schema ? "column" : "row");
	for (size_t i = 0; i < columns; i++)
		put_cell(e, p->schema ? STR("what") : p->columns[i]);
	buf_text(&e->out, "\n|---|---|");
	for (size_t i = 0; i < columns; i++)
		buf_text(&e->out, "---|");
	buf_byte(&e->out, '\n');
	for (size_t i = 0; i < p->count; i++) {
		const struct op *op = &p->ops[i];
		AUTO_BUF line = BUF_INIT;

		buf_printf(&e->out, "| %s |", words[op->kind]);
		put_value_cell(e, op->target);
		for (size_t k = 0; k < columns && !p->schema; k++)
			put_value_cell(e, value_of(p, op, p->columns[k]));
		if (p->schema && op->values.n)
			json_write_raw(&line, jv_raw(op->values));
		if (p->schema)
			put_cell(e, buf_view(&line));
		buf_byte(&e->out, '\n');
		export_flush(e);
	}
	buf_byte(&e->out, '\n');
}

static void put_payload(struct markdown_step *p, struct str type, struct jv data)
{
	struct proposal proposal;

	buf_text(&p->e->out, "**payload** ");
	mark_code(&p->e->out, type);
	buf_text(&p->e->out, "\n\n");
	if (!proposal_is(type, data) || !proposal_read(&proposal, type, data,
						reading_known(p->reading), p->arena)) {
		put_json(p->e, data);
		return;
	}
	put_proposal(p->e, &proposal);
}

/* ---- what an assistant says ---- */

static void put_items(struct markdown_step *p, const char *label, struct jv items)
{
	struct jv name;
	AUTO_BUF text = BUF_INIT;

	buf_printf(&p->e->out, "**%s**\n\n", label);
	JV_EACH(item, items) {
		name = jv_member(item, "label");
		buf_clear(&text);
		jv_text(jv_null(name) ? item : name, &text);
		buf_text(&p->e->out, "- ");
		mark_line(&p->e->out, buf_view(&text));
		buf_byte(&p->e->out, '\n');
	}
	buf_byte(&p->e->out, '\n');
}

static void put_said(struct markdown_step *p, struct str text)
{
	struct response response = {0};
	size_t from = 0;

	response_read(&response, text, p->reading->types, p->reading->type_count);
	for (size_t i = 0; i < response.count; i++) {
		const struct element *e = &response.elements[i];

		mark_own(&p->e->out, (struct str){text.p + from, e->at - from});
		if (e->kind == ELEMENT_VALUES)
			put_items(p, "suggested values", e->value);
		else if (e->kind == ELEMENT_ACTIONS)
			put_items(p, "suggested actions", e->value);
		else
			put_payload(p, p->reading->types[e->type].name, e->value);
		from = e->end;
	}
	mark_own(&p->e->out, str_skip(text, from));
	response_done(&response);
}

/* What a person wrote; what a harness wrote in her name is folded. */
static void put_written(struct markdown_step *p, struct str text)
{
	struct boilerplate_walk w;
	struct str piece, by;

	boilerplate_begin(&w, text, p->reading->opened->boilerplate);
	while (boilerplate_next(&w, &piece, &by)) {
		if (!by.n) {
			mark_text(&p->e->out, piece);
			continue;
		}
		buf_text(&p->e->out, "<details><summary>");
		mark_line(&p->e->out, by);
		buf_text(&p->e->out, "</summary>\n\n");
		mark_fence(&p->e->out, STR("text"), str_trim(piece));
		buf_text(&p->e->out, "</details>\n\n");
	}
}

/* A text that is one JSON value is shown as JSON. */
static void put_text(struct markdown_step *p, struct jv string, bool assistant)
{
	struct jv opened = side_open_string(string, p->arena);

	if (opened.kind != J_STRING)
		put_json(p->e, opened);
	else if (assistant)
		put_said(p, jv_keep(string, p->arena));
	else if (edit_is_patch(jv_keep(string, p->arena)))
		mark_fence(&p->e->out, STR("diff"), jv_keep(string, p->arena));
	else
		put_written(p, jv_keep(string, p->arena));
}

/* ---- parts ---- */

static void put_definition(struct markdown_step *p, const struct part *tool)
{
	struct jv schema = part_schema(tool), definition = part_definition(tool);

	put_label(p, "offers", tool->name);
	mark_text(&p->e->out, jv_keep(tool->body, p->arena));
	if (schema.kind != J_NONE)
		put_value(p, schema);
	if (definition.kind != J_NONE)
		put_value(p, definition);
}

static void put_media(struct markdown_step *p, const struct part *part)
{
	AUTO_BUF words = BUF_INIT;

	facts_media(&words, part, "x");
	mark_code(&p->e->out, buf_view(&words));
	buf_text(&p->e->out, "\n\n");
}

/* The result of a tool: text as text, a list item by item, without results in results. */
static void put_result(struct markdown_step *p, struct jv content)
{
	AUTO(parts_done) struct parts parts = {0};

	if (content.kind != J_ARRAY || todo_list(content).n) {
		put_value(p, content);
		return;
	}
	parts = parts_read_content(content, p->arena);
	PARTS_EACH(part, &parts) {
		if (part->kind == PART_TEXT)
			put_value(p, part->body);
		else if (part->kind == PART_IMAGE || part->kind == PART_FILE)
			put_media(p, part);
		else
			put_json(p->e, part->raw);
	}
	if (!parts.count)
		put_json(p->e, content);
}

static void put_parts(struct markdown_step *p, const struct parts *parts, bool assistant)
{
	PARTS_EACH(part, parts) {
		switch (part->kind) {
		case PART_TEXT:
			put_text(p, part->body, assistant);
			break;
		case PART_CALL:
			put_label(p, "call", part->name);
			if (part->body.n)
				put_arguments(p, part);
			break;
		case PART_RESULT:
			put_label(p, part->error ? "result: error" : "result", part->id);
			if (part->body.n)
				put_result(p, part->body);
			break;
		case PART_TOOL:
			put_definition(p, part);
			break;
		case PART_IMAGE:
		case PART_FILE:
			put_media(p, part);
			break;
		case PART_REASONING:
			/* folded, as a harness's words: the only raw HTML there is */
			buf_text(&p->e->out, "<details><summary>reasoning</summary>\n\n");
			mark_fence(
				&p->e->out, STR("text"), jv_keep(part->body, p->arena));
			buf_text(&p->e->out, "</details>\n\n");
			break;
		case PART_REFUSAL:
			put_label(p, "refusal", JV_NONE);
			mark_text(&p->e->out, jv_keep(part->body, p->arena));
			break;
		case PART_JSON:
			put_value(p, part->raw);
			break;
		}
		export_flush(p->e);
	}
}

/* ---- sides ---- */

static void put_speaker(struct export *e, struct str role)
{
	buf_text(&e->out, "#### ");
	mark_line(&e->out, role);
	buf_text(&e->out, "\n\n");
}

static void put_response(struct markdown_step *p, struct jv response)
{
	struct jv payload = jv_member(response, "custom_payload");
	struct jv type = jv_member(payload, "type"), data = jv_member(payload, "data");
	struct jv values = jv_member(response, "suggested_values");
	struct jv actions = jv_member(response, "suggested_actions");

	if (type.kind == J_STRING && data.kind != J_NONE)
		put_payload(p, jv_keep(type, p->arena), data);
	else if (!jv_empty(payload))
		put_json(p->e, payload);
	if (!jv_empty(values))
		put_items(p, "suggested values", values);
	if (!jv_empty(actions))
		put_items(p, "suggested actions", actions);
}

/* The messages of a side, then its other content and images. */
static void put_side(struct markdown_step *p, const struct export_step *step, bool input)
{
	const struct side *s = export_step_side(step, input);
	struct export_message m = {0};
	struct markdown_step one = {p->e, p->reading, &m.arena};
	AUTO(parts_done) struct parts images = {0};
	bool more = s->view == SIDE_CHAT;

	while (more) {
		AUTO(parts_done) struct parts parts = {0};

		more = export_message_next(p->e, step, input, &m);
		if (m.unchanged)
			buf_printf(&p->e->out, "*%zu message%s unchanged*\n\n",
				m.unchanged, plural(m.unchanged));
		if (more && m.raw.kind == J_OBJECT) {
			struct str role = export_message_role(&m);

			put_speaker(p->e, role);
			parts = parts_read(m.raw, &m.arena);
			put_parts(&one, &parts, role_speaker(role) == SPEAKER_ASSISTANT);
		} else if (more) {
			put_value(&one, m.raw);
		}
	}
	if (s->view == SIDE_TEXT) {
		put_speaker(p->e, side_role(s->prefer));
		if (role_speaker(side_role(s->prefer)) == SPEAKER_ASSISTANT)
			put_said(p, s->text);
		else
			put_written(p, s->text);
	} else if (s->view == SIDE_JSON) {
		put_value(p, s->value);
	} else if (s->view == SIDE_EMPTY) {
		buf_text(&p->e->out, "*nothing*\n\n");
	}
	images = parts_read_images(s->images, p->arena);
	put_parts(p, &images, false);
}

/* ---- steps and chains ---- */

static void put_note(struct export *e, const char *note)
{
	if (!note)
		return;
	buf_byte(&e->out, '*');
	mark_line(&e->out, str_of(note));
	buf_text(&e->out, "*\n\n");
}

static void put_error(
	struct markdown_step *p, uint32_t step, const struct step_content *o)
{
	struct error_said said;

	if (!(trace_flags(p->e->trace, step) & STEP_ERROR))
		return;
	put_label(p, "error",
		jv_empty(o->facts.v[FACT_STATUS]) ? JV_NONE : o->facts.v[FACT_STATUS]);
	said = fact_error(o->facts.v[FACT_ERROR], p->arena);
	if (said.message.kind != J_NONE)
		put_value(p, said.message);
	if (said.rest.kind != J_NONE)
		put_json(p->e, said.rest);
}

/* ---- the request apart from its messages ---- */

static void put_asked(struct markdown_step *p)
{
	AUTO_BUF words = BUF_INIT;
	struct jv name, value;
	struct request_facts asked;
	struct jwalk walk;

	request_facts_read(&asked, p->reading, p->arena);
	request_facts_line(&asked, &words);
	if (words.len) {
		mark_line(&p->e->out, buf_view(&words));
		buf_text(&p->e->out, "\n\n");
	}
	walk = jwalk_of(asked.parameters);
	while (request_facts_next(&asked, &walk, &name, &value)) {
		put_label(p, "parameter", name);
		put_value(p, value);
	}
	if (asked.tools.count && !asked.tools_of) {
		buf_text(&p->e->out, "<details><summary>offered tools</summary>\n\n");
		put_parts(p, &asked.tools, false);
		buf_text(&p->e->out, "</details>\n\n");
	}
	request_facts_done(&asked);
}

static void put_title(struct export *e, const struct export_step *s)
{
	AUTO_BUF raw = BUF_INIT, figures = BUF_INIT;
	struct str model = export_call(e, s, &raw);

	buf_printf(&e->out, "## %zu ", s->number);
	mark_line(&e->out, buf_view(&raw));
	buf_text(&e->out, "\n\n");
	if (model.n) {
		mark_line(&e->out, model);
		buf_text(&e->out, "  ");
	}
	export_figures(e, s, &figures);
	mark_line(&e->out, str_trim(buf_view(&figures)));
	buf_text(&e->out, "\n\n");
}

static void write_step(struct export *e, struct export_step *s)
{
	struct markdown_step p = {e, s->reading, &s->arena};
	const struct step_content *o = s->opened;
	uint32_t flags = trace_step(e->trace, s->step).flags;
	bool broken = flags & STEP_BROKEN;
	/* a step without sides is written as a whole */
	bool event = step_content_is_empty(o) && o->facts.value.kind != J_NONE;
	const char *one = event ? "event" : export_both(o);
	AUTO_BUF problem = BUF_INIT;

	export_know_tools(e, s);
	put_title(e, s);
	if (export_problem(e, s, &problem)) {
		buf_text(&e->out, "**unsound:** ");
		mark_line(&e->out, buf_view(&problem));
		buf_text(&e->out, "\n\n");
	}
	for (size_t i = 0; conversation_note(flags, i); i++)
		put_note(e, conversation_note(flags, i));
	put_asked(&p);
	if (one || !broken)
		buf_printf(&e->out, "### %s\n\n", one ? one : "input");
	if (one)
		put_error(&p, s->step, o);
	if (event)
		put_json(e, o->facts.value);
	else
		put_side(&p, s, true);
	if (!one && !broken) {
		buf_text(&e->out, "### output\n\n");
		put_error(&p, s->step, o);
		put_side(&p, s, false);
	}
	put_response(&p, o->response);
	put_note(e, conversation_end_note(e->trace, s->step));
}

static void begin_chain(struct export *e, const struct chain *c)
{
	AUTO_BUF raw = BUF_INIT, figures = BUF_INIT;

	export_heading(e, c, &raw);
	buf_text(&e->out, "# ");
	mark_line(&e->out, buf_view(&raw));
	facts_totals_text(&figures, &c->totals, TOTALS_ALL);
	buf_printf(&figures, "  %s", trace_chain_format(e->trace, c));
	buf_text(&e->out, "\n\n");
	mark_line(&e->out, buf_view(&figures));
	buf_text(&e->out, "\n\n");
}

const struct export_format export_markdown = {
	.name = "markdown",
	.ending = ".md",
	.other = ".markdown",
	.write_step = write_step,
	.begin_chain = begin_chain,
};
