/*
 * A format as data: how a value is recognized, where its steps are, where the facts of a
 * step are, and what its sides say.  Compiled from the JSON form of a file of
 * data/formats (doc/formats.md has its words); known.h has all of them.
 *
 * The places of facts are a trie of keys: the scan asks it at each key of a container
 * that is in it, and an opened step is walked with it, so that the list and the opened
 * step cannot disagree.  Containers outside are skipped.
 */
#ifndef CATENA_IMPORT_DESCRIBE_H
#define CATENA_IMPORT_DESCRIBE_H

#include "base/err.h"
#include "dialect/dialect.h"
#include "import/boilerplate.h"
#include "import/fields.h"
#include "import/path.h"
#include "json/json.h"

/* What a file or a value may be. */
struct format {
	const char *name;
	const char *recognized_by; /* one line, for `catena formats` */
	const char *steps;         /* where they are: "results[*]" */
	bool whole; /* only a whole file is of it: each of its values has a format, too */
	const struct description *description; /* of one that is data */
};

/* ---- conditions ---- */

enum test_want { WANT_ANY, WANT_ABSENT, WANT_KIND, WANT_TEXT, WANT_OTHER };

/* What is asked of the value at a path. */
struct test {
	enum test_want want;
	struct path path;
	int leaf;       /* the place in the trie, or -1: known of an opened step only */
	size_t number;  /* of the matcher's tests */
	unsigned kinds; /* KIND: a bit for each of enum jkind */
	struct file_texts texts; /* TEXT: any of these, OTHER: there, and none of them; a
			       '*' ends or begins what may differ */
	struct jv key, wanted;   /* as the file says it */
};

struct test_group { /* all of its tests hold */
	struct test *tests;
	size_t count;
};

struct groups { /* any of its groups does */
	struct test_group *items;
	size_t count;
};

bool test_holds(const struct test *t, struct jv value);

/* ---- what is said ---- */

enum piece_kind {
	PIECE_MESSAGES, /* a value that a dialect, or the extractor, reads */
	PIECE_TEXT,
	PIECE_THINKING,
	PIECE_CALL,
	PIECE_RESULT,
	PIECE_IMAGE,
	PIECE_JSON,  /* shown as JSON */
	PIECE_PATCH, /* hunks of a patch as objects: written as a unified diff */
	PIECE_TOOLS, /* offered tools */
	PIECE_PARAMETERS,
	PIECE_EACH,  /* of each value at the path what its own pieces say */
	PIECE_TREE,  /* a conversation that is a tree of nodes: its active branch */
	PIECE_FIRST, /* the first of its own pieces that says anything */
};

/* A text of the file, and what is shown in its place. */
struct renamed {
	struct str from, to;
};

/* A name of a tool that stands nowhere in the file. */
struct made_name {
	struct str text;
	const struct made_name *next;
};

struct said_pieces {
	struct said_piece *items;
	size_t count;
};

struct said_piece {
	enum piece_kind kind;
	struct paths at;       /* of the value: the first that has one counts */
	struct groups when;    /* no group: always */
	const char *role;      /* or NULL */
	struct paths role_at;  /* whose text is the role, */
	struct renamed *roles; /* or which role it stands for */
	size_t role_count;
	struct paths sort;             /* EACH: in the order of the times there */
	const struct dialect *dialect; /* or NULL: whichever knows the value */
	bool alone;                    /* what the dialect does not know says nothing */
	struct paths id, name;         /* of a call or result */
	struct jv called;    /* the name of a call whose name is nowhere in the file, or
				J_NONE */
	struct paths beside; /* of a result: shown as JSON after it */
	struct file_texts gather; /* of the value the texts under these names, at any
				depth, as one; none: the value itself */
	bool joins;               /* a text goes on the one before it */
	struct groups failed;     /* of a result */
	struct groups free_form;  /* of a call: its input is any text */
	const char *id_end;       /* of an id: it ends before that; or NULL */
	struct said_pieces inner; /* EACH, TREE: of each; FIRST: to choose from */
	struct paths node_id, parent,
		leaf;          /* TREE: of a node, of its parent; of the end */
	struct paths children; /* TREE: nodes that are within their parent */
};

/* ---- steps ---- */

struct fact_path {
	struct path path;
	int16_t leaf;       /* or -1 */
	uint8_t unit;       /* of enum time_unit */
	struct groups when; /* it counts only where some of them hold; no group: always */
};

struct fact_paths {
	struct fact_path *items;
	size_t count;
	bool sum; /* of a figure: of all of them */
};

/* What an item of a session log is for its step. */
enum turn {
	TURN_NONE,
	TURN_INPUT,
	TURN_OUTPUT,
	TURN_BOTH,
	TURN_SKIP,
	TURN_ALONE,
	TURN_DROP
};

/* Whether some of the item is what the model answered. */
static inline bool turn_is_answer(enum turn turn)
{
	return turn == TURN_OUTPUT || turn == TURN_BOTH || turn == TURN_ALONE;
}

struct turn_rule {
	struct groups when;
	enum turn turn;
	bool together; /* items of it next to each other are said as one array */
	bool echo;     /* what other items of the step say is left out */
	bool sums;     /* its figures are those of all steps before it, and it; */
	bool sums_all; /* also of those of which it was stated before */
	bool first;    /* of the first item of the log alone */
	bool resets;   /* what was said before it is sent no more: a compaction */
	struct said_pieces said;
};

/* Strings that begin so name a member of the object at a path, of a step or one around
 * it. */
struct attachment {
	struct str begins;
	struct path at;
};

/* Where the files of a session's sub-agents are: known.h. */
struct agent_path {
	const char *of;    /* a pattern of the session's own path, or NULL: any */
	const char *files; /* a pattern with words in braces */
	const char *side;  /* a file beside each of them, or NULL; */
	struct path call;  /* and where that names the call */
};

/* A file beside a session's that names the folder it worked in. */
struct folder_place {
	const char *file;
	struct paths at; /* in it, the first that is a text; none: all that is in it */
};

/* What stands at each position of a row: nodes of the trie of events, or NODE_NONE. */
struct position_plan {
	uint16_t *nodes;
	size_t count, cap;
};

struct description {
	struct format format; /* its name, and what `catena formats` says of it */
	int order;
	bool lines, value; /* a line, a value may be a step */
	struct trie trie;
	struct paths carriers;
	struct fact_paths facts[FACT_COUNT];
	struct fact_paths trace_id, trace_name; /* of what carries steps, */
	struct fact_paths shared[SHARED_FACTS]; /* and what holds for all of them */
	bool has_run; /* the value that carries the steps is a step around them: */
	struct fact_paths run[FACT_COUNT];  /* its facts */
	struct said_pieces run_said;        /* and what it says beside them */
	struct groups run_when; /* it is a step of the list also where these hold */
	struct fact_paths kind_at;
	struct file_texts calls, containers, traces; /* texts there */
	struct groups call_when, container_when;
	struct groups failed;
	struct groups skip;
	bool answer_last; /* what the assistant says at the input's end is the output */
	bool rest;        /* what no piece and no fact is about is a note (rest.c) */
	struct attachment *attached; /* texts that are named in a step */
	size_t attached_count;
	struct fact_paths merge;  /* records with the same text here are one step */
	bool cumulative;          /* tokens and cost grow from step to step */
	bool add_figures;         /* those at several places of a step are added up */
	bool summed[FIELD_MAX];   /* by leaf: it has such figures */
	bool add_tokens;          /* those of the items of a turn are added up */
	const struct dialect *dialect;
	struct said_pieces input, output;
	const struct made_name *made_names; /* of calls in any of its pieces */
	bool events; /* of the source documents: any text is an id, and no time is surely
			when something began */
	struct position_plan columns; /* of a row whose columns have no names */
	bool turns;
	struct fact_paths join; /* items with the same text here are one response */
	struct fact_paths
		about; /* items with the same text are on the side of the first */
	struct fact_paths
		replace; /* a later item with the same text stands for this one */
	struct turn_rule *rules;
	size_t rule_count;
	bool carry_model;
	const char *tool;   /* the program that writes such files; or "" */
	const char *resume; /* the command that goes on with a session; or "" */
	struct agent_path *agents;
	size_t agent_count;
	struct folder_place *folders;
	size_t folder_count;
	bool agents_named;             /* some pattern has the name of an agent */
	struct file_texts boilerplate; /* beside that of all formats */
};

/*
 * `json`: the description as JSON, which must live as long as it.  NULL with err, whose
 * text names the member: "facts.cost: no path".
 */
struct description *description_new(struct jv json, struct arena *arena, struct err *err);

/*
 * The `match` of a format file (with its match_steps).  The paths go into a trie
 * of their own, whose leaves the tests name.
 */
bool description_match(struct groups *groups, struct jv match, struct trie *trie,
	struct arena *arena, struct err *err);

/* The value of a leaf, or J_NONE. */
typedef struct jv leaf_value(void *ctx, int leaf);

bool groups_hold(const struct groups *g, leaf_value *value, void *ctx);
/* The rule of an item; `first`: of the first of its log.  NULL: none holds. */
const struct turn_rule *rule_that_holds(
	const struct description *d, bool first, leaf_value *value, void *ctx);
/* The number of the place that counts: the first that has a value that is not empty, else
 * the first that has one; -1: none has.  `nulls`: null is a value, too. */
int place_that_counts(
	const struct fact_paths *p, bool nulls, leaf_value *value, void *ctx);
/* What is there, or J_NONE; *unit is set. */
struct jv places_value(
	const struct fact_paths *p, leaf_value *value, void *ctx, enum time_unit *unit);

/* Whether a value is one of some texts, of which a '*' at an end stands for anything. */
bool text_is_one_of(struct jv value, const struct file_texts *texts);

/* ---- recognition ----
 *
 * The conditions of many formats at once: one trie of all their paths, and which tests
 * are asked of the value at each.  That of the built-in formats is made when the program
 * is built (tools/formatjson), for making it takes a millisecond of each start; with
 * formats of the user's own one is made at run time.
 */

/*
 * `match_steps` of a format file, as it was read, becomes a part of `match`: each of its
 * groups once for each place of `steps`, its paths below that place.  What is no group
 * does not change.
 */
void match_expand(json_t *format);

struct matcher {
	struct trie trie;
	struct groups *formats; /* the groups of each, in the order they were given */
	size_t count;
	struct test **tests; /* by leaf, those of one leaf next to each other */
	size_t *first;       /* by leaf, where its tests begin; one more at the end */
	size_t test_count;
};

extern const struct matcher matcher_built_in;

/* Whether a format is one of those that are asked last, when no other fits, by
 * themselves: a member that has conditions of some format is not one of "each member"
 * (path.h). */
bool matcher_takes(struct jv format, bool last);
/* `matches`: the `match` of each format, or J_NONE.  False with err. */
bool matcher_make(struct matcher *m, const struct jv *matches, size_t count,
	struct arena *arena, struct err *err);

enum test_verdict { UNSEEN, HELD, FAILED };

/* What each test makes of a value, by its number; for mem_free. */
unsigned char *matcher_test(const struct matcher *m, struct jv value);

bool test_held(const struct test *t, const unsigned char *verdicts);
bool group_held(const struct test_group *g, const unsigned char *verdicts);

#endif
