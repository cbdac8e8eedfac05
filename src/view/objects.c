/*
 * A list of objects as a table (see table.h): the keys of the first objects are its
 * columns.  Rows are put in a thousand at a time; a block that is never seen stands for
 * the rest and becomes it when it is reached, as in a JSON tree.
 */
#include "config.h"
#include "view/table.h"

#include "base/map.h"
#include "base/mem.h"
#include "json/json.h"
#include "text/glyph.h"
#include "text/wrap.h"
#include "view/cells.h"
#include "view/tree.h"

#define UNWRAPPED (1u << 20) /* a width for what has none */
#define STEP      2          /* cells that what a row opens is indented */
#define SHOWN     4096       /* bytes of one value that are looked at for a cell */
#define SAMPLE    64         /* objects whose keys become columns */
#define MEASURED  1000       /* objects that the widths are taken from */
#define BATCH     1000       /* rows put in at a time */
#define COUNTED   1000 /* columns that are counted, of a list that has no end of them */

/* The columns of a list: the marker of the fold, then a key each. */
struct objects {
	struct table *table;
	struct str names[TABLE_COLUMNS]; /* decoded; the first is the marker's */
	size_t count;
};

static enum role value_role(enum jkind kind)
{
	switch (kind) {
	case J_TRUE:
	case J_FALSE:
	case J_NULL:
		return ROLE_LITERAL;
	case J_OBJECT:
	case J_ARRAY:
		return ROLE_DIM;
	case J_BAD:
		return ROLE_ERROR;
	default:
		return ROLE_TEXT;
	}
}

/* "one, two" of an array of strings; false for any other. */
static bool join_strings(struct jv array, struct buf *out)
{
	size_t n = 0;

	JV_EACH(item, array) {
		if (item.kind != J_STRING)
			return false;
		buf_text(out, n++ ? ", " : "");
		jv_text(item, out);
	}
	return n > 0;
}

/* Whether it reads as words, and not as JSON. */
static bool value_text(struct jv value, struct buf *out)
{
	if (value.kind == J_ARRAY && join_strings(value, out))
		return true;
	buf_clear(out);
	if (value.kind == J_OBJECT || value.kind == J_ARRAY)
		json_write_raw(out, jv_raw(value));
	else
		buf_add(out, value.p, value.n);
	return false;
}

struct table_cell table_value(const struct doc *d, struct jv value, struct arena *arena)
{
	struct table_cell cell = {.role = value_role(value.kind)};
	struct buf text = BUF_INIT;
	size_t n;

	if (value.n > SHOWN && !d->print) {
		value.n = SHOWN;
		value.cut = true;
	}
	if (value.kind == J_STRING) {
		cell.text = jv_keep(value, arena);
		return cell;
	}
	if (value_text(value, &text))
		cell.role = ROLE_TEXT;
	n = text.len;
	if (text.data)
		cell.text = arena_take(arena, buf_take(&text), n);
	return cell;
}

static size_t find_name(const struct objects *o, struct str name)
{
	for (size_t i = 1; i < o->count; i++)
		if (str_equal(o->names[i], name))
			return i;
	return o->count;
}

/* One walk over the object; of duplicate keys the last counts. */
static void object_cells(const struct doc *d, const struct objects *o, struct jv object,
	bool open, struct table_cell *cells, struct arena *arena)
{
	AUTO_BUF decoded = BUF_INIT;

	for (size_t i = 0; i < o->count; i++)
		cells[i] = (struct table_cell){.role = ROLE_TEXT};
	if (!d->print)
		cells[0] = (struct table_cell){
			.sign = str_trim(glyph(glyph_fold(open))), .role = ROLE_DIM};
	JV_PAIRS(key, value, object) {
		size_t i = find_name(o, jv_str(key, &decoded));

		if (i < o->count)
			cells[i] = table_value(d, value, arena);
	}
}

/* A value that is no object: the marker, then its JSON. */
static void put_other_value(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	struct str pad = cells_indent(b->indent, width);

	if (d->print) {
		wrap_text(out, jv_raw(b->value), width, pad, value_role(b->value.kind));
	} else {
		lines_begin(out);
		cells_blank(out, (uint32_t)pad.n);
		if (b->value.kind == J_ARRAY)
			lines_put_fold(out, ROLE_DIM, b->open);
		else
			lines_put(out, ROLE_TEXT, STR("  "), 2);
		tree_preview(out, b->value, width ? width : UNWRAPPED);
	}
}

static void layout_object(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	struct table_cell cells[TABLE_COLUMNS];
	struct objects *o = b->data;
	AUTO_ARENA arena = {0};

	if (b->value.kind != J_OBJECT) {
		put_other_value(d, b, out, width);
		return;
	}
	object_cells(d, o, b->value, b->open, cells, &arena);
	table_layout(d, o->table, cells, out, width);
}

static bool toggles_object(const struct doc *d, size_t at)
{
	return jv_count(d->blocks[at].value, 1) > 0;
}

static bool unfold_object(struct doc *d, size_t at)
{
	const struct block *b = &d->blocks[at];

	tree_insert_children(d, at + 1, b->value, b->indent + STEP, b->level + 1);
	return true;
}

static const struct block_ops object_ops = {.layout = layout_object,
	.toggle = doc_turn_fold,
	.unfold = unfold_object,
	.toggles = toggles_object};

static void expand_rest(struct doc *d, size_t at);

/* Stands for the rows that have not been come to, and is never seen. */
static const struct block_ops rest_ops = {
	.layout = doc_layout_nothing, .expand = expand_rest};

/* The next rows of a walk, and a block for the rest; returns how many blocks that made.
 */
static size_t insert_objects(struct doc *d, size_t at, struct jwalk *w, struct block like)
{
	struct jv *values = mem_array(BATCH, sizeof(*values)), key;
	uint64_t first = w->started ? w->index + 1 : 0;
	struct block *b;
	size_t n = 0;
	bool rest;

	while (n < BATCH && jwalk_next(w, &key, &values[n]))
		n++;
	rest = n == BATCH && w->p < w->end;
	b = doc_insert_many(d, at, &object_ops, n + rest);
	for (size_t i = 0; i < n + rest; i++) {
		b[i].data = like.data;
		b[i].indent = like.indent;
		b[i].level = like.level;
		b[i].index = first + i;
		if (i < n)
			b[i].value = values[i];
	}
	if (rest) {
		b[n].ops = &rest_ops;
		b[n].value = (struct jv){.extents = w->extents};
		b[n].text = (struct str){w->p, (size_t)(w->end - w->p)};
		b[n].index = w->index;
	}
	mem_free(values);
	return n + rest;
}

static void expand_rest(struct doc *d, size_t at)
{
	struct block like = d->blocks[at];
	struct jwalk w = {.p = like.text.p,
		.end = like.text.p + like.text.n,
		.index = like.index,
		.started = true,
		.extents = like.value.extents};

	insert_objects(d, at + 1, &w, like);
}

bool table_is_objects(struct jv value)
{
	return jv_first(value).kind == J_OBJECT;
}

/* What the keys of a list of objects say about its columns. */
struct key_survey {
	struct intern names;
	size_t most;                 /* objects to look at */
	bool figures[TABLE_COLUMNS]; /* so far all values are numbers, by name */
};

static void survey_object(struct key_survey *s, struct jv object, struct buf *decoded)
{
	JV_PAIRS(key, value, object) {
		struct str name = jv_str(key, decoded);
		size_t before = s->names.count;
		uint32_t i;

		if (before == COUNTED)
			break;
		i = intern_add(&s->names, name.n ? name : STR(""));
		if (i >= TABLE_COLUMNS)
			continue;
		s->figures[i] = (i == before || s->figures[i]) &&
				(value.kind == J_NUMBER || value.kind == J_NULL);
	}
}

static void survey_list(struct key_survey *s, struct jv array)
{
	AUTO_BUF decoded = BUF_INIT;
	size_t left = s->most;

	JV_EACH(item, array) {
		if (!left--)
			break;
		survey_object(s, item, &decoded);
	}
}

static struct objects *objects_new(
	struct doc *d, const struct key_survey *s, uint32_t indent)
{
	struct objects *o = arena_alloc(&d->arena, sizeof(*o));
	size_t all = s->names.count + 1;
	struct table_column *columns = mem_zalloc(all, sizeof(*columns));

	*o = (struct objects){.count = all < TABLE_COLUMNS ? all : TABLE_COLUMNS};
	columns[0].fixed = true;
	for (size_t i = 1; i < o->count; i++) {
		struct str name = intern_get(&s->names, (uint32_t)i - 1);

		o->names[i] = columns[i].title = arena_dup(&d->arena, name);
		columns[i].right = s->figures[i - 1];
	}
	o->table = table_new(d, columns, all, indent);
	mem_free(columns);
	return o;
}

static void measure_objects(const struct doc *d, struct objects *o, struct jv array)
{
	struct table_cell cells[TABLE_COLUMNS];
	size_t left = MEASURED;

	JV_EACH(item, array) {
		AUTO_ARENA arena = {0};

		if (!left--)
			break;
		object_cells(d, o, item, false, cells, &arena);
		table_measure(o->table, cells);
	}
}

/* On paper there is no fold to find the rest in, so nothing may fall off. */
size_t table_insert_objects(
	struct doc *d, size_t at, struct jv array, uint32_t indent, uint32_t limit)
{
	struct key_survey s = {.most = d->print ? SIZE_MAX : SAMPLE};
	struct block like = {.indent = indent, .level = 1};
	struct jwalk w = jwalk_of(array);
	struct objects *o;

	survey_list(&s, array);
	o = objects_new(d, &s, indent);
	table_limit(o->table, limit);
	intern_done(&s.names);
	measure_objects(d, o, array);
	if (d->print && table_hidden(o->table, d->width))
		return tree_insert_children(d, at, array, indent, 1);
	like.data = o;
	table_insert_header(d, at, o->table);
	return 1 + insert_objects(d, at + 1, &w, like);
}
