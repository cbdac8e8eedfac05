/*
 * Runs a harness without a fuzzer, in any build: on each file that is named, and on each
 * file of the folders that are named.  Prints how many there were.  Status 2: a file
 * cannot be read, or there was none.
 */
#include "fuzz.h"

#include <dirent.h>
#include <string.h>

static size_t count;

static bool replay_file(const char *path)
{
	struct buf bytes = BUF_INIT;
	FILE *f = fopen(path, "rbe");
	char piece[65536];
	uint8_t *data;
	size_t n;

	if (!f) {
		perror(path);
		return false;
	}
	while ((n = fread(piece, 1, sizeof(piece), f)) > 0)
		buf_add(&bytes, piece, n);
	fclose(f);
	if (getenv("FUZZ_VERBOSE"))
		fprintf(stderr, "%s\n", path);
	/* of its exact size, so that a sanitizer or valgrind sees its end */
	data = mem_alloc(bytes.len);
	if (bytes.len)
		memcpy(data, bytes.data, bytes.len);
	LLVMFuzzerTestOneInput(data, bytes.len);
	mem_free(data);
	buf_done(&bytes);
	count++;
	return true;
}

static bool replay(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	bool good = true;

	if (!dir)
		return replay_file(path);
	while ((entry = readdir(dir))) {
		struct buf name = BUF_INIT;

		buf_printf(&name, "%s/%s", path, entry->d_name);
		if (entry->d_name[0] != '.' && !replay_file(name.data))
			good = false;
		buf_done(&name);
	}
	closedir(dir);
	return good;
}

int main(int argc, char **argv)
{
	bool good = true;

	for (int i = 1; i < argc; i++)
		if (argv[i][0] != '-' && !replay(argv[i]))
			good = false;
	printf("%zu inputs\n", count);
	return good && count ? 0 : 2;
}
