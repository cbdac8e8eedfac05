/* See scoped_hits.h. */
#include "config.h"
#include "view/scoped_hits.h"

#include "base/suggest.h"
#include "chat/role.h"
#include "view/tree.h"

/* ---- what is meant ---- */

const char *const scoped_hits_words[] = {"user", "assistant", "system", "tool", "text",
	"call", "result", "reasoning", "input", "output", "name", "error", "all", NULL};

static const struct {
	enum scoped_hits_kind kind;
	unsigned what;
} meanings[] = {
	{WITHIN_SPEAKER, SPEAKER_USER}, {WITHIN_SPEAKER, SPEAKER_ASSISTANT},
	{WITHIN_SPEAKER, SPEAKER_SYSTEM}, {WITHIN_SPEAKER, SPEAKER_TOOL},
	{WITHIN_PART, PART_TEXT}, {WITHIN_PART, PART_CALL}, {WITHIN_PART, PART_RESULT},
	{WITHIN_PART, PART_REASONING}, {WITHIN_SIDE, true}, {WITHIN_SIDE, false},
	{WITHIN_NAME, 0}, {WITHIN_ERROR, 0},
	{WITHIN_ANY, 0}, /* all: beside another one, too */
};

void scoped_hits_done(struct scoped_hits *w)
{
	buf_done(&w->key);
	*w = (struct scoped_hits){0};
}

static bool fail_unknown(struct str word, struct err *err)
{
	struct suggest near;
	struct buf text = BUF_INIT;

	suggest_begin(&near, word);
	buf_printf(&text, "no place is called \"%.*s\"", (int)(word.n < 32 ? word.n : 32),
		word.p);
	for (size_t i = 0; scoped_hits_words[i]; i++)
		suggest_try(&near, str_of(scoped_hits_words[i]));
	suggest_put(&near, &text);
	for (size_t i = 0; scoped_hits_words[i]; i++)
		buf_printf(&text, "%s%s", i ? ", " : ": ", scoped_hits_words[i]);
	buf_text(&text, ", .KEY of JSON");
	err_set(err, "%.*s", (int)text.len, text.data);
	buf_done(&text);
	return false;
}

static bool read_word(struct scoped_hits *w, struct str word, struct err *err)
{
	size_t i = 0;

	if (word.n > 1 && word.p[0] == '.') {
		w->kind = WITHIN_KEY;
		buf_clear(&w->key);
		buf_str(&w->key, (struct str){word.p + 1, word.n - 1});
		return true;
	}
	while (scoped_hits_words[i] && !str_equal(str_of(scoped_hits_words[i]), word))
		i++;
	if (!scoped_hits_words[i])
		return fail_unknown(word, err);
	if (meanings[i].kind == WITHIN_ANY) {
		w->all = true;
		return true;
	}
	w->kind = meanings[i].kind;
	w->what = meanings[i].what;
	return true;
}

/* One prefix, with the blank after it. */
static bool read_prefix(
	struct scoped_hits *w, struct str whole, struct str *s, struct err *err)
{
	size_t end = 3, at = (size_t)(s->p - whole.p);

	while (end < s->n && s->p[end] != ' ')
		end++;
	if (end == 3 || end + 1 >= s->n) {
		err_set(err, "a pattern is missing after it");
		err->offset = whole.n;
		return false;
	}
	if (!read_word(w, (struct str){s->p + 3, end - 3}, err)) {
		err->offset = at + 3;
		return false;
	}
	*s = (struct str){s->p + end + 1, s->n - end - 1};
	return true;
}

bool scoped_hits_read(struct scoped_hits *w, struct str *pattern, struct err *err)
{
	struct str s = *pattern, blank = STR(" in:"), prefix = STR("in:");

	*w = (struct scoped_hits){0};
	while (str_starts(s, prefix))
		if (!read_prefix(w, *pattern, &s, err)) {
			scoped_hits_done(w);
			return false;
		}
	if (str_starts(s, blank)) /* meant as it stands */
		s = (struct str){s.p + 1, s.n - 1};
	*pattern = s;
	return true;
}

/* Whether a piece of a message counts: what a tool gave is the tool's. */
bool scoped_hits_takes(
	const struct scoped_hits *w, enum speaker speaker, enum part_kind part)
{
	if (w->kind == WITHIN_ANY || w->kind == WITHIN_SIDE)
		return true;
	if (part == PART_REFUSAL)
		part = PART_TEXT;
	if (w->kind == WITHIN_SPEAKER)
		return (part == PART_RESULT ? SPEAKER_TOOL : speaker) == w->what;
	return w->kind == WITHIN_PART && part == w->what;
}

/* ---- blocks ---- */

static enum speaker speaker_of(enum role role)
{
	switch (role) {
	case ROLE_USER:
		return SPEAKER_USER;
	case ROLE_ASSISTANT:
		return SPEAKER_ASSISTANT;
	case ROLE_SYSTEM:
		return SPEAKER_SYSTEM;
	case ROLE_TOOL:
		return SPEAKER_TOOL;
	default:
		return SPEAKER_OTHER;
	}
}

/* What the outermost fold that holds a block is of; prose knows nothing of itself. */
static enum part_kind part_of(const struct doc *d, size_t block)
{
	size_t parent;

	while ((parent = doc_parent(d, block)) != SIZE_MAX)
		block = parent;
	return d->blocks[block].part ? (enum part_kind)(d->blocks[block].part - 1)
				     : PART_TEXT;
}

/* Words about parts are no part: not even a tool's name in them. */
static bool is_said(const struct doc *d, size_t block)
{
	return !d->blocks[block].head && d->blocks[block].part != DOC_NOTE;
}

static size_t head_of(const struct doc *d, size_t block)
{
	while (!d->blocks[block].head)
		if (!block--)
			return SIZE_MAX;
	return block;
}

static bool side_shows(const struct scoped_hits *w, const struct doc *d, size_t block)
{
	const struct side_reading *side = d->context;

	if (!side || !is_said(d, block))
		return false;
	if (!side->reading->opened->shared && side->input != (w->what != 0))
		return false;
	return tree_is_node(d, block) || head_of(d, block) != SIZE_MAX;
}

static bool key_shows(const struct scoped_hits *w, const struct doc *d, size_t block)
{
	while (tree_is_node(d, block)) {
		const struct block *b = &d->blocks[block];

		if (b->key.kind == J_STRING && jv_is(b->key, buf_view(&w->key)))
			return true;
		block = doc_parent(d, block);
	}
	return false;
}

/* The words above a side, and the value below them. */
static bool error_shows(const struct doc *d, size_t block)
{
	if (head_of(d, block) != SIZE_MAX)
		return false;
	if (!tree_is_node(d, block))
		return d->blocks[block].role == ROLE_ERROR;
	while (!d->blocks[block].root)
		block = doc_parent(d, block);
	return jv_is(d->blocks[block].key, STR("error"));
}

bool scoped_hits_shows(const struct scoped_hits *w, const struct doc *d, size_t block)
{
	size_t head;

	switch (w->kind) {
	case WITHIN_ANY:
		return is_said(d, block);
	case WITHIN_NAME:
		return false;
	case WITHIN_KEY:
		return key_shows(w, d, block);
	case WITHIN_SIDE:
		return side_shows(w, d, block);
	case WITHIN_ERROR:
		return error_shows(d, block);
	case WITHIN_SPEAKER:
	case WITHIN_PART:
		break;
	}
	head = head_of(d, block);
	return head != SIZE_MAX && is_said(d, block) &&
	       scoped_hits_takes(w, speaker_of(d->blocks[head].role), part_of(d, block));
}
