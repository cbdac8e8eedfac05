/*
 * `catena extract`: one value in, what the reading rules find in it out; and a step as a
 * request that can be sent again.
 */
#include "config.h"
#include "cmd/cmd.h"

#include "base/mem.h"
#include "chat/parts.h"
#include "chat/response.h"
#include "export/export.h"
#include "json/check.h"
#include "json/json.h"
#include "text/safe.h"

#define MOST_NOTES 10

/* The one input: the operand, or standard input. */
static const char *input_of(const struct options *o)
{
	return o->files.count ? o->files.items[0] : "-";
}

static bool read_text(const struct options *o, struct buf *text)
{
	if (o->files.count > 1) {
		(void)cmd_fail("%s: one file at a time", o->files.items[1]);
		return false;
	}
	return cmd_read_file(input_of(o), text);
}

/* ---- messages and parts of a value ---- */

/*
 * Reads one JSON value.  What can be mended is, with a line on standard error that says
 * what is wrong, and where; anything else is an error: half a value would give half a
 * result.
 */
static bool read_value(const struct options *o, struct buf *text, struct jv *value)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	AUTO_BUF mended = BUF_INIT;
	struct json_report report;

	if (!read_text(o, text))
		return false;
	json_check(buf_view(text), &report);
	*value = jv_parse(buf_view(text));
	if (report.verdict == VERDICT_STRICT)
		return true;
	err_source(&err, cmd_input_name(input_of(o)));
	if (!str_trim(buf_view(text)).n) {
		err_set(&err, text->len ? "contains only white space" : "is empty");
	} else if (report.verdict == VERDICT_TOLERATED) {
		json_report_text(&report, &mended);
		err_at(&err, report.offset, "%s", mended.data);
		json_place(buf_view(text), report.offset, &err.line, &err.column);
	} else {
		err_at(&err, report.offset, "is not JSON: %s", report.text);
		json_place(buf_view(text), report.offset, &err.line, &err.column);
	}
	if (report.verdict == VERDICT_TOLERATED)
		report_note(&err);
	else
		report_error(&err);
	return report.verdict == VERDICT_TOLERATED;
}

int cmd_extract_chat(const struct options *o)
{
	AUTO_BUF text = BUF_INIT, out = BUF_INIT;
	AUTO(chat_done) struct chat chat = {0};
	struct jv value;
	bool found;

	if (!read_value(o, &text, &value))
		return STATUS_ERROR;
	found = chat_extract(value, o->prefer, &chat);
	for (size_t i = 0; i < chat.count; i++) {
		buf_byte(&out, i ? ',' : '[');
		json_write_raw(&out, jv_raw(chat.items[i]));
	}
	buf_text(&out, found ? "]\n" : "null\n");
	cmd_write(&out);
	return STATUS_DONE;
}

int cmd_extract_parts(const struct options *o)
{
	AUTO_BUF text = BUF_INIT, out = BUF_INIT;
	AUTO_ARENA arena = {0};
	AUTO(parts_done) struct parts parts = {0};
	struct jv value;

	if (!read_value(o, &text, &value))
		return STATUS_ERROR;
	parts = parts_read(value, &arena);
	parts_write(&out, &parts, false);
	buf_byte(&out, '\n');
	cmd_write(&out);
	return STATUS_DONE;
}

/* ---- elements of an assistant's text ---- */

static void note_warning(
	const char *name, struct str text, const struct response_warning *w)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	AUTO_BUF what = BUF_INIT;
	uint64_t line, column;

	buf_str(&what, w->marker);
	buf_printf(&what, ": %s", w->text);
	if (w->fault) {
		json_place(text, w->fault_at, &line, &column);
		buf_printf(&what, ": %s at line %llu, column %llu", w->fault,
			(unsigned long long)line, (unsigned long long)column);
	}
	err_source(&err, name);
	err_at(&err, w->at, "%s", what.data);
	json_place(text, w->at, &err.line, &err.column);
	report_note(&err);
}

static void put_element(struct buf *out, const char *key, const struct element *e)
{
	json_put_raw(out, key, e ? e->value : JV_NONE);
}

static void write_response(struct buf *out, const struct response *r, struct str text,
	const struct response_type *types)
{
	const struct element *payload = response_used(r, ELEMENT_PAYLOAD);
	AUTO_BUF message = BUF_INIT;

	response_message(r, text, &message);
	buf_byte(out, '{');
	json_put_text(out, "message", buf_view(&message));
	put_element(out, "suggested_values", response_used(r, ELEMENT_VALUES));
	put_element(out, "suggested_actions", response_used(r, ELEMENT_ACTIONS));
	if (payload) {
		json_open(out, "custom_payload", '{');
		json_put_text(out, "type", types[payload->type].name);
		put_element(out, "data", payload);
		buf_byte(out, '}');
	} else {
		json_put_null(out, "custom_payload");
	}
	buf_text(out, "}\n");
}

int cmd_extract_response(const struct options *o)
{
	struct registry *registry = cmd_registry(o);
	AUTO_FREE struct response_type *types = NULL;
	AUTO(response_done) struct response r = {0};
	AUTO_BUF text = BUF_INIT, out = BUF_INIT;
	size_t count = 0;
	int status = STATUS_ERROR;

	if (registry && read_text(o, &text)) {
		cmd_note_page(registry, o->page);
		registry_markers(registry, str_of(o->page), &types, &count);
		response_read(&r, buf_view(&text), types, count);
		for (size_t i = 0; i < r.warning_count && i < MOST_NOTES; i++)
			note_warning(cmd_input_name(input_of(o)), buf_view(&text),
				&r.warnings[i]);
		if (r.warning_count > MOST_NOTES)
			cmd_note(cmd_input_name(input_of(o)),
				"%zu more markers without a JSON value after them",
				r.warning_count - MOST_NOTES);
		write_response(&out, &r, buf_view(&text), types);
		cmd_write(&out);
		status = STATUS_DONE;
	}
	registry_free(registry);
	return status;
}

/* ---- a request ---- */

/* What could not be said in it is told on standard error, a line each. */
static int write_request(const struct options *o, struct cmd_file *f, size_t position)
{
	struct request_maker *request = request_new(f->trace, position);
	AUTO_BUF out = BUF_INIT, notes = BUF_INIT;
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	struct str rest, line;
	bool done;

	request_run(request, UINT64_MAX);
	done = request_write(request, o->as, &out, &notes, &err);
	rest = buf_view(&notes);
	while (done && str_next_line(&rest, &line))
		cmd_note(NULL, "%.*s", (int)line.n, line.p);
	if (!done) {
		err_source(&err, inputs_name(f->trace->inputs));
		report_error(&err);
	}
	cmd_write(&out);
	request_free(request);
	return done ? STATUS_DONE : STATUS_ERROR;
}

int cmd_extract_request(const struct options *o)
{
	AUTO(operand_done) struct operand operand = {0};
	size_t position = SIZE_MAX;
	struct cmd_file f;
	int status = STATUS_ERROR;
	bool any;

	if (o->files.count > 2)
		return cmd_fail("%s: one step at a time", o->files.items[1]);
	operand_read(&operand, input_of(o));
	operand.file = &f;
	if (o->files.count == 2 &&
		(operand.step || !operand_read_step(o->files.items[1], &operand.chain,
					 &operand.step)))
		return cmd_fail("%s: name the step as FILE:STEP", o->files.items[1]);
	if (!cmd_open(&f, operand.path, o))
		return STATUS_ERROR;
	any = !f.unreadable || f.trace->count;
	if (any && !operand.step && f.trace->order_count != 1) {
		cmd_fail("%s: it has %zu steps; name one of them, such as %s:1",
			operand.path, f.trace->order_count, operand.path);
	} else if (any) {
		if (!operand.step) /* a file of one step needs no number */
			operand.step = 1;
		position = operand_position(&operand);
	}
	if (position != SIZE_MAX)
		status = write_request(o, &f, position);
	cmd_close(&f);
	return status;
}
