/* The registry for a command, and the lines that report problems: see cmd.h. */
#include "config.h"
#include "cmd/cmd.h"

#include "text/report.h"

#define WARNINGS 10 /* printed of a registry */

void cmd_report_warnings(
	const struct err *warnings, size_t count, size_t most, const char *what)
{
	struct err err = {.offset = ERR_NOWHERE};

	for (size_t i = 0; i < count && i < most; i++)
		report_note(&warnings[i]);
	if (count <= most)
		return;
	err_set(&err, "%zu more %s are not as they should be", count - most, what);
	report_note(&err);
	err_done(&err);
}

struct registry *cmd_registry(const struct options *o)
{
	struct err err = {.offset = ERR_NOWHERE};
	struct registry *r = registry_new();
	bool ok = true;

	registry_add_user(r);
	for (size_t i = 0; ok && i < o->payloads.count; i++)
		ok = registry_add_file(r, o->payloads.items[i], &err);
	registry_link(r);
	cmd_report_warnings(r->warnings, r->warning_count, WARNINGS, "definitions");
	if (!ok) {
		report_error(&err);
		registry_free(r);
	}
	err_done(&err);
	return ok ? r : NULL;
}

void cmd_note_page(const struct registry *r, const char *page)
{
	struct err err = {.offset = ERR_NOWHERE};

	if (!page || !*page || registry_page(r, str_of(page)))
		return;
	err_set(&err,
		"no page is called \"%s\", so no payload type counts (`catena payloads "
		"list` shows the pages)",
		page);
	report_note(&err);
	err_done(&err);
}

int cmd_fail(const char *fmt, ...)
{
	struct err err = {.offset = ERR_NOWHERE};
	va_list ap;

	va_start(ap, fmt);
	err_setv(&err, fmt, ap);
	va_end(ap);
	report_error(&err);
	err_done(&err);
	return STATUS_ERROR;
}
