/* Blocks that several dialects write alike: see content.h. */
#include "config.h"
#include "dialect/content.h"

#include "chat/side.h"

struct jv content_value(struct jv value, struct arena *arena)
{
	unsigned opened;

	return side_open_string(value, &opened, arena);
}

struct jv content_open(struct jv content, struct arena *arena)
{
	struct jv inner = content_value(content, arena), item;

	if (content.kind != J_STRING || inner.kind != J_ARRAY || jv_empty(inner))
		return content;
	for (struct jwalk w = jwalk_of(inner); jwalk_next(&w, NULL, &item);)
		if (jv_member(item, "type").kind != J_STRING &&
			!(block_customs(item) & BLOCK_BEDROCK))
			return content;
	return inner;
}

struct jv content_string(struct str inside, struct arena *arena)
{
	size_t n = inside.n + 2;
	char *text = arena_alloc(arena, n);

	text[0] = text[n - 1] = '"';
	if (inside.n)
		memcpy(text + 1, inside.p, inside.n);
	return jv_of((struct str){text, n}, J_STRING);
}

bool content_only(struct jv object, const char *const names[], size_t count)
{
	struct jv key, value;

	for (struct jwalk w = jwalk_of(object); jwalk_next(&w, &key, &value);) {
		size_t i = 0;

		while (i < count && !jv_key_is(key, str_of(names[i])))
			i++;
		if (i == count)
			return false;
	}
	return object.kind == J_OBJECT;
}
