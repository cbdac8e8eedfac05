/*
 * Cases of other systems against this program, from outside: each is a call of one of
 * their functions and what it gave.  A table says which check runs the program on the
 * case's input and compares facts, not shapes, or why there is none.
 *
 *	CATENA=PROGRAM examples FOLDER
 *
 * prints what fails, then how many cases of each function are not compared and why.
 */
#include "config.h"
#include "examples.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

static const char taste[] = "shows that product's taste and binds nobody";
static const char format[] = "is about reading a format: see tests/unit/test_load";
static const char screen[] = "is the viewer's: see tests/screens";

static struct mapping {
	const char *fn;
	enum verdict (*check)(const struct example *e);
	const char *reason; /* why its cases, or some, are not compared */
	unsigned out;
} mappings[] = {
	{"extractChatMessages", check_extract, NULL, 0},
	{"get_gen_ai_message", check_body,
		"the role comes from an event's name, not from the body", 0},
	{"normalizeMessage", check_message,
		"the input has no role, tool_calls or blocks: other vendors' shapes are "
		"shown, not extracted",
		0},
	{"normalizeMessages", check_messages, NULL, 0},
	{"parseOpenAIToolCalls", check_tool_calls, NULL, 0},
	{"restoreTree", check_tree, NULL, 0},
	{"parsePartialJSON", check_partial, NULL, 0},
	{"format_tools", check_tools, NULL, 0},
	{"format_latency", check_latency, NULL, 0}, {"format_cost", check_cost, NULL, 0},
	{"event_summary", check_summary, NULL, 0},
	{"stripJsonFence", check_fence, "there is no fence to look into", 0},
	{"findSearchMatches", NULL, screen, 0},
	{"findSidebarOccurrences", NULL, screen, 0},
	{"eventMatchesSearch", NULL, screen, 0}, {"containsSearchQuery", NULL, screen, 0},
	{"filterTree", NULL, screen, 0}, {"findEventWithParents", NULL, screen, 0},
	{"getInitialFocusEventId", NULL, screen, 0}, {"hierarchy", NULL, format, 0},
	{"group_by_trace", NULL, format, 0}, {"trace_duration_ms", NULL, format, 0},
	{"UnifiedLogParser.parse", NULL, format, 0}, {"get_exception", NULL, format, 0},
	{"get_event_payload", NULL, format, 0}, {"classify_log", NULL, format, 0},
	{"isLangChainMessage", NULL, format, 0}, {"getSessionID", NULL, format, 0},
	{NULL, NULL, taste, 0}, /* any other */
};

static struct mapping *find_mapping(const char *fn)
{
	struct mapping *m = mappings;

	while (m->fn && strcmp(m->fn, fn) != 0)
		m++;
	return m;
}

static unsigned passed, failed;

static void check_example(const struct example *e)
{
	struct mapping *m = find_mapping(e->fn);

	switch (m->check ? m->check(e) : OUT) {
	case PASSED:
		passed++;
		break;
	case FAILED:
		printf("FAIL %s: %s\n\n", e->fn, e->name);
		failed++;
		break;
	case OUT:
		m->out++;
	}
}

static void check_file(const char *path)
{
	json_t *list = json_load_file(path, 0, NULL), *item;
	size_t i;

	if (!json_is_array(list)) {
		printf("%s: no array of cases\n", path);
		failed++;
	}
	json_array_foreach(list, i, item) {
		json_t *options = json_object_get(item, "options");
		struct example e = {text_of(item, "name"), text_of(options, "fn"),
			json_object_get(item, "input"), options,
			json_object_get(item, "expected")};

		check_example(&e);
	}
	json_decref(list);
}

static bool check_folder(const char *folder)
{
	struct dirent **names;
	int count = scandir(folder, &names, NULL, alphasort);

	for (int i = 0; i < count; i++) {
		struct buf path = BUF_INIT;

		buf_printf(&path, "%s/%s", folder, names[i]->d_name);
		if (ends_with(path.data, ".json"))
			check_file(path.data);
		buf_done(&path);
		free(names[i]);
	}
	if (count >= 0)
		free(names);
	return count >= 0;
}

int main(int argc, char **argv)
{
	if (argc != 2 || !getenv("CATENA")) {
		fputs("usage: CATENA=PROGRAM examples FOLDER\n", stderr);
		return 2;
	}
	if (!check_folder(argv[1])) {
		perror(argv[1]);
		return 2;
	}
	for (size_t i = 0; i < sizeof(mappings) / sizeof(*mappings); i++)
		if (mappings[i].out)
			printf("not compared: %u of %s: %s\n", mappings[i].out,
				mappings[i].fn ? mappings[i].fn : "other functions",
				mappings[i].reason);
	printf("%u passed, %u failed\n", passed, failed);
	return failed ? 1 : 0;
}
