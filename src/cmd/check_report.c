/* The forms of findings: see check_report.h. */
#include "config.h"
#include "cmd/check_report.h"

#include <inttypes.h>

#include "base/mem.h"
#include "cmd/cmd.h"
#include "export/export.h"
#include "json/json.h"
#include "text/safe.h"

#define READ_STEP 65536 /* bytes in which lines are counted at once */

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
	char *chunk = mem_alloc(READ_STEP);
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
	mem_free(chunk);
	return lines;
}

/* The line in which a step begins, from 1; 0: the finding is of no step. */
static uint64_t line_of(struct check_report *r, const struct finding *f)
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

static void text_add(struct check_report *r, const struct finding *f)
{
	AUTO_BUF message = BUF_INIT;

	safe_line(&r->out, cmd_file_name(r->trace, f->chain));
	if (f->step == NO_STEP)
		buf_text(&r->out, ":- ");
	else
		buf_printf(&r->out, ":%zu ", f->index + 1);
	safe_line(&r->out, str_of(f->path));
	buf_printf(&r->out, " %s %s ", severity_name(f->severity), f->rule->name);
	add_message(&message, r->trace, f);
	safe_line(&r->out, buf_view(&message));
	buf_byte(&r->out, '\n');
}

/* ---- a JSON list ---- */

static void json_begin(struct check_report *r)
{
	buf_byte(&r->out, '[');
}

static void json_add(struct check_report *r, const struct finding *f)
{
	AUTO_BUF message = BUF_INIT;
	struct buf *out = &r->out;

	buf_text(out, r->printed ? ",\n{\"file\":" : "{\"file\":");
	json_write_string(out, cmd_file_name(r->trace, f->chain));
	if (f->step == NO_STEP)
		json_write_null(out, "step");
	else
		buf_printf(out, ",\"step\":%zu", f->index + 1);
	json_write_text(out, "path", str_of(f->path));
	json_write_text(out, "severity", str_of(severity_name(f->severity)));
	json_write_text(out, "rule", str_of(f->rule->name));
	add_message(&message, r->trace, f);
	json_write_text(out, "message", buf_view(&message));
	buf_byte(out, '}');
}

static void json_end(struct check_report *r)
{
	buf_text(&r->out, "]\n");
}

/* ---- SARIF 2.1.0: its levels are called as severities are ---- */

static void sarif_begin(struct check_report *r)
{
	struct buf *out = &r->out;

	buf_text(out, "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\","
		      "\"version\":\"2.1.0\",\"runs\":[{\"tool\":{\"driver\":{"
		      "\"name\":\"catena\",\"version\":\"" PACKAGE_VERSION "\","
		      "\"rules\":[");
	for (const struct check_rule *rule = rules; rule->name; rule++) {
		buf_text(out, rule == rules ? "\n{\"id\":" : ",\n{\"id\":");
		json_write_string(out, str_of(rule->name));
		buf_text(out, ",\"shortDescription\":{\"text\":");
		json_write_string(out, str_of(rule->about));
		buf_printf(out, "},\"defaultConfiguration\":{\"level\":\"%s\"}}",
			severity_name(rule->severity));
	}
	buf_text(out, "]}},\"results\":[\n");
}

/* A relative path is relative to where the reader takes the report to be from. */
static void sarif_put_uri(struct buf *out, struct str name)
{
	AUTO_BUF uri = BUF_INIT;

	if (name.n && *name.p == '/')
		buf_text(&uri, "file://");
	buf_percent(&uri, name, "-._~/");
	json_write_string(out, buf_view(&uri));
}

static void sarif_add(struct check_report *r, const struct finding *f)
{
	AUTO_BUF message = BUF_INIT;
	struct buf *out = &r->out;
	uint64_t line = line_of(r, f);

	add_placed(&message, r->trace, f);
	buf_text(out, r->printed ? ",\n{\"ruleId\":" : "{\"ruleId\":");
	json_write_string(out, str_of(f->rule->name));
	buf_printf(out, ",\"ruleIndex\":%zu,\"level\":\"%s\",\"message\":{\"text\":",
		(size_t)(f->rule - rules), severity_name(f->severity));
	json_write_string(out, buf_view(&message));
	buf_text(out, "},\"locations\":[{\"physicalLocation\":{\"artifactLocation\":"
		      "{\"uri\":");
	sarif_put_uri(out, cmd_file_name(r->trace, f->chain));
	buf_byte(out, '}');
	if (line)
		buf_printf(out, ",\"region\":{\"startLine\":%" PRIu64 "}", line);
	buf_text(out, "},\"logicalLocations\":[{\"fullyQualifiedName\":");
	json_write_string(out, str_of(f->path));
	buf_text(out, "}]}]");
	if (f->step != NO_STEP)
		buf_printf(out, ",\"properties\":{\"step\":%zu}", f->index + 1);
	buf_byte(out, '}');
}

static void sarif_end(struct check_report *r)
{
	buf_text(&r->out, "]}]}\n");
}

/* ---- JUnit: a suite for each file, a case for each finding; errors fail ---- */

static void xml_put(struct buf *out, struct str text)
{
	AUTO_BUF safe = BUF_INIT;

	safe_line(&safe, text);
	html_put_escaped(out, buf_view(&safe));
}

static void junit_begin(struct check_report *r)
{
	buf_text(&r->out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
			  "<testsuites name=\"catena check\">\n");
}

static void junit_add(struct check_report *r, const struct finding *f)
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
		buf_printf(out, "\"><system-out>%s: ", severity_name(f->severity));
	xml_put(out, buf_view(&message));
	buf_text(out, fails ? "\"/></testcase>\n" : "</system-out></testcase>\n");
	r->failed += fails;
	r->count++;
}

/* A file without findings is a case that passes. */
static void junit_file_end(struct check_report *r)
{
	struct str name = str_of(inputs_name(r->trace->inputs));

	buf_text(&r->out, "<testsuite name=\"");
	xml_put(&r->out, name);
	buf_printf(&r->out, "\" tests=\"%zu\" failures=\"%zu\" errors=\"0\">\n",
		r->count ? r->count : 1, r->failed);
	if (!r->count) {
		buf_text(&r->out, "<testcase classname=\"");
		xml_put(&r->out, name);
		buf_text(&r->out, "\" name=\"no findings\"/>\n");
	}
	buf_str(&r->out, buf_view(&r->cases));
	buf_text(&r->out, "</testsuite>\n");
}

static void junit_end(struct check_report *r)
{
	buf_text(&r->out, "</testsuites>\n");
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

static void github_add(struct check_report *r, const struct finding *f)
{
	static const char *const names[] = {[SEVERITY_NOTE] = "notice",
		[SEVERITY_WARNING] = "warning",
		[SEVERITY_ERROR] = "error"};
	AUTO_BUF message = BUF_INIT;
	uint64_t line = line_of(r, f);

	buf_printf(&r->out, "::%s file=", names[f->severity]);
	github_put(&r->out, cmd_file_name(r->trace, f->chain), "%:,");
	if (line)
		buf_printf(&r->out, ",line=%" PRIu64, line);
	buf_printf(&r->out, ",title=%s::", f->rule->name);
	add_placed(&message, r->trace, f);
	github_put(&r->out, buf_view(&message), "%");
	buf_byte(&r->out, '\n');
}

/* ---- the table ---- */

static const struct form {
	const char *name;
	void (*begin)(struct check_report *r); /* these may be NULL, but for `add` */
	void (*add)(struct check_report *r, const struct finding *f);
	void (*file_end)(struct check_report *r);
	void (*end)(struct check_report *r);
} forms[] = {
	{"text", NULL, text_add, NULL, NULL},
	{"json", json_begin, json_add, NULL, json_end},
	{"sarif", sarif_begin, sarif_add, NULL, sarif_end},
	{"junit", junit_begin, junit_add, junit_file_end, junit_end},
	{"github", NULL, github_add, NULL, NULL},
};

const char *check_format_name(size_t i)
{
	return i < sizeof(forms) / sizeof(*forms) ? forms[i].name : NULL;
}

static const struct form *form_of(const struct check_report *r)
{
	const struct form *form = forms;

	while (!str_equal(r->format, str_of(form->name)))
		form++;
	return form;
}

void check_report_begin(struct check_report *r)
{
	if (form_of(r)->begin)
		form_of(r)->begin(r);
}

void check_report_file(struct check_report *r, const struct trace *trace)
{
	r->trace = trace;
	buf_clear(&r->cases);
	r->failed = r->count = 0;
	r->line = 0;
}

void check_report_add(struct check_report *r, const struct finding *f)
{
	form_of(r)->add(r, f);
	r->printed++;
}

void check_report_file_end(struct check_report *r)
{
	if (form_of(r)->file_end)
		form_of(r)->file_end(r);
}

void check_report_end(struct check_report *r)
{
	if (form_of(r)->end)
		form_of(r)->end(r);
}

void check_report_done(struct check_report *r)
{
	buf_done(&r->out);
	buf_done(&r->cases);
}
