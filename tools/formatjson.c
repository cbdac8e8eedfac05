/*
 * Prints format files (YAML) as one JSON array, the built-in formats of the program:
 *   formatjson FILE...
 * Run when the program is built; a mistake in a file stops the build.
 */
#include "config.h"

#include <stdio.h>

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

static bool add_file(struct buf *out, const char *path)
{
	struct buf text = BUF_INIT;
	struct yaml yaml = {0};
	struct err err = {0};
	bool ok = read_file(path, &text) && yaml_read(&yaml, buf_view(&text), &err);

	if (ok)
		json_write(out, yaml.root, JSON_LINE);
	else
		fprintf(stderr, "%s:%lu:%lu: %s\n", path, (unsigned long)err.line,
			(unsigned long)err.column, err.text ? err.text : "cannot be read");
	yaml_done(&yaml);
	buf_done(&text);
	err_done(&err);
	return ok;
}

int main(int argc, char **argv)
{
	struct buf out = BUF_INIT;
	bool ok = true;

	json_init();
	buf_byte(&out, '[');
	for (int i = 1; i < argc; i++) {
		if (i > 1)
			buf_text(&out, ",\n");
		ok = add_file(&out, argv[i]) && ok;
	}
	buf_text(&out, "]\n");
	if (ok)
		fwrite(out.data, 1, out.len, stdout);
	buf_done(&out);
	return ok && fflush(stdout) == 0 ? 0 : 1;
}
