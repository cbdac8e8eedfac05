/*
 * A message is a head block; its pieces are inserted after it when it is first laid out
 * (see doc.h and conversation.h).  Calls and results are shown together, where both are
 * shown as they stand.
 */
#include "config.h"
#include "view/conversation.h"

#include <math.h>

#include "chat/parts.h"
#include "chat/side.h"
#include "view/elements.h"
#include "view/facts.h"
#include "view/pieces.h"
#include "view/tree.h"

#define SAID_LONG   1000        /* bytes of a message whose size is told */
#define LOOKED_INTO (64u << 10) /* bytes of one of which it is asked what is shown */
#define PROMPT      40          /* rows of what a person said in a transcript */
#define BEGINNING   100         /* bytes of a message in a line that is never full */

/* ---- messages ---- */

enum role message_speaker_role(enum speaker speaker)
{
	static const enum role roles[] = {
		[SPEAKER_OTHER] = ROLE_OTHER,
		[SPEAKER_USER] = ROLE_USER,
		[SPEAKER_ASSISTANT] = ROLE_ASSISTANT,
		[SPEAKER_SYSTEM] = ROLE_SYSTEM,
		[SPEAKER_TOOL] = ROLE_TOOL,
	};

	return roles[speaker];
}

/* The words of a harness without the name around them:
 * <system-reminder>...</system-reminder> */
static struct str without_tag(struct str text)
{
	const char *end = text.n && text.p[0] == '<' ? memchr(text.p, '>', text.n) : NULL;
	size_t name = end ? (size_t)(end - text.p) : 0;

	if (!name || memchr(text.p, ' ', name))
		return text;
	text = str_trim((struct str){end + 1, text.n - name - 1});
	if (text.n >= name + 2 && !memcmp(text.p + text.n - name - 2, "</", 2) &&
		!memcmp(text.p + text.n - name, end - name + 1, name))
		text.n -= name + 2;
	return text;
}

/* What a message says, or else which tool it calls. */
static void put_beginning(struct lines *out, struct jv message, uint32_t width)
{
	AUTO_BUF words = BUF_INIT;
	AUTO_ARENA arena = {0};
	AUTO(parts_done) struct parts parts = parts_read(message, &arena);

	for (size_t i = 0; i < parts.count && !words.len; i++)
		if (PART_AT(&parts, i)->kind == PART_TEXT)
			preview_text(PART_AT(&parts, i)->body, width ? width : BEGINNING,
				&words);
	for (size_t i = 0; i < parts.count && !words.len; i++)
		if (PART_AT(&parts, i)->kind == PART_CALL)
			jv_text(PART_AT(&parts, i)->name, &words);
	preview_beginning(out, without_tag(buf_view(&words)), width);
}

/* Whether so long a message is long for its reader, and not by what is never shown, such
 * as encrypted thoughts; of one that is very long that is not asked. */
static bool is_long(struct jv message)
{
	AUTO_ARENA arena = {0};
	AUTO(parts_done) struct parts parts = {0};
	size_t sum = 0;

	if (message.n < SAID_LONG || message.n > LOOKED_INTO)
		return message.n >= SAID_LONG;
	parts = parts_read(message, &arena);
	for (size_t i = 0; i < parts.count && sum < SAID_LONG; i++) {
		const struct part *p = PART_AT(&parts, i);

		sum += p->kind == PART_REASONING ? p->body.n : p->raw.n;
	}
	return sum >= SAID_LONG;
}

void message_layout_head(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	struct jv name = jv_member(b->value, "name");
	AUTO_BUF said = BUF_INIT, size = BUF_INIT;

	if (d->brief ? b->gap : b->index > 0)
		lines_begin(out);
	lines_begin(out);
	glyph_put(out, b->role, GLYPH_SPEAKER);
	lines_put_raw(out, b->role, b->text);
	if (name.kind == J_STRING && name.n > 2) {
		lines_printf(out, ROLE_DIM, " ");
		lines_put_raw(out, ROLE_DIM, jv_str(name, &said));
	}
	if (is_long(b->value)) {
		facts_bytes(&size, b->value.n);
		lines_printf(out, ROLE_DIM, "  %s", size.data);
	}
	if (b->limit == 0 && d->brief) {
		put_beginning(out, b->value, width);
	} else if (b->limit == 0 && !d->print) {
		lines_put(out, ROLE_DIM, STR(" "), 1);
		glyph_put(out, ROLE_DIM, GLYPH_ELLIPSIS);
	}
	if (b->data) {
		lines_put(out, ROLE_DIM, STR("  "), 2);
		lines_put_raw(out, ROLE_DIM, *(const struct str *)b->data);
	}
}

/* In a transcript people and models are told apart by how their words look; not those
 * that have a name of their own. */
static void layout_head(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	bool headed =
		!d->brief || b->role == ROLE_SYSTEM || b->role == ROLE_OTHER || !b->limit;

	if (!headed && b->role != ROLE_TOOL) {
		struct jv name = jv_member(b->value, "name");

		headed = name.kind == J_STRING && name.n > 2;
	}
	if (headed)
		message_layout_head(d, b, out, width);
	else if (b->gap)
		lines_begin(out);
}

/* ---- calls and results ---- */

/* Which message of the other side, or of this one, a line speaks of. */
static void put_place(
	struct buf *words, const struct pair_end *from, const struct pair_end *to)
{
	if (from->input != to->input)
		buf_text(words, to->input ? "the input, " : "the output, ");
	buf_printf(words, "message %zu", to->message + 1);
}

/* Not where only one of both is new: the other is folded away, or shown by its
 * changes. */
bool message_shows_with_call(const struct side_reading *side, size_t result)
{
	const struct pairs *pairs = reading_pairs(side->reading);
	const struct pair_end *end = &pairs->ends[result], *call;
	enum message_change change;

	if (end->other >= result)
		return false;
	call = &pairs->ends[end->other];
	change = reading_change(side->reading, end->input, end->message);
	return call->input == end->input && change != CHANGE_EDITED &&
	       reading_change(side->reading, call->input, call->message) == change;
}

/* The first of the blocks that were made for a call or result knows it. */
static void set_pair(struct doc *d, size_t from, size_t end)
{
	if (from < d->count && end < UINT32_MAX)
		d->blocks[from].pair = (uint32_t)end + 1;
}

/* Below its call, which is a block. */
static void add_answer(
	struct doc *d, const struct side_reading *side, size_t call, size_t block)
{
	const struct pairs *pairs = reading_pairs(side->reading);
	const struct pair_end *end = &pairs->ends[call], *answer;
	const struct part *later = NULL;
	size_t from = d->count;
	struct buf words = BUF_INIT;

	if (end->other == NO_PAIR && !d->brief)
		later = reading_result_after(side->reading, end->what);
	if (later) {
		piece_call_ended(d, block, later, side->reading->pause);
		piece_later_answer(d, later, end->what);
		return;
	}
	if (end->other == NO_PAIR) {
		if (!d->brief && !pairs_open_call(pairs, call))
			piece_text(d, &piece_line, STR("! no result in this step"),
				ROLE_WARNING, BODY)
				->part = DOC_NOTE;
		return;
	}
	answer = &pairs->ends[end->other];
	if (message_shows_with_call(side, end->other)) {
		piece_answer(d, answer->what, end->what);
		piece_call_ended(d, block, answer->what, NAN);
		set_pair(d, from, end->other);
	} else if (!d->brief) {
		buf_text(&words, "its result: ");
		put_place(&words, end, answer);
		piece_words(d, ROLE_DIM, &words);
	}
}

/* Of a transcript: below the call, or, where that is not right above, below its words.
 * The call is not always known. */
static void add_brief_result(
	struct doc *d, const struct side_reading *side, size_t result)
{
	const struct pair_end *ends = reading_pairs(side->reading)->ends;
	size_t other = ends[result].other, from = d->count;
	const struct pair_end *call;
	bool near, told = side->reading->told;

	if (other != NO_PAIR && message_shows_with_call(side, result))
		return;
	call = reading_call_before(side->reading, &ends[result], &near);
	if (!call && other != NO_PAIR) {
		call = &ends[other];
		/* right above, and the only one of its message */
		near = other + 1 == result &&
		       (!other || !call[-1].call || call[-1].message != call->message);
	}
	piece_answer(d, ends[result].what, call ? call->what : NULL);
	set_pair(d, from, result);
	if (told || (call && !near))
		piece_name_call(d, from, told ? NULL : call->what);
}

/* Where it stands in the conversation. */
static void add_result(struct doc *d, const struct side_reading *side, size_t result)
{
	const struct pairs *pairs = reading_pairs(side->reading);
	const struct pair_end *end = &pairs->ends[result], *call;
	size_t from = d->count;
	struct buf words = BUF_INIT;

	if (d->brief) {
		add_brief_result(d, side, result);
		return;
	}
	if (end->other == NO_PAIR) {
		if (!side->reading->opened->run) {
			buf_text(&words, "! no call in this step has its id");
			buf_text(&words, jv_null(end->what->id) ? "" : ": ");
			jv_text(end->what->id, &words);
			piece_words(d, ROLE_WARNING, &words);
		}
		set_pair(d, from, result);
		piece_part(d, end->what, ROLE_TOOL);
		return;
	}
	call = &pairs->ends[end->other];
	if (message_shows_with_call(side, result) && call->message == end->message)
		return; /* right above */
	buf_printf(&words, "%s result of ", glyph(GLYPH_UP).p);
	jv_text(call->what->name, &words);
	buf_text(&words, ", called in ");
	put_place(&words, end, call);
	piece_words(d, end->what->error ? ROLE_ERROR : ROLE_DIM, &words);
	if (!message_shows_with_call(side, result))
		piece_answer(d, end->what, call->what);
	set_pair(d, from, result);
}

static bool has_only_results(const struct parts *parts)
{
	PARTS_EACH(p, parts)
		if (p->kind != PART_RESULT)
			return false;
	return true;
}

/*
 * A message that has only results that are shown with their calls says so after its
 * speaker: in an agent's history every second message is such a one.
 */
static bool note_results(struct doc *d, size_t at, const struct parts *parts)
{
	const struct side_reading *side = d->context;
	size_t message = (size_t)d->blocks[at].index;
	const struct pairs *pairs;
	AUTO_BUF words = BUF_INIT;
	size_t noted = 0;
	struct str note;

	if (side && !has_only_results(parts))
		return false;
	pairs = side && parts->count ? reading_pairs(side->reading) : NULL;
	buf_printf(&words, "%s result of ", glyph(GLYPH_UP).p);
	for (; pairs && noted < parts->count; noted++) {
		size_t end = pairs_find(pairs, side->input, message, noted);

		if (end == NO_PAIR || pairs->ends[end].other == NO_PAIR ||
			!message_shows_with_call(side, end))
			break;
		buf_text(&words, noted ? ", " : "");
		jv_text(pairs->ends[pairs->ends[end].other].what->name, &words);
	}
	if (pairs && noted == parts->count) {
		note = arena_dup(&d->arena, buf_view(&words));
		d->blocks[at].data = arena_copy(&d->arena, &note, sizeof(note));
	}
	return d->blocks[at].data != NULL;
}

static void add_part(struct doc *d, const struct part *p, enum role speaker,
	size_t message, size_t number)
{
	struct side_reading *side = d->context;
	size_t end = NO_PAIR, from = d->count;

	if (side && (p->kind == PART_CALL || p->kind == PART_RESULT))
		end = pairs_find(
			reading_pairs(side->reading), side->input, message, number);
	if (end != NO_PAIR && p->kind == PART_RESULT) {
		add_result(d, side, end);
		return;
	}
	piece_part(d, p, speaker);
	if (end == NO_PAIR)
		return;
	set_pair(d, from, end);
	add_answer(d, side, end, from);
}

/* ---- what a message opens into ---- */

/* All that an assistant says in one message, without a separator. */
static struct str joined_text(struct doc *d, const struct parts *parts)
{
	struct jv only = JV_NONE;
	struct buf joined = BUF_INIT;
	size_t texts = 0;

	PARTS_EACH(p, parts)
		if (p->kind == PART_TEXT) {
			only = p->body; /* the part may be a local one */
			texts++;
		}
	if (texts <= 1)
		return texts ? jv_keep(only, &d->arena) : STR("");
	PARTS_EACH(one, parts)
		if (one->kind == PART_TEXT)
			jv_text(one->body, &joined);
	return arena_keep(&d->arena, &joined);
}

#define BATCH 500 /* parts of a message put in at a time */

/* Parts of a message that a block without lines will expand to. */
struct parts_left {
	struct parts parts; /* in the document's arena */
	size_t next;
	enum role speaker;
};

static void add_batch(struct doc *d, const struct parts_left *r, size_t message);

static void expand_rest(struct doc *d, size_t at)
{
	add_batch(d, d->blocks[at].data, (size_t)d->blocks[at].index);
}

static const struct block_ops rest_ops = {.expand = expand_rest};

/* The next parts, and a block for the rest of them. */
static void add_batch(struct doc *d, const struct parts_left *r, size_t message)
{
	const struct parts *parts = &r->parts;
	size_t left = parts->count - r->next,
	       end = r->next + (left > BATCH ? BATCH : left);
	struct parts_left rest = {*parts, end, r->speaker};
	struct block *b;

	for (size_t i = r->next; i < end; i++)
		add_part(d, PART_AT(parts, i), r->speaker, message, i);
	if (end == parts->count)
		return;
	b = piece_text(d, &rest_ops, STR(""), ROLE_TEXT, 0);
	b->data = arena_copy(&d->arena, &rest, sizeof(rest));
	b->index = message;
}

/*
 * Of very many parts the first ones.  The elements of a response take the place of the
 * first text; they are what a person is asked to act on, so the message is not folded.
 */
static void add_parts(struct doc *d, size_t head, struct parts *parts)
{
	enum role speaker = d->blocks[head].role;
	size_t message = (size_t)d->blocks[head].index;
	struct str text = speaker == ROLE_ASSISTANT ? joined_text(d, parts) : STR("");
	struct response response;
	bool placed = false;

	if (!text.n || !elements_read(d, text, &response)) {
		struct parts_left all = {*parts, 0, speaker};

		if (parts->count > BATCH) {
			parts_give(parts, &d->arena);
			*parts = (struct parts){0};
		}
		add_batch(d, &all, message);
		return;
	}
	for (size_t i = 0; i < parts->count; i++) {
		const struct part *p = PART_AT(parts, i);

		if (p->kind != PART_TEXT)
			add_part(d, p, speaker, message, i);
		else if (!placed)
			elements_add(d, text, &response);
		placed |= p->kind == PART_TEXT;
	}
	d->blocks[head].limit = DOC_ALL;
	response_done(&response);
}

static bool is_last_of_output(const struct side_reading *side, size_t message)
{
	return side && !side->input && message + 1 == side->side->chat.count;
}

/* Who speaks is asked when the message is looked at: of a long conversation few are. */
void message_set_speaker(struct doc *d, size_t at, enum prefer side)
{
	struct block *b = &d->blocks[at];

	b->text = message_role(b->value, side, NULL, &d->arena);
	b->role = message_speaker_role(role_speaker(b->text));
}

void message_set_brief(struct doc *d, size_t at)
{
	struct block *b = &d->blocks[at];

	if (!b->limit) /* it was said before */
		return;
	if (b->role == ROLE_USER) {
		b->edge = ROLE_USER;
		b->gap = true;
		b->limit = PROMPT;
	} else {
		b->limit = b->role == ROLE_SYSTEM ? 0 : DOC_ALL;
	}
}

/* What a harness wrote, or a system said, stands together: a blank row only above the
 * first of it. */
static void close_gap(struct doc *d, size_t at, enum prefer side)
{
	size_t before = at ? doc_head(d, at - 1) : SIZE_MAX;
	AUTO_ARENA arena = {0};
	AUTO(parts_done) struct parts parts = {0};
	struct jv message;
	bool only;

	if (before == SIZE_MAX || !message_is(&d->blocks[before]))
		return;
	message = d->blocks[before].value;
	only = message_speaker(message, side) == SPEAKER_SYSTEM;
	if (!only) {
		parts = parts_read(message, &arena);
		only = parts.count > 0;
		for (size_t i = 0; i < parts.count && only; i++) {
			const struct part *p = PART_AT(&parts, i);

			only = p->kind == PART_TEXT &&
			       piece_is_boilerplate(d, jv_keep(p->body, &arena));
		}
	}
	if (only)
		d->blocks[at].gap = false;
}

static void expand_message(struct doc *d, size_t at)
{
	const struct side_reading *side = d->context;
	AUTO(parts_done) struct parts parts = {0};
	enum prefer from = side ? side->side->prefer : PREFER_INPUT;
	size_t message = (size_t)d->blocks[at].index, end;
	const struct parts *kept = NULL;

	message_set_speaker(d, at, from);
	if (side && side->reading->opened->paired) /* what was read is not read again */
		kept = pairs_parts(reading_pairs(side->reading), side->input, message);
	if (kept)
		parts = parts_dup(kept);
	else
		parts = parts_read(d->blocks[at].value, &d->arena);
	if (d->brief) {
		if (parts.count && has_only_results(&parts))
			d->blocks[at].role = ROLE_TOOL;
		message_set_brief(d, at);
		if (d->blocks[at].role == ROLE_TOOL || !parts.count)
			d->blocks[at].gap = false;
	}
	if (!note_results(d, at, &parts))
		add_parts(d, at, &parts);
	for (end = at + 1; end < d->count && piece_is_aside(&d->blocks[end]); end++)
		;
	if (d->brief && d->count > at + 1 && end == d->count)
		d->blocks[at].edge = ROLE_TEXT; /* a harness wrote it all */
	if (d->brief && d->blocks[at].edge != ROLE_USER &&
		d->blocks[at].role != ROLE_ASSISTANT)
		close_gap(d, at, from);
	if (is_last_of_output(side, message))
		elements_add_response(d, side->reading->opened->response);
}

static const struct block_ops message_ops = {
	.layout = layout_head, .expand = expand_message, .copy = doc_copy_value};
const struct block_ops message_head = {.layout = layout_head};

struct block *message_add_head(
	struct doc *d, const struct block_ops *ops, struct str role, size_t index)
{
	struct block *b = doc_add(d, ops);

	b->text = role;
	b->role = message_speaker_role(role_speaker(role));
	b->head = true;
	b->limit = DOC_FOLD;
	b->index = index;
	return b;
}

void message_add(struct doc *d, const struct side *s, size_t message)
{
	struct jv value = s->chat.items[message];

	if (value.kind == J_OBJECT)
		message_add_head(d, &message_ops, STR(""), message)->value = value;
	else
		tree_add(d, JV_NONE, value, 0);
}

bool message_is(const struct block *b)
{
	return b->ops == &message_ops;
}

bool conversation_answer(struct doc *d, size_t head, size_t i, struct jv *answer)
{
	const struct block *b = &d->blocks[head];
	struct side_reading *side = d->context;
	const struct pairs *pairs;
	const struct pair_end *end;
	size_t at, first, count;

	*answer = JV_NONE;
	if (new_messages_run(d, head, &first, &count)) {
		if (b->open || i >= count)
			return false;
		*answer = side->side->chat.items[first + i]; /* in a closed fold */
		return true;
	}
	if (!side || b->ops != &message_ops)
		return false;
	if (!i--) {
		if (is_last_of_output(side, (size_t)b->index))
			*answer = side->reading->opened->response;
		return true;
	}
	if (!b->expanded) /* who speaks is not known yet */
		message_set_speaker(d, head, side->side->prefer);
	if (b->role != ROLE_ASSISTANT)
		return false;
	pairs = reading_pairs(side->reading);
	at = pairs_of_message(pairs, side->input, (size_t)b->index) + i;
	if (at >= pairs->count)
		return false;
	end = &pairs->ends[at];
	if (end->input != side->input || end->message != b->index)
		return false;
	if (end->call && end->other != NO_PAIR &&
		message_shows_with_call(side, end->other))
		*answer = pairs->ends[end->other].what->body;
	return true;
}
