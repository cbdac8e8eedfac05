/* The table of languages: see languages.h. */
#include "config.h"
#include "text/languages.h"

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

const struct language languages[] = {
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

const size_t language_count = sizeof(languages) / sizeof(*languages);
