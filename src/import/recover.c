/*
 * When the scan stops: a fault in an array of steps costs that step, one in a file of
 * lines that line, any other the rest of the file; what the end of the text cuts is kept
 * as far as it goes.
 */
#include "config.h"
#include "import/loader.h"

#include "base/mem.h"
#include "import/opening.h"
#include "json/cursor.h"
#include "json/check.h"

/* ---- the next step ---- */

#define WINDOW_FIRST (16u * 1024) /* a broken step's sibling is near */
#define WINDOW_MOST  (256u * 1024)
#define LIKE         4096       /* bytes in which the keys of a step are looked for */
#define OVERLAP      (2 * LIKE) /* a separator with the keys after it is shorter */
#define KEYS         8

static const char *skip_space(const char *p, const char *end)
{
	while (p < end && str_is_space(*p))
		p++;
	return p;
}

/* The raw texts of the first keys of an object, as far as the text goes. */
static size_t first_keys(struct str text, struct str keys[KEYS])
{
	size_t n = 0;

	JV_PAIRS(key, value, jv_parse(text)) {
		if (n == KEYS || key.kind != J_STRING || key.cut)
			break;
		keys[n++] = jv_raw(key);
	}
	return n;
}

/* Whether the object at p has the first key of `like`, and one of its others if it has
 * any. */
static bool is_like(const struct resync *r, const char *p, const char *end)
{
	struct str ours[KEYS], theirs[KEYS];
	size_t known = first_keys(buf_view(&r->like), ours), n;

	if (!known)
		return true;
	if ((size_t)(end - p) > LIKE)
		end = p + LIKE;
	n = first_keys((struct str){p, (size_t)(end - p)}, theirs);
	if (!n || !str_equal(ours[0], theirs[0]))
		return false;
	for (size_t i = 1; i < n; i++)
		for (size_t j = 1; j < known; j++)
			if (str_equal(theirs[i], ours[j]))
				return true;
	return known == 1 || n == 1;
}

/* The sibling's opener when there is a separator at p, else NULL. */
static const char *separator(const struct resync *r, const char *p, const char *end)
{
	const char *opener;

	p = skip_space(p + 1, end);
	if (p == end || *p != ',')
		return NULL;
	opener = skip_space(p + 1, end);
	if (opener == end || *opener != r->opener)
		return NULL;
	p = skip_space(opener + 1, end);
	if (p == end || *p != '"')
		return NULL;
	return r->opener == '[' || is_like(r, opener, end) ? opener : NULL;
}

bool resync_waits(const struct loader *l)
{
	return !source_complete(l->source) &&
	       source_size(l->source) <= l->resync.at + OVERLAP;
}

/* The depth of the innermost array of steps that is open, or 0. */
static unsigned items_depth(const struct loader *l)
{
	for (unsigned d = l->scan.depth; d > 0; d--)
		if (l->roles[d] == IN_ITEMS)
			return d;
	return 0;
}

/* Where the value begins that is open below `depth`. */
static uint64_t open_start(const struct loader *l, unsigned depth, uint64_t otherwise)
{
	struct scan_item now = l->scan.now;

	if (l->scan.depth > depth)
		return l->scan.frames[depth + 1].item.start;
	return now.kind != J_NONE ? now.start : otherwise;
}

/* Several lines, of which the first is cut: the second is a value by itself. */
static bool looks_like_lines(struct loader *l, uint64_t start)
{
	uint64_t end, from;
	struct str last;

	if (l->not_lines)
		return false;
	end = loader_line_end(l, start);
	if (!loader_at_hand(l, end + 2))
		return false;
	from = end - start > 256 ? end - 256 : start;
	last = str_trim(loader_fetch(l, from, end - from));
	if (last.n && !strchr("[:,", last.p[last.n - 1]) &&
		peek_line_is_value(l, end + 1))
		return true;
	l->not_lines = !l->starved;
	return false;
}

/* The end of the line of the fault; of a value over several lines, that before the next
 * value's. */
static uint64_t broken_end(struct loader *l, uint64_t start, uint64_t fault)
{
	uint64_t end = loader_line_end(l, start > fault ? start : fault);

	if (loader_line_end(l, start) >= fault)
		return end;
	while (loader_at_hand(l, end + 2) && end < source_size(l->source) &&
		!loader_value_follows(l, end))
		end = loader_line_end(l, end + 1);
	return end;
}

/* Text that is no JSON: [start, end). */
static void add_broken(struct loader *l, uint32_t scope, uint64_t start, uint64_t end)
{
	loader_add(l, scope, start, end)->flags |= STEP_BROKEN | STEP_BARE | STEP_CHECKED;
	trace_append(l->trace);
}

/* The whole file as one raw step: nothing in it was JSON. */
void recover_not_at_all(struct loader *l)
{
	loader_truncate(l, l->first_step, l->scope + 1);
	add_broken(l, l->scope, 0, source_size(l->source));
	l->note_count = l->note_count ? 1 : 0;
	l->level = 0;
	l->done = true;
}

/* The broken line becomes a row; the scan goes on after it. */
static void recover_line(struct loader *l, uint64_t start, uint64_t end)
{
	if (l->line.scalar && l->line.at < start &&
		loader_line_end(l, l->line.at) == end) {
		loader_truncate(l, l->line.steps, SIZE_MAX);
		l->junk_only = l->line.junk_only;
		start = l->line.at;
	}
	loader_note(l, l->scan.fault_at, l->scan.fault);
	/* what follows the only value belongs to its chain */
	add_broken(l, l->lines ? l->scope : l->last_scope, start, end);
	l->level = 0;
	l->again.active = false;
	l->last_end = end;
	l->values++;
	l->junk_lines++;
	loader_seek(l, end, 0);
}

/* The offset after the last step that was read of the value at `start`. */
static uint64_t unread(const struct loader *l, uint64_t start)
{
	struct step last;
	size_t i;

	if (!loader_last_step(l, &i))
		return start;
	last = trace_step(l->trace, i);
	return last.offset >= l->base + start ? last.offset - l->base + last.length
					      : start;
}

static void start_resync(struct loader *l, unsigned depth)
{
	uint64_t start = open_start(l, depth, l->scan.fault_at), like = start, end;
	/* the document at hand, which may be one of several in a box */
	unsigned top = l->described.active ? l->described.base + 1 : 1;
	const struct candidate *array;
	char opener = '{';
	size_t n;

	loader_note(l, l->scan.fault_at, l->scan.fault);
	/* gives up the candidates inside the array of steps at `depth` */
	l->level = 0;
	for (unsigned d = 1; d <= depth; d++)
		l->level += l->roles[d] == IN_OBJECT || l->roles[d] == IN_ROW ||
			    (l->roles[d] == IN_ITEMS && d == top);
	array = loader_candidate(l);
	source_read(l->source, start, &opener, 1);
	/* [like, end): the object whose keys the sibling must have */
	end = l->scan.fault_at > start ? l->scan.fault_at : start;
	if (array && l->trace->count > array->first_step) {
		struct step first = trace_step(l->trace, array->first_step);

		if (first.scope == array->scope &&
			!(first.flags & (STEP_STRANGER | STEP_BROKEN))) {
			like = first.offset - l->base;
			end = like + first.length;
		}
	}
	l->resync = (struct resync){.start = start,
		.at = start + 1,
		.window = WINDOW_FIRST,
		.depth = depth,
		.opener = opener == '[' ? '[' : '{'};
	l->resyncing = l->resynced = true;
	if (opener == '[')
		return;
	n = end - like < LIKE ? (size_t)(end - like) : LIKE;
	buf_reserve(&l->resync.like, n);
	l->resync.like.len = source_read(l->source, like, l->resync.like.data, n);
}

static void finish_chain(struct loader *l)
{
	if (l->described.active) {
		l->level = 1;
		described_scope(l, 0);
		if (!l->first_format)
			l->first_format = &l->described.active->format;
		l->level = 0;
		return;
	}
	for (; l->level; l->level--)
		if (loader_candidate(l)->carrier != CARRIER_VALUE)
			candidate_scope(loader_candidate(l), l->level > 1);
	if (l->first_format)
		return;
	l->first_format = candidate_format(&l->candidates[0], false);
}

void recover_resync(struct loader *l)
{
	const struct candidate *array = loader_candidate(l);
	struct resync *r = &l->resync;
	struct str window = loader_fetch(l, r->at, r->window);
	const char *p = window.p, *end = window.p + window.n, *opener = NULL;
	char closer = r->opener == '{' ? '}' : ']';
	bool last = window.n < r->window && source_complete(l->source);
	const char *until = last ? end : end - (window.n < OVERLAP ? window.n : OVERLAP);
	uint64_t broken_to = source_size(l->source), next = 0;

	while (!opener && p < until && (p = memchr(p, closer, (size_t)(until - p)))) {
		opener = separator(r, p, end);
		p++;
	}
	if (opener) {
		broken_to = r->at + (uint64_t)(p - window.p);
		next = r->at + (uint64_t)(opener - window.p);
	}
	r->at += (uint64_t)(until - window.p);
	r->window = r->window < WINDOW_MOST ? 4 * r->window : r->window;
	if (!opener && !last)
		return;
	l->resyncing = false;
	buf_done(&r->like);
	add_broken(l, array ? array->scope : l->scope, unread(l, r->start), broken_to);
	if (opener) {
		loader_seek(l, next, r->depth);
		return;
	}
	finish_chain(l);
	l->done = true;
}

/* A value that is neither lines nor steps is broken to the end of the file, after the
 * steps it had. */
static void recover_rest(struct loader *l, uint64_t start)
{
	bool carried = l->level && l->candidates[0].carrier != CARRIER_VALUE;

	loader_note(l, l->scan.fault_at, l->scan.fault);
	add_broken(l, carried ? l->candidates[0].scope : l->scope, unread(l, start),
		source_size(l->source));
	if (carried)
		finish_chain(l);
	if (!l->first_format)
		l->first_format = &format_json;
	l->level = 0;
	l->done = true;
}

/*
 * How to go on after a fault.  What depends on bytes that are still to come is decided
 * when they are there: nothing changes before.
 */
void recover_fault(struct loader *l)
{
	unsigned depth = items_depth(l);
	uint64_t start = open_start(l, 0, l->scan.fault_at), end;
	bool inside = l->scan.depth || l->scan.now.kind != J_NONE;
	bool first = !l->lines && !l->values && looks_like_lines(l, start);
	bool line =
		first || l->lines || (l->values && !l->resynced) || (!depth && !inside);

	end = first  ? loader_line_end(l, start)
	      : line ? broken_end(l, start, l->scan.fault_at)
		     : 0;
	if (!line && !depth)
		loader_at_hand(l, UINT64_MAX);
	if (l->junk_only && l->junk_lines >= 99 && line)
		loader_at_hand(l, UINT64_MAX);
	if (l->starved) {
		loader_wait(l, start);
		return;
	}
	l->want = 0; /* what was fed behind the fault is read again */
	if (first) {
		l->lines = true;
		l->scan.ops = &collect_lines;
		l->scan.fault_at = end;
		l->scan.fault = "the line ends inside a value";
	}
	if (line) {
		loader_forget_value(l);
		recover_line(l, start, end);
		if (l->junk_only && l->junk_lines >= 100)
			recover_not_at_all(l);
	} else if (depth) {
		start_resync(l, depth);
	} else {
		recover_rest(l, start);
	}
}

/* What is there of the value that is open when its text ends is kept and marked. */
static void add_cut(struct loader *l, uint64_t end, const char *fault)
{
	unsigned depth = items_depth(l);
	uint64_t start = open_start(l, depth, end);
	struct candidate *c = loader_candidate(l);

	loader_note(l, end, fault);
	l->values++;
	if (l->described.active) {
		/* the open steps all end with the text */
		for (; l->level > 1; l->level--) {
			described_end_step(l, end, STEP_CUT);
			l->described.items++;
		}
		described_end(l, end, STEP_CUT);
		l->described.active = NULL;
		l->level = 0;
		l->junk_only = false;
		return;
	}
	if (depth && l->level > 1 && c->start == start && c->carrier == CARRIER_VALUE) {
		loader_add_candidate(
			l, c, c[-1].scope, end, STEP_CUT | (c->row ? STEP_ROW : 0u));
	} else if (depth && start < end) {
		if (unread(l, start) == start)
			loader_add_bare(
				l, c->scope, start, end, STEP_CUT | STEP_STRANGER);
	} else if (!depth && c && c->carrier == CARRIER_VALUE) {
		const struct format *format;

		c->end = end;
		format = collect_judge(l, c);
		collect_add_value(l, c, format, end);
		trace_flag(l->trace, l->trace->count - 1, STEP_CUT);
		if (!l->first_format)
			l->first_format = format;
	} else if (!depth && !c && start < end) {
		loader_add_bare(l, l->scope, start, end, STEP_CUT);
	}
	finish_chain(l);
}

void recover_cut(struct loader *l)
{
	unsigned depth = items_depth(l);
	uint64_t end = source_size(l->source), start = open_start(l, depth, end);

	if (!depth && !l->lines && !l->values && looks_like_lines(l, start)) {
		recover_fault(l);
		return;
	}
	if (l->values && !l->lines && collect_on_own_line(l, open_start(l, 0, end))) {
		collect_become_lines(l);
		if (l->again.wanted)
			return;
	}
	add_cut(l, end, "the file ends inside a value");
	l->done = true;
}

/* A line ends inside a value, and on the next one another begins. */
void recover_cut_line(struct loader *l)
{
	uint64_t end = l->scan.fault_at;

	if (!l->lines) {
		collect_become_lines(l);
		if (l->again.wanted)
			return;
	}
	add_cut(l, end, l->scan.fault);
	l->again.active = false;
	l->last_end = end;
	loader_seek(l, end, 0);
}

/* ---- written by hand ---- */

/* bytes: a smaller source is tried although nothing was found wrong */
#define BY_HAND (1u << 20)

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

/* A file of words that was named itself is one step, as a conversation of one message. */
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
	AUTO_BUF out = BUF_INIT, note = BUF_INIT;
	struct json_report report = {0};
	uint64_t size = source_size(l->source);
	struct str text;
	/* a value of no format is read as a whole anyway; perhaps a comment hid it */
	bool doubtful = l->note_count || loader_format(l) == &format_json;
	bool mended = false;

	if (l->mended || l->stream.seen || l->overtaken || l->kept > l->first_step ||
		!source_complete(l->source) || size > (doubtful ? MEND_MOST : BY_HAND))
		return false;
	l->mended = true;
	text = loader_fetch(l, 0, size);
	if (l->note_count || json_hand_made(text)) {
		json_mend(text, &out, &report);
		if (report.verdict == VERDICT_BROKEN && l->lines) {
			buf_clear(&out);
			json_mend_lines(text, &out, &report);
		}
		mended = report.verdict == VERDICT_TOLERATED;
	}
	l->words = !mended && take_words(l, text, &out);
	if (l->words)
		buf_text(&note, "is not JSON; its text is one step");
	else if (mended)
		json_report_text(&report, &note);
	if (note.len) {
		window_drop(&l->window);
		source_mend(l->source, &out, l->words ? 0 : report.offset, note.data);
	}
	return mended || l->words;
}

bool step_mend(
	uint32_t flags, struct str *text, struct json_report *report, struct arena *arena)
{
	AUTO_BUF out = BUF_INIT;
	struct json_report mended, judged;

	if (report->verdict != VERDICT_BROKEN || flags & (STEP_BROKEN | STEP_CUT) ||
		text->n > MEND_MOST)
		return false;
	json_mend(*text, &out, &mended);
	if (mended.verdict != VERDICT_TOLERATED)
		return false;
	json_check_keys(buf_view(&out), NULL, &judged);
	if (judged.verdict == VERDICT_BROKEN)
		return false;
	*text = arena_dup(arena, buf_view(&out));
	*report = mended;
	report->duplicates = judged.duplicates;
	memcpy(report->twice, judged.twice, sizeof(judged.twice));
	return true;
}
