/*
 * Cases about messages.  What they expect is brought into the form of `extract parts`
 * first, by the departures that this project names: arguments that are no JSON are
 * raw_arguments; roles like "assistant (thinking)" are the other product's own.
 */
#include "config.h"
#include "examples.h"

#include <stdio.h>
#include <stdlib.h>

static bool is_json_of(json_t *string, json_t *value)
{
	json_t *parsed = parse_text(string);
	bool same = parsed && json_equal(parsed, value);

	json_decref(parsed);
	return same;
}

/* Every string of a list stands in the text. */
static bool contains_all(const char *text, json_t *list)
{
	size_t i;
	json_t *item;

	json_array_foreach(list, i, item) {
		if (!contains(text, json_string_value(item)))
			return false;
	}
	return true;
}

json_t *facts_new(void)
{
	return json_pack("{s[]s[]s[]}", "text", "tool_use", "tool_result");
}

static void add_text(json_t *facts, json_t *text)
{
	if (json_string_length(text))
		json_array_append(json_object_get(facts, "text"), text);
}

static void add_call(json_t *facts, json_t *call)
{
	json_t *function = json_object_get(call, "function");
	json_t *input = json_object_get(function, "arguments");

	input = json_is_string(input) ? json_pack("{sO}", "raw_arguments", input)
				      : or_null(input);
	json_array_append_new(json_object_get(facts, "tool_use"),
		json_pack("{sOsoso}", "name", json_object_get(function, "name"), "input",
			input, "id", or_null(json_object_get(call, "id"))));
}

/* What a result says as one text: a string, the texts of its blocks, or its JSON. */
static json_t *flat_content(json_t *content)
{
	struct buf text = BUF_INIT;
	json_t *flat, *item;
	size_t i;

	if (json_is_string(content) || !content)
		return or_null(content);
	json_array_foreach(content, i, item)
		buf_text(&text, text_of(item, "text"));
	if (!text.len) {
		char *json = json_dumps(content, JSON_ENCODE_ANY | JSON_COMPACT);

		buf_text(&text, json);
		free(json);
	}
	flat = json_string(text.data);
	buf_done(&text);
	return flat;
}

static void add_result(json_t *facts, json_t *id, json_t *content)
{
	json_array_append_new(json_object_get(facts, "tool_result"),
		json_pack("{sOso}", "id", id, "content", flat_content(content)));
}

static void add_content(json_t *facts, json_t *content)
{
	size_t i;
	json_t *item;

	add_text(facts, content);
	json_array_foreach(content, i, item) {
		if (json_object_get(item, "function"))
			add_call(facts, item);
		else
			add_text(facts, json_object_get(item, "text"));
	}
}

/* `input`: a text that is its JSON says that it is shown as JSON, not as a text. */
static void add_message(json_t *facts, json_t *message, json_t *input)
{
	json_t *content = json_object_get(message, "content");
	json_t *id = json_object_get(message, "tool_call_id"), *call;
	size_t i;

	if (id)
		add_result(facts, id, content);
	else if (!ends_with(text_of(message, "role"), "(thinking)") &&
		 !(json_is_string(content) && is_json_of(content, input)))
		add_content(facts, content);
	json_array_foreach(json_object_get(message, "tool_calls"), i, call)
		add_call(facts, call);
}

/* Adds what `extract parts` gives for a value. */
void add_extracted(json_t *facts, json_t *value)
{
	json_t *parts = run_json("extract parts", value), *result;
	size_t i;

	json_array_extend(json_object_get(facts, "text"), json_object_get(parts, "text"));
	json_array_extend(
		json_object_get(facts, "tool_use"), json_object_get(parts, "tool_use"));
	json_array_foreach(json_object_get(parts, "tool_result"), i, result)
		add_result(facts, json_object_get(result, "id"),
			json_object_get(result, "content"));
	json_decref(parts);
}

enum verdict check_extract(const struct example *e)
{
	const char *prefer = text_of(e->options, "prefer");
	struct buf command = BUF_INIT;
	enum verdict verdict;
	json_t *found;

	buf_printf(&command, "extract chat%s%s", *prefer ? " --prefer " : "", prefer);
	found = run_json(command.data, e->input);
	verdict = compare(found, e->expected);
	json_decref(found);
	buf_done(&command);
	return verdict;
}

static json_t *member(json_t *message, const char *mark, const char *list)
{
	json_t *names = json_array(), *call;
	size_t i;

	json_array_foreach(json_object_get(message, list), i, call)
		json_array_append_new(names, or_null(json_object_get(call, mark)));
	return names;
}

/* Marks in place of an expected message: names, ids or arguments of the calls, a subset.
 */
static enum verdict check_marks(json_t *facts, json_t *expected)
{
	static const struct {
		const char *mark, *member;
	} marks[] = {{"$tool_names", "name"}, {"$tool_ids", "id"},
		{"$tool_arguments", "input"}};
	json_t *text = json_object_get(json_object_get(expected, "$subset"), "content");
	enum verdict verdict = PASSED;

	for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++) {
		json_t *theirs = json_object_get(expected, marks[i].mark);
		json_t *ours = member(facts, marks[i].member, "tool_use");

		if (theirs && compare(ours, theirs) != PASSED)
			verdict = FAILED;
		json_decref(ours);
	}
	if (json_is_string(text) &&
		compare(json_array_get(json_object_get(facts, "text"), 0), text) !=
			PASSED)
		verdict = FAILED;
	return verdict;
}

static bool has_marks(json_t *expected)
{
	return json_object_get(expected, "$subset") ||
	       json_object_get(expected, "$tool_names");
}

/* The words that mean the same speaker; the products' own ("… (thinking)") name none. */
static const char *speaker(const char *role)
{
	static const char *const same[][2] = {
		{"human", "user"}, {"ai", "assistant"}, {"model", "assistant"}};

	for (size_t i = 0; i < sizeof(same) / sizeof(*same); i++)
		if (strcmp(role, same[i][0]) == 0)
			return same[i][1];
	return role;
}

static enum verdict check_role(json_t *message, json_t *expected)
{
	const char *theirs = text_of(expected, "role"), *ours;
	json_t *document, *side;
	enum verdict verdict = PASSED;
	char *text;

	if (!*theirs || contains(theirs, " (") ||
		json_object_get(expected, "tool_call_id"))
		return PASSED;
	text = json_dumps(message, 0);
	document = export_of(text);
	side = json_object_get(first_step(document), "input");
	ours = text_of(json_array_get(json_object_get(side, "messages"), 0), "role");
	if (*ours && strcmp(speaker(ours), speaker(theirs)) != 0) {
		printf("role %s, not %s\n", ours, theirs);
		verdict = FAILED;
	}
	json_decref(document);
	free(text);
	return verdict;
}

static bool is_ours(json_t *message)
{
	const char *type = text_of(message, "type");

	return json_object_get(message, "role") ||
	       json_object_get(message, "tool_calls") ||
	       json_object_get(message, "message") || strcmp(type, "tool_use") == 0 ||
	       strcmp(type, "tool_result") == 0;
}

enum verdict check_message(const struct example *e)
{
	json_t *ours = facts_new(), *theirs = facts_new(), *message;
	json_t *first = json_array_get(e->expected, 0);
	enum verdict verdict;
	size_t i;

	if (!is_ours(e->input)) {
		json_decref(ours);
		json_decref(theirs);
		return OUT;
	}
	add_extracted(ours, e->input);
	json_array_foreach(e->expected, i, message)
		add_message(theirs, message, e->input);
	verdict = has_marks(first) ? check_marks(ours, first) : compare(ours, theirs);
	if (verdict == PASSED)
		verdict = check_role(e->input, first);
	json_decref(ours);
	json_decref(theirs);
	return verdict;
}

static enum verdict check_marked_list(json_t *chat, json_t *expected)
{
	enum verdict verdict =
		json_array_size(chat) == json_array_size(expected) ? PASSED : FAILED;
	json_t *message;
	size_t i;

	json_array_foreach(chat, i, message) {
		json_t *facts = facts_new();

		add_extracted(facts, message);
		if (check_marks(facts, json_array_get(expected, i)) != PASSED)
			verdict = FAILED;
		json_decref(facts);
	}
	return verdict;
}

enum verdict check_messages(const struct example *e)
{
	bool output = strcmp(text_of(e->options, "defaultRole"), "assistant") == 0;
	json_t *chat = run_json(
		output ? "extract chat --prefer output" : "extract chat --prefer input",
		e->input);
	json_t *ours = facts_new(), *theirs = facts_new(), *message;
	enum verdict verdict;
	size_t i;

	if (has_marks(json_array_get(e->expected, 0))) {
		verdict = check_marked_list(chat, e->expected);
	} else {
		json_array_foreach(chat, i, message)
			add_extracted(ours, message);
		json_array_foreach(e->expected, i, message)
			add_message(theirs, message, e->input);
		verdict = compare(ours, theirs);
	}
	json_decref(chat);
	json_decref(ours);
	json_decref(theirs);
	return verdict;
}

enum verdict check_tool_calls(const struct example *e)
{
	json_t *message = json_pack("{sO}", "tool_calls", e->input);
	json_t *ours = facts_new(), *theirs = facts_new(), *call;
	enum verdict verdict;
	size_t i;

	add_extracted(ours, message);
	json_array_foreach(e->expected, i, call)
		add_call(theirs, call);
	verdict = compare(ours, theirs);
	json_decref(message);
	json_decref(ours);
	json_decref(theirs);
	return verdict;
}

/* All that the observability system's own words for parts could name. */
static void describe(json_t *parts, struct buf *out)
{
	char *text = json_dumps(parts, JSON_ENCODE_ANY);
	json_t *item;
	size_t i;

	buf_text(out, text);
	free(text);
	json_array_foreach(json_object_get(parts, "tool_use"), i, item)
		buf_printf(out, " Tool Use: %s", text_of(item, "name"));
	json_array_foreach(json_object_get(parts, "tools"), i, item)
		buf_printf(out, " Available Tools: %s: %s", text_of(item, "name"),
			text_of(item, "description"));
	buf_byte(out, '\0');
}

/* A text by its one string; nothing found is four empty lists. */
static enum verdict compare_body(json_t *parts, json_t *expected)
{
	json_t *text = json_object_get(json_object_get(expected, "$subset"), "content");
	struct buf words = BUF_INIT;
	enum verdict verdict = PASSED;
	const char *key;
	json_t *list;

	describe(parts, &words);
	if (!contains_all(words.data, json_object_get(expected, "$content_contains")))
		verdict = FAILED;
	if (text && !json_equal(json_array_get(json_object_get(parts, "text"), 0), text))
		verdict = FAILED;
	json_object_foreach(parts, key, list) {
		if (json_is_null(expected) && json_array_size(list))
			verdict = FAILED;
	}
	if (verdict == FAILED)
		puts(words.data);
	buf_done(&words);
	return verdict;
}

enum verdict check_body(const struct example *e)
{
	json_t *body = json_object_get(e->input, "body"), *parts;
	enum verdict verdict;

	if (json_is_null(e->expected) && json_object_size(body))
		return OUT;
	parts = run_json("extract parts", body);
	verdict = compare_body(parts, e->expected);
	json_decref(parts);
	return verdict;
}
