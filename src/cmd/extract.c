/* `catena extract`: one value in, what the reading rules find in it out. */
#include "config.h"
#include "cmd/cmd.h"

#include "chat/parts.h"
#include "json/check.h"
#include "json/json.h"
#include "text/report.h"

/* What is wrong with the text, and where. */
static void describe(struct err *err, struct str text, const struct json_report *report)
{
	struct buf mended = BUF_INIT;

	if (!str_trim(text).n) {
		err_set(err, text.n ? "holds nothing but white space" : "is empty");
		return;
	}
	if (report->verdict == VERDICT_TOLERATED) {
		json_report_text(report, &mended);
		err_at(err, report->offset, "%s", mended.data);
	} else {
		err_at(err, report->offset, "is no JSON: %s", report->text);
	}
	json_place(text, report->offset, &err->line, &err->column);
	buf_done(&mended);
}

/*
 * Reads one JSON value.  What can be mended is, with a line on standard error; anything
 * else is an error: half a value would give half a result.
 */
static bool read_value(const struct options *o, struct buf *text, struct jv *value)
{
	struct err err = {.offset = ERR_NOWHERE};
	struct json_report report;

	if (!cmd_read_text(o, text))
		return false;
	json_check(buf_view(text), &report);
	*value = jv_parse(buf_view(text));
	if (report.verdict == VERDICT_STRICT)
		return true;
	err_source(&err, cmd_input_name(o));
	describe(&err, buf_view(text), &report);
	if (report.verdict == VERDICT_TOLERATED)
		report_note(&err);
	else
		report_error(&err);
	err_done(&err);
	return report.verdict == VERDICT_TOLERATED;
}

int cmd_extract_chat(const struct options *o)
{
	struct buf text = BUF_INIT, out = BUF_INIT;
	struct chat chat = {0};
	struct jv value;
	int status = STATUS_ERROR;

	if (read_value(o, &text, &value)) {
		bool found = chat_extract(value, o->prefer, &chat);

		for (size_t i = 0; i < chat.count; i++) {
			buf_byte(&out, i ? ',' : '[');
			json_write_raw(
				&out, (struct str){chat.items[i].p, chat.items[i].n});
		}
		buf_text(&out, found ? "]\n" : "null\n");
		cmd_write(&out);
		status = STATUS_DONE;
	}
	chat_done(&chat);
	buf_done(&text);
	buf_done(&out);
	return status;
}

int cmd_extract_parts(const struct options *o)
{
	struct buf text = BUF_INIT, out = BUF_INIT;
	struct arena arena = {0};
	struct parts parts = {0};
	struct jv value;
	int status = STATUS_ERROR;

	if (read_value(o, &text, &value)) {
		parts_read(&parts, value, &arena);
		parts_write(&out, &parts);
		buf_byte(&out, '\n');
		cmd_write(&out);
		status = STATUS_DONE;
	}
	parts_done(&parts);
	arena_done(&arena);
	buf_done(&text);
	buf_done(&out);
	return status;
}
