/*
 * References of one document to another, by RFC 3986 section 5.2.  Texts of any bytes are
 * taken; nothing is fetched.
 */
#ifndef CATENA_SCHEMA_URI_H
#define CATENA_SCHEMA_URI_H

#include "base/buf.h"

/* The part before the first '#', and what follows it; .p of the latter is NULL without
 * '#'. */
struct str uri_document(struct str uri);
struct str uri_fragment(struct str uri);

/*
 * Appends what `reference` means in a document whose address is `base`, both without
 * their fragments; an empty base leaves it as it is.
 */
void uri_resolve(struct buf *out, struct str base, struct str reference);

/* Appends a text with %XX decoded; what is no such escape stays. */
void uri_decode(struct buf *out, struct str text);

#endif
