"""Bar 8: decoding while the tokens panel watches all it can: 20 alternatives before and after every processor, the pages of
keys and values, time by operation, thirty pictures a second; against decoding unwatched, with the same sampling, by turns.
"""

from figures import CouldNotRun, at_least
from kernels import middle
from models import before, random_model
from program import finish, last_line

TOKENS = {"110m": 128, "1b": 48}
TURNS = 5


def rate(program, path, threads, tokens, *more):
    """The best of three answers of a fresh process, after one that warms up."""
    command = [
        *before(threads), program.binary, "model", "bench", path, "--threads", str(threads), "--prompt", "1",
        "--tokens", str(tokens), "--repetitions", "3", "--json", *more,
    ]  # fmt: skip
    done = finish(command, program.environment())
    if done.status != 0:
        raise CouldNotRun(f"`model bench` ended with status {done.status}: {last_line(done.errors)}")
    return next(row["best"] for row in done.json()["rows"] if row["test"].startswith("write"))


def run(program):
    figures = []
    cases = [("110m", 1), ("110m", 2), ("1b", 1), ("1b", 2)][: 1 if program.quick else None]
    for letter, (shape, threads) in zip("abcd", cases):
        path = random_model(program, f"{shape}-q4_k_m.gguf")
        plain, tapped = [], []
        for _ in range(2 if program.quick else TURNS):
            plain.append(rate(program, path, threads, TOKENS[shape]))
            tapped.append(rate(program, path, threads, TOKENS[shape], "--tapped"))
        kept = max(tapped) / max(plain)
        figures.append(
            at_least(
                f"8{letter}", f"decode kept while watched, {shape} q4_k_m, threads: {threads}", kept, "", 0.95,
                spread=f"best {max(tapped):.1f} of {max(plain):.1f} tok/s; by turns "
                + ", ".join(f"{ours / theirs:.3f}" for ours, theirs in zip(tapped, plain))
                + f", median {middle([a / b for a, b in zip(tapped, plain)]):.3f}",
            )  # fmt: skip
        )
    return figures
