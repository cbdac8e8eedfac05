/*
 * The consumer of the structural scan.  Each container that the scan is asked to
 * enter has a role; what ends inside it is a fact of a step, a step, or a whole value, by
 * that role.
 *
 * What a value is can be certain only at its end, but its steps are wanted at once: so
 * the loader goes into the first array that may carry steps, and when the end (or a
 * better array) says otherwise, forgets those steps and reads the value again, knowing
 * where they are.
 */
#include "config.h"
#include "import/loader.h"

#include "base/err.h"
#include "base/mem.h"
#include "import/stream.h"

#define BETWEEN_MOST (256u * 1024) /* bytes between two values that are looked at */

static bool on_open(void *ctx, const struct scan_item *item);
static void on_value(void *ctx, const struct scan_item *item);
static bool on_newline(void *ctx, uint64_t offset);

const struct scan_ops collect_document = {.open = on_open, .value = on_value};
const struct scan_ops collect_lines = {
	.open = on_open, .value = on_value, .newline = on_newline};

#define LATE_MOST (64u << 20) /* bytes of a list of events that is read as a whole */

/* ---- opening ---- */

bool loader_push(struct loader *l, const struct scan_item *item, enum container_role role)
{
	struct candidate *c;

	if (l->level == NESTING)
		return false;
	c = &l->candidates[l->level++];
	if (l->level > l->made) {
		memset(c, 0, sizeof(*c));
		l->made = l->level;
	}
	candidate_begin(c, item, l);
	c->description = l->described.active ? l->described.active : known_events();
	c->scope = l->scope;
	c->first_note = l->note_count;
	c->row = role == IN_ROW;
	c->columns = l->level > 1 ? loader_candidate(l)[-1].columns : NULL;
	l->roles[item->depth + 1] = role;
	l->described.nodes[item->depth + 1] = TRIE_ROOT;
	return true;
}

static bool enter(
	struct loader *l, const struct scan_item *item, enum container_role role)
{
	l->roles[item->depth + 1] = role;
	return true;
}

/* Steps of a chain object get a scope of their own. */
static bool accept(struct loader *l, const struct scan_item *item, enum carrier carrier)
{
	struct candidate *c = loader_candidate(l);

	if (c->carrier != CARRIER_VALUE && c->first_step < l->trace->count)
		return false;
	if (c->carrier == CARRIER_VALUE)
		c->scope = loader_add_scope(l, c->start);
	c->carrier = carrier;
	candidate_scope(c, l->level > 1);
	l->trace->scopes[c->scope].chain = carrier != CARRIER_ITEMS;
	if (l->level > 1)
		l->trace->scopes[loader_candidate(l)[-1].scope].chain = false;
	if (carrier == CARRIER_RESULTS && l->again.active && l->again.columns)
		c->columns = l->again.columns;
	l->trace->scopes[c->scope].plan = c->columns;
	return enter(l, item, IN_ITEMS);
}

/* Whether the steps of a value are looked for in this array, by what is known so far. */
static bool wants_carrier(
	const struct loader *l, const struct candidate *c, enum carrier carrier)
{
	enum item_kind items = c->shape.carried[carrier].items;

	if (l->level == 1 && l->again.active)
		return l->again.carrier == carrier;
	if (l->level == 1 && l->forced && !l->forced->whole)
		return format_carrier(l->forced, &c->shape) == carrier;
	if (items == ITEMS_NONE)
		return false;
	if (carrier == CARRIER_RESULTS)
		return l->level == 1 &&
		       (items == ITEMS_ROWS || items == ITEMS_EVENTS || c->shape.signs & SIGN_NAMED);
	if (carrier == CARRIER_CHAIN_EVENTS && c->shape.carried[CARRIER_EVENTS].present)
		return c->shape.carried[CARRIER_EVENTS].empty;
	return true;
}

/* The value at `at` cannot be judged yet: the scan returns to it when more of the stream
 * is there. */
static bool wait_at(struct loader *l, uint64_t at, unsigned depth)
{
	l->pause = (struct pause){true, at, depth};
	scan_halt(&l->scan);
	return false;
}

/* Goes into an object in which an event has facts; the event itself may be a cell. */
static bool enter_node(struct loader *l, const struct scan_item *item, uint16_t node)
{
	l->described.nodes[item->depth + 1] = node;
	return node != NODE_NONE && known_events()->trie.nodes[node].inner &&
	       enter(l, item, node == TRIE_ROOT ? IN_OBJECT : IN_PATH);
}

static bool open_member(struct loader *l, const struct scan_item *item)
{
	struct candidate *c = loader_candidate(l);
	struct str key = loader_key(l, item);
	enum carrier carrier = carrier_of_key(key);

	/* the items of an events array are steps, whatever they hold */
	if (carrier != CARRIER_VALUE && item->kind == J_ARRAY && c->may_carry) {
		enum item_kind items = peek_items(l, item->start, false, NULL);

		if (l->starved)
			return wait_at(l, item->key - 1, item->depth);
		c->shape.carried[carrier] =
			(struct carried){true, J_ARRAY, items == ITEMS_NONE, items};
		return wants_carrier(l, c, carrier) && accept(l, item, carrier);
	}
	if (item->kind == J_OBJECT)
		return enter_node(l, item, described_node(l, c, item));
	if (item->kind == J_ARRAY && str_equal(key, STR("columns")) && l->level == 1) {
		c->found_columns = mem_zalloc(1, sizeof(*c->found_columns));
		*MEM_ADD(l->columns->items, l->columns->count, l->columns->cap) =
			c->found_columns;
		return enter(l, item, IN_COLUMNS);
	}
	return false;
}

static bool open_array(struct loader *l, const struct scan_item *item)
{
	struct candidate *c;
	bool forced_items = l->forced == &format_event_array, row = false;
	enum item_kind items = peek_items(l, item->start, !forced_items, &row);

	if (l->starved)
		return wait_at(l, item->start, 0);
	if (!loader_push(l, item, IN_ROW))
		return false;
	c = loader_candidate(l);
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

/* A top-level value that has a description, or must wait for one; false: it has none. */
static bool open_described(struct loader *l, const struct scan_item *item)
{
	switch (described_choose(l, item->start)) {
	case ANSWER_LATER:
		if (!l->again.wanted)
			wait_at(l, item->start, 0);
		return true;
	case ANSWER_YES:
		return loader_push(l, item, IN_OBJECT) && described_open(l, item);
	case ANSWER_NO:
		break;
	}
	return false;
}

static void end_boxed(struct loader *l, const struct scan_item *item)
{
	if (l->described.active) {
		described_end(l, item->end, 0);
		l->described.active = NULL;
		l->level = 0;
	} else if ((item->kind == J_OBJECT || item->kind == J_ARRAY) &&
		   item->start != l->described.inner) {
		loader_add_bare(l, l->scope, item->start, item->end, STEP_STRANGER);
	}
}

static bool on_open(void *ctx, const struct scan_item *item)
{
	struct loader *l = ctx;

	if (item->depth == 0 && l->again.active && l->again.box)
		return enter(l, item, IN_BOX);
	if (item->depth == 0 && open_described(l, item))
		return l->scan.status == SCAN_RUNNING;
	if (l->described.active)
		return described_open(l, item);
	switch (l->roles[item->depth]) {
	case IN_BOX: /* a document, another box, or a value of its own */
		if (described_boxed(l, item))
			return loader_push(l, item, IN_OBJECT) && described_open(l, item);
		return l->described.inner == item->start && enter(l, item, IN_BOX);
	case AT_TOP:
		if (item->kind == J_ARRAY)
			return open_array(l, item);
		if (!loader_push(l, item, IN_OBJECT))
			return false;
		loader_candidate(l)->may_carry = true;
		return true;
	case IN_OBJECT:
		return open_member(l, item);
	case IN_ITEMS: {
		struct candidate *holder = loader_candidate(l);
		bool rows = holder->carrier == CARRIER_RESULTS ||
			    l->forced == &format_posthog_rows;

		if (item->kind == J_ARRAY)
			return rows && loader_push(l, item, IN_ROW);
		if (!loader_push(l, item, IN_OBJECT))
			return false;
		loader_candidate(l)->may_carry = holder->carrier == CARRIER_RESULTS;
		return true;
	}
	case IN_ROW: /* a cell may hold an object of facts */
		return item->kind == J_OBJECT &&
		       enter_node(l, item,
			       columns_node(loader_candidate(l)->columns, item->index));
	case IN_COLUMNS:
	case IN_PATH:
	case IN_LIST:
	case IN_PAIR:
		break;
	}
	return false;
}

/* ---- ends ---- */

/* Whether a member is as the events of streams have it. */
static bool is_stream_sign(struct loader *l, const struct scan_item *item)
{
	size_t n = (size_t)(item->end - item->start);
	struct jv value = {.kind = item->kind};
	char text[SLOT_TEXT];
	struct str read, key;

	if (item->kind == J_STRING && n > SLOT_TEXT)
		return false;
	if (item->kind == J_STRING) { /* the key takes its place in the loader */
		read = loader_fetch(l, item->start, n);
		memcpy(text, read.p, read.n);
		value = jv_parse((struct str){text, read.n});
	}
	key = loader_key(l, item);
	return chunk_is_sign(key, value) ||
	       (str_equal(key, STR("type")) && stream_is_type(jv_plain(value)));
}

static void put_member(struct loader *l, const struct scan_item *item)
{
	struct candidate *c = loader_candidate(l);
	uint16_t node = described_node(l, c, item);
	uint64_t n = item->end - item->start;

	if (c->may_carry) { /* what it says of the value */
		struct str key = loader_key(l, item);
		enum carrier carrier = carrier_of_key(key);
		unsigned signs =
			node == NODE_NONE ? 0 : c->description->trie.nodes[node].signs;

		if (signs & SIGN_STREAM && (l->level > 1 || !is_stream_sign(l, item)))
			signs &= ~(unsigned)SIGN_STREAM;
		if (item->kind != J_STRING)
			signs &= ~(unsigned)SIGN_MESSAGE;
		if (item->kind != J_OBJECT)
			signs &= ~(unsigned)SIGN_CONTEXT;
		if (item->kind != J_ARRAY)
			signs &= ~(unsigned)SIGN_HISTORY;
		c->shape.signs |= signs;
		if (carrier != CARRIER_VALUE && item->kind != J_ARRAY)
			c->shape.carried[carrier] = (struct carried){true, item->kind,
				n <= SLOT_TEXT &&
					jv_empty(jv_parse(loader_fetch(l, item->start, n))),
				ITEMS_NONE};
	}
	if (node != NODE_NONE)
		described_put(l, c, node, item);
}

/* A member of an object in an event. */
static void put_inner(struct loader *l, const struct scan_item *item)
{
	struct candidate *c = loader_candidate(l);
	const struct trie_node *n =
		&c->description->trie.nodes[l->described.nodes[item->depth]];
	uint16_t node = described_node(l, c, item);

	if (n->signs & SIGN_AI && !(c->shape.signs & SIGN_INPUT) &&
		str_starts(loader_key(l, item),
			STR("$ai_")))
		c->shape.signs |= SIGN_INPUT;
	if (node != NODE_NONE)
		described_put(l, c, node, item);
}

/* A chain without a step is still a chain. */
static void add_empty_chain(struct loader *l, struct candidate *c, bool trace)
{
	c->scope = loader_add_scope(l, c->start);
	l->trace->scopes[c->scope].chain = true;
	candidate_scope(c, trace);
	l->junk_only = false;
}

/* An item of an array of steps ended. */
static void end_item(struct loader *l, const struct scan_item *item)
{
	struct candidate *c = loader_candidate(l);
	bool own = c->start == item->start && l->level > 1;
	uint32_t scope = own ? loader_candidate(l)[-1].scope : c->scope;

	if (!own) {
		loader_add_bare(l, scope, item->start, item->end, STEP_STRANGER);
		return;
	}
	if (c->carrier != CARRIER_VALUE)
		candidate_scope(c, true);
	else if (c->may_carry && c->shape.carried[CARRIER_EVENTS].kind == J_ARRAY)
		add_empty_chain(l, c, true);
	else
		loader_add_candidate(l, c, scope, item->end, c->row ? STEP_ROW : 0);
	l->level--;
}

/* In a file of lines an object that has an event key is an event. */
static bool is_event_object(const struct loader *l, const struct candidate *c)
{
	return l->lines && c->shape.kind == J_OBJECT && c->shape.signs & SIGN_EVENT &&
	       !(l->forced && !l->forced->whole);
}

/* A value that carries no steps is one. */
void collect_add_value(
	struct loader *l, struct candidate *c, const struct format *format, uint64_t end)
{
	bool event = format == &format_single_event ||
		     (format == &format_posthog_rows && c->row) || is_event_object(l, c);

	/* when a format is forced, the value may still be none of it */
	if ((format == &format_chat_request || format == &format_chat_response) &&
		c->shape.kind == J_OBJECT && c->shape.signs & SIGN_MESSAGE) {
		struct step *s = loader_add(l, l->scope, c->start, end);

		s->flags |= format == &format_chat_request ? STEP_REQUEST : STEP_RESPONSE;
		candidate_facts(c);
		candidate_conversation(c);
		if (format == &format_chat_response)
			loader_answer(l->trace);
		if (s->event == NO_TEXT)
			s->event = intern_add(&l->trace->texts, str_of(format->name));
		loader_step_added(l);
		return;
	}
	if (event)
		loader_add_candidate(l, c, l->scope, end, c->row ? STEP_ROW : 0);
	else
		loader_add_bare(l, l->scope, c->start, end, 0);
	l->first_maybe_event |= !event && c->shape.kind == J_OBJECT && c->shape.signs & SIGN_EVENT;
}

/* The format of a value whose end is reached; c->end is set. */
const struct format *collect_judge(struct loader *l, struct candidate *c)
{
	bool line = is_event_object(l, c);

	/* an object of a file of lines that is an event, whether it holds a conversation
	 * or not */
	for (int i = CARRIER_RESULTS; i < CARRIER_COUNT; i++)
		line &= !c->shape.carried[i].present;
	c->shape.row = c->row && c->positions >= columns_needed(NULL);
	c->row = c->shape.row;
	return l->forced && !l->forced->whole ? l->forced : candidate_format(c, !line);
}

/* Reads the value at the outermost candidate again, its steps being elsewhere. */
static void read_again(
	struct loader *l, enum carrier carrier, struct position_plan *columns)
{
	l->again = (struct again){.wanted = true,
		.at = l->candidates[0].start,
		.carrier = carrier,
		.columns = columns};
	log_line("the value at byte %llu is read again", (unsigned long long)l->again.at);
	loader_forget_value(l);
	scan_halt(&l->scan);
}

/*
 * An object that is an event of a stream: the lines from there on are read as one.
 * A line that a stream refused is not tried again.
 */
static bool goes_to_stream(struct loader *l, struct candidate *c)
{
	enum answer answer;

	if (!(c->shape.signs & SIGN_STREAM) || c->start == l->stream.refused ||
		(l->forced && !l->forced->whole))
		return false;
	answer = stream_begins(l, c->start, c->end);
	if (answer == ANSWER_NO)
		return false;
	if (answer == ANSWER_LATER) {
		loader_forget_value(l);
		wait_at(l, c->start, 0);
		return true;
	}
	if (l->values && !l->lines)
		collect_become_lines(l);
	if (l->again.wanted)
		return true;
	loader_forget_value(l);
	scan_halt(&l->scan);
	stream_start(l, c->start, true);
	return true;
}

/* A top-level value is complete: the next may begin. */
static void end_reading(struct loader *l)
{
	l->junk_only = false;
	l->again.active = false;
	l->level = 0;
	l->described.active = NULL;
	l->scan.ops = &collect_lines; /* a second value would make it a file of lines */
}

/* A long value is recognized as a whole, where its head decided it, which may lack what
 * comes later, or decided nothing, and the format that was found says little: JSON, a
 * conversation somewhere in it, a list named `events`.  `format`: NULL where it has a
 * description; items of logs were joined to earlier ones by then. */
static bool is_described_late(
	struct loader *l, struct candidate *c, const struct format *format)
{
	const struct description *was = l->described.active, *d = NULL;
	bool box, chain = format == &format_chain_object;
	bool asked = was || l->described.unknown < UNKNOWN_MOST;
	AUTO_BUF text = BUF_INIT;
	struct jv value;

	if (was ? !l->described.probed || c->end - c->start <= PROBE || was->turns ||
			  was->merge.count
		: l->forced || l->again.active ||
			  (!chain && format != &format_json && format != &format_chat_value))
		return false;
	if ((was || chain) && c->end - c->start > LATE_MOST)
		return false;
	value = candidate_value(c, &text);
	if (asked && value.n > PROBE)
		d = known_recognize(value);
	d = d == was ? NULL : d;
	box = asked && !was && !d && !chain && described_is_box(value, BOX_DEEPEST);
	if (!d && !box)
		return false;
	read_again(l, CARRIER_VALUE, NULL);
	l->again.description = d;
	l->again.box = box;
	return true;
}

static void end_value(struct loader *l, uint64_t end)
{
	struct candidate *c = loader_candidate(l);
	const struct format *format;
	enum carrier carrier;

	c->end = end;
	if (l->described.active && is_described_late(l, c, NULL))
		return;
	if (l->described.active) {
		described_end(l, end, 0);
		end_reading(l);
		return;
	}
	if (goes_to_stream(l, c))
		return;
	format = collect_judge(l, c);
	if (is_described_late(l, c, format))
		return;
	carrier = format_carrier(format, &c->shape);
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
	l->last_scope = l->scope;
	if (c->carrier != CARRIER_VALUE) {
		candidate_scope(c, false);
		l->last_scope = c->scope;
	} else if (c->shape.carried[carrier].kind == J_ARRAY) {
		add_empty_chain(l, c, false);
	} else {
		collect_add_value(l, c, format, end);
	}
	if (!l->first_format)
		l->first_format = format;
	end_reading(l);
}

bool collect_on_own_line(struct loader *l, uint64_t start)
{
	struct str between;

	if (!l->values)
		return true;
	if (start - l->last_end > BETWEEN_MOST)
		return true;
	between = loader_fetch(l, l->last_end, start - l->last_end);
	return memchr(between.p, '\n', between.n) != NULL;
}

/* Before a top-level value counts: is it a value, does it stand on a line of its own? */
static bool admit(struct loader *l, const struct scan_item *item)
{
	static const char junk[] = "expected a value",
			  trailing[] = "expected the end of the text";
	bool own = collect_on_own_line(l, item->start);
	bool scalar = item->kind != J_OBJECT && item->kind != J_ARRAY;
	uint64_t n = item->end - item->start;

	if (own)
		l->line = (struct line_begin){item->start,
			l->level ? l->candidates[0].first_step : l->trace->count, scalar,
			l->junk_only};
	/* the scan looks at the first letter of a word only */
	if (own && (!scalar || item->kind == J_STRING ||
			   (n < 4096 && jv_parse(loader_fetch(l, item->start, n)).kind !=
						J_BAD)))
		return true;
	loader_forget_value(l);
	l->scan.fault = own ? junk : trailing;
	l->scan.fault_at = item->start;
	l->scan.status = SCAN_BROKEN;
	return false;
}

/* A second value on a line of its own: what the first one is may depend on that. */
void collect_become_lines(struct loader *l)
{
	l->lines = true;
	l->scan.ops = &collect_lines;
	if (l->first_maybe_event && !l->described.settled)
		loader_begin_again(l);
}

void loader_begin_again(struct loader *l)
{
	log_line("read again from the start: several values are on lines of their own");
	loader_truncate(l, l->first_step, l->scope + 1);
	l->values = l->last_end = l->note_count = l->level = 0;
	l->junk_only = true;
	l->again = (struct again){.wanted = true, .carrier = CARRIER_COUNT};
	l->scan.status = SCAN_HALTED;
}

static void end_top(struct loader *l, const struct scan_item *item)
{
	/* a BOM, at the start of the file or where files were joined, is white space */
	if (item->kind == J_BAD && item->end - item->start == 3 &&
		str_equal(loader_fetch(l, item->start, 3), STR("\xEF\xBB\xBF")))
		return;
	if (!admit(l, item))
		return;
	if (l->again.active && l->again.box) {
		end_reading(l);
	} else if (l->level == 0) {
		loader_add_bare(l, l->scope, item->start, item->end, 0);
		l->scan.ops = &collect_lines;
		if (!l->first_format)
			l->first_format = &format_json;
	} else {
		end_value(l, item->end);
	}
	if (l->scan.status != SCAN_RUNNING)
		return;
	l->last_end = item->end;
	if (++l->values >= 2 && !l->lines)
		collect_become_lines(l);
}

static void on_value(void *ctx, const struct scan_item *item)
{
	struct loader *l = ctx;
	struct candidate *c = loader_candidate(l);

	if (l->described.active && item->depth > l->described.base) {
		described_value(l, item);
		return;
	}
	switch (l->roles[item->depth]) {
	case AT_TOP:
		end_top(l, item);
		break;
	case IN_BOX:
		end_boxed(l, item);
		break;
	case IN_OBJECT:
		put_member(l, item);
		break;
	case IN_PATH:
		put_inner(l, item);
		break;
	case IN_ROW: {
		uint16_t node = columns_node(c->columns, item->index);

		c->positions = (size_t)item->index + 1;
		if (node != NODE_NONE)
			described_put(l, c, node, item);
		break;
	}
	case IN_COLUMNS: {
		AUTO_BUF name = BUF_INIT;

		jv_text(jv_parse(loader_fetch(l, item->start, item->end - item->start)),
			&name);
		columns_add(c->found_columns, buf_view(&name));
		if (c->carrier == CARRIER_VALUE) /* no row was read yet */
			c->columns = c->found_columns;
		break;
	}
	case IN_ITEMS:
		end_item(l, item);
		break;
	case IN_LIST:
	case IN_PAIR:
		break;
	}
}

/* A line feed inside a value of a file of lines: is the line cut, or is the value written
 * over several? */
static bool on_newline(void *ctx, uint64_t offset)
{
	return !loader_value_follows(ctx, offset);
}
