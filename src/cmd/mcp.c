/*
 * `catena mcp`: a server of the Model Context Protocol (https://modelcontextprotocol.io/
 * specification/2025-06-18) on standard input and output: JSON-RPC 2.0, a message a line.
 * It only reads, and makes no connection.
 *
 * A tool is a command with its JSON output.  It runs in a child process, so that no file
 * can end the server or fill its memory; its answer is cut at a size that the client may
 * choose, and goes on at an offset.
 */
#include "config.h"
#include "cmd/cmd.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/spawn.h"
#include "base/str.h"
#include "base/work.h"
#include "json/check.h"
#include "json/json.h"

#define LINE_MOST   (4u << 20)   /* bytes of a message */
#define ANSWER      30000        /* bytes of an answer, if the client does not say */
#define ANSWER_MOST 400000
#define OUTPUT_MOST (256u << 20) /* bytes of a command's output that are read */
#define TIME_LIMIT  (120u * 1000000u) /* microseconds that a command may run */
#define PARAMS      6
#define NOTES       4000 /* bytes of what a command says besides its output */
#define WORDS       256

enum { PARSE_ERROR = -32700, NO_REQUEST = -32600, NO_METHOD = -32601, NO_PARAMS = -32602 };

enum param_kind { PARAM_TEXT, PARAM_NUMBER, PARAM_FLAG, PARAM_FILE, PARAM_FILES };

struct mcp_param {
	const char *name, *about;
	enum param_kind kind;
	bool needed;
	const char *option; /* "--limit"; NULL: an operand */
	const char *before; /* what stands before its value: "step:" */
};

#define FILE_PARAM   {"file", "path of the trace", PARAM_FILE, true, NULL, NULL}
#define FILES_PARAM  {"files", "paths of traces or folders; none: all sessions of this machine", PARAM_FILES, false, NULL, NULL}
#define FILTER_PARAM {"filter", "only steps that match, such as: error cost>0.01 tool:bash -name:retry", PARAM_TEXT, false, "--filter", NULL}
#define LIMIT_PARAM  {"limit", "at most so many rows", PARAM_NUMBER, false, "--limit", NULL}

static const struct mcp_tool {
	const char *name, *about;
	const char *words[4];            /* up to NULL */
	struct mcp_param params[PARAMS]; /* up to one without a name */
} tools[] = {
	{"sessions", "The sessions of agents on this machine, or the traces in a folder, the newest first, with path, title, tool, model, folder, times, tokens and cost.",
		{"sessions", "--json", NULL},
		{{"folder", "only what is in it", PARAM_FILE, false, NULL, NULL}, LIMIT_PARAM}},
	{"steps", "The steps of a trace: number, name (what was called), model, time, tokens, cost, and whether it failed.",
		{"steps", "--json", NULL}, {FILE_PARAM, FILTER_PARAM, LIMIT_PARAM}},
	{"step", "One step in full, as text: its input and output messages, calls and results.",
		{"print", "--width=100", NULL},
		{FILE_PARAM, {"step", "its number in the chain, as `steps` has it", PARAM_NUMBER, true, "--filter", "step:"},
			{"new_only", "leave out messages of the step before", PARAM_FLAG, false, "--new-only", NULL}}},
	{"step_json", "One step in full, as JSON: each value as it is recorded.",
		{"export", "--format=json", NULL},
		{FILE_PARAM, {"step", "its number in the chain, as `steps` has it", PARAM_NUMBER, true, "--filter", "step:"}}},
	{"search", "The steps whose text matches a regular expression, with the places.",
		{"search", "--json", NULL},
		{{"pattern", "a Perl regular expression", PARAM_TEXT, true, NULL, NULL}, FILE_PARAM, FILTER_PARAM, LIMIT_PARAM}},
	{"search_sessions", "The sessions of this machine, or in a folder, whose text matches a regular expression.",
		{"search", "--json", "--sessions", NULL},
		{{"pattern", "a Perl regular expression", PARAM_TEXT, true, NULL, NULL},
			{"folder", "only what is in it", PARAM_FILE, false, NULL, NULL}, LIMIT_PARAM}},
	{"stats", "Totals of a trace by chain, model and tool; failed, slowest and costliest steps.",
		{"stats", "--json", NULL}, {FILE_PARAM, LIMIT_PARAM}},
	{"failures", "What failed, by its shape (paths, numbers and ids are masked), the most frequent first.",
		{"failures", "--json", NULL}, {FILES_PARAM, FILTER_PARAM, LIMIT_PARAM}},
	{"runs", "Runs of one task compared: outcomes, pass@k, pass^k, and the calls at which they part.",
		{"runs", "--json", NULL}, {FILES_PARAM, LIMIT_PARAM}},
	{"files", "What the calls of a trace did to files: read, created, edited, with lines added and removed.",
		{"files", "--json", NULL}, {FILE_PARAM, LIMIT_PARAM}},
	{"cache", "What each request read from the provider's cache, and why a prefix was not read.",
		{"cache", "--json", NULL}, {FILES_PARAM, FILTER_PARAM, LIMIT_PARAM}},
	{"usage", "Tokens and cost of all sessions of this machine, by day, week, month, session, model, project or tool.",
		{"usage", "--json", NULL},
		{{"by", "daily, weekly, monthly, session, model, project or tool", PARAM_TEXT, false, NULL, NULL},
			{"since", "a day, 2026-11-02, or days back, 7d", PARAM_TEXT, false, "--since", NULL},
			{"until", "a day", PARAM_TEXT, false, "--until", NULL}, LIMIT_PARAM}},
	{"check", "Errors in a trace: calls without results, arguments that break their schema, damaged steps.",
		{"check", "--json", NULL}, {FILE_PARAM, FILTER_PARAM, LIMIT_PARAM}},
	{"why", "Which step of which session wrote the lines of a file, and what was asked before it.",
		{"why", "--json", NULL},
		{{"file", "path of a source file, or path:line", PARAM_FILE, true, NULL, NULL}, LIMIT_PARAM}},
};

#define TOOLS (sizeof(tools) / sizeof(*tools))

/* ---- answers ---- */

static void begin_answer(struct buf *out, struct jv id)
{
	buf_text(out, "{\"jsonrpc\":\"2.0\",\"id\":");
	if (id.kind == J_NONE)
		buf_text(out, "null");
	else
		json_write_raw(out, jv_raw(id));
}

static void put_error(struct buf *out, struct jv id, int code, const char *words)
{
	begin_answer(out, id);
	buf_printf(out, ",\"error\":{\"code\":%d,\"message\":\"%s\"}}\n", code, words);
}

static void put_schema(struct buf *out, const struct mcp_tool *tool)
{
	static const char *const types[] = {[PARAM_TEXT] = "\"type\":\"string\"",
		[PARAM_NUMBER] = "\"type\":\"integer\",\"minimum\":1",
		[PARAM_FLAG] = "\"type\":\"boolean\"",
		[PARAM_FILE] = "\"type\":\"string\"",
		[PARAM_FILES] = "\"type\":\"array\",\"items\":{\"type\":\"string\"}"};
	bool any = false;

	buf_text(out, "{\"type\":\"object\",\"properties\":{");
	for (const struct mcp_param *p = tool->params; p->name; p++)
		buf_printf(out, "\"%s\":{%s,\"description\":\"%s\"},", p->name,
			types[p->kind], p->about);
	buf_printf(out,
		"\"max_bytes\":{\"type\":\"integer\",\"minimum\":1,\"description\":"
		"\"size of the "
		"answer, %d if it is not given\"},\"offset\":{\"type\":\"integer\","
		"\"minimum\":0,\"description\":\"byte of the output to begin at\"}},"
		"\"required\":[",
		ANSWER);
	for (const struct mcp_param *p = tool->params; p->name; p++)
		if (p->needed) {
			buf_printf(out, "%s\"%s\"", any ? "," : "", p->name);
			any = true;
		}
	buf_text(out, "],\"additionalProperties\":false}");
}

static void put_tools(struct buf *out, struct jv id)
{
	begin_answer(out, id);
	buf_text(out, ",\"result\":{\"tools\":[");
	for (size_t i = 0; i < TOOLS; i++) {
		buf_printf(out, "%s{\"name\":\"%s\",\"description\":", i ? "," : "",
			tools[i].name);
		json_write_string(out, str_of(tools[i].about));
		buf_text(out, ",\"inputSchema\":");
		put_schema(out, &tools[i]);
		buf_text(out, ",\"annotations\":{\"readOnlyHint\":true,\"openWorldHint\":"
			      "false}}");
	}
	buf_text(out, "]}}\n");
}

static void put_welcome(struct buf *out, struct jv id, struct jv params)
{
	static const char *const versions[] = {"2025-06-18", "2025-03-26", "2024-11-05"};
	struct jv wanted = jv_member(params, "protocolVersion");
	const char *version = versions[0];

	for (size_t i = 0; i < sizeof(versions) / sizeof(*versions); i++)
		if (jv_is(wanted, str_of(versions[i])))
			version = versions[i];
	begin_answer(out, id);
	buf_printf(out,
		",\"result\":{\"protocolVersion\":\"%s\",\"capabilities\":{\"tools\":{}},"
		"\"serverInfo\":{\"name\":\"catena\",\"version\":\"%s\"},"
		"\"instructions\":"
		"\"Traces of LLM agents: begin with sessions, then steps and step. Paths "
		"that sessions gives can be used as file.\"}}\n",
		version, PACKAGE_VERSION);
}

/* ---- a call ---- */

struct mcp_call {
	char *words[WORDS]; /* the command line, of memory of its own */
	size_t count;
	size_t offset, most; /* the part of the output that is answered */
	struct buf problem;  /* what is wrong with the arguments first */
};

static void refuse(struct mcp_call *c, struct str name, const char *words)
{
	if (!c->problem.len)
		buf_printf(&c->problem, "%.*s %s", (int)name.n, name.p, words);
}

static void add_word(struct mcp_call *c, const char *before, struct str value)
{
	AUTO_BUF word = BUF_INIT;

	buf_text(&word, before);
	buf_str(&word, value);
	buf_byte(&word, '\0');
	if (c->count < WORDS)
		c->words[c->count++] = mem_dup(word.data, word.len - 1);
	else
		refuse(c, STR("files"), "are too many");
}

/* A path that nothing takes for an option, another machine or standard input. */
static void add_path(struct mcp_call *c, struct str value)
{
	AUTO_BUF path = BUF_INIT;

	if (home_is_place(value) && home_expand(value, &path))
		add_word(c, "", buf_view(&path));
	else
		add_word(c, str_starts(value, STR("/")) ? "" : "./", value);
}

static void add_paths(struct mcp_call *c, struct jv files)
{
	JV_ITEMS(item, files) {
		AUTO_BUF path = BUF_INIT;

		jv_text(item, &path);
		if (item.kind != J_STRING ||
			(path.len && memchr(path.data, '\0', path.len)))
			refuse(c, STR("files"), "has what is no path");
		else
			add_path(c, buf_view(&path));
	}
}

static void add_value(struct mcp_call *c, const struct mcp_param *p, struct jv value)
{
	AUTO_BUF text = BUF_INIT, option = BUF_INIT;

	jv_text(value, &text);
	if (p->option)
		buf_printf(&option, "%s=%s", p->option, p->before ? p->before : "");
	if (text.len && memchr(text.data, '\0', text.len))
		refuse(c, str_of(p->name), "has a NUL");
	else if (p->kind == PARAM_FLAG && value.kind == J_TRUE)
		add_word(c, p->option, STR(""));
	else if (p->kind == PARAM_FILE && value.kind == J_STRING)
		add_path(c, buf_view(&text));
	else if (p->kind == PARAM_FILES && value.kind == J_ARRAY)
		add_paths(c, value);
	else if ((p->kind == PARAM_TEXT && value.kind == J_STRING) ||
		 (p->kind == PARAM_NUMBER && value.kind == J_NUMBER))
		add_word(c, p->option ? option.data : "", buf_view(&text));
	else if (p->kind != PARAM_FLAG || value.kind != J_FALSE)
		refuse(c, str_of(p->name), "is of the wrong type");
}

static size_t read_size(
	struct mcp_call *c, struct jv arguments, const char *name, size_t usual)
{
	AUTO_BUF text = BUF_INIT;
	struct jv value = jv_member(arguments, name);

	if (value.kind == J_NONE || value.kind == J_NULL)
		return usual;
	jv_text(value, &text);
	if (value.kind == J_NUMBER && strspn(text.data, "0123456789") == text.len)
		return (size_t)strtoull(text.data, NULL, 10);
	refuse(c, str_of(name), "is no whole number from 0");
	return usual;
}

/* Options come first, then "--" and the operands. */
static void read_call(
	struct mcp_call *c, const struct mcp_tool *tool, struct jv arguments)
{
	/* a misspelled argument would be a filter that does not filter */
	JV_PAIRS(key, value, arguments) {
		AUTO_BUF name = BUF_INIT;
		bool known = jv_is(key, STR("max_bytes")) || jv_is(key, STR("offset"));

		for (const struct mcp_param *p = tool->params; p->name; p++)
			known |= jv_is(key, str_of(p->name));
		jv_text(key, &name);
		if (!known)
			refuse(c, buf_view(&name), "is no argument of this tool");
	}
	c->offset = read_size(c, arguments, "offset", 0);
	c->most = read_size(c, arguments, "max_bytes", ANSWER);
	c->most = c->most < 1 ? 1 : c->most > ANSWER_MOST ? ANSWER_MOST : c->most;
	add_word(c, "catena", STR(""));
	for (const char *const *word = tool->words; *word; word++)
		add_word(c, *word, STR(""));
	add_word(c, "--no-state", STR(""));
	for (int operands = 0; operands < 2; operands++) {
		if (operands)
			add_word(c, "--", STR(""));
		for (const struct mcp_param *p = tool->params; p->name; p++) {
			struct jv value = jv_member(arguments, p->name);

			if (!p->option != !!operands)
				continue;
			if (value.kind != J_NONE && value.kind != J_NULL)
				add_value(c, p, value);
			else if (p->needed)
				refuse(c, str_of(p->name), "is missing");
		}
	}
}

/* In the child: as if it had been typed. */
static _Noreturn void run_command(struct mcp_call *c, int output, int notes)
{
	struct err err = {.offset = ERR_NOWHERE};
	struct options o = {.cache = SIZE_MAX, .no_color = true};
	int nothing = open("/dev/null", O_RDONLY), status;

	if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 ||
		dup2(output, STDOUT_FILENO) < 0 || dup2(notes, STDERR_FILENO) < 0)
		_exit(STATUS_ERROR);
	close(output);
	close(notes);
	if (!options_parse(&o, (int)c->count, c->words, &err))
		status = cmd_fail("%s", err.text);
	else
		status = o.command->run(&o);
	status = cmd_finish(status);
	fflush(NULL);
	_exit(status);
}

/* What a command printed. */
struct output {
	struct buf text, notes; /* notes: its standard error */
	bool failed;
};

/* Reads until both pipes end; false: it takes too long, or there is too much. */
static bool read_pipes(int text, int notes, struct output *o)
{
	struct pollfd ends[] = {
		{.fd = text, .events = POLLIN}, {.fd = notes, .events = POLLIN}};
	struct buf *const to[] = {&o->text, &o->notes};
	uint64_t deadline = clock_deadline(TIME_LIMIT);
	char piece[1 << 16];

	while (ends[0].fd >= 0 || ends[1].fd >= 0) {
		if (clock_passed(deadline) || o->text.len + o->notes.len > OUTPUT_MOST)
			return false;
		if (poll(ends, 2, clock_timeout(deadline)) <= 0)
			continue;
		for (int i = 0; i < 2; i++) {
			ssize_t n = ends[i].revents
					    ? read(ends[i].fd, piece, sizeof(piece))
					    : 0;

			if (n > 0)
				buf_add(to[i], piece, (size_t)n);
			else if (ends[i].revents && (n == 0 || errno != EINTR))
				ends[i].fd = -1; /* at its end */
		}
	}
	return true;
}

static void run_call(struct mcp_call *c, struct output *o)
{
	int text[2] = {-1, -1}, notes[2] = {-1, -1}, status;
	bool whole;
	pid_t pid = -1;

	fflush(NULL);
	if (pipe(text) == 0 && pipe(notes) == 0)
		pid = fork();
	if (pid < 0) {
		buf_printf(&o->notes, "no process: %s", strerror(errno));
		o->failed = true;
	}
	if (pid == 0) {
		close(text[0]);
		close(notes[0]);
		run_command(c, text[1], notes[1]);
	}
	close(text[1]);
	close(notes[1]);
	if (pid > 0) {
		whole = read_pipes(text[0], notes[0], o);
		status = spawn_wait(pid, whole ? UINT64_MAX : 0);
		o->failed = status < 0 || status == STATUS_ERROR || status > 128;
		if (!whole)
			buf_text(&o->notes, "It was ended: it took two minutes, or "
					    "printed too much.\n");
		else if (status > 128)
			buf_printf(&o->notes, "It ended by signal %d.\n", status - 128);
	}
	close(text[0]);
	close(notes[0]);
}

static void put_text(struct buf *out, struct str text)
{
	buf_text(out, "{\"type\":\"text\",\"text\":");
	json_write_string(out, text);
	buf_byte(out, '}');
}

/* The part of the output that was asked for, how to get the rest, and notes: alone where
 * there is no output. */
static void put_result(
	struct buf *out, struct jv id, const struct mcp_call *c, const struct output *o)
{
	struct str all = buf_view(&o->text), notes = buf_view(&o->notes);
	struct str part = all.n ? str_skip(all, c->offset < all.n ? c->offset : all.n) : all;

	while (part.n && ((unsigned char)*part.p & 0xC0) == 0x80)
		part = str_skip(part, 1);
	part.n = utf8_cut(part.p, part.n, c->most);
	notes.n = utf8_cut(notes.p, notes.n, NOTES);
	begin_answer(out, id);
	buf_text(out, ",\"result\":{\"content\":[");
	if (all.n || !notes.n)
		put_text(out, all.n ? part : STR("Nothing matches."));
	if (part.n && part.p + part.n < all.p + all.n)
		buf_printf(out,
			",{\"type\":\"text\",\"text\":\"There are %zu bytes in all: go "
			"on with "
			"offset %zu.\"}",
			all.n, (size_t)(part.p + part.n - all.p));
	buf_text(out, all.n && notes.n ? "," : "");
	if (notes.n)
		put_text(out, notes);
	buf_printf(out, "],\"isError\":%s}}\n", o->failed ? "true" : "false");
}

static void call_tool(struct buf *out, struct jv id, struct jv params)
{
	struct jv name = jv_member(params, "name"),
		  arguments = jv_member(params, "arguments");
	const struct mcp_tool *tool = NULL;
	struct mcp_call call = {0};
	struct output output = {0};

	for (size_t i = 0; i < TOOLS; i++)
		if (jv_is(name, str_of(tools[i].name)))
			tool = &tools[i];
	if (!tool || (arguments.kind != J_NONE && arguments.kind != J_OBJECT)) {
		put_error(out, id, NO_PARAMS,
			tool ? "arguments is no object" : "there is no such tool");
		return;
	}
	read_call(&call, tool, arguments);
	if (call.problem.len) {
		buf_str(&output.notes, buf_view(&call.problem));
		output.failed = true;
	} else {
		run_call(&call, &output);
	}
	put_result(out, id, &call, &output);
	for (size_t i = 0; i < call.count; i++)
		mem_free(call.words[i]);
	buf_done(&call.problem);
	buf_done(&output.text);
	buf_done(&output.notes);
}

/* ---- messages ---- */

static void answer(struct buf *out, struct str line)
{
	struct json_report report;
	struct jv message, id, method;
	bool answered;

	json_check(line, &report);
	if (report.verdict != VERDICT_STRICT) {
		put_error(out, (struct jv)JV_NONE, PARSE_ERROR, "the line is no JSON");
		return;
	}
	message = jv_parse(line);
	method = jv_member(message, "method");
	id = jv_member(message, "id");
	answered = jv_member(message, "result").kind != J_NONE ||
		   jv_member(message, "error").kind != J_NONE;
	if (message.kind == J_OBJECT &&
		(method.kind == J_STRING ? id.kind == J_NONE : answered))
		return; /* a notification; an answer, and nothing was asked */
	if (message.kind != J_OBJECT || method.kind != J_STRING ||
		!jv_is(jv_member(message, "jsonrpc"), STR("2.0")) ||
		(id.kind != J_STRING && id.kind != J_NUMBER)) {
		put_error(out,
			id.kind == J_STRING || id.kind == J_NUMBER ? id
								   : (struct jv)JV_NONE,
			NO_REQUEST, "this is no request");
		return;
	}
	if (jv_is(method, STR("initialize")))
		put_welcome(out, id, jv_member(message, "params"));
	else if (jv_is(method, STR("tools/list")))
		put_tools(out, id);
	else if (jv_is(method, STR("tools/call")))
		call_tool(out, id, jv_member(message, "params"));
	else if (jv_is(method, STR("ping"))) {
		begin_answer(out, id);
		buf_text(out, ",\"result\":{}}\n");
	} else {
		put_error(out, id, NO_METHOD, "there is no such method");
	}
}

/* The next line without its end; false: there is none.  One that is too long is dropped,
 * but for its beginning. */
static bool read_line(struct buf *line, bool *dropped)
{
	int c;

	buf_clear(line);
	*dropped = false;
	while ((c = getc(stdin)) != EOF && c != '\n') {
		if (line->len < LINE_MOST)
			buf_byte(line, (char)c);
		else
			*dropped = true;
	}
	return c != EOF || line->len;
}

int cmd_mcp(const struct options *o)
{
	AUTO_BUF line = BUF_INIT, out = BUF_INIT;
	bool dropped;

	if (o->files.count)
		return cmd_fail("%s: catena mcp takes no files: its client names them",
			o->files.items[0]);
	while (read_line(&line, &dropped)) {
		if (dropped)
			put_error(&out, (struct jv)JV_NONE, NO_REQUEST,
				"the message is too long");
		else if (str_trim(buf_view(&line)).n)
			answer(&out, buf_view(&line));
		cmd_write(&out);
		if (fflush(stdout) != 0)
			break; /* the client is gone */
	}
	return STATUS_DONE;
}
