/*
 * YAML and what is read from it (schema/yaml, config/, payload/registry): a byte says as
 * what the text is read.
 *
 * 1. Reading ends, with a value or with an error that is printable and has its line.
 * 2. What is read is a JSON value that reads back, and is then written the same; every
 *    value has its place.
 * 3. A configuration is taken, or entries are left out with warnings that have their line
 *    and are printable.  What config_dump writes of it reads back without a warning, and
 *    is then written the same.
 * 4. Payload types likewise; none that was taken makes the registry unusable.
 */
#include "fuzz.h"

#include "config/configuration.h"
#include "json/json.h"
#include "payload/payload.h"
#include "schema/yaml.h"
#include "text/safe.h"
#include "ui/keys/keymap.h"

static void expect_said(const struct err *err)
{
	struct buf raw = BUF_INIT, line = BUF_INIT;

	EXPECT(err->text && *err->text, "refused, and no word");
	EXPECT(err->line, "no line: %s", err->text);
	err_format(err, &raw);
	safe_line(&line, buf_view(&raw));
	fuzz_expect_printable(buf_view(&line), 0, "an error");
	buf_done(&raw);
	buf_done(&line);
}

static bool read_yaml(struct str text)
{
	struct err err = {0};
	struct yaml y = {0};
	struct buf out = BUF_INIT, again = BUF_INIT;
	uint64_t line = 0, column = 0;
	bool good = yaml_read(&y, text, &err);
	json_t *back;

	if (!good)
		expect_said(&err);
	err_done(&err);
	if (good && y.root) {
		json_write(&out, y.root, JSON_LINE);
		fuzz_expect_json(buf_view(&out), "YAML as JSON");
		back = json_read(buf_view(&out), NULL, &err);
		EXPECT(back, "what was written is not read: %s", err.text);
		json_write(&again, back, JSON_LINE);
		fuzz_expect_equal(buf_view(&out), buf_view(&again), "YAML as JSON");
		json_decref(back);
		yaml_place(&y, STR("/keys"), &line, &column);
		EXPECT(line && column, "a value without a place");
		yaml_place_within(&y, STR("/a/0"), &line, &column);
	}
	yaml_done(&y);
	buf_done(&out);
	buf_done(&again);
	err_done(&err);
	return good;
}

/* Forgets the warnings of reading: those of keys come after it. */
static void read_keys(struct config *c)
{
	struct keymap map;

	keymap_begin(&map, c);
	keymap_done(&map);
}

static void read_config(struct str text)
{
	struct config *c = config_new(), *back = config_new();
	struct err err = {0};
	struct buf a = BUF_INIT, b = BUF_INIT;

	if (config_add(c, "test.yaml", text, &err)) {
		read_keys(c);
		for (size_t i = 0; i < c->warning_count; i++)
			expect_said(&c->warnings[i]);
		config_dump(c, NULL, &a);
		EXPECT(config_add(back, "again.yaml", buf_view(&a), &err), "%s\n%s",
			err.text, a.data);
		EXPECT(!back->warning_count, "%s\n%s", back->warnings[0].text, a.data);
		config_dump(back, NULL, &b);
		fuzz_expect_equal(
			buf_view(&a), buf_view(&b), "a configuration, read back");
	} else {
		expect_said(&err);
	}
	config_free(c);
	config_free(back);
	err_done(&err);
	buf_done(&a);
	buf_done(&b);
}

static void read_payloads(struct str text)
{
	struct registry *r = registry_new();
	struct err err = {0};

	if (!registry_add(r, "test.yaml", text, &err))
		expect_said(&err);
	registry_link(r);
	registry_free(r);
	err_done(&err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz f = fuzz_of(data, size);
	unsigned as = fuzz_byte(&f);

	if (!read_yaml(f.rest))
		return 0; /* the others begin alike */
	if (as % 3 == 1)
		read_config(f.rest);
	if (as % 3 == 2)
		read_payloads(f.rest);
	return 0;
}
