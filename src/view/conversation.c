/* The sides of a step, and what is said of them around their messages: see
 * conversation.h. */
#include "config.h"
#include "view/conversation.h"

#include "chat/parts.h"
#include "text/wrap.h"
#include "view/elements.h"
#include "view/facts.h"
#include "view/difference.h"
#include "view/pieces.h"
#include "view/tree.h"

/* ---- what is new since the step before ---- */

/*
 * A fold of messages is a head of its own, without a limit; what it opens into are the
 * messages' own blocks, up to the fence after it.
 */

#define SIZE_LEAST 1000 /* bytes of a fold that are worth saying */

/* The messages in a fold, in the document's arena: of the side, or removed ones. */
struct message_run {
	size_t first, count;
	uint64_t bytes;
	bool below; /* something stands above it */
	bool gone;  /* they are removed ones */
};

bool new_messages_is_on(const struct side_reading *side)
{
	const struct history *h =
		side ? reading_history(side->reading, side->input) : NULL;

	return h && (h->shown || h->changed || h->gone_count);
}

/* ---- heads ---- */

/* The words after the speaker of a changed or removed message. */
struct note {
	struct str words; /* first: see message_head */
	const struct earlier_message *was;
};

static void add_head(struct doc *d, const struct block_ops *ops, struct jv value,
	size_t index, struct note words)
{
	struct block *b = message_add_head(d, ops, STR(""), index);

	b->value = value;
	b->data = arena_copy(&d->arena, &words, sizeof(words));
}

/* ---- a changed message ---- */

static void expand_changed(struct doc *d, size_t at)
{
	const struct side_reading *side = d->context;
	const struct note *note = d->blocks[at].data;
	struct compared_message is = {
		.value = d->blocks[at].value, .side = side->side->prefer};

	message_set_speaker(d, at, is.side);
	message_diff_add(d, &note->was->message, &is);
}

static const struct block_ops changed_ops = {
	.layout = message_layout_head, .expand = expand_changed, .copy = doc_copy_value};

/* ---- folds ---- */

#define MARK_WIDTH 2

static void layout_fold(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	/* of many messages, of one, and where there is no room for that */
	static const struct {
		const char *many, *one, *shortly;
	} words[] = {{"messages unchanged", "message unchanged", "unchanged"},
		{"earlier messages are no longer there",
			"earlier message is no longer there", "no longer there"}};
	static const char blanks[] = "  ";
	const struct message_run *run = b->data;
	AUTO_BUF text = BUF_INIT;
	size_t enough;

	if (run->below)
		lines_begin(out);
	lines_begin(out);
	lines_put_own(out, ROLE_DIM, (struct str){blanks, b->indent}, b->indent);
	lines_put_fold(out, ROLE_DIM, b->open);
	buf_printf(&text, "%zu %s", run->count,
		run->count == 1 ? words[run->gone].one : words[run->gone].many);
	if (width && text.len + MARK_WIDTH > width) {
		buf_clear(&text);
		buf_printf(&text, "%zu %s", run->count, words[run->gone].shortly);
	}
	enough = text.len;
	if (run->bytes >= SIZE_LEAST) {
		buf_text(&text, "  ");
		facts_bytes(&text, run->bytes);
	}
	if (width && text.len + MARK_WIDTH > width)
		text.len = enough;
	lines_put_own(out, ROLE_DIM, buf_view(&text), (uint32_t)text.len);
}

static void expand_gone(struct doc *d, size_t at)
{
	const struct note *note = d->blocks[at].data;

	message_set_speaker(d, at, note->was->message.side);
	d->blocks[at].role = ROLE_DELETED;
	message_diff_add_whole(d, &note->was->message, ROLE_DELETED, 1);
}

static const struct block_ops gone_ops = {
	.layout = message_layout_head, .expand = expand_gone, .copy = doc_copy_value};

/* Inserts the messages of a fold, or removes them; meanwhile the fold is the last block.
 * What is gone has no number among the messages of the step. */
static bool toggle_fold(struct doc *d, size_t at)
{
	const struct side_reading *side = d->context;
	const struct message_run *run = d->blocks[at].data;
	bool opens = !d->blocks[at].open;

	if (!opens)
		doc_remove(d, at + 1, d->count - at - 1);
	for (size_t i = run->first; opens && i < run->first + run->count; i++) {
		const struct earlier_message *m =
			run->gone ? &side->reading->earlier->gone[i] : NULL;

		if (m)
			add_head(d, &gone_ops, m->message.value, SIZE_MAX,
				(struct note){STR("no longer there"), m});
		else
			message_add(d, side->side, i);
	}
	d->blocks[at].open = opens;
	return true;
}

/* The messages as in the file, a line feed after each. */
static void copy_fold(const struct doc *d, const struct block *b, struct buf *out)
{
	const struct side_reading *side = d->context;
	const struct message_run *run = b->data;

	for (size_t i = run->first; i < run->first + run->count; i++) {
		buf_str(out,
			jv_raw(run->gone ? side->reading->earlier->gone[i].message.value
					 : side->side->chat.items[i]));
		buf_byte(out, '\n');
	}
}

static const struct block_ops fold_ops = {
	.layout = layout_fold, .toggle = toggle_fold, .copy = copy_fold};

/* ---- all of a side ---- */

static void add_fold(struct doc *d, struct message_run run)
{
	struct block *b = doc_add(d, &fold_ops);

	b->data = arena_copy(&d->arena, &run, sizeof(run));
	b->role = ROLE_DIM;
	b->head = true;
	b->index = run.gone ? SIZE_MAX : run.first;
	b->indent = d->brief ? BODY : 0;
	doc_add(d, &doc_fence_ops);
}

/* A fold of the removed messages that were before a message. */
void new_messages_add_gone(struct doc *d, const struct side_reading *side, size_t at)
{
	const struct earlier *e = side->reading->earlier;
	const struct history *h = &e->input;
	struct message_run run = {
		.first = history_gone_at(h, at), .below = at > 0, .gone = true};

	if (!side->input)
		return;
	run.below |= d->brief;
	run.count = history_gone_at(h, at + 1) - run.first;
	for (size_t i = run.first; i < run.first + run.count; i++)
		run.bytes += e->gone[i].message.value.n;
	if (!run.count)
		return;
	add_fold(d, run);
	if (!at && h->count &&
		!d->brief) /* the first message sets nothing above itself */
		piece_text(d, &piece_line, STR(""), ROLE_TEXT, 0);
}

bool new_messages_add_one(struct doc *d, const struct side_reading *side, size_t message)
{
	enum message_change change = reading_change(side->reading, side->input, message);
	struct note note = {STR("changed"), NULL};

	if (change == CHANGE_EDITED)
		note.was = earlier_changed(side->reading->earlier, message);
	if (note.was)
		add_head(d, &changed_ops, side->side->chat.items[message], message, note);
	else if (change != CHANGE_SHOWN)
		message_add(d, side->side, message);
	return change != CHANGE_SHOWN;
}

/* Adds the messages of a side; false, and nothing, when nothing of it was shown before.
 */
static bool add_new(struct doc *d, const struct side_reading *side)
{
	const struct history *h;
	size_t i = 0, next_gone, end;

	if (!new_messages_is_on(side))
		return false;
	h = reading_history(side->reading, side->input);
	while (i < h->count) {
		struct message_run run = {.first = i, .below = i > 0};

		new_messages_add_gone(d, side, i);
		if (new_messages_add_one(d, side, i)) {
			i++;
			continue;
		}
		/* those that stayed, up to one that did not or to where some were removed
		 */
		next_gone = history_gone_at(h, i + 1);
		end = next_gone < h->gone_count ? h->gone[next_gone].at : h->count;
		for (; i < end && h->now[i].change == CHANGE_SHOWN; i++)
			run.bytes += side->side->chat.items[i].n;
		run.count = i - run.first;
		add_fold(d, run);
	}
	new_messages_add_gone(d, side, h->count);
	return true;
}

/* ---- finding what is folded ---- */

bool new_messages_is_fold(const struct block *b)
{
	return b->ops == &fold_ops;
}

bool new_messages_run(const struct doc *d, size_t block, size_t *first, size_t *count)
{
	const struct block *b = &d->blocks[block];
	const struct message_run *run = b->data;

	if (b->ops != &fold_ops || run->gone)
		return false;
	*first = run->first;
	*count = run->count;
	return true;
}

bool new_messages_is_changed(const struct doc *d, size_t head)
{
	return d->blocks[head].ops == &changed_ops;
}

bool new_messages_is_gone(const struct doc *d, size_t head)
{
	const struct block *b = &d->blocks[head];

	return b->ops == &gone_ops ||
	       (b->ops == &fold_ops && ((const struct message_run *)b->data)->gone);
}

size_t new_messages_fold(const struct doc *d, size_t message)
{
	size_t first, count;

	for (size_t i = 0; i < d->count; i++)
		if (!d->blocks[i].open && new_messages_run(d, i, &first, &count) &&
			message >= first && message - first < count)
			return i;
	return SIZE_MAX;
}

/* ---- sides that are no chat ---- */

void conversation_add_images(struct doc *d, const struct side *s)
{
	AUTO(parts_done) struct parts parts = parts_read_images(s->images, &d->arena);

	PARTS_EACH(p, &parts)
		piece_part(d, p, ROLE_OTHER);
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

void conversation_add_problem(
	struct doc *d, struct trace *trace, uint32_t step, const struct step_content *o)
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
	AUTO_BUF first = BUF_INIT;
	struct str next;
	struct wrap w;

	buf_fill(&first, ' ', b->indent);
	buf_text(&first, b->data);
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
	buf_text(out, b->data);
	buf_str(out, b->text);
}

static const struct block_ops error_ops = {.layout = layout_error, .copy = copy_error};

/* The error of the trace itself, above the output. */
void conversation_add_error(struct doc *d, const struct step_content *o)
{
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
	d->blocks[d->count - 1].data = !jv_empty(status) ? "error "
				       : message         ? "error: "
							 : "error";
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
	piece_text(d, &piece_line, STR(""), ROLE_TEXT, 0);
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
static void add_empty(struct doc *d, const struct step_content *o, bool input)
{
	bool event = input && step_content_is_empty(o) && o->facts.value.kind != J_NONE;

	add_note(d, ROLE_DIM,
		event   ? STR("neither input nor output was recorded; the event:")
		: input ? STR("no input")
			: STR("no output"));
	if (event)
		tree_add(d, JV_NONE, o->facts.value, 0);
}

/* A value without sides stands once, in the input, whatever is chosen. */
static bool stands_in_input(const struct step_content *o, bool input)
{
	return !input && o->bare && o->input.view == SIDE_JSON &&
	       o->output.view == SIDE_EMPTY;
}

static void add_chosen(struct doc *d, struct step_content *o, const struct side *s,
	bool input, enum side_mode mode)
{
	struct jv label = JV_WORD("event");
	struct str raw = jv_raw(o->facts.v[input ? FACT_INPUT : FACT_OUTPUT]);

	if (o->bare || (input && step_content_is_empty(o)))
		raw = o->text;
	if (stands_in_input(o, input)) {
		add_empty(d, o, input);
	} else if (mode == MODE_RAW || (o->bare && o->facts.value.kind == J_NONE)) {
		if (raw.n)
			piece_chunks(d, &piece_literal, raw, ROLE_TEXT, 0);
		else
			add_empty(d, o, input);
	} else if (s->view == SIDE_CHAT && mode != MODE_TREE) {
		if (!add_new(d, d->context))
			for (size_t i = 0; i < s->chat.count; i++)
				message_add(d, s, i);
	} else if (s->view == SIDE_TEXT && mode != MODE_TREE) {
		conversation_add_text(d, s);
	} else if (s->value.kind == J_NONE ||
		   (mode != MODE_TREE && s->view != SIDE_JSON)) {
		add_empty(d, o, input);
	} else {
		tree_add(d, JV_NONE, s->value, 0);
		if (!input || o->bare || d->print || o->facts.value.kind == J_NONE)
			return;
		/* the whole event, closed, so that every part of it can be reached */
		piece_text(d, &piece_line, STR(""), ROLE_TEXT, 0);
		tree_add_closed(d, label, o->facts.value, 0);
	}
}

bool conversation_build(struct doc *d, struct trace *trace, uint32_t step,
	struct reading *r, bool input, enum side_mode mode)
{
	struct step_content *o = r->opened;
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
	if (s->view == SIDE_EMPTY && mode == MODE_CHAT && !step_content_is_empty(o) &&
		!(flags & (STEP_ERROR | STEP_BROKEN | STEP_CUT | STEP_REPAIRED |
				  STEP_ORPHAN | STEP_CYCLE | STEP_STRANGER)))
		return false; /* facts of a request are no reason for half of the screen
			       */
	return d->count != 1 || (s->view != SIDE_EMPTY && !stands_in_input(o, input));
}

const char *conversation_view_name(
	const struct step_content *o, bool input, enum side_mode mode)
{
	bool empty = stands_in_input(o, input);

	if (!empty && (mode == MODE_RAW || (o->bare && o->facts.value.kind == J_NONE)))
		return "raw";
	if (!empty && mode == MODE_TREE)
		return "json";
	return side_view_name(input ? o->input.view : o->output.view);
}

/* ---- messages in both views ---- */

size_t conversation_message(const struct side *s, struct doc *d, size_t block)
{
	size_t head = block < d->count ? doc_head(d, block) : SIZE_MAX;

	if (head != SIZE_MAX)
		return (size_t)d->blocks[head].index;
	/* what a string holds was decoded: the node of the string stands in the text */
	for (size_t at = block; tree_is_node(d, at); at = doc_parent(d, at)) {
		const char *p = d->blocks[at].value.p;

		for (size_t i = 0; i < s->chat.count; i++) {
			struct jv m = s->chat.items[i];

			if (p >= m.p && p < m.p + m.n)
				return i;
		}
	}
	return SIZE_MAX;
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
	pairs = reading_pairs(side->reading);
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
	const struct side_reading *side = d->context;
	const struct pairs *pairs = side ? reading_pairs(side->reading) : NULL;
	const struct pair_end *e;
	size_t at = SIZE_MAX;

	if (!pairs || end >= pairs->count)
		return false;
	e = &pairs->ends[end];
	if (!e->call && e->other != NO_PAIR && message_shows_with_call(side, end))
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
