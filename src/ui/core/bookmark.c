/*
 * Bookmarks: see app.h.  A step stands at the same byte as long as its file only grows;
 * when that is no longer so it is looked for by its number in the chain of that id.
 */
#include "config.h"
#include "ui/core/app.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/sort.h"

#define BLOCKS_MOST 20000 /* that are gone through below the head of a message */

static const char *const pane_names[] = {"steps", "input", "output"};

bool bookmark_equal(const struct bookmark *a, const struct bookmark *b)
{
	return a->known == b->known && a->chain == b->chain && a->address == b->address &&
	       a->number == b->number && a->is_chain == b->is_chain &&
	       a->focus == b->focus &&
	       (a->focus == PANE_STEPS ||
		       (a->mode == b->mode && a->message == b->message &&
			       a->below.block == b->below.block &&
			       a->below.row == b->below.row));
}

/* ---- a side ---- */

void bookmark_take_side(
	struct app *app, struct pane *p, size_t *message, struct place *below)
{
	struct doc *d = pane_doc(p);
	size_t head;

	*message = SIZE_MAX;
	*below = (struct place){0, 0};
	if (!app->step.opened || !d->count)
		return;
	doc_pane_fit(p);
	doc_settle(d, &d->places[0]);
	*below = d->places[0];
	head = doc_head(d, below->block);
	if (head == SIZE_MAX)
		return;
	*message = conversation_message(step_side(app, p), d, head);
	if (*message != SIZE_MAX)
		below->block -= head;
}

void bookmark_go_side(struct app *app, struct pane *p, size_t message, struct place below)
{
	struct doc *d = pane_doc(p);
	struct place at;
	uint32_t rows;
	size_t base;

	if (!app->step.opened || !d->count)
		return;
	doc_pane_fit(p);
	d->places[0] = d->places[1] = (struct place){0, 0};
	if (message != SIZE_MAX)
		conversation_go(step_side(app, p), d, message);
	/* blocks put others after themselves when they are looked at; then they count */
	base = d->places[0].block;
	at = (struct place){base, 0};
	for (size_t i = 0; i < below.block && i < BLOCKS_MOST; i++) {
		doc_rows(d, at.block);
		if (at.block + 1 >= d->count)
			break;
		at.block++;
	}
	rows = doc_rows(d, at.block);
	if (!rows && at.block != base) { /* hidden by the fold of its message */
		doc_unfold(d, at.block);
		rows = doc_rows(d, at.block);
	}
	at.row = below.row < rows ? below.row : rows ? rows - 1 : 0;
	d->places[0] = at;
	doc_settle(d, &d->places[0]);
}

unsigned bookmark_rows_above(struct pane *p)
{
	struct doc *d = pane_doc(p);
	struct place at = d->places[1];
	unsigned rows = 0;

	while (rows < p->area.rows && doc_before(at, d->places[0]) && doc_down(d, &at, 1))
		rows++;
	return rows;
}

void bookmark_show_above(struct pane *p, uint64_t rows)
{
	struct doc *d = pane_doc(p);

	d->places[1] = d->places[0];
	if (d->count)
		doc_up(d, &d->places[1], rows);
}

/* ---- the step ---- */

static uint64_t key_of(const struct trace *trace, size_t chain)
{
	return fnv_add(FNV_BEGIN, trace_text(trace, trace->chains[chain].trace_id));
}

void bookmark_of(const struct app *app, uint32_t step, struct bookmark *w)
{
	const struct trace *trace = app->trace;
	struct step s = trace_step(trace, step);

	*w = (struct bookmark){.known = s.chain != NO_CHAIN,
		.address = s.offset,
		.step = step,
		.focus = PANE_STEPS,
		.message = SIZE_MAX};
	if (!w->known)
		return;
	w->chain = key_of(trace, s.chain);
	w->number = trace_number_at(trace, trace_position(trace, step));
}

void bookmark_take(struct app *app, struct bookmark *w)
{
	uint32_t step = step_at_cursor(app);
	struct pane *p = &app->screen.panes[screen_focus_below(app)];

	*w = (struct bookmark){0};
	if (step == NO_STEP)
		return;
	bookmark_of(app, step, w);
	w->is_chain = step_row_at_cursor(app).is_chain;
	w->focus = step == app->step.index ? screen_focus_below(app) : PANE_STEPS;
	if (w->focus == PANE_STEPS)
		return;
	w->mode = p->mode;
	bookmark_take_side(app, p, &w->message, &w->below);
}

/* Whether a step is the one that stands there; its chain may not be known yet. */
static bool is_it(const struct trace *trace, size_t step, const struct bookmark *w)
{
	struct step s = trace_step(trace, step);

	return s.offset == w->address && s.chain != NO_CHAIN &&
	       key_of(trace, s.chain) == w->chain;
}

static uint64_t step_offset(const void *model, size_t step)
{
	return trace_step(model, step).offset;
}

uint32_t step_at_address(const struct app *app, uint64_t address)
{
	size_t end = app->trace->arranged;
	size_t at = sorted_below(app->trace, end, address, step_offset);

	return at < end ? (uint32_t)at : NO_STEP;
}

uint32_t bookmark_step(const struct app *app, struct bookmark *w)
{
	const struct trace *trace = app->trace;
	uint32_t at;

	if (!w->known)
		return NO_STEP;
	if (w->step < trace->arranged && is_it(trace, w->step, w))
		return w->step;
	/* Steps are in the order of their bytes, but for those of several files that
	 * grow, which have their numbers. */
	at = step_at_address(app, w->address);
	if (at != NO_STEP && is_it(trace, at, w))
		return w->step = at;
	for (size_t i = 0; i < trace->chain_count; i++)
		if (key_of(trace, i) == w->chain)
			return trace_numbered(trace, i, w->number);
	return NO_STEP;
}

bool bookmark_go(struct app *app, struct bookmark *w)
{
	uint32_t step = bookmark_step(app, w);
	size_t row, chain;

	if (step == NO_STEP || !steps_shows(&app->steps, step))
		return false;
	if (!w->is_chain)
		steps_reveal(&app->steps, step);
	app->screen.overlay = PANE_NONE;
	steps_update(&app->steps);
	row = steps_find(&app->steps, step);
	if (w->is_chain && !steps_at(&app->steps, row).is_chain) {
		chain = steps_chain_row(&app->steps, trace_step(app->trace, step).chain);
		if (steps_at(&app->steps, chain).is_chain) /* a sorted list has none */
			row = chain;
	}
	app->screen.panes[PANE_STEPS].cursor = row;
	step_view_settle(app);
	screen_give_keys(app, w->focus);
	if (w->focus == PANE_STEPS)
		return true;
	step_view_settle(app);
	if (app->step.opening) { /* the message alone, as soon as it is there */
		app->keys.pending.going = w->message != SIZE_MAX;
		app->keys.pending.input = w->focus == PANE_INPUT;
		app->keys.pending.message = w->message;
		return true;
	}
	step_view_set_mode(app, screen_focus_below(app), w->mode);
	bookmark_go_side(
		app, &app->screen.panes[screen_focus_below(app)], w->message, w->below);
	return true;
}

/* ---- as JSON ---- */

void bookmark_write_place(json_t *o, const struct place *below)
{
	json_object_set_new(o, "block", json_integer((json_int_t)below->block));
	json_object_set_new(o, "row", json_integer(below->row));
}

struct place bookmark_read_place(const json_t *o)
{
	return (struct place){(size_t)bookmark_read_number(o, "block", BLOCKS_MOST, 0),
		(uint32_t)bookmark_read_number(o, "row", UINT32_MAX, 0)};
}

json_t *bookmark_write(const struct bookmark *w)
{
	json_t *o = json_object();
	char chain[17];

	snprintf(chain, sizeof(chain), "%016" PRIx64, w->chain);
	json_object_set_new(o, "chain", json_string(chain));
	json_object_set_new(o, "step", json_integer((json_int_t)w->number));
	if (w->address <= INT64_MAX)
		json_object_set_new(o, "byte", json_integer((json_int_t)w->address));
	if (w->is_chain)
		json_object_set_new(o, "of_chain", json_true());
	if (w->focus == PANE_STEPS)
		return o;
	json_object_set_new(o, "side", json_string(pane_names[w->focus]));
	json_object_set_new(o, "view", json_string(argument_view.words[w->mode]));
	if (w->message != SIZE_MAX)
		json_object_set_new(o, "message", json_integer((json_int_t)w->message));
	bookmark_write_place(o, &w->below);
	return o;
}

uint64_t bookmark_read_number(
	const json_t *o, const char *key, uint64_t most, uint64_t otherwise)
{
	const json_t *value = json_object_get(o, key);
	json_int_t n = json_is_integer(value) ? json_integer_value(value) : -1;

	return n >= 0 && (uint64_t)n <= most ? (uint64_t)n : otherwise;
}

static unsigned read_name(const json_t *value, const char *const *names)
{
	const char *text = json_string_value(value);

	for (unsigned i = 0; text && i < 3; i++)
		if (strcmp(text, names[i]) == 0)
			return i;
	return 0;
}

enum side_mode bookmark_read_mode(const json_t *value)
{
	return (enum side_mode)read_name(value, argument_view.words);
}

void bookmark_read(const json_t *o, struct bookmark *w)
{
	const char *chain = json_string_value(json_object_get(o, "chain"));

	*w = (struct bookmark){.step = NO_STEP};
	w->number = (size_t)bookmark_read_number(o, "step", UINT32_MAX, 0);
	/* sixteen hexadecimal digits */
	w->known = w->number && chain && strlen(chain) == 16 &&
		   strspn(chain, "0123456789abcdef") == 16;
	w->chain = w->known ? strtoull(chain, NULL, 16) : 0;
	w->address = bookmark_read_number(o, "byte", INT64_MAX, UINT64_MAX);
	w->is_chain = json_is_true(json_object_get(o, "of_chain"));
	w->focus = (enum pane_id)read_name(json_object_get(o, "side"), pane_names);
	w->mode = bookmark_read_mode(json_object_get(o, "view"));
	w->message = (size_t)bookmark_read_number(o, "message", UINT32_MAX, SIZE_MAX);
	w->below = bookmark_read_place(o);
}
