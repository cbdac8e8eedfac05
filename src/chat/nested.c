/*
 * JSON in a string, in slices (see nested.h).  A layer is decoded, unless it has no
 * escape, and then judged; a layer that is no container or string ends it.
 */
#include "config.h"
#include "chat/nested.h"

#include "base/mem.h"

#define MOST_OPENED 3

/* Spares most texts the decoding: whether the first byte is that of a container or a
 * string. */
static bool may_hold_json(struct jv string)
{
	struct str raw = {string.p + 1, string.n - (string.cut ? 1 : 2)};

	raw = str_trim(raw);
	while (raw.n > 2 && raw.p[0] == '\\' && memchr("nrt", raw.p[1], 3))
		raw = str_trim((struct str){raw.p + 2, raw.n - 2});
	if (raw.n < 2)
		return false;
	return raw.p[0] == '\\' ? raw.p[1] == '"' || raw.p[1] == 'u'
				: raw.p[0] == '{' || raw.p[0] == '[';
}

static bool looks_enclosed(struct str text)
{
	char first = text.n > 1 ? text.p[0] : '\0';
	char last = text.n > 1 ? text.p[text.n - 1] : '\0';

	return (first == '{' && last == '}') || (first == '[' && last == ']') ||
	       (first == '"' && last == '"');
}

/* A layer's text: judged next, unless it shows at once that it is no JSON. */
static void begin_judging(struct nested *n, struct str text)
{
	n->decoded = str_trim(text);
	n->over = !looks_enclosed(n->decoded);
	if (n->over)
		return;
	n->judge = json_judge_new(n->decoded, &n->report);
	json_judge_loosely(n->judge);
	if (!n->noting)
		return;
	n->extents = extents_new(n->decoded);
	json_judge_note(n->judge, n->extents);
}

static void begin_layer(struct nested *n)
{
	struct str plain;

	n->over = n->layers == MOST_OPENED || n->inner.kind != J_STRING ||
		  !may_hold_json(n->inner);
	if (n->over)
		return;
	plain = jv_plain(n->inner);
	n->at = 0;
	if (plain.p)
		begin_judging(n, plain);
}

static void decode_slice(struct nested *n, size_t bytes)
{
	size_t length;
	char *data;

	buf_reserve(&n->text, n->inner.n - n->at); /* all of it, at first */
	if (jv_decode_run(n->inner, &n->at, bytes, &n->text) == TASK_MORE)
		return;
	length = n->text.len;
	data = mem_realloc(buf_take(&n->text), length + 1); /* had room for escapes */
	arena_take(n->arena, data, length + 1);
	if (!n->layers)
		n->outer = (struct str){data, length};
	begin_judging(n, (struct str){data, length});
}

static void forget_extents(struct nested *n)
{
	extents_free(n->extents);
	n->extents = NULL;
}

static void judge_slice(struct nested *n, size_t bytes)
{
	if (json_judge_run(n->judge, bytes) == TASK_MORE)
		return;
	json_judge_free(n->judge);
	n->judge = NULL;
	n->over = n->report.verdict == VERDICT_BROKEN;
	if (n->over) {
		forget_extents(n);
		return;
	}
	n->inner = jv_whole(n->decoded);
	n->layers++;
	if (n->inner.kind == J_STRING) {
		forget_extents(n);
		begin_layer(n);
		return;
	}
	n->opened = n->layers;
	n->over = true;
	if (n->extents)
		extents_seal(n->extents);
	n->inner.extents = n->extents;
}

void nested_begin(struct nested *n, struct jv value, bool noting, struct arena *arena)
{
	*n = (struct nested){
		.value = value, .inner = value, .noting = noting, .arena = arena};
	begin_layer(n);
}

void nested_done(struct nested *n)
{
	json_judge_free(n->judge);
	forget_extents(n);
	buf_done(&n->text);
	*n = (struct nested){0};
}

enum task_state nested_run(struct nested *n, size_t bytes)
{
	if (!n->over && n->judge)
		judge_slice(n, bytes);
	else if (!n->over)
		decode_slice(n, bytes);
	return n->over ? TASK_DONE : TASK_MORE;
}

struct jv nested_value(const struct nested *n)
{
	return n->opened ? n->inner : n->value;
}

struct extents *nested_take_extents(struct nested *n)
{
	struct extents *e = n->opened ? n->extents : NULL;

	if (e)
		n->extents = NULL;
	return e;
}
