/* Figures as text: see facts.h. */
#include "config.h"
#include "view/facts.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "json/json.h"
#include "text/safe.h"

uint32_t facts_digits(size_t n)
{
	uint32_t d = 1;

	for (; n >= 10; n /= 10)
		d++;
	return d;
}

void facts_grouped(struct buf *out, double n)
{
	AUTO_BUF digits = BUF_INIT;

	buf_printf(&digits, "%.0f", fabs(n));
	if (n < 0)
		buf_byte(out, '-');
	for (size_t i = 0; i < digits.len; i++) {
		if (i && (digits.len - i) % 3 == 0)
			buf_byte(out, ',');
		buf_byte(out, digits.data[i]);
	}
}

/* Seconds since 1970 of what four digits of a year can say. */
#define FIRST_YEAR (-62135596800.0)
#define LAST_YEAR  253402300800.0

/* Sums of decimal fractions: twelve digits hide what binary addition adds. */
static double tidy(double value)
{
	char text[32];

	if (isnan(value) || value == floor(value))
		return value;
	snprintf(text, sizeof(text), "%.12g", value);
	return strtod(text, NULL);
}

/* A number with at most that many decimals and no zeros at its end. */
static void trimmed(struct buf *out, double value, int decimals)
{
	size_t start = out->len;

	buf_printf(out, "%.*f", decimals, value);
	if (!memchr(out->data + start, '.', out->len - start))
		return;
	while (out->data[out->len - 1] == '0')
		out->len--;
	if (out->data[out->len - 1] == '.')
		out->len--;
	out->data[out->len] = '\0';
}

static void put_count(struct buf *out, double n, int decimals)
{
	double thousands = decimals ? 999950 : 999500;

	if (isnan(n))
		return;
	if (fabs(n) < 10000)
		trimmed(out, n, decimals);
	else if (fabs(n) < thousands)
		buf_printf(out, "%.*fk", decimals, n / 1000);
	else if (fabs(n) < 1e15)
		buf_printf(out, "%.*fM", decimals, n / 1e6);
	else
		buf_printf(out, "%.3g", n);
}

void facts_tokens(struct buf *out, double n)
{
	put_count(out, n, 1);
}

/* Takes back what is wider than `most` cells; whether it fits. */
static bool fits(struct buf *out, size_t from, uint32_t most)
{
	if (safe_width((struct str){out->data + from, out->len - from}) <= most)
		return true;
	out->len = from;
	out->data[from] = '\0';
	return false;
}

void facts_tokens_in(struct buf *out, double n, uint32_t most)
{
	size_t from = out->len;

	for (int decimals = 1; decimals >= 0; decimals--) {
		put_count(out, n, decimals);
		if (out->len == from || fits(out, from, most))
			return;
	}
}

/* Decimals with which a small sum has two significant digits. */
static int small_decimals(double usd)
{
	return usd < 1e-14 ? 15 : 1 - (int)floor(log10(usd));
}

void facts_cost(struct buf *out, double usd)
{
	double size;

	if (isnan(usd))
		return;
	usd = tidy(usd);
	size = fabs(usd);
	buf_byte(out, '$');
	if (size >= 1e9)
		buf_printf(out, "%.0f", usd);
	else if (size >= 1)
		buf_printf(out, "%.2f", usd);
	else
		trimmed(out, usd, size > 0 && size < 0.001 ? small_decimals(size) : 4);
}

unsigned facts_cost_decimals(double usd)
{
	AUTO_BUF text = BUF_INIT;
	double size = fabs(tidy(usd));
	const char *point;
	unsigned n;

	if (isnan(usd) || size == 0 || size >= 1)
		return size >= 1 ? 2 : 0;
	if (size < 0.0001)
		return (unsigned)small_decimals(size) - 1;
	trimmed(&text, size, 4);
	point = strchr(text.data, '.');
	n = point ? (unsigned)strlen(point + 1) : 0;
	return n;
}

void facts_cost_fixed(struct buf *out, double usd, unsigned decimals)
{
	if (isnan(usd))
		return;
	usd = tidy(usd);
	if (usd == 0)
		buf_text(out, "$0");
	else if (decimals && fabs(usd) < 0.5 * pow(10, -(double)decimals))
		buf_printf(out, "<$.%0*d", (int)decimals, 1);
	else
		buf_printf(out, "$%.*f", (int)decimals, usd);
}

void facts_cost_in(struct buf *out, double usd, unsigned decimals, uint32_t most)
{
	size_t from = out->len;

	if (isnan(usd))
		return;
	facts_cost_fixed(out, usd, decimals);
	while (!fits(out, from, most) && decimals)
		facts_cost_fixed(out, usd, --decimals);
	if (out->len > from)
		return;
	buf_byte(out, '$');
	put_count(out, usd, 0);
	fits(out, from, most);
}

void facts_latency(struct buf *out, double s)
{
	if (isnan(s))
		return;
	s = tidy(s);
	if (s == 0)
		buf_text(out, "0s");
	else if (fabs(s) < 0.9995)
		buf_printf(out, "%.0fms", s * 1000);
	else if (fabs(s) < 10)
		buf_printf(out, "%.1fs", s);
	else if (fabs(s) < 100)
		buf_printf(out, "%.0fs", s);
	else if (fabs(s) < 3600)
		buf_printf(out, "%.0fm%02.0fs", floor(s / 60), floor(fmod(s, 60)));
	else if (fabs(s) < 1e9)
		buf_printf(
			out, "%.0fh%02.0fm", floor(s / 3600), floor(fmod(s, 3600) / 60));
	else
		buf_printf(out, "%.3gs", s);
}

void facts_latency_in(struct buf *out, double s, uint32_t most)
{
	size_t from = out->len;

	facts_latency(out, s);
	if (out->len == from || fits(out, from, most))
		return;
	buf_printf(out, "%.0fh", floor(s / 3600));
	fits(out, from, most);
}

void facts_bytes(struct buf *out, uint64_t n)
{
	static const char *const units[] = {"KB", "MB", "GB", "TB"};
	double value = (double)n / 1000;
	size_t unit = 0;

	if (n < 1000) {
		buf_printf(out, "%" PRIu64 " B", n);
		return;
	}
	for (; value >= 999.5 && unit < 3; unit++)
		value /= 1000;
	buf_printf(out, value < 9.95 ? "%.1f %s" : "%.0f %s", value, units[unit]);
}

void facts_media(struct buf *out, const struct part *p, const char *times)
{
	if (p->media.n)
		buf_str(out, p->media);
	else
		buf_text(out, p->kind == PART_IMAGE ? "image" : "file");
	if (times && p->width)
		buf_printf(out, " %u%s%u", p->width, times, p->height);
	if (p->bytes) {
		buf_text(out, ", ");
		facts_bytes(out, p->bytes);
	}
	if (times && p->name.kind == J_STRING) {
		buf_byte(out, ' ');
		jv_text(p->name, out);
	}
	if (p->remote) {
		buf_byte(out, ' ');
		jv_text(p->body, out);
	}
}

/* 0 is how a program writes that it does not know. */
static bool says_tokens(const struct totals *t)
{
	double tokens = totals_tokens(t);

	return !isnan(tokens) && tokens != 0;
}

bool facts_says_cost(const struct totals *t)
{
	return !isnan(t->cost) && (t->cost != 0 || says_tokens(t));
}

/* The sign, by thirds, says how much came from a cache; nothing if it gave nothing. */
static void put_flow(struct buf *out, const struct totals *t, int decimals, bool sign)
{
	double share = t->cache_read / t->input_tokens;

	put_count(out, t->input_tokens, decimals);
	if (sign && share > 0)
		buf_str(out, glyph(share < 1. / 3     ? GLYPH_CACHE_LITTLE
				     : share < 2. / 3 ? GLYPH_CACHE_HALF
						      : GLYPH_CACHE_MOST));
	buf_str(out, glyph(GLYPH_FLOW));
	put_count(out, t->output_tokens, decimals);
}

void facts_flow(struct buf *out, const struct totals *t)
{
	if (says_tokens(t))
		put_flow(out, t, 1, true);
}

void facts_flow_in(struct buf *out, const struct totals *t, uint32_t most)
{
	size_t from = out->len;

	if (!says_tokens(t))
		return;
	for (int decimals = 1; decimals >= 0; decimals--) {
		put_flow(out, t, decimals, true);
		if (fits(out, from, most))
			return;
	}
	put_flow(out, t, 0, false);
	fits(out, from, most);
}

void facts_moment(struct buf *out, double seconds)
{
	time_t whole;
	struct tm tm;

	if (!(seconds >= FIRST_YEAR && seconds < LAST_YEAR))
		return;
	whole = (time_t)floor(seconds);
	if (!gmtime_r(&whole, &tm))
		return;
	buf_printf(out, "%04d-%02d-%02d %02d:%02d:%02d", tm.tm_year + 1900, tm.tm_mon + 1,
		tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec);
}

void facts_period(struct buf *out, struct period p)
{
	size_t before = out->len;

	facts_moment(out, p.start);
	if (!(p.end > p.start))
		return;
	if (out->len > before)
		buf_text(out, "  ");
	facts_latency(out, period_length(p));
}

void facts_spent(struct buf *out, const struct usage_sum *spent)
{
	if (!(spent->cost > 0))
		return;
	buf_text(out, "  ");
	if (spent->estimated)
		buf_str(out, glyph(GLYPH_ABOUT));
	facts_cost(out, spent->cost);
}

void facts_totals_text(struct buf *out, const struct totals *t, unsigned parts)
{
	if (parts & TOTALS_STEPS)
		buf_printf(out, "%" PRIu64 " step%s", t->steps, plural(t->steps));
	if (parts & TOTALS_FLOW && says_tokens(t)) {
		buf_text(out, "  ");
		facts_flow(out, t);
		buf_text(out, " tok");
	}
	if (parts & TOTALS_COST && facts_says_cost(t)) {
		buf_text(out, "  ");
		facts_cost(out, t->cost);
	}
	if (parts & TOTALS_TIME && !isnan(t->latency)) {
		buf_text(out, "  ");
		facts_latency(out, t->latency);
	}
	if (parts & TOTALS_ERRORS && t->errors)
		buf_printf(out, "  %" PRIu64 " error%s", t->errors, plural(t->errors));
}

void facts_put_figure(struct buf *out, const char *key, double value)
{
	json_put_number(out, key, tidy(value));
}

void facts_put_totals(struct buf *out, const struct totals *t)
{
	json_open(out, "totals", '{');
	json_put_count(out, "steps", t->steps);
	facts_put_figure(out, "input_tokens", t->input_tokens);
	facts_put_figure(out, "cache_read_tokens", t->cache_read);
	facts_put_figure(out, "cache_write_tokens", t->cache_write);
	facts_put_figure(out, "output_tokens", t->output_tokens);
	facts_put_figure(out, "cost_usd", t->cost);
	json_put_seconds(out, "latency_s", t->latency);
	json_put_count(out, "errors", t->errors);
	buf_byte(out, '}');
}

/* ---- the cache ledger ---- */

void facts_break(const struct trace *trace, const struct ledger_row *row, struct buf *out)
{
	if (row->cause == LEDGER_KEPT)
		return;
	ledger_put_cause(trace, row, out);
	buf_text(out, ": ");
	facts_tokens(out, row->lost);
	buf_text(out, " not read");
	if (!isnan(row->cost)) {
		buf_text(out, ", +");
		facts_cost(out, row->cost);
	}
}

void facts_ledger(const struct ledger_sums *s, struct buf *out)
{
	uint64_t breaks = s->requests - s->breaks[LEDGER_KEPT];

	facts_tokens(out, s->read);
	buf_text(out, " read, ");
	facts_tokens(out, s->written);
	buf_text(out, " written, ");
	facts_tokens(out, s->fresh);
	buf_printf(out, " fresh; %" PRIu64 " break%s", breaks, plural(breaks));
	for (int i = LEDGER_KEPT + 1; i < LEDGER_CAUSES; i++)
		if (s->breaks[i])
			buf_printf(out, ", %" PRIu64 " %s", s->breaks[i],
				ledger_cause_names[i]);
	if (!breaks)
		return;
	buf_text(out, ": ");
	facts_tokens(out, s->lost);
	buf_text(out, " not read");
	if (s->cost > 0) {
		buf_text(out, ", about +");
		facts_cost(out, s->cost);
	}
	buf_text(out, s->unpriced ? " and what models without a price cost" : "");
}
