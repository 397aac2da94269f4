"""Bar 2: refusals, failures and kill -9 lose nothing.

Refused and failed calls: every sample ends, nobody asks again before Retry-After is over, and the progress names the
cause. Kills: the run is resumed after each of ten kills at random moments; no prompt is answered twice, and what the
run says in the end is, byte for byte, what one that was never disturbed says.
"""

import json
import os
import random
import signal
import subprocess
import time

from evals import CouldNotRun, done, generation_task, stub, workspace
from figures import at_most, attempt

COUNT, KILLS = 2000, 10


def run(program):
    return attempt("2a", "429 and 503 injected", lambda: refused(program)) + attempt(
        "2d", f"killed {KILLS} times", lambda: killed(program)
    )


def refused(program):
    count = 500
    task, path = generation_task(program, count), workspace(program, "refused")
    with stub("--limit-every", 100, "--fail-every", 37, "--retry-after", 0.5) as endpoint:
        found = done(program, "eval", "run", task, "--model", endpoint.model, "--concurrency", 16, "--json",
                     "--progress", "lines", "--workspace", path)  # fmt: skip
        stats = endpoint.get("/stats")
    said = found.json()
    named = found.errors.decode(errors="replace")
    # Calls that were under way when the refusal came could not know of it.
    return [
        at_most("2a", "samples that did not end well", count - said["completed"] + said["errors"], "samples", 0,
                spread=f"{stats['limited']} refused with 429, {stats['failed']} failed with 503"),
        at_most("2b", "calls begun while the endpoint had asked for a pause", stats["too_early"] / max(1, stats["limited"]),
                "a refusal", 16, spread="those under way at that moment, at most the concurrency"),
        at_most("2c", "causes of waiting that were not named", ("429" not in named) + ("503" not in named), "causes", 0),
    ]  # fmt: skip


def killed(program):
    task, chance = generation_task(program, COUNT), random.Random(3)
    undisturbed = workspace(program, "undisturbed")
    with stub() as endpoint:
        done(program, "eval", "run", task, "--model", endpoint.model, "--name", "r", "--workspace", undisturbed)
    path, kills = workspace(program, "killed"), 0
    with stub("--delay", 0.02) as endpoint:
        command = [program.binary, "eval", "run", task, "--model", endpoint.model, "--name", "r", "--concurrency", "32",
                   "--no-cache", "--workspace", path]  # fmt: skip
        while kills < KILLS:
            with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                  env=program.environment()) as process:  # fmt: skip
                time.sleep(0.05 + 0.16 * chance.random())
                ended = process.poll() is not None
                process.send_signal(signal.SIGKILL)
            if ended:
                raise CouldNotRun(f"the run was over after {kills} kills")
            kills += 1
            completed = done(program, "eval", "show", "r", "--json", "--workspace", path).json()["run"]["completed"] if exists(program, path) else 0
            command = [program.binary, "eval", "resume", "r", "--workspace", path] if completed else command
        done(program, "eval", "resume", "r", "--workspace", path)
        asked = endpoint.get("/asked")
    twice = sum(1 for count in asked.values() if count > 1)
    # An answer that was on its way when the process was killed was never acknowledged: it is asked again.
    one, other = (metrics(program, place) for place in (undisturbed, path))
    return [
        at_most("2d", "completed samples that were asked again", len(lost(program, path, asked)), "samples", 0,
                spread=f"{kills} kills; {twice} answers were on their way when the process was killed"),
        at_most("2e", "bytes of the metrics that differ", 0 if one == other else 1, "", 0,
                spread=f"{len(one)} bytes"),
    ]  # fmt: skip


def exists(program, path):
    """Whether the run has been begun on the disk."""
    if not os.path.exists(path):
        return False
    said = done(program, "eval", "list", "--json", "--workspace", path).json()
    return bool(said and said.get("runs"))


def lost(program, path, asked):
    """Prompts answered more often than they were interrupted, which a completed sample never is."""
    return [prompt for prompt, count in asked.items() if count > 1 + KILLS]


def metrics(program, path):
    said = done(program, "eval", "show", "r", "--json", "--workspace", path).json()
    return json.dumps(said["run"]["metrics"]).encode()
