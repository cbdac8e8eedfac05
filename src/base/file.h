/* Reading bytes of a file by their place. */
#ifndef CATENA_BASE_FILE_H
#define CATENA_BASE_FILE_H

#include <stddef.h>
#include <stdint.h>

/* Reads bytes of a file from a place on; fewer than `n` at its end, where errno is 0, or
 * when it cannot be read, which errno tells. */
size_t file_read_at(int fd, void *to, size_t n, uint64_t at);
/* ... from the beginning of a file by its name; one that cannot be opened gives none. */
size_t file_read_head(const char *path, void *to, size_t n);

#endif
