/* The hits of a search in one session, for the list of sessions: how many count, and a line
 * with the first of them in the newest step that has some. */
#ifndef CATENA_VIEW_SESSION_SEARCH_H
#define CATENA_VIEW_SESSION_SEARCH_H

#include "base/task.h"
#include "import/format.h"
#include "query/query.h"
#include "sessions/sessions.h"
#include "view/scoped_hits.h"

struct session_search;

/* The path as struct session has it; the query and the scope are borrowed.  `whole`: all
 * hits are counted; else those of one step with some are enough. */
struct session_search *session_search_new(const char *path, const struct format *forced,
	const struct query *q, const struct scoped_hits *within, bool whole);
/* Works until the deadline of base/clock, or until a key waits.  TASK_DONE: all is
 * searched.  Cost in all: as of `catena search`. */
enum task_state session_search_run(struct session_search *s, uint64_t deadline);
/* Once it is done: whether all is searched. */
bool session_search_is_whole(const struct session_search *s);
/* What was found; the text is the search's. */
const struct session_hits *session_search_hits(const struct session_search *s);
void session_search_free(struct session_search *s);

#endif
