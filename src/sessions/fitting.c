/* See fitting.h. */
#include "config.h"
#include "sessions/fitting.h"

#include <string.h>

#include "sessions/sessions.h"
#include "text/safe.h"

#define PATIENCE 1000 /* microseconds for a word; literal texts never need them */

void fitting_done(struct fitting *f)
{
	for (size_t i = 0; i < f->count; i++)
		pattern_free(f->words[i].pattern);
	f->count = 0;
}

static bool has_upper(struct str word)
{
	for (size_t i = 0; i < word.n; i++)
		if (word.p[i] >= 'A' && word.p[i] <= 'Z')
			return true;
	return false;
}

static void add_word(struct fitting *f, struct str word)
{
	struct err err = {.offset = ERR_NOWHERE};
	bool without = word.n > 1 && *word.p == '-';
	struct fitting_word *w = &f->words[f->count];

	if (without)
		word = (struct str){word.p + 1, word.n - 1};
	w->without = without;
	w->pattern = pattern_new_search(
		word, PATTERN_LITERAL | (has_upper(word) ? 0 : PATTERN_CASELESS), &err);
	f->count += w->pattern != NULL;
	err_done(&err);
}

void fitting_begin(struct fitting *f, struct str words)
{
	fitting_done(f);
	while (words.n && f->count < FITTING_MOST) {
		size_t n = 0;

		while (n < words.n && !str_is_space(words.p[n]))
			n++;
		if (n)
			add_word(f, (struct str){words.p, n});
		n += n < words.n;
		words = (struct str){words.p + n, words.n - n};
	}
}

static bool has_word(const struct fitting_word *w, struct str text)
{
	uint64_t patience = PATIENCE;
	struct pattern_span span;

	return (pattern_find(w->pattern, text, 0, text.n, 0, &patience, &span) ==
		       PATTERN_YES) != w->without;
}

bool fitting_has(const struct fitting *f, const struct session *s)
{
	struct buf text = BUF_INIT;
	bool has = true;

	if (!f->count)
		return true;
	safe_line(&text, s->title); /* it is UTF-8 then */
	buf_byte(&text, '\n');
	safe_line(&text, s->tool);
	buf_byte(&text, '\n');
	safe_line(&text, s->folder);
	buf_byte(&text, '\n');
	safe_line(&text, str_of(s->path));
	for (size_t i = 0; i < f->count && has; i++)
		has = has_word(&f->words[i], buf_view(&text));
	buf_done(&text);
	return has;
}
