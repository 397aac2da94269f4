"""Bar 7: how fast traces become durable, on one core and in bounded memory.

The peer is Python's orjson, which only parses the same lines, on the same core, by turns with ours.
"""

import importlib.util
import os
import statistics
import sys

import make_data
from figures import CouldNotRun, at_least, at_most, attempt, reported, spread_of
from program import finish, last_line

PARSE = """
import sys, orjson
lines = 0
for path in sys.argv[1:]:
    with open(path, "rb") as file:
        for line in file:
            orjson.loads(line)
            lines += 1
print(lines)
"""


def import_once(program, path):
    workspace = program.workspace("import")
    done = program.run("trace", "import", "--workspace", workspace, "--json", path, pin=0)
    if done.status != 0:
        raise CouldNotRun(f"`trace import` ended with status {done.status}: {last_line(done.errors)}")
    return done


def parse_once(path):
    done = finish(["taskset", "-c", "0", sys.executable, "-c", PARSE, *make_data.trace_files_below(path)])
    if done.status != 0:
        raise CouldNotRun(f"orjson could not parse the lines: {last_line(done.errors)}")
    return done


def by_turns(program, path):
    """Runs of both sides by turns: (ours, the peer's)."""
    ours, theirs = [], []
    has_peer = importlib.util.find_spec("orjson") is not None
    for _ in range(1 if program.quick else 3):
        ours.append(import_once(program, path))
        if has_peer:
            theirs.append(parse_once(path))
    program.workspace("import")
    return ours, theirs


def rate_figure(bar, what, unit, limit, amount, ours, theirs):
    rates = [amount / done.seconds for done in ours]
    rate = statistics.median(rates)
    peer = ratio = None
    if theirs:
        peers = [amount / done.seconds for done in theirs]
        peer = f"orjson parses only: {spread_of(peers, unit)}"
        ratio = round(rate / statistics.median(peers), 4)
    else:
        peer = "could not run: the package orjson is missing"
    return at_least(bar, what, rate, unit, limit, spread=spread_of(rates, unit), peer=peer, ratio=ratio)


def index_figure(program, path):
    """The rate of the full-text index, from what an import that waits for it says."""
    workspace = program.workspace("import")
    done = program.run("trace", "import", "--workspace", workspace, "--index", "--json", path)
    program.workspace("import")
    if done.status != 0:
        raise CouldNotRun(f"`trace import --index` ended with status {done.status}: {last_line(done.errors)}")
    said = (done.json() or {}).get("index")
    said = said if isinstance(said, dict) else {}
    amount, spent = said.get("text_bytes", 0) / 1e6, said.get("seconds")
    if not amount or not spent:
        raise CouldNotRun(f"`trace import --index --json` reports no bytes and seconds of the index: {said}")
    source = make_data.size_of(path) / 1e6
    return reported(
        "7g",
        "full-text index, text read",
        amount / spent,
        "MB/s",
        spread=f"{amount:.0f} MB of text in {spent:.1f} s, {source / spent:.0f} MB/s of the files it comes from; "
        f"with the import {done.seconds:.1f} s and {done.peak_mb:.0f} MB of memory",
    )


def claude_code(program, bars, path, where):
    ours, theirs = by_turns(program, path)
    size = make_data.size_of(path) / 1e6
    return [
        rate_figure(bars[0], f"Claude Code JSONL, {size:.0f} MB in {where}", "MB/s", 150, size, ours, theirs),
        at_most(bars[1], "memory of that import", max(done.peak_mb for done in ours), "MB", 300),
    ]


def otlp(program):
    path, spans = make_data.otlp_spans(program.data, program.quick)
    ours, theirs = by_turns(program, path)
    return [
        rate_figure(
            "7e",
            f"OTLP/JSON, {spans:,} spans of {os.path.getsize(path) / spans:.0f} bytes",
            "spans/s",
            50_000,
            spans,
            ours,
            theirs,
        ),
        at_most("7f", "memory of that import", max(done.peak_mb for done in ours), "MB", 300),
    ]


def run(program):
    megabytes = 20 if program.quick else 500
    figures = attempt(
        "7a",
        "Claude Code JSONL in a folder",
        lambda: claude_code(program, ("7a", "7b"), make_data.sessions(program.data, megabytes), "a folder"),
    )
    figures += attempt(
        "7c",
        "Claude Code JSONL in one file",
        lambda: claude_code(
            program, ("7c", "7d"), make_data.sessions(program.data, megabytes, one_file=True), "one file"
        ),
    )
    figures += attempt("7e", "OTLP/JSON", lambda: otlp(program))
    return figures + attempt(
        "7g", "full-text index", lambda: index_figure(program, make_data.sessions(program.data, megabytes))
    )
