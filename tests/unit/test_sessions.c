/*
 * The sessions of a machine: the places that formats name, going through them, what a
 * session is called, and the list in its orders, while files come, grow and go.
 */
#include "config.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/work.h"
#include "io/inputs.h"
#include "json/json.h"
#include "sessions/folders.h"
#include "sessions/sessions.h"
#include "sessions/state_file.h"
#include "sessions/summary.h"
#include "text/safe.h"
#include "view/session_rows.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static char home[64];

static void begin(void)
{
	json_init();
	safe_init();
	snprintf(home, sizeof(home), "/tmp/catena-sessions.XXXXXX");
	cr_assert(mkdtemp(home));
	setenv("HOME", home, 1);
	setenv("TZ", "UTC", 1);
	unsetenv("CODEX_HOME");
	unsetenv("CLAUDE_CONFIG_DIR");
	unsetenv("XDG_CONFIG_HOME");
	unsetenv("XDG_DATA_HOME");
	unsetenv("XDG_DATA_HOME");
	unsetenv("XDG_STATE_HOME");
}

static void end(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf '%s'", home);
	cr_assert_eq(system(command), 0);
}

TestSuite(sessions, .init = begin, .fini = end);

static const char *path_of(const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/%s", home, name);
	return path;
}

/* Makes the folders of a path below the home folder. */
static void make_folders(const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "%s", path_of(name));
	for (char *p = path + strlen(home) + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		mkdir(path, 0700);
		*p = '/';
	}
}

static void put(const char *name, const char *text, time_t written)
{
	struct timespec times[2] = {{written, 0}, {written, 0}};
	FILE *f;

	make_folders(name);
	f = fopen(path_of(name), "wb");
	cr_assert(f, "%s", name);
	fputs(text, f);
	fclose(f);
	cr_assert_eq(utimensat(AT_FDCWD, path_of(name), times, 0), 0);
}

/* ---- places ---- */

Test(sessions, places_begin_at_home_or_where_the_environment_says)
{
	static const struct {
		const char *place, *path; /* NULL: it is none; "~" stands for home */
	} rows[] = {
		{"/a/b", "/a/b"},
		{"~/a/*.json", "~/a/*.json"},
		{"${NOT_SET:-~/x}/y", "~/x/y"},
		{"${NOT_SET:-/x}/y", "/x/y"},
		{"${FULL:-~/x}/y", "/full/y"},
		{"${RELATIVE:-~/x}/y", "~/x/y"},
		{"${EMPTY:-~/x}/y", "~/x/y"},
		{"", NULL},
		{"a/b", NULL},
		{"~a/b", NULL},
		{"$HOME/a", NULL},
		{"${FULL}/a", NULL},
		{"${:-/a}/b", NULL},
		{"${FULL:-/a}", NULL},
		{"${FULL:-a}/b", NULL},
		{"${FULL:-/a", NULL},
	};

	setenv("FULL", "/full", 1);
	setenv("RELATIVE", "somewhere", 1);
	setenv("EMPTY", "", 1);
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct buf path = BUF_INIT, shown = BUF_INIT;
		bool is = home_is_place(str_of(rows[i].place));

		cr_expect_eq(is, rows[i].path != NULL, "%s", rows[i].place);
		if (is) {
			cr_expect(home_expand(str_of(rows[i].place), &path));
			home_shorten(buf_view(&path), &shown);
			cr_expect_str_eq(shown.data, rows[i].path);
		}
		buf_done(&path);
		buf_done(&shown);
	}
	unsetenv("HOME");
	cr_expect_not(home_expand(STR("~/a"), &(struct buf){0}));
}

static void note_listed(void *out, const char *path)
{
	buf_printf(out, "%s ", path + strlen(home) + 1);
}

static void expect_listed(const char *pattern, const char *paths)
{
	struct buf out = BUF_INIT;

	buf_text(&out, "");
	listing_match(path_of(pattern), note_listed, &out);
	cr_expect_str_eq(out.len ? out.data : "", paths, "%s: %s", pattern, out.data);
	buf_done(&out);
}

static void age(const char *name)
{
	static const struct timespec times[2] = {{1000, 0}, {1000, 0}};

	cr_assert_eq(utimensat(AT_FDCWD, path_of(name), times, 0), 0);
}

Test(sessions, files_fit_patterns)
{
	put("a/1/x-b.jsonl", "", 1);
	put("a/1/y-b.jsonl", "", 1);
	put("a/1/.z-b.jsonl", "", 1);
	put("a/2/x-c.jsonl", "", 1);
	put("a/n/x-b.jsonl", "", 1);
	put("a/1/w[b].jsonl", "", 1);
	for (int again = 0; again < 2; again++) {
		expect_listed("a/1/x-b.jsonl", "a/1/x-b.jsonl ");
		expect_listed("a/1/*-b.jsonl", "a/1/x-b.jsonl a/1/y-b.jsonl ");
		expect_listed("a/[0-9]*/x-*", "a/1/x-b.jsonl a/2/x-c.jsonl ");
		expect_listed(
			"a/*/?-b.jsonl", "a/1/x-b.jsonl a/1/y-b.jsonl a/n/x-b.jsonl ");
		expect_listed("a/1/*\\[b].jsonl", "a/1/w[b].jsonl ");
		expect_listed("a/1/x-d.jsonl", "");
		expect_listed("b/*", "");
		expect_listed("a/1/x-b.jsonl/*", "");
		age("a");
		age("a/1");
	}
	put("a/1/v-b.jsonl", "", 1);
	expect_listed("a/1/*-b.jsonl", "a/1/v-b.jsonl a/1/x-b.jsonl a/1/y-b.jsonl ");
	remove(path_of("a/1/v-b.jsonl"));
	expect_listed("a/1/*-b.jsonl", "a/1/x-b.jsonl a/1/y-b.jsonl ");
}

static void note_path(void *out, const char *path, const struct session_folder *place,
	const struct stat *st)
{
	cr_expect(S_ISREG(st->st_mode));
	cr_expect(place->tool.n || place->folder);
	buf_text(out, strrchr(path, '/') + 1);
	buf_byte(out, ' ');
}

static void note_failure(void *out, const char *path, int problem)
{
	(void)out;
	cr_expect(false, "%s: %d", path, problem);
}

/* The names of what is found, in slices that are over at once. */
static void walk(struct session_folders *places, struct buf *out)
{
	struct walk *w = walk_new(places, note_path, note_failure, out);

	while (walk_run(w, clock_us()) == TASK_MORE)
		;
	walk_free(w);
	places_done(places);
	if (!out->len)
		buf_text(out, "");
}

Test(sessions, a_walk_finds_what_the_formats_name)
{
	struct session_folders places = {0};
	struct buf found = BUF_INIT;

	put(".claude/projects/a/s.jsonl", "{}", 1);
	put(".claude/projects/a/agent-1.jsonl", "{}", 1);
	put(".claude/projects/a/.hidden.jsonl", "{}", 1);
	put(".claude/projects/a/notes.txt", "{}", 1);
	put(".claude/projects/a/empty.jsonl", "", 1);
	put(".claude/projects/a/deep/er.jsonl", "{}", 1);
	put(".claude/projects/file", "{}", 1);
	places_add_known(&places);
	walk(&places, &found);
	cr_expect_str_eq(found.data, "s.jsonl ");
	buf_done(&found);
}

Test(sessions, a_walk_through_many_files_stops_between_them)
{
	struct session_folders places = {0};
	struct buf found = BUF_INIT;
	size_t slices = 0, files = 0;
	struct walk *w;
	char name[64];

	for (int i = 0; i < 100; i++) {
		snprintf(name, sizeof(name), "folder/%d/%d.json", i % 7, i);
		put(name, "{}", 1);
	}
	places_add_folder(&places, path_of("folder"));
	w = walk_new(&places, note_path, note_failure, &found);
	while (walk_run(w, clock_us()) == TASK_MORE)
		slices++;
	walk_free(w);
	for (size_t i = 0; i < found.len; i++)
		files += found.data[i] == ' ';
	cr_expect_eq(files, 100);
	cr_expect_gt(slices, 3);
	places_done(&places);
	buf_done(&found);
}

Test(sessions, a_folder_that_is_not_there_has_nothing_in_it)
{
	struct session_folders places = {0};
	struct buf found = BUF_INIT;

	places_add_folder(&places, path_of("nowhere"));
	walk(&places, &found);
	cr_expect_str_eq(found.data, "");
	buf_done(&found);
}

/* ---- words ---- */

Test(sessions, a_prompt_is_one_line)
{
	static const struct {
		const char *text;
		size_t most;
		const char *line;
	} rows[] = {
		{"", 10, ""},
		{" \n\t ", 10, ""},
		{"  a\n\n b\tc  ", 10, "a b c"},
		{"abcdef", 4, "abc"},
		{"ab cd ef", 6, "ab cd"},
		{"äöü", 5, "äö"},
		{"äöü", 4, "ä"},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct buf line = BUF_INIT;

		buf_text(&line, "");
		prompt_line(str_of(rows[i].text), rows[i].most, &line);
		cr_expect_str_eq(line.data, rows[i].line);
		buf_done(&line);
	}
}

Test(sessions, when_is_as_short_as_it_can_be)
{
	static const struct {
		double at, now;
		const char *text;
	} rows[] = {
		{1000, 1000, "00:16"},
		{1000, 86399, "00:16"},
		{86399, 86400, "yesterday"},
		{0, 86400 + 86399, "yesterday"},
		{1000, 3 * 86400, "Thu 00:16"},
		{1000, 6 * 86400, "Thu 00:16"},
		{1000, 7 * 86400, "Jan  1"},
		{1000, 364 * 86400, "Jan  1"},
		{364.0 * 86400, 365.0 * 86400, "yesterday"}, /* over the year's end */
		{1709164800, 1709251200, "yesterday"},       /* of February 29th */
		{1000, 800 * 86400, "1970-01-01"},
		{5 * 86400, 1000, "Jan  6"}, /* still to come */
		{NAN, 1000, ""},
		{1e300, 1000, ""},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct buf text = BUF_INIT;

		buf_text(&text, "");
		session_when(rows[i].at, rows[i].now, &text);
		cr_expect_str_eq(text.data, rows[i].text);
		buf_done(&text);
	}
}

Test(sessions, columns_go_as_room_goes)
{
	unsigned known = (1u << SESSION_COLUMNS) - 1;

	for (uint32_t width = 1; width < 300; width++) {
		struct session_layout l = session_rows_lay_out(known, width);
		uint32_t sum = 3;

		for (int i = 0; i < SESSION_COLUMNS; i++)
			sum += l.width[i] ? l.width[i] + (i ? 2 : 0) : 0;
		cr_expect(width < 50 || sum == width, "%u of %u", sum, width);
		cr_expect(width < 50 || l.width[SESSION_TITLE] >= 24);
		cr_expect(width < 50 || l.width[SESSION_STEPS] || l.width[SESSION_TOOL]);
		cr_expect(width < 80 || l.width[SESSION_TOOL]);
		cr_expect(width < 130 || l.width[SESSION_FOLDER]);
	}
	cr_expect_eq(
		session_rows_lay_out(1u << SESSION_TITLE, 80).width[SESSION_COST], 0);
}

/* ---- the list ---- */

#define SESSION(title, tokens)                                                           \
	"{\"type\":\"user\",\"sessionId\":\"s\",\"uuid\":\"u\",\"cwd\":\"/w\",\"message" \
	"\":{"                                                                           \
	"\"role\":\"user\",\"content\":\"" title "\"}}\n"                                \
	"{\"type\":\"assistant\",\"sessionId\":\"s\",\"uuid\":\"a\",\"message\":{\"id\"" \
	":\"m\",\"role\":\"assistant\",\"model\":\"m\",\"content\":\"ok\",\"usage\":{"   \
	"\"input_tokens\":" tokens ",\"output_tokens\":1}}}\n"

static void run_all(struct sessions *s)
{
	while (sessions_run(s, clock_us()) == TASK_MORE)
		;
	cr_expect_eq(sessions_run(s, clock_us()), TASK_IDLE);
}

static void expect_rows(struct sessions *s, const char *wanted)
{
	struct buf rows = BUF_INIT;

	run_all(s);
	buf_text(&rows, "");
	for (size_t i = 0; i < sessions_count(s); i++) {
		buf_str(&rows, session_name(sessions_at(s, i)));
		buf_byte(&rows, ' ');
	}
	cr_expect_str_eq(rows.data, wanted);
	buf_done(&rows);
}

static struct sessions *three_sessions(void)
{
	static const struct sessions_options options = {.remembered = true};

	put(".claude/projects/p/1.jsonl", SESSION("Beta", "30"), 300);
	put(".claude/projects/p/2.jsonl", SESSION("alpha", "20"), 200);
	put(".claude/projects/q/3.jsonl", SESSION("Gamma", "100"), 100);
	return sessions_new(&options);
}

static json_t *looked_at(void *path, const json_t *before)
{
	(void)before;
	return json_pack("{s:[s]}", "paths", path);
}

/* That somebody looks at a trace does not make it newer. */
Test(sessions, are_as_old_as_they_were_written)
{
	struct err err = {.offset = ERR_NOWHERE};
	struct sessions *s;
	char path[300];

	put("old.jsonl", SESSION("Old", "1"), 50);
	snprintf(path, sizeof(path), "%s/old.jsonl", home);
	cr_assert(state_change(1, looked_at, path, &err));
	s = three_sessions();
	expect_rows(s, "Beta alpha Gamma old.jsonl ");
	sessions_free(s);
}

Test(sessions, are_listed_in_any_order)
{
	static const struct {
		enum sort_column column;
		bool down;
		const char *rows;
	} rows[] = {
		{SORT_FILE, true, "Beta alpha Gamma "},
		{SORT_NAME, false, "alpha Beta Gamma "},
		{SORT_NAME, true, "Gamma Beta alpha "},
		{SORT_TOKENS, true, "Gamma Beta alpha "},
		{SORT_TOKENS, false, "alpha Beta Gamma "},
		{SORT_COST, true, "Beta alpha Gamma "}, /* not known */
		{SORT_TIME, false, "Gamma alpha Beta "},
	};
	struct sessions *s = three_sessions();

	/* "2026-08-06", also of costs that were kept from another time */
	cr_expect_eq(sessions_prices_date(s).n, 10);
	for (size_t i = 0; i < COUNT(rows); i++) {
		sessions_sort(s, rows[i].column, rows[i].down);
		expect_rows(s, rows[i].rows);
	}
	sessions_free(s);
}

Test(sessions, are_filtered_by_words)
{
	static const struct {
		const char *words, *rows;
	} rows[] = {
		{"", "Beta alpha Gamma "},
		{"ALPHA", ""},
		{"aLpha", ""},
		{"alpha", "alpha "},
		{"beta", "Beta "},
		{"Beta", "Beta "},
		{"claude a", "Beta alpha Gamma "},
		{"gamma claude /q/", "Gamma "},
		{"-beta", "alpha Gamma "},
		{"-beta  -gamma", "alpha "},
		{"no such", ""},
		{"a.c", ""},
		{"tool:claude -title:beta", "alpha Gamma "},
		{"tokens>1k", ""},
		{"tokens>60", "Gamma "},
		{"cost>0", ""},
		{"error or title:/^B/", "Beta "},
		{"age<1d", ""},
		{"steps>=1 file:\"/q/\"", "Gamma "},
		{"", "Beta alpha Gamma "},
	};
	struct sessions *s = three_sessions();
	struct err err = {.offset = ERR_NOWHERE};

	for (size_t i = 0; i < COUNT(rows); i++) {
		cr_assert(sessions_filter(s, str_of(rows[i].words), &err));
		expect_rows(s, rows[i].rows);
	}
	cr_assert_not(sessions_filter(s, STR("colour:red"), &err));
	cr_expect_str_eq(err.text, "no field \"colour\": tool, model, project, title, day, "
				   "cost, tokens, error, …");
	err_done(&err);
	sessions_free(s);
}

/* A record of a session so many seconds ago. */
static void put_record(struct buf *out, const char *role, double ago, const char *content)
{
	time_t at = time(NULL) - (time_t)ago;
	struct tm tm;
	char when[40];

	gmtime_r(&at, &tm);
	strftime(when, sizeof(when), "%Y-%m-%dT%H:%M:%SZ", &tm);
	buf_printf(out,
		"{\"type\":\"%s\",\"sessionId\":\"s\",\"timestamp\":\"%s\",\"uuid\":\"%f\","
		"\"message\":{\"role\":\"%s\",\"id\":\"m%f\",\"content\":%s}}\n",
		role, when, ago, role, ago, content);
}

#define ASKED  "[{\"type\":\"text\",\"text\":\"Run them\"}]"
#define CALLED                                                                           \
	"[{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"Bash\",\"input\":{\"command\":\"pytest " \
	"-q\"}}]"
#define GIVEN  "[{\"type\":\"tool_result\",\"tool_use_id\":\"t\",\"content\":\"2 passed\"}]"
#define SAID   "[{\"type\":\"text\",\"text\":\"They pass.\"}]"

Test(sessions, say_what_goes_on_in_them)
{
	static const struct {
		const char *role;
		double ago;
		const char *content, *state;
		bool ticks;
	} rows[] = {
		{"user", 40, ASKED, "thinking ", true},
		{"assistant", 30, CALLED, "running pytest -q 3", true},
		{"user", 20, GIVEN, "thinking ", true},
		{"assistant", 10, SAID, "waiting for you", false},
	};
	static const struct sessions_options options = {0};
	struct sessions *s = sessions_new(&options);
	struct buf log = BUF_INIT, state = BUF_INIT;
	bool ticks;

	for (size_t i = 0; i < COUNT(rows); i++) {
		put_record(&log, rows[i].role, rows[i].ago, rows[i].content);
		put(".claude/projects/p/1.jsonl", log.data, 300 + (time_t)i);
		sessions_look(s);
		run_all(s);
		cr_assert_eq(sessions_count(s), 1);
		buf_clear(&state);
		ticks = session_put_state(
			sessions_at(s, 0), (double)time(NULL), 60, &state);
		cr_expect(str_starts(buf_view(&state), str_of(rows[i].state)), "%s: %s",
			rows[i].state, state.data);
		cr_expect_eq(ticks, rows[i].ticks);
		cr_expect_eq(sessions_answered(s) != NULL, i == 3);
	}
	cr_expect_null(sessions_answered(s));
	buf_clear(&state);
	session_put_state(
		sessions_at(s, 0), (double)time(NULL) + 1800, 60, &state);
	cr_expect_str_eq(state.data, "done");
	buf_clear(&state);
	session_put_state(
		sessions_at(s, 0), (double)time(NULL) + 86400, 60, &state);
	cr_expect_eq(state.len, 0);
	sessions_free(s);
	buf_done(&log);
	buf_done(&state);
}

Test(sessions, come_grow_and_go)
{
	struct sessions *s = three_sessions();
	char gone[256];

	expect_rows(s, "Beta alpha Gamma ");
	cr_expect_eq(sessions_state(s).totals.input_tokens, 150);
	put(".claude/projects/p/4.jsonl", SESSION("Delta", "5"), 400);
	put(".claude/projects/p/2.jsonl", SESSION("alpha", "20") SESSION("more", "7"),
		500);
	sessions_look(s);
	expect_rows(s, "alpha Delta Beta Gamma ");
	snprintf(gone, sizeof(gone), "%s", path_of(".claude/projects/p/1.jsonl"));
	cr_expect_eq(sessions_find(s, gone), 2);
	unlink(gone);
	sessions_look(s);
	expect_rows(s, "alpha Delta Gamma ");
	cr_expect_eq(sessions_find(s, gone), SIZE_MAX);
	cr_expect_eq(sessions_state(s).all, 3);
	sessions_free(s);
}

/* A database with a session for each text, of which the first began the second. */
static void put_database(const char *name, const char *first, const char *second)
{
	static const char tables[] =
		"CREATE TABLE session (id, project_id, parent_id, slug, directory, "
		"title, "
		"version, time_created INT, time_updated INT);"
		"CREATE TABLE message (id, session_id, time_created INT, time_updated "
		"INT, "
		"data);"
		"CREATE TABLE part (id, message_id, session_id, data);";
	struct buf sql = BUF_INIT;
	sqlite3 *db;

	put(name, "-", 1);
	cr_assert_eq(unlink(path_of(name)), 0);
	cr_assert_eq(sqlite3_open(path_of(name), &db), SQLITE_OK);
	buf_printf(&sql,
		"%s INSERT INTO session VALUES "
		"('s1', 'p', NULL, 's', '/reef', '%s', '1', 100000, 100000), "
		"('s2', 'p', 's1', 's', '/reef', 'part', '1', 110000, 110000), "
		"('s3', 'p', NULL, 's', '/reef', '%s', '1', 120000, 120000);",
		tables, first, second);
	for (int i = 1; i <= 3; i++)
		buf_printf(&sql,
			"INSERT INTO message VALUES ('m%d', 's%d', %d50000, "
			"%d50000, '{\"role\":\"assistant\",\"tokens\":{\"input\":10,"
			"\"output\":1}}'); INSERT INTO part VALUES ('p%d', 'm%d', 's%d', "
			"'{\"type\":\"text\",\"text\":\"ok\"}');",
			i, i, i, i, i, i, i);
	cr_assert_eq(sqlite3_exec(db, sql.data, NULL, NULL, NULL), SQLITE_OK, "%s",
		sqlite3_errmsg(db));
	sqlite3_close(db);
	buf_done(&sql);
}

/* Those of sub-agents are in the session that began them, and counted there. */
Test(sessions, of_a_database_have_a_row_each)
{
	struct sessions *s;
	struct buf path = BUF_INIT;
	sqlite3 *db;

	put_database(".local/share/opencode/opencode.db", "Corals", "Kelp");
	s = three_sessions();
	expect_rows(s, "Kelp Beta Corals alpha Gamma ");
	cr_expect_eq(sessions_state(s).all, 5);
	cr_expect_eq(sessions_state(s).totals.input_tokens, 180);
	buf_printf(&path, "%s/s1", path_of(".local/share/opencode/opencode.db"));
	cr_assert_eq(sessions_find(s, path.data), 2);
	cr_expect(str_equal(sessions_at(s, 2)->tool, STR("OpenCode")));
	cr_expect_eq(sessions_at(s, 2)->totals.input_tokens, 20);
	cr_expect_gt(sessions_at(s, 2)->size, 100);
	buf_done(&path);
	cr_assert_eq(sqlite3_open(path_of(".local/share/opencode/opencode.db"), &db),
		SQLITE_OK);
	cr_assert_eq(sqlite3_exec(db,
			     "UPDATE session SET time_updated = 900000, title = "
			     "'Weed' WHERE id = 's3'; DELETE FROM session "
			     "WHERE id IN ('s1', 's2')",
			     NULL, NULL, NULL),
		SQLITE_OK);
	sqlite3_close(db);
	sessions_look(s);
	expect_rows(s, "Weed Beta alpha Gamma ");
	sessions_free(s);
}

Test(sessions, that_are_no_traces_have_no_row)
{
	struct sessions *s;
	uint32_t orders;

	put(".claude/projects/p/5.jsonl", "no JSON at all\n", 600);
	s = three_sessions();
	expect_rows(s, "Beta alpha Gamma ");
	cr_expect_eq(sessions_state(s).failed, 1);
	orders = sessions_orders(s);
	sessions_look(s);
	run_all(s);
	cr_expect_eq(sessions_orders(s), orders, "nothing has changed");
	put(".claude/projects/p/5.jsonl", SESSION("Written now", "5"), 601);
	sessions_look(s);
	expect_rows(s, "Written now Beta alpha Gamma ");
	sessions_free(s);
}

/* The rows on the screen are read before others, whatever their place in the folders. */
Test(sessions, on_the_screen_are_read_first)
{
	struct sessions *s;
	size_t read = 0;
	char name[64];

	for (int i = 0; i < 200; i++) {
		snprintf(name, sizeof(name), ".claude/projects/p/%d.jsonl", i);
		put(name, SESSION("One of many", "1"), 1000 + (i * 7919) % 200);
	}
	s = three_sessions();
	sessions_show(s, 50, 10);
	while (read < 10) {
		cr_assert_eq(sessions_run(s, clock_us()), TASK_MORE);
		read = 0;
		for (size_t i = 50; i < 60 && i < sessions_count(s); i++)
			read += sessions_at(s, i)->read;
		cr_assert_leq(sessions_state(s).read, 10);
	}
	run_all(s);
	cr_expect_eq(sessions_state(s).read, 201);
	sessions_free(s);
}

Test(sessions, are_live_for_a_while)
{
	struct session s = {.written = 1000};

	cr_expect(session_is_live(&s, 1000));
	cr_expect(session_is_live(&s, 1000 + SESSIONS_LIVE - 1));
	cr_expect_not(session_is_live(&s, 1000 + SESSIONS_LIVE));
	cr_expect_not(session_is_live(&s, 10), "a clock that is wrong");
}
