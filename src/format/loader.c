/* The bytes at hand, and steps added to the model: see loader.h. */
#include "config.h"
#include "format/loader.h"

#include "base/mem.h"

void loader_note(struct loader *l, uint64_t offset, const char *text)
{
	l->notes = mem_grow(l->notes, &l->note_cap, l->note_count + 1, sizeof(*l->notes));
	l->notes[l->note_count++] = (struct load_note){offset, text};
}

/* Bytes of the source: those in the window without a copy, else valid until the next
 * call. */
struct str loader_fetch(struct loader *l, uint64_t at, uint64_t n)
{
	if (window_has(&l->window, at, n))
		return (struct str){l->window.p + (at - l->window.at), (size_t)n};
	buf_clear(&l->scratch);
	buf_reserve(&l->scratch, (size_t)n);
	l->scratch.len = source_read(l->source, at, l->scratch.data, (size_t)n);
	return buf_view(&l->scratch);
}

/* Whether bytes up to `end` are there or will never be; sets `starved` if not. */
bool loader_at_hand(struct loader *l, uint64_t end)
{
	if (end <= source_size(l->source) || source_complete(l->source))
		return true;
	l->starved = true;
	return false;
}

/* Goes on when the source has grown by a quarter of what was looked at in vain. */
void loader_wait(struct loader *l, uint64_t from)
{
	uint64_t size = source_size(l->source);

	l->want = size + 1 + (size > from ? (size - from) / 4 : 0);
	l->starved = false;
}

/* The bytes at `at`, as many as are near; none at the end. */
struct str loader_bytes(struct loader *l, uint64_t at)
{
	if (window_has(&l->window, at, 1))
		return (struct str){l->window.p + (at - l->window.at),
			(size_t)(window_end(&l->window) - at)};
	return loader_fetch(l, at, 16384);
}

struct candidate *loader_candidate(struct loader *l)
{
	return l->level ? &l->candidates[l->level - 1] : NULL;
}

/* Forgets the steps of the value that is being read. */
void loader_forget_value(struct loader *l)
{
	const struct candidate *c = &l->candidates[0];

	l->described.active = NULL;
	if (!l->level)
		return;
	if (l->model->count > c->first_step || l->model->scope_count > c->first_scope)
		loader_truncate(l, c->first_step, c->first_scope);
	l->note_count = c->first_note;
	l->level = 0;
}

struct columns *loader_keep_columns(struct loader *l, struct columns *c)
{
	l->columns.items = mem_grow(l->columns.items, &l->columns.cap,
		l->columns.count + 1, sizeof(*l->columns.items));
	l->columns.items[l->columns.count++] = c;
	return c;
}

/* Reads the value at the outermost candidate again, its steps being elsewhere. */
void loader_read_again(struct loader *l, enum carrier carrier, struct columns *columns)
{
	l->again = (struct again){.wanted = true,
		.at = l->candidates[0].start,
		.carrier = carrier,
		.columns = columns};
	loader_forget_value(l);
	scan_halt(&l->scan);
}

/* ---- steps ---- */

void loader_step_added(struct loader *l)
{
	model_append(l->model);
	l->junk_only = false;
}

struct step *loader_add(struct loader *l, uint32_t scope, uint64_t start, uint64_t end)
{
	return model_add(l->model, scope, l->base + start, end > start ? end - start : 0);
}

uint32_t loader_add_scope(struct loader *l, uint64_t start)
{
	return model_add_scope(l->model, l->base + start);
}

bool loader_last_step(const struct loader *l, size_t *step)
{
	const struct model *m = l->model;

	for (*step = m->count; *step > l->first_step;)
		if (inputs_number(model_step(m, --*step).offset) ==
			inputs_number(l->base))
			return true;
	return false;
}

void loader_stretch(struct loader *l, size_t step, uint64_t end)
{
	struct step s = model_step(l->model, step);

	s.length = l->base + end - s.offset;
	model_put(l->model, step, &s);
}

/* Steps of others behind what is open are taken for steps of nobody: nothing of it may be
 * forgotten any more. */
void loader_resume(struct loader *l)
{
	if (l->last_count != l->model->count)
		l->behind = l->model->count;
}

void loader_truncate(struct loader *l, size_t steps, size_t scopes)
{
	bool keeps = steps >= l->model->count && scopes >= l->model->scope_count;

	if (steps < l->behind && !keeps)
		l->overtaken = l->done = true;
	else
		model_truncate(l->model, steps, scopes);
}

/* A step whose value is no object that could hold facts. */
void loader_add_bare(
	struct loader *l, uint32_t scope, uint64_t start, uint64_t end, uint32_t flags)
{
	loader_add(l, scope, start, end)->flags |= flags | STEP_BARE;
	loader_step_added(l);
}

void loader_add_candidate(struct loader *l, struct candidate *c, uint32_t scope,
	uint64_t end, uint32_t flags)
{
	struct step *s = loader_add(l, scope, c->start, end);

	s->flags |= flags;
	if (c->row && c->positions < columns_needed(c->columns))
		s->flags |= STEP_SHORT | STEP_BARE;
	else
		candidate_facts(c, l->model, l->source);
	loader_step_added(l);
}

/* The first step of the file gets the first id without that. */
void loader_answer(struct model *m)
{
	struct step *s = model_last(m), request;

	if (m->count < 2 || !(model_flags(m, m->count - 2) & STEP_REQUEST))
		return;
	request = model_step(m, m->count - 2);
	if (request.scope != s->scope)
		return;
	if (s->trace == NO_TEXT) {
		s->trace = request.trace;
	} else if (request.trace == NO_TEXT && m->count > 2) {
		request.trace = s->trace;
		model_put(m, m->count - 2, &request);
	}
}

void loader_add_envelope(
	struct loader *l, struct candidate *c, const struct format *format, uint64_t end)
{
	struct step *s = loader_add(l, l->scope, c->start, end);

	s->flags |= format == &format_chat_request ? STEP_REQUEST : STEP_RESPONSE;
	candidate_facts(c, l->model, l->source);
	candidate_conversation(c, l->model);
	if (format == &format_chat_response)
		loader_answer(l->model);
	if (s->event == NO_TEXT)
		s->event = intern_add(&l->model->texts, str_of(format->name));
	loader_step_added(l);
}

/* Text that is no JSON: from `start` on, up to `end`. */
void loader_add_broken(
	struct loader *l, uint32_t scope, uint64_t start, uint64_t end, uint32_t flag)
{
	loader_add(l, scope, start, end)->flags |= flag | STEP_BARE | STEP_CHECKED;
	model_append(l->model);
}

struct str loader_window(struct loader *l)
{
	const struct window *w = &l->window;

	if (!window_has(w, l->next, 1))
		window_move(&l->window, l->source, l->next);
	return (struct str){w->p + (l->next - w->at), (size_t)(window_end(w) - l->next)};
}

void loader_seek(struct loader *l, uint64_t at, unsigned depth)
{
	scan_seek(&l->scan, at, depth);
	l->next = at;
}

struct peek loader_peek(const struct loader *l)
{
	return (struct peek){.source = l->source, .lines = l->lines};
}

bool loader_value_follows(struct loader *l, uint64_t newline)
{
	struct str next = loader_bytes(l, newline + 1);

	return next.n && (*next.p == '{' || *next.p == '[');
}
