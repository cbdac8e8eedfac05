/* See scoped_hits.h. */
#include "config.h"
#include "view/scoped_hits.h"

#include "base/clock.h"
#include "base/mem.h"
#include "chat/role.h"
#include "query/hits.h"
#include "view/tree.h"

#define PATIENCE 50000 /* microseconds for places of one text that run long */

/* ---- what is meant ---- */

const char *const scoped_hits_words[] = {"user", "assistant", "system", "tool", "text",
	"call", "result", "reasoning", "input", "output", "name", "error", NULL};

static const struct {
	enum scoped_hits_kind kind;
	unsigned what;
} meanings[] = {
	{WITHIN_SPEAKER, SPEAKER_USER},
	{WITHIN_SPEAKER, SPEAKER_ASSISTANT},
	{WITHIN_SPEAKER, SPEAKER_SYSTEM},
	{WITHIN_SPEAKER, SPEAKER_TOOL},
	{WITHIN_PART, PART_TEXT},
	{WITHIN_PART, PART_CALL},
	{WITHIN_PART, PART_RESULT},
	{WITHIN_PART, PART_REASONING},
	{WITHIN_SIDE, true},
	{WITHIN_SIDE, false},
	{WITHIN_NAME, 0},
	{WITHIN_ERROR, 0},
};

void scoped_hits_done(struct scoped_hits *w)
{
	buf_done(&w->key);
	*w = (struct scoped_hits){0};
}

static void read_word(struct scoped_hits *w, struct str word)
{
	for (size_t i = 0; scoped_hits_words[i]; i++)
		if (str_equal(str_of(scoped_hits_words[i]), word)) {
			w->kind = meanings[i].kind;
			w->what = meanings[i].what;
			return;
		}
	w->kind = WITHIN_KEY;
	buf_str(&w->key, word);
}

bool scoped_hits_read(struct scoped_hits *w, struct str *pattern, struct err *err)
{
	struct str s = *pattern, blank = STR(" in:"), prefix = STR("in:");
	size_t end = prefix.n;

	*w = (struct scoped_hits){0};
	if (str_starts(s, blank)) { /* meant as it stands */
		*pattern = (struct str){s.p + 1, s.n - 1};
		return true;
	}
	if (!str_starts(s, prefix))
		return true;
	while (end < s.n && s.p[end] != ' ')
		end++;
	if (end == prefix.n || end + 1 >= s.n) {
		err_set(err, "a pattern is missing after it");
		err->offset = s.n;
		return false;
	}
	read_word(w, (struct str){s.p + prefix.n, end - prefix.n});
	*pattern = (struct str){s.p + end + 1, s.n - end - 1};
	return true;
}

/* Whether a piece of a message counts: what a tool gave is the tool's. */
static bool takes_part(
	const struct scoped_hits *w, enum speaker speaker, enum part_kind part)
{
	if (part == PART_REFUSAL)
		part = PART_TEXT;
	if (w->kind == WITHIN_SPEAKER)
		return (part == PART_RESULT ? SPEAKER_TOOL : speaker) == w->what;
	return w->kind == WITHIN_PART && part == w->what;
}

/* ---- counting ---- */

void scoped_hits_begin(struct scoped_hits_counting *c, const struct scoped_hits *w,
	const struct query *q, uint32_t step)
{
	*c = (struct scoped_hits_counting){
		.within = w, .query = q, .texts = texts_new(q), .step = step};
}

void scoped_hits_end(struct scoped_hits_counting *c)
{
	texts_free(c->texts);
	opening_free(c->opening);
	opened_free(c->opened);
	*c = (struct scoped_hits_counting){0};
}

static void count_text(
	struct scoped_hits_counting *c, enum texts_kind kind, struct str text)
{
	bool gave_up;

	if (!text.n)
		return;
	texts_begin(c->texts, kind, PATIENCE);
	texts_feed(c->texts, text);
	c->hits += texts_end(c->texts, &gave_up);
}

static void count_value(struct scoped_hits_counting *c, struct jv v)
{
	count_text(c, TEXTS_JSON, (struct str){v.p, v.n});
}

static void count_part(struct scoped_hits_counting *c, const struct part *p)
{
	switch (p->kind) {
	case PART_IMAGE: /* its data is not shown */
	case PART_FILE:
		return;
	case PART_JSON:
		count_value(c, p->raw);
		return;
	case PART_CALL:
		count_value(c, p->name);
		break;
	case PART_TOOL:
		count_value(c, p->name);
		count_value(c, part_schema(p));
		count_value(c, part_definition(p));
		break;
	case PART_TEXT:
	case PART_RESULT:
	case PART_REASONING:
	case PART_REFUSAL:
		break;
	}
	count_value(c, p->body);
}

static void count_message(
	struct scoped_hits_counting *c, const struct side *s, struct jv message)
{
	const struct scoped_hits *w = c->within;
	bool whole = w->kind == WITHIN_SIDE, given;
	struct arena arena = {0};
	struct parts parts = {0};
	enum speaker speaker;

	if (message.kind != J_OBJECT) {
		if (whole)
			count_value(c, message);
		return;
	}
	speaker = role_speaker(message_role(message, s->prefer, &given, &arena));
	parts_read(&parts, message, &arena);
	for (size_t i = 0; i < parts.count; i++)
		if (whole || takes_part(w, speaker, parts.items[i].kind))
			count_part(c, &parts.items[i]);
	parts_done(&parts);
	arena_done(&arena);
}

/* The response beside the messages counts as part of the last message. */
static void count_response(struct scoped_hits_counting *c, bool input)
{
	const struct opened *o = c->opened;

	if (o->response.kind != J_NONE && input == o->shared &&
		(c->within->kind == WITHIN_SIDE ||
			takes_part(c->within, SPEAKER_ASSISTANT, PART_TEXT)))
		count_value(c, o->response);
}

/* The next item of a side; false: it has no more. */
static bool count_item(struct scoped_hits_counting *c, bool input, size_t item)
{
	const struct side *s = input ? &c->opened->input : &c->opened->output;
	bool whole = c->within->kind == WITHIN_SIDE;
	size_t items = s->view == SIDE_CHAT ? s->chat.count : s->view != SIDE_EMPTY;

	if (item == items)
		count_response(c, input);
	if (item >= items)
		return false;
	if (s->view == SIDE_CHAT)
		count_message(c, s, s->chat.items[item]);
	else if (s->view == SIDE_JSON && whole)
		count_value(c, s->value);
	else if (s->view == SIDE_TEXT &&
		 (whole || takes_part(c->within, role_speaker(side_role(s->prefer)),
				   PART_TEXT)))
		count_text(c, TEXTS_RAW, s->text);
	return true;
}

static bool is_wanted(const struct scoped_hits_counting *c, bool input)
{
	if (c->opened->shared)
		return input;
	return c->within->kind != WITHIN_SIDE || c->within->what == input;
}

static bool count_sides(struct scoped_hits_counting *c, uint64_t deadline)
{
	for (; c->item < 2 * (SIZE_MAX / 4); c->item++) {
		bool input = c->item < SIZE_MAX / 4;
		size_t item = input ? c->item : c->item - SIZE_MAX / 4;

		if (!is_wanted(c, input) || !count_item(c, input, item)) {
			if (!input)
				return true;
			c->item = SIZE_MAX / 4 - 1;
		}
		if (clock_passed(deadline)) {
			c->item++;
			return false;
		}
	}
	return true;
}

/* "input[2].content": the key as it is or, in brackets, as JSON. */
static bool path_has(struct str path, struct str key)
{
	for (size_t i = 0; i < path.n;) {
		bool bracket = path.p[i] == '[';
		size_t from = i + (bracket || path.p[i] == '.'), end = from;

		if (bracket && from < path.n && path.p[from] == '"') {
			struct jv v =
				jv_parse((struct str){path.p + from, path.n - from});

			if (jv_is(v, key))
				return true;
			i = from + v.n + 1;
			continue;
		}
		while (end < path.n && path.p[end] != '.' && path.p[end] != '[')
			end++;
		if (!bracket && str_equal((struct str){path.p + from, end - from}, key))
			return true;
		i = end > i ? end : i + 1;
	}
	return false;
}

static bool take_hit(void *ctx, const struct hit *hit)
{
	struct scoped_hits_counting *c = ctx;

	c->hits += path_has(hit->path, buf_view(&c->within->key));
	return true;
}

static void count_name(struct scoped_hits_counting *c, struct trace *trace)
{
	struct buf name = BUF_INIT;

	step_title(trace, c->step, &name);
	count_text(c, TEXTS_RAW, buf_view(&name));
	buf_done(&name);
}

/* As the output shows it. */
static void count_error(struct scoped_hits_counting *c)
{
	struct arena arena = {0};
	struct error_said said = fact_error(c->opened->facts.v[FACT_ERROR], &arena);

	count_value(c, said.message);
	count_value(c, said.rest);
	count_value(c, c->opened->facts.v[FACT_STATUS]);
	arena_done(&arena);
}

static bool open_step(
	struct scoped_hits_counting *c, struct trace *trace, uint64_t deadline)
{
	if (!c->opening)
		c->opening = opening_new(trace, c->step, false);
	if (opening_run(c->opening, trace, deadline) == TASK_MORE)
		return false;
	c->opened = opened_take(c->opening, trace);
	c->opening = NULL;
	return true;
}

enum task_state scoped_hits_run(
	struct scoped_hits_counting *c, struct trace *trace, uint64_t deadline)
{
	if (c->within->kind == WITHIN_NAME) {
		count_name(c, trace);
		return TASK_DONE;
	}
	if (c->within->kind == WITHIN_KEY) {
		hits_each(trace, c->step, c->query, take_hit, c);
		return TASK_DONE;
	}
	if (!c->opened && !open_step(c, trace, deadline))
		return TASK_MORE;
	if (c->within->kind != WITHIN_ERROR)
		return count_sides(c, deadline) ? TASK_DONE : TASK_MORE;
	count_error(c);
	return TASK_DONE;
}

/* ---- blocks ---- */

static enum speaker speaker_of(enum role role)
{
	switch (role) {
	case ROLE_USER:
		return SPEAKER_USER;
	case ROLE_ASSISTANT:
		return SPEAKER_ASSISTANT;
	case ROLE_SYSTEM:
		return SPEAKER_SYSTEM;
	case ROLE_TOOL:
		return SPEAKER_TOOL;
	default:
		return SPEAKER_OTHER;
	}
}

/* What the outermost fold that holds a block is of; prose knows nothing of itself. */
static enum part_kind part_of(const struct doc *d, size_t block)
{
	size_t parent;

	while ((parent = doc_parent(d, block)) != SIZE_MAX)
		block = parent;
	return d->blocks[block].part ? (enum part_kind)(d->blocks[block].part - 1)
				     : PART_TEXT;
}

/* Words about parts are no part: not even a tool's name in them. */
static bool is_said(const struct doc *d, size_t block)
{
	return !d->blocks[block].head && d->blocks[block].part != DOC_NOTE;
}

static size_t head_of(const struct doc *d, size_t block)
{
	while (!d->blocks[block].head)
		if (!block--)
			return SIZE_MAX;
	return block;
}

static bool side_shows(const struct scoped_hits *w, const struct doc *d, size_t block)
{
	const struct side_reading *side = d->context;

	if (!side || !is_said(d, block))
		return false;
	if (!side->reading->opened->shared && side->input != (w->what != 0))
		return false;
	return tree_is_node(d, block) || head_of(d, block) != SIZE_MAX;
}

static bool key_shows(const struct scoped_hits *w, const struct doc *d, size_t block)
{
	while (tree_is_node(d, block)) {
		const struct block *b = &d->blocks[block];

		if (b->key.kind == J_STRING && jv_is(b->key, buf_view(&w->key)))
			return true;
		block = doc_parent(d, block);
	}
	return false;
}

/* The words above a side, and the value below them. */
static bool error_shows(const struct doc *d, size_t block)
{
	if (head_of(d, block) != SIZE_MAX)
		return false;
	if (!tree_is_node(d, block))
		return d->blocks[block].role == ROLE_ERROR;
	while (!d->blocks[block].root)
		block = doc_parent(d, block);
	return jv_is(d->blocks[block].key, STR("error"));
}

bool scoped_hits_shows(const struct scoped_hits *w, const struct doc *d, size_t block)
{
	size_t head;

	switch (w->kind) {
	case WITHIN_ALL:
		return true;
	case WITHIN_NAME:
		return false;
	case WITHIN_KEY:
		return key_shows(w, d, block);
	case WITHIN_SIDE:
		return side_shows(w, d, block);
	case WITHIN_ERROR:
		return error_shows(d, block);
	case WITHIN_SPEAKER:
	case WITHIN_PART:
		break;
	}
	head = head_of(d, block);
	return head != SIZE_MAX && is_said(d, block) &&
	       takes_part(w, speaker_of(d->blocks[head].role), part_of(d, block));
}
