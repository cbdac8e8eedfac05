/*
 * See by_hand.h, and loader_mend in loader.h.  Sources that were written or changed by
 * hand become strict copies of themselves, so that all that reads them later sees JSON.
 * This is tried at the end of a source, when all of a stream is there, too.
 */
#include "config.h"
#include "import/by_hand.h"
#include "import/loader.h"

#include "base/mem.h"
#include "json/mend.h"

/* bytes: a smaller source is tried although nothing was found wrong */
#define BY_HAND (1u << 20)

/* A value of no format is read as a whole anyway; perhaps a comment hid its format. */
static bool may_be_by_hand(struct loader *l)
{
	uint64_t size = source_size(l->source);
	bool doubtful = l->note_count || loader_format(l) == &format_json;

	return !l->mended && !l->stream.seen && !l->overtaken &&
	       l->kept <= l->first_step && source_complete(l->source) &&
	       size <= (doubtful ? MEND_MOST : BY_HAND);
}

static bool mend_text(const struct loader *l, struct str text, struct buf *out,
	struct json_report *report)
{
	if (!l->note_count && !json_hand_made(text))
		return false;
	json_mend(text, out, report);
	if (report->verdict == VERDICT_BROKEN && l->lines) {
		buf_clear(out);
		json_mend_lines(text, out, report);
	}
	return report->verdict == VERDICT_TOLERATED;
}

bool loader_mend(struct loader *l)
{
	struct buf out = BUF_INIT, note = BUF_INIT;
	struct json_report report;
	bool mended;

	if (!may_be_by_hand(l))
		return false;
	l->mended = true;
	mended = mend_text(l, loader_fetch(l, 0, source_size(l->source)), &out, &report);
	if (mended) {
		window_drop(&l->window);
		json_report_text(&report, &note);
		source_mend(l->source, &out, report.offset, note.data);
	}
	buf_done(&note);
	buf_done(&out);
	return mended;
}

bool step_mend(
	uint32_t flags, struct str *text, struct json_report *report, struct arena *arena)
{
	struct buf out = BUF_INIT;
	struct json_report mended, judged;
	bool helps;

	if (report->verdict != VERDICT_BROKEN || flags & (STEP_BROKEN | STEP_CUT) ||
		text->n > MEND_MOST)
		return false;
	json_mend(*text, &out, &mended);
	helps = mended.verdict == VERDICT_TOLERATED;
	if (helps)
		json_check_keys(buf_view(&out), &judged);
	if (helps && judged.verdict != VERDICT_BROKEN) {
		*text = arena_dup(arena, buf_view(&out));
		*report = mended;
		report->duplicates = judged.duplicates;
		memcpy(report->twice, judged.twice, sizeof(judged.twice));
	} else {
		helps = false;
	}
	buf_done(&out);
	return helps;
}
