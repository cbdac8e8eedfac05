/*
 * A step as its readers see it: a copy, made when it is asked for; and the packed form in
 * which steps are kept.
 */
#ifndef CATENA_TRACE_STEP_H
#define CATENA_TRACE_STEP_H

#include "base/map.h"

#define NO_STEP  UINT32_MAX
#define NO_TEXT  UINT32_MAX /* no interned text */
#define NO_CHAIN UINT32_MAX

enum step_flag {
	STEP_ERROR = 1 << 0,    /* the trace says that this step failed */
	STEP_BROKEN = 1 << 1,   /* its text is no JSON: shown raw */
	STEP_CUT = 1 << 2,      /* the file ends inside it */
	STEP_REPAIRED = 1 << 3, /* read after mending */
	STEP_CHECKED = 1 << 4, /* BROKEN, CUT and REPAIRED are known for its whole text */
	STEP_STRANGER = 1 << 5,  /* no event: shown as JSON, with a note */
	STEP_SHORT = 1 << 6,     /* a row of fewer than 13 positions */
	STEP_ROW = 1 << 7,       /* facts by position */
	STEP_BARE = 1 << 8,      /* no sides of its own: both look at the whole value */
	STEP_TIMED = 1 << 9,     /* its timestamp is when it began: see totals_count */
	STEP_TRACE = 1 << 10,    /* a container: the event of the trace as a whole */
	STEP_SSE = 1 << 11,      /* events of a stream: joined when it is opened */
	STEP_LINES = 1 << 12,    /* events of a stream as lines of JSON */
	STEP_REQUEST = 1 << 13,  /* what a chat was asked, with its history */
	STEP_RESPONSE = 1 << 14, /* what it answered */
	/* what its figures are; neither: not known, see totals_count */
	STEP_CALL = 1 << 15,         /* a model call: its own, they always count */
	STEP_CONTAINER = 1 << 16,    /* an agent, span, trace: of what is below it */
	STEP_TURN = 1 << 17,         /* a run of values: see import/turns.c */
	STEP_RESULT_ERROR = 1 << 18, /* a result that is new in it is marked as one */
	/* see import/failure.h */
	STEP_FAILED = STEP_ERROR | STEP_RESULT_ERROR,
	STEP_KINDS = STEP_CALL | STEP_CONTAINER | STEP_TRACE,
	/* those are kept; these say what it is among others */
	STEP_KEPT = (1 << 19) - 1,
	STEP_ORPHAN = 1 << 20, /* arranged: its parent is not in the file */
	STEP_CYCLE = 1 << 21,  /* arranged: its parent was one of its children */
};

/*
 * The facts of a step: FACT(ID, "word", "name"), with the word of format files
 * (doc/formats.md) and the name on the screen.  Of most facts nothing is known until a
 * step is opened.  The others, which have a member at their end, are kept of each step:
 *
 *   SUM     a figure that adds up: of the parts of a step, and where it grows
 *   FIGURE  any other figure
 *   TEXT    a text that many steps share
 *
 * Of several parts of a step that state one of the last two the last counts, unless
 * import/turns.c has another rule.
 */
#define STEP_FACTS(FACT, SUM, FIGURE, TEXT)                                              \
	FACT(ID, "id", "id")                                                             \
	TEXT(EVENT, "event", "event", event)                                             \
	FACT(TIMESTAMP, "start", "timestamp")                                            \
	TEXT(MODEL, "model", "model", model)                                             \
	FACT(INPUT, "input", "input")                                                    \
	FACT(OUTPUT, "output", "output")                                                 \
	/* tokens: see import/fields.h */                                                \
	SUM(INPUT_TOKENS, "input_tokens", "input tokens", input_tokens)                  \
	SUM(OUTPUT_TOKENS, "output_tokens", "output tokens", output_tokens)              \
	SUM(COST, "cost", "cost", cost)                /* USD */                         \
	FIGURE(LATENCY, "latency", "latency", latency) /* seconds */                     \
	FACT(NAME, "name", "name")                                                       \
	TEXT(CHAIN_NAME, "trace_name", "chain name", chain_name)                         \
	FACT(PROMPT_SCHEMA, "prompt_schema", "prompt schema")                            \
	TEXT(TRACE, "trace", "trace id", trace_id) /* its own */                         \
	FACT(PARENT, "parent", "parent")                                                 \
	/* ids by which children name a step, besides ID */                              \
	FACT(SPAN, "span", "span id")                                                    \
	FACT(GENERATION, "generation", "generation id")                                  \
	FACT(IS_ERROR, "is_error", "is error")                                           \
	FACT(ERROR, "error", "error")                                                    \
	FACT(STATUS, "status", "HTTP status")                                            \
	FACT(IMAGES, "images", "user images")                                            \
	FACT(PROVIDER, "provider", "provider")                                           \
	FACT(TOOLS, "tools", "tools")                                                    \
	FACT(TEMPERATURE, "temperature", "temperature")                                  \
	FACT(MAX_TOKENS, "max_tokens", "max tokens")                                     \
	/* parts of the input tokens */                                                  \
	SUM(CACHE_READ, "cache_read", "cache read tokens", cache_read)                   \
	SUM(CACHE_WRITE, "cache_write", "cache creation tokens", cache_write)            \
	FACT(FIRST_TOKEN, "first_token", "time to first token")                          \
	FACT(SESSION, "session", "session")                                              \
	/* of an envelope or a chat stream: its trace */                                 \
	FACT(CONVERSATION, "conversation", "conversation")                               \
	/* these are known of described formats only */                                  \
	FACT(END, "end", "end") /* when the step ended */                                \
	/* which of the threads of a session log it is of */                             \
	FACT(THREAD, "thread", "thread")                                                 \
	/* a sub-agent that it starts, or the call that does */                          \
	FACT(AGENT, "agent", "sub-agent")                                                \
	/* of the cache creation tokens: entries that live an hour */                    \
	SUM(CACHE_HOUR, "cache_hour", "cache creation tokens for an hour", cache_hour)   \
	FACT(CWD, "cwd", "working directory")                                            \
	FACT(BRANCH, "branch", "branch")  /* of the repository there */                  \
	FACT(STOP, "stop", "stop reason") /* why the model stopped */                    \
	FACT(PARAMETERS, "parameters", "parameters")                                     \
	/* the two are added up where no cost is stated */                               \
	FACT(INPUT_COST, "input_cost", "input cost")                                     \
	FACT(OUTPUT_COST, "output_cost", "output cost")                                  \
	/* what a format states in place of all tokens: see token_figures */             \
	/* input without what the cache gave and took */                                 \
	FACT(FRESH_TOKENS, "fresh_tokens", "fresh input tokens")                         \
	/* read from the cache, and a part of either input */                            \
	FACT(CACHED_TOKENS, "cached_tokens", "cached input tokens")                      \
	FACT(ANSWER_TOKENS, "answer_tokens", "output tokens without reasoning")          \
	/* a part of the output */                                                       \
	FACT(REASONING_TOKENS, "reasoning_tokens", "reasoning tokens")                   \
	/* of both sides: it tells which of these it adds up */                          \
	FACT(TOTAL_TOKENS, "total_tokens", "total tokens")                               \
	FACT(USER, "user", "user")                                                       \
	FACT(ENVIRONMENT, "environment", "environment") /* "production" */               \
	/* a value of any kind, as the next two */                                       \
	FACT(TAGS, "tags", "tags")                                                       \
	FACT(METADATA, "metadata", "metadata")                                           \
	FACT(SCORES, "scores", "scores")

/* What a fact is where others are meant, and where they are counted. */
#define FACT_NOT(...)
#define FACT_COUNTED(...) +1

enum fact {
#define FACT(id, ...) FACT_##id,
	STEP_FACTS(FACT, FACT, FACT, FACT)
#undef FACT
		FACT_COUNT
};

enum {
	STEP_SUMS = 0 STEP_FACTS(FACT_NOT, FACT_COUNTED, FACT_NOT, FACT_NOT),
	STEP_FIGURES = STEP_SUMS STEP_FACTS(FACT_NOT, FACT_NOT, FACT_COUNTED, FACT_NOT),
	STEP_TEXTS = 0 STEP_FACTS(FACT_NOT, FACT_NOT, FACT_NOT, FACT_COUNTED)
};

/* The figures by number, the sums first, or by name; NaN: not known. */
#define FACT_MEMBER(id, word, name, member) double member;
#define FIGURE_MEMBERS                                                                   \
	union {                                                                          \
		double figures[STEP_FIGURES];                                            \
		struct {                                                                 \
			STEP_FACTS(FACT_NOT, FACT_MEMBER, FACT_NOT, FACT_NOT)            \
			STEP_FACTS(FACT_NOT, FACT_NOT, FACT_MEMBER, FACT_NOT)            \
		};                                                                       \
	}
/* The texts likewise, interned; NO_TEXT: not known. */
#define FACT_TEXT(id, word, name, member) uint32_t member;
#define TEXT_MEMBERS                                                                     \
	union {                                                                          \
		uint32_t texts[STEP_TEXTS];                                              \
		struct {                                                                 \
			STEP_FACTS(FACT_NOT, FACT_NOT, FACT_NOT, FACT_TEXT)              \
		};                                                                       \
	}

struct step {
	uint64_t offset; /* [offset, offset + length) in the source */
	uint64_t length;
	double timestamp; /* seconds since 1970, UTC; NaN: unknown */
	FIGURE_MEMBERS;
	uint64_t parent_key; /* trace_key of the parent's id, 0: none */
	uint64_t request; /* trace_key of the request that was answered; 0: not known */
	uint32_t name_at; /* the name's value, counted from `offset`; 0: none */
	uint32_t name_len;
	TEXT_MEMBERS;
	uint32_t scope;  /* index of the scope it was found in */
	uint32_t flags;  /* of enum step_flag */
	uint32_t parent; /* arranged: index of a step, or NO_STEP */
	uint32_t chain;  /* arranged, or NO_CHAIN */
};

/* A step of which nothing is known yet. */
extern const struct step step_unknown;

/* When it was over: its timestamp, or its latency after that, if it says when it began.
 */
static inline double step_over_at(const struct step *s)
{
	return s->flags & STEP_TIMED && s->latency > 0 ? s->timestamp + s->latency
						       : s->timestamp;
}

/* Seconds that a step took; 0: it does not say, or it would be longer than a life. */
static inline double step_lasted(const struct step *s)
{
	return s->latency > 0 && s->latency < 1e9 ? s->latency : 0;
}

/* Whether a time is a date: from the year 2000 on, and before 2100. */
static inline bool step_is_dated(double start, double end)
{
	return start >= 946684800.0 && end < 4102444800.0;
}

/*
 * ---- how steps are kept ----
 *
 * Steps in few bytes: 40 each, 8 more for an id, and 8 for each of what not all have: a
 * figure other than tokens (cost, latency, what a cache gave), the key of a parent or of
 * a request.  What many steps have in common (model, event, trace, chain name, scope) is
 * kept once; what does not fit into a record (tokens that are no whole number of 32 bits,
 * steps of 4 GB, names of 2 KB) is kept beside it, too, so that nothing is ever rounded.
 *
 * Steps lie in slabs of a fixed size: a record never moves, and growing touches no
 * byte twice.  Private to trace/.
 */

#define SLAB          4096u /* steps, or ids, of one */
#define TOKEN_FIGURES 2     /* the first figures, which are whole numbers mostly */

struct record {
	uint64_t offset;
	double timestamp;
	uint32_t length;                /* or WIDE */
	uint32_t tokens[TOKEN_FIGURES]; /* or BESIDE */
	uint32_t name_at;
	uint32_t kind;
	uint32_t flags : 19;
	uint32_t ids : 2;       /* of its own */
	uint32_t name_len : 11; /* or WIDE_NAME */
};

/* What steps have in common. */
struct step_kind {
	TEXT_MEMBERS;
	uint32_t scope;
};

/* Steps, and columns of what some of them have; NULL: none has it. */
struct slab {
	struct record records[SLAB];
	double *figures[STEP_FIGURES]; /* NaN: a step has none, or the record has it */
	uint64_t *parents, *requests;  /* keys; 0: a step has none */
	uint64_t *lengths, *names;     /* of steps, of names, where they are WIDE */
};

struct store {
	struct slab **slabs;
	size_t slab_count, slab_cap;
	size_t count;        /* of steps */
	size_t parent_count; /* of steps that name a parent */
	uint64_t **ids; /* keys by which others may call a step their parent, by step */
	size_t id_count, id_slabs, id_cap;
	struct step_kind *kinds;
	size_t kind_count, kind_cap;
	struct idmap kind_numbers; /* by the hash of what they have */
	uint32_t last_kind;
};

struct step store_get(const struct store *s, size_t step); /* nothing of it arranged */

static inline struct record *store_record(const struct store *s, size_t step)
{
	return &s->slabs[step / SLAB]->records[step % SLAB];
}

static inline const struct step_kind *store_kind(const struct store *s, size_t step)
{
	return &s->kinds[store_record(s, step)->kind];
}

static inline uint64_t store_parent(const struct store *s, size_t step)
{
	const uint64_t *parents = s->slabs[step / SLAB]->parents;

	return parents ? parents[step % SLAB] : 0;
}

static inline uint64_t store_id(const struct store *s, size_t id)
{
	return s->ids[id / SLAB][id % SLAB];
}

#endif
