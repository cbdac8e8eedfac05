/*
 * See sessions.h.  Work comes in this order: finding files (finding.c), putting them in
 * order (ordering.c), reading the rows on the screen, reading the others (finding.c).
 */
#include "config.h"
#include "sessions/list.h"

#include <math.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/work.h"
#include "import/known.h"
#include "text/safe.h"

#define DIGITS 12 /* in the name of a file that no person gave */

struct session *session_new(struct str path)
{
	struct session *x = mem_zalloc(1, sizeof(*x));

	x->path = mem_dup(path.p ? path.p : "", path.n);
	x->start = x->at = x->context = x->window = NAN;
	x->totals = totals_unknown;
	x->spent = usage_nothing;
	return x;
}

struct str session_keep_text(struct str text)
{
	return (struct str){mem_dup(text.p ? text.p : "", text.n), text.n};
}

void session_forget_text(struct session *x)
{
	mem_free((char *)x->id.p);
	mem_free((char *)x->title.p);
	mem_free((char *)x->folder.p);
	mem_free((char *)x->doing.p);
	x->id = x->title = x->folder = x->doing = (struct str){0};
}

void session_free(struct session *x)
{
	session_forget_text(x);
	usage_done(&x->usage);
	mem_free((char *)x->found.line.p);
	mem_free(x->path);
	mem_free(x);
}

struct sessions *sessions_new(const struct sessions_options *o)
{
	struct sessions *s = mem_zalloc(1, sizeof(*s));

	known_ask_databases();
	s->options = *o;
	s->cache = o->cached ? cache_open() : NULL;
	s->problem.offset = ERR_NOWHERE;
	s->column = SORT_FILE;
	s->down = true;
	if (o->count)
		places_add_parts(&s->places);
	else
		places_add_known(&s->places);
	for (size_t i = 0; i < o->count; i++)
		places_add_folder(&s->places, o->folders[i]);
	sessions_remember(s);
	sessions_look(s);
	return s;
}

void sessions_free(struct sessions *s)
{
	if (!s)
		return;
	walk_free(s->walk);
	summing_up_free(s->reading);
	if (s->cache)
		cache_save(s->cache);
	for (size_t i = 0; i < s->count; i++)
		session_free(s->items[i]);
	while (s->database_count)
		sessions_leave_database(s);
	mem_free(s->databases);
	mem_free(s->items);
	idmap_done(&s->by_key);
	mem_free(s->rows);
	mem_free(s->passing);
	sessions_drop_groups(s);
	mem_free(s->groups);
	intern_done(&s->group_names);
	mem_free(s->group_folded);
	buf_done(&s->words);
	filter_free(s->filter);
	filter_free(s->fits);
	mem_free(s->to_search);
	places_done(&s->places);
	sessions_forget_opened(s);
	mem_free(s->opened);
	prices_free(s->prices);
	cache_free(s->cache);
	err_done(&s->problem);
	mem_free(s);
}

/* ---- what one is called ---- */

static struct str file_name(const struct session *x)
{
	const char *slash = strrchr(x->path, '/');

	return str_of(slash ? slash + 1 : x->path);
}

/* What a person named is; of ids and times, which have many digits, a program is the
 * author. */
static bool is_called_by_file(const struct session *x)
{
	struct str name = file_name(x);
	size_t digits = 0;

	for (size_t i = 0; i < name.n; i++)
		digits += str_is_digit(name.p[i]);
	return !x->title.n || x->chains > 1 || (x->named && digits < DIGITS);
}

struct str session_name(const struct session *s)
{
	return is_called_by_file(s) ? file_name(s) : s->title;
}

void session_more(const struct session *s, struct buf *out)
{
	if (s->members)
		buf_printf(out, "%zu session%s", s->members, plural(s->members));
	else if (s->parts)
		buf_printf(out, "%zu agent%s", s->parts, plural(s->parts));
	else if (s->chains > 1)
		buf_printf(out, "%zu chains", s->chains);
	else if (is_called_by_file(s))
		buf_str(out, s->title);
}

/* ---- the work ---- */

enum task_state sessions_run(struct sessions *s, uint64_t deadline)
{
	bool any = false;

	do {
		bool looking = s->walk && !sessions_find_more(s, deadline);
		bool busy = looking || s->reading || sessions_next_unread(s);

		if (sessions_want_order(s, busy)) {
			if (!sessions_order_on(s))
				break;
		} else if (!looking && !sessions_read_on(s, deadline) &&
			   !s->making.stale) {
			return any ? TASK_DONE : TASK_IDLE;
		}
		any = true;
	} while (!clock_passed(deadline));
	return TASK_MORE;
}

bool sessions_are_found(const struct sessions *s)
{
	return !s->walk && !s->making.stale;
}

void sessions_show(struct sessions *s, size_t first, size_t count)
{
	s->first = first;
	s->page = count;
}

/* ---- rows ---- */

size_t sessions_count(const struct sessions *s)
{
	return s->row_count;
}

const struct session *sessions_at(const struct sessions *s, size_t row)
{
	return s->rows[row];
}

size_t sessions_passing(const struct sessions *s)
{
	return s->passing_count;
}

const struct session *sessions_passing_at(const struct sessions *s, size_t i)
{
	return s->items[s->passing[i]];
}

size_t sessions_find(const struct sessions *s, const char *path)
{
	for (size_t i = 0; i < s->row_count; i++)
		if (strcmp(s->rows[i]->path, path) == 0)
			return i;
	return SIZE_MAX;
}

uint32_t sessions_changes(const struct sessions *s)
{
	return s->changes;
}

uint32_t sessions_orders(const struct sessions *s)
{
	return s->orders;
}

/* ---- all of them ---- */

struct sessions_state sessions_state(const struct sessions *s)
{
	struct sessions_state state = {.looking = s->walk != NULL,
		.totals = totals_unknown,
		.spent = usage_nothing};

	count_work(WORK_STEPS, s->count + s->row_count);
	for (size_t i = 0; i < s->count; i++) {
		const struct session *x = s->items[i];

		state.all += !x->part;
		state.failed += !x->part && x->unreadable;
		state.read += !x->part && (x->read || x->unreadable);
	}
	for (size_t i = 0; i < s->passing_count; i++) {
		const struct session *x = sessions_passing_at(s, i);

		state.hits += x->found.hits;
		if (!x->read)
			continue;
		totals_add(&state.totals, &x->totals);
		usage_sum_add(&state.spent, &x->spent);
	}
	return state;
}

bool session_is_live(const struct session *s, double now)
{
	return now - s->written < SESSIONS_LIVE && s->written - now < SESSIONS_LIVE;
}

/* Whether an earlier place is of the same tool; its folder as well if `root` is given. */
static bool is_put(const struct sessions *s, size_t i, const struct buf *root)
{
	AUTO_BUF other = BUF_INIT;
	bool put = false;

	for (size_t k = 0; k < i && !put; k++) {
		const struct session_folder *place = &s->places.items[k];

		if (!str_equal(place->tool, s->places.items[i].tool))
			continue;
		buf_clear(&other);
		places_root(place, &other);
		put = !root || str_equal(buf_view(&other), buf_view(root));
	}
	return put;
}

void sessions_put_places(const struct sessions *s, struct buf *out)
{
	for (size_t i = 0; i < s->places.count; i++) {
		struct str tool = s->places.items[i].tool;
		AUTO_BUF root = BUF_INIT;
		const char *between = " ";

		if (is_put(s, i, NULL))
			continue;
		buf_printf(out, "%-13.*s", (int)tool.n, tool.n ? tool.p : "");
		for (size_t k = i; k < s->places.count; k++) { /* all of that tool */
			if (!str_equal(s->places.items[k].tool, tool) ||
				s->places.items[k].instead)
				continue;
			buf_clear(&root);
			places_root(&s->places.items[k], &root);
			if (is_put(s, k, &root))
				continue;
			buf_text(out, between);
			home_shorten(buf_view(&root), out);
			between = ", ";
		}
		buf_byte(out, '\n');
	}
}

/* ---- going on with one ---- */

static bool is_word(struct str text)
{
	for (size_t i = 0; i < text.n; i++)
		if ((unsigned char)text.p[i] < ' ' || text.p[i] == 0x7f)
			return false;
	return text.n > 0;
}

/* The last 36 characters of a file's name, without its ending, if that is what they are.
 */
static struct str uuid_of(struct str path)
{
	static const char form[] = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
	const char *dot = path.n ? memrchr(path.p, '.', path.n) : NULL;
	struct str uuid;

	if (!dot || (size_t)(dot - path.p) < sizeof(form) - 1)
		return STR("");
	uuid = (struct str){dot - (sizeof(form) - 1), sizeof(form) - 1};
	for (size_t i = 0; i < uuid.n; i++)
		if (form[i] == '-' ? uuid.p[i] != '-'
				   : !memchr("0123456789abcdefABCDEF", uuid.p[i], 22))
			return STR("");
	return uuid;
}

bool resume_put(const char *format, struct str id, struct str path, struct str folder,
	struct buf *out)
{
	const struct description *d = format ? known_named(str_of(format)) : NULL;
	const char *word = d ? strchr(d->resume, '{') : NULL;
	const char *end = word ? strchr(word, '}') : NULL;
	struct str text = path;
	AUTO_BUF name = BUF_INIT;

	if (!end)
		return false;
	buf_str(&name, path);
	if (strncmp(word, "{trace}", 7) == 0)
		text = id;
	else if (strncmp(word, "{uuid}", 6) == 0)
		text = uuid_of(path);
	else if (!path.n || access(name.data, F_OK) != 0)
		return false; /* a session in a database has a path, but is none */
	if (!is_word(text) || (folder.n && !is_word(folder)))
		return false;
	if (folder.n) {
		buf_text(out, "cd ");
		buf_shell_word(out, folder);
		buf_text(out, " && ");
	}
	buf_add(out, d->resume, (size_t)(word - d->resume));
	buf_shell_word(out, text);
	buf_text(out, end + 1);
	return true;
}

/* ---- its fields for the filter language ---- */

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
	struct tm tm;
	char text[40] = "";

	if (!usage_calendar(at, &tm))
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
		buf_set(&last, buf_view(&day));
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
		return s->read ? usage_tokens(&s->spent.tokens) : NAN;
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
