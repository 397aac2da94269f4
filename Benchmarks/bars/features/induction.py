"""Bar 2: induction heads form in two layers and not in one, and a fixed period is a trap.

Attention alone, 64 symbols, rows of 64 tokens that repeat after 8 to 32, 2,000 steps of 32 rows. The test is two copies of
24 random tokens. Time is that of both models one after the other, on two cores.
"""

import time

from figures import at_least, at_most, attempt, reported
from features import answer


def run(program):
    return attempt("2a", "induction", lambda: trained(program))


def best(said, word):
    for score in said["heads"]["scores"]:
        if word in score["name"]:
            return max(value for layer in score["layers"] for value in layer)
    return float("nan")


def trained(program):
    start = time.perf_counter()
    two = answer(program, "attention", "induction", "--layers", 2, "--json")
    one = answer(program, "attention", "induction", "--layers", 1, "--json")
    seconds = time.perf_counter() - start
    trap = answer(program, "attention", "induction", "--layers", 1, "--fixed-period", 32, "--json")
    return [
        at_most("2a", "two layers: loss of the second copy", two["second_copy_loss"], "nats", 0.1,
                peer="PyTorch 0.030 (reference run)"),
        at_least("2b", "two layers: accuracy on the second copy", two["accuracy"], "", 0.98,
                 peer="PyTorch 0.995 (reference run)"),
        at_least("2c", "two layers: best induction head", best(two, "induction"), "", 0.8),
        at_least("2d", "two layers: best previous-token head", best(two, "previous"), "", 0.8),
        at_least("2e", "one layer: loss of the second copy", one["second_copy_loss"], "nats", 2.0,
                 peer="PyTorch 2.60 (reference run)"),
        at_most("2f", "both models, two cores", seconds, "s", 180, spread=f"two layers {two['seconds']:.1f} s"),
        reported("2g", "one layer, period fixed at 32: loss of the second copy at 24", trap["second_copy_loss"], "nats",
                 spread=f"last training loss {trap['history'][-1]['loss']:.4f}"),
    ]  # fmt: skip
