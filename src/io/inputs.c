/*
 * Paths in the order in which they are read, and the sources that came of them: see
 * inputs.h.  A folder is replaced by its files when its turn comes, an archive gives one
 * source for each member as it is unpacked.
 */
#include "config.h"
#include "io/inputs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "base/map.h"
#include "base/mem.h"
#include "io/database.h"
#include "io/unpack.h"

#define AWAKE_MOST    64    /* files that are not followed and keep their descriptors */
#define LOOK_MOST     1024  /* followed files that are checked by one call */
#define FOLLOWED_MOST 65536 /* twice as many files as can be followed */
#define SPARE         16    /* descriptors for other things than files */
#define HEAD          4096

struct input_part {
	bool is;
	size_t of;    /* of that source, */
	uint64_t key; /* by this key */
};

struct inputs {
	struct input_path {
		char *path;
		bool found; /* in a folder: passed over when it is no trace */
		struct input_part part;
	} * paths;
	size_t path_count, path_cap, next_path;
	struct input_source {
		struct source *source; /* owned */
		size_t origin;
		struct input_part part;
	} * sources;
	size_t count, cap, parts;
	struct idmap by_name;    /* sources by the hash of their name */
	struct idmap part_names; /* those of parts, open or not */
	struct source *opening;  /* of the last path: pumping shows what it is */
	struct input_archive {
		struct source *source; /* owned */
		size_t taken;          /* of its members */
	} * archives;
	size_t archive_count, archive_cap;
	bool unpacking; /* the last archive may bring more */
	bool follow;
	size_t awake, next_asleep; /* how many keep a descriptor; the source that is asked
				      next to give it back */
	size_t awake_most;
	size_t followed, followed_most;
	bool limit_noted;        /* a note about the limit was added */
	struct source *standard; /* the source above that is standard input, or NULL */
	struct source
		*shared; /* standard input of other inputs, until its turn comes; owned */
	size_t looked;
	struct input_note {
		char *name, *text;
	} * notes;
	size_t note_count, note_cap;
	uint64_t left_out;                     /* files of folders */
	bool (*passed_over)(const char *path); /* or NULL: of none */
};

/* Of the descriptors that the rest of the program does not need, a quarter is for files
 * that are read, half for those that are followed. */
struct inputs *inputs_new(void)
{
	struct inputs *in = mem_zalloc(1, sizeof(*in));
	struct rlimit limit;
	size_t most = FOLLOWED_MOST;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < most)
		most = (size_t)limit.rlim_cur;
	most = most > 2 * SPARE ? most - SPARE : most / 2;
	in->awake_most = most / 4 < AWAKE_MOST ? most / 4 : AWAKE_MOST;
	in->followed_most = most / 2;
	return in;
}

void inputs_free(struct inputs *in)
{
	if (!in)
		return;
	for (size_t i = 0; i < in->path_count; i++)
		mem_free(in->paths[i].path);
	for (size_t i = 0; i < in->count; i++)
		source_free(in->sources[i].source);
	for (size_t i = 0; i < in->archive_count; i++)
		source_free(in->archives[i].source);
	for (size_t i = 0; i < in->note_count; i++) {
		mem_free(in->notes[i].name);
		mem_free(in->notes[i].text);
	}
	source_free(in->opening);
	source_free(in->shared);
	idmap_done(&in->by_name);
	idmap_done(&in->part_names);
	mem_free(in->paths);
	mem_free(in->sources);
	mem_free(in->archives);
	mem_free(in->notes);
	mem_free(in);
}

static struct input_path *add_path(
	struct inputs *in, size_t at, const char *path, bool found)
{
	MEM_ROOM(in->paths, in->path_cap, in->path_count + 1);
	memmove(in->paths + at + 1, in->paths + at,
		(in->path_count - at) * sizeof(*in->paths));
	in->paths[at] =
		(struct input_path){.path = mem_dup(path, strlen(path)), .found = found};
	in->path_count++;
	return &in->paths[at];
}

void inputs_add(struct inputs *in, const char *path)
{
	add_path(in, in->path_count, path, false);
}

static void note(struct inputs *in, const char *name, const char *text)
{
	*MEM_ADD(in->notes, in->note_count, in->note_cap) = (struct input_note){
		mem_dup(name, strlen(name)), mem_dup(text, strlen(text))};
}

/* ---- descriptors ---- */

/* Puts files to sleep while too many are awake, but not the one that was just used. */
static void limit_awake(struct inputs *in, const struct source *used)
{
	for (size_t i = 0; i < in->count && in->awake > in->awake_most; i++) {
		struct source *s = in->sources[in->next_asleep].source;

		in->next_asleep = (in->next_asleep + 1) % in->count;
		if (s == used || !source_can_sleep(s))
			continue;
		source_sleep(s);
		in->awake--;
	}
}

/* Files beyond the limit are read as they are. */
static void follow(struct inputs *in, struct source *s)
{
	if (in->followed < in->followed_most) {
		source_follow(s, true);
	} else if (source_can_sleep(s) && !in->limit_noted) {
		note(in, source_name(s), "is not followed: too many files are");
		in->limit_noted = true;
	}
	in->followed += source_follows(s);
}

static void put(struct inputs *in, struct source *s, size_t origin)
{
	idmap_add(&in->by_name, map_hash(str_of(source_name(s))), (uint32_t)in->count);
	*MEM_ADD(in->sources, in->count, in->cap) =
		(struct input_source){.source = s, .origin = origin};
	if (in->follow)
		follow(in, s);
	in->awake += source_can_sleep(s);
	limit_awake(in, s);
}

void inputs_take(struct inputs *in, struct source *s)
{
	put(in, s, in->count);
}

void inputs_follow(struct inputs *in, bool on)
{
	in->follow = on;
	in->awake = in->followed = 0;
	for (size_t i = 0; i < in->count; i++) {
		struct source *s = in->sources[i].source;

		source_follow(s, false);
		if (on)
			follow(in, s);
		in->awake += source_can_sleep(s);
	}
	limit_awake(in, NULL);
}

void inputs_share(struct inputs *in, const struct inputs *of)
{
	struct source *s = of->standard ? of->standard : of->shared;

	if (s && !in->shared)
		in->shared = source_share(s);
}

bool inputs_are_one(const struct inputs *in)
{
	return in->count == 1 && !in->archive_count &&
	       (!in->path_count || (in->path_count == 1 && !in->paths[0].found));
}

bool inputs_are_followed(const struct inputs *in)
{
	for (size_t i = 0; in->follow && i < in->count; i++)
		if (source_follows(in->sources[i].source))
			return true;
	return false;
}

size_t inputs_count(const struct inputs *in)
{
	return in->count;
}

struct source *inputs_source(const struct inputs *in, size_t i)
{
	return in->sources[i].source;
}

size_t inputs_origin(const struct inputs *in, uint64_t address)
{
	size_t i = inputs_number(address);

	return i < in->count ? in->sources[i].origin : i;
}

/* ---- parts ---- */

static void become_part(struct inputs *in, size_t i, struct input_part part)
{
	in->parts += !in->sources[i].part.is;
	in->sources[i].part = part;
	in->sources[i].origin = in->sources[part.of].origin;
}

void inputs_add_part(struct inputs *in, const char *path, size_t of, uint64_t key)
{
	uint64_t name = map_hash(str_of(path));
	uint32_t i = idmap_find(&in->by_name, name);
	struct input_part part = {true, of, key};

	if (idmap_find(&in->part_names, name) != MAP_NONE)
		return;
	idmap_add(&in->part_names, name, 0);
	if (i != MAP_NONE) { /* unless `of` is that source, or a part of it */
		size_t above = of, depth = 0;

		while (above != i && depth++ < in->count && in->sources[above].part.is)
			above = in->sources[above].part.of;
		if (above != i && depth <= in->count)
			become_part(in, i, part);
	} else {
		add_path(in, in->next_path, path, true)->part = part;
	}
}

bool inputs_part(const struct inputs *in, uint64_t address, size_t *of, uint64_t *key)
{
	size_t i = inputs_number(address);

	if (i >= in->count || !in->sources[i].part.is)
		return false;
	*of = in->sources[i].part.of;
	*key = in->sources[i].part.key;
	return true;
}

size_t inputs_wholes(const struct inputs *in)
{
	return in->count - in->parts;
}

/* ---- the next one ---- */

/* Blanks, then a bracket; or the first line of server-sent events. */
static bool begins_like_a_trace(struct str head)
{
	static const struct str fields[] = {
		{"data:", 5}, {"event:", 6}, {"id:", 3}, {"retry:", 6}, {":", 1}};

	if (str_starts(head, STR("\xEF\xBB\xBF")))
		head = str_skip(head, 3);
	head = str_trim(head);
	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++)
		if (str_starts(head, fields[i]))
			return true;
	return head.n && (*head.p == '{' || *head.p == '[');
}

bool inputs_look_like_a_trace(struct str head)
{
	const struct codec *codec;

	return codec_recognize(head, &codec) == LIKE_SURELY ||
	       str_starts(head, STR("PK\x03\x04")) ||
	       database_recognize(head) == LIKE_SURELY || begins_like_a_trace(head);
}

void inputs_leave_out(struct inputs *in, bool (*is)(const char *path))
{
	in->passed_over = is;
}

/* What was opened becomes a source, or an archive of several; or too little of it has
 * come to tell.  Here and below INPUTS_END means: no source yet, go on with what is left.
 */
static enum inputs_status classify(struct inputs *in)
{
	struct source *s = in->opening;
	struct input_part part = in->paths[in->next_path - 1].part;

	switch (source_kind(s)) {
	case SOURCE_UNDECIDED:
		return INPUTS_WAIT;
	case SOURCE_PLAIN:
		inputs_take(in, s);
		if (part.is)
			become_part(in, in->count - 1, part);
		in->opening = NULL;
		return INPUTS_NEW;
	case SOURCE_ARCHIVE:
		break;
	}
	*MEM_ADD(in->archives, in->archive_count, in->archive_cap) =
		(struct input_archive){s, 0};
	in->opening = NULL;
	in->unpacking = true;
	return INPUTS_END;
}

/* The next member.  An archive that gave none becomes a source, whose error is shown. */
static enum inputs_status next_member(struct inputs *in)
{
	struct input_archive *a = &in->archives[in->archive_count - 1];

	if (a->taken < source_members(a->source)) {
		inputs_take(in, source_member(a->source, a->taken++));
		return INPUTS_NEW;
	}
	if (!source_complete(a->source))
		return INPUTS_WAIT;
	in->unpacking = false;
	if (a->taken)
		return INPUTS_END;
	inputs_take(in, a->source);
	in->archive_count--;
	return INPUTS_NEW;
}

/* Opens the next path; a folder is replaced by what is in it. */
static enum inputs_status open_next(struct inputs *in, struct err *err)
{
	const struct input_path *p = &in->paths[in->next_path++];
	bool standard = strcmp(p->path, "-") == 0;
	struct source *s;

	if (p->found &&
		((in->passed_over && in->passed_over(p->path)) ||
			idmap_find(&in->by_name, map_hash(str_of(p->path))) != MAP_NONE))
		return INPUTS_END;
	if (!standard && folder_is(p->path)) {
		struct folder_files files = {0};
		const char *folder = p->path; /* the paths will move */

		if (!folder_list(folder, &files, err))
			return INPUTS_FAILED;
		for (size_t i = 0; i < files.count; i++)
			add_path(in, in->next_path + i, files.paths[i], true);
		if (files.more)
			note(in, folder,
				"holds too many files; these are the first 100,000");
		folder_files_done(&files);
		return INPUTS_END;
	}
	if (standard && in->shared) { /* a pipe cannot be read twice */
		s = in->shared;
		in->shared = NULL;
	} else {
		s = source_open(p->path, err);
	}
	if (!s)
		return INPUTS_FAILED;
	if (standard && !in->standard && source_is_stream(s))
		in->standard = s;
	if (p->found && source_kind(s) == SOURCE_PLAIN && !source_unpacks(s)) {
		char head[HEAD];
		size_t n = source_read(s, 0, head, sizeof(head));

		if (!begins_like_a_trace((struct str){head, n})) {
			in->left_out++;
			source_free(s);
			return INPUTS_END;
		}
	}
	in->opening = s;
	return classify(in);
}

enum inputs_status inputs_next(struct inputs *in, struct err *err)
{
	enum inputs_status status = INPUTS_END;
	struct buf text = BUF_INIT;

	while (status == INPUTS_END && in->count < INPUTS_MOST) {
		if (in->opening)
			status = classify(in);
		else if (in->unpacking)
			status = next_member(in);
		else if (in->next_path < in->path_count)
			status = open_next(in, err);
		else
			break;
	}
	if (status == INPUTS_END && in->left_out) {
		buf_printf(&text, "%" PRIu64 " file%s that hold%s no JSON", in->left_out,
			plural(in->left_out), in->left_out == 1 ? "s" : "");
		note(in, "left out", text.data);
		buf_done(&text);
		in->left_out = 0;
	}
	return status;
}

struct source *inputs_awaited(const struct inputs *in)
{
	if (in->opening)
		return in->opening;
	return in->unpacking ? in->archives[in->archive_count - 1].source : NULL;
}

/* ---- files that grow ---- */

enum source_change inputs_look(struct inputs *in, struct err *err)
{
	size_t most = in->count < LOOK_MOST ? in->count : LOOK_MOST;

	for (size_t n = 0; n < most; n++) {
		size_t i = in->looked++ % in->count;
		struct source *s = in->sources[i].source;

		if (!source_follows(s))
			continue;
		source_pump(s, err);
		if (source_change(s) == SOURCE_REWRITTEN)
			return SOURCE_REWRITTEN;
		if (source_change(s) == SOURCE_REPLACED) {
			AUTO(err_done) struct err why = {.offset = ERR_NOWHERE};
			struct source *successor = source_open(source_name(s), &why);

			in->followed--;
			if (successor)
				put(in, successor, in->sources[i].origin);
			else
				note(in, source_name(s), why.text);
		}
	}
	return SOURCE_SAME;
}

/* ---- bytes ---- */

uint64_t inputs_size(const struct inputs *in)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < in->count; i++)
		sum += source_size(in->sources[i].source);
	return sum;
}

uint64_t inputs_before(const struct inputs *in, uint64_t address)
{
	uint64_t sum = inputs_offset(address);

	for (size_t i = 0; i < in->count && i < inputs_number(address); i++)
		sum += source_size(in->sources[i].source);
	return sum;
}

/* The bytes at an address: into memory, or as a window. */
static size_t read_at(
	struct inputs *in, uint64_t address, struct window *w, void *out, size_t n)
{
	size_t i = inputs_number(address);
	struct source *s = in->sources[i].source;
	bool slept = !source_can_sleep(s);

	if (w)
		window_move(w, s, inputs_offset(address));
	else
		n = source_read(s, inputs_offset(address), out, n);
	if (slept && source_can_sleep(s)) { /* it woke */
		in->awake++;
		limit_awake(in, s);
	}
	return n;
}

size_t inputs_read(struct inputs *in, uint64_t address, void *out, size_t n)
{
	return inputs_number(address) < in->count ? read_at(in, address, NULL, out, n) : 0;
}

void inputs_window(struct inputs *in, uint64_t address, struct window *w)
{
	if (inputs_number(address) < in->count)
		read_at(in, address, w, NULL, 0);
	else
		window_drop(w);
}

uint64_t inputs_end(const struct inputs *in, uint64_t address)
{
	size_t i = inputs_number(address);

	return inputs_address(i) +
	       (i < in->count ? source_size(in->sources[i].source) : 0);
}

/* ---- names, errors and notes ---- */

bool inputs_failed(const struct inputs *in, struct err *err)
{
	for (size_t i = 0; i < in->count; i++)
		if (source_failed(in->sources[i].source, err))
			return true;
	return false;
}

void inputs_locate(struct inputs *in, struct err *err)
{
	size_t i = err->offset == ERR_NOWHERE ? 0 : inputs_number(err->offset);

	if (i >= in->count)
		return;
	if (err->offset != ERR_NOWHERE)
		err->offset = inputs_offset(err->offset);
	source_locate(in->sources[i].source, err);
}

const char *inputs_name(const struct inputs *in)
{
	if (in->path_count)
		return strcmp(in->paths[0].path, "-") == 0 ? "standard input"
							   : in->paths[0].path;
	return in->count ? source_name(in->sources[0].source) : "";
}

const char *inputs_name_at(const struct inputs *in, uint64_t address)
{
	size_t i = inputs_number(address);

	return i < in->count ? source_name(in->sources[i].source) : inputs_name(in);
}

static bool is_archive(const struct inputs *in, struct str path)
{
	for (size_t i = 0; i < in->archive_count; i++)
		if (str_equal(str_of(source_name(in->archives[i].source)), path))
			return true;
	return false;
}

void inputs_own_path(const struct inputs *in, uint64_t address, struct buf *out)
{
	struct str path = str_of(inputs_name_at(in, address));
	size_t start = 0;

	for (size_t i = 0; i < path.n; i++) {
		struct str name = {path.p + start, i - start};

		if (path.p[i] != '/')
			continue;
		if (!str_equal(name, STR(".")) &&
			!is_archive(in, (struct str){path.p, i}))
			buf_add(out, name.p, name.n + 1);
		start = i + 1;
	}
	buf_add(out, path.p + start, path.n - start);
}

/* The i-th of the archives, then of the sources. */
static struct source *with_notes(const struct inputs *in, size_t i)
{
	return i < in->archive_count ? in->archives[i].source
				     : in->sources[i - in->archive_count].source;
}

size_t inputs_note_count(const struct inputs *in)
{
	size_t sum = in->note_count, count;

	for (size_t i = 0; i < in->archive_count + in->count; i++) {
		source_notes(with_notes(in, i), &count);
		sum += count;
	}
	return sum;
}

void inputs_note(const struct inputs *in, size_t i, struct err *err)
{
	for (size_t k = 0; k < in->archive_count + in->count; k++) {
		struct source *s = with_notes(in, k);
		size_t count;
		const struct source_note *notes = source_notes(s, &count);

		if (i < count) {
			err_at(err, notes[i].offset, "%s", notes[i].text);
			source_locate(s, err);
			return;
		}
		i -= count;
	}
	err_source(err, in->notes[i].name);
	err_set(err, "%s", in->notes[i].text);
}

void inputs_add_note(struct inputs *in, const struct err *err)
{
	note(in, err->source ? err->source : "", err->text);
}
