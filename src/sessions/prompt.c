/* See prompt.h. */
#include "config.h"
#include "sessions/prompt.h"

#include "base/utf8.h"
#include "chat/parts.h"

#define PARAGRAPH_LEAST 16  /* bytes */
#define LOOKED_BACK     200 /* steps that are opened for what was asked before one */

void prompt_line(struct str text, size_t most, struct buf *out)
{
	size_t start = out->len;
	bool blank = false;

	for (size_t i = 0; i < text.n; i++) {
		if (str_is_space(text.p[i]) || text.p[i] == '\v' || text.p[i] == '\f') {
			blank = out->len > start;
			continue;
		}
		if (out->len - start + blank >= most)
			break;
		if (blank)
			buf_byte(out, ' ');
		blank = false;
		buf_byte(out, text.p[i]);
	}
	if (out->len - start >= most) {
		out->len =
			start + utf8_cut(out->data + start, out->len - start, most - 1);
		out->data[out->len] = '\0';
	}
}

/* The bytes of "<user_query>", or "<user_input mode="act">", at the beginning of a text,
 * or 0. */
static size_t tag_length(struct str text, size_t *name)
{
	size_t n = 1;

	if (!text.n || *text.p != '<')
		return 0;
	while (n < text.n && n < 40 &&
		((text.p[n] >= 'a' && text.p[n] <= 'z') || text.p[n] == '_' ||
			text.p[n] == '-'))
		n++;
	*name = n;
	if (n > 1 && n < text.n && text.p[n] == ' ')
		while (n < text.n && n < 80 && text.p[n] != '>' && text.p[n] != '\n')
			n++;
	return n > 1 && n < text.n && text.p[n] == '>' ? n + 1 : 0;
}

/* What stands in a tag that begins a text, without it. */
static struct str without_tag(struct str text)
{
	size_t name, n = tag_length(text, &name);
	AUTO_BUF end = BUF_INIT;
	struct str inner = {text.p + n, text.n - n};
	const char *close;

	if (!n)
		return text;
	buf_text(&end, "</");
	buf_add(&end, text.p + 1, name - 1);
	buf_byte(&end, '>');
	close = inner.n ? memmem(inner.p, inner.n, end.data, end.len) : NULL;
	if (close)
		inner.n = (size_t)(close - inner.p);
	return str_trim(inner);
}

/* A request is called by its first paragraph: code or a log may follow.  A greeting alone
 * is none. */
static struct str first_paragraph(struct str text)
{
	const char *end = text.n ? memmem(text.p, text.n, "\n\n", 2) : NULL;
	size_t n = end ? (size_t)(end - text.p) : text.n;

	return n < PARAGRAPH_LEAST ? text : (struct str){text.p, n};
}

/* The first words of the person's in a text; false: there are none. */
static bool put_text(
	struct str text, const struct file_texts *own, size_t most, struct buf *out)
{
	size_t start = out->len;
	struct boilerplate_walk w;
	struct str piece, by;

	boilerplate_begin(&w, text, own);
	while (out->len == start && boilerplate_next(&w, &piece, &by)) {
		if (by.n)
			continue;
		piece = without_tag(str_trim(piece));
		prompt_line(
			most > PROMPT_MOST ? piece : first_paragraph(piece), most, out);
	}
	return out->len > start;
}

static bool put_message(
	struct jv message, const struct file_texts *own, size_t most, struct buf *out)
{
	AUTO_ARENA arena = {0};
	AUTO(parts_done) struct parts parts = {0};
	bool found = false;

	parts_read(&parts, message, &arena);
	for (size_t i = 0; i < parts.count && !found; i++)
		if (PART_AT(&parts, i)->kind == PART_TEXT &&
			PART_AT(&parts, i)->body.kind == J_STRING)
			found = put_text(jv_keep(PART_AT(&parts, i)->body, &arena), own,
				most, out);
	return found;
}

static bool put_prompt(const struct opened *o, bool last, size_t most, struct buf *out)
{
	const struct side *s = &o->input;

	if (s->view == SIDE_TEXT)
		return put_text(s->text, o->boilerplate, most, out);
	for (size_t i = 0; s->view == SIDE_CHAT && i < s->chat.count; i++) {
		struct jv message = s->chat.items[last ? s->chat.count - 1 - i : i];

		if (message_speaker(message, PREFER_INPUT) == SPEAKER_USER &&
			put_message(message, o->boilerplate, most, out))
			return true;
	}
	return false;
}

bool prompt_first(const struct opened *o, size_t most, struct buf *out)
{
	return put_prompt(o, false, most, out);
}

bool prompt_before(struct trace *trace, size_t position, size_t most, struct buf *out)
{
	uint32_t chain = trace_step(trace, trace_at(trace, position)).chain;
	size_t first = trace->chains[chain].first;
	bool found = false;

	if (position > first + LOOKED_BACK)
		first = position - LOOKED_BACK;
	for (size_t i = position + 1; i-- > first && !found;) {
		struct opened *o = opened_new(trace, trace_at(trace, i));

		found = put_prompt(o, true, most, out);
		opened_free(o);
	}
	return found;
}
