/* See failure.h. */
#include "config.h"
#include "import/failure.h"

#include <limits.h>
#include <strings.h>

#include "base/mem.h"
#include "base/work.h"
#include "chat/brief.h"

/* How far before a result its call is looked for. */
#define CALLER_STEPS 4096
#define CALLER_BYTES (16u << 20)

#define WORDS_MOST 200 /* bytes of a result that are kept */

#define PIECE     (1u << 20) /* bytes of a step that are looked through at once */
#define MARK_MOST 64         /* bytes of the longest mark of a failure */

void failures_done(struct failures *f)
{
	idmap_done(&f->seen);
	arena_done(&f->words);
	mem_free(f->found);
	*f = (struct failures){0};
}

/* ---- the step that called ---- */

/* Whether the step made the call with that id, or one without: it stands in its output,
 * or in its one conversation.  `name` gets the tool's name. */
static bool has_call(struct trace *trace, uint32_t step, struct str id, struct buf *name)
{
	struct step_content *o = step_content_new(trace, step);
	const struct pairs *p = step_content_pairs(o);
	AUTO_ARENA arena = {0};
	bool found = false;

	for (size_t i = 0; i < p->count && !found; i++) {
		const struct pair_end *end = &p->ends[i];

		found = end->call && (o->shared || !end->input) &&
			(id.n || end->other == NO_PAIR) &&
			str_equal(jv_keep(end->what->link, &arena), id);
		if (found && !name->len)
			jv_text(end->what->name, name);
	}
	step_content_free(o);
	return found;
}

/* The step of the same chain, before this one, that made the call with that id; of a
 * result without one it can only be the nearest step.  The step itself where none is
 * found. */
static uint32_t find_caller(
	struct trace *trace, uint32_t step, struct jv link, struct buf *name)
{
	uint32_t chain = trace_step(trace, step).chain, at = step;
	AUTO_ARENA ids = {0};
	struct str id = link.kind == J_STRING ? jv_keep(link, &ids) : (struct str){"", 0};
	bool found = false;

	for (size_t bytes = 0; !found && at-- > 0;) {
		AUTO_ARENA arena = {0};
		struct str text;

		if (step - at > CALLER_STEPS || bytes > CALLER_BYTES)
			break;
		if (trace_step(trace, at).chain != chain)
			continue;
		text = step_text(trace, at, &arena);
		bytes += text.n;
		found = memmem(text.p, text.n, id.p, id.n) &&
			has_call(trace, at, id, name);
		if (!id.n)
			break;
	}
	return found ? at : step;
}

/* ---- a step ---- */

static void add_failure(struct failures *f, struct trace *trace, uint32_t step,
	const struct step_content *o, const struct pairs *p, const struct pair_end *end)
{
	const struct part *result = end->what;
	int exit = brief_outcome(result).exit;
	AUTO_BUF name = BUF_INIT, said = BUF_INIT;
	struct buf words = BUF_INIT;
	struct failure found = {
		.step = step, .result = result->raw, .body = result->body, .exit = exit};

	jv_text(result->name, &name);
	if (!name.len && end->other != NO_PAIR)
		jv_text(p->ends[end->other].what->name, &name);
	if (!o->shared && end->input)
		found.step = find_caller(trace, step, result->link, &name);
	found.first = !(trace_flags(trace, found.step) & STEP_FAILED);
	found.tool = arena_dup(&f->words, buf_view(&name));
	/* "Bash failed: exit 1 make: …" */
	brief_said(result->body, &said, WORDS_MOST);
	brief_squeeze(&said, WORDS_MOST);
	buf_printf(&words, "%.*s failed", name.len ? (int)name.len : 6,
		name.len ? name.data : "a tool");
	if (said.len || exit >= 0)
		buf_text(&words, ":");
	if (exit >= 0 && (said.len < 4 || strncasecmp(said.data, "exit", 4) != 0))
		buf_printf(&words, " exit %d", exit);
	if (said.len)
		buf_byte(&words, ' ');
	buf_str(&words, buf_view(&said));
	found.words = arena_keep(&f->words, &words);
	*MEM_ADD(f->found, f->count, f->cap) = found;
	trace_flag(trace, found.step, STEP_RESULT_ERROR);
}

void failures_scan(
	struct failures *f, struct trace *trace, uint32_t step, struct step_content *o)
{
	uint32_t chain = trace_step(trace, step).chain;
	const struct pairs *p = step_content_pairs(o);

	f->count = 0;
	arena_done(&f->words);
	for (size_t i = 0; i < p->count; i++) {
		const struct pair_end *end = &p->ends[i];
		uint64_t key[] = {chain, 0};
		size_t before = f->seen.count;

		if (end->call || !brief_outcome(end->what).failed)
			continue;
		key[1] = jv_hash_pair(end->what->link, end->what->body);
		idmap_add(&f->seen,
			map_hash((struct str){(const char *)key, sizeof(key)}), 0);
		if (f->seen.count > before) /* it was not marked yet */
			add_failure(f, trace, step, o, p, end);
	}
}

/* ---- all steps ---- */

static size_t skip(struct str text, size_t at, const char *set)
{
	while (at < text.n && text.p[at] && strchr(set, text.p[at]))
		at++;
	return at;
}

/* Parts of words that formats have for a failure, in keys and values, and of keys whose
 * false says one. */
static const char *const marks[] = {"rror", "RROR", "Err", "failed", "Failed", "AILED",
	"ailure", "ancel", "ejected", "eclined", "retry-", "uccess", "ok"};

enum { SAYS_FAILURE = 1, SAYS_SUCCESS = 2 };

#define MARKS (sizeof(marks) / sizeof(*marks))

/* Letters of words, and with which two of them marks begin: few words have such a pair.
 */
struct letters {
	bool known, word[UCHAR_MAX + 1], begins[UCHAR_MAX + 1];
};

static unsigned char pair_at(const char *p)
{
	return (unsigned char)(p[0] * 5 + p[1]);
}

/* Success is "ok" alone or at the end of a name, as in "is_ok". */
static unsigned word_says(struct str word, const struct letters *l)
{
	unsigned said = 0;

	for (size_t at = 0; at + 1 < word.n; at++) {
		struct str rest = str_skip(word, at);

		for (size_t i = 0; l->begins[pair_at(rest.p)] && i < MARKS; i++) {
			if (rest.p[0] != marks[i][0] || rest.p[1] != marks[i][1] ||
				!str_starts(rest, str_of(marks[i])))
				continue;
			if (!strcmp(marks[i], "uccess"))
				said |= SAYS_SUCCESS;
			else if (strcmp(marks[i], "ok"))
				said |= SAYS_FAILURE;
			else if (rest.n == 2 && (!at || strchr("_-.", word.p[at - 1])))
				said |= SAYS_SUCCESS;
		}
	}
	return said;
}

/* Whether false or null is the value of the key that ends here. */
static bool is_denied(struct str text, size_t at)
{
	at = skip(text, skip(text, at, "\\\""), " \t\r\n");
	if (at == text.n || text.p[at] != ':')
		return false;
	at = skip(text, at + 1, " \t\r\n");
	return (text.n - at >= 5 && !memcmp(text.p + at, "false", 5)) ||
	       (text.n - at >= 4 && !memcmp(text.p + at, "null", 4));
}

/* A quick look without false negatives: for strings of one word, which may stand in a
 * string, that say a failure, such as "is_error": true, "status": "failed",
 * "success": false; and for exit codes. */
static bool text_may_fail(struct str text)
{
	static struct letters letters;
	const char *quote;
	size_t at = 0;

	for (int c = 0; c <= UCHAR_MAX && !letters.known; c++)
		letters.word[c] = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
				  (c >= '0' && c <= '9') || c == '_' || c == '-' ||
				  c == '.';
	for (size_t i = 0; i < MARKS && !letters.known; i++)
		letters.begins[pair_at(marks[i])] = true;
	letters.known = true;

	while ((quote = memchr(text.p + at, '"', text.n - at))) {
		size_t from = at = (size_t)(quote - text.p) + 1;
		bool begins = false; /* a mark, perhaps, at some letter but the last */
		unsigned said;

		while (at < text.n && letters.word[(unsigned char)text.p[at]])
			begins |= letters.begins[pair_at(text.p + at++)];
		if (!begins || at == text.n || (text.p[at] != '"' && text.p[at] != '\\'))
			continue;
		said = word_says((struct str){text.p + from, at - from}, &letters);
		if (said && said & (is_denied(text, at) ? SAYS_SUCCESS : SAYS_FAILURE))
			return true;
	}
	return brief_exits(text);
}

void failure_walk_done(struct failure_walk *w)
{
	failures_done(&w->failures);
	*w = (struct failure_walk){0};
}

/* Whether the last step that was scanned is as long as it was then. */
static bool is_as_judged(const struct failure_walk *w, const struct trace *trace)
{
	return w->generation == trace->generation && w->next <= trace->count &&
	       (!w->next || trace_step_end(trace, w->next - 1) == w->end);
}

bool failure_walk_is_over(
	const struct failure_walk *w, const struct trace *trace, size_t end)
{
	return w->next >= end && is_as_judged(w, trace);
}

/* Judges a step where it may have failed, by a look through it piece by piece, of which
 * the end of the one before is looked at again.  False: a key waits. */
static bool judge_step(struct failure_walk *w, struct trace *trace, uint32_t step)
{
	struct step s = trace_step(trace, step);
	struct step_content *o;
	bool may = false;

	stop_begin();
	for (uint64_t looked = 0; !may && looked < s.length;) {
		uint64_t from = looked > MARK_MOST ? looked - MARK_MOST : 0;
		size_t n = s.length - from < PIECE ? (size_t)(s.length - from) : PIECE;
		AUTO_FREE char *piece = mem_alloc(n + 1);

		n = inputs_read(trace->inputs, s.offset + from, piece, n);
		piece[n] = '\0';
		looked = n == PIECE ? from + n : s.length;
		may = text_may_fail((struct str){piece, n});
		if (stop_wanted(n))
			break;
	}
	if (stop_end())
		return false;
	if (!may)
		return true;
	o = step_content_try(trace, step, true);
	if (!o)
		return false;
	failures_scan(&w->failures, trace, step, o);
	if (w->found)
		w->found(w->ctx, trace, &w->failures);
	step_content_free(o);
	return true;
}

/* A result is new where it stands first: all steps are scanned in their order. */
enum task_state failure_walk_run(
	struct failure_walk *w, struct trace *trace, size_t end, uint64_t deadline)
{
	if (w->generation != trace->generation || w->next > trace->count) {
		failures_done(&w->failures);
		*w = (struct failure_walk){.found = w->found,
			.ctx = w->ctx,
			.generation = trace->generation};
	}
	w->next -= !is_as_judged(w, trace);
	while (w->next < end) {
		if (!judge_step(w, trace, (uint32_t)w->next))
			return TASK_MORE;
		w->end = trace_step_end(trace, w->next++);
		if (clock_passed(deadline) && w->next < end)
			return TASK_MORE;
	}
	return TASK_DONE;
}
