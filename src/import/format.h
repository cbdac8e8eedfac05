/*
 * Formats, and those that the program itself recognizes, by structure alone: what carries
 * events, streams of them, lines, and conversations without more.  The loader collects
 * the shape of each top-level value while it scans.  All others are data: describe.h.
 */
#ifndef CATENA_IMPORT_FORMAT_H
#define CATENA_IMPORT_FORMAT_H

#include "base/str.h"
#include "json/cursor.h"

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
	/* Whether the chat extractor finds messages in the value; asked last, it reads
	 * the value.  NULL: its end is not there yet. */
	bool (*has_chat)(void *ctx);
	void *ctx;
};

struct format {
	const char *name;
	const char *recognized_by; /* one line, for `catena formats` */
	const char *steps;         /* where they are: "results[*]" */
	bool whole; /* only a whole file is of it: each of its values has a format, too */
	const struct description *description; /* of one that is data */
};

extern const struct format *const formats[]; /* in order of detection, NULL at the end */

extern const struct format format_sse_stream, format_chat_stream, format_chat_request,
	format_chat_response, format_posthog_rows, format_chain_object,
	format_single_event, format_event_array, format_json_lines, format_chat_value,
	format_json;

const struct format *format_named(struct str name);        /* or NULL */
const struct format *format_of(const struct shape *shape); /* never NULL */
/* Where the steps of a value of a format are. */
enum carrier format_carrier(const struct format *format, const struct shape *shape);

/* "results", "events", "chain_events" (or a camelCase twin) to its carrier, else
 * CARRIER_VALUE. */
enum carrier carrier_of_key(struct str key);

#endif
