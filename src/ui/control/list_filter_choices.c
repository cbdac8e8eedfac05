/* What a filter may go on as: names of fields, and values that the trace has. */
#include "config.h"
#include "ui/control/list_filter_choices.h"

#include "base/mem.h"
#include "chat/side.h"

#define LOOKED_AT 20000 /* steps whose models and events are listed */

static bool begins_term(char c)
{
	return c == ' ' || c == '(' || c == '|' || c == '-' || c == '!';
}

/* Where the term begins that is being typed: outside of quotes. */
static size_t term_start(struct str typed)
{
	size_t start = 0;
	bool quoted = false;

	for (size_t i = 0; i < typed.n; i++) {
		quoted ^= typed.p[i] == '"';
		if (!quoted && begins_term(typed.p[i]) &&
			(typed.p[i] != '-' || i == start))
			start = i + 1;
	}
	return start;
}

static void list_fields(struct choices *out)
{
	struct buf name = BUF_INIT;

	for (enum filter_id id = 0; id < FILTER_FIELDS; id++) {
		const struct filter_field *f = &filter_fields[id];

		buf_clear(&name);
		buf_printf(&name, "%s%s", f->name,
			f->kind == FILTER_TEXT     ? ":"
			: f->kind == FILTER_NUMBER ? ">"
						   : "");
		choices_add(out, buf_view(&name));
	}
	buf_done(&name);
}

/* As it must be written to be one value. */
static void add_value(struct choices *out, struct str text)
{
	struct buf value = BUF_INIT;
	bool plain = text.n > 0;

	for (size_t i = 0; i < text.n; i++) {
		plain = plain && !strchr(" \t\n\r()|\"/", text.p[i]);
		if (text.p[i] == '"' || text.p[i] == '\\')
			buf_byte(&value, '\\');
		buf_byte(&value, text.p[i]);
	}
	if (plain) {
		choices_add(out, text);
	} else {
		buf_byte(&value, '"');
		choices_add(out, (struct str){0});
		buf_byte(&out->items[out->count - 1], '"');
		buf_str(&out->items[out->count - 1], buf_view(&value));
	}
	buf_done(&value);
}

/* The models, or events, of the first steps, each once. */
static void list_interned(
	const struct trace *trace, enum filter_id field, struct choices *out)
{
	unsigned char *seen = mem_zalloc(trace->texts.count + 1, 1);

	for (size_t i = 0; i < trace->count && i < LOOKED_AT; i++) {
		struct step s = trace_step(trace, i);
		uint32_t text = field == FILTER_MODEL ? s.model : s.event;

		if (text == NO_TEXT || seen[text])
			continue;
		seen[text] = 1;
		add_value(out, trace_text(trace, text));
	}
	mem_free(seen);
}

static void list_roles(struct choices *out)
{
	static const char *const roles[] = {"user", "assistant", "system", "tool"};

	for (size_t i = 0; i < sizeof(roles) / sizeof(*roles); i++)
		choices_add(out, str_of(roles[i]));
}

void list_filter_complete(
	struct app *app, struct str typed, size_t *from, struct choices *out)
{
	size_t start = term_start(typed), end = start;
	enum filter_id field;

	while (end < typed.n && typed.p[end] != ':' && typed.p[end] != '=')
		end++;
	*from = end < typed.n ? end + 1 : start;
	if (end == typed.n) {
		list_fields(out);
		return;
	}
	field = filter_field_named((struct str){typed.p + start, end - start});
	if (field == FILTER_MODEL || field == FILTER_EVENT)
		list_interned(app->trace, field, out);
	if (field == FILTER_ROLE)
		list_roles(out);
}

/* At `:` the whole argument is one text: what is typed stands in front of each. */
void list_filter_list_filter(struct app *app, struct str typed, struct choices *out)
{
	struct choices ends = {0};
	size_t from = 0;

	list_filter_complete(app, typed, &from, &ends);
	for (size_t i = 0; i < ends.count; i++) {
		choices_add(out, (struct str){typed.p, from});
		buf_str(&out->items[out->count - 1], buf_view(&ends.items[i]));
	}
	choices_done(&ends);
}

void list_filter_list_sort(struct app *app, struct str typed, struct choices *out)
{
	static const char *const ways[] = {" up", " down"};
	bool way = typed.n && memchr(typed.p, ' ', typed.n);

	for (size_t i = 0; i < SORT_COLUMNS; i++)
		for (size_t k = 0; k < (way ? 2u : 1u); k++) {
			choices_add(out, str_of(sort_names[i]));
			if (way)
				buf_text(&out->items[out->count - 1], ways[k]);
		}
}
