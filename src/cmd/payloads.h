/*
 * The definitions of the registry as JSON, for `payloads list --json` and for `payloads
 * show --json`: each property is a key, null where it is not given.  The caller owns
 * the reference.
 */
#ifndef CATENA_CMD_PAYLOADS_H
#define CATENA_CMD_PAYLOADS_H

#include "payload/registry.h"

json_t *payloads_type_json(const struct registry *r, const struct payload_type *t);
json_t *payloads_tool_json(const struct tool_config *t);
json_t *payloads_page_json(const struct page *p);
json_t *payloads_suggestion_json(const struct suggestion *s);
json_t *payloads_registry_json(const struct registry *r);

#endif
