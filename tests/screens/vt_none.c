/* vt.h where libvterm is not there: no terminal is ever begun. */
#include "config.h"
#include "vt.h"

bool vt_possible(void)
{
	return false;
}

struct vt *vt_new(unsigned columns, unsigned rows)
{
	(void)columns;
	(void)rows;
	return NULL;
}

void vt_free(struct vt *vt)
{
	(void)vt;
}

void vt_feed(struct vt *vt, struct str bytes)
{
	(void)vt;
	(void)bytes;
}

void vt_resize(struct vt *vt, unsigned columns, unsigned rows)
{
	(void)vt;
	(void)columns;
	(void)rows;
}

void vt_key(struct vt *vt, const struct term_event *event, struct buf *out)
{
	(void)vt;
	(void)event;
	(void)out;
}

struct vt_modes vt_modes(const struct vt *vt)
{
	(void)vt;
	return (struct vt_modes){0};
}

bool vt_shows(const struct vt *vt, struct rect area, struct str text)
{
	(void)vt;
	(void)area;
	(void)text;
	return false;
}

void vt_print(const struct vt *vt, struct rect area, struct buf *out)
{
	(void)vt;
	(void)area;
	(void)out;
}
