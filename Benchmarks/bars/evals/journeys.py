"""Bar 9: from a failing sample to its cause by keyboard: the stories of Tests/EndToEnd about evaluations and journeys."""

import os
import subprocess

from evals import CouldNotRun
from figures import at_least, attempt
from program import ROOT


def run(program):
    return attempt("9", "stories by keyboard", lambda: stories(program))


STORIES = ("evals", "journey")


def stories(program):
    script = os.path.join(ROOT, "Tests", "EndToEnd", "run.sh")
    lines = []
    for beginning in STORIES:
        said = subprocess.run([script, beginning], capture_output=True, text=True, check=False,
                              env=dict(os.environ, ORRERY_BINARY=program.binary))  # fmt: skip
        if not said.stdout:
            raise CouldNotRun("run.sh printed nothing")
        lines += said.stdout.splitlines()
    passed = sum(line.startswith("ok ") for line in lines)
    failed = [line.split()[1] for line in lines if line.startswith("FAIL")]
    return at_least("9", "stories that hold", passed, "stories", passed + len(failed), spread=", ".join(failed) or "all")
