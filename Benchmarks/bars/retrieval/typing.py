"""Bar 10: searching while somebody types, over 1,000,000 chunks, and keys in the panel meanwhile.

Passages and vectors are made by generators; every letter typed of 100 questions is a search by words and vectors, fused,
whose vectors are there beforehand. Keys are those of the panel with a question's result: letters of another question, and
moves over rows and stages.
"""

import json
import os
import random
import sys
import time

from figures import CouldNotRun, at_most, attempt, percentile, reported
from kernels import priority
from program import ROOT, finish, last_line
from pseudo_terminal import Terminal
from retrieval import Vectors, done, folder, lettered, read_json

COUNT = 1_000_000


def run(program):
    state = {}
    figures = attempt("10a", "search as you type", lambda: typed(program, state))
    return lettered(10, figures + attempt("10b", "keys in the panel", lambda: keys(program, state)))


def filled(program):
    """A workspace with the million, made once."""
    home = os.path.join(folder(program), "million")
    path, stamp = home + ".orrery", home + ".made.json"
    questions = os.path.join(home, "questions.txt")
    if not os.path.exists(stamp):
        vectors = Vectors(program, "million")
        for suffix in ("", "-wal", "-shm"):
            if os.path.exists(path + suffix):
                os.remove(path + suffix)
        made = finish([sys.executable, os.path.join(ROOT, "Benchmarks", "make_passages.py"), home, str(COUNT), "40"])
        if made.status != 0:
            raise CouldNotRun(f"make_passages.py ended with status {made.status}: {last_line(made.errors)}")
        place = ("--corpus", "million", "--workspace", path)
        start = time.perf_counter()
        done(program, "add", os.path.join(home, "passages"), "--embedder", "none", *place)
        adding = time.perf_counter() - start
        words = f"file:{vectors.queries},texts={os.path.join(home, 'prefixes.txt')}"
        said = done(program.bench, "import", vectors.base, "--questions", words, *place).json()
        with open(stamp, "w", encoding="utf-8") as file:
            json.dump({"adding": adding, "indexing": said["seconds"]}, file)
    return path, questions, read_json(stamp)


def typed(program, state):
    path, questions, made = filled(program)
    state["path"], state["questions"] = path, questions
    found = done(
        program.bench, "typing", questions, "--corpus", "million", "--workspace", path, before=priority()
    ).json()  # fmt: skip
    times = found["milliseconds"]
    shares = ", ".join(f"p{share} {percentile(times, share / 100):.1f}" for share in (50, 90, 95, 99))
    if found["empty"] > len(times) // 100:
        raise CouldNotRun(f"{found['empty']} of {len(times)} searches found nothing")
    return [
        at_most(
            "10a", f"a search while typing over {found['chunks']:,} chunks, p95", percentile(times, 0.95), "ms", 50,
            spread=f"{shares}, max {max(times):.1f} ms; n {len(times)}; {found['resident_mb']:,.0f} MB",
        ),
        reported(
            "10a", "opening it, to the first answer", found["seconds_to_open"], "s",
            spread=f"added in {made['adding']:.0f} s, vectors indexed in {made['indexing']:.0f} s",
        ),
    ]  # fmt: skip


def keys(program, state):
    if "path" not in state:
        raise CouldNotRun("there is no workspace to open")
    with open(state["questions"], encoding="utf-8") as file:
        lines = file.read().splitlines()
    chance, figures = random.Random(3), []
    with Terminal([*priority(), *program.workbench(state["path"])], program.environment(), columns=160, rows=50) as terminal:
        terminal.wait_for_output(quiet=0.5)
        terminal.write("3")
        terminal.settle(1.0)
        # The question of an earlier time is there: Ctrl-U takes it away.
        terminal.press("/")
        terminal.write("\x15" + lines[0])
        terminal.settle(2.0, 60)
        typing = []
        for line in lines[1:12]:
            terminal.write("\x15")
            terminal.settle(0.3)
            typing += pressed(terminal, line, 0.1)
        terminal.write("\r")
        terminal.settle(2.0, 60)
        shown = [row for row in terminal.rows_shown() if row.strip()]
        moving = pressed(terminal, [chance.choice("jjjkkhlgG") for _ in range(300)], 0.004)
    if len(moving) < 100 or len(shown) < 15 or any("no vector" in row for row in shown):
        raise CouldNotRun(f"only {len(moving)} of 300 keys changed the screen, which has {len(shown)} rows")
    for what, times in (("letters of a question", typing), ("moves over rows and stages", moving)):
        shares = ", ".join(f"p{share} {percentile(times, share / 100):.2f}" for share in (50, 95, 99))
        figures.append(at_most(
            "10b", f"from a key to its frame, {what}, p95", percentile(times, 0.95), "ms", 16,
            spread=f"{shares}, max {max(times):.2f} ms; n {len(times)}",
        ))  # fmt: skip
    return figures


def pressed(terminal, keys, pause):
    """Milliseconds from each key that changed the screen to the end of its frame."""
    times = []
    for key in keys:
        answer = terminal.press(key, limit=0.25)
        if answer is not None:
            times.append(1000 * answer[1])
        time.sleep(pause)
    return times
