/*
 * What values mean, as numbers: see meaning.h.  Each scalar and each container is hashed
 * together with the path from the root to it, and the hashes are summed: so the order of
 * members does not count, and one walk is enough.
 */
#include "config.h"
#include "json/meaning.h"

#include "base/map.h"
#include "base/mem.h"
#include "json/number.h"

struct meaning_level {
	struct jwalk walk;
	struct meaning path; /* from the root to the container */
};

struct meaning_reading {
	struct meaning_level levels[MEANING_DEPTH];
	size_t depth;
	struct buf text;    /* of the current string or number */
	struct meaning sum; /* over the values met so far */
};

struct meaning meaning_of_text(struct str text)
{
	struct meaning m;

	map_hash_wide(text, m.half);
	return m;
}

struct meaning meaning_then(struct meaning m, struct meaning next)
{
	struct meaning both[2] = {m, next};

	return meaning_of_text((struct str){(const char *)both, sizeof(both)});
}

struct meaning meaning_of_number(uint64_t number)
{
	return (struct meaning){{number, 0}};
}

void meaning_add(
	struct meaning *sum, struct meaning path, enum jkind kind, struct meaning value)
{
	struct meaning m =
		meaning_then(meaning_then(path, meaning_of_number(kind)), value);

	sum->half[0] += m.half[0];
	sum->half[1] += m.half[1];
}

struct meaning meaning_of_decimal(const struct decimal *d)
{
	return meaning_then(meaning_of_text(d->digits),
		(struct meaning){{(uint64_t)d->point, d->negative}});
}

/* ---- values ---- */

static struct meaning of_string(struct jv string, struct buf *text)
{
	if (string.kind != J_STRING)
		return meaning_of_text((struct str){0});
	return meaning_of_text(jv_str(string, text));
}

/* A value without its children. */
static struct meaning of_value(struct meaning_reading *r, struct jv v)
{
	struct decimal d;

	switch (v.kind) {
	case J_STRING:
		return of_string(v, &r->text);
	case J_NUMBER:
		buf_clear(&r->text);
		buf_add(&r->text, v.p, v.n);
		if (decimal_read(&d, &r->text))
			return meaning_of_decimal(&d);
		return meaning_of_text(jv_raw(v));
	case J_BAD:
		return meaning_of_text(jv_raw(v));
	default:
		return meaning_of_number(0);
	}
}

static void meet(struct meaning_reading *r, struct meaning path, struct jv v)
{
	enum jkind kind = v.kind == J_NONE ? J_NULL : v.kind;
	bool inner = kind == J_OBJECT || kind == J_ARRAY;
	bool deep = inner && r->depth == MEANING_DEPTH;
	struct meaning m = deep ? meaning_of_text(jv_raw(v)) : of_value(r, v);

	meaning_add(&r->sum, path, kind, m);
	if (!inner || deep)
		return;
	jwalk_begin(&r->levels[r->depth].walk, v);
	r->levels[r->depth++].path = path;
}

struct meaning jv_meaning(struct jv value)
{
	AUTO_FREE struct meaning_reading *r = mem_alloc(sizeof(*r));
	struct meaning sum;
	struct jv key, v;

	r->depth = 0;
	r->text = (struct buf)BUF_INIT;
	r->sum = (struct meaning){{0, 0}};
	meet(r, meaning_of_number(0), value);
	while (r->depth) {
		struct meaning_level *level = &r->levels[r->depth - 1];
		struct meaning step;

		if (!jwalk_next(&level->walk, &key, &v)) {
			r->depth--;
			continue;
		}
		step = level->walk.object ? of_string(key, &r->text)
					  : meaning_of_number(level->walk.index);
		meet(r, meaning_then(level->path, step), v);
	}
	sum = r->sum;
	buf_done(&r->text);
	return sum;
}

bool jv_same(struct jv a, struct jv b)
{
	if (a.kind == J_NONE || b.kind == J_NONE)
		return a.kind == b.kind;
	return str_equal(jv_raw(a), jv_raw(b)) ||
	       meaning_equal(jv_meaning(a), jv_meaning(b));
}
