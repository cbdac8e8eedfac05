/*
 * Folds of messages: see new_messages.h.  A fold is a head of its own, without a limit;
 * what it opens into are the messages' own blocks, up to the fence after it.
 */
#include "config.h"
#include "view/new_messages.h"

#include "text/glyph.h"
#include "view/facts.h"
#include "view/message.h"
#include "view/message_diff.h"
#include "view/pieces.h"

#define SIZE_LEAST 1000 /* bytes of a fold that are worth saying */

/* The messages in a fold, in the document's arena: of the side, or removed ones. */
struct message_run {
	size_t first, count;
	uint64_t bytes;
	bool below; /* something stands above it */
	bool gone;  /* they are removed ones */
};

static const struct history *history_of(const struct side_reading *side)
{
	return side ? reading_history(side->reading, side->input) : NULL;
}

bool new_messages_is_on(const struct side_reading *side)
{
	const struct history *h = history_of(side);

	return h && (h->shown || h->changed || h->gone_count);
}

/* ---- heads ---- */

/* The words after the speaker of a changed or removed message. */
struct note {
	struct str words; /* first: see message.h */
	const struct earlier_message *was;
};

static void add_head(struct doc *d, const struct block_ops *ops, struct jv value,
	size_t index, struct note words)
{
	struct note *note = arena_alloc(&d->arena, sizeof(*note));
	struct block *b = message_add_head(d, ops, STR(""), index);

	*note = words;
	b->value = value;
	b->data = note;
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

static void add_changed(struct doc *d, const struct side_reading *side, size_t message)
{
	struct note note = {
		STR("changed"), earlier_changed(side->reading->earlier, message)};

	add_head(d, &changed_ops, side->side->chat.items[message], message, note);
}

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

static void add_fold(struct doc *d, struct message_run run, size_t index)
{
	struct message_run *kept = arena_alloc(&d->arena, sizeof(*kept));
	struct block *b = doc_add(d, &fold_ops);

	*kept = run;
	b->data = kept;
	b->role = ROLE_DIM;
	b->head = true;
	b->index = index;
	b->indent = d->brief ? BODY : 0;
	doc_add(d, &doc_fence_ops);
}

static size_t run_end(const struct history *h, size_t at)
{
	size_t next_gone = history_gone_at(h, at + 1);
	size_t end = next_gone < h->gone_count ? h->gone[next_gone].at : h->count;

	for (size_t i = at; i < end; i++)
		if (h->now[i].fate != FATE_SHOWN)
			return i;
	return end;
}

static size_t add_run(
	struct doc *d, const struct side *s, const struct history *h, size_t at)
{
	struct message_run run = {.first = at, .below = at > 0};

	run.count = run_end(h, at) - at;
	for (size_t i = at; i < at + run.count; i++)
		run.bytes += s->chat.items[i].n;
	add_fold(d, run, at);
	return at + run.count;
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
	add_fold(d, run, SIZE_MAX);
	if (!at && h->count &&
		!d->brief) /* the first message sets nothing above itself */
		piece_text(d, &piece_line, STR(""), ROLE_TEXT, 0);
}

bool new_messages_add(struct doc *d, const struct side_reading *side)
{
	const struct history *h = history_of(side);
	const struct side *s = side->side;
	size_t i = 0;

	if (!new_messages_is_on(side))
		return false;
	while (i < h->count) {
		new_messages_add_gone(d, side, i);
		if (h->now[i].fate == FATE_SHOWN) {
			i = add_run(d, s, h, i);
			continue;
		}
		if (h->now[i].fate == FATE_CHANGED)
			add_changed(d, side, i);
		else
			message_add(d, s, i);
		i++;
	}
	new_messages_add_gone(d, side, h->count);
	return true;
}

bool new_messages_add_one(struct doc *d, const struct side_reading *side, size_t message)
{
	enum fate fate = reading_fate(side->reading, side->input, message);

	if (fate == FATE_CHANGED && earlier_changed(side->reading->earlier, message))
		add_changed(d, side, message);
	else if (fate != FATE_SHOWN)
		message_add(d, side->side, message);
	return fate != FATE_SHOWN;
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

bool new_messages_answer(const struct doc *d, size_t block, size_t i, struct jv *answer)
{
	const struct side_reading *side = d->context;
	size_t first, count;

	*answer = (struct jv)JV_NONE;
	if (!new_messages_run(d, block, &first, &count) || d->blocks[block].open ||
		i >= count)
		return false;
	*answer = side->side->chat.items[first + i];
	return true;
}
