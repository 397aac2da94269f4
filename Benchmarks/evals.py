"""What the bars of evaluations share: an endpoint that answers at once, tasks, runs of commands."""

import contextlib
import json
import os
import random
import subprocess
import sys
import urllib.request

from features import Answer, answer, done  # noqa: F401
from figures import CouldNotRun
from program import ROOT

STUB = os.path.join(ROOT, "Benchmarks", "stub_server.py")
SHARED = os.path.normpath(os.path.join(ROOT, "..", "shared"))
PEER = os.environ.get("ORRERY_PEER_PYTHON")


def folder(program, name=""):
    path = os.path.join(program.data, "evals", name)
    os.makedirs(path, exist_ok=True)
    return path


class Stub:
    """A stub that runs; `model` is what `--model` takes."""

    def __init__(self, port):
        self.port, self.model = port, f"http://127.0.0.1:{port}/v1#stub"

    def get(self, path):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}") as found:
            return json.loads(found.read())


@contextlib.contextmanager
def stub(*options):
    command = [sys.executable, STUB, *map(str, options)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            port = process.stdout.readline().strip()
            if not port:
                raise CouldNotRun("stub_server.py did not start")
            yield Stub(int(port))
        finally:
            process.kill()


def items(program, count=2000):
    """Questions with answers and choices, seeded."""
    path = os.path.join(folder(program), f"items-{count}.jsonl")
    chance = random.Random(7)
    with open(path, "w", encoding="utf-8") as file:
        for number in range(count):
            a, b = chance.randrange(2, 99), chance.randrange(2, 99)
            choices = [str(a + b), str(a + b + 1), str(a * 2), str(b * 2 + 3)]
            question = f"What is {a}+{b}? (item {number})"
            row = {"id": number, "question": question, "answer": str(a + b), "choices": choices, "label": 0}
            file.write(json.dumps(row) + "\n")
    return path


def generation_task(program, count=2000):
    """Our own task file over the items: one answer each, judged by the number behind ####."""
    path = os.path.join(folder(program), f"generation-{count}.toml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(GENERATION.replace("ITEMS", os.path.basename(items(program, count))))
    return path


GENERATION = """name = "items"
version = "1"
form = "text"
prompt = "Question: {{ question }}\\nAnswer:"
target = "{{ answer }}"

[data]
file = "ITEMS"

[sampling]
max_tokens = 64
stop = ["\\n\\n"]

[[scorers]]
kind = "regex"
pattern = "#### (-?[0-9.,]+)"
group = 1
compare = "exact"
"""


def workspace(program, name):
    path = os.path.join(folder(program), name + ".orrery")
    for suffix in ("", "-wal", "-shm", "-journal"):
        with contextlib.suppress(FileNotFoundError):
            os.remove(path + suffix)
    return path
