"""Bar 7: a log of Inspect of 1 GB: how soon it is on the screen, how much memory it takes, whether every sample is right.

The log is made by Inspect's own writer (ORRERY_PEER_PYTHON with inspect-ai), once with deflate and once with zstd.
"""

import json
import os
import re
import subprocess
import sys
import time

from evals import CouldNotRun, PEER, folder, workspace
from figures import at_most, attempt, percentile, reported, spread_of
from program import ROOT, last_line
from pseudo_terminal import Terminal

PEERS = os.path.join(ROOT, "Benchmarks", "peers")
MAKE, CHECK = os.path.join(PEERS, "make_inspect_log.py"), os.path.join(PEERS, "inspect_check.py")
sys.path.append(PEERS)

from inspect_digest import of_orrery  # noqa: E402

STARTS = 9
# A row of the list of samples: how it came out, its name, its first score.
ROW = re.compile("[✓✗!?]  +q?[0-9]+ +[01·] ")


def run(program):
    found = []
    for letters, kind in (("abcde", "deflate"), ("fghij", "zstd")):
        found += attempt(f"7{letters[0]}", f"1 GB, {kind}", lambda: measured(program, kind, letters))
    return found


def log(program, kind):
    if not PEER:
        raise CouldNotRun("ORRERY_PEER_PYTHON with inspect-ai is not set")
    size = "60M" if program.quick else "1.08G"
    path = os.path.join(folder(program), f"inspect-{kind}-{size}.eval")
    if not os.path.exists(path):
        more = ["--deflate"] if kind == "deflate" else []
        unfinished = f"{path[:-5]}-unfinished.eval"
        made = subprocess.run([PEER, MAKE, size, unfinished, *more], capture_output=True, check=False)
        if made.returncode != 0:
            raise CouldNotRun(f"no log was made: {last_line(made.stderr)}")
        os.rename(unfinished, path)
    return path


def measured(program, kind, letters):
    path = log(program, kind)
    heads, lists, early, late, moves = [], [], [], [], []
    for number in range(3 if program.quick else STARTS):
        with opened(program, path) as terminal:
            until(terminal, b"mockllm/mod")
            terminal.write("\r")
            until(terminal, b"quality/s")
            terminal.settle(0.3)
            head = first(terminal, lambda rows: any("mockllm/mod" in row for row in rows))
            rows = first(terminal, lambda rows: sum(bool(ROW.search(row)) for row in rows) > 5)
            heads.append(head)
            lists.append(rows)
            early.append(resident(terminal, "VmHWM"))
            if number < 3:
                moves += paged(terminal)
                late.append(resident(terminal, "VmHWM"))
    size = os.path.getsize(path) / 1e9
    load = f"{size:.2f} GB; load {os.getloadavg()[0]:.1f}"
    keys = ", ".join(f"p{share} {percentile(moves, share / 100):.2f}" for share in (50, 95, 99))
    return [
        at_most(f"7{letters[0]}", f"first screen with rows of samples, {kind}", percentile(lists, 0.5), "ms", 300,
                spread=f"{spread_of(lists, 'ms')}; its figures at {spread_of(heads, 'ms')}; {load}"),
        at_most(f"7{letters[1]}", f"resident size at the first screen, {kind}", max(early), "MB", 200,
                spread=spread_of(early, "MB")),
        at_most(f"7{letters[2]}", f"resident size, all samples paged through, {kind}", max(late), "MB", 200,
                spread=spread_of(late, "MB")),
        reported(f"7{letters[3]}", f"a key in its samples, 95 of 100, {kind}", percentile(moves, 0.95), "ms",
                 spread=f"{keys}; n {len(moves)}"),
        compared(program, path, letters[4], kind),
    ]  # fmt: skip


def opened(program, path):
    place = workspace(program, "inspect")
    return Terminal([program.binary, path, "--workspace", place], program.environment())


def until(terminal, text, limit=60.0):
    """Reads until the program has written a text; what its screen shows is worked out afterwards, for that is slow."""
    end, got = time.perf_counter() + limit, b""
    while text not in got:
        got += terminal.read(0.05) or b""
        if time.perf_counter() > end:
            raise CouldNotRun(f"`{text.decode()}` did not come onto the screen")


def first(terminal, holds):
    """Milliseconds from the start of the program to the first piece of output after which the screen `holds`."""
    found = next((when for when, screen in terminal.frames() if holds(list(screen.display))), None)
    if found is None:
        raise CouldNotRun("the samples did not come onto the screen")
    return 1000 * found


def paged(terminal):
    """Walks the list down, by samples and by pages, to failures and to its end; milliseconds to each frame."""
    terminal.settle(1.0, limit=60)
    times = []
    for keys in (["j"] * 60, ["\x1b[6~"] * 40, ["]r"] * 40, ["G", "\x1b[H"] * 5, ["\x1b[6~"] * 20, ["k"] * 20):
        for key in keys:
            found = terminal.press(key, limit=2.0)
            if found:
                times.append(1000 * found[1])
            time.sleep(0.03)
        terminal.settle(0.3)
    return times


def resident(terminal, field):
    with open(f"/proc/{terminal.pid}/status", encoding="utf-8") as file:
        return next(int(line.split()[1]) / 1024 for line in file if line.startswith(field))


def compared(program, path, letter, kind):
    """Both sides are read as they come, a digest a sample: neither fits into memory."""
    options = ["--digests", "--processes", str(len(os.sched_getaffinity(0)))]
    if program.quick:
        options += ["--limit", "1000"]
    theirs = subprocess.run(["nice", "-n", "5", PEER, CHECK, path, *options], capture_output=True, check=False)
    if theirs.returncode != 0:
        raise CouldNotRun(f"Inspect did not read it: {last_line(theirs.stderr)}")
    wanted = [json.loads(line) for line in theirs.stdout.splitlines()][:-1]
    ours = {}
    command = [program.binary, "eval", "show", path, "--samples", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=program.environment()) as process:
        for line in process.stdout:
            sample = json.loads(line)
            ours[sample["id"], sample["epoch"]] = of_orrery(sample)
    if process.returncode != 0:
        raise CouldNotRun(f"`eval show --samples` ended with status {process.returncode}")
    wrong = sum(ours.get((row["id"], row["epoch"])) != row["digest"] for row in wanted)
    if not program.quick:
        # What Inspect has not is as wrong as what we have not.
        wrong += len(ours.keys() - {(row["id"], row["epoch"]) for row in wanted})
    return at_most(f"7{letter}", f"samples that Inspect reads otherwise, {kind}", wrong, "samples", 0,
                   spread=f"{len(wanted)} of {len(ours)} samples", peer="inspect-ai")  # fmt: skip
