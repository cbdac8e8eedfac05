/* See brief.h. */
#include "config.h"
#include "chat/brief.h"

#include <string.h>
#include <strings.h>

#include "chat/side.h"

#define ENDS 400 /* bytes at both ends of a result where an exit code is looked for */

/* Names of arguments, those that say most first. */
static const char *const telling[] = {"command", "cmd", "commands", "script", "query",
	"pattern", "file_path", "path", "filename", "notebook_path", "target_file", "files",
	"paths", "url", "uri", "q", "code", "prompt", "question", "description", "text", "input", "name"};

#define TELLING  (sizeof(telling) / sizeof(*telling))
#define COMMANDS 4 /* the first of them are commands */

/* Names of arguments that say how, not what: as agents of many makers have them. */
static const char *const aside[] = {"description", "explanation", "justification", "timeout",
	"timeout_ms", "timeout_secs", "timeoutMs", "block_until_ms", "yield_time_ms",
	"max_output_tokens", "run_in_background", "is_background", "isBackground", "background",
	"workdir", "cwd", "dir_path", "directory", "shell", "login", "tty", "sandbox_permissions",
	"with_escalated_permissions", "prefix_rule", "requires_approval", "requires_user_approval",
	"dangerouslyDisableSandbox", "security_risk", "task_progress", "toolSummary",
	"toolAction", "instruction", "offset", "limit", "head_limit", "output_mode", "-n", "-i",
	"-A", "-B", "-C", "multiline", "replace_all", "expected_replacements", "subagent_type",
	"mode"};

void brief_squeeze(struct buf *text, size_t most)
{
	size_t n = 0;

	for (size_t i = 0; i < text->len && n < most; i++) {
		char c = text->data[i];

		if (c != ' ' && c != '\t' && c != '\r' && c != '\n')
			text->data[n++] = c;
		else if (n && text->data[n - 1] != ' ')
			text->data[n++] = ' ';
	}
	text->len = n;
}

static bool says_something(struct jv v)
{
	return (v.kind == J_STRING && v.n > 2) || v.kind == J_NUMBER ||
	       (v.kind == J_ARRAY && !jv_empty(v));
}

/* Of an object the member that says most, or J_NONE. */
static struct jv most_telling(struct jv arguments)
{
	struct jv found[TELLING], best;

	jv_members(arguments, telling, found, TELLING);
	best = JV_PICK(found, says_something);
	JV_EACH(value, best.kind == J_NONE ? arguments : JV_NONE)
		if (says_something(value) && value.kind != J_ARRAY)
			return value;
	return best;
}

bool brief_tells(struct jv arguments)
{
	struct jv main = most_telling(arguments);
	bool pattern = main.p == jv_member(arguments, "pattern").p;

	if (arguments.kind != J_OBJECT || main.kind == J_NONE)
		return false;
	JV_PAIRS(key, value, arguments) {
		/* a list of edits and the like is never aside */
		bool list = value.kind == J_ARRAY || value.kind == J_OBJECT;
		bool is_aside = (!list && JV_AMONG(key, aside)) ||
				(!says_something(value) && value.kind != J_OBJECT);

		/* where a pattern is looked for stands beside it */
		if (value.p != main.p && !is_aside &&
			!(pattern && jv_is(key, STR("path"))))
			return false;
	}
	return true;
}

bool brief_has_word(struct str name, const char *const words[], size_t count)
{
	for (size_t i = 0; i < count && words[i]; i++) {
		size_t n = strlen(words[i]);

		for (size_t at = 0; at + n <= name.n; at++)
			if (strncasecmp(name.p + at, words[i], n) == 0)
				return true;
	}
	return false;
}

bool brief_is_shell(struct str tool)
{
	static const char *const words[] = {
		"shell", "bash", "terminal", "exec", "command", "run"};

	return brief_has_word(tool, words, sizeof(words) / sizeof(*words));
}

bool brief_is_command(struct str tool, struct jv arguments)
{
	struct jv found[COMMANDS], command;

	if (!brief_is_shell(tool))
		return false;
	jv_members(arguments, telling, found, COMMANDS);
	command = JV_PICK(found, says_something);
	/* a patch is no command of a person's */
	return command.n && !memmem(command.p, command.n, "*** Begin Patch", 15);
}

/* Of a command as a list of words: ["bash", "-lc", "ls"] is "ls".  Of a list of objects what
 * each says most. */
static void put_words(struct jv list, struct buf *out, size_t most)
{
	size_t begin = out->len;

	JV_EACH(word, list) {
		if (out->len - begin >= most)
			break;
		if (word.kind == J_OBJECT)
			word = most_telling(word);
		if (word.kind != J_STRING && word.kind != J_NUMBER)
			continue;
		if (jv_is(word, STR("-lc")) || jv_is(word, STR("-c"))) {
			out->len = begin;
			continue;
		}
		if (out->len > begin)
			buf_byte(out, ' ');
		jv_text(word, out);
	}
}

/* A file that a patch names says more than how patches begin. */
static struct str patched(struct str text)
{
	static const char *const marks[] = {
		"*** Update File: ", "*** Add File: ", "*** Delete File: "};

	for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++) {
		size_t n = strlen(marks[i]);
		const char *at = text.n ? memmem(text.p, text.n, marks[i], n) : NULL;
		const char *end;

		if (!at)
			continue;
		at += n;
		end = memchr(at, ' ', (size_t)(text.p + text.n - at));
		return (struct str){at, (size_t)((end ? end : text.p + text.n) - at)};
	}
	return text;
}

void brief_argument(struct jv arguments, struct str root, struct buf *out, size_t most)
{
	AUTO_ARENA arena = {0};
	AUTO_BUF text = BUF_INIT;
	struct jv v = side_open_string(arguments, &arena), todo = todo_list(v),
		  now = JV_NONE;
	struct jwalk walk = jwalk_of(todo);
	struct todo item;
	size_t all = 0, done = 0;
	struct str said;

	if (v.kind == J_OBJECT)
		v = most_telling(v);
	/* what of things to do is being done, else how many are */
	for (; todo.n && todo_next(&walk, &item); all++) {
		done += item.state == TODO_DONE;
		if (item.state == TODO_NOW && now.kind == J_NONE)
			now = item.text;
	}
	if (now.kind != J_NONE)
		jv_text(now, &text);
	else if (todo.n)
		buf_printf(&text, "%zu of %zu done", done, all);
	else if (v.kind == J_ARRAY)
		put_words(v, &text, most);
	else if (v.kind != J_NONE && v.kind != J_NULL)
		jv_text(v, &text);
	brief_squeeze(&text, most);
	said = patched(buf_view(&text));
	if (root.n && said.n > root.n + 1 && str_starts(said, root) &&
		said.p[root.n] == '/')
		said = str_skip(said, root.n + 1);
	buf_str(out, said);
}

void brief_call(const struct part *call, struct str root, struct buf *out, size_t most)
{
	AUTO_ARENA arena = {0};
	struct jv arguments = side_open_string(call->body, &arena);
	size_t before = out->len;

	jv_text(call->name, out);
	if (brief_is_command(
		    (struct str){out->data + before, out->len - before}, arguments)) {
		out->len = before;
		buf_byte(out, '$');
	}
	buf_byte(out, ' ');
	before = out->len;
	brief_argument(arguments, root, out, most);
	if (out->len == before)
		out->len--;
}

void brief_said(struct jv body, struct buf *out, size_t most)
{
	size_t begin = out->len;

	if (body.kind != J_ARRAY)
		jv_text(body, out);
	JV_ITEMS(item, body) {
		struct jv text = jv_member(item, "text");
		struct jv said = text.kind == J_STRING ? text : item;

		if (out->len - begin >= most)
			break;
		if (out->len > begin && !jv_empty(said))
			buf_byte(out, ' ');
		jv_text(said, out);
	}
}

/* ---- how it went ---- */

/* "exit code 1", "exit_code":1, "exited with code 1", "exit status 1": the number, or -1. */
static int exit_at(struct str text)
{
	static const char *const words[] = {"xited with exit code", "xited with code",
		"xit_code", "xitCode", "xit code", "xit Code", "xit status", "xit_status",
		"xit\""};
	int code = 0;

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		size_t digits = 0;

		if (!str_take(&text, str_of(words[i])))
			continue;
		while (text.n && *text.p && strchr("\\\": =", *text.p))
			text = str_skip(text, 1);
		for (; digits < text.n && digits < 4 && str_is_digit(text.p[digits]);
			digits++)
			code = code * 10 + (text.p[digits] - '0');
		return digits ? code : -1;
	}
	return -1;
}

/* The next number that a text names as an exit code, from *at on, or -1. */
static int next_exit(struct str text, size_t *at)
{
	const char *x;

	while (*at < text.n && (x = memchr(text.p + *at, 'x', text.n - *at))) {
		int code = exit_at(str_skip(text, (size_t)(x - text.p)));

		*at = (size_t)(x - text.p) + 1;
		if (code >= 0)
			return code;
	}
	return -1;
}

bool brief_exits(struct str text)
{
	size_t at = 0;
	int code;

	while ((code = next_exit(text, &at)) == 0)
		continue;
	return code > 0;
}

struct outcome brief_outcome(const struct part *result)
{
	struct str text = jv_raw(result->body);
	struct str head = {text.p, text.n < ENDS ? text.n : ENDS};
	size_t at = 0;
	struct outcome v = {result->error, next_exit(head, &at)};

	if (v.exit < 0 && text.n > ENDS)
		v.exit = next_exit(str_skip(text, text.n - ENDS), &(size_t){0});
	v.failed |= v.exit > 0;
	return v;
}

/* ---- lists of things to do ---- */

static bool read_state(struct jv status, enum todo_state *state)
{
	static const char *const words[TODO_STATES][4] = {
		[TODO_OPEN] = {"pending", "not_started", "not-started", "todo"},
		[TODO_NOW] = {"in_progress", "in-progress"},
		[TODO_DONE] = {"completed", "done"},
		[TODO_DROPPED] = {"cancelled", "canceled"},
	};

	if (status.kind == J_TRUE || status.kind == J_FALSE) {
		*state = status.kind == J_TRUE ? TODO_DONE : TODO_OPEN;
		return true;
	}
	for (int i = 0; i < TODO_STATES; i++)
		if (JV_AMONG(status, words[i])) {
			*state = (enum todo_state)i;
			return true;
		}
	return false;
}

/* An object of other members as well is more than a thing to do. */
bool todo_next(struct jwalk *walk, struct todo *item)
{
	static const char *const names[] = {"status", "completed", "content", "step",
		"text", "title", "task", "description", "id", "priority", "activeForm"};
	enum { STATES = 2, TEXTS = 8, NAMES = sizeof(names) / sizeof(*names) };
	struct jv found[NAMES] = {{0}}, value;
	bool known = false;
	size_t members = 0;

	if (!jwalk_next(walk, NULL, &value) || value.kind != J_OBJECT)
		return false;
	jv_members(value, names, found, NAMES);
	for (size_t i = 0; i < NAMES; i++)
		members += found[i].kind != J_NONE;
	for (size_t i = 0; i < STATES && !known; i++)
		known = read_state(found[i], &item->state);
	if (!known || members != jv_count(value, NAMES + 1))
		return false;
	for (size_t i = STATES; i < TEXTS; i++)
		if (found[i].kind == J_STRING && found[i].n > 2) {
			item->text = found[i];
			return true;
		}
	return false;
}

static bool is_list(struct jv list)
{
	struct jwalk walk = jwalk_of(list);
	struct todo item;
	size_t items = 0;

	while (todo_next(&walk, &item))
		items++;
	return items && items == jv_count(list, items + 1);
}

struct jv todo_list(struct jv value)
{
	if (value.kind == J_ARRAY && is_list(value))
		return value;
	JV_FIELDS(key, member, value)
		if (member.kind == J_ARRAY && is_list(member))
			return member;
	return JV_NONE;
}
