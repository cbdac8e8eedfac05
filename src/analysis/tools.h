/*
 * Tools that a step offers to its model, and compiled input schemas: the same schemas
 * come with every step, so the latest are kept.  Private to payload/.
 */
#ifndef CATENA_ANALYSIS_TOOLS_H
#define CATENA_ANALYSIS_TOOLS_H

#include "base/map.h"
#include "json/cursor.h"
#include "schema/schema.h"

/* The tools of one step by name; read when the first is asked for. */
struct offered {
	bool read;
	struct idmap by_name; /* hash of the name → index */
	struct jv *schemas;
	size_t count, cap;
};

#define COMPILED_MOST  64
#define COMPILED_BYTES (64u << 20) /* of all but the latest */

/* Schemas by their text, the latest; one that is none stays too, so as not to be tried
 * again. */
struct compiled {
	struct {
		uint64_t key; /* 0: free */
		struct schema *schema;
		size_t bytes; /* about */
	} items[COMPILED_MOST];
	size_t next;
	size_t bytes; /* of all items */
};

/*
 * Adds the definitions of a list of tools, in the forms of OpenAI, Anthropic, Bedrock
 * Converse, Gemini and MCP.  Of two with one name the first counts.
 */
void offered_add(struct offered *o, struct jv tools);
/* The input schema of a tool, or J_NONE. */
struct jv offered_schema(const struct offered *o, struct str name);
void offered_done(struct offered *o);

/* NULL when the value is no schema.  Valid until another is asked for. */
const struct schema *compiled_get(struct compiled *c, struct jv schema);
void compiled_done(struct compiled *c);

#endif
