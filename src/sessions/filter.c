/* The fields of a session for the filter language: see sessions.h. */
#include "config.h"
#include "sessions/sessions.h"

#include <math.h>
#include <time.h>

#include "text/safe.h"

enum session_field {
	FIELD_TITLE,
	FIELD_TOOL,
	FIELD_MODEL,
	FIELD_PROJECT,
	FIELD_FILE,
	FIELD_ID,
	FIELD_DAY,
	FIELD_ANYWHERE,
	FIELD_COST,
	FIELD_TOKENS,
	FIELD_CONTEXT,
	FIELD_STEPS,
	FIELD_ERRORS,
	FIELD_BYTES,
	FIELD_AGE,
	FIELD_ERROR,
	FIELD_LIVE,
	FIELDS
};

static const struct filter_field fields[FIELDS] = {
	[FIELD_TITLE] = {"title", "name", FILTER_TEXT, UNIT_NONE, COST_FACT,
		"what the session is called"},
	[FIELD_TOOL] = {"tool", "agent", FILTER_TEXT, UNIT_NONE, COST_FACT,
		"the program that wrote it"},
	[FIELD_MODEL] = {"model", NULL, FILTER_TEXT, UNIT_NONE, COST_FACT,
		"a model that answered in it"},
	[FIELD_PROJECT] = {"project", "folder", FILTER_PATH, UNIT_NONE, COST_FACT,
		"the folder it worked in"},
	[FIELD_FILE] = {"file", "path", FILTER_PATH, UNIT_NONE, COST_FACT, "its file"},
	[FIELD_ID] = {"id", NULL, FILTER_TEXT, UNIT_NONE, COST_FACT, "its id"},
	[FIELD_DAY] = {"day", "date", FILTER_TEXT, UNIT_NONE, COST_FACT,
		"the days on which it ran: day:2026-11-26, day:2026-11"},
	[FIELD_ANYWHERE] = {"text", NULL, FILTER_WHOLE, UNIT_NONE, COST_FACT,
		"all of title, tool, models, project and file"},
	[FIELD_COST] = {"cost", NULL, FILTER_NUMBER, UNIT_DOLLARS, COST_FACT,
		"US dollars, estimated where it is not stated: cost>1"},
	[FIELD_TOKENS] = {"tokens", NULL, FILTER_NUMBER, UNIT_COUNT, COST_FACT,
		"tokens of both sides: tokens>100k"},
	[FIELD_CONTEXT] = {"context", NULL, FILTER_NUMBER, UNIT_COUNT, COST_FACT,
		"tokens of its last request with the answer: context>150k"},
	[FIELD_STEPS] = {"steps", NULL, FILTER_NUMBER, UNIT_COUNT, COST_FACT,
		"the number of its steps"},
	[FIELD_ERRORS] = {"errors", NULL, FILTER_NUMBER, UNIT_COUNT, COST_FACT,
		"the number of steps that failed"},
	[FIELD_BYTES] = {"bytes", "size", FILTER_NUMBER, UNIT_BYTES, COST_FACT,
		"the size of its file: bytes>1MB"},
	[FIELD_AGE] = {"age", NULL, FILTER_NUMBER, UNIT_SECONDS, COST_FACT,
		"how long ago it was written: age<2h, age<7d"},
	[FIELD_ERROR] = {"error", "failed", FILTER_FLAG, UNIT_NONE, COST_FACT,
		"a step of it failed"},
	[FIELD_LIVE] = {"live", NULL, FILTER_FLAG, UNIT_NONE, COST_FACT,
		"it was written in the last two minutes"},
};

const struct filter_table filter_sessions = {.fields = fields,
	.count = FIELDS,
	.anywhere = FIELD_ANYWHERE,
	.common = "tool, model, project, title, day, cost, tokens, error"};

struct asked_session { /* context of value() */
	const struct session *session;
	double now;
	struct buf text; /* that a value refers to */
};

static void put_day(double at, struct buf *out)
{
	time_t seconds = (time_t)at;
	struct tm tm;
	char text[40] = "";

	if (!isfinite(at) || fabs(at) > 1e11 || !localtime_r(&seconds, &tm))
		return;
	(void)strftime(text, sizeof(text), "%Y-%m-%d", &tm);
	buf_text(out, text);
}

/* Those of its requests, each once where they follow each other; else that on which it
 * was written. */
static void put_days(const struct session *s, struct buf *out)
{
	AUTO_BUF day = BUF_INIT, last = BUF_INIT;

	for (size_t i = 0; i < s->usage.count; i++) {
		buf_clear(&day);
		put_day(s->usage.items[i].at, &day);
		if (!day.len || str_equal(buf_view(&day), buf_view(&last)))
			continue;
		buf_str(out, buf_view(&day));
		buf_byte(out, '\n');
		buf_clear(&last);
		buf_str(&last, buf_view(&day));
	}
	if (!last.len)
		put_day(isnan(s->start) ? s->at : s->start, out);
}

/* Safe text is UTF-8, as an expression wants it. */
static void put_text(const struct session *s, enum session_field field, struct buf *out)
{
	static const enum session_field all[] = {
		FIELD_TITLE, FIELD_TOOL, FIELD_PROJECT, FIELD_FILE, FIELD_MODEL};

	switch (field) {
	case FIELD_TITLE:
		safe_line(out, s->title);
		break;
	case FIELD_TOOL:
		safe_line(out, s->tool.n ? s->tool : str_of(s->format ? s->format : ""));
		break;
	case FIELD_MODEL:
		for (size_t i = 0; i < s->usage.models.count; i++) {
			if (i)
				buf_byte(out, '\n');
			safe_line(out, intern_get(&s->usage.models, (uint32_t)i));
		}
		break;
	case FIELD_PROJECT:
		safe_line(out, s->folder);
		break;
	case FIELD_FILE:
		safe_line(out, str_of(s->path));
		break;
	case FIELD_ID:
		safe_line(out, s->id);
		break;
	case FIELD_DAY:
		put_days(s, out);
		break;
	default:
		for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
			put_text(s, all[i], out);
			buf_byte(out, '\n');
		}
	}
}

bool session_put_values(const struct session *s, unsigned field, struct buf *out)
{
	if (field != FIELD_TOOL && field != FIELD_MODEL && field != FIELD_PROJECT &&
		field != FIELD_DAY)
		return false;
	put_text(s, field, out);
	return out->len > 0;
}

static double figure(const struct asked_session *a, enum session_field field)
{
	const struct session *s = a->session;

	switch (field) {
	case FIELD_COST:
		return s->spent.cost;
	case FIELD_TOKENS:
		return s->read ? usage_sum_tokens(&s->spent) : NAN;
	case FIELD_CONTEXT:
		return s->context;
	case FIELD_STEPS:
		return s->read ? (double)s->totals.steps : NAN;
	case FIELD_ERRORS:
		return s->read ? (double)s->totals.errors : NAN;
	case FIELD_BYTES:
		return (double)s->size;
	default:
		return a->now - s->written;
	}
}

static struct filter_value value(void *asked, unsigned field)
{
	struct asked_session *a = asked;

	if (fields[field].kind == FILTER_NUMBER)
		return (struct filter_value){.number = figure(a, field)};
	if (field == FIELD_ERROR)
		return (struct filter_value){.flag = a->session->totals.errors > 0};
	if (field == FIELD_LIVE)
		return (struct filter_value){.flag = session_is_live(a->session, a->now)};
	buf_clear(&a->text);
	put_text(a->session, field, &a->text);
	return (struct filter_value){.text = buf_view(&a->text)};
}

bool session_passes(const struct session *s, const struct filter *f, double now)
{
	struct asked_session a = {.session = s, .now = now};
	bool passes = filter_holds(f, value, &a);

	buf_done(&a.text);
	return passes;
}
