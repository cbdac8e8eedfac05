/*
 * Decoding: see json.h.
 *
 * A text that json_check calls STRICT goes to jansson.  A text it can tolerate,
 * a text cut short, and a strict one that jansson refuses (an integer beyond 64
 * bits, a real beyond a double, a NUL in a key) go to the decoder below, which
 * builds the tree that jansson would build, and mends the text as it goes:
 *
 *   BOM skipped; lone surrogate and bad UTF-8 become U+FFFD; raw control
 *   characters are kept; NaN and Infinity become null; a NUL in a key becomes
 *   U+2400, because jansson's keys end at a NUL.
 *
 * A cut text keeps what is whole, and a string value as far as it goes; a key
 * without a value, half a number and half a word are dropped.
 *
 * A number that no C type holds becomes a string: byte FF, then its digits.  No
 * decoded string can be confused with it, for FF is not UTF-8 and what is not
 * UTF-8 never comes out of a text.
 *
 * The decoder relies on json_check for syntax: colons and commas are white space
 * to it.  It recurses; levels are counted as jansson counts them, scalars included.
 */
#include "config.h"
#include "json/json.h"

#include "base/mem.h"
#include "json/check.h"

#define NUMBER_MARK '\xFF'
#define NUL_SYMBOL  0x2400

struct value_decoder {
	const char *start, *p, *end;
	struct buf text;
	const char *too_deep; /* where the limit was passed, or NULL */
	struct json_mends mends;
};

void json_init(void)
{
	json_set_alloc_funcs(mem_alloc, mem_free);
}

static json_t *load(struct str text)
{
	json_error_t error;

	memset(&error, 0, sizeof(error));
	return json_loadb(text.p, text.n, JSON_DECODE_ANY | JSON_ALLOW_NUL, &error);
}

static void mend(struct value_decoder *m, const char *at)
{
	if (!m->mends.count++)
		m->mends.offset = (uint64_t)(at - m->start);
}

/* Decodes the string at m->p; false when the text ends inside it. */
static bool decode_string(struct value_decoder *m, struct buf *out, bool is_key)
{
	struct json_piece piece;

	buf_clear(out);
	buf_reserve(out, 1); /* so that an empty text has an address too */
	out->data[0] = '\0';
	for (m->p++;; m->p += piece.n) {
		bool nul_in_key;

		json_piece_next(m->p, m->end, &piece);
		nul_in_key = is_key && piece.code == 0;
		switch (piece.kind) {
		case PIECE_CLOSE:
		case PIECE_END:
			m->p += piece.n;
			return piece.kind == PIECE_CLOSE;
		case PIECE_RUN:
		case PIECE_CHAR:
			buf_add(out, m->p, piece.n);
			break;
		case PIECE_ESCAPE:
		case PIECE_CONTROL:
			if (nul_in_key || piece.kind == PIECE_CONTROL)
				mend(m, m->p);
			buf_utf8(out, nul_in_key ? NUL_SYMBOL : piece.code);
			break;
		default:
			mend(m, m->p);
			buf_utf8(out, 0xFFFD);
		}
	}
}

/* NULL: half a number or a word, where the text ends. */
static json_t *make_scalar(struct value_decoder *m)
{
	struct jv word = jv_parse((struct str){m->p, (size_t)(m->end - m->p)});
	bool finite = word.n && str_is_digit(word.p[word.n - 1]);
	json_t *value;

	if (word.kind == J_NUMBER && !finite) /* NaN, Infinity */
		mend(m, m->p);
	m->p = word.kind == J_BAD ? m->end : m->p + word.n;
	if (word.kind == J_BAD)
		return NULL;
	if (word.kind != J_NUMBER || !finite)
		return word.kind == J_TRUE    ? json_true()
		       : word.kind == J_FALSE ? json_false()
					      : json_null();
	value = load(jv_raw(word));
	if (value)
		return value;
	buf_clear(&m->text);
	buf_byte(&m->text, NUMBER_MARK);
	buf_str(&m->text, jv_raw(word));
	return json_stringn_nocheck(m->text.data, m->text.len);
}

/* Moves to the next value or closing bracket; false: there is none. */
static bool skip_marks(struct value_decoder *m)
{
	while (m->p < m->end && (str_is_space(*m->p) || *m->p == ',' || *m->p == ':'))
		m->p++;
	return m->p < m->end;
}

/* The value at m->p, `depth` containers deep.  NULL: there is none. */
static json_t *make_value(struct value_decoder *m, unsigned depth)
{
	bool object = *m->p == '{';
	json_t *value, *inner;
	AUTO_BUF key = BUF_INIT;

	if (depth == JSON_DEPTH) {
		m->too_deep = m->p;
		return NULL;
	}
	if (*m->p == '"') {
		decode_string(m, &m->text, false);
		return json_stringn_nocheck(m->text.data, m->text.len);
	}
	if (!object && *m->p != '[')
		return make_scalar(m);
	value = object ? json_object() : json_array();
	m->p++;
	while (!m->too_deep && skip_marks(m) && *m->p != ']' && *m->p != '}') {
		if (object && (!decode_string(m, &key, true) || !skip_marks(m)))
			break;
		inner = make_value(m, depth + 1);
		if (!inner)
			break;
		if (object)
			json_object_set_new_nocheck(value, key.data, inner);
		else
			json_array_append_new(value, inner);
	}
	m->p += m->p < m->end;
	return value;
}

static void fail(struct err *err, struct str text, uint64_t offset, const char *what)
{
	if (!err)
		return;
	err_at(err, offset, "%s", what);
	json_place(text, offset, &err->line, &err->column);
}

static json_t *make_tolerant(struct str text, const struct json_report *report,
	struct json_mends *mends, struct err *err)
{
	struct value_decoder m = {.start = text.p, .p = text.p, .end = text.p + text.n};
	json_t *root;

	if (str_starts(text, STR("\xEF\xBB\xBF"))) {
		mend(&m, m.start);
		m.p += 3;
	}
	root = skip_marks(&m) ? make_value(&m, 0) : NULL;
	buf_done(&m.text);
	if (m.too_deep) {
		json_decref(root);
		fail(err, text, (uint64_t)(m.too_deep - m.start),
			"nested deeper than 2048 levels");
		return NULL;
	}
	if (!root) {
		fail(err, text, report->offset, report->text);
		return NULL;
	}
	m.mends.cut = report->truncated;
	if (m.mends.cut)
		mend(&m, m.end);
	*mends = m.mends;
	return root;
}

json_t *json_read(struct str text, struct json_mends *mends, struct err *err)
{
	struct json_mends ignored;
	struct json_report report;
	json_t *value = NULL;

	if (!mends)
		mends = &ignored;
	*mends = (struct json_mends){0};
	json_check(text, &report);
	if (report.verdict == VERDICT_STRICT)
		value = load(text);
	if (value)
		return value;
	if (!text.n || (report.verdict == VERDICT_BROKEN && !report.truncated)) {
		fail(err, text, report.offset, report.text);
		return NULL;
	}
	return make_tolerant(text, &report, mends, err);
}

json_t *json_read_strict(struct str text, struct err *err)
{
	struct json_mends mends;
	struct json_report report;
	json_t *value;

	json_check(text, &report);
	if (report.verdict != VERDICT_STRICT) {
		fail(err, text, report.offset, report.text);
		return NULL;
	}
	value = json_read(text, &mends, err);
	if (value && mends.count) {
		json_decref(value);
		fail(err, text, mends.offset, "NUL in a key");
		return NULL;
	}
	return value;
}

struct str json_number_text(const json_t *value)
{
	const struct str none = {NULL, 0};
	const char *text, *end, *wants;
	size_t n;

	if (!json_is_string(value))
		return none;
	text = json_string_value(value);
	n = json_string_length(value);
	if (n < 2 || text[0] != NUMBER_MARK)
		return none;
	end = json_number_end(text + 1, text + n, &wants);
	return wants || end != text + n ? none : (struct str){text + 1, n - 1};
}
