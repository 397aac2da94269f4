"""Bar 4: every value of the reference goldens, and kappa and flip rate over FairEval's verdicts of people.

The values are made with NumPy, SciPy, scikit-learn, statsmodels, sacrebleu, rouge-score, fairlearn and krippendorff by
../shared/peers/evals/goldens.py. `orrery-bench eval goldens` computes each from its inputs and says what it found.
The worst of them, bt.theta.4, is the reference's own: choix stops its iteration at a tolerance of 1e-8, 9.5e-10 away from the
maximum (wins less expected wins there: 5e-8, at ours 5e-18 in extended precision).
"""

import os

from evals import CouldNotRun, SHARED, answer
from figures import at_most, attempt


def run(program):
    return attempt("4a", "goldens", lambda: goldens(program)) + attempt("4c", "FairEval", lambda: people(program))


def goldens(program):
    path = os.path.join(SHARED, "peers", "evals", "goldens.json")
    if not os.path.exists(path):
        raise CouldNotRun("../shared/peers/evals/goldens.json is not there")
    said = answer(program.bench, "eval", "goldens", path)
    note = f"{said['values']} values; the worst is {said['worst']}"
    return [
        at_most("4a", "largest difference, relative where above 1", said["difference"], "", 1e-9, spread=note),
        at_most("4b", "values that are not computed", len(said["missing"]), "values", 0,
                spread=", ".join(said["missing"])[:200]),
    ]  # fmt: skip


def people(program):
    folder = os.path.join(SHARED, "data", "evals", "faireval")
    if not os.path.isdir(folder):
        raise CouldNotRun("../shared/data/evals/faireval is not there")
    said = answer(program.bench, "eval", "fair-eval", folder)
    try:
        from sklearn.metrics import cohen_kappa_score
    except ImportError:
        kappa, peer = said["kappa_by_hand"], "a naive twin (no scikit-learn in this Python)"
    else:
        kappa, peer = cohen_kappa_score(said["one"], said["other"]), "scikit-learn"
    flips = sum(a != b for a, b in zip(said["one"], said["other"])) / len(said["one"])
    return [
        at_most("4c", "Cohen's kappa against the peer's", abs(said["kappa"] - kappa), "", 1e-9, peer=peer,
                spread=f"{said['kappa']:.6f} over {len(said['one'])} verdicts of people and as many of a made-up rater"),
        at_most("4d", "flip rate against a count", abs(said["flip_rate"] - flips), "", 1e-9, spread=f"{flips:.4f}"),
    ]  # fmt: skip
