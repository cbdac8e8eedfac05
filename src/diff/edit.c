/*
 * See edit.h.  Lines are compared by hash.  By words, a group of lines that replaces
 * another is compared word by word, unless the two have hardly a word in common: then it
 * reads better as a whole.  Blanks are no words; those between two words that stayed are
 * compared byte for byte, so that no difference is missed.
 */
#include "config.h"
#include "diff/edit.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/sort.h"
#include "diff/sequence.h"
#include "text/width.h"

#define WORDS_MOST ((size_t)2 << 20) /* bytes of a group of lines compared by words */
#define STAYS      3                 /* words of so few bytes do not separate changes */

/* A text as a sequence of lines, each with its LF, which the last may lack. */
struct line_sequence {
	struct str *items; /* borrow the text */
	uint64_t *hashes;  /* of the lines without LF, unless `ends` was set */
	size_t count, cap, hash_cap;
};

static void line_sequence_read(struct line_sequence *l, struct str text, bool ends)
{
	*l = (struct line_sequence){0};
	while (text.n) {
		const char *end = memchr(text.p, '\n', text.n);
		size_t n = end ? (size_t)(end - text.p) + 1 : text.n;

		MEM_ROOM(l->items, l->cap, l->count + 1);
		MEM_ROOM(l->hashes, l->hash_cap, l->count + 1);
		l->items[l->count] = (struct str){text.p, n};
		l->hashes[l->count++] =
			map_hash((struct str){text.p, n - (end && !ends)});
		text.p += n;
		text.n -= n;
	}
}

static void line_sequence_done(struct line_sequence *l)
{
	mem_free(l->items);
	mem_free(l->hashes);
}

/* A word and the blanks before it; the last word of a text is empty. */
struct word {
	uint32_t gap, start, end; /* offsets in the text */
};

struct text_words {
	struct str text;
	struct word *items;
	uint64_t *hashes;
	size_t count, cap, hash_cap;
};

static void add(struct text_delta *d, enum text_delta_kind kind, struct str text)
{
	struct text_delta_piece *last = d->count ? &d->pieces[d->count - 1] : NULL;

	if (!text.n)
		return;
	if (last && last->kind == kind && last->text.p + last->text.n == text.p) {
		last->text.n += text.n;
		return;
	}
	*MEM_ADD(d->pieces, d->count, d->cap) = (struct text_delta_piece){kind, text};
}

static struct str slice(struct str text, size_t from, size_t to)
{
	return (struct str){text.p + from, to - from};
}

static void add_changed(struct text_delta *d, struct str was, struct str is)
{
	add(d, DELTA_GONE, was);
	add(d, DELTA_CAME, is);
}

/* ---- words ---- */

static void read_words(struct text_words *w, struct str text)
{
	enum word_kind kind = WORD_BLANK;
	size_t gap = 0, at = 0;

	*w = (struct text_words){.text = text};
	for (bool last = false; !last;) {
		size_t end = at;

		last = at == text.n;
		if (!last)
			end += word_next(text.p + at, text.n - at, &kind);
		if (last || kind != WORD_BLANK) {
			MEM_ROOM(w->items, w->cap, w->count + 1);
			MEM_ROOM(w->hashes, w->hash_cap, w->count + 1);
			w->hashes[w->count] = map_hash(slice(text, at, end));
			w->items[w->count++] =
				(struct word){(uint32_t)gap, (uint32_t)at, (uint32_t)end};
			gap = end;
		}
		at = end;
	}
}

static size_t bytes_of(const struct text_words *w, size_t first, size_t count)
{
	size_t bytes = 0;

	for (size_t i = first; i < first + count; i++)
		bytes += w->items[i].end - w->items[i].start;
	return bytes;
}

/* Joins changes that only a very short word or sign separates. */
static void join_changes(struct sequence_diff *d, const struct text_words *was)
{
	size_t n = 0;

	for (size_t i = 1; i < d->count; i++) {
		struct sequence_diff_change *last = &d->changes[n], *c = &d->changes[i];
		size_t from = last->a + last->a_count;

		if (last->a_count && last->b_count && c->a_count && c->b_count &&
			c->a - from <= STAYS &&
			bytes_of(was, from, c->a - from) <= STAYS) {
			last->a_count = c->a + c->a_count - last->a;
			last->b_count = c->b + c->b_count - last->b;
		} else {
			d->changes[++n] = *c;
		}
	}
	if (d->count)
		d->count = n + 1;
}

static size_t same_head(struct str a, struct str b, size_t most)
{
	size_t n = 0;

	while (n < most && a.p[n] == b.p[n])
		n++;
	return n;
}

static size_t same_tail(struct str a, struct str b, size_t most)
{
	size_t n = 0;

	while (n < most && a.n > n && b.n > n && a.p[a.n - n - 1] == b.p[b.n - n - 1])
		n++;
	return n;
}

/* At most so many blanks before word i of one text and word j of the other are equal. */
static size_t same_gap(
	const struct text_words *was, size_t i, const struct text_words *is, size_t j)
{
	const struct word *a = &was->items[i], *b = &is->items[j];

	return sort_least(a->start - a->gap, b->start - b->gap);
}

/* Adds what is between two words that stayed, with its blanks: from the gap of the first
 * changed word, if there is one, to the next word that stayed. */
static void add_between(struct text_delta *d, const struct text_words *was,
	const struct text_words *is, const struct sequence_diff_change *c)
{
	size_t i = c->a + c->a_count, j = c->b + c->b_count;
	struct str a = slice(was->text, was->items[c->a].gap, was->items[i].start);
	struct str b = slice(is->text, is->items[c->b].gap, is->items[j].start);
	size_t head = same_head(a, b, same_gap(was, c->a, is, c->b)), tail;

	add(d, DELTA_SAME, slice(b, 0, head));
	a = slice(a, head, a.n);
	b = slice(b, head, b.n);
	tail = same_tail(a, b, same_gap(was, i, is, j));
	add_changed(d, slice(a, 0, a.n - tail), slice(b, 0, b.n - tail));
	add(d, DELTA_SAME, slice(b, b.n - tail, b.n));
}

static void add_words(struct text_delta *d, const struct text_words *was,
	const struct text_words *is, const struct sequence_diff *changes)
{
	size_t i = 0, j = 0;

	for (size_t n = 0; j < is->count; n++) {
		struct sequence_diff_change end = {was->count, 0, is->count, 0};
		struct sequence_diff_change c =
			n < changes->count ? changes->changes[n] : end;

		for (; j < c.b; i++, j++) {
			struct sequence_diff_change none = {i, 0, j, 0};
			const struct word *word = &is->items[j];

			/* the blanks after a change were added with it */
			if (!n || j > changes->changes[n - 1].b +
						  changes->changes[n - 1].b_count)
				add_between(d, was, is, &none);
			add(d, DELTA_SAME, slice(is->text, word->start, word->end));
		}
		if (j == is->count)
			return;
		add_between(d, was, is, &c);
		i = c.a + c.a_count;
		j = c.b + c.b_count;
	}
}

static void compare_words(
	struct text_delta *d, uint64_t *work, struct str was, struct str is)
{
	struct text_words a, b;
	struct sequence_diff changes;
	size_t kept, bytes;

	if (!was.n || !is.n || was.n > WORDS_MOST || is.n > WORDS_MOST) {
		d->rough |= was.n && is.n;
		add_changed(d, was, is);
		return;
	}
	read_words(&a, was);
	read_words(&b, is);
	sequence_diff_sequences(&changes, a.hashes, a.count, b.hashes, b.count, work);
	d->rough |= changes.rough;
	join_changes(&changes, &a);
	kept = bytes = bytes_of(&a, 0, a.count);
	for (size_t i = 0; i < changes.count; i++)
		kept -= bytes_of(&a, changes.changes[i].a, changes.changes[i].a_count);
	/* so little may have stayed that a difference by words would not help */
	if (kept * 3 < sort_least(bytes, bytes_of(&b, 0, b.count)))
		add_changed(d, was, is);
	else
		add_words(d, &a, &b, &changes);
	sequence_diff_done(&changes);
	mem_free(a.items);
	mem_free(a.hashes);
	mem_free(b.items);
	mem_free(b.hashes);
}

/* ---- lines ---- */

/* The text of some lines. */
static struct str lines_of(const struct line_sequence *l, size_t from, size_t to)
{
	const struct str *last = from < to ? &l->items[to - 1] : NULL;

	if (!last)
		return STR("");
	return (struct str){
		l->items[from].p, (size_t)(last->p + last->n - l->items[from].p)};
}

/* ---- common ends ---- */

/* The common beginning and end of two texts are cut off at the end of a line or, in very
 * long lines, of a word. */
static bool is_line_end(char c)
{
	return c == '\n';
}

struct common_ends {
	struct str was, is; /* the texts without their common ends */
	size_t head, tail;  /* bytes of these ends */
};

static void trim(struct common_ends *e, bool (*is_end)(char c))
{
	const size_t block = 4096;
	struct str *a = &e->was, *b = &e->is;
	size_t most = sort_least(a->n, b->n), head = 0, tail;

	while (most - head >= block && memcmp(a->p + head, b->p + head, block) == 0)
		head += block;
	head += same_head(slice(*a, head, a->n), slice(*b, head, b->n),
		sort_least(most - head, block));
	while ((head < a->n || head < b->n) && head && !is_end(a->p[head - 1]))
		head--;
	*a = slice(*a, head, a->n);
	*b = slice(*b, head, b->n);
	tail = same_tail(*a, *b, SIZE_MAX);
	/* the end begins after a line or word, or with the text */
	while (tail && ((tail < a->n && !is_end(a->p[a->n - tail - 1])) ||
			       (tail < b->n && !is_end(b->p[b->n - tail - 1]))))
		tail--;
	a->n -= tail;
	b->n -= tail;
	e->head += head;
	e->tail += tail;
}

void text_delta_read(struct text_delta *d, struct str was, struct str is)
{
	struct common_ends e = {.was = was, .is = is};
	struct sequence_diff changes;
	struct line_sequence a, b;
	uint64_t work = DIFF_WORK;
	size_t at = 0;

	*d = (struct text_delta){0};
	trim(&e, is_line_end);
	if (e.was.n > WORDS_MOST || e.is.n > WORDS_MOST)
		trim(&e, str_is_space);
	add(d, DELTA_SAME, slice(is, 0, e.head));
	d->too_long = e.was.n > DELTA_MOST || e.is.n > DELTA_MOST;
	if (d->too_long) {
		add_changed(d, e.was, e.is);
		add(d, DELTA_SAME, slice(is, is.n - e.tail, is.n));
		return;
	}
	line_sequence_read(&a, e.was, true);
	line_sequence_read(&b, e.is, true);
	sequence_diff_sequences(&changes, a.hashes, a.count, b.hashes, b.count, &work);
	d->rough |= changes.rough;
	for (size_t i = 0; i < changes.count; i++) {
		const struct sequence_diff_change *c = &changes.changes[i];

		add(d, DELTA_SAME, lines_of(&b, at, c->b));
		at = c->b + c->b_count;
		compare_words(d, &work, lines_of(&a, c->a, c->a + c->a_count),
			lines_of(&b, c->b, at));
	}
	add(d, DELTA_SAME, lines_of(&b, at, b.count));
	add(d, DELTA_SAME, slice(is, is.n - e.tail, is.n));
	sequence_diff_done(&changes);
	line_sequence_done(&a);
	line_sequence_done(&b);
}

void text_delta_done(struct text_delta *d)
{
	mem_free(d->pieces);
	*d = (struct text_delta){0};
}

/* ---- lines of an edit ---- */

void edit_done(struct edit_rows *e)
{
	mem_free(e->items);
	*e = (struct edit_rows){0};
}

void edit_add(struct edit_rows *e, struct edit_row row)
{
	*MEM_ADD(e->items, e->count, e->cap) = row;
}

void edit_add_lines(
	struct edit_rows *e, enum edit_kind kind, struct str text, uint64_t first)
{
	struct str line;

	while (str_next_line(&text, &line)) {
		edit_add(e, (struct edit_row){kind, first, line, {NULL, 0}});
		first += first != 0;
	}
}

/* The lines that come after lines that go are their pairs, in order. */
static void pair_rows(struct edit_rows *e, size_t from)
{
	for (size_t i = from, end; i<e->count; i = end> i ? end : i + 1) {
		size_t came = i;

		while (came < e->count && e->items[came].kind == EDIT_GONE)
			came++;
		for (end = came; end < e->count && e->items[end].kind == EDIT_CAME;)
			end++;
		for (size_t k = 0; i + k < came && came + k < end; k++) {
			e->items[i + k].other = e->items[came + k].text;
			e->items[came + k].other = e->items[i + k].text;
		}
	}
}

/* ---- two texts ---- */

/* CR LF and LF are different ends. */
static void add_range(struct edit_rows *e, enum edit_kind kind,
	const struct line_sequence *l, size_t from, size_t to, uint64_t first)
{
	for (size_t i = from; i < to; i++) {
		/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): it has lines */
		struct str text = l->items[i];

		text.n -= text.p[text.n - 1] == '\n';
		text.n -= kind == EDIT_SAME && text.n && text.p[text.n - 1] == '\r';
		edit_add(e,
			(struct edit_row){kind, first ? first + i : 0, text, {NULL, 0}});
	}
}

void edit_add_texts(struct edit_rows *e, struct str was, struct str is, uint64_t first)
{
	struct sequence_diff d = {0};
	uint64_t work = DIFF_WORK / 8;
	struct line_sequence a, b;
	size_t from = e->count, at = 0;

	line_sequence_read(&a, was, false);
	line_sequence_read(&b, is, false);
	sequence_diff_sequences(&d, a.hashes, a.count, b.hashes, b.count, &work);
	for (size_t i = 0; i < d.count; i++) {
		const struct sequence_diff_change *c = &d.changes[i];

		add_range(e, EDIT_SAME, &b, at, c->b, first);
		add_range(e, EDIT_GONE, &a, c->a, c->a + c->a_count, first);
		at = c->b + c->b_count;
		add_range(e, EDIT_CAME, &b, c->b, at, first);
	}
	add_range(e, EDIT_SAME, &b, at, b.count, first);
	pair_rows(e, from);
	e->rough |= d.rough;
	sequence_diff_done(&d);
	line_sequence_done(&a);
	line_sequence_done(&b);
}

/* ---- patches ---- */

struct patch_place {
	bool inside;         /* a hunk */
	bool counted;        /* ... that says how many lines it has: */
	uint64_t olds, news; /* so many more */
	uint64_t old, new;   /* the next numbers; 0: unknown */
	bool starred;        /* after "*** Begin Patch" */
};

static uint64_t take_number(struct str *s)
{
	uint64_t n = 0;

	for (; s->n && str_is_digit(*s->p); s->p++, s->n--)
		n = n < UINT64_MAX / 20 ? n * 10 + (uint64_t)(*s->p - '0') : n;
	return n;
}

/* "-12,3" or "-12"; false: it is no such thing. */
static bool take_range(struct str *s, char sign, uint64_t *from, uint64_t *count)
{
	for (; s->n && *s->p == ' '; s->p++)
		s->n--;
	if (s->n < 2 || *s->p != sign || !str_is_digit(s->p[1]))
		return false;
	*s = str_skip(*s, 1);
	*from = take_number(s);
	*count = 1;
	if (s->n && *s->p == ',') {
		*s = str_skip(*s, 1);
		*count = take_number(s);
	}
	return true;
}

bool patch_begins_file(struct str line, struct str rest)
{
	struct str next;

	if (str_starts(line, STR("diff --git ")) || str_starts(line, STR("Index: ")))
		return true;
	return str_starts(line, STR("--- ")) && str_next_line(&rest, &next) &&
	       str_starts(next, STR("+++ "));
}

static bool is_head(struct patch_place *p, struct str line, struct str rest)
{
	if (p->starred && str_starts(line, STR("*** "))) {
		*p = (struct patch_place){
			.starred = !str_starts(line, STR("*** End Patch")),
			.inside = str_starts(line, STR("*** Add File: ")),
			.new = str_starts(line, STR("*** Add File: "))};
		return true;
	}
	if (str_starts(line, STR("*** Begin Patch"))) {
		*p = (struct patch_place){.starred = true};
		return true;
	}
	if (p->counted && p->inside && (p->olds || p->news))
		return line.n && *line.p == '\\';
	if (str_starts(line, STR("@@")) &&
		(p->starred || p->inside || str_starts(line, STR("@@ -")))) {
		struct str s = {line.p + 2, line.n - 2};

		*p = (struct patch_place){.inside = true, .starred = p->starred};
		p->counted = take_range(&s, '-', &p->old, &p->olds) &&
			     take_range(&s, '+', &p->new, &p->news);
		if (!p->counted)
			p->old = p->new = 0;
		return true;
	}
	if (patch_begins_file(line, rest)) {
		*p = (struct patch_place){.starred = p->starred};
		return true;
	}
	return !p->inside &&
	       (str_starts(line, STR("+++ ")) || str_starts(line, STR("index ")) ||
		       str_starts(line, STR("new file mode ")) ||
		       str_starts(line, STR("deleted file mode ")));
}

static struct edit_row row_of(struct patch_place *p, struct str line)
{
	struct edit_row row = {EDIT_PLAIN, 0, line, {NULL, 0}};
	char sign = line.n ? *line.p : ' ';

	p->inside &= !p->counted || p->olds || p->news;
	p->inside &= sign == '+' || sign == '-' || sign == ' ' || sign == '\t';
	if (!p->inside)
		return row;
	row.kind = sign == '+' ? EDIT_CAME : sign == '-' ? EDIT_GONE : EDIT_SAME;
	row.number = sign == '-' ? p->old : p->new;
	if (line.n && sign != '\t')
		row.text = str_skip(line, 1);
	p->old += p->old && sign != '+';
	p->new += p->new &&sign != '-';
	p->olds -= p->olds && sign != '+';
	p->news -= p->news && sign != '-';
	return row;
}

bool edit_add_patch(struct edit_rows *e, struct str text, bool hunks)
{
	struct patch_place p = {.inside = hunks};
	size_t from = e->count;
	struct str line;
	bool any = false;

	while (str_next_line(&text, &line)) {
		struct edit_row row = {EDIT_HEAD, 0, line, {NULL, 0}};

		if (!is_head(&p, line, text))
			row = row_of(&p, line);
		any |= row.kind == EDIT_CAME || row.kind == EDIT_GONE;
		edit_add(e, row);
	}
	pair_rows(e, from);
	return any;
}
