/*
 * A step as its readers see it.  Kept is a packed form of it (trace/store.h); this one is
 * a copy, made when it is asked for.
 */
#ifndef CATENA_TRACE_STEP_H
#define CATENA_TRACE_STEP_H

#include <stdint.h>

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

struct step {
	uint64_t offset; /* [offset, offset + length) in the source */
	uint64_t length;
	double timestamp; /* seconds since 1970, UTC; NaN: unknown, as the figures below */
	double input_tokens, output_tokens;
	double cache_read, cache_write; /* parts of the input */
	double cache_hour;   /* part of cache_write: entries that live an hour */
	double cost;         /* USD */
	double latency;      /* seconds */
	uint64_t parent_key; /* trace_key of the parent's id, 0: none */
	uint64_t request;    /* trace_key of the request that was answered; 0: not known */
	uint32_t name_at;    /* the name's value, counted from `offset`; 0: none */
	uint32_t name_len;
	uint32_t model;      /* interned */
	uint32_t event;      /* interned */
	uint32_t trace_id;   /* interned: its own trace id */
	uint32_t chain_name; /* interned: what it says its chain is called */
	uint32_t scope;      /* index of the scope it was found in */
	uint32_t flags;      /* of enum step_flag */
	uint32_t parent;     /* arranged: index of a step, or NO_STEP */
	uint32_t chain;      /* arranged, or NO_CHAIN */
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

#endif
