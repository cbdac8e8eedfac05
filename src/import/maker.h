/*
 * What the readers of a format file share: its members checked and taken, with the first
 * mistake named ("turns.items.as: one of input, output, …").  Private to import/; the
 * functions never fail otherwise than by that mark.
 */
#ifndef CATENA_IMPORT_MAKER_H
#define CATENA_IMPORT_MAKER_H

#include "import/describe.h"

/* A description in the making. */
struct description_maker {
	struct description *d;
	struct trie *trie;
	struct arena *arena;
	struct err *err;
	bool failed;
};

/* The items of a list; of anything else that is there, itself. */
struct maker_list {
	struct jwalk walk;
	struct jv one;
	bool is_list;
};

void maker_fail(struct description_maker *m, const char *member, const char *why);
void *maker_room(
	struct description_maker *m, size_t count, size_t size); /* all zero bits */
const char *maker_text(struct description_maker *m, struct jv v);
/* Every member of a mapping must be one of these, with a NULL at the end. */
void maker_check(struct description_maker *m, const char *where, struct jv v,
	const char *const names[]);
/* True where the file says so; what is neither true nor false is a mistake. */
bool maker_flag(struct description_maker *m, const char *member, struct jv v);

size_t maker_begin(struct maker_list *l, struct jv v); /* how many items, at most */
bool maker_next(struct maker_list *l, struct jv *v);

const struct str *maker_texts(struct description_maker *m, struct jv v, size_t *count);
struct path maker_path(struct description_maker *m, const char *member, struct jv v);
struct value_places maker_places(
	struct description_maker *m, const char *member, struct jv v);
/* `from`: the node of the trie at which the paths begin. */
struct fact_places maker_fact_places(
	struct description_maker *m, const char *member, struct jv v, uint16_t from);
struct fact_place maker_fact_place(
	struct description_maker *m, const char *member, struct jv v, uint16_t from);
#define NO_NODE (-1) /* conditions of an opened step only */
struct groups maker_groups(
	struct description_maker *m, const char *member, struct jv v, int from);
const struct dialect *maker_dialect(struct description_maker *m, struct jv v);

#endif
