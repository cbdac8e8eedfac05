/*
 * The loader (see load.h) is a consumer of the structural scan.  Each container that the
 * scan is asked to look into has a role; what ends inside it is a fact of a step, a step,
 * or a whole value, by that role.
 *
 * What a value is can be certain only at its end, but its steps are wanted at once: so
 * the loader goes into the first array that may carry steps, and when the end (or a
 * better array) says otherwise, forgets those steps and reads the value again, told where
 * they are.
 */
#include "config.h"
#include "format/load.h"

#include <math.h>

#include "base/clock.h"
#include "base/mem.h"
#include "chat/extract.h"
#include "format/candidate.h"
#include "format/peek.h"
#include "format/plan.h"
#include "format/resync.h"
#include "json/scan.h"

#define WINDOW (256u * 1024)

enum role {
	AT_TOP,     /* between top-level values */
	IN_OBJECT,  /* an object that may be a step or carry steps */
	IN_ITEMS,   /* an array of steps */
	IN_ROW,     /* an array that is a step */
	IN_PROPS,   /* `properties` of an object */
	IN_META,    /* `metadata` of an object */
	IN_COLUMNS, /* the names of the columns of rows */
};

#define NESTING                                                                          \
	3 /* candidates within candidates: a file object, a trace in it, a step in that  \
	   */

struct loader {
	struct model *model;
	struct source *source;
	const struct format *forced;
	struct scan scan;
	enum role roles[SCAN_DEPTH + 1];
	struct candidate candidates[NESTING];
	unsigned level; /* candidates in use */
	struct again {  /* how to read a value whose first reading was wrong */
		bool wanted, active;
		uint64_t at;
		enum carrier carrier;
		struct columns *columns;
	} again;
	struct hold { /* what a stream still brings decides how to go on: from where */
		bool wanted;
		uint64_t at;
		unsigned depth;
	} hold;
	bool starved;  /* the question just asked needs bytes that are still to come */
	uint64_t want; /* size of the source before which there is no use in going on */
	struct resync resync;
	bool resyncing, resynced;
	struct columns_list {
		struct columns **items;
		size_t count, cap;
	} columns;    /* all that scopes of the model refer to */
	char *window; /* bytes [window_at, window_at + window_len) */
	uint64_t window_at;
	size_t window_len;
	struct buf scratch;
	uint64_t next;             /* offset of the byte to feed next */
	uint64_t values, last_end; /* top-level values so far; where the last ended */
	struct line_begin {        /* of the line on which the last value began */
		uint64_t at;
		size_t steps;
		bool scalar; /* its first value is no container: perhaps no JSON at all */
		bool junk_only; /* so far */
	} line;
	bool lines, not_lines; /* known to be a file of lines; known to be none */
	bool junk_only;
	bool first_maybe_event; /* the first value is an event, should more values follow
				 */
	uint64_t junk_lines;
	const struct format *first_format;
	struct load_note *notes;
	size_t note_count, note_cap;
	uint64_t arrange_us,
		arranged_at; /* what the last arrangement cost, and when it was */
	bool done;
	const char *empty; /* why there is no value at all */
};

static bool on_open(void *ctx, const struct scan_item *item);
static void on_value(void *ctx, const struct scan_item *item);
static bool on_newline(void *ctx, uint64_t offset);

static const struct scan_ops document_ops = {.open = on_open, .value = on_value};
static const struct scan_ops line_ops = {
	.open = on_open, .value = on_value, .newline = on_newline};

struct loader *load_begin(struct model *model, const struct format *forced)
{
	struct loader *l = mem_zalloc(1, sizeof(*l));

	l->model = model;
	l->source = model->source;
	l->forced = forced;
	l->window = mem_alloc(WINDOW);
	l->junk_only = true;
	l->lines = forced == &format_json_lines;
	model_add_scope(model, 0);
	scan_begin(&l->scan, l->lines ? &line_ops : &document_ops, l, 0);
	return l;
}

void load_free(struct loader *l)
{
	if (!l)
		return;
	for (size_t i = 0; i < l->columns.count; i++)
		columns_free(l->columns.items[i]);
	mem_free(l->columns.items);
	buf_done(&l->scratch);
	resync_done(&l->resync);
	mem_free(l->window);
	mem_free(l->notes);
	mem_free(l);
}

uint64_t load_progress(const struct loader *l)
{
	return l->next;
}

const struct load_note *load_notes(const struct loader *l, size_t *count)
{
	*count = l->note_count;
	return l->notes;
}

static void note(struct loader *l, uint64_t offset, const char *text)
{
	l->notes = mem_grow(l->notes, &l->note_cap, l->note_count + 1, sizeof(*l->notes));
	l->notes[l->note_count++] = (struct load_note){offset, text};
}

/* Bytes of the source: those in the window without a copy, else valid until the next
 * call. */
static struct str fetch(struct loader *l, uint64_t at, uint64_t n)
{
	if (at >= l->window_at && at + n <= l->window_at + l->window_len)
		return (struct str){l->window + (at - l->window_at), (size_t)n};
	buf_clear(&l->scratch);
	buf_reserve(&l->scratch, (size_t)n);
	l->scratch.len = source_read(l->source, at, l->scratch.data, (size_t)n);
	return buf_view(&l->scratch);
}

/* Whether bytes up to `end` are there or will never be; sets `starved` if not. */
static bool at_hand(struct loader *l, uint64_t end)
{
	if (end <= source_size(l->source) || source_complete(l->source))
		return true;
	l->starved = true;
	return false;
}

/* Goes on when the source has grown by a quarter of what was looked at in vain. */
static void wait_for_more(struct loader *l, uint64_t from)
{
	uint64_t size = source_size(l->source);

	l->want = size + 1 + (size > from ? (size - from) / 4 : 0);
	l->starved = false;
}

/* The bytes at `at`, as many as are near; none at the end. */
static struct str bytes_at(struct loader *l, uint64_t at)
{
	if (at >= l->window_at && at < l->window_at + l->window_len)
		return (struct str){l->window + (at - l->window_at),
			(size_t)(l->window_at + l->window_len - at)};
	return fetch(l, at, 16384);
}

static struct candidate *candidate(struct loader *l)
{
	return l->level ? &l->candidates[l->level - 1] : NULL;
}

/* Forgets the steps of the value that is being read. */
static void forget_value(struct loader *l)
{
	const struct candidate *c = &l->candidates[0];

	if (!l->level)
		return;
	model_truncate(l->model, c->first_step, c->first_scope);
	l->note_count = c->first_note;
	l->level = 0;
}

static struct columns *keep_columns(struct loader *l, struct columns *c)
{
	l->columns.items = mem_grow(l->columns.items, &l->columns.cap,
		l->columns.count + 1, sizeof(*l->columns.items));
	l->columns.items[l->columns.count++] = c;
	return c;
}

/* Reads the value at the outermost candidate again, its steps being elsewhere. */
static void read_again(struct loader *l, enum carrier carrier, struct columns *columns)
{
	l->again = (struct again){.wanted = true,
		.at = l->candidates[0].start,
		.carrier = carrier,
		.columns = columns};
	forget_value(l);
	scan_halt(&l->scan);
}

/* ---- steps ---- */

static void step_added(struct loader *l)
{
	model_append(l->model);
	l->junk_only = false;
}

static struct step *add_step(
	struct loader *l, uint32_t scope, uint64_t start, uint64_t end)
{
	return model_add(l->model, scope, start, end > start ? end - start : 0);
}

/* A step whose value is no object that could hold facts. */
static void add_bare(
	struct loader *l, uint32_t scope, uint64_t start, uint64_t end, uint32_t flags)
{
	add_step(l, scope, start, end)->flags |= flags | STEP_BARE;
	step_added(l);
}

static void add_candidate(struct loader *l, struct candidate *c, uint32_t scope,
	uint64_t end, uint32_t flags)
{
	struct step *s = add_step(l, scope, c->start, end);

	s->flags |= flags;
	if (c->row && c->positions < columns_needed(c->columns))
		s->flags |= STEP_SHORT | STEP_BARE;
	else
		candidate_facts(c, l->model, l->source);
	step_added(l);
}

/* Text that is no JSON: from `start` on, up to `end`. */
static void add_broken(
	struct loader *l, uint32_t scope, uint64_t start, uint64_t end, uint32_t flag)
{
	add_step(l, scope, start, end)->flags |= flag | STEP_BARE | STEP_CHECKED;
	model_append(l->model);
}

/* ---- opening ---- */

static bool push(struct loader *l, const struct scan_item *item, enum role role)
{
	struct candidate *c;

	if (l->level == NESTING)
		return false;
	c = &l->candidates[l->level++];
	candidate_begin(c, item, l->model);
	c->first_note = l->note_count;
	c->row = role == IN_ROW;
	c->columns = l->level > 1 ? candidate(l)[-1].columns : NULL;
	l->roles[item->depth + 1] = role;
	return true;
}

static bool look(struct loader *l, const struct scan_item *item, enum role role)
{
	l->roles[item->depth + 1] = role;
	return true;
}

/* Steps of a chain object get a scope of their own. */
static bool accept(struct loader *l, const struct scan_item *item, enum carrier carrier)
{
	struct candidate *c = candidate(l);

	if (c->carrier != CARRIER_VALUE && c->first_step < l->model->count)
		return false;
	if (c->carrier == CARRIER_VALUE)
		c->scope = model_add_scope(l->model, c->start);
	c->carrier = carrier;
	candidate_scope(c, l->model, l->level > 1);
	l->model->scopes[c->scope].chain = carrier != CARRIER_ITEMS;
	if (l->level > 1)
		l->model->scopes[candidate(l)[-1].scope].chain = false;
	if (carrier == CARRIER_RESULTS && l->again.active && l->again.columns)
		c->columns = l->again.columns;
	l->model->scopes[c->scope].plan = c->columns;
	return look(l, item, IN_ITEMS);
}

/* Whether the steps of a value are looked for in this array, by what is known so far. */
static bool wants_carrier(
	const struct loader *l, const struct candidate *c, enum carrier carrier)
{
	enum items items = c->shape.carried[carrier].items;

	if (l->level == 1 && l->again.active)
		return l->again.carrier == carrier;
	if (l->level == 1 && l->forced && l->forced->carrier)
		return l->forced->carrier(&c->shape) == carrier;
	if (items == ITEMS_NONE)
		return false;
	if (carrier == CARRIER_RESULTS)
		return l->level == 1 &&
		       (items == ITEMS_ROWS || items == ITEMS_EVENTS || c->shape.named);
	if (carrier == CARRIER_CHAIN_EVENTS && c->shape.carried[CARRIER_EVENTS].present)
		return c->shape.carried[CARRIER_EVENTS].empty;
	return true;
}

static struct peek peek_of(const struct loader *l)
{
	return (struct peek){.source = l->source, .lines = l->lines};
}

/* What stands at `at` is not to be judged yet: the scan comes back there with more of the
 * stream. */
static bool hold(struct loader *l, uint64_t at, unsigned depth)
{
	l->hold = (struct hold){true, at, depth};
	scan_halt(&l->scan);
	return false;
}

static bool open_carrier(
	struct loader *l, const struct scan_item *item, enum carrier carrier)
{
	struct candidate *c = candidate(l);
	struct peek peek = peek_of(l);
	enum items items = peek_items(&peek, item->start, false);

	if (peek.starved)
		return hold(l, item->key - 1, item->depth);
	candidate_carried(c, carrier, J_ARRAY, items == ITEMS_NONE);
	c->shape.carried[carrier].items = items;
	return wants_carrier(l, c, carrier) && accept(l, item, carrier);
}

static bool open_member(struct loader *l, const struct scan_item *item)
{
	struct candidate *c = candidate(l);
	struct str key = fetch(l, item->key, item->key_end - item->key);
	enum carrier carrier = carrier_of_key(key);

	/* the items of an events array are steps, whatever they hold */
	if (carrier != CARRIER_VALUE && item->kind == J_ARRAY && c->may_carry)
		return open_carrier(l, item, carrier);
	if (item->kind == J_OBJECT && str_equal(key, STR("properties")))
		return look(l, item, IN_PROPS);
	if (item->kind == J_OBJECT && str_equal(key, STR("metadata")))
		return look(l, item, IN_META);
	if (item->kind == J_ARRAY && str_equal(key, STR("columns")) && l->level == 1) {
		c->found_columns = keep_columns(l, columns_new());
		return look(l, item, IN_COLUMNS);
	}
	return false;
}

static bool open_array(struct loader *l, const struct scan_item *item)
{
	struct candidate *c;
	struct peek peek = peek_of(l);
	bool forced_items = l->forced && l->forced->carrier == format_event_array.carrier;
	enum items items = peek_items(&peek, item->start, !forced_items);
	bool row = peek_row(&peek, item->start);

	if (peek.starved)
		return hold(l, item->start, 0);
	if (!push(l, item, IN_ROW))
		return false;
	c = candidate(l);
	c->shape.items = items;
	if (forced_items || (!l->forced && c->shape.items == ITEMS_EVENTS) ||
		(l->forced == &format_posthog_rows && c->shape.items == ITEMS_ROWS)) {
		c->row = false;
		return accept(l, item, CARRIER_ITEMS);
	}
	if ((!l->forced || l->forced == &format_posthog_rows) && row)
		return true;
	c->row = false;
	return false; /* the value itself is the step; on_value ends the candidate */
}

static bool on_open(void *ctx, const struct scan_item *item)
{
	struct loader *l = ctx;

	switch (l->roles[item->depth]) {
	case AT_TOP:
		if (item->kind == J_ARRAY)
			return open_array(l, item);
		if (!push(l, item, IN_OBJECT))
			return false;
		candidate(l)->may_carry = true;
		return true;
	case IN_OBJECT:
		return open_member(l, item);
	case IN_ITEMS: {
		struct candidate *holder = candidate(l);
		bool rows = holder->carrier == CARRIER_RESULTS ||
			    l->forced == &format_posthog_rows;

		if (item->kind == J_ARRAY)
			return rows && push(l, item, IN_ROW);
		if (!push(l, item, IN_OBJECT))
			return false;
		candidate(l)->may_carry = holder->carrier == CARRIER_RESULTS;
		return true;
	}
	case IN_ROW:
	case IN_PROPS:
	case IN_META:
	case IN_COLUMNS:
		break;
	}
	return false;
}

/* ---- ends ---- */

static void put_slot(struct loader *l, const struct scan_item *item, int field)
{
	struct slots *slots = &candidate(l)->slots;
	uint64_t n = item->end - item->start;

	if (n <= SLOT_TEXT)
		slots_put(
			slots, field, jv_parse(fetch(l, item->start, n)), item->start, n);
	else
		slots_put(slots, field, (struct jv){.kind = item->kind}, item->start, n);
}

static bool is_empty(struct loader *l, const struct scan_item *item)
{
	uint64_t n = item->end - item->start;

	return n <= SLOT_TEXT && jv_empty(jv_parse(fetch(l, item->start, n)));
}

static void put_fact(
	struct loader *l, const struct scan_item *item, enum field_parent parent)
{
	struct candidate *c = candidate(l);
	struct str key = fetch(l, item->key, item->key_end - item->key);
	struct buf decoded = BUF_INIT;
	enum carrier carrier;
	int field;

	if (memchr(key.p, '\\', key.n)) {
		struct str quoted =
			fetch(l, item->key - 1, item->key_end - item->key + 2);

		jv_decode(jv_parse(quoted), &decoded);
		key = buf_view(&decoded);
	}
	field = field_find(parent, key);
	carrier = parent == IN_EVENT ? carrier_of_key(key) : CARRIER_VALUE;
	candidate_key(c, parent, key);
	buf_done(&decoded);
	if (carrier != CARRIER_VALUE && item->kind != J_ARRAY)
		candidate_carried(c, carrier, item->kind, is_empty(l, item));
	if (field >= 0)
		put_slot(l, item, field);
}

static void put_position(struct loader *l, const struct scan_item *item)
{
	struct candidate *c = candidate(l);
	int field = columns_field(c->columns, item->index);

	c->positions = (size_t)item->index + 1;
	if (field >= 0)
		put_slot(l, item, field);
}

static void put_column(struct loader *l, const struct scan_item *item)
{
	struct candidate *c = candidate(l);
	struct buf name = BUF_INIT;

	jv_text(jv_parse(fetch(l, item->start, item->end - item->start)), &name);
	columns_add(c->found_columns, buf_view(&name));
	if (c->carrier == CARRIER_VALUE) /* no row was read yet */
		c->columns = c->found_columns;
	buf_done(&name);
}

/* A chain without a step is still a chain. */
static void add_empty_chain(struct loader *l, struct candidate *c, bool trace)
{
	c->scope = model_add_scope(l->model, c->start);
	l->model->scopes[c->scope].chain = true;
	candidate_scope(c, l->model, trace);
	l->junk_only = false;
}

/* An item of an array of steps ended. */
static void end_item(struct loader *l, const struct scan_item *item)
{
	struct candidate *c = candidate(l);
	bool own = c->start == item->start && l->level > 1;
	uint32_t scope = own ? candidate(l)[-1].scope : c->scope;

	if (!own) {
		add_bare(l, scope, item->start, item->end, STEP_STRANGER);
		return;
	}
	if (c->carrier != CARRIER_VALUE)
		candidate_scope(c, l->model, true);
	else if (c->may_carry && c->shape.carried[CARRIER_EVENTS].kind == J_ARRAY)
		add_empty_chain(l, c, true);
	else
		add_candidate(l, c, scope, item->end, c->row ? STEP_ROW : 0);
	l->level--;
}

/* For a value whose end is not there yet. */
static bool has_chat_unknown(void *ctx)
{
	(void)ctx;
	return false;
}

static bool value_has_chat(void *ctx)
{
	struct candidate *c = ctx;
	struct chat chat = {0};
	struct buf text = BUF_INIT;
	bool found;

	buf_reserve(&text, (size_t)(c->end - c->start));
	text.len =
		source_read(c->source, c->start, text.data, (size_t)(c->end - c->start));
	found = chat_extract(jv_parse(buf_view(&text)), PREFER_NONE, &chat);
	chat_done(&chat);
	buf_done(&text);
	return found;
}

/* An object of a file of lines that is an event, whether it holds a conversation or not.
 */
static bool is_event_line(const struct loader *l, const struct candidate *c)
{
	for (int i = CARRIER_RESULTS; i < CARRIER_COUNT; i++)
		if (c->shape.carried[i].present)
			return false;
	return c->shape.kind == J_OBJECT && c->shape.event_key && l->lines &&
	       !(l->forced && l->forced->carrier);
}

/* A value that carries no steps is one. */
static void add_value(
	struct loader *l, struct candidate *c, const struct format *format, uint64_t end)
{
	bool event = format == &format_single_event ||
		     (format == &format_posthog_rows && c->row) ||
		     (c->shape.kind == J_OBJECT && c->shape.event_key && l->lines &&
			     (!l->forced || !l->forced->carrier));

	if (event)
		add_candidate(l, c, 0, end, c->row ? STEP_ROW : 0);
	else
		add_bare(l, 0, c->start, end, 0);
	l->first_maybe_event |= !event && c->shape.kind == J_OBJECT && c->shape.event_key;
}

/* The format of a value whose end is reached; c->end is set. */
static const struct format *judge(struct loader *l, struct candidate *c)
{
	c->source = l->source;
	c->shape.has_chat = is_event_line(l, c) ? has_chat_unknown : value_has_chat;
	c->shape.ctx = c;
	c->shape.row = c->row && c->positions >= ROW_LENGTH;
	c->row = c->shape.row;
	return l->forced && l->forced->carrier ? l->forced : format_of(&c->shape);
}

static void end_value(struct loader *l, uint64_t end)
{
	struct candidate *c = candidate(l);
	const struct format *format;
	enum carrier carrier;

	c->end = end;
	format = judge(l, c);
	carrier = format->carrier(&c->shape);
	if (l->again.active)
		carrier = l->again.carrier;
	else if (carrier != c->carrier &&
		 (c->carrier != CARRIER_VALUE ||
			 c->shape.carried[carrier].items != ITEMS_NONE)) {
		read_again(l, carrier, c->found_columns);
		return;
	}
	if (carrier == CARRIER_RESULTS && !l->again.active && c->found_columns &&
		c->found_columns->count && c->columns != c->found_columns) {
		read_again(l, carrier, c->found_columns);
		return;
	}
	if (c->carrier != CARRIER_VALUE) {
		candidate_scope(c, l->model, false);
	} else if (c->shape.carried[carrier].kind == J_ARRAY) {
		add_empty_chain(l, c, false);
	} else {
		add_value(l, c, format, end);
	}
	if (!l->first_format)
		l->first_format = format;
	l->junk_only = false;
	l->again.active = false;
	l->level = 0;
	l->scan.ops = &line_ops; /* a second value would make it a file of lines */
}

static bool on_own_line(struct loader *l, uint64_t start)
{
	struct str between;

	if (!l->values)
		return true;
	if (start - l->last_end > WINDOW)
		return true;
	between = fetch(l, l->last_end, start - l->last_end);
	return memchr(between.p, '\n', between.n) != NULL;
}

/* The scan looks at the first letter of a word only. */
static bool is_value(struct loader *l, const struct scan_item *item)
{
	uint64_t n = item->end - item->start;

	if (item->kind == J_OBJECT || item->kind == J_ARRAY || item->kind == J_STRING)
		return true;
	return n < 4096 && jv_parse(fetch(l, item->start, n)).kind != J_BAD;
}

/* A BOM, at the start of the file or where files were joined, is white space. */
static bool is_bom(struct loader *l, const struct scan_item *item)
{
	return item->kind == J_BAD && item->end - item->start == 3 &&
	       str_equal(fetch(l, item->start, 3), STR("\xEF\xBB\xBF"));
}

/* Before a top-level value counts: is it a value, does it stand on a line of its own? */
static bool admit(struct loader *l, const struct scan_item *item)
{
	static const char junk[] = "expected a value",
			  behind[] = "expected the end of the text";
	bool own = on_own_line(l, item->start);

	if (own)
		l->line = (struct line_begin){item->start,
			l->level ? l->candidates[0].first_step : l->model->count,
			item->kind != J_OBJECT && item->kind != J_ARRAY, l->junk_only};
	if (own && is_value(l, item))
		return true;
	forget_value(l);
	l->scan.fault = own ? junk : behind;
	l->scan.fault_at = item->start;
	l->scan.status = SCAN_BROKEN;
	return false;
}

/* A second value on a line of its own: what the first one is may depend on that. */
static void become_lines(struct loader *l)
{
	l->lines = true;
	l->scan.ops = &line_ops;
	if (!l->first_maybe_event)
		return;
	model_truncate(l->model, 0, 1);
	l->values = l->last_end = l->note_count = l->level = 0;
	l->junk_only = true;
	l->again = (struct again){.wanted = true, .carrier = CARRIER_COUNT};
	l->scan.status = SCAN_HALTED;
}

static void end_top(struct loader *l, const struct scan_item *item)
{
	if (is_bom(l, item) || !admit(l, item))
		return;
	if (l->level == 0) {
		add_bare(l, 0, item->start, item->end, 0);
		l->scan.ops = &line_ops;
		if (!l->first_format)
			l->first_format = &format_json;
	} else {
		end_value(l, item->end);
	}
	if (l->scan.status != SCAN_RUNNING)
		return;
	l->last_end = item->end;
	if (++l->values >= 2 && !l->lines)
		become_lines(l);
}

static void on_value(void *ctx, const struct scan_item *item)
{
	struct loader *l = ctx;

	switch (l->roles[item->depth]) {
	case AT_TOP:
		end_top(l, item);
		break;
	case IN_OBJECT:
		put_fact(l, item, IN_EVENT);
		break;
	case IN_PROPS:
		put_fact(l, item, IN_PROPERTIES);
		break;
	case IN_META:
		put_fact(l, item, IN_METADATA);
		break;
	case IN_ROW:
		put_position(l, item);
		break;
	case IN_COLUMNS:
		put_column(l, item);
		break;
	case IN_ITEMS:
		end_item(l, item);
		break;
	}
}

static bool next_line_begins_value(struct loader *l, uint64_t newline)
{
	struct str next = bytes_at(l, newline + 1);

	return next.n && (*next.p == '{' || *next.p == '[');
}

/* A line feed inside a value of a file of lines: is the line cut, or is the value written
 * over several? */
static bool on_newline(void *ctx, uint64_t offset)
{
	return !next_line_begins_value(ctx, offset);
}

/* ---- recovery ---- */

/* The depth of the innermost array of steps that is open, or 0. */
static unsigned items_depth(const struct loader *l)
{
	for (unsigned d = l->scan.depth; d > 0; d--)
		if (l->roles[d] == IN_ITEMS)
			return d;
	return 0;
}

/* Where the value begins that is open below `depth`. */
static uint64_t open_start(const struct loader *l, unsigned depth, uint64_t otherwise)
{
	struct scan_item now = scan_unfinished(&l->scan);

	if (l->scan.depth > depth)
		return scan_inside(&l->scan, depth + 1)->start;
	return now.kind != J_NONE ? now.start : otherwise;
}

static void seek(struct loader *l, uint64_t at, unsigned depth)
{
	scan_seek(&l->scan, at, depth);
	l->next = at;
}

/* Gives up the candidates inside the array of steps at `depth`. */
static void leave_to(struct loader *l, unsigned depth)
{
	unsigned level = 0;

	for (unsigned d = 1; d <= depth; d++)
		level += l->roles[d] == IN_OBJECT || l->roles[d] == IN_ROW ||
			 (l->roles[d] == IN_ITEMS && d == 1);
	l->level = level;
}

/* Where the line of `at` ends: at its line feed, or at the end of the source. */
static uint64_t line_end(struct loader *l, uint64_t at)
{
	struct str s;

	while ((s = bytes_at(l, at)).n) {
		const char *end = memchr(s.p, '\n', s.n);

		if (end)
			return at + (uint64_t)(end - s.p);
		at += s.n;
	}
	at_hand(l, at + 1);
	return at;
}

/* The last byte before `end` that is no white space, or 0. */
static char last_byte(struct loader *l, uint64_t start, uint64_t end)
{
	uint64_t from = end - start > 256 ? end - 256 : start;
	struct str s = str_trim(fetch(l, from, end - from));

	return s.n ? s.p[s.n - 1] : '\0';
}

/* Several lines, of which the first is cut: the second is a value by itself. */
static bool looks_like_lines(struct loader *l, uint64_t start)
{
	struct peek peek = peek_of(l);
	uint64_t end = line_end(l, start);

	if (l->not_lines || !at_hand(l, end + 2) ||
		strchr("[:,", last_byte(l, start, end)))
		return false;
	if (peek_line_is_value(&peek, end + 1))
		return true;
	l->starved |= peek.starved;
	l->not_lines = !l->starved;
	return false;
}

/* The end of the line of the fault; of a value over several lines, that before the next
 * value's. */
static uint64_t broken_end(struct loader *l, uint64_t start, uint64_t fault)
{
	uint64_t end = line_end(l, start > fault ? start : fault);

	if (line_end(l, start) >= fault)
		return end;
	while (at_hand(l, end + 2) && end < source_size(l->source) &&
		!next_line_begins_value(l, end))
		end = line_end(l, end + 1);
	return end;
}

/* The whole file as one raw step: nothing in it was JSON. */
static void give_up(struct loader *l)
{
	model_truncate(l->model, 0, 1);
	add_broken(l, 0, 0, source_size(l->source), STEP_BROKEN);
	l->note_count = l->note_count ? 1 : 0;
	l->level = 0;
	l->done = true;
}

/* The broken line becomes a row; the scan goes on behind it. */
static void recover_line(struct loader *l, uint64_t start, uint64_t end)
{
	if (l->line.scalar && l->line.at < start && line_end(l, l->line.at) == end) {
		model_truncate(l->model, l->line.steps, SIZE_MAX);
		l->junk_only = l->line.junk_only;
		start = l->line.at;
	}
	note(l, l->scan.fault_at, l->scan.fault);
	add_broken(l, 0, start, end, STEP_BROKEN);
	l->level = 0;
	l->again.active = false;
	l->last_end = end;
	l->values++;
	l->junk_lines++;
	seek(l, end, 0);
}

/* Behind the last step that was read of the value at `start`. */
static uint64_t unread(const struct loader *l, uint64_t start)
{
	const struct model *m = l->model;
	const struct step *last = m->count ? &m->steps[m->count - 1] : NULL;

	return last && last->offset >= start ? last->offset + last->length : start;
}

static void start_resync(struct loader *l, unsigned depth)
{
	uint64_t start = open_start(l, depth, l->scan.fault_at), like = start, end;
	const struct step *first;
	char opener = '{';

	note(l, l->scan.fault_at, l->scan.fault);
	leave_to(l, depth);
	source_read(l->source, start, &opener, 1);
	end = l->scan.fault_at > start ? l->scan.fault_at : start;
	first = &l->model->steps[candidate(l)->first_step];
	if (l->model->count > candidate(l)->first_step &&
		first->scope == candidate(l)->scope &&
		!(first->flags & (STEP_STRANGER | STEP_BROKEN))) {
		like = first->offset;
		end = like + first->length;
	}
	resync_begin(&l->resync, l->source, start, depth, opener == '[' ? '[' : '{', like,
		end);
	l->resyncing = l->resynced = true;
}

static void finish_chain(struct loader *l)
{
	for (; l->level; l->level--)
		if (candidate(l)->carrier != CARRIER_VALUE)
			candidate_scope(candidate(l), l->model, l->level > 1);
	if (l->first_format)
		return;
	l->candidates[0].shape.has_chat = has_chat_unknown;
	l->first_format = format_of(&l->candidates[0].shape);
}

static void end_resync(struct loader *l)
{
	struct resync *r = &l->resync;

	l->resyncing = false;
	resync_done(r);
	add_broken(l, candidate(l)->scope, unread(l, r->start),
		r->found ? r->end : source_size(l->source), STEP_BROKEN);
	if (r->found) {
		seek(l, r->next, r->depth);
		return;
	}
	finish_chain(l);
	l->done = true;
}

/* A value that is neither lines nor steps is broken to the end of the file, behind the
 * steps it had. */
static void recover_rest(struct loader *l, uint64_t start)
{
	bool carried = l->level && l->candidates[0].carrier != CARRIER_VALUE;

	note(l, l->scan.fault_at, l->scan.fault);
	add_broken(l, carried ? l->candidates[0].scope : 0, unread(l, start),
		source_size(l->source), STEP_BROKEN);
	if (carried)
		finish_chain(l);
	if (!l->first_format)
		l->first_format = &format_json;
	l->level = 0;
	l->done = true;
}

/*
 * How to go on behind a fault.  What cannot be told before more of a stream is there is
 * asked again then: nothing is changed before all is known.
 */
static void recover(struct loader *l)
{
	unsigned depth = items_depth(l);
	uint64_t start = open_start(l, 0, l->scan.fault_at), end;
	bool inside = l->scan.depth || scan_unfinished(&l->scan).kind != J_NONE;
	bool first = !l->lines && !l->values && looks_like_lines(l, start);
	bool line =
		first || l->lines || (l->values && !l->resynced) || (!depth && !inside);

	end = first  ? line_end(l, start)
	      : line ? broken_end(l, start, l->scan.fault_at)
		     : 0;
	if (!line && !depth)
		at_hand(l, UINT64_MAX);
	if (l->junk_only && l->junk_lines >= 99 && line)
		at_hand(l, UINT64_MAX);
	if (l->starved) {
		wait_for_more(l, start);
		return;
	}
	if (first) {
		l->lines = true;
		l->scan.ops = &line_ops;
		l->scan.fault_at = end;
		l->scan.fault = "the line ends inside a value";
	}
	if (line) {
		forget_value(l);
		recover_line(l, start, end);
		if (l->junk_only && l->junk_lines >= 100)
			give_up(l);
	} else if (depth) {
		start_resync(l, depth);
	} else {
		recover_rest(l, start);
	}
}

/* What is there of the value that is open when its text ends is kept and marked. */
static void add_cut(struct loader *l, unsigned depth, uint64_t end)
{
	uint64_t start = open_start(l, depth, end);
	struct candidate *c = candidate(l);

	if (depth && l->level > 1 && c->start == start && c->carrier == CARRIER_VALUE) {
		add_candidate(
			l, c, c[-1].scope, end, STEP_CUT | (c->row ? STEP_ROW : 0u));
	} else if (depth && start < end) {
		if (unread(l, start) == start)
			add_bare(l, c->scope, start, end, STEP_CUT | STEP_STRANGER);
	} else if (!depth && c && c->carrier == CARRIER_VALUE) {
		const struct format *format;

		c->end = end;
		format = judge(l, c);
		add_value(l, c, format, end);
		l->model->steps[l->model->count - 1].flags |= STEP_CUT;
		if (!l->first_format)
			l->first_format = format;
	} else if (!depth && !c && start < end) {
		add_bare(l, 0, start, end, STEP_CUT);
	}
	finish_chain(l);
}

static void recover_cut(struct loader *l)
{
	unsigned depth = items_depth(l);
	uint64_t end = source_size(l->source), start = open_start(l, depth, end);

	if (!depth && !l->lines && !l->values && looks_like_lines(l, start)) {
		recover(l);
		return;
	}
	if (l->values && !l->lines && on_own_line(l, open_start(l, 0, end))) {
		become_lines(l);
		if (l->again.wanted)
			return;
	}
	note(l, end, "the file ends inside a value");
	add_cut(l, depth, end);
	l->values++;
	l->done = true;
}

/* A line ends inside a value, and on the next one another begins. */
static void recover_cut_line(struct loader *l)
{
	uint64_t end = l->scan.fault_at;

	if (!l->lines) {
		become_lines(l);
		if (l->again.wanted)
			return;
	}
	note(l, end, l->scan.fault);
	add_cut(l, items_depth(l), end);
	l->again.active = false;
	l->last_end = end;
	l->values++;
	seek(l, end, 0);
}

/* ---- the loop ---- */

static void finish(struct loader *l)
{
	if (scan_finish(&l->scan))
		l->done = true;
	else if (l->scan.status == SCAN_CUT && l->scan.fault_at >= source_size(l->source))
		recover_cut(l);
}

/* Windows exports: named, for nobody would guess it from the faults. */
static const char *encoding(struct str head)
{
	bool marked =
		str_starts(head, STR("\xFF\xFE")) || str_starts(head, STR("\xFE\xFF"));

	if (marked || (head.n > 1 && !head.p[0] != !head.p[1]))
		return "this is UTF-16; convert it to UTF-8 first (iconv)";
	return NULL;
}

static void refuse(struct loader *l, const char *why)
{
	if (!at_hand(l, UINT64_MAX)) {
		wait_for_more(l, 0);
		return;
	}
	note(l, 0, why);
	give_up(l);
}

/*
 * The bytes to feed next: the rest of the window, or a new one.  A line feed at the end
 * of what a stream has is held back, for on_newline looks at the byte behind it.
 */
static struct str next_bytes(struct loader *l)
{
	struct str s;

	if (l->next < l->window_at || l->next >= l->window_at + l->window_len) {
		l->window_at = l->next;
		l->window_len = source_read(l->source, l->next, l->window, WINDOW);
	}
	s.p = l->window + (l->next - l->window_at);
	s.n = (size_t)(l->window_at + l->window_len - l->next);
	if (s.n && s.p[s.n - 1] == '\n' && !at_hand(l, l->next + s.n + 1)) {
		s.n--;
		wait_for_more(l, l->next + s.n);
	}
	return s;
}

static void feed(struct loader *l)
{
	struct str s = next_bytes(l);
	const char *why = l->next || l->scan.at ? NULL : encoding(s);

	if (why) {
		refuse(l, why);
	} else if (s.n) {
		l->next += s.n;
		scan_feed(&l->scan, s.p, s.n);
	} else if (source_complete(l->source)) {
		finish(l);
	}
}

/* Feeds one window; whatever stopped the scan is dealt with. */
static void advance(struct loader *l)
{
	l->want = 0;
	if (l->scan.status == SCAN_RUNNING)
		feed(l);
	if (l->scan.status == SCAN_BROKEN && !l->done)
		recover(l);
	if (l->scan.status == SCAN_CUT && !l->done)
		recover_cut_line(l);
	if (l->scan.status != SCAN_HALTED)
		return;
	if (l->again.wanted) {
		l->again.wanted = false;
		l->again.active = l->again.carrier != CARRIER_COUNT;
		seek(l, l->again.at, 0);
	} else if (l->hold.wanted) {
		wait_for_more(l, l->hold.at);
		seek(l, l->hold.at, l->hold.depth);
	}
	l->hold.wanted = false;
}

static const struct format *file_format(const struct loader *l)
{
	if (l->forced)
		return l->forced;
	if (l->values > 1 && l->lines)
		return &format_json_lines;
	if (l->first_format)
		return l->first_format;
	return l->level ? format_of(&l->candidates[0].shape) : NULL;
}

static void conclude(struct loader *l)
{
	const struct format *f;

	if (l->junk_only && l->model->count && (l->model->steps[0].flags & STEP_BROKEN) &&
		l->model->count > 1)
		give_up(l);
	if (!l->model->count && l->junk_only)
		l->empty = source_size(l->source) ? "holds nothing but white space"
						  : "is empty";
	f = file_format(l);
	l->model->format = f ? f->name : format_json.name;
	model_arrange(l->model);
	model_totals(l->model);
}

/*
 * The arrangement is renewed when the steps have doubled, so that the sum of all is
 * linear; when there is nothing else to do, also when the last one was cheap beside the
 * time since.
 */
static void arrange_now_and_then(struct loader *l, bool idle)
{
	struct model *m = l->model;
	uint64_t now = clock_us();

	if (l->level)
		l->candidates[0].shape.has_chat = has_chat_unknown;
	if (!m->format && file_format(l))
		m->format = file_format(l)->name;
	if (!model_unarranged(m))
		return;
	if (m->count < 2 * m->arranged &&
		!(idle && now - l->arranged_at > 20 * l->arrange_us))
		return;
	model_arrange(m);
	l->arranged_at = clock_us();
	l->arrange_us = l->arranged_at - now;
}

/* Whether there is nothing to do before a stream has more. */
static bool must_wait(const struct loader *l)
{
	uint64_t size = source_size(l->source);

	if (source_complete(l->source))
		return false;
	if (l->resyncing)
		return resync_waits(&l->resync);
	return size < l->want || size < 4 ||
	       (l->scan.status == SCAN_RUNNING && l->next >= size);
}

enum load_status load_step(struct loader *l, uint64_t deadline, size_t enough)
{
	while (!l->done) {
		if (must_wait(l)) {
			arrange_now_and_then(l, true);
			return LOAD_WAIT;
		}
		if (!l->resyncing)
			advance(l);
		else if (resync_step(&l->resync))
			end_resync(l);
		if (l->done)
			conclude(l);
		else if (clock_passed(deadline) || l->model->count >= enough) {
			arrange_now_and_then(l, false);
			return LOAD_MORE;
		}
	}
	return LOAD_DONE;
}

bool load_unreadable(const struct loader *l, struct err *err)
{
	const struct model *m = l->model;

	if (!l->done)
		return false;
	if (l->empty) {
		err_source(err, source_name(l->source));
		err_set(err, "%s", l->empty);
		return true;
	}
	for (size_t i = 0; i < m->count; i++)
		if (!(m->steps[i].flags & STEP_BROKEN))
			return false;
	if (!m->count)
		return false;
	err_source(err, source_name(l->source));
	if (l->note_count)
		err_at(err, l->notes[0].offset, "is no JSON: %s", l->notes[0].text);
	else
		err_at(err, 0, "is no JSON");
	source_place(l->source, err->offset, &err->line, &err->column);
	return true;
}

enum load_status load_all(struct loader *l, struct err *err)
{
	enum load_status status;

	while ((status = load_step(l, UINT64_MAX, SIZE_MAX)) != LOAD_DONE)
		if (status == LOAD_WAIT && !source_wait(l->source, err))
			return LOAD_MORE;
	return LOAD_DONE;
}
