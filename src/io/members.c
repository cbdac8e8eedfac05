/* Which members count, and how they are joined: see members.h. */
#include "config.h"
#include "io/members.h"

#include <inttypes.h>

#include "base/mem.h"
#include "io/source.h"

#define BLANKS_MOST 65536 /* more white space in front is none of JSON */
#define NAMES_MOST  5     /* of those that are left out; the others are counted */
#define NAME_MOST   255   /* bytes of a name that are kept */
#define NOTES_MOST  50    /* of problems; the others are counted */

struct archive_members {
	struct spool *packed;
	struct unpack_sink *out;
	struct zipped *zipped;
	bool any;     /* takes whatever it holds: there is only one */
	bool journal; /* it is a log of Inspect: some members only repeat others */
	enum { NO_MEMBER, UNDECIDED, TAKEN, LEFT } state;
	struct buf name, head; /* of the member at hand; its first bytes until decided */
	uint64_t seen, taken, left, problems;
	struct buf left_names;
};

static const struct str mark = {"\xEF\xBB\xBF", 3}; /* of UTF-8, at its beginning */

struct archive_members *members_new(
	struct spool *packed, struct unpack_sink *out, struct err *err)
{
	struct zipped *zipped = zipped_open(packed, err);
	struct archive_members *m;

	if (!zipped)
		return NULL;
	m = mem_zalloc(1, sizeof(*m));
	m->packed = packed;
	m->out = out;
	m->zipped = zipped;
	return m;
}

void members_free(struct archive_members *m)
{
	if (!m)
		return;
	zipped_free(m->zipped);
	buf_done(&m->name);
	buf_done(&m->head);
	buf_done(&m->left_names);
	mem_free(m);
}

static enum task_state put(struct archive_members *m, struct str bytes, struct err *err)
{
	switch (unpack_sink_put(m->out, bytes, zipped_consumed(m->zipped), err)) {
	case OUTLET_TAKEN:
		return TASK_MORE;
	case OUTLET_FULL:
		return TASK_DONE;
	case OUTLET_FAILED:
		break;
	}
	return TASK_FAILED;
}

static void leave_out(struct archive_members *m)
{
	m->state = LEFT;
	if (m->left++ < NAMES_MOST) {
		buf_text(&m->left_names, m->left_names.len ? ", " : "");
		buf_str(&m->left_names, buf_view(&m->name));
	}
}

/* The member is wanted: what was held back of it goes out. */
static enum task_state take(struct archive_members *m, struct err *err)
{
	enum task_state status = TASK_MORE;
	struct str head = buf_view(&m->head);

	if (m->out->spool->size && m->out->last != '\n')
		status = put(m, STR("\n"), err);
	if (m->taken && str_starts(head, mark)) {
		head.p += mark.n;
		head.n -= mark.n;
	}
	m->state = TAKEN;
	m->taken++;
	unpack_sink_begin_member(m->out, buf_view(&m->name));
	return status == TASK_MORE ? put(m, head, err) : status;
}

/* JSON that may hold a trace begins with a bracket. */
static enum task_state decide(struct archive_members *m, struct err *err)
{
	struct str head = buf_view(&m->head);

	if (head.n < mark.n && str_starts(mark, head))
		return TASK_MORE;
	if (str_starts(head, mark)) {
		head.p += mark.n;
		head.n -= mark.n;
	}
	head = str_trim(head);
	if (head.n && (*head.p == '{' || *head.p == '['))
		return take(m, err);
	if (head.n || m->head.len > BLANKS_MOST) {
		leave_out(m);
		zipped_skip(m->zipped);
	}
	return TASK_MORE;
}

static enum task_state take_data(
	struct archive_members *m, struct str bytes, struct err *err)
{
	if (m->state == TAKEN)
		return put(m, bytes, err);
	if (m->state != UNDECIDED)
		return TASK_MORE;
	buf_str(&m->head, bytes);
	return decide(m, err);
}

/* In a log of Inspect: summaries of the samples, which are there themselves. */
static bool only_repeats(struct archive_members *m, struct str name)
{
	m->journal |= str_starts(name, STR("_journal/"));
	return m->journal && (str_starts(name, STR("_journal/summaries/")) ||
				     str_equal(name, STR("summaries.json")) ||
				     str_equal(name, STR("reductions.json")));
}

static enum task_state begin_member(
	struct archive_members *m, struct str name, struct err *err)
{
	if (m->state == UNDECIDED) /* empty, or blank */
		leave_out(m);
	m->state = UNDECIDED;
	m->seen++;
	buf_clear(&m->name);
	buf_str(&m->name, (struct str){name.p, name.n < NAME_MOST ? name.n : NAME_MOST});
	buf_text(&m->name, name.n > NAME_MOST ? "..." : "");
	buf_clear(&m->head);
	if (m->any)
		return take(m, err);
	if (only_repeats(m, name)) {
		m->state = LEFT;
		zipped_skip(m->zipped);
	}
	return TASK_MORE;
}

static void note_problem(struct archive_members *m, struct str text, bool archive)
{
	struct str name = buf_view(&m->name);

	if (archive && m->state == UNDECIDED)
		leave_out(m);
	if (m->problems++ >= NOTES_MOST)
		; /* finish tells how many */
	else if (archive)
		unpack_sink_note(m->out, ERR_NOWHERE, "the archive is damaged: %.*s",
			(int)text.n, text.p);
	else
		unpack_sink_note(m->out, ERR_NOWHERE,
			m->state == TAKEN ? "%.*s ends in damaged data: %.*s"
					  : "%.*s cannot be unpacked: %.*s",
			(int)name.n, name.p, (int)text.n, text.p);
	m->state = NO_MEMBER;
}

static void put_left(const struct archive_members *m, struct buf *out)
{
	buf_str(out, buf_view(&m->left_names));
	if (m->left > NAMES_MOST)
		buf_printf(out, " and %" PRIu64 " more", m->left - NAMES_MOST);
}

/* Nothing came out. */
static enum task_state fail(const struct archive_members *m, struct err *err)
{
	struct buf names = BUF_INIT;

	if (m->out->note_count) {
		err_set(err, "nothing of it can be unpacked: %s", m->out->notes[0].text);
	} else if (!m->seen) {
		err_set(err, "is an archive without a member");
	} else {
		put_left(m, &names);
		err_set(err, "none of its %" PRIu64 " members holds JSON: %s", m->seen,
			names.data);
	}
	buf_done(&names);
	return TASK_FAILED;
}

/* The one member is read again, for what it is. */
static enum task_state read_anyway(struct archive_members *m, struct err *err)
{
	zipped_free(m->zipped);
	m->zipped = zipped_open(m->packed, err);
	m->any = true;
	m->state = NO_MEMBER;
	m->seen = m->left = 0;
	buf_clear(&m->left_names);
	return m->zipped ? TASK_MORE : TASK_FAILED;
}

/* What is not in the text. */
static void note_missing(struct archive_members *m)
{
	struct buf names = BUF_INIT;

	put_left(m, &names);
	if (m->left)
		unpack_sink_note(
			m->out, ERR_NOWHERE, "left out: %s, no JSON", names.data);
	if (m->problems > NOTES_MOST)
		unpack_sink_note(m->out, ERR_NOWHERE,
			"%" PRIu64 " more members are damaged", m->problems - NOTES_MOST);
	buf_done(&names);
}

static enum task_state finish(struct archive_members *m, struct err *err)
{
	if (m->state == UNDECIDED)
		leave_out(m);
	if (!m->taken && m->seen == 1 && m->left == 1 && !m->any)
		return read_anyway(m, err);
	if (!m->taken)
		return fail(m, err);
	note_missing(m);
	return TASK_DONE;
}

enum task_state members_run(struct archive_members *m, struct err *err)
{
	struct zipped_item item;

	zipped_next(m->zipped, &item);
	switch (item.event) {
	case ZIPPED_MEMBER:
		return begin_member(m, item.text, err);
	case ZIPPED_DATA:
		return take_data(m, item.text, err);
	case ZIPPED_PROBLEM:
	case ZIPPED_DAMAGE:
		note_problem(m, item.text, item.event == ZIPPED_DAMAGE);
		return TASK_MORE;
	case ZIPPED_NOTHING:
		return TASK_MORE;
	case ZIPPED_END:
		break;
	}
	return finish(m, err);
}
