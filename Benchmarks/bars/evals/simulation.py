"""Bar 5: 10,000 simulated runs with fixed seeds: intervals cover, tests hold their level, power is what was said.

The shares in clusters go through the very function that prints a run's figures. Where few clusters hold a wrong answer the
intervals are too wide, on the safe side: there the bar is that they are not too short.
"""

from evals import answer
from figures import Figure, attempt, rounded


def run(program):
    return attempt("5a", "simulation", lambda: simulated(program))


def simulated(program):
    said = answer(program, "eval", "bench", "simulation", *(["--runs", 2000] if program.quick else []))
    return [
        Figure(f"5{letter}", check["name"], rounded(100 * check["value"]), "%",
               target=f"{100 * check['lower']:g} to {100 * check['upper']:g} %", met=check["holds"], spread=check["note"])
        for letter, check in zip("abcdefghijklmno", said["checks"])
    ]  # fmt: skip
