"""Bar 9: what the import says it found equals what an independent script counts."""

import os

import count_traces
from figures import CouldNotRun, at_most
from program import SAMPLE_TRACES, SHARED_TRACES, last_line

# The issue's own keys, and more that are compared where the program reports them.
REQUIRED = ["traces", "spans", "messages", "tool_calls", "input_tokens", "output_tokens", "errors", "skipped"]
OPTIONAL = [
    "model_spans",
    "tool_spans",
    "agent_spans",
    "tool_results",
    "cache_read_tokens",
    "cache_write_tokens",
    "records",
]


def difference(program, counted):
    """Figures of one file that differ, as sentences, and how many were compared."""
    workspace = program.workspace("totals")
    done = program.run("trace", "import", "--workspace", workspace, "--json", counted["file"])
    said, name = done.json(), os.path.basename(counted["file"])
    if said is None:
        return [f"{name}: status {done.status}, {last_line(done.errors)[:80]}"], 1
    keys = REQUIRED + [key for key in OPTIONAL if key in said]
    return [
        f"{name}: {key} {said.get(key)} instead of {counted[key]}" for key in keys if said.get(key) != counted[key]
    ], len(keys)


def folder(program, bar, what, paths):
    found, compared, files, refused = [], 0, 0, 0
    for path in count_traces.trace_files(paths):
        counted = count_traces.count(path)
        if counted is None:
            refused += 1
            continue
        wrong, keys = difference(program, counted)
        found += wrong
        compared += keys
        files += 1
    program.workspace("totals")
    return at_most(
        bar,
        what,
        len(found),
        "differences",
        0,
        spread=(
            f"{files} files, {compared} figures compared, {refused} files of other shapes"
            + "".join(f"; {line}" for line in found[:6])
        ),
    )


def run(program):
    figures = []
    if os.path.isdir(SHARED_TRACES):
        figures.append(
            folder(
                program,
                "9a",
                "totals of the shared traces",
                [os.path.join(SHARED_TRACES, name) for name in ("claude-code", "otlp", "openinference")],
            )
        )
    figures.append(folder(program, "9b", "totals of the sample traces", [SAMPLE_TRACES]))
    if not os.path.isdir(SHARED_TRACES):
        raise CouldNotRun(f"there are no shared traces at {SHARED_TRACES}")
    return figures
