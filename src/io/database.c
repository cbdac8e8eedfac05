/* The one user of SQLite: see database.h. */
#include "config.h"
#include "io/database.h"

#include <inttypes.h>
#include <math.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/work.h"
#include "io/source.h"

#define SESSIONS_MOST 100000
#define TABLES_MOST   8                   /* that a message names */
#define VALUE_MOST    (256 * 1024 * 1024) /* bytes of a row */
#define HEAP_MOST     (1024LL * 1024 * 1024)
#define CHECK_EVERY   4000 /* instructions between two looks at the clock */
#define PAUSE         2 /* milliseconds between two attempts at a locked file */
#define SECOND        1000000u

static const struct str magic = {"SQLite format 3", DATABASE_HEAD};
static database_queries_fn *all_queries;

enum { LIST, HEAD, RECORDS, STATEMENTS };

struct database {
	char *file;
	sqlite3 *handle;
	sqlite3_stmt *asked[STATEMENTS]; /* NULL before it is known which are answered */
	struct database_queries queries;
	struct stat
		found; /* of a file that no program writes: it is read as it was then */
	bool still;    /* ... it is one */
	uint64_t deadline; /* of the row that is asked for */
	uint64_t locked;   /* since when; 0: it is not */
	bool busy; /* the last call was in vain, for a writer: it is to be repeated */
	char *session;     /* the one that is wanted, or NULL */
	char **ids;        /* of the sessions to read */
	size_t count, cap, next;
	bool listed;
	bool begun;                                  /* the head of a session was read, */
	uint64_t records;                            /* ... and so many of its records */
	uint64_t given;                              /* sessions that gave something */
	size_t rows;                                 /* of the query that runs */
	size_t skipped; /* rows of it that were had before the database was opened again
			 */
};

void database_set_queries(database_queries_fn *queries)
{
	all_queries = queries;
}

/* ---- which files ---- */

enum likeness database_recognize(struct str head)
{
	if (head.n < magic.n)
		return str_starts(magic, head) ? LIKE_MAYBE : LIKE_NONE;
	return str_starts(head, magic) ? LIKE_SURELY : LIKE_NONE;
}

bool database_is(const char *path)
{
	char head[DATABASE_HEAD];

	return database_recognize((struct str){
		       head, file_read_head(path, head, sizeof(head))}) == LIKE_SURELY;
}

bool database_split(const char *path, struct buf *file, struct buf *session)
{
	struct stat st;

	for (const char *at = path; (at = strchr(at + (*at == '/'), '/'));) {
		buf_clear(file);
		buf_add(file, path, (size_t)(at - path));
		if (file->len && stat(file->data, &st) == 0 && S_ISREG(st.st_mode)) {
			buf_clear(session);
			buf_text(session, at + 1);
			return session->len && database_is(file->data);
		}
	}
	return false;
}

struct database_stamp database_stamp(const char *file)
{
	struct database_stamp stamp = {{0}, {0}};
	AUTO_BUF log = BUF_INIT;
	struct stat st;

	buf_printf(&log, "%s-wal", file);
	for (int i = 0; i < 2; i++) {
		if (stat(i ? log.data : file, &st) != 0)
			continue;
		stamp.at[2 * i] = st.st_mtim.tv_sec;
		stamp.at[2 * i + 1] = st.st_mtim.tv_nsec;
		stamp.size[i] = st.st_size;
	}
	return stamp;
}

/* ---- opening ---- */

/* Of a file with a write-ahead log, but none beside it: no program has it open.  It is
 * read as it is then, for to read the log is to make one. */
static bool is_still(const char *file)
{
	enum { WRITE_VERSION = 18, WAL = 2 };
	char head[WRITE_VERSION + 1];
	AUTO_BUF log = BUF_INIT;

	buf_printf(&log, "%s-wal", file);
	return file_read_head(file, head, sizeof(head)) == sizeof(head) &&
	       head[WRITE_VERSION] == WAL && access(log.data, F_OK) != 0;
}

/* Called by SQLite now and then: not 0 ends the query. */
static int is_late(void *database)
{
	return clock_passed(((const struct database *)database)->deadline);
}

/* `unpacked(value)`, for queries: what zstd, gzip, xz or bzip2 made of a text, else the
 * value itself; null where that is damaged or too large. */
static void unpacked(sqlite3_context *context, int count, sqlite3_value **values)
{
	struct str value = {
		sqlite3_value_blob(values[0]), (size_t)sqlite3_value_bytes(values[0])};
	const struct codec *codec = NULL;
	AUTO_BUF text = BUF_INIT;

	if (codec_recognize(value, &codec) != LIKE_SURELY)
		sqlite3_result_value(context, values[0]);
	else if (codec_unpack(codec, value, VALUE_MOST, &text))
		sqlite3_result_text(context, text.data, (int)text.len, SQLITE_TRANSIENT);
}

/* Opens the file, as one that no program writes or with its log.  It is a stranger's:
 * what its schema says is not trusted. */
static int open_handle(struct database *d)
{
	static const struct {
		int what, value;
	} settings[] = {
		{SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
		{SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
		{SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1},
		{SQLITE_DBCONFIG_DEFENSIVE, 1},
		{SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
	};
	AUTO_BUF address = BUF_INIT;
	int code;

	buf_text(&address, *d->file == '/' ? "file:" : "file:./");
	buf_percent(&address, str_of(d->file), "/._-~");
	buf_text(&address, d->still ? "?mode=ro&immutable=1" : "?mode=ro");
	code = sqlite3_open_v2(address.data, &d->handle,
		SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, NULL);
	if (code != SQLITE_OK)
		return code;
	for (size_t i = 0; i < sizeof(settings) / sizeof(*settings); i++)
		sqlite3_db_config(d->handle, settings[i].what, settings[i].value, NULL);
	sqlite3_limit(d->handle, SQLITE_LIMIT_LENGTH, VALUE_MOST);
	sqlite3_limit(d->handle, SQLITE_LIMIT_ATTACHED, 0);
	sqlite3_hard_heap_limit64(HEAP_MOST);
	sqlite3_exec(d->handle,
		"PRAGMA query_only=1; PRAGMA cell_size_check=1; PRAGMA temp_store=2; "
		"PRAGMA cache_size=-4000; PRAGMA mmap_size=0",
		NULL, NULL, NULL);
	sqlite3_create_function(d->handle, "unpacked", 1,
		SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, NULL, unpacked,
		NULL, NULL);
	sqlite3_progress_handler(d->handle, CHECK_EVERY, is_late, d);
	return code;
}

struct database *database_open(const char *file, struct str session, struct err *err)
{
	struct database *d = mem_zalloc(1, sizeof(*d));
	int code;

	d->file = mem_dup(file, strlen(file));
	d->session = session.n ? mem_dup(session.p, session.n) : NULL;
	d->still = is_still(file) && stat(file, &d->found) == 0;
	code = open_handle(d);
	if (code != SQLITE_OK) {
		err_set(err, "cannot be opened: %s", sqlite3_errstr(code));
		database_close(d);
		return NULL;
	}
	return d;
}

static void close_handle(struct database *d)
{
	for (int i = 0; i < STATEMENTS; i++) {
		sqlite3_finalize(d->asked[i]);
		d->asked[i] = NULL;
	}
	sqlite3_close(d->handle);
	d->handle = NULL;
}

void database_close(struct database *d)
{
	if (!d)
		return;
	close_handle(d);
	for (size_t i = 0; i < d->count; i++)
		mem_free(d->ids[i]);
	mem_free(d->ids);
	mem_free(d->session);
	mem_free(d->file);
	mem_free(d);
}

/* ---- asking ---- */

/* Whether what was still when it was opened has a writer now. */
static bool is_written(const struct database *d)
{
	struct stat now;

	return d->still && (!is_still(d->file) || stat(d->file, &now) != 0 ||
				   now.st_size != d->found.st_size ||
				   now.st_mtime != d->found.st_mtime);
}

static void ask_about(struct database *d, int which, const char *session);
static int prepare(struct database *d, const struct database_queries *q);
static bool ask_table(struct database *d, const char *table);

/* A writer has come: from now on the file is read with its log, and the query that runs
 * goes on after the rows that it gave.  False: that cannot be. */
static bool open_anew(struct database *d)
{
	bool described = d->queries.records.texts[0].n > 0 && d->asked[RECORDS];
	bool table = d->asked[RECORDS] && !described;

	close_handle(d);
	d->still = false;
	d->skipped = d->rows;
	if (open_handle(d) != SQLITE_OK)
		return false;
	if ((described && prepare(d, &d->queries) != SQLITE_OK) ||
		(table && !ask_table(d, d->ids[0])))
		return false;
	if (d->next < d->count) {
		ask_about(d, HEAD, d->ids[d->next]);
		ask_about(d, RECORDS, d->ids[d->next]);
	}
	return true;
}

/* A call was no success.  A file that a writer has locked is tried again for a while, one
 * that is written since is opened again: then the database is busy; else err is set. */
static void fail(struct database *d, int code, struct err *err)
{
	code &= 0xff;
	d->busy = is_written(d) && open_anew(d);
	if (d->busy)
		return;
	if (code == SQLITE_BUSY || code == SQLITE_LOCKED) {
		if (!d->locked)
			d->locked = clock_us();
		d->busy = !d->rows && clock_us() - d->locked < DATABASE_WAIT * SECOND;
		if (d->busy)
			sqlite3_sleep(PAUSE);
		else
			err_set(err,
				"is locked by a program that writes it; open it again");
	} else if (code == SQLITE_INTERRUPT) {
		err_set(err, "was not read: a query took more than %d seconds",
			DATABASE_ROW_MOST);
	} else if (code == SQLITE_CANTOPEN) {
		err_set(err,
			"cannot be read: its write-ahead log needs a folder that can "
			"be written; copy it with the files -wal and -shm");
	} else {
		err_set(err, "cannot be read as a database: %s",
			sqlite3_errmsg(d->handle));
	}
}

bool database_is_busy(const struct database *d)
{
	return d->busy;
}

/* The next row.  False: there is none, or none now as it is busy, or with err. */
static bool step(struct database *d, int which, struct err *err)
{
	int code;

	d->busy = false;
	do {
		d->deadline = clock_deadline((uint64_t)DATABASE_ROW_MOST * SECOND);
		code = sqlite3_step(d->asked[which]);
	} while (code == SQLITE_ROW && d->skipped && d->skipped--);
	if (code == SQLITE_ROW) {
		d->locked = 0;
		d->rows++;
		return true;
	}
	if (code != SQLITE_DONE)
		fail(d, code, err);
	sqlite3_reset(d->asked[which]);
	d->rows = d->skipped; /* those that it gave before, if it begins again */
	return false;
}

/* The bytes of a column; valid until the next step. */
static struct str column(struct database *d, int which, int at)
{
	const void *bytes = sqlite3_column_blob(d->asked[which], at);

	return (struct str){bytes, (size_t)sqlite3_column_bytes(d->asked[which], at)};
}

static void ask_about(struct database *d, int which, const char *session)
{
	int at = d->asked[which]
			 ? sqlite3_bind_parameter_index(d->asked[which], ":session")
			 : 0;

	if (at)
		sqlite3_bind_text(d->asked[which], at, session, -1, SQLITE_TRANSIENT);
}

static void want(struct database *d, struct str id)
{
	*MEM_ADD(d->ids, d->count, d->cap) = mem_dup(id.p ? id.p : "", id.n);
}

/* ---- tables that no format describes ---- */

/* Whether a column has a JSON value: for its name, three times. */
#define HAS_JSON "(\"%w\" LIKE '{%%' OR \"%w\" LIKE '[%%') AND json_valid(\"%w\")"

/* A query with names of tables and columns: %w where they are names, %Q where they are
 * texts (https://sqlite.org/printf.html).  NULL: it cannot be asked. */
static sqlite3_stmt *prepare_made(struct database *d, const char *format, ...)
{
	sqlite3_stmt *made = NULL;
	va_list names;
	char *text;

	va_start(names, format);
	text = sqlite3_vmprintf(format, names);
	va_end(names);
	d->deadline = clock_deadline((uint64_t)DATABASE_ROW_MOST * SECOND);
	if (text)
		sqlite3_prepare_v2(d->handle, text, -1, &made, NULL);
	sqlite3_free(text);
	return made;
}

static sqlite3_stmt *ask_columns(struct database *d, const char *table)
{
	return prepare_made(d, "SELECT name FROM pragma_table_info(%Q)", table);
}

/* Its columns with JSON: "calls (request, response)"; false: it has none. */
static bool put_table(struct database *d, const char *table, struct buf *out)
{
	sqlite3_stmt *columns = ask_columns(d, table);
	size_t before = out->len, count = 0;

	while (columns && sqlite3_step(columns) == SQLITE_ROW) {
		const char *name = (const char *)sqlite3_column_text(columns, 0);
		sqlite3_stmt *asked;

		if (!name)
			continue;
		asked = prepare_made(d, "SELECT 1 FROM \"%w\" WHERE " HAS_JSON " LIMIT 1",
			table, name, name, name);
		if (asked && sqlite3_step(asked) == SQLITE_ROW)
			buf_printf(out, "%s%s", count++ ? ", " : " (", name);
		sqlite3_finalize(asked);
	}
	sqlite3_finalize(columns);
	if (count)
		buf_byte(out, ')');
	return out->len > before;
}

/* The tables, with their columns of JSON, for a message; the last with some is copied. */
static size_t put_tables(
	struct database *d, struct buf *all, struct buf *json, char **last)
{
	sqlite3_stmt *names =
		prepare_made(d, "SELECT name FROM sqlite_master WHERE type = 'table' AND "
				"name NOT LIKE 'sqlite\\_%%' ESCAPE '\\' ORDER BY name");
	size_t count = 0, with = 0;

	while (names && sqlite3_step(names) == SQLITE_ROW) {
		const char *name = (const char *)sqlite3_column_text(names, 0);
		size_t before = json->len;

		if (!name)
			continue;
		if (count++ < TABLES_MOST)
			buf_printf(all, "%s%s", count > 1 ? ", " : "", name);
		if (with >= TABLES_MOST)
			continue;
		buf_printf(json, "%s%s", with ? ", " : "", name);
		if (!put_table(d, name, json)) {
			json->len = before;
			continue;
		}
		with++;
		mem_free(*last);
		*last = mem_dup(name, strlen(name));
	}
	sqlite3_finalize(names);
	if (count > TABLES_MOST)
		buf_printf(all, " and %zu more", count - TABLES_MOST);
	return with;
}

/* The rows of a table as objects; false: there is no such table, or it has no JSON. */
static bool ask_table(struct database *d, const char *table)
{
	sqlite3_stmt *columns = ask_columns(d, table);
	sqlite3_str *members = sqlite3_str_new(d->handle);
	AUTO_BUF json = BUF_INIT;
	bool any = false;
	char *object;

	for (; columns && sqlite3_step(columns) == SQLITE_ROW; any = true) {
		const char *name = (const char *)sqlite3_column_text(columns, 0);

		sqlite3_str_appendf(members,
			"%s%Q, CASE WHEN " HAS_JSON " THEN json(\"%w\") "
			"WHEN typeof(\"%w\") = 'blob' THEN NULL ELSE \"%w\" END",
			any ? ", " : "", name, name, name, name, name, name, name);
	}
	sqlite3_finalize(columns);
	object = sqlite3_str_finish(members);
	if (any && put_table(d, table, &json))
		d->asked[RECORDS] = prepare_made(
			d, "SELECT json_object(%s) FROM \"%w\"", object, table);
	sqlite3_free(object);
	return d->asked[RECORDS] != NULL;
}

/* The table that is named, or the only one with JSON, as the one session to read; else a
 * message says which there are. */
static bool find_table(struct database *d, struct err *err)
{
	AUTO_BUF all = BUF_INIT, json = BUF_INIT;
	AUTO_FREE char *table = NULL;
	size_t with;

	if (d->session && ask_table(d, d->session)) {
		want(d, str_of(d->session));
		return true;
	}
	with = put_tables(d, &all, &json, &table);
	if (with == 1 && !d->session && ask_table(d, table))
		want(d, str_of(table));
	else if (with)
		err_set(err,
			"is a database that no format describes; these tables have JSON, "
			"and open as FILE/TABLE: %s",
			json.data);
	else
		err_set(err, "is a database whose tables no format describes: %s",
			all.len ? all.data : "it has none");
	return d->count > 0;
}

/* Makes the statements of one format; SQLITE_ERROR: its tables are not here. */
static int prepare(struct database *d, const struct database_queries *q)
{
	const struct database_query *asked[STATEMENTS] = {
		&q->sessions, &q->session, &q->records};
	int code = SQLITE_OK;

	for (int i = 0; i < STATEMENTS && code == SQLITE_OK; i++)
		for (const struct str *t = asked[i]->texts; t->n; t++) {
			code = sqlite3_prepare_v2(
				d->handle, t->p, (int)t->n, &d->asked[i], NULL);
			if (code != SQLITE_ERROR)
				break;
		}
	for (int i = 0; i < STATEMENTS && code != SQLITE_OK; i++) {
		sqlite3_finalize(d->asked[i]);
		d->asked[i] = NULL;
	}
	d->queries = *q;
	return code;
}

/* Finds the format whose queries the database can answer.  False: there is none, or none
 * now as it is busy, or with err. */
static bool find_queries(struct database *d, struct err *err)
{
	struct database_queries q;

	d->busy = false;
	d->deadline = clock_deadline((uint64_t)DATABASE_ROW_MOST * SECOND);
	for (size_t i = 0; all_queries && all_queries(i, &q); i++) {
		int code = prepare(d, &q);

		if (code == SQLITE_OK)
			return true;
		if (code != SQLITE_ERROR) {
			fail(d, code, err);
			break;
		}
	}
	return false;
}

bool database_next(struct database *d, struct database_session *out, struct err *err)
{
	if (!d->asked[LIST] && !find_queries(d, err)) {
		if (!d->busy && !err->text)
			err_set(err, "is a database that no format describes");
		return false;
	}
	if (!step(d, LIST, err))
		return false;
	out->id = column(d, LIST, 0);
	out->written =
		sqlite3_column_count(d->asked[LIST]) < 2 ||
				sqlite3_column_type(d->asked[LIST], 1) == SQLITE_NULL
			? NAN
			: sqlite3_column_double(d->asked[LIST], 1);
	return true;
}

/* ---- reading ---- */

/* Which sessions are read: no lock is held while they are. */
static bool list(struct database *d, struct unpack_sink *out, struct err *err)
{
	struct database_session session;

	if (!d->asked[RECORDS] && !find_queries(d, err)) {
		if (d->busy || err->text)
			return d->busy;
		d->listed = true;
		return find_table(d, err);
	}
	if (d->session) {
		d->listed = true;
		want(d, str_of(d->session));
		return true;
	}
	if (d->count < SESSIONS_MOST && database_next(d, &session, err)) {
		want(d, session.id);
		return true;
	}
	if (err->text && !d->count)
		return false;
	if (err->text)
		unpack_sink_note(out, ERR_NOWHERE, "%s", err->text);
	err_done(err);
	d->listed = !d->busy;
	return true;
}

static bool put(struct unpack_sink *out, struct str text, struct err *err)
{
	return unpack_sink_put(out, text, UINT64_MAX, err);
}

/* A session begins: a member, and the object around its records. */
static bool begin_session(struct database *d, struct unpack_sink *out, struct err *err)
{
	struct str object = STR("{}");
	AUTO_BUF text = BUF_INIT;

	ask_about(d, HEAD, d->ids[d->next]);
	if (d->asked[HEAD] && !step(d, HEAD, err)) {
		if (!d->busy && !err->text)
			err_set(err, "has no session %s", d->ids[d->next]);
		return d->busy;
	}
	if (d->asked[HEAD])
		object = str_trim(column(d, HEAD, 0));
	if (!d->session)
		unpack_sink_begin_member(out, str_of(d->ids[d->next]));
	if (d->asked[HEAD] && object.n > 1 && object.p[object.n - 1] == '}') {
		buf_add(&text, object.p, object.n - 1);
		buf_printf(&text, "%s\"%.*s\":[", object.n > 2 ? "," : "",
			(int)d->queries.member.n, d->queries.member.p);
	}
	sqlite3_reset(d->asked[HEAD]);
	d->begun = true;
	d->records = 0;
	d->rows = 0;
	d->given++;
	ask_about(d, RECORDS, d->ids[d->next]);
	return put(out, buf_view(&text), err);
}

static bool end_session(struct database *d, struct unpack_sink *out, struct err *err)
{
	d->begun = false;
	d->next++;
	return put(out, d->asked[HEAD] ? STR("]}\n") : STR("\n"), err);
}

static bool read_session(struct database *d, struct unpack_sink *out, struct err *err)
{
	struct str record;
	bool more;

	if (d->begun && step(d, RECORDS, err)) {
		record = column(d, RECORDS, 0);
		if (!record.n)
			return true;
		if (d->records++ &&
			!put(out, d->asked[HEAD] ? STR(",\n") : STR("\n"), err))
			return false;
		return put(out, record, err);
	}
	if (d->begun && !d->busy && !err->text)
		return end_session(d, out, err);
	more = d->begun ? d->busy : begin_session(d, out, err);
	if (!err->text || d->session)
		return more;
	/* One that is damaged leaves the others as they are. */
	unpack_sink_note(out, ERR_NOWHERE, "%s: %s", d->ids[d->next], err->text);
	err_done(err);
	if (d->begun)
		return end_session(d, out, err);
	d->next++;
	return true;
}

bool database_read(struct database *d, struct unpack_sink *out, struct err *err)
{
	if (!d->listed)
		return list(d, out, err);
	if (d->next < d->count)
		return read_session(d, out, err);
	if (is_written(d))
		unpack_sink_note(
			out, ERR_NOWHERE, "was written while it was read; open it again");
	if (!d->given)
		err_set(err,
			out->note_count ? "cannot be read: %s"
					: "is a database without a session%s",
			out->note_count ? out->notes[0].text : "");
	return false;
}
