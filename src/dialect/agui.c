/*
 * The events of the AG-UI protocol: an array of them, or one.  Texts, thoughts and the
 * arguments of calls come in pieces with an id, and may be mixed; a snapshot of messages
 * holds all that were said before.  State, activity and raw events are nothing said.
 */
#include "config.h"
#include "dialect/dialect.h"

#include "base/mem.h"
#include "dialect/body.h"
#include "dialect/chunk.h"
#include "json/json.h"

struct agui {
	struct message_writer *writer;
	struct joining joining;
	struct intern ids;  /* of texts, and of calls with a sign before them */
	uint32_t *messages; /* by number of id: in which message it stands */
	size_t count, cap;
	uint32_t next;    /* message */
	uint32_t thought; /* the message of the thought that goes on, from 1; 0: none */
};

JV_RECORD(agui_event, type, message_id, role, delta, tool_call_id, tool_call_name,
	parent_message_id, content, messages);

static bool starts(struct jv type, const char *head)
{
	return str_starts(jv_plain(type), str_of(head));
}

/* Which number an id has; a new one gets the message that is given. */
static uint32_t number_of(
	struct agui *a, const char *kind, struct jv id, uint32_t message)
{
	uint32_t number = joint_id(&a->ids, kind, id);

	if (number < a->count)
		return number;
	*MEM_ADD(a->messages, a->count, a->cap) = message;
	if (message >= a->next)
		a->next = message + 1;
	return number;
}

/* The message of a text, be it one that has not begun yet. */
static uint32_t message_of(struct agui *a, struct jv id)
{
	uint32_t number = number_of(a, "text ", id, a->next); /* may move them */

	return a->messages[number];
}

static void add_thought(struct agui *a, const struct agui_event *f)
{
	bool begins = jv_is(f->type, STR("REASONING_START")) ||
		      jv_is(f->type, STR("THINKING_START"));

	if (starts(f->type, "REASONING_ENCRYPTED"))
		return;
	if (begins || !a->thought)
		a->thought = ++a->next;
	joint_append(&a->joining, JOINT_THINKING, a->thought - 1, 0, f->delta);
	if (jv_is(f->type, STR("REASONING_END")) || jv_is(f->type, STR("THINKING_END")))
		a->thought = 0;
}

/* A call stands in the message that it names as its own. */
static void add_call(struct agui *a, const struct agui_event *f)
{
	struct joint *call;
	uint32_t number;

	if (starts(f->type, "TOOL_CALL_RESULT")) {
		call = joint_add(&a->joining, JOINT_RESULT, a->next++);
		call->id = f->tool_call_id;
		call->value = f->content;
		return;
	}
	number = number_of(a, "call ", f->tool_call_id,
		jv_null(f->parent_message_id) ? a->next
					      : message_of(a, f->parent_message_id));
	call = joint_keyed(&a->joining, JOINT_CALL, a->messages[number], number);
	call->id = f->tool_call_id;
	if (!jv_null(f->tool_call_name))
		call->name = f->tool_call_name;
	json_copy_body(&call->body, f->delta);
}

/* A snapshot of messages; what came in pieces is said before it. */
static void add_snapshot(struct agui *a, struct jv list)
{
	joint_say(&a->joining, a->writer);
	JV_EACH(message, list) {
		struct jv role = jv_member(message, "role");

		if (message.kind != J_OBJECT || jv_is(role, STR("activity")))
			continue;
		if (!jv_is(role, STR("reasoning"))) {
			body_add_message(a->writer, message, "assistant");
			continue;
		}
		emit_begin(a->writer, JV_NONE, "assistant");
		emit_thinking(a->writer, jv_member(message, "content"));
		emit_end(a->writer);
	}
}

/* ---- events ---- */

static bool add_event(struct agui *a, struct jv event)
{
	static const char *const heads[] = {"TEXT_MESSAGE_", "TOOL_CALL_", "RUN_",
		"STEP_", "STATE_", "MESSAGES_SNAPSHOT", "ACTIVITY_", "REASONING_",
		"THINKING_", "CUSTOM", "RAW"};
	struct agui_event f;
	struct joint *text;
	bool known = false;

	if (event.kind != J_OBJECT)
		return false;
	JV_READ(event, agui_event, &f);
	for (size_t i = 0; i < sizeof(heads) / sizeof(*heads); i++)
		known = known || starts(f.type, heads[i]);
	if (!known)
		return false;
	if (starts(f.type, "TEXT_MESSAGE_")) {
		text = joint_keyed(
			&a->joining, JOINT_TEXT, message_of(a, f.message_id), 0);
		if (text->role.kind == J_NONE)
			text->role = f.role;
		json_copy_body(&text->body, f.delta);
	} else if (starts(f.type, "REASONING_") || starts(f.type, "THINKING_")) {
		add_thought(a, &f);
	} else if (starts(f.type, "TOOL_CALL_")) {
		add_call(a, &f);
	} else if (f.messages.kind == J_ARRAY && starts(f.type, "MESSAGES_SNAPSHOT")) {
		add_snapshot(a, f.messages);
	}
	return true;
}

/* Most of what is there must be events; a stream may hold what is none. */
static bool read_agui(struct message_writer *t, struct jv value, enum prefer side)
{
	AUTO(emit_done) struct message_writer said = {.arena = t->arena};
	struct agui a = {.writer = &said};
	size_t events = 0, others = 0;

	if (value.kind == J_OBJECT)
		events = add_event(&a, value);
	JV_ITEMS(event, value) {
		if (!events && others == 4)
			break;
		if (add_event(&a, event))
			events++;
		else
			others++;
	}
	joint_say(&a.joining, &said);
	intern_done(&a.ids);
	mem_free(a.messages);
	if (events <= others || !said.count)
		return false;
	emit_add(t, &said);
	return true;
}

const struct dialect dialect_agui = {"ag-ui", read_agui};
