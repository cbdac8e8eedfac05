/* A step as a piece of a transcript: see scroll.h. */
#include "config.h"
#include "view/scroll.h"

#include <math.h>

#include "chat/parts.h"
#include "text/safe.h"
#include "view/cells.h"
#include "view/conversation.h"
#include "view/difference.h"
#include "view/facts.h"
#include "view/pieces.h"
#include "view/tree.h"

#define PAPER  100   /* cells of a rule where lines are not wrapped */
#define EXPAND 64    /* new messages whose calls are looked for in other steps */
#define BELOW  256   /* steps below a wrapper that are asked whether they speak */
#define SAID   8     /* messages of a step that may have been said to another agent, */
#define TWICE  200   /* ... of so many bytes: shorter ones may be said again */
#define DEEP   64    /* levels of nesting that are told apart */
#define LINE   400   /* bytes of a text that may stand on a line */
#define ANSWER 65536 /* ... of a result that is compared with another */

#define TALKS (STEP_CALL | STEP_TURN | STEP_REQUEST | STEP_RESPONSE)

/* ---- what kind of step it is ---- */

static bool is_container(const struct trace *trace, size_t position)
{
	uint32_t flags = trace_flags(trace, trace_at(trace, position));

	return !(flags & TALKS) && flags & (STEP_CONTAINER | STEP_TRACE);
}

/* Whether what is below a step stands farther in than the step: not below a container
 * that is alone in what started it, such as a sub-agent in the call of a tool. */
static bool indents(const struct trace *trace, size_t position, uint32_t around)
{
	uint32_t parent = trace_step(trace, trace_at(trace, position)).parent;
	size_t above;

	if (trace_depth(trace, position) <= around || parent == NO_STEP ||
		!is_container(trace, position))
		return true;
	above = trace_position(trace, parent);
	return is_container(trace, above) && position != above + 1;
}

uint32_t scroll_step_depth(const struct trace *trace, size_t position)
{
	const struct chain *c = &trace->chains[trace_chain_at(trace, position)];
	size_t at = c->first, end = c->first + (c->count < DEEP ? c->count : DEEP);
	uint32_t around, bars = 0;

	/* how deep the steps of the chain are that no wrapper of all of it is */
	while (at + 1 < end && trace_has_below(trace, at) &&
		!(trace_flags(trace, trace_at(trace, at)) & TALKS))
		at++;
	around = trace_depth(trace, at);
	at = position;
	for (int i = 0; i < DEEP && trace_depth(trace, at) > around; i++) {
		uint32_t parent = trace_step(trace, trace_at(trace, at)).parent;

		if (parent == NO_STEP)
			break;
		at = trace_position(trace, parent);
		if (at >= trace->order_count)
			break;
		bars += indents(trace, at, around);
	}
	return bars;
}

/* Whether a step below it is a call of a model: then its own messages are theirs.  A call
 * is said to be one or, where the trace leaves that open, has a model and holds no
 * others. */
static bool is_spoken_for(const struct trace *trace, size_t position)
{
	uint32_t depth = trace_depth(trace, position);
	const struct chain *c = &trace->chains[trace_chain_at(trace, position)];
	size_t end = c->first + c->count;
	struct step s;

	for (size_t i = position + 1; i < end && i - position < BELOW; i++) {
		if (trace_depth(trace, i) <= depth)
			return false;
		s = trace_step(trace, trace_at(trace, i));
		if (s.flags & TALKS ||
			(s.model != NO_TEXT && !(s.flags & STEP_CONTAINER)))
			return true;
	}
	return false;
}

/* Whether a tool's step is told by a call of a model before it: one of which something is
 * known.  Some traces have of the model's calls nothing but their time. */
static bool is_told_before(const struct trace *trace, size_t position)
{
	const struct chain *c = &trace->chains[trace_chain_at(trace, position)];

	for (size_t n = 0; n < BELOW && position > c->first; n++) {
		struct step s = trace_step(trace, trace_at(trace, --position));

		if (s.flags & TALKS && (s.model != NO_TEXT || !isnan(s.input_tokens)))
			return true;
	}
	return position > c->first;
}

/* Whether it is told as a conversation, else as a line. */
static bool is_conversation(const struct scroll_step *s)
{
	const struct step_content *o = s->reading->opened;
	struct step step = trace_step(s->trace, trace_at(s->trace, s->position));

	if (step.flags & STEP_BROKEN)
		return true;
	if (!(step.flags & TALKS) &&
		(step.flags & STEP_CONTAINER || is_told_before(s->trace, s->position)) &&
		(is_spoken_for(s->trace, s->position) ||
			(step.model == NO_TEXT && trace_depth(s->trace, s->position))))
		return false; /* an agent, a tool, or a node of a graph */
	if (o->input.view == SIDE_CHAT || o->output.view == SIDE_CHAT)
		return true;
	if (o->input.view != SIDE_TEXT && o->output.view != SIDE_TEXT)
		return false;
	return step.flags & TALKS || step.model != NO_TEXT || !step.name_at;
}

/* ---- the rule ---- */

enum rule_fact { RULE_MODEL, RULE_TOKENS, RULE_COST, RULE_TIME, RULE_FACTS };

/* What stands on a rule, or on a line: safe text, in the document's arena. */
struct rule {
	size_t number;
	struct str name;
	struct str facts[RULE_FACTS];
	const char *fault; /* or NULL */
	struct str brief;  /* of a line: what it is about, and what came of it */
	bool told;         /* of a tool whose call stands above: it names the result */
};

/* `named`: by its name or, without one, its model; else by a name of its own alone. */
static struct rule *read_rule(struct doc *d, const struct scroll_step *s, bool named)
{
	struct trace *trace = s->trace;
	uint32_t index = trace_at(trace, s->position);
	struct step step = trace_step(trace, index);
	struct totals t = trace_step_totals(trace, s->position);
	struct rule *r = arena_alloc(&d->arena, sizeof(*r));
	AUTO_BUF words = BUF_INIT, raw = BUF_INIT;

	*r = (struct rule){0};
	r->fault = step.flags & STEP_BROKEN  ? "unreadable"
		   : step.flags & STEP_ERROR ? "error"
		   : step.flags & STEP_CUT   ? "cut"
					     : NULL;
	r->number =
		s->position - trace->chains[trace_chain_at(trace, s->position)].first + 1;
	step_title(trace, index, &raw);
	if (named || step.name_at || step.model == NO_TEXT)
		safe_line(&words, buf_view(&raw));
	r->name = arena_keep(&d->arena, &words);
	if (step.model != NO_TEXT && /* where it changes */
		!(s->follows && !s->top &&
			trace_step(trace, trace_at(trace, s->position - 1)).model ==
				step.model))
		safe_line(&words, trace_text(trace, step.model));
	r->facts[RULE_MODEL] = arena_keep(&d->arena, &words);
	facts_flow(&words, &t);
	if (words.len)
		buf_text(&words, " tok");
	r->facts[RULE_TOKENS] = arena_keep(&d->arena, &words);
	if (facts_says_cost(&t))
		facts_cost(&words, t.cost);
	r->facts[RULE_COST] = arena_keep(&d->arena, &words);
	facts_latency(&words, t.latency);
	r->facts[RULE_TIME] = arena_keep(&d->arena, &words);
	return r;
}

/* The cells of the facts that are shown, with what stands between them. */
static uint32_t facts_width(const struct rule *r, const bool *shown)
{
	uint32_t cells = 0;

	for (int i = 0; i < RULE_FACTS; i++)
		if (shown[i] && r->facts[i].n)
			cells += 2 + safe_width(r->facts[i]);
	return cells;
}

static void put_stroke(struct lines *out, uint32_t cells)
{
	AUTO_BUF stroke = BUF_INIT;

	for (uint32_t i = 0; i < cells; i++)
		buf_str(&stroke, glyph(GLYPH_HLINE));
	lines_put_own(out, ROLE_BORDER, buf_view(&stroke), cells);
}

#define STROKE 2 /* cells of a rule before its number, and at its end */

/* -- 12 name ------------------------ model  12.3k→450 tok  $0.012  3.2s -- */
static void layout_rule(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	static const enum rule_fact order[] = {
		RULE_MODEL, RULE_COST, RULE_TOKENS, RULE_TIME};
	const struct rule *r = b->data;
	uint32_t all = width ? width : PAPER, used, room, cells;
	bool shown[RULE_FACTS];

	if (b->gap)
		lines_begin(out);
	lines_begin(out);
	put_stroke(out, STROKE);
	lines_printf(out, ROLE_DIM, " %zu", r->number);
	used = cells_used(out);
	/* what has no room goes: first the model, then the cost, then the tokens */
	room = all > used + 3 * STROKE ? all - used - 3 * STROKE : 0;
	for (int i = 0; i < RULE_FACTS; i++)
		shown[i] = true;
	for (int i = 0; i < RULE_FACTS && facts_width(r, shown) > room; i++)
		shown[order[i]] = false;
	room = all - (all < used ? all : used);
	used = facts_width(r, shown) + 3 * STROKE;
	if (r->name.n && room > used + 6) {
		lines_put(out, ROLE_DIM, STR(" "), 1);
		cells = safe_width(r->name);
		cells_put_beginning(out, ROLE_DIM, r->name,
			cells < room - used ? cells : room - used);
	}
	if (r->fault && !str_equal(r->name, str_of(r->fault)))
		lines_printf(out, ROLE_ERROR, " %s", r->fault);
	lines_put_own(out, ROLE_DIM, STR(" "), 1);
	used = cells_used(out) + facts_width(r, shown) + STROKE + 1;
	if (!facts_width(r, shown)) {
		put_stroke(out, all > used ? all - used + STROKE + 1 : STROKE);
		return;
	}
	put_stroke(out, all > used ? all - used : 0);
	for (int i = 0; i < RULE_FACTS; i++) {
		if (!shown[i] || !r->facts[i].n)
			continue;
		lines_put_own(out, ROLE_DIM, STR("  "), 2);
		lines_put_own(
			out, ROLE_DIM, r->facts[i], (uint32_t)safe_width(r->facts[i]));
	}
	lines_put_own(out, ROLE_DIM, STR(" "), 1);
	put_stroke(out, STROKE);
}

static void copy_rule(const struct doc *d, const struct block *b, struct buf *out)
{
	const struct rule *r = b->data;

	buf_printf(out, "%zu", r->number);
	for (int i = -1; i < RULE_FACTS; i++) {
		struct str text = i < 0 ? r->name : r->facts[i];

		if (text.n)
			buf_text(out, "  ");
		buf_str(out, text);
	}
}

static const struct block_ops rule_ops = {.layout = layout_rule, .copy = copy_rule};

static struct block *add_mark(struct doc *d, const struct block_ops *ops, struct rule *r)
{
	struct block *b = doc_add(d, ops);

	b->head = true;
	b->index = SIZE_MAX;
	b->data = r;
	b->role = r->fault ? ROLE_ERROR : ROLE_DIM;
	return b;
}

/* ---- the line of a step without a conversation ---- */

/* > name  what it is about -> what came of it  0.3s */
static void layout_line(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	const struct rule *r = b->data;
	uint32_t all = width ? width : PAPER, time = safe_width(r->facts[RULE_TIME]),
		 used;

	lines_begin(out);
	lines_put(out, ROLE_TEXT, STR("  "), 2);
	if (r->told)
		glyph_put_own(out, ROLE_DIM, GLYPH_ANSWER);
	else
		lines_put_fold(out, ROLE_DIM, b->open);
	cells_put_fit(out, r->told ? ROLE_DIM : ROLE_OTHER, r->name, all / 2);
	if (r->fault)
		lines_printf(out, ROLE_ERROR, " %s", r->fault);
	used = cells_used(out) + 2 + (time ? time + 2 : 0);
	if (r->brief.n && used + 8 < all) {
		lines_put(out, ROLE_DIM, STR("  "), 2);
		cells_put_fit(out, ROLE_DIM, r->brief, all - used);
	}
	if (time) {
		if (r->name.n || r->fault)
			lines_put_own(out, ROLE_DIM, STR("  "), 2);
		lines_put_own(out, ROLE_DIM, r->facts[RULE_TIME], time);
	}
}

static void add_side(struct doc *d, const struct side *s, const char *label)
{
	size_t from = d->count;

	if (s->view == SIDE_EMPTY)
		return;
	piece_text(d, &piece_line, str_of(label), ROLE_DIM, 2 * BODY);
	if (s->view == SIDE_TEXT)
		piece_prose(d, s->text,
			message_speaker_role(role_speaker(side_role(s->prefer))),
			2 * BODY);
	else
		tree_add(d, (struct jv)JV_NONE, s->value, 2 * BODY);
	for (size_t i = from; i < d->count; i++)
		d->blocks[i].level += 1;
}

static bool toggle_line(struct doc *d, size_t at)
{
	const struct side_reading *side = d->context;
	const struct step_content *o = side->reading->opened;

	d->blocks[at].open = !d->blocks[at].open;
	if (!d->blocks[at].open) {
		doc_remove(d, at + 1, d->count - at - 1);
	} else if (step_content_is_empty(o)) {
		tree_add(d, (struct jv)JV_NONE, o->facts.value, 2 * BODY);
	} else {
		add_side(d, &o->input, "input");
		if (!o->shared)
			add_side(d, &o->output, "output");
	}
	return true;
}

static const struct block_ops line_ops = {
	.layout = layout_line, .toggle = toggle_line, .copy = copy_rule};

bool scroll_step_begins(const struct block *b)
{
	return b->ops == &rule_ops || b->ops == &line_ops;
}

/* What a step was given: its main argument, or the text of the last message of a person;
 * and, if it was not another one that spoke, what came of it. */
static void put_brief(const struct scroll_step *s, struct buf *out)
{
	const struct step_content *o = s->reading->opened;
	const struct side *in = &o->input, *got = &o->output;
	AUTO_ARENA arena = {0};
	AUTO_BUF words = BUF_INIT;

	if (in->view == SIDE_JSON)
		preview_argument(in->value, STR(""), &words);
	if (in->view == SIDE_TEXT)
		buf_add(&words, in->text.p, in->text.n < LINE ? in->text.n : LINE);
	for (size_t i = in->view == SIDE_CHAT ? in->chat.count : 0;
		i-- > 0 && !words.len;) {
		AUTO(parts_done) struct parts parts = {0};

		if (message_speaker(in->chat.items[i], in->prefer) == SPEAKER_USER)
			parts = parts_read(in->chat.items[i], &arena);
		PARTS_EACH(p, &parts)
			if (p->kind == PART_TEXT && words.len < LINE) {
				buf_text(&words, words.len ? "\n" : "");
				preview_text(p->body, LINE, &words);
			}
	}
	preview_line(buf_view(&words), LINE, out);
	if (is_spoken_for(s->trace, s->position) || o->shared)
		return;
	buf_clear(&words);
	if (got->view == SIDE_TEXT)
		buf_add(&words, got->text.p, got->text.n < LINE ? got->text.n : LINE);
	if (got->view == SIDE_JSON)
		preview_text(got->value, LINE, &words);
	if (words.len)
		buf_str(out, glyph(GLYPH_BECOMES));
	preview_line(buf_view(&words), LINE, out);
}

/* The first head that this adds keeps a distance to what is above, if there is a gap. */
static void add_message(
	struct doc *d, const struct side_reading *side, size_t message, bool gap)
{
	size_t from = d->count;

	if (new_messages_add_one(d, side, message) && from < d->count)
		d->blocks[from].gap = gap;
}

static void put_arguments(const struct part *call, struct buf *out)
{
	AUTO_ARENA arena = {0};
	AUTO_BUF words = BUF_INIT;

	preview_argument(side_open_string(call->body, &arena), STR(""), &words);
	preview_line(buf_view(&words), LINE, out);
}

/* Whether the only call right above is the very one, where none has an id. */
static bool is_call_above(const struct scroll_step *s, const struct part *call)
{
	const struct pairs *pairs = s->before_count ? reading_pairs(s->before[0]) : NULL;
	const struct part *above = NULL;
	AUTO_BUF that = BUF_INIT, this = BUF_INIT;
	size_t calls = 0;

	for (size_t i = 0; pairs && i < pairs->count; i++)
		if (pairs->ends[i].call && !pairs->ends[i].input) {
			above = pairs->ends[i].what;
			calls++;
		}
	if (calls != 1 || !jv_null(call->link))
		return false;
	jv_text(above->name, &that);
	jv_text(call->name, &this);
	put_arguments(above, &that);
	put_arguments(call, &this);
	return str_equal(buf_view(&that), buf_view(&this));
}

static void add_line(struct doc *d, struct doc *output, const struct scroll_step *s)
{
	struct reading *reading = s->reading;
	struct step_content *o = reading->opened;
	struct rule *r = read_rule(d, s, true);
	AUTO_BUF words = BUF_INIT;
	const struct part *call = NULL, *result = NULL;
	bool tool = reading_is_tool(reading, &call, &result), near = false, above = false;
	size_t said = tool ? o->output.chat.count : 0;

	/* a call that a model above has made: the line names the result, or says no more
	 * than how long that took */
	if (tool) {
		above = is_call_above(s, call);
		reading->told = true;
		r->told = reading_call_before(
				  reading, &reading_pairs(reading)->ends[0], &near) ||
			  above;
		reading->told = r->told;
	}
	if (r->told) {
		if (!(near || above) || !r->facts[RULE_TIME].n)
			jv_text(call->name, &words);
		r->name = arena_keep(&d->arena, &words);
	}
	if (tool && r->name.n)
		put_arguments(call, &words);
	if (!tool)
		put_brief(s, &words);
	r->brief = arena_keep(&d->arena, &words);
	add_mark(d, &line_ops, r);
	doc_add(d, &doc_fence_ops);
	if (r->fault && !(tool && result->error))
		conversation_add_error(d, o);
	for (size_t i = 0; i < said; i++)
		add_message(output, &reading->output, i, i);
}

static bool is_alike(const struct part *a, const struct part *b)
{
	AUTO_BUF id = BUF_INIT, other_id = BUF_INIT, text = BUF_INIT, other = BUF_INIT;

	jv_text(a->link, &id);
	jv_text(b->link, &other_id);
	preview_content(a->body, ANSWER, &text);
	preview_content(b->body, ANSWER, &other);
	return (!id.len || !other_id.len ||
		       str_equal(buf_view(&id), buf_view(&other_id))) &&
	       str_equal(str_trim(buf_view(&text)), str_trim(buf_view(&other)));
}

/* Whether a message says nothing but results, or nothing at all; *shown: the step of its
 * call, or that of a tool above, shows the very result, of all of them. */
static bool has_only_results(const struct scroll_step *s, struct jv message, bool *shown)
{
	AUTO_ARENA arena = {0};
	AUTO(parts_done) struct parts parts = parts_read(message, &arena);

	PARTS_EACH(p, &parts)
		if (p->kind != PART_RESULT)
			return false;
	*shown = true;
	for (size_t i = 0; i < parts.count && *shown; i++) {
		const struct part *p = PART_AT(&parts, i), *call;
		const struct part *result = reading_result_before(s->reading, p);

		*shown = result && is_alike(result, p);
		for (size_t k = 0; k < s->before_count && !*shown; k++)
			*shown = reading_is_tool(s->before[k], &call, &result) &&
				 is_alike(result, p);
	}
	return true;
}

/* Whether a message is the patch of an edit that its call above shows: calls of a step
 * above edit that file, in one place. */
static bool is_shown_edit(const struct scroll_step *s, struct jv message)
{
	AUTO_ARENA arena = {0};
	AUTO(touches_done) struct touches patch = {0};
	bool shown = false;
	AUTO(parts_done) struct parts parts = parts_read(message, &arena);

	if (parts.count == 1 && PART_AT(&parts, 0)->kind == PART_TEXT &&
		edit_is_patch(jv_keep(PART_AT(&parts, 0)->body, &arena)))
		touches_read(&patch, STR(""), PART_AT(&parts, 0)->body, &arena);
	for (size_t i = 0; i < s->before_count && patch.count == 1 && !shown; i++) {
		const struct pairs *pairs = reading_pairs(s->before[i]);
		AUTO_ARENA texts = {0};
		AUTO(touches_done) struct touches made = {0};

		for (size_t k = 0; k < pairs->count && k < EXPAND; k++)
			if (pairs->ends[k].call && !pairs->ends[k].input)
				touches_read(&made,
					jv_keep(pairs->ends[k].what->name, &texts),
					pairs->ends[k].what->body, &texts);
		for (size_t k = 0; k < made.count; k++)
			shown |= !made.items[k].all &&
				 str_equal(made.items[k].path, patch.items[0].path);
	}
	return shown;
}

/* The first of the new messages only answer calls of the steps above: they stand below
 * these, before the rule.  Returns the number of the next message. */
static size_t add_answers(struct doc *d, const struct scroll_step *s)
{
	const struct side_reading *side = &s->reading->input;
	const struct reading *r = side->reading;
	const struct chat *chat = &side->side->chat;
	size_t i = 0;

	while (i < chat->count && reading_change(r, true, i) == CHANGE_SHOWN)
		i++;
	for (; i < chat->count && reading_change(r, true, i) == CHANGE_NEW; i++) {
		bool shown = true;

		if (!has_only_results(s, chat->items[i], &shown) &&
			!is_shown_edit(s, chat->items[i]))
			break;
		if (!shown)
			add_message(d, side, i, false);
	}
	return i;
}

/* A side that is no conversation, as what is said there, and its images. */
static void add_said(struct doc *d, const struct side *s)
{
	if (s->view == SIDE_TEXT)
		conversation_add_text(d, s);
	if (s->view == SIDE_JSON) {
		message_add_head(d, &message_head, side_role(s->prefer), 0)->value =
			s->value;
		message_set_brief(d, d->count - 1);
		tree_add(d, (struct jv)JV_NONE, s->value, BODY);
	}
	conversation_add_images(d, s);
}

/* Whether a step right before was sent the very message: another agent of the thread. */
static bool was_said(const struct scroll_step *s, struct jv message)
{
	for (size_t i = 0; message.n >= TWICE && i < s->before_count; i++) {
		const struct chat *chat = &s->before[i]->opened->input.chat;

		for (size_t k = 0; k < chat->count && k < SAID; k++)
			if (chat->items[k].n == message.n &&
				memcmp(chat->items[k].p, message.p, message.n) == 0)
				return true;
	}
	return false;
}

static void add_input(struct doc *d, const struct scroll_step *step, size_t from)
{
	const struct side_reading *side = &step->reading->input;
	const struct side *s = side->side;
	bool known = reading_history(side->reading, true) != NULL;
	size_t rule = d->count, at;

	for (size_t i = 0; s->view == SIDE_CHAT && i < s->chat.count; i++) {
		if (known)
			new_messages_add_gone(d, side, i);
		if (i < from)
			continue;
		at = d->count;
		add_message(d, side, i, d->count > rule);
		if (i < SAID && at < d->count && was_said(step, s->chat.items[i]))
			d->blocks[at].limit = 0; /* in a line */
	}
	if (s->view == SIDE_CHAT && known)
		new_messages_add_gone(d, side, s->chat.count);
	add_said(d, s);
}

static void add_messages(
	const struct scroll_step *s, struct doc *input, struct doc *output)
{
	const struct step_content *o = s->reading->opened;
	const struct side *said = &o->output;
	uint32_t step = trace_at(s->trace, s->position);
	bool broken = o->facts.value.kind == J_NONE, gap;
	size_t next = 0, rule, from;

	if (o->input.view == SIDE_CHAT && s->follows)
		next = add_answers(input, s);
	rule = input->count;
	add_mark(input, &rule_ops, read_rule(input, s, false))->gap = !s->top;
	conversation_add_problem(input, s->trace, step, o);
	if (broken) { /* what is no JSON, as it stands */
		input->blocks[rule].limit = DOC_FOLD;
		piece_chunks(input, &piece_literal, o->text, ROLE_DIM, BODY);
		return;
	}
	add_input(input, s, next);
	if (o->shared ||
		(o->bare && o->input.value.p && o->input.value.p == said->value.p))
		return; /* both sides are in the input */
	gap = input->count > rule + 1;
	if (trace_flags(s->trace, step) & STEP_ERROR) {
		if (gap)
			piece_text(output, &piece_line, STR(""), ROLE_TEXT, 0);
		conversation_add_error(output, o);
	}
	for (size_t i = 0; said->view == SIDE_CHAT && i < said->chat.count; i++)
		add_message(output, &s->reading->output, i, gap || output->count);
	from = output->count;
	add_said(output, said);
	if ((said->view == SIDE_TEXT || said->view == SIDE_JSON) && from < output->count)
		output->blocks[from].gap = gap;
	conversation_add_end(output, s->trace, step);
}

/* Messages are read now, while the steps are open whose calls their results belong to. */
static void expand(struct doc *d)
{
	size_t done = 0;

	for (size_t i = 0; i < d->count && done < EXPAND; i++)
		if (message_is(&d->blocks[i])) {
			doc_layout(d, i);
			done++;
		}
}

void scroll_step_build(const struct scroll_step *s, struct doc *input, struct doc *output)
{
	struct reading *r = s->reading;

	input->brief = output->brief = true;
	input->context = &r->input;
	output->context = &r->output;
	r->before = s->before;
	r->before_count = s->before_count;
	if (is_conversation(s))
		add_messages(s, input, output);
	else
		add_line(input, output, s);
	expand(input);
	expand(output);
	r->before = NULL;
	r->before_count = 0;
	r->told = false;
}
