/*
 * Structured elements of an assistant's text: a table of texts and of what is found in
 * them, then the texts that would show a search that is not linear.
 */
#include "config.h"

#include <criterion/criterion.h>

#include "base/mem.h"
#include "chat/response.h"

#define COUNT(rows) (sizeof(rows) / sizeof(*(rows)))

static const struct response_type types[] = {
	{{"schema_proposal", 15}, {"SCHEMA_PROPOSAL", 15}},
	{{"data_proposal", 13}, {"DATA_PROPOSAL", 13}},
};

static const struct response_type odd_types[] = {
	{{"short", 5}, {"A_PLAN", 6}},
	{{"long", 4}, {"DATA_PLAN", 9}},
	{{"again", 5}, {"A_PLAN", 6}},
	{{"blank", 5}, {" ", 1}},
	{{"empty", 5}, {NULL, 0}},
	{{"quote", 5}, {"\"key\"", 5}},
	{{"spaced", 6}, {" MY PLAN ", 9}},
	{{"values", 6}, {"SUGGESTED_VALUES", 16}},
	{{"colon", 5}, {"MY PLAN: B", 10}},
	{{"stars", 5}, {"*", 1}},
};

/* The message in brackets, then every element "kind[type]=value" (used ones with a !) and
 * every warning "?name@at". */
static char *seen(struct str text, const struct response_type *list, size_t count)
{
	static const char kinds[] = {'v', 'a', 'p'};
	struct response r;
	struct buf out = BUF_INIT;

	response_read(&r, text, list, count);
	buf_byte(&out, '[');
	response_message(&r, text, &out);
	buf_byte(&out, ']');
	for (size_t i = 0; i < r.count; i++) {
		const struct element *e = &r.elements[i];

		buf_printf(&out, " %c", kinds[e->kind]);
		if (e->kind == ELEMENT_PAYLOAD)
			buf_printf(&out, "%zu", e->type);
		buf_printf(
			&out, "%s%.*s", e->used ? "!" : "=", (int)e->value.n, e->value.p);
		cr_expect_eq(response_used(&r, e->kind) == e, e->used);
		cr_expect_eq(e->value.p + e->value.n, text.p + e->end);
	}
	for (size_t i = 0; i < r.warning_count; i++)
		buf_printf(&out, " ?%.*s@%zu-%zu", (int)r.warnings[i].marker.n,
			r.warnings[i].marker.p, r.warnings[i].at, r.warnings[i].end);
	response_done(&r);
	return buf_take(&out);
}

struct row {
	const char *text, *want;
};

static void check(const struct row rows[], size_t row_count,
	const struct response_type *list, size_t count)
{
	for (size_t i = 0; i < row_count; i++) {
		char *got = seen(str_of(rows[i].text), list, count);

		cr_expect_str_eq(got, rows[i].want, "%s\n gives %s\n   not %s",
			rows[i].text, got, rows[i].want);
		mem_free(got);
	}
}

Test(response, spellings)
{
	static const struct row rows[] = {
		{"SCHEMA_PROPOSAL: {}", "[] p0!{}"},
		{"**SCHEMA_PROPOSAL**: {}", "[] p0!{}"},
		{"*SCHEMA_PROPOSAL*: {}", "[] p0!{}"},
		{"**SCHEMA_PROPOSAL:** {}", "[] p0!{}"},
		{"*SCHEMA_PROPOSAL:* {}", "[] p0!{}"},
		{"SUGGESTED_VALUES: []", "[] v![]"},
		{"**SUGGESTED_VALUES**: []", "[] v![]"},
		{"*SUGGESTED_VALUES*: []", "[] v![]"},
		{"**SUGGESTED_VALUES:** []", "[] v![]"},
		{"SUGGESTED_ACTIONS: []", "[] a![]"},
		{"**SUGGESTED_ACTIONS**: []", "[] a![]"},
		{"*SUGGESTED_ACTIONS*: []", "[] a![]"},
		{"**SUGGESTED_ACTIONS:** []", "[] a![]"},
		{"DATA_PROPOSAL:{}", "[] p1!{}"},
		{"DATA_PROPOSAL \n :\r\n\t{}", "[] p1!{}"},
		{"DATA_PROPOSAL\xC2\xA0:\xE3\x80\x80{}", "[] p1!{}"},
		/* up to two stars belong to the marker, others to the text */
		{"***DATA_PROPOSAL**: {}", "[*] p1!{}"},
		{"**bold**DATA_PROPOSAL: {}", "[**bold] p1!{}"},
		{"**bold** DATA_PROPOSAL: {}", "[**bold**] p1!{}"},
		{"DATA_PROPOSAL: {}** end", "[** end] p1!{}"},
		{"DATA_PROPOSAL: {}**SUGGESTED_VALUES**: []", "[] p1!{} v![]"},
		{"DATA_PROPOSAL:**SCHEMA_PROPOSAL**: {}",
			"[DATA_PROPOSAL:] p0!{} ?DATA_PROPOSAL@0-16"},
		/* these are no markers */
		{"DATA_PROPOSAL***: {}", "[DATA_PROPOSAL***: {}]"},
		{"DATA_PROPOSAL {}", "[DATA_PROPOSAL {}]"},
		{"DATA_PROPOSAL", "[DATA_PROPOSAL]"},
		{"_DATA_PROPOSAL_: {}", "[_DATA_PROPOSAL_: {}]"},
		{"data_proposal: {}", "[data_proposal: {}]"},
		{"Suggested_Values: []", "[Suggested_Values: []]"},
		{"DATA_PROPOSAL * *: {}", "[DATA_PROPOSAL * *: {}]"},
		/* and these are, for want of a word boundary */
		{"MY_DATA_PROPOSAL: {}", "[MY_] p1!{}"},
		{"(DATA_PROPOSAL: {})", "[()] p1!{}"},
	};

	check(rows, COUNT(rows), types, COUNT(types));
}

Test(response, values)
{
	static const struct row rows[] = {
		{"", "[]"},
		{" \n ", "[]"},
		{"Only words.", "[Only words.]"},
		{"DATA_PROPOSAL: {\"a\": \"}\", \"b\": \"\\\"}\"} x",
			"[x] p1!{\"a\": \"}\", \"b\": \"\\\"}\"}"},
		{"SUGGESTED_VALUES: [[\"]\"], [1e3]]!", "[!] v![[\"]\"], [1e3]]"},
		{"SUGGESTED_VALUES: []]", "[]] v![]"},
		/* not of the kind */
		{"SUGGESTED_VALUES: {}", "[SUGGESTED_VALUES: {}] ?SUGGESTED_VALUES@0-17"},
		{"DATA_PROPOSAL: []", "[DATA_PROPOSAL: []] ?DATA_PROPOSAL@0-14"},
		{"DATA_PROPOSAL: \"{}\"", "[DATA_PROPOSAL: \"{}\"] ?DATA_PROPOSAL@0-14"},
		{"DATA_PROPOSAL: null", "[DATA_PROPOSAL: null] ?DATA_PROPOSAL@0-14"},
		{"DATA_PROPOSAL:", "[DATA_PROPOSAL:] ?DATA_PROPOSAL@0-14"},
		{"**DATA_PROPOSAL:** soon",
			"[**DATA_PROPOSAL:** soon] ?DATA_PROPOSAL@0-18"},
		/* not strict */
		{"SUGGESTED_VALUES: [NaN]",
			"[SUGGESTED_VALUES: [NaN]] ?SUGGESTED_VALUES@0-17"},
		{"SUGGESTED_VALUES: [1,]",
			"[SUGGESTED_VALUES: [1,]] ?SUGGESTED_VALUES@0-17"},
		{"SUGGESTED_VALUES: ['a']",
			"[SUGGESTED_VALUES: ['a']] ?SUGGESTED_VALUES@0-17"},
		{"SUGGESTED_VALUES: [01]",
			"[SUGGESTED_VALUES: [01]] ?SUGGESTED_VALUES@0-17"},
		{"SUGGESTED_VALUES: [\"a\nb\"]",
			"[SUGGESTED_VALUES: [\"a\nb\"]] ?SUGGESTED_VALUES@0-17"},
		{"SUGGESTED_VALUES: [\"\xFF\"]",
			"[SUGGESTED_VALUES: [\"\xFF\"]] ?SUGGESTED_VALUES@0-17"},
		{"SUGGESTED_VALUES: [\"\\ud800\"]",
			"[SUGGESTED_VALUES: [\"\\ud800\"]] ?SUGGESTED_VALUES@0-17"},
		{"SUGGESTED_VALUES: [\"a\"",
			"[SUGGESTED_VALUES: [\"a\"] ?SUGGESTED_VALUES@0-17"},
		{"DATA_PROPOSAL: {\"a\":1]",
			"[DATA_PROPOSAL: {\"a\":1]] ?DATA_PROPOSAL@0-14"},
		{"DATA_PROPOSAL: {a:1}", "[DATA_PROPOSAL: {a:1}] ?DATA_PROPOSAL@0-14"},
		{"DATA_PROPOSAL: /* */ {}",
			"[DATA_PROPOSAL: /* */ {}] ?DATA_PROPOSAL@0-14"},
		{"DATA_PROPOSAL: ```json\n{}\n```",
			"[DATA_PROPOSAL: ```json\n{}\n```] ?DATA_PROPOSAL@0-14"},
		{"DATA_PROPOSAL: : {}", "[DATA_PROPOSAL: : {}] ?DATA_PROPOSAL@0-14"},
		/* the next occurrence is tried */
		{"DATA_PROPOSAL: soon. DATA_PROPOSAL: {}",
			"[DATA_PROPOSAL: soon.] p1!{} ?DATA_PROPOSAL@0-14"},
		{"DATA_PROPOSAL: {\"x\":NaN, \"y\":\" DATA_PROPOSAL: {} \"}",
			"[DATA_PROPOSAL: {\"x\":NaN, \"y\":\"  \"}] p1!{} "
			"?DATA_PROPOSAL@0-14"},
	};

	check(rows, COUNT(rows), types, COUNT(types));
}

Test(response, which_are_used)
{
	static const struct row rows[] = {
		{"SUGGESTED_VALUES: [1] SUGGESTED_VALUES: [2]",
			"[SUGGESTED_VALUES: [2]] v![1] v=[2]"},
		{"SUGGESTED_ACTIONS: [1] SUGGESTED_ACTIONS: [2]",
			"[SUGGESTED_ACTIONS: [2]] a![1] a=[2]"},
		/* the first registered type, not the first in the text */
		{"DATA_PROPOSAL: {} a SCHEMA_PROPOSAL: {} b SCHEMA_PROPOSAL: {\"x\":1}",
			"[DATA_PROPOSAL: {} a  b SCHEMA_PROPOSAL: {\"x\":1}] p1={} "
			"p0!{} p0={\"x\":1}"},
		{"DATA_PROPOSAL: {} SCHEMA_PROPOSAL: []",
			"[SCHEMA_PROPOSAL: []] p1!{} ?SCHEMA_PROPOSAL@18-34"},
		/* in any order, cut out where they stand */
		{" a \nSUGGESTED_ACTIONS: [1]\n\nb DATA_PROPOSAL: {} c\n"
		 "SUGGESTED_VALUES: [2]\n",
			"[a \n\n\nb  c] a![1] p1!{} v![2]"},
		/* inside a block there is no marker */
		{"DATA_PROPOSAL: {\"t\": \"SUGGESTED_VALUES: []\"} x",
			"[x] p1!{\"t\": \"SUGGESTED_VALUES: []\"}"},
		{"SUGGESTED_VALUES: [{\"v\": \"DATA_PROPOSAL: {}\"}] DATA_PROPOSAL: {}",
			"[] v![{\"v\": \"DATA_PROPOSAL: {}\"}] p1!{}"},
		/* but inside a string of the text there is */
		{"He said \"SUGGESTED_VALUES: []\".", "[He said \"\".] v![]"},
	};

	check(rows, COUNT(rows), types, COUNT(types));
}

Test(response, page_without_types)
{
	static const struct row rows[] = {
		{"DATA_PROPOSAL: {\"t\": \"SUGGESTED_VALUES: []\"} x",
			"[DATA_PROPOSAL: {\"t\": \"\"} x] v![]"},
		{"DATA_PROPOSAL: {}", "[DATA_PROPOSAL: {}]"},
	};
	static const struct row with_schema[] = {
		{"DATA_PROPOSAL: {} SCHEMA_PROPOSAL: {}", "[DATA_PROPOSAL: {}] p0!{}"},
	};

	check(rows, COUNT(rows), NULL, 0);
	check(with_schema, COUNT(with_schema), types, 1);
}

Test(response, names)
{
	static const struct row rows[] = {
		{"DATA_PLAN: {}", "[] p1!{}"},
		{"A_PLAN: {}", "[] p0!{}"},
		{"DATA_PLAN: {} A_PLAN: {}", "[DATA_PLAN: {}] p1={} p0!{}"},
		/* no second marker, and no second warning, inside the name of the first
		 */
		{"DATA_PLAN: []", "[DATA_PLAN: []] ?DATA_PLAN@0-10"},
		/* both ask for the same name with a value of another kind */
		{"SUGGESTED_VALUES: {}", "[] p7!{}"},
		{"SUGGESTED_VALUES: []", "[] v![]"},
		{"SUGGESTED_VALUES: 1", "[SUGGESTED_VALUES: 1] ?SUGGESTED_VALUES@0-17"},
		/* the longest at a place that has a value */
		{"MY PLAN: {}", "[] p6!{}"},
		{"MY PLAN: B: {}", "[] p8!{}"},
		{"MY PLAN: B: []", "[MY PLAN: B: []] ?MY PLAN: B@0-11"},
		/* never found */
		{"\"key\": {}", "[\"key\": {}]"},
		{" : {}", "[: {}]"},
	};

	check(rows, COUNT(rows), odd_types, COUNT(odd_types));
}

Test(response, trims_white_space_of_any_kind)
{
	static const struct row rows[] = {
		{"\xC2\xA0\xE2\x80\xA8\x0B\x0C x \xE3\x80\x80\xC2\x85", "[x]"},
		{"\xE2\x80\x8Bx\xE2\x80\x8B", "[\xE2\x80\x8Bx\xE2\x80\x8B]"},
		{"\x80\xA0 x \x80", "[\x80\xA0 x \x80]"},
		{"\xC2\xA0", "[]"},
	};

	check(rows, COUNT(rows), types, COUNT(types));
}

Test(response, nul_bytes)
{
	static const char text[] = "a\0 SUGGESTED_VALUES: [] \0b";
	struct response r;
	struct buf out = BUF_INIT;

	response_read(&r, (struct str){text, sizeof(text) - 1}, types, COUNT(types));
	response_message(&r, (struct str){text, sizeof(text) - 1}, &out);
	cr_expect(str_equal(buf_view(&out), STR("a\0  \0b")));
	cr_expect_eq(r.count, 1);
	buf_done(&out);
	response_done(&r);
}

Test(response, faults_are_told)
{
	static const struct {
		const char *text, *fault;
		size_t at;
	} rows[] = {
		{"SUGGESTED_VALUES: x", NULL, 0},
		{"SUGGESTED_VALUES:", NULL, 0},
		{"SUGGESTED_VALUES: [1,]", "expected a value", 21},
		{"SUGGESTED_VALUES: [1", "expected ',' or ']'", 20},
		{"SUGGESTED_VALUES: [1, NaN]", "NaN or Infinity", 22},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct response r;

		response_read(&r, str_of(rows[i].text), types, COUNT(types));
		cr_assert_eq(r.warning_count, 1, "%s", rows[i].text);
		cr_expect_str_eq(
			r.warnings[0].text, "a marker without a JSON array behind it");
		cr_expect_eq(!r.warnings[0].fault, !rows[i].fault, "%s", rows[i].text);
		if (rows[i].fault)
			cr_expect_str_eq(r.warnings[0].fault, rows[i].fault);
		cr_expect_eq(r.warnings[0].fault_at, rows[i].at);
		response_done(&r);
	}
}

/* Large texts: a search that reads a byte many times does not come back from these. */

static void fill(struct buf *text, const char *piece, size_t times)
{
	while (times--)
		buf_text(text, piece);
}

static void expect_counts(struct buf *text, size_t elements, size_t warnings)
{
	struct response r;

	response_read(&r, buf_view(text), types, COUNT(types));
	cr_expect_eq(r.count, elements, "%zu elements in %.40s", r.count, text->data);
	cr_expect_eq(r.warning_count, warnings, "%zu warnings in %.40s", r.warning_count,
		text->data);
	response_done(&r);
	buf_done(text);
}

Test(response, many_markers)
{
	static const struct {
		const char *piece;
		size_t elements, warnings; /* of a piece */
	} rows[] = {
		{"SUGGESTED_VALUES: [", 0, 1},
		{"SUGGESTED_VALUES: [\"", 0, 1},
		{"SUGGESTED_VALUES: [\"\\\"", 0, 1},
		{"SUGGESTED_VALUES: [\",", 0, 1},
		{"DATA_PROPOSAL: {\"", 0, 1},
		{"DATA_PROPOSAL: {\"a\":", 0, 1},
		{"DATA_PROPOSAL: {\"a\":\"", 0, 1},
		{"DATA_PROPOSAL:", 0, 1},
		{"DATA_PROPOSAL: \n", 0, 1},
		{"DATA_PROPOSAL ", 0, 0},
		{"SUGGESTED_VALUES: [] ", 1, 0},
		{"DATA_PROPOSAL: [[{\"a\":[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[ ", 0, 1},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct buf text = BUF_INIT;
		const size_t times = 50000;

		fill(&text, rows[i].piece, times);
		expect_counts(&text, rows[i].elements * times, rows[i].warnings * times);
	}
}

/* Markers that are closed in the end, nested or within strings. */
Test(response, many_markers_closed)
{
	const size_t times = 50000;
	struct buf text = BUF_INIT;

	fill(&text, "SUGGESTED_VALUES: [", times);
	fill(&text, "]", times);
	expect_counts(&text, 1, times - 1);
	buf_text(&text, "SUGGESTED_VALUES: [\"");
	fill(&text, "SUGGESTED_VALUES: [\\n", times);
	expect_counts(&text, 0, times + 1);
	fill(&text, "SUGGESTED_VALUES: [\"", times);
	fill(&text, "\"]", times);
	expect_counts(&text, 1, times - 1);
	buf_text(&text, "SUGGESTED_VALUES: [\"");
	fill(&text, "DATA_PROPOSAL: {} ", times);
	expect_counts(&text, times, 1);
	buf_text(&text, "SUGGESTED_VALUES: [\"");
	fill(&text, "DATA_PROPOSAL: {} ", times);
	buf_text(&text, "\"]");
	expect_counts(&text, 1, 0);
}

Test(response, depth_and_length)
{
	struct buf text = BUF_INIT;

	buf_text(&text, "SUGGESTED_VALUES: ");
	fill(&text, "[", 2000000);
	expect_counts(&text, 0, 1);
	buf_text(&text, "SUGGESTED_VALUES: ");
	fill(&text, "[", 2000000);
	fill(&text, "]", 2000000);
	expect_counts(&text, 1, 0);
	fill(&text, "Some words, S and D: {\"a\": [1]}. ", 300000);
	expect_counts(&text, 0, 0);
	buf_text(&text, "SUGGESTED_VALUES");
	fill(&text, " ", 10000000);
	buf_text(&text, ":");
	fill(&text, "\n", 10000000);
	buf_text(&text, "[]");
	expect_counts(&text, 1, 0);
}
