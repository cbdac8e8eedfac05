"""The viewer in a pseudo-terminal, for tests that need python3.

`Viewer(argv)` starts a program as a shell does: it is the foreground job of a session whose leader is
another process, so that it can be stopped.  Every wait is for a state: an answer to a sync (the sequence
ESC [ 9 9 ~, which catena answers with CATENA_SYNC=1), the end of the program, or that it stopped.  GUARD
seconds after its start a wait fails with Stuck.
"""
import fcntl
import os
import re
import resource
import select
import shutil
import signal
import struct
import sys
import tempfile
import termios
import time

GUARD = float(os.environ.get("SCREENS_GUARD", 60))
CATENA = os.environ.get("CATENA", "catena")
SRCDIR = os.path.normpath(os.environ.get("CATENA_SRCDIR", "."))
BUILDDIR = os.environ.get("CATENA_BUILDDIR", "build")
SYNC = b"\x1b[99~"
ANSWER = re.compile(rb"\x1b_sync (\d+)\x1b\\")
MODE = re.compile(rb"\x1b\[\?([\d;]+)([hl])|\x1b([=>])|\x1b\[([\d;]*)m")

PART = re.compile(rb"(\x1b(_[^\x1b]*\x1b?|\[[\d;?]*)?)?\Z")  # a sequence that is on its way


class Stuck(Exception):
    """What was waited for has not come."""


class Home:
    """A scratch folder with the folders a person has; `environment` leads programs to them."""

    def __init__(self):
        self.path = tempfile.mkdtemp(prefix="catena-test-")
        for name in ("home", "tmp", "run", "out", "state", "config"):
            os.mkdir(os.path.join(self.path, name), 0o700)
        self.environment = {
            "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
            "HOME": self / "home",
            "TMPDIR": self / "tmp",
            "XDG_RUNTIME_DIR": self / "run",
            "XDG_STATE_HOME": self / "state",
            "XDG_CONFIG_HOME": self / "config",
            "XDG_DATA_HOME": self / "home/data",
            "XDG_CACHE_HOME": self / "home/cache",
            "LANG": "C.UTF-8",
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
            "TERM": "xterm-256color",
            "EDITOR": "true",  # for keys at random
            "PAGER": "true",
            "CATENA_OPENER": "true",
            "CATENA_SYNC": "1",
        }
        for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS"):
            if name in os.environ:
                self.environment[name] = os.environ[name]

    def __truediv__(self, name):
        return os.path.join(self.path, name)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.path, ignore_errors=True)

    def empty(self, *names):
        """Removes what is in these folders of it."""
        for name in names:
            shutil.rmtree(self / name, ignore_errors=True)
            os.mkdir(self / name, 0o700)

    def left(self, *names):
        """The files in these folders of it."""
        return [os.path.join(name, file) for name in names for file in os.listdir(self / name)]


def attempt(action):
    """What may fail because the program has just ended."""
    try:
        action()
    except OSError:
        pass


class Viewer:
    """`status` is None while it runs, then its exit status, or minus the signal that ended it."""

    def __init__(self, argv, environment, size=(80, 24), stdin=None, stderr=None, ignore=(), cwd=None):
        self.deadline = time.monotonic() + GUARD
        self.output, self.pending = b"", b""
        self.status, self.stopped, self.cpu = None, False, 0.0
        self.asked = self.answered = 0
        self.modes, self.keypad, self.style = set(), False, False
        self.master, self.slave = os.openpty()
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
        modes = termios.tcgetattr(self.slave)
        modes[3] &= ~(termios.ICANON | termios.ECHO)
        termios.tcsetattr(self.slave, termios.TCSANOW, modes)
        self.before = termios.tcgetattr(self.slave)
        self.reports, write_end = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        self.leader = os.fork()
        if self.leader == 0:
            try:
                os.close(self.master)
                os.close(self.reports)
                self._lead(argv, environment, write_end, stdin, stderr, ignore, cwd)
            finally:
                os._exit(1)
        os.close(write_end)
        os.set_blocking(self.master, False)
        self.news = b""
        self.pid = 0
        self.wait(lambda: self.pid, "it has started")

    def _lead(self, argv, environment, reports, stdin, stderr, ignore, cwd):
        """The leader of the session: starts the program, and reports what becomes of it."""
        os.setsid()
        fcntl.ioctl(self.slave, termios.TIOCSCTTY, 0)
        for number in (signal.SIGTTOU, signal.SIGHUP, signal.SIGPIPE):
            signal.signal(number, signal.SIG_IGN)
        ready, started = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.setpgid(0, 0)
            os.tcsetpgrp(self.slave, os.getpid())
            os.dup2(os.open(stdin, os.O_RDONLY) if stdin else self.slave, 0)
            os.dup2(self.slave, 1)
            os.dup2(os.open(stderr, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600) if stderr else self.slave, 2)
            for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
                attempt(lambda: signal.signal(number, signal.SIG_IGN if number in ignore else signal.SIG_DFL))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            if cwd:
                os.chdir(cwd)
            os.execve(argv[0], argv, environment)
        os.close(started)
        os.close(self.slave)
        os.read(ready, 1)  # ends when the program has begun
        os.write(reports, b"p%d\n" % pid)
        while True:
            _, status, used = os.wait4(pid, os.WUNTRACED)
            if os.WIFSTOPPED(status):
                os.write(reports, b"s\n")
                continue
            end = -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
            os.write(reports, b"e%d %f\n" % (end, used.ru_utime + used.ru_stime))
            os._exit(0)

    # ---- waiting ----

    def _take_news(self):
        self.news += os.read(self.reports, 4096)
        *lines, self.news = self.news.split(b"\n")
        for line in lines:
            if line[:1] == b"p":
                self.pid = int(line[1:])
            elif line[:1] == b"s":
                self.stopped = True
            elif line[:1] == b"e":
                status, cpu = line[1:].split()
                self.status, self.cpu = int(status), float(cpu)

    def _take_output(self):
        try:
            got = os.read(self.master, 1 << 16)
        except BlockingIOError:
            return
        except OSError:
            got = b""
        self.pending += got
        cut = PART.search(self.pending).start()
        text, self.pending = self.pending[:cut], self.pending[cut:]
        self._look_at(text)

    def _look_at(self, text):
        for answer in ANSWER.finditer(text):
            self.answered = max(self.answered, int(answer[1]))
        text = ANSWER.sub(b"", text)
        self.output += text
        for mode in MODE.finditer(text):
            if mode[1]:
                numbers = {int(n) for n in mode[1].split(b";") if n}
                self.modes = self.modes | numbers if mode[2] == b"h" else self.modes - numbers
            elif mode[3]:
                self.keypad = mode[3] == b"="
            elif mode[4] is not None and mode[4] != b"39;49":
                self.style = mode[4] not in (b"", b"0")

    def wait(self, state, what):
        """Until state() is true; takes what the program writes meanwhile."""
        while not state():
            left = self.deadline - time.monotonic()
            if left <= 0:
                raise Stuck(f"not within {GUARD:.0f} s: {what}")
            sources = [self.reports] if self.status is None else []
            sources += [self.master] if self.master >= 0 else []
            ready, _, _ = select.select(sources, [], [], left)
            if self.master in ready:
                self._take_output()
            if self.reports in ready:
                self._take_news()

    def look(self, seconds):
        """Takes what comes in that time: for tests that act at a random moment."""
        end = time.monotonic() + seconds
        while self.status is None and (left := end - time.monotonic()) > 0:
            ready, _, _ = select.select([self.master, self.reports], [], [], left)
            if self.master in ready:
                self._take_output()
            if self.reports in ready:
                self._take_news()

    # ---- acting ----

    def type(self, keys):
        """Waits for room as long as the program runs."""
        while keys and self.status is None:
            try:
                keys = keys[os.write(self.master, keys) :]
            except BlockingIOError:
                self.look(0.01)
            if time.monotonic() > self.deadline:
                raise Stuck("it takes no keys")

    def ask(self):
        """Types a sync without waiting."""
        self.asked += 1
        self.type(SYNC)

    def sync(self):
        """Until all that was typed is done.  False: the program has ended."""
        self.ask()
        self.wait(lambda: self.answered >= self.asked or self.status is not None, "an answer")
        return self.status is None

    def keys(self, *keys):
        for key in keys:
            self.type(key)
            if not self.sync():
                return False
        return True

    def send(self, number):
        attempt(lambda: os.kill(self.pid, number))

    def resize(self, columns, rows):
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def hang_up(self):
        """The terminal's other side goes away."""
        os.close(self.master)
        os.close(self.slave)
        self.master = self.slave = -1

    def end(self):
        """Until the program has ended; its status."""
        self.wait(lambda: self.status is not None, "it ends")
        return self.status

    def wait_stopped(self):
        """Until it has stopped (True), or ended."""
        self.wait(lambda: self.stopped or self.status is not None, "it stops")
        return self.status is None

    def carry_on(self):
        self.stopped = False
        self.send(signal.SIGCONT)

    # ---- judging ----

    def _drain(self):
        """Takes all that a program wrote which no longer runs: up to a mark of our own."""
        mark = b"\x1b_sync 999999999\x1b\\"
        os.write(self.slave, mark)
        self.wait(lambda: self.answered == 999999999, "the last output")
        self._look_at(self.pending)
        self.pending, self.answered = b"", self.asked

    def not_restored(self):
        """What is not as it was before the start, in words; empty when all is."""
        self._drain()
        wrong = []
        left = self.modes - {7, 12, 25, 1034}
        if left:
            wrong.append(f"modes are on: {sorted(left)}")
        hidden = self.output.rfind(b"\x1b[?25l")
        if hidden >= 0 and self.output.find(b"\x1b[?25h", hidden) < 0 and self.output.find(b"\x1b[?12l\x1b[?25h", hidden) < 0:
            wrong.append("the cursor is hidden")
        if self.keypad:
            wrong.append("the keypad sends other keys")
        if self.style:
            wrong.append("a style is on")
        if termios.tcgetattr(self.slave) != self.before:
            wrong.append("the modes of the line are others")
        return ", ".join(wrong)

    def close(self):
        """Kills what still runs."""
        if self.status is None:
            self.send(signal.SIGKILL)
        for fd in {self.master, self.slave, self.reports} - {-1}:
            os.close(fd)
        attempt(lambda: os.waitpid(self.leader, 0))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Count:
    """Counts what passed and failed, says the first failures, and prints a test's last line."""

    def __init__(self, out=sys.stdout):
        self.passed = self.failed = 0
        self.out = out

    def check(self, ok, what):
        if ok:
            self.passed += 1
            return True
        self.failed += 1
        if self.failed <= 20:
            print(what, file=self.out, flush=True)
        return False

    def finish(self):
        print(f"{self.passed} passed, {self.failed} failed", file=self.out)
        sys.exit(self.failed != 0)


def skip(why):
    print(why)
    sys.exit(77)


def row(what, goal, figure, verdict):
    """A line of the soak table: verdict is True, False, or None where it cannot be measured."""
    word = "none" if verdict is None else "ok" if verdict else "short"
    print(f"{what}\t{goal}\t{figure}\t{word}", flush=True)
