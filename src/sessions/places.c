/* See places.h.  The formats are asked for their text alone: none is compiled for it. */
#include "config.h"
#include "sessions/places.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/home.h"
#include "base/mem.h"
#include "import/known.h"
#include "io/pack.h"

#define PACKED ".zst"

void places_done(struct places *p)
{
	mem_free(p->items);
	mem_free(p->parts);
	arena_done(&p->arena);
	*p = (struct places){0};
}

static struct session_place *add(struct places *p)
{
	MEM_ROOM(p->items, p->cap, p->count + 1);
	p->items[p->count] = (struct session_place){0};
	return &p->items[p->count++];
}

static const char *keep(struct places *p, const char *path)
{
	return arena_dup(&p->arena, str_of(path)).p;
}

/* The pattern as a full path, or NULL. */
static const char *expand(struct places *p, struct jv pattern)
{
	AUTO_BUF text = BUF_INIT, path = BUF_INIT;
	const char *kept = NULL;

	if (pattern.kind == J_STRING && home_expand(jv_str(pattern, &text), &path))
		kept = keep(p, path.data);
	return kept;
}

static void add_pattern(
	struct places *p, const char *path, struct str tool, bool database)
{
	struct session_place *place = path ? add(p) : NULL;

	if (place)
		*place = (struct session_place){
			.path = path, .real = path, .tool = tool, .database = database};
}

static void add_part(struct places *p, const char *path)
{
	if (!path)
		return;
	*MEM_ADD(p->parts, p->part_count, p->part_cap) = path;
}

void places_add_parts(struct places *p)
{
	for (size_t i = 0; i < known_count(); i++)
		JV_EACH(text, jv_member(jv_whole(known_text(i)), "parts"))
			add_part(p, expand(p, text));
}

static void add_patterns(
	struct places *p, struct jv patterns, struct jv tool, bool database)
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

static bool is_deleted(const struct place_members *f)
{
	return f->deletes.kind != J_NONE && f->files.kind != J_OBJECT;
}

/* The folder for what is below the n-th folder of a format. */
static const char *name_copies(struct places *p, const char *format, size_t n)
{
	AUTO_BUF text = BUF_INIT;
	const char *kept = format;

	if (n) {
		buf_printf(&text, "%s-%zu", format, n + 1);
		kept = keep(p, text.data);
	}
	return kept;
}

static bool has_root(const struct session_place *place, struct str root)
{
	AUTO_BUF other = BUF_INIT;

	places_root(place, &other);
	return str_equal(buf_view(&other), root);
}

/* The folder for copies of what is below the folder of place `i`: that of the first
 * session's place which is there, too. */
static const char *kept_at(const struct places *p, size_t from, size_t i)
{
	const char *kept = NULL;
	AUTO_BUF root = BUF_INIT;

	places_root(&p->items[i], &root);
	for (size_t k = from; k < i && !kept; k++)
		if (has_root(&p->items[k], buf_view(&root)))
			kept = p->items[k].kept;
	return kept;
}

static void add_deleted(
	struct places *p, const struct place_members *f, struct jv patterns, bool part)
{
	const char *format = arena_dup(&p->arena, jv_keep(f->name, &p->arena)).p;
	size_t from = p->count, n = 0;
	struct jv text;

	while (from && p->items[from - 1].format &&
		strcmp(p->items[from - 1].format, format) == 0)
		from--;
	for (struct jwalk w = jwalk_of(patterns); jwalk_next(&w, NULL, &text); n++) {
		const char *path = expand(p, text);
		struct session_place *place;

		if (!path)
			continue;
		add_pattern(p, path, STR(""), false);
		place = &p->items[p->count - 1];
		place->part = part;
		place->format = format;
		place->kept = kept_at(p, from, p->count - 1);
		if (!place->kept && !part)
			place->kept = name_copies(p, format, n);
		if (!place->kept)
			p->count--;
	}
}

void places_add_deleted(struct places *p)
{
	struct place_members f;
	AUTO_BUF home = BUF_INIT;

	for (size_t i = 0; i < known_count() && places_put_kept(&home); i++) {
		JV_READ(jv_whole(known_text(i)), place_members, &f);
		if (!is_deleted(&f))
			continue;
		add_deleted(p, &f, f.files, false);
		add_deleted(p, &f, f.parts, true);
	}
}

void places_put_copy(const struct session_place *place, const char *path, const char *to,
	struct buf *out)
{
	AUTO_BUF root = BUF_INIT;

	places_root(place, &root);
	buf_printf(out, "%s/%s%s", to, place->kept, path + root.len);
}

/* The place of copies of what is in another one. */
static void add_copies_of(struct places *p, const struct session_place *place,
	const char *to, struct str tool)
{
	AUTO_BUF path = BUF_INIT, root = BUF_INIT;

	places_put_copy(place, place->path, to, &path);
	buf_text(&path, PACKED);
	if (place->part) {
		add_part(p, keep(p, path.data));
	} else {
		places_root(place, &root);
		add_pattern(p, keep(p, path.data), tool, false);
		p->items[p->count - 1].instead = keep(p, root.data);
	}
}

/* The copies of a format's sessions, which stand for them when they are gone. */
static void add_copies(struct places *p, const struct place_members *f)
{
	AUTO_BUF to = BUF_INIT;
	AUTO(places_done) struct places were = {0};

	if (is_deleted(f) && places_put_kept(&to)) {
		add_deleted(&were, f, f->files, false);
		add_deleted(&were, f, f->parts, true);
	}
	for (size_t i = 0; i < were.count; i++)
		add_copies_of(p, &were.items[i], to.data,
			jv_keep(f->tool.kind == J_STRING ? f->tool : f->name, &p->arena));
}

bool places_is_needless(const struct session_place *place, const char *path)
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

void places_add_known(struct places *p)
{
	struct place_members f;

	for (size_t i = 0; i < known_count(); i++) {
		struct jv json = jv_whole(known_text(i));
		bool database;

		JV_READ(json, place_members, &f);
		database = f.database.kind != J_NONE;
		if (f.files.kind != J_OBJECT && f.files.kind != J_NONE)
			add_patterns(p, f.files,
				f.tool.kind == J_STRING ? f.tool
							 : f.name,
				database);
		JV_FIELDS(tool, patterns, f.files)
			add_patterns(p, patterns, tool, database);
		add_copies(p, &f);
	}
	places_add_parts(p);
}

void places_add_folder(struct places *p, const char *path)
{
	char *real = realpath(path, NULL);
	struct session_place *place = add(p);

	place->folder = place->database = true;
	place->path = keep(p, path);
	place->real = real ? keep(p, real) : place->path;
	free(real);
}

bool places_is_part(const struct places *p, const char *path)
{
	for (size_t i = 0; i < p->part_count; i++)
		if (fnmatch(p->parts[i], path, FNM_PATHNAME | FNM_PERIOD) == 0)
			return true;
	return false;
}

void places_root(const struct session_place *place, struct buf *out)
{
	size_t n = place->folder ? strlen(place->path) : strcspn(place->path, "*?[");

	if (place->path[n])
		while (n > 1 && place->path[n - 1] != '/')
			n--;
	while (n > 1 && place->path[n - 1] == '/')
		n--;
	buf_add(out, place->path, n);
}
