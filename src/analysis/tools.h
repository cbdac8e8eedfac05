/*
 * The tools that a step offers to its model, and compiled input schemas.  Most steps
 * repeat their schemas, so the latest are kept.  Private to analysis/.
 */
#ifndef CATENA_ANALYSIS_TOOLS_H
#define CATENA_ANALYSIS_TOOLS_H

#include "base/map.h"
#include "json/cursor.h"
#include "schema/schema.h"

/* The tools of one step by name, read when the first is needed. */
struct offered {
	bool read;
	struct idmap by_name; /* hash of the name → index */
	struct jv *schemas;
	size_t count, cap;
};

#define COMPILED_MOST  64
#define COMPILED_BYTES (64u << 20) /* of all but the latest */

/* The latest schemas by their text.  A text that is no schema is kept too, so that it is
 * not compiled again. */
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
 * Converse, Gemini and MCP.  The first definition of a name counts.
 */
void offered_add(struct offered *o, struct jv tools);
/* The input schema of a tool, or J_NONE. */
struct jv offered_schema(const struct offered *o, struct str name);
void offered_done(struct offered *o);

/* NULL: the value is no schema.  Valid until the next call.  Compiles the schema unless
 * it is one of the latest. */
const struct schema *compiled_get(struct compiled *c, struct jv schema);
void compiled_done(struct compiled *c);

#endif
