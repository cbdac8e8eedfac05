/*
 * The thumbnails of the images that are looked at (term/thumbnail), when the setting
 * `images` asks for them: made one after the other beside everything else, kept for the
 * next time.  An image is known by a hash of its bytes, and the width.
 */
#include "config.h"
#include "ui/control/controllers.h"

#include "base/map.h"
#include "base/mem.h"
#include "chat/parts.h"
#include "term/term.h"
#include "view/pieces.h"

#define KEPT        64         /* pictures */
#define WIDEST      48         /* cells that one is wide at most, */
#define HIGHEST     14         /* and high: less than a message shows at first */
#define BASE64_MOST (8u << 20) /* bytes of one that is decoded for it */

enum picture_state { NONE, WANTED, RUNS, READY };

struct picture {
	uint64_t hash;
	uint32_t width;
	enum picture_state state;
	struct buf bytes; /* while it is wanted */
	struct lines lines;
};

struct pictures {
	struct picture items[KEPT];
	size_t count, next;        /* next: the one that goes for a new one */
	struct thumbnail *running; /* of the one that RUNS, or NULL */
	bool failed; /* chafa cannot be started: nothing is tried any more */
};

static void forget(struct picture *p)
{
	buf_done(&p->bytes);
	lines_done(&p->lines);
	*p = (struct picture){0};
}

/* Of all of them: other images may be wanted, or none. */
static void drop(struct app *app)
{
	struct pictures *all = app->state.pictures;

	thumbnail_free(all->running);
	for (size_t i = 0; i < all->count; i++)
		forget(&all->items[i]);
	*all = (struct pictures){0};
}

static const struct lines *get(void *context, const struct part *part, uint32_t width)
{
	struct app *app = context;
	struct pictures *all = app->state.pictures;
	AUTO_BUF text = BUF_INIT;
	struct base64 state = {0};
	struct image_data data;
	struct picture *p;
	struct str base64;
	uint64_t hash;

	if (!app->settings.images || part->kind != PART_IMAGE || part->remote ||
		part->body.kind != J_STRING)
		return NULL;
	width = width < WIDEST ? width : WIDEST;
	hash = map_hash(jv_raw(part->body));
	for (size_t i = 0; i < all->count; i++)
		if (all->items[i].hash == hash && all->items[i].width == width)
			return all->items[i].state == READY ? &all->items[i].lines : NULL;
	if (all->failed)
		return NULL;
	if (all->count < KEPT) {
		p = &all->items[all->count++];
	} else { /* one that is not being made; all are, at most one */
		do
			p = &all->items[all->next++ % KEPT];
		while (p->state == RUNS);
		forget(p);
	}
	*p = (struct picture){.hash = hash, .width = width, .state = NONE};
	base64 = jv_str(part->body, &text);
	/* decoded now: the text it stands in may go before its turn comes */
	if (base64.n <= BASE64_MOST && image_data_find(&data, base64) && data.media.n) {
		base64_decode(&state, data.base64, SIZE_MAX, &p->bytes);
		p->state = WANTED;
	}
	return NULL;
}

static struct picture *find(struct pictures *all, enum picture_state state)
{
	for (size_t i = 0; i < all->count; i++)
		if (all->items[i].state == state)
			return &all->items[i];
	return NULL;
}

static void lay_out_again(struct app *app)
{
	for (int i = PANE_INPUT; i <= PANE_OUTPUT; i++) {
		struct doc *d = pane_doc(&app->screen.panes[i]);

		for (size_t b = 0; b < d->count; b++)
			if (piece_media(&d->blocks[b]))
				doc_release(d, b);
	}
	app->screen.dirty = true;
}

/* Never has more to do: what runs is waited for (see pictures_are_made). */
static enum task_state run(struct app *app, uint64_t deadline)
{
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};
	struct pictures *all = app->state.pictures;
	enum thumbnail_state state;
	struct picture *p;

	if (all->running) {
		state = thumbnail_poll(all->running);
		if (state == THUMBNAIL_RUNS)
			return TASK_IDLE;
		p = find(all, RUNS);
		p->state = state == THUMBNAIL_DONE ? READY : NONE;
		if (p->state == READY)
			thumbnail_lines(all->running, &p->lines);
		thumbnail_free(all->running);
		all->running = NULL;
		lay_out_again(app);
		return TASK_IDLE;
	}
	p = find(all, WANTED);
	if (p && all->failed) {
		forget(p);
	} else if (p) {
		all->running =
			thumbnail_new(buf_view(&p->bytes), p->width, HIGHEST, &err);
		buf_done(&p->bytes);
		p->state = all->running ? RUNS : NONE;
		if (p->state == NONE) {
			all->failed = true;
			buf_set(&app->said, STR("no thumbnails: "));
			err_format(&err, &app->said);
			app->screen.dirty = true;
		}
	}
	return TASK_IDLE;
}

bool pictures_are_made(const struct app *app)
{
	return app->state.pictures->running || find(app->state.pictures, WANTED);
}

unsigned run_thumbnails(struct app *app, const struct invocation *call)
{
	app->settings.images = !app->settings.images;
	drop(app);
	lay_out_again(app);
	return app_say(app, app->settings.images ? "images as thumbnails, by chafa"
						 : "images by their names");
}

static void opened(struct app *app)
{
	app->step.reading->picture = get;
	app->step.reading->picture_context = app;
	lay_out_again(app); /* it may have been laid out with others */
}

const struct controller_ops pictures_controller = {
	.state = sizeof(struct pictures),
	.end = drop,
	.run = run,
	.level = LEVEL_OPEN,
	.on[EVENT_SETTINGS] = lay_out_again,
	.on[EVENT_OPENED] = opened,
};
