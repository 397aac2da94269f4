"""Bar 8: a trace of 100,000 spans opens, filters and steps without a pause."""

import make_data
from figures import CouldNotRun, at_most, attempt, percentile
from pseudo_terminal import Terminal

FILTER = "kind:tool status:error"


def open_trace(terminal):
    """Open the only run of the workspace."""
    terminal.wait_for_output(quiet=0.5)
    terminal.press("\r", limit=2.0, quiet=0.2)
    terminal.settle(0.3)


def first_frames(program, workspace, starts):
    """Milliseconds of starts that come back to the trace, as the last screen did."""
    with Terminal(program.workbench(workspace), program.environment()) as terminal:
        open_trace(terminal)
        terminal.write("q")
        if terminal.wait_for_exit(5.0) is None:
            raise CouldNotRun("`q` did not end the program within 5 s")
    first, settled = [], []
    for _ in range(starts):
        with Terminal(program.workbench(workspace), program.environment()) as terminal:
            terminal.wait_for_output()
            times = terminal.first_frame()
            if times[0] is None:
                raise CouldNotRun("no frame came within 20 s")
            first.append(1000 * times[0])
            settled.append(1000 * times[1])
    return first, settled


def filters(program, workspace, times):
    """Milliseconds until the filter has found its steps, and the tree shows nothing else."""
    found = []
    with Terminal(program.workbench(workspace), program.environment()) as terminal:
        open_trace(terminal)
        for _ in range(times):
            terminal.press("/", quiet=0.05)
            terminal.press(FILTER, quiet=0.1)
            matched = terminal.press("\r", limit=3.0, quiet=0.1)
            narrowed = terminal.press("f", limit=3.0, quiet=0.1)
            if matched is None or narrowed is None:
                raise CouldNotRun("the filter changed nothing on the screen")
            found.append(1000 * (matched[1] + narrowed[1]))
            terminal.press("f", limit=1.0, quiet=0.1)
            terminal.press("\x1b", limit=0.5, quiet=0.1)
            terminal.settle(0.2)
    return found


def steps(program, workspace, count):
    """Milliseconds from `.` to the frame of the next step."""
    found = []
    with Terminal(program.workbench(workspace), program.environment()) as terminal:
        open_trace(terminal)
        for _ in range(count):
            answer = terminal.press(".", limit=1.0)
            if answer:
                found.append(1000 * answer[1])
    if len(found) < count // 2:
        raise CouldNotRun(f"only {len(found)} of {count} steps changed the screen")
    return found


def described(times):
    return (
        f"p50 {percentile(times, 0.5):.1f}, p95 {percentile(times, 0.95):.1f}, max {max(times):.1f} ms, n {len(times)}"
    )


def run(program):
    quick = program.quick
    workspace = program.filled(
        "large-trace" + ("-quick" if quick else ""), [make_data.one_large_trace(program.data, quick)]
    )
    program.fresh_home()

    def opened():
        first, settled = first_frames(program, workspace, 5 if quick else 20)
        return at_most(
            "8a",
            "first frame, settled, p50",
            percentile(settled, 0.5),
            "ms",
            300,
            spread=f"{described(settled)}; five rows {described(first)}",
        )

    def filtered():
        times = filters(program, workspace, 3 if quick else 10)
        return at_most(
            "8b", "filter, found and narrowed, p50", percentile(times, 0.5), "ms", 100, spread=described(times)
        )

    def stepped():
        times = steps(program, workspace, 50 if quick else 300)
        return at_most("8c", "step, p99", percentile(times, 0.99), "ms", 16, spread=described(times))

    return attempt("8a", "first frame", opened) + attempt("8b", "filter", filtered) + attempt("8c", "step", stepped)
