/*
 * The configuration as YAML: what config_add reads, with the sentences of the tables as
 * comments.  Texts that plain YAML would take for something else are JSON strings, which
 * YAML reads alike.
 */
#include "config.h"
#include "config/configuration.h"

#define COMMENT 28 /* the column where comments after entries begin */

/* Words that a reader of YAML may take for something else than text (YAML 1.1 also has
 * "y" and "n", which no reader knows). */
static const char *const reserved[] = {"null", "Null", "NULL", "true", "True", "TRUE",
	"false", "False", "FALSE", "yes", "Yes", "YES", "no", "No", "NO", "on", "On",
	"ON", "off", "Off", "OFF"};

/* A letter, then letters, digits, "-", "_" and single blanks within. */
static bool is_plain(const char *text)
{
	if (!str_is_plain(*text) || str_is_digit(*text) ||
		STR_AMONG(str_of(text), reserved))
		return false;
	for (; *text; text++)
		if (!str_is_plain(*text) && *text != '-' && *text != '_' &&
			(*text != ' ' || !text[1] || text[1] == ' '))
			return false;
	return true;
}

/* As it is, or as a JSON string, but of a character beyond U+FFFF JSON escapes both
 * halves, and YAML the character. */
static void put_text(const char *text, struct buf *out)
{
	AUTO_BUF json = BUF_INIT;
	unsigned high, low;

	if (is_plain(text)) {
		buf_text(out, text);
		return;
	}
	json_write_string(&json, str_of(text));
	buf_reserve(&json, 1);
	for (const char *p = json.data; *p; p++) {
		/* NOLINTNEXTLINE(cert-err34-c): three digits do not overflow */
		if (*p == '\\' && sscanf(p, "\\ud%3x\\ud%3x", &high, &low) == 2) {
			buf_printf(out, "\\U%08X",
				0x10000 + ((high - 0x800) << 10) + (low - 0xC00));
			p += sizeof("\\ud83d\\ude00") - 2;
			continue;
		}
		buf_byte(out, *p);
		if (*p == '\\')
			buf_byte(out, *++p);
	}
}

/* ---- keys ---- */

static void dump_keys(
	const struct config *c, const char *(*about)(struct str command), struct buf *out)
{
	buf_text(out, "\nkeys:\n");
	for (size_t i = 0; i < c->key_count; i++) {
		const struct config_key *key = &c->keys[i];
		const char *sentence =
			about && key->command ? about(str_of(key->command)) : NULL;
		size_t start = out->len;

		if (!key->command)
			continue;
		buf_text(out, "  ");
		put_text(key->keys, out);
		buf_text(out, ": ");
		put_text(key->command, out);
		if (sentence) {
			size_t used = out->len - start;

			buf_fill(out, ' ', used < COMMENT ? COMMENT - used : 1);
			buf_printf(out, "# %s", sentence);
		}
		buf_byte(out, '\n');
	}
}

/* ---- themes and colors ---- */

static void put_value(const json_t *value, struct buf *out)
{
	if (json_is_string(value))
		put_text(json_string_value(value), out);
	else
		json_write(out, value, JSON_LINE);
}

/* Roles and their styles, and what a theme leads to. */
static void put_styles(const json_t *styles, const char *indent, struct buf *out)
{
	const char *name, *part;
	json_t *value, *inner;

	json_object_foreach((json_t *)styles, name, value) {
		const char *between = "{";

		buf_printf(out, "%s%s: ", indent, name);
		if (!json_is_object(value))
			put_value(value, out);
		json_object_foreach(value, part, inner) {
			buf_printf(out, "%s%s: ", between, part);
			put_value(inner, out);
			between = ", ";
		}
		if (json_is_object(value))
			buf_text(out, *between == '{' ? "{}" : "}");
		buf_byte(out, '\n');
	}
}

void config_dump(
	const struct config *c, const char *(*about)(struct str command), struct buf *out)
{
	const char *name, *between;
	AUTO_BUF value = BUF_INIT;
	struct str words, word;
	json_t *theme;

	buf_text(out, "# The configuration that is in force.\n\noptions:\n");
	for (const struct setting *row = setting_rows; row->name; row++) {
		buf_printf(out, "  # %s\n  %s: ", row->about, row->name);
		buf_clear(&value);
		setting_put(&c->settings, row, &value);
		words = buf_view(&value);
		if (row->type == SETTING_FLAG) {
			buf_text(out, str_equal(words, STR("on")) ? "true" : "false");
		} else if (row->type == SETTING_LIST) {
			for (between = "["; setting_word(&words, &word); between = ", ")
				buf_printf(out, "%s%.*s", between, (int)word.n, word.p);
			buf_byte(out, ']');
		} else if (row->type == SETTING_SIZE) {
			buf_str(out, words);
		} else {
			put_text(words.n ? value.data : "", out);
		}
		buf_byte(out, '\n');
	}
	dump_keys(c, about, out);
	if (json_object_size(c->colors)) {
		buf_text(out, "\n# Over every theme.\ncolors:\n");
		put_styles(c->colors, "  ", out);
	}
	buf_text(out, "\nthemes:\n");
	json_object_foreach(c->themes, name, theme) {
		buf_text(out, "  ");
		put_text(name, out);
		buf_text(out, json_object_size(theme) ? ":\n" : ": {}\n");
		put_styles(theme, "    ", out);
	}
}
