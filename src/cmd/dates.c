/* --since, --until and --timezone: see cmd.h. */
#include "config.h"
#include "cmd/cmd.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BACK_MOST 100000 /* days */

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
	AUTO_BUF path = BUF_INIT;
	bool known;

	if (!zone)
		return true;
	buf_printf(&path, "%s/%s", folder, zone);
	known = *zone && (strpbrk(zone, "0123456789") || access(folder, X_OK) != 0 ||
				 access(path.data, R_OK) == 0);
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

bool cmd_read_span(const struct options *o, double *since, double *until)
{
	return read_zone(o->timezone) && read_limit("since", o->since, 0, since) &&
	       read_limit("until", o->until, 1, until);
}

bool cmd_is_within(double time, double since, double until)
{
	return !(time < since) && !(time >= until) &&
	       (!isnan(time) || (isnan(since) && isnan(until)));
}
