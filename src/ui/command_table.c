/* See command_table.h. */
#include "config.h"
#include "ui/command_table.h"

#include "ui/actions/exports.h"
#include "ui/actions/list_filter_prompt.h"
#include "ui/actions/set.h"
#include "ui/control/appearance.h"
#include "ui/control/find.h"
#include "ui/control/usage.h"
#include "ui/keys/run.h"

/* For what only panes do. */
unsigned run_nothing(struct app *app, const struct invocation *call)
{
	return REACT_NOTHING;
}

const struct command_ops command_table[COMMAND_COUNT] = {
#define COMMAND(name, text, group, flags, argument, function, about)                     \
	[COMMAND_##name].run = function,
	COMMANDS(COMMAND)
#undef COMMAND
		[COMMAND_SEARCH]
			.complete = find_list_within,
	[COMMAND_SEARCH_BACK].complete = find_list_within,
	[COMMAND_FILTER].complete = filter_complete,
	[COMMAND_SORT].complete = sort_complete,
	[COMMAND_USAGE].complete = usage_complete,
	[COMMAND_SET].complete = set_list,
	[COMMAND_THEME].complete = appearance_list_themes,
	[COMMAND_EXPORT].complete = export_complete,
};
