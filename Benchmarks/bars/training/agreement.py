"""Bar 1: the same losses and gradients as PyTorch, from the same weights on the same batches.

The curves are measured here. That every operation's gradient agrees with central differences in double precision, and
ten steps of every optimizer with PyTorch's, are tests of the package; they run here where the test bundle was built.
"""

import glob
import os
import re

from figures import CouldNotRun, at_most, attempt
from models import peer_environment, version
from program import finish, last_line
from training import done, folder, job_file, our_job, their_job

FORWARD, GRADIENT, CURVE = 1e-5, 1e-4, 1e-3
STEPS = 40
JOBS = (("gpt", "char GPT"), ("mlp", "MLP"), ("conv", "convolutions"))
TESTS = (
    ("1e", "gradcheck of every operation", "GradientCheckTests|FusedGradientTests|ConvolutionTests|FusedGoldenTests"),
    ("1f", "ten steps of every optimizer against PyTorch", "OptimizerTests"),
)


def run(program):
    figures = []
    for letter, (job, name) in zip("abc", JOBS):
        figures += attempt(f"1{letter}", f"{STEPS} steps of the {name}", lambda: curve(program, letter, job, name))
    figures += attempt("1d", "gradients of the first step", lambda: gradients(program))
    for bar, what, pattern in TESTS:
        figures += attempt(bar, what, lambda: tests(program, bar, what, pattern))
    return figures


def curve(program, letter, job, name):
    """Losses of the steps, on two threads here and one there: the numbers do not depend on that."""
    mine, _ = our_job(program, job, STEPS, 0, 2)
    with their_job(program, job, 1) as engine:
        theirs = engine.ask(f"steps {STEPS}")["losses"]
    apart = [abs(a - b) for a, b in zip(mine, theirs, strict=True)]
    worst = max(range(STEPS), key=apart.__getitem__)
    return [
        at_most(
            f"1{letter}", f"{STEPS} steps of the {name}: largest difference of a loss", apart[worst], "", CURVE,
            spread=f"at step {worst + 1}, where it is {theirs[worst]:.5f}; from {theirs[0]:.4f} to {theirs[-1]:.4f}; "
            f"forward alone, step 1: {apart[0]:.1e}" + ("" if apart[0] <= FORWARD else f", over {FORWARD:g}"),
            peer=version("torch"),
        )  # fmt: skip
    ]


def gradients(program):
    worst, here = {}, folder(program, "gradients")
    for job, _ in JOBS:
        path = os.path.join(here, job + ".safetensors")
        done(program.bench, "compare", job, job_file(program, job), "--gradients", path)
        with their_job(program, job, 1) as engine:
            found = engine.ask(f"gradients {path}")
        name = max(found, key=found.get)
        worst[f"{job}: {name} of {len(found)}"] = found[name]
    return [
        at_most(
            "1d", "gradients: largest difference, over the largest number of its tensor", max(worst.values()), "",
            GRADIENT, spread=", ".join(f"{name} {value:.1e}" for name, value in worst.items()), peer=version("torch"),
        )  # fmt: skip
    ]


def tests(program, bar, what, suites):
    """How many tests of these suites fail, where a test bundle lies beside the program."""
    found = glob.glob(os.path.join(os.path.dirname(program.binary), "*PackageTests.xctest"))
    if not found:
        raise CouldNotRun(f"no test bundle beside the program; `make test` has {suites.replace('|', ', ')}")
    command = [found[0], "--testing-library", "swift-testing", "--filter", rf"^TrainingTests\.({suites})/"]
    said = finish(command, program.environment(), 300)
    text = (said.output + said.errors).decode(errors="replace")
    total = re.search(r"Test run with (\d+) tests? in (\d+) suites? (passed|failed)", text)
    if not total or int(total[1]) == 0:
        raise CouldNotRun(f"{os.path.basename(found[0])} ran no tests: {last_line(said.errors)}")
    cases = sum(map(int, re.findall(r"with (\d+) test cases? (?:passed|failed)", text)))
    failed = len(re.findall(r'Test [^\n]* failed after', text))
    return at_most(
        bar, what, failed + (said.status != 0 and not failed), "tests that fail", 0,
        spread=f"{total[1]} tests, {cases} cases of tables: {suites.replace('|', ', ')} of TrainingTests",
    )  # fmt: skip
