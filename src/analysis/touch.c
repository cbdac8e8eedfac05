/*
 * The shapes of arguments: see touch.h.  Keys are compared in small letters without "_"
 * and "-", so one row of the table stands for file_path, filePath and FilePath.
 */
#include "config.h"
#include "analysis/touch.h"

#include <strings.h>

#include "base/buf.h"
#include "base/mem.h"
#include "chat/brief.h"
#include "chat/side.h"
#include "diff/edit.h"

#define NESTING 3 /* objects in objects that are looked into */

/* ---- keys ---- */

enum touch_key {
	KEY_PATH,
	KEY_PATHS, /* a list of them */
	KEY_OLD,
	KEY_NEW,
	KEY_CONTENT,
	KEY_TEXT,   /* a content, where the tool's name says that it writes */
	KEY_SKETCH, /* a content with gaps, or of a part of the file */
	KEY_PATCH,
	KEY_FROM,
	KEY_TO,
	KEY_COMMAND,
	KEY_VERB, /* how a cell is edited */
	KEY_FOLDER,
	KEY_LINE,  /* where something is inserted */
	KEY_RANGE, /* which lines */
	KEY_ALL,
	KEY_DRY,
	KEY_COUNT
};

/* What they are called; of one meaning the first name counts that the object has. */
static const char *const keys[KEY_COUNT][20] = {
	[KEY_PATH] = {"filepath", "path", "targetfile", "filename", "file",
		"absolutepath", "notebookpath", "relativepath", "relativeworkspacepath",
		"targetpath", "pathinproject", "fullpath", "fileuri", "uri"},
	[KEY_PATHS] = {"paths", "filepaths", "files"},
	[KEY_OLD] = {"oldstring", "oldstr", "oldtext", "oldcontent", "oldcode",
		"oldlines", "old", "search", "searchstring", "searchtext", "searchblock",
		"find", "findtext", "original", "originaltext", "originalcontent",
		"originalcode", "targetcontent", "before"},
	[KEY_NEW] = {"newstring", "newstr", "newtext", "newcontent", "newcode",
		"newlines", "new", "replace", "replacement", "replacestring",
		"replacetext", "replaceblock", "replacewith", "replacementtext",
		"replacementcontent", "updated", "updatedcode", "after"},
	[KEY_CONTENT] = {"content", "contents", "filetext", "filecontent", "filecontents",
		"codecontent", "inserttext"},
	[KEY_TEXT] = {"text", "code", "body", "data"},
	[KEY_SKETCH] = {"codeedit", "newsource"},
	[KEY_PATCH] = {"patch", "diff", "patchtext", "patchcontent", "unifieddiff",
		"input"},
	[KEY_FROM] = {"oldpath", "oldfilepath", "source", "sourcepath", "from", "src"},
	[KEY_TO] = {"newpath", "newfilepath", "destination", "destinationpath", "to",
		"dst"},
	[KEY_COMMAND] = {"command", "cmd", "commands", "commandline", "bashcommand",
		"shellcommand"},
	[KEY_VERB] = {"editmode"},
	[KEY_FOLDER] = {"workdir", "cwd", "workingdirectory", "workingdir"},
	[KEY_LINE] = {"insertline", "insertafter", "afterline", "line", "linenumber"},
	[KEY_RANGE] = {"startline", "linestart", "startlineoneindexed", "offset",
		"viewrange", "linerange", "lineranges", "start", "limit", "endline",
		"lineend", "endlineoneindexedinclusive", "end", "shouldreadentirefile",
		"maxlines"},
	[KEY_ALL] = {"replaceall"},
	[KEY_DRY] = {"dryrun"},
};

struct call_shape {
	struct jv v[KEY_COUNT];
	size_t name[KEY_COUNT]; /* which of `keys` it has */
};

/* The meaning of a key and which of its names it is, in small letters, without "_" and
 * "-"; KEY_COUNT: it has none. */
static enum touch_key key_of(struct jv key, size_t *name)
{
	struct str text = jv_plain(key);
	char plain[32];
	size_t n = 0;
	enum touch_key k = 0;

	for (size_t i = 0; i < text.n && n < sizeof(plain) - 1; i++)
		if (text.p[i] != '_' && text.p[i] != '-')
			plain[n++] = str_small(text.p[i]);
	plain[n] = '\0';
	for (; k < KEY_COUNT; k++)
		for (*name = 0; keys[k][*name]; ++*name)
			if (strcmp(keys[k][*name], plain) == 0)
				return k;
	return k;
}

/* ---- values ---- */

/* A string, or a list of lines; else .p is NULL. */
static struct str text_of(const struct touch_reader *r, struct jv v)
{
	AUTO_BUF text = BUF_INIT;
	struct str kept = {NULL, 0};

	if (v.kind == J_STRING)
		return jv_keep(v, r->arena);
	if (v.kind != J_ARRAY)
		return kept;
	JV_EACH(line, v) {
		if (line.kind != J_STRING) {
			return kept;
		}
		buf_text(&text, line_walk.index ? "\n" : "");
		jv_text(line, &text);
	}
	return arena_keep(r->arena, &text);
}

static uint64_t number_of(struct jv v)
{
	double n;

	if (v.kind == J_ARRAY)
		v = jv_first(v);
	return jv_number(v, &n) && n > 0 && n < 1e15 ? (uint64_t)n : 0;
}

/* ---- touches ---- */

/* Without "file://", "./" and doubled slashes, in the folder where that is known; empty:
 * it is no path. */
static struct str clean_path(const struct touch_reader *r, struct str path)
{
	AUTO_BUF joined = BUF_INIT, out = BUF_INIT;
	bool windows = path.n > 1 && path.p[1] == ':';

	path = str_trim(path);
	str_take(&path, STR("file://"));
	if (!path.n || path.n > PATH_MOST || memchr(path.p, '\n', path.n) ||
		memmem(path.p, path.n, "://", 3))
		return STR("");
	if (r->folder.n && path.p[0] != '/' && path.p[0] != '~' && !windows) {
		buf_str(&joined, r->folder);
		buf_byte(&joined, '/');
		buf_str(&joined, path);
		path = buf_view(&joined);
	}
	for (size_t i = 0; i < path.n; i++) {
		bool begins = !out.len || out.data[out.len - 1] == '/';

		if (path.p[i] == '/' && out.len && begins)
			continue;
		if (begins && path.p[i] == '.' && i + 1 < path.n && path.p[i + 1] == '/')
			i++;
		else
			buf_byte(&out, path.p[i]);
	}
	return arena_dup(r->arena, buf_view(&out));
}

bool touch_add(struct touch_reader *r, struct touch touch)
{
	touch.path = clean_path(r, touch.path);
	if (!touch.path.n)
		return false;
	*MEM_ADD(r->out->items, r->out->count, r->out->cap) = touch;
	return true;
}

void touches_done(struct touches *t)
{
	mem_free(t->items);
	*t = (struct touches){0};
}

const char *const touch_kind_names[TOUCH_KINDS] = {
	[TOUCH_EDIT] = "edit",
	[TOUCH_CREATE] = "create",
	[TOUCH_PATCH] = "patch",
	[TOUCH_INSERT] = "insert",
	[TOUCH_DELETE] = "delete",
	[TOUCH_RENAME] = "rename",
	[TOUCH_READ] = "read",
};

/*
 * ---- patches ----
 *
 * The unified form of diff and git, the form of "*** Begin Patch", and blocks of <<<<<<<
 * SEARCH.  A file's hunks are a piece of the patch's own text; only contents of whole
 * files are put together anew.
 */

/* The text between two places of one text. */
static struct str between(const char *from, const char *to)
{
	return (struct str){from, (size_t)(to - from)};
}

/* The lines of a hunk that have a sign, without it. */
static struct str lines_of(struct touch_reader *r, struct str hunks, char sign)
{
	struct buf text = BUF_INIT;
	struct str line;

	while (str_next_line(&hunks, &line))
		if (line.n && line.p[0] == sign) {
			buf_str(&text, str_skip(line, 1));
			buf_byte(&text, '\n');
		}
	return arena_keep(r->arena, &text);
}

/* ---- *** Begin Patch ---- */

/* The lines up to the next one that begins something else. */
static struct str lines_until(
	struct str *rest, bool (*begins)(struct str line, struct str rest))
{
	const char *from = rest->p, *to = rest->p;
	struct str line;

	while (rest->n) {
		struct str before = *rest;

		str_next_line(rest, &line);
		if (begins(line, *rest)) {
			*rest = before;
			break;
		}
		to = rest->p;
	}
	return between(from, to);
}

/* "*** End of File" belongs to a hunk, but tells nothing. */
static bool begins_section(struct str line, struct str rest)
{
	return str_starts(line, STR("*** "));
}

static bool read_starred(struct touch_reader *r, struct str text)
{
	bool any = false;
	struct str line;

	while (str_next_line(&text, &line)) {
		struct touch t = {.kind = TOUCH_PATCH};

		if (str_starts(line, STR("*** Begin Patch"))) {
			any = true;
			continue;
		}
		if (any && str_starts(line, STR("*** End Patch")))
			break;
		if (str_take(&line, STR("*** Add File: "))) {
			t.kind = TOUCH_CREATE;
			t.is = lines_of(r, lines_until(&text, begins_section), '+');
		} else if (str_take(&line, STR("*** Update File: "))) {
			struct str move = {"", 0}, after = text;

			if (str_next_line(&after, &move) &&
				str_take(&move, STR("*** Move to: "))) {
				t.to = str_trim(move);
				text = after;
			}
			t.is = lines_until(&text, begins_section);
			if (t.to.n && !t.is.n)
				t.kind = TOUCH_RENAME;
		} else if (str_take(&line, STR("*** Delete File: "))) {
			t.kind = TOUCH_DELETE;
		} else {
			continue;
		}
		t.path = line;
		touch_add(r, t);
		any = true;
	}
	return any;
}

/* ---- the unified form ---- */

/* The path of a line "--- a/name<TAB>date"; empty for /dev/null. */
static struct str header_path(struct str line)
{
	struct str path = str_skip(line, 4);
	const char *tab = memchr(path.p, '\t', path.n);

	path = str_trim(tab ? between(path.p, tab) : path);
	if (path.n > 1 && path.p[0] == '"' && path.p[path.n - 1] == '"')
		path = (struct str){path.p + 1, path.n - 2};
	return str_equal(path, STR("/dev/null")) ? STR("") : path;
}

static void add_unified(
	struct touch_reader *r, struct str old, struct str new, struct str lines)
{
	bool git = (!old.n || str_starts(old, STR("a/"))) &&
		   (!new.n || str_starts(new, STR("b/")));
	struct touch t = {.kind = TOUCH_PATCH};

	old = git && old.n ? str_skip(old, 2) : old;
	new = git &&new.n ? str_skip(new, 2) : new;
	t.path = old.n ? old : new;
	if (!old.n) {
		t.kind = TOUCH_CREATE;
		t.is = lines_of(r, lines, '+');
	} else if (!new.n) {
		t.kind = TOUCH_DELETE;
		t.was = lines_of(r, lines, '-');
	} else {
		t.is = lines;
		if (!str_equal(old, new) &&
			!str_ends(old, STR(".orig"))) /* as diff names what it has kept */
			t.to = new;
	}
	touch_add(r, t);
}

/* Whether hunks follow the lines about a file that gets another name. */
static bool hunks_follow(struct str rest)
{
	struct str line = {"", 0};

	while (str_next_line(&rest, &line) && str_starts(line, STR("index ")))
		;
	return str_starts(line, STR("--- ")) && patch_begins_file(line, rest);
}

static bool read_unified(struct touch_reader *r, struct str text)
{
	struct str line, from = {"", 0}, next;
	bool any = false;

	while (str_next_line(&text, &line)) {
		if (str_starts(line, STR("rename from "))) {
			from = str_skip(line, 12);
		} else if (str_starts(line, STR("rename to ")) && from.n) {
			any = true;
			if (!hunks_follow(text))
				touch_add(r, (struct touch){.kind = TOUCH_RENAME,
						     .path = from,
						     .to = str_skip(line, 10)});
		} else if (str_starts(line, STR("--- ")) &&
			   patch_begins_file(line, text)) {
			any = true;
			str_next_line(&text, &next);
			add_unified(r, header_path(line), header_path(next),
				lines_until(&text, patch_begins_file));
		}
	}
	return any;
}

/* ---- blocks to search and replace ---- */

static const char *const begins_search[] = {"SEARCH", "ORIGINAL", "SEARCH>", "HEAD"};
static const char *const ends_replace[] = {"REPLACE", "UPDATED", "REPLACE>"};
static const char *const divides[] = {""};

/* Five or more of one sign, then a word. */
static bool is_mark(struct str line, char sign, const char *const words[], size_t count)
{
	size_t n = 0;

	line = str_trim(line);
	while (n < line.n && line.p[n] == sign)
		n++;
	return n >= 5 && str_is_among(str_trim(str_skip(line, n)), words, count);
}

/* The lines ":start_line:10" and "-------" that one tool has before the old text. */
static void skip_preface(struct str *rest, uint64_t *number)
{
	struct str line = {0}, after = *rest;

	while (str_next_line(&after, &line) && line.n && line.p[0] == ':') {
		if (str_starts(line, STR(":start_line:")))
			for (size_t i = 12; i < line.n; i++)
				if (str_is_digit(line.p[i]) && *number < UINT64_MAX / 20)
					*number = *number * 10 +
						  (uint64_t)(line.p[i] - '0');
		*rest = after;
	}
	if (*number && line.n >= 5 && line.p[0] == '-' &&
		str_trim(line).n == strspn(str_trim(line).p, "-"))
		*rest = after;
}

static bool read_block(struct touch_reader *r, struct str *rest, struct str path)
{
	const char *was, *is = NULL, *end = NULL;
	uint64_t number = 0;
	struct str line, old;

	skip_preface(rest, &number);
	was = rest->p;
	for (;;) {
		const char *at = rest->p;

		if (!str_next_line(rest, &line))
			return false;
		if (!is && is_mark(line, '=', divides, 1)) {
			old = between(was, at);
			is = rest->p;
		} else if (is && (is_mark(line, '>', ends_replace, 3) ||
					 is_mark(line, '+', ends_replace, 3))) {
			end = at;
			break;
		}
	}
	touch_add(r, (struct touch){.kind = old.n ? TOUCH_EDIT : TOUCH_CREATE,
			     .path = path,
			     .was = old,
			     .is = between(is, end),
			     .line = number});
	return true;
}

static bool read_blocks(struct touch_reader *r, struct str text, struct str path)
{
	struct str line, named = path;
	bool any = false;

	while (str_next_line(&text, &line)) {
		struct str name = str_trim(line);
		bool fence = str_starts(name, STR("```"));

		/* what a fence or a list stands before and after the name of a file */
		while (name.n && strchr("#*`: ", name.p[0]))
			name = str_skip(name, 1);
		while (name.n && strchr("*`: ", name.p[name.n - 1]))
			name.n--;
		if (is_mark(line, '<', begins_search, 4) ||
			is_mark(line, '-', begins_search, 3))
			any |= read_block(r, &text, path.n ? path : named);
		else if (name.n && !fence)
			named = name;
	}
	return any;
}

/* ---- all ---- */

bool touch_read_patch(struct touch_reader *r, struct str text, struct str path)
{
	struct str rest = text, line;

	if (read_starred(r, text) || read_unified(r, text))
		return true;
	if (read_blocks(r, text, path))
		return true;
	while (path.n && str_next_line(&rest, &line))
		if (str_starts(line, STR("@@"))) { /* hunks alone */
			touch_add(r,
				(struct touch){
					.kind = TOUCH_PATCH, .path = path, .is = text});
			return true;
		}
	return false;
}

/* ---- names of tools ---- */

/* What the words in a tool's name say that it does; OTHERS: it looks at files, but for
 * something else than what is in one. */
enum tool_does { WRITES, REMOVES, MOVES, READS, OTHERS, APPENDS };

static bool does(struct str tool, enum tool_does what)
{
	static const char *const words[][17] = {
		[WRITES] = {"write", "create", "save", "edit", "replace", "append",
			"insert", "update", "put", "patch"},
		[REMOVES] = {"delete", "remove", "unlink"},
		[MOVES] = {"move", "rename"},
		[READS] = {"read", "view", "open", "cat", "get_file", "getfile", "show",
			"load"},
		[OTHERS] = {"list", "dir", "glob", "grep", "search", "find", "tree",
			"exist", "stat", "info", "lint", "test", "upload", "download",
			"outline", "symbol"},
		[APPENDS] = {"append", "insert"},
	};

	return brief_has_word(
		       tool, words[what], sizeof(words[what]) / sizeof(*words[what])) ||
	       (what == OTHERS && str_equal(tool, STR("ls")));
}

/* ---- shapes ---- */

static bool read_value(
	struct touch_reader *r, struct jv v, struct str path, unsigned depth);

/* A word of a text-editor tool that one tool has for all it does. */
static bool is_verb(struct str word, enum touch_kind *kind)
{
	static const struct {
		const char *word;
		enum touch_kind kind;
	} verbs[] = {
		{"view", TOUCH_READ},
		{"read", TOUCH_READ},
		{"open", TOUCH_READ},
		{"create", TOUCH_CREATE},
		{"write", TOUCH_CREATE},
		{"overwrite", TOUCH_CREATE},
		{"str_replace", TOUCH_EDIT},
		{"replace", TOUCH_EDIT},
		{"edit", TOUCH_EDIT},
		{"undo_edit", TOUCH_EDIT},
		{"insert", TOUCH_INSERT},
		{"append", TOUCH_INSERT},
		{"delete", TOUCH_DELETE},
		{"rename", TOUCH_RENAME},
		{"move", TOUCH_RENAME},
	};

	for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++)
		if (str_equal(word, str_of(verbs[i].word))) {
			*kind = verbs[i].kind;
			return true;
		}
	return false;
}

/* The whole content that an object has for a file; else .p is NULL. */
static struct str content_of(
	const struct touch_reader *r, const struct call_shape *s, bool writes)
{
	struct str text = text_of(r, s->v[KEY_CONTENT]);

	if (!text.p && s->v[KEY_OLD].kind == J_NONE)
		text = text_of(r, s->v[KEY_NEW]);
	if (!text.p && (writes || does(r->tool, WRITES)))
		text = text_of(r, s->v[KEY_TEXT]);
	return text;
}

static bool is_true(struct jv v)
{
	return v.kind == J_TRUE || jv_is(v, STR("true"));
}

static void add_edit(struct touch_reader *r, const struct call_shape *s, struct str path,
	struct str was)
{
	struct str is = text_of(r, s->v[KEY_NEW]);

	touch_add(r, (struct touch){.kind = was.n ? TOUCH_EDIT : TOUCH_CREATE,
			     .path = path,
			     .was = was,
			     .is = is.p ? is : STR(""),
			     .line = number_of(s->v[KEY_RANGE]),
			     .all = is_true(s->v[KEY_ALL])});
}

static void add_read(struct touch_reader *r, const struct call_shape *s, struct str path)
{
	touch_add(r, (struct touch){.kind = TOUCH_READ,
			     .path = path,
			     .line = number_of(s->v[KEY_RANGE])});
}

/* What a command of a text-editor tool does. */
static bool read_verb(struct touch_reader *r, const struct call_shape *s, struct str path)
{
	struct str verb = text_of(r, s->v[KEY_COMMAND]), was, content, from;
	struct touch touch = {.line = number_of(s->v[KEY_LINE])};

	if (s->v[KEY_COMMAND].kind != J_STRING || !is_verb(verb, &touch.kind))
		return false;
	from = text_of(r, s->v[KEY_FROM]);
	touch.path = path.n || !from.p ? path : from;
	if (!touch.path.n)
		return false;
	if (touch_read_patch(r, text_of(r, s->v[KEY_PATCH]), touch.path))
		return true;
	was = text_of(r, s->v[KEY_OLD]);
	if (touch.kind == TOUCH_EDIT && was.p) {
		add_edit(r, s, touch.path, was);
		return true;
	}
	if (touch.kind == TOUCH_READ) {
		add_read(r, s, touch.path);
		return true;
	}
	content = content_of(r, s, true);
	touch.is = content.p && touch.kind != TOUCH_DELETE ? content : STR("");
	if (touch.kind == TOUCH_RENAME)
		touch.to = clean_path(r, text_of(r, s->v[KEY_TO]));
	if (touch.kind == TOUCH_EDIT && !touch.is.n)
		touch.command = verb; /* undo_edit */
	touch_add(r, touch);
	return true;
}

/* A path beside a content, or beside a part of one. */
static bool read_content(
	struct touch_reader *r, const struct call_shape *s, struct str path)
{
	struct str text = text_of(r, s->v[KEY_SKETCH]);
	struct str mode = text_of(r, s->v[KEY_VERB]);
	struct touch touch = {.path = path, .sketch = text.p != NULL};

	if (!touch.sketch)
		text = content_of(r, s, false);
	if (!text.p || (does(r->tool, OTHERS) && !does(r->tool, WRITES)))
		return false;
	touch.is = text;
	touch.kind = touch.sketch ? TOUCH_EDIT : TOUCH_CREATE;
	if (s->v[KEY_LINE].kind != J_NONE || does(r->tool, APPENDS) ||
		(mode.p && str_equal(mode, STR("insert"))))
		touch.kind = TOUCH_INSERT;
	else if (s->v[KEY_RANGE].kind != J_NONE)
		touch.kind = TOUCH_EDIT;
	touch.line = number_of(s->v[touch.kind == TOUCH_INSERT ? KEY_LINE : KEY_RANGE]);
	if (mode.p && str_equal(mode, STR("delete")))
		touch.command = STR("delete a cell");
	touch_add(r, touch);
	return true;
}

static bool read_command(struct touch_reader *r, const struct call_shape *s)
{
	struct jv command = s->v[KEY_COMMAND];
	struct touch_reader inner = *r;
	struct str folder = text_of(r, s->v[KEY_FOLDER]);

	if (folder.p)
		inner.folder = folder;
	if (command.kind == J_STRING)
		touch_read_script(&inner, jv_keep(command, r->arena));
	else if (command.kind == J_ARRAY)
		touch_read_argv(&inner, command);
	return command.kind == J_STRING || command.kind == J_ARRAY;
}

/* A path and nothing that is written: read, removed, or what else is done with it. */
static bool read_path(struct touch_reader *r, const struct call_shape *s, struct str path)
{
	if (does(r->tool, REMOVES))
		touch_add(r, (struct touch){.kind = TOUCH_DELETE, .path = path});
	else if (does(r->tool, OTHERS) ||
		 (does(r->tool, WRITES) && !does(r->tool, READS)))
		return false;
	else if (does(r->tool, READS) || s->v[KEY_RANGE].kind != J_NONE)
		add_read(r, s, path);
	else
		return false;
	return true;
}

static bool read_paths(struct touch_reader *r, struct jv paths)
{
	bool any = false, reads = does(r->tool, READS) && !does(r->tool, OTHERS);

	JV_ITEMS(v, reads ? paths : JV_NONE)
		if (v.kind == J_STRING)
			any |= touch_add(r, (struct touch){.kind = TOUCH_READ,
						    .path = jv_keep(v, r->arena)});
	return any;
}

static bool read_move(struct touch_reader *r, const struct call_shape *s)
{
	struct str from = text_of(r, s->v[KEY_FROM]), to = text_of(r, s->v[KEY_TO]);

	if (!from.p || !to.p || !does(r->tool, MOVES))
		return false;
	touch_add(
		r, (struct touch){
			   .kind = TOUCH_RENAME, .path = from, .to = clean_path(r, to)});
	return true;
}

static bool read_object(
	struct touch_reader *r, struct jv object, struct str path, unsigned depth)
{
	struct call_shape s = {0};
	struct str own, was;
	bool any = false;

	JV_PAIRS(key, v, object) {
		size_t name;
		enum touch_key k = v.kind == J_NULL ? KEY_COUNT : key_of(key, &name);

		if (k < KEY_COUNT && (s.v[k].kind == J_NONE || name < s.name[k])) {
			s.v[k] = v;
			s.name[k] = name;
		}
	}
	if (is_true(s.v[KEY_DRY]))
		return true;
	own = s.v[KEY_PATH].kind == J_STRING ? jv_keep(s.v[KEY_PATH], r->arena) : path;
	own = own.p ? own : STR("");
	if (read_verb(r, &s, own) || touch_read_patch(r, text_of(r, s.v[KEY_PATCH]), own))
		return true;
	was = text_of(r, s.v[KEY_OLD]);
	if (own.n && was.p && s.v[KEY_NEW].kind != J_NONE) {
		add_edit(r, &s, own, was);
		return true;
	}
	if (own.n && read_content(r, &s, own))
		return true;
	if (read_move(r, &s) || read_paths(r, s.v[KEY_PATHS]))
		return true;
	/* edits in a list, or the one object that holds them */
	JV_EACH(v, depth < NESTING ? object : JV_NONE)
		if (v.kind == J_ARRAY || v.kind == J_OBJECT)
			any |= read_value(r, v, own, depth + 1);
	if (any)
		return true;
	if (s.v[KEY_COMMAND].kind != J_NONE)
		return read_command(r, &s);
	return own.n && s.v[KEY_PATH].kind == J_STRING && read_path(r, &s, own);
}

static bool read_value(
	struct touch_reader *r, struct jv v, struct str path, unsigned depth)
{
	bool any = false;

	if (v.kind == J_OBJECT)
		return read_object(r, v, path, depth);
	JV_ITEMS(item, v)
		if (item.kind == J_OBJECT)
			any |= read_object(r, item, path, depth);
	return any;
}

void touches_read(
	struct touches *t, struct str tool, struct jv arguments, struct arena *arena)
{
	struct touch_reader r = {.out = t, .arena = arena};
	struct jv v = side_open_string(arguments, arena);
	struct buf name = BUF_INIT;

	/* in small letters, without the server before it: mcp__files__read_file */
	for (size_t i = 0; i < tool.n; i++) {
		char c = tool.p[i];
		bool parts = strchr("./:", c) || (c == '_' && i && tool.p[i - 1] == '_');

		if (parts && c)
			buf_clear(&name);
		else
			buf_byte(&name, str_small(c));
	}
	r.tool = arena_keep(arena, &name);
	if (v.kind == J_OBJECT || (v.kind == J_ARRAY && !brief_is_shell(r.tool))) {
		read_value(&r, v, STR(""), 0);
	} else if (v.kind == J_ARRAY) {
		touch_read_argv(&r, v);
	} else if (v.kind == J_STRING) {
		struct str text = jv_keep(v, arena);

		if (!touch_read_patch(&r, text, STR("")) && brief_is_shell(r.tool))
			touch_read_script(&r, text);
	}
}

/* ---- members ---- */

/* Whether an object, or the first of a list, has a text among its members. */
static bool holds_text(struct jv v)
{
	if (v.kind == J_ARRAY)
		v = jv_first(v);
	JV_FIELDS(key, item, v) {
		size_t name;
		enum touch_key k = key_of(key, &name);

		if (k >= KEY_OLD && k <= KEY_PATCH)
			return true;
	}
	return false;
}

enum touch_member touch_member_of(struct jv key, struct jv value)
{
	size_t name;
	enum touch_key k = key_of(key, &name);
	enum touch_kind verb;

	if (value.kind == J_OBJECT || (value.kind == J_ARRAY && holds_text(value)))
		return holds_text(value) ? TOUCH_TEXT : TOUCH_OTHER;
	if (k >= KEY_OLD && k <= KEY_PATCH)
		return TOUCH_TEXT;
	if (k != KEY_COMMAND ||
		(value.kind == J_STRING && is_verb(jv_plain(value), &verb)))
		return TOUCH_OTHER;
	return TOUCH_COMMAND;
}

struct str touch_command(struct jv value, struct arena *arena)
{
	static const char *const shells[] = {"bash", "sh", "zsh", "apply_patch"};
	struct str first = {"", 0};
	struct jv last = JV_NONE;

	if (value.kind == J_STRING)
		return jv_keep(value, arena);
	JV_ITEMS(item, value) {
		if (!item_walk.index)
			first = jv_plain(item);
		last = item;
	}
	while (first.n && memchr(first.p, '/', first.n))
		first = str_skip(first, 1);
	if (last.kind != J_STRING || !STR_AMONG(first, shells))
		return (struct str){NULL, 0};
	return jv_keep(last, arena);
}

/* ---- lines ---- */

bool touch_is_gap(struct str line)
{
	static const char *const words[] = {"existing code", "rest of code",
		"rest of the", "remaining code", "unchanged"};
	static const char *const dots[] = {"...", "\xE2\x80\xA6"};

	return brief_has_word(line, words, sizeof(words) / sizeof(*words)) &&
	       brief_has_word(line, dots, 2);
}

void touch_lines(const struct touch *t, size_t *added, size_t *removed)
{
	struct str rest = t->kind == TOUCH_DELETE ? t->was : t->is, line;
	AUTO(edit_done) struct edit_rows rows = {0};

	*added = *removed = 0;
	if (t->kind == TOUCH_RENAME || t->kind == TOUCH_READ)
		return;
	if (t->kind == TOUCH_EDIT && !t->sketch) {
		edit_add_texts(&rows, t->was, t->is, 0);
		for (size_t i = 0; i < rows.count; i++) {
			*added += rows.items[i].kind == EDIT_CAME;
			*removed += rows.items[i].kind == EDIT_GONE;
		}
		return;
	}
	while (str_next_line(&rest, &line)) {
		if (t->kind == TOUCH_PATCH) {
			*added += line.n && line.p[0] == '+';
			*removed += line.n && line.p[0] == '-';
		} else if (t->kind == TOUCH_DELETE) {
			++*removed;
		} else {
			*added += t->kind != TOUCH_EDIT || !touch_is_gap(line);
		}
	}
}
