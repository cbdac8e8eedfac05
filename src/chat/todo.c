/* See todo.h. */
#include "config.h"
#include "chat/todo.h"

static bool read_state(struct jv status, enum todo_state *state)
{
	static const struct {
		struct str word;
		enum todo_state state;
	} rows[] = {
		{{"pending", 7}, TODO_OPEN},
		{{"not_started", 11}, TODO_OPEN},
		{{"not-started", 11}, TODO_OPEN},
		{{"todo", 4}, TODO_OPEN},
		{{"in_progress", 11}, TODO_NOW},
		{{"in-progress", 11}, TODO_NOW},
		{{"completed", 9}, TODO_DONE},
		{{"done", 4}, TODO_DONE},
		{{"cancelled", 9}, TODO_DROPPED},
		{{"canceled", 8}, TODO_DROPPED},
	};

	if (status.kind == J_TRUE || status.kind == J_FALSE) {
		*state = status.kind == J_TRUE ? TODO_DONE : TODO_OPEN;
		return true;
	}
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (jv_is(status, rows[i].word)) {
			*state = rows[i].state;
			return true;
		}
	return false;
}

/* An object of other members as well is more than a thing to do. */
bool todo_next(struct jwalk *walk, struct todo *item)
{
	static const char *const names[] = {"status", "completed", "content", "step",
		"text", "title", "task", "description", "id", "priority", "activeForm"};
	enum { STATES = 2, TEXTS = 8, NAMES = sizeof(names) / sizeof(*names) };
	struct jv found[NAMES] = {{0}}, key, value;
	bool known = false;
	size_t members = 0;

	if (!jwalk_next(walk, &key, &value) || value.kind != J_OBJECT)
		return false;
	jv_members(value, names, found, NAMES);
	for (size_t i = 0; i < NAMES; i++)
		members += found[i].kind != J_NONE;
	for (size_t i = 0; i < STATES && !known; i++)
		known = read_state(found[i], &item->state);
	if (!known || members != jv_count(value, NAMES + 1))
		return false;
	for (size_t i = STATES; i < TEXTS; i++)
		if (found[i].kind == J_STRING && found[i].n > 2) {
			item->text = found[i];
			return true;
		}
	return false;
}

static bool is_list(struct jv list)
{
	struct todo item;
	struct jwalk walk;
	size_t items = 0;

	jwalk_begin(&walk, list);
	while (todo_next(&walk, &item))
		items++;
	return items && items == jv_count(list, items + 1);
}

struct jv todo_list(struct jv value)
{
	struct jv member;

	if (value.kind == J_ARRAY && is_list(value))
		return value;
	for (struct jwalk walk = jwalk_of(value);
		value.kind == J_OBJECT && jwalk_next(&walk, NULL, &member);)
		if (member.kind == J_ARRAY && is_list(member))
			return member;
	return (struct jv)JV_NONE;
}
