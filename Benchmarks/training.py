"""What the bars of training share: jobs that both sides do from the same files, and runs of configurations.

Files and runs lie below the data folder and are made anew for each bar, but the weights and data of the jobs, which
change only with the script that makes them.
"""

import json
import os
import random
import shutil
import sqlite3
from array import array

from figures import CouldNotRun
from models import Engine, before, edition, peer, peer_command, peer_environment, require
from program import finish, last_line

PACKAGES = ("torch", "safetensors", "numpy")


def job_file(program, job):
    """Weights and data of a job, as PyTorch made them."""
    folder = os.path.join(program.data, "training", "jobs-" + edition("peers/training_jobs.py"))
    path = os.path.join(folder, job + ".safetensors")
    if not os.path.exists(path):
        peer(program, PACKAGES, "training_jobs", "make", folder)
    return path


def our_job(program, job, steps, warm_up, threads):
    """Losses of all steps, and the seconds of those after the first ones."""
    said = answer(
        program.bench, "compare", job.split("-")[0], job_file(program, job), "--steps", steps, "--warm-up", warm_up,
        before=before(threads),
    )  # fmt: skip
    if said["threads"] != threads:
        raise CouldNotRun(f"`train compare` took {said['threads']} threads, not {threads}")
    return said["losses"], sum(said["seconds"])


def their_job(program, job, threads, fused=False):
    """PyTorch with the same job, in a process that stays."""
    require(*PACKAGES)
    command = peer_command("training_jobs", job_file(program, job), threads, *(["fused"] if fused else []))
    return Engine([*before(threads), *command], peer_environment(program))


def started(program, *arguments, before=(), limit=900):
    """`orrery train ...`, to its end."""
    return finish([*before, program.binary, "train", *map(str, arguments)], program.environment(), limit)


def done(program, *arguments, **more):
    found = started(program, *arguments, **more)
    if found.status != 0:
        words = " ".join(os.path.basename(str(word)) for word in arguments[:2])
        raise CouldNotRun(f"`train {words}` ended with status {found.status}: {last_line(found.errors)}")
    return found


def answer(program, *arguments, **more):
    """What it prints as JSON."""
    found = done(program, *arguments, **more).json()
    if found is None:
        raise CouldNotRun(f"`train {arguments[0]}` printed no JSON")
    return found


def folder(program, name):
    """An empty one."""
    path = os.path.join(program.data, "training", name)
    shutil.rmtree(path, ignore_errors=True)
    os.makedirs(path)
    return path


def configuration(path, **sections):
    """Writes a configuration; `data={"train": [...]}` is a section of it."""
    lines = []
    for section, keys in sections.items():
        lines += [f"[{section.replace('__', '.')}]", *(f"{key} = {json.dumps(value)}" for key, value in keys.items())]
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    return path


def lines(output):
    """Points, samples and events of `orrery train --json`."""
    return [json.loads(line) for line in output.splitlines()]


def last_value(output, series):
    values = [line["values"][series] for line in lines(output) if series in line.get("values", {})]
    if not values:
        raise CouldNotRun(f"the run has no {series}")
    return values[-1]


def names_of_series(workspace):
    with sqlite3.connect(f"file:{workspace}?mode=ro", uri=True) as database:
        return [name for (name,) in database.execute("SELECT name FROM training_series ORDER BY name")]


def curves(program, workspace, run):
    """Every point of every curve but the speeds: {series: [(step, value)]}. JSON has all digits of a number."""
    names = [name for name in names_of_series(workspace) if not name.startswith("speed/")]
    asked = [word for name in names for word in ("--series", name)]
    said = answer(program, "show", run, *asked, "--json", "--workspace", workspace)
    return {name: list(zip(curve["steps"], curve["values"])) for name, curve in said["curves"].items()}


def paragraphs(count):
    """A small text, always the same."""
    names = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Fay", "Gus")
    places = ("the mill", "the harbor", "a hill", "the old bridge", "the market")
    things = ("a lantern", "three pears", "a map", "some rope", "a letter", "a kite")
    return "".join(
        f"{names[i % 7]} went to {places[i % 5]} with {things[i * i % 6]}. {names[i * 3 % 7]} gave {i % 13} coins "
        f"for {things[i % 6]}, and they walked home past {places[i * 2 % 5]}.\n<|endoftext|>\n"
        for i in range(count)
    )


def write_tensors(path, count, shape, classes):
    """Random examples [count, ...] whose class a random linear teacher says, as safetensors: x float32, y int32."""
    chance = random.Random(1)
    width = shape[0] * shape[1]
    teacher = [[chance.gauss(0, 1) for _ in range(width)] for _ in range(classes)]
    x, y = array("f"), array("i")
    for _ in range(count):
        row = [chance.gauss(0, 1) for _ in range(width)]
        x.extend(row)
        scores = [sum(a * b for a, b in zip(row, weights)) for weights in teacher]
        y.append(scores.index(max(scores)))
    middle = 4 * len(x)
    header = {
        "x": {"dtype": "F32", "shape": [count, *shape], "data_offsets": [0, middle]},
        "y": {"dtype": "I32", "shape": [count], "data_offsets": [middle, middle + 4 * count]},
    }
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(len(text).to_bytes(8, "little") + text + x.tobytes() + y.tobytes())
