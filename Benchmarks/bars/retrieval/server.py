"""Bar 11: the same vectors on PostgreSQL with pgvector: exact search, its graph at equal settings, a server that stops.

The server is that of the package pgserver, in a folder of its own. Both graphs have m 16 and ef_construction 64.
"""

import json
import os
import subprocess
import time

from figures import CouldNotRun, at_least, at_most, attempt
from models import Engine, peer_command, peer_environment, require, version
from retrieval import Vectors, built, folder, lettered, ours

EFFORTS = (40, 80)


def run(program):
    return lettered(11, attempt("11", "PostgreSQL with pgvector", lambda: compared(program)))


def compared(program):
    require("pgserver", "numpy")
    vectors = Vectors(program, "easy128")
    command = peer_command("retrieval_server", os.path.join(folder(program), "postgres"))
    with Engine(command, peer_environment(program)) as server:
        address = server.ready["address"]
        words = ("server", address, vectors.base, vectors.queries, "--metric", vectors.metric)
        with ours(program, *words, free=True) as there:
            filled = there.ready
            exact = vectors.recall(there.ask("exact"))
            theirs = {effort: vectors.recall(there.ask(f"approximate {effort}")) for effort in EFFORTS}
        path, _ = built(program, vectors, "hnsw", parameters="efConstruction=64")
        with ours(program, "vectors", path, vectors.queries, "--kind", "hnsw", "--metric", vectors.metric) as here:
            mine = {effort: vectors.recall(here.ask(f"single {effort}")) for effort in EFFORTS}
        sentence, left = stopped(program, server, words)
    apart = max(abs(mine[effort] - theirs[effort]) for effort in EFFORTS)
    peers = version("pgserver")
    return [
        at_least("11a", "exact search: the ten nearest that are the same", exact, "", 1.0, peer=peers,
                 spread=f"{filled['count']:,} vectors, pushed and indexed in {filled['seconds']:.0f} s"),
        at_most("11b", "the graph of pgvector: recall at equal settings, difference from ours", apart, "", 0.02, peer=peers,
                spread="; ".join(f"ef {effort}: {theirs[effort]:.4f}, ours {mine[effort]:.4f}" for effort in EFFORTS)),
        at_most("11c", "vectors that are lost when the server stops in mid-query, or no sentence", left, "", 0, peer=peers,
                spread=sentence),
    ]  # fmt: skip


def stopped(program, server, words):
    """The server ends while queries run: what is said, and how many vectors are missing when it is back."""
    command = [program.bench.binary, "corpus", *map(str, words), "--is-filled"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=program.environment(), text=True
    ) as process:
        before = json.loads(process.stdout.readline())["count"]
        process.stdin.write("exact\n" * 3)
        process.stdin.flush()
        time.sleep(1.0)
        server.ask("stop")
        try:
            _, errors = process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            raise CouldNotRun("the search went on for a minute after the server had stopped") from None
    server.ask("start")
    with ours(program, *words, "--is-filled", free=True) as there:
        after = there.ready["count"]
        there.ask("approximate 40")
    named = process.returncode == 1 and errors.startswith("orrery: ")
    return f"status {process.returncode}: {errors.strip()[:200]}", before - after + (not named)


