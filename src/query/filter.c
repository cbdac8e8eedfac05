/*
 * The language of filters: see filter.h.  The parser is Dijkstra's shunting yard:
 * operators wait on a stack until one comes that binds less, so that nesting costs no
 * recursion.  The parser always knows whether an operand or an operator comes next, and
 * names it in its messages.
 */
#include "config.h"
#include "query/filter.h"

#include <math.h>

#include "base/err.h"
#include "base/mem.h"
#include "json/cursor.h"

/* ---- the table of fields ---- */

const struct filter_field filter_fields[FILTER_FIELDS] = {
#define FILTER_ROW(id, name, also, kind, unit, cost, about)                              \
	{name, also, FILTER_##kind, UNIT_##unit, COST_##cost, about},
	FILTER_STEP_FIELDS(FILTER_ROW)
#undef FILTER_ROW
};

const struct filter_table filter_steps = {.fields = filter_fields,
	.count = FILTER_FIELDS,
	.anywhere = FILTER_ANYWHERE,
	.common = "name, model, tool, role, text, cost, tokens, error"};

unsigned filter_field_named(const struct filter_table *table, struct str name)
{
	unsigned i = 0;

	while (i < table->count && !str_equal(str_of(table->fields[i].name), name) &&
		!(table->fields[i].also &&
			str_equal(str_of(table->fields[i].also), name)))
		i++;
	return i;
}

unsigned filter_field_like(const struct filter_table *table, struct str name)
{
	struct suggest near;

	suggest_begin(&near, name);
	for (unsigned i = 0; i < table->count; i++) {
		suggest_try(&near, str_of(table->fields[i].name));
		if (table->fields[i].also)
			suggest_try(&near, str_of(table->fields[i].also));
	}
	return near.best.p ? filter_field_named(table, near.best) : table->count;
}

void filter_put_value(struct str text, struct buf *out)
{
	size_t plain = 0;

	while (plain < text.n && text.p[plain] && !strchr(" \t\n\r()|\"/", text.p[plain]))
		plain++;
	if (text.n && plain == text.n) {
		buf_str(out, text);
		return;
	}
	buf_byte(out, '"');
	for (size_t i = 0; i < text.n; i++) {
		if (text.p[i] == '"' || text.p[i] == '\\')
			buf_byte(out, '\\');
		buf_byte(out, text.p[i]);
	}
	buf_byte(out, '"');
}

/* An operator that waits for its right side. */
struct waiting {
	unsigned char op;
	size_t where;
};

struct parsing {
	struct str text;
	size_t at;
	struct filter *filter;
	struct waiting *stack;
	size_t depth, cap;
	bool wants_operand; /* else an operator comes next */
	/* the value that was read last: */
	struct buf value;
	size_t value_at; /* offset of its first byte, inside the quotes or slashes */
	char quote;      /* '"', '/' or 0 */
	struct err *err;
};

static bool fail(struct parsing *p, size_t where, const char *fmt, ...) PRINTF_LIKE(3, 4);

static bool fail(struct parsing *p, size_t where, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	err_setv(p->err, fmt, ap);
	va_end(ap);
	p->err->offset = where;
	return false;
}

static int peek(const struct parsing *p)
{
	return p->at < p->text.n ? (unsigned char)p->text.p[p->at] : -1;
}

static bool is_end(int c)
{
	return c < 0 || str_is_space((char)c) || c == '(' || c == ')' || c == '|';
}

/* Takes a word of the language if it comes next as a whole word. */
static bool take_word(struct parsing *p, const char *word)
{
	struct str rest = {p->text.p + p->at, p->text.n - p->at};
	struct str w = str_of(word);

	if (!str_starts(rest, w) ||
		!is_end(rest.n > w.n ? (unsigned char)rest.p[w.n] : -1))
		return false;
	p->at += w.n;
	return true;
}

/* ---- the program ---- */

static void push(struct parsing *p, unsigned char op, size_t where)
{
	*MEM_ADD(p->stack, p->depth, p->cap) = (struct waiting){op, where};
}

/* Emits the waiting operators that bind at least as tightly as `op`. */
static void settle(struct parsing *p, unsigned char op)
{
	struct filter *f = p->filter;

	while (p->depth && p->stack[p->depth - 1].op <= op)
		*MEM_ADD(f->program, f->length, f->cap) = p->stack[--p->depth].op;
}

static void join(struct parsing *p, unsigned char op)
{
	settle(p, op);
	push(p, op, p->at);
	p->wants_operand = true;
}

static void end_operand(struct parsing *p)
{
	settle(p, OP_NOT);
	p->wants_operand = false;
}

/* ---- values ---- */

/* Whether a backslash at `at` escapes the next byte of a value in such quotes. */
static bool is_escape(struct str text, size_t at, char quote)
{
	char next;

	if (!quote || text.p[at] != '\\' || at + 1 == text.n)
		return false;
	next = text.p[at + 1];
	return next == quote || (quote == '"' && next == '\\');
}

/* Up to the closing quote or slash.  In an expression \\ stays as it is, and the slash
 * after it closes. */
static bool read_quoted(struct parsing *p)
{
	const struct str text = p->text;

	p->quote = text.p[p->at++];
	p->value_at = p->at;
	for (; p->at < text.n && text.p[p->at] != p->quote; p->at++) {
		bool pair = text.p[p->at] == '\\' && p->at + 1 < text.n;

		if (is_escape(text, p->at, p->quote))
			p->at++;
		else if (pair && p->quote == '/')
			buf_byte(&p->value, text.p[p->at++]);
		buf_byte(&p->value, text.p[p->at]);
	}
	if (p->at == text.n)
		return fail(p, p->value_at - 1, "expected %c to close this", p->quote);
	p->at++;
	if (!is_end(peek(p)))
		return fail(p, p->at,
			p->quote == '"'
				? "expected a blank after \"; a mark in it is \\\""
				: "expected a blank after /; a slash in it is \\/");
	return true;
}

/* file:/home/ada/a.c: an absolute path, as no slash ends the word. */
static bool is_path(const struct parsing *p)
{
	size_t end = p->at;

	while (end < p->text.n && !is_end(p->text.p[end]))
		end++;
	return end > p->at + 1 && p->text.p[end - 1] != '/' &&
	       memchr(p->text.p + p->at + 1, '/', end - p->at - 1);
}

static bool read_value(struct parsing *p, bool regex)
{
	size_t inside = 0;

	buf_clear(&p->value);
	p->quote = 0;
	if (peek(p) == '"' || (regex && peek(p) == '/'))
		return read_quoted(p);
	p->value_at = p->at;
	/* main() is a word, (main) is not */
	for (; !is_end(peek(p)) || peek(p) == '(' || (peek(p) == ')' && inside); p->at++)
		inside += (size_t)(peek(p) == '(') - (size_t)(peek(p) == ')');
	buf_add(&p->value, p->text.p + p->value_at, p->at - p->value_at);
	return true;
}

/* ---- terms ---- */

static const struct filter_field *field_of(const struct parsing *p, unsigned field)
{
	return &p->filter->table->fields[field];
}

/* Reads the value of a term; NULL: it is none, or there are too many. */
static struct filter_term *read_term(
	struct parsing *p, unsigned field, size_t where, bool regex)
{
	struct filter *f = p->filter;
	struct filter_term *t = &f->terms[f->count];

	if (!read_value(p, regex))
		return NULL;
	if (f->count == FILTER_TERMS) {
		fail(p, where, "more than %d terms", FILTER_TERMS);
		return NULL;
	}
	*MEM_ADD(f->program, f->length, f->cap) = (unsigned char)f->count++;
	end_operand(p);
	t->field = field;
	return t;
}

/* The test of a text field.  What a step says as a whole can only be searched: there `=`
 * means an exact search. */
static bool set_text(struct parsing *p, struct filter_term *t, bool exact)
{
	bool anywhere = t->field == p->filter->table->anywhere;
	bool search = anywhere || field_of(p, t->field)->kind == FILTER_WHOLE;
	const struct str value = buf_view(&p->value);
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	size_t at = p->value_at;

	if (p->quote == '/' || (value.n && (!exact || search))) {
		t->test = TEST_HOLDS;
		t->query = query_new(value,
			p->quote == '/' ? QUERY_REGEX
			: exact         ? QUERY_EXACT
					: 0u,
			&err);
		if (t->query)
			return true;
		/* where in the filter's text that byte of the value is */
		for (uint64_t n = err.offset == ERR_NOWHERE ? 0 : err.offset;
			n && at < p->text.n; n--)
			at += 1 + is_escape(p->text, at, p->quote);
		return fail(p, at, "%s", err.text);
	}
	if (!value.n && (!p->quote || anywhere))
		return fail(p, at, "expected a text, or /an expression/");
	t->test = value.n ? TEST_IS : TEST_EMPTY;
	buf_str(&t->text, value);
	if (value.n) /* a text that is too long for a search has no query */
		t->query = query_new(value, QUERY_EXACT, &err);
	return true;
}

static const char *operator_at(const struct parsing *p, size_t at)
{
	static const char *const operators[] = {
		"!=", ">=", "<=", ":", "=", ">", "<", NULL};
	struct str rest = {p->text.p + at, p->text.n - at};

	for (size_t i = 0; operators[i]; i++)
		if (str_starts(rest, str_of(operators[i])))
			return operators[i];
	return NULL;
}

/* ---- numbers with units ---- */

enum {
	COUNTS = 1 << UNIT_COUNT,
	DOLLARS = 1 << UNIT_DOLLARS,
	SECONDS = 1 << UNIT_SECONDS,
	SIZES = 1 << UNIT_BYTES
};

static const struct unit_name {
	unsigned of; /* the units of fields that it is one of */
	const char *name;
	double times, per; /* the factor as a fraction: 850 / 1000 is the double nearest
			      to 0.85, 850 * 0.001 is not */
} units[] = {
	{COUNTS | DOLLARS | SECONDS | SIZES, "", 1, 1},
	{COUNTS | DOLLARS | SIZES, "k", 1e3, 1},
	{COUNTS | DOLLARS | SIZES, "K", 1e3, 1},
	{COUNTS | DOLLARS | SIZES, "M", 1e6, 1},
	{COUNTS | SIZES, "G", 1e9, 1},
	{SECONDS, "us", 1, 1e6},
	{SECONDS, "\xC2\xB5s", 1, 1e6},
	{SECONDS, "ms", 1, 1e3},
	{SECONDS, "s", 1, 1},
	{SECONDS, "m", 60, 1},
	{SECONDS, "min", 60, 1},
	{SECONDS, "h", 3600, 1},
	{SECONDS, "d", 86400, 1},
	{SIZES, "B", 1, 1},
	{SIZES, "kB", 1e3, 1},
	{SIZES, "KB", 1e3, 1},
	{SIZES, "MB", 1e6, 1},
	{SIZES, "GB", 1e9, 1},
};

static bool is_digit(struct str s, size_t i)
{
	return i < s.n && str_is_digit(s.p[i]);
}

/* How many bytes at the start are a number: 12, 1.5, .5, -3, 1e-3. */
static size_t number_length(struct str s)
{
	size_t n = s.n && s.p[0] == '-', e;

	while (is_digit(s, n) || (n < s.n && s.p[n] == '.' && is_digit(s, n + 1)))
		n++;
	e = n + 1;
	if (!n || n == s.n || (s.p[n] != 'e' && s.p[n] != 'E'))
		return n;
	e += e < s.n && (s.p[e] == '-' || s.p[e] == '+');
	if (!is_digit(s, e))
		return n;
	while (is_digit(s, e))
		e++;
	return e;
}

/* Reads a number and its unit at *at, adds it to *sum and moves *at past it. */
static bool read_part(struct str s, size_t *at, enum filter_unit unit, double *sum)
{
	struct str rest = {s.p + *at, s.n - *at};
	const struct unit_name *u = units, *last = units + sizeof(units) / sizeof(*units);
	size_t n = number_length(rest), end = n, from = rest.n && rest.p[0] == '-';
	AUTO_BUF text = BUF_INIT;
	double number;

	while (end < rest.n && !is_digit(rest, end) && rest.p[end] != '.')
		end++;
	while (u < last &&
		(!(u->of & 1u << unit) ||
			!str_equal((struct str){rest.p + n, end - n}, str_of(u->name))))
		u++;
	if (!n || u == last)
		return false;
	/* as JSON writes it, which has neither 05 nor .5 */
	if (from)
		buf_byte(&text, '-');
	while (from + 1 < n && rest.p[from] == '0' && is_digit(rest, from + 1))
		from++;
	if (from < n && rest.p[from] == '.')
		buf_byte(&text, '0');
	buf_add(&text, rest.p + from, n - from);
	if (!jv_number(jv_parse(buf_view(&text)), &number) ||
		jv_parse(buf_view(&text)).n != text.len)
		return false;
	*sum += number * u->times / u->per;
	*at += end;
	return true;
}

/* False: the text is no number with that unit.  *out is in the base unit: dollars,
 * seconds, bytes. */
static bool filter_number(struct str s, enum filter_unit unit, double *out)
{
	size_t at = unit == UNIT_DOLLARS && s.n && s.p[0] == '$';

	*out = 0;
	if (at == s.n || !read_part(s, &at, unit, out))
		return false;
	while (unit == UNIT_SECONDS && at < s.n && is_digit(s, at)) /* 1m30s */
		if (!read_part(s, &at, unit, out))
			return false;
	return at == s.n;
}

/* "1..5", "1..", "..5"; an open end is infinite.  False: the text is no range. */
static bool filter_range(struct str s, enum filter_unit unit, double *low, double *high)
{
	struct str from = {s.p, 0}, to;

	while (from.n + 1 < s.n && !(s.p[from.n] == '.' && s.p[from.n + 1] == '.'))
		from.n++;
	if (from.n + 1 >= s.n)
		return false;
	to = str_skip(s, from.n + 2);
	*low = -INFINITY;
	*high = INFINITY;
	if (!from.n && !to.n)
		return false;
	return (!from.n || filter_number(from, unit, low)) &&
	       (!to.n || filter_number(to, unit, high));
}

/* ---- terms of numbers ---- */

static bool set_number(struct parsing *p, struct filter_term *t, const char *op)
{
	static const char *const forms[] = {[UNIT_NONE] = "a number: 12, 10k, or 1..20",
		[UNIT_COUNT] = "a number: 12, 10k, or 1..20",
		[UNIT_DOLLARS] = "US dollars: 0.01, $2, or 1..2",
		[UNIT_SECONDS] = "a time: 2s, 500ms, 1m30s, or 1s..5s",
		[UNIT_BYTES] = "bytes: 900, 64KB, 2MB, or 1KB..1MB"};
	enum filter_unit unit = field_of(p, t->field)->unit;
	double number;

	if ((op[0] == ':' || op[0] == '=') &&
		filter_range(buf_view(&p->value), unit, &t->low, &t->high)) {
		t->test = TEST_RANGE;
		if (t->low <= t->high)
			return true;
		return fail(p, p->value_at, "this range ends before it begins");
	}
	if (!filter_number(buf_view(&p->value), unit, &number))
		return fail(p, p->value_at, "expected %s", forms[unit]);
	t->test = op[0] == '!' ? TEST_OTHER : TEST_RANGE;
	t->low = op[0] == '<' ? -INFINITY : number;
	t->high = op[0] == '>' ? INFINITY : number;
	t->above = op[0] == '>' && !op[1];
	t->below = op[0] == '<' && !op[1];
	return true;
}

static bool read_field_term(struct parsing *p, struct str name)
{
	const struct filter_table *table = p->filter->table;
	size_t start = p->at, op_at = start + name.n;
	unsigned field = filter_field_named(table, name), like;
	const char *op = operator_at(p, op_at);
	const struct filter_field *f = field_of(p, field);
	struct filter_term *t;

	/* in a line beside what is typed there is room for some names; all are in the
	 * manual */
	if (field == table->count) {
		like = filter_field_like(table, name);
		return fail(p, start,
			like < table->count ? "no field \"%.*s\": %s?"
					    : "no field \"%.*s\": %s, …",
			(int)(name.n < 32 ? name.n : 32), name.p,
			like < table->count ? table->fields[like].name : table->common);
	}
	p->at = op_at + strlen(op);
	if (f->kind == FILTER_FLAG)
		return fail(p, op_at, "%s stands alone: expected a blank", f->name);
	if (f->kind == FILTER_NUMBER) {
		t = read_term(p, field, op_at, false);
		return t && set_number(p, t, op);
	}
	if (op[0] == '>' || op[0] == '<')
		return fail(p, op_at, "%s is a text: expected : = or !=", f->name);
	if (op[0] == '!')
		push(p, OP_NOT, op_at);
	t = read_term(p, field, op_at, f->kind != FILTER_PATH || !is_path(p));
	return t && set_text(p, t, op[0] != ':');
}

/* ---- the whole ---- */

static bool read_operand(struct parsing *p)
{
	const struct filter_table *table = p->filter->table;
	size_t where = p->at, n = p->at;
	unsigned field = table->count;
	struct filter_term *t;
	int c = peek(p);

	if (c == '-' || c == '!' || take_word(p, "not")) {
		p->at += c == '-' || c == '!';
		push(p, OP_NOT, where);
		return true;
	}
	if (c == '(') {
		push(p, OP_OPEN, p->at++);
		return true;
	}
	if (c == ')' || c == '|' || take_word(p, "or") || take_word(p, "and"))
		return fail(
			p, where, "expected a term: a word, or a field and its value");
	while (n < p->text.n && ((p->text.p[n] >= 'a' && p->text.p[n] <= 'z') ||
					(p->text.p[n] >= 'A' && p->text.p[n] <= 'Z') ||
					p->text.p[n] == '_' || p->text.p[n] == '.'))
		n++;
	if (n > p->at && operator_at(p, n))
		return read_field_term(p, (struct str){p->text.p + p->at, n - p->at});
	/* a flag, or a text to be found anywhere */
	t = read_term(p, table->anywhere, p->at, true);
	if (t && !p->quote)
		field = filter_field_named(table, buf_view(&p->value));
	if (!t || field == table->count || table->fields[field].kind != FILTER_FLAG)
		return t && set_text(p, t, false);
	t->field = field;
	t->test = TEST_FLAG;
	return true;
}

static bool parse(struct parsing *p)
{
	for (;;) {
		while (p->at < p->text.n && str_is_space(p->text.p[p->at]))
			p->at++;
		if (p->at == p->text.n)
			break;
		if (p->wants_operand) {
			if (!read_operand(p))
				return false;
		} else if (peek(p) == ')') {
			settle(p, OP_OR);
			if (!p->depth || p->stack[p->depth - 1].op != OP_OPEN)
				return fail(p, p->at, "no parenthesis is open here");
			p->depth--;
			p->at++;
			end_operand(p);
		} else if (peek(p) == '|') {
			join(p, OP_OR);
			p->at++;
		} else if (take_word(p, "or")) {
			join(p, OP_OR);
		} else { /* also without an operator between the terms */
			take_word(p, "and");
			join(p, OP_AND);
		}
	}
	if (p->wants_operand)
		return fail(
			p, p->at, "expected a term: a word, or a field and its value");
	settle(p, OP_OR);
	if (p->depth)
		return fail(p, p->stack[p->depth - 1].where,
			"expected ) to close this parenthesis");
	return true;
}

struct filter *filter_new(
	const struct filter_table *table, struct str text, struct err *err)
{
	struct filter *f = mem_zalloc(1, sizeof(*f));
	struct parsing p = {.text = text, .filter = f, .wants_operand = true, .err = err};

	f->table = table;
	if (!parse(&p)) {
		filter_free(f);
		f = NULL;
	}
	mem_free(p.stack);
	buf_done(&p.value);
	return f;
}

void filter_free(struct filter *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->count; i++) {
		query_free(f->terms[i].query);
		buf_done(&f->terms[i].text);
	}
	mem_free(f->program);
	mem_free(f);
}

/* ---- tests ---- */

static bool take_first(void *ctx, uint64_t from, uint64_t to)
{
	return false;
}

bool filter_test_text(
	const struct filter_term *t, struct str text, struct filter_budget *time_left)
{
	struct query_run run;
	bool found;

	if (t->test == TEST_IS)
		return str_equal(text, buf_view(&t->text));
	if (t->test != TEST_HOLDS)
		return !text.n;
	query_begin(&run, t->query);
	run.each = take_first;
	run.time_left = time_left->left;
	query_text(&run, text);
	time_left->left = run.time_left;
	time_left->gave_up += run.gave_up;
	found = run.hits > 0;
	query_done(&run);
	return found;
}

bool filter_test_number(const struct filter_term *t, double n)
{
	if (isnan(n))
		return false;
	if (t->test == TEST_OTHER)
		return n != t->low;
	return (t->above ? n > t->low : n >= t->low) &&
	       (t->below ? n < t->high : n <= t->high);
}

enum filter_result filter_decide(
	const struct filter *f, const enum filter_result of[FILTER_TERMS])
{
	enum filter_result stack[FILTER_TERMS + 1] = {FILTER_UNKNOWN};
	size_t n = 0; /* the parser sees to it that operators find their operands */

	for (size_t i = 0; i < f->length; i++) {
		unsigned char op = f->program[i];
		enum filter_result *a, b;
		enum filter_result strong = op == OP_AND ? FILTER_NO : FILTER_YES;

		if (op < FILTER_TERMS) {
			stack[n++] = of[op];
		} else if (op == OP_NOT) {
			a = &stack[n - 1];
			if (*a != FILTER_UNKNOWN)
				*a = *a == FILTER_YES ? FILTER_NO : FILTER_YES;
		} else {
			b = stack[--n];
			a = &stack[n - 1];
			if (*a == strong || b == strong)
				*a = strong;
			else if (b == FILTER_UNKNOWN)
				*a = b;
		}
	}
	return stack[0];
}

bool filter_holds(const struct filter *f, filter_value_fn *value, void *context)
{
	enum filter_result of[FILTER_TERMS];

	for (size_t i = 0; i < f->count; i++) {
		const struct filter_term *t = &f->terms[i];
		struct filter_value v = value(context, t->field);
		struct filter_budget time_left = {FILTER_TIME_LIMIT, 0};
		bool yes = false;

		switch (f->table->fields[t->field].kind) {
		case FILTER_TEXT:
		case FILTER_PATH:
		case FILTER_WHOLE:
			yes = filter_test_text(t, v.text, &time_left);
			break;
		case FILTER_NUMBER:
			yes = filter_test_number(t, v.number);
			break;
		case FILTER_FLAG:
			yes = v.flag;
			break;
		}
		of[i] = yes ? FILTER_YES : FILTER_NO;
	}
	return filter_decide(f, of) == FILTER_YES;
}
