/*
 * The strict check: see check.h.
 *
 * A machine of ten states reads one token a step.  The kinds of the open
 * containers take one bit a level, so ten million levels take 1.2 MB.  json_string_run
 * skips the inside of strings; a piece at which it stops is read by itself.
 *
 * The error position is the first byte that no valid text could have there;
 * where that is the end of the text, the text is truncated.
 */
#include "config.h"
#include "json/check.h"

#include <inttypes.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/work.h"
#include "json/block.h"
#include "json/cursor.h"

/* The inside of strings */

/* Whether the text ends where the low half of a pair may have been meant. */
static bool low_half_cut(const char *p, const char *end)
{
	static const char *const may[] = {
		"\\", "u", "dD", "cdefCDEF", "0123456789abcdefABCDEF"};
	size_t left = (size_t)(end - p), i;

	if (left >= 6)
		return false;
	for (i = 0; i < left && i < 5; i++)
		if (!p[i] || !strchr(may[i], p[i]))
			return false;
	return true;
}

static void piece_unicode(const char *p, const char *end, struct json_piece *piece)
{
	size_t digits = json_hex4(p + 2, end, &piece->code);
	unsigned low;

	piece->n = 2 + digits;
	piece->kind = PIECE_ESCAPE;
	if (digits < 4)
		piece->kind = p + piece->n == end ? PIECE_END : PIECE_BAD;
	if (digits < 4 || piece->code < 0xD800 || piece->code > 0xDFFF)
		return;
	piece->kind = PIECE_SURROGATE;
	if (piece->code >= 0xDC00)
		return;
	p += 6;
	if (end - p >= 6 && p[0] == '\\' && p[1] == 'u' &&
		json_hex4(p + 2, end, &low) == 4 && low >= 0xDC00 && low <= 0xDFFF) {
		piece->kind = PIECE_ESCAPE;
		piece->n = 12;
		piece->code = 0x10000 + ((piece->code - 0xD800) << 10) + (low - 0xDC00);
	} else if (low_half_cut(p, end)) {
		piece->kind = PIECE_END;
		piece->n = (size_t)(end - p) + 6;
	}
}

static void piece_escape(const char *p, const char *end, struct json_piece *piece)
{
	static const char names[] = "\"\\/bfnrt", codes[] = "\"\\/\b\f\n\r\t";
	const char *name;

	piece->kind = PIECE_END;
	if (end - p == 1)
		return;
	if (p[1] == 'u') {
		piece_unicode(p, end, piece);
		return;
	}
	name = p[1] ? strchr(names, p[1]) : NULL;
	piece->kind = PIECE_BAD;
	if (!name)
		return;
	piece->kind = PIECE_ESCAPE;
	piece->n = 2;
	piece->code = (unsigned char)codes[name - names];
}

void json_piece_next(const char *p, const char *end, struct json_piece *piece)
{
	unsigned char c;
	bool valid;

	*piece = (struct json_piece){.kind = PIECE_END};
	if (p == end)
		return;
	if (json_plain_byte(*p)) {
		piece->kind = PIECE_RUN;
		piece->n = json_plain_run(p, end);
		return;
	}
	c = (unsigned char)*p;
	piece->n = 1;
	piece->code = c;
	if (c == '"') {
		piece->kind = PIECE_CLOSE;
	} else if (c == '\\') {
		piece_escape(p, end, piece);
	} else if (c < 0x20) {
		piece->kind = PIECE_CONTROL;
	} else {
		piece->n = utf8_decode(p, (size_t)(end - p), &piece->code, &valid);
		piece->kind = valid ? PIECE_CHAR : PIECE_NOT_UTF8;
		if (!valid && p + piece->n == end && c >= 0xC2 && c < 0xF5)
			piece->kind = PIECE_END; /* a good beginning */
	}
}

/* Runs inside of strings
 *
 * A block of 64 bytes gives a mask of the bytes that may stop the run.  Its bits are
 * taken one by one; a whole character or escape clears its bits and does not stop the
 * run.  JSON in a string has an escape every ten bytes, so the simple ones never become
 * bits.
 */

size_t json_plain_run(const char *p, const char *end)
{
	const char *at = p;

	for (; end - at >= 16; at += 16) {
		block_lane v = lane_load(at);
		block_lane quotes = lane_or(lane_eq(v, '"'), lane_eq(v, '\\'));
		block_lane others = lane_or(lane_not_ascii_text(v), lane_eq(v, 0x7F));
		unsigned mask = lane_mask(lane_or(quotes, others));

		if (mask)
			return (size_t)(at - p) + (unsigned)__builtin_ctz(mask);
	}
	while (at < end && json_plain_byte(*at))
		at++;
	return (size_t)(at - p);
}

/* The bytes that may stop the run; `escaped` are those after a backslash.  When n < BLOCK
 * the text ends after n bytes of the block. */
static uint64_t stops(const struct byte_block *b, uint64_t backslash, uint64_t escaped,
	size_t n, bool loose)
{
	uint64_t quotes = block_eq(b, '"'), hits = quotes & ~escaped;

	if (escaped)
		hits |= escaped &
			~(quotes | backslash | block_eq(b, '/') | block_eq(b, 'b') |
				block_eq(b, 'f') | block_eq(b, 'n') | block_eq(b, 'r') |
				block_eq(b, 't')); /* those of two bytes */
	if (!loose)
		hits |= block_not_ascii_text(b);
	return n < BLOCK ? hits | ~UINT64_C(0) << n : hits;
}

/* After the four digits of a \u whose u is at p; NULL when the run stops here. */
static const char *skip_unicode(const char *p, const char *end, bool loose)
{
	unsigned code;

	if (p >= end || *p != 'u' || json_hex4(p + 1, end, &code) < 4)
		return NULL;
	if (!loose && code >= 0xD800 && code <= 0xDFFF)
		return NULL; /* a surrogate */
	return p + 5;
}

/* After a character of UTF-8, or NULL. */
static const char *skip_character(const char *p, const char *end)
{
	unsigned code;
	bool valid;
	size_t n;

	if ((unsigned char)*p < 0x80)
		return NULL;
	n = utf8_decode(p, (size_t)(end - p), &code, &valid);
	return valid ? p + n : NULL;
}

const char *json_string_run(const char *p, const char *end, bool loose)
{
	uint64_t escape = 0;

	while (p < end) {
		size_t n = (size_t)(end - p);
		struct byte_block b = block_load_part(p, n);
		uint64_t backslash = block_eq(&b, '\\');
		uint64_t escaped = block_escaped(backslash, &escape);
		uint64_t hits = stops(&b, backslash, escaped, n, loose);
		const char *next = p + BLOCK;

		while (hits) {
			const char *at = p + block_first(hits), *after;
			bool is_escaped = escaped >> (at - p) & 1;

			if (at >= end && !is_escaped)
				return end;
			after = is_escaped ? skip_unicode(at, end, loose)
					   : skip_character(at, end);
			if (!after)
				return at - is_escaped;
			if (after - p >= BLOCK) {
				next = after;
				escape = 0;
				break;
			}
			hits &= ~UINT64_C(0) << (after - p);
		}
		p = next;
	}
	return end - escape; /* a backslash may be the last byte of the last block */
}

/* Numbers */

static const char *digits_end(const char *p, const char *end, const char **wants)
{
	if (p == end || !str_is_digit(*p))
		*wants = "expected a digit";
	while (p < end && str_is_digit(*p))
		p++;
	return p;
}

const char *json_number_end(const char *p, const char *end, const char **wants)
{
	*wants = NULL;
	if (p < end && *p == '-')
		p++;
	if (end - p > 1 && *p == '0' && str_is_digit(p[1])) {
		*wants = "expected no digit after a leading 0";
		return p + 1;
	}
	p = digits_end(p, end, wants);
	if (!*wants && p < end && *p == '.')
		p = digits_end(p + 1, end, wants);
	if (!*wants && p < end && (*p == 'e' || *p == 'E')) {
		p++;
		if (p < end && (*p == '+' || *p == '-'))
			p++;
		p = digits_end(p, end, wants);
	}
	return p;
}

/* Levels */

void json_nest_push(struct json_nest *nest, bool object)
{
	size_t word = nest->depth / 64;
	uint64_t bit = UINT64_C(1) << nest->depth % 64;

	if (word >= nest->cap)
		MEM_ROOM(nest->bits, nest->cap, word + 1);
	if (bit == 1)
		nest->bits[word] = 0;
	nest->bits[word] = (nest->bits[word] & (bit - 1)) | (object ? bit : 0);
	nest->depth++;
}

/* Keys that stand twice */

/*
 * The keys of each object that is open are known by their hashes: in a small object they
 * are compared one by one, in a large one by a table.  Memory: the keys of the objects
 * around a place.
 */
#define TWICE_DEPTH 256u /* objects around an object: deeper ones are not looked at */
#define FEW         16   /* keys that are compared one by one */

struct twice {
	uint64_t *keys; /* of all open objects, the outermost first */
	size_t count, cap;
	struct twice_level {
		size_t first;       /* of its keys */
		struct idmap table; /* of them, once they are more than a few */
	} * levels;                 /* of the objects that are looked at */
	size_t level_cap;
	size_t depth; /* of all open objects */
};

static void twice_close(struct twice *t)
{
	if (--t->depth >= TWICE_DEPTH)
		return;
	t->count = t->levels[t->depth].first;
	idmap_done(&t->levels[t->depth].table);
}

/* The checker */

enum check_state {
	ROOT,
	FIRST_ELEMENT,
	ELEMENT,
	FIRST_KEY,
	KEY,
	COLON,
	MEMBER,
	AFTER_ELEMENT,
	AFTER_MEMBER,
	DONE,
};

static const char *const wanted[] = {
	[ROOT] = "expected a value",
	[FIRST_ELEMENT] = "expected a value or ']'",
	[ELEMENT] = "expected a value",
	[FIRST_KEY] = "expected a key or '}'",
	[KEY] = "expected a key",
	[COLON] = "expected ':'",
	[MEMBER] = "expected a value",
	[AFTER_ELEMENT] = "expected ',' or ']'",
	[AFTER_MEMBER] = "expected ',' or '}'",
	[DONE] = "expected the end of the text",
};

struct checker {
	const char *start, *p, *end;
	struct json_report *report;
	enum check_state state;
	struct json_nest nest;
	bool loose;                       /* what is tolerated need not be found */
	const char *looked;               /* where it was asked whether to stop, */
	const char *next;                 /* and where it is asked again */
	struct extents *extents;          /* notes where large values end, or NULL */
	const char *opened[EXTENT_DEPTH]; /* by depth: the open containers */
	bool keys;                        /* those that stand twice are looked for */
	struct twice twice;
};

static bool broken(struct checker *j, const char *at, const char *text)
{
	j->report->verdict = VERDICT_BROKEN;
	j->report->truncated = at == j->end;
	j->report->offset = (uint64_t)(at - j->start);
	j->report->text = text;
	return false;
}

static void tolerate(struct checker *j, const char *at, const char *text, uint64_t *count)
{
	++*count;
	if (j->report->verdict != VERDICT_STRICT)
		return;
	j->report->verdict = VERDICT_TOLERATED;
	j->report->offset = (uint64_t)(at - j->start);
	j->report->text = text;
}

static bool check_piece(struct checker *j, const struct json_piece *piece)
{
	struct json_report *r = j->report;

	switch (piece->kind) {
	case PIECE_SURROGATE:
		tolerate(j, j->p, "lone surrogate", &r->surrogates);
		break;
	case PIECE_CONTROL:
		tolerate(j, j->p, "control character in a string", &r->controls);
		break;
	case PIECE_NOT_UTF8:
		tolerate(j, j->p, "bytes that are not UTF-8", &r->bad_utf8);
		break;
	case PIECE_BAD:
		return broken(j, j->p + piece->n,
			piece->n == 1 ? "expected one of \"\\/bfnrtu after '\\'"
				      : "expected four hexadecimal digits after '\\u'");
	case PIECE_END:
		return broken(j, j->end, "expected the end of the string");
	default:
		break;
	}
	j->p += piece->n;
	return true;
}

/* The key that began there has been read: has the innermost object had it before?  Linear
 * in the key. */
static void check_twice(struct checker *j, const char *string)
{
	struct jv key = jv_of((struct str){string, (size_t)(j->p - string)}, J_STRING);
	struct json_report *r = j->report;
	struct twice *t = &j->twice;
	struct twice_level *level;
	AUTO_BUF name = BUF_INIT;
	uint64_t hash;
	size_t count;
	bool has;

	if (t->depth > TWICE_DEPTH)
		return;
	level = &t->levels[t->depth - 1];
	hash = jv_hash(key);
	count = t->count - level->first;
	has = count > FEW && idmap_find(&level->table, hash) != MAP_NONE;
	for (size_t i = level->first; i < t->count && count <= FEW; i++)
		has = has || t->keys[i] == hash;
	if (!has) {
		*MEM_ADD(t->keys, t->count, t->cap) = hash;
		for (size_t i = level->table.count ? t->count - 1 : level->first;
			i < t->count && count >= FEW; i++)
			idmap_add(&level->table, t->keys[i], 0);
		return;
	}
	tolerate(j, string, "a key that stands twice", &r->duplicates);
	if (r->duplicates > 1)
		return;
	jv_decode(key, &name);
	name.len = utf8_cut(name.data, name.len, JSON_KEY_MOST);
	memcpy(r->twice, name.data, name.len);
}

#define LOOK_EACH (1u << 16) /* bytes */

/* False when the work is to stop. */
static bool look_on(struct checker *j)
{
	size_t left = (size_t)(j->end - j->p);

	if (j->p < j->next || j->p == j->end)
		return true;
	count_work(WORK_SCAN, (size_t)(j->p - j->looked));
	if (stop_wanted((size_t)(j->p - j->looked)))
		return broken(j, j->p, "stopped");
	j->looked = j->p;
	j->next = j->p + (left < LOOK_EACH ? left : LOOK_EACH);
	return true;
}

static bool check_string(struct checker *j) /* j->p is at the quote */
{
	const char *string = j->p++;
	struct json_piece piece;

	do {
		if (!look_on(j))
			return false;
		j->p += json_plain_run(j->p, j->next);
		if (j->p < j->next && *j->p != '"')
			j->p = json_string_run(j->p, j->next, j->loose);
		json_piece_next(j->p, j->end, &piece);
		if (!check_piece(j, &piece))
			return false;
	} while (piece.kind != PIECE_CLOSE);
	if (j->extents)
		extents_add(j->extents, string, j->p);
	if (j->keys && j->state == COLON)
		check_twice(j, string);
	return true;
}

static void after_value(struct checker *j)
{
	if (!j->nest.depth)
		j->state = DONE;
	else
		j->state = json_nest_object(&j->nest) ? AFTER_MEMBER : AFTER_ELEMENT;
}

static bool close_container(struct checker *j)
{
	j->p++;
	if (j->keys && json_nest_object(&j->nest))
		twice_close(&j->twice);
	j->nest.depth--;
	if (j->extents && j->nest.depth < EXTENT_DEPTH)
		extents_add(j->extents, j->opened[j->nest.depth], j->p);
	after_value(j);
	return true;
}

static bool check_scalar(struct checker *j)
{
	static const struct {
		const char *word, *wanted;
	} words[] = {{"true", "expected 'true'"}, {"false", "expected 'false'"},
		{"null", "expected 'null'"}, {"NaN", "expected 'NaN'"},
		{"Infinity", "expected 'Infinity'"},
		{"-Infinity", "expected '-Infinity'"}};
	const char *wants, *at = j->p;

	if (*at == '"')
		return check_string(j);
	if (str_is_digit(*at) || (*at == '-' && (j->end - at == 1 || at[1] != 'I'))) {
		j->p = json_number_end(at, j->end, &wants);
		return !wants || broken(j, j->p, wants);
	}
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (*at != words[i].word[0])
			continue;
		for (const char *word = words[i].word; *word; word++, j->p++)
			if (j->p == j->end || *j->p != *word)
				return broken(j, j->p, words[i].wanted);
		if (i > 2)
			tolerate(j, at, "NaN or Infinity", &j->report->nonfinite);
		return true;
	}
	return broken(j, at, wanted[j->state]);
}

static bool check_value(struct checker *j)
{
	struct twice *t = &j->twice;
	bool object = *j->p == '{';

	if (!object && *j->p != '[') {
		if (!check_scalar(j))
			return false;
		after_value(j);
		return true;
	}
	if (j->nest.depth < EXTENT_DEPTH)
		j->opened[j->nest.depth] = j->p;
	json_nest_push(&j->nest, object);
	if (j->keys && object && t->depth++ < TWICE_DEPTH) {
		MEM_ROOM(t->levels, t->level_cap, t->depth);
		t->levels[t->depth - 1] = (struct twice_level){.first = t->count};
	}
	j->p++;
	j->state = object ? FIRST_KEY : FIRST_ELEMENT;
	return true;
}

static bool check_key(struct checker *j)
{
	if (*j->p != '"')
		return broken(j, j->p, wanted[j->state]);
	j->state = COLON;
	return check_string(j);
}

/* The punctuation `c` leads to `next`. */
static bool take_punctuation(struct checker *j, char c, enum check_state next)
{
	if (*j->p != c)
		return broken(j, j->p, wanted[j->state]);
	j->p++;
	j->state = next;
	return true;
}

/* One token; j->p is at a byte that is no white space. */
static bool check_token(struct checker *j)
{
	char c = *j->p;

	switch (j->state) {
	case FIRST_ELEMENT:
		return c == ']' ? close_container(j) : check_value(j);
	case FIRST_KEY:
		return c == '}' ? close_container(j) : check_key(j);
	case KEY:
		return check_key(j);
	case COLON:
		return take_punctuation(j, ':', MEMBER);
	case AFTER_ELEMENT:
		return c == ']' ? close_container(j) : take_punctuation(j, ',', ELEMENT);
	case AFTER_MEMBER:
		return c == '}' ? close_container(j) : take_punctuation(j, ',', KEY);
	case DONE:
		return broken(j, j->p, wanted[DONE]);
	default:
		return check_value(j);
	}
}

/*
 * A byte order mark, or NUL bytes where JSON's first characters, all ASCII, would
 * have them.  A string may hold a raw NUL, so there the last character must agree.
 */
static const char *other_encoding(struct str text)
{
	static const char utf16[] = "UTF-16 text; convert it to UTF-8";
	static const char utf32[] = "UTF-32 text; convert it to UTF-8";
	const char *p = text.p;

	if (str_starts(text, STR("\xFF\xFE\0\0")) ||
		str_starts(text, STR("\0\0\xFE\xFF")))
		return utf32;
	if (str_starts(text, STR("\xFF\xFE")) || str_starts(text, STR("\xFE\xFF")))
		return utf16;
	if (text.n < 4 || !p[0] == !p[1]) {
		bool be32 = text.n >= 4 && str_starts(text, STR("\0\0\0")) && p[3];

		return be32 ? utf32 : NULL;
	}
	if (p[0] == '"' && p[text.n - 1])
		return NULL;
	return !p[1] && !p[2] && !p[3] ? utf32 : utf16;
}

enum check_extent { WHOLE, WHOLE_LOOSE, WHOLE_KEYS, FIRST };

/* Token by token to the end of the text, or of its first value.  Returns where the check
 * ended. */
static const char *check_text(struct str text, struct extents *extents,
	struct json_report *report, enum check_extent extent)
{
	const char *other = other_encoding(text);
	struct checker j = {.report = report,
		.state = ROOT,
		.loose = extent == WHOLE_LOOSE,
		.keys = extent == WHOLE_KEYS,
		.extents = extents};
	bool going;

	j.start = j.p = j.looked = j.next = text.n ? text.p : "";
	j.end = j.p + text.n;
	*report = (struct json_report){.verdict = VERDICT_STRICT, .text = ""};
	going = !other || broken(&j, j.start, other);
	if (going && str_starts(text, STR("\xEF\xBB\xBF"))) {
		uint64_t count = 0;

		tolerate(&j, j.p, "byte order mark", &count);
		report->bom = true;
		j.p += 3;
	}
	while (going && (extent != FIRST || j.state != DONE)) {
		while (j.p < j.end && str_is_space(*j.p))
			j.p++;
		if (j.p == j.end)
			break;
		going = look_on(&j) && check_token(&j);
	}
	if (going && j.state != DONE)
		broken(&j, j.end, wanted[j.state]);
	mem_free(j.nest.bits);
	while (j.twice.depth)
		twice_close(&j.twice);
	mem_free(j.twice.keys);
	mem_free(j.twice.levels);
	count_work(WORK_SCAN, (size_t)(j.p - j.looked));
	return j.p;
}

void json_check(struct str text, struct json_report *report)
{
	check_text(text, NULL, report, WHOLE);
}

void json_check_keys(struct str text, struct extents *extents, struct json_report *report)
{
	check_text(text, extents, report, WHOLE_KEYS);
}

bool json_is_whole(struct str text, struct extents *extents)
{
	struct json_report report;

	check_text(text, extents, &report, WHOLE_LOOSE);
	return report.verdict != VERDICT_BROKEN;
}

size_t json_check_first(struct str text, struct json_report *report)
{
	const char *end = check_text(text, NULL, report, FIRST);

	return report->verdict == VERDICT_BROKEN ? 0 : (size_t)(end - text.p);
}

/* Reports as text */

void json_place(struct str text, uint64_t offset, uint64_t *line, uint64_t *column)
{
	size_t left = offset < text.n ? (size_t)offset : text.n;
	const char *p = text.p, *lf;

	*line = 1;
	while (left && (lf = memchr(p, '\n', left))) {
		++*line;
		left -= (size_t)(lf + 1 - p);
		p = lf + 1;
	}
	*column = (uint64_t)left + 1;
}

void json_report_text(const struct json_report *report, struct buf *out)
{
	const struct {
		uint64_t count;
		const char *one, *many;
	} rows[] = {
		{report->bom, "byte order mark", ""},
		{report->surrogates, "lone surrogate", "lone surrogates"},
		{report->bad_utf8, "place that is not UTF-8",
			"places that are not UTF-8"},
		{report->controls, "control character", "control characters"},
		{report->nonfinite, "NaN or Infinity", "NaN or Infinity"},
		{report->comments, "comment", "comments"},
		{report->commas, "comma before a closing bracket",
			"commas before a closing bracket"},
		{report->quotes, "string in single quotes", "strings in single quotes"},
		{report->keys, "key without quotes", "keys without quotes"},
	};
	const size_t count = sizeof(rows) / sizeof(rows[0]);
	size_t kinds = 0, done = 0, i;

	for (i = 0; i < count; i++)
		kinds += rows[i].count > 0;
	for (i = 0; i < count; i++) {
		if (!rows[i].count)
			continue;
		if (done)
			buf_text(out, done + 1 < kinds ? ", " : " and ");
		buf_printf(out, "%" PRIu64 " %s", rows[i].count,
			rows[i].count == 1 ? rows[i].one : rows[i].many);
		done++;
	}
	if (kinds)
		buf_text(out, " mended");
	if (report->duplicates) {
		buf_printf(out, "%s\"%s\"", kinds ? "; " : "", report->twice);
		if (report->duplicates > 1)
			buf_printf(out, " and %" PRIu64 " other keys",
				report->duplicates - 1);
		buf_text(out, report->duplicates > 1 ? " stand" : " stands");
		buf_text(out, " twice in an object: one of its values may not be shown");
	}
	if (report->truncated)
		buf_printf(out, "%sthe text is cut short", out->len ? "; " : "");
}
