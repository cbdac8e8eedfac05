/* `catena formats`: the table of formats, in order of detection. */
#include "config.h"
#include "cmd/cmd.h"

int cmd_formats(const struct options *o)
{
	struct buf out = BUF_INIT;

	(void)o;
	for (size_t i = 0; formats[i]; i++)
		buf_printf(&out, "%-14s %s\n%-14s steps: %s\n", formats[i]->name,
			formats[i]->recognised_by, "", formats[i]->steps);
	cmd_write(&out);
	buf_done(&out);
	return STATUS_DONE;
}
