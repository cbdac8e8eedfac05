/*
 * Texts and the parts of messages as blocks (see pieces.h).  Long texts are cut into
 * chunks, so that no block takes long to lay out.
 */
#include "config.h"
#include "view/pieces.h"

#include "chat/brief.h"
#include "chat/parts.h"
#include "chat/side.h"
#include "json/check.h"
#include "text/markdown.h"
#include "text/safe.h"
#include "text/wrap.h"
#include "view/cells.h"
#include "view/difference.h"
#include "view/elements.h"
#include "view/facts.h"
#include "view/reading.h"
#include "view/tree.h"

#define MARKDOWN (64u * 1024) /* of one message that is read as Markdown */
#define CHUNK    (16u * 1024) /* of plain text in one block */

#define RESULT_OPEN 400 /* bytes of a tool's result that is shown unasked */
#define BEGINNING   160 /* ... of a longer one that stand on its line */

/* ---- blocks of text ---- */

static void layout_markdown(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	markdown_lines(out, b->text, width, cells_indent(b->indent, width));
}

static void layout_verbatim(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	verbatim_lines(out, b->text, width, cells_indent(b->indent, width));
}

static void layout_plain(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	wrap_text(out, b->text, width, cells_indent(b->indent, width), b->role);
}

/* Raw bytes: every blank kept, cut where the line is full. */
static void layout_literal(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	struct wrap w;

	wrap_begin(&w, out, width);
	w.literal = true;
	wrap_indent(&w, cells_indent(b->indent, width), cells_indent(b->indent, width),
		ROLE_TEXT);
	wrap_add(&w, b->role, b->text);
	wrap_end(&w);
}

/* The bytes of a number that a tool has put before a line of a file: "   12\t", "   12→"
 */
static size_t number_before(struct str line)
{
	static const char *const signs[] = {"\t", "\xE2\x86\x92", "| "};
	size_t n = 0, digits;

	while (n < line.n && line.p[n] == ' ')
		n++;
	digits = n;
	while (n < line.n && str_is_digit(line.p[n]))
		n++;
	for (size_t i = 0; n > digits && i < sizeof(signs) / sizeof(*signs); i++)
		if (str_starts(str_skip(line, n), str_of(signs[i])))
			return n + strlen(signs[i]);
	return 0;
}

/* What a file has, in the language that its name says. */
static void layout_code(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	struct code code = {.language = b->data};
	struct str pad = cells_indent(b->indent, width), rest = b->text, line;
	struct wrap w;

	wrap_begin(&w, out, width);
	w.literal = w.hang = true;
	wrap_indent(&w, pad, pad, ROLE_TEXT);
	while (!lines_full(out) && str_next_line(&rest, &line)) {
		size_t n = number_before(line);

		if (n)
			wrap_add(&w, ROLE_DIM, (struct str){line.p, n});
		code_add(&w, &code, ROLE_TEXT, (struct str){line.p + n, line.n - n});
		wrap_break(&w);
	}
	wrap_end(&w);
}

static const struct block_ops code_ops = {.layout = layout_code};
static const struct block_ops markdown_ops = {.layout = layout_markdown};
static const struct block_ops verbatim_ops = {.layout = layout_verbatim};
const struct block_ops piece_line = {.layout = layout_plain};
const struct block_ops piece_literal = {.layout = layout_literal};

struct block *piece_text(struct doc *d, const struct block_ops *ops, struct str text,
	enum role role, uint32_t indent)
{
	struct block *b = doc_add(d, ops);

	b->text = text;
	b->role = role;
	b->indent = indent;
	b->level = 1;
	return b;
}

size_t piece_length(struct str text, size_t most)
{
	size_t n = most;

	if (text.n <= most)
		return text.n;
	while (n > most / 2 && text.p[n - 1] != '\n')
		n--;
	return text.p[n - 1] == '\n' ? n : utf8_cut(text.p, text.n, most);
}

/* Adds the first chunk of a text and removes it from the text. */
static struct block *add_chunk(struct doc *d, const struct block_ops *ops,
	struct str *text, enum role role, uint32_t indent)
{
	size_t n = piece_length(*text, CHUNK);
	struct str chunk = {text->p, n};

	if (n < text->n && chunk.p[n - 1] == '\n')
		chunk.n--;
	*text = str_skip(*text, n);
	return piece_text(d, ops, chunk, role, indent);
}

void piece_chunks(struct doc *d, const struct block_ops *ops, struct str text,
	enum role role, uint32_t indent)
{
	while (text.n)
		add_chunk(d, ops, &text, role, indent);
}

/* What is data and no text, in a line that says what; false: it is none. */
static bool add_data(struct doc *d, struct str text, uint32_t indent)
{
	AUTO_BUF words = BUF_INIT;

	if (!tree_put_data(&words, text))
		return false;
	piece_text(d, &piece_line, arena_dup(&d->arena, buf_view(&words)), ROLE_LINK,
		indent);
	return true;
}

/* Only models write for a reader who renders it. */
static const struct block_ops *prose_ops(enum role speaker)
{
	return speaker == ROLE_ASSISTANT ? &markdown_ops : &verbatim_ops;
}

static void add_prose(struct doc *d, struct str text, enum role speaker, uint32_t indent)
{
	size_t n = piece_length(text, MARKDOWN);

	if (!text.n || (speaker != ROLE_ASSISTANT && edit_is_patch(text) &&
			       edit_show_patch(d, text, indent)))
		return;
	piece_text(d, prose_ops(speaker), (struct str){text.p, n}, ROLE_TEXT, indent);
	piece_chunks(d, &piece_line, str_skip(text, n), ROLE_TEXT, indent);
}

/* ---- what a harness wrote in the person's name ---- */

#define NAMES_MOST 3 /* of pieces that stand together */

/* Pieces of a harness that follow each other. */
struct aside {
	struct str text;
	struct buf names;
	size_t count; /* of names */
};

static void add_fold(struct doc *d, struct str text, struct str label, uint32_t indent);

static void aside_show(struct doc *d, struct aside *a, uint32_t indent)
{
	if (a->text.n)
		add_fold(d, a->text, arena_keep(&d->arena, &a->names), indent);
	*a = (struct aside){0};
}

static const struct file_texts *boilerplate_of(const struct doc *d)
{
	const struct side_reading *side = d->context;

	return side ? side->reading->opened->boilerplate : NULL;
}

void piece_prose(struct doc *d, struct str text, enum role speaker, uint32_t indent)
{
	struct boilerplate_walk w;
	struct aside aside = {0};
	struct str piece, by;

	if (add_data(d, text, indent))
		return;
	if (tree_looks_like_json(text) && json_is_whole(str_trim(text), NULL)) {
		tree_add(d, JV_NONE, jv_parse(text), indent);
		return;
	}
	if (speaker == ROLE_ASSISTANT) {
		add_prose(d, text, speaker, indent);
		return;
	}
	/* what the person wrote, and folds of what was written in her name */
	boilerplate_begin(&w, text, boilerplate_of(d));
	while (boilerplate_next(&w, &piece, &by)) {
		bool known = aside.count &&
			     memmem(aside.names.data, aside.names.len, by.p, by.n);

		if (!by.n) {
			aside_show(d, &aside, indent);
			add_prose(d, piece, speaker, indent);
			continue;
		}
		aside.text = (struct str){
			aside.text.n ? aside.text.p : piece.p, aside.text.n + piece.n};
		if (known || aside.count++ > NAMES_MOST)
			continue;
		buf_text(&aside.names, aside.count > 1 ? ", " : "");
		buf_str(&aside.names,
			aside.count <= NAMES_MOST ? by : glyph(GLYPH_ELLIPSIS));
	}
	aside_show(d, &aside, indent);
}

bool piece_is_boilerplate(const struct doc *d, struct str text)
{
	struct boilerplate_walk w;
	struct str piece, by;
	bool all = true;

	boilerplate_begin(&w, text, boilerplate_of(d));
	while (all && boilerplate_next(&w, &piece, &by))
		all = by.n || !str_trim(piece).n;
	return all;
}

/* ---- a very long text, decoded as it is looked at ---- */

#define LONG_TEXT  (4u << 20)    /* bytes of a string that is not decoded at once */
#define TEXT_BATCH (512u * 1024) /* ... and those that are, at a time */
#define LOOK_AHEAD 256u          /* bytes in which prose has a blank */

/* What of a string is not shown yet. */
struct rest_text {
	struct jv raw;
	size_t at;       /* how far it is decoded */
	struct str kept; /* decoded, but in no chunk: where to cut is not known */
	bool begun;      /* the first chunk is there */
	enum role speaker;
};

/* Sure to be neither JSON nor data, which are asked of the whole text. */
static bool is_long_prose(const struct doc *d, struct jv string)
{
	struct str head = {string.p + 1, LOOK_AHEAD};
	size_t n = 0;

	if (d->print || string.kind != J_STRING || string.n < LONG_TEXT)
		return false;
	while (n < head.n && ((head.p[n] >= 'A' && head.p[n] <= 'Z') ||
				     (head.p[n] >= 'a' && head.p[n] <= 'z')))
		n++;
	return n && n < head.n && head.p[n] == ' ';
}

static void add_rest(struct doc *d, struct rest_text r, uint32_t indent);

static void expand_text(struct doc *d, size_t at)
{
	add_rest(d, *(const struct rest_text *)d->blocks[at].data, d->blocks[at].indent);
}

static const struct block_ops rest_ops = {.expand = expand_text};

/* The next batch: the chunks that piece_prose would make of the whole, as far as that can
 * be told. */
static void add_rest(struct doc *d, struct rest_text r, uint32_t indent)
{
	size_t left = r.raw.n - r.at, n;
	struct buf text = BUF_INIT;
	char *data;
	bool last;

	buf_reserve(&text, r.kept.n + (left < TEXT_BATCH ? left : TEXT_BATCH) + 128);
	buf_str(&text, r.kept);
	last = !jv_decode_some(r.raw, &r.at, TEXT_BATCH, &text);
	n = text.len;
	data = mem_realloc(buf_take(&text), n + 1);
	r.kept = (struct str){arena_take(&d->arena, data, n + 1).p, n};
	if (!r.begun && (last || n > MARKDOWN)) {
		n = piece_length(r.kept, MARKDOWN);
		piece_text(d, prose_ops(r.speaker), (struct str){r.kept.p, n}, ROLE_TEXT,
			indent);
		r.kept = str_skip(r.kept, n);
		r.begun = true;
	}
	while (r.begun && (last ? r.kept.n : r.kept.n > CHUNK))
		add_chunk(d, &piece_line, &r.kept, ROLE_TEXT, indent);
	if (last)
		return;
	piece_text(d, &rest_ops, STR(""), ROLE_TEXT, indent)->data =
		arena_copy(&d->arena, &r, sizeof(r));
}

/* ---- parts ---- */

/* The working directory of the step. */
static struct str root_of(const struct doc *d)
{
	const struct side_reading *side = d->context;

	return side ? step_content_folder(side->reading->opened) : STR("");
}

/* Whether a call has more to show than its line: members, or lines of a text. */
static bool has_arguments(struct jv value)
{
	if (value.kind == J_STRING)
		return memmem(value.p, value.n, "\\n", 2);
	return value.kind == J_OBJECT && jv_count(value, 1);
}

#define CALL_NAME 200 /* bytes of a command where its result names it */
#define CALL_LOOKED                                                                      \
	(64u << 10) /* bytes of arguments that are looked through for edits              \
		     */

/* What a call's block holds. */
struct call_block {
	struct part part;
	bool edits; /* it changes files, by so many lines */
	size_t added, removed;
	bool itself; /* it is shown as what it does; its arguments are in its fold */
	bool ended;  /* how is known, */
	struct outcome outcome;
	double seconds; /* ... and after how long, or NaN */
};

/* On the right: how the call ended, if badly, and after how long. */
static void put_call_end(const struct call_block *call, struct lines *out, uint32_t width)
{
	uint32_t used = cells_used(out), wide;
	AUTO_BUF time = BUF_INIT, bad = BUF_INIT;

	if (!call->ended)
		return;
	facts_latency(&time, call->seconds);
	if (call->outcome.failed)
		buf_str(&bad, glyph(GLYPH_FAILED));
	if (call->outcome.failed && call->outcome.exit > 0)
		buf_printf(&bad, " exit %d", call->outcome.exit);
	wide = safe_width(buf_view(&bad));
	if (bad.len && time.len && used + wide + time.len + 4 > width)
		buf_clear(&time); /* it says less */
	wide += (uint32_t)time.len + (bad.len && time.len ? 2 : 0);
	if (wide && used + wide + 2 <= width) {
		cells_blank(out, width - used - wide);
		lines_put_own(
			out, ROLE_ERROR, buf_view(&bad), safe_width(buf_view(&bad)));
		lines_printf(out, ROLE_DIM, "%s", bad.len && time.len ? "  " : "");
		lines_put_own(out, ROLE_DIM, buf_view(&time), (uint32_t)time.len);
	}
}

/* A call as what it does: "$ pytest -q", "Edit src/a.c  +1 -2" and the edit; or as
 * name(arguments).  When it is open, the arguments follow as a tree, or as a text. */
static void layout_call(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	const struct call_block *call = b->data;
	bool opens = has_arguments(b->value), named = b->open && !call->edits;

	cells_begin(out, b->indent, width);
	if (d->brief || call->itself) {
		lines_put_fold(out, ROLE_TOOL, b->open);
		preview_call(out, b->text, named ? JV_NONE : b->value, root_of(d), width);
		if (call->edits && (call->added || call->removed)) {
			lines_printf(out, ROLE_ADDED_LINE, "  +%zu", call->added);
			lines_printf(out, ROLE_DELETED_LINE, " -%zu", call->removed);
		}
		put_call_end(call, out, width);
		if (!b->open)
			preview_edit(out, b->text, b->value, width);
		return;
	}
	if (!opens)
		lines_put(out, ROLE_TOOL, STR("> "), 2);
	else
		lines_put_fold(out, ROLE_TOOL, b->open);
	lines_put_raw(out, ROLE_TOOL, b->text);
	lines_put(out, ROLE_PUNCT, STR("("), 1);
	if (!b->open && (b->value.kind != J_OBJECT || opens))
		tree_preview(out, b->value, width ? width - 1 : UINT32_MAX);
	lines_put(out, ROLE_PUNCT, STR(")"), 1);
}

static void layout_todo(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	struct str pad = cells_indent(b->indent, width);

	preview_todo(out, b->value, pad, pad, width, SIZE_MAX);
}

static const struct block_ops todo_ops = {.layout = layout_todo, .copy = doc_copy_value};

/* A list of things to do; false: it is none. */
static bool add_todo(struct doc *d, struct jv value, uint32_t indent)
{
	struct jv list = todo_list(value);

	if (!list.n)
		return false;
	piece_text(d, &todo_ops, STR(""), ROLE_TEXT, indent)->value = list;
	return true;
}

/* What a call does to files, as edits; the members that say it are left out of the tree,
 * and a command of a shell is code. */
static void add_edits(struct doc *d, const struct block *call, uint32_t indent)
{
	const struct call_block *block = call->data;
	const struct part *part = &block->part;
	AUTO(touches_done) struct touches touches = {0};
	struct jv arguments = call->value;
	struct str path = {"", 0}; /* that is told */
	bool edits;

	touches_read(&touches, jv_keep(part->name, &d->arena), part->body, &d->arena);
	edits = edit_shows(&touches);
	JV_FIELDS(key, v, arguments) {
		enum touch_member member = touch_member_of(key, v);
		struct str command = {NULL, 0};

		if (member == TOUCH_COMMAND)
			command = touch_command(v, &d->arena);
		if (command.p) {
			edit_show_command(d, command, indent + BODY);
			edits &= !memmem(command.p, command.n, "*** Begin Patch", 15);
			continue;
		}
		if (member == TOUCH_TEXT && edits)
			continue;
		if (touches.count && jv_is(v, touches.items[0].path)) {
			path = touches.items[0].path;
			if (edits && (d->brief || block->itself))
				continue; /* the call's own line says it */
		}
		if (v.kind != J_ARRAY || !add_todo(d, v, indent + BODY))
			tree_add(d, key, v, indent);
	}
	for (size_t i = 0; edits && i < touches.count; i++) {
		const struct touch *t = &touches.items[i];

		if (!str_equal(t->path, path))
			piece_text(d, &piece_line, t->path, ROLE_DIM, indent + BODY);
		path = t->path;
		edit_show_touch(d, t, indent + BODY);
	}
}

static bool toggles_call(const struct doc *d, size_t at)
{
	struct jv value = d->blocks[at].value;

	return has_arguments(value) || (d->brief && value.kind != J_NONE);
}

/* Arguments that say no edits and are no object are a text, or a tree. */
static bool unfold_call(struct doc *d, size_t at)
{
	struct block call = d->blocks[at];
	uint32_t indent = call.indent + BODY;

	add_edits(d, &call, indent);
	if (d->count > at + 1)
		return true;
	if (call.value.kind == J_STRING)
		piece_chunks(d, &piece_line, jv_keep(call.value, &d->arena), ROLE_TEXT,
			indent);
	else
		tree_add(d, JV_NONE, call.value, indent);
	return true;
}

static const struct block_ops call_ops = {.layout = layout_call,
	.toggle = doc_turn_fold,
	.unfold = unfold_call,
	.toggles = toggles_call,
	.copy = doc_copy_value};

void piece_call_ended(struct doc *d, size_t at, const struct part *result, double seconds)
{
	struct call_block *call = d->blocks[at].data;

	if (d->blocks[at].ops != &call_ops)
		return;
	call->ended = true;
	call->outcome = brief_outcome(result);
	call->seconds = seconds;
}

static void add_call(struct doc *d, const struct part *p)
{
	size_t at = d->count, added, removed;
	struct str name = jv_keep(p->name, &d->arena);
	struct block *b = piece_text(d, &call_ops, name, ROLE_TEXT, BODY);
	struct call_block *call = arena_alloc(&d->arena, sizeof(*call));
	AUTO(touches_done) struct touches touches = {0};

	b->value = side_open_string(p->body, &d->arena);
	b->data = call;
	*call = (struct call_block){.part = *p};
	if (b->value.n <= CALL_LOOKED)
		touches_read(&touches, b->text, p->body, &d->arena);
	call->edits = edit_shows(&touches);
	for (size_t i = 0; i < touches.count && call->edits; i++) {
		touch_lines(&touches.items[i], &added, &removed);
		call->added += added;
		call->removed += removed;
	}
	call->itself = !d->print && (call->edits || brief_tells(b->value));
	if (d->brief || (call->itself && d->levels < b->level))
		return;
	if (d->levels < b->level &&
		(!d->print || !d->width ||
			b->text.n + b->value.n + 2 * BODY + 2 < d->width))
		return;
	if (toggles_call(d, at)) /* on paper what is no line's must not be lost */
		doc_turn_fold(d, at);
}

void piece_words(struct doc *d, enum role role, struct buf *words)
{
	piece_text(d, &piece_line, arena_keep(&d->arena, words), role, BODY)->part =
		DOC_NOTE;
}

static void mark_part(struct doc *d, size_t from, const struct part *p)
{
	for (; from < d->count; from++)
		d->blocks[from].part = (unsigned char)(p->kind + 1);
}

/* What a string holds, decoded once however often it is opened. */
struct string {
	struct jv raw;
	struct jv value; /* the JSON in it, in so many strings */
	unsigned layers; /* 0: none */
	struct str text; /* once it was asked for */
};

static struct string *string_new(struct doc *d, struct jv raw)
{
	struct string_content inner = side_read_string(raw, false, &d->arena);
	struct string s = {.raw = raw, .value = inner.value, .layers = inner.opened};

	return arena_copy(&d->arena, &s, sizeof(s));
}

/* JSON as a tree, a payload by its type, a patch as an edit, what a file has in its
 * colors, anything else as it is; a value as Python prints it with its lines. */
static void add_string(struct doc *d, struct string *s, const struct language *language)
{
	const struct block_ops *ops = language ? &code_ops : &piece_line;
	AUTO_BUF lines = BUF_INIT;
	struct str text;

	if (elements_add_tool_payload(d, s->value) || add_todo(d, s->value, 2 * BODY))
		return;
	if (s->layers == 1) {
		tree_add(d, JV_NONE, s->value, 2 * BODY);
		return;
	}
	if (!s->text.p) {
		s->text = jv_keep(s->raw, &d->arena);
		if (repr_write(&lines, s->text))
			s->text = arena_dup(&d->arena, buf_view(&lines));
	}
	text = s->text;
	if (add_data(d, text, 2 * BODY))
		return;
	if (text.n &&
		(memmem(text.p, text.n, "\n@@", 3) || str_starts(text, STR("@@ -"))) &&
		edit_show_patch(d, text, 2 * BODY))
		return;
	while (text.n)
		add_chunk(d, ops, &text, ROLE_TEXT, 2 * BODY)->data = (void *)language;
}

/* What a result's block holds. */
struct result_block {
	struct part part;
	struct string *string;           /* when its body is one, or NULL */
	const struct language *language; /* of the file that was read, or NULL */
	bool later;                      /* it stands in the step after its call */
};

/* <- result  TOOL; when it is open, its content follows. */
static void layout_result(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	const struct result_block *r = b->data;
	AUTO_BUF size = BUF_INIT, text = BUF_INIT;
	struct jv content = b->value, item;
	struct str begin;
	uint32_t used;

	if ((d->brief || r->later) && !b->open) {
		preview_result(out, b, width);
		return;
	}
	cells_begin(out, b->indent, width);
	if (!d->print && b->value.n)
		lines_put_fold(out, b->role, b->open);
	glyph_put_own(out, b->role, GLYPH_RESULT);
	lines_put_own(out, b->role, STR("result"), 6);
	if (r->later)
		lines_printf(out, ROLE_DIM, ", in the next step");
	if (b->role == ROLE_ERROR)
		lines_printf(out, b->role, ": error");
	if (b->text.n) {
		lines_printf(out, ROLE_DIM, "  ");
		lines_put_raw(out, ROLE_DIM, b->text);
	}
	if (b->value.n > RESULT_OPEN) {
		facts_bytes(&size, b->value.n);
		lines_printf(out, ROLE_DIM, "  %s", size.data);
	}
	/* the beginning of what is folded away, as far as there is room */
	used = cells_used(out) + 2;
	if (b->open || !width || used + BEGINNING / 8 > width)
		return;
	item = jv_member(jv_first(content), "text");
	if (item.kind == J_STRING)
		content = item; /* of a list of items the first one's text */
	jv_text((struct jv){content.p, content.n < BEGINNING ? content.n : BEGINNING,
			content.kind, true, NULL},
		&text);
	begin = str_trim(buf_view(&text));
	if (memchr(begin.p, '\n', begin.n))
		begin.n = (size_t)((char *)memchr(begin.p, '\n', begin.n) - begin.p);
	lines_put(out, ROLE_DIM, STR("  "), 2);
	cells_put_fit(out, ROLE_DIM, begin, width - used);
}

static bool toggles_result(const struct doc *d, size_t at)
{
	return d->blocks[at].value.n > 0;
}

/* A part as it looks in a message, farther in. */
static void add_inside(struct doc *d, const struct part *p)
{
	size_t from = d->count;

	piece_part(d, p, ROLE_TOOL);
	for (; from < d->count; from++)
		d->blocks[from].indent += BODY;
}

/* What a tool gave. */
static bool unfold_result(struct doc *d, size_t at)
{
	const struct result_block *r = d->blocks[at].data;
	struct jv content = d->blocks[at].value;
	AUTO(parts_done) struct parts parts = {0};
	struct part media;

	if (r->string) {
		add_string(d, r->string, r->language);
		return true;
	}
	if (add_todo(d, content, 2 * BODY))
		return true;
	if (content.kind == J_ARRAY) { /* part by part; results in results no deeper */
		parts = parts_read_content(content, &d->arena);
		PARTS_EACH(p, &parts) {
			if (p->kind == PART_TEXT)
				add_string(d, string_new(d, p->body), r->language);
			else if (p->kind == PART_RESULT)
				tree_add(d, JV_NONE, p->raw, 2 * BODY);
			else
				add_inside(d, p);
		}
		return true;
	}
	if (elements_add_tool_payload(d, content))
		return true;
	if (content.kind == J_OBJECT && jv_member(content, "type").kind == J_STRING &&
		media_read(&media, content, &d->arena))
		add_inside(d, &media);
	else
		tree_add(d, JV_NONE, content, 2 * BODY);
	return true;
}

static const struct block_ops result_ops = {.layout = layout_result,
	.toggle = doc_turn_fold,
	.unfold = unfold_result,
	.toggles = toggles_result,
	.copy = doc_copy_value};

/* Short results are open, and so are errors and payloads, which users look for.  The tool
 * is named where its call is not known, which stands above or has a line. */
static void add_result(
	struct doc *d, const struct part *p, const struct part *call, bool brief)
{
	size_t at = d->count, most = p->error ? 8 * RESULT_OPEN : RESULT_OPEN;
	struct result_block *result = arena_alloc(&d->arena, sizeof(*result));
	struct block *b;
	struct jv payload;
	AUTO(touches_done) struct touches t = {0};
	struct buf name = BUF_INIT;
	bool failed = p->error || (brief && brief_outcome(p).failed);

	if (!brief && !call)
		jv_text(p->name, &name);
	b = piece_text(d, &result_ops, arena_keep(&d->arena, &name),
		failed ? ROLE_ERROR : ROLE_TOOL, BODY);
	b->value = p->body;
	*result = (struct result_block){.part = *p};
	if (call && !p->error)
		touches_read(&t, jv_keep(call->name, &d->arena), call->body, &d->arena);
	if (t.count == 1 && t.items[0].kind == TOUCH_READ)
		result->language = language_of_file(t.items[0].path);
	if (p->body.kind == J_STRING)
		result->string = string_new(d, p->body);
	b->data = result;
	payload = result->string ? result->string->value : b->value;
	if (!brief && toggles_result(d, at) &&
		(d->print || d->levels >= b->level || b->value.n <= most ||
			((!result->string || payload.kind == J_OBJECT) &&
				elements_is_tool_payload(d, payload))))
		doc_turn_fold(d, at);
}

void piece_name_call(struct doc *d, size_t result, const struct part *call)
{
	struct block *b = &d->blocks[result];
	struct buf words = BUF_INIT;

	if (b->ops != &result_ops)
		return;
	if (call) {
		struct jv arguments = side_open_string(call->body, &d->arena);

		jv_text(call->name, &words);
		if (brief_is_command(buf_view(&words), arguments)) {
			buf_clear(&words);
			brief_call(call, root_of(d), &words, CALL_NAME);
		} else {
			preview_argument(arguments, root_of(d), &words);
		}
	} else {
		buf_byte(&words, ' ');
	}
	b->text = arena_keep(&d->arena, &words);
}

void piece_answer(struct doc *d, const struct part *result, const struct part *call)
{
	size_t from = d->count;

	if (!call || result->kind != PART_RESULT) {
		piece_part(d, result, ROLE_TOOL);
		return;
	}
	add_result(d, result, call, d->brief);
	mark_part(d, from, result);
}

void piece_later_answer(struct doc *d, const struct part *result, const struct part *call)
{
	struct block *b;

	add_result(d, result, call, true);
	b = &d->blocks[d->count - 1];
	((struct result_block *)b->data)->later = true;
	b->part = DOC_NOTE;
}

/* A picture below its name. */
static void layout_media(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	const struct side_reading *side = d->context;
	const struct reading *r = side && !d->print ? side->reading : NULL;
	const struct lines *picture = NULL;

	layout_plain(d, b, out, width);
	if (r && r->picture && width > b->indent + 1)
		picture = r->picture(r->picture_context, b->data, width - b->indent - 1);
	for (size_t i = 0; picture && i < picture->count; i++) {
		const struct line *line = &picture->lines[i];

		lines_begin(out);
		cells_blank(out, b->indent);
		for (uint32_t k = 0; k < line->count; k++) {
			const struct span *s = &picture->spans[line->first + k];

			lines_put_own(out, s->role, lines_text(picture, s), s->width);
		}
	}
}

static const struct block_ops media_ops = {.layout = layout_media};

const struct part *piece_media(const struct block *b)
{
	return b->ops == &media_ops ? b->data : NULL;
}

const struct part *piece_of(const struct block *b)
{
	if (b->ops == &result_ops)
		return &((const struct result_block *)b->data)->part;
	if (b->ops == &call_ops)
		return &((const struct call_block *)b->data)->part;
	return b->ops == &media_ops ? b->data : NULL;
}

/* Reasoning, or what a harness wrote, is a fold of one line; when it is open, its text
 * follows. */
static void layout_fold(
	struct doc *d, const struct block *b, struct lines *out, uint32_t width)
{
	struct str text = str_trim(b->text);
	AUTO_BUF size = BUF_INIT;
	size_t characters = 0;

	cells_begin(out, b->indent, width);
	lines_put_fold(out, ROLE_DIM, b->open);
	if (b->data) {
		for (size_t i = 0; i < text.n; i++)
			characters += ((unsigned char)text.p[i] & 0xC0) != 0x80;
		safe_line(&size, *(const struct str *)b->data);
		buf_str(&size, glyph(GLYPH_SEPARATOR));
		facts_grouped(&size, (double)characters);
		buf_text(&size, " characters");
		lines_put_own(
			out, ROLE_DIM, buf_view(&size), safe_width(buf_view(&size)));
	} else {
		facts_bytes(&size, b->text.n);
		lines_printf(out, ROLE_DIM, "reasoning, %s", size.data);
	}
	if (d->brief && !b->open && !b->data)
		preview_beginning(out, b->text, width);
}

static bool unfold(struct doc *d, size_t at)
{
	const struct block *b = &d->blocks[at];

	piece_chunks(d, &piece_line, b->text, ROLE_DIM, b->indent + BODY);
	return true;
}

static const struct block_ops fold_ops = {
	.layout = layout_fold, .toggle = doc_turn_fold, .unfold = unfold};

bool piece_is_aside(const struct block *b)
{
	return b->ops == &fold_ops && b->data;
}

/* `label`: what the harness calls it; empty: it is reasoning. */
static void add_fold(struct doc *d, struct str text, struct str label, uint32_t indent)
{
	piece_text(d, &fold_ops, text, ROLE_DIM, indent)->data =
		label.n ? arena_copy(&d->arena, &label, sizeof(label)) : NULL;
	if (!d->brief && (d->print || d->levels))
		doc_turn_fold(d, d->count - 1);
}

/* What is offered, and its schema, or what else its definition says; on paper open. */
static void add_tool(struct doc *d, const struct part *p)
{
	struct jv label = JV_WORD("schema"), value = part_schema(p);
	struct buf words = BUF_INIT;

	buf_text(&words, "offers ");
	jv_text(p->name, &words);
	if (p->body.kind == J_STRING && p->body.n > 2) {
		buf_text(&words, ": ");
		jv_text(p->body, &words);
	}
	piece_words(d, ROLE_DIM, &words);
	if (value.kind == J_NONE) {
		label = JV_WORD("definition");
		value = part_definition(p);
	}
	if (value.kind != J_NONE)
		(d->print ? tree_add : tree_add_closed)(
			d, label, side_open_string(value, &d->arena), BODY);
}

void piece_part(struct doc *d, const struct part *p, enum role speaker)
{
	size_t from = d->count;
	struct buf words = BUF_INIT;

	switch (p->kind) {
	case PART_TEXT:
		if (is_long_prose(d, p->body))
			add_rest(d,
				(struct rest_text){.raw = p->body, .speaker = speaker},
				BODY);
		else
			piece_prose(d, jv_keep(p->body, &d->arena), speaker, BODY);
		break;
	case PART_CALL:
		add_call(d, p);
		break;
	case PART_RESULT:
		add_result(d, p, NULL, d->brief);
		break;
	case PART_TOOL:
		add_tool(d, p);
		break;
	case PART_IMAGE:
	case PART_FILE:
		buf_byte(&words, '[');
		facts_media(&words, p, glyph(GLYPH_TIMES).p);
		buf_byte(&words, ']');
		piece_text(d, &media_ops, arena_keep(&d->arena, &words), ROLE_LINK, BODY)
			->data = arena_copy(&d->arena, p, sizeof(*p));
		break;
	case PART_REASONING:
		add_fold(d, jv_keep(p->body, &d->arena), STR(""), BODY);
		break;
	case PART_REFUSAL:
		buf_text(&words, "refusal: ");
		jv_text(p->body, &words);
		piece_words(d, ROLE_WARNING, &words);
		break;
	case PART_JSON:
		tree_add(d, JV_NONE, p->raw, BODY);
		break;
	}
	mark_part(d, from, p);
}
