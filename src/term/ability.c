/* See ability.h. */
#include "config.h"
#include "term/ability.h"

#include <stdlib.h>
#include <string.h>

#define VTE_LINKS     5000   /* 0.50 */
#define KONSOLE_LINKS 201200 /* 20.12 */

/* Whether a variable begins with one of the names, of which NULL is the last. */
static bool is_named(const char *variable, const char *const names[])
{
	const char *value = getenv(variable);

	for (size_t i = 0; value && names[i]; i++)
		if (!strncmp(value, names[i], strlen(names[i])))
			return true;
	return false;
}

static bool is_from(const char *variable, long version)
{
	const char *value = getenv(variable);

	return value && strtol(value, NULL, 10) >= version;
}

bool ability_shift_selects(void)
{
	static const char *const types[] = {"xterm", "tmux", "screen", "rxvt", "alacritty",
		"foot", "kitty", "wezterm", "vte", "gnome", "konsole", "st-", "ghostty",
		"contour", "mintty", NULL};
	static const char *const others[] = {"Apple_Terminal", "iTerm.app", NULL};

	return is_named("TERM", types) && !is_named("TERM_PROGRAM", others);
}

static bool is_new(void)
{
	static const char *const types[] = {"xterm-kitty", "xterm-ghostty", "alacritty",
		"foot", "contour", "wezterm", "mintty", NULL};
	static const char *const programs[] = {
		"WezTerm", "iTerm.app", "ghostty", "vscode", "mintty", "contour", NULL};

	return is_named("TERM", types) || is_named("TERM_PROGRAM", programs) ||
	       getenv("WT_SESSION"); /* Windows Terminal */
}

bool ability_at_once(void)
{
	return is_new();
}

/* A multiplexer inherits the variables of the terminal around it. */
bool ability_links(void)
{
	static const char *const multiplexers[] = {"tmux", "screen", NULL};
	static const char *const linking[] = {"3.4", "3.5", "3.6", "3.7", "3.8", "3.9", "4", NULL};

	if (is_named("TERM", multiplexers))
		return is_named("TERM_PROGRAM", multiplexers) &&
		       is_named("TERM_PROGRAM_VERSION", linking);
	return is_new() || is_from("VTE_VERSION", VTE_LINKS) ||
	       is_from("KONSOLE_VERSION", KONSOLE_LINKS);
}
