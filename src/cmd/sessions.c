/* `catena sessions`: the sessions and traces of this machine, or of folders, newest
 * first, as a table or as JSON. */
#include "config.h"
#include "cmd/cmd.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "config/configuration.h"
#include "io/folder.h"
#include "json/json.h"
#include "sessions/sessions.h"
#include "text/safe.h"
#include "view/facts.h"
#include "view/session_rows.h"

static const char *const states[] = {[STATE_UNKNOWN] = "",
	[STATE_RUNNING] = "running",
	[STATE_THINKING] = "thinking",
	[STATE_WAITING] = "waiting"};

static void put_session(struct buf *out, const struct session *s, double now)
{
	AUTO_BUF resume = BUF_INIT;

	(void)resume_put(s->format, s->id, str_of(s->path), s->folder, &resume);
	json_put_text(out, "path", str_of(s->path));
	json_put_known(out, "title", s->title);
	json_put_known(out, "tool", s->tool);
	json_put_known(out, "format", str_of(s->format));
	json_put_known(out, "folder", s->folder);
	json_put_known(out, "resume", buf_view(&resume));
	cmd_put_moment(out, "started", s->start);
	cmd_put_moment(out, "written", s->written);
	json_put_flag(out, "live", session_is_live(s, now));
	json_put_count(out, "bytes", s->size);
	json_put_count(out, "chains", s->chains);
	facts_put_totals(out, &s->totals);
	json_put_known(out, "state", str_of(states[s->state]));
	json_put_known(out, "doing", s->doing);
	facts_put_figure(out, "cost_usd", s->spent.cost);
	json_put_flag(out, "estimated", s->spent.estimated);
	json_put_known(out, "model", usage_main_model(&s->usage));
	facts_put_figure(out, "context_tokens", s->context);
	facts_put_figure(out, "context_window", s->window);
}

void cmd_report_sessions(const struct sessions *s)
{
	size_t count;
	const struct err *first = sessions_problem(s, &count);

	if (first)
		report_note(first);
	if (count > 1)
		cmd_note(NULL, "%zu more files and folders could not be read", count - 1);
}

bool cmd_has_state(const struct options *o)
{
	struct config *c = cmd_config(o);
	bool places = c->settings.places;

	config_free(c);
	return places && !o->no_state;
}

int cmd_check_folders(const char *const *paths, size_t count)
{
	int status = STATUS_DONE;

	for (size_t i = 0; i < count; i++) {
		if (access(paths[i], F_OK) == 0 && !folder_is(paths[i]))
			status = cmd_fail("%s: is not a folder; `catena %s` opens it",
				paths[i], paths[i]);
		else if (access(paths[i], R_OK | X_OK) != 0)
			status = cmd_fail(
				"%s: cannot be opened: %s", paths[i], strerror(errno));
	}
	return status;
}

struct sessions *cmd_open_sessions(const struct options *o)
{
	struct sessions_options wanted = {.folders = o->files.items,
		.count = o->files.count,
		.from = o->from,
		.cached = cmd_has_state(o) && !o->from,
		.remembered = !o->files.count && cmd_has_state(o)};

	return sessions_new(&wanted);
}

int cmd_sessions(const struct options *o)
{
	const struct operands *folders = &o->files;
	int status = cmd_check_folders(folders->items, folders->count);
	struct report r = report_of(o);
	double now;
	struct sessions *s;

	if (status != STATUS_DONE)
		return status;
	s = cmd_open_sessions(o);
	while (sessions_run(s, UINT64_MAX) == TASK_MORE)
		;
	now = (double)time(NULL);
	if (o->json) {
		buf_text(&r.out, "{\"sessions\":[");
		for (size_t i = 0; i < sessions_count(s); i++) {
			if (!report_row(&r))
				continue;
			put_session(&r.out, sessions_at(s, i), now);
			report_row_end(&r);
		}
		buf_printf(&r.out, "\n],\"left_out\":%zu}\n", r.left_out);
	} else if (sessions_count(s)) {
		session_rows_print(&r, s, cmd_print_width(o), now);
	} else { /* where it was looked for, and what to type */
		buf_printf(&r.out, "no %s were found in\n\n",
			o->files.count ? "traces" : "sessions");
		sessions_put_places(s, &r.out);
		buf_text(&r.out,
			"\n`catena FILE` opens a trace, `catena sessions DIR` lists "
			"those of a folder\n");
	}
	status = report_end(&r, STATUS_DONE, o->json ? NULL : "session");
	cmd_report_sessions(s);
	sessions_free(s);
	return status;
}
