"""What the bars of the models share: data, programs of others in another Python, and two engines that take turns.

The peers are optional. ORRERY_PEER_PYTHON names a Python that has what peers/requirements.txt lists; what a bar needs
of it runs there, as a script of peers/. Without it such a bar says what is missing, and the rest still runs.
"""

import functools
import json
import math
import os
import subprocess
import tempfile
import time
import zlib

from figures import CouldNotRun
from kernels import priority
from program import ROOT, finish, last_line

PEER_PYTHON = os.environ.get("ORRERY_PEER_PYTHON", "")
PEERS = os.path.join(ROOT, "Benchmarks", "peers")
SHARED = os.path.normpath(os.path.join(ROOT, "..", "shared", "data"))
SHAPES = ("110m", "1b")
FORMATS = ("f16", "q8_0", "q4_0", "q4_k_m")
# One engine's threads may still spin for a moment after its turn.
REST = 0.05


def shared(*names):
    """A file of the data that lies beside the project."""
    path = os.path.join(SHARED, *names)
    if not os.path.exists(path):
        raise CouldNotRun(f"no {'/'.join(names)} in ../shared/data")
    return path


@functools.cache
def has(package):
    command = [PEER_PYTHON, "-c", f"import importlib.util as u; raise SystemExit(u.find_spec({package!r}) is None)"]
    try:
        return bool(PEER_PYTHON) and subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def require(*packages):
    missing = [package for package in packages if not has(package)]
    if missing:
        raise CouldNotRun(f"ORRERY_PEER_PYTHON names no Python with {', '.join(missing)}")


@functools.cache
def version(package):
    """`tiktoken 0.14.0`: what stands in the results as the peer."""
    command = [PEER_PYTHON, "-c", f"from importlib.metadata import version; print(version({package!r}))"]
    return f"{package} {subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()}"


def edition(*names):
    """A word for the present text of scripts: what they made is kept below it, and made anew when they change."""
    text = b""
    for name in names:
        with open(os.path.join(ROOT, "Benchmarks", name), "rb") as file:
            text += file.read()
    return f"{zlib.crc32(text):08x}"


def peer_command(script, *arguments):
    return [PEER_PYTHON, os.path.join(PEERS, script + ".py"), *map(str, arguments)]


def peer_environment(program):
    return program.environment(
        HF_HUB_OFFLINE="1", TOKENIZERS_PARALLELISM="false", PYTHONDONTWRITEBYTECODE="1", PYTHONHASHSEED="0"
    )


def peer(program, packages, script, *arguments, limit=900):
    """What a script of peers/ prints as JSON, on its last line."""
    require(*packages)
    done = finish(peer_command(script, *arguments), peer_environment(program), limit)
    if done.status != 0:
        raise CouldNotRun(f"peers/{script}.py ended with status {done.status}: {last_line(done.errors)}")
    lines = done.output.decode().strip().splitlines()
    return json.loads(lines[-1]) if lines else None


def ours(program, *arguments, text=None, limit=600, pinned=False):
    """What `model ...` of a program prints, with `text` on its standard input."""
    command = [*(alone() if pinned else []), program.binary, "model", *map(str, arguments)]
    done = subprocess.run(
        command, input=None if text is None else text.encode(), capture_output=True, check=False, timeout=limit,
        env=program.environment(),
    )  # fmt: skip
    if done.returncode != 0:
        raise CouldNotRun(
            f"`model {' '.join(map(str, arguments[:2]))}` ended with status {done.returncode}: {last_line(done.stderr)}"
        )
    return done.stdout.decode()


def alone():
    """What goes before a command of one thread: the last processor, and nothing else on it where that is permitted."""
    return [*priority(), "taskset", "-c", str(max(os.sched_getaffinity(0)))]


def before(threads):
    return alone() if threads == 1 else priority()


class Engine:
    """A program that stays: it says a line of JSON when it is ready, and one for each line that it is asked."""

    def __init__(self, command, environment):
        self.errors = tempfile.TemporaryFile()
        self.command = command
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, env=environment, text=True
        )
        self.ready = self.answer()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        self.errors.close()

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return self.answer()

    def answer(self):
        line = self.process.stdout.readline()
        if not line:
            self.process.wait()
            self.errors.seek(0)
            raise CouldNotRun(f"{os.path.basename(self.command[-1])} is gone: {last_line(self.errors.read())}")
        return json.loads(line)


def our_engine(program, path, threads):
    command = [*before(threads), program.bench.binary, "model", "pace", path, "--threads", str(threads)]
    return Engine(command, program.environment())


def llama_engine(program, path, threads):
    require("llama_cpp", "numpy")
    return Engine([*before(threads), *peer_command("llama_pace", path, threads)], peer_environment(program))


def by_turns(engines, requests, rounds):
    """The best rate of each engine for each request, after small ones that touch every weight."""
    best = {(name, request): 0.0 for name in engines for request in requests}
    for engine in engines.values():
        engine.ask("prompt 32")
        engine.ask("write 2")
    for _ in range(rounds):
        for request in requests:
            for name, engine in engines.items():
                time.sleep(REST)
                best[name, request] = max(best[name, request], engine.ask(request)["tokens_per_second"])
    return best


class Others:
    """The processor time of all but this process, its children that have ended, and `pid`, since it was made."""

    def __init__(self, pid=None):
        self.pid = pid
        self.began, self.taken = time.perf_counter(), self.ticks()

    def ticks(self):
        """Seconds that processors were at work for others, what the hypervisor took among them."""
        unit = os.sysconf("SC_CLK_TCK")
        with open("/proc/stat", encoding="ascii") as file:
            fields = [int(field) for field in file.readline().split()[1:9]]
        ours = sum(os.times()[:4])
        if self.pid:
            with open(f"/proc/{self.pid}/stat", encoding="utf-8") as file:
                ours += sum(map(int, file.read().rsplit(")", 1)[1].split()[11:13])) / unit
        return (sum(fields) - fields[3] - fields[4]) / unit - ours

    @property
    def share(self):
        """Of one processor."""
        return max(0.0, self.ticks() - self.taken) / (time.perf_counter() - self.began)


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def random_model(program, name):
    """A file of random weights: 110m-q4_0.gguf, 110m-transformers; made once for each shape."""
    folder = os.path.join(program.data, "models")
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        packages = ("numpy", "gguf", "llama_cpp", "safetensors")
        peer(program, packages, "random_models", folder, name.split("-")[0], limit=1800)
    return path
