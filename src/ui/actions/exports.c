/*
 * To a file: the chain, or the step, as a document (`X`, src/export), in slices, with
 * secrets hidden if that is asked for; what the cursor is on (`s`).
 */
#include "config.h"

#include <stdlib.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/work.h"
#include "chat/parts.h"
#include "export/export.h"
#include "export/secrets.h"
#include "text/wrap.h"
#include "ui/control/controllers.h"
#include "view/elements.h"

#define STEM_MOST 48 /* bytes of a chain's name in a file's */

#define IS_TAKEN "is there already: !NAME replaces it"

/* Appends the name of a file as it was typed, without blanks around it; "~/" is the home.
 * True: a "!" before it asks to replace the file. */
static bool typed_path(struct str typed, struct buf *path)
{
	const char *home = getenv("HOME");
	bool replace;

	buf_reserve(path, 1);
	typed = str_trim(typed);
	replace = typed.n && typed.p[0] == '!';
	if (replace)
		typed = str_trim(str_skip(typed, 1));
	if (home && str_starts(typed, STR("~/"))) {
		buf_text(path, home);
		typed = str_skip(typed, 1);
	}
	buf_str(path, typed);
	return replace;
}

struct exporting {
	struct job job;
	struct export *export;
	struct secrets *secrets; /* NULL: nothing is hidden */
	struct looking *looking; /* first; NULL: all was looked through */
	struct redactor *redactor;
	struct outfile file;
	const struct export_format *format;
};

/* ---- the job ---- */

static void put(void *ctx, struct str bytes)
{
	outfile_write(&((struct exporting *)ctx)->file, bytes);
}

static void take(void *ctx, struct str bytes)
{
	struct exporting *x = ctx;

	if (x->redactor)
		redactor_write(x->redactor, bytes);
	else
		put(x, bytes);
}

static void free_exporting(struct job *job)
{
	struct exporting *x = (struct exporting *)job;

	export_free(x->export);
	looking_free(x->looking);
	redactor_free(x->redactor);
	secrets_free(x->secrets);
	outfile_abandon(&x->file);
	mem_free(x);
}

/* Looking through it is half of the work. */
static unsigned percent(const struct job *job)
{
	const struct exporting *x = (const struct exporting *)job;
	unsigned written;

	if (x->looking)
		return looking_percent(x->looking) / 2;
	written = x->export ? export_percent(x->export) : 100;
	return x->secrets ? 50 + written / 2 : written;
}

static enum task_state run(struct job *job, uint64_t deadline)
{
	struct exporting *x = (struct exporting *)job;
	struct app *app = x->job.app;
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	AUTO_BUF path = BUF_INIT;
	uint64_t bytes;

	if (x->looking) { /* a trace is looked through before it is written */
		if (looking_run(x->looking, deadline) == TASK_MORE)
			return TASK_MORE;
		x->redactor = redactor_new(x->secrets, x->format, put, x);
		looking_free(x->looking);
		x->looking = NULL;
	}
	if (x->secrets && x->secrets->given_up) {
		buf_text(&app->said,
			"looking for secrets takes too long here: nothing written");
		return TASK_FAILED;
	}
	if (x->export && !x->file.problem && export_run(x->export, deadline) != TASK_DONE)
		return TASK_MORE;
	if (x->export)
		export_end(x->export);
	x->export = NULL;
	while (x->redactor && redactor_rest(x->redactor))
		if (clock_passed(deadline))
			return TASK_MORE;
	bytes = x->file.bytes;
	buf_text(&path, x->file.path);
	if (inputs_failed(app->trace->inputs, &err)) { /* something is lacking */
		err_format(&err, &app->said);
		buf_printf(&app->said, "; nothing written to %s", path.data);
		outfile_abandon(&x->file);
	} else if (outfile_commit(&x->file, &err)) {
		buf_printf(&app->said, "%llu bytes written to %s",
			(unsigned long long)bytes, path.data);
		if (x->secrets) {
			buf_text(&app->said, "; ");
			secrets_summary(x->secrets, &app->said);
		}
	} else {
		err_format(&err, &app->said);
	}
	return TASK_DONE;
}

/* ---- what, how, where to ---- */

struct export_wish {
	bool step, redact;
	const struct export_format *format; /* NULL: as the file ends */
	struct str file;
	bool replace;
};

/* "[chain|step] [redact] [FORMAT] FILE": the file's name may hold blanks. */
static struct export_wish read_request(struct str text)
{
	struct export_wish w = {0};

	for (;;) {
		struct str word = str_before(text = str_trim(text), " ");
		const struct export_format *format = export_format_named(word);

		if (str_equal(word, STR("step")))
			w.step = true;
		else if (str_equal(word, STR("redact")))
			w.redact = true;
		else if (format && export_ending(format))
			w.format = format;
		else if (!str_equal(word, STR("chain")))
			break;
		text = str_skip(text, word.n);
	}
	w.file = text;
	return w;
}

static bool begin(
	struct app *app, const struct export_wish *w, const char *path, struct err *err)
{
	struct steps_row r = step_row_at_cursor(app);
	struct exporting *x = mem_zalloc(1, sizeof(*x));
	struct export_options request = {.registry = app->options.registry,
		.width = WRAP_NEVER,
		.write = take,
		.ctx = x};

	request.format = w->format ? w->format : export_format_of_file(str_of(path));
	if (!request.format)
		err_set(err, "end its name in .md, .html, .txt or .json");
	else if (!input_is_settled(app))
		err_set(err, "the file is still being read");
	else if (outfile_open(&x->file, path, w->replace, err)) {
		x->job = (struct job){.run = run,
			.percent = percent,
			.label = "exporting",
			.outdated = "nothing written",
			.free = free_exporting};
		x->format = request.format;
		if (w->redact) {
			x->secrets = secrets_new(NULL, 0, err);
			x->looking = looking_new(x->secrets, app->trace, 0);
		}
		x->export = export_begin(&request);
		export_trace(x->export, app->trace,
			(struct export_part){r.chain,
				w->step && !r.is_chain ? r.position : EXPORT_ALL, NULL});
		job_start(app, &x->job);
		return true;
	} else if (!w->replace && outfile_is_taken(path)) {
		err_set(err, IS_TAKEN);
	}
	mem_free(x);
	return false;
}

static bool export_to(struct app *app, struct str typed)
{
	struct export_wish w = read_request(typed);
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	AUTO_BUF path = BUF_INIT;
	bool ok = true;

	w.replace = typed_path(w.file, &path);
	app->screen.dirty = true;
	if (!app->steps.count || !path.len)
		buf_text(&app->said, "nothing to write, or no name");
	else if (!(ok = begin(app, &w, path.data, &err)))
		prompt_refuse(app, ERR_NOWHERE, err.text);
	return ok;
}

unsigned run_export(struct app *app, const struct invocation *call)
{
	static const struct prompt_kind kind = {.done = export_to};
	const struct trace *trace = app->trace;
	struct export_wish w = read_request(call->argument);
	AUTO_BUF name = BUF_INIT, stem = BUF_INIT;
	struct str title;

	if (!app->steps.count)
		return REACT_NOTHING;
	if (!w.file.n) {
		/* of the chain's title what any file system has room for */
		title = trace_chain_title(
			trace, &trace->chains[step_row_at_cursor(app).chain]);
		for (size_t i = 0; i < title.n && stem.len < STEM_MOST; i++)
			if (str_is_plain(title.p[i]))
				buf_byte(&stem, title.p[i]);
			else if (stem.len && stem.data[stem.len - 1] != '-')
				buf_byte(&stem, '-');
		if (stem.len && stem.data[stem.len - 1] == '-')
			stem.len--;
		buf_text(&name, w.step ? "step " : "");
		buf_text(&name, w.redact ? "redact " : "");
		buf_str(&name, stem.len ? buf_view(&stem) : STR("chain"));
		buf_text(&name, w.format ? export_ending(w.format) : ".md");
		prompt_ask(app, &kind,
			w.step ? "export: " : "export the chain to: ", buf_view(&name));
		return REACT_DRAW;
	}
	if (!export_to(app, call->argument))
		prompt_say(app, w.file);
	return REACT_DRAW;
}

void export_complete(struct app *app, struct str typed, struct choices *out)
{
	choices_add(out, STR("chain"));
	choices_add(out, STR("step"));
	choices_add(out, STR("redact"));
	for (size_t i = 0; export_format_name(i); i++)
		if (export_ending(export_format_named(str_of(export_format_name(i)))))
			choices_add(out, str_of(export_format_name(i)));
}

/* ---- saving what the cursor is on ---- */

/* What is saved here: a proposal's chosen operations, an image as far as base64 goes,
 * else what is copied. */
static bool what_to_save(
	struct app *app, struct buf *out, const char **stem, const char **ending)
{
	struct pane *p = screen_focused(app);
	struct doc *d = pane_doc(p);
	size_t found = proposal_find(d, d->places[0].block);
	const struct part *part;
	AUTO_BUF text = BUF_INIT;
	struct base64 state = {0};
	struct image_data data;

	*stem = "proposal";
	*ending = ".json";
	/* under the cursor, else the one that the keys for proposals would take */
	if (found != SIZE_MAX && proposal_at(d, found, out))
		return true;
	part = target_media(app);
	if (part && !part->remote && part->body.kind == J_STRING &&
		image_data_find(&data, jv_str(part->body, &text))) {
		base64_decode(&state, data.base64, SIZE_MAX, out);
		*stem = "image";
		*ending = data.media.n ? data.ending : ".bin";
		return true;
	}
	*stem = "value";
	if (!target_take(app, UNIT_CURSOR, out, ending)) {
		if (p->ops->toggle != COMMAND_NONE && strcmp(*ending, ".txt") == 0)
			*stem = command_rows[p->ops->toggle].name; /* a row of a report */
		return true;
	}
	buf_text(&app->said, "nothing to save here");
	return false;
}

/* Asked again: the document may have changed while the name was typed. */
static bool save_to(struct app *app, struct str typed)
{
	AUTO_BUF what = BUF_INIT, path = BUF_INIT;
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	const char *stem, *ending;
	bool done = true, replace = typed_path(typed, &path);

	app->screen.dirty = true;
	if (!path.len)
		buf_text(&app->said, "no name, nothing written");
	else if (what_to_save(app, &what, &stem, &ending))
		done = outfile_save(path.data, buf_view(&what), replace, &err);
	if (!done) {
		if (!replace && outfile_is_taken(path.data))
			err_set(&err, IS_TAKEN);
		prompt_refuse(app, ERR_NOWHERE, err.text);
	} else if (what.len)
		buf_printf(&app->said, "%zu bytes written to %s", what.len, path.data);
	return done;
}

unsigned run_save(struct app *app, const struct invocation *call)
{
	static const struct prompt_kind kind = {.done = save_to};
	AUTO_BUF what = BUF_INIT, name = BUF_INIT;
	const char *stem, *ending;

	if (!call->argument.n) {
		if (what_to_save(app, &what, &stem, &ending)) {
			buf_printf(&name, "%s%s", stem, ending);
			prompt_ask(app, &kind,
				*stem == 'p' ? "write the marked operations to: "
					     : "write it to: ",
				buf_view(&name));
		}
		return REACT_DRAW;
	}
	if (!save_to(app, call->argument))
		prompt_say(app, call->argument);
	return REACT_DRAW;
}
