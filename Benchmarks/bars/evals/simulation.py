"""Bar 5: 10,000 simulated runs with fixed seeds: intervals cover, tests hold their level, power is what was said.

The shares in clusters go through the very function that prints a run's figures. Populations are held to 94 to
96.5 %, and to more where few clusters hold a wrong answer: no interval of so little is short and covers whatever the
correlation is. Their names say so; bar 2 of first contact tries many more cases.
"""

from evals import answer
from figures import Figure, attempt, rounded


def run(program):
    return attempt("5a", "simulation", lambda: simulated(program))


def simulated(program):
    said = answer(program.bench, "eval", "simulation", *(["--runs", 2000] if program.quick else []))
    return [
        Figure(f"5{letter}", check["name"], rounded(100 * check["value"]), "%",
               target=f"{100 * check['lower']:g} to {100 * check['upper']:g} %", met=check["holds"], spread=check["note"])
        for letter, check in zip("abcdefghijklmno", said["checks"])
    ]  # fmt: skip
