/* The search for a sibling after a broken step: see resync.h. */
#include "config.h"
#include "import/resync.h"

#include "base/mem.h"
#include "json/cursor.h"

#define WINDOW_FIRST (16u * 1024) /* a broken step's sibling is near */
#define WINDOW_MOST  (256u * 1024)
#define LIKE         4096       /* bytes in which the keys of a step are looked for */
#define OVERLAP      (2 * LIKE) /* a separator with the keys after it is shorter */
#define KEYS         8

static const char *skip_space(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t'))
		p++;
	return p;
}

void resync_begin(struct resync *r, struct source *source, uint64_t start, unsigned depth,
	char opener, uint64_t like, uint64_t like_end)
{
	size_t n = like_end - like < LIKE ? (size_t)(like_end - like) : LIKE;

	*r = (struct resync){.source = source,
		.start = start,
		.at = start + 1,
		.window = WINDOW_FIRST,
		.depth = depth,
		.opener = opener};
	if (opener != '{')
		return;
	buf_reserve(&r->like, n);
	r->like.len = source_read(source, like, r->like.data, n);
}

void resync_done(struct resync *r)
{
	buf_done(&r->like);
}

/* The raw texts of the first keys of an object, as far as the text goes. */
static size_t first_keys(struct str text, struct jv keys[KEYS])
{
	struct jv key, value;
	size_t n = 0;

	for (struct jwalk w = jwalk_of(jv_parse(text)); n < KEYS &&
							jwalk_next(&w, &key, &value) &&
							key.kind == J_STRING && !key.cut;)
		keys[n++] = key;
	return n;
}

static bool same(struct jv a, struct jv b)
{
	return str_equal(jv_raw(a), jv_raw(b));
}

/* Whether the object at p has the first key of `like`, and one of its others if it has
 * any. */
static bool is_like(const struct resync *r, const char *p, const char *end)
{
	struct jv ours[KEYS], theirs[KEYS];
	size_t known = first_keys(buf_view(&r->like), ours), n;

	if (!known)
		return true;
	if ((size_t)(end - p) > LIKE)
		end = p + LIKE;
	n = first_keys((struct str){p, (size_t)(end - p)}, theirs);
	if (!n || !same(ours[0], theirs[0]))
		return false;
	for (size_t i = 1; i < n; i++)
		for (size_t j = 1; j < known; j++)
			if (same(theirs[i], ours[j]))
				return true;
	return known == 1 || n == 1;
}

/* The sibling's opener when there is a separator at p, else NULL. */
static const char *separator(const struct resync *r, const char *p, const char *end)
{
	const char *opener;

	p = skip_space(p + 1, end);
	if (p == end || *p != ',')
		return NULL;
	opener = skip_space(p + 1, end);
	if (opener == end || *opener != r->opener)
		return NULL;
	p = skip_space(opener + 1, end);
	if (p == end || *p != '"')
		return NULL;
	return r->opener == '[' || is_like(r, opener, end) ? opener : NULL;
}

bool resync_waits(const struct resync *r)
{
	return !source_complete(r->source) && source_size(r->source) <= r->at + OVERLAP;
}

enum task_state resync_run(struct resync *r)
{
	char *window = mem_alloc(r->window);
	size_t n = source_read(r->source, r->at, window, r->window);
	const char *p = window, *end = window + n;
	char closer = r->opener == '{' ? '}' : ']';
	bool last = n < r->window && source_complete(r->source);
	const char *until = last ? end : end - (n < OVERLAP ? n : OVERLAP);

	while ((p = p < until ? memchr(p, closer, (size_t)(until - p)) : NULL)) {
		const char *opener = separator(r, p, end);

		if (opener) {
			r->found = true;
			r->end = r->at + (uint64_t)(p - window) + 1;
			r->next = r->at + (uint64_t)(opener - window);
			break;
		}
		p++;
	}
	r->at += (uint64_t)(until - window);
	r->window = r->window < WINDOW_MOST ? 4 * r->window : r->window;
	mem_free(window);
	return last || r->found ? TASK_DONE : TASK_MORE;
}
