/* The loop: feeds windows of the source to the scan and handles whatever stops it (see
 * loader.h). */
#include "config.h"

#include <poll.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/sort.h"
#include "base/work.h"
#include "import/known.h"
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

static void begin_source(struct loader *l)
{
	memset(&l->scan, 0,
		offsetof(struct loader, candidates) - offsetof(struct loader, scan) +
			sizeof(*l->candidates));
	l->made = 1;
	l->junk_only = true;
	l->lines = l->forced == &format_json_lines;
	l->last_scope = l->scope;
	l->stream.refused = UINT64_MAX;
	scan_begin(&l->scan, l->lines ? &collect_lines : &collect_document, l, 0);
	if (l->forced == &format_sse_stream || l->forced == &format_chat_stream)
		stream_start(l, 0, l->forced == &format_chat_stream);
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
	idmap_done(&l->described.merging.by_key);
	mem_free(l->described.merging.records);
	mem_free(l->notes);
}

/* ---- the loop ---- */

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
	why = first ? guess_foreign(s) : NULL;
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
	}
	l->pause.wanted = false;
}

const struct format *loader_format(struct loader *l)
{
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
	return l->level ? candidate_format(&l->candidates[0], false) : NULL;
}

/* Decides what the source is as a whole, at its end; true when that is done. */
static bool conclude(struct loader *l, uint64_t deadline)
{
	bool any = l->trace->count > l->first_step;

	if (!check_gaps(l, deadline))
		return false;
	if (loader_mend(l)) { /* the source is another text than the one that was read */
		loader_truncate(l, l->first_step, l->scope + 1);
		release(l);
		begin_source(l);
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

/* Whether there is nothing to do before a stream has more. */
static bool loader_waits(const struct loader *l)
{
	uint64_t size = source_size(l->source);

	if (l->done || source_complete(l->source))
		return false;
	if (l->resyncing)
		return resync_waits(l);
	if (l->stream.active)
		return l->next >= size;
	return size < l->want || size < 4 ||
	       (l->scan.status == SCAN_RUNNING && l->next >= size);
}

/* Whether some bytes have come since it last looked, fewer than it waits for. */
static bool loader_rests(const struct loader *l)
{
	uint64_t size = source_size(l->source);

	return !l->done && size > l->tried && size < l->want;
}

/* As load_run, of the one source; the trace is not arranged. */
static enum task_state loader_run(struct loader *l, uint64_t deadline, size_t enough)
{
	while (!l->done) {
		if (loader_waits(l)) {
			stream_show(l);
			return TASK_IDLE;
		}
		if (l->resyncing) {
			recover_resync(l);
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

static void read_head(const struct loader *l, struct buf *head)
{
	buf_reserve(head, GUESS_HEAD);
	head->len = source_read(l->source, 0, head->data, GUESS_HEAD);
}

/* When all is read: nothing in the source is JSON, and err says why, if a fault was
 * found. *other: nor was it meant to be: it is a table, an image, a text … */
static bool loader_unreadable(const struct loader *l, bool *other, struct err *err)
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
	if (guess_other(buf_view(&head), &what)) {
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

/* ---- inputs, one after the other ---- */

/* Microseconds that a new arrangement gets at once: enough for that of a small file. */
#define ARRANGE_FIRST 1000

struct load {
	struct trace *trace;
	const struct format *forced;
	struct loader_list {
		struct loader **items;
		size_t count, cap;
	} live, resting; /* resting: of followed files, at their ends */
	size_t begun;    /* sources that have, or had, a loader */
	struct columns_list columns; /* steps refer to them */
	struct load_note *notes;
	size_t note_count, note_cap;
	struct err unreadable; /* of the first source that is not open or without JSON */
	bool readable;         /* some source holds JSON */
	bool damaged;       /* the text of some is shown, since it was meant to be JSON */
	bool words;         /* of the only one: a text that became a step */
	const char *format; /* of the sources that were read */
	bool done, again;   /* all is read; what was read is no longer so */
	struct arrangement {
		bool making, ordered; /* nothing is read while one is made */
		bool totals;          /* with them */
		bool last;            /* of all that was read */
		uint64_t cost, at;    /* microseconds */
	} arrangement;
};

/* All that have a loader: first those that read, then those that rest; NULL: no more. */
static struct loader *loader_number(const struct load *l, size_t i)
{
	if (i < l->live.count)
		return l->live.items[i];
	i -= l->live.count;
	return i < l->resting.count ? l->resting.items[i] : NULL;
}

struct load *load_begin(struct trace *trace, const struct format *forced)
{
	struct load *l = mem_zalloc(1, sizeof(*l));

	known_ask_databases();
	l->trace = trace;
	l->forced = forced;
	inputs_leave_out(trace->inputs, beside_is_side);
	return l;
}

static void end_loader(struct load *l, struct loader *r)
{
	l->words |= r->words;
	release(r);
	mem_free(r);
}

void load_free(struct load *l)
{
	struct loader *r;

	if (!l)
		return;
	for (size_t i = 0; (r = loader_number(l, i)); i++)
		end_loader(l, r);
	for (size_t i = 0; i < l->columns.count; i++) {
		mem_free(l->columns.items[i]->nodes);
		mem_free(l->columns.items[i]);
	}
	mem_free(l->columns.items);
	mem_free(l->live.items);
	mem_free(l->resting.items);
	mem_free(l->notes);
	err_done(&l->unreadable);
	mem_free(l);
}

uint64_t load_progress(const struct load *l)
{
	const struct loader *r;

	if (!l->live.count)
		return inputs_before(l->trace->inputs, inputs_address(l->begun));
	r = l->live.items[l->live.count - 1];
	return inputs_before(l->trace->inputs, r->base + r->next);
}

const struct load_note *load_notes(const struct load *l, size_t *count)
{
	*count = l->note_count;
	return l->notes;
}

/* ---- the arrangement ---- */

/* Works on the arrangement; nothing is read meanwhile, for new steps would begin it
 * again. */
static void arrange_on(struct load *l, uint64_t deadline)
{
	struct arrangement *a = &l->arrangement;
	uint64_t now = clock_us();

	if (!a->ordered)
		a->ordered = trace_arrange_run(l->trace, deadline) == TASK_DONE;
	a->making = !a->ordered ||
		    (a->totals && trace_totals_run(l->trace, deadline) == TASK_MORE);
	a->at = clock_us();
	a->cost += a->at - now;
}

static void begin_arranging(struct load *l, bool totals)
{
	l->arrangement = (struct arrangement){
		.making = true, .totals = totals, .at = l->arrangement.at};
	arrange_on(l, clock_deadline(ARRANGE_FIRST));
}

/*
 * The arrangement is renewed when the steps have doubled, so that the sum of all is
 * linear; when there is nothing else to do, also when the last one was cheap beside the
 * time since.
 */
static void arrange_now_and_then(struct load *l, bool idle)
{
	const struct arrangement *a = &l->arrangement;
	struct trace *trace = l->trace;
	struct loader *first = l->resting.count ? l->resting.items[0]
				     : l->live.count  ? l->live.items[0]
						      : NULL;
	/* files that are followed may never end: their totals are those of what is there
	 */
	bool totals = idle && trace->totals.steps != trace->count && load_follows(l);

	if (!l->format && first) { /* by what is known so far: an event may become a log */
		const struct format *f = loader_format(first);

		trace->format = f ? f->name : trace->format;
	}
	if (a->making || (!trace_unarranged(trace) && !totals))
		return;
	if (trace->count < 2 * trace->arranged &&
		!(idle && clock_us() - a->at > 20 * a->cost))
		return;
	begin_arranging(l, totals);
}

bool load_is_arranging(const struct load *l)
{
	return l->arrangement.making;
}

/* ---- one source after the other ---- */

/* Reports each once: the first is the error while no input is readable, others are notes.
 */
static void put_unreadable(struct load *l, const struct err *err)
{
	if (l->readable || l->unreadable.text)
		inputs_add_note(l->trace->inputs, err);
	else
		err_copy(&l->unreadable, err);
}

/* A loader goes on after others: what they added is not its own, and steps before those
 * can no longer be forgotten. */
static void resume(struct load *l, struct loader *r)
{
	if (r->last_count != l->trace->count)
		r->kept = l->trace->count;
	/* a source before it took back steps, while this one had none */
	if (r->first_step > l->trace->count)
		r->first_step = l->trace->count;
}

/* A loader that is done: what it knows stays. */
static void retire(struct load *l, size_t i)
{
	static const char several[] = "several formats";
	struct loader *r = l->live.items[i];
	const struct format *f = loader_format(r);
	const char *name = f ? f->name : format_json.name;
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	bool other;

	l->again |= r->overtaken;
	log_line("%s: %s, %zu steps from %llu bytes", source_name(r->source),
		r->empty ? r->empty : name, l->trace->count - r->first_step,
		(unsigned long long)source_size(r->source));
	if (!r->empty) { /* all sources may have the same format */
		for (size_t s = r->scope; s < l->trace->scope_count; s++)
			if (inputs_number(l->trace->scopes[s].offset) ==
				inputs_number(r->base))
				l->trace->scopes[s].format = name;
		l->format = !l->format || strcmp(l->format, name) == 0 ? name : several;
		l->trace->format = l->format;
	}
	beside_find(r);
	MEM_ROOM(l->notes, l->note_cap, l->note_count + r->note_count + 1);
	for (size_t n = 0; n < r->note_count; n++)
		l->notes[l->note_count++] = (struct load_note){
			r->base + r->notes[n].offset, r->notes[n].text};
	if (loader_unreadable(r, &other, &err)) {
		l->damaged |= !other && l->trace->count > 0;
		put_unreadable(l, &err);
	} else if (!l->readable) {
		l->readable = true;
		if (l->unreadable.text)
			put_unreadable(l, &l->unreadable);
	}
	end_loader(l, r);
	l->live.count--;
	memmove(l->live.items + i, l->live.items + i + 1,
		(l->live.count - i) * sizeof(*l->live.items));
}

/* The loader that the next source waits for, or NULL.  A followed file at its end is not
 * waited for. */
static struct loader *unfinished(const struct load *l)
{
	for (size_t i = 0; i < l->live.count; i++)
		if (!source_follows(l->live.items[i]->source))
			return l->live.items[i];
	return NULL;
}

/* Begins with the next source; false: there is none, for now. */
static bool begin_next(struct load *l)
{
	while (!unfinished(l)) {
		AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
		enum inputs_status status;

		if (l->begun < inputs_count(l->trace->inputs)) {
			struct loader *r = mem_alloc(sizeof(*r));

			memset(r, 0, offsetof(struct loader, scan));
			r->trace = l->trace;
			r->source = inputs_source(l->trace->inputs, l->begun);
			r->columns = &l->columns;
			r->base = inputs_address(l->begun++);
			r->first_step = r->kept = l->trace->count;
			r->forced = l->forced;
			r->scope = loader_add_scope(r, 0);
			begin_source(r);
			*MEM_ADD(l->live.items, l->live.count, l->live.cap) = r;
			return true;
		}
		status = inputs_next(l->trace->inputs, &err);
		if (status == INPUTS_FAILED)
			put_unreadable(l, &err);
		if (status == INPUTS_WAIT || status == INPUTS_END)
			break;
	}
	return false;
}

/* Takes what is complete at the end of each source so far, though more may follow. */
static bool take_rests(struct load *l)
{
	bool any = false;

	for (size_t i = 0; i < l->live.count; i++) {
		struct loader *r = l->live.items[i];

		resume(l, r);
		if (!r->stream.active && !r->resyncing && scan_flush(&r->scan)) {
			answer_stop(r);
			any = true;
		}
		/* No item of the list is NULL. */
		/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
		r->last_count = l->trace->count;
	}
	return any;
}

/* Of ten thousand followed files few are written to: the others are not asked. */
static void rest(struct load *l)
{
	size_t kept = 0;

	for (size_t i = 0; i < l->live.count; i++) {
		struct loader *r = l->live.items[i];

		stream_show(r);
		if (!source_follows(r->source)) {
			l->live.items[kept++] = r;
			continue;
		}
		window_drop(&r->window);
		beside_find(r);
		*MEM_ADD(l->resting.items, l->resting.count, l->resting.cap) = r;
	}
	l->live.count = kept;
}

/* Those whose files have grown, or are followed no longer. */
static void wake(struct load *l)
{
	size_t kept = 0;

	for (size_t i = 0; i < l->resting.count; i++) {
		struct loader *r = l->resting.items[i];

		if (loader_waits(r))
			l->resting.items[kept++] = r;
		else
			*MEM_ADD(l->live.items, l->live.count, l->live.cap) = r;
	}
	l->resting.count = kept;
}

/* Of sources that bring nothing more for now, for they have not grown since this was
 * asked, what they brought is looked at. */
static bool go_on(struct load *l)
{
	bool any = false;
	struct loader *r;

	for (size_t i = 0; (r = loader_number(l, i)); i++) {
		uint64_t size = source_size(r->source);

		if (!loader_rests(r))
			continue;
		if (r->rested == size) {
			r->want = 0;
			any = true;
		}
		r->rested = size;
	}
	if (any)
		wake(l);
	return any;
}

bool load_rests(const struct load *l)
{
	const struct loader *r;

	for (size_t i = 0; (r = loader_number(l, i)); i++)
		if (loader_rests(r))
			return true;
	return false;
}

/* Reads on; false when nothing has come. */
static bool read_on(struct load *l, uint64_t deadline, size_t enough)
{
	size_t i = 0;

	while (i < l->live.count && loader_waits(l->live.items[i]))
		i++;
	if (i < l->live.count) {
		struct loader *r = l->live.items[i];
		enum task_state status;

		resume(l, r);
		status = loader_run(r, deadline, enough);
		r->last_count = l->trace->count;
		if (status == TASK_DONE)
			retire(l, i);
		return true;
	}
	/* a next source would add its steps before the rest of this one is added */
	if (take_rests(l))
		return true;
	rest(l);
	if (begin_next(l) || go_on(l))
		return true;
	if (l->live.count || l->resting.count || inputs_awaited(l->trace->inputs)) {
		arrange_now_and_then(l, true);
		return l->arrangement.making;
	}
	l->done = true;
	return true;
}

enum task_state load_run(struct load *l, uint64_t deadline, size_t enough)
{
	while (!l->again) {
		if (l->arrangement.making) {
			arrange_on(l, deadline);
			if (l->arrangement.making) /* time is up, or a key waits */
				return TASK_MORE;
		} else if (l->done && l->arrangement.last) {
			return TASK_DONE;
		} else if (l->done) {
			if (!l->trace->format)
				l->trace->format = format_json.name;
			begin_arranging(l, true);
			l->arrangement.last = true;
			continue;
		} else if (!read_on(l, deadline, enough)) {
			return TASK_IDLE;
		}
		if (clock_passed(deadline) || (!l->done && l->trace->count >= enough)) {
			arrange_now_and_then(l, false);
			return l->again ? TASK_FAILED : TASK_MORE;
		}
	}
	return TASK_FAILED;
}

/* ---- waiting ---- */

/* The source that holds up the others, or the archive that has not brought the next. */
static struct source *awaited(const struct load *l)
{
	const struct loader *r = unfinished(l);

	if (r)
		return r->source;
	if (l->begun < inputs_count(l->trace->inputs))
		return inputs_source(l->trace->inputs, l->begun);
	return inputs_awaited(l->trace->inputs);
}

int load_watch(const struct load *l)
{
	struct source *s = awaited(l);

	return s ? source_watch(s) : -1;
}

bool load_follows(const struct load *l)
{
	return inputs_are_followed(l->trace->inputs);
}

void load_follow(struct load *l, bool on)
{
	struct inputs *in = l->trace->inputs;
	size_t followed = 0, live = 0;
	const struct loader *r;

	inputs_follow(in, on);
	for (size_t i = 0; i < l->begun; i++)
		followed += source_follows(inputs_source(in, i));
	for (size_t i = 0; (r = loader_number(l, i)); i++)
		live += source_follows(r->source);
	l->again |= followed > live; /* whose loaders are gone */
	wake(l);
}

bool load_unpacks(const struct load *l)
{
	struct source *s = awaited(l);

	return s && source_unpacks(s);
}

bool load_pump(struct load *l, struct err *err)
{
	struct source *s = awaited(l);

	if (load_follows(l) && inputs_look(l->trace->inputs, err) == SOURCE_REWRITTEN)
		l->again = true;
	wake(l);
	return !s || source_pump(s, err);
}

enum task_state load_unpacked(struct load *l, uint64_t deadline, size_t enough)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	enum task_state status = load_run(l, deadline, enough);

	while (status == TASK_IDLE && l->trace->count < enough && load_unpacks(l) &&
		load_pump(l, &err)) {
		status = TASK_MORE;
		if (clock_passed(deadline))
			break;
		status = load_run(l, deadline, enough);
	}
	return l->trace->count >= enough ? TASK_DONE : status;
}

/* ---- the end ---- */

bool load_unreadable(const struct load *l, struct err *err)
{
	if (!l->done || l->readable)
		return false;
	err_copy(err, &l->unreadable);
	if (err->text)
		return true;
	err_source(err, inputs_name(l->trace->inputs));
	err_set(err, "no file in it holds JSON");
	return true;
}

bool load_may_be_foreign(const struct load *l)
{
	if (l->readable || l->damaged || l->resting.count)
		return false;
	for (size_t i = 0; i < l->live.count; i++) {
		const struct loader *r = l->live.items[i];
		AUTO_BUF head = BUF_INIT, what = BUF_INIT;

		/* no bytes have come, or they begin like something other than JSON */
		read_head(r, &head);
		if (!guess_other(buf_view(&head), &what) && source_size(r->source))
			return false;
	}
	return true;
}

bool load_is_words(const struct load *l)
{
	return l->words;
}

bool load_is_foreign(const struct load *l)
{
	return l->done && !l->readable && !l->damaged;
}

enum task_state load_all(struct load *l, struct err *err)
{
	enum task_state status;

	while ((status = load_run(l, UINT64_MAX, SIZE_MAX)) == TASK_IDLE) {
		struct pollfd p = {.fd = load_watch(l), .events = POLLIN};

		poll(&p, 1, load_follows(l) ? LOAD_LOOK : -1);
		if (!load_pump(l, err))
			return TASK_FAILED;
	}
	return status;
}
