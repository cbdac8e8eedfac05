/*
 * Prints format files (YAML) as the built-in formats of the program: a line of JSON that
 * says how each is recognised and where it is, then each as a line of JSON:
 *   formatjson FILE...
 * Run when the program is built; a mistake in a file stops the build.
 */
#include "config.h"

#include <stdio.h>

#include "format/match.h"
#include "json/json.h"
#include "json/yaml.h"

static bool read_file(const char *path, struct buf *text)
{
	FILE *f = fopen(path, "rb");
	char piece[4096];
	size_t n;

	if (!f)
		return false;
	while ((n = fread(piece, 1, sizeof(piece), f)) > 0)
		buf_add(text, piece, n);
	return fclose(f) == 0;
}

/* What recognition needs of a format, and where all of it is in the other lines. */
static json_t *head_of(json_t *format, size_t at, size_t length)
{
	json_t *order = json_object_get(format, "order");

	return json_pack("{sO sO sO sI sI}", "name", json_object_get(format, "name"),
		"order", order ? order : json_null(), "match",
		json_object_get(format, "match"), "at", (json_int_t)at, "length",
		(json_int_t)length);
}

static bool add_file(json_t *heads, struct buf *out, const char *path)
{
	struct buf text = BUF_INIT;
	struct yaml yaml = {0};
	struct err err = {0};
	bool ok = read_file(path, &text) && yaml_read(&yaml, buf_view(&text), &err);
	size_t at = out->len;

	if (ok) {
		match_expand(yaml.root);
		json_write(out, yaml.root, JSON_LINE);
		json_array_append_new(heads, head_of(yaml.root, at, out->len - at));
		buf_byte(out, '\n');
	} else {
		fprintf(stderr, "%s:%lu:%lu: %s\n", path, (unsigned long)err.line,
			(unsigned long)err.column,
			err.text ? err.text : "cannot be read");
	}
	yaml_done(&yaml);
	buf_done(&text);
	err_done(&err);
	return ok;
}

int main(int argc, char **argv)
{
	struct buf files = BUF_INIT, head = BUF_INIT;
	json_t *heads;
	bool ok = true;

	json_init();
	heads = json_array();
	for (int i = 1; i < argc; i++)
		ok = add_file(heads, &files, argv[i]) && ok;
	json_write(&head, heads, JSON_LINE);
	if (ok)
		printf("%.*s\n%.*s", (int)head.len, head.data, (int)files.len, files.data);
	json_decref(heads);
	buf_done(&head);
	buf_done(&files);
	return ok && fflush(stdout) == 0 ? 0 : 1;
}
