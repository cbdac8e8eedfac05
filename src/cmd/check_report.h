/*
 * The forms in which `catena check` writes findings: a line each, a JSON list, and what
 * other programs read: SARIF 2.1.0 (code scanning), JUnit XML (test reports) and the
 * annotations of GitHub Actions.  All are written as the findings come, but for JUnit,
 * which counts first: one file's findings are held.
 */
#ifndef CATENA_CMD_CHECK_REPORT_H
#define CATENA_CMD_CHECK_REPORT_H

#include "analysis/check.h"

const char *check_format_name(size_t i); /* NULL: there are not so many */

/* Zero but for `format`; released by check_report_done. */
struct check_report {
	struct str format; /* one of the names */
	struct buf out;    /* for cmd_write */
	size_t printed;

	const struct trace *trace; /* the file at hand, borrowed */
	struct buf cases;          /* JUnit: of the file, */
	size_t failed, count;      /* ... how many, and how many are errors */
	uint64_t at, line;         /* the last place whose line is known; line 0: none */
};

void check_report_begin(struct check_report *r);
void check_report_file(struct check_report *r, const struct trace *trace);
/* SARIF and annotations name the line, for which the file is read from the step before. */
void check_report_add(struct check_report *r, const struct finding *f);
void check_report_file_end(struct check_report *r);
void check_report_end(struct check_report *r);
void check_report_done(struct check_report *r);

#endif
