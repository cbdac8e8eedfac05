/* Keys and their meanings, remembered: see keys.h. */
#include "config.h"
#include "import/keys.h"

#include "dialect/chunk.h"
#include "import/peek.h"

struct sign_key {
	struct str key;
	enum key_sign sign;
};

static const struct sign_key sign_keys[] = {
	{{"user_prompt", 11}, SIGN_INPUT},
	{{"userPrompt", 10}, SIGN_INPUT},
	{{"assistant_response", 18}, SIGN_INPUT},
	{{"assistantResponse", 17}, SIGN_INPUT},
	{{"chain_name", 10}, SIGN_CHAIN_NAME},
	{{"chainName", 9}, SIGN_CHAIN_NAME},
	{{"message", 7}, SIGN_MESSAGE},
	{{"context", 7}, SIGN_CONTEXT},
	{{"conversation_history", 20}, SIGN_HISTORY},
	{{"conversationHistory", 19}, SIGN_HISTORY},
	{{"custom_payload", 14}, SIGN_ELEMENTS},
	{{"customPayload", 13}, SIGN_ELEMENTS},
	{{"suggested_values", 16}, SIGN_ELEMENTS},
	{{"suggestedValues", 15}, SIGN_ELEMENTS},
	{{"suggested_actions", 17}, SIGN_ELEMENTS},
	{{"suggestedActions", 16}, SIGN_ELEMENTS},
	{{"tool_history", 12}, SIGN_ELEMENTS},
	{{"toolHistory", 11}, SIGN_ELEMENTS},
	{{"type", 4}, SIGN_TYPE},
	{{"object", 6}, SIGN_OBJECT},
};

static unsigned signs_of(struct str key)
{
	unsigned signs = is_event_key(key) ? SIGN_EVENT : 0;

	if (str_starts(key, STR("$ai_")))
		signs |= SIGN_AI;
	for (size_t i = 0; i < sizeof(sign_keys) / sizeof(*sign_keys); i++)
		if (str_equal(key, sign_keys[i].key))
			signs |= sign_keys[i].sign;
	if (chunk_is_sign(key, (struct jv){.kind = J_ARRAY}))
		signs |= SIGN_CHUNK_ARRAY;
	if (chunk_is_sign(key, (struct jv){.kind = J_OBJECT}))
		signs |= SIGN_CHUNK_OBJECT;
	if (chunk_is_sign(key, (struct jv){.kind = J_FALSE}))
		signs |= SIGN_CHUNK_BOOL;
	return signs;
}

static struct key_meaning find_meaning(struct str key)
{
	struct key_meaning m = {.signs = (uint16_t)signs_of(key),
		.carrier = (uint8_t)carrier_of_key(key)};

	for (int i = IN_EVENT; i <= IN_METADATA; i++)
		m.field[i] = (int16_t)field_find((enum field_parent)i, key);
	return m;
}

static struct key_meaning decode_meaning(struct str raw)
{
	struct buf quoted = BUF_INIT, key = BUF_INIT;
	struct key_meaning m;

	if (!raw.n || !memchr(raw.p, '\\', raw.n))
		return find_meaning(raw);
	buf_byte(&quoted, '"');
	buf_str(&quoted, raw);
	buf_byte(&quoted, '"');
	jv_decode(jv_of(buf_view(&quoted), J_STRING), &key);
	m = find_meaning(buf_view(&key));
	buf_done(&quoted);
	buf_done(&key);
	return m;
}

/* Where a key may be remembered: the two last asked for of those that meet here. */
static struct key_known *place_of(struct key_cache *keys, struct str raw)
{
	uint64_t word = 0;

	if (raw.n >= 8)
		memcpy(&word, raw.p + raw.n - 8, 8);
	else
		for (size_t i = 0; i < raw.n; i++)
			word = word << 8 | (unsigned char)raw.p[i];
	word = (word + raw.n) * 0x9E3779B97F4A7C15u;
	return keys->known[word >> 32 & (KEYS_PLACES - 1)];
}

static bool is_known(const struct key_known *known, struct str raw)
{
	return known->n == raw.n && memcmp(known->bytes, raw.p, raw.n) == 0;
}

struct key_meaning keys_look_up(struct key_cache *keys, struct str raw)
{
	struct key_known *known;

	if (!raw.n || raw.n > KEY_LENGTH)
		return decode_meaning(raw);
	known = place_of(keys, raw);
	if (is_known(&known[0], raw))
		return known[0].meaning;
	if (is_known(&known[1], raw))
		return known[1].meaning;
	known[1] = known[0];
	known[0].n = (uint8_t)raw.n;
	memcpy(known[0].bytes, raw.p, raw.n);
	return known[0].meaning = decode_meaning(raw);
}
