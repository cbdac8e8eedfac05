/* Requests and responses by themselves: see envelope.h. */
#include "config.h"
#include "import/envelope.h"

#include "json/copy.h"

/* ---- requests ---- */

static void say(struct talk *t, const char *role, struct jv text)
{
	struct buf body = BUF_INIT;

	json_copy_body(&body, text);
	talk_say(t, role, buf_view(&body));
	buf_done(&body);
}

struct jv envelope_request(struct jv request, struct arena *arena)
{
	struct talk t = {.arena = arena};
	struct jv history = jv_member(request, "conversation_history");
	struct jv message = jv_member(request, "message");
	struct jwalk w;
	struct jv key, item;

	jwalk_begin(&w, side_open_string(history, arena));
	if (!w.object)
		while (jwalk_next(&w, &key, &item))
			talk_add_raw(&t, item);
	if (!jv_empty(message) || !t.count)
		say(&t, "user", message);
	return talk_take(&t);
}

struct jv envelope_context(struct jv request, struct arena *arena)
{
	struct jv context = jv_member(request, "context");

	return side_open_string(context, arena);
}

struct str envelope_page(struct jv context, struct arena *arena)
{
	struct jv page = jv_member(context, "current_page");

	return page.kind == J_STRING ? jv_keep(page, arena) : (struct str){0};
}

/* ---- responses ---- */

struct tool_use tool_use_read(struct jv entry)
{
	enum {
		TOOL_NAME,
		NAME,
		TOOL,
		INPUT,
		ARGUMENTS,
		PARAMETERS,
		OUTPUT,
		RESULT,
		ID,
		CALL_ID,
		IS_ERROR,
		N
	};
	static const char *const names[N] = {"tool_name", "name", "tool", "input",
		"arguments", "parameters", "output", "result", "tool_use_id",
		"tool_call_id", "is_error"};
	struct jv v[N];
	struct tool_use use = {0};

	jv_members(entry, names, v, N);
	for (int i = TOOL_NAME; i <= TOOL && use.name.kind != J_STRING; i++)
		use.name = v[i];
	for (int i = INPUT; i <= PARAMETERS && use.input.kind == J_NONE; i++)
		use.input = v[i];
	use.output = v[OUTPUT].kind != J_NONE ? v[OUTPUT] : v[RESULT];
	use.id = v[ID].kind != J_NONE ? v[ID] : v[CALL_ID];
	use.error = v[IS_ERROR].kind == J_TRUE;
	return use;
}

struct jv tool_use_id(struct jv id, const char *kind, size_t number, struct arena *arena)
{
	struct buf made = BUF_INIT;

	if (id.kind == J_STRING || id.kind == J_NUMBER)
		return id;
	buf_printf(&made, "\"%s[%zu]\"", kind, number);
	return json_kept(&made, arena);
}

void tool_use_write(struct talk *t, const struct tool_use *use, size_t number)
{
	struct jv id = tool_use_id(use->id, "tool_history", number, t->arena);

	talk_tool_call(t, id, use->name, use->input);
	if (use->output.kind != J_NONE)
		talk_tool_result(t, id, use->name, use->output, use->error);
}

struct jv envelope_response(struct jv response, struct arena *arena)
{
	struct talk t = {.arena = arena};
	struct jv message = jv_member(response, "message");
	struct jwalk w;
	struct jv key, entry;
	size_t n = 0;

	jwalk_begin(&w, jv_member(response, "tool_history"));
	if (!w.object)
		while (jwalk_next(&w, &key, &entry)) {
			struct tool_use use = tool_use_read(entry);

			tool_use_write(&t, &use, n++);
		}
	if (!jv_empty(message) || !t.count)
		say(&t, "assistant", message);
	return talk_take(&t);
}
