/* `catena usage`: what the sessions of this machine, or of folders, took and cost: by
 * day, week, month, session, model, project or tool, as a table or as JSON. */
#include "config.h"
#include "cmd/cmd.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "analysis/usage.h"
#include "base/home.h"
#include "base/mem.h"
#include "json/json.h"
#include "sessions/sessions.h"
#include "text/glyph.h"
#include "text/safe.h"
#include "text/wrap.h"
#include "view/bar.h"
#include "view/facts.h"

#define BAR_CELLS   16
#define GAP         2
#define LABEL_CELLS 44     /* of a row's label, at most, */
#define LABEL_LEAST 16     /* ... and where there is little room */
#define NAMED_MOST  6      /* models without a price that are named */
#define BACK_MOST   100000 /* days */

enum by {
	BY_DAY,
	BY_WEEK,
	BY_MONTH,
	BY_SESSION,
	BY_MODEL,
	BY_PROJECT,
	BY_TOOL,
	BY_COUNT
};

static const struct {
	const char *word, *key; /* on the command line, and of JSON */
} grouped[BY_COUNT] = {
	[BY_DAY] = {"daily", "day"},
	[BY_WEEK] = {"weekly", "week"},
	[BY_MONTH] = {"monthly", "month"},
	[BY_SESSION] = {"session", "session"},
	[BY_MODEL] = {"model", "model"},
	[BY_PROJECT] = {"project", "project"},
	[BY_TOOL] = {"tool", "tool"},
};

/* Where not all fit, those with the highest rank go first. */
enum usage_column {
	SESSIONS,
	REQUESTS,
	FRESH,
	CACHE_READ,
	CACHE_WRITE,
	OUTPUT,
	ERRORS,
	COST,
	BAR,
	COLUMNS
};

static const struct {
	const char *title;
	uint32_t cells;
	unsigned rank;
} columns[COLUMNS] = {
	[SESSIONS] = {"sessions", 8, 2},
	[REQUESTS] = {"requests", 8, 3},
	[FRESH] = {"fresh", 7, 0},
	[CACHE_READ] = {"cache read", 10, 0},
	[CACHE_WRITE] = {"cache write", 11, 1},
	[OUTPUT] = {"output", 7, 0},
	[ERRORS] = {"errors", 6, 4},
	[COST] = {"cost", 9, 0},
	[BAR] = {"", BAR_CELLS, 5},
};

struct row {
	struct str label;
	const struct session *session; /* by session; or NULL */
	uint32_t source;               /* the last one that was added */
	uint64_t sessions, requests, errors;
	struct priced_tokens tokens;
	double cost;    /* NaN: nothing of it is known */
	bool estimated; /* a part of it */
	bool unpriced;  /* something in it has no price */
};

struct usage_source {
	const struct session *session;
	size_t number; /* in the order in which they were read */
};

struct report {
	enum by by;
	double since, until; /* seconds since 1970; NaN: no limit */
	struct usage usage;
	struct prices *prices;
	struct usage_source *sources; /* by number, from order_sources on by age */
	size_t source_count, source_cap;
	struct intern labels;
	struct row *rows; /* by number of their label */
	size_t row_cap;
	struct row all;
	struct intern unpriced; /* models */
};

static const struct row nothing = {.cost = NAN, .source = UINT32_MAX};

/* ---- reading ---- */

static void take_session(void *context, const struct session *s, const struct trace *t)
{
	struct report *r = context;

	size_t number = r->source_count;

	usage_add(&r->usage, r->prices, t, (uint32_t)number);
	*MEM_ADD(r->sources, r->source_count, r->source_cap) =
		(struct usage_source){s, number};
}

/* When a session ran that does not say so step by step. */
static double moment_of(const struct session *s)
{
	return isnan(s->start) ? s->written : s->start;
}

/* The oldest first, of two that begin at one time the shorter: a fork begins as a copy.
 * Those that other sessions show, which count there, come last. */
static int by_age(const void *a, const void *b)
{
	const struct usage_source *x = a, *y = b;
	double p = moment_of(x->session), q = moment_of(y->session);

	if (x->session->part != y->session->part)
		return x->session->part ? 1 : -1;
	if (p == q) {
		p = (double)x->session->size;
		q = (double)y->session->size;
	}
	return p != q ? (p < q ? -1 : 1) : strcmp(x->session->path, y->session->path);
}

/* Leaves the items of sessions of their own, numbered by age: what later ones repeat is
 * of the oldest. */
static void order_sources(struct report *r)
{
	uint32_t *rank = mem_array(r->source_count, sizeof(*rank));
	size_t kept = 0;

	if (r->source_count)
		qsort(r->sources, r->source_count, sizeof(*r->sources), by_age);
	for (size_t i = 0; i < r->source_count; i++)
		rank[r->sources[i].number] = (uint32_t)i;
	for (size_t i = 0; i < r->usage.count; i++) {
		struct usage_item item = r->usage.items[i];
		const struct session *s;

		item.source = rank[item.source];
		s = r->sources[item.source].session;
		if (isnan(item.at))
			item.at = moment_of(s);
		if (!s->part && !s->unreadable)
			r->usage.items[kept++] = item;
	}
	r->usage.count = kept;
	mem_free(rank);
}

/* ---- groups ---- */

/* The day of a moment, its week's Monday or its month, in the person's time zone. */
static void put_date(enum by by, double at, struct buf *out)
{
	time_t seconds = (time_t)at;
	struct tm tm;
	char text[40];

	if (isnan(at) || fabs(at) > 1e11 || !localtime_r(&seconds, &tm)) {
		buf_text(out, "no date");
		return;
	}
	if (by == BY_WEEK) {
		tm.tm_mday -= (tm.tm_wday + 6) % 7;
		tm.tm_hour = 12;
		tm.tm_isdst = -1;
		(void)mktime(&tm);
	}
	(void)strftime(text, sizeof(text), by == BY_MONTH ? "%Y-%m" : "%Y-%m-%d", &tm);
	buf_text(out, text);
}

/* What tells the row of an item. */
static void put_key(const struct report *r, const struct usage_item *i, struct buf *out)
{
	const struct session *s = r->sources[i->source].session;
	struct str model = intern_get(&r->usage.models, i->model);

	switch (r->by) {
	case BY_SESSION:
		buf_text(out, s->path);
		break;
	case BY_MODEL:
		buf_str(out, model.n ? model : STR("no model"));
		break;
	case BY_PROJECT:
		buf_str(out, s->folder.n ? s->folder : STR("no folder"));
		break;
	case BY_TOOL:
		buf_str(out, s->tool.n ? s->tool : str_of(s->format));
		break;
	default:
		put_date(r->by, i->at, out);
		break;
	}
}

static void add(double *sum, double n)
{
	if (!isnan(n))
		*sum = isnan(*sum) ? n : *sum + n;
}

static void add_to(struct row *row, const struct usage_item *i)
{
	row->sessions += row->source != i->source;
	row->source = i->source;
	row->requests += usage_tokens(i) > 0;
	row->errors += i->failed;
	add(&row->tokens.fresh, i->tokens.fresh);
	add(&row->tokens.cache_read, i->tokens.cache_read);
	add(&row->tokens.cache_write, i->tokens.cache_write);
	add(&row->tokens.cache_hour, i->tokens.cache_hour);
	add(&row->tokens.output, i->tokens.output);
	add(&row->cost, i->cost);
	row->estimated |= i->estimated && !isnan(i->cost);
	row->unpriced |= isnan(i->cost) && usage_tokens(i) > 0;
}

static bool is_within(const struct report *r, double at)
{
	return !(at < r->since) && !(at >= r->until) &&
	       !(isnan(at) && !(isnan(r->since) && isnan(r->until)));
}

static void group(struct report *r)
{
	struct buf key = BUF_INIT;

	r->all = nothing;
	r->all.label = STR("all");
	for (size_t n = 0; n < r->usage.count; n++) {
		const struct usage_item *i = &r->usage.items[n];
		size_t known = r->labels.count;
		uint32_t at;

		if (i->repeated || !is_within(r, i->at) ||
			(usage_tokens(i) == 0 && !(i->cost > 0) && !i->failed))
			continue;
		buf_clear(&key);
		put_key(r, i, &key);
		at = intern_add(&r->labels, buf_view(&key));
		if (at == known) {
			r->rows = mem_grow(
				r->rows, &r->row_cap, known + 1, sizeof(*r->rows));
			r->rows[at] = nothing;
			r->rows[at].label = intern_get(&r->labels, at);
			if (r->by == BY_SESSION)
				r->rows[at].session = r->sources[i->source].session;
		}
		add_to(&r->rows[at], i);
		add_to(&r->all, i);
		if (isnan(i->cost) && usage_tokens(i) > 0)
			(void)intern_add(
				&r->unpriced, intern_get(&r->usage.models, i->model));
	}
	buf_done(&key);
}

static int by_label(const void *a, const void *b)
{
	struct str x = ((const struct row *)a)->label, y = ((const struct row *)b)->label;
	int order = memcmp(x.p, y.p, x.n < y.n ? x.n : y.n);

	return order ? order : x.n < y.n ? -1 : x.n > y.n;
}

static double sum_of(const struct priced_tokens *t)
{
	return t->fresh + t->cache_read + t->cache_write + t->cache_hour + t->output;
}

/* The most expensive first, then what took most tokens. */
static int by_cost(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	double p = isnan(x->cost) ? 0 : x->cost, q = isnan(y->cost) ? 0 : y->cost;

	if (p == q) {
		p = sum_of(&x->tokens);
		q = sum_of(&y->tokens);
	}
	return p != q ? (p > q ? -1 : 1) : by_label(a, b);
}

/* ---- JSON ---- */

static void write_row(struct buf *out, const struct row *row)
{
	const struct priced_tokens *t = &row->tokens;

	buf_printf(out, "\"sessions\":%llu,\"requests\":%llu",
		(unsigned long long)row->sessions, (unsigned long long)row->requests);
	facts_write_figure(out, "input_tokens",
		t->fresh + t->cache_read + t->cache_write + t->cache_hour);
	facts_write_figure(out, "fresh_tokens", t->fresh);
	facts_write_figure(out, "cache_read_tokens", t->cache_read);
	facts_write_figure(out, "cache_write_tokens", t->cache_write + t->cache_hour);
	facts_write_figure(out, "output_tokens", t->output);
	buf_printf(out, ",\"errors\":%llu", (unsigned long long)row->errors);
	facts_write_figure(out, "cost_usd", row->cost);
	buf_printf(out, ",\"estimated\":%s,\"complete\":%s}",
		row->estimated ? "true" : "false", row->unpriced ? "false" : "true");
}

static void write_report(const struct report *r, struct buf *out)
{
	buf_printf(out, "{\"by\":\"%s\"", grouped[r->by].key);
	json_write_text(out, "prices", prices_date(r->prices));
	buf_text(out, ",\"rows\":[");
	for (size_t i = 0; i < r->labels.count; i++) {
		const struct session *s = r->rows[i].session;

		buf_printf(out, "%s\n{\"%s\":", i ? "," : "", grouped[r->by].key);
		json_write_string(out, s ? session_name(s) : r->rows[i].label);
		buf_byte(out, ',');
		if (s) {
			buf_text(out, "\"path\":");
			json_write_string(out, str_of(s->path));
			json_write_text(out, "tool", s->tool);
			json_write_text(out, "folder", s->folder);
			buf_byte(out, ',');
		}
		write_row(out, &r->rows[i]);
		cmd_write_long(out);
	}
	buf_text(out, "\n],\"totals\":{");
	write_row(out, &r->all);
	buf_text(out, ",\"without_price\":[");
	for (size_t i = 0; i < r->unpriced.count; i++) {
		struct str model = intern_get(&r->unpriced, (uint32_t)i);

		buf_text(out, i ? "," : "");
		if (model.n)
			json_write_string(out, model);
		else
			buf_text(out, "null");
	}
	buf_text(out, "]}\n");
}

/* ---- the table ---- */

/* How wide the label is, and which columns there are. */
struct table_layout {
	uint32_t label;
	bool shown[COLUMNS];
	double most; /* of what bars are of */
};

/* What bars are of: cost, or tokens where none is known. */
static double bar_value(const struct report *r, const struct row *row)
{
	return isnan(r->all.cost) ? sum_of(&row->tokens) : row->cost;
}

static void put_label(
	const struct report *r, const struct row *row, uint32_t most, struct buf *out)
{
	struct buf text = BUF_INIT;

	if (row->session)
		buf_str(&text, session_name(row->session));
	else if (r->by == BY_PROJECT)
		home_shorten(row->label, &text);
	else
		buf_str(&text, row->label);
	safe_fit(out, buf_view(&text), most);
	buf_done(&text);
}

static uint32_t label_width(const struct report *r)
{
	uint32_t width = safe_width(str_of(grouped[r->by].key));
	struct buf text = BUF_INIT;

	for (size_t i = 0; i < r->labels.count; i++) {
		buf_clear(&text);
		put_label(r, &r->rows[i], LABEL_CELLS, &text);
		if (safe_width(buf_view(&text)) > width)
			width = safe_width(buf_view(&text));
	}
	buf_done(&text);
	return width;
}

static uint32_t columns_width(const struct table_layout *l)
{
	uint32_t width = 0;

	for (int i = 0; i < COLUMNS; i++)
		width += l->shown[i] ? GAP + columns[i].cells : 0;
	return width;
}

static struct table_layout lay_out(const struct report *r, unsigned width)
{
	struct table_layout l = {.label = label_width(r)};
	uint32_t least = l.label < LABEL_LEAST ? l.label : LABEL_LEAST;

	for (int i = 0; i < COLUMNS; i++)
		l.shown[i] = i != BAR || r->by <= BY_MONTH;
	for (unsigned rank = 5;
		rank && width != WRAP_NEVER && least + columns_width(&l) > width; rank--)
		for (int i = 0; i < COLUMNS; i++)
			l.shown[i] &= columns[i].rank != rank;
	if (width != WRAP_NEVER && l.label + columns_width(&l) > width)
		l.label = width > least + columns_width(&l) ? width - columns_width(&l)
							    : least;
	for (size_t i = 0; i < r->labels.count; i++)
		l.most = fmax(l.most, bar_value(r, &r->rows[i]));
	return l;
}

static void put_cell(const struct report *r, const struct row *row, enum usage_column c,
	struct buf *out)
{
	const double counts[] = {[SESSIONS] = (double)row->sessions,
		[REQUESTS] = (double)row->requests,
		[FRESH] = row->tokens.fresh,
		[CACHE_READ] = row->tokens.cache_read,
		[CACHE_WRITE] = row->tokens.cache_write + row->tokens.cache_hour,
		[OUTPUT] = row->tokens.output,
		[ERRORS] = (double)row->errors};

	if (c == COST) {
		if (row->estimated)
			buf_str(out, glyph(GLYPH_ABOUT));
		if (!isnan(row->cost))
			facts_cost_fixed(out, row->cost, r->all.cost < 1 ? 4 : 2);
	} else if (counts[c] > 0) {
		facts_tokens(out, counts[c]);
	}
}

static void put_row(const struct report *r, const struct row *row,
	const struct table_layout *l, struct buf *out)
{
	size_t start = out->len;
	struct buf text = BUF_INIT;

	put_label(r, row, l->label, &text);
	buf_str(out, buf_view(&text));
	buf_fill(out, ' ', l->label - safe_width(buf_view(&text)));
	for (enum usage_column i = 0; i < BAR; i++) {
		uint32_t width;

		if (!l->shown[i])
			continue;
		buf_clear(&text);
		put_cell(r, row, i, &text);
		width = safe_width(buf_view(&text));
		buf_fill(out, ' ',
			GAP + (width < columns[i].cells ? columns[i].cells - width : 0));
		buf_str(out, buf_view(&text));
	}
	if (l->shown[BAR] && row != &r->all) {
		buf_fill(out, ' ', GAP);
		bar_text(out, BAR_SOLID,
			bar_of_share(bar_value(r, row), l->most, BAR_CELLS));
	}
	while (out->len > start && out->data[out->len - 1] == ' ')
		out->len--;
	buf_byte(out, '\n');
	buf_done(&text);
}

static void put_titles(
	const struct report *r, const struct table_layout *l, struct buf *out)
{
	buf_text(out, grouped[r->by].key);
	buf_fill(out, ' ', l->label - safe_width(str_of(grouped[r->by].key)));
	for (int i = 0; i < BAR; i++)
		if (l->shown[i])
			buf_printf(out, "%*s", (int)(GAP + columns[i].cells),
				columns[i].title);
	buf_byte(out, '\n');
}

/* What the figures rest on. */
static void put_notes(const struct report *r, struct buf *out)
{
	if (r->all.estimated) {
		buf_printf(
			out, "\n%s: estimated by the prices of ", glyph(GLYPH_ABOUT).p);
		safe_line(out, prices_date(r->prices).n ? prices_date(r->prices)
							: STR("the given table"));
		buf_byte(out, '\n');
	}
	if (!r->unpriced.count)
		return;
	buf_text(out, r->all.estimated ? "without a price, and not in the cost: "
				       : "\nwithout a price: ");
	for (size_t i = 0; i < r->unpriced.count && i < NAMED_MOST; i++) {
		struct str model = intern_get(&r->unpriced, (uint32_t)i);

		buf_text(out, i ? ", " : "");
		safe_fit(out, model.n ? model : STR("requests that name no model"),
			LABEL_CELLS);
	}
	if (r->unpriced.count > NAMED_MOST)
		buf_printf(out, ", and %zu more", r->unpriced.count - NAMED_MOST);
	buf_byte(out, '\n');
}

static void print_report(const struct report *r, unsigned width, struct buf *out)
{
	struct table_layout l = lay_out(r, width);

	put_titles(r, &l, out);
	for (size_t i = 0; i < r->labels.count; i++) {
		put_row(r, &r->rows[i], &l, out);
		cmd_write_long(out);
	}
	if (r->labels.count > 1)
		put_row(r, &r->all, &l, out);
	put_notes(r, out);
}

/* ---- the command ---- */

/* "2026-11-02", "20261102", or days back from today, "7d".  False: it is none of these.
 */
static bool read_date(const char *text, struct tm *tm)
{
	static const char *const forms[] = {"%Y-%m-%d", "%Y%m%d"};
	static const size_t lengths[] = {10, 8};
	char *end;
	long back = strtol(text, &end, 10);

	if (end > text && strcmp(end, "d") == 0 && back >= 0 && back < BACK_MOST) {
		tm->tm_mday -= (int)back;
		return true;
	}
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++)
		if (strlen(text) == lengths[i]) {
			end = strptime(text, forms[i], tm);
			return end && !*end;
		}
	return false;
}

/* When a day begins in the person's time zone, or another so many days later. */
static bool read_day(const char *text, int days_more, double *at)
{
	time_t now = time(NULL);
	struct tm tm, named;

	if (!localtime_r(&now, &tm) || !read_date(text, &tm))
		return false;
	tm.tm_hour = tm.tm_min = tm.tm_sec = 0;
	tm.tm_isdst = -1;
	named = tm;
	(void)mktime(&tm);
	if (named.tm_mday > 28 && tm.tm_mday != named.tm_mday)
		return false; /* February 30 */
	tm.tm_mday += days_more;
	tm.tm_isdst = -1;
	*at = (double)mktime(&tm);
	return true;
}

/* A zone of the system's database, or one in the form of POSIX, such as CET-1CEST.  What
 * neither knows the library would take for UTC. */
static bool read_zone(const char *zone)
{
	static const char folder[] = "/usr/share/zoneinfo";
	struct buf path = BUF_INIT;
	bool known;

	if (!zone)
		return true;
	buf_printf(&path, "%s/%s", folder, zone);
	known = *zone && (strpbrk(zone, "0123456789") || access(folder, X_OK) != 0 ||
				 access(path.data, R_OK) == 0);
	buf_done(&path);
	if (!known) {
		(void)cmd_fail(
			"--timezone %s: is not known; say Europe/Berlin or UTC", zone);
		return false;
	}
	setenv("TZ", zone, 1);
	tzset();
	return true;
}

static bool read_limit(const char *name, const char *text, int days_more, double *at)
{
	*at = NAN;
	if (!text || read_day(text, days_more, at))
		return true;
	(void)cmd_fail(
		"--%s %s: say a day, as 2026-11-02, or days back from today, as 7d", name,
		text);
	return false;
}

/* The word for the groups, if that is the first operand. */
static enum by read_by(const struct options *o, size_t *folders)
{
	*folders = 0;
	for (int i = 0; i < BY_COUNT && o->files.count; i++)
		if (str_equal(str_of(o->files.items[0]), str_of(grouped[i].word))) {
			*folders = 1;
			return (enum by)i;
		}
	return BY_DAY;
}

static bool read_prices(const struct options *o, struct buf *text, struct report *r)
{
	struct err err = {.offset = ERR_NOWHERE};

	if (o->prices && !cmd_read_file(o->prices, text))
		return false;
	r->prices = prices_new(buf_view(text), &err);
	if (!r->prices) {
		err_source(&err, o->prices);
		(void)cmd_fail("%s: %s", o->prices, err.text);
	}
	err_done(&err);
	return r->prices != NULL;
}

static void report_done(struct report *r)
{
	usage_done(&r->usage);
	prices_free(r->prices);
	mem_free(r->sources);
	intern_done(&r->labels);
	intern_done(&r->unpriced);
	mem_free(r->rows);
}

static void print(struct report *r, const struct sessions *s, const struct options *o)
{
	struct buf out = BUF_INIT;

	if (r->labels.count)
		qsort(r->rows, r->labels.count, sizeof(*r->rows),
			r->by <= BY_MONTH ? by_label : by_cost);
	if (o->json) {
		write_report(r, &out);
	} else if (r->labels.count) {
		print_report(r, cmd_print_width(o), &out);
	} else if (sessions_count(s)) {
		buf_text(&out, "no session used tokens in that time\n");
	} else {
		buf_text(&out, "no sessions were found in\n\n");
		sessions_put_places(s, &out);
	}
	cmd_write(&out);
	buf_done(&out);
}

int cmd_usage(const struct options *o)
{
	struct report r = {.all = nothing};
	struct buf table = BUF_INIT;
	struct sessions_options wanted = {
		.from = o->from, .read = take_session, .context = &r};
	size_t words;
	struct sessions *s;
	int status = STATUS_ERROR;

	r.by = read_by(o, &words);
	wanted.folders = o->files.items + words;
	wanted.count = o->files.count - words;
	if (read_zone(o->timezone) && read_limit("since", o->since, 0, &r.since) &&
		read_limit("until", o->until, 1, &r.until) &&
		read_prices(o, &table, &r) &&
		cmd_check_folders(wanted.folders, wanted.count) == STATUS_DONE) {
		s = sessions_new(&wanted);
		while (sessions_run(s, UINT64_MAX) == TASK_MORE)
			;
		order_sources(&r);
		usage_settle(&r.usage);
		group(&r);
		print(&r, s, o);
		cmd_report_sessions(s);
		sessions_free(s);
		status = STATUS_DONE;
	}
	report_done(&r);
	buf_done(&table);
	return status;
}
