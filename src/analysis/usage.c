/* See usage.h. */
#include "config.h"
#include "analysis/usage.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "base/embedded.h"
#include "base/map.h"
#include "base/mem.h"
#include "json/cursor.h"

#define NAME_MOST 200 /* bytes of a model's name */

/* As priced_tokens has them. */
enum price_kind { INPUT, CACHE_READ, CACHE_WRITE, CACHE_HOUR, OUTPUT };

static const char *const kinds[PRICE_KINDS] = {"input_cost_per_token",
	"cache_read_input_token_cost", "cache_creation_input_token_cost",
	"cache_creation_input_token_cost_above_1hr", "output_cost_per_token"};

#define BANDS_MOST 8

/* What a model costs; nothing is known of one that is not in the table. */
struct model_prices {
	struct band {
		double above, price; /* of requests of more input */
	} bands[PRICE_KINDS][BANDS_MOST];
	size_t counts[PRICE_KINDS];
	double window;
};

struct prices {
	struct jv table;
	struct intern asked;
	struct model_prices *rows; /* by number in `asked` */
	size_t cap;
};

/* ---- reading ---- */

static struct str used; /* in place of the built-in one, or empty */

struct str prices_table(void)
{
	return used.n ? used
		      : (struct str){
				(const char *)embedded_prices.bytes, embedded_prices.n};
}

bool prices_use(struct str table, struct err *err)
{
	struct prices *p = prices_new(table, err);

	if (p)
		used = table;
	prices_free(p);
	return p != NULL;
}

struct prices *prices_new(struct str table, struct err *err)
{
	struct prices *p = mem_zalloc(1, sizeof(*p));

	p->table = jv_parse(table.n ? table : prices_table());
	JV_EACH(row, p->table.kind == J_OBJECT ? p->table : JV_NONE)
		if (jv_member(row, "input_cost_per_token").kind == J_NUMBER)
			return p;
	err_set(err, "holds no prices: it must be a JSON object of models, each with "
		     "\"input_cost_per_token\"");
	prices_free(p);
	return NULL;
}

void prices_free(struct prices *p)
{
	if (!p)
		return;
	intern_done(&p->asked);
	mem_free(p->rows);
	mem_free(p);
}

struct str prices_date(const struct prices *p)
{
	struct jv table = p ? p->table : jv_parse(prices_table());

	return jv_plain(jv_member(jv_member(table, "about"), "date"));
}

/* ---- names ---- */

struct plain_name {
	char text[NAME_MOST];
	size_t n;
	size_t undated; /* bytes before a date at its end; n: there is none */
};

/* The bytes before "-20250929", "-2025-09-29" or "-latest". */
static size_t before_date(const char *text, size_t n)
{
	static const char *const forms[] = {"-dddddddd", "-dddd-dd-dd", "-latest"};

	for (size_t f = 0; f < sizeof(forms) / sizeof(*forms); f++) {
		size_t size = strlen(forms[f]), i = 0;

		while (size < n && i < size &&
			(forms[f][i] == 'd' ? str_is_digit(text[n - size + i])
					    : text[n - size + i] == forms[f][i]))
			i++;
		if (i == size)
			return n - size;
	}
	return n;
}

/* Without what stands before the last "/", and before the maker's "anthropic." of the
 * names of Bedrock; small, with "-" for "." and "@"; without "-v1:0" and "[1m]". */
static void make_plain(struct plain_name *out, struct str name)
{
	const char *end;

	name = str_file_name(name);
	for (size_t i = 0; i + 1 < name.n; i++)
		if (name.p[i] == '.' && !str_is_digit(name.p[i + 1]) &&
			!str_is_digit(name.p[i ? i - 1 : 0])) {
			name = str_skip(name, i + 1);
			i = 0;
		}
	end = memchr(name.p, '[', name.n);
	if (end)
		name.n = (size_t)(end - name.p);
	if (name.n > 5 && memcmp(name.p + name.n - 5, "-v", 2) == 0 &&
		name.p[name.n - 2] == ':')
		name.n -= 5;
	out->n = name.n < NAME_MOST ? name.n : 0;
	for (size_t i = 0; i < out->n; i++) {
		char c = name.p[i];

		out->text[i] = c == '.' || c == '@' ? '-' : str_small(c);
	}
	out->undated = before_date(out->text, out->n);
}

/* How well a name of the table fits: 0 not at all.  That of the maker, with a date or
 * without, goes before those of resellers ("reseller/x"). */
static unsigned fits(
	const struct plain_name *asked, struct str request_name, struct str name)
{
	struct plain_name plain;
	unsigned own = memchr(name.p, '/', name.n) ? 0 : 2;

	if (str_equal(request_name, name))
		return 5;
	make_plain(&plain, name);
	if (!plain.n || plain.undated != asked->undated ||
		memcmp(plain.text, asked->text, plain.undated) != 0)
		return 0;
	if (plain.n == asked->n && memcmp(plain.text, asked->text, plain.n) == 0)
		return 2 + own;
	/* two dates are two models */
	return plain.undated < plain.n && asked->undated < asked->n ? 0 : 1 + own;
}

/* ---- prices ---- */

/* No trace takes back what it spent. */
static double known(double figure)
{
	return figure > 0 ? figure : 0;
}

/* "KIND_above_200k_tokens" says what KIND costs in requests of more input; *above: how
 * much, 0 of KIND itself.  False: it is another key. */
static bool read_key(struct str key, const char *kind, double *above)
{
	static const char word[] = "_above_";
	size_t n = strlen(kind);
	char *end;

	if (!str_starts(key, str_of(kind)))
		return false;
	key = str_skip(key, n);
	*above = 0;
	if (!key.n)
		return true;
	if (!str_starts(key, str_of(word)))
		return false;
	*above = (double)strtoul(key.p + sizeof(word) - 1, &end, 10) * 1000;
	key = (struct str){end, (size_t)(key.p + key.n - end)};
	return *above > 0 && str_equal(key, STR("k_tokens"));
}

/* What the table says of the name that fits best; looked for once. */
static const struct model_prices *row_of(struct prices *p, struct str model)
{
	size_t known = p->asked.count;
	uint32_t number = intern_add(&p->asked, model);
	struct jv best = JV_NONE;
	struct plain_name plain;
	struct model_prices *m;
	unsigned best_fit = 0;

	MEM_ROOM(p->rows, p->cap, p->asked.count);
	m = &p->rows[number];
	if (number < known)
		return m;
	make_plain(&plain, model);
	JV_PAIRS(key, row, plain.n ? p->table : JV_NONE) {
		unsigned fit = fits(&plain, model, jv_plain(key));

		if (fit > best_fit && row.kind == J_OBJECT) {
			best = row;
			best_fit = fit;
		}
	}
	*m = (struct model_prices){0};
	if (!jv_number(jv_member(best, "max_input_tokens"), &m->window))
		m->window = NAN;
	JV_PAIRS(key, v, best)
		for (int kind = 0; kind < PRICE_KINDS; kind++) {
			struct band band;

			if (m->counts[kind] < BANDS_MOST &&
				read_key(jv_plain(key), kinds[kind], &band.above) &&
				jv_number(v, &band.price))
				m->bands[kind][m->counts[kind]++] = band;
		}
	return m;
}

double prices_cost(struct prices *p, struct str model, const struct priced_tokens *t)
{
	const struct model_prices *row = row_of(p, model);
	double price[PRICE_KINDS], size = 0, cost = 0;

	for (int i = 0; i < OUTPUT; i++)
		size += known(t->kinds[i]);
	for (int i = 0; i < PRICE_KINDS; i++) { /* of the highest band that the size is in */
		double best = -1;

		price[i] = NAN;
		for (size_t k = 0; k < row->counts[i]; k++) {
			const struct band *band = &row->bands[i][k];

			if (band->above > best &&
				(band->above <= 0 || size > band->above)) {
				best = band->above;
				price[i] = band->price;
			}
		}
	}
	/* a maker who states no price of its cache takes that of input */
	if (isnan(price[CACHE_READ]))
		price[CACHE_READ] = price[INPUT];
	if (isnan(price[CACHE_WRITE]))
		price[CACHE_WRITE] = price[INPUT];
	if (isnan(price[CACHE_HOUR]))
		price[CACHE_HOUR] = price[CACHE_WRITE];
	for (int i = 0; i < PRICE_KINDS; i++)
		cost += t->kinds[i] > 0 ? t->kinds[i] * price[i] : 0;
	return cost;
}

double prices_window(struct prices *p, struct str model)
{
	return row_of(p, model)->window;
}

/* ---- what was used ---- */

/* Times what its tokens cost: more is no cost of one request alone. */
#define OWN_MOST 1.5

/* A stated sum, which is shared out when the last step that it stands for is there. */
struct share {
	double cost;  /* NaN: there is none */
	size_t first; /* item from which on it stands for */
	size_t until; /* position */
};

double usage_tokens(const struct priced_tokens *t)
{
	double sum = 0;

	for (int i = 0; i < PRICE_KINDS; i++)
		sum += t->kinds[i];
	return sum;
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

/* ---- steps ---- */

static struct usage_item *add_item(struct usage *u, struct prices *p,
	const struct trace *t, const struct step *step, const struct totals *own)
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
	return item;
}

void usage_add(struct usage *u, struct prices *p, const struct trace *t)
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
			struct usage_item *item;

			if (!isnan(share.cost) && i >= share.until) {
				share_out(u, &share);
				share.first = u->count;
			}
			at = isnan(step.timestamp) ? at : step.timestamp;
			if (!counts && !(step.flags & STEP_FAILED))
				continue;
			step.timestamp = at;
			item = add_item(u, p, t, &step, &own);
			if (!(own.cost > 0))
				continue;
			/* its own, or beside the sum of what it is below */
			if (!isnan(share.cost) ||
				(item->cost > 0 && own.cost <= OWN_MOST * item->cost)) {
				item->cost = own.cost;
				item->estimated = false;
				continue;
			}
			/* it is of what is below, or of those before that state nothing */
			share.cost = own.cost;
			share.until = trace_subtree_end(t, i);
			if (share.until > i + 1)
				share.first = u->count - 1;
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
	for (int i = 0; i < PRICE_KINDS; i++)
		sum->tokens.kinds[i] += more->tokens.kinds[i];
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
		if (intern_get(&u->models, m).n &&
			(most == MAP_NONE || tokens[m] > tokens[most]))
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
