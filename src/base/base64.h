/* Characters of base64 in both alphabets (RFC 4648, sections 4 and 5). */
#ifndef CATENA_BASE_BASE64_H
#define CATENA_BASE_BASE64_H

#include "base/str.h"

#define BASE64_SPACE 64

/* The six bits of a character, BASE64_SPACE for white space, else -1. */
static inline int base64_value(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	if (c == '+' || c == '-')
		return 62;
	if (c == '/' || c == '_')
		return 63;
	return str_is_space(c) ? BASE64_SPACE : -1;
}

#endif
