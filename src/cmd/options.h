/*
 * The command line: one table gives parsing, --help and the manual page.  Options may
 * come anywhere after the command; "--" ends them; "-" is standard input.
 */
#ifndef CATENA_CMD_OPTIONS_H
#define CATENA_CMD_OPTIONS_H

#include "base/err.h"
#include "chat/extract.h"
#include "export/request.h"
#include "import/format.h"
#include "query/filter.h"

#include <stddef.h>

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

#endif
