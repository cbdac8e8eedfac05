/*
 * From the JSON form of a format file to what the engine uses: see describe.h.  What a
 * file may say is checked here, member by member; a wrong one is named.
 */
#include "config.h"
#include "format/describe.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "format/bodies.h"
#include "json/json.h"
#include "base/near.h"
#include "json/json.h"

/* A description in the making. */
struct maker {
	struct description *d;
	struct trie *trie;
	struct arena *arena;
	struct err *err;
	bool failed;
};

static void fail(struct maker *m, const char *member, const char *why)
{
	if (!m->failed)
		err_set(m->err, "%s: %s", member, why);
	m->failed = true;
}

static void *room(struct maker *m, size_t count, size_t size)
{
	void *p = arena_alloc(m->arena, (count ? count : 1) * size);

	memset(p, 0, (count ? count : 1) * size);
	return p;
}

static const char *text_of(struct maker *m, struct jv v)
{
	struct str s = v.kind == J_STRING ? jv_keep(v, m->arena) : (struct str){v.p, v.n};
	char *copy = room(m, s.n + 1, 1);

	memcpy(copy, s.p, s.n);
	return copy;
}

/* Every member of a mapping must be one of these, with a NULL at the end. */
static void check_members(
	struct maker *m, const char *where, struct jv v, const char *const names[])
{
	struct jwalk w;
	struct jv key, value;

	jwalk_begin(&w, v);
	while (v.kind == J_OBJECT && jwalk_next(&w, &key, &value)) {
		struct str name = jv_keep(key, m->arena);
		struct near near;
		struct buf text = BUF_INIT;
		size_t i = 0;

		near_begin(&near, name);
		for (; names[i] && !str_equal(name, str_of(names[i])); i++)
			near_try(&near, str_of(names[i]));
		if (names[i])
			continue;
		buf_printf(
			&text, "%s%s%.*s", where, *where ? "." : "", (int)name.n, name.p);
		if (!m->failed) {
			struct buf hint = BUF_INIT;

			near_put(&near, &hint);
			err_set(m->err, "%s: no such word%s", text.data,
				hint.len ? hint.data : "");
			buf_done(&hint);
		}
		m->failed = true;
		buf_done(&text);
	}
}

/* The items of a list; of anything else that is there, itself. */
struct list {
	struct jwalk walk;
	struct jv one;
	bool is_list;
};

static size_t list_begin(struct list *l, struct jv v)
{
	*l = (struct list){.one = v, .is_list = v.kind == J_ARRAY};
	if (l->is_list)
		jwalk_begin(&l->walk, v);
	return l->is_list ? jv_count(v, 4096) : v.kind != J_NONE && v.kind != J_NULL;
}

static bool list_next(struct list *l, struct jv *v)
{
	struct jv key;

	if (l->is_list)
		return jwalk_next(&l->walk, &key, v);
	*v = l->one;
	l->one = (struct jv)JV_NONE;
	return v->kind != J_NONE && v->kind != J_NULL;
}

static const struct str *read_texts(struct maker *m, struct jv v, size_t *count)
{
	struct list l;
	struct str *texts = room(m, list_begin(&l, v), sizeof(*texts));
	struct jv item;

	*count = 0;
	while (list_next(&l, &item))
		texts[(*count)++] = str_of(text_of(m, item));
	return texts;
}

/* ---- conditions ---- */

static bool text_fits(struct str text, struct str wanted)
{
	if (wanted.n && wanted.p[wanted.n - 1] == '*')
		return str_starts(text, (struct str){wanted.p, wanted.n - 1});
	if (wanted.n && wanted.p[0] == '*') {
		struct str tail = {wanted.p + 1, wanted.n - 1};

		return text.n >= tail.n &&
		       memcmp(text.p + text.n - tail.n, tail.p, tail.n) == 0;
	}
	return str_equal(text, wanted);
}

bool text_is_one_of(struct jv value, const struct str *texts, size_t count)
{
	struct buf text = BUF_INIT;
	struct str s = !value.p                 ? (struct str){0}
		       : value.kind == J_STRING ? jv_str(value, &text)
						: (struct str){value.p, value.n};
	bool is = false;

	for (size_t i = 0; i < count && value.p && value.kind != J_NONE && s.p && !is;
		i++)
		is = text_fits(s, texts[i]);
	buf_done(&text);
	return is;
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
		return text_is_one_of(value, t->texts, t->text_count);
	case WANT_OTHER:
		return !jv_null(value) && !text_is_one_of(value, t->texts, t->text_count);
	}
	return false;
}

bool groups_hold(const struct groups *g, leaf_value *value, void *ctx)
{
	for (size_t i = 0; i < g->count; i++) {
		const struct group *group = &g->items[i];
		size_t n = 0;

		while (n < group->count &&
			test_holds(&group->tests[n], value(ctx, group->tests[n].leaf)))
			n++;
		if (n == group->count)
			return true;
	}
	return false;
}

bool place_counts(const struct fact_place *p, leaf_value *value, void *ctx)
{
	return !p->when.count || groups_hold(&p->when, value, ctx);
}

const struct rule *rule_that_holds(
	const struct description *d, bool first, leaf_value *value, void *ctx)
{
	for (size_t i = 0; i < d->rule_count; i++) {
		const struct rule *r = &d->rules[i];

		if ((first || !r->first) &&
			(!r->when.count || groups_hold(&r->when, value, ctx)))
			return r;
	}
	return NULL;
}

struct jv places_value(
	const struct fact_places *p, leaf_value *value, void *ctx, enum time_unit *unit)
{
	struct jv found = JV_NONE;

	*unit = TIME_PLAIN;
	for (size_t i = 0; i < p->count; i++) {
		struct jv v = value(ctx, p->items[i].leaf);

		bool empty = v.p && jv_empty(v); /* a long one is not */

		if (jv_null(v) || (found.kind != J_NONE && empty) ||
			!place_counts(&p->items[i], value, ctx))
			continue;
		found = v;
		*unit = (enum time_unit)p->items[i].unit;
		if (!empty)
			break;
	}
	return found;
}

/* ---- values ---- */

double unit_seconds_of(struct jv value, enum time_unit unit)
{
	static const double per_second[] = {
		[TIME_S] = 1, [TIME_MS] = 1e3, [TIME_US] = 1e6, [TIME_NS] = 1e9};

	if (unit == TIME_PLAIN)
		return fact_seconds(value);
	return fact_number(value) / per_second[unit];
}

double described_time(struct jv value)
{
	struct jv key, item;
	struct jwalk w;
	double v[2] = {NAN, NAN};

	if (value.kind != J_ARRAY)
		return fact_time(value);
	jwalk_begin(&w, value);
	for (int i = 0; i < 2 && jwalk_next(&w, &key, &item); i++)
		v[i] = fact_number(item);
	return v[0] + v[1] / 1e9;
}

static const struct {
	struct str word;
	enum fact fact;
} fact_words[] = {
	{{"id", 2}, FACT_ID},
	{{"event", 5}, FACT_EVENT},
	{{"start", 5}, FACT_TIMESTAMP},
	{{"end", 3}, FACT_END},
	{{"model", 5}, FACT_MODEL},
	{{"input_tokens", 12}, FACT_INPUT_TOKENS},
	{{"output_tokens", 13}, FACT_OUTPUT_TOKENS},
	{{"cost", 4}, FACT_COST},
	{{"latency", 7}, FACT_LATENCY},
	{{"name", 4}, FACT_NAME},
	{{"trace_name", 10}, FACT_CHAIN_NAME},
	{{"trace", 5}, FACT_TRACE},
	{{"parent", 6}, FACT_PARENT},
	{{"span", 4}, FACT_SPAN},
	{{"is_error", 8}, FACT_IS_ERROR},
	{{"error", 5}, FACT_ERROR},
	{{"status", 6}, FACT_STATUS},
	{{"provider", 8}, FACT_PROVIDER},
	{{"tools", 5}, FACT_TOOLS},
	{{"parameters", 10}, FACT_PARAMETERS},
	{{"temperature", 11}, FACT_TEMPERATURE},
	{{"max_tokens", 10}, FACT_MAX_TOKENS},
	{{"cache_read", 10}, FACT_CACHE_READ},
	{{"cache_write", 11}, FACT_CACHE_WRITE},
	{{"first_token", 11}, FACT_FIRST_TOKEN},
	{{"session", 7}, FACT_SESSION},
	{{"thread", 6}, FACT_THREAD},
	{{"cwd", 3}, FACT_CWD},
	{{"branch", 6}, FACT_BRANCH},
	{{"stop", 4}, FACT_STOP},
	{{"input_cost", 10}, FACT_INPUT_COST},
	{{"output_cost", 11}, FACT_OUTPUT_COST},
	/* of events: what other formats say under input and output */
	{{"input", 5}, FACT_INPUT},
	{{"output", 6}, FACT_OUTPUT},
	{{"images", 6}, FACT_IMAGES},
	{{"prompt_schema", 13}, FACT_PROMPT_SCHEMA},
	{{"generation", 10}, FACT_GENERATION},
	{{"conversation", 12}, FACT_CONVERSATION},
};

int fact_of_word(struct str word)
{
	for (size_t i = 0; i < sizeof(fact_words) / sizeof(*fact_words); i++)
		if (str_equal(word, fact_words[i].word))
			return (int)fact_words[i].fact;
	return -1;
}

/* ---- members of the file ---- */

static struct path read_path(struct maker *m, const char *member, struct jv v)
{
	struct path p = {0};

	if (v.kind != J_STRING || !path_parse(&p, str_of(text_of(m, v)), m->arena))
		fail(m, member, "no path");
	return p;
}

static struct places read_places(struct maker *m, const char *member, struct jv v)
{
	struct list l;
	struct places p = {.items = room(m, list_begin(&l, v), sizeof(*p.items))};
	struct jv item;

	while (list_next(&l, &item))
		p.items[p.count++] = read_path(m, member, item);
	return p;
}

static struct groups read_groups(
	struct maker *m, const char *member, struct jv v, int from);

/* "durationMs ms" */
static struct fact_place read_plain_place(
	struct maker *m, const char *member, struct jv v, uint16_t from)
{
	static const struct str units[] = {
		{"", 0}, {"s", 1}, {"ms", 2}, {"us", 2}, {"ns", 2}};
	struct fact_place place = {.leaf = -1};
	struct str text = str_of(v.kind == J_STRING ? text_of(m, v) : ""), unit = {"", 0};
	size_t n = 0;

	while (n < text.n && text.p[n] != ' ')
		n++;
	if (n < text.n)
		unit = str_trim((struct str){text.p + n, text.n - n});
	for (size_t i = 1; i < sizeof(units) / sizeof(*units); i++)
		if (str_equal(unit, units[i]))
			place.unit = (uint8_t)i;
	if ((unit.n && !place.unit) ||
		!path_parse(&place.path, (struct str){text.p, n}, m->arena))
		fail(m, member, "no path");
	else
		place.leaf = (int16_t)trie_leaf(
			m->trie, from, &place.path, m->d ? &m->d->carriers : NULL);
	return place;
}

/* Plain, or {at: PATH, when: CONDITIONS}. */
static struct fact_place read_fact_place(
	struct maker *m, const char *member, struct jv v, uint16_t from)
{
	static const char *const words[] = {"at", "when", NULL};
	struct fact_place place;

	if (v.kind != J_OBJECT)
		return read_plain_place(m, member, v, from);
	check_members(m, member, v, words);
	place = read_plain_place(m, member, jv_member(v, "at"), from);
	place.when = read_groups(m, member, jv_member(v, "when"), from);
	return place;
}

static struct fact_places read_fact_places(
	struct maker *m, const char *member, struct jv v, uint16_t from)
{
	struct jv sum = v.kind == J_OBJECT ? jv_member(v, "sum") : (struct jv)JV_NONE,
		  item;
	struct list l;
	struct fact_places p = {.sum = sum.kind != J_NONE};

	v = p.sum ? sum : v;
	p.items = room(m, list_begin(&l, v), sizeof(*p.items));
	while (list_next(&l, &item))
		p.items[p.count++] = read_fact_place(m, member, item, from);
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

static void read_want(struct maker *m, const char *member, struct test *t, struct jv v)
{
	struct str word = jv_plain(v);
	struct jv other = v.kind == J_OBJECT ? jv_member(v, "not") : (struct jv)JV_NONE;

	if (other.kind == J_ARRAY)
		v = other;
	if (v.kind == J_ARRAY) {
		t->want = other.kind == J_ARRAY ? WANT_OTHER : WANT_TEXT;
		t->texts = read_texts(m, v, &t->text_count);
		return;
	}
	if (v.kind == J_TRUE || v.kind == J_FALSE)
		word = (struct str){v.p, v.n};
	if (str_equal(word, STR("any")) || str_equal(word, STR("absent"))) {
		t->want = word.p[1] == 'n' ? WANT_ANY : WANT_ABSENT;
		return;
	}
	t->want = WANT_KIND;
	for (size_t i = 0; i < sizeof(kind_words) / sizeof(*kind_words); i++)
		if (str_equal(word, kind_words[i].word))
			t->kinds = kind_words[i].kinds;
	if (!t->kinds)
		fail(m, member, "neither a kind of value nor a list of texts");
}

#define NO_NODE (-1) /* conditions of an opened step only */

static struct group read_group(struct maker *m, const char *member, struct jv v, int from)
{
	struct group g = {.tests = room(m, jv_count(v, 256), sizeof(*g.tests))};
	struct jwalk w;
	struct jv key, want;

	if (v.kind != J_OBJECT)
		fail(m, member, "not a mapping of paths to conditions");
	jwalk_begin(&w, v);
	while (v.kind == J_OBJECT && jwalk_next(&w, &key, &want)) {
		struct test *t = &g.tests[g.count++];

		t->path = read_path(m, member, key);
		t->key = key;
		t->wanted = want;
		t->leaf = from == NO_NODE ? -1
					  : trie_leaf(m->trie, (uint16_t)from, &t->path,
						    m->d ? &m->d->carriers : NULL);
		read_want(m, member, t, want);
	}
	return g;
}

static struct groups read_groups(
	struct maker *m, const char *member, struct jv v, int from)
{
	struct list l;
	struct groups g = {.items = room(m, list_begin(&l, v), sizeof(*g.items))};
	struct jv item;

	while (list_next(&l, &item))
		g.items[g.count++] = read_group(m, member, item, from);
	return g;
}

static const struct dialect *read_dialect(struct maker *m, struct jv v)
{
	const struct dialect *d = v.kind == J_STRING ? dialect_named(jv_plain(v)) : NULL;

	if (v.kind != J_NONE && !d)
		fail(m, "dialect", "no such dialect");
	return d;
}

/* ---- pieces ---- */

static struct said read_said(
	struct maker *m, const char *member, struct jv v, unsigned depth);

static const struct {
	const char *word;
	enum piece_kind kind;
} piece_words[] = {
	{"messages", PIECE_MESSAGES},
	{"text", PIECE_TEXT},
	{"thinking", PIECE_THINKING},
	{"call", PIECE_CALL},
	{"result", PIECE_RESULT},
	{"image", PIECE_IMAGE},
	{"json", PIECE_JSON},
	{"tools", PIECE_TOOLS},
	{"parameters", PIECE_PARAMETERS},
	{"each", PIECE_EACH},
	{"tree", PIECE_TREE},
};
#define PIECE_WORDS (sizeof(piece_words) / sizeof(*piece_words))

static bool read_kind(struct maker *m, const char *member, struct piece *p, struct jv v)
{
	for (size_t i = 0; i < PIECE_WORDS; i++) {
		struct jv at = jv_member(v, piece_words[i].word);

		if (at.kind == J_NONE)
			continue;
		p->kind = piece_words[i].kind;
		p->at = read_places(m, member, at);
		return true;
	}
	if (jv_member(v, "first").kind == J_ARRAY) {
		p->kind = PIECE_FIRST;
		return true;
	}
	fail(m, member, "says nothing: messages, text, call, result, each or the like");
	return false;
}

/* {human: user, "true": user} */
static const struct renamed *read_roles(struct maker *m, struct jv v, size_t *count)
{
	struct renamed *roles = room(m, jv_count(v, 256), sizeof(*roles));
	struct jwalk w;
	struct jv key, role;

	*count = 0;
	jwalk_begin(&w, v);
	while (v.kind == J_OBJECT && jwalk_next(&w, &key, &role))
		roles[(*count)++] =
			(struct renamed){jv_keep(key, m->arena), jv_keep(role, m->arena)};
	return roles;
}

static struct piece read_piece(
	struct maker *m, const char *member, struct jv v, unsigned depth)
{
	enum {
		WHEN,
		ROLE,
		ROLE_AT,
		ROLES,
		SORT,
		DIALECT,
		ALONE,
		ID,
		NAME,
		CALLED,
		FAILED,
		SAY,
		FIRST,
		NODE_ID,
		PARENT,
		LEAF,
		BESIDE,
		GATHER,
		JOINS,
		CHILDREN,
		N
	};
	static const char *const names[N] = {"when", "role", "role_at", "roles", "sort",
		"dialect", "alone", "id", "name", "called", "failed", "say", "first",
		"node_id", "parent", "leaf", "beside", "gather", "joins", "children"};
	static const char *const words[] = {"messages", "text", "thinking", "call",
		"result", "image", "json", "tools", "parameters", "each", "tree", "when",
		"role", "role_at", "roles", "sort", "dialect", "alone", "id", "name",
		"called", "failed", "say", "first", "node_id", "parent", "leaf", "beside",
		"gather", "joins", "children", NULL};
	struct piece p = {.kind = PIECE_MESSAGES, .dialect = m->d->dialect};
	struct jv f[N];
	struct said inner;

	if (v.kind == J_STRING || v.kind == J_ARRAY) {
		p.at = read_places(m, member, v);
		return p;
	}
	if (v.kind != J_OBJECT || !read_kind(m, member, &p, v)) {
		fail(m, member, "neither a path nor a mapping");
		return p;
	}
	check_members(m, member, v, words);
	jv_members(v, names, f, N);
	p.when = read_groups(m, "when", f[WHEN], NO_NODE);
	p.role = f[ROLE].kind == J_STRING ? text_of(m, f[ROLE]) : NULL;
	p.role_at = read_places(m, "role_at", f[ROLE_AT]);
	p.roles = read_roles(m, f[ROLES], &p.role_count);
	p.sort = read_places(m, "sort", f[SORT]);
	if (f[DIALECT].kind != J_NONE)
		p.dialect = read_dialect(m, f[DIALECT]);
	p.alone = f[ALONE].kind == J_TRUE;
	if (f[CALLED].kind == J_STRING)
		p.called = f[CALLED];
	p.id = read_places(m, "id", f[ID]);
	p.beside = read_places(m, "beside", f[BESIDE]);
	p.gather = read_texts(m, f[GATHER], &p.gather_count);
	p.joins = f[JOINS].kind == J_TRUE;
	p.name = read_places(m, "name", f[NAME]);
	p.failed = read_groups(m, "failed", f[FAILED], NO_NODE);
	p.node_id = read_places(m, "node_id", f[NODE_ID]);
	p.children = read_places(m, "children", f[CHILDREN]);
	p.parent = read_places(m, "parent", f[PARENT]);
	p.leaf = read_places(m, "leaf", f[LEAF]);
	inner = p.kind == PIECE_FIRST ? read_said(m, "first", f[FIRST], depth + 1)
				      : read_said(m, "say", f[SAY], depth + 1);
	p.pieces = inner.pieces;
	p.piece_count = inner.count;
	return p;
}

static struct said read_said(
	struct maker *m, const char *member, struct jv v, unsigned depth)
{
	struct list l;
	struct said s = {.pieces = room(m, list_begin(&l, v), sizeof(*s.pieces))};
	struct jv item;

	if (depth > 6)
		fail(m, member, "nested too deep");
	while (depth <= 6 && list_next(&l, &item))
		s.pieces[s.count++] = read_piece(m, member, item, depth);
	return s;
}

/* ---- bodies of providers ---- */

/* "response.body", "[*]" and "usage.cost" is one path; "." leads nowhere. */
static struct jv joined(struct maker *m, struct jv from, const char *each, const char *to)
{
	struct buf text = BUF_INIT, quoted = BUF_INIT;
	struct jv path;

	if (!jv_is(from, STR(".")))
		jv_text(from, &text);
	buf_text(&text, each);
	buf_text(&text, text.len ? "." : "");
	buf_text(&text, to);
	json_write_string(&quoted, buf_view(&text));
	path = jv_parse(arena_dup(m->arena, buf_view(&quoted)));
	buf_done(&text);
	buf_done(&quoted);
	return path;
}

/* The value at a path, behind which a unit may stand, is of a leaf that another has. */
static void share_leaf(struct maker *m, struct jv path, int16_t leaf)
{
	const char *text = text_of(m, path);
	struct path p;
	uint16_t node;

	if (!path_parse(&p, (struct str){text, strcspn(text, " ")}, m->arena))
		return;
	node = trie_node_of(m->trie, m->d->trie.step, &p, p.count);
	if (node != NODE_NONE && m->trie->nodes[node].leaf < 0)
		m->trie->nodes[node].leaf = leaf;
}

/* The place of a fact in a body, and that in each event of a stream, as one leaf. */
static struct fact_place body_place(struct maker *m, struct jv body, const char *to)
{
	/* of each event, and where these are packed in pieces */
	static const char *const events[] = {"[*]", "[*][*]"};
	uint16_t from = m->d->trie.step;
	struct fact_place place;

	place = read_fact_place(m, "bodies", joined(m, body, "", to), from);
	if (jv_is(body, STR(".")) && from == TRIE_ROOT &&
		m->trie->nodes[TRIE_ROOT].each == TRIE_ROOT)
		return place; /* its items are steps */
	for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++)
		share_leaf(m, joined(m, body, events[i], to), place.leaf);
	return place;
}

/* Behind the places that the file itself names. */
static void add_body_fact(struct maker *m, struct jv body, const struct body_fact *f)
{
	struct fact_places *p = &m->d->facts[f->fact];
	struct fact_place *items = room(m, p->count + 1, sizeof(*items));

	if (p->count)
		memcpy(items, p->items, p->count * sizeof(*items));
	items[p->count] = body_place(m, body, f->place);
	p->items = items;
	p->count++;
}

static void read_body(struct maker *m, struct jv paths, const struct body_fact *facts,
	struct said *side)
{
	struct list l;
	struct jv body;

	for (size_t i = 0; facts[i].place; i++)
		for (list_begin(&l, paths); list_next(&l, &body);)
			add_body_fact(m, body, &facts[i]);
	if (side->count || !list_begin(&l, paths))
		return;
	*side = (struct said){room(m, 1, sizeof(*side->pieces)), 1};
	side->pieces[0] = (struct piece){
		.at = read_places(m, "bodies", paths), .dialect = m->d->dialect};
}

/* Values that are the request and the response of a provider. */
static void read_bodies(struct maker *m, struct jv v)
{
	static const char *const words[] = {"request", "response", NULL};
	struct description *d = m->d;

	check_members(m, "bodies", v, words);
	read_body(m, jv_member(v, "response"), response_facts, &d->output);
	read_body(m, jv_member(v, "request"), request_facts, &d->input);
}

/* ---- the file ---- */

static enum turn read_turn(struct maker *m, struct jv v)
{
	static const struct str words[] = {{"input", 5}, {"output", 6}, {"both", 4},
		{"skip", 4}, {"alone", 5}, {"drop", 4}};

	for (int i = 0; i < 6; i++)
		if (jv_is(v, words[i]))
			return (enum turn)i;
	fail(m, "turns.items.as", "one of input, output, both, skip, alone, drop");
	return TURN_SKIP;
}

static void read_rules(struct maker *m, struct jv items)
{
	struct description *d = m->d;
	struct list l;
	struct jv item;

	d->rules = room(m, list_begin(&l, items), sizeof(*d->rules));
	while (list_next(&l, &item)) {
		static const char *const words[] = {
			"when", "as", "say", "together", "echo", "sums", "first", NULL};
		struct rule *r = &d->rules[d->rule_count++];

		check_members(m, "turns.items", item, words);

		r->when = read_groups(
			m, "turns.items.when", jv_member(item, "when"), d->trie.step);
		r->turn = read_turn(m, jv_member(item, "as"));
		r->together = jv_member(item, "together").kind == J_TRUE;
		r->echo = jv_member(item, "echo").kind == J_TRUE;
		r->sums = jv_member(item, "sums").kind == J_TRUE;
		r->first = jv_member(item, "first").kind == J_TRUE;
		r->said = read_said(m, "turns.items.say", jv_member(item, "say"), 0);
	}
}

static void read_turns(struct maker *m, struct jv v)
{
	struct description *d = m->d;

	static const char *const words[] = {
		"join", "about", "replace", "tokens", "carry_model", "items", NULL};

	d->turns = v.kind == J_OBJECT;
	if (!d->turns)
		return;
	check_members(m, "turns", v, words);
	d->join = read_fact_places(m, "turns.join", jv_member(v, "join"), d->trie.step);
	d->about =
		read_fact_places(m, "turns.about", jv_member(v, "about"), d->trie.step);
	d->replace = read_fact_places(
		m, "turns.replace", jv_member(v, "replace"), d->trie.step);
	d->add_tokens = jv_is(jv_member(v, "tokens"), STR("add"));
	d->carry_model = jv_member(v, "carry_model").kind == J_TRUE;
	read_rules(m, jv_member(v, "items"));
}

static void fail_fact(struct maker *m, const char *member, struct str word)
{
	struct near near;
	struct buf why = BUF_INIT;

	near_begin(&near, word);
	for (size_t i = 0; i < sizeof(fact_words) / sizeof(*fact_words); i++)
		near_try(&near, fact_words[i].word);
	buf_text(&why, "no such fact");
	near_put(&near, &why);
	fail(m, member, why.data);
	buf_done(&why);
}

static void read_facts(
	struct maker *m, struct jv v, struct fact_places *facts, uint16_t from)
{
	struct jwalk w;
	struct jv key, value;

	jwalk_begin(&w, v);
	while (v.kind == J_OBJECT && jwalk_next(&w, &key, &value)) {
		struct str word = jv_keep(key, m->arena);
		struct buf member = BUF_INIT;
		int fact = fact_of_word(word);

		buf_printf(&member, "facts.%.*s", (int)word.n, word.p);
		if (fact < 0)
			fail_fact(m, member.data, word);
		else
			facts[fact] = read_fact_places(m, member.data, value, from);
		buf_done(&member);
	}
}

static void read_run(struct maker *m, struct jv v)
{
	static const char *const words[] = {"facts", "say", "when", NULL};
	struct description *d = m->d;

	d->has_run = v.kind == J_OBJECT;
	if (!d->has_run)
		return;
	check_members(m, "run", v, words);
	if (d->trie.step == TRIE_ROOT)
		fail(m, "run", "the steps are no members of a value");
	read_facts(m, jv_member(v, "facts"), d->run, TRIE_ROOT);
	d->run_said = read_said(m, "run.say", jv_member(v, "say"), 0);
	d->run_when = read_groups(m, "run.when", jv_member(v, "when"), TRIE_ROOT);
}

static void read_kinds(struct maker *m, struct jv v)
{
	static const char *const words[] = {
		"at", "call", "container", "call_when", "container_when", NULL};
	struct description *d = m->d;

	check_members(m, "kind", v, words);
	d->kind_at = read_fact_places(m, "kind.at", jv_member(v, "at"), d->trie.step);
	d->calls = read_texts(m, jv_member(v, "call"), &d->call_count);
	d->containers = read_texts(m, jv_member(v, "container"), &d->container_count);
	d->call_when =
		read_groups(m, "kind.call_when", jv_member(v, "call_when"), d->trie.step);
	d->container_when = read_groups(
		m, "kind.container_when", jv_member(v, "container_when"), d->trie.step);
}

/* Where the steps are: lines, value, or paths that end in [*]. */
static void read_steps(struct maker *m, struct jv v)
{
	struct description *d = m->d;
	struct list l;
	struct jv item;

	list_begin(&l, v);
	while (list_next(&l, &item)) {
		d->lines |= jv_is(item, STR("lines"));
		d->value |= jv_is(item, STR("value"));
	}
	trie_begin(&d->trie, m->arena, !d->lines && !d->value, FIELD_MAX);
	list_begin(&l, v);
	while (list_next(&l, &item)) {
		struct path p;
		uint16_t at;

		if (jv_is(item, STR("lines")) || jv_is(item, STR("value")))
			continue;
		p = read_path(m, "steps", item);
		if (m->failed || !p.count ||
			(p.steps[p.count - 1].kind != PATH_EACH &&
				p.steps[p.count - 1].kind != PATH_MEMBERS)) {
			fail(m, "steps", "lines, value, or paths that end in [*]");
			return;
		}
		at = trie_node_of(&d->trie, TRIE_ROOT, &p, p.count - 1);
		if (at == NODE_NONE) {
			fail(m, "steps", "the scan cannot follow this path");
			return;
		}
		trie_carry_steps(
			&d->trie, at, p.steps[p.count - 1].kind == PATH_MEMBERS, false);
	}
}

static void read_children(struct maker *m, struct jv v)
{
	struct description *d = m->d;
	struct list l;
	struct jv item;

	list_begin(&l, v);
	while (list_next(&l, &item)) {
		struct path p = read_path(m, "children", item);
		uint16_t at = trie_node_of(&d->trie, d->trie.step, &p, p.count);

		if (at == NODE_NONE)
			continue;
		trie_carry_steps(&d->trie, at, false, true);
	}
}

static void read_attached(struct maker *m, struct jv v)
{
	struct description *d = m->d;
	struct jwalk w;
	struct jv key, path;

	d->attached = room(m, jv_count(v, 64), sizeof(*d->attached));
	jwalk_begin(&w, v);
	while (v.kind == J_OBJECT && d->attached_count < 64 &&
		jwalk_next(&w, &key, &path))
		d->attached[d->attached_count++] = (struct attachment){
			jv_keep(key, m->arena), read_path(m, "attached", path)};
}

static void read_carriers(struct maker *m, struct jv v)
{
	struct places p = read_places(m, "attributes", v);

	m->d->carriers = (struct carriers){p.items, p.count};
}

static void read_trace(struct maker *m, struct jv v)
{
	static const char *const words[] = {"id", "name", NULL};

	check_members(m, "trace", v, words);
	m->d->trace_id = read_fact_places(m, "trace.id", jv_member(v, "id"), TRIE_ROOT);
	m->d->trace_name =
		read_fact_places(m, "trace.name", jv_member(v, "name"), TRIE_ROOT);
}

bool description_match(struct groups *groups, struct jv match, struct trie *trie,
	struct arena *arena, struct err *err)
{
	struct maker m = {NULL, trie, arena, err, false};

	*groups = read_groups(&m, "match", match, TRIE_ROOT);
	return !m.failed;
}

static enum carrier carrier_described(const struct shape *shape)
{
	(void)shape;
	return CARRIER_VALUE;
}

static void read_head(struct maker *m, struct jv json)
{
	enum { NAME, TITLE, ORDER, STEPS_TEXT, N };
	static const char *const names[N] = {"name", "title", "order", "steps"};
	struct description *d = m->d;
	struct jv f[N];
	double order = 50;

	jv_members(json, names, f, N);
	if (f[NAME].kind != J_STRING)
		fail(m, "name", "a format needs a name");
	d->title = f[TITLE].kind == J_STRING ? text_of(m, f[TITLE]) : "";
	jv_number(f[ORDER], &order);
	d->order = (int)order;
	d->format = (struct format){
		.name = f[NAME].kind == J_STRING ? text_of(m, f[NAME]) : "",
		.recognised_by = d->title,
		.carrier = carrier_described,
		.description = d,
	};
}

static void sum_leaves(struct description *d, const struct fact_places *facts)
{
	static const enum fact figures[] = {FACT_INPUT_TOKENS, FACT_OUTPUT_TOKENS,
		FACT_COST, FACT_CACHE_READ, FACT_CACHE_WRITE};

	for (size_t i = 0; i < sizeof(figures) / sizeof(*figures); i++)
		for (size_t n = 0; n < facts[figures[i]].count; n++)
			if (facts[figures[i]].items[n].leaf >= 0)
				d->summed[facts[figures[i]].items[n].leaf] = true;
}

/* The leaves of figures that add up. */
static void find_summed(struct description *d)
{
	if (!d->add_figures)
		return;
	sum_leaves(d, d->facts);
	sum_leaves(d, d->run);
}

static void read_members(struct maker *m, struct jv json)
{
	enum {
		STEPS,
		ATTRIBUTES,
		CHILDREN,
		TRACE,
		FACTS,
		KIND,
		FAILED,
		SKIP,
		ATTACHED,
		MERGE,
		CUMULATIVE,
		TOKENS,
		DIALECT,
		INPUT,
		OUTPUT,
		BODIES,
		TURNS,
		FILES,
		RUN,
		ANSWER_LAST,
		N
	};
	static const char *const names[N] = {"steps", "attributes", "children", "trace",
		"facts", "kind", "failed", "skip", "attached", "merge", "cumulative",
		"tokens", "dialect", "input", "output", "bodies", "turns", "files", "run",
		"answer_last"};
	static const char *const words[] = {"name", "title", "order", "match",
		"match_steps", "steps", "attributes", "children", "trace", "facts",
		"kind", "failed", "skip", "attached", "merge", "cumulative", "tokens",
		"dialect", "input", "output", "bodies", "turns", "files", "run",
		"answer_last", "include", NULL};
	struct description *d = m->d;
	struct jv f[N];

	check_members(m, "", json, words);
	jv_members(json, names, f, N);
	d->dialect = read_dialect(m, f[DIALECT]);
	read_steps(m, f[STEPS]);
	if (m->failed)
		return;
	read_carriers(m, f[ATTRIBUTES]);
	read_children(m, f[CHILDREN]);
	read_trace(m, f[TRACE]);
	read_facts(m, f[FACTS], d->facts, d->trie.step);
	read_run(m, f[RUN]);
	read_kinds(m, f[KIND]);
	d->failed = read_groups(m, "failed", f[FAILED], d->trie.step);
	d->skip = read_groups(m, "skip", f[SKIP], d->trie.step);
	read_attached(m, f[ATTACHED]);
	d->merge = read_fact_places(m, "merge", f[MERGE], d->trie.step);
	d->cumulative = f[CUMULATIVE].kind == J_TRUE;
	d->answer_last = f[ANSWER_LAST].kind == J_TRUE;
	d->add_figures = jv_is(f[TOKENS], STR("add"));
	d->input = read_said(m, "input", f[INPUT], 0);
	d->output = read_said(m, "output", f[OUTPUT], 0);
	read_bodies(m, f[BODIES]);
	read_turns(m, f[TURNS]);
	find_summed(d);
	d->files = read_texts(m, f[FILES], &d->file_count);
}

struct description *description_new(struct jv json, struct arena *arena, struct err *err)
{
	struct description *d = arena_alloc(arena, sizeof(*d));
	struct maker m = {d, &d->trie, arena, err, false};

	*d = (struct description){.arena = arena};
	read_head(&m, json);
	if (!m.failed)
		read_members(&m, json);
	return m.failed ? NULL : d;
}
