"""Bar 3: a figure that is shown at two places is the same figure.

Lists are read against overviews, panels against `--json` and the tables of commands, a question while it is typed against
Enter and against the recorded run. Nothing is expected beforehand: both sides come from the program, on the sample
workspace. A text agrees with every value that is rounded to it. What is not found counts as well, since a comparison that
reads nothing proves nothing.
"""

from agreement import attention, evals, features, jobs, kernels, retrieval, tokens, traces, training
from agreement.pairs import Look, Pairs
from figures import CouldNotRun, at_least, at_most

PAGES = (traces, tokens, kernels, training, retrieval, attention, features, evals, jobs)
# What `make test` compares: lists against overviews, and work that is under way.
SHORT = (traces, evals, jobs)


def run(program):
    pairs, look = Pairs(), Look(program)
    for page in SHORT if program.quick else PAGES:
        pairs.begin(page.__name__.split(".")[-1])
        try:
            page.compare(look, pairs)
        except (CouldNotRun, LookupError, TypeError, ValueError) as error:
            pairs.missing.append(f"{pairs.page}: {type(error).__name__}: {error}")
    counts = ", ".join(f"{page} {count}" for page, count in pairs.counts.items())
    fewest = min(pairs.counts.values())
    return [
        at_most("3a", "pairs that contradict each other", len(pairs.found), "pairs", 0,
                spread=pairs.described() or None),
        at_least("3b", "pairs of figures that were compared", pairs.total, "pairs", 150, spread=counts),
        at_least("3c", "pairs on the page with the fewest", fewest, "pairs", 15),
        at_most("3d", "figures that were not found", len(pairs.missing), "figures", 0,
                spread="; ".join(pairs.missing[:8]) or None),
    ]  # fmt: skip
