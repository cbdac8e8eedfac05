/* The conditions of many formats at once: see matcher.h. */
#include "config.h"
#include "import/matcher.h"

#include "base/mem.h"

#define MATCH_LEAVES 8192

/* Calls for each test of each format. */
static void each_test(struct matcher *m, void (*call)(struct matcher *m, struct test *t))
{
	for (size_t i = 0; i < m->count; i++)
		for (size_t g = 0; g < m->formats[i].count; g++)
			for (size_t t = 0; t < m->formats[i].items[g].count; t++)
				call(m, &m->formats[i].items[g].tests[t]);
}

static void count_test(struct matcher *m, struct test *t)
{
	t->number = m->test_count++;
	if (t->leaf >= 0)
		m->first[t->leaf + 1]++;
}

static void enter_test(struct matcher *m, struct test *t)
{
	if (t->leaf >= 0)
		m->tests[m->first[t->leaf]++] = t;
}

/* Which tests are asked of the value of each leaf. */
static void index_tests(struct matcher *m)
{
	size_t leaves = m->trie.leaf_count;

	m->first = mem_zalloc(leaves + 2, sizeof(*m->first));
	each_test(m, count_test);
	for (size_t i = 0; i < leaves; i++)
		m->first[i + 1] += m->first[i];
	m->tests = mem_zalloc(m->test_count + 1, sizeof(*m->tests));
	each_test(m, enter_test);
	memmove(m->first + 1, m->first, leaves * sizeof(*m->first));
	m->first[0] = 0;
}

bool matcher_takes(struct jv format, bool last)
{
	return last == (jv_member(format, "last").kind == J_TRUE);
}

bool matcher_make(struct matcher *m, const struct jv *matches, size_t count,
	struct arena *arena, struct err *err)
{
	*m = (struct matcher){.count = count};
	m->formats = mem_zalloc(count + 1, sizeof(*m->formats));
	trie_begin(&m->trie, arena, false, MATCH_LEAVES);
	for (size_t i = 0; i < count; i++)
		if (!description_match(&m->formats[i], matches[i], &m->trie, arena, err))
			return false;
	index_tests(m);
	return true;
}

struct judging_tests {
	const struct matcher *m;
	unsigned char *verdicts;
};

static void look_at_leaf(void *ctx, int leaf, struct jv value)
{
	struct judging_tests *j = ctx;

	for (size_t i = j->m->first[leaf]; i < j->m->first[leaf + 1]; i++) {
		const struct test *t = j->m->tests[i];
		unsigned char *h = &j->verdicts[t->number];

		if (t->want == WANT_ABSENT ? *h != FAILED : *h != HELD)
			*h = test_holds(t, value) ? HELD : FAILED;
	}
}

bool test_held(const struct test *t, const unsigned char *verdicts)
{
	return t->want == WANT_ABSENT ? verdicts[t->number] != FAILED
				      : verdicts[t->number] == HELD;
}

bool group_held(const struct test_group *g, const unsigned char *verdicts)
{
	for (size_t i = 0; i < g->count; i++)
		if (!test_held(&g->tests[i], verdicts))
			return false;
	return g->count > 0;
}

unsigned char *matcher_judge(const struct matcher *m, struct jv value)
{
	AUTO_ARENA arena = {0};
	struct judging_tests j = {m, mem_zalloc(m->test_count + 1, 1)};
	struct trie_reading r = {&m->trie, &arena, look_at_leaf, &j};

	trie_read(&r, TRIE_ROOT, value);
	return j.verdicts;
}
