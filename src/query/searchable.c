/* Joined events: see searchable.h.  They are read as import/open.c reads them. */
#include "config.h"
#include "query/searchable.h"

#include "import/assemble.h"
#include "import/open.h"
#include "import/stream.h"

bool searchable_write(void *ctx, struct trace *trace, uint32_t step, struct buf *json)
{
	struct step copy = trace_step(trace, step);
	const struct step *s = &copy;
	struct arena arena = {0};
	struct stream stream;
	struct assembled said;
	struct str merged;

	(void)ctx;
	if (further_count(&trace->further, s->offset)) {
		if (step_joined(trace, step, &merged, &arena))
			buf_str(json, merged);
		arena_done(&arena);
		return json->len > 1;
	}
	if (!(s->flags & (STEP_SSE | STEP_LINES)) || s->flags & STEP_BARE)
		return false;
	stream_read(
		&stream, step_text(trace, step, &arena), s->flags & STEP_LINES, &arena);
	assemble(&said, &stream, &arena);
	buf_str(json, (struct str){said.messages.p, said.messages.n});
	buf_byte(json, '\n');
	buf_str(json, (struct str){said.response.p, said.response.n});
	stream_done(&stream);
	arena_done(&arena);
	return json->len > 1;
}
