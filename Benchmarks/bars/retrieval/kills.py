"""Bar 9: killed a hundred times while documents are added and indexed, and 200 damaged files.

A round adds the same documents in a workspace of its own and then embeds them; SIGKILL comes at random moments, and the
same command goes on. Just before, another process has looked how many documents are committed: none of them may be missing
afterwards, `corpus check` must find every segment whole, and the words searchable. A round that is through is compared with
a twin that nobody disturbed: every chunk, and the answers to ten questions.

Damage is a changed byte or a cut at a random place of a copy of the file. Every command answers as before, or ends with
status 1 and a sentence; an answer that differs is wrong, and a signal or silence is a crash.
"""

import collections
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time

from figures import CouldNotRun, at_most, attempt
from program import ROOT, finish, last_line
from retrieval import done, folder, lettered, started

KILLS, DAMAGES, DOCUMENTS = 100, 200, 6000
QUESTIONS = 10


def run(program):
    return lettered(9, attempt("9a", "killed", lambda: killed(program)) + attempt("9b", "damaged", lambda: damaged(program)))


def passages(program):
    home = os.path.join(folder(program), "passages")
    if not os.path.exists(os.path.join(home, "questions.txt")):
        made = finish([sys.executable, os.path.join(ROOT, "Benchmarks", "make_passages.py"), home, str(DOCUMENTS), "12"])
        if made.status != 0:
            raise CouldNotRun(f"make_passages.py ended with status {made.status}: {last_line(made.errors)}")
    with open(os.path.join(home, "questions.txt"), encoding="utf-8") as file:
        return os.path.join(home, "passages"), file.read().splitlines()[:QUESTIONS]


def fresh(program, name):
    path = os.path.join(folder(program), name + ".orrery")
    for suffix in ("", "-wal", "-shm"):
        if os.path.exists(path + suffix):
            os.remove(path + suffix)
    return path


def commands(home, path):
    place = ("--corpus", "passages", "--workspace", path)
    return (
        ("add", home, "--embedder", "none", *place),
        ("embed", "hashed-64", "--index", "hnsw", "--threads", "1", *place),
    )  # fmt: skip


def answers(program, path, questions):
    """Every chunk, and what ten questions find."""
    place = ("--corpus", "passages", "--workspace", path)
    found = [done(program, "export", "--chunks", *place).output]
    for question in questions:
        found.append(done(program, "search", question, "--no-trace", *place).output)
    return found


def committed(path):
    """Documents that another process sees; 0 before there are any."""
    try:
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=0.2) as database:
            return database.execute("SELECT count(*) FROM retrieval_document").fetchone()[0]
    except sqlite3.Error:
        return 0


def killed(program):
    home, questions = passages(program)
    chance, kills, rounds, problems = random.Random(9), 0, 0, collections.Counter()
    whole, seconds = fresh(program, "whole"), []
    for command in commands(home, whole):
        start = time.perf_counter()
        done(program, *command)
        seconds.append(time.perf_counter() - start)
    right, when = answers(program, whole, questions), collections.Counter()
    wanted = 10 if program.quick else KILLS
    while kills < wanted:
        path, rounds = fresh(program, "broken"), rounds + 1
        for command, took in zip(commands(home, path), seconds):
            ended = False
            while not ended:
                process = subprocess.Popen(
                    [program.binary, "corpus", *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                    env=program.environment(),
                )  # fmt: skip
                try:
                    process.wait(chance.uniform(0, took) if kills < wanted else 600)
                    ended = True
                    problems["a command that was not killed failed"] += process.returncode != 0
                    if process.returncode != 0:
                        break
                except subprocess.TimeoutExpired:
                    seen = committed(path)
                    process.send_signal(signal.SIGKILL)
                    process.wait()
                    kills += 1
                    when[command[0]] += 1
                    problems.update(state(program, path, seen))
        problems["a round that ended otherwise than its twin"] += answers(program, path, questions) != right
    count = sum(problems.values())
    return at_most(
        "9a", f"killed {kills} times: states that are not the last commit, or rounds that end otherwise", count, "", 0,
        spread=", ".join(f"{number} while {word} ran" for word, number in when.items())
        + f"; {rounds} rounds of {DOCUMENTS:,} documents, add {seconds[0]:.1f} s, embed {seconds[1]:.1f} s"
        + "".join(f"; {what}: {number}" for what, number in problems.items() if number),
    )  # fmt: skip


def state(program, path, seen):
    """What is wrong after a kill."""
    if not os.path.exists(path):
        return ["documents were lost"] if seen else []
    found = []
    if committed(path) < seen:
        found.append("documents were lost")
    listed = started(program, "list", "--workspace", path)
    if listed.status != 0:
        # A file that was killed while it was being made has no tables yet.
        return found + ([f"list: {last_line(listed.errors)}"] if seen else [])
    if b"passages" not in listed.output:
        return found + (["the corpus is gone"] if seen else [])
    place = ("--corpus", "passages", "--workspace", path)
    for words in (("check", *place), ("search", "--no-trace", "a", *place)):
        done_ = started(program, *words)
        if done_.status != 0 and not (words[0] == "search" and seen == 0):
            found.append(f"{words[0]}: {last_line(done_.errors)}")
    return found


def damaged(program):
    home, questions = passages(program)
    whole = fresh(program, "undamaged")
    few = os.path.join(folder(program), "few")
    os.makedirs(few, exist_ok=True)
    shutil.copy(os.path.join(home, sorted(os.listdir(home))[0]), few)
    for command in commands(few, whole):
        done(program, *command)
    # Everything into one file.
    with sqlite3.connect(whole) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    with open(whole, "rb") as file:
        good = file.read()
    broken = fresh(program, "damaged")
    place = ("--corpus", "passages", "--workspace", broken)
    asked = [
        ("list", "--workspace", broken), ("show", "--limit", "100000", *place), ("check", *place),
        ("search", "--no-trace", questions[0], *place), ("search", "--no-trace", questions[1], "--explain", *place),
        ("export", *place), ("export", "--chunks", *place), ("show", "p3", *place),
    ]  # fmt: skip

    def answers_of(content):
        fresh(program, "damaged")
        found = []
        for command in asked:
            # Anew each time: a command may mend or fail, and the next one shall see the same.
            with open(broken, "wb") as file:
                file.write(content)
            found.append(started(program, *command, limit=60))
        return found

    right = [steady(done_.output) for done_ in answers_of(good)]
    tally, chance, examples = collections.Counter(), random.Random(10), []
    for number in range(20 if program.quick else DAMAGES):
        content = bytearray(good)
        if number % 4 == 3:
            place_ = chance.randrange(len(good))
            del content[place_:]
            what = f"cut at {place_}"
        else:
            place_ = chance.randrange(len(good))
            content[place_] ^= chance.randrange(1, 256)
            what = f"byte {place_}"
        outcomes = []
        for command, done_, known in zip(asked, answers_of(bytes(content)), right):
            if done_.status == 0:
                outcomes.append("as before" if steady(done_.output) == known else "wrong")
            elif done_.status == 1 and done_.errors.strip():
                outcomes.append("named")
            else:
                outcomes.append("crash")
            if outcomes[-1] in ("wrong", "crash") and len(examples) < 6:
                examples.append(f"{what}: {command[0]} {outcomes[-1]}, {last_line(done_.errors)[:80]}")
        tally[max(outcomes, key=("as before", "named", "wrong", "crash").index)] += 1
    return at_most(
        "9b", f"{sum(tally.values())} damaged files: wrong answers and crashes", tally["wrong"] + tally["crash"], "", 0,
        spread=", ".join(f"{number} {word}" for word, number in tally.items())
        + f"; {len(asked)} commands each, a file of {len(good):,} bytes; " + "; ".join(examples),
    )  # fmt: skip


def steady(output):
    """What a command printed, without what is another number every time."""
    return b"\n".join(line for line in output.splitlines() if b" ms" not in line)
