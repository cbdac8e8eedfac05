/*
 * Patterns: see pattern.h.
 *
 * PCRE2 counts backtracking for each place at which a match may start, and one step of it
 * may scan the whole text: neither limit nor text length alone bounds a match.  So the
 * limit falls as the text grows, and an unanchored search goes on by windows of starts so
 * small that one never takes long, with a look at the clock between two.  (PCRE2 offers
 * no other way in: callouts come between the items of a pattern, not while one scans.)
 *
 * JIT code keeps its backtracking on a small stack; when that is full the interpreter,
 * whose memory has a limit of its own, repeats the search.
 *
 * pattern_find expects a harmless pattern: it tries many starts at once with few steps
 * for each.  Where that gives up it repeats those starts a few at a time, with many
 * steps.
 */
#include "config.h"
#include "base/pattern.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/work.h"

#define PARENS_NESTED 100
#define STEPS_MOST    100000 /* of backtracking, for one start */
#define STEPS_LEAST   50
#define DEPTH         100000 /* interpreter only */
#define HEAP_KIB      10240  /* interpreter only */

/* Steps times bytes of the text, about: for one start, for a start among many, and for
 * all the starts of a window. */
#define ONE_START     4000000000u
#define START_OF_MANY 250000000u
#define WINDOW        4000000000u
#define WINDOW_LEAST  16 /* starts */

#define SEARCH_LONGEST 1000000 /* microseconds */

/* pattern_find: starts at once and steps for each, while all goes well and where not. */
#define FIND_STARTS 4096
#define FIND_STEPS  200
#define FIND_FEW    16
#define FIND_MANY   20000
#define FIND_STACK  (1u << 20) /* bytes, of JIT code */

struct pattern {
	pcre2_general_context *memory;
	pcre2_code *code;
	pcre2_match_context *limits;
	pcre2_match_data *found; /* of a search, and its stack; else NULL */
	pcre2_jit_stack *stack;
	bool anchored;
	bool lines;   /* a match can only start at the beginning of a line: .*x */
	bool literal; /* of a search */
};

static void *pattern_alloc(size_t size, void *ctx)
{
	return mem_alloc(size);
}

static void pattern_release(void *memory, void *ctx)
{
	mem_free(memory);
}

static struct pattern *new_with(struct str text, uint32_t options, struct err *err)
{
	struct pattern *p = mem_zalloc(1, sizeof(*p));
	PCRE2_UCHAR message[256]; /* PCRE2's own messages are shorter */
	pcre2_compile_context *context;
	size_t offset = 0;
	int error = 0;

	p->memory = pcre2_general_context_create(pattern_alloc, pattern_release, NULL);
	context = pcre2_compile_context_create(p->memory);
	if (!(options & PCRE2_LITERAL))
		pcre2_set_compile_extra_options(context, PCRE2_EXTRA_ALT_BSUX);
	pcre2_set_newline(context, PCRE2_NEWLINE_ANYCRLF);
	pcre2_set_max_pattern_length(context, PATTERN_LENGTH);
	pcre2_set_parens_nest_limit(context, PARENS_NESTED);
	p->code = pcre2_compile((PCRE2_SPTR)(text.n ? text.p : ""), text.n, options,
		&error, &offset, context);
	pcre2_compile_context_free(context);
	if (!p->code) {
		if (err && pcre2_get_error_message(error, message, sizeof(message)) < 0)
			err_at(err, offset, "error %d of PCRE2", error);
		else if (err)
			err_at(err, offset, "%s", (const char *)message);
		pattern_free(p);
		return NULL;
	}
	pcre2_jit_compile(p->code, PCRE2_JIT_COMPLETE); /* or else without */
	p->limits = pcre2_match_context_create(p->memory);
	pcre2_set_depth_limit(p->limits, DEPTH);
	pcre2_set_heap_limit(p->limits, HEAP_KIB);
	return p;
}

struct pattern *pattern_new(struct str text, struct err *err)
{
	const uint32_t dialect = PCRE2_UTF | PCRE2_NEVER_UCP | PCRE2_NEVER_BACKSLASH_C |
				 PCRE2_DOLLAR_ENDONLY | PCRE2_ALLOW_EMPTY_CLASS |
				 PCRE2_MATCH_UNSET_BACKREF | PCRE2_USE_OFFSET_LIMIT;
	struct pattern *p = new_with(text, dialect, err);
	uint32_t options = 0, first = 0, newline = 0;

	if (!p)
		return NULL;
	pcre2_pattern_info(p->code, PCRE2_INFO_ALLOPTIONS, &options);
	pcre2_pattern_info(p->code, PCRE2_INFO_FIRSTCODETYPE, &first);
	p->anchored = options & PCRE2_ANCHORED;
	pcre2_pattern_info(p->code, PCRE2_INFO_NEWLINE, &newline);
	p->lines = first == 2 && newline == PCRE2_NEWLINE_ANYCRLF;
	return p;
}

void pattern_free(struct pattern *p)
{
	if (!p)
		return;
	pcre2_match_data_free(p->found);
	pcre2_jit_stack_free(p->stack);
	pcre2_match_context_free(p->limits);
	pcre2_code_free(p->code);
	pcre2_general_context_free(p->memory);
	mem_free(p);
}

size_t pattern_size(const struct pattern *p)
{
	size_t code = 0, translated = 0;

	pcre2_pattern_info(p->code, PCRE2_INFO_SIZE, &code);
	pcre2_pattern_info(p->code, PCRE2_INFO_JITSIZE, &translated);
	return sizeof(*p) + code + translated;
}

struct pattern_search {
	const struct pattern *p;
	struct str text;
	uint32_t options; /* of pcre2_match */
	pcre2_match_data *data;
};

/* Looks for a match that starts in [from, last], with so many steps for each start.  With
 * `retry` the interpreter repeats a search for which the stack of JIT code was too small.
 */
static enum pattern_result match_range(const struct pattern_search *s, size_t from,
	size_t last, uint32_t steps, bool retry)
{
	const struct pattern *p = s->p;
	PCRE2_SPTR subject = (PCRE2_SPTR)(s->text.n ? s->text.p : "");
	int rc;

	pcre2_set_match_limit(p->limits, steps);
	pcre2_set_offset_limit(p->limits, last);
	rc = pcre2_match(
		p->code, subject, s->text.n, from, s->options, s->data, p->limits);
	if (rc == PCRE2_ERROR_JIT_STACKLIMIT && retry)
		rc = pcre2_match(p->code, subject, s->text.n, from,
			s->options | PCRE2_NO_JIT, s->data, p->limits);
	if (rc >= 0)
		return PATTERN_YES;
	return rc == PCRE2_ERROR_NOMATCH ? PATTERN_NO : PATTERN_GAVE_UP;
}

/* Where a character begins that may begin in [at, to). */
static size_t character_start(struct str text, size_t at, size_t to)
{
	while (at < to && ((unsigned char)text.p[at] & 0xC0) == 0x80)
		at++;
	return at;
}

/* Looks for a match anywhere in the text, by windows of so many starts. */
static enum pattern_result match_windows(
	const struct pattern_search *s, size_t window, uint32_t steps)
{
	const struct str text = s->text;
	const uint64_t deadline = clock_deadline(SEARCH_LONGEST);
	enum pattern_result result = PATTERN_NO;
	size_t from = 0;

	if (s->p->lines)
		window = 1;
	while (result == PATTERN_NO && text.n - from >= window) {
		result = match_range(s, from, from + window - 1, steps, true);
		from = character_start(text, from + window, text.n);
		while (s->p->lines && from < text.n && text.p[from - 1] != '\n' &&
			text.p[from - 1] != '\r')
			from++;
		if (result == PATTERN_NO && clock_passed(deadline))
			result = PATTERN_GAVE_UP;
	}
	if (result != PATTERN_NO)
		return result;
	return match_range(s, from, text.n, steps, true);
}

static size_t between(size_t value, size_t least, size_t most)
{
	if (value < least)
		return least;
	return value > most ? most : value;
}

enum pattern_result pattern_match(const struct pattern *p, struct str text)
{
	struct pattern_search s = {.p = p, .text = text, .options = PCRE2_NO_UTF_CHECK};
	size_t most = p->anchored ? ONE_START : START_OF_MANY, steps, window;
	enum pattern_result result;

	if (utf8_valid_prefix(text.p, text.n) != text.n)
		return PATTERN_NO;
	steps = between(most / (text.n + 1), STEPS_LEAST, STEPS_MOST);
	window = between(WINDOW / (steps * (text.n + 1)), WINDOW_LEAST, SIZE_MAX);
	/* New each time: it keeps what memory the interpreter needed. */
	s.data = pcre2_match_data_create(1, p->memory);
	if (p->anchored)
		result = match_range(&s, 0, text.n, (uint32_t)steps, true);
	else
		result = match_windows(&s, window, (uint32_t)steps);
	pcre2_match_data_free(s.data);
	return result;
}

/* ---- finding places in texts ---- */

struct pattern *pattern_new_search(struct str text, unsigned flags, struct err *err)
{
	const bool literal = flags & PATTERN_LITERAL;
	const uint32_t meant = PCRE2_UCP | PCRE2_MULTILINE | PCRE2_NEVER_BACKSLASH_C;
	struct pattern *p;

	p = new_with(text,
		PCRE2_UTF | PCRE2_USE_OFFSET_LIMIT | (literal ? PCRE2_LITERAL : meant) |
			(flags & PATTERN_CASELESS ? PCRE2_CASELESS : 0),
		err);
	if (!p)
		return NULL;
	p->literal = literal;
	p->found = pcre2_match_data_create(1, p->memory);
	if (!literal) {
		p->stack = pcre2_jit_stack_create(32 * 1024, FIND_STACK, p->memory);
		pcre2_jit_stack_assign(p->limits, NULL, p->stack);
	}
	return p;
}

/* Tries a range a few starts at a time.  *from becomes the first start that was not
 * tried. */
static enum pattern_result try_slowly(
	const struct pattern_search *s, size_t *from, size_t to, uint64_t *time_left)
{
	const uint64_t begun = clock_us();
	enum pattern_result result = PATTERN_NO;
	uint64_t spent = 0;

	while (result == PATTERN_NO && *from < to) {
		size_t end = to - *from > FIND_FEW ? *from + FIND_FEW : to;

		if (spent >= *time_left) {
			result = PATTERN_GAVE_UP;
			break;
		}
		result = match_range(s, *from, end - 1, FIND_MANY, true);
		if (result == PATTERN_NO)
			*from = character_start(s->text, end, to);
		spent = clock_us() - begun;
	}
	*time_left -= spent < *time_left ? spent : *time_left;
	return result;
}

enum pattern_result pattern_find(const struct pattern *p, struct str text, size_t from,
	size_t to, unsigned edges, uint64_t *time_left, struct pattern_span *span)
{
	const uint32_t options = PCRE2_NO_UTF_CHECK | PCRE2_NOTEMPTY |
				 (edges & PATTERN_CUT_BEFORE ? PCRE2_NOTBOL : 0) |
				 (edges & PATTERN_CUT_AFTER ? PCRE2_NOTEOL : 0);
	const struct pattern_search s = {
		.p = p, .text = text, .options = options, .data = p->found};
	const size_t *ends = pcre2_get_ovector_pointer(p->found);
	enum pattern_result result = PATTERN_NO;

	if (p->literal && from < to)
		result = match_range(&s, from, to - 1, UINT32_MAX, false);
	while (!p->literal && result == PATTERN_NO && from < to) {
		size_t end = to - from > FIND_STARTS ? from + FIND_STARTS : to;

		end = character_start(text, end, to);
		result = match_range(&s, from, end - 1, FIND_STEPS, false);
		if (result == PATTERN_NO)
			from = end;
		if (result == PATTERN_GAVE_UP)
			result = try_slowly(&s, &from, end, time_left);
	}
	*span = (struct pattern_span){from, from};
	if (result == PATTERN_YES && ends[0] >= ends[1])
		return PATTERN_GAVE_UP; /* \K can move the start past the end */
	if (result == PATTERN_YES)
		*span = (struct pattern_span){ends[0], ends[1]};
	return result;
}

size_t pattern_cases(unsigned code, unsigned out[], size_t most)
{
	/* The characters that may have cases: Unicode's blocks of scripts that know them,
	 * and of signs made of such letters. */
	static const struct {
		unsigned from, to;
	} blocks[] = {{0x41, 0x2FFF}, {0xA000, 0xABFF}, {0xF900, 0xFFFF},
		{0x10000, 0x11FFF}, {0x16E00, 0x16FFF}, {0x1E000, 0x1EFFF}};
	AUTO_BUF self = BUF_INIT, alphabet = BUF_INIT;
	struct pattern_span span = {0, 0};
	struct pattern *p;
	size_t count;

	if (code < 0x80) {
		/* ASCII's letters have one other case each, but for the kelvin sign and
		 * the long s (Unicode, CaseFolding.txt) */
		unsigned low = code | 0x20;
		unsigned cases[3] = {code, code ^ 0x20, low == 'k' ? 0x212A : 0x017F};

		count = low < 'a' || low > 'z' ? 1 : low == 'k' || low == 's' ? 3 : 2;
		memcpy(out, cases, (count < most ? count : most) * sizeof(*out));
		return count;
	}
	buf_utf8(&self, code);
	for (size_t i = 0; i < sizeof(blocks) / sizeof(*blocks); i++)
		for (unsigned c = blocks[i].from; c <= blocks[i].to; c++)
			buf_utf8(&alphabet, c);
	p = pattern_new_search(buf_view(&self), PATTERN_LITERAL | PATTERN_CASELESS, NULL);
	out[0] = code;
	count = p ? 1 : SIZE_MAX;
	while (p && pattern_find(p, buf_view(&alphabet), span.to, alphabet.len, 0,
			    &(uint64_t){0}, &span) == PATTERN_YES) {
		unsigned other;
		bool valid;

		utf8_decode(alphabet.data + span.from, span.to - span.from, &other,
			&valid);
		if (other != code && count++ < most)
			out[count - 1] = other;
	}
	pattern_free(p);
	return count;
}
