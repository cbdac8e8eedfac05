/* See source.h. */
#include "config.h"
#include "io/source.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/spawn.h"
#include "base/work.h"

#define WORDS_MOST 1000    /* bytes of what ssh says */
#define TIME_LIMIT 2000000 /* microseconds for it to end */

struct remote {
	pid_t pid; /* 0: it has ended */
	int words; /* its standard error */
};

static struct allowed {
	char *operand;
	bool follow;
} *allowed;
static size_t allowed_count, allowed_cap;

/* The bytes of the host; 0: it is none.  One that begins with "-" would be an option. */
static size_t host_length(const char *operand)
{
	size_t n = 0;

	while (operand[n] && (str_is_plain(operand[n]) || strchr("@.-_", operand[n]) ||
				     (unsigned char)operand[n] >= 0x80))
		n++;
	return operand[n] == ':' && n && *operand != '-' ? n : 0;
}

/* "trace.json:12" is a step of a file, "http://…" no file. */
bool remote_is_named(const char *operand)
{
	size_t host = host_length(operand);
	const char *path = operand + host + 1;

	return host && *path && strspn(path, "0123456789") < strlen(path) &&
	       strncmp(path, "//", 2) != 0 && access(operand, F_OK) != 0;
}

void remote_allow(const char *operand, bool follow)
{
	*MEM_ADD(allowed, allowed_count, allowed_cap) =
		(struct allowed){mem_dup(operand, strlen(operand)), follow};
}

static const struct allowed *find(const char *path)
{
	for (size_t i = 0; i < allowed_count; i++)
		if (strcmp(allowed[i].operand, path) == 0)
			return &allowed[i];
	return NULL;
}

bool remote_is_allowed(const char *path)
{
	return find(path) != NULL;
}

struct remote *remote_open(const char *path, int *stream, struct err *err)
{
	const struct allowed *a = find(path);
	size_t n = host_length(a->operand);
	AUTO_FREE char *host = mem_dup(a->operand, n);
	AUTO_BUF command = BUF_INIT;
	const char *argv[] = {"ssh", "--", host, NULL, NULL};
	struct spawn what = {
		.argv = argv, .streams = {SPAWN_NULL, SPAWN_PIPE, SPAWN_PIPE}};
	struct pollfd first = {.events = POLLIN};
	struct remote *r;
	pid_t pid;

	/* cat -- ~/'it'\''s' */
	path = a->operand + n + 1;
	buf_text(&command, a->follow ? "tail -c +1 -f -- " : "cat -- ");
	if (strncmp(path, "~/", 2) == 0) {
		buf_text(&command, "~/");
		path += 2;
	}
	buf_shell_word(&command, str_of(path));
	argv[3] = command.data;
	if (!spawn_start(&what, &pid, err))
		return NULL;
	first.fd = *stream = what.ends[1];
	while (poll(&first, 1, -1) < 0 && errno == EINTR)
		continue;
	r = mem_alloc(sizeof(*r));
	*r = (struct remote){pid, what.ends[2]};
	return r;
}

bool remote_ended_well(struct remote *r, struct err *err)
{
	int status = r->pid ? spawn_wait(r->pid, clock_deadline(TIME_LIMIT)) : 0;
	struct str rest, line, words = STR("it says no reason");
	AUTO_BUF all = BUF_INIT;
	ssize_t n;

	r->pid = 0;
	if (!status)
		return true;
	fcntl(r->words, F_SETFL, O_NONBLOCK);
	buf_reserve(&all, WORDS_MOST);
	n = read(r->words, all.data, WORDS_MOST);
	all.len = n > 0 ? (size_t)n : 0;
	for (rest = buf_view(&all); str_next_line(&rest, &line);)
		if (str_trim(line).n) /* the last line that it said */
			words = str_trim(line);
	err_set(err, "cannot be read through ssh: %.*s", (int)words.n, words.p);
	return false;
}

void remote_close(struct remote *r)
{
	if (!r)
		return;
	if (r->pid) {
		kill(r->pid, SIGTERM);
		spawn_wait(r->pid, clock_deadline(TIME_LIMIT));
	}
	if (r->words >= 0)
		close(r->words);
	mem_free(r);
}
