/*
 * Findings as blocks, one each (see findings.h).  A block holds texts of its own: the
 * check's list moves while it grows.
 */
#include "config.h"
#include "view/findings.h"

#include "text/wrap.h"
#include "view/pieces.h"

/* What a row shows, in the document's arena. */
struct finding_row {
	enum severity severity;
	struct str step; /* "3", or "-" for none */
	struct str rule, message;
	struct str path; /* in the step; empty: the step itself */
};

/* "E 3 arguments-schema  message  output.messages[0].content" */
static void layout_finding(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	static const char *const signs[] = {"N ", "W ", "E "};
	const struct finding_row *row = b->data;
	struct wrap w;

	wrap_begin(&w, out, width);
	wrap_indent(&w, STR(""), STR("  "), ROLE_TEXT);
	wrap_add(&w, b->role, str_of(signs[row->severity]));
	wrap_add(&w, ROLE_TEXT, row->step);
	wrap_add(&w, ROLE_TEXT, STR(" "));
	wrap_add(&w, b->role, row->rule);
	wrap_add(&w, ROLE_TEXT, STR("  "));
	wrap_add(&w, ROLE_TEXT, row->message);
	if (row->path.n) {
		wrap_add(&w, ROLE_TEXT, STR("  "));
		wrap_add(&w, ROLE_DIM, row->path);
	}
	wrap_end(&w);
}

static const struct block_ops finding_ops = {.layout = layout_finding};

static void add_note(struct doc *d, struct str words)
{
	struct block *b = doc_add(d, &piece_line);

	b->index = NO_FINDING;
	b->text = words;
	b->role = ROLE_DIM;
}

static void add_finding(struct doc *d, const struct finding *f, size_t number)
{
	static const enum role roles[] = {
		[SEVERITY_NOTE] = ROLE_DIM,
		[SEVERITY_WARNING] = ROLE_WARNING,
		[SEVERITY_ERROR] = ROLE_ERROR,
	};
	struct buf step = BUF_INIT; /* as the list of steps counts */
	struct finding_row *row = arena_alloc(&d->arena, sizeof(*row));
	struct block *b = doc_add(d, &finding_ops);

	if (f->step != NO_STEP)
		buf_printf(&step, "%zu", f->index + 1);
	*row = (struct finding_row){
		.severity = f->severity,
		.step = step.len ? arena_keep(&d->arena, &step) : STR("-"),
		.rule = str_of(f->rule->name),
		.message = arena_dup(&d->arena, str_of(f->message)),
		.path = strcmp(f->path, ".") == 0 ? STR("")
						  : arena_dup(&d->arena, str_of(f->path)),
	};
	b->data = row;
	b->text = row->message;
	b->role = roles[f->severity];
	b->index = number;
}

void findings_add(struct doc *d, const struct findings *f, size_t from)
{
	bool empty = d->count == 1 && d->blocks[0].ops == &piece_line;

	if (from >= f->count) {
		if (d->count == 0)
			add_note(d, STR("no findings"));
		return;
	}
	if (empty)
		doc_remove(d, 0, 1);
	for (size_t i = from; i < f->count; i++)
		add_finding(d, &f->items[i], i);
}

void findings_end(struct doc *d, const struct findings *f)
{
	struct buf text = BUF_INIT;

	if (f->all == f->count)
		return;
	buf_printf(&text, "%zu more: catena check tells all", f->all - f->count);
	add_note(d, arena_keep(&d->arena, &text));
}
