/* See pending_input.h. */
#include "config.h"
#include "ui/keys/pending_input.h"

#include "base/mem.h"

void pending_input_call(struct pending_input *h, const struct invocation *call)
{
	h->call = *call;
	buf_clear(&h->argument);
	buf_str(&h->argument, call->argument);
	h->call.argument = buf_view(&h->argument);
}

bool pending_input_key(struct pending_input *h, uint32_t key)
{
	if (h->call.command == COMMAND_NONE)
		return false;
	if (h->count == PENDING_MOST)
		return true;
	h->keys = mem_grow(h->keys, &h->cap, h->count + 1, sizeof(*h->keys));
	h->keys[h->count++] = key;
	return true;
}

void pending_input_clear(struct pending_input *h)
{
	h->call = (struct invocation){0};
	h->count = 0;
	h->going = false;
}

void pending_input_done(struct pending_input *h)
{
	buf_done(&h->argument);
	mem_free(h->keys);
	*h = (struct pending_input){0};
}
