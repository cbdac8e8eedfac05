/*
 * Sessions in SQLite databases: what of them becomes text, with a writer at work, a lock,
 * damage in each page, tables of other programs; and that nothing is left beside the
 * file.
 */
#include "config.h"
#include <criterion/criterion.h>

#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zstd.h>

#include "base/mem.h"
#include "base/work.h"
#include "import/known.h"
#include "import/load.h"
#include "import/open.h"
#include "io/database.h"
#include "io/source.h"
#include "json/json.h"
#include "schema/yaml.h"

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

static char folder[] = "/tmp/catena-test-XXXXXX";

static void begin(void)
{
	json_init();
	cr_assert(mkdtemp(folder));
	cr_assert_eq(chdir(folder), 0);
	known_ask_databases();
}

static void end(void)
{
	struct buf command = BUF_INIT;

	buf_printf(&command, "rm -rf %s", folder);
	cr_assert_eq(system(command.data), 0);
	buf_done(&command);
}

TestSuite(database, .init = begin, .fini = end);

static const char schema[] =
	"CREATE TABLE session (id TEXT PRIMARY KEY, project_id TEXT, workspace_id TEXT, "
	"parent_id TEXT, slug TEXT, directory TEXT, path TEXT, title TEXT, version TEXT, "
	"share_url TEXT, summary_additions INT, summary_deletions INT, summary_files "
	"INT, "
	"summary_diffs TEXT, metadata TEXT, cost REAL, tokens_input INT, tokens_output "
	"INT, "
	"tokens_reasoning INT, tokens_cache_read INT, tokens_cache_write INT, revert "
	"TEXT, "
	"permission TEXT, agent TEXT, model TEXT, time_created INT, time_updated INT, "
	"time_compacting INT, time_archived INT);"
	"CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INT, "
	"time_updated INT, data TEXT);"
	"CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, "
	"time_created INT, time_updated INT, data TEXT);";

/* As they were before sessions had figures. */
static const char old_schema[] =
	"CREATE TABLE session (id TEXT PRIMARY KEY, project_id TEXT, parent_id TEXT, "
	"slug TEXT, directory TEXT, title TEXT, version TEXT, share_url TEXT, "
	"summary_additions INT, summary_deletions INT, summary_files INT, "
	"summary_diffs TEXT, revert TEXT, permission TEXT, time_created INT, "
	"time_updated INT, time_compacting INT, time_archived INT);"
	"CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INT, "
	"time_updated INT, data TEXT);"
	"CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, "
	"time_created INT, time_updated INT, data TEXT);";

#define SESSION(id, parent, title, at)                                                   \
	"INSERT INTO session (id, project_id, parent_id, slug, directory, title, "       \
	"version, time_created, time_updated) VALUES ('" id "', 'p', " parent            \
	", 'slug', '/reef', '" title "', '1.2', " #at ", " #at ");"
#define MESSAGE(id, session, at, data)                                                   \
	"INSERT INTO message VALUES ('" id "', '" session "', " #at ", " #at ", '" data  \
	"');"
#define PART(id, message, session, data)                                                 \
	"INSERT INTO part VALUES ('" id "', '" message "', '" session "', 1, 1, '" data  \
	"');"
#define ASKED "{\"role\":\"user\",\"time\":{\"created\":1}}"
#define SAID  "{\"role\":\"assistant\",\"modelID\":\"m\",\"time\":{\"created\":2}}"

/* A diver asks for a count; a sub-agent makes it. */
static const char talk[] = SESSION("s1", "NULL", "Corals", 1000) SESSION("s2", "'s1'",
	"A count", 2500) SESSION("s3", "NULL", "Empty", 3000) SESSION("s4", "NULL",
	"Kelp", 4000) MESSAGE("m1", "s1", 1000, ASKED) MESSAGE("m2", "s1", 2000, SAID)
	MESSAGE("m5", "s1", 6000, SAID) MESSAGE("m3", "s2", 2600, ASKED) MESSAGE(
		"m4", "s2", 9000, SAID) MESSAGE("m6", "s4", 4000, ASKED) PART("p1", "m1",
		"s1", "{\"type\":\"text\",\"text\":\"Count them\"}") PART("p2", "m2",
		"s1", "{\"type\":\"tool\",\"tool\":\"task\",\"callID\":\"c1\"}")
		PART("p3", "m3", "s2", "{\"type\":\"text\",\"text\":\"Corals?\"}") PART(
			"p4", "m4", "s2", "{\"type\":\"text\",\"text\":\"Forty\"}")
			PART("p5", "m5", "s1", "{\"type\":\"text\",\"text\":\"40\"}")
				PART("p6", "m6", "s4",
					"{\"type\":\"text\",\"text\":"
					"\"Kelp?\"}");

static void run(sqlite3 *db, const char *sql)
{
	char *why = NULL;

	cr_assert_eq(sqlite3_exec(db, sql, NULL, NULL, &why), SQLITE_OK, "%s", why);
}

static sqlite3 *make(const char *name, const char *tables, const char *rows)
{
	sqlite3 *db;

	cr_assert_eq(sqlite3_open(name, &db), SQLITE_OK);
	run(db, tables);
	run(db, rows);
	return db;
}

/* All that a source brings; its error, if there is one, in place of that. */
static struct buf text_of(const char *path)
{
	struct err err = {.offset = ERR_NOWHERE};
	struct source *s = source_open(path, &err);
	struct buf text = BUF_INIT;
	bool ok = s;

	while (ok && !source_complete(s))
		ok = source_wait(s, &err);
	if (ok) {
		buf_reserve(&text, (size_t)source_size(s) + 1);
		text.len = source_read(s, 0, text.data, (size_t)source_size(s));
		text.data[text.len] = '\0';
	} else {
		buf_text(&text, err.text);
	}
	err_done(&err);
	source_free(s);
	return text;
}

#define EXPECT_TEXT(path, wanted)                                                        \
	do {                                                                             \
		struct buf text_ = text_of(path);                                        \
		cr_expect_str_eq(text_.data, wanted);                                    \
		buf_done(&text_);                                                        \
	} while (0)

#define HEAD(id, title, at)                                                              \
	"{\"info\":{\"id\":\"" id "\",\"slug\":\"slug\",\"projectID\":\"p\","            \
	"\"directory\":\"/reef\",\"title\":\"" title "\",\"version\":\"1.2\","           \
	"\"tokens\":{\"cache\":{}},\"time\":{\"created\":" #at ",\"updated\":" #at       \
	"}},\"messages\":["
#define RECORD(data, id, session, beside, parts)                                         \
	"{\"info\":" data ",\"id\":\"" id "\",\"sessionID\":\"" session "\"}" beside     \
	",\"parts\":[" parts "]}"
#define ASKED_ "{\"role\":\"user\",\"time\":{\"created\":1}"
#define SAID_  "{\"role\":\"assistant\",\"modelID\":\"m\",\"time\":{\"created\":2}"
#define TEXT(text, id, session, message)                                                 \
	"{\"type\":\"text\",\"text\":\"" text "\",\"id\":\"" id                          \
	"\",\"sessionID\":\"" session "\",\"messageID\":\"" message "\"}"

static const char kelp[] = HEAD("s4", "Kelp", 4000)
	RECORD(ASKED_, "m6", "s4", "", TEXT("Kelp?", "p6", "s4", "m6")) "]}\n";

Test(database, a_session_is_what_the_program_exports)
{
	sqlite3_close(make("a.db", schema, talk));
	EXPECT_TEXT("a.db/s4", kelp);
	EXPECT_TEXT("a.db/s5", "has no session s5");
	EXPECT_TEXT("a.db/s4/", "has no session s4/");
	EXPECT_TEXT("./a.db/s4", kelp);
}

Test(database, what_a_sub_agent_said_stands_where_it_began)
{
	sqlite3_close(make("a.db", schema, talk));
	EXPECT_TEXT("a.db/s1",
		HEAD("s1", "Corals", 1000) RECORD(ASKED_, "m1", "s1", "",
			TEXT("Count them", "p1", "s1", "m1")) ",\n" RECORD(SAID_, "m2",
			"s1", "",
			"{\"type\":\"tool\",\"tool\":\"task\",\"callID\":\"c1\","
			"\"id\":\"p2\",\"sessionID\":\"s1\",\"messageID\":"
			"\"m2\"}") ",\n" RECORD(ASKED_, "m3", "s2", ",\"agent\":\"s2\"",
			TEXT("Corals?", "p3", "s2", "m3")) ",\n" RECORD(SAID_, "m4", "s2",
			",\"agent\":\"s2\"",
			TEXT("Forty", "p4", "s2", "m4")) ",\n" RECORD(SAID_, "m5", "s1",
			"", TEXT("40", "p5", "s1", "m5")) "]}\n");
}

/* Of all sessions each is a member, but those of sub-agents and empty ones. */
Test(database, sessions_are_members)
{
	struct err err = {.offset = ERR_NOWHERE};
	struct source *s, *second;
	char start[64] = "";

	sqlite3_close(make("a.db", schema, talk));
	s = source_open("a.db", &err);
	cr_assert(s, "%s", err.text);
	while (!source_complete(s))
		cr_assert(source_wait(s, &err), "%s", err.text);
	cr_expect_eq(source_kind(s), SOURCE_ARCHIVE);
	cr_assert_eq(source_members(s), 2);
	second = source_member(s, 1);
	cr_expect_str_eq(source_name(second), "a.db/s4");
	cr_expect_eq(source_size(second), sizeof(kelp) - 1);
	source_read(second, 0, start, 30);
	cr_expect_eq(strncmp(start, kelp, 30), 0);
	source_free(second);
	source_free(s);
}

Test(database, older_tables_are_known)
{
	struct buf text;

	sqlite3_close(make("old.db", old_schema, talk));
	text = text_of("old.db/s4");
	cr_expect(strstr(text.data, "\"title\":\"Kelp\""), "%s", text.data);
	cr_expect(strstr(text.data, "Kelp?"), "%s", text.data);
	buf_done(&text);
}

/* Sessions of Goose as they were before they named a model. */
Test(database, of_goose)
{
	static const char tables[] =
		"CREATE TABLE sessions (id, description, working_dir, created_at, "
		"updated_at, "
		"accumulated_input_tokens, accumulated_output_tokens);"
		"CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id, role, "
		"content_json, created_timestamp INT, timestamp, metadata_json);";
	static const char rows[] =
		"INSERT INTO sessions (id, description, working_dir, updated_at, "
		"accumulated_input_tokens) VALUES ('1', 'Moss', '/garden', "
		"'2026-01-01 00:00:00', 900), ('2', '', '/x', '2026-01-02 00:00:00', 1);"
		"INSERT INTO messages (session_id, role, content_json, "
		"created_timestamp, "
		"timestamp) VALUES ('1', 'assistant', '[2]', 1767225700, 2), "
		"('1', 'user', '[1]', 1767225600, 1);";
	struct database_session session = {.written = NAN};
	struct err err = {.offset = ERR_NOWHERE};
	struct database *d;

	sqlite3_close(make("g.db", tables, rows));
	EXPECT_TEXT("g.db/1",
		"{\"id\":\"1\",\"description\":\"Moss\",\"working_dir\":\"/garden\","
		"\"created_at\":null,\"accumulated_input_tokens\":900,"
		"\"accumulated_output_tokens\":null,\"conversation\":["
		"{\"role\":\"user\",\"created\":1767225600,\"content\":[1]},\n"
		"{\"role\":\"assistant\",\"created\":1767225700,\"content\":[2]}]}\n");
	d = database_open("g.db", (struct str){0}, &err);
	cr_assert(database_next(d, &session, &err), "%s", err.text);
	cr_expect(str_equal(session.id, STR("1")));
	cr_expect_float_eq(session.written, 1767225600, 1e-9);
	cr_expect_not(database_next(d, &session, &err), "one is empty");
	cr_expect_not(err.text || database_is_busy(d));
	database_close(d);
}

/* Threads of Zed are packed; one that is damaged leaves the others as they are. */
Test(database, of_zed)
{
	static const char thread[] =
		"{\"title\":\"Moss\",\"messages\":[{\"User\":{\"content\":[]}}]}";
	struct buf sql = BUF_INIT, packed = BUF_INIT;
	sqlite3 *db = make("z.db",
		"CREATE TABLE threads (id, summary, updated_at, data_type, "
		"data BLOB)",
		"SELECT 1");

	buf_reserve(&packed, ZSTD_compressBound(sizeof(thread)));
	packed.len = ZSTD_compress(packed.data, ZSTD_compressBound(sizeof(thread)),
		thread, sizeof(thread) - 1, 3);
	cr_assert_not(ZSTD_isError(packed.len));
	buf_text(&sql, "INSERT INTO threads VALUES ('t1', 'Moss', "
		       "'2026-01-01T00:00:00.5+00:00', 'zstd', x'");
	for (size_t i = 0; i < packed.len; i++)
		buf_printf(&sql, "%02x", (unsigned)(unsigned char)packed.data[i]);
	buf_printf(&sql,
		"'), ('t2', 'Old', '2026-01-01T00:00:00Z', 'json', '%s'), "
		"('t3', 'Bad', '', 'zstd', x'28b52ffd2011');",
		thread);
	run(db, sql.data);
	EXPECT_TEXT("z.db/t1", "{\"title\":\"Moss\",\"messages\":[{\"User\":{"
			       "\"content\":[]}}],\"id\":\"t1\"}\n");
	EXPECT_TEXT("z.db/t2", "{\"title\":\"Moss\",\"messages\":[{\"User\":{"
			       "\"content\":[]}}],\"id\":\"t2\"}\n");
	EXPECT_TEXT("z.db/t3", "\n");
	sqlite3_close(db);
	buf_done(&packed);
	buf_done(&sql);
}

/* Of the programs that tests/databases has tables of. */
static const char *const samples[] = {"crush", "cursor-store", "hermes-state", "llm-logs",
	"llm-logs+threads", "pi-session+openclaw"};

/* What makes such a database; ends with a 0 byte. */
static struct buf sample_tables(const char *format)
{
	const char *source = getenv("CATENA_SRCDIR");
	struct err err = {.offset = ERR_NOWHERE};
	struct buf path = BUF_INIT, sql = BUF_INIT;

	if (!source)
		cr_skip_test("the tables are in CATENA_SRCDIR");
	buf_printf(&path, "%s/tests/databases/%s.sql", source, format);
	cr_assert(yaml_file_read(path.data, 0, &sql, &err), "%s", err.text);
	buf_byte(&sql, '\0');
	buf_done(&path);
	return sql;
}

/* The session that the first line names is the sample of the format in tests/formats.
 * UPDATE=1 writes that again. */
static void expect_sample(const char *format)
{
	struct buf path = BUF_INIT, sql = sample_tables(format), sample = BUF_INIT, text;
	struct err err = {.offset = ERR_NOWHERE};
	const char *end;
	FILE *f;

	buf_printf(&path, "%s.db", format);
	sqlite3_close(make(path.data, sql.data, "SELECT 1"));
	end = strchr(sql.data, '\n');
	buf_printf(&path, "/%.*s", (int)(end - sql.data - 3), sql.data + 3);
	text = text_of(path.data);
	buf_clear(&path);
	buf_printf(&path, "%s/tests/formats/%s.json", getenv("CATENA_SRCDIR"), format);
	if (getenv("UPDATE") && (f = fopen(path.data, "w"))) {
		(void)fwrite(text.data, 1, text.len, f);
		(void)fclose(f);
	}
	cr_assert(yaml_file_read(path.data, 0, &sample, &err), "%s", err.text);
	cr_expect(str_equal(buf_view(&sample), buf_view(&text)), "%s:\n%s", format,
		text.data);
	buf_done(&path);
	buf_done(&sql);
	buf_done(&sample);
	buf_done(&text);
}

Test(database, of_other_programs)
{
	for (size_t i = 0; i < COUNT(samples); i++)
		expect_sample(samples[i]);
}

static struct trace *load(const char *path, struct load **load)
{
	struct inputs *in = inputs_new();
	struct err err = {.offset = ERR_NOWHERE};
	struct trace *trace;

	inputs_add(in, path);
	trace = trace_new(in);
	*load = load_begin(trace, NULL);
	cr_assert_neq(load_all(*load, &err), TASK_FAILED, "%s", err.text);
	return trace;
}

Test(database, a_sub_agents_steps_are_below_the_step_that_called_it)
{
	struct load *l;
	struct trace *trace;

	sqlite3_close(make("a.db", schema, talk));
	trace = load("a.db", &l);
	cr_expect_eq(trace->chain_count, 2);
	cr_assert_geq(trace->order_count, 4);
	cr_expect_eq(trace_depth(trace, 0), 0);
	cr_expect_eq(trace_depth(trace, 1), 1);
	cr_expect_eq(trace_depth(trace, 2), 0);
	cr_expect_str_eq(
		trace_chain_format(trace, &trace->chains[0]), "opencode-session");
	load_free(l);
	trace_free(trace);
}

/* Files of the folder, in no order. */
static size_t files_here(void)
{
	DIR *dir = opendir(".");
	size_t n = 0;

	while (readdir(dir))
		n++;
	closedir(dir);
	return n - 2;
}

static void expect_kelp(const char *path)
{
	struct buf text = text_of(path);

	cr_expect_str_eq(text.data, kelp, "%s", path);
	buf_done(&text);
}

Test(database, what_only_the_log_has_is_read_and_the_writer_writes_on)
{
	sqlite3 *db = make("a.db", "PRAGMA journal_mode=WAL", "SELECT 1");
	struct stat before, after;

	run(db, schema);
	cr_assert_eq(stat("a.db", &before), 0);
	run(db, talk);
	cr_assert_eq(stat("a.db", &after), 0);
	cr_assert_eq(before.st_size, after.st_size, "the rows are in the log alone");
	expect_kelp("a.db/s4");
	run(db, "BEGIN IMMEDIATE; UPDATE session SET title = 'Weed'");
	expect_kelp("a.db/s4"); /* as it was committed */
	run(db, "COMMIT; PRAGMA wal_checkpoint(TRUNCATE)");
	sqlite3_close(db);
}

Test(database, nothing_is_left_beside_a_file_that_nobody_writes)
{
	sqlite3 *db = make("a.db", "PRAGMA journal_mode=WAL", schema);

	run(db, talk);
	sqlite3_close(db);
	cr_assert_eq(files_here(), 1);
	expect_kelp("a.db/s4");
	cr_expect_eq(files_here(), 1);
	cr_assert_eq(chmod("a.db", 0400), 0);
	cr_assert_eq(chmod(".", 0500), 0);
	expect_kelp("a.db/s4");
	cr_assert_eq(chmod(".", 0700), 0);
}

Test(database, a_locked_file_is_tried_again)
{
	struct database_session session = {.written = NAN};
	sqlite3 *db = make("a.db", schema, talk);
	struct err err = {.offset = ERR_NOWHERE};
	struct database *d;

	run(db, "BEGIN EXCLUSIVE");
	d = database_open("a.db", (struct str){0}, &err);
	cr_assert(d, "%s", err.text);
	for (int i = 0; i < 3; i++)
		cr_expect(!database_next(d, &session, &err) && database_is_busy(d));
	run(db, "COMMIT");
	cr_expect(database_next(d, &session, &err), "%s", err.text);
	cr_expect(str_equal(session.id, STR("s1")));
	cr_expect_float_eq(session.written, 9, 1e-9);
	database_close(d);
	sqlite3_close(db);
}

Test(database, other_programs_tables_are_named)
{
	sqlite3 *db = make("a.db",
		"CREATE TABLE birds (id INT); CREATE TABLE bees (id INT)", "SELECT 1");

	EXPECT_TEXT(
		"a.db", "is a database whose tables no format describes: bees, birds");
	run(db, "DROP TABLE birds; DROP TABLE bees");
	EXPECT_TEXT(
		"a.db", "is a database whose tables no format describes: it has none");
	run(db, schema);
	EXPECT_TEXT("a.db", "is a database without a session");
	sqlite3_close(db);
}

/* Tables with JSON open by their names, or by the name of the file where one has some. */
Test(database, tables_with_json_are_offered)
{
	sqlite3 *db = make("a.db",
		"CREATE TABLE \"my calls\" (id INT, \"it's\" TEXT, raw BLOB);"
		"CREATE TABLE birds (id INT, name TEXT)",
		"INSERT INTO \"my calls\" VALUES (1, '{\"messages\":[]}', x'00ff'), "
		"(2, 'no json', NULL); INSERT INTO birds VALUES (1, '{broken')");
	static const char rows[] = "{\"id\":1,\"it's\":{\"messages\":[]},\"raw\":null}\n"
				   "{\"id\":2,\"it's\":\"no json\",\"raw\":null}\n";

	EXPECT_TEXT("a.db", rows);
	EXPECT_TEXT("a.db/my calls", rows);
	run(db, "CREATE TABLE runs (a, b); INSERT INTO runs VALUES ('[1]', '{}')");
	EXPECT_TEXT("a.db", "is a database that no format describes; these tables have "
			    "JSON, and open as "
			    "FILE/TABLE: my calls (it's), runs (a, b)");
	EXPECT_TEXT("a.db/runs", "{\"a\":[1],\"b\":{}}\n");
	EXPECT_TEXT("a.db/birds", "is a database that no format describes; these tables "
				  "have JSON, and open as "
				  "FILE/TABLE: my calls (it's), runs (a, b)");
	sqlite3_close(db);
}

static unsigned next_random(unsigned *state)
{
	return (*state = *state * 1103515245u + 12345u) >> 8;
}

/* Damages a copy of a file by a number: bytes, a page of noise, or a cut. */
static void damage(const char *from, const char *to, unsigned number)
{
	struct buf file = BUF_INIT;
	FILE *f = fopen(from, "rb");
	int c;

	cr_assert(f);
	while ((c = getc(f)) != EOF)
		buf_byte(&file, (char)c);
	fclose(f);
	for (unsigned i = 0; i <= number % 7; i++)
		file.data[next_random(&number) % file.len] = (char)next_random(&number);
	if (number % 5 == 0)
		memset(file.data + next_random(&number) % file.len / 512 * 512,
			(int)(number & 0xff), file.len % 512 ? file.len % 512 : 64);
	if (number % 11 == 0)
		file.len = next_random(&number) % file.len;
	f = fopen(to, "wb");
	cr_assert(f && fwrite(file.data, 1, file.len, f) == file.len);
	fclose(f);
	buf_done(&file);
}

/* A thousand damaged files: each gives a text or a message. */
Test(database, any_damage_is_survived)
{
	static const char *const names[2 + COUNT(samples)] = {
		"talk.db", "table.db", "2.db", "3.db", "4.db", "5.db", "6.db", "7.db"};
	size_t texts = 0, messages = 0;

	sqlite3_close(make(names[0], "PRAGMA page_size=512", schema));
	sqlite3_close(make(names[0], "SELECT 1", talk));
	sqlite3_close(make(names[1], "CREATE TABLE t (a TEXT, b TEXT)",
		"INSERT INTO t VALUES ('{\"messages\":[]}', 'x'), ('[1]', '{}')"));
	for (size_t i = 0; i < COUNT(samples); i++) {
		struct buf sql = sample_tables(samples[i]);

		sqlite3_close(make(names[2 + i], "PRAGMA page_size=512", sql.data));
		buf_done(&sql);
	}
	for (unsigned i = 0; i < 1000; i++) {
		struct buf text;

		damage(names[i % COUNT(names)], "b.db", i);
		text = text_of("b.db");
		texts += text.len && text.data[0] == '{';
		messages += text.len && text.data[0] != '{';
		buf_done(&text);
	}
	cr_expect_gt(texts, 100);
	cr_expect_gt(messages, 100);
}

#define WRITTEN 5000

/* A program writes while it is read: neither is in the way of the other. */
static int write_parts(void)
{
	sqlite3 *db;
	int status = sqlite3_open("a.db", &db) == SQLITE_OK ? 0 : 1;
	char sql[200];

	sqlite3_exec(db, "PRAGMA synchronous=OFF", NULL, NULL, NULL);
	for (int i = 0; i < WRITTEN && !status; i++) {
		snprintf(sql, sizeof(sql),
			"INSERT INTO part VALUES ('q%05d', 'm6', 's4', 1, 1, "
			"'{\"type\":\"text\",\"text\":\"word %d.\"}')",
			i, i);
		status = sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK;
	}
	sqlite3_close(db);
	return status;
}

Test(database, a_writer_at_work_and_its_reader_do_not_meet)
{
	sqlite3 *db = make("a.db", "PRAGMA journal_mode=WAL", schema);
	size_t reads = 0, found = 0;
	struct buf text;
	int status;
	pid_t writer;

	run(db, talk);
	sqlite3_close(db);
	writer = fork();
	if (!writer)
		_exit(write_parts());
	while (waitpid(writer, &status, WNOHANG) == 0) {
		text = text_of("a.db/s4");
		cr_assert(text.len && text.data[0] == '{', "%s", text.data);
		buf_done(&text);
		reads++;
	}
	cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	text = text_of("a.db/s4");
	for (const char *at = text.data; (at = strstr(at, "word ")); at++)
		found++;
	cr_expect_eq(found, WRITTEN);
	cr_expect_gt(reads, 0);
	buf_done(&text);
}

#define ROUNDS  40
#define GROWING 60

/* A program opens a database that no program had open, and writes into the file itself. */
static int write_pages(void)
{
	sqlite3 *db;
	int status = sqlite3_open("a.db", &db) == SQLITE_OK ? 0 : 1;

	sqlite3_busy_timeout(db, 5000); /* as every program that writes has one */
	sqlite3_exec(db, "PRAGMA synchronous=OFF; PRAGMA wal_autocheckpoint=1", NULL, NULL, NULL);
	for (int i = 0; i < GROWING && !status; i++)
		status = sqlite3_exec(db,
				 "INSERT INTO part SELECT hex(randomblob(8)), 'm6', 's4', 1, 1, "
				 "'{\"type\":\"text\",\"text\":\"word ' || hex(randomblob(900)) || "
				 "'.\"}'",
				 NULL, NULL, NULL) != SQLITE_OK;
	sqlite3_close(db);
	return status;
}

/* What no program has open is read as it stands, without a log; then a writer comes. */
Test(database, a_writer_that_comes_while_it_is_read)
{
	sqlite3 *db = make("a.db", "PRAGMA page_size=512", "PRAGMA journal_mode=WAL");
	size_t words = 0;

	run(db, schema);
	run(db, talk);
	sqlite3_close(db);
	for (int round = 0; round < ROUNDS; round++) {
		pid_t writer = fork();
		size_t found = 0;
		struct buf text;
		int status;

		if (!writer)
			_exit(write_pages());
		do {
			text = text_of("a.db/s4");
			cr_assert(text.len && text.data[0] == '{', "%s", text.data);
			buf_done(&text);
		} while (waitpid(writer, &status, WNOHANG) == 0);
		cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
		text = text_of("a.db/s4");
		for (const char *at = text.data; (at = strstr(at, "word ")); at++)
			found++;
		buf_done(&text);
		cr_expect_eq(found, words + GROWING);
		words = found;
	}
}

/* Each page in turn is overwritten, and the file is cut after each: there is a text or a
 * message, and memory stays whole. */
Test(database, damage_is_a_message)
{
	size_t texts = 0, messages = 0;
	struct stat st;

	sqlite3_close(make("a.db", "PRAGMA page_size=512", schema));
	sqlite3_close(make("a.db", "SELECT 1", talk));
	cr_assert_eq(stat("a.db", &st), 0);
	for (off_t at = 0; at < st.st_size; at += 128) {
		char noise[64];
		struct buf text;
		int fd;

		memset(noise, (int)(at / 128 * 37), sizeof(noise));
		cr_assert_eq(system("cp a.db b.db"), 0);
		fd = open("b.db", O_WRONLY);
		if (at % 256)
			cr_assert_eq(ftruncate(fd, at), 0);
		else
			cr_assert_eq(pwrite(fd, noise, sizeof(noise), at + 16), 64);
		close(fd);
		text = text_of("b.db");
		texts += text.len && text.data[0] == '{';
		messages += text.len && text.data[0] != '{';
		buf_done(&text);
	}
	cr_expect_gt(texts, 0);
	cr_expect_gt(messages, 0);
}

/* Values that no program writes; a table that is a view of the schema's own. */
Test(database, rows_that_are_no_json)
{
	sqlite3 *db = make("a.db", schema, talk);
	struct buf text;

	run(db, "UPDATE part SET data = 'no json' WHERE id = 'p1'");
	text = text_of("a.db");
	cr_expect(strstr(text.data, "Kelp?"), "%s", text.data);
	buf_done(&text);
	run(db, "DELETE FROM session; DROP TABLE message; CREATE VIEW message AS SELECT "
		"'m' id, 's' session_id, 1 time_created, 1 time_updated, "
		"load_extension('x') data;" SESSION("s", "NULL", "View", 1));
	text = text_of("a.db"); /* the only table with JSON: the view is not asked */
	cr_expect(strstr(text.data, "Corals?"), "%s", text.data);
	buf_done(&text);
	sqlite3_close(db);
}

Test(database, a_session_is_followed)
{
	sqlite3 *db = make("a.db", "PRAGMA journal_mode=WAL", schema);
	struct err err = {.offset = ERR_NOWHERE};
	struct source *s;

	run(db, talk);
	s = source_open("a.db/s4", &err);
	cr_assert(s, "%s", err.text);
	source_follow(s, true);
	cr_expect(source_follows(s));
	for (int i = 0; i < 12 && source_change(s) == SOURCE_SAME; i++) {
		cr_expect(source_pump(s, &err), "%s", err.text);
		cr_expect_eq(source_complete(s), source_change(s) != SOURCE_SAME);
		if (i == 3)
			run(db, "UPDATE session SET title = 'Weed'");
		usleep(200000);
	}
	cr_expect_eq(source_change(s), SOURCE_REWRITTEN);
	source_free(s);
	sqlite3_close(db);
}

Test(database, a_stream_is_no_file)
{
	int pipe_fds[2];

	cr_assert_eq(pipe(pipe_fds), 0);
	cr_assert_eq(write(pipe_fds[1], "SQLite format 3\0....", 20), 20);
	close(pipe_fds[1]);
	cr_assert_eq(dup2(pipe_fds[0], STDIN_FILENO), STDIN_FILENO);
	EXPECT_TEXT("-", "is a database, which is read by the name of its file alone");
}
