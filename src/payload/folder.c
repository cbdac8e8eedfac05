/* The files of the registry: those of --payloads and those of the user's folder. */
#include "config.h"
#include "payload/registry.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>

#include "base/home.h"
#include "base/mem.h"
#include "payload/define.h"
#include "schema/yaml.h"

static bool add_path(struct registry *r, const char *path, bool pipe, struct err *err)
{
	struct buf text = BUF_INIT;
	bool ok = yaml_file_read(path, pipe ? YAML_PIPE : YAML_ANY, &text, err);

	ok = ok && registry_add(r, path, buf_view(&text), err);
	buf_done(&text);
	return ok;
}

bool registry_add_file(struct registry *r, const char *path, struct err *err)
{
	return add_path(r, path, true, err);
}

static void add_users(struct registry *r, const char *path)
{
	struct err err = {.offset = ERR_NOWHERE};

	if (!add_path(r, path, false, &err))
		registry_warn(r, &err);
	err_done(&err);
}

/* ---- the user's folder ---- */

static bool is_definitions(const char *name)
{
	size_t n = strlen(name);

	return name[0] != '.' && n > 5 && strcmp(name + n - 5, ".yaml") == 0;
}

struct names {
	char **items;
	size_t count, cap;
};

static void list_folder(struct registry *r, const char *path, struct names *out)
{
	struct err err = {.offset = ERR_NOWHERE};
	DIR *dir = opendir(path);
	struct dirent *entry;

	if (!dir && errno != ENOENT && errno != ENOTDIR) {
		err_set(&err, "cannot be opened: %s", strerror(errno));
		err_source(&err, path);
		registry_warn(r, &err);
	}
	while (dir && (entry = readdir(dir))) {
		if (!is_definitions(entry->d_name))
			continue;
		out->items = mem_grow(
			out->items, &out->cap, out->count + 1, sizeof(*out->items));
		out->items[out->count++] = mem_dup(entry->d_name, strlen(entry->d_name));
	}
	if (dir)
		closedir(dir);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void registry_add_user(struct registry *r)
{
	struct buf folder = BUF_INIT, path = BUF_INIT;
	struct names names = {0};

	if (!home_config(&folder))
		goto out;
	buf_printf(&path, "%s/payloads.yaml", folder.data);
	if (!yaml_file_is_absent(path.data))
		add_users(r, path.data);
	buf_text(&folder, "/payloads");
	list_folder(r, folder.data, &names);
	if (names.count)
		qsort(names.items, names.count, sizeof(*names.items), by_name);
	for (size_t i = 0; i < names.count; i++) {
		buf_clear(&path);
		buf_printf(&path, "%s/%s", folder.data, names.items[i]);
		add_users(r, path.data);
		mem_free(names.items[i]);
	}
out:
	mem_free(names.items);
	buf_done(&path);
	buf_done(&folder);
}
