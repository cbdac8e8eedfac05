/* See origin.h. */
#include "config.h"
#include "analysis/origin.h"

#include <math.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/work.h"
#include "import/open.h"
#include "json/check.h"

#define TELLING 4      /* the weight of a word that is enough alone */
#define HEAVY   6      /* ... and of two or three together */
#define ENOUGH  4      /* words of any kind */
#define PART    8      /* ... which are at least such a part of the text */
#define LONGEST 4096   /* bytes of a word; what is longer is several */
#define PIECE   262144 /* bytes of a text between two looks for a key */

/* ---- signs ---- */

enum sign { SIGN_GAP, SIGN_LETTER, SIGN_DIGIT, SIGN_LINE, SIGN_ALONE };

/* uXXXX after backslashes. */
static bool read_hex(const char *p, size_t n, unsigned *code)
{
	return n >= 5 && p[0] == 'u' && json_hex4(p + 1, p + n, code) == 4;
}

/* The next sign and its size: of backslashes, as many as the depth of JSON asks for, what
 * they escape. */
static size_t next_code(const char *p, size_t n, unsigned *code)
{
	size_t at = 0, half;
	unsigned low;
	bool valid;

	if (*p & 0x80)
		return utf8_decode(p, n, code, &valid);
	if (*p != '\\') {
		*code = (unsigned char)*p;
		return 1;
	}
	while (at < n && p[at] == '\\')
		at++;
	if (!read_hex(p + at, n - at, code)) {
		*code = ' ';
		return at + (at < n && strchr("nrtbf", p[at]) != NULL);
	}
	at += 5;
	if (*code < 0xD800 || *code >= 0xDC00)
		return at;
	for (half = at; half < n && p[half] == '\\';)
		half++;
	if (half == at || !read_hex(p + half, n - half, &low) || low < 0xDC00 ||
		low > 0xDFFF)
		return at;
	/* two are one sign */
	*code = 0x10000 + ((*code - 0xD800) << 10) + (low - 0xDC00);
	return half + 5;
}

static enum sign sign_of(unsigned c)
{
	if (c >= '0' && c <= '9')
		return SIGN_DIGIT;
	if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == 0xAA || c == 0xB5)
		return SIGN_LETTER;
	if (c == '_')
		return SIGN_LINE;
	/* scripts that set no blanks between words */
	if ((c >= 0x0E00 && c < 0x0F00) || (c >= 0x1780 && c < 0x1800) ||
		(c >= 0x2E80 && c < 0x3000) || (c >= 0x3040 && c < 0xA000) ||
		(c >= 0xF900 && c < 0xFB00) || (c >= 0x20000 && c < 0x40000))
		return SIGN_ALONE;
	if (c < 0xC0 || c == 0xD7 || c == 0xF7 || (c >= 0x2000 && c < 0x2C00) ||
		(c >= 0x3000 && c < 0x3040) || (c >= 0xFE00 && c < 0xFE70) ||
		(c >= 0xFFF0 && !(c >= 0x1F000 && c < 0x20000)))
		return SIGN_GAP;
	return SIGN_LETTER;
}

/* ---- words ---- */

struct wording_token {
	size_t from, to;
	uint64_t hash;
	unsigned letters, digits, lines; /* `_` and points in it */
	bool alone;
	bool capital; /* it begins with one */
};

static bool is_capital(unsigned c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 0xC0 && c <= 0xDE && c != 0xD7) ||
	       (c >= 0x391 && c <= 0x3A9) || (c >= 0x400 && c <= 0x42F);
}

static void hash_code(struct wording_token *w, unsigned code)
{
	if (code >= 'A' && code <= 'Z')
		code |= 0x20;
	w->hash = (w->hash ^ code) * 1099511628211u;
}

/* A point between two digits belongs to the number, a comma in thousands to nothing. */
static bool joins_digits(const char *p, size_t n, char c)
{
	if (c == '.')
		return n > 1 && str_is_digit(p[1]);
	return n > 3 && str_is_digit(p[1]) && str_is_digit(p[2]) && str_is_digit(p[3]) &&
	       !(n > 4 && str_is_digit(p[4]));
}

/* Reads a word that begins at `from`. */
static void read_word(struct str text, size_t from, struct wording_token *w)
{
	unsigned code, lines = 0;
	size_t at = from;

	*w = (struct wording_token){.from = from, .to = from, .hash = FNV_BEGIN};
	while (at < text.n && at - from < LONGEST) {
		char c = text.p[at];
		size_t n;
		enum sign s;

		if ((c == '.' || c == ',') && w->digits && w->to == at &&
			str_is_digit(text.p[at - 1]) &&
			joins_digits(text.p + at, text.n - at, c)) {
			if (c == '.')
				hash_code(w, '.');
			w->lines += c == '.' && !w->letters;
			w->to = ++at;
			continue;
		}
		n = next_code(text.p + at, text.n - at, &code);
		s = sign_of(code);
		if (s == SIGN_GAP || (s == SIGN_ALONE && w->to > from))
			return;
		at += n;
		if (s == SIGN_LINE) { /* counts if more of the word follows */
			lines++;
			continue;
		}
		w->capital |= !w->letters && !w->digits && is_capital(code);
		for (; lines; lines--, w->lines++)
			hash_code(w, '_');
		hash_code(w, code);
		w->letters += s != SIGN_DIGIT;
		w->digits += s == SIGN_DIGIT;
		w->to = at;
		if (s == SIGN_ALONE) {
			w->alone = true;
			return;
		}
	}
}

/* The next word from *at on, which moves behind it; false at the end. */
static bool take_word(struct str text, size_t *at, struct wording_token *w)
{
	while (*at < text.n) {
		unsigned code;
		size_t n = next_code(text.p + *at, text.n - *at, &code);
		enum sign s = sign_of(code);

		if (s == SIGN_GAP || s == SIGN_LINE) {
			*at += n;
			continue;
		}
		read_word(text, *at, w);
		*at = w->to;
		return true;
	}
	return false;
}

static unsigned weight_of(struct str text, const struct wording_token *w)
{
	size_t from = w->from;
	bool name;

	while (w->capital && from &&
		(str_is_space(text.p[from - 1]) || strchr("*`\"'(#", text.p[from - 1])))
		from--;
	/* no sentence begins with the word */
	name = w->capital && from && !strchr(".!?:>-|", text.p[from - 1]);
	if (w->alone)
		return 1;
	if (w->digits && (w->letters || w->lines))
		return 5;
	if (w->digits)
		return w->digits > 2 ? 4 : w->digits;
	if (w->lines || (name && w->letters > 3))
		return 4;
	if (name)
		return 3;
	return w->letters > 7 ? 3 : w->letters > 3 ? 2 : 1;
}

void wording_begin(struct wording *w, struct str text)
{
	struct wording_token word;
	size_t at = 0;

	w->text = text;
	w->count = 0;
	w->places = (struct idmap){0};
	while (w->count < WORDING_MOST && take_word(text, &at, &word))
		w->words[w->count++] = (struct wording_word){
			word.hash, word.from, word.to, weight_of(text, &word), MAP_NONE};
	/* the map keeps the first value: the last place goes in first */
	for (uint32_t i = w->count; i-- > 0;) {
		uint32_t later = idmap_find(&w->places, w->words[i].hash);

		if (later == MAP_NONE) {
			idmap_add(&w->places, w->words[i].hash, i);
			continue;
		}
		while (w->words[later].before != MAP_NONE)
			later = w->words[later].before;
		w->words[later].before = i;
	}
}

void wording_done(struct wording *w)
{
	idmap_done(&w->places);
}

/* ---- runs ---- */

bool wording_is_telling(const struct wording *w, const struct wording_run *run)
{
	if (run->count && run->count == w->count)
		return true;
	if ((run->count >= ENOUGH || (run->count > 1 && run->weight >= HEAVY)) &&
		run->count * PART >= w->count)
		return true;
	for (uint32_t i = run->first; i < run->first + run->count; i++)
		if (w->words[i].weight >= TELLING)
			return true;
	return false;
}

struct str wording_text(const struct wording *w, const struct wording_run *run)
{
	size_t from, to;

	if (!run->count)
		return (struct str){"", 0};
	from = w->words[run->first].from;
	to = w->words[run->first + run->count - 1].to;
	return (struct str){w->text.p + from, to - from};
}

void wording_pattern(const struct wording *w, const struct wording_run *run, size_t most,
	struct buf *out)
{
	for (uint32_t i = run->first; i < run->first + run->count; i++) {
		const struct wording_word *word = &w->words[i];
		size_t n = word->to - word->from;

		if (i > run->first && out->len + 2 * n + 8 > most)
			return;
		if (i > run->first)
			buf_text(out, "[\\W_]*");
		for (size_t k = word->from; k < word->to; k++) {
			if (w->text.p[k] == '.' || w->text.p[k] == '\\')
				buf_byte(out, '\\');
			buf_byte(out, w->text.p[k]);
		}
	}
}

void wording_look(struct wording_look *l, struct str text)
{
	const struct wording *w = l->wording;
	size_t at = 0, told = 0;
	struct wording_token word;

	l->number += 2; /* no run goes on */
	while (take_word(text, &at, &word)) {
		uint32_t i = idmap_find(&w->places, word.hash);

		l->number++;
		/* at each of its places it goes on with the run of the word before it */
		for (; i != MAP_NONE; i = w->words[i].before) {
			bool goes_on = i && l->seen[i - 1] == l->number - 1;
			uint32_t count = goes_on ? l->length[i - 1] + 1 : 1,
				 first = i + 1 - count;
			unsigned weight = 0;

			l->length[i] = count;
			l->seen[i] = l->number;
			for (uint32_t k = first; k <= i; k++)
				weight += w->words[k].weight;
			if (weight > l->best.weight)
				l->best = (struct wording_run){first, count, weight};
		}
		if (at - told < PIECE)
			continue;
		if (stop_wanted(at - told))
			break;
		told = at;
	}
	count_work(WORK_WALK, at);
}

/* ---- the first place of a text ---- */

/* A side of a step is said; of most both are one event. */
struct origin_event {
	uint32_t step;
	bool input, output;
};

/* ---- the order of time ---- */

static void add_event(struct origin *o, uint32_t step, bool input, bool output)
{
	*MEM_ADD(o->events, o->count, o->cap) =
		(struct origin_event){step, input, output};
}

/* Steps that are open at a position, by depth. */
struct open_steps {
	uint32_t *steps;
	size_t count, cap;
};

/* Those of that depth or deeper are over: they answer, the deepest first. */
static void leave_steps(struct origin *o, struct open_steps *open, uint32_t depth)
{
	while (open->count > depth) {
		uint32_t step = open->steps[--open->count];

		if (step != NO_STEP)
			add_event(o, step, false, true);
	}
}

/* The positions [first, end) of a chain; then those of that depth or deeper are over. */
static void add_steps(
	struct origin *o, const struct chain *c, size_t end, uint32_t over, double than)
{
	const struct trace *trace = o->trace;
	struct open_steps open = {0};

	for (size_t i = c->first; i < end; i++) {
		uint32_t step = trace_at(trace, i), depth = trace_depth(trace, i);
		bool outer = trace_has_below(trace, i);

		leave_steps(o, &open, depth);
		/* a step whose own event has its answer leaves a gap */
		MEM_ROOM(open.steps, open.cap, (size_t)depth + 1);
		while (open.count < depth)
			open.steps[open.count++] = NO_STEP;
		open.steps[open.count++] = outer ? step : NO_STEP;
		if (!(trace_step(trace, step).timestamp > than))
			add_event(o, step, true, !outer);
	}
	leave_steps(o, &open, over);
	mem_free(open.steps);
}

/* ---- begin and end ---- */

struct origin *origin_new(
	struct trace *trace, const struct step_part *here, struct str text)
{
	struct origin *o = mem_zalloc(1, sizeof(*o));
	size_t position = trace_position(trace, here->step);
	const struct chain *c = &trace->chains[trace_chain_at(trace, position)];
	uint32_t depth = trace_depth(trace, position);

	o->trace = trace;
	o->here = *here;
	o->found.step = NO_STEP;
	buf_str(&o->text, text);
	wording_begin(&o->wording, buf_view(&o->text));
	o->look.wording = &o->wording;
	/* what a step with others below it answers comes after those */
	if (!here->input && trace_has_below(trace, position)) {
		add_steps(o, c, trace_subtree_end(trace, position), depth, NAN);
	} else {
		add_steps(o, c, position, depth, NAN);
		add_event(o, here->step, true, !here->input);
	}
	o->own = o->count;
	return o;
}

void origin_free(struct origin *o)
{
	if (!o)
		return;
	wording_done(&o->wording);
	idmap_done(&o->seen);
	context_names_done(&o->names);
	buf_done(&o->name);
	buf_done(&o->text);
	mem_free(o->events);
	mem_free(o);
}

/* ---- an item ---- */

/* The message that was asked from, and what comes after it, is not before it. */
static bool is_here(const struct origin *o, const struct context_item *item)
{
	if (o->events[o->next].step != o->here.step)
		return false;
	if (item->input != o->here.input)
		return item->input < o->here.input;
	if (item->message == SIZE_MAX)
		return item->kind != CONTEXT_TOOLS; /* definitions come first */
	return o->here.message == SIZE_MAX || item->message >= o->here.message;
}

static bool is_whole(const struct origin *o)
{
	return o->look.best.count && o->look.best.count == o->wording.count;
}

/* What was found stays when the step is begun again: it is found there once more. */
static bool look_at_item(void *ctx, const struct context_item *item)
{
	struct origin *o = ctx;
	const struct origin_event *e = &o->events[o->next];
	struct wording_run before = o->look.best;
	size_t leaves = item->text.p ? 1 : item->leaf_count;
	struct str name = context_name(&o->names, item); /* results name their calls */

	if (!(item->input ? e->input : e->output) || item->kind == CONTEXT_MEDIA ||
		is_here(o, item))
		return !is_whole(o);
	for (size_t i = 0; i < leaves; i++) {
		wording_look(
			&o->look, item->text.p ? item->text : jv_raw(item->leaves[i]));
		if (o->look.best.weight <= before.weight)
			continue;
		o->found = (struct step_part){
			e->step, item->input, item->message, item->part};
		o->kind = item->kind;
		o->elsewhere = o->next >= o->own;
		buf_set(&o->name, name);
	}
	return !is_whole(o);
}

/* ---- steps ---- */

static void look_at_step(void *ctx, struct step_content *opened)
{
	struct origin *o = ctx;
	const struct origin_event *e = &o->events[o->next];
	bool skips = e->step != o->here.step && e->input;

	context_items_each(opened, e->output, skips ? &o->seen : NULL, look_at_item, o);
}

/* Whether there are no more steps to go through. */
static bool is_over(struct origin *o)
{
	const struct trace *trace = o->trace;
	struct step here = trace_step(trace, o->here.step);

	if (o->next < o->count)
		return false;
	if (o->count > o->own || origin_is_found(o))
		return true;
	for (uint32_t i = 0; i < trace->chain_count; i++) {
		const struct chain *c = &trace->chains[i];

		if (i != here.chain)
			add_steps(o, c, c->first + c->count, 0, here.timestamp);
	}
	return o->next >= o->count;
}

enum task_state origin_run(struct origin *o, uint64_t deadline)
{
	while (o->wording.count && !is_whole(o) && !is_over(o)) {
		count_work(WORK_STEPS, 1);
		if (!step_content_with(
			    o->trace, o->events[o->next].step, look_at_step, o))
			return TASK_MORE;
		o->next++;
		if (clock_passed(deadline))
			return TASK_MORE;
	}
	return TASK_DONE;
}

unsigned origin_percent(const struct origin *o)
{
	return o->count ? (unsigned)(o->next * 100 / o->count) : 0;
}

bool origin_is_found(const struct origin *o)
{
	return wording_is_telling(&o->wording, &o->look.best);
}
