/*
 * `catena extract request`: a step as a request that can be sent again.  What could not
 * be said in it is told on standard error, a line each.
 */
#include "config.h"
#include "cmd/cmd.h"

#include "base/clock.h"
#include "cmd/operand.h"
#include "export/request.h"
#include "text/report.h"

static void tell(struct buf *notes)
{
	struct str text = buf_view(notes);

	while (text.n) {
		const char *end = memchr(text.p, '\n', text.n);
		size_t n = end ? (size_t)(end - text.p) : text.n;
		struct err err = {.offset = ERR_NOWHERE};

		err_set(&err, "%.*s", (int)n, text.p);
		report_note(&err);
		err_done(&err);
		text = (struct str){text.p + n + 1, text.n > n ? text.n - n - 1 : 0};
	}
}

static int write_request(const struct options *o, struct cmd_file *f, size_t position)
{
	struct request_maker *request = request_new(f->trace, position);
	struct buf out = BUF_INIT, notes = BUF_INIT;
	struct err err = {.offset = ERR_NOWHERE};
	bool done;

	request_run(request, UINT64_MAX);
	done = request_write(request, o->as, &out, &notes, &err);
	if (done) {
		tell(&notes);
		cmd_write(&out);
	} else {
		err_source(&err, inputs_name(f->trace->inputs));
		report_error(&err);
	}
	request_free(request);
	err_done(&err);
	buf_done(&out);
	buf_done(&notes);
	return done ? STATUS_DONE : STATUS_ERROR;
}

/* A file of one step needs no number. */
static bool find(struct operand *operand, size_t *position)
{
	const struct trace *trace = operand->file->trace;

	if (!operand->step && trace->order_count != 1) {
		cmd_fail("%s: it has %zu steps: say which, as %s:1", operand->path,
			trace->order_count, operand->path);
		return false;
	}
	if (!operand->step)
		operand->step = 1;
	*position = operand_position(operand);
	return *position != SIZE_MAX;
}

int cmd_extract_request(const struct options *o)
{
	struct operand operand;
	struct cmd_file f;
	size_t position;
	int status = STATUS_ERROR;
	bool numbered = o->files.count == 2;

	if (o->files.count > 2)
		return cmd_fail("%s: one step at a time", o->files.items[1]);
	operand_read(&operand, o->files.count ? o->files.items[0] : "-");
	operand.file = &f;
	if (numbered && (operand.step || !operand_read_step(o->files.items[1],
						 &operand.chain, &operand.step))) {
		operand_done(&operand);
		return cmd_fail("%s: say FILE:STEP", o->files.items[1]);
	}
	if (cmd_open(&f, operand.path, o)) {
		if (!(f.unreadable && !f.trace->count) && find(&operand, &position))
			status = write_request(o, &f, position);
		cmd_close(&f);
	}
	operand_done(&operand);
	return status;
}
