/* See action.h. */
#include "config.h"
#include "import/action.h"

#include <string.h>

#include "base/str.h"
#include "chat/side.h"

#define CALL_MOST 60         /* bytes of what a step did that stand for its name */
#define MOST      480        /* bytes of a text that can be shown on one row */
#define ENOUGH    (4 * MOST) /* ... before white space is squeezed */
#define RESULTS   16 /* messages at the end of the input that are asked for results */

/* ---- the messages ---- */

/* What a program put before the words of a person: <system-reminder>…</…> */
static struct str without_tags(struct str text)
{
	for (;;) {
		AUTO_BUF tag = BUF_INIT;
		const char *close;
		size_t n = 1;

		text = str_trim(text);
		while (n < text.n && n < 60 && text.p[0] == '<' && text.p[n] != '>' &&
			text.p[n] != ' ')
			n++;
		if (n < 2 || n >= text.n || text.p[n] != '>')
			return text;
		buf_text(&tag, "</");
		buf_add(&tag, text.p + 1, n);
		close = memmem(text.p, text.n, tag.data, tag.len);
		if (!close || close + tag.len == text.p + text.n)
			return text;
		text = str_skip(text, (size_t)(close - text.p) + tag.len);
	}
}

static void put_text(struct step_action *a, struct str text, bool whole)
{
	text = whole ? text : without_tags(text);
	buf_add(&a->text, text.p, text.n > ENOUGH ? ENOUGH : text.n);
}

/* The first text of a message, or of its results; `whole`: what a program put before the
 * words of a person counts, too. */
static void put_words_of(struct step_action *a, const struct parts *parts, bool whole)
{
	for (size_t i = 0; i < parts->count && !a->text.len; i++) {
		const struct part *p = PART_AT(parts, i);
		AUTO_BUF text = BUF_INIT;

		if (p->kind == PART_TEXT || p->kind == PART_REFUSAL ||
			p->kind == PART_RESULT) {
			brief_said(p->body, &text, ENOUGH);
			put_text(a, buf_view(&text), whole);
			brief_squeeze(&a->text, MOST);
		}
	}
}

/* ---- calls ---- */

static void read_results(
	struct step_action *a, const struct side *s, size_t from, bool own)
{
	AUTO_ARENA arena = {0};

	for (size_t i = from; i < s->chat.count; i++) {
		AUTO(parts_done)
		struct parts parts = parts_read(s->chat.items[i], &arena);

		PARTS_EACH(p, &parts) {
			if (p->kind != PART_RESULT || jv_null(p->link))
				continue;
			if (own && jv_hash(p->link) == a->call) {
				a->judged = true;
				a->outcome = brief_outcome(p);
			}
			if (own || a->result_count == ACTION_RESULTS)
				continue;
			a->results[a->result_count].call = jv_hash(p->link);
			a->results[a->result_count++].outcome = brief_outcome(p);
		}
	}
}

/* ---- sides ---- */

/* The last words that were put to the model: a person's, else a tool's. */
static void put_asked(struct step_action *a, const struct step_content *o)
{
	const struct side *s = &o->input;
	size_t count = s->view == SIDE_CHAT ? s->chat.count : 0;
	size_t least = count > RESULTS ? count - RESULTS : 0;

	if (s->view == SIDE_TEXT)
		put_text(a, s->text, false);
	else if (s->view == SIDE_JSON)
		brief_argument(s->value, STR(""), &a->text, ENOUGH);
	else if (step_content_is_empty(o) && jv_null(o->facts.v[FACT_EVENT]))
		put_text(a, jv_raw(o->facts.value), true);
	for (int whole = 0; whole < 2; whole++)
		for (size_t i = count; i-- > least && !a->text.len;) {
			AUTO_ARENA arena = {0};
			AUTO(parts_done)
			struct parts parts = parts_read(s->chat.items[i], &arena);

			if (message_speaker(s->chat.items[i], s->prefer) !=
				SPEAKER_SYSTEM)
				put_words_of(a, &parts, whole);
		}
}

/* What the assistant did last: it called tools ("read_file a.c, read_file b.c", while
 * there is room for them), or said something. */
static void put_done(struct step_action *a, const struct step_content *o)
{
	const struct side *s = o->shared ? &o->input : &o->output;
	size_t message = s->view == SIDE_CHAT ? s->chat.count : 0;

	/* the last message of the assistant, counted from 1 */
	while (message && message_speaker(s->chat.items[message - 1], s->prefer) !=
				  SPEAKER_ASSISTANT)
		message--;
	if (message) {
		AUTO_ARENA arena = {0};
		AUTO(parts_done)
		struct parts parts = parts_read(s->chat.items[message - 1], &arena);

		for (size_t i = 0; i < parts.count && a->text.len < MOST / 2; i++) {
			const struct part *p = PART_AT(&parts, i);

			if (p->kind != PART_CALL)
				continue;
			a->calls = true;
			if (a->text.len)
				buf_text(&a->text, ", ");
			else if (!jv_null(p->link))
				a->call = jv_hash(p->link);
			brief_call(p, step_content_folder(o), &a->text, MOST);
		}
		put_words_of(a, &parts, true);
		if (a->call)
			read_results(a, s, message, true);
	} else if (s->view == SIDE_TEXT) {
		put_text(a, s->text, true);
	} else if (s->view == SIDE_JSON && o->input.view != SIDE_JSON) {
		brief_argument(s->value, STR(""), &a->text, ENOUGH);
	}
}

void action_read(struct step_action *a, const struct step_content *o)
{
	const struct side *s = &o->input;

	buf_clear(&a->text);
	*a = (struct step_action){.text = a->text};
	put_done(a, o);
	a->open = a->text.len ? a->call && !a->judged : s->view != SIDE_EMPTY;
	if (!a->text.len)
		put_asked(a, o);
	brief_squeeze(&a->text, MOST);
	if (s->view == SIDE_CHAT && !o->shared)
		read_results(a, s, s->chat.count > RESULTS ? s->chat.count - RESULTS : 0,
			false);
}

void action_done(struct step_action *a)
{
	buf_done(&a->text);
}

bool action_outcome(const struct step_action *a, const struct step_action *next,
	struct outcome *outcome)
{
	if (a->judged) {
		*outcome = a->outcome;
		return true;
	}
	for (size_t i = 0; next && a->call && i < next->result_count; i++)
		if (next->results[i].call == a->call) {
			*outcome = next->results[i].outcome;
			return true;
		}
	return false;
}

void step_call(
	struct trace *trace, uint32_t step, const struct step_content *o, struct buf *out)
{
	struct step s = trace_step(trace, step);
	bool named = s.name_at && trace_names_tell(trace);
	AUTO(action_done) struct step_action action = {0};
	struct step_content *own = NULL;

	if (!named && !o && s.length <= OPENED_AT_ONCE)
		o = own = step_content_new(trace, step);
	if (!named && o && !(trace_flags(trace, step) & STEP_BROKEN))
		action_read(&action, o);
	if (action.text.len > CALL_MOST) {
		action.text.len = utf8_cut(action.text.data, action.text.len, CALL_MOST);
		buf_text(&action.text, "…");
	}
	if (action.text.len)
		buf_str(out, buf_view(&action.text));
	else
		step_title(trace, step, out);
	step_content_free(own);
}
