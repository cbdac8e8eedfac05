/* Errors with a place: see err.h. */
#include "config.h"
#include "base/err.h"
#include "base/mem.h"

#include <inttypes.h>

void err_done(struct err *e)
{
	mem_free(e->source);
	mem_free(e->text);
	*e = (struct err){.offset = ERR_NOWHERE};
}

static void set(struct err *e, uint64_t offset, const char *fmt, va_list ap)
{
	struct buf text = BUF_INIT;

	buf_vprintf(&text, fmt, ap);
	mem_free(e->text);
	e->text = buf_take(&text);
	e->offset = offset;
	e->line = e->column = 0;
}

void err_setv(struct err *e, const char *fmt, va_list ap)
{
	set(e, ERR_NOWHERE, fmt, ap);
}

void err_set(struct err *e, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	set(e, ERR_NOWHERE, fmt, ap);
	va_end(ap);
}

void err_at(struct err *e, uint64_t offset, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	set(e, offset, fmt, ap);
	va_end(ap);
}

void err_source(struct err *e, const char *name)
{
	mem_free(e->source);
	e->source = mem_dup(name, strlen(name));
}

void err_copy(struct err *to, const struct err *from)
{
	err_done(to);
	*to = *from;
	to->source = from->source ? mem_dup(from->source, strlen(from->source)) : NULL;
	to->text = from->text ? mem_dup(from->text, strlen(from->text)) : NULL;
}

void err_format(const struct err *e, struct buf *out)
{
	if (e->source)
		buf_text(out, e->source);
	if (e->source && e->text && e->offset == ERR_NOWHERE && e->line) {
		buf_printf(out, ":%" PRIu64, e->line);
		if (e->column)
			buf_printf(out, ":%" PRIu64, e->column);
	}
	if (e->source)
		buf_text(out, ": ");
	if (e->text && e->offset != ERR_NOWHERE) {
		buf_printf(out, "byte %" PRIu64, e->offset);
		if (e->line)
			buf_printf(out, " (line %" PRIu64 ", column %" PRIu64 ")",
				e->line, e->column);
		buf_text(out, ": ");
	}
	buf_text(out, e->text ? e->text : "no error");
}
