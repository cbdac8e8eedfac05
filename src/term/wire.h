/*
 * The way to the terminal: a descriptor of its own, and a page in memory that stands in
 * for the terminal while curses draws, so that what it drew can be said with fewer bytes
 * (term/thrift).  Where a file in memory is not to be had, or the terminal's attributes
 * are not those of the standard, all goes as curses sends it.
 */
#ifndef CATENA_TERM_WIRE_H
#define CATENA_TERM_WIRE_H

#include "base/str.h"

/*
 * `fd` is where curses writes; `private`: programs that are started do not get it.  False
 * when there is no descriptor left.
 */
bool wire_begin(int fd, bool private);
void wire_end(void);

int wire_tty(void);      /* the terminal itself, also while a page is drawn; or -1 */
void wire_thrifty(void); /* its attributes are the standard's: from now on, save bytes */
void wire_forget(void);  /* others may have written to it: nothing is known of it */
void wire_send(struct str bytes); /* past curses, behind all pages; on failure, not */

/* Calls what makes curses draw and flush, and sends what that gave. */
void wire_page(void (*draw)(void));

#endif
