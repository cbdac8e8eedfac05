/* See shapes.h. */
#include "config.h"
#include "analysis/shapes.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/survey.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/work.h"
#include "chat/brief.h"

#define LINE_MOST   160  /* bytes of the line that tells, */
#define WORDS_MOST  200  /* ... with what stands before it */
#define LOOKED_MOST 8000 /* bytes of a result in which it is looked for */

const char *const shape_kind_names[SHAPE_KINDS] = {
	[SHAPE_FAILED] = "failed", [SHAPE_REFUSED] = "refused", [SHAPE_ERROR] = "error"};

void shapes_done(struct failure_shapes *s)
{
	mem_free(s->items);
	mem_free(s->hits);
	intern_done(&s->keys);
	arena_done(&s->texts);
	failure_walk_done(&s->walk);
	*s = (struct failure_shapes){0};
}

/* ---- masks ---- */

static bool is_letter(char c)
{
	return str_is_plain(c) && !str_is_digit(c);
}

/* "remind.py", "a.out": a name, a dot, and a short ending that begins with a letter. */
static bool is_file_name(struct str word)
{
	size_t dot = word.n;

	while (dot > 0 && word.p[dot - 1] != '.')
		dot--;
	return dot > 1 && word.n - dot >= 1 && word.n - dot <= 5 &&
	       is_letter(word.p[dot]) &&
	       (str_is_plain(word.p[dot - 2]) || word.p[dot - 2] == '_');
}

/* "E0308", "HTTP404": a code that says which failure it is. */
static bool is_code(struct str word)
{
	size_t letters = 0;

	while (letters < word.n && word.p[letters] >= 'A' && word.p[letters] <= 'Z')
		letters++;
	for (size_t i = letters; i < word.n; i++)
		if (!str_is_digit(word.p[i]))
			return false;
	return letters && word.n - letters <= 4 && word.n - letters >= 2;
}

/* The mask of a whole word, or NULL. */
static const char *mask_of(struct str word)
{
	/* with a slash, but no paths */
	static const char *const either[] = {"I/O", "Input/output", "and/or",
		"read/write", "n/a", "file/directory", "TCP/IP"};
	size_t letters = 0, digits = 0, hex = 0, slashes = 0, dashes = 0;

	for (size_t i = 0; i < word.n; i++) {
		char c = word.p[i];

		letters += is_letter(c) || (unsigned char)c >= 0x80;
		digits += str_is_digit(c);
		hex += str_is_digit(c) || (str_small(c) >= 'a' && str_small(c) <= 'f');
		slashes += c == '/' || (c == '\\' && i + 1 < word.n);
		dashes += c == '-';
	}
	if (memmem(word.p, word.n, "://", 3))
		return "<url>";
	if (STR_AMONG_ALIKE(word, either))
		return NULL;
	if (slashes && letters && word.n > 2)
		return "<path>";
	if (is_code(word))
		return NULL;
	if (word.n == 36 && dashes == 4 && hex == 32)
		return "<id>";
	if (hex == word.n && word.n >= 7 && digits && letters)
		return "<hash>";
	if (is_file_name(word))
		return "<path>";
	if (word.n >= 10 && digits >= 3 && letters >= 3)
		return "<id>";
	return NULL;
}

/* Whether the number after these words says which failure it is: "exit code 2". */
static bool keeps_number(const struct buf *out)
{
	static const char *const words[] = {
		"exit", "code", "status", "errno", "error", "signal", "HTTP"};
	size_t end = out->len;

	while (end && strchr(" :=#(", out->data[end - 1]))
		end--;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		size_t n = strlen(words[i]);

		if (end >= n && strncasecmp(out->data + end - n, words[i], n) == 0)
			return true;
	}
	return false;
}

/* A word, its numbers masked. */
static void mask_numbers(struct str word, bool kept, struct buf *out)
{
	for (size_t i = 0, end; i < word.n; i = end) {
		for (end = i; end < word.n && str_is_digit(word.p[end]);)
			end++;
		if (end == i) {
			buf_byte(out, word.p[end++]);
			continue;
		}
		while (end + 1 < word.n && strchr(".:", word.p[end]) &&
			str_is_digit(word.p[end + 1]))
			while (++end < word.n && str_is_digit(word.p[end]))
				;
		if (kept && end - i <= 3)
			buf_add(out, word.p + i, end - i);
		else
			buf_text(out, "<n>");
	}
}

/* A number that begins the words is a status. */
static void mask_word(struct str word, bool begins, struct buf *out)
{
	size_t end = word.n;
	const char *mask;

	/* what ends a sentence is not the word's, nor is a line's number after a path */
	while (end && strchr(".:-", word.p[end - 1]))
		end--;
	for (size_t i = 1; i + 1 < end; i++)
		if (word.p[i] == ':' && str_is_digit(word.p[i + 1]) &&
			mask_of((struct str){word.p, i}) &&
			!memmem(word.p, end, "://", 3))
			end = i;
	mask = mask_of((struct str){word.p, end});
	if (mask)
		buf_text(out, mask);
	else if (is_code((struct str){word.p, end}))
		buf_add(out, word.p, end);
	else
		mask_numbers((struct str){word.p, end}, begins || keeps_number(out), out);
	mask_numbers(str_skip(word, end), false, out);
}

/* How long a path is that these words begin and a quote ends, which is the byte before
 * them: it may have blanks.  0: none is. */
static size_t path_between(struct str words, char before)
{
	bool begins = str_starts(words, STR("/")) || str_starts(words, STR("~/")) ||
		      str_starts(words, STR("./"));
	const char *end = begins && memchr("'\"`", before, 3)
				  ? memchr(words.p, before, words.n)
				  : NULL;

	return end ? (size_t)(end - words.p) : 0;
}

/* How long the sequence is that colours a terminal from here on; 0: none is here. */
static size_t escape_at(struct str words)
{
	size_t n = 2;

	if (words.n < 3 || words.p[0] != '\033' || words.p[1] != '[')
		return 0;
	while (n < words.n && !is_letter(words.p[n]))
		n++;
	return n < words.n ? n + 1 : n;
}

/* Up to where a word goes: what stands between blanks and quotes; an address has more in
 * it. */
static size_t word_end(struct str words, size_t at)
{
	bool address = false;
	size_t end = at;

	for (; end < words.n; end++) {
		char c = words.p[end];

		if (!str_is_plain(c) && !((unsigned char)c >= 0x80) &&
			!(c && strchr("_-./\\:~@%+#", c)) &&
			!(address && strchr("?=&;,", c)))
			break;
		address |= end - at > 2 && !memcmp(words.p + end - 2, "://", 3);
	}
	return end;
}

/* Appends words with masks: "open <path>: line <n>".  Linear. */
static void put_masked(struct str words, struct buf *out)
{
	for (size_t i = 0, n; i < words.n; i += n) {
		struct str rest = str_skip(words, i);

		if ((n = escape_at(rest)))
			continue;
		if ((n = path_between(rest, i ? words.p[i - 1] : ' ')))
			buf_text(out, "<path>");
		else if ((n = word_end(words, i) - i))
			mask_word((struct str){rest.p, n}, !i, out);
		else
			buf_add(out, rest.p, n = 1);
	}
}

/* ---- refusals ---- */

#define HEAD 1000 /* bytes of a result that may say so: what it begins with, */
#define TAIL 300  /* ... and ends with, as Codex, which names the command first */

/* As agents write them: Claude Code, Codex, Gemini CLI, Copilot, Cline, OpenCode, Goose,
 * Kimi, Zed, LangChain. */
static const char *const refusals[] = {"user doesn't want to", "user does not want to",
	"user rejected", "rejected by the user", "rejected by user", "user has rejected",
	"user denied", "denied by the user", "denied by user", "user has denied",
	"user declined", "user has declined", "declined by the user", "declined by user",
	"user refused", "user cancelled", "user canceled", "cancelled by the user",
	"canceled by the user", "cancelled by user", "canceled by user",
	"interrupted by user", "interrupted by the user", "user interrupted",
	"aborted by user", "aborted by the user", "user aborted", "user chose not to",
	"user chose to skip", "not approved by the user", "execution was not approved",
	"operation was rejected"};

/* What a status is in place of words. */
static const char *const states[] = {"rejected", "rejected-by-user", "declined", "denied",
	"canceled", "cancelled", "cancelled:user", "output-denied", "execution-denied"};

/* The sentence around some words: its line, from the stop before to the next. */
static struct str sentence_at(struct str text, size_t at, size_t n)
{
	size_t from = at, end = at + n;

	while (from && text.p[from - 1] != '\n' &&
		!(from > 1 && text.p[from - 1] == ' ' && strchr(".:;", text.p[from - 2])))
		from--;
	while (end < text.n && text.p[end] != '\n' &&
		!(strchr(".:;", text.p[end]) &&
			(end + 1 == text.n || strchr(" \n", text.p[end + 1]))))
		end++;
	return str_trim((struct str){text.p + from, end - from});
}

static struct str find_refusal(struct str text)
{
	for (size_t at = 0; at < text.n; at++)
		for (size_t i = 0; i < sizeof(refusals) / sizeof(*refusals); i++) {
			size_t n = strlen(refusals[i]);

			if ((text.p[at] | 0x20) == *refusals[i] && at + n <= text.n &&
				!strncasecmp(text.p + at, refusals[i], n))
				return sentence_at(text, at, n);
		}
	return (struct str){"", 0};
}

/* The sentence of a result that says that a person refused the call; empty: none does. */
static struct str refusal_in(struct str said)
{
	struct str words = str_trim(said), found;

	if (STR_AMONG_ALIKE(words, states))
		return words;
	found = find_refusal((struct str){said.p, said.n < HEAD ? said.n : HEAD});
	if (!found.n && said.n > HEAD)
		found = find_refusal(str_skip(said, said.n - TAIL));
	return found;
}

/* What the part of a result has beside its words: a status or kind that is one. */
static struct str refusal_beside(struct jv result)
{
	JV_MEMBERS(v, result, status, state, output);
	struct jv beside[] = {v.status, v.state, jv_member(v.output, "type")};

	for (size_t i = 0; i < sizeof(beside) / sizeof(*beside); i++)
		if (STR_AMONG_ALIKE(jv_plain(beside[i]), states))
			return jv_plain(beside[i]);
	return (struct str){"", 0};
}

/* ---- counting ---- */

/* Parts of words of a line that says what is wrong. */
static bool is_telling(struct str line)
{
	static const char *const words[] = {"rror", "ailed", "ailure", "annot",
		"ot found", "enied", "o such", "atal", "anic", "xception", "nvalid",
		"imed out", "imeout", "not exist", "nable to", "efused"};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (memmem(line.p, line.n, words[i], strlen(words[i])))
			return true;
	return false;
}

/* "exit 1: make: no rule …": the first line that tells, else the first that is not
 * empty. */
static void put_telling(struct str text, int exit, struct buf *out)
{
	struct str line, chosen = {"", 0};
	bool told = false;

	while (!told && str_next_line(&text, &line)) {
		line = str_trim(line);
		if (line.n > 11 && exit >= 0 && !strncasecmp(line.p, "exit code", 9) &&
			line.n < 14)
			continue; /* that is said */
		told = is_telling(line);
		if (line.n && (told || !chosen.n))
			chosen = line;
	}
	if (exit > 0)
		buf_printf(out, chosen.n ? "exit %d: " : "exit %d", exit);
	buf_add(out, chosen.p, utf8_cut(chosen.p, chosen.n, LINE_MOST));
}

/* A command that ended by itself was not refused. */
static enum shape_kind put_said(const struct failure *f, struct buf *words)
{
	AUTO_BUF said = BUF_INIT;
	struct str refusal = {"", 0}, text;

	brief_said(f->body, &said, LOOKED_MOST);
	text = str_trim(buf_view(&said));
	/* of JSON in a text (Cline, old Codex) the lines of its strings are lines, too */
	if (text.n > 1 && memchr("{[", text.p[0], 2) && memchr("\"{[ \n", text.p[1], 5))
		for (size_t i = 0; i + 1 < said.len; i++)
			if (said.data[i] == '\\' && said.data[i + 1] == 'n') {
				said.data[i] = ' ';
				said.data[++i] = '\n';
			}
	if (f->exit < 0)
		refusal = refusal_in(buf_view(&said));
	if (f->exit < 0 && !refusal.n && refusal_beside(f->result).n)
		refusal = said.len ? buf_view(&said) : refusal_beside(f->result);
	if (refusal.n)
		buf_str(words, refusal);
	else
		put_telling(buf_view(&said), f->exit, words);
	brief_squeeze(words, WORDS_MOST);
	return refusal.n ? SHAPE_REFUSED : SHAPE_FAILED;
}

static void count(struct failure_shapes *s, enum shape_kind kind, struct str tool,
	struct str words, const struct trace *trace, uint32_t step)
{
	uint32_t chain = trace_step(trace, step).chain;
	AUTO_BUF key = BUF_INIT;
	size_t head;
	uint32_t i;

	buf_printf(&key, "%d ", kind);
	buf_str(&key, tool);
	buf_byte(&key, '\0');
	head = key.len;
	put_masked(words, &key);
	i = intern_add(&s->keys, buf_view(&key));
	if (i == s->count) {
		struct str kept = intern_get(&s->keys, i);

		*MEM_ADD(s->items, s->count, s->cap) =
			(struct failure_shape){.kind = kind,
				.tool = {kept.p + 2, tool.n},
				.words = str_skip(kept, head),
				.example = arena_dup(&s->texts, words),
				.trace = s->trace,
				.chain = (size_t)chain + 1,
				.number = trace_position(trace, step) -
					  trace->chains[chain].first + 1};
	}
	s->items[i].count++;
	s->items[i].traces += s->items[i].last != s->trace + 1;
	s->items[i].last = s->trace + 1;
	s->total[kind]++;
	if (s->keeps)
		*MEM_ADD(s->hits, s->hit_count, s->hit_cap) = (struct shape_hit){i, step};
}

static bool passes(
	const struct failure_shapes *s, const struct trace *trace, uint32_t step)
{
	return !s->passes || s->passes(s->ctx, trace, step);
}

static void found(void *ctx, struct trace *trace, const struct failures *f)
{
	struct failure_shapes *s = ctx;

	for (size_t i = 0; i < f->count; i++) {
		AUTO_BUF words = BUF_INIT;
		enum shape_kind kind;

		if (!passes(s, trace, f->found[i].step))
			continue;
		kind = put_said(&f->found[i], &words);
		count(s, kind, f->found[i].tool, buf_view(&words), trace,
			f->found[i].step);
	}
}

/* ---- errors of steps ---- */

/* What the step ended with, where that is an error: "API Error: …". */
static void put_answer(const struct side *s, struct buf *words)
{
	struct jv message = JV_NONE;
	AUTO_BUF said = BUF_INIT;
	AUTO_ARENA arena = {0};
	AUTO(parts_done) struct parts parts = {0};

	if (s->view == SIDE_CHAT && s->chat.count) {
		message = s->chat.items[s->chat.count - 1];
		parts = parts_read(message, &arena);
	} else if (s->view == SIDE_TEXT) {
		buf_str(&said, s->text);
	}
	for (size_t i = 0; i < parts.count && !said.len; i++) /* the first text */
		if (PART_AT(&parts, i)->kind == PART_TEXT)
			brief_said(PART_AT(&parts, i)->body, &said, LOOKED_MOST);
	if (said.len && (is_telling(buf_view(&said)) ||
				jv_is(jv_member(message, "role"), STR("error"))))
		put_telling(buf_view(&said), -1, words);
}

/* Whether the error is that of a result of the step, which was counted: it says no more,
 * or the step is the run of that tool. */
static bool is_counted(
	struct trace *trace, uint32_t step, struct step_content *o, struct str words)
{
	struct step row = trace_step(trace, step);
	const struct pairs *p = step_content_pairs(o);

	if (!(trace_flags(trace, step) & STEP_RESULT_ERROR))
		return false;
	if (!words.n || trace_runs_tool(trace, &row))
		return true;
	for (size_t i = 0; i < p->count; i++) {
		AUTO_BUF said = BUF_INIT;

		if (p->ends[i].call || !brief_outcome(p->ends[i].what).failed)
			continue;
		brief_said(p->ends[i].what->body, &said, LOOKED_MOST);
		brief_squeeze(&said, LOOKED_MOST);
		if (memmem(said.data, said.len, words.p, words.n))
			return true;
	}
	return false;
}

/* False: a key waits. */
static bool add_error(struct failure_shapes *s, struct trace *trace, uint32_t step)
{
	AUTO_BUF words = BUF_INIT, title = BUF_INIT;
	struct step_content *o = step_content_try(trace, step, true);
	struct str refusal, tool = {"", 0};
	struct step row;

	if (!o)
		return false;
	row = trace_step(trace, step);
	/* what the trace says of it, else what it answered */
	survey_error_words(o, WORDS_MOST, &words);
	if (!words.len)
		put_answer(o->shared ? &o->input : &o->output, &words);
	brief_squeeze(&words, WORDS_MOST);
	/* the tool that the step runs, as OpenTelemetry names the step, or others */
	if (row.name_at && trace_runs_tool(trace, &row)) {
		step_title(trace, step, &title);
		tool = buf_view(&title);
		str_take(&tool, STR("execute_tool "));
		if (str_equal(tool, trace_text(trace, row.event)))
			tool = STR("");
	}
	refusal = refusal_in(buf_view(&words));
	if (!is_counted(trace, step, o, buf_view(&words)))
		count(s, refusal.n ? SHAPE_REFUSED : SHAPE_ERROR, tool,
			refusal.n ? refusal : buf_view(&words), trace, step);
	step_content_free(o);
	return true;
}

enum task_state shapes_run(
	struct failure_shapes *s, struct trace *trace, uint64_t deadline)
{
	s->walk.found = found;
	s->walk.ctx = s;
	if (failure_walk_run(&s->walk, trace, trace->count, deadline) == TASK_MORE)
		return TASK_MORE;
	while (s->at < trace->count) {
		uint32_t step = (uint32_t)s->at;

		if ((trace_flags(trace, step) & STEP_ERROR) && passes(s, trace, step) &&
			!add_error(s, trace, step))
			return TASK_MORE;
		s->at++;
		if (s->at < trace->count && clock_passed(deadline))
			return TASK_MORE;
	}
	failure_walk_done(&s->walk);
	s->at = 0;
	s->trace++;
	return TASK_DONE;
}

static int by_count(const void *x, const void *y)
{
	const struct failure_shape *a = x, *b = y;
	int order = (a->count < b->count) - (a->count > b->count);

	order = order ? order : str_compare(a->words, b->words);
	order = order ? order : str_compare(a->tool, b->tool);
	return order ? order : (int)a->kind - (int)b->kind;
}

void shapes_sort(struct failure_shapes *s)
{
	uint32_t *now = mem_alloc((s->count + 1) * sizeof(*now));

	for (size_t i = 0; i < s->count; i++)
		s->items[i].last = i;
	if (s->count)
		qsort(s->items, s->count, sizeof(*s->items), by_count);
	for (size_t i = 0; i < s->count; i++)
		now[s->items[i].last] = (uint32_t)i;
	for (size_t i = 0; i < s->hit_count; i++)
		s->hits[i].shape = now[s->hits[i].shape];
	mem_free(now);
}
