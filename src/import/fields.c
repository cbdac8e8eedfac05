/* Facts, their slots and their values: see fields.h. */
#include "config.h"
#include "import/fields.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <strings.h>

#include "chat/side.h"
#include "json/json.h"

/* ---- times ----
 *
 * Times as traces write them: ISO 8601 in its usual spellings ("T" or a space, any
 * number of decimals, Z, an offset or nothing, which means UTC), or a Unix time whose
 * size tells its unit.
 */

/* Days since 1970-01-01 of a date of the Gregorian calendar (Hinnant, "days_from_civil").
 */
static double days(int year, int month, int day)
{
	int y = year - (month <= 2), era = (y >= 0 ? y : y - 399) / 400;
	int yoe = y - era * 400;
	int doy = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
	int doe = yoe * 365 + yoe / 4 - yoe / 100 + doy;

	return (double)era * 146097 + doe - 719468;
}

/* Takes `n` digits; -1 when they are not there. */
static int digits(struct str *s, size_t n)
{
	int value = 0;

	if (s->n < n)
		return -1;
	for (size_t i = 0; i < n; i++) {
		if (s->p[i] < '0' || s->p[i] > '9')
			return -1;
		value = value * 10 + (s->p[i] - '0');
	}
	s->p += n;
	s->n -= n;
	return value;
}

static bool take(struct str *s, const char *set)
{
	while (*set && (!s->n || *set != s->p[0]))
		set++;
	if (!*set)
		return false;
	s->p++;
	s->n--;
	return true;
}

/* The zone in seconds, NaN when what is left is none. */
static double zone(struct str s)
{
	int sign, hours, minutes = 0;

	s = str_trim(s);
	if (s.n == 0 || (s.n == 1 && (s.p[0] == 'Z' || s.p[0] == 'z')) ||
		str_equal(s, STR("UTC")))
		return 0;
	sign = s.p[0] == '-' ? -1 : 1;
	if (!take(&s, "+-") || (hours = digits(&s, 2)) < 0 || hours > 23)
		return NAN;
	take(&s, ":");
	if (s.n && ((minutes = digits(&s, 2)) < 0 || minutes > 59))
		return NAN;
	return s.n ? NAN : (double)sign * (hours * 3600 + minutes * 60);
}

static double parse_iso(struct str s)
{
	int year = digits(&s, 4), month, day, hour = 0, minute = 0, second = 0;
	double part = 0, unit = 1;

	if (year < 0 || !take(&s, "-") || (month = digits(&s, 2)) < 1 || month > 12 ||
		!take(&s, "-") || (day = digits(&s, 2)) < 1 || day > 31)
		return NAN;
	if (s.n && take(&s, "Tt ")) {
		hour = digits(&s, 2);
		if (hour < 0 || hour > 24 || !take(&s, ":") ||
			(minute = digits(&s, 2)) < 0 || minute > 59)
			return NAN;
		if (take(&s, ":") && ((second = digits(&s, 2)) < 0 || second > 60))
			return NAN;
		if (take(&s, ".,"))
			for (; s.n && str_is_digit(s.p[0]); s = str_skip(s, 1)) {
				part = part * 10 + (s.p[0] - '0');
				unit *= 10;
			}
	}
	return days(year, month, day) * 86400 + hour * 3600 + minute * 60 + second +
	       part / unit - zone(s);
}

double fact_time(struct jv v)
{
	static const double limits[] = {1e11, 1e14, 1e17};
	AUTO_BUF decoded = BUF_INIT;
	double t = NAN, unit = 1;

	if (v.kind == J_STRING)
		t = parse_iso(str_trim(jv_str(v, &decoded)));
	if (!isnan(t))
		return t;
	if (!jv_number(v, &t))
		return NAN;
	/* a Unix time in seconds, milliseconds, microseconds or nanoseconds, by its size */
	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits) && fabs(t) >= limits[i];
		i++)
		unit *= 1000;
	return t / unit;
}

const enum fact shared_facts[SHARED_FACTS] = {
	FACT_SESSION, FACT_USER, FACT_ENVIRONMENT, FACT_TAGS, FACT_METADATA, FACT_SCORES};

const struct fact_words fact_words[FACT_COUNT] = {
#define FACT(id, word, name, ...) {word, name},
	STEP_FACTS(FACT, FACT, FACT, FACT)
#undef FACT
};

int fact_of_word(struct str word)
{
	int fact = 0;

	while (fact < FACT_COUNT && !str_equal(word, str_of(fact_words[fact].word)))
		fact++;
	return fact < FACT_COUNT ? fact : -1;
}

/* ---- slots ---- */

void slots_clear(struct slots *s)
{
	if (++s->round == 0) {
		memset(s, 0, sizeof(*s));
		s->round = 1;
	}
}

void slots_put(struct slots *s, int field, struct jv value, uint64_t at, uint64_t len)
{
	struct slot *slot = &s->by_field[field];

	if (value.kind == J_NULL && slot->round == s->round)
		return; /* it takes nothing away */
	slot->round = s->round;
	slot->kind = value.kind;
	slot->cut = value.cut;
	slot->at = at;
	slot->len = len;
	if (value.p && len <= SLOT_TEXT)
		memcpy(slot->text, value.p, (size_t)len);
}

struct jv slot_view(const struct slot *s)
{
	if (!s->len)
		return JV_NONE;
	return (struct jv){s->text, (size_t)s->len, s->kind, s->cut, NULL};
}

void slots_add(struct slots *s, int field, struct jv value)
{
	struct slot *slot = &s->by_field[field];
	AUTO_BUF text = BUF_INIT;
	double sum, more;

	if (slot->round != s->round || !jv_number(slot_view(slot), &sum)) {
		slots_put(s, field, value, UINT64_MAX, value.n);
	} else if (jv_number(value, &more)) {
		json_write_number(&text, sum + more);
		slots_put(s, field, jv_parse(buf_view(&text)), UINT64_MAX, text.len);
	}
}

bool slot_empty(const struct slot *s)
{
	if (s->kind == J_NULL || s->kind == J_FALSE)
		return true;
	return s->len && s->len <= SLOT_TEXT && jv_empty(slot_view(s));
}

/* ---- tokens ---- */

double sum_of_known(double a, double b)
{
	return isnan(a) ? b : isnan(b) ? a : a + b;
}

/* A figure, and what stands beside it or is a part of it. */
struct stated_side {
	double figure, part;
	bool beside; /* so says the format */
};

static double side_sum(const struct stated_side *s, bool beside)
{
	return beside ? sum_of_known(s->figure, s->part) : s->figure;
}

struct token_figures token_figures(const double stated[FACT_COUNT])
{
	struct token_figures t = {.cache_read = stated[FACT_CACHE_READ],
		.cache_write = stated[FACT_CACHE_WRITE],
		.reasoning = stated[FACT_REASONING_TOKENS]};
	bool fresh = !isnan(stated[FACT_FRESH_TOKENS]);
	struct stated_side in = {
		.figure = stated[fresh ? FACT_FRESH_TOKENS : FACT_INPUT_TOKENS]};
	struct stated_side out = {stated[FACT_OUTPUT_TOKENS], t.reasoning, false};

	if (isnan(t.cache_read))
		t.cache_read = stated[FACT_CACHED_TOKENS];
	in.part = sum_of_known(t.cache_read, t.cache_write);
	in.beside = isnan(in.figure) || (fresh && isnan(stated[FACT_CACHED_TOKENS]));
	if (isnan(out.figure)) {
		out.figure = stated[FACT_ANSWER_TOKENS];
		out.beside = true;
	}
	/* one program writes figures of many vendors: where what its format means by them
	 * does not add up to the total that it states, and another meaning does, that one
	 * is right */
	for (int i = 0; i < 4; i++) {
		bool a = in.beside != (i & 1), b = out.beside != i >> 1;

		if (side_sum(&in, a) + side_sum(&out, b) == stated[FACT_TOTAL_TOKENS]) {
			in.beside = a;
			out.beside = b;
			break;
		}
	}
	if (out.beside && !in.beside && isnan(t.reasoning) &&
		stated[FACT_TOTAL_TOKENS] > in.figure + out.figure)
		/* what was neither read nor said was thought */
		out.part = t.reasoning = stated[FACT_TOTAL_TOKENS] - in.figure - out.figure;
	if (in.figure < in.part) /* smaller than its parts: it leaves them out */
		in.beside = true;
	t.input = side_sum(&in, in.beside);
	t.output = side_sum(&out, out.beside);
	return t;
}

/* ---- values ---- */

double fact_number(struct jv v)
{
	double d;

	return jv_number(v, &d) ? d : NAN;
}

/* Seconds; NaN: there is no such unit. */
static double times_unit(double value, struct str unit)
{
	static const struct {
		struct str name;
		double seconds;
	} units[] = {
		{{"", 0}, 1},
		{{"s", 1}, 1},
		{{"sec", 3}, 1},
		{{"secs", 4}, 1},
		{{"second", 6}, 1},
		{{"seconds", 7}, 1},
		{{"ms", 2}, 1e-3},
		{{"msec", 4}, 1e-3},
		{{"milliseconds", 12}, 1e-3},
		{{"us", 2}, 1e-6},
		{{"\xC2\xB5s", 3}, 1e-6},
		{{"\xCE\xBCs", 3}, 1e-6},
		{{"ns", 2}, 1e-9},
		{{"m", 1}, 60},
		{{"min", 3}, 60},
		{{"mins", 4}, 60},
		{{"minutes", 7}, 60},
		{{"h", 1}, 3600},
		{{"hr", 2}, 3600},
		{{"hours", 5}, 3600},
	};

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (unit.n == units[i].name.n &&
			strncasecmp(unit.p, units[i].name.p, unit.n) == 0)
			/* 850 / 1000 is the double nearest to 0.85; 850 * 0.001 is not */
			return units[i].seconds < 1 ? value / round(1 / units[i].seconds)
						    : value * units[i].seconds;
	return NAN;
}

/* "1m 30s" adds up; anything that is no number with a unit spoils the whole. */
static double parse_seconds(const char *p)
{
	double sum = NAN;

	while (*p) {
		char *end;
		double value = strtod(p, &end);
		size_t n;

		if (end == p || !isfinite(value) || isalpha((unsigned char)*p) ||
			memchr(p, 'x', (size_t)(end - p)) ||
			memchr(p, 'X', (size_t)(end - p)))
			return NAN;
		p = end + strspn(end, " ");
		n = strcspn(p, " 0123456789.+-");
		value = times_unit(value, (struct str){p, n});
		sum = isnan(sum) ? value : sum + value;
		if (isnan(sum))
			return NAN;
		p += n;
		p += strspn(p, " ");
	}
	return sum;
}

double fact_seconds(struct jv v)
{
	AUTO_BUF text = BUF_INIT;
	struct str trimmed = jv_plain(v);
	size_t n = 0;
	double d;

	if (v.kind != J_STRING)
		return fact_number(v);
	/* a plain decimal and its unit, which most are */
	while (n < trimmed.n && (isdigit((unsigned char)trimmed.p[n]) || trimmed.p[n] == '.'))
		n++;
	if (jv_number(jv_of((struct str){trimmed.p, n}, J_NUMBER), &d))
		d = times_unit(d, str_skip(trimmed, n));
	else
		d = NAN;
	if (!isnan(d))
		return d;
	jv_decode(v, &text);
	trimmed = str_trim(buf_view(&text));
	text.data[trimmed.p + trimmed.n - text.data] = '\0';
	d = strlen(trimmed.p) == trimmed.n ? parse_seconds(trimmed.p) : NAN;
	return d;
}

double unit_seconds_of(struct jv value, enum time_unit unit)
{
	static const double per_second[] = {
		[TIME_S] = 1, [TIME_MS] = 1e3, [TIME_US] = 1e6, [TIME_NS] = 1e9};

	if (unit == TIME_PLAIN)
		return fact_seconds(value);
	return fact_number(value) / per_second[unit];
}

double described_time(struct jv value)
{
	double v[2] = {NAN, NAN};

	if (value.kind != J_ARRAY)
		return fact_time(value);
	JV_EACH(item, value)
		if (item_walk.index < 2)
			v[item_walk.index] = fact_number(item);
	return v[0] + v[1] / 1e9;
}

/* ---- errors ---- */

#define ERROR_NESTING 4

/* Whether an object says something beside one of its members; the sign that it is an
 * error says nothing. */
static bool says_more(struct jv object, struct jv member)
{
	JV_PAIRS(key, value, object)
		if (value.p != member.p && !jv_null(value) &&
			!(jv_key_is(key, STR("type")) && jv_is(value, STR("error"))))
			return true;
	return false;
}

/* Of an object the member that says it, of a list of one that one; or J_NONE. */
static struct jv error_inside(struct jv v)
{
	if (v.kind == J_ARRAY && jv_count(v, 2) == 1)
		return jv_first(v);
	if (v.kind != J_OBJECT)
		return JV_NONE;
	JV_MEMBERS(members, v, message, error, errors, detail);
	for (size_t i = 0; i < 4; i++)
		if (!jv_empty(members.all[i]) && members.all[i].kind != J_TRUE)
			return members.all[i];
	return JV_NONE;
}

struct error_said fact_error(struct jv error, struct arena *arena)
{
	struct jv whole = side_open_string(error, arena), v = whole;
	bool more = false;

	for (int depth = 0; depth < ERROR_NESTING; depth++) {
		struct jv inner = error_inside(v);

		if (inner.kind == J_NONE)
			break;
		more = more || says_more(v, inner);
		v = side_open_string(inner, arena);
	}
	if (v.kind == J_OBJECT || v.kind == J_ARRAY)
		return (struct error_said){
			JV_NONE, jv_empty(whole) ? JV_NONE : whole};
	if (jv_empty(v) || v.kind == J_TRUE)
		return (struct error_said){JV_NONE, JV_NONE};
	return (struct error_said){v, more ? whole : JV_NONE};
}
