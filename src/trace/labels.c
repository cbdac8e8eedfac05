/* See labels.h. */
#include "config.h"
#include "trace/labels.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/work.h"
#include "json/check.h"
#include "json/cursor.h"
#include "json/json.h"

#define HEAD (32u << 10) /* bytes of a step at either end that tell it */
#define MOST (64u << 20) /* bytes of a file of labels */
#define LOOK 100000      /* microseconds between two looks at it */

static struct {
	const char *path; /* as it was named */
	struct buf place; /* its path, with a NUL; empty: not known yet */
	struct label_set set;
	off_t read;       /* bytes of the file that are known */
	ino_t file;
	uint64_t looked_at; /* microseconds: for more in the file */
} own;

void labels_use(const char *path)
{
	own.path = path;
}

struct str labels_path(void)
{
	if (!own.place.len) {
		if (own.path)
			buf_text(&own.place, own.path);
		else if (home_state(&own.place))
			buf_text(&own.place, "/labels.jsonl");
	}
	return buf_view(&own.place);
}

/* ---- which step ---- */

static uint64_t hash_at(
	const struct trace *trace, uint64_t hash, uint64_t offset, size_t n, bool line)
{
	AUTO_FREE char *piece = mem_alloc(n + 1);
	const char *end;

	n = inputs_read(trace->inputs, offset, piece, n);
	end = line ? memchr(piece, '\n', n) : NULL;
	return fnv_add(hash, (struct str){piece, end ? (size_t)(end - piece) : n});
}

static uint64_t key_of(const struct trace *trace, const struct step *s)
{
	size_t n = s->length < HEAD ? (size_t)s->length : HEAD;
	uint64_t hash = hash_at(trace, FNV_BEGIN, s->offset, n, s->flags & STEP_TURN);

	if (!(s->flags & STEP_TURN) && s->length > HEAD)
		hash = hash_at(trace, hash ^ s->length, s->offset + s->length - HEAD, HEAD,
			false);
	return hash ? hash : 1;
}

/* ---- reading ---- */

static struct str take_text(struct label_set *set, struct jv value)
{
	AUTO_BUF text = BUF_INIT;

	return arena_dup(&set->texts, jv_str(value, &text));
}

static void take_line(struct label_set *set, struct str line)
{
	AUTO_BUF name = BUF_INIT;
	struct label *l;
	uint64_t hash;
	uint32_t i;

	if (!json_is_whole(line, NULL))
		return; /* a write that was cut */
	JV_MEMBERS(v, jv_parse(line), key, label, note, step, trace);
	if (v.key.kind != J_STRING)
		return;
	jv_text(v.key, &name);
	hash = strtoull(name.data ? name.data : "", NULL, 16);
	if (!hash)
		return;
	i = idmap_find(&set->known, hash);
	if (i == MAP_NONE) {
		i = (uint32_t)set->count;
		*(struct label *)MEM_ADD(set->items, set->count, set->cap) =
			(struct label){.key = hash};
		idmap_add(&set->known, hash, i);
	}
	l = &set->items[i];
	l->text = take_text(set, v.label);
	l->note = take_text(set, v.note);
	l->step = take_text(set, v.step);
	l->trace = take_text(set, v.trace);
}

/* Takes whole lines from an offset on; where the rest begins. */
static off_t read_lines(struct label_set *set, int fd, off_t from, off_t size)
{
	AUTO_BUF text = BUF_INIT;
	struct str rest, line;
	off_t end;
	ssize_t n;

	if (size - from > (off_t)MOST)
		return from;
	buf_reserve(&text, (size_t)(size - from));
	n = pread(fd, text.data, (size_t)(size - from), from);
	text.len = n > 0 ? (size_t)n : 0;
	while (text.len && text.data[text.len - 1] != '\n')
		text.len--; /* it is still being written */
	end = from + (off_t)text.len;
	rest = buf_view(&text);
	while (str_next_line(&rest, &line))
		take_line(set, line);
	return end;
}

void label_set_done(struct label_set *set)
{
	arena_done(&set->texts);
	mem_free(set->items);
	idmap_done(&set->known);
	*set = (struct label_set){0};
}

bool label_set_read(struct label_set *set, const char *path, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
		err_set(err, "%s: cannot be read: %s", path,
			fd < 0 ? strerror(errno) : "it is no file");
		if (fd >= 0)
			close(fd);
		return false;
	}
	read_lines(set, fd, 0, st.st_size);
	close(fd);
	return true;
}

const struct label *label_set_find(const struct label_set *set, uint64_t key)
{
	uint32_t i = idmap_find(&set->known, key);

	return i == MAP_NONE || !set->items[i].text.n ? NULL : &set->items[i];
}

bool labels_any(void)
{
	uint64_t now = clock_us();
	struct stat st;
	int fd;

	if (own.looked_at && now - own.looked_at < LOOK)
		return own.set.count;
	own.looked_at = now;
	if (!labels_path().n || stat(own.place.data, &st) != 0 || !S_ISREG(st.st_mode))
		return own.set.count;
	if (st.st_ino == own.file && st.st_size == own.read)
		return own.set.count;
	fd = open(own.place.data, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return own.set.count;
	if (st.st_ino != own.file || st.st_size < own.read) {
		label_set_done(&own.set);
		own.read = 0;
	}
	own.file = st.st_ino;
	own.read = read_lines(&own.set, fd, own.read, st.st_size);
	close(fd);
	return own.set.count;
}

const struct label *labels_of(const struct trace *trace, const struct step *s)
{
	return labels_any() ? label_set_find(&own.set, key_of(trace, s)) : NULL;
}

/* ---- adding ---- */

bool labels_put(const struct trace *trace, const struct step *s, struct str text,
	struct str note, struct str name, struct err *err)
{
	AUTO_BUF line = BUF_INIT;
	int fd = labels_path().n ? open(own.place.data,
					   O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600)
				 : -1;
	char last = '\n', moment[32] = "";
	time_t now = time(NULL);
	bool ok = false;
	struct tm tm;

	text.n = text.n < LABEL_MOST ? text.n : LABEL_MOST;
	note.n = note.n < NOTE_MOST ? note.n : NOTE_MOST;
	if (gmtime_r(&now, &tm))
		(void)strftime(moment, sizeof(moment), "%Y-%m-%dT%H:%M:%SZ", &tm);
	if (fd >= 0 && flock(fd, LOCK_EX) == 0) {
		off_t size = lseek(fd, 0, SEEK_END);

		/* after a line that was cut, ours begins on its own */
		if (size > 0 && pread(fd, &last, 1, size - 1) == 1 && last != '\n')
			buf_byte(&line, '\n');
		buf_printf(&line, "{\"key\":\"%016" PRIx64 "\"", key_of(trace, s));
		if (text.n)
			json_put_text(&line, "label", text);
		else
			json_put_null(&line, "label");
		json_put_text(&line, "note", note);
		json_put_text(&line, "step", name);
		json_put_text(
			&line, "trace", str_of(inputs_name_at(trace->inputs, s->offset)));
		json_put_text(&line, "at", str_of(moment));
		buf_text(&line, "}\n");
		ok = write(fd, line.data, line.len) == (ssize_t)line.len;
	}
	if (!ok)
		err_set(err, "the label is not kept: %s",
			own.place.len ? strerror(errno) : "there is no home folder");
	own.looked_at = 0;
	if (fd >= 0)
		close(fd);
	return ok;
}
