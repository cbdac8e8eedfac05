/*
 * From a value to what is said in it: the extractor, sides, parts, pairs (chat/).
 *
 * 1. What is found lies in the text, or was decoded from a string in it; an array that is
 *    found holds the items.
 * 2. Parts are the same in slices; the documented result of extraction is strict JSON.
 * 3. Sides are the same in slices.
 * 4. Of two partners each names the other: one a call, one a result.
 */
#include "fuzz.h"

#include "chat/extract.h"
#include "chat/pairs.h"
#include "chat/parts.h"
#include "chat/side.h"

static void find_chats(struct str text, struct jv v)
{
	for (int prefer = PREFER_NONE; prefer <= PREFER_OUTPUT; prefer++) {
		struct chat chat = {0};

		if (chat_extract(v, (enum prefer)prefer, &chat)) {
			EXPECT(chat.count, "a chat without messages");
			for (size_t i = 0; i < chat.count; i++)
				EXPECT(fuzz_within(chat.items[i], text), "item %zu", i);
			EXPECT(chat.array.kind != J_ARRAY ||
					jv_count(chat.array, SIZE_MAX) == chat.count,
				"%zu items", chat.count);
		} else {
			EXPECT(!chat.items && !chat.count && chat.array.kind == J_NONE,
				"nothing was found, and something is left");
		}
		chat_done(&chat);
	}
}

/* ---- parts ---- */

static void put_parts(const struct parts *parts, struct buf *out)
{
	for (size_t i = 0; i < parts->count; i++) {
		const struct part *p = PART_AT(parts, i);

		buf_printf(out, "%d %d%d%d%d %zu %u %u %d ", p->kind, p->foreign,
			p->foreign_body, p->also_text, p->error, (size_t)p->bytes,
			p->width, p->height, p->remote);
		buf_str(out, jv_raw(p->raw));
		buf_str(out, jv_raw(p->body));
		buf_str(out, jv_raw(p->name));
		buf_str(out, jv_raw(p->id));
		buf_str(out, jv_raw(p->link));
		buf_str(out, p->media);
		buf_byte(out, '\n');
	}
}

static void read_parts(struct fuzz *f, struct jv v)
{
	struct arena arena = {0};
	struct parts whole, sliced;
	struct parts_reading *reading = parts_reading_new(v, &arena);
	struct buf a = BUF_INIT, b = BUF_INIT;

	parts_read(&whole, v, &arena);
	while (parts_reading_run(reading, 1 + fuzz_chance(f, 50)) == TASK_MORE)
		;
	parts_reading_take(reading, &sliced);
	put_parts(&whole, &a);
	put_parts(&sliced, &b);
	fuzz_expect_equal(buf_view(&a), buf_view(&b), "parts in slices");
	buf_clear(&a);
	parts_write(&a, &whole);
	fuzz_expect_json(buf_view(&a), "what parts_write writes");
	parts_done(&whole);
	parts_done(&sliced);
	parts_read_tools(&whole, v, &arena);
	for (size_t i = 0; i < whole.count; i++) {
		part_schema(PART_AT(&whole, i));
		part_definition(PART_AT(&whole, i));
	}
	parts_done(&whole);
	parts_read_images(&whole, v, &arena);
	parts_done(&whole);
	arena_done(&arena);
	buf_done(&a);
	buf_done(&b);
}

/* ---- sides ---- */

static void put_side(const struct side *s, struct buf *out)
{
	buf_printf(out, "%s %u %zu ", side_view_name(s->view), s->opened, s->chat.count);
	buf_str(out, s->view == SIDE_TEXT ? s->text : jv_raw(s->value));
	buf_str(out, jv_raw(s->images));
	for (size_t i = 0; i < s->chat.count; i++)
		buf_str(out, jv_raw(s->chat.items[i]));
}

static void read_slices(struct fuzz *f, struct side *side, struct jv v, struct jv images,
	enum prefer prefer, struct arena *arena)
{
	struct side_opening o;

	side_begin(&o, side, v, images, prefer, arena);
	while (side_run(&o, 1 + fuzz_chance(f, 40)) == TASK_MORE)
		;
	side_end(&o);
}

static void read_pairs(struct fuzz *f, const struct side sides[2])
{
	bool shared = side_shared(&sides[0], &sides[1]);
	struct pairs whole = {0}, sliced = {0};
	struct pairing g;

	pairs_read(&whole, &sides[0], &sides[1], shared);
	pairing_begin(&g, &sliced, &sides[0], &sides[1], shared);
	while (pairing_run(&g, 1 + fuzz_chance(f, 40)) == TASK_MORE)
		;
	pairing_end(&g);
	EXPECT(whole.count == sliced.count, "%zu ends, in slices %zu", whole.count,
		sliced.count);
	for (size_t i = 0; i < whole.count; i++) {
		const struct pair_end *e = &whole.ends[i];

		EXPECT(e->other == sliced.ends[i].other, "another partner in slices");
		pairs_open_call(&whole, i);
		EXPECT(pairs_find(&whole, e->input, e->message, e->part) == i, "end %zu",
			i);
		if (e->other == NO_PAIR)
			continue;
		EXPECT(e->other < whole.count && whole.ends[e->other].other == i &&
				whole.ends[e->other].call != e->call,
			"ends %zu and %zu", i, e->other);
	}
	pairs_done(&whole);
	pairs_done(&sliced);
}

static void read_sides(struct fuzz *f, struct jv in, struct jv out, struct jv images)
{
	struct arena arena = {0};
	struct side whole[2], sliced[2];

	for (int i = 0; i < 2; i++) {
		enum prefer prefer = i ? PREFER_OUTPUT : PREFER_INPUT;
		struct buf a = BUF_INIT, b = BUF_INIT;

		side_read(&whole[i], i ? out : in, images, prefer, &arena);
		read_slices(f, &sliced[i], i ? out : in, images, prefer, &arena);
		put_side(&whole[i], &a);
		put_side(&sliced[i], &b);
		fuzz_expect_equal(buf_view(&a), buf_view(&b), "a side in slices");
		for (size_t m = 0; m < whole[i].chat.count && m < 20; m++) {
			bool given;

			message_role(whole[i].chat.items[m], prefer, &given, &arena);
			message_content(whole[i].chat.items[m]);
			read_parts(f, whole[i].chat.items[m]);
		}
		buf_done(&a);
		buf_done(&b);
	}
	read_pairs(f, whole);
	for (int i = 0; i < 2; i++) {
		side_done(&whole[i]);
		side_done(&sliced[i]);
	}
	arena_done(&arena);
}

/* The first line is a value; the second, if there is one, the other side's. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz f = fuzz_of(data, size);
	struct str text = f.rest;
	struct jv in = jv_parse(fuzz_line(&f));
	struct jv out = f.rest.n ? jv_parse(f.rest) : in;

	find_chats(text, in);
	read_parts(&f, in);
	read_sides(&f, in, out, jv_member(in, "user_images"));
	return 0;
}
