/*
 * Fuzzy matching: what matches, where, and in which order; scores against all ways to
 * match, tried one by one.
 */
#include "config.h"

#include <criterion/criterion.h>
#include <locale.h>
#include <stdlib.h>

#include "query/query.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

static void utf8(void)
{
	setlocale(LC_ALL, "C.UTF-8");
}

TestSuite(fuzzy, .init = utf8);

static int32_t score(const char *query, const char *text)
{
	struct fuzzy f;

	fuzzy_begin(&f, str_of(query));
	return fuzzy_match(&f, str_of(text), NULL, NULL);
}

Test(fuzzy, what_matches)
{
	static const struct {
		const char *query, *text;
		bool matches;
	} rows[] = {
		{"", "", true},
		{"", "anything", true},
		{"a", "", false},
		{"trn", "turn 1", true},
		{"nrt", "turn 1", false},
		{"TURN", "turn", false}, /* upper case counts when it is typed */
		{"turn", "TURN", true},
		{"Turn", "a Turn", true},
		{"tt", "t", false},
		{"gpt agent", "agent run  gpt-4o", true}, /* words in any order */
		{"gpt agent", "agent run  claude", false},
		{"  gpt ", "gpt", true},
		{"\xC3\xA9t\xC3\xA9", "\xC3\x89T\xC3\x89 2025", true}, /* été, ÉTÉ */
		{"e", "\xC3\xA9", false},
		{"\xE6\xAD\xA5", "\xE4\xB8\x80\xE6\xAD\xA5", true},
		{"a",
			"\xFF\xFE"
			"a",
			true},
	};

	for (size_t i = 0; i < COUNT(rows); i++)
		cr_expect_eq(score(rows[i].query, rows[i].text) != FUZZY_NONE,
			rows[i].matches, "%s in %s", rows[i].query, rows[i].text);
}

/* Each query: the texts that match it, best first. */
Test(fuzzy, order)
{
	static const struct {
		const char *query, *texts[5];
	} rows[] = {
		{"amo", {"amo", "amo bar", "app/models/order"}}, /* fzy's own example */
		{"wf", {"write file", "shawf low", "wildfire"}},
		{"step 12", {"step 12", "step 112", "step 102"}},
		{"rf", {"readFile", "surface", "refile"}},
		{"tool", {"tool call", "my tool call", "the other odd lap"}},
		{"sea", {"search web", "re-search", "research"}},
		{"9", {"9 turn", "turn 9", "turn 19"}},
	};

	for (size_t i = 0; i < COUNT(rows); i++)
		for (size_t k = 0; rows[i].texts[k + 1]; k++)
			cr_expect_gt(score(rows[i].query, rows[i].texts[k]),
				score(rows[i].query, rows[i].texts[k + 1]),
				"%s: %s before %s", rows[i].query, rows[i].texts[k],
				rows[i].texts[k + 1]);
}

Test(fuzzy, places)
{
	static const struct {
		const char *query, *text, *marked; /* ^ below each matched byte */
	} rows[] = {
		{"wf", "a wolf write file", "       ^     ^   "},
		{"file", "f i l e file", "        ^^^^"},
		{"tst", "the test", "^     ^^"},
		{"b a", "ab", "^^"},
		{"amo", "app/models/order", "^   ^^          "},
		{"\xC3\xA9", "caf\xC3\xA9", "   ^ "},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		char marked[64] = {0};
		uint32_t at[FUZZY_QUERY];
		struct fuzzy f;
		size_t n;

		memset(marked, ' ', strlen(rows[i].text));
		fuzzy_begin(&f, str_of(rows[i].query));
		cr_assert_neq(fuzzy_match(&f, str_of(rows[i].text), at, &n), FUZZY_NONE);
		for (size_t k = 0; k < n; k++)
			marked[at[k]] = '^';
		cr_expect_str_eq(marked, rows[i].marked, "%s", rows[i].text);
	}
}

/* ---- all ways ---- */

static int32_t bonus(const char *text, size_t j)
{
	char before = j ? text[j - 1] : '/';

	if (before == '/')
		return 900;
	if (before == '-' || before == ' ')
		return 800;
	if (before == '.')
		return 600;
	return text[j] >= 'A' && text[j] <= 'Z' && before >= 'a' && before <= 'z' ? 700
										  : 0;
}

static char folded(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

/* The best of all places for letter i behind character `last`; SIZE_MAX: it is the first.
 */
static int32_t best_of_all(const char *q, const char *text, size_t i, size_t last)
{
	int32_t best = FUZZY_NONE;
	size_t n = strlen(text);

	if (!q[i])
		return -5 * (int32_t)(n - 1 - last);
	for (size_t j = last == SIZE_MAX ? 0 : last + 1; j < n; j++) {
		int32_t rest, here = bonus(text, j);

		if (folded(text[j]) != q[i])
			continue;
		rest = best_of_all(q, text, i + 1, j);
		if (rest == FUZZY_NONE)
			continue;
		if (last == SIZE_MAX)
			here += -5 * (int32_t)j;
		else if (j == last + 1)
			here = here > 1000 ? here : 1000;
		else
			here += -10 * (int32_t)(j - last - 1);
		best = here + rest > best ? here + rest : best;
	}
	return best;
}

Test(fuzzy, best_of_all_ways)
{
	static const char letters[] = "aabbcA /-.";
	size_t matched = 0;

	srand(7);
	for (int round = 0; round < 20000; round++) {
		char text[13] = {0}, query[4] = {0};
		int32_t expected;

		for (int i = 0; i < 1 + rand() % 12; i++)
			text[i] = letters[rand() % 10];
		for (int i = 0; i < 1 + rand() % 3; i++)
			query[i] = letters[rand() % 5];
		expected = best_of_all(query, text, 0, SIZE_MAX);
		matched += expected != FUZZY_NONE;
		cr_assert_eq(score(query, text), expected, "%s in %s: %d, not %d", query,
			text, score(query, text), expected);
	}
	cr_expect_gt(matched, 5000);
}

/* However long both are, and whatever bytes. */
Test(fuzzy, any_bytes)
{
	char text[2000], query[500];
	uint32_t at[FUZZY_QUERY];
	size_t n, matched = 0;

	srand(3);
	for (int round = 0; round < 300; round++) {
		struct fuzzy f;
		size_t from = (size_t)rand() % 1900;

		for (size_t i = 0; i < sizeof(text); i++)
			text[i] = (char)(rand() % 3 ? 'a' + rand() % 4 : rand());
		memcpy(query, text + from, 100);
		fuzzy_begin(&f, (struct str){query, 1 + (size_t)rand() % 100});
		cr_assert_leq(f.count, FUZZY_QUERY);
		if (fuzzy_match(&f, (struct str){text, sizeof(text)}, at, &n) ==
			FUZZY_NONE)
			continue;
		matched++;
		for (size_t i = 0; i < n; i++)
			cr_assert_lt(at[i], sizeof(text));
	}
	cr_expect_gt(matched, 10);
}
