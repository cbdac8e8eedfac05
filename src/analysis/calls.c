/* See calls.h.  Ids are kept as hashes: a call costs about fifty bytes while its chain is
 * read. */
#include "config.h"
#include "analysis/calls.h"

#include "base/mem.h"

void calls_done(struct calls *c)
{
	intern_done(&c->tools);
	idmap_done(&c->known);
	idmap_done(&c->ids);
	idmap_done(&c->results);
	mem_free(c->counts);
	mem_free(c->items);
	mem_free(c->latest);
	mem_free(c->path);
	*c = (struct calls){0};
}

void calls_next_chain(struct calls *c)
{
	c->count = 0;
	idmap_done(&c->known);
	idmap_done(&c->ids);
	idmap_done(&c->results);
}

void calls_step(struct calls *c, const struct trace *trace, uint32_t position)
{
	size_t depth = trace_depth(trace, position);

	c->path = mem_grow(c->path, &c->path_cap, depth + 1, sizeof(*c->path));
	c->path[depth] = position;
}

static uint64_t hash_numbers(const uint64_t *numbers, size_t n)
{
	return map_hash((struct str){(const char *)numbers, n * sizeof(*numbers)});
}

/* The text of a string or a number; empty for anything else. */
static struct str id_text(struct jv id, struct arena *arena)
{
	if (id.kind == J_NUMBER)
		return (struct str){id.p, id.n};
	return id.kind == J_STRING ? jv_keep(id, arena) : (struct str){"", 0};
}

/* ---- calls ---- */

static uint32_t add_item(struct calls *c, const struct call_place *at, struct str name)
{
	size_t before = c->tools.count;
	uint32_t tool = intern_add(&c->tools, name);

	c->counts =
		mem_grow(c->counts, &c->count_cap, c->tools.count, sizeof(*c->counts));
	if (c->tools.count > before)
		c->counts[tool] = (struct tool_count){.first = at->position};
	c->counts[tool].calls++;
	c->items = mem_grow(c->items, &c->cap, c->count + 1, sizeof(*c->items));
	c->items[c->count] =
		(struct call){tool, at->output ? at->position : NO_POSITION, false};
	return (uint32_t)c->count++;
}

/* Moves a known call to the step that is being read, if that is below its step. */
static void take_item(struct calls *c, const struct call_place *at, uint32_t item)
{
	struct call *call = &c->items[item];
	size_t depth = call->position == NO_POSITION
			       ? 0
			       : trace_depth(at->trace, call->position);

	if (call->position == NO_POSITION ||
		(depth <= trace_depth(at->trace, at->position) &&
			c->path[depth] == call->position))
		call->position = at->position;
}

static void set_latest(struct calls *c, uint64_t id, uint32_t item)
{
	uint32_t place = idmap_find(&c->ids, id);

	if (place == MAP_NONE) {
		place = (uint32_t)c->ids.count;
		idmap_add(&c->ids, id, place);
		c->latest = mem_grow(
			c->latest, &c->latest_cap, c->ids.count, sizeof(*c->latest));
	}
	c->latest[place] = item;
}

static uint32_t add_with_id(
	struct calls *c, const struct call_place *at, struct str id, struct str name)
{
	uint64_t key[] = {map_hash(id), map_hash(name)};
	uint64_t both = hash_numbers(key, 2);
	uint32_t item = idmap_find(&c->known, both);

	if (item == MAP_NONE) {
		item = add_item(c, at, name);
		idmap_add(&c->known, both, item);
	} else if (at->output) {
		take_item(c, at, item);
	}
	set_latest(c, key[0], item);
	return item;
}

static uint64_t place_key(const struct call_place *at, uint32_t position)
{
	uint64_t key[] = {at->message, at->part, position};

	return hash_numbers(key, 3);
}

/* The call of the step above, if both steps have it in their output. */
static uint32_t find_above(const struct calls *c, const struct call_place *at)
{
	size_t depth = trace_depth(at->trace, at->position);

	if (!depth)
		return MAP_NONE;
	return idmap_find(&c->known, place_key(at, c->path[depth - 1]));
}

static uint32_t add_without_id(
	struct calls *c, const struct call_place *at, struct str name)
{
	uint32_t item;

	if (!at->output)
		return NO_CALL;
	item = find_above(c, at);
	if (item == MAP_NONE)
		item = add_item(c, at, name);
	else
		take_item(c, at, item);
	idmap_add(&c->known, place_key(at, at->position), item);
	return item;
}

uint32_t calls_add(struct calls *c, const struct call_place *at, const struct part *call,
	struct arena *arena)
{
	struct str id = id_text(call->link, arena), name = id_text(call->name, arena);

	return id.n ? add_with_id(c, at, id, name) : add_without_id(c, at, name);
}

/* ---- results ---- */

static void fail_item(struct calls *c, uint32_t item)
{
	if (c->items[item].failed)
		return;
	c->items[item].failed = true;
	c->counts[c->items[item].tool].errors++;
}

/* An error without an id counts once, though every later history repeats it. */
static void fail_by_order(struct calls *c, const struct call_place *at, struct str name)
{
	uint32_t tool = intern_find(&c->tools, name);
	size_t before = c->results.count;

	idmap_add(&c->results, place_key(at, 0), 0);
	if (c->results.count == before)
		return;
	if (name.n && tool != MAP_NONE)
		c->counts[tool].errors++;
	else if (!name.n && c->count)
		fail_item(c, (uint32_t)c->count - 1);
}

void calls_result(struct calls *c, const struct call_place *at, const struct part *result,
	struct arena *arena)
{
	struct str id;
	uint32_t place;

	if (!result->error)
		return;
	id = id_text(result->link, arena);
	place = idmap_find(&c->ids, map_hash(id));
	if (!id.n)
		fail_by_order(c, at, id_text(result->name, arena));
	else if (place != MAP_NONE)
		fail_item(c, c->latest[place]);
}
