/*
 * Payloads: the registry of their types, what a trace says about rows and columns, and
 * proposals as tables.
 */
#ifndef CATENA_PAYLOAD_PAYLOAD_H
#define CATENA_PAYLOAD_PAYLOAD_H

#include "base/mem.h"
#include "chat/response.h"
#include "json/cursor.h"
#include "schema/schema.h"

/* ---- the registry: registry.c ----
 *
 * The registry of payload types, tools, pages and client actions: the one contract of the
 * "Chat System Architecture" document.  The built-in definitions (data/payloads.yaml) are
 * embedded; users' files are read over them, a definition of the same name replaces the
 * one before.
 *
 * All texts and values belong to the registry and live as long as it does; addresses of
 * types, tools and pages are valid until the next registry_add.
 */

enum payload_source { PAYLOAD_TOOL, PAYLOAD_LLM };

struct defined {
	struct str file; /* "built in", or the file's name; a NUL follows */
	uint64_t line;   /* from 1; 0 for what is built in */
};

struct payload_type {
	struct str name, description;
	enum payload_source source;
	const json_t *schema_value; /* as it stands; NULL: none */
	struct schema *schema;      /* compiled, or NULL */
	struct str instructions;    /* llm_instructions */
	struct str marker;          /* parse_marker without its colon; empty: none */
	struct str title, icon;     /* frontend_config; empty: none */
	unsigned panel_width;       /* pixels; 0: none */
	struct str summary;         /* template; empty: none */
	struct defined at;
};

struct tool_config {
	struct str name, description;
	struct str payload_type; /* empty: none */
	const json_t *input_schema_value;
	struct schema *input_schema; /* compiled, or NULL */
	struct defined at;
};

struct client_action {
	struct str name, description;
	struct defined at;
};

/* SUGGESTED_VALUES and SUGGESTED_ACTIONS: one schema for the whole array. */
struct suggestion {
	struct str name; /* its marker */
	struct str description;
	const json_t *schema_value;
	struct schema *schema;
	struct str instructions;
	struct defined at;
};

struct page {
	struct str name, description;
	struct str *payloads; /* names of payload types */
	size_t payload_count;
	struct client_action *actions;
	size_t action_count;
	struct defined at;
};

struct registry {
	struct payload_type *types; /* in order of registration */
	size_t type_count, type_cap;
	struct tool_config *tools;
	size_t tool_count, tool_cap;
	struct page *pages;
	size_t page_count, page_cap;
	struct str *global_payloads; /* payload_types_everywhere */
	size_t global_payload_count, global_payload_cap;
	struct defined global_at;      /* the last list of them */
	struct client_action *actions; /* global ones */
	size_t action_count, action_cap;
	struct suggestion suggestions[2]; /* values, actions */
	struct err *warnings; /* (1): a tool naming an unknown payload type, … */
	size_t warning_count, warning_cap;
	/* private */
	struct arena arena;
	json_t *files;        /* the documents that the rest borrows from */
	json_t *format_value; /* the schema of such files; NULL until one is read */
	struct schema *format;
};

/* With the built-in definitions. */
struct registry *registry_new(void);
void registry_free(struct registry *r);

/*
 * Reads definitions over those that are there; `name` is for messages.  False with err
 * (file, line, column, key) when the text is no YAML or not what a registry file is by
 * its schema (data/payloads.schema.yaml); nothing of it is taken then.
 */
bool registry_add(struct registry *r, const char *name, struct str text, struct err *err);
/* A regular file, or a pipe with a writer; at most YAML_SIZE bytes. */
bool registry_add_file(struct registry *r, const char *path, struct err *err);
/* payloads.yaml, then payloads/ *.yaml by name, of the user's configuration folder
 * ($XDG_CONFIG_HOME/catena, else ~/.config/catena).  A file with a mistake is left out
 * and is one of the warnings. */
void registry_add_user(struct registry *r);
/* Call once after the last file: adds the warnings about names that lead nowhere. */
void registry_link(struct registry *r);

/* NULL when there is none of that name. */
const struct payload_type *registry_type(const struct registry *r, struct str name);
const struct tool_config *registry_tool(const struct registry *r, struct str name);
const struct page *registry_page(const struct registry *r, struct str name);
/* The schema of an array of suggested values, or of suggested actions. */
const struct schema *registry_suggestions(const struct registry *r, bool actions);
/* Whether an action is registered for a page (or globally); any page when it is empty. */
bool registry_action(const struct registry *r, struct str page, struct str action);
/* Whether a payload type is available on a page: named there or globally; tools' payloads
 * are on every page. */
bool registry_on_page(const struct registry *r, const struct page *page,
	const struct payload_type *type);

/*
 * What may be marked in a text on a page, for response_read: all types with a marker when
 * `page` is empty, none (and false) when it is unknown.  *out is owned by the caller
 * (mem_free).
 */
bool registry_markers(const struct registry *r, struct str page,
	struct response_type **out, size_t *count);

/*
 * The capabilities and format sections of a system prompt for a page and tools: the
 * tools, the instructions of the payload types that the tools return and of those that
 * the page's model may write (all of them when `page` is empty), the client actions of
 * the page, the format of suggestions.  What is not registered is left out.
 */
void registry_prompt(const struct registry *r, struct str page, const struct str *tools,
	size_t tool_count, struct buf *out);

/*
 * One line about a payload by its type's summary template: {path} is replaced by the
 * value there (long texts are cut), {path.length} by its number of items, and what is
 * missing by
 * "?" or by the text after a bar: {name|nameless}.  Without a template, the type's title
 * or name and what the data is.  Unsafe text.
 */
void registry_summary(
	const struct registry *r, struct str type, struct jv data, struct buf *out);

/* ---- payloads in what tools gave ---- */

/*
 * What a tool's result may hold payloads in: an object with a member `payload`, which is
 * {"type", "data"}; such an object as JSON in a string; or a list of either or of items
 * with a text.
 */

struct content_walk {
	struct jv at;    /* a piece of the content, where it stands */
	struct jv value; /* `at`, its string opened (in the arena) */
	/* private */
	struct jv content;
	struct jwalk items;
	struct arena *arena;
	bool ended;
};

void content_begin(struct content_walk *w, struct jv content, struct arena *arena);
bool content_next(struct content_walk *w);

/* The member `payload` of such a value when it has a type and data, else J_NONE. */
struct jv content_payload(struct jv value);

/* ---- rows and columns by their ids: known.c ----
 *
 * What a trace says about rows and columns: objects that carry a row_id, column_id or id,
 * found in any value, also in JSON inside strings and in JSON amid the prose of a prompt.
 * Later ones replace earlier ones.
 *
 * An id alone does not tell a row from a column: an object with a column_id, or with a
 * name and one of the types that columns have, is a column, one with a row_id a row; any
 * other counts as both until a better one comes.  The operations of proposals and the
 * arguments of calls that change a row are neither.
 *
 * Reading must not delay drawing: of a value longer than KNOWN_MOST its end
 * counts, which is its latest, and in it no more is read for texts that only look like
 * JSON than a few times as much.  A string that begins earlier is left out.
 */

#define KNOWN_MOST (4u << 20) /* bytes of one value */

struct known_ids;
struct known_ids *known_new(void);
void known_free(struct known_ids *k);
size_t known_bytes(const struct known_ids *k); /* in all, an id counts as 64; NULL: 0 */
/* Borrows the value's text; decoded strings live in the known's own arena. */
void known_add(struct known_ids *k, struct jv value);

/* The latest object with that id (as text: 5 and "5" are the same), or J_NONE. */
struct jv known_find(const struct known_ids *k, bool column, struct jv id);
struct jv known_find_text(const struct known_ids *k, bool column, struct str id);

/* All rows, each once, in order of first appearance. */
size_t known_row_count(const struct known_ids *k);
struct jv known_row(const struct known_ids *k, size_t i, struct str *id);

/*
 * The columns of one table: of the latest list that holds a column among `ids`, or, when
 * there are no ids at all, the latest of all.  Returns how many; *out is the caller's
 * (mem_free), in the list's order.  0 when the trace knows none of them.
 */
size_t known_columns(
	const struct known_ids *k, const struct str *ids, size_t count, struct jv **out);

/* The id of an object as text (row_id or column_id before id), empty when it has none;
 * the text may be in `decoded`. */
struct str known_id(struct jv object, bool column, struct buf *decoded);

/* What holds a row's values: the object under data, values or cells, else the row. */
struct jv known_values(struct jv row);

/* ---- proposals: proposal.c ----
 *
 * A proposal as a table: a schema proposal's columns or a data proposal's rows, each with
 * what would happen to it, a check mark, and the table that the chosen ones would give.
 * Reads the raw text, so that values are seen as they stand; total: what is no operation
 * is kept as one of kind OP_OTHER.
 */

enum op_kind { OP_ADD, OP_UPDATE, OP_DELETE, OP_REORDER, OP_OTHER };

struct op {
	enum op_kind kind; /* UPDATE: also `modify` of a column; DELETE: `remove` */
	struct jv raw;
	struct jv target; /* row_id, column_id; of a column added: its name; or J_NONE */
	struct jv values; /* data, changes, column: an object, or J_NONE */
	struct jv after;  /* after_column_id, or J_NONE */
	struct jv old; /* the row or column as the trace knows it: an object, or J_NONE */
	bool chosen;
};

struct proposal {
	bool schema; /* of columns; else of rows */
	bool create; /* mode: create */
	struct str mode, reasoning, table_name, table_description; /* decoded */
	struct jv samples; /* sample_rows, or J_NONE */
	struct op *ops;    /* in file order */
	size_t count;
	struct str *columns; /* of rows: names, decoded, in order of first appearance
				in rows added, then changed, then known */
	size_t column_count;
	const struct known_ids *known; /* or NULL */
};

/* Whether a type's payload is drawn as a proposal: "schema_proposal", "data_proposal", or
 * data of that shape (an array `operations` of objects with one of their actions). */
bool proposal_is(struct str type, struct jv data);

/*
 * All operations are chosen at first.  `known` may be NULL, else it outlives the
 * proposal. Everything is in the arena and lives as long as it and the data's text.
 * False, with nothing to draw, when the data is no object with an array `operations`.
 */
bool proposal_read(struct proposal *p, struct str type, struct jv data,
	const struct known_ids *known, struct arena *arena);

/* The column that a key of a row stands for, which is its name or the column_id of one
 * that the trace knows; empty: none, a row's own id.  The text may be in `decoded`. */
struct str proposal_key(const struct proposal *p, struct jv key, struct buf *decoded);

/*
 * The payload with the chosen operations only, as {"type", "data"} in pretty JSON with a
 * final newline; the data alone when the type is empty.  Digits stay as they are written.
 */
void proposal_write(
	const struct proposal *p, struct str type, struct jv data, struct buf *out);

/* ---- the table that it would give ---- */

/*
 * The table that the chosen operations of a proposal would give: of a data proposal its
 * rows, those added first, then those that the trace knows of that table, then those it
 * does not know but that would change; of a schema proposal its columns in their order.
 *
 * An item is what the trace knows with what the operations say on top of it.
 */

#define RESULT_NONE UINT32_MAX

struct result_item {
	struct jv known;   /* the row or column, or J_NONE */
	struct str id;     /* empty: it is added */
	uint32_t first_op; /* chosen ones that give it values, chained by next_op */
	uint32_t last_op;
	bool gone;               /* removed, deleted */
	bool linked;             /* a column that has a place */
	uint32_t previous, next; /* columns: their order; items[item_count] is the ends */
};

struct proposal_result {
	const struct proposal *proposal;
	struct str *columns; /* of rows: the proposal's, then what else rows have */
	size_t column_count;
	uint32_t *shown; /* items, in order */
	size_t count;
	struct result_item *items; /* all that any choice could show */
	size_t item_count;
	uint32_t *next_op; /* by operation; RESULT_NONE ends a chain */
	/* private */
	uint32_t *item_of, *after; /* by operation: items or RESULT_NONE */
};

/* Everything lives in the arena; the proposal stays where it is. */
struct proposal_result *result_new(const struct proposal *p, struct arena *arena);
/* Makes `shown` again from what is chosen; takes no memory. */
void result_update(struct proposal_result *r);

/* Item number i of those shown. */
const struct result_item *result_at(const struct proposal_result *r, size_t i);

#endif
