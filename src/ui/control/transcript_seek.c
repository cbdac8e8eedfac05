/*
 * What is looked for in the transcript: block by block from the cursor on, and, at an end
 * of the window, in the steps that are read then.  Hits of a search in what is folded
 * away open it.
 */
#include "config.h"
#include "ui/control/controllers.h"

#include "base/work.h"
#include "ui/control/transcript_state.h"
#include "view/doc_hits.h"
#include "view/pieces.h"
#include "view/scroll.h"

#define LONG     (4u << 20) /* bytes of folded text that are not searched, but opened */
#define TIME_LIMIT 8000       /* microseconds of a jump before the screen is drawn */

/* ---- what is looked for ---- */

static bool fits_step(struct seek *k, struct doc *d, size_t block, uint32_t *row)
{
	return scroll_step_begins(&d->blocks[block]);
}

static bool fits_message(struct seek *k, struct doc *d, size_t block, uint32_t *row)
{
	const struct block *b = &d->blocks[block];

	return b->head && b->role != ROLE_TOOL && !scroll_step_begins(b);
}

static bool fits_error(struct seek *k, struct doc *d, size_t block, uint32_t *row)
{
	const struct block *b = &d->blocks[block];

	return b->role == ROLE_ERROR && (piece_of(b) || scroll_step_begins(b));
}

/* A call of that name, or the call or result with that id. */
static bool fits_part(struct seek *k, struct doc *d, size_t block, uint32_t *row)
{
	const struct part *part = piece_of(&d->blocks[block]);

	return part && part->kind == (k->call ? PART_CALL : PART_RESULT) &&
	       jv_says(k->by_name ? part->name : part->link, buf_view(&k->name));
}

static bool fits_speaker(struct seek *k, struct doc *d, size_t block, uint32_t *row)
{
	const struct block *b = &d->blocks[block];

	return b->head && b->role == k->role && !scroll_step_begins(b);
}

static bool is_end(const struct part *part, bool calls)
{
	return part && (part->kind == PART_CALL || (!calls && part->kind == PART_RESULT));
}

/* The call (or result) at the cursor, or what the cursor is inside of; else the nearest
 * one above it in its message, else below. */
static const struct part *part_here(const struct app *app, bool calls)
{
	struct doc *d = pane_doc(transcript_pane(app));
	size_t at = d->places[0].block;

	for (size_t i = at + 1; i-- > 0;) {
		if (is_end(piece_of(&d->blocks[i]), calls))
			return piece_of(&d->blocks[i]);
		if (d->blocks[i].head)
			break;
	}
	for (size_t i = at + 1; i < d->count && !d->blocks[i].head; i++)
		if (is_end(piece_of(&d->blocks[i]), calls))
			return piece_of(&d->blocks[i]);
	return NULL;
}

static bool begin_call(struct app *app, struct seek *k)
{
	const struct part *part = part_here(app, true);

	k->call = k->by_name = true;
	if (part)
		jv_text(part->name, &k->name);
	else
		buf_text(&app->said, "no tool is called here");
	return part != NULL;
}

static bool begin_partner(struct app *app, struct seek *k)
{
	const struct part *part = part_here(app, false);

	if (!part) {
		buf_text(&app->said, "no call or result here");
		return false;
	}
	jv_text(part->link, &k->name);
	k->by_name = false;
	k->call = part->kind == PART_RESULT;
	k->back = k->call;
	if (!k->name.len)
		buf_text(&app->said, "it has no id");
	return k->name.len > 0;
}

static bool begin_speaker(struct app *app, struct seek *k)
{
	struct doc *d = pane_doc(transcript_pane(app));
	size_t head = doc_head(d, d->places[0].block);

	k->role = head == SIZE_MAX || scroll_step_begins(&d->blocks[head])
			  ? ROLE_USER
			  : d->blocks[head].role;
	return true;
}

static const struct seek_kind kinds[] = {
	{COMMAND_NEXT_STEP, COMMAND_PREVIOUS_STEP, NULL, fits_step, "step", false, true},
	{COMMAND_NEXT_MESSAGE, COMMAND_PREVIOUS_MESSAGE, NULL, fits_message, "message",
		false, true},
	{COMMAND_NEXT_ERROR, COMMAND_PREVIOUS_ERROR, NULL, fits_error, "error", true,
		false},
	{COMMAND_NEXT_CALL, COMMAND_PREVIOUS_CALL, begin_call, fits_part,
		"call of this tool", true, false},
	{COMMAND_NEXT_SPEAKER, COMMAND_PREVIOUS_SPEAKER, begin_speaker, fits_speaker,
		"message of the same", true, true},
	{COMMAND_PARTNER, COMMAND_PARTNER, begin_partner, fits_part, "other end", false,
		false},
};

/* ---- a search ---- */

static bool fits_hit(struct seek *k, struct doc *d, size_t block, uint32_t *row)
{
	struct highlights marks = {0};
	size_t hit;
	bool found;

	highlights_find_in(&marks, d, block, k->query);
	hit = highlights_from(&marks, k->back && *row < UINT32_MAX ? *row + 1 : *row);
	found = k->back ? hit > 0 : hit < marks.hits;
	if (found)
		*row = highlights_line_of(&marks, k->back ? hit - 1 : hit);
	highlights_done(&marks);
	return found;
}

static const struct seek_kind hit = {
	COMMAND_NONE, COMMAND_NONE, NULL, fits_hit, "hit", true, false};

/* Opens a fold that hides hits: its value, or its text, has more than its rows show. They
 * are then among the blocks after it. */
static bool opens(const struct seek *k, struct doc *d, size_t block)
{
	const struct block *b = &d->blocks[block];
	struct highlights shown = {0};
	AUTO_BUF text = BUF_INIT;
	struct query_run run;
	uint64_t hidden = UINT64_MAX;

	if (k->kind != &hit || b->open || b->head || !b->ops->toggle || b->ops->acts ||
		!(b->value.n || b->text.n))
		return false;
	if (b->value.n <= LONG) {
		if (b->value.n)
			jv_text(b->value, &text);
		else
			buf_str(&text, b->text);
		query_begin(&run, k->query);
		query_text(&run, buf_view(&text));
		hidden = run.hits;
		query_done(&run);
	}
	if (hidden)
		highlights_find_in(&shown, d, block, k->query);
	hidden = hidden > shown.hits;
	highlights_done(&shown);
	return hidden && doc_open(d, block);
}

/* ---- the way ---- */

void transcript_seek_end(struct transcript_view *t)
{
	t->seek.kind = NULL;
	t->seek.query = NULL;
}

void transcript_forget_hits(struct app *app)
{
	if (app->state.transcript->seek.query)
		transcript_seek_end(app->state.transcript);
}

/* The first row of a message that is no blank. */
static struct place below_blank(struct doc *d, struct place at)
{
	const struct block *b = &d->blocks[at.block];
	uint32_t rows = doc_rows(d, at.block);

	if (!b->head || at.row)
		return at;
	if (rows > 1 && (b->gap || scroll_step_begins(b)))
		at.row = rows - 1;
	else if (!rows || (rows == 1 && b->gap && !scroll_step_begins(b)))
		doc_down(d, &at, 1);
	return at;
}

static void arrive(struct app *app, struct place at)
{
	struct transcript_view *t = app->state.transcript;
	struct pane *p = transcript_pane(app);
	struct doc *d = pane_doc(p);
	bool top = t->seek.kind->top;
	struct place last;

	doc_unfold(d, at.block);
	at = below_blank(d, at);
	last = d->places[1];
	d->places[0] = at;
	if (!top)
		doc_down(d, &last, p->area.rows ? p->area.rows - 1 : 0);
	if (top || doc_before(at, d->places[1]) || doc_before(last, at)) {
		d->places[1] = at;
		if (!top) /* to the upper part, so that what follows is seen, too */
			doc_up(d, &d->places[1], p->area.rows / 4);
	}
	if (t->seek.wrapped && !app->said.len)
		buf_text(&app->said,
			t->seek.back ? "on from the end" : "on from the start");
	transcript_seek_end(t);
	app->screen.dirty = true;
}

/* Nothing more of it: what was found last, or where it began. */
static void give_up(struct app *app)
{
	struct transcript_view *t = app->state.transcript;
	struct seek *k = &t->seek;
	size_t first, end;

	buf_printf(&app->said, "no other %s", k->kind->what);
	if (k->any) {
		arrive(app, pane_doc(transcript_pane(app))->places[0]);
		return;
	}
	scroll_shown(t->scroll, &first, &end);
	transcript_seek_end(t);
	app->screen.dirty = true;
	if (k->origin < first || k->origin >= end)
		transcript_begin_at(app, k->origin);
}

/* The next block, laid out, so that it has put what it stands for after itself; false:
 * there is none in the window. */
static bool step_on(struct doc *d, struct seek *k)
{
	struct place *at = &d->places[SEEK_PLACE];
	size_t before;

	if (!k->back) {
		if (at->block + 1 >= d->count)
			return false;
		at->block++;
		doc_layout(d, at->block);
		return true;
	}
	do {
		if (!at->block)
			return false;
		before = d->count;
		doc_layout(d, at->block - 1);
	} while (d->count != before);
	at->block--;
	return true;
}

/* A block; TASK_IDLE: the next one is in no step that was read yet. */
static enum task_state look(struct app *app)
{
	struct doc *d = pane_doc(transcript_pane(app));
	struct seek *k = &app->state.transcript->seek;
	struct place *at = &d->places[SEEK_PLACE];
	size_t before, position, block;
	uint32_t row;

	count_work(WORK_BLOCKS, 1);
	if (!k->inside) {
		if (!step_on(d, k))
			return TASK_IDLE;
		k->row = k->back ? UINT32_MAX : 0;
		before = d->count;
		if (opens(k, d, at->block) && k->back) {
			at->block += d->count - before + 1; /* its rows first */
			return TASK_MORE;
		}
	}
	k->inside = false;
	at->row = 0;
	position = scroll_position(app->state.transcript->scroll, at->block);
	if (k->wrapped && position != SIZE_MAX &&
		(k->back ? position < k->origin : position > k->origin)) {
		give_up(app); /* it has come to where it began */
		return TASK_DONE;
	}
	block = at->block;
	row = k->kind == &hit ? k->row : 0;
	if (!k->kind->fits(k, d, block, &row))
		return TASK_MORE;
	d->places[0] = *at = (struct place){block, row};
	k->any = true;
	if (--k->times)
		return TASK_MORE;
	arrive(app, *at);
	return TASK_DONE;
}

/* Reads the next step; at an end of the chain it goes on from the other one, once, or the
 * way ends here. */
static void read_on(struct app *app)
{
	struct transcript_view *t = app->state.transcript;
	struct seek *k = &t->seek;
	struct doc *d = pane_doc(transcript_pane(app));
	bool empty = !d->count;
	enum task_state state = transcript_extend(app, k->back);

	if (state == TASK_IDLE && (!k->kind->round || k->wrapped)) {
		give_up(app);
		return;
	}
	if (state == TASK_IDLE) {
		const struct chain *c = &app->trace->chains[scroll_chain(t->scroll)];

		k->wrapped = k->inside = true;
		k->any = false;
		k->row = k->back ? UINT32_MAX : 0;
		if (!scroll_is_at_end(t->scroll, !k->back)) {
			scroll_begin(
				t->scroll, k->back ? c->first + c->count - 1 : c->first);
			return;
		}
	}
	if (state == TASK_IDLE || (state == TASK_DONE && empty))
		d->places[SEEK_PLACE] =
			(struct place){k->back && d->count ? d->count - 1 : 0, 0};
}

enum task_state transcript_seek_run(struct app *app, uint64_t deadline)
{
	struct transcript_view *t = app->state.transcript;
	struct doc *d = pane_doc(transcript_pane(app));

	while (t->seek.kind) {
		if (!d->count || look(app) == TASK_IDLE)
			read_on(app);
		if (clock_passed(deadline))
			break;
	}
	app->screen.dirty = true;
	return TASK_MORE;
}

/* ---- setting out ---- */

/* From the cursor on; the first row of a message is its head. */
static void set_out(struct app *app, unsigned times)
{
	struct transcript_view *t = app->state.transcript;
	struct doc *d = pane_doc(transcript_pane(app));
	struct seek *k = &t->seek;
	struct place at = d->places[0], head = {doc_head(d, at.block), 0}, first;

	k->times = times ? times : 1;
	k->wrapped = k->any = false;
	k->origin = scroll_position(t->scroll, at.block);
	if (k->back && k->kind != &hit && head.block != SIZE_MAX) {
		first = below_blank(d, head);
		if (first.block == at.block && first.row == at.row)
			at = head;
	}
	d->places[SEEK_PLACE] = at;
	transcript_seek_run(app, clock_deadline(TIME_LIMIT));
}

bool transcript_seek(struct app *app, const struct invocation *call)
{
	struct transcript_view *t = app->state.transcript;
	const struct seek_kind *kind = NULL;
	struct seek *k = &t->seek;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (kinds[i].next == call->command || kinds[i].previous == call->command)
			kind = &kinds[i];
	if (!kind)
		return false;
	if (k->kind == kind && k->back == (call->command != kind->next)) {
		k->times += call->count ? call->count : 1; /* it is on its way */
		return true;
	}
	transcript_seek_end(t);
	if (!transcript_is_ready(app)) {
		t->later = *call;
		return true;
	}
	buf_clear(&k->name);
	k->back = call->command != kind->next;
	if (kind->begin && !kind->begin(app, k))
		return true;
	k->kind = kind;
	k->inside = false;
	set_out(app, call->count);
	return true;
}

void transcript_seek_hit(
	struct app *app, const struct query *q, bool back, unsigned times)
{
	struct seek *k = &app->state.transcript->seek;
	struct doc *d = pane_doc(transcript_pane(app));

	transcript_seek_end(app->state.transcript);
	if (!d->count)
		return;
	k->kind = &hit;
	k->query = q;
	k->back = back;
	/* from the row below the cursor, or above it */
	k->inside = !back || d->places[0].row;
	k->row = back ? d->places[0].row - 1 : d->places[0].row + 1;
	set_out(app, times);
}
