/*
 * The registry of payload types, tools, pages and client actions: the one contract of the
 * "Chat System Architecture" document.  The built-in definitions (data/payloads.yaml) are
 * embedded; users' files are read over them, a definition of the same name replaces the
 * one before.
 *
 * All texts and values belong to the registry and live as long as it does; addresses of
 * types, tools and pages are valid until the next registry_add.
 */
#ifndef CATENA_PAYLOAD_REGISTRY_H
#define CATENA_PAYLOAD_REGISTRY_H

#include "base/mem.h"
#include "chat/response.h"
#include "schema/schema.h"

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

/* ---- private to payload/ ---- */

/*
 * Reads one file as definitions of its own: all of it or nothing.  Fills `part`, which is
 * all zero bits, with what `text` defines; `part` owns its arrays, its compiled schemas
 * and its document, texts live in r's arena.  False with err and an unchanged `part`.
 * `built_in`: that file, which tests hold to its schema.
 */
bool define_read(struct registry *r, struct registry *part, const char *name,
	struct str text, bool built_in, struct err *err);

/* Releases what a registry or a part of one holds, but not its arena. */
void define_done(struct registry *part);

/* Makes an error one of the warnings, taking it. */
void registry_warn(struct registry *r, struct err *err);

#endif
