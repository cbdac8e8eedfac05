/* Opening a step of a described format: its facts by the trie, its sides by its pieces.
 */
#include "config.h"
#include "import/opening.h"

#include <math.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/sort.h"
#include "chat/parts.h"
#include "chat/side.h"
#include "import/known.h"
#include "import/stream.h"
#include "json/json.h"

struct step_leaves {
	const struct description *d;
	struct arena *arena;
	struct jv v[FIELD_MAX]; /* those that the format has */
};

static struct jv number_value(double number, struct arena *arena)
{
	struct buf text = BUF_INIT;

	json_write_number(&text, number);
	return json_kept(&text, arena);
}

struct jv known_number(double number, struct arena *arena)
{
	return isnan(number) ? JV_NONE : number_value(number, arena);
}

static void put_leaf(void *ctx, int leaf, struct jv value)
{
	struct step_leaves *l = ctx;
	struct jv *v = &l->v[leaf];
	double sum, more;

	if (l->d->summed[leaf] && jv_number(*v, &sum) && jv_number(value, &more))
		*v = number_value(sum + more, l->arena);
	else if (value.kind != J_NULL || v->kind == J_NONE)
		*v = value;
}

static struct jv leaf_of(void *ctx, int leaf)
{
	return leaf < 0 ? JV_NONE : ((struct step_leaves *)ctx)->v[leaf];
}

/* For conditions: the scan knows the text of short values only, and both must agree. */
static struct jv short_leaf_of(void *ctx, int leaf)
{
	struct jv v = leaf_of(ctx, leaf);

	return v.n > SLOT_TEXT ? (struct jv){.kind = v.kind, .cut = true} : v;
}

static void read_leaves(struct step_leaves *leaves, const struct description *d,
	uint16_t node, struct jv value, struct arena *arena)
{
	struct trie_reading r = {&d->trie, arena, put_leaf, leaves};

	leaves->d = d;
	leaves->arena = arena;
	memset(leaves->v, 0, d->trie.leaf_count * sizeof(*leaves->v));
	trie_read(&r, node, value);
}

/* The value of a place in an item of a log, or J_NONE.  Cost: linear in the item. */
static struct jv item_place(const struct description *d, const struct fact_paths *p,
	struct jv item, struct arena *arena)
{
	struct step_leaves leaves;
	enum time_unit unit;

	if (!p->count)
		return JV_NONE;
	read_leaves(&leaves, d, d->trie.step, item, arena);
	return places_value(p, leaf_of, &leaves, &unit);
}

void event_facts(struct step_content *o, struct jv event, bool row,
	const struct position_plan *columns)
{
	const struct description *d = known_events();
	struct step_leaves leaves;
	struct trie_reading r = {&d->trie, &o->arena, put_leaf, &leaves};

	read_leaves(&leaves, d, TRIE_ROOT, row ? JV_NONE : event, &o->arena);
	JV_EACH(cell, row ? event : JV_NONE) {
		uint16_t node = columns_node(columns, cell_walk.index);

		if (node != NODE_NONE)
			trie_read(&r, node, cell);
	}
	for (int fact = 0; fact < FACT_COUNT; fact++) {
		const struct fact_paths *p = &d->facts[fact];
		int place = place_that_counts(p, true, leaf_of, &leaves);

		o->facts.v[fact] = place < 0 ? JV_NONE : leaves.v[p->items[place].leaf];
	}
	o->facts.value = event;
}

/* Facts of one value; those that are there already stay, but for figures. */
static void take_leaves(struct step_content *o, const struct fact_paths *facts,
	struct step_leaves *leaves, struct jv value)
{
	for (int fact = 0; fact < FACT_COUNT; fact++) {
		const struct fact_paths *p = &facts[fact];
		bool figure = fact == FACT_REASONING_TOKENS || fact == FACT_COST ||
			      fact == FACT_STOP || fact == FACT_END || fact == FACT_MODEL;
		enum time_unit unit = TIME_PLAIN;
		double sum = 0;
		struct jv v;

		if (!p->count || (!figure && o->facts.v[fact].kind != J_NONE))
			continue;
		v = places_value(p, leaf_of, leaves, &unit);
		if (p->sum && v.kind == J_NUMBER) {
			for (size_t i = 0; i < p->count; i++)
				sum = sum_of_known(sum,
					fact_number(leaf_of(leaves, p->items[i].leaf)));
			v = number_value(sum, &o->arena);
		}
		/* where the scan cannot follow a place, it is looked for in the value */
		for (size_t i = 0; i < p->count && jv_empty(v) && v.kind != J_NUMBER; i++)
			if (p->items[i].leaf < 0)
				v = path_first(&p->items[i].path, value,
					&leaves->d->carriers, &o->arena);
		if (jv_null(v))
			continue;
		o->facts.written[fact] = v;
		if (v.kind == J_ARRAY && (fact == FACT_TIMESTAMP || fact == FACT_END))
			v = number_value(described_time(v), &o->arena);
		if (unit != TIME_PLAIN)
			v = number_value(unit_seconds_of(v, unit), &o->arena);
		o->facts.v[fact] = v;
	}
}

static void take_facts_of(struct step_content *o, const struct description *d,
	const struct fact_paths *facts, uint16_t node, struct jv value)
{
	struct step_leaves leaves;

	read_leaves(&leaves, d, node, value, &o->arena);
	take_leaves(o, facts, &leaves, value);
}

void stream_facts(struct step_content *o, const struct stream *s)
{
	const struct description *d = known_stream_events();
	struct jv *start = &o->facts.v[FACT_TIMESTAMP], *model = &o->facts.v[FACT_MODEL];
	size_t events[3], count = stream_telling(s, events);
	struct jv id = JV_NONE;

	for (size_t i = 0; i < count; i++) {
		const struct stream_event *e = &s->items[events[i]];
		struct jv error = stream_error(e), began = *start, by = *model;

		/* when it began and which model gave it, the first event says that does */
		*start = JV_NONE;
		take_facts_of(o, d, d->facts, d->trie.step, e->value);
		*start = jv_empty(began) && !jv_empty(*start) ? *start : began;
		*model = jv_empty(by) && !jv_empty(*model) ? *model : by;
		if (jv_empty(id))
			id = e->mark.id;
		if (error.kind != J_NONE)
			o->facts.v[FACT_ERROR] = error;
	}
	o->facts.v[FACT_ID] = id;
}

/* Takes what the writer found beside messages. */
static void take_beside(struct step_content *o, const struct message_writer *writer)
{
	if (writer->tools.kind != J_NONE && jv_empty(o->facts.v[FACT_TOOLS]))
		o->facts.v[FACT_TOOLS] = writer->tools;
	if (writer->parameters.kind != J_NONE && jv_empty(o->facts.v[FACT_PARAMETERS]))
		o->facts.v[FACT_PARAMETERS] = writer->parameters;
	if (writer->error.kind != J_NONE && jv_empty(o->facts.v[FACT_ERROR]))
		o->facts.v[FACT_ERROR] = writer->error;
}

/* What the input says of its request.  A dialect that the format names is surer than the
 * one that took the messages, which may be any list of them for Anthropic's. */
static void take_asked(struct step_content *o, const struct description *d,
	const struct message_writer *input)
{
	take_beside(o, input);
	o->body = input->body;
	if (d->dialect)
		o->dialect = d->dialect;
	else if (input->by != &dialect_anthropic)
		o->dialect = input->by;
}

/* The value that carries steps, as the step around them.  Where its format says nothing
 * of it, its members are said that are no lists; those are shown as steps. */
static void open_whole(
	struct step_content *o, const struct description *d, struct jv value)
{
	AUTO(emit_done) struct message_writer output = {.arena = &o->arena};
	struct buf text = BUF_INIT;

	o->facts.value = value;
	take_facts_of(o, d, d->run, TRIE_ROOT, value);
	o->input.prefer = PREFER_INPUT;
	say(&output, d, &d->run_said, value, PREFER_OUTPUT);
	if (!output.count && value.kind == J_OBJECT) {
		buf_byte(&text, '{');
		JV_PAIRS(key, member, value) {
			if (member.kind == J_ARRAY || jv_empty(member))
				continue;
			json_put_pair(&text, key, member);
		}
		buf_byte(&text, '}');
		emit_begin(&output, JV_NONE, "run");
		emit_block(&output, json_kept(&text, &o->arena));
		emit_end(&output);
	}
	side_of_writer(&o->output, &output, value, PREFER_OUTPUT);
	take_beside(o, &output);
}

/* A conversation whose last answer is the output, with what is said there beside it.  All
 * of it is the input if no other role speaks or another role does last. */
static void say_conversation(struct step_content *o, struct message_writer *input,
	struct message_writer *output, const struct description *d, struct jv value)
{
	struct message_writer asked = {.arena = &o->arena}, answered = asked;
	uint64_t before = 0; /* the answer */
	AUTO_BUF role = BUF_INIT;
	struct jv all;

	say(input, d, &d->input, value, PREFER_INPUT);
	say(output, d, &d->output, value, PREFER_OUTPUT);
	all = emit_take(input);
	JV_EACH(message, all) {
		buf_clear(&role);
		if (role_speaker(jv_str(jv_member(message, "role"), &role)) !=
			SPEAKER_ASSISTANT)
			before = message_walk.index + 1;
	}
	JV_EACH(message, all)
		emit_add_raw(!before || message_walk.index < before ? &asked : &answered,
			message);
	JV_EACH(message, emit_take(output))
		emit_add_raw(&answered, message);
	side_of_writer(&o->input, &asked, value, PREFER_INPUT);
	side_of_writer(&o->output, &answered, value, PREFER_OUTPUT);
}

/* Of the members that pieces are about only what messages do not have is left. */
static void leave_out_said(struct rest *rest, const struct said_pieces *said,
	struct jv value, struct arena *arena)
{
	for (size_t i = 0; i < said->count; i++) {
		const struct said_piece *p = &said->items[i];

		if (p->kind == PIECE_FIRST)
			leave_out_said(rest, &p->inner, value, arena);
		for (size_t n = 0; n < p->at.count; n++) {
			struct path first = {p->at.items[n].steps, 1};
			struct jv member = p->at.items[n].count
						   ? path_first(&first, value, NULL, arena)
						   : JV_NONE;

			if (member.kind == J_OBJECT && jv_member(member, "role").kind == J_NONE)
				member = path_first(&p->at.items[n], value, NULL, arena);
			rest_leave_out_messages(rest, member);
		}
	}
}

static void open_item(
	struct step_content *o, const struct description *d, struct jv value)
{
	AUTO(emit_done)
	struct message_writer input = {.arena = &o->arena}, output = {.arena = &o->arena};
	struct jv *v = o->facts.v;
	struct rest rest = {0};
	double cost, start, end;

	o->facts.value = value;
	take_facts_of(o, d, d->facts, d->trie.step, value);
	/* a cost that is stated in its parts, and a latency that is not stated but for
	 * the start and the end */
	cost = sum_of_known(
		fact_number(v[FACT_INPUT_COST]), fact_number(v[FACT_OUTPUT_COST]));
	start = described_time(v[FACT_TIMESTAMP]);
	end = described_time(v[FACT_END]);
	if (jv_null(v[FACT_COST]) && !isnan(cost))
		v[FACT_COST] = number_value(cost, &o->arena);
	if (jv_null(v[FACT_LATENCY]) && end >= start)
		v[FACT_LATENCY] = number_value(end - start, &o->arena);
	if (d->answer_last) {
		say_conversation(o, &input, &output, d, value);
	} else {
		say_side(&o->input, &input, d, &d->input, value, PREFER_INPUT, &o->arena);
		say_side(&o->output, &output, d, &d->output, value, PREFER_OUTPUT,
			&o->arena);
	}
	take_asked(o, d, &input);
	take_beside(o, &output);
	if (!d->input.count && !d->output.count) { /* it says nothing of them */
		dug_open(o, value);
	} else if (d->rest) {
		leave_out_said(&rest, &d->input, value, &o->arena);
		leave_out_said(&rest, &d->output, value, &o->arena);
		rest_show(&rest, o, value);
	}
}

/* ---- a run of values ---- */

/* A value of a run. */
struct run_item {
	struct jv value;
	const struct turn_rule *rule; /* or NULL */
	enum turn turn;    /* its rule's, or that of the message that it is about */
	struct message_writer
		*said; /* what it says, which others may say again; or NULL */
};

/* What the run says, by hash: of a text each piece that the person or the harness wrote,
 * of a call its id and the complement of that, of a result the id of its call, of any
 * other block all of it. */
struct seen_texts {
	struct idmap keys;
	const struct file_texts *harness;
	struct str item; /* the messages that are looked at, with commas between them: */
	bool looked, results, result_known; /* it has results; one was said before */
};

/* A run on its way to both sides. */
struct run_transcript {
	struct step_content *o;
	const struct description *d;
	struct run_item *items;
	size_t count, cap;
	struct message_writer input, output;
	struct seen_texts seen;
};

/* The array that was begun, in the arena. */
static struct jv end_array(struct buf *all, struct arena *arena)
{
	size_t n;

	buf_byte(all, ']');
	n = all->len;
	return jv_of((struct str){arena_take(arena, buf_take(all), n + 1).p, n}, J_ARRAY);
}

/* ---- texts that are said by several items ---- */

static uint64_t text_key(struct jv text)
{
	AUTO_BUF decoded = BUF_INIT;

	return trace_key(str_trim(jv_str(text, &decoded)));
}

/* Adds the pieces of a text that are new to `rest`: of a result only what the harness
 * wrote into it.  False: all of it is new. */
static bool text_repeats(
	struct seen_texts *h, struct jv text, bool of_result, struct buf *rest)
{
	AUTO_BUF decoded = BUF_INIT;
	struct boilerplate_walk w;
	struct str piece, by;
	bool repeats = false;

	boilerplate_begin(&w, jv_str(text, &decoded), h->harness);
	while (boilerplate_next(&w, &piece, &by)) {
		uint64_t key = trace_key(piece = str_trim(piece));

		if (!piece.n || idmap_find(&h->keys, key) != MAP_NONE) {
			repeats |= piece.n > 0;
			continue;
		}
		idmap_add(&h->keys, key, 0);
		if (of_result && !by.n)
			continue;
		buf_text(rest, rest->len ? "\n\n" : "");
		buf_str(rest, piece);
	}
	return repeats;
}

static void look_for_results(struct seen_texts *h, struct arena *arena)
{
	if (h->looked)
		return;
	h->looked = true;
	h->results = h->result_known = false;
	JV_RUN(message, h->item, NULL) {
		AUTO(parts_done)
		struct parts parts =
			parts_read_content(jv_member(message, "content"), arena);

		PARTS_EACH(p, &parts) {
			if (p->kind != PART_RESULT || p->link.kind != J_STRING)
				continue;
			h->results = true;
			h->result_known |=
				idmap_find(&h->keys, text_key(p->link)) != MAP_NONE;
		}
	}
}

/* Whether a part was said before; `rest` is what is new in it nonetheless.  A call makes
 * its result known, but no result its call, unless both stand together. */
static bool part_repeats(struct seen_texts *h, const struct part *p, struct arena *arena,
	struct buf *rest)
{
	struct jv id = p->kind == PART_JSON ? jv_member(p->raw, "id") : p->link;
	bool known, call = id.kind == J_STRING;
	uint64_t key;

	if (p->kind == PART_TEXT)
		return text_repeats(h, p->body, false, rest);
	if (call)
		look_for_results(h, arena);
	if (p->kind == PART_RESULT && call) {
		known = h->result_known;
		idmap_add(&h->keys, text_key(id), 0);
		if (p->body.kind == J_STRING)
			text_repeats(h, p->body, true, rest);
		JV_ITEMS(block, p->body) {
			struct jv text = jv_member(block, "text");

			if (text.kind == J_STRING)
				text_repeats(h, text, true, rest);
		}
		return known;
	}
	if (call)
		key = ~text_key(id);
	else if (p->kind == PART_REASONING && p->body.kind == J_STRING)
		key = text_key(p->body);
	else
		key = jv_hash(p->raw);
	known = idmap_find(&h->keys, key) != MAP_NONE;
	idmap_add(&h->keys, key, 0);
	if (!call)
		return known;
	idmap_add(&h->keys, ~key, 0);
	return h->results ? h->result_known : known;
}

/* Says a block, or what is new of it; whether all of it was said before, but for that. */
static bool say_new_block(
	struct seen_texts *h, struct jv block, struct message_writer *out)
{
	AUTO_BUF rest = BUF_INIT;
	bool repeats;
	AUTO(parts_done) struct parts parts = parts_read_content(block, out->arena);

	repeats = parts.count > 0;
	PARTS_EACH(p, &parts)
		repeats &= part_repeats(h, p, out->arena, &rest);
	if (!repeats)
		emit_block(out, block);
	else if (rest.len)
		emit_text(out, json_quoted(buf_view(&rest), out->arena));
	return repeats;
}

/* Says what is new in messages. */
static void say_new(struct seen_texts *h, struct str messages, struct message_writer *out)
{
	h->item = messages;
	h->looked = false;
	JV_RUN(message, messages, NULL) {
		struct jv content = jv_member(message, "content");
		AUTO(emit_done) struct message_writer some = {.arena = out->arena};
		bool repeats = false;

		emit_begin(&some, jv_member(message, "role"), "user");
		JV_EACH(block, content.kind == J_ARRAY ? content : JV_NONE)
			repeats |= say_new_block(h, block, &some);
		if (content.kind != J_ARRAY)
			repeats = say_new_block(
				h, jv_null(content) ? message : content, &some);
		emit_end(&some);
		if (!repeats) {
			emit_add_raw(out, message);
			continue;
		}
		message = jv_first(emit_take(&some));
		if (!jv_empty(jv_member(message, "content")))
			emit_add_raw(out, message);
	}
}

/* ---- a response in several pieces ---- */

/* A message of the assistant that is nothing but its content, which is given. */
static bool is_piece(struct jv message, struct jv *content)
{
	JV_MEMBERS(f, message, role, content, tool_calls, function_call, reasoning_content,
		reasoning, parts, name, thinking, tool_plan, refusal, audio, images,
		reasoning_details);
	*content = f.content;
	for (const struct jv *beside = &f.tool_calls; beside <= &f.reasoning_details; beside++)
		if (beside->kind != J_NONE)
			return false;
	return jv_is(f.role, STR("assistant")) && f.content.kind != J_TRUE &&
	       f.content.kind != J_FALSE && f.content.kind != J_NUMBER;
}

/* What the assistant says in pieces next to each other is one message. */
static struct jv join_pieces(struct jv messages, struct arena *arena)
{
	struct buf out = BUF_INIT;
	struct jv content;
	bool open = false, piece;

	buf_reserve(&out, messages.n);
	buf_byte(&out, '[');
	JV_EACH(message, messages) {
		piece = is_piece(message, &content);
		if (piece && jv_empty(content))
			continue;
		if (open && !piece)
			buf_text(&out, "]}");
		if (!(open && piece))
			json_item(&out);
		if (!piece)
			json_copy_value(&out, message);
		else if (!open)
			buf_text(&out, "{\"role\":\"assistant\",\"content\":[");
		open = piece;
		if (piece && (content.kind == J_STRING || content.kind == J_OBJECT)) {
			bool text = content.kind == J_STRING;

			json_item(&out);
			buf_text(&out, text ? "{\"type\":\"text\",\"text\":" : "");
			json_copy_value(&out, content);
			buf_text(&out, text ? "}" : "");
		} else if (piece) {
			JV_EACH(block, content) {
				json_item(&out);
				json_copy_value(&out, block);
			}
		}
	}
	buf_text(&out, open ? "]}" : "");
	return end_array(&out, arena);
}

/* Takes in what is said by the items of the run that may be repeated by others. */
static void read_seen(struct run_transcript *t)
{
	struct arena *arena = &t->o->arena;

	for (size_t i = 0; i < t->count; i++) {
		struct run_item *it = &t->items[i];
		AUTO(emit_done) struct message_writer new = {.arena = arena};

		if (!it->rule || it->rule->echo)
			continue;
		it->said = arena_alloc(arena, sizeof(*it->said));
		*it->said = (struct message_writer){.arena = arena};
		say(it->said, t->d, &it->rule->said, it->value,
			turn_is_answer(it->rule->turn) ? PREFER_OUTPUT : PREFER_INPUT);
		say_new(&t->seen, buf_view(&it->said->out), &new);
	}
}

/* Reads the items, with their rules and facts. */
static void read_items(struct run_transcript *t, bool first)
{
	AUTO(idmap_done) struct idmap seen = {0}, about = {0};
	const struct description *d = t->d;
	struct step_content *o = t->o;
	bool echoes = false;

	JV_RUN(item, o->text, o->extents) {
		struct jv key = item_place(d, &d->replace, item, &o->arena);
		uint32_t before =
			jv_empty(key) ? MAP_NONE : idmap_find(&seen, jv_hash(key));

		if (before != MAP_NONE) { /* it stands for the earlier one */
			/* What has been seen is in the list. */
			/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
			t->items[before].value = item;
			continue;
		}
		if (!jv_empty(key))
			idmap_add(&seen, jv_hash(key), (uint32_t)t->count);
		*MEM_ADD(t->items, t->count, t->cap) = (struct run_item){.value = item};
	}
	for (size_t i = 0; i < t->count; i++) {
		struct run_item *it = &t->items[i];
		struct step_leaves leaves;
		enum time_unit unit;
		struct jv subject;
		uint32_t known;

		read_leaves(&leaves, d, d->trie.step, it->value, &o->arena);
		it->rule = rule_that_holds(d, first && !i, short_leaf_of, &leaves);
		echoes |= it->rule && it->rule->echo;
		/* a line that is no JSON has a row of its own */
		if (it->rule ? it->rule->turn != TURN_DROP : it->value.kind != J_BAD)
			take_leaves(o, d->facts, &leaves, it->value);
		it->turn = it->rule ? it->rule->turn : TURN_INPUT;
		subject = places_value(&d->about, leaf_of, &leaves, &unit);
		if (jv_empty(subject))
			continue;
		known = idmap_find(&about, jv_hash(subject));
		it->turn = known == MAP_NONE ? it->turn : t->items[known].turn;
		if (it->turn != TURN_SKIP && it->turn != TURN_DROP)
			idmap_add(&about, jv_hash(subject), (uint32_t)i);
	}
	t->seen.harness = &d->boilerplate;
	if (echoes)
		read_seen(t);
}

/* The result of a whole run may repeat what the step before said. */
static void see_before(struct run_transcript *t, struct trace *trace, uint32_t step)
{
	struct arena *arena = &t->o->arena;
	struct str text = {NULL, 0};

	for (size_t i = 0; i < t->count; i++) {
		const struct run_item *it = &t->items[i];

		if (it->rule && it->rule->echo && it->turn == TURN_ALONE)
			text = step_text(trace, step - 1, arena);
	}
	JV_RUN(item, text, NULL) {
		AUTO(emit_done)
		struct message_writer said = {.arena = arena}, new = {.arena = arena};
		struct step_leaves leaves;
		const struct turn_rule *rule;

		read_leaves(&leaves, t->d, t->d->trie.step, item, arena);
		rule = rule_that_holds(t->d, false, short_leaf_of, &leaves);

		if (!rule || rule->turn != TURN_OUTPUT)
			continue;
		say(&said, t->d, &rule->said, item, PREFER_OUTPUT);
		emit_end(&said);
		say_new(&t->seen, buf_view(&said.out), &new);
	}
}

/* What the rule of an item says of it, or what is new in that; as it was said before. */
static void say_by_rule(struct run_transcript *t, const struct run_item *it,
	struct jv value, bool answer, enum prefer side)
{
	struct message_writer *writer = answer ? &t->output : &t->input;
	size_t from = writer->out.len, messages = writer->count;
	struct str said;

	if (it->said && !it->rule->together &&
		turn_is_answer(it->rule->turn) == (side == PREFER_OUTPUT)) {
		emit_add(writer, it->said);
		emit_done(it->said);
		return;
	}
	say(writer, t->d, &it->rule->said, value, side);
	if (!it->rule->echo)
		return;
	emit_end(writer);
	if (writer->count == messages)
		return;
	said = (struct str){writer->out.data + from, writer->out.len - from};
	said = arena_dup(writer->arena, said);
	writer->out.len = from;
	writer->count = messages;
	say_new(&t->seen, said, writer);
}

/* Says an item, or those from *at on that are said together; *at is the last of them. */
static void say_item(struct run_transcript *t, size_t *at)
{
	const struct run_item *it = &t->items[*at];
	const struct turn_rule *rule = it->rule;
	struct jv value = it->value;
	bool own = rule && (it->turn == TURN_OUTPUT || it->turn == TURN_ALONE);
	/* what is between two pieces of a response belongs to it */
	bool answer = own || t->output.count;
	struct message_writer *writer = answer ? &t->output : &t->input;
	struct buf all = BUF_INIT;

	if (rule ? rule->turn == TURN_DROP : value.kind == J_BAD)
		return;
	if (!rule) { /* it is shown as JSON */
		emit_begin(writer, jv_member(value, "type"), "note");
		emit_block(writer, value);
		emit_end(writer);
		return;
	}
	t->o->resets |= rule->resets;
	if (rule->together) {
		buf_byte(&all, '[');
		for (size_t i = *at; i < t->count; i++) {
			const struct turn_rule *other = t->items[i].rule;

			if (other && (other->turn == TURN_SKIP || other->turn == TURN_DROP))
				continue;
			if (other != rule)
				break;
			json_item(&all);
			json_copy_value(&all, t->items[i].value);
			*at = i;
		}
		value = end_array(&all, &t->o->arena);
	}
	if (rule->turn == TURN_BOTH) {
		say(&t->input, t->d, &t->d->input, value, PREFER_INPUT);
		say(&t->output, t->d, &t->d->output, value, PREFER_OUTPUT);
		answer = own = true;
	}
	say_by_rule(t, it, value, answer, own ? PREFER_OUTPUT : PREFER_INPUT);
}

static void open_run(struct step_content *o, const struct description *d,
	struct trace *trace, uint32_t step)
{
	bool first = !step || trace_step(trace, step - 1).scope !=
				      trace_step(trace, step).scope; /* of the log */
	struct run_transcript t = {.o = o,
		.d = d,
		.input = {.arena = &o->arena},
		.output = {.arena = &o->arena}};
	struct buf all = BUF_INIT;

	/* all of it as one array: what its JSON is shown as */
	buf_reserve(&all, o->text.n + 2);
	buf_byte(&all, '[');
	JV_RUN(item, o->text, o->extents) {
		json_item(&all);
		json_copy_value(&all, item);
	}
	o->facts.value = end_array(&all, &o->arena);
	read_items(&t, first);
	if (!first)
		see_before(&t, trace, step);
	for (size_t i = 0; i < t.count; i++)
		say_item(&t, &i);
	side_of_writer(&o->input, &t.input, o->facts.value, PREFER_INPUT);
	o->output.prefer = PREFER_OUTPUT;
	if (t.output.count)
		side_of_messages(&o->output, join_pieces(emit_take(&t.output), &o->arena),
			o->facts.value, PREFER_OUTPUT);
	take_asked(o, d, &t.input);
	take_beside(o, &t.output);
	emit_done(&t.input);
	emit_done(&t.output);
	idmap_done(&t.seen.keys);
	for (size_t i = 0; i < t.count; i++)
		if (t.items[i].said)
			emit_done(t.items[i].said);
	mem_free(t.items);
}

/* ---- when records were written ---- */

#define SEARCHES 64 /* times that the whole text may be searched */

void record_times_read(struct record_times *t, struct trace *trace, uint32_t step,
	const struct step_content *o)
{
	const struct description *d =
		trace->scopes[trace_step(trace, step).scope].description;
	t->count = t->next = t->searched = 0;
	JV_RUN(item, o->run ? o->text : STR(""), o->extents) {
		size_t at = (size_t)(item_walk.p - o->text.p);
		AUTO_ARENA arena = {0};
		struct jv time = item_place(d, &d->facts[FACT_TIMESTAMP], item, &arena);

		*MEM_ADD(t->items, t->count, t->cap) =
			(struct record_time){at, described_time(time)};
	}
}

static size_t find_from(struct record_times *t, struct str all, struct str text, size_t at)
{
	const char *found =
		at < all.n ? memmem(all.p + at, all.n - at, text.p, text.n) : NULL;
	size_t end = found ? (size_t)(found - all.p) : all.n;

	t->searched += end > at ? end - at : 0;
	return found ? end : SIZE_MAX;
}

double record_time(
	struct record_times *t, const struct step_content *o, struct str text, bool last)
{
	double found = NAN;
	size_t at;

	if (!t->count || !text.n || t->searched / SEARCHES > o->text.n)
		return NAN;
	at = find_from(t, o->text, text, t->next);
	if (at == SIZE_MAX)
		at = find_from(t, o->text, text, 0);
	t->next = at == SIZE_MAX ? 0 : at;
	while (at != SIZE_MAX && (last || isnan(found))) {
		size_t record = SORTED_BELOW(t->items, t->count, end, at + 1);

		if (record == t->count)
			break;
		if (!isnan(t->items[record].at))
			found = t->items[record].at;
		at = find_from(t, o->text, text, t->items[record].end);
	}
	return found;
}

void record_times_done(struct record_times *t)
{
	mem_free(t->items);
	*t = (struct record_times){0};
}

void open_described(
	struct step_content *o, struct trace *trace, uint32_t step, struct jv value)
{
	struct step s = trace_step(trace, step);
	const struct description *d = trace->scopes[s.scope].description;
	bool whole = d->has_run && s.offset == trace->scopes[s.scope].offset;
	uint32_t shared = trace->scopes[s.scope].shared;
	struct jv *v = o->facts.v;

	o->run = s.flags & STEP_TURN;
	if (o->run)
		open_run(o, d, trace, step);
	else if (whole)
		open_whole(o, d, value);
	else
		open_item(o, d, value);
	/* figures that the list made of those of several items or steps: sums, or growth
	 */
	if (o->run || (d->cumulative && !whole)) {
		v[FACT_COST] = known_number(s.cost, &o->arena);
		v[FACT_LATENCY] = known_number(s.latency, &o->arena);
	}
	/* the model that it knows from elsewhere: an earlier line, the whole run */
	if (s.model != NO_TEXT && jv_empty(v[FACT_MODEL]))
		v[FACT_MODEL] = json_quoted(trace_text(trace, s.model), &o->arena);
	if (shared == NO_TEXT)
		return;
	/* what the trace states for all its steps, and the step itself does not */
	JV_EACH(fact, jv_parse(arena_dup(&o->arena, trace_text(trace, shared))))
		if (jv_empty(v[shared_facts[fact_walk.index]]))
			v[shared_facts[fact_walk.index]] = fact;
}
