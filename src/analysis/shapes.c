/* See shapes.h. */
#include "config.h"
#include "analysis/shapes.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analysis/notable.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/utf8.h"
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
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_hex(char c)
{
	return str_is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* What one word of a mask may have in it: what stands between blanks and quotes. */
static bool is_of_word(char c)
{
	return str_is_plain(c) || (unsigned char)c >= 0x80 || (c && strchr("_-./\\:~@%+#", c));
}

struct word_look {
	size_t letters, digits, hex, slashes, dashes;
};

static struct word_look look_at(struct str word)
{
	struct word_look l = {0};

	for (size_t i = 0; i < word.n; i++) {
		l.letters += is_letter(word.p[i]) || (unsigned char)word.p[i] >= 0x80;
		l.digits += str_is_digit(word.p[i]);
		l.hex += is_hex(word.p[i]);
		l.slashes += word.p[i] == '/' || word.p[i] == '\\';
		l.dashes += word.p[i] == '-';
	}
	return l;
}

/* "remind.py", "a.out": a name, a dot, and a short ending that begins with a letter. */
static bool is_file_name(struct str word)
{
	size_t dot = word.n;

	while (dot > 0 && word.p[dot - 1] != '.')
		dot--;
	return dot > 1 && word.n - dot >= 1 && word.n - dot <= 5 && is_letter(word.p[dot]) &&
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
	struct word_look l = look_at(word);

	if (memmem(word.p, word.n, "://", 3))
		return "<url>";
	if (l.slashes && l.letters && word.n > 2)
		return "<path>";
	if (is_code(word))
		return NULL;
	if (word.n == 36 && l.dashes == 4 && l.hex == 32)
		return "<id>";
	if (l.hex == word.n && word.n >= 7 && l.digits && l.letters)
		return "<hash>";
	if (is_file_name(word))
		return "<path>";
	if (word.n >= 10 && l.digits >= 3 && l.letters >= 3)
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

void shape_mask(struct str words, struct buf *out)
{
	for (size_t i = 0, end; i < words.n; i = end) {
		bool address = false;

		for (end = i; end < words.n && (is_of_word(words.p[end]) ||
						       (address && strchr("?=&;,", words.p[end])));
			end++)
			address |= end - i > 2 && !memcmp(words.p + end - 2, "://", 3);
		if (end > i)
			mask_word((struct str){words.p + i, end - i}, !i, out);
		else
			buf_byte(out, words.p[end++]);
	}
}

/* ---- refusals ---- */

/* As agents write them: Claude Code, Codex, Gemini CLI, Copilot, Cline, OpenCode. */
bool shape_is_refusal(struct str words)
{
	static const char *const says[] = {"user doesn't want to", "user does not want to",
		"user rejected", "rejected by the user", "rejected by user",
		"user has rejected", "user denied", "denied by the user", "denied by user",
		"user declined", "declined by the user", "user refused", "user cancelled",
		"user canceled", "cancelled by the user", "cancelled by user",
		"canceled by user", "interrupted by user", "interrupted by the user",
		"user interrupted", "aborted by user", "aborted by the user",
		"user chose not to", "operation was rejected"};

	for (size_t i = 0; i < sizeof(says) / sizeof(*says); i++)
		for (size_t at = 0, n = strlen(says[i]); at + n <= words.n; at++)
			if ((words.p[at] | 0x20) == *says[i] &&
				!strncasecmp(words.p + at, says[i], n))
				return true;
	return false;
}

/* ---- counting ---- */

/* Parts of words of a line that says what is wrong. */
static bool is_telling(struct str line)
{
	static const char *const words[] = {"rror", "ailed", "ailure", "annot", "ot found",
		"enied", "o such", "atal", "anic", "xception", "nvalid", "imed out",
		"imeout", "not exist", "nable to", "efused"};

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

static void put_said(const struct failure *f, struct buf *words)
{
	AUTO_BUF said = BUF_INIT;

	brief_said(f->body, &said, LOOKED_MOST);
	put_telling(buf_view(&said), f->exit, words);
	brief_squeeze(words, WORDS_MOST);
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
	shape_mask(words, &key);
	i = intern_add(&s->keys, buf_view(&key));
	if (i == s->count) {
		struct str kept = intern_get(&s->keys, i);

		*(struct failure_shape *)MEM_ADD(s->items, s->count, s->cap) =
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
		*(struct shape_hit *)MEM_ADD(s->hits, s->hit_count, s->hit_cap) =
			(struct shape_hit){i, step};
}

static bool passes(const struct failure_shapes *s, const struct trace *trace, uint32_t step)
{
	return !s->passes || s->passes(s->ctx, trace, step);
}

static void found(void *ctx, struct trace *trace, const struct failures *f)
{
	struct failure_shapes *s = ctx;

	for (size_t i = 0; i < f->count; i++) {
		AUTO_BUF words = BUF_INIT;

		if (!passes(s, trace, f->found[i].step))
			continue;
		put_said(&f->found[i], &words);
		count(s,
			shape_is_refusal(buf_view(&words)) ? SHAPE_REFUSED : SHAPE_FAILED,
			f->found[i].tool, buf_view(&words), trace, f->found[i].step);
	}
}

static void add_error(struct failure_shapes *s, struct trace *trace, uint32_t step)
{
	AUTO_BUF words = BUF_INIT;
	struct opened *o = opened_new(trace, step);

	notable_error_words(o, WORDS_MOST, &words);
	brief_squeeze(&words, WORDS_MOST);
	opened_free(o);
	count(s, shape_is_refusal(buf_view(&words)) ? SHAPE_REFUSED : SHAPE_ERROR, STR(""),
		buf_view(&words), trace, step);
}

enum task_state shapes_run(struct failure_shapes *s, struct trace *trace, uint64_t deadline)
{
	s->walk.found = found;
	s->walk.ctx = s;
	if (failure_walk_run(&s->walk, trace, trace->count, deadline) == TASK_MORE)
		return TASK_MORE;
	while (s->at < trace->count) {
		uint32_t step = (uint32_t)s->at++;

		if ((trace_flags(trace, step) & STEP_ERROR) && passes(s, trace, step))
			add_error(s, trace, step);
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

	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	if (!str_equal(a->words, b->words))
		return memcmp(a->words.p, b->words.p,
			       a->words.n < b->words.n ? a->words.n : b->words.n) < 0
			       ? -1
			       : 1;
	return a->trace < b->trace ? -1 : a->trace > b->trace;
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
