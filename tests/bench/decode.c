/*
 * What decoding a file with jansson costs: the yardstick for a program that does not.
 *
 *	decode load|dump|nested FILE
 *
 * reads one value, or one on each line: `load` decodes it, `dump` writes it out again,
 *and `nested` also decodes every string in it that is JSON of its own, as somebody must
 *who wants to show it.  Status 1 when something is refused.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FLAGS (JSON_DECODE_ANY | JSON_DISABLE_EOF_CHECK | JSON_ALLOW_NUL)

/* As deep as the values of the generator: JSON in a string in an event. */
static void decode_strings(json_t *value)
{
	const char *key;
	json_t *item;
	size_t i;

	if (json_is_object(value))
		json_object_foreach(value, key, item)
			decode_strings(item);
	else if (json_is_array(value))
		json_array_foreach(value, i, item)
			decode_strings(item);
	else if (json_string_length(value) > 1 &&
		 strchr("[{", json_string_value(value)[0]))
		json_decref(json_loadb(json_string_value(value),
			json_string_length(value), JSON_ALLOW_NUL, NULL));
}

int main(int argc, char **argv)
{
	json_error_t error = {0};
	json_t *value;
	FILE *file;

	if (argc != 3 || !(file = fopen(argv[2], "rb"))) {
		fprintf(stderr, "decode load|dump|nested FILE\n");
		return 2;
	}
	while ((value = json_loadf(file, FLAGS, &error))) {
		if (strcmp(argv[1], "dump") == 0)
			json_dumpf(value, stdout, JSON_COMPACT | JSON_ENCODE_ANY);
		if (strcmp(argv[1], "nested") == 0)
			decode_strings(value);
		json_decref(value);
	}
	fclose(file);
	return json_error_code(&error) != json_error_premature_end_of_input;
}
