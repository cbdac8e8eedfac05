/* The command table: see command.h. */
#include "config.h"
#include "ui/keys/command.h"

#include "base/err.h"
#include "base/mem.h"
#include "config/configuration.h"

static const char *const levels[] = {
	"closed", "open", "1", "2", "3", "4", "5", "6", "7", "8", "9", NULL};
static const char *const wheres[] = {"top", "middle", "bottom", NULL};
static const char *const views[] = {"chat", "tree", "raw", NULL};

const char *const unit_names[] = {
#define UNIT(id, name) name,
	UNITS(UNIT)
#undef UNIT
		NULL};

const struct argument argument_number = {.name = "NUMBER"},
		      argument_pattern = {.name = "PATTERN",
			      .complete = find_list_within},
		      argument_bar = {.name = "WHAT", .words = setting_bars},
		      argument_layout = {.name = "WHERE", .words = setting_layouts},
		      argument_where = {.name = "WHERE", .words = wheres},
		      argument_view = {.name = "VIEW", .words = views},
		      argument_level = {.name = "LEVEL", .words = levels},
		      argument_setting = {.name = "NAME VALUE", .complete = set_complete},
		      argument_theme = {.name = "THEME", .complete = theme_complete},
		      argument_filter = {.name = "FILTER", .complete = filter_complete},
		      argument_sort = {.name = "COLUMN", .complete = sort_complete},
		      argument_unit = {.name = "UNIT", .words = unit_names},
		      argument_shell = {.name = "COMMAND", .is_program = true},
		      argument_file = {.name = "FILE"},
		      argument_export = {.name = "[step] [redact] [FORMAT] FILE",
			      .complete = export_complete},
		      argument_compare = {.name = "STEP or FILE[:STEP]"},
		      argument_usage = {.name = "GROUPS", .complete = usage_complete},
		      argument_label = {.name = "LABEL"},
		      argument_mark = {.name = "LETTER", .is_key = true};

const struct command_row command_rows[COMMAND_COUNT] = {
#define COMMAND(name, text, group, flags, argument, run, about)                          \
	[COMMAND_##name] = {text, GROUP_##group, flags, argument, about, run},
	COMMANDS(COMMAND)
#undef COMMAND
};

/* For what only panes do. */
unsigned run_nothing(struct app *app, const struct invocation *call)
{
	return REACT_NOTHING;
}

const char *const command_group_names[GROUP_COUNT] = {
	[GROUP_MOVE] = "Moving",
	[GROUP_FIND] = "Finding",
	[GROUP_LOOK] = "Looking",
	[GROUP_TAKE] = "Copying and exporting",
	[GROUP_PROGRAM] = "The program",
};

enum command command_find(struct str name, struct err *err)
{
	/* what fingers type that know vi */
	static const char *const exits[] = {"q", "q!", "qa", "qa!", "wq", "wq!", "x"};
	enum command found = COMMAND_NONE;
	struct buf text = BUF_INIT;
	struct suggest near;

	if (STR_AMONG(name, exits))
		return COMMAND_LEAVE_ALL;
	for (int c = COMMAND_NONE + 1; c < COMMAND_COUNT; c++) {
		struct str other = str_of(command_rows[c].name);

		if (str_equal(other, name))
			return (enum command)c;
		if (!name.n || !str_starts(other, name))
			continue;
		if (found) {
			err_set(err, "\"%.*s\" may be %s or %s", (int)name.n, name.p,
				command_rows[found].name, command_rows[c].name);
			return COMMAND_NONE;
		}
		found = (enum command)c;
	}
	if (!found) {
		suggest_begin(&near, name);
		for (int c = COMMAND_NONE + 1; c < COMMAND_COUNT; c++)
			suggest_try(&near, str_of(command_rows[c].name));
		buf_printf(&text, "there is no command \"%.*s\"", (int)name.n, name.p);
		suggest_put(&near, &text);
		err_set(err, "%s", text.data);
		buf_done(&text);
	}
	return found;
}

bool command_read(struct str text, struct invocation *call, struct err *err)
{
	size_t end = 0;
	struct str name;

	text = str_trim(text);
	*call = (struct invocation){COMMAND_STEP, text, 0};
	while (end < text.n && str_is_digit(text.p[end]))
		end++;
	if (end && end == text.n) /* a number */
		return true;
	name = str_before(text, " \t\r\n");
	call->command = command_find(name, err);
	call->argument = str_trim(str_skip(text, name.n));
	if (call->command == COMMAND_NONE)
		return false;
	if (!call->argument.n || command_rows[call->command].argument)
		return true;
	err_set(err, "%s takes no argument", command_rows[call->command].name);
	return false;
}

uint64_t command_moves(const struct invocation *call, size_t rows, bool *up)
{
	uint64_t times = call->count ? call->count : 1, page = rows > 1 ? rows - 1 : 1;

	*up = call->command == COMMAND_UP || call->command == COMMAND_PAGE_UP ||
	      call->command == COMMAND_HALF_PAGE_UP;
	switch (call->command) {
	case COMMAND_UP:
	case COMMAND_DOWN:
		return times;
	case COMMAND_PAGE_UP:
	case COMMAND_PAGE_DOWN:
		return page * times;
	case COMMAND_HALF_PAGE_UP:
	case COMMAND_HALF_PAGE_DOWN:
		return (page + 1) / 2 * times;
	default:
		return 0;
	}
}

size_t command_rows_above(const struct invocation *call, size_t rows)
{
	size_t most = rows ? rows - 1 : 0;

	if (str_equal(call->argument, STR("top")))
		return 0;
	return str_equal(call->argument, STR("bottom")) ? most : most / 2;
}

struct buf *choices_add(struct choices *c, struct str text)
{
	struct buf *item = MEM_ADD(c->items, c->count, c->cap);

	*item = (struct buf)BUF_INIT;
	buf_str(item, text);
	return item;
}

void choices_done(struct choices *c)
{
	for (size_t i = 0; i < c->count; i++)
		buf_done(&c->items[i]);
	mem_free(c->items);
	*c = (struct choices){0};
}
