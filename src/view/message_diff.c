/* Messages part by part: see message_diff.h. */
#include "config.h"
#include "view/message_diff.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "chat/identity.h"
#include "chat/parts.h"
#include "diff/sequence.h"
#include "json/json.h"
#include "view/facts.h"
#include "view/text_diff.h"
#include "view/value_diff.h"

#define INDENT 2
#define BRIEF  160 /* bytes that a line of a message is made of */

/* ---- parts as text ---- */

static void put_media(struct buf *out, const struct part *p)
{
	buf_byte(out, '[');
	if (p->media.n)
		buf_str(out, p->media);
	else
		buf_text(out, p->kind == PART_IMAGE ? "image" : "file");
	if (p->bytes) {
		buf_text(out, ", ");
		facts_bytes(out, p->bytes);
	}
	if (p->remote) {
		buf_byte(out, ' ');
		jv_text(p->body, out);
	}
	buf_byte(out, ']');
}

/* JSON on one line, a string as it reads. */
static void put_value(struct buf *out, struct jv v, struct arena *arena)
{
	v = side_open_string(v, arena);
	if (v.kind == J_STRING)
		jv_text(v, out);
	else if (v.n)
		json_write_raw(out, jv_raw(v));
}

/* A list of texts and nothing else is a text: its parts, or none. */
static void read_texts(struct parts *texts, struct jv content, struct arena *arena)
{
	*texts = (struct parts){0};
	if (content.kind == J_ARRAY)
		parts_read_content(texts, content, arena);
	for (size_t i = 0; i < texts->count; i++)
		if (PART_AT(texts, i)->kind != PART_TEXT)
			texts->count = 0;
}

static void put_result(struct buf *out, struct jv content, struct arena *arena)
{
	struct parts texts;

	read_texts(&texts, content, arena);
	if (!texts.count)
		put_value(out, content, arena);
	for (size_t i = 0; i < texts.count; i++) {
		if (i)
			buf_byte(out, '\n');
		jv_text(PART_AT(&texts, i)->body, out);
	}
	parts_done(&texts);
}

static void put_part(struct buf *out, const struct part *p, struct arena *arena)
{
	switch (p->kind) {
	case PART_TEXT:
		jv_text(p->body, out);
		return;
	case PART_REASONING:
		buf_text(out, "reasoning: ");
		jv_text(p->body, out);
		return;
	case PART_REFUSAL:
		buf_text(out, "refusal: ");
		jv_text(p->body, out);
		return;
	case PART_CALL:
		jv_text(p->name, out);
		buf_byte(out, '(');
		put_value(out, p->body, arena);
		buf_byte(out, ')');
		return;
	case PART_RESULT:
		buf_text(out, p->error ? "result, an error: " : "result: ");
		put_result(out, p->body, arena);
		return;
	case PART_TOOL:
		buf_text(out, "offers ");
		jv_text(p->name, out);
		return;
	case PART_IMAGE:
	case PART_FILE:
		put_media(out, p);
		return;
	case PART_JSON:
		put_value(out, p->raw, arena);
	}
}

static struct str part_text(struct doc *d, const struct part *p)
{
	struct buf out = BUF_INIT;

	if (p->kind == PART_TEXT)
		return jv_keep(p->body, &d->arena);
	put_part(&out, p, &d->arena);
	return arena_keep(&d->arena, &out);
}

/* The parts of a message; the whole value as the only part when it has no parts. */
static void read_parts(
	struct parts *parts, const struct compared_message *s, struct arena *arena)
{
	parts_read(parts, s->value, arena);
	if (parts->count)
		return;
	parts_add(parts, &(struct part){.kind = PART_JSON, .raw = s->value});
}

void message_diff_brief(struct buf *out, const struct compared_message *said)
{
	struct arena arena = {0};
	struct parts parts;

	read_parts(&parts, said, &arena);
	for (size_t i = 0; i < parts.count && out->len < BRIEF; i++) {
		if (i)
			buf_text(out, "  ");
		if (PART_AT(&parts, i)->raw.n < 64 * BRIEF)
			put_part(out, PART_AT(&parts, i), &arena);
		else if (PART_AT(&parts, i)->body.kind == J_STRING)
			jv_decode_run(PART_AT(&parts, i)->body, &(size_t){0}, BRIEF, out);
		else
			jv_text(PART_AT(&parts, i)->name, out);
	}
	out->len = utf8_cut(out->data ? out->data : "", out->len, 2 * BRIEF);
	parts_done(&parts);
	arena_done(&arena);
}

/* ---- blocks ---- */

static size_t insert_whole_part(
	struct doc *d, size_t at, const struct part *p, enum role role, uint32_t level)
{
	return text_diff_insert_whole(d, at, part_text(d, p), role, INDENT, level);
}

size_t message_diff_insert_whole(struct doc *d, size_t at,
	const struct compared_message *said, enum role role, uint32_t level)
{
	struct parts parts;
	size_t count = 0;

	read_parts(&parts, said, &d->arena);
	for (size_t i = 0; i < parts.count; i++)
		count += insert_whole_part(d, at + count, PART_AT(&parts, i), role, level);
	parts_done(&parts);
	return count;
}

static size_t insert_label(struct doc *d, size_t at, const struct part *p)
{
	struct buf words = BUF_INIT;
	struct str label;
	size_t count;

	if (p->kind == PART_CALL) {
		jv_text(p->name, &words);
		buf_text(&words, "()");
	} else {
		buf_text(&words, "result");
	}
	label = arena_dup(&d->arena, buf_view(&words));
	count = text_diff_insert_whole(d, at, label, ROLE_TEXT, INDENT, 1);
	buf_done(&words);
	return count;
}

/* Whether a value has places: it is no text, nor a list of texts. */
static bool is_container(struct jv v, struct arena *arena)
{
	struct parts texts;
	bool any;

	v = side_open_string(v, arena);
	read_texts(&texts, v, arena);
	any = !texts.count && (v.kind == J_OBJECT || v.kind == J_ARRAY);
	parts_done(&texts);
	return any;
}

/* Arguments and results that are JSON on both sides differ in places, not in words. */
static bool has_places(struct doc *d, const struct part *was, const struct part *is)
{
	return (is->kind == PART_CALL || is->kind == PART_RESULT) &&
	       was->error == is->error && jv_hash(was->name) == jv_hash(is->name) &&
	       is_container(was->body, &d->arena) && is_container(is->body, &d->arena);
}

/* One part that took the place of another. */
static size_t insert_changed(
	struct doc *d, size_t at, const struct part *was, const struct part *is)
{
	size_t count;

	if (was->kind == PART_JSON && is->kind == PART_JSON)
		return value_diff_insert(d, at, STR(""), was->raw, is->raw, INDENT, 1);
	if (was->kind == PART_CALL && jv_hash(was->name) != jv_hash(is->name)) {
		count = insert_whole_part(d, at, was, ROLE_DELETED, 1);
		return count + insert_whole_part(d, at + count, is, ROLE_ADDED, 1);
	}
	if (!has_places(d, was, is))
		return text_diff_insert(
			d, at, part_text(d, was), part_text(d, is), INDENT, 1);
	count = insert_label(d, at, is);
	return count + value_diff_insert(d, at + count, STR(""), was->body, is->body,
			       2 * INDENT, 1);
}

struct part_list {
	struct parts parts;
	uint64_t *hashes;
};

static void list_read(
	struct part_list *l, const struct compared_message *s, struct arena *arena)
{
	read_parts(&l->parts, s, arena);
	l->hashes = mem_array(l->parts.count, sizeof(*l->hashes));
	for (size_t i = 0; i < l->parts.count; i++)
		l->hashes[i] = identity_of_part(PART_AT(&l->parts, i)).half[0];
}

static void list_done(struct part_list *l)
{
	parts_done(&l->parts);
	mem_free(l->hashes);
}

/* Parts that gave way to others: in pairs as long as they are of a kind. */
static size_t insert_change(struct doc *d, size_t at, const struct part_list *was,
	const struct part_list *is, const struct sequence_diff_change *c)
{
	size_t i = 0, j = 0, count = 0;

	while (i < c->a_count || j < c->b_count) {
		const struct part *a =
			i < c->a_count ? PART_AT(&was->parts, c->a + i) : NULL;
		const struct part *b = j < c->b_count ? PART_AT(&is->parts, c->b + j) : NULL;

		if (a && b && a->kind == b->kind)
			count += insert_changed(d, at + count, a, b);
		else if (a)
			count += insert_whole_part(d, at + count, a, ROLE_DELETED, 1);
		else if (b)
			count += insert_whole_part(d, at + count, b, ROLE_ADDED, 1);
		i += a != NULL;
		j += b && (!a || a->kind == b->kind);
	}
	return count;
}

/* Those that stayed: folded where they are long. */
static size_t insert_stayed(
	struct doc *d, size_t at, const struct part_list *l, size_t from, size_t end)
{
	size_t count = 0;

	for (size_t i = from; i < end; i++) {
		struct str text = part_text(d, PART_AT(&l->parts, i));

		count += text_diff_insert(d, at + count, text, text, INDENT, 1);
	}
	return count;
}

size_t message_diff_insert(struct doc *d, size_t at, const struct compared_message *was,
	const struct compared_message *is)
{
	struct part_list a, b;
	struct sequence_diff changes;
	uint64_t work = DIFF_WORK;
	size_t count = 0, j = 0;

	list_read(&a, was, &d->arena);
	list_read(&b, is, &d->arena);
	sequence_diff_sequences(
		&changes, a.hashes, a.parts.count, b.hashes, b.parts.count, &work);
	for (size_t i = 0; i < changes.count; i++) {
		const struct sequence_diff_change *c = &changes.changes[i];

		count += insert_stayed(d, at + count, &b, j, c->b);
		count += insert_change(d, at + count, &a, &b, c);
		j = c->b + c->b_count;
	}
	count += insert_stayed(d, at + count, &b, j, b.parts.count);
	sequence_diff_done(&changes);
	list_done(&a);
	list_done(&b);
	return count;
}
