/* Messages on standard error: see report.h. */
#include "config.h"
#include "text/report.h"

#include <stdio.h>

#include "text/safe.h"

static void print_line(const char *head, const struct err *e)
{
	AUTO_BUF raw = BUF_INIT, line = BUF_INIT;

	err_format(e, &raw);
	buf_text(&line, head);
	safe_line(&line, buf_view(&raw));
	buf_byte(&line, '\n');
	fflush(stdout);
	fwrite(line.data, 1, line.len, stderr);
}

void report_error(const struct err *e)
{
	print_line("catena: ", e);
}

void report_note(const struct err *e)
{
	print_line("catena: note: ", e);
}
