/*
 * From the JSON form of a format file to what the engine uses, and whether the conditions
 * of one hold for a value: see describe.h.  Tables say which members a mapping may have,
 * how each is read and where it goes; the first mistake is named ("turns.items.as: one of
 * input, output, …").
 */
#include "config.h"
#include "import/describe.h"

#include <stddef.h>
#include <stdio.h>

#include "base/embedded.h"
#include "base/err.h"
#include "base/file.h"
#include "base/mem.h"
#include "json/json.h"

/* ---- members ---- */

#define NO_NODE (-1)

/* A description in the making. */
struct maker {
	struct description *d; /* NULL: its conditions alone are read */
	struct trie *trie;
	struct arena *arena;
	struct err *err;
	int from;       /* where paths begin; NO_NODE: the scan does not follow them */
	unsigned depth; /* of pieces within pieces */
	bool failed;
};

/* Takes the value of a member into what its table says. */
typedef void member_reader(struct maker *m, const char *name, struct jv v, void *into);

struct file_member {
	const char *word;    /* NULL ends a table */
	member_reader *read; /* NULL: it is read elsewhere */
	size_t at;           /* of what it goes into */
};

#define MEMBERS_MOST 48
#define NAME_MOST    64

static void fail(struct maker *m, const char *name, const char *why)
{
	if (!m->failed)
		err_set(m->err, "%s: %s", name, why);
	m->failed = true;
}

static void fail_near(
	struct maker *m, const char *name, const char *why, const struct suggest *near)
{
	AUTO_BUF text = BUF_INIT;

	buf_text(&text, why);
	suggest_put(near, &text);
	fail(m, name, text.data);
}

/* Every member of a mapping must be one of these. */
static void check_members(struct maker *m, const char *where, struct jv v,
	const char *const names[], size_t count)
{
	if (v.kind != J_OBJECT)
		fail(m, *where ? where : "name", "not a mapping");
	JV_FIELDS(key, value, v) {
		struct str word = jv_keep(key, m->arena);
		struct suggest near;
		AUTO_BUF name = BUF_INIT;

		if (str_is_among(word, names, count))
			continue;
		suggest_begin(&near, word);
		for (size_t i = 0; i < count; i++)
			suggest_try(&near, str_of(names[i]));
		buf_printf(
			&name, "%s%s%.*s", where, *where ? "." : "", (int)word.n, word.p);
		fail_near(m, name.data, "no such word", &near);
	}
}

/* Checks a mapping, and reads its members in the order of the table.  A mistake in one is
 * told by `prefix` and its word. */
static void read_members(struct maker *m, const char *where, const char *prefix,
	struct jv v, const struct file_member table[], void *into)
{
	const char *names[MEMBERS_MOST] = {0};
	struct jv found[MEMBERS_MOST];
	size_t count = 0;

	for (; table[count].word; count++)
		names[count] = table[count].word;
	check_members(m, where, v, names, count);
	jv_members(v, names, found, count);
	for (size_t i = 0; i < count && !m->failed; i++) {
		char name[NAME_MOST];

		if (!table[i].read || found[i].kind == J_NONE)
			continue;
		snprintf(name, sizeof(name), "%s%s", prefix, names[i]);
		if (found[i].kind == J_NULL)
			fail(m, name, "no value");
		else
			table[i].read(m, name, found[i], (char *)into + table[i].at);
	}
}

static void *room(struct maker *m, size_t count, size_t size)
{
	void *p = arena_alloc(m->arena, (count ? count : 1) * size);

	memset(p, 0, (count ? count : 1) * size);
	return p;
}

/* A list as it is; of anything else that is there, a list of it. */
static struct jv list_of(struct maker *m, struct jv v)
{
	struct buf list = BUF_INIT;

	if (v.kind == J_ARRAY || jv_null(v))
		return v.kind == J_ARRAY ? v : JV_NONE;
	buf_byte(&list, '[');
	buf_add(&list, v.p, v.n);
	buf_byte(&list, ']');
	return json_kept(&list, m->arena);
}

/* Makes a list of a value, and room for what its items become. */
static void *room_for_list(struct maker *m, struct jv *v, size_t size)
{
	*v = list_of(m, *v);
	return room(m, jv_count(*v, SIZE_MAX), size);
}

/* Mappings of one table, as an array. */
static void *read_list(struct maker *m, const char *where, const char *prefix,
	struct jv v, const struct file_member table[], size_t size, size_t *count)
{
	char *items = room_for_list(m, &v, size);

	JV_EACH(item, v)
		read_members(m, where, prefix, item, table, items + (*count)++ * size);
	return items;
}

/* ---- plain values ---- */

static const char *keep_text(struct maker *m, struct jv v)
{
	return arena_dup(m->arena, v.kind == J_STRING ? jv_keep(v, m->arena) : jv_raw(v))
		.p;
}

static void read_text(struct maker *m, const char *name, struct jv v, void *into)
{
	*(const char **)into = keep_text(m, v);
}

/* Anything but a string is passed over. */
static void read_string(struct maker *m, const char *name, struct jv v, void *into)
{
	if (v.kind == J_STRING)
		read_text(m, name, v, into);
}

static void read_texts(struct maker *m, const char *name, struct jv v, void *into)
{
	struct str *items = room_for_list(m, &v, sizeof(*items));
	struct file_texts *texts = into;

	*texts = (struct file_texts){.items = items};
	JV_EACH(item, v)
		items[texts->count++] = str_of(keep_text(m, item));
}

static void read_flag(struct maker *m, const char *name, struct jv v, void *into)
{
	if (v.kind != J_TRUE && v.kind != J_FALSE)
		fail(m, name, "neither true nor false");
	*(bool *)into = v.kind == J_TRUE;
}

/* Whether figures are added up. */
static void read_added(struct maker *m, const char *name, struct jv v, void *into)
{
	if (!jv_is(v, STR("add")))
		fail(m, name, "add, or nothing");
	*(bool *)into = true;
}

static void read_dialect(struct maker *m, const char *name, struct jv v, void *into)
{
	const struct dialect *d = v.kind == J_STRING ? dialect_named(jv_plain(v)) : NULL;

	if (!d)
		fail(m, name, "no such dialect");
	*(const struct dialect **)into = d;
}

static void read_path(struct maker *m, const char *name, struct jv v, void *into)
{
	if (v.kind != J_STRING || !path_parse(into, str_of(keep_text(m, v)), m->arena))
		fail(m, name, "no path");
}

static void read_paths(struct maker *m, const char *name, struct jv v, void *into)
{
	struct paths *p = into;

	*p = (struct paths){.items = room_for_list(m, &v, sizeof(*p->items))};
	JV_EACH(item, v)
		read_path(m, name, item, &p->items[p->count++]);
}

/* ---- conditions ---- */

static void read_want(struct maker *m, const char *name, struct test *t, struct jv v)
{
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
	bool flag = v.kind == J_TRUE || v.kind == J_FALSE;
	struct str word = flag ? jv_raw(v) : jv_plain(v);
	struct jv other = v.kind == J_OBJECT ? jv_member(v, "not") : JV_NONE;

	if (v.kind == J_ARRAY || other.kind == J_ARRAY) {
		t->want = v.kind == J_ARRAY ? WANT_TEXT : WANT_OTHER;
		read_texts(m, name, v.kind == J_ARRAY ? v : other, &t->texts);
	} else if (str_equal(word, STR("any"))) {
		t->want = WANT_ANY;
	} else if (str_equal(word, STR("absent"))) {
		t->want = WANT_ABSENT;
	} else {
		t->want = WANT_KIND;
		for (size_t i = 0; i < sizeof(kind_words) / sizeof(*kind_words); i++)
			if (str_equal(word, kind_words[i].word))
				t->kinds = kind_words[i].kinds;
		if (!t->kinds)
			fail(m, name, "neither a kind of value nor a list of texts");
	}
}

/* The leaf of a path in the trie, or -1. */
static int leaf_of(struct maker *m, const struct path *path)
{
	return m->from == NO_NODE ? -1
				  : trie_leaf(m->trie, (uint16_t)m->from, path,
					    m->d ? &m->d->carriers : NULL);
}

static void read_groups(struct maker *m, const char *name, struct jv v, void *into)
{
	struct groups *groups = into;

	*groups = (struct groups){room_for_list(m, &v, sizeof(*groups->items)), 0};
	JV_EACH(item, v) {
		struct test_group *g = &groups->items[groups->count++];

		if (item.kind != J_OBJECT)
			fail(m, name, "not a mapping of paths to conditions");
		g->tests = room(m, jv_count(item, SIZE_MAX), sizeof(*g->tests));
		JV_FIELDS(key, want, item) {
			struct test *t = &g->tests[g->count++];

			read_path(m, name, key, &t->path);
			t->key = key;
			t->wanted = want;
			t->leaf = leaf_of(m, &t->path);
			read_want(m, name, t, want);
		}
	}
}

bool description_match(struct groups *groups, struct jv match, struct trie *trie,
	struct arena *arena, struct err *err)
{
	struct maker m = {.trie = trie, .arena = arena, .err = err, .from = TRIE_ROOT};

	read_groups(&m, "match", match, groups);
	return !m.failed;
}

/* ---- places of facts ---- */

/* "durationMs ms" */
static struct fact_path plain_place(struct maker *m, const char *name, struct jv v)
{
	static const char *const units[] = {"", "s", "ms", "us", "ns"};
	struct fact_path place = {.leaf = -1};
	const char *text = v.kind == J_STRING ? keep_text(m, v) : "";
	size_t n = strcspn(text, " ");
	struct str unit = str_trim(str_of(text + n));

	for (size_t i = 1; i < sizeof(units) / sizeof(*units); i++)
		if (str_equal(unit, str_of(units[i])))
			place.unit = (uint8_t)i;
	if ((unit.n && !place.unit) ||
		!path_parse(&place.path, (struct str){text, n}, m->arena))
		fail(m, name, "no path");
	else
		place.leaf = (int16_t)leaf_of(m, &place.path);
	return place;
}

/* Plain, or {at: PATH, when: CONDITIONS}; all of them may be within {sum: …}. */
static void read_places(struct maker *m, const char *name, struct jv v, void *into)
{
	static const struct file_member one[] = {{.word = "at"}, {.word = "when"}, {0}},
					all[] = {{.word = "sum"}, {0}};
	struct jv sum = v.kind == J_OBJECT ? jv_member(v, "sum") : JV_NONE;
	struct fact_paths *p = into;

	if (sum.kind != J_NONE) {
		read_members(m, name, "", v, all, NULL);
		v = sum;
	}
	*p = (struct fact_paths){.items = room_for_list(m, &v, sizeof(*p->items)),
		.sum = sum.kind != J_NONE};
	JV_EACH(item, v) {
		struct fact_path *place = &p->items[p->count++];

		if (item.kind != J_OBJECT) {
			*place = plain_place(m, name, item);
			continue;
		}
		read_members(m, name, "", item, one, NULL);
		*place = plain_place(m, name, jv_member(item, "at"));
		read_groups(m, name, jv_member(item, "when"), &place->when);
	}
}

/* Of a mapping of facts, the places of each. */
static void read_facts(struct maker *m, const char *name, struct jv v, void *into)
{
	if (v.kind != J_OBJECT)
		fail(m, "facts", "not a mapping");
	JV_FIELDS(key, value, v) {
		struct str word = jv_keep(key, m->arena);
		int fact = fact_of_word(word);
		AUTO_BUF member = BUF_INIT;
		struct suggest near;

		buf_printf(&member, "facts.%.*s", (int)word.n, word.p);
		if (fact >= 0) {
			read_places(
				m, member.data, value, (struct fact_paths *)into + fact);
			continue;
		}
		suggest_begin(&near, word);
		for (int i = 0; i < FACT_COUNT; i++)
			suggest_try(&near, str_of(fact_words[i].word));
		fail_near(m, member.data, "no such fact", &near);
	}
}

/* ---- what is said ---- */

/* {human: user, "true": user} */
static void read_roles(struct maker *m, const char *name, struct jv v, void *into)
{
	struct said_piece *p = into;

	p->roles = room(m, jv_count(v, SIZE_MAX), sizeof(*p->roles));
	JV_FIELDS(key, role, v)
		p->roles[p->role_count++] =
			(struct renamed){jv_keep(key, m->arena), jv_keep(role, m->arena)};
}

static void read_called(struct maker *m, const char *name, struct jv v, void *into)
{
	struct made_name *made = room(m, 1, sizeof(*made));

	if (v.kind != J_STRING)
		return;
	*(struct jv *)into = v;
	*made = (struct made_name){jv_keep(v, m->arena), m->d->made_names};
	m->d->made_names = made;
}

static member_reader read_pieces;

#define PIECE(member) offsetof(struct said_piece, member)
static const struct file_member piece_members[] = {
	/* what says something, in the order of enum piece_kind: read_piece */
	{.word = "messages"},
	{.word = "text"},
	{.word = "thinking"},
	{.word = "call"},
	{.word = "result"},
	{.word = "image"},
	{.word = "json"},
	{.word = "patch"},
	{.word = "tools"},
	{.word = "parameters"},
	{.word = "each"},
	{.word = "tree"},
	{"first", read_pieces, PIECE(inner)},
	{"say", read_pieces, PIECE(inner)},
	{"role_at", read_paths, PIECE(role_at)},
	{"sort", read_paths, PIECE(sort)},
	{"id", read_paths, PIECE(id)},
	{"name", read_paths, PIECE(name)},
	{"beside", read_paths, PIECE(beside)},
	{"node_id", read_paths, PIECE(node_id)},
	{"parent", read_paths, PIECE(parent)},
	{"children", read_paths, PIECE(children)},
	{"leaf", read_paths, PIECE(leaf)},
	{"role", read_string, PIECE(role)},
	{"roles", read_roles, 0},
	{"dialect", read_dialect, PIECE(dialect)},
	{"when", read_groups, PIECE(when)},
	{"failed", read_groups, PIECE(failed)},
	{"free_form", read_groups, PIECE(free_form)},
	{"id_end", read_string, PIECE(id_end)},
	{"alone", read_flag, PIECE(alone)},
	{"joins", read_flag, PIECE(joins)},
	{"gather", read_texts, PIECE(gather)},
	{"called", read_called, PIECE(called)},
	{0},
};

static void read_piece(
	struct maker *m, const char *name, struct jv v, struct said_piece *p)
{
	int kind = PIECE_MESSAGES, from = m->from;

	p->dialect = m->d->dialect;
	if (v.kind == J_STRING || v.kind == J_ARRAY) {
		read_paths(m, name, v, &p->at);
		return;
	}
	if (v.kind != J_OBJECT)
		fail(m, name, "neither a path nor a mapping");
	while (kind < PIECE_FIRST &&
		jv_member(v, piece_members[kind].word).kind == J_NONE)
		kind++;
	if (kind < PIECE_FIRST)
		read_paths(m, name, jv_member(v, piece_members[kind].word), &p->at);
	else if (jv_member(v, "first").kind != J_ARRAY)
		fail(m, name,
			"says nothing: messages, text, call, result, each or the like");
	p->kind = (enum piece_kind)kind;
	if (jv_member(v, "first").kind != J_NONE &&
		(kind != PIECE_FIRST || jv_member(v, "say").kind != J_NONE))
		fail(m, name, "first stands for itself");
	if (m->failed)
		return;
	m->from = NO_NODE; /* what is asked is asked of an opened step */
	read_members(m, name, "", v, piece_members, p);
	m->from = from;
}

static void read_pieces(struct maker *m, const char *name, struct jv v, void *into)
{
	struct said_pieces *s = into;

	*s = (struct said_pieces){room_for_list(m, &v, sizeof(*s->items)), 0};
	if (m->depth > 6) {
		fail(m, name, "nested too deep");
		return;
	}
	m->depth++;
	JV_EACH(item, v)
		read_piece(m, name, item, &s->items[s->count++]);
	m->depth--;
}

/* ---- bodies of providers ----
 *
 * Where a format says that a value is the request or the response of a provider, its
 * facts are, in order of preference, where data/bodies.json has them, whichever provider
 * wrote it: OpenAI (both interfaces) and look-alikes, Anthropic, Gemini, Bedrock
 * Converse, Cohere, Ollama.  In an array of the events of a stream they are those of its
 * items; the last that has one counts.  A key stands for its camelCase twin as well.
 */

/* "response.body", "[*]" and "usage.cost" is one path; "." adds nothing. */
static struct jv joined(struct maker *m, struct jv from, const char *each, struct jv to)
{
	AUTO_BUF text = BUF_INIT;

	if (!jv_is(from, STR(".")))
		jv_text(from, &text);
	buf_text(&text, each);
	buf_text(&text, text.len ? "." : "");
	jv_text(to, &text);
	return json_quoted(buf_view(&text), m->arena);
}

/* The place of a fact in a body, and that in each event of a stream, as one leaf. */
static struct fact_path body_place(struct maker *m, struct jv body, struct jv to)
{
	/* of each event, and where these are packed in pieces */
	static const char *const events[] = {"[*]", "[*][*]"};
	struct fact_path place = plain_place(m, "bodies", joined(m, body, "", to));
	uint16_t step = m->trie->step, node;
	struct path p;

	if (jv_is(body, STR(".")) && step == TRIE_ROOT &&
		m->trie->nodes[TRIE_ROOT].each == TRIE_ROOT)
		return place; /* its items are steps */
	for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++) {
		const char *text = keep_text(m, joined(m, body, events[i], to));

		/* a unit may follow the path */
		if (!path_parse(&p, (struct str){text, strcspn(text, " ")}, m->arena))
			continue;
		node = trie_node_of(m->trie, step, &p, p.count);
		if (node != NODE_NONE && m->trie->nodes[node].leaf < 0)
			m->trie->nodes[node].leaf = place.leaf;
	}
	return place;
}

/* Adds the places of each fact after those that the file itself names. */
static void read_body(
	struct maker *m, const char *which, struct jv paths, struct said_pieces *side)
{
	struct str known = {(const char *)embedded_bodies.bytes, embedded_bodies.n};
	size_t bodies;

	paths = list_of(m, paths);
	bodies = jv_count(paths, SIZE_MAX);
	if (!bodies)
		return;
	JV_FIELDS(fact, places, jv_member(jv_whole(known), which)) {
		struct fact_paths *p = &m->d->facts[fact_of_word(jv_plain(fact))];
		size_t most = p->count + bodies * jv_count(places, SIZE_MAX);
		struct fact_path *items = room(m, most, sizeof(*items));

		if (p->count)
			memcpy(items, p->items, p->count * sizeof(*items));
		p->items = items;
		JV_EACH(place, places)
			JV_EACH(body, paths)
				p->items[p->count++] = body_place(m, body, place);
	}
	if (side->count)
		return;
	*side = (struct said_pieces){room(m, 1, sizeof(*side->items)), 1};
	side->items[0].dialect = m->d->dialect;
	read_paths(m, "bodies", paths, &side->items[0].at);
}

static void read_bodies(struct maker *m, const char *name, struct jv v, void *into)
{
	static const struct file_member members[] = {
		{.word = "request"}, {.word = "response"}, {0}};
	struct description *d = into;

	read_members(m, name, "", v, members, NULL);
	read_body(m, "response", jv_member(v, "response"), &d->output);
	read_body(m, "request", jv_member(v, "request"), &d->input);
}

/* ---- steps ---- */

static const char steps_needed[] = "lines, value, or paths that end in [*]";

/* Where the steps are. */
static void read_steps(struct maker *m, const char *name, struct jv v, void *into)
{
	struct description *d = into;

	v = list_of(m, v);
	if (!jv_count(v, 1))
		fail(m, name, steps_needed);
	JV_EACH(item, v) {
		d->lines |= jv_is(item, STR("lines"));
		d->value |= jv_is(item, STR("value"));
	}
	trie_begin(&d->trie, m->arena, !d->lines && !d->value, FIELD_MAX);
	m->from = d->trie.step;
	JV_EACH(item, v) {
		struct path p = {0};
		enum path_kind last;
		uint16_t at;

		if (jv_is(item, STR("lines")) || jv_is(item, STR("value")))
			continue;
		read_path(m, name, item, &p);
		last = p.count ? p.steps[p.count - 1].kind : PATH_KEY;
		if (last != PATH_EACH && last != PATH_MEMBERS) {
			fail(m, name, steps_needed);
			return;
		}
		at = trie_node_of(&d->trie, TRIE_ROOT, &p, p.count - 1);
		if (at == NODE_NONE) {
			fail(m, name, "the scan cannot follow this path");
			return;
		}
		trie_carry_steps(&d->trie, at, last == PATH_MEMBERS, false);
	}
}

static void read_children(struct maker *m, const char *name, struct jv v, void *into)
{
	struct description *d = into;

	JV_EACH(item, list_of(m, v)) {
		struct path p = {0};
		uint16_t at;

		read_path(m, name, item, &p);
		at = trie_node_of(&d->trie, d->trie.step, &p, p.count);
		if (at != NODE_NONE)
			trie_carry_steps(&d->trie, at, false, true);
	}
}

#define DESCRIPTION(member) offsetof(struct description, member)

static void read_trace(struct maker *m, const char *name, struct jv v, void *into)
{
	static const struct file_member members[] = {
		{"id", read_places, DESCRIPTION(trace_id)},
		{"name", read_places, DESCRIPTION(trace_name)},
		/* in the order of shared_facts */
		{"session", read_places, DESCRIPTION(shared[0])},
		{"user", read_places, DESCRIPTION(shared[1])},
		{"environment", read_places, DESCRIPTION(shared[2])},
		{"tags", read_places, DESCRIPTION(shared[3])},
		{"metadata", read_places, DESCRIPTION(shared[4])},
		{"scores", read_places, DESCRIPTION(shared[5])},
		{0},
	};

	m->from = TRIE_ROOT;
	read_members(m, name, "trace.", v, members, into);
	m->from = m->trie->step;
}

/* The value that carries the steps, as a step around them. */
static void read_run(struct maker *m, const char *name, struct jv v, void *into)
{
	static const struct file_member members[] = {
		{"facts", read_facts, DESCRIPTION(run)},
		{"say", read_pieces, DESCRIPTION(run_said)},
		{"when", read_groups, DESCRIPTION(run_when)},
		{0},
	};
	struct description *d = into;

	d->has_run = true;
	if (v.kind == J_OBJECT && d->trie.step == TRIE_ROOT)
		fail(m, name, "the steps are no members of a value");
	m->from = TRIE_ROOT;
	read_members(m, name, "run.", v, members, into);
	m->from = m->trie->step;
}

static void read_kind(struct maker *m, const char *name, struct jv v, void *into)
{
	static const struct file_member members[] = {
		{"at", read_places, DESCRIPTION(kind_at)},
		{"call", read_texts, DESCRIPTION(calls)},
		{"container", read_texts, DESCRIPTION(containers)},
		{"trace", read_texts, DESCRIPTION(traces)},
		{"call_when", read_groups, DESCRIPTION(call_when)},
		{"container_when", read_groups, DESCRIPTION(container_when)},
		{0},
	};

	read_members(m, name, "kind.", v, members, into);
}

/* The node of a path in a step, which the scan can follow; made when it is new. */
static uint16_t node_of(struct maker *m, const char *name, struct jv v)
{
	struct path p = {0};
	uint16_t node;

	read_path(m, name, v, &p);
	node = trie_node_of(m->trie, m->trie->step, &p, p.count);
	if (node == NODE_NONE)
		fail(m, name, "the scan cannot follow this path");
	return node == NODE_NONE ? m->trie->step : node;
}

/* The signs of the members of events. */
static void read_signs(struct maker *m, const char *name, struct jv v, void *into)
{
	/* in the order of enum event_sign */
	static const char *const words[] = {"event", "input", "ai", "chain", "message",
		"context", "history", "elements", "stream"};
	struct description *d = into;

	d->events = true;
	check_members(m, name, v, words, sizeof(words) / sizeof(*words));
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		JV_EACH(item, list_of(m, jv_member(v, words[i]))) {
			uint16_t node = node_of(m, name, item); /* it moves them */

			d->trie.nodes[node].signs |= (uint16_t)(1u << i);
		}
}

/* The columns of rows that have no names. */
static void read_columns(struct maker *m, const char *name, struct jv v, void *into)
{
	struct position_plan *columns = into;

	columns->nodes = room_for_list(m, &v, sizeof(*columns->nodes));
	JV_EACH(item, v)
		columns->nodes[columns->count++] = node_of(m, name, item);
}

static void read_attached(struct maker *m, const char *name, struct jv v, void *into)
{
	struct description *d = into;

	d->attached = room(m, jv_count(v, SIZE_MAX), sizeof(*d->attached));
	JV_FIELDS(key, path, v) {
		struct attachment *a = &d->attached[d->attached_count++];

		a->begins = jv_keep(key, m->arena);
		read_path(m, name, path, &a->at);
	}
}

/* ---- session logs ---- */

static void read_turn(struct maker *m, const char *name, struct jv v, void *into)
{
	static const char *const words[] = {
		"input", "output", "both", "skip", "alone", "drop"};

	for (int i = 0; i < TURN_DROP; i++)
		if (jv_is(v, str_of(words[i])))
			*(enum turn *)into = (enum turn)(i + 1);
}

/* true, or all */
static void read_sums(struct maker *m, const char *name, struct jv v, void *into)
{
	struct turn_rule *r = into;

	r->sums_all = r->sums = jv_is(v, STR("all"));
	if (!r->sums_all)
		read_flag(m, name, v, &r->sums);
}

#define RULE(member) offsetof(struct turn_rule, member)
static const struct file_member rule_members[] = {
	{"when", read_groups, RULE(when)},
	{"as", read_turn, RULE(turn)},
	{"together", read_flag, RULE(together)},
	{"echo", read_flag, RULE(echo)},
	{"sums", read_sums, 0},
	{"first", read_flag, RULE(first)},
	{"resets", read_flag, RULE(resets)},
	{"say", read_pieces, RULE(said)},
	{0},
};

static void read_rules(struct maker *m, const char *name, struct jv v, void *into)
{
	struct description *d = into;

	d->rules = read_list(m, name, "turns.items.", v, rule_members, sizeof(*d->rules),
		&d->rule_count);
	for (size_t i = 0; i < d->rule_count; i++)
		if (d->rules[i].turn == TURN_NONE)
			fail(m, "turns.items.as",
				"one of input, output, both, skip, alone, drop");
}

static void read_turns(struct maker *m, const char *name, struct jv v, void *into)
{
	static const struct file_member members[] = {
		{"join", read_places, DESCRIPTION(join)},
		{"about", read_places, DESCRIPTION(about)},
		{"replace", read_places, DESCRIPTION(replace)},
		{"tokens", read_added, DESCRIPTION(add_tokens)},
		{"carry_model", read_flag, DESCRIPTION(carry_model)},
		{"items", read_rules, 0},
		{0},
	};

	((struct description *)into)->turns = true;
	read_members(m, name, "turns.", v, members, into);
}

/* ---- files ---- */

/* Patterns of places, each beginning where home_expand can find it; those of sessions
 * perhaps of several tools by their names.  sessions/folders.c reads them. */
static void check_files(struct maker *m, const char *name, struct jv v, void *into)
{
	JV_EACH(item, list_of(m, v))
		if (!home_is_place(str_of(keep_text(m, item))))
			fail(m, name, "begin with /, ~/ or ${NAME:-~/...}/");
}

static void check_tools_files(struct maker *m, const char *name, struct jv v, void *into)
{
	JV_FIELDS(tool, patterns, v)
		check_files(m, name, patterns, into);
	if (v.kind != J_OBJECT)
		check_files(m, name, v, into);
}

/* sessions/folders.c reads them. */
static void check_days(struct maker *m, const char *name, struct jv v, void *into)
{
	double days;

	if (!jv_number(v, &days) || !(days >= 1))
		fail(m, name, "a number of days is needed");
}

/* The queries of databases: import/known.c gives them to io/database.h. */
static void check_queries(struct maker *m, const char *name, struct jv v, void *into)
{
	static const struct file_member members[] = {{.word = "sessions"},
		{.word = "records"}, {.word = "session"}, {.word = "member"}, {0}};

	read_members(m, name, "", v, members, into);
	JV_MEMBERS(f, v, sessions, records, session, member);
	if (!jv_count(list_of(m, f.sessions), 1) || !jv_count(list_of(m, f.records), 1))
		fail(m, name, "sessions and records are needed");
	if (!jv_count(list_of(m, f.session), 1) != !jv_count(list_of(m, f.member), 1))
		fail(m, name, "session and member go together");
}

static void read_resume(struct maker *m, const char *name, struct jv v, void *into)
{
	const char **resume = into;

	read_string(m, name, v, into);
	if (**resume && !strstr(*resume, "{trace}") && !strstr(*resume, "{uuid}") &&
		!strstr(*resume, "{file}"))
		fail(m, name, "{trace}, {uuid} or {file} is needed");
}

/* Where the files of sub-agents are, and those that name a folder: known.h. */
static void read_agents(struct maker *m, const char *name, struct jv v, void *into)
{
	static const struct file_member members[] = {
		{"of", read_text, offsetof(struct agent_path, of)},
		{"files", read_text, offsetof(struct agent_path, files)},
		{"side", read_text, offsetof(struct agent_path, side)},
		{"call", read_path, offsetof(struct agent_path, call)},
		{0},
	};
	struct description *d = into;

	d->agents = read_list(
		m, name, "agents.", v, members, sizeof(*d->agents), &d->agent_count);
	for (size_t i = 0; i < d->agent_count && !m->failed; i++)
		if (!d->agents[i].files)
			fail(m, name, "files are needed");
		else
			d->agents_named |= strstr(d->agents[i].files, "{agent}") != NULL;
}

static void read_folders(struct maker *m, const char *name, struct jv v, void *into)
{
	static const struct file_member members[] = {
		{"file", read_text, offsetof(struct folder_place, file)},
		{"at", read_paths, offsetof(struct folder_place, at)},
		{0},
	};
	struct description *d = into;

	d->folders = read_list(
		m, name, "folder.", v, members, sizeof(*d->folders), &d->folder_count);
	for (size_t i = 0; i < d->folder_count; i++)
		if (!d->folders[i].file)
			fail(m, name, "a file is needed");
}

/* ---- the file ---- */

/* What comes first is needed by what follows. */
static const struct file_member file_members[] = {
	{"name", read_string, DESCRIPTION(format.name)},
	{"title", read_string, DESCRIPTION(format.recognized_by)},
	{.word = "order"},
	{.word = "include"},
	{.word = "match"},
	{.word = "match_steps"},
	{.word = "last"},
	{"dialect", read_dialect, DESCRIPTION(dialect)},
	{"steps", read_steps, 0},
	{"attributes", read_paths, DESCRIPTION(carriers)},
	{"children", read_children, 0},
	{"trace", read_trace, 0},
	{"facts", read_facts, DESCRIPTION(facts)},
	{"run", read_run, 0},
	{"kind", read_kind, 0},
	{"signs", read_signs, 0},
	{"columns", read_columns, DESCRIPTION(columns)},
	{"failed", read_groups, DESCRIPTION(failed)},
	{"skip", read_groups, DESCRIPTION(skip)},
	{"attached", read_attached, 0},
	{"merge", read_places, DESCRIPTION(merge)},
	{"cumulative", read_flag, DESCRIPTION(cumulative)},
	{"answer_last", read_flag, DESCRIPTION(answer_last)},
	{"rest", read_flag, DESCRIPTION(rest)},
	{"tokens", read_added, DESCRIPTION(add_figures)},
	{"input", read_pieces, DESCRIPTION(input)},
	{"output", read_pieces, DESCRIPTION(output)},
	{"bodies", read_bodies, 0},
	{"turns", read_turns, 0},
	{"tool", read_string, DESCRIPTION(tool)},
	{"resume", read_resume, DESCRIPTION(resume)},
	{"deletes", check_days, 0},
	{"files", check_tools_files, 0},
	{"database", check_queries, 0},
	{"parts", check_files, 0},
	{"agents", read_agents, 0},
	{"folder", read_folders, 0},
	{"boilerplate", read_texts, DESCRIPTION(boilerplate)},
	{0},
};

/* Notes the leaves of figures that add up. */
static void sum_leaves(struct description *d, const struct fact_paths *facts)
{
	static const enum fact figures[] = {FACT_INPUT_TOKENS, FACT_OUTPUT_TOKENS,
		FACT_COST, FACT_CACHE_READ, FACT_CACHE_WRITE, FACT_CACHE_HOUR,
		FACT_FRESH_TOKENS, FACT_CACHED_TOKENS, FACT_ANSWER_TOKENS,
		FACT_REASONING_TOKENS, FACT_TOTAL_TOKENS};

	for (size_t i = 0; i < sizeof(figures) / sizeof(*figures); i++)
		for (size_t n = 0; n < facts[figures[i]].count; n++)
			if (facts[figures[i]].items[n].leaf >= 0)
				d->summed[facts[figures[i]].items[n].leaf] = true;
}

struct description *description_new(struct jv json, struct arena *arena, struct err *err)
{
	struct description *d = arena_alloc(arena, sizeof(*d));
	struct maker m = {.d = d, .trie = &d->trie, .arena = arena, .err = err};
	double order = 50;

	*d = (struct description){
		.format = {.name = "", .recognized_by = "", .description = d},
		.tool = "",
		.resume = ""};
	JV_MEMBERS(f, json, name, order, steps);
	if (f.name.kind != J_STRING)
		fail(&m, "name", "a format needs a name");
	if (jv_null(f.steps))
		fail(&m, "steps", steps_needed);
	if (!m.failed)
		read_members(&m, "", "", json, file_members, d);
	if (d->trie.full)
		fail(&m, "facts", "the format names more places than can be kept");
	jv_number(f.order, &order);
	d->order = (int)order;
	if (d->add_figures) {
		sum_leaves(d, d->facts);
		sum_leaves(d, d->run);
	}
	if (m.failed)
		trie_done(&d->trie);
	return m.failed ? NULL : d;
}

/* ---- whether conditions hold, and which place counts ---- */

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

/* ---- the conditions of all formats at once ---- */

#define MATCH_LEAVES 8192

bool matcher_takes(struct jv format, bool last)
{
	return last == (jv_member(format, "last").kind == J_TRUE);
}

bool matcher_make(struct matcher *m, const struct jv *matches, size_t count,
	struct arena *arena, struct err *err)
{
	AUTO_FREE struct test **tests = NULL;
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
				*MEM_ADD(tests, m->test_count, cap) = test;
			}
	/* which tests are asked of the value of each leaf */
	leaves = m->trie.leaf_count;
	m->first = mem_zalloc(leaves + 2, sizeof(*m->first));
	m->tests = mem_zalloc(m->test_count + 1, sizeof(*m->tests));
	for (size_t n = 0; n < m->test_count; n++)
		if (tests[n]->leaf >= 0)
			m->first[tests[n]->leaf + 1]++;
	for (size_t i = 0; i < leaves; i++)
		m->first[i + 1] += m->first[i];
	for (size_t n = 0; n < m->test_count; n++)
		if (tests[n]->leaf >= 0)
			m->tests[m->first[tests[n]->leaf]++] = tests[n];
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
