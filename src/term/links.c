/* Names of files as links: see curses.h. */
#include "config.h"
#include "term/curses.h"

#include <ctype.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wctype.h>

#include "base/file.h"
#include "base/mem.h"

#define LOOKED_AT_MOST 400  /* names on a page */
#define NAME_MOST      4096 /* bytes */

struct link {
	unsigned row, column, width;
	uint64_t look; /* of its cells: those that ncurses wrote again lost their link */
	size_t address, length; /* in the addresses of its page */
};

struct linked_page {
	struct link *links;
	size_t count, cap;
	struct buf addresses;
	uint64_t *rows; /* hashes of their cells */
	size_t row_count, row_cap;
};

static struct {
	bool on;
	struct buf folder;
	struct linked_page shown, found;
	unsigned looked_at;
} own;

void links_set(bool on, struct str folder)
{
	own.on = on;
	buf_set(&own.folder, folder);
}

bool links_are_on(void)
{
	return own.on;
}

static void clear_page(struct linked_page *page)
{
	page->count = 0;
	buf_clear(&page->addresses);
}

void links_forget(void)
{
	clear_page(&own.shown);
}

static void end_page(struct linked_page *page)
{
	mem_free(page->links);
	mem_free(page->rows);
	buf_done(&page->addresses);
	*page = (struct linked_page){0};
}

void links_end(void)
{
	end_page(&own.shown);
	end_page(&own.found);
	buf_done(&own.folder);
	own.on = false;
}

/* ---- which file a name means ---- */

static bool is_below(struct str path, struct str folder)
{
	return folder.n > 1 && str_starts(path, folder) && path.p[folder.n] == '/';
}

/* Appends the path of a name, as a NUL-terminated text; false when there is no file that
 * may be looked at. */
static bool find_file(struct str name, struct buf *path)
{
	AUTO_BUF home = BUF_INIT;
	char current[NAME_MOST];
	struct stat st;

	if (!getcwd(current, sizeof(current)))
		return false;
	if (home_is_place(name)) {
		if (!home_expand(name, path))
			return false;
	} else {
		buf_str(path, own.folder.len ? buf_view(&own.folder) : str_of(current));
		buf_byte(path, '/');
		buf_str(path, name);
	}
	home_expand(STR("~/"), &home);
	home.len -= home.len ? 1 : 0;
	return !strstr(path->data, "..") &&
	       (is_below(buf_view(path), buf_view(&home)) ||
		       is_below(buf_view(path), str_of(current))) &&
	       stat(path->data, &st) == 0 && (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode));
}

/* ---- names on the page ---- */

/* A word of the page, from its first cell to the one after its last. */
struct page_word {
	unsigned row, column, end;
	struct buf text;
	uint64_t look;
};

static uint64_t add_to_hash(uint64_t hash, const struct curses_cell *c)
{
	return (hash ^ ((uint64_t)c->attr << 24 ^ (uint64_t)c->pair << 20 ^
			       (uint64_t)*c->text)) *
	       0x100000001B3; /* FNV-1a */
}

/* `cut`: by the edge of a pane, a box drawing: it may be the beginning of another name.
 */
static void end_word(struct page_word *w, bool cut)
{
	struct linked_page *page = &own.found;
	AUTO_BUF path = BUF_INIT;
	size_t before = page->addresses.len;
	const char *dot, *c;
	char host[256];

	while (w->text.len && w->text.data[w->text.len - 1] == '.') {
		w->text.len--;
		w->end--;
	}
	dot = w->text.len ? memchr(w->text.data, '.', w->text.len) : NULL;
	if (!cut && own.looked_at < LOOKED_AT_MOST && w->text.len > 2 &&
		w->text.len < NAME_MOST &&
		(memchr(w->text.data, '/', w->text.len) || (dot && dot > w->text.data))) {
		own.looked_at++;
		if (find_file(buf_view(&w->text), &path)) {
			if (gethostname(host, sizeof(host)) != 0)
				*host = '\0';
			host[sizeof(host) - 1] = '\0';
			for (c = host;
				isalnum((unsigned char)*c) || *c == '-' || *c == '.';)
				c++;
			buf_text(&page->addresses, "file://");
			buf_add(&page->addresses, host, (size_t)(c - host));
			buf_percent(&page->addresses, buf_view(&path), "/._-~");
			*(struct link *)MEM_ADD(page->links, page->count, page->cap) =
				(struct link){w->row, w->column, w->end - w->column,
					w->look, before, page->addresses.len - before};
		}
	}
	buf_clear(&w->text);
}

static void find_in_row(unsigned row, struct page_word *w)
{
	struct curses_cell cell;
	const wchar_t *text = cell.text;
	uint64_t hash = 0;

	for (unsigned at = 0; at < (unsigned)COLS; at++) {
		if (!curses_cell(row, at, &cell))
			continue;
		hash = add_to_hash(hash, &cell);
		/* names with blanks are not found */
		if (!iswalnum((wint_t)*text) && !wcschr(L"/._-+~@%", *text)) {
			end_word(w, *text == L'|' || (*text >= 0x2500 && *text < 0x2580));
			continue;
		}
		if (!w->text.len)
			*w = (struct page_word){row, at, at, w->text, 0};
		w->end = at + 1;
		w->look = add_to_hash(w->look, &cell);
		for (const wchar_t *c = text; *c; c++)
			buf_utf8(&w->text, (unsigned)*c);
	}
	end_word(w, true);
	own.found.rows[row] = hash;
}

/* Whether a row may be where ncurses lets the terminal scroll it to. */
static bool may_scroll(const struct linked_page *from, const struct linked_page *to)
{
	if (from->row_count != to->row_count)
		return true;
	for (size_t i = 0; i < to->row_count; i++)
		for (size_t j = 0; j < to->row_count && to->rows[i] != from->rows[i]; j++)
			if (to->rows[i] == from->rows[j])
				return true;
	return false;
}

bool links_find(void)
{
	struct page_word word = {.text = BUF_INIT};
	struct linked_page *page = &own.found;

	clear_page(page);
	own.looked_at = 0;
	page->row_count = own.on ? (size_t)LINES : 0;
	MEM_ROOM(page->rows, page->row_cap, page->row_count);
	for (size_t row = 0; row < page->row_count; row++)
		find_in_row((unsigned)row, &word);
	buf_done(&word.text);
	/* Links scroll with their rows, of which ncurses does not tell; so it writes rows
	 * with links again where it may scroll. */
	if (own.shown.count && may_scroll(&own.shown, page)) {
		for (size_t i = 0; i < own.shown.count; i++)
			wredrawln(stdscr, (int)own.shown.links[i].row, 1);
		links_forget();
	}
	return own.found.count || own.shown.count;
}

/* ---- on the terminal ---- */

static struct buf *attributes; /* where vid_puts writes */

static int put_attribute(int byte)
{
	buf_byte(attributes, (char)byte);
	return byte;
}

/* The cells of a link as they are on the page. */
static void put_cells(const struct link *l, struct buf *out)
{
	struct curses_cell cell;

	attributes = out;
	buf_printf(out, "\033[%u;%uH", l->row + 1, l->column + 1);
	for (unsigned at = l->column; at < l->column + l->width; at++) {
		if (!curses_cell(l->row, at, &cell))
			continue;
		vid_puts(cell.attr, cell.pair, NULL, put_attribute);
		for (const wchar_t *c = cell.text; *c; c++)
			buf_utf8(out, (unsigned)*c);
	}
}

static struct str address_of(const struct linked_page *page, const struct link *l)
{
	return (struct str){page->addresses.data + l->address, l->length};
}

static bool is_on(
	const struct linked_page *page, const struct link *l, struct str address)
{
	for (size_t i = 0; i < page->count; i++) {
		const struct link *x = &page->links[i];

		if (x->row == l->row && x->column == l->column && x->width == l->width &&
			x->look == l->look && str_equal(address_of(page, x), address))
			return true;
	}
	return false;
}

void links_put(struct buf *out)
{
	struct linked_page before = own.shown;

	for (size_t i = 0; i < own.shown.count; i++) {
		const struct link *l = &own.shown.links[i];

		if (!is_on(&own.found, l, address_of(&own.shown, l)))
			put_cells(l, out);
	}
	for (size_t i = 0; i < own.found.count; i++) {
		const struct link *l = &own.found.links[i];
		struct str address = address_of(&own.found, l);

		if (is_on(&own.shown, l, address))
			continue;
		buf_printf(out, "\033]8;;%.*s\033\\", (int)address.n, address.p);
		put_cells(l, out);
		buf_text(out, LINK_ENDS);
	}
	attributes = out;
	vid_puts(A_NORMAL, 0, NULL, put_attribute);
	own.shown = own.found;
	own.found = before;
}
