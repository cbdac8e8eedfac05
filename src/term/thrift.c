/*
 * The page is read as tokens: attributes are noted in `wanted`, all else passes, with
 * `sent` brought up to `wanted` before whatever would show the difference.  A blank shows
 * a background, a line under or through it and reverse, nothing else; neither does what
 * erases or scrolls.
 */
#include "config.h"
#include "term/thrift.h"

#define ESCAPE 0x1B
#define SO     0x0E
#define SI     0x0F

#define BIT(n) (1u << (n))
/* Underlined, reverse and struck: what a blank shows, too. */
#define ON_BLANKS (BIT(4) | BIT(7) | BIT(9))

void thrift_begin(struct thrift *t)
{
	*t = (struct thrift){.unknown = true};
}

/* ---- what is wanted ---- */

/* The number at the head of the parameters, which moves behind it and its separator; -1:
 * none. */
static int next_number(struct str *p)
{
	int n = 0;

	while (p->n && p->p[0] >= '0' && p->p[0] <= '9' && n < 1000) {
		n = 10 * n + (p->p[0] - '0');
		p->p++;
		p->n--;
	}
	if (p->n && p->p[0] != ';')
		return -1;
	if (p->n) {
		p->p++;
		p->n--;
	}
	return n;
}

static bool set_color(char color[24], struct str parameters)
{
	if (parameters.n >= 24)
		return false;
	memcpy(color, parameters.p, parameters.n);
	color[parameters.n] = '\0';
	return true;
}

/* The rest of 38;5;N or 38;2;R;G;B, whose first number begins at `from`. */
static bool set_extended(char color[24], const char *from, struct str *p)
{
	int kind = next_number(p), count = kind == 5 ? 1 : kind == 2 ? 3 : 0;

	if (!count)
		return false;
	for (int i = 0; i < count; i++)
		if (!p->n || next_number(p) < 0)
			return false;
	return set_color(
		color, (struct str){from, (size_t)(p->p - from) - (p->p[-1] == ';')});
}

static bool set_one(struct thrift_ink *ink, int n, const char *from, struct str *p)
{
	struct str own = {from, n < 100 ? 2 : 3};

	if (n == 0)
		*ink = (struct thrift_ink){0};
	else if (n > 0 && n <= 9)
		ink->attributes |= BIT(n);
	else if (n == 22)
		ink->attributes &= ~(BIT(1) | BIT(2));
	else if (n == 25)
		ink->attributes &= ~(BIT(5) | BIT(6));
	else if (n > 22 && n <= 29 && n != 26)
		ink->attributes &= ~BIT(n - 20);
	else if (n == 39 || n == 49)
		*(n == 39 ? ink->fg : ink->bg) = '\0';
	else if (n == 38 || n == 48)
		return set_extended(n == 38 ? ink->fg : ink->bg, from, p);
	else if ((n >= 30 && n < 38) || (n >= 90 && n < 98))
		return set_color(ink->fg, own);
	else if ((n >= 40 && n < 48) || (n >= 100 && n < 108))
		return set_color(ink->bg, own);
	else
		return false;
	return true;
}

/* False, with the ink unchanged, when something of it is not known. */
static bool apply(struct thrift_ink *ink, struct str parameters)
{
	struct thrift_ink new = *ink;
	struct str rest = parameters;

	if (rest.n && rest.p[rest.n - 1] == ';')
		return false;
	do {
		const char *from = rest.p;

		if (!set_one(&new, next_number(&rest), from, &rest))
			return false;
	} while (rest.n);
	*ink = new;
	return true;
}

/* ---- what is sent ---- */

static bool ink_equal(const struct thrift_ink *a, const struct thrift_ink *b)
{
	return a->attributes == b->attributes && !strcmp(a->fg, b->fg) &&
	       !strcmp(a->bg, b->bg);
}

static void add_parameter(struct buf *out, size_t start, const char *parameter)
{
	if (out->len > start)
		buf_byte(out, ';');
	buf_text(out, parameter);
}

/* The parameters that add to `have` what `ink` has more, or another colour. */
static void add_parameters(
	struct buf *out, const struct thrift_ink *ink, const struct thrift_ink *have)
{
	size_t start = out->len;
	char digit[2] = "";

	for (int n = 1; n <= 9; n++)
		if (ink->attributes & ~have->attributes & BIT(n)) {
			digit[0] = (char)('0' + n);
			add_parameter(out, start, digit);
		}
	if (strcmp(ink->fg, have->fg))
		add_parameter(out, start, ink->fg);
	if (strcmp(ink->bg, have->bg))
		add_parameter(out, start, ink->bg);
}

/* What can only be taken away from all together. */
static bool needs_reset(const struct thrift *t)
{
	return t->unknown || (t->sent.attributes & ~t->wanted.attributes) ||
	       (*t->sent.fg && !*t->wanted.fg) || (*t->sent.bg && !*t->wanted.bg);
}

static void settle(struct thrift *t, struct buf *out)
{
	static const struct thrift_ink plain = {0};

	if (t->raw || (!t->unknown && ink_equal(&t->sent, &t->wanted)))
		return;
	buf_text(out, "\033[");
	if (!needs_reset(t)) {
		add_parameters(out, &t->wanted, &t->sent);
	} else if (!ink_equal(&t->wanted, &plain)) {
		buf_text(out, "0;");
		add_parameters(out, &t->wanted, &plain);
	}
	buf_byte(out, 'm');
	t->sent = t->wanted;
	t->unknown = false;
}

static bool shows_on_blanks(const struct thrift_ink *ink)
{
	return (ink->attributes & ON_BLANKS) || *ink->bg;
}

/* Before a blank, and before what erases or scrolls. */
static void settle_for_blanks(struct thrift *t, struct buf *out)
{
	if (t->unknown || shows_on_blanks(&t->sent) || shows_on_blanks(&t->wanted))
		settle(t, out);
}

/* ---- tokens ---- */

/* Where the control sequence behind ESC [ ends: behind its final byte, or nowhere. */
static size_t sequence_length(struct str s)
{
	size_t i = 2;

	while (i < s.n && (unsigned char)s.p[i] >= 0x20 && (unsigned char)s.p[i] < 0x40)
		i++;
	return i < s.n ? i + 1 : s.n;
}

/* OSC, DCS, APC, …: up to ST, or BEL. */
static size_t string_length(struct str s)
{
	for (size_t i = 2; i < s.n; i++)
		if (s.p[i] == '\a' || (s.p[i] == '\\' && s.p[i - 1] == ESCAPE))
			return i + 1;
	return s.n;
}

static bool begins_with_reset(struct str parameters)
{
	return !parameters.n || str_equal(parameters, STR("0")) ||
	       str_starts(parameters, STR("0;")) || str_starts(parameters, STR(";"));
}

static void take_attributes(struct thrift *t, struct str token, struct buf *out)
{
	struct str parameters = {token.p + 2, token.n - 3};

	if (!t->raw && !apply(&t->wanted, parameters)) {
		settle(t, out);
		t->raw = true;
	}
	if (!t->raw)
		return;
	buf_str(out, token);
	if (begins_with_reset(parameters) && apply(&t->wanted, parameters)) {
		t->sent = t->wanted;
		t->raw = t->unknown = false;
	}
}

static bool is_one_of(char c, const char *set)
{
	return c && strchr(set, c);
}

static void take_sequence(struct thrift *t, struct str token, struct buf *out)
{
	char last = token.p[token.n - 1];

	if (last == 'm') {
		take_attributes(t, token, out);
		return;
	}
	if (is_one_of(last, "@JKLMPSTX"))
		settle_for_blanks(t, out);
	buf_str(out, token);
}

static void take_escape(struct thrift *t, struct str token, struct buf *out)
{
	if (token.n == 3 && token.p[1] == '(') {
		if (t->designated == token.p[2])
			return;
		t->designated = token.p[2];
	} else {
		settle_for_blanks(t, out); /* some scroll */
	}
	buf_str(out, token);
	if (token.n == 2 && is_one_of(token.p[1], "8c")) {
		t->unknown = true; /* restored, reset: not what was sent last */
		t->designated = t->shift = '\0';
	}
}

/* The length of what begins with ESC. */
static size_t escape_length(struct str s)
{
	if (s.n < 2)
		return s.n;
	if (s.p[1] == '[')
		return sequence_length(s);
	if (is_one_of(s.p[1], "]P_^X"))
		return string_length(s);
	return s.n > 2 && is_one_of(s.p[1], "()*+#% ") ? 3 : 2;
}

static size_t take_control(struct thrift *t, struct str s, struct buf *out)
{
	struct str token = {s.p, 1};

	if (s.p[0] == SO || s.p[0] == SI) {
		if (t->shift != s.p[0])
			buf_byte(out, s.p[0]);
		t->shift = s.p[0];
		return 1;
	}
	if (s.p[0] == ESCAPE) {
		token.n = escape_length(s);
		if (token.n > 2 && s.p[1] == '[')
			take_sequence(t, token, out);
		else
			take_escape(t, token, out);
		return token.n;
	}
	if (s.p[0] == '\n')
		settle_for_blanks(t, out);
	buf_byte(out, s.p[0]);
	return 1;
}

/* A run of blanks, or of other text. */
static size_t take_text(struct thrift *t, struct str s, struct buf *out)
{
	bool blank = s.p[0] == ' ';
	size_t n = 1;

	while (n < s.n && (unsigned char)s.p[n] >= 0x20 && (s.p[n] == ' ') == blank)
		n++;
	if (blank)
		settle_for_blanks(t, out);
	else
		settle(t, out);
	buf_add(out, s.p, n);
	return n;
}

void thrift_page(struct thrift *t, struct str page, struct buf *out)
{
	while (page.n) {
		size_t n = (unsigned char)page.p[0] < 0x20 ? take_control(t, page, out)
							   : take_text(t, page, out);

		page.p += n;
		page.n -= n;
	}
	settle(t, out); /* others may write next */
}
