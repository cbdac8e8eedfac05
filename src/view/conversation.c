/*
 * Messages become a head block each; its pieces are put behind it when it is
 * first looked at (see doc.h).  Long texts are cut into chunks, so that no block
 * takes long to lay out.
 */
#include "config.h"
#include "view/conversation.h"

#include <inttypes.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "chat/parts.h"
#include "text/markdown.h"
#include "text/safe.h"
#include "text/wrap.h"
#include "view/facts.h"
#include "view/tree.h"

#define BODY     2            /* cells a message's body is indented */
#define MARKDOWN (64u * 1024) /* of one message that is read as Markdown */
#define CHUNK    (16u * 1024) /* of plain text in one block */

static struct str indent_of(const struct block *b, uint32_t width)
{
	static const char blanks[] = "                                ";
	uint32_t n = !width || b->indent < width / 2 ? b->indent : width / 2;

	return (struct str){blanks, n < sizeof(blanks) - 1 ? n : sizeof(blanks) - 1};
}

/* ---- blocks of text ---- */

static void layout_markdown(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	(void)d;
	markdown_lines(out, b->text, width, indent_of(b, width));
}

static void layout_plain(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	(void)d;
	wrap_text(out, b->text, width, indent_of(b, width), b->role);
}

/* Raw bytes: every blank kept, cut where the line is full. */
static void layout_literal(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	struct wrap w;

	(void)d;
	wrap_begin(&w, out, width);
	w.literal = true;
	wrap_indent(&w, indent_of(b, width), indent_of(b, width), ROLE_TEXT);
	wrap_add(&w, b->role, b->text);
	wrap_end(&w);
}

static const struct block_ops markdown_ops = {.layout = layout_markdown};
static const struct block_ops plain_ops = {.layout = layout_plain};
static const struct block_ops literal_ops = {.layout = layout_literal};

static size_t insert_text(struct doc *d, size_t at, const struct block_ops *ops,
	struct str text, enum role role, uint32_t indent)
{
	struct block *b = doc_insert(d, at, ops);

	b->text = text;
	b->role = role;
	b->indent = indent;
	b->level = 1;
	return 1;
}

/* Where to cut a text of more than `most` bytes: behind a line feed, else between
 * characters. */
static size_t chunk_length(struct str text, size_t most)
{
	size_t n = most;

	if (text.n <= most)
		return text.n;
	while (n > most / 2 && text.p[n - 1] != '\n')
		n--;
	if (text.p[n - 1] == '\n')
		return n;
	n = most;
	while (n > most - UTF8_MAX && ((unsigned char)text.p[n] & 0xC0) == 0x80)
		n--;
	return n;
}

static size_t insert_chunks(struct doc *d, size_t at, const struct block_ops *ops,
	struct str text, enum role role, uint32_t indent)
{
	size_t count = 0;

	while (text.n) {
		size_t n = chunk_length(text, CHUNK);
		struct str chunk = {text.p, n};

		if (n < text.n && chunk.p[n - 1] == '\n')
			chunk.n--;
		count += insert_text(d, at + count, ops, chunk, role, indent);
		text.p += n;
		text.n -= n;
	}
	return count;
}

static bool looks_like_json(struct str text)
{
	struct str s = str_trim(text);

	return s.n >= 2 && ((s.p[0] == '{' && s.p[s.n - 1] == '}') ||
				   (s.p[0] == '[' && s.p[s.n - 1] == ']'));
}

/* A message's text: JSON as a tree, else Markdown, a very long rest as plain text. */
static size_t insert_prose(struct doc *d, size_t at, struct str text, uint32_t indent)
{
	size_t n, count;

	if (looks_like_json(text)) {
		struct json_report report;

		json_check(str_trim(text), &report);
		if (report.verdict != VERDICT_BROKEN)
			return tree_insert(
				d, at, (struct jv)JV_NONE, jv_parse(text), indent);
	}
	if (!text.n)
		return 0;
	n = chunk_length(text, MARKDOWN);
	count = insert_text(
		d, at, &markdown_ops, (struct str){text.p, n}, ROLE_TEXT, indent);
	return count + insert_chunks(d, at + count, &plain_ops,
			       (struct str){text.p + n, text.n - n}, ROLE_TEXT, indent);
}

static struct str decode(struct doc *d, struct jv v)
{
	struct str plain = jv_plain(v);
	struct buf text = BUF_INIT;
	size_t n;

	if (plain.p)
		return plain;
	jv_text(v, &text);
	n = text.len;
	return (struct str){arena_take(&d->arena, buf_take(&text), n + 1).p, n};
}

/* ---- parts ---- */

static void layout_line(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	(void)d;
	wrap_text(out, b->text, width, indent_of(b, width), b->role);
}

static const struct block_ops line_ops = {.layout = layout_line};

/* name(arguments), the arguments as a tree behind it when it is open. */
static void layout_call(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	struct str pad = indent_of(b, width);
	bool opens = b->value.kind == J_OBJECT && jv_count(b->value, 1);

	(void)d;
	lines_begin(out);
	lines_put(out, ROLE_TEXT, pad, (uint32_t)pad.n);
	if (!opens)
		lines_put(out, ROLE_TOOL, STR("> "), 2);
	else if (safe_ascii())
		lines_put(out, ROLE_TOOL, b->open ? STR("- ") : STR("+ "), 2);
	else
		lines_put(out, ROLE_TOOL,
			b->open ? STR("\xE2\x96\xBE ") : STR("\xE2\x96\xB8 "), 2);
	lines_put_raw(out, ROLE_TOOL, b->text);
	lines_put(out, ROLE_PUNCT, STR("("), 1);
	if (!b->open && (b->value.kind != J_OBJECT || opens))
		tree_preview(out, b->value, width ? width - 1 : UINT32_MAX);
	lines_put(out, ROLE_PUNCT, STR(")"), 1);
}

/* What a fold puts behind itself lies a level below it, and below the trees beside it. */
static void close_fold(struct doc *d, size_t at)
{
	size_t end = at + 1;

	while (end < d->count && !d->blocks[end].head &&
		d->blocks[end].level > d->blocks[at].level)
		end++;
	doc_remove(d, at + 1, end - at - 1);
}

static bool toggle_call(struct doc *d, size_t at)
{
	struct block *b = &d->blocks[at];
	struct jv value = b->value;
	uint32_t indent = b->indent + BODY;

	if (value.kind != J_OBJECT || !jv_count(value, 1))
		return false;
	b->open = !b->open;
	if (b->open)
		tree_insert_children(d, at + 1, value, indent, b->level + 1);
	else
		close_fold(d, at);
	return true;
}

static const struct block_ops call_ops = {.layout = layout_call, .toggle = toggle_call};

static size_t insert_call(struct doc *d, size_t at, const struct part *p)
{
	struct block *b = doc_insert(d, at, &call_ops);
	unsigned opened = 0;
	size_t before;

	b->text = decode(d, p->name);
	b->value = side_open_string(p->body, &opened, &d->arena);
	b->indent = BODY;
	b->level = 1;
	if (!d->print || !d->width || b->text.n + b->value.n + 2 * BODY + 2 < d->width)
		return 1;
	before = d->count; /* on paper what does not fit on the line must not be lost */
	toggle_call(d, at);
	return 1 + d->count - before;
}

/* A line of the program's own words and of the file's. */
static size_t insert_words(struct doc *d, size_t at, enum role role, struct buf *words)
{
	struct str text = arena_dup(&d->arena, buf_view(words));

	buf_done(words);
	return insert_text(d, at, &line_ops, text, role, BODY);
}

static size_t insert_content(struct doc *d, size_t at, struct jv content);
static size_t insert_part(struct doc *d, size_t at, const struct part *p);

static size_t insert_result(struct doc *d, size_t at, const struct part *p)
{
	struct buf words = BUF_INIT;
	size_t count;

	buf_text(&words, safe_ascii() ? "<- result" : "\xE2\x86\x90 result");
	if (p->error)
		buf_text(&words, ": error");
	if (p->id.n) {
		buf_text(&words, "  ");
		jv_text(p->id, &words);
	}
	count = insert_words(d, at, p->error ? ROLE_ERROR : ROLE_TOOL, &words);
	return count + insert_content(d, at + count, p->body);
}

/* What a tool gave: a text as it is, JSON as a tree, an array part by part. */
static size_t insert_content(struct doc *d, size_t at, struct jv content)
{
	struct parts parts = {0};
	size_t count = 0;

	if (content.kind == J_STRING) {
		struct str s = decode(d, content);

		if (looks_like_json(s))
			return insert_prose(d, at, s, 2 * BODY);
		return insert_chunks(d, at, &plain_ops, s, ROLE_TEXT, 2 * BODY);
	}
	if (content.kind != J_ARRAY)
		return content.n
			       ? tree_insert(d, at, (struct jv)JV_NONE, content, 2 * BODY)
			       : 0;
	parts_read_content(&parts, content, &d->arena);
	for (size_t i = 0; i < parts.count; i++) {
		const struct part *p = &parts.items[i];

		if (p->kind == PART_TEXT)
			count += insert_chunks(d, at + count, &plain_ops,
				decode(d, p->body), ROLE_TEXT, 2 * BODY);
		else if (p->kind == PART_RESULT) /* results in results: no deeper */
			count += tree_insert(
				d, at + count, (struct jv)JV_NONE, p->raw, 2 * BODY);
		else
			count += insert_part(d, at + count, p);
	}
	parts_done(&parts);
	return count;
}

/* image/png 640×480, 182 KB: never the data itself. */
static size_t insert_media(struct doc *d, size_t at, const struct part *p)
{
	struct buf words = BUF_INIT;

	buf_byte(&words, '[');
	if (p->media.n)
		buf_str(&words, p->media);
	else
		buf_text(&words, p->kind == PART_IMAGE ? "image" : "file");
	if (p->width)
		buf_printf(&words, " %u%s%u", p->width, safe_ascii() ? "x" : "\xC3\x97",
			p->height);
	if (p->bytes) {
		buf_text(&words, ", ");
		facts_bytes(&words, p->bytes);
	}
	if (p->remote) {
		buf_byte(&words, ' ');
		jv_text(p->body, &words);
	}
	buf_byte(&words, ']');
	return insert_words(d, at, ROLE_LINK, &words);
}

/* Reasoning stands folded: one line, its text behind it when it is open. */
static void layout_fold(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	struct str pad = indent_of(b, width);
	struct buf size = BUF_INIT;

	(void)d;
	facts_bytes(&size, b->text.n);
	lines_begin(out);
	lines_put(out, ROLE_TEXT, pad, (uint32_t)pad.n);
	if (safe_ascii())
		lines_put(out, ROLE_DIM, b->open ? STR("- ") : STR("+ "), 2);
	else
		lines_put(out, ROLE_DIM,
			b->open ? STR("\xE2\x96\xBE ") : STR("\xE2\x96\xB8 "), 2);
	lines_printf(out, ROLE_DIM, "reasoning, %s", size.data);
	buf_done(&size);
}

static bool toggle_fold(struct doc *d, size_t at)
{
	struct block *b = &d->blocks[at];
	uint32_t level = b->level + 1;
	size_t n;

	b->open = !b->open;
	if (!b->open) {
		close_fold(d, at);
		return true;
	}
	n = insert_chunks(d, at + 1, &plain_ops, b->text, ROLE_DIM, 2 * BODY);
	for (size_t i = at + 1; i <= at + n; i++)
		d->blocks[i].level = level;
	return true;
}

static const struct block_ops fold_ops = {.layout = layout_fold, .toggle = toggle_fold};

static size_t insert_fold(struct doc *d, size_t at, struct str text)
{
	size_t before = d->count;

	insert_text(d, at, &fold_ops, text, ROLE_DIM, BODY);
	if (d->print)
		toggle_fold(d, at);
	return d->count - before;
}

static size_t insert_tool(struct doc *d, size_t at, const struct part *p)
{
	struct buf words = BUF_INIT;

	buf_text(&words, "offers ");
	jv_text(p->name, &words);
	if (p->body.kind == J_STRING && p->body.n > 2) {
		buf_text(&words, ": ");
		jv_text(p->body, &words);
	}
	return insert_words(d, at, ROLE_DIM, &words);
}

static size_t insert_part(struct doc *d, size_t at, const struct part *p)
{
	struct buf words = BUF_INIT;

	switch (p->kind) {
	case PART_TEXT:
		return insert_prose(d, at, decode(d, p->body), BODY);
	case PART_CALL:
		return insert_call(d, at, p);
	case PART_RESULT:
		return insert_result(d, at, p);
	case PART_TOOL:
		return insert_tool(d, at, p);
	case PART_IMAGE:
	case PART_FILE:
		return insert_media(d, at, p);
	case PART_REASONING:
		return insert_fold(d, at, decode(d, p->body));
	case PART_REFUSAL:
		buf_text(&words, "refusal: ");
		jv_text(p->body, &words);
		return insert_words(d, at, ROLE_WARNING, &words);
	case PART_JSON:
		break;
	}
	return tree_insert(d, at, (struct jv)JV_NONE, p->raw, BODY);
}

/* ---- messages ---- */

static enum role speaker_role(struct str name)
{
	static const struct {
		const char *name;
		enum role role;
	} roles[] = {
		{"user", ROLE_USER},
		{"human", ROLE_USER},
		{"assistant", ROLE_ASSISTANT},
		{"ai", ROLE_ASSISTANT},
		{"model", ROLE_ASSISTANT},
		{"gpt", ROLE_ASSISTANT},
		{"bot", ROLE_ASSISTANT},
		{"system", ROLE_SYSTEM},
		{"developer", ROLE_SYSTEM},
		{"tool", ROLE_TOOL},
		{"function", ROLE_TOOL},
		{"ipython", ROLE_TOOL},
	};

	for (size_t i = 0; i < sizeof(roles) / sizeof(*roles); i++)
		if (str_equal(name, str_of(roles[i].name)))
			return roles[i].role;
	return ROLE_OTHER;
}

static void layout_head(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	struct jv name = jv_member(b->value, "name");
	struct buf size = BUF_INIT;

	(void)width;
	if (b->index)
		lines_begin(out);
	lines_begin(out);
	lines_put(out, b->role, safe_ascii() ? STR("* ") : STR("\xE2\x97\x8F "), 2);
	lines_put_raw(out, b->role, b->text);
	if (name.kind == J_STRING && name.n > 2) {
		struct str plain = jv_plain(name);

		lines_printf(out, ROLE_DIM, " ");
		lines_put_raw(
			out, ROLE_DIM, plain.p ? plain : (struct str){name.p, name.n});
	}
	if (b->value.n >= 1000) {
		facts_bytes(&size, b->value.n);
		lines_printf(out, ROLE_DIM, "  %s", size.data);
		buf_done(&size);
	}
	if (b->limit == 0 && !d->print)
		lines_put(out, ROLE_DIM,
			safe_ascii() ? STR(" ...") : STR(" \xE2\x80\xA6"),
			safe_ascii() ? 4 : 2);
}

static void expand_message(struct doc *d, size_t at)
{
	struct parts parts = {0};
	struct jv value = d->blocks[at].value;
	size_t next = at + 1;

	parts_read(&parts, value, &d->arena);
	for (size_t i = 0; i < parts.count; i++)
		next += insert_part(d, next, &parts.items[i]);
	parts_done(&parts);
}

static const struct block_ops message_ops = {
	.layout = layout_head, .expand = expand_message};
static const struct block_ops head_ops = {.layout = layout_head};

static struct block *add_head(struct doc *d, const struct block_ops *ops, struct jv value,
	struct str role, uint64_t index)
{
	struct block *b = doc_add(d, ops);

	b->value = value;
	b->text = role;
	b->role = speaker_role(role);
	b->head = true;
	b->limit = DOC_FOLD;
	b->index = index;
	return b;
}

static void add_chat(struct doc *d, const struct side *s)
{
	bool given;

	for (size_t i = 0; i < s->chat.count; i++) {
		struct jv m = s->chat.items[i];

		if (m.kind == J_OBJECT)
			add_head(d, &message_ops, m,
				message_role(m, s->prefer, &given, &d->arena), i);
		else
			tree_insert(d, d->count, (struct jv)JV_NONE, m, 0);
	}
}

static void add_images(struct doc *d, const struct side *s)
{
	struct parts parts = {0};

	parts_read_images(&parts, s->images, &d->arena);
	for (size_t i = 0; i < parts.count; i++)
		insert_part(d, d->count, &parts.items[i]);
	parts_done(&parts);
}

static void add_text(struct doc *d, const struct side *s)
{
	add_head(d, &head_ops, (struct jv)JV_NONE, side_role(s->prefer), 0);
	insert_prose(d, d->count, s->text, BODY);
}

/* ---- notes ---- */

static void add_note(struct doc *d, enum role role, struct buf *words)
{
	struct str text = arena_dup(&d->arena, buf_view(words));

	insert_text(d, d->count, &line_ops, text, role, 0);
	buf_clear(words);
}

static void add_blank(struct doc *d)
{
	insert_text(d, d->count, &line_ops, STR(""), ROLE_TEXT, 0);
}

static void add_problem(
	struct doc *d, struct model *m, uint32_t step, const struct opened *o)
{
	struct err err = {.offset = ERR_NOWHERE};
	struct buf words = BUF_INIT;

	if (step_problem(m, step, o, &err)) {
		mem_free(err.source); /* the header has it */
		err.source = NULL;
		if (m->steps[step].flags & STEP_BROKEN)
			buf_text(&words, "unreadable: ");
		err_format(&err, &words);
		add_note(d,
			m->steps[step].flags & STEP_BROKEN ? ROLE_ERROR : ROLE_WARNING,
			&words);
	}
	buf_done(&words);
	err_done(&err);
}

static void add_flags(struct doc *d, uint32_t flags)
{
	static const struct {
		uint32_t flag;
		const char *text;
	} notes[] = {
		{STEP_STRANGER, "not an event; shown as JSON"},
		{STEP_SHORT, "a row with too few positions; shown as JSON"},
		{STEP_ORPHAN, "its parent is not in the file"},
		{STEP_CYCLE, "its parent is one of its own children; shown as a root"},
	};
	struct buf words = BUF_INIT;

	for (size_t i = 0; i < sizeof(notes) / sizeof(*notes); i++)
		if (flags & notes[i].flag) {
			buf_text(&words, notes[i].text);
			add_note(d, ROLE_WARNING, &words);
		}
	buf_done(&words);
}

/* The error of the trace itself, above the output. */
static void add_error(struct doc *d, const struct opened *o)
{
	struct jv error = o->facts.v[FACT_ERROR], status = o->facts.v[FACT_STATUS];
	struct jv message = jv_member(error, "message");
	struct buf words = BUF_INIT;

	buf_text(&words, "error");
	if (!jv_empty(status)) {
		buf_byte(&words, ' ');
		jv_text(status, &words);
	}
	if (message.kind == J_STRING)
		error = message;
	if (!jv_empty(error) && error.kind != J_TRUE) {
		buf_text(&words, ": ");
		jv_text(error, &words);
	}
	add_note(d, ROLE_ERROR, &words);
	buf_done(&words);
}

/* The parameters of the call, on one line above the input. */
static void add_parameters(struct doc *d, const struct opened *o)
{
	static const enum fact shown[] = {FACT_PROVIDER, FACT_TEMPERATURE,
		FACT_MAX_TOKENS, FACT_CACHE_READ, FACT_CACHE_WRITE, FACT_FIRST_TOKEN};
	struct buf words = BUF_INIT;
	size_t tools = jv_count(o->facts.v[FACT_TOOLS], 1000);

	for (size_t i = 0; i < sizeof(shown) / sizeof(*shown); i++) {
		struct jv v = o->facts.v[shown[i]];

		if (jv_null(v) || v.kind == J_OBJECT || v.kind == J_ARRAY)
			continue;
		buf_printf(&words, "%s%s ", words.len ? ", " : "", fact_name(shown[i]));
		jv_text(v, &words);
	}
	if (tools)
		buf_printf(&words, "%s%zu tool%s offered", words.len ? ", " : "", tools,
			tools == 1 ? "" : "s");
	if (words.len)
		add_note(d, ROLE_DIM, &words);
	buf_done(&words);
}

/* ---- sides ---- */

static struct jv raw_value(const struct opened *o, bool input)
{
	if (o->bare)
		return o->facts.value;
	return o->facts.v[input ? FACT_INPUT : FACT_OUTPUT];
}

static bool is_empty(const struct opened *o)
{
	return o->input.view == SIDE_EMPTY && o->output.view == SIDE_EMPTY;
}

/* A step without sides shows all that it has. */
static void add_empty(struct doc *d, const struct opened *o, bool input)
{
	struct buf words = BUF_INIT;
	bool event = input && is_empty(o) && o->facts.value.kind != J_NONE;

	buf_text(&words, input ? "no input" : "no output");
	if (event)
		buf_text(&words, "; the event:");
	add_note(d, ROLE_DIM, &words);
	buf_done(&words);
	if (event)
		tree_insert(d, d->count, (struct jv)JV_NONE, o->facts.value, 0);
}

/* Below the input: the rest of the step, closed, so that nothing of it is out of reach.
 */
static void add_event(struct doc *d, const struct opened *o)
{
	static const char key[] = "\"event\"";
	struct jv label = {key, sizeof(key) - 1, J_STRING, false};
	size_t at;

	if (o->bare || d->print || o->facts.value.kind == J_NONE)
		return;
	add_blank(d);
	at = d->count;
	tree_insert(d, at, label, o->facts.value, 0);
	if (tree_is_open(d, at))
		d->blocks[at].ops->toggle(d, at);
}

static void add_tree(struct doc *d, struct opened *o, const struct side *s, bool input)
{
	if (s->value.kind == J_NONE) {
		add_empty(d, o, input);
		return;
	}
	tree_insert(d, d->count, (struct jv)JV_NONE, s->value, 0);
	if (input)
		add_event(d, o);
}

static void add_raw(struct doc *d, const struct opened *o, bool input)
{
	struct jv v = raw_value(o, input);
	struct str text = {v.p, v.n};

	if (o->bare || (input && is_empty(o)))
		text = o->text;
	if (!text.n)
		add_empty(d, o, input);
	else
		insert_chunks(d, d->count, &literal_ops, text, ROLE_TEXT, 0);
}

static void add_chosen(struct doc *d, struct opened *o, const struct side *s, bool input,
	enum side_mode mode)
{
	if (mode == MODE_RAW || (o->bare && o->facts.value.kind == J_NONE))
		add_raw(d, o, input);
	else if (mode == MODE_TREE || s->view == SIDE_JSON)
		add_tree(d, o, s, input);
	else if (s->view == SIDE_CHAT)
		add_chat(d, s);
	else if (s->view == SIDE_TEXT)
		add_text(d, s);
	else
		add_empty(d, o, input);
}

void conversation_build(struct doc *d, struct model *m, uint32_t step, struct opened *o,
	bool input, enum side_mode mode)
{
	const struct side *s = input ? &o->input : &o->output;
	uint32_t flags = m->steps[step].flags;
	bool broken = o->bare && o->facts.value.kind == J_NONE;

	doc_clear(d);
	if (input) {
		add_problem(d, m, step, o);
		add_flags(d, flags);
		if (mode == MODE_CHAT)
			add_parameters(d, o);
	} else if (flags & STEP_ERROR) {
		add_error(d, o);
	}
	if (!input && broken)
		return;
	add_chosen(d, o, s, input, mode);
	if (mode == MODE_CHAT)
		add_images(d, s);
}

const char *conversation_view_name(
	const struct opened *o, bool input, enum side_mode mode)
{
	const struct side *s = input ? &o->input : &o->output;

	if (mode == MODE_RAW || (o->bare && o->facts.value.kind == J_NONE))
		return "raw";
	if (mode == MODE_TREE)
		return "json";
	return side_view_name(s->view);
}

/* ---- messages in both views ---- */

static size_t message_holding(const struct side *s, struct jv value)
{
	for (size_t i = 0; i < s->chat.count; i++) {
		struct jv m = s->chat.items[i];

		if (value.p >= m.p && value.p < m.p + m.n)
			return i;
	}
	return SIZE_MAX;
}

size_t conversation_message(const struct side *s, struct doc *d, size_t block)
{
	size_t head = block < d->count ? doc_head(d, block) : SIZE_MAX, found = SIZE_MAX;

	if (head != SIZE_MAX)
		return (size_t)d->blocks[head].index;
	/* what a string holds was decoded: the node of the string stands in the text */
	for (size_t i = block; found == SIZE_MAX && tree_is_node(d, i);
		i = doc_parent(d, i))
		found = message_holding(s, d->blocks[i].value);
	return found;
}

void conversation_go(const struct side *s, struct doc *d, size_t message)
{
	size_t at = 0;

	if (message >= s->chat.count)
		return;
	while (at < d->count && !(d->blocks[at].head && d->blocks[at].index == message))
		at++;
	if (at == d->count)
		at = tree_find(d, s->chat.items[message]);
	if (at != SIZE_MAX)
		d->places[0] = d->places[1] = (struct place){at, 0};
}

/* ---- the list's line ---- */

static bool is_user(struct jv message)
{
	struct jv role = jv_member(message, "role");

	return jv_is(role, STR("user")) || jv_is(role, STR("human"));
}

static void message_text(struct jv message, struct buf *out)
{
	struct arena arena = {0};
	struct parts parts = {0};

	parts_read(&parts, message, &arena);
	for (size_t i = 0; i < parts.count && !out->len; i++)
		if (parts.items[i].kind == PART_TEXT)
			jv_text(parts.items[i].body, out);
	parts_done(&parts);
	arena_done(&arena);
}

/* One blank for each run of white space, none in front. */
static void squeeze(struct buf *text, size_t most)
{
	size_t n = 0;

	for (size_t i = 0; i < text->len && n < most; i++) {
		char c = text->data[i];

		if (c != ' ' && c != '\t' && c != '\r' && c != '\n')
			text->data[n++] = c;
		else if (n && text->data[n - 1] != ' ')
			text->data[n++] = ' ';
	}
	text->len = n;
}

void conversation_preview(struct opened *o, struct buf *out, size_t most)
{
	const struct side *s = &o->input;
	struct jv value = s->view == SIDE_JSON ? s->value : o->facts.value;
	bool nameless = is_empty(o) && jv_null(o->facts.v[FACT_EVENT]);
	size_t enough = 4 * most; /* before white space is squeezed */

	if (s->view == SIDE_TEXT)
		buf_add(out, s->text.p, s->text.n > enough ? enough : s->text.n);
	if (s->view == SIDE_JSON || nameless)
		buf_add(out, value.p, value.n > enough ? enough : value.n);
	for (size_t i = s->view == SIDE_CHAT ? s->chat.count : 0; i-- > 0 && !out->len;)
		if (is_user(s->chat.items[i]))
			message_text(s->chat.items[i], out);
	squeeze(out, most);
}
