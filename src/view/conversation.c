/*
 * Messages become a head block each; its pieces are put behind it when it is first looked
 * at (see doc.h).
 */
#include "config.h"
#include "view/conversation.h"

#include "base/mem.h"
#include "chat/parts.h"
#include "chat/role.h"
#include "text/safe.h"
#include "view/elements.h"
#include "view/facts.h"
#include "view/pieces.h"
#include "view/tree.h"

/* ---- messages ---- */

static enum role speaker_role(struct str name)
{
	static const enum role roles[] = {
		[SPEAKER_OTHER] = ROLE_OTHER,
		[SPEAKER_USER] = ROLE_USER,
		[SPEAKER_ASSISTANT] = ROLE_ASSISTANT,
		[SPEAKER_SYSTEM] = ROLE_SYSTEM,
		[SPEAKER_TOOL] = ROLE_TOOL,
	};

	return roles[role_speaker(name)];
}

static void layout_head(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	struct jv name = jv_member(b->value, "name");
	struct buf said = BUF_INIT, size = BUF_INIT;

	(void)width;
	if (b->index)
		lines_begin(out);
	lines_begin(out);
	lines_put(out, b->role, safe_ascii() ? STR("* ") : STR("\xE2\x97\x8F "), 2);
	lines_put_raw(out, b->role, b->text);
	if (name.kind == J_STRING && name.n > 2) {
		lines_printf(out, ROLE_DIM, " ");
		lines_put_raw(out, ROLE_DIM, jv_str(name, &said));
		buf_done(&said);
	}
	if (b->value.n >= 1000) {
		facts_bytes(&size, b->value.n);
		lines_printf(out, ROLE_DIM, "  %s", size.data);
		buf_done(&size);
	}
	if (b->limit == 0 && !d->print)
		lines_put(out, ROLE_DIM,
			safe_ascii() ? STR(" ...") : STR(" \xE2\x80\xA6"),
			safe_ascii() ? 4 : 2);
	if (b->data) {
		lines_put(out, ROLE_DIM, STR("  "), 2);
		lines_put_raw(out, ROLE_DIM, *(const struct str *)b->data);
	}
}

/* ---- calls and results ---- */

static struct str call_name(struct doc *d, const struct pairs *pairs, size_t end)
{
	return end == NO_PAIR ? STR("") : jv_keep(pairs->ends[end].what.name, &d->arena);
}

static size_t insert_note(struct doc *d, size_t at, enum role role, const char *text)
{
	size_t count = piece_text(d, at, &piece_line, str_of(text), role, BODY);

	d->blocks[at].part = DOC_NOTE;
	return count;
}

/* Which message of the other side, or of this one, a line speaks of. */
static void put_place(
	struct buf *words, const struct pair_end *from, const struct pair_end *to)
{
	if (from->input != to->input)
		buf_text(words, to->input ? "the input, " : "the output, ");
	buf_printf(words, "message %zu", to->message + 1);
}

static bool is_shown_with_call(const struct pairs *pairs, size_t result)
{
	const struct pair_end *end = &pairs->ends[result];

	return end->other < result && pairs->ends[end->other].input == end->input;
}

/* The first of the blocks that were made for a call or result knows it. */
static void set_pair(struct doc *d, size_t at, size_t count, size_t end)
{
	if (count && end < UINT32_MAX)
		d->blocks[at].pair = (uint32_t)end + 1;
}

/* Below its call. */
static size_t insert_answer(
	struct doc *d, size_t at, const struct side_reading *side, size_t call)
{
	const struct pairs *pairs = reading_pairs(side->reading);
	const struct pair_end *end = &pairs->ends[call];
	struct buf words = BUF_INIT;

	if (end->other == NO_PAIR)
		return pairs_open_call(pairs, call) ? 0
						    : insert_note(d, at, ROLE_WARNING,
							      "! no result in this step");
	if (is_shown_with_call(pairs, end->other)) {
		size_t count = piece_part(d, at, &pairs->ends[end->other].what);

		set_pair(d, at, count, end->other);
		return count;
	}
	buf_text(&words, "its result: ");
	put_place(&words, end, &pairs->ends[end->other]);
	return piece_words(d, at, ROLE_DIM, &words);
}

/* Where it stands in the conversation. */
static size_t insert_result(
	struct doc *d, size_t at, const struct side_reading *side, size_t result)
{
	const struct pairs *pairs = reading_pairs(side->reading);
	const struct pair_end *end = &pairs->ends[result];
	struct buf words = BUF_INIT;
	size_t count;

	if (end->other == NO_PAIR) {
		count = insert_note(
			d, at, ROLE_WARNING, "! no call in this step has its id");
		set_pair(d, at, count, result);
		return count + piece_part(d, at + count, &end->what);
	}
	if (is_shown_with_call(pairs, result) &&
		pairs->ends[end->other].message == end->message)
		return 0; /* right above */
	buf_text(&words, safe_ascii() ? "^ result of " : "\xE2\x86\x91 result of ");
	buf_str(&words, call_name(d, pairs, end->other));
	buf_text(&words, ", called in ");
	put_place(&words, end, &pairs->ends[end->other]);
	count = piece_words(d, at, end->what.error ? ROLE_ERROR : ROLE_DIM, &words);
	if (!is_shown_with_call(pairs, result))
		count += piece_part(d, at + count, &end->what);
	set_pair(d, at, count, result);
	return count;
}

/*
 * A message of nothing but results that are shown with their calls says so behind its
 * speaker: in an agent's history every other message is one.
 */
static bool note_results(struct doc *d, size_t at, const struct parts *parts)
{
	const struct side_reading *side = d->context;
	size_t message = (size_t)d->blocks[at].index;
	const struct pairs *pairs;
	struct buf words = BUF_INIT;
	size_t noted = 0;

	for (size_t i = 0; side && i < parts->count; i++)
		if (parts->items[i].kind != PART_RESULT)
			return false;
	pairs = side && parts->count ? reading_pairs(side->reading) : NULL;
	buf_text(&words, safe_ascii() ? "^ result of " : "\xE2\x86\x91 result of ");
	for (; pairs && noted < parts->count; noted++) {
		size_t end = pairs_find(pairs, side->input, message, noted);

		if (end == NO_PAIR || pairs->ends[end].other == NO_PAIR ||
			!is_shown_with_call(pairs, end))
			break;
		buf_text(&words, noted ? ", " : "");
		buf_str(&words, call_name(d, pairs, pairs->ends[end].other));
	}
	if (pairs && noted == parts->count) {
		struct str *note = arena_alloc(&d->arena, sizeof(*note));

		*note = arena_dup(&d->arena, buf_view(&words));
		d->blocks[at].data = note;
	}
	buf_done(&words);
	return d->blocks[at].data != NULL;
}

static size_t insert_part(
	struct doc *d, size_t at, const struct part *p, size_t message, size_t number)
{
	struct side_reading *side = d->context;
	size_t end = NO_PAIR, count;

	if (side && (p->kind == PART_CALL || p->kind == PART_RESULT))
		end = pairs_find(
			reading_pairs(side->reading), side->input, message, number);
	if (end == NO_PAIR)
		return piece_part(d, at, p);
	if (p->kind == PART_RESULT)
		return insert_result(d, at, side, end);
	count = piece_part(d, at, p);
	set_pair(d, at, count, end);
	return count + insert_answer(d, at + count, side, end);
}

/* ---- what a message opens into ---- */

/* All that an assistant says in one message, without a separator. */
static struct str joined_text(struct doc *d, const struct parts *parts)
{
	struct buf joined = BUF_INIT;
	size_t texts = 0, last = 0;

	for (size_t i = 0; i < parts->count; i++)
		if (parts->items[i].kind == PART_TEXT) {
			texts++;
			last = i;
		}
	if (texts <= 1)
		return texts ? jv_keep(parts->items[last].body, &d->arena) : STR("");
	for (size_t i = 0; i < parts->count; i++)
		if (parts->items[i].kind == PART_TEXT)
			jv_text(parts->items[i].body, &joined);
	if (!joined.len)
		return STR("");
	last = joined.cap;
	texts = joined.len;
	return (struct str){arena_take(&d->arena, buf_take(&joined), last).p, texts};
}

#define BATCH 500 /* parts of a message put in at a time */

/* Parts of a message that wait behind a block which is never seen. */
struct rest {
	struct parts parts; /* in the document's arena */
	size_t next;
};

static size_t insert_batch(
	struct doc *d, size_t at, const struct rest *r, size_t message);

static void expand_rest(struct doc *d, size_t at)
{
	insert_batch(d, at + 1, d->blocks[at].data, (size_t)d->blocks[at].index);
}

static const struct block_ops rest_ops = {.layout = doc_layout_nothing, .expand = expand_rest};

/* The next parts, and a block for the rest of them. */
static size_t insert_batch(struct doc *d, size_t at, const struct rest *r, size_t message)
{
	const struct parts *parts = &r->parts;
	size_t left = parts->count - r->next, end, count = 0;
	struct rest *rest;
	struct block *b;

	end = r->next + (left > BATCH ? BATCH : left);
	for (size_t i = r->next; i < end; i++)
		count += insert_part(d, at + count, &parts->items[i], message, i);
	if (end == parts->count)
		return count;
	rest = arena_alloc(&d->arena, sizeof(*rest));
	*rest = (struct rest){*parts, end};
	b = doc_insert(d, at + count, &rest_ops);
	b->level = 1;
	b->data = rest;
	b->index = message;
	return count + 1;
}

/* Of a message of very many parts the first ones; takes over the parts. */
static size_t insert_many(struct doc *d, size_t at, struct parts *parts, size_t message)
{
	struct rest all = {*parts, 0};

	arena_take(&d->arena, (char *)parts->items, parts->cap * sizeof(*parts->items));
	*parts = (struct parts){0};
	return insert_batch(d, at, &all, message);
}

/*
 * The elements of a response take the place of the first text; they are what a person is
 * asked to act on, so the message is not folded.
 */
static size_t insert_parts(
	struct doc *d, size_t at, struct parts *parts, size_t message, bool assistant)
{
	struct str text = assistant ? joined_text(d, parts) : STR("");
	struct response response;
	bool marked = text.n && elements_read(d, text, &response), placed = false;
	size_t count = 0;

	if (!marked && parts->count > BATCH && !d->print)
		return insert_many(d, at, parts, message);
	for (size_t i = 0; i < parts->count; i++) {
		const struct part *p = &parts->items[i];

		if (!marked || p->kind != PART_TEXT)
			count += insert_part(d, at + count, p, message, i);
		else if (!placed)
			count += elements_insert(d, at + count, text, &response);
		placed |= p->kind == PART_TEXT;
	}
	if (marked) {
		d->blocks[at - 1].limit = DOC_ALL;
		response_done(&response);
	}
	return count;
}

static bool is_last_of_output(const struct side_reading *side, size_t message)
{
	return side && !side->input && message + 1 == side->side->chat.count;
}

/* Who speaks is asked when the message is looked at: of a long conversation few are. */
static void set_speaker(struct doc *d, size_t at, enum prefer side)
{
	struct block *b = &d->blocks[at];
	bool given;

	b->text = message_role(b->value, side, &given, &d->arena);
	b->role = speaker_role(b->text);
}

/* Those that the pairing has read are not read again. */
static void read_parts(struct doc *d, const struct side_reading *side, struct jv value,
	size_t message, struct parts *parts)
{
	const struct parts *kept = NULL;

	if (side)
		kept = reading_parts(side->reading, side->input, message);
	if (!kept) {
		parts_read(parts, value, &d->arena);
		return;
	}
	parts->items = mem_alloc(kept->count * sizeof(*kept->items));
	memcpy(parts->items, kept->items, kept->count * sizeof(*kept->items));
	parts->count = parts->cap = kept->count;
}

static void expand_message(struct doc *d, size_t at)
{
	const struct side_reading *side = d->context;
	struct parts parts = {0};
	struct jv value = d->blocks[at].value;
	size_t message = (size_t)d->blocks[at].index, next = at + 1;

	set_speaker(d, at, side ? side->side->prefer : PREFER_INPUT);
	read_parts(d, side, value, message, &parts);
	if (!note_results(d, at, &parts))
		next += insert_parts(
			d, next, &parts, message, d->blocks[at].role == ROLE_ASSISTANT);
	parts_done(&parts);
	if (is_last_of_output(side, message))
		elements_insert_response(d, next, side->reading->opened->response);
}

static const struct block_ops message_ops = {
	.layout = layout_head, .expand = expand_message, .copy = doc_copy_value};
static const struct block_ops head_ops = {.layout = layout_head};

static struct block *add_head(struct doc *d, const struct block_ops *ops, struct jv value,
	struct str role, uint64_t index)
{
	struct block *b = doc_add(d, ops);

	b->value = value;
	b->text = role;
	b->role = speaker_role(role);
	b->head = true;
	b->limit = DOC_FOLD;
	b->index = index;
	return b;
}

static void add_chat(struct doc *d, const struct side *s)
{
	for (size_t i = 0; i < s->chat.count; i++) {
		struct jv m = s->chat.items[i];

		if (m.kind == J_OBJECT)
			add_head(d, &message_ops, m, STR(""), i);
		else
			tree_insert(d, d->count, (struct jv)JV_NONE, m, 0);
	}
}

static void add_images(struct doc *d, const struct side *s)
{
	struct parts parts = {0};

	parts_read_images(&parts, s->images, &d->arena);
	for (size_t i = 0; i < parts.count; i++)
		piece_part(d, d->count, &parts.items[i]);
	parts_done(&parts);
}

static void add_text(struct doc *d, const struct side *s)
{
	struct block *head =
		add_head(d, &head_ops, (struct jv)JV_NONE, side_role(s->prefer), 0);
	struct response response;

	if (head->role != ROLE_ASSISTANT || !elements_read(d, s->text, &response)) {
		piece_prose(d, d->count, s->text, BODY);
		return;
	}
	elements_insert(d, d->count, s->text, &response);
	response_done(&response);
}

/* ---- notes ---- */

static void add_note(struct doc *d, enum role role, struct buf *words)
{
	struct str text = arena_dup(&d->arena, buf_view(words));

	piece_text(d, d->count, &piece_line, text, role, 0);
	buf_clear(words);
}

static void add_blank(struct doc *d)
{
	piece_text(d, d->count, &piece_line, STR(""), ROLE_TEXT, 0);
}

static void add_problem(
	struct doc *d, struct model *m, uint32_t step, const struct opened *o)
{
	struct err err = {.offset = ERR_NOWHERE};
	struct buf words = BUF_INIT;

	if (step_problem(m, step, o, &err)) {
		mem_free(err.source); /* the header has it */
		err.source = NULL;
		if (model_flags(m, step) & STEP_BROKEN)
			buf_text(&words, "unreadable: ");
		err_format(&err, &words);
		add_note(d,
			model_flags(m, step) & STEP_BROKEN ? ROLE_ERROR : ROLE_WARNING,
			&words);
	}
	buf_done(&words);
	err_done(&err);
}

static void add_flags(struct doc *d, uint32_t flags)
{
	static const struct {
		uint32_t flag;
		const char *text;
	} notes[] = {
		{STEP_STRANGER, "not an event; shown as JSON"},
		{STEP_SHORT, "a row with too few positions; shown as JSON"},
		{STEP_ORPHAN, "its parent is not in the file"},
		{STEP_CYCLE, "its parent is one of its own children; shown as a root"},
	};
	struct buf words = BUF_INIT;

	for (size_t i = 0; i < sizeof(notes) / sizeof(*notes); i++)
		if (flags & notes[i].flag) {
			buf_text(&words, notes[i].text);
			add_note(d, ROLE_WARNING, &words);
		}
	buf_done(&words);
}

/* The error of the trace itself, above the output. */
static void add_error(struct doc *d, const struct opened *o)
{
	struct jv error = o->facts.v[FACT_ERROR], status = o->facts.v[FACT_STATUS];
	struct jv message = jv_member(error, "message");
	struct buf words = BUF_INIT;

	buf_text(&words, "error");
	if (!jv_empty(status)) {
		buf_byte(&words, ' ');
		jv_text(status, &words);
	}
	if (message.kind == J_STRING)
		error = message;
	if (!jv_empty(error) && error.kind != J_TRUE) {
		buf_text(&words, ": ");
		jv_text(error, &words);
	}
	add_note(d, ROLE_ERROR, &words);
	buf_done(&words);
}

/* Below what came of a response that somebody stopped. */
static void add_end(struct doc *d, const struct model *m, uint32_t step)
{
	struct step s = model_step(m, step);
	struct buf words = BUF_INIT;

	if (s.flags & (STEP_SSE | STEP_LINES) &&
		str_equal(model_text(m, s.event), STR("cancelled"))) {
		add_blank(d);
		buf_text(&words, "cancelled before it was complete");
		add_note(d, ROLE_WARNING, &words);
	}
	buf_done(&words);
}

/* The parameters of the call, on one line above the input. */
static void add_parameters(struct doc *d, const struct opened *o)
{
	static const enum fact shown[] = {FACT_PROVIDER, FACT_TEMPERATURE,
		FACT_MAX_TOKENS, FACT_CACHE_READ, FACT_CACHE_WRITE, FACT_FIRST_TOKEN};
	struct buf words = BUF_INIT;
	size_t tools = jv_count(o->facts.v[FACT_TOOLS], 1000);

	for (size_t i = 0; i < sizeof(shown) / sizeof(*shown); i++) {
		struct jv v = o->facts.v[shown[i]];

		if (jv_null(v) || v.kind == J_OBJECT || v.kind == J_ARRAY)
			continue;
		buf_printf(&words, "%s%s ", words.len ? ", " : "", fact_name(shown[i]));
		jv_text(v, &words);
	}
	if (o->page.n) {
		buf_text(&words, words.len ? ", page " : "page ");
		buf_str(&words, o->page);
	}
	if (tools)
		buf_printf(&words, "%s%zu tool%s offered", words.len ? ", " : "", tools,
			tools == 1 ? "" : "s");
	if (words.len)
		add_note(d, ROLE_DIM, &words);
	buf_done(&words);
}

/* ---- sides ---- */

static struct jv raw_value(const struct opened *o, bool input)
{
	if (o->bare)
		return o->facts.value;
	return o->facts.v[input ? FACT_INPUT : FACT_OUTPUT];
}

static bool is_empty(const struct opened *o)
{
	return o->input.view == SIDE_EMPTY && o->output.view == SIDE_EMPTY;
}

/* A step without sides shows all that it has. */
static void add_empty(struct doc *d, const struct opened *o, bool input)
{
	struct buf words = BUF_INIT;
	bool event = input && is_empty(o) && o->facts.value.kind != J_NONE;

	buf_text(&words, input ? "no input" : "no output");
	if (event)
		buf_text(&words, "; the event:");
	add_note(d, ROLE_DIM, &words);
	buf_done(&words);
	if (event)
		tree_insert(d, d->count, (struct jv)JV_NONE, o->facts.value, 0);
}

/* Below the input: the rest of the step, closed, so that nothing of it is out of reach.
 */
static void add_event(struct doc *d, const struct opened *o)
{
	static const char key[] = "\"event\"";
	struct jv label = {key, sizeof(key) - 1, J_STRING, false};
	size_t at;

	if (o->bare || d->print || o->facts.value.kind == J_NONE)
		return;
	add_blank(d);
	at = d->count;
	tree_insert(d, at, label, o->facts.value, 0);
	if (tree_is_open(d, at))
		d->blocks[at].ops->toggle(d, at);
}

static void add_tree(struct doc *d, struct opened *o, const struct side *s, bool input)
{
	if (s->value.kind == J_NONE) {
		add_empty(d, o, input);
		return;
	}
	tree_insert(d, d->count, (struct jv)JV_NONE, s->value, 0);
	if (input)
		add_event(d, o);
}

static void add_raw(struct doc *d, const struct opened *o, bool input)
{
	struct jv v = raw_value(o, input);
	struct str text = {v.p, v.n};

	if (o->bare || (input && is_empty(o)))
		text = o->text;
	if (!text.n)
		add_empty(d, o, input);
	else
		piece_chunks(d, d->count, &piece_literal, text, ROLE_TEXT, 0);
}

static void add_chosen(struct doc *d, struct opened *o, const struct side *s, bool input,
	enum side_mode mode)
{
	if (mode == MODE_RAW || (o->bare && o->facts.value.kind == J_NONE))
		add_raw(d, o, input);
	else if (mode == MODE_TREE || s->view == SIDE_JSON)
		add_tree(d, o, s, input);
	else if (s->view == SIDE_CHAT)
		add_chat(d, s);
	else if (s->view == SIDE_TEXT)
		add_text(d, s);
	else
		add_empty(d, o, input);
}

void conversation_build(struct doc *d, struct model *m, uint32_t step, struct reading *r,
	bool input, enum side_mode mode)
{
	struct opened *o = r->opened;
	const struct side *s = input ? &o->input : &o->output;
	uint32_t flags = model_step(m, step).flags;
	bool broken = o->bare && o->facts.value.kind == J_NONE;

	doc_clear(d);
	d->context = input ? &r->input : &r->output;
	if (input) {
		add_problem(d, m, step, o);
		add_flags(d, flags);
		if (mode == MODE_CHAT)
			add_parameters(d, o);
	} else if (flags & STEP_ERROR) {
		add_error(d, o);
	}
	if (!input && broken)
		return;
	add_chosen(d, o, s, input, mode);
	if (mode == MODE_CHAT)
		add_images(d, s);
	if (mode == MODE_CHAT && !input)
		add_end(d, m, step);
}

const char *conversation_view_name(
	const struct opened *o, bool input, enum side_mode mode)
{
	const struct side *s = input ? &o->input : &o->output;

	if (mode == MODE_RAW || (o->bare && o->facts.value.kind == J_NONE))
		return "raw";
	if (mode == MODE_TREE)
		return "json";
	return side_view_name(s->view);
}

/* ---- messages in both views ---- */

static size_t message_holding(const struct side *s, struct jv value)
{
	for (size_t i = 0; i < s->chat.count; i++) {
		struct jv m = s->chat.items[i];

		if (value.p >= m.p && value.p < m.p + m.n)
			return i;
	}
	return SIZE_MAX;
}

size_t conversation_message(const struct side *s, struct doc *d, size_t block)
{
	size_t head = block < d->count ? doc_head(d, block) : SIZE_MAX, found = SIZE_MAX;

	if (head != SIZE_MAX)
		return (size_t)d->blocks[head].index;
	/* what a string holds was decoded: the node of the string stands in the text */
	for (size_t i = block; found == SIZE_MAX && tree_is_node(d, i);
		i = doc_parent(d, i))
		found = message_holding(s, d->blocks[i].value);
	return found;
}

void conversation_go(const struct side *s, struct doc *d, size_t message)
{
	size_t at = 0;

	if (message >= s->chat.count)
		return;
	while (at < d->count && !(d->blocks[at].head && d->blocks[at].index == message))
		at++;
	if (at == d->count)
		at = tree_find(d, s->chat.items[message]);
	if (at != SIZE_MAX)
		d->places[0] = d->places[1] = (struct place){at, 0};
}

static const struct pairs *pairs_of(const struct doc *d)
{
	const struct side_reading *side = d->context;

	return side ? reading_pairs(side->reading) : NULL;
}

size_t conversation_end(struct doc *d, size_t block)
{
	const struct side_reading *side = d->context;
	size_t head = block < d->count ? doc_head(d, block) : SIZE_MAX, at;
	const struct pairs *pairs;

	if (!side || head == SIZE_MAX || d->blocks[head].ops != &message_ops)
		return NO_PAIR;
	for (at = block; at > head; at--)
		if (d->blocks[at].pair)
			return d->blocks[at].pair - 1;
	pairs = pairs_of(d);
	at = pairs_of_message(pairs, side->input, (size_t)d->blocks[head].index);
	return at < pairs->count && pairs->ends[at].input == side->input &&
			       pairs->ends[at].message == d->blocks[head].index
		       ? at
		       : NO_PAIR;
}

/* The block of a message that shows an end; SIZE_MAX: none does. */
static size_t find_end(struct doc *d, const struct side *s, size_t message, size_t end)
{
	size_t at = 0;

	while (at < d->count && !(d->blocks[at].head && d->blocks[at].index == message))
		at++;
	if (at == d->count || message >= s->chat.count)
		return SIZE_MAX;
	doc_layout(d, at);
	while (++at < d->count && !d->blocks[at].head) {
		doc_layout(d, at); /* it may stand for more */
		if (d->blocks[at].pair == end + 1)
			return at;
	}
	return SIZE_MAX;
}

bool conversation_go_end(const struct side *s, struct doc *d, size_t end)
{
	const struct pairs *pairs = pairs_of(d);
	const struct pair_end *e;
	size_t at = SIZE_MAX;

	if (!pairs || end >= pairs->count)
		return false;
	e = &pairs->ends[end];
	if (!e->call && e->other != NO_PAIR && is_shown_with_call(pairs, end))
		at = find_end(d, s, pairs->ends[e->other].message, end);
	if (at == SIZE_MAX)
		at = find_end(d, s, e->message, end);
	if (at == SIZE_MAX) {
		conversation_go(s, d, e->message);
		return false;
	}
	doc_unfold(d, at);
	d->places[0] = (struct place){at, 0};
	return true;
}

bool conversation_answer(struct doc *d, size_t head, size_t i, struct jv *answer)
{
	const struct block *b = &d->blocks[head];
	struct side_reading *side = d->context;
	const struct pairs *pairs;
	const struct pair_end *end;
	size_t at;

	*answer = (struct jv)JV_NONE;
	if (!side || b->ops != &message_ops)
		return false;
	if (!i--) {
		if (is_last_of_output(side, (size_t)b->index))
			*answer = side->reading->opened->response;
		return true;
	}
	if (!b->expanded) /* who speaks is not known yet */
		set_speaker(d, head, side->side->prefer);
	if (b->role != ROLE_ASSISTANT)
		return false;
	pairs = reading_pairs(side->reading);
	at = pairs_of_message(pairs, side->input, (size_t)b->index) + i;
	if (at >= pairs->count)
		return false;
	end = &pairs->ends[at];
	if (end->input != side->input || end->message != b->index)
		return false;
	if (end->call && end->other != NO_PAIR && is_shown_with_call(pairs, end->other))
		*answer = pairs->ends[end->other].what.body;
	return true;
}

/* ---- the list's line ---- */

static bool is_user(struct jv message)
{
	struct jv role = jv_member(message, "role");

	return jv_is(role, STR("user")) || jv_is(role, STR("human"));
}

static void message_text(struct jv message, struct buf *out)
{
	struct arena arena = {0};
	struct parts parts = {0};

	parts_read(&parts, message, &arena);
	for (size_t i = 0; i < parts.count && !out->len; i++)
		if (parts.items[i].kind == PART_TEXT)
			jv_text(parts.items[i].body, out);
	parts_done(&parts);
	arena_done(&arena);
}

/* One blank for each run of white space, none in front. */
static void squeeze(struct buf *text, size_t most)
{
	size_t n = 0;

	for (size_t i = 0; i < text->len && n < most; i++) {
		char c = text->data[i];

		if (c != ' ' && c != '\t' && c != '\r' && c != '\n')
			text->data[n++] = c;
		else if (n && text->data[n - 1] != ' ')
			text->data[n++] = ' ';
	}
	text->len = n;
}

void conversation_preview(struct opened *o, struct buf *out, size_t most)
{
	const struct side *s = &o->input;
	struct jv value = s->view == SIDE_JSON ? s->value : o->facts.value;
	bool nameless = is_empty(o) && jv_null(o->facts.v[FACT_EVENT]);
	size_t enough = 4 * most; /* before white space is squeezed */

	if (s->view == SIDE_TEXT)
		buf_add(out, s->text.p, s->text.n > enough ? enough : s->text.n);
	if (s->view == SIDE_JSON || nameless)
		buf_add(out, value.p, value.n > enough ? enough : value.n);
	for (size_t i = s->view == SIDE_CHAT ? s->chat.count : 0; i-- > 0 && !out->len;)
		if (is_user(s->chat.items[i]))
			message_text(s->chat.items[i], out);
	squeeze(out, most);
}
