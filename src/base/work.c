/* See work.h. */
#include "config.h"
#include "base/work.h"

_Thread_local uint64_t work_counts[WORK_COUNT];

#define ASK_EACH (1u << 16) /* bytes */

static _Thread_local struct {
	bool (*waits)(void);
	bool begun, asked;
	uint64_t deadline; /* in place of `waits`, or 0 */
	size_t gone;       /* bytes since it was asked last */
} stop;

void stop_ask(bool (*waits)(void))
{
	stop.waits = waits;
}

void stop_at(uint64_t deadline)
{
	stop.deadline = deadline;
}

void stop_begin(void)
{
	stop.begun = true;
	stop.asked = false;
	stop.gone = 0;
}

bool stop_end(void)
{
	bool asked = stop.asked;

	stop.begun = stop.asked = false;
	return asked;
}

bool stop_wanted(size_t bytes)
{
	stop.gone += bytes;
	if (stop.begun && !stop.asked && stop.gone >= ASK_EACH) {
		stop.gone = 0;
		stop.asked = stop.deadline ? clock_passed(stop.deadline)
					   : stop.waits && stop.waits();
	}
	return stop.asked;
}

bool stop_asked(void)
{
	return stop.asked;
}
