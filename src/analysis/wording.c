/* See wording.h. */
#include "config.h"
#include "analysis/wording.h"

#include <string.h>

#include "base/work.h"
#include "base/map.h"
#include "base/stop.h"
#include "base/utf8.h"
#include "json/check.h"

#define TELLING 4      /* the weight of a word that is enough alone */
#define HEAVY   6      /* ... and of two or three together */
#define ENOUGH  4      /* words of any kind */
#define PART    8      /* ... which are at least such a part of the text */
#define LONGEST 4096   /* bytes of a word; what is longer is several */
#define PIECE   262144 /* bytes of a text between two looks for a key */

/* ---- signs ---- */

enum sign { SIGN_GAP, SIGN_LETTER, SIGN_DIGIT, SIGN_LINE, SIGN_ALONE };

/* uXXXX after backslashes. */
static bool read_hex(const char *p, size_t n, unsigned *code)
{
	return n >= 5 && p[0] == 'u' && json_hex4(p + 1, p + n, code) == 4;
}

/* Backslashes, as many as the depth of JSON asks for, and what they escape. */
static size_t read_escape(const char *p, size_t n, unsigned *code)
{
	size_t at = 0, half;
	unsigned low;

	while (at < n && p[at] == '\\')
		at++;
	if (!read_hex(p + at, n - at, code)) {
		*code = ' ';
		return at + (at < n && strchr("nrtbf", p[at]) != NULL);
	}
	at += 5;
	if (*code < 0xD800 || *code >= 0xDC00)
		return at;
	for (half = at; half < n && p[half] == '\\';)
		half++;
	if (half == at || !read_hex(p + half, n - half, &low) || low < 0xDC00 ||
		low > 0xDFFF)
		return at;
	*code = 0x10000 + ((*code - 0xD800) << 10) +
		(low - 0xDC00); /* two are one sign */
	return half + 5;
}

static size_t next_code(const char *p, size_t n, unsigned *code)
{
	bool valid;

	if (*p == '\\')
		return read_escape(p, n, code);
	if (!(*p & 0x80)) {
		*code = (unsigned char)*p;
		return 1;
	}
	return utf8_decode(p, n, code, &valid);
}

static enum sign sign_of(unsigned c)
{
	if (c >= '0' && c <= '9')
		return SIGN_DIGIT;
	if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == 0xAA || c == 0xB5)
		return SIGN_LETTER;
	if (c == '_')
		return SIGN_LINE;
	/* scripts that set no blanks between words */
	if ((c >= 0x0E00 && c < 0x0F00) || (c >= 0x1780 && c < 0x1800) ||
		(c >= 0x2E80 && c < 0x3000) || (c >= 0x3040 && c < 0xA000) ||
		(c >= 0xF900 && c < 0xFB00) || (c >= 0x20000 && c < 0x40000))
		return SIGN_ALONE;
	if (c < 0xC0 || c == 0xD7 || c == 0xF7 || (c >= 0x2000 && c < 0x2C00) ||
		(c >= 0x3000 && c < 0x3040) || (c >= 0xFE00 && c < 0xFE70) ||
		(c >= 0xFFF0 && !(c >= 0x1F000 && c < 0x20000)))
		return SIGN_GAP;
	return SIGN_LETTER;
}

/* ---- words ---- */

struct wording_token {
	size_t from, to;
	uint64_t hash;
	unsigned letters, digits, lines; /* `_` and points in it */
	bool alone;
	bool capital; /* it begins with one */
};

static bool is_capital(unsigned c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 0xC0 && c <= 0xDE && c != 0xD7) ||
	       (c >= 0x391 && c <= 0x3A9) || (c >= 0x400 && c <= 0x42F);
}

static void hash_code(struct wording_token *w, unsigned code)
{
	if (code >= 'A' && code <= 'Z')
		code |= 0x20;
	w->hash = (w->hash ^ code) * 1099511628211u;
}

/* A point between two digits belongs to the number, a comma in thousands to nothing. */
static bool joins_digits(const char *p, size_t n, char c)
{
	if (c == '.')
		return n > 1 && str_is_digit(p[1]);
	return n > 3 && str_is_digit(p[1]) && str_is_digit(p[2]) && str_is_digit(p[3]) &&
	       !(n > 4 && str_is_digit(p[4]));
}

/* Reads a word that begins at `from`. */
static void read_word(struct str text, size_t from, struct wording_token *w)
{
	unsigned code, lines = 0;
	size_t at = from;

	*w = (struct wording_token){.from = from, .to = from, .hash = FNV_BEGIN};
	while (at < text.n && at - from < LONGEST) {
		char c = text.p[at];
		size_t n;
		enum sign s;

		if ((c == '.' || c == ',') && w->digits && w->to == at &&
			str_is_digit(text.p[at - 1]) &&
			joins_digits(text.p + at, text.n - at, c)) {
			if (c == '.')
				hash_code(w, '.');
			w->lines += c == '.' && !w->letters;
			w->to = ++at;
			continue;
		}
		n = next_code(text.p + at, text.n - at, &code);
		s = sign_of(code);
		if (s == SIGN_GAP || (s == SIGN_ALONE && w->to > from))
			return;
		at += n;
		if (s == SIGN_LINE) { /* counts if more of the word follows */
			lines++;
			continue;
		}
		w->capital |= !w->letters && !w->digits && is_capital(code);
		for (; lines; lines--, w->lines++)
			hash_code(w, '_');
		hash_code(w, code);
		w->letters += s != SIGN_DIGIT;
		w->digits += s == SIGN_DIGIT;
		w->to = at;
		if (s == SIGN_ALONE) {
			w->alone = true;
			return;
		}
	}
}

/* The next word from *at on, which moves behind it; false at the end. */
static bool take_word(struct str text, size_t *at, struct wording_token *w)
{
	while (*at < text.n) {
		unsigned code;
		size_t n = next_code(text.p + *at, text.n - *at, &code);
		enum sign s = sign_of(code);

		if (s == SIGN_GAP || s == SIGN_LINE) {
			*at += n;
			continue;
		}
		read_word(text, *at, w);
		*at = w->to;
		return true;
	}
	return false;
}

static unsigned weight_of(struct str text, const struct wording_token *w)
{
	size_t from = w->from;
	bool name;

	while (w->capital && from &&
		(str_is_space(text.p[from - 1]) || strchr("*`\"'(#", text.p[from - 1])))
		from--;
	/* no sentence begins with the word */
	name = w->capital && from && !strchr(".!?:>-|", text.p[from - 1]);
	if (w->alone)
		return 1;
	if (w->digits && (w->letters || w->lines))
		return 5;
	if (w->digits)
		return w->digits > 2 ? 4 : w->digits;
	if (w->lines || (name && w->letters > 3))
		return 4;
	if (name)
		return 3;
	return w->letters > 7 ? 3 : w->letters > 3 ? 2 : 1;
}

void wording_begin(struct wording *w, struct str text)
{
	struct wording_token word;
	size_t at = 0;

	w->text = text;
	w->count = 0;
	w->places = (struct idmap){0};
	while (w->count < WORDING_MOST && take_word(text, &at, &word))
		w->words[w->count++] = (struct wording_word){
			word.hash, word.from, word.to, weight_of(text, &word), MAP_NONE};
	/* the map keeps the first value: the last place goes in first */
	for (uint32_t i = w->count; i-- > 0;) {
		uint32_t later = idmap_find(&w->places, w->words[i].hash);

		if (later == MAP_NONE) {
			idmap_add(&w->places, w->words[i].hash, i);
			continue;
		}
		while (w->words[later].before != MAP_NONE)
			later = w->words[later].before;
		w->words[later].before = i;
	}
}

void wording_done(struct wording *w)
{
	idmap_done(&w->places);
}

/* ---- runs ---- */

bool wording_is_telling(const struct wording *w, const struct wording_run *run)
{
	if (run->count && run->count == w->count)
		return true;
	if ((run->count >= ENOUGH || (run->count > 1 && run->weight >= HEAVY)) &&
		run->count * PART >= w->count)
		return true;
	for (uint32_t i = run->first; i < run->first + run->count; i++)
		if (w->words[i].weight >= TELLING)
			return true;
	return false;
}

struct str wording_text(const struct wording *w, const struct wording_run *run)
{
	size_t from, to;

	if (!run->count)
		return (struct str){"", 0};
	from = w->words[run->first].from;
	to = w->words[run->first + run->count - 1].to;
	return (struct str){w->text.p + from, to - from};
}

void wording_pattern(const struct wording *w, const struct wording_run *run, size_t most,
	struct buf *out)
{
	for (uint32_t i = run->first; i < run->first + run->count; i++) {
		const struct wording_word *word = &w->words[i];
		size_t n = word->to - word->from;

		if (i > run->first && out->len + 2 * n + 8 > most)
			return;
		if (i > run->first)
			buf_text(out, "[\\W_]*");
		for (size_t k = word->from; k < word->to; k++) {
			if (w->text.p[k] == '.' || w->text.p[k] == '\\')
				buf_byte(out, '\\');
			buf_byte(out, w->text.p[k]);
		}
	}
}

void wording_look_begin(struct wording_look *l, const struct wording *w)
{
	*l = (struct wording_look){.wording = w};
}

/* A word of the text is one that is looked for, at this place and those before it. */
static void take_place(struct wording_look *l, uint32_t last)
{
	const struct wording *w = l->wording;

	for (uint32_t i = last; i != MAP_NONE; i = w->words[i].before) {
		bool goes_on = i && l->seen[i - 1] == l->number - 1;
		uint32_t count = goes_on ? l->length[i - 1] + 1 : 1,
			 first = i + 1 - count;
		unsigned weight = 0;

		l->length[i] = count;
		l->seen[i] = l->number;
		for (uint32_t k = first; k <= i; k++)
			weight += w->words[k].weight;
		if (weight > l->best.weight)
			l->best = (struct wording_run){first, count, weight};
	}
}

void wording_look(struct wording_look *l, struct str text)
{
	size_t at = 0, told = 0;
	struct wording_token word;

	l->number += 2; /* no run goes on */
	while (take_word(text, &at, &word)) {
		uint32_t last = idmap_find(&l->wording->places, word.hash);

		l->number++;
		if (last != MAP_NONE)
			take_place(l, last);
		if (at - told < PIECE)
			continue;
		if (stop_wanted(at - told))
			break;
		told = at;
	}
	count_work(WORK_WALK, at);
}
