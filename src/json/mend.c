/* Mending JSON that was made by hand: see check.h. */
#include "config.h"
#include "json/check.h"

#include "base/mem.h"
#include "json/block.h"
#include "json/cursor.h"

enum mend_want {
	WANT_TOP,    /* a value, between top-level values */
	WANT_FIRST,  /* after an opening bracket */
	WANT_NEXT,   /* after a comma */
	WANT_COLON,  /* after a key */
	WANT_MEMBER, /* after a colon */
	WANT_COMMA,  /* after a value: a comma or the closing bracket */
};

struct mend {
	const char *start, *p, *end;
	struct buf *out;
	struct json_report *report;
	struct json_nest nest;
	enum mend_want want;
	struct {
		size_t written;
		const char *read;
	} comma; /* the last one */
};

static bool broken(struct mend *m, const char *text)
{
	m->report->verdict = VERDICT_BROKEN;
	m->report->truncated = m->p == m->end;
	m->report->offset = (uint64_t)(m->p - m->start);
	m->report->text = text;
	return false;
}

/* Mends may come out of order: whether a comma is one too many is known only after the
 * comments that follow it. */
static void mended(struct mend *m, const char *at, const char *text, uint64_t *count)
{
	struct json_report *r = m->report;
	uint64_t offset = (uint64_t)(at - m->start);

	++*count;
	if (r->verdict == VERDICT_TOLERATED && r->offset <= offset)
		return;
	r->verdict = VERDICT_TOLERATED;
	r->offset = offset;
	r->text = text;
}

static void copy_to(struct mend *m, const char *end)
{
	buf_add(m->out, m->p, (size_t)(end - m->p));
	m->p = end;
}

/* Blanks and comments. */
static bool take_blanks(struct mend *m)
{
	while (m->p < m->end && (str_is_space(*m->p) || *m->p == '/')) {
		const char *end = m->p;

		while (end < m->end && str_is_space(*end))
			end++;
		copy_to(m, end);
		if (m->p == m->end || *m->p != '/')
			continue;
		end = NULL;
		if (m->end - m->p > 1 && m->p[1] == '/') {
			end = memchr(m->p, '\n', (size_t)(m->end - m->p));
			end = end ? end : m->end;
		} else if (m->end - m->p > 1 && m->p[1] == '*') {
			end = memmem(m->p + 2, (size_t)(m->end - m->p) - 2, "*/", 2);
			end = end ? end + 2 : NULL;
		}
		if (!end)
			return broken(m, "expected a comment that ends");
		mended(m, m->p, "comment", &m->report->comments);
		for (; m->p < end; m->p++)
			buf_byte(m->out, str_is_space(*m->p) ? *m->p : ' ');
	}
	return true;
}

/* ---- strings, keys and words ---- */

static bool take_string(struct mend *m)
{
	const char *p = m->p + 1;

	while (p < m->end && *p != '"')
		p += *p == '\\' && m->end - p > 1 ? 2 : 1;
	if (p >= m->end) {
		m->p = m->end;
		return broken(m, "expected the end of the string");
	}
	copy_to(m, p + 1);
	return true;
}

static bool take_single(struct mend *m)
{
	mended(m, m->p, "string in single quotes", &m->report->quotes);
	buf_byte(m->out, '"');
	for (m->p++; m->p < m->end && *m->p != '\'';) {
		if (*m->p == '"') {
			buf_text(m->out, "\\\"");
			m->p++;
		} else if (*m->p == '\n') {
			break;
		} else if (*m->p != '\\') {
			copy_to(m, m->p + 1);
		} else if (m->end - m->p > 1 && m->p[1] == '\'') {
			m->p++;
			copy_to(m, m->p + 1);
		} else if (m->end - m->p > 1 && m->p[1] &&
			   strchr("\"\\/bfnrtu", m->p[1])) {
			copy_to(m, m->p + 2);
		} else {
			break;
		}
	}
	if (m->p == m->end || *m->p != '\'')
		return broken(m, "expected the end of the string");
	buf_byte(m->out, '"');
	m->p++;
	return true;
}

static bool take_key(struct mend *m)
{
	const char *end = m->p;

	m->want = WANT_COLON;
	if (*m->p == '"')
		return take_string(m);
	if (*m->p == '\'')
		return take_single(m);
	while (end < m->end && (str_is_name((struct str){end, 1}, '$') ||
				       (end > m->p && str_is_digit(*end))))
		end++;
	if (end == m->p)
		return broken(m, "expected a key");
	mended(m, m->p, "key without quotes", &m->report->keys);
	buf_byte(m->out, '"');
	copy_to(m, end);
	buf_byte(m->out, '"');
	return true;
}

/* ---- values ---- */

static bool take_value(struct mend *m)
{
	const char *end = m->p;
	char c = *m->p;

	if (c == '{' || c == '[') {
		json_nest_push(&m->nest, c == '{');
		copy_to(m, m->p + 1);
		m->want = WANT_FIRST;
		return true;
	}
	m->want = m->nest.depth ? WANT_COMMA : WANT_TOP;
	if (c == '"' || c == '\'')
		return c == '"' ? take_string(m) : take_single(m);
	while (end < m->end && *end && !strchr(" \t\r\n,:[]{}\"'/", *end))
		end++;
	if (end == m->p ||
		jv_scalar((struct str){m->p, (size_t)(end - m->p)}).kind == J_BAD)
		return broken(m, "expected a value");
	copy_to(m, end);
	return true;
}

static bool closes(const struct mend *m)
{
	return m->nest.depth && *m->p == (json_nest_object(&m->nest) ? '}' : ']');
}

static bool close_container(struct mend *m)
{
	if (m->want == WANT_NEXT) {
		m->out->data[m->comma.written] = ' ';
		mended(m, m->comma.read, "comma before a closing bracket",
			&m->report->commas);
	}
	copy_to(m, m->p + 1);
	m->nest.depth--;
	m->want = m->nest.depth ? WANT_COMMA : WANT_TOP;
	return true;
}

static bool take_mark(struct mend *m, char c, enum mend_want next)
{
	if (*m->p != c)
		return broken(m, c == ':' ? "expected ':'" : "expected ','");
	m->comma.written = m->out->len;
	m->comma.read = m->p;
	copy_to(m, m->p + 1);
	m->want = next;
	return true;
}

/* One token; m->p is at a byte that is not blank. */
static bool take_token(struct mend *m)
{
	switch (m->want) {
	case WANT_FIRST:
	case WANT_NEXT:
		if (closes(m))
			return close_container(m);
		return json_nest_object(&m->nest) ? take_key(m) : take_value(m);
	case WANT_COLON:
		return take_mark(m, ':', WANT_MEMBER);
	case WANT_COMMA:
		return closes(m) ? close_container(m) : take_mark(m, ',', WANT_NEXT);
	default:
		return take_value(m);
	}
}

void json_mend(struct str text, struct buf *out, struct json_report *report)
{
	struct mend m = {.start = text.p,
		.p = text.p,
		.end = text.p + text.n,
		.out = out,
		.report = report};
	bool going = true;

	*report = (struct json_report){.verdict = VERDICT_STRICT, .text = ""};
	buf_reserve(out, text.n + text.n / 16);
	if (str_starts(text, STR("\xEF\xBB\xBF")))
		copy_to(&m, m.p + 3);
	while (going && take_blanks(&m) && m.p < m.end)
		going = take_token(&m);
	if (report->verdict != VERDICT_BROKEN && m.want != WANT_TOP)
		broken(&m, "expected the end of the value");
	mem_free(m.nest.bits);
}

/* ---- lines ---- */

void json_mend_lines(struct str text, struct buf *out, struct json_report *report)
{
	size_t at = 0;

	*report = (struct json_report){.verdict = VERDICT_STRICT, .text = ""};
	while (at < text.n) {
		const char *p = text.p + at, *lf = memchr(p, '\n', text.n - at);
		struct str line = {p, lf ? (size_t)(lf - p) : text.n - at};
		struct json_report r = {.verdict = VERDICT_STRICT};
		size_t before = out->len;

		if (str_trim(line).n && !json_is_whole(line, NULL))
			json_mend(line, out, &r);
		if (r.verdict != VERDICT_TOLERATED) {
			out->len = before;
			buf_str(out, line);
		} else {
			if (report->verdict == VERDICT_STRICT) {
				report->verdict = VERDICT_TOLERATED;
				report->offset = at + r.offset;
				report->text = r.text;
			}
			report->commas += r.commas;
			report->comments += r.comments;
			report->quotes += r.quotes;
			report->keys += r.keys;
		}
		if (lf)
			buf_byte(out, '\n');
		at += line.n + (lf ? 1 : 0);
	}
}

/* ---- quick search for what can be mended ---- */

bool json_hand_made(struct str text)
{
	struct block_strings strings = {0};
	uint64_t comma = 0; /* carried from block to block */

	for (size_t i = 0; i < text.n; i += BLOCK) {
		struct byte_block b = block_load_part(text.p + i, text.n - i);
		uint64_t inside, commas, blanks, after, sum;

		block_quotes(&b, &strings, &inside);
		commas = block_eq(&b, ',') & ~inside;
		blanks = block_space(&b) & ~inside;
		/* The bytes that follow a comma, blanks aside: an addition carries the bit
		 * after a comma up through the blanks to the first byte that is not blank. */
		after = commas << 1 | comma;
		sum = blanks + (after & blanks);
		comma = commas >> 63 | (sum < blanks);
		after = (sum | after) & ~blanks;
		if ((block_eq(&b, '/') | block_eq(&b, '\'') | (after & block_close(&b))) &
			~inside)
			return true;
	}
	return false;
}
