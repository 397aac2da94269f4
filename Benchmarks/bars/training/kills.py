"""Bar 3: a run that is killed twenty times ends with the same bits as one that never was.

SIGKILL comes a random moment after a random step has been printed: within the next steps, within a checkpoint, within a
write of the workspace. The same command goes on each time. Compared are every point of every curve but the speeds, what
was sampled, and all bytes of the last checkpoint.
"""

import os
import random
import signal
import sqlite3
import subprocess
import time

from figures import CouldNotRun, at_most, attempt
from training import configuration, curves, done, folder, lines, paragraphs, write_tensors

KILLS = 20
SEED = 4
COMMON = {
    "checkpoints": {"every": 5, "seconds": 0.0, "keep": 2},
    "record": {"norms": 10},
}


def run(program):
    found = []
    for letter, name, make in (("a", "a transformer", transformer), ("b", "a network over arrays", network)):
        found += attempt(f"3{letter}", f"{name}, killed {KILLS} times", lambda: killed(program, letter, name, make))
    return found


def transformer(path):
    """Everything with a state of its own: dropout, shuffled data, accumulation, averages, evaluation, samples."""
    with open(os.path.join(path, "text.txt"), "w", encoding="utf-8") as file:
        file.write(paragraphs(400))
    return configuration(
        os.path.join(path, "run.toml"), run={"seed": 5}, data={"train": ["text.txt"], "context": 32},
        data__tokenizer={"vocabulary": 320}, model={"layers": 2, "width": 64, "heads": 4},
        optimizer={"kind": "muon", "rate": 0.003}, schedule={"kind": "wsd", "warmup": 10},
        training={"steps": 160, "batch": 8, "accumulation": 2, "dropout": 0.1, "ema": 0.95},
        evaluation={"every": 20, "batches": 4, "prompts": ["Ada went"], "tokens": 12, "temperature": 0.8}, **COMMON,
    )  # fmt: skip


def network(path):
    write_tensors(os.path.join(path, "data.safetensors"), 600, (8, 8), 10)
    return configuration(
        os.path.join(path, "run.toml"), run={"seed": 6}, data={"kind": "arrays", "train": ["data.safetensors"]},
        model={"kind": "conv", "channels": [8, 16], "sizes": [32]},
        training={"steps": 300, "batch": 32, "dropout": 0.2, "precision": "bfloat16"}, schedule={"warmup": 10},
        evaluation={"every": 25}, **COMMON,
    )  # fmt: skip


class Run:
    """One configuration in a folder and a workspace of its own."""

    def __init__(self, program, path, name):
        self.program, self.path, self.name = program, path, name
        self.workspace, self.folder = (os.path.join(os.path.dirname(path), name + end) for end in (".orrery", ".run"))
        self.words = [
            path, "--json", "--set", f"run.name={name}", "--set", f"checkpoints.folder={self.folder}", "--workspace",
            self.workspace,
        ]  # fmt: skip

    def go_on(self):
        return done(self.program, *self.words).output

    def kill_after(self, step, delay):
        """Goes on to this step, and a moment further; the step that it began after, and the last one it printed."""
        command, begun, last = [self.program.binary, "train", *self.words], None, 0
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=self.program.environment()
        ) as process:
            for text in process.stdout:
                if not text.endswith(b"\n"):
                    break  # a line that was being written
                line = lines(text)[0]
                if line["type"] == "run":
                    begun = line["step"]
                if line["type"] == "point":
                    last = line["step"]
                if last == step:
                    time.sleep(delay)
                    process.send_signal(signal.SIGKILL)
        if process.returncode != -signal.SIGKILL:
            raise CouldNotRun(f"the run ended with status {process.returncode} before it could be killed")
        return begun, last

    def samples(self):
        with sqlite3.connect(f"file:{self.workspace}?mode=ro", uri=True) as database:
            return list(database.execute("SELECT step, prompt, text FROM training_sample ORDER BY id"))

    def weights(self):
        names = sorted(name for name in os.listdir(self.folder) if name.startswith("step-"))
        with open(os.path.join(self.folder, names[-1]), "rb") as file:
            size = int.from_bytes(file.read(8), "little")
            return names[-1], file.seek(8 + size) and file.read()


def killed(program, letter, name, make):
    here = folder(program, f"kills-{letter}")
    path = make(here)
    whole, broken = Run(program, path, "whole"), Run(program, path, "broken")
    start = time.perf_counter()
    steps = lines(whole.go_on())[-1]["step"]
    pace = (time.perf_counter() - start) / steps
    chance = random.Random(SEED)
    moments = sorted(chance.sample(range(2, steps - 4), KILLS))
    again, reached = 0, 0
    for step in moments:
        begun, last = broken.kill_after(max(step, reached + 1), chance.uniform(0, 3 * pace))
        again, reached = again + reached - begun, last
    broken.go_on()
    mine, theirs = (curves(program, run.workspace, run.name) for run in (broken, whole))
    points = sum(map(len, theirs.values()))
    apart = sum(len(set(mine.get(key, [])) ^ set(theirs.get(key, []))) for key in mine.keys() | theirs.keys())
    apart += sum(len(mine[key]) != len(theirs[key]) for key in mine.keys() & theirs.keys())
    apart += (broken.samples() != whole.samples()) + (broken.weights() != whole.weights())
    return at_most(
        f"3{letter}", f"{name}, killed {KILLS} times: points that have other bits", apart, "points", 0,
        spread=f"{points:,} points of {len(theirs)} curves, {len(whole.samples())} samples, the last checkpoint of "
        f"{len(whole.weights()[1]):,} bytes; killed after steps {', '.join(map(str, moments))} of {steps}, "
        f"{again} steps taken again",
    )  # fmt: skip
