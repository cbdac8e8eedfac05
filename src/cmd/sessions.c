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

static void write_session(struct buf *out, const struct session *s, double now)
{
	AUTO_BUF resume = BUF_INIT;

	buf_text(out, "{\"path\":");
	json_write_string(out, str_of(s->path));
	cmd_write_text(out, "title", s->title);
	cmd_write_text(out, "tool", s->tool);
	cmd_write_text(out, "format", str_of(s->format));
	cmd_write_text(out, "folder", s->folder);
	(void)resume_put(s->format, s->id, str_of(s->path), s->folder, &resume);
	cmd_write_text(out, "resume", buf_view(&resume));
	cmd_write_moment(out, "started", s->start);
	cmd_write_moment(out, "written", s->written);
	buf_printf(out, ",\"live\":%s,\"bytes\":%llu,\"chains\":%zu,\"totals\":",
		session_is_live(s, now) ? "true" : "false", (unsigned long long)s->size,
		s->chains);
	facts_write_totals(out, &s->totals);
	cmd_write_text(out, "state", str_of(states[s->state]));
	cmd_write_text(out, "doing", s->doing);
	facts_write_figure(out, "cost_usd", s->spent.cost);
	buf_printf(out, ",\"estimated\":%s", s->spent.estimated ? "true" : "false");
	cmd_write_text(out, "model", usage_main_model(&s->usage));
	facts_write_figure(out, "context_tokens", s->context);
	facts_write_figure(out, "context_window", s->window);
	buf_byte(out, '}');
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
	AUTO_BUF out = BUF_INIT;
	struct sessions *s;
	size_t all, count;
	double now;

	if (status != STATUS_DONE)
		return status;
	s = cmd_open_sessions(o);
	while (sessions_run(s, UINT64_MAX) == TASK_MORE)
		;
	now = (double)time(NULL);
	all = sessions_count(s);
	count = o->limit && o->limit < all ? o->limit : all;
	if (o->json) {
		buf_text(&out, "{\"sessions\":[");
		for (size_t i = 0; i < count; i++) {
			buf_text(&out, i ? ",\n" : "\n");
			write_session(&out, sessions_at(s, i), now);
			cmd_write_long(&out);
		}
		buf_printf(&out, "\n],\"left_out\":%zu}\n", all - count);
	} else if (all) {
		session_rows_print(s, cmd_print_width(o), now, &out, cmd_write);
	} else { /* where it was looked for, and what to type */
		buf_printf(&out, "no %s were found in\n\n",
			o->files.count ? "traces" : "sessions");
		sessions_put_places(s, &out);
		buf_text(&out,
			"\n`catena FILE` opens a trace, `catena sessions DIR` lists "
			"those of a folder\n");
	}
	cmd_write(&out);
	cmd_report_sessions(s);
	sessions_free(s);
	return STATUS_DONE;
}
