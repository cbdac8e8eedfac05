/* The sides of a step, and what is said of them around their messages: see
 * conversation.h. */
#include "config.h"
#include "view/conversation.h"

#include "base/mem.h"
#include "chat/parts.h"
#include "text/wrap.h"
#include "view/elements.h"
#include "view/message.h"
#include "view/new_messages.h"
#include "view/pieces.h"
#include "view/request_facts.h"
#include "view/tree.h"

void conversation_add_images(struct doc *d, const struct side *s)
{
	AUTO(parts_done) struct parts parts = {0};

	parts_read_images(&parts, s->images, &d->arena);
	for (size_t i = 0; i < parts.count; i++)
		piece_part(d, PART_AT(&parts, i), ROLE_OTHER);
}

void conversation_add_text(struct doc *d, const struct side *s)
{
	struct block *head = message_add_head(d, &message_head, side_role(s->prefer), 0);
	struct response response;

	if (d->brief)
		message_set_brief(d, d->count - 1);
	if (head->role != ROLE_ASSISTANT || !elements_read(d, s->text, &response)) {
		piece_prose(d, s->text, head->role, BODY);
		return;
	}
	elements_add(d, s->text, &response);
	response_done(&response);
}

/* ---- notes ---- */

static void add_note(struct doc *d, enum role role, struct str words)
{
	piece_text(
		d, &piece_line, arena_dup(&d->arena, words), role, d->brief ? BODY : 0);
}

static void add_blank(struct doc *d)
{
	piece_text(d, &piece_line, STR(""), ROLE_TEXT, 0);
}

void conversation_add_problem(
	struct doc *d, struct trace *trace, uint32_t step, const struct opened *o)
{
	bool broken = trace_flags(trace, step) & STEP_BROKEN;
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	AUTO_BUF words = BUF_INIT;

	if (!step_problem(trace, step, o, &err))
		return;
	mem_free(err.source); /* the header has it */
	err.source = NULL;
	if (broken)
		buf_text(&words, "unreadable: ");
	err_format(&err, &words);
	add_note(d, broken ? ROLE_ERROR : ROLE_WARNING, buf_view(&words));
}

const char *conversation_note(uint32_t flags, size_t i)
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

	for (size_t n = 0; n < sizeof(notes) / sizeof(*notes); n++)
		if (flags & notes[n].flag && !i--)
			return notes[n].text;
	return NULL;
}

/* "error " before what the file says of it: the word is ours, no search finds it. */
static void layout_error(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	const struct str *label = b->data;
	AUTO_BUF first = BUF_INIT;
	struct str next;
	struct wrap w;

	buf_fill(&first, ' ', b->indent);
	buf_str(&first, *label);
	next = (struct str){first.data, b->indent};
	wrap_begin(&w, out, width);
	wrap_indent(&w, buf_view(&first), next, b->role);
	wrap_add(&w, b->role, b->text);
	if (!b->text.n)
		wrap_break(&w);
	wrap_end(&w);
}

static void copy_error(const struct doc *d, const struct block *b, struct buf *out)
{
	buf_str(out, *(const struct str *)b->data);
	buf_str(out, b->text);
}

static const struct block_ops error_ops = {.layout = layout_error, .copy = copy_error};

/* The error of the trace itself, above the output. */
void conversation_add_error(struct doc *d, const struct opened *o)
{
	static const struct str labels[] = {{"error", 5}, {"error ", 6}, {"error: ", 7}};
	struct jv key = JV_WORD("error");
	struct error_said said = fact_error(o->facts.v[FACT_ERROR], &d->arena);
	struct jv status = o->facts.v[FACT_STATUS];
	bool message = said.message.kind != J_NONE;
	uint32_t indent = d->brief ? BODY : 0;
	struct buf words = BUF_INIT;

	if (!jv_empty(status))
		jv_text(status, &words);
	if (words.len && message)
		buf_text(&words, ": ");
	jv_text(said.message, &words);
	piece_text(d, &error_ops, arena_keep(&d->arena, &words), ROLE_ERROR, indent);
	d->blocks[d->count - 1].data = (void *)&labels[!jv_empty(status) ? 1
						       : message         ? 2
									 : 0];
	if (message && said.rest.kind != J_NONE && !d->print)
		tree_add_closed(d, key, said.rest, indent);
	else if (said.rest.kind != J_NONE)
		tree_add(d, key, said.rest, indent);
}

const char *conversation_end_note(const struct trace *trace, uint32_t step)
{
	struct step s = trace_step(trace, step);
	bool cancelled = s.flags & (STEP_SSE | STEP_LINES) &&
			 str_equal(trace_text(trace, s.event), STR("cancelled"));

	return cancelled ? "cancelled before it was complete" : NULL;
}

/* Below what came of a response that somebody stopped. */
void conversation_add_end(struct doc *d, const struct trace *trace, uint32_t step)
{
	const char *note = conversation_end_note(trace, step);

	if (!note)
		return;
	add_blank(d);
	add_note(d, ROLE_WARNING, str_of(note));
}

void conversation_add_facts(
	struct doc *d, const struct trace *trace, uint32_t step, struct reading *r)
{
	uint32_t flags = trace_step(trace, step).flags;
	const char *note;

	for (size_t i = 0; (note = conversation_note(flags, i)); i++)
		add_note(d, ROLE_WARNING, str_of(note));
	if (!r)
		return;
	request_facts_add(d, r);
	/* in which member of a value without a format the conversation stands */
	if (r->opened->found_at.n)
		add_note(d, ROLE_DIM, r->opened->found_at);
}

/* ---- sides ---- */

/* A step without sides shows all that it has. */
static void add_empty(struct doc *d, const struct opened *o, bool input)
{
	bool event = input && opened_is_empty(o) && o->facts.value.kind != J_NONE;

	add_note(d, ROLE_DIM,
		event   ? STR("neither input nor output was recorded; the event:")
		: input ? STR("no input")
			: STR("no output"));
	if (event)
		tree_add(d, (struct jv)JV_NONE, o->facts.value, 0);
}

/* A value without sides stands once, in the input, whatever is chosen. */
static bool stands_in_input(const struct opened *o, bool input)
{
	return !input && o->bare && o->input.view == SIDE_JSON &&
	       o->output.view == SIDE_EMPTY;
}

static void add_chosen(struct doc *d, struct opened *o, const struct side *s, bool input,
	enum side_mode mode)
{
	struct jv label = JV_WORD("event");
	struct str raw = jv_raw(o->facts.v[input ? FACT_INPUT : FACT_OUTPUT]);

	if (o->bare || (input && opened_is_empty(o)))
		raw = o->text;
	if (stands_in_input(o, input)) {
		add_empty(d, o, input);
	} else if (mode == MODE_RAW || (o->bare && o->facts.value.kind == J_NONE)) {
		if (raw.n)
			piece_chunks(d, &piece_literal, raw, ROLE_TEXT, 0);
		else
			add_empty(d, o, input);
	} else if (s->view == SIDE_CHAT && mode != MODE_TREE) {
		if (!new_messages_add(d, d->context))
			for (size_t i = 0; i < s->chat.count; i++)
				message_add(d, s, i);
	} else if (s->view == SIDE_TEXT && mode != MODE_TREE) {
		conversation_add_text(d, s);
	} else if (s->value.kind == J_NONE ||
		   (mode != MODE_TREE && s->view != SIDE_JSON)) {
		add_empty(d, o, input);
	} else {
		tree_add(d, (struct jv)JV_NONE, s->value, 0);
		if (!input || o->bare || d->print || o->facts.value.kind == J_NONE)
			return;
		/* the whole event, closed, so that every part of it can be reached */
		add_blank(d);
		tree_add_closed(d, label, o->facts.value, 0);
	}
}

bool conversation_build(struct doc *d, struct trace *trace, uint32_t step,
	struct reading *r, bool input, enum side_mode mode)
{
	struct opened *o = r->opened;
	const struct side *s = input ? &o->input : &o->output;
	uint32_t flags = trace_step(trace, step).flags;
	bool broken = o->bare && o->facts.value.kind == J_NONE;

	doc_clear(d);
	d->context = input ? &r->input : &r->output;
	if (input) {
		conversation_add_problem(d, trace, step, o);
		conversation_add_facts(d, trace, step, mode == MODE_CHAT ? r : NULL);
	}
	if (flags & STEP_ERROR && input == (o->shared || broken))
		conversation_add_error(d, o);
	if (!input && broken)
		return d->count;
	add_chosen(d, o, s, input, mode);
	if (mode == MODE_CHAT)
		conversation_add_images(d, s);
	if (mode == MODE_CHAT && !input)
		conversation_add_end(d, trace, step);
	if (s->view == SIDE_EMPTY && mode == MODE_CHAT && !opened_is_empty(o) &&
		!(flags & (STEP_ERROR | STEP_BROKEN | STEP_CUT | STEP_REPAIRED |
				  STEP_ORPHAN | STEP_CYCLE | STEP_STRANGER)))
		return false; /* facts of a request are no reason for half of the screen
			       */
	return d->count != 1 || (s->view != SIDE_EMPTY && !stands_in_input(o, input));
}

const char *conversation_view_name(
	const struct opened *o, bool input, enum side_mode mode)
{
	const struct side *s = input ? &o->input : &o->output;

	if (stands_in_input(o, input))
		return side_view_name(s->view);
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

/* The head of a message, out of the fold that it may be in; SIZE_MAX: there is none. */
static size_t show_head(struct doc *d, size_t message)
{
	size_t fold = new_messages_fold(d, message), first, count;

	if (fold != SIZE_MAX)
		doc_open(d, fold);
	for (size_t i = 0; i < d->count; i++)
		if (d->blocks[i].head && d->blocks[i].index == message &&
			!new_messages_run(d, i, &first, &count))
			return i;
	return SIZE_MAX;
}

void conversation_go(const struct side *s, struct doc *d, size_t message)
{
	size_t at;

	if (message >= s->chat.count)
		return;
	at = show_head(d, message);
	if (at == SIZE_MAX)
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

	if (!side || head == SIZE_MAX || !message_is(&d->blocks[head]))
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
	size_t at;

	at = message < s->chat.count ? show_head(d, message) : SIZE_MAX;
	if (at == SIZE_MAX)
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
	if (!e->call && e->other != NO_PAIR && message_shows_with_call(d->context, end))
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
	return message_answer(d, head, i, answer) ||
	       new_messages_answer(d, head, i, answer);
}
