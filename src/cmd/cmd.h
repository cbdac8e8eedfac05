/*
 * The command line, and commands without a screen: one row of the table each.  They read
 * whole files, print to standard output and return the exit status: 0 done, 1 findings (of
 * a search: none; of any other a file that ends inside a step), 2 wrong usage or unreadable
 * input.
 */
#ifndef CATENA_CMD_CMD_H
#define CATENA_CMD_CMD_H

#include "base/err.h"
#include "chat/side.h"
#include "export/export.h"
#include "import/load.h"
#include "payload/payload.h"
#include "query/filter.h"
#include "trace/trace.h"
#include "view/report.h"

#include <stddef.h>

/* ---- the command line (options.c) ----
 *
 * One table gives parsing, --help and the manual page.  Options may come anywhere after
 * the command; "--" ends them; "-" is standard input.
 */

struct operands {
	const char **items; /* into argv; owned array */
	size_t count, cap;
};

struct options {
	const struct format *from; /* --from; NULL: detect */
	enum prefer prefer;        /* --prefer */
	const char *by; /* --by of stats; NULL: not given */
	bool json, totals, context, follow, force, no_color, help, version;
	bool sessions; /* --sessions: operands are folders */
	bool count, fixed, any_case, exact; /* of search; any_case: --ignore-case */
	bool redact;                        /* --redact, */
	struct operands redact_patterns;    /* ... --redact-pattern: all that were given, */
	const char *redact_report;          /* ... --redact-report; NULL: not given */
	bool new_only, transcript;          /* --new-only, --transcript */
	bool titled_late;                   /* sessions get titles when they are printed */
	size_t limit;                       /* --limit; 0: all */
	unsigned width;                     /* --width; 0: the terminal's */
	size_t cache;                       /* --cache, in bytes; SIZE_MAX: not given */
	const char *config;                 /* --config; NULL: the usual file */
	bool no_config, dump;               /* --no-config, --dump-config */
	struct str dumped;                  /* its value, or empty */
	struct operands sets;               /* --set: NAME=VALUE, all that were given */
	struct str filter_text;             /* --filter, borrowed from argv, */
	struct filter *filter;              /* ... as it was read; NULL: all steps */
	enum request_form as;               /* --as of extract request */
	struct str format;                  /* --format of export; empty: not given */
	const char *output;                 /* --output; NULL: not given */
	const char *page, *schema;          /* --page, --schema; NULL: not given */
	bool no_state;                      /* --no-state */
	const char *labels;                 /* --labels; NULL: the usual file */
	const char *log;                    /* --log; NULL: not given */
	const char *script;                 /* --script; NULL: not given */
	struct operands tools, payloads;    /* --tool, --payloads: all that were given */
	const char *since, *until, *timezone; /* of `usage`; NULL: not given */
	const char *prices;                 /* --prices; NULL: the built-in table */
	const char *keep_to; /* --to of `keep`; NULL: the usual folder */
	bool dry_run;        /* --dry-run */
	bool patch;                         /* --patch of `files` */
	const char *explain, *show;         /* of `formats` */
	const struct cmd *command;
	struct operands files;
};

/* False with err on wrong usage; options_done frees what was read.  Texts are borrowed
 * from argv. */
bool options_parse(struct options *o, int argc, char **argv, struct err *err);
void options_done(struct options *o);
/* "NAME=VALUE"; false: it has no such sign. */
bool options_split(struct str text, struct str *name, struct str *value);

/* A row of the table. */
struct option {
	const char *name;
	char letter;       /* 0: none */
	const char *value; /* what it takes, for the help; NULL: nothing */
	const char *about;
	bool common; /* every command takes it */
	enum {
		OPTION_FLAG, /* sets a bool */
		OPTION_TEXT, /* sets a const char *, borrowed from argv */
		OPTION_LIST, /* adds to struct operands */
		OPTION_SET,  /* calls `set` */
	} type;
	size_t offset; /* of the field in struct options */
	bool (*set)(struct options *o, struct str value, struct err *err);
};

const struct option *options_at(size_t i); /* NULL: there are no more */
bool option_fits(const struct cmd *command, const struct option *option);

void options_help(struct buf *out, const struct cmd *command);

/* ---- the commands ---- */

enum { STATUS_DONE = 0, STATUS_FINDINGS = 1, STATUS_ERROR = 2 };

typedef int cmd_fn(const struct options *o);

struct cmd {
	const char *name; /* "extract chat": of one word or two */
	const char *operands;
	const char *about;   /* one line */
	const char *options; /* names of those it takes, besides the common ones */
	cmd_fn *run;
};

extern const struct cmd commands[];   /* a row with name NULL ends it */
const struct cmd *command_view(void); /* the screen: no name */

cmd_fn cmd_print, cmd_search, cmd_export, cmd_extract_chat, cmd_extract_parts,
	cmd_extract_request, cmd_extract_response, cmd_payloads_list, cmd_payloads_show,
	cmd_payloads_prompt, cmd_payloads_validate, cmd_check, cmd_stats, cmd_diff,
	cmd_formats, cmd_files, cmd_sessions, cmd_runs, cmd_labels, cmd_mcp, cmd_steps,
	cmd_cache, cmd_failures, cmd_why, cmd_usage, cmd_keep;

const char *check_format_name(size_t i); /* of --format; NULL: there are not so many */

/*
 * The registry with the user's files and those of --payloads, its warnings printed.  NULL
 * when a file of --payloads cannot be used; the error was printed.
 */
struct registry *cmd_registry(const struct options *o);

struct config;
/* The configuration as files and options have it, for config_free. */
struct config *cmd_config(const struct options *o);

/* Prints the first `most` warnings on standard error, and how many more there are of
 * `what`. */
void cmd_report_warnings(
	const struct err *warnings, size_t count, size_t most, const char *what);

/* The name of the file of a chain, which may be in a folder or an archive.  NO_CHAIN: the
 * name of the input as a whole. */
struct str cmd_file_name(const struct trace *trace, uint32_t chain);

/* Notes on standard error that a page (NULL: none) is not registered. */
void cmd_note_page(const struct registry *r, const char *page);

/* Prints a line on standard error, printf style; gives STATUS_ERROR. */
int cmd_fail(const char *fmt, ...) PRINTF_LIKE(1, 2);
/* A note about an input (NULL: about none), which is no failure. */
void cmd_note(const char *input, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* A report in the form, and with the limit, that was asked for. */
struct report report_of(const struct options *o);
/* Prints what there is, and notes "3 more steps: --limit left them out" (NULL: says
 * nothing of them); gives the status. */
int report_end(struct report *r, int status, const char *what);

/* A file, loaded to its end. */
struct cmd_file {
	struct trace *trace;
	struct load *load;
	bool unreadable; /* nothing in it is JSON; the error was printed */
};

/* False when it cannot be opened or read, or was never meant to be JSON; the error was
 * printed. */
bool cmd_open(struct cmd_file *f, const char *path, const struct options *o);
void cmd_close(struct cmd_file *f);

/* Gives a session that has no name a title, as the list of sessions calls it; done for
 * all when a file is opened, unless the options say `titled_late`.  Cost: its beginning
 * is read. */
void cmd_entitle(struct trace *trace, size_t scope);

/* Runs `each` for every file (standard input when there is none); the worst status. */
typedef int cmd_each_fn(struct cmd_file *f, const struct options *o, void *ctx);
int cmd_each(const struct options *o, cmd_each_fn *each, void *ctx);

struct query;

/* Runs `each` for every session in the folders that are the operands (this machine's when
 * there are none) whose text may have a hit (NULL: all of them), the newest first; those of
 * sub-agents within the session that shows them.  Cost: all files are read, and those with
 * hits again. */
int cmd_each_session(const struct options *o, const struct query *q, cmd_each_fn *each,
	void *ctx);

/* Runs `each` for every file that is an operand; where all operands are folders, or there
 * are none, or with --sessions, for every session, as above. */
int cmd_each_input(const struct options *o, cmd_each_fn *each, void *ctx);
bool cmd_takes_sessions(const struct options *o); /* it goes over sessions */

struct prices;
/* The table of --prices, which is read into `text`, or the built-in one; NULL: it cannot be
 * read, which was said. */
struct prices *cmd_read_prices(const struct options *o, struct buf *text);

/* The moments of --since and --until, in seconds since 1970, or NaN; false: they or
 * --timezone cannot be read, which was said. */
bool cmd_read_span(const struct options *o, double *since, double *until);

/* The steps of a trace that --filter, --since and --until let through. */
struct passing {
	struct filter_run *filter_run; /* of the trace that is read; NULL: all pass */
	double since, until;     /* NaN: no limit */
};
bool passing_holds(void *passing, const struct trace *trace, uint32_t step);

/* The width for printed text in cells: --width, or the terminal's, or WRAP_NEVER: in a
 * file lines stay whole, for grep. */
unsigned cmd_print_width(const struct options *o);

/* Whether standard output is a terminal that shows colors, and text is printed. */
bool cmd_colors(const struct options *o);

/* Prints a document's blocks, and what they open into, one after another; in colors if
 * the document is.  The buffer is emptied whenever it is long, and may hold a rest. */
struct doc;
void cmd_print_doc(struct buf *out, struct doc *d);

/* Filters all steps by --filter, which may open each of them; for filter_run_free.  NULL:
 * there is no filter, all pass. */
struct filter_run *cmd_filter(const struct options *o, struct trace *trace);

/* Write to standard output, cmd_write by emptying a buffer.  Ends the program with the
 * status of cmd_finish when that fails. */
void cmd_write(struct buf *out);
void cmd_write_long(struct buf *out); /* only where it is long by now */
void cmd_write_all(struct str bytes);
/* Flushes standard output at the end; STATUS_ERROR with a line when that fails, but
 * STATUS_DONE when its reader is gone. */
int cmd_finish(int status);

/* Appends a member of JSON: a moment in UTC, "time":"2026-11-02T10:21:00Z", null where it
 * is not known. */
void cmd_put_moment(struct buf *out, const char *key, double seconds);

struct sessions;
/* Those of the folders that are the operands, or of this machine where there are none. */
struct sessions *cmd_open_sessions(const struct options *o);
/* Every operand must be a folder that can be read; else STATUS_ERROR, and it was said. */
int cmd_check_folders(const char *const *paths, size_t count);
/* Whether something may be remembered for the person: --no-state, and the option. */
bool cmd_has_state(const struct options *o);
/* Notes on files and folders that could not be read. */
void cmd_report_sessions(const struct sessions *s);

/* Appends a whole file, or standard input: "-".  False when it cannot be read; the error
 * was printed. */
bool cmd_read_file(const char *path, struct buf *text);
/* What messages call that: a file by its path, "-" "standard input". */
const char *cmd_input_name(const char *path);

/* ---- operands (trace/trace.h) ---- */

/* The position of the step that an operand with its file names; SIZE_MAX: there is none,
 * and the error was printed. */
size_t operand_position(const struct operand *o);

#endif
