/* Reports of the mouse: see mouse.h. */
#include "config.h"
#include "term/mouse.h"

#include <stdlib.h>
#include <string.h>

#define DOUBLE      400000 /* microseconds between the clicks of a double one */
#define LONGEST     32     /* a report has three numbers */
#define NUMBER_MOST 100000

/* Of the first number, beside the button in its two lowest bits. */
enum { SHIFT = 4, META = 8, CONTROL = 16, WHEEL = 64 };

static struct {
	unsigned column, row;
	uint64_t at; /* microseconds; 0: none, or it was the second of two */
} last;

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
	twice = last.at && now - last.at < DOUBLE && last.column == column &&
		last.row == row;
	event->mouse = twice ? MOUSE_DOUBLE : MOUSE_CLICK;
	last.column = column;
	last.row = row;
	last.at = twice ? 0 : now;
	return true;
}
