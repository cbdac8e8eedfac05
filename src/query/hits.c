/*
 * See hits.h.  The walk keeps a stack of containers with the length of the path to each;
 * a string that holds JSON counts as a container.
 */
#include "config.h"
#include "query/hits.h"

#include <inttypes.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/mem.h"
#include "chat/side.h"
#include "query/search.h"

#define LEVELS 200

struct hit_frame {
	struct jwalk walk;
	size_t path; /* its length */
};

struct hit_walk_state {
	const struct query *query;
	struct sieve_cursor cursor; /* over the text that is walked */
	hits_fn *each;
	void *ctx;
	struct arena arena;
	const struct opened *opened;
	struct buf path;
	struct hit_frame frames[LEVELS];
	size_t depth;
	struct buf above; /* the path of what a side is in, while inside that */
	size_t side;      /* the depth there is outside; SIZE_MAX: not in a side */
	size_t found;
	bool stopped;
	bool hashed;    /* hit.key is that of the text */
	struct hit hit; /* of the text that is being searched */
};

static bool take(void *ctx, uint64_t from, uint64_t to)
{
	struct hit_walk_state *w = ctx;

	if (!w->hashed)
		w->hit.key = map_hash(w->hit.text);
	w->hashed = true;
	w->hit.path = buf_view(&w->path);
	w->hit.from = from;
	w->hit.to = to;
	w->found++;
	w->stopped = !w->each(w->ctx, &w->hit);
	return !w->stopped;
}

static void search(struct hit_walk_state *w, struct str text, bool in_key)
{
	w->hit = (struct hit){.text = text, .in_key = in_key};
	w->hashed = false;
	if (text.n)
		query_each(w->query, text, take, w);
}

/* ---- paths ---- */

static void add_step(struct hit_walk_state *w, struct jv key, uint64_t index)
{
	struct str plain = jv_plain(key);

	if (key.kind == J_NONE) {
		buf_printf(&w->path, "[%" PRIu64 "]", index);
	} else if (plain.p && str_is_name(plain, '$')) {
		if (w->path.len)
			buf_byte(&w->path, '.');
		buf_str(&w->path, plain);
	} else {
		buf_byte(&w->path, '[');
		buf_add(&w->path, key.p, key.n);
		buf_byte(&w->path, ']');
	}
}

/* The path to a side is its name alone, however deep in the step it is. */
static void name_side(struct hit_walk_state *w, struct jv v)
{
	const struct facts *f = &w->opened->facts;
	bool input = v.p == f->v[FACT_INPUT].p;

	if (w->opened->bare || !v.p || (!input && v.p != f->v[FACT_OUTPUT].p))
		return;
	buf_clear(&w->above);
	buf_str(&w->above, buf_view(&w->path));
	w->side = w->depth;
	w->path.len = 0;
	buf_text(&w->path, input ? "input" : "output");
}

/* Behind a side the path is that of what it is in again. */
static void leave_side(struct hit_walk_state *w)
{
	if (w->side == SIZE_MAX || w->depth > w->side)
		return;
	w->side = SIZE_MAX;
	w->path.len = 0;
	buf_str(&w->path, buf_view(&w->above));
}

/* ---- values ---- */

/* What stands in an opened string is not in the text that the sieve looks at. */
static bool may_hold(struct hit_walk_state *w, struct jv v)
{
	struct str text = w->cursor.bytes;
	size_t from;

	if (v.p < text.p || v.p >= text.p + text.n)
		return true;
	from = (size_t)(v.p - text.p);
	return sieve_next(&w->cursor, from) < from + v.n;
}

static void visit(struct hit_walk_state *w, struct jv v)
{
	unsigned opened = 0;
	struct jv inner;

	if (!may_hold(w, v))
		return;
	inner = v.kind == J_STRING ? side_open_string(v, &opened, &w->arena) : v;
	if ((inner.kind == J_OBJECT || inner.kind == J_ARRAY) && w->depth < LEVELS) {
		struct hit_frame *f = &w->frames[w->depth++];

		jwalk_begin(&f->walk, inner);
		f->path = w->path.len;
	} else if (v.kind == J_STRING) {
		search(w, jv_keep(v, &w->arena), false);
	} else {
		search(w, (struct str){v.p, v.n}, false);
	}
}

static void walk_value(struct hit_walk_state *w, struct jv v)
{
	struct jv key, value;

	visit(w, v);
	while (w->depth && !w->stopped) {
		struct hit_frame *f = &w->frames[w->depth - 1];

		leave_side(w);
		w->path.len = f->path;
		if (!jwalk_next(&f->walk, &key, &value)) {
			w->depth--;
			continue;
		}
		add_step(w, key, f->walk.index);
		if (key.kind == J_STRING)
			search(w, jv_keep(key, &w->arena), true);
		name_side(w, value);
		visit(w, value);
	}
	w->depth = 0;
	w->path.len = 0;
}

static void walk_text(struct hit_walk_state *w, struct str text)
{
	size_t at = 0;

	sieve_begin(&w->cursor, query_sieve(w->query), text);
	while (!w->stopped) {
		struct jv v = jv_next(text, &at);

		if (v.kind == J_NONE)
			return;
		walk_value(w, v);
	}
}

/* ---- streams ---- */

/* The value after the name of an SSE field ("data: …"), or the whole line. */
static struct str field_value(struct str line)
{
	size_t n = 0;

	while (n < line.n && line.p[n] >= 'a' && line.p[n] <= 'z')
		n++;
	if (!n || n == line.n || line.p[n] != ':')
		return line;
	return str_trim((struct str){line.p + n + 1, line.n - n - 1});
}

static void walk_lines(struct hit_walk_state *w, struct str text)
{
	while (text.n && !w->stopped) {
		const char *end = memchr(text.p, '\n', text.n);
		size_t n = end ? (size_t)(end - text.p) : text.n;
		struct str value = field_value(str_trim((struct str){text.p, n}));

		if (value.n && strchr("{[\"", value.p[0]) && value.p[0])
			walk_text(w, value);
		else
			search(w, value, false);
		n += end != NULL;
		text = (struct str){text.p + n, text.n - n};
	}
}

static void walk_stream(
	struct hit_walk_state *w, struct trace *trace, uint32_t step, struct str text)
{
	struct buf joined = BUF_INIT;

	if (text.n <= SEARCH_JOINED && search_joined(trace, step, &joined)) {
		walk_text(w, buf_view(&joined));
		w->path.len = 0;
	}
	if (!w->found)
		walk_lines(w, text);
	buf_done(&joined);
}

void hits_each(struct trace *trace, uint32_t step, const struct opened *opened,
	const struct query *q, hits_fn *each, void *ctx)
{
	uint32_t flags = trace_flags(trace, step);
	bool stream = flags & (STEP_SSE | STEP_LINES);
	struct hit_walk_state *w = mem_zalloc(1, sizeof(*w));
	struct opened *own = opened ? NULL : opened_new(trace, step);
	struct str text;

	w->opened = opened ? opened : own;
	text = w->opened->text;
	w->side = SIZE_MAX;
	w->query = q;
	w->each = each;
	w->ctx = ctx;
	if (flags & STEP_BROKEN || (stream && flags & STEP_BARE)) {
		search(w, text, false);
		if (!w->found)
			(flags & STEP_SSE ? walk_lines : walk_text)(w, text);
	} else if (stream) {
		walk_stream(w, trace, step, text);
	} else {
		walk_text(w, text);
	}
	buf_done(&w->path);
	buf_done(&w->above);
	arena_done(&w->arena);
	mem_free(w);
	opened_free(own);
}
