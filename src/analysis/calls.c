/* See calls.h.  Ids are kept as hashes: a call costs about fifty bytes while its chain is
 * read. */
#include "config.h"
#include "analysis/calls.h"

#include <math.h>

#include "base/mem.h"
#include "base/work.h"
#include "chat/brief.h"

#define SLICE (256u << 10) /* bytes of messages between two looks at the clock */

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

	MEM_ROOM(c->path, c->path_cap, depth + 1);
	c->path[depth] = position;
}

/* The text of a string or a number; empty for anything else. */
static struct str id_text(struct jv id, struct arena *arena)
{
	if (id.kind == J_NUMBER)
		return jv_raw(id);
	return id.kind == J_STRING ? jv_keep(id, arena) : (struct str){"", 0};
}

/* ---- places ---- */

bool call_walk_late(struct call_walk *w, uint64_t deadline)
{
	w->bytes += w->value.n;
	if (w->bytes < SLICE)
		return false;
	w->bytes = 0;
	return clock_passed(deadline);
}

void call_walk_done(struct call_walk *w)
{
	parts_done(&w->parts);
	arena_done(&w->arena);
}

bool call_walk_next(struct call_walk *w)
{
	const struct step_content *o = w->opened;
	const struct chat *input = &o->input.chat;

	call_walk_done(w);
	if (!w->side) {
		w->side = &o->input;
		w->input = true;
	}
	while (w->side->view != SIDE_CHAT || w->next == w->side->chat.count) {
		if (!w->input || o->shared)
			return false;
		w->side = &o->output;
		w->input = false;
		w->next = 0;
	}
	w->message = w->next++;
	w->value = w->side->chat.items[w->message];
	w->parts = parts_read(w->value, &w->arena);
	/* both sides may begin with the same messages: a state that goes in and comes out
	 * longer */
	if (!w->input && w->echoes == w->message && w->message < input->count &&
		str_equal(jv_raw(input->items[w->message]), jv_raw(w->value)))
		w->echoes++;
	w->at = (struct call_place){.trace = w->trace,
		.position = w->position,
		.output = w->input ? o->shared : w->message >= w->echoes};
	for (size_t i = 0; i < w->parts.count && !w->at.message; i++) {
		enum part_kind kind = PART_AT(&w->parts, i)->kind;

		if (kind == PART_CALL || kind == PART_RESULT)
			w->at.message = map_hash(jv_raw(w->value));
	}
	return true;
}

/* ---- calls ---- */

static uint32_t add_item(struct calls *c, const struct call_place *at, struct str name)
{
	size_t before = c->tools.count;
	uint32_t tool = intern_add(&c->tools, name);

	MEM_ROOM(c->counts, c->count_cap, c->tools.count);
	if (c->tools.count > before)
		c->counts[tool] = (struct tool_count){.first = at->position};
	c->counts[tool].calls++;
	*MEM_ADD(c->items, c->count, c->cap) = (struct call){
		tool, at->output ? at->position : NO_POSITION, false, NAN, NAN};
	return (uint32_t)c->count - 1;
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

static uint64_t place_key(const struct call_place *at, uint32_t position)
{
	return dedup_set_mix(dedup_set_mix(at->message, at->part), position);
}

uint32_t calls_add(struct calls *c, const struct call_place *at, const struct part *call,
	struct arena *arena)
{
	struct str id = id_text(call->link, arena), name = id_text(call->name, arena);
	uint64_t key = map_hash(id), both = dedup_set_mix(key, map_hash(name));
	uint32_t item = MAP_NONE, place;

	if (!id.n) {
		size_t depth = trace_depth(at->trace, at->position);

		if (!at->output)
			return NO_CALL;
		/* it is the call of the step above, if both have it in their output */
		if (depth)
			item = idmap_find(&c->known, place_key(at, c->path[depth - 1]));
		if (item == MAP_NONE)
			item = add_item(c, at, name);
		else
			take_item(c, at, item);
		idmap_add(&c->known, place_key(at, at->position), item);
		return item;
	}
	item = idmap_find(&c->known, both);
	if (item == MAP_NONE) {
		item = add_item(c, at, name);
		idmap_add(&c->known, both, item);
	} else if (at->output) {
		take_item(c, at, item);
	}
	place = idmap_find(&c->ids, key);
	if (place == MAP_NONE) {
		place = (uint32_t)c->ids.count;
		idmap_add(&c->ids, key, place);
		MEM_ROOM(c->latest, c->latest_cap, c->ids.count);
	}
	c->latest[place] = item;
	return item;
}

/* ---- results ---- */

static uint32_t fail_item(struct calls *c, uint32_t item)
{
	if (c->items[item].failed)
		return NO_CALL;
	c->items[item].failed = true;
	c->counts[c->items[item].tool].errors++;
	return c->items[item].tool;
}

uint32_t calls_answered(
	const struct calls *c, const struct part *result, struct arena *arena)
{
	struct str id = id_text(result->link, arena);
	uint32_t place = id.n ? idmap_find(&c->ids, map_hash(id)) : MAP_NONE;

	return place == MAP_NONE ? NO_CALL : c->latest[place];
}

uint32_t calls_result(struct calls *c, const struct call_place *at,
	const struct part *result, struct arena *arena)
{
	size_t before = c->results.count;
	uint32_t item, tool;
	struct str name;

	if (!brief_outcome(result).failed)
		return NO_CALL;
	if (id_text(result->link, arena).n) {
		item = calls_answered(c, result, arena);
		return item == NO_CALL ? NO_CALL : fail_item(c, item);
	}
	/* an error without an id counts once, though every later history repeats it */
	idmap_add(&c->results, place_key(at, 0), 0);
	if (c->results.count == before)
		return NO_CALL;
	name = id_text(result->name, arena);
	if (!name.n)
		return c->count ? fail_item(c, (uint32_t)c->count - 1) : NO_CALL;
	tool = intern_find(&c->tools, name);
	if (tool == MAP_NONE)
		return NO_CALL;
	c->counts[tool].errors++;
	return tool;
}

void calls_time(struct calls *c, uint32_t item, const struct part *part,
	struct record_times *times, const struct step_content *o)
{
	bool result = part->kind == PART_RESULT;
	AUTO_BUF id = BUF_INIT;
	double *time;

	if (item == NO_CALL || !o->run)
		return;
	time = result ? &c->items[item].to : &c->items[item].from;
	if (isnan(*time))
		*time = record_time(times, o, jv_str(part->link, &id), result);
}

double call_seconds(const struct call *call)
{
	return call->to > call->from ? call->to - call->from : NAN;
}
