/*
 * Shell commands that touch files, as far as that is clear without running them: words
 * with quotes, what stands between && ; | and newlines, redirections, here-documents, and
 * a handful of commands.  A word with a variable, a pattern or a command in it names no
 * file here; what is not understood is passed over.
 */
#include "config.h"
#include "analysis/touch.h"

#include "base/buf.h"
#include "base/mem.h"

#define NESTING 3 /* bash -c in bash -c */

struct shell_word {
	struct str text; /* without its quotes */
	const char *at;  /* where it stands in the command's raw text, or NULL */
	bool open;       /* the shell puts something in: $x, *, `x`, ~ */
};

struct redirect {
	enum { INTO, APPEND, HERE, OTHER } kind;
	struct shell_word word; /* the file; of HERE the word that ends it */
	struct str body;        /* of HERE */
	bool quiet;             /* of HERE: tabs before its lines are dropped */
};

struct shell_command {
	struct shell_word *words;
	size_t count, cap;
	struct redirect *redirects;
	size_t redirect_count, redirect_cap;
	struct str raw; /* as it stands */
	bool piped;     /* its input is what the one before it writes */
};

struct shell_script {
	struct touch_reader *r;
	const char *p, *end;
	struct shell_command
		*line; /* the commands of one line: their here-documents follow it */
	size_t count, cap;
};

/* ---- words ---- */

static bool is_one_of(char c, const char *set)
{
	return c && strchr(set, c);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* After "$(": to the bracket that closes it. */
static void skip_brackets(struct shell_script *s)
{
	unsigned depth = 0;

	for (; s->p < s->end; s->p++) {
		depth += *s->p == '(';
		if (*s->p == ')' && !--depth) {
			s->p++;
			return;
		}
	}
}

static void read_double(struct shell_script *s, struct buf *text, bool *open)
{
	while (s->p < s->end && *s->p != '"') {
		char c = *s->p++;

		if (c == '\\' && s->p < s->end && is_one_of(*s->p, "\\\"$`\n")) {
			if (*s->p != '\n')
				buf_byte(text, *s->p);
			s->p++;
			continue;
		}
		*open |= c == '$' || c == '`';
		buf_byte(text, c);
	}
	s->p += s->p < s->end;
}

static struct shell_word read_word(struct shell_script *s)
{
	struct buf text = BUF_INIT;
	struct shell_word word = {.at = s->p};
	const char *first = s->p, *close;

	while (s->p < s->end && !is_blank(*s->p) && !is_one_of(*s->p, "\n;&|<>()")) {
		char c = *s->p++;

		if (c == '\'') {
			close = memchr(s->p, '\'', (size_t)(s->end - s->p));
			close = close ? close : s->end;
			buf_add(&text, s->p, (size_t)(close - s->p));
			s->p = close < s->end ? close + 1 : close;
		} else if (c == '"') {
			read_double(s, &text, &word.open);
		} else if (c == '\\' && s->p < s->end) {
			if (*s->p != '\n')
				buf_byte(&text, *s->p);
			s->p++;
		} else {
			word.open |=
				is_one_of(c, "$`*?[{") || (c == '~' && s->p == first + 1);
			if (c == '$' && s->p < s->end && *s->p == '(')
				skip_brackets(s);
			buf_byte(&text, c);
		}
	}
	word.text = arena_keep(s->r->arena, &text);
	return word;
}

static void skip_blanks(struct shell_script *s)
{
	while (s->p < s->end && (is_blank(*s->p) || (*s->p == '\\' && s->p + 1 < s->end &&
							    s->p[1] == '\n')))
		s->p += *s->p == '\\' ? 2 : 1;
}

/* ---- redirections ---- */

/* From "<" or ">" on; `other`: the number before it is not that of the output. */
static void read_redirect(struct shell_script *s, struct shell_command *c, bool other)
{
	struct redirect *r = MEM_ADD(c->redirects, c->redirect_count, c->redirect_cap);
	char sign = *s->p++;
	bool twice = s->p < s->end && *s->p == sign;

	*r = (struct redirect){.kind = OTHER};
	s->p += twice;
	if (sign == '>') {
		r->kind = other ? OTHER : twice ? APPEND : INTO;
		if (s->p < s->end && *s->p == '&')
			r->kind = OTHER;
		s->p += s->p < s->end && is_one_of(*s->p, "&|");
	} else if (twice && s->p < s->end && *s->p == '<') {
		s->p++;
	} else if (twice) {
		r->kind = HERE;
		r->quiet = s->p < s->end && *s->p == '-';
		s->p += r->quiet;
	}
	skip_blanks(s);
	r->word = read_word(s);
}

/* The lines up to the one that ends it. */
static void read_body(struct shell_script *s, struct redirect *r)
{
	struct str rest = {s->p, (size_t)(s->end - s->p)}, line;
	const char *from = s->p, *to = s->p;

	while (str_next_line(&rest, &line)) {
		while (r->quiet && line.n && *line.p == '\t') {
			line.p++;
			line.n--;
		}
		if (str_equal(line, r->word.text))
			break;
		to = rest.p;
	}
	r->body = (struct str){from, (size_t)(to - from)};
	s->p = rest.p;
}

/* ---- commands ---- */

static const struct redirect *find_redirect(const struct shell_command *c, int kind)
{
	for (size_t i = 0; i < c->redirect_count; i++)
		if ((int)c->redirects[i].kind == kind)
			return &c->redirects[i];
	return NULL;
}

/* A word that is the name of a file, and no device. */
static bool is_file(const struct shell_word *w)
{
	return !w->open && w->text.n && !str_starts(w->text, STR("/dev/")) &&
	       !str_starts(w->text, STR("-"));
}

static void add(struct shell_script *s, const struct shell_word *file, struct touch touch)
{
	touch.path = file->text;
	if (is_file(file))
		touch_add(s->r, touch);
}

/* Whether a word is options that have one of some letters. */
static bool has_letter(struct str word, const char *letters)
{
	if (word.n < 2 || word.p[0] != '-' || word.p[1] == '-')
		return false;
	for (size_t i = 1; i < word.n; i++)
		if (is_one_of(word.p[i], letters))
			return true;
	return false;
}

/* "-i", "-i.bak", "-Ei", "--in-place": of sed. */
static bool is_in_place(struct str word)
{
	if (str_starts(word, STR("--in-place")))
		return true;
	for (size_t i = 1; i < word.n && word.p[0] == '-'; i++) {
		if (word.p[i] == 'i')
			return true;
		if (!is_one_of(word.p[i], "nErsuz"))
			return false;
	}
	return false;
}

/* sed: files that it changes, or of which it prints lines. */
static void read_sed(struct shell_script *s, const struct shell_command *c)
{
	bool in_place = false, scripted = false, prints = false;

	for (size_t i = 1; i < c->count; i++)
		in_place |= is_in_place(c->words[i].text);
	for (size_t i = 1; i < c->count; i++) {
		struct str word = c->words[i].text;

		prints |= str_equal(word, STR("-n"));
		if (str_equal(word, STR("-e")) || str_equal(word, STR("-f"))) {
			scripted = true;
			i++;
		} else if (str_starts(word, STR("-")) || !word.n) {
			continue; /* BSD's -i has an empty word after it */
		} else if (!scripted) {
			scripted = true;
		} else if (in_place || prints) {
			add(s, &c->words[i],
				(struct touch){.kind = in_place ? TOUCH_EDIT : TOUCH_READ,
					.command = c->raw});
		}
	}
}

static void read_perl(struct shell_script *s, const struct shell_command *c)
{
	bool in_place = false, scripted = false;

	for (size_t i = 1; i < c->count; i++) {
		struct str word = c->words[i].text;

		in_place |= has_letter(word, "i");
		if (str_starts(word, STR("-"))) {
			if (word.p[word.n - 1] == 'e') {
				scripted = true;
				i++;
			}
		} else if (in_place && scripted) {
			add(s, &c->words[i],
				(struct touch){.kind = TOUCH_EDIT, .command = c->raw});
		}
	}
}

static void add_files(struct shell_script *s, const struct shell_command *c,
	enum touch_kind kind, const char *with_value)
{
	struct touch touch = {
		.kind = kind, .command = kind == TOUCH_DELETE ? STR("") : c->raw};

	for (size_t i = 1; i < c->count; i++) {
		struct str word = c->words[i].text;

		if (word.n == 2 && word.p[0] == '-' && is_one_of(word.p[1], with_value))
			i++;
		else
			add(s, &c->words[i], touch);
	}
}

/* The two words of mv and cp; more of them go into a folder. */
static void read_move(struct shell_script *s, const struct shell_command *c, bool copy)
{
	const struct shell_word *files[2];
	struct touch touch = {
		.kind = copy ? TOUCH_CREATE : TOUCH_RENAME, .command = c->raw};
	size_t count = 0;

	for (size_t i = 1; i < c->count; i++) {
		if (str_starts(c->words[i].text, STR("-")))
			continue;
		if (count == 2)
			return;
		files[count++] = &c->words[i];
	}
	if (count < 2 || !is_file(files[0]) || !is_file(files[1]))
		return;
	if (files[1]->text.p[files[1]->text.n - 1] == '/' ||
		str_ends(files[1]->text, STR(".")))
		return; /* a folder */
	if (!copy)
		touch.to = files[1]->text;
	add(s, files[copy], touch);
}

static void read_cd(struct shell_script *s, const struct shell_command *c)
{
	struct str folder =
		c->count == 2 && !c->words[1].open ? c->words[1].text : STR("");
	struct buf joined = BUF_INIT;

	if (folder.n && folder.p[0] != '/' && s->r->folder.n) {
		buf_str(&joined, s->r->folder);
		buf_byte(&joined, '/');
		buf_str(&joined, folder);
		folder = joined.len < PATH_MOST
				 ? arena_dup(s->r->arena, buf_view(&joined))
				 : STR("");
		buf_done(&joined);
	}
	s->r->folder = folder;
}

/* The text that goes into the file of a redirection; false: it is not known. */
static bool output_of(
	struct shell_script *s, const struct shell_command *c, struct str *text)
{
	const struct redirect *here = find_redirect(c, HERE);
	struct str name = c->count ? str_file_name(c->words[0].text) : STR("");
	AUTO_BUF out = BUF_INIT;

	if (here && str_equal(name, STR("cat")) && c->count == 1) {
		*text = here->body;
		return true;
	}
	if (!str_equal(name, STR("echo")))
		return false;
	for (size_t i = 1; i < c->count; i++) {
		if (c->words[i].open || str_starts(c->words[i].text, STR("-")))
			return false;
		buf_text(&out, i > 1 ? " " : "");
		buf_str(&out, c->words[i].text);
	}
	buf_byte(&out, '\n');
	*text = arena_keep(s->r->arena, &out);
	return true;
}

static void add_written(struct shell_script *s, const struct shell_word *file,
	bool append, const struct shell_command *c, const struct shell_command *from)
{
	struct str text = {"", 0};
	bool known = from && output_of(s, from, &text);

	add(s, file,
		(struct touch){.kind = append ? TOUCH_INSERT : TOUCH_CREATE,
			.is = text,
			.command = known ? STR("") : c->raw});
}

static void read_tee(struct shell_script *s, const struct shell_command *c,
	const struct shell_command *from)
{
	const struct redirect *here = find_redirect(c, HERE);
	bool append = false;

	for (size_t i = 1; i < c->count; i++) {
		append |= str_equal(c->words[i].text, STR("-a"));
		if (here)
			add(s, &c->words[i],
				(struct touch){
					.kind = append ? TOUCH_INSERT : TOUCH_CREATE,
					.is = here->body,
					.command = STR("")});
		else
			add_written(s, &c->words[i], append, c, from);
	}
}

/* apply_patch, git apply, patch: from a here-document or an argument. */
static bool read_patch(
	struct shell_script *s, const struct shell_command *c, struct str name)
{
	static const char *const names[] = {"apply_patch", "applypatch", "patch", "git"};
	const struct redirect *here = find_redirect(c, HERE);

	if (!STR_AMONG(name, names))
		return false;
	if (here)
		return touch_read_patch(s->r, here->body, STR(""));
	return c->count > 1 && touch_read_patch(s->r, c->words[1].text, STR(""));
}

static void read_nested(struct shell_script *s, const struct shell_command *c)
{
	struct touch_reader inner = *s->r; /* its `cd` stays inside */

	for (size_t i = 1; i + 1 < c->count && inner.shells < NESTING; i++)
		if (has_letter(c->words[i].text, "c")) {
			inner.shells++;
			touch_read_script(&inner, c->words[i + 1].text);
			return;
		}
}

/* A command by its name; "git mv" and "git rm" are like mv and rm. */
static void read_named(
	struct shell_script *s, const struct shell_command *command, struct str name)
{
	static const char *const readers[] = {
		"cat", "head", "tail", "nl", "less", "more"};
	static const char *const shells[] = {"bash", "sh", "zsh", "dash"};
	static const char *const of_git[] = {"mv", "rm"};
	struct shell_command without_git = *command, *c = &without_git;
	bool writes = find_redirect(c, INTO) || find_redirect(c, APPEND);

	if (str_equal(name, STR("git")) && c->count > 1 &&
		STR_AMONG(c->words[1].text, of_git)) {
		name = c->words[1].text;
		c->words++;
		c->count--;
	}
	if (str_equal(name, STR("cd")))
		read_cd(s, c);
	else if (str_equal(name, STR("sed")))
		read_sed(s, c);
	else if (str_equal(name, STR("perl")))
		read_perl(s, c);
	else if (str_equal(name, STR("rm")))
		add_files(s, c, TOUCH_DELETE, "");
	else if (str_equal(name, STR("touch")))
		add_files(s, c, TOUCH_CREATE, "drt");
	else if (str_equal(name, STR("mv")) || str_equal(name, STR("cp")))
		read_move(s, c, name.p[0] == 'c');
	else if (STR_AMONG(name, shells))
		read_nested(s, c);
	else if (STR_AMONG(name, readers) && !writes)
		add_files(s, c, TOUCH_READ, "nc");
}

static bool is_command_name(struct str name)
{
	bool small = false;

	for (size_t i = 0; i < name.n; i++) {
		char c = name.p[i];

		small |= c >= 'a' && c <= 'z';
		if (!(str_is_plain(c) || is_one_of(c, "._-+")))
			return false;
	}
	return small;
}

static void read_command(struct shell_script *s, struct shell_command *c,
	const struct shell_command *before)
{
	static const char *const others[] = {"sudo", "env", "command", "time", "!", "{",
		"then", "do", "else", "if", "while", "nohup", "exec"};
	const struct shell_command *from = c->piped ? before : NULL;
	struct shell_command named = *c;
	size_t skip = 0;
	struct str name;

	/* what stands before a command and is none: X=1, sudo, then, "{", "!" */
	for (; skip < c->count; skip++) {
		struct str word = c->words[skip].text;
		const char *equals = memchr(word.p, '=', word.n);

		if (!STR_AMONG(word, others) && (!equals || equals == word.p))
			break;
	}
	if (skip) {
		named.words += skip;
		named.count -= skip;
	}
	if (skip && named.count && named.words[0].at) {
		named.raw.n -= (size_t)(named.words[0].at - named.raw.p);
		named.raw.p = named.words[0].at;
	}
	name = named.count ? str_file_name(named.words[0].text) : STR("");
	if (named.count && !is_command_name(name))
		return;
	if (read_patch(s, &named, name))
		return;
	if (str_equal(name, STR("tee"))) {
		read_tee(s, &named, from);
		return;
	}
	for (size_t i = 0; i < c->redirect_count; i++)
		if (c->redirects[i].kind <= APPEND)
			add_written(s, &c->redirects[i].word,
				c->redirects[i].kind == APPEND, &named, &named);
	read_named(s, &named, name);
}

/* ---- lines ---- */

static struct shell_command *begin_command(struct shell_script *s, bool piped)
{
	struct shell_command *c = MEM_ADD(s->line, s->count, s->cap);

	*c = (struct shell_command){.piped = piped, .raw = {s->p, 0}};
	return c;
}

/* Up to the end of a line, or of the script; here-documents are read after it. */
static void read_line(struct shell_script *s)
{
	struct shell_command *c = begin_command(s, false);

	for (skip_blanks(s); s->p < s->end && *s->p != '\n'; skip_blanks(s)) {
		if (!c->count && !c->redirect_count)
			c->raw.p = s->p;
		if (*s->p == '#') {
			const char *end = memchr(s->p, '\n', (size_t)(s->end - s->p));

			s->p = end ? end : s->end;
		} else if (*s->p == '&' && s->p + 1 < s->end && s->p[1] == '>') {
			s->p++;
			read_redirect(s, c, false);
			c->raw.n = (size_t)(s->p - c->raw.p);
		} else if (is_one_of(*s->p, ";&|()")) {
			bool pipe = *s->p == '|' && s->p + 1 < s->end && s->p[1] != '|';

			s->p += s->p + 1 < s->end && s->p[1] == *s->p ? 2 : 1;
			c = begin_command(s, pipe);
		} else if (*s->p == '<' || *s->p == '>') {
			read_redirect(s, c, false);
			c->raw.n = (size_t)(s->p - c->raw.p);
		} else {
			const char *from = s->p;
			struct shell_word word = read_word(s);
			/* the number before a redirection is no word */
			bool number = word.text.n == 1 && from + 1 == s->p &&
				      str_is_digit(*from);

			if (number && s->p < s->end && (*s->p == '<' || *s->p == '>'))
				read_redirect(s, c, *from != '1');
			else
				*MEM_ADD(c->words, c->count, c->cap) = word;
			c->raw.n = (size_t)(s->p - c->raw.p);
		}
	}
	s->p += s->p < s->end;
	for (size_t i = 0; i < s->count; i++)
		for (size_t j = 0; j < s->line[i].redirect_count; j++)
			if (s->line[i].redirects[j].kind == HERE)
				read_body(s, &s->line[i].redirects[j]);
}

void touch_read_script(struct touch_reader *r, struct str script)
{
	struct shell_script s = {.r = r, .p = script.p, .end = script.p + script.n};

	while (s.p < s.end) {
		read_line(&s);
		for (size_t i = 0; i < s.count; i++)
			read_command(&s, &s.line[i], i ? &s.line[i - 1] : NULL);
		for (size_t i = 0; i < s.count; i++) {
			mem_free(s.line[i].words);
			mem_free(s.line[i].redirects);
		}
		s.count = 0;
	}
	mem_free(s.line);
}

void touch_read_argv(struct touch_reader *r, struct jv array)
{
	struct shell_script s = {.r = r};
	struct shell_command c = {0};
	AUTO_BUF raw = BUF_INIT;

	JV_EACH(v, array) {
		struct shell_word word = {0};

		if (v.kind != J_STRING)
			continue;
		word.text = jv_keep(v, r->arena);
		buf_text(&raw, raw.len ? " " : "");
		buf_str(&raw, word.text);
		*MEM_ADD(c.words, c.count, c.cap) = word;
	}
	c.raw = arena_dup(r->arena, buf_view(&raw));
	if (c.count == 1)
		touch_read_script(r, c.words[0].text);
	else
		read_command(&s, &c, NULL);
	mem_free(c.words);
}
