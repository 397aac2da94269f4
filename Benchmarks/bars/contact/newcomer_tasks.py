"""Bar 4: what a newcomer does in the first hour, by keys alone in tmux, each task from a fresh home.

Every key counts, each letter of a typed word too. A step counts only where its last key made the screen show what it
waits for. A line that asks for text is free where no list can hold the answer, such as a question; every other line is
one too many.
"""

import os
import shutil
import subprocess
import time

from bars.contact.newcomer_files import fill
from bars.contact.newcomer_list import SHORT, TASKS, Command
from figures import CouldNotRun, at_least, at_most, reported
from silent_keys import silent_keys
from tmux import Session, Stuck
from walk import prepare, restore


# The lines whose text no list can hold: words that filter or are searched for, a question to the documents, and a
# message to the model.
FREE = ("/", "find ", "ask ", "say ")


def is_free(line):
    """Whether the text had to be typed. The bare name of a command counts as a key; its arguments would not."""
    return line.startswith(FREE) or (line.startswith(":") and " " not in line)


class Outcome:
    """What became of one task."""

    def __init__(self, task):
        self.task, self.pressed, self.lines = task, 0, []
        self.problem = None
        self.seconds = 0.0

    @property
    def is_done(self):
        return self.problem is None and self.pressed <= self.task.allowed

    def described(self):
        if self.problem:
            return f"{self.task.name}: {self.problem.splitlines()[0]}"
        return f"{self.task.name}: {self.pressed} keys of {self.task.allowed}"


def check(command, environment, folder):
    """Runs a command line until its output holds what it should, or its time is over."""
    end = time.monotonic() + command.limit
    while True:
        done = subprocess.run(
            ["sh", "-c", command.words], cwd=folder, env=environment, check=False, capture_output=True, text=True
        )
        words = Session.differences(done.stdout + done.stderr, command.shown, command.gone)
        if not words:
            return
        if time.monotonic() > end:
            raise Stuck(f"`{command.words}` {' and '.join(words)}:\n{done.stdout}{done.stderr}")
        time.sleep(0.2)


def carry_out(program, task, number, home=None):
    """One task, in a folder and a home of its own: a fresh one, or a copy of one that has the samples."""
    outcome, start = Outcome(task), time.monotonic()
    if home:
        restore(program, home)
    else:
        program.fresh_home()
    folder = os.path.join(program.home, "work")
    fill(folder)
    if task.prepare:
        task.prepare(program)
    environment = program.environment()
    environment["PATH"] = os.path.dirname(program.binary) + os.pathsep + environment["PATH"]
    name = f"newcomer-{os.getpid()}-{number}"
    with Session(name, [program.binary, *task.arguments], environment, folder) as session:
        try:
            session.wait_for(task.greeting)
            for each in task.steps:
                if isinstance(each, Command):
                    check(each, environment, folder)
                else:
                    session.press_for(each.keys, each.shown, each.gone, each.limit, each.recolors)
        except Stuck as error:
            outcome.problem = str(error)
        outcome.pressed, outcome.lines = session.pressed, session.lines
    outcome.seconds = time.monotonic() - start
    return outcome


def filled_home(program):
    """A copy of a home whose workspace has the samples, so that the short form does not import them again and again."""
    program.fresh_home()
    program.run("show", "traces")
    copy = program.home + "-filled"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(program.home, copy)
    return copy


def carried_out(program, task, number, home):
    """One task; if its preparation fails, the others are still tried."""
    try:
        return carry_out(program, task, number, home)
    except (CouldNotRun, Stuck) as error:
        outcome = Outcome(task)
        outcome.problem = str(error)
        return outcome


def run(program):
    tasks = SHORT if program.quick else TASKS
    home = filled_home(program) if program.quick else None
    outcomes = [carried_out(program, task, number, home) for number, task in enumerate(tasks)]
    failed = [outcome.described() for outcome in outcomes if not outcome.is_done]
    bare = [(outcome.task.name, line) for outcome in outcomes for line in outcome.lines if not is_free(line)]
    keys = sum(outcome.pressed for outcome in outcomes)
    figures = [
        at_least(
            "4a",
            f"tasks of a newcomer done within their keys, of {len(tasks)}",
            sum(outcome.is_done for outcome in outcomes),
            "tasks",
            len(tasks) if program.quick else 45,
            spread="; ".join(failed) or f"{keys} keys in all",
        ),
        at_most("4b", "tasks that failed or took more keys", len(failed), "tasks", 0),
        at_most(
            "4c",
            "lines that ask for text where a list exists",
            len(bare),
            "lines",
            0,
            spread="; ".join(f"{name}: {line.strip()}" for name, line in bare) or None,
        ),
        reported("4d", "seconds for all tasks", sum(outcome.seconds for outcome in outcomes), "s"),
    ]
    return figures if program.quick else [*figures, unanswered_keys(program)]


def unanswered_keys(program):
    prepare(program)
    silent = silent_keys(program)
    return at_most(
        "4e",
        "keys of KEYS.md, pressed on every page, that do nothing and do not say why",
        len(silent),
        "keys",
        0,
        spread="; ".join(f"{key} ({action}) in {page}{before}" for page, before, key, action in silent) or None,
    )
