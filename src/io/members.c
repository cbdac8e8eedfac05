/* Choosing and joining members: see members.h. */
#include "config.h"
#include "io/members.h"

#include <inttypes.h>

#include "base/mem.h"
#include "io/source.h"

#define BLANKS_MOST                                                                      \
	65536 /* a member with more white space before its first character is no JSON */
#define NAMES_MOST 5   /* of those that are left out; the others are counted */
#define NAME_MOST  255 /* bytes of a name that are kept */
#define NOTES_MOST 50  /* of problems; the others are counted */

struct archive_members {
	struct spool *packed;
	struct unpack_sink *out;
	struct zip *zip;
	bool any;     /* takes whatever it holds: there is only one */
	bool journal; /* it is a log of Inspect: some members only repeat others */
	enum { NO_MEMBER, UNDECIDED, TAKEN, SKIPPED } state;
	struct buf name, head; /* of the member at hand; its first bytes until decided */
	uint64_t seen, taken, skipped, problems;
	struct buf skipped_names;
};

static const struct str mark = {"\xEF\xBB\xBF", 3}; /* of UTF-8, at its beginning */

struct archive_members *members_new(
	struct spool *packed, struct unpack_sink *out, struct err *err)
{
	struct zip *zip = zip_open(packed, err);
	struct archive_members *m;

	if (!zip)
		return NULL;
	m = mem_zalloc(1, sizeof(*m));
	m->packed = packed;
	m->out = out;
	m->zip = zip;
	return m;
}

void members_free(struct archive_members *m)
{
	if (!m)
		return;
	zip_free(m->zip);
	buf_done(&m->name);
	buf_done(&m->head);
	buf_done(&m->skipped_names);
	mem_free(m);
}

static enum task_state put(struct archive_members *m, struct str bytes, struct err *err)
{
	return unpack_sink_put(m->out, bytes, zip_consumed(m->zip), err);
}

static void skip_member(struct archive_members *m)
{
	m->state = SKIPPED;
	if (m->skipped++ < NAMES_MOST) {
		buf_text(&m->skipped_names, m->skipped_names.len ? ", " : "");
		buf_str(&m->skipped_names, buf_view(&m->name));
	}
}

/* The member is wanted: its first bytes, which were kept until that was decided, go out.
 */
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
		skip_member(m);
		zip_skip(m->zip);
	}
	return TASK_MORE;
}

/* In a log of Inspect: a summary of samples that are in the archive, too. */
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
		skip_member(m);
	m->state = UNDECIDED;
	m->seen++;
	buf_clear(&m->name);
	buf_str(&m->name, (struct str){name.p, name.n < NAME_MOST ? name.n : NAME_MOST});
	buf_text(&m->name, name.n > NAME_MOST ? "..." : "");
	buf_clear(&m->head);
	if (m->any)
		return take(m, err);
	if (only_repeats(m, name)) {
		m->state = SKIPPED;
		zip_skip(m->zip);
	}
	return TASK_MORE;
}

static void note_problem(struct archive_members *m, struct str text, bool archive)
{
	struct str name = buf_view(&m->name);

	if (archive && m->state == UNDECIDED)
		skip_member(m);
	if (m->problems++ >= NOTES_MOST)
		; /* finish notes how many */
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

static void put_skipped(const struct archive_members *m, struct buf *out)
{
	buf_str(out, buf_view(&m->skipped_names));
	if (m->skipped > NAMES_MOST)
		buf_printf(out, " and %" PRIu64 " more", m->skipped - NAMES_MOST);
}

/* Nothing was unpacked: says why. */
static enum task_state fail(const struct archive_members *m, struct err *err)
{
	struct buf names = BUF_INIT;

	if (m->out->note_count) {
		err_set(err, "nothing of it can be unpacked: %s", m->out->notes[0].text);
	} else if (!m->seen) {
		err_set(err, "is an archive without a member");
	} else {
		put_skipped(m, &names);
		err_set(err, "none of its %" PRIu64 " members holds JSON: %s", m->seen,
			names.data);
	}
	buf_done(&names);
	return TASK_FAILED;
}

/* Begins again with an archive of one member, to take it whatever it holds. */
static enum task_state restart(struct archive_members *m, struct err *err)
{
	zip_free(m->zip);
	m->zip = zip_open(m->packed, err);
	m->any = true;
	m->state = NO_MEMBER;
	m->seen = m->skipped = 0;
	buf_clear(&m->skipped_names);
	return m->zip ? TASK_MORE : TASK_FAILED;
}

static enum task_state finish(struct archive_members *m, struct err *err)
{
	struct buf names = BUF_INIT;

	if (m->state == UNDECIDED)
		skip_member(m);
	if (!m->taken && m->seen == 1 && m->skipped == 1 && !m->any)
		return restart(m, err);
	if (!m->taken)
		return fail(m, err);
	put_skipped(m, &names);
	if (m->skipped)
		unpack_sink_note(
			m->out, ERR_NOWHERE, "left out: %s, no JSON", names.data);
	if (m->problems > NOTES_MOST)
		unpack_sink_note(m->out, ERR_NOWHERE,
			"%" PRIu64 " more members are damaged", m->problems - NOTES_MOST);
	buf_done(&names);
	return TASK_DONE;
}

enum task_state members_run(struct archive_members *m, struct err *err)
{
	struct zip_item item;

	zip_next(m->zip, &item);
	switch (item.event) {
	case ZIP_MEMBER:
		return begin_member(m, item.text, err);
	case ZIP_DATA:
		if (m->state == TAKEN)
			return put(m, item.text, err);
		if (m->state != UNDECIDED)
			return TASK_MORE;
		buf_str(&m->head, item.text);
		return decide(m, err);
	case ZIP_PROBLEM:
	case ZIP_DAMAGE:
		note_problem(m, item.text, item.event == ZIP_DAMAGE);
		return TASK_MORE;
	case ZIP_NOTHING:
		return TASK_MORE;
	case ZIP_END:
		break;
	}
	return finish(m, err);
}
