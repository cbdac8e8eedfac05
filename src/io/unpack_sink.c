/* See unpack_sink.h. */
#include "config.h"
#include "io/unpack_sink.h"

#include <inttypes.h>

#include "base/mem.h"
#include "base/sorted.h"
#include "io/source.h"

#define RATIO      1000u
#define RATIO_FROM (1u << 20) /* less is no danger, however small the input */

/* Set once, from the command line. */
static struct {
	uint64_t bytes; /* 0: none */
	bool ratio;
} limit = {(uint64_t)4 << 30, true};

void unpack_sink_set_limit(uint64_t bytes)
{
	limit.bytes = bytes;
	limit.ratio = false;
}

void unpack_sink_done(struct unpack_sink *s)
{
	for (size_t i = 0; i < s->note_count; i++)
		mem_free((char *)s->notes[i].text);
	for (size_t i = 0; i < s->member_count; i++)
		mem_free(s->members[i].name);
	mem_free(s->notes);
	mem_free(s->members);
	*s = (struct unpack_sink){0};
}

void unpack_sink_note(struct unpack_sink *s, uint64_t offset, const char *fmt, ...)
{
	struct buf text = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&text, fmt, ap);
	va_end(ap);
	s->notes = mem_grow(s->notes, &s->note_cap, s->note_count + 1, sizeof(*s->notes));
	s->notes[s->note_count++] = (struct source_note){offset, buf_take(&text)};
}

static void note_full(struct unpack_sink *s)
{
	static const char *const units[] = {"bytes", "KiB", "MiB", "GiB"};
	uint64_t n = limit.bytes;
	unsigned unit = 0;

	for (; unit < 3 && n && n % 1024 == 0; unit++)
		n /= 1024;
	unpack_sink_note(s, s->spool->size,
		"unpacks to more than %" PRIu64 " %s, the limit; this is the beginning "
		"(--max-size SIZE sets another limit, 0 none)",
		n, units[unit]);
}

enum task_state unpack_sink_put(
	struct unpack_sink *s, struct str bytes, uint64_t packed, struct err *err)
{
	uint64_t room = limit.bytes ? limit.bytes - s->spool->size : UINT64_MAX;
	bool whole = bytes.n <= room;

	bytes.n = whole ? bytes.n : (size_t)room;
	if (!bytes.n && whole)
		return TASK_MORE;
	if (!spool_add(s->spool, bytes.p, bytes.n, err))
		return TASK_FAILED;
	if (bytes.n)
		s->last = bytes.p[bytes.n - 1];
	if (!whole) {
		note_full(s);
		return TASK_DONE;
	}
	if (!limit.ratio || s->spool->size <= RATIO_FROM ||
		s->spool->size / RATIO <= packed)
		return TASK_MORE;
	unpack_sink_note(s, s->spool->size,
		"unpacks to more than %u times its size, the limit; this is the "
		"beginning "
		"(--max-size SIZE sets another limit, 0 none)",
		RATIO);
	return TASK_DONE;
}

void unpack_sink_begin_member(struct unpack_sink *s, struct str name)
{
	s->members = mem_grow(
		s->members, &s->member_cap, s->member_count + 1, sizeof(*s->members));
	s->members[s->member_count++] =
		(struct unpack_sink_member){s->spool->size, mem_dup(name.p, name.n)};
}

static uint64_t member_start(const void *items, size_t i)
{
	return ((const struct unpack_sink_member *)items)[i].start;
}

const struct unpack_sink_member *unpack_sink_member_at(
	const struct unpack_sink *s, uint64_t offset)
{
	size_t low = sorted_below(s->members, s->member_count, offset + 1, member_start);

	return low ? &s->members[low - 1] : NULL;
}
