/* See resume.h. */
#include "config.h"
#include "sessions/resume.h"

#include <unistd.h>

#include "import/known.h"

static bool is_word(struct str text)
{
	for (size_t i = 0; i < text.n; i++)
		if ((unsigned char)text.p[i] < ' ' || text.p[i] == 0x7f)
			return false;
	return text.n > 0;
}

/* A session in a database has a path, but is none. */
static bool is_file(struct str path)
{
	AUTO_BUF name = BUF_INIT;

	buf_str(&name, path);
	return path.n && access(name.data, F_OK) == 0;
}

/* The last 36 characters of a file's name, without its ending, if that is what they are. */
static struct str uuid_of(struct str path)
{
	static const char form[] = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
	const char *dot = path.n ? memrchr(path.p, '.', path.n) : NULL;
	struct str uuid;

	if (!dot || (size_t)(dot - path.p) < sizeof(form) - 1)
		return STR("");
	uuid = (struct str){dot - (sizeof(form) - 1), sizeof(form) - 1};
	for (size_t i = 0; i < uuid.n; i++)
		if (form[i] == '-' ? uuid.p[i] != '-'
				   : !memchr("0123456789abcdefABCDEF", uuid.p[i], 22))
			return STR("");
	return uuid;
}

bool resume_put(const char *format, struct str id, struct str path, struct str folder,
	struct buf *out)
{
	const struct description *d = format ? known_named(str_of(format)) : NULL;
	const char *word = d ? strchr(d->resume, '{') : NULL;
	const char *end = word ? strchr(word, '}') : NULL;
	struct str text = path;

	if (!end)
		return false;
	if (strncmp(word, "{trace}", 7) == 0)
		text = id;
	else if (strncmp(word, "{uuid}", 6) == 0)
		text = uuid_of(path);
	else if (!is_file(path))
		return false;
	if (!is_word(text) || (folder.n && !is_word(folder)))
		return false;
	if (folder.n) {
		buf_text(out, "cd ");
		buf_shell_word(out, folder);
		buf_text(out, " && ");
	}
	buf_add(out, d->resume, (size_t)(word - d->resume));
	buf_shell_word(out, text);
	buf_text(out, end + 1);
	return true;
}
