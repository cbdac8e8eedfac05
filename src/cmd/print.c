/*
 * `catena print`: the lines of the viewer, one step after another; and what other
 * commands print of its documents.  Everything passes text/safe, whatever standard output
 * is.
 */
#include "config.h"
#include "cmd/cmd.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "export/export.h"
#include "text/wrap.h"
#include "view/doc.h"

#define NARROWEST 20

unsigned cmd_print_width(const struct options *o)
{
	struct winsize size;

	if (o->width)
		return o->width;
	if (!isatty(STDOUT_FILENO))
		return WRAP_NEVER;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= NARROWEST)
		return size.ws_col;
	return 80;
}

bool cmd_colors(const struct options *o)
{
	const char *term = getenv("TERM");

	return isatty(STDOUT_FILENO) && term && strcmp(term, "dumb") != 0 &&
	       !o->no_color && !o->json;
}

/* How roles look on a terminal: the parameters of SGR. */
static const char *const sgr_of[] = {[ROLE_ADDED] = "32",
	[ROLE_DELETED] = "4;31",
	[ROLE_ADDED_LINE] = "32",
	[ROLE_STRING] = "32",
	[ROLE_DELETED_LINE] = "31",
	[ROLE_ADDED_WORDS] = "1;4;32",
	[ROLE_DELETED_WORDS] = "1;4;31",
	[ROLE_KEYWORD] = "35",
	[ROLE_COMMENT] = "2;3",
	[ROLE_CHANGED] = "33",
	[ROLE_ERROR] = "31",
	[ROLE_TITLE] = "1",
	[ROLE_DIM] = "2",
	[ROLE_MARK] = "7",
	[ROLE_COUNT] = NULL};

static void put_line(struct buf *out, struct doc *d, struct place p)
{
	size_t at;
	const struct lines *ls = doc_line(d, p, &at);
	const struct line *line = &ls->lines[at];

	for (uint32_t i = line->first; i < line->first + line->count; i++) {
		const char *sgr = d->colored ? sgr_of[ls->spans[i].role] : NULL;

		if (sgr)
			buf_printf(out, "\033[%sm", sgr);
		buf_str(out, lines_text(ls, &ls->spans[i]));
		if (sgr)
			buf_text(out, "\033[m");
	}
	while (!d->colored && out->len && out->data[out->len - 1] == ' ')
		out->len--;
	buf_byte(out, '\n');
	cmd_write_long(out);
}

/* Each block is a document of its own: blocks that one adds after itself would move all
 * the others that follow. */
void cmd_print_doc(struct buf *out, struct doc *d)
{
	AUTO(doc_done) struct doc one = {.print = d->print, .colored = d->colored};

	doc_width(&one, d->width);
	for (size_t i = 0; i < d->count; i++) {
		struct place p = {0, 0};
		bool more;

		doc_clear(&one);
		doc_copy(&one, d, i);
		doc_settle(&one, &p);
		more = doc_rows(&one, p.block) > 0;
		while (more) {
			size_t at = p.block;

			put_line(out, &one, p);
			more = doc_down(&one, &p, 1);
			if (p.block != at)
				doc_release(&one, at);
		}
	}
}

int cmd_print(const struct options *o)
{
	return cmd_export_as(o,
		o->transcript ? &export_transcript : export_format_named(STR("text")),
		cmd_print_width(o));
}
