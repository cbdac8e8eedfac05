/*
 * The events of the AG-UI protocol as an array: texts by the id of their message, calls
 * with arguments in pieces, thoughts, results, and snapshots of all messages, which stand
 * for all that came before.  What the run was given is the input: what comes before the
 * first piece of an answer.
 */
#include "config.h"
#include "chat/dialect_ag_ui.h"

#include "base/map.h"
#include "base/mem.h"
#include "chat/dialect.h"
#include "json/copy.h"

bool ag_ui_is_type(struct str type)
{
	static const char *const begins[] = {"RUN_", "STEP_", "TEXT_MESSAGE_",
		"TOOL_CALL_", "REASONING_", "THINKING_", "STATE_SNAPSHOT", "STATE_DELTA",
		"MESSAGES_SNAPSHOT", "ACTIVITY_SNAPSHOT", "ACTIVITY_DELTA"};

	if (str_equal(type, STR("RAW")) || str_equal(type, STR("CUSTOM")))
		return true;
	for (size_t i = 0; i < sizeof(begins) / sizeof(*begins); i++)
		if (str_starts(type, str_of(begins[i])))
			return true;
	return false;
}

/* ---- what events bring ---- */

enum part_kind { SAID, THOUGHT, CALLED, GAVE, WHOLE };

struct part {
	enum part_kind kind;
	struct jv id, role, name;
	struct jv value;  /* GAVE: the content; WHOLE: a message of a snapshot */
	struct buf body;  /* the inside of a JSON string */
	size_t calls;     /* SAID: the first of its calls, from 1; 0: none */
	size_t next;      /* CALLED: the next of its message */
	bool attached;    /* CALLED: of a message */
};

struct run {
	struct part *parts;
	size_t count, cap;
	struct idmap ids[GAVE]; /* by kind: number of the part */
	size_t last[GAVE];      /* the one that goes on, from 1; 0: none */
	struct jv error;
};

enum field { TYPE, MESSAGE_ID, ROLE, DELTA, CALL_ID, CALL_NAME, PARENT, CONTENT, MESSAGES,
	INPUT, FIELDS };
static const char *const names[FIELDS] = {
	[TYPE] = "type",
	[MESSAGE_ID] = "message_id",
	[ROLE] = "role",
	[DELTA] = "delta",
	[CALL_ID] = "tool_call_id",
	[CALL_NAME] = "tool_call_name",
	[PARENT] = "parent_message_id",
	[CONTENT] = "content",
	[MESSAGES] = "messages",
	[INPUT] = "input",
};

static struct part *add_part(struct run *r, enum part_kind kind)
{
	r->parts = mem_grow(r->parts, &r->cap, r->count + 1, sizeof(*r->parts));
	r->parts[r->count] = (struct part){.kind = kind};
	return &r->parts[r->count++];
}

/* The part with an id, perhaps new; without an id the one that goes on. */
static struct part *part_of(struct run *r, enum part_kind kind, struct jv id)
{
	uint32_t known;

	if (jv_empty(id) && r->last[kind])
		return &r->parts[r->last[kind] - 1];
	known = jv_empty(id) ? MAP_NONE : idmap_find(&r->ids[kind], jv_hash(id));
	if (known == MAP_NONE) {
		known = (uint32_t)r->count;
		add_part(r, kind)->id = id;
		if (!jv_empty(id))
			idmap_add(&r->ids[kind], jv_hash(id), known);
	}
	r->last[kind] = known + 1;
	return &r->parts[known];
}

static void add_text(struct run *r, const struct jv v[FIELDS])
{
	struct part *p;

	if (jv_empty(v[MESSAGE_ID]) && !r->last[SAID] && v[ROLE].kind == J_NONE)
		return;
	p = part_of(r, SAID, v[MESSAGE_ID]);
	if (p->role.kind == J_NONE)
		p->role = v[ROLE];
	json_copy_body(&p->body, v[DELTA]);
}

static void attach(struct run *r, size_t call, struct jv parent)
{
	uint32_t message = jv_empty(parent) ? MAP_NONE
					    : idmap_find(&r->ids[SAID], jv_hash(parent));
	size_t *end;

	if (message == MAP_NONE || r->parts[call].attached)
		return;
	r->parts[call].attached = true;
	for (end = &r->parts[message].calls; *end; end = &r->parts[*end - 1].next)
		;
	*end = call + 1;
}

static void add_call(struct run *r, const struct jv v[FIELDS])
{
	struct part *p;

	if (jv_empty(v[CALL_ID]) && !r->last[CALLED])
		return;
	p = part_of(r, CALLED, v[CALL_ID]);
	if (p->name.kind == J_NONE)
		p->name = v[CALL_NAME];
	json_copy_body(&p->body, v[DELTA]);
	attach(r, (size_t)(p - r->parts), v[PARENT]);
}

static void add_result(struct run *r, const struct jv v[FIELDS])
{
	uint32_t call = jv_empty(v[CALL_ID])
				? MAP_NONE
				: idmap_find(&r->ids[CALLED], jv_hash(v[CALL_ID]));
	struct part *p = add_part(r, GAVE);

	p->id = v[CALL_ID];
	p->value = v[CONTENT];
	if (call != MAP_NONE)
		p->name = r->parts[call].name;
}

static void add_whole(struct run *r, struct jv messages)
{
	struct jwalk w;
	struct jv key, message;

	jwalk_begin(&w, messages);
	while (messages.kind == J_ARRAY && jwalk_next(&w, &key, &message))
		if (message.kind == J_OBJECT)
			add_part(r, WHOLE)->value = message;
}

static void forget(struct run *r)
{
	for (size_t i = 0; i < r->count; i++)
		buf_done(&r->parts[i].body);
	r->count = 0;
	for (int kind = 0; kind < GAVE; kind++) {
		idmap_done(&r->ids[kind]);
		r->ids[kind] = (struct idmap){0};
		r->last[kind] = 0;
	}
}

/* A thought has no id that all its events name: it goes on until another begins. */
static void add_thought(struct run *r, struct str type, struct jv delta)
{
	if (str_equal(type, STR("REASONING_START")) ||
		str_equal(type, STR("THINKING_START")))
		r->last[THOUGHT] = 0;
	if (delta.kind == J_STRING)
		json_copy_body(&part_of(r, THOUGHT, (struct jv)JV_NONE)->body, delta);
}

static void add_event(struct run *r, struct jv event)
{
	struct jv v[FIELDS];
	struct str type;

	jv_members(event, names, v, FIELDS);
	type = jv_plain(v[TYPE]);
	if (str_starts(type, STR("TEXT_MESSAGE_"))) {
		add_text(r, v);
	} else if (str_starts(type, STR("THINKING_")) ||
		   str_starts(type, STR("REASONING_"))) {
		add_thought(r, type, v[DELTA]);
	} else if (str_equal(type, STR("TOOL_CALL_RESULT"))) {
		add_result(r, v);
	} else if (str_starts(type, STR("TOOL_CALL_"))) {
		add_call(r, v);
	} else if (str_equal(type, STR("MESSAGES_SNAPSHOT"))) {
		forget(r);
		add_whole(r, v[MESSAGES]);
	} else if (str_equal(type, STR("RUN_STARTED"))) {
		add_whole(r, jv_member(v[INPUT], "messages"));
	} else if (str_equal(type, STR("RUN_ERROR"))) {
		r->error = event;
	}
}

/* ---- writing ---- */

struct writing {
	struct talk *talk;
	const struct run *run;
	enum prefer side;
	bool open, said; /* a message is, and has a text */
};

static void close_message(struct writing *w)
{
	if (w->open)
		talk_end(w->talk);
	w->open = w->said = false;
}

static void open_message(struct writing *w, struct jv role)
{
	if (!w->open)
		talk_begin(w->talk, role, "assistant");
	w->open = true;
}

static struct jv body_string(const struct writing *w, const struct part *p)
{
	struct buf text = BUF_INIT;
	struct jv string;

	buf_byte(&text, '"');
	buf_str(&text, buf_view(&p->body));
	buf_byte(&text, '"');
	string = jv_parse(arena_dup(w->talk->arena, buf_view(&text)));
	buf_done(&text);
	return string;
}

static void write_call(struct writing *w, const struct part *p)
{
	open_message(w, JV_NONE);
	talk_call(w->talk, p->id, p->name,
		p->body.len ? body_string(w, p) : (struct jv)JV_NONE);
}

static void write_said(struct writing *w, const struct part *p)
{
	bool assistant = jv_null(p->role) || jv_is(p->role, STR("assistant"));

	if (!p->body.len && !p->calls)
		return;
	if (w->said || !assistant)
		close_message(w);
	open_message(w, p->role);
	if (p->body.len)
		talk_text(w->talk, body_string(w, p));
	w->said = true;
	for (size_t i = p->calls; i; i = w->run->parts[i - 1].next)
		write_call(w, &w->run->parts[i - 1]);
	if (!assistant)
		close_message(w);
}

static void write_thought(struct writing *w, const struct part *p)
{
	if (!p->body.len)
		return;
	if (w->said)
		close_message(w);
	open_message(w, JV_NONE);
	talk_thinking(w->talk, body_string(w, p));
}

/* What an agent does beside the talk is no message. */
static void write_whole(struct writing *w, struct jv message)
{
	struct jv role = jv_member(message, "role");

	close_message(w);
	if (jv_is(role, STR("activity")))
		return;
	if (jv_is(role, STR("reasoning"))) {
		talk_begin(w->talk, JV_NONE, "assistant");
		talk_thinking(w->talk, jv_member(message, "content"));
		talk_end(w->talk);
	} else if (!dialect_openai.read(w->talk, message, w->side)) {
		talk_add_raw(w->talk, message);
	}
}

static void write_part(struct writing *w, const struct part *p)
{
	switch (p->kind) {
	case SAID:
		write_said(w, p);
		break;
	case THOUGHT:
		write_thought(w, p);
		break;
	case CALLED:
		if (!p->attached)
			write_call(w, p);
		break;
	case GAVE:
		close_message(w);
		talk_begin(w->talk, JV_NONE, "tool");
		talk_result(w->talk, p->id, p->name, p->value, false);
		talk_end(w->talk);
		break;
	case WHOLE:
		write_whole(w, p->value);
		break;
	}
}

static bool is_answer(const struct part *p)
{
	return p->kind == THOUGHT || p->kind == CALLED ||
	       (p->kind == SAID &&
		       (jv_null(p->role) || jv_is(p->role, STR("assistant"))));
}

/* How many parts are what the run was given.  Where a snapshot has all, that is up to the
 * last which is not the assistant's. */
static size_t given(const struct run *r)
{
	size_t n = 0;

	while (n < r->count && !is_answer(&r->parts[n]))
		n++;
	if (n < r->count)
		return n;
	while (n && r->parts[n - 1].kind == WHOLE &&
		(jv_is(jv_member(r->parts[n - 1].value, "role"), STR("assistant")) ||
			jv_is(jv_member(r->parts[n - 1].value, "role"),
				STR("reasoning"))))
		n--;
	return n;
}

static bool is_events(struct jv value)
{
	struct jwalk w;
	struct jv key, item;

	jwalk_begin(&w, value);
	return value.kind == J_ARRAY && jwalk_next(&w, &key, &item) &&
	       item.kind == J_OBJECT && ag_ui_is_type(jv_plain(jv_member(item, "type")));
}

static bool read(struct talk *t, struct jv value, enum prefer side)
{
	struct run r = {0};
	struct writing w = {.talk = t, .run = &r, .side = side};
	struct jwalk walk;
	struct jv key, event;
	size_t split;

	if (!is_events(value))
		return false;
	jwalk_begin(&walk, value);
	while (jwalk_next(&walk, &key, &event))
		add_event(&r, event);
	split = given(&r);
	for (size_t i = side == PREFER_INPUT ? 0 : split;
		i < (side == PREFER_INPUT ? split : r.count); i++)
		write_part(&w, &r.parts[i]);
	close_message(&w);
	if (side != PREFER_INPUT && r.error.kind != J_NONE)
		t->error = r.error;
	forget(&r);
	mem_free(r.parts);
	return true;
}

const struct dialect dialect_ag_ui = {.name = "ag-ui", .read = read};
