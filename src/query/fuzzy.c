/*
 * Fuzzy matching: see query.h.  As in fzy, two scores are kept for letter i and character
 * j: the best of matches that end at j, and the best of those that end at j or before it.
 * The places are read from these scores backwards.
 */
#include "config.h"
#include "query/query.h"

#include <wctype.h>

#include "base/str.h"

/* fzy's scores, by the thousand */
#define GAP_EDGE    (-5)
#define GAP_INNER   (-10)
#define CONSECUTIVE 1000
#define AFTER_SLASH 900 /* also at the beginning of the text */
#define AFTER_BLANK 800
#define CAPITAL     700
#define AFTER_DOT   600
#define WORST       (INT32_MIN / 2)

struct text {
	uint32_t at[FUZZY_TEXT];     /* offsets */
	uint32_t folded[FUZZY_TEXT]; /* code points, as they are compared */
	int32_t bonus[FUZZY_TEXT];   /* for a match here */
	size_t count;
};

struct fuzzy_row {
	int32_t ends[FUZZY_TEXT]; /* of the matches that end here */
	int32_t best[FUZZY_TEXT]; /* of those that end here or before */
};

void fuzzy_begin(struct fuzzy *f, struct str query)
{
	unsigned code;
	bool valid;

	*f = (struct fuzzy){0};
	for (size_t i = 0; i < query.n && f->count < FUZZY_QUERY;) {
		i += utf8_decode(query.p + i, query.n - i, &code, &valid);
		f->exact |= iswupper((wint_t)code) != 0;
		if (code == ' ' && (!f->count || !f->query[f->count - 1]))
			continue;
		f->query[f->count++] = code == ' ' ? 0 : code;
	}
	if (f->count && !f->query[f->count - 1])
		f->count--;
}

/* For a match of a character. */
static int32_t bonus_for(unsigned before, unsigned code)
{
	if (!before || before == '/')
		return AFTER_SLASH;
	if (before == '-' || before == '_' || before == ' ' || before == ':')
		return AFTER_BLANK;
	if (before == '.')
		return AFTER_DOT;
	if (iswupper((wint_t)code) && iswlower((wint_t)before))
		return CAPITAL;
	return 0;
}

/* ---- one word ---- */

/* The scores of the matches of a letter; `before` is the row of the letter before it, or
 * NULL. */
static void fill_row(struct fuzzy_row *row, const struct fuzzy_row *before,
	uint32_t letter, const struct text *t, bool last)
{
	int32_t best = WORST, gap = last ? GAP_EDGE : GAP_INNER;

	for (size_t j = 0; j < t->count; j++) {
		int32_t ends = WORST;

		if (t->folded[j] == letter && !before) {
			ends = (int32_t)j * GAP_EDGE + t->bonus[j];
		} else if (t->folded[j] == letter && j) {
			int32_t apart = before->best[j - 1] + t->bonus[j],
				adjacent = before->ends[j - 1] + CONSECUTIVE;

			ends = apart > adjacent ? apart : adjacent;
		}
		if (ends < WORST)
			ends = WORST;
		best = best + gap > ends ? best + gap : ends;
		row->ends[j] = ends;
		row->best[j] = best = best < WORST ? WORST : best;
	}
}

static int32_t match_word(
	const uint32_t *word, size_t n, const struct text *t, uint32_t *at)
{
	struct fuzzy_row rows[FUZZY_QUERY];
	size_t found = 0;
	bool must = false;

	/* most texts do not match at all: this finds it out at little cost */
	for (size_t j = 0; j < t->count && found < n; j++)
		found += t->folded[j] == word[found];
	if (found < n)
		return FUZZY_NONE;
	for (size_t i = 0; i < n; i++)
		fill_row(&rows[i], i ? &rows[i - 1] : NULL, word[i], t, i + 1 == n);
	/* the places from the best end back; adjacent matches stay adjacent */
	for (size_t i = n, j = t->count; at && i && j-- > 0;) {
		const struct fuzzy_row *row = &rows[i - 1];

		if (row->ends[j] <= WORST || (!must && row->ends[j] != row->best[j]))
			continue;
		at[--i] = t->at[j];
		must = i && j && row->ends[j] == rows[i - 1].ends[j - 1] + CONSECUTIVE;
	}
	/* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.UndefReturn): was filled */
	return rows[n - 1].best[t->count - 1];
}

int32_t fuzzy_match(const struct fuzzy *f, struct str text, uint32_t *at, size_t *marks)
{
	struct text t;
	int32_t sum = 0;
	size_t marked = 0;
	unsigned code, before = 0;
	bool valid;

	if (marks)
		*marks = 0;
	if (!f->count)
		return 0;
	t.count = 0;
	for (size_t i = 0; i < text.n && t.count < FUZZY_TEXT; before = code) {
		t.at[t.count] = (uint32_t)i;
		i += utf8_decode(text.p + i, text.n - i, &code, &valid);
		t.bonus[t.count] = bonus_for(before, code);
		t.folded[t.count++] = f->exact ? code : (uint32_t)towlower((wint_t)code);
	}
	for (size_t i = 0, end; i < f->count; i = end + 1) {
		int32_t score;

		for (end = i; end < f->count && f->query[end]; end++)
			;
		score = match_word(f->query + i, end - i, &t, at ? at + marked : NULL);
		if (score == FUZZY_NONE)
			return FUZZY_NONE;
		sum += score;
		marked += end - i;
	}
	if (marks)
		*marks = marked;
	return sum;
}
