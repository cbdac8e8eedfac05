/*
 * The structural scan (see scan.h).  A block of 64 bytes becomes bit masks; most
 * blocks of a trace lie inside a long string and cost two comparisons, in a loop so small
 * that it stays in registers: this loop is the cost of reading a file.  In containers
 * that the consumer does not look into only brackets are counted; in the others each
 * structural byte is one step of a small state machine.
 */
#include "config.h"
#include "json/scan.h"

#include "base/work.h"

enum expect {
	EXPECT_TOP,            /* a value, between top-level values */
	EXPECT_VALUE_OR_CLOSE, /* after '[' */
	EXPECT_VALUE,          /* after ':', or after ',' in an array */
	EXPECT_KEY_OR_CLOSE,   /* after '{' */
	EXPECT_KEY,            /* after ',' in an object */
	EXPECT_COLON,
	EXPECT_COMMA, /* or the closing bracket */
};

/* The masks of one block. */
struct view {
	const char *bytes;
	uint64_t base; /* offset of byte 0 */
	struct byte_block block;
	uint64_t inside, quotes;
	uint64_t lines; /* the line feeds, if the consumer asks for them */
};

void scan_begin(struct scan *s, const struct scan_ops *ops, void *ctx, uint64_t at)
{
	*s = (struct scan){.ops = ops, .ctx = ctx, .at = at};
}

void scan_halt(struct scan *s)
{
	if (s->status == SCAN_RUNNING)
		s->status = SCAN_HALTED;
}

void scan_seek(struct scan *s, uint64_t at, unsigned depth)
{
	struct scan_frame *f;

	if (depth < s->depth)
		s->depth = depth;
	f = &s->frames[s->depth];
	f->expect = !s->depth                  ? EXPECT_TOP
		    : f->item.kind == J_OBJECT ? EXPECT_KEY_OR_CLOSE
					       : EXPECT_VALUE_OR_CLOSE;
	s->status = SCAN_RUNNING;
	s->at = at;
	s->strings = (struct block_strings){0};
	s->scalar = s->skip = 0;
	s->in_key = false;
	s->now = (struct scan_item){0};
	s->pending_len = 0;
}

static void fail(struct scan *s, uint64_t at)
{
	static const char *const wanted[] = {
		[EXPECT_TOP] = "expected a value",
		[EXPECT_VALUE_OR_CLOSE] = "expected a value or ']'",
		[EXPECT_VALUE] = "expected a value",
		[EXPECT_KEY_OR_CLOSE] = "expected a key or '}'",
		[EXPECT_KEY] = "expected a key",
		[EXPECT_COLON] = "expected ':'",
	};
	const struct scan_frame *f = &s->frames[s->depth];

	s->status = SCAN_BROKEN;
	s->fault_at = at;
	s->fault = f->expect != EXPECT_COMMA  ? wanted[f->expect]
		   : f->item.kind == J_OBJECT ? "expected ',' or '}'"
					      : "expected ',' or ']'";
}

/* A value begins; false when none may begin here. */
static bool begin_value(struct scan *s, enum jkind kind, uint64_t at)
{
	struct scan_frame *f = &s->frames[s->depth];

	if (f->expect > EXPECT_VALUE) {
		fail(s, at);
		return false;
	}
	s->now.kind = kind;
	s->now.depth = s->depth;
	s->now.start = at;
	s->now.end = 0;
	s->now.index = f->count++;
	s->now.children = 0;
	return true;
}

/* Resets what begin_value does not set. */
static void forget_value(struct scan *s)
{
	s->now.kind = J_NONE;
	s->now.keyed = false;
	s->now.key = s->now.key_end = 0;
}

static void end_value(struct scan *s, uint64_t end)
{
	s->frames[s->depth].expect = s->depth ? EXPECT_COMMA : EXPECT_TOP;
	s->now.end = end;
	s->ops->value(s->ctx, &s->now);
	forget_value(s);
}

static void open_container(struct scan *s, char c, uint64_t at)
{
	struct scan_frame *f;

	if (!begin_value(s, c == '{' ? J_OBJECT : J_ARRAY, at))
		return;
	if (s->depth == SCAN_DEPTH || !s->ops->open(s->ctx, &s->now)) {
		s->skip = 1;
		return;
	}
	f = &s->frames[++s->depth];
	*f = (struct scan_frame){.item = s->now,
		.expect = s->now.kind == J_OBJECT ? EXPECT_KEY_OR_CLOSE
						  : EXPECT_VALUE_OR_CLOSE};
	forget_value(s);
}

/* A comma before the closing bracket is allowed here; json/check reports it. */
static void close_container(struct scan *s, char c, uint64_t at)
{
	struct scan_frame *f = &s->frames[s->depth];
	bool matches = s->depth && (f->item.kind == J_OBJECT) == (c == '}');

	if (!matches || f->expect == EXPECT_COLON ||
		(f->expect == EXPECT_VALUE && f->item.kind == J_OBJECT)) {
		fail(s, at);
		return;
	}
	s->now = f->item;
	s->now.children = f->count;
	s->depth--;
	end_value(s, at + 1);
}

static void separator(struct scan *s, char c, uint64_t at)
{
	struct scan_frame *f = &s->frames[s->depth];

	if (c == ':' && f->expect == EXPECT_COLON)
		f->expect = EXPECT_VALUE;
	else if (c == ',' && f->expect == EXPECT_COMMA)
		f->expect = f->item.kind == J_OBJECT ? EXPECT_KEY : EXPECT_VALUE;
	else
		fail(s, at);
}

static void close_string(struct scan *s, uint64_t at)
{
	if (!s->in_key) {
		end_value(s, at + 1);
		return;
	}
	s->in_key = false;
	s->now.keyed = true;
	s->now.key = s->start + 1;
	s->now.key_end = at;
	s->frames[s->depth].expect = EXPECT_COLON;
}

static bool line_goes_on(struct scan *s, uint64_t at)
{
	if (s->ops->newline(s->ctx, at))
		return true;
	if (s->status == SCAN_RUNNING) {
		s->status = SCAN_CUT;
		s->fault_at = at;
		s->fault = "the line ends inside a value";
	}
	return false;
}

/*
 * Balances brackets from bit `from` on; returns the bit after the one that ends
 * the skipped container, or BLOCK.
 */
static unsigned skip_bits(struct scan *s, const struct view *v, unsigned from)
{
	uint64_t keep = from < BLOCK ? ~(uint64_t)0 << from : 0;
	uint64_t open = block_open(&v->block) & ~v->inside & keep;
	uint64_t close = block_close(&v->block) & ~v->inside & keep;
	uint64_t lines = v->lines & keep, bits;

	if (!lines && block_count(close) < s->skip) {
		s->skip += block_count(open);
		s->skip -= block_count(close);
		return BLOCK;
	}
	for (bits = open | close | lines; bits; bits &= bits - 1) {
		unsigned i = block_first(bits);

		if (open >> i & 1) {
			s->skip++;
		} else if (lines >> i & 1) {
			if (!line_goes_on(s, v->base + i))
				return BLOCK;
		} else if (--s->skip == 0) {
			end_value(s, v->base + i + 1);
			return i + 1;
		}
	}
	return BLOCK;
}

/*
 * The string that begins at bit i.  One that ends in the same block is taken as a whole,
 * with the colon or comma after it: most keys and short values are so.  Returns the last
 * bit that was taken.
 */
static unsigned begin_string(struct scan *s, const struct view *v, unsigned i)
{
	uint64_t after = v->quotes & ~(uint64_t)1 << i;
	struct scan_frame *f = &s->frames[s->depth];
	unsigned end;
	char c;

	s->start = v->base + i;
	s->in_key = f->expect == EXPECT_KEY_OR_CLOSE || f->expect == EXPECT_KEY;
	if (!s->in_key)
		begin_value(s, J_STRING, s->start);
	if (!after || v->lines || s->status != SCAN_RUNNING)
		return i;
	end = block_first(after);
	close_string(s, v->base + end);
	if (end + 1 == BLOCK || s->status != SCAN_RUNNING)
		return end;
	c = v->bytes[end + 1];
	if (c != ':' && c != ',')
		return end;
	separator(s, c, v->base + end + 1);
	return end + 1;
}

/* The byte at bit i, which is structural or begins a scalar; returns the last bit that
 * was taken. */
static unsigned structural(struct scan *s, const struct view *v, unsigned i)
{
	char c = v->bytes[i];
	uint64_t at = v->base + i;

	switch (c) {
	case '{':
	case '[':
		open_container(s, c, at);
		break;
	case '}':
	case ']':
		close_container(s, c, at);
		break;
	case '"':
		if (v->inside >> i & 1)
			return begin_string(s, v, i);
		close_string(s, at);
		break;
	case ',':
	case ':':
		separator(s, c, at);
		break;
	case '\n':
		if (s->depth || v->inside >> i & 1)
			line_goes_on(s, at);
		break;
	default:
		begin_value(s,
			c == 't'                                              ? J_TRUE
			: c == 'f'                                            ? J_FALSE
			: c == 'n'                                            ? J_NULL
			: c == '-' || str_is_digit(c) || c == 'N' || c == 'I' ? J_NUMBER
									      : J_BAD,
			at);
	}
	return i;
}

/* Steps from bit to bit until the block ends, the scan stops, or a container is to be
 * skipped. */
static unsigned look_bits(struct scan *s, const struct view *v, unsigned from)
{
	const struct byte_block *b = &v->block;
	const struct scan_ops *ops = s->ops;
	uint64_t keep = ~(uint64_t)0 << from;
	uint64_t marks = block_marks(b) & ~v->inside;
	uint64_t rest = ~(marks | v->inside | v->quotes) & keep;
	uint64_t scalar = rest ? rest & ~block_space(b) : 0;
	uint64_t shifted = scalar << 1 | (from ? 0 : s->scalar);
	uint64_t ends = ~scalar & shifted & keep;
	uint64_t bytes = (marks | v->quotes | v->lines | (scalar & ~shifted)) & keep;
	uint64_t bits = bytes | ends;

	s->scalar = scalar >> (BLOCK - 1);
	while (bits) {
		unsigned i = block_first(bits), last = i;

		if (ends >> i & 1)
			end_value(s, v->base + i);
		if (s->status == SCAN_RUNNING && s->ops != ops) {
			s->scalar = 0; /* what the byte begins is asked by the new ones */
			return i;
		}
		if (s->status == SCAN_RUNNING && bytes >> i & 1)
			last = structural(s, v, i);
		if (s->status != SCAN_RUNNING)
			return BLOCK;
		if (s->skip || s->ops != ops) {
			s->scalar = 0;
			return last + 1;
		}
		bits &= ~(uint64_t)1 << last;
	}
	return BLOCK;
}

/*
 * Passes over blocks that are wholly inside a string, as most of a trace is, up to the
 * block of byte `line`.  Returns the offset of the first other block, with its unescaped
 * quotes, or of the bytes that do not fill a block.
 */
static size_t pass_blocks(
	struct scan *s, const char *bytes, size_t n, size_t line, uint64_t *quotes)
{
	const uint64_t outside = ~s->strings.inside;
	uint64_t escape = s->strings.escape;
	size_t i = 0;

	for (; n - i >= BLOCK; i += BLOCK) {
		struct byte_block b = block_load(bytes + i);

		*quotes = block_unescaped(&b, &escape);
		if ((*quotes | outside) || line - i < BLOCK)
			break;
	}
	s->strings.escape = escape;
	return i;
}

/* `one_line`: known to hold no line feed. */
static void look_at_block(
	struct scan *s, const char *bytes, uint64_t quotes, bool one_line)
{
	struct view v = {.bytes = bytes,
		.base = s->at,
		.block = block_load(bytes),
		.inside = block_inside(quotes, &s->strings),
		.quotes = quotes};
	unsigned from = 0;

	while (from < BLOCK && s->status == SCAN_RUNNING) {
		v.lines = s->ops->newline && !one_line ? block_eq(&v.block, '\n') : 0;
		from = s->skip ? skip_bits(s, &v, from) : look_bits(s, &v, from);
	}
	if (s->status == SCAN_RUNNING)
		s->at += BLOCK;
}

/*
 * All whole blocks of the bytes, unless the scan stops; returns how many bytes it took.
 * Line feeds are searched by memchr, which is cheaper than a mask of each block.
 */
static size_t take_blocks(struct scan *s, const char *bytes, size_t n)
{
	uint64_t quotes = 0;
	size_t i = 0, passed, line = 0; /* the next line feed, or SIZE_MAX */

	while (n - i >= BLOCK && s->status == SCAN_RUNNING) {
		const bool lines = s->ops->newline;

		if (lines && line <= i) {
			const char *p = memchr(bytes + i, '\n', n - i);

			line = p ? (size_t)(p - bytes) : SIZE_MAX;
		} else if (!lines) {
			line = 0;
		}
		passed = pass_blocks(
			s, bytes + i, n - i, lines ? line - i : SIZE_MAX, &quotes);
		s->at += passed;
		i += passed;
		if (n - i < BLOCK)
			break;
		look_at_block(s, bytes + i, quotes, lines && line - i >= BLOCK);
		i += BLOCK;
	}
	return i;
}

/* Fills the pending block; returns how many bytes it took. */
static size_t fill_pending(struct scan *s, const char *bytes, size_t n)
{
	size_t room = BLOCK - s->pending_len, take = n < room ? n : room;

	memcpy(s->pending + s->pending_len, bytes, take);
	s->pending_len += take;
	if (s->pending_len == BLOCK) {
		s->pending_len = 0;
		take_blocks(s, s->pending, BLOCK);
	}
	return take;
}

bool scan_feed(struct scan *s, const char *bytes, size_t n)
{
	size_t i = 0;

	count_work(WORK_SCAN, n);
	if (s->pending_len && s->status == SCAN_RUNNING)
		i = fill_pending(s, bytes, n);
	i += take_blocks(s, bytes + i, n - i);
	if (s->status == SCAN_RUNNING && i < n)
		fill_pending(s, bytes + i, n - i);
	return s->status == SCAN_RUNNING;
}

/* Blanks fill the block up: they change nothing, inside a string or not. */
static bool take_pending(struct scan *s)
{
	uint64_t end = s->at + s->pending_len;

	memset(s->pending + s->pending_len, ' ', BLOCK - s->pending_len);
	s->pending_len = 0;
	take_blocks(s, s->pending, BLOCK);
	if (s->status != SCAN_RUNNING)
		return false;
	s->at = end;
	return true;
}

bool scan_flush(struct scan *s)
{
	/* after these a blank neither ends a number or a word nor is escaped */
	if (s->status != SCAN_RUNNING || !s->pending_len ||
		!memchr("}] \n\r\t", s->pending[s->pending_len - 1], 6))
		return false;
	take_pending(s);
	return true;
}

bool scan_finish(struct scan *s)
{
	uint64_t end = s->at + s->pending_len;

	if (s->status != SCAN_RUNNING || !take_pending(s))
		return false;
	if (s->depth || s->skip || s->strings.inside) {
		s->status = SCAN_CUT;
		s->fault_at = end;
		s->fault = "the text ends inside a value";
		return false;
	}
	s->status = SCAN_ENDED;
	return true;
}
