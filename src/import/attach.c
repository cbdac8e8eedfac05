/* See opening.h. */
#include "config.h"
#include "import/opening.h"

#include "base/mem.h"
#include "import/describe.h"

#define AROUND_MOST 6                    /* steps around a step that are asked */
#define STEP_MOST   (256u * 1024 * 1024) /* bytes of a step that may hold texts */
#define ROOM_MOST   (64u * 1024 * 1024)  /* by which a text may grow */

/* Of the name of a text: how it begins, and the member's key. */
static uint64_t name_key(struct str begins, struct str rest)
{
	return map_hash(rest) * 31 + map_hash(begins);
}

static struct str read_text(
	struct trace *trace, uint64_t offset, uint64_t length, struct arena *arena)
{
	char *data = mem_alloc((size_t)length + 1);
	size_t n = inputs_read(trace->inputs, offset, data, (size_t)length);

	data[n] = '\0';
	return (struct str){arena_take(arena, data, (size_t)length + 1).p, n};
}

static void note_texts(struct attached *found, const struct attachment *a,
	struct jv texts, const char *start)
{
	JV_FIELDS(key, text, texts)
		if (text.kind == J_STRING && jv_plain(key).p)
			attached_add(found, name_key(a->begins, jv_plain(key)),
				(struct file_range){
					found->of + (uint64_t)(text.p - start), text.n});
}

/* Notes where the texts are that a step contains; false: it contains none. */
static bool find_texts(
	struct trace *trace, const struct description *d, const struct step *s)
{
	struct attached found = {.of = s->offset, .length = s->length};
	AUTO_ARENA arena = {0};
	struct str text;
	struct jv value;

	if (s->length > STEP_MOST)
		return false;
	text = read_text(trace, s->offset, s->length, &arena);
	value = jv_parse(text);
	for (size_t i = 0; i < d->attached_count; i++) {
		struct jv texts = path_first(&d->attached[i].at, value, NULL, &arena);

		if (texts.p >= text.p && texts.p < text.p + text.n)
			note_texts(&found, &d->attached[i], texts, text.p);
	}
	if (!found.count)
		return false;
	attached_take(&trace->attached, &found);
	return true;
}

static bool holds_texts(struct trace *trace, const struct description *d,
	const struct step *s, bool around)
{
	struct file_range range = {s->offset, s->length};

	if (trace->attached.count && trace->attached.of == s->offset &&
		trace->attached.length == s->length)
		return true;
	if (around && attached_is_bare(&trace->attached, range))
		return false;
	if (find_texts(trace, d, s))
		return true;
	if (around)
		attached_note_bare(&trace->attached, range);
	return false;
}

/* Whether this step or one around it contains texts, the innermost first. */
static bool find_holder(struct trace *trace, const struct description *d, uint32_t step)
{
	uint32_t at = step;

	for (int i = 0; i < AROUND_MOST && at != NO_STEP; i++) {
		struct step s = trace_step(trace, at);

		if (holds_texts(trace, d, &s, i > 0))
			return true;
		at = s.parent;
	}
	return false;
}

/* The end of the string that begins with the quote at `at`, if it has no escapes. */
static size_t plain_end(struct str text, size_t at)
{
	while (++at < text.n && text.p[at] != '"')
		if (text.p[at] == '\\')
			return 0;
	return at < text.n ? at : 0;
}

/* Writes the text that the string at `at` names and moves *at after the string; false: it
 * names none that is known. */
static bool put_named(struct buf *out, struct trace *trace, const struct description *d,
	struct str text, size_t *at, struct arena *arena)
{
	size_t end = 0;

	for (size_t i = 0; i < d->attached_count; i++) {
		struct str begins = d->attached[i].begins, rest = {text.p + *at + 1, 0};
		const struct file_range *r;

		rest.n = text.n - *at - 1;
		if (!str_starts(rest, begins) || !(end = plain_end(text, *at)))
			continue;
		rest.p += begins.n;
		rest.n = end - *at - 1 - begins.n;
		r = attached_find(&trace->attached, name_key(begins, rest));
		if (!r)
			continue;
		buf_str(out, read_text(trace, r->offset, r->length, arena));
		*at = end + 1;
		return true;
	}
	return false;
}

static bool names_some(const struct description *d, struct str text)
{
	for (size_t i = 0; i < d->attached_count; i++)
		if (memmem(text.p, text.n, d->attached[i].begins.p,
			    d->attached[i].begins.n))
			return true;
	return false;
}

bool attach(struct trace *trace, uint32_t step, struct str *text, struct arena *arena)
{
	struct step s = trace_step(trace, step);
	const struct description *d = trace->scopes[s.scope].description;
	AUTO_BUF out = BUF_INIT;
	size_t at = 0, from = 0;
	bool some = false;

	if (!d || !d->attached_count || !names_some(d, *text) ||
		!find_holder(trace, d, step))
		return false;
	while (at < text->n && out.len < text->n + ROOM_MOST) {
		size_t here = at;

		if (text->p[at] != '"') {
			at++;
			continue;
		}
		buf_add(&out, text->p + from, here - from);
		from = here;
		if (put_named(&out, trace, d, *text, &at, arena)) {
			some = true;
			from = at;
			continue;
		}
		while (++at < text->n && text->p[at] != '"')
			at += text->p[at] == '\\';
		at++;
	}
	buf_add(&out, text->p + from, text->n - from);
	if (some)
		*text = arena_dup(arena, buf_view(&out));
	return some;
}
