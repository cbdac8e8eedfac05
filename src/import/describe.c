/*
 * From the JSON form of a format file to what the engine uses: see describe.h.  What a
 * file may say is checked here, member by member; a wrong one is named.
 */
#include "config.h"
#include "import/maker.h"

#include <stddef.h>

#include "base/home.h"
#include "base/mem.h"
#include "base/suggest.h"
#include "import/beside.h"
#include "json/copy.h"

/* ---- what bodies of providers say ----
 *
 * Where each provider's response has its facts: OpenAI (both interfaces) and look-alikes,
 * Anthropic, Gemini, Bedrock Converse, Cohere, Ollama; whole, and the events of streams.
 * A key stands for its camelCase twin as well.
 */

/* Where a format says that a value is such a body, these are its facts, in order of
 * preference, whichever provider wrote it.  In an array of the events of a stream they are
 * those of its items; the last that has one counts. */
struct body_fact {
	enum fact fact;
	const char *place; /* a path in the body, and perhaps a unit; or NULL at the end */
};

static const struct body_fact request_facts[] = {
	{FACT_MODEL, "model"},
	{FACT_MODEL, "model_id"},
	{FACT_COUNT, NULL},
};

static const struct body_fact response_facts[] = {
	{FACT_MODEL, "model"},
	{FACT_MODEL, "model_version"},
	{FACT_MODEL, "response.model"},
	{FACT_MODEL, "message.model"},
	{FACT_ID, "id"},
	{FACT_ID, "response_id"},
	{FACT_ID, "response.id"},
	{FACT_ID, "message.id"},
	{FACT_TIMESTAMP, "created"},
	{FACT_TIMESTAMP, "created_at"},
	{FACT_TIMESTAMP, "create_time"},
	{FACT_TIMESTAMP, "response.created_at"},
	{FACT_INPUT_TOKENS, "usage.prompt_tokens"},
	{FACT_FRESH_TOKENS, "usage.input_tokens"},
	{FACT_INPUT_TOKENS, "usage_metadata.prompt_token_count"},
	{FACT_INPUT_TOKENS, "usage.tokens.input_tokens"},
	{FACT_INPUT_TOKENS, "prompt_eval_count"},
	{FACT_FRESH_TOKENS, "response.usage.input_tokens"},
	{FACT_FRESH_TOKENS, "metadata.usage.input_tokens"},
	{FACT_INPUT_TOKENS, "delta.usage.tokens.input_tokens"},
	{FACT_INPUT_TOKENS, "meta.tokens.input_tokens"},
	{FACT_INPUT_TOKENS, "x_groq.usage.prompt_tokens"},
	{FACT_FRESH_TOKENS, "message.usage.input_tokens"},
	{FACT_INPUT_TOKENS, "prompt_token_count"},
	{FACT_INPUT_TOKENS, "input_text_token_count"},
	{FACT_OUTPUT_TOKENS, "usage.completion_tokens"},
	{FACT_OUTPUT_TOKENS, "usage.output_tokens"},
	{FACT_ANSWER_TOKENS, "usage_metadata.candidates_token_count"},
	{FACT_OUTPUT_TOKENS, "usage.tokens.output_tokens"},
	{FACT_OUTPUT_TOKENS, "eval_count"},
	{FACT_OUTPUT_TOKENS, "response.usage.output_tokens"},
	{FACT_OUTPUT_TOKENS, "metadata.usage.output_tokens"},
	{FACT_OUTPUT_TOKENS, "delta.usage.tokens.output_tokens"},
	{FACT_OUTPUT_TOKENS, "meta.tokens.output_tokens"},
	{FACT_OUTPUT_TOKENS, "x_groq.usage.completion_tokens"},
	{FACT_OUTPUT_TOKENS, "message.usage.output_tokens"},
	{FACT_OUTPUT_TOKENS, "generation_token_count"},
	{FACT_OUTPUT_TOKENS, "results[*].token_count"},
	{FACT_CACHE_READ, "usage.cache_read_input_tokens"},
	{FACT_CACHED_TOKENS, "usage.prompt_tokens_details.cached_tokens"},
	{FACT_CACHED_TOKENS, "usage.input_tokens_details.cached_tokens"},
	{FACT_CACHED_TOKENS, "usage_metadata.cached_content_token_count"},
	{FACT_CACHED_TOKENS, "usage.cached_tokens"},
	{FACT_CACHED_TOKENS, "delta.usage.cached_tokens"},
	{FACT_CACHED_TOKENS, "usage.prompt_cache_hit_tokens"},
	{FACT_CACHED_TOKENS, "response.usage.input_tokens_details.cached_tokens"},
	{FACT_CACHE_READ, "metadata.usage.cache_read_input_tokens"},
	{FACT_CACHE_READ, "message.usage.cache_read_input_tokens"},
	{FACT_CACHE_WRITE, "usage.cache_creation_input_tokens"},
	{FACT_CACHE_WRITE, "usage.cache_write_input_tokens"},
	{FACT_CACHE_WRITE, "metadata.usage.cache_write_input_tokens"},
	{FACT_CACHE_WRITE, "message.usage.cache_creation_input_tokens"},
	{FACT_CACHE_HOUR, "usage.cache_creation.ephemeral_1h_input_tokens"},
	{FACT_CACHE_HOUR, "message.usage.cache_creation.ephemeral_1h_input_tokens"},
	{FACT_CACHE_READ, "usage.cache_read_input_token_count"},
	{FACT_CACHE_WRITE, "usage.cache_write_input_token_count"},
	{FACT_REASONING_TOKENS, "usage_metadata.thoughts_token_count"},
	{FACT_REASONING_TOKENS, "usage.completion_tokens_details.reasoning_tokens"},
	{FACT_REASONING_TOKENS, "usage.output_tokens_details.reasoning_tokens"},
	{FACT_REASONING_TOKENS, "response.usage.output_tokens_details.reasoning_tokens"},
	{FACT_REASONING_TOKENS, "usage.reasoning_tokens"},
	{FACT_TOTAL_TOKENS, "usage.total_tokens"},
	{FACT_TOTAL_TOKENS, "usage_metadata.total_token_count"},
	{FACT_TOTAL_TOKENS, "response.usage.total_tokens"},
	{FACT_COST, "usage.cost"},
	{FACT_LATENCY, "metrics.latency_ms ms"},
	{FACT_LATENCY, "total_duration ns"},
	{FACT_LATENCY, "metadata.metrics.latency_ms ms"},
	{FACT_STOP, "stop_reason"},
	{FACT_STOP, "finish_reason"},
	{FACT_STOP, "choices[*].finish_reason"},
	{FACT_STOP, "candidates[*].finish_reason"},
	{FACT_STOP, "done_reason"},
	{FACT_STOP, "delta.stop_reason"},
	{FACT_STOP, "delta.finish_reason"},
	{FACT_STOP, "message_stop.stop_reason"},
	{FACT_STOP, "incomplete_details.reason"},
	{FACT_STOP, "response.incomplete_details.reason"},
	{FACT_ERROR, "error"},
	{FACT_ERROR, "response.error"},
	{FACT_PROVIDER, "provider"},
	{FACT_COUNT, NULL},
};

/* ---- what a step says ---- */

/* ---- pieces ---- */

static struct said_pieces maker_said(
	struct description_maker *m, const char *member, struct jv v, unsigned depth);

static const struct {
	const char *word;
	enum piece_kind kind;
} piece_words[] = {
	{"messages", PIECE_MESSAGES},
	{"text", PIECE_TEXT},
	{"thinking", PIECE_THINKING},
	{"call", PIECE_CALL},
	{"result", PIECE_RESULT},
	{"image", PIECE_IMAGE},
	{"json", PIECE_JSON},
	{"patch", PIECE_PATCH},
	{"tools", PIECE_TOOLS},
	{"parameters", PIECE_PARAMETERS},
	{"each", PIECE_EACH},
	{"tree", PIECE_TREE},
};
#define PIECE_WORDS (sizeof(piece_words) / sizeof(*piece_words))

static bool read_kind(struct description_maker *m, const char *member,
	struct said_piece *p, struct jv v)
{
	for (size_t i = 0; i < PIECE_WORDS; i++) {
		struct jv at = jv_member(v, piece_words[i].word);

		if (at.kind == J_NONE)
			continue;
		p->kind = piece_words[i].kind;
		p->at = maker_places(m, member, at);
		return true;
	}
	if (jv_member(v, "first").kind == J_ARRAY) {
		p->kind = PIECE_FIRST;
		return true;
	}
	maker_fail(m, member,
		"says nothing: messages, text, call, result, each or the like");
	return false;
}

/* {human: user, "true": user} */
static const struct renamed *read_roles(
	struct description_maker *m, struct jv v, size_t *count)
{
	struct renamed *roles = maker_room(m, jv_count(v, SIZE_MAX), sizeof(*roles));

	*count = 0;
	JV_FIELDS(key, role, v)
		roles[(*count)++] =
			(struct renamed){jv_keep(key, m->arena), jv_keep(role, m->arena)};
	return roles;
}

/* Words of a piece that are places of values. */
static const struct {
	const char *word;
	size_t at; /* in struct said_piece */
} piece_places[] = {
	{"role_at", offsetof(struct said_piece, role_at)},
	{"sort", offsetof(struct said_piece, sort)},
	{"id", offsetof(struct said_piece, id)},
	{"name", offsetof(struct said_piece, name)},
	{"beside", offsetof(struct said_piece, beside)},
	{"node_id", offsetof(struct said_piece, node_id)},
	{"parent", offsetof(struct said_piece, parent)},
	{"children", offsetof(struct said_piece, children)},
	{"leaf", offsetof(struct said_piece, leaf)},
};

static void read_piece_places(
	struct description_maker *m, struct said_piece *p, struct jv v)
{
	for (size_t i = 0; i < sizeof(piece_places) / sizeof(*piece_places); i++) {
		struct value_places *at =
			(struct value_places *)((char *)p + piece_places[i].at);

		*at = maker_places(
			m, piece_places[i].word, jv_member(v, piece_places[i].word));
	}
}

static const char *const piece_members[] = {"messages", "text", "thinking", "call",
	"result", "image", "json", "patch", "tools", "parameters", "each", "tree", "when", "role",
	"role_at", "roles", "sort", "dialect", "alone", "id", "name", "called", "failed",
	"say", "first", "node_id", "parent", "leaf", "beside", "gather", "joins",
	"children", "free_form", "id_end", NULL};

static struct said_piece read_piece(
	struct description_maker *m, const char *member, struct jv v, unsigned depth)
{
	struct said_piece p = {.kind = PIECE_MESSAGES, .dialect = m->d->dialect};
	struct jv called = jv_member(v, "called"), role = jv_member(v, "role"),
		  dialect = jv_member(v, "dialect"), id_end = jv_member(v, "id_end");
	struct said_pieces inner;

	if (v.kind == J_STRING || v.kind == J_ARRAY) {
		p.at = maker_places(m, member, v);
		return p;
	}
	if (v.kind != J_OBJECT || !read_kind(m, member, &p, v)) {
		maker_fail(m, member, "neither a path nor a mapping");
		return p;
	}
	maker_check(m, member, v, piece_members);
	read_piece_places(m, &p, v);
	p.role = role.kind == J_STRING ? maker_text(m, role) : NULL;
	p.roles = read_roles(m, jv_member(v, "roles"), &p.role_count);
	if (dialect.kind != J_NONE)
		p.dialect = maker_dialect(m, dialect);
	p.when = maker_groups(m, "when", jv_member(v, "when"), NO_NODE);
	p.failed = maker_groups(m, "failed", jv_member(v, "failed"), NO_NODE);
	p.free_form = maker_groups(m, "free_form", jv_member(v, "free_form"), NO_NODE);
	if (id_end.kind == J_STRING)
		p.id_end = str_of(maker_text(m, id_end));
	p.alone = maker_flag(m, "alone", jv_member(v, "alone"));
	p.joins = maker_flag(m, "joins", jv_member(v, "joins"));
	p.gather = maker_texts(m, jv_member(v, "gather"), &p.gather_count);
	if (called.kind == J_STRING)
		p.called = called;
	inner = p.kind == PIECE_FIRST
			? maker_said(m, "first", jv_member(v, "first"), depth + 1)
			: maker_said(m, "say", jv_member(v, "say"), depth + 1);
	p.pieces = inner.pieces;
	p.piece_count = inner.count;
	return p;
}

static struct said_pieces maker_said(
	struct description_maker *m, const char *member, struct jv v, unsigned depth)
{
	struct maker_list l;
	struct said_pieces s = {
		.pieces = maker_room(m, maker_begin(&l, v), sizeof(*s.pieces))};
	struct jv item;

	if (depth > 6)
		maker_fail(m, member, "nested too deep");
	while (depth <= 6 && maker_next(&l, &item))
		s.pieces[s.count++] = read_piece(m, member, item, depth);
	return s;
}

/* ---- bodies of providers ---- */

/* "response.body", "[*]" and "usage.cost" is one path; "." adds nothing. */
static struct jv joined(
	struct description_maker *m, struct jv from, const char *each, const char *to)
{
	AUTO_BUF text = BUF_INIT;

	if (!jv_is(from, STR(".")))
		jv_text(from, &text);
	buf_text(&text, each);
	buf_text(&text, text.len ? "." : "");
	buf_text(&text, to);
	return json_quoted(buf_view(&text), m->arena);
}

/* Gives the value at a path the leaf of another path.  A unit may follow the path. */
static void share_leaf(struct description_maker *m, struct jv path, int16_t leaf)
{
	const char *text = maker_text(m, path);
	struct path p;
	uint16_t node;

	if (!path_parse(&p, (struct str){text, strcspn(text, " ")}, m->arena))
		return;
	node = trie_node_of(m->trie, m->d->trie.step, &p, p.count);
	if (node != NODE_NONE && m->trie->nodes[node].leaf < 0)
		m->trie->nodes[node].leaf = leaf;
}

/* The place of a fact in a body, and that in each event of a stream, as one leaf. */
static struct fact_place body_place(
	struct description_maker *m, struct jv body, const char *to)
{
	/* of each event, and where these are packed in pieces */
	static const char *const events[] = {"[*]", "[*][*]"};
	uint16_t from = m->d->trie.step;
	struct fact_place place;

	place = maker_fact_place(m, "bodies", joined(m, body, "", to), from);
	if (jv_is(body, STR(".")) && from == TRIE_ROOT &&
		m->trie->nodes[TRIE_ROOT].each == TRIE_ROOT)
		return place; /* its items are steps */
	for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++)
		share_leaf(m, joined(m, body, events[i], to), place.leaf);
	return place;
}

/* Adds a place after those that the file itself names. */
static void add_body_fact(
	struct description_maker *m, struct jv body, const struct body_fact *f)
{
	struct fact_places *p = &m->d->facts[f->fact];
	struct fact_place *items = maker_room(m, p->count + 1, sizeof(*items));

	if (p->count)
		memcpy(items, p->items, p->count * sizeof(*items));
	items[p->count] = body_place(m, body, f->place);
	p->items = items;
	p->count++;
}

static void read_body(struct description_maker *m, struct jv paths,
	const struct body_fact *facts, struct said_pieces *side)
{
	struct maker_list l;
	struct jv body;

	for (size_t i = 0; facts[i].place; i++)
		for (maker_begin(&l, paths); maker_next(&l, &body);)
			add_body_fact(m, body, &facts[i]);
	if (side->count || !maker_begin(&l, paths))
		return;
	*side = (struct said_pieces){maker_room(m, 1, sizeof(*side->pieces)), 1};
	side->pieces[0] = (struct said_piece){
		.at = maker_places(m, "bodies", paths), .dialect = m->d->dialect};
}

/* Values that are the request and the response of a provider. */
static void read_bodies(struct description_maker *m, struct jv v)
{
	static const char *const words[] = {"request", "response", NULL};
	struct description *d = m->d;

	maker_check(m, "bodies", v, words);
	read_body(m, jv_member(v, "response"), response_facts, &d->output);
	read_body(m, jv_member(v, "request"), request_facts, &d->input);
}

/* ---- the file ---- */

static enum turn read_turn(struct description_maker *m, struct jv v)
{
	static const struct str words[] = {{"input", 5}, {"output", 6}, {"both", 4},
		{"skip", 4}, {"alone", 5}, {"drop", 4}};

	for (int i = 0; i < 6; i++)
		if (jv_is(v, words[i]))
			return (enum turn)i;
	maker_fail(m, "turns.items.as", "one of input, output, both, skip, alone, drop");
	return TURN_SKIP;
}

static void read_rules(struct description_maker *m, struct jv items)
{
	struct description *d = m->d;
	struct maker_list l;
	struct jv item;

	d->rules = maker_room(m, maker_begin(&l, items), sizeof(*d->rules));
	while (maker_next(&l, &item)) {
		static const char *const words[] = {"when", "as", "say", "together",
			"echo", "sums", "first", "resets", NULL};
		struct turn_rule *r = &d->rules[d->rule_count++];

		maker_check(m, "turns.items", item, words);

		r->when = maker_groups(
			m, "turns.items.when", jv_member(item, "when"), d->trie.step);
		r->turn = read_turn(m, jv_member(item, "as"));
		r->together = maker_flag(
			m, "turns.items.together", jv_member(item, "together"));
		r->echo = maker_flag(m, "turns.items.echo", jv_member(item, "echo"));
		r->sums_all = jv_is(jv_member(item, "sums"), STR("all"));
		r->sums = r->sums_all ||
			  maker_flag(m, "turns.items.sums", jv_member(item, "sums"));
		r->first = maker_flag(m, "turns.items.first", jv_member(item, "first"));
		r->resets =
			maker_flag(m, "turns.items.resets", jv_member(item, "resets"));
		r->said = maker_said(m, "turns.items.say", jv_member(item, "say"), 0);
	}
}

/* Whether the figures are added up. */
static bool read_tokens(struct description_maker *m, const char *member, struct jv v)
{
	if (!jv_null(v) && !jv_is(v, STR("add")))
		maker_fail(m, member, "add, or nothing");
	return jv_is(v, STR("add"));
}

static void read_turns(struct description_maker *m, struct jv v)
{
	struct description *d = m->d;

	static const char *const words[] = {
		"join", "about", "replace", "tokens", "carry_model", "items", NULL};

	d->turns = v.kind == J_OBJECT;
	maker_check(m, "turns", v, words);
	if (!d->turns)
		return;
	d->join = maker_fact_places(m, "turns.join", jv_member(v, "join"), d->trie.step);
	d->about =
		maker_fact_places(m, "turns.about", jv_member(v, "about"), d->trie.step);
	d->replace = maker_fact_places(
		m, "turns.replace", jv_member(v, "replace"), d->trie.step);
	d->add_tokens = read_tokens(m, "turns.tokens", jv_member(v, "tokens"));
	d->carry_model = maker_flag(m, "turns.carry_model", jv_member(v, "carry_model"));
	read_rules(m, jv_member(v, "items"));
}

static void fail_fact(struct description_maker *m, const char *member, struct str word)
{
	struct suggest near;
	AUTO_BUF why = BUF_INIT;

	suggest_begin(&near, word);
	for (size_t i = 0; fact_word(i).n; i++)
		suggest_try(&near, fact_word(i));
	buf_text(&why, "no such fact");
	suggest_put(&near, &why);
	maker_fail(m, member, why.data);
}

static void read_facts(struct description_maker *m, struct jv v,
	struct fact_places *facts, uint16_t from)
{
	if (!jv_null(v) && v.kind != J_OBJECT)
		maker_fail(m, "facts", "not a mapping");
	JV_FIELDS(key, value, v) {
		struct str word = jv_keep(key, m->arena);
		AUTO_BUF member = BUF_INIT;
		int fact = fact_of_word(word);

		buf_printf(&member, "facts.%.*s", (int)word.n, word.p);
		if (fact < 0)
			fail_fact(m, member.data, word);
		else
			facts[fact] = maker_fact_places(m, member.data, value, from);
	}
}

/* The node of a path in a step, which the scan can follow; made when it is new. */
static uint16_t maker_node(struct description_maker *m, const char *member, struct jv v)
{
	struct path p = maker_path(m, member, v);
	uint16_t node = trie_node_of(m->trie, m->d->trie.step, &p, p.count);

	if (node == NODE_NONE)
		maker_fail(m, member, "the scan cannot follow this path");
	return node == NODE_NONE ? m->d->trie.step : node;
}

static void read_run(struct description_maker *m, struct jv v)
{
	static const char *const words[] = {"facts", "say", "when", NULL};
	struct description *d = m->d;

	d->has_run = v.kind == J_OBJECT;
	maker_check(m, "run", v, words);
	if (!d->has_run)
		return;
	if (d->trie.step == TRIE_ROOT)
		maker_fail(m, "run", "the steps are no members of a value");
	read_facts(m, jv_member(v, "facts"), d->run, TRIE_ROOT);
	d->run_said = maker_said(m, "run.say", jv_member(v, "say"), 0);
	d->run_when = maker_groups(m, "run.when", jv_member(v, "when"), TRIE_ROOT);
}

static void read_kinds(struct description_maker *m, struct jv v)
{
	static const char *const words[] = {
		"at", "call", "container", "trace", "call_when", "container_when", NULL};
	struct description *d = m->d;

	maker_check(m, "kind", v, words);
	d->kind_at = maker_fact_places(m, "kind.at", jv_member(v, "at"), d->trie.step);
	d->calls = maker_texts(m, jv_member(v, "call"), &d->call_count);
	d->containers = maker_texts(m, jv_member(v, "container"), &d->container_count);
	d->traces = maker_texts(m, jv_member(v, "trace"), &d->trace_count);
	d->call_when = maker_groups(
		m, "kind.call_when", jv_member(v, "call_when"), d->trie.step);
	d->container_when = maker_groups(
		m, "kind.container_when", jv_member(v, "container_when"), d->trie.step);
}

/* Where the steps are: lines, value, or paths that end in [*]. */
static void read_steps(struct description_maker *m, struct jv v)
{
	struct description *d = m->d;
	struct maker_list l;
	struct jv item;

	if (!maker_begin(&l, v))
		maker_fail(m, "steps", "lines, value, or paths that end in [*]");
	while (maker_next(&l, &item)) {
		d->lines |= jv_is(item, STR("lines"));
		d->value |= jv_is(item, STR("value"));
	}
	trie_begin(&d->trie, m->arena, !d->lines && !d->value, FIELD_MAX);
	maker_begin(&l, v);
	while (maker_next(&l, &item)) {
		struct path p;
		uint16_t at;

		if (jv_is(item, STR("lines")) || jv_is(item, STR("value")))
			continue;
		p = maker_path(m, "steps", item);
		if (m->failed || !p.count ||
			(p.steps[p.count - 1].kind != PATH_EACH &&
				p.steps[p.count - 1].kind != PATH_MEMBERS)) {
			maker_fail(m, "steps", "lines, value, or paths that end in [*]");
			return;
		}
		at = trie_node_of(&d->trie, TRIE_ROOT, &p, p.count - 1);
		if (at == NODE_NONE) {
			maker_fail(m, "steps", "the scan cannot follow this path");
			return;
		}
		trie_carry_steps(
			&d->trie, at, p.steps[p.count - 1].kind == PATH_MEMBERS, false);
	}
}

static void read_children(struct description_maker *m, struct jv v)
{
	struct description *d = m->d;
	struct maker_list l;
	struct jv item;

	maker_begin(&l, v);
	while (maker_next(&l, &item)) {
		struct path p = maker_path(m, "children", item);
		uint16_t at = trie_node_of(&d->trie, d->trie.step, &p, p.count);

		if (at == NODE_NONE)
			continue;
		trie_carry_steps(&d->trie, at, false, true);
	}
}

/* The signs of the members of events, and the columns of rows that have no names. */
static void read_events(struct description_maker *m, struct jv signs, struct jv columns)
{
	static const char *const words[] = {"event", "input", "ai", "chain", "message",
		"context", "history", "elements", "stream", NULL};
	struct description *d = m->d;
	struct maker_list l;
	struct jv item;

	d->events = signs.kind == J_OBJECT;
	maker_check(m, "signs", signs, words);
	for (size_t i = 0; d->events && words[i]; i++)
		for (maker_begin(&l, jv_member(signs, words[i]));
			maker_next(&l, &item);) {
			uint16_t node = maker_node(m, "signs", item); /* it moves them */

			d->trie.nodes[node].signs |= (uint16_t)(1u << i);
		}
	d->columns.nodes = maker_room(
		m, maker_begin(&l, columns), sizeof(*d->columns.nodes));
	while (maker_next(&l, &item))
		d->columns.nodes[d->columns.count++] = maker_node(m, "columns", item);
}

static void read_attached(struct description_maker *m, struct jv v)
{
	struct description *d = m->d;
	struct jv key, path;

	d->attached = maker_room(m, jv_count(v, 64), sizeof(*d->attached));
	for (struct jwalk w = jwalk_of(v); v.kind == J_OBJECT && d->attached_count < 64 &&
					   jwalk_next(&w, &key, &path);)
		d->attached[d->attached_count++] = (struct attachment){
			jv_keep(key, m->arena), maker_path(m, "attached", path)};
}

static void read_trace(struct description_maker *m, struct jv v)
{
	const char *words[2 + SHARED_FACTS + 1] = {"id", "name"};

	for (size_t i = 0; i < SHARED_FACTS; i++)
		words[2 + i] = fact_name(shared_facts[i]);
	maker_check(m, "trace", v, words);
	m->d->trace_id = maker_fact_places(m, "trace.id", jv_member(v, "id"), TRIE_ROOT);
	m->d->trace_name =
		maker_fact_places(m, "trace.name", jv_member(v, "name"), TRIE_ROOT);
	for (size_t i = 0; i < SHARED_FACTS; i++)
		m->d->shared[i] = maker_fact_places(
			m, "trace", jv_member(v, fact_name(shared_facts[i])), TRIE_ROOT);
}

bool description_match(struct groups *groups, struct jv match, struct trie *trie,
	struct arena *arena, struct err *err)
{
	struct description_maker m = {NULL, trie, arena, err, false};

	*groups = maker_groups(&m, "match", match, TRIE_ROOT);
	return !m.failed;
}

static void read_head(struct description_maker *m, struct jv json)
{
	struct description *d = m->d;
	double order = 50;

	JV_MEMBERS(f, json, name, title, order, steps);
	if (f.name.kind != J_STRING)
		maker_fail(m, "name", "a format needs a name");
	d->title = f.title.kind == J_STRING ? maker_text(m, f.title) : "";
	jv_number(f.order, &order);
	d->order = (int)order;
	d->format = (struct format){
		.name = f.name.kind == J_STRING ? maker_text(m, f.name) : "",
		.recognized_by = d->title,
		.description = d,
	};
}

/* Notes the leaves of figures that add up. */
static void sum_leaves(struct description *d, const struct fact_places *facts)
{
	static const enum fact figures[] = {FACT_INPUT_TOKENS, FACT_OUTPUT_TOKENS,
		FACT_COST, FACT_CACHE_READ, FACT_CACHE_WRITE, FACT_CACHE_HOUR, FACT_FRESH_TOKENS,
		FACT_CACHED_TOKENS, FACT_ANSWER_TOKENS, FACT_REASONING_TOKENS,
		FACT_TOTAL_TOKENS};

	for (size_t i = 0; i < sizeof(figures) / sizeof(*figures); i++)
		for (size_t n = 0; n < facts[figures[i]].count; n++)
			if (facts[figures[i]].items[n].leaf >= 0)
				d->summed[facts[figures[i]].items[n].leaf] = true;
}

static const char *const file_members[] = {"name", "title", "order", "match",
	"match_steps", "steps", "attributes", "children", "trace", "facts", "kind",
	"failed", "skip", "attached", "merge", "cumulative", "tokens", "dialect", "input",
	"output", "bodies", "turns", "run", "answer_last", "include", "tool", "resume", "files",
	"deletes", "parts", "agents", "folder", "boilerplate", "database", "last", "rest", "signs",
	"columns", NULL};

/* Patterns of places, each beginning where home_expand can find it. */
static const struct str *read_files(
	struct description_maker *m, const char *member, struct jv v, size_t *count)
{
	const struct str *patterns = maker_texts(m, v, count);

	for (size_t i = 0; i < *count; i++)
		if (!home_is_place(patterns[i]))
			maker_fail(m, member, "begin with /, ~/ or ${NAME:-~/...}/");
	return patterns;
}

/* The queries of databases: import/known.c gives them to io/database.h. */
static void check_queries(struct description_maker *m, struct jv v)
{
	enum { SESSIONS, RECORDS, SESSION, MEMBER, N };
	static const char *const words[N + 1] = {
		"sessions", "records", "session", "member"};
	size_t count[N] = {0};

	if (v.kind == J_NONE)
		return;
	maker_check(m, "database", v, words);
	for (int i = 0; i < N; i++)
		maker_texts(m, jv_member(v, words[i]), &count[i]);
	if (!count[SESSIONS] || !count[RECORDS])
		maker_fail(m, "database", "sessions and records are needed");
	if (!count[SESSION] != !count[MEMBER])
		maker_fail(m, "database", "session and member go together");
}

/* sessions/places.c reads it. */
static void check_days(struct description_maker *m, struct jv v)
{
	double days = 1;

	if (v.kind != J_NONE && (!jv_number(v, &days) || !(days >= 1)))
		maker_fail(m, "deletes", "a number of days is needed");
}

/* Where such files are, and what a list of them says of each. */
static void read_places(struct description_maker *m, struct jv json)
{
	struct description *d = m->d;
	size_t count;
	struct jv tool = jv_member(json, "tool"), files = jv_member(json, "files"),
		  resume = jv_member(json, "resume"), patterns;

	d->tool = tool.kind == J_STRING ? maker_text(m, tool) : "";
	d->resume = resume.kind == J_STRING ? maker_text(m, resume) : "";
	if (*d->resume && !strstr(d->resume, "{trace}") && !strstr(d->resume, "{uuid}") &&
		!strstr(d->resume, "{file}"))
		maker_fail(m, "resume", "{trace}, {uuid} or {file} is needed");
	check_days(m, jv_member(json, "deletes"));
	for (struct jwalk w = jwalk_of(files);
		files.kind == J_OBJECT && jwalk_next(&w, NULL, &patterns);)
		read_files(m, "files", patterns, &count);
	if (files.kind != J_OBJECT)
		d->files = read_files(m, "files", files, &d->file_count);
	check_queries(m, jv_member(json, "database"));
	d->parts = read_files(m, "parts", jv_member(json, "parts"), &d->part_count);
	beside_read(m, jv_member(json, "agents"), jv_member(json, "folder"));
	d->boilerplate.patterns =
		maker_texts(m, jv_member(json, "boilerplate"), &d->boilerplate.count);
}

static void read_members(struct description_maker *m, struct jv json)
{
	struct description *d = m->d;
	struct value_places attributes;

	maker_check(m, "", json, file_members);
	d->dialect = maker_dialect(m, jv_member(json, "dialect"));
	read_steps(m, jv_member(json, "steps"));
	if (m->failed)
		return;
	attributes = maker_places(m, "attributes", jv_member(json, "attributes"));
	d->carriers = (struct carriers){attributes.items, attributes.count};
	read_children(m, jv_member(json, "children"));
	read_trace(m, jv_member(json, "trace"));
	read_facts(m, jv_member(json, "facts"), d->facts, d->trie.step);
	read_run(m, jv_member(json, "run"));
	read_kinds(m, jv_member(json, "kind"));
	read_events(m, jv_member(json, "signs"), jv_member(json, "columns"));
	d->failed = maker_groups(m, "failed", jv_member(json, "failed"), d->trie.step);
	d->skip = maker_groups(m, "skip", jv_member(json, "skip"), d->trie.step);
	read_attached(m, jv_member(json, "attached"));
	d->merge = maker_fact_places(m, "merge", jv_member(json, "merge"), d->trie.step);
	d->cumulative = maker_flag(m, "cumulative", jv_member(json, "cumulative"));
	d->answer_last = maker_flag(m, "answer_last", jv_member(json, "answer_last"));
	d->rest = maker_flag(m, "rest", jv_member(json, "rest"));
	d->add_figures = read_tokens(m, "tokens", jv_member(json, "tokens"));
	d->input = maker_said(m, "input", jv_member(json, "input"), 0);
	d->output = maker_said(m, "output", jv_member(json, "output"), 0);
	read_bodies(m, jv_member(json, "bodies"));
	read_turns(m, jv_member(json, "turns"));
	if (d->add_figures) {
		sum_leaves(d, d->facts);
		sum_leaves(d, d->run);
	}
	read_places(m, json);
}

struct description *description_new(struct jv json, struct arena *arena, struct err *err)
{
	struct description *d = arena_alloc(arena, sizeof(*d));
	struct description_maker m = {d, &d->trie, arena, err, false};

	*d = (struct description){.arena = arena};
	read_head(&m, json);
	if (!m.failed)
		read_members(&m, json);
	if (m.failed)
		trie_done(&d->trie);
	return m.failed ? NULL : d;
}
