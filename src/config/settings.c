/* The settings: see configuration.h. */
#include "config.h"
#include "config/configuration.h"

#include "base/err.h"
#include "base/mem.h"

/* ---- the table, and the words of its choices ---- */

static const char *const setting_backgrounds[] = {"auto", "dark", "light", NULL};
static const char *const setting_folds[] = {"auto", "closed", "open", NULL};
static const char *const setting_images[] = {"off", "chafa", NULL};
static const char *const setting_notices[] = {"off", "bell", "text", NULL};
static const char *const setting_timestamps[] = {"begin", "end", NULL};
static const char *const setting_mice[] = {"auto", "on", "off", NULL};
static const char *const setting_links[] = {"auto", "on", "off", NULL};
static const char *const setting_new_only[] = {"auto", "on", "off", NULL};
const char *const setting_layouts[] = {"auto", "side", "top", NULL};
const char *const setting_bars[] = {"off", "time", "cost", "tokens", NULL};

const char *const column_names[] = {
#define COLUMN(id, name, about) name,
	COLUMNS(COLUMN)
#undef COLUMN
		NULL};

#define SETTING(field, name, type, choices, about)                                       \
	{name, SETTING_##type, choices, about, offsetof(struct settings, field)},
const struct setting setting_rows[] = {SETTINGS(SETTING){0}};
#undef SETTING

static void *field_of(const struct settings *s, const struct setting *row)
{
	return (char *)s + row->offset;
}

static bool is_text(const struct setting *row)
{
	return row->type == SETTING_TEXT || row->type == SETTING_LIST;
}

static void set_text(struct settings *s, const struct setting *row, struct str text)
{
	char **field = field_of(s, row);
	char *copy = mem_dup(text.p, text.n);

	mem_free(*field);
	*field = copy;
}

void settings_begin(struct settings *s)
{
	memset(s, 0, sizeof(*s));
	for (const struct setting *row = setting_rows; row->name; row++)
		if (is_text(row))
			set_text(s, row, STR(""));
}

void settings_done(struct settings *s)
{
	for (const struct setting *row = setting_rows; row->name; row++)
		if (is_text(row))
			mem_free(*(char **)field_of(s, row));
	memset(s, 0, sizeof(*s));
}

void settings_copy(struct settings *to, const struct settings *from)
{
	AUTO_BUF text = BUF_INIT;
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};

	for (const struct setting *row = setting_rows; row->name; row++) {
		buf_clear(&text);
		setting_put(from, row, &text);
		setting_set(to, row, buf_view(&text), &err);
	}
}

const struct setting *setting_find(struct str name)
{
	for (const struct setting *row = setting_rows; row->name; row++)
		if (str_equal(str_of(row->name), name))
			return row;
	return NULL;
}

/* ---- from text ---- */

static bool read_flag(struct str text, bool *flag)
{
	static const char *const words[] = {
		"on", "off", "true", "false", "yes", "no", "1", "0"};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (str_equal(str_of(words[i]), text)) {
			*flag = i % 2 == 0;
			return true;
		}
	return false;
}

static bool set_size(size_t *size, struct str text, struct err *err)
{
	char unit = text.n ? text.p[text.n - 1] : 0;
	unsigned shift = unit == 'K' || unit == 'k' ? 10
			 : unit == 'M'              ? 20
			 : unit == 'G'              ? 30
						    : 0;
	size_t digits = text.n - (shift != 0), n = 0;

	for (size_t i = 0; i < digits; i++) {
		if (text.p[i] < '0' || text.p[i] > '9' || n > SIZE_MAX / 16) {
			digits = 0;
			break;
		}
		n = n * 10 + (size_t)(text.p[i] - '0');
	}
	if (!digits || n > SIZE_MAX >> shift) {
		err_set(err, "\"%.*s\" is not a number such as 100 or 8M", (int)text.n,
			text.p);
		return false;
	}
	*size = n << shift;
	return true;
}

/* The index of a word, or -1 with err.  YAML has more words for on and off. */
static int find_choice(const char *const *choices, struct str word, struct err *err)
{
	AUTO_BUF text = BUF_INIT;
	struct suggest nearest;
	bool on;

	for (int i = 0; choices[i]; i++)
		if (str_equal(str_of(choices[i]), word))
			return i;
	for (int i = 0; choices[i] && read_flag(word, &on); i++)
		if (str_equal(str_of(choices[i]), str_of(on ? "on" : "off")))
			return i;
	suggest_begin(&nearest, word);
	buf_printf(&text, "\"%.*s\" is not one of ", (int)word.n, word.p);
	for (size_t i = 0; choices[i]; i++) {
		suggest_try(&nearest, str_of(choices[i]));
		buf_printf(&text, "%s%s", i ? ", " : "", choices[i]);
	}
	suggest_put(&nearest, &text);
	err_set(err, "%s", text.data);
	return -1;
}

static bool is_between(char c)
{
	return c == ' ' || c == ',';
}

bool setting_word(struct str *list, struct str *word)
{
	size_t n = 0;

	while (list->n && is_between(list->p[0]))
		*list = str_skip(*list, 1);
	while (n < list->n && !is_between(list->p[n]))
		n++;
	*word = (struct str){list->p, n};
	if (n) /* nothing is added to the pointer of an empty list */
		*list = str_skip(*list, n);
	return n > 0;
}

static bool set_list(
	struct settings *s, const struct setting *row, struct str text, struct err *err)
{
	AUTO_BUF words = BUF_INIT;
	struct str word, list, other;
	bool ok = true;

	while (ok && setting_word(&text, &word)) {
		ok = find_choice(row->choices, word, err) >= 0;
		list = buf_view(&words);
		while (ok && setting_word(&list, &other))
			if (str_equal(other, word)) {
				err_set(err, "\"%.*s\" is in the list twice", (int)word.n,
					word.p);
				ok = false;
			}
		if (words.len)
			buf_byte(&words, ' ');
		buf_str(&words, word);
	}
	if (ok && !words.len) {
		err_set(err, "the list must not be empty");
		ok = false;
	}
	if (ok)
		set_text(s, row, buf_view(&words));
	return ok;
}

bool setting_set(
	struct settings *s, const struct setting *row, struct str text, struct err *err)
{
	int choice;

	switch (row->type) {
	case SETTING_FLAG:
		if (read_flag(text, field_of(s, row)))
			return true;
		err_set(err, "\"%.*s\" is neither on nor off", (int)text.n, text.p);
		return false;
	case SETTING_SIZE:
		return set_size(field_of(s, row), text, err);
	case SETTING_CHOICE:
		choice = find_choice(row->choices, text, err);
		if (choice >= 0)
			*(unsigned *)field_of(s, row) = (unsigned)choice;
		return choice >= 0;
	case SETTING_LIST:
		return set_list(s, row, text, err);
	case SETTING_TEXT:
		break;
	}
	set_text(s, row, text);
	return true;
}

/* ---- to text ---- */

void setting_put(const struct settings *s, const struct setting *row, struct buf *out)
{
	const void *field = field_of(s, row);
	const char *unit = " KMG";
	size_t n;

	switch (row->type) {
	case SETTING_FLAG:
		buf_text(out, *(const bool *)field ? "on" : "off");
		break;
	case SETTING_SIZE:
		n = *(const size_t *)field;
		for (; n && n % 1024 == 0 && *unit != 'G'; unit++)
			n /= 1024;
		buf_printf(out, "%zu", n);
		if (*unit != ' ')
			buf_byte(out, *unit);
		break;
	case SETTING_CHOICE:
		buf_text(out, row->choices[*(const unsigned *)field]);
		break;
	case SETTING_TEXT:
	case SETTING_LIST:
		buf_text(out, *(char *const *)field);
		break;
	}
}
