"""bench.py CATENA DIR: speed, memory and bytes on the wire, beside other programs; see doc/testing.md.

Every table is one run in turns, so its ratios are good on a machine whose speed changes; times of
different tables are not to be compared.  With BENCH_WRITE=FILE the document is written there too.
"""
import json
import os
import platform
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

import sessions
from rivals import Row, Runner
from terminal import Terminal

UNITS = {"K": 10**3, "M": 10**6, "G": 10**9}
DECODERS_MOST = 100 * 10**6  # bytes of a file that is worth the wait for a JSON decoder,
SEARCHERS_MOST = 10**9  # and for a search in what may be a single line
FIRST_MESSAGE = "\N{BLACK CIRCLE}".encode()  # stands before who speaks
PAGE_DOWN = b"\x1b[6~"
STEP_DOWN = "a step down, three panes"
ROW_ALONE = "a row down, the list alone"
ROW_SCROLLS = "a row down, the list alone, which scrolls"
ROW_SIDE = "a row down in a conversation"
SIDE_ALONE = "a row down, a conversation alone"
KEYS = int(os.environ.get("BENCH_KEYS", "60"))
INDEX = "**catena stats --totals**"
FORMATS = "rows chain events jsonl otlp claude single chat request response json sse stream chunks".split()


def number(text):
    return int(text[:-1]) * UNITS[text[-1]]


def ms(seconds):
    return f"{1000 * seconds:.1f}" if seconds < 0.1 else f"{1000 * seconds:.0f}"


class Bench:
    def __init__(self, catena, built, scratch):
        self.catena, self.built, self.scratch = catena, built, scratch
        self.runner = Runner(f"{built}/run", int(os.environ.get("BENCH_ROUNDS", "5")))
        self.sizes = os.environ.get("BENCH_SIZE", "100M").split()
        self.text = []  # of the document
        self.goals = []
        self.files = {}

    # ---- what is said ----

    def say(self, line=""):
        print(line, flush=True)
        self.text.append(line)

    def table(self, title, heads, rows):
        self.say(f"\n### {title}\n")
        self.say("| " + " | ".join(heads) + " |")
        self.say("|" + "|".join([" --- "] + [" ---: "] * (len(heads) - 1)) + "|")
        for row in rows:
            self.say("| " + " | ".join(str(cell) for cell in row) + " |")

    def goal(self, what, goal, measured, reached, limit=""):
        self.goals.append((what, goal, measured, "yes" if reached else "**no**", "" if reached else limit))

    # ---- files ----

    def file(self, name, size, *more):
        """A trace, made when it is first asked for; its totals must be what catena reads from it."""
        key = (name, size) + more
        if key in self.files:
            return self.files[key]
        path = os.path.join(self.scratch, "-".join((name, size) + more).replace("--", ""))
        argv = [f"{self.built}/generate", "--format", name, "--size", size, *more]
        with open(path, "wb") as out:
            said = subprocess.run(argv, stdout=out, stderr=subprocess.PIPE, check=True).stderr.decode()
        wanted = {k: float(v) for k, v in (pair.split("=") for pair in said.split())}
        out = subprocess.run([self.catena, "stats", "--totals", "--json", path], stdout=subprocess.PIPE, check=True)
        got = json.loads(out.stdout)["totals"]
        for fact, value in got.items():
            if fact in wanted and abs((value or 0) - wanted[fact]) > 1e-6 * max(1, wanted[fact]):
                sys.exit(f"{path}: {fact} is {value}, and {wanted[fact]} was written")
        self.files[key] = path
        return path

    def drop(self, *keys):
        for key in keys:
            if key in self.files:
                os.unlink(self.files.pop(key))

    # ---- reading whole files ----

    def rivals(self, path, lines):
        catena, decode = self.catena, f"{self.built}/decode"
        parse = "JSON.parse(require('fs').readFileSync(process.argv[1],'utf8'))"
        by_line = "require('fs').readFileSync(process.argv[1],'utf8').split('\\n').filter(Boolean).map(x=>JSON.parse(x))"
        rows = [
            Row("`wc -l`", ["wc", "-l", path], base=True),
            Row("`cat`", ["cat", path]),
            Row(INDEX, [catena, "stats", "--totals", path]),
            Row("`rg -c -F`", ["rg", "-c", "-F", "no such text", path]),
        ]
        size = os.path.getsize(path)
        if size <= SEARCHERS_MOST:
            rows.append(Row("`grep -c -F`", ["env", "LC_ALL=C", "grep", "-c", "-F", "no such text", path]))
        if size <= DECODERS_MOST:
            rows += [
                Row("**catena stats**", [catena, "stats", path]),
                Row("**catena check**", [catena, "check", path]),
                Row("**catena export**", [catena, "export", path]),
                Row("jansson, load", [decode, "load", path]),
                Row("jansson, load and dump", [decode, "dump", path]),
                Row("`jq length`", ["jq", "length", path]),
                Row("`python3 -m json.tool`", ["python3", "-m", "json.tool", "--json-lines" if lines else "--compact", path]),
                Row("`node`, JSON.parse", ["node", "-e", by_line if lines else parse, path]),
                Row("`lnav -n`", ["lnav", "-n", path]),
            ]
        return self.runner.turns(rows)

    def reading(self, name, size, *more):
        path = self.file(name, size, *more)
        bytes_ = os.path.getsize(path)
        rows = self.rivals(path, name == "jsonl")
        base = rows[0].seconds
        self.table(
            f"{name}, {size}B" + (f", {' '.join(more)}" if more else ""),
            ["command", "ms", "GB/s", "× `wc -l`", "peak MB"],
            [
                (r.label, ms(r.seconds), f"{bytes_ / r.seconds / 1e9:.2f}", f"{r.seconds / base:.2f}", f"{r.memory:.1f}")
                for r in rows
            ],
        )
        return {row.label: row for row in rows}

    def reading_goals(self, size, rows, jsonl, small):
        def ratio(table):
            return table[INDEX].seconds / table["`wc -l`"].seconds

        measured = f"rows {ratio(rows):.2f}, lines {ratio(jsonl):.2f}"
        limit = (
            "of a GB `pread` takes what `cat` takes, some 120 ms; the scan 60 and the facts of 17,000 steps 30 follow, one after the other. "
            "A thread that reads the next blocks meanwhile hides the copying where a core is free; on a busy machine it gains nothing"
        )
        self.goal(f"index of {size}B with all facts", "≤ 1.5 × `wc -l`", measured, max(ratio(rows), ratio(jsonl)) <= 1.5, limit)
        self.goal(
            f"index with steps of 3 KB",
            "≤ 3 × `wc -l`",
            f"{ratio(small):.2f}",
            ratio(small) <= 3,
            "the facts of a step take about 1.8 µs: catena looks at thirteen values, reads four numbers, interns names and writes a record",
        )

    def decoder_goals(self, size, rows):
        index = rows[INDEX].seconds
        for label, least in (("jansson, load", 60), ("`jq length`", 30)):
            if label in rows:
                times = rows[label].seconds / index
                self.goal(f"{label} of {size}B compared with the index", f"≥ {least} × slower", f"{times:.0f} ×", times >= least,
                          "reading the bytes alone (`cat`) takes more than half of the time of the index")
        times = rows["**catena export**"].seconds / rows["jansson, load and dump"].seconds
        self.goal("`catena export`", "≤ 1 × jansson's load and dump", f"{times:.2f}", times <= 1)

    def every_format(self, size):
        lines = []
        for name in FORMATS:
            path = self.file(name, size)
            rows = self.runner.turns([
                Row("wc", ["wc", "-l", path], base=True),
                Row("cat", ["cat", path]),
                Row("stats", [self.catena, "stats", "--totals", path]),
            ])
            wc, cat, stats = rows
            lines.append((name, ms(wc.seconds), ms(cat.seconds), ms(stats.seconds),
                          f"{os.path.getsize(path) / stats.seconds / 1e9:.2f}", f"{stats.seconds / wc.seconds:.2f}", f"{stats.memory:.1f}"))
            self.drop((name, size))
        self.table(f"every format, {size}B: `catena stats --totals`", ["format", "`wc -l`, ms", "`cat`, ms", "catena, ms", "GB/s", "× `wc -l`", "peak MB"], lines)

    def recognition(self, size):
        """What it costs that a format is told from the others: with all of them, and where --from names the one."""
        lines = []
        for name, one in (("rows", "posthog-rows"), ("jsonl", "json-lines"), ("otlp", "otlp"), ("claude", "claude-code")):
            path = self.file(name, size)
            rows = self.runner.turns([
                Row("wc", ["wc", "-l", path], base=True),
                Row("all", [self.catena, "stats", "--totals", path]),
                Row("one", [self.catena, "stats", "--totals", "--from", one, path]),
            ])
            wc, every, alone = rows
            ratio = every.seconds / alone.seconds
            lines.append((name, ms(wc.seconds), ms(every.seconds), ms(alone.seconds), f"{every.seconds / wc.seconds:.2f}", f"{ratio:.2f}"))
            self.goal(f"index of {size}B {name} with all formats", "≤ 1.1 × with one alone", f"{ratio:.2f}", ratio <= 1.1)
        self.table(f"all formats and one, {size}B", ["file", "`wc -l`, ms", "all, ms", "one, ms", "all × `wc -l`", "all × one"], lines)

    def step_sizes(self, size):
        """What a byte costs is what its step costs: the index of files of one size whose steps are large, small and tiny."""
        lines, tiny = [], os.path.join(self.scratch, "tiny.jsonl")
        with open(tiny, "w") as out:
            for i in range(number(size) // 36):
                out.write('{"role":"user","content":"%07d"}\n' % i)
        files = [(f"lines of {step}B", self.file("jsonl", size, "--step-size", step)) for step in ("60K", "3K", "1K")]
        for what, path in files + [("lines of 36 bytes, one a message", tiny)]:
            wc, index = self.runner.turns([Row("wc", ["wc", "-l", path], base=True), Row(INDEX, [self.catena, "stats", "--totals", path])])
            with open(path, "rb") as f:
                count = sum(1 for _ in f)
            lines.append((what, count, ms(wc.seconds), ms(index.seconds), f"{index.seconds / wc.seconds:.2f}", f"{1e6 * index.seconds / count:.2f}", f"{index.memory:.1f}"))
        self.table(f"the size of a step: {size}B of lines, `catena stats --totals`",
                   ["file", "lines", "`wc -l`, ms", "catena, ms", "× `wc -l`", "µs a line", "peak MB"], lines)
        os.unlink(tiny)
        self.drop(*(("jsonl", size, "--step-size", step) for step in ("60K", "3K", "1K")))

    def searching(self, size):
        """The engine in a trace that is open, as in the viewer; and the command, which reads the trace first."""
        path, lines = self.file("rows", size), []
        out = subprocess.run([f"{self.built}/search", path, "3"], stdout=subprocess.PIPE, check=True).stdout.decode()
        ratios = {}
        for line in out.splitlines()[2:]:
            name, cells = line[:24].strip(), line[24:].split()
            took, rate, longest, rg, times, grep, more, hits, steps = cells
            lines.append((name, took, f"{float(rate) / 1000:.2f}", longest, rg, times, grep, more, hits))
            ratios[name] = times
        self.table(f"search through rows, {size}B, in an open trace: each in turns with `rg -c`", ["what", "ms", "GB/s", "longest slice, ms", "`rg` ms", "× `rg`", "`grep` ms", "× `grep`", "hits"], lines)
        for name, most in (("absent literal", 1.5), ("absent, caseless", 1.2)):
            if ratios.get(name, "-") != "-":
                self.goal(f"search through {size}B, {name}", f"≤ {most} × `rg -c`", ratios[name], float(ratios[name]) <= most,
                          "catena copies the bytes from the page cache; `rg` reads them in place")
        if shutil.which("rg"):
            rows = self.runner.turns([Row("`rg -c -F`", ["rg", "-c", "-F", "No such text", path], base=True),
                                      Row("**catena search -c -F**", [self.catena, "search", "-c", "-F", "No such text", path])])
            self.table(f"the commands, rows, {size}B", ["command", "ms"], [(r.label, ms(r.seconds)) for r in rows])

    def cold(self, size):
        """The best of the rounds: what else uses the disk only adds to it."""
        path = self.file("rows", size)
        rows = self.runner.turns([Row("`cat`", ["cat", path], base=True), Row(INDEX, [self.catena, "stats", "--totals", path])], cold=path)
        ratio = rows[1].best / rows[0].best
        self.table(f"rows, {size}B, not in the page cache: the best of the rounds", ["command", "ms", "× `cat`"],
                   [(r.label, ms(r.best), f"{r.best / rows[0].best:.2f}") for r in rows])
        self.goal(f"index of {size}B, cache cold", "≤ 1.2 × `cat`", f"{ratio:.2f}", ratio <= 1.2,
                  "the kernel reads ahead, but the scan of a window is added to its copying")

    def compressed(self, size):
        """What unpacks by itself beside this program, which unpacks and indexes."""
        plain, lines = self.file("rows", size), []
        for tool, suffix in (("gzip", "gz"), ("zstd", "zst"), ("xz", "xz")):
            if not shutil.which(tool):
                continue
            path = f"{plain}.{suffix}"
            with open(path, "wb") as out:
                subprocess.run([tool, "-3", "-c", plain], stdout=out, check=True)
            rows = self.runner.turns([Row(f"`{tool} -dc`", [tool, "-dc", path], base=True), Row(INDEX, [self.catena, "stats", "--totals", path])])
            if not rows[1].failed:
                ratio = rows[1].seconds / rows[0].seconds
                lines += [(f".{suffix}, {os.path.getsize(path) / 1e6:.1f} MB", row.label, ms(row.seconds), f"{os.path.getsize(plain) / row.seconds / 1e9:.2f}") for row in rows]
                self.goal(f"index of {size}B packed as .{suffix}", f"≤ 1.2 × `{tool} -dc`", f"{ratio:.2f}", ratio <= 1.2,
                          "the unpacked bytes are also written to a temporary file, for the steps that will be opened")
            os.unlink(path)
        if lines:
            self.table(f"rows, {size}B, packed", ["file", "command", "ms", "GB/s unpacked"], lines)

    def start(self):
        path = self.file("chain", "10K")
        row = Row("catena print", [self.catena, "print", path])
        self.runner.turns([row])
        self.goal("`catena print` of 10 KB, start to exit", "≤ 10 ms", f"{ms(row.seconds)} ms", row.seconds <= 0.010)

    # ---- the screen ----

    def first_screens(self):
        programs = [("less", ["less"]), ("lnav", ["lnav"]), ("jless", ["jless"]), ("**catena**", [self.catena])]
        programs = [(label, argv) for label, argv in programs if shutil.which(argv[0])]
        lines, paints = [], {}
        for name, size in [("rows", size) for size in ["10K", *self.sizes]] + [("jsonl", self.sizes[-1])]:
            path = self.file(name, size)
            got = {label: [] for label, _ in programs}
            for _ in range(max(5, self.runner.rounds)):
                for label, argv in programs:
                    with Terminal(argv + [path]) as t:
                        got[label].append((t.first[0], t.first[1], len(t.first[2]), t.memory()[1] or 0))
            for label, _ in programs:
                first, complete, count, memory = (statistics.median(column) for column in zip(*got[label]))
                paints[label, name, size] = first, complete, count
                lines.append((f"{name} {size}B", label, ms(first), ms(complete), f"{count:.0f}", f"{memory:.1f}"))
        self.table("the first screen, 120×40", ["file", "program", "first byte, ms", "last byte, ms", "bytes", "peak MB"], lines)
        self.first_goals(paints)

    def first_goals(self, paints):
        def paint(size, program="**catena**", name="rows"):
            return paints[program, name, size]

        last, least = self.sizes[-1], self.sizes[0]
        if ("less", "rows", last) in paints:
            ratio = max(paint(size)[0] / paint(size, "less")[0] for size in ["10K", *self.sizes])
            self.goal("first screen, any size", "≤ 3 × `less`", f"{ratio:.1f}", ratio <= 3)
        if last != least:
            ratio = paint(last)[0] / paint(least)[0]
            self.goal(f"first screen, {last}B compared with {least}B", "≤ 1.3 ×", f"{ratio:.2f}", ratio <= 1.3)
        count = max(p[2] for key, p in paints.items() if key[0] == "**catena**")
        self.goal("bytes of the first screen", "≤ 9,000", f"{count:,.0f} at most", count <= 9000, "text, colors and positions as curses sends them")

    def huge_step(self):
        path = self.file("single", "100M")
        times = []
        for _ in range(self.runner.rounds):
            with Terminal([self.catena, path]) as t:
                times.append(t.until(FIRST_MESSAGE))
        one = statistics.median(times)
        self.goal("a step of 100 MB, its first lines", "≤ 300 ms", f"{ms(one)} ms", one <= 0.3,
                  "read, judged and walked four times, once for the pairs of calls and results; reading and judging in slices")
        self.drop(("single", "100M"))

    def sessions(self, size):
        """A home folder of a thousand sessions, twice that size in all."""
        home, got = f"{self.scratch}/home", []
        sessions.make(home, 1000, 2 * number(size))
        for _ in range(max(5, self.runner.rounds)):
            with Terminal(["env", "-u", "XDG_CONFIG_HOME", "-u", "XDG_DATA_HOME", "-u", "XDG_STATE_HOME", f"HOME={home}", self.catena]) as t:
                filled = t.until(b"20. ")
                t.screen(t.began, 5, 1)
                got.append((t.first[0], filled, time.perf_counter() - t.began - 1, t.memory()[1] or 0))
        first, filled, read, memory = (statistics.median(column) for column in zip(*got))
        self.table(f"the list of 1,000 sessions, {2 * number(size) / 1e9:g} GB in all, 120×40", ["first byte, ms", "rows filled, ms", "all read, ms", "peak MB"],
                   [(ms(first), ms(filled), ms(read), f"{memory:.1f}")])
        self.goal("the list of 1,000 sessions, first screen", "≤ 100 ms", f"{ms(first)} ms", first <= 0.1, "folders are walked, and the rows on the screen are read")
        shutil.rmtree(home)

    def keys(self, t, key, count=KEYS):
        """Median and 99th percentile of the seconds, median and most of the bytes, of so many keys; and all bytes beside
        the cells that changed, or beside what of them is text."""
        got = [(*t.key(key), t.changed) for _ in range(count)]
        got = [g for g in got if g[2]] or got
        seconds, counts = sorted(g[1] for g in got), sorted(len(g[2]) for g in got)
        shown = sum(printed(g[2]) if g[3] is None else g[3] for g in got)
        return seconds[len(seconds) // 2], seconds[len(seconds) * 99 // 100], counts[len(counts) // 2], counts[-1], sum(counts) / max(1, shown)

    def moving(self, size):
        """Keys in a trace whose histories grow: long conversations, each opened for the first time."""
        path, lines, row = self.file("rows", size, "--history"), [], {}

        def line(what, t, key, count=KEYS):
            row[what] = self.keys(t, key, count)
            median, p99, bytes_, most, ratio = row[what]
            if not most:
                sys.exit(f"{what}: no key sent a byte, so nothing was measured")
            lines.append((what, f"{1000 * median:.2f}", f"{1000 * p99:.2f}", f"{bytes_}", f"{most}", f"{ratio:.2f}"))

        with Terminal([self.catena, path], cells=f"{self.built}/cells") as t:
            t.idle(3)
            line(STEP_DOWN, t, b"j")
            line("a page of steps down", t, PAGE_DOWN, KEYS // 4)
            t.type(b"g", b"z")
            line(ROW_ALONE, t, b"j", 30)
            line(ROW_SCROLLS, t, b"j")
            line("a page down, the list alone", t, PAGE_DOWN, KEYS // 4)
            t.type(b"g", *[b"j"] * 10, b"z", b"\t")
            line(ROW_SIDE, t, b"j")
            t.type(b"z", b"g")
            line(SIDE_ALONE, t, b"j")
            idle = t.idle(3)
        if shutil.which("less"):
            with Terminal(["less", path]) as t:
                line("`less`: a row down", t, b"j", KEYS // 3)
        self.table(f"keys, rows {size}B with growing histories, 120×40: key to last byte",
                   ["key", "median ms", "p99 ms", "median bytes", "most bytes", "bytes / cells"], lines)
        self.say("\nBytes / cells: all bytes that were sent, divided by the number of cells that changed; for `less`, and if libvterm is\n"
                 "missing, divided by the bytes that are text.")
        self.key_goals(row, idle)
        self.drop(("rows", size, "--history"))

    def key_goals(self, row, idle):
        ours = [row[what] for what in row if "less" not in what]
        median, p99 = (1000 * max(column) for column in list(zip(*ours))[:2])
        self.goal("key to last byte, median", "≤ 2 ms", f"{median:.1f} at most", median <= 2,
                  "opening the step")
        self.goal("key to last byte, p99", "≤ 5 ms", f"{p99:.1f} at most", p99 <= 5, "opening the step; the slowest steps have several hundred KB (see the row about opening a step below)")
        still, scrolls = row[ROW_ALONE][2], row[ROW_SCROLLS][2]
        self.goal(f"bytes: {ROW_ALONE}", "≤ 450", f"{still}, where it scrolls {scrolls}", max(still, scrolls) <= 450,
                  "two rows whose attributes change are sent whole, with three colors of 10 bytes in each; scrolling brings a message as well")
        self.goal(f"bytes: {SIDE_ALONE}", "≤ 450", f"{row[SIDE_ALONE][2]}", row[SIDE_ALONE][2] <= 450)
        self.goal("bytes of a step down, compared with its text", "≤ 1.95 ×", f"{row[STEP_DOWN][4]:.2f}", row[STEP_DOWN][4] <= 1.95,
                  "when the list scrolls, curses sends nearly all rows of the screen, because it can move only whole lines, and the text next to the list changes")
        self.goal("bytes when idle", "0", f"{idle}", idle == 0)

    def paging(self, size):
        path = self.file("rows", size)
        with Terminal([self.catena, path]) as t:
            t.idle(5)
            for _ in range(100):
                t.key(PAGE_DOWN)
            t.type(b"G")
            private, _ = t.memory()
        steps = self.steps(path)
        if private is not None:
            most = 16 + 64e-6 * steps
            self.goal(f"private memory, {size}B indexed and paged through", f"≤ 16 MB + 64 bytes a step = {most:.1f} MB", f"{private:.1f} MB", private <= most)

    def steps(self, path):
        out = subprocess.run([self.catena, "stats", "--totals", "--json", path], stdout=subprocess.PIPE, check=True).stdout
        return json.loads(out)["totals"]["steps"]

    def opening(self):
        """A step of some hundred KB: what one key costs, and what decoding it would."""
        path = self.file("rows", "30M", "--step-size", "330K")
        steps = self.steps(path)
        row = Row("jansson", [f"{self.built}/decode", "nested", path])
        self.runner.turns([row])
        decoded = row.seconds / steps
        with Terminal([self.catena, path]) as t:
            t.idle(2)
            opened = self.keys(t, b"j", min(KEYS, steps - 1))[0]
        self.goal("opening a step of 330 KB, to its last byte on the screen", "≤ 1/10 of jansson decoding it",
                  f"{1000 * opened:.2f} ms : {1000 * decoded:.2f} ms = 1/{decoded / opened:.1f}", opened <= decoded / 10,
                  "reading, decoding, checking and walking take about 0.6 ms together, a tenth of jansson's time; the rest is drawing three panes and the terminal's answer")
        self.drop(("rows", "30M", "--step-size", "330K"))


def printed(got):
    """The bytes of a screen that are text: neither control sequences nor control characters."""
    count, state = 0, "text"
    for byte in got:
        if state == "text":
            if byte == 0x1B:
                state = "escape"
            elif byte >= 0x20:
                count += 1
        elif state == "escape":
            state = {0x5B: "sequence", 0x28: "one", 0x29: "one", 0x23: "one"}.get(byte, "text")
        elif state == "one" or 0x40 <= byte <= 0x7E:
            state = "text"
    return count


def machine():
    model = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo") as info:
            model = next((line.split(":", 1)[1].strip() for line in info if line.startswith("model name")), model)
    except OSError:
        pass
    return f"{model}, {os.cpu_count()} cores, {platform.system()} {platform.release().split('-')[0]}"


INTRODUCTION = """# Performance

Written by `make bench` ({command}) on **{machine}**.
The page cache is warm unless a table says otherwise. The programs in a table were measured alternately in one run: the ratios are
reliable, but the times depend on this machine and its load. `wc -l` and `cat` show how fast the bytes can be scanned and read. Other
figures are compared with them. **Time depends on the number of steps, not on bytes**: see "the size of a step" below. "jansson" is
`tests/bench/decode`, which uses the library's own loader for a whole file or line by line.
"""


def document(bench):
    command = " ".join(f"{name}={os.environ[name]!r}" for name in ("BENCH_SIZE", "BENCH_ROUNDS", "BENCH_KEYS") if name in os.environ)
    lines = [INTRODUCTION.format(command=command or "with its defaults", machine=machine()), "## Goals", ""]
    lines += ["| what | goal | measured | reached | what limits it |", "| --- | --- | --- | --- | --- |"]
    lines += ["| " + " | ".join(goal) + " |" for goal in bench.goals]
    return "\n".join(lines + ["", "## Figures"] + bench.text) + "\n"


def main(catena, built):
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # the files are taken away then, too
    scratch = tempfile.mkdtemp(prefix="catena-bench-")
    bench = Bench(os.path.abspath(catena), os.path.abspath(built), scratch)
    try:
        sizes, tables = bench.sizes, {}
        last, every = sizes[-1], os.environ.get("BENCH_EVERY", "100M")
        main_size = "1G" if "1G" in sizes else last  # of the goals
        for size in sizes:
            tables[size] = bench.reading("rows", size), bench.reading("jsonl", size)
        for more in (("--history",), ("--step-size", "3K")):
            small = bench.reading("rows", main_size, *more)
            bench.drop(("rows", main_size) + more)
        bench.reading_goals(main_size, *tables[main_size], small)
        for size in sizes:
            if number(size) == DECODERS_MOST:
                bench.decoder_goals(size, tables[size][0])
        bench.recognition(main_size)
        bench.searching(main_size)
        bench.cold(main_size)
        bench.compressed(every)
        bench.every_format(every)
        bench.step_sizes(every)
        bench.first_screens()
        bench.huge_step()
        bench.sessions(main_size)
        bench.moving(every)
        bench.paging(main_size)
        bench.opening()
        bench.start()
    finally:
        shutil.rmtree(scratch)
    text = document(bench)
    print("\n" + text[text.index("## Goals"):text.index("## Figures")])
    if os.environ.get("BENCH_WRITE"):
        with open(os.environ["BENCH_WRITE"], "w") as out:
            out.write(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
