/* See code.h. */
#include "config.h"
#include "text/code.h"

#include "base/effort.h"
#include "text/line.h"

/* ---- languages ---- */

/* Lists are words between blanks, with one at both ends. */
struct language {
	const char *names;    /* after a fence, and as endings of files */
	const char *files;    /* whole names of files, in small letters */
	const char *comments; /* signs that begin one to the end of the line */
	const char *open;     /* of a comment over several lines */
	const char *close;
	const char *quotes; /* signs around strings */
	const char *wide;   /* those of strings over several lines */
	const char *inside; /* signs within words, but for letters, digits and _ */
	const char *keywords;
	bool any_case; /* of keywords */
	bool triple;   /* """ and ''' begin strings over several lines */
	bool tags;     /* words after < are keywords */
	char keys;     /* the sign after the key of a mapping */
	struct {
		char sign; /* lines that begin with it have one role */
		enum role role;
	} lines[6];
};

#define C_WORDS                                                                          \
	" auto break case char const continue default do double else enum extern false " \
	"float for goto if inline int long register return short signed sizeof static "  \
	"struct switch true typedef union unsigned void volatile while bool NULL "
#define JS_WORDS                                                                         \
	" async await break case catch class const continue debugger default delete do " \
	"else export extends false finally for from function get if import in "          \
	"instanceof let new null of return set static super switch this throw true try " \
	"typeof undefined var void while with yield "
#define BLOCKS .open = "/*", .close = "*/"

static const struct language languages[] = {
	{.names = " c h ",
		.comments = " // ",
		BLOCKS,
		.quotes = "\"'",
		.keywords = C_WORDS "_Bool _Static_assert #include #define #if #ifdef "
				    "#ifndef #else #elif #endif #pragma #undef ",
		.inside = "#"},
	{.names = " cpp c++ cc cxx hpp hh hxx ino cu ",
		.comments = " // ",
		BLOCKS,
		.quotes = "\"'",
		.keywords = C_WORDS
		"alignas alignof catch class concept consteval constexpr co_await "
		"co_return co_yield decltype delete explicit export final friend "
		"mutable namespace new noexcept nullptr operator override private "
		"protected public requires template this throw try typename using "
		"virtual #include #define #if #ifdef #ifndef #else #elif #endif "
		"#pragma ",
		.inside = "#"},
	{.names = " java ",
		.comments = " // ",
		BLOCKS,
		.quotes = "\"'",
		.triple = true,
		.keywords = " abstract assert boolean break byte case catch char class "
			    "const continue default do double else enum extends false "
			    "final finally float for if implements import instanceof int "
			    "interface long native new null package permits private "
			    "protected public record return sealed short static super "
			    "switch synchronized this throw throws transient true try "
			    "var void volatile while yield "},
	{.names = " csharp cs c# ",
		.comments = " // ",
		BLOCKS,
		.quotes = "\"'",
		.triple = true,
		.keywords = " abstract as async await base bool break byte case catch "
			    "char class const continue decimal default delegate do "
			    "double else enum event explicit extern false finally fixed "
			    "float for foreach get if implicit in init int interface "
			    "internal is lock long namespace new null object operator "
			    "out override params private protected public readonly "
			    "record ref return sealed set short sizeof static string "
			    "struct switch this throw true try typeof uint ulong using "
			    "var virtual void when where while yield "},
	{.names = " javascript js jsx mjs cjs ",
		.comments = " // ",
		BLOCKS,
		.quotes = "\"'`",
		.wide = "`",
		.inside = "$",
		.keywords = JS_WORDS},
	{.names = " typescript ts tsx mts cts svelte vue ",
		.comments = " // ",
		BLOCKS,
		.quotes = "\"'`",
		.wide = "`",
		.inside = "$",
		.keywords = JS_WORDS
		"abstract any as asserts bigint boolean declare enum implements infer "
		"interface is keyof module namespace never number object override "
		"private protected public readonly satisfies string symbol type "
		"unknown "},
	{.names = " python py pyi pyw py3 python3 ipython starlark bzl ",
		.files = " build workspace sconstruct ",
		.comments = " # ",
		.quotes = "\"'",
		.triple = true,
		.keywords = " False None True and as assert async await break case class "
			    "continue def del elif else except finally for from global "
			    "if import in is lambda match nonlocal not or pass raise "
			    "return self try while with yield "},
	{.names = " ruby rb rake gemspec ",
		.files = " rakefile gemfile podfile vagrantfile ",
		.comments = " # ",
		.open = "=begin",
		.close = "=end",
		.quotes = "\"'`",
		.inside = "?",
		.keywords = " BEGIN END alias and begin break case class def defined? do "
			    "else elsif end ensure false for if in module next nil not "
			    "or private redo require rescue retry return self super "
			    "then true undef unless until when while yield "},
	{.names = " go golang ",
		.comments = " // ",
		BLOCKS,
		.quotes = "\"'`",
		.wide = "`",
		.keywords = " any bool break byte case chan const continue default defer "
			    "else error fallthrough false float32 float64 for func go "
			    "goto if import int int32 int64 interface map nil package "
			    "range return rune select string struct switch true type "
			    "uint uint32 uint64 var "},
	{.names = " rust rs ",
		.comments = " // ",
		BLOCKS,
		.quotes = "\"",
		.wide = "\"",
		.inside = "!",
		.keywords = " Self as async await bool box break char const continue "
			    "crate dyn else enum extern f32 f64 false fn for i16 i32 i64 "
			    "i8 if impl in isize let loop match mod move mut pub ref "
			    "return self static str struct super trait true type u16 u32 "
			    "u64 u8 unsafe use usize where while "},
	{.names = " php phtml ",
		.comments = " // # ",
		BLOCKS,
		.quotes = "\"'",
		.wide = "\"'",
		.any_case = true,
		.keywords = " abstract and array as break case catch class clone const "
			    "continue declare default do echo else elseif empty extends "
			    "false final finally fn for foreach function global if "
			    "implements include instanceof interface isset list match "
			    "namespace new null or print private protected public "
			    "readonly require require_once return self static switch "
			    "this throw trait true try unset use var while yield "},
	{.names = " swift ",
		.comments = " // ",
		BLOCKS,
		.quotes = "\"",
		.triple = true,
		.keywords = " actor as associatedtype async await break case catch class "
			    "continue default defer deinit do else enum extension false "
			    "fileprivate final for func guard if import in init inout "
			    "internal is let nil open operator override private protocol "
			    "public repeat return self some static struct subscript "
			    "super switch throw throws true try var weak where while "},
	{.names = " kotlin kt kts ",
		.comments = " // ",
		BLOCKS,
		.quotes = "\"'",
		.triple = true,
		.keywords =
			" abstract as break by class companion const continue data do "
			"else enum false final for fun if import in init inline "
			"interface internal is lateinit null object open override "
			"package private protected public return sealed super "
			"suspend this throw true try typealias val var when while "},
	{.names = " scala sc sbt ",
		.comments = " // ",
		BLOCKS,
		.quotes = "\"",
		.triple = true,
		.keywords = " abstract case catch class def do else enum extends false "
			    "final finally for given if implicit import lazy match new "
			    "null object override package private protected return "
			    "sealed super then this throw trait true try type using val "
			    "var while with yield "},
	{.names = " shell sh bash zsh ksh fish console shellsession terminal ",
		.files = " .bashrc .profile .zshrc .bash_profile ",
		.comments = " # ",
		.quotes = "\"'",
		.wide = "\"'",
		.inside = "-./",
		.keywords = " alias case cd do done echo elif else esac eval exec exit "
			    "export fi for function if in local read return set shift "
			    "sudo source then trap unset until while "},
	{.names = " sql psql mysql sqlite plsql ",
		.comments = " -- ",
		BLOCKS,
		.quotes = "'\"`",
		.wide = "'",
		.any_case = true,
		.keywords =
			" add all alter and any as asc begin between bigint bool by "
			"cascade case check column commit constraint create cross "
			"database default delete desc distinct drop else end exists "
			"explain false foreign from full group having if in index inner "
			"insert int integer into is join key left like limit not null "
			"numeric offset on or order outer over partition primary "
			"references returning right rollback select serial set table "
			"text then timestamp transaction true union unique update using "
			"values varchar view when where with "},
	{.names = " html xml htm xhtml svg xsl plist csproj pom ",
		.open = "<!--",
		.close = "-->",
		.quotes = "\"",
		.wide = "\"",
		.inside = "-:",
		.tags = true},
	{.names = " css scss sass less ",
		BLOCKS,
		.quotes = "\"'",
		.inside = "-@",
		.keys = ':',
		.keywords = " @charset @container @font-face @import @include @keyframes "
			    "@layer @media @mixin @supports @use inherit initial none "
			    "auto unset "},
	{.names = " json jsonc json5 jsonl ndjson ipynb ",
		.comments = " // ",
		.quotes = "\"",
		.keys = ':',
		.keywords = " true false null "},
	{.names = " yaml yml ",
		.comments = " # ",
		.quotes = "\"",
		.inside = "-.",
		.keys = ':',
		.keywords = " true false null yes no on off "},
	{.names = " toml ini cfg conf properties env editorconfig ",
		.files = " .env .gitconfig cargo.lock poetry.lock ",
		.comments = " # ",
		.quotes = "\"'",
		.triple = true,
		.inside = "-.",
		.keys = '=',
		.keywords = " true false ",
		.lines = {{'[', ROLE_HEADING}, {';', ROLE_COMMENT}}},
	{.names = " lua ",
		.comments = " -- ",
		.open = "--[[",
		.close = "]]",
		.quotes = "\"'",
		.keywords = " and break do else elseif end false for function goto if in "
			    "local nil not or repeat return then true until while "},
	{.names = " perl pl pm t ",
		.comments = " # ",
		.quotes = "\"'",
		.wide = "\"'",
		.keywords =
			" and cmp continue defined die do each else elsif eq for "
			"foreach ge given gt if keys last le local lt my ne next no "
			"not or our package print push redo require return say scalar "
			"shift sub undef unless until use warn while "},
	{.names = " r rscript rmd ",
		.comments = " # ",
		.quotes = "\"'",
		.wide = "\"'",
		.inside = ".",
		.keywords = " FALSE Inf NA NULL NaN TRUE break else for function if in "
			    "library next repeat require return while "},
	{.names = " haskell hs lhs elm purs ",
		.comments = " -- ",
		.open = "{-",
		.close = "-}",
		.quotes = "\"",
		.inside = "'",
		.keywords = " as case class data default deriving do else forall foreign "
			    "hiding if import in infix infixl infixr instance let module "
			    "newtype of qualified then type where "},
	{.names = " makefile make mk mak am ",
		.files = " makefile gnumakefile makefile.am makefile.in ",
		.comments = " # ",
		.quotes = "\"'",
		.inside = "-.",
		.keys = ':',
		.keywords = " .PHONY define else endef endif export ifdef ifeq ifndef "
			    "ifneq include override unexport -include "},
	{.names = " dockerfile docker containerfile ",
		.files = " dockerfile containerfile ",
		.comments = " # ",
		.quotes = "\"'",
		.keywords = " ADD ARG AS CMD COPY ENTRYPOINT ENV EXPOSE FROM HEALTHCHECK "
			    "LABEL ONBUILD RUN SHELL STOPSIGNAL USER VOLUME WORKDIR "},
	{.names = " diff patch udiff ",
		.lines = {{'+', ROLE_ADDED_LINE}, {'-', ROLE_DELETED_LINE},
			{'@', ROLE_DIM}, {'*', ROLE_DIM}, {'\\', ROLE_DIM}}},
	{.names = " markdown md mdx mdc rst ",
		.files = " readme changelog ",
		.quotes = "`",
		.lines = {{'#', ROLE_HEADING}, {'>', ROLE_QUOTE}}},
	{.names = " zig nim dart groovy gradle proto graphql gql solidity sol ",
		.comments = " // ",
		BLOCKS,
		.quotes = "\"'",
		.triple = true,
		.keywords = " abstract async await bool break case catch class const "
			    "continue def default defer do else enum export extends "
			    "false final fn for func function if implements import in "
			    "int interface is let message mut new null package private "
			    "pub public query repeated required return service static "
			    "string struct super switch this throw true try type var "
			    "void while with "},
	{.names = " elixir ex exs terraform tf hcl julia jl nix cmake gn ",
		.files = " cmakelists.txt ",
		.comments = " # ",
		.quotes = "\"",
		.triple = true,
		.keywords = " begin case cond const data def defmodule defp do else "
			    "elseif end endif export false fn for foreach function if "
			    "import in inherit let local macro module nil nothing "
			    "provider quote resource return set struct then true using "
			    "variable when where while with "},
};

#define LANGUAGES (sizeof(languages) / sizeof(*languages))

#define WORD_MOST 32 /* bytes of a word that may be a keyword or the name of a language  \
		      */

/* ---- which language ---- */

static char small(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Whether a list of the table has a word. */
static bool has_word(const char *list, struct str word, bool any_case)
{
	char key[WORD_MOST + 3];

	if (!list || !word.n || word.n > WORD_MOST || memchr(word.p, ' ', word.n) ||
		memchr(word.p, '\0', word.n))
		return false;
	key[0] = key[word.n + 1] = ' ';
	key[word.n + 2] = '\0';
	for (size_t i = 0; i < word.n; i++)
		key[i + 1] = any_case ? small(word.p[i]) : word.p[i];
	return strstr(list, key) != NULL;
}

const struct language *language_named(struct str word)
{
	size_t n = 0;

	while (n < word.n && !strchr(" \t,{:", word.p[n]))
		n++;
	word.n = n;
	for (size_t i = 0; i < LANGUAGES; i++)
		if (has_word(languages[i].names, word, true))
			return &languages[i];
	return NULL;
}

const struct language *language_of_file(struct str path)
{
	size_t name = path.n, dot;

	while (name && path.p[name - 1] != '/' && path.p[name - 1] != '\\')
		name--;
	path = str_skip(path, name);
	for (size_t i = 0; i < LANGUAGES; i++)
		if (has_word(languages[i].files, path, true))
			return &languages[i];
	for (dot = path.n; dot && path.p[dot - 1] != '.';)
		dot--;
	return dot > 1 ? language_named(str_skip(path, dot)) : NULL;
}

/* ---- a line ---- */

static bool is_letter(const struct language *l, char c)
{
	return (small(c) >= 'a' && small(c) <= 'z') || str_is_digit(c) || c == '_' ||
	       (c & 0x80) || (c && l->inside && strchr(l->inside, c));
}

/* The sign of a list with which the text begins; empty: none. */
static struct str sign_of(const char *list, struct str text)
{
	while (list && *list++ && *list) {
		size_t n = strcspn(list, " ");

		if (str_starts(text, (struct str){list, n}))
			return (struct str){list, n};
		list += n;
	}
	return STR("");
}

/* The bytes up to the end of what `until` ends; all of them, and *ends is false, where
 * the line does not have it.  A backslash takes the sign after it along, but in comments.
 */
static size_t length_until(struct str text, struct str until, bool escapes, bool *ends)
{
	size_t i = 0;

	for (*ends = false; i < text.n && !*ends; i++) {
		*ends = str_starts(str_skip(text, i), until);
		i += escapes && text.p[i] == '\\';
	}
	effort(EFFORT_WALK, i);
	if (*ends)
		i += until.n - 1;
	return i < text.n ? i : text.n;
}

/* Enters a comment or string that `sign` begins and `until` ends; the bytes of it that
 * the line has.  `wide`: it may go on in the next line. */
static size_t enter(struct code *c, struct str text, struct str sign, struct str until,
	enum role role, bool wide)
{
	struct str rest = {text.p + sign.n, text.n - sign.n};
	bool ends;
	size_t n = length_until(rest, until, role == ROLE_STRING, &ends);

	c->until = ends || !wide ? STR("") : until;
	c->role = role;
	return sign.n + n;
}

static size_t take_string(struct code *c, struct str text)
{
	const struct language *l = c->language;
	struct str quote = {text.p, 1};

	if (!l->quotes || !*text.p || !strchr(l->quotes, *text.p))
		return 0;
	/* the sign lives as long as the table, not as long as the line */
	quote.p = strchr(l->quotes, *text.p);
	if (l->triple && text.n > 2 && text.p[1] == *text.p && text.p[2] == *text.p) {
		quote = *text.p == '"' ? STR("\"\"\"") : STR("'''");
		return enter(c, text, quote, quote, ROLE_STRING, true);
	}
	return enter(
		c, text, quote, quote, ROLE_STRING, l->wide && strchr(l->wide, *text.p));
}

/* Whether the sign of a mapping follows a key. */
static bool is_key(const struct language *l, struct str rest)
{
	size_t n = 0;

	while (l->keys && n < rest.n && n < 8 && rest.p[n] == ' ')
		n++;
	return l->keys && n < rest.n && rest.p[n] == l->keys;
}

static size_t take_word(
	const struct language *l, struct str line, size_t at, enum role *role)
{
	size_t n = at;
	bool number = str_is_digit(line.p[at]);

	while (n < line.n && (is_letter(l, line.p[n]) || (number && line.p[n] == '.')))
		n++;
	if (number)
		*role = ROLE_NUMBER;
	else if (has_word(l->keywords, (struct str){line.p + at, n - at}, l->any_case))
		*role = ROLE_KEYWORD;
	else if (l->tags && at &&
		 (line.p[at - 1] == '<' ||
			 (at > 1 && line.p[at - 1] == '/' && line.p[at - 2] == '<')))
		*role = ROLE_KEYWORD;
	else if (is_key(l, str_skip(line, n)))
		*role = ROLE_KEY;
	return n - at;
}

/* What begins at a place: so many bytes, and its role. */
static size_t take_token(struct code *c, struct str line, size_t at, enum role *role)
{
	const struct language *l = c->language;
	struct str rest = {line.p + at, line.n - at};
	bool fresh = !at || !is_letter(l, line.p[at - 1]);
	size_t n;

	if (l->open && str_starts(rest, str_of(l->open))) {
		*role = ROLE_COMMENT;
		return enter(
			c, rest, str_of(l->open), str_of(l->close), ROLE_COMMENT, true);
	}
	if (fresh && sign_of(l->comments, rest).n &&
		(*rest.p != '#' || !at || str_is_space(line.p[at - 1]))) {
		*role = ROLE_COMMENT;
		return rest.n;
	}
	n = take_string(c, rest);
	if (n) {
		*role = is_key(l, str_skip(rest, n)) ? ROLE_KEY
									: ROLE_STRING;
		return n;
	}
	return is_letter(l, *rest.p) ? take_word(l, line, at, role) : 1;
}

/* Adds bytes of a line, those that are marked in the role of marks. */
static void put(struct wrap *w, struct code *c, enum role role, struct str line,
	size_t from, size_t to)
{
	while (from < to) {
		const struct code_mark *m = c->mark_count ? c->marks : NULL;
		bool marked = m && m->from <= from;
		size_t end = !m ? to : marked ? m->to : m->from;

		end = end < to ? end : to;
		wrap_add(w, marked ? c->mark_role : role,
			(struct str){line.p + from, end - from});
		if (marked && end == m->to) {
			c->marks++;
			c->mark_count--;
		}
		from = end;
	}
}

void code_add(struct wrap *w, struct code *c, enum role plain, struct str line)
{
	size_t at = 0, from = 0;
	enum role role = plain;
	bool ends, whole = false;

	/* lines that begin with some sign have one role */
	for (size_t i = 0; c->language && line.n && c->language->lines[i].sign; i++)
		if (line.p[0] == c->language->lines[i].sign) {
			role = c->language->lines[i].role;
			whole = true;
			break;
		}
	if (!c->language || whole) {
		put(w, c, role, line, 0, line.n);
		return;
	}
	if (c->until.n) {
		at = from = length_until(line, c->until, c->role == ROLE_STRING, &ends);
		put(w, c, c->role, line, 0, at);
		c->until = ends ? STR("") : c->until;
	}
	while (at < line.n && !lines_over(w->out)) {
		size_t n;

		role = plain;
		n = take_token(c, line, at, &role);
		if (role != plain) {
			put(w, c, plain, line, from, at);
			put(w, c, role, line, at, at + n);
			from = at + n;
		}
		at += n;
	}
	put(w, c, plain, line, from, line.n);
}

void code_add_text(struct wrap *w, struct code *c, enum role plain, struct str text)
{
	struct str line;

	while (!lines_full(w->out) && str_next_line(&text, &line)) {
		code_add(w, c, plain, line);
		wrap_break(w);
	}
}
