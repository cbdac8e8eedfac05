/*
 * Columns: see steps.h.  The cursor's sign is the first cell of a row; the mark stands
 * between a number and what follows it without a blank.
 */
#include "config.h"
#include "view/steps.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/sort.h"
#include "base/work.h"
#include "import/open.h"
#include "text/safe.h"
#include "trace/labels.h"
#include "view/facts.h"

#define CURSOR        1
#define NAME_LEAST    12
#define NAME_MORE     20 /* ... where names are indented or messages stand for them */
#define NAME_BEST     40
#define WORTH_MOST    13 /* of a column by which the list is sorted */
#define BAR_LEAST     8
#define NAME_ROOMY    44 /* cells of a name, beyond which models are written in full */
#define MODEL_MOST    10 /* cells of a model where there is no more room */
#define MODEL_FULL    28
#define COST_DECIMALS 4 /* of one step: its digits stand below those of others */
#define DAY           86400.0

/* ---- how they are written ---- */

const struct column_row column_rows[COLUMN_COUNT] = {
	[COLUMN_NUMBER] = {"#", 0, ROLE_DIM, true, 0, "file"},
	[COLUMN_MARK] = {"", 1, ROLE_TEXT, false, 0, NULL},
	[COLUMN_NAME] = {"step", 0, ROLE_TEXT, false, 0, "name"},
	[COLUMN_LABEL] = {"label", 8, ROLE_CHIP, false, 12, NULL},
	[COLUMN_MODEL] = {"model", MODEL_MOST, ROLE_MODEL, false, 6, "model"},
	[COLUMN_TOKENS] = {"tokens", 10, ROLE_TOKENS, true, 8, "tokens"},
	[COLUMN_INPUT] = {"input", 6, ROLE_TOKENS, true, 5, NULL},
	[COLUMN_CACHE] = {"cache", 6, ROLE_TOKENS, true, 4, "cache"},
	[COLUMN_OUTPUT] = {"output", 6, ROLE_TOKENS, true, 4, NULL},
	[COLUMN_COST] = {"cost", 7, ROLE_COST, true, 10, "cost"},
	[COLUMN_TIME] = {"time", 6, ROLE_TIME, true, 9, "time"},
	[COLUMN_BAR] = {"bar", BAR_LEAST, ROLE_TEXT, false, 11, NULL},
	[COLUMN_START] = {"start", 8, ROLE_DIM, true, 3, NULL},
	[COLUMN_EVENT] = {"event", 14, ROLE_DIM, false, 2, NULL},
	[COLUMN_SIZE] = {"size", 8, ROLE_DIM, true, 1, "size"},
};

/* What a column shows of a step: a figure, with what is below it; NaN: not known. */
static double columns_figure(
	enum column column, const struct step *s, const struct totals *t)
{
	switch (column) {
	case COLUMN_TOKENS:
		return totals_tokens(t);
	case COLUMN_INPUT:
		return t->input_tokens;
	case COLUMN_CACHE:
		return t->cache_read;
	case COLUMN_OUTPUT:
		return t->output_tokens;
	case COLUMN_COST:
		return t->cost;
	case COLUMN_TIME:
		return t->latency;
	case COLUMN_START:
		return s->timestamp;
	case COLUMN_SIZE:
		return (double)s->length;
	default:
		return NAN;
	}
}

/* The text that a step shares with others, or NO_TEXT. */
static uint32_t text_of(enum column column, const struct step *s)
{
	return column == COLUMN_MODEL   ? s->model
	       : column == COLUMN_EVENT ? s->event
					: NO_TEXT;
}

void columns_put(enum column column, const struct trace *trace, const struct step *s,
	const struct totals *t, uint32_t width, struct buf *out)
{
	double figure = columns_figure(column, s, t), second;
	const struct label *label;
	unsigned n;

	switch (column) {
	case COLUMN_LABEL:
		label = labels_of(trace, s);
		if (label)
			buf_str(out, label->text);
		break;
	case COLUMN_TOKENS:
		facts_flow_in(out, t, width);
		break;
	case COLUMN_INPUT:
	case COLUMN_CACHE:
	case COLUMN_OUTPUT:
		if (figure != 0 || column != COLUMN_CACHE)
			facts_tokens_in(out, figure, width);
		break;
	case COLUMN_COST:
		if (facts_says_cost(t))
			facts_cost_in(out, figure, COST_DECIMALS, width);
		break;
	case COLUMN_TIME:
		facts_latency_in(out, figure, width);
		break;
	case COLUMN_START: /* the time of day */
		second = floor(figure - floor(figure / DAY) * DAY);
		n = second >= 0 && second < DAY ? (unsigned)second : 0;
		if (isfinite(figure))
			buf_printf(out, "%02u:%02u:%02u", n / 3600, n / 60 % 60, n % 60);
		break;
	case COLUMN_SIZE:
		facts_bytes(out, s->length);
		break;
	default:
		buf_str(out, trace_text(trace, text_of(column, s)));
		break;
	}
}

enum column columns_sorted_by(struct str name)
{
	enum column column = 0;

	while (column < COLUMN_COUNT &&
		!(column_rows[column].sort &&
			str_equal(str_of(column_rows[column].sort), name)))
		column++;
	return column;
}

/* ---- which columns there are, and which figures are large ---- */

#define BIT(column) (1u << (column))

/* What every step has. */
#define ALWAYS                                                                           \
	(BIT(COLUMN_NUMBER) | BIT(COLUMN_MARK) | BIT(COLUMN_NAME) | BIT(COLUMN_SIZE) |   \
		BIT(COLUMN_BAR))

/* Four ranks for each doubling, from a millionth on. */
static unsigned rank_of(double figure)
{
	int doublings, rank;

	if (!isfinite(figure))
		return COLUMN_RANKS - 1;
	rank = (int)(frexp(figure, &doublings) * 8) - 4;
	rank += (doublings + 20) * 4;
	return rank < 0 ? 0 : rank < COLUMN_RANKS ? (unsigned)rank : COLUMN_RANKS - 1;
}

unsigned columns_look(struct column_ranks *ranks, const struct step *s)
{
	struct totals own = totals_own(s);
	unsigned known = ALWAYS;

	known |= (unsigned)(s->parent_key != 0) << COLUMNS_NESTED;
	known |= (unsigned)(s->name_at != 0) << COLUMNS_NAMED;
	known |= (unsigned)labels_any() << COLUMN_LABEL;
	for (enum column c = 0; c < COLUMN_COUNT; c++) {
		double figure = columns_figure(c, s, &own);

		known |= (unsigned)!isnan(figure) << c;
		known |= (unsigned)(text_of(c, s) != NO_TEXT) << c;
		if (!(figure > 0) || column_rows[c].role == ROLE_DIM)
			continue; /* none of a dim column stands out */
		ranks->of[c][rank_of(figure)]++;
		ranks->all[c]++;
	}
	return known;
}

bool columns_is_large(const struct column_ranks *ranks, enum column column,
	const struct step *s, const struct totals *t)
{
	double figure = columns_figure(column, s, t);
	uint64_t as_large = 0;

	if (!(figure > 0))
		return false;
	for (unsigned i = rank_of(figure); i < COLUMN_RANKS; i++)
		as_large += ranks->of[column][i];
	return as_large <= 1 || 10 * as_large <= ranks->all[column];
}

/* ---- which are wanted ---- */

static const struct columns usual = {
	{COLUMN_NUMBER, COLUMN_MARK, COLUMN_NAME, COLUMN_LABEL, COLUMN_MODEL,
		COLUMN_TOKENS, COLUMN_COST, COLUMN_TIME, COLUMN_BAR},
	9};

static bool is_wanted(const struct columns *c, enum column column)
{
	for (size_t i = 0; i < c->count; i++)
		if (c->order[i] == column)
			return true;
	return false;
}

void columns_read(struct columns *c, struct str names)
{
	*c = (struct columns){.count = 0};
	for (size_t n; names.n; names = str_skip(names, n + (n < names.n))) {
		const char *end = memchr(names.p, ' ', names.n);

		n = end ? (size_t)(end - names.p) : names.n;
		for (enum column i = 0; i < COLUMN_COUNT; i++)
			if (str_equal(
				    str_of(column_names[i]), (struct str){names.p, n}) &&
				!is_wanted(c, i))
				c->order[c->count++] = i;
	}
}

/* ---- which find room ---- */

static bool has(unsigned known, unsigned bit)
{
	return known >> bit & 1;
}

static uint32_t least_u32(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* Blank cells between a column and the one before it, `prior` (COLUMN_COUNT: it is the
 * first). */
static uint32_t gap_before(enum column column, enum column prior)
{
	if (prior == COLUMN_COUNT || prior == COLUMN_MARK)
		return 0;
	return column != COLUMN_MARK || prior != COLUMN_NUMBER;
}

/* What the chosen ones take, with their gaps. */
static uint32_t taken(const struct columns *c, unsigned chosen, const uint32_t *width)
{
	enum column prior = COLUMN_COUNT;
	uint32_t sum = CURSOR;

	for (size_t i = 0; i < c->count; i++) {
		if (!has(chosen, c->order[i]))
			continue;
		sum += gap_before(c->order[i], prior) + width[c->order[i]];
		prior = c->order[i];
	}
	return sum;
}

/* Columns come in the order of their worth, as long as the name keeps its room; first
 * that by which the list is sorted. */
static unsigned choose(const struct steps_view *v, const struct columns *c,
	unsigned known, const uint32_t *own, uint32_t width)
{
	unsigned chosen = BIT(COLUMN_NUMBER) | BIT(COLUMN_MARK) | BIT(COLUMN_NAME);
	bool more = has(known, COLUMNS_NESTED) || !has(known, COLUMNS_NAMED);
	uint32_t least = !is_wanted(c, COLUMN_NAME) ? 0 : more ? NAME_MORE : NAME_LEAST;

	for (unsigned worth = WORTH_MOST; worth; worth--)
		for (size_t i = 0; i < c->count; i++) {
			enum column column = c->order[i];
			bool bar = column == COLUMN_BAR;
			/* a bar was asked for: a name of many cells yields to it */
			uint32_t name = bar ? least_u32(least, NAME_LEAST) : least;
			bool first = v->sorted.steps && column == v->sorted.column;

			if ((first ? WORTH_MOST : column_rows[column].worth) != worth ||
				!has(known, column) || has(chosen, column))
				continue;
			if (taken(c, chosen | BIT(column), own) + name <= width)
				chosen |= BIT(column);
			else if (!bar)
				return chosen;
		}
	return chosen;
}

/* The usual ones where none are, with the bar if there is to be one: which there is
 * something for, and the cells of each before some get what is left; none of the name. */
static struct columns all_wanted(
	const struct steps_view *v, unsigned *known, uint32_t *width)
{
	struct columns all = v->columns.count ? v->columns : usual;

	*known = v->known;
	if (v->bar == MEASURE_OFF)
		*known &= ~BIT(COLUMN_BAR);
	if (list_names_model(&v->names) != NO_TEXT) /* it stands in the header */
		*known &= ~BIT(COLUMN_MODEL);
	if (has(*known, COLUMN_BAR) && !is_wanted(&all, COLUMN_BAR))
		all.order[all.count++] = COLUMN_BAR;
	for (int i = 0; i < COLUMN_COUNT; i++)
		width[i] = column_rows[i].width;
	width[COLUMN_NUMBER] = facts_digits(
		v->expected > v->trace->count ? v->expected : v->trace->count);
	if (v->names.longest)
		width[COLUMN_MODEL] = least_u32(v->names.longest, width[COLUMN_MODEL]);
	return all;
}

struct columns_layout columns_lay_out(const struct steps_view *v, uint32_t width)
{
	uint32_t own[COLUMN_COUNT], used, name, more;
	unsigned known, chosen;
	struct columns c = all_wanted(v, &known, own);
	struct columns_layout l = {.count = 0};
	enum column prior = COLUMN_COUNT;

	chosen = choose(v, &c, known, own, width);
	/* what a name of good length leaves is the bar's, up to its best; what a long one
	 * leaves is for models that are shortened */
	used = taken(&c, chosen, own);
	name = is_wanted(&c, COLUMN_NAME) && width > used ? width - used : 0;
	if (has(chosen, COLUMN_BAR) && name > NAME_BEST) {
		more = least_u32(name - NAME_BEST, COLUMNS_BAR - BAR_LEAST);
		own[COLUMN_BAR] += more;
		name -= more;
	}
	if (has(chosen, COLUMN_MODEL) && name > NAME_ROOMY) {
		more = least_u32(v->names.longest, MODEL_FULL);
		more = more > own[COLUMN_MODEL] ? more - own[COLUMN_MODEL] : 0;
		more = least_u32(name - NAME_ROOMY, more);
		own[COLUMN_MODEL] += more;
		name -= more;
	}
	own[COLUMN_NAME] = name;
	for (size_t i = 0; i < c.count; i++) {
		enum column column = c.order[i];

		if (!has(chosen, column))
			continue;
		l.cells[l.count].column = column;
		l.cells[l.count].gap = gap_before(column, prior);
		l.cells[l.count++].width = own[column];
		prior = column;
	}
	return l;
}

uint32_t columns_width(const struct columns_layout *l, enum column column)
{
	for (size_t i = 0; i < l->count; i++)
		if (l->cells[i].column == column)
			return l->cells[i].width;
	return 0;
}

uint32_t steps_best_width(const struct steps_view *v)
{
	uint32_t own[COLUMN_COUNT];
	unsigned known;
	struct columns c = all_wanted(v, &known, own);

	return taken(&c, known, own) + (is_wanted(&c, COLUMN_NAME) ? NAME_BEST : 0) +
	       (has(known, COLUMN_BAR) ? COLUMNS_BAR - BAR_LEAST : 0);
}

/* ---- what the names of the models in a list have in common ---- */

void list_names_add(struct list_names *l, const struct trace *trace, uint32_t model)
{
	struct str first, name;
	size_t shared, n = 0;
	uint32_t width;

	l->modelless |= model == NO_TEXT;
	if (model == NO_TEXT || l->model_count == LIST_MODELS)
		return;
	for (size_t i = 0; i < l->model_count; i++)
		if (l->models[i] == model)
			return;
	l->models[l->model_count++] = model;
	/* widths are counted in bytes where they are not ASCII: then names are cut sooner
	 */
	first = trace_text(trace, l->models[0]);
	name = trace_text(trace, model);
	width = safe_width(name);
	l->longest = width > l->longest ? width : l->longest;
	if (l->model_count == 1)
		return;
	shared = l->model_count == 2 ? first.n : l->shared;
	while (n < shared && n < name.n && first.p[n] == name.p[n])
		n++;
	while (n && !strchr("-/:._ @", first.p[n - 1])) /* whole words */
		n--;
	l->shared = (uint32_t)n;
}

struct str list_names_short(const struct list_names *l, struct str name, uint32_t width)
{
	size_t shared = l->shared < name.n ? l->shared : 0, end = name.n, digits = 0;
	struct str tries[5];
	size_t count = sizeof(tries) / sizeof(*tries);
	const char *word;

	/* a date at the end: "-2024-08-06", "-20251001", "@20240620" */
	while (end && ((name.p[end - 1] >= '0' && name.p[end - 1] <= '9') ||
			      (name.p[end - 1] == '-' && digits < 8)))
		digits += name.p[--end] != '-';
	if (digits != 8 || end < 2 || !strchr("-@_", name.p[end - 1]) || --end <= shared)
		end = name.n;
	tries[0] = name;
	tries[1] = tries[4] = (struct str){name.p, end};
	tries[2] = str_skip(name, shared);
	tries[3] = str_skip(tries[1], shared);
	word = memchr(name.p, '-', end);
	if (!shared && word) /* without its first word */
		tries[4] = str_skip(tries[1], (size_t)(word + 1 - name.p));
	for (size_t i = 0; i < count; i++)
		if (safe_width(tries[i]) <= width)
			return tries[i];
	return tries[count - 1];
}

uint32_t list_names_model(const struct list_names *l)
{
	return l->model_count == 1 && !l->modelless ? l->models[0] : NO_TEXT;
}

/* ---- sorting ---- */

#define PIECE 1024 /* keys between two looks at the clock */
#define LAST  UINT64_MAX

struct sort_item {
	uint64_t key;
	uint32_t step;
	uint32_t text; /* in `texts`, or NO_TEXT */
};

struct step_sort {
	struct trace *trace;
	struct sorted result; /* without its steps */
	struct sort_item *items;
	size_t known;        /* the first so many items have their keys; */
	size_t sorted;       /* ... how far all of them are sorted */
	struct intern texts; /* folded, so that their bytes are in order */
	struct buf text, folded;
};

void sorted_done(struct sorted *s)
{
	mem_free(s->steps);
	*s = (struct sorted){0};
}

bool sorted_is_old(const struct sorted *s, const struct trace *trace)
{
	return s->generation != trace->generation ||
	       s->arrangement != trace->arrangement || s->sums != trace->sums ||
	       s->count != trace->order_count;
}

/* ---- keys ---- */

/* An integer for each number, in the order of the numbers. */
static uint64_t number_key(double number, bool down)
{
	uint64_t bits;

	if (isnan(number))
		return LAST;
	if (number == 0)
		number = 0; /* not -0 */
	memcpy(&bits, &number, sizeof(bits));
	bits = bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
	return down ? ~bits : bits;
}

/* Small letters; a number after the count of its digits, so that turn 2 comes before turn
 * 10. */
static void fold(struct buf *out, struct str text)
{
	buf_clear(out);
	for (size_t i = 0, end; i < text.n; i = end) {
		end = i + 1;
		if (!str_is_digit(text.p[i])) {
			buf_byte(out, str_small(text.p[i]));
			continue;
		}
		while (i + 1 < text.n && text.p[i] == '0' && str_is_digit(text.p[i + 1]))
			i++;
		for (end = i; end < text.n && str_is_digit(text.p[end]);)
			end++;
		buf_fill(out, ':', (end - i) / 10); /* ':' comes after '9' */
		buf_byte(out, (char)('0' + (end - i) % 10));
		buf_add(out, text.p + i, end - i);
	}
}

static void find_key(struct step_sort *s, size_t position)
{
	struct sort_item *item = &s->items[position];
	struct step step;

	*item = (struct sort_item){LAST, trace_at(s->trace, position), NO_TEXT};
	if (s->result.column != COLUMN_NAME)
		step = trace_step(s->trace, item->step);
	if (column_rows[s->result.column].figure) {
		struct totals totals = trace_step_totals(s->trace, position);

		item->key = number_key(
			columns_figure(s->result.column, &step, &totals), s->result.down);
		return;
	}
	buf_clear(&s->text);
	if (s->result.column == COLUMN_NAME)
		step_title(s->trace, item->step, &s->text);
	else
		buf_str(&s->text, trace_text(s->trace, text_of(s->result.column, &step)));
	fold(&s->folded, buf_view(&s->text));
	if (!s->folded.len)
		return;
	item->key = 0; /* its first eight bytes */
	for (size_t i = 0; i < 8; i++)
		item->key = item->key << 8 |
			    (i < s->folded.len ? (unsigned char)s->folded.data[i] : 0);
	item->key = s->result.down ? ~item->key : item->key;
	item->text = intern_add(&s->texts, buf_view(&s->folded));
}

/* ---- comparing ---- */

static int compare_items(const void *a, const void *b, const void *sorting)
{
	const struct sort_item *left = a, *right = b;
	const struct step_sort *s = sorting;
	int order;

	if (left->key != right->key)
		return left->key < right->key ? -1 : 1;
	if (left->text == right->text || left->text == NO_TEXT || right->text == NO_TEXT)
		return (left->text == NO_TEXT) - (right->text == NO_TEXT);
	order = str_compare(
		intern_get(&s->texts, left->text), intern_get(&s->texts, right->text));
	return s->result.down ? -order : order;
}

/* ---- slices ---- */

struct step_sort *sorting_new(struct trace *trace, enum column column, bool down)
{
	struct step_sort *s = mem_zalloc(1, sizeof(*s));

	s->trace = trace;
	s->result.column = column;
	s->result.down = down;
	return s;
}

enum task_state sorting_run(struct step_sort *s, uint64_t deadline)
{
	const struct trace *trace = s->trace;
	size_t count = trace->order_count;

	if (sorted_is_old(&s->result, trace)) {
		s->result.generation = trace->generation;
		s->result.arrangement = trace->arrangement;
		s->result.sums = trace->sums;
		s->result.count = count;
		mem_free(s->items);
		s->items = mem_array(count, sizeof(*s->items));
		s->known = s->sorted = 0;
	}
	while (s->known < count) {
		for (int i = 0; i < PIECE && s->known < count; i++)
			find_key(s, s->known++);
		count_work(WORK_STEPS, PIECE);
		if (clock_passed(deadline))
			return TASK_MORE;
	}
	stop_begin();
	sort_items(s->items, count, sizeof(*s->items), compare_items, s, &s->sorted);
	return stop_end() ? TASK_MORE : TASK_DONE;
}

struct sorted sorting_take(struct step_sort *s)
{
	struct sorted result = s->result;

	result.steps = mem_array(result.count, sizeof(*result.steps));
	for (size_t i = 0; i < result.count; i++)
		result.steps[i] = s->items[i].step;
	sorting_free(s);
	return result;
}

void sorting_free(struct step_sort *s)
{
	if (!s)
		return;
	mem_free(s->items);
	intern_done(&s->texts);
	buf_done(&s->text);
	buf_done(&s->folded);
	mem_free(s);
}
