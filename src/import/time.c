/*
 * Times as traces write them: ISO 8601 in its usual spellings ("T" or a space, any
 * number of decimals, Z, an offset or nothing, which means UTC), or a Unix time whose
 * size tells its unit.
 */
#include "config.h"
#include "import/fields.h"

#include <math.h>

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

static double fraction(struct str *s)
{
	double value = 0, unit = 1;

	while (s->n && s->p[0] >= '0' && s->p[0] <= '9') {
		value = value * 10 + (s->p[0] - '0');
		unit *= 10;
		s->p++;
		s->n--;
	}
	return value / unit;
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
	double part = 0;

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
			part = fraction(&s);
	}
	return days(year, month, day) * 86400 + hour * 3600 + minute * 60 + second +
	       part - zone(s);
}

/* A Unix time in seconds, milliseconds, microseconds or nanoseconds, by its size. */
static double unix_time(double t)
{
	static const double limits[] = {1e11, 1e14, 1e17};
	double unit = 1;

	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits) && fabs(t) >= limits[i];
		i++)
		unit *= 1000;
	return t / unit;
}

double fact_time(struct jv v)
{
	struct buf decoded = BUF_INIT;
	double t = NAN;

	if (v.kind == J_STRING)
		t = parse_iso(str_trim(jv_str(v, &decoded)));
	buf_done(&decoded);
	if (!isnan(t))
		return t;
	return jv_number(v, &t) ? unix_time(t) : NAN;
}
