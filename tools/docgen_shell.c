/* Completion for shells, from the tables of commands and options: see docgen.c. */
#include "config.h"
#include "docgen.h"

#include "cmd/cmd.h"
#include "config/configuration.h"
#include "export/export.h"
#include "import/known.h"
#include "query/filter.h"

/* Every command and option, for a test that the manual knows them all. */
void docgen_names(struct buf *out)
{
	for (const struct cmd *c = commands; c->name; c++)
		buf_printf(out, "%s\n", c->name);
	for (size_t i = 0; options_at(i); i++)
		buf_printf(out, "--%s\n", options_at(i)->name);
}

/* In single quotes of a shell; zsh's specifications also give ":" and brackets a
 * meaning. */
static void put_quoted(struct buf *out, const char *text, const char *special)
{
	for (; *text; text++) {
		if (*text == '\'')
			buf_text(out, "'\\'");
		else if (strchr(special, *text))
			buf_byte(out, '\\');
		buf_byte(out, *text);
	}
}

static bool is_first_of_word(const struct cmd *c)
{
	size_t n = strcspn(c->name, " ");

	for (const struct cmd *before = commands; before < c; before++)
		if (strcspn(before->name, " ") == n &&
			strncmp(before->name, c->name, n) == 0)
			return false;
	return true;
}

static void put_words(struct buf *out)
{
	for (const struct cmd *c = commands; c->name; c++)
		if (is_first_of_word(c))
			buf_printf(out, "%s%.*s", c == commands ? "" : " ",
				(int)strcspn(c->name, " "), c->name);
}

/* The second words of a command's first. */
static void put_second_words(struct buf *out, const struct cmd *first)
{
	size_t n = strcspn(first->name, " ");

	for (const struct cmd *c = first; c->name; c++)
		if (strncmp(c->name, first->name, n) == 0 && c->name[n] == ' ')
			buf_printf(out, "%s%s", c == first ? "" : " ", c->name + n + 1);
}

static void put_flags(struct buf *out, const struct cmd *c)
{
	size_t start = out->len;

	for (size_t i = 0; options_at(i); i++)
		if (option_fits(c, options_at(i)))
			buf_printf(out, "%s--%s", out->len > start ? " " : "",
				options_at(i)->name);
}

static void put_settings(struct buf *out)
{
	static const char *const on_off[] = {"on", "off", NULL};

	for (const struct setting *row = setting_rows; row->name; row++) {
		const char *const *choice =
			row->type == SETTING_FLAG ? on_off : row->choices;

		if (!choice || row->type == SETTING_LIST)
			buf_printf(out, " %s=", row->name);
		else
			for (; *choice; choice++)
				buf_printf(out, " %s=%s", row->name, *choice);
	}
}

static void put_fields(struct buf *out)
{
	static const char *const sign[] = {
		[FILTER_TEXT] = ":", [FILTER_PATH] = ":", [FILTER_WHOLE] = ":",
		[FILTER_NUMBER] = ">", [FILTER_FLAG] = ""};

	for (size_t i = 0; i < FILTER_FIELDS; i++)
		buf_printf(
			out, " %s%s", filter_fields[i].name, sign[filter_fields[i].kind]);
}

/* Words that an option's value is one of, or begins with: a blank before each. */
static void put_values(struct buf *out, const struct option *option)
{
	struct str name = str_of(option->name);

	if (str_equal(name, STR("from")) || str_equal(name, STR("show")))
		for (size_t i = 0; i < known_count(); i++)
			buf_printf(out, " %s", known_at(i)->format.name);
	else if (str_equal(name, STR("format"))) {
		for (size_t i = 0; export_format_name(i); i++)
			buf_printf(out, " %s", export_format_name(i));
		for (size_t i = 0; check_format_name(i); i++)
			if (!export_format_named(str_of(check_format_name(i))))
				buf_printf(out, " %s", check_format_name(i));
	}
	else if (str_equal(name, STR("as")))
		for (size_t i = 0; i < REQUEST_FORMS; i++)
			buf_printf(out, " %s", request_form_names[i]);
	else if (str_equal(name, STR("prefer")))
		buf_text(out, " input output");
	else if (str_equal(name, STR("set")))
		put_settings(out);
	else if (str_equal(name, STR("filter")))
		put_fields(out);
}

static bool has_values(const struct option *option)
{
	struct buf values = BUF_INIT;
	bool has;

	put_values(&values, option);
	has = values.len > 0;
	buf_done(&values);
	return has;
}

void docgen_bash(struct buf *out)
{
	buf_text(out,
		"# Completion of catena for bash; made by tools/docgen.\n"
		"_catena()\n{\n"
		"\tlocal first=${COMP_WORDS[1]} words= flags= values= begun\n"
		"\t# \"=\" and \":\" end a word for bash; a value may contain them.\n"
		"\tlocal line=${COMP_LINE:0:COMP_POINT}\n"
		"\tlocal cur=${line##*[[:space:]]}\n"
		"\tlocal before=(${line%\"$cur\"})\n"
		"\tlocal option=${before[${#before[@]}-1]}\n"
		"\tcase $cur in\n"
		"\t--*=*) option=${cur%%=*} cur=${cur#*=} ;;\n"
		"\tesac\n"
		"\tbegun=${cur%\"${cur##*[=:]}\"}\n"
		"\tcase $option in\n");
	for (size_t i = 0; options_at(i); i++) {
		if (!has_values(options_at(i)))
			continue;
		buf_printf(out, "\t--%s) values=\"", options_at(i)->name);
		put_values(out, options_at(i));
		buf_text(out, "\" ;;\n");
	}
	buf_text(out, "\tesac\n\tcase \"$first ${COMP_WORDS[2]}\" in\n");
	for (const struct cmd *c = commands; c->name; c++) {
		buf_printf(out, "\t\"%s\"%s) flags=\"", c->name,
			strchr(c->name, ' ') ? "" : "\\ *");
		put_flags(out, c);
		buf_text(out, "\" ;;\n");
	}
	buf_text(out, "\t*) flags=\"");
	put_flags(out, command_view());
	buf_text(out, "\" ;;\n\tesac\n\t[ $COMP_CWORD -ne 1 ] || words=\"");
	put_words(out);
	buf_text(out, "\"\n\tif [ $COMP_CWORD -eq 2 ]; then\n\t\tcase $first in\n");
	for (const struct cmd *c = commands; c->name; c++)
		if (strchr(c->name, ' ') && is_first_of_word(c)) {
			buf_printf(out, "\t\t%.*s) words=\"", (int)strcspn(c->name, " "),
				c->name);
			put_second_words(out, c);
			buf_text(out, "\" ;;\n");
		}
	buf_text(out, "\t\tesac\n\tfi\n"
		      "\tif [ -n \"$values\" ]; then\n"
		      "\t\tCOMPREPLY=($(compgen -W \"$values\" -- \"$cur\"))\n"
		      "\t\tCOMPREPLY=(\"${COMPREPLY[@]#\"$begun\"}\")\n"
		      "\t\tcase ${COMPREPLY[0]} in\n"
		      "\t\t*[=:\\>]) compopt -o nospace 2>/dev/null ;;\n"
		      "\t\tesac\n"
		      "\telif [[ $cur == -* ]]; then\n"
		      "\t\tCOMPREPLY=($(compgen -W \"$flags\" -- \"$cur\"))\n"
		      "\telse\n"
		      "\t\t# Without an answer bash completes names of files itself.\n"
		      "\t\tCOMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
		      "\t\tlocal IFS=$'\\n'\n"
		      "\t\t[ ${#COMPREPLY[@]} -eq 0 ] ||\n"
		      "\t\t\tCOMPREPLY+=($(compgen -f -- \"$cur\"))\n"
		      "\tfi\n}\n"
		      "complete -o filenames -o default -F _catena catena\n");
}

static void put_zsh_options(struct buf *out, const struct cmd *c)
{
	for (size_t i = 0; options_at(i); i++) {
		const struct option *option = options_at(i);

		if (!option_fits(c, option))
			continue;
		buf_printf(out, " \\\n\t\t'--%s[", option->name);
		put_quoted(out, option->about, ":[]\\");
		buf_byte(out, ']');
		if (option->value)
			buf_printf(out, ":%s:", option->value);
		if (has_values(option))
			buf_printf(
				out, " compadd -S \"\" -- ${=values_%s}", option->name);
		else if (option->value)
			buf_text(out, strcmp(option->value, "FILE") == 0  ? "_files"
				      : strcmp(option->value, "DIR") == 0 ? "_files -/"
									  : "");
		buf_byte(out, '\'');
	}
	buf_text(out, " \\\n\t\t'*:file:_files' ;;\n");
}

static void put_zsh_commands(struct buf *out)
{
	for (const struct cmd *c = commands; c->name; c++) {
		if (!is_first_of_word(c))
			continue;
		buf_printf(out, "\t\t'%.*s:", (int)strcspn(c->name, " "), c->name);
		if (strchr(c->name, ' '))
			put_second_words(out, c);
		else
			put_quoted(out, c->about, "\\");
		buf_text(out, "'\n");
	}
}

void docgen_zsh(struct buf *out)
{
	buf_text(out, "#compdef catena\n# Completion of catena for zsh; made by "
		      "tools/docgen.\n_catena() {\n\tlocal -a names\n\tnames=(\n");
	put_zsh_commands(out);
	buf_text(out, "\t)\n");
	for (size_t i = 0; options_at(i); i++)
		if (has_values(options_at(i))) {
			buf_printf(out, "\tlocal values_%s='", options_at(i)->name);
			put_values(out, options_at(i));
			buf_text(out, "'\n");
		}
	buf_text(out, "\tif (( CURRENT == 2 )); then\n"
		      "\t\t_describe command names\n\tfi\n"
		      "\tif (( CURRENT == 3 )); then\n\t\tcase $words[2] in\n");
	for (const struct cmd *c = commands; c->name; c++)
		if (strchr(c->name, ' ') && is_first_of_word(c)) {
			buf_printf(out, "\t\t%.*s) compadd -- ",
				(int)strcspn(c->name, " "), c->name);
			put_second_words(out, c);
			buf_text(out, " ;;\n");
		}
	buf_text(out, "\t\tesac\n\tfi\n\tcase \"$words[2] $words[3]\" in\n");
	for (const struct cmd *c = commands; c->name; c++) {
		buf_printf(out, "\t\"%s\"%s) _arguments", c->name,
			strchr(c->name, ' ') ? "" : "\\ *");
		put_zsh_options(out, c);
	}
	buf_text(out, "\t*) _arguments");
	put_zsh_options(out, command_view());
	buf_text(out, "\tesac\n}\n_catena \"$@\"\n");
}

static void put_fish_option(
	struct buf *out, const struct cmd *c, const struct option *option)
{
	buf_text(out, "complete -c catena");
	if (c)
		buf_printf(out, " -n '__fish_seen_subcommand_from %.*s'",
			(int)strcspn(c->name, " "), c->name);
	buf_printf(out, " -l %s", option->name);
	if (option->letter)
		buf_printf(out, " -s %c", option->letter);
	if (has_values(option)) {
		struct buf values = BUF_INIT;

		put_values(&values, option);
		buf_text(out, " -x -a '");
		put_quoted(out, values.data, ">");
		buf_byte(out, '\'');
		buf_done(&values);
	} else if (option->value) {
		buf_text(out, " -r");
	}
	buf_text(out, " -d '");
	put_quoted(out, option->about, "\\");
	buf_text(out, "'\n");
}

void docgen_fish(struct buf *out)
{
	buf_text(out, "# Completion of catena for fish; made by tools/docgen.\n");
	for (const struct cmd *c = commands; c->name; c++) {
		const char *second = strchr(c->name, ' ');
		int n = (int)strcspn(c->name, " ");

		if (second)
			buf_printf(out,
				"complete -c catena "
				"-n '__fish_seen_subcommand_from %.*s' -a %s -d '",
				n, c->name, second + 1);
		else
			buf_printf(out,
				"complete -c catena -n __fish_use_subcommand -a %s -d '",
				c->name);
		put_quoted(out, c->about, "\\");
		buf_text(out, "'\n");
		if (second && is_first_of_word(c))
			buf_printf(out,
				"complete -c catena -n __fish_use_subcommand -a %.*s\n",
				n, c->name);
	}
	for (size_t i = 0; options_at(i); i++) {
		const struct option *option = options_at(i);

		if (option_fits(command_view(), option)) {
			put_fish_option(out, NULL, option);
			continue;
		}
		for (const struct cmd *c = commands; c->name; c++)
			if (option_fits(c, option))
				put_fish_option(out, c, option);
	}
}
