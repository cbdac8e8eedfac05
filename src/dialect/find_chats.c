/* A walk in depth with a fixed cap: see dialect.h. */
#include "config.h"
#include "dialect/dialect.h"

#include <ctype.h>

#include "base/map.h"
#include "base/mem.h"
#include "chat/identity.h"
#include "chat/side.h"
#include "json/route.h"

struct chat_finder {
	struct found_chats *found;
	struct arena *arena;
	struct buf path;
	size_t values;    /* looked at */
	struct jv inside; /* the string that was opened, or J_NONE */
};

/* ---- what conversations ---- */

/* What members mean, by the words that chat tools and agents use for it. */
enum chat_word {
	SPEAKER,
	TYPE,
	IS_USER,
	SAID,
	MESSAGE,
	THOUGHT,
	TOOL,
	NAME,
	GIVEN, /* arguments, also beside no more than a name */
	ARGUMENTS,
	RESULT,
	CALL_ID,
	CALLS,   /* a list of them */
	WRAPPED, /* an object that is a call, a result, or both */
	ORIGIN,  /* of a result, its call */
	STATUS,
	ASKED,
	ANSWERED,
	WORDS
};

#define KNOWN_MOST 16 /* words of one meaning */

/* In any case and without what joins words; of several the first that is there counts. */
static const char *const known_words[WORDS][KNOWN_MOST] = {
	[SPEAKER] = {"role", "from", "sender", "author", "speaker", "who", "sendertype",
		"direction"},
	[TYPE] = {"type", "kind", "messagetype", "event"},
	[IS_USER] = {"isuser", "fromuser"},
	[SAID] = {"content", "text", "mes", "message", "utterance", "said", "body",
		"value", "messagetext", "parts", "items", "contents", "payload", "blocks",
		"fragments", "versions"},
	[MESSAGE] = {"message"},
	[THOUGHT] = {"thought", "reasoning", "thinking"},
	[TOOL] = {"toolname", "tool", "functionname", "action"},
	[NAME] = {"name"},
	[GIVEN] = {"arguments", "args", "argumentsjson"},
	[ARGUMENTS] = {"toolinput", "toolargs", "actioninput", "args", "arguments",
		"argumentsjson", "params", "parameters", "input"},
	[RESULT] = {"tooloutput", "toolresult", "toolreturn", "observation",
		"observations", "outputpreview", "result", "output"},
	[CALL_ID] = {"callid", "toolcallid", "tooluseid"},
	[CALLS] = {"toolcalls", "toolinvocations", "tooluses", "tools", "usedtools",
		"agentthoughts", "steps", "calls", "actions"},
	[WRAPPED] = {"toolcall", "toolcallresult", "toolinvocation", "functionresult"},
	[ORIGIN] = {"origin"},
	[STATUS] = {"iserror", "error", "status"},
	[ASKED] = {"query", "question", "instruction", "prompt", "input"},
	[ANSWERED] = {"finalanswer", "answer", "response", "completion", "reply",
		"output", "modeloutput"},
};

#define CALLS_WITHIN 256 /* messages */
#define WORD_MOST    16  /* bytes of the longest, and of a speaker's */

/* The letters of a word in lower case; empty if it is too long to be known. */
static struct str letters_of(struct jv string, char letters[WORD_MOST])
{
	struct str plain = jv_plain(string), out = {letters, 0};

	for (size_t i = 0; i < plain.n; i++) {
		if (!isalpha((unsigned char)plain.p[i]))
			continue;
		if (out.n == WORD_MOST)
			return (struct str){letters, 0};
		letters[out.n++] = (char)tolower((unsigned char)plain.p[i]);
	}
	return out;
}

/* By a word for who speaks: "User", "AIMessage", "user_message"; or NULL. */
static const char *role_of_word(struct jv string)
{
	static const char *const roles[] = {[SPEAKER_USER] = "user",
		[SPEAKER_ASSISTANT] = "assistant",
		[SPEAKER_SYSTEM] = "system",
		[SPEAKER_TOOL] = "tool"};
	char letters[WORD_MOST];
	struct str word = letters_of(string, letters);
	enum speaker speaker;

	if (word.n > 7 && str_ends(word, STR("message")))
		word.n -= 7;
	if (str_equal(word, STR("agent")) || str_equal(word, STR("api")) ||
		str_equal(word, STR("outgoing")))
		return roles[SPEAKER_ASSISTANT];
	if (str_equal(word, STR("incoming")))
		return roles[SPEAKER_USER];
	speaker = word.n ? role_speaker(word) : SPEAKER_OTHER;
	return speaker == SPEAKER_OTHER ? NULL : roles[speaker];
}

/* Who speaks may be an object with its role and more. */
static struct jv speaker_of(struct jv value)
{
	static const char *const names[] = {"role", "Role", "label", "Label", "type"};
	struct jv role = value;

	for (size_t i = 0; value.kind == J_OBJECT && i < sizeof(names) / sizeof(*names);
		i++) {
		role = jv_member(value, names[i]);
		if (role.kind == J_STRING)
			break;
	}
	return role;
}

/* A text may be an object with its type, or what is said of it. */
static struct jv text_of(struct jv value)
{
	if (value.kind != J_OBJECT)
		return value;
	JV_MEMBERS(f, value, type, value, reasoning_text);
	if (f.reasoning_text.kind == J_STRING)
		return f.reasoning_text;
	return f.type.kind == J_STRING && f.value.kind == J_STRING ? f.value : value;
}

/* Where a name stands among the words for a meaning; KNOWN_MOST: it is none. */
static size_t rank_of(struct str name, enum chat_word word)
{
	size_t k = 0;

	while (k < KNOWN_MOST && known_words[word][k] &&
		!str_equal(name, str_of(known_words[word][k])))
		k++;
	return k < KNOWN_MOST && known_words[word][k] ? k : KNOWN_MOST;
}

static void read_words(struct jv object, struct jv v[WORDS])
{
	const char *type;
	size_t rank[WORDS];
	char letters[WORD_MOST];

	for (int i = 0; i < WORDS; i++) {
		v[i] = JV_NONE;
		rank[i] = KNOWN_MOST;
	}
	JV_PAIRS(key, value, object) {
		struct str name = letters_of(key, letters);

		for (int word = 0; word < WORDS && name.n && !jv_null(value); word++) {
			size_t k = rank_of(name, (enum chat_word)word);

			if (k >= rank[word])
				continue;
			rank[word] = k;
			v[word] = word == SPEAKER ? speaker_of(value)
				  : word == ASKED || word == ANSWERED || word == THOUGHT
					  ? text_of(value)
					  : value;
			/* of answers that were made again the last one is shown */
			JV_ITEMS(item, str_equal(name, STR("versions")) ? value : JV_NONE)
				v[word] = item;
		}
	}
	/* a step of the type "user_message" may say it as its output */
	type = role_of_word(v[TYPE]);
	if (v[SAID].kind == J_NONE && type && strcmp(type, "tool") != 0 &&
		str_ends(jv_plain(v[TYPE]), STR("essage"))) {
		v[SAID] = v[ANSWERED];
		v[ANSWERED] = v[RESULT] = JV_NONE;
	}
}

/* Many things have a type: it speaks only where it is a role. */
static const char *role_of(const struct jv v[WORDS])
{
	if (v[SPEAKER].kind == J_STRING)
		return role_of_word(v[SPEAKER]);
	if (v[IS_USER].kind == J_TRUE || v[IS_USER].kind == J_FALSE)
		return v[IS_USER].kind == J_TRUE ? "user" : "assistant";
	return role_of_word(v[TYPE]);
}

static bool is_text_or_container(struct jv v)
{
	return v.kind == J_STRING || v.kind == J_ARRAY || v.kind == J_OBJECT;
}

/* A question and its answer in one object. */
static bool is_pair(const struct jv v[WORDS])
{
	return v[ASKED].kind == J_STRING && v[ANSWERED].kind == J_STRING;
}

static bool calls(const struct jv v[WORDS])
{
	return (str_equal(jv_plain(v[TYPE]), STR("tool")) && v[NAME].kind == J_STRING &&
		       v[ARGUMENTS].kind != J_NONE && v[RESULT].kind != J_NONE) ||
	       (v[NAME].kind == J_STRING && v[GIVEN].kind != J_NONE &&
		       v[SPEAKER].kind == J_NONE && v[TYPE].kind == J_NONE) ||
	       (v[TOOL].kind == J_STRING &&
		       (v[ARGUMENTS].kind != J_NONE || v[RESULT].kind != J_NONE)) ||
	       (v[CALL_ID].kind == J_STRING && v[RESULT].kind != J_NONE);
}

/* The words of the call or result that an object wraps. */
static bool unwrap(const struct jv v[WORDS], struct jv inner[WORDS])
{
	struct jv origin[WORDS];

	if (v[WRAPPED].kind != J_OBJECT)
		return false;
	read_words(v[WRAPPED], inner);
	if (inner[CALL_ID].kind == J_NONE)
		inner[CALL_ID] = jv_member(v[WRAPPED], "id");
	if (inner[ORIGIN].kind == J_OBJECT) {
		read_words(inner[ORIGIN], origin);
		inner[CALL_ID] = jv_member(inner[ORIGIN], "id");
		inner[TOOL] = origin[TOOL];
	}
	if (inner[TOOL].kind == J_NONE)
		inner[TOOL] = inner[NAME];
	return calls(inner);
}

/* A step of an agent: what the model wrote or what came of it, beside a list that begins
 * with a call. */
static bool is_agent_step(const struct jv v[WORDS])
{
	struct jv first = jv_first(v[CALLS]), words[WORDS];

	if (v[SPEAKER].kind != J_NONE || first.kind != J_OBJECT ||
		(v[ANSWERED].kind != J_STRING && v[RESULT].kind != J_STRING))
		return false;
	read_words(first, words);
	return calls(words) || jv_member(first, "function").kind == J_OBJECT;
}

static bool words_speak(const struct jv v[WORDS])
{
	struct jv inner[WORDS];

	return chat_is_message(v[MESSAGE]) ||
	       ((v[SPEAKER].kind == J_STRING || role_of(v)) &&
		       is_text_or_container(v[SAID])) ||
	       calls(v) || is_pair(v) || is_agent_step(v) || unwrap(v, inner);
}

/* At least half of the objects conversation, and there are no other items. */
static bool is_conversation(struct jv array)
{
	size_t talking = 0, count = 0;

	JV_EACH(item, array) {
		struct jv v[WORDS];

		if (item.kind != J_OBJECT)
			return false;
		read_words(item, v);
		talking += words_speak(v);
		count++;
	}
	return talking && 2 * talking >= count;
}

/* A message, a call or a pair by itself: with more than a type that may be a role. */
static bool is_lone_message(struct jv object, const struct jv v[WORDS])
{
	if (is_pair(v) || (calls(v) && (v[CALL_ID].kind == J_STRING ||
					       (v[ARGUMENTS].kind != J_NONE &&
						       v[RESULT].kind != J_NONE))))
		return true;
	if (v[SPEAKER].kind != J_STRING && v[IS_USER].kind == J_NONE &&
		!str_ends(jv_plain(v[TYPE]), STR("essage")))
		return false;
	return role_of(v) && (chat_is_message(object) || is_text_or_container(v[SAID]));
}

/* Whether a dialect is worth asking: a key of an object that may be a body, or one of
 * flat attributes. */
static bool is_key_of_body(struct jv key)
{
	static const char *const names[] = {"messages", "contents", "content", "input",
		"output", "choices", "candidates", "prompt", "message", "response",
		"generations", "parts", "kwargs", "instructions", "system"};
	static const char *const flat[] = {"llm.", "gen_ai.", "ai."};
	struct str plain = jv_plain(key);

	if (STR_AMONG(plain, names))
		return true;
	for (size_t i = 0; i < sizeof(flat) / sizeof(*flat); i++)
		if (str_starts(plain, str_of(flat[i])))
			return true;
	return false;
}

/* ---- what was found ---- */

static void say_calls(struct message_writer *t, const struct jv v[WORDS])
{
	struct jv name = v[TOOL].kind == J_STRING ? v[TOOL] : v[NAME];

	if (name.kind == J_STRING && v[ARGUMENTS].kind != J_NONE)
		emit_call(t, v[CALL_ID], name, v[ARGUMENTS]);
	if (v[RESULT].kind != J_NONE)
		emit_result(t, v[CALL_ID], name, v[RESULT],
			v[STATUS].kind == J_TRUE || jv_is(v[STATUS], STR("error")));
}

static void say_list_of_calls(struct message_writer *t, struct jv list)
{
	struct jv v[WORDS];

	JV_ITEMS(item, list) {
		read_words(item.kind == J_OBJECT ? item : JV_NONE, v);
		if (calls(v))
			say_calls(t, v);
		else
			emit_block(t, item);
	}
}

/* A message that has, or whose content has, a call in words that only this walk knows and
 * the parts do not. */
static bool has_calls(const struct jv v[WORDS])
{
	struct jv item, first = jv_first(v[CALLS]), words[WORDS], inner[WORDS];
	struct jwalk w = jwalk_of(v[SAID].kind == J_ARRAY ? v[SAID] : JV_NONE);

	if (first.kind == J_OBJECT) {
		read_words(first, words);
		if (words[TOOL].kind == J_STRING && calls(words))
			return true;
	}
	if (unwrap(v, inner))
		return true;
	for (size_t n = 0; n < CALLS_WITHIN && jwalk_next(&w, NULL, &item); n++) {
		read_words(item.kind == J_OBJECT ? item : JV_NONE, words);
		if (words[TYPE].kind == J_NONE && unwrap(words, inner))
			return true;
	}
	return false;
}

bool chat_has_calls(struct jv messages)
{
	struct jv item, v[WORDS];
	struct jwalk w = jwalk_of(messages.kind == J_ARRAY ? messages : JV_NONE);

	for (size_t n = 0; n < CALLS_WITHIN && jwalk_next(&w, NULL, &item); n++) {
		read_words(item.kind == J_OBJECT ? item : JV_NONE, v);
		if (has_calls(v))
			return true;
	}
	return false;
}

static void say_one(struct message_writer *t, struct jv item)
{
	struct jv v[WORDS], inner[WORDS];
	bool open; /* its type is none that the parts know: "TextContent", "$type" */

	read_words(item.kind == J_OBJECT ? item : JV_NONE, v);
	open = v[TYPE].kind == J_NONE || str_ends(jv_plain(v[TYPE]), STR("Content")) ||
	       jv_member(item, "$type").kind == J_STRING;
	if (item.kind == J_STRING)
		emit_text(t, item);
	else if (unwrap(v, inner))
		say_calls(t, inner);
	else if (open && v[SAID].kind == J_NONE && v[THOUGHT].kind == J_STRING)
		emit_thinking(t, v[THOUGHT]);
	else if (calls(v) && open)
		say_calls(t, v);
	else if (open && v[SAID].kind == J_STRING)
		emit_text(t, v[SAID]);
	else
		emit_block(t, item);
}

static void add_text(struct message_writer *t, const char *role, struct jv text)
{
	if (text.n > 2) /* two quotes */
		emit_text_of(t, role, text);
}

/* What a value says whose words are those of a conversation, perhaps with calls in it or
 * in what it wraps. */
static void say_words(struct message_writer *t, const struct jv v[WORDS])
{
	struct jv inner[WORDS], none = JV_NONE;
	const char *role = role_of(v);
	bool wraps = unwrap(v, inner);
	bool plain = v[SPEAKER].kind == J_STRING &&
		     role_speaker(jv_plain(v[SPEAKER])) != SPEAKER_OTHER;

	emit_begin(t, role && !plain ? none : v[SPEAKER],
		role                                       ? role
		: calls(v) && v[ARGUMENTS].kind != J_NONE  ? "assistant"
		: wraps && inner[ARGUMENTS].kind != J_NONE ? "assistant"
		: calls(v) || wraps                        ? "tool"
							   : "");
	emit_thinking(t, v[THOUGHT]);
	if (v[SAID].kind == J_STRING || v[SAID].kind == J_OBJECT)
		say_one(t, v[SAID]);
	JV_ITEMS(said, v[SAID])
		say_one(t, said);
	if (wraps)
		say_calls(t, inner);
	else if (calls(v))
		say_calls(t, v);
	say_list_of_calls(t, v[CALLS]);
	emit_end(t);
}

static void add_item(struct message_writer *t, struct jv item)
{
	struct jv v[WORDS], none = JV_NONE;

	read_words(item, v);
	if (chat_is_message(item) && !has_calls(v)) {
		emit_add_raw(t, item);
	} else if (chat_is_message(v[MESSAGE])) {
		emit_add_raw(t, v[MESSAGE]);
	} else if (is_pair(v) && !calls(v)) {
		add_text(t, "user", v[ASKED]);
		if (v[ANSWERED].n <= 2 && v[CALLS].kind != J_ARRAY)
			return;
		emit_begin(t, none, "assistant");
		say_list_of_calls(t, v[CALLS]);
		emit_text(t, v[ANSWERED].n > 2 ? v[ANSWERED] : none);
		emit_end(t);
	} else if (is_agent_step(v)) {
		emit_begin(t, none, "assistant");
		emit_thinking(t, v[THOUGHT]);
		emit_text(t, v[ANSWERED]);
		say_list_of_calls(t, v[CALLS]);
		emit_end(t);
		if (v[RESULT].kind == J_NONE || v[RESULT].p == v[ANSWERED].p)
			return;
		emit_begin(t, none, "tool");
		emit_result(t, v[CALL_ID], none, v[RESULT], false);
		emit_end(t);
	} else if (words_speak(v)) {
		say_words(t, v);
	} else if (v[THOUGHT].kind == J_STRING || v[ANSWERED].kind == J_STRING) {
		emit_begin(t, JV_NONE, "assistant");
		emit_thinking(t, v[THOUGHT]);
		emit_text(t, v[ANSWERED]);
		emit_end(t);
	} else {
		emit_begin(t, JV_NONE, "note");
		emit_block(t, item);
		emit_end(t);
	}
}

static void add_found(struct chat_finder *g, struct found_chat found)
{
	struct found_chats *d = g->found;

	found.path = arena_dup(g->arena, buf_view(&g->path));
	found.place = g->inside.kind == J_STRING ? g->inside : found.value;
	*MEM_ADD(d->items, d->count, d->cap) = found;
}

static bool read_by_dialect(
	struct chat_finder *g, struct jv value, struct found_chat *out)
{
	AUTO(emit_done) struct message_writer t = {.arena = g->arena};
	struct jv first = value.kind == J_ARRAY ? jv_first(value) : value;
	bool any;

	/* a call by itself, or a list that begins with one, is the assistant's */
	JV_MEMBERS(v, first, name, role);
	any = dialect_read(&t, NULL, value,
		      v.name.kind == J_STRING && v.role.kind == J_NONE ? PREFER_OUTPUT
								       : PREFER_NONE) &&
	      t.count;
	if (any)
		*out = (struct found_chat){
			.value = value, .tools = t.tools, .messages = emit_take(&t)};
	return any;
}

/* Two texts, and no more. */
static bool read_pair(struct jv item, struct jv pair[2])
{
	size_t count = 0;

	JV_ITEMS(value, item) {
		if (count == 2 || value.kind != J_STRING)
			return false;
		pair[count++] = value;
	}
	return count == 2;
}

/* A list with pairs of texts under a word for conversation: what was asked, and the
 * answer. */
static bool take_pairs(struct chat_finder *g, struct jv key, struct jv array)
{
	static const char *const names[] = {"history", "chat", "chathistory", "chatbot",
		"conversation", "messages", "dialog", "dialogue", "turns", "exchanges",
		"visible", "internal"};
	AUTO(emit_done) struct message_writer t = {.arena = g->arena};
	char letters[WORD_MOST];
	struct jv pair[2];

	if (array.kind != J_ARRAY || jv_empty(array) || key.kind != J_STRING ||
		!STR_AMONG(letters_of(key, letters), names))
		return false;
	JV_EACH(item, array) {
		if (!read_pair(item, pair))
			return false;
		add_text(&t, "user", pair[0]);
		add_text(&t, "assistant", pair[1]);
	}
	add_found(g, (struct found_chat){.value = array, .messages = emit_take(&t)});
	return true;
}

static bool take_array(struct chat_finder *g, struct jv array)
{
	struct found_chat found = {.value = array, .messages = array};
	AUTO(emit_done) struct message_writer t = {.arena = g->arena};
	bool ours = chat_has_calls(array);
	bool plain = !ours && chat_is_messages_array(array);

	if (!plain && !is_conversation(array))
		return false;
	if (!ours && read_by_dialect(g, array, &found)) {
		add_found(g, found);
		return true;
	}
	JV_EACH(item, plain ? JV_NONE : array)
		add_item(&t, item);
	if (!plain)
		found.messages = emit_take(&t);
	add_found(g, found);
	return true;
}

/* ---- the walk ---- */

static void visit(struct chat_finder *g, struct jv v, unsigned depth);

static void visit_children(struct chat_finder *g, struct jv container, unsigned depth)
{
	size_t length = g->path.len;
	struct jv key, value;
	struct jwalk w = jwalk_of(container);

	while (g->found->count < CHATS_MOST && g->values < CHATS_VALUES &&
		jwalk_next(&w, &key, &value)) {
		if (key.kind == J_NONE)
			path_add_index(&g->path, w.index);
		else
			route_put_key(&g->path, key);
		/* the path begins without a dot */
		if (!length && g->path.len && *g->path.data == '.')
			memmove(g->path.data, g->path.data + 1, --g->path.len);
		if (!take_pairs(g, key, value))
			visit(g, value, depth + 1);
		if (g->path.data)
			g->path.len = length;
	}
}

/* A body that says less than what stands in it is none: it was taken for one. */
static void visit_object(struct chat_finder *g, struct jv object, unsigned depth)
{
	AUTO(emit_done) struct message_writer t = {.arena = g->arena};
	size_t before = g->found->count, inside = 0;
	struct found_chat body;
	struct jv v[WORDS];
	bool is = false;

	read_words(object, v);
	JV_PAIRS(key, value, is_pair(v) ? JV_NONE : object) {
		is = is_key_of_body(key);
		if (is)
			break;
	}
	is = is && read_by_dialect(g, object, &body);
	if (!is && is_lone_message(object, v)) {
		add_item(&t, object);
		add_found(g,
			(struct found_chat){.value = object, .messages = emit_take(&t)});
		return;
	}
	if (depth < CHATS_DEEPEST)
		visit_children(g, object, depth);
	if (!is)
		return;
	for (size_t i = before; i < g->found->count; i++)
		inside += jv_count(g->found->items[i].messages, SIZE_MAX);
	if (inside > jv_count(body.messages, SIZE_MAX))
		return;
	g->found->count = before;
	add_found(g, body);
}

/* Not deeper than CHATS_DEEPEST. */
static void visit(struct chat_finder *g, struct jv v, unsigned depth)
{
	struct string_content inner;

	g->values++;
	if (v.kind == J_STRING && g->inside.kind != J_STRING && v.n >= 4) {
		inner = side_read_string(v, false, g->arena);
		if (!inner.opened)
			return;
		g->inside = v;
		visit(g, inner.value, depth);
		g->inside = JV_NONE;
	} else if (v.kind == J_OBJECT) {
		visit_object(g, v, depth);
	} else if (v.kind == J_ARRAY && !take_array(g, v) && depth < CHATS_DEEPEST) {
		visit_children(g, v, depth);
	}
}

void find_chats(struct found_chats *d, struct jv value, struct arena *arena)
{
	struct chat_finder g = {.found = d, .arena = arena, .inside = JV_NONE};

	visit(&g, value, 0);
	buf_done(&g.path);
}

/* ---- repeats ---- */

/*
 * Each call of a model carries the history before it: of conversations found in one value
 * many say what a longer one says, too.  Messages are known by what they say.
 */
struct said_messages { /* by one conversation: hashes of its messages */
	uint64_t *hashes;
	size_t count, cap;
	struct idmap set; /* of them */
	bool left_out;
};

/* Whether all that `a` says is said by `b`. */
static bool is_said_by(const struct said_messages *a, const struct said_messages *b)
{
	for (size_t i = 0; i < a->count; i++)
		if (idmap_find(&b->set, a->hashes[i]) == MAP_NONE)
			return false;
	return true;
}

void found_chats_leave_out_repeats(struct found_chats *d)
{
	struct said_messages all[CHATS_MOST] = {0};
	size_t kept = 0;

	if (d->count < 2)
		return;
	for (size_t i = 0; i < d->count; i++) {
		struct said_messages *s = &all[i];

		JV_EACH(item, d->items[i].messages) {
			uint64_t hash = identity_of(item, PREFER_NONE).half[0];

			*MEM_ADD(s->hashes, s->count, s->cap) = hash;
			idmap_add(&s->set, hash, 0);
		}
	}
	for (size_t i = 0; i < d->count; i++) {
		for (size_t k = 0; k < d->count; k++) /* of equal ones the first stays */
			if (k != i && !all[k].left_out && is_said_by(&all[i], &all[k]) &&
				(k < i || !is_said_by(&all[k], &all[i])))
				all[i].left_out = true;
		if (!all[i].left_out)
			d->items[kept++] = d->items[i];
	}
	for (size_t i = 0; i < d->count; i++) {
		mem_free(all[i].hashes);
		idmap_done(&all[i].set);
	}
	d->count = kept;
}

/* ---- the end ---- */

void found_chats_done(struct found_chats *d)
{
	mem_free(d->items);
	*d = (struct found_chats){0};
}

/* Its letters are among the words for a meaning; WORDS: for any. */
static bool is_word_for(struct jv key, enum chat_word word)
{
	char letters[WORD_MOST];
	struct str name = letters_of(key, letters);

	for (int w = 0; w < WORDS; w++)
		if ((word == WORDS || w == (int)word) &&
			rank_of(name, (enum chat_word)w) < KNOWN_MOST)
			return true;
	return false;
}

bool chat_is_word(struct jv key)
{
	return is_key_of_body(key) || is_word_for(key, WORDS);
}

bool chat_is_answer(struct jv key)
{
	return is_word_for(key, ANSWERED) || jv_is(key, STR("result"));
}
