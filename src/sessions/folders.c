/* See folders.h.  The formats are asked for their text alone: none is compiled for it. */
#include "config.h"
#include "sessions/folders.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/work.h"
#include "import/known.h"
#include "io/inputs.h"
#include "io/unpack.h"

void places_done(struct session_folders *p)
{
	mem_free(p->items);
	mem_free(p->parts);
	arena_done(&p->arena);
	*p = (struct session_folders){0};
}

static const char *keep(struct session_folders *p, const char *path)
{
	return arena_dup(&p->arena, str_of(path)).p;
}

/* The pattern as a full path, or NULL. */
static const char *expand(struct session_folders *p, struct jv pattern)
{
	AUTO_BUF text = BUF_INIT, path = BUF_INIT;
	const char *kept = NULL;

	if (pattern.kind == J_STRING && home_expand(jv_str(pattern, &text), &path))
		kept = keep(p, path.data);
	return kept;
}

static void add_pattern(
	struct session_folders *p, const char *path, struct str tool, bool database)
{
	if (path)
		*MEM_ADD(p->items, p->count, p->cap) = (struct session_folder){
			.path = path, .real = path, .tool = tool, .database = database};
}

static void add_part(struct session_folders *p, const char *path)
{
	if (path)
		*MEM_ADD(p->parts, p->part_count, p->part_cap) = path;
}

void places_add_parts(struct session_folders *p)
{
	for (size_t i = 0; i < known_count(); i++)
		JV_EACH(text, jv_member(jv_whole(known_text(i)), "parts"))
			add_part(p, expand(p, text));
}

static void add_patterns(
	struct session_folders *p, struct jv patterns, struct jv tool, bool database)
{
	struct str kept = jv_keep(tool, &p->arena);

	JV_EACH(text, patterns)
		add_pattern(p, expand(p, text), kept, database);
}

/* ---- what is kept ---- */

bool places_put_kept(struct buf *out)
{
	return home_expand(STR("${XDG_DATA_HOME:-~/.local/share}/catena/kept"), out);
}

/* What a format says of its files. */
JV_RECORD(place_members, name, tool, files, parts, database, deletes);

/* The folder for copies of what is below the folder of place `i`: that of the first
 * session's place which is there, too. */
static const char *kept_at(const struct session_folders *p, size_t from, size_t i)
{
	const char *kept = NULL;
	AUTO_BUF root = BUF_INIT, other = BUF_INIT;

	places_root(&p->items[i], &root);
	for (size_t k = from; k < i && !kept; k++) {
		buf_clear(&other);
		places_root(&p->items[k], &other);
		if (str_equal(buf_view(&other), buf_view(&root)))
			kept = p->items[k].kept;
	}
	return kept;
}

static void add_kept(struct session_folders *p, const struct place_members *f,
	struct jv patterns, bool part)
{
	const char *format = arena_dup(&p->arena, jv_keep(f->name, &p->arena)).p;
	size_t from = p->count, n = 0;
	struct jv text;

	while (from && p->items[from - 1].format &&
		strcmp(p->items[from - 1].format, format) == 0)
		from--;
	for (struct jwalk w = jwalk_of(patterns); jwalk_next(&w, NULL, &text); n++) {
		const char *path = expand(p, text);
		struct session_folder *place;
		AUTO_BUF name = BUF_INIT;

		if (!path)
			continue;
		add_pattern(p, path, STR(""), false);
		place = &p->items[p->count - 1];
		place->part = part;
		place->format = format;
		place->kept = kept_at(p, from, p->count - 1);
		if (!place->kept && !part && n) { /* of what is below the n-th folder */
			buf_printf(&name, "%s-%zu", format, n + 1);
			place->kept = keep(p, name.data);
		} else if (!place->kept && !part) {
			place->kept = format;
		}
		if (!place->kept)
			p->count--;
	}
}

/* Those of a format, if its program deletes its files. */
static void add_deleted(struct session_folders *p, const struct place_members *f)
{
	if (f->deletes.kind == J_NONE || f->files.kind == J_OBJECT)
		return;
	add_kept(p, f, f->files, false);
	add_kept(p, f, f->parts, true);
}

void places_add_deleted(struct session_folders *p)
{
	struct place_members f;
	AUTO_BUF home = BUF_INIT;

	if (!places_put_kept(&home))
		return;
	for (size_t i = 0; i < known_count(); i++) {
		JV_READ(jv_whole(known_text(i)), place_members, &f);
		add_deleted(p, &f);
	}
}

void places_put_copy(const struct session_folder *place, const char *path, const char *to,
	struct buf *out)
{
	AUTO_BUF root = BUF_INIT;

	places_root(place, &root);
	buf_printf(out, "%s/%s%s", to, place->kept, path + root.len);
}

/* The copies of a format's sessions, which stand for them when they are gone. */
static void add_copies(struct session_folders *p, const struct place_members *f)
{
	struct str tool =
		jv_keep(f->tool.kind == J_STRING ? f->tool : f->name, &p->arena);
	AUTO_BUF to = BUF_INIT;
	AUTO(places_done) struct session_folders were = {0};

	if (places_put_kept(&to))
		add_deleted(&were, f);
	for (size_t i = 0; i < were.count; i++) {
		AUTO_BUF path = BUF_INIT, root = BUF_INIT;

		places_put_copy(&were.items[i], were.items[i].path, to.data, &path);
		buf_text(&path, PACKED);
		if (were.items[i].part) {
			add_part(p, keep(p, path.data));
		} else {
			places_root(&were.items[i], &root);
			add_pattern(p, keep(p, path.data), tool, false);
			p->items[p->count - 1].instead = keep(p, root.data);
		}
	}
}

bool places_is_needless(const struct session_folder *place, const char *path)
{
	AUTO_BUF root = BUF_INIT, was = BUF_INIT;
	struct stat st;

	/* the folder for copies is the last part of the root of their pattern */
	places_root(place, &root);
	buf_text(&was, place->instead);
	buf_text(&was, path + root.len);
	was.data[was.len - strlen(PACKED)] = '\0';
	return stat(was.data, &st) == 0 && S_ISREG(st.st_mode) &&
	       pack_size(path) <= (uint64_t)st.st_size;
}

void places_add_known(struct session_folders *p)
{
	struct place_members f;

	for (size_t i = 0; i < known_count(); i++) {
		struct jv json = jv_whole(known_text(i));
		bool database;

		JV_READ(json, place_members, &f);
		database = f.database.kind != J_NONE;
		if (f.files.kind != J_OBJECT && f.files.kind != J_NONE)
			add_patterns(p, f.files,
				f.tool.kind == J_STRING ? f.tool : f.name, database);
		JV_FIELDS(tool, patterns, f.files)
			add_patterns(p, patterns, tool, database);
		add_copies(p, &f);
	}
	places_add_parts(p);
}

void places_add_folder(struct session_folders *p, const char *path)
{
	char *real = realpath(path, NULL);
	const char *kept = keep(p, path);

	*MEM_ADD(p->items, p->count, p->cap) = (struct session_folder){.path = kept,
		.real = real ? keep(p, real) : kept,
		.folder = true,
		.database = true};
	free(real);
}

bool places_is_part(const struct session_folders *p, const char *path)
{
	for (size_t i = 0; i < p->part_count; i++)
		if (fnmatch(p->parts[i], path, FNM_PATHNAME | FNM_PERIOD) == 0)
			return true;
	return false;
}

void places_root(const struct session_folder *place, struct buf *out)
{
	size_t n = place->folder ? strlen(place->path) : strcspn(place->path, "*?[");

	if (place->path[n])
		while (n > 1 && place->path[n - 1] != '/')
			n--;
	while (n > 1 && place->path[n - 1] == '/')
		n--;
	buf_add(out, place->path, n);
}

/* ---- going through them: one folder is open at a time, however many entries it has;
 * those below it wait on a stack ---- */

#define PIECE 16  /* entries between two looks at the clock */
#define HEAD  512 /* bytes by which a file is known to be no trace */

/* A folder to be read. */
struct walk_folder {
	char *path;       /* without a slash at its end, but of the root */
	const char *rest; /* of the place's pattern: of the entries; NULL: take all */
	const struct session_folder *place;
	unsigned depth;
};

struct walk {
	const struct session_folders *places;
	walk_fn *found;
	walk_failed_fn *failed;
	void *context;
	size_t next; /* place */
	struct walk_folder *items;
	size_t count, cap;
	struct walk_folder at; /* that is being read */
	DIR *dir;              /* ... or NULL */
};

struct walk *walk_new(const struct session_folders *places, walk_fn *found,
	walk_failed_fn *failed, void *context)
{
	struct walk *w = mem_zalloc(1, sizeof(*w));

	w->places = places;
	w->found = found;
	w->failed = failed;
	w->context = context;
	return w;
}

static void leave_folder(struct walk *w)
{
	if (w->dir)
		closedir(w->dir);
	w->dir = NULL;
	mem_free(w->at.path);
	w->at.path = NULL;
}

void walk_free(struct walk *w)
{
	if (!w)
		return;
	leave_folder(w);
	for (size_t i = 0; i < w->count; i++)
		mem_free(w->items[i].path);
	mem_free(w->items);
	mem_free(w);
}

/* By errno; what is not there, or leads nowhere, is no failure. */
static void fail(const struct walk *w, const char *path)
{
	if (errno && errno != ENOENT && errno != ENOTDIR && errno != ELOOP)
		w->failed(w->context, path, errno);
}

/* ---- files ---- */

static void look_at(struct walk *w, const char *path, const struct session_folder *place)
{
	AUTO_BUF real = BUF_INIT; /* full path: the folder may have another name */
	char head[HEAD];
	struct stat st;
	size_t n;

	/* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): has bytes */
	if (stat(path, &st) != 0) {
		fail(w, path);
		return;
	}
	buf_text(&real, place->folder ? place->real : path);
	buf_text(&real, place->folder ? path + strlen(place->path) : "");
	if (!S_ISREG(st.st_mode) || !st.st_size || places_is_part(w->places, real.data))
		return;
	if (place->folder) { /* that a person named: there are other files, too */
		if (beside_is_side(path))
			return;
		n = file_read_head(path, head, sizeof(head));
		if (!n)
			fail(w, path);
		if (!n || !inputs_look_like_a_trace((struct str){head, n}))
			return;
	}
	w->found(w->context, path, place, &st);
}

/* ---- folders ---- */

static void push(struct walk *w, struct buf *path, const char *rest, unsigned depth,
	const struct session_folder *place)
{
	*MEM_ADD(w->items, w->count, w->cap) = (struct walk_folder){
		.path = buf_take(path), .rest = rest, .place = place, .depth = depth};
}

/* Goes on with a pattern from a path: a file, or a folder to be read.  Takes the path. */
static void follow_pattern(struct walk *w, struct buf *path, const char *rest,
	const struct session_folder *place)
{
	/* up to the next component that has a wildcard */
	while (*rest) {
		size_t n = strcspn(rest, "/");

		if (strcspn(rest, "*?[") < n)
			break;
		buf_byte(path, '/');
		buf_add(path, rest, n);
		rest += n + (rest[n] == '/');
	}
	if (*rest)
		push(w, path, rest, 0, place);
	else
		look_at(w, path->data, place);
	buf_done(path);
}

static void read_entry(struct walk *w)
{
	const struct dirent *entry;
	const char *rest = w->at.rest, *slash = rest ? strchr(rest, '/') : NULL;
	AUTO_BUF component = BUF_INIT, path = BUF_INIT;
	struct stat st;

	errno = 0;
	entry = readdir(w->dir);
	if (!entry) {
		if (errno)
			fail(w, w->at.path);
		leave_folder(w);
		return;
	}
	if (rest)
		buf_add(&component, rest, strcspn(rest, "/"));
	if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
		(rest ? fnmatch(component.data, entry->d_name, FNM_PERIOD) != 0
		      : entry->d_name[0] == '.'))
		return;
	buf_text(&path, w->at.path);
	if (!str_ends(buf_view(&path), STR("/")))
		buf_byte(&path, '/');
	buf_text(&path, entry->d_name);
	if (rest) {
		follow_pattern(w, &path, slash ? slash + 1 : "", w->at.place);
	} else if (lstat(path.data, &st) != 0) { /* below a person's folder */
		fail(w, path.data);
	} else if (S_ISDIR(st.st_mode)) {
		if (w->at.depth < FOLDER_DEPTH)
			push(w, &path, NULL, w->at.depth + 1, w->at.place);
	} else {
		look_at(w, path.data, w->at.place);
	}
}

enum task_state walk_run(struct walk *w, uint64_t deadline)
{
	for (size_t passed = 1;; passed++) {
		if (w->dir) {
			read_entry(w);
		} else if (w->count) {
			leave_folder(w); /* one that could not be opened */
			w->at = w->items[--w->count];
			w->dir = opendir(w->at.path);
			if (!w->dir)
				fail(w, w->at.path);
		} else if (w->next < w->places->count) {
			const struct session_folder *place = &w->places->items[w->next++];
			struct buf path = BUF_INIT;

			buf_text(&path, place->folder ? place->path : "");
			if (place->folder)
				push(w, &path, NULL, 0, place);
			else
				follow_pattern(w, &path, place->path + 1, place);
		} else {
			return TASK_DONE;
		}
		if (passed % PIECE == 0 && clock_passed(deadline))
			return TASK_MORE;
	}
}
