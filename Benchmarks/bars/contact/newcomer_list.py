"""What a newcomer does in the first hour: name, page, keys allowed, and steps, each with what the screen then shows.

The number of allowed keys was named before a task was tried. It grows only with questions that the program now asks.
The key of a page, such as `4` for Training, counts too. Keys with names stand in angle brackets, as in tmux. A step waits
for text that is not on the screen before its last key; a session checks that.
"""

import os
import re
import shlex
from collections.abc import Callable
from dataclasses import dataclass

from bars.contact.newcomer_files import damage
from program import ROOT
from tmux import Passage


@dataclass
class Step:
    keys: str
    shown: tuple[str, ...]
    gone: tuple[str, ...] = ()
    limit: float = 30.0
    # Whether the first row changes its colors too, whatever it says.
    recolors: bool = False


def step(keys, *shown, gone=(), limit=30.0, recolors=False):
    return Step(keys, shown, (gone,) if isinstance(gone, str) else gone, limit, recolors)


@dataclass
class Command:
    """A command line in the newcomer's folder, tried until its output shows something: what a task left behind."""

    words: str
    shown: tuple[str, ...]
    gone: tuple[str, ...] = ()
    limit: float = 30.0


def command(words, *shown, gone=(), limit=30.0):
    return Command(words, shown, (gone,) if isinstance(gone, str) else gone, limit)


@dataclass
class Task:
    name: str
    page: str
    allowed: int
    steps: list[Step | Command]
    # Words after the program's name, and what its first screen shows.
    arguments: tuple[str, ...] = ()
    greeting: tuple[str, ...] = ("duty-engineer",)
    # What happens to the home before the program starts.
    prepare: Callable | None = None


# What a session writes below the last lines of a program that ended in order.
ENDED = "ended with 0"


def readme_example():
    """The words of the first `orrery agent run` in the README."""
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as file:
        line = re.search(r"^orrery (agent run [^#\n]*)", file.read(), re.MULTILINE)
    return tuple(shlex.split(line[1])) if line else ("agent", "run", "the README has no example")


def expected_answer(question):
    """`Answer: 852` for a sum or a product; otherwise any answer, whose grounding the exit status reports."""
    found = re.search(r"(\d+) (\*|times|\+|plus) (\d+)", question)
    if not found:
        return "Answer: "
    one, other = int(found[1]), int(found[3])
    return f"Answer: {one * other if found[2] in ('*', 'times') else one + other}"


FIRST = Task("see a failed step with its context", "Traces", 2, [step("]e", "no such column", "Context at step")])

TRAINING = [
    step("gn", "orrery-mini"),
    step("r", "Train from a configuration"),
    step("tin<Enter>", "running", "tiny"),
]
EVALUATION = [
    step("5", "desk-mini"),
    step("r", "Run a task"),
    step("rea<Enter>", "Model for reading.toml"),
    step("<Enter>", "Run reading.toml"),
    step("<Enter>", "done, 8 of 8 samples", "Runs ─ 3", limit=60),
]
# An eval that is still running after a few more keys.
SLOW_EVALUATION = [
    step("5", "desk-mini"),
    step("r", "Run a task"),
    step("pat<Enter>", "Model for patient.toml"),
    step("exec:./slow.sh<Enter>", "Run patient.toml"),
    step("<Enter>", "Runs ─ 3", "running"),
]
PROMPT = (
    "The orrery of 1781 was built by a clockmaker whose name is not recorded; its six planets are driven by 47 brass "
    "wheels, of which three were replaced after the fire of 1902."
)

# Nothing is lost or changed out of sight.
CAREFUL = [
    Task(
        "open a damaged workspace",
        "everywhere",
        0,
        [step("", Passage("table trace"), "page ")],
        greeting=(),
        prepare=damage,
    ),
    Task(
        "rename a run, leave, and copy the file",
        "Traces",
        14,
        [
            step("R", "Rename"),
            step("night watch<Enter>", "night watch", gone="duty-engineer: why"),
            step("q", ENDED),
            command(
                'cp "$XDG_DATA_HOME/orrery/default.orrery" copy.orrery && orrery trace list --workspace copy.orrery',
                "night watch",
            ),
            command('ls "$XDG_DATA_HOME/orrery"', "default.orrery", gone="-wal"),
        ],
    ),
    Task(
        "stop an eval, asked first, from its own page",
        "Evals",
        27,
        [
            *SLOW_EVALUATION,
            step("1", "duty-engineer", gone="Runs ─ 3"),
            step("x", "no running job"),
            step("5", "desk-mini"),
            step("x", "Stop ", "of 120 samples"),
            step("s", "cancelled", gone="Stop "),
        ],
    ),
    Task(
        "stop a job in the list of jobs",
        "everywhere",
        16,
        [
            *TRAINING,
            step(":jobs<Enter>", "x cancel"),
            step("x", "Stop ", "keep it running"),
            step("s", gone=("Stop ", "keep it running")),
        ],
    ),
    Task(
        "undo the add of a folder",
        "Retrieval",
        18,
        [
            step("3", "a sample question"),
            step("i", "Add files or a folder", "notes/"),
            step("notes<Enter>", "Add notes to"),
            step("harbor<Enter>", "New corpus harbor"),
            step("<Enter>", "2 added"),
            step("u", "Undo ", "notes", "deletes the corpus"),
            step("u", gone=("Undo ", "2 added")),
            command("orrery corpus list", "northfold", gone="harbor"),
        ],
    ),
    Task(
        "save a changed pipeline over the one that all use",
        "Retrieval",
        12,
        [
            step("3", "a sample question"),
            step("s", "Settings of"),
            step("keep<Enter>", "Setting of"),
            step("5<Enter>", "hybrid, changed"),
            step("S", "Save as a new version"),
            step("<Enter>", "Replace hybrid?", "hybrid@1"),
            step("s", "hybrid v2", gone="Replace hybrid?"),
        ],
    ),
    Task(
        "read the whole prompt of a recorded call",
        "Traces",
        11,
        [
            step("i", "Import a trace", "harbor.json"),
            step("har<Enter>", "Runs ─ 6", "shorten signs"),
            step("o", "Open openai.chat"),
            step("<Enter>", "recorded", Passage(PROMPT)),
        ],
    ),
    Task(
        "ask the agent what the README asks",
        "everywhere",
        0,
        [step("", expected_answer(" ".join(readme_example())), ENDED, limit=120)],
        arguments=readme_example(),
        greeting=(),
    ),
    Task(
        "leave while an eval runs, and find it finished",
        "Evals",
        24,
        [
            *SLOW_EVALUATION,
            step("q", "Leave Orrery?", "running in the background and leave"),
            step("b", ENDED),
            command("orrery eval list", "slow.sh", "done", gone="running", limit=120),
        ],
    ),
]

TASKS = [
    FIRST,
    Task("replay one step on from a failure", "Traces", 3, [step("]e", "Context at step 8"), step(".", "step 9 of")]),
    Task(
        "import a trace file",
        "Traces",
        7,
        [
            step("i", "Import a trace", "harbor.json"),
            step("har<Enter>", "Runs ─ 6", "shorten signs", "small observatory's harbor"),
        ],
    ),
    Task(
        "list chats instead of agents",
        "Traces",
        8,
        [
            step("2", "Sessions ─ 2"),
            step("ihi<Enter>", "Sessions ─ 3", "▾ hi"),
            step("1", "chats 1"),
            step("O", "hi", gone="duty-engineer"),
        ],
    ),
    Task(
        "filter runs by a word",
        "Traces",
        7,
        [step("/tides<Enter>", "tidebook", gone="duty-engineer")],
    ),
    Task(
        "search the text of a run",
        "Traces",
        10,
        [step("<Enter>", "step 1 of"), step("/bolts<Enter>", "found")],
    ),
    Task(
        "open a model call in another panel",
        "Traces",
        4,
        [step("]m", "step 1 of"), step("o", "Open chat"), step("<Enter>", "Sessions ─ 3", "recorded")],
    ),
    Task(
        "delete a run and take it back", "Traces", 2, [step("D", "u restores it", "Runs ─ 4"), step("u", "Runs ─ 5")]
    ),
    Task(
        "see what else a model could have written",
        "Tokens",
        2,
        [step("2", "Token 38 ── inlia"), step("]", "Token 49 ── ·planet", "·new")],
    ),
    Task(
        "branch at a token",
        "Tokens",
        6,
        [
            step("2", "Token 38 ── inlia"),
            step("]", "Token 49 ── ·planet"),
            step("<Enter><Enter>", "▌ ▸  ·planet"),
            step("<Down><Enter>", "3 answers"),
        ],
    ),
    Task(
        "ask the sample model a question",
        "Tokens",
        26,
        [step("2", "Sessions"), step("iWhy do planets wander?<Enter>", "Sessions ─ 3", "▾ Why do planets wander?")],
    ),
    Task("compare two generations", "Tokens", 2, [step("2", "Sessions"), step("d", "identical for")]),
    Task(
        "change the temperature",
        "Tokens",
        6,
        [step("2", "Sessions"), step("s", "Settings", "temperature"), step("0.2<Enter>", "temperature 0.2")],
    ),
    Task("see a kernel beside its roof", "Kernels", 1, [step("4", "Roofline", "of roof", "gemm-f32")]),
    Task(
        "run a kernel on this machine",
        "Kernels",
        2,
        [step("4", "gemm-f32"), step("r", "1 thread", "of roof", gone=("(sample data)", "cancel measure"), limit=90)],
    ),
    Task(
        "import a profile",
        "Kernels",
        7,
        [step("4", "gemm-f32"), step("i", "Import a profile"), step("dec<Enter>", "decoder.csv", "Launches")],
    ),
    Task(
        "start training from a recipe",
        "Training",
        8,
        TRAINING,
    ),
    Task(
        "lower the learning rate while it trains",
        "Training",
        10,
        [
            *TRAINING,
            step("*<Enter>", "0.5 times"),
        ],
    ),
    Task(
        "stop training",
        "Training",
        10,
        [
            *TRAINING,
            step("x", "stop and keep the checkpoint"),
            step("s", "stopped"),
        ],
    ),
    Task(
        "ask the documents a question",
        "Retrieval",
        20,
        [step("3", "a sample question"), step("/encoder tape<Enter>", "TM-2.md", "fused", gone="ask encoder")],
    ),
    Task(
        "see why a document was not found",
        "Retrieval",
        9,
        [
            step("3", "in the context"),
            step("w", "Why was it not found?"),
            step("clock<Enter>", "Why ── code/clock.py", "is not in the context"),
        ],
    ),
    Task(
        "change a setting of the pipeline",
        "Retrieval",
        9,
        [
            step("3", "a sample question"),
            step("s", "Settings of"),
            step("keep<Enter>", "Setting of"),
            step("5<Enter>", "hybrid, changed"),
        ],
    ),
    Task(
        "compare two pipelines over the questions",
        "Retrieval",
        3,
        [
            step("3", "in the context"),
            step("b", "Compare with"),
            step("<Enter>", "nDCG@10", "A hybrid", "B  lexical"),
        ],
    ),
    Task(
        "compare a setting over the questions",
        "Retrieval",
        17,
        [step("3", "in the context"), step("b", "Compare with"), step("fusion.keep=5<Enter>", "nDCG@10", "B  context")],
    ),
    Task(
        "add a folder to a new corpus",
        "Retrieval",
        16,
        [
            step("3", "a sample question"),
            step("i", "Add files or a folder", "notes/"),
            step("notes<Enter>", "Add notes to"),
            step("harbor<Enter>", "New corpus harbor", "analyzer"),
            step("<Enter>", "2 added"),
        ],
    ),
    Task(
        "see how the heads of a layer differ",
        "Attention",
        3,
        [step("ga", "L0H5 ── weights"), step("<Left>", "L0H4 ── weights")],
    ),
    Task("look at one attention head", "Attention", 3, [step("ga", "1 cell ="), step("<Enter>", "Enter go to key")]),
    Task("turn a head off and see what changes", "Attention", 3, [step("ga", "1 cell ="), step("f", " off", "KL(A")]),
    Task("steer with a feature", "Features", 3, [step("gf", "Feature 32"), step("+", "nats/token", "× 2")]),
    Task(
        "label a feature",
        "Features",
        11,
        [step("gf", "Feature 32"), step("<Up>", "Feature 636"), step("Lmorals<Enter>", "Feature 636 ── morals")],
    ),
    Task(
        "see which parts carry an answer",
        "Features",
        3,
        [step("gf", "Feature 32"), step("c", "Circuits", "Contributions", limit=60)],
    ),
    Task(
        "run an eval task",
        "Evals",
        9,
        EVALUATION,
    ),
    Task("compare two evals", "Evals", 2, [step("5", "desk-mini"), step("d", "broken", "fixed")]),
    Task("see why samples failed", "Evals", 2, [step("5", "desk-mini"), step("W", "What went wrong")]),
    Task(
        "rerun the failed samples",
        "Evals",
        10,
        [
            *EVALUATION,
            step("F", "Runs ─ 4", limit=60),
        ],
    ),
    Task(
        "find an action by its name",
        "everywhere",
        6,
        [step("<C-p>", "type to filter"), step("rev<Enter>", "when ▴")],
    ),
    Task(
        "change the theme",
        "everywhere",
        10,
        [
            step("<C-p>", "type to filter"),
            step("theme<Enter>", "─ Theme ─"),
            step("li<Enter>", gone="─ Theme ─", recolors=True),
        ],
    ),
    Task(
        "give an action another key",
        "everywhere",
        14,
        [
            step("<C-p>", "type to filter"),
            step("keys<Enter>", "Change a key"),
            step("zoom<Enter>", "press the new key"),
            step("Z<Enter>", "Saved in"),
        ],
    ),
    Task(
        "take the tour",
        "everywhere",
        8,
        [
            step("?", "t starts the tour"),
            step("t", "1 of 5"),
            step("]e", "2 of 5", "no such column"),
            step(".", "3 of 5"),
            step("2", "4 of 5"),
            step("]", "5 of 5"),
            step("?", "End of the tour"),
        ],
    ),
]

TASKS += CAREFUL

# What `make test` does of it.
SHORT = [
    task
    for task in TASKS
    if task.name
    in (
        FIRST.name,
        "open a damaged workspace",
        "rename a run, leave, and copy the file",
        "stop an eval, asked first, from its own page",
        "save a changed pipeline over the one that all use",
    )
]
