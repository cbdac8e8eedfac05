/* What a file without JSON looks like, by its first bytes. */
#include "config.h"

#include <criterion/criterion.h>

#include "import/loader.h"

/* clang-format off */
#define ROW(bytes, says) {{bytes, sizeof(bytes) - 1}, says}
/* clang-format on */

static const struct {
	struct str head;
	const char *says; /* the beginning of it; NULL: it may be JSON */
} rows[] = {
	ROW("", NULL),
	ROW(" \n\t", NULL),
	ROW("{\"a\": 1", NULL),
	ROW("  [1, 2", NULL),
	ROW("starting up\n{\"a\": 1}\n", NULL),
	ROW("event: x\ndata: {\"a\"", NULL),
	ROW("name,age,city\nbob,3,x\n",
		"looks like CSV with the columns name, age, city;"),
	ROW("name,age\n\"Lee, Ann\",3\n", "looks like CSV with the columns name, age;"),
	ROW("a;b\n1;2\n",
		"looks like CSV with the columns a, b; convert it to JSON lines "
		"first: mlr --icsv --ifs semicolon"),
	ROW("a\tb c\n1\t2\n", "looks like TSV with the columns a, b c;"),
	ROW("one_long_name_of_a_column,another_long_name_of_a_column,third_name,x\n1,2,3,"
	    "4\n",
		"looks like CSV with the columns one_long_name_of_a_column, "
		"another_long_name_of_a_column, …;"),
	ROW("Well, no.\nIt is a text.\n", "looks like plain text;"),
	ROW("key: value\nother: 3\n", "looks like plain text;"),
	ROW("\n<!DOCTYPE html>\n<p>", "looks like HTML;"),
	ROW("<?xml version='1.0'?>\n<a/>", "looks like XML;"),
	ROW("\x80\x04\x95\x10\0\0\0\0\0\0\0}\x94.", "looks like a Python pickle;"),
	ROW("PAR1\x15\0\x15", "looks like Parquet;"),
	ROW("SQLite format 3\0\x10", "looks like a SQLite database;"),
	ROW("ARROW1\0\0", "looks like Arrow;"),
	ROW("%PDF-1.7\n%\xE2", "looks like PDF;"),
	ROW("\x89PNG\r\n\x1A\n", "looks like a PNG image;"),
	ROW("\n\x0C\n\x03"
	    "abc\x12\x05\n\x03"
	    "abc\n\0",
		"looks like protobuf, as OTLP sends it;"),
	ROW("\x01\x02\0\x03", "looks like binary data;"),
};

Test(guess, rows)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct buf out = BUF_INIT;
		bool other = guess_other(rows[i].head, &out);

		buf_text(&out, "");
		cr_expect_eq(other, rows[i].says != NULL, "row %zu", i);
		if (rows[i].says)
			cr_expect(str_starts(buf_view(&out), str_of(rows[i].says)),
				"row %zu: %.*s", i, (int)out.len, out.data);
		else
			cr_expect_eq(out.len, 0);
		buf_done(&out);
	}
}
