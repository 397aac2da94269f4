"""Bar 1: hooks, logits and folded weights against TransformerLens.

The golden file holds what TransformerLens computed in float64 for two small models of seeded weights: one with layer
norms, one of attention alone. Lenses, attributions, compositions, spectra and patches of the same file are compared by
the tests.
"""

import os

from figures import at_most, attempt
from features import answer
from models import SHARED
from figures import CouldNotRun

LIMITS = {"float64": 1e-9, "float32": 1e-4, "folded": 1e-5}


def run(program):
    return attempt("1a", "tensors of TransformerLens", lambda: compared(program))


def compared(program):
    path = os.path.normpath(os.path.join(SHARED, "..", "peers", "training", "tl_golden.safetensors"))
    if not os.path.exists(path):
        raise CouldNotRun("no peers/training/tl_golden.safetensors in ../shared")
    said = answer(program.bench, "attention", "goldens", path)
    figures = []
    for letter, (name, limit) in zip("abc", LIMITS.items()):
        group = said[name]
        figures.append(
            at_most(
                f"1{letter}", f"largest difference, {name}", group["worst"], "", limit,
                spread=f"{group['tensors']} tensors, the worst {group['at']}", peer="transformer-lens 3.9.0",
            )  # fmt: skip
        )
    return figures
