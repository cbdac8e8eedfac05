/* An axis of time: ticks at seconds, minutes, hours or days that a person counts in. */
#ifndef CATENA_VIEW_AXIS_H
#define CATENA_VIEW_AXIS_H

#include "view/bar.h"

/* Seconds between two ticks, such that no more than `most` (at least 1) of them fall into
 * `seconds` > 0: 1, 2 or 5 of a decimal place below a second, then 1, 2, 5, 10, 15, 30 of
 * seconds and minutes, 1, 2, 3, 6, 12 hours, and days again by tens. */
double axis_step(double seconds, double most);
/* "0", "500ms", "1.5s", "2m30s", "1h30m", "3d": as exact as a tick of that step needs. */
void axis_label(struct buf *out, double seconds, double step);
/* One row of `cells` with the ticks of a period counted from `zero`, put to a line. */
void axis_put(struct lines *out, struct period shown, double zero, uint32_t cells);

#endif
