"""Bar 8: after 20 kinds of writes and an orderly exit, a copy of the file alone holds everything.

Each write starts from the same home, by keys in tmux or by a command. The workbench is left with `q`, or ended by
SIGTERM or SIGHUP. Then `cp` takes the .orrery file and nothing else. Every row of every table is compared with the
original and its log, and so is what commands print as JSON. The table that the write is about must differ from
before, so that a write that never happened does not count. A log with data next to the original is a fault of its
own.
"""

import os
import shutil
import signal
import sqlite3
import subprocess
import time
from dataclasses import dataclass

from bars.contact.newcomer_files import SAMPLES, read
from bars.contact.newcomer_files import write as write_text
from bars.contact.newcomer_list import step
from bars.contact.readings import filled
from figures import CouldNotRun, at_least, at_most
from program import last_line
from tmux import Session, Stuck, children, is_running

SIGNALS = {"SIGTERM": signal.SIGTERM, "SIGHUP": signal.SIGHUP}

READING = [
    ("trace", "list", "--origin", "all"),
    ("eval", "list"),
    ("train", "list"),
    ("corpus", "list"),
    ("corpus", "pipeline"),
    ("corpus", "questions", "--corpus", "northfold"),
    ("kernel", "profiles"),
    ("kernel", "history", "gemm-f32"),
    ("feature", "list"),
    ("model", "list"),
    ("workspace", "jobs"),
]


@dataclass
class Write:
    """One kind of write: how it is done, how the program ends, and the table that it is about."""

    name: str
    table: str
    exit: str = ""
    steps: tuple = ()
    commands: tuple = ()


def by_keys(name, table, exit, *steps):
    return Write(name, table, exit=exit, steps=steps)


def by_command(name, table, *commands):
    return Write(name, table, commands=commands)


RENAME = (step("R", "Enter rename"), step("<C-u>shutter<Enter>", "u undoes it", "shutter"))

WRITES = [
    by_keys("rename a run", "trace", "q", *RENAME),
    by_keys("rename a run", "trace", "SIGTERM", *RENAME),
    by_keys("rename a run", "trace", "SIGHUP", *RENAME),
    by_keys("delete a run", "trace", "q", step("D", "u restores it")),
    by_keys("undo a deletion", "sqlite_sequence", "SIGHUP", step("D", "u restores it"), step("u", "Restored the run")),
    by_keys("import a trace", "trace", "SIGTERM", step("i", "Import a trace"), step("lam<Enter>", "Runs ─ 7")),
    by_keys("mark a step", "mark", "q", step("]e", "Context at step"), step("m", "marked a")),
    by_keys("ask the sample model", "model_generation", "q", step("2", "Sessions"),
            step("iWhy?<Enter>", "Why do the                2 answers")),
    by_keys("save settings of a session", "model_session", "SIGTERM", step("2", "Sessions"), step("s", "Settings"),
            step("0.2<Enter>", "temperature 0.2")),
    by_keys("rename a training run", "training_run", "SIGHUP", step("gn", "orrery-mini"), step("R", "Enter rename"),
            step("<C-u>twenty<Enter>", "u undoes it")),
    by_keys("add a folder to a new corpus", "retrieval_document", "q", step("3", "every stage shows"),
            step("i", "Add files or a folder"), step("notes<Enter>", "Add notes to"),
            step("pier<Enter>", "Enter add"), step("<Enter>", "2 added")),
    by_keys("save a pipeline", "retrieval_pipeline", "SIGHUP", step("3", "every stage shows"), step("s", "Settings of"),
            step("keep<Enter>", "Setting of"), step("5<Enter>", "hybrid, changed"), step("S", "Save as a new version"),
            step("mine<Enter>", "saved mine")),
    by_keys("label a feature", "feature_label", "q", step("gf", "Feature 32"), step("Lmurmur<Enter>", "32 ── murmur")),
    by_keys("save changes of features", "feature_intervention", "SIGTERM", step("gf", "Feature 32"), step("+", "× 2"),
            step("W", "Save the changes"), step("loud<Enter>", "saved loud")),
    by_keys("judge a sample", "eval_rating", "q", step("5", "desk-mini"), step("Q", "To judge", "disputed   0"),
            step("p", "judged     1 of")),
    by_keys("run an eval task", "eval_run", "SIGHUP", step("5", "desk-mini"), step("r", "Run a task"),
            step("rea<Enter>", "Model for reading.toml"), step("<Enter>", "Run reading.toml"),
            step("<Enter>", "8 of 8 samples", limit=60)),
    by_keys("import a profile", "profile", "SIGTERM", step("4", "gemm-f32"), step("i", "Import a profile"),
            step("enc<Enter>", "encoder.csv", "Launches")),
    by_command("remove documents and delete a corpus", "retrieval_corpus",
               ("corpus", "remove", "ferry.md", "--corpus", "harbor"), ("corpus", "delete", "--corpus", "harbor")),
    by_command("run an eval task", "eval_run", ("eval", "run", "reading.toml", "--model", "orrery-mini")),
    by_command("judge a sample", "eval_rating", ("eval", "rate", "1", "read-004", "pass", "--rater", "keeper")),
    by_command("train a model", "training_journal", ("train", "tiny.toml", "--steps", "20")),
    Write("train a model", "training_run", exit="SIGTERM", commands=(("train", "tiny.toml"),)),
    Write("train a model", "training_run", exit="SIGHUP", commands=(("train", "tiny.toml"),)),
    by_command("measure a kernel", "kernel_run",
               ("kernel", "run", "gemm-f32", "--size", "64", "--variant", "naive", "--seconds", "0.1")),
    by_command("remove a job from the list", "job", ("workspace", "jobs", "--remove", "1")),
    by_command("add a model and delete a trace", "model",
               ("model", "add", f"{SAMPLES}/models/wanderer"), ("trace", "delete", "decade0f")),
]  # fmt: skip


def rows_of(path):
    """Every row of every table, by table: as SQLite reads the file, with its log if there is one."""
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
        database.text_factory = bytes
        names = database.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0").fetchall()
        found = {}
        for (name,) in names:
            name = name.decode()
            found[name] = database.execute(f'SELECT * FROM "{name}"').fetchall()
    database.close()
    return found


def differing(one, other):
    return sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))


def file_of(home):
    return os.path.join(home, "data", "orrery", "default.orrery")


def prepared(program):
    """The home that every write begins with."""
    filled(program)
    folder = os.path.join(program.home, "work")
    trace = read(folder, "harbor.json")
    write_text(folder, "lamp.json", trace.replace("harbor", "lamp").replace("0ba5eba1", "1a3b1a3b"))
    write_text(folder, "encoder.csv", read(folder, "decoder.csv").replace("pier-1", "pier-2"))
    home = program.home + "-before-writing"
    shutil.rmtree(home, ignore_errors=True)
    shutil.copytree(program.home, home)
    return home


def carry_out(program, write, number):
    """Does what is to be written, and returns when the program has ended."""
    folder = os.path.join(program.home, "work")
    for words in write.commands:
        words = [os.path.join(folder, word) if word.endswith(".toml") else word for word in words]
        if write.exit:
            return end_command(program, words, SIGNALS[write.exit])
        done = program.run(*words, limit=300)
        if done.status != 0:
            raise CouldNotRun(f"`orrery {' '.join(words)}` ended with {done.status}: {last_line(done.errors)}")
    if write.commands:
        return None
    name = f"copies-{os.getpid()}-{number}"
    with Session(name, [program.binary], program.environment(), folder) as session:
        session.wait_for(["duty-engineer"])
        for each in write.steps:
            session.press_for(each.keys, each.shown, each.gone, each.limit)
        # The pane runs a shell, which runs the program.
        pid = int(children(session.tmux("display-message", "-p", "-t", "0", "#{pane_pid}").strip())[0])
        if write.exit in SIGNALS:
            os.kill(pid, SIGNALS[write.exit])
        else:
            session.tmux("send-keys", "-t", "0", "-l", write.exit)
        end = time.monotonic() + 20
        while is_running(pid):
            if time.monotonic() > end:
                raise Stuck(f"{write.exit} did not end the program:\n{session.screen()}")
            time.sleep(0.02)


def end_command(program, words, number):
    """Starts a command that would run for hours, and ends it by a signal soon after its first write."""
    log, limit = file_of(program.home) + "-wal", time.monotonic() + 30
    process = subprocess.Popen(
        [program.binary, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=program.environment()
    )
    while not (os.path.exists(log) and os.path.getsize(log)) and time.monotonic() < limit:
        time.sleep(0.05)
    time.sleep(2)
    process.send_signal(number)
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        raise CouldNotRun(f"signal {number} did not end `orrery {' '.join(words)}`") from None


def printed(program, path):
    """What commands print of a file, by command."""
    found = {}
    for words in READING:
        done = program.run(*words, "--workspace", path, "--json", limit=120)
        found[words] = (done.status, done.output.replace(path.encode(), b"WORKSPACE"), last_line(done.errors))
    return found


class Copied:
    """What became of one write: the faults of the copy, and the size of the log that remained."""

    def __init__(self, program, write, number, home, before):
        self.name = f"{write.name}, {write.exit or 'by command'}"
        self.faults, self.log = [], 0
        shutil.rmtree(program.home, ignore_errors=True)
        shutil.copytree(home, program.home)
        try:
            carry_out(program, write, number)
        except (Stuck, CouldNotRun) as error:
            self.faults.append(f"not written: {str(error)[:1500] if program.quick else str(error).splitlines()[0]}")
            return
        self.compare(program, write, before)

    def compare(self, program, write, before):
        original = file_of(program.home)
        self.log = os.path.getsize(original + "-wal") if os.path.exists(original + "-wal") else 0
        alone, whole = (os.path.join(program.home, name) for name in ("alone.orrery", "whole.orrery"))
        shutil.copy(original, alone)
        for suffix in ("", "-wal"):
            if os.path.exists(original + suffix):
                shutil.copy(original + suffix, whole + suffix)
        held = rows_of(alone)
        if lost := differing(held, rows_of(whole)):
            self.faults.append(f"the copy lacks rows of {', '.join(lost)}")
        if write.table not in differing(held, before):
            self.faults.append(f"nothing was written to {write.table}")
        # The copy first: a command that opens the original may empty its log.
        ours, theirs = printed(program, alone), printed(program, original)
        self.faults += [
            f"`{' '.join(words)}` prints something else of the copy"
            for words in READING
            if ours[words][:2] != theirs[words][:2]
        ]


def run(program):
    home = prepared(program)
    before = rows_of(file_of(home))
    found = [Copied(program, write, number, home, before) for number, write in enumerate(WRITES)]
    shutil.rmtree(home, ignore_errors=True)
    faults = [f"{each.name}: {'; '.join(each.faults)}" for each in found if each.faults]
    logs = [f"{each.name}: {each.log:,} bytes" for each in found if each.log > 0]
    kinds = {write.name for write in WRITES}
    whole = kinds - {write.name for write, each in zip(WRITES, found) if each.faults}
    return [
        at_least("8a", f"kinds of writes whose copy holds everything, of {len(kinds)}", len(whole), "kinds", len(kinds),
                 spread="; ".join(faults) or None),
        at_most("8b", f"logs with data next to the file, after {len(found)} orderly exits", len(logs), "logs", 0,
                spread="; ".join(logs) or None),
    ]  # fmt: skip
