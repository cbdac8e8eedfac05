/* See context_items.h. */
#include "config.h"
#include "analysis/context_items.h"

#include "base/mem.h"
#include "base/stop.h"
#include "chat/brief.h"
#include "chat/role.h"

#define NAME_MOST 80 /* bytes of a call in a few words */

/* What images and files weigh, by what vendors say of their tokens, four bytes each. */
#define TOKEN_BYTES   4
#define PIXELS        750 /* of an image for each token */
#define IMAGE_LEAST   85
#define IMAGE_MOST    1600 /* tokens; larger images are made smaller */
#define IMAGE_UNKNOWN 1000
#define FILE_PART     6 /* a file counts as such a part of its bytes */

enum stage { STAGE_DEFINITIONS, STAGE_INPUT, STAGE_IMAGES, STAGE_OUTPUT, STAGE_END };

const char *const context_kind_names[CONTEXT_KINDS] = {
	[CONTEXT_SYSTEM] = "system",
	[CONTEXT_TOOLS] = "tools",
	[CONTEXT_USER] = "user",
	[CONTEXT_ASSISTANT] = "assistant",
	[CONTEXT_CALLS] = "calls",
	[CONTEXT_RESULTS] = "results",
	[CONTEXT_REASONING] = "thoughts",
	[CONTEXT_MEDIA] = "media",
	[CONTEXT_OTHER] = "other",
	[CONTEXT_UNRECORDED] = "unrecorded",
};

void context_items_begin(struct context_items *it, const struct opened *o, bool answers)
{
	*it = (struct context_items){.opened = o, .answers = answers && !o->shared};
}

void context_items_skip(struct context_items *it, struct idmap *seen)
{
	it->seen = seen;
}

static void leave_message(struct context_items *it)
{
	parts_done(&it->parts);
	parts_done(&it->inner);
	arena_done(&it->arena);
	it->parts = it->inner = (struct parts){0};
	it->part = it->media = 0;
	it->open = false;
}

void context_items_done(struct context_items *it)
{
	leave_message(it);
	mem_free(it->leaves);
	*it = (struct context_items){0};
}

static void next_stage(struct context_items *it)
{
	leave_message(it);
	it->message = 0;
	it->stage++;
	if (it->stage == STAGE_OUTPUT && !it->answers)
		it->stage = STAGE_END;
}

/* ---- an item ---- */

static void add_leaf(struct context_items *it, struct jv v)
{
	if (v.kind == J_NONE)
		return;
	it->leaves = mem_grow(
		it->leaves, &it->leaf_cap, it->leaf_count + 1, sizeof(*it->leaves));
	it->leaves[it->leaf_count++] = v;
}

static uint64_t media_weight(const struct part *p)
{
	uint64_t tokens = (uint64_t)p->width * p->height / PIXELS;

	if (p->kind == PART_FILE)
		return p->remote ? p->body.n : p->body.n / FILE_PART;
	if (!tokens)
		tokens = IMAGE_UNKNOWN;
	tokens = tokens < IMAGE_LEAST ? IMAGE_LEAST : tokens;
	return (tokens > IMAGE_MOST ? IMAGE_MOST : tokens) * TOKEN_BYTES;
}

static enum context_kind kind_of(const struct context_items *it, const struct part *p)
{
	switch (p->kind) {
	case PART_CALL:
		return CONTEXT_CALLS;
	case PART_RESULT:
		return CONTEXT_RESULTS;
	case PART_TOOL:
		return CONTEXT_TOOLS;
	case PART_REASONING:
		return CONTEXT_REASONING;
	case PART_IMAGE:
	case PART_FILE:
		return CONTEXT_MEDIA;
	case PART_REFUSAL:
		return CONTEXT_ASSISTANT;
	case PART_TEXT:
	case PART_JSON:
		break;
	}
	return it->speaker;
}

static bool is_media(const struct part *p)
{
	return p->kind == PART_IMAGE || p->kind == PART_FILE;
}

/* A list in a result may hold texts and images; those are items of their own. */
static void add_result(struct context_items *it, const struct part *p)
{
	parts_done(&it->inner);
	it->inner = (struct parts){0};
	it->media = 0;
	if (p->body.kind == J_ARRAY)
		parts_read_content(&it->inner, p->body, &it->arena);
	if (!it->inner.count)
		add_leaf(it, p->body);
	for (size_t i = 0; i < it->inner.count; i++) {
		const struct part *in = PART_AT(&it->inner, i);

		if (!is_media(in))
			add_leaf(it, in->kind == PART_TEXT ? in->body : in->raw);
	}
}

static void fill(
	struct context_items *it, struct context_item *item, const struct part *p)
{
	bool input = it->stage != STAGE_OUTPUT;

	*item = (struct context_item){.kind = kind_of(it, p),
		.input = input,
		.message = it->stage == STAGE_DEFINITIONS ? SIZE_MAX : it->message,
		.part = it->part,
		.name = p->name,
		.link = p->link,
		.part_of = p};
	it->leaf_count = 0;
	if (is_media(p))
		item->weight = media_weight(p);
	if (p->kind == PART_RESULT)
		add_result(it, p);
	else if (p->kind == PART_TOOL || p->kind == PART_JSON)
		add_leaf(it, p->raw);
	else
		add_leaf(it, p->body);
	item->leaves = it->leaves;
	item->leaf_count = it->leaf_count;
}

/* The next image of the result that was given last. */
static bool take_media(struct context_items *it, struct context_item *item)
{
	for (; it->media < it->inner.count; it->media++) {
		if (!is_media(PART_AT(&it->inner, it->media)))
			continue;
		it->part--;
		fill(it, item, PART_AT(&it->inner, it->media++));
		it->part++;
		return true;
	}
	return false;
}

static bool take_part(struct context_items *it, struct context_item *item)
{
	if (take_media(it, item))
		return true;
	if (it->part >= it->parts.count)
		return false;
	fill(it, item, parts_at(&it->parts, it->part, &it->text));
	it->part++;
	return true;
}

/* ---- a side ---- */

static enum context_kind kind_of_speaker(struct str role)
{
	static const enum context_kind kinds[] = {
		[SPEAKER_OTHER] = CONTEXT_OTHER,
		[SPEAKER_USER] = CONTEXT_USER,
		[SPEAKER_ASSISTANT] = CONTEXT_ASSISTANT,
		[SPEAKER_SYSTEM] = CONTEXT_SYSTEM,
		[SPEAKER_TOOL] = CONTEXT_RESULTS,
	};

	return kinds[role_speaker(role)];
}

/* False: its reading was stopped, and will begin again. */
static bool begin_message(struct context_items *it, const struct side *s)
{
	struct jv message = s->chat.items[it->message];
	bool given;

	it->speaker =
		kind_of_speaker(message_role(message, s->prefer, &given, &it->arena));
	stop_begin();
	parts_read(&it->parts, message, &it->arena);
	it->open = !stop_end();
	if (!it->open)
		leave_message(it);
	return it->open;
}

/* What no part was found in counts as a whole. */
static bool take_whole(
	struct context_items *it, const struct side *s, struct context_item *item)
{
	struct part whole = {.kind = PART_JSON, .raw = s->chat.items[it->message]};

	if (it->parts.count)
		return false;
	fill(it, item, &whole);
	return true;
}

static enum task_state next_of_chat(
	struct context_items *it, const struct side *s, struct context_item *item)
{
	uint64_t hash = 0;

	if (it->message >= s->chat.count) {
		next_stage(it);
		return TASK_MORE;
	}
	if (!it->open) {
		if (it->seen)
			hash = map_hash(jv_raw(s->chat.items[it->message]));
		if (it->seen && idmap_find(it->seen, hash) != MAP_NONE) {
			it->message++;
			return TASK_MORE;
		}
		if (!begin_message(it, s))
			return TASK_MORE;
		if (it->seen)
			idmap_add(it->seen, hash, 0);
		if (take_whole(it, s, item)) {
			leave_message(it);
			it->message++;
			return TASK_DONE;
		}
	}
	if (take_part(it, item))
		return TASK_DONE;
	leave_message(it);
	it->message++;
	return TASK_MORE;
}

/* A text, or JSON that is no conversation. */
static enum task_state take_side(
	struct context_items *it, const struct side *s, struct context_item *item)
{
	bool text = s->view == SIDE_TEXT;
	enum context_kind speaker =
		s->prefer == PREFER_INPUT ? CONTEXT_USER : CONTEXT_ASSISTANT;

	*item = (struct context_item){.kind = text ? speaker : CONTEXT_OTHER,
		.input = s->prefer == PREFER_INPUT,
		.message = SIZE_MAX};
	it->leaf_count = 0;
	if (text) {
		item->text = s->text;
	} else {
		add_leaf(it, s->value);
		item->leaves = it->leaves;
		item->leaf_count = it->leaf_count;
	}
	next_stage(it);
	return TASK_DONE;
}

static enum task_state next_of_side(
	struct context_items *it, const struct side *s, struct context_item *item)
{
	if (s->view == SIDE_CHAT)
		return next_of_chat(it, s, item);
	if (s->view == SIDE_EMPTY || (s->view == SIDE_TEXT && !s->text.n)) {
		next_stage(it);
		return TASK_MORE;
	}
	return take_side(it, s, item);
}

/* ---- all ---- */

static enum task_state next_of_parts(struct context_items *it, struct context_item *item)
{
	if (!it->open && it->stage == STAGE_DEFINITIONS)
		parts_read_tools(&it->parts, it->opened->facts.v[FACT_TOOLS], &it->arena);
	else if (!it->open)
		parts_read_images(&it->parts, it->opened->input.images, &it->arena);
	it->speaker = it->stage == STAGE_DEFINITIONS ? CONTEXT_TOOLS : CONTEXT_OTHER;
	it->open = true;
	if (take_part(it, item)) {
		item->message = SIZE_MAX;
		return TASK_DONE;
	}
	next_stage(it);
	return TASK_MORE;
}

enum task_state context_items_next(struct context_items *it, struct context_item *item)
{
	switch (it->stage) {
	case STAGE_DEFINITIONS:
	case STAGE_IMAGES:
		return next_of_parts(it, item);
	case STAGE_INPUT:
		return next_of_side(it, &it->opened->input, item);
	case STAGE_OUTPUT:
		return next_of_side(it, &it->opened->output, item);
	default:
		return TASK_IDLE;
	}
}

/* ---- names ---- */

struct str context_name(struct context_names *n, const struct context_item *item)
{
	struct buf name = BUF_INIT;
	uint32_t number;
	struct str kept;

	if (item->kind == CONTEXT_CALLS && item->part_of)
		brief_call(item->part_of, STR(""), &name, NAME_MOST);
	else if (item->name.kind != J_NONE)
		jv_text(item->name, &name);
	number = intern_add(&n->names, buf_view(&name));
	kept = intern_get(&n->names, number);
	buf_done(&name);
	if (item->link.kind == J_NONE)
		return kept;
	if (item->kind == CONTEXT_CALLS && kept.n)
		idmap_add(&n->calls, jv_hash(item->link), number);
	if (item->kind != CONTEXT_RESULTS)
		return kept;
	number = idmap_find(&n->calls, jv_hash(item->link));
	return number == MAP_NONE ? kept : intern_get(&n->names, number);
}

void context_names_done(struct context_names *n)
{
	idmap_done(&n->calls);
	intern_done(&n->names);
}
