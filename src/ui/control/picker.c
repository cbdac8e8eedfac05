/* See controllers.h. */
#include "config.h"
#include "ui/control/controllers.h"

#include "base/mem.h"
#include "base/work.h"
#include "query/query.h"
#include "term/term.h"
#include "text/safe.h"

#define KEPT    200             /* the best of all that fit */
#define BEGINS  (INT32_MAX / 2) /* more than any score */
#define AT_ONCE 2000            /* microseconds of looking before the screen is drawn */
#define CTRL(c) ((c)&0x1F)

struct fit {
	int32_t score;
	uint32_t item;
};

struct picker {
	const struct picker_kind *kind;
	struct prompt_kind prompt; /* the line that is typed */
	enum pane_id under;        /* what lay over the panes before it */
	struct buf text;           /* that was typed */
	struct fuzzy query;
	struct fit fits[KEPT]; /* best first, equal ones in the order of the items */
	size_t count;
	size_t all; /* items that fit, and that there are, of those looked at */
	size_t shown;
	size_t next;         /* the item to be looked at next */
	unsigned char *left; /* by item, one bit: it may fit */
	size_t left_cap, left_count;
	uint64_t version;
	bool exact;   /* more than the first word of a line is typed: it alone fits */
	bool entered; /* take the best one as soon as that is known */
	struct buf name;
};

static struct pane *list_of(const struct app *app)
{
	return (struct pane *)&app->screen.panes[PANE_PICKER];
}

static void end(struct app *app)
{
	struct picker *k = app->state.picker;

	buf_done(&k->text);
	buf_done(&k->name);
	mem_free(k->left);
}

/* ---- looking ---- */

static size_t items(const struct app *app, bool *more)
{
	*more = false;
	return app->state.picker->kind->count(app, more);
}

/* Into `name`. */
static bool read_name(struct app *app, size_t item)
{
	struct picker *k = app->state.picker;

	buf_clear(&k->name);
	return k->kind->put(app, item, &k->name);
}

static uint64_t version_of(const struct app *app)
{
	const struct picker_kind *kind = app->state.picker->kind;

	return kind->version ? kind->version(app) : 0;
}

static void look_again(struct app *app, bool narrower)
{
	struct picker *k = app->state.picker;

	k->count = k->all = k->shown = k->next = 0;
	list_of(app)->cursor = list_of(app)->top = 0;
	k->version = version_of(app);
	if (!narrower)
		k->left_count = 0;
}

/* False: a key waits. */
static bool look_at(struct app *app, size_t item)
{
	struct picker *k = app->state.picker;
	struct str name, typed = buf_view(&k->text);
	bool left = k->left[item / 8] >> item % 8 & 1;
	size_t at = k->count;
	int32_t score = 0;

	if (k->kind->shows && !k->kind->shows(app, item))
		return true;
	if (left && k->query.count) {
		if (!read_name(app, item))
			return false;
		name = buf_view(&k->name);
		score = fuzzy_match(&k->query, name, NULL, NULL);
		if (score != FUZZY_NONE && str_starts(name, typed))
			score = name.n > typed.n && name.p[typed.n] == ' ' ? INT32_MAX
									   : BEGINS;
		if (k->exact && score != INT32_MAX)
			score = FUZZY_NONE;
	}
	k->shown++;
	if (score == FUZZY_NONE)
		k->left[item / 8] &= (unsigned char)~(1u << item % 8);
	if (score == FUZZY_NONE || !left)
		return true;
	k->all++;
	while (at && k->fits[at - 1].score < score) /* after those that fit as well */
		at--;
	if (at == KEPT)
		return true;
	k->count += k->count < KEPT;
	memmove(k->fits + at + 1, k->fits + at, (k->count - 1 - at) * sizeof(*k->fits));
	k->fits[at] = (struct fit){score, (uint32_t)item};
	return true;
}

static bool is_current(const struct app *app)
{
	bool more;

	return app->state.picker->version == version_of(app) &&
	       app->state.picker->next <= items(app, &more);
}

static bool is_done(const struct app *app)
{
	bool more;

	return is_current(app) && app->state.picker->next >= items(app, &more) && !more;
}

void picker_leave(struct app *app)
{
	app->screen.overlay = app->state.picker->under;
	app->screen.peek = NO_STEP;
	app->screen.dirty = true;
}

static void left(struct app *app)
{
	picker_leave(app);
	if (app->state.picker->kind->left)
		app->state.picker->kind->left(app);
}

static size_t item_at_cursor(const struct app *app)
{
	const struct picker *k = app->state.picker;
	size_t row = list_of(app)->cursor;

	return row < k->count ? k->fits[row].item : SIZE_MAX;
}

static void take(struct app *app)
{
	struct picker *k = app->state.picker;
	size_t item = item_at_cursor(app);

	k->entered = false;
	if (item == SIZE_MAX) {
		left(app);
		buf_printf(&app->said, "no %s fits", k->kind->item);
		return;
	}
	picker_leave(app);
	if (k->kind->take)
		k->kind->take(app, item);
	else
		step_view_go_to_step(app, k->kind->step(app, item));
}

static enum task_state run(struct app *app, uint64_t deadline)
{
	struct picker *k = app->state.picker;
	size_t count;
	bool more;

	if (app->screen.overlay != PANE_PICKER || (is_done(app) && !k->entered))
		return TASK_IDLE;
	if (!is_current(app))
		look_again(app, false); /* items mean others now */
	if (k->kind->make && input_is_settled(app))
		k->kind->make(app, deadline);
	count = items(app, &more);
	if (count / 8 + 1 > k->left_count) { /* those that came are looked at as well */
		k->left = mem_grow(k->left, &k->left_cap, count / 8 + 1, 1);
		memset(k->left + k->left_count, 0xFF, count / 8 + 1 - k->left_count);
		k->left_count = count / 8 + 1;
	}
	while (k->next < count) {
		if (!look_at(app, k->next))
			break;
		k->next++;
		if (clock_passed(deadline))
			break;
	}
	app->screen.dirty |= is_done(app);
	if (k->entered && is_done(app))
		take(app);
	return app->screen.overlay != PANE_PICKER || is_done(app) ? TASK_DONE : TASK_MORE;
}

static void forget(struct app *app)
{
	app->screen.peek = NO_STEP;
	if (app->state.picker->kind)
		look_again(app, false);
}

/* The sides show what the cursor's item leads to. */
static void settle(struct app *app)
{
	struct picker *k = app->state.picker;
	size_t row = list_of(app)->cursor;

	if (app->screen.overlay != PANE_PICKER || !k->kind->step)
		app->screen.peek = NO_STEP;
	else if (is_current(app) && row < k->count)
		app->screen.peek = k->kind->step(app, k->fits[row].item);
	else if (is_done(app)) /* else what fitted last stays a moment longer */
		app->screen.peek = NO_STEP;
}

/* ---- the line ---- */

static void changed(struct app *app, struct str text)
{
	struct picker *k = app->state.picker;
	bool exact = k->kind->enter && text.n && memchr(text.p, ' ', text.n);
	bool narrower = str_starts(text, buf_view(&k->text)) && is_current(app) &&
			exact == k->exact;

	k->exact = exact;
	if (k->kind->enter)
		text = str_before(text, " "); /* its first word */
	buf_set(&k->text, text);
	fuzzy_begin(&k->query, text);
	look_again(app, narrower);
	/* the items of a line are few, and what its keys mean depends on them */
	run(app, k->kind->enter ? UINT64_MAX : clock_deadline(AT_ONCE));
}

static bool done(struct app *app, struct str text)
{
	struct picker *k = app->state.picker;
	AUTO_BUF none = BUF_INIT;

	if (k->kind->enter) {
		k->kind->enter(app, text, item_at_cursor(app), list_of(app)->cursor > 0);
		return true;
	}

	if (is_done(app) && !k->count) {
		buf_printf(&none, "no %s fits", k->kind->item);
		prompt_refuse(app, ERR_NOWHERE, none.data);
		return false;
	}
	k->entered = true;
	if (is_done(app) || (list_of(app)->cursor && is_current(app)))
		take(app);
	return true;
}

/* Up and Down; in a line they lead to earlier ones, too, and Tab takes the item. */
static bool take_key(struct app *app, uint32_t key)
{
	struct picker *k = app->state.picker;
	struct prompt *p = &app->prompt;
	bool up = key == TERM_UP || key == CTRL('P'),
	     down = key == TERM_DOWN || key == CTRL('N'), earlier;
	AUTO_BUF text = BUF_INIT;

	if (!k->kind->enter)
		return list_pane_key(app, key);
	earlier = p->recalled < p->histories[p->kind->history].count;
	if (key != '\t')
		return !(up && (earlier || !list_of(app)->cursor)) &&
		       !(down && earlier) && list_pane_key(app, key);
	if (item_at_cursor(app) == SIZE_MAX || memchr(p->text.data, ' ', p->text.len))
		return false;
	k->kind->fill(item_at_cursor(app), &text);
	prompt_fill(app, buf_view(&text));
	changed(app, buf_view(&text));
	return true;
}

unsigned picker_open(struct app *app, const struct picker_kind *kind)
{
	struct picker *k = app->state.picker;

	prompt_leave(app);
	k->kind = kind;
	k->prompt = (struct prompt_kind){.done = done,
		.history = kind->history,
		.changed = changed,
		.left = left,
		.key = take_key,
		.list = kind->list};
	/* a transcript comes back by itself */
	k->under =
		app->screen.overlay == PANE_TRANSCRIPT ? PANE_NONE : app->screen.overlay;
	k->entered = k->exact = false;
	app->screen.overlay = PANE_PICKER;
	buf_clear(&k->text);
	fuzzy_begin(&k->query, STR(""));
	look_again(app, false);
	step_view_settle(app); /* who is covered hears of it, also if one types ahead */
	prompt_ask(app, &k->prompt, kind->label, STR(""));
	return REACT_DRAW;
}

/* ---- the list ---- */

static void title(const struct app *app, const struct pane *p, struct buf *out)
{
	const struct picker *k = app->state.picker;
	bool more;
	size_t all = items(app, &more), shown = k->kind->shows ? k->shown : all;
	AUTO_BUF sums = BUF_INIT;

	buf_text(out, k->kind->name);
	buf_printf(out, "  %zu of %zu %s%s", k->all, shown, k->kind->item, plural(shown));
	if (k->next < all) {
		buf_printf(out, "  %zu %%", k->next * 100 / all);
	} else if (more) {
		buf_text(out, "  ...");
	} else if (k->kind->sums) {
		k->kind->sums(app, &sums);
		buf_text(out, "  ");
		safe_line(out, buf_view(&sums));
	}
}

static size_t count(const struct app *app)
{
	return is_current(app) ? app->state.picker->count : 0;
}

/* Character by character, through text/safe. */
static void line(struct app *app, const struct pane *p, size_t row, uint64_t deadline,
	struct lines *out)
{
	uint32_t at[FUZZY_QUERY];
	struct str name;
	struct safe_cluster c;
	size_t marks;

	read_name(app, app->state.picker->fits[row].item);
	name = buf_view(&app->state.picker->name);
	fuzzy_match(&app->state.picker->query, name, at, &marks);
	lines_clear(out);
	lines_begin(out);
	lines_put(out, ROLE_TEXT, STR(" "), 1);
	for (size_t i = 0; i < name.n && out->lines[0].width < p->area.columns;
		i += c.taken) {
		enum role role = ROLE_TEXT;

		safe_next(name.p + i, name.n - i, &c);
		for (size_t k = 0; k < marks; k++)
			if (at[k] >= i && at[k] < i + c.taken)
				role = ROLE_HIT;
		lines_put_raw(out, role, (struct str){name.p + i, c.taken});
	}
}

static void status(struct app *app, struct pane *p, struct buf *out)
{
	if (app->state.picker->entered)
		buf_text(out, "looking for the best one");
}

static const struct list_ops list = {.count = count, .line = line, .edge = true};

const struct pane_ops pane_picker_ops = {
	.title = title,
	.list = &list,
	.status = status,
};

const struct controller_ops picker_controller = {
	.state = sizeof(struct picker),
	.end = end,
	.run = run,
	.level = LEVEL_WORK,
	.on[EVENT_SETTLE] = settle,
	.on[EVENT_FORGET] = forget,
};
