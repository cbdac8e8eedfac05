/* The table of commands and what they share: see cmd.h. */
#include "config.h"
#include "cmd/cmd.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/prices.h"
#include "base/home.h"
#include "base/mem.h"
#include "config/configuration.h"
#include "import/open.h"
#include "json/json.h"
#include "sessions/summary.h"
#include "text/report.h"
#include "text/safe.h"
#include "view/facts.h"

#define LONG     (1u << 16) /* bytes that are written at once */
#define WARNINGS 10         /* printed of a registry */

const struct cmd commands[] = {
	{"print", "[FILE...]", "print every step as readable text",
		"width filter new-only transcript", cmd_print},
	{"search", "PATTERN [FILE...]",
		"print the steps that match a regular expression, with the hits",
		"sessions count filter fixed ignore-case case-sensitive limit json",
		cmd_search},
	{"export", "[FILE...]",
		"write the chains as JSON, Markdown, text, HTML or tables",
		"format output force width filter new-only redact redact-pattern "
		"redact-report",
		cmd_export},
	{"extract chat", "[FILE]", "print the array of messages in a JSON value, or null",
		"prefer", cmd_extract_chat},
	{"extract parts", "[FILE]", "print the text, tool calls and results of a message",
		"", cmd_extract_parts},
	{"extract request", "FILE:STEP",
		"print a step as a request that you can send again", "as",
		cmd_extract_request},
	{"extract response", "[FILE]",
		"print the message, suggestions and payload in an assistant's text",
		"page", cmd_extract_response},
	{"payloads list", "", "list the payload types, tools, pages and actions", "json",
		cmd_payloads_list},
	{"payloads show", "NAME", "print a payload type, tool or page in full", "json",
		cmd_payloads_show},
	{"payloads prompt", "",
		"print a system prompt that explains a page's payloads and tools",
		"page tool", cmd_payloads_prompt},
	{"payloads validate", "[NAME] [FILE]",
		"check a value against a payload type or any JSON Schema", "schema json",
		cmd_payloads_validate},
	{"check", "[FILE...]", "report errors and warnings in the steps",
		"filter limit json format page", cmd_check},
	{"stats", "[FILE...]", "print totals by chain, model and tool, and the payloads",
		"totals context by limit json", cmd_stats},
	{"files", "[FILE...]",
		"list the files that tool calls read and change, with the changes",
		"width limit json patch", cmd_files},
	{"steps", "[FILE...]", "list the steps", "filter limit json", cmd_steps},
	{"cache", "[FILE...|DIR...]",
		"print what each request read from the provider's cache, and why a prefix was "
		"not read",
		"sessions since until timezone prices filter limit json", cmd_cache},
	{"runs", "[FILE...|DIR...]",
		"compare runs of the same tasks: outcomes, pass@k, and the calls at which they "
		"part",
		"sessions limit json", cmd_runs},
	{"failures", "[FILE...|DIR...]",
		"print what fails most, by tool and shape, in files or in all sessions",
		"sessions since until timezone filter limit json", cmd_failures},
	{"why", "FILE[:LINE] [DIR...]",
		"print which step of which session wrote the lines of a file", "limit json",
		cmd_why},
	{"diff", "A[:STEP] B[:STEP]",
		"print the differences between two steps or two files", "width json",
		cmd_diff},
	{"sessions", "[DIR...]",
		"list the sessions and traces of this machine, or of folders",
		"limit json width set config no-config", cmd_sessions},
	{"usage", "[BY] [DIR...]",
		"print what sessions took and cost: daily, weekly, monthly, by session, "
		"model, project or tool",
		"since until timezone prices limit width json set config no-config", cmd_usage},
	{"keep", "", "copy the sessions that their programs delete after some days",
		"to dry-run json", cmd_keep},
	{"labels", "[FILE [OTHER]]",
		"list the labels of steps; of two files print how far they agree", "limit json",
		cmd_labels},
	{"mcp", "", "serve agents by the Model Context Protocol on standard input and output",
		"", cmd_mcp},
	{"formats", "", "list the known formats", "explain show json", cmd_formats},
	{0},
};

const struct cmd *command_view(void)
{
	static const struct cmd view = {NULL, "[FILE...]", "",
		"width cache filter follow script sessions set config no-config "
		"dump-config",
		NULL};

	return &view;
}

/* ---- messages ---- */

int cmd_fail(const char *fmt, ...)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	va_list ap;

	va_start(ap, fmt);
	err_setv(&err, fmt, ap);
	va_end(ap);
	report_error(&err);
	return STATUS_ERROR;
}

void cmd_note(const char *input, const char *fmt, ...)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	va_list ap;

	va_start(ap, fmt);
	err_setv(&err, fmt, ap);
	va_end(ap);
	if (input)
		err_source(&err, input);
	report_note(&err);
}

bool row_limit_take(struct row_limit *l)
{
	bool shows = !l->most || l->shown < l->most;

	l->shown += shows;
	l->left_out += !shows;
	return shows;
}

void cmd_note_left_out(size_t count, const char *what)
{
	if (count)
		cmd_note(NULL, "%zu more %s%s: --limit left %s out", count, what,
			count == 1 ? "" : "s", count == 1 ? "it" : "them");
}

void cmd_report_warnings(
	const struct err *warnings, size_t count, size_t most, const char *what)
{
	for (size_t i = 0; i < count && i < most; i++)
		report_note(&warnings[i]);
	if (count > most)
		cmd_note(NULL, "%zu more %s have mistakes", count - most, what);
}

struct registry *cmd_registry(const struct options *o)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	struct registry *r = registry_new();
	bool ok = true;

	registry_add_user(r);
	for (size_t i = 0; ok && i < o->payloads.count; i++)
		ok = registry_add_file(r, o->payloads.items[i], &err);
	registry_link(r);
	cmd_report_warnings(r->warnings, r->warning_count, WARNINGS, "definitions");
	if (!ok) {
		report_error(&err);
		registry_free(r);
	}
	return ok ? r : NULL;
}

void cmd_note_page(const struct registry *r, const char *page)
{
	if (page && *page && !registry_page(r, str_of(page)))
		cmd_note(NULL,
			"there is no page \"%s\", so no payload type is allowed "
			"(`catena payloads list` shows the pages)",
			page);
}

/* ---- files ---- */

/* A file of one value is unreadable when that value is, which the loader alone cannot
 * tell. */
static bool only_step_broken(struct trace *trace, struct err *err)
{
	struct opened *o;
	bool broken;

	if (trace->count != 1 || trace_flags(trace, 0) & (STEP_SSE | STEP_LINES))
		return false;
	o = opened_new(trace, 0);
	broken = (trace_flags(trace, 0) & STEP_BROKEN) && step_problem(trace, 0, o, err);
	opened_free(o);
	return broken;
}

/* Prints what was wrong with the file as a whole, in ten lines at most. */
static void print_notes(const struct cmd_file *f)
{
	struct inputs *inputs = f->trace->inputs;
	size_t count;
	const struct load_note *notes = load_notes(f->load, &count);

	for (size_t i = 0; i < count && i < 10; i++) {
		AUTO(err_done) struct err e = {.offset = ERR_NOWHERE};

		err_at(&e, notes[i].offset, "%s", notes[i].text);
		inputs_locate(inputs, &e);
		report_note(&e);
	}
	if (count > 10)
		cmd_note(inputs_name(inputs), "%zu more places are damaged", count - 10);
}

void cmd_entitle(struct trace *trace, size_t scope)
{
	struct summing_up *s = summing_up_untitled(trace, scope);

	if (!s)
		return;
	(void)summing_up_run(s, UINT64_MAX);
	(void)summing_up_entitle(s, trace, scope);
}

bool cmd_open(struct cmd_file *f, const char *path, const struct options *o)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	struct inputs *inputs = inputs_new();
	bool ok;

	inputs_add(inputs, path);
	f->trace = trace_new(inputs);
	f->load = load_begin(f->trace, o->from);
	ok = load_all(f->load, &err) == TASK_DONE && !inputs_failed(inputs, &err);
	f->unreadable = ok && (load_unreadable(f->load, &err) ||
				      only_step_broken(f->trace, &err));
	for (size_t i = 0, n = inputs_note_count(inputs); i < n; i++) {
		AUTO(err_done) struct err note = {.offset = ERR_NOWHERE};

		inputs_note(inputs, i, &note);
		report_note(&note);
	}
	if (ok && !f->unreadable) {
		print_notes(f);
		for (size_t i = 0; !o->titled_late && i < f->trace->scope_count; i++)
			cmd_entitle(f->trace, i);
	}
	if (!ok || f->unreadable)
		report_error(&err);
	if (ok && load_is_foreign(f->load))
		ok = false;
	if (!ok)
		cmd_close(f);
	return ok;
}

void cmd_close(struct cmd_file *f)
{
	load_free(f->load);
	trace_free(f->trace);
	*f = (struct cmd_file){0};
}

/* The configured prices count for the whole program; what is wrong with them is said. */
static void use_prices(const char *place)
{
	static struct buf table;
	AUTO_BUF path = BUF_INIT;
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};

	if (!*place || table.len)
		return;
	if (!home_expand(str_of(place), &path))
		buf_text(&path, place);
	err_source(&err, path.data);
	if (cmd_read_file(path.data, &table) && !prices_use(buf_view(&table), &err))
		report_note(&err);
}

struct config *cmd_config(const struct options *o)
{
	struct config *c = config_new();
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	struct str name, value;

	if (!o->no_config)
		config_add_user(c, o->config);
	if (o->cache != SIZE_MAX)
		c->settings.cache = o->cache;
	for (size_t i = 0; i < o->sets.count; i++)
		if (options_split(str_of(o->sets.items[i]), &name, &value))
			setting_set(&c->settings, setting_find(name), value, &err);
	use_prices(c->settings.prices);
	return c;
}

struct judging *cmd_judge(const struct options *o, struct trace *trace)
{
	struct judging *j = o->filter ? judging_new(trace, o->filter) : NULL;
	size_t gave_up;

	if (!j)
		return NULL;
	judging_run(j, UINT64_MAX, true);
	gave_up = judging_state(j).gave_up;
	if (gave_up)
		cmd_note(inputs_name(trace->inputs),
			"the filter's expression runs too long in %zu place%s: there may "
			"be more steps",
			gave_up, gave_up == 1 ? "" : "s");
	return j;
}

/* Prints how many of the steps that were opened were mended or unreadable.  True: the
 * file ends inside a step; what was there is shown, and more is missing.  Linear in the
 * steps.
 */
static bool note_problems(const struct trace *trace)
{
	size_t repaired = 0, broken = 0, cut = 0;
	const char *name = inputs_name(trace->inputs);

	for (size_t i = 0; i < trace->count; i++) {
		uint32_t flags = trace_flags(trace, i);

		repaired += !!(flags & STEP_REPAIRED);
		broken += !!(flags & STEP_BROKEN);
		cut += !!(flags & STEP_CUT);
	}
	if (repaired && broken)
		cmd_note(name, "%zu of %zu steps repaired, %zu unreadable", repaired,
			trace->count, broken);
	else if (repaired)
		cmd_note(name, "%zu of %zu steps repaired", repaired, trace->count);
	else if (broken)
		cmd_note(name, "%zu of %zu steps unreadable", broken, trace->count);
	return cut > 0;
}

static int run_one(
	const char *path, const struct options *o, cmd_each_fn *each, void *ctx)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	struct cmd_file f;
	int status;

	if (!cmd_open(&f, path, o))
		return STATUS_ERROR;
	status = f.unreadable && !f.trace->count ? STATUS_ERROR : each(&f, o, ctx);
	if (f.unreadable) {
		status = STATUS_ERROR;
	} else if (inputs_failed(f.trace->inputs, &err)) {
		/* a file that failed or shrank since it was indexed spoils later steps */
		report_error(&err);
		status = STATUS_ERROR;
	} else if (note_problems(f.trace) && status == STATUS_DONE) {
		status = STATUS_FINDINGS;
	}
	cmd_close(&f);
	return status;
}

int cmd_each(const struct options *o, cmd_each_fn *each, void *ctx)
{
	int worst = STATUS_DONE;

	if (o->files.count == 0)
		return run_one("-", o, each, ctx);
	for (size_t i = 0; i < o->files.count; i++) {
		int status = run_one(o->files.items[i], o, each, ctx);

		if (status > worst)
			worst = status;
	}
	return worst;
}

/* The exit status after a failed write.  A reader that went away has seen enough: that is
 * no failure. */
static int output_failed(int problem)
{
	return problem == EPIPE ? STATUS_DONE
				: cmd_fail("standard output: %s", strerror(problem));
}

void cmd_write_all(struct str bytes)
{
	if (bytes.n && fwrite(bytes.p, 1, bytes.n, stdout) != bytes.n)
		exit(output_failed(errno));
}

void cmd_write(struct buf *out)
{
	cmd_write_all(buf_view(out));
	buf_clear(out);
}

void cmd_write_long(struct buf *out)
{
	if (out->len > LONG)
		cmd_write(out);
}

int cmd_finish(int status)
{
	struct pollfd p = {.fd = STDOUT_FILENO, .events = POLLOUT};
	bool reader_is_gone;

	if (fflush(stdout) != 0)
		return output_failed(errno);
	if (!ferror(stdout))
		return status;
	/* an earlier write failed, and its errno is lost */
	reader_is_gone = poll(&p, 1, 0) > 0 && p.revents & (POLLERR | POLLHUP);
	return output_failed(reader_is_gone ? EPIPE : EIO);
}

void cmd_write_time(struct buf *out, double seconds)
{
	AUTO_BUF moment = BUF_INIT;

	facts_moment(&moment, seconds);
	if (!moment.len) {
		json_write_null(out, "time");
	} else {
		moment.data[10] = 'T';
		buf_byte(&moment, 'Z');
		json_write_text(out, "time", buf_view(&moment));
	}
}

struct str cmd_file_name(const struct trace *trace, uint32_t chain)
{
	const struct chain *c = chain == NO_CHAIN ? NULL : &trace->chains[chain];

	if (!c || inputs_wholes(trace->inputs) < 2)
		return str_of(inputs_name(trace->inputs));
	return str_of(inputs_name_at(trace->inputs, trace->scopes[c->scope].offset));
}

const char *cmd_input_name(const struct options *o)
{
	const char *path = o->files.count ? o->files.items[0] : "-";

	return strcmp(path, "-") == 0 ? "standard input" : path;
}

/* Prints the notes of a source that is read as one text. */
static void print_text_notes(struct source *s)
{
	size_t count;
	const struct source_note *notes = source_notes(s, &count);

	for (size_t i = 0; i < count; i++) {
		AUTO(err_done) struct err e = {.offset = ERR_NOWHERE};

		err_at(&e, notes[i].offset, "%s", notes[i].text);
		source_locate(s, &e);
		report_note(&e);
	}
}

bool cmd_read_file(const char *path, struct buf *text)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	struct source *s = source_open(path, &err);
	bool ok = s != NULL;

	while (ok && !source_complete(s))
		ok = source_wait(s, &err);
	if (ok) {
		buf_reserve(text, (size_t)source_size(s));
		text->len = source_read(s, 0, text->data, (size_t)source_size(s));
		ok = !source_failed(s, &err);
		print_text_notes(s);
	}
	if (!ok)
		report_error(&err);
	source_free(s);
	return ok;
}

bool cmd_read_text(const struct options *o, struct buf *text)
{
	if (o->files.count > 1) {
		(void)cmd_fail("%s: one file at a time", o->files.items[1]);
		return false;
	}
	return cmd_read_file(o->files.count ? o->files.items[0] : "-", text);
}

/* ---- operands ---- */

bool operand_read_step(const char *text, size_t *chain, size_t *step)
{
	char *end;

	*chain = 0;
	if (*text < '0' || *text > '9')
		return false;
	*step = strtoull(text, &end, 10);
	if (*end == '.' && str_is_digit(end[1])) {
		*chain = *step;
		*step = strtoull(end + 1, &end, 10);
	}
	return !*end && *step;
}

void operand_read(struct operand *o, const char *text)
{
	const char *colon = strrchr(text, ':');

	*o = (struct operand){0};
	if (!colon || colon == text || access(text, F_OK) == 0 ||
		!operand_read_step(colon + 1, &o->chain, &o->step)) {
		o->path = mem_dup(text, strlen(text));
		return;
	}
	o->path = mem_dup(text, (size_t)(colon - text));
}

void operand_done(struct operand *o)
{
	mem_free(o->path);
	o->path = NULL;
}

size_t operand_position(const struct operand *o)
{
	const struct trace *trace = o->file->trace;
	size_t chain = o->chain ? o->chain - 1 : 0;

	if (chain >= trace->chain_count) {
		cmd_fail("%s: there is no chain %zu: it has %zu", o->path, chain + 1,
			trace->chain_count);
		return SIZE_MAX;
	}
	if (o->step > trace->chains[chain].count) {
		cmd_fail("%s: there is no step %zu: the chain has %zu", o->path, o->step,
			trace->chains[chain].count);
		return SIZE_MAX;
	}
	return trace->chains[chain].first + o->step - 1;
}
