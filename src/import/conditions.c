/* The conditions of a description, one value's and those of all formats: see describe.h.
 */
#include "config.h"
#include "import/describe.h"

#include "base/mem.h"

/* ---- conditions ---- */

bool text_is_one_of(struct jv value, const struct file_texts *texts)
{
	AUTO_BUF text = BUF_INIT;
	struct str s =
		value.kind == J_STRING && value.p ? jv_str(value, &text) : jv_raw(value);

	for (size_t i = 0; s.p && value.kind != J_NONE && i < texts->count; i++) {
		struct str wanted = texts->items[i];
		bool begins = wanted.n && wanted.p[wanted.n - 1] == '*';
		bool ends = wanted.n && wanted.p[0] == '*';

		if (begins     ? str_starts(s, (struct str){wanted.p, wanted.n - 1})
			: ends ? str_ends(s, str_skip(wanted, 1))
			       : str_equal(s, wanted))
			return true;
	}
	return false;
}

bool test_holds(const struct test *t, struct jv value)
{
	switch (t->want) {
	case WANT_ANY:
		return !jv_null(value);
	case WANT_ABSENT:
		return jv_null(value);
	case WANT_KIND:
		return (t->kinds >> value.kind & 1) != 0;
	case WANT_TEXT:
		return text_is_one_of(value, &t->texts);
	case WANT_OTHER:
		return !jv_null(value) && !text_is_one_of(value, &t->texts);
	}
	return false;
}

bool groups_hold(const struct groups *g, leaf_value *value, void *ctx)
{
	for (size_t i = 0; i < g->count; i++) {
		const struct test_group *group = &g->items[i];
		size_t n = 0;

		while (n < group->count &&
			test_holds(&group->tests[n], value(ctx, group->tests[n].leaf)))
			n++;
		if (n == group->count)
			return true;
	}
	return false;
}

const struct turn_rule *rule_that_holds(
	const struct description *d, bool first, leaf_value *value, void *ctx)
{
	for (size_t i = 0; i < d->rule_count; i++) {
		const struct turn_rule *r = &d->rules[i];

		if ((first || !r->first) &&
			(!r->when.count || groups_hold(&r->when, value, ctx)))
			return r;
	}
	return NULL;
}

static bool is_empty(struct jv v)
{
	return v.p && jv_empty(v); /* a long one is not */
}

int place_that_counts(
	const struct fact_paths *p, bool nulls, leaf_value *value, void *ctx)
{
	struct jv best = JV_NONE;
	int found = -1;

	for (size_t i = 0; i < p->count; i++) {
		struct jv v = value(ctx, p->items[i].leaf);

		if (v.kind == J_NONE || (v.kind == J_NULL && !nulls) ||
			(p->items[i].when.count &&
				!groups_hold(&p->items[i].when, value, ctx)))
			continue;
		/* most facts stand in one place: then it need not be known whether that
		 * one is empty */
		if (found >= 0 && !is_empty(best))
			break;
		if (found >= 0 && is_empty(v))
			continue;
		found = (int)i;
		best = v;
	}
	return found;
}

struct jv places_value(
	const struct fact_paths *p, leaf_value *value, void *ctx, enum time_unit *unit)
{
	int place = place_that_counts(p, false, value, ctx);

	*unit = place < 0 ? TIME_PLAIN : (enum time_unit)p->items[place].unit;
	return place < 0 ? JV_NONE : value(ctx, p->items[place].leaf);
}

/* ---- match_steps ---- */

/* A list as it stands, or of one value a list of it; a new reference. */
static json_t *as_list(json_t *value)
{
	if (!value)
		return json_array();
	return json_is_array(value) ? json_incref(value) : json_pack("[O]", value);
}

/* The group with the paths below a place: "events[*]" and "type" give "events[*].type"; a
 * line or a whole value adds nothing. */
static json_t *group_at(json_t *group, const char *place)
{
	bool whole = strcmp(place, "lines") == 0 || strcmp(place, "value") == 0;
	json_t *below = json_object(), *want;
	AUTO_BUF path = BUF_INIT;
	const char *key;

	json_object_foreach(group, key, want) {
		bool itself = strcmp(key, ".") == 0;

		buf_clear(&path);
		if (whole)
			buf_text(&path, key);
		else
			buf_printf(&path, "%s%s%s", place, itself ? "" : ".",
				itself ? "" : key);
		json_object_set(below, path.data, want);
	}
	return below;
}

void match_expand(json_t *format)
{
	json_t *groups = as_list(json_object_get(format, "match_steps")),
	       *places = as_list(json_object_get(format, "steps")),
	       *own = as_list(json_object_get(format, "match")), *match = json_copy(own),
	       *group, *place;
	size_t g, p;

	json_array_foreach(groups, g, group)
		json_array_foreach(places, p, place)
			if (json_is_object(group) && json_is_string(place))
				json_array_append_new(
					match, group_at(group, json_string_value(place)));
	json_object_set_new(format, "match", match);
	json_object_del(format, "match_steps");
	json_decref(own);
	json_decref(groups);
	json_decref(places);
}

/* ---- all formats at once ---- */

#define MATCH_LEAVES 8192

bool matcher_takes(struct jv format, bool last)
{
	return last == (jv_member(format, "last").kind == J_TRUE);
}

bool matcher_make(struct matcher *m, const struct jv *matches, size_t count,
	struct arena *arena, struct err *err)
{
	AUTO_FREE struct test **all = NULL;
	size_t leaves, cap = 0;

	*m = (struct matcher){.count = count};
	m->formats = mem_zalloc(count + 1, sizeof(*m->formats));
	trie_begin(&m->trie, arena, false, MATCH_LEAVES);
	for (size_t i = 0; i < count; i++)
		if (!description_match(&m->formats[i], matches[i], &m->trie, arena, err))
			return false;
	for (size_t i = 0; i < count; i++)
		for (size_t g = 0; g < m->formats[i].count; g++)
			for (size_t t = 0; t < m->formats[i].items[g].count; t++) {
				struct test *test = &m->formats[i].items[g].tests[t];

				test->number = m->test_count;
				*MEM_ADD(all, m->test_count, cap) = test;
			}
	/* which tests are asked of the value of each leaf */
	leaves = m->trie.leaf_count;
	m->first = mem_zalloc(leaves + 2, sizeof(*m->first));
	m->tests = mem_zalloc(m->test_count + 1, sizeof(*m->tests));
	for (size_t n = 0; n < m->test_count; n++)
		if (all[n]->leaf >= 0)
			m->first[all[n]->leaf + 1]++;
	for (size_t i = 0; i < leaves; i++)
		m->first[i + 1] += m->first[i];
	for (size_t n = 0; n < m->test_count; n++)
		if (all[n]->leaf >= 0)
			m->tests[m->first[all[n]->leaf]++] = all[n];
	memmove(m->first + 1, m->first, leaves * sizeof(*m->first));
	m->first[0] = 0;
	return true;
}

struct tested_value {
	const struct matcher *m;
	unsigned char *verdicts;
};

static void look_at_leaf(void *ctx, int leaf, struct jv value)
{
	struct tested_value *j = ctx;

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

unsigned char *matcher_test(const struct matcher *m, struct jv value)
{
	AUTO_ARENA arena = {0};
	struct tested_value j = {m, mem_zalloc(m->test_count + 1, 1)};
	struct trie_reading r = {&m->trie, &arena, look_at_leaf, &j};

	trie_read(&r, TRIE_ROOT, value);
	return j.verdicts;
}
