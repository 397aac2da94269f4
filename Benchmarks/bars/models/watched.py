"""Bar 8: decoding while the tokens panel watches, against the same answer without a panel, by turns.

The panel is the program itself on a pseudo-terminal: every token comes with twenty alternatives before and after every
processor, is kept in the workspace, and is drawn, with the pages of keys and values and the time by operation, thirty
times a second. Both sides take the same prompt, sampling and seed, use every processor, and must write the same text;
what counts is the rate from the first token to the last. Nothing has priority here: the panel's threads share the
processors with those that decode, as they do for a person. A turn during which other programs took more than a tenth of
a processor is void and taken again.
"""

import json
import sqlite3

from figures import CouldNotRun, at_least, attempt
from kernels import middle
from models import Others, random_model
from program import cores, finish, last_line
from pseudo_terminal import Terminal

TOKENS = {"110m": 256, "1b": 64}
TURNS, MOST_TURNS, BUSY = 5, 20, 0.1
PROMPT = "once upon a time"
SAMPLING = {"temperature": 0.8, "top_k": 40, "top_p": 0.95, "seed": 1}
# Output that comes this much after the last belongs to another frame.
GAP = 0.005


def run(program):
    figures = []
    for letter, shape in zip("ab", ("110m",) if program.quick else TOKENS):
        figures += attempt(f"8{letter}", f"decode kept while watched, {shape}", lambda: kept(program, letter, shape))
    return figures


def kept(program, letter, shape):
    path = random_model(program, f"{shape}-q4_k_m.gguf")
    workspace, pairs, frames = program.workspace("watched"), [], []
    with Terminal(program.workbench(workspace, path), program.environment(), columns=160, rows=50) as terminal:
        prepare(terminal, TOKENS[shape])
        void = 0
        while len(pairs) < (2 if program.quick else TURNS):
            others = Others(terminal.pid)
            rate, text = unwatched(program, path, TOKENS[shape])
            drawn = answer(terminal)
            watched, seconds, same = newest(workspace)
            if same != text:
                raise CouldNotRun("the watched answer is another text")
            if others.share > BUSY:
                void += 1
                if void > MOST_TURNS:
                    raise CouldNotRun(f"other programs took more than {BUSY:.0%} of a processor, {void} times")
                continue
            pairs.append((watched, rate))
            frames.append(drawn / seconds)
    watched, plain = (max(rates) for rates in zip(*pairs))
    ratios = [mine / rate for mine, rate in pairs]
    return at_least(
        f"8{letter}", f"decode kept while watched, {shape} q4_k_m, {cores()} threads", watched / plain, "", 0.95,
        spread=f"best {watched:.1f} of {plain:.1f} tok/s; by turns "
        + ", ".join(f"{ratio:.3f}" for ratio in ratios)
        + f", median {middle(ratios):.3f}; {middle(frames):.0f} pictures a second; {void} turns were void",
    )  # fmt: skip


def prepare(terminal, tokens):
    """A session with the model, its settings, and a first answer, which warms up."""
    terminal.wait_for_output(quiet=0.5)
    terminal.write("s")
    terminal.settle(0.3)
    terminal.write(" ".join(f"{name}={value}" for name, value in SAMPLING.items()) + f" max_tokens={tokens}\r")
    terminal.settle(0.3)
    terminal.write("i")
    terminal.settle(0.3)
    terminal.write(PROMPT + "\r")
    terminal.settle(1.0, 300)


def answer(terminal):
    """Has the prompt answered once more; the number of frames that came meanwhile."""
    first = len(terminal.record)
    terminal.write("r")
    terminal.settle(1.0, 300)
    times = [when for when, what in terminal.record[first:] if isinstance(what, bytes)]
    return sum(later - earlier > GAP for earlier, later in zip(times, times[1:])) + 1


def newest(workspace):
    """Rate, seconds and text of the answer that the workspace keeps."""
    with sqlite3.connect(f"file:{workspace}?mode=ro", uri=True) as database:
        row = database.execute("SELECT outcome, step_count, text FROM model_generation ORDER BY id DESC").fetchone()
    outcome = json.loads(row[0]) if row else {}
    if outcome.get("state") != "done" or row[1] < 2:
        raise CouldNotRun(f"the panel's answer ended with {outcome.get('problem') or outcome or 'nothing'}")
    seconds = outcome["seconds"] - outcome["first"]
    return (row[1] - 1) / seconds, seconds, row[2]


def unwatched(program, path, tokens):
    """Rate and text of the same answer of a fresh process that watches nothing."""
    settings = [word for name, value in SAMPLING.items() for word in ("--" + name.replace("_", "-"), str(value))]
    command = [program.binary, "model", "generate", path, "--prompt", PROMPT, *settings]
    done = finish([*command, "--max-tokens", str(tokens), "--no-trace", "--json"], program.environment())
    if done.status != 0:
        raise CouldNotRun(f"`model generate` ended with status {done.status}: {last_line(done.errors)}")
    said = done.json()
    return said["tokens_per_second"], said["text"]
