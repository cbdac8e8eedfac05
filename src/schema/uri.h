/*
 * Resolves references of one document to another, by RFC 3986 section 5.2.  Takes texts
 * of any bytes; fetches nothing.  All functions are linear.
 */
#ifndef CATENA_SCHEMA_URI_H
#define CATENA_SCHEMA_URI_H

#include "base/buf.h"

/* The part before the first '#', and the part after it; .p of the latter is NULL without
 * '#'.  Both borrow `uri`. */
struct str uri_document(struct str uri);
struct str uri_fragment(struct str uri);

/*
 * Appends the address that `reference` means in a document at the address `base`, without
 * a fragment; an empty base leaves the reference as it is.
 */
void uri_resolve(struct buf *out, struct str base, struct str reference);

/* Appends a text with %XX decoded; everything else is copied. */
void uri_decode(struct buf *out, struct str text);

#endif
