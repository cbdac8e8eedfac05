/*
 * What strings of recordings hold, and recordings that are no JSON: each packing of one
 * value gives the same value; what is none of it stays as it is.
 */
#include "config.h"

#include <criterion/criterion.h>

#include "base/mem.h"
#include "import/path.h"
#include "io/unpack.h"

static void check_unwrapped(const char *json, const char *expected)
{
	struct arena arena = {0};
	struct jv v = unwrap(jv_parse(str_of(json)), &arena);

	cr_assert(str_equal((struct str){v.p, v.n}, str_of(expected)), "%s: %.*s", json,
		(int)v.n, v.p);
	arena_done(&arena);
}

Test(unwrap, packings)
{
	check_unwrapped("\"{\\\"a\\\":1}\"", "{\"a\":1}");
	check_unwrapped("\"eyJhIjoxfQ==\"", "{\"a\":1}");
	check_unwrapped("\"eyJhIjoxfQ\"", "{\"a\":1}");
	check_unwrapped("[\"eyJhI\",\"joxfQ==\"]", "[\"eyJhI\",\"joxfQ==\"]");
	check_unwrapped("\"data: {\\\"a\\\":1}\\n\\ndata: {\\\"b\\\":2}\\n\\n\"",
		"[{\"a\":1},{\"b\":2}]");
	check_unwrapped("\"{\\\"a\\\":1}\\n{\\\"b\\\":2}\\n\"", "[{\"a\":1},{\"b\":2}]");
	check_unwrapped(
		"\"ZGF0YTogeyJhIjoxfQoKZGF0YTogeyJiIjoyfQoK\"", "[{\"a\":1},{\"b\":2}]");
	/* gzip of {"a":1}: base64, in a list in a string, hexadecimal */
	check_unwrapped("\"H4sIAAAAAAACA6tWSlSyMqwFAK+sG1YHAAAA\"", "{\"a\":1}");
	check_unwrapped(
		"\"[\\\"H4sIAAAAAAACA6tWSlSyMqwFAK+sG1YHAAAA\\\"]\"", "{\"a\":1}");
	check_unwrapped(
		"[\"1f8b0800000000000203\",\"ab564a54b232ac0500afac1b5607000000\"]",
		"{\"a\":1}");
}

Test(unwrap, frames_of_event_streams)
{
	/* two frames without headers: {"bytes":"eyJhIjoxfQ=="} and {"b":2} */
	check_unwrapped("\"AAAAKAAAAAAAAAAAeyJieXRlcyI6ImV5SmhJam94ZlE9PSJ9AAAAAAAA"
			"ABcAAAAAAAAAAHsiYiI6Mn0AAAAA\"",
		"[{\"a\":1},{\"b\":2}]");
}

Test(unwrap, others_stay)
{
	check_unwrapped("\"Hello\"", "\"Hello\"");
	check_unwrapped("\"eyes\"", "\"eyes\"");
	check_unwrapped("\"data: none\"", "\"data: none\"");
	check_unwrapped("\"H4sI but no base64\"", "\"H4sI but no base64\"");
	check_unwrapped("\"1f8b08xx\"", "\"1f8b08xx\"");
	check_unwrapped("\"AAAA\"", "\"AAAA\"");
	check_unwrapped("[\"a\",\"b\"]", "[\"a\",\"b\"]");
	check_unwrapped("[]", "[]");
	check_unwrapped("7", "7");
	check_unwrapped("null", "null");
}

static void check_written(const char *text, const char *expected)
{
	struct buf out = BUF_INIT;

	cr_assert_eq(recorded_recognize(str_of(text)), LIKE_SURELY, "%s", text);
	recorded_write(str_of(text), &out);
	cr_assert(str_equal(buf_view(&out), str_of(expected)), "%.*s", (int)out.len,
		out.data);
	buf_done(&out);
}

Test(recorded, exchanges_of_httprr)
{
	check_written("httprr trace v1\n"
		      "41 35\nPOST http://h/x HTTP/1.1\r\nA: b\r\n\r\n{\"q\":1}"
		      "HTTP/1.1 200 OK\r\nC: d\r\n\r\n{\"r\":\"\\n\"}",
		"{\"request\":{\"method\":\"POST\",\"url\":\"http://h/"
		"x\",\"headers\":{\"A\":\"b\"},"
		"\"body\":\"{\\\"q\\\":1}\"},\"response\":{\"status\":200,\"headers\":{"
		"\"C\":\"d\"},"
		"\"body\":\"{\\\"r\\\":\\\"\\\\n\\\"}\"}}\n");
	check_written("httprr trace v1\n"
		      "21 67\nGET /x HTTP/1.1\r\n\r\nhi"
		      "HTTP/1.1 201 OK\r\nTransfer-Encoding: "
		      "chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n",
		"{\"request\":{\"method\":\"GET\",\"url\":\"/"
		"x\",\"headers\":{},\"body\":\"hi\"},"
		"\"response\":{\"status\":201,\"headers\":{\"Transfer-Encoding\":"
		"\"chunked\"},"
		"\"body\":\"abcde\"}}\n");
}

Test(recorded, cut_and_odd_exchanges)
{
	struct buf out = BUF_INIT;

	recorded_write(STR("httprr trace v1\n"), &out);
	recorded_write(STR("httprr trace v1\n99999999999999999999 5\nGET"), &out);
	recorded_write(STR("httprr trace v1\n3 3\nGETHTT"), &out);
	recorded_write(STR("httprr trace v1\n0 60\nHTTP/1.1 200 OK\r\nTransfer-Encoding: "
			   "chunked\r\n\r\nffffffff\r\nab"),
		&out);
	recorded_write(STR("httprr trace v1\n5 19\nGET /HTTP/1.1 200\r\n\r\n\0\1"), &out);
	buf_done(&out);
}

Test(recorded, words_in_front)
{
	check_written("IN: {\"jsonrpc\":1}\nOUT:{}\nnothing\nIN: [1]\n",
		"{\"_line\":\"IN\",\"jsonrpc\":1}\n{\"_line\":\"OUT\"}\nnothing\n[1]\n");
}

Test(recorded, values_side_by_side)
{
	check_written("{\"a\":\"}{\"}{\"b\":1} [2]\n{\"c\":3}\n",
		"{\"a\":\"}{\"}\n{\"b\":1}\n[2]\n{\"c\":3}\n");
	check_written("{}{\"cut", "{}\n{\"cut");
}

Test(recorded, others)
{
	static const char *const none[] = {"{\"a\":1}\n{\"b\":2}\n", "[1,2]\n", "[\"a\"", "INFO: [1]\n", "a \"b\" {",
		"data: {\"a\":1}\n\n", "event: x\n", "", "{]{", "{\n}{}", "Hello: world\n",
		"IN: {\"a\":1}\nIN: {}\n", "Averyveryverylongwordindeedthis: {}\n",
		"{\"a\":1}x"};

	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++)
		cr_assert_neq(
			recorded_recognize(str_of(none[i])), LIKE_SURELY, "%s", none[i]);
	cr_assert_eq(recorded_recognize(STR("httprr tr")), LIKE_MAYBE);
	cr_assert_eq(recorded_recognize(STR("{\"a\":1")), LIKE_MAYBE);
	cr_assert_eq(recorded_recognize(STR("{\"a\":1}")), LIKE_MAYBE);
	cr_assert_eq(recorded_recognize(STR("STDIN")), LIKE_MAYBE);
	cr_assert_eq(recorded_recognize(STR("STDIN: ")), LIKE_MAYBE);
	cr_assert_eq(recorded_recognize(STR("2026-03-02T09:15:01 INFO mcp ")), LIKE_MAYBE);
}

/* However many bytes of a text have come, what they are taken for does not change. */
Test(recorded, beginnings)
{
	static const char *const texts[] = {
		"2026-03-02T09:15:01.120Z [INFO] mcp: client -> {\"jsonrpc\":\"2.0\"}\n{}",
		"STDERR: {\"a\":{\"b\":[1]}} \nx", "[1, 2] {\"a\":1}\n", "[{\"a\":1}]\n",
		"{\"a\":1}{\"b\":2}\n", "data: {\"a\":1}\n\n", "event: x\ndata: {}\n",
		"interactions:\n- request:\n", "version: 1\ninteractions:\n- request:\n",
		"# a cassette\n---\nhttp_interactions:\n", "httprr trace v1\n1 1\nab\n",
		"# aider chat started at 2026-03-02 09:15:01\n\n#### hi\n",
		"<!-- Generated by SpecStory -->\n\n_**User**_\n\nhi\n",
		"A talk\n\nUser: hi\nAssistant: ho\n", "## User\n\nhi\n\n## Assistant\n\nho\n"};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct str text = str_of(texts[i]);
		enum likeness whole = recorded_recognize(text), part;

		for (size_t n = 0; n < text.n; n++) {
			part = recorded_recognize((struct str){text.p, n});
			cr_expect(part == whole || part == LIKE_MAYBE || whole == LIKE_MAYBE ||
				n == 0, "%s: %zu bytes", texts[i], n);
		}
	}
}
