/* See list.h. */
#include "config.h"
#include "sessions/list.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stddef.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/embedded.h"
#include "base/file.h"
#include "base/map.h"
#include "base/mem.h"
#include "import/known.h"
#include "io/database.h"
#include "sessions/sessions.h"
#include "sessions/state_file.h"
#include "sessions/summary.h"

/* ---- the form of a summary: one description both writes and reads it, and what was
 * damaged is found out ---- */

#define CODER_FORM 2 /* to be raised when the form changes */

struct coder {
	struct buf *out;      /* written to, or NULL: */
	const char *at, *end; /* read from */
	bool bad;             /* what was read is none */
	struct intern *names; /* of formats and tools, which point into it when read */
};

#define MS_MOST  8e15 /* milliseconds that a double counts one by one */
#define INT_MOST (UINT64_C(1) << 52)

static void code_bytes(struct coder *c, void *p, size_t n)
{
	if (c->out) {
		buf_add(c->out, p, n);
	} else if ((size_t)(c->end - c->at) < n) {
		c->bad = true;
		memset(p, 0, n);
	} else {
		memcpy(p, c->at, n);
		c->at += n;
	}
}

/* Seven bits a byte, the lowest first. */
static void coder_number(struct coder *c, uint64_t *n)
{
	uint64_t v = *n;
	unsigned char byte;

	for (; c->out && v > 127; v >>= 7)
		buf_byte(c->out, (char)(v | 128));
	if (c->out) {
		buf_byte(c->out, (char)v);
		return;
	}
	*n = 0;
	for (unsigned bits = 0; bits < 64; bits += 7) {
		if (c->at == c->end)
			break;
		byte = (unsigned char)*c->at++;
		*n |= (uint64_t)(byte & 127) << bits;
		if (byte < 128)
			return;
	}
	c->bad = true;
}

/* Whole ones, which most are, as twice that; NaN as 1; others as 3 and their bytes. */
static void code_double(struct coder *c, double *d)
{
	uint64_t n = 3;

	if (c->out && isnan(*d))
		n = 1;
	else if (c->out && *d >= 0 && *d < (double)INT_MOST && !signbit(*d) &&
		 *d == (double)(uint64_t)*d)
		n = (uint64_t)*d * 2;
	coder_number(c, &n);
	if (n == 3)
		code_bytes(c, d, sizeof(*d));
	else if (!c->out)
		*d = n == 1 ? NAN : (double)(n >> 1);
}

/* A count of things that take a byte at least. */
static size_t code_count(struct coder *c, size_t count)
{
	uint64_t n = count;

	coder_number(c, &n);
	if (!c->out && n > (uint64_t)(c->end - c->at)) {
		c->bad = true;
		return 0;
	}
	return (size_t)n;
}

static struct str code_view(struct coder *c, struct str text)
{
	text.n = code_count(c, text.n);
	if (c->out) {
		buf_str(c->out, text);
	} else {
		text.p = c->at;
		c->at += text.n;
	}
	return text;
}

/* That the program knows as long as it runs. */
static struct str code_name(struct coder *c, struct str name)
{
	struct str got = code_view(c, name);

	return c->out || !got.n ? got : intern_get(c->names, intern_add(c->names, got));
}

enum { ITEM_ESTIMATED = 1, ITEM_FAILED = 2, ITEM_REQUEST = 4, ITEM_MS = 8 };

/* As the milliseconds since the one before, either way. */
static void code_moment(struct coder *c, double *at, int64_t *last)
{
	int64_t more = c->out ? (int64_t)round(*at * 1000) - *last : 0;
	uint64_t n = more < 0 ? ((uint64_t)-more << 1) - 1 : (uint64_t)more << 1;

	coder_number(c, &n);
	more = n & 1 ? -(int64_t)((n >> 1) + 1) : (int64_t)(n >> 1);
	*last = (int64_t)((uint64_t)*last + (uint64_t)more);
	if (!c->out)
		*at = (double)*last / 1000;
}

static void code_item(struct coder *c, struct usage_item *i, int64_t *last)
{
	double *const figures[] = {&i->tokens.fresh, &i->tokens.cache_read,
		&i->tokens.cache_write, &i->tokens.cache_hour, &i->tokens.output,
		&i->cost};
	bool ms = fabs(i->at) < MS_MOST / 1000 && round(i->at * 1000) / 1000 == i->at;
	uint8_t flags = (uint8_t)((i->estimated ? ITEM_ESTIMATED : 0) |
				  (i->failed ? ITEM_FAILED : 0) |
				  (i->request ? ITEM_REQUEST : 0) | (ms ? ITEM_MS : 0));
	uint64_t model = i->model;

	code_bytes(c, &flags, 1);
	if (flags & ITEM_MS)
		code_moment(c, &i->at, last);
	else
		code_bytes(c, &i->at, sizeof(i->at));
	for (size_t k = 0; k < sizeof(figures) / sizeof(*figures); k++)
		code_double(c, figures[k]);
	if (flags & ITEM_REQUEST)
		code_bytes(c, &i->request, sizeof(i->request));
	coder_number(c, &model);
	if (c->out)
		return;
	i->model = (uint32_t)model;
	i->estimated = flags & ITEM_ESTIMATED;
	i->failed = flags & ITEM_FAILED;
}

static void code_usage(struct coder *c, struct usage *u)
{
	size_t models = code_count(c, u->models.count), count;
	int64_t last = 0;

	for (size_t i = 0; i < models && !c->bad; i++) {
		struct str model = code_view(c, intern_get(&u->models, (uint32_t)i));

		if (!c->out)
			c->bad |= intern_add(&u->models, model) != i;
	}
	count = code_count(c, u->count);
	if (!c->out && count) {
		u->items = mem_zalloc(count, sizeof(*u->items));
		u->count = u->cap = count;
	}
	for (size_t i = 0; i < count && !c->bad; i++) {
		code_item(c, &u->items[i], &last);
		c->bad |= u->items[i].model >= models;
	}
}

/* ---- all of it ---- */

/* All of a summary that was readable, or is no trace, without its failure: one with a
 * failure is not written.  Of one that is read into: it is empty before. */
static void coder_summary(struct coder *c, struct summary *s)
{
	struct totals *t = &s->totals;
	uint64_t readable = s->readable, chains = s->chains, state = s->state;
	uint64_t *const numbers[] = {
		&readable, &t->steps, &t->errors, &s->size, &chains, &state};
	double *const figures[] = {&t->input_tokens, &t->output_tokens, &t->cost,
		&t->latency, &t->cache_read, &t->cache_write, &s->context, &s->window,
		&s->start, &s->since};
	struct buf *const texts[] = {
		&s->id, &s->title, &s->folder, &s->parts, &s->beside, &s->doing};
	struct str format = code_name(c, str_of(s->format));

	s->format = format.n ? format.p : NULL;
	s->tool = code_name(c, s->tool);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		coder_number(c, numbers[i]);
	s->readable = readable;
	s->chains = (size_t)chains;
	s->state = state > STATE_WAITING ? STATE_UNKNOWN : (enum session_phase)state;
	for (size_t i = 0; i < sizeof(figures) / sizeof(*figures); i++)
		code_double(c, figures[i]);
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct str text = code_view(c, buf_view(texts[i]));

		if (!c->out)
			buf_str(texts[i], text);
	}
	code_usage(c, &s->usage);
}

#define FILE_NAME   "summaries"
#define MAGIC       UINT64_C(0x31656863616e7463)
#define FILE_MOST   (UINT64_C(512) << 20) /* bytes; a larger one is begun again */
#define ENTRY_MOST  (64u << 20)
#define PIECE       (256u << 10) /* of entries that are written at once */
#define DEAD_LEAST  (64u << 10)  /* bytes that count no more: fewer do not matter */
#define DAY         86400
#define REWRITTEN   30 /* days after which the file is, */
#define UNUSED_MOST 60 /* ... and after which an entry is left out then */
#define RACY        2  /* seconds in which a file may change without another time */

struct head {
	uint64_t magic, rules, secret[2];
	uint64_t made; /* nanoseconds since 1970 */
};

struct entry_head {
	uint64_t check;
	uint32_t length; /* of what follows */
	uint32_t used;   /* the day it was last asked for, as far as that was written */
	struct cache_key key;
};

struct entry {
	size_t at; /* of its head, in the text */
	bool used;
};

struct cache {
	struct head head;
	struct buf text; /* of the file, as far as it is sound */
	struct entry *entries;
	size_t count, cap, dead; /* dead: bytes */
	struct idmap by_key;
	struct buf fresh; /* entries that are to be added */
	bool broken;      /* the file is another's by now: nothing is written any more */
	struct intern names;
};

/* ---- keys ---- */

static uint64_t moment(struct timespec t)
{
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return moment(t);
}

static void take_stat(struct cache_key *key, const struct stat *st)
{
	*key = (struct cache_key){.device = (uint64_t)st->st_dev,
		.inode = (uint64_t)st->st_ino,
		.size = (uint64_t)st->st_size,
		.written = moment(st->st_mtim),
		.changed = moment(st->st_ctim),
		.taken = now() / 1000000000};
}

static bool is_settled(const struct stat *st, uint64_t taken)
{
	return (uint64_t)st->st_mtim.tv_sec + RACY <= taken;
}

bool cache_key_of_file(const char *path, struct cache_key *key)
{
	struct stat st;

	if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
		return false;
	take_stat(key, &st);
	return is_settled(&st, key->taken);
}

/* The time of a session need not change with each record that is added to it. */
bool cache_key_of_session(const char *path, double written, struct cache_key *key)
{
	AUTO_BUF file = BUF_INIT, session = BUF_INIT;
	bool good = database_split(path, &file, &session);
	struct stat st;

	good = good && stat(file.data, &st) == 0;
	if (good) {
		take_stat(key, &st);
		good = key->taken > SESSIONS_LIVE &&
		       written < (double)(key->taken - SESSIONS_LIVE) && written >= 0;
		key->session = fnv_add(FNV_BEGIN, buf_view(&session)) | 1;
		key->size = key->changed = 0;
		key->written = good ? (uint64_t)(written * 1000) : 0;
	}
	return good;
}

static uint64_t hash_of(const struct cache_key *key)
{
	return map_hash(
		(struct str){(const char *)key, offsetof(struct cache_key, size)});
}

/* ---- whose it is ---- */

/* Of all that decides what is read of a file: the program and the formats. */
static uint64_t rules_in_force(void)
{
	static const uint64_t key[2] = {MAGIC, CODER_FORM};
	AUTO_BUF text = BUF_INIT;
	struct stat st = {0};

	buf_text(&text, PACKAGE_VERSION);
	if (stat("/proc/self/exe", &st) == 0)
		buf_printf(&text, " %llu %llu", (unsigned long long)st.st_size,
			(unsigned long long)moment(st.st_mtim));
	buf_add(&text, embedded_formats.bytes, embedded_formats.n);
	buf_str(&text, prices_table());
	for (size_t i = 0; i < known_count(); i++)
		if (known_file(i))
			buf_str(&text, known_text(i));
	return map_hash_by(key, buf_view(&text));
}

/* ---- the log ---- */

/* Of all of an entry after the day, which may be changed alone. */
static uint64_t check_of(const char *p, size_t n)
{
	uint64_t sum = n, word;

	for (; n >= sizeof(word); n -= sizeof(word), p += sizeof(word)) {
		memcpy(&word, p, sizeof(word));
		sum = (sum ^ word) * UINT64_C(0x9E3779B97F4A7C15);
		sum ^= sum >> 32;
	}
	word = 0;
	memcpy(&word, p, n);
	return (sum ^ word) * UINT64_C(0xC2B2AE3D27D4EB4F);
}

static struct entry_head head_at(const struct cache *c, size_t at)
{
	struct entry_head head;

	memcpy(&head, c->text.data + at, sizeof(head));
	return head;
}

static size_t bytes_of(const struct cache *c, const struct entry *e)
{
	return sizeof(struct entry_head) + head_at(c, e->at).length;
}

/* Takes what is sound of the text from a place on; the rest of it is cut off. */
static void take_entries(struct cache *c, size_t at)
{
	const size_t from = offsetof(struct entry_head, key);

	while (c->text.len - at >= sizeof(struct entry_head)) {
		struct entry_head head = head_at(c, at);
		size_t whole = sizeof(head) + (size_t)head.length;
		uint64_t hash = hash_of(&head.key);
		uint32_t before;

		if (head.length > ENTRY_MOST || whole > c->text.len - at ||
			check_of(c->text.data + at + from, whole - from) != head.check)
			break;
		before = idmap_find(&c->by_key, hash);
		if (before == MAP_NONE) {
			idmap_add(&c->by_key, hash, (uint32_t)c->count);
			*MEM_ADD(c->entries, c->count, c->cap) = (struct entry){.at = at};
		} else {
			c->dead += bytes_of(c, &c->entries[before]);
			c->entries[before].at = at;
		}
		at += whole;
	}
	if (c->text.data)
		c->text.data[c->text.len = at] = '\0';
}

static void forget_all(struct cache *c)
{
	idmap_done(&c->by_key);
	c->by_key = (struct idmap){0};
	c->count = c->dead = 0;
	buf_clear(&c->text);
}

/* ---- the file ---- */

/* What was added after what is known of it.  False: it is not the file that it was. */
static bool read_more(struct cache *c, int fd)
{
	size_t known = c->text.len, more;
	struct head head;
	struct stat st;

	if (fstat(fd, &st) != 0 || (uint64_t)st.st_size > FILE_MOST ||
		(uint64_t)st.st_size < known ||
		file_read_at(fd, &head, sizeof(head), 0) < sizeof(head) ||
		memcmp(&head, &c->head, sizeof(head)) != 0)
		return false;
	more = (size_t)st.st_size - known;
	buf_reserve(&c->text, more);
	if (file_read_at(fd, c->text.data + known, more, known) < more)
		return false;
	c->text.len += more;
	take_entries(c, known);
	return true;
}

/* -1: there is none that may be read. */
static int open_file(int folder)
{
	int fd = openat(folder, FILE_NAME,
		O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		return -1;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && state_is_mine(&st) &&
		!(st.st_mode & (S_IRWXG | S_IRWXO)))
		return fd;
	close(fd);
	return -1;
}

/* Reads all of it; false: it is not ours. */
static bool read_file(struct cache *c, int fd)
{
	struct head head;

	if (file_read_at(fd, &head, sizeof(head), 0) < sizeof(head) ||
		head.magic != MAGIC || head.rules != c->head.rules || !head.secret[0])
		return false;
	c->head = head;
	forget_all(c);
	buf_add(&c->text, &head, sizeof(head));
	return read_more(c, fd);
}

struct cache *cache_open(void)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	int folder = state_folder("cache", &err), fd;
	struct cache *c;

	if (folder < 0)
		return NULL;
	c = mem_zalloc(1, sizeof(*c));
	c->head.rules = rules_in_force();
	flock(folder, LOCK_EX); /* until it is closed; where there are no locks, none */
	fd = open_file(folder);
	if (fd < 0 || !read_file(c, fd)) {
		forget_all(c); /* an empty one with a secret of its own */
		c->head.magic = MAGIC;
		c->head.made = now();
		map_key_make(c->head.secret);
		buf_add(&c->text, &c->head, sizeof(c->head));
		c->broken = !state_replace(folder, FILE_NAME, buf_view(&c->text));
	}
	if (fd >= 0)
		close(fd);
	close(folder);
	if (c->broken || !trace_set_secret(c->head.secret)) {
		cache_free(c);
		return NULL;
	}
	return c;
}

void cache_free(struct cache *c)
{
	if (!c)
		return;
	idmap_done(&c->by_key);
	intern_done(&c->names);
	mem_free(c->entries);
	buf_done(&c->text);
	buf_done(&c->fresh);
	mem_free(c);
}

/* ---- entries ---- */

/* The files that a session was read with, as they are: written, or compared.  False: one
 * is another now, or may become one. */
static bool code_parts(struct coder *c, const struct summary *s, uint64_t taken)
{
	const struct buf *const lists[] = {&s->parts, &s->beside};
	struct stat st;

	for (size_t k = 0; k < 2; k++)
		for (size_t at = 0; at < lists[k]->len;
			at += strlen(lists[k]->data + at) + 1) {
			const char *path = lists[k]->data + at;

			if (stat(path, &st) != 0 || (c->out && !is_settled(&st, taken)))
				return false;
			uint64_t is[] = {(uint64_t)st.st_dev, (uint64_t)st.st_ino,
				(uint64_t)st.st_size, moment(st.st_mtim),
				moment(st.st_ctim)};

			for (size_t i = 0; i < sizeof(is) / sizeof(*is); i++) {
				uint64_t was = is[i];

				coder_number(c, &was);
				if (was != is[i])
					return false;
			}
		}
	return true;
}

bool cache_find(struct cache *c, const struct cache_key *key, struct summary *out)
{
	uint32_t i = idmap_find(&c->by_key, hash_of(key));
	struct entry_head head;
	struct coder coder;

	if (i == MAP_NONE)
		return false;
	head = head_at(c, c->entries[i].at);
	if (memcmp(&head.key, key, offsetof(struct cache_key, taken)) != 0)
		return false;
	coder = (struct coder){
		.at = c->text.data + c->entries[i].at + sizeof(head), .names = &c->names};
	coder.end = coder.at + head.length;
	*out = (struct summary){.failed = {.offset = ERR_NOWHERE}};
	coder_summary(&coder, out);
	if (coder.bad || !code_parts(&coder, out, key->taken) || coder.bad) {
		summary_done(out);
		return false;
	}
	/* what goes on in a session is known for some time */
	if ((double)key->taken - out->since >= STATE_RECENT) {
		out->state = STATE_UNKNOWN;
		out->since = 0;
		buf_clear(&out->doing);
	}
	return c->entries[i].used = true;
}

void cache_put(struct cache *c, const struct cache_key *key, const struct summary *s)
{
	struct entry_head head = {.key = *key, .used = (uint32_t)(key->taken / DAY)};
	size_t at = c->fresh.len;
	struct coder coder = {.out = &c->fresh, .names = &c->names};
	struct summary all = *s;

	if (s->failed.text || c->broken)
		return;
	head.key.taken = 0;
	buf_add(&c->fresh, &head, sizeof(head));
	coder_summary(&coder, &all);
	if (!code_parts(&coder, s, key->taken) || c->fresh.len - at > ENTRY_MOST) {
		c->fresh.data[c->fresh.len = at] = '\0';
		return;
	}
	head.length = (uint32_t)(c->fresh.len - at - sizeof(head));
	memcpy(c->fresh.data + at, &head, sizeof(head));
	head.check = check_of(c->fresh.data + at + offsetof(struct entry_head, key),
		c->fresh.len - at - offsetof(struct entry_head, key));
	memcpy(c->fresh.data + at, &head, sizeof(head));
	if (c->fresh.len > PIECE)
		cache_save(c);
}

/* ---- writing ---- */

static bool is_due(const struct cache *c)
{
	return (c->dead > DEAD_LEAST && c->dead > c->text.len / 2) ||
	       now() - c->head.made > UINT64_C(1000000000) * DAY * REWRITTEN;
}

/* Without what counts no more, or was not asked for. */
static void rewrite(struct cache *c, int folder)
{
	uint32_t today = (uint32_t)(now() / 1000000000 / DAY);
	AUTO_BUF text = BUF_INIT;

	c->head.made = now();
	buf_add(&text, &c->head, sizeof(c->head));
	for (size_t i = 0; i < c->count; i++) {
		const struct entry *e = &c->entries[i];
		struct entry_head head = head_at(c, e->at);
		size_t at = text.len;

		if (e->used)
			head.used = today;
		if (head.used + UNUSED_MOST < today)
			continue;
		buf_add(&text, c->text.data + e->at, bytes_of(c, e));
		memcpy(text.data + at, &head, sizeof(head));
	}
	c->broken = !state_replace(folder, FILE_NAME, buf_view(&text));
}

void cache_save(struct cache *c)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	int folder, fd = -1;
	struct head was = c->head;
	size_t at;

	if (c->broken || (!c->fresh.len && !is_due(c)))
		return;
	folder = state_folder("cache", &err);
	if (folder >= 0) {
		flock(folder, LOCK_EX);
		fd = open_file(folder);
	}
	c->broken = fd < 0 ||
		    (!read_more(c, fd) &&
			    (!read_file(c, fd) || memcmp(c->head.secret, was.secret,
							  sizeof(was.secret)) != 0));
	if (!c->broken && c->fresh.len) {
		at = c->text.len;
		if (ftruncate(fd, (off_t)at) == 0 &&
			lseek(fd, (off_t)at, SEEK_SET) >= 0 &&
			outfile_write_all(fd, buf_view(&c->fresh))) {
			buf_str(&c->text, buf_view(&c->fresh));
			take_entries(c, at);
		} else {
			c->broken = ftruncate(fd, (off_t)at) != 0;
		}
	}
	buf_clear(&c->fresh);
	if (!c->broken && is_due(c))
		rewrite(c, folder);
	if (fd >= 0)
		close(fd);
	if (folder >= 0)
		close(folder);
}
