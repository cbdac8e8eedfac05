/*
 * Steps and their arrangement (see trace.h).  While a file is read, most are a
 * plain list: one chain, no parents, in time order; such steps are appended to
 * the order as they come.  The first step that is none of it ends that, and
 * trace_arrange_run sorts everything again.
 *
 * The step that was added last is written by pointer, so it is kept unpacked beside the
 * others; it is packed when it is complete, and again after it was asked for once more.
 */
#include "config.h"
#include "trace/trace.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/work.h"

#define COMPARED 200 /* names that are read to see whether they differ */

#define BESIDE    UINT32_MAX /* tokens: unknown, or in a column */
#define WIDE      UINT32_MAX
#define WIDE_NAME 2047u
#define MOST_IDS  3u

static_assert(sizeof(struct record) == 40, "a step is to cost no more than that");
static_assert(
	offsetof(struct step, input_tokens) == offsetof(struct step, figures) &&
		offsetof(struct step, output_tokens) == offsetof(struct step, figures[1]),
	"the record's tokens");
static_assert(STEP_KEPT == (1 << 19) - 1, "the record's bits for flags");
static_assert((STEP_TURN & STEP_KEPT) && !(STEP_ORPHAN & STEP_KEPT), "flags kept");

/* ---- how steps are kept ---- */

/* Steps that follow each other are mostly of one kind. */
static uint32_t find_kind(struct store *s, const struct step_kind *k)
{
	uint64_t hash;

	if (s->kind_count && memcmp(&s->kinds[s->last_kind], k, sizeof(*k)) == 0)
		return s->last_kind;
	hash = map_hash((struct str){(const char *)k, sizeof(*k)});
	s->last_kind = idmap_find(&s->kind_numbers, hash);
	if (s->last_kind == MAP_NONE) {
		s->last_kind = (uint32_t)s->kind_count;
		idmap_add(&s->kind_numbers, hash, s->last_kind);
		*MEM_ADD(s->kinds, s->kind_count, s->kind_cap) = *k;
	}
	return s->last_kind;
}

/* A column is there once one of its steps needs it. */
static void put_figure(double **column, size_t at, double value)
{
	if (!*column && isnan(value))
		return;
	if (!*column) {
		*column = mem_array(SLAB, sizeof(**column));
		for (size_t i = 0; i < SLAB; i++)
			(*column)[i] = NAN;
	}
	(*column)[at] = value;
}

static void put_number(uint64_t **column, size_t at, uint64_t value)
{
	if (!*column && value)
		*column = mem_zalloc(SLAB, sizeof(**column));
	if (*column)
		(*column)[at] = value;
}

static void store_put(struct store *s, size_t step, const struct step *what)
{
	struct step_kind kind = {.scope = what->scope};
	struct record *r = store_record(s, step);
	struct slab *slab = s->slabs[step / SLAB];
	bool wide = what->length >= WIDE, wide_name = what->name_len >= WIDE_NAME;
	size_t at = step % SLAB;

	memcpy(kind.texts, what->texts, sizeof(kind.texts));
	*r = (struct record){
		.offset = what->offset,
		.timestamp = what->timestamp,
		.length = wide ? WIDE : (uint32_t)what->length,
		.name_at = what->name_at,
		.kind = find_kind(s, &kind),
		.flags = what->flags & STEP_KEPT,
		.ids = r->ids,
		.name_len = wide_name ? WIDE_NAME : what->name_len & WIDE_NAME,
	};
	for (int i = 0; i < TOKEN_FIGURES; i++) {
		double tokens = what->figures[i];
		bool fits = tokens >= 0 && tokens < BESIDE && !signbit(tokens) &&
			    tokens == (uint32_t)tokens;

		r->tokens[i] = fits ? (uint32_t)tokens : BESIDE;
	}
	for (int i = 0; i < STEP_FIGURES; i++) {
		bool packed = i < TOKEN_FIGURES && r->tokens[i] != BESIDE;

		put_figure(
			&slab->figures[i], at, packed ? (double)NAN : what->figures[i]);
	}
	s->parent_count -= store_parent(s, step) != 0;
	s->parent_count += what->parent_key != 0;
	put_number(&slab->parents, at, what->parent_key);
	put_number(&slab->requests, at, what->request);
	put_number(&slab->lengths, at, wide ? what->length : 0);
	put_number(&slab->names, at, wide_name ? what->name_len : 0);
}

struct step store_get(const struct store *s, size_t step)
{
	const struct record *r = store_record(s, step);
	const struct step_kind *k = &s->kinds[r->kind];
	const struct slab *slab = s->slabs[step / SLAB];
	size_t at = step % SLAB;
	struct step out = {
		.offset = r->offset,
		.length = r->length == WIDE ? slab->lengths[at] : r->length,
		.timestamp = r->timestamp,
		.parent_key = store_parent(s, step),
		.request = slab->requests ? slab->requests[at] : 0,
		.name_at = r->name_at,
		.name_len = r->name_len == WIDE_NAME ? (uint32_t)slab->names[at]
						     : r->name_len,
		.scope = k->scope,
		.flags = r->flags,
		.parent = NO_STEP,
		.chain = NO_CHAIN,
	};

	memcpy(out.texts, k->texts, sizeof(out.texts));
	for (int i = 0; i < STEP_FIGURES; i++)
		out.figures[i] = slab->figures[i] ? slab->figures[i][at] : (double)NAN;
	for (int i = 0; i < TOKEN_FIGURES; i++)
		if (r->tokens[i] != BESIDE)
			out.figures[i] = r->tokens[i];
	return out;
}

static void store_truncate(struct store *s, size_t count)
{
	while (s->count > count) {
		const struct record *r = store_record(s, --s->count);

		s->id_count -= r->ids;
		s->parent_count -= store_parent(s, s->count) != 0;
	}
	while (s->slab_count > (count + SLAB - 1) / SLAB) {
		struct slab *slab = s->slabs[--s->slab_count];

		for (int i = 0; i < STEP_FIGURES; i++)
			mem_free(slab->figures[i]);
		mem_free(slab->parents);
		mem_free(slab->requests);
		mem_free(slab->lengths);
		mem_free(slab->names);
		mem_free(slab);
	}
	while (s->id_slabs > (s->id_count + SLAB - 1) / SLAB)
		mem_free(s->ids[--s->id_slabs]);
}

/* ---- the trace ---- */

struct trace *trace_new(struct inputs *inputs)
{
	struct trace *trace = mem_zalloc(1, sizeof(*trace));

	trace->inputs = inputs;
	trace->plain = true;
	trace->latest = NAN;
	trace->last_name = NO_TEXT;
	return trace;
}

struct trace *trace_of_source(struct source *source)
{
	struct inputs *inputs = inputs_new();

	inputs_take(inputs, source);
	return trace_new(inputs);
}

void trace_drop_arrangement(struct trace *trace)
{
	mem_free(trace->order);
	mem_free(trace->positions);
	mem_free(trace->depths);
	mem_free(trace->parents);
	mem_free(trace->chain_of);
	mem_free(trace->rollups);
	trace->order = trace->positions = trace->depths = trace->parents =
		trace->chain_of = NULL;
	trace->rollups = NULL;
	trace->chain_of_count = trace->rollup_count = trace->order_count = 0;
}

void trace_free(struct trace *trace)
{
	if (!trace)
		return;
	arrange_stop(trace);
	totals_stop(trace);
	trace_drop_arrangement(trace);
	inputs_free(trace->inputs);
	intern_done(&trace->texts);
	trace->store.count = trace->store.id_count = 0; /* which steps there were matters
							    no more */
	store_truncate(&trace->store, 0);
	mem_free(trace->store.slabs);
	mem_free(trace->store.ids);
	mem_free(trace->store.kinds);
	idmap_done(&trace->store.kind_numbers);
	mem_free(trace->further.ranges);
	idmap_done(&trace->further.first);
	mem_free(trace->attached.ranges);
	idmap_done(&trace->attached.by_name);
	buf_done(&trace->names.first);
	idmap_done(&trace->agents);
	mem_free(trace->scopes);
	mem_free(trace->chains);
	mem_free(trace);
}

void trace_settle(struct trace *trace)
{
	if (trace->unsettled)
		store_put(&trace->store, trace->count - 1, &trace->last);
	trace->unsettled = false;
}

#define UNKNOWN_FIGURE(id, word, name, member) .member = NAN,
#define UNKNOWN_TEXT(id, word, name, member)   .member = NO_TEXT,

const struct step step_unknown = {
	STEP_FACTS(FACT_NOT, UNKNOWN_FIGURE, UNKNOWN_FIGURE, UNKNOWN_TEXT)
	.timestamp = NAN,
	.parent = NO_STEP,
	.chain = NO_CHAIN,
};

struct step *trace_add(
	struct trace *trace, uint32_t scope, uint64_t offset, uint64_t length)
{
	struct store *s = &trace->store;
	size_t at = s->count % SLAB;
	struct slab *slab;

	trace_settle(trace);
	if (s->count / SLAB == s->slab_count) {
		slab = mem_zalloc(1, sizeof(*slab));
		*MEM_ADD(s->slabs, s->slab_count, s->slab_cap) = slab;
	}
	slab = s->slabs[s->count / SLAB];
	if (slab->parents) /* of a step that was forgotten */
		slab->parents[at] = 0;
	*store_record(s, s->count++) = (struct record){0};
	trace->count++;
	trace->unsettled = true;
	trace->last = step_unknown;
	trace->last.offset = offset;
	trace->last.length = length;
	trace->last.scope = scope;
	return &trace->last;
}

struct step *trace_last(struct trace *trace)
{
	trace->unsettled = true;
	return &trace->last;
}

static uint64_t secret[2]; /* of keys; 0: none was made */

bool trace_set_secret(const uint64_t by[2])
{
	if (!secret[0])
		memcpy(secret, by, sizeof(secret));
	return memcmp(secret, by, sizeof(secret)) == 0;
}

uint64_t trace_key(struct str id)
{
	if (!secret[0])
		map_key_make(secret);
	return map_hash_by(secret, id) | 1;
}

void trace_add_id(struct trace *trace, uint64_t key)
{
	struct store *s = &trace->store;
	struct record *r = store_record(s, s->count - 1);

	for (size_t i = 1; i <= r->ids; i++)
		if (store_id(s, s->id_count - i) == key)
			return;
	if (r->ids == MOST_IDS)
		return;
	if (s->id_count / SLAB == s->id_slabs)
		*MEM_ADD(s->ids, s->id_slabs, s->id_cap) =
			mem_array(SLAB, sizeof(**s->ids));
	s->ids[s->id_count / SLAB][s->id_count % SLAB] = key;
	s->id_count++;
	r->ids++;
}

uint32_t trace_add_scope(struct trace *trace, uint64_t offset)
{
	MEM_ROOM(trace->scopes, trace->scope_cap, trace->scope_count + 1);
	trace->scopes[trace->scope_count] = (struct scope){.trace_id = NO_TEXT,
		.name = NO_TEXT,
		.asked = NO_TEXT,
		.first_trace_id = NO_TEXT,
		.shared = NO_TEXT,
		.offset = offset};
	return (uint32_t)trace->scope_count++;
}

void trace_truncate(struct trace *trace, size_t steps, size_t scopes)
{
	trace->generation++;
	arrange_stop(trace);
	totals_stop(trace);
	trace_settle(trace);
	if (steps < trace->count)
		trace->count = steps;
	if (scopes < trace->scope_count)
		trace->scope_count = scopes;
	store_truncate(&trace->store, trace->count);
	if (trace->count)
		trace->last = store_get(&trace->store, trace->count - 1);
	if (trace->count && trace->arranged <= trace->count &&
		trace->arranged_scopes <= trace->scope_count)
		return;
	trace->plain = trace->count == 0;
	trace->latest = NAN;
	trace->last_name = NO_TEXT;
	trace->arranged = trace->arranged_scopes = trace->chain_count = 0;
	trace_drop_arrangement(trace);
}

/* ---- steps ---- */

static uint32_t chain_of(const struct trace *trace, size_t step)
{
	uint32_t kind = store_record(&trace->store, step)->kind;

	if (step >= trace->arranged)
		return NO_CHAIN;
	if (!trace->chain_of)
		return 0;
	return kind < trace->chain_of_count ? trace->chain_of[kind] - 1 : NO_CHAIN;
}

struct step trace_step(const struct trace *trace, size_t step)
{
	struct step s =
		step + 1 == trace->count ? trace->last : store_get(&trace->store, step);
	uint32_t parent =
		trace->parents && step < trace->arranged ? trace->parents[step] : NO_STEP;

	count_work(WORK_STEPS, 1);
	s.chain = chain_of(trace, step);
	if (parent < LEAST_ROOT)
		s.parent = parent;
	if (parent == ROOT_ORPHAN)
		s.flags |= STEP_ORPHAN;
	if (parent == ROOT_CYCLE)
		s.flags |= STEP_CYCLE;
	return s;
}

uint64_t trace_step_end(const struct trace *trace, size_t step)
{
	struct step s = trace_step(trace, step);

	return s.offset + s.length;
}

uint32_t trace_flags(const struct trace *trace, size_t step)
{
	count_work(WORK_STEPS, 1);
	return step + 1 == trace->count ? trace->last.flags
					: store_record(&trace->store, step)->flags;
}

void trace_put(struct trace *trace, size_t step, const struct step *what)
{
	if (step + 1 == trace->count)
		trace->last = *what;
	if (what->chain_name != NO_TEXT)
		trace->last_name = what->chain_name;
	store_put(&trace->store, step, what);
}

void trace_flag(struct trace *trace, size_t step, uint32_t flags)
{
	if (flags & STEP_FAILED && !(trace_flags(trace, step) & STEP_FAILED)) {
		/* the totals are of flags that were known when they were made */
		size_t position = trace_position(trace, (uint32_t)step);
		uint32_t chain = position < trace->order_count
					 ? trace_chain_at(trace, position)
					 : NO_CHAIN;

		trace->failures++;
		if (chain < trace->chain_count && trace->chains[chain].totals.steps) {
			trace->chains[chain].totals.errors++;
			trace->totals.errors++;
			trace->sums++;
		}
	}
	if (step + 1 == trace->count)
		trace_last(trace)->flags |= flags;
	else
		store_record(&trace->store, step)->flags |= flags & STEP_KEPT;
}

/* ---- plain lists ---- */

void trace_renest(struct trace *trace)
{
	trace->plain = false;
}

/* A step that fits goes to the end of a plain list. */
void trace_append(struct trace *trace)
{
	const struct step *s = &trace->last;
	struct scope *scope = &trace->scopes[s->scope];
	const struct step_kind *first;

	trace_settle(trace);
	if (scope->first_trace_id == NO_TEXT)
		scope->first_trace_id = s->trace_id;
	first = store_kind(&trace->store, 0);
	if (trace->arranged != trace->count - 1 || s->parent_key ||
		s->scope != first->scope || s->trace_id != first->trace_id ||
		s->timestamp < trace->latest)
		trace->plain = false;
	if (!trace->plain)
		return;
	if (trace->count == 1)
		arrange_first_chain(trace);
	if (!isnan(s->timestamp))
		trace->latest = s->timestamp;
	if (s->chain_name != NO_TEXT)
		trace->last_name = s->chain_name;
	trace->chains[0].count = trace->order_count = trace->arranged = trace->count;
}

bool trace_unarranged(const struct trace *trace)
{
	return trace->arranged != trace->count;
}

/* ---- positions ---- */

struct str trace_text(const struct trace *trace, uint32_t text)
{
	return intern_get(&trace->texts, text);
}

bool trace_runs_tool(const struct trace *trace, const struct step *s)
{
	struct str kind = trace_text(trace, s->event);

	for (size_t i = 0; i + 4 <= kind.n; i++)
		if (!strncasecmp(kind.p + i, "tool", 4))
			return true;
	return str_equal(kind, STR("function"));
}

struct str trace_chain_title(const struct trace *trace, const struct chain *c)
{
	struct str path, name;

	if (c->name != NO_TEXT)
		return trace_text(trace, c->name);
	if (trace->scopes[c->scope].asked != NO_TEXT)
		return trace_text(trace, trace->scopes[c->scope].asked);
	if (!c->generated || (trace->chain_count > 1 && inputs_wholes(trace->inputs) < 2))
		return trace_text(trace, c->trace_id);
	path = str_of(inputs_name_at(trace->inputs, trace->scopes[c->scope].offset));
	name = str_file_name(path);
	return name.n ? name : path;
}

const char *trace_chain_format(const struct trace *trace, const struct chain *c)
{
	const char *own = trace->scopes[c->scope].format;

	return own ? own : trace->format;
}

uint32_t trace_chain_at(const struct trace *trace, size_t position)
{
	return chain_of(trace, trace_at(trace, position));
}

size_t trace_position(const struct trace *trace, uint32_t step)
{
	uint32_t chain = step < trace->arranged ? chain_of(trace, step) : NO_CHAIN;

	if (chain == NO_CHAIN)
		return trace->order_count;
	return trace->positions ? trace->positions[step] : step;
}

size_t trace_parent_position(const struct trace *trace, size_t position)
{
	uint32_t parent = trace_step(trace, trace_at(trace, position)).parent;

	return parent == NO_STEP ? position : trace_position(trace, parent);
}

size_t trace_subtree_end(const struct trace *trace, size_t position)
{
	const struct chain *c = &trace->chains[trace_chain_at(trace, position)];
	uint32_t depth = trace_depth(trace, position);
	size_t i = position + 1, end = c->first + c->count;

	while (trace->depths && i < end && trace->depths[i] > depth)
		i++;
	count_work(WORK_STEPS, i - position);
	return i;
}

unsigned trace_progress(const struct trace *trace)
{
	size_t done = 0, all = 0;

	if (trace->arranging)
		arrange_progress(trace, &done, &all);
	else if (trace->summing)
		totals_progress(trace, &done, &all);
	return all ? (unsigned)(done * 100 / all) : 100;
}

/* ---- names ---- */

bool trace_names_tell(struct trace *trace)
{
	struct step_names *names = &trace->names;

	if (names->generation != trace->generation) {
		buf_clear(&names->first);
		*names = (struct step_names){
			.first = names->first, .generation = trace->generation};
	}
	while (names->looked < trace->count && !names->differ &&
		names->compared < COMPARED) {
		struct step s = trace_step(trace, names->looked++);
		AUTO_BUF name = BUF_INIT;

		if (!s.name_at)
			continue;
		buf_reserve(&name, s.name_len);
		name.len = inputs_read(
			trace->inputs, s.offset + s.name_at, name.data, s.name_len);
		if (!names->compared++)
			buf_str(&names->first, buf_view(&name));
		else
			names->differ =
				!str_equal(buf_view(&names->first), buf_view(&name));
	}
	return names->differ || names->compared < 2;
}

/* ---- steps with several records ---- */

struct further_range {
	struct file_range range;
	uint32_t next;        /* of the same record, or MAP_NONE */
	uint32_t last, count; /* of the first: the last one, and how many there are */
};

/* Offsets are alike in their low bits. */
static uint64_t range_key(uint64_t offset)
{
	uint64_t mixed = (offset + 1) * 0x9E3779B97F4A7C15u;

	return mixed >> 32 | mixed << 32;
}

static uint32_t first_of(const struct further *f, uint64_t of)
{
	return f->count ? idmap_find(&f->first, range_key(of)) : MAP_NONE;
}

void further_add(struct further *f, uint64_t of, struct file_range range)
{
	uint32_t first = first_of(f, of), added = (uint32_t)f->count;

	if (f->count == MAP_NONE - 1)
		return;
	if (first != MAP_NONE &&
		range.offset <= f->ranges[f->ranges[first].last].range.offset)
		for (uint32_t i = first; i != MAP_NONE; i = f->ranges[i].next)
			if (f->ranges[i].range.offset == range.offset) {
				f->ranges[i].range = range; /* it is read again */
				return;
			}
	*MEM_ADD(f->ranges, f->count, f->cap) =
		(struct further_range){range, MAP_NONE, added, 0};
	if (first == MAP_NONE) {
		idmap_add(&f->first, range_key(of), added);
		first = added;
	} else {
		f->ranges[f->ranges[first].last].next = added;
	}
	f->ranges[first].last = added;
	f->ranges[first].count++;
}

size_t further_count(const struct further *f, uint64_t of)
{
	uint32_t first = first_of(f, of);

	return first == MAP_NONE ? 0 : f->ranges[first].count;
}

void further_get(const struct further *f, uint64_t of, struct file_range *out)
{
	for (uint32_t i = first_of(f, of); i != MAP_NONE; i = f->ranges[i].next)
		*out++ = f->ranges[i].range;
}

/* ---- operands ---- */

bool operand_read_step(const char *text, size_t *chain, size_t *step)
{
	char *end;

	*chain = 0;
	if (*text < '0' || *text > '9')
		return false;
	*step = strtoull(text, &end, 10);
	if (*end == '.' && str_is_digit(end[1])) {
		*chain = *step;
		*step = strtoull(end + 1, &end, 10);
	}
	return !*end && *step;
}

void operand_read(struct operand *o, const char *text)
{
	const char *colon = strrchr(text, ':');

	*o = (struct operand){0};
	if (!colon || colon == text || access(text, F_OK) == 0 ||
		!operand_read_step(colon + 1, &o->chain, &o->step)) {
		o->path = mem_dup(text, strlen(text));
		return;
	}
	o->path = mem_dup(text, (size_t)(colon - text));
}

void operand_done(struct operand *o)
{
	mem_free(o->path);
	o->path = NULL;
}
