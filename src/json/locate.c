/* One pass over the bytes with a stack of what is open: see locate.h. */
#include "config.h"
#include "json/locate.h"

#include "base/mem.h"
#include "json/route.h"

#define DEEPEST 100000 /* containers: a longer path is of no use */

struct locate_frame {
	uint64_t index; /* of the value in its array */
	struct buf key; /* of the member, with its quotes */
	bool object, named;
};

struct locate {
	struct locate_frame *frames;
	size_t depth, cap, made; /* made: frames whose key may have memory */
	uint64_t values;         /* of the file, begun so far */
	bool string, escaped;    /* inside a string */
	bool word;               /* inside a number or a word */
	bool broken;
};

struct locate *locate_new(void)
{
	return mem_zalloc(1, sizeof(struct locate));
}

void locate_free(struct locate *l)
{
	if (!l)
		return;
	for (size_t i = 0; i < l->made; i++)
		buf_done(&l->frames[i].key);
	mem_free(l->frames);
	mem_free(l);
}

static struct locate_frame *top(struct locate *l)
{
	return l->depth ? &l->frames[l->depth - 1] : NULL;
}

/* Whether a string that begins now is the key of a member. */
static bool is_key(const struct locate_frame *f)
{
	return f && f->object && !f->named;
}

static void push(struct locate *l, bool object)
{
	struct locate_frame *f;

	if (l->depth == DEEPEST) {
		l->broken = true;
		return;
	}
	l->frames = mem_grow(l->frames, &l->cap, l->depth + 1, sizeof(*l->frames));
	f = &l->frames[l->depth++];
	if (l->depth > l->made) {
		*f = (struct locate_frame){0};
		l->made = l->depth;
	}
	f->index = 0;
	f->object = object;
	f->named = false;
	buf_clear(&f->key);
}

/* A value begins. */
static void begin(struct locate *l)
{
	if (!l->depth)
		l->values++;
}

/* A byte outside strings. */
static void take_byte(struct locate *l, char c)
{
	/* control characters and a byte order mark separate values, if anything */
	bool space = (unsigned char)c <= ' ' || (unsigned char)c >= 0x7F || c == ',' ||
		     c == ':' || c == ']' || c == '}';
	struct locate_frame *f = top(l);

	l->word = l->word && !space;
	switch (c) {
	case '{':
	case '[':
		begin(l);
		push(l, c == '{');
		break;
	case '}':
	case ']':
		if (!f || f->object != (c == '}'))
			l->broken = true;
		else
			l->depth--;
		break;
	case ',':
		if (!f)
			break;
		f->index++;
		f->named = false;
		buf_clear(&f->key);
		break;
	case ':':
		if (f)
			f->named = true;
		break;
	default:
		if (!space && !l->word)
			begin(l);
		l->word = !space;
	}
}

/* The bytes of a string up to its end or the end of the bytes; returns how many. */
static size_t take_string(struct locate *l, struct str bytes)
{
	size_t i = 0;

	while (i < bytes.n && l->string) {
		char c = bytes.p[i++];

		if (l->escaped)
			l->escaped = false;
		else if (c == '\\')
			l->escaped = true;
		else if (c == '"')
			l->string = false;
	}
	if (is_key(top(l)))
		buf_add(&top(l)->key, bytes.p, i);
	return i;
}

static void begin_string(struct locate *l)
{
	l->string = true;
	l->word = false;
	if (!is_key(top(l))) {
		begin(l);
		return;
	}
	buf_clear(&top(l)->key);
	buf_byte(&top(l)->key, '"');
}

void locate_add(struct locate *l, struct str bytes)
{
	size_t i = 0;

	while (i < bytes.n && !l->broken) {
		if (l->string) {
			i += take_string(l, (struct str){bytes.p + i, bytes.n - i});
			continue;
		}
		if (bytes.p[i] == '"')
			begin_string(l);
		else
			take_byte(l, bytes.p[i]);
		i++;
	}
}

static bool put_frame(const struct locate_frame *f, struct buf *out)
{
	struct jv key;

	if (!f->object) {
		buf_text(out, out->len ? "" : ".");
		buf_printf(out, "[%llu]", (unsigned long long)f->index);
		return true;
	}
	key = f->named ? jv_parse(buf_view(&f->key)) : (struct jv)JV_NONE;
	if (key.kind != J_STRING)
		return false;
	route_put_key(out, key);
	return true;
}

bool locate_put(const struct locate *l, struct buf *out, uint64_t *value)
{
	size_t before = out->len;
	bool known = !l->broken && !l->string && !l->word;

	for (size_t i = 0; i < l->depth && known; i++)
		known = put_frame(&l->frames[i], out);
	if (!known)
		out->len = before;
	*value = l->depth && l->values ? l->values - 1 : l->values;
	return known;
}

uint64_t locate_count(const struct locate *l)
{
	return l->broken ? 0 : l->values;
}
