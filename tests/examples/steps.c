/*
 * Cases about what stands around messages: trees of steps, figures, tools on offer, JSON
 * that is cut, JSON in a fence.
 */
#include "config.h"
#include "examples.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"

/*
 * "name(" and descriptions; how many there are, where all are definitions, is the number
 * of lines "offers NAME".
 */
enum verdict check_tools(const struct example *e)
{
	json_t *chat = json_pack(
		"[{sssssO}]", "role", "system", "content", "tools:", "tools", e->input);
	json_t *list = json_object_get(e->expected, "$contains"), *item;
	struct buf out = BUF_INIT, want = BUF_INIT;
	enum verdict verdict = PASSED;
	size_t i;

	run("print --width 2000", chat, &out);
	json_array_foreach(list, i, item) {
		const char *text = json_string_value(item), *bracket = strchr(text, '(');

		buf_clear(&want);
		if (contains(text, "AVAILABLE TOOLS"))
			continue;
		if (bracket)
			buf_printf(&want, "offers %.*s", (int)(bracket - text), text);
		else
			buf_text(&want, text);
		if (!contains(out.data, want.data))
			verdict = FAILED;
	}
	if (json_is_array(e->expected) && contains(out.data, "offers"))
		verdict = FAILED;
	if (verdict == FAILED)
		puts(out.data);
	buf_done(&want);
	buf_done(&out);
	json_decref(chat);
	return verdict;
}

/* {"child": "parent", …} in order; an id that is no step's is null. */
static void flatten_expected(json_t *nodes, json_t *parent, json_t *out)
{
	json_t *node;
	size_t i;

	json_array_foreach(nodes, i, node) {
		json_t *id = json_object_get(node, "id");

		json_array_append_new(out, json_pack("[OO]", id, parent));
		flatten_expected(json_object_get(node, "children"), id, out);
	}
}

/* Metrics and feedback are listed here and filtered there. */
static bool is_filtered(json_t *step)
{
	const char *event = text_of(step, "event");

	return strcmp(event, "$ai_metric") == 0 || strcmp(event, "$ai_feedback") == 0;
}

static void flatten_steps(json_t *steps, json_t *out)
{
	json_t *step;
	size_t i;

	json_array_foreach(steps, i, step) {
		json_t *parent = json_object_get(step, "parent");
		json_t *above = json_array_get(steps,
			json_is_integer(parent) ? (size_t)json_integer_value(parent) - 1
						: SIZE_MAX); /* steps count from 1 */

		if (!is_filtered(step))
			json_array_append_new(
				out, json_pack("[Oo]", json_object_get(step, "id"),
					     or_null(json_object_get(above, "id"))));
	}
}

enum verdict check_tree(const struct example *e)
{
	char *text = json_dumps(e->input, 0);
	json_t *document = export_of(text), *chain, *ours = json_array(),
	       *theirs = json_array();
	enum verdict verdict;

	chain = json_array_get(json_object_get(document, "chains"), 0);
	flatten_steps(json_object_get(chain, "steps"), ours);
	flatten_expected(e->expected, json_null(), theirs);
	verdict = compare(ours, theirs);
	json_decref(ours);
	json_decref(theirs);
	json_decref(document);
	free(text);
	return verdict;
}

/* As arguments it is strict JSON, or stays the text that it is. */
static enum verdict check_strict(json_t *text, json_t *expected)
{
	json_t *whole = parse_text(text), *message, *ours, *theirs;
	enum verdict verdict;

	message = json_pack("{sssO}", "name", "f", "arguments", text);
	ours = facts_new();
	add_extracted(ours, message);
	theirs = whole ? json_incref(expected) : json_pack("{sO}", "raw_arguments", text);
	verdict = compare(
		json_object_get(
			json_array_get(json_object_get(ours, "tool_use"), 0), "input"),
		theirs);
	json_decref(message);
	json_decref(ours);
	json_decref(theirs);
	json_decref(whole);
	return verdict;
}

/* In the viewer what is there is shown, and called cut. */
static enum verdict check_shown(const char *text, json_t *expected)
{
	json_t *document = export_of(text),
	       *parsed = json_loads(text, JSON_DECODE_ANY, NULL);
	json_t *side = json_object_get(first_step(document), "input"), *shown;
	struct buf out = BUF_INIT;
	enum verdict verdict;

	shown = json_object_get(side, json_is_string(expected) ? "text" : "value");
	verdict = compare(shown, expected);
	run_text("print", text, &out);
	if (!parsed && !contains(out.data, "CUT")) {
		puts("not called cut");
		verdict = FAILED;
	}
	buf_done(&out);
	json_decref(parsed);
	json_decref(document);
	return verdict;
}

/* Of a text that is no beginning of JSON they keep the beginning, we keep the text. */
enum verdict check_partial(const struct example *e)
{
	bool text =
		json_object_get(e->expected, "$error") || contains(e->name, "bracket-");

	if (check_strict(e->input, e->expected) != PASSED)
		return FAILED;
	return text ? PASSED : check_shown(json_string_value(e->input), e->expected);
}

/* "850ms", "1.2s", "$0.0023" as a number of seconds or dollars; NAN when it is none. */
static double figure(const char *word)
{
	char *end;
	double value = strtod(word + (*word == '$'), &end);

	if (end == word + (*word == '$'))
		return NAN;
	if (*word == '$')
		return *end ? NAN : value;
	if (strcmp(end, "ms") == 0)
		return value / 1000;
	return strcmp(end, "s") == 0 ? value : NAN;
}

/* Whether a text has the figure, as far as fewer digits can tell. */
static bool has_figure(const char *text, const char *wanted)
{
	double want = figure(wanted);
	char *copy = mem_dup(text, strlen(text)), *rest = copy;
	bool found = false;

	for (char *word; (word = strtok_r(rest, " \n", &rest));) {
		double is = figure(word);

		found = found || ((*word == '$') == (*wanted == '$') &&
					 fabs(is - want) <= 0.05 * want);
	}
	mem_free(copy);
	return found;
}

/* An event with tokens, of which a cost of 0 says something, and the case's input. */
static enum verdict check_figure(const struct example *e, const char *property)
{
	json_t *event =
		json_pack("{sss{sssisO}}", "event", "$ai_generation", "properties",
			"$ai_input", "x", "$ai_input_tokens", 7919, property, e->input);
	struct buf out = BUF_INIT;
	bool found;

	run("print", event, &out);
	found = has_figure(out.data, json_string_value(e->expected));
	if (!found)
		puts(out.data);
	buf_done(&out);
	json_decref(event);
	return found ? PASSED : FAILED;
}

enum verdict check_latency(const struct example *e)
{
	return check_figure(e, "$ai_latency");
}

enum verdict check_cost(const struct example *e)
{
	return check_figure(e, "$ai_total_cost_usd");
}

/* An evaluation's verdict is the property itself. */
static const char *own_word(const char *word)
{
	static const char *const words[][2] = {
		{"PASS", "\"$ai_evaluation_result\": true"},
		{"FAIL", "\"$ai_evaluation_result\": false"},
		{"N/A", "\"$ai_evaluation_applicable\": false"}};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strcmp(word, words[i][0]) == 0)
			return words[i][1];
	return word;
}

enum verdict check_summary(const struct example *e)
{
	struct buf out = BUF_INIT;
	enum verdict verdict = PASSED;
	json_t *item;
	size_t i;

	run("print", e->input, &out);
	json_array_foreach(json_object_get(e->expected, "$contains"), i, item) {
		const char *word = json_string_value(item);
		bool found = isnan(figure(word)) ? contains(out.data, own_word(word))
						 : has_figure(out.data, word);

		if (!found) {
			printf("lacks %s:\n%s\n", word, out.data);
			verdict = FAILED;
		}
	}
	buf_done(&out);
	return verdict;
}

static void remove_ticks(char *text)
{
	char *to = text;

	for (const char *from = text; *from; from++)
		if (*from != '`')
			*to++ = *from;
	*to = '\0';
}

/* What stands in the fence is what a message of it shows, as Markdown that it is. */
enum verdict check_fence(const struct example *e)
{
	json_t *chat;
	struct buf out = BUF_INIT, want = BUF_INIT;
	enum verdict verdict = PASSED;
	char *rest, *line;

	if (!json_is_string(e->expected))
		return OUT;
	chat = json_pack("[{sssO}]", "role", "assistant", "content", e->input);
	run("print", chat, &out);
	buf_text(&want, json_string_value(e->expected));
	remove_ticks(out.data);
	remove_ticks(want.data);
	for (rest = want.data; (line = strtok_r(rest, "\n", &rest));)
		if (!contains(out.data, line))
			verdict = FAILED;
	if (verdict == FAILED)
		puts(out.data);
	buf_done(&out);
	buf_done(&want);
	json_decref(chat);
	return verdict;
}
