/*
 * Runs a command and says what it took:
 *
 *	run [--cold FILE] COMMAND [ARGUMENT…]
 *
 * prints the seconds from start to end, the peak of resident memory in KB and the exit
 * status (128 + the signal); what the command prints is thrown away.  With --cold the
 * FILE is first dropped from the page cache.  A program of its own, because what a
 * process's parent held in memory counts as the process's own until it begins.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int drop(const char *path)
{
	int fd = open(path, O_RDONLY), failed;

	if (fd < 0)
		return 1;
	fdatasync(fd); /* what is not on the disk cannot be dropped */
	failed = posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	close(fd);
	return failed;
}

static void become(char **argv)
{
	int null = open("/dev/null", O_RDWR);

	for (int fd = 0; fd < 3; fd++)
		if (dup2(null, fd) < 0)
			_exit(126);
	execvp(argv[0], argv);
	_exit(127);
}

int main(int argc, char **argv)
{
	struct rusage usage;
	double began, ended;
	pid_t child;
	int status;

	if (argc > 2 && strcmp(argv[1], "--cold") == 0) {
		if (drop(argv[2]) != 0)
			return 2;
		argv += 2;
		argc -= 2;
	}
	if (argc < 2) {
		fprintf(stderr, "run: no command\n");
		return 2;
	}
	began = now();
	child = fork();
	if (child == 0)
		become(argv + 1);
	if (child < 0 || wait4(child, &status, 0, &usage) < 0) {
		perror("run");
		return 2;
	}
	ended = now();
	printf("%.6f %ld %d\n", ended - began, usage.ru_maxrss,
		WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
	return 0;
}
