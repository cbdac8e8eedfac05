/*
 * `catena print`: the lines of the viewer, one step after another.  Everything passes
 * text/safe, whatever standard output is.
 */
#include "config.h"
#include "cmd/cmd.h"

#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "export/export.h"
#include "text/wrap.h"

#define NARROWEST 20

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

int cmd_print(const struct options *o)
{
	return cmd_export_as(o,
		o->transcript ? &export_transcript : export_format_named(STR("text")),
		cmd_print_width(o));
}
