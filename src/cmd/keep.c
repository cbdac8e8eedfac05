/* `catena keep`: copies the sessions of programs that delete them after some days. */
#include "config.h"
#include "cmd/cmd.h"

#include <string.h>

#include "base/home.h"
#include "json/json.h"
#include "sessions/keep.h"
#include "sessions/places.h"
#include "text/safe.h"
#include "view/facts.h"

static const char *const words[KEEP_CHANGES] = {
	[KEEP_SAME] = "unchanged",
	[KEEP_NEW] = "new",
	[KEEP_GROWN] = "grown",
	[KEEP_OTHER] = "rewritten",
	[KEEP_FAILED] = "failed",
};

struct report {
	bool json;
	size_t sessions[KEEP_CHANGES], parts[KEEP_CHANGES];
	uint64_t bytes; /* that were copied */
	struct buf out; /* JSON */
};

static void note(void *report, const struct keep_file *file)
{
	struct report *r = report;

	(file->part ? r->parts : r->sessions)[file->change]++;
	if (file->change == KEEP_FAILED)
		report_error(file->err);
	else if (file->change != KEEP_SAME)
		r->bytes += file->size;
	if (r->json && file->change != KEEP_SAME) {
		buf_text(&r->out, r->out.len ? ",\n" : "\n");
		buf_text(&r->out, "{\"path\":");
		json_write_string(&r->out, str_of(file->path));
		json_write_text(&r->out, "copy", str_of(file->copy ? file->copy : ""));
		json_write_text(&r->out, "change", str_of(words[file->change]));
		buf_printf(&r->out, ",\"part\":%s,\"bytes\":%llu}",
			file->part ? "true" : "false", (unsigned long long)file->size);
	}
}

static size_t sum(const size_t counts[KEEP_CHANGES])
{
	size_t all = 0;

	for (int i = 0; i < KEEP_CHANGES; i++)
		all += counts[i];
	return all;
}

static void print_json(const struct report *r, const char *to, bool dry)
{
	AUTO_BUF out = BUF_INIT;

	buf_text(&out, "{\"to\":");
	json_write_string(&out, str_of(to));
	buf_printf(&out, ",\"dry_run\":%s", dry ? "true" : "false");
	for (int i = 0; i < KEEP_CHANGES; i++)
		buf_printf(&out, ",\"%s\":%zu", words[i], r->sessions[i]);
	buf_printf(&out, ",\"parts\":%zu,\"bytes\":%llu,\"files\":[", sum(r->parts),
		(unsigned long long)r->bytes);
	buf_str(&out, buf_view(&r->out));
	buf_text(&out, "\n]}\n");
	cmd_write(&out);
}

/* "3 new, 1 grown, 8 unchanged sessions, and 5 files of sub-agents: 3 MB kept in ..." */
static void print_text(const struct report *r, const char *to, bool dry)
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
				parts == 1 ? "" : "s");
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
	struct report r = {.json = o->json};
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
	buf_done(&r.out);
	return good && !r.sessions[KEEP_FAILED] && !r.parts[KEEP_FAILED] ? STATUS_DONE
									 : STATUS_ERROR;
}
