/*
 * From a value to what is said in it: the extractor, sides, parts, pairs (chat/).
 *
 * 1. What is found lies in the text, or was decoded from a string in it; an array that is
 *    found holds the items.
 * 2. The documented result of extraction is strict JSON.
 * 3. The messages of a side that is no string lie in the text.
 * 4. Of two partners each names the other: one a call, one a result.
 */
#include "fuzz.h"

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

static void read_parts(struct jv v)
{
	struct arena arena = {0};
	struct parts whole;
	struct buf a = BUF_INIT;

	whole = parts_read(v, &arena);
	parts_write(&a, &whole, false);
	fuzz_expect_json(buf_view(&a), "what parts_write writes");
	parts_done(&whole);
	whole = parts_read_tools(v, &arena);
	for (size_t i = 0; i < whole.count; i++) {
		part_schema(PART_AT(&whole, i));
		part_definition(PART_AT(&whole, i));
	}
	parts_done(&whole);
	whole = parts_read_images(v, &arena);
	parts_done(&whole);
	arena_done(&arena);
	buf_done(&a);
}

/* ---- sides ---- */

static void read_pairs(const struct side sides[2])
{
	bool shared = side_shared(&sides[0], &sides[1]);
	struct pairs whole;

	pairs_read(&whole, &sides[0], &sides[1], shared);
	for (size_t i = 0; i < whole.count; i++) {
		const struct pair_end *e = &whole.ends[i];

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
}

static void read_sides(struct str text, struct jv in, struct jv out, struct jv images)
{
	struct arena arena = {0};
	struct side sides[2];

	for (int i = 0; i < 2; i++) {
		enum prefer prefer = i ? PREFER_OUTPUT : PREFER_INPUT;
		const struct chat *chat = &sides[i].chat;

		side_read(&sides[i], i ? out : in, images, prefer, &arena);
		EXPECT(sides[i].opened || !chat->count ||
				fuzz_within(chat->items[0], text),
			"a message is not in the text");
		for (size_t m = 0; m < chat->count && m < 20; m++) {
			bool given;

			message_role(chat->items[m], prefer, &given, &arena);
			read_parts(chat->items[m]);
		}
	}
	read_pairs(sides);
	for (int i = 0; i < 2; i++)
		side_done(&sides[i]);
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
	read_parts(in);
	read_sides(text, in, out, jv_member(in, "user_images"));
	return 0;
}
