"""Bar 1: 2,000 requests to an endpoint that answers at once, start included, each sample on the disk.

The stub takes the other core. Wall time is that of the whole command; processor time is the command's own, user and
system, over the samples.

With --delay the ideal is 64 answers every 100 ms, from the first request to the last answer as the stub saw them: the
definition under which lm-eval was measured. 2,000 requests are 31 rounds of 64 and one of 16, so that 97.7 % is the most
that anybody can reach. What a client reaches that does nothing but send and read stands beside it: the rest is the
stub's own.
"""

import json
import os
import resource
import select
import socket
import statistics
import subprocess

from evals import CouldNotRun, PEER, SHARED, generation_task, stub, workspace
from figures import at_least, at_most, attempt, reported, spread_of
from program import finish, last_line

COUNT = 2000


def run(program):
    return (
        attempt("1a", "2,000 requests at concurrency 64", lambda: fast(program))
        + attempt("1d", "2,000 requests of 100 ms at 64", lambda: delayed(program))
        + attempt("1e", "the same by lm-eval", lambda: peer(program))
    )  # fmt: skip


def once(program, task, endpoint, name, *more):
    """One run in a fresh workspace: the command's own times and what it says."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [
        program.binary, "eval", "run", task, "--model", endpoint.model, "--concurrency", "64", "--json", "--workspace",
        workspace(program, name), *more,
    ]  # fmt: skip
    found = finish(command, program.environment())
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    said = found.json()
    if found.status != 0 or not said:
        raise CouldNotRun(f"`orrery eval run` ended with status {found.status}: {last_line(found.errors)}")
    if said["completed"] != COUNT:
        raise CouldNotRun(f"{said['completed']} of {COUNT} samples are there")
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return found.seconds, 1000 * processor / COUNT, found.peak_mb


def fast(program):
    task, turns = generation_task(program, COUNT), 3 if program.quick else 9
    with stub() as endpoint:
        runs = [once(program, task, endpoint, "speed") for _ in range(turns)]
        calls = endpoint.get("/stats")["calls"]
    if calls != COUNT * turns:
        raise CouldNotRun(f"the stub saw {calls} calls of {COUNT * turns}")
    seconds, processor, memory = zip(*runs)
    return [
        at_most("1a", "wall, start included", statistics.median(seconds), "s", 0.8, spread=spread_of(seconds, "s")),
        at_most("1b", "processor time a sample", statistics.median(processor), "ms", 0.2,
                spread=spread_of(processor, "ms")),
        at_most("1c", "largest resident size", max(memory), "MB", 80, spread=spread_of(memory, "MB")),
    ]  # fmt: skip


def delayed(program):
    task, delay = generation_task(program, COUNT), 0.1

    def share(ask):
        with stub("--delay", delay) as endpoint:
            ask(endpoint)
            return 100 * COUNT / endpoint.get("/stats")["span"] / (64 / delay)

    ours, bare = [], []
    # In turn, so that what else the machine does meets both.
    for _ in range(2 if program.quick else 3):
        ours.append(share(lambda endpoint: once(program, task, endpoint, "delayed")))
        bare.append(share(lambda endpoint: bare_client(endpoint.port)))
    return [
        at_least("1d", "share of the ideal rate", statistics.median(ours), "%", 97, spread=spread_of(ours, "%")),
        reported("1h", "the same by a client that only sends and reads", statistics.median(bare), "%", peer="bare client"),
        at_least("1i", "share of that client's rate", 100 * statistics.median(ours) / statistics.median(bare), "%", 97),
    ]  # fmt: skip


def bare_client(port):
    """As many requests over as many connections, each sent as soon as the answer before it is there."""
    body = json.dumps({"model": "stub", "prompt": "Question: 2+2?\nAnswer:", "max_tokens": 64, "temperature": 0})
    head = f"POST /v1/completions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
    request = f"{head}\r\n\r\n{body}".encode()
    poll, connections, left = select.epoll(), {}, COUNT
    for _ in range(64):
        connection = socket.create_connection(("127.0.0.1", port))
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connections[connection.fileno()] = connection
        poll.register(connection, select.EPOLLIN)
        connection.send(request)
        left -= 1
    while connections:
        for number, _ in poll.poll():
            # An answer of the stub is one write of a few hundred bytes.
            connection = connections[number]
            if not connection.recv(65536):
                raise CouldNotRun("the stub closed a connection")
            if left:
                connection.send(request)
                left -= 1
            else:
                poll.unregister(connection)
                connections.pop(number).close()


def peer(program):
    """lm-eval 0.4 on the same kind of task and stub, by its own script; its start is part of it."""
    script = os.path.join(SHARED, "peers", "evals", "bench.py")
    if not PEER or not os.path.exists(script):
        raise CouldNotRun("ORRERY_PEER_PYTHON with lm-eval, or its script, is not there")
    import sys

    environment = dict(os.environ, TMPDIR=program.data)
    home = os.path.dirname(os.path.dirname(PEER))
    said = subprocess.run(
        [sys.executable, script, "lm-eval", home, os.path.join(program.data, "evals", "lm-eval"), "--conc", "64"],
        capture_output=True, text=True, env=environment, check=False,
    )  # fmt: skip
    lines = [json.loads(line) for line in said.stdout.splitlines() if line.startswith("{")]
    if not lines or lines[-1]["rc"] != 0:
        raise CouldNotRun(f"lm-eval did not run: {said.stderr.strip().splitlines()[-1:]}")
    found = lines[-1]
    return [
        reported("1e", "lm-eval: wall, start included", found["wall_s"], "s", peer="lm-eval"),
        reported("1f", "lm-eval: processor time a sample", found["cpu_ms_per_item"], "ms", peer="lm-eval"),
        reported("1g", "lm-eval: largest resident size", found["peak_rss_mb"], "MB", peer="lm-eval"),
    ]
