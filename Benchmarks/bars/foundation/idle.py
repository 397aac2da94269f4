"""Bar 3: a workbench that nobody touches costs nothing."""

import glob
import os
import time

from figures import CouldNotRun, at_most
from pseudo_terminal import Terminal


def ticks(pid):
    """CPU time in clock ticks, user and system, all threads."""
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return int(fields[11]) + int(fields[12])


def switches(pid):
    """Voluntary context switches by thread: each is one return to sleep."""
    found = {}
    for path in glob.glob(f"/proc/{pid}/task/*/status"):
        try:
            with open(path) as file:
                count = next(int(line.split()[1]) for line in file if line.startswith("voluntary_ctxt_switches"))
        except FileNotFoundError:
            continue
        found[path] = count
    return found


def wake_ups(before, after):
    """Of the threads that are there at the end; one that ended meanwhile counts once."""
    ended = len(before.keys() - after.keys())
    return ended + sum(count - before.get(path, 0) for path, count in after.items())


def resident_mb(pid):
    with open(f"/proc/{pid}/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS")) / 1024


def run(program):
    duration = 5 if program.quick else 30
    with Terminal(program.workbench(program.sample()), program.environment()) as terminal:
        terminal.wait_for_output()
        terminal.settle(2.0)
        if not os.path.exists(f"/proc/{terminal.pid}/stat") or terminal.wait_for_exit(0.05) is not None:
            raise CouldNotRun("the program ended by itself: " + repr(terminal.output()[-200:]))
        memory = resident_mb(terminal.pid)
        before, asleep, seen = ticks(terminal.pid), switches(terminal.pid), len(terminal.output())
        time.sleep(duration)
        spent, woken = ticks(terminal.pid) - before, wake_ups(asleep, switches(terminal.pid))
        while terminal.read_ready():
            pass
        written = len(terminal.output()) - seen
        threads = len(os.listdir(f"/proc/{terminal.pid}/task"))
    note = f"over {duration} s, {threads} threads"
    return [
        at_most("3a", "CPU while idle", spent, "ticks", 0, spread=note),
        at_most("3b", "output while idle", written, "bytes", 0, spread=note),
        at_most("3c", "wake-ups while idle", woken / duration, "a second", 1, spread=note),
        at_most("3d", "resident memory, sample", memory, "MB", 60),
    ]
