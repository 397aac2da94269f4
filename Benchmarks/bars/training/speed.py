"""Bar 2: steps of training against PyTorch, by turns, on one thread and on two.

PyTorch stays in its process, ours begins anew for each turn; both take their first steps untimed. A turn is a block of
steps of each side, its ratio that of their times, and what counts is the median of the ratios. Optimizers of the jobs
are PyTorch's as they come; `adamw` is the step alone, against the fused one. One thread has the last processor alone.
"""

import time

from figures import CouldNotRun, at_least, attempt, reported
from kernels import middle
from models import REST, Others, version
from training import our_job, their_job

# Job, name, steps of a turn, steps before them, target.
JOBS = (
    ("gpt", "char GPT", 12, 3, 1.3),
    ("mlp", "MLP", 400, 50, 1.2),
    ("conv", "convolutions", 80, 10, 1.0),
    ("adamw", "AdamW over the GPT's 53 tensors, fused", 600, 50, 1.0),
    ("adamw-10m", "AdamW over 10 M numbers, fused", 40, 5, 1.0),
)
TURNS, MOST_VOID, BUSY = 7, 14, 0.1


def run(program):
    figures = []
    for index, (job, name, steps, warm_up, target) in enumerate(JOBS):
        for threads in (1, 2):
            letter = "abcdefghij"[2 * index + threads - 1]
            what = f"{name}, threads: {threads}"
            figures += attempt(
                f"2{letter}", what, lambda: against(program, letter, what, job, (steps, warm_up), threads, target)
            )
    for letter, (job, name, steps, warm_up, _) in zip("klm", JOBS):
        what = f"{name} against PyTorch with a fused optimizer, threads: 1"
        figures += attempt(f"2{letter}", what, lambda: against(program, letter, what, job, (steps, warm_up), 1, None))
    return figures


def against(program, letter, what, job, lengths, threads, target):
    fused = target is None or job.startswith("adamw")
    mine, theirs, void = turns(program, job, lengths, threads, fused)
    ratios = [their / my for my, their in zip(mine, theirs)]
    more = {
        "spread": f"{1 / middle(mine):.4g} steps/s (best {1 / min(mine):.4g}); by turns "
        + ", ".join(f"{ratio:.2f}" for ratio in sorted(ratios))
        + (f"; {void} turns were void" if void else ""),
        "peer": f"{version('torch')}{', fused optimizer' if fused else ''}: {1 / middle(theirs):.4g} steps/s "
        f"(best {1 / min(theirs):.4g})",
        "ratio": round(middle(ratios), 3),
    }
    if target is None:
        return reported(f"2{letter}", what, middle(ratios), "times as fast", **more)
    return at_least(f"2{letter}", what, middle(ratios), "times as fast", target, **more)


def turns(program, job, lengths, threads, fused):
    """Seconds of a step of each side in each turn, and how many turns were void."""
    (steps, warm_up), mine, theirs, void = lengths, [], [], 0
    if program.quick:
        steps = max(2, steps // 4)
    with their_job(program, job, threads, fused) as engine:
        engine.ask(f"steps {warm_up}")
        while len(mine) < (2 if program.quick else TURNS):
            others = Others(engine.process.pid)
            _, seconds = our_job(program, job, steps, warm_up, threads)
            time.sleep(REST)
            engine.ask("steps 1")
            answer = engine.ask(f"steps {steps}")["seconds"]
            if others.share > BUSY and not program.quick:
                void += 1
                if void > MOST_VOID:
                    raise CouldNotRun(f"other programs took more than {BUSY:.0%} of a processor, {void} times")
                continue
            mine.append(seconds / steps)
            theirs.append(answer / steps)
    return mine, theirs, void
