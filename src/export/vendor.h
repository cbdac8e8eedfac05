/*
 * Who runs models, where requests are sent, and which variable has the key: a table.  The
 * trace only chooses among its rows; no address of a trace becomes one that a key is sent
 * to.
 */
#ifndef CATENA_EXPORT_VENDOR_H
#define CATENA_EXPORT_VENDOR_H

#include "base/buf.h"
#include "dialect/wire.h"

struct vendor {
	const char *name;
	const char *words[4]; /* in the name of a provider, or of a host */
	const char
		*models[8]; /* how names of its models begin, or what they have in them */
	const char *key;    /* the variable with the key; NULL: it needs none */
	const char *base;   /* the address; NULL: the variable has to be set */
	const char *base_variable;     /* that overrides it, or NULL */
	const char *paths[WIRE_COUNT]; /* after the address; "%s": the model */
	enum wire wire;                /* that it is asked by where nothing is said */
	bool slashes;                  /* its models have names as "maker/model" */
};

/*
 * By where a request was sent to, by the provider's name, by the model; each may be
 * empty. NULL: none is known.
 */
const struct vendor *vendor_find(
	struct str address, struct str provider, struct str model);
/* Whose own a wire is. */
const struct vendor *vendor_of_wire(enum wire wire);

#endif
