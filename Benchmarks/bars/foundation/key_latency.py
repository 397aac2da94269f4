"""Bar 2: from a key to its frame, in a list of 1,000,000 runs; once more while every core is busy."""

import random
import subprocess
import sys
import time

import make_data
from figures import CouldNotRun, at_most, percentile
from program import cores
from pseudo_terminal import Terminal

PAGE_DOWN, PAGE_UP, HOME = "\x1b[6~", "\x1b[5~", "\x1b[H"


def keys(count):
    """A seeded mix of steps, pages and jumps to either end."""
    chance = random.Random(2)
    return [chance.choices(["j", "k", PAGE_DOWN, PAGE_UP, "G", HOME], [40, 25, 15, 10, 5, 5])[0] for _ in range(count)]


def press_all(terminal, count):
    """Milliseconds to the first byte and to the end of the frame of each key that changed the screen."""
    first, whole, silent = [], [], 0
    for key in keys(count):
        answer = terminal.press(key, limit=0.25)
        if answer is None:
            silent += 1  # already at that end of the list
        else:
            first.append(1000 * answer[0])
            whole.append(1000 * answer[1])
        time.sleep(0.004)
    if len(whole) < count // 2:
        raise CouldNotRun(f"only {len(whole)} of {count} keys changed the screen: is the list focused?")
    return first, whole, silent


def described(first, whole, silent):
    shares = ", ".join(f"p{share} {percentile(whole, share / 100):.2f}" for share in (50, 95, 99))
    return (
        f"frame {shares}, max {max(whole):.2f} ms; first byte p50 {percentile(first, 0.5):.2f}, "
        f"p99 {percentile(first, 0.99):.2f} ms; n {len(whole)}, {silent} without change"
    )


def run(program):
    count = 200 if program.quick else 1000
    workspace = program.filled(
        "million-traces" + ("-quick" if program.quick else ""), [make_data.million_traces(program.data, program.quick)]
    )
    with Terminal(program.workbench(workspace), program.environment()) as terminal:
        terminal.wait_for_output(quiet=0.5)
        terminal.press("j")
        terminal.settle(0.2)
        calm = press_all(terminal, count)
        burners = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(cores())]
        try:
            time.sleep(0.5)
            busy = press_all(terminal, count)
        finally:
            for burner in burners:
                burner.kill()
                burner.wait()
    return [
        at_most("2a", "key to frame, p50", percentile(calm[1], 0.5), "ms", 5, spread=described(*calm)),
        at_most("2b", "key to frame, p99", percentile(calm[1], 0.99), "ms", 16, spread=described(*calm)),
        at_most(
            "2c",
            f"key to frame with {len(burners)} busy cores, p99",
            percentile(busy[1], 0.99),
            "ms",
            50,
            spread=described(*busy),
        ),
    ]
