"""What a newcomer brings: a fresh home, and a folder of files that the program has never seen."""

import json
import os
import sqlite3

from figures import CouldNotRun
from program import ROOT, SAMPLE_TRACES

SAMPLES = os.path.join(ROOT, "sample-data")

NOTES = {
    "ferry.md": "# Ferry\n\nThe last ferry leaves at 21:40 from the east pier. In fog it waits for the harbor pilot.\n",
    "pier.md": "# Piers\n\nThe east pier was dredged in May. The west pier is closed until the crane is repaired.\n",
}

RECIPE = """[data]
train = ["text.txt"]
context = 32
[data.tokenizer]
vocabulary = 280
[model]
layers = 1
width = 32
heads = 2
[training]
steps = 1000000
batch = 4
[checkpoints]
every = 1000
"""


# A model that takes a second for each answer, so that an eval outlives a few keys.
SLOW_MODEL = """#!/bin/sh
while read -r line; do
    sleep 1
    echo '{"text": "42"}'
done
"""


def write(folder, name, text):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write(text)


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def fill(folder):
    """Writes a trace, two notes, a profile, a recipe, a task with one sample that cannot pass, and a long task."""
    os.makedirs(os.path.join(folder, "notes"))
    for name, text in NOTES.items():
        write(os.path.join(folder, "notes"), name, text)
    trace = read(SAMPLE_TRACES, "otlp", "museum-signs-legacy.json")
    write(folder, "harbor.json", trace.replace("museum", "harbor").replace("01dc0de5", "0ba5eba1"))
    write(folder, "decoder.csv", read(SAMPLES, "profiles", "after.csv").replace("hall-3", "pier-1"))
    write(folder, "tiny.toml", RECIPE)
    write(folder, "text.txt", "".join(f"The {i % 7} moons of planet {i % 5} rise at {i % 11}.\n" for i in range(200)))
    rows = [json.loads(line) for line in read(SAMPLES, "evals", "reading.jsonl").splitlines()[:8]]
    rows[3]["answer"] = "never"
    write(folder, "reading.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    write(folder, "reading.toml", read(SAMPLES, "evals", "reading.toml"))
    write(folder, "patient.toml", read(SAMPLES, "evals", "reading.toml").replace("reading", "patient"))
    write(folder, "patient.jsonl", read(SAMPLES, "evals", "reading.jsonl"))
    write(folder, "slow.sh", SLOW_MODEL)
    os.chmod(os.path.join(folder, "slow.sh"), 0o755)


def damage(program):
    """Makes the sample workspace and flips one bit in the page of the table that lists the runs."""
    program.run("show", "traces")
    path = os.path.join(program.home, "data", "orrery", "default.orrery")
    if os.path.exists(path + "-wal") and os.path.getsize(path + "-wal") > 0:
        raise CouldNotRun("a command that has ended left data in the -wal file")
    connection = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
    try:
        (size,) = connection.execute("PRAGMA page_size").fetchone()
        (page,) = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'trace'").fetchone()
    finally:
        connection.close()
    with open(path, "r+b") as file:
        file.seek(page * size - 200)
        byte = file.read(1)[0]
        file.seek(page * size - 200)
        file.write(bytes([byte ^ 0x10]))
