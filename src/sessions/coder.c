/* See coder.h. */
#include "config.h"
#include "sessions/coder.h"

#include <math.h>
#include <stddef.h>

#include "base/mem.h"

#define MS_MOST  8e15 /* milliseconds that a double counts one by one */
#define INT_MOST (UINT64_C(1) << 52)

/* ---- numbers ---- */

static void code_bytes(struct coder *c, void *p, size_t n)
{
	if (c->out) {
		buf_add(c->out, p, n);
	} else if ((size_t)(c->end - c->at) < n) {
		c->bad = true;
		memset(p, 0, n);
	} else {
		memcpy(p, c->at, n);
		c->at += n;
	}
}

/* Seven bits a byte, the lowest first. */
void coder_number(struct coder *c, uint64_t *n)
{
	uint64_t v = *n;
	unsigned char byte;

	for (; c->out && v > 127; v >>= 7)
		buf_byte(c->out, (char)(v | 128));
	if (c->out) {
		buf_byte(c->out, (char)v);
		return;
	}
	*n = 0;
	for (unsigned bits = 0; bits < 64; bits += 7) {
		if (c->at == c->end)
			break;
		byte = (unsigned char)*c->at++;
		*n |= (uint64_t)(byte & 127) << bits;
		if (byte < 128)
			return;
	}
	c->bad = true;
}

/* Whole ones, which most are, as twice that; NaN as 1; others as 3 and their bytes. */
static void code_double(struct coder *c, double *d)
{
	uint64_t n = 3;

	if (c->out && isnan(*d))
		n = 1;
	else if (c->out && *d >= 0 && *d < (double)INT_MOST && !signbit(*d) &&
		 *d == (double)(uint64_t)*d)
		n = (uint64_t)*d * 2;
	coder_number(c, &n);
	if (n == 3)
		code_bytes(c, d, sizeof(*d));
	else if (!c->out)
		*d = n == 1 ? NAN : (double)(n >> 1);
}

/* A count of things that take a byte at least. */
static size_t code_count(struct coder *c, size_t count)
{
	uint64_t n = count;

	coder_number(c, &n);
	if (!c->out && n > (uint64_t)(c->end - c->at)) {
		c->bad = true;
		return 0;
	}
	return (size_t)n;
}

/* ---- texts ---- */

static struct str code_view(struct coder *c, struct str text)
{
	text.n = code_count(c, text.n);
	if (c->out) {
		buf_str(c->out, text);
	} else {
		text.p = c->at;
		c->at += text.n;
	}
	return text;
}

static void code_text(struct coder *c, struct buf *text)
{
	struct str got = code_view(c, buf_view(text));

	if (!c->out)
		buf_str(text, got);
}

/* That the program knows as long as it runs. */
static struct str code_name(struct coder *c, struct str name)
{
	struct str got = code_view(c, name);

	return c->out || !got.n ? got : intern_get(c->names, intern_add(c->names, got));
}

/* ---- what requests took ---- */

enum { ITEM_ESTIMATED = 1, ITEM_FAILED = 2, ITEM_REQUEST = 4, ITEM_MS = 8 };

static uint8_t flags_of(const struct usage_item *i)
{
	bool ms = fabs(i->at) < MS_MOST / 1000 && round(i->at * 1000) / 1000 == i->at;

	return (uint8_t)((i->estimated ? ITEM_ESTIMATED : 0) |
			 (i->failed ? ITEM_FAILED : 0) | (i->request ? ITEM_REQUEST : 0) |
			 (ms ? ITEM_MS : 0));
}

/* As the milliseconds since the one before, either way. */
static void code_moment(struct coder *c, double *at, int64_t *last)
{
	int64_t more = c->out ? (int64_t)round(*at * 1000) - *last : 0;
	uint64_t n = more < 0 ? ((uint64_t)-more << 1) - 1 : (uint64_t)more << 1;

	coder_number(c, &n);
	more = n & 1 ? -(int64_t)((n >> 1) + 1) : (int64_t)(n >> 1);
	*last = (int64_t)((uint64_t)*last + (uint64_t)more);
	if (!c->out)
		*at = (double)*last / 1000;
}

static void code_item(struct coder *c, struct usage_item *i, int64_t *last)
{
	double *const figures[] = {&i->tokens.fresh, &i->tokens.cache_read,
		&i->tokens.cache_write, &i->tokens.cache_hour, &i->tokens.output,
		&i->cost};
	uint8_t flags = flags_of(i);
	uint64_t model = i->model;

	code_bytes(c, &flags, 1);
	if (flags & ITEM_MS)
		code_moment(c, &i->at, last);
	else
		code_bytes(c, &i->at, sizeof(i->at));
	for (size_t k = 0; k < sizeof(figures) / sizeof(*figures); k++)
		code_double(c, figures[k]);
	if (flags & ITEM_REQUEST)
		code_bytes(c, &i->request, sizeof(i->request));
	coder_number(c, &model);
	if (c->out)
		return;
	i->model = (uint32_t)model;
	i->estimated = flags & ITEM_ESTIMATED;
	i->failed = flags & ITEM_FAILED;
}

static void code_usage(struct coder *c, struct usage *u)
{
	size_t models = code_count(c, u->models.count), count;
	int64_t last = 0;

	for (size_t i = 0; i < models && !c->bad; i++) {
		struct str model = code_view(c, intern_get(&u->models, (uint32_t)i));

		if (!c->out)
			c->bad |= intern_add(&u->models, model) != i;
	}
	count = code_count(c, u->count);
	if (!c->out && count) {
		u->items = mem_zalloc(count, sizeof(*u->items));
		u->count = u->cap = count;
	}
	for (size_t i = 0; i < count && !c->bad; i++) {
		code_item(c, &u->items[i], &last);
		c->bad |= u->items[i].model >= models;
	}
}

/* ---- all of it ---- */

enum kind { FLAG, NUMBER, SIZE, DOUBLE, TEXT, NAME, TOOL, PHASE };

/* But the usage, and the failure: a summary with one is not written. */
static const struct coded_member {
	enum kind kind;
	size_t at;
} members[] = {
#define MEMBER(kind, name)                                                               \
	{                                                                                \
		kind, offsetof(struct summary, name)                                     \
	}
	MEMBER(FLAG, readable),
	MEMBER(NAME, format),
	MEMBER(TOOL, tool),
	MEMBER(NUMBER, totals.steps),
	MEMBER(NUMBER, totals.errors),
	MEMBER(DOUBLE, totals.input_tokens),
	MEMBER(DOUBLE, totals.output_tokens),
	MEMBER(DOUBLE, totals.cost),
	MEMBER(DOUBLE, totals.latency),
	MEMBER(DOUBLE, totals.cache_read),
	MEMBER(DOUBLE, totals.cache_write),
	MEMBER(DOUBLE, context),
	MEMBER(DOUBLE, window),
	MEMBER(NUMBER, size),
	MEMBER(SIZE, chains),
	MEMBER(TEXT, id),
	MEMBER(TEXT, title),
	MEMBER(TEXT, folder),
	MEMBER(TEXT, parts),
	MEMBER(TEXT, beside),
	MEMBER(DOUBLE, start),
	MEMBER(PHASE, state),
	MEMBER(TEXT, doing),
	MEMBER(DOUBLE, since),
#undef MEMBER
};

static void code_whole(struct coder *c, enum kind kind, void *p)
{
	enum session_phase *phase = p;
	size_t *size = p;
	bool *flag = p;
	uint64_t n = kind == FLAG ? *flag : kind == PHASE ? *phase : *size;

	coder_number(c, &n);
	if (kind == FLAG)
		*flag = n;
	else if (kind == PHASE)
		*phase = n > STATE_WAITING ? STATE_UNKNOWN : (enum session_phase)n;
	else
		*size = (size_t)n;
}

static void code_member(struct coder *c, enum kind kind, void *p)
{
	struct str *tool = p;
	const char **name = p;
	struct str text;

	switch (kind) {
	case FLAG:
	case SIZE:
	case PHASE:
		code_whole(c, kind, p);
		break;
	case NUMBER:
		coder_number(c, p);
		break;
	case DOUBLE:
		code_double(c, p);
		break;
	case TEXT:
		code_text(c, p);
		break;
	case NAME:
		text = code_name(c, *name ? str_of(*name) : STR(""));
		*name = text.n ? text.p : NULL;
		break;
	case TOOL:
		*tool = code_name(c, *tool);
		break;
	}
}

void coder_summary(struct coder *c, struct summary *s)
{
	for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++)
		code_member(c, members[i].kind, (char *)s + members[i].at);
	code_usage(c, &s->usage);
}
