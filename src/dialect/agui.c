/*
 * The events of the AG-UI protocol: an array of them, or one.  Texts, thoughts and the
 * arguments of calls come in pieces with an id, and may be mixed; a snapshot of messages
 * holds all that were said before.  State, activity and raw events are nothing said.
 */
#include "config.h"
#include "dialect/dialect.h"

#include "base/map.h"
#include "base/mem.h"
#include "dialect/body.h"
#include "dialect/content.h"
#include "json/copy.h"

enum agui_said { SAID_TEXT, SAID_THOUGHT, SAID_CALL, SAID_RESULT, SAID_SNAPSHOT };

struct agui_part {
	enum agui_said kind;
	struct jv id, role, name, parent; /* of a message; of a call */
	struct jv value;                  /* RESULT, SNAPSHOT */
	struct buf body;                  /* the inside of a JSON string */
	bool written;                     /* by the message that it belongs to */
	size_t calls, last_call;          /* TEXT: the first and last of its calls, */
	size_t next_call;                 /* ... linked; from 1, 0: none */
};

struct agui {
	struct agui_part *parts;
	size_t count, cap;
	struct idmap ids; /* part by kind and id */
	size_t thought;   /* that goes on, from 1; 0: none */
};

enum { TYPE, MESSAGE_ID, ROLE, DELTA, CALL_ID, NAME, PARENT, CONTENT, MESSAGES, FIELDS };

static const char *const names[FIELDS] = {"type", "message_id", "role", "delta",
	"tool_call_id", "tool_call_name", "parent_message_id", "content", "messages"};

static bool starts(struct jv type, const char *head)
{
	return str_starts(jv_plain(type), str_of(head));
}

static bool is_event(struct jv type)
{
	static const char *const heads[] = {"TEXT_MESSAGE_", "TOOL_CALL_", "RUN_",
		"STEP_", "STATE_", "MESSAGES_SNAPSHOT", "ACTIVITY_", "REASONING_",
		"THINKING_", "CUSTOM", "RAW"};

	for (size_t i = 0; type.kind == J_STRING && i < sizeof(heads) / sizeof(*heads);
		i++)
		if (starts(type, heads[i]))
			return true;
	return false;
}

static struct agui_part *add_part(struct agui *a, enum agui_said kind, struct jv id)
{
	struct agui_part *p;

	a->parts = mem_grow(a->parts, &a->cap, a->count + 1, sizeof(*a->parts));
	p = &a->parts[a->count++];
	*p = (struct agui_part){.kind = kind, .id = id};
	return p;
}

static uint64_t key_of(enum agui_said kind, struct jv id)
{
	return jv_hash(id) * 31 + (uint64_t)kind;
}

/* The part of a kind with an id, perhaps new. */
static struct agui_part *part_of(struct agui *a, enum agui_said kind, struct jv id)
{
	uint64_t key = key_of(kind, id);
	uint32_t at = idmap_find(&a->ids, key);

	if (at != MAP_NONE)
		return &a->parts[at];
	idmap_add(&a->ids, key, (uint32_t)a->count);
	return add_part(a, kind, id);
}

static void add_text(struct agui *a, const struct jv *f)
{
	struct agui_part *p = part_of(a, SAID_TEXT, f[MESSAGE_ID]);

	if (p->role.kind == J_NONE)
		p->role = f[ROLE];
	json_copy_body(&p->body, f[DELTA]);
}

static void add_thought(struct agui *a, const struct jv *f)
{
	bool begins = jv_is(f[TYPE], STR("REASONING_START")) ||
		      jv_is(f[TYPE], STR("THINKING_START"));

	if (starts(f[TYPE], "REASONING_ENCRYPTED"))
		return;
	if (begins || !a->thought) {
		add_part(a, SAID_THOUGHT, f[MESSAGE_ID]);
		a->thought = a->count;
	}
	json_copy_body(&a->parts[a->thought - 1].body, f[DELTA]);
	if (jv_is(f[TYPE], STR("REASONING_END")) || jv_is(f[TYPE], STR("THINKING_END")))
		a->thought = 0;
}

static void add_call(struct agui *a, const struct jv *f)
{
	struct agui_part *p;

	if (starts(f[TYPE], "TOOL_CALL_RESULT")) {
		add_part(a, SAID_RESULT, f[CALL_ID])->value = f[CONTENT];
		return;
	}
	p = part_of(a, SAID_CALL, f[CALL_ID]);
	if (!jv_null(f[NAME]))
		p->name = f[NAME];
	if (!jv_null(f[PARENT]))
		p->parent = f[PARENT];
	json_copy_body(&p->body, f[DELTA]);
}

static bool add_event(struct agui *a, struct jv event)
{
	struct jv f[FIELDS];

	if (event.kind != J_OBJECT)
		return false;
	jv_members(event, names, f, FIELDS);
	if (!is_event(f[TYPE]))
		return false;
	if (starts(f[TYPE], "TEXT_MESSAGE_"))
		add_text(a, f);
	else if (starts(f[TYPE], "REASONING_") || starts(f[TYPE], "THINKING_"))
		add_thought(a, f);
	else if (starts(f[TYPE], "TOOL_CALL_"))
		add_call(a, f);
	else if (f[MESSAGES].kind == J_ARRAY && starts(f[TYPE], "MESSAGES_SNAPSHOT"))
		add_part(a, SAID_SNAPSHOT, (struct jv)JV_NONE)->value = f[MESSAGES];
	return true;
}

/* ---- what was said ---- */

/* A message as the protocol's snapshots write it. */
static void say_message(struct talk *t, struct jv message)
{
	enum { M_ROLE, M_CONTENT, M_COUNT };
	static const char *const members[M_COUNT] = {"role", "content"};
	struct jv f[M_COUNT];

	jv_members(message, members, f, M_COUNT);
	if (jv_is(f[M_ROLE], STR("activity")))
		return;
	if (!jv_is(f[M_ROLE], STR("reasoning"))) {
		body_add_message(t, message, "assistant");
		return;
	}
	talk_begin(t, (struct jv)JV_NONE, "assistant");
	talk_thinking(t, f[M_CONTENT]);
	talk_end(t);
}

static void say_messages(struct talk *t, struct jv list)
{
	struct jv message;

	for (struct jwalk w = jwalk_of(list); jwalk_next(&w, NULL, &message);)
		if (message.kind == J_OBJECT)
			say_message(t, message);
}

static void write_call(struct talk *t, const struct agui_part *p)
{
	talk_call(t, p->id, p->name,
		p->body.len ? content_string(buf_view(&p->body), t->arena)
			    : (struct jv)JV_NONE);
}

/* Calls stand in the message that they name as theirs. */
static void link_calls(struct agui *a)
{
	for (size_t i = 0; i < a->count; i++) {
		struct agui_part *p = &a->parts[i], *of;
		uint32_t at = p->kind != SAID_CALL || jv_null(p->parent)
				      ? MAP_NONE
				      : idmap_find(&a->ids, key_of(SAID_TEXT, p->parent));

		if (at == MAP_NONE || at > i)
			continue;
		of = &a->parts[at];
		*(of->calls ? &a->parts[of->last_call - 1].next_call : &of->calls) =
			i + 1;
		of->last_call = i + 1;
		p->written = true;
	}
}

static void say_part(struct talk *t, struct agui *a, size_t at)
{
	struct agui_part *p = &a->parts[at];
	struct jv text = p->body.len ? content_string(buf_view(&p->body), t->arena)
				     : (struct jv)JV_NONE;

	if (p->written || (p->kind == SAID_THOUGHT && !p->body.len))
		return; /* nothing, or said before */
	if (p->kind == SAID_SNAPSHOT) {
		say_messages(t, p->value);
		return;
	}
	if (p->kind == SAID_RESULT)
		talk_begin(t, (struct jv)JV_NONE, "tool");
	else
		talk_begin(t, p->kind == SAID_TEXT ? p->role : (struct jv)JV_NONE,
			"assistant");
	if (p->kind == SAID_RESULT)
		talk_result(t, p->id, (struct jv)JV_NONE, p->value, false);
	else if (p->kind == SAID_THOUGHT)
		talk_thinking(t, text);
	else if (p->kind == SAID_TEXT)
		talk_text(t, text);
	else
		write_call(t, p);
	if (p->kind == SAID_TEXT)
		for (size_t n = p->calls; n; n = a->parts[n - 1].next_call)
			write_call(t, &a->parts[n - 1]);
	talk_end(t);
}

static void agui_done(struct agui *a)
{
	for (size_t i = 0; i < a->count; i++)
		buf_done(&a->parts[i].body);
	mem_free(a->parts);
	idmap_done(&a->ids);
}

/* Whether most of what is there are events; a stream may hold what is none. */
static bool read_events(struct agui *a, struct jv value)
{
	struct jv event;
	size_t events = 0, others = 0;

	if (value.kind != J_ARRAY)
		return add_event(a, value);
	for (struct jwalk w = jwalk_of(value);
		(events || others < 4) && jwalk_next(&w, NULL, &event);) {
		if (add_event(a, event))
			events++;
		else
			others++;
	}
	return events > others;
}

static bool read_agui(struct talk *t, struct jv value, enum prefer side)
{
	struct agui a = {0};
	bool is;

	is = (value.kind == J_ARRAY || value.kind == J_OBJECT) &&
	     read_events(&a, value) && a.count;
	if (is)
		link_calls(&a);
	for (size_t i = 0; is && i < a.count; i++)
		say_part(t, &a, i);
	agui_done(&a);
	return is;
}

const struct dialect dialect_agui = {"ag-ui", read_agui};
