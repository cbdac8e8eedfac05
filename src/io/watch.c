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

enum source_change watch_look(struct watch *w, struct spool *bytes)
{
	char tail[WATCH_TAIL];
	bool replaced;
	struct stat st;

	/* The name first: what was written before it led elsewhere is still read.  A name
	 * that leads nowhere, for the moment, is no other file. */
	replaced = w->path && stat(w->path, &st) == 0 &&
		   (st.st_dev != w->device || st.st_ino != w->inode);

	if (fstat(bytes->fd, &st) < 0)
		return SOURCE_SAME;
	if (bytes->shrank || (uint64_t)st.st_size < bytes->size ||
		(replaced && !st.st_nlink))
		return SOURCE_REWRITTEN;
	if ((uint64_t)st.st_size > bytes->size) {
		if (spool_read(bytes, bytes->size - w->tail_n, tail, w->tail_n) !=
				w->tail_n ||
			memcmp(tail, w->tail, w->tail_n) != 0)
			return SOURCE_REWRITTEN;
		bytes->size = (uint64_t)st.st_size;
		remember(w, bytes);
	}
	return replaced ? SOURCE_REPLACED : SOURCE_SAME;
}
