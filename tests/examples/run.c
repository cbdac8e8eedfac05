/* Running the program under test, and what comes out of it: see examples.h. */
#include "config.h"
#include "examples.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"

static char *input_path; /* a file that each run writes anew */

static void remove_input(void)
{
	unlink(input_path);
	mem_free(input_path);
}

static void make_input(void)
{
	const char *folder = getenv("TMPDIR");
	struct buf path = BUF_INIT;
	int fd;

	buf_printf(&path, "%s/catena-example.XXXXXX", folder ? folder : "/tmp");
	input_path = buf_take(&path);
	fd = mkstemp(input_path);
	if (fd < 0) {
		perror(input_path);
		exit(2);
	}
	close(fd);
	atexit(remove_input);
}

static void write_input(const char *text)
{
	FILE *file;

	if (!input_path)
		make_input();
	file = fopen(input_path, "w");
	if (!file || fputs(text, file) == EOF || fclose(file) != 0) {
		perror(input_path);
		exit(2);
	}
}

void run_text(const char *command, const char *text, struct buf *out)
{
	struct buf line = BUF_INIT;
	char piece[4096];
	FILE *pipe;
	size_t n;

	write_input(text);
	buf_printf(
		&line, "'%s' %s '%s' 2>/dev/null", getenv("CATENA"), command, input_path);
	pipe = popen(line.data, "r");
	while (pipe && (n = fread(piece, 1, sizeof(piece), pipe)) > 0)
		buf_add(out, piece, n);
	if (!pipe || pclose(pipe) == -1)
		perror(line.data);
	buf_done(&line);
	buf_byte(out, '\0');
}

void run(const char *command, json_t *input, struct buf *out)
{
	char *text = json_dumps(input, JSON_ENCODE_ANY);

	run_text(command, text, out);
	free(text);
}

json_t *run_json(const char *command, json_t *input)
{
	struct buf out = BUF_INIT;
	json_t *value;

	run(command, input, &out);
	value = json_loads(out.data, JSON_DECODE_ANY, NULL);
	buf_done(&out);
	return value;
}

json_t *export_of(const char *text)
{
	struct buf out = BUF_INIT;
	json_t *value;

	run_text("export --format json", text, &out);
	value = json_loads(out.data, 0, NULL);
	buf_done(&out);
	return value;
}

json_t *first_step(json_t *document)
{
	json_t *chain = json_array_get(json_object_get(document, "chains"), 0);

	return json_array_get(json_object_get(chain, "steps"), 0);
}

const char *text_of(json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}

bool contains(const char *text, const char *part)
{
	return strstr(text, part) != NULL;
}

bool ends_with(const char *text, const char *tail)
{
	size_t n = strlen(text), k = strlen(tail);

	return n >= k && strcmp(text + n - k, tail) == 0;
}

json_t *or_null(json_t *value)
{
	return value ? json_incref(value) : json_null();
}

json_t *parse_text(json_t *string)
{
	return json_loads(json_string_value(string), JSON_DECODE_ANY, NULL);
}

enum verdict compare(json_t *ours, json_t *theirs)
{
	if (json_equal(ours, theirs))
		return PASSED;
	fputs("ours   ", stdout);
	json_dumpf(ours, stdout, JSON_ENCODE_ANY);
	fputs("\ntheirs ", stdout);
	json_dumpf(theirs, stdout, JSON_ENCODE_ANY);
	putchar('\n');
	return FAILED;
}
