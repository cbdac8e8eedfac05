/* From the command line to a command, or to the viewer. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/embedded.h"
#include "base/err.h"
#include "base/mem.h"
#include "cmd/cmd.h"
#include "config/configuration.h"
#include "import/known.h"
#include "io/inputs.h"
#include "json/json.h"
#include "sessions/sessions.h"
#include "text/safe.h"
#include "trace/labels.h"
#include "ui/core/app.h"
#include "ui/keys/keymap.h"
#include "ui/script.h"

/*
 * Files must not take the numbers of standard streams that the caller closed.  They are
 * opened so that they cannot be used: lost output is an error like any other.
 */
static void reserve_streams(void)
{
	static const int useless[] = {O_WRONLY, O_RDONLY, O_RDWR};

	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", useless[fd]) != fd)
			_exit(STATUS_ERROR);
}

static int usage_error(struct err *err)
{
	report_error(err);
	err_done(err);
	return STATUS_ERROR;
}

static int show_help(const struct options *o)
{
	AUTO_BUF out = BUF_INIT;

	if (o->help)
		options_help(&out, o->command);
	else
		buf_printf(&out, "catena %s\n", PACKAGE_VERSION);
	cmd_write(&out);
	return STATUS_DONE;
}

/* ---- the configuration ---- */

#define WARNINGS 20 /* printed at most */

/* STATUS_FINDINGS when something in it is wrong: it may serve as a check. */
static int dump_config(const struct options *o)
{
	struct config *c = o->dumped.n ? NULL : cmd_config(o);
	AUTO_BUF out = BUF_INIT;
	int status;

	if (c)
		config_text_put(c, &out);
	else if (str_equal(o->dumped, STR("schema")))
		config_schema_put(&out);
	else
		buf_add(&out, embedded_catena.bytes, embedded_catena.n);
	cmd_write(&out);
	if (c)
		cmd_report_warnings(c->warnings, c->warning_count, WARNINGS,
			"places of the configuration");
	status = c && c->warning_count ? STATUS_FINDINGS : STATUS_DONE;
	config_free(c);
	return status;
}

/* ---- the screen ---- */

/* `listed`: the sessions to list in place of files, or NULL. */
static int show(struct app_options *wanted, const struct options *o,
	struct sessions_options *listed)
{
	struct registry *registry = cmd_registry(o);
	struct config *config = cmd_config(o);
	int status = STATUS_ERROR;

	wanted->config = config;
	wanted->registry = registry;
	if (listed) {
		listed->cached = !o->from && !o->no_state && !o->script &&
				 config->settings.places;
		listed->remembered = !listed->count && !o->no_state && !o->script &&
				     config->settings.places;
	}
	wanted->sessions = listed;
	if (registry)
		status = app_run(wanted);
	cmd_report_warnings(config->warnings, config->warning_count, WARNINGS,
		"places of the configuration");
	config_free(config);
	registry_free(registry);
	return status;
}

/* The viewer without a terminal, driven by a script. */
static int show_by_script(struct app_options *screen, const struct options *o,
	struct sessions_options *listed)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	int status = STATUS_ERROR;

	/* script and trace would both be read from there */
	for (size_t i = 0; !listed && i < screen->count; i++)
		if (strcmp(screen->paths[i], "-") == 0 && strcmp(o->script, "-") == 0)
			return cmd_fail("standard input is the script, so name a file to "
					"look at");
	screen->script = script_open(o->script, &err);
	if (screen->script) {
		status = show(screen, o, listed);
		if (status == STATUS_DONE)
			status = script_end(screen->script, &err);
	}
	if (err.text)
		report_error(&err);
	script_free(screen->script);
	return status;
}

/* The viewer, or the text where there is no terminal to show it. */
static int view(const struct options *o)
{
	static const char *const in[] = {"-"};
	struct app_options screen = {.paths = o->files.count ? o->files.items : in,
		.count = o->files.count ? o->files.count : 1,
		.from = o->from,
		.follow = o->follow,
		.filter = o->filter_text,
		.no_state = o->no_state,
		.no_color = o->no_color};

	const struct operands *folders = &o->files;
	struct sessions_options sessions = {
		.folders = folders->items, .count = folders->count, .from = o->from};
	const char *term = getenv("TERM");
	/* a list of sessions is wanted in place of a trace: nothing is named and nothing
	 * is piped, or only folders are named */
	bool listed = o->files.count || o->sessions || isatty(STDIN_FILENO);

	for (size_t i = 0; i < o->files.count; i++)
		listed = listed && folder_is(o->files.items[i]);
	if (o->dump)
		return dump_config(o);
	if (o->sessions && !listed)
		return cmd_check_folders(folders->items, folders->count);
	if (o->script)
		return show_by_script(&screen, o, listed ? &sessions : NULL);
	/* a terminal that can only print is dumb, as an editor's shell window is */
	if (!isatty(STDOUT_FILENO) || (term && strcmp(term, "dumb") == 0))
		return listed ? cmd_sessions(o) : cmd_print(o);
	return show(&screen, o, listed ? &sessions : NULL);
}

/* What was asked, where. */
static void log_begin(int argc, char **argv)
{
	const char *term = getenv("TERM"), *locale = setlocale(LC_CTYPE, NULL);

	log_line("catena %s, TERM %s, locale %s", PACKAGE_VERSION, term ? term : "none",
		locale ? locale : "none");
	for (int i = 1; i < argc; i++)
		log_line("argument: %s", argv[i]);
}

int main(int argc, char **argv)
{
	struct err err = {.offset = ERR_NOWHERE};
	AUTO(options_done) struct options options = {0};
	const char *no_color = getenv("NO_COLOR");
	int status;

	mem_begin();
	reserve_streams();
	errno = 0;
	if (!setlocale(LC_CTYPE, "") && errno == ENOMEM)
		mem_fail(); /* all would be shown as in ASCII */
	safe_init();
	json_init();
	signal(SIGPIPE, SIG_IGN); /* the write fails instead, and the error is reported */
	signal(SIGXFSZ, SIG_IGN);
	options.no_color = no_color && *no_color;
	options.cache = SIZE_MAX;
	if (!options_parse(&options, argc, argv, &err)) {
		status = usage_error(&err);
	} else if (options.help || options.version) {
		status = show_help(&options);
	} else if (!log_open(options.log, &err)) {
		status = usage_error(&err);
	} else {
		log_begin(argc, argv);
		labels_use(options.labels);
		known_read_user(report_note);
		status = options.command->run ? options.command->run(&options)
					      : view(&options);
	}
	status = cmd_finish(status);
	log_line("ends with status %d", status);
	log_open(NULL, &err);
	return status;
}
