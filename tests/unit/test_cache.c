/*
 * The cache of summaries: what is put is found again, by the next program too; what has
 * changed is not; damage, other writers and other programs lose nothing but time.
 */
#include "config.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "json/json.h"
#include "sessions/list.h"
#include "trace/trace.h"

static char home[64], file[128];

static void begin(void)
{
	json_init();
	snprintf(home, sizeof(home), "/tmp/catena-cache.XXXXXX");
	cr_assert(mkdtemp(home));
	setenv("XDG_STATE_HOME", home, 1);
	snprintf(file, sizeof(file), "%s/catena/cache/summaries", home);
}

static void end(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf '%s'", home);
	cr_assert_eq(system(command), 0);
}

TestSuite(cache, .init = begin, .fini = end);

static const struct usage_item items[] = {
	{.at = 1767225600.123,
		.tokens = {{{5, 90000, 127, 128, 1e9}}},
		.cost = 0.1,
		.request = 77,
		.model = 1,
		.estimated = true},
	{.at = 1767225599, .cost = NAN, .tokens = {.fresh = 0.5}, .failed = true},
	{.at = NAN, .cost = 0, .model = 1},
	{.at = -1e300, .cost = 1e-300, .tokens = {.output = 4503599627370496.0}},
};

#define ITEMS (sizeof(items) / sizeof(*items))

static struct cache_key key_of(uint64_t i)
{
	return (struct cache_key){.device = 1,
		.inode = i,
		.size = 100,
		.written = 1767225600000000000,
		.changed = 5,
		.taken = (uint64_t)time(NULL)};
}

/* With every member. */
static void make(uint64_t i, struct summary *s)
{
	*s = (struct summary){.readable = true,
		.failed = {.offset = ERR_NOWHERE},
		.format = "claude-code",
		.tool = STR("Claude Code"),
		.totals = {12, 3, {{1e5, NAN, 0.25, 7, 0, UINT32_MAX}}},
		.context = 20000,
		.window = NAN,
		.size = i,
		.chains = 2,
		.start = 1767225600.5,
		.state = STATE_RUNNING,
		.since = (double)time(NULL)};
	buf_text(&s->doing, "wc hives");
	buf_printf(&s->title, "Hive %llu", (unsigned long long)i);
	buf_text(&s->id, "id");
	intern_add(&s->usage.models, STR(""));
	intern_add(&s->usage.models, STR("small-1"));
	for (size_t k = 0; k < ITEMS; k++)
		*MEM_ADD(s->usage.items, s->usage.count, s->usage.cap) = items[k];
}

static void put(struct cache *c, uint64_t i)
{
	struct cache_key key = key_of(i);
	struct summary s;

	make(i, &s);
	cache_put(c, &key, &s);
	summary_done(&s);
}

static bool equal(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

static void expect_items(const struct usage *u)
{
	cr_assert_eq(u->count, ITEMS);
	for (size_t k = 0; k < ITEMS; k++) {
		const struct usage_item *a = &u->items[k], *b = &items[k];

		cr_expect(equal(a->at, b->at), "%zu", k);
		cr_expect(equal(a->cost, b->cost), "%zu", k);
		cr_expect(equal(a->tokens.fresh, b->tokens.fresh));
		cr_expect(equal(a->tokens.cache_read, b->tokens.cache_read));
		cr_expect(equal(a->tokens.cache_write, b->tokens.cache_write));
		cr_expect(equal(a->tokens.cache_hour, b->tokens.cache_hour));
		cr_expect(equal(a->tokens.output, b->tokens.output));
		cr_expect_eq(a->request, b->request);
		cr_expect_eq(a->model, b->model);
		cr_expect_eq(a->estimated, b->estimated);
		cr_expect_eq(a->failed, b->failed);
	}
}

/* Whether it is there; if so, as it was put. */
static bool finds(struct cache *c, uint64_t i)
{
	struct cache_key key = key_of(i);
	struct summary s, wanted;
	bool found = cache_find(c, &key, &s);

	if (!found)
		return false;
	make(i, &wanted);
	cr_expect(s.readable);
	cr_expect_str_eq(s.format, wanted.format);
	cr_expect(str_equal(s.tool, wanted.tool));
	cr_expect(str_equal(buf_view(&s.title), buf_view(&wanted.title)));
	cr_expect(str_equal(buf_view(&s.id), buf_view(&wanted.id)));
	cr_expect_eq(s.folder.len, 0);
	cr_expect_eq(s.totals.steps, 12);
	cr_expect_eq(s.totals.errors, 3);
	cr_expect(isnan(s.totals.output_tokens) && s.totals.cost == 0.25);
	cr_expect_eq(s.totals.cache_write, UINT32_MAX);
	cr_expect(isnan(s.window) && s.context == 20000);
	cr_expect(s.size == i && s.chains == 2 && s.start == 1767225600.5);
	cr_expect_eq(s.state, STATE_RUNNING);
	cr_expect_str_eq(s.doing.data, "wc hives");
	expect_items(&s.usage);
	cr_expect(str_equal(intern_get(&s.usage.models, 1), STR("small-1")));
	summary_done(&wanted);
	summary_done(&s);
	return true;
}

static struct cache *opened(void)
{
	struct cache *c = cache_open();

	cr_assert(c);
	return c;
}

static void close_saved(struct cache *c)
{
	cache_save(c);
	cache_free(c);
}

static off_t file_size(void)
{
	struct stat st;

	cr_assert_eq(stat(file, &st), 0);
	cr_expect_eq(st.st_mode & 0777, 0600);
	return st.st_size;
}

Test(cache, what_is_put_is_found_by_the_next)
{
	struct cache *c = opened();

	cr_expect_not(finds(c, 1));
	put(c, 1);
	put(c, 2);
	close_saved(c);
	file_size();
	c = opened();
	cr_expect(finds(c, 1) && finds(c, 2));
	cr_expect_not(finds(c, 3));
	cache_free(c);
}

Test(cache, what_goes_on_is_forgotten_in_time)
{
	struct cache_key key = key_of(1);
	struct cache *c = opened();
	struct summary s;

	put(c, 1);
	close_saved(c);
	c = opened();
	key.taken += STATE_RECENT + 1;
	cr_assert(cache_find(c, &key, &s));
	cr_expect_eq(s.state, STATE_UNKNOWN);
	cr_expect_eq(s.doing.len, 0);
	summary_done(&s);
	cache_free(c);
}

Test(cache, what_has_changed_is_not_found)
{
	uint64_t of[] = {offsetof(struct cache_key, device),
		offsetof(struct cache_key, inode), offsetof(struct cache_key, session),
		offsetof(struct cache_key, size), offsetof(struct cache_key, written),
		offsetof(struct cache_key, changed)};
	struct cache *c = opened();
	struct summary s;

	put(c, 1);
	close_saved(c);
	c = opened();
	for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
		struct cache_key key = key_of(1);

		*(uint64_t *)((char *)&key + of[i]) += 1;
		cr_expect_not(cache_find(c, &key, &s), "%zu", i);
	}
	cache_free(c);
}

Test(cache, a_part_that_grows_is_a_change)
{
	struct cache_key key = key_of(1);
	struct timespec times[2] = {{1767225600, 0}, {1767225600, 0}};
	struct cache *c = opened();
	char part[128];
	struct summary s, found;
	int fd;

	snprintf(part, sizeof(part), "%s/part", home);
	fd = open(part, O_WRONLY | O_CREAT, 0600);
	cr_assert(write(fd, "a", 1) == 1 && futimens(fd, times) == 0);
	make(1, &s);
	buf_add(&s.parts, part, strlen(part) + 1);
	cache_put(c, &key, &s);
	close_saved(c);
	c = opened();
	cr_assert(cache_find(c, &key, &found));
	cr_expect(str_equal(buf_view(&found.parts), buf_view(&s.parts)));
	summary_done(&found);
	cr_assert(write(fd, "b", 1) == 1 && futimens(fd, times) == 0);
	cr_expect_not(cache_find(c, &key, &found));
	cache_free(c);
	close(fd);
	summary_done(&s);
}

Test(cache, two_writers_lose_nothing)
{
	struct cache *a = opened(), *b = opened();

	put(a, 1);
	put(b, 2);
	put(b, 3);
	cache_save(b);
	cache_save(a);
	put(b, 4);
	cache_save(b);
	cache_free(a);
	cache_free(b);
	a = opened();
	for (uint64_t i = 1; i <= 4; i++)
		cr_expect(finds(a, i), "%d", (int)i);
	cache_free(a);
}

Test(cache, what_counts_no_more_is_left_out)
{
	struct cache *c = opened();
	struct cache *other = opened();

	put(c, 9);
	for (int round = 0; round < 3000; round++)
		put(c, 1);
	close_saved(c);
	cr_expect_lt(file_size(), 300 << 10);
	put(other, 2); /* it knows the file as it was before */
	close_saved(other);
	c = opened();
	cr_expect(finds(c, 1) && finds(c, 2) && finds(c, 9));
	cache_free(c);
}

/* One byte of it is another: true if the cache can still be opened. */
static void damage(long at, int by)
{
	FILE *f = fopen(file, "r+b");
	int byte;

	cr_assert(f && fseek(f, at, SEEK_SET) == 0);
	byte = fgetc(f);
	cr_assert_eq(fseek(f, at, SEEK_SET), 0);
	fputc(byte ^ by, f);
	fclose(f);
}

static bool finds_now(uint64_t i)
{
	struct cache *c = opened();
	bool found = finds(c, i);

	cache_free(c);
	return found;
}

Test(cache, damage_ends_the_log_and_is_written_over)
{
	struct cache *c = opened();
	off_t one, two;

	one = file_size(); /* the header */
	put(c, 1);
	cache_save(c);
	two = file_size();
	put(c, 2);
	close_saved(c);
	for (off_t at = two; at < file_size(); at++) {
		if (at >= two + 12 && at < two + 16)
			continue; /* the day alone has no checksum */
		damage(at, 0x41);
		cr_expect_not(finds_now(2), "%ld", (long)at);
		cr_expect(finds_now(1));
		damage(at, 0x41);
	}
	damage(one + 40, 1);
	c = opened();
	cr_expect_not(finds(c, 1));
	cr_expect_not(finds(c, 2));
	put(c, 3);
	close_saved(c);
	c = opened();
	cr_expect(finds(c, 3));
	cache_free(c);
	cr_assert_eq(truncate(file, file_size() - 1), 0);
	cr_expect_not(finds_now(3));
}

/* In a program of its own, as the secret is: whether it finds what was put. */
static bool another_finds(uint64_t i)
{
	pid_t child = fork();
	int status;

	if (!child)
		_exit(finds_now(i) ? 0 : 1);
	cr_assert_eq(waitpid(child, &status, 0), child);
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

Test(cache, one_of_another_program_is_begun_anew)
{
	pid_t child = fork();

	if (!child) {
		struct cache *c = opened();

		put(c, 1);
		close_saved(c);
		_exit(0);
	}
	cr_assert_eq(waitpid(child, NULL, 0), child);
	cr_expect(another_finds(1));
	damage(8, 1); /* the rules */
	cr_expect_not(another_finds(1));
	cr_expect_eq(file_size(), 40);
	cr_expect_not(another_finds(1));
}

Test(cache, what_others_can_read_or_write_is_not_read)
{
	struct cache *c = opened();

	put(c, 1);
	close_saved(c);
	cr_assert_eq(chmod(file, 0644), 0);
	cr_expect_null(cache_open(), "it has another secret");
	file_size();
}
