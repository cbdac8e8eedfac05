/* See operand.h. */
#include "config.h"
#include "cmd/operand.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"

bool operand_read_step(const char *text, size_t *chain, size_t *step)
{
	char *end;

	*chain = 0;
	if (*text < '0' || *text > '9')
		return false;
	*step = strtoull(text, &end, 10);
	if (*end == '.' && end[1] >= '0' && end[1] <= '9') {
		*chain = *step;
		*step = strtoull(end + 1, &end, 10);
	}
	return !*end && *step;
}

void operand_read(struct operand *o, const char *text)
{
	const char *colon = strrchr(text, ':');

	*o = (struct operand){0};
	if (!colon || colon == text || access(text, F_OK) == 0 ||
		!operand_read_step(colon + 1, &o->chain, &o->step)) {
		o->path = mem_dup(text, strlen(text));
		return;
	}
	o->path = mem_dup(text, (size_t)(colon - text));
}

void operand_done(struct operand *o)
{
	mem_free(o->path);
	o->path = NULL;
}

size_t operand_position(const struct operand *o)
{
	const struct trace *trace = o->file->trace;
	size_t chain = o->chain ? o->chain - 1 : 0;

	if (chain >= trace->chain_count) {
		cmd_fail("%s: there is no chain %zu: it has %zu", o->path, chain + 1,
			trace->chain_count);
		return SIZE_MAX;
	}
	if (o->step > trace->chains[chain].count) {
		cmd_fail("%s: there is no step %zu: the chain has %zu", o->path, o->step,
			trace->chains[chain].count);
		return SIZE_MAX;
	}
	return trace->chains[chain].first + o->step - 1;
}
