/*
 * The command table as C, and a command as it is called: what a key or a line of text
 * asks for.  The list itself is commands.h.
 */
#ifndef CATENA_UI_KEYS_COMMAND_H
#define CATENA_UI_KEYS_COMMAND_H

#include "base/err.h"
#include "ui/keys/commands.h"

#include <stdint.h>

struct app;

enum command {
	COMMAND_NONE,
#define COMMAND(name, text, group, flags, argument, run, about) COMMAND_##name,
	COMMANDS(COMMAND)
#undef COMMAND
		COMMAND_COUNT
};

enum command_group {
	GROUP_MOVE,
	GROUP_FIND,
	GROUP_LOOK,
	GROUP_TAKE,
	GROUP_PROGRAM,
	GROUP_COUNT
};

enum command_flag { IN_STEP = 1, BELOW = 2, STILL = 4, JUMP = 8 }; /* see commands.h */

/* What a pane or the application made of a command: what must happen now. */
enum reaction {
	REACT_NOTHING = 0,
	REACT_DRAW = 1 << 0,   /* something on the screen changed */
	REACT_BUBBLE = 1 << 1, /* not mine: the application decides */
	REACT_QUIT = 1 << 2,
};

struct invocation {
	enum command command;
	struct str argument; /* valid during the call; empty: none was given */
	unsigned count;      /* typed in front of it; 0: none was */
};

/* Texts to choose from. */
struct choices {
	struct buf *items;
	size_t count, cap;
};

/* Adds what the argument of a command may be; `typed` is what is there so far. */
typedef void complete_fn(struct app *app, struct str typed, struct choices *out);

struct argument {
	const char *name; /* for help: "NUMBER" */
	bool is_key;      /* one more character is typed for it, without Enter */
	bool is_program; /* it names one to run: taken from a person, never from a file */
	const char *const *words; /* that it may be, up to NULL; or NULL */
	complete_fn *complete;    /* what else it may be, or NULL */
};

extern const struct argument argument_number, argument_pattern, argument_view,
	argument_setting, argument_theme, argument_filter, argument_sort, argument_unit,
	argument_shell, argument_file, argument_export, argument_bar, argument_mark,
	argument_label, argument_compare, argument_usage, argument_level, argument_layout,
	argument_where;

struct command_row {
	const char *name;
	enum command_group group;
	unsigned flags;                  /* of enum command_flag */
	const struct argument *argument; /* or NULL: it takes none */
	const char *about;
	/* What it does; gives enum reaction. */
	unsigned (*run)(struct app *app, const struct invocation *call);
};

/* What commands call and complete their arguments with: each stands in the file of its
 * subject. */
#define COMMAND(name, text, group, flags, argument, run, about)                          \
	unsigned run(struct app *app, const struct invocation *call);
COMMANDS(COMMAND)
#undef COMMAND
complete_fn find_list_within, filter_complete, sort_complete, usage_complete,
	set_complete, theme_complete, export_complete;

/* Units of what the cursor is on, for `copy`: their names are words of its argument, and
 * ui/control/target takes them. */
#define UNITS(UNIT)                                                                      \
	UNIT(CURSOR, "cursor")                                                           \
	UNIT(MESSAGE, "message")                                                         \
	UNIT(PART, "part")                                                               \
	UNIT(ARGUMENTS, "arguments")                                                     \
	UNIT(STEP, "step")                                                               \
	UNIT(PATH, "path")                                                               \
	UNIT(JQ, "jq")                                                                   \
	UNIT(RAW, "raw")                                                                 \
	UNIT(OUTPUT, "output")                                                           \
	UNIT(INPUT, "input")                                                             \
	UNIT(VIEW, "view")                                                               \
	UNIT(CURL, "curl")                                                               \
	UNIT(RESUME, "resume")

enum unit {
#define UNIT(id, name) UNIT_##id,
	UNITS(UNIT)
#undef UNIT
		UNITS_END
};

extern const char *const unit_names[]; /* by enum unit, up to NULL */
extern const struct command_row command_rows[COMMAND_COUNT];
extern const char *const command_group_names[GROUP_COUNT];

/*
 * The command of a name, or of the beginning of one alone; COMMAND_NONE with err when
 * there is none, or more than one.
 */
enum command command_find(struct str name, struct err *err);

/*
 * From "copy message", or "42" for the step of that number: the argument borrows from the
 * text.  False with err when it is none, or lacks or does not take an argument.
 */
bool command_read(struct str text, struct invocation *call, struct err *err);

/* How many rows a command moves a cursor up or down where a pane shows `rows` of them; 0:
 * it is none that does. */
uint64_t command_moves(const struct invocation *call, size_t rows, bool *up);
/* Of COMMAND_SCROLL_TO: how many of the pane's rows are to be above the cursor. */
size_t command_rows_above(const struct invocation *call, size_t rows);

/* ---- calling commands, whoever asks for them (ui/actions/call): keys, the command line,
 * the mouse ---- */

/* The pane that has the keys answers, or the command's own function; what acts in the
 * documents of a step that is still being opened waits for it.  True when it is time to
 * leave. */
bool call_command(struct app *app, const struct invocation *call);
/* Whether its key is worth offering where the keys are; false where it is known that it
 * would do nothing there. */
bool call_applies(struct app *app, const struct invocation *call);
/* Calls the command of a line; one that is none is said. */
void line_call(struct app *app, struct str text);

void choices_add(struct choices *c, struct str text);
void choices_done(struct choices *c);

#endif
