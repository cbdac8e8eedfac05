/*
 * What the files of this program share: a case, running the program under test on it, and
 * the checks, one for each function of another system that has its like here.
 */
#ifndef CATENA_TESTS_EXAMPLES_H
#define CATENA_TESTS_EXAMPLES_H

#include <jansson.h>

#include "base/buf.h"

struct example {
	const char *name, *fn;
	json_t *input, *options, *expected; /* borrowed */
};

enum verdict { PASSED, FAILED, OUT }; /* OUT: this one of them cannot be compared */

/* The program's standard output for a text in a file, with a NUL behind it. */
void run_text(const char *command, const char *text, struct buf *out);
void run(const char *command, json_t *input, struct buf *out);
json_t *run_json(const char *command, json_t *input); /* parsed; a new reference */
json_t *export_of(const char *text);                  /* likewise, of `export` */
json_t *first_step(json_t *document);                 /* borrowed */

const char *text_of(json_t *object, const char *key); /* "" when it is no string */
bool contains(const char *text, const char *part);
bool ends_with(const char *text, const char *tail);
json_t *or_null(json_t *value);     /* a new reference */
json_t *parse_text(json_t *string); /* NULL when it is no JSON */
/* Prints both when they differ. */
enum verdict compare(json_t *ours, json_t *theirs);

/* Texts, calls and results in the form of `extract parts`. */
json_t *facts_new(void);
void add_extracted(json_t *facts, json_t *value);

enum verdict check_extract(const struct example *e);
enum verdict check_body(const struct example *e);
enum verdict check_message(const struct example *e);
enum verdict check_messages(const struct example *e);
enum verdict check_tool_calls(const struct example *e);
enum verdict check_partial(const struct example *e);
enum verdict check_tools(const struct example *e);
enum verdict check_fence(const struct example *e);
enum verdict check_tree(const struct example *e);
enum verdict check_latency(const struct example *e);
enum verdict check_cost(const struct example *e);
enum verdict check_summary(const struct example *e);

#endif
