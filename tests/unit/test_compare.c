/*
 * diff/sequence and diff/steps: values and lists of messages with what became of
 * them.
 */
#include "config.h"

#include <criterion/criterion.h>

#include <stdlib.h>

#include "base/mem.h"
#include "diff/sequence.h"
#include "diff/steps.h"
#include "json/json.h"

static struct jv parse(const char *text)
{
	return jv_parse(str_of(text));
}

/* ---- values ---- */

static const struct {
	const char *was, *is, *places; /* "path: was > is; ..." */
} value_rows[] = {
	{"1", "1.0", ""},
	{"1", "2", ": 1 > 2; "},
	{"{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}", ""},
	{"{\"a\":1,\"b\":2}", "{\"a\":1}", "b: 2 > ; "},
	{"{\"a\":1}", "{\"a\":1,\"b\":null}", "b:  > null; "},
	{"{\"a\":{\"b\":[1,2,3]}}", "{\"a\":{\"b\":[1,3]}}", "a.b[1]: 2 > ; "},
	{"[1,2,3]", "[0,1,2,3]", "[0]:  > 0; "},
	{"[{\"a\":1},{\"a\":2}]", "[{\"a\":1},{\"a\":3,\"b\":4}]",
		"[1].a: 2 > 3; [1].b:  > 4; "},
	{"{\"a b\":1,\"c\":{\"\":2}}", "{\"a b\":2,\"c\":{\"\":3}}",
		"[\"a b\"]: 1 > 2; c[\"\"]: 2 > 3; "},
	{"{\"a\":\"x\"}", "{\"a\":[\"x\"]}", "a: \"x\" > [\"x\"]; "},
	{"{\"\\u0061\":1}", "{\"a\":2}", "a: 1 > 2; "},
	{"{\"a\":1,\"a\":2}", "{\"a\":1,\"a\":3}", "a: 2 > 3; "},
	{"{\"a\":1,\"a\":2}", "{\"a\":5,\"a\":2}",
		": {\"a\":1,\"a\":2} > {\"a\":5,\"a\":2}; "},
	{"{\"a\":", "{\"a\":1}", "a:  > 1; "},
};

static void put_delta(const struct value_delta *d, struct buf *out)
{
	buf_text(out, "");
	for (size_t i = 0; i < d->count; i++) {
		const struct value_delta_place *p = &d->places[i];

		buf_str(out, value_delta_path(d, i));
		buf_text(out, ": ");
		buf_add(out, p->was.p, p->was.n);
		buf_text(out, " > ");
		buf_add(out, p->is.p, p->is.n);
		buf_text(out, "; ");
	}
}

Test(value, rows)
{
	for (size_t i = 0; i < sizeof(value_rows) / sizeof(*value_rows); i++) {
		struct buf out = BUF_INIT;
		struct value_delta d;

		value_delta_read(
			&d, parse(value_rows[i].was), parse(value_rows[i].is), 100);
		put_delta(&d, &out);
		cr_expect_str_eq(out.data, value_rows[i].places);
		value_delta_done(&d);
		buf_done(&out);
	}
}

/* Depth costs no stack, and what is very deep is compared as it is written. */
Test(value, deep)
{
	enum { DEPTH = 100000 };
	struct buf a = BUF_INIT, b = BUF_INIT;
	struct value_delta d;

	buf_fill(&a, '[', DEPTH);
	buf_fill(&b, '[', DEPTH);
	buf_byte(&a, '1');
	buf_byte(&b, '2');
	buf_fill(&a, ']', DEPTH);
	buf_fill(&b, ']', DEPTH);
	value_delta_read(&d, jv_parse(buf_view(&a)), jv_parse(buf_view(&b)), 10);
	cr_assert_eq(d.count, 1);
	value_delta_done(&d);
	buf_done(&a);
	buf_done(&b);
}

Test(value, no_more_than_asked)
{
	struct buf a = BUF_INIT, b = BUF_INIT;
	struct value_delta d;

	for (int i = 0; i < 5000; i++) {
		buf_printf(&a, "%s\"k%d\":1", i ? "," : "{", i);
		buf_printf(&b, "%s\"k%d\":2", i ? "," : "{", i);
	}
	buf_byte(&a, '}');
	buf_byte(&b, '}');
	value_delta_read(&d, jv_parse(buf_view(&a)), jv_parse(buf_view(&b)), 100);
	cr_assert(d.count == 100 && d.more);
	cr_assert(str_equal(value_delta_path(&d, 99), STR("k99")));
	value_delta_done(&d);
	buf_done(&a);
	buf_done(&b);
}

/* ---- messages ---- */

/* One message a word: u:text.with.points is what the user says. */
static void fill_said(struct message_list *t, struct buf *text, const char *words)
{
	const char *p = words;

	buf_text(text, "[");
	while (*p) {
		size_t n = strcspn(p, " ");

		buf_printf(text, "%s{\"role\":\"%s\",\"content\":\"",
			p == words ? "" : ",", *p == 'u' ? "user" : "assistant");
		for (size_t i = 2; i < n; i++)
			buf_byte(text, p[i] == '.' ? ' ' : p[i]);
		buf_text(text, "\"}");
		p += n;
		p += strspn(p, " ");
	}
	buf_text(text, "]");
	JV_EACH(value, jv_parse(buf_view(text)))
		message_list_add_value(t, value, PREFER_INPUT);
}

static void put_rows(const struct history *h, struct buf *out)
{
	buf_text(out, "");
	for (size_t i = 0; i < h->count + h->gone_count; i++) {
		struct history_row row = history_row(h, i);

		if (i)
			buf_byte(out, ' ');
		buf_byte(out, "+=~>-"[row.change]);
		if (row.was != NO_MESSAGE)
			buf_printf(out, "%zu", row.was);
		if (row.is != NO_MESSAGE && row.is != row.was)
			buf_printf(out, "/%zu", row.is);
	}
}

static const struct {
	const char *was, *is, *pairs;
} said_rows[] = {
	{"", "", ""},
	{"u:hello", "u:hello", "=0"},
	{"u:hello", "u:hello a:hi", "=0 +/1"},
	{"u:hello a:hi", "u:hello", "=0 -1"},
	{"u:what.is.the.time", "u:what.is.the.weather", "~0"},
	{"u:x u:what.is.the.time", "u:x a:what.is.the.time", "=0 -1 +/1"},
	{"u:yes", "u:no", "~0"},
	{"u:x u:yes", "u:x u:no", "=0 -1 +/1"},
	{"u:one a:two u:three a:four", "u:three u:one a:two a:four", ">2/0 =0/1 =1/2 =3"},
	{"u:a.b.c.d a:x u:e.f.g.h", "u:a.b.c.z a:x u:e.f.g.q", "~0 =1 ~2"},
	{"u:first a:gone u:a.b.c.d", "u:first u:a.b.c.z a:came", "=0 -1 ~2/1 +/2"},
	{"u:same u:same u:same", "u:same u:same", "=0 =1 -2"},
	{"u:x u:y", "u:y u:x", "=1/0 >0/1"},
};

Test(writer, rows)
{
	for (size_t i = 0; i < sizeof(said_rows) / sizeof(*said_rows); i++) {
		struct buf a = BUF_INIT, b = BUF_INIT, out = BUF_INIT;
		struct message_list was = {0}, is = {0};
		struct history h = {0};

		fill_said(&was, &a, said_rows[i].was);
		fill_said(&is, &b, said_rows[i].is);
		comparison_read_messages(&h, &was, &is);
		put_rows(&h, &out);
		cr_expect_str_eq(out.data, said_rows[i].pairs);
		history_done(&h);
		message_list_done(&was);
		message_list_done(&is);
		buf_done(&a);
		buf_done(&b);
		buf_done(&out);
	}
}

/* Each message of both sides stands in exactly one pair, whatever they say, and slices of
 * any size give the same. */
Test(writer, every_message_once)
{
	static const char *const words[] = {
		"u:a", "u:b", "a:a", "u:a.b.c.d", "u:a.b.c.e", "a:a.b.c.d", "u:x.b.c.d"};

	srand(9);
	for (int round = 0; round < 3000; round++) {
		struct buf texts[2] = {BUF_INIT, BUF_INIT},
			   shown = BUF_INIT;
		struct message_list talks[2] = {{0}, {0}};
		struct history h = {0};
		size_t seen[2][20] = {{0}};

		for (int side = 0; side < 2; side++) {
			struct buf list = BUF_INIT;

			buf_text(&list, "");
			for (int n = rand() % 12; n--;)
				buf_printf(&list, "%s%s", list.len ? " " : "",
					words[(size_t)rand() % 7]);
			fill_said(&talks[side], &texts[side], list.data);
			buf_done(&list);
		}
		comparison_read_messages(&h, &talks[0], &talks[1]);
		put_rows(&h, &shown);
		for (size_t i = 0; i < h.count + h.gone_count; i++) {
			struct history_row row = history_row(&h, i);

			if (row.was != NO_MESSAGE)
				seen[0][row.was]++;
			if (row.is != NO_MESSAGE)
				seen[1][row.is]++;
		}
		history_done(&h);
		for (int side = 0; side < 2; side++)
			for (size_t i = 0; i < 20; i++)
				cr_assert(
					seen[side][i] == (i < talks[side].count), "%s",
					shown.data);
		for (int side = 0; side < 2; side++) {
			message_list_done(&talks[side]);
			buf_done(&texts[side]);
		}
		buf_done(&shown);
	}
}

/* A hundred thousand messages, of which all but the first differ in their bytes. */
Test(writer, long_histories)
{
	enum { COUNT = 100000 };
	struct buf texts[2] = {BUF_INIT, BUF_INIT};
	struct message_list talks[2] = {{0}, {0}};
	struct history h = {0};

	for (int side = 0; side < 2; side++) {
		for (int i = 0; i < COUNT; i++)
			buf_printf(&texts[side],
				side ? "%s{\"content\":\"m%d\",\"role\":\"user\"}"
				     : "%s{\"role\":\"user\",\"content\":\"m%d\"}",
				i ? "," : "[", i == 500 && side ? -1 : i);
		JV_EACH(value, jv_parse(buf_view(&texts[side])))
			message_list_add_value(&talks[side], value, PREFER_INPUT);
	}
	comparison_read_messages(&h, &talks[0], &talks[1]);
	cr_assert_eq(h.count, COUNT);
	cr_assert_eq(h.shown - h.moved, COUNT - 1);
	history_done(&h);
	for (int side = 0; side < 2; side++) {
		message_list_done(&talks[side]);
		buf_done(&texts[side]);
	}
}

/* Paths stay short whatever the keys are, and so does what many of them take. */
Test(value, long_keys)
{
	struct buf texts[2] = {BUF_INIT, BUF_INIT};
	struct value_delta d;

	for (int side = 0; side < 2; side++) {
		for (int level = 0; level < 20; level++) {
			buf_text(&texts[side], "{\"");
			buf_fill(&texts[side], 'k', 200000);
			buf_text(&texts[side], "\":");
		}
		for (int i = 0; i < 3000; i++)
			buf_printf(&texts[side], "%s\"m%d\":%d", i ? "," : "{", i, side);
		buf_fill(&texts[side], '}', 21);
	}
	value_delta_read(
		&d, jv_parse(buf_view(&texts[0])), jv_parse(buf_view(&texts[1])), 200);
	cr_assert(d.count == 200 && d.more);
	cr_assert_lt(d.paths.cap, 1 << 20);
	value_delta_done(&d);
	buf_done(&texts[0]);
	buf_done(&texts[1]);
}
