/* See edit.h. */
#include "config.h"
#include "diff/edit.h"

#include "base/mem.h"
#include "diff/sequence.h"

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

static bool is_head(struct patch_place *p, struct str line, struct str rest)
{
	struct str next;

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
	if (str_starts(line, STR("diff --git ")) || str_starts(line, STR("Index: ")) ||
		(str_starts(line, STR("--- ")) && str_next_line(&rest, &next) &&
			str_starts(next, STR("+++ ")))) {
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
