/*
 * Commands as a whole (cmd/): a byte chooses one with its options, the rest is its file,
 * or two files with a line "---8<---" between.
 *
 * 1. The status is one that is documented: 0, 1 or 2.  Who fails says why.
 * 2. What is printed for people is printable, and no line is wider than --width asks
 * where the command promises so; what is for programs is strict JSON; of `diff` on each
 * line.
 * 3. Standard error is printable.
 */
#include "fuzz.h"

#include <unistd.h>

#include "cmd/cmd.h"

/* The registry that is built in is read once; no command adds to it here. */
#define registry_new  read_registry
#define registry_free forget_registry
struct registry *read_registry(void);
void forget_registry(struct registry *r);
#include "payload/registry.c"
#undef registry_new
#undef registry_free

struct registry *registry_new(void);
void registry_free(struct registry *r);

struct registry *registry_new(void)
{
	static struct registry *built_in;

	if (!built_in)
		built_in = read_registry();
	return built_in;
}

void registry_free(struct registry *r)
{
	(void)r;
}

enum { TEXT, JSON, LINES, MARKUP };

static const struct row {
	int prints;
	bool pair; /* takes two files */
	const char *words[7];
} rows[] = {
	{TEXT, false, {"print"}},
	{TEXT, false, {"print", "--width", "40"}},
	{TEXT, false, {"print", "--transcript", "--new-only"}},
	{TEXT, false, {"print", "--filter", "tokens > 1 or error"}},
	{TEXT, false, {"search", "a.*e"}},
	{JSON, false, {"search", "--json", "-i", "e"}},
	{TEXT, false, {"search", "--fixed", "--count", "a"}},
	{JSON, false, {"export", "--format", "json"}},
	{MARKUP, false, {"export", "--format", "markdown"}},
	{TEXT, false, {"export", "--format", "text", "--width", "60"}},
	{MARKUP, false, {"export", "--format", "html"}},
	{MARKUP, false, {"export", "--format", "html", "--new-only"}},
	{JSON, false, {"extract", "chat"}},
	{JSON, false, {"extract", "parts"}},
	{JSON, false, {"extract", "response"}},
	{TEXT, false, {"check"}},
	{JSON, false, {"check", "--json"}},
	{TEXT, false, {"stats"}},
	{JSON, false, {"stats", "--json"}},
	{TEXT, false, {"stats", "--context"}},
	{JSON, false, {"stats", "--context", "--json"}},
	{TEXT, false, {"files"}},
	{JSON, false, {"files", "--json"}},
	{TEXT, true, {"diff"}},
	{LINES, true, {"diff", "--json"}},
	{TEXT, false, {"formats", "--explain"}},
	{TEXT, false, {"payloads", "validate", "--schema"}},
};

#define ROWS (sizeof(rows) / sizeof(*rows))

static int run(const struct row *row, const char *a, const char *b, struct err *err)
{
	struct options o = {.cache = SIZE_MAX};
	const char *argv[12] = {"catena"};
	int argc = 1, status = STATUS_ERROR;

	for (int i = 0; i < 7 && row->words[i]; i++)
		argv[argc++] = row->words[i];
	argv[argc++] = a;
	if (row->pair)
		argv[argc++] = b;
	if (options_parse(&o, argc, (char **)argv, err))
		status = o.command->run(&o);
	options_done(&o);
	return cmd_finish(status);
}

/* A value of JSON on each line. */
static void expect_lines(struct str out, const char *what)
{
	while (out.n) {
		const char *end = memchr(out.p, '\n', out.n);
		size_t n = end ? (size_t)(end - out.p) + 1 : out.n;

		fuzz_expect_json((struct str){out.p, n}, what);
		out = (struct str){out.p + n, out.n - n};
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz f = fuzz_of(data, size);
	const struct row *row = &rows[fuzz_byte(&f) % ROWS];
	struct str first = row->pair ? fuzz_document(&f) : f.rest, out;
	const char *a = fuzz_file(0, first), *b = row->pair ? fuzz_file(1, f.rest) : NULL;
	struct err err = {.offset = ERR_NOWHERE};
	int status;

	fuzz_print();
	status = run(row, a, b, &err);
	out = fuzz_printed();
	EXPECT(!err.text, "options of row %d: %s", (int)(row - rows), err.text);
	EXPECT(status >= STATUS_DONE && status <= STATUS_ERROR, "%s: status %d",
		row->words[0], status);
	EXPECT(status != STATUS_ERROR || fuzz_said().n, "%s: failed, and no word",
		row->words[0]);
	fuzz_expect_printable(fuzz_said(), FUZZ_LINES, "standard error");
	if (row->prints == LINES)
		expect_lines(out, row->words[0]);
	else if (row->prints == JSON && out.n)
		fuzz_expect_json(out, row->words[0]);
	else
		fuzz_expect_printable(out, FUZZ_LINES, row->words[0]);
	free((char *)out.p);
	err_done(&err);
	return 0;
}
