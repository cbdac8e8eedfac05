/* The configuration as text, with sentences, and the schema of such files. */
#ifndef CATENA_UI_CONFIG_TEXT_H
#define CATENA_UI_CONFIG_TEXT_H

#include "config/configuration.h"

/* What is in force; what cannot be used is left out, and added to the warnings. */
void config_text_put(struct config *c, struct buf *out);

/* The schema, for json_decref. */
json_t *config_schema(void);
/* As JSON, for editors. */
void config_schema_put(struct buf *out);

#endif
