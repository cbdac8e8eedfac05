/* Conditions, places and values of a description: see describe.h. */
#include "config.h"
#include "import/describe.h"

#include <math.h>

#include "base/mem.h"
#include "json/json.h"

/* ---- conditions ---- */

static bool text_fits(struct str text, struct str wanted)
{
	if (wanted.n && wanted.p[wanted.n - 1] == '*')
		return str_starts(text, (struct str){wanted.p, wanted.n - 1});
	if (wanted.n && wanted.p[0] == '*')
		return str_ends(text, str_skip(wanted, 1));
	return str_equal(text, wanted);
}

static bool text_fits_one_of(struct str text, const struct str *texts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (text_fits(text, texts[i]))
			return true;
	return false;
}

bool text_is_one_of(struct jv value, const struct str *texts, size_t count)
{
	AUTO_BUF text = BUF_INIT;
	struct str s = !value.p                 ? (struct str){NULL, 0}
		       : value.kind == J_STRING ? jv_str(value, &text)
						: jv_raw(value);

	return value.p && value.kind != J_NONE && s.p &&
	       text_fits_one_of(s, texts, count);
}

bool test_holds(const struct test *t, struct jv value)
{
	switch (t->want) {
	case WANT_ANY:
		return !jv_null(value);
	case WANT_ABSENT:
		return jv_null(value);
	case WANT_KIND:
		return (t->kinds >> value.kind & 1) != 0;
	case WANT_TEXT:
		return text_is_one_of(value, t->texts, t->text_count);
	case WANT_OTHER:
		return !jv_null(value) && !text_is_one_of(value, t->texts, t->text_count);
	}
	return false;
}

bool groups_hold(const struct groups *g, leaf_value *value, void *ctx)
{
	for (size_t i = 0; i < g->count; i++) {
		const struct test_group *group = &g->items[i];
		size_t n = 0;

		while (n < group->count &&
			test_holds(&group->tests[n], value(ctx, group->tests[n].leaf)))
			n++;
		if (n == group->count)
			return true;
	}
	return false;
}

bool place_counts(const struct fact_place *p, leaf_value *value, void *ctx)
{
	return !p->when.count || groups_hold(&p->when, value, ctx);
}

const struct turn_rule *rule_that_holds(
	const struct description *d, bool first, leaf_value *value, void *ctx)
{
	for (size_t i = 0; i < d->rule_count; i++) {
		const struct turn_rule *r = &d->rules[i];

		if ((first || !r->first) &&
			(!r->when.count || groups_hold(&r->when, value, ctx)))
			return r;
	}
	return NULL;
}

struct jv places_value(
	const struct fact_places *p, leaf_value *value, void *ctx, enum time_unit *unit)
{
	struct jv found = JV_NONE;

	*unit = TIME_PLAIN;
	for (size_t i = 0; i < p->count; i++) {
		struct jv v = value(ctx, p->items[i].leaf);

		bool empty = v.p && jv_empty(v); /* a long one is not */

		if (jv_null(v) || (found.kind != J_NONE && empty) ||
			!place_counts(&p->items[i], value, ctx))
			continue;
		found = v;
		*unit = (enum time_unit)p->items[i].unit;
		if (!empty)
			break;
	}
	return found;
}

/* ---- values ---- */

double unit_seconds_of(struct jv value, enum time_unit unit)
{
	static const double per_second[] = {
		[TIME_S] = 1, [TIME_MS] = 1e3, [TIME_US] = 1e6, [TIME_NS] = 1e9};

	if (unit == TIME_PLAIN)
		return fact_seconds(value);
	return fact_number(value) / per_second[unit];
}

double described_time(struct jv value)
{
	struct jv item;
	struct jwalk w;
	double v[2] = {NAN, NAN};

	if (value.kind != J_ARRAY)
		return fact_time(value);
	jwalk_begin(&w, value);
	for (int i = 0; i < 2 && jwalk_next(&w, NULL, &item); i++)
		v[i] = fact_number(item);
	return v[0] + v[1] / 1e9;
}

static const struct {
	struct str word;
	enum fact fact;
} fact_words[] = {
	{{"id", 2}, FACT_ID},
	{{"event", 5}, FACT_EVENT},
	{{"start", 5}, FACT_TIMESTAMP},
	{{"end", 3}, FACT_END},
	{{"model", 5}, FACT_MODEL},
	{{"input_tokens", 12}, FACT_INPUT_TOKENS},
	{{"output_tokens", 13}, FACT_OUTPUT_TOKENS},
	{{"cost", 4}, FACT_COST},
	{{"latency", 7}, FACT_LATENCY},
	{{"name", 4}, FACT_NAME},
	{{"trace_name", 10}, FACT_CHAIN_NAME},
	{{"trace", 5}, FACT_TRACE},
	{{"parent", 6}, FACT_PARENT},
	{{"span", 4}, FACT_SPAN},
	{{"is_error", 8}, FACT_IS_ERROR},
	{{"error", 5}, FACT_ERROR},
	{{"status", 6}, FACT_STATUS},
	{{"provider", 8}, FACT_PROVIDER},
	{{"tools", 5}, FACT_TOOLS},
	{{"parameters", 10}, FACT_PARAMETERS},
	{{"temperature", 11}, FACT_TEMPERATURE},
	{{"max_tokens", 10}, FACT_MAX_TOKENS},
	{{"cache_read", 10}, FACT_CACHE_READ},
	{{"cache_write", 11}, FACT_CACHE_WRITE},
	{{"cache_hour", 10}, FACT_CACHE_HOUR},
	{{"first_token", 11}, FACT_FIRST_TOKEN},
	{{"session", 7}, FACT_SESSION},
	{{"thread", 6}, FACT_THREAD},
	{{"agent", 5}, FACT_AGENT},
	{{"cwd", 3}, FACT_CWD},
	{{"branch", 6}, FACT_BRANCH},
	{{"stop", 4}, FACT_STOP},
	{{"input_cost", 10}, FACT_INPUT_COST},
	{{"output_cost", 11}, FACT_OUTPUT_COST},
	{{"fresh_tokens", 12}, FACT_FRESH_TOKENS},
	{{"cached_tokens", 13}, FACT_CACHED_TOKENS},
	{{"answer_tokens", 13}, FACT_ANSWER_TOKENS},
	{{"reasoning_tokens", 16}, FACT_REASONING_TOKENS},
	{{"total_tokens", 12}, FACT_TOTAL_TOKENS},
	{{"user", 4}, FACT_USER},
	{{"environment", 11}, FACT_ENVIRONMENT},
	{{"tags", 4}, FACT_TAGS},
	{{"metadata", 8}, FACT_METADATA},
	{{"scores", 6}, FACT_SCORES},
	/* of events: what other formats say under input and output */
	{{"input", 5}, FACT_INPUT},
	{{"output", 6}, FACT_OUTPUT},
	{{"images", 6}, FACT_IMAGES},
	{{"prompt_schema", 13}, FACT_PROMPT_SCHEMA},
	{{"generation", 10}, FACT_GENERATION},
	{{"conversation", 12}, FACT_CONVERSATION},
};

int fact_of_word(struct str word)
{
	for (size_t i = 0; i < sizeof(fact_words) / sizeof(*fact_words); i++)
		if (str_equal(word, fact_words[i].word))
			return (int)fact_words[i].fact;
	return -1;
}

struct str fact_word(size_t i)
{
	return i < sizeof(fact_words) / sizeof(*fact_words) ? fact_words[i].word
							    : (struct str){0};
}
