"""Commands measured in turns: the same moment of the machine for each of them."""
import shutil
import statistics
import subprocess

NOISY = 1.25  # slowest to fastest: such a row is measured again


class Row:
    """What the runs of one command took: seconds and MB."""

    def __init__(self, label, argv, base=False):
        self.label, self.argv, self.base = label, argv, base
        self.times, self.memory, self.failed = [], 0.0, False

    @property
    def seconds(self):
        return statistics.median(self.times)

    @property
    def best(self):
        return min(self.times)

    @property
    def noisy(self):
        return len(self.times) > 1 and max(self.times) > NOISY * min(self.times)


class Runner:
    def __init__(self, program, rounds):
        self.program, self.rounds = program, rounds  # tests/bench/run

    def once(self, row, cold=None):
        argv = [self.program] + (["--cold", cold] if cold else []) + row.argv
        out = subprocess.run(argv, stdout=subprocess.PIPE, check=True).stdout.split()
        row.times.append(float(out[0]))
        row.memory = max(row.memory, int(out[1]) / 1000)
        row.failed |= int(out[2]) not in (0, 1)  # grep's 1: not found

    def turns(self, rows, cold=None):
        """Measures the rows whose program is there, in turns; noisy ones up to three times as often."""
        rows = [row for row in rows if shutil.which(row.argv[0])]
        for _ in range(self.rounds):
            for row in rows:
                self.once(row, cold)
        for _ in range(2 * self.rounds):
            noisy = [row for row in rows if row.noisy]
            if not noisy:
                break
            for row in rows:  # all of them, so that the ratios stay those of one moment
                if row.noisy or row.base:
                    self.once(row, cold)
        for row in rows:
            if row.failed:
                row.label += " (failed)"
        return rows
