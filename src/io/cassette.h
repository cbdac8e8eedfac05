/*
 * Recordings of HTTP as YAML, written as JSON: cassettes of VCR in Ruby and vcrpy
 * (https://vcrpy.readthedocs.io/), a map with `interactions` or `http_interactions`.
 */
#ifndef CATENA_IO_CASSETTE_H
#define CATENA_IO_CASSETTE_H

#include "base/buf.h"
#include "io/codec.h"

enum likeness cassette_recognize(struct str head);

/*
 * The first document, as one value: plain scalars that JSON knows (null, true, numbers)
 * are those, all others are strings; a !!binary one is what it encodes, if that is text.
 * Aliases are what they stand for, as long as the whole stays below sixteen times the
 * text.  Where the YAML is broken the value ends, too: a reader sees how far it went.
 */
void cassette_write(struct str text, struct buf *out);

#endif
