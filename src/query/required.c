/*
 * Required texts: see required.h.  One pass over the expression, token by token: plain
 * characters that are in no group grow a run, and everything else ends it; a quantifier
 * that allows zero removes the last character.  The longest run of each alternative
 * counts.
 */
#include "config.h"
#include "query/required.h"

struct expression_reader {
	struct str pattern;
	size_t at;
	unsigned depth; /* groups around this place */
	struct required *out;
	/* offsets into `text`, which may move while it grows */
	size_t run;            /* start of the run that is growing */
	size_t best, best_len; /* the longest run of this alternative */
	size_t last;           /* start of the last character */
	size_t starts[REQUIRED_MOST], ends[REQUIRED_MOST];
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
	size_t len = r->out->text.len - r->run;

	if (len > r->best_len) {
		r->best = r->run;
		r->best_len = len;
	}
	r->run = r->last = r->out->text.len;
}

static bool end_alternative(struct expression_reader *r)
{
	struct required *out = r->out;

	end_run(r);
	if (!r->best_len || out->count == REQUIRED_MOST)
		return false;
	r->starts[out->count] = r->best;
	r->ends[out->count++] = r->best + r->best_len;
	r->best_len = 0;
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

/* (?: (?= (?! (?<= (?<! (?<name> (?P<name> and plain groups. */
static bool open_group(struct expression_reader *r)
{
	bool special = peek(r, 1) == '?';
	int kind = peek(r, 2);

	end_run(r);
	r->depth++;
	if (!special) {
		r->at++;
		return peek(r, 0) != '*';
	}
	r->at += 3;
	return is_one_of(kind, ":=!<") || (kind == 'P' && peek(r, 0) == '<');
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
	case '(':
		return open_group(r);
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
	while (known && r.at < pattern.n)
		known = take_token(&r);
	if (!known || r.depth || !end_alternative(&r)) {
		out->count = 0;
		return;
	}
	for (size_t i = 0; i < out->count; i++)
		out->parts[i] = (struct str){
			out->text.data + r.starts[i], r.ends[i] - r.starts[i]};
}

void required_done(struct required *r)
{
	buf_done(&r->text);
}
