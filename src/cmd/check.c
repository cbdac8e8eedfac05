/*
 * `catena check`: the findings of every step, written as they come.  A step is called by
 * its index in its chain, as in `export`; where a file holds several chains, the message
 * names the trace.  The rules see all steps, since they compare a step with those before
 * it; findings are printed of those that pass --filter.
 *
 * The forms: a line each, a JSON list, and what other programs read: SARIF 2.1.0 (code
 * scanning), JUnit XML (test reports) and the annotations of GitHub Actions.  All are
 * written as the findings come, but for JUnit, which counts first: one file's findings
 * are held.
 */
#include "config.h"
#include "cmd/cmd.h"

#include <inttypes.h>

#include "analysis/check.h"
#include "base/mem.h"
#include "base/work.h"
#include "export/export.h"
#include "json/json.h"
#include "text/safe.h"

#define SLICE     100000 /* microseconds of work between two writes */
#define READ_STEP 65536  /* bytes in which lines are counted at once */

struct check_run {
	const struct form *form;
	const struct registry *registry;
	struct report report; /* of findings */
	size_t files, errors;

	const struct trace *trace;           /* the file at hand, borrowed */
	const struct filter_run *filter_run; /* ... NULL: all steps pass */
	struct buf cases;                    /* JUnit: of the file, */
	size_t failed, count;                /* ... how many, and how many are errors */
	uint64_t at, line; /* the last place whose line is known; line 0: none */
};

static void add_message(
	struct buf *out, const struct trace *trace, const struct finding *f)
{
	buf_text(out, f->message);
	if (trace->chain_count < 2 || f->chain == NO_CHAIN)
		return;
	buf_text(out, " (trace ");
	buf_str(out, trace_text(trace, trace->chains[f->chain].trace_id));
	buf_byte(out, ')');
}

/* For forms that have no place for a step and a path. */
static void add_placed(
	struct buf *out, const struct trace *trace, const struct finding *f)
{
	if (f->step != NO_STEP)
		buf_printf(out, "step %zu, ", f->index + 1);
	buf_printf(out, "%s: ", f->path);
	add_message(out, trace, f);
}

/* ---- lines ---- */

static uint64_t count_lines(struct inputs *in, uint64_t from, uint64_t to)
{
	char chunk[READ_STEP];
	uint64_t lines = 0;

	while (from < to) {
		size_t n = inputs_read(in, from, chunk,
			to - from < READ_STEP ? (size_t)(to - from) : READ_STEP);

		if (!n)
			break;
		for (const char *p = chunk;
			(p = memchr(p, '\n', n - (size_t)(p - chunk))); p++)
			lines++;
		from += n;
	}
	return lines;
}

/* The line in which a step begins, from 1; 0: the finding is of no step. */
static uint64_t line_of(struct check_run *r, const struct finding *f)
{
	struct inputs *in = r->trace->inputs;
	uint64_t at;

	if (f->step == NO_STEP)
		return 0;
	at = trace_step(r->trace, f->step).offset;
	if (!r->line || inputs_number(at) != inputs_number(r->at)) {
		r->line = 1;
		r->at = inputs_address(inputs_number(at));
	}
	if (at >= r->at)
		r->line += count_lines(in, r->at, at);
	else
		r->line -= count_lines(in, at, r->at);
	r->at = at;
	return r->line;
}

/* ---- lines of text: FILE:STEP PATH severity rule message ---- */

static void text_add(struct check_run *r, const struct finding *f)
{
	AUTO_BUF message = BUF_INIT;

	struct buf *out = &r->report.out;

	safe_line(out, cmd_file_name(r->trace, f->chain));
	if (f->step == NO_STEP)
		buf_text(out, ":- ");
	else
		buf_printf(out, ":%zu ", f->index + 1);
	safe_line(out, str_of(f->path));
	buf_printf(out, " %s %s ", severity_names[f->severity], f->rule->name);
	add_message(&message, r->trace, f);
	safe_line(out, buf_view(&message));
	report_row_end(&r->report);
}

/* ---- a JSON list ---- */

static void json_add(struct check_run *r, const struct finding *f)
{
	AUTO_BUF message = BUF_INIT;
	struct buf *out = &r->report.out;

	json_put_text(out, "file", cmd_file_name(r->trace, f->chain));
	if (f->step == NO_STEP)
		json_put_null(out, "step");
	else
		json_put_count(out, "step", f->index + 1);
	json_put_text(out, "path", str_of(f->path));
	json_put_text(out, "severity", str_of(severity_names[f->severity]));
	json_put_text(out, "rule", str_of(f->rule->name));
	add_message(&message, r->trace, f);
	json_put_text(out, "message", buf_view(&message));
	report_row_end(&r->report);
}

/* ---- SARIF 2.1.0: its levels are called as severities are ---- */

#define SARIF_HEAD                                                                       \
	"{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\","                \
	"\"version\":\"2.1.0\",\"runs\":[{\"tool\":{\"driver\":{\"name\":\"catena\","    \
	"\"version\":\"" PACKAGE_VERSION "\",\"rules\":["

static void sarif_begin(struct check_run *r)
{
	struct buf *out = &r->report.out;
	const struct check_rule *rule;

	for (size_t i = 0; (rule = check_rule_at(i)); i++) {
		buf_text(out, i ? ",\n{" : "\n{");
		json_put_text(out, "id", str_of(rule->name));
		json_open(out, "shortDescription", '{');
		json_put_text(out, "text", str_of(rule->about));
		buf_byte(out, '}');
		json_open(out, "defaultConfiguration", '{');
		json_put_text(out, "level", str_of(severity_names[rule->severity]));
		buf_text(out, "}}");
	}
	buf_text(out, "]}},\"results\":[\n");
}

static void sarif_add(struct check_run *r, const struct finding *f)
{
	AUTO_BUF message = BUF_INIT, uri = BUF_INIT;
	struct str file = cmd_file_name(r->trace, f->chain);
	struct buf *out = &r->report.out;
	uint64_t line = line_of(r, f);
	size_t number = 0;

	while (check_rule_at(number) != f->rule)
		number++;
	add_placed(&message, r->trace, f);
	json_put_text(out, "ruleId", str_of(f->rule->name));
	json_put_count(out, "ruleIndex", number);
	json_put_text(out, "level", str_of(severity_names[f->severity]));
	json_open(out, "message", '{');
	json_put_text(out, "text", buf_view(&message));
	buf_text(out, "},\"locations\":[{\"physicalLocation\":{\"artifactLocation\":{");
	/* a relative path is relative to where the reader takes the report to be from */
	if (file.n && *file.p == '/')
		buf_text(&uri, "file://");
	buf_percent(&uri, file, "-._~/");
	json_put_text(out, "uri", buf_view(&uri));
	buf_byte(out, '}');
	if (line)
		buf_printf(out, ",\"region\":{\"startLine\":%" PRIu64 "}", line);
	buf_text(out, "},\"logicalLocations\":[{");
	json_put_text(out, "fullyQualifiedName", str_of(f->path));
	buf_text(out, "}]}]");
	if (f->step != NO_STEP)
		buf_printf(out, ",\"properties\":{\"step\":%zu}", f->index + 1);
	report_row_end(&r->report);
}

/* ---- JUnit: a suite for each file, a case for each finding; errors fail ---- */

static void xml_put(struct buf *out, struct str text)
{
	AUTO_BUF safe = BUF_INIT;

	safe_line(&safe, text);
	html_put_escaped(out, buf_view(&safe));
}

static void junit_add(struct check_run *r, const struct finding *f)
{
	AUTO_BUF message = BUF_INIT;
	struct str file = cmd_file_name(r->trace, f->chain);
	struct buf *out = &r->cases;
	bool fails = f->severity == SEVERITY_ERROR;

	buf_text(out, "<testcase classname=\"");
	xml_put(out, file);
	buf_text(out, "\" name=\"");
	if (f->step != NO_STEP)
		buf_printf(out, "step %zu ", f->index + 1);
	xml_put(out, str_of(f->path));
	buf_printf(out, " %s", f->rule->name);
	add_message(&message, r->trace, f);
	if (fails)
		buf_printf(out, "\"><failure type=\"%s\" message=\"", f->rule->name);
	else
		buf_printf(out, "\"><system-out>%s: ", severity_names[f->severity]);
	xml_put(out, buf_view(&message));
	buf_text(out, fails ? "\"/></testcase>\n" : "</system-out></testcase>\n");
	r->failed += fails;
	r->count++;
}

/* A file without findings is a case that passes. */
static void junit_file_end(struct check_run *r)
{
	struct str name = str_of(inputs_name(r->trace->inputs));
	struct buf *out = &r->report.out;

	buf_text(out, "<testsuite name=\"");
	xml_put(out, name);
	buf_printf(out, "\" tests=\"%zu\" failures=\"%zu\" errors=\"0\">\n",
		r->count ? r->count : 1, r->failed);
	if (!r->count) {
		buf_text(out, "<testcase classname=\"");
		xml_put(out, name);
		buf_text(out, "\" name=\"no findings\"/>\n");
	}
	buf_str(out, buf_view(&r->cases));
	buf_text(out, "</testsuite>\n");
}

/* ---- annotations of GitHub Actions: lines, whose values are percent-encoded ---- */

static void github_put(struct buf *out, struct str text, const char *special)
{
	AUTO_BUF safe = BUF_INIT;

	safe_line(&safe, text);
	for (size_t i = 0; i < safe.len; i++)
		if (strchr(special, safe.data[i]))
			buf_printf(out, "%%%02X", (unsigned char)safe.data[i]);
		else
			buf_byte(out, safe.data[i]);
}

static void github_add(struct check_run *r, const struct finding *f)
{
	static const char *const names[] = {[SEVERITY_NOTE] = "notice",
		[SEVERITY_WARNING] = "warning",
		[SEVERITY_ERROR] = "error"};
	AUTO_BUF message = BUF_INIT;
	struct buf *out = &r->report.out;
	uint64_t line = line_of(r, f);

	buf_printf(out, "::%s file=", names[f->severity]);
	github_put(out, cmd_file_name(r->trace, f->chain), "%:,");
	if (line)
		buf_printf(out, ",line=%" PRIu64, line);
	buf_printf(out, ",title=%s::", f->rule->name);
	add_placed(&message, r->trace, f);
	github_put(out, buf_view(&message), "%");
	report_row_end(&r->report);
}

static const struct form {
	const char *name;
	bool json; /* findings are objects */
	void (*add)(struct check_run *r, const struct finding *f);
	void (*file_end)(struct check_run *r); /* or NULL */
	const char *head, *tail;
	void (*begin)(struct check_run *r); /* what follows the head, or NULL */
} forms[] = {
	{"text", false, text_add, NULL, "", "", NULL},
	{"json", true, json_add, NULL, "[", "]\n", NULL},
	{"sarif", true, sarif_add, NULL, SARIF_HEAD, "]}]}\n", sarif_begin},
	{"junit", false, junit_add, junit_file_end,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<testsuites name=\"catena check\">\n",
		"</testsuites>\n", NULL},
	{"github", false, github_add, NULL, "", "", NULL},
};

const char *check_format_name(size_t i)
{
	return i < sizeof(forms) / sizeof(*forms) ? forms[i].name : NULL;
}

/* ---- the command ---- */

static void put_findings(struct check_run *k, struct check *c)
{
	const struct findings *f = &c->findings;

	for (size_t i = 0; i < f->count; i++) {
		uint32_t step = f->items[i].step;

		/* one of no chain is about the registry: it is printed once */
		if (f->items[i].chain == NO_CHAIN
				? k->files > 0
				: step != NO_STEP && k->filter_run &&
					  !filter_run_passes(k->filter_run, step))
			continue;
		k->errors += f->items[i].severity == SEVERITY_ERROR;
		if (report_row(&k->report))
			k->form->add(k, &f->items[i]);
	}
	findings_cut(&c->findings, 0);
	cmd_write(&k->report.out);
}

static int check_file(struct cmd_file *f, const struct options *o, void *ctx)
{
	struct check_run *k = ctx;
	struct filter_run *filter_run;
	struct check *c;
	bool done;

	if (load_is_words(f->load))
		return STATUS_ERROR; /* as a note has said */
	c = check_new(f->trace, k->registry, str_of(o->page));
	filter_run = cmd_filter(o, f->trace);
	k->filter_run = filter_run;
	k->trace = f->trace;
	buf_clear(&k->cases);
	k->failed = k->count = 0;
	k->line = 0;
	do {
		done = check_run(c, clock_deadline(SLICE)) == TASK_DONE;
		put_findings(k, c);
	} while (!done);
	if (k->form->file_end)
		k->form->file_end(k);
	k->files++;
	check_free(c);
	filter_run_free(filter_run);
	return STATUS_DONE;
}

int cmd_check(const struct options *o)
{
	struct registry *registry = cmd_registry(o);
	struct str format = o->format.n ? o->format : o->json ? STR("json") : STR("text");
	struct check_run k = {
		.form = forms, .registry = registry, .report = report_of(o)};
	struct buf *out = &k.report.out;
	int status;

	if (!registry)
		return STATUS_ERROR;
	while (!str_equal(format, str_of(k.form->name)))
		k.form++;
	k.report.json = k.form->json;
	k.report.first = "";
	cmd_note_page(registry, o->page);
	buf_text(out, k.form->head);
	if (k.form->begin)
		k.form->begin(&k);
	status = cmd_each(o, check_file, &k);
	buf_text(out, k.form->tail);
	status = report_end(&k.report, status, "finding");
	buf_done(&k.cases);
	registry_free(registry);
	if (status != STATUS_ERROR && k.errors)
		return STATUS_FINDINGS;
	return status;
}
