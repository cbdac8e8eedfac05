/*
 * libvterm behind vt.h.  A screen is printed row by row from a copy of its cells.  A
 * blank cell shows nothing but its background; curses sometimes writes it as a space with
 * the attributes of the text and sometimes erases it, so what cannot be seen of it is
 * dropped, and then filled in from its neighbours where it looks the same: a coloured bar
 * prints as one run of letters.
 */
#include "config.h"
#include "vt.h"

#include <stdio.h>
#include <stdlib.h>
#include <vterm.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"

struct vt {
	VTerm *term;
	VTermScreen *screen;
	unsigned columns, rows;
	struct vt_modes modes;
	struct buf *sent;        /* where vt_key collects; NULL: answers are dropped */
	VTermScreenCell *before; /* as vt_changes saw them; NULL: it was not asked */
	struct buf held;         /* the beginning of a control sequence */
	char last;               /* the last byte before it */
};

static void on_output(const char *bytes, size_t n, void *user)
{
	struct vt *vt = user;

	if (vt->sent)
		buf_add(vt->sent, bytes, n);
}

static int on_property(VTermProp property, VTermValue *value, void *user)
{
	struct vt *vt = user;

	if (property == VTERM_PROP_ALTSCREEN)
		vt->modes.alternate = value->boolean;
	if (property == VTERM_PROP_CURSORVISIBLE)
		vt->modes.cursor_visible = value->boolean;
	if (property == VTERM_PROP_MOUSE)
		vt->modes.mouse = value->number != VTERM_PROP_MOUSE_NONE;
	return 1;
}

static const VTermScreenCallbacks callbacks = {.settermprop = on_property};

bool vt_possible(void)
{
	return true;
}

struct vt *vt_new(unsigned columns, unsigned rows)
{
	struct vt *vt = mem_zalloc(1, sizeof(*vt));

	vt->columns = columns;
	vt->rows = rows;
	vt->modes.cursor_visible = true;
	vt->term = vterm_new((int)rows, (int)columns);
	vterm_set_utf8(vt->term, 1);
	vterm_output_set_callback(vt->term, on_output, vt);
	vt->screen = vterm_obtain_screen(vt->term);
	vterm_screen_set_callbacks(vt->screen, &callbacks, vt);
	vterm_screen_enable_altscreen(vt->screen, 1);
	vterm_screen_reset(vt->screen, 1);
	return vt;
}

void vt_free(struct vt *vt)
{
	if (!vt)
		return;
	vterm_free(vt->term);
	mem_free(vt->before);
	buf_done(&vt->held);
	mem_free(vt);
}

/* libvterm 0.1.4 leaves the line too early behind a REP that ends before its last cell.
 */
static bool is_repetition(const struct vt *vt)
{
	return vt->held.len > 3 && vt->held.data[vt->held.len - 1] == 'b' &&
	       strspn(vt->held.data + 2, "0123456789") == vt->held.len - 3;
}

static void release(struct vt *vt)
{
	if (is_repetition(vt))
		for (long n = strtol(vt->held.data + 2, NULL, 10); n > 0; n--)
			vterm_input_write(vt->term, &vt->last, 1);
	else if (vt->held.len)
		vterm_input_write(vt->term, vt->held.data, vt->held.len);
	buf_clear(&vt->held);
}

static bool ends_sequence(const struct buf *held)
{
	char c = held->data[held->len - 1];

	return held->len == 2 ? c != '[' : held->len > 2 && c >= '@';
}

/* Control sequences are passed on as a whole. */
void vt_feed(struct vt *vt, struct str bytes)
{
	size_t n;

	for (size_t i = 0; i < bytes.n; i += n) {
		const char *at = bytes.p + i, *escape = memchr(at, '\033', bytes.n - i);

		n = vt->held.len || escape == at ? 1
		    : escape                     ? (size_t)(escape - at)
						 : bytes.n - i;
		if (vt->held.len || escape == at) {
			buf_byte(&vt->held, *at);
			if (ends_sequence(&vt->held))
				release(vt);
		} else {
			vt->last = at[n - 1];
			vterm_input_write(vt->term, at, n);
		}
	}
}

void vt_resize(struct vt *vt, unsigned columns, unsigned rows)
{
	vt->columns = columns;
	vt->rows = rows;
	vterm_set_size(vt->term, (int)rows, (int)columns);
	mem_free(vt->before);
	vt->before = NULL;
}

struct vt_modes vt_modes(const struct vt *vt)
{
	return vt->modes;
}

/* Keys. */

static const struct key {
	uint32_t code;
	VTermKey key;
	VTermModifier modifier;
} keys[] = {
	{'\t', VTERM_KEY_TAB, VTERM_MOD_NONE},
	{TERM_BTAB, VTERM_KEY_TAB, VTERM_MOD_SHIFT},
	{'\r', VTERM_KEY_ENTER, VTERM_MOD_NONE},
	{TERM_BACKSPACE, VTERM_KEY_BACKSPACE, VTERM_MOD_NONE},
	{TERM_DELETE, VTERM_KEY_DEL, VTERM_MOD_NONE},
	{TERM_UP, VTERM_KEY_UP, VTERM_MOD_NONE},
	{TERM_DOWN, VTERM_KEY_DOWN, VTERM_MOD_NONE},
	{TERM_LEFT, VTERM_KEY_LEFT, VTERM_MOD_NONE},
	{TERM_RIGHT, VTERM_KEY_RIGHT, VTERM_MOD_NONE},
	{TERM_PGUP, VTERM_KEY_PAGEUP, VTERM_MOD_NONE},
	{TERM_PGDN, VTERM_KEY_PAGEDOWN, VTERM_MOD_NONE},
	{TERM_HOME, VTERM_KEY_HOME, VTERM_MOD_NONE},
	{TERM_END, VTERM_KEY_END, VTERM_MOD_NONE},
};

static void press(struct vt *vt, VTermKey key, VTermModifier modifier, struct buf *out)
{
	vt->sent = out;
	vterm_keyboard_key(vt->term, key, modifier);
	vt->sent = NULL;
}

/* As a terminal reports it when it was asked to by ESC [ ? 1000 h and 1006 h. */
static void press_mouse(const struct term_event *event, struct buf *out)
{
	static const struct {
		unsigned button, times;
		bool comes_up;
	} kinds[] = {[MOUSE_CLICK] = {0, 1, true},
		[MOUSE_DOUBLE] = {0, 2, true},
		[MOUSE_WHEEL_UP] = {64, 1, false},
		[MOUSE_WHEEL_DOWN] = {65, 1, false}};
	unsigned column = event->column + 1, row = event->row + 1;

	for (unsigned k = 0; k < kinds[event->mouse].times; k++) {
		buf_printf(
			out, "\033[<%u;%u;%uM", kinds[event->mouse].button, column, row);
		if (kinds[event->mouse].comes_up)
			buf_printf(out, "\033[<0;%u;%um", column, row);
	}
}

void vt_key(struct vt *vt, const struct term_event *event, struct buf *out)
{
	if (event->type == TERM_MOUSE) {
		press_mouse(event, out);
		return;
	}
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (event->key == keys[i].code) {
			press(vt, keys[i].key, keys[i].modifier, out);
			return;
		}
	if (event->key >= TERM_F1 && event->key <= TERM_F12)
		press(vt, (VTermKey)VTERM_KEY_FUNCTION(event->key - TERM_F1 + 1),
			VTERM_MOD_NONE, out);
	else
		buf_utf8(out, event->key);
}

/* Text. */

static VTermScreenCell cell_at(const struct vt *vt, unsigned row, unsigned column)
{
	VTermScreenCell cell = {0};
	VTermPos at = {.row = (int)row, .col = (int)column};

	vterm_screen_get_cell(vt->screen, at, &cell);
	return cell;
}

/* libvterm's mark for the right half of a wide character. */
static bool is_right_half(const VTermScreenCell *cell)
{
	return cell->chars[0] == (uint32_t)-1;
}

static bool is_blank(const VTermScreenCell *cell)
{
	if (cell->chars[0] == ' ')
		return cell->chars[1] == 0;
	return cell->chars[0] == 0 || is_right_half(cell);
}

static void print_cell(const VTermScreenCell *cell, struct buf *out)
{
	if (is_blank(cell)) {
		buf_byte(out, ' ');
		return;
	}
	for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && cell->chars[i]; i++)
		buf_utf8(out, cell->chars[i]);
}

/* A right half is passed over with its left half; one that lost it is a blank. */
static void print_row_text(
	const VTermScreenCell *cells, unsigned columns, struct buf *out)
{
	for (unsigned i = 0; i < columns; i += cells[i].width == 2 ? 2 : 1)
		print_cell(&cells[i], out);
}

static void read_row(const struct vt *vt, unsigned row, VTermScreenCell *cells)
{
	for (unsigned i = 0; i < vt->columns; i++)
		cells[i] = cell_at(vt, row, i);
}

bool vt_shows(const struct vt *vt, struct rect area, struct str text)
{
	VTermScreenCell *cells = mem_zalloc(vt->columns, sizeof(*cells));
	struct buf row = BUF_INIT;
	bool found = false;

	for (unsigned i = 0; i < area.rows && !found; i++) {
		buf_clear(&row);
		read_row(vt, area.row + i, cells);
		print_row_text(cells + area.column, area.columns, &row);
		found = !text.n || (row.len && memmem(row.data, row.len, text.p, text.n));
	}
	buf_done(&row);
	mem_free(cells);
	return found;
}

/* Styles. */

static bool is_lined(const VTermScreenCell *cell)
{
	return cell->attrs.reverse || cell->attrs.underline || cell->attrs.strike;
}

/* Of such a cell only the background can be seen. */
static bool is_bare(const VTermScreenCell *cell)
{
	return is_blank(cell) && !is_right_half(cell) && !is_lined(cell);
}

static void drop_unseen(const struct vt *vt, VTermScreenCell *cell)
{
	VTermColor fg, bg;

	if (!is_bare(cell))
		return;
	vterm_state_get_default_colors(vterm_obtain_state(vt->term), &fg, &bg);
	cell->fg = fg;
	cell->attrs = (VTermScreenCellAttrs){0};
}

static bool is_plain(const VTermScreenCell *cell)
{
	return VTERM_COLOR_IS_DEFAULT_FG(&cell->fg) && !cell->attrs.bold &&
	       !cell->attrs.italic && !cell->attrs.blink && !cell->attrs.font;
}

static void copy_style(VTermScreenCell *cell, const VTermScreenCell *from)
{
	cell->fg = from->fg;
	cell->bg = from->bg;
	cell->attrs = from->attrs;
}

/* Gives a bare, coloured cell the style of a neighbour with which it would look the same.
 */
static void take_style(VTermScreenCell *cell, const VTermScreenCell *from)
{
	if (!is_bare(cell) || !is_plain(cell) || VTERM_COLOR_IS_DEFAULT_BG(&cell->bg))
		return;
	if (is_lined(from) || !vterm_color_is_equal(&cell->bg, &from->bg))
		return;
	copy_style(cell, from);
}

static void normalise_row(const struct vt *vt, VTermScreenCell *cells)
{
	for (unsigned i = 0; i < vt->columns; i++)
		drop_unseen(vt, &cells[i]);
	for (unsigned i = 1; i < vt->columns; i++)
		if (cells[i - 1].width == 2)
			copy_style(&cells[i], &cells[i - 1]);
	for (unsigned i = 1; i < vt->columns; i++)
		take_style(&cells[i], &cells[i - 1]);
	for (unsigned i = vt->columns; i-- > 1;)
		take_style(&cells[i - 1], &cells[i]);
}

static void print_color(struct buf *out, const char *name, const VTermColor *color)
{
	if (VTERM_COLOR_IS_INDEXED(color))
		buf_printf(out, " %s=%u", name, color->indexed.idx);
	else
		buf_printf(out, " %s=#%02x%02x%02x", name, color->rgb.red,
			color->rgb.green, color->rgb.blue);
}

static const char *underline_name(unsigned underline)
{
	static const char *const names[] = {
		"", " underline", " double-underline", " curly-underline"};

	return names[underline & 3];
}

/* " fg=2 bold"; nothing for the default style. */
static void print_style(const VTermScreenCell *cell, struct buf *out)
{
	if (!VTERM_COLOR_IS_DEFAULT_FG(&cell->fg))
		print_color(out, "fg", &cell->fg);
	if (!VTERM_COLOR_IS_DEFAULT_BG(&cell->bg))
		print_color(out, "bg", &cell->bg);
	buf_text(out, cell->attrs.bold ? " bold" : "");
	buf_text(out, underline_name(cell->attrs.underline));
	buf_text(out, cell->attrs.italic ? " italic" : "");
	buf_text(out, cell->attrs.blink ? " blink" : "");
	buf_text(out, cell->attrs.reverse ? " reverse" : "");
	buf_text(out, cell->attrs.strike ? " strike" : "");
	if (cell->attrs.font)
		buf_printf(out, " font=%u", cell->attrs.font);
}

/* a to z, A to Z, 0 to 9, then letters of Latin Extended: enough for any screen. */
static void print_letter(uint32_t number, struct buf *out)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

	if (number < sizeof(letters) - 1)
		buf_byte(out, letters[number]);
	else
		buf_utf8(out, 0x100 + number - (uint32_t)(sizeof(letters) - 1));
}

/* Returns whether the row has any style; new ones get the next letter. */
static bool print_row_styles(const VTermScreenCell *cells, unsigned columns,
	struct intern *styles, struct buf *out)
{
	struct buf style = BUF_INIT;
	bool any = false;

	for (unsigned i = 0; i < columns; i++) {
		buf_clear(&style);
		print_style(&cells[i], &style);
		if (style.len)
			print_letter(intern_add(styles, buf_view(&style)), out);
		else
			buf_byte(out, '.');
		any = any || style.len;
	}
	buf_done(&style);
	return any;
}

static void print_legend(const struct intern *styles, struct buf *out)
{
	if (styles->count)
		buf_text(out, "legend\n");
	for (uint32_t i = 0; i < styles->count; i++) {
		print_letter(i, out);
		buf_str(out, intern_get(styles, i));
		buf_byte(out, '\n');
	}
}

/* Where a hidden cursor is, nobody sees. */
static void print_head(const struct vt *vt, struct rect area, struct buf *out)
{
	VTermPos at;

	buf_printf(out, "%ux%u, cursor ", area.columns, area.rows);
	vterm_state_get_cursorpos(vterm_obtain_state(vt->term), &at);
	if (vt->modes.cursor_visible)
		buf_printf(out, "in column %d of row %d\n", at.col + 1, at.row + 1);
	else
		buf_text(out, "hidden\n");
}

static void print_row(const struct vt *vt, struct rect area, unsigned row,
	VTermScreenCell *cells, struct intern *styles, struct buf *text,
	struct buf *block)
{
	struct buf letters = BUF_INIT;

	read_row(vt, row, cells);
	buf_printf(text, "%3u│", row + 1);
	print_row_text(cells + area.column, area.columns, text);
	buf_text(text, "│\n");
	normalise_row(vt, cells);
	if (print_row_styles(cells + area.column, area.columns, styles, &letters))
		buf_printf(block, "%3u│%s│\n", row + 1, letters.data);
	buf_done(&letters);
}

void vt_print(const struct vt *vt, struct rect area, struct buf *out)
{
	VTermScreenCell *cells = mem_zalloc(vt->columns, sizeof(*cells));
	struct intern styles = {0};
	struct buf block = BUF_INIT;

	print_head(vt, area, out);
	for (unsigned i = 0; i < area.rows; i++)
		print_row(vt, area, area.row + i, cells, &styles, out, &block);
	if (block.len)
		buf_text(out, "styles\n");
	buf_str(out, buf_view(&block));
	print_legend(&styles, out);
	buf_done(&block);
	intern_done(&styles);
	mem_free(cells);
}

/* Changes. */

static bool same_text(const VTermScreenCell *a, const VTermScreenCell *b)
{
	if (is_blank(a) && is_blank(b))
		return is_right_half(a) == is_right_half(b);
	return memcmp(a->chars, b->chars, sizeof(a->chars)) == 0;
}

static bool same_cell(const VTermScreenCell *a, const VTermScreenCell *b)
{
	return same_text(a, b) && vterm_color_is_equal(&a->fg, &b->fg) &&
	       vterm_color_is_equal(&a->bg, &b->bg) && a->attrs.bold == b->attrs.bold &&
	       a->attrs.underline == b->attrs.underline &&
	       a->attrs.italic == b->attrs.italic && a->attrs.blink == b->attrs.blink &&
	       a->attrs.reverse == b->attrs.reverse &&
	       a->attrs.strike == b->attrs.strike && a->attrs.font == b->attrs.font;
}

static VTermScreenCell *blank_cells(const struct vt *vt)
{
	size_t n = (size_t)vt->columns * vt->rows;
	VTermScreenCell *cells = mem_zalloc(n, sizeof(*cells));
	VTermColor fg, bg;

	vterm_state_get_default_colors(vterm_obtain_state(vt->term), &fg, &bg);
	for (size_t i = 0; i < n; i++) {
		cells[i].fg = fg;
		cells[i].bg = bg;
	}
	return cells;
}

size_t vt_changes(struct vt *vt)
{
	VTermScreenCell *row = mem_zalloc(vt->columns, sizeof(*row)), *before;
	size_t changes = 0;

	if (!vt->before)
		vt->before = blank_cells(vt);
	for (unsigned i = 0; i < vt->rows; i++) {
		before = vt->before + (size_t)i * vt->columns;
		read_row(vt, i, row);
		for (unsigned k = 0; k < vt->columns; k++) {
			drop_unseen(vt, &row[k]);
			changes += !same_cell(&row[k], &before[k]);
			before[k] = row[k];
		}
	}
	mem_free(row);
	return changes;
}
