/* What terminals send beside keys: the mouse, and whether they are dark or light; see
 * backend.h. */
#include "config.h"
#include "term/backend.h"

#include <stdlib.h>
#include <string.h>

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

#define ESCAPE 0x1B
#define BELL   0x07
#define DIGITS 4 /* of a part of a color: "rgb:ffff/ffff/ffff" */

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

/* One part, of one to four digits, as a byte; moves *at past it and its slash. */
static int read_part(const uint32_t *keys, unsigned count, unsigned *at)
{
	unsigned value = 0, most = 0;

	while (*at < count && hex_digit(keys[*at]) >= 0) {
		if (most == 0xFFFF)
			return -1;
		value = value * 16 + (unsigned)hex_digit(keys[(*at)++]);
		most = most * 16 + 15;
	}
	if (*at < count && keys[*at] == '/')
		++*at;
	return most ? (int)(value * 255 / most) : -1;
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
		int part = read_part(keys, count, &at);

		if (part < 0)
			return BACKGROUND_UNKNOWN;
		mixture = mixture << 8 | (uint32_t)part;
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

/* Whether all keys are the beginning of a text. */
static bool is_head(const uint32_t *keys, unsigned count, const char *text)
{
	for (unsigned i = 0; i < count; i++)
		if (!text[i] || keys[i] != (unsigned char)text[i])
			return false;
	return true;
}

unsigned background_reply(
	const uint32_t *keys, unsigned count, struct background_reply *reply)
{
	*reply = (struct background_reply){ANSWER_NONE, BACKGROUND_UNKNOWN, false};
	if (begins(keys, count, color_head))
		return color_reply(keys, count, reply);
	if (begins(keys, count, "\033[?"))
		return attributes_reply(keys, count, reply);
	reply->partial = count > 1 && is_head(keys, count, color_head);
	return 0;
}
