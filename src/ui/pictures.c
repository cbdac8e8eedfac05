/* See pictures.h.  An image is known by a hash of its bytes, and the width. */
#include "config.h"
#include "ui/pictures.h"

#include "base/map.h"
#include "base/mem.h"
#include "chat/image_data.h"
#include "term/thumbnail.h"
#include "ui/pane.h"
#include "ui/run.h"
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

void pictures_free(struct app *app)
{
	if (!app->pictures)
		return;
	thumbnail_free(app->pictures->running);
	for (size_t i = 0; i < app->pictures->count; i++)
		forget(&app->pictures->items[i]);
	mem_free(app->pictures);
	app->pictures = NULL;
}

/* One that is not being made; all are, at most one. */
static struct picture *take_slot(struct pictures *all)
{
	struct picture *p;

	if (all->count < KEPT)
		return &all->items[all->count++];
	do
		p = &all->items[all->next++ % KEPT];
	while (p->state == RUNS);
	forget(p);
	return p;
}

/* Decoded now: the text it stands in may go before its turn comes. */
static void want(struct pictures *all, uint64_t hash, struct str text, uint32_t width)
{
	struct picture *p = take_slot(all);
	struct image_data data;
	struct base64 state = {0};

	*p = (struct picture){.hash = hash, .width = width, .state = NONE};
	if (text.n > BASE64_MOST || !image_data_find(&data, text) || !data.media.n)
		return;
	base64_decode(&state, data.base64, SIZE_MAX, &p->bytes);
	p->state = WANTED;
}

const struct lines *pictures_get(void *context, const struct part *part, uint32_t width)
{
	struct app *app = context;
	struct pictures *all = app->pictures;
	uint64_t hash;

	if (!app->settings.images || part->kind != PART_IMAGE || part->remote ||
		part->body.kind != J_STRING)
		return NULL;
	if (!all)
		all = app->pictures = mem_zalloc(1, sizeof(*all));
	width = width < WIDEST ? width : WIDEST;
	hash = map_hash((struct str){part->body.p, part->body.n});
	for (size_t i = 0; i < all->count; i++)
		if (all->items[i].hash == hash && all->items[i].width == width)
			return all->items[i].state == READY ? &all->items[i].lines : NULL;
	if (!all->failed) {
		struct buf text = BUF_INIT;

		want(all, hash, jv_str(part->body, &text), width);
		buf_done(&text);
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

static void start(struct app *app, struct picture *p)
{
	struct err err = {.offset = ERR_NOWHERE};

	app->pictures->running =
		thumbnail_new(buf_view(&p->bytes), p->width, HIGHEST, &err);
	buf_done(&p->bytes);
	p->state = app->pictures->running ? RUNS : NONE;
	if (p->state == NONE) {
		app->pictures->failed = true;
		buf_clear(&app->said);
		buf_text(&app->said, "no thumbnails: ");
		err_format(&err, &app->said);
		app->dirty = true;
	}
	err_done(&err);
}

static void finish(struct app *app, struct picture *p, bool ready)
{
	if (ready)
		thumbnail_lines(app->pictures->running, &p->lines);
	p->state = ready ? READY : NONE;
	thumbnail_free(app->pictures->running);
	app->pictures->running = NULL;
	pictures_renew(app);
}

void pictures_slice(struct app *app)
{
	struct pictures *all = app->pictures;
	enum thumbnail_state state;
	struct picture *p;

	if (!all)
		return;
	if (all->running) {
		state = thumbnail_go(all->running);
		if (state != THUMBNAIL_RUNS)
			finish(app, find(all, RUNS), state == THUMBNAIL_DONE);
	} else if ((p = find(all, WANTED))) {
		if (all->failed)
			forget(p);
		else
			start(app, p);
	}
}

bool pictures_are_made(const struct app *app)
{
	return app->pictures && (app->pictures->running || find(app->pictures, WANTED));
}

void pictures_renew(struct app *app)
{
	for (int i = PANE_INPUT; i <= PANE_OUTPUT; i++) {
		struct doc *d = pane_doc(&app->panes[i]);

		for (size_t b = 0; b < d->count; b++)
			if (piece_media(&d->blocks[b]))
				doc_release(d, b);
	}
	app->dirty = true;
}

unsigned run_thumbnails(struct app *app, const struct invocation *call)
{
	(void)call;
	app->settings.images = !app->settings.images;
	pictures_free(app);
	pictures_renew(app);
	buf_text(&app->said, app->settings.images ? "images as thumbnails, by chafa"
						  : "images by their names");
	return REACT_DRAW;
}
