/*
 * JSON Schema (schema/): the first line is a schema, the rest a value.  Both are a
 * stranger's.
 *
 * 1. A schema compiles, or is refused with an error that is printable.
 * 2. A check ends, and says the same each time; it is false exactly when there is a
 *    finding.
 * 3. The pointer of a finding leads to the value that it is about.
 */
#include "fuzz.h"

#include "schema/schema.h"
#include "text/safe.h"

struct found {
	const json_t *document;
	size_t count;
	bool limits;
};

static const json_t *at_pointer(const json_t *v, struct str pointer)
{
	while (pointer.n && v) {
		const char *end = memchr(pointer.p + 1, '/', pointer.n - 1);
		size_t n = end ? (size_t)(end - pointer.p - 1) : pointer.n - 1;
		struct buf key = BUF_INIT;

		for (size_t i = 0; i < n; i++) {
			char c = pointer.p[1 + i];

			if (c == '~' && i + 1 < n)
				c = pointer.p[1 + ++i] == '1' ? '/' : '~';
			buf_byte(&key, c);
		}
		if (json_is_array(v))
			v = json_array_get(
				v, strtoul(key.data ? key.data : "", NULL, 10));
		else
			v = json_object_get(v, key.data ? key.data : "");
		buf_done(&key);
		pointer.p += n + 1;
		pointer.n -= n + 1;
	}
	return v;
}

static bool on_finding(const struct schema_finding *finding, void *ctx)
{
	struct found *found = ctx;
	struct buf shown = BUF_INIT;

	found->count++;
	safe_line(&shown, finding->message);
	fuzz_expect_printable(buf_view(&shown), 0, "a finding");
	EXPECT(finding->rule && finding->message.n, "a finding without words");
	if (strcmp(finding->rule, "limits") == 0)
		found->limits = true;
	/* a NUL in a key ends it for jansson */
	else if (finding->value &&
		 !(finding->pointer.n &&
			 memchr(finding->pointer.p, '\0', finding->pointer.n)))
		EXPECT(at_pointer(found->document, finding->pointer) == finding->value,
			"the pointer %.*s leads elsewhere", (int)finding->pointer.n,
			finding->pointer.p);
	buf_done(&shown);
	return found->count < 1000;
}

static void check(const struct schema *s, const json_t *value)
{
	struct found once = {value, 0, false}, twice = once;
	bool valid = schema_check(s, value, on_finding, &once);

	EXPECT(valid == !once.count, "valid: %d, and %zu findings", valid, once.count);
	EXPECT(schema_check(s, value, on_finding, &twice) == valid &&
			once.count == twice.count,
		"%zu findings, then %zu", once.count, twice.count);
	if (!once.limits)
		EXPECT(schema_check(s, value, NULL, NULL) == valid, "valid: %d", valid);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz f = fuzz_of(data, size);
	struct err err = {0};
	json_t *text = json_read(fuzz_line(&f), NULL, &err);
	json_t *value = json_read(f.rest, NULL, &err);
	struct schema *s = NULL;
	struct buf shown = BUF_INIT;

	err_done(&err);
	if (text) {
		s = schema_new(text, &err);
		EXPECT((s != NULL) == (err.text == NULL), "a schema or an error");
		if (err.text)
			safe_line(&shown, str_of(err.text));
		fuzz_expect_printable(buf_view(&shown), 0, "an error");
	}
	if (s && value)
		check(s, value);
	schema_free(s);
	json_decref(text);
	json_decref(value);
	err_done(&err);
	buf_done(&shown);
	return 0;
}
