/* Calls and results before they are opened: see pieces.h. */
#include "config.h"
#include "view/pieces.h"

#include "chat/brief.h"
#include "chat/side.h"
#include "text/safe.h"
#include "text/wrap.h"
#include "view/cells.h"
#include "view/difference.h"
#include "view/facts.h"
#include "view/tree.h"

#define ARGUMENT   1024u         /* bytes of an argument that are looked at */
#define COUNTED    (64u * 1024u) /* bytes of a result whose lines are counted */
#define BEGINNING  512u          /* bytes of a text that may stand on a line */
#define LEAST      8u            /* cells that are worth a text */
#define PAPER      120u          /* cells of a line that ends only where its text does */
#define ERROR_HEAD 2u            /* first rows of a failure, before its last ones */
#define EDIT_ROWS  8u            /* of an edit */
#define PAD        4u            /* cells before the rows of a result */

/* ---- texts ---- */

#define ASIDE 256u /* bytes of an item without a text that may be left out unsaid */

static bool put_text(struct jv v, size_t most, struct buf *out)
{
	size_t at = 0;

	if (v.kind == J_STRING && v.n <= most)
		jv_text(v, out);
	else if (v.kind == J_STRING)
		jv_decode_some(v, &at, most, out);
	else
		buf_add(out, v.p, v.n < most ? v.n : most);
	return v.n <= most;
}

/* The texts of a list; false: it has none. */
static bool put_texts(struct jv list, size_t most, struct buf *out, bool *all)
{
	size_t before = out->len;
	bool found = false;

	JV_EACH(item, list) {
		struct jv text = item.kind == J_OBJECT ? jv_member(item, "text") : item;
		size_t used = out->len - before;

		/* one of several commands: what was asked, what came of it, whether it
		 * succeeded */
		if (text.kind == J_NONE && jv_member(item, "success").kind != J_NONE)
			text = jv_member(item, "result");
		if (used >= most) {
			*all = false;
			break;
		}
		if (text.kind != J_STRING) {
			*all &= item.n < ASIDE;
			continue;
		}
		if (used && out->data[out->len - 1] != '\n')
			buf_byte(out, '\n');
		*all &= put_text(text, most - used, out);
		found = true;
	}
	return found;
}

bool preview_text(struct jv value, size_t most, struct buf *out)
{
	bool all = true;

	if (value.kind == J_ARRAY && put_texts(value, most, out, &all))
		return all;
	return put_text(value, most, out);
}

bool preview_content(struct jv value, size_t most, struct buf *out)
{
	AUTO_ARENA arena = {0};
	struct jv content = JV_NONE;
	bool all = true;

	if (value.n <= most)
		content = jv_member(side_open_string(value, &arena), "content");
	if (content.kind == J_ARRAY && put_texts(content, most, out, &all))
		return all;
	return preview_text(value, most, out);
}

static void put_fitting(struct lines *out, enum role role, struct str text, uint32_t room)
{
	struct str cut = {text.p, text.n < BEGINNING ? text.n : BEGINNING};
	AUTO_BUF safe = BUF_INIT;
	uint32_t cells;

	safe_line(&safe, cut);
	cells = safe_width(buf_view(&safe));
	cells_put_beginning(out, role, buf_view(&safe), cells < room ? cells : room);
}

/* The cells that are left of the last line, but for two blanks. */
static uint32_t room_of(const struct lines *out, uint32_t width)
{
	uint32_t used = cells_used(out) + 2;

	if (!width)
		width = PAPER;
	return used + LEAST <= width ? width - used : 0;
}

static void put_after(struct lines *out, enum role role, struct str text, uint32_t width)
{
	uint32_t room = room_of(out, width);

	if (!room || !text.n)
		return;
	lines_put(out, ROLE_DIM, STR("  "), 2);
	put_fitting(out, role, text, room);
}

void preview_line(struct str text, size_t most, struct buf *out)
{
	AUTO_BUF line = BUF_INIT;
	struct str s = str_trim(text);

	buf_add(&line, s.p, s.n < 4 * most ? s.n : 4 * most);
	brief_squeeze(&line, most);
	buf_str(out, buf_view(&line));
}

void preview_beginning(struct lines *out, struct str text, uint32_t width)
{
	AUTO_BUF line = BUF_INIT;

	preview_line(text, BEGINNING, &line);
	put_after(out, ROLE_DIM, buf_view(&line), width);
}

/* ---- calls ---- */

static void put_argument(struct jv v, struct str root, struct buf *out)
{
	AUTO_BUF text = BUF_INIT;

	brief_argument(v, root, &text, ARGUMENT);
	if (text.len)
		buf_text(out, "  ");
	buf_str(out, buf_view(&text));
}

void preview_argument(struct jv arguments, struct str root, struct buf *out)
{
	struct jv path = jv_member(arguments, "path"),
		  title = jv_member(arguments, "description");

	if (title.kind == J_STRING && title.n > 2 &&
		jv_member(arguments, "prompt").kind == J_STRING)
		arguments = title; /* the prompt is what a sub-agent's steps begin with */
	put_argument(arguments, root, out);
	if (jv_member(arguments, "pattern").kind == J_STRING && path.kind == J_STRING &&
		path.n > 2)
		put_argument(path, root, out);
}

void preview_call(struct lines *out, struct str name, struct jv arguments,
	struct str root, uint32_t width)
{
	AUTO_BUF words = BUF_INIT;
	uint32_t room;

	preview_argument(arguments, root, &words);
	if (words.len && brief_is_command(name, arguments)) {
		lines_put_own(out, ROLE_TOOL, STR("$ "), 2);
		put_fitting(out, ROLE_TEXT, str_trim(buf_view(&words)),
			room_of(out, width) + 2);
		return;
	}
	lines_put_raw(out, ROLE_TOOL, name);
	room = room_of(out, width);
	if (words.len)
		put_after(out, ROLE_TEXT, str_trim(buf_view(&words)), width);
	else if (arguments.kind == J_OBJECT && jv_count(arguments, 1) && room) {
		lines_put(out, ROLE_DIM, STR("  "), 2);
		tree_preview(out, arguments, room);
	}
}

/* ---- results ---- */

/* A line of a text in one row, cut where the row is full; words of a failure in some. */
static void put_row(struct lines *out, struct str line, uint32_t width, bool first,
	enum role role, size_t most)
{
	size_t before = out->count;
	struct str cut = {line.p, line.n < ARGUMENT ? line.n : ARGUMENT};
	bool over = width > 2 * PAD && most == 1 && PAD + safe_width(cut) > width;
	AUTO_BUF elbow = BUF_INIT;
	struct wrap w;

	buf_text(&elbow, "  ");
	buf_str(&elbow, first ? glyph(GLYPH_ANSWER) : STR("  "));
	wrap_begin(&w, out, over ? width - 1 : width);
	w.literal = most == 1;
	wrap_indent(&w, buf_view(&elbow), STR("    "), ROLE_DIM);
	wrap_add(&w, role, cut);
	if (!cut.n)
		wrap_break(&w);
	wrap_end(&w);
	if (out->count > before + most) {
		lines_truncate(out, before + most);
		if (!width || cells_used(out) < width)
			glyph_put_own(out, ROLE_DIM, GLYPH_ELLIPSIS);
	}
}

/* A row that says what is not shown. */
static void begin_rest(struct lines *out)
{
	lines_begin(out);
	lines_printf(out, ROLE_DIM, "    ");
	glyph_put_own(out, ROLE_DIM, GLYPH_ELLIPSIS);
}

static void put_rest(struct lines *out, size_t lines, uint64_t bytes, bool all)
{
	AUTO_BUF size = BUF_INIT;

	begin_rest(out);
	facts_bytes(&size, bytes);
	if (all)
		lines_printf(out, ROLE_DIM, " %zu more line%s", lines, plural(lines));
	else
		lines_printf(out, ROLE_DIM, " more, %s in all", size.data);
}

static size_t count_lines(struct str text)
{
	struct str line;
	size_t n = 0;

	while (str_next_line(&text, &line))
		n++;
	return n;
}

/* Without blank lines at either end. */
static struct str trim_lines(struct str text)
{
	struct str rest = text, line;

	while (str_next_line(&rest, &line) && !str_trim(line).n)
		text = rest;
	while (text.n && strchr(" \t\r\n", text.p[text.n - 1]))
		text.n--;
	return text;
}

void preview_edit(struct lines *out, struct str name, struct jv arguments, uint32_t width)
{
	AUTO(touches_done) struct touches touches = {0};
	AUTO(edit_done) struct edit_rows rows = {0};
	AUTO_ARENA arena = {0};
	struct jv list;
	size_t left = 0;

	if (arguments.n > COUNTED)
		return;
	list = todo_list(arguments);
	if (list.n)
		preview_todo(out, list, STR("    "), STR("    "), width, EDIT_ROWS);
	touches_read(&touches, name, arguments, &arena);
	for (size_t i = 0; edit_shows(&touches) && i < touches.count; i++) {
		struct str path = touches.items[i].path;

		if (!str_equal(path, touches.items[i ? i - 1 : touches.count - 1].path))
			edit_add(&rows, (struct edit_row){EDIT_HEAD, 0, path, {NULL, 0}});
		edit_rows_of(&rows, &touches.items[i]);
	}
	if (rows.count)
		left = edit_put_first(
			out, &rows, touches.items[0].path, width, PAD, EDIT_ROWS);
	if (left)
		put_rest(out, left, 0, true);
}

void preview_todo(struct lines *out, struct jv list, struct str first, struct str next,
	uint32_t width, size_t most)
{
	static const enum role roles[TODO_STATES] = {
		ROLE_TEXT, ROLE_STRONG, ROLE_DIM, ROLE_STRUCK};
	AUTO_BUF sign = BUF_INIT, text = BUF_INIT, blanks = BUF_INIT;
	size_t left = jv_count(list, SIZE_MAX);
	struct jwalk walk = jwalk_of(list);
	struct todo item;
	struct wrap w;

	for (; left && most-- && todo_next(&walk, &item); left--) {
		buf_clear(&sign);
		buf_clear(&text);
		buf_clear(&blanks);
		buf_str(&sign, first);
		buf_str(&sign, glyph(GLYPH_TODO_OPEN + item.state));
		buf_str(&blanks, next);
		buf_fill(&blanks, ' ', glyph_cells(GLYPH_TODO_OPEN + item.state));
		first = next;
		jv_text(item.text, &text);
		wrap_begin(&w, out, width);
		wrap_indent(&w, buf_view(&sign), buf_view(&blanks), roles[item.state]);
		wrap_add(&w, roles[item.state], buf_view(&text));
		wrap_end(&w);
	}
	if (left)
		put_rest(out, left, 0, true);
}

/* The first line of a name. */
static void put_name(struct lines *out, struct str name, uint32_t width)
{
	struct str text = str_trim(name), line = STR("");

	str_next_line(&text, &line);
	lines_begin(out);
	lines_put_own(out, ROLE_DIM, STR("  "), 2);
	glyph_put_own(out, ROLE_DIM, GLYPH_ANSWER);
	put_fitting(out, ROLE_DIM, str_trim(line),
		!width                ? PAPER
		: width > PAD + LEAST ? width - PAD
				      : LEAST);
}

/* Of a failure its first and its last rows: what went wrong is often said at the end. */
static void put_ends(
	struct lines *out, struct str rest, size_t lines, uint32_t width, bool first)
{
	size_t left_out = lines - PREVIEW_ROWS;
	struct str line;

	for (size_t i = 0; str_next_line(&rest, &line); i++) {
		if (i == ERROR_HEAD) {
			begin_rest(out);
			lines_printf(out, ROLE_DIM, " %zu line%s left out", left_out,
				plural(left_out));
		}
		if (i < ERROR_HEAD || i >= ERROR_HEAD + left_out)
			put_row(out, line, width, first && !i, ROLE_ERROR, 1);
	}
}

/* ---- rules ---- */

#define STROKES 4 /* in a row are a rule */

/* The bytes of a stroke that a text begins with; 0: none. */
static size_t stroke(struct str s)
{
	static const char *const strokes[] = {
		"=", "-", "_", "~", "*", "\xE2\x94\x80", "\xE2\x94\x81", "\xE2\x95\x90"};

	for (size_t i = 0; i < sizeof(strokes) / sizeof(*strokes); i++)
		if (str_starts(s, str_of(strokes[i])))
			return strlen(strokes[i]);
	return 0;
}

static bool says_nothing(struct str line)
{
	size_t n;

	for (; line.n; line.p += n, line.n -= n) {
		n = stroke(line);
		if (!n && !strchr(" \t+|:", *line.p))
			return false;
		n += !n;
	}
	return true;
}

/* Of a line with a rule around its words the words, of a rule nothing. */
static struct str without_rule(struct str line)
{
	struct str words = str_trim(line);
	size_t before = 0, n, count = 0, end = words.n;

	for (; (n = stroke(str_skip(words, before))); count++)
		before += n;
	if (count < STROKES)
		return line;
	if (says_nothing(words))
		return (struct str){line.p, 0};
	if (words.p[before] != ' ')
		return line;
	while (end > before && words.p[end - 1] != ' ')
		end--;
	if (says_nothing(str_skip(words, end)))
		words.n = end;
	return str_trim((struct str){words.p + before, words.n - before});
}

/* Leaves out the lines that say nothing, for rows are few: rules; or of JSON over several
 * lines the brackets, and all indentation.  Linear in the text. */
static void leave_out(struct buf *text, bool brackets)
{
	struct str rest = buf_view(text), line, words;
	size_t kept = 0, sign = 0;

	while (str_next_line(&rest, &line)) {
		words = brackets ? str_trim(line) : without_rule(line);
		for (sign = 0; brackets && sign < words.n; sign++)
			if (!strchr("[]{},", words.p[sign]))
				break;
		if (sign == words.n && (brackets || line.n))
			continue;
		memmove(text->data + kept, words.p, words.n);
		kept += words.n;
		if (rest.n)
			text->data[kept++] = '\n';
	}
	text->len = kept;
}

#define PREAMBLE 6 /* lines */

/* Of what a tool says of a command before "Output:", on a line of its own, only how it
 * ended badly is left: short lines with figures.  False: it says nothing of it. */
static bool drop_preamble(struct buf *text)
{
	struct str rest = trim_lines(buf_view(text)), line, ended = STR("");
	size_t kept, n;

	for (int i = 0; i < PREAMBLE && str_next_line(&rest, &line); i++) {
		line = str_trim(line);
		if (i && str_equal(line, STR("Output:")) && str_trim(rest).n)
			break;
		for (n = 0; n < line.n && !str_is_digit(line.p[n]); n++)
			;
		if (i + 1 == PREAMBLE || line.n > 60 || n == line.n)
			return false;
		if (brief_exits(line))
			ended = line;
	}
	if (!rest.n)
		return false;
	kept = ended.n ? ended.n + 1 : 0;
	memmove(text->data, ended.p, ended.n);
	if (kept)
		text->data[ended.n] = '\n';
	memmove(text->data + kept, rest.p, rest.n);
	text->len = kept + rest.n;
	return true;
}

/* What a result says, without what only shows its form; false: its beginning. */
static bool read_result(const struct block *b, struct buf *out)
{
	AUTO_BUF text = BUF_INIT;
	bool all = preview_content(b->value, COUNTED, &text);
	struct str rest;

	if (!repr_write(out, buf_view(&text))) {
		leave_out(&text, false);
		buf_str(out, buf_view(&text));
	}
	while (drop_preamble(out))
		;
	rest = trim_lines(buf_view(out));
	if ((b->value.kind == J_OBJECT || b->value.kind == J_ARRAY) && rest.n &&
		strchr("[{", *rest.p) && count_lines(rest) > 1)
		leave_out(out, true);
	return all;
}

void preview_result(struct lines *out, const struct block *b, uint32_t width)
{
	AUTO_BUF text = BUF_INIT;
	bool all, first = !b->text.n, named = !first && !str_equal(b->text, STR(" "));
	enum role role = b->role == ROLE_ERROR ? ROLE_ERROR : ROLE_DIM;
	AUTO_ARENA arena = {0};
	struct str rest, line;
	struct jv list = JV_NONE;
	size_t lines, most, shown = 0;

	if (named)
		put_name(out, b->text, width);
	if (b->value.n <= COUNTED)
		list = todo_list(side_open_string(b->value, &arena));
	if (list.n) {
		buf_text(&text, "  ");
		buf_str(&text, first ? glyph(GLYPH_ANSWER) : STR("  "));
		preview_todo(
			out, list, buf_view(&text), STR("    "), width, PREVIEW_ROWS);
		return;
	}
	all = read_result(b, &text);
	rest = trim_lines(buf_view(&text));
	lines = count_lines(rest);
	if (!rest.n)
		put_row(out, role == ROLE_ERROR ? STR("error") : STR("nothing"), width,
			first, role, 1);
	if (role == ROLE_ERROR && all && lines > PREVIEW_ROWS + 1) {
		put_ends(out, rest, lines, width, first);
		return;
	}
	/* the first rows, and how much follows */
	most = role == ROLE_DIM || lines > 1 ? 1 : PREVIEW_ROWS;
	for (; rest.n; lines--) {
		if (shown >= PREVIEW_ROWS && lines > 1) {
			put_rest(out, lines, b->value.n, all);
			return;
		}
		str_next_line(&rest, &line);
		if (!str_trim(line).n)
			continue;
		put_row(out, line, width, first && !shown, role, most);
		shown++;
	}
}

/* ---- values as Python prints them ---- */

/* What a value begins with: brackets, names of types and members, then a quote. */
static bool begins_value(struct str s)
{
	bool named = false;

	for (size_t i = 0; i < s.n;) {
		size_t word = i;

		while (word < s.n &&
			(str_is_plain(s.p[word]) || s.p[word] == '_' || s.p[word] == '.'))
			word++;
		if (word < s.n && (s.p[word] == '\'' || s.p[word] == '"'))
			return word <= i + 1; /* 'text', or b'bytes' */
		if (word > i && word < s.n && (s.p[word] == '(' || s.p[word] == '='))
			named = true;
		else if (word > i || !strchr("[({", s.p[i]))
			return named;
		i = word + 1;
	}
	return false;
}

bool repr_write(struct buf *out, struct str text)
{
	static const char letters[] = "nt'\"\\", meanings[] = "\n\t'\"\\";
	char quote = 0;

	text = str_trim(text);
	if (memchr(text.p, '\n', text.n) || !memmem(text.p, text.n, "\\n", 2) ||
		!begins_value(text))
		return false;
	for (size_t i = 0; i < text.n; i++) {
		char c = text.p[i];

		if (quote && c == '\\' && i + 1 < text.n) {
			char letter = text.p[++i];
			const char *known = memchr(letters, letter, 5);

			if (!known) /* it stands for nothing that is shown otherwise */
				buf_byte(out, c);
			buf_byte(out, known ? meanings[known - letters] : letter);
			continue;
		}
		if (c == quote)
			quote = 0;
		else if (!quote && (c == '\'' || c == '"'))
			quote = c;
		buf_byte(out, c);
	}
	return true;
}
