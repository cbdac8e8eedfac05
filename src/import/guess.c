/* See loader.h. */
#include "config.h"
#include "import/loader.h"

#include <strings.h>

#define NAMES_MOST 60 /* bytes of a list of columns */

/* ---- by the first bytes ---- */

/* clang-format off */
#define MAGIC(bytes, what, advice) {{bytes, sizeof(bytes) - 1}, what, advice}
static const struct {
	struct str magic;
	const char *what, *advice;
} magics[] = {
	MAGIC("PAR1", "Parquet",
		"convert it, for instance with DuckDB: COPY (FROM 'FILE') TO 'out.jsonl'"),
	MAGIC("SQLite format 3\0", "a SQLite database",
		"pass a table on as JSON: sqlite3 -json FILE 'SELECT * FROM table' | catena"),
	MAGIC("ARROW1", "Arrow",
		"convert it to JSON lines, for instance with pandas: read_feather, to_json"),
	MAGIC("FEA1", "Feather",
		"convert it to JSON lines, for instance with pandas: read_feather, to_json"),
	MAGIC("\x89HDF", "HDF5", "export its tables as JSON lines"),
	MAGIC("Obj\x01", "Avro", "convert it with avro-tools tojson"),
	MAGIC("ORC", "ORC", "convert it with orc-contents, which prints JSON lines"),
	MAGIC("%PDF-", "PDF", "open it with a reader of PDF"),
	MAGIC("\x89PNG", "a PNG image", "open it with a viewer of images"),
	MAGIC("\xFF\xD8\xFF", "a JPEG image", "open it with a viewer of images"),
	MAGIC("GIF8", "a GIF image", "open it with a viewer of images"),
	MAGIC("RIFF", "a WebP image, sound or video", "open it with a viewer of media"),
	MAGIC("\x7F" "ELF", "a program", "give the file that it writes"),
	MAGIC("\x93NUMPY", "a NumPy array", "write it with json.dump(a.tolist(), …)"),
};
/* clang-format on */

static void say(struct buf *out, const char *what, const char *advice)
{
	buf_printf(out, "looks like %s; %s", what, advice);
}

static bool say_magic(struct str s, struct buf *out)
{
	for (size_t i = 0; i < sizeof(magics) / sizeof(*magics); i++)
		if (str_starts(s, magics[i].magic)) {
			say(out, magics[i].what, magics[i].advice);
			return true;
		}
	return false;
}

/* The field 1 of a message, as long as the file is or longer than the head. */
static bool is_protobuf(struct str s)
{
	size_t at = 1, length = 0;

	if (s.n < 4 || s.p[0] != '\n')
		return false;
	for (unsigned shift = 0; at < s.n && shift < 28; shift += 7) {
		unsigned char c = (unsigned char)s.p[at++];

		length |= (size_t)(c & 0x7F) << shift;
		if (!(c & 0x80))
			return length > 1 && at < s.n &&
			       (s.p[at] == '\n' || s.p[at] == 0x12) &&
			       (at + length >= s.n || s.p[at + length] == '\n' ||
				       s.p[at + length] == 0x12);
	}
	return false;
}

/* NUL is in no text, and other control characters are rare there. */
static bool is_binary(struct str s)
{
	size_t controls = 0;

	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if (!c)
			return true;
		controls +=
			c == 0x7F || (c < ' ' && !(c >= '\a' && c <= '\r') && c != 0x1B);
	}
	return controls * 50 > s.n;
}

/* ---- by its lines ---- */

static struct str next_line(struct str *s)
{
	struct str line = {0};

	str_next_line(s, &line);
	return str_trim(line);
}

/* The text before the first line that begins like JSON: a value, or an event stream that
 * holds one. */
static struct str before_json(struct str s)
{
	struct str rest = s;

	while (rest.n) {
		size_t at = s.n - rest.n;
		struct str line = next_line(&rest);

		if (str_starts(line, STR("{")) || str_starts(line, STR("[")) ||
			str_starts(line, STR("data:")) || str_starts(line, STR("event:")))
			return (struct str){s.p, at};
	}
	return s;
}

/* Separators outside quotes. */
static size_t count_separators(struct str line, char separator)
{
	bool quoted = false;
	size_t count = 0;

	for (size_t i = 0; i < line.n; i++) {
		quoted ^= line.p[i] == '"';
		count += !quoted && line.p[i] == separator;
	}
	return count;
}

/* The columns as the first line names them, as far as there is room. */
static void put_columns(struct str line, char separator, struct buf *out)
{
	size_t start = out->len;

	while (line.n) {
		const char *end = memchr(line.p, separator, line.n);
		struct str name = {line.p, end ? (size_t)(end - line.p) : line.n};
		size_t taken = name.n + (end != NULL);

		name = str_trim(name);
		if (out->len - start + name.n > NAMES_MOST) {
			buf_text(out, out->len > start ? ", …" : "…");
			return;
		}
		buf_text(out, out->len > start ? ", " : "");
		buf_str(out, name);
		line = str_skip(line, taken);
	}
}

/* Two lines of several fields, equally many. */
static bool say_table(struct str s, struct buf *out)
{
	static const struct {
		char separator;
		const char *name, *option;
	} kinds[] = {{'\t', "TSV", "--itsv"}, {',', "CSV", "--icsv"},
		{';', "CSV", "--icsv --ifs semicolon"}};
	struct str first = next_line(&s), second = next_line(&s);

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		size_t fields = count_separators(first, kinds[i].separator);

		if (!fields || count_separators(second, kinds[i].separator) < fields)
			continue;
		buf_printf(out, "looks like %s with the columns ", kinds[i].name);
		put_columns(first, kinds[i].separator, out);
		buf_printf(out,
			"; convert it to JSON lines first: mlr %s --ojsonl cat FILE",
			kinds[i].option);
		return true;
	}
	return false;
}

static bool starts_as(struct str s, const char *word)
{
	size_t n = strlen(word);

	return s.n >= n && strncasecmp(s.p, word, n) == 0;
}

static const char prose[] = "plain text";

bool guess_other(struct str head, struct buf *out)
{
	struct str s = str_trim(head);

	if (!s.n)
		return false;
	if (say_magic(head, out))
		return true;
	/* protocol 2 and later begins with its number, and 4 goes on with a frame */
	if (head.n > 2 && (unsigned char)head.p[0] == 0x80 && head.p[1] >= 2 &&
		head.p[1] <= 5)
		say(out, "a Python pickle",
			"load it in Python and write it with json.dump");
	else if (is_protobuf(head) && is_binary(head))
		say(out, "protobuf, as OTLP sends it",
			"export JSON instead: OTEL_EXPORTER_OTLP_PROTOCOL=http/json, "
			"or the collector's file exporter");
	else if (is_binary(head))
		say(out, "binary data",
			"catena reads JSON, JSON lines and event streams");
	else if (before_json(s).n < s.n)
		return false;
	else if (starts_as(s, "<!doctype html") || starts_as(s, "<html"))
		say(out, "HTML",
			"save what the page shows as JSON, or look whether it is an "
			"error page");
	else if (starts_as(s, "<?xml"))
		say(out, "XML", "convert it to JSON first");
	else if (!say_table(s, out))
		say(out, prose, "catena reads JSON, JSON lines and event streams");
	return true;
}

bool guess_is_binary(struct str head)
{
	AUTO_BUF what = BUF_INIT;

	return memchr(head.p, '\0', head.n) && say_magic(head, &what);
}

bool guess_is_prose(struct str head)
{
	struct str words = before_json(str_trim(head));
	AUTO_BUF what = BUF_INIT, begin = BUF_INIT;

	say(&begin, prose, "");
	return !is_binary(head) && guess_other(words, &what) &&
	       str_starts(buf_view(&what), buf_view(&begin));
}
