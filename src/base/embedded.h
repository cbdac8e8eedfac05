/*
 * Files of data/ that the program carries in itself, made into C by tools/embed when it
 * is built: text that does not end with a NUL.
 */
#ifndef CATENA_BASE_EMBEDDED_H
#define CATENA_BASE_EMBEDDED_H

#include <stddef.h>

struct embedded {
	const unsigned char *bytes;
	size_t n;
};

extern const struct embedded embedded_bodies;        /* data/bodies.json */
extern const struct embedded embedded_boilerplate;   /* data/boilerplate.yaml, as JSON */
extern const struct embedded embedded_catena;        /* data/catena.yaml */
extern const struct embedded embedded_catena_schema; /* data/catena.schema.yaml */
extern const struct embedded embedded_defaults;       /* data/catena.yaml, as JSON */
extern const struct embedded embedded_format_files;  /* data/formats as written, each file
							 after a line "---" */
extern const struct embedded embedded_formats;  /* data/formats: a line of JSON with their
						   names and places, then a line each */
extern const struct embedded embedded_languages; /* data/languages.txt */
extern const struct embedded embedded_page;     /* data/page.css */
extern const struct embedded embedded_payloads; /* data/payloads.yaml, as JSON */
extern const struct embedded embedded_payloads_schema; /* data/payloads.schema.yaml */
extern const struct embedded embedded_prices;          /* data/prices.json */
extern const struct embedded embedded_secrets;         /* data/secrets.json */

#endif
