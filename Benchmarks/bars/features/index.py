"""Bar 8: dashboards and searches of 16,384 features over 10,000,000 tokens, whose activations are made by a generator."""

import os

from figures import at_most, attempt, reported
from features import answer, folder

TOKENS = 10_000_000


def run(program):
    return attempt("8a", "the index of features", lambda: measured(program))


def measured(program):
    count = 500_000 if program.quick else TOKENS
    path = os.path.join(folder(program), f"index-{count}.orrery")
    made = None
    if not os.path.exists(path):
        made = answer(program.bench, "feature", "build", path, "--tokens", count)
    said = answer(program.bench, "feature", "measure", path)
    figures = [
        at_most("8a", "a dashboard, 95 of 100", said["dashboard_milliseconds_p95"], "ms", 100,
                spread=f"median {said['dashboard_milliseconds']:.2f} ms"),
        at_most("8b", "a search, the slowest kind, 95 of 100", said["search_milliseconds_p95"], "ms", 200,
                spread=f"median {said['search_milliseconds']:.2f} ms"),
    ]  # fmt: skip
    if made:
        figures.append(
            reported("8c", "building it", made["seconds"], "s", spread=f"{made['peak_bytes'] / 1e9:.2f} GB at most")
        )
    return figures
