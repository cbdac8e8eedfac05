/* Facts of events: where one may stand, which place wins, and what its value means. */
#include "config.h"
#include <criterion/criterion.h>

#include <locale.h>
#include <math.h>

#include "base/mem.h"
#include "import/fields.h"
#include "import/known.h"
#include "import/opening.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

/* The fact of which a node of an event is a place, or -1. */
static int fact_of_node(uint16_t node)
{
	const struct description *d = known_events();
	int leaf = node == NODE_NONE ? -1 : d->trie.nodes[node].leaf;

	for (int f = 0; f < FACT_COUNT; f++)
		for (size_t i = 0; i < d->facts[f].count; i++)
			if (leaf >= 0 && d->facts[f].items[i].leaf == leaf)
				return f;
	return -1;
}

Test(fields, every_fact_has_a_place)
{
	bool seen[FACT_COUNT] = {false};

	const struct description *d = known_events();

	for (int f = 0; f < FACT_COUNT; f++)
		seen[f] = d->facts[f].count > 0;
	for (int f = 0; f < FACT_COUNT; f++) {
		bool described = f >= FACT_END && f != FACT_PARAMETERS;

		cr_expect((seen[f] || described) && fact_words[f].name,
			"fact %d has no place", f);
	}
}

Test(fields, found_under_both_spellings)
{
	static const struct {
		const char *parent; /* of an event, or NULL: itself */
		const char *key;
		int fact;
	} rows[] = {
		{NULL, "id", FACT_ID},
		{NULL, "uuid", FACT_ID},
		{"properties", "id", FACT_ID},
		{NULL, "timestamp", FACT_TIMESTAMP},
		{"properties", "timestamp", FACT_TIMESTAMP},
		{"properties", "$ai_model", FACT_MODEL},
		{NULL, "$ai_model", -1},
		{NULL, "model", FACT_MODEL},
		{"properties", "model", -1},
		{NULL, "user_prompt", FACT_INPUT},
		{NULL, "userPrompt", FACT_INPUT},
		{NULL, "userprompt", -1},
		{NULL, "assistantResponse", FACT_OUTPUT},
		{NULL, "inputTokens", FACT_INPUT_TOKENS},
		{"properties", "$aiInputTokens", FACT_INPUT_TOKENS},
		{NULL, "totalCost", FACT_COST},
		{"properties", "promptSchema", FACT_PROMPT_SCHEMA},
		{NULL, "prompt_schema", FACT_PROMPT_SCHEMA},
		{NULL, "promptSchema", FACT_PROMPT_SCHEMA},
		{NULL, "traceId", FACT_TRACE},
		{"metadata", "trace_id", FACT_TRACE},
		{"metadata", "traceId", FACT_TRACE},
		{"metadata", "id", -1},
		{"properties", "$ai_parent_id", FACT_PARENT},
		{NULL, "parentId", FACT_PARENT},
		{NULL, "", -1},
		{NULL, "i", -1},
		{NULL, "idd", -1},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct trie *t = &known_events()->trie;
		uint16_t from =
			rows[i].parent ? trie_member(t, TRIE_ROOT, str_of(rows[i].parent))
				       : TRIE_ROOT;
		uint16_t node = trie_member(t, from, str_of(rows[i].key));

		cr_expect_eq(fact_of_node(node), rows[i].fact, "%s", rows[i].key);
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
	struct position_plan plan = {NULL, 0, 0}, *c = &plan;

	for (size_t i = 0; i < COUNT(rows); i++) {
		columns_add(c, str_of(rows[i].name));
		cr_expect_eq(fact_of_node(columns_node(c, i)), rows[i].fact, "%s",
			rows[i].name);
	}
	cr_expect_eq(columns_node(c, COUNT(rows)), NODE_NONE);
	cr_expect_eq(columns_node(c, UINT64_MAX), NODE_NONE);
	columns_add(c, STR("*"));
	cr_expect_eq(columns_node(c, COUNT(rows)), TRIE_ROOT);
	cr_expect_eq(columns_needed(c), 1);
	mem_free(plan.nodes);
	cr_expect_eq(columns_needed(NULL), 13);
	cr_expect_eq(fact_of_node(columns_node(NULL, 0)), FACT_ID);
	cr_expect_eq(fact_of_node(columns_node(NULL, 12)), FACT_PROMPT_SCHEMA);
	cr_expect_eq(columns_node(NULL, 13), NODE_NONE);
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
		struct step_content o = {.bare = false};
		struct jv v;

		event_facts(&o, jv_parse(str_of(winners[i].text)), false, NULL);
		v = o.facts.v[winners[i].fact];
		if (!winners[i].want)
			cr_expect_eq(v.kind, J_NONE, "%s", winners[i].text);
		else
			cr_expect(str_equal((struct str){v.p, v.n},
					  str_of(winners[i].want)),
				"%s: %.*s", winners[i].text, (int)v.n, v.p);
		arena_done(&o.arena);
	}
}

Test(fields, slots_of_a_new_round_are_empty)
{
	struct slots *s = mem_zalloc(1, sizeof(*s));

	s->round = UINT32_MAX; /* nothing old is taken for new */
	s->by_field[0].round = 1;
	slots_clear(s);
	cr_expect_neq(s->by_field[0].round, s->round);
	mem_free(s);
}

Test(fields, rows)
{
	static const char row[] =
		"[\"u\",\"e\",\"2024-01-01T00:00:00Z\",\"m\",\"in\",\"out\",\"12\",3,"
		"0.5,\"850ms\",\"n\",\"c\",{\"s\":1},\"more\"]";
	struct position_plan plan = {NULL, 0, 0}, *c = &plan;
	struct step_content o = {.bare = false};
	const struct jv *v = o.facts.v;

	event_facts(&o, jv_parse(str_of(row)), true, NULL);
	cr_expect(jv_is(v[FACT_ID], STR("u")) && jv_is(v[FACT_CHAIN_NAME], STR("c")));
	cr_expect_eq(fact_number(v[FACT_INPUT_TOKENS]), 12);
	cr_expect_eq(fact_seconds(v[FACT_LATENCY]), 0.85);
	cr_expect(v[FACT_PROMPT_SCHEMA].kind == J_OBJECT && v[FACT_TRACE].kind == J_NONE);
	columns_add(c, STR("model"));
	columns_add(c, STR("whatever"));
	columns_add(c, STR("properties.$ai_model"));
	event_facts(&o, jv_parse(STR("[\"low\",1,\"high\"]")), true, c);
	cr_expect(jv_is(v[FACT_MODEL], STR("high")));
	event_facts(&o, jv_parse(STR("[\"low\",1,null]")), true, c);
	cr_expect(jv_is(v[FACT_MODEL], STR("low")));
	event_facts(&o, jv_parse(STR("[]")), true, c);
	cr_expect_eq(v[FACT_MODEL].kind, J_NONE);
	mem_free(plan.nodes);
	arena_done(&o.arena);
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
