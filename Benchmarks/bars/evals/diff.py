"""Bar 6: two runs of 10,000 samples: the difference, the key to the next regression, and an independent join."""

import json
import time

from evals import answer, done, folder, workspace
from figures import CouldNotRun, at_most, attempt, percentile, spread_of
from program import finish
from pseudo_terminal import Terminal

COUNT = 10_000


def run(program):
    state = {}
    figures = attempt("6a", "diff of two runs", lambda: compared(program, state))
    return figures + attempt("6c", "next regression", lambda: keys(program, state))


def filled(program, state):
    path = workspace(program, "diff")
    done(program.bench, "eval", "runs", "--samples", COUNT, "--workspace", path)
    state["path"] = path
    return path


def compared(program, state):
    path = filled(program, state)
    times = [answer(program.bench, "eval", "diff", "before", "after", "--workspace", path)["milliseconds"]
             for _ in range(5)]  # fmt: skip
    walls = []
    for _ in range(5):
        found = finish([program.binary, "eval", "diff", "before", "after", "--json", "--workspace", path],
                       program.environment())  # fmt: skip
        walls.append(1000 * found.seconds)
    said = found.json()["diff"]
    rows = {}
    for name in ("before", "after"):
        lines = done(program, "eval", "show", name, "--samples", "--json", "--workspace", path).output.splitlines()
        rows[name] = {(row["id"], row["epoch"]): row["outcome"] == "passed" for row in map(json.loads, lines)}
    both = rows["before"].keys() & rows["after"].keys()
    broken = sum(rows["before"][key] and not rows["after"][key] for key in both)
    fixed = sum(rows["after"][key] and not rows["before"][key] for key in both)
    wrong = abs(said["total"]["broken"] - broken) + abs(said["total"]["fixed"] - fixed)
    return [
        at_most("6a", "rows of both, joined and compared", percentile(times, 0.5), "ms", 150, spread=spread_of(times, "ms")),
        at_most("6b", "the whole command", percentile(walls, 0.5), "ms", 150, spread=spread_of(walls, "ms")),
        at_most("6d", "flips that an independent join counts otherwise", wrong, "flips", 0,
                spread=f"{broken} broken, {fixed} fixed of {len(both)}"),
    ]  # fmt: skip


def keys(program, state):
    path = state.get("path") or filled(program, state)
    with Terminal(program.workbench(path), program.environment()) as terminal:
        terminal.wait_for_output(quiet=0.5)
        for key in ("5", "gg"):
            terminal.press(key, limit=1)
            terminal.settle(0.3)
        # Both runs are marked and compared; the list of what broke comes first.
        for key in (" ", "j", " ", "d"):
            terminal.press(key, limit=1)
            terminal.settle(0.3)
        times = []
        for _ in range(60 if program.quick else 300):
            found = terminal.press("]r", limit=0.5)
            if found is not None:
                times.append(1000 * found[1])
            time.sleep(0.004)
    if len(times) < 30:
        raise CouldNotRun(f"only {len(times)} keys changed the screen")
    shares = ", ".join(f"p{share} {percentile(times, share / 100):.2f}" for share in (50, 95, 99))
    return at_most("6c", "next regression, 95 of 100", percentile(times, 0.95), "ms", 16, spread=f"{shares}; n {len(times)}")
