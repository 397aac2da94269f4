"""Bar 1: how long a person looks at an empty terminal.

Starts of the sample workspace and of one with 1,000,000 spans take turns. A frame is there when at least five rows are
not blank; when the screen looked as it stayed is reported beside it.
"""

import make_data
from figures import CouldNotRun, at_most, percentile
from pseudo_terminal import Terminal

ROWS = 5


def one_start(program, workspace):
    """Seconds to the first frame and to the settled screen."""
    with Terminal(program.workbench(workspace), program.environment()) as terminal:
        terminal.wait_for_output()
        first, settled = terminal.first_frame(ROWS)
        if first is None:
            raise CouldNotRun("no frame came within 20 s: " + repr(terminal.output()[-200:]))
        return first, settled


def run(program):
    starts = 10 if program.quick else 100
    large = program.filled(
        "million-spans" + ("-quick" if program.quick else ""), [make_data.million_spans(program.data, program.quick)]
    )
    workspaces = {"sample": program.sample(), "million": large}
    for workspace in workspaces.values():
        for _ in range(3):
            one_start(program, workspace)
    times = {name: [] for name in workspaces}
    for _ in range(starts):
        for name, workspace in workspaces.items():
            times[name].append(one_start(program, workspace))
    figures = []
    for bar, name, share, limit, what in (
        ("1a", "sample", 0.5, 40, "first frame of the sample, p50"),
        ("1b", "sample", 0.95, 80, "first frame of the sample, p95"),
        ("1c", "million", 0.5, 100, "first frame with 1,000,000 spans, p50"),
    ):
        first = [1000 * pair[0] for pair in times[name]]
        settled = [1000 * pair[1] for pair in times[name]]
        figures.append(
            at_most(
                bar,
                what,
                percentile(first, share),
                "ms",
                limit,
                spread=(
                    ", ".join(f"p{n} {percentile(first, n / 100):.1f}" for n in (5, 50, 95)) + f" ms, n {starts}; "
                    f"settled p50 {percentile(settled, 0.5):.1f} ms"
                ),
            )
        )
    return figures
