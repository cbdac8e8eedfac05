/*
 * Scrolling by the terminal: see curses.h.  curses looks for lines that are found again
 * as a whole; here a part of them is enough, so that a list that moves by a row beside a
 * text that changes is not sent anew: curses is first shown a page on which nothing but
 * whole lines moved.
 *
 * Rows of what is shown (curscr) and of what will be (newscr) are known by a hash of each
 * eight cells.  For each way to move some rows by a few, the gain is what need not be
 * sent; the best is done when it is worth its bytes.
 */
#include "config.h"
#include "term/curses.h"

#include "base/mem.h"

#define CHUNK      8      /* cells of one hash */
#define ROWS_MOST  24     /* that are moved up or down at once */
#define CELLS_MOST 100000 /* of a screen that is looked at */
#define SCROLLING  40     /* a gain of less is not worth the bytes, nor the flicker */
#define CHANCE     5      /* a smaller part of all may be what only looks alike */

struct chunk {
	uint32_t hash;
	int cost; /* to send it: its cells that are not blank, and a bit */
};

struct pages {
	size_t rows, chunks; /* in each row */
	struct chunk *old, *new;
	cchar_t *cells; /* of one row */
	int *still;     /* by row: what to send when nothing moves */
};

/* The rows first to last, counted after it, by `up` rows. */
struct scroll {
	int up, first, last, gain;
};

static struct chunk chunk_of(const cchar_t *cells, size_t n)
{
	struct chunk c = {.hash = 2166136261u};
	cchar_t blank = {0};

	setcchar(&blank, L" ", A_NORMAL, 0, NULL);
	for (size_t i = 0; i < n; i++) {
		c.hash = (c.hash ^ (uint32_t)cells[i].attr) * 16777619u;
		for (size_t k = 0; k < CCHARW_MAX && cells[i].chars[k]; k++)
			c.hash = (c.hash ^ (uint32_t)cells[i].chars[k]) * 16777619u;
		c.hash ^= c.hash >> 15;
		c.cost += cells[i].chars[0] != L' ' || cells[i].attr != blank.attr;
	}
	c.cost += c.cost > 0;
	return c;
}

static void read_page(struct pages *p, WINDOW *page, struct chunk *chunks)
{
	int y, x;

	getyx(page, y, x);
	for (size_t row = 0; row < p->rows; row++) {
		memset(p->cells, 0, (size_t)COLS * sizeof(*p->cells));
		mvwin_wchnstr(page, (int)row, 0, p->cells, COLS);
		for (size_t i = 0; i < p->chunks; i++) {
			size_t at = i * CHUNK, left = (size_t)COLS - at;

			chunks[row * p->chunks + i] =
				chunk_of(p->cells + at, left < CHUNK ? left : CHUNK);
		}
	}
	wmove(page, y, x);
}

/* What to send for a row that shows what `old` did; NULL: nothing. */
static int row_cost(const struct pages *p, size_t row, const struct chunk *old)
{
	const struct chunk *new = p->new + row * p->chunks;
	int cost = 0;

	for (size_t i = 0; i < p->chunks; i++)
		if (!old)
			cost += new[i].cost;
		else if (old[i].hash != new[i].hash)
			cost += new[i].cost + 1;
	return cost;
}

static const struct chunk *old_row(const struct pages *p, int row)
{
	return p->old + (size_t)row * p->chunks;
}

/* Adds the rows that come in blank, at the bottom or at the top. */
static void add_blank_rows(const struct pages *p, struct scroll *s)
{
	int first = s->up > 0 ? s->last + 1 : s->first + s->up;
	int count = s->up > 0 ? s->up : -s->up;

	for (int i = first; i < first + count; i++)
		s->gain += p->still[i] - row_cost(p, (size_t)i, NULL);
	if (s->up > 0)
		s->last += count;
	else
		s->first -= count;
}

/* The rows for which moving up by so many (down, when negative) gains most. */
static struct scroll best_rows(const struct pages *p, int up)
{
	struct scroll best = {.up = up}, s = best;
	int rows = (int)p->rows, from = up < 0 ? -up : 0, to = up > 0 ? rows - up : rows;

	s.first = from;
	for (int row = from; row < to; row++) {
		s.last = row;
		s.gain += p->still[row] - row_cost(p, (size_t)row, old_row(p, row + up));
		if (s.gain > best.gain)
			best = s;
		if (s.gain <= 0)
			s = (struct scroll){.up = up, .first = row + 1};
	}
	if (best.gain > SCROLLING)
		add_blank_rows(p, &best);
	return best;
}

static struct scroll best_scroll(const struct pages *p)
{
	struct scroll best = {0};
	int most = LINES - 1 < ROWS_MOST ? LINES - 1 : ROWS_MOST;

	for (int n = 1; n <= most; n++) {
		struct scroll up = best_rows(p, n), down = best_rows(p, -n);

		if (up.gain > best.gain)
			best = up;
		if (down.gain > best.gain)
			best = down;
	}
	return best;
}

/* Shows the same rows where they will be, with what comes in beside them. */
static void move_rows(const struct scroll *s)
{
	int from = s->up > 0 ? s->first : s->first - s->up;
	int to = s->up > 0 ? s->last - s->up : s->last;

	for (int row = 0; row < LINES; row++) {
		bool moves = row >= from && row <= to;

		if (moves || row < s->first || row > s->last)
			copywin(curscr, newscr, moves ? row + s->up : row, 0, row, 0, row,
				COLS - 1, FALSE);
	}
}

static bool find_and_scroll(struct pages *p)
{
	struct scroll best;
	int all = 0;

	read_page(p, curscr, p->old);
	read_page(p, newscr, p->new);
	for (size_t i = 0; i < p->rows; i++)
		all += p->still[i] = row_cost(p, i, old_row(p, (int)i));
	if (all <= SCROLLING)
		return false;
	best = best_scroll(p);
	if (best.gain <= SCROLLING || best.gain < all / CHANCE)
		return false;
	move_rows(&best);
	return true;
}

bool scroll_page(void)
{
	size_t columns = (size_t)COLS, rows = (size_t)LINES;
	struct pages p = {.rows = rows, .chunks = (columns + CHUNK - 1) / CHUNK};
	bool found;

	if (is_cleared(curscr) || is_cleared(newscr) || rows * columns > CELLS_MOST)
		return false;
	p.old = mem_array(rows * p.chunks, sizeof(*p.old));
	p.new = mem_array(rows * p.chunks, sizeof(*p.new));
	p.cells = mem_array(columns + 1, sizeof(*p.cells));
	p.still = mem_array(rows, sizeof(*p.still));
	found = find_and_scroll(&p);
	mem_free(p.old);
	mem_free(p.new);
	mem_free(p.cells);
	mem_free(p.still);
	return found;
}
