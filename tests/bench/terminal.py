"""A program in a pseudo-terminal: how long until it has painted, and how many bytes that took.

Nothing answers the program's questions; what it writes is counted, never drawn.  A screen is
taken to be complete when nothing has come for QUIET seconds: its time is that of its last byte.
"""
import fcntl
import os
import select
import signal
import struct
import subprocess
import termios
import time

QUIET = 0.06
ENVIRONMENT = {"TERM": "xterm-256color", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "LESSSECURE": "1"}


class Cells:
    """A terminal that counts the cells that look different (cells.c), where it is built."""

    def __init__(self, program, columns, rows):
        self.process = None
        if program and os.path.exists(program):
            self.process = subprocess.Popen([program, str(columns), str(rows)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def changed(self, got):
        if not self.process:
            return None
        self.process.stdin.write(b"%d\n" % len(got) + got)
        self.process.stdin.flush()
        return int(self.process.stdout.readline())

    def close(self):
        if self.process:
            self.process.communicate()


class Terminal:
    """`with Terminal(argv) as t`: t.first is the screen it begins with; t.changed, by the program `cells`, how
    many cells of the screen that came last look different from before."""

    def __init__(self, argv, columns=120, rows=40, cells=None):
        self.argv, self.size = argv, struct.pack("HHHH", rows, columns, 0, 0)
        self.cells = Cells(cells, columns, rows)

    def __enter__(self):
        self.fd, inner = os.openpty()
        fcntl.ioctl(inner, termios.TIOCSWINSZ, self.size)
        environment = {k: v for k, v in os.environ.items() if k not in ("LINES", "COLUMNS", "LESS")}
        environment.update(ENVIRONMENT)
        self.began = time.perf_counter()
        self.child = subprocess.Popen(
            self.argv,
            stdin=inner,
            stdout=inner,
            stderr=inner,
            env=environment,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(inner)
        self.first = self.screen(self.began, patience=20)
        return self

    def __exit__(self, *_):
        if self.child.poll() is None:
            self.child.send_signal(signal.SIGHUP)
        os.close(self.fd)
        self.cells.close()
        try:
            self.child.wait(5)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()

    def screen(self, began, patience=5.0, quiet=QUIET):
        """Seconds until the first and the last byte of what comes now, and the bytes themselves."""
        first, last, got = None, began, b""
        while select.select([self.fd], [], [], patience if first is None else quiet)[0]:
            try:
                piece = os.read(self.fd, 1 << 16)
            except OSError:  # it ended
                break
            last = time.perf_counter()
            first = first or last
            got += piece
            if not piece:
                break
        self.changed = self.cells.changed(got)
        return (first or began) - began, last - began, got

    def key(self, key, patience=1.0):
        began = time.perf_counter()
        os.write(self.fd, key)
        return self.screen(began, patience)

    def type(self, *keys):
        """Keys whose screens are not looked at."""
        for key in keys:
            self.key(key)

    def until(self, text, patience=20):
        """Seconds from the start until the text has come; infinite when it does not."""
        got = self.first[2]
        if text in got:
            return self.first[1]
        while text not in got and select.select([self.fd], [], [], patience)[0]:
            got += os.read(self.fd, 1 << 16)
        return time.perf_counter() - self.began if text in got else float("inf")

    def idle(self, seconds):
        """Bytes that come by themselves."""
        return len(self.screen(time.perf_counter(), seconds)[2])

    def memory(self):
        """MB: private memory now, and the most that was resident at any time; None elsewhere than on Linux."""
        try:
            with open(f"/proc/{self.child.pid}/status") as status:
                fields = dict(line.split(":", 1) for line in status)
            return tuple(int(fields[name].split()[0]) / 1000 for name in ("RssAnon", "VmHWM"))
        except (OSError, KeyError):
            return None, None
