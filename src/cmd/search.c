/*
 * `catena search`: the steps that hold a pattern, with an excerpt a hit.  query/search
 * passes over the file; only a step with hits is decoded, to say which of them count
 * (view/hit_count) and where they are.  Exit statuses are those of grep.
 */
#include "config.h"
#include "cmd/cmd.h"

#include <inttypes.h>

#include "import/action.h"
#include "json/json.h"
#include "query/hits.h"
#include "query/search.h"
#include "text/safe.h"
#include "view/hit_count.h"

#define BEFORE 32 /* bytes of an excerpt before the hit, */
#define AFTER  64 /* ... and after it */

struct searching {
	struct scoped_query scope;
	struct hit_count counting;
	struct search *search;
	struct report report; /* of steps, or counts */
	bool count, several, sessions;
	size_t headed; /* chains of sessions */
	uint64_t hits;
	size_t places;   /* of the step, so far */
	uint32_t titled; /* scope + 1 whose title was looked for last */
};

/* ---- hits ---- */

static void put_hit(void *ctx, const struct hit *h)
{
	struct searching *s = ctx;
	struct buf *out = &s->report.out;
	AUTO_BUF excerpt = BUF_INIT;

	hit_excerpt(h, BEFORE, AFTER, &excerpt);
	if (s->report.json) {
		/* those before may be written out */
		buf_text(out, s->places++ ? ",{" : "{");
		json_put_text(out, "path", h->path);
		json_put_flag(out, "key", h->in_key);
		json_put_text(out, "text", buf_view(&excerpt));
		buf_byte(out, '}');
	} else {
		buf_text(out, "  ");
		safe_line(out, h->path);
		if (h->path.n)
			buf_text(out, h->in_key ? " (key): " : ": ");
		safe_line(out, buf_view(&excerpt));
		buf_byte(out, '\n');
	}
	cmd_write_long(out);
}

/* ---- steps ---- */

/* As text: "3 Answer with tools  2 hits" */
static void put_step(struct searching *s, struct trace *trace, size_t place)
{
	uint32_t step = trace_at(trace, place);
	uint32_t chain = trace_chain_at(trace, (uint32_t)place);
	size_t number = trace_number_at(trace, place);
	uint64_t hits = s->counting.hits;
	bool more = search_gave_up(s->search, step);
	struct buf *out = &s->report.out;
	AUTO_BUF title = BUF_INIT;

	step_call(trace, step, s->counting.opened, &title);
	s->places = 0;
	if (s->report.json) {
		json_put_text(out, "file", cmd_file_name(trace, chain));
		json_put_text(
			out, "trace", trace_text(trace, trace->chains[chain].trace_id));
		json_put_count(out, "step", number);
		json_put_text(out, "name", buf_view(&title));
		json_put_count(out, "hits", hits);
		json_put_flag(out, "more", more);
		json_open(out, "places", '[');
		hit_count_each(&s->counting, trace, put_hit, s);
		buf_byte(out, ']');
		report_row_end(&s->report);
	} else {
		buf_printf(out, "%zu ", number);
		safe_line(out, buf_view(&title));
		buf_printf(out, "  %" PRIu64 "%s hit%s\n", hits, more ? " or more" : "",
			plural(hits));
		hit_count_each(&s->counting, trace, put_hit, s);
		cmd_write_long(out);
	}
}

/* Prints the name of a chain above its first step, where there are several chains; of a
 * session always. */
static void print_chain(struct searching *s, struct trace *trace, uint32_t chain)
{
	uint32_t scope = trace->chains[chain].scope;
	struct buf *out = &s->report.out;
	bool titled = trace->chain_count > 1;

	if (!titled && s->sessions) { /* has it another name than its file? */
		cmd_entitle(trace, scope);
		titled = trace->scopes[scope].name != NO_TEXT ||
			 trace->scopes[scope].asked != NO_TEXT;
	}
	if (s->sessions && s->headed++)
		buf_byte(out, '\n');
	if (s->several || inputs_wholes(trace->inputs) > 1) {
		safe_line(out, cmd_file_name(trace, chain));
		buf_text(out, titled ? ": " : "\n");
	}
	if (titled) {
		if (s->titled != scope + 1)
			cmd_entitle(trace, scope);
		s->titled = scope + 1;
		safe_line(out, trace_chain_title(trace, &trace->chains[chain]));
		buf_byte(out, '\n');
	}
}

/* A step with hits in its bytes is opened once, to be counted and to be shown. */
static struct search_totals put_steps(struct searching *s, struct trace *trace)
{
	struct search_totals t = {.gave_up = search_totals(s->search).gave_up};
	uint32_t chain = UINT32_MAX;

	for (size_t place = search_after(s->search, SEARCH_NONE); place != SEARCH_NONE;
		place = search_after(s->search, place)) {
		uint32_t step = trace_at(trace, place);
		uint32_t in = trace_chain_at(trace, (uint32_t)place);
		uint64_t hits;

		hit_count_try(&s->counting, &s->scope, trace, step, NULL,
			search_hits(s->search, step));
		hits = s->counting.hits;
		if (hits && !s->count && report_row(&s->report)) {
			if (in != chain && !s->report.json)
				print_chain(s, trace, in);
			put_step(s, trace, place);
			chain = in;
		}
		t.hits += hits;
		t.steps += hits > 0;
		hit_count_end(&s->counting);
	}
	return t;
}

static void put_count(
	struct searching *s, const struct trace *trace, const struct search_totals *t)
{
	struct buf *out = &s->report.out;

	(void)report_row(&s->report); /* there is no limit */
	if (s->report.json) {
		json_put_text(out, "file", str_of(inputs_name(trace->inputs)));
		json_put_count(out, "hits", t->hits);
		json_put_count(out, "steps", t->steps);
	} else {
		if (s->several) {
			safe_line(out, str_of(inputs_name(trace->inputs)));
			buf_text(out, ": ");
		}
		buf_printf(out, "%" PRIu64 " hit%s in %zu step%s", t->hits,
			plural(t->hits), t->steps, plural(t->steps));
	}
	report_row_end(&s->report);
}

/* ---- files ---- */

static bool is_wanted(void *filter_run, uint32_t step)
{
	return filter_run_passes(filter_run, step);
}

static int search_file(struct cmd_file *f, const struct options *o, void *ctx)
{
	struct searching *s = ctx;
	struct filter_run *j = cmd_filter(o, f->trace);
	struct search_totals t;

	s->search = search_new(f->trace, s->scope.query);
	s->titled = 0;
	if (j)
		search_only(s->search, is_wanted, j);
	while (search_run(s->search, UINT64_MAX, true) == TASK_MORE)
		continue;
	t = put_steps(s, f->trace);
	if (s->count && (t.hits || !s->sessions))
		put_count(s, f->trace, &t);
	cmd_write(&s->report.out);
	if (t.gave_up)
		cmd_note(inputs_name(f->trace->inputs),
			"the expression runs too long in %zu step%s: there may be more "
			"hits",
			t.gave_up, plural(t.gave_up));
	s->hits += t.hits;
	search_free(s->search);
	scoped_query_forget(&s->scope);
	filter_run_free(j);
	return STATUS_DONE;
}

/* "in:user timeout": where, and what. */
static bool read_query(const struct options *o, struct scoped_query *scope)
{
	struct str text = str_of(o->files.items[0]);
	AUTO(err_done) struct err err = {.offset = ERR_NOWHERE};

	if (scoped_query_read(scope, text,
		    (o->fixed ? 0u : QUERY_REGEX) | (o->exact ? QUERY_EXACT : 0u) |
			    (o->any_case ? QUERY_ANY : 0u),
		    &err))
		return true;
	if (err.offset != ERR_NOWHERE)
		cmd_fail("%s: at %" PRIu64 ": %s", text.p, err.offset + 1, err.text);
	else
		cmd_fail("%s", err.text);
	return false;
}

int cmd_search(const struct options *o)
{
	struct options files = *o;
	struct searching s = {
		.report = report_of(o), .count = o->count, .sessions = o->sessions};
	int status;

	if (!o->files.count)
		return cmd_fail("no pattern; see catena search --help");
	if (o->limit && o->count)
		return cmd_fail("--limit and --count exclude each other");
	if (o->exact && o->any_case)
		return cmd_fail("--ignore-case and --case-sensitive exclude each other");
	if (!read_query(o, &s.scope))
		return STATUS_ERROR;
	files.files.items++; /* borrowed, like the rest */
	files.files.count--;
	files.titled_late = !o->filter;
	s.several = files.files.count > 1 || s.sessions;
	s.report.first = "";
	buf_text(&s.report.out, o->json ? "[" : "");
	status = s.sessions ? cmd_each_session(&files, s.scope.query, search_file, &s)
			    : cmd_each(&files, search_file, &s);
	buf_text(&s.report.out, o->json ? "]\n" : "");
	status = report_end(&s.report, status, "step");
	scoped_query_done(&s.scope);
	if (status == STATUS_ERROR)
		return status;
	return s.hits ? STATUS_DONE : STATUS_FINDINGS; /* as of grep */
}
