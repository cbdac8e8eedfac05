/* The command line, parsed by a table: see cmd.h. */
#include "config.h"
#include "cmd/cmd.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "config/configuration.h"
#include "export/export.h"
#include "import/known.h"
#include "io/source.h"

static bool set_from(struct options *o, struct str value, struct err *err)
{
	o->from = format_named(value);
	if (!o->from)
		err_set(err, "--from %.*s: no such format; `catena formats` lists them",
			(int)value.n, value.p);
	return o->from != NULL;
}

static bool set_format_file(struct options *o, struct str value, struct err *err)
{
	return known_read(value.p, err);
}

/* The index of a value among the words of an option, or -1 with err. */
static int choose(const char *option, struct str value, const char *const words[],
	int count, const char *use, struct err *err)
{
	for (int i = 0; i < count; i++)
		if (str_equal(value, str_of(words[i])))
			return i;
	err_set(err, "--%s%.*s: use %s", option, (int)value.n, value.p, use);
	return -1;
}

static bool set_prefer(struct options *o, struct str value, struct err *err)
{
	static const char *const words[] = {"input", "output"};
	int side = choose("prefer ", value, words, 2, "input or output", err);

	o->prefer = side < 0 ? PREFER_NONE : side ? PREFER_OUTPUT : PREFER_INPUT;
	return side >= 0;
}

static bool set_width(struct options *o, struct str value, struct err *err)
{
	char *end;
	unsigned long n = strtoul(value.p, &end, 10);

	if (!value.n || *end || n < 1 || n > 10000) {
		err_set(err, "--width %.*s: use a number of cells from 1 to 10000",
			(int)value.n, value.p);
		return false;
	}
	o->width = (unsigned)n;
	return true;
}

static bool set_by(struct options *o, struct str value, struct err *err)
{
	static const char *const words[] = {"label"};

	o->by = value.p;
	return choose("by ", value, words, 1, "label", err) >= 0;
}

static bool set_limit(struct options *o, struct str value, struct err *err)
{
	char *end;
	unsigned long long n = strtoull(value.p, &end, 10);

	if (!value.n || *end || !str_is_digit(*value.p) || n < 1) {
		err_set(err, "--limit %.*s: use a number of rows", (int)value.n, value.p);
		return false;
	}
	o->limit = (size_t)n;
	return true;
}

static bool set_format(struct options *o, struct str value, struct err *err)
{
	const char *(*name_at)(size_t i) =
		o->command->run == cmd_check ? check_format_name : export_format_name;
	AUTO_BUF names = BUF_INIT;

	o->format = value;
	if (name_at == export_format_name && export_format_named(value))
		return true;
	for (size_t i = 0; name_at(i); i++) {
		if (str_equal(value, str_of(name_at(i))))
			return true;
		buf_printf(&names, "%s%s", i ? ", " : "", name_at(i));
	}
	err_set(err, "--format %.*s: the formats of %s are: %s", (int)value.n, value.p,
		o->command->name, names.data);
	return false;
}

static bool set_as(struct options *o, struct str value, struct err *err)
{
	int form = choose("as ", value, request_form_names, REQUEST_FORMS,
		"curl, json or python", err);

	o->as = (enum request_form)(form < 0 ? 0 : form);
	return form >= 0;
}

static bool set_filter(struct options *o, struct str value, struct err *err)
{
	AUTO(err_done) struct err wrong = {.offset = ERR_NOWHERE};

	filter_free(o->filter);
	o->filter_text = value;
	o->filter = filter_new(&filter_steps, value, &wrong);
	if (!o->filter)
		err_set(err, "--filter %.*s: at %zu: %s",
			(int)(value.n < 200 ? value.n : 200), value.p,
			(size_t)wrong.offset + 1, wrong.text);
	return o->filter != NULL;
}

static void add_word(struct operands *w, const char *word)
{
	*MEM_ADD(w->items, w->count, w->cap) = word;
}

/* A number of bytes, or of K, M, G of them. */
static bool read_size(
	const char *option, struct str value, uint64_t *size, struct err *err)
{
	static const char units[] = "KMG";
	char *end;
	unsigned long long n = strtoull(value.p, &end, 10);
	const char *unit = *end ? strchr(units, *end) : NULL;
	unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;

	if (*value.p < '0' || *value.p > '9' || end[unit != NULL] ||
		n > (UINT64_MAX >> 1) >> shift) {
		err_set(err, "--%s %.*s: use a number of bytes, such as 500M or 16G",
			option, (int)value.n, value.p);
		return false;
	}
	*size = (uint64_t)n << shift;
	return true;
}

static bool set_max_size(struct options *o, struct str value, struct err *err)
{
	uint64_t size;

	if (!read_size("max-size", value, &size, err))
		return false;
	source_set_limit(size);
	return true;
}

static bool set_cache(struct options *o, struct str value, struct err *err)
{
	uint64_t size;

	if (!read_size("cache", value, &size, err))
		return false;
	o->cache = size < SIZE_MAX ? (size_t)size : SIZE_MAX;
	return true;
}

static bool set_dump(struct options *o, struct str value, struct err *err)
{
	static const char *const words[] = {"", "default", "schema"};

	o->dumped = value;
	return o->dump = choose("dump-config=", value, words, 3,
				 "default, schema or no value", err) >= 0;
}

bool options_split(struct str text, struct str *name, struct str *value)
{
	const char *sign = memchr(text.p, '=', text.n);

	*name = text;
	if (!sign)
		return false;
	name->n = (size_t)(sign - text.p);
	*value = (struct str){sign + 1, text.n - name->n - 1};
	return true;
}

/* NAME=VALUE; it is set here only to see whether it can be. */
static bool set_setting(struct options *o, struct str value, struct err *err)
{
	struct settings scratch;
	const struct setting *row;
	struct str name;
	bool good;

	if (!options_split(value, &name, &value) || !(row = setting_find(name))) {
		err_set(err, "--set %.*s: use NAME=VALUE; `:set all` lists the names",
			(int)name.n, name.p);
		return false;
	}
	settings_begin(&scratch);
	good = setting_set(&scratch, row, value, err);
	settings_done(&scratch);
	if (good)
		add_word(&o->sets, name.p);
	return good;
}

#define FLAG(field)   OPTION_FLAG, offsetof(struct options, field), NULL
#define TEXT(field)   OPTION_TEXT, offsetof(struct options, field), NULL
#define LIST(field)   OPTION_LIST, offsetof(struct options, field), NULL
#define SET(function) OPTION_SET, 0, function

static const struct option options[] = {
	{"from", 0, "FORMAT", "read the file as FORMAT instead of detecting it", true,
		SET(set_from)},
	{"format-file", 0, "FILE", "add the format that FILE describes (YAML)", true,
		SET(set_format_file)},
	{"explain", 0, "FILE", "show why FILE has its format and no other one", false,
		TEXT(explain)},
	{"show", 0, "NAME", "print a format in full", false, TEXT(show)},
	{"format", 0, "FORMAT",
		"json, markdown, text, html, tables, otlp, atif or sts (default: FILE's "
		"ending); of check "
		"text, json, sarif, junit or github",
		false, SET(set_format)},
	{"as", 0, "FORM", "curl, json (only the body) or python", false, SET(set_as)},
	{"output", 'o', "FILE", "write to FILE, which must not exist", false,
		TEXT(output)},
	{"force", 0, NULL, "replace an existing FILE", false, FLAG(force)},
	{"filter", 0, "FILTER", "only steps that match: 'error cost>0.01 tool:search'",
		false, SET(set_filter)},
	{"prefer", 0, "SIDE", "search for input or output messages first", false,
		SET(set_prefer)},
	{"count", 'c', NULL, "print only the numbers of hits and steps", false,
		FLAG(count)},
	{"fixed", 'F', NULL, "search for plain text, not a regular expression", false,
		FLAG(fixed)},
	{"ignore-case", 'i', NULL, "ignore case", false, FLAG(any_case)},
	{"case-sensitive", 's', NULL, "respect case (default: if PATTERN has capitals)",
		false, FLAG(exact)},
	{"totals", 0, NULL, "print only the totals of each chain and of all", false,
		FLAG(totals)},
	{"by", 0, "label", "print totals by the label of steps", false, SET(set_by)},
	{"context", 0, NULL, "print the sizes of the parts of each step's input", false,
		FLAG(context)},
	{"json", 0, NULL, "print JSON", false, FLAG(json)},
	{"since", 0, "DAY", "only from this day on: 2026-11-02, or 7d for a week back",
		false, TEXT(since)},
	{"until", 0, "DAY", "only up to the end of this day", false, TEXT(until)},
	{"timezone", 0, "ZONE", "whose days they are, as Europe/Berlin (else TZ)", false,
		TEXT(timezone)},
	{"prices", 0, "FILE", "prices of models in the form of LiteLLM's table", false,
		TEXT(prices)},
	{"to", 0, "DIR", "copy to DIR, not to ~/.local/share/catena/kept", false,
		TEXT(keep_to)},
	{"dry-run", 0, NULL, "say what would be done, and do nothing", false,
		FLAG(dry_run)},
	{"patch", 0, NULL, "print the changes as a patch, for git apply or delta", false,
		FLAG(patch)},
	{"page", 0, "PAGE", "use the payload types and actions of PAGE", false,
		TEXT(page)},
	{"tool", 0, "NAME", "a tool in use; can be given several times", false,
		LIST(tools)},
	{"schema", 0, "FILE", "use this JSON Schema, not a payload type", false,
		TEXT(schema)},
	{"payloads", 0, "FILE", "add the payload types in FILE (YAML)", true,
		LIST(payloads)},
	{"limit", 0, "N", "at most N rows", false, SET(set_limit)},
	{"width", 0, "CELLS", "wrap lines at CELLS columns", false, SET(set_width)},
	{"transcript", 0, NULL, "print one text: each message once, a line between steps",
		false, FLAG(transcript)},
	{"redact", 0, NULL, "hide secrets, e-mail addresses and home folders", false,
		FLAG(redact)},
	{"redact-pattern", 0, "RE",
		"hide what RE matches, too; can be given several times", false,
		LIST(redact_patterns)},
	{"redact-report", 0, "FILE", "write what was hidden, and where, to FILE (JSON)",
		false, TEXT(redact_report)},
	{"new-only", 0, NULL, "leave out messages of the previous step", false,
		FLAG(new_only)},
	{"max-size", 0, "SIZE", "unpack at most SIZE (4G; 0: no limit)", true,
		SET(set_max_size)},
	{"follow", 'f', NULL, "follow the files: show new steps as they are written",
		false, FLAG(follow)},
	{"cache", 0, "SIZE", "keep up to SIZE of viewed steps (8M; 0: none)", false,
		SET(set_cache)},
	{"script", 0, "FILE", "run the commands in FILE, without a terminal", false,
		TEXT(script)},
	{"sessions", 0, NULL,
		"take the sessions of this machine, or of the folders that are named",
		false, FLAG(sessions)},
	{"no-state", 0, NULL, "do not remember places, folds or typed text", true,
		FLAG(no_state)},
	{"labels", 0, "FILE", "read and keep labels of steps in FILE", true,
		TEXT(labels)},
	{"log", 0, "FILE", "append a log of the program's work to FILE", true, TEXT(log)},
	{"set", 0, "NAME=VALUE", "change an option, like `:set`: layout=top", false,
		SET(set_setting)},
	{"config", 0, "FILE", "read FILE instead of ~/.config/catena/catena.yaml", false,
		TEXT(config)},
	{"no-config", 0, NULL, "use only the built-in configuration", false,
		FLAG(no_config)},
	{"dump-config", 0, "[=WHAT]", "print the configuration; WHAT: default, schema",
		false, SET(set_dump)},
	{"no-color", 0, NULL, "use no colors (like the variable NO_COLOR)", true,
		FLAG(no_color)},
	{"help", 'h', NULL, "show this help", true, FLAG(help)},
	{"version", 'V', NULL, "show the version", true, FLAG(version)},
};

#define OPTION_COUNT (sizeof(options) / sizeof(*options))

const struct option *options_at(size_t i)
{
	return i < OPTION_COUNT ? &options[i] : NULL;
}

bool option_fits(const struct cmd *c, const struct option *opt)
{
	struct str list = str_of(c->options), word;
	bool fits = opt->common;

	while (!fits && setting_word(&list, &word))
		fits = str_equal(word, str_of(opt->name));
	return fits;
}

/* By "--name", of which `n` bytes count, or "-x". */
static const struct option *find_option(const char *arg, size_t n)
{
	bool is_long = str_starts(str_of(arg), STR("--"));

	for (size_t i = 0; i < OPTION_COUNT; i++) {
		const struct option *opt = &options[i];

		if (is_long ? str_equal((struct str){arg + 2, n - 2}, str_of(opt->name))
			    : opt->letter && arg[1] == opt->letter && !arg[2])
			return opt;
	}
	return NULL;
}

/* Whether it may come without its value, which is joined to it by "=". */
static bool is_optional(const struct option *opt)
{
	return opt->value && opt->value[0] == '[';
}

/* Reads the option at argv[*i], and its value, which may be the next word. */
static bool parse_option(
	struct options *o, char **argv, int argc, int *i, struct err *err)
{
	const char *arg = argv[*i], *equals = strchr(arg, '=');
	size_t n = equals ? (size_t)(equals - arg) : strlen(arg);
	const struct option *opt = find_option(arg, n);
	struct str value = {0};
	void *field;

	if (!opt || !option_fits(o->command, opt)) {
		err_set(err, "%s: no such option%s; see catena --help", arg,
			opt ? " of this command" : "");
		return false;
	}
	if (opt->value && equals)
		value = str_of(equals + 1);
	else if (is_optional(opt))
		value = STR("");
	else if (opt->value && *i + 1 < argc)
		value = str_of(argv[++*i]);
	else if (opt->value || equals) {
		err_set(err,
			opt->value ? "--%s: it takes a value, %s"
				   : "--%s: it takes no value",
			opt->name, opt->value);
		return false;
	}
	field = (char *)o + opt->offset;
	switch (opt->type) {
	case OPTION_SET:
		return opt->set(o, value, err);
	case OPTION_FLAG:
		*(bool *)field = true;
		break;
	case OPTION_TEXT:
		*(const char **)field = value.p;
		break;
	case OPTION_LIST:
		add_word(field, value.p);
		break;
	}
	return true;
}

/* The command is the first word, or the first two; returns how many words it took. */
static int find_command(struct options *o, int argc, char **argv, struct err *err)
{
	const char *word = argc > 1 ? argv[1] : "", *example = NULL;
	struct suggest near;

	o->command = command_view();
	if (argc < 2)
		return 0;
	suggest_begin(&near, str_of(word));
	for (const struct cmd *c = commands; c->name; c++) {
		const char *second = strchr(c->name, ' ');
		size_t n = second ? (size_t)(second - c->name) : strlen(c->name);

		suggest_try(&near, (struct str){c->name, n});
		if (!str_equal(str_of(word), (struct str){c->name, n}))
			continue;
		if (!second || (argc > 2 && strcmp(argv[2], second + 1) == 0)) {
			o->command = c;
			return second ? 2 : 1;
		}
		example = example ? example : c->name;
	}
	if (example) {
		err_set(err, "%s: the command is not complete; try `catena %s`", word,
			example);
		return -1;
	}
	/* a word that is nearly a command's is mistyped, if no file is called so */
	if (!near.best.p || word[0] == '-' || access(word, F_OK) == 0)
		return 0;
	err_set(err, "%s: no such command, and no such file; did you mean `catena %.*s`?",
		word, (int)near.best.n, near.best.p);
	return -1;
}

bool options_parse(struct options *o, int argc, char **argv, struct err *err)
{
	int i = find_command(o, argc, argv, err);
	bool ended = false;

	/* `catena --from json print FILE` would be ambiguous: the command comes first */
	if (i < 0)
		return false;
	for (i++; i < argc; i++) {
		if (!ended && strcmp(argv[i], "--") == 0) {
			ended = true;
		} else if (!ended && argv[i][0] == '-' && argv[i][1]) {
			if (!parse_option(o, argv, argc, &i, err))
				return false;
		} else {
			add_word(&o->files, argv[i]);
		}
	}
	for (size_t k = 0; k < o->files.count; k++)
		if (remote_is_named(o->files.items[k]))
			remote_allow(o->files.items[k], o->follow);
	return true;
}

void options_done(struct options *o)
{
	mem_free(o->files.items);
	mem_free(o->tools.items);
	mem_free(o->payloads.items);
	mem_free(o->redact_patterns.items);
	mem_free(o->sets.items);
	filter_free(o->filter);
}

static void help_options(struct buf *out, const struct cmd *command)
{
	buf_text(out, "\noptions:\n");
	for (size_t i = 0; i < OPTION_COUNT; i++) {
		const struct option *opt = &options[i];
		size_t start = out->len;

		if (!option_fits(command, opt))
			continue;
		buf_text(out, opt->letter ? "  -" : "      ");
		if (opt->letter)
			buf_printf(out, "%c, ", opt->letter);
		buf_printf(out, "--%s%s%s", opt->name,
			opt->value && !is_optional(opt) ? " " : "",
			opt->value ? opt->value : "");
		buf_fill(out, ' ', out->len - start < 26 ? 26 - (out->len - start) : 1);
		buf_printf(out, "%s\n", opt->about);
	}
}

void options_help(struct buf *out, const struct cmd *command)
{
	if (command->name) {
		buf_printf(out, "usage: catena %s [OPTION...]%s%s\n%s\n", command->name,
			*command->operands ? " " : "", command->operands, command->about);
		help_options(out, command);
		return;
	}
	buf_text(out,
		"usage: catena [OPTION...] [FILE...]\n"
		"       catena COMMAND [OPTION...] [FILE...]\n"
		"Shows LLM traces as conversations.  Without FILE, lists the sessions "
		"of this machine;\n"
		"with a folder, the sessions in it.  Reads standard input if FILE is - "
		"or if the\n"
		"input is a pipe.  Prints text if standard output is not a terminal.\n\n"
		"commands:\n");
	for (const struct cmd *c = commands; c->name; c++)
		buf_printf(out, "  %-24s%s\n", c->name, c->about);
	help_options(out, command);
	buf_text(out,
		"\n`catena COMMAND --help` explains a command; ? in the viewer lists "
		"the keys.\n"
		"To open a file that has the name of a command: catena ./print\n");
}

/* ---- --since, --until and --timezone ---- */

#define BACK_MOST 100000 /* days */

/* When a day begins in the person's time zone, or another so many days later:
 * "2026-11-02", "20261102", or days back from today, "7d".  False: it is none of these.
 */
static bool read_day(const char *text, int days_more, double *at)
{
	static const char *const forms[] = {"%Y-%m-%d", "%Y%m%d"};
	time_t now = time(NULL);
	struct tm tm, named;
	char *end;
	long back = strtol(text, &end, 10);

	if (!localtime_r(&now, &tm))
		return false;
	if (end > text && strcmp(end, "d") == 0 && back >= 0 && back < BACK_MOST) {
		tm.tm_mday -= (int)back;
	} else {
		if (strlen(text) != 10 && strlen(text) != 8)
			return false;
		end = strptime(text, forms[strlen(text) == 8], &tm);
		if (!end || *end)
			return false;
	}
	tm.tm_hour = tm.tm_min = tm.tm_sec = 0;
	tm.tm_isdst = -1;
	named = tm;
	(void)mktime(&tm);
	if (named.tm_mday > 28 && tm.tm_mday != named.tm_mday)
		return false; /* February 30 */
	tm.tm_mday += days_more;
	tm.tm_isdst = -1;
	*at = (double)mktime(&tm);
	return true;
}

/* A zone of the system's database, or one in the form of POSIX, such as CET-1CEST.  What
 * neither knows the library would take for UTC. */
static bool read_zone(const char *zone)
{
	static const char folder[] = "/usr/share/zoneinfo";
	AUTO_BUF path = BUF_INIT;
	bool known;

	if (!zone)
		return true;
	buf_printf(&path, "%s/%s", folder, zone);
	known = *zone && (strpbrk(zone, "0123456789") || access(folder, X_OK) != 0 ||
				 access(path.data, R_OK) == 0);
	if (!known) {
		(void)cmd_fail(
			"--timezone %s: is not known; say Europe/Berlin or UTC", zone);
		return false;
	}
	setenv("TZ", zone, 1);
	tzset();
	return true;
}

static bool read_limit(const char *name, const char *text, int days_more, double *at)
{
	*at = NAN;
	if (!text || read_day(text, days_more, at))
		return true;
	(void)cmd_fail(
		"--%s %s: say a day, as 2026-11-02, or days back from today, as 7d", name,
		text);
	return false;
}

bool cmd_read_span(const struct options *o, double *since, double *until)
{
	return read_zone(o->timezone) && read_limit("since", o->since, 0, since) &&
	       read_limit("until", o->until, 1, until);
}

bool passing_holds(void *passing, const struct trace *trace, uint32_t step)
{
	const struct passing *p = passing;
	double time = trace_step(trace, step).timestamp;

	/* a moment that is not known is within a span only where there is none */
	return (!p->filter_run || filter_run_passes(p->filter_run, step)) &&
	       !(time < p->since) && !(time >= p->until) &&
	       (!isnan(time) || (isnan(p->since) && isnan(p->until)));
}
