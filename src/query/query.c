/*
 * Queries: see query.h.  PCRE2 finds the literals too, so that both kinds fold case in
 * one way.  It accepts nothing but UTF-8: other bytes are replaced one for one, so that
 * offsets stay.
 */
#include "config.h"
#include "query/query.h"

#include "base/mem.h"
#include "base/str.h"
#include "base/work.h"

/* ---- texts that every match has ---- */

/*
 * One pass over the expression, token by token: plain
 * characters that are in no group grow a run, and everything else ends it; a quantifier
 * that allows zero removes the last character.  The longest run of each alternative
 * counts.
 */
struct expression_reader {
	struct str pattern;
	size_t at;
	unsigned depth; /* groups around this place */
	struct required *out;
	/* offsets into its text */
	size_t run;      /* start of the run that is growing */
	size_t last;     /* start of the last character */
	struct str best; /* the longest run of this alternative */
};

static int peek(const struct expression_reader *r, size_t ahead)
{
	return r->at + ahead < r->pattern.n ? (unsigned char)r->pattern.p[r->at + ahead]
					    : -1;
}

static bool is_one_of(int c, const char *set)
{
	return c > 0 && strchr(set, c);
}

/* Ends the run, and begins the next. */
static void end_run(struct expression_reader *r)
{
	const struct buf *text = &r->out->text;

	if (text->len - r->run > r->best.n)
		r->best = (struct str){text->data + r->run, text->len - r->run};
	r->run = r->last = text->len;
}

static bool end_alternative(struct expression_reader *r)
{
	struct required *out = r->out;

	end_run(r);
	if (!r->best.n || out->count == REQUIRED_MOST)
		return false;
	out->parts[out->count++] = r->best;
	r->best.n = 0;
	return true;
}

/* A whole character of UTF-8, which in an escape of punctuation means itself. */
static void take_character(struct expression_reader *r)
{
	struct buf *text = &r->out->text;

	if (r->depth) {
		r->at++;
		return;
	}
	r->last = text->len;
	do {
		buf_byte(text, r->pattern.p[r->at++]);
	} while (r->at < r->pattern.n && (r->pattern.p[r->at] & 0xC0) == 0x80);
}

/* An escape of more than one letter means that nothing is known. */
static bool take_escape(struct expression_reader *r)
{
	int c = peek(r, 1);

	if (c < 0)
		return false;
	if (c >= 0x80 || (c | 0x20) < 'a' || (c | 0x20) > 'z') {
		if (c >= '0' && c <= '9')
			return false;
		r->at++;
		take_character(r);
		return true;
	}
	if (!is_one_of(c, "dDwWsSbBnrtfvhHRXNAzZ"))
		return false;
	if (c == 'N' && peek(r, 2) == '{')
		return false;
	r->at += 2;
	end_run(r);
	return true;
}

/* Skips a class in brackets. */
static bool skip_class(struct expression_reader *r)
{
	r->at += peek(r, 1) == '^' ? 2 : 1;
	if (peek(r, 0) == ']') /* at the beginning of a class it means itself */
		r->at++;
	for (;;) {
		int c = peek(r, 0);

		if (c < 0 || (c == '[' && is_one_of(peek(r, 1), ":.=")) ||
			(c == '\\' && is_one_of(peek(r, 1), "QE")))
			return false;
		r->at += c == '\\' ? 2 : 1;
		if (c == ']')
			break;
	}
	end_run(r);
	return true;
}

/* Ends the run; its last character counts if the quantifier requires it. */
static bool take_quantifier(struct expression_reader *r)
{
	bool needed = peek(r, 0) == '+';

	if (!r->depth && !needed)
		r->out->text.len = r->last;
	end_run(r);
	if (peek(r, 0) == '{')
		while (peek(r, 0) >= 0 && peek(r, 0) != '}') {
			r->at++;
			if (!is_one_of(peek(r, 0), "0123456789,}"))
				return false;
		}
	r->at++;
	if (is_one_of(peek(r, 0), "+?"))
		r->at++;
	return true;
}

static bool take_token(struct expression_reader *r)
{
	int c = peek(r, 0);

	switch (c) {
	case '\\':
		return take_escape(r);
	case '[':
		return skip_class(r);
	case '(': /* (?: (?= (?! (?<= (?<! (?<name> (?P<name> and plain groups */
		end_run(r);
		r->depth++;
		r->at++;
		if (peek(r, 0) != '?')
			return peek(r, 0) != '*';
		c = peek(r, 1);
		r->at += 2;
		return is_one_of(c, ":=!<") || (c == 'P' && peek(r, 0) == '<');
	case ')':
		end_run(r);
		r->at++;
		return r->depth-- > 0;
	case '*':
	case '+':
	case '?':
	case '{':
		return take_quantifier(r);
	case '|':
		r->at++;
		return r->depth ? true : end_alternative(r);
	case '.':
	case '^':
	case '$':
		r->at++;
		end_run(r);
		return true;
	default:
		take_character(r);
		return true;
	}
}

void required_read(struct required *out, struct str pattern)
{
	struct expression_reader r = {.pattern = pattern, .out = out};
	bool known = true;

	*out = (struct required){.count = 0};
	buf_reserve(&out->text, pattern.n); /* so that it does not move while it grows */
	while (known && r.at < pattern.n)
		known = take_token(&r);
	if (!known || r.depth || !end_alternative(&r))
		out->count = 0;
}

void required_done(struct required *r)
{
	buf_done(&r->text);
}

#define SUBSTITUTE '\x1A'

struct query {
	struct pattern *pattern;
	struct prefilter *prefilter;
};

/* ---- the query ---- */

/* Whether there is an upper-case letter; those of escapes are none: \S. */
static bool has_upper(struct str text, unsigned flags)
{
	struct pattern *upper = pattern_new_search(STR("[\\p{Lu}\\p{Lt}]"), 0, NULL);
	AUTO_BUF plain = BUF_INIT;
	struct pattern_span span;
	bool has = false;

	for (size_t i = 0; i < text.n; i++) {
		if (!(flags & QUERY_REGEX) || text.p[i] != '\\' || i + 1 == text.n)
			buf_byte(&plain, text.p[i]);
		else if ((unsigned char)text.p[++i] >= 0x80)
			buf_byte(&plain, text.p[i]);
	}
	if (upper && plain.len)
		has = pattern_find(upper, buf_view(&plain), 0, plain.len, 0,
			      &(uint64_t){0}, &span) == PATTERN_YES;
	pattern_free(upper);
	return has;
}

struct query *query_new(struct str text, unsigned flags, struct err *err)
{
	AUTO(required_done) struct required required = {.count = 0};
	bool caseless = false, regex = flags & QUERY_REGEX;
	struct pattern *pattern = NULL;
	struct query *q;

	if (!text.n) {
		err_set(err, "there is nothing to look for");
	} else if (text.n > QUERY_LENGTH) {
		err_set(err, "more than %d bytes to look for", QUERY_LENGTH);
	} else if (utf8_valid_prefix(text.p, text.n) != text.n) {
		err_at(err, utf8_valid_prefix(text.p, text.n), "not UTF-8");
	} else {
		caseless = !(flags & QUERY_EXACT) &&
			   (flags & QUERY_ANY || !has_upper(text, flags));
		pattern = pattern_new_search(text,
			(regex ? 0u : PATTERN_LITERAL) |
				(caseless ? PATTERN_CASELESS : 0u),
			err);
	}
	if (!pattern)
		return NULL;
	q = mem_zalloc(1, sizeof(*q));
	q->pattern = pattern;
	if (regex)
		required_read(&required, text);
	q->prefilter = prefilter_new(
		regex ? required.parts : &text, regex ? required.count : 1, caseless);
	return q;
}

void query_free(struct query *q)
{
	if (!q)
		return;
	pattern_free(q->pattern);
	prefilter_free(q->prefilter);
	mem_free(q);
}

const struct prefilter *query_prefilter(const struct query *q)
{
	return q->prefilter;
}

/* ---- a search through texts ---- */

/* The text as UTF-8 of equal length. */
static struct str cleaned(struct query_run *r, struct str text)
{
	size_t i = utf8_valid_prefix(text.p, text.n);

	if (i == text.n)
		return text;
	buf_set(&r->clean, text);
	while (i < text.n) {
		unsigned code;
		bool valid;
		size_t n = utf8_decode(text.p + i, text.n - i, &code, &valid);

		if (!valid)
			memset(r->clean.data + i, SUBSTITUTE, n);
		i += n + utf8_valid_prefix(text.p + i + n, text.n - i - n);
	}
	return buf_view(&r->clean);
}

/* Where a character begins, at `at` or up to three bytes after it. */
static size_t next_character(struct str text, size_t at)
{
	for (int i = 0; i < 3; i++)
		if (at < text.n && ((unsigned char)text.p[at] & 0xC0) == 0x80)
			at++;
	return at;
}

/* Finds the matches that begin in [from, to) of a window; `at` is its offset in the text.
 */
static void find_in(struct query_run *r, struct str window, uint64_t at, size_t from,
	size_t to, unsigned edges)
{
	struct pattern_span span;

	window = cleaned(r, window);
	from = next_character(window, from);
	to = next_character(window, to);
	while (from < to && !r->stopped) {
		enum pattern_result result = pattern_find(
			r->query->pattern, window, from, to, edges, &r->time_left, &span);

		r->gave_up |= result == PATTERN_GAVE_UP;
		if (result != PATTERN_YES)
			break;
		r->hits++;
		if (r->each && !r->each(r->ctx, at + span.from, at + span.to))
			r->stopped = true;
		from = span.to;
		r->next = at + span.to;
	}
}

void query_begin(struct query_run *r, const struct query *q)
{
	*r = (struct query_run){.query = q, .time_left = QUERY_TIME_LIMIT};
}

void query_done(struct query_run *r)
{
	buf_done(&r->clean);
}

void query_restart(struct query_run *r, uint64_t time_left)
{
	r->hits = 0;
	r->time_left = time_left;
	r->gave_up = r->stopped = false;
}

void query_text(struct query_run *r, struct str text)
{
	r->next = 0;
	for (size_t piece = 0; piece < text.n && !r->stopped; piece += QUERY_PIECE) {
		size_t begin = piece < QUERY_BACK ? 0 : piece - QUERY_BACK;
		size_t from = r->next > piece ? (size_t)r->next : piece;
		size_t to = piece + QUERY_PIECE, end = to + QUERY_AHEAD;
		unsigned edges = begin ? PATTERN_CUT_BEFORE : 0;

		if (end < text.n)
			edges |= PATTERN_CUT_AFTER;
		begin = next_character(text, begin);
		end = next_character(text, end < text.n ? end : text.n);
		to = to < end ? to : end;
		if (from < to)
			find_in(r, (struct str){text.p + begin, end - begin}, begin,
				from - begin, to - begin, edges);
		if (text.n > QUERY_PIECE && stop_wanted(QUERY_PIECE))
			return;
	}
}

enum pattern_result query_each(
	const struct query *q, struct str text, query_each_fn *each, void *ctx)
{
	struct query_run run;
	enum pattern_result result;

	query_begin(&run, q);
	run.each = each;
	run.ctx = ctx;
	query_text(&run, text);
	result = run.gave_up ? PATTERN_GAVE_UP : run.hits ? PATTERN_YES : PATTERN_NO;
	query_done(&run);
	return result;
}
