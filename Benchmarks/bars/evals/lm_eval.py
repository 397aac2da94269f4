"""Bar 3: the same task files on the same stub as lm-eval: metrics to 1e-12, sample files field by field.

Needs ORRERY_PEER_PYTHON with lm-eval. The comparison is the peers' script, which also says what it compared. Inspect's
metrics are computed again from the samples of the logs in ../shared/data/traces/inspect.
"""

import glob
import json
import os
import subprocess
import tempfile

from evals import CouldNotRun, PEER, SHARED, answer, done, stub, workspace
from figures import at_most, attempt
from program import ROOT, last_line

CHECK = os.path.join(ROOT, "Benchmarks", "peers", "lm_eval_check.py")


def run(program):
    return attempt("3a", "against lm-eval", lambda: harness(program)) + attempt(
        "3d", "Inspect's metrics", lambda: inspect(program)
    )


def harness(program):
    if not PEER:
        raise CouldNotRun("ORRERY_PEER_PYTHON with lm-eval is not set")
    with tempfile.TemporaryDirectory(dir=program.data) as folder:
        # The script starts the stub beside it, here as in ../shared.
        venv = os.path.dirname(os.path.dirname(PEER))
        theirs = subprocess.run(
            [PEER, CHECK, "run", os.path.join(ROOT, "Benchmarks"), venv, folder], capture_output=True, check=False
        )
        if theirs.returncode != 0:
            raise CouldNotRun(f"lm-eval did not run: {last_line(theirs.stderr)}")
        path, ours = workspace(program, "lm-eval"), os.path.join(folder, "ours")
        tasks = sorted(glob.glob(os.path.join(folder, "tasks", "*.yaml")))
        with stub() as endpoint:
            for task in tasks:
                done(program, "eval", "run", task, "--model", endpoint.model, "--no-cache", "--limit", 20,
                     "--workspace", path, "--export-lm-eval", ours)  # fmt: skip
        said = subprocess.run(
            [PEER, CHECK, "compare", ours, os.path.join(folder, "results")], capture_output=True, check=False
        )
    if said.returncode != 0:
        raise CouldNotRun(f"the comparison failed: {last_line(said.stderr)}")
    found = json.loads(said.stdout)
    entries = found["tasks"].values()
    figures = [value for entry in entries for value in entry["figures"].values()]
    fields = {f"{name} {key}": value for name, entry in found["tasks"].items() for key, value in entry["fields"].items()}
    wrong = [name for name, value in fields.items() if not value <= 1e-12]
    rows = sum(entry["rows"]["theirs"] for entry in entries)
    lacking = len(found["missing"]) + sum(entry["rows"]["ours"] != entry["rows"]["theirs"] for entry in entries)
    note = f"{len(found['tasks'])} tasks, {len(figures)} figures, {rows} rows"
    return [
        at_most("3a", "largest difference of a metric", max(figures), "", 1e-12, spread=note, peer="lm-eval"),
        at_most("3b", "fields of sample rows that differ", len(wrong), "fields", 0,
                spread=f"{len(fields)} compared" + "".join(f", {name}" for name in wrong[:5]), peer="lm-eval"),
        at_most("3c", "tasks or rows that one side lacks", lacking, "", 0, peer="lm-eval"),
    ]  # fmt: skip


def inspect(program):
    logs = sorted(glob.glob(os.path.join(SHARED, "data", "traces", "inspect", "*.eval")))
    if not logs:
        raise CouldNotRun("../shared/data/traces/inspect is not there")
    checks = [check for log in logs for check in answer(program.bench, "eval", "inspect", log)["checks"]]
    worst = max((abs(check["recorded"] - check["recomputed"]) for check in checks), default=0)
    if not checks:
        raise CouldNotRun("the logs record no metric that is known")
    return at_most("3d", "Inspect's metrics, recorded against recomputed", worst, "", 1e-12,
                   spread=f"{len(checks)} metrics of {len(logs)} logs", peer="Inspect")  # fmt: skip
