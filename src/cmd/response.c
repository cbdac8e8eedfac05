/* `catena extract response`: an assistant's text in, its structured elements out. */
#include "config.h"
#include "cmd/cmd.h"

#include "base/mem.h"
#include "chat/response.h"
#include "json/check.h"
#include "json/json.h"
#include "text/report.h"

#define MOST_NOTES 10

static void note_warning(
	const char *name, struct str text, const struct response_warning *w)
{
	struct err err = {.offset = ERR_NOWHERE};
	struct buf what = BUF_INIT;
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
	err_done(&err);
	buf_done(&what);
}

static void note_warnings(const char *name, struct str text, const struct response *r)
{
	struct err err = {.offset = ERR_NOWHERE};

	for (size_t i = 0; i < r->warning_count && i < MOST_NOTES; i++)
		note_warning(name, text, &r->warnings[i]);
	if (r->warning_count <= MOST_NOTES)
		return;
	err_source(&err, name);
	err_set(&err, "%zu more markers without a JSON value after them",
		r->warning_count - MOST_NOTES);
	report_note(&err);
	err_done(&err);
}

static void write_value(struct buf *out, const struct element *e)
{
	if (e)
		json_write_raw(out, (struct str){e->value.p, e->value.n});
	else
		buf_text(out, "null");
}

static void write_payload(
	struct buf *out, const struct element *e, const struct response_type *types)
{
	if (e) {
		buf_text(out, "{\"type\":");
		json_write_string(out, types[e->type].name);
		buf_text(out, ",\"data\":");
	}
	write_value(out, e);
	if (e)
		buf_byte(out, '}');
}

static void write_response(struct buf *out, const struct response *r, struct str text,
	const struct response_type *types)
{
	struct buf message = BUF_INIT;

	response_message(r, text, &message);
	buf_text(out, "{\"message\":");
	json_write_string(out, buf_view(&message));
	buf_text(out, ",\"suggested_values\":");
	write_value(out, response_used(r, ELEMENT_VALUES));
	buf_text(out, ",\"suggested_actions\":");
	write_value(out, response_used(r, ELEMENT_ACTIONS));
	buf_text(out, ",\"custom_payload\":");
	write_payload(out, response_used(r, ELEMENT_PAYLOAD), types);
	buf_text(out, "}\n");
	buf_done(&message);
}

int cmd_extract_response(const struct options *o)
{
	struct registry *registry = cmd_registry(o);
	struct response_type *types = NULL;
	struct response r = {0};
	struct buf text = BUF_INIT, out = BUF_INIT;
	size_t count = 0;
	int status = STATUS_ERROR;

	if (registry && cmd_read_text(o, &text)) {
		cmd_note_page(registry, o->page);
		registry_markers(registry, str_of(o->page), &types, &count);
		response_read(&r, buf_view(&text), types, count);
		note_warnings(cmd_input_name(o), buf_view(&text), &r);
		write_response(&out, &r, buf_view(&text), types);
		cmd_write(&out);
		status = STATUS_DONE;
	}
	response_done(&r);
	mem_free(types);
	registry_free(registry);
	buf_done(&text);
	buf_done(&out);
	return status;
}
