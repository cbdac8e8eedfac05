/* The terminal that was opened answers: see term.h and backend.h. */
#include "config.h"
#include "term/term.h"

#include <stdlib.h>
#include <string.h>

#include "term/backend.h"
#include "term/headless.h"
#include "text/safe.h"

#define NOTICE_MOST   80     /* cells of a notice */
#define VTE_LINKS     5000   /* 0.50 */
#define KONSOLE_LINKS 201200 /* 20.12 */

static const struct term_ops *ops; /* NULL: closed */
static bool colorless;

bool term_open(struct err *err)
{
	if (!ops)
		ops = curses_open(err);
	return ops;
}

bool term_stands_in(void)
{
	return term_is_present() && curses_stands_in();
}

void term_open_headless(const struct headless *options)
{
	term_close();
	headless_begin(options);
	ops = &headless_ops;
}

void term_close(void)
{
	if (!ops)
		return;
	ops->close();
	ops = NULL;
	draw_end();
}

bool term_is_present(void)
{
	return ops && ops != &headless_ops;
}

void term_size(unsigned *columns, unsigned *rows)
{
	*columns = *rows = 1;
	if (ops)
		ops->size(columns, rows);
}

void term_wait(int timeout_ms, int watch, struct term_event *event)
{
	*event = (struct term_event){.type = TERM_HANGUP};
	if (ops)
		ops->wait(timeout_ms, watch, event);
}

bool term_pending(void)
{
	return ops && ops->pending();
}

void term_erase(void)
{
	if (ops)
		ops->erase();
}

void term_put(unsigned row, unsigned column, const struct term_cell *cells, size_t count)
{
	if (ops)
		ops->put(row, column, cells, count);
}

void term_read_row(unsigned row, unsigned column, unsigned width, struct buf *out)
{
	size_t before = out->len;

	if (ops)
		ops->read(row, column, width, out);
	while (out->len > before && out->data[out->len - 1] == ' ')
		out->len--;
}

void term_flush(void)
{
	if (ops)
		ops->flush();
}

void term_repaint(void)
{
	if (ops)
		ops->repaint();
}

void term_send(struct str bytes)
{
	if (ops)
		ops->send(bytes);
}

void term_ring(void)
{
	term_send(STR("\a"));
}

/* tmux passes on what is wrapped, with each escape twice. */
void term_notice(struct str text)
{
	const char *tmux = getenv("TMUX");
	AUTO_BUF sequence = BUF_INIT;

	buf_text(&sequence, tmux && *tmux ? "\033Ptmux;\033\033]9;" : "\033]9;");
	safe_fit(&sequence, text, NOTICE_MOST);
	buf_text(&sequence, tmux && *tmux ? "\a\033\\" : "\a");
	term_send(buf_view(&sequence));
}

void term_suspend(void)
{
	if (ops)
		ops->suspend();
}

bool term_mouse(bool on)
{
	return ops && ops->mouse(on);
}

void term_links(bool on, struct str folder)
{
	if (ops && ops->links)
		ops->links(on, folder);
}

int term_colors(void)
{
	return ops ? ops->colors() : 0;
}

void term_sync(void)
{
	if (ops)
		ops->sync();
}

void term_no_color(void)
{
	colorless = true;
}

bool term_is_colorless(void)
{
	return colorless;
}

void term_ask_background(void)
{
	if (ops && ops->ask_background)
		ops->ask_background();
}

void term_set_theme(const struct theme *theme)
{
	theme_set(theme);
	if (ops && ops->recolor)
		ops->recolor();
}

/* ---- what it is known to do ---- */

/* Whether a variable begins with one of the names, of which NULL is the last. */
static bool is_named(const char *variable, const char *const names[])
{
	const char *value = getenv(variable);

	for (size_t i = 0; value && names[i]; i++)
		if (!strncmp(value, names[i], strlen(names[i])))
			return true;
	return false;
}

static bool is_from(const char *variable, long version)
{
	const char *value = getenv(variable);

	return value && strtol(value, NULL, 10) >= version;
}

bool term_shift_selects(void)
{
	static const char *const types[] = {"xterm", "tmux", "screen", "rxvt",
		"alacritty", "foot", "kitty", "wezterm", "vte", "gnome", "konsole", "st-",
		"ghostty", "contour", "mintty", NULL};
	static const char *const others[] = {"Apple_Terminal", "iTerm.app", NULL};

	return is_named("TERM", types) && !is_named("TERM_PROGRAM", others);
}

bool term_draws_at_once(void)
{
	static const char *const types[] = {"xterm-kitty", "xterm-ghostty", "alacritty",
		"foot", "contour", "wezterm", "mintty", NULL};
	static const char *const programs[] = {
		"WezTerm", "iTerm.app", "ghostty", "vscode", "mintty", "contour", NULL};

	return is_named("TERM", types) || is_named("TERM_PROGRAM", programs) ||
	       getenv("WT_SESSION"); /* Windows Terminal */
}

/* A multiplexer inherits the variables of the terminal around it. */
bool term_knows_links(void)
{
	static const char *const multiplexers[] = {"tmux", "screen", NULL};
	static const char *const linking[] = {
		"3.4", "3.5", "3.6", "3.7", "3.8", "3.9", "4", NULL};

	if (is_named("TERM", multiplexers))
		return is_named("TERM_PROGRAM", multiplexers) &&
		       is_named("TERM_PROGRAM_VERSION", linking);
	return term_draws_at_once() || is_from("VTE_VERSION", VTE_LINKS) ||
	       is_from("KONSOLE_VERSION", KONSOLE_LINKS);
}
