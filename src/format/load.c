/* The loop: windows of the source into the scan, whatever stops it dealt with (see
 * load.h). */
#include "config.h"
#include "format/loader.h"

#include "base/clock.h"
#include "base/mem.h"
#include "format/skeleton.h"

/* Microseconds that a new arrangement gets at once: enough for that of a small file. */
#define ARRANGE_FIRST 1000
#define FEED          (64u * 1024) /* bytes scanned between two looks at the clock */

struct loader *load_begin(struct model *model, const struct format *forced)
{
	struct loader *l = mem_zalloc(1, sizeof(*l));

	l->model = model;
	l->source = model->source;
	l->forced = forced;
	l->window = mem_alloc(WINDOW);
	l->junk_only = true;
	l->lines = forced == &format_json_lines;
	model_add_scope(model, 0);
	l->stream.refused = UINT64_MAX;
	scan_begin(&l->scan, l->lines ? &collect_lines : &collect_document, l, 0);
	if (forced == &format_sse_stream || forced == &format_chat_stream)
		stream_start(l, 0, forced == &format_chat_stream);
	return l;
}

void load_free(struct loader *l)
{
	if (!l)
		return;
	for (size_t i = 0; i < l->columns.count; i++)
		columns_free(l->columns.items[i]);
	mem_free(l->columns.items);
	buf_done(&l->scratch);
	resync_done(&l->resync);
	stream_end(l);
	skeleton_free(l->skeleton);
	mem_free(l->window);
	mem_free(l->notes);
	mem_free(l);
}

uint64_t load_progress(const struct loader *l)
{
	return l->next;
}

const struct load_note *load_notes(const struct loader *l, size_t *count)
{
	*count = l->note_count;
	return l->notes;
}

/* ---- the loop ---- */

static void finish(struct loader *l)
{
	if (scan_finish(&l->scan))
		l->done = true;
	else if (l->scan.status == SCAN_CUT && l->scan.fault_at >= source_size(l->source))
		recover_cut(l);
}

/* What is no text at all, or text of another encoding, is named: the faults would not
 * tell. */
static const char *foreign(struct str head)
{
	static const struct {
		struct str magic;
		const char *text;
	} known[] = {
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
	if (head.n > 1 && !head.p[0] != !head.p[1])
		return known[0].text;
	return NULL;
}

static void refuse(struct loader *l, const char *why)
{
	if (!loader_at_hand(l, UINT64_MAX)) {
		loader_wait(l, 0);
		return;
	}
	loader_note(l, 0, why);
	recover_not_at_all(l);
}

/*
 * The bytes to feed next: the rest of the window, or a new one.  A line feed at the end
 * of what a stream has is held back, for on_newline looks at the byte behind it.
 */
static struct str next_bytes(struct loader *l)
{
	struct str s = loader_window(l);

	if (s.n > FEED)
		s.n = FEED;
	if (s.n && s.p[s.n - 1] == '\n' && !loader_at_hand(l, l->next + s.n + 1)) {
		s.n--;
		loader_wait(l, l->next + s.n);
	}
	return s;
}

/* At the first byte: SSE are no JSON. */
static bool is_stream(struct loader *l)
{
	enum answer answer = l->forced ? ANSWER_NO : stream_recognise(l);

	if (answer == ANSWER_YES)
		stream_start(l, 0, false);
	if (answer == ANSWER_LATER)
		loader_wait(l, 0);
	return answer != ANSWER_NO;
}

static void feed(struct loader *l)
{
	bool first = !l->next && !l->scan.at;
	struct str s = next_bytes(l);
	const char *why = first ? foreign(s) : NULL;

	if (first && s.n && is_stream(l))
		return;
	if (why) {
		refuse(l, why);
	} else if (s.n) {
		l->next += s.n;
		scan_feed(&l->scan, s.p, s.n);
	} else if (source_complete(l->source)) {
		finish(l);
	}
}

/* Feeds some bytes; whatever stopped the scan is dealt with. */
static void advance(struct loader *l)
{
	l->want = 0;
	if (l->stream.active) {
		stream_advance(l);
		return;
	}
	if (l->scan.status == SCAN_RUNNING)
		feed(l);
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
	} else if (l->hold.wanted) {
		loader_wait(l, l->hold.at);
		loader_seek(l, l->hold.at, l->hold.depth);
	} else if (l->stream.wanted) {
		stream_start(l, l->stream.at, true);
	}
	l->hold.wanted = l->stream.wanted = false;
}

static const struct format *file_format(const struct loader *l)
{
	if (l->forced)
		return l->forced;
	if (l->stream.seen && !l->values && !l->stream.chunks_seen)
		return l->stream.lines ? &format_chat_stream : &format_sse_stream;
	if (l->lines && (l->values > 1 || l->stream.seen))
		return &format_json_lines;
	if (l->first_format)
		return l->first_format;
	return l->level ? format_of(&l->candidates[0].shape) : NULL;
}

/* What is no JSON between the steps, where nothing else was found wrong; true when that
 * is known. */
static bool check_gaps(struct loader *l, uint64_t deadline)
{
	uint64_t offset;
	const char *text;

	if (l->lines || l->note_count || l->values != 1)
		return true;
	if (!l->skeleton)
		l->skeleton = skeleton_new(l->model);
	if (!skeleton_slice(l->skeleton, deadline))
		return false;
	if (!skeleton_check(l->skeleton, &offset, &text))
		loader_note(l, offset, text);
	skeleton_free(l->skeleton);
	l->skeleton = NULL;
	return true;
}

/* All is read: what that says of the file as a whole. */
static void end_reading(struct loader *l)
{
	const struct format *f;

	if (l->junk_only && l->model->count && (model_flags(l->model, 0) & STEP_BROKEN) &&
		l->model->count > 1)
		recover_not_at_all(l);
	if (!l->model->count && l->junk_only)
		l->empty = source_size(l->source) ? "holds nothing but white space"
						  : "is empty";
	f = file_format(l);
	l->model->format = f ? f->name : format_json.name;
}

/* The last arrangement, and the totals; true when both are there. */
static bool conclude(struct loader *l, uint64_t deadline)
{
	if (l->end == END_NONE) {
		if (!check_gaps(l, deadline))
			return false;
		end_reading(l);
		l->end = END_READ;
	}
	if (l->end == END_READ) {
		if (!model_arrange_slice(l->model, deadline))
			return false;
		l->end = END_ARRANGED;
	}
	if (l->end == END_ARRANGED && !model_totals_slice(l->model, deadline))
		return false;
	l->end = END_TOTALS;
	l->arranging = false;
	return true;
}

/* Nothing is read while an arrangement is in the making: it would begin anew. */
static void arrange_on(struct loader *l, uint64_t deadline)
{
	uint64_t now = clock_us();

	l->arranging = !model_arrange_slice(l->model, deadline);
	l->arranged_at = clock_us();
	l->arrange_us += l->arranged_at - now;
}

/*
 * The arrangement is renewed when the steps have doubled, so that the sum of all is
 * linear; when there is nothing else to do, also when the last one was cheap beside the
 * time since.
 */
static void arrange_now_and_then(struct loader *l, bool idle)
{
	struct model *m = l->model;

	if (l->level)
		l->candidates[0].shape.has_chat = collect_no_chat;
	if (!m->format && file_format(l))
		m->format = file_format(l)->name;
	if (!model_unarranged(m))
		return;
	if (m->count < 2 * m->arranged &&
		!(idle && clock_us() - l->arranged_at > 20 * l->arrange_us))
		return;
	l->arrange_us = 0;
	arrange_on(l, clock_deadline(ARRANGE_FIRST));
}

/* Whether there is nothing to do before a stream has more. */
static bool must_wait(const struct loader *l)
{
	uint64_t size = source_size(l->source);

	if (source_complete(l->source))
		return false;
	if (l->resyncing)
		return resync_waits(&l->resync);
	if (l->stream.active)
		return l->next >= size;
	return size < l->want || size < 4 ||
	       (l->scan.status == SCAN_RUNNING && l->next >= size);
}

/* Reads on; false when a stream has nothing yet. */
static bool read_on(struct loader *l)
{
	if (must_wait(l)) {
		stream_show(l);
		arrange_now_and_then(l, true);
		return l->arranging;
	}
	if (!l->resyncing)
		advance(l);
	else if (resync_step(&l->resync))
		recover_end_resync(l);
	return true;
}

enum load_status load_step(struct loader *l, uint64_t deadline, size_t enough)
{
	while (!l->done) {
		if (l->arranging) {
			arrange_on(l, deadline);
			if (clock_passed(deadline))
				return LOAD_MORE;
			continue;
		}
		if (!read_on(l))
			return LOAD_WAIT;
		if (l->done || (!clock_passed(deadline) && l->model->count < enough))
			continue;
		if (!l->arranging)
			arrange_now_and_then(l, false);
		return LOAD_MORE;
	}
	return conclude(l, deadline) ? LOAD_DONE : LOAD_MORE;
}

bool load_is_arranging(const struct loader *l)
{
	return l->arranging || (l->done && l->end != END_TOTALS);
}

bool load_unreadable(const struct loader *l, struct err *err)
{
	const struct model *m = l->model;

	if (!l->done)
		return false;
	if (l->empty && source_failed(l->source, err))
		return true;
	if (l->empty) {
		err_source(err, source_name(l->source));
		err_set(err, "%s", l->empty);
		return true;
	}
	for (size_t i = 0; i < m->count; i++)
		if (!(model_flags(m, i) & STEP_BROKEN))
			return false;
	if (!m->count)
		return false;
	if (l->note_count)
		err_at(err, l->notes[0].offset, "is no JSON: %s", l->notes[0].text);
	else
		err_at(err, 0, "is no JSON");
	source_locate(l->source, err);
	return true;
}

enum load_status load_all(struct loader *l, struct err *err)
{
	enum load_status status;

	while ((status = load_step(l, UINT64_MAX, SIZE_MAX)) != LOAD_DONE)
		if (status == LOAD_WAIT && !source_wait(l->source, err))
			return LOAD_MORE;
	return LOAD_DONE;
}
