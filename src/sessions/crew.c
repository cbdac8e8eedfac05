/*
 * See crew.h.  A process has one socket: it gets the path of a file, and answers with
 * the length of a summary and its coded form, or nothing.
 */
#include "config.h"
#include "sessions/crew.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/outfile.h"
#include "base/stop.h"
#include "sessions/coder.h"
#include "trace/trace.h"

#define MOST        7         /* processes */
#define PATH_LENGTH 4096      /* bytes of a path, with its NUL */
#define PIECE       (64u << 10)
#define ANSWER_MOST (64u << 20)

struct worker {
	pid_t pid;
	int socket;      /* -1: it is lost */
	bool works;
	struct buf text; /* what came of its answer */
	struct crew_job job;
};

struct crew {
	struct worker workers[MOST];
	size_t count;
	struct intern names;
};

/* ---- in the process ---- */

static void read_one(const char *path, const struct format *forced, struct prices *prices,
	struct buf *answer)
{
	struct summing_up *s = summing_up_new(path, forced, prices);
	struct coder coder = {.out = answer};
	struct summary found;

	while (summing_up_run(s, UINT64_MAX) == TASK_MORE)
		;
	summing_up_take(s, &found);
	if (!found.failed.text)
		coder_summary(&coder, &found);
	summary_done(&found);
}

/* Nothing that waits for this program, such as a key or a signal, is its own; nor is the
 * terminal. */
static void leave_the_others(void)
{
	int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (int fd = 0; nothing >= 0 && fd <= STDERR_FILENO; fd++)
		dup2(nothing, fd);
	setpgid(0, 0);
	for (int i = 1; i < NSIG; i++)
		signal(i, SIG_DFL);
	stop_ask(NULL);
	stop_at(0);
}

static _Noreturn void work(int socket, const struct format *forced, struct prices *prices)
{
	struct buf answer = BUF_INIT;
	char path[PATH_LENGTH];
	ssize_t n;

	leave_the_others();
	while ((n = recv(socket, path, sizeof(path), 0)) > 0 && !path[n - 1]) {
		uint32_t length;

		buf_clear(&answer);
		buf_add(&answer, &length, sizeof(length)); /* its place */
		read_one(path, forced, prices, &answer);
		length = (uint32_t)(answer.len - sizeof(length));
		if (length > ANSWER_MOST)
			length = 0;
		answer.len = sizeof(length) + length;
		memcpy(answer.data, &length, sizeof(length));
		if (!outfile_write_all(socket, buf_view(&answer)))
			break;
	}
	_exit(0);
}

/* ---- here ---- */

static bool begin(struct crew *c, const struct format *forced, struct prices *prices)
{
	struct worker *w = &c->workers[c->count];
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
		return false;
	w->pid = fork();
	if (!w->pid) {
		for (size_t i = 0; i < c->count; i++)
			close(c->workers[i].socket);
		close(ends[0]);
		work(ends[1], forced, prices);
	}
	close(ends[1]);
	w->socket = ends[0];
	if (w->pid < 0)
		close(ends[0]);
	c->count += w->pid > 0;
	return w->pid > 0;
}

struct crew *crew_new(const struct format *forced, struct prices *prices)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	struct crew *c = mem_zalloc(1, sizeof(*c));

	(void)trace_key(STR("")); /* all have the same secret */
	while ((long)c->count + 1 < processors && c->count < MOST &&
		begin(c, forced, prices))
		;
	if (c->count)
		return c;
	crew_free(c);
	return NULL;
}

static void lose(struct worker *w)
{
	if (w->socket < 0)
		return;
	kill(w->pid, SIGKILL);
	while (waitpid(w->pid, NULL, 0) < 0 && errno == EINTR)
		;
	close(w->socket);
	w->socket = -1;
}

void crew_free(struct crew *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->count; i++) {
		lose(&c->workers[i]);
		buf_done(&c->workers[i].text);
	}
	intern_done(&c->names);
	mem_free(c);
}

bool crew_idles(const struct crew *c)
{
	for (size_t i = 0; i < c->count; i++)
		if (c->workers[i].socket >= 0 && !c->workers[i].works)
			return true;
	return false;
}

bool crew_works(const struct crew *c)
{
	for (size_t i = 0; i < c->count; i++)
		if (c->workers[i].works)
			return true;
	return false;
}

bool crew_give(struct crew *c, const char *path, const struct crew_job *job)
{
	size_t n = strlen(path) + 1;

	for (size_t i = 0; i < c->count && n <= PATH_LENGTH; i++) {
		struct worker *w = &c->workers[i];

		if (w->socket < 0 || w->works)
			continue;
		if (send(w->socket, path, n, MSG_NOSIGNAL) != (ssize_t)n) {
			lose(w);
			continue;
		}
		w->works = true;
		w->job = *job;
		buf_clear(&w->text);
		return true;
	}
	return false;
}

/* ---- answers ---- */

/* Reads what is there; false: the process is lost. */
static bool receive(struct worker *w)
{
	ssize_t n;

	do {
		buf_reserve(&w->text, PIECE);
		n = recv(w->socket, w->text.data + w->text.len, PIECE, MSG_DONTWAIT);
		if (n > 0)
			w->text.len += (size_t)n;
	} while (n == (ssize_t)PIECE || (n < 0 && errno == EINTR));
	return n > 0 || (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK));
}

/* Whether the answer is whole: *length is that of the summary. */
static bool is_whole(const struct worker *w, uint32_t *length)
{
	if (w->text.len < sizeof(*length))
		return false;
	memcpy(length, w->text.data, sizeof(*length));
	return w->text.len - sizeof(*length) >= *length;
}

static bool read_answer(
	struct crew *c, const struct worker *w, uint32_t length, struct summary *found)
{
	struct coder coder = {.at = w->text.data + sizeof(length), .names = &c->names};

	*found = (struct summary){.failed = {.offset = ERR_NOWHERE}};
	coder.end = coder.at + length;
	if (length)
		coder_summary(&coder, found);
	if (length && !coder.bad)
		return true;
	summary_done(found);
	*found = (struct summary){.failed = {.offset = ERR_NOWHERE}};
	return false;
}

bool crew_take(struct crew *c, int wait, struct crew_job *job, struct summary *found,
	bool *done)
{
	struct pollfd fds[MOST];

	for (size_t i = 0; i < c->count; i++)
		fds[i] = (struct pollfd){
			c->workers[i].works ? c->workers[i].socket : -1, POLLIN, 0};
	if (poll(fds, (nfds_t)c->count, wait) <= 0)
		return false;
	for (size_t i = 0; i < c->count; i++) {
		struct worker *w = &c->workers[i];
		uint32_t length = 0;

		if (!w->works || !fds[i].revents)
			continue;
		if (!receive(w) && !is_whole(w, &length))
			lose(w);
		else if (!is_whole(w, &length))
			continue;
		w->works = false;
		*job = w->job;
		*done = read_answer(c, w, length, found);
		return true;
	}
	return false;
}
