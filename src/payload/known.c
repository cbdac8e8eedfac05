/*
 * Rows and columns by their ids: see payload.h.  The walk keeps a stack of containers and
 * of texts with values in them, at most DEPTH deep and LAYERS strings within strings;
 * what lies deeper is not looked at.
 */
#include "config.h"
#include "payload/payload.h"

#include "base/map.h"
#include "base/mem.h"
#include "json/check.h"

#define DEPTH  64 /* containers within each other */
#define LAYERS 3  /* strings within strings */
#define EFFORT 8  /* times their length, and KNOWN_MOST, that texts are read */

/* What is known of an id, by its number. */
struct id_entry {
	struct jv row, column;
	bool sure; /* the column is one beyond doubt */
};

/* A column as it stood in a list. */
struct sighting {
	uint32_t entry, group;
	struct jv value;
	bool sure;
};

struct known_ids {
	struct arena arena;
	struct intern ids;
	struct id_entry *entries; /* by number of the id */
	size_t entry_cap;
	uint32_t *rows; /* numbers, in order of first appearance */
	size_t row_count, row_cap;
	struct sighting *sightings;
	size_t sighting_count, sighting_cap;
	uint32_t groups; /* containers looked into so far */
};

struct known_ids *known_new(void)
{
	return mem_zalloc(1, sizeof(struct known_ids));
}

void known_free(struct known_ids *k)
{
	if (!k)
		return;
	arena_done(&k->arena);
	intern_done(&k->ids);
	mem_free(k->entries);
	mem_free(k->rows);
	mem_free(k->sightings);
	mem_free(k);
}

size_t known_bytes(const struct known_ids *k)
{
	if (!k)
		return 0;
	return sizeof(*k) + k->arena.bytes + k->ids.count * 64 +
	       k->entry_cap * sizeof(*k->entries) + k->row_cap * sizeof(*k->rows) +
	       k->sighting_cap * sizeof(*k->sightings);
}

/* ---- ids ---- */

static struct str id_text(struct jv id, struct buf *decoded)
{
	if (id.kind == J_NUMBER)
		return jv_raw(id);
	if (id.kind == J_STRING)
		return jv_str(id, decoded);
	return (struct str){0};
}

struct str known_id(struct jv object, bool column, struct buf *decoded)
{
	struct str text;

	JV_MEMBERS(v, object, column_id, row_id, id);
	text = id_text(column ? v.column_id : v.row_id, decoded);
	return text.n ? text : id_text(v.id, decoded);
}

struct jv known_values(struct jv row)
{
	JV_MEMBERS(found, row, data, values, cells);
	for (size_t i = 0; i < 3; i++)
		if (found.all[i].kind == J_OBJECT)
			return found.all[i];
	return row;
}

static struct id_entry *entry_of(struct known_ids *k, struct str id, uint32_t *number)
{
	size_t before = k->ids.count;

	*number = intern_add(&k->ids, id);
	MEM_ROOM(k->entries, k->entry_cap, (size_t)*number + 1);
	if (k->ids.count > before)
		k->entries[*number] = (struct id_entry){0};
	return &k->entries[*number];
}

/* ---- objects ---- */

/* Values of a row, without its ids, counted up to so many. */
static size_t count_values(struct jv row)
{
	struct jv values = known_values(row);
	size_t n = jv_count(values, 64);

	if (values.p != row.p)
		return n;
	JV_MEMBERS(own, row, row_id, id);
	return n - (own.row_id.kind != J_NONE) - (own.id.kind != J_NONE);
}

/* A short answer about a row ({"row_id": 5, "ok": true}) does not replace it. */
static void add_row(struct known_ids *k, struct jv object, struct str id)
{
	uint32_t number;
	struct id_entry *e = entry_of(k, id, &number);

	if (jv_count(object, 2) < 2)
		return;
	if (e->row.kind == J_NONE) {
		*MEM_ADD(k->rows, k->row_count, k->row_cap) = number;
	} else if (2 * count_values(object) < count_values(e->row)) {
		return;
	}
	e->row = object;
}

static void add_column(
	struct known_ids *k, struct jv object, struct str id, uint32_t group, bool sure)
{
	uint32_t number;
	struct id_entry *e = entry_of(k, id, &number);

	if (sure || !e->sure) {
		e->column = object;
		e->sure = sure;
	}
	*MEM_ADD(k->sightings, k->sighting_count, k->sighting_cap) =
		(struct sighting){number, group, object, sure};
}

static void meet(struct known_ids *k, struct jv object, uint32_t group)
{
	static const char *const actions[] = {
		"add", "update", "delete", "modify", "remove", "reorder"};
	static const char *const types[] = {
		"text", "number", "date", "boolean", "select"};
	AUTO_BUF decoded = BUF_INIT;
	struct str id;
	bool named;

	JV_MEMBERS(m, object, row_id, column_id, id, name, type, action, changes);
	named = m.name.kind == J_STRING;
	if (m.changes.kind == J_OBJECT || JV_AMONG(m.action, actions))
		return;
	if ((id = id_text(m.row_id, &decoded)).n) {
		add_row(k, object, id);
	} else if ((id = id_text(m.column_id, &decoded)).n) {
		if (named)
			add_column(k, object, id, group, true);
	} else if ((id = id_text(m.id, &decoded)).n) {
		bool sure = named && JV_AMONG(m.type, types);

		if (!sure)
			add_row(k, object, id);
		if (named)
			add_column(k, object, id, group, sure);
	}
}

/* ---- the walk ---- */

struct id_walk {
	struct known_ids *known;
	const char *from; /* of the value itself: where it begins to count */
	size_t work;      /* bytes that may still be read for all texts */
};

static void visit(struct id_walk *w, struct jv value, uint32_t group, unsigned depth,
	unsigned layers);

/* The containers amid a text; one that takes too much work is given up. */
static void visit_text(
	struct id_walk *w, struct jv string, unsigned depth, unsigned layers)
{
	uint32_t group;
	struct str text;
	size_t work;

	if (!string.n || !memchr(string.p, '{', string.n) || layers == LAYERS ||
		depth == DEPTH)
		return;
	group = ++w->known->groups;
	text = jv_keep(string, &w->known->arena);
	while (++layers < LAYERS) { /* a text that is a string of JSON itself */
		struct str inner = str_trim(text);

		if (inner.n < 3 || inner.p[0] != '"' || jv_parse(inner).n != inner.n)
			break;
		text = jv_keep(jv_parse(inner), &w->known->arena);
	}
	work = text.n < SIZE_MAX / EFFORT ? EFFORT * text.n : SIZE_MAX;
	while (text.n) {
		struct json_report report;
		struct str found = text;
		uint64_t read;

		text = str_skip(text, 1);
		if (*found.p != '{' && *found.p != '[')
			continue;
		found.n = json_check_first(found, &report);
		read = found.n ? found.n : report.offset + 1;
		w->work -= read < w->work ? (size_t)read : w->work;
		if (read > work || !w->work)
			return;
		work -= (size_t)read;
		if (!found.n)
			continue;
		visit(w, jv_parse(found), group, depth + 1, layers);
		text = str_skip(text, found.n - 1);
	}
}

/* `layers`: strings around the value; `depth`: containers and texts. */
static void visit(struct id_walk *w, struct jv value, uint32_t group, unsigned depth,
	unsigned layers)
{
	/* values amid texts belong to a string that counts as a whole */
	bool early = value.p < w->from && !layers;
	uint32_t inner;

	if (early && value.p + value.n <= w->from)
		return;
	if (value.kind == J_STRING) {
		if (!early)
			visit_text(w, value, depth, layers);
		return;
	}
	if (value.kind == J_OBJECT && !early)
		meet(w->known, value, group);
	if ((value.kind != J_OBJECT && value.kind != J_ARRAY) || depth == DEPTH)
		return;
	inner = ++w->known->groups;
	JV_EACH(child, value)
		visit(w, child, inner, depth + 1, layers);
}

void known_add(struct known_ids *k, struct jv value)
{
	struct id_walk w = {.known = k,
		.from = value.n > KNOWN_MOST ? value.p + value.n - KNOWN_MOST : value.p,
		.work = (size_t)EFFORT * KNOWN_MOST};

	visit(&w, value, ++k->groups, 0, 0);
}

/* ---- look-ups ---- */

struct jv known_find_text(const struct known_ids *k, bool column, struct str id)
{
	uint32_t number = id.n ? intern_find(&k->ids, id) : MAP_NONE;

	if (number == MAP_NONE)
		return JV_NONE;
	return column ? k->entries[number].column : k->entries[number].row;
}

struct jv known_find(const struct known_ids *k, bool column, struct jv id)
{
	AUTO_BUF decoded = BUF_INIT;

	return known_find_text(k, column, id_text(id, &decoded));
}

size_t known_row_count(const struct known_ids *k)
{
	return k->row_count;
}

struct jv known_row(const struct known_ids *k, size_t i, struct str *id)
{
	*id = intern_get(&k->ids, k->rows[i]);
	return k->entries[k->rows[i]].row;
}

size_t known_columns(
	const struct known_ids *k, const struct str *ids, size_t count, struct jv **out)
{
	AUTO_FREE bool *marked = mem_zalloc(k->ids.count + 1, sizeof(*marked));
	AUTO_FREE bool *seen = mem_zalloc(k->ids.count + 1, sizeof(*seen));
	size_t n = 0, cap = 0;
	uint32_t group = 0;

	*out = NULL;
	for (size_t i = 0; i < count; i++) {
		uint32_t number = ids[i].n ? intern_find(&k->ids, ids[i]) : MAP_NONE;

		if (number != MAP_NONE)
			marked[number] = true;
	}
	for (size_t i = k->sighting_count; i-- > 0 && !group;) {
		const struct sighting *s = &k->sightings[i];

		if (count ? marked[s->entry] : s->sure)
			group = s->group;
	}
	for (size_t i = 0; i < k->sighting_count && group; i++) {
		const struct sighting *s = &k->sightings[i];

		if (s->group != group || seen[s->entry])
			continue;
		seen[s->entry] = true;
		MEM_ROOM(*out, cap, n + 1);
		(*out)[n++] = s->value;
	}
	return n;
}
