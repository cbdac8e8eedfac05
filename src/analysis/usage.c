/* See usage.h. */
#include "config.h"
#include "analysis/usage.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "base/mem.h"

#define OWN_MOST                                                                         \
	1.5 /* times what its tokens cost: more is no cost of one request alone */

/* A stated sum, which is shared out when the last step that it stands for is there. */
struct share {
	double cost;  /* NaN: there is none */
	size_t first; /* item from which on it stands for */
	size_t until; /* position */
};

/* No trace takes back what it spent. */
static double known(double figure)
{
	return figure > 0 ? figure : 0;
}

double usage_tokens(const struct priced_tokens *t)
{
	return t->fresh + t->cache_read + t->cache_write + t->cache_hour + t->output;
}

struct priced_tokens usage_split(const struct totals *own, double hour)
{
	struct priced_tokens t = {.cache_read = known(own->cache_read),
		.cache_hour = fmin(known(hour), known(own->cache_write)),
		.output = known(own->output_tokens)};

	t.cache_write = known(own->cache_write) - t.cache_hour;
	t.fresh = fmax(
		0, known(own->input_tokens) - t.cache_read - known(own->cache_write));
	return t;
}

/* ---- stated sums ---- */

static double weight(const struct usage_item *i, bool priced)
{
	return priced ? i->cost : usage_tokens(&i->tokens);
}

/* Among the items that state nothing: by what the table says of them, else by tokens. */
static void share_out(struct usage *u, struct share *s)
{
	bool priced = true;
	double sum = 0;
	struct usage_item *last = NULL;

	for (size_t i = s->first; i < u->count; i++)
		if (u->items[i].estimated) {
			priced &= u->items[i].cost > 0 ||
				  usage_tokens(&u->items[i].tokens) == 0;
			last = &u->items[i];
		}
	for (size_t i = s->first; i < u->count; i++)
		sum += u->items[i].estimated ? weight(&u->items[i], priced) : 0;
	for (size_t i = s->first; last && i < u->count; i++) {
		struct usage_item *item = &u->items[i];

		if (!item->estimated)
			continue;
		item->cost = sum > 0        ? s->cost * known(weight(item, priced)) / sum
			     : item == last ? s->cost
					    : 0;
		item->estimated = false;
	}
	s->cost = NAN;
}

/* What a step states: for itself, for what is below it, or for those before it that state
 * nothing. */
static void take_stated(struct usage *u, const struct trace *t, size_t position,
	double stated, struct share *s)
{
	struct usage_item *item = &u->items[u->count - 1];
	size_t end = trace_subtree_end(t, position);

	if (item->cost > 0 && stated <= OWN_MOST * item->cost) {
		item->cost = stated;
		item->estimated = false;
		return;
	}
	if (end > position + 1)
		s->first = u->count - 1;
	s->cost = stated;
	s->until = end;
}

/* ---- steps ---- */

static void add_item(struct usage *u, struct prices *p, const struct trace *t,
	const struct step *step, const struct totals *own)
{
	struct str model = step->model == NO_TEXT ? STR("") : trace_text(t, step->model);
	struct usage_item *item = MEM_ADD(u->items, u->count, u->cap);

	*item = (struct usage_item){.at = step->timestamp,
		.tokens = usage_split(own, step->cache_hour),
		.cost = NAN,
		.request = step->request,
		.model = intern_add(&u->models, model),
		.estimated = true,
		.failed = step->flags & STEP_FAILED};
	if (usage_tokens(&item->tokens) > 0)
		item->cost = prices_cost(p, model, &item->tokens);
}

void usage_add(struct usage *u, struct prices *p, const struct trace *t, uint32_t source)
{
	for (size_t k = 0; k < t->chain_count; k++) {
		const struct chain *c = &t->chains[k];
		struct share share = {.cost = NAN, .first = u->count};
		double at = NAN;

		for (size_t i = c->first; i < c->first + c->count; i++) {
			struct step step = trace_step(t, trace_at(t, i));
			struct totals own = trace_step_counted(t, i);
			bool counts = own.input_tokens > 0 || own.output_tokens > 0 ||
				      own.cost > 0;

			if (!isnan(share.cost) && i >= share.until) {
				share_out(u, &share);
				share.first = u->count;
			}
			at = isnan(step.timestamp) ? at : step.timestamp;
			if (!counts && !(step.flags & STEP_FAILED))
				continue;
			step.timestamp = at;
			add_item(u, p, t, &step, &own);
			u->items[u->count - 1].source = source;
			if (own.cost > 0 && isnan(share.cost)) {
				take_stated(u, t, i, own.cost, &share);
			} else if (own.cost >
				   0) { /* beside the sum of what it is below */
				u->items[u->count - 1].cost = own.cost;
				u->items[u->count - 1].estimated = false;
			}
		}
		if (!isnan(share.cost))
			share_out(u, &share);
	}
}

/* ---- several sources ---- */

static int by_request(const void *a, const void *b)
{
	const struct usage_item *const *x = a, *const *y = b;

	if ((*x)->request != (*y)->request)
		return (*x)->request < (*y)->request ? -1 : 1;
	if ((*x)->source != (*y)->source)
		return (*x)->source < (*y)->source ? -1 : 1;
	return *x < *y ? -1 : *x > *y;
}

void usage_settle(struct usage *u)
{
	struct usage_item **sorted = mem_array(u->count, sizeof(*sorted));
	size_t count = 0;

	for (size_t i = 0; i < u->count; i++)
		if (u->items[i].request)
			sorted[count++] = &u->items[i];
	if (count)
		qsort(sorted, count, sizeof(*sorted), by_request);
	for (size_t i = 1; i < count; i++)
		sorted[i]->repeated = sorted[i]->request == sorted[i - 1]->request &&
				      (sorted[i]->source != sorted[i - 1]->source ||
					      sorted[i - 1]->repeated);
	mem_free(sorted);
}

/* ---- sums ---- */

const struct usage_sum usage_nothing = {.cost = NAN};

void usage_sum_add(struct usage_sum *sum, const struct usage_sum *more)
{
	sum->requests += more->requests;
	sum->errors += more->errors;
	sum->tokens.fresh += more->tokens.fresh;
	sum->tokens.cache_read += more->tokens.cache_read;
	sum->tokens.cache_write += more->tokens.cache_write;
	sum->tokens.cache_hour += more->tokens.cache_hour;
	sum->tokens.output += more->tokens.output;
	if (!isnan(more->cost))
		sum->cost = known(sum->cost) + more->cost;
	sum->estimated |= more->estimated;
	sum->unpriced |= more->unpriced;
}

void usage_count(struct usage_sum *sum, const struct usage_item *i)
{
	bool tokens = usage_tokens(&i->tokens) > 0;
	struct usage_sum one = {.requests = tokens,
		.errors = i->failed,
		.tokens = i->tokens,
		.cost = i->cost,
		.estimated = i->estimated && !isnan(i->cost),
		.unpriced = isnan(i->cost) && tokens};

	usage_sum_add(sum, &one);
}

struct str usage_main_model(const struct usage *u)
{
	AUTO_FREE double *tokens = mem_zalloc(u->models.count + 1, sizeof(*tokens));
	uint32_t most = MAP_NONE;

	for (size_t i = 0; i < u->count; i++) {
		uint32_t m = u->items[i].model;

		tokens[m] += usage_tokens(&u->items[i].tokens);
		if (intern_get(&u->models, m).n && (most == MAP_NONE || tokens[m] > tokens[most]))
			most = m;
	}
	return most == MAP_NONE ? STR("") : intern_get(&u->models, most);
}

void usage_done(struct usage *u)
{
	mem_free(u->items);
	intern_done(&u->models);
	*u = (struct usage){0};
}

bool usage_calendar(double at, struct tm *tm)
{
	bool known = isfinite(at) && fabs(at) <= 1e11;
	time_t seconds = known ? (time_t)at : 0;

	return known && localtime_r(&seconds, tm);
}
