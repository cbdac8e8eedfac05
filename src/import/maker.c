/* Members of a format file, checked and taken: see maker.h. */
#include "config.h"
#include "import/maker.h"

#include "base/mem.h"
#include "base/suggest.h"
#include "json/json.h"

void maker_fail(struct description_maker *m, const char *member, const char *why)
{
	if (!m->failed)
		err_set(m->err, "%s: %s", member, why);
	m->failed = true;
}

void *maker_room(struct description_maker *m, size_t count, size_t size)
{
	void *p = arena_alloc(m->arena, (count ? count : 1) * size);

	memset(p, 0, (count ? count : 1) * size);
	return p;
}

const char *maker_text(struct description_maker *m, struct jv v)
{
	struct str s = v.kind == J_STRING ? jv_keep(v, m->arena) : jv_raw(v);
	char *copy = maker_room(m, s.n + 1, 1);

	memcpy(copy, s.p, s.n);
	return copy;
}

/* Every member of a mapping must be one of these, with a NULL at the end. */
void maker_check(struct description_maker *m, const char *where, struct jv v,
	const char *const names[])
{
	if (!jv_null(v) && v.kind != J_OBJECT)
		maker_fail(m, *where ? where : "name", "not a mapping");
	JV_FIELDS(key, value, v) {
		struct str name = jv_keep(key, m->arena);
		struct suggest near;
		AUTO_BUF text = BUF_INIT;
		size_t i = 0;

		suggest_begin(&near, name);
		for (; names[i] && !str_equal(name, str_of(names[i])); i++)
			suggest_try(&near, str_of(names[i]));
		if (names[i])
			continue;
		buf_printf(
			&text, "%s%s%.*s", where, *where ? "." : "", (int)name.n, name.p);
		if (!m->failed) {
			AUTO_BUF hint = BUF_INIT;

			suggest_put(&near, &hint);
			err_set(m->err, "%s: no such word%s", text.data,
				hint.len ? hint.data : "");
		}
		m->failed = true;
	}
}

bool maker_flag(struct description_maker *m, const char *member, struct jv v)
{
	if (!jv_null(v) && v.kind != J_TRUE && v.kind != J_FALSE)
		maker_fail(m, member, "neither true nor false");
	return v.kind == J_TRUE;
}

size_t maker_begin(struct maker_list *l, struct jv v)
{
	*l = (struct maker_list){.one = v, .is_list = v.kind == J_ARRAY};
	if (l->is_list)
		jwalk_begin(&l->walk, v);
	return l->is_list ? jv_count(v, SIZE_MAX) : v.kind != J_NONE && v.kind != J_NULL;
}

bool maker_next(struct maker_list *l, struct jv *v)
{

	if (l->is_list)
		return jwalk_next(&l->walk, NULL, v);
	*v = l->one;
	l->one = JV_NONE;
	return v->kind != J_NONE && v->kind != J_NULL;
}

const struct str *maker_texts(struct description_maker *m, struct jv v, size_t *count)
{
	struct maker_list l;
	struct str *texts = maker_room(m, maker_begin(&l, v), sizeof(*texts));
	struct jv item;

	*count = 0;
	while (maker_next(&l, &item))
		texts[(*count)++] = str_of(maker_text(m, item));
	return texts;
}

/* ---- members of the file ---- */

struct path maker_path(struct description_maker *m, const char *member, struct jv v)
{
	struct path p = {0};

	if (v.kind != J_STRING || !path_parse(&p, str_of(maker_text(m, v)), m->arena))
		maker_fail(m, member, "no path");
	return p;
}

struct value_places maker_places(
	struct description_maker *m, const char *member, struct jv v)
{
	struct maker_list l;
	struct value_places p = {
		.items = maker_room(m, maker_begin(&l, v), sizeof(*p.items))};
	struct jv item;

	while (maker_next(&l, &item))
		p.items[p.count++] = maker_path(m, member, item);
	return p;
}

/* "durationMs ms" */
static struct fact_place read_plain_place(
	struct description_maker *m, const char *member, struct jv v, uint16_t from)
{
	static const struct str units[] = {
		{"", 0}, {"s", 1}, {"ms", 2}, {"us", 2}, {"ns", 2}};
	struct fact_place place = {.leaf = -1};
	struct str text = str_of(v.kind == J_STRING ? maker_text(m, v) : ""),
		   unit = {"", 0};
	size_t n = 0;

	while (n < text.n && text.p[n] != ' ')
		n++;
	if (n < text.n)
		unit = str_trim(str_skip(text, n));
	for (size_t i = 1; i < sizeof(units) / sizeof(*units); i++)
		if (str_equal(unit, units[i]))
			place.unit = (uint8_t)i;
	if ((unit.n && !place.unit) ||
		!path_parse(&place.path, (struct str){text.p, n}, m->arena))
		maker_fail(m, member, "no path");
	else
		place.leaf = (int16_t)trie_leaf(
			m->trie, from, &place.path, m->d ? &m->d->carriers : NULL);
	return place;
}

/* Plain, or {at: PATH, when: CONDITIONS}. */
struct fact_place maker_fact_place(
	struct description_maker *m, const char *member, struct jv v, uint16_t from)
{
	static const char *const words[] = {"at", "when", NULL};
	struct fact_place place;

	if (v.kind != J_OBJECT)
		return read_plain_place(m, member, v, from);
	maker_check(m, member, v, words);
	place = read_plain_place(m, member, jv_member(v, "at"), from);
	place.when = maker_groups(m, member, jv_member(v, "when"), from);
	return place;
}

struct fact_places maker_fact_places(
	struct description_maker *m, const char *member, struct jv v, uint16_t from)
{
	static const char *const words[] = {"sum", NULL};
	struct jv sum = v.kind == J_OBJECT ? jv_member(v, "sum") : JV_NONE, item;
	struct maker_list l;
	struct fact_places p = {.sum = sum.kind != J_NONE};

	if (p.sum)
		maker_check(m, member, v, words);
	v = p.sum ? sum : v;
	p.items = maker_room(m, maker_begin(&l, v), sizeof(*p.items));
	while (maker_next(&l, &item))
		p.items[p.count++] = maker_fact_place(m, member, item, from);
	return p;
}

static const struct {
	struct str word;
	unsigned kinds;
} kind_words[] = {
	{{"string", 6}, 1u << J_STRING},
	{{"number", 6}, 1u << J_NUMBER},
	{{"object", 6}, 1u << J_OBJECT},
	{{"array", 5}, 1u << J_ARRAY},
	{{"bool", 4}, 1u << J_TRUE | 1u << J_FALSE},
	{{"true", 4}, 1u << J_TRUE},
	{{"false", 5}, 1u << J_FALSE},
	{{"null", 4}, 1u << J_NULL},
};

static void read_want(
	struct description_maker *m, const char *member, struct test *t, struct jv v)
{
	struct str word = jv_plain(v);
	struct jv other = v.kind == J_OBJECT ? jv_member(v, "not") : JV_NONE;

	if (other.kind == J_ARRAY)
		v = other;
	if (v.kind == J_ARRAY) {
		t->want = other.kind == J_ARRAY ? WANT_OTHER : WANT_TEXT;
		t->texts = maker_texts(m, v, &t->text_count);
		return;
	}
	if (v.kind == J_TRUE || v.kind == J_FALSE)
		word = jv_raw(v);
	if (str_equal(word, STR("any")) || str_equal(word, STR("absent"))) {
		t->want = word.p[1] == 'n' ? WANT_ANY : WANT_ABSENT;
		return;
	}
	t->want = WANT_KIND;
	for (size_t i = 0; i < sizeof(kind_words) / sizeof(*kind_words); i++)
		if (str_equal(word, kind_words[i].word))
			t->kinds = kind_words[i].kinds;
	if (!t->kinds)
		maker_fail(m, member, "neither a kind of value nor a list of texts");
}

static struct test_group read_group(
	struct description_maker *m, const char *member, struct jv v, int from)
{
	struct test_group g = {
		.tests = maker_room(m, jv_count(v, SIZE_MAX), sizeof(*g.tests))};

	if (v.kind != J_OBJECT)
		maker_fail(m, member, "not a mapping of paths to conditions");
	JV_FIELDS(key, want, v) {
		struct test *t = &g.tests[g.count++];

		t->path = maker_path(m, member, key);
		t->key = key;
		t->wanted = want;
		t->leaf = from == NO_NODE ? -1
					  : trie_leaf(m->trie, (uint16_t)from, &t->path,
						    m->d ? &m->d->carriers : NULL);
		read_want(m, member, t, want);
	}
	return g;
}

struct groups maker_groups(
	struct description_maker *m, const char *member, struct jv v, int from)
{
	struct maker_list l;
	struct groups g = {.items = maker_room(m, maker_begin(&l, v), sizeof(*g.items))};
	struct jv item;

	while (maker_next(&l, &item))
		g.items[g.count++] = read_group(m, member, item, from);
	return g;
}

const struct dialect *maker_dialect(struct description_maker *m, struct jv v)
{
	const struct dialect *d = v.kind == J_STRING ? dialect_named(jv_plain(v)) : NULL;

	if (v.kind != J_NONE && !d)
		maker_fail(m, "dialect", "no such dialect");
	return d;
}
