/* See list_names.h. */
#include "config.h"
#include "view/list_names.h"

#include <string.h>

#include "text/safe.h"

static size_t shared_bytes(struct str a, struct str b)
{
	size_t n = 0;

	while (n < a.n && n < b.n && a.p[n] == b.p[n])
		n++;
	return n;
}

/* Up to the last sign between words. */
static size_t whole_words(struct str name, size_t n)
{
	while (n && !strchr("-/:._ @", name.p[n - 1]))
		n--;
	return n;
}

/* Widths are counted in bytes where they are not ASCII: then names are cut sooner. */
static void measure(struct list_names *l, const struct trace *trace)
{
	struct str first = trace_text(trace, l->models[0]);
	size_t shared = first.n;

	l->widths = (struct model_widths){0, 0};
	for (size_t i = 0; i < l->model_count; i++) {
		struct str name = trace_text(trace, l->models[i]);
		size_t same = shared_bytes(first, name);
		uint32_t width = safe_width(name);

		shared = same < shared ? same : shared;
		l->widths.longest = width > l->widths.longest ? width : l->widths.longest;
	}
	if (l->model_count > 1)
		l->widths.shared = (uint32_t)whole_words(first, shared);
}

void list_names_add(struct list_names *l, const struct trace *trace, uint32_t model)
{
	l->modelless |= model == NO_TEXT;
	if (model == NO_TEXT || l->model_count == LIST_MODELS)
		return;
	for (size_t i = 0; i < l->model_count; i++)
		if (l->models[i] == model)
			return;
	l->models[l->model_count++] = model;
	measure(l, trace);
}

/* Bytes before a date at the end: "-2024-08-06", "-20251001", "@20240620". */
static size_t before_date(struct str name)
{
	size_t n = name.n, digits = 0;

	while (n && ((name.p[n - 1] >= '0' && name.p[n - 1] <= '9') ||
			    (name.p[n - 1] == '-' && digits < 8)))
		digits += name.p[--n] != '-';
	return digits == 8 && n > 1 && strchr("-@_", name.p[n - 1]) ? n - 1 : name.n;
}

static size_t first_word(struct str name)
{
	const char *end = memchr(name.p, '-', name.n);

	return end ? (size_t)(end - name.p) + 1 : 0;
}

struct str list_names_short(const struct list_names *l, struct str name, uint32_t width)
{
	size_t shared = l->widths.shared < name.n ? l->widths.shared : 0,
	       dateless = before_date(name), end = dateless > shared ? dateless : name.n;
	struct str tries[] = {name, {name.p, end}, {name.p + shared, name.n - shared},
		{name.p + shared, end - shared}, {name.p, end}};
	size_t count = sizeof(tries) / sizeof(*tries), word = first_word(tries[1]);

	if (!shared)
		tries[count - 1] = (struct str){name.p + word, end - word};
	for (size_t i = 0; i < count; i++)
		if (safe_width(tries[i]) <= width)
			return tries[i];
	return tries[count - 1];
}

uint32_t list_names_model(const struct list_names *l)
{
	return l->model_count == 1 && !l->modelless ? l->models[0] : NO_TEXT;
}
