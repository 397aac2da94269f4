"""Measured ladders: what `orrery kernel run --json` says, for the bars of the kernels.

Everything that is measured runs with real-time priority where the system permits it (`chrt -f 50`): other programs then
cost neither samples nor caches, and what the hypervisor takes is all that remains.
"""

import functools
import os
import statistics
import subprocess

from figures import CouldNotRun
from program import finish

# Where the reference programs of the ceilings are; without it that bar cannot run.
PEERS = os.environ.get("ORRERY_PEERS", "")
LARGEST_STEAL = 0.02


@functools.cache
def priority():
    """What goes before a command so that nothing else runs on its processors; empty where that is not permitted."""
    command = ["chrt", "-f", "50"]
    try:
        permitted = subprocess.run([*command, "true"], capture_output=True, check=False).returncode == 0
    except OSError:
        permitted = False
    return command if permitted else []


def run(program, *arguments, limit=300, **environment):
    """Run the program with that priority, and without any OPENBLAS_ variable but those given."""
    return finish([*priority(), program.binary, *arguments], program.environment(**environment), limit)


def answer(program, *arguments, limit=300, **environment):
    """What it prints as JSON."""
    done = run(program, *arguments, limit=limit, **environment)
    found = done.json()
    if found is None:
        raise CouldNotRun(f"`{' '.join(arguments[:3])}` ended with status {done.status}: {last(done.errors)}")
    return found, done


def last(text):
    return text.decode(errors="replace").strip()[-200:]


class Steal:
    """The part of all processors' time that the hypervisor gave to other machines, from /proc/stat."""

    def __init__(self):
        self.begin = self.ticks()

    @staticmethod
    def ticks():
        try:
            with open("/proc/stat") as file:
                fields = [int(field) for field in file.readline().split()[1:9]]
        except OSError:
            return 0, 1
        return (fields[7] if len(fields) == 8 else 0), sum(fields)

    @property
    def share(self):
        stolen, passed = (now - then for now, then in zip(self.ticks(), self.begin))
        return stolen / passed if stolen > 1 and passed > 0 else 0.0


class Ladder:
    """One measurement of a kernel: every rung beside the ceiling of the same moment."""

    def __init__(self, report, peak_mb):
        self.report, self.peak_mb = report, peak_mb
        self.rungs = {rung["name"]: rung for rung in report["rungs"]}

    def __getitem__(self, name):
        rung = self.rungs.get(name)
        if rung is None:
            raise CouldNotRun(f"{self.report['operation']} has no variant {name}")
        if rung["outcome"] != "measured":
            raise CouldNotRun(f"{self.report['operation']}/{name}: {rung['reason']}")
        return rung

    def rate(self, name):
        return self[name]["operations_per_second"]["median"]

    def ratio(self, name, other):
        """How many times as fast: the median of the ratios within a round."""
        self[other]
        return self[name]["ratios"][other]

    def share_of_bandwidth(self, name):
        """Of the bandwidth ceiling of where the data lie, also where arithmetic is the lower roof."""
        if self.report["bound"] == "memory":
            return self[name]["share_of_attainable"]
        return self[name]["bytes_per_second"] / self.report["bandwidth"]["median"]

    @property
    def standing(self):
        return self.report["conditions"]["standing"]


class Ladders(list):
    """Repetitions of a measurement."""

    def values(self, pick):
        """One number of each."""
        return [pick(ladder) for ladder in self]

    def spread(self, values, digits=3):
        """The values in order, and how many measurements had to share the machine."""
        busy = sum(ladder.standing == "busy" for ladder in self)
        return spread(values, digits) + (f"; {busy} of {len(self)} while the machine was busy" if busy else "")


def measure(program, name, size, variants, threads=1, seconds=2.0, **environment):
    """One measurement; taken again, twice at most, where the hypervisor took the processor away."""
    seconds = seconds / 3 if program.quick else seconds
    chosen = [word for variant in variants for word in ("--variant", variant)]
    for _ in range(3):
        found, done = answer(
            program, "kernel", "run", name, "--size", size, "--threads", str(threads), "--seconds", str(seconds),
            "--dry", "--json", *chosen, **environment,
        )  # fmt: skip
        ladder = Ladder(found["report"], done.peak_mb)
        if ladder.standing != "void":
            return ladder
    raise CouldNotRun(f"{name}: {ladder.report['conditions']['steal']:.0%} of the time was stolen, three times")


def repeated(program, name, size, variants, times=3, **more):
    """Several measurements, for medians over them."""
    return Ladders(measure(program, name, size, variants, **more) for _ in range(1 if program.quick else times))


@functools.cache
def bits(program):
    """What `orrery-bench kernel bits` found: the same bits, and the accuracy of attention."""
    return answer(program.bench, "kernel", "bits", "--json")[0]


@functools.cache
def openblas(program):
    """The yardstick's version and the kernels that it chose here, as it says itself."""
    ask = (
        "import ctypes; library = ctypes.CDLL('libopenblas.so.0'); ask = library.openblas_get_config; "
        "ask.restype = ctypes.c_char_p; print(ask().decode())"
    )
    asked = subprocess.run(
        ["python3", "-c", ask], env=program.environment(), capture_output=True, text=True, check=False
    )
    words = asked.stdout.split()
    if len(words) < 3:
        return "OpenBLAS"
    core = next((word for word in reversed(words) if not word.startswith("MAX_THREADS") and "=" not in word), "")
    return f"{words[0]} {words[1]} ({core})"


def middle(values):
    return statistics.median(values)


def spread(values, digits=3):
    return ", ".join(f"{value:.{digits}f}" for value in sorted(values))
