/* `*` and `#`: looking for the longest word in the cursor's row. */
#include "config.h"

#include "ui/control/previews.h"
#include "ui/core/doc_pane.h"
#include "ui/core/screen.h"
#include "ui/core/step_view.h"
#include "ui/keys/run.h"

/* The characters of names, numbers and paths; all beyond ASCII. */
static bool is_of_word(unsigned char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
	       (c >= 'A' && c <= 'Z') || c == '_' || c == '-' || c == '.' || c == '/' ||
	       c >= 0x80;
}

/* Dots and dashes at its edges belong to the sentence. */
static struct str inner(struct str word)
{
	while (word.n && strchr("-./", word.p[0]))
		word = (struct str){word.p + 1, word.n - 1};
	while (word.n && strchr("-./", word.p[word.n - 1]))
		word.n--;
	return word;
}

static struct str longest_word(struct str text)
{
	struct str best = {text.p, 0};

	for (size_t i = 0; i < text.n;) {
		struct str word = {text.p + i, 0};

		while (i < text.n && is_of_word((unsigned char)text.p[i]))
			i++;
		word.n = (size_t)(text.p + i - word.p);
		word = inner(word);
		if (word.n > best.n)
			best = word;
		i += i < text.n;
	}
	return best;
}

/* As it is shown: what was cut off by wrapping is not in it. */
static void put_row(struct app *app, struct buf *out)
{
	struct pane *p = screen_focused(app);
	size_t line;
	const struct lines *ls;

	if (screen_focus(app) == PANE_STEPS) {
		buf_str(out, previews_row(app, p->cursor, 0).text);
		if (!out->len)
			step_title(app->trace, step_at_cursor(app), out);
		return;
	}
	if (!pane_doc(p)->count)
		return;
	doc_pane_fit(p);
	doc_settle(pane_doc(p), pane_cursor(p));
	ls = doc_line(pane_doc(p), *pane_cursor(p), &line);
	lines_plain(ls, line, out);
}

/* The search reads a regular expression. */
static void put_pattern(struct str word, struct buf *out)
{
	for (size_t i = 0; i < word.n; i++) {
		if (word.p[i] == '.' || word.p[i] == '-')
			buf_byte(out, '\\');
		buf_byte(out, word.p[i]);
	}
}

unsigned run_search_word(struct app *app, const struct invocation *call)
{
	bool back = call->command == COMMAND_SEARCH_WORD_BACK;
	struct invocation search = {
		.command = back ? COMMAND_SEARCH_BACK : COMMAND_SEARCH};
	struct buf row = BUF_INIT, pattern = BUF_INIT;

	if (step_at_cursor(app) != NO_STEP)
		put_row(app, &row);
	put_pattern(longest_word(buf_view(&row)), &pattern);
	if (pattern.len) {
		search.argument = buf_view(&pattern);
		run_search(app, &search);
	} else {
		buf_text(&app->said, "no word in this row");
	}
	buf_done(&row);
	buf_done(&pattern);
	return REACT_DRAW;
}
