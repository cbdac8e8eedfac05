/*
 * The conditions of many formats at once: one trie of all their paths, and which tests
 * are asked of the value at each.  That of the built-in formats is made when the program
 * is built (tools/formatjson), for making it takes a millisecond of each start; with
 * formats of the user's own one is made at run time.  Private to import/.
 */
#ifndef CATENA_IMPORT_MATCHER_H
#define CATENA_IMPORT_MATCHER_H

#include "import/describe.h"

struct matcher {
	struct trie trie;
	struct groups *formats; /* the groups of each, in the order they were given */
	size_t count;
	struct test **tests; /* by leaf, those of one leaf next to each other */
	size_t *first;       /* by leaf, where its tests begin; one more at the end */
	size_t test_count;
};

extern const struct matcher matcher_built_in;

/* Whether a format is one of those that are asked last, when no other fits, by themselves:
 * a member that has conditions of some format is not one of "each member" (trie.h). */
bool matcher_takes(struct jv format, bool last);
/* `matches`: the `match` of each format, or J_NONE.  False with err. */
bool matcher_make(struct matcher *m, const struct jv *matches, size_t count,
	struct arena *arena, struct err *err);

enum test_verdict { UNSEEN, HELD, FAILED };

/* What each test makes of a value, by its number; for mem_free. */
unsigned char *matcher_judge(const struct matcher *m, struct jv value);

bool test_held(const struct test *t, const unsigned char *verdicts);
bool group_held(const struct test_group *g, const unsigned char *verdicts);

#endif
