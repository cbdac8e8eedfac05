/* What models cost: how they are found by name, and what their prices say of a request.
 */
#include "config.h"

#include <criterion/criterion.h>
#include <math.h>

#include "analysis/usage.h"

static const char table[] =
	"{\"about\": {\"date\": \"2026-01-02\"},"
	" \"tall-1\": {\"input_cost_per_token\": 1, \"output_cost_per_token\": 10},"
	" \"reseller/tall-1\": {\"input_cost_per_token\": 7, \"output_cost_per_token\": "
	"7},"
	" \"reseller/lone-2\": {\"input_cost_per_token\": 8, \"output_cost_per_token\": "
	"8},"
	" \"dated-3-20250102\": {\"input_cost_per_token\": 3, \"output_cost_per_token\": "
	"3},"
	" \"dated-4\": {\"input_cost_per_token\": 4, \"output_cost_per_token\": 4},"
	" \"dated-4-20250102\": {\"input_cost_per_token\": 5, \"output_cost_per_token\": "
	"5},"
	" \"reseller/dated-5\": {\"input_cost_per_token\": 9, \"output_cost_per_token\": "
	"9},"
	" \"dated-5-20250102\": {\"input_cost_per_token\": 6, \"output_cost_per_token\": "
	"6},"
	" \"banded\": {\"input_cost_per_token\": 1, "
	"\"input_cost_per_token_above_1k_tokens\": 2,"
	"   \"input_cost_per_token_above_1k_tokens_priority\": 99,"
	"   \"cache_read_input_token_cost\": 0.5,"
	"   \"cache_creation_input_token_cost\": 4,"
	"   \"cache_creation_input_token_cost_above_1hr\": 6,"
	"   \"cache_creation_input_token_cost_above_1hr_above_1k_tokens\": 12,"
	"   \"output_cost_per_token\": 10, \"max_input_tokens\": 5000}}";

static struct prices *prices(void)
{
	struct err err = {.offset = ERR_NOWHERE};
	struct prices *p = prices_new(STR(table), &err);

	cr_assert(p, "%s", err.text);
	return p;
}

/* By the price of one token of input, which is another for each; 0: none. */
Test(prices, names)
{
	static const struct {
		const char *model;
		double price;
	} rows[] = {
		{"tall-1", 1},
		{"Tall-1", 1},
		{"tall.1", 1},
		{"maker/tall-1", 1},
		{"us.maker.tall-1-v1:0", 1},
		{"tall-1[1m]", 1},
		{"tall-1-20250929", 1},
		{"tall-1-2025-09-29", 1},
		{"tall-1-latest", 1},
		{"reseller/tall-1", 7},
		{"lone-2", 8},
		{"dated-3", 3},
		{"dated-3-20250102", 3},
		{"dated-3@20250102", 3},
		{"dated-3-20250101", 0}, /* two dates are two models */
		{"dated-4-20250102", 5},
		{"dated-4-20250101", 4},
		{"dated-5", 6}, /* the maker's */
		{"reseller/dated-5", 9},
		{"tall", 0},
		{"tall-10", 0},
		{"tall-1-mini", 0},
		{"about", 0},
		{"", 0},
	};
	const struct priced_tokens one = {.fresh = 1};
	struct prices *p = prices();

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		double cost = prices_cost(p, str_of(rows[i].model), &one);

		if (rows[i].price > 0)
			cr_expect(cost == rows[i].price, "%s: %g", rows[i].model, cost);
		else
			cr_expect(isnan(cost), "%s: %g", rows[i].model, cost);
	}
	prices_free(p);
}

Test(prices, requests)
{
	static const struct {
		struct priced_tokens tokens;
		double cost;
	} rows[] = {
		{{.fresh = 100, .output = 2}, 120},
		{{.fresh = 1000}, 1000}, /* not larger than the band */
		{{.fresh = 1001}, 2002}, /* the whole request */
		{{.fresh = 1, .cache_read = 1000}, 502},
		{{.fresh = 100, .cache_read = 100, .cache_write = 100, .cache_hour = 100},
			1150},
		{{.cache_hour = 2000}, 24000},
	};
	struct prices *p = prices();

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		cr_expect(prices_cost(p, STR("banded"), &rows[i].tokens) == rows[i].cost,
			"row %zu: %g", i, prices_cost(p, STR("banded"), &rows[i].tokens));
	cr_expect(prices_window(p, STR("banded")) == 5000);
	cr_expect(isnan(prices_window(p, STR("tall-1"))));
	prices_free(p);
}

/* The cache of a model without prices for it is paid as input. */
Test(prices, cache_without_prices)
{
	const struct priced_tokens t = {
		.fresh = 1, .cache_read = 1, .cache_write = 1, .cache_hour = 1};
	struct prices *p = prices();

	cr_expect(prices_cost(p, STR("tall-1"), &t) == 4);
	prices_free(p);
}

Test(prices, what_is_no_table)
{
	static const char *const texts[] = {"[]", "{}", "{\"a\": 1}",
		"{\"a\": {\"b\": 1}}", "words",
		"{\"a\": {\"input_cost_per_token\": \"1\"}}"};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct err err = {.offset = ERR_NOWHERE};
		struct prices *p = prices_new(str_of(texts[i]), &err);

		cr_expect(!p && err.text, "%s", texts[i]);
		prices_free(p);
		err_done(&err);
	}
}

/* The built-in table: the vendors' pages say these, in dollars for a million tokens. */
Test(prices, built_in)
{
	static const struct {
		const char *model;
		double input, output;
	} rows[] = {
		{"claude-sonnet-4-5-20250929", 3, 15},
		{"claude-opus-4-6", 5, 25},
		{"claude-haiku-4-5", 1, 5},
		{"gpt-5.1", 1.25, 10},
		{"gpt-5-codex", 1.25, 10},
		{"gpt-4o", 2.5, 10},
		{"gpt-4o-mini", 0.15, 0.6},
		{"gemini-2.5-pro", 1.25, 10},
		{"gemini-2.5-flash", 0.3, 2.5},
		{"deepseek-chat", 0.28, 0.42},
	};
	struct err err = {.offset = ERR_NOWHERE};
	struct prices *p = prices_new(STR(""), &err);

	cr_assert(p, "%s", err.text);
	cr_expect(prices_date(p).n == 10);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct priced_tokens in = {.fresh = 100000},
					   out = {.output = 100000};
		double input = prices_cost(p, str_of(rows[i].model), &in) * 10;
		double output = prices_cost(p, str_of(rows[i].model), &out) * 10;

		cr_expect(fabs(input - rows[i].input) < 1e-9 &&
				  fabs(output - rows[i].output) < 1e-9,
			"%s: %g and %g", rows[i].model, input, output);
	}
	prices_free(p);
}
