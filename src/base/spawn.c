/* posix_spawn with what every child wants: see spawn.h. */
#include "config.h"
#include "base/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/work.h"

#define POLL_INTERVAL                                                                    \
	2000000L /* nanoseconds between checks whether a child has ended                 \
		  */

extern char **environ;

/* Makes the pipes, no end of which any child inherits; `theirs` are the descriptors that
 * it gets.  An errno, or 0. */
static int make_pipes(struct spawn *what, int theirs[3])
{
	int pair[2];

	for (int i = 0; i < 3; i++) {
		theirs[i] = what->streams[i];
		what->ends[i] = -1;
	}
	for (int i = 0; i < 3; i++) {
		if (theirs[i] != SPAWN_PIPE)
			continue;
		if (pipe(pair) != 0)
			return errno;
		fcntl(pair[0], F_SETFD, FD_CLOEXEC);
		fcntl(pair[1], F_SETFD, FD_CLOEXEC);
		theirs[i] = pair[i != STDIN_FILENO];
		what->ends[i] = pair[i == STDIN_FILENO];
	}
	return 0;
}

/* An errno, or 0. */
static int start(const struct spawn *what, const int streams[3], pid_t *pid,
	posix_spawn_file_actions_t *files, posix_spawnattr_t *attributes)
{
	short flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
	sigset_t all, none;
	int problem;

	/* it starts as from a shell: no signal is ignored or blocked */
	sigfillset(&all);
	sigemptyset(&none);
	problem = posix_spawnattr_setsigdefault(attributes, &all);
	if (!problem)
		problem = posix_spawnattr_setsigmask(attributes, &none);
	if (!problem && what->apart)
		problem = posix_spawnattr_setpgroup(attributes, 0);
	if (!problem)
		problem = posix_spawnattr_setflags(attributes,
			(short)(flags | (what->apart ? POSIX_SPAWN_SETPGROUP : 0)));
	for (int i = 0; i < 3 && !problem; i++)
		problem =
			streams[i] == SPAWN_NULL
				? posix_spawn_file_actions_addopen(files, i, "/dev/null",
					  i == STDIN_FILENO ? O_RDONLY : O_WRONLY, 0)
				: posix_spawn_file_actions_adddup2(files, streams[i], i);
	if (problem)
		return problem;
	return posix_spawnp(pid, what->argv[0], files, attributes,
		(char *const *)what->argv, environ);
}

bool spawn_start(struct spawn *what, pid_t *pid, struct err *err)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	int theirs[3], problem = make_pipes(what, theirs);

	if (!problem)
		problem = posix_spawn_file_actions_init(&files);
	if (!problem) {
		problem = posix_spawnattr_init(&attributes);
		if (!problem) {
			problem = start(what, theirs, pid, &files, &attributes);
			posix_spawnattr_destroy(&attributes);
		}
		posix_spawn_file_actions_destroy(&files);
	}
	for (int i = 0; i < 3; i++) {
		if (what->ends[i] < 0)
			continue;
		close(theirs[i]);
		if (problem)
			close(what->ends[i]);
	}
	if (problem) {
		err_source(err, what->argv[0]);
		err_set(err, "%s", strerror(problem));
	}
	return !problem;
}

/* SIGPIPE is ignored by the whole program: a reader that is gone is an error of write. */
bool spawn_feed(int fd, struct str bytes, uint64_t deadline)
{
	struct pollfd ready = {.fd = fd, .events = POLLOUT};

	fcntl(fd, F_SETFL, O_NONBLOCK);
	while (bytes.n) {
		int n = poll(&ready, 1, clock_timeout(deadline));
		ssize_t wrote;

		if (n == 0 || (n < 0 && errno != EINTR))
			break;
		wrote = n < 0 ? 0 : write(fd, bytes.p, bytes.n);
		if (wrote < 0 && errno != EINTR && errno != EAGAIN)
			break;
		bytes = str_skip(bytes, wrote > 0 ? (size_t)wrote : 0);
	}
	close(fd);
	return !bytes.n;
}

int spawn_wait(pid_t pid, uint64_t deadline)
{
	bool forever = deadline == UINT64_MAX;
	int status = 0;
	pid_t got;

	while ((got = waitpid(pid, &status, forever ? 0 : WNOHANG)) != pid) {
		if (got < 0 && errno != EINTR)
			return -1;
		if (forever)
			continue;
		if (clock_passed(deadline)) {
			kill(pid, SIGKILL);
			forever = true;
		} else {
			nanosleep(&(struct timespec){.tv_nsec = POLL_INTERVAL}, NULL);
		}
	}
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

bool spawn_ended(pid_t pid)
{
	return waitpid(pid, NULL, WNOHANG) != 0;
}

const char **spawn_words(const char *line, const char *more)
{
	size_t n = strlen(line), count = 0;
	size_t for_text = n / sizeof(const char *) + 1;
	const char **words = mem_array(n + 3 + for_text, sizeof(*words));
	char *text = (char *)(words + n + 3);

	memcpy(text, line, n + 1);
	for (char *p = text; *(p += strspn(p, " \t\n"));) {
		words[count++] = p;
		p += strcspn(p, " \t\n");
		if (*p)
			*p++ = '\0';
	}
	if (count && more)
		words[count++] = more;
	words[count] = NULL;
	return words;
}
