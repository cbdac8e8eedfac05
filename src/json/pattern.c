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
 * whose memory has a limit of its own, does the same search again.
 */
#include "config.h"
#include "json/pattern.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/utf8.h"

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

struct pattern {
	pcre2_general_context *memory;
	pcre2_code *code;
	pcre2_match_context *limits;
	bool anchored;
	bool lines; /* a match can only start at the beginning of a line: .*x */
};

static void *pattern_alloc(size_t size, void *ctx)
{
	(void)ctx;
	return mem_alloc(size);
}

static void pattern_release(void *memory, void *ctx)
{
	(void)ctx;
	mem_free(memory);
}

static void say_error(struct err *err, int code, size_t offset)
{
	PCRE2_UCHAR text[256]; /* PCRE2's own messages are shorter */

	if (!err)
		return;
	if (pcre2_get_error_message(code, text, sizeof(text)) < 0)
		err_at(err, offset, "error %d of PCRE2", code);
	else
		err_at(err, offset, "%s", (const char *)text);
}

static pcre2_code *compile(
	pcre2_general_context *memory, struct str text, struct err *err)
{
	const uint32_t options = PCRE2_UTF | PCRE2_NEVER_UCP | PCRE2_NEVER_BACKSLASH_C |
				 PCRE2_DOLLAR_ENDONLY | PCRE2_ALLOW_EMPTY_CLASS |
				 PCRE2_MATCH_UNSET_BACKREF | PCRE2_USE_OFFSET_LIMIT;
	pcre2_compile_context *context = pcre2_compile_context_create(memory);
	size_t offset = 0;
	int error = 0;
	pcre2_code *code;

	pcre2_set_compile_extra_options(context, PCRE2_EXTRA_ALT_BSUX);
	pcre2_set_newline(context, PCRE2_NEWLINE_ANYCRLF);
	pcre2_set_max_pattern_length(context, PATTERN_LENGTH);
	pcre2_set_parens_nest_limit(context, PARENS_NESTED);
	code = pcre2_compile((PCRE2_SPTR)(text.n ? text.p : ""), text.n, options, &error,
		&offset, context);
	pcre2_compile_context_free(context);
	if (!code)
		say_error(err, error, offset);
	return code;
}

struct pattern *pattern_new(struct str text, struct err *err)
{
	struct pattern *p = mem_zalloc(1, sizeof(*p));
	uint32_t options = 0, first = 0, newline = 0;

	p->memory = pcre2_general_context_create(pattern_alloc, pattern_release, NULL);
	p->code = compile(p->memory, text, err);
	if (!p->code) {
		pattern_free(p);
		return NULL;
	}
	pcre2_jit_compile(p->code, PCRE2_JIT_COMPLETE); /* or else without */
	p->limits = pcre2_match_context_create(p->memory);
	pcre2_set_depth_limit(p->limits, DEPTH);
	pcre2_set_heap_limit(p->limits, HEAP_KIB);
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

struct search {
	const struct pattern *p;
	struct str text;
	pcre2_match_data *data;
};

/* Looks for a match that starts in [from, to]. */
static enum pattern_result look(const struct search *s, size_t from, size_t to)
{
	PCRE2_SPTR subject = (PCRE2_SPTR)(s->text.n ? s->text.p : "");
	uint32_t options = PCRE2_NO_UTF_CHECK;
	int rc;

	pcre2_set_offset_limit(s->p->limits, to);
	rc = pcre2_match(
		s->p->code, subject, s->text.n, from, options, s->data, s->p->limits);
	if (rc == PCRE2_ERROR_JIT_STACKLIMIT)
		rc = pcre2_match(s->p->code, subject, s->text.n, from,
			options | PCRE2_NO_JIT, s->data, s->p->limits);
	if (rc >= 0)
		return PATTERN_YES;
	return rc == PCRE2_ERROR_NOMATCH ? PATTERN_NO : PATTERN_GAVE_UP;
}

/* Where a match may start next, from a place on that may be inside a character. */
static size_t next_start(const struct search *s, size_t at)
{
	while (at < s->text.n && ((unsigned char)s->text.p[at] & 0xC0) == 0x80)
		at++;
	while (s->p->lines && at < s->text.n && s->text.p[at - 1] != '\n' &&
		s->text.p[at - 1] != '\r')
		at++;
	return at;
}

static enum pattern_result look_everywhere(const struct search *s, size_t window)
{
	const uint64_t deadline = clock_deadline(SEARCH_LONGEST);
	enum pattern_result result = PATTERN_NO;
	size_t from = 0;

	if (s->p->lines)
		window = 1;
	while (result == PATTERN_NO && s->text.n - from >= window) {
		result = look(s, from, from + window - 1);
		from = next_start(s, from + window);
		if (result == PATTERN_NO && clock_passed(deadline))
			result = PATTERN_GAVE_UP;
	}
	return result == PATTERN_NO ? look(s, from, s->text.n) : result;
}

static size_t between(size_t value, size_t least, size_t most)
{
	if (value < least)
		return least;
	return value > most ? most : value;
}

enum pattern_result pattern_match(const struct pattern *p, struct str text)
{
	struct search s = {.p = p, .text = text};
	size_t most = p->anchored ? ONE_START : START_OF_MANY, steps, window;
	enum pattern_result result;

	if (utf8_valid_prefix(text.p, text.n) != text.n)
		return PATTERN_NO;
	steps = between(most / (text.n + 1), STEPS_LEAST, STEPS_MOST);
	window = between(WINDOW / (steps * (text.n + 1)), WINDOW_LEAST, SIZE_MAX);
	pcre2_set_match_limit(p->limits, (uint32_t)steps);
	/* New each time: it keeps what memory the interpreter needed. */
	s.data = pcre2_match_data_create(1, p->memory);
	result = p->anchored ? look(&s, 0, text.n) : look_everywhere(&s, window);
	pcre2_match_data_free(s.data);
	return result;
}
