/*
 * The consumer of the scan where a value has a description: the scan goes into the
 * containers that are in its trie, and what ends there is a fact, a step, or an item of a
 * session log.
 */
#include "config.h"
#include "import/loader.h"

#include <math.h>

#include "base/err.h"
#include "base/mem.h"
#include "dialect/chunk.h"
#include "json/check.h"

/* ---- steps of several records ----
 *
 * Formats that send a step in several records, which need not be neighbors: a later one
 * with the same name adds to the step of the first.  Facts are added up here, the texts
 * are merged when the step is opened (open.c).
 */

struct merged_record {
	uint64_t offset; /* of the step's first record */
	uint32_t step;
	double end; /* NaN: not known so far */
};

/* Another record of the same name: its step takes the facts of this one.  False: that step
 * is there no longer. */
static bool merge_into(struct loader *l, struct merged_record *r, struct candidate *c,
	uint64_t end, uint32_t flags)
{
	struct step s, more = {0};
	double end_time;

	if (r->offset >= l->base + c->start || r->step >= l->trace->count)
		return false;
	s = trace_step(l->trace, r->step);
	if (s.offset != r->offset) /* it was forgotten since */
		return false;
	candidate_lift(c, c->start, &more);
	if (more.flags & STEP_KINDS)
		s.flags &= ~(uint32_t)STEP_KINDS;
	s.flags |= more.flags & (STEP_ERROR | STEP_KINDS | STEP_TIMED);
	if (!isnan(more.timestamp))
		s.timestamp = more.timestamp;
	figures_take(&s, &more);
	texts_take(&s, &more);
	if (more.parent_key)
		s.parent_key = more.parent_key;
	name_take(&s, &more, l->base + c->start);
	/* a record may say when the step began, another when it ended */
	end_time = candidate_end(c);
	if (!isnan(end_time))
		r->end = end_time;
	if (isnan(s.latency) && r->end >= s.timestamp)
		s.latency = r->end - s.timestamp;
	s.flags |= flags;
	further_add(&l->trace->further, r->offset,
		(struct file_range){
			l->base + c->start, end > c->start ? end - c->start : 0});
	trace_put(l->trace, r->step, &s);
	return true;
}

#define ALIKE       8  /* lines of one description, and the others are taken for it */
#define PAIR_MOST   (64u * 1024)   /* a longer attribute is no fact */
#define STRING_MOST (1024u * 1024) /* JSON in a longer string holds no facts */

/* ---- which description ---- */

/* Whether no more bytes can make a value of it: its line is no JSON, and the next line
 * begins with a value. */
static bool is_torn(struct str head)
{
	struct json_report report;
	const char *end = memchr(head.p, '\n', head.n);
	struct str line = {head.p, end ? (size_t)(end - head.p) : 0};

	if (!end || line.n + 1 >= head.n || (end[1] != '{' && end[1] != '['))
		return false;
	line = str_trim(line);
	json_check(line, &report);
	return report.verdict == VERDICT_BROKEN && line.n > 1 &&
	       !strchr("[{:,", line.p[line.n - 1]);
}

/* What the head of the value at `start` says; *later: more of a stream must come. */
static const struct description *probe(struct loader *l, uint64_t start, bool *later)
{
	uint64_t size = source_size(l->source);
	size_t n = size - start < PROBE ? (size_t)(size - start) : PROBE;
	struct str head = {loader_fetch(l, start, n).p, n};
	enum answer stream = ANSWER_NO;
	struct jv value = jv_parse(head);

	*later = value.cut && n < PROBE && !source_complete(l->source) && !is_torn(head);
	if (*later)
		return NULL;
	/* the line may begin a stream of chunks: a response by itself may look like one */
	if (!value.cut && chunk_kind(value) != CHUNK_NONE)
		stream = stream_begins(l, start, start + value.n);
	*later = stream == ANSWER_LATER;
	return stream == ANSWER_NO ? known_recognize(value) : NULL;
}

enum answer described_choose(struct loader *l, uint64_t start)
{
	struct described *r = &l->described;
	const struct description *d = NULL;
	bool later = false;

	r->active = NULL;
	r->items = r->base = 0;
	r->probed = false;
	if (l->forced && l->forced != &format_json_lines)
		d = l->forced->description;
	else if (l->again.active && l->level == 0 && l->again.at == start)
		d = l->again.description;
	else if (r->settled)
		d = r->settled;
	else if (r->unknown < UNKNOWN_MOST) {
		d = probe(l, start, &later);
		r->probed = d != NULL;
	}
	if (later)
		return ANSWER_LATER;
	if (d != r->last)
		log_line("byte %llu: %s, %s", (unsigned long long)start,
			d ? d->format.name : "no described format",
			l->forced         ? "as was asked for"
			: l->again.active ? "by the value as a whole"
					  : "by the value's beginning");
	/* a file of lines is a session log from its first line that is one */
	if (d && d->lines && d->turns && l->values && !r->settled) {
		r->settled = d;
		loader_begin_again(l);
		return ANSWER_LATER;
	}
	if (!r->settled && !l->again.active) {
		/* after some lines of one description, or of none, the others are not
		 * probed */
		if (!d && r->unknown < UNKNOWN_MOST)
			r->unknown++;
		r->alike = d && d == r->last ? r->alike + 1 : 1;
		r->last = d;
		if (d && r->alike == ALIKE && (d->lines || d->value))
			r->settled = d;
	}
	if (d && d->lines && d->turns)
		r->settled = d;
	r->active = d;
	return d ? ANSWER_YES : ANSWER_NO;
}

/* ---- boxes ---- */

#define DOCUMENT_ORDER 50 /* of formats of a tool: doc/adding-a-format.md */
#define BOX_MEMBERS    64 /* of each object */
#define BOX_ITEMS      3  /* of each array */

/* What a value in a box is: the document of some tool.  Bodies of requests and responses,
 * whose formats say less, belong to what is around them. */
static const struct description *document_of(struct jv value)
{
	struct str head = {value.p, value.n < PROBE ? value.n : PROBE};
	const struct description *d;

	d = known_recognize(jv_parse(head));
	return d && (d->order <= DOCUMENT_ORDER || (!d->value && !d->lines)) ? d : NULL;
}

bool described_is_box(struct jv value, unsigned levels)
{
	size_t most = value.kind == J_ARRAY ? BOX_ITEMS : BOX_MEMBERS;

	JV_EACH(item, levels ? value : JV_NONE) {
		if (document_of(item) || described_is_box(item, levels - 1))
			return true;
		if (item_walk.index + 1 == most)
			break;
	}
	return false;
}

bool described_boxed(struct loader *l, const struct scan_item *item)
{
	struct described *r = &l->described;
	uint64_t left = source_size(l->source) - item->start;
	struct jv value = jv_parse(
		loader_fetch(l, item->start, left < PROBE ? (size_t)left : PROBE));

	r->active = document_of(value);
	r->base = item->depth;
	r->items = 0;
	if (r->active)
		return true;
	if (item->depth == BOX_DEEPEST || !described_is_box(value, 1))
		return false;
	r->inner = item->start;
	return false;
}

/* ---- going in ---- */

uint16_t described_node(
	struct loader *l, const struct candidate *c, const struct scan_item *item)
{
	const struct trie *t = &c->description->trie;
	uint16_t from = l->described.nodes[item->depth];

	if (from == NODE_NONE)
		return NODE_NONE;
	if (!item->keyed)
		return t->nodes[from].each;
	return trie_member(t, from, loader_key(l, item));
}

static bool is_step_node(
	const struct loader *l, const struct scan_item *item, uint16_t to)
{
	const struct trie *t = &l->described.active->trie;
	uint16_t from = l->described.nodes[item->depth];

	return to == t->step &&
	       (item->keyed ? t->nodes[from].any : t->nodes[from].each) == to;
}

/* The scope of the steps in the value that is being read. */
static uint32_t value_scope(struct loader *l)
{
	struct described *r = &l->described;
	struct candidate *c = &l->candidates[0];
	unsigned level = l->level;
	bool whole = (r->active->lines || r->active->value) && !r->items;
	struct scope *s;

	/* steps within a value are apart from those that are lines; the innermost is the
	 * whole value, or stands in it as a child of steps */
	while (level > 1 && l->candidates[level - 1].child)
		level--;
	whole = whole && level <= 1;
	if (whole && r->scope_of == r->active && r->scope < l->trace->scope_count)
		return r->scope;
	if (!whole && c->scope != l->scope)
		return c->scope;
	c->scope = loader_add_scope(l, c->start);
	s = &l->trace->scopes[c->scope];
	s->chain = true;
	s->description = r->active;
	if (whole) {
		r->scope = c->scope;
		r->scope_of = r->active;
	}
	return c->scope;
}

bool described_open(struct loader *l, const struct scan_item *item)
{
	struct described *r = &l->described;
	const struct trie *t = &r->active->trie;
	enum container_role role = l->roles[item->depth];
	bool inside = item->depth > r->base;
	uint16_t to;

	if (role == IN_PAIR)
		return false;
	if (role == IN_LIST) {
		l->roles[item->depth + 1] = IN_PAIR;
		r->nodes[item->depth + 1] = r->nodes[item->depth];
		buf_clear(&r->attribute);
		r->value = (struct scan_item){0};
		return item->kind == J_OBJECT;
	}
	to = inside ? described_node(l, loader_candidate(l), item) : TRIE_ROOT;
	if (to == NODE_NONE)
		return false;
	if (inside && is_step_node(l, item, to)) {
		bool child = t->nodes[r->nodes[item->depth]].children;

		loader_candidate(l)->holds_steps |= child;
		if (!loader_push(l, item, IN_OBJECT))
			return false;
		loader_candidate(l)->child = child;
	} else if (!t->nodes[to].inner) {
		return false;
	}
	r->nodes[item->depth + 1] = to;
	l->roles[item->depth + 1] =
		item->kind == J_ARRAY && t->nodes[to].carrier ? IN_LIST
		: inside && is_step_node(l, item, to)         ? IN_OBJECT
		: (item->kind == J_ARRAY ? t->nodes[to].each : t->nodes[to].any) ==
				t->step
			? IN_ITEMS
		: inside ? IN_PATH
			 : IN_OBJECT;
	r->lists += l->roles[item->depth + 1] == IN_ITEMS;
	return true;
}

/* ---- facts ---- */

void described_put(struct loader *l, struct candidate *c, uint16_t node,
	const struct scan_item *item)
{
	const struct description *d = c->description;
	const struct trie_node *n = &d->trie.nodes[node];
	uint64_t length = item->end - item->start;
	bool scalar =
		item->kind != J_STRING && item->kind != J_OBJECT && item->kind != J_ARRAY;
	struct jv value = {.kind = item->kind};

	if (n->inner && item->kind == J_STRING && (d->events || length <= STRING_MOST))
		candidate_read(c, node, jv_parse(loader_fetch(l, item->start, length)));
	if (n->leaf < 0)
		return;
	if (item->kind == J_NUMBER && length <= SLOT_TEXT && d->summed[n->leaf]) {
		slots_add(&c->slots, n->leaf,
			jv_scalar(loader_fetch(l, item->start, length)));
		return;
	}
	/* of a scalar the scan looked at the first letter only */
	if (length <= SLOT_TEXT) {
		struct str s = loader_fetch(l, item->start, length);

		if (s.n < length) /* the file became shorter */
			value = jv_parse(s);
		else
			value = scalar ? jv_scalar(s) : jv_of(s, item->kind);
		length = value.n;
	}
	slots_put(&c->slots, n->leaf, value, item->end - length, length);
}

/* The value of an attribute, which may stand for another: one in it, or that of a JSON
 * string in its text. */
static void put_attribute(struct loader *l, uint16_t node, const struct scan_item *item)
{
	AUTO_ARENA arena = {0};
	struct jv whole =
		jv_parse(loader_fetch(l, item->start, item->end - item->start));
	struct jv value = attribute_value(whole, &arena);

	if (value.p >= whole.p && value.p < whole.p + whole.n) {
		struct scan_item inner = *item;

		inner.kind = value.kind;
		inner.start += (uint64_t)(value.p - whole.p);
		inner.end = inner.start + value.n;
		described_put(l, loader_candidate(l), node, &inner);
	} else {
		candidate_read(loader_candidate(l), node, value);
	}
}

/* ---- steps ---- */

/* An id made of where a step begins: no text of a file is like it. */
uint64_t loader_place_id(const struct loader *l, uint64_t at)
{
	uint64_t address = l->base + at;
	char id[1 + sizeof(address)] = "@";

	memcpy(id + 1, &address, sizeof(address));
	return trace_key((struct str){id, sizeof(id)});
}

double growth(double *so_far, double figure)
{
	double before = figure >= *so_far ? *so_far : 0;

	*so_far = figure;
	return figure - before;
}

void described_end_step(struct loader *l, uint64_t end, uint32_t flags)
{
	struct candidate *c = loader_candidate(l);
	const struct fact_paths *names = &c->description->merge;
	double *cumulative = l->described.cumulative;
	struct merging *m = &l->described.merging;
	struct merged_record *r;
	uint64_t key;
	uint32_t at;
	struct step *s;

	if (groups_hold(&c->description->skip, candidate_leaf, c))
		return;
	if (c->description->turns) {
		turns_add(l, c, end, value_scope(l), flags);
		return;
	}
	key = names->count ? candidate_key_of(c, names) : 0;
	at = key ? idmap_find(&m->by_key, key) : MAP_NONE;
	r = at == MAP_NONE ? NULL : &m->records[at];
	if (r && merge_into(l, r, c, end, flags))
		return;
	loader_add(l, value_scope(l), c->start, end)->flags |= flags;
	candidate_facts(c);
	s = trace_last(l->trace);
	/* a step in a step whose parent the file does not name is a child of that one */
	if (c->child && !s->parent_key)
		s->parent_key = loader_place_id(l, c[-1].start);
	if (c->holds_steps)
		trace_add_id(l->trace, loader_place_id(l, c->start));
	/* a figure that grows from step to step becomes what it grew by */
	for (int i = 0; c->description->cumulative && i < STEP_SUMS; i++)
		if (!isnan(s->figures[i]))
			s->figures[i] = growth(&cumulative[i], s->figures[i]);
	if (key && m->count != MAP_NONE - 1) { /* it may get more from records to come */
		if (!r) {
			idmap_add(&m->by_key, key, (uint32_t)m->count);
			r = MEM_ADD(m->records, m->count, m->cap);
		}
		*r = (struct merged_record){l->base + c->start,
			(uint32_t)(l->trace->count - 1), candidate_end(c)};
	}
	loader_step_added(l);
}

void described_value(struct loader *l, const struct scan_item *item)
{
	struct described *r = &l->described;
	enum container_role role = l->roles[item->depth];
	struct str key;
	uint16_t to;

	if (role == IN_PAIR) { /* a member of a pair of key and value */
		key = loader_key(l, item);
		if (str_equal(key, STR("value")) || str_equal(key, STR("Value"))) {
			r->value = *item;
		} else if ((str_equal(key, STR("key")) || str_equal(key, STR("Key"))) &&
			   item->kind == J_STRING) {
			buf_clear(&r->attribute);
			jv_decode(jv_parse(loader_fetch(
					  l, item->start, item->end - item->start)),
				&r->attribute);
		}
		return;
	}
	if (role == IN_LIST) { /* a pair of key and value ended */
		if (!r->attribute.len || r->value.kind == J_NONE ||
			r->value.end - r->value.start > PAIR_MOST)
			return;
		to = trie_attribute(&r->active->trie, r->nodes[item->depth],
			buf_view(&r->attribute));
		if (to != NODE_NONE)
			put_attribute(l, to, &r->value);
		return;
	}
	to = described_node(l, loader_candidate(l), item);
	if (to == NODE_NONE)
		return;
	if (!is_step_node(l, item, to)) {
		if (r->active->trie.nodes[r->nodes[item->depth]].carrier &&
			item->kind == J_STRING && item->end - item->start >= 6 &&
			item->end - item->start <= PAIR_MOST)
			put_attribute(l, to, item);
		else
			described_put(l, loader_candidate(l), to, item);
		return;
	}
	r->items += !r->active->trie.nodes[r->nodes[item->depth]].children;
	if (l->level > 1 && loader_candidate(l)->start == item->start) {
		described_end_step(l, item->end, 0);
		l->level--;
	} else {
		loader_add_bare(l, value_scope(l), item->start, item->end, STEP_STRANGER);
	}
}

/* ---- the value ---- */

/* The value that carries steps as a step around them, if it has a figure that none of them
 * has, or its format says so. */
static void add_run(struct loader *l, uint64_t end)
{
	struct candidate *c = &l->candidates[0];
	struct trace *trace = l->trace;
	uint32_t scope = value_scope(l);
	uint64_t id = loader_place_id(l, c->start);
	struct step run = {.scope = 0}, s;
	bool input, output, cost, own;

	c->description = l->described.active;
	c->run = true;
	candidate_lift(c, c->start, &run);
	input = isnan(run.input_tokens);
	output = isnan(run.output_tokens);
	cost = isnan(run.cost);
	for (size_t step = c->first_step; step < trace->count; step++) {
		s = trace_step(trace, step);
		input |= s.scope == scope && !isnan(s.input_tokens);
		output |= s.scope == scope && !isnan(s.output_tokens);
		cost |= s.scope == scope && !isnan(s.cost);
	}
	own = !input || !output || !cost ||
	      groups_hold(&c->description->run_when, candidate_leaf, c);
	for (size_t step = c->first_step; step < trace->count; step++) {
		s = trace_step(trace, step);
		if (s.scope != scope)
			continue;
		if (own && !s.parent_key)
			s.parent_key = id;
		/* calls of which none names a model are of the run's */
		if (s.model == NO_TEXT && (s.flags & STEP_CALL))
			s.model = run.model;
		trace_put(trace, step, &s);
	}
	if (!own)
		return;
	loader_add(l, scope, c->start, end);
	candidate_facts(c);
	trace_add_id(trace, id);
	trace_renest(trace);
	loader_step_added(l);
}

/* What the value that carries steps says of all of them; `end`: of the value, 0: unknown.
 */
void described_scope(struct loader *l, uint64_t end)
{
	struct candidate *c = &l->candidates[0];
	const struct description *d = l->described.active;
	uint32_t scope;
	struct scope *s;

	if ((d->lines || d->value) && !l->described.items)
		return;
	scope = value_scope(l); /* it may move the others */
	s = &l->trace->scopes[scope];
	s->trace_id = candidate_text(c, &d->trace_id);
	s->name = candidate_text(c, &d->trace_name);
	s->shared = candidate_shared(c, d->shared);
	if (d->has_run && end && l->trace->count > c->first_step)
		add_run(l, end);
}

void described_end(struct loader *l, uint64_t end, uint32_t flags)
{
	const struct description *d = l->described.active;

	l->level = 1;
	if ((d->lines || d->value) && !l->described.items)
		described_end_step(l, end, flags);
	else
		described_scope(l, end);
	l->last_scope = value_scope(l);
	if (!l->first_format)
		l->first_format = &d->format;
}
