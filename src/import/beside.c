/* See known.h. */
#include "config.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "import/known.h"
#include "import/loader.h"
#include "io/inputs.h"

#define SIDE_MOST  (64u * 1024) /* bytes of a file beside a sub-agent's */
#define FILES_MOST 10000        /* of one pattern */
#define PACKED     ".zst"

void beside_note(struct loader *l, const struct candidate *c, size_t step)
{
	const struct description *d = c->description;
	const struct fact_paths *places = &d->facts[FACT_AGENT];
	uint64_t key;

	if (!places->count)
		return;
	key = candidate_key_of(c, places);
	if (!key)
		return;
	idmap_add(&l->trace->agents, key, (uint32_t)step);
	if (d->agents_named) {
		*MEM_ADD(l->agents.items, l->agents.count, l->agents.cap) =
			candidate_text(c, places);
	}
}

/* ---- patterns ---- */

/* What the words of a pattern stand for, as they are in the name of a file. */
struct file_words {
	struct str dir, up, stem, trace, agent;
	bool packed; /* as catena keep does: then the files of its sub-agents are, too */
};

/* The folder of a path, "." if it names none. */
static struct str folder_of(struct str path)
{
	const char *slash = path.n ? memrchr(path.p, '/', path.n) : NULL;

	if (!slash)
		return STR(".");
	return (struct str){path.p, slash == path.p ? 1 : (size_t)(slash - path.p)};
}

static struct file_words words_of(struct str path)
{
	struct file_words w = {.dir = folder_of(path)};
	struct str name = str_file_name(path);
	const char *dot = name.n ? memchr(name.p, '.', name.n) : NULL;

	w.packed = str_ends(path, STR(PACKED));
	w.up = str_equal(w.dir, STR(".")) ? STR("..") : folder_of(w.dir);
	w.stem = (struct str){name.p, dot ? (size_t)(dot - name.p) : name.n};
	return w;
}

/* False: it has a word that is not known here. */
static bool expand(
	const char *text, const struct file_words *w, bool pattern, struct buf *out)
{
	const struct {
		const char *word;
		const struct str *value;
	} words[] = {{"{dir}", &w->dir}, {"{up}", &w->up}, {"{stem}", &w->stem},
		{"{trace}", &w->trace}, {"{agent}", &w->agent}};

	buf_clear(out);
	while (*text) {
		size_t i = 0, count = sizeof(words) / sizeof(*words);

		while (i < count &&
			strncmp(text, words[i].word, strlen(words[i].word)) != 0)
			i++;
		if (i == count) {
			buf_byte(out, *text++);
			continue;
		}
		if (!words[i].value->n || memchr(words[i].value->p, 0, words[i].value->n))
			return false;
		for (size_t n = 0; n < words[i].value->n; n++) {
			char c = words[i].value->p[n];

			buf_text(out, pattern && strchr("*?[\\", c) ? "\\" : "");
			buf_byte(out, c);
		}
		text += strlen(words[i].word);
	}
	buf_byte(out, 0);
	out->len--;
	return true;
}

/* ---- files that say something of others ---- */

/* Whether a path is "{dir}/{stem}.meta.json", and "{dir}/{stem}" with the end that
 * `files` has is there. */
static bool fits_side(struct str path, struct str side, struct str files)
{
	static const char word[] = "{stem}";
	const char *at = memmem(side.p, side.n, word, sizeof(word) - 1);
	const char *star = files.n ? memrchr(files.p, '*', files.n) : NULL;
	AUTO_BUF whole = BUF_INIT;
	struct str end;
	bool there;

	if (!at || !star)
		return false;
	end.p = at + sizeof(word) - 1;
	end.n = (size_t)(side.p + side.n - end.p);
	if (!end.n || path.n <= end.n || !str_ends(path, end))
		return false;
	buf_add(&whole, path.p, path.n - end.n);
	buf_add(&whole, star + 1, (size_t)(files.p + files.n - star - 1));
	buf_byte(&whole, 0);
	there = access(whole.data, F_OK) == 0;
	whole.len--;
	buf_text(&whole, PACKED);
	there |= access(whole.data, F_OK) == 0;
	return there;
}

/* What formats say of such files: read once, when all formats are known. */
static struct {
	bool read;
	struct arena arena;
	struct side_pattern {
		struct str side, files;
	} * items;
	size_t count, cap;
} sides;

bool beside_is_side(const char *path)
{
	for (size_t i = 0; !sides.read && i < known_count(); i++) {
		JV_EACH(item, jv_member(jv_whole(known_text(i)), "agents")) {
			struct jv f = jv_member(item, "files"),
				  s = jv_member(item, "side");

			if (f.kind != J_STRING || s.kind != J_STRING)
				continue;
			*MEM_ADD(sides.items, sides.count, sides.cap) =
				(struct side_pattern){jv_keep(s, &sides.arena),
					jv_keep(f, &sides.arena)};
		}
	}
	sides.read = true;
	for (size_t i = 0; i < sides.count; i++)
		if (fits_side(str_of(path), sides.items[i].side, sides.items[i].files))
			return true;
	return false;
}

/* ---- finding ---- */

/* Appends the text at a place of a small JSON file, or all of a file where `at` is NULL;
 * *path becomes its name.  False: there is none. */
static bool text_beside(const char *pattern, const struct file_words *w,
	const struct path *at, struct buf *out, struct buf *path)
{
	AUTO_BUF text = BUF_INIT;
	AUTO_ARENA arena = {0};
	size_t before = out->len;
	struct jv value;

	if (!expand(pattern, w, false, path))
		return false;
	buf_reserve(&text, SIDE_MOST);
	text.len = file_read_head(path->data, text.data, SIDE_MOST);
	value = at ? path_first(at, jv_whole(buf_view(&text)), NULL, &arena) : JV_NONE;
	if (!at)
		buf_str(out, str_trim(buf_view(&text)));
	else if (value.kind == J_STRING)
		jv_text(value, out);
	return out->len > before;
}

bool beside_folder(const struct description *d, const char *name, struct buf *out,
	struct buf *file)
{
	struct file_words w = words_of(str_of(name));

	for (size_t i = 0; i < d->folder_count; i++) {
		const struct paths *at = &d->folders[i].at;

		for (size_t k = 0; k == 0 || k < at->count; k++)
			if (text_beside(d->folders[i].file, &w,
				    at->count ? &at->items[k] : NULL, out, file))
				return true;
	}
	return false;
}

void beside_each(
	const struct description *d, const char *name, beside_fn *tell, void *ctx)
{
	struct file_words w = words_of(str_of(name));
	AUTO_BUF path = BUF_INIT;

	for (size_t i = 0; i < d->agent_count; i++)
		if (d->agents[i].side && expand(d->agents[i].side, &w, false, &path) &&
			access(path.data, F_OK) == 0)
			tell(ctx, path.data);
	for (size_t i = 0; i < d->folder_count; i++)
		if (expand(d->folders[i].file, &w, false, &path) &&
			access(path.data, F_OK) == 0)
			tell(ctx, path.data);
}

/* What takes the files that a pattern finds. */
struct agent_search {
	struct loader *l;
	const struct agent_path *place;
	const struct file_words *words;
	size_t count;
};

static void take_file(void *ctx, const char *path)
{
	struct agent_search *f = ctx;
	struct file_words own = words_of(str_of(path));
	AUTO_BUF call = BUF_INIT, file = BUF_INIT;
	uint64_t key = 0;

	if (f->place->side &&
		text_beside(f->place->side, &own, &f->place->call, &call, &file))
		key = trace_key(buf_view(&call));
	if (f->count++ >= FILES_MOST)
		return;
	if (!key)
		key = trace_key(f->words->agent.n ? f->words->agent : own.stem);
	inputs_add_part(f->l->trace->inputs, path, inputs_number(f->l->base), key);
}

static void find_files(
	struct loader *l, const struct agent_path *a, const struct file_words *w)
{
	struct agent_search finding = {l, a, w, 0};
	AUTO_BUF pattern = BUF_INIT;

	if (expand(a->files, w, true, &pattern)) {
		buf_text(&pattern, w->packed ? PACKED : "");
		listing_match(pattern.data, take_file, &finding);
	}
	if (finding.count)
		trace_renest(l->trace);
}

void beside_find(struct loader *l)
{
	const char *name = source_name(l->source);
	const struct scope *scope = NULL;
	const struct description *d;
	struct file_words w;
	char *real;

	/* the first of the source whose steps are described */
	for (size_t i = l->scope; i < l->trace->scope_count && !scope; i++)
		if (inputs_number(l->trace->scopes[i].offset) == inputs_number(l->base) &&
			l->trace->scopes[i].description)
			scope = &l->trace->scopes[i];
	d = scope ? scope->description : NULL;

	if (!d || !d->agent_count || !name || source_is_stream(l->source))
		return;
	w = words_of(str_of(name));
	w.trace = trace_text(l->trace,
		scope->trace_id != NO_TEXT ? scope->trace_id : scope->first_trace_id);
	real = realpath(name, NULL);
	for (size_t i = 0; i < d->agent_count; i++) {
		const struct agent_path *a = &d->agents[i];

		if (a->of && !(real && fnmatch(a->of, real, 0) == 0))
			continue;
		if (!strstr(a->files, "{agent}")) {
			find_files(l, a, &w);
			continue;
		}
		for (size_t n = 0; n < l->agents.count; n++) {
			w.agent = trace_text(l->trace, l->agents.items[n]);
			find_files(l, a, &w);
		}
		w.agent = (struct str){0};
	}
	free(real);
	l->agents.count = 0;
}
