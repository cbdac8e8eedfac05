/*
 * What the parts of a loader share: its state, the bytes at hand, and adding steps to the
 * trace.  A loader reads one source, by the offsets in it; what it puts in the trace are
 * addresses of the inputs.  load.c is the loop, and has one loader after the other;
 * collect.c is the consumer of the scan, collect_stream.c that of event streams, recover.c
 * what happens when a text is no JSON or ends too early.
 * Private to import/.
 */
#ifndef CATENA_IMPORT_LOADER_H
#define CATENA_IMPORT_LOADER_H

#include "base/map.h"
#include "base/work.h"
#include "dialect/chunk.h"
#include "import/known.h"
#include "import/load.h"
#include "import/stream.h"
#include "io/source.h"
#include "json/scan.h"
#include "trace/trace.h"

/* ---- candidate.c: the shape of a top-level value, collected while it is scanned, by which
 * the program itself recognizes formats ---- */

/* Where the steps of a value are. */
enum carrier {
	CARRIER_VALUE,        /* the value is the step */
	CARRIER_ITEMS,        /* the items of an array */
	CARRIER_RESULTS,      /* results[*] */
	CARRIER_EVENTS,       /* events[*] */
	CARRIER_CHAIN_EVENTS, /* chain_events[*] */
	CARRIER_COUNT
};

/* What the first items (up to three) of an array are. */
enum item_kind {
	ITEMS_NONE,         /* it has none */
	ITEMS_ROWS,         /* arrays, or arrays and events */
	ITEMS_EVENTS,       /* objects having an event key */
	ITEMS_CONVERSATION, /* messages that are no events */
	ITEMS_OTHER,
};

/*
 * What members of an event say about the value that they stand in, and their words in
 * data/formats/event.yaml.
 */
enum event_sign {
	SIGN_EVENT = 1 << 0, /* event: there is an event */
	SIGN_INPUT = 1 << 1, /* input: with an input or output */
	SIGN_AI = 1 << 2,    /* ai: as if some member in it begins with $ai_ */
	SIGN_NAMED = 1 << 3, /* chain: it has a chain's name */
	/* of a chat's request or response */
	SIGN_MESSAGE = 1 << 4,  /* message: a string, */
	SIGN_CONTEXT = 1 << 5,  /* context: an object, */
	SIGN_HISTORY = 1 << 6,  /* history: an array */
	SIGN_ELEMENTS = 1 << 7, /* elements */
	SIGN_STREAM = 1 << 8,   /* stream: of a stream's event, if its value says so */
};

struct shape {
	enum jkind kind;
	enum item_kind items; /* of an array */
	bool row;             /* an array that is one row */
	struct carried {
		bool present;
		enum jkind kind;
		bool empty; /* as 1-reading's word has it: null, [], … */
		enum item_kind items;
	} carried[CARRIER_COUNT]; /* the members results, events, chain_events */
	unsigned signs;           /* of its members */
};

/* Where the steps of a value of a format are. */
enum carrier format_carrier(const struct format *format, const struct shape *shape);
/* "results", "events", "chain_events" (or a camelCase twin) to its carrier, else
 * CARRIER_VALUE. */
enum carrier carrier_of_key(struct str key);

/* ---- candidate.c: a value that may be a step, a chain, or a chain's step, and what the
 * scan has found in it so far ---- */

struct candidate {
	struct loader *loader;
	uint64_t start, end;
	struct slots slots;
	struct shape shape;
	bool row;             /* an array whose positions are facts */
	bool may_carry;       /* its events array makes it a chain */
	size_t positions;     /* of a row */
	enum carrier carrier; /* where its steps are being read from; CARRIER_VALUE:
				 nowhere yet */
	uint32_t scope;       /* of those steps */
	const struct position_plan *columns; /* by which rows are read */
	struct position_plan *found_columns; /* named by this value */
	size_t first_step, first_scope;      /* of the trace, when it began */
	size_t first_note;                   /* of the loader */
	const struct description *description; /* by which its facts are found */
	bool child;                            /* a step inside a step */
	bool holds_steps;                      /* there are such in it */
	bool run; /* it is the step around the steps that it carries */
};

/* Of a value, by its shape; never NULL.  `read`: its end is there, and it is read where
 * only the messages in it can tell. */
const struct format *candidate_format(const struct candidate *c, bool read);
/* Its text, read into the buffer. */
struct jv candidate_value(const struct candidate *c, struct buf *text);

/* Its description is still to be set. */
void candidate_begin(
	struct candidate *c, const struct scan_item *item, struct loader *loader);

/* Takes in what a value says, which stands at a node of the trie; what was known of the
 * same places stays where it says nothing of them. */
void candidate_read(struct candidate *c, uint16_t node, struct jv value);

/* Writes the facts into the step that was added last. */
void candidate_facts(const struct candidate *c);
/* Writes the facts into another step, whose bytes begin at `start` of the source; ids and
 * scopes do not change. */
void candidate_lift(const struct candidate *c, uint64_t start, struct step *s);
/* The figures, the texts that are known of another step take the place of its own. */
void figures_take(struct step *s, const struct step *said);
void texts_take(struct step *s, const struct step *said);
/* So does a name, of a step that has none; `offset`: where the other begins. */
void name_take(struct step *s, const struct step *said, uint64_t offset);
/* When it ended; NaN: it does not say. */
double candidate_end(const struct candidate *c);
/* Of a described format: the value of a leaf, when it is short; `ctx`: the candidate. */
struct jv candidate_leaf(void *ctx, int leaf);
/* The number of the place whose value counts, or -1. */
int candidate_place(const struct candidate *c, const struct fact_paths *places);
/* What is found for the shared facts, interned as a list of JSON, or NO_TEXT. */
uint32_t candidate_shared(
	const struct candidate *c, const struct fact_paths places[SHARED_FACTS]);
/* The first of some places that has a text, interned, or NO_TEXT. */
uint32_t candidate_text(const struct candidate *c, const struct fact_paths *places);
/* That text as a key (trace_key); 0: none has one. */
uint64_t candidate_key_of(const struct candidate *c, const struct fact_paths *places);
/* Makes the conversation the trace of the step that was added last, when it names none.
 */
void candidate_conversation(const struct candidate *c);
/* Sets what the scope of its steps says of the chain; `names_trace`: its `id` is the
 * trace's. */
void candidate_scope(const struct candidate *c, bool names_trace);

/* ---- described.c: which description a value has, and where in its trie the scan is ----
 */

/* What a figure that grows from step to step grew by; it may begin again. */
double growth(double *so_far, double figure);

/* A message that items are about: its side, and the step that it began in. */
struct about {
	enum turn turn;
	size_t step;
};

/* The step of a session log that is still growing: see turns.c. */
struct turning {
	bool open; /* there is one: */
	size_t step;
	uint32_t scope, trace; /* of that step */
	bool answered;         /* it has some of the response, */
	uint64_t key;       /* which is this one, by what joins its lines; 0: not known */
	uint64_t before;    /* the key of the step before */
	uint64_t thread;    /* of which it is; 0: the main one */
	uint64_t main_step; /* id of the last step of the main thread */
	struct idmap threads; /* by key: */
	uint64_t *starters;   /* ids of the steps that started them */
	size_t starter_count, starter_cap;
	bool stated;      /* the log says how long it took */
	bool said, alone; /* some item of it is not skipped; one has the step alone */
	double sums[STEP_SUMS], all[STEP_SUMS]; /* since sums were stated; of the log */
	size_t list;                        /* that the step is of */
	bool named;
	uint32_t name_trace; /* whose name was given last, */
	int name_place;      /* and by which of the places of names */
	bool model_known;
	uint32_t model;         /* interned; that was named last */
	struct idmap about_ids; /* by key: */
	struct about *about;
	size_t about_count, about_cap;
};

/* Records by what names them, of a format that merges them. */
struct merging {
	struct idmap by_key;
	struct merged_record *records;
	size_t count, cap;
};

struct described {
	const struct description *active;  /* of the value that is being read, or NULL, */
	bool probed;                       /* which its head has decided, */
	unsigned base;                     /* and its depth: that of a box's, else 0 */
	uint64_t inner;                    /* where the box in a box begins */
	const struct description *settled; /* of all lines to come */
	const struct description *last;    /* of the line before, */
	unsigned alike, unknown;           /* and of how many; lines of no description, */
#define UNKNOWN_MOST 32                    /* ... after which no more is asked */
	uint32_t scope;                    /* of the lines of `scope_of` */
	const struct description *scope_of;
	uint16_t nodes[SCAN_DEPTH + 2]; /* of the trie, by depth */
	struct buf attribute;           /* the key of a pair, */
	struct scan_item value;         /* and its value */
	struct turning turn;
	size_t lists;               /* of steps, so far */
	size_t items;               /* steps, or items of steps, in the value so far */
	struct merging merging;     /* records of which more may come */
	double cumulative[STEP_SUMS]; /* so far, where they grow */
};

/* ---- the loader ---- */

#define NESTING 40 /* candidates: a file object, a trace in it, steps in each other */

enum answer { ANSWER_NO, ANSWER_YES, ANSWER_LATER };

struct byte_span {
	uint64_t start, end;
};

enum container_role {
	AT_TOP,     /* between top-level values */
	IN_OBJECT,  /* an object that may be a step or carry steps */
	IN_ITEMS,   /* an array of steps */
	IN_ROW,     /* an array that is a step */
	IN_COLUMNS, /* the names of the columns of rows */
	IN_PATH,    /* a container in which a description has facts or steps */
	IN_LIST,    /* attributes as a list of keys and values, */
	IN_PAIR,    /* and one of them */
	IN_BOX,     /* a value of no known format around documents of known ones */
};

/*
 * Finds where the next step begins after a broken one.  Looks for what separates siblings
 * of the same kind, "},{" or "],[" followed by a quote; inside a JSON string that quote
 * would be escaped.  An object must begin with the key that steps begin with here, and
 * have another of their keys: so what is nested in the broken step is not taken for its
 * sibling.
 */
struct resync {
	uint64_t start;  /* of the broken step */
	unsigned depth;  /* of the array of steps */
	char opener;     /* '{' or '[' */
	struct buf like; /* the beginning of another step, or of the broken one */
	uint64_t at;     /* searched up to here */
	size_t window;   /* bytes to read next */
};

/* The source with a number in place of each step, as far as it was made. */
struct skeleton {
	uint64_t at; /* in the source: where the last step ended */
	size_t next; /* step */
	struct buf text;
	struct gap {
		size_t at;       /* in the text */
		uint64_t offset; /* in the source */
	} * gaps;
	size_t count, cap;
};

struct columns_list {
	struct position_plan **items;
	size_t count, cap;
};

struct loader {
	struct trace *trace;
	struct source *source;
	struct columns_list *columns; /* all that scopes of the trace refer to */
	uint64_t base;                /* address of the source's first byte */
	uint32_t scope;    /* of the steps that are in no chain of the source */
	size_t first_step; /* of the trace, when it began */
	size_t last_count; /* steps of the trace when other loaders went on, */
	size_t kept;       /* and those below which nothing can be forgotten */
	bool overtaken; /* something below that would have to be: all must be read again
			 */
	const struct format *forced;
	bool mended; /* it was tried whether JSON made by hand can be */
	bool words;  /* a text that is no JSON became one step */
	/* What follows is zeroed when a text that was mended is read. */
	struct scan scan;
	enum container_role roles[SCAN_DEPTH + 1];
	unsigned level;        /* candidates in use, */
	unsigned made;         /* and how many were in use so far, but at least one */
	struct again {         /* how to read a value whose first reading was wrong */
		bool wanted, active;
		uint64_t at;
		enum carrier carrier;
		struct position_plan *columns;
		const struct description *description;
		bool box; /* documents of known formats stand in it */
	} again;
	struct described described;
	struct pause { /* what a stream still brings decides how to go on: from where */
		bool wanted;
		uint64_t at;
		unsigned depth;
	} pause;
	bool starved;  /* the question just asked needs bytes that are still to come */
	uint64_t want; /* size of the source before which it is not worth going on, */
	uint64_t tried,
		rested;       /* the size with which that was found, and was seen last */
	struct following {    /* a stream of events */
		bool active;  /* it has the bytes, not the scan */
		bool lines;   /* of JSON, else SSE */
		bool stamped; /* SSE with a time before each line */
		bool seen;    /* something in the file is such a stream */
		bool chunks_seen; /* lines of the file are vendors' chunks */
		bool back; /* the scan is to go on at `refused`, which is no event */
		uint64_t refused;
		struct sse sse;
		/* the response that is open */
		bool open, shown;
		bool has_end,
			chat; /* some event of it has an end; the last is a chat's */
		uint32_t step;
		enum chunk_kind chunks; /* lines: what its events are, if they are any */
		bool stopped;           /* such an event said that no more text follows */
		unsigned keys;          /* event keys that its events have had */
		uint64_t id; /* key of what its events are pieces of, or 0; also of the
				response before it */
		uint64_t events; /* of those that say something */
		struct byte_span first, last[2];
	} stream;
	struct resync resync;
	bool resyncing, resynced;
	struct window window; /* the bytes at hand */
	struct buf scratch;
	uint64_t next;             /* offset of the byte to feed next */
	uint64_t values, last_end; /* top-level values so far; where the last ended */
	uint32_t last_scope;       /* of the steps of the last value */
	struct line_begin {        /* of the line on which the last value began */
		uint64_t at;
		size_t steps;
		bool scalar; /* its first value is no container: perhaps no JSON at all */
		bool junk_only; /* so far */
	} line;
	bool lines, not_lines; /* known to be a file of lines; known to be none */
	bool junk_only;
	bool first_maybe_event; /* the first value is an event if more follow */
	uint64_t junk_lines;
	const struct format *first_format;
	struct { /* that steps name, where their files are named by that: interned */
		uint32_t *items;
		size_t count, cap;
	} agents;
	struct load_note *notes;
	size_t note_count, note_cap;
	bool done;                 /* all is read */
	struct skeleton skeleton;  /* of which the gaps are looked at then */
	const char *empty;         /* why there is no value at all */
	struct candidate candidates[NESTING]; /* large: zeroed when they are first used */
};

/* ---- load.c ---- */

/* What the source is called, or NULL while that is not known. */
const struct format *loader_format(struct loader *l);

/* ---- loader.c ---- */

/* trace_truncate, of what this loader added; it may be too late for that. */
void loader_truncate(struct loader *l, size_t steps, size_t scopes);
/* What was added is a step: call it when the step is complete, as far as it is known. */
void loader_step_added(struct loader *l);
struct step *loader_add(struct loader *l, uint32_t scope, uint64_t start, uint64_t end);
uint32_t loader_add_scope(struct loader *l, uint64_t start);
/* The last step of this source, which steps of other sources may follow; false: it has
 * none.  Cost: linear in the steps of other sources after it. */
bool loader_last_step(const struct loader *l, size_t *step);

void loader_note(struct loader *l, uint64_t offset, const char *text);
/* Bytes of the source: those in the window without a copy, else valid until the next
 * call. */
struct str loader_fetch_far(struct loader *l, uint64_t at, uint64_t n);
static inline struct str loader_fetch(struct loader *l, uint64_t at, uint64_t n)
{
	if (window_has(&l->window, at, n))
		return (struct str){l->window.p + (at - l->window.at), (size_t)n};
	return loader_fetch_far(l, at, n);
}
static inline struct str loader_key(struct loader *l, const struct scan_item *item)
{
	return loader_fetch(l, item->key, item->key_end - item->key);
}
/* The bytes at `at`, as many as are at hand; none at the end. */
struct str loader_bytes(struct loader *l, uint64_t at);
/* Whether bytes up to `end` are there or will never be; sets `starved` if not. */
bool loader_at_hand(struct loader *l, uint64_t end);
/* Goes on when the source has grown by a quarter of what was looked at in vain. */
void loader_wait(struct loader *l, uint64_t from);
/* Where the line of `at` ends: at its line feed, or at the end of the source. */
uint64_t loader_line_end(struct loader *l, uint64_t at);
/* Whether the line after a line feed begins like an object or array. */
bool loader_value_follows(struct loader *l, uint64_t newline);
/* The rest of the window from `at` on, or a new one; empty when nothing is there. */
struct str loader_window(struct loader *l, uint64_t at);
/* The scan goes on at an offset, `depth` containers deep. */
void loader_seek(struct loader *l, uint64_t at, unsigned depth);

/* The innermost candidate, or NULL. */
static inline struct candidate *loader_candidate(struct loader *l)
{
	return l->level ? &l->candidates[l->level - 1] : NULL;
}
/* Forgets the steps of the value that is being read. */
void loader_forget_value(struct loader *l);

/* A step whose value is no object that could hold facts. */
void loader_add_bare(
	struct loader *l, uint32_t scope, uint64_t start, uint64_t end, uint32_t flags);
void loader_add_candidate(struct loader *l, struct candidate *c, uint32_t scope,
	uint64_t end, uint32_t flags);
/* The step that was added last is a response: when it or the request directly before it
 * names no conversation, both are of the same. */
void loader_answer(struct trace *trace);

/* ---- collect.c ---- */

extern const struct scan_ops collect_document, collect_lines;

/* The format of a value whose end is reached; c->end is set. */
const struct format *collect_judge(struct loader *l, struct candidate *c);
/* A value that carries no steps is one. */
void collect_add_value(
	struct loader *l, struct candidate *c, const struct format *format, uint64_t end);

/* Whether a top-level value at `start` is on a line of its own. */
bool collect_on_own_line(struct loader *l, uint64_t start);
/* The file is one of lines from now on. */
void collect_become_lines(struct loader *l);
/* The file is read again from its start. */
void loader_begin_again(struct loader *l);
/* A candidate more; false: there are too many. */
bool loader_push(
	struct loader *l, const struct scan_item *item, enum container_role role);

/* ---- loader.c: each sets `starved` where the answer depends on bytes to come ---- */

#define PEEK_MOST (16u * 1024 * 1024)

/*
 * What the first three items of the array at `at` are.  `conversations`: tell
 * conversations from events; *row, unless it is NULL: whether it begins like a row:
 * anything, a string, a time or null.  Reads as little as it needs: 4 KB where that
 * decides, at most PEEK_MOST.
 */
enum item_kind peek_items(struct loader *l, uint64_t at, bool conversations, bool *row);
/* Whether the line at `at` (to its line feed) is one JSON object or array by itself. */
bool peek_line_is_value(struct loader *l, uint64_t at);

/* ---- described.c ---- */

/* Whether the value at `start` has a description, which is then described.active;
 * LATER: more of a stream must come, or all is read again. */
enum answer described_choose(struct loader *l, uint64_t start);
/* Whether a value in a box is a document of a known format, as described_choose. */
bool described_boxed(struct loader *l, const struct scan_item *item);
#define BOX_DEEPEST 2 /* levels down at which documents are looked for */
/* Whether documents of known formats stand in a value, at most so many levels down. */
bool described_is_box(struct jv value, unsigned levels);
/* The node of an item in the innermost candidate, of its trie; or NODE_NONE. */
uint16_t described_node(
	struct loader *l, const struct candidate *c, const struct scan_item *item);
/* The value at a node of that trie: a fact, or JSON in a string that has some. */
void described_put(struct loader *l, struct candidate *c, uint16_t node,
	const struct scan_item *item);
/* The consumer of the scan in such a value. */
bool described_open(struct loader *l, const struct scan_item *item);
void described_value(struct loader *l, const struct scan_item *item);
/* An id by which a step that begins there can be called a parent. */
uint64_t loader_place_id(const struct loader *l, uint64_t at);
/* The innermost candidate is a step, or an item of one. */
void described_end_step(struct loader *l, uint64_t end, uint32_t flags);
/* What the value that carries steps says of all of them. */
void described_scope(struct loader *l, uint64_t end);
/* The value ended, or was cut. */
void described_end(struct loader *l, uint64_t end, uint32_t flags);

/* ---- turns.c ---- */

/* An item of a session log. */
void turns_add(struct loader *l, struct candidate *c, uint64_t end, uint32_t scope,
	uint32_t flags);

/* ---- beside.c: files of sub-agents ---- */

/* Notes the sub-agent, or the call of one, that an item of a step names. */
void beside_note(struct loader *l, const struct candidate *c, size_t step);

/* Adds the files of the sub-agents of what the loader has read so far to the inputs; call
 * it again when there is more.  Cost: the folders that the patterns go through. */
void beside_find(struct loader *l);

/* ---- collect_stream.c: recognition ---- */

/* Whether the file begins like SSE. */
enum answer stream_recognize(struct loader *l);
/* Whether the top-level value [start, end), which has a sign of a stream's event, begins
 * a stream of lines. */
enum answer stream_begins(struct loader *l, uint64_t start, uint64_t end);

/* ---- collect_stream.c ---- */

void stream_start(struct loader *l, uint64_t at, bool lines);
/* Feeds one window. */
void stream_advance(struct loader *l);
/* Before waiting: what came of the open response is shown. */
void stream_show(struct loader *l);

/* ---- recover.c: what was written by hand ---- */

/*
 * A text that was read to its end and is no JSON only because somebody wrote it by hand:
 * the source is its strict copy from now on, with a note.  False: it stays as it is.
 */
bool loader_mend(struct loader *l);

/* ---- recover.c ---- */

void recover_fault(struct loader *l); /* scan.status is SCAN_BROKEN */
void recover_cut(struct loader *l);   /* the source ends inside a value */
void recover_cut_line(
	struct loader *l); /* a line does, and on the next one another begins */
/* Searches one window for the step after a broken one; goes on there, or ends. */
void recover_resync(struct loader *l);
/* Whether that has to wait for more of a stream. */
bool resync_waits(const struct loader *l);
void recover_not_at_all(struct loader *l); /* the whole file as one raw step */

/* ---- candidate.c: what a file without JSON looks like, for the line that says why nothing
 * can be shown of it: known from its first bytes (magic numbers, the shape of lines) ----
 */

#define GUESS_HEAD (64u * 1024) /* more bytes than that are not looked at */

/* A sentence about what is no UTF-8 text; NULL: it may be one. */
const char *guess_foreign(struct str head);
/*
 * Appends "looks like CSV with columns a, b; convert it to …": unsafe text, one sentence.
 * False, and nothing: a line of it begins as JSON does, so it is JSON that is damaged, or
 * it is empty.  Linear in the bytes.
 */
bool guess_other(struct str head, struct buf *out);
/* Whether it is a file of a known kind that holds no text, whatever stands in it. */
bool guess_is_binary(struct str head);
/* Whether it is a text of words, and nothing of which guess_other knows more. */
bool guess_is_prose(struct str head);

#endif
