/* See settings.h. */
#include "config.h"
#include "config/settings.h"

#include "base/mem.h"

#define SETTING(field, name, type, choices, about)                                       \
	{name, SETTING_##type, choices, about, offsetof(struct settings, field)},
const struct setting setting_rows[] = {SETTINGS(SETTING){0}};
#undef SETTING

static void *field_of(const struct settings *s, const struct setting *row)
{
	return (char *)s + row->offset;
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
		if (row->type == SETTING_TEXT)
			set_text(s, row, STR(""));
}

void settings_done(struct settings *s)
{
	for (const struct setting *row = setting_rows; row->name; row++)
		if (row->type == SETTING_TEXT)
			mem_free(*(char **)field_of(s, row));
	memset(s, 0, sizeof(*s));
}

void settings_copy(struct settings *to, const struct settings *from)
{
	struct buf text = BUF_INIT;
	struct err err = {.offset = ERR_NOWHERE};

	for (const struct setting *row = setting_rows; row->name; row++) {
		buf_clear(&text);
		setting_put(from, row, &text);
		setting_set(to, row, buf_view(&text), &err);
	}
	buf_done(&text);
	err_done(&err);
}

const struct setting *setting_find(struct str name)
{
	for (const struct setting *row = setting_rows; row->name; row++)
		if (str_equal(str_of(row->name), name))
			return row;
	return NULL;
}

/* ---- from text ---- */

static bool set_flag(bool *flag, struct str text, struct err *err)
{
	static const char *const words[] = {
		"on", "off", "true", "false", "yes", "no", "1", "0"};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (str_equal(str_of(words[i]), text)) {
			*flag = i % 2 == 0;
			return true;
		}
	err_set(err, "\"%.*s\" is neither on nor off", (int)text.n, text.p);
	return false;
}

static unsigned shift_of(char unit)
{
	return unit == 'K' || unit == 'k' ? 10
	       : unit == 'M'              ? 20
	       : unit == 'G'              ? 30
					  : 0;
}

static bool set_size(size_t *size, struct str text, struct err *err)
{
	unsigned shift = text.n ? shift_of(text.p[text.n - 1]) : 0;
	size_t digits = text.n - (shift != 0), n = 0;

	for (size_t i = 0; i < digits; i++) {
		if (text.p[i] < '0' || text.p[i] > '9' || n > SIZE_MAX / 16) {
			digits = 0;
			break;
		}
		n = n * 10 + (size_t)(text.p[i] - '0');
	}
	if (!digits || n > SIZE_MAX >> shift) {
		err_set(err, "\"%.*s\" is no number, as 100 or 8M", (int)text.n, text.p);
		return false;
	}
	*size = n << shift;
	return true;
}

static bool set_choice(unsigned *choice, const char *const *choices, struct str text,
	struct err *err)
{
	struct buf all = BUF_INIT;

	for (unsigned i = 0; choices[i]; i++) {
		if (str_equal(str_of(choices[i]), text)) {
			*choice = i;
			buf_done(&all);
			return true;
		}
		buf_printf(&all, "%s%s", i ? ", " : "", choices[i]);
	}
	err_set(err, "\"%.*s\" is none of %s", (int)text.n, text.p, all.data);
	buf_done(&all);
	return false;
}

bool setting_set(
	struct settings *s, const struct setting *row, struct str text, struct err *err)
{
	switch (row->type) {
	case SETTING_FLAG:
		return set_flag(field_of(s, row), text, err);
	case SETTING_SIZE:
		return set_size(field_of(s, row), text, err);
	case SETTING_CHOICE:
		return set_choice(field_of(s, row), row->choices, text, err);
	case SETTING_TEXT:
		break;
	}
	set_text(s, row, text);
	return true;
}

/* ---- to text ---- */

static void put_size(size_t n, struct buf *out)
{
	static const char units[] = {0, 'K', 'M', 'G'};
	unsigned unit = 0;

	while (n && n % 1024 == 0 && unit + 1 < sizeof(units)) {
		n /= 1024;
		unit++;
	}
	buf_printf(out, "%zu", n);
	if (unit)
		buf_byte(out, units[unit]);
}

void setting_put(const struct settings *s, const struct setting *row, struct buf *out)
{
	const void *field = field_of(s, row);

	switch (row->type) {
	case SETTING_FLAG:
		buf_text(out, *(const bool *)field ? "on" : "off");
		break;
	case SETTING_SIZE:
		put_size(*(const size_t *)field, out);
		break;
	case SETTING_CHOICE:
		buf_text(out, row->choices[*(const unsigned *)field]);
		break;
	case SETTING_TEXT:
		buf_text(out, *(char *const *)field);
		break;
	}
}
