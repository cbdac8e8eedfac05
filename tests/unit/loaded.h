/* Traces of a test, read from a text. */
#ifndef CATENA_TESTS_LOADED_H
#define CATENA_TESTS_LOADED_H

#include "config.h"
#include <criterion/criterion.h>

#include "base/mem.h"
#include "import/known.h"
#include "import/load.h"
#include "json/json.h"

struct loaded {
	struct trace *trace;
	struct load *loader;
	struct buf text; /* that was quoted, or empty */
};

/* `from` names the format, or is NULL. */
static inline struct loaded load_text_as(struct str text, const char *from)
{
	const struct format *forced = from ? format_named(str_of(from)) : NULL;
	struct loaded x = {0};
	struct err err = {0};

	cr_assert(!from || forced);
	x.trace = trace_of_source(source_open_text("test", text));
	x.loader = load_begin(x.trace, forced);
	cr_assert_eq(load_all(x.loader, &err), TASK_DONE, "%s", err.text);
	err_done(&err);
	return x;
}

static inline struct loaded load_text(struct str text)
{
	return load_text_as(text, NULL);
}

/* A text with ' for ". */
static inline struct loaded load_quoted(const char *text)
{
	struct buf bytes = BUF_INIT;
	struct loaded x;

	json_init();
	for (; *text; text++)
		buf_byte(&bytes, *text == '\'' ? '"' : *text);
	x = load_text(buf_view(&bytes));
	x.text = bytes;
	return x;
}

static inline void unload(struct loaded *x)
{
	load_free(x->loader);
	trace_free(x->trace);
	buf_done(&x->text);
}

/* A model that reads its steps from the text. */
static inline struct trace *model_of(struct str text)
{
	struct loaded x = load_text(text);

	load_free(x.loader);
	return x.trace;
}

#endif
