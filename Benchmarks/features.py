"""What the bars of features share: commands, the texts of orrery-mini's world, and a dictionary of its middle layer."""

import os
import shutil

from figures import CouldNotRun
from program import ROOT, finish, last_line

MINI = os.path.join(ROOT, "sample-data", "models", "orrery-mini")
RECIPE = os.path.join(ROOT, "sample-data", "training", "orrery-mini.toml")
HOOK = "blocks.3.hook_resid_post"


def folder(program, name=""):
    path = os.path.join(program.data, "features", name)
    os.makedirs(path, exist_ok=True)
    return path


def empty(program, name):
    shutil.rmtree(os.path.join(program.data, "features", name), ignore_errors=True)
    return folder(program, name)


def done(program, *arguments, before=(), limit=1800):
    """`orrery ...`, to its end; a status other than 0 is a reason."""
    found = finish([*before, program.binary, *map(str, arguments)], program.environment(), limit)
    if found.status != 0:
        words = " ".join(os.path.basename(str(word)) for word in arguments[:3])
        raise CouldNotRun(f"`{os.path.basename(program.binary)} {words}` ended with status {found.status}: {last_line(found.errors)}")
    return found


class Answer(dict):
    """An object that was printed; a figure that is not in it is a reason why the bar could not run."""

    def __missing__(self, key):
        raise CouldNotRun(f"the answer has no {key}, only {', '.join(self)}")


def answer(program, *arguments, **more):
    """What it prints as JSON."""
    said = done(program, *arguments, **more).json()
    if said is None:
        raise CouldNotRun(f"`{os.path.basename(program.binary)} {arguments[0]} {arguments[1]}` printed no JSON")
    return Answer(said) if isinstance(said, dict) else said


def texts(program):
    """Tokens of the world that orrery-mini was trained on, made once: its training set is what nobody measures on."""
    path = folder(program, "texts")
    if not os.path.exists(os.path.join(path, "validation.tokens")):
        done(program, "train", "data", RECIPE, path, "--tokens", 1_500_000, "--force")
    return path


def dictionary(program):
    """A TopK dictionary of orrery-mini's middle layer, trained once for each binary's data folder."""
    path = os.path.join(folder(program), "mini-topk")
    workspace = os.path.join(folder(program), "mini.orrery")
    if not os.path.exists(os.path.join(path, "cfg.json")):
        done(
            program, "feature", "train", MINI, "--hook", HOOK, "--texts", os.path.join(texts(program), "train.tokens"),
            "--features", 1536, "--k", 24, "--steps", 3000, "--batch", 1024, "--name", "mini", "-o", path,
            "--workspace", workspace,
        )  # fmt: skip
    return path, workspace
