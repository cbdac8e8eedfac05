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

/* The items of a step, one after another. */
struct item_walk {
	context_visit *visit;
	void *ctx;
	bool ended; /* no more are wanted */
	struct jv *leaves;
	size_t leaf_count, leaf_cap;
};

static bool is_over(const struct item_walk *w)
{
	return w->ended || stop_asked();
}

static void add_leaf(struct item_walk *w, struct jv v)
{
	if (v.kind == J_NONE)
		return;
	*MEM_ADD(w->leaves, w->leaf_count, w->leaf_cap) = v;
}

static void give(struct item_walk *w, struct context_item item)
{
	item.leaves = w->leaves;
	item.leaf_count = w->leaf_count;
	w->ended = !w->visit(w->ctx, &item);
	w->leaf_count = 0;
}

/* ---- parts ---- */

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

static bool is_media(const struct part *p)
{
	return p->kind == PART_IMAGE || p->kind == PART_FILE;
}

/* What a part is; CONTEXT_KINDS: of the kind of its speaker. */
static const enum context_kind part_kinds[] = {
	[PART_TEXT] = CONTEXT_KINDS,
	[PART_JSON] = CONTEXT_KINDS,
	[PART_CALL] = CONTEXT_CALLS,
	[PART_RESULT] = CONTEXT_RESULTS,
	[PART_TOOL] = CONTEXT_TOOLS,
	[PART_REASONING] = CONTEXT_REASONING,
	[PART_IMAGE] = CONTEXT_MEDIA,
	[PART_FILE] = CONTEXT_MEDIA,
	[PART_REFUSAL] = CONTEXT_ASSISTANT,
};

static const enum context_kind speaker_kinds[] = {
	[SPEAKER_OTHER] = CONTEXT_OTHER,
	[SPEAKER_USER] = CONTEXT_USER,
	[SPEAKER_ASSISTANT] = CONTEXT_ASSISTANT,
	[SPEAKER_SYSTEM] = CONTEXT_SYSTEM,
	[SPEAKER_TOOL] = CONTEXT_RESULTS,
};

/* `item` is of the kind of its speaker: the part itself may say more. */
static void give_part(
	struct item_walk *w, struct context_item item, const struct part *p)
{
	enum context_kind speaker = item.kind;
	AUTO(parts_done) struct parts inner = {0};
	AUTO_ARENA arena = {0};

	item.part_of = p;
	item.name = p->name;
	item.link = p->link;
	if (is_media(p))
		item.weight = media_weight(p);
	if (p->kind == PART_RESULT && p->body.kind == J_ARRAY)
		inner = parts_read_content(p->body, &arena);
	PARTS_EACH(in, &inner) {
		if (!is_media(in))
			add_leaf(w, in->kind == PART_TEXT ? in->body : in->raw);
	}
	if (!inner.count)
		add_leaf(w, p->kind == PART_TOOL || p->kind == PART_JSON ? p->raw
									 : p->body);
	if (part_kinds[p->kind] != CONTEXT_KINDS)
		item.kind = part_kinds[p->kind];
	give(w, item);
	/* images in a result are items of their own */
	item.kind = speaker;
	item.weight = 0;
	for (size_t i = 0; i < inner.count && !is_over(w); i++)
		if (is_media(PART_AT(&inner, i)))
			give_part(w, item, PART_AT(&inner, i));
}

/* What no part was found in counts as a whole. */
static void give_parts(struct item_walk *w, struct context_item item,
	const struct parts *parts, struct jv whole)
{
	struct part none = {.kind = PART_JSON, .raw = whole}, text;

	if (!parts->count && whole.kind != J_NONE)
		give_part(w, item, &none);
	for (size_t i = 0; i < parts->count && !is_over(w); i++) {
		item.part = i;
		give_part(w, item, parts_at(parts, i, &text));
	}
}

/* ---- sides ---- */

static void give_side(struct item_walk *w, const struct side *s, struct idmap *seen)
{
	bool text = s->view == SIDE_TEXT;
	struct context_item item = {
		.input = s->prefer == PREFER_INPUT, .message = SIZE_MAX};

	for (size_t i = 0; s->view == SIDE_CHAT && i < s->chat.count && !is_over(w); i++) {
		struct jv message = s->chat.items[i];
		uint64_t hash = seen ? map_hash(jv_raw(message)) : 0;
		AUTO_ARENA arena = {0};
		AUTO(parts_done) struct parts parts = {0};

		if (seen && idmap_find(seen, hash) != MAP_NONE)
			continue;
		item.message = i;
		item.kind = speaker_kinds[message_speaker(message, s->prefer)];
		parts = parts_read(message, &arena);
		if (!stop_asked())
			give_parts(w, item, &parts, message);
		if (seen && !stop_asked())
			idmap_add(seen, hash, 0);
	}
	if (s->view == SIDE_CHAT || s->view == SIDE_EMPTY || (text && !s->text.n))
		return;
	/* a text, or JSON that is no conversation */
	item.kind = !text ? CONTEXT_OTHER : item.input ? CONTEXT_USER : CONTEXT_ASSISTANT;
	if (text)
		item.text = s->text;
	else
		add_leaf(w, s->value);
	give(w, item);
}

/* Parts that stand beside the messages of the input. */
static void give_beside(struct item_walk *w, enum context_kind kind, struct parts *parts)
{
	struct context_item item = {.kind = kind, .input = true, .message = SIZE_MAX};

	give_parts(w, item, parts, JV_NONE);
	parts_done(parts);
}

void context_items_each(const struct step_content *o, bool answers, struct idmap *seen,
	context_visit *visit, void *ctx)
{
	struct item_walk w = {.visit = visit, .ctx = ctx};
	struct parts tools = {0}, images = {0};
	AUTO_ARENA arena = {0};

	tools = parts_read_tools(o->facts.v[FACT_TOOLS], &arena);
	give_beside(&w, CONTEXT_TOOLS, &tools);
	if (!is_over(&w))
		give_side(&w, &o->input, seen);
	images = parts_read_images(o->input.images, &arena);
	give_beside(&w, CONTEXT_OTHER, &images);
	if (!is_over(&w) && answers && !o->shared)
		give_side(&w, &o->output, seen);
	mem_free(w.leaves);
}

/* ---- names ---- */

struct str context_name(struct context_names *n, const struct context_item *item)
{
	AUTO_BUF name = BUF_INIT;
	uint32_t number;
	struct str kept;

	if (item->kind == CONTEXT_CALLS && item->part_of)
		brief_call(item->part_of, STR(""), &name, NAME_MOST);
	else if (item->name.kind != J_NONE)
		jv_text(item->name, &name);
	number = intern_add(&n->names, buf_view(&name));
	kept = intern_get(&n->names, number);
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
