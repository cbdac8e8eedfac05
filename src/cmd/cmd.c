/* The table of commands and what they share: see cmd.h. */
#include "config.h"
#include "cmd/cmd.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "analysis/usage.h"
#include "base/file.h"
#include "config/configuration.h"
#include "json/json.h"
#include "text/safe.h"
#include "text/wrap.h"
#include "view/doc.h"
#include "view/facts.h"

#define LONG     (1u << 16) /* bytes that are written at once */
#define WARNINGS 10         /* printed of a registry */
#define NARROWEST 20        /* terminal, in cells */

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
		"print what each request read from the provider's cache, and why a "
		"prefix was "
		"not read",
		"sessions since until timezone prices filter limit json", cmd_cache},
	{"runs", "[FILE...|DIR...]",
		"compare runs of the same tasks: outcomes, pass@k, and the calls at "
		"which they "
		"part",
		"sessions limit json", cmd_runs},
	{"failures", "[FILE...|DIR...]",
		"print what fails most, by tool and shape, in files or in all sessions",
		"sessions since until timezone filter limit json", cmd_failures},
	{"why", "FILE[:LINE] [DIR...]",
		"print which step of which session wrote the lines of a file",
		"limit json", cmd_why},
	{"diff", "A[:STEP] B[:STEP]",
		"print the differences between two steps or two files", "width json",
		cmd_diff},
	{"sessions", "[DIR...]",
		"list the sessions and traces of this machine, or of folders",
		"limit json width set config no-config", cmd_sessions},
	{"usage", "[BY] [DIR...]",
		"print what sessions took and cost: daily, weekly, monthly, by session, "
		"model, project or tool",
		"since until timezone prices limit width json set config no-config",
		cmd_usage},
	{"keep", "", "copy the sessions that their programs delete after some days",
		"to dry-run json", cmd_keep},
	{"labels", "[FILE [OTHER]]",
		"list the labels of steps; of two files print how far they agree",
		"limit json", cmd_labels},
	{"mcp", "",
		"serve agents by the Model Context Protocol on standard input and output",
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

struct report report_of(const struct options *o)
{
	return (struct report){.write = cmd_write_long,
		.json = o->json,
		.first = "\n",
		.between = ",\n",
		.most = o->limit};
}

int report_end(struct report *r, int status, const char *what)
{
	cmd_write(&r->out);
	if (what && r->left_out)
		cmd_note(NULL, "%zu more %s%s: --limit left %s out", r->left_out, what,
			plural(r->left_out), r->left_out == 1 ? "it" : "them");
	buf_done(&r->out);
	return status;
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

/* ---- what a person configured ---- */

struct prices *cmd_read_prices(const struct options *o, struct buf *text)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	struct prices *p;

	if (o->prices && !cmd_read_file(o->prices, text))
		return NULL;
	p = prices_new(buf_view(text), &err);
	if (!p) {
		err_source(&err, o->prices);
		(void)cmd_fail("%s: %s", o->prices, err.text);
	}
	return p;
}

struct config *cmd_config(const struct options *o)
{
	static struct buf table;
	struct config *c = config_new();
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	AUTO(err_done) struct err wrong = {.offset = ERR_NOWHERE};
	AUTO_BUF path = BUF_INIT;
	struct str name, value, place;

	if (!o->no_config)
		config_add_user(c, o->config);
	if (o->cache != SIZE_MAX)
		c->settings.cache = o->cache;
	for (size_t i = 0; i < o->sets.count; i++)
		if (options_split(str_of(o->sets.items[i]), &name, &value))
			setting_set(&c->settings, setting_find(name), value, &err);
	/* its prices count for the whole program; what is wrong with them is said */
	place = str_of(c->settings.prices);
	if (!place.n || table.len)
		return c;
	if (!home_expand(place, &path))
		buf_str(&path, place);
	err_source(&wrong, path.data);
	if (cmd_read_file(path.data, &table) && !prices_use(buf_view(&table), &wrong))
		report_note(&wrong);
	return c;
}

bool cmd_has_state(const struct options *o)
{
	struct config *c = cmd_config(o);
	bool places = c->settings.places;

	config_free(c);
	return places && !o->no_state;
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

void cmd_put_moment(struct buf *out, const char *key, double seconds)
{
	AUTO_BUF moment = BUF_INIT;

	facts_moment(&moment, seconds);
	if (moment.len) {
		moment.data[10] = 'T';
		buf_byte(&moment, 'Z');
	}
	json_put_known(out, key, buf_view(&moment));
}

/* ---- a document of the viewer ----
 *
 * Everything passes text/safe, whatever standard output is.
 */

unsigned cmd_print_width(const struct options *o)
{
	struct winsize size;

	if (o->width)
		return o->width;
	if (!isatty(STDOUT_FILENO))
		return WRAP_NEVER;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= NARROWEST)
		return size.ws_col;
	return 80;
}

bool cmd_colors(const struct options *o)
{
	const char *term = getenv("TERM");

	return isatty(STDOUT_FILENO) && term && strcmp(term, "dumb") != 0 &&
	       !o->no_color && !o->json;
}

/* How roles look on a terminal: the parameters of SGR. */
static const char *const sgr_of[] = {[ROLE_ADDED] = "32",
	[ROLE_DELETED] = "4;31",
	[ROLE_ADDED_LINE] = "32",
	[ROLE_STRING] = "32",
	[ROLE_DELETED_LINE] = "31",
	[ROLE_ADDED_WORDS] = "1;4;32",
	[ROLE_DELETED_WORDS] = "1;4;31",
	[ROLE_KEYWORD] = "35",
	[ROLE_COMMENT] = "2;3",
	[ROLE_CHANGED] = "33",
	[ROLE_ERROR] = "31",
	[ROLE_TITLE] = "1",
	[ROLE_DIM] = "2",
	[ROLE_MARK] = "7",
	[ROLE_COUNT] = NULL};

static void put_line(struct buf *out, struct doc *d, struct place p)
{
	size_t at;
	const struct lines *ls = doc_line(d, p, &at);
	const struct line *line = &ls->lines[at];

	for (uint32_t i = line->first; i < line->first + line->count; i++) {
		const char *sgr = d->colored ? sgr_of[ls->spans[i].role] : NULL;

		if (sgr)
			buf_printf(out, "\033[%sm", sgr);
		buf_str(out, lines_text(ls, &ls->spans[i]));
		if (sgr)
			buf_text(out, "\033[m");
	}
	while (!d->colored && out->len && out->data[out->len - 1] == ' ')
		out->len--;
	buf_byte(out, '\n');
	cmd_write_long(out);
}

/* Each block is a document of its own: blocks that one adds after itself would move all
 * the others that follow. */
void cmd_print_doc(struct buf *out, struct doc *d)
{
	AUTO(doc_done) struct doc one = {.print = d->print, .colored = d->colored};

	doc_width(&one, d->width);
	for (size_t i = 0; i < d->count; i++) {
		struct place p = {0, 0};
		bool more;

		doc_clear(&one);
		doc_copy(&one, d, i);
		doc_settle(&one, &p);
		more = doc_rows(&one, p.block) > 0;
		while (more) {
			size_t at = p.block;

			put_line(out, &one, p);
			more = doc_down(&one, &p, 1);
			if (p.block != at)
				doc_release(&one, at);
		}
	}
}
