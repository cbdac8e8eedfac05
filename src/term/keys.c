/*
 * What is typed: see curses.h; and what terminals send beside keys, the mouse and whether
 * they are dark or light: see backend.h.
 *
 * Keys are read from a pad, because reading from a window refreshes it, and byte by byte,
 * because get_wch forgets a character whose bytes arrive apart.  All that is typed goes
 * into a queue at once: no key stays in ncurses, where poll() could not see it.
 * Input is raw: Ctrl-C and Ctrl-Z are keys.
 */
#include "config.h"
#include "term/curses.h"

#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "base/mem.h"
#include "base/work.h"
#include "term/backend.h"

#define QUEUE_MAX 64 /* keys read ahead */
#define SYNC_CODE                                                                        \
	07000 /* these are above every code that ncurses gives to extended keys */
#define MOUSE_CODE 07001 /* the head of a report, which follows as keys */
#define OLD_MOUSE_CODE                                                                   \
	07002 /* a report of three bytes, in a protocol that was not asked for */
#define MOUSE_HEAD 0x1100FE
#define ESCAPE     0x1B

/* ---- the mouse ---- */

#define DOUBLE      400000 /* microseconds between the clicks of a double one */
#define LONGEST     32     /* a report has three numbers */
#define NUMBER_MOST 100000

/* Of the first number, beside the button in its two lowest bits. */
enum { SHIFT = 4, META = 8, CONTROL = 16, WHEEL = 64 };

static struct {
	unsigned column, row;
	uint64_t at; /* microseconds; 0: none, or it was the second of two */
} clicked;

unsigned mouse_length(const uint32_t *keys, unsigned count)
{
	unsigned i = 0;

	while (i < count && i < LONGEST &&
		((keys[i] >= '0' && keys[i] <= '9') || keys[i] == ';'))
		i++;
	if (i == count && i < LONGEST)
		return 0;
	return i < count && (keys[i] == 'M' || keys[i] == 'm') ? i + 1 : i ? i : 1;
}

/* False: there is none, or it is too large. */
static bool next_number(const uint32_t **keys, const uint32_t *end, unsigned *n)
{
	const uint32_t *p = *keys;

	for (*n = 0; p < end && *p >= '0' && *p <= '9' && *n < NUMBER_MOST; p++)
		*n = 10 * *n + (*p - '0');
	if (p == *keys || p == end || *n >= NUMBER_MOST)
		return false;
	*keys = p + 1; /* what ends it */
	return true;
}

bool mouse_event(
	const uint32_t *keys, unsigned count, uint64_t now, struct term_event *event)
{
	const uint32_t *end = keys + count;
	unsigned button, column, row;
	bool twice;

	if (!next_number(&keys, end, &button) || !next_number(&keys, end, &column) ||
		!next_number(&keys, end, &row) || keys != end || !column || !row ||
		end[-1] != 'M')
		return false;
	button &= ~(unsigned)(SHIFT | META | CONTROL);
	if (button != 0 && button != WHEEL && button != WHEEL + 1)
		return false;
	*event = (struct term_event){
		.type = TERM_MOUSE, .column = column - 1, .row = row - 1};
	if (button & WHEEL) {
		event->mouse = button & 1 ? MOUSE_WHEEL_DOWN : MOUSE_WHEEL_UP;
		return true;
	}
	twice = clicked.at && now - clicked.at < DOUBLE && clicked.column == column &&
		clicked.row == row;
	event->mouse = twice ? MOUSE_DOUBLE : MOUSE_CLICK;
	clicked.column = column;
	clicked.row = row;
	clicked.at = twice ? 0 : now;
	return true;
}

/* ---- the background ---- */

#define BELL 0x07

enum background background_of_variable(const char *value)
{
	const char *last = value ? strrchr(value, ';') : NULL;
	int color;

	if (!last || !color_read(str_of(last + 1), &color) || color < 0 || color > 15)
		return BACKGROUND_UNKNOWN;
	return color == 7 || color > 8 ? BACKGROUND_LIGHT : BACKGROUND_DARK;
}

/* ---- answers ---- */

static int hex_digit(uint32_t key)
{
	if (key >= '0' && key <= '9')
		return (int)(key - '0');
	if (key >= 'a' && key <= 'f')
		return (int)(key - 'a') + 10;
	return key >= 'A' && key <= 'F' ? (int)(key - 'A') + 10 : -1;
}

static bool begins(const uint32_t *keys, unsigned count, const char *text)
{
	for (unsigned i = 0; text[i]; i++)
		if (i >= count || keys[i] != (unsigned char)text[i])
			return false;
	return true;
}

/* "rgb:RR/GG/BB", or "rgba:" with one more */
static enum background read_color(const uint32_t *keys, unsigned count)
{
	unsigned at = begins(keys, count, "rgb:") ? 4 : 5;
	uint32_t mixture = 0;

	if (at == 5 && !begins(keys, count, "rgba:"))
		return BACKGROUND_UNKNOWN;
	for (int i = 0; i < 3; i++) {
		unsigned value = 0, most = 0; /* a part has one to four digits */

		for (; at < count && hex_digit(keys[at]) >= 0; at++) {
			if (most == 0xFFFF)
				return BACKGROUND_UNKNOWN;
			value = value * 16 + (unsigned)hex_digit(keys[at]);
			most = most * 16 + 15;
		}
		at += at < count && keys[at] == '/';
		if (!most)
			return BACKGROUND_UNKNOWN;
		mixture = mixture << 8 | value * 255 / most;
	}
	return color_contrast(mixture, 0xFFFFFF) > color_contrast(mixture, 0)
		       ? BACKGROUND_DARK
		       : BACKGROUND_LIGHT;
}

static const char color_head[] = "\033]11;";

/* ESC ] 1 1 ; a color, and BEL or ESC \ */
static unsigned color_reply(
	const uint32_t *keys, unsigned count, struct background_reply *reply)
{
	unsigned head = sizeof(color_head) - 1, end = head;

	while (end < count && keys[end] != BELL && keys[end] != ESCAPE)
		end++;
	if (end == count || (keys[end] == ESCAPE && end + 1 == count)) {
		reply->partial = true;
		return 0;
	}
	reply->kind = ANSWER_COLOR;
	reply->background = read_color(keys + head, end - head);
	return end + (keys[end] == ESCAPE && keys[end + 1] == '\\' ? 2 : 1);
}

/* ESC [ ? digits and semicolons c */
static unsigned attributes_reply(
	const uint32_t *keys, unsigned count, struct background_reply *reply)
{
	unsigned end = 3;

	while (end < count &&
		((keys[end] >= '0' && keys[end] <= '9') || keys[end] == ';'))
		end++;
	if (end == count) {
		reply->partial = true;
		return 0;
	}
	if (keys[end] != 'c')
		return 0;
	reply->kind = ANSWER_ATTRIBUTES;
	return end + 1;
}

unsigned background_reply(
	const uint32_t *keys, unsigned count, struct background_reply *reply)
{
	*reply = (struct background_reply){ANSWER_NONE, BACKGROUND_UNKNOWN, false};
	if (begins(keys, count, color_head))
		return color_reply(keys, count, reply);
	if (begins(keys, count, "\033[?"))
		return attributes_reply(keys, count, reply);
	/* whether all keys are the beginning of an answer */
	reply->partial = count > 1;
	for (unsigned i = 0; i < count && reply->partial; i++)
		reply->partial = color_head[i] && keys[i] == (unsigned char)color_head[i];
	return 0;
}

/* ---- what is typed ---- */

static struct {
	WINDOW *pad; /* only read from */
	uint32_t queue[QUEUE_MAX];
	unsigned queued;
	mbstate_t partial; /* the bytes of a character that have come so far */
	unsigned skip;     /* bytes that are no keys */
	bool mouse;        /* its reports are wanted */
	bool asked;        /* for the background: what answers is no key, however late, */
	bool awaited;      /* ... and not everything was answered */
	enum background told; /* ... what was answered, until somebody takes it */
} keys;

/* Variants that terminals send beside what their description says. */
static void define_keys(void)
{
	static const struct key_bytes {
		const char *bytes;
		int code;
	} variants[] = {{"\033[A", KEY_UP}, {"\033[B", KEY_DOWN}, {"\033[C", KEY_RIGHT},
		{"\033[D", KEY_LEFT}, {"\033OA", KEY_UP}, {"\033OB", KEY_DOWN},
		{"\033OC", KEY_RIGHT}, {"\033OD", KEY_LEFT}, {"\033[H", KEY_HOME},
		{"\033[F", KEY_END}, {"\033OH", KEY_HOME}, {"\033OF", KEY_END},
		{"\033[1~", KEY_HOME}, {"\033[4~", KEY_END}, {"\033[7~", KEY_HOME},
		{"\033[8~", KEY_END}, {"\033[3~", KEY_DC}, {"\033[5~", KEY_PPAGE},
		{"\033[6~", KEY_NPAGE}, {"\033[Z", KEY_BTAB}},
	  heads[] = {{"\033[<", MOUSE_CODE}, {"\033[M", OLD_MOUSE_CODE}};

	for (size_t i = 0; i < sizeof(variants) / sizeof(variants[0]); i++)
		if (key_defined(variants[i].bytes) == 0)
			define_key(variants[i].bytes, variants[i].code);
	if (getenv("CATENA_SYNC"))
		define_key("\033[99~", SYNC_CODE);
	/* ncurses would read the reports itself, by the one protocol that the description
	 * names */
	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
		int code = key_defined(heads[i].bytes);

		if (code != 0 && code != KEY_MOUSE) /* a function key of some terminal */
			continue;
		define_key(heads[i].bytes, 0);
		define_key(heads[i].bytes, heads[i].code);
	}
}

void keys_mouse(bool on)
{
	keys.mouse = on;
}

void keys_begin(void)
{
	keys.queued = keys.skip = 0;
	keys.mouse = keys.asked = keys.awaited = false;
	keys.told = BACKGROUND_UNKNOWN;
	memset(&keys.partial, 0, sizeof(keys.partial));
	raw();
	noecho();
	nonl();
	if (!getenv("ESCDELAY"))
		set_escdelay(25);
	keys.pad = newpad(1, 1);
	if (!keys.pad)
		mem_fail();
	keypad(keys.pad, TRUE);
	nodelay(keys.pad, TRUE);
	define_keys();
}

void keys_end(void)
{
	if (keys.pad)
		delwin(keys.pad);
	keys.pad = NULL;
}

static uint32_t key_of_code(int code)
{
	static const struct {
		int code;
		uint32_t key;
	} table[] = {{KEY_UP, TERM_UP}, {KEY_SR, TERM_UP}, {KEY_DOWN, TERM_DOWN},
		{KEY_SF, TERM_DOWN}, {KEY_LEFT, TERM_LEFT}, {KEY_SLEFT, TERM_LEFT},
		{KEY_RIGHT, TERM_RIGHT}, {KEY_SRIGHT, TERM_RIGHT}, {KEY_PPAGE, TERM_PGUP},
		{KEY_A3, TERM_PGUP}, {KEY_NPAGE, TERM_PGDN}, {KEY_C3, TERM_PGDN},
		{KEY_HOME, TERM_HOME}, {KEY_FIND, TERM_HOME}, {KEY_SHOME, TERM_HOME},
		{KEY_A1, TERM_HOME}, {KEY_END, TERM_END}, {KEY_SELECT, TERM_END},
		{KEY_SEND, TERM_END}, {KEY_C1, TERM_END}, {KEY_BTAB, TERM_BTAB},
		{KEY_DC, TERM_DELETE}, {KEY_SDC, TERM_DELETE},
		{KEY_BACKSPACE, TERM_BACKSPACE}, {KEY_ENTER, '\r'}, {KEY_SUSPEND, 0x1A},
		{SYNC_CODE, TERM_SYNC}, {MOUSE_CODE, MOUSE_HEAD}};

	if (code >= KEY_F(1) && code <= KEY_F(12))
		return TERM_F1 + (uint32_t)(code - KEY_F(1));
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (table[i].code == code)
			return table[i].key;
	return TERM_KEY_NONE;
}

/* TERM_KEY_NONE while a character is not whole, and for bytes that are none. */
static uint32_t key_of_byte(int byte)
{
	char c = (char)byte;
	wchar_t wide;
	size_t n = mbrtowc(&wide, &c, 1, &keys.partial);

	if (n == (size_t)-1)
		memset(&keys.partial, 0, sizeof(keys.partial));
	if (n > 1)
		return TERM_KEY_NONE;
	return wide == 0x7F || wide == '\b' ? (uint32_t)TERM_BACKSPACE : (uint32_t)wide;
}

static void read_keys(void)
{
	int code;
	uint32_t key;

	while (keys.queued < QUEUE_MAX && (code = wgetch(keys.pad)) != ERR) {
		if (code == OLD_MOUSE_CODE) {
			keys.skip = 3;
			continue;
		}
		if (keys.skip && code <= UCHAR_MAX) {
			keys.skip--;
			continue;
		}
		key = code > UCHAR_MAX ? key_of_code(code) : key_of_byte(code);
		if (key != TERM_KEY_NONE)
			keys.queue[keys.queued++] = key;
	}
}

static void drop_keys(unsigned at, unsigned n)
{
	keys.queued -= n;
	memmove(keys.queue + at, keys.queue + at + n,
		(keys.queued - at) * sizeof(keys.queue[0]));
}

/* Takes an answer to the question for the background from any place of the queue; false:
 * there is none. */
static bool take_answer(void)
{
	struct background_reply reply;

	for (unsigned i = 0; i < keys.queued; i++) {
		unsigned n = background_reply(keys.queue + i, keys.queued - i, &reply);

		if (!n)
			continue;
		drop_keys(i, n);
		if (reply.kind == ANSWER_COLOR)
			keys.told = reply.background;
		else
			keys.awaited = false;
		return true;
	}
	return false;
}

/* Drops answers, which are no keys however late they come.  True when the queue begins
 * with an answer whose end is still to come. */
static bool answer_comes(bool reading)
{
	struct background_reply reply;

	if (!keys.asked || !keys.queued)
		return false;
	if (reading)
		read_keys();
	while (take_answer())
		;
	if (keys.queued == QUEUE_MAX)
		return false;
	background_reply(keys.queue, keys.queued, &reply);
	return reply.partial;
}

void term_ask_background(void)
{
	if (!keys.pad)
		return;
	keys.asked = keys.awaited = true;
	curses_send(STR(BACKGROUND_QUESTION));
}

void keys_await_answer(int keyboard, uint64_t deadline)
{
	struct pollfd fd = {.fd = keyboard, .events = POLLIN};

	while (keys.awaited && !clock_passed(deadline)) {
		uint64_t left = deadline - clock_us();

		poll(&fd, 1, (int)(left / 1000) + 1);
		read_keys();
		while (take_answer())
			;
		if (keys.queued == QUEUE_MAX || fd.revents & (POLLHUP | POLLERR))
			break;
	}
}

/*
 * Whether there is a key or a part of a report.  Dropped is a control sequence that no
 * definition knows (Ctrl-Right on another's terminal, a bracketed paste): its bytes are
 * not what was typed.  One without parameters might be typed: Escape, then "[", then a
 * letter.
 */
static bool fill(bool reading)
{
	unsigned n;

	while (true) {
		if (reading && (!keys.queued || keys.queue[0] == MOUSE_HEAD))
			read_keys();
		if (answer_comes(reading))
			return false;
		if (keys.queued < 4 || keys.queue[0] != ESCAPE || keys.queue[1] != '[')
			break;
		for (n = 2; n < keys.queued && keys.queue[n] >= 0x20 &&
			    keys.queue[n] <= 0x3F;)
			n++;
		if (n == 2 || n == keys.queued || keys.queue[n] < 0x40 ||
			keys.queue[n] > 0x7E)
			break;
		drop_keys(0, n + 1);
	}
	return keys.queued > 0;
}

bool keys_next(struct term_event *event, bool reading)
{
	unsigned before, n;
	bool wanted;

	do {
		bool typed = fill(reading);

		if (keys.told != BACKGROUND_UNKNOWN) {
			event->type = TERM_BACKGROUND;
			event->background = keys.told;
			keys.told = BACKGROUND_UNKNOWN;
			return true;
		}
		if (!typed)
			return false;
		before = keys.queued;
		if (keys.queue[0] != MOUSE_HEAD) {
			event->type = TERM_KEY;
			event->key = keys.queue[0];
			drop_keys(0, 1);
			return true;
		}
		/* a report of the mouse, all of which must have come */
		n = mouse_length(keys.queue + 1, keys.queued - 1);
		wanted = keys.mouse && mouse_event(keys.queue + 1, n, clock_us(), event);
		if (n)
			drop_keys(0, 1 + n);
		if (wanted)
			return true;
	} while (keys.queued < before);
	return false;
}

bool keys_waiting(bool reading)
{
	if (!keys.queued && reading)
		read_keys();
	if (!keys.queued || answer_comes(reading))
		return keys.told != BACKGROUND_UNKNOWN;
	if (keys.told != BACKGROUND_UNKNOWN)
		return true;
	return keys.queued > 0 &&
	       (keys.queue[0] != MOUSE_HEAD ||
		       mouse_length(keys.queue + 1, keys.queued - 1) > 0);
}
