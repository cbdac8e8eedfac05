/* Positions of rows: see plan.h. */
#include "config.h"
#include "import/plan.h"

#include "base/mem.h"

struct position_plan *columns_new(void)
{
	return mem_zalloc(1, sizeof(struct position_plan));
}

void columns_free(struct position_plan *c)
{
	if (c)
		mem_free(c->nodes);
	mem_free(c);
}

/* The node of a member of an event, or of its properties. */
static uint16_t node_of_column(struct str name)
{
	const struct trie *t = &known_events()->trie;
	const char *dot = name.n ? memchr(name.p, '.', name.n) : NULL;
	size_t head = dot ? (size_t)(dot - name.p) : 0;
	uint16_t node;

	if (str_equal(name, STR("*")))
		return TRIE_ROOT;
	node = trie_member(t, TRIE_ROOT, dot ? (struct str){name.p, head} : name);
	if (dot && node != NODE_NONE)
		return trie_member(t, node, (struct str){dot + 1, name.n - head - 1});
	if (node != NODE_NONE)
		return node;
	return trie_member(t, trie_member(t, TRIE_ROOT, STR("properties")), name);
}

void columns_add(struct position_plan *c, struct str name)
{
	*MEM_ADD(c->nodes, c->count, c->cap) = node_of_column(name);
}

uint16_t columns_node(const struct position_plan *c, uint64_t position)
{
	if (!c)
		c = &known_events()->columns;
	return position < c->count ? c->nodes[position] : NODE_NONE;
}

size_t columns_needed(const struct position_plan *c)
{
	return c ? 1 : known_events()->columns.count;
}
