"""Writes raters.json: kappa of two raters as scikit-learn has it, Krippendorff's alpha of three as krippendorff has it."""

import json
import pathlib
import random

import krippendorff
from sklearn.metrics import cohen_kappa_score

draw = random.Random(8)
cases = []
for count in (8, 40, 200):
    one = [draw.randint(1, 5) for _ in range(count)]
    # All grades are given, so that steps between them are steps of one.
    one[:5] = [1, 2, 3, 4, 5]
    other = [min(5, max(1, grade + draw.choice([-1, 0, 0, 0, 1, 2]))) for grade in one]
    third = [grade if draw.random() < 0.7 else draw.randint(1, 5) for grade in one]
    passes = [[int(grade >= 3) for grade in grades] for grades in (one, other, third)]
    cases.append(
        {
            "ratings": [one, other, third],
            "grades": cohen_kappa_score(one, other, weights="quadratic", labels=sorted(set(one + other))),
            "passes": cohen_kappa_score(passes[0], passes[1]),
            "alpha": krippendorff.alpha(reliability_data=passes, level_of_measurement="nominal"),
        }
    )
pathlib.Path(__file__).with_suffix(".json").write_text(json.dumps(cases, indent=1) + "\n")
