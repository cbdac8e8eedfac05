/* The options and columns as rows of the manual page catena.yaml(5): roff's man macros.
 */
#include "config.h"
#include "config/configuration.h"

/* Words of ours: what roff would take for a sign of its own is none in them but these. */
static void put_words(const char *text, struct buf *out)
{
	for (; *text; text++)
		if (*text == '-' || *text == '\\')
			buf_printf(out, "\\%c", *text == '\\' ? 'e' : '-');
		else
			buf_byte(out, *text);
}

static void put_type(const struct setting *row, struct buf *out)
{
	static const char *const words[] = {
		[SETTING_FLAG] = "true or false",
		[SETTING_SIZE] = "a number, with K, M or G after it",
		[SETTING_TEXT] = "a text",
	};

	if (!row->choices) {
		buf_text(out, words[row->type]);
		return;
	}
	buf_text(out, row->type == SETTING_LIST ? "a list of " : "one of ");
	for (size_t i = 0; row->choices[i]; i++) {
		buf_text(out, i ? ", " : "");
		put_words(row->choices[i], out);
	}
}

static void put_default(
	const struct settings *s, const struct setting *row, struct buf *out)
{
	struct buf value = BUF_INIT;

	setting_put(s, row, &value);
	buf_reserve(&value, 1);
	buf_text(out, "Built in: ");
	put_words(value.data, out);
	buf_text(out, ".\n");
	buf_done(&value);
}

static void put_sentence(const char *text, struct buf *out)
{
	char first =
		text[0] >= 'a' && text[0] <= 'z' ? (char)(text[0] - 'a' + 'A') : text[0];

	buf_byte(out, first);
	put_words(text + 1, out);
	buf_text(out, ".\n");
}

void config_put_manual(const struct config *c, struct buf *out)
{
	static const struct {
		const char *name, *about;
	} columns[] = {
#define COLUMN(id, name, about) {name, about},
		COLUMNS(COLUMN)
#undef COLUMN
	};

	for (const struct setting *row = setting_rows; row->name; row++) {
		buf_printf(out, ".TP\n.B %s\n", row->name);
		put_sentence(row->about, out);
		buf_text(out, "It is ");
		put_type(row, out);
		buf_text(out, ".\n");
		put_default(&c->settings, row, out);
	}
	buf_text(out, ".SS Columns\n");
	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++) {
		buf_printf(out, ".TP\n.B %s\n", columns[i].name);
		put_sentence(columns[i].about, out);
	}
}
