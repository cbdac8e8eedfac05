/*
 * See opening.h, and loader_mend in loader.h.  Sources that were written or changed by
 * hand become strict copies of themselves, so that all that reads them later sees JSON.
 * This is tried at the end of a source, when all of a stream is there, too.
 */
#include "config.h"
#include "import/opening.h"
#include "import/loader.h"

#include "base/mem.h"
#include "import/guess.h"
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

/* Whether no step of the source is an object or a list: a word in quotes, and a number,
 * stand in any text.  What begins like JSON is judged only now. */
static bool holds_no_json(const struct loader *l, struct str text)
{
	struct json_report report;

	for (size_t i = l->first_step; i < l->trace->count; i++) {
		struct step s = trace_step(l->trace, (uint32_t)i);
		uint64_t at = s.offset - l->base;

		if (s.flags & STEP_CUT && at == 0)
			return false; /* a value that the file ends in */
		if (s.flags & STEP_BROKEN || at >= text.n || s.length > text.n - at ||
			(text.p[at] != '{' && text.p[at] != '['))
			continue;
		json_check_keys((struct str){text.p + at, s.length}, NULL, &report);
		if (report.verdict == VERDICT_STRICT)
			return false;
	}
	return true;
}

/* A file of words that was named itself is one step, as a talk of one message. */
static bool take_words(const struct loader *l, struct str text, struct buf *out)
{
	struct str head = {text.p, text.n < GUESS_HEAD ? text.n : GUESS_HEAD};

	if (l->forced || !l->note_count || !inputs_are_one(l->trace->inputs) ||
		inputs_are_followed(l->trace->inputs) || !guess_is_prose(head) ||
		!holds_no_json(l, text))
		return false;
	buf_clear(out);
	buf_text(out, "{\"transcript\":\"plain text\",\"messages\":"
		      "[{\"role\":\"text\",\"content\":");
	buf_json(out, text);
	buf_text(out, "}],\"answer\":[]}\n");
	return true;
}

bool loader_mend(struct loader *l)
{
	struct buf out = BUF_INIT, note = BUF_INIT;
	struct json_report report = {0};
	struct str text;
	bool mended;

	if (!may_be_by_hand(l))
		return false;
	l->mended = true;
	text = loader_fetch(l, 0, source_size(l->source));
	mended = mend_text(l, text, &out, &report);
	l->words = !mended && take_words(l, text, &out);
	if (l->words)
		buf_text(&note, "is not JSON; its text is one step");
	else if (mended)
		json_report_text(&report, &note);
	if (note.len) {
		window_drop(&l->window);
		source_mend(l->source, &out, l->words ? 0 : report.offset, note.data);
	}
	buf_done(&note);
	buf_done(&out);
	return mended || l->words;
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
		json_check_keys(buf_view(&out), NULL, &judged);
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
