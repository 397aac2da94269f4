"""Bar 6: the memory of a model of 1.1 B in q4_0 after one token, and how soon a fresh process has that token.

Ours is the whole process, from its start to its end and at its peak, mapped file included. llama.cpp's is what
loading and one pass take within a Python that has started already. The file lies in the page cache for both, and they
go by turns.
"""

import os

from figures import CouldNotRun, at_most, attempt
from kernels import middle, priority
from models import peer_command, peer_environment, random_model, require, version
from program import cores, finish, last_line

TEXT = "once upon a time"
TURNS = 5


def run(program):
    path = random_model(program, f"{'110m' if program.quick else '1b'}-q4_0.gguf")
    ours(program, path)
    figures = attempt("6a", "memory after one token", lambda: memory(program, path))
    return figures + attempt("6b", "first token", lambda: first_token(program, path))


def memory(program, path):
    size = os.path.getsize(path)
    peak = max(ours(program, path).peak_mb for _ in range(TURNS)) * (1 << 20)
    figure = at_most(
        "6a", "memory with q4_0 1.1 B loaded and one token written, over the file", peak / size, "", 1.15,
        spread=f"peak of the whole process {peak / 1e6:.0f} MB, file {size / 1e6:.0f} MB",
    )  # fmt: skip
    try:
        theirs = llama(program, path)["bytes"]
        figure.peer, figure.ratio = f"{peer_name()}: {theirs / size:.2f}", round(peak / theirs, 3)
    except CouldNotRun as absent:
        figure.peer = str(absent)
    return figure


def first_token(program, path):
    llama(program, path)
    pairs = [(ours(program, path).seconds, llama(program, path)["seconds"]) for _ in range(TURNS)]
    mine, theirs = zip(*pairs)
    ratio = min(mine) / min(theirs)
    return at_most(
        "6b", "first token, warm, in a fresh process, over llama.cpp's time", ratio, "", 0.5,
        spread=f"{min(mine):.3f} s and {min(theirs):.3f} s, best of {TURNS} turns; medians {middle(mine):.3f} and "
        f"{middle(theirs):.3f}", peer=f"{peer_name()}, loading and one pass", ratio=round(ratio, 3),
    )  # fmt: skip


def peer_name():
    return f"llama.cpp of {version('llama-cpp-python')}"


def ours(program, path):
    command = [
        *priority(), program.binary, "model", "generate", path, "--prompt", TEXT, "--temperature", "0",
        "--max-tokens", "1", "--no-trace",
    ]  # fmt: skip
    done = finish(command, program.environment())
    if done.status != 0:
        raise CouldNotRun(f"`model generate` ended with status {done.status}: {last_line(done.errors)}")
    return done


def llama(program, path):
    require("llama_cpp", "numpy")
    done = finish([*priority(), *peer_command("llama_first_token", path, TEXT, cores())], peer_environment(program))
    if done.status != 0:
        raise CouldNotRun(f"peers/llama_first_token.py: {last_line(done.errors)}")
    return done.json()
