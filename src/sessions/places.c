/* See places.h.  The formats are asked for their text alone: none is compiled for it. */
#include "config.h"
#include "sessions/places.h"

#include <fnmatch.h>
#include <stdlib.h>

#include "base/home.h"
#include "base/mem.h"
#include "import/known.h"

void places_done(struct places *p)
{
	mem_free(p->items);
	mem_free(p->parts);
	arena_done(&p->arena);
	*p = (struct places){0};
}

static struct session_place *add(struct places *p)
{
	p->items = mem_grow(p->items, &p->cap, p->count + 1, sizeof(*p->items));
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
	struct buf text = BUF_INIT, path = BUF_INIT;
	const char *kept = NULL;

	if (pattern.kind == J_STRING && home_expand(jv_str(pattern, &text), &path))
		kept = keep(p, path.data);
	buf_done(&text);
	buf_done(&path);
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

enum { TOOL, FILES, PARTS, DATABASE, MEMBERS };

static void read_format(struct jv json, struct jv f[MEMBERS])
{
	static const char *const names[MEMBERS] = {"tool", "files", "parts", "database"};

	jv_members(json, names, f, MEMBERS);
}

/* A list of texts, or one. */
static bool next_text(struct jwalk *w, struct jv *text)
{
	struct jv key;

	return jwalk_next(w, &key, text);
}

void places_add_parts(struct places *p)
{
	struct jv f[MEMBERS], text;
	struct jwalk w;

	for (size_t i = 0; i < known_count(); i++) {
		read_format(jv_whole(known_text(i)), f);
		jwalk_begin(&w, f[PARTS]);
		while (next_text(&w, &text))
			add_part(p, expand(p, text));
	}
}

static void add_patterns(
	struct places *p, struct jv patterns, struct jv tool, bool database)
{
	struct str kept = jv_keep(tool, &p->arena);
	struct jv text;
	struct jwalk w;

	jwalk_begin(&w, patterns);
	while (next_text(&w, &text))
		add_pattern(p, expand(p, text), kept, database);
}

void places_add_known(struct places *p)
{
	struct jv f[MEMBERS], tool, patterns;

	for (size_t i = 0; i < known_count(); i++) {
		struct jv json = jv_whole(known_text(i));
		bool database;

		read_format(json, f);
		database = f[DATABASE].kind != J_NONE;
		if (f[FILES].kind != J_OBJECT && f[FILES].kind != J_NONE)
			add_patterns(p, f[FILES],
				f[TOOL].kind == J_STRING ? f[TOOL]
							 : jv_member(json, "name"),
				database);
		for (struct jwalk w = jwalk_of(f[FILES]);
			f[FILES].kind == J_OBJECT && jwalk_next(&w, &tool, &patterns);)
			add_patterns(p, patterns, tool, database);
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
