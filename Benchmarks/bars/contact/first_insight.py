"""Bar 6: from the first start of all to a failed step with what the model saw there."""

from bars.contact.newcomer_list import FIRST
from bars.contact.newcomer_tasks import carry_out
from figures import CouldNotRun, at_most


def run(program):
    outcome = carry_out(program, FIRST, "first")
    if outcome.problem:
        raise CouldNotRun(outcome.problem.splitlines()[0])
    return [
        at_most(
            "6",
            "keys to a failed step with its context",
            outcome.pressed,
            "keys",
            2,
            spread=f"{outcome.seconds:.1f} s with the first start and the end",
        )
    ]
