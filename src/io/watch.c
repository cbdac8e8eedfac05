/* By size, by the bytes before the known end, and by what the name leads to: see
 * watch.h. */
#include "config.h"
#include "io/watch.h"

static void remember(struct watch *w, struct spool *bytes)
{
	w->tail_n = bytes->size < WATCH_TAIL ? (size_t)bytes->size : WATCH_TAIL;
	w->tail_n = spool_read(bytes, bytes->size - w->tail_n, w->tail, w->tail_n);
}

void watch_begin(struct watch *w, struct spool *bytes, const char *path)
{
	struct stat st;

	*w = (struct watch){.path = path};
	if (fstat(bytes->fd, &st) == 0) {
		w->device = st.st_dev;
		w->inode = st.st_ino;
	}
	remember(w, bytes);
}

static bool is_same(const struct watch *w, struct spool *bytes)
{
	char now[WATCH_TAIL];

	return spool_read(bytes, bytes->size - w->tail_n, now, w->tail_n) == w->tail_n &&
	       memcmp(now, w->tail, w->tail_n) == 0;
}

/* A name that leads nowhere, for the moment, is no other file. */
static bool is_replaced(const struct watch *w)
{
	struct stat st;

	return w->path && stat(w->path, &st) == 0 &&
	       (st.st_dev != w->device || st.st_ino != w->inode);
}

enum source_change watch_look(struct watch *w, struct spool *bytes)
{
	bool replaced = is_replaced(w); /* first: what was written before that counts */
	struct stat st;

	if (fstat(bytes->fd, &st) < 0)
		return SOURCE_SAME;
	if (bytes->shrank || (uint64_t)st.st_size < bytes->size)
		return SOURCE_REWRITTEN;
	if ((uint64_t)st.st_size > bytes->size) {
		if (!is_same(w, bytes))
			return SOURCE_REWRITTEN;
		bytes->size = (uint64_t)st.st_size;
		remember(w, bytes);
	}
	return replaced ? SOURCE_REPLACED : SOURCE_SAME;
}
