"""Bar 4: steps of a TopK dictionary against PyTorch, on one thread and two.

256 wide, 2,048 features, 16 active, 1,024 rows a step, Adam. Both sides take turns; the best turn of each counts, and
the median of the ratios of turns stands beside it.
"""

import json
import statistics
import subprocess

from figures import CouldNotRun, Figure, attempt, rounded, spread_of
from features import answer
from models import PEER_PYTHON, before, peer_command, peer_environment, require, version

ROUNDS, SECONDS = 5, 4.0
TARGET = 2.5


def run(program):
    figures = []
    for letter, threads in zip("ab", (1, 2)):
        figures += attempt(f"4{letter}", f"TopK steps, {threads} threads", lambda: paired(program, letter, threads))
    return figures


def paired(program, letter, threads):
    require("torch")
    mine, theirs = [], []
    for _ in range(2 if program.quick else ROUNDS):
        said = answer(
            program.bench, "feature", "step", "--threads", threads, "--seconds", SECONDS, before=before(threads)
        )
        mine.append(said["steps_per_second"])
        command = [*before(threads), *peer_command("topk_steps", threads, SECONDS)]
        found = subprocess.run(command, capture_output=True, text=True, check=False, env=peer_environment(program))
        if found.returncode != 0:
            raise CouldNotRun(f"peers/topk_steps.py ended with status {found.returncode}")
        theirs.append(json.loads(found.stdout.splitlines()[-1])["steps_per_second"])
    ratio = max(mine) / max(theirs)
    median = statistics.median(a / b for a, b in zip(mine, theirs))
    both = f"ours {spread_of(mine, 'steps/s')}; theirs {spread_of(theirs, 'steps/s')}"
    return Figure(
        f"4{letter}", f"TopK steps, {threads} thread{'s' if threads > 1 else ''}", rounded(max(mine)), "steps/s",
        spread=f"median of the ratios {median:.3g}; {both}", peer=version("torch"),
        ratio=rounded(ratio), target=f">= {TARGET:g} of torch", met=ratio >= TARGET,
    )  # fmt: skip
