/* See held.h. */
#include "config.h"
#include "app/held.h"

#include "base/mem.h"

void held_call(struct held *h, const struct call *call)
{
	h->call = *call;
	buf_clear(&h->argument);
	buf_str(&h->argument, call->argument);
	h->call.argument = buf_view(&h->argument);
}

bool held_key(struct held *h, uint32_t key)
{
	if (h->call.command == COMMAND_NONE)
		return false;
	if (h->count == HELD_MOST)
		return true;
	h->keys = mem_grow(h->keys, &h->cap, h->count + 1, sizeof(*h->keys));
	h->keys[h->count++] = key;
	return true;
}

void held_clear(struct held *h)
{
	h->call = (struct call){0};
	h->count = 0;
	h->going = false;
}

void held_done(struct held *h)
{
	buf_done(&h->argument);
	mem_free(h->keys);
	*h = (struct held){0};
}
