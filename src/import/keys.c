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
	{{"user_prompt", 11}, KEY_INPUT},
	{{"userPrompt", 10}, KEY_INPUT},
	{{"assistant_response", 18}, KEY_INPUT},
	{{"assistantResponse", 17}, KEY_INPUT},
	{{"chain_name", 10}, KEY_CHAIN_NAME},
	{{"chainName", 9}, KEY_CHAIN_NAME},
	{{"message", 7}, KEY_MESSAGE},
	{{"context", 7}, KEY_CONTEXT},
	{{"conversation_history", 20}, KEY_HISTORY},
	{{"conversationHistory", 19}, KEY_HISTORY},
	{{"custom_payload", 14}, KEY_ELEMENTS},
	{{"customPayload", 13}, KEY_ELEMENTS},
	{{"suggested_values", 16}, KEY_ELEMENTS},
	{{"suggestedValues", 15}, KEY_ELEMENTS},
	{{"suggested_actions", 17}, KEY_ELEMENTS},
	{{"suggestedActions", 16}, KEY_ELEMENTS},
	{{"tool_history", 12}, KEY_ELEMENTS},
	{{"toolHistory", 11}, KEY_ELEMENTS},
	{{"type", 4}, KEY_TYPE},
	{{"object", 6}, KEY_OBJECT},
};

static unsigned signs_of(struct str key)
{
	unsigned signs = is_event_key(key) ? KEY_EVENT : 0;

	if (str_starts(key, STR("$ai_")))
		signs |= KEY_AI;
	for (size_t i = 0; i < sizeof(sign_keys) / sizeof(*sign_keys); i++)
		if (str_equal(key, sign_keys[i].key))
			signs |= sign_keys[i].sign;
	if (chunk_is_sign(key, (struct jv){.kind = J_ARRAY}))
		signs |= KEY_CHUNK_ARRAY;
	if (chunk_is_sign(key, (struct jv){.kind = J_OBJECT}))
		signs |= KEY_CHUNK_OBJECT;
	if (chunk_is_sign(key, (struct jv){.kind = J_FALSE}))
		signs |= KEY_CHUNK_BOOL;
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
static struct key_known *place_of(struct keys *keys, struct str raw)
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

struct key_meaning keys_look_up(struct keys *keys, struct str raw)
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
