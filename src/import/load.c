/* The loop: feeds windows of the source to the scan and handles whatever stops it (see
 * loader.h). */
#include "config.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/sort.h"
#include "base/task.h"
#include "import/loader.h"
#include "json/check.h"
#include "trace/trace.h"

/* ---- the text between the steps: judged as strictly as the steps themselves, so that a
 * file is never taken for valid JSON when it is none ---- */

#define SKELETON_MOST (64u * 1024 * 1024) /* bytes; longer sources are taken to be sound */

#define PIECE 256 /* steps between two looks at the clock */

/* Appends [from, to) of the source. */
static void add_gap(struct loader *l, uint64_t from, uint64_t to)
{
	struct skeleton *s = &l->skeleton;

	*MEM_ADD(s->gaps, s->count, s->cap) = (struct gap){s->text.len, from};
	while (from < to) {
		struct str near = loader_window(l, from);
		size_t n = near.n < to - from ? near.n : (size_t)(to - from);

		if (!n)
			return;
		buf_add(&s->text, near.p, n);
		from += n;
	}
}

/* What is no JSON between the steps, where nothing else was found wrong; true when that
 * is known. */
static bool check_gaps(struct loader *l, uint64_t deadline)
{
	struct skeleton *s = &l->skeleton;
	const struct trace *trace = l->trace;
	struct json_report report;
	const struct gap *gap;

	if (l->first_format && l->first_format->description)
		return true; /* its steps may hold each other */
	if (l->lines || l->note_count || l->values != 1 || l->kept > l->first_step ||
		source_size(l->source) > SKELETON_MOST)
		return true;
	if (!s->count || s->next > trace->count) { /* another source took back its steps */
		s->next = l->first_step;
		s->at = s->count = s->text.len = 0;
	}
	while (s->next < trace->count) {
		struct step step = trace_step(trace, s->next);
		uint64_t start = step.offset - l->base;

		add_gap(l, s->at, start);
		buf_byte(&s->text, '0');
		s->at = start + step.length;
		if (++s->next % PIECE == 0 && s->next < trace->count &&
			clock_passed(deadline))
			return false;
	}
	add_gap(l, s->at, source_size(l->source));
	json_check(buf_view(&s->text), &report);
	/* the first gap is at the start of the text */
	gap = &s->gaps[SORTED_BELOW(s->gaps, s->count, at, report.offset + 1) - 1];
	if (report.verdict != VERDICT_STRICT)
		loader_note(l, gap->offset + (report.offset - gap->at), report.text);
	return true;
}

#define FEED (64u * 1024) /* bytes scanned between two looks at the clock */

static void begin(struct loader *l)
{
	l->junk_only = true;
	l->lines = l->forced == &format_json_lines;
	l->last_scope = l->scope;
	l->stream.refused = UINT64_MAX;
	scan_begin(&l->scan, l->lines ? &collect_lines : &collect_document, l, 0);
	if (l->forced == &format_sse_stream || l->forced == &format_chat_stream)
		stream_start(l, 0, l->forced == &format_chat_stream);
}

struct loader *loader_begin(struct trace *trace, struct source *source, uint64_t base,
	const struct format *forced)
{
	struct loader *l = mem_alloc(sizeof(*l));

	memset(l, 0, offsetof(struct loader, candidates) + sizeof(*l->candidates));
	l->made = 1;
	l->trace = trace;
	l->source = source;
	l->base = base;
	l->first_step = l->kept = trace->count;
	l->forced = forced;
	l->scope = loader_add_scope(l, 0);
	begin(l);
	return l;
}

static void release(struct loader *l)
{
	buf_done(&l->scratch);
	mem_free(l->agents.items);
	buf_done(&l->resync.like);
	sse_done(&l->stream.sse);
	buf_done(&l->skeleton.text);
	mem_free(l->skeleton.gaps);
	window_done(&l->window);
	buf_done(&l->described.attribute);
	idmap_done(&l->described.turn.about_ids);
	mem_free(l->described.turn.about);
	idmap_done(&l->described.turn.threads);
	mem_free(l->described.turn.starters);
	merged_done(&l->described.merging);
	mem_free(l->notes);
}

void loader_free(struct loader *l)
{
	release(l);
	mem_free(l);
}

/* ---- the loop ---- */

/* Says what a source is that is no UTF-8 text: the faults of the scan would not explain
 * it. */
static const char *foreign(struct str head)
{
	static const struct {
		struct str magic;
		const char *text;
	} known[] = {
		{{"\xFF\xFE\0\0", 4},
			"this is UTF-32; convert it to UTF-8 first (iconv)"},
		{{"\0\0\xFE\xFF", 4},
			"this is UTF-32; convert it to UTF-8 first (iconv)"},
		{{"\xFF\xFE", 2}, "this is UTF-16; convert it to UTF-8 first (iconv)"},
		{{"\xFE\xFF", 2}, "this is UTF-16; convert it to UTF-8 first (iconv)"},
		{{"\x1F\x8B", 2}, "this is compressed; unpack it first (zcat)"},
		{{"\x28\xB5\x2F\xFD", 4},
			"this is compressed; unpack it first (zstdcat)"},
		{{"\xFD"
		  "7zXZ",
			 5},
			"this is compressed; unpack it first (xzcat)"},
		{{"BZh", 3}, "this is compressed; unpack it first (bzcat)"},
		{{"PK\x03\x04", 4}, "this is a zip archive; unpack it first (unzip)"},
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (str_starts(head, known[i].magic))
			return known[i].text;
	if (head.n > 3 && !head.p[2] && !head.p[1] && !head.p[0] != !head.p[3])
		return known[0].text;
	if (head.n > 1 && !head.p[0] != !head.p[1])
		return known[2].text;
	return NULL;
}

/* Feeds the rest of the window, or a new one. */
static void feed(struct loader *l)
{
	bool first = !l->next && !l->scan.at;
	struct str s = loader_window(l, l->next);
	enum answer stream = ANSWER_NO;
	const char *why;

	if (s.n > FEED)
		s.n = FEED;
	/* a line feed at the end of what a stream has is held back, for on_newline looks
	 * at the byte after it */
	if (s.n && s.p[s.n - 1] == '\n' && !loader_at_hand(l, l->next + s.n + 1)) {
		s.n--;
		loader_wait(l, l->next + s.n);
	}
	why = first ? foreign(s) : NULL;
	if (first && s.n && !l->forced) /* events of SSE are no JSON */
		stream = stream_recognize(l);
	if (stream == ANSWER_YES) {
		stream_start(l, 0, false);
	} else if (stream == ANSWER_LATER || (why && !loader_at_hand(l, UINT64_MAX))) {
		loader_wait(l, 0);
	} else if (why) {
		loader_note(l, 0, why);
		recover_not_at_all(l);
	} else if (s.n) {
		l->next += s.n;
		scan_feed(&l->scan, s.p, s.n);
	} else if (source_complete(l->source)) {
		if (scan_finish(&l->scan))
			l->done = true;
		else if (l->scan.status == SCAN_CUT &&
			 l->scan.fault_at >= source_size(l->source))
			recover_cut(l);
	}
}

/* Handles whatever stopped the scan. */
static void answer_stop(struct loader *l)
{
	if (l->scan.status == SCAN_BROKEN && !l->done)
		recover_fault(l);
	if (l->scan.status == SCAN_CUT && !l->done)
		recover_cut_line(l);
	if (l->scan.status != SCAN_HALTED)
		return;
	if (l->again.wanted) {
		l->again.wanted = false;
		l->again.active = l->again.carrier != CARRIER_COUNT;
		loader_seek(l, l->again.at, 0);
	} else if (l->pause.wanted) {
		loader_wait(l, l->pause.at);
		loader_seek(l, l->pause.at, l->pause.depth);
	} else if (l->stream.wanted) {
		stream_start(l, l->stream.at, true);
	}
	l->pause.wanted = l->stream.wanted = false;
}

bool loader_take_rest(struct loader *l)
{
	if (l->stream.active || l->resyncing || !scan_flush(&l->scan))
		return false;
	answer_stop(l);
	return true;
}

const struct format *loader_format(struct loader *l)
{
	if (l->level)
		l->candidates[0].shape.has_chat = NULL;
	if (l->forced)
		return l->forced;
	if (l->stream.seen && !l->values && !l->stream.chunks_seen)
		return l->stream.lines ? &format_chat_stream : &format_sse_stream;
	if (l->described.settled)
		return &l->described.settled->format;
	if (l->lines && l->described.last && l->described.alike >= l->values)
		return &l->described.last->format;
	if (l->lines && (l->values > 1 || l->stream.seen))
		return &format_json_lines;
	if (l->first_format)
		return l->first_format;
	if (l->described.active)
		return &l->described.active->format;
	return l->level ? format_of(&l->candidates[0].shape) : NULL;
}

/* Decides what the source is as a whole, at its end; true when that is done. */
static bool conclude(struct loader *l, uint64_t deadline)
{
	bool any = l->trace->count > l->first_step;

	if (!check_gaps(l, deadline))
		return false;
	if (loader_mend(l)) { /* the source is another text than the one that was read */
		struct loader kept = {.trace = l->trace,
			.source = l->source,
			.base = l->base,
			.scope = l->scope,
			.first_step = l->first_step,
			.last_count = l->last_count,
			.kept = l->kept,
			.forced = l->forced,
			.columns = l->columns,
			.made = NESTING,
			.mended = l->mended,
			.words = l->words};

		loader_truncate(l, l->first_step, l->scope + 1);
		release(l);
		*l = kept;
		begin(l);
		return false;
	}
	if (l->junk_only && l->trace->count > l->first_step + 1 &&
		(trace_flags(l->trace, l->first_step) & STEP_BROKEN))
		recover_not_at_all(l);
	if (!any && l->junk_only)
		l->empty = source_size(l->source) ? "contains only white space"
						  : "is empty";
	return true;
}

bool loader_waits(const struct loader *l)
{
	uint64_t size = source_size(l->source);

	if (l->done || source_complete(l->source))
		return false;
	if (l->resyncing)
		return resync_waits(&l->resync);
	if (l->stream.active)
		return l->next >= size;
	return size < l->want || size < 4 ||
	       (l->scan.status == SCAN_RUNNING && l->next >= size);
}

enum task_state loader_run(struct loader *l, uint64_t deadline, size_t enough)
{
	while (!l->done) {
		if (loader_waits(l)) {
			stream_show(l);
			return TASK_IDLE;
		}
		if (l->resyncing) {
			if (resync_run(&l->resync))
				recover_end_resync(l);
		} else {
			l->want = 0;
			if (l->stream.active) {
				stream_advance(l);
			} else {
				if (l->scan.status == SCAN_RUNNING)
					feed(l);
				answer_stop(l);
			}
		}
		if (!l->done && (clock_passed(deadline) || l->trace->count >= enough))
			return TASK_MORE;
	}
	return conclude(l, deadline) ? TASK_DONE : TASK_MORE;
}

/* What it is that is no JSON and was never meant to be; nothing: it may be damaged. */
static void put_foreign(struct str head, struct buf *what)
{
	const char *known = foreign(head);

	if (known)
		buf_text(what, known);
	else
		guess_other(head, what);
}

static void read_head(const struct loader *l, struct buf *head)
{
	buf_reserve(head, GUESS_HEAD);
	head->len = source_read(l->source, 0, head->data, GUESS_HEAD);
}

bool loader_begins_foreign(const struct loader *l)
{
	AUTO_BUF head = BUF_INIT, what = BUF_INIT;

	read_head(l, &head);
	put_foreign(buf_view(&head), &what);
	return what.len || !source_size(l->source);
}

bool loader_unreadable(const struct loader *l, bool *other, struct err *err)
{
	const struct trace *trace = l->trace;
	AUTO_BUF head = BUF_INIT, what = BUF_INIT;
	bool binary;

	*other = false;
	if (l->empty && source_failed(l->source, err))
		return true;
	if (l->empty) {
		err_source(err, source_name(l->source));
		err_set(err, "%s", l->empty);
		return true;
	}
	/* numbers stand in a program, too: what they look like is no trace */
	read_head(l, &head);
	binary = guess_is_binary(buf_view(&head));
	for (size_t i = l->first_step; i < trace->count && !binary; i++)
		if (!(trace_flags(trace, i) & STEP_BROKEN))
			return false;
	if (trace->count == l->first_step)
		return false;
	put_foreign(buf_view(&head), &what);
	if (what.len) {
		err_source(err, source_name(l->source));
		err_set(err, "%.*s", (int)what.len, what.data);
		*other = true;
		return true;
	}
	if (l->note_count)
		err_at(err, l->notes[0].offset, "is not JSON: %s", l->notes[0].text);
	source_locate(l->source, err);
	return true;
}
