/* The field map: where a fact may stand, which place wins, and what its value means. */
#include "config.h"
#include <criterion/criterion.h>

#include <locale.h>
#include <math.h>

#include "base/arena.h"
#include "base/mem.h"
#include "import/fields.h"
#include "import/keys.h"
#include "import/known.h"
#include "import/plan.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

/* The fact of which a field is a place, or -1. */
static int fact_of_field(int field)
{
	const struct description *d = known_built_in(STR("event"));

	for (int f = 0; f < FACT_COUNT; f++)
		for (size_t i = 0; i < d->facts[f].count; i++)
			if (field >= 0 && d->facts[f].items[i].leaf == field)
				return f;
	return -1;
}

Test(fields, every_fact_has_a_place)
{
	bool seen[FACT_COUNT] = {false};

	const struct description *d = known_built_in(STR("event"));

	for (int f = 0; f < FACT_COUNT; f++)
		seen[f] = d->facts[f].count > 0;
	for (int f = 0; f < FACT_COUNT; f++) {
		bool described = f >= FACT_END && f != FACT_PARAMETERS;

		cr_expect((seen[f] || described) && fact_name((enum fact)f),
			"fact %d has no place", f);
	}
}

Test(fields, found_under_both_spellings)
{
	static const struct {
		enum field_parent parent;
		const char *key;
		int fact;
	} rows[] = {
		{IN_EVENT, "id", FACT_ID},
		{IN_EVENT, "uuid", FACT_ID},
		{IN_PROPERTIES, "id", FACT_ID},
		{IN_EVENT, "timestamp", FACT_TIMESTAMP},
		{IN_PROPERTIES, "timestamp", FACT_TIMESTAMP},
		{IN_PROPERTIES, "$ai_model", FACT_MODEL},
		{IN_EVENT, "$ai_model", -1},
		{IN_EVENT, "model", FACT_MODEL},
		{IN_PROPERTIES, "model", -1},
		{IN_EVENT, "user_prompt", FACT_INPUT},
		{IN_EVENT, "userPrompt", FACT_INPUT},
		{IN_EVENT, "userprompt", -1},
		{IN_EVENT, "assistantResponse", FACT_OUTPUT},
		{IN_EVENT, "inputTokens", FACT_INPUT_TOKENS},
		{IN_PROPERTIES, "$aiInputTokens", FACT_INPUT_TOKENS},
		{IN_EVENT, "totalCost", FACT_COST},
		{IN_PROPERTIES, "promptSchema", FACT_PROMPT_SCHEMA},
		{IN_EVENT, "prompt_schema", FACT_PROMPT_SCHEMA},
		{IN_EVENT, "promptSchema", FACT_PROMPT_SCHEMA},
		{IN_EVENT, "traceId", FACT_TRACE},
		{IN_METADATA, "trace_id", FACT_TRACE},
		{IN_METADATA, "traceId", FACT_TRACE},
		{IN_METADATA, "id", -1},
		{IN_PROPERTIES, "$ai_parent_id", FACT_PARENT},
		{IN_EVENT, "parentId", FACT_PARENT},
		{IN_EVENT, "", -1},
		{IN_EVENT, "i", -1},
		{IN_EVENT, "idd", -1},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		int field = field_find(rows[i].parent, str_of(rows[i].key));

		cr_expect_eq(fact_of_field(field), rows[i].fact, "%s", rows[i].key);
	}
}

Test(fields, columns_by_name)
{
	static const struct {
		const char *name;
		int fact;
	} rows[] = {
		{"uuid", FACT_ID},
		{"event", FACT_EVENT},
		{"$ai_model", FACT_MODEL},
		{"properties.$ai_model", FACT_MODEL},
		{"properties.model", -1},
		{"model", FACT_MODEL},
		{"properties.$ai_span_name", FACT_NAME},
		{"metadata.trace_id", FACT_TRACE},
		{"chain_name", FACT_CHAIN_NAME},
		{"promptSchema", FACT_PROMPT_SCHEMA},
		{"person", -1},
		{"", -1},
		{"properties.", -1},
	};
	struct position_plan *c = columns_new();

	for (size_t i = 0; i < COUNT(rows); i++) {
		int field = field_of_column(str_of(rows[i].name));

		cr_expect_eq(fact_of_field(field), rows[i].fact, "%s", rows[i].name);
		columns_add(c, str_of(rows[i].name));
		cr_expect_eq(columns_field(c, i), field);
	}
	cr_expect_eq(columns_field(c, COUNT(rows)), -1);
	cr_expect_eq(columns_field(c, UINT64_MAX), -1);
	cr_expect_eq(columns_needed(c), 1);
	columns_free(c);
	columns_free(NULL);
	for (size_t i = 0; i < ROW_LENGTH; i++)
		cr_expect_eq(fact_of_field(columns_field(NULL, i)), (int)row_facts[i]);
	cr_expect_eq(columns_field(NULL, ROW_LENGTH), -1);
	cr_expect_eq(columns_needed(NULL), ROW_LENGTH);
}

/* ---- which value wins ---- */

static const struct {
	const char *text;
	enum fact fact;
	const char *want; /* NULL: absent */
} winners[] = {
	{"{}", FACT_ID, NULL},
	{"{\"id\":\"a\",\"uuid\":\"b\"}", FACT_ID, "\"a\""},
	{"{\"uuid\":\"b\",\"id\":\"a\"}", FACT_ID, "\"a\""},
	{"{\"id\":\"\",\"uuid\":\"b\"}", FACT_ID, "\"b\""},
	{"{\"id\":null,\"uuid\":\"b\"}", FACT_ID, "\"b\""},
	{"{\"properties\":{\"id\":\"p\"}}", FACT_ID, "\"p\""},
	{"{\"properties\":{\"$ai_model\":\"\"},\"model\":\"m\"}", FACT_MODEL, "\"m\""},
	{"{\"model\":\"m\",\"properties\":{\"$ai_model\":\"n\"}}", FACT_MODEL, "\"n\""},
	{"{\"input_tokens\":0}", FACT_INPUT_TOKENS, "0"},
	{"{\"properties\":{\"$ai_input_tokens\":0},\"input_tokens\":7}",
		FACT_INPUT_TOKENS, "7"},
	{"{\"properties\":{\"$ai_input_tokens\":0},\"input_tokens\":null}",
		FACT_INPUT_TOKENS, "0"},
	{"{\"properties\":{\"$ai_input_tokens\":null},\"input_tokens\":0}",
		FACT_INPUT_TOKENS, "null"},
	{"{\"total_cost\":1,\"totalCost\":2}", FACT_COST,
		"2"}, /* one key, and the last wins */
	{"{\"user_prompt\":[],\"properties\":{\"$ai_input\":{}}}", FACT_INPUT, "{}"},
	{"{\"user_prompt\":[1],\"properties\":{\"$ai_input\":{}}}", FACT_INPUT, "[1]"},
	{"{\"user_prompt\":false,\"properties\":{\"$ai_input\":\"\"}}", FACT_INPUT,
		"\"\""},
	{"{\"id\":1,\"id\":2}", FACT_ID, "2"},
	{"{\"trace_id\":\"\",\"metadata\":{\"trace_id\":\"m\"}}", FACT_TRACE, "\"m\""},
	{"{\"properties\":{\"trace_id\":\"q\",\"$ai_trace_id\":\"p\"}}", FACT_TRACE,
		"\"p\""},
	{"{\"m\\u006fdel\":\"x\"}", FACT_MODEL, "\"x\""},
	{"{\"properties\":[\"$ai_model\"],\"model\":\"m\"}", FACT_MODEL, "\"m\""},
	{"[1,2]", FACT_ID, NULL},
	{"{\"id\":\"a\",\"mod", FACT_ID, "\"a\""},
};

Test(fields, first_that_is_not_empty_wins)
{
	for (size_t i = 0; i < COUNT(winners); i++) {
		struct facts f;
		struct jv v;

		facts_read(&f, jv_parse(str_of(winners[i].text)), false, NULL, NULL);
		v = f.v[winners[i].fact];
		if (!winners[i].want)
			cr_expect_eq(v.kind, J_NONE, "%s", winners[i].text);
		else
			cr_expect(str_equal((struct str){v.p, v.n},
					  str_of(winners[i].want)),
				"%s: %.*s", winners[i].text, (int)v.n, v.p);
	}
}

/* The list's way to the same value. */
static void put_object(
	struct slots *s, struct str whole, struct jv object, enum field_parent parent)
{
	struct jwalk w;
	struct jv key, value;

	jwalk_begin(&w, object);
	while (jwalk_next(&w, &key, &value)) {
		struct buf name = BUF_INIT;
		int field;

		jv_decode(key, &name);
		field = field_find(parent, buf_view(&name));
		if (field >= 0)
			slots_put(
				s, field, value, (uint64_t)(value.p - whole.p), value.n);
		buf_done(&name);
	}
}

Test(fields, slots_agree_with_the_opened_step)
{
	struct slots *s = mem_zalloc(1, sizeof(*s));

	for (size_t i = 0; i < COUNT(winners); i++) {
		struct str text = str_of(winners[i].text);
		struct jv v = jv_parse(text);
		const struct slot *slot;

		if (v.kind != J_OBJECT || v.cut)
			continue;
		slots_clear(s);
		put_object(s, text, v, IN_EVENT);
		put_object(s, text, jv_member(v, "properties"), IN_PROPERTIES);
		put_object(s, text, jv_member(v, "metadata"), IN_METADATA);
		slot = slots_get(s, winners[i].fact);
		if (!winners[i].want)
			cr_expect_null(slot, "%s", winners[i].text);
		else
			cr_expect(slot && str_equal((struct str){slot->text,
							    (size_t)slot->len},
						  str_of(winners[i].want)),
				"%s", winners[i].text);
	}
	s->round = UINT32_MAX; /* the rounds begin anew: nothing old is taken for new */
	s->by_field[0].round = 1;
	slots_clear(s);
	cr_expect_null(slots_get(s, FACT_ID));
	mem_free(s);
}

Test(fields, rows)
{
	static const char row[] =
		"[\"u\",\"e\",\"2024-01-01T00:00:00Z\",\"m\",\"in\",\"out\",\"12\",3,"
		"0.5,\"850ms\",\"n\",\"c\",{\"s\":1},\"more\"]";
	struct position_plan *c = columns_new();
	struct facts f;

	facts_read(&f, jv_parse(str_of(row)), true, NULL, NULL);
	cr_expect_eq(f.positions, 14);
	cr_expect(jv_is(f.v[FACT_ID], STR("u")) && jv_is(f.v[FACT_CHAIN_NAME], STR("c")));
	cr_expect_eq(fact_number(f.v[FACT_INPUT_TOKENS]), 12);
	cr_expect_eq(fact_seconds(f.v[FACT_LATENCY]), 0.85);
	cr_expect(f.v[FACT_PROMPT_SCHEMA].kind == J_OBJECT &&
		  f.v[FACT_TRACE].kind == J_NONE);
	columns_add(c, STR("model"));
	columns_add(c, STR("whatever"));
	columns_add(c, STR("properties.$ai_model"));
	facts_read(&f, jv_parse(STR("[\"low\",1,\"high\"]")), true, c, NULL);
	cr_expect(jv_is(f.v[FACT_MODEL], STR("high")) && f.positions == 3);
	facts_read(&f, jv_parse(STR("[\"low\",1,null]")), true, c, NULL);
	cr_expect(jv_is(f.v[FACT_MODEL], STR("low")));
	facts_read(&f, jv_parse(STR("[]")), true, c, NULL);
	cr_expect(f.positions == 0 && f.v[FACT_MODEL].kind == J_NONE);
	columns_free(c);
}

/* ---- values ---- */

static bool near(double got, double want)
{
	return isnan(want) ? isnan(got) : fabs(got - want) <= 1e-9 * fabs(want);
}

Test(fields, seconds)
{
	static const struct {
		const char *json;
		double want;
	} rows[] = {
		{"1.5", 1.5},
		{"0", 0},
		{"\"0\"", 0},
		{"\"9.11\"", 9.11},
		{"\"1.5s\"", 1.5},
		{"\"850ms\"", 0.85},
		{"\"2m\"", 120},
		{"\"2 min\"", 120},
		{"\"1m 30s\"", 90},
		{"\"1h2m3s\"", 3723},
		{"\" 1.5 s \"", 1.5},
		{"\"3 seconds\"", 3},
		{"\"12\\u00b5s\"", 12e-6},
		{"\"7ns\"", 7e-9},
		{"\"1e3ms\"", 1},
		{"\"s\"", NAN},
		{"\"\"", NAN},
		{"\"1 parsec\"", NAN},
		{"\"1.5s later\"", NAN},
		{"\"nan\"", NAN},
		{"\"inf\"", NAN},
		{"\"1e999s\"", NAN},
		{"\"1s\\u0000\"", NAN},
		{"null", NAN},
		{"true", NAN},
		{"[1]", NAN},
		{"NaN", NAN},
	};

	for (size_t i = 0; i < COUNT(rows); i++)
		cr_expect(
			near(fact_seconds(jv_parse(str_of(rows[i].json))), rows[i].want),
			"%s: %g", rows[i].json,
			fact_seconds(jv_parse(str_of(rows[i].json))));
}

Test(fields, times)
{
	static const struct {
		const char *json;
		double want;
	} rows[] = {
		{"\"1970-01-01T00:00:00Z\"", 0},
		{"\"1970-01-01\"", 0},
		{"\"2000-02-29T12:00:00Z\"", 951825600},
		{"\"2024-05-01T10:20:30.250Z\"", 1714558830.25},
		{"\"2024-05-01 10:20:30,25\"", 1714558830.25},
		{"\"2024-05-01T12:20:30+02:00\"", 1714558830},
		{"\"2024-05-01T05:20:30-0500\"", 1714558830},
		{"\"2024-05-01 10:20:30 +00:00\"", 1714558830},
		{"\"2024-05-01T10:20:30 UTC\"", 1714558830},
		{"\"2024-05-01t10:20:30z\"", 1714558830},
		{"\"2024-05-01T10:20\"", 1714558800},
		{"\"0001-01-01T00:00:00Z\"", -62135596800.0},
		{"\"1969-12-31T23:59:59Z\"", -1},
		{"1714558830", 1714558830},
		{"1714558830.5", 1714558830.5},
		{"\"1714558830\"", 1714558830},
		{"1714558830250", 1714558830.25},
		{"1714558830250000", 1714558830.25},
		{"1714558830250000000", 1714558830.25},
		{"\"\"", NAN},
		{"\"yesterday\"", NAN},
		{"\"2024-13-01\"", NAN},
		{"\"2024-00-01\"", NAN},
		{"\"2024-01-32\"", NAN},
		{"\"2024-01-01T25:00:00Z\"", NAN},
		{"\"2024-01-01T10:61:00Z\"", NAN},
		{"\"2024-01-01T10:00:00+9\"", NAN},
		{"\"2024-01-01T10:00:00+99:00\"", NAN},
		{"\"2024-01-01T10:00:00Zulu\"", NAN},
		{"\"2024-01-01x\"", NAN},
		{"\"2024-01-01T\"", NAN},
		{"null", NAN},
		{"{}", NAN},
	};

	for (size_t i = 0; i < COUNT(rows); i++)
		cr_expect(near(fact_time(jv_parse(str_of(rows[i].json))), rows[i].want),
			"%s: %f", rows[i].json,
			fact_time(jv_parse(str_of(rows[i].json))));
}

/* What is remembered of a key must be what was found out about it, whatever came between:
 * keys that meet in one place, escaped ones, long ones. */
Test(fields, remembered_keys)
{
	struct key_cache *keys = mem_zalloc(1, sizeof(*keys)),
			 *fresh = mem_alloc(sizeof(*keys));
	struct buf key = BUF_INIT;

	for (unsigned i = 0; i < 20000; i++) {
		unsigned n = i * 2654435761u >> 16;
		static const char *const names[] = {"id", "uuid", "trace_id", "model",
			"$ai_model", "chain_name", "userPrompt", "latency", "nothing"};
		const char *name = names[n % COUNT(names)];
		struct key_meaning a, b;

		buf_clear(&key);
		if (n & 1024)
			buf_printf(&key, "k%.*d", (int)(n >> 11 & 31), (int)(n & 255));
		else
			buf_text(&key, name);
		memset(fresh, 0, sizeof(*fresh));
		a = keys_look_up(keys, buf_view(&key));
		b = keys_look_up(fresh, buf_view(&key));
		cr_assert(memcmp(a.field, b.field, sizeof(a.field)) == 0, "%s", key.data);
		cr_assert_eq(a.signs, b.signs, "%s", key.data);
		cr_assert_eq(a.carrier, b.carrier, "%s", key.data);
		for (int in = IN_EVENT; !(n & 1024) && in <= IN_METADATA; in++)
			cr_assert_eq(a.field[in],
				field_find((enum field_parent)in, str_of(name)));
	}
	cr_expect_eq(keys_look_up(keys, STR("\\u0065vents")).carrier, CARRIER_EVENTS);
	cr_expect_eq(keys_look_up(keys, STR("\\u0069d")).signs, SIGN_EVENT);
	cr_expect_eq(keys_look_up(keys, STR("")).field[IN_EVENT], -1);
	cr_expect_eq(keys_look_up(keys, STR("id\0")).signs, 0);
	buf_done(&key);
	mem_free(fresh);
	mem_free(keys);
}

Test(fields, numbers)
{
	cr_expect_eq(fact_number(jv_parse(STR("\" 12 \""))), 12);
	cr_expect_eq(fact_number(jv_parse(STR("0"))), 0);
	cr_expect_eq(fact_number(jv_parse(STR("1e3"))), 1000);
	cr_expect(isnan(fact_number(jv_parse(STR("\"twelve\"")))));
	cr_expect(isnan(fact_number(jv_parse(STR("\"0x10\"")))));
	cr_expect(isnan(fact_number(jv_parse(STR("1e999")))));
	cr_expect(isnan(fact_number(JV_NONE)));
}

/* ---- errors ---- */

Test(fields, errors)
{
	static const struct {
		const char *error, *message, *rest;
	} rows[] = {
		{"\"no\"", "no", ""},
		{"7", "7", ""},
		{"{\"message\":\"no\"}", "no", ""},
		{"{\"error\":{\"message\":\"a\\nb\"}}", "a\nb", ""},
		{"{\"type\":\"error\",\"error\":{\"message\":\"no\",\"code\":null}}",
			"no", ""},
		{"{\"code\":3,\"message\":\"no\"}", "no",
			"{\"code\":3,\"message\":\"no\"}"},
		{"\"{\\\"error\\\":{\\\"message\\\":\\\"no\\\"}}\"", "no", ""},
		{"{\"message\":\"{\\\"detail\\\":\\\"no\\\"}\"}", "no", ""},
		{"{\"error\":\"no\"}", "no", ""},
		{"{\"errors\":[{\"message\":\"no\"}]}", "no", ""},
		{"[{\"message\":\"a\"},{\"message\":\"b\"}]", "",
			"[{\"message\":\"a\"},{\"message\":\"b\"}]"},
		{"{\"code\":3}", "", "{\"code\":3}"},
		{"true", "", ""},
		{"null", "", ""},
		{"\"\"", "", ""},
		{"{}", "", ""},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct arena arena = {0};
		struct error_said said =
			fact_error(jv_parse(str_of(rows[i].error)), &arena);
		struct buf text = BUF_INIT;

		buf_text(&text, "");
		jv_text(said.message, &text);
		cr_expect(str_equal(buf_view(&text), str_of(rows[i].message)),
			"%s says %s", rows[i].error, text.data);
		cr_expect(str_equal((struct str){said.rest.p, said.rest.n},
				  str_of(rows[i].rest)),
			"%s has the rest %.*s", rows[i].error, (int)said.rest.n,
			said.rest.p);
		arena_done(&arena);
		buf_done(&text);
	}
}

/* What formats state, and the one definition of it. */
Test(fields, token_figures)
{
	enum { U = -1 }; /* not stated */
	static const struct {
		const char *who;
		double input, fresh, cached, read, write, output, answer, reasoning, total;
		double want[4]; /* input, cache read, cache write, output */
	} cases[] = {
		{"Anthropic", U, 10, U, 70, 20, 5, U, U, U, {100, 70, 20, 5}},
		{"Anthropic without a cache", U, 10, U, U, U, 5, U, U, U, {10, U, U, 5}},
		{"OpenAI", 100, U, 70, U, U, 9, U, 4, U, {100, 70, U, 9}},
		{"OpenAI, whose key is Anthropic's", U, 100, 70, U, U, 9, U, 4, U,
			{100, 70, U, 9}},
		{"Gemini", 100, U, 70, U, U, U, 5, 4, U, {100, 70, U, 9}},
		{"OpenCode", U, 10, U, 70, 20, U, 5, 4, U, {100, 70, 20, 9}},
		{"an input that is smaller than its parts", 10, U, U, 70, 20, 5, U, U, U,
			{100, 70, 20, 5}},
		{"all and fresh", 100, 10, U, 70, 20, 5, U, U, U, {100, 70, 20, 5}},
		{"a total that contains the cache", 100, U, U, 30, U, 9, U, U, 109,
			{100, 30, U, 9}},
		{"a total that has the cache beside the input", 100, U, U, 30, U, 9, U, U,
			139, {130, 30, U, 9}},
		{"a total that has reasoning beside the output", 100, U, 70, U, U, 9, U, 4,
			113, {100, 70, U, 13}},
		{"a total that says both", 10, U, U, 70, U, 9, U, 4, 93, {80, 70, U, 13}},
		{"a total of something else", 100, U, U, 30, U, 9, U, U, 200,
			{100, 30, U, 9}},
		{"nothing", U, U, U, U, U, U, U, U, U, {U, U, U, U}},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const double said[] = {cases[i].input, cases[i].fresh, cases[i].cached,
			cases[i].read, cases[i].write, cases[i].output, cases[i].answer,
			cases[i].reasoning, cases[i].total};
		static const enum fact facts[] = {FACT_INPUT_TOKENS, FACT_FRESH_TOKENS,
			FACT_CACHED_TOKENS, FACT_CACHE_READ, FACT_CACHE_WRITE,
			FACT_OUTPUT_TOKENS, FACT_ANSWER_TOKENS, FACT_REASONING_TOKENS,
			FACT_TOTAL_TOKENS};
		double stated[FACT_COUNT];
		struct token_figures t;

		for (size_t k = 0; k < 9; k++)
			stated[facts[k]] = said[k] < 0 ? (double)NAN : said[k];
		t = token_figures(stated);
		const double got[] = {t.input, t.cache_read, t.cache_write, t.output};

		for (size_t k = 0; k < 4; k++)
			cr_expect(cases[i].want[k] < 0 ? isnan(got[k])
						       : got[k] == cases[i].want[k],
				"%s, figure %zu: %g", cases[i].who, k, got[k]);
	}
}
