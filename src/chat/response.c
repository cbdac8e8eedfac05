/*
 * Every name is searched for by itself with memmem, which jumps over most of a text; the
 * place that comes first is looked at.  See response.h for the rules.
 */
#include "config.h"
#include "chat/response.h"

#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "json/check.h"

struct finder {
	struct str name;
	enum element_kind kind;
	size_t type;
	size_t next; /* where the name stands next, or the text's length */
};

struct element_search {
	struct response *r;
	struct str text;
	size_t from;            /* everything before is settled */
	struct finder *finders; /* long names first */
	size_t count;
};

/* White space */

/* The bytes of a text's first character when that is white space, else 0. */
static size_t space_size(const char *p, size_t n)
{
	unsigned code;
	bool valid, space;
	size_t size;

	if (!n)
		return 0;
	size = utf8_decode(p, n, &code, &valid);
	space = code == ' ' || (code >= '\t' && code <= '\r') || code == 0x85 ||
		code == 0xA0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200A) ||
		code == 0x2028 || code == 0x2029 || code == 0x202F || code == 0x205F ||
		code == 0x3000;
	return valid && space ? size : 0;
}

static size_t skip_space(struct str text, size_t at)
{
	size_t size;

	while ((size = space_size(text.p + at, text.n - at)))
		at += size;
	return at;
}

static struct str trim(struct str text)
{
	size_t at;

	text = str_skip(text, skip_space(text, 0));
	at = text.n;
	while (at) {
		at--;
		while (at && text.n - at < UTF8_MAX && (text.p[at] & 0xC0) == 0x80)
			at--;
		if (space_size(text.p + at, text.n - at) != text.n - at)
			break;
		text.n = at;
	}
	return text;
}

/* Names */

/* Keeps the order: long names before short ones, of equal ones the first added. */
static void add_finder(
	struct element_search *s, struct str name, enum element_kind kind, size_t type)
{
	size_t i = s->count;

	name = name.n ? trim(name) : name;
	if (!name.n || name.p[name.n - 1] == '"')
		return;
	for (; i && s->finders[i - 1].name.n < name.n; i--)
		s->finders[i] = s->finders[i - 1];
	s->finders[i] = (struct finder){name, kind, type, 0};
	s->count++;
}

static void find_next(const struct element_search *s, struct finder *f)
{
	const char *hit =
		memmem(s->text.p + s->from, s->text.n - s->from, f->name.p, f->name.n);

	f->next = hit ? (size_t)(hit - s->text.p) : s->text.n;
}

/* The first place of any name from s->from on; the text's length when there is none. */
static size_t first_name(const struct element_search *s)
{
	size_t first = s->text.n;

	for (size_t i = 0; i < s->count; i++) {
		if (s->finders[i].next < s->from)
			find_next(s, &s->finders[i]);
		if (s->finders[i].next < first)
			first = s->finders[i].next;
	}
	return first;
}

/* Markers and values */

static size_t skip_stars(struct str text, size_t at)
{
	for (int most = 2; most && at < text.n && text.p[at] == '*'; most--)
		at++;
	return at;
}

/* What may turn out a warning; false when the name has no colon. */
static bool read_marker(const struct element_search *s, const struct finder *f, size_t at,
	struct response_warning *marker)
{
	size_t end = skip_space(s->text, skip_stars(s->text, at + f->name.n)), begin = at;
	bool colon = end < s->text.n && s->text.p[end] == ':';

	while (begin > s->from && at - begin < 2 && s->text.p[begin - 1] == '*')
		begin--;
	*marker = (struct response_warning){
		.at = begin,
		.end = skip_stars(s->text, end + colon),
		.kind = f->kind,
		.type = f->type,
		.marker = {s->text.p + at, f->name.n},
		.text = f->kind == ELEMENT_PAYLOAD
				? "a marker without a JSON object behind it"
				: "a marker without a JSON array behind it",
	};
	return colon;
}

/* The value after a marker; false when there is none, with the fault of a bad one. */
static bool read_value(
	struct str text, struct response_warning *marker, struct element *e)
{
	bool object = marker->kind == ELEMENT_PAYLOAD;
	size_t at = skip_space(text, marker->end), n;
	struct json_report report;

	if (at == text.n || text.p[at] != (object ? '{' : '['))
		return false;
	n = json_check_first(str_skip(text, at), &report);
	if (report.verdict != VERDICT_STRICT) {
		marker->fault = report.text;
		marker->fault_at = at + (size_t)report.offset;
		return false;
	}
	*e = (struct element){
		.kind = marker->kind,
		.type = marker->type,
		.at = marker->at,
		.end = at + n,
		.value = jv_of((struct str){text.p + at, n}, object ? J_OBJECT : J_ARRAY),
	};
	return true;
}

/* The names at a place, the longest first: the first block, else the first warning. */
static void read_place(struct element_search *s, size_t at)
{
	struct response_warning first = {0};

	for (size_t i = 0; i < s->count; i++) {
		struct response_warning marker;
		struct element e;

		if (s->finders[i].next != at ||
			!read_marker(s, &s->finders[i], at, &marker))
			continue;
		if (read_value(s->text, &marker, &e)) {
			*MEM_ADD(s->r->elements, s->r->count, s->r->cap) = e;
			s->from = e.end;
			return;
		}
		if (!first.text)
			first = marker;
	}
	if (first.text) {
		*MEM_ADD(s->r->warnings, s->r->warning_count, s->r->warning_cap) = first;
	}
	s->from = at + (first.text ? first.marker.n : 1);
}

void response_read(struct response *r, struct str text, const struct response_type *types,
	size_t type_count)
{
	struct element_search s = {.r = r, .text = text};
	size_t at;

	*r = (struct response){0};
	if (!text.n)
		return;
	s.finders = mem_zalloc(type_count + 2, sizeof(*s.finders));
	add_finder(&s, STR("SUGGESTED_VALUES"), ELEMENT_VALUES, 0);
	add_finder(&s, STR("SUGGESTED_ACTIONS"), ELEMENT_ACTIONS, 0);
	for (size_t i = 0; i < type_count; i++)
		add_finder(&s, types[i].marker, ELEMENT_PAYLOAD, i);
	for (size_t i = 0; i < s.count; i++)
		find_next(&s, &s.finders[i]);
	while ((at = first_name(&s)) < text.n)
		read_place(&s, at);
	mem_free(s.finders);
	/* of each kind the first is used, of payloads that of the first type */
	for (enum element_kind kind = ELEMENT_VALUES; kind <= ELEMENT_PAYLOAD; kind++) {
		struct element *first = NULL;

		for (size_t i = 0; i < r->count; i++) {
			struct element *e = &r->elements[i];

			if (e->kind == kind && (!first || e->type < first->type))
				first = e;
		}
		if (first)
			first->used = true;
	}
}

void response_done(struct response *r)
{
	mem_free(r->elements);
	mem_free(r->warnings);
	*r = (struct response){0};
}

const struct element *response_used(const struct response *r, enum element_kind kind)
{
	for (size_t i = 0; i < r->count; i++)
		if (r->elements[i].kind == kind && r->elements[i].used)
			return &r->elements[i];
	return NULL;
}

void response_message(const struct response *r, struct str text, struct buf *out)
{
	AUTO_BUF rest = BUF_INIT;
	size_t at = 0;

	if (!text.n)
		return;
	for (size_t i = 0; i < r->count; i++) {
		if (!r->elements[i].used)
			continue;
		buf_add(&rest, text.p + at, r->elements[i].at - at);
		at = r->elements[i].end;
	}
	buf_add(&rest, text.p + at, text.n - at);
	buf_str(out, trim(buf_view(&rest)));
}
