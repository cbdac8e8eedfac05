/*
 * cells COLUMNS ROWS: a terminal (libvterm) that tells how much changed.  Standard input
 * is pieces of what a program sent, each behind a line with its length in bytes; for each
 * piece a line with the number of cells that look different from before it comes back.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "../screens/vt.h"

static bool read_piece(struct buf *piece)
{
	unsigned long n;
	char line[32];

	if (!fgets(line, sizeof(line), stdin))
		return false;
	n = strtoul(line, NULL, 10);
	buf_clear(piece);
	buf_reserve(piece, n);
	piece->len = fread(piece->data, 1, n, stdin);
	return piece->len == n;
}

int main(int argc, char **argv)
{
	struct buf piece = BUF_INIT;
	struct vt *vt;

	if (argc != 3) {
		fputs("usage: cells COLUMNS ROWS\n", stderr);
		return 2;
	}
	vt = vt_new((unsigned)atoi(argv[1]), (unsigned)atoi(argv[2]));
	while (read_piece(&piece)) {
		vt_feed(vt, buf_view(&piece));
		printf("%zu\n", vt_changes(vt));
		fflush(stdout);
	}
	buf_done(&piece);
	vt_free(vt);
	return 0;
}
