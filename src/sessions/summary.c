/* See summary.h. */
#include "config.h"
#include "sessions/summary.h"

#include <math.h>
#include <time.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/work.h"
#include "chat/parts.h"
#include "import/action.h"
#include "import/failure.h"
#include "import/known.h"
#include "import/load.h"
#include "import/open.h"

#define PARAGRAPH_LEAST 16  /* bytes */
#define LOOKED_BACK     200 /* steps that are opened for what was asked before one */
#define STEPS_MOST 12          /* that are opened for a title */
#define STEP_MOST  (16u << 20) /* bytes of one of them */

/* ---- what the person asked for ---- */

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

/* What stands in a tag that begins a text, "<user_query>" or "<user_input mode="act">",
 * without it. */
static struct str without_tag(struct str text)
{
	AUTO_BUF end = BUF_INIT;
	struct str inner;
	const char *close;
	size_t name, n = 1;

	if (!text.n || *text.p != '<')
		return text;
	while (n < text.n && n < 40 &&
		((text.p[n] >= 'a' && text.p[n] <= 'z') || text.p[n] == '_' ||
			text.p[n] == '-'))
		n++;
	name = n - 1;
	if (name && n < text.n && text.p[n] == ' ')
		while (n < text.n && n < 80 && text.p[n] != '>' && text.p[n] != '\n')
			n++;
	if (!name || n == text.n || text.p[n] != '>')
		return text;
	inner = str_skip(text, n + 1);
	buf_text(&end, "</");
	buf_add(&end, text.p + 1, name);
	buf_byte(&end, '>');
	close = inner.n ? memmem(inner.p, inner.n, end.data, end.len) : NULL;
	if (close)
		inner.n = (size_t)(close - inner.p);
	return str_trim(inner);
}

/* The first words of the person's in a text; false: there are none. */
static bool put_text(
	struct str text, const struct file_texts *own, size_t most, struct buf *out)
{
	size_t start = out->len;
	struct boilerplate_walk w;
	struct str piece, by;
	const char *end;

	boilerplate_begin(&w, text, own);
	while (out->len == start && boilerplate_next(&w, &piece, &by)) {
		if (by.n)
			continue;
		piece = without_tag(str_trim(piece));
		/* a request is called by its first paragraph: code or a log may follow; a
		 * greeting alone is none */
		end = piece.n ? memmem(piece.p, piece.n, "\n\n", 2) : NULL;
		if (end && end - piece.p >= PARAGRAPH_LEAST && most <= PROMPT_MOST)
			piece.n = (size_t)(end - piece.p);
		prompt_line(piece, most, out);
	}
	return out->len > start;
}

static bool put_prompt(
	const struct step_content *o, bool last, size_t most, struct buf *out)
{
	const struct side *s = &o->input;
	AUTO_ARENA arena = {0};

	if (s->view == SIDE_TEXT)
		return put_text(s->text, o->boilerplate, most, out);
	for (size_t i = 0; s->view == SIDE_CHAT && i < s->chat.count; i++) {
		struct jv message = s->chat.items[last ? s->chat.count - 1 - i : i];
		AUTO(parts_done) struct parts parts = {0};

		if (message_speaker(message, PREFER_INPUT) != SPEAKER_USER)
			continue;
		parts = parts_read(message, &arena);
		PARTS_EACH(p, &parts) {
			if (p->kind == PART_TEXT && p->body.kind == J_STRING &&
				put_text(jv_keep(p->body, &arena), o->boilerplate, most,
					out))
				return true;
		}
	}
	return false;
}

bool prompt_first(const struct step_content *o, size_t most, struct buf *out)
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
		struct step_content *o = step_content_new(trace, trace_at(trace, i));

		found = put_prompt(o, true, most, out);
		step_content_free(o);
	}
	return found;
}

/* ---- a file, read in slices ---- */

struct summing_up {
	struct trace *trace;
	struct load *load;
	struct failure_walk failures;
	size_t next;
	struct prices *prices; /* NULL: it is a glance, at the beginning alone */
	bool loaded, counted, stated;
	struct summary found;
};

struct summing_up *summing_up_new(
	const char *path, const struct format *forced, struct prices *prices)
{
	struct summing_up *s = mem_zalloc(1, sizeof(*s));
	struct inputs *inputs = inputs_new();

	inputs_add(inputs, path);
	s->prices = prices;
	s->trace = trace_new(inputs);
	s->load = load_begin(s->trace, forced);
	s->found.totals = totals_unknown;
	s->found.start = s->found.context = s->found.window = NAN;
	s->found.failed.offset = ERR_NOWHERE;
	return s;
}

void summary_done(struct summary *s)
{
	buf_done(&s->id);
	buf_done(&s->title);
	buf_done(&s->folder);
	buf_done(&s->parts);
	buf_done(&s->beside);
	usage_done(&s->usage);
	buf_done(&s->doing);
	err_done(&s->failed);
}

void summing_up_free(struct summing_up *s)
{
	if (!s)
		return;
	failure_walk_done(&s->failures);
	load_free(s->load);
	trace_free(s->trace);
	summary_done(&s->found);
	mem_free(s);
}

void summing_up_take(struct summing_up *s, struct summary *out)
{
	*out = s->found;
	s->found = (struct summary){.failed = {.offset = ERR_NOWHERE}};
	summing_up_free(s);
}

/* ---- what the index has ---- */

static void take_index(struct summing_up *s)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	const struct description *d;
	struct inputs *in = s->trace->inputs;
	AUTO_BUF beside = BUF_INIT;
	uint64_t key;
	size_t of;

	s->loaded = true;
	s->found.readable = !load_unreadable(s->load, &err) && s->trace->count &&
			    !load_is_words(s->load);
	/* it cannot be opened, or what was read of it ends too early */
	if (!inputs_count(in) && err.text)
		err_copy(&s->found.failed, &err);
	else
		inputs_failed(in, &s->found.failed);
	if (!s->found.readable)
		return;
	s->found.format = s->trace->chain_count
				  ? trace_chain_format(s->trace, &s->trace->chains[0])
				  : s->trace->format;
	d = s->found.format ? known_named(str_of(s->found.format)) : NULL;
	if (d)
		s->found.tool = str_of(d->tool);
	if (s->prices) {
		s->found.chains = s->trace->chain_count;
		s->found.size = inputs_size(in);
		for (size_t i = 0; i < inputs_count(in); i++)
			if (inputs_part(in, inputs_address(i), &of, &key)) {
				buf_text(&s->found.parts,
					inputs_name_at(in, inputs_address(i)));
				buf_byte(&s->found.parts, 0);
			}
	}
	/* the file that names its folder is no session either */
	if (d && inputs_count(in) &&
		beside_folder(d, inputs_name_at(in, 0), &s->found.folder, &beside)) {
		buf_str(&s->found.beside, buf_view(&beside));
		buf_byte(&s->found.beside, 0);
	}
	for (size_t i = 0;
		isnan(s->found.start) && i < s->trace->order_count && i < STEPS_MOST; i++)
		s->found.start = trace_step(s->trace, trace_at(s->trace, i)).timestamp;
	if (s->trace->chain_count && !s->trace->chains[0].generated)
		buf_str(&s->found.id, trace_text(s->trace, s->trace->chains[0].trace_id));
	/* names as the file gives them; an id is none */
	for (size_t i = 0; i < s->trace->chain_count && !s->found.title.len; i++)
		if (s->trace->chains[i].name != NO_TEXT)
			prompt_line(trace_text(s->trace, s->trace->chains[i].name),
				PROMPT_MOST, &s->found.title);
}

static void take_figures(struct summing_up *s)
{
	const struct trace *t = s->trace;
	uint32_t depth = UINT32_MAX;
	struct str model = STR("");

	s->counted = true;
	s->found.totals = t->totals;
	usage_add(&s->found.usage, s->prices, s->trace);
	/* the context is of the last request that is no sub-agent's: those are nested deeper */
	for (size_t i = 0; i < t->order_count; i++) {
		struct totals own = trace_step_counted(t, i);

		if (!(own.input_tokens > 0) || trace_depth(t, i) > depth)
			continue;
		depth = trace_depth(t, i);
		s->found.context = own.input_tokens +
				   (own.output_tokens > 0 ? own.output_tokens : 0);
		model = trace_text(t, trace_step(t, trace_at(t, i)).model);
	}
	if (model.n)
		s->found.window = prices_window(s->prices, model);
}

/* ---- what goes on in it ---- */

/* By the last step, which is opened when it is of late; false: that was stopped. */
static bool find_state(struct summing_up *s)
{
	size_t count = s->trace->order_count;
	AUTO(action_done) struct step_action a = {0};
	struct step last;
	struct step_content *o;

	s->stated = true;
	if (!count)
		return true;
	last = trace_step(s->trace, trace_at(s->trace, count - 1));
	if (!(fabs((double)time(NULL) - last.timestamp) < STATE_RECENT) ||
		last.length > STEP_MOST)
		return true;
	o = step_content_try(s->trace, trace_at(s->trace, count - 1), false);
	if (!o)
		return s->stated = false;
	action_read(&a, o);
	s->found.state = a.call && a.open   ? STATE_RUNNING
			 : a.call || a.open ? STATE_THINKING
					    : STATE_WAITING;
	s->found.since = last.timestamp + (last.latency > 0 ? last.latency : 0);
	if (s->found.state == STATE_RUNNING) {
		struct str did = buf_view(&a.text);

		(void)str_take(&did, STR("$ ")); /* "pytest -q" of "$ pytest -q" */
		prompt_line(did, PROMPT_MOST, &s->found.doing);
	}
	step_content_free(o);
	return true;
}

enum task_state summing_up_run(struct summing_up *s, uint64_t deadline)
{
	if (!s->loaded) {
		if (load_unpacked(s->load, deadline, s->prices ? SIZE_MAX : STEPS_MOST) ==
			TASK_MORE)
			return TASK_MORE;
		take_index(s);
	}
	if (s->found.readable && s->prices && !s->counted) {
		if (failure_walk_run(&s->failures, s->trace, s->trace->count, deadline) ==
			TASK_MORE)
			return TASK_MORE;
		take_figures(s);
	}
	if (s->counted && !s->stated && !find_state(s))
		return TASK_MORE;
	/* until both are known; the folder is in the first step, or not at all */
	while (s->found.readable && s->next < s->trace->order_count &&
		s->next < STEPS_MOST &&
		(!s->found.title.len || (!s->found.folder.len && !s->next))) {
		uint32_t step = trace_at(s->trace, s->next);

		if (trace_step(s->trace, step).length <= STEP_MOST) {
			struct step_content *o = step_content_try(s->trace, step, false);
			struct jv folder;

			if (!o)
				return TASK_MORE; /* it was stopped */
			folder = o->facts.v[FACT_CWD];
			if (!s->found.folder.len && folder.kind == J_STRING)
				jv_text(folder, &s->found.folder);
			if (!s->found.title.len)
				prompt_first(o, PROMPT_MOST, &s->found.title);
			step_content_free(o);
		}
		s->next++;
		if (clock_passed(deadline))
			return TASK_MORE;
	}
	return TASK_DONE;
}

/* ---- titles of a trace that is shown ---- */

/* A session's file has one chain; its program is known. */
struct summing_up *summing_up_untitled(const struct trace *trace, size_t scope)
{
	const struct scope *s = &trace->scopes[scope];
	const char *format = s->format ? s->format : trace->format;
	const struct description *d = format ? known_named(str_of(format)) : NULL;

	if (s->name != NO_TEXT || s->asked != NO_TEXT || !d || !*d->tool ||
		(trace->scope_count == 1 && trace->chain_count != 1))
		return NULL;
	return summing_up_new(inputs_name_at(trace->inputs, s->offset), NULL, NULL);
}

bool summing_up_entitle(struct summing_up *s, struct trace *trace, size_t scope)
{
	struct summary found;
	bool has;

	summing_up_take(s, &found);
	has = found.title.len;
	if (has)
		trace->scopes[scope].asked =
			intern_add(&trace->texts, buf_view(&found.title));
	summary_done(&found);
	return has;
}
