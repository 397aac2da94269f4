"""Bar 6: a dictionary of orrery-mini's middle layer, on texts that it was not trained on."""

import os

from figures import at_least, at_most, attempt, reported
from features import answer, dictionary, texts


def run(program):
    return attempt("6a", "a dictionary of orrery-mini", lambda: measured(program))


def measured(program):
    path, workspace = dictionary(program)
    held_out = os.path.join(texts(program), "validation.tokens")
    said = answer(
        program, "feature", "evaluate", "mini", "--texts", held_out, "--tokens", 60_000, "--json", "--workspace", workspace
    )
    return [
        at_least("6a", "loss recovered, against zero in its place", said["loss_recovered"], "", 0.95,
                 spread=f"{said['tokens']:.0f} tokens; loss {said['loss_clean']:.4f}, {said['loss_dictionary']:.4f} with the "
                 f"reconstruction, {said['loss_ablated']:.4f} without"),
        at_most("6b", "active features of a token", said["l0"], "", 32),
        reported("6c", "explained variance", said["explained_variance"], "", spread=f"{said['dead']:.0f} dead features"),
    ]  # fmt: skip
