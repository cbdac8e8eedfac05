/* See typed.h. */
#include "config.h"
#include "ui/keys/typed.h"

#include "base/mem.h"
#include "term/term.h"

#define NUMBER_MOST 100000000u /* more steps than any number typed for them */

void typed_clear(struct typed *t)
{
	t->number = t->count = 0;
	t->waits = COMMAND_NONE;
}

void typed_done(struct typed *t)
{
	buf_done(&t->text);
}

bool typed_is_begun(const struct typed *t)
{
	return t->number || t->count || t->waits;
}

/* A digit that no key's command takes; 0 only after another. */
static bool add_digit(struct typed *t, const struct keymap *map, uint32_t key)
{
	bool more;

	if (t->count || key < '0' || key > '9' || (key == '0' && !t->number))
		return false;
	if (keymap_find(map, &key, 1, &more) || more)
		return false;
	if (t->number < NUMBER_MOST)
		t->number = t->number * 10 + (key - '0');
	return true;
}

static bool waits_for_key(const struct invocation *call)
{
	const struct argument *a = command_rows[call->command].argument;

	return a && a->is_key && !call->argument.n;
}

bool typed_may_be_alone(const struct typed *t, const struct keymap *map)
{
	bool more;

	return t->count && !t->waits && keymap_find(map, t->keys, t->count, &more);
}

bool typed_alone(struct typed *t, const struct keymap *map, struct invocation *call)
{
	bool more;
	const struct key_row *row = typed_may_be_alone(t, map)
					    ? keymap_find(map, t->keys, t->count, &more)
					    : NULL;

	if (!row || waits_for_key(&row->call))
		return false;
	*call = row->call;
	call->count = t->number;
	typed_clear(t);
	return true;
}

static enum typed_state look_up(
	struct typed *t, const struct keymap *map, uint32_t key, struct invocation *call)
{
	const struct key_row *row;
	bool more;

	t->keys[t->count++] = key;
	row = keymap_find(map, t->keys, t->count, &more);
	if (more && t->count < KEYS_MOST)
		return TYPED_MORE;
	if (!row && t->count > 1) {
		t->count--;
		if (typed_alone(t, map, call)) {
			t->left = key;
			return TYPED_CALL;
		}
		t->count++;
	}
	if (!row) {
		buf_clear(&t->text);
		typed_put(t, &t->text);
		return TYPED_UNKNOWN;
	}
	*call = row->call;
	call->count = t->number;
	if (!waits_for_key(call))
		return TYPED_CALL;
	t->waits = call->command;
	return TYPED_MORE;
}

enum typed_state typed_key(
	struct typed *t, const struct keymap *map, uint32_t key, struct invocation *call)
{
	enum typed_state state;

	*call = (struct invocation){0};
	t->left = TERM_KEY_NONE;
	if (key == '\n') /* some terminals send it for Enter */
		key = '\r';
	if (t->waits && (key < ' ' || key >= TERM_KEY_BASE)) {
		state = TYPED_NOTHING;
	} else if (t->waits) {
		buf_clear(&t->text);
		buf_utf8(&t->text, key);
		*call = (struct invocation){t->waits, buf_view(&t->text), t->number};
		state = TYPED_CALL;
	} else if (add_digit(t, map, key)) {
		return TYPED_MORE;
	} else if (typed_is_begun(t) && (key == 0x1B || key == 0x03)) {
		state = TYPED_NOTHING;
	} else {
		state = look_up(t, map, key, call);
	}
	if (state != TYPED_MORE)
		typed_clear(t);
	return state;
}

void typed_put(const struct typed *t, struct buf *out)
{
	if (t->number)
		buf_printf(out, "%u", t->number);
	if (t->number && t->count)
		buf_byte(out, ' ');
	keys_put_names(t->keys, t->count, out);
}

/* ---- what waits for a step ---- */

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
	*MEM_ADD(h->keys, h->count, h->cap) = key;
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
