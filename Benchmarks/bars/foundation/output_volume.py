"""Bar 4: what a slow line has to carry, how soon Esc acts, and whether resizing leaves the screen whole."""

import random
import statistics
import time

import make_data
from figures import CouldNotRun, at_most, attempt, percentile
from pseudo_terminal import Terminal

FINAL = (100, 30)


def volume(terminal, keys, count):
    """Bytes of each frame while these keys are pressed in turn."""
    sizes = []
    for index in range(count):
        answer = terminal.press(keys[index % len(keys)], limit=0.1, quiet=0.01)
        if answer:
            sizes.append(len(answer[2]))
    if len(sizes) < count // 4:
        raise CouldNotRun(f"only {len(sizes)} of {count} keys changed the screen")
    return sizes


def volume_figure(bar, what, sizes):
    return at_most(
        bar,
        what,
        statistics.mean(sizes),
        "bytes",
        1024,
        spread=f"p50 {percentile(sizes, 0.5)}, p95 {percentile(sizes, 0.95)}, max {max(sizes)} bytes, n {len(sizes)}",
    )


def escapes(terminal, count):
    """Milliseconds until Esc has closed the help."""
    times = []
    for _ in range(count):
        if terminal.press("?", quiet=0.05) is None:
            raise CouldNotRun("`?` did not open the help")
        time.sleep(0.05)
        answer = terminal.press("\x1b", limit=1.0, quiet=0.02)
        if answer is None:
            raise CouldNotRun("Esc did not close the help within 1 s")
        times.append(1000 * answer[1])
    return times


def rows_after_resizes(program, workspace, resizes):
    """The screen after random resizes within two seconds, or None if the program ended."""
    chance = random.Random(4)
    with Terminal(program.workbench(workspace), program.environment()) as terminal:
        terminal.wait_for_output()
        start = time.perf_counter()
        for index in range(resizes):
            terminal.resize_live(chance.randint(20, 200), chance.randint(6, 60))
            while (left := start + (index + 1) * 2.0 / resizes - time.perf_counter()) > 0:
                terminal.read(left)
        terminal.resize_live(*FINAL)
        terminal.settle(0.5)
        if terminal.wait_for_exit(0.05) is not None:
            return None
        return terminal.rows_shown()


def in_list(program, workspace, count):
    with Terminal(program.workbench(workspace), program.environment()) as terminal:
        terminal.wait_for_output(quiet=0.5)
        return volume_figure("4a", "bytes a key in a list", volume(terminal, ["j"], count))


def in_text(program, workspace, count):
    with Terminal(program.workbench(workspace), program.environment()) as terminal:
        terminal.wait_for_output(quiet=0.3)
        for key in ("\r", "\t", "\t"):  # the first run, then past the tree to its text
            terminal.press(key, quiet=0.05)
        return volume_figure("4b", "bytes a key in text", volume(terminal, ["j"] * 30 + ["k"] * 30, count))


def after_escape(program, workspace, count):
    with Terminal(program.workbench(workspace), program.environment()) as terminal:
        terminal.wait_for_output(quiet=0.3)
        times = escapes(terminal, count)
    return at_most(
        "4c",
        "Esc acts, p99",
        percentile(times, 0.99),
        "ms",
        60,
        spread=(f"p50 {percentile(times, 0.5):.1f}, max {max(times):.1f} ms, n {len(times)}"),
    )


def after_resizes(program, workspace):
    program.fresh_home()
    resized = rows_after_resizes(program, workspace, 200)
    program.fresh_home()
    with Terminal(program.workbench(workspace), program.environment(), *FINAL) as terminal:
        terminal.wait_for_output(quiet=0.5)
        fresh = terminal.rows_shown()
    different = sum(a != b for a, b in zip(resized or [], fresh)) + abs(len(resized or []) - len(fresh))
    return at_most(
        "4d",
        "rows that differ from a fresh screen after 200 resizes",
        different,
        "rows",
        0,
        spread="the program ended" if resized is None else f"alive, {len(fresh)} rows compared",
    )


def run(program):
    count = 40 if program.quick else 200

    def large():
        return program.filled(
            "million-traces" + ("-quick" if program.quick else ""),
            [make_data.million_traces(program.data, program.quick)],
        )

    figures = attempt("4a", "bytes a key in a list", lambda: in_list(program, large(), count))
    sample = program.sample()
    program.fresh_home()
    figures += attempt("4b", "bytes a key in text", lambda: in_text(program, sample, count))
    figures += attempt("4c", "Esc acts", lambda: after_escape(program, sample, 10 if program.quick else 50))
    return figures + attempt("4d", "screen after 200 resizes", lambda: after_resizes(program, sample))
