/*
 * The viewer on a terminal in memory (ui/, term/headless): a byte of the terminal's
 * width, one of its height, one that says how many keys follow, the keys, and the rest is
 * the trace.  A key of 0 to 31 is a special one or a control key; 128 and above resize,
 * and type commands.  No program is run and no file is written: see apart.c.
 *
 * 1. The viewer answers every key, and leaves at the end with status 0, or 2 when the
 * file is nothing to show.
 * 2. After every few keys each cell of the page is printable.
 */
#include "fuzz.h"

#include "config/configuration.h"
#include "payload/payload.h"
#include "term/term.h"
#include "ui/core/app.h"
#include "ui/script.h"

#define KEYS_MOST_TYPED 48

static const char *const special[] = {"<up>", "<down>", "<left>", "<right>", "<pgup>",
	"<pgdn>", "<home>", "<end>", "<tab>", "<enter>", "<esc>", "<bs>", "<btab>",
	"<del>", "<f1>", "<c-a>", "<c-d>", "<c-e>", "<c-f>", "<c-b>", "<c-l>", "<c-n>",
	"<c-o>", "<c-p>", "<c-r>", "<c-u>", "<c-w>", "<lt>", "<c-v>", "<c-g>", "<c-t>",
	"<c-x>"};

static const char *const lines[] = {"size 1x1", "size 20x5", "size 80x24", "size 40x10",
	"size 200x60", "size 3x40", "size 120x2", ": set wrap off", ": set wrap on",
	": set theme mono", ": set fold open", ": set bar cost", ": set sort-keys on",
	": set layout top", ": set new-only on", ": set columns time,tokens,cost",
	"keys /a<enter>n", "keys :sort cost<enter>", "keys vj", "keys ?", "keys gg",
	"keys G", "keys zR", "keys zM", "keys yy", "keys &e<enter>", "keys <tab><tab>",
	"keys mm", "keys ]]", "keys [["};

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

static void put_key(struct buf *script, unsigned key)
{
	if (key >= 128) {
		buf_printf(script, "\n%s\nkeys ", lines[key % COUNT(lines)]);
	} else if (key < 32) {
		buf_text(script, special[key]);
	} else if (key == '<') {
		buf_text(script, "<lt>");
	} else if (key == 127) {
		buf_text(script, "<bs>");
	} else if (key == ' ') {
		buf_text(script, "<space>");
	} else {
		buf_byte(script, (char)key);
	}
}

static void make_script(struct fuzz *f, struct buf *script)
{
	unsigned width = fuzz_byte(f), height = fuzz_byte(f), count = fuzz_byte(f);

	buf_printf(script, "size %ux%u\nkeys ", 1 + width, 1 + height % 80);
	count %= KEYS_MOST_TYPED;
	for (unsigned i = 0; i < count; i++) {
		put_key(script, fuzz_byte(f));
		if (i % 6 == 5)
			buf_text(script, "\nscreen\nkeys ");
	}
	buf_text(script, "<esc>\nscreen\nquit\n");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz f = fuzz_of(data, size);
	struct err err = {.offset = ERR_NOWHERE};
	struct buf text = BUF_INIT;
	struct app_options screen = {.count = 1, .no_state = true};
	static struct registry *registry; /* the viewer only reads them */
	static struct config *config;
	const char *path;
	struct str out;
	int status;

	make_script(&f, &text);
	path = fuzz_file(0, f.rest);
	screen.paths = &path;
	screen.script = script_new("keys", buf_view(&text), &err);
	EXPECT(screen.script, "no script: line %zu, column %zu: %s\n%s", (size_t)err.line,
		(size_t)err.column, err.text, text.data);
	if (!config) {
		config = config_new();
		registry = registry_new();
	}
	screen.config = config;
	screen.registry = registry;
	fuzz_print();
	status = app_run(&screen);
	out = fuzz_printed();
	fuzz_expect_printable(out, FUZZ_LINES, "the screen");
	fuzz_expect_printable(fuzz_said(), FUZZ_LINES, "standard error");
	EXPECT(status == 0 || status == 2, "status %d", status);
	err_done(&err);
	free((char *)out.p);
	script_free(screen.script);
	buf_done(&text);
	return 0;
}
