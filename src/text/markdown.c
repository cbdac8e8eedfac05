/*
 * Markdown by the callbacks of md4c.  The open blocks (quotes, lists, items)
 * are an explicit stack and together make the prefix of every line: `next`,
 * and `first` while the bullet of an item waits for its line.  Once the prefix
 * fills half of the width, deeper blocks add nothing to it, and their bullets
 * become part of the text.
 *
 * Leaf blocks are drawn through text/wrap when their first text comes.  Code
 * and HTML are gathered first, to shed blank lines at both ends; tables are
 * gathered as lines, one a cell, because a column's width is known at the end.
 */
#include "config.h"
#include "text/markdown.h"

#include <md4c.h>
#include <stdlib.h>

#include "text/safe.h"
#include "text/wrap.h"

/* ---- entities ----
 *
 * HTML character references, as CommonMark has them in text.
 */

#define ENTITY_MAX 64

static const struct entity {
	const char *name;
	unsigned code;
} entities[] = {{"amp", 0x26}, {"lt", 0x3C}, {"gt", 0x3E}, {"quot", 0x22}, {"apos", 0x27},
	{"nbsp", 0xA0}, {"copy", 0xA9}, {"reg", 0xAE}, {"trade", 0x2122},
	{"hellip", 0x2026}, {"mdash", 0x2014}, {"ndash", 0x2013}, {"lsquo", 0x2018},
	{"rsquo", 0x2019}, {"ldquo", 0x201C}, {"rdquo", 0x201D}, {"laquo", 0xAB},
	{"raquo", 0xBB}, {"bull", 0x2022}, {"middot", 0xB7}, {"times", 0xD7},
	{"divide", 0xF7}, {"plusmn", 0xB1}, {"deg", 0xB0}, {"micro", 0xB5},
	{"para", 0xB6}, {"sect", 0xA7}, {"larr", 0x2190}, {"uarr", 0x2191},
	{"rarr", 0x2192}, {"darr", 0x2193}, {"harr", 0x2194}, {"rArr", 0x21D2},
	{"le", 0x2264}, {"ge", 0x2265}, {"ne", 0x2260}, {"asymp", 0x2248},
	{"infin", 0x221E}, {"minus", 0x2212}, {"sum", 0x2211}, {"radic", 0x221A},
	{"euro", 0x20AC}, {"pound", 0xA3}, {"yen", 0xA5}, {"cent", 0xA2},
	{"frac12", 0xBD}, {"frac14", 0xBC}, {"frac34", 0xBE}, {"check", 0x2713},
	{"lbrace", 0x7B}, {"rbrace", 0x7D}, {"lbrack", 0x5B}, {"rbrack", 0x5D},
	{"lpar", 0x28}, {"rpar", 0x29}, {"ast", 0x2A}, {"num", 0x23}, {"lowbar", 0x5F},
	{"grave", 0x60}, {"vert", 0x7C}, {"bsol", 0x5C}, {"dollar", 0x24},
	{"percnt", 0x25}, {"colon", 0x3A}};

/*
 * Appends "&amp;" as "&": the common names and all numbers.  References to white space
 * and unknown ones are copied.  `text` begins with "&" and ends with ";".
 */
static void entity_add(struct buf *out, struct str text)
{
	struct str name = {text.p + 1, text.n > 2 ? text.n - 2 : 0};
	char digits[ENTITY_MAX];
	unsigned code = 0;

	if (name.n && name.p[0] == '#' && name.n <= sizeof(digits)) {
		bool hex = name.n > 1 && (name.p[1] | 0x20) == 'x';
		unsigned long number;

		memcpy(digits, name.p + 1, name.n - 1);
		digits[name.n - 1] = '\0';
		number = strtoul(digits + hex, NULL, hex ? 16 : 10);
		code = number > 0x10FFFF ? UTF8_REPLACEMENT : (unsigned)number;
	}
	for (size_t i = 0; !code && i < sizeof(entities) / sizeof(*entities); i++)
		if (str_equal(str_of(entities[i].name), name))
			code = entities[i].code;
	if (code <= ' ')
		buf_str(out, text);
	else
		buf_utf8(out, code);
}

/* ---- guarding ----
 *
 * Texts for which md4c 0.4.8 would take too long: some inputs cost it quadratic time or
 * more, and not all of them end when a callback refuses.  Each function returns whether a
 * text is of this sort, in linear time.
 */

#define MARKERS    " \t>-*+.)0123456789" /* what quotes and items begin with */
#define LABEL_MAX  1002    /* bytes of a reference's label, with its brackets and colon */
#define FILLED_MAX 1000000 /* cells it may fill up */
#define SCAN_MAX   (64u << 20) /* bytes of references it scans over and over */
#define URLS_MAX   4000        /* bare links: md4c takes quadratic time for them */

static size_t count_byte(struct str text, char byte)
{
	const char *p = text.p, *end = text.p + text.n;
	size_t count = 0;

	while (p < end && (p = memchr(p, byte, (size_t)(end - p)))) {
		p++;
		count++;
	}
	return count;
}

static struct str line_at(struct str text, size_t at)
{
	size_t end = at;

	while (end < text.n && text.p[end] != '\n' && text.p[end] != '\r')
		end++;
	return (struct str){text.p + at, end < text.n ? end + 1 - at : end - at};
}

/* Whether a definition, "[label]:", may begin here, perhaps within quotes and lists. */
static bool may_define(struct str text)
{
	size_t i = 0, end;

	while (i < text.n && memchr(MARKERS, text.p[i], sizeof(MARKERS) - 1))
		i++;
	if (i == text.n || text.p[i] != '[')
		return false;
	end = text.n - i > LABEL_MAX ? i + LABEL_MAX : text.n;
	for (i++; i + 1 < end; i++) {
		if (text.p[i] == ']' && text.p[i + 1] == ':')
			return true;
	}
	return false;
}

/*
 * md4c fills up short rows with empty cells, and a callback that refuses does not end the
 * table.  So the text is refused when a line may be a delimiter row too wide for so many
 * lines.
 */
static bool guard_tables(struct str text)
{
	size_t rows = count_byte(text, '\n') + count_byte(text, '\r'), at, i;
	struct str line;

	if (count_byte(text, '|') * rows <= FILLED_MAX)
		return false;
	for (at = 0; at < text.n; at += line.n) {
		line = line_at(text, at);
		for (i = 0; i < line.n &&
			    memchr(MARKERS "|:\r\n", line.p[i], sizeof(MARKERS) + 3);)
			i++;
		if (i == line.n && count_byte(line, '|') * rows > FILLED_MAX)
			return true;
	}
	return false;
}

/* Every use of a reference scans its address and title again. */
static bool guard_references(struct str text)
{
	size_t uses = count_byte(text, ']'), longest = 0, length = 0;
	struct str line;

	if (!uses || text.n <= SCAN_MAX / uses)
		return false;
	/* the longest paragraph that may be, or hold, a link reference definition */
	for (size_t at = 0; at < text.n; at += line.n) {
		line = line_at(text, at);
		if (str_trim(line).n == 0)
			length = 0;
		else if (length || may_define((struct str){line.p, text.n - at}))
			length += line.n;
		longest = length > longest ? length : longest;
	}
	return longest > SCAN_MAX / uses;
}

/* Too many bare links. */
static bool guard_urls(struct str text)
{
	const char *p = text.p, *end = text.p + text.n;
	size_t count = 0;

	while (p < end && (p = memchr(p, ':', (size_t)(end - p)))) {
		p++;
		count += end - p >= 2 && p[0] == '/' && p[1] == '/';
	}
	return count > URLS_MAX;
}

/* With the flag UNDERLINE each _ is a span of its own, whose marks are shown: __init__ is
 * a name more often than it is strong. */
#define FLAGS                                                                            \
	(MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH | MD_FLAG_TASKLISTS | MD_FLAG_UNDERLINE)
#define CELLS_MAX      65536 /* of all tables together */
#define TABLE_MAX      500   /* cells across, even where lines are not limited */
#define NAME_CELLS_MAX 30    /* of a column, where a table is shown as records */
#define OWN_TEXT_MAX   32    /* bytes of texts that md4c makes: spaces, line feeds */
#define DATA_MAX       64    /* bytes of a data: address that is shown whole */
#define TARGETS_MAX    (4 * MARKDOWN_CAP) /* a reference may repeat a long address */
#define INDENT_MAX     64                 /* cells of the prefix */
#define RULE_DEFAULT   40

struct block_frame {
	size_t first_len, next_len; /* of the prefixes, without this block's part */
	uint32_t cells;             /* likewise */
	size_t line;                /* the first it can have drawn */
	unsigned ordinal;           /* of the next item, 0 in a bullet list */
	char delimiter;             /* after the ordinal */
	bool ordered, quote;
	bool tight; /* no blank lines between what it holds */
};

struct markdown_cell {
	size_t line; /* in `cells` */
	MD_ALIGN align;
};

struct markdown_table {
	struct lines text;           /* a line for every cell */
	struct markdown_cell *cells; /* row by row, the first row is the head */
	size_t count, cap, columns, total;
	bool open; /* text goes to the last cell */
};

struct md {
	struct lines *out;
	struct str source;    /* what md4c reads */
	uint32_t width, base; /* cells of a line, and of the caller's indent */
	size_t indent_len;    /* its bytes */
	struct block_frame *stack;
	size_t depth, cap;
	struct buf first, next; /* prefixes */
	struct buf marker;      /* bullets for which the prefix has no room */
	uint32_t cells;         /* of the prefix, without the caller's indent */
	unsigned quotes;        /* quotes that are open */
	bool waiting;           /* `first` holds a bullet and waits for its line */
	bool blank;             /* a blank line comes before the next text */
	size_t blank_len;       /* its prefix: so much of `next` */
	struct wrap wrap;
	bool leaf;                     /* wrap is open */
	unsigned breaks;               /* line breaks before the next text */
	unsigned heading;              /* level, 0: none */
	unsigned spans[MD_SPAN_U + 1]; /* that are open, by MD_SPANTYPE */
	bool alt_due;                  /* an image's text follows its label */
	bool verbatim;                 /* in a code or HTML block */
	struct buf raw;                /* text of that block */
	struct buf label;              /* its language */
	struct buf link_text;
	size_t targets; /* bytes of addresses shown */
	bool refused;   /* too much of something: show plain text instead */
	bool stopped;   /* there are as many lines as are asked for */
	struct markdown_table table;
};

static void add_attribute(struct buf *out, const MD_ATTRIBUTE *a)
{
	struct str part;

	for (unsigned i = 0; a->size && a->substr_offsets[i] < a->size; i++) {
		part.p = a->text + a->substr_offsets[i];
		part.n = a->substr_offsets[i + 1] - a->substr_offsets[i];
		if (a->substr_types[i] == MD_TEXT_ENTITY)
			entity_add(out, part);
		else
			buf_str(out, part);
	}
}

/* Prefixes */

static struct block_frame *top(struct md *m)
{
	return &m->stack[m->depth - 1];
}

/* Cells a line has for text. */
static uint32_t room(const struct md *m)
{
	uint32_t prefix = m->base + m->cells;

	return m->width > prefix ? m->width - prefix : m->width;
}

static struct block_frame *push(struct md *m)
{
	struct block_frame *f = MEM_ADD(m->stack, m->depth, m->cap);

	*f = (struct block_frame){.first_len = m->first.len,
		.next_len = m->next.len,
		.cells = m->cells,
		.line = m->out->count};
	return f;
}

static void pop(struct md *m)
{
	const struct block_frame *f = &m->stack[--m->depth];

	m->next.len = f->next_len;
	if (m->waiting)
		m->first.len = f->first_len;
	m->cells = f->cells;
	m->quotes -= f->quote;
}

/* Adds cells to the prefix unless it would take more than half of the width. */
static bool widen(struct md *m, uint32_t cells)
{
	uint32_t most = m->width > m->base ? (m->width - m->base) / 2 : 0;

	if (m->width == WRAP_NEVER || most > INDENT_MAX)
		most = INDENT_MAX;
	if (m->cells + cells > most)
		return false;
	m->cells += cells;
	return true;
}

/* Every line of the block on top begins with this. */
static void add_prefix(struct md *m, struct str prefix, uint32_t cells)
{
	if (!widen(m, cells))
		return;
	buf_str(&m->next, prefix);
	if (m->waiting)
		buf_str(&m->first, prefix);
}

/* Leaf blocks */

static enum role prefix_role(const struct md *m)
{
	return m->quotes ? ROLE_QUOTE : ROLE_TEXT;
}

static void leaf_begin(struct md *m)
{
	static const struct str levels = {"###### ", 7};
	struct str next = buf_view(&m->next), blank = next;
	uint32_t cells;

	if (m->leaf)
		return;
	if (m->blank) { /* the line before has less of a prefix */
		if (m->blank_len < blank.n)
			blank.n = m->blank_len;
		while (blank.n > m->indent_len && blank.p[blank.n - 1] == ' ')
			blank.n--;
		cells = safe_width(blank);
		lines_begin(m->out);
		if (m->width == WRAP_NEVER || cells < m->width)
			lines_put(m->out, prefix_role(m), blank, cells);
		m->blank = false;
	}
	wrap_begin(&m->wrap, m->out, m->width);
	wrap_indent(
		&m->wrap, m->waiting ? buf_view(&m->first) : next, next, prefix_role(m));
	m->waiting = false;
	m->leaf = true;
	m->breaks = 0;
	wrap_add(&m->wrap, ROLE_TEXT, buf_view(&m->marker));
	buf_clear(&m->marker);
	if (m->heading)
		wrap_add(&m->wrap, ROLE_HEADING,
			(struct str){levels.p + 6 - m->heading, m->heading + 1});
}

static void leaf_end(struct md *m)
{
	if (m->leaf)
		wrap_end(&m->wrap);
	m->leaf = false;
	m->breaks = 0;
}

/* A bullet of an empty item gets a line of its own. */
static void settle_bullet(struct md *m)
{
	if (!m->waiting && !m->marker.len)
		return;
	leaf_begin(m);
	wrap_break(&m->wrap);
	leaf_end(m);
}

/* Before a block that takes whole lines: bullets that are text get a line of their own.
 */
static void settle_marker(struct md *m)
{
	if (m->marker.len)
		settle_bullet(m);
}

/* wrap writes the prefix of the line; then the rule follows. */
static void draw_rule(struct md *m)
{
	uint32_t cells = m->width == WRAP_NEVER ? RULE_DEFAULT : room(m), i;

	settle_marker(m);
	leaf_begin(m);
	wrap_break(&m->wrap);
	for (i = 0; i < cells; i++)
		glyph_put(m->out, ROLE_BORDER, GLYPH_HLINE);
	leaf_end(m);
}

/* Without the blank lines at both ends; a carriage return alone is visible. */
static struct str between_blank_lines(struct str text)
{
	size_t i = 0, begin = 0;

	while (text.n && strchr(" \t\n", text.p[text.n - 1]) && text.p[text.n - 1])
		text.n -= text.n > 1 && !memcmp(text.p + text.n - 2, "\r\n", 2) ? 2 : 1;
	for (; i < text.n; i++)
		if (text.p[i] == '\n')
			begin = i + 1;
		else if (text.p[i] != ' ' && text.p[i] != '\t' &&
			 (text.p[i] != '\r' || i + 1 == text.n || text.p[i + 1] != '\n'))
			break;
	return str_skip(text, begin);
}

/* Code of nothing but blanks, made visible. */
static void put_shown(struct buf *out, struct str blanks)
{
	for (size_t i = 0; i < blanks.n; i++)
		buf_str(out, blanks.p[i] == '\t'   ? glyph(GLYPH_SHOWN_TAB)
			     : blanks.p[i] == '\n' ? STR("\n")
						   : glyph(GLYPH_SHOWN_BLANK));
}

static void draw_verbatim(struct md *m, enum role role, bool literal)
{
	struct str raw = buf_view(&m->raw), text = between_blank_lines(raw), line;
	struct str label = str_trim(buf_view(&m->label));
	AUTO_BUF shown = BUF_INIT;
	struct code code = {.language = language_named(label)};

	while (raw.n && raw.p[raw.n - 1] == '\n')
		raw.n--;
	for (; raw.n && *raw.p == '\n'; raw.n--)
		raw.p++;
	if (literal && !text.n)
		put_shown(&shown, raw);
	if (shown.len)
		text = buf_view(&shown);

	m->verbatim = false;
	settle_marker(m);
	if (text.n || label.n)
		leaf_begin(m);
	if (label.n) { /* not a line of the code, also where nothing is dim */
		wrap_add(&m->wrap, ROLE_BORDER, glyph(GLYPH_HLINE));
		wrap_add(&m->wrap, ROLE_BORDER, STR(" "));
		wrap_add(&m->wrap, ROLE_DIM, label);
		wrap_break(&m->wrap);
	}
	m->wrap.literal = m->wrap.hang = literal;
	if (!code.language && text.n)
		wrap_add(&m->wrap, role, text);
	while (code.language && !lines_full(m->out) && str_next_line(&text, &line)) {
		code_add(&m->wrap, &code, ROLE_TEXT, line);
		wrap_break(&m->wrap);
	}
	leaf_end(m);
	buf_clear(&m->raw);
	buf_clear(&m->label);
}

/* Tables */

static const struct markdown_cell *cell_at(
	const struct markdown_table *t, size_t row, size_t column)
{
	return &t->cells[row * t->columns + column];
}

static uint32_t cell_width(const struct markdown_table *t, size_t row, size_t column)
{
	return t->text.lines[cell_at(t, row, column)->line].width;
}

static void put_line(struct md *m, const struct lines *from, size_t number)
{
	const struct line *line = &from->lines[number];
	const struct span *span;

	for (uint32_t i = 0; i < line->count; i++) {
		span = &from->spans[line->first + i];
		wrap_add(&m->wrap, span->role, lines_text(from, span));
	}
}

static void put_cell(struct md *m, size_t row, size_t column)
{
	put_line(m, &m->table.text, cell_at(&m->table, row, column)->line);
}

/* Widths of the columns; false when the table does not fit. */
static bool measure(const struct md *m, size_t rows, uint32_t *widths)
{
	uint32_t limit = m->width == WRAP_NEVER ? TABLE_MAX : room(m), cells;
	const struct markdown_table *t = &m->table;
	uint64_t all = 1;
	size_t row, column;

	for (column = 0; column < t->columns; column++) {
		for (row = 0; row < rows; row++) {
			cells = cell_width(t, row, column);
			if (cells > widths[column])
				widths[column] = cells;
		}
		all += 3 + (uint64_t)widths[column];
	}
	return all <= limit && all <= TABLE_MAX;
}

static void pad(struct md *m, uint32_t cells)
{
	for (; cells; cells--)
		wrap_add(&m->wrap, ROLE_TEXT, STR(" "));
}

static void draw_row(struct md *m, size_t row, const uint32_t *widths)
{
	struct str bar = glyph(GLYPH_VLINE);
	uint32_t free, left;

	for (size_t i = 0; i < m->table.columns; i++) {
		free = widths[i] - cell_width(&m->table, row, i);
		left = cell_at(&m->table, row, i)->align == MD_ALIGN_RIGHT ? free : 0;
		if (cell_at(&m->table, row, i)->align == MD_ALIGN_CENTER)
			left = free / 2;
		wrap_add(&m->wrap, ROLE_BORDER, bar);
		pad(m, left + 1);
		put_cell(m, row, i);
		pad(m, free - left + 1);
	}
	wrap_add(&m->wrap, ROLE_BORDER, bar);
	wrap_break(&m->wrap);
}

enum edge { EDGE_TOP, EDGE_MIDDLE, EDGE_BOTTOM };

static void draw_edge(struct md *m, enum edge edge, const uint32_t *widths)
{
	static const enum glyph corners[][3] = {
		{GLYPH_TOP_LEFT, GLYPH_TEE_DOWN, GLYPH_TOP_RIGHT},
		{GLYPH_TEE_RIGHT, GLYPH_CROSS, GLYPH_TEE_LEFT},
		{GLYPH_BOTTOM_LEFT, GLYPH_TEE_UP, GLYPH_BOTTOM_RIGHT}};
	struct str dash = glyph(GLYPH_HLINE);
	uint32_t cells;

	for (size_t i = 0; i < m->table.columns; i++) {
		wrap_add(&m->wrap, ROLE_BORDER, glyph(corners[edge][i > 0]));
		for (cells = widths[i] + 2; cells; cells--)
			wrap_add(&m->wrap, ROLE_BORDER, dash);
	}
	wrap_add(&m->wrap, ROLE_BORDER, glyph(corners[edge][2]));
	wrap_break(&m->wrap);
}

/* Every row as lines of "name: value"; of a head alone its cells, one a line. */
static void draw_records(struct md *m, size_t rows)
{
	AUTO(lines_done) struct lines names = {0};
	AUTO_BUF name = BUF_INIT, cut = BUF_INIT;

	for (size_t i = 0; rows == 1 && i < m->table.columns; i++)
		if (cell_width(&m->table, 0, i)) {
			put_cell(m, 0, i);
			wrap_break(&m->wrap);
		}
	/* The names of the columns, shortened: they are in every record. */
	for (size_t i = 0; i < m->table.columns; i++) {
		buf_clear(&name);
		buf_clear(&cut);
		lines_plain(&m->table.text, cell_at(&m->table, 0, i)->line, &name);
		safe_fit(&cut, buf_view(&name), NAME_CELLS_MAX);
		buf_text(&cut, ": ");
		lines_begin(&names);
		lines_put_raw(&names, ROLE_STRONG, buf_view(&cut));
	}
	for (size_t row = 1; row < rows; row++) {
		if (row > 1)
			wrap_break(&m->wrap);
		for (size_t i = 0; i < m->table.columns; i++) {
			put_line(m, &names, i);
			put_cell(m, row, i);
			wrap_break(&m->wrap);
		}
	}
}

static void draw_table(struct md *m)
{
	struct markdown_table *t = &m->table;
	size_t rows = t->columns ? t->count / t->columns : 0;
	uint32_t *widths;

	if (rows) {
		widths = mem_zalloc(t->columns, sizeof(*widths));
		settle_marker(m);
		leaf_begin(m);
		m->wrap.literal = measure(m, rows, widths);
		if (m->wrap.literal) {
			draw_edge(m, EDGE_TOP, widths);
			for (size_t row = 0; row < rows; row++) {
				draw_row(m, row, widths);
				if (row == 0)
					draw_edge(m, EDGE_MIDDLE, widths);
			}
			draw_edge(m, EDGE_BOTTOM, widths);
		} else {
			draw_records(m, rows);
		}
		leaf_end(m);
		mem_free(widths);
	}
	t->count = 0;
	lines_clear(&t->text);
}

/* Callbacks for blocks */

static void begin_item(struct md *m, const MD_BLOCK_LI_DETAIL *detail)
{
	struct block_frame *list = top(m);
	AUTO_BUF bullet = BUF_INIT;
	bool tight = list->tight;
	uint32_t cells;

	if (list->ordered)
		buf_printf(&bullet, "%u%c ", list->ordinal++, list->delimiter);
	if (detail->is_task)
		buf_printf(&bullet, "[%c] ", detail->task_mark == ' ' ? ' ' : 'x');
	else if (!list->ordered)
		buf_str(&bullet, glyph(GLYPH_BULLET));
	push(m)->tight = tight;
	cells = safe_width(buf_view(&bullet));
	if (!widen(m, cells)) {
		buf_str(&m->marker, buf_view(&bullet));
		return;
	}
	/* the first line begins with the bullet, the others with spaces */
	if (!m->waiting) {
		buf_set(&m->first, buf_view(&m->next));
		m->waiting = true;
	}
	buf_str(&m->first, buf_view(&bullet));
	buf_fill(&m->next, ' ', cells);
}

static void begin_block(struct md *m, MD_BLOCKTYPE type, void *detail)
{
	const MD_BLOCK_OL_DETAIL *ol;
	struct block_frame *f;

	switch (type) {
	case MD_BLOCK_QUOTE:
		push(m)->quote = true;
		m->quotes++;
		add_prefix(m, glyph(GLYPH_QUOTE), 2);
		break;
	case MD_BLOCK_UL:
		push(m)->tight = ((const MD_BLOCK_UL_DETAIL *)detail)->is_tight;
		break;
	case MD_BLOCK_OL:
		ol = detail;
		f = push(m);
		f->ordered = true;
		f->ordinal = ol->start;
		f->delimiter = ol->mark_delimiter;
		f->tight = ol->is_tight;
		break;
	case MD_BLOCK_LI:
		begin_item(m, detail);
		break;
	case MD_BLOCK_HR:
		draw_rule(m);
		break;
	case MD_BLOCK_H:
		m->heading = ((const MD_BLOCK_H_DETAIL *)detail)->level;
		break;
	case MD_BLOCK_CODE:
		m->verbatim = true;
		add_attribute(&m->label, &((const MD_BLOCK_CODE_DETAIL *)detail)->info);
		push(m);
		add_prefix(m, STR("  "), 2);
		break;
	case MD_BLOCK_HTML:
		m->verbatim = true;
		break;
	case MD_BLOCK_TABLE:
		m->table.columns = ((const MD_BLOCK_TABLE_DETAIL *)detail)->col_count;
		break;
	default:
		break;
	}
}

static int enter_block(MD_BLOCKTYPE type, void *detail, void *data)
{
	struct md *m = data;
	struct markdown_table *t = &m->table;

	if (type == MD_BLOCK_DOC) {
		push(m);
		return 0;
	}
	if (type == MD_BLOCK_TH || type == MD_BLOCK_TD) {
		m->refused |= ++t->total > CELLS_MAX;
		if (m->refused)
			return 1;
		*MEM_ADD(t->cells, t->count, t->cap) = (struct markdown_cell){
			t->text.count, ((const MD_BLOCK_TD_DETAIL *)detail)->align};
		lines_begin(&t->text);
		t->open = true;
		return 0;
	}
	if (type > MD_BLOCK_TABLE) /* a part of a table is no block here */
		return 0;
	leaf_end(m);
	m->stopped = lines_full(m->out);
	if (m->refused || m->stopped)
		return 1;
	if (!top(m)->tight && m->out->count != top(m)->line) {
		m->blank = true;
		m->blank_len = m->next.len;
	}
	begin_block(m, type, detail);
	return 0;
}

static int leave_block(MD_BLOCKTYPE type, void *detail, void *data)
{
	struct md *m = data;

	if (m->refused)
		return 1;
	switch (type) {
	case MD_BLOCK_H:
		leaf_begin(m);
		leaf_end(m);
		m->heading = 0;
		break;
	case MD_BLOCK_CODE:
		draw_verbatim(m, ROLE_CODE, true);
		pop(m);
		break;
	case MD_BLOCK_HTML:
		draw_verbatim(m, ROLE_TEXT, false);
		break;
	case MD_BLOCK_TABLE:
		draw_table(m);
		break;
	case MD_BLOCK_TH:
	case MD_BLOCK_TD:
		m->table.open = false;
		break;
	case MD_BLOCK_LI:
		leaf_end(m);
		settle_bullet(m);
		pop(m);
		break;
	case MD_BLOCK_UL:
	case MD_BLOCK_OL:
	case MD_BLOCK_QUOTE:
		leaf_end(m);
		pop(m);
		break;
	default:
		leaf_end(m);
	}
	return 0;
}

/* Callbacks for spans and text */

static enum role text_role(const struct md *m)
{
	if (m->spans[MD_SPAN_CODE])
		return ROLE_CODE;
	if (m->spans[MD_SPAN_A] || m->spans[MD_SPAN_IMG])
		return ROLE_LINK;
	if (m->spans[MD_SPAN_DEL])
		return ROLE_STRUCK;
	if (m->heading)
		return ROLE_HEADING;
	if (m->spans[MD_SPAN_STRONG] ||
		(m->table.open && m->table.count <= m->table.columns))
		return ROLE_STRONG;
	if (m->spans[MD_SPAN_EM] || m->spans[MD_SPAN_U])
		return ROLE_EMPHASIS;
	return prefix_role(m);
}

static void put_text(struct md *m, struct str raw)
{
	if (m->refused)
		return;
	if (m->table.open) {
		lines_put_raw(&m->table.text, text_role(m), raw);
	} else if (m->verbatim) {
		buf_str(&m->raw, raw);
	} else {
		leaf_begin(m);
		for (; m->breaks; m->breaks--)
			wrap_break(&m->wrap);
		wrap_add(&m->wrap, text_role(m), raw);
	}
}

/* Text of the document; a space separates the text of an image from its label. */
static void add_text(struct md *m, struct str raw)
{
	if (m->alt_due)
		put_text(m, STR(" "));
	m->alt_due = false;
	if (m->spans[MD_SPAN_A])
		buf_str(&m->link_text, raw);
	put_text(m, raw);
}

/* " (address "title")" */
static void put_target(struct md *m, struct str address, const MD_ATTRIBUTE *title)
{
	static const struct str base64 = {";base64", 7};
	const char *comma = address.n ? memchr(address.p, ',', address.n) : NULL;
	size_t head = comma ? (size_t)(comma - address.p) : 0, n = address.n - head;
	bool encoded = head > base64.n && !memcmp(comma - base64.n, base64.p, base64.n);
	AUTO_BUF text = BUF_INIT;

	/* of a long data: address only its kind and its decoded size */
	buf_text(&text, " (");
	if (!comma || address.n < DATA_MAX || !str_starts(address, STR("data:"))) {
		buf_str(&text, address);
	} else {
		buf_add(&text, address.p, head - (encoded ? base64.n : 0));
		buf_printf(&text, ", %zu B", encoded ? n / 4 * 3 : n - 1);
	}
	if (title->size) {
		buf_text(&text, address.n ? " \"" : "\"");
		add_attribute(&text, title);
		buf_byte(&text, '"');
	}
	buf_byte(&text, ')');
	put_text(m, buf_view(&text));
}

/* md4c does not obey every refusal at once, so `refused` stays set. */
static void count_target(struct md *m, size_t bytes)
{
	m->targets += bytes;
	if (m->targets > TARGETS_MAX)
		m->refused = true;
}

/* The marks that are shown: no terminal is sure to strike a text through. */
static void put_mark(struct md *m, MD_SPANTYPE type)
{
	if (type == MD_SPAN_U || type == MD_SPAN_DEL)
		put_text(m, type == MD_SPAN_U ? STR("_") : STR("~~"));
}

static int enter_span(MD_SPANTYPE type, void *detail, void *data)
{
	struct md *m = data;

	if (m->spans[type]++ == 0 && type == MD_SPAN_A)
		buf_clear(&m->link_text);
	if (type == MD_SPAN_IMG) {
		put_text(m, STR("[image:"));
		m->alt_due = true;
	}
	put_mark(m, type);
	return 0;
}

static int leave_span(MD_SPANTYPE type, void *detail, void *data)
{
	const MD_SPAN_IMG_DETAIL *image = detail;
	const MD_SPAN_A_DETAIL *link = detail;
	AUTO_BUF address = BUF_INIT;
	struct md *m = data;
	struct str shown, to;

	if (m->refused)
		return 1;
	put_mark(m, type);
	if (type == MD_SPAN_A) {
		add_attribute(&address, &link->href);
		shown = buf_view(&m->link_text);
		to = buf_view(&address);
		/* nothing where the link's text is its address, with or without mailto */
		if (str_starts(to, STR("mailto:")) && !str_starts(shown, STR("mailto:")))
			to = str_skip(to, 7);
		if (link->title.size || !str_equal(to, shown))
			put_target(m, buf_view(&address), &link->title);
		count_target(m, link->href.size + link->title.size);
	} else if (type == MD_SPAN_IMG) {
		m->alt_due = false;
		put_text(m, STR("]"));
		add_attribute(&address, &image->src);
		put_target(m, buf_view(&address), &image->title);
		count_target(m, image->src.size + image->title.size);
	}
	m->spans[type]--;
	return m->refused;
}

static int add_span_text(MD_TEXTTYPE type, const MD_CHAR *p, MD_SIZE n, void *data)
{
	AUTO_BUF entity = BUF_INIT;
	struct md *m = data;
	uintptr_t at = (uintptr_t)p, start = (uintptr_t)m->source.p;
	bool within = at >= start && at - start <= m->source.n;

	/* a part of the source, or a short string that md4c made: version 0.4.8 has
	 * passed lengths beyond the end of the source */
	m->refused |= n > (within ? m->source.n - (at - start) : OWN_TEXT_MAX);
	if (m->refused)
		return 1;
	m->stopped = lines_over(m->out);
	if (m->stopped)
		return 1;
	switch (type) {
	case MD_TEXT_BR:
	case MD_TEXT_SOFTBR:
		if (m->leaf)
			m->breaks++;
		break;
	case MD_TEXT_NULLCHAR:
		add_text(m, STR("\0"));
		break;
	case MD_TEXT_ENTITY:
		entity_add(&entity, (struct str){p, n});
		add_text(m, buf_view(&entity));
		break;
	case MD_TEXT_CODE:
		if (m->spans[MD_SPAN_CODE] && !str_trim((struct str){p, n}).n)
			put_shown(&entity, (struct str){p, n});
		add_text(m, entity.len ? buf_view(&entity) : (struct str){p, n});
		break;
	default:
		add_text(m, (struct str){p, n});
	}
	return 0;
}

static void md_done(struct md *m)
{
	leaf_end(m);
	mem_free(m->stack);
	buf_done(&m->first);
	buf_done(&m->next);
	buf_done(&m->marker);
	buf_done(&m->raw);
	buf_done(&m->label);
	buf_done(&m->link_text);
	mem_free(m->table.cells);
	lines_done(&m->table.text);
}

/* The document */

/* Out of memory ends the program at once: version 0.4.8 would free twice. */
static void on_log(const char *text, void *md)
{
	if (strstr(text, "alloc() failed"))
		mem_fail();
}

/*
 * The source is a copy that ends with a line feed and a NUL: version 0.4.8
 * reads the byte after the end of an unfinished link.
 */
static bool render(struct lines *out, struct str raw, uint32_t width, struct str indent)
{
	MD_PARSER parser = {
		.flags = FLAGS,
		.enter_block = enter_block,
		.leave_block = leave_block,
		.enter_span = enter_span,
		.leave_span = leave_span,
		.text = add_span_text,
		.debug_log = on_log,
	};
	AUTO(md_done)
	struct md m = {.out = out, .width = width, .base = safe_width(indent)};
	AUTO_BUF copy = BUF_INIT;
	bool done;

	buf_str(&copy, raw);
	buf_byte(&copy, '\n');
	m.source = buf_view(&copy);
	if (!guard_urls(raw))
		parser.flags |= MD_FLAG_PERMISSIVEURLAUTOLINKS;
	m.indent_len = indent.n;
	buf_str(&m.next, indent);
	done = md_parse(copy.data, (MD_SIZE)copy.len, &parser, &m) == 0 || m.stopped;
	done = done && !m.refused;
	out->bidi |= m.table.text.bidi;
	if (lines_over(out))
		lines_truncate(out, out->limit);
	return done;
}

void markdown_lines(struct lines *out, struct str raw, uint32_t width, struct str indent)
{
	size_t before = out->count, n = raw.n;
	struct str head;

	if (str_trim(raw).n == 0)
		return;
	/* up to MARKDOWN_CAP is read as Markdown, to the end of a line or at least of a
	 * character */
	if (n > MARKDOWN_CAP) {
		n = MARKDOWN_CAP;
		while (n > MARKDOWN_CAP / 2 && raw.p[n - 1] != '\n')
			n--;
		if (n == MARKDOWN_CAP / 2)
			n = utf8_cut(raw.p, raw.n, MARKDOWN_CAP);
	}
	head = (struct str){raw.p, n};
	if (guard_references(head) || guard_tables(head) ||
		!render(out, head, width, indent)) {
		lines_truncate(out, before);
		n = 0;
	}
	if (n < raw.n && !lines_full(out))
		wrap_text(out, str_skip(raw, n), width, indent, ROLE_TEXT);
}

/* ---- texts as their writers wrote them ---- */

#define FENCE_LEAST 3
#define LEVELS      6 /* of headings */

/* The fence that is open. */
struct fence {
	char with;
	size_t run; /* so many of it, or 0 */
	struct code code;
};

static size_t run_of(struct str words, char c)
{
	size_t n = 0;

	while (n < words.n && words.p[n] == c)
		n++;
	return n;
}

/* Whether the line opens or closes a fence. */
static bool take_fence(struct fence *f, struct str words)
{
	char with = words.n ? words.p[0] : ' ';
	size_t run = with == '`' || with == '~' ? run_of(words, with) : 0;

	if (run < FENCE_LEAST ||
		(f->run && (with != f->with || run < f->run || run < words.n)))
		return false;
	if (!f->run && with == '`' && memchr(words.p + run, '`', words.n - run))
		return false; /* code within a line */
	words = str_trim(str_skip(words, run));
	*f = f->run ? (struct fence){0}
		    : (struct fence){with, run, {.language = language_named(words)}};
	return true;
}

static enum role role_of(struct fence *f, struct str line)
{
	struct str words = str_trim(line);
	size_t level = run_of(words, '#');

	if (take_fence(f, words))
		return ROLE_DIM;
	if (f->run)
		return ROLE_CODE;
	if (level && level <= LEVELS && line.p[0] == '#' && level < words.n &&
		words.p[level] == ' ')
		return ROLE_HEADING;
	return words.n && words.p[0] == '>' ? ROLE_QUOTE : ROLE_TEXT;
}

/* A line of words; what stands between two backticks of it is code. */
static void add_words(struct wrap *w, enum role role, struct str line)
{
	const char *end = line.p + line.n, *open, *close;

	while (line.p < end) {
		open = memchr(line.p, '`', (size_t)(end - line.p));
		close = open ? memchr(open + 1, '`', (size_t)(end - open - 1)) : NULL;
		if (!close)
			break;
		wrap_add(w, role, (struct str){line.p, (size_t)(open - line.p)});
		wrap_add(w, ROLE_CODE, (struct str){open, (size_t)(close + 1 - open)});
		line.p = close + 1;
	}
	wrap_add(w, role, (struct str){line.p, (size_t)(end - line.p)});
}

void verbatim_lines(struct lines *out, struct str raw, uint32_t width, struct str indent)
{
	struct str text = between_blank_lines(raw), line;
	struct fence fence = {0};
	struct wrap w;

	wrap_begin(&w, out, width);
	w.hang = true;
	wrap_indent(&w, indent, indent, ROLE_TEXT);
	while (!lines_full(out) && str_next_line(&text, &line)) {
		enum role role = role_of(&fence, line);

		w.literal = role == ROLE_CODE;
		if (role == ROLE_CODE)
			code_add(&w, &fence.code, fence.code.language ? ROLE_TEXT : role,
				line);
		else if (role == ROLE_DIM)
			wrap_add(&w, role, line);
		else
			add_words(&w, role, line);
		wrap_break(&w);
	}
	wrap_end(&w);
}
