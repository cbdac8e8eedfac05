/* Positions to fields: see plan.h. */
#include "config.h"
#include "format/plan.h"

#include "base/mem.h"

struct columns *columns_new(void)
{
	return mem_zalloc(1, sizeof(struct columns));
}

void columns_free(struct columns *c)
{
	if (c)
		mem_free(c->fields);
	mem_free(c);
}

void columns_add(struct columns *c, struct str name)
{
	c->fields = mem_grow(c->fields, &c->cap, c->count + 1, sizeof(*c->fields));
	c->fields[c->count++] =
		(int16_t)(str_equal(name, STR("*"))            ? -1 - CELL_EVENT
			  : str_equal(name, STR("properties")) ? -1 - CELL_PROPERTIES
							       : field_of_column(name));
}

enum cell columns_cell(const struct columns *c, uint64_t position)
{
	int field = columns_field(c, position);

	return field < -1 ? (enum cell)(-1 - field) : CELL_FACT;
}

int columns_field(const struct columns *c, uint64_t position)
{
	if (c)
		return position < c->count ? c->fields[position] : -1;
	return position < ROW_LENGTH ? field_of_position((size_t)position) : -1;
}

size_t columns_needed(const struct columns *c)
{
	return c ? 1 : ROW_LENGTH;
}
