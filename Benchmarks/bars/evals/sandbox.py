"""Bar 10: what code in the sandbox must not do: each attempt is made, in each tier that holds on this machine."""

from evals import answer
from figures import CouldNotRun, at_most, attempt


def run(program):
    return attempt("10", "sandbox", lambda: attempts(program))


def attempts(program):
    said = answer(program.bench, "eval", "sandbox")
    if not said["tiers"]:
        raise CouldNotRun("no tier of the sandbox holds on this machine")
    return [
        at_most(f"10{letter}", f"attempts that were not stopped, {tier['title']}", len(tier["escaped"]), "attempts", 0,
                spread=f"{tier['attempts']} made" + "".join(f", {name}" for name in tier["escaped"]))
        for letter, tier in zip("abc", said["tiers"])
    ]  # fmt: skip
