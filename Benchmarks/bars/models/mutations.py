"""Bar 10: 20,000 seeded mutations of GGUF, safetensors, tokenizer.json and Jinja; no crash, memory bounded.

`orrery-bench model fuzz` damages in memory and reads each; what is still read is used to its last number, token or
character. The files to begin with are the goldens of the tests: every kind of block, folders of every family,
tokenizers of every family.
"""

import json
import os

from figures import CouldNotRun, at_most
from models import shared
from program import ROOT, last_line

BOUND_MB = 300
COUNT = 5_000
GOLDENS = os.path.join(ROOT, "Tests", "ModelsTests", "Goldens", "files")


def run(program):
    figures = []
    for letters, (kind, paths) in zip(("ab", "cd", "ef", "gh"), seeds(program).items()):
        count = 400 if program.quick else COUNT
        done = program.bench.run("model", "fuzz", kind, *paths, "--seed", "1", "--count", str(count), "--json", limit=300)
        said = done.json()
        if said is None:
            how, crashes = f"`model fuzz` ended with status {done.status}: {last_line(done.errors)}", 1
        else:
            how = f"{said['mutations']} mutations of {len(paths)} files, {said['refused']} refused with a sentence, "
            how += f"{said['read']} read" + "".join(f"; {line}" for line in said["violations"][:3])
            crashes = max(len(said["violations"]), int(said["mutations"] < count), int(done.status != 0))
        figures += [
            at_most(f"10{letters[0]}", f"crashes and broken promises, {kind}", crashes, "", 0, spread=how),
            at_most(f"10{letters[1]}", f"memory under mutations, {kind}", done.peak_mb, "MB", BOUND_MB),
        ]
    return figures


def below(folder, ending):
    found = [os.path.join(at, name) for at, _, names in os.walk(folder) for name in names if name.endswith(ending)]
    if not found:
        raise CouldNotRun(f"no {ending} below {folder}")
    return sorted(found)


def seeds(program):
    """The files that are damaged, by kind."""
    return {
        "gguf": below(GOLDENS, ".gguf"),
        "safetensors": below(GOLDENS, ".safetensors"),
        "tokenizer.json": tokenizers(program),
        "template": templates(),
    }


def tokenizers(program):
    """The tokenizers within a golden, each as a file of its own."""
    golden = os.path.join(ROOT, "Tests", "TokenizersTests", "Goldens", "tokenizer-models.json")
    with open(golden, encoding="utf-8") as file:
        entries = [entry for entry in json.load(file) if "tokenizer" in entry]
    folder = os.path.join(program.data, "mutate-tokenizers")
    os.makedirs(folder, exist_ok=True)
    for entry in entries:
        with open(os.path.join(folder, entry["name"] + ".json"), "w", encoding="utf-8") as file:
            json.dump(entry["tokenizer"], file, ensure_ascii=False, separators=(",", ":"))
    return below(folder, ".json")


def templates():
    """Those of real models, where they lie beside the project; the fuzzer has a few of its own."""
    try:
        return below(shared("inference", "chat-templates"), ".jinja")
    except CouldNotRun:
        return []
