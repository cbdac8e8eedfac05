/* `catena keep`: copies the sessions of programs that delete them after some days. */
#include "config.h"
#include "cmd/cmd.h"

#include <string.h>

#include "base/file.h"
#include "json/json.h"
#include "sessions/keep.h"
#include "sessions/folders.h"
#include "text/safe.h"
#include "view/facts.h"

static const char *const words[KEEP_CHANGES] = {
	[KEEP_SAME] = "unchanged",
	[KEEP_NEW] = "new",
	[KEEP_GROWN] = "grown",
	[KEEP_OTHER] = "rewritten",
	[KEEP_FAILED] = "failed",
};

struct keep_run {
	bool json;
	size_t sessions[KEEP_CHANGES], parts[KEEP_CHANGES];
	uint64_t bytes;   /* that were copied */
	struct buf files; /* JSON */
};

static void note(void *run, const struct keep_file *file)
{
	struct keep_run *r = run;
	struct buf *out = &r->files;

	(file->part ? r->parts : r->sessions)[file->change]++;
	if (file->change == KEEP_FAILED)
		report_error(file->err);
	else if (file->change != KEEP_SAME)
		r->bytes += file->size;
	if (r->json && file->change != KEEP_SAME) {
		buf_text(out, out->len ? ",\n{" : "\n{");
		json_put_text(out, "path", str_of(file->path));
		json_put_text(out, "copy", str_of(file->copy ? file->copy : ""));
		json_put_text(out, "change", str_of(words[file->change]));
		json_put_flag(out, "part", file->part);
		json_put_count(out, "bytes", file->size);
		buf_byte(out, '}');
	}
}

static size_t sum(const size_t counts[KEEP_CHANGES])
{
	size_t all = 0;

	for (int i = 0; i < KEEP_CHANGES; i++)
		all += counts[i];
	return all;
}

static void print_json(const struct keep_run *r, const char *to, bool dry)
{
	AUTO_BUF out = BUF_INIT;

	buf_byte(&out, '{');
	json_put_text(&out, "to", str_of(to));
	json_put_flag(&out, "dry_run", dry);
	for (int i = 0; i < KEEP_CHANGES; i++)
		json_put_count(&out, words[i], r->sessions[i]);
	json_put_count(&out, "parts", sum(r->parts));
	json_put_count(&out, "bytes", r->bytes);
	json_open(&out, "files", '[');
	buf_str(&out, buf_view(&r->files));
	buf_text(&out, "\n]}\n");
	cmd_write(&out);
}

/* "3 new, 1 grown, 8 unchanged sessions, and 5 files of sub-agents: 3 MB kept in ..." */
static void print_text(const struct keep_run *r, const char *to, bool dry)
{
	size_t parts = sum(r->parts);
	const char *between = "";
	AUTO_BUF out = BUF_INIT;

	if (!sum(r->sessions)) {
		buf_text(&out, "no sessions of programs that delete theirs were found\n");
	} else {
		for (int i = KEEP_NEW; i <= KEEP_CHANGES; i++) {
			int change = i % KEEP_CHANGES; /* what is unchanged comes last */

			if (!r->sessions[change])
				continue;
			buf_printf(&out, "%s%zu %s", between, r->sessions[change],
				words[change]);
			between = ", ";
		}
		buf_text(&out, sum(r->sessions) == 1 ? " session" : " sessions");
		if (parts)
			buf_printf(&out, ", and %zu file%s of sub-agents", parts,
				plural(parts));
		buf_text(&out, r->bytes ? ": " : "\n");
		if (r->bytes) {
			facts_bytes(&out, r->bytes);
			buf_text(&out, dry ? " would be kept in " : " kept in ");
			home_shorten(str_of(to), &out);
			buf_byte(&out, '\n');
		}
	}
	cmd_write(&out);
}

int cmd_keep(const struct options *o)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	struct keep_run r = {.json = o->json};
	AUTO_BUF to = BUF_INIT;
	bool good;

	if (o->files.count)
		return cmd_fail("keep %s: takes no operand; --to DIR names a folder",
			o->files.items[0]);
	if (o->keep_to && !*o->keep_to)
		return cmd_fail("--to: name a folder");
	if (o->keep_to)
		buf_text(&to, o->keep_to);
	else if (!places_put_kept(&to))
		return cmd_fail(
			"there is no home folder (HOME); --to DIR names a folder");
	good = keep_all(to.data, o->dry_run, note, &r, &err);
	if (!good)
		report_error(&err);
	else if (o->json)
		print_json(&r, to.data, o->dry_run);
	else
		print_text(&r, to.data, o->dry_run);
	buf_done(&r.files);
	return good && !r.sessions[KEEP_FAILED] && !r.parts[KEEP_FAILED] ? STATUS_DONE
									 : STATUS_ERROR;
}
