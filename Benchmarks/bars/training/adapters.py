"""Bar 5: an adapter that `orrery train` made, merged and not, here and in PEFT; and one of PEFT's own, here.

The model is the small one that comes with the program; its weights are used in float32 on both sides.
"""

import json
import os

from figures import CouldNotRun, at_least, at_most
from models import ours, peer, version
from program import ROOT
from training import configuration, done, folder, lines, paragraphs

LIMIT, CHANGED, PEFT = 1e-5, 1e-2, 1e-4
PACKAGES = ("torch", "transformers", "peft", "numpy", "safetensors")
BASE = os.path.join(ROOT, "sample-data", "models", "wanderer")
IDS = [1, *((7919 * index) % 400 + 10 for index in range(1, 64))]


def run(program):
    if not os.path.exists(BASE):
        raise CouldNotRun("no sample-data/models/wanderer")
    here = folder(program, "adapters")
    losses, adapter, exported = learned(program, here)
    with open(os.path.join(here, "ids.json"), "w", encoding="utf-8") as file:
        json.dump(IDS, file)
    mine = {
        "beside": logits(program, here, "beside", BASE, "--adapter", adapter),
        "merged": logits(program, here, "merged", BASE, "--adapter", adapter, "--merge"),
        "exported": logits(program, here, "exported", exported),
    }
    counts = peer(program, PACKAGES, "adapter_logits", BASE, os.path.join(here, "ids.json"), adapter, here)
    theirs = os.path.join(here, "theirs")
    mine["foreign"] = logits(program, here, "foreign", BASE, "--adapter", theirs)
    mine["foreign merged"] = logits(program, here, "foreign merged", BASE, "--adapter", theirs, "--merge")
    pairs = {
        "merged at loading": (mine["merged"], mine["beside"]),
        "merged by export": (mine["exported"], mine["beside"]),
        "PEFT's, merged at loading": (mine["foreign merged"], mine["foreign"]),
        "ours in PEFT": (mine["beside"], os.path.join(here, "ours.npy")),
        "ours in PEFT, merged": (mine["merged"], os.path.join(here, "ours-merged.npy")),
        "PEFT's here": (mine["foreign"], theirs + ".npy"),
        "PEFT's here, merged": (mine["foreign merged"], theirs + ".npy"),
        "changed by ours": (os.path.join(here, "base.npy"), mine["beside"]),
        "changed by PEFT's": (os.path.join(here, "base.npy"), mine["foreign"]),
    }
    found = peer(program, PACKAGES, "compare_logits", 2e-4, *("=".join(pair) for pair in pairs.values()))
    apart = {name: one["largest"] if one["finite"] else float("inf") for name, one in zip(pairs, found)}

    def largest(names):
        return max(apart[name] for name in names), ", ".join(f"{name} {apart[name]:.1e}" for name in names)

    names = list(pairs)
    by = ", ".join(version(package) for package in ("peft", "torch"))
    merged, spread = largest(names[:3])
    direction, between = largest(names[3:7])
    smallest = min(apart[name] for name in names[7:])
    return [
        at_most("5a", "logits of merged adapters: largest difference to unmerged", merged, "", LIMIT, spread=spread),
        at_most("5b", "logits of adapters here and in PEFT: largest difference", direction, "", PEFT, spread=between
                + f"; {len(IDS)} positions, {counts['modules']} layers changed by PEFT's", peer=by),
        at_least(
            "5c", "what these adapters change, the smaller", smallest, "", CHANGED,
            spread=f"{largest(names[7:])[1]}; ours learned from {losses[0]:.3f} to {losses[-1]:.3f}",
        ),
    ]  # fmt: skip


def learned(program, here):
    """The losses of an adapter's training, its folder, and the model with it merged."""
    with open(os.path.join(here, "text.txt"), "w", encoding="utf-8") as file:
        file.write(paragraphs(300))
    path = configuration(
        os.path.join(here, "adapter.toml"), run={"seed": 2},
        data={"train": ["text.txt"], "context": 64, "tokenizer": BASE, "separator": "</s>"},
        model={"kind": "pretrained", "path": BASE},
        adapter={"kind": "lora", "rank": 8, "alpha": 16.0, "dropout": 0.05, "targets": ["all-linear"]},
        optimizer={"rate": 0.005}, training={"steps": 60, "batch": 8}, schedule={"warmup": 5},
        evaluation={"every": 0},
    )  # fmt: skip
    said = lines(done(program, path, "--json", "--workspace", os.path.join(here, "runs.orrery")).output)
    exported = os.path.join(here, "exported")
    done(program, "export", path, exported)
    losses = [line["values"]["train/loss"] for line in said if line["type"] == "point"]
    return losses, os.path.join(exported, "adapter"), exported


def logits(program, here, name, model, *more):
    to = os.path.join(here, f"mine-{name.replace(' ', '-')}.npy")
    ours(program.bench, "logits", model, "--ids", " ".join(map(str, IDS)), "--to", to, *more)
    return to
