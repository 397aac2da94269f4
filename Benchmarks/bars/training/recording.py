"""Bar 7: what recording a run costs: every step with all norms every fifty, against next to nothing, by turns.

Both record into a workspace on the disk. Time is that of whole processes, less that of one that makes a single step. On
one processor the thread that writes shares it with the steps, and processor time counts both; with all of them the
time on the wall counts. Steps of the small network take half a millisecond, which is the hard case. Nothing has
priority here. A turn in which other programs took more than a tenth of a processor is void.
"""

import os
import resource

from figures import CouldNotRun, at_most, attempt
from kernels import middle
from models import Others
from program import cores
from training import configuration, done, folder, paragraphs, write_tensors

LIMIT, BUSY, MOST_VOID = 0.02, 0.1, 12
ALL = ["--set", "record.every=1", "--set", "record.norms=50"]
NOTHING = ["--set", "record.every=1000000", "--set", "record.norms=0"]
# Name, steps of a run, turns.
# Name, steps of a run, turns.
CASES = (("GPT of 0.8 M weights", 30, 7), ("MLP 784-256-10", 5_000, 7))


def run(program):
    figures = []
    for letters, (name, steps, turns), make in zip(("ab", "cd"), CASES, (gpt, mlp)):
        steps, turns = (steps // 4, 2) if program.quick else (steps, turns)
        path = make(folder(program, f"recording-{letters[0]}"), steps)
        pinned = ["taskset", "-c", str(max(os.sched_getaffinity(0)))]
        for letter, before, index, kind in (
            (letters[0], pinned, 1, "processor time on one processor"),
            (letters[1], [], 0, f"time on the wall on {cores()} processors"),
        ):
            what = f"recording, {name}, {kind}"
            figures += attempt(
                f"7{letter}", what, lambda: overhead(program, f"7{letter}", what, path, (steps, turns), before, index)
            )
    return figures


def gpt(here, steps):
    with open(os.path.join(here, "text.txt"), "w", encoding="utf-8") as file:
        file.write(paragraphs(2_000))
    return configuration(
        os.path.join(here, "run.toml"), data={"train": ["text.txt"], "context": 128},
        data__tokenizer={"vocabulary": 257}, model={"family": "gpt2", "layers": 4, "width": 128, "heads": 4},
        training={"steps": steps, "batch": 16}, evaluation={"every": 0}, checkpoints={"seconds": 0.0},
    )  # fmt: skip


def mlp(here, steps):
    write_tensors(os.path.join(here, "data.safetensors"), 2_048, (28, 28), 10)
    return configuration(
        os.path.join(here, "run.toml"), data={"kind": "arrays", "train": ["data.safetensors"]},
        model={"kind": "mlp", "sizes": [256]}, training={"steps": steps, "batch": 128}, evaluation={"every": 0},
        checkpoints={"seconds": 0.0},
    )  # fmt: skip


def overhead(program, bar, what, path, lengths, before, index):
    (steps, turns), plain, full, void = lengths, [], [], 0
    seconds(program, path, NOTHING, before)
    start = min(seconds(program, path, [*NOTHING, "--steps", 1], before)[index] for _ in range(3))
    while len(plain) < turns:
        others = Others()
        sides = ((NOTHING, plain), (ALL, full)) if len(plain) % 2 else ((ALL, full), (NOTHING, plain))
        times = [seconds(program, path, settings, before)[index] - start for settings, _ in sides]
        if others.share > BUSY and not program.quick:
            void += 1
            if void > MOST_VOID:
                raise CouldNotRun(f"other programs took more than {BUSY:.0%} of a processor, {void} times")
            continue
        for (_, found), time in zip(sides, times):
            found.append(time)
    shares = [more / less - 1 for more, less in zip(full, plain)]
    step = middle(plain) / (steps - 1)
    return at_most(
        bar, what, 100 * (middle(full) / middle(plain) - 1), "% of a step", 100 * LIMIT,
        spread=f"medians; a step takes {1e3 * step:.3g} ms; by turns "
        + ", ".join(f"{100 * share:.1f}" for share in sorted(shares))
        + (f"; {void} turns were void" if void else ""),
    )  # fmt: skip


def seconds(program, path, settings, before):
    """Wall and processor seconds of a run."""
    workspace = os.path.join(os.path.dirname(path), "runs.orrery")
    used = sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
    found = done(program, path, "--fresh", "--workspace", workspace, *settings, before=before)
    return found.seconds, sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2]) - used
