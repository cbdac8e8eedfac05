/*
 * From spans back to paths (see path.h): on every level the child that holds the target's
 * bytes is the next step.
 */
#include "config.h"
#include "payload/path.h"

/* As numbers: the bytes may be those of another text. */
static bool holds(struct jv outer, struct jv inner)
{
	uintptr_t from = (uintptr_t)outer.p, at = (uintptr_t)inner.p;

	return at >= from && at + inner.n <= from + outer.n;
}

void path_add(struct buf *out, struct str more)
{
	if (more.n && more.p[0] != '[' && out->len)
		buf_byte(out, '.');
	buf_str(out, more);
}

static void add_key(struct buf *out, struct jv key)
{
	struct str word = jv_plain(key);

	if (word.p && str_is_name(word, '$')) {
		path_add(out, word);
		return;
	}
	buf_byte(out, '[');
	buf_add(out, key.p, key.n);
	buf_byte(out, ']');
}

void path_add_index(struct buf *out, uint64_t index)
{
	buf_printf(out, "[%llu]", (unsigned long long)index);
}

/* Moves to the child of `container` that holds the target; false when none does. */
static bool find_child(
	struct path_finder *f, unsigned level, struct jv container, struct jv target)
{
	struct jwalk *walk = &f->levels[level].walk;
	struct jv *value = &f->levels[level].value;

	if (f->levels[level].container != container.p || target.p < value->p) {
		f->levels[level].container = container.p;
		jwalk_begin(walk, container);
		if (!jwalk_next(walk, &f->levels[level].key, value))
			*value = JV_NONE;
	}
	while (value->kind != J_NONE && !holds(*value, target))
		if (value->p > target.p ||
			!jwalk_next(walk, &f->levels[level].key, value))
			*value = JV_NONE;
	if (value->kind == J_NONE)
		f->levels[level].container = NULL;
	return value->kind != J_NONE;
}

bool path_find(struct path_finder *f, struct jv root, struct jv target, struct buf *out)
{
	size_t before = out->len;

	if (!target.p || !holds(root, target))
		return false;
	for (unsigned level = 0; !(root.p == target.p && root.n == target.n); level++) {
		bool object = root.kind == J_OBJECT;

		if (level == PATH_DEPTH || !find_child(f, level, root, target)) {
			out->len = before;
			if (out->data)
				out->data[before] = '\0';
			return false;
		}
		if (object)
			add_key(out, f->levels[level].key);
		else
			path_add_index(out, f->levels[level].walk.index);
		root = f->levels[level].value;
	}
	return true;
}
