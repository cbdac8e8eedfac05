/*
 * The registry: see registry.h.  A file is read as a registry of its own
 * (define_read), then its definitions move in, each into the place of an earlier one
 * of its name or to the end.  Replaced documents stay until the end: texts are borrowed
 * from them.
 *
 * Every definition begins with its name, so one search serves all lists.  They are short
 * (the format allows a thousand of a kind in a file), so it is a walk.
 */
#include "config.h"
#include "payload/registry.h"

#include "base/embedded.h"
#include "base/mem.h"
#include "base/str.h"
#include "chat/side.h"

/* ---- lists of things with names ---- */

/* The index of the item of that name, or `count`. */
static size_t find(const void *items, size_t count, size_t size, struct str name)
{
	size_t i;

	for (i = 0; i < count; i++) {
		const void *item = (const char *)items + i * size;

		if (str_equal(*(const struct str *)item, name))
			break;
	}
	return i;
}

static bool has_name(const struct str *names, size_t count, struct str name)
{
	return find(names, count, sizeof(*names), name) < count;
}

/* ---- moving in ---- */

/* Each into the place of the one of its name, or to the end. */
static void move_in(struct registry *r, struct registry *part)
{
	for (size_t i = 0; i < part->type_count; i++) {
		const struct payload_type *t = &part->types[i];
		size_t at = find(r->types, r->type_count, sizeof(*t), t->name);

		if (at == r->type_count)
			(void)MEM_ADD(r->types, r->type_count, r->type_cap);
		else
			schema_free(r->types[at].schema);
		r->types[at] = *t;
	}
	for (size_t i = 0; i < part->tool_count; i++) {
		const struct tool_config *t = &part->tools[i];
		size_t at = find(r->tools, r->tool_count, sizeof(*t), t->name);

		if (at == r->tool_count)
			(void)MEM_ADD(r->tools, r->tool_count, r->tool_cap);
		else
			schema_free(r->tools[at].input_schema);
		r->tools[at] = *t;
	}
	for (size_t i = 0; i < part->page_count; i++) {
		const struct page *p = &part->pages[i];
		size_t at = find(r->pages, r->page_count, sizeof(*p), p->name);

		if (at == r->page_count)
			(void)MEM_ADD(r->pages, r->page_count, r->page_cap);
		r->pages[at] = *p;
	}
	for (size_t i = 0; i < part->action_count; i++) {
		const struct client_action *a = &part->actions[i];
		size_t at = find(r->actions, r->action_count, sizeof(*a), a->name);

		if (at == r->action_count)
			(void)MEM_ADD(r->actions, r->action_count, r->action_cap);
		r->actions[at] = *a;
	}
	for (size_t i = 0; i < part->global_payload_count; i++) {
		struct str name = part->global_payloads[i];

		if (!has_name(r->global_payloads, r->global_payload_count, name))
			*MEM_ADD(r->global_payloads, r->global_payload_count,
				r->global_payload_cap) = name;
	}
	for (size_t i = 0; i < 2; i++)
		if (part->suggestions[i].name.n) {
			schema_free(r->suggestions[i].schema);
			r->suggestions[i] = part->suggestions[i];
		}
	if (part->global_payload_count)
		r->global_at = part->global_at;
	if (part->files)
		json_array_append(r->files, part->files);
	part->type_count = part->tool_count = 0; /* their schemas live on in r */
	part->suggestions[0].schema = part->suggestions[1].schema = NULL;
	define_done(part);
}

bool registry_add(struct registry *r, const char *name, struct str text, struct err *err)
{
	struct registry part = {0};

	if (!define_read(r, &part, name, text, false, err))
		return false;
	move_in(r, &part);
	return true;
}

struct registry *registry_new(void)
{
	struct str text = {(const char *)embedded_payloads.bytes, embedded_payloads.n};
	struct registry *r = mem_zalloc(1, sizeof(*r)), part = {0};
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};

	r->files = json_array();
	if (define_read(r, &part, "built in", text, true, &err))
		move_in(r, &part);
	return r;
}

void registry_free(struct registry *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->warning_count; i++)
		err_done(&r->warnings[i]);
	mem_free(r->warnings);
	mem_free(r->global_payloads);
	mem_free(r->actions);
	schema_free(r->format);
	json_decref(r->format_value);
	arena_done(&r->arena);
	define_done(r);
	mem_free(r);
}

/* ---- names that lead nowhere ---- */

void registry_warn(struct registry *r, struct err *err)
{
	*MEM_ADD(r->warnings, r->warning_count, r->warning_cap) = *err;
	*err = (struct err){.offset = ERR_NOWHERE};
}

static void warn_at(struct registry *r, const struct defined *at, const char *fmt, ...)
	PRINTF_LIKE(3, 4);
static void warn_at(struct registry *r, const struct defined *at, const char *fmt, ...)
{
	struct err err = {.offset = ERR_NOWHERE};
	va_list ap;

	va_start(ap, fmt);
	err_setv(&err, fmt, ap);
	va_end(ap);
	err_source(&err, at->file.p);
	err.line = at->line;
	registry_warn(r, &err);
}

/* Warns of a marker that is missing, of no use, or an earlier type's. */
static void link_type(struct registry *r, const struct payload_type *t)
{
	const struct payload_type *first = r->types;

	if (t->source != PAYLOAD_LLM && t->marker.n)
		warn_at(r, &t->at,
			"payload_types.%s.parse_marker: of no use, the source is tool",
			t->name.p);
	if (t->source != PAYLOAD_LLM)
		return;
	if (!t->marker.n) {
		warn_at(r, &t->at,
			"payload_types.%s: no answer can have one without a parse_marker",
			t->name.p);
		return;
	}
	while (first->source != PAYLOAD_LLM || !str_equal(first->marker, t->marker))
		first++;
	if (first != t)
		warn_at(r, &t->at,
			"payload_types.%s.parse_marker: %s has the same, and comes first",
			t->name.p, first->name.p);
}

void registry_link(struct registry *r)
{
	for (size_t i = 0; i < r->type_count; i++)
		link_type(r, &r->types[i]);
	for (size_t i = 0; i < r->tool_count; i++) {
		const struct tool_config *t = &r->tools[i];

		if (t->payload_type.n && !registry_type(r, t->payload_type))
			warn_at(r, &t->at,
				"tools.%s.payload_type: no payload type is called %s",
				t->name.p, t->payload_type.p);
	}
	for (size_t i = 0; i < r->page_count; i++) {
		const struct page *p = &r->pages[i];

		for (size_t k = 0; k < p->payload_count; k++)
			if (!registry_type(r, p->payloads[k]))
				warn_at(r, &p->at,
					"pages.%s.payload_types: no payload type is "
					"called %s",
					p->name.p, p->payloads[k].p);
	}
	for (size_t i = 0; i < r->global_payload_count; i++)
		if (!registry_type(r, r->global_payloads[i]))
			warn_at(r, &r->global_at,
				"payload_types_everywhere: no payload type is called %s",
				r->global_payloads[i].p);
}

/* ---- look-ups ---- */

const struct payload_type *registry_type(const struct registry *r, struct str name)
{
	size_t i = find(r->types, r->type_count, sizeof(*r->types), name);

	return i < r->type_count ? &r->types[i] : NULL;
}

const struct tool_config *registry_tool(const struct registry *r, struct str name)
{
	size_t i = find(r->tools, r->tool_count, sizeof(*r->tools), name);

	return i < r->tool_count ? &r->tools[i] : NULL;
}

const struct page *registry_page(const struct registry *r, struct str name)
{
	size_t i = find(r->pages, r->page_count, sizeof(*r->pages), name);

	return i < r->page_count ? &r->pages[i] : NULL;
}

const struct schema *registry_suggestions(const struct registry *r, bool actions)
{
	return r->suggestions[actions].schema;
}

bool registry_action(const struct registry *r, struct str page, struct str action)
{
	size_t size = sizeof(*r->actions);

	if (find(r->actions, r->action_count, size, action) < r->action_count)
		return true;
	for (size_t i = 0; i < r->page_count; i++) {
		const struct page *p = &r->pages[i];

		if ((!page.n || str_equal(p->name, page)) &&
			find(p->actions, p->action_count, size, action) < p->action_count)
			return true;
	}
	return false;
}

bool registry_on_page(const struct registry *r, const struct page *page,
	const struct payload_type *type)
{
	return type->source == PAYLOAD_TOOL ||
	       has_name(page->payloads, page->payload_count, type->name) ||
	       has_name(r->global_payloads, r->global_payload_count, type->name);
}

bool registry_markers(const struct registry *r, struct str page,
	struct response_type **out, size_t *count)
{
	const struct page *on = page.n ? registry_page(r, page) : NULL;
	bool known = !page.n || on;

	*out = mem_zalloc(r->type_count + 1, sizeof(**out));
	*count = 0;
	for (size_t i = 0; known && i < r->type_count; i++) {
		const struct payload_type *t = &r->types[i];

		if (t->source == PAYLOAD_LLM && t->marker.n &&
			(!on || registry_on_page(r, on, t)))
			(*out)[(*count)++] = (struct response_type){t->name, t->marker};
	}
	return known;
}

/* ---- the system prompt ---- */

/*
 * What a system prompt says about payloads: the sections Capabilities and Format Rules of
 * the "LLM Response Output Schema" document, put together from the registry.
 */

/* A text of its own paragraph, without white space at its ends. */
static void add_paragraph(struct buf *out, struct str text)
{
	text = str_trim(text);
	if (!text.n)
		return;
	if (out->len)
		buf_text(out, "\n");
	buf_str(out, text);
	buf_byte(out, '\n');
}

/* A title and what is under it; nothing where there is nothing.  Frees the text. */
static void add_section(struct buf *out, struct str title, struct buf *text)
{
	if (text->len) {
		add_paragraph(out, title);
		add_paragraph(out, buf_view(text));
	}
	buf_done(text);
}

static void add_responses(const struct registry *r, struct str page,
	const struct str *tools, size_t tool_count, struct buf *out)
{
	const struct page *on = registry_page(r, page);
	struct buf text = BUF_INIT;

	for (size_t i = 0; i < r->type_count; i++) {
		const struct payload_type *t = &r->types[i];
		bool wanted = t->source == PAYLOAD_LLM &&
			      (!page.n || (on && registry_on_page(r, on, t)));

		for (size_t k = 0; k < tool_count && !wanted; k++) {
			const struct tool_config *tool = registry_tool(r, tools[k]);

			wanted = tool && str_equal(tool->payload_type, t->name);
		}
		if (wanted)
			add_paragraph(&text, t->instructions);
	}
	add_section(out, STR("## STRUCTURED RESPONSES"), &text);
}

static void add_item(struct buf *out, struct str name, struct str about)
{
	buf_text(out, "- ");
	buf_str(out, name);
	if (about.n)
		buf_text(out, ": ");
	buf_str(out, str_trim(about));
	buf_byte(out, '\n');
}

void registry_prompt(const struct registry *r, struct str page, const struct str *tools,
	size_t tool_count, struct buf *out)
{
	AUTO_BUF text = BUF_INIT;
	struct buf list = BUF_INIT;

	add_paragraph(&text, STR("# Capabilities"));
	for (size_t i = 0; i < tool_count; i++) {
		const struct tool_config *tool = registry_tool(r, tools[i]);

		if (tool && !has_name(tools, i, tools[i]))
			add_item(&list, tool->name, tool->description);
	}
	add_section(&text, STR("## TOOLS"), &list);
	add_responses(r, page, tools, tool_count, &text);
	for (size_t i = 0; i < r->action_count; i++)
		add_item(&list, r->actions[i].name, r->actions[i].description);
	for (size_t i = 0; i < r->page_count; i++) {
		const struct page *p = &r->pages[i];

		for (size_t k = 0; k < p->action_count; k++)
			if (!page.n || str_equal(page, p->name))
				add_item(&list, p->actions[k].name,
					p->actions[k].description);
	}
	add_section(&text, STR("## CLIENT ACTIONS"), &list);
	add_paragraph(&text, STR("# Format Rules"));
	for (size_t i = 0; i < 2; i++)
		add_paragraph(&text, r->suggestions[i].instructions);
	buf_str(out, buf_view(&text));
}

/* ---- summaries ---- */

/*
 * One line about a payload by the template of its type: see registry_summary.  It reads
 * the raw text; a long value costs what is shown of it.
 */

#define SHOWN 120 /* bytes of a value */

static void add_cut(struct buf *out, struct str text)
{
	size_t n = utf8_cut(text.p, text.n, SHOWN);

	buf_add(out, text.p, n);
	if (n < text.n)
		buf_text(out, "…");
}

/* False when there is nothing to show. */
static bool add_value(struct buf *out, struct jv v)
{
	size_t most = 8 * SHOWN; /* an escape is at most 6 bytes */
	struct buf text = BUF_INIT;

	if (jv_null(v) || v.kind == J_BAD)
		return false;
	if (v.kind == J_ARRAY || v.kind == J_OBJECT) {
		size_t n = jv_count(v, SIZE_MAX);

		buf_printf(out, "%zu %s%s", n, v.kind == J_ARRAY ? "item" : "member",
			plural(n));
	} else if (v.kind == J_STRING) {
		v.cut |= v.n > most;
		v.n = v.n > most ? most : v.n;
		jv_decode(v, &text);
		add_cut(out, buf_view(&text));
		buf_done(&text);
	} else {
		add_cut(out, jv_raw(v));
	}
	return true;
}

/* ---- walking a path ---- */

static struct jv member_of(struct jv v, struct str name)
{
	AUTO_BUF text = BUF_INIT;

	buf_str(&text, name);
	buf_byte(&text, '\0');
	return v.kind == J_OBJECT ? jv_member(v, text.data) : JV_NONE;
}

/* Takes "[12]" off a path; false when it does not begin with that. */
static bool take_index(struct str *path, size_t *index)
{
	size_t i = 1;

	if (!path->n || path->p[0] != '[')
		return false;
	for (*index = 0; i < path->n && str_is_digit(path->p[i]); i++)
		if (*index < SIZE_MAX / 16)
			*index = *index * 10 + (size_t)(path->p[i] - '0');
	if (i == 1 || i == path->n || path->p[i] != ']')
		return false;
	*path = str_skip(*path, i + 1);
	return true;
}

static bool add_path(struct buf *out, struct jv v, struct str path)
{
	while (path.n && v.kind != J_NONE) {
		struct str name;
		size_t index;

		if (take_index(&path, &index)) {
			struct jv found = JV_NONE;

			JV_ITEMS(item, v)
				if (item_walk.index == index)
					found = item;
			v = found;
			continue;
		}
		if (path.p[0] == '[')
			return false;
		path = str_skip(path, (path.p[0] == '.'));
		name = (struct str){path.p, 0};
		while (name.n < path.n && path.p[name.n] != '.' && path.p[name.n] != '[')
			name.n++;
		path = str_skip(path, name.n);
		if (!path.n && str_equal(name, STR("length")) &&
			(v.kind == J_ARRAY ||
				(v.kind == J_OBJECT &&
					member_of(v, name).kind == J_NONE))) {
			buf_printf(out, "%zu", jv_count(v, SIZE_MAX));
			return true;
		}
		v = member_of(v, name);
	}
	return add_value(out, v);
}

/* ---- the template: "{a.b[0].length|none}" is a path, and the text for nothing ---- */

static void fill(struct buf *out, struct str template, struct jv data)
{
	size_t i = 0;

	while (i < template.n) {
		const char *p = template.p + i;
		const char *end = *p == '{' ? memchr(p, '}', template.n - i) : NULL;
		const char *bar = end ? memchr(p, '|', (size_t)(end - p)) : NULL;
		size_t n;

		if (!end) {
			buf_byte(out, *p);
			i++;
			continue;
		}
		n = (size_t)((bar ? bar : end) - p) - 1;
		if (!add_path(out, data, (struct str){p + 1, n}))
			buf_str(out, bar ? (struct str){bar + 1, (size_t)(end - bar) - 1}
					 : STR("?"));
		i = (size_t)(end - template.p) + 1;
	}
}

void registry_summary(
	const struct registry *r, struct str type, struct jv data, struct buf *out)
{
	const struct payload_type *t = registry_type(r, type);

	if (t && t->summary.n) {
		fill(out, t->summary, data);
		return;
	}
	buf_str(out, t && t->title.n ? t->title : type);
	buf_text(out, ": ");
	if (!add_value(out, data))
		buf_text(out, "nothing");
}

/* ---- payloads in what tools gave ---- */

void content_begin(struct content_walk *w, struct jv content, struct arena *arena)
{
	*w = (struct content_walk){
		.content = content, .items = jwalk_of(content), .arena = arena};
}

bool content_next(struct content_walk *w)
{
	struct jv text;

	if (w->content.kind == J_ARRAY) {
		if (!jwalk_next(&w->items, NULL, &w->at))
			return false;
		text = jv_member(w->at, "text");
		w->at = text.kind == J_STRING ? text : w->at;
	} else if (w->ended) {
		return false;
	} else {
		w->ended = true;
		w->at = w->content;
	}
	w->value = side_open_string(w->at, w->arena);
	return true;
}

struct jv content_payload(struct jv value)
{
	struct jv payload = jv_member(value, "payload");

	if (jv_member(payload, "type").kind != J_STRING ||
		jv_member(payload, "data").kind == J_NONE)
		return JV_NONE;
	return payload;
}
