"""Bar 8: what was planted is found: a position bias of ten points, a regression of three points on 1,000 samples."""

from evals import answer
from figures import Figure, at_least, attempt, rounded


def run(program):
    return attempt("8a", "planted", lambda: planted(program))


def planted(program):
    said = answer(program.bench, "eval", "planted")
    bias, regression = said["bias"], said["regression"]
    return [
        Figure("8a", "position bias of 10 points, interval", rounded(100 * bias["estimate"]), "points",
               target="interval above 0 and around 10", met=bias["lower"] > 0 and bias["lower"] <= 0.1 <= bias["upper"],
               spread=f"{100 * bias['lower']:.1f} to {100 * bias['upper']:.1f}, flip rate {bias['flip_rate']:.3f}"),
        at_least("8b", "of 200 regressions of 3 points, intervals that hold it", 100 * regression["covered"], "%", 91,
                 spread="between 91 and 99 % for a level of 95 %"),
        Figure("8c", "of these, called worse", rounded(100 * regression["called"]), "%",
               target="what the power says, +- 8", met=abs(regression["called"] - regression["power"]) <= 0.08,
               spread=f"power {100 * regression['power']:.1f} %"),
        at_least("8d", "called worse where nothing changed, at most 5 %, short of that", 100 * (0.05 - regression["false"]) + 3,
                 "points", 0, spread=f"{100 * regression['false']:.1f} %"),
    ]  # fmt: skip
