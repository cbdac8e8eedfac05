/* See reading.h. */
#include "config.h"
#include "view/reading.h"

#include <math.h>

#include "base/mem.h"

struct reading *reading_new(struct step_content *o, const struct registry *registry)
{
	struct reading *r = mem_zalloc(1, sizeof(*r));

	r->opened = o;
	r->pause = NAN;
	r->registry = registry;
	r->input = (struct side_reading){r, &o->input, true};
	r->output = (struct side_reading){r, &o->output, false};
	if (registry)
		registry_markers(registry, o->page, &r->types, &r->type_count);
	return r;
}

void reading_free(struct reading *r)
{
	if (!r)
		return;
	known_free(r->known);
	earlier_free(r->earlier);
	step_content_free(r->next);
	mem_free(r->types);
	mem_free(r);
}

size_t reading_bytes(const struct reading *r)
{
	return sizeof(*r) + r->type_count * sizeof(*r->types) + known_bytes(r->known) +
	       (r->earlier ? earlier_bytes(r->earlier) : 0) +
	       (r->next ? opened_bytes(r->next) : 0);
}

const struct pairs *reading_pairs(struct reading *r)
{
	return step_content_pairs(r->opened);
}

static const struct pair_end *find_call(struct reading *r, struct str id)
{
	const struct pairs *pairs = reading_pairs(r);

	for (size_t i = pairs->count; i-- > 0;)
		if (pairs->ends[i].call && jv_says(pairs->ends[i].what->link, id))
			return &pairs->ends[i];
	return NULL;
}

const struct pair_end *reading_call_before(
	const struct reading *r, const struct pair_end *end, bool *near)
{
	AUTO_BUF id = BUF_INIT;
	const struct pair_end *found = NULL;
	size_t calls = 0, said = 0;

	jv_text(end->what->link, &id);
	for (size_t i = 0; i < r->before_count && !found && id.len; i++) {
		const struct step_content *o = r->before[i]->opened;
		const struct pairs *pairs = reading_pairs(r->before[i]);

		found = find_call(r->before[i], buf_view(&id));
		for (size_t k = 0; k < pairs->count; k++) /* that the step itself makes */
			calls += pairs->ends[k].call &&
				 (!pairs->ends[k].input || o->shared);
		said += !found && (r->told || o->output.view == SIDE_CHAT);
	}
	*near = found && calls == 1 && !said;
	return found;
}

const struct part *reading_result_before(
	const struct reading *r, const struct part *result)
{
	AUTO_BUF id = BUF_INIT;
	const struct pair_end *found = NULL, *own = NULL;

	jv_text(result->link, &id);
	for (size_t i = 0; i < r->before_count && !found && id.len; i++) {
		found = find_call(r->before[i], buf_view(&id));
		if (found && found->other != NO_PAIR)
			own = &reading_pairs(r->before[i])->ends[found->other];
	}
	return own && !own->input ? own->what : NULL;
}

const struct part *reading_result_after(struct reading *r, const struct part *call)
{
	const struct pairs *pairs = r->next ? step_content_pairs(r->next) : NULL;
	const struct part *found = NULL;
	AUTO_BUF id = BUF_INIT;

	jv_text(call->link, &id);
	for (size_t i = 0; pairs && i < pairs->count && id.len && !found; i++)
		if (!pairs->ends[i].call &&
			jv_says(pairs->ends[i].what->link, buf_view(&id)))
			found = pairs->ends[i].what;
	return found;
}

size_t reading_waiting(struct reading *r)
{
	const struct pairs *pairs = reading_pairs(r);
	size_t waiting = 0;

	for (size_t i = 0; i < pairs->count; i++)
		waiting += pairs->ends[i].call && !pairs->ends[i].input &&
			   pairs->ends[i].other == NO_PAIR;
	return waiting;
}

bool reading_is_tool(
	struct reading *r, const struct part **call, const struct part **result)
{
	const struct step_content *o = r->opened;
	const struct pair_end *ends;

	if (o->shared || o->input.chat.count != 1 || reading_pairs(r)->count != 2)
		return false;
	ends = reading_pairs(r)->ends;
	*call = ends[0].what;
	*result = ends[1].what;
	return ends[0].call && ends[0].input && !ends[1].call && !ends[1].input &&
	       !ends[1].message;
}

const struct known_ids *reading_known(struct reading *r)
{
	const struct step_content *o = r->opened;

	if (!r->known) {
		r->known = known_new();
		known_add(r->known, o->facts.value);
		/* a long side in a string is left out there, but was decoded when the
		 * step was opened */
		if (o->facts.value.n > KNOWN_MOST && o->input.opened)
			known_add(r->known, o->input.value);
		if (o->facts.value.n > KNOWN_MOST && o->output.opened)
			known_add(r->known, o->output.value);
	}
	return r->known;
}

/* One that is of other messages, as of a text, is none. */
const struct history *reading_history(const struct reading *r, bool input)
{
	const struct side *s = input ? &r->opened->input : &r->opened->output;
	const struct history *h;

	if (!r->new_only || !r->earlier)
		return NULL;
	h = input ? &r->earlier->input : &r->earlier->output;
	return h->count && h->count == s->chat.count ? h : NULL;
}

enum message_change reading_change(const struct reading *r, bool input, size_t message)
{
	const struct history *h = reading_history(r, input);

	return h && message < h->count ? h->now[message].change : CHANGE_NEW;
}
