/* Positions to fields: see plan.h. */
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
		mem_free(c->fields);
	mem_free(c);
}

void columns_add(struct position_plan *c, struct str name)
{
	*MEM_ADD(c->fields, c->count, c->cap) =
		(int16_t)(str_equal(name, STR("*"))            ? -1 - CELL_EVENT
			  : str_equal(name, STR("properties")) ? -1 - CELL_PROPERTIES
							       : field_of_column(name));
}

enum position_object columns_cell(const struct position_plan *c, uint64_t position)
{
	int field = columns_field(c, position);

	return field < -1 ? (enum position_object)(-1 - field) : CELL_FACT;
}

int columns_field(const struct position_plan *c, uint64_t position)
{
	if (c)
		return position < c->count ? c->fields[position] : -1;
	return position < ROW_LENGTH ? field_of_position((size_t)position) : -1;
}

size_t columns_needed(const struct position_plan *c)
{
	return c ? 1 : ROW_LENGTH;
}
