/* All formats, and recognition: see known.h. */
#include "config.h"
#include "import/known.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/embedded.h"
#include "base/file.h"
#include "base/mem.h"
#include "io/database.h"
#include "json/json.h"
#include "schema/yaml.h"

struct known_format {
	struct str name;
	struct jv json;
	int order;
	const char *file;                /* NULL: built in */
	struct description *description; /* once it was asked for */
};

/* All formats, and the matcher that recognizes them. */
static struct {
	struct arena arena;
	struct known_format *items;
	size_t count, cap;
	size_t own;                       /* of the user's own; they come first */
	bool built_in;                    /* the formats that are built in are there, */
	struct database_queries *queries; /* of the formats that have some */
	size_t query_count, query_cap;
	bool asked;                    /* they were looked for */
	const struct matcher *matcher; /* and how all are recognized, */
	struct matcher made;           /* with formats of the user's own; */
	struct matcher last;           /* and those that are asked after these */
} all;

/* `head`: what says name and order; `json`: all of it.  Built-in ones (no file) stand by
 * their order, and equal ones as they come; those of the user before them as they come. */
static void add_known(struct jv head, struct jv json, const char *file)
{
	size_t at = file ? all.own++ : all.count;
	double order = 50;
	struct known_format *k;

	JV_MEMBERS(f, head, name, order);
	jv_number(f.order, &order);
	while (!file && at > all.own && all.items[at - 1].order > (int)order)
		at--;
	MEM_ROOM(all.items, all.cap, all.count + 1);
	k = &all.items[at];
	memmove(k + 1, k, (all.count++ - at) * sizeof(*k));
	*k = (struct known_format){.name = jv_keep(f.name, &all.arena),
		.json = json,
		.order = (int)order,
		.file = file};
}

/* Reads the built-in formats, after those of the user.  Their text begins with a line
 * that says where each of the others is (tools/formatjson). */
static void read_built_in(void)
{
	struct str text = {(const char *)embedded_formats.bytes, embedded_formats.n};
	const char *files = memchr(text.p, '\n', text.n);

	if (all.built_in)
		return;
	all.built_in = true;
	JV_EACH(head, jv_of((struct str){text.p, (size_t)(files - text.p)}, J_ARRAY)) {
		double at = 0, length = 0;

		JV_MEMBERS(f, head, at, length);
		jv_number(f.at, &at);
		jv_number(f.length, &length);
		add_known(head,
			jv_of((struct str){files + 1 + (size_t)at, (size_t)length},
				J_OBJECT),
			NULL);
	}
}

/* A matcher of the user's formats and those that are built in: of those that are asked
 * last, or of the others. */
static void make_matcher(struct matcher *m, bool last)
{
	AUTO_FREE struct jv *matches = mem_array(all.count, sizeof(*matches));
	struct err err = {0};

	for (size_t i = 0; i < all.count; i++)
		matches[i] = matcher_takes(all.items[i].json, last)
				     ? jv_member(all.items[i].json, "match")
				     : JV_NONE;
	if (!matcher_make(m, matches, all.count, &all.arena, &err))
		abort(); /* each of them was made before */
}

static void prepare(void)
{
	if (all.matcher)
		return;
	read_built_in();
	if (all.own)
		make_matcher(&all.made, false);
	all.matcher = all.own ? &all.made : &matcher_built_in;
}

/* ---- include: what several formats have in common is in one file ---- */

/* How a member of a format is taken over. */
enum taking { TAKEN_WHOLE, TAKEN_LISTS, TAKEN_MEMBERS };

/* One list of two values, each of which is a list or stands for a list of one; a new
 * reference. */
static json_t *both_lists(json_t *own, json_t *base)
{
	json_t *list = json_array(), *const parts[] = {own, base};

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (json_is_array(parts[i]))
			json_array_extend(list, parts[i]);
		else if (parts[i] && !json_is_null(parts[i]))
			json_array_append(list, parts[i]);
	return list;
}

struct jv include_base(struct jv own, struct jv base, struct arena *arena)
{
	static const struct {
		const char *name;
		enum taking taking;
	} members[] = {
		{"attributes", TAKEN_WHOLE},
		{"dialect", TAKEN_WHOLE},
		{"cumulative", TAKEN_WHOLE},
		{"merge", TAKEN_WHOLE},
		{"failed", TAKEN_LISTS},
		{"input", TAKEN_LISTS},
		{"output", TAKEN_LISTS},
		{"facts", TAKEN_MEMBERS},
		{"kind", TAKEN_MEMBERS},
	};
	json_t *both = json_read_strict(jv_raw(own), NULL);
	json_t *from = json_read_strict(jv_raw(base), NULL);
	struct buf out = BUF_INIT;

	for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++) {
		const char *key = members[i].name, *name;
		json_t *mine = json_object_get(both, key), *item, *all_of;
		json_t *theirs = json_object_get(from, key);

		if (theirs && !mine) {
			json_object_set(both, key, theirs);
		} else if (theirs && members[i].taking == TAKEN_LISTS) {
			json_object_set_new(both, key, both_lists(mine, theirs));
		} else if (theirs && members[i].taking == TAKEN_MEMBERS) {
			/* those of both, each as a list */
			all_of = json_object();
			json_object_foreach(mine, name, item)
				json_object_set_new(all_of, name,
					both_lists(item, json_object_get(theirs, name)));
			json_object_update_missing(all_of, theirs);
			json_object_set_new(both, key, all_of);
		}
	}
	json_write(&out, both, JSON_LINE);
	json_decref(both);
	json_decref(from);
	return json_kept(&out, arena);
}

/* By name, from a number on, but not the one whose JSON is at `but`; NULL: none. */
static struct known_format *find_known(size_t from, struct str name, const char *but)
{
	for (size_t i = from; i < all.count; i++)
		if (str_equal(all.items[i].name, name) && all.items[i].json.p != but)
			return &all.items[i];
	return NULL;
}

#define INCLUDED_MOST 4 /* formats that include each other in turn */

/* The file with what those say that it includes, or J_NONE with err. */
static struct jv with_included(struct jv json, struct err *err)
{
	struct jv base = json, name;
	const struct known_format *other;

	for (int i = 0; i < INCLUDED_MOST; i++) {
		name = jv_member(base, "include");
		if (name.kind == J_NONE)
			break;
		other = find_known(0, jv_plain(name), base.p);
		if (!other) {
			err_set(err, "include: no such format");
			return JV_NONE;
		}
		base = other->json;
		json = include_base(json, base, &all.arena);
	}
	return json;
}

/* ---- a person's own ---- */

bool known_read(const char *path, struct err *err)
{
	AUTO_BUF text = BUF_INIT, json = BUF_INIT, pointer = BUF_INIT;
	AUTO(yaml_done) struct yaml yaml = {0};
	struct description *made = NULL;
	struct groups match;
	struct trie trie;
	const char *end;
	struct jv value, whole;

	if (!yaml_file_read(path, YAML_PIPE, &text, err))
		return false;
	if (!yaml_read(&yaml, buf_view(&text), err)) {
		err_source(err, path);
		return false;
	}
	match_expand(yaml.root);
	json_write(&json, yaml.root, JSON_LINE);
	value = jv_whole(arena_dup(&all.arena, buf_view(&json)));
	/* it is taken only if it is a format in every word */
	read_built_in();
	trie_begin(&trie, &all.arena, false, SIZE_MAX);
	if (description_match(
		    &match, jv_member(value, "match"), &trie, &all.arena, err) &&
		(whole = with_included(value, err)).kind != J_NONE)
		made = description_new(whole, &all.arena, err);
	trie_done(&trie);
	if (made) {
		trie_done(&made->trie);
		add_known(value, value, arena_dup(&all.arena, str_of(path)).p);
		return true;
	}
	/* where in the file the mistake is, of which the text names the member */
	end = err->text ? strstr(err->text, ": ") : NULL;
	buf_byte(&pointer, '/');
	for (const char *p = err->text; end && p < end; p++)
		buf_byte(&pointer, *p == '.' ? '/' : *p);
	yaml_place(&yaml, buf_view(&pointer), &err->line, &err->column);
	err->offset = ERR_NOWHERE;
	err_source(err, path);
	return false;
}

void known_read_user(void (*warn)(const struct err *err))
{
	struct err err = {.offset = ERR_NOWHERE};
	size_t count;
	char **paths = home_config_files("formats", &count, &err);

	err_done(&err); /* a folder that cannot be read has no formats */
	for (size_t i = 0; i < count; i++) {
		err = (struct err){.offset = ERR_NOWHERE};
		if (!known_read(paths[i], &err))
			warn(&err);
		err_done(&err);
		mem_free(paths[i]);
	}
	mem_free(paths);
}

struct str known_text(size_t i)
{
	prepare();
	return (struct str){all.items[i].json.p, all.items[i].json.n};
}

const char *known_file(size_t i)
{
	prepare();
	return all.items[i].file;
}

/* ---- databases ---- */

/* A text, or a list of them. */
static struct database_query keep_query(struct jv v)
{
	struct database_query q = {0};

	if (v.kind == J_STRING)
		q.texts[0] = jv_keep(v, &all.arena);
	JV_ITEMS(text, v)
		if (text_walk.index < DATABASE_TEXTS)
			q.texts[text_walk.index] = jv_keep(text, &all.arena);
	return q;
}

static bool queries_at(size_t i, struct database_queries *out)
{
	prepare();
	for (size_t k = 0; !all.asked && k < all.count; k++) {
		struct jv queries = jv_member(all.items[k].json, "database");

		if (queries.kind != J_OBJECT)
			continue;
		JV_MEMBERS(f, queries, sessions, session, member, records);
		*MEM_ADD(all.queries, all.query_count, all.query_cap) =
			(struct database_queries){keep_query(f.sessions),
				keep_query(f.session),
				f.member.kind == J_STRING ? jv_keep(f.member, &all.arena)
							  : (struct str){0},
				keep_query(f.records)};
	}
	all.asked = true;
	if (i < all.query_count)
		*out = all.queries[i];
	return i < all.query_count;
}

void known_ask_databases(void)
{
	database_set_queries(queries_at);
}

/* ---- asked for ---- */

static const struct description *compiled(struct known_format *k)
{
	struct err err = {0};

	if (!k->description) {
		struct jv json = with_included(k->json, &err);

		k->description = json.kind == J_NONE
					 ? NULL
					 : description_new(json, &all.arena, &err);
		if (!k->description) { /* a test makes sure that no built-in one fails */
			fprintf(stderr, "format: %s\n", err.text);
			abort();
		}
	}
	return k->description;
}

const struct description *known_events(void)
{
	static const struct description *events;

	if (!events)
		events = known_built_in(STR("event"));
	return events;
}

const struct description *known_stream_events(void)
{
	static const struct description *events;

	if (!events)
		events = known_built_in(STR("stream-event"));
	return events;
}

size_t known_count(void)
{
	prepare();
	return all.count;
}

const struct description *known_at(size_t i)
{
	prepare();
	return compiled(&all.items[i]);
}

const struct description *known_named(struct str name)
{
	struct known_format *k;

	prepare();
	k = find_known(0, name, NULL);
	return k ? compiled(k) : NULL;
}

const struct description *known_built_in(struct str name)
{
	prepare();
	return compiled(find_known(all.own, name, NULL));
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

/* ---- those that the program itself recognizes ---- */

#define FORMAT(id, name, whole, recognized_by, steps)                                    \
	const struct format format_##id = {name, recognized_by, steps, whole, NULL};
OWN_FORMATS(FORMAT)
#undef FORMAT
#define FORMAT(id, ...) &format_##id,
const struct format *const formats[] = {OWN_FORMATS(FORMAT) NULL};
#undef FORMAT

const struct format *format_named(struct str name)
{
	for (size_t i = 0; formats[i]; i++)
		if (str_equal(name, str_of(formats[i]->name)))
			return formats[i];
	return known_named(name) ? &known_named(name)->format : NULL;
}

/* ---- recognition ---- */

static const struct matcher *request_last(void)
{
	if (!all.last.count)
		make_matcher(&all.last, true);
	return &all.last;
}

static struct known_format *first_held(const struct matcher *m, struct jv value)
{
	AUTO_FREE unsigned char *held = matcher_test(m, value);
	struct known_format *found = NULL;

	for (size_t i = 0; i < all.count && !found; i++)
		for (size_t g = 0; g < m->formats[i].count && !found; g++)
			if (group_held(&m->formats[i].items[g], held))
				found = &all.items[i];
	return found;
}

const struct description *known_recognize(struct jv value)
{
	struct known_format *found;

	if (value.kind != J_OBJECT && value.kind != J_ARRAY)
		return NULL;
	prepare();
	found = first_held(all.matcher, value);
	if (!found)
		found = first_held(request_last(), value);
	return found ? compiled(found) : NULL;
}

/* ---- explaining ---- */

struct candidate_format {
	const struct known_format *known;
	const struct test_group *group;
	const unsigned char *verdicts;
	size_t held, missing;
};

static int by_missing(const void *a, const void *b)
{
	const struct candidate_format *x = a, *y = b;

	if (x->missing != y->missing)
		return x->missing < y->missing ? -1 : 1;
	if (x->held != y->held)
		return x->held > y->held ? -1 : 1;
	return x->known < y->known ? -1 : 1;
}

#define EXPLAINED 5 /* formats */

/* Adds the formats of which some conditions hold, each with the group that comes nearest
 * to holding: missing ones count, not the share. */
static size_t add_candidates(struct candidate_format *list, size_t count,
	const struct matcher *m, const unsigned char *held)
{
	for (size_t i = 0; i < all.count; i++) {
		struct candidate_format best = {.missing = SIZE_MAX};

		for (size_t n = 0; n < m->formats[i].count; n++) {
			const struct test_group *g = &m->formats[i].items[n];
			size_t holds = 0;

			for (size_t t = 0; t < g->count; t++)
				holds += test_held(&g->tests[t], held);
			if (g->count - holds < best.missing)
				best = (struct candidate_format){&all.items[i], g, held,
					holds, g->count - holds};
		}
		if (best.held)
			list[count++] = best;
	}
	return count;
}

void known_explain(struct jv value, struct buf *out)
{
	AUTO_FREE unsigned char *held = (prepare(), matcher_test(all.matcher, value)),
				*last = matcher_test(request_last(), value);
	AUTO_FREE struct candidate_format *list = mem_zalloc(all.count + 1, sizeof(*list));
	size_t count = add_candidates(list, 0, all.matcher, held);

	count = add_candidates(list, count, &all.last, last);
	qsort(list, count, sizeof(*list), by_missing);
	for (size_t i = 0; i < count && i < EXPLAINED; i++) {
		buf_text(out, "  ");
		buf_str(out, list[i].known->name);
		buf_printf(out,
			list[i].missing ? ": %zu of %zu conditions hold\n"
					: ": all %zu conditions hold\n",
			list[i].held, list[i].group->count);
		for (size_t n = 0; n < list[i].group->count; n++) {
			const struct test *t = &list[i].group->tests[n];

			buf_text(out, test_held(t, list[i].verdicts) ? "    yes " : "    no  ");
			jv_text(t->key, out);
			buf_text(out, ": ");
			json_write_raw(out, jv_raw(t->wanted));
			buf_byte(out, '\n');
		}
	}
}

/* ---- how the rows of one array are read ---- */

void columns_add(struct position_plan *c, struct str name)
{
	const struct trie *t = &known_events()->trie;
	const char *dot = name.n ? memchr(name.p, '.', name.n) : NULL;
	size_t head = dot ? (size_t)(dot - name.p) : 0;
	uint16_t node = TRIE_ROOT; /* the event itself */

	/* a member of an event, or of its properties */
	if (!str_equal(name, STR("*"))) {
		node = trie_member(t, TRIE_ROOT, dot ? (struct str){name.p, head} : name);
		if (dot && node != NODE_NONE)
			node = trie_member(t, node, str_skip(name, head + 1));
		else if (node == NODE_NONE)
			node = trie_member(
				t, trie_member(t, TRIE_ROOT, STR("properties")), name);
	}
	*MEM_ADD(c->nodes, c->count, c->cap) = node;
}

uint16_t columns_node(const struct position_plan *c, uint64_t position)
{
	if (!c)
		c = &known_events()->columns;
	return position < c->count ? c->nodes[position] : NODE_NONE;
}

size_t columns_needed(const struct position_plan *c)
{
	return c ? 1 : known_events()->columns.count;
}
