/* The configuration as text, with sentences, and the schema of such files. */
#ifndef CATENA_UI_SCHEMA_H
#define CATENA_UI_SCHEMA_H

#include "config/configuration.h"

/* What is in force; what cannot be used is left out, and added to the warnings. */
void app_put_config(struct config *c, struct buf *out);

/* The schema, for json_decref. */
json_t *app_schema(void);
/* As JSON, for editors. */
void app_put_schema(struct buf *out);

#endif
