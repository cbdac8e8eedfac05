/*
 * Joining a chat stream (see stream.h).  Events become pieces: a run of text, a call, a
 * result.  A result finds its call by `tool_use_id`, else by `index`, else by the tool's
 * name in order.  What the last event says in full then completes or replaces them: its
 * tool history gives the outputs, its message the cleaned text.
 */
#include "config.h"
#include "import/stream.h"

#include "base/map.h"
#include "base/mem.h"
#include "chat/side.h"
#include "dialect/chunk.h"
#include "dialect/dialect.h"
#include "json/json.h"

/* ---- envelopes: requests ---- */

static void say(struct message_writer *t, const char *role, struct jv text)
{
	AUTO_BUF body = BUF_INIT;

	json_copy_body(&body, text);
	emit_said(t, role, buf_view(&body));
}

struct jv envelope_request(struct jv request, struct arena *arena)
{
	struct message_writer t = {.arena = arena};
	struct jv history = jv_member(request, "conversation_history");
	struct jv message = jv_member(request, "message");

	JV_ITEMS(item, side_open_string(history, arena))
		emit_add_raw(&t, item);
	if (!jv_empty(message) || !t.count)
		say(&t, "user", message);
	return emit_take(&t);
}

struct jv envelope_context(struct jv request, struct str *page, struct arena *arena)
{
	struct jv context = side_open_string(jv_member(request, "context"), arena);
	struct jv named = jv_member(context, "current_page");

	*page = named.kind == J_STRING ? jv_keep(named, arena) : (struct str){0};
	return context;
}

/* ---- responses ---- */

/* An entry of `tool_history`. */
struct tool_use {
	struct jv name, input, output; /* J_NONE: not said */
	struct jv id;
	bool error;
};
/* Borrows the values of the entry. */
static struct tool_use tool_use_read(struct jv entry)
{
	struct tool_use use = {0};

	JV_MEMBERS(v, entry, tool_name, name, tool, input, arguments, parameters, output,
		result, tool_use_id, tool_call_id, is_error);
	for (const struct jv *n = &v.tool_name; n <= &v.tool && use.name.kind != J_STRING;
		n++)
		use.name = *n;
	for (const struct jv *g = &v.input;
		g <= &v.parameters && use.input.kind == J_NONE; g++)
		use.input = *g;
	use.output = v.output.kind != J_NONE ? v.output : v.result;
	use.id = v.tool_use_id.kind != J_NONE ? v.tool_use_id : v.tool_call_id;
	use.error = v.is_error.kind == J_TRUE;
	return use;
}

/* By what a call and its result are paired: an id of the file, or else a made-up one,
 * kind[number]. */
static struct jv tool_use_id(
	struct jv id, const char *kind, size_t number, struct arena *arena)
{
	struct buf made = BUF_INIT;

	if (id.kind == J_STRING || id.kind == J_NUMBER)
		return id;
	buf_printf(&made, "\"%s[%zu]\"", kind, number);
	return json_kept(&made, arena);
}

/* Its call, and its result if there is one; `number`: its place in the history. */
static void tool_use_write(
	struct message_writer *t, const struct tool_use *use, size_t number)
{
	struct jv id = tool_use_id(use->id, "tool_history", number, t->arena);

	emit_tool_call(t, id, use->name, use->input);
	if (use->output.kind != J_NONE)
		emit_tool_result(t, id, use->name, use->output, use->error);
}

struct jv envelope_response(struct jv response, struct arena *arena)
{
	struct message_writer t = {.arena = arena};
	struct jv message = jv_member(response, "message");

	JV_ITEMS(entry, jv_member(response, "tool_history")) {
		struct tool_use use = tool_use_read(entry);

		tool_use_write(&t, &use, entry_walk.index);
	}
	if (!jv_empty(message) || !t.count)
		say(&t, "assistant", message);
	return emit_take(&t);
}

#define NO_CALL SIZE_MAX

enum assembled_kind { TEXT, CALL, RESULT };

struct stream_piece {
	enum assembled_kind kind;
	size_t at, end;      /* TEXT: its body, in `texts` */
	struct tool_use use; /* CALL: name, id, input; RESULT: name, id, output */
	size_t call;         /* RESULT: the number of its call, or NO_CALL */
	struct jv payload;   /* RESULT: beside the output, or instead of it */
};

/* Calls in the order in which they began. */
struct started {
	size_t piece;
	size_t index;     /* as the event says, else SIZE_MAX */
	size_t next;      /* the next of the same name that waits */
	bool completed;   /* a result came */
	struct jv output; /* as the tool history has it, when no result said one */
};

/* The calls of one tool, in order: the first without a result, the first that the history
 * has not named yet. */
struct queue {
	size_t open, unmatched, last;
};

struct assembly {
	struct arena *arena;
	struct stream_piece *pieces;
	size_t count, cap;
	struct started *calls;
	size_t call_count, call_cap;
	struct intern names;  /* of tools */
	struct queue *queues; /* by number of the name */
	size_t queue_cap;
	size_t open;      /* all calls before it have their results */
	struct idmap ids; /* of calls that have one → number of the call */
	struct buf texts;
	struct jv payload;      /* of `complete` */
	struct jv tool_payload; /* the last */
};

static struct stream_piece *add_piece(struct assembly *a, enum assembled_kind kind)
{
	MEM_ROOM(a->pieces, a->cap, a->count + 1);
	a->pieces[a->count] = (struct stream_piece){.kind = kind, .call = NO_CALL};
	return &a->pieces[a->count++];
}

/* ---- text ---- */

static struct jv first_of(struct jv object, const char *const names[], size_t n)
{
	struct jv v[8];

	jv_members(object, names, v, n);
	for (size_t i = 0; i < n; i++)
		if (!jv_null(v[i]))
			return v[i];
	return JV_NONE;
}

/* The text at the end, or NULL when a call or result comes last. */
static struct stream_piece *last_text(struct assembly *a)
{
	struct stream_piece *last = a->count ? &a->pieces[a->count - 1] : NULL;

	return last && last->kind == TEXT ? last : NULL;
}

static void add_body(struct assembly *a, struct str body)
{
	struct stream_piece *last = last_text(a);

	if (!body.n)
		return;
	if (!last) {
		last = add_piece(a, TEXT);
		last->at = a->texts.len;
	}
	buf_str(&a->texts, body);
	last->end = a->texts.len;
}

/* ---- calls ---- */

static struct queue *queue_of(struct assembly *a, struct jv name)
{
	AUTO_BUF text = BUF_INIT;
	size_t before = a->names.count;
	uint32_t number;

	if (name.kind == J_STRING)
		jv_decode(name, &text);
	number = intern_add(&a->names, buf_view(&text));
	MEM_ROOM(a->queues, a->queue_cap, a->names.count);
	if (a->names.count > before)
		a->queues[number] = (struct queue){NO_CALL, NO_CALL, NO_CALL};
	return &a->queues[number];
}

static uint64_t id_key(struct jv id)
{
	if (id.kind != J_STRING && id.kind != J_NUMBER)
		return 0;
	return jv_hash(id) | 1;
}

static size_t index_of(struct jv event)
{
	double index;

	return jv_number(jv_member(event, "index"), &index) && index >= 0 && index < 1e9
		       ? (size_t)index
		       : SIZE_MAX;
}

static void add_call(struct assembly *a, struct jv event)
{
	size_t number = a->call_count;
	struct stream_piece *p = add_piece(a, CALL);
	struct queue *q;

	p->use = tool_use_read(event);
	q = queue_of(a, p->use.name);
	MEM_ROOM(a->calls, a->call_cap, number + 1);
	a->calls[a->call_count++] = (struct started){
		.piece = a->count - 1, .index = index_of(event), .next = NO_CALL};
	if (q->last != NO_CALL)
		a->calls[q->last].next = number;
	if (q->open == NO_CALL)
		q->open = number;
	if (q->unmatched == NO_CALL)
		q->unmatched = number;
	q->last = number;
	if (id_key(p->use.id))
		idmap_add(&a->ids, id_key(p->use.id), (uint32_t)number);
}

static size_t find_call(struct assembly *a, const struct tool_use *use, struct jv event)
{
	uint64_t key = id_key(use->id);
	uint32_t known = key ? idmap_find(&a->ids, key) : MAP_NONE;
	size_t call = index_of(event);
	const struct started *c = call < a->call_count ? &a->calls[call] : NULL;
	struct queue *q;

	if (known != MAP_NONE)
		/* A known id is that of a call. */
		/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
		return a->calls[known].completed ? NO_CALL : known;
	/* the call that `index` means: the one that says so, which then stands at that
	 * place among all, or the one at that place; else the first of that name that has
	 * no result yet; without a name, of any */
	if (!c || c->completed || (c->index != SIZE_MAX && c->index != call) ||
		(use->name.kind == J_STRING &&
			!jv_same_text(a->pieces[c->piece].use.name, use->name))) {
		while (a->open < a->call_count && a->calls[a->open].completed)
			a->open++;
		call = a->open < a->call_count ? a->open : NO_CALL;
		if (use->name.kind == J_STRING) {
			q = queue_of(a, use->name);
			while (q->open != NO_CALL && a->calls[q->open].completed)
				q->open = a->calls[q->open].next;
			call = q->open;
		}
	}
	/* an id that no call has belongs to none that has one */
	if (call != NO_CALL && key && id_key(a->pieces[a->calls[call].piece].use.id))
		return NO_CALL;
	return call;
}

/* {type, data}: what a tool gives for the page. */
static bool is_payload(struct jv v)
{
	return v.kind == J_OBJECT && jv_member(v, "type").kind == J_STRING &&
	       jv_member(v, "data").kind != J_NONE;
}

static void add_result(struct assembly *a, struct jv event)
{
	static const char *const names[] = {"output", "result", "content", "text"};
	struct tool_use use = tool_use_read(event);
	size_t call = find_call(a, &use, event);
	struct stream_piece *p = add_piece(a, RESULT);
	struct jv payload = jv_member(event, "payload"), inner;

	p->use = use;
	p->use.output = first_of(event, names, 4);
	p->call = call;
	/* the payload stands beside the output or in it */
	inner = jv_member(side_open_string(p->use.output, a->arena), "payload");
	if (!jv_null(payload))
		p->payload = payload;
	if (is_payload(payload) || is_payload(inner))
		a->tool_payload = is_payload(payload) ? payload : inner;
	if (call == NO_CALL)
		return;
	a->calls[call].completed = true;
	if (p->use.name.kind != J_STRING)
		p->use.name = a->pieces[a->calls[call].piece].use.name;
}

/* ---- the last event ---- */

static void add_event(struct assembly *a, const struct stream_event *e)
{
	static const char *const names[] = {"text", "delta", "content"};
	AUTO_BUF body = BUF_INIT;
	struct jv value;

	switch (e->mark.kind) {
	case STREAM_TEXT:
		value = first_of(e->value, names, 3);
		if (value.kind == J_STRING)
			json_copy_body(&body, value);
		else if (e->value.kind == J_STRING)
			json_copy_body(&body, e->value);
		add_body(a, buf_view(&body));
		break;
	case STREAM_TOOL_START:
		add_call(a, e->value);
		break;
	case STREAM_TOOL_COMPLETE:
		add_result(a, e->value);
		break;
	case STREAM_COMPLETE:
		value = side_open_string(jv_member(e->value, "payload"), a->arena);
		a->payload = value.kind == J_OBJECT ? value : e->value;
		break;
	default:
		break;
	}
}

/* ---- the cleaned message ---- */

static struct str piece_body(const struct assembly *a, const struct stream_piece *p)
{
	return (struct str){a->texts.data + p->at, p->end - p->at};
}

static void decode_body(struct buf *out, struct str body)
{
	AUTO_BUF quoted = BUF_INIT;

	buf_byte(&quoted, '"');
	buf_str(&quoted, body);
	buf_byte(&quoted, '"');
	jv_decode(jv_parse(buf_view(&quoted)), out);
}

/*
 * What the message says after the texts that come before calls.  The message may repeat
 * those texts; if it does not, it is only what came last.
 */
static struct str after_earlier(
	const struct assembly *a, struct str message, const struct stream_piece *last)
{
	struct str rest = str_trim(message);

	for (size_t i = 0; i < a->count; i++) {
		AUTO_BUF text = BUF_INIT;
		struct str t;

		if (a->pieces[i].kind != TEXT || &a->pieces[i] == last)
			continue;
		decode_body(&text, piece_body(a, &a->pieces[i]));
		t = str_trim(buf_view(&text));
		if (!str_starts(rest, t))
			return message;
		rest = str_trim(str_skip(rest, t.n));
	}
	return rest;
}

/* The message of the payload is what the reader was shown: it takes the place of the
 * last deltas, unless the text of all deltas, or of those at the end, is the same. */
static void take_message(struct assembly *a)
{
	struct jv message = jv_member(a->payload, "message");
	AUTO_BUF text = BUF_INIT, body = BUF_INIT, all = BUF_INIT, end = BUF_INIT;
	struct stream_piece *last = last_text(a);
	struct str said;

	if (message.kind != J_STRING || jv_empty(message))
		return;
	jv_decode(message, &text);
	decode_body(&all, buf_view(&a->texts));
	if (last)
		decode_body(&end, piece_body(a, last));
	said = str_trim(buf_view(&text));
	if (str_equal(str_trim(buf_view(&all)), said) ||
		str_equal(str_trim(buf_view(&end)), said))
		return;
	json_copy_text(&body, after_earlier(a, buf_view(&text), last));
	if (last)
		a->count--;
	add_body(a, buf_view(&body));
}

/* ---- writing ---- */

static struct jv call_id(const struct assembly *a, size_t number)
{
	const struct stream_piece *p = &a->pieces[a->calls[number].piece];

	return tool_use_id(p->use.id, "tool_start", number, a->arena);
}

/* Writes the results that only the history has, after their calls. */
static void write_history(
	const struct assembly *a, struct message_writer *t, size_t first, size_t end)
{
	for (; first < end; first++) {
		const struct started *c = &a->calls[first];

		if (!c->completed && c->output.kind != J_NONE)
			emit_tool_result(t, call_id(a, first),
				a->pieces[c->piece].use.name, c->output, false);
	}
}

static void write_pieces(
	const struct assembly *a, struct message_writer *t, size_t from, size_t to)
{
	size_t call = 0, in_history = 0;

	for (size_t i = from; i < to; i++) {
		const struct stream_piece *p = &a->pieces[i];
		struct jv id, output = p->use.output;
		struct buf both = BUF_INIT;

		if (p->kind == CALL) {
			emit_tool_call(t, call_id(a, call++), p->use.name, p->use.input);
			continue;
		}
		write_history(a, t, in_history, call);
		in_history = call;
		if (p->kind == TEXT) {
			emit_said(t, "assistant", piece_body(a, p));
			continue;
		}
		id = p->call != NO_CALL
			     ? call_id(a, p->call)
			     : tool_use_id(p->use.id, "tool_complete", i, a->arena);
		if (p->call != NO_CALL && output.kind == J_NONE)
			output = a->calls[p->call].output;
		/* text and payload of a tool are in one value, as tools give them */
		if (jv_null(output) && !jv_null(p->payload) && !is_payload(p->payload)) {
			output = p->payload;
		} else if (!jv_null(p->payload)) {
			buf_byte(&both, '{');
			if (!jv_null(output))
				json_put(&both, "text", output);
			json_put(&both, "payload", p->payload);
			buf_byte(&both, '}');
			output = json_kept(&both, a->arena);
		}
		emit_tool_result(t, id, p->use.name, output, p->use.error);
	}
	write_history(a, t, in_history, call);
}

/* What the stream lacks of a call is taken from the history.  Calls that only the history
 * has are written before the last text. */
static void write_all(struct assembly *a, struct message_writer *t)
{
	AUTO(emit_done) struct message_writer unknown = {.arena = a->arena};
	size_t last;

	JV_ITEMS(entry, jv_member(a->payload, "tool_history")) {
		struct tool_use use = tool_use_read(entry), *began;
		struct queue *q = queue_of(a, use.name);
		struct started *c =
			q->unmatched == NO_CALL ? NULL : &a->calls[q->unmatched];

		if (!c) {
			tool_use_write(&unknown, &use, entry_walk.index);
			continue;
		}
		q->unmatched = c->next;
		c->output = use.output;
		began = &a->pieces[c->piece].use;
		if (began->input.kind == J_NONE)
			began->input = use.input;
	}
	take_message(a);
	last = last_text(a) ? a->count - 1 : a->count;
	write_pieces(a, t, 0, last);
	emit_add(t, &unknown);
	write_pieces(a, t, last, a->count);
}

/* ---- the elements ---- */

/* The payload of the response, with that of the last tool where it names none. */
static struct jv elements(const struct assembly *a)
{
	static const char *const names[] = {"custom_payload", "suggested_values",
		"suggested_actions", "tool_history", "message"};
	bool payload = first_of(a->payload, names, 5).kind != J_NONE;
	struct buf out = BUF_INIT;

	if (a->tool_payload.kind == J_NONE ||
		!jv_null(jv_member(a->payload, "custom_payload")))
		return payload ? a->payload : JV_NONE;
	buf_byte(&out, '{');
	JV_PAIRS(key, value, payload ? a->payload : JV_NONE)
		if (!jv_key_is(key, STR("custom_payload")))
			json_put_pair(&out, key, value);
	json_put(&out, "custom_payload", a->tool_payload);
	buf_byte(&out, '}');
	return json_kept(&out, a->arena);
}

void assemble(struct assembled *out, const struct stream *s, struct arena *arena)
{
	struct assembly a = {.arena = arena};
	AUTO(emit_done) struct message_writer t = {.arena = arena};
	struct joining j = {0};

	for (size_t i = 0; i < s->count; i++)
		add_event(&a, &s->items[i]);
	write_all(&a, &t);
	if (!t.count) { /* what other vendors' chunks say */
		for (size_t i = 0; i < s->count; i++)
			chunks_add(&j, s->items[i].mark.type, s->items[i].value);
		joint_say(&j, &t);
	}
	if (!t.count && s->count) /* what a dialect makes of all together */
		dialect_read(&t, NULL, stream_tree(s, arena), PREFER_OUTPUT);
	out->response = elements(&a);
	out->messages = t.count ? emit_take(&t) : JV_NONE;
	mem_free(a.pieces);
	mem_free(a.calls);
	mem_free(a.queues);
	intern_done(&a.names);
	idmap_done(&a.ids);
	buf_done(&a.texts);
}
