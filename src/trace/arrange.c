/*
 * trace_arrange_run, in slices: every step finds its chain by its trace id, its parent by
 * an id of the same chain, and its place by time.  Orphans become roots; a cycle is
 * broken at its first step in file order.  Nothing here recurses.
 *
 * The work is a row of phases, each in units so small that the clock can be looked at
 * between any few hundred of them; a unit that may be long, as sorting is, looks whether
 * a key waits.  The new arrangement is made beside the one in use, and replaces it in one
 * move at the end.
 */
#include "config.h"
#include "trace/trace.h"

#include <inttypes.h>
#include <math.h>

#include "base/mem.h"
#include "base/sort.h"
#include "base/work.h"

/* A step and by what it is sorted among its siblings. */
struct child_place {
	double time; /* its own, or that of the sibling before it */
	uint32_t step;
};

struct arranging {
	unsigned phase;
	size_t count, scope_count, kind_count; /* of the trace when this was begun */
	size_t at, end; /* what the phase has done: steps, lists; of how many */
	size_t worked;  /* units since the clock was looked at; a long one is many */
	bool stopped;   /* the last one was, for a key, and goes on with the next */
	bool nested;                           /* some step names a parent */

	/* parts */
	struct source_steps {
		uint32_t first, last; /* its steps, or NO_STEP */
		double time;          /* of the first that has one */
		uint32_t starter;     /* of a part: the step that started it; NO_STEP */
	} * sources;                  /* NULL: no source is a part of another one */
	size_t source_count;

	/* chains */
	size_t origins;
	uint32_t *file_first; /* the first trace_id id of each origin */
	uint32_t scope;       /* the next that may be a chain without a step */
	struct chain *chains;
	size_t chain_count, chain_cap;
	uint32_t *chain_of;  /* chain + 1 by kind of step, */
	struct idmap by_key; /* and by what steps are gathered */
	uint32_t *traces; /* of each chain the event of the trace_id itself, or NO_STEP */

	/* parents */
	uint32_t *slots; /* id + 1; 0 is free */
	size_t mask, id;
	uint32_t *owners; /* steps by id */
	uint32_t *parents;

	/* cycles */
	uint32_t *marks; /* step + 1 from which the walk came by */

	/* order: lists of siblings, those of the roots after those of the steps */
	uint32_t *first, *next; /* step + 1, by list and by step */
	size_t list_count;
	uint32_t item; /* of the list that is looked at, + 1 */
	double latest; /* time in that list */
	enum { NEXT_LIST, LOOKING, COLLECTING, SORTING, LINKING } sorting;
	struct child_place *places; /* of children that are not in order of time */
	size_t place_count, place_cap;
	size_t sorted; /* how far they are sorted */
	uint32_t *order, *positions, *depths;
	size_t order_count;
	uint32_t depth, chain;
	bool climbing;
};

/* ---- parts ---- */

static struct source_steps *source_of(
	const struct trace *trace, const struct arranging *a, size_t step)
{
	size_t i = a->sources ? inputs_number(store_record(&trace->store, step)->offset)
			      : a->source_count;

	return i < a->source_count ? &a->sources[i] : NULL;
}

static size_t begin_sources(struct trace *trace, struct arranging *a)
{
	a->count = trace->count;
	a->scope_count = trace->scope_count;
	a->kind_count = trace->store.kind_count;
	a->source_count = inputs_count(trace->inputs);
	a->nested = trace->store.parent_count > 0;
	if (inputs_wholes(trace->inputs) == a->source_count)
		return 0;
	a->nested = true;
	a->sources = mem_array(a->source_count, sizeof(*a->sources));
	for (size_t i = 0; i < a->source_count; i++)
		a->sources[i] = (struct source_steps){NO_STEP, NO_STEP, NAN, NO_STEP};
	return a->count;
}

static void note_source(struct trace *trace, struct arranging *a, uint32_t step)
{
	struct source_steps *s = source_of(trace, a, step);

	if (!s)
		return;
	if (s->first == NO_STEP)
		s->first = step;
	s->last = step;
	if (isnan(s->time))
		s->time = store_record(&trace->store, step)->timestamp;
}

static size_t begin_starters(struct trace *trace, struct arranging *a)
{
	return a->sources ? a->source_count : 0;
}

/* What started a part: the step that names it, or its call; else the last step around it
 * that had begun when the part did, the last of all when no time is known. */
static void find_starter(struct trace *trace, struct arranging *a, uint32_t part)
{
	struct source_steps *s = &a->sources[part], *around;
	size_t of, low, high, middle;
	uint32_t named;
	uint64_t key;

	if (!inputs_part(trace->inputs, inputs_address(part), &of, &key))
		return;
	named = idmap_find(&trace->agents, key);
	if (named != MAP_NONE && named < a->count && source_of(trace, a, named) != s) {
		s->starter = named;
		return;
	}
	around = &a->sources[of];
	s->starter = around->last;
	if (around->first == NO_STEP || isnan(s->time))
		return;
	/* logarithmic: its steps are in order of time */
	low = around->first;
	high = (size_t)around->last + 1;
	while (high - low > 1) {
		middle = low + (high - low) / 2;
		if (store_record(&trace->store, middle)->timestamp > s->time)
			high = middle;
		else
			low = middle;
	}
	s->starter = (uint32_t)low;
}

/* The step that started the source of a step, or NO_STEP. */
static uint32_t starter_of(
	const struct trace *trace, const struct arranging *a, uint32_t step)
{
	const struct source_steps *s = source_of(trace, a, step);

	return s ? s->starter : NO_STEP;
}

/* ---- chains ---- */

/* The file, or the followed files one after the other, that a scope is in. */
static size_t origin_of(const struct trace *trace, uint32_t scope)
{
	return inputs_origin(trace->inputs, trace->scopes[scope].offset);
}

/* The trace id of a step, by the rules' order; NO_TEXT when one has to be generated.
 * `file_first`: the first of its file. */
static uint32_t trace_of(
	const struct trace *trace, const struct step_kind *k, uint32_t file_first)
{
	const struct scope *scope = &trace->scopes[k->scope];

	if (scope->trace_id != NO_TEXT)
		return scope->trace_id;
	if (k->trace_id != NO_TEXT)
		return k->trace_id;
	if (scope->first_trace_id != NO_TEXT)
		return scope->first_trace_id;
	return scope->chain ? NO_TEXT : file_first;
}

/* What has no trace id gets one from its scope's first bytes and its place, the same in
 * every run. */
static struct chain make_chain(struct trace *trace, uint32_t trace_id, uint32_t scope)
{
	const struct scope *of = &trace->scopes[scope];
	struct chain c = {.trace_id = trace_id, .name = of->name, .scope = scope};

	if (trace_id == NO_TEXT) {
		char head[4096];
		size_t n = inputs_read(trace->inputs, of->offset, head, sizeof(head));
		uint64_t offset = inputs_offset(of->offset);
		uint64_t h = fnv_add(FNV_BEGIN, (struct str){head, n});
		AUTO_BUF text = BUF_INIT;

		h = fnv_add(h, (struct str){(const char *)&offset, sizeof(offset)});
		buf_printf(&text, "generated-%016" PRIx64, h);
		c.trace_id = intern_add(&trace->texts, buf_view(&text));
		c.generated = true;
	}
	return c;
}

void arrange_first_chain(struct trace *trace)
{
	const struct step_kind *k = store_kind(&trace->store, 0);

	MEM_ROOM(trace->chains, trace->chain_cap, 1);
	trace->chains[0] = make_chain(trace, trace_of(trace, k, k->trace_id), k->scope);
	trace->chain_count = 1;
}

static size_t begin_first(struct trace *trace, struct arranging *a)
{
	a->origins = inputs_count(trace->inputs);
	a->file_first = mem_array(a->origins, sizeof(*a->file_first));
	for (size_t i = 0; i < a->origins; i++)
		a->file_first[i] = NO_TEXT;
	return a->count;
}

static void find_first_trace(struct trace *trace, struct arranging *a, uint32_t step)
{
	const struct step_kind *k = store_kind(&trace->store, step);
	uint32_t *first = &a->file_first[origin_of(trace, k->scope)];

	if (starter_of(trace, a, step) != NO_STEP)
		return;
	if (*first == NO_TEXT)
		*first = k->trace_id;
	if (a->origins == 1 && *first != NO_TEXT)
		a->end = a->at;
}

static uint32_t find_chain(
	struct trace *trace, struct arranging *a, uint32_t trace_id, uint32_t scope)
{
	/* The steps of an origin are gathered by a trace id; without one, by the chain
	 * object, else by the file. */
	uint64_t key = (uint64_t)origin_of(trace, scope) << 33;
	uint32_t chain;

	if (trace_id != NO_TEXT)
		key |= trace_id;
	else
		key |= (uint64_t)1 << 32 |
		       (trace->scopes[scope].chain ? scope : UINT32_MAX);
	chain = idmap_find(&a->by_key, key);
	if (chain != MAP_NONE)
		return chain;
	*MEM_ADD(a->chains, a->chain_count, a->chain_cap) =
		make_chain(trace, trace_id, scope);
	idmap_add(&a->by_key, key, (uint32_t)a->chain_count);
	return (uint32_t)a->chain_count;
}

static size_t begin_chains(struct trace *trace, struct arranging *a)
{
	a->chain_of = mem_zalloc(a->kind_count, sizeof(*a->chain_of));
	return a->count + 1;
}

/*
 * Chains in order of first appearance.  Scopes that are chains without a step come in
 * file order among the steps, and after them.  A step is in the chain of the session's
 * own step from which its part began, at any depth.
 */
static void group(struct trace *trace, struct arranging *a, uint32_t step)
{
	const struct record *r =
		step < a->count ? store_record(&trace->store, step) : NULL;
	uint32_t origin = step, starter, *chain;
	const struct step_kind *k;
	struct chain *c;

	for (; a->scope < a->scope_count &&
		(!r || trace->scopes[a->scope].offset <= r->offset);
		a->scope++, a->worked++) {
		const struct scope *scope = &trace->scopes[a->scope];

		if (scope->chain && (!r || trace->store.kinds[r->kind].scope != a->scope))
			find_chain(trace, a, scope->trace_id, a->scope);
	}
	if (!r)
		return;
	starter = starter_of(trace, a, step);
	for (size_t depth = 0; depth < a->source_count && starter != NO_STEP; depth++) {
		origin = starter;
		starter = starter_of(trace, a, origin);
	}
	k = store_kind(&trace->store, origin);
	chain = &a->chain_of[r->kind];
	if (!*chain)
		*chain = find_chain(trace, a,
			trace_of(trace, k, a->file_first[origin_of(trace, k->scope)]),
			k->scope);
	c = &a->chains[*chain - 1];
	c->count++;
	if (origin != step)
		return;
	/* a chain that has no name of its own takes the last that its steps give it */
	if (trace->scopes[k->scope].name != NO_TEXT)
		c->name = trace->scopes[k->scope].name;
	else if (k->chain_name != NO_TEXT && trace->scopes[c->scope].name == NO_TEXT)
		c->name = k->chain_name;
}

static void end_chains(struct arranging *a)
{
	idmap_done(&a->by_key);
	mem_free(a->file_first);
	a->file_first = NULL;
}

/* ---- parents ---- */

static uint32_t chain_of(
	const struct trace *trace, const struct arranging *a, uint32_t step)
{
	return a->chain_of[store_record(&trace->store, step)->kind] - 1;
}

static size_t begin_ids(struct trace *trace, struct arranging *a)
{
	size_t size = 64;

	end_chains(a);
	if (!a->nested)
		return 0;
	while (size < 2 * trace->store.id_count)
		size *= 2;
	a->slots = mem_zalloc(size, sizeof(*a->slots));
	a->mask = size - 1;
	a->owners = mem_array(trace->store.id_count, sizeof(*a->owners));
	a->parents = mem_array(a->count, sizeof(*a->parents));
	a->traces = mem_array(a->chain_count, sizeof(*a->traces));
	for (size_t i = 0; i < a->chain_count; i++)
		a->traces[i] = NO_STEP;
	return a->count;
}

/* The slot of an id in a chain: of its first owner, or free. */
static size_t slot_of(const struct trace *trace, const struct arranging *a, uint64_t key,
	uint32_t chain)
{
	uint64_t hash =
		(key ^ ((uint64_t)chain + 1) * 0x9E3779B97F4A7C15u) * 0x9E3779B97F4A7C15u;
	size_t i = (size_t)(hash >> 20) & a->mask;

	for (; a->slots[i]; i = (i + 1) & a->mask)
		if (store_id(&trace->store, a->slots[i] - 1) == key &&
			chain_of(trace, a, a->owners[a->slots[i] - 1]) == chain)
			break;
	return i;
}

static void note_ids(struct trace *trace, struct arranging *a, uint32_t step)
{
	const struct record *r = store_record(&trace->store, step);
	uint32_t chain = chain_of(trace, a, step);

	if (r->flags & STEP_TRACE && a->traces[chain] == NO_STEP)
		a->traces[chain] = step;
	for (uint32_t i = r->ids; i; i--) {
		size_t slot = slot_of(trace, a, store_id(&trace->store, a->id), chain);

		a->owners[a->id++] = step;
		if (!a->slots[slot])
			a->slots[slot] = (uint32_t)a->id;
	}
}

static bool is_key_of(const struct trace *trace, uint64_t key, uint32_t text)
{
	return text != NO_TEXT && key == trace_key(trace_text(trace, text));
}

/* What names the trace as its parent is a child of the trace's event, without one a root.
 */
static void find_parent(struct trace *trace, struct arranging *a, uint32_t step)
{
	uint64_t key = store_parent(&trace->store, step);
	uint32_t chain = chain_of(trace, a, step), starter = starter_of(trace, a, step);
	uint32_t id = key ? a->slots[slot_of(trace, a, key, chain)] : 0;

	if (!key)
		a->parents[step] = starter;
	else if (id)
		a->parents[step] = a->owners[id - 1];
	else if (is_key_of(trace, key, a->chains[chain].trace_id) ||
		 is_key_of(trace, key, store_kind(&trace->store, step)->trace_id))
		a->parents[step] = a->traces[chain] == step ? NO_STEP : a->traces[chain];
	else
		a->parents[step] = starter == NO_STEP ? ROOT_ORPHAN : starter;
}

static void end_parents(struct arranging *a)
{
	mem_free(a->slots);
	mem_free(a->owners);
	mem_free(a->traces);
	a->slots = a->owners = a->traces = NULL;
}

/* ---- cycles ---- */

static size_t begin_cycles(struct trace *trace, struct arranging *a)
{
	end_parents(a);
	if (!a->nested)
		return 0;
	a->marks = mem_zalloc(a->count, sizeof(*a->marks));
	return a->count;
}

/*
 * Walks up from every step, marking the path with the step's number.  Meeting one's own
 * mark closes a cycle, which is broken at its first step in file order.
 */
static void break_cycle(struct trace *trace, struct arranging *a, uint32_t step)
{
	uint32_t mark = step + 1, hop = step, lowest;

	for (; hop < LEAST_ROOT && !a->marks[hop]; a->worked++) {
		a->marks[hop] = mark;
		hop = a->parents[hop];
	}
	if (hop >= LEAST_ROOT || a->marks[hop] != mark)
		return;
	lowest = hop;
	for (uint32_t at = a->parents[hop]; at != hop; at = a->parents[at])
		lowest = at < lowest ? at : lowest;
	a->parents[lowest] = ROOT_CYCLE;
}

/* ---- siblings ---- */

static size_t begin_lists(struct trace *trace, struct arranging *a)
{
	mem_free(a->marks);
	a->marks = NULL;
	a->list_count = (a->nested ? a->count : 0) + a->chain_count;
	a->first = mem_zalloc(a->list_count, sizeof(*a->first));
	a->next = mem_array(a->count, sizeof(*a->next));
	return a->count;
}

/* The last step first, so that every list is in file order. */
static void link_sibling(struct trace *trace, struct arranging *a, uint32_t i)
{
	uint32_t step = (uint32_t)a->count - 1 - i, *first;
	size_t list = (a->nested ? a->count : 0) + chain_of(trace, a, step);

	if (a->nested && a->parents[step] < LEAST_ROOT)
		list = a->parents[step];
	first = &a->first[list];
	a->next[step] = *first;
	*first = step + 1;
}

/* The time of the next item of the list: a step without one takes the one before.  Steps
 * of a part that run beside those of others, as sub-agents do, stay together: all have
 * the time of its first. */
static double next_time(const struct trace *trace, struct arranging *a)
{
	uint32_t step = a->item - 1, starter = starter_of(trace, a, step);
	double t = starter != NO_STEP && a->parents[step] == starter
			   ? source_of(trace, a, step)->time
			   : store_record(&trace->store, step)->timestamp;

	a->item = a->next[a->item - 1];
	return isnan(t) ? a->latest : t;
}

static void begin_list(struct arranging *a)
{
	a->item = a->first[a->at];
	a->latest = -INFINITY;
}

static int compare_places(const void *a, const void *b, const void *context)
{
	const struct child_place *x = a, *y = b;

	return (x->time > y->time) - (x->time < y->time);
}

/* One list after another is gone through; one that is out of order of time is collected,
 * sorted, and linked again. */
static bool sort_siblings(struct trace *trace, struct arranging *a)
{
	uint32_t step;
	double time;

	if (a->sorting == NEXT_LIST) {
		if (a->at == a->list_count)
			return true;
		begin_list(a);
		a->sorting = LOOKING;
	}
	switch (a->sorting) {
	case NEXT_LIST:
	case LOOKING:
		if (!a->item)
			break;
		time = next_time(trace, a);
		if (time < a->latest) {
			begin_list(a);
			a->place_count = 0;
			a->sorting = COLLECTING;
		} else {
			a->latest = time;
		}
		return false;
	case COLLECTING:
		step = a->item - 1;
		a->latest = next_time(trace, a);
		*MEM_ADD(a->places, a->place_count, a->place_cap) =
			(struct child_place){a->latest, step};
		if (!a->item)
			a->sorting = SORTING;
		return false;
	case SORTING:
		stop_begin();
		if (sort_items(a->places, a->place_count, sizeof(*a->places),
			    compare_places, NULL, &a->sorted))
			a->sorting = LINKING;
		a->stopped = stop_end();
		a->worked += a->place_count;
		return false;
	case LINKING: /* the last of it first */
		step = a->places[--a->place_count].step;
		a->next[step] = a->item;
		a->item = a->first[a->at] = step + 1;
		if (a->place_count)
			return false;
		break;
	}
	a->sorting = NEXT_LIST;
	a->at++;
	return false;
}

/* ---- order ---- */

static size_t begin_order(struct trace *trace, struct arranging *a)
{
	mem_free(a->places);
	a->places = NULL;
	a->item = 0;
	a->order = mem_array(a->count, sizeof(*a->order));
	a->positions = mem_array(a->count, sizeof(*a->positions));
	if (a->nested)
		a->depths = mem_array(a->count, sizeof(*a->depths));
	return 0;
}

/* Pre-order along parents, children and siblings. */
static bool walk(struct trace *trace, struct arranging *a)
{
	uint32_t step = a->item - 1;

	if (!a->item) {
		if (a->chain == a->chain_count)
			return true;
		a->chains[a->chain].first = a->order_count;
		a->item = a->first[(a->nested ? a->count : 0) + a->chain];
		a->depth = 0;
		a->chain += !a->item;
		return false;
	}
	if (!a->climbing) {
		a->order[a->order_count] = step;
		a->positions[step] = (uint32_t)a->order_count;
		if (a->nested)
			a->depths[a->order_count] = a->depth;
		a->order_count++;
		if (a->nested && a->first[step]) {
			a->item = a->first[step];
			a->depth++;
			return false;
		}
	}
	/* to the next sibling; without one, up to the parent */
	a->climbing = !a->next[step] && a->depth;
	a->item = a->climbing ? a->parents[step] + 1 : a->next[step];
	a->depth -= a->climbing;
	a->chain += !a->item;
	return false;
}

/* ---- the row of phases ---- */

/* A phase begins with how many steps it has to do, without that as many as the one before
 * it.  It does them one by one, or in units that say themselves when the phase is over.
 */
static const struct {
	size_t (*begin)(struct trace *trace, struct arranging *a);
	void (*one)(struct trace *trace, struct arranging *a, uint32_t i);
	bool (*unit)(struct trace *trace, struct arranging *a);
} phases[] = {
	{begin_sources, note_source, NULL},
	{begin_starters, find_starter, NULL},
	{begin_first, find_first_trace, NULL},
	{begin_chains, group, NULL},
	{begin_ids, note_ids, NULL},
	{NULL, find_parent, NULL},
	{begin_cycles, break_cycle, NULL},
	{begin_lists, link_sibling, NULL},
	{NULL, NULL, sort_siblings},
	{begin_order, NULL, walk},
};

#define PHASES (sizeof(phases) / sizeof(*phases))

static void begin_phase(struct trace *trace, struct arranging *a)
{
	a->at = 0;
	if (phases[a->phase].begin)
		a->end = phases[a->phase].begin(trace, a);
}

void arrange_stop(struct trace *trace)
{
	struct arranging *a = trace->arranging;

	if (!a)
		return;
	end_chains(a);
	end_parents(a);
	mem_free(a->sources);
	mem_free(a->chains);
	mem_free(a->chain_of);
	mem_free(a->parents);
	mem_free(a->marks);
	mem_free(a->first);
	mem_free(a->next);
	mem_free(a->places);
	mem_free(a->order);
	mem_free(a->positions);
	mem_free(a->depths);
	mem_free(a);
	trace->arranging = NULL;
}

void arrange_progress(const struct trace *trace, size_t *done, size_t *all)
{
	const struct arranging *a = trace->arranging;
	size_t in = a->phase + 1 == PHASES ? a->order_count : a->at;

	*all = PHASES * a->count;
	*done = a->phase * a->count + (in < a->count ? in : a->count);
}

/* Puts the new arrangement in the place of the old one. */
static void take_over(struct trace *trace, struct arranging *a)
{
	trace_drop_arrangement(trace);
	mem_free(trace->chains);
	trace->chains = a->chains;
	trace->chain_count = a->chain_count;
	trace->chain_cap = a->chain_cap;
	trace->order = a->order;
	trace->positions = a->positions;
	trace->depths = a->depths;
	trace->parents = a->parents;
	trace->chain_of = a->chain_of;
	trace->chain_of_count = a->kind_count;
	trace->order_count = trace->arranged = a->count;
	trace->arranged_scopes = a->scope_count;
	trace->arrangement++;
	trace->plain &= !trace->count;
	a->chains = NULL;
	a->order = a->positions = a->depths = a->parents = a->chain_of = NULL;
	arrange_stop(trace);
	if (!trace->count)
		trace_drop_arrangement(trace);
}

/* Some units; true when the last phase is over. */
static bool work(struct trace *trace, struct arranging *a)
{
	bool more = true;

	count_work(WORK_STEPS, TRACE_PIECE);
	a->stopped = false;
	for (a->worked = 0; a->worked < TRACE_PIECE && !a->stopped; a->worked++) {
		if (phases[a->phase].unit)
			more = !phases[a->phase].unit(trace, a);
		else if ((more = a->at < a->end))
			phases[a->phase].one(trace, a, (uint32_t)a->at++);
		if (more)
			continue;
		if (++a->phase == PHASES)
			return true;
		begin_phase(trace, a);
	}
	return false;
}

enum task_state trace_arrange_run(struct trace *trace, uint64_t deadline)
{
	const struct arranging *a = trace->arranging;
	bool plain;

	trace_settle(trace);
	if (a && (a->count != trace->count || a->scope_count != trace->scope_count ||
			 a->kind_count != trace->store.kind_count))
		arrange_stop(trace);
	plain = !trace->arranging && trace->plain && trace->count &&
		trace->arranged == trace->count;
	for (uint32_t i = 0; plain && i < trace->scope_count; i++)
		plain = !trace->scopes[i].chain ||
			i == store_kind(&trace->store, 0)->scope;
	if (plain) {
		/* its scope may get its name and trace id after its steps */
		size_t count = trace->chains[0].count;

		arrange_first_chain(trace);
		trace->chains[0].count = count;
		if (trace->chains[0].name == NO_TEXT)
			trace->chains[0].name = trace->last_name;
		return TASK_DONE;
	}
	if (!trace->arranging) {
		trace->arranging = mem_zalloc(1, sizeof(*trace->arranging));
		begin_phase(trace, trace->arranging);
	}
	do
		if (work(trace, trace->arranging)) {
			take_over(trace, trace->arranging);
			return TASK_DONE;
		}
	while (!trace->arranging->stopped && !clock_passed(deadline));
	return TASK_MORE;
}
